# What checks have found: found-KIND-CASE, with the facts that croupier.rules.findings declares.

## Approval

found-approval-unasked = 批准了请求 { $request }，而 { $person } 的通行密钥并未签署它
found-approval-unsigned = 批准请求 { $request } 时没有 { $person } 的通行密钥

## Checkpoints

found-checkpoints-begin-late = 检查点 { $number } 之前的不在此处；其后的检查点同样证明这些行。

## Durability

found-durability-file-system = { $path } 的文件系统为 { $system }
found-durability-file-system-loose = { $path } 的文件系统为 { $system }
found-durability-file-system-unknown = { $path } 的文件系统未知
found-durability-moved = { $file } 不是已打开的那个文件
found-durability-no-barriers = { $path } 的文件系统为 { $system }，挂载时带有 { $option }
found-durability-overlay-loose = { $path } 的文件系统为叠加在 { $system } 上的 overlay
found-durability-setting = { GIVEN($value) ->
    [yes] { $name } 为 { $value }
   *[no] { $name } 为空
 }
found-durability-setting-loose = { $name } 为 { $value }，须为 { LIST($needed, "or") }
found-durability-setting-of-role = 此角色、数据库或服务器的 { $name } 为 { $value }，而赌场的每个会话中为 on
found-durability-standby = 服务器是备用机，须为主机
found-durability-standbys-unnamed = synchronous_standby_names 为空

## Pack

found-pack-checkpoint-unsigned = 检查点没有此密钥的签名
found-pack-drawn-by-another = { $file } 由 { $maker } 写成，措辞与 { $own } 不同；croupier verify --papers 可重新写出
found-pack-head-unsigned = pack.json 没有此密钥的签名
found-pack-maker-unsigned = 制作此包的程序名称（made_by）没有签名；其余均已核对
found-pack-missing = 缺少 { $file }
found-pack-other = { $file } 与各行不符
found-pack-stray = { $file } 不属于此处
found-pack-undrawn = { $file } 没有重新绘制和比较：这需要 { $extra }
found-pack-unjudged = 第 { $row } 行因此包中没有的内容而被拒绝；此点未核对
found-pack-untold = 无法由此读出该局：{ $error }

## Receipt

found-receipt-unsigned = 收据没有此密钥的签名

## Row

found-row-after-checkpoint = 在检查点的最后一行之后
found-row-answer-not-kept = 所保存的对“{ $id }”的答复不是此行的答复
found-row-answer-without-row = 保存有对“{ $id }”的答复，但没有给出它的行，或保存得过早
found-row-archive-goes-on = 缺失：归档从第 { $next } 行继续
found-row-chain-elsewhere = 链没有通向检查点所签署的行
found-row-checkpoint-other = 不是检查点所签署的行
found-row-corrects-untold = 更正了该局，却不在其更正之列
found-row-cut-off = 被截断：有检查点含第 { $row } 行
found-row-decided-otherwise = { ACT($act) }：规则书的判定不同
found-row-digest-other = { ACT($act) }：内容与其摘要不符
found-row-door = 在裁定之前被拒绝，而那里没有这样的原因
found-row-epoch = 写于第 { $epoch } 代，却在第 { $before } 代的行之后
found-row-epoch-of-owner = 为第 { $epoch } 代，而日志流的持有者只到第 { $owner } 代
found-row-extra = 不属于此处：{ NAME($what, "pack-part") }多了一个，或次序不对
found-row-filed-otherwise = 其中的命令不是各列所称的命令
found-row-follows = 缺失：其后是第 { $next } 行
found-row-format = 格式为 { $format }；本程序只知道 { $known }
found-row-hash = 与其哈希或前一行不符
found-row-id-again = “{ $id }”在第 { $row } 行之后又计一次
found-row-lacks = 缺失：没有{ NAME($what, "pack-part") }
found-row-legs-out-of-order = 其转账次序不对
found-row-legs-without-row = 有转账而没有行
found-row-loss = 不是由两人作出的有效的损失接受
found-row-missing = 缺失
found-row-missing-with-all = 缺失，其后的也全部缺失
found-row-money = 其转账与其事件不符
found-row-not-here = 缺失，或在不在此处的归档中
found-row-of-another-stream = 属于 { $other }，不属于 { $stream }
found-row-owner = 是日志流的最后一行，而其持有者不可能如此：“{ $owner }”，见于 { $seen }，至 { $until }
found-row-resend-same = 因内容与第 { $row } 行不同而被拒绝，但内容其实相同
found-row-resend-unanswered = 因重发而被拒绝，但此前并未答复过“{ $id }”
found-row-snapshot-other = 此行的快照不是它所证明的状态
found-row-snapshot-without-row = 有快照而没有其行
found-row-stands-at = 缺失：日志流在第 { $row } 行
found-row-stands-elsewhere = 有行被截断或插入：日志流在第 { $row } 行
found-row-state-not-kept = 它所证明的状态没有保存
found-row-state-other = 此处的状态不是它所证明的
found-row-state-unvouched = 没有检查点证明此处各行开始时的状态
found-row-unreadable = 无法读取：{ $error }
found-row-unreplayable = 无法重演
found-row-unreplayable-error = 无法重演：{ $error }

## Schema

found-schema-check-missing = { $table }：缺少条件 { $check }
found-schema-check-own = { $table }：另有条件：{ $check }
found-schema-columns = { GIVEN($columns) ->
    [yes] { $table }：列不同：{ LIST($columns) }
   *[no] { $table }：列的次序不同
 }
found-schema-index-missing = { $table }：索引 { $index } 缺少或不同
found-schema-index-off = { $table }：其索引 { $index } 未生效
found-schema-index-own = { $table }：另有索引：{ $index }
found-schema-key = { GIVEN($key) ->
    [yes] { $table }：主键为 ({ LIST($key) })，须为 ({ LIST($needed) })
   *[no] { $table }：没有主键，须为 ({ LIST($needed) })
 }
