# The headings of alerts.

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
alert-heading-software = This is not the approved software
alert-heading-credential = Somebody came by what another made
alert-heading-two-people = One person tried to be two
