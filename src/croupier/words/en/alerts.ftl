# What needs a person's eye: alert-KIND-CASE, with the facts that croupier.rules.alerts declares, and the headings of kinds.

## Headings

alert-heading-device-offline = The device does not answer
alert-heading-device-slow = The device is slow
alert-heading-device-fault = The device reports a fault
alert-heading-device-contradiction = The device contradicts itself
alert-heading-device-bias = The results are unlikely for fair equipment
alert-heading-wheel-direction = The wheel did not change its direction
alert-heading-wheel-speed = The wheel turns at the wrong speed
alert-heading-dealing = The automatic dealing waits for a person
alert-heading-crew-fault = A program at the table stopped
alert-heading-table-stopped = The table takes no commands
alert-heading-cage-stopped = The cage takes no commands
alert-heading-screen-fault = A screen was not updated
alert-heading-ticket-not-printed = A ticket is perhaps not printed
alert-heading-clock = The clock of this machine is wrong
alert-heading-checkpoint = Rows are not signed
alert-heading-copies = Checkpoints do not reach their copy
alert-heading-journal = The journal is not true
alert-heading-heads = The last rows are not remembered
alert-heading-durability = The database may lose data
alert-heading-schema = The tables of the database were changed
alert-heading-disk = The disk of the database is full
alert-heading-software = This is not the approved software
alert-heading-credential = Somebody signed in with what another made
alert-heading-two-people = One person tried to act as two

## Sentences

alert-cage-stopped-fault = The cage takes no commands: { $error }
alert-checkpoint-unsigned = Rows have been unsigned for more than { SECONDS($seconds) }
alert-checkpoint-unwritten = Checkpoints cannot be written: { $error }
alert-clock-ahead = The clock of this machine is { SECONDS($seconds) } ahead of the floor's clock; times in the journal still go forward only, also after a restart
alert-clock-behind = The clock of this machine is { SECONDS($seconds) } behind the floor's clock; times in the journal still go forward only, also after a restart
alert-copies-late = Checkpoints do not reach { $place }: { $error }
alert-credential-lent = { $person } has signed in with a password or link that { $maker } made
alert-crew-fault-dealer = The automatic Dealer stopped: { $error }
alert-crew-fault-device = { $device } stopped: { $error }
alert-crew-fault-examination = The examination of results stopped: { $error }
alert-dealing-attest = Round { $round } is interrupted; two people must attest what the dice or the ball show, or that nothing can be shown
alert-dealing-ball = Round { $round } is interrupted; a person must report where the ball came to rest, or that there was no spin
alert-dealing-closed = Round { $round }: the table is closed; a supervisor must open it
alert-dealing-entry = Round { $round }: { $pressed } was pressed and the sensor read { $outcome }; a person must complete the entry
alert-dealing-in-motion = Round { $round }: the dice or the ball have been in motion for { SECONDS($seconds) }
alert-dealing-interrupted = Round { $round } is interrupted; a person must say when it can go on
alert-dealing-locked = Round { $round }: the table is locked ({ $clause }); two people must unlock it
alert-dealing-no-result = Round { $round }: the device has given no result for { SECONDS($seconds) }
alert-dealing-not-ready = Round { $round }: the device has not been ready for { SECONDS($seconds) }
alert-dealing-offline = Round { $round }: the device has been offline for { SECONDS($seconds) }
alert-dealing-other-machine = Round { $round }: the table has been waiting for another machine for { SECONDS($seconds) }
alert-dealing-refused = Round { $round }: the table refused an act of the automatic Dealer: { ACT($act) }
alert-dealing-standstill = Round { $round } stands still: a report and the device disagree; a supervisor must decide
alert-dealing-trouble = Round { $round }: { $device } { NAME($trouble, "fault") }; a person must decide
alert-dealing-unread = Round { $round }: { $device } { NAME($trouble, "fault") }; a person must read and enter the result, or report why there is none
alert-dealing-writing = Round { $round }: a report of the device has been waiting to be written for { SECONDS($seconds) }
alert-device-bias-odd = The last { NUMBER($results) } results are unlikely for fair equipment: { NAMES($tests, "test") }
alert-device-contradiction-told = { $device } { NAME($fault, "fault") }
alert-device-fault-asked = { $device } was asked to { NAME($act, "device") }
alert-device-fault-told = { $device } { NAME($fault, "fault") }
alert-device-offline-broker = { $device } is offline; the broker refused the connection: { $error }
alert-device-offline-line = { $device } is offline: { $line }: { $error }
alert-device-offline-line-closed = { $device } is offline: { $line } closed the connection
alert-device-offline-no-answer = { $device } is offline: no answer from { $line } for { SECONDS($seconds) }
alert-device-offline-no-broker = { $device } is offline: no connection to the broker
alert-device-offline-no-power = { $device } is offline: its power failed
alert-device-offline-no-status = { $device } is offline: { $line } answered { $answer }, which is not the status of a printer
alert-device-offline-silent = { $device } is offline: no readable line for { SECONDS($seconds) }
alert-device-offline-switched-off = { $device } is offline: it was switched off
alert-device-offline-unplugged = { $device } is offline: it was unplugged
alert-device-slow-not-at-rest = { $device } has not come to rest for { SECONDS($seconds) }
alert-device-slow-not-begun = { $device } has not begun to move for { SECONDS($seconds) }
alert-device-slow-not-told = { $device } has not reported what it shows for { SECONDS($seconds) }
alert-disk-full = The disk of the database is full: open rounds are finished, nothing new begins
alert-durability-weak = The database may lose data: { LIST($found) }; run croupier doctor for details
alert-heads-gone = { $place } is gone, so the journal could not be compared with it
alert-heads-unreadable = The last rows that this machine remembers cannot be read, so the journal was not compared: { $place }
alert-heads-unwritable = { $place } cannot be written: { $error }
alert-journal-lies = { $lies ->
    [one] Verification found one thing that is not true; the verification of the audit page names it
   *[other] Verification found { NUMBER($lies) } things that are not true; the verification of the audit page names them
 }
