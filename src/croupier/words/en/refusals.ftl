# Why something is refused: refused-REASON-CASE, with the facts that croupier.rules.reasons declares.

## Act

refused-act-keys-only = { $device } cannot "{ $act }"; people press its keys
refused-act-no-cover = { $device } cannot "{ $act }": it has no cover
refused-act-prints-only = { $device } cannot "{ $act }"; a printer only prints
refused-act-unable = { $device } cannot "{ $act }"; it can { LIST($able) }

## Away

refused-away-database = the database does not answer; nothing is taken until it does, and what was registered is safe

## Bet

refused-bet-not-in-round = { $seat } had no bet { $bet } in round { $round }

## Busy

refused-busy-answers = { $waiting } wait for their answers already; send it again later
refused-busy-in-motion = { $device } is in motion; "{ $act }" must wait until it rests
refused-busy-questions = many ask for old rounds just now; try again in a while
refused-busy-tries = other tries are being checked; try again

## Cover

refused-cover-covered = { $device } is covered already
refused-cover-needed = { $device } is open; its dice tumble under the cover
refused-cover-open = { $device } is open already

## Entry

refused-entry-no-key = there is no key "{ $key }"; the keys are 1 to 6

## Fault

refused-fault-no-cover = { $device } cannot fail by "{ $fault }": it has no cover
refused-fault-rate = { $device }: one in { $one_in } is no rate of faults; give 0 for none, or 1 to { $most }
refused-fault-unable = { $device } cannot fail by "{ $fault }"; it can by { LIST($able) }

## Key

refused-key-of-another-floor = { $key } is not the key of this floor; copy keys/ from the machine that made it

## Limits

refused-limits-none-for-all = a minimum and a maximum for all boxes are needed
refused-limits-unit = the chip unit { MONEY($unit) } must be above 0.00
refused-limits-unit-unpayable = the chip unit { MONEY($unit) } cannot be paid in whole cents on { $layout }; it must be a multiple of { MONEY($least) }
refused-limits-steps = { $box }: the minimum { MONEY($minimum) } and the maximum { MONEY($maximum) } must ascend in steps of the chip unit { MONEY($unit) }
refused-limits-differential-needed = this book needs a Differential limit
refused-limits-differential-unknown = this book has no Differential limit
refused-maximum-over = { MONEY($total) } on { $box } is over the maximum { MONEY($maximum) }
refused-minimum-under = { MONEY($total) } on { $box } is under the minimum { MONEY($minimum) }

## Link

refused-link-used = this link was used, or its time is over; ask for another

## Locked

refused-locked-wait = too many tries; wait { $seconds } s, or ask for a one-time link

## Login

refused-login-wrong = this name and this password do not go together

## Missing

refused-missing-mqtt = { $device } speaks MQTT: install croupier[mqtt]

## Office

refused-office-no-answer = the office cannot write just now; try again

## Offline

refused-offline-device = { $device } is offline
refused-offline-line = { $device }: { $line }: { $error }
refused-offline-no-power = { $device } has no power
refused-offline-not-running = { $device } is not running

## Over

refused-over-round = round { $round } is over

## Owned

refused-owned-unfound = streams of this floor are held by a machine that cannot be found

## Password

refused-password-length = a password has { $shortest } to { $longest } printed characters
refused-password-own-name = a password is not one's name

## Printer

refused-printer-failed = { $device }: { $error }; nothing was printed
refused-printer-not-ready = { $device } cannot print: { LIST($faults) }; nothing was printed

## Rate

refused-rate-acts = too many at once; { $most } a second are taken

## Round

refused-round-before = { $seat } had no round { $round } since this Player sat down
refused-round-bet-before = { $seat } had no bet { $bet } since this Player sat down
refused-round-no-bet = { $seat } had no bet in round { $round }

## Sample

refused-sample-alike = { $test }: { $values } values are too few or all alike; { $needed } are needed
refused-sample-few = { $test }: { $outcomes } outcomes are too few; { $cells } cells need { $needed }
refused-sample-one-sided = { $test }: { $above } above and { $below } below the middle; { $needed } of each are needed

## Seat

refused-seat-not-in-house = the House has no seat { $table }/{ $seat }

## Store

refused-store-no-answer = the database does not answer just now; ask again in a while

## Unsure

refused-unsure-failed = { $device }: { $error }; look whether the ticket was printed before printing it again
refused-unsure-stuck = { $device } got stuck; look whether the ticket was printed before printing it again
