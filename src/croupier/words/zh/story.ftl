# 一局的经过。

## 投注的结果

became-explained = { $explained }。{ $got }
became-nothing = 结算时台面上已无此注
became-off-table = 已不在台面
became-returned = 已退还
became-void = 本局作废：台面上所有注额已退还
got-back = { $returned ->
    [0] 无款项变动
   *[other] 退还注额 { MONEY($returned) }
 }
got-lost = { $returned ->
    [0] 庄家收取 { MONEY($collected) }
   *[other] 庄家收取 { MONEY($collected) }，退还注额 { MONEY($returned) }
 }
got-won = { $returned ->
    [0] 赢得 { MONEY($winnings) }
   *[other] 赢得 { MONEY($winnings) }，退还注额 { MONEY($returned) }
 }

## 逐注说明

round-advised = 已告知 { $seat } 最低注额为 { MONEY($minimum) }
round-bet = 投注 { $bet }：{ $seat } 下注 { MONEY($stake) } 于布局 { $layout } 的 { BOX($box) }{ GIVEN($by) ->
    [yes] ，由 { $by } 代为下注
   *[no] { "" }
 }
round-cut = 其中 { MONEY($amount) } 不计输赢，已退还
round-decided = 已裁定：{ $treatment ->
    [move] 按 { BOX($box) } 计算输赢
    [return] 已退还
   *[stand] 有效
 }{ GIVEN($reason) ->
    [yes] ，原因：{ $reason }
   *[no] { "" }
 }
round-excess = 其中 { MONEY($amount) } 超出限额，已退还
round-no-bets = 无人下注
round-over = 赌台 { $table } 第 { $round } 局：{ $result }
round-result = 结果为 { $outcome }
round-settled-again = 本局按 { $outcome } 重新结算，原因：{ $reason }：原为 { MONEY($before) }，现为 { MONEY($after) }{ $owed ->
    [0] { "" }
   *[other] ；差额中 { MONEY($owed) } 为欠款
 }
round-void = 作废
round-voided-again = 本局作废并重新结算({ NAME($irregularity, "irregularity") })，原因：{ $reason }：原为 { MONEY($before) }，现为 { MONEY($after) }{ $owed ->
    [0] { "" }
   *[other] ；差额中 { MONEY($owed) } 为欠款
 }
round-withdrawn = 其中 { MONEY($amount) } 已撤回
