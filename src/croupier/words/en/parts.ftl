# Parts that every page may show.

## Felt

felt-own = your stake { $amount }
felt-pays = pays { $odds }
felt-wins = wins
felt-which = Which did you mean?
felt-none = None of these

## Parts

parts-close = Close
parts-picture = Illustration only: the result comes from the table
parts-tumbling = The dice tumble
parts-tumblingCovered = The dice tumble under the cover
parts-underCover = The dice lie under the cover
parts-lastResult = Result of the last round
parts-waiting = Waiting for the next round
parts-betsOpen = Bets are open
parts-ballRuns = The ball runs
parts-secondsLeft = { $seconds } seconds until bets close
parts-roads = Results so far, for information only
parts-dice = Dice
parts-number = Number
parts-total = Total
parts-noResults = No result yet.
parts-language = Language
parts-room = Light
parts-dark = Dark room
parts-day = Daylight
parts-clause = clause { $clause }
parts-connecting = Connecting to the floor…
parts-lost = Connection lost. Betting is off; your registered bets are safe. Reconnecting…
parts-refused = This terminal is not known on this floor.
parts-elsewhere = This seat was opened on another terminal.
parts-again = Try again
parts-full = There is no room for another terminal on this floor.
parts-houseTime = Local time ({ $zone })
parts-understood = Understood
