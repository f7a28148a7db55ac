# What somebody did: did-ACT, with the facts that croupier.rules.command_facts declares.

## At a table

did-AdviseShort = { NAME($by, "giver") } 就投注 { $bet } 提醒玩家
did-AmendResult = { NAME($by, "giver") } 更正为 { $outcome }
did-Approve = { NAME($by, "giver") } 批准请求 { $request }({ $digest })
did-AssignStaff = { NAME($by, "giver") } 安排 { $person } 担任：{ ROLES($roles) }
did-Attest = { NAME($by, "giver") } 证明{ GIVEN($shown) ->
    [yes] 所示为 { LIST($shown) }
   *[no] 没有显示结果
 }
did-BringBook = { NAME($by, "giver") } 将一份规则文本交到赌台
did-CallNoMoreBets = { NAME($by, "giver") } 喊“停止下注”{ GIVEN($allowed_by) ->
    [yes] { "" }，批准人 { $allowed_by }
   *[no] { "" }
 }
did-CancelPlan = { NAME($by, "giver") } 放弃已计划的规则更换，原因：{ $reason }
did-CashOut = { NAME($by, "giver") } 将 { MONEY($amount) } 兑现为票券 { $ticket }，有效期至 { MOMENT($expires) }，座位 { $seat }
did-ChooseLayout = { NAME($by, "giver") } 选用布局 { $layout }，座位 { $seat }
did-CloseTable = { NAME($by, "giver") } 收台
did-ConfirmResult = { NAME($by, "giver") } 确认
did-CorrectResult = { NAME($by, "giver") } 将第 { $round } 局更正为 { $outcome }，原因：{ $reason }
did-Decide = { NAME($by, "giver") } 裁定{ $treatment ->
    [void] 本局作废
    [return] 退还投注 { LIST($bets) }
   *[result] 按结果 { $outcome } 结算
 }{ GIVEN($reason) ->
    [yes] { "" }，原因：{ NAME($reason, "noted") }
   *[no] { "" }
 }
did-DecideBet = { NAME($by, "giver") } 裁定{ $treatment ->
    [stand] 投注 { $bet } 按所在位置有效
    [move] 将投注 { $bet } 移到 { BOX($box) }
   *[return] 退还投注 { $bet }
 }，原因：{ $reason }
did-DecideResult = { NAME($by, "giver") } 裁定结果为 { $outcome }，原因：{ $reason }
did-Decline = { NAME($by, "giver") } 拒绝请求 { $request }
did-DrainBank = { NAME($by, "giver") } 提取赌台备用金 { MONEY($amount) }
did-EndMotion = { NAME($by, "giver") } 计数 { $count }
did-EnterNumber = { NAME($by, "giver") } 输入号码 { $number }
did-FillBank = { NAME($by, "giver") } 补充赌台备用金 { MONEY($amount) }
did-GiveColour = { NAME($by, "giver") } 发给 { $seat } { NAME($colour, "colour") }色码，每枚 { MONEY($value) }
did-GiveCredit = { NAME($by, "giver") } 赠予 { $seat } 余额 { MONEY($amount) }，原因：{ $reason }
did-Interrupt = { NAME($by, "giver") } 报告中断：{ NAME($part, "part") }
did-InterruptTerminals = { NAME($by, "giver") } 报告终端 { LIST($seats) } 中断{ GIVEN($lost) ->
    [yes] { "" }，未登记：{ LIST($lost) }
   *[no] { "" }
 }
did-LeaveSeat = { NAME($by, "giver") } 离座，座位 { $seat }
did-OpenBetting = { NAME($by, "giver") } 喊“请下注”
did-OpenTable = { NAME($by, "giver") } 开台{ GIVEN($unchecked) ->
    [yes] { "" }，未完成检查：{ LIST($unchecked) }
   *[no] { "" }
 }
did-PayOut = { NAME($by, "giver") } 向 { $seat } 兑付余额 { MONEY($amount) }
did-PayWinners = { NAME($by, "giver") } 赔付
did-PlaceBet = { NAME($by, "giver") } 下注 { MONEY($stake) } 于 { BOX($box) }，座位 { $seat }{ $colour_chips ->
    [0] { "" }
   *[other] ，色码 { NUMBER($colour_chips) } 枚
 }，第 { $round } 局，编号 { $id }
