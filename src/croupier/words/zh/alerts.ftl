# What needs a person's eye: alert-KIND-CASE, with the facts that croupier.rules.alerts declares, and the headings of kinds.

## Headings

alert-heading-device-offline = 设备没有回应
alert-heading-device-slow = 设备迟缓
alert-heading-device-fault = 设备报告故障
alert-heading-device-contradiction = 设备前后矛盾
alert-heading-device-bias = 结果不像公平设备所出
alert-heading-wheel-direction = 轮盘方向未变
alert-heading-wheel-speed = 轮盘转速不符
alert-heading-dealing = 自动开局等待人员处理
alert-heading-crew-fault = 赌台程序停止
alert-heading-table-stopped = 赌台不接受操作
alert-heading-cage-stopped = 账房不接受操作
alert-heading-screen-fault = 有屏幕未能收到消息
alert-heading-ticket-not-printed = 票券可能未打印
alert-heading-clock = 机器时钟不准
alert-heading-checkpoint = 有行未被签名
alert-heading-copies = 检查点未能送达副本
alert-heading-journal = 日志不属实
alert-heading-heads = 未能记住最后写入的内容
alert-heading-durability = 数据库可能丢失已写入的内容
alert-heading-schema = 数据库的表与建立时不符
alert-heading-disk = 数据库的磁盘已满
alert-heading-software = 软件与核准版本不符
alert-heading-credential = 有人使用他人制作的凭证登录
alert-heading-two-people = 一人试图充当两人

## Sentences

alert-cage-stopped-fault = 账房不接受操作：{ $error }
alert-checkpoint-unsigned = 有行未被签名已超过 { SECONDS($seconds) }
alert-checkpoint-unwritten = 无法写入检查点：{ $error }
alert-clock-ahead = 本机时钟比场内时钟快 { SECONDS($seconds) }；日志中的时间均匀推进，重新启动也不会倒退
alert-clock-behind = 本机时钟比场内时钟慢 { SECONDS($seconds) }；日志中的时间均匀推进，重新启动也不会倒退
alert-copies-late = 检查点未能送达 { $place }：{ $error }
alert-credential-lent = { $person } 使用了由 { $maker } 制作的密码或链接登录
alert-crew-fault-dealer = 自动荷官停止：{ $error }
alert-crew-fault-device = { $device } 停止：{ $error }
alert-crew-fault-examination = 结果检验停止：{ $error }
alert-dealing-attest = 第 { $round } 局中断；由两人证明骰子或滚珠所示，或证明无结果可示
alert-dealing-ball = 第 { $round } 局中断；由人员说明滚珠停于何处，或宣布“此局无效”(no spin)
alert-dealing-closed = 第 { $round } 局：赌台未开台；由主管开台
alert-dealing-entry = 第 { $round } 局：已按 { $pressed }，而感应器读出 { $outcome }；由人员完成输入
alert-dealing-in-motion = 第 { $round } 局：骰子或滚珠已滚动 { SECONDS($seconds) }
alert-dealing-interrupted = 第 { $round } 局中断；由人员说明何时可以继续
alert-dealing-locked = 第 { $round } 局：赌台已锁定({ $clause })；须由两人解锁
alert-dealing-no-result = 第 { $round } 局：结果已 { SECONDS($seconds) }没有告知
alert-dealing-not-ready = 第 { $round } 局：设备已 { SECONDS($seconds) }未就绪
alert-dealing-offline = 第 { $round } 局：设备已离线 { SECONDS($seconds) }
alert-dealing-other-machine = 第 { $round } 局：另一台机器将在此继续，已历时 { SECONDS($seconds) }
alert-dealing-refused = 第 { $round } 局：自动荷官的“{ ACT($act) }”被拒绝
alert-dealing-trouble = 第 { $round } 局：{ $device } { NAME($trouble, "fault") }；由人员决定
alert-dealing-unread = 第 { $round } 局：{ $device } { NAME($trouble, "fault") }；由人员读取并输入结果，或说明为何没有结果
alert-dealing-writing = 第 { $round } 局：设备所报的写入已历时 { SECONDS($seconds) }
alert-device-bias-odd = 最近 { NUMBER($results) } 个结果不像公平设备所出：{ NAMES($tests, "test") }
alert-device-contradiction-told = { $device } { NAME($fault, "fault") }
alert-device-fault-asked = 要求 { $device } { NAME($act, "device") }
alert-device-fault-told = { $device } { NAME($fault, "fault") }
alert-device-offline-broker = { $device } 离线；消息代理拒绝连接：{ $error }
alert-device-offline-line = { $device } 离线：{ $line }：{ $error }
alert-device-offline-line-closed = { $device } 离线：{ $line } 关闭了连接
alert-device-offline-no-answer = { $device } 离线：{ $line } 已 { SECONDS($seconds) }没有回应
alert-device-offline-no-broker = { $device } 离线：没有连接到消息代理
alert-device-offline-no-power = { $device } 离线：断电
alert-device-offline-no-status = { $device } 离线：{ $line } 回应 { $answer }，不是打印机的状态
alert-device-offline-silent = { $device } 离线：{ SECONDS($seconds) }内没有可读的内容
alert-device-offline-switched-off = { $device } 离线：已关机
alert-device-offline-unplugged = { $device } 离线：已被拔出
alert-device-slow-not-at-rest = { $device } 已 { SECONDS($seconds) }没有停住
alert-device-slow-not-begun = { $device } 已 { SECONDS($seconds) }没有开始运转
alert-device-slow-not-told = { $device } 已 { SECONDS($seconds) }没有告知所示
alert-disk-full = 数据库的磁盘已满：已开的会结束，不开始新的
alert-durability-weak = 数据库可能丢失已写入的内容：{ LIST($found) }；详情见 croupier doctor
alert-heads-gone = { $place } 已不存在，因此日志未与之比对
alert-heads-unreadable = 此处所记无法读取，因此日志未经比对：{ $place }
alert-heads-unwritable = 无法在 { $place } 中记录：{ $error }
alert-journal-lies = { $lies ->
   *[other] 核验发现 { NUMBER($lies) } 处不属实；第一处：{ $first }
 }
