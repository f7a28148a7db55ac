# What things are called.

## This language, as its readers call it, and its tag for browsers

language-name = English
language-tag = en

## A sentence with the clause that says so

cited = { $sentence } ({ $clause })
because = { $sentence }: { $why }
at-row = row { $row }: { $what }
at-stream-row = { $stream }, row { $row }: { $what }
at-stream = { $stream }: { $what }
full-stop = { $said }.

## Lists

list-between = ,{ " " }
list-and = { " " }and{ " " }
list-or = { " " }or{ " " }
list-several = ;{ " " }
list-more = { $told }, and { NUMBER($more) } more

## Spans of time

span-seconds = { $seconds } s

## Odds, as the books print them

odds-to = { $odds } to { $to }

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
role-seat = the Player of the seat
role-self = the person themself
role-shift-manager = Shift Manager
role-system = the floor's own software

## One of a role

one-role-administrator = an Administrator
one-role-auditor = an Auditor
one-role-cashier = a Cashier
one-role-dealer = a Dealer
one-role-device = a device
one-role-machine = the command line of the machine
one-role-pit-manager = a Pit Manager
one-role-pit-supervisor = a Pit Supervisor
one-role-seat = the Player of the seat
one-role-self = the person themself
one-role-shift-manager = a Shift Manager
one-role-system = the floor's own software

## What is checked before a table opens

check-bell-present = the bell
check-change-block = the change block
check-dice-checked = the dice are undamaged
check-dice-set = three undamaged dice in the tumbler
check-display-rack = the display rack
check-equipment = the equipment of the table
check-layout-shown = the layout on the table
check-limits-displayed = the limits are displayed
check-limits-shown = the limits on the Player Terminals
check-marker-buttons = the marker buttons
check-opening-checks = the checks of the casino supervisor
check-power-on = the power
check-seal = the seal of the dice
check-table = the table itself
check-terminals-show-layout = the layout on the Player Terminals
check-test-runs = the test runs
check-test-tumbler = the test of the tumbler
check-three-dice = three dice in the tumbler
check-tumbler = the kind of the tumbler
check-tumbler-attached = the tumbler is attached
check-tumbler-compartment = the compartment of the tumbler
check-tumbler-cover = the cover of the tumbler
check-tumbler-drive = the drive of the tumbler

## What decides which software runs

software-path = path
software-options = options
software-environment = environment

## What a device does wrong, after its name

fault-no-shake = was asked to tumble and did not move
fault-short-tumble = stopped before three tumbles
fault-reshake = shook again, or without being asked
fault-die-leaning = sees a die that does not lie flat
fault-die-lost = does not see all three dice
fault-unreadable-die = cannot read the dice
fault-cover-opened = lost its cover before bets were closed
fault-no-ball = has no ball to launch
fault-failed-launch = failed to launch the ball, or calls the game void
fault-wrong-direction = sees the ball run with the wheel
fault-short-spin = counted fewer than four revolutions
fault-ball-removed = does not sense the ball that should run
fault-wheel-stopped = stopped while the ball ran
fault-wheel-not-rotating = did not turn when the ball was spun
fault-no-number = is at rest and has no number
fault-direction-kept = turned in the same direction as in the spin before
fault-motor-fault = reports a fault of its motor
fault-stuck-sensor = sends no more reports of a motion that must be over
fault-sensor-or-motor = reports a fault of a sensor or of its motor, without saying which
fault-stuck-key = has a key that stays down
fault-lamp-out = has a lamp that does not light
fault-power-cut = lost its power in motion
fault-late = reported a result too late for this round
fault-duplicate = reported the same twice
fault-contradiction = reported two different results
fault-out-of-order = reported what cannot follow its last report
fault-unasked = reported what nobody asked for
fault-garbled = sent what cannot be read
fault-paper-low = is low on paper
fault-paper-out = has no paper
fault-printer-open = is open
fault-printer-fault = reports a fault
fault-offline = is offline
fault-not-begun = has not begun to move
fault-not-at-rest = has not come to rest
fault-not-told = has not told what it shows

## Tests of whether dice and wheels are fair

test-outcomes = outcomes
test-faces = faces
test-runs = runs
test-serial-correlation = serial correlation

## What a device is asked to do

device-tumble = tumble
device-cover = put on its cover
device-uncover = take off its cover
device-launch = launch the ball
device-power-on = switch on
device-power-off = switch off

## Phases of a round: what is so while one lasts

phase-ready = the table is ready for the next round
phase-betting = bets are open
phase-spinning = the ball runs and bets are open
phase-closed = bets are closed
phase-moving = the dice or the ball move
phase-rest = the dice or the ball lie still
phase-entering = the result is being entered
phase-entered = the result is entered and not settled
phase-settling = bets are being settled
phase-settled = bets are settled
phase-interrupted = the round is interrupted

## Irregularities, by their ids in the rulebooks; one of another book is called by its id

