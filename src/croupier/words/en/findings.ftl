# What checks have found: found-KIND-CASE, with the facts that croupier.rules.findings declares.

## Checkpoints

found-checkpoints-begin-late = The checkpoints before { $number } are not here; the later ones vouch for the same rows.

## Durability

found-durability-file-system = the file system of { $path } is { $system }
found-durability-file-system-loose = the file system of { $path } is { $system }
found-durability-file-system-unknown = what file system { $path } lies on is not known here
found-durability-moved = { $file } is not the file that is open
found-durability-no-barriers = the file system of { $path } is { $system }, mounted with { $option }
found-durability-overlay-loose = the file system of { $path } is an overlay on { $system }
found-durability-setting = { GIVEN($value) ->
    [yes] { $name } is { $value }
   *[no] { $name } is empty
 }
found-durability-setting-loose = { $name } is { $value }, and must be { LIST($needed, "or") }
found-durability-setting-of-role = { $name } is { $value } for this role, database or server, and on in every session of the floor
found-durability-standby = the server is a standby, and must be the primary
found-durability-standbys-unnamed = synchronous_standby_names is empty

## Schema

found-schema-check-missing = { $table }: the condition { $check } is missing
found-schema-check-own = { $table }: it has a condition of its own: { $check }
found-schema-columns = { GIVEN($columns) ->
    [yes] { $table }: its columns are others: { LIST($columns) }
   *[no] { $table }: its columns are in another order
 }
found-schema-index-missing = { $table }: the index { $index } is missing or another
found-schema-index-off = { $table }: its index { $index } is not in force
found-schema-index-own = { $table }: it has an index of its own: { $index }
found-schema-key = { GIVEN($key) ->
    [yes] { $table }: its primary key is ({ LIST($key) }) and must be ({ LIST($needed) })
   *[no] { $table }: it has no primary key, and must have ({ LIST($needed) })
 }
found-schema-missing = { $table }: there is no such table
found-schema-not-plain = { $table }: it is not a plain table
found-schema-other = { $name }: the { NAME($what, "schema") } is not as this program makes it
found-schema-own = { $what ->
    [table] { $name }: this table was not made by this program
   *[other] { $name }: this { NAME($what, "schema") } on { $table } was not made by this program
 }
found-schema-part = { $table }: another table is part of it: { $other }
found-schema-part-of-another = { $table }: it is part of another table
found-schema-right = { $table }: { NAME($role, "grantee") } may { $right }
found-schema-row-security = { $table }: row-level security hides rows of it
found-schema-rule = { $table }: it has a rule: { $name }
found-schema-trigger = { $table }: it has a trigger: { $name }
found-schema-unlogged = { $table }: it is not logged, and empty after a crash

## Sign in

found-sign-in-owner = the role is { $role }, the owner of the tables
found-sign-in-plain = the role is { $role }, a role that owns nothing
found-sign-in-superuser = the role is { $role }, a superuser
found-sign-in-way = the way to the server is { NAME($way, "way") }
found-sign-in-way-unsafe = the way to the server is { NAME($way, "way") }

## Software

found-software-compiled-otherwise = { $place } holds other code than its source
found-software-fact-missing = { NAME($of, "software") }: { $value } is missing
found-software-fact-new = { NAME($of, "software") }: { $value } was never approved
found-software-fact-order = { NAME($of, "software") }: the order is not the approved one
found-software-missing = { $place } is missing
found-software-new = { $place } was never approved
found-software-other = { $place } is not the approved one
found-software-uncompared = it cannot be compared with what was approved

## What to do about it: do-KIND-CASE

do-durability-file-system-loose = it must be one on a disk of this machine
do-durability-moved = it must be left where it is while the floor is open
do-durability-no-barriers = it must be mounted without that option
do-durability-overlay-loose = it must be one on a disk of this machine
do-durability-setting-of-role = ALTER ROLE … RESET { $name }
do-durability-standbys-unnamed = name the standbys there: one that lags and is promoted lacks what was acknowledged
do-sign-in-owner = sign in as a role that owns nothing: its SET ROLE can be undone, and then every row can be changed
do-sign-in-superuser = sign in as a role that owns nothing: its SET ROLE can be undone, and then every row can be changed
do-sign-in-way-unsafe = add sslmode=verify-full to the address
