# 款项为何变动：算式。

sum-cash = { MONEY($amount) } { $event ->
    [CreditSold] 购入余额
    [CreditPaidOut] 余额付出
    [CreditGiven] 赠予余额
    [TicketRedeemed] 票券转为余额
    [TicketIssued] 余额转为票券
    [DebtRepaid] 偿还欠款
    [DebtWrittenOff] 核销欠款
    [BankFilled] 转入赌台备用金
   *[other] 由赌台备用金转出
 }
sum-corrected = { MONEY($amount) } = 现为 { MONEY($after) } − 原为 { MONEY($before) }{ $owed ->
    [0] { "" }
   *[other] ；其中欠付 { MONEY($owed) }
 }
sum-cut = 退还 { MONEY($amount) }：{ MONEY($stake) } × { $part }/{ $of } = { MONEY($action) } 按比例计算输赢；{ $limit }
sum-cut-minimum = 退还 { MONEY($amount) }：{ MONEY($stake) } 按比例将低于最低注额，故以最低注额 { MONEY($action) } 计算输赢；{ $limit }
sum-cut-rounded = 退还 { MONEY($amount) }：{ MONEY($stake) } × { $part }/{ $of }，向下取整，= { MONEY($action) } 按比例计算输赢；{ $limit }
sum-decided = 按裁定退还 { MONEY($amount) }
sum-limit-differential = 上限 { MONEY($most) } = { BOX($other) } 的 { MONEY($lighter) } + 最大差额 { MONEY($differential) }
sum-limit-maximum = 上限为最高注额 { MONEY($maximum) }
sum-lost = 输 { MONEY($amount) }
sum-lost-limited = 输 { MONEY($amount) }（依 { $price }）；{ $limit }
sum-over-maximum = 退还 { MONEY($amount) }：{ MONEY($stake) } − { MONEY($maximum) } 超过最高注额
sum-placed = { MONEY($amount) } 下注于 { BOX($box) }
sum-placed-chips = { MONEY($amount) } = { NUMBER($chips) } 枚 × { MONEY($value) } 下注于 { BOX($box) }
sum-plays-exempt = { MONEY($stake) } 低于最低注额 { MONEY($minimum) }，全额计算输赢
sum-plays-maximum = { MONEY($stake) } 中以最高注额 { MONEY($maximum) } 计算输赢
sum-plays-once = { MONEY($stake) } 低于最低注额 { MONEY($minimum) }：仅此一次结算，此前未曾使用
sum-rejected = 拒收 { MONEY($amount) }：{ BOX($box) } 上的 { MONEY($total) } − { MONEY($most) } 超出；{ $limit }
sum-stake = 随赢注退还注额 { MONEY($amount) }
sum-used-once = 退还 { MONEY($amount) }：{ MONEY($stake) } 低于最低注额 { MONEY($minimum) }，仅一次的机会此前已用
sum-void = 退还 { MONEY($amount) }：本局依 { $void } 作废
sum-withdrawn = 撤回 { MONEY($amount) }：{ MONEY($stake) } − { MONEY($amount) } = { MONEY($left) }
sum-won = 赢得 { MONEY($amount) } = { MONEY($action) } × { $to } 赔 { $odds }
sum-won-limited = 赢得 { MONEY($amount) } = { MONEY($action) } × { $to } 赔 { $odds }（依 { $price }）；{ $limit }
