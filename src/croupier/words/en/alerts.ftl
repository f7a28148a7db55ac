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
alert-clock-ahead = The clock of this machine is { SECONDS($seconds) } ahead of the floor's; times in the journal go on evenly, and a restart never sets them back
alert-clock-behind = The clock of this machine is { SECONDS($seconds) } behind the floor's; times in the journal go on evenly, and a restart never sets them back
alert-crew-fault-dealer = The automatic Dealer stopped: { $error }
alert-crew-fault-device = { $device } stopped: { $error }
alert-crew-fault-examination = The examination of results stopped: { $error }
alert-disk-full = The disk of the database is full: what is open is finished, nothing new begins
alert-durability-weak = The database may lose what is written: { LIST($found) }
alert-schema-changed = The tables of the database are not as they were made: { LIST($found) }
alert-table-stopped-fault = The table takes no commands: { $error }
alert-table-stopped-owned-elsewhere = The table takes no commands here: another machine owns it
