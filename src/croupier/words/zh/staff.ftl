# What the pages of the staff share.

## Staff

staff-lobby = 大厅
staff-console = 荷官控制台
staff-pit = 区域管理
staff-cashier = 账房
staff-audit = 审计
staff-display = 显示屏
staff-office = 办公室
staff-lab = 实验室
staff-settings = 设置
staff-signIn = 登录
staff-signInTo = 登录{ $page }
staff-signInWhy = 每一项操作都以操作者本人的名义记录。
staff-name = 姓名
staff-password = 密码
staff-signingIn = 正在登录……
staff-signOut = 退出登录
staff-ownPassword = 您的密码
staff-passwordBefore = 当前密码
staff-passwordNew = 新密码
staff-ownPasswordHint = 请选择他人不知道的密码。设定后须重新登录。
staff-setOwnPassword = 设定您的密码
staff-passkeys = 您的通行密钥：{ $count }
staff-passkeyHint = 您作为两人之一所请求或批准的操作，由您自己的设备签署。
staff-addPasskey = 添加通行密钥
staff-noPasskey = 此设备未能生成通行密钥。
staff-standsLent = 您使用他人制作的密码或链接登录。在请求或批准须两人办理的操作之前，请先在设置中设定自己的密码。
staff-standsUnconfirmed = 尚无人确认您是 { $person }。请向认识您的人出示代码 { $code }；他们在区域管理或办公室确认。
staff-confirmations = 待确认
staff-confirmHint = 只确认在您面前的人，且其屏幕须显示此代码。
staff-vouchedBy = 已同意：{ $people }
staff-confirm = 确认
staff-signOutEverywhere = 在所有设备上退出
staff-signedInAs = 已登录：{ $person }
staff-elsewhere = { $person } 不能使用此页面。请换人登录，或前往您自己的页面。
staff-login = 姓名或密码有误。
staff-lockedOut = 尝试次数过多，请稍后再试。
staff-toLobby = 返回大厅
staff-pages = 您的页面
staff-lost = 连接已断开。所示内容可能已过时；恢复之前无法操作。
staff-connecting = 正在连接赌场……
staff-refused = 您无权查看。
staff-silent = 赌场没有回应，正在重新询问……
staff-unknown = 赌场没有回应。是否已执行尚不清楚：再次操作前请先查看。
staff-refusal = 未执行
staff-done = 已完成
staff-cancel = 取消
staff-close = 关闭
staff-table = 赌台
staff-round = 第 { $round } 局
staff-clause = 条款 { $clause }
staff-state_open = 已开台
staff-state_closed = 未开台
staff-state_locked = 已锁定
staff-state_interrupted = 中断
staff-state_standing-still = 暂停待裁决
staff-state_stopped = 已停止
staff-phase_ready = 准备下一局
staff-phase_betting = 正在下注
staff-phase_spinning = 滚珠转动中，仍可下注
staff-phase_closed = 已停止下注
staff-phase_moving_dice = 正在摇骰
staff-phase_moving_wheel = 滚珠转动中，已停止下注
staff-phase_rest_dice = 骰子已停
staff-phase_rest_wheel = 滚珠已停
staff-phase_entering = 正在输入结果
staff-phase_entered = 结果已输入，尚未结算
staff-phase_settling = 正在结算
staff-phase_interrupted = 中断：投注保留
staff-electronic = 电子
staff-live = 真人
staff-minimum = 最低
staff-maximum = 最高
staff-differential = 最大差额
staff-unit = 筹码单位
staff-allBoxes = 所有投注格
staff-none = 无
staff-void = 作废
staff-voidBy = 按条款 { $clause } 作废
staff-seconds = { $seconds } 秒

## Effects

effects-lock = 按条款 { $clause } 锁定赌台，直到两人解锁。
effects-collected = 收取
effects-winnings = 赔付赢款
effects-returned = 退还注额
effects-owed = 形成欠款
effects-told = 告知玩家
effects-player = 玩家
effects-box = 投注格
effects-stake = 注额
effects-before = 此前所得
effects-gets = 应得
effects-nothing = 没有款项变动。

## Requests

requests-from = { $person } 提出
requests-until = 剩余 { $seconds } 秒
requests-approve = 批准
requests-decline = 拒绝
requests-own = 须由另一位人员同意。
requests-notYours = 您的级别不能批准此项，须由另一位人员同意。
requests-reportedBy = 由 { $person } 报告；本局暂停
requests-device = { $device } 的报告与之不符：
requests-began = 按时开始
requests-count = 计数 { $count }
requests-read = 读得 { $outcome }
requests-void = 本局作废
requests-goesOn = 本局继续
requests-notDecided = 由未作报告的主管裁决。

## Why a table takes no commands

stopped-away = 数据库没有回应；在其恢复之前不接受任何操作，已登记的投注安全
stopped-full = 磁盘已满：已开的局会结束，不再开始新的
stopped-unsafe = 不再开始新的，因为数据库可能丢失数据或已被更改：{ LIST($found) }
stands-still = { NAME($place, "place") }：{ $why }
stopped-elsewhere = 由另一台机器掌管
stopped-fault = 因故障停止：{ $error }
stopped-replaced = 日志中 { $stream } 的第 { $reached } 行不是已确认的那一行
stopped-shortened = { $stream } 的日志止于第 { $ends } 行，而曾到达第 { $reached } 行

# 更换规则会带来的变化。

change-after = 之后
change-alternativesLost = 赌场不能再选择另一读法的裁定：{ $rulings }
change-ask = 请求启用
change-before = 之前
change-box = 投注
change-cancel = 放弃计划
change-clause = 条款
change-correction = 同一文本的更正编码
change-differences = { $count } 处差异
change-edge = 优势
change-gone = 布局 { $layout } 不再提供：{ $boxes }
change-hour = 自 { $hour } 起生效
change-nextPause = 下一次两局之间
change-noLayout = 现展示的布局均不再有。其布局为：{ $known }
change-none = 没有变化。
change-notBefore = 不早于（按本设备时间）
change-planned = 已计划 { $book }：{ $one } 提出，{ $other } 同意。自 { $time } 起于两局之间启用。
change-version = 另一版本
change-versionOf = 第 { $version } 版
change-was = 自第 { $round } 局起：{ $book }，{ $old } → { $new }，{ $time }：{ $one } 提出，{ $other } 同意
change-why = 原因
change-part_announcement = 报结果
change-part_boxes = 投注格
change-part_calls = 口令
change-part_clauses = 条款
change-part_felt = 台面
change-part_identity = 标识
change-part_interruption = 中断
change-part_irregularities = 异常
change-part_layouts = 布局
change-part_limits = 限额规则
change-part_odds = 赔率
change-part_order_of_play = 进行次序
change-part_prompts = 人员职责
change-part_readings = 读法
change-part_titles = 职称