alert-journal-replaced = The journal was shortened: row { $reached } of { $stream } is not the row that was acknowledged; restore a better copy, or accept the loss
alert-journal-shortened = The journal was shortened: { $stream } ends at row { $ends } but had reached row { $reached }; restore a better copy, or accept the loss
alert-journal-untrue = The journal on disk is not true: { $lie }
alert-journal-untrue-row = Row { $row } on disk is not true; run croupier verify for details
alert-schema-changed = The tables of the database were changed: { LIST($found) }; run croupier doctor for details
alert-screen-fault-failed = A part of a screen failed: { $error } in { $place }
alert-software-off = approved is "off": any installed software runs, approved or not
alert-software-other = { $differences ->
    [one] This is not the approved software; one difference: { NAMES($places, "software") }
   *[other] This is not the approved software; { NUMBER($differences) } differences, among them { NAMES($places, "software") }
 }
alert-software-uncompared = The software was not compared with the approved software
alert-table-stopped-fault = The table takes no commands: { $error }
alert-table-stopped-owned-elsewhere = This machine takes no commands for the table: another machine owns it
alert-ticket-not-printed-queue = Ticket { $ticket } of { MONEY($amount) } from { $place } is valid but not printed: { NUMBER($waiting) } others wait for { $device }; the cage can reprint it
alert-ticket-not-printed-unprinted = Ticket { $ticket } of { MONEY($amount) } from { $place } is valid but perhaps not printed; the cage can reprint it
alert-two-people-refused = { $by } was refused an act that needs two people
alert-wheel-direction-kept = { $device } turned in the same direction as in the spin before
alert-wheel-speed-outside = { $device } turns { $rate } times a minute; the House requires { $least } to { $most }
