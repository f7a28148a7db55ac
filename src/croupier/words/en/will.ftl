# What follows if people say that something went wrong, or attest that nothing can be shown: will-CASE, with the facts
# that croupier.table.next_acts declares.

will-actual-outcome-stands = The real result of the dice or the ball stands; it is recorded.
will-actual-outcome-stands-and-lock = The real result of the dice or the ball stands; it is recorded. The table is locked until two people unlock it with a reason.
will-advise = The Player is informed of the minimum; the bet plays.
will-amend-result = The entered result is replaced; nothing is settled yet.
will-apportion = At the close the bets share the limit in proportion; the rest goes back.
will-bet-decision = The bet stands, moves to its box, or is returned, as decided.
will-cap = The part over the maximum does not play and is returned at settlement.
will-decision = The round is void, is settled with a stated result, or named bets are returned, as decided.
will-interruption = The round is interrupted: bets stay held, and the round goes on or ends by its clause.
will-lock = Nothing else changes. The table is locked until two people unlock it with a reason.
will-no-effect = Nothing changes; it is recorded.
will-once-only = A bet under the minimum is settled once for each Player, and returned every time after that.
will-plays = The bet plays where it lies; it is recorded.
will-refuse = It is not accepted; nothing on the table changes, and it is recorded.
will-refuse-nothing = “Nothing” cannot be attested: an outcome is established.
will-reject-excess = The part over the limit goes back to the Player, the latest bet first.
will-settle-again = The round is settled again with the right result, and its Players are informed; later rounds stay as they are.
will-stand-still = Round { $round } stands still, because the device reports otherwise ({ $clause }). A supervisor who did not report it decides.
will-void = { $players ->
    [one] Round { $round } is void: { MONEY($total) } of stakes goes back to 1 Player, who is informed ({ $clause }).
   *[other] Round { $round } is void: { MONEY($total) } of stakes goes back to { $players } Players, who are informed ({ $clause }).
 }
will-void-named-rounds = The named rounds are void, and every stake in them is returned ({ $clause }).
will-void-past-round = The round is void, and every stake is returned ({ $clause }).
will-void-without-bets = Round { $round } is void; nobody has a bet in it ({ $clause }).
