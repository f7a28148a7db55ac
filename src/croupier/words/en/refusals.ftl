# Why something is refused: refused-REASON-CASE, with the facts that croupier.rules.reasons declares.

## Account

refused-account-retired = the account of { $person } was retired
refused-account-retired-name = the account of { $person } was retired; a name is not given twice
refused-account-there = { $person } has an account already
refused-account-unknown = there is no account { $person }

## Act

refused-act-keys-only = { $device } cannot { NAME($act, "device") }; people press its keys
refused-act-no-cover = { $device } cannot { NAME($act, "device") }: it has no cover
refused-act-prints-only = { $device } cannot { NAME($act, "device") }; a printer only prints
refused-act-unable = { $device } cannot { NAME($act, "device") }; it can { NAMES($able, "device", "or") }

## Address

refused-address-no-cluster = no Ray cluster at { $address }: { $error }
refused-address-unreadable = “{ $address }” is not an address of a cluster; write host:port

## Administrator

refused-administrator-nobody = at least one account must be an Administrator

## Alert

refused-alert-acknowledged = { $person } has acknowledged alert { $alert } already
refused-alert-open = alert { $alert } says the same and is still open
refused-alert-too-many = { $alerts } alerts wait to be acknowledged; no more are taken
refused-alert-unknown = there is no alert { $alert }
refused-book-before-its-hour = { $book } must not be taken up before { MOMENT($since) }
refused-book-due = { $book } is in force since { MOMENT($since) }: it is taken up before another round begins
refused-book-in-force = the table plays under this encoding of { $book } already
refused-book-in-force-other = the table plays under another book by now: { $book }
refused-book-no-layout = name the layouts to display, each once: { $book } has { LIST($known) }
refused-book-none-planned = no change of the rulebook is planned
refused-book-not-brought = the table does not have the text with the hash { $hash }
refused-book-not-later = { $book } is no later version of { $old }: { $hour } is not after { $old_hour }
refused-book-other-id = the book with this hash is { $book }, not { $named }
refused-book-other-text = { $book } is no version of { $old }: it has another id, and does not say that it replaces it, or is for another kind of table
refused-book-planned-already = a change to { $book } is planned already: give it up first
refused-book-round-under-way = { $book } is taken up between two rounds, and a round is under way
refused-book-too-long = the text is longer than { NUMBER($most) } characters
refused-book-unreadable = the text is no rulebook: { $error }
refused-text-of-an-alert-letters = the text of an alert has 1 to { $most } characters

## Alternative

refused-alternative-not-of-book = ruling { $ruling } has no alternative in { $book }

## Amount

refused-amount-not-above-zero = an amount must be above 0.00, not { MONEY($amount) }
refused-amount-over-bet = { GIVEN($box) ->
    [yes] the bet of { $seat } on { BOX($box) } holds { MONEY($held) }, less than { MONEY($amount) }
   *[no] the bet holds { MONEY($held) }, less than { MONEY($amount) }
 }
refused-amount-too-large = { MONEY($amount) } is too large; an amount is at most { MONEY($most) }

## Approval

refused-approval-content-other = what was approved is not what request { $request } asks for
refused-approval-expired-expired = request { $request } has expired; ask again
refused-approval-not-expired = request { $request } has not expired; a person may still approve it
refused-approval-round-over = the round that request { $request } was about is over
refused-approval-unknown = { GIVEN($waiting) ->
    [yes] request { $request } does not wait for a second person; these do: { LIST($waiting) }
   *[no] request { $request } does not wait for a second person; no request does
 }

## Approved

refused-approved-code-around = Python would load code from { $place }, which holds { $folder }, and its files change all the time; start croupier itself, or python -P
refused-approved-compiled-otherwise = { $more ->
    [0] { LIST($places) }: not compiled from the sources next to them; delete these files and start again
   *[other] { LIST($places) } and { NUMBER($more) } more: not compiled from the sources next to them; delete these files and start again
 }
refused-approved-ended = the software cannot be checked: the program that checks it ended with exit code { $code }: { $error }
refused-approved-no-approver = the setting approver names nobody whose signature could be checked
refused-approved-no-manifest = { $file } is not a manifest
refused-approved-none = there is no { $file }: nobody has approved what is installed
refused-approved-other-format = { $file } is no longer valid: an earlier Croupier signed it with the floor's own key; let the approver sign what is installed now
refused-approved-other-software = { $more ->
    [0] this is not the approved software; it differs in { NAMES($places, "software") }; run croupier manifest to have it approved, or set approved = "off" to run without approval
   *[other] this is not the approved software; it differs in { NAMES($places, "software") } and { NUMBER($more) } more; run croupier manifest to have it approved, or set approved = "off" to run without approval
 }
refused-approved-own-key = { $file } is the floor's own key; the approver needs another key, kept elsewhere
refused-approved-unfinished = the software cannot be checked: { $error }
refused-approved-unreadable = { $file } cannot be read as a manifest: { $error }
refused-approved-unsigned = { $file } is not signed by { $key }

## Archive

refused-archive-cut-off = { $file } cannot be unpacked: it is cut off
refused-archive-misnamed = { $file } does not have the name of an archive, which is TABLE.FIRST-LAST{ $ending }
refused-archive-more-after-end = { $file } cannot be unpacked: something follows its end
refused-archive-not-packed = { $file } cannot be unpacked: it does not begin as an archive does
refused-archive-of-another-stream = { $file } holds another stream than its name says, or an owner
refused-archive-of-other-rows = { $file } holds other rows in its table { $table } than its name says
refused-archive-of-other-tables = { $file } holds tables that an archive does not have
refused-archive-rows-from-to = { $file } holds rows { $first } to { $last }, which its name does not say
refused-archive-stray-pages = { $file } has pages that belong to none of its tables
refused-archive-table-filled = { $file } has rows in its table { $table }, where an archive has none
refused-archive-unpackable = { $file } cannot be unpacked: { $error }

## Archived

refused-archived-answered = it was answered in row { $row }, but the archive of that row is not here or cannot be read
refused-archived-figures-from = the rows of { $table } before { $row } are in an archive that is not here; figures are available for times after { MOMENT($moment) }
refused-archived-needed = row { $row } of { $table } can only be checked with older rows, which are in an archive that is not here
refused-archived-rows-before = the rows of { $table } before { $row } are in an archive that is not here