irregularity-balance-refused = refused balance
irregularity-chip-order = order of chips
irregularity-short-tumble = short tumble
irregularity-exposed-before-close = dice exposed before the close
irregularity-not-flat = dice not flat
irregularity-damaged-dice = damaged dice
irregularity-broken-dome-or-dice = broken dome or dice
irregularity-late-withdrawal = late withdrawal
irregularity-late-bet = late bet
irregularity-interruption = interruption
irregularity-terminal-interruption = terminal interruption
irregularity-not-covered = not covered by the rules
irregularity-wrong-display = wrong display
irregularity-wrong-result-entered = wrong result entered
irregularity-wrong-result-settled = settled by a wrong result
irregularity-placed-in-error = placed in error
irregularity-unclear-chip = unclear chip
irregularity-moved-chip = moved chip
irregularity-wrong-direction = wrong direction
irregularity-ball-not-spun = ball not spun
irregularity-short-spin = short spin
irregularity-foreign-object = foreign object
irregularity-ball-not-settled = ball not settled
irregularity-ball-out = ball out
irregularity-ball-broken = ball broken
irregularity-wheel-stopped = wheel stopped
irregularity-wheel-not-rotating = wheel not rotating
irregularity-interference = interference
irregularity-power-failure = power failure
irregularity-no-spin = no spin
irregularity-no-spin-at-rest = no spin, ball at rest
irregularity-under-minimum = under minimum
irregularity-over-maximum = over maximum
irregularity-past-error = error of a past round
irregularity-early-bet = early bet
irregularity-oral-bet = oral bet
irregularity-losing-wager-handled = losing wager handled
irregularity-call-bet-misplaced = call bet misplaced
irregularity-tumbler-fault = tumbler fault
irregularity-no-tumble = no tumble
irregularity-wrong-illumination = wrong illumination
irregularity-malfunction = malfunction
irregularity-tumbled-before-close = tumbled before the close
irregularity-over-differential = over differential
irregularity-excess-not-rejected = excess not rejected
irregularity-short-bet = short bet
irregularity-short-bet-not-noticed = short bet not noticed
irregularity-walked-away = Player walked away
irregularity-misplaced-on-behalf = misplaced on behalf

## What has a name

thing-bet = a bet
thing-host = a host
thing-kind-of-alert = a kind of alert
thing-person = a person
thing-seat = a seat
thing-table = a table
thing-withdrawal = a withdrawal

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

## Acts at a table

act-BringBook = bringing a rulebook
act-CancelPlan = giving up the planned change of the rulebook
act-OpenTable = opening the table
act-CloseTable = closing the table
act-AssignStaff = assigning staff
act-TakeSeat = seating a Player
act-ChooseLayout = choosing a layout
act-LeaveSeat = leaving a seat
act-SellCredit = selling credit
act-PayOut = paying credit out
act-GiveCredit = giving credit
act-RedeemTicket = redeeming a ticket
act-CashOut = cashing out to a ticket
act-RepayDebt = taking what is owed
act-TakeUpBook = taking up a rulebook
act-TakeUpPlanned = taking up the planned rulebook
act-WriteOffDebt = writing off what is owed
act-FillBank = filling the bank
act-DrainBank = draining the bank
act-GiveColour = giving colour chips
act-TakeBackColour = taking colour chips back
act-SetLimits = setting the limits
act-SetLayouts = setting the layouts
act-OpenBetting = opening bets
act-PlaceBet = placing a bet
act-WithdrawBet = taking a bet back
act-RejectExcess = rejecting an excess
act-AdviseShort = advising a Player of a short bet
act-CallNoMoreBets = calling No More Bets
act-StartMotion = starting the tumbler or spinning the ball
act-EndMotion = reporting that the dice or the ball rest
act-Uncover = uncovering the dice
act-PressKey = pressing a number
act-PressEntry = pressing the entry key
act-EnterNumber = entering a number
act-SenseResult = sensing a result
act-DecideResult = deciding which source is right
act-AmendResult = amending the entered result
act-ConfirmResult = confirming the result
act-PayWinners = paying the winning bets
act-Report = reporting an irregularity
act-DecideBet = deciding an unclear or moved bet
act-Decide = deciding what no clause covers
act-CorrectResult = correcting the result of a round
act-VoidRounds = voiding rounds that are over
act-Unlock = unlocking the table
act-Interrupt = reporting an interruption
act-InterruptTerminals = reporting that terminals are interrupted
act-Restore = reporting that the power is back
act-RestoreTerminals = reporting that terminals are back
act-Attest = attesting what is shown
act-Approve = approving a request
act-Decline = declining a request

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
act-DropPasskey = removing a passkey
act-SignAsking = signing a request
act-EnrolTerminal = enrolling a terminal
act-RetireTerminal = retiring a terminal
act-RaiseAlert = raising an alert
act-AcknowledgeAlert = acknowledging an alert

## Whom a route is for

audience-audit = auditors and supervision of any table
audience-audit-of-table = auditors and supervision of the table
audience-cage = the staff of the cage
audience-console = the Dealer and supervision of the table
audience-everyone = everyone
audience-metrics = auditors of the floor and administrators
audience-office = administrators
audience-pit = supervision of any table
audience-pit-of-table = supervision of the table
audience-signed-in = everyone who has signed in
## What a database is made of, and who may do something in it

schema-index = index
schema-table = table
schema-trigger = trigger
schema-view = view
grantee-everyone = everyone

## The way to a server

way-clear = in the clear
way-local = on this machine
way-tls = TLS
way-tls-unchecked = TLS, and the server's certificate is not checked

## Parts of a dispute pack

pack-part-digest = digest
pack-part-other = row that may correct the round
pack-part-row = row

account-bank = bank
account-bets = bets
account-cage = cage
account-house = house
account-receivable = receivable
account-terminal = terminal
account-ticket = ticket
account-unclaimed = unclaimed

colour-blue = blue
colour-brown = brown
colour-green = green
colour-grey = grey
colour-orange = orange
colour-pink = pink
colour-purple = purple
colour-red = red
colour-white = white
colour-yellow = yellow

evidence-failed = failed
evidence-passed = passed
evidence-prompted = prompted
evidence-skipped = skipped
evidence-stale = stale
evidence-waiting = waiting

keeper-people = people
keeper-rules = rules
keeper-screen = screen
keeper-store = store
keeper-table = table

place-cage = cage
place-database = database
place-office = office
