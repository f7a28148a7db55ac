# Law beside law: the questions, what is compared, and what a book answers. The answers stand in tables, so they have
# no capital and no full stop.

## Questions

question-open = When are bets opened, and who calls it?
question-close = When do bets close, and who calls it?
question-motion = What is a valid tumble or spin, and what follows from another?
question-result = When is the result announced, and how?
question-correct = What becomes of a wrong result, a wrong display or a wrong lamp?
question-void = What makes a round void, and who may say so?
question-two-people = What needs two people?
question-evidence = What establishes that a round is void, and whose word counts?
question-power = What follows from a power failure, phase by phase?
question-terminals = What becomes of the bets of a Player Terminal that fails?
question-minimum = What becomes of a bet under the minimum?
question-maximum = What becomes of a bet over the maximum?
question-late = What becomes of a bet or a withdrawal at the wrong time?
question-placement = What becomes of chips that were moved, unclear or misplaced?
question-equipment = What follows if dice, ball or equipment are damaged or tampered with?
question-not-covered = Who decides what no clause covers?
question-money = Which clause moves money where no price and no limit does?
question-people = Who are the people of the game?
question-prices = What does each box pay, and what does the House keep of it on average?
question-readings = Where the text is silent or contradicts itself, how is it read?

## What is compared

comparing-boxes = { BOXES($boxes) }
comparing-irregularity = { NAME($irregularity, "irregularity") }
comparing-phase = while { PHASE($phase) }
comparing-ruling = ruling { $ruling }
comparing-subject = { NAME($subject, "subject") }

subject-announced-how = the words
subject-announced-when = the moment
subject-call = the call
subject-checked = the check
subject-dealer = the role of the Dealer
subject-differential = the Differential
subject-disagreement = when a person and a device disagree
subject-early-close = an earlier close
subject-maximum = the maximum
subject-minimum = the minimum
subject-moment = the moment
subject-on-behalf = who bets for a Player
subject-operators = who operates the game
subject-pit-manager = the role of the Pit Manager
subject-pit-supervisor = the role of the Pit Supervisor
subject-ranks = the ranks
subject-registered = a bet that is registered
subject-second-person = the second person
subject-settled = collecting and paying
subject-shift-manager = the role of the Shift Manager
subject-unregistered = a bet that is not registered
subject-credit = credit
subject-exempt-bet = a small bet in a box that is cut
subject-lost-bets = bets that lose by a clause of their outcome
subject-stake = a stake
subject-void-stakes = the stakes of a void round
subject-withdrawn-stake = a stake taken back
subject-valid-motion = what is valid

## What a book answers

compared-announced = “{ LAW($words) }”
compared-called = “{ LAW($words) }” is { $given ->
    [displayed] displayed
   *[announced] announced
 } by { ROLES($by, "or") }{ $bell ->
    [yes] , with the bell
   *[no] { "" }
 }
compared-checked = the Dealer compares the lit felt with the dice or the wheel
compared-collected = losing bets are collected first
compared-decides = the round stands still, and { ROLE($decides) } or above, who did not report it, decides
compared-differential = { BOXES($boxes, "and") } may differ by no more than the displayed maximum
compared-early = before the spin, if { ROLES($by, "or") } allows it
compared-evidence = { NAME($evidence, "witness") }{ GIVEN($denied_by) ->
    [yes] ; { NAMES($denied_by, "denial", "or") } of a device may contradict a person
   *[no] { "" }
 }
compared-irregularity = { NAME($consequence, "consequence") }; by { ROLES($by, "or") }{ $people ->
    [2] { " " }and a second person
   *[1] { "" }
 }; at the latest while { PHASE($last) }
compared-limit = for { NAME($per, "per") }: { NAME($breach, "breach") }
compared-loses = on { $outcome } every bet that does not cover it loses
compared-moment = { NAME($moment, "moment") }
compared-motion = { $device ->
    [wheel] at least { NUMBER($count) } revolutions of the ball
   *[dice] at least { NUMBER($count) } tumbles of the dice
 }
compared-moved = { NAME($movement, "movement") }
compared-operators = { ROLES($by, "or") }
compared-otherwise = otherwise the round is void
compared-paid = { $kind ->
    [live] then, as an act of its own, winning bets are paid
   *[electronic] then winning bets are paid, without a further act
 }
compared-power = { $act ->
    [attest] two people attest what can be seen, and the round is concluded by it
    [attest-and-lock] two people attest what can be seen, the round is concluded by it, and the table is locked
    [complete-entry] the entry is completed and the round concluded
    [complete-entry-and-lock] the entry is completed, the round concluded, and the table is locked
    [confirm] the entered result stands and the round is concluded
    [confirm-and-lock] the entered result stands, the round is concluded, and the table is locked
    [continue] play goes on
    [finish] the settlement is finished, once
    [finish-and-lock] the settlement is finished, once, and the table is locked
    [nothing] nothing is lost
    [resume-or-void] betting resumes if the power is back within { SECONDS($seconds) }; otherwise the round is void
    [resume-or-void-and-lock] betting resumes if the power is back within { SECONDS($seconds) }; otherwise the round is void and the table is locked
    [start-again] the round starts again with a new tumble
    [void] the round is void
    [void-unseen] the round is void by itself: nothing can have been seen, and nobody attests anything
    [wait] the ball decides once it is at rest
   *[other] { $act }
 }
compared-price = { LIST($layouts) }: { $pays }, edge { $edge }, { $percent }
compared-ranks = { GIVEN($ladder) ->
    [yes] whoever holds a position may do everything below it: { ROLES($ladder) }, from the lowest to the highest
   *[no] a position must be assigned
 }
compared-reading = { LAW($read) } Alternative: { LAW($alternative) }
compared-result = { $announced ->
    [entered] in the instant in which it is entered: it is announced and lit, or marked with the dolly
   *[confirmed] once the Dealer confirms the entry that was read back: every terminal shows and lights it
 }
compared-second = somebody else of the rank of { ROLE($second) } or above, never two of the rank of { ROLE($highest) } or above
compared-terminals = { NAME($act, "failed-bet") }
compared-title = { LAW($title) }

breach-apportion = what is over it at the close is shared out in proportion, and the rest goes back
breach-cap = it plays at the maximum, and the rest goes back
breach-once-only = it is settled once for each Player, and returned every time after that
breach-plays = it plays in full
breach-refuse = it is refused

moment-after-tumble = once the dice have been tumbled under the cover
moment-before-motion = before the dice are tumbled
moment-before-uncovering = before the dice are uncovered
moment-before-spin = before the ball is spun
moment-while-ball-runs = while the ball still runs

per-box = a box, over all Players
per-player-box = each Player in each box

denial-count = the count
denial-direction = the direction
denial-reading = the reading
denial-start = the start

failed-bet-not-participating = the Player has not taken part in the round
failed-bet-play = it plays
failed-bet-return = it goes back

witness-device = a device
witness-either = either a person or a device
witness-person = a person

movement-bet = it goes to the table
movement-credit = it is bought and paid out
movement-exempt = it plays in full
movement-void = they go back
movement-void-by-cause = they go back by the clause that makes the round void
movement-withdrawn = it goes back while bets are open
