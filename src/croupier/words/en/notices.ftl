# What a Player must know: notice-KIND-CASE, with the facts that croupier.protocol.notices declares.

notice-book-boxes-gone = No longer offered on layout { $layout }: { BOXES($boxes) }
notice-book-layout-gone = Your layout is no longer offered; this seat now has layout { $layout }
notice-book-taken-up = From round { $round } on this table plays under { $book }. Your credit is unchanged
notice-corrected-again-gain = { $owed ->
    [0] Round { $round } was settled again with result { $outcome }, because { $reason }: you receive { MONEY($amount) }
   *[other] Round { $round } was settled again with result { $outcome }, because { $reason }: you receive { MONEY($amount) }; { MONEY($owed) } of it is owed
 }
notice-corrected-again-loss = { $owed ->
    [0] Round { $round } was settled again with result { $outcome }, because { $reason }: { MONEY($amount) } goes back to the House
   *[other] Round { $round } was settled again with result { $outcome }, because { $reason }: { MONEY($amount) } goes back to the House; you still owe { MONEY($owed) } of it
 }
notice-corrected-again-same = { $owed ->
    [0] Round { $round } was settled again with result { $outcome }, because { $reason }: nothing changes for you
   *[other] Round { $round } was settled again with result { $outcome }, because { $reason }: nothing changes for you; { MONEY($owed) } of it is owed
 }
notice-corrected-void-gain = { $owed ->
    [0] Round { $round } is void, because { $reason }: you receive { MONEY($amount) }
   *[other] Round { $round } is void, because { $reason }: you receive { MONEY($amount) }; { MONEY($owed) } of it is owed
 }
notice-corrected-void-loss = { $owed ->
    [0] Round { $round } is void, because { $reason }: { MONEY($amount) } goes back to the House
   *[other] Round { $round } is void, because { $reason }: { MONEY($amount) } goes back to the House; you still owe { MONEY($owed) } of it
 }
notice-corrected-void-same = { $owed ->
    [0] Round { $round } is void, because { $reason }: nothing changes for you
   *[other] Round { $round } is void, because { $reason }: nothing changes for you; { MONEY($owed) } of it is owed
 }
notice-cut-out-of-action = { GIVEN($box) ->
    [yes] { MONEY($amount) } of your bet on { BOX($box) } is out of action and was returned
   *[no] { MONEY($amount) } of a bet of yours is out of action and was returned
 }
notice-decided-move = Your bet now plays on { BOX($box) }, because { $reason }
notice-decided-return = Your bet of { MONEY($amount) } on { BOX($box) } was returned, because { $reason }
notice-decided-stand = Your bet on { BOX($box) } stands, because { $reason }
notice-decided-terminal-failed = Your bet of { MONEY($amount) } on { BOX($box) } was returned, because the terminal failed before the close
notice-interrupted-terminal = This terminal was interrupted; its registered bets play
notice-loss-records = Records of this table up to number { $row } were lost; a registered bet or credit may be missing, so please speak to the staff
notice-rejected-over-limit = { GIVEN($box) ->
    [yes] { MONEY($amount) } of your bet on { BOX($box) } is over the limit and was returned
   *[no] { MONEY($amount) } of a bet of yours is over the limit and was returned
 }
notice-short-under-minimum = { GIVEN($box) ->
    [yes] Your bet on { BOX($box) } is under the minimum { MONEY($minimum) }
   *[no] A bet of yours is under the minimum { MONEY($minimum) }
 }
notice-void-round = Round { $round } is void: { MONEY($amount) } of your stakes was returned
