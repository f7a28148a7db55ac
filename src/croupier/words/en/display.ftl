# The page /display.

display-title = Display
display-choose = Choose a table
display-information = For information only. What the table shows stands.
display-last = Last result
display-now = Result
display-none = No result yet
display-void = Void by clause { $clause }: all bets were returned
display-next = Round { $round }
display-limits = Minimum { $minimum } · Maximum { $maximum }
display-differential = Differential { $amount }
display-roads = Results so far, newest on the right
display-dice = Dice
display-number = Number
display-total = Total
display-counts = How often, in the last { $counted } rounds
display-seen = { $number }: { $count } times, { $expected } expected
display-closed = This table is closed.
display-locked = This table is paused.
display-interrupted = The round is interrupted. Registered bets are safe.
display-still = The round stands still until a supervisor decides. Registered bets are held.
display-lost = No connection
