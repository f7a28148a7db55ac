# What checks have found: found-KIND-CASE, with the facts that croupier.rules.findings declares.

## Approval

found-approval-unasked = approves request { $request }, which no passkey of { $person } has signed
found-approval-unsigned = approves request { $request } without a passkey of { $person }

## Checkpoints

found-checkpoints-begin-late = The checkpoints before { $number } are not here; the later ones vouch for the same rows.

## Durability

found-durability-file-system = the file system of { $path } is { $system }
found-durability-file-system-loose = the file system of { $path } is { $system }
found-durability-file-system-unknown = the file system of { $path } is unknown
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

## Pack

found-pack-checkpoint-unsigned = the checkpoint is not signed by this key
found-pack-drawn-by-another = { $file } was written by { $maker }, in other words than { $own } uses; croupier verify --papers writes it again
found-pack-head-unsigned = pack.json is not signed by this key
found-pack-maker-unsigned = the name of the program that made this pack (made_by) is not signed; everything else was checked
found-pack-missing = { $file } is missing
found-pack-other = { $file } does not agree with the rows
found-pack-stray = { $file } does not belong here
found-pack-undrawn = { $file } was not drawn again and compared: that needs { $extra }
found-pack-unjudged = row { $row } was refused because of something that is not in this pack; that was not checked
found-pack-untold = the round cannot be read from it: { $error }

## Receipt

found-receipt-unsigned = the receipt is not signed by this key

## Row

found-row-after-checkpoint = is after the last row of the checkpoint
found-row-answer-not-kept = the answer that is kept for “{ $id }” is not the one of this row
found-row-answer-without-row = an answer to “{ $id }” is kept, but no row gives it, or it was kept too early
found-row-archive-goes-on = missing: the archive goes on with row { $next }
found-row-chain-elsewhere = the chain does not lead to the row that the checkpoint signed
found-row-checkpoint-other = is not the row that a checkpoint signed
found-row-corrects-untold = corrects the round, but is not among its corrections
found-row-cut-off = cut off: a checkpoint has row { $row }
found-row-decided-otherwise = { ACT($act) }: the rulebook decides it differently
found-row-digest-other = { ACT($act) }: the content does not fit its digest
found-row-door = was refused before it was decided, for a reason that does not exist there
found-row-epoch = was written under epoch { $epoch }, after rows of epoch { $before }
found-row-epoch-of-owner = has epoch { $epoch }, but the stream's owner only { $owner }
found-row-extra = does not belong here: one { NAME($what, "pack-part") } too many, or out of order
found-row-filed-otherwise = the command in it is not the one that its columns name
found-row-follows = missing: row { $next } follows
found-row-format = has format { $format }; this program knows { $known }
found-row-hash = does not fit its hash or the row before it
found-row-id-again = “{ $id }” counts a second time, after row { $row }
found-row-lacks = missing: there is no { NAME($what, "pack-part") }
found-row-legs-out-of-order = its transfers are out of order
found-row-legs-without-row = transfers without a row
found-row-loss = is not a valid acceptance of a loss by two people
found-row-missing = missing
found-row-missing-with-all = missing, and all after it
found-row-money = its transfers do not agree with its events
found-row-not-here = missing, or in an archive that is not here
found-row-of-another-stream = is of { $other }, not of { $stream }
found-row-owner = is the last row of a stream with an impossible owner: “{ $owner }”, seen at { $seen }, until { $until }
found-row-resend-same = was refused because its content differs from row { $row }, but it is the same
found-row-resend-unanswered = was refused as a resend, but “{ $id }” was not answered before
found-row-snapshot-other = the snapshot of this row is not the state that it vouches for
found-row-snapshot-without-row = a snapshot without its row
found-row-stands-at = missing: the stream is at row { $row }
found-row-stands-elsewhere = rows were cut off or put in: the stream is at row { $row }
found-row-state-not-kept = the state it vouches for is not kept
found-row-state-other = the state here is not the one it vouches for
found-row-state-unvouched = no checkpoint vouches for the state that the rows here begin with
found-row-unreadable = cannot be read: { $error }
found-row-unreplayable = cannot be replayed
found-row-unreplayable-error = cannot be replayed: { $error }

## Schema