## Arrays

refused-arrays-lengths = boxes, stakes and outcomes must be equally long lists
refused-arrays-out = out must be as long as the stakes and of type int64, and must not be the stakes themselves
refused-arrays-whole-numbers = boxes, stakes and outcomes must be whole numbers, not { $type }

## Asker

refused-asker-nothing-to-sign = { $person } has no request { $request } to sign
refused-asker-retired = the account of { $person } was retired, so request { $request } can no longer be approved
refused-asker-unconfirmed = { $person } is not confirmed, so request { $request } cannot be approved
refused-asker-unknown = the session in which request { $request } was made is not known; make the request again

## Away

refused-away-database = the database does not answer; nothing can be registered until it does, and what was registered is safe
refused-away-floor = the floor does not answer just now; try again in a while
refused-away-sessions = the database has not answered for too long, so nobody's session can be checked

## Bankroll

refused-bankroll-too-large = a bankroll of { MONEY($bankroll) } is too large
refused-bankroll-too-many = { NUMBER($bankrolls) } different bankrolls are too many to follow; the most is { NUMBER($most) }: give a stop-win, fewer rounds or rounder stakes
refused-bankroll-too-small = { MONEY($bankroll) } cannot pay for bets of { MONEY($staked) }

## Bet

refused-bet-never-here = there was no such bet at this table
refused-bet-none-given = there is no bet; give at least one, like { $example }
refused-bet-not-a-bet = “{ $text }” is not a bet; write box=amount, like total:8=10.00
refused-bet-not-in-round = { $seat } had no such bet in round { $round }
refused-bet-not-named = name the bets to return
refused-bet-not-of-a-seat = “{ $text }” is not a bet of a seat; write seat:box=amount, like A1:total:8=10.00
refused-bet-not-on-table = that bet is not on the table in round { $round }
refused-bet-unknown-in-round = { GIVEN($known) ->
    [yes] round { $round } had no bet { $bet }; it had { LIST($known) }
   *[no] round { $round } had no bet { $bet }; it had none
 }
refused-bet-unregistered = no bet { $bet } was registered at { $table }
refused-bet-unregistered-here = no bet { $bet } was registered at { $table } from row { $row } on; the rows before it are in an archive that is not here

## Box

refused-box-near = layout { $layout } has no box “{ $box }”; did you mean { LIST($near, "or") }?
refused-box-none = layout { $layout } has no box “{ $box }”
refused-box-other-numbers = layout { $layout } has no box “{ $box }”; { $word } has { LIST($numbers) }, like { $like }
refused-box-outside = a box number must be 0 to { NUMBER($last) }

## Busy

refused-busy-answers = { $waiting } commands wait for their answers already; send this one again later
refused-busy-in-motion = { $device } is in motion; it cannot { NAME($act, "device") } until it rests
refused-busy-lab = the lab is busy; ask again soon
refused-busy-lab-slow = the lab did not answer within { SECONDS($seconds) }; ask again
refused-busy-lab-worker = the lab's worker process has ended; ask again
refused-busy-library = too many questions are waiting; ask again soon
refused-busy-often = too many tries; wait a little and try again
refused-busy-questions = too many old rounds are being looked up just now; try again in a while
refused-busy-tries = too many people are signing in just now; try again

## Chain

refused-chain-not-following = checkpoint { $number } in the database does not follow those in { $file }

## Checkpoint

refused-checkpoint-none-of-file = { $file } cannot be read as checkpoints: none of its lines is one
refused-checkpoint-none-since = no checkpoint was signed since round { $round } of { $table } was last changed
refused-checkpoint-unreadable = { $file } cannot be read as checkpoints: { $error }

## Checks

refused-checks-not-made = the opening check “{ NAME($check, "check") }” was not made
refused-checks-unknown = there is no opening check “{ $check }”; there are { NAMES($known, "check", "and") }

## Chip

refused-chip-not-above-zero = a chip must be worth more than 0.00, not { MONEY($chip) }

## Closed

refused-closed-not-open = the table is not open for gaming

## Colour

refused-colour-bets-left = { $seat } still has bets on the table; take the colour chips back when there are none
refused-colour-given = { $colour } chips belong to { $seat }; each colour is for one Player
refused-colour-none = { $seat } has no colour chips
refused-colour-none-at-electronic = an electronic table has no colour chips
refused-colour-one-colour = { $seat } has { $colour } chips already; a Player has one colour
refused-colour-other-worth = { $chips } { $colour } chips at { MONEY($value) } are { MONEY($worth) }, not { MONEY($stake) }
refused-colour-whole-chips = { GIVEN($box) ->
    [yes] the bet of { $seat } on { BOX($box) } is made of chips of { MONEY($value) }; only whole chips can be withdrawn
   *[no] the bet is made of chips of { MONEY($value) }; only whole chips can be withdrawn
 }

## Confirmed

refused-confirmed-already = { $person } is confirmed already

## Cover

refused-cover-covered = { $device } is covered already
refused-cover-needed = { $device } is open; its dice tumble under the cover
refused-cover-open = { $device } is open already

## Credit

refused-credit-short = { $seat } has { MONEY($credit) } in credit, less than { MONEY($amount) }

## Demo

refused-demo-no-answer = { $url } does not answer: { $error }
refused-demo-refused = { $url } answers: { $said }

## Durability

refused-durability-may-lose = the database may lose what is written: { LIST($settings) }; croupier doctor lists what to change

## Debt

refused-debt-less = { $seat } owes { MONEY($owes) }, less than { MONEY($amount) }

## Disk

refused-disk-full = the disk is full: rounds in play are finished, and nothing new begins until there is room

## Durability

refused-durability-nothing-new = the database may lose what is written: rounds in play are finished, and nothing new begins

## Early

refused-early-ticket-lives = ticket { $ticket } is valid until { MOMENT($expires) }, and it is only { MOMENT($at) }

## Early bet

refused-early-bet-unpaid = the winning bets of the last round are not paid yet

## Early close

refused-early-close-before-spin = { GIVEN($allowed) ->
    [yes] before the spin, bets are closed only if { NAMES($allowed, "one-role", "or") } allows it
   *[no] before the spin nobody may close bets
 }

