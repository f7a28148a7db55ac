# Why money moved: the sum as it was done.

sum-cash = { MONEY($amount) } { $event ->
    [CreditSold] of credit bought
    [CreditPaidOut] of credit paid out
    [CreditGiven] of credit given
    [TicketRedeemed] of credit from a ticket
    [TicketIssued] of credit to a ticket
    [DebtRepaid] of a debt repaid
    [DebtWrittenOff] of a debt written off
    [BankFilled] brought to the bank
   *[other] taken from the bank
 }
sum-corrected = { MONEY($amount) } = { MONEY($after) } now − { MONEY($before) } before{ $owed ->
    [0] { "" }
   *[other] ; { MONEY($owed) } of it is owed
 }
sum-cut = { MONEY($amount) } went back: { MONEY($stake) } × { $part }/{ $of } = { MONEY($action) } plays, pro rata; { $limit }
sum-cut-minimum = { MONEY($amount) } went back: of { MONEY($stake) } the minimum { MONEY($action) } plays, as pro rata would leave less; { $limit }
sum-cut-rounded = { MONEY($amount) } went back: { MONEY($stake) } × { $part }/{ $of }, rounded down, = { MONEY($action) } plays, pro rata; { $limit }
sum-decided = { MONEY($amount) } went back by decision
sum-limit-differential = the most is { MONEY($most) } = { MONEY($lighter) } on { BOX($other) } + the Differential { MONEY($differential) }
sum-limit-maximum = the most is the maximum { MONEY($maximum) }
sum-lost = { MONEY($amount) } lost
sum-lost-limited = { MONEY($amount) } lost (by { $price }); { $limit }
sum-over-maximum = { MONEY($amount) } went back: { MONEY($stake) } − { MONEY($maximum) } over the maximum
sum-placed = { MONEY($amount) } placed on { BOX($box) }
sum-placed-chips = { MONEY($amount) } = { NUMBER($chips) } chips × { MONEY($value) } placed on { BOX($box) }
sum-plays-exempt = { MONEY($stake) } is under the minimum { MONEY($minimum) } and plays in full
sum-plays-maximum = of { MONEY($stake) } the maximum { MONEY($maximum) } plays
sum-plays-once = { MONEY($stake) } is under the minimum { MONEY($minimum) }: settled this one time, which was not used before
sum-rejected = { MONEY($amount) } rejected: { MONEY($total) } on { BOX($box) } − { MONEY($most) } is over; { $limit }
sum-stake = { MONEY($amount) } of the stake went back with the win
sum-used-once = { MONEY($amount) } went back: { MONEY($stake) } is under the minimum { MONEY($minimum) }, and the one time was used before
sum-void = { MONEY($amount) } went back: the round is void by { $void }
sum-withdrawn = { MONEY($amount) } withdrawn: { MONEY($stake) } − { MONEY($amount) } = { MONEY($left) }
sum-won = { MONEY($amount) } won = { MONEY($action) } × { $odds } to { $to }
sum-won-limited = { MONEY($amount) } won = { MONEY($action) } × { $odds } to { $to } (by { $price }); { $limit }
