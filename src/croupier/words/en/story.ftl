# The story of a round.

## What became of a bet

became-explained = { $explained }. { $got }
became-nothing = Nothing of it was on the table when the bets were settled
became-off-table = Off the table
became-returned = Returned
became-void = The round is void: every stake still on the table went back
got-back = { $returned ->
    [0] Nothing moved
   *[other] { MONEY($returned) } of stake went back
 }
got-lost = { $returned ->
    [0] The House collected { MONEY($collected) }
   *[other] The House collected { MONEY($collected) } and { MONEY($returned) } of stake went back
 }
got-won = { $returned ->
    [0] It won { MONEY($winnings) }
   *[other] It won { MONEY($winnings) } and { MONEY($returned) } of stake went back
 }

## Bet by bet

round-advised = { $seat } was told that the minimum is { MONEY($minimum) }
round-bet = Bet { $bet }: { $seat } bet { MONEY($stake) } on { BOX($box) } of layout { $layout }{ GIVEN($by) ->
    [yes] , placed for them by { $by }
   *[no] { "" }
 }
round-cut = { MONEY($amount) } of it was out of action and went back
round-decided = It was decided: { $treatment ->
    [move] it plays on { BOX($box) }
    [return] it was returned
   *[stand] it stands
 }{ GIVEN($reason) ->
    [yes] , because { $reason }
   *[no] { "" }
 }
round-excess = { MONEY($amount) } of it was over the limit and went back
round-no-bets = Nobody had a bet
round-over = Round { $round } at table { $table }: { $result }
round-result = the result is { $outcome }
round-settled-again = The round was settled again by { $outcome }, because { $reason }: { MONEY($before) } before, { MONEY($after) } now{ $owed ->
    [0] { "" }
   *[other] ; { MONEY($owed) } of the difference is owed
 }
round-void = void
round-voided-again = The round was settled again as void ({ NAME($irregularity, "irregularity") }), because { $reason }: { MONEY($before) } before, { MONEY($after) } now{ $owed ->
    [0] { "" }
   *[other] ; { MONEY($owed) } of the difference is owed
 }
round-withdrawn = { MONEY($amount) } of it was withdrawn