## Edge

refused-edge-out-of-range = { $edge } is out of range; give an edge of 0% or more and less than 100%

## Engine

refused-engine-in-a-cluster = this process already belongs to a Ray cluster; leave it first
refused-engine-no-cluster = no Ray cluster at { $address }: { $error }
refused-engine-no-ray = Ray is not installed; install croupier[ray], or use the engine processes
refused-engine-ray-imported = Ray was imported before and would open ports on { $address }; start a new process
refused-engine-unknown = “{ $engine }” is not an engine; the engines are { LIST($known, "and") }

## Entry

refused-entry-keys-of-dice = enter the result of dice with the six keys and the entry key
refused-entry-no-key = there is no key “{ $key }”; the keys are 1 to 6
refused-entry-number-of-wheel = enter the result of a wheel as its number
refused-entry-three-first = { GIVEN($shown) ->
    [yes] press three numbers before the entry key; the light shows { LIST($shown) }
   *[no] press three numbers before the entry key; the light shows nothing
 }

## Established

refused-established-contradicts = { LIST($shown) } contradicts what is known: { LIST($known) }
refused-established-covered = the dice were still covered: no outcome was established
refused-established-known = { LIST($known) } is known, so an outcome is established

## Evidence

refused-evidence-none = there is no { $file }; run make test to write it, or name another with --evidence
refused-evidence-unreadable = { $file } is not an evidence file; run make test to write one

## Excess

refused-excess-latest-first = { GIVEN($seat) ->
    [yes] the latest bet on { BOX($box) } is rejected first: { MONEY($stake) } of { $seat }
   *[no] the latest bet on { BOX($box) } is rejected first
 }
refused-excess-over = { BOX($box) } is { MONEY($over) } over its limits, so { MONEY($amount) } is too much to reject

## Extra

refused-extra-missing = { $module } is not installed: { $install }

## Fault

refused-fault-no-cover = { $device } cannot have the fault “{ $fault }”: it has no cover
refused-fault-rate = { $device }: a fault in one of { $one_in } is out of range; give 0 for none, or 1 to { $most }
refused-fault-server = the server has met an unexpected error; it is in the log
refused-fault-unable = { $device } cannot have the fault “{ $fault }”; it can have { LIST($able, "or") }

## Floor

refused-floor-has-accounts = { $address } has accounts; evenings can only be put into a floor without accounts
refused-floor-has-checkpoints = { $folder } already has checkpoints that other keys have signed; nothing was changed
refused-floor-has-keys = { $folder } has keys already; nothing was changed
refused-floor-none-yet = { $folder } is not a floor yet; croupier init makes one
refused-floor-otherwise-accepted = line { $line } is not as the transcript says: the floor accepted it
refused-floor-otherwise-refused = line { $line } is not as the transcript says: the floor refused it ({ $why })
refused-floor-unmakable = { $folder } cannot be made: { $error }

## Forged

refused-forged-fork = line { $line } of { $file }: checkpoint { $number } differs from the one in line { $other_line } of { $other_file }: the chain has a fork
refused-forged-gap = line { $line } of { $file }: checkpoint { $missing } is missing before checkpoint { $number }
refused-forged-not-following = line { $line } of { $file }: checkpoint { $number } does not follow checkpoint { $before }
refused-forged-order = line { $line } of { $file }: checkpoint { $number } stands after checkpoint { $after }
refused-forged-unreadable-line = line { $line } of { $file } is not a checkpoint
refused-forged-unsigned-checkpoint = checkpoint { $number } of { $file } is not signed by { $key }
refused-forged-unsigned-line = line { $line } of { $file } is not signed by { $key }

## Founders

refused-founders-no-administrator = one of the founders must be an Administrator
refused-founders-once = a floor names its founders only once; people who are confirmed confirm the others
refused-founders-people = name at least { $least } founders, each of them in supervision or an Administrator

## Habit

refused-habit-empty = a Player needs boxes, stakes and 1 to { NUMBER($most) } bets a round

## Interrupted

refused-interrupted-already = the round is interrupted already
refused-interrupted-bets-safe = the round is interrupted; registered bets are safe
refused-interrupted-not-over = the interruption is not over
refused-interrupted-nothing = nothing is interrupted
refused-interrupted-nothing-to-attest = no interruption waits for an attestation of the dice or the ball
refused-interrupted-waits-for-ball = the round waits for the ball, not for an attestation

## Irregularity

refused-irregularity-correction = “{ NAME($irregularity, "irregularity") }” needs a correction by two people, not a report
refused-irregularity-interruption = “{ NAME($irregularity, "irregularity") }” is an interruption: say which part failed
refused-irregularity-no-clause = { $book } has no clause for this act
refused-irregularity-not-of-book = { $book } has no irregularity “{ $irregularity }”; it has { NAMES($known, "irregularity") }
refused-irregularity-not-past = “{ NAME($irregularity, "irregularity") }” does not void rounds that are over
refused-irregularity-on-behalf = { GIVEN($box) ->
    [yes] the bet on { BOX($box) } was placed for { $seat } and plays where it lies
   *[no] the bet was placed for { $seat } and plays where it lies
 }
refused-irregularity-other-phase = “{ NAME($irregularity, "irregularity") }” does not apply while { PHASE($phase) }; it applies while { PHASES($allowed, "or") }
refused-irregularity-own-act = “{ NAME($irregularity, "irregularity") }” has an act of its own and is not reported

## Kernel

refused-kernel-no-numba = Numba is not installed; install croupier[sim], or use the kernel numpy
refused-kernel-unknown = “{ $kernel }” is not a kernel; the kernels are { LIST($known, "and") }

## Key

refused-key-not-pem = { $file } holds no key in PEM form
refused-key-of-another-floor = { $key } is not the key of this floor; copy keys/ from the machine that made it
refused-key-of-another-kind = { $file } holds a key of another kind; it must be Ed25519
refused-key-own = this is the floor's own key; the approver needs another key, kept elsewhere
refused-key-unreadable-public = { $file } cannot be read as a public key: { $error }
refused-key-unreadable-signing = { $file } cannot be read as a signing key: { $error }

## Late bet

refused-late-bet-after-close = bets are closed: No More Bets was called

## Late withdrawal

