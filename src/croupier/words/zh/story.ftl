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
round-decided = 已裁定：{ $treatment ->
    [move] 按 { BOX($box) } 计算输赢
    [return] 已退还
   *[stand] 有效
 }{ GIVEN($reason) ->
    [yes] ，原因：{ $reason }
   *[no] { "" }
 }
round-no-bets = 无人下注
round-over = 赌台 { $table } 第 { $round } 局：{ $result }
round-result = 结果为 { $outcome }
round-settled-again = 本局按结果 { $outcome } 重新结算，原因：{ $reason }：原为 { MONEY($before) }，现为 { MONEY($after) }{ $owed ->
    [0] { "" }
   *[other] ；差额中 { MONEY($owed) } 为欠款
 }
round-void = 作废
round-voided-again = 本局作废并重新结算({ NAME($irregularity, "irregularity") })，原因：{ $reason }：原为 { MONEY($before) }，现为 { MONEY($after) }{ $owed ->
    [0] { "" }
   *[other] ；差额中 { MONEY($owed) } 为欠款
 }

## 逐项经过；$phrase 为记录中的写法

story-act = { $by ->
    [system] 赌台系统
   *[other] { $by }
 } { $phrase }
story-before-facts = { $text }
story-refused = 已拒绝：{ $why }
story-table = 赌台 { $table }，{ LAW($title) }({ $book })，布局 { LIST($layouts) }

## 事件所述

event-advised = 已告知 { $seat } 最低注额为 { MONEY($minimum) }
event-amended = 结果由 { $old } 更正为 { $outcome }
event-approved = 已批准：{ $one } 与 { $other }
event-attested = 目前已证明：{ $shown }
event-bank-drained = { MONEY($amount) } 由赌台备用金转入账房
event-bank-filled = { MONEY($amount) } 由账房转入赌台备用金
event-bet = { $seat } 的投注 { $bet }：{ MONEY($stake) } 于 { BOX($box) }，已登记
event-bet-decided = 投注 { $bet }：{ $treatment ->
    [move] 按 { BOX($box) } 计算输赢
    [return] 予以退还
   *[stand] 按 { BOX($box) } 有效
 }{ GIVEN($reason) ->
    [yes] ，原因：{ $reason }
   *[no] { "" }
 }
event-boxes-gone = 布局 { $layout } 不再提供：{ BOXES($boxes) }
event-called = “{ LAW($words) }”
event-closed = { GIVEN($words) ->
    [yes] “{ LAW($words) }”
   *[no] 停止下注
 }
event-closed-by-bell = “{ LAW($words) }”，并摇铃
event-colour = { $seat } 持 { NAME($colour, "colour") } 色码，每枚 { MONEY($value) }
event-colour-marked = { $seat } 持 { NAME($colour, "colour") } 色码，每枚 { MONEY($value) }；以价值标记标明
event-contradicted = { $device } 的报告与{ NAME($irregularity, "irregularity") }不符{ GIVEN($began) ->
    [yes] ；按时开始
   *[no] { "" }
 }{ GIVEN($count) ->
    [yes] ；计数 { $count }
   *[no] { "" }
 }{ GIVEN($outcome) ->
    [yes] ；读得 { $outcome }
   *[no] { "" }
 }；该局暂停，直至请求 { $request } 获裁决
event-cut = 投注 { $bet } 中的 { MONEY($amount) } 不计输赢，退还 { $seat }
event-decided = 裁定：{ $treatment ->
    [void] 本局作废
    [result] 按声明的结果结算
   *[return] 退还投注
 }，原因：{ NAME($reason, "noted") }
event-declined = 请求 { $request } 被拒绝
event-encoding-planned = { $id } 的更正编码 { $book } 将在两局之间取代 { $old }，不早于 { MOMENT($since) }：{ $one } 提出，{ $other } 同意
event-encoding-taken-up = 自第 { NUMBER($round) } 局起：{ $id } 的更正编码 { $book } 取代 { $old }：{ $one } 提出，{ $other } 同意
event-entered = 结果为 { $outcome }，来源：{ $source ->
    [attested] 证明
    [decided] 裁定
   *[entry] 输入
 }
event-excess = 投注 { $bet } 中的 { MONEY($amount) } 超出限额，予以退还
event-given = 赠予 { $seat } 余额 { MONEY($amount) }，原因：{ $reason }
event-interrupted = { $part ->
    [console] 荷官控制台中断
    [device] 摇骰器或轮盘中断
   *[server] 服务器中断
 }；投注保留
event-layouts = 自下一局起：布局 { LIST($layouts) }
event-limits = 限额自下一局起更改
event-checked = 已核对亮起的布局：{ $outcome }
event-collected = 收取输注
event-dolly = 中奖标记放在 { $outcome } 上
event-lit = 布局 { $layout } 亮起：{ GIVEN($boxes) ->
    [yes] { BOXES($boxes) }
   *[no] 无
 }
