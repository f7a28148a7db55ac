# The story of a round.

## What became of a bet

became-explained = { $explained }. { $got }
became-nothing = It was no longer on the table when the bets were settled
became-off-table = Off the table
became-returned = Returned
became-void = The round is void: every stake still on the table went back
got-back = { $returned ->
    [0] Nothing moved
   *[other] { MONEY($returned) } of the stake went back
 }
got-lost = { $returned ->
    [0] The House collected { MONEY($collected) }
   *[other] The House collected { MONEY($collected) } and { MONEY($returned) } of the stake went back
 }
got-won = { $returned ->
    [0] It won { MONEY($winnings) }
   *[other] It won { MONEY($winnings) } and { MONEY($returned) } of the stake went back
 }

## Bet by bet

round-advised = { $seat } was informed that the minimum is { MONEY($minimum) }
round-bet = Bet { $bet }: { $seat } bet { MONEY($stake) } on { BOX($box) } of layout { $layout }{ GIVEN($by) ->
    [yes] , placed for them by { $by }
   *[no] { "" }
 }
round-decided = It was decided: { $treatment ->
    [move] it plays on { BOX($box) }
    [return] it was returned
   *[stand] it stands
 }{ GIVEN($reason) ->
    [yes] , because { $reason }
   *[no] { "" }
 }
round-no-bets = Nobody had a bet
round-over = Round { $round } at table { $table }: { $result }
round-result = the result is { $outcome }
round-settled-again = The round was settled again with result { $outcome }, because { $reason }: { MONEY($before) } before, { MONEY($after) } now{ $owed ->
    [0] { "" }
   *[other] ; { MONEY($owed) } of the difference is owed
 }
round-void = void
round-voided-again = The round was settled again as void ({ NAME($irregularity, "irregularity") }), because { $reason }: { MONEY($before) } before, { MONEY($after) } now{ $owed ->
    [0] { "" }
   *[other] ; { MONEY($owed) } of the difference is owed
 }

## An evening, act by act; $phrase is an act as transcripts write it

story-act = { $by ->
    [system] System
   *[other] { $by }
 } { $phrase }
story-before-facts = { $text }
story-refused = Refused: { $why }
story-table = Table { $table }, { LAW($title) } ({ $book }), layouts { LIST($layouts) }

## What an event says

event-advised = { $seat } is informed that the minimum is { MONEY($minimum) }
event-amended = The result is changed from { $old } to { $outcome }
event-approved = Approved: { $one } and { $other }
event-attested = Attested so far: { $shown }
event-bank-drained = { MONEY($amount) } goes from the bank to the cage
event-bank-filled = { MONEY($amount) } goes from the cage to the bank
event-bet = Bet { $bet } of { $seat }: { MONEY($stake) } on { BOX($box) } is registered
event-bet-decided = Bet { $bet }: { $treatment ->
    [move] it plays on { BOX($box) }
    [return] it is returned
   *[stand] it stands on { BOX($box) }
 }{ GIVEN($reason) ->
    [yes] , because { $reason }
   *[no] { "" }
 }
event-boxes-gone = No longer offered on layout { $layout }: { BOXES($boxes) }
event-called = "{ LAW($words) }"
event-closed = { GIVEN($words) ->
    [yes] "{ LAW($words) }"
   *[no] Bets are closed
 }
event-closed-by-bell = "{ LAW($words) }", and the bell rings
event-colour = { $seat } has { NAME($colour, "colour") } chips at { MONEY($value) }
event-colour-marked = { $seat } has { NAME($colour, "colour") } chips at { MONEY($value) }; a marker shows it
event-contradicted = { $device } contradicts { NAME($irregularity, "irregularity") }{ GIVEN($began) ->
    [yes] ; it began in its time
   *[no] { "" }
 }{ GIVEN($count) ->
    [yes] ; it counted { $count }
   *[no] { "" }
 }{ GIVEN($outcome) ->
    [yes] ; it read { $outcome }
   *[no] { "" }
 }; the round stands still until request { $request } is decided
event-cut = { MONEY($amount) } of bet { $bet } is out of action and goes back to { $seat }
event-decided = Decision: { $treatment ->
    [void] the round is void
    [result] it is settled with a stated result
   *[return] bets are returned
 }, because { NAME($reason, "noted") }
event-declined = Request { $request } is declined
event-encoding-planned = A corrected encoding of { $id }, { $book }, will replace { $old } between two rounds, not before { MOMENT($since) }: { $one } asked, { $other } agreed
event-encoding-taken-up = From round { NUMBER($round) } on: a corrected encoding of { $id }, { $book } in place of { $old }: { $one } asked, { $other } agreed
event-entered = The result is { $outcome }, { $source ->
    [attested] as attested
    [decided] as decided
   *[entry] as entered
 }
event-excess = { MONEY($amount) } of bet { $bet } is over the limit and goes back
event-given = { $seat } is given { MONEY($amount) }, because { $reason }
event-interrupted = { $part ->
    [console] The Game Console is interrupted
    [device] The tumbler or wheel is interrupted
   *[server] The server is interrupted
 }; bets stay held