found-schema-check-missing = { $table }: the condition { $check } is missing
found-schema-check-own = { $table }: it has an additional condition: { $check }
found-schema-columns = { GIVEN($columns) ->
    [yes] { $table }: it has other columns: { LIST($columns) }
   *[no] { $table }: its columns are in another order
 }
found-schema-index-missing = { $table }: the index { $index } is missing or different
found-schema-index-off = { $table }: its index { $index } is not active
found-schema-index-own = { $table }: it has an additional index: { $index }
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
found-sign-in-way = the connection to the server: { NAME($way, "way") }
found-sign-in-way-unsafe = the connection to the server: { NAME($way, "way") }

## Software

found-software-compiled-otherwise = { $place } contains other code than its source
found-software-fact-missing = { NAME($of, "software") }: { $value } is missing
found-software-fact-new = { NAME($of, "software") }: { $value } was never approved
found-software-fact-order = { NAME($of, "software") }: the order is not the approved one
found-software-missing = { $place } is missing
found-software-new = { $place } was never approved
found-software-other = { $place } is not the approved file
found-software-uncompared = it cannot be compared with the approved software

## Store

found-store-busy = another program is writing to the database: { $error }
found-store-commit-failed = the commit failed: { $error }
found-store-failed = the database failed: { $error }
found-store-faster = someone was faster: { $error }
found-store-full = the disk of the database is full: { $error }
found-store-in-use = another program is using the database: { $error }
found-store-no-answer = the database does not answer: { $error }
found-store-no-room-to-shrink = the disk has no room for a second copy of the database, which shrinking it takes: { $error }
found-store-other-epoch = { $stream } is not owned under epoch { $epoch } any more
found-store-other-place = { $stream } stands at row { $row }, not at row { $expected }
found-store-owned = { $stream } is owned by { $owner }
found-store-read-elsewhere = another program is reading the database; it shrinks when that program has ended
found-store-refused = the database refused: { $error }
found-store-undone = the server undid the transaction because others were in its way: { $error }

## Stream

found-stream-archived = { $stream }: rows before { $row } are in an archive that is not in { $folder }; they were not checked
found-stream-loss-accepted = { $stream }, row { $row }: rows up to { $reached } were lost, which { $person } and { $second } have accepted, because { $reason }
found-stream-other-row = { $stream }: row { $row } is not the row that was acknowledged
found-stream-shorter = { $stream } ends at row { $ends } but had reached row { $reached }: { $missing } are missing

## Ticket

found-ticket-ended-again = ends ticket { $ticket } a second time
found-ticket-ended-otherwise = ticket { $ticket } ended differently
found-ticket-made-again = makes ticket { $ticket } a second time
found-ticket-made-otherwise = ticket { $ticket } was made differently
found-ticket-never-made = ticket { $ticket } was never made
found-ticket-not-ended-so = ticket { $ticket } did not end in this way
found-ticket-not-kept = ticket { $ticket } is not kept
found-ticket-not-kept-so = ticket { $ticket } is not kept as it was made: { $error }
found-ticket-not-so = says that ticket { $ticket } is { NAME($found, "ticket") }, and it was not
found-ticket-not-worth = ticket { $ticket } does not have this value
found-ticket-paid-late = pays ticket { $ticket } late, although it had not expired
found-ticket-unreadable = the record of tickets cannot be read: { $error }

## Verify

found-verify-no-checkpoints = No signed checkpoints: rows cut off at the end would not be noticed.
found-verify-no-key = { $file } was not checked: there is no public key to check it with (--key).
found-verify-no-row = there is no row in it
found-verify-no-table = There is no table here.
found-verify-unread-place = line { $line } of { $file } cannot be read, so the journal was not compared with it.

## What to do about it: do-KIND-CASE

do-durability-file-system-loose = it must be one on a disk of this machine
do-durability-moved = it must be left where it is while the floor is open
do-durability-no-barriers = it must be mounted without that option
do-durability-overlay-loose = it must be one on a disk of this machine
do-durability-setting-of-role = ALTER ROLE … RESET { $name }
do-durability-standbys-unnamed = name the standbys there: a standby that lags and is promoted lacks acknowledged rows
do-sign-in-owner = sign in as a role that owns nothing: its SET ROLE can be undone, and then every row can be changed
do-sign-in-superuser = sign in as a role that owns nothing: its SET ROLE can be undone, and then every row can be changed
do-sign-in-way-unsafe = add sslmode=verify-full to the address
