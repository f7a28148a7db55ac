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
alert-heading-screen-fault = 有屏幕未更新
alert-heading-ticket-not-printed = 票券可能未打印
alert-heading-clock = 机器时钟不准
alert-heading-checkpoint = 有行未被签名
alert-heading-copies = 检查点未能送达副本
alert-heading-journal = 日志不属实
alert-heading-heads = 未能记住最后的行
alert-heading-durability = 数据库可能丢失数据
alert-heading-schema = 数据库的表已被更改
alert-heading-disk = 数据库的磁盘已满
alert-heading-software = 软件与核准版本不符
alert-heading-credential = 有人以他人制作的密码或链接登录
alert-heading-two-people = 一人试图充当两人

## Sentences

alert-cage-stopped-fault = 账房不接受操作：{ $error }
alert-checkpoint-unsigned = 有行未被签名已超过 { SECONDS($seconds) }
alert-checkpoint-unwritten = 无法写入检查点：{ $error }
alert-clock-ahead = 本机时钟比场内时钟快 { SECONDS($seconds) }；日志中的时间仍只会向前，重新启动后也是如此
alert-clock-behind = 本机时钟比场内时钟慢 { SECONDS($seconds) }；日志中的时间仍只会向前，重新启动后也是如此
alert-copies-late = 检查点未能送达 { $place }：{ $error }
alert-credential-lent = { $person } 使用了由 { $maker } 制作的密码或链接登录
alert-crew-fault-dealer = 自动荷官停止：{ $error }
alert-crew-fault-device = { $device } 停止：{ $error }
alert-crew-fault-examination = 结果检验停止：{ $error }
alert-dealing-attest = 第 { $round } 局中断；须由两人证明骰子或滚珠所示，或证明无结果可示
alert-dealing-ball = 第 { $round } 局中断；须由人员报告滚珠停于何处，或报告此局无效(no spin)
alert-dealing-closed = 第 { $round } 局：赌台未开台；须由主管开台
alert-dealing-entry = 第 { $round } 局：已按 { $pressed }，而感应器读出 { $outcome }；须由人员完成输入
alert-dealing-in-motion = 第 { $round } 局：骰子或滚珠已滚动 { SECONDS($seconds) }
alert-dealing-interrupted = 第 { $round } 局中断；须由人员说明何时可以继续
alert-dealing-locked = 第 { $round } 局：赌台已锁定({ $clause })；须由两人解锁
alert-dealing-no-result = 第 { $round } 局：设备已 { SECONDS($seconds) }没有报告结果
alert-dealing-not-ready = 第 { $round } 局：设备已 { SECONDS($seconds) }未就绪
alert-dealing-offline = 第 { $round } 局：设备已离线 { SECONDS($seconds) }
alert-dealing-other-machine = 第 { $round } 局：赌台等待另一台机器接管已 { SECONDS($seconds) }
alert-dealing-refused = 第 { $round } 局：赌台拒绝了自动荷官的操作：{ ACT($act) }
alert-dealing-standstill = 第 { $round } 局暂停：报告与设备不符，须由主管裁决
alert-dealing-trouble = 第 { $round } 局：{ $device } { NAME($trouble, "fault") }；须由人员决定
alert-dealing-unread = 第 { $round } 局：{ $device } { NAME($trouble, "fault") }；须由人员读取并输入结果，或报告为何没有结果
alert-dealing-writing = 第 { $round } 局：设备的报告等待写入已 { SECONDS($seconds) }
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
alert-device-slow-not-told = { $device } 已 { SECONDS($seconds) }没有报告所示结果
alert-disk-full = 数据库的磁盘已满：已开的局会结束，不再开始新的
alert-durability-weak = 数据库可能丢失数据：{ LIST($found) }；详情请运行 croupier doctor
alert-heads-gone = { $place } 已不存在，因此日志未能与之比对
alert-heads-unreadable = 本机记住的最后各行无法读取，因此日志未经比对：{ $place }
alert-heads-unwritable = 无法写入 { $place }：{ $error }
alert-journal-lies = { $lies ->
   *[other] 核验发现 { NUMBER($lies) } 处不属实；详见审计页面的核验
 }
alert-journal-replaced = 日志被截短：{ $stream } 的第 { $reached } 行不是已确认的那一行；请放回更好的副本，或接受损失
alert-journal-shortened = 日志被截短：{ $stream } 止于第 { $ends } 行，而曾到达第 { $reached } 行；请放回更好的副本，或接受损失
alert-journal-untrue = 磁盘上的日志不属实：{ $lie }
alert-journal-untrue-row = 磁盘上的第 { $row } 行不属实；详情请运行 croupier verify
alert-schema-changed = 数据库的表已被更改：{ LIST($found) }；详情请运行 croupier doctor
alert-screen-fault-failed = 屏幕的一部分出错：{ $error }，位于 { $place }
alert-software-off = approved 为“off”：无论是否核准，所安装的任何软件都会运行
alert-software-other = { $differences ->
   *[other] 软件与核准版本不符；{ NUMBER($differences) } 处不同，其中有 { NAMES($places, "software") }
 }
alert-software-uncompared = 软件未与核准版本比对
alert-table-stopped-fault = 赌台不接受操作：{ $error }
alert-table-stopped-owned-elsewhere = 本机不接受此台的操作：它由另一台机器掌管
alert-ticket-not-printed-queue = { $place } 的票券 { $ticket }(金额 { MONEY($amount) })有效，但未打印：另有 { NUMBER($waiting) } 张等待 { $device }；账房可以重印
alert-ticket-not-printed-unprinted = { $place } 的票券 { $ticket }(金额 { MONEY($amount) })有效，但可能未打印；账房可以重印
alert-two-people-refused = { $by } 请求一项须两人办理的操作，被拒绝
alert-wheel-direction-kept = { $device } 与上一次同向转动
alert-wheel-speed-outside = { $device } 每分钟转 { $rate } 圈，庄家要求 { $least } 至 { $most } 圈