refused-late-withdrawal-after-close = bets are closed: No More Bets was called
refused-late-withdrawal-lost = { GIVEN($box) ->
    [yes] the bet on { BOX($box) } has lost
   *[no] the bet has lost
 }

## Layout

refused-layout-approved-only = this page has only the approved books; for a file of your own, run croupier whatif
refused-layout-each-once = name at least one layout, and each only once
refused-layout-has-bets = { $seat } has bets of { MONEY($held) } on layout { $layout }; choose another layout when there are none
refused-layout-not-of-book = { $book } has no layout “{ $layout }”; it has { LIST($known) }
refused-layout-not-offered = this table does not offer the layout “{ $layout }”; it offers { LIST($offered) }
refused-layout-of-table = in this game the table has one layout for every Player
refused-layout-one-displayed = a table displays only one layout, not { LIST($layouts, "and") }
refused-layout-say-which = { $book } has several layouts; say which
refused-layout-too-many-ways = { $layout } has { NUMBER($ways) } ways; a simulation can draw from at most { NUMBER($most) }
refused-layout-which = { $book } has several layouts; say which: { LIST($known) }

## Limits

refused-limits-beyond-counting = the stakes of this strategy can grow without bound; give a maximum
refused-limits-no-units = no number of units of { $bets } is between the minimum and the maximum
refused-limits-no-box = no layout has the box “{ $box }”
refused-limits-none-for-all = give a minimum and a maximum for all boxes
refused-limits-unit = the chip unit must be above 0.00, not { MONEY($unit) }
refused-limits-unit-unpayable = the chip unit { MONEY($unit) } cannot be paid in whole cents on { $layout }; it must be a multiple of { MONEY($least) }
refused-limits-steps = { BOX($box) }: the minimum { MONEY($minimum) } and the maximum { MONEY($maximum) } must be multiples of the chip unit { MONEY($unit) }, the minimum above 0.00 and not above the maximum
refused-limits-differential-needed = this book needs a Differential limit
refused-limits-differential-unknown = this book has no Differential limit
refused-maximum-over = { MONEY($total) } on { BOX($box) } is over the maximum { MONEY($maximum) }
refused-minimum-not-under = { $seat } is not under the minimum { MONEY($minimum) } on { BOX($box) }
refused-minimum-under = { MONEY($total) } on { BOX($box) } is under the minimum { MONEY($minimum) }

## Line

refused-line-labouchere = a Labouchere line needs 1 to { NUMBER($most) } whole numbers above 0, like { $example }

## Link

refused-link-used = this link was used already, or its time is over; ask for another
refused-link-life = a link is valid from now, for at most { $hours } hours
refused-link-unused = { $links } links of { $person } are unused; one is enough

## Locked

refused-locked-table = the table is locked until two people unlock it with a reason
refused-locked-wait = too many tries; wait { SECONDS($seconds) }, or ask for a one-time link

## Login

refused-login-wrong = wrong name or password
refused-login-wrong-password = this is not the password of { $person }

## Loss

refused-loss-nothing-missing = { GIVEN($missing) ->
    [yes] no rows of { $stream } are missing; rows are missing of { LIST($missing, "and") }
   *[no] no rows of { $stream } are missing, nor of any other stream
 }
refused-loss-replaced = row { $row } of { $stream } is not the row that the floor had confirmed; put back a better copy, or see croupier accept-loss
refused-loss-shortened = { $stream } ends at row { $ends }, but had reached row { $reached }; put back a better copy, or see croupier accept-loss

## Manner

refused-manner-unknown = there is no manner “{ $manner }”; the manners are { LIST($known, "and") }

## Media

refused-media-json = the body must be application/json

## Missing

refused-missing-archived = round { $round } of { $table } was archived, and its archive is not here
refused-missing-bet = round { $round } of { $table } had no bet { $bet }
refused-missing-file = there is no file { $file } here
refused-missing-layout = there is no layout “{ $layout }” here; there are { LIST($known) }
refused-missing-method = { $path } does not accept { $method }
refused-missing-mqtt = { $device } speaks MQTT: install croupier[mqtt]
refused-missing-page = there is no page or file { $file } here; make pages builds them all
refused-missing-round = { $table } has no round { $round } that is over
refused-missing-route = there is no page or route at { $path }
refused-missing-rulebook = there is no rulebook “{ $rulebook }” here; there are { LIST($known) }
refused-missing-seat = there is no seat “{ $seat }” here
refused-missing-stream = { GIVEN($known) ->
    [yes] there is no stream “{ $stream }” here; there are { LIST($known) }
   *[no] there is no stream “{ $stream }” here
 }
refused-missing-table = { GIVEN($known) ->
    [yes] there is no table “{ $table }” here; there are { LIST($known) }
   *[no] there is no table “{ $table }” here; there are no tables
 }
refused-missing-ticket = no ticket with this number was issued here, and none from elsewhere is known

## Money

refused-money-not-an-amount = “{ $text }” is not an amount; write 10, 10.00 or 1,250.50
refused-money-not-in-words = { MONEY($amount) } cannot be written in words; give 0.00 to { MONEY($most) }
refused-money-too-large = “{ $text }” is too large; the largest amount is { MONEY($most) }

## Motion

refused-motion-count = the number of tumbles or revolutions cannot be { $count }
refused-motion-not-tumbled = the dice have not been tumbled for this round
refused-motion-nothing-moves = nothing is in motion
refused-motion-tumbling = the dice are still tumbling

## Name

refused-name-id-or-moment = an id must have 1 to 128 printed characters, and a moment is a number of milliseconds
refused-name-letter = “{ $letter }” cannot stand in a name; use letters of Latin, Greek, Cyrillic, Chinese or Japanese, Hangul, Arabic, Hebrew, Thai, Devanagari or Tamil, digits and -.'_
refused-name-looks-like = “{ $name }” looks like “{ $other }”, which is another person's name; choose a name that looks different
refused-name-not-a-name = “{ $name }” cannot name { NAME($what, "thing") }; a name has 1 to 64 printed characters, no spaces, no # or ", and does not begin with =
refused-name-of-machine = { $person } cannot be the name of a person: “system” and names with / are the machine's
refused-name-slash-in-table = “{ $name }” cannot name a table: / stands between a table and its seats
refused-name-system = { $person } is the floor's own software; choose another name
refused-name-two-scripts = “{ $name }” mixes letters of { NAME($one, "script") } and { NAME($other, "script") }; a name uses one script
refused-name-written-otherwise = write the name “{ $name }” as “{ $plain }”

