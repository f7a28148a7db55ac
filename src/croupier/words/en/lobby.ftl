# The page /lobby.

lobby-welcome = The floor
lobby-lead = Every table plays by its approved rulebook. Every payment cites its clause.
lobby-demo = A demonstration. No money changes hands; nothing here is a bet.
lobby-howTitle = In one minute
lobby-how1 = Sit down. Choose a table and a layout below: you get a seat and credit to play with.
lobby-how2 = Bet. Tap a chip, then the felt, until No More Bets. Dice and ball come from simulated devices.
lobby-how3 = Look behind it. Enter as Dealer, Pit Supervisor, Manager or Cashier and see the same round from there; supervisors also audit.
lobby-play = Take a seat
lobby-seatFree = { $free } of { $seats } seats free
lobby-noSeat = No free seat
lobby-layout = Layout
lobby-watch = Display
lobby-deal = Console
lobby-enterAs = Enter as
lobby-staff = For the staff
lobby-limits = { $minimum } to { $maximum }
lobby-differential = Differential { $amount }
lobby-version = Version { $version }
lobby-last = Last results
lobby-noLast = No round has been played yet.
lobby-tables = Tables
lobby-floorGone = The floor does not answer. Trying again…
lobby-rules = Rules: { $book }
lobby-people = People on duty
