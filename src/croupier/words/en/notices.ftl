# What a Player must be told: notice-KIND-CASE, with the facts that croupier.protocol.notices declares.

notice-corrected-again-gain = { $owed ->
    [0] Round { $round } is settled again by { $outcome }, because { $reason }: { MONEY($amount) } come to you
   *[other] Round { $round } is settled again by { $outcome }, because { $reason }: { MONEY($amount) } come to you; { MONEY($owed) } of it is owed
 }
notice-corrected-again-loss = { $owed ->
    [0] Round { $round } is settled again by { $outcome }, because { $reason }: { MONEY($amount) } go back to the House
   *[other] Round { $round } is settled again by { $outcome }, because { $reason }: { MONEY($amount) } go back to the House; { MONEY($owed) } of it is owed
 }
notice-corrected-again-same = { $owed ->
    [0] Round { $round } is settled again by { $outcome }, because { $reason }: nothing changes for you
   *[other] Round { $round } is settled again by { $outcome }, because { $reason }: nothing changes for you; { MONEY($owed) } of it is owed
 }
notice-corrected-void-gain = { $owed ->
    [0] Round { $round } is void, because { $reason }: { MONEY($amount) } come to you
   *[other] Round { $round } is void, because { $reason }: { MONEY($amount) } come to you; { MONEY($owed) } of it is owed
 }
notice-corrected-void-loss = { $owed ->
    [0] Round { $round } is void, because { $reason }: { MONEY($amount) } go back to the House
   *[other] Round { $round } is void, because { $reason }: { MONEY($amount) } go back to the House; { MONEY($owed) } of it is owed
 }
notice-corrected-void-same = { $owed ->
    [0] Round { $round } is void, because { $reason }: nothing changes for you
   *[other] Round { $round } is void, because { $reason }: nothing changes for you; { MONEY($owed) } of it is owed
 }
notice-cut-out-of-action = { MONEY($amount) } of bet { $bet } is out of action and went back
notice-decided-move = Bet { $bet }: it plays on { BOX($box) }, because { $reason }
notice-decided-return = Bet { $bet }: it was returned, because { $reason }
notice-decided-stand = Bet { $bet }: it stands, because { $reason }
notice-decided-terminal-failed = Bet { $bet }: it was returned, because the terminal failed before the close
notice-interrupted-terminal = This terminal was interrupted; the bets it had registered play
notice-loss-records = Records of this table up to number { $row } were lost; a bet or credit that had been registered may be missing, so please speak to the staff
notice-rejected-over-limit = { MONEY($amount) } of bet { $bet } is over the limit and went back
notice-short-under-minimum = Bet { $bet } is under the minimum { MONEY($minimum) }
notice-void-round = Round { $round } is void: { MONEY($amount) } of your stakes went back
