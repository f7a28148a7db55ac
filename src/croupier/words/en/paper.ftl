# What stands on paper: tickets, reports of rounds, and documents. The fonts that come along write English only.

paper-page = page { $page } of { $pages }

## A ticket: labels are set in capitals

paper-ticket-document = Cashout ticket { $number }
paper-ticket-title = CASHOUT TICKET
paper-ticket-validation = Validation
paper-ticket-issued = Issued
paper-ticket-place = Place
paper-ticket-expires = Void after
paper-ticket-redeemed = REDEEMED
paper-ticket-paid = PAID
paper-ticket-void = VOID
paper-ticket-expired = EXPIRED
paper-ticket-duplicate = DUPLICATE

## The report of a round

paper-round-title = Round { $round } at table { $table }
paper-round-result = Result
paper-round-began = Began
paper-round-ended = Ended
paper-round-rulebook = Rulebook
paper-round-hash = Hash of the rulebook
paper-round-layouts = Layouts
paper-round-limits = Limits
paper-round-no-limits = none given
paper-round-bets = Bets
paper-round-staked = { $bets ->
    [0] No bet was placed.
    [one] 1 bet, { MONEY($staked) } staked in all.
   *[other] { NUMBER($bets) } bets, { MONEY($staked) } staked in all.
 }
paper-round-bet = Bet
paper-round-seat = Seat
paper-round-box = Box
paper-round-stake = Stake
paper-round-fate = What happened to it
paper-round-clause = Clause
paper-round-story = What happened
paper-round-no-story = Nothing is recorded.
paper-round-sums = Why money moved
paper-round-money = Money
paper-round-no-money = No money moved.
paper-round-from = From
paper-round-to = To
paper-round-amount = Amount
paper-round-reason = Reason
paper-round-proof = Proof
paper-round-no-proof = None is given.
paper-proof-checkpoint-hash = hash of that row
paper-proof-checkpoint-row = checkpoint at row
paper-proof-corrections = corrected in rows
paper-proof-first-row = first row
paper-proof-last-row = last row
paper-proof-none = none
paper-proof-row-hash = hash of the last row
paper-proof-signature = signature
