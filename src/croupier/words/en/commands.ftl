# What somebody did: did-ACT, with the facts that croupier.rules.command_facts declares.

## At a table

did-AdviseShort = { NAME($by, "giver") } advises on { $bet }
did-AmendResult = { NAME($by, "giver") } amends to { $outcome }
did-Approve = { NAME($by, "giver") } approves { $request } as { $digest }
did-AssignStaff = { NAME($by, "giver") } assigns { $person } { ROLES($roles) }
did-Attest = { NAME($by, "giver") } attests { GIVEN($shown) ->
    [yes] { LIST($shown) }
   *[no] nothing
 }
did-BringBook = { NAME($by, "giver") } brings the text of a rulebook to the table
did-CallNoMoreBets = { NAME($by, "giver") } calls no more bets{ GIVEN($allowed_by) ->
    [yes] { "" } allowed by { $allowed_by }
   *[no] { "" }
 }
did-CancelPlan = { NAME($by, "giver") } gives up the planned change of the rulebook because { $reason }
did-CashOut = { NAME($by, "giver") } cashes out { MONEY($amount) } to ticket { $ticket } until { MOMENT($expires) } for { $seat }
did-ChooseLayout = { NAME($by, "giver") } chooses layout { $layout } for { $seat }
did-CloseTable = { NAME($by, "giver") } closes the table
did-ConfirmResult = { NAME($by, "giver") } confirms
did-CorrectResult = { NAME($by, "giver") } corrects round { $round } to { $outcome } because { $reason }
did-Decide = { NAME($by, "giver") } decides { $treatment ->
    [void] void
    [return] return of { LIST($bets) }
   *[result] result { $outcome }
 }{ GIVEN($reason) ->
    [yes] { "" } because { NAME($reason, "noted") }
   *[no] { "" }
 }
did-DecideBet = { NAME($by, "giver") } { $treatment ->
    [stand] lets { $bet } stand
    [move] moves { $bet } to { BOX($box) }
   *[return] returns { $bet }
 } because { $reason }
did-DecideResult = { NAME($by, "giver") } decides for { $outcome } because { $reason }
did-Decline = { NAME($by, "giver") } declines { $request }
did-DrainBank = { NAME($by, "giver") } drains the bank of { MONEY($amount) }
did-EndMotion = { NAME($by, "giver") } counts { $count }
did-EnterNumber = { NAME($by, "giver") } enters number { $number }
did-FillBank = { NAME($by, "giver") } fills the bank with { MONEY($amount) }
did-GiveColour = { NAME($by, "giver") } gives { $seat } { NAME($colour, "colour") } chips at { MONEY($value) }
did-GiveCredit = { NAME($by, "giver") } credits { $seat } { MONEY($amount) } because { $reason }
did-Interrupt = { NAME($by, "giver") } interrupts the { NAME($part, "part") }
did-InterruptTerminals = { NAME($by, "giver") } interrupts terminals { LIST($seats) }{ GIVEN($lost) ->
    [yes] { "" } losing { LIST($lost) }
   *[no] { "" }
 }
did-LeaveSeat = { NAME($by, "giver") } leaves with { $seat }
did-OpenBetting = { NAME($by, "giver") } calls place your bets
did-OpenTable = { NAME($by, "giver") } opens the table{ GIVEN($unchecked) ->
    [yes] { "" } without { LIST($unchecked) }
   *[no] { "" }
 }
did-PayOut = { NAME($by, "giver") } pays out { $seat } { MONEY($amount) }
did-PayWinners = { NAME($by, "giver") } pays
did-PlaceBet = { NAME($by, "giver") } bets { MONEY($stake) } on { BOX($box) } for { $seat }{ $colour_chips ->
    [0] { "" }
   *[other] { "" } with { NUMBER($colour_chips) } chips
 } in round { $round } as { $id }