## Not ready

refused-not-ready-stopped = not ready for commands: { NAMES($places, "place") }

## Note

refused-note-long = a note has at most { $most } characters

## Odds

refused-odds-how-many = { BOX($box) } has { NUMBER($prices) } odds, { $pays }; you gave { NUMBER($given) }; separate them by commas
refused-odds-unreadable = { BOX($box) } cannot pay “{ $given }”; write odds above 0 as the book prints them, such as “6 to 1” or “8.5 to 1”

## Office

refused-office-no-answer = the office cannot write just now; try again

## Offline

refused-offline-device = { $device } is offline
refused-offline-line = { $device }: { $line }: { $error }
refused-offline-no-power = { $device } has no power
refused-offline-not-running = { $device } is not running
refused-offline-part-taken = { $device }: { $line } took only part of the command

## Origin

refused-origin-foreign = a request that changes anything must come from a page of this floor and carry its Origin

## Outcome

refused-outcome-entered-already = the entered result is { $outcome } already
refused-outcome-not-a-throw = “{ $text }” is not a throw of three dice; write three faces 1 to 6, like 1-3-4
refused-outcome-not-on-wheel = “{ $text }” is not on the wheel; its numbers are { LIST($numbers) }
refused-outcome-not-part = { LIST($known) } is not part of a throw; give at most three faces 1 to 6
refused-outcome-one-compartment = the ball rests in one compartment, not in { LIST($known, "and") }
refused-outcome-outside = an outcome number must be 0 to { NUMBER($last) }
refused-outcome-settled-already = round { $round } was already settled with { $outcome }

## Outcomes

refused-outcomes-not-a-count = “{ $text }” is not a number of outcomes; write 1000, 1,000 or 1e9

## Output

refused-output-neither = { $file } is neither a page nor a paper; name it .html or .pdf

## Over

refused-over-round = round { $round } is over

## Owned

refused-owned-another-server = { $folder } is open in another server; a floor has one at a time
refused-owned-unfound = streams of this floor are held by a machine that cannot be found

## Pace

refused-pace-out-of-range = { $pace } rounds an hour is out of range; give more than 0 and at most { NUMBER($most) }

## Pack

refused-pack-more-than-files = { $file } is not a dispute pack: it holds more than the files of one
refused-pack-no-pack = { $file } is not a dispute pack: { $error }
refused-pack-numbers = { $file } is not a dispute pack: something in row { $row } should be a number and is not
refused-pack-other-format = the format of { $file } is { $format }; this program reads { $first } to { $last }
refused-pack-other-maker = { $file } is not a dispute pack: it was not made by croupier, but by “{ $maker }”
refused-pack-spans = { $file } is not a dispute pack: its rows are not in order
refused-pack-spelled-otherwise = { $file } is not a dispute pack: { $name } is not in the form that a pack has
refused-pack-too-large = { $file } cannot be unpacked: unpacked it has more than { NUMBER($most) } bytes
refused-pack-unpackable = { $file } cannot be unpacked: { $error }

## Paper

refused-paper-printed = ticket { $ticket } was printed before; reprint it, and the paper is marked as a duplicate

## Passkey

refused-passkey-added = this passkey was already added, or its id is too long
refused-passkey-not-a-key = this is not the public key of a passkey; it must be ES256, EdDSA or RS256, as DER
refused-passkey-too-many = { $person } can have at most { $passkeys } passkeys
refused-passkey-unknown = { $person } does not have this passkey
refused-passkey-unsigned = { $person } has not signed request { $request } with a passkey

## Password

refused-password-length = a password has { $shortest } to { $longest } printed characters
refused-password-old-needed = give your old password too
refused-password-own-name = your password must not be your name
refused-password-changed = { $person } has changed their password; compare the code again
refused-password-digest = give a password as the SHA-256 of its hash, in hex
refused-password-not-own = { $person } has not set a password of their own
refused-password-typed-two = { $person } has typed two different passwords; nothing was changed

## Pays

refused-pays-unreadable = { LIST($given) } cannot be read; write box=odds once for each, like { $example }

## Permission

refused-permission-above-own = { $person } cannot give or remove a role above their own, which is { ROLE($highest) }
refused-permission-accept-loss = accepting a loss is for { NAMES($allowed, "one-role", "or") }, not for { $person }
refused-permission-audience = this is for { NAME($audience, "audience") }; { $person } is not among them
refused-permission-both-highest = { $other } asked and { $person } would agree, and both are { NAMES($highest, "one-role", "or") }; one of the two must have a lower rank
refused-permission-name-of-seat = { $person } is the name of a seat, or of the floor's own software; choose another name
refused-permission-no-account = { ACT($act) } is for { NAMES($allowed, "one-role", "or") }; { $person } has no account
refused-permission-no-role = { $person } needs at least one role
refused-permission-no-supervision = at least one person must be { NAMES($roles, "one-role", "or") }
refused-permission-not-cage-staff = { GIVEN($allowed) ->
    [yes] { ACT($act) } is for { NAMES($allowed, "one-role", "or") }; { $person } is not on the staff of the cage
   *[no] nobody at the cage may do this: { ACT($act) }; { $person } is not on its staff
 }
refused-permission-not-on-staff = { $person } is not on the staff of this table
refused-permission-not-table-staff = { GIVEN($allowed) ->
    [yes] { ACT($act) } is for { NAMES($allowed, "one-role", "or") }; { $person } is not on the staff of this table
   *[no] nobody at this table may do this: { ACT($act) }; { $person } is not on its staff
 }
refused-permission-role = { GIVEN($allowed) ->
    [yes] { ACT($act) } is for { NAMES($allowed, "one-role", "or") }; { $person } is { NAMES($held, "one-role", "and") }
   *[no] nobody may do this here: { ACT($act) }; { $person } is { NAMES($held, "one-role", "and") }
 }

## Phase

