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
alert-dealing-attest = Round { $round } is interrupted; two people attest what the dice or the ball show, or that nothing does
alert-dealing-ball = Round { $round } is interrupted; a person says where the ball came to rest, or that there was no spin
alert-dealing-closed = Round { $round }: the table is closed; a supervisor opens it
alert-dealing-entry = Round { $round }: { $pressed } was pressed and the sensor read { $outcome }; a person completes the entry
alert-dealing-in-motion = Round { $round }: the dice or the ball have been in motion for { SECONDS($seconds) }
alert-dealing-interrupted = Round { $round } is interrupted; a person says when it can go on
alert-dealing-locked = Round { $round }: the table is locked ({ $clause }); two people unlock it
alert-dealing-no-result = Round { $round }: the result has not been told for { SECONDS($seconds) }
alert-dealing-not-ready = Round { $round }: the device has not been ready for { SECONDS($seconds) }
alert-dealing-offline = Round { $round }: the device has been offline for { SECONDS($seconds) }
alert-dealing-other-machine = Round { $round }: for { SECONDS($seconds) } another machine has been about to go on here
alert-dealing-refused = Round { $round }: the automatic Dealer was refused "{ ACT($act) }"
alert-dealing-trouble = Round { $round }: { $device } { NAME($trouble, "fault") }; a person decides
alert-dealing-unread = Round { $round }: { $device } { NAME($trouble, "fault") }; a person reads and enters the result, or says why there is none
alert-dealing-writing = Round { $round }: what the device told has been being written for { SECONDS($seconds) }
alert-device-bias-odd = The last { NUMBER($results) } results are not those of fair equipment: { NAMES($tests, "test") }
alert-device-contradiction-told = { $device } { NAME($fault, "fault") }
alert-device-fault-asked = { $device } was asked to { NAME($act, "device") }
alert-device-fault-told = { $device } { NAME($fault, "fault") }
alert-device-offline-broker = { $device } is offline; the broker refused the connection: { $error }
alert-device-offline-line = { $device } is offline: { $line }: { $error }
alert-device-offline-line-closed = { $device } is offline: { $line } closed the connection
alert-device-offline-no-answer = { $device } is offline: no answer from { $line } for { SECONDS($seconds) }
alert-device-offline-no-broker = { $device } is offline: no connection to the broker
alert-device-offline-no-power = { $device } is offline: its power failed
alert-device-offline-no-status = { $device } is offline: { $line } answered { $answer }, which is no printer's status
alert-device-offline-silent = { $device } is offline: no readable line for { SECONDS($seconds) }
alert-device-offline-switched-off = { $device } is offline: it was switched off
alert-device-offline-unplugged = { $device } is offline: it was unplugged
alert-device-slow-not-at-rest = { $device } has not come to rest for { SECONDS($seconds) }
alert-device-slow-not-begun = { $device } has not begun to move for { SECONDS($seconds) }
alert-device-slow-not-told = { $device } has not told what it shows for { SECONDS($seconds) }
alert-disk-full = The disk of the database is full: what is open is finished, nothing new begins
alert-durability-weak = The database may lose what is written: { LIST($found) }; croupier doctor says more
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
alert-journal-untrue-row = Row { $row } on disk is not true; croupier verify says what is wrong with it
alert-schema-changed = Tables of the database are not as they were made: { LIST($found) }; croupier doctor says what differs
alert-screen-fault-failed = A screen's part failed: { $error } in { $place }
alert-software-off = approved is "off": whatever software is installed runs, approved or not
alert-software-other = { $differences ->
    [one] This is not the approved software; one difference: { NAMES($places, "software") }
   *[other] This is not the approved software; { NUMBER($differences) } differences, among them { NAMES($places, "software") }
 }
alert-software-uncompared = The software was not compared with what was approved
alert-table-stopped-fault = The table takes no commands: { $error }
alert-table-stopped-owned-elsewhere = The table takes no commands here: another machine owns it
alert-ticket-not-printed-queue = Ticket { $ticket } of { MONEY($amount) } from { $place } is valid, but not on paper: { NUMBER($waiting) } others wait for { $device }; the cage can reprint it
alert-ticket-not-printed-unprinted = Ticket { $ticket } of { MONEY($amount) } from { $place } is valid, but perhaps not on paper; the cage can reprint it
alert-two-people-refused = { $by } was refused an act that needs two people
alert-wheel-direction-kept = { $device } turned in the same direction as in the spin before
alert-wheel-speed-outside = { $device } turns { $rate } times a minute, and the House asks for { $least } to { $most }
