# What things are called.

## This language, as its readers call it, and its tag for browsers

language-name = 简体中文
language-tag = zh-Hans

## A sentence with the clause that says so

cited = { $sentence }({ $clause })
because = { $sentence }：{ $why }
at-row = 第 { $row } 行：{ $what }
at-stream-row = { $stream } 第 { $row } 行：{ $what }
at-stream = { $stream }：{ $what }
full-stop = { $said }。

## Lists

list-between = 、
list-and = 和
list-or = 或
list-several = ；
list-more = { $told }，以及另外 { NUMBER($more) } 项

## Spans of time

span-seconds = { $seconds } 秒

## 赔率，按规则书的写法

odds-to = { $to } 赔 { $odds }

## Betting boxes: $numbers is what stands after the colon in a box's id

box-small = 小
box-big = 大
box-odd = 单
box-even = 双
box-low = 小
box-high = 大
box-red = 红
box-black = 黑
box-green = 绿
box-any-triple = 任意围骰
box-top-line = 顶线
box-single = 单骰 { $numbers }
box-total = 总和 { $numbers }
box-domino = 牌九式 { $numbers }
box-double = 双骰 { $numbers }
box-triple = 围骰 { $numbers }
box-four = 四个号码 { $numbers }
box-three = 三骰组合 { $numbers }
box-pair = 双骰加单骰 { $numbers }
box-straight = 直注 { $numbers }
box-split = 分注 { $numbers }
box-street = 街注 { $numbers }
box-corner = 角注 { $numbers }
box-six-line = 线注 { $numbers }
box-column = 列注 { $numbers }
box-dozen = 打注 { $numbers }

## Roles

role-administrator = 管理员
role-auditor = 审计员
role-cashier = 账房
role-dealer = 荷官
role-device = 设备
role-machine = 机器的命令行
role-pit-manager = 区域经理
role-pit-supervisor = 区域主管
role-seat = 该座位的玩家
role-self = 本人
role-shift-manager = 值班经理
role-system = 赌台系统

## One of a role

one-role-administrator = 管理员
one-role-auditor = 审计员
one-role-cashier = 账房
one-role-dealer = 荷官
one-role-device = 设备
one-role-machine = 机器的命令行
one-role-pit-manager = 区域经理
one-role-pit-supervisor = 区域主管
one-role-seat = 该座位的玩家
one-role-self = 本人
one-role-shift-manager = 值班经理
one-role-system = 赌台系统

## What is checked before a table opens

check-bell-present = 铃
check-change-block = 兑换座
check-dice-checked = 骰子完好
check-dice-set = 摇骰器内三颗完好的骰子
check-display-rack = 展示架
check-equipment = 赌台设备
check-layout-shown = 台面布局
check-limits-displayed = 限额已展示
check-limits-shown = 玩家终端上的限额
check-marker-buttons = 标记钮
check-opening-checks = 赌场主管的检查
check-power-on = 电源
check-seal = 骰子封条
check-table = 赌台
check-terminals-show-layout = 玩家终端上的布局
check-test-runs = 试运行
check-test-tumbler = 摇骰器的测试
check-three-dice = 摇骰器内三颗骰子
check-tumbler = 摇骰器的种类
check-tumbler-attached = 摇骰器已固定
check-tumbler-compartment = 摇骰器的骰室
check-tumbler-cover = 摇骰器的盅盖
check-tumbler-drive = 摇骰器的驱动

## What decides which software runs

software-path = 查找路径
software-options = 选项
software-environment = 环境

## What a device does wrong, after its name

fault-no-shake = 被要求摇骰而没有运转
fault-short-tumble = 摇动不足三次即停
fault-reshake = 再次摇动，或未经要求而摇动
fault-die-leaning = 发现有骰子未平放
fault-die-lost = 未检测到全部三颗骰子
fault-unreadable-die = 无法读取骰子
fault-cover-opened = 在停止下注前失去盅盖
fault-no-ball = 没有可掷的滚珠
fault-failed-launch = 未能掷出滚珠，或称本局无效
fault-wrong-direction = 发现滚珠与轮盘同向
fault-short-spin = 计得不足四圈
fault-ball-removed = 感应不到应在运行的滚珠
fault-wheel-stopped = 在滚珠运行时停转
fault-wheel-not-rotating = 掷珠时没有转动
fault-no-number = 已停而没有号码
fault-direction-kept = 与上一次同向转动
fault-motor-fault = 报告电机故障
fault-stuck-sensor = 的运转应已结束，却不再报告
fault-sensor-or-motor = 报告感应器或电机故障，未说明是哪一个
fault-stuck-key = 有按键卡住
fault-lamp-out = 有灯不亮
fault-power-cut = 运转中断电
fault-late = 报结果过迟，不属于本局
fault-duplicate = 重复报告
fault-contradiction = 报出两个不同结果
fault-out-of-order = 所报与此前不能衔接
fault-unasked = 报告了未要求的内容
fault-garbled = 发来无法读取的内容
fault-paper-low = 纸将用完
fault-paper-out = 缺纸
fault-printer-open = 已打开
fault-printer-fault = 报告故障
fault-offline = 离线
fault-not-begun = 没有开始运转
fault-not-at-rest = 没有停住
fault-not-told = 没有告知所示