refused-phase-after-close = a result can be decided only after the close
refused-phase-no-bets = bets cannot be placed or taken back while { PHASE($phase) }
refused-phase-no-bets-open = no bets are open
refused-phase-no-cover = this game has no cover
refused-phase-no-round = no round is open
refused-phase-not-locked = the table is not locked
refused-phase-not-now = { ACT($act) } is not possible while { PHASE($phase) }
refused-phase-only-in = { ACT($act) } is possible only while { PHASE($needed) }, not while { PHASE($phase) }
refused-phase-open-already = the table is open already
refused-phase-tumbled-already = the dice have already been tumbled for this round

## Players

refused-players-out-of-range = { NUMBER($players) } Players are out of range; a table has 1 to { NUMBER($most) }

## Port

refused-port-taken = { $door }_port: nothing can listen on { $address }: { $error }; is another server running? Choose another port with --set { $door }_port=PORT

## Printer

refused-printer-line = { $device }: { $line }: { $error }; nothing was printed
refused-printer-line-closed = { $device }: { $line } closed the connection; nothing was printed
refused-printer-no-answer = { $device }: no answer from { $line } for { SECONDS($seconds) }; nothing was printed
refused-printer-no-status = { $device }: { $line } answered { $answer }, which is no printer's status; nothing was printed
refused-printer-not-ready = { $device } { NAMES($faults, "fault") }; nothing was printed

## Public

refused-public-elsewhere = this is shown to everyone at { $address }

## Question

refused-question-unknown = there is no question “{ $question }”; the questions are { LIST($known) }

## Rank

refused-rank-above-own = { $person } cannot give or remove a role above their own, which is { ROLE($highest) }
refused-rank-one-of-two = one of the two must be { NAMES($needed, "one-role", "or") }

## Rate

refused-rate-acts = too many commands; at most { $most } a second are accepted

## Reason

refused-reason-letters = give a reason of 1 to { $most } characters
refused-reason-loss-needs = give the reason for which the loss is accepted: --reason
refused-reason-needed = { ACT($act) } needs a reason

## Receipt

refused-receipt-fields = { $file } is not a receipt; a receipt has { LIST($fields, "and") }
refused-receipt-spelled-otherwise = { $file } is not a receipt: it holds more than the fields of one
refused-receipt-unreadable = { $file } cannot be read as a receipt: { $error }

## Replacement

refused-replacement-itself = ticket { $ticket } cannot replace itself; a replacement has a new number
refused-replacement-none-to-expire = ticket { $ticket } has no replacement that could expire; name a replacement, or leave its time at 0

## Resend

refused-resend-other-bet = a bet with this id was placed before, with other content
refused-resend-other-bet-of-seat = a bet with this id was placed before, with other content: { MONEY($stake) } on { BOX($box) } by { $seat } in round { $round }
refused-resend-other-withdrawal = withdrawal { $withdrawal } was made before with other content
refused-resend-otherwise = { $id } was sent before with other content

## Role

refused-role-not-of-account = { GIVEN($roles) ->
    [yes] { $person } cannot be { NAMES($roles, "one-role", "and") }; the roles of an account are { ROLES($known, "and") }
   *[no] { $person } needs a role; the roles of an account are { ROLES($known, "and") }
 }
refused-role-not-of-cage = { GIVEN($roles) ->
    [yes] { $person } cannot be { NAMES($roles, "one-role", "and") } at the cage; its roles are { ROLES($known, "and") }
   *[no] { $person } needs a role at the cage; its roles are { ROLES($known, "and") }
 }
refused-role-not-owner-of-tables = { $role } does not own the tables: give the address of their owner with --store
refused-role-unknown = there is no role “{ $role }”; the roles of an account are { ROLES($known, "and") }

## Round

refused-round-before = { $seat } had no round { $round } since this Player sat down
refused-round-bet-before = { $seat } had no such bet since this Player sat down
refused-round-from-discovery = at this table, damaged dice void rounds only from the moment they are discovered
refused-round-no-bet = { $seat } had no bet in round { $round }
refused-round-none-open = no round is open; name the rounds that are affected
refused-round-not-named = name the rounds that are affected
refused-round-not-open = the bet is for round { $round }; round { $open } is open
refused-round-not-settled = round { $round } has not been settled at this table
refused-round-void-already = round { $round } is already void, under { $by }
refused-round-none-so = { $table } had no round { $round }
refused-round-not-over = { $table } has no round { $round } that is over; the next is { $next }

## Rounding

refused-rounding-unknown = “{ $rounding }” is not a way to round; the ways are { LIST($known, "and") }

## Rounds

refused-rounds-all-alike = these bets bring the same result in every round; multiply it by the number of rounds
refused-rounds-losing-run = { NUMBER($rounds) } rounds are out of range; a losing run can be computed for 1 to { NUMBER($most) }
refused-rounds-never-ends = these bets cost the Player nothing, so the evening may never end; give a number of rounds
refused-rounds-none = give at least 1 round, not { NUMBER($rounds) }
refused-rounds-not-a-count = “{ $text }” is not a number of rounds; write 1000, 1,000 or 1e9
refused-rounds-of-session = { NUMBER($rounds) } rounds in a session are out of range; give 1 to { NUMBER($most) }
refused-rounds-out-of-range = { NUMBER($rounds) } rounds are out of range; give 1 to { NUMBER($most) }
refused-rounds-too-many = { NUMBER($rounds) } rounds with { NUMBER($bankrolls) } different bankrolls are too many to follow: give a stop-win, fewer rounds or rounder stakes

## Rulebook

refused-rulebook-before-its-hour = { $book } is in force from { $hour } on: until then no new table may play under it, unless its file says trial = true
refused-rulebook-near = there is no rulebook “{ $book }”; did you mean { LIST($near, "or") }?
refused-rulebook-replaced = { $book } of { $hour } was replaced by { $other } on { $since }: no new table may play under it, unless its file says trial = true
refused-rulebook-unknown = there is no rulebook “{ $book }”; there are { LIST($known) }, or give a .toml file

## Rules of who is who

refused-rules-version = this floor keeps version { $rules } of the rules of who is who, and this program knows version { $known }

## Running

refused-running-server = a server has this floor open: stop it first (after a kill, wait 5 s), or use its /api/office/commands

## Same person, same browser

