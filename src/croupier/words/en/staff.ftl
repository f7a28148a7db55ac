# What the pages of the staff share.

## Staff

staff-lobby = Lobby
staff-console = Game Console
staff-pit = Pit
staff-cashier = Cashier
staff-audit = Audit
staff-display = Display
staff-office = Office
staff-lab = Lab
staff-settings = Settings
staff-signIn = Sign in
staff-signInTo = Sign in to the { $page }
staff-signInWhy = Every act is recorded in the name of the person who does it.
staff-name = Name
staff-password = Password
staff-signingIn = Signing in…
staff-signOut = Sign out
staff-ownPassword = Your password
staff-passwordBefore = Current password
staff-passwordNew = New password
staff-ownPasswordHint = Choose one that nobody else knows. You then sign in again with it.
staff-setOwnPassword = Set your password
staff-passkeys = Your passkeys: { $count }
staff-passkeyHint = What you ask for or approve as one of two people is signed by a device of your own.
staff-addPasskey = Add a passkey
staff-noPasskey = This device has not made a passkey.
staff-standsLent = You signed in with a password or link that somebody else made. Set a password of your own in the settings before you ask for or approve an act of two people.
staff-standsUnconfirmed = Nobody has confirmed yet that you are { $person }. Show your code { $code } to those who know you; they confirm it in the pit or the office.
staff-confirmations = To be confirmed
staff-confirmHint = Confirm only a person in front of you, and only if their screen shows this code.
staff-vouchedBy = Agreed: { $people }
staff-confirm = Confirm
staff-signOutEverywhere = Sign out on every machine
staff-signedInAs = Signed in as { $person }
staff-elsewhere = This page is not for { $person }. Sign in as somebody else, or go to one of your own pages.
staff-login = The name or the password is wrong.
staff-lockedOut = Too many attempts. Wait a little, then try again.
staff-toLobby = To the lobby
staff-pages = Your pages
staff-lost = Connection lost. What is shown may be old; nothing can be done until it is back.
staff-connecting = Connecting to the floor…
staff-refused = You may not see this.
staff-silent = The floor did not answer. Asking again…
staff-unknown = The floor did not answer. It is not known whether this was done: check before you do it again.
staff-refusal = Not done
staff-done = Done
staff-cancel = Cancel
staff-close = Close
staff-table = Table
staff-round = Round { $round }
staff-clause = Clause { $clause }
staff-state_open = Open
staff-state_closed = Closed
staff-state_locked = Locked
staff-state_interrupted = Interrupted
staff-state_standing-still = Stands still
staff-state_stopped = Stopped
staff-phase_ready = Ready for the next round
staff-phase_betting = Bets are open
staff-phase_spinning = The ball runs, bets are open
staff-phase_closed = Bets are closed
staff-phase_moving_dice = The dice tumble
staff-phase_moving_wheel = The ball runs, bets are closed
staff-phase_rest_dice = The dice lie still
staff-phase_rest_wheel = The ball lies still
staff-phase_entering = The result is being entered
staff-phase_entered = The result is entered and not settled
staff-phase_settling = Bets are being settled
staff-phase_interrupted = Interrupted: bets stay held
staff-electronic = Electronic
staff-live = Live
staff-minimum = Minimum
staff-maximum = Maximum
staff-differential = Differential
staff-unit = Chip unit
staff-allBoxes = All boxes
staff-none = None
staff-void = void
staff-voidBy = Void by { $clause }
staff-seconds = { $seconds } s

## Effects

effects-lock = The table is locked by { $clause } until two people unlock it.
effects-collected = Collected
effects-winnings = Winnings paid
effects-returned = Stakes returned
effects-owed = Left owing
effects-told = Players informed
effects-player = Player
effects-box = Box
effects-stake = Stake
effects-before = Got before
effects-gets = Gets
effects-nothing = No money moves.

## Requests

requests-from = asked by { $person }
requests-until = { $seconds } s left
requests-approve = Approve
requests-decline = Decline
requests-own = Another person must agree.
requests-notYours = Your rank does not approve this. Another person must agree.
requests-reportedBy = reported by { $person }; the round stands still
requests-device = { $device } reports otherwise:
requests-began = began in its time
requests-count = counted { $count }
requests-read = read { $outcome }
requests-void = The round is void
requests-goesOn = The round goes on
requests-notDecided = A supervisor who did not report it decides.

## Why a table takes no commands

stopped-away = the database does not answer; no command is taken until it does, and registered bets are safe
stopped-full = its disk is full: open rounds are finished, nothing new begins
stopped-unsafe = nothing new begins, because the database may lose data or was changed: { LIST($found) }
stands-still = { NAME($place, "place") }: { $why }
stopped-elsewhere = another machine owns it
stopped-fault = stopped by a fault: { $error }
stopped-replaced = row { $reached } of { $stream } in the journal is not the row that was acknowledged
stopped-shortened = the journal of { $stream } ends at row { $ends } but had reached row { $reached }

# What would change with another book.

change-after = After
change-alternativesLost = The House can no longer read these rulings otherwise: { $rulings }
change-ask = Ask to take it up
change-before = Before
change-box = Bet
change-cancel = Give up the plan
change-clause = Clause
change-correction = corrected encoding of the same text
change-differences = { $count } differences
change-edge = Edge
change-gone = No longer offered on layout { $layout }: { $boxes }
change-hour = in effect from { $hour }
change-nextPause = the next pause between two rounds
change-noLayout = None of the layouts on display is left. It has: { $known }
change-none = Nothing changes.
change-notBefore = Not before, by the clock of this device
change-planned = { $book } is planned: { $one } asked, { $other } agreed. It is taken up between two rounds, from { $time } on.
change-version = another version
change-versionOf = version { $version }
change-was = From round { $round } on: { $book }, { $old } → { $new }, { $time }: { $one } asked, { $other } agreed
change-why = Reason
change-part_announcement = Announcement
change-part_boxes = Boxes
change-part_calls = Calls
change-part_clauses = Clauses
change-part_felt = Felt
change-part_identity = Identity
change-part_interruption = Interruptions
change-part_irregularities = Irregularities
change-part_layouts = Layouts
change-part_limits = Rules of limits
change-part_odds = Odds
change-part_order_of_play = Order of play
change-part_prompts = Duties of people
change-part_readings = Readings
change-part_titles = Titles