found-schema-missing = { $table }：没有此表
found-schema-not-plain = { $table }：不是普通的表
found-schema-other = { $name }：此{ NAME($what, "schema") }与本程序所建不同
found-schema-own = { $what ->
    [table] { $name }：此表不是本程序所建
   *[other] { $name }：{ $table } 上的此{ NAME($what, "schema") }不是本程序所建
 }
found-schema-part = { $table }：另一张表是它的一部分：{ $other }
found-schema-part-of-another = { $table }：它是另一张表的一部分
found-schema-right = { $table }：{ NAME($role, "grantee") } 可以 { $right }
found-schema-row-security = { $table }：行级安全隐藏了其中的行
found-schema-rule = { $table }：有规则：{ $name }
found-schema-trigger = { $table }：有触发器：{ $name }
found-schema-unlogged = { $table }：不写日志，崩溃后为空

## Sign in

found-sign-in-owner = 角色为 { $role }，表的所有者
found-sign-in-plain = 角色为 { $role }，不拥有任何对象
found-sign-in-superuser = 角色为 { $role }，超级用户
found-sign-in-way = 与服务器的连接：{ NAME($way, "way") }
found-sign-in-way-unsafe = 与服务器的连接：{ NAME($way, "way") }

## Software

found-software-compiled-otherwise = { $place } 中的代码与其源文件不同
found-software-fact-missing = { NAME($of, "software") }：缺少 { $value }
found-software-fact-new = { NAME($of, "software") }：{ $value } 从未核准
found-software-fact-order = { NAME($of, "software") }：次序与核准的不同
found-software-missing = 缺少 { $place }
found-software-new = { $place } 从未核准
found-software-other = { $place } 不是核准的文件
found-software-uncompared = 无法与核准的软件对照

## Store

found-store-busy = 另一程序正在写入数据库：{ $error }
found-store-commit-failed = 提交失败：{ $error }
found-store-failed = 数据库出错：{ $error }
found-store-faster = 已有他人抢先：{ $error }
found-store-full = 数据库所在磁盘已满：{ $error }
found-store-in-use = 另一程序正在使用数据库：{ $error }
found-store-no-answer = 数据库没有应答：{ $error }
found-store-no-room-to-shrink = 压缩数据库需要另存一份，而磁盘没有空间：{ $error }
found-store-other-epoch = { $stream } 第 { $epoch } 代的持有权已结束
found-store-other-place = { $stream } 停在第 { $row } 行，而不是第 { $expected } 行
found-store-owned = { $stream } 由 { $owner } 持有
found-store-read-elsewhere = 另一程序正在读取数据库；该程序结束后数据库才会缩小
found-store-refused = 数据库拒绝：{ $error }
found-store-undone = 事务与其他事务冲突，服务器已将其撤销：{ $error }

## Stream

found-stream-archived = { $stream }：第 { $row } 行之前的行在归档中，而归档不在 { $folder } 中；未核对
found-stream-loss-accepted = { $stream } 第 { $row } 行：至第 { $reached } 行的内容已丢失，{ $person } 和 { $second } 已接受，原因：{ $reason }
found-stream-other-row = { $stream } 的第 { $row } 行不是已确认的那一行
found-stream-shorter = { $stream } 止于第 { $ends } 行，而曾到达第 { $reached } 行：缺少 { $missing } 行

## Ticket

found-ticket-ended-again = 第二次了结票券 { $ticket }
found-ticket-ended-otherwise = 票券 { $ticket } 以另一方式了结
found-ticket-made-again = 第二次发出票券 { $ticket }
found-ticket-made-otherwise = 票券 { $ticket } 以另一方式发出
found-ticket-never-made = 票券 { $ticket } 从未发出
found-ticket-not-ended-so = 票券 { $ticket } 并非如此了结
found-ticket-not-kept = 票券 { $ticket } 没有保存
found-ticket-not-kept-so = 票券 { $ticket } 没有按发出时的样子保存：{ $error }
found-ticket-not-so = 称票券 { $ticket } 的状态为“{ NAME($found, "ticket") }”，而并非如此
found-ticket-not-worth = 票券 { $ticket } 没有这样的价值
found-ticket-paid-late = 逾期兑付票券 { $ticket }，但它并未过期
found-ticket-unreadable = 无法读取所保存的票券：{ $error }

## Verify

found-verify-no-checkpoints = 没有签署的检查点：末尾若被截断，不会被发现。
found-verify-no-key = 没有核对 { $file }：没有用以核对的公钥（--key）。
found-verify-no-row = 其中没有任何行
found-verify-no-table = 此处没有赌台。
found-verify-unread-place = { $file } 第 { $line } 行无法读取，故日志未与其比较。

## What to do about it: do-KIND-CASE

do-durability-file-system-loose = 须为本机磁盘上的文件系统
do-durability-moved = 赌场开启期间须留在原处
do-durability-no-barriers = 挂载时不得带有该选项
do-durability-overlay-loose = 须为本机磁盘上的文件系统
do-durability-setting-of-role = ALTER ROLE … RESET { $name }
do-durability-standbys-unnamed = 请在那里写明备用机：落后而被升为主机的备用机会缺少已确认的行
do-sign-in-owner = 请以不拥有任何对象的角色登录：它的 SET ROLE 可以撤销，此后每一行都可更改
do-sign-in-superuser = 请以不拥有任何对象的角色登录：它的 SET ROLE 可以撤销，此后每一行都可更改
do-sign-in-way-unsafe = 请在地址中加上 sslmode=verify-full
