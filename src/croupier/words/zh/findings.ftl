# What checks have found: found-KIND-CASE, with the facts that croupier.rules.findings declares.

## Checkpoints

found-checkpoints-begin-late = 检查点 { $number } 之前的不在此处；其后的同样为这些行作证。

## Durability

found-durability-file-system = { $path } 的文件系统为 { $system }
found-durability-file-system-loose = { $path } 的文件系统为 { $system }
found-durability-file-system-unknown = 此处无法得知 { $path } 所在的文件系统
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

## Schema

found-schema-check-missing = { $table }：缺少条件 { $check }
found-schema-check-own = { $table }：另有自己的条件：{ $check }
found-schema-columns = { GIVEN($columns) ->
    [yes] { $table }：列不同：{ LIST($columns) }
   *[no] { $table }：列的次序不同
 }
found-schema-index-missing = { $table }：索引 { $index } 缺少或不同
found-schema-index-off = { $table }：其索引 { $index } 未生效
found-schema-index-own = { $table }：另有自己的索引：{ $index }
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
found-sign-in-way = 通往服务器的路径：{ NAME($way, "way") }
found-sign-in-way-unsafe = 通往服务器的路径：{ NAME($way, "way") }

## Software

found-software-compiled-otherwise = { $place } 中的代码与其源文件不同
found-software-fact-missing = { NAME($of, "software") }：缺少 { $value }
found-software-fact-new = { NAME($of, "software") }：{ $value } 从未核准
found-software-fact-order = { NAME($of, "software") }：次序与核准的不同
found-software-missing = 缺少 { $place }
found-software-new = { $place } 从未核准
found-software-other = { $place } 不是核准的那个
found-software-uncompared = 无法与核准的软件对照

## What to do about it: do-KIND-CASE

do-durability-file-system-loose = 须为本机磁盘上的文件系统
do-durability-moved = 赌场开启期间须留在原处
do-durability-no-barriers = 挂载时不得带有该选项
do-durability-overlay-loose = 须为本机磁盘上的文件系统
do-durability-setting-of-role = ALTER ROLE … RESET { $name }
do-durability-standbys-unnamed = 请在那里写明备用机：落后而被升为主机的备用机会缺少已确认的内容
do-sign-in-owner = 请以不拥有任何对象的角色登录：它的 SET ROLE 可以撤销，此后每一行都可更改
do-sign-in-superuser = 请以不拥有任何对象的角色登录：它的 SET ROLE 可以撤销，此后每一行都可更改
do-sign-in-way-unsafe = 请在地址中加上 sslmode=verify-full
