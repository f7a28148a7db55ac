# What a Player must be told: notice-KIND-CASE, with the facts that croupier.protocol.notices declares.

notice-book-boxes-gone = 布局 { $layout } 不再提供：{ BOXES($boxes) }
notice-book-layout-gone = 您的布局不再提供；此座位现用布局 { $layout }
notice-book-taken-up = 自第 { $round } 局起，本台按 { $book } 进行。您的余额不变
notice-corrected-again-gain = { $owed ->
    [0] 第 { $round } 局按结果 { $outcome } 重新结算，原因：{ $reason }：您得到 { MONEY($amount) }
   *[other] 第 { $round } 局按结果 { $outcome } 重新结算，原因：{ $reason }：您得到 { MONEY($amount) }；其中 { MONEY($owed) } 为欠款
 }
notice-corrected-again-loss = { $owed ->
    [0] 第 { $round } 局按结果 { $outcome } 重新结算，原因：{ $reason }：{ MONEY($amount) } 归还庄家
   *[other] 第 { $round } 局按结果 { $outcome } 重新结算，原因：{ $reason }：{ MONEY($amount) } 归还庄家；您仍欠其中的 { MONEY($owed) }
 }
notice-corrected-again-same = { $owed ->
    [0] 第 { $round } 局按结果 { $outcome } 重新结算，原因：{ $reason }：对您没有影响
   *[other] 第 { $round } 局按结果 { $outcome } 重新结算，原因：{ $reason }：对您没有影响；其中 { MONEY($owed) } 为欠款
 }
notice-corrected-void-gain = { $owed ->
    [0] 第 { $round } 局作废，原因：{ $reason }：您得到 { MONEY($amount) }
   *[other] 第 { $round } 局作废，原因：{ $reason }：您得到 { MONEY($amount) }；其中 { MONEY($owed) } 为欠款
 }
notice-corrected-void-loss = { $owed ->
    [0] 第 { $round } 局作废，原因：{ $reason }：{ MONEY($amount) } 归还庄家
   *[other] 第 { $round } 局作废，原因：{ $reason }：{ MONEY($amount) } 归还庄家；您仍欠其中的 { MONEY($owed) }
 }
notice-corrected-void-same = { $owed ->
    [0] 第 { $round } 局作废，原因：{ $reason }：对您没有影响
   *[other] 第 { $round } 局作废，原因：{ $reason }：对您没有影响；其中 { MONEY($owed) } 为欠款
 }
notice-cut-out-of-action = { GIVEN($box) ->
    [yes] 您在 { BOX($box) } 的注额中有 { MONEY($amount) } 不计输赢，已退还
   *[no] 您的注额中有 { MONEY($amount) } 不计输赢，已退还
 }
notice-decided-move = 您的投注改按 { BOX($box) } 计算输赢，原因：{ $reason }
notice-decided-return = 您在 { BOX($box) } 的投注 { MONEY($amount) } 已退还，原因：{ $reason }
notice-decided-stand = 您在 { BOX($box) } 的投注有效，原因：{ $reason }
notice-decided-terminal-failed = 您在 { BOX($box) } 的投注 { MONEY($amount) } 已退还，因终端在停止下注前发生故障
notice-interrupted-terminal = 此终端曾中断；其已登记的投注照常有效
notice-loss-records = 本台第 { $row } 号及之前的部分记录已丢失；已登记的投注或余额可能缺失，请与工作人员联系
notice-rejected-over-limit = { GIVEN($box) ->
    [yes] 您在 { BOX($box) } 的注额中有 { MONEY($amount) } 超出限额，已退还
   *[no] 您的注额中有 { MONEY($amount) } 超出限额，已退还
 }
notice-short-under-minimum = { GIVEN($box) ->
    [yes] 您在 { BOX($box) } 的投注低于最低注额 { MONEY($minimum) }
   *[no] 您有一项投注低于最低注额 { MONEY($minimum) }
 }
notice-void-round = 第 { $round } 局作废：您的注额 { MONEY($amount) } 已退还