refused-same-browser-asked = { $person } asked for request { $request } in this browser; a second person needs a browser of their own
refused-same-person-asked = { $person } asked for request { $request }; another person must approve it
refused-same-person-confirms-self = { $person } cannot confirm themselves; another person must
refused-same-person-loss = accepting a loss takes two different people: --by NAME --second NAME
refused-same-person-reported = { $person } reported it; another person must decide request { $request }
refused-same-person-stands-already = { $by } has already confirmed { $person }; another person must do so too

## Sample

refused-sample-out-of-range = a sample of { NUMBER($count) } is out of range; give { NUMBER($least) } to { NUMBER($most) } outcomes
refused-sample-alike = { NAME($test, "test") }: { $values } values are too few or all alike; { $needed } are needed
refused-sample-few = { NAME($test, "test") }: { $outcomes } outcomes are too few; { $cells } cells need { $needed }
refused-sample-one-sided = { NAME($test, "test") }: { $above } above and { $below } below the middle are too few; { $needed } of each are needed
refused-sample-the-first-again = the second sample is the same as the first; give a fresh one
refused-sample-too-short = { NUMBER($outcomes) } outcomes are too few for any test; { NUMBER($needed) } are needed, better a million

## Schema

refused-schema-changed = the tables of this database are not as they were made: { LIST($tables) }; croupier doctor lists what was changed

## Seat

refused-seat-all-taken = every seat of { $table } is taken; try another table
refused-seat-has-money = { $seat } still has { MONEY($held) } in credit and bets; pay it out first
refused-seat-name-of-staff = { $seat } is the name of a member of staff; a seat needs another name
refused-seat-no-cashier = { $table } has no cashier, and nobody else can seat a visitor
refused-seat-no-bet = { $seat } had no bet in round { $round } of { $table }
refused-seat-no-such-table = the House has no seat { $table }/{ $seat }; its tables are { LIST($tables, "and") }
refused-seat-none = there is no seat { $seat } at this table
refused-seat-not-at-table = the House has no seat { $table }/{ $seat }; it has { LIST($seats) }
refused-seat-not-in-house = the House has no seat { $table }/{ $seat }
refused-seat-taken = seat { $seat } is taken

## Seats

refused-seats-none = give at least 1 seat, not { NUMBER($seats) }

## Seed

refused-seed-out-of-range = { $seed } is not a seed; give a whole number from 0 to { $most }

## Session

refused-session-none = sign in first: you have no session, or it has ended
refused-session-not-theirs = name only sessions of { $person }, and each only once

## Sessions

refused-sessions-beyond-counting = { NUMBER($sessions) } sessions of { NUMBER($rounds) } rounds are out of range; give at least 1, or fewer
refused-sessions-not-a-count = “{ $text }” is not a number of sessions; write 1000, 1,000 or 1e9

## Share

refused-share-no-largest = the normal distribution has no largest total; give a share below 1
refused-share-out-of-range = { $share } is not a share; a share is above 0 and at most 1
refused-share-unread = “{ $text }” is not a share; write 5%, 0.05 or 1/20

## Sides

refused-sides-out-of-range = { NUMBER($sides) } things to choose from are out of range; give 1 to { NUMBER($most) }

## Simulating

refused-simulating-another = { $person } is running a simulation; only one runs at a time

## Size

refused-size-body = a request may have at most { $most } bytes

## Slow

refused-slow-body = the body of the request did not arrive within { SECONDS($seconds) }

## Sources

refused-sources-agree = no two sources disagree, so there is nothing to decide
refused-sources-differ = the Dealer entered { $entered }, the sensor gave { $sensed }; a supervisor decides
refused-sources-sensor-silent = this table takes a result from two sources; the sensor has not given one yet
refused-sources-third = { $outcome } was neither entered nor sensed; amend the entered result first

## Stake

refused-stake-every-above-zero = every stake must be above 0
refused-stake-no-amount = a stake must be above 0.00, not { MONEY($stake) }
refused-stake-not-above-zero = a stake on { BOX($box) } must be above 0.00, not { MONEY($stake) }
refused-stake-not-whole = a stake on { BOX($box) } must be a whole number of cents, not { $stake }
refused-stake-too-many-cents = a stake of { NUMBER($stake) } cents is too large; the largest is { NUMBER($most) } cents

## Standstill

refused-standstill-undecided = the round stands still: { $person } reported { NAME($irregularity, "irregularity") }, and the device reports otherwise; request { $request } must be decided first

## Step

refused-step-out-of-range = { $step } is not a step of odds; a step is above 0 and at most { NUMBER($most) }

## Stop

refused-stop-not-above-zero = a { $stop } must be above 0.00, not { MONEY($amount) }

## Store

refused-store-no-answer = the database does not answer just now; try again in a while
refused-store-no-database = there is no database { $address }; make a floor with croupier init, or name its folder with --floor
refused-store-no-driver = PostgreSQL needs the extra postgres: pip install croupier[postgres]
refused-store-no-tables = { $address }: this database has no tables yet; croupier migrate, with the address of its owner, makes them
refused-store-not-durable = { $address }: synchronous_commit is { $value } and cannot be set; it must be { LIST($needed, "or") }
refused-store-not-ours = { $address }: step { $step } of this database was made by another program
refused-store-steps-missing = { $missing ->
    [one] { $address }: this database lacks one step; croupier migrate, with the address of its owner, makes it
   *[other] { $address }: this database lacks { $missing } steps; croupier migrate, with the address of its owner, makes them
 }
refused-store-steps-missing-here = { $missing ->
    [one] { $address }: this database lacks one step; a floor that is opened there adds it
   *[other] { $address }: this database lacks { $missing } steps; a floor that is opened there adds them
 }
refused-store-steps-unknown = { $address }: this database has { $steps } steps, and this program knows { $known }; upgrade the program
refused-store-unopened = { $address } cannot be opened as a database: { $error }
refused-store-unread-address = the address { $address } cannot be read; in a name or a password @ is written %40, / is %2F, : is %3A, % is %25
refused-store-unusable = the PostgreSQL at { $address } cannot be used: { $error }

## Strategy