## Tests of whether dice and wheels are fair

test-outcomes = 结果
test-faces = 点数
test-runs = 游程
test-serial-correlation = 序列相关

## What a device is asked to do

device-tumble = 摇骰
device-cover = 盖上盅盖
device-uncover = 揭开盅盖
device-launch = 掷出滚珠
device-power-on = 开机
device-power-off = 关机

## Phases of a round: what is so while one lasts

phase-ready = 准备下一局
phase-betting = 正在下注
phase-spinning = 滚珠转动中，仍可下注
phase-closed = 已停止下注
phase-moving = 正在摇骰或滚珠转动中
phase-rest = 骰子或滚珠已停
phase-entering = 正在输入结果
phase-entered = 结果已输入，尚未结算
phase-settling = 正在结算
phase-settled = 已结算
phase-interrupted = 本局中断

## Irregularities, by their ids in the rulebooks; one of another book is called by its id

irregularity-balance-refused = 拒让余额
irregularity-chip-order = 筹码次序
irregularity-short-tumble = 摇动不足
irregularity-exposed-before-close = 停止下注前暴露
irregularity-not-flat = 骰子未平放
irregularity-damaged-dice = 骰子损坏
irregularity-broken-dome-or-dice = 玻璃罩或骰子破裂
irregularity-late-withdrawal = 迟撤回
irregularity-late-bet = 迟下注
irregularity-interruption = 中断
irregularity-terminal-interruption = 终端中断
irregularity-not-covered = 规则未涵盖
irregularity-wrong-display = 显示有误
irregularity-wrong-result-entered = 输入结果有误
irregularity-wrong-result-settled = 按错误结果结算
irregularity-placed-in-error = 误下
irregularity-unclear-chip = 放置不清的筹码
irregularity-moved-chip = 被移动的筹码
irregularity-wrong-direction = 方向错误
irregularity-ball-not-spun = 滚珠未掷
irregularity-short-spin = 圈数不足
irregularity-foreign-object = 异物
irregularity-ball-not-settled = 滚珠未落格
irregularity-ball-out = 滚珠飞出
irregularity-ball-broken = 滚珠破裂
irregularity-wheel-stopped = 轮盘停转
irregularity-wheel-not-rotating = 轮盘未转
irregularity-interference = 干扰
irregularity-power-failure = 停电
irregularity-no-spin = 宣布此局无效(no spin)
irregularity-no-spin-at-rest = 滚珠停住后宣布此局无效(no spin)
irregularity-under-minimum = 低于最低注额
irregularity-over-maximum = 超过最高注额
irregularity-past-error = 前局错误
irregularity-early-bet = 过早下注
irregularity-oral-bet = 口头投注
irregularity-losing-wager-handled = 触碰输注
irregularity-call-bet-misplaced = 口头投注放错
irregularity-tumbler-fault = 摇骰器故障
irregularity-no-tumble = 未摇骰
irregularity-wrong-illumination = 亮灯有误
irregularity-malfunction = 故障
irregularity-tumbled-before-close = 停止下注前摇骰
irregularity-over-differential = 超过最大差额
irregularity-excess-not-rejected = 超额未拒收
irregularity-short-bet = 注额不足
irregularity-short-bet-not-noticed = 未发现的注额不足
irregularity-walked-away = 玩家离台
irregularity-misplaced-on-behalf = 代下放错

## What has a name

thing-bet = 投注
thing-host = 主机
thing-kind-of-alert = 警报类别
thing-person = 人员
thing-seat = 座位
thing-table = 赌台
thing-withdrawal = 撤回

## Tickets by their state

ticket-live = 有效
ticket-redeemed = 已兑换
ticket-paid = 已兑付
ticket-void = 作废
ticket-expired = 已过期
ticket-unknown = 未知

## Scripts

script-latin = 拉丁文
script-greek = 希腊文
script-cyrillic = 西里尔文
script-chinese-or-japanese = 中文或日文
script-hangul = 谚文
script-arabic = 阿拉伯文
script-hebrew = 希伯来文
script-thai = 泰文
script-devanagari = 天城文
script-tamil = 泰米尔文

## Acts at a table