did-PressEntry = { NAME($by, "giver") } 按输入键
did-PressKey = { NAME($by, "giver") } 按 { $face }
did-RedeemTicket = { NAME($by, "giver") } 兑换票券 { $ticket }，金额 { MONEY($amount) }，有效期至 { MOMENT($expires) }，状态 { NAME($found, "ticket") }，座位 { $seat }
did-RejectExcess = { NAME($by, "giver") } 拒收投注 { $bet } 中的 { MONEY($amount) }
did-RepayDebt = { NAME($by, "giver") } 收取 { $seat } 所欠的 { MONEY($amount) }
did-Report = { NAME($by, "giver") } 报告异常“{ NAME($irregularity, "irregularity") }”{ GIVEN($bet) ->
    [yes] { "" }，投注 { $bet }
   *[no] { "" }
 }{ GIVEN($seat) ->
    [yes] { "" }，玩家 { $seat }
   *[no] { "" }
 }{ GIVEN($note) ->
    [yes] { "" }，说明：{ NAME($note, "noted") }
   *[no] { "" }
 }
did-Restore = { NAME($by, "giver") } 报告电力恢复
did-RestoreTerminals = { NAME($by, "giver") } 报告终端 { LIST($seats) } 恢复
did-SellCredit = { NAME($by, "giver") } 为 { $seat } 买入余额 { MONEY($amount) }
did-SenseResult = { NAME($by, "giver") } 感应到 { $outcome }
did-SetLayouts = { NAME($by, "giver") } 设定布局 { LIST($layouts) }
did-SetLimits = { NAME($by, "giver") } 设定限额 { LIST($limits) }
did-StartMotion = { NAME($by, "giver") } { $order ->
    [wheel] 掷出滚珠
   *[other] 启动摇骰器
 }{ GIVEN($with_wheel) ->
    [yes] { "" }(滚珠与轮盘同向)
   *[no] { "" }
 }
did-TakeBackColour = { NAME($by, "giver") } 收回 { $seat } 的色码
did-TakeSeat = { NAME($by, "giver") } 安排 { $seat } 入座，布局 { $layout }
did-TakeUpBook = { NAME($by, "giver") } 启用规则 { $id }（哈希 { $book }），取代 { $old }{ LIST($not_before) }{ LIST($limits) }{ LIST($layouts) }{ LIST($alternatives) }
did-TakeUpPlanned = { NAME($by, "giver") } 启用已计划的规则
did-Uncover = { NAME($by, "giver") } 打开盅盖
did-Unlock = { NAME($by, "giver") } 解锁赌台，原因：{ $reason }
did-VoidRounds = { NAME($by, "giver") } 因“{ NAME($irregularity, "irregularity") }”作废第 { LIST($rounds) } 局，原因：{ $reason }
did-WithdrawBet = { NAME($by, "giver") } 撤回投注 { $bet } 中的 { MONEY($amount) }，编号 { $id }
did-WriteOffDebt = { NAME($by, "giver") } 注销 { $seat } 所欠的 { MONEY($amount) }，原因：{ $reason }

## At the cage

did-ApproveRequest = { NAME($by, "giver") } 批准请求 { $request }({ $digest })
did-DeclineRequest = { NAME($by, "giver") } 拒绝请求 { $request }
did-EmployStaff = { NAME($by, "giver") } 设定账房人员 { $person }{ GIVEN($roles) ->
    [yes] { "" }，职务：{ ROLES($roles) }
   *[no] { "" }
 }
did-ExpireTicket = { NAME($by, "giver") } 使票券 { $ticket }(金额 { MONEY($amount) })过期
did-PayTicket = { NAME($by, "giver") } 兑付票券 { $ticket }，金额 { MONEY($amount) }
did-PayUnclaimed = { NAME($by, "giver") } 兑付过期票券 { $ticket }(金额 { MONEY($amount) })，原因：{ $reason }
did-ReprintTicket = { NAME($by, "giver") } 重印票券 { $ticket }(金额 { MONEY($amount) })，原因：{ $reason }
did-SellTicket = { NAME($by, "giver") } 售出票券 { $ticket }，金额 { MONEY($amount) }
did-VoidTicket = { NAME($by, "giver") } 作废票券 { $ticket }(金额 { MONEY($amount) }){ GIVEN($replacement) ->
    [yes] { "" }，换发为 { $replacement }
   *[no] { "" }
 }，原因：{ $reason }

## In the office

did-AcknowledgeAlert = { NAME($by, "giver") } 确认警报 { $alert }{ GIVEN($note) ->
    [yes] { "" }：{ $note }
   *[no] { "" }
 }