refused-strategy-fails = { $strategy } fails before a first round: { $error }
refused-strategy-more-bets = { $strategy } chooses among { NUMBER($plays) } bets; { NUMBER($given) } are given
refused-strategy-no-function = { $file } has no function { $function }
refused-strategy-no-python = { $file } is not a Python file
refused-strategy-no-such-play = { $strategy } chose play { NUMBER($play) }; there are { NUMBER($plays) }, from 0
refused-strategy-not-compiled = Numba cannot compile { $strategy }: { $error }
refused-strategy-number = “{ $strategy }”: the number must be from 2 to { NUMBER($most) }
refused-strategy-odd-answer = { $strategy } answered { $answer }; it must be units, or which play and units
refused-strategy-play-unknown = the strategy chose play { NUMBER($play) }; there are { NUMBER($plays) }, from 0
refused-strategy-several-bets = { $strategy } chooses among bets; give at least two
refused-strategy-this-process = { $strategy } exists only in this process; put it in a file to use workers
refused-strategy-unknown = “{ $strategy }” is not a strategy; give one of { LIST($known) }, or file.py:function
refused-strategy-unreadable = { $file } cannot be read: { $error }

## Supervision

refused-supervision-nobody = at least one person must be { NAMES($roles, "one-role", "or") }

## Table

refused-table-no-table = { $table } is not a table
refused-table-not-here = { GIVEN($known) ->
    [yes] this floor has no table “{ $table }”; it has { LIST($known) }
   *[no] this floor has no table “{ $table }”, and no other table
 }
refused-table-there-already = there is a table { $table } in { $address } already

## Terminal

refused-terminal-interrupted = terminal { $seat } is interrupted
refused-terminal-lost-elsewhere = a lost bet needs a stake and one of the interrupted terminals; that of { $seat } lacks one or the other
refused-terminal-none-enrolled = no terminal is enrolled for { $table }/{ $seat }
refused-terminal-none-in-game = this game has no Player Terminals
refused-terminal-not-named = name at least one terminal

## Ticket

refused-ticket-amount-of-paper = a ticket cannot be for { MONEY($amount) }; it is from 0.01 to { MONEY($most) }
refused-ticket-digits = “{ $ticket }” is not the number of a ticket; it has { $digits } digits
refused-ticket-expired = ticket { $ticket } expired at { MOMENT($expires) }
refused-ticket-expires-before = a ticket issued at { MOMENT($issued) } must expire later, not at { MOMENT($expires) }
refused-ticket-life = a ticket must expire after it is issued and at most { $days } days later, not at { MOMENT($expires) }
refused-ticket-no-value = ticket { $ticket } has no value
refused-ticket-not-expired = ticket { $ticket } is { NAME($found, "ticket") }; only an expired ticket is paid from unclaimed money
refused-ticket-paid = ticket { $ticket } was paid at the cage already; a ticket counts once
refused-ticket-redeemed = ticket { $ticket } was redeemed already; a ticket counts once
refused-ticket-unknown = ticket { $ticket } was never issued here
refused-ticket-unprinted-state = “{ $state }” is not a state to print; there are { LIST($known) }
refused-ticket-void = ticket { $ticket } is void; the cashier knows why
refused-ticket-wrong-digit = { $ticket } is not the number of a ticket: a digit is wrong or two are exchanged
refused-ticket-number-used = there is a ticket { $ticket } already; a number is used once

## Time

refused-time-approval-seconds = { SECONDS($seconds) } for an approval is too short; give more than 0
refused-time-ended-before = a round that began at { MOMENT($began) } cannot have ended at { MOMENT($ended) }, before that
refused-time-not-on-paper = { $at } cannot be printed as a moment; give 0 to { $most } milliseconds
refused-time-unread = “{ $text }” is not a moment; write 2026-11-16 or 2026-11-16T18:00+08:00

## Time zone

refused-time-zone-unknown = “{ $zone }” is not a time zone; write one like Asia/Singapore

## Tls

refused-tls-files = { $certificate } with { $key } cannot be used for TLS: { $error }

## Token

refused-token-digest = give a new token as its SHA-256, in hex; each is used only once
refused-token-none-given = no robot has a seat: give --tokens with a line for each, or --demo
refused-token-sent-away = the floor turned a robot away: { $error }
refused-token-unread = { $file } cannot be read: { $error }

## Unconfirmed

refused-unconfirmed-loss = { $person } is not confirmed: somebody else could sign in as them
refused-unconfirmed-not-own-password = { $maker } made the password or link that opened this session; set a password of your own, sign in with it, and have yourself confirmed
refused-unconfirmed-vouchers = { $missing ->
    [one] { $person } is not confirmed yet; one more confirmed person must confirm them
   *[other] { $person } is not confirmed yet; { $missing } more confirmed people must confirm them
 }

## Unit

refused-unit-any-bet = a bet cannot be paid in whole cents; the smallest unit that always can is { MONEY($unit) }
refused-unit-chip = chips of { MONEY($value) } are not a multiple of the chip unit { MONEY($unit) }
refused-unit-left = { MONEY($left) } left on { BOX($box) } is not a multiple of the chip unit { MONEY($unit) }
refused-unit-of-habit = a stake of { MONEY($stake) } is not a multiple of { MONEY($unit) }
refused-unit-stake = { MONEY($stake) } on { BOX($box) } is not a multiple of the chip unit { MONEY($unit) }
refused-unit-unpayable = { MONEY($stake) } on { BOX($box) } could not be paid in whole cents at { $pays }; the smallest unit that could is { MONEY($least) }

## Unknown

refused-unknown-written = the result is unknown: send the same command again, with the same id

## Unreadable

refused-unreadable-json = the body cannot be read as JSON: { $error }

## Unsure

refused-unsure-line = { $device }: { $line }: { $error }; look whether the ticket was printed before printing it again
refused-unsure-line-closed = { $device }: { $line } closed the connection; look whether the ticket was printed before printing it again
refused-unsure-no-answer = { $device }: no answer from { $line } for { SECONDS($seconds) }; look whether the ticket was printed before printing it again
refused-unsure-stuck = { $device } got stuck; look whether the ticket was printed before printing it again

## Untrue

refused-untrue-disk = the disk does not hold what it should: { $lie }

## Workers

refused-workers-out-of-range = { NUMBER($workers) } workers are out of range; give 1 to { NUMBER($most) }
refused-untrue-row = row { $row } on disk is not what it should be; croupier verify gives the fault
refused-untrue-unarchived = row { $row } of { $table } is not true, so nothing was archived; croupier verify gives the fault