act-BringBook = 交来规则文本
act-CancelPlan = 放弃已计划的规则更换
act-OpenTable = 开台
act-CloseTable = 收台
act-AssignStaff = 安排人员
act-TakeSeat = 安排玩家入座
act-ChooseLayout = 选择布局
act-LeaveSeat = 离座
act-SellCredit = 买入余额
act-PayOut = 兑付余额
act-GiveCredit = 赠予余额
act-RedeemTicket = 兑换票券
act-CashOut = 兑现为票券
act-RepayDebt = 收取欠款
act-TakeUpBook = 启用规则
act-TakeUpPlanned = 启用已计划的规则
act-WriteOffDebt = 注销欠款
act-FillBank = 补充赌台备用金
act-DrainBank = 提取赌台备用金
act-GiveColour = 发出色码
act-TakeBackColour = 收回色码
act-SetLimits = 设定限额
act-SetLayouts = 设定布局
act-OpenBetting = 喊“请下注”
act-PlaceBet = 下注
act-WithdrawBet = 撤回投注
act-RejectExcess = 拒收超额
act-AdviseShort = 提醒玩家注额不足
act-CallNoMoreBets = 喊“停止下注”
act-StartMotion = 启动摇骰器或掷出滚珠
act-EndMotion = 报告骰子或滚珠已停
act-Uncover = 打开盅盖
act-PressKey = 按数字键
act-PressEntry = 按输入键
act-EnterNumber = 输入号码
act-SenseResult = 感应结果
act-DecideResult = 裁定以哪一来源为准
act-AmendResult = 更正已输入的结果
act-ConfirmResult = 确认结果
act-PayWinners = 赔付赢注
act-Report = 报告异常
act-DecideBet = 裁定放置不清或被移动的投注
act-Decide = 裁定规则未涵盖的情况
act-CorrectResult = 更正某局结果
act-VoidRounds = 作废已结束的各局
act-Unlock = 解锁赌台
act-Interrupt = 报告中断
act-InterruptTerminals = 报告终端中断
act-Restore = 报告电力恢复
act-RestoreTerminals = 报告终端恢复
act-Attest = 证明所示结果
act-Approve = 批准请求
act-Decline = 拒绝请求

## Acts at the cage

act-SellTicket = 售出票券
act-PayTicket = 兑付票券
act-VoidTicket = 作废票券
act-ReprintTicket = 重印票券
act-ExpireTicket = 使票券过期
act-PayUnclaimed = 兑付过期票券
act-EmployStaff = 设定账房人员
act-ApproveRequest = 批准请求
act-DeclineRequest = 拒绝请求

## Acts in the office

act-MakeAccount = 建立账户
act-SetRoles = 更改职务
act-RetireAccount = 停用账户
act-NotePassword = 设定密码
act-MakeLink = 制作一次性链接
act-BeginSession = 开始会话
act-NoteFailure = 记录失败的尝试
act-EndSessions = 结束会话
act-AdoptRules = 采用身份规则
act-NameFounders = 指定创始人
act-ConfirmPerson = 确认人员身份
act-NoteAsker = 记录由谁提出
act-RequirePasskeys = 要求通行密钥
act-AddPasskey = 添加通行密钥
act-DropPasskey = 移除通行密钥
act-SignAsking = 签署请求
act-EnrolTerminal = 登记终端
act-RetireTerminal = 停用终端
act-RaiseAlert = 发出警报
act-AcknowledgeAlert = 确认警报

## Whom a route is for

audience-audit = 审计员及任一赌台的监管人员
audience-audit-of-table = 审计员及该台的监管人员
audience-cage = 账房人员
audience-console = 该台的荷官及监管人员
audience-everyone = 所有人
audience-metrics = 赌场的审计员及管理员
audience-office = 管理员
audience-pit = 任一赌台的监管人员
audience-pit-of-table = 该台的监管人员
audience-signed-in = 所有已登录者
## What a database is made of, and who may do something in it

schema-index = 索引
schema-table = 表
schema-trigger = 触发器
schema-view = 视图
grantee-everyone = 所有人

## The way to a server

way-clear = 不加密
way-local = 在本机上
way-tls = TLS
way-tls-unchecked = TLS，但未核对服务器的证书

## Parts of a dispute pack

pack-part-digest = 摘要
pack-part-other = 可能更正该局的行
pack-part-row = 行

account-bank = 赌台备用金
account-bets = 投注
account-cage = 账房
account-house = 庄家
account-receivable = 应收款
account-terminal = 终端
account-ticket = 票券
account-unclaimed = 无人认领款

colour-blue = 蓝色
colour-brown = 棕色
colour-green = 绿色
colour-grey = 灰色
colour-orange = 橙色
colour-pink = 粉色
colour-purple = 紫色
colour-red = 红色
colour-white = 白色
colour-yellow = 黄色

evidence-failed = 失败
evidence-passed = 通过
evidence-prompted = 由提示保证
evidence-skipped = 跳过
evidence-stale = 过时
evidence-waiting = 待证

keeper-people = 人员
keeper-rules = 规则
keeper-screen = 屏幕
keeper-store = 存储
keeper-table = 赌台

place-cage = 账房
place-database = 数据库
place-office = 办公室
