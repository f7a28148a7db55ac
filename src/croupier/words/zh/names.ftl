# What things are called.

## A sentence with the clause that says so

cited = { $sentence }({ $clause })
because = { $sentence }：{ $why }

## Lists

list-between = 、
list-and = 和
list-or = 或
list-several = ；
list-more = { $told }，以及另外 { NUMBER($more) } 项

## Spans of time

span-seconds = { $seconds } 秒

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
role-self = 本人
role-shift-manager = 值班经理
role-system = 赌台系统

## What decides which software runs

software-path = 查找路径
software-options = 选项
software-environment = 环境

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