did-PressEntry = { NAME($by, "giver") } presses entry
did-PressKey = { NAME($by, "giver") } presses { $face }
did-RedeemTicket = { NAME($by, "giver") } redeems ticket { $ticket } of { MONEY($amount) } until { MOMENT($expires) } found { NAME($found, "ticket") } for { $seat }
did-RejectExcess = { NAME($by, "giver") } rejects { MONEY($amount) } of { $bet }
did-RepayDebt = { NAME($by, "giver") } takes { MONEY($amount) } owed by { $seat }
did-Report = { NAME($by, "giver") } reports { NAME($irregularity, "irregularity") }{ GIVEN($bet) ->
    [yes] { "" } of { $bet }
   *[no] { "" }
 }{ GIVEN($seat) ->
    [yes] { "" } by { $seat }
   *[no] { "" }
 }{ GIVEN($note) ->
    [yes] { "" } because { NAME($note, "noted") }
   *[no] { "" }
 }
did-Restore = { NAME($by, "giver") } restores
did-RestoreTerminals = { NAME($by, "giver") } restores terminals { LIST($seats) }
did-SellCredit = { NAME($by, "giver") } sells { $seat } { MONEY($amount) }
did-SenseResult = { NAME($by, "giver") } senses { $outcome }
did-SetLayouts = { NAME($by, "giver") } sets layouts { LIST($layouts) }
did-SetLimits = { NAME($by, "giver") } sets limits { LIST($limits) }
did-StartMotion = { NAME($by, "giver") } { $order ->
    [wheel] spins the ball
   *[other] activates the tumbler
 }{ GIVEN($with_wheel) ->
    [yes] { "" } with the wheel
   *[no] { "" }
 }
did-TakeBackColour = { NAME($by, "giver") } takes back the chips of { $seat }
did-TakeSeat = { NAME($by, "giver") } seats { $seat } at { $layout }
did-TakeUpBook = { NAME($by, "giver") } takes up the rulebook { $id } with the hash { $book } in place of { $old }{ LIST($not_before) }{ LIST($limits) }{ LIST($layouts) }{ LIST($alternatives) }
did-TakeUpPlanned = { NAME($by, "giver") } takes up the planned rulebook
did-Uncover = { NAME($by, "giver") } uncovers the dice
did-Unlock = { NAME($by, "giver") } unlocks because { $reason }
did-VoidRounds = { NAME($by, "giver") } voids rounds { LIST($rounds) } for { NAME($irregularity, "irregularity") } because { $reason }
did-WithdrawBet = { NAME($by, "giver") } withdraws { MONEY($amount) } of { $bet } as { $id }
did-WriteOffDebt = { NAME($by, "giver") } writes off { MONEY($amount) } owed by { $seat } because { $reason }

## At the cage

did-ApproveRequest = { NAME($by, "giver") } approves request { $request } as { $digest }
did-DeclineRequest = { NAME($by, "giver") } declines request { $request }
did-EmployStaff = { NAME($by, "giver") } employs { $person }{ GIVEN($roles) ->
    [yes] { "" } as { ROLES($roles) }
   *[no] { "" }
 }
did-ExpireTicket = { NAME($by, "giver") } lets ticket { $ticket } of { MONEY($amount) } expire
did-PayTicket = { NAME($by, "giver") } pays ticket { $ticket } of { MONEY($amount) }
did-PayUnclaimed = { NAME($by, "giver") } pays the expired ticket { $ticket } of { MONEY($amount) }, because { $reason }
did-ReprintTicket = { NAME($by, "giver") } reprints ticket { $ticket } of { MONEY($amount) }, because { $reason }
did-SellTicket = { NAME($by, "giver") } sells ticket { $ticket } of { MONEY($amount) }
did-VoidTicket = { NAME($by, "giver") } voids ticket { $ticket } of { MONEY($amount) }{ GIVEN($replacement) ->
    [yes] { "" } and replaces it by { $replacement }
   *[no] { "" }
 }, because { $reason }

## In the office

did-AcknowledgeAlert = { NAME($by, "giver") } acknowledges alert { $alert }{ GIVEN($note) ->
    [yes] { "" }: { $note }
   *[no] { "" }
 }
