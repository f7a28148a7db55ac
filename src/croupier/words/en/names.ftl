# What things are called.

## A sentence with the clause that says so

cited = { $sentence } ({ $clause })
because = { $sentence }: { $why }

## Lists

list-between = ,{ " " }
list-and = { " " }and{ " " }
list-or = { " " }or{ " " }
list-several = ;{ " " }
list-more = { $told }, and { NUMBER($more) } more

## Spans of time

span-seconds = { $seconds } s

## Betting boxes: $numbers is what stands after the colon in a box's id

box-small = Small
box-big = Big
box-odd = Odd
box-even = Even
box-low = Low
box-high = High
box-red = Red
box-black = Black
box-green = Green
box-any-triple = Any Triple
box-top-line = Top Line
box-single = Single { $numbers }
box-total = Total { $numbers }
box-domino = Domino { $numbers }
box-double = Double { $numbers }
box-triple = Triple { $numbers }
box-four = Four Numbers { $numbers }
box-three = Three Dice { $numbers }
box-pair = Double and Single { $numbers }
box-straight = Straight Up { $numbers }
box-split = Split { $numbers }
box-street = Street { $numbers }
box-corner = Corner { $numbers }
box-six-line = Six Line { $numbers }
box-column = Column { $numbers }
box-dozen = Dozen { $numbers }

## Roles

role-administrator = Administrator
role-auditor = Auditor
role-cashier = Cashier
role-dealer = Dealer
role-device = device
role-machine = the command line of the machine
role-pit-manager = Pit Manager
role-pit-supervisor = Pit Supervisor
role-self = the person themself
role-shift-manager = Shift Manager
role-system = the floor's own software

## What decides which software runs

software-path = path
software-options = options
software-environment = environment

## Tickets by their state

ticket-live = live
ticket-redeemed = redeemed
ticket-paid = paid
ticket-void = void
ticket-expired = expired
ticket-unknown = unknown

## Scripts

script-latin = Latin
script-greek = Greek
script-cyrillic = Cyrillic
script-chinese-or-japanese = Chinese or Japanese
script-hangul = Hangul
script-arabic = Arabic
script-hebrew = Hebrew
script-thai = Thai
script-devanagari = Devanagari
script-tamil = Tamil

## Acts at the cage

act-SellTicket = selling a ticket
act-PayTicket = paying a ticket
act-VoidTicket = voiding a ticket
act-ReprintTicket = reprinting a ticket
act-ExpireTicket = letting a ticket expire
act-PayUnclaimed = paying an expired ticket
act-EmployStaff = employing staff
act-ApproveRequest = approving a request
act-DeclineRequest = declining a request

## Acts in the office

act-MakeAccount = making an account
act-SetRoles = setting roles
act-RetireAccount = retiring an account
act-NotePassword = setting a password
act-MakeLink = making a one-time link
act-BeginSession = beginning a session
act-NoteFailure = noting a failed try
act-EndSessions = ending sessions
act-AdoptRules = adopting the rules of who is who
act-NameFounders = naming the founders
act-ConfirmPerson = confirming a person
act-NoteAsker = noting who asked
act-RequirePasskeys = requiring passkeys
act-AddPasskey = adding a passkey
act-DropPasskey = taking away a passkey
act-SignAsking = signing a request
act-EnrolTerminal = enrolling a terminal
act-RetireTerminal = retiring a terminal
act-RaiseAlert = raising an alert
act-AcknowledgeAlert = acknowledging an alert