event-locked = 赌台锁定
event-lost = { $seat } 的投注 { $bet } 输 { MONEY($amount) }
event-opened = 第 { $round } 局：“{ LAW($words) }”
event-paying = 赔付赢注
event-paid = { $winnings ->
    [0] { $seat } 的投注 { $bet } 退还 { MONEY($returned) }
   *[other] { $seat } 的投注 { $bet } 赢 { MONEY($winnings) }，退还 { MONEY($returned) }
 }
event-plan-cancelled = 不再启用 { $id }：{ $reason }
event-power = 电力已恢复；本局等待骰子或滚珠所示
event-repaid = { $seat } 偿还 { MONEY($amount) }
event-reported = 已报告：{ NAME($irregularity, "irregularity") }，处理：{ NAME($consequence, "consequence") }
event-request = 请求 { $request } 等待另一位人员
event-result-decided = 结果为 { $outcome }，原因：{ $reason }
event-resumed = 继续进行：{ NAME($act, "goes-on") }
event-returned = 投注 { $bet }：{ MONEY($amount) } 退还 { $seat }
event-reversed = { $seat } 的投注 { $bet }：原为 { MONEY($before) }，现为 { MONEY($after) }{ $owed ->
    [0] { "" }
   *[other] ，其中 { MONEY($owed) } 为欠款
 }
event-seat-moved = { $seat } 现用布局 { $layout }
event-sensed = 感应器显示 { $outcome }
event-settled = 第 { $round } 局已结算
event-settled-again = 第 { $round } 局按结果 { $outcome } 重新结算，原因：{ $reason }
event-terminals = 终端 { LIST($seats) } 中断；已登记的投注照常有效
event-ticket-issued = { $seat } 的余额 { MONEY($amount) } 兑现为票券 { $ticket }
event-ticket-redeemed = 票券 { $ticket } 兑换为 { $seat } 的余额 { MONEY($amount) }
event-told = 已告知：{ GIVEN($seats) ->
    [yes] { LIST($seats) }
   *[no] 无人
 }
event-unlocked = 赌台解锁，原因：{ $reason }
event-unregistered = { $seat } 于 { BOX($box) } 的 { MONEY($stake) } 未登记：{ $treatment ->
    [not-participating] 未参与
   *[return] 退还
 }
event-version-planned = 规则的另一版本 { $id }（{ $book }）将在两局之间取代 { $old }，不早于 { MOMENT($since) }：{ $one } 提出，{ $other } 同意
event-version-taken-up = 自第 { NUMBER($round) } 局起：规则的另一版本 { $id }（{ $book }）取代 { $old }：{ $one } 提出，{ $other } 同意
event-void = 第 { $round } 局作废：{ NAME($irregularity, "irregularity") }{ GIVEN($words) ->
    [yes] ，“{ LAW($words) }”
   *[no] { "" }
 }
event-void-again = 第 { $round } 局作废：{ NAME($irregularity, "irregularity") }，原因：{ $reason }
event-withdrawn = 投注 { $bet } 中的 { MONEY($amount) } 退还 { $seat }
event-written-off = { $seat } 不再欠 { MONEY($amount) }，原因：{ $reason }

## 异常的处理

consequence-void = 本局作废
consequence-void-affected-rounds = 受影响各局作废
consequence-actual-outcome-stands = 以实际结果为准
consequence-actual-outcome-stands-and-lock = 以实际结果为准并锁定
consequence-amend-result = 更正结果
consequence-lock = 锁定
consequence-refuse = 拒绝
consequence-plays = 照常有效
consequence-reject-excess = 拒收超额
consequence-advise = 提醒
consequence-apportion = 分摊
consequence-cap = 以最高注额为限
consequence-once-only = 只结算一次
consequence-bet-decision = 裁定投注
consequence-interruption = 中断
consequence-no-effect = 无影响
consequence-decision = 裁定

## 中断之后如何继续

goes-on-nothing = 如同未曾中断
goes-on-start-again = 重新开始
goes-on-resume-or-void = 按时恢复
goes-on-resume-or-void-and-lock = 按时恢复并锁定
goes-on-continue = 继续
goes-on-void = 作废
goes-on-void-unseen = 无人看见，作废
goes-on-attest = 证明
goes-on-attest-and-lock = 证明并锁定
goes-on-wait = 等待
goes-on-complete-entry = 完成输入
goes-on-complete-entry-and-lock = 完成输入并锁定
goes-on-confirm = 确认
goes-on-confirm-and-lock = 确认并锁定
goes-on-finish = 完成赔付
goes-on-finish-and-lock = 完成赔付并锁定
