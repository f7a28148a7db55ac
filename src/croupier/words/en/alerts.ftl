# What needs a person's eye: alert-KIND-CASE, with the facts that croupier.rules.alerts declares, and the headings of kinds.

## Headings

alert-heading-device-offline = The device does not answer
alert-heading-device-slow = The device is slow
alert-heading-device-fault = The device reports a fault
alert-heading-device-contradiction = The device contradicts itself
alert-heading-device-bias = The results are not those of fair equipment
alert-heading-wheel-direction = The wheel keeps its direction
alert-heading-wheel-speed = The wheel turns at a wrong speed
alert-heading-dealing = The automatic dealing waits for a person
alert-heading-crew-fault = A program at the table stopped
alert-heading-table-stopped = The table takes no commands
alert-heading-cage-stopped = The cage takes no commands
alert-heading-screen-fault = A screen could not be told what happened
alert-heading-ticket-not-printed = A ticket is perhaps not on paper
alert-heading-clock = The clock of the machine is not right
alert-heading-checkpoint = Rows are not signed
alert-heading-copies = Checkpoints do not reach their copy
alert-heading-journal = The journal is not true
alert-heading-heads = What was on disk last is not remembered
alert-heading-durability = The database may lose what is written
alert-heading-schema = The tables of the database are not as they were made
alert-heading-disk = The disk of the database is full
alert-heading-software = This is not the approved software
alert-heading-credential = Somebody came by what another made
alert-heading-two-people = One person tried to be two

## Sentences

alert-cage-stopped-fault = The cage takes no commands: { $error }
alert-checkpoint-unsigned = Rows have been unsigned for more than { SECONDS($seconds) }
alert-checkpoint-unwritten = Checkpoints cannot be written: { $error }
alert-clock-ahead = The clock of this machine is { SECONDS($seconds) } ahead of the floor's; times in the journal go on evenly, and a restart never sets them back
alert-clock-behind = The clock of this machine is { SECONDS($seconds) } behind the floor's; times in the journal go on evenly, and a restart never sets them back
alert-copies-late = Checkpoints do not reach { $place }: { $error }
alert-credential-lent = { $person } has signed in with a password or link that { $maker } made
alert-crew-fault-dealer = The automatic Dealer stopped: { $error }
alert-crew-fault-device = { $device } stopped: { $error }
alert-crew-fault-examination = The examination of results stopped: { $error }
alert-device-bias-odd = The last { NUMBER($results) } results are not those of fair equipment: { LIST($tests) }
alert-disk-full = The disk of the database is full: what is open is finished, nothing new begins
alert-durability-weak = The database may lose what is written: { LIST($found) }
alert-heads-gone = { $place } is gone, so the journal was not compared with it
alert-heads-unreadable = What was remembered here cannot be read, so the journal was not compared: { $place }
alert-heads-unwritable = Nothing can be noted in { $place }: { $error }
alert-journal-lies = { $lies ->
    [one] Verification found what is not true: { $first }
   *[other] Verification found { NUMBER($lies) } things that are not true; the first: { $first }
 }
alert-journal-replaced = The journal was shortened: { $stream } has another row { $reached } than the one that was answered for; put back a better copy, or accept the loss
alert-journal-shortened = The journal was shortened: { $stream } ends at row { $ends }, and had reached row { $reached }; put back a better copy, or accept the loss
alert-journal-untrue = What is on disk is not true: { $lie }
alert-schema-changed = The tables of the database are not as they were made: { LIST($found) }
alert-screen-fault-failed = A screen's part failed: { $error } in { $place }
alert-software-off = approved is "off": whatever software is installed runs, approved or not
alert-software-other = { $differences ->
    [one] This is not the approved software; one difference: { LIST($places) }
   *[other] This is not the approved software; { NUMBER($differences) } differences, among them { LIST($places) }
 }
alert-software-uncompared = The software was not compared with what was approved
alert-table-stopped-fault = The table takes no commands: { $error }
alert-table-stopped-owned-elsewhere = The table takes no commands here: another machine owns it
alert-two-people-refused = { $by } was refused an act that needs two people
