# What follows if people say that something went wrong, or attest that nothing can be shown: will-CASE, with the facts
# that croupier.table.next_acts declares.

will-actual-outcome-stands = What the dice or the ball really showed stands; it is written down.
will-actual-outcome-stands-and-lock = What the dice or the ball really showed stands; it is written down. The table is locked until a supervisor unlocks it with a reason.
will-advise = The Player is told of the minimum; the bet plays.
will-amend-result = The entered result is replaced; nothing is settled yet.
will-apportion = At the close the bets share the limit in proportion; the rest goes back.
will-bet-decision = The bet stands, is moved to its box, or is returned, as decided.
will-cap = What is over the maximum does not play and goes back with the settlement.
will-decision = The round is void, settled by a stated result, or named bets are returned, as decided.
will-interruption = The round is interrupted: bets stay held, and it goes on or ends by its clause.
will-lock = Nothing else changes. The table is locked until a supervisor unlocks it with a reason.
will-no-effect = It changes nothing; it is written down.
will-once-only = A bet under the minimum is settled once for a Player, and returned every time after.
will-plays = The bet plays where it lies; it is written down.
will-refuse = It is not accepted; nothing on the table changes, and it is written down.
will-refuse-nothing = Nothing cannot be attested: an outcome is established.
will-reject-excess = What is over the limit goes back to the Player, the latest bet first.
will-settle-again = The round is settled again by the right result, and its Players are told; later rounds stay.
will-void = { $players ->
    [one] Round { $round } is void: { MONEY($total) } of stakes goes back to 1 Player, who is told ({ $clause }).
   *[other] Round { $round } is void: { MONEY($total) } of stakes goes back to { $players } Players, who are told ({ $clause }).
 }
will-void-named-rounds = The rounds that are named are void, and every stake in them is returned ({ $clause }).
will-void-past-round = The round is void, and every stake is returned ({ $clause }).
will-void-without-bets = Round { $round } is void; nobody has a bet in it ({ $clause }).