event-layouts = From the next round on: layout { LIST($layouts) }
event-limits = The limits change from the next round on
event-checked = The lit felt is checked: { $outcome }
event-collected = The losing bets are collected
event-dolly = The dolly is placed on { $outcome }
event-lit = Layout { $layout } lights { GIVEN($boxes) ->
    [yes] { BOXES($boxes) }
   *[no] no box
 }
event-locked = The table is locked
event-lost = Bet { $bet } of { $seat } loses { MONEY($amount) }
event-opened = Round { $round }: "{ LAW($words) }"
event-paying = The winning bets are paid
event-paid = { $winnings ->
    [0] Bet { $bet } of { $seat } gets { MONEY($returned) } back
   *[other] Bet { $bet } of { $seat } wins { MONEY($winnings) } and gets { MONEY($returned) } back
 }
event-plan-cancelled = { $id } will not be taken up: { $reason }
event-power = The power is back; the round waits for the result that the dice or the ball show
event-repaid = { $seat } repays { MONEY($amount) }
event-reported = Reported: { NAME($irregularity, "irregularity") }, so { NAME($consequence, "consequence") }
event-request = Request { $request } waits for a second person
event-result-decided = The result is { $outcome }, because { $reason }
event-resumed = Play goes on: { NAME($act, "goes-on") }
event-returned = Bet { $bet }: { MONEY($amount) } goes back to { $seat }
event-reversed = Bet { $bet } of { $seat }: { MONEY($before) } before, { MONEY($after) } now{ $owed ->
    [0] { "" }
   *[other] , { MONEY($owed) } of it owed
 }
event-seat-moved = { $seat } now has layout { $layout }
event-sensed = The sensor gives { $outcome }
event-settled = Round { $round } is settled
event-settled-again = Round { $round } is settled again with result { $outcome }, because { $reason }
event-terminals = Terminals { LIST($seats) } are interrupted; registered bets play
event-ticket-issued = { MONEY($amount) } of the credit of { $seat } becomes ticket { $ticket }
event-ticket-redeemed = Ticket { $ticket } becomes { MONEY($amount) } of credit of { $seat }
event-told = Informed: { GIVEN($seats) ->
    [yes] { LIST($seats) }
   *[no] nobody
 }
event-unlocked = The table is unlocked, because { $reason }
event-unregistered = { MONEY($stake) } on { BOX($box) } of { $seat } was not registered: { $treatment ->
    [not-participating] it does not take part
   *[return] it is returned
 }
event-version-planned = Another version of the book, { $id }, { $book }, will replace { $old } between two rounds, not before { MOMENT($since) }: { $one } asked, { $other } agreed
event-version-taken-up = From round { NUMBER($round) } on: another version of the book, { $id }, { $book } in place of { $old }: { $one } asked, { $other } agreed
event-void = Round { $round } is void: { NAME($irregularity, "irregularity") }{ GIVEN($words) ->
    [yes] , "{ LAW($words) }"
   *[no] { "" }
 }
event-void-again = Round { $round } is void: { NAME($irregularity, "irregularity") }, because { $reason }
event-withdrawn = { MONEY($amount) } of bet { $bet } goes back to { $seat }
event-written-off = { $seat } no longer owes { MONEY($amount) }, because { $reason }

## What follows from an irregularity

consequence-void = the round is void
consequence-void-affected-rounds = the affected rounds are void
consequence-actual-outcome-stands = the actual result stands
consequence-actual-outcome-stands-and-lock = the actual result stands and the table is locked
consequence-amend-result = the result is amended
consequence-lock = the table is locked
consequence-refuse = it is refused
consequence-plays = it plays
consequence-reject-excess = the excess is rejected
consequence-advise = the Player is advised
consequence-apportion = the excess is apportioned
consequence-cap = it counts up to the maximum
consequence-once-only = it is settled once only
consequence-bet-decision = a person decides the bet
consequence-interruption = the round is interrupted
consequence-no-effect = nothing changes
consequence-decision = a person decides

## How play goes on after an interruption

goes-on-nothing = as if it had not stopped
goes-on-start-again = from the start
goes-on-resume-or-void = it resumes in time
goes-on-resume-or-void-and-lock = it resumes in time, and the table is locked
goes-on-continue = it continues
goes-on-void = the round is void
goes-on-void-unseen = the round is void, as nothing was seen
goes-on-attest = what is shown is attested
goes-on-attest-and-lock = what is shown is attested, and the table is locked
goes-on-wait = after the wait
goes-on-complete-entry = the entry is completed
goes-on-complete-entry-and-lock = the entry is completed, and the table is locked
goes-on-confirm = the result is confirmed
goes-on-confirm-and-lock = the result is confirmed, and the table is locked
goes-on-finish = the payments are finished
goes-on-finish-and-lock = the payments are finished, and the table is locked