did-AddPasskey = { NAME($by, "giver") } 添加 { $person } 的通行密钥
did-AdoptRules = { NAME($by, "giver") } 使第 { $rules } 版人员规则生效
did-BeginSession = { NAME($by, "giver") } 开始 { $person } 的会话，来自 { $where }
did-ConfirmPerson = { NAME($by, "giver") } 确认 { $person }
did-DropPasskey = { NAME($by, "giver") } 移除 { $person } 的通行密钥
did-EndSessions = { NAME($by, "giver") } 结束 { $person } 的会话：{ NAME($how, "ending") }
did-EnrolTerminal = { NAME($by, "giver") } 为 { $table } 座位 { $seat } 登记终端
did-MakeAccount = { NAME($by, "giver") } 为 { $person } 建立账户{ GIVEN($roles) ->
    [yes] { "" }，职务：{ ROLES($roles) }
   *[no] { "" }
 }
did-MakeLink = { NAME($by, "giver") } 为 { $person } 制作一次性链接
did-NameFounders = { NAME($by, "giver") } 指定 { LIST($people) } 为创始人
did-NoteAsker = { NAME($by, "giver") } 记录 { $person } 在 { NAME($place, "place") } 提出请求 { $request }
did-NoteFailure = { NAME($by, "giver") } 记录 { $person } 来自 { $where } 的 { NUMBER($times) } 次登录失败：{ NAME($why, "failure") }
did-NotePassword = { NAME($by, "giver") } 设定 { $person } 的新密码
did-RaiseAlert = { NAME($by, "giver") } 发出警报“{ NAME($kind, "alert-heading") }”{ GIVEN($table) ->
    [yes] { "" }，赌台 { $table }
   *[no] { "" }
 }
did-RequirePasskeys = { NAME($by, "giver") } 要求危险操作须以通行密钥签署
did-RetireAccount = { NAME($by, "giver") } 停用 { $person } 的账户，原因：{ $reason }
did-RetireTerminal = { NAME($by, "giver") } 停用 { $table } 座位 { $seat } 的终端，原因：{ $reason }
did-SetRoles = { NAME($by, "giver") } 更改 { $person } 的职务{ GIVEN($roles) ->
    [yes] 为：{ ROLES($roles) }
   *[no] 为：无
 }
did-SignAsking = { NAME($by, "giver") } 签署在 { NAME($place, "place") } 提出的请求 { $request }

## What a limit is

limit-unit = 筹码单位 { MONEY($amount) }
limit-minimum = { GIVEN($box) ->
    [yes] 最低 { BOX($box) } { MONEY($amount) }
   *[no] 最低 { MONEY($amount) }
 }
limit-maximum = { GIVEN($box) ->
    [yes] 最高 { BOX($box) } { MONEY($amount) }
   *[no] 最高 { MONEY($amount) }
 }
limit-differential = 最大差额 { MONEY($amount) }

## A bet that was not registered

lost-bet = { $seat } { MONEY($stake) } 于 { BOX($box) }

## Who did it, where it was no person

giver-system = 赌台系统

## What failed

part-server = 服务器
part-console = 荷官控制台
part-device = 摇骰器或轮盘

## Why a session ended

ending-logout = 已登出
ending-everywhere = 已在各处登出
ending-idle = 长时间未使用
ending-expired = 已到期
ending-retired = 账户已停用
ending-password = 已换新密码
ending-crowded = 会话过多

## Why somebody was not let in

failure-wrong = 密码错误
failure-unknown = 没有这个姓名
failure-locked = 须等候
failure-retired = 账户已停用
failure-no-password = 尚无密码

## What a device told, as the reason that a person confirmed; what people wrote themselves stays as it is

noted-no-shake = 骰子没有摇动
noted-short-tumble = 摇骰不足三次
noted-reshake = 骰子再次摇动
noted-die-leaning = 有骰子没有平放
noted-die-lost = 未检测到全部三颗骰子
noted-cover-opened = 停止下注前盅盖已开
noted-no-ball = 没有可掷的滚珠
noted-failed-launch = 未能掷出滚珠
noted-wrong-direction = 滚珠与轮盘同向
noted-short-spin = 不足四圈
noted-ball-removed = 感应不到滚珠
noted-wheel-stopped = 滚珠运转时轮盘停转
noted-wheel-not-rotating = 轮盘没有转动
noted-no-number = 停止后没有号码
noted-motor-fault = 电机故障
noted-stuck-sensor = 感应器不再报告
noted-sensor-or-motor = 感应器或电机故障
noted-stuck-key = 按键卡住
noted-lamp-out = 灯不亮
noted-power-cut = 运转中断电
term-alternatives = ，裁定 { LIST($rulings) } 按其另一读法
term-layouts = ，布局 { LIST($layouts) }
term-limits = ，限额 { LIST($limits) }
term-not-before = ，不早于 { MOMENT($since) }