did-AddPasskey = { NAME($by, "giver") } adds a passkey of { $person }
did-AdoptRules = { NAME($by, "giver") } puts version { $rules } of the rules about people into force
did-BeginSession = { NAME($by, "giver") } begins a session of { $person } from { $where }
did-ConfirmPerson = { NAME($by, "giver") } confirms { $person }
did-DropPasskey = { NAME($by, "giver") } removes a passkey of { $person }
did-EndSessions = { NAME($by, "giver") } ends sessions of { $person }: { NAME($how, "ending") }
did-EnrolTerminal = { NAME($by, "giver") } enrols a terminal for { $table } seat { $seat }
did-MakeAccount = { NAME($by, "giver") } makes an account for { $person }{ GIVEN($roles) ->
    [yes] { "" } as { ROLES($roles) }
   *[no] { "" }
 }
did-MakeLink = { NAME($by, "giver") } makes a one-time link for { $person }
did-NameFounders = { NAME($by, "giver") } names { LIST($people) } founders
did-NoteAsker = { NAME($by, "giver") } records that { $person } asked for request { $request } at { NAME($place, "place") }
did-NoteFailure = { NAME($by, "giver") } records { $times ->
    [one] one failed sign-in
   *[other] { NUMBER($times) } failed sign-ins
 } of { $person } from { $where }: { NAME($why, "failure") }
did-NotePassword = { NAME($by, "giver") } sets a new password of { $person }
did-RaiseAlert = { NAME($by, "giver") } raises the alert “{ NAME($kind, "alert-heading") }”{ GIVEN($table) ->
    [yes] { "" } at { $table }
   *[no] { "" }
 }
did-RequirePasskeys = { NAME($by, "giver") } requires passkeys for dangerous acts
did-RetireAccount = { NAME($by, "giver") } retires the account of { $person }, because { $reason }
did-RetireTerminal = { NAME($by, "giver") } retires the terminal of { $table } seat { $seat }, because { $reason }
did-SetRoles = { NAME($by, "giver") } sets the roles of { $person }{ GIVEN($roles) ->
    [yes] { "" } to { ROLES($roles) }
   *[no] { "" } to none
 }
did-SignAsking = { NAME($by, "giver") } signs their request { $request } at { NAME($place, "place") }

## What a limit is

limit-unit = unit { MONEY($amount) }
limit-minimum = { GIVEN($box) ->
    [yes] minimum { BOX($box) } { MONEY($amount) }
   *[no] minimum { MONEY($amount) }
 }
limit-maximum = { GIVEN($box) ->
    [yes] maximum { BOX($box) } { MONEY($amount) }
   *[no] maximum { MONEY($amount) }
 }
limit-differential = differential { MONEY($amount) }

## A bet that was not registered

lost-bet = { $seat } { MONEY($stake) } on { BOX($box) }

## Who did it, where it was no person

giver-system = System

## What failed

part-server = server
part-console = console
part-device = device

## Why a session ended

ending-logout = signed out
ending-everywhere = signed out everywhere
ending-idle = not used for long
ending-expired = its time was over
ending-retired = the account was retired
ending-password = a new password
ending-crowded = too many sessions

## Why somebody was not let in

failure-wrong = wrong password
failure-unknown = no such name
failure-locked = had to wait
failure-retired = the account is retired
failure-no-password = no password yet

## What a device told, as the reason that a person confirmed; what people wrote themselves stays as it is

noted-no-shake = the dice did not tumble
noted-short-tumble = fewer than three tumbles
noted-reshake = the dice were shaken again
noted-die-leaning = a die does not lie flat
noted-die-lost = not all three dice are seen
noted-cover-opened = the cover was off before bets were closed
noted-no-ball = no ball to launch
noted-failed-launch = the launch failed
noted-wrong-direction = the ball ran with the wheel
noted-short-spin = fewer than four revolutions
noted-ball-removed = the ball was not sensed
noted-wheel-stopped = the wheel stopped while the ball ran
noted-wheel-not-rotating = the wheel did not turn
noted-no-number = no number at rest
noted-motor-fault = a fault of the motor
noted-stuck-sensor = a sensor that sends nothing more
noted-sensor-or-motor = a fault of a sensor or the motor
noted-stuck-key = a key that stays down
noted-lamp-out = a lamp that does not light
noted-power-cut = power lost in motion
term-alternatives = , reading rulings { LIST($rulings) } by their alternative
term-layouts = , with layouts { LIST($layouts) }
term-limits = , with limits { LIST($limits) }
term-not-before = , not before { MOMENT($since) }