alert-journal-replaced = 日志被截短：{ $stream } 的第 { $reached } 行不是曾答复的那一行；请放回更好的副本，或接受损失
alert-journal-shortened = 日志被截短：{ $stream } 止于第 { $ends } 行，而曾到达第 { $reached } 行；请放回更好的副本，或接受损失
alert-journal-untrue = 磁盘上的内容不属实：{ $lie }
alert-journal-untrue-row = 磁盘上的第 { $row } 行不属实；croupier verify 说明其错误
alert-schema-changed = 数据库的表与建立时不符：{ LIST($found) }；差异见 croupier doctor
alert-screen-fault-failed = 某屏幕的一部分出错：{ $error }，位于 { $place }
alert-software-off = approved 为“off”：无论是否核准，安装的软件都会运行
alert-software-other = { $differences ->
   *[other] 软件与核准版本不符；{ NUMBER($differences) } 处不同，其中有 { NAMES($places, "software") }
 }
alert-software-uncompared = 软件未与核准版本比对
alert-table-stopped-fault = 赌台不接受操作：{ $error }
alert-table-stopped-owned-elsewhere = 本机的赌台不接受操作：它由另一台机器掌管
alert-ticket-not-printed-queue = { $place } 的票券 { $ticket }(金额 { MONEY($amount) })有效，但未打印：另有 { NUMBER($waiting) } 张等待 { $device }；账房可以重印
alert-ticket-not-printed-unprinted = { $place } 的票券 { $ticket }(金额 { MONEY($amount) })有效，但可能未打印；账房可以重印
alert-two-people-refused = { $by } 的一项需要两人的操作被拒绝
alert-wheel-direction-kept = { $device } 与上一次同向转动
alert-wheel-speed-outside = { $device } 每分钟转 { $rate } 圈，庄家要求 { $least } 至 { $most } 圈
