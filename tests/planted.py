"""Bugs planted one at a time in a copy of the project: each must turn the test that is named for it red.

A check that cannot fail proves nothing. `make planted` runs them all and fails if one goes unnoticed.
`make test` plants one in each room.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from argparse import ArgumentParser
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
BOOKS = "src/croupier/rulebooks"
FEWER = ("-k", "not postgres")
"""One store shows a bug as well as two, and several servers would not start at once."""


PATIENCE = 600
"""Seconds for a test to go red."""


class Bug(NamedTuple):
    name: str
    file: str
    old: str
    new: str
    test: str


BUGS = (
    # ---- what pages draw and say
    Bug(
        "what only the staff may read goes out compressed",
        "src/croupier/server/staff/plane.py",
        "if route.audience.public else said",
        "if route.audience else said",
        "tests/server/test_staff_public.py::test_what_everyone_may_read_goes_out_compressed_and_nothing_else",
    ),
    Bug(
        "a clause that has no Chinese",
        f"{BOOKS}/rws-sicbo-etg-v2.toml",
        "A bet and a wager are the same thing.",
        "A bet and a wager are one and the same thing.",
        "tests/test_law_words.py::test_every_sentence_of_a_book_is_told_in_chinese",
    ),
    Bug(
        "a clause that is translated with another number",
        f"{BOOKS}/zh/rws-sicbo-etg-v2.toml",
        "28 格",
        "30 格",
        "tests/test_law_words.py::test_what_a_sentence_names_is_named_in_its_translation",
    ),
    Bug(
        "a refusal that has no Chinese",
        "src/croupier/table/betting.py",
        "the dice are still tumbling",
        "the dice have not come to rest",
        "tests/test_told_words.py::test_everything_the_server_refuses_or_warns_of_is_told_in_chinese",
    ),
    Bug(
        "an explanation that has no Chinese",
        "src/croupier/rules/bets.py",
        'return "the three dice are all alike"',
        'return "the three dice are the same"',
        "tests/test_told_words.py::test_every_explanation_of_every_payment_is_told_in_chinese",
    ),
    Bug(
        "the paper of a live ticket can be had again, unmarked",
        "src/croupier/server/staff/papers.py",
        "duplicate = self._due.pop(number, None)",
        "duplicate = self._due.get(number)",
        "tests/server/test_staff_cashier.py::test_a_live_ticket_is_put_on_paper_once_for_each_row_that_asks_for_it",
    ),
    Bug(
        "a sale that is sent again gives a second paper",
        "src/croupier/server/staff/deeds.py",
        "if not again:\n            house.papers",
        "if entry:\n            house.papers",
        "tests/server/test_staff_cashier.py::test_a_live_ticket_is_put_on_paper_once_for_each_row_that_asks_for_it",
    ),
    Bug(
        "a reprint is not marked",
        "src/croupier/server/staff/papers.py",
        "self._due[due.number] = due.duplicate",
        "self._due[due.number] = False",
        "tests/server/test_staff_cashier.py::test_a_live_ticket_is_put_on_paper_once_for_each_row_that_asks_for_it",
    ),
    Bug(
        "a page draws no spots on the lines",
        "src/croupier/analysis/sheet.py",
        "for spot in layout.felt.spots)",
        "for spot in layout.felt.spots[1:])",
        "tests/test_sheet.py::test_every_box_stands_on_the_sheet_once_as_area_or_spot",
    ),
    Bug(
        "a page prints odds twice",
        "src/croupier/analysis/sheet.py",
        "printed(layout, area, area.box in captioned)",
        "printed(layout, area, False)",
        "tests/test_sheet.py::test_odds_are_those_the_felt_prints_unless_a_legend_does",
    ),
    Bug(
        "a road mixes up two boxes",
        "src/croupier/analysis/sheet.py",
        "((one, first), (other, second))",
        "((one, second), (other, first))",
        "tests/test_sheet.py::test_a_road_tells_which_of_two_boxes_won",
    ),
    # ---- what pages are told
    Bug(
        "the number of a ticket that replaces another can be read before it is signed",
        "src/croupier/server/staff/pit.py",
        "replacement=shown_number(hidden.replacement)",
        "replacement=hidden.replacement",
        "tests/server/test_staff_cashier.py::test_a_ticket_is_voided_or_replaced_by_two_people",
    ),
    Bug(
        "a wheel without one of its pockets",
        "src/croupier/floor/config.py",
        "if table.wheel and sorted(table.wheel) !=",
        "if table.wheel and sorted(table.wheel) ==",
        "tests/floor/test_config.py::test_a_wheel_is_drawn_with_its_pockets_as_the_house_writes_them_down",
    ),
    Bug(
        "8.5 to 1 swapped with 8 to 1",
        f"{BOOKS}/mbs-esicbo-v4.toml",
        'pays = "8.5 to 1"',
        'pays = "8 to 1"',
        "tests/test_matrix.py::test_total_8_pays_8_5_on_the_high_tables",
    ),
    Bug(
        "repeats allowed in four-number bets",
        "src/croupier/rules/bets.py",
        "return len(shown) == DICE and shown.issubset(self.faces)",
        "return shown.issubset(self.faces)",
        "tests/test_matrix.py::test_four_number_bets_need_three_different_numbers",
    ),
    Bug(
        "pair:1-1-2 offered where it is not printed",
        f"{BOOKS}/rws-sicbo-etg-v2.toml",
        'boxes = "pair: 1-1-3',
        'boxes = "pair: 1-1-2 1-1-3',
        "tests/test_matrix.py::test_pair_1_1_2_is_not_offered_where_it_is_not_printed",
    ),
    Bug(
        "Top Line loses on S",
        f"{BOOKS}/mbs-sands-roulette-v2.toml",
        'wins = "number S 0 00 1 2 3"',
        'wins = "number 0 00 1 2 3"',
        "tests/test_matrix.py::test_top_line_wins_on_S_0_and_00",
    ),
    Bug(
        "a triple wins Small",
        "src/croupier/rules/bets.py",
        "return not _is_triple(outcome) and self.inner.wins(outcome)",
        "return self.inner.wins(outcome)",
        "tests/test_golden.py::test_the_matrix_is_the_reviewed_one",
    ),
    Bug(
        "the stake of a winning bet is not returned",
        "src/croupier/rules/paytable.py",
        "returned = Cents(cents if odds is not None else 0)",
        "returned = Cents(0)",
        "tests/test_settlement.py::test_settlement_conserves_money",
    ),
    Bug(
        "half a cent is rounded away",
        "src/croupier/rules/paytable.py",
        "if cents % unit:",
        "if cents % 1:",
        "tests/test_settlement.py::test_a_stake_that_could_not_be_paid_in_whole_cents_is_refused_with_the_smallest_unit",
    ),
    Bug(
        "decided as soon as one outcome agrees",
        "src/croupier/rules/paytable.py",
        "if wins in (0, len(possible)):",
        "if wins != 1:",
        "tests/test_settlement.py::test_what_is_decided_is_what_every_outcome_still_possible_agrees_on",
    ),
    Bug(
        "bulk settlement forgets the stake",
        "src/croupier/analysis/bulk.py",
        "int((row[outcome] + 1) * self.scale)",
        "int(row[outcome] * self.scale)",
        "tests/test_settlement.py::test_bulk_settlement_is_the_same_settlement",
    ),
    Bug(
        "bulk settlement pays only the last four of the winning boxes",
        "src/croupier/analysis/kernels.py",
        "one_of_four(here[i], cells[i], those, theirs)",
        "one_of_four(here[i], nothing, those, theirs)",
        "tests/test_settlement.py::"
        "test_bulk_settlement_compiled_is_the_same_on_the_outcomes_where_most_and_fewest_boxes_win",
    ),
    Bug(
        "bulk settlement takes a bet of nothing",
        "src/croupier/analysis/kernels.py",
        "less |= stake - 1",
        "less |= stake",
        "tests/test_settlement.py::test_bulk_settlement_compiled_is_the_same_and_refuses_the_same",
    ),
    Bug(
        "a clause cited but not indexed goes unseen",
        "src/croupier/rules/reader.py",
        "if clause not in indexed:",
        "if clause is None:",
        "tests/test_reader.py::test_a_fault_is_reported_with_its_place_and_what_is_allowed",
    ),
    Bug(
        "the unit of halves and thirds is a third",
        "src/croupier/rules/paytable.py",
        "name: Cents(lcm(*(odds.denominator for odds in prices.values())))",
        "name: Cents(max(odds.denominator for odds in prices.values()))",
        "tests/test_settlement.py::test_the_unit_of_halves_and_thirds_is_a_sixth",
    ),
    Bug(
        "a difference of outcomes at one edge goes unseen",
        "src/croupier/analysis/odds.py",
        "left.winning(name) != right.winning(name)",
        "left.edge(name) != right.edge(name)",
        "tests/test_cli.py::test_boxes_of_one_edge_that_win_on_other_outcomes_differ",
    ),
    # ---- the lab
    Bug(
        "the lab page counts with the odds of the book whatever was asked",
        "src/croupier/analysis/desk.py",
        "return with_pays(layout, pays) if pays else layout",
        "return layout",
        "tests/server/test_staff_lab.py::test_the_lab_counts_sets_of_bets_and_other_odds",
    ),
    Bug(
        "one odd sample condemns a fair source",
        "src/croupier/analysis/randomness.py",
        "if test in second.speaking)",
        "if test in first.speaking)",
        "tests/lab/test_randomness.py::test_one_finding_is_no_alarm",
    ),
    Bug(
        "the examination does not look at faces",
        "src/croupier/analysis/randomness.py",
        'tests.insert(0, _Test("faces"',
        '_ = (0, _Test("faces"',
        "tests/lab/test_randomness.py::test_a_byte_modulo_six_is_caught",
    ),
    Bug(
        "a workbook forgets that a win returns the stake",
        "src/croupier/analysis/par_book.py",
        'f"{ways}*({odds}+1)" for',
        'f"{ways}*({odds})" for',
        "tests/lab/test_par.py::test_every_formula_of_a_workbook_comes_to_the_exact_figure",
    ),
    Bug(
        "a PAR sheet calls any simulation a confirmation",
        "src/croupier/analysis/par.py",
        "return self.worst < BOUND",
        "return True",
        "tests/lab/test_par.py::test_a_simulation_that_does_not_fit_is_not_called_a_confirmation",
    ),
    Bug(
        "level counts as ahead",
        "src/croupier/analysis/rounds.py",
        "not_ahead = spread.at_most(0)",
        "not_ahead = spread.at_most(-1)",
        "tests/lab/test_exact.py::test_an_even_chance_is_binomial",
    ),
    Bug(
        "a bankroll that just pays for the bets is broke",
        "src/croupier/analysis/ruin.py",
        'return "broke" if bankroll < self.staked else None',
        'return "broke" if bankroll <= self.staked else None',
        "tests/lab/test_exact.py::test_a_bankroll_is_followed_through_every_sequence_of_throws",
    ),
    Bug(
        "the House's risk forgets what is cut at the close",
        "src/croupier/analysis/house.py",
        "cut[share.bet] += share.amount",
        "cut[share.bet] += 0",
        "tests/lab/test_whatif.py::test_what_is_in_action_is_what_the_table_would_play",
    ),
    Bug(
        "proposed odds are one step too generous",
        "src/croupier/analysis/whatif.py",
        "steps = max(0, floor(",
        "steps = 1 + max(0, floor(",
        "tests/lab/test_whatif.py",
    ),
    Bug(
        "halves that favour some throws are kept",
        "src/croupier/analysis/draws.py",
        "return HALF % (sides * sides * sides)",
        "return 0",
        "tests/lab/test_simulation.py::test_every_three_draws_come_from_equally_many_halves",
    ),
    Bug(
        "draws by modulo",
        "src/croupier/analysis/draws.py",
        "        rest *= np.uint64(sides)\n        found[:, place] = rest >> np.uint64(32)\n",
        "        found[:, place] = rest % np.uint64(sides)\n        rest //= np.uint64(sides)\n",
        "tests/lab/test_simulation.py::test_draws_of_a_half_are_the_digits_of_its_result",
    ),
    Bug(
        "the compiled draws keep every half",
        "src/croupier/analysis/kernels.py",
        "out = (third & _LOW) < below",
        "out = (third & _LOW) < np.uint64(0)",
        "tests/lab/test_simulation.py::test_kernels_count_the_same_draws",
    ),
    Bug(
        "every worker draws the same",
        "src/croupier/analysis/kernels.py",
        "np.uint64(block) * np.uint64(_BLOCK_WORDS)",
        "np.uint64(block - first_block) * np.uint64(_BLOCK_WORDS)",
        "tests/lab/test_simulation.py::test_kernels_count_the_same_blocks_and_no_block_is_another",
    ),
    Bug(
        "workers' draws overlap",
        "src/croupier/analysis/draws.py",
        "first, missing = block * BLOCK_WORDS, BLOCK",
        "first, missing = block * BLOCK_WORDS // 4, BLOCK",
        "tests/lab/test_simulation.py::test_kernels_count_the_same_blocks_and_no_block_is_another",
    ),
    Bug(
        "a simulated win does not return the stake",
        "src/croupier/analysis/exact.py",
        "total += winnings(Cents(stake), odds) if odds is not None else -stake",
        "total += winnings(Cents(stake), odds) - stake if odds is not None else -stake",
        "tests/lab/test_simulation.py::test_a_flat_run_is_the_settlement_of_its_outcomes",
    ),
    Bug(
        "martingale does not begin again after a win",
        "src/croupier/analysis/strategies.py",
        "return state if how == LEVEL else 0 if how == WON or state == steps - 1 else state + 1",
        "return state if how != LOST else 0 if state == steps - 1 else state + 1",
        "tests/lab/test_simulation.py::test_a_session_is_what_a_person_would_write_down",
    ),
    Bug(
        "a dead worker's task is forgotten",
        "src/croupier/analysis/spread.py",
        "given = deque((task, _again(pool, work, task, future)) for task, future in given)",
        "given.popleft()",
        "tests/lab/test_simulation.py::test_results_come_in_order_and_a_killed_worker_costs_time_only",
    ),
    Bug(
        "a crowd's limits are not looked at",
        "src/croupier/analysis/crowd.py",
        "touched |= beyond.reshape(len(beyond), -1).any(axis=1)",
        "touched |= False",
        "tests/lab/test_simulation.py::test_a_crowd_in_a_matrix_is_the_crowd_bet_by_bet",
    ),
    # ---- the rules once more
    Bug(
        "a felt that prints other odds goes unseen",
        "src/croupier/rules/reader.py",
        "if printed not in (None, paid):",
        "if printed is paid:",
        "tests/test_reader.py::test_a_fault_is_reported_with_its_place_and_what_is_allowed",
    ),
    Bug(
        "a line break in a text goes unseen",
        "src/croupier/rules/reader.py",
        "if not text.isprintable():",
        "if not text:",
        "tests/test_reader.py::test_a_fault_is_reported_with_its_place_and_what_is_allowed",
    ),
    Bug(
        "a split sits on a corner",
        "src/croupier/rules/felt.py",
        " and top <= bottom and _lie_together(areas)",
        " and top <= bottom",
        "tests/test_reader.py::test_a_fault_is_reported_with_its_place_and_what_is_allowed",
    ),
    Bug(
        "evidence of a book that has changed counts",
        "src/croupier/analysis/trace.py",
        "if any(shown.hash != hash for shown in tests):",
        "if hash is None:",
        "tests/test_evidence.py::test_the_result_of_a_clause_is_the_worst_that_is_known_of_it",
    ),
    Bug(
        "a legend speaks for boxes it does not touch",
        "src/croupier/analysis/picture.py",
        " and here.touches(area)",
        "",
        "tests/test_picture.py::test_a_legend_speaks_for_the_boxes_of_its_group_and_no_others",
    ),
    Bug(
        "a winning stake is paid back twice",
        "src/croupier/table/limits.py",
        "winnings(action, odds), bet.stake, box.odds_clause)",
        "winnings(action, odds), Cents(2 * bet.stake), box.odds_clause)",
        "tests/test_transcripts.py",
    ),
    Bug(
        "a losing bet is not collected",
        "src/croupier/table/limits.py",
        "return Paid(bet.id, bet.seat, action, Cents(0), excess, box.win_clause)",
        "return Paid(bet.id, bet.seat, Cents(0), Cents(0), excess, box.win_clause)",
        "tests/test_transcripts.py",
    ),
    Bug(
        "a void forgets one bet",
        "src/croupier/table/irregular.py",
        "for bet in bets if bet.stake)",
        "for bet in bets[1:] if bet.stake)",
        "tests/test_transcripts.py",
    ),
    Bug(
        "a void tells nobody",
        "src/croupier/table/irregular.py",
        "told = tuple(dict.fromkeys(bet.seat for bet in bets if bet.stake))",
        "told = ()",
        "tests/test_transcripts.py",
    ),
    Bug(
        "bets are taken after No More Bets",
        "src/croupier/table/state.py",
        'OPEN_FOR_BETS = ("betting", "spinning")',
        'OPEN_FOR_BETS = ("betting", "spinning", "closed")',
        "tests/test_transcripts.py",
    ),
    Bug(
        "a resend is a second bet",
        "src/croupier/table/betting.py",
        "    if id in table.bet_rounds:\n",
        "    if id in ():\n",
        "tests/test_transcripts.py",
    ),
    Bug(
        "a changed resend is taken for the same bet",
        "src/croupier/table/betting.py",
        "if earlier != (command.seat, command.box, command.stake, command.round, command.colour_chips):",
        "if earlier is None:",
        "tests/test_transcripts.py",
    ),
    Bug(
        "who came first is cut last",
        "src/croupier/table/limits.py",
        "        share = room * stake // total\n",
        "        share = min(stake, room)\n        room -= share\n",
        "tests/test_limits.py",
    ),
    Bug(
        "apportionment pushes a Player below the minimum",
        "src/croupier/table/limits.py",
        "if room * stake < minimum * total}",
        "if room * stake < 0}",
        "tests/test_limits.py",
    ),
    Bug(
        "the Differential is forgotten",
        "src/croupier/table/limits.py",
        "        if first != second:",
        "        if first == -1:",
        "tests/test_transcripts.py",
    ),
    Bug(
        "over the maximum is paid in full",
        "src/croupier/table/limits.py",
        'if policy.maximum.breach != "cap":',
        'if policy.maximum.breach != "none":',
        "tests/test_transcripts.py",
    ),
    Bug(
        "once-only is never used up",
        "src/croupier/table/evolve.py",
        "table.seats[id].short_bets_settled = True",
        "table.seats[id].short_bets_settled = False",
        "tests/test_transcripts.py",
    ),
    Bug(
        "one person approves his own request",
        "src/croupier/table/decide.py",
        "if asked.by == command.by:",
        "if asked.by is None:",
        "tests/test_transcripts.py",
    ),
    Bug(
        "an approval never expires",
        "src/croupier/table/decide.py",
        "if at > request.expires:",
        "if at > request.expires * 1000:",
        "tests/test_transcripts.py",
    ),
    Bug(
        "an approval does not bind the content",
        "src/croupier/table/decide.py",
        "!= command.digest:",
        "is None:",
        "tests/test_transcripts.py",
    ),
    Bug(
        "an attestation by one person",
        "src/croupier/table/decide.py",
        "| m.GiveCredit() | m.Attest():",
        "| m.GiveCredit():",
        "tests/test_transcripts.py",
    ),
    Bug(
        "a correction takes what is not there",
        "src/croupier/table/corrections.py",
        "max(0, -gain - self.credit[seat])",
        "0",
        "tests/test_transcripts.py",
    ),
    Bug(
        "a correction keeps the old payment",
        "src/croupier/table/evolve.py",
        "gain = new.winnings + new.returned - old.winnings - old.returned",
        "gain = new.winnings + new.returned",
        "tests/test_transcripts.py",
    ),
    Bug(
        "a tumble before the close does not void",
        "src/croupier/table/motion.py",
        'if table.order == "open-cover" and table.phase == "betting":',
        'if table.order == "none":',
        "tests/test_transcripts.py",
    ),
    Bug(
        "two tumbles are enough",
        "src/croupier/table/motion.py",
        "if command.count < play.minimum:",
        "if command.count < play.minimum - 1:",
        "tests/test_transcripts.py",
    ),
    Bug(
        "dice uncovered early do not void",
        "src/croupier/table/motion.py",
        'if table.phase in ("moving", "betting"):',
        'if table.phase == "none":',
        "tests/test_transcripts.py",
    ),
    Bug(
        "a lock is forgotten",
        "src/croupier/table/evolve.py",
        "table.locked = event.clause",
        "table.locked = None",
        "tests/test_transcripts.py",
    ),
    Bug(
        "betting resumes after a long interruption",
        "src/croupier/table/interruptions.py",
        "<= policy.resume_seconds * 1000",
        "<= policy.resume_seconds * 100_000",
        "tests/test_transcripts.py",
    ),
    Bug(
        "two sources that disagree are settled",
        "src/croupier/table/result.py",
        "if table.sensed != round.outcome:",
        "if table.sensed is None:",
        "tests/test_transcripts.py",
    ),
    Bug(
        "new limits bite in the middle of a round",
        "src/croupier/table/betting.py",
        "check_bet(limits, table.setup.rulebook.limits, box, round",
        "check_bet(table.limits, table.setup.rulebook.limits, box, round",
        "tests/test_transcripts.py",
    ),
    Bug(
        "a seat sees the bets of others",
        "src/croupier/server/own.py",
        "for bet in self._lying[1].get(seat, ()) if",
        "for bets in self._lying[1].values() for bet in bets if",
        "tests/test_view.py",
    ),
    Bug(
        "a void moves no money",
        "src/croupier/ledger.py",
        'one.amount, "void", one.bet) for one in event.returned]',
        'one.amount, "void", one.bet) for one in event.returned[1:]]',
        "tests/test_transcripts.py",
    ),
    Bug(
        "a commit is not synced",
        "src/croupier/store/sqlite.py",
        'synchronous: str = "FULL"',
        'synchronous: str = "NORMAL"',
        "tests/store/test_power.py",
    ),
    Bug(
        "the time of a row is not in its hash",
        "src/croupier/store/journal.py",
        "_packed((stream, seq, format, epoch, at, kind, body, transfers))",
        "_packed((stream, seq, format, epoch, kind, body, transfers))",
        "tests/store/test_contract.py",
    ),
    Bug(
        "rows written before an upgrade have another hash after it",
        "src/croupier/store/journal.py",
        'sha256(before + kind.encode() + b"\\n" + fields)',
        'sha256(before + kind.encode() + b" " + fields)',
        "tests/store/test_golden_journal.py",
    ),
    Bug(
        "a stale owner may write",
        "src/croupier/store/sqlite.py",
        "WHERE stream = ? AND epoch = ? AND seq = ? AND hash = ?",
        "WHERE stream = ? AND epoch >= ? - 9 AND seq = ? AND hash = ?",
        "tests/store/test_contract.py",
    ),
    Bug(
        "a resend is decided again",
        "src/croupier/store/record.py",
        "return self._again(command, known) or sent_otherwise(known.id)",
        "return None",
        "tests/store/test_record.py",
    ),
    Bug(
        "the word of a terminal on its ticket is believed",
        "src/croupier/store/record.py",
        "        if number is None:\n            return command\n",
        "        if number != '':\n            return command\n",
        "tests/store/test_tickets.py",
    ),
    Bug(
        "a ticket ends as often as it is brought",
        "src/croupier/store/sqlite.py",
        "INSERT INTO ticket_ends",
        "INSERT OR REPLACE INTO ticket_ends",
        "tests/store/test_contract.py",
    ),
    Bug(
        "an old round is recalled without its corrections",
        "src/croupier/store/recall.py",
        "        if seq >= before:\n",
        "        if seq:\n",
        "tests/store/test_record.py",
    ),
    Bug(
        "a snapshot is believed whatever its row says",
        "src/croupier/store/recall.py",
        "    if digest(state) != read_kept(row).digest:\n",
        "    if not digest(state):\n",
        "tests/store/test_record.py",
    ),
    Bug(
        "a round under way is not interrupted by recovery",
        "src/croupier/store/record.py",
        "        if struck is not None:\n",
        "        if struck is not None and struck is None:\n",
        "tests/store/test_record.py",
    ),
    Bug(
        "in a group the rows of a table with a bug are written",
        "src/croupier/store/record.py",
        "    if recorder.lost or not recorder._waiting.rows:\n",
        "    if not recorder._waiting.rows:\n",
        "tests/store/test_record.py",
    ),
    Bug(
        "a group is written though its money does not add up",
        "src/croupier/store/record.py",
        "        recorder.subject.audit()\n        return recorder._append()\n",
        "        return recorder._append()\n",
        "tests/store/test_record.py",
    ),
    Bug(
        "a full disk keeps the answers to what is on it",
        "src/croupier/store/record.py",
        "            return None  # nothing was written, and nothing is remembered\n",
        "            raise\n",
        "tests/store/test_record.py",
    ),
    Bug(
        "a group that found no room is remembered",
        "src/croupier/store/record.py",
        "            _remember_the_disk(recorder)\n",
        "            recorder.at += 0\n",
        "tests/store/test_record.py",
    ),
    Bug(
        "a checker writes beside the journal",
        "src/croupier/store/sqlite.py",
        'how = "immutable=1"',
        'how = "mode=ro"',
        "tests/store/test_reader.py",
    ),
    Bug(
        "a checker does not look into the log",
        "src/croupier/store/sqlite.py",
        "        return None\n    else:\n        how",
        "        how = 'immutable=1'\n    else:\n        how",
        "tests/store/test_reader.py",
    ),
    Bug(
        "a refusal at the door is taken at its word",
        "src/croupier/store/verify.py",
        "            self._judge_at_the_door(row, entry)\n",
        "            pass\n",
        "tests/store/test_doors.py",
    ),
    Bug(
        "what a row says of a ticket is believed",
        "src/croupier/store/verify.py",
        "            if not _was_so(",
        "            if None is _was_so(",
        "tests/store/test_doors.py",
    ),
    Bug(
        "an older owner's row is true",
        "src/croupier/store/verify.py",
        "        if row.epoch < self.epoch:\n",
        "        if row.epoch < 0:\n",
        "tests/store/test_doors.py",
    ),
    Bug(
        "the owner of a stream is whoever it says",
        "src/croupier/store/verify.py",
        "            self._owned(witness)\n",
        "            pass\n",
        "tests/store/test_tickets.py",
    ),
    Bug(
        "an archive that is not there stops a table",
        "src/croupier/store/record.py",
        "            return Refusal(refused.reason, refused.message)\n        return None\n",
        "            raise\n        return None\n",
        "tests/store/test_doors.py",
    ),
    Bug(
        "two who sign at once tear each other's lines",
        "src/croupier/store/checkpoint.py",
        "        fcntl.flock(lines, fcntl.LOCK_EX)\n",
        "",
        "tests/store/test_pack.py",
    ),
    Bug(
        "a table remembers everyone who ever sat there",
        "src/croupier/table/keep.py",
        "        if seat.gone and not",
        "        if seat.gone is None and not",
        "tests/store/test_bounds.py",
    ),
    Bug(
        "who owes is forgotten once he has left",
        "src/croupier/table/keep.py",
        "or seat.owes or",
        "or",
        "tests/store/test_bounds.py",
    ),
    Bug(
        "who leaves and comes back has his once-only again",
        "src/croupier/table/keep.py",
        "or seat.short_bets_settled)",
        "or seat.colour)",
        "tests/store/test_bounds.py",
    ),
    Bug(
        "a request that has expired waits for ever",
        "src/croupier/table/evolve.py",
        "if event.at <= asked.expires}",
        "if asked.expires}",
        "tests/store/test_bounds.py",
    ),
    Bug(
        "a pack may say more than its files",
        "src/croupier/store/pack.py",
        "    if _zipped(files) != body:\n",
        "    if not _zipped(files):\n",
        "tests/store/test_pack.py",
    ),
    Bug(
        "a pack's files may say more than they should",
        "src/croupier/store/pack.py",
        "            if files.get(name) != text:\n",
        "            if name not in files:\n",
        "tests/store/test_pack.py",
    ),
    Bug(
        "rows that do not belong in a pack pass",
        "src/croupier/store/pack.py",
        "    if found != wanted:\n",
        "    if not found and wanted:\n",
        "tests/store/test_pack.py",
    ),
    Bug(
        "a receipt may say more than its fields",
        "src/croupier/store/receipt.py",
        '    if _written(found).encode(errors="replace") != text:\n',
        "    if not text:\n",
        "tests/store/test_pack.py",
    ),
    Bug(
        "a paper shows the number of a ticket",
        "src/croupier/store/pack.py",
        '"money.txt": without_numbers(',
        '"money.txt": str(',
        "tests/store/test_pack.py",
    ),
    Bug(
        "a Player's paper tells of others",
        "src/croupier/store/rounds.py",
        "            if own in (None, one.source, one.target)\n",
        "            if one\n",
        "tests/store/test_pack.py",
    ),
    Bug(
        "an archive may hold more than its rows",
        "src/croupier/store/archive.py",
        "    if odd := next(_odd(store, _named(file)), None):\n",
        "    if odd := None:\n",
        "tests/store/test_archive.py",
    ),
    Bug(
        "something may follow the end of an archive",
        "src/croupier/store/archive.py",
        "    if not reader.eof or reader.unused_data:\n",
        "    if not reader.eof:\n",
        "tests/store/test_archive.py",
    ),
    Bug(
        "the database keeps the room of what was moved",
        "src/croupier/store/sqlite.py",
        '            self._run("VACUUM")\n',
        "",
        "tests/store/test_archive.py",
    ),
    Bug(
        "of two signed histories the later counts",
        "src/croupier/store/verify.py",
        "            heads.setdefault(seq, set()).add(hash)\n",
        "            heads[seq] = {hash}\n",
        "tests/store/test_pack.py",
    ),
    Bug(
        "anyone signs a checkpoint",
        "src/croupier/store/checkpoint.py",
        "_signed(checkpoint.at, checkpoint.heads))\n    except (InvalidSignature, ValueError):\n        return False\n",
        "_signed(checkpoint.at, checkpoint.heads))\n    except (InvalidSignature, ValueError):\n        return True\n",
        "tests/store/test_pack.py",
    ),
    Bug(
        "the papers of a pack are not compared",
        "src/croupier/store/pack.py",
        "            lies += _compare(",
        "            assert None is not _compare(",
        "tests/store/test_pack.py",
    ),
    Bug(
        "the chain of a pack need not lead to its checkpoint",
        "src/croupier/store/pack.py",
        "    if hash.hex() != signed:\n",
        "    if not hash:\n",
        "tests/store/test_pack.py",
    ),
    Bug(
        "rows leave the store for an archive that was never checked",
        "src/croupier/store/archive.py",
        "    if lies:\n",
        "    if not lies and lies:\n",
        "tests/store/test_archive.py",
    ),
    Bug(
        "a void counts as a win",
        "src/croupier/ledger.py",
        '    "void": "turnover",\n',
        '    "void": "wins",\n',
        "tests/test_ledger.py",
    ),
    Bug(
        "one person voids a ticket alone",
        "src/croupier/cage/decisions.py",
        "    if asked.by == command.by:\n",
        "    if not asked.by:\n",
        "tests/test_cage.py",
    ),
    Bug(
        "a ticket takes any check digits",
        "src/croupier/table/tickets.py",
        "if digits != ticket_number(int(digits[:DIGITS])):",
        "if not digits:",
        "tests/test_cage.py",
    ),
    Bug(
        "the words of an amount miss an and",
        "src/croupier/paper/words.py",
        'joint = " and " if rest < 100 else " "',
        'joint = " and " if rest < 10 else " "',
        "tests/test_paper.py",
    ),
    Bug(
        "every second command is answered before it is on disk",
        "src/croupier/store/record.py",
        "        try:\n            self._write()\n        except Conflict:\n",
        "        try:\n            len(self._waiting.rows) % 2 or self._write()\n        except Conflict:\n",
        "tests/store/test_kill.py",
    ),
    Bug(
        "the rows are written beside the transaction that moves the stream on",
        "src/croupier/store/sqlite.py",
        "            self._insert(held)\n        if stale:",
        "        self._insert(held)\n        if stale:",
        "tests/store/test_power.py",
    ),
    Bug(
        "no reply is kept: a resend after a crash is a second command",
        "src/croupier/store/record.py",
        "                    self._answers[id] = row.seq\n",
        "                    self._answers.pop(id, None)\n",
        "tests/store/test_kill.py",
    ),
    Bug(
        "a full disk is taken for a commit",
        "src/croupier/store/sqlite.py",
        'or will now.\n            self._undo()\n            raise Full(f"the disk is full: {error}") from None\n',
        "or will now.\n            self._undo()\n            assert error\n",
        "tests/store/test_disk.py",
    ),
    Bug(
        "an I/O error in a commit is taken for nothing written",
        "src/croupier/store/sqlite.py",
        'raise Indeterminate(f"the commit failed',
        'raise Full(f"the commit failed',
        "tests/store/test_disk.py",
    ),
    Bug(
        "a table goes on after an error that leaves open what is on disk",
        "src/croupier/store/record.py",
        "            if isinstance(error, Indeterminate):\n                self._stop(error)",
        "            if isinstance(error, Indeterminate):\n                pass",
        "tests/store/test_disk.py",
    ),
    Bug(
        "a group is answered though its commit failed",
        "src/croupier/store/record.py",
        "            recorder._stop(failed)\n        _take_back(work, answers, group, unwritten)\n",
        "            assert failed\n",
        "tests/store/test_disk.py",
    ),
    Bug(
        "the reserve is kept when the disk is full",
        "src/croupier/store/sqlite.py",
        "            if not self._reserve.give_up():\n",
        "            if self._reserve.there():\n",
        "tests/store/test_disk.py",
    ),
    Bug(
        "bets are taken on a full disk",
        "src/croupier/store/record.py",
        "if not room and type(command) in _BRINGS_MORE:",
        "if room is None and type(command) in _BRINGS_MORE:",
        "tests/store/test_disk.py",
    ),
    Bug(
        "the floor's clock is the wall's",
        "src/croupier/store/record.py",
        "self._begin + (time.monotonic_ns() - self._monotonic) // 1_000_000",
        "time.time_ns() // 1_000_000",
        "tests/store/test_freeze.py",
    ),
    Bug(
        "an interruption begins when it is over",
        "src/croupier/store/record.py",
        "subject.interruption(max(recorder.at, lease.seen))",
        "subject.interruption(now)",
        "tests/store/test_freeze.py",
    ),
    Bug(
        "a table is taken whose lease is not over",
        "src/croupier/store/sqlite.py",
        "            if holder != owner and until > now:\n",
        "            if holder != owner and until > now + 10**15:\n",
        "tests/store/test_freeze.py",
    ),
    # ---- dealing and devices
    Bug(
        "what is left of a voided motion is taken for the next round's",
        "src/croupier/floor/attached.py",
        "            case _ if not self._asking:",
        "            case _:",
        "tests/floor/test_dealing.py::test_what_is_left_of_a_voided_motion_is_not_taken_for_the_next_round",
    ),
    Bug(
        "faces are drawn while bets are open",
        "src/croupier/floor/picture.py",
        "if seen.faces and not may_be_seen(table):",
        "if seen.faces and not table:",
        "tests/floor/test_dealing.py::test_no_face_is_drawn_before_bets_are_closed",
    ),
    Bug(
        "the Dealer is shown what the other source read",
        "src/croupier/floor/witness.py",
        "if table.sensed is not None and not table.setup.two_sources:",
        "if table.sensed is not None:",
        "tests/floor/test_dealing.py::test_two_sources_are_compared_and_the_dealer_does_not_see_the_other_before",
    ),
    Bug(
        "a reading is not written down before it is entered",
        "src/croupier/floor/witness.py",
        "if seen.outcome is not None and table.sensed is None:",
        "if seen.outcome is not None and table.setup.two_sources:",
        "tests/floor/test_dealing.py::test_what_a_device_tells_in_an_interruption_stands_until_it_is_over",
    ),
    Bug(
        "a program that fails says nothing",
        "src/croupier/floor/crew.py",
        'self.floor.alert("crew-fault"',
        '(lambda *said: None)("crew-fault"',
        "tests/floor/test_dealing.py::test_a_program_that_fails_says_so_and_begins_again",
    ),
    Bug(
        "a fault that leaves no choice waits for a person",
        "src/croupier/floor/witness.py",
        "        if fault in SURE and any(",
        "        if fault in () and any(",
        "tests/floor/test_dealing.py::test_a_fault_that_leaves_no_choice_voids_by_itself",
    ),
    Bug(
        "the countdown is told after the bets are open",
        "src/croupier/floor/dealer.py",
        '            self._count_down("betting")  #',
        '            self._count_down("ready")  #',
        "tests/floor/test_dealing.py::test_whoever_hears_that_bets_are_open_also_hears_for_how_long",
    ),
    Bug(
        "a tumble under the cover tells of the dice",
        "src/croupier/devices/tumbler.py",
        'self._now(), "tumble", number, len(TUMBLES))',
        'self._now(), "tumble", number, len(TUMBLES), rate=int(throw(self._source)[0]))',
        "tests/live/test_secrecy.py::test_nothing_that_leaves_the_server_before_the_close_tells_of_the_dice",
    ),
    Bug(
        "a biased wheel is nobody's business",
        "src/croupier/floor/fairness.py",
        "        if odd := sorted(before & self.spoke):",
        "        if odd := sorted(before - before):",
        "tests/floor/test_fairness.py",
    ),
    Bug(
        "a floor whose clock was set back waits for the leases of a killed one until that clock comes by",
        "src/croupier/server/serve.py",
        "waited = floor.clock.now()",
        "waited = 0",
        "tests/live/test_clock.py",
    ),
    Bug(
        "strangers may hold every socket",
        "src/croupier/server/strangers.py",
        "            transport.abort()",
        "            pass",
        "tests/server/test_hostile.py::test_strangers_in_crowds_are_turned_away_and_terminals_come_in",
    ),
    Bug(
        "a floor that starts again leaves its rounds interrupted",
        "src/croupier/floor/crew.py",
        "            await self.floor.restore(live)",
        "            await asyncio.sleep(0)",
        "tests/live/test_restart.py",
    ),
    Bug(
        "faces by byte modulo 6",
        "src/croupier/devices/chance.py",
        "fair = BYTES - BYTES % sides",
        "fair = BYTES",
        "tests/devices/test_health.py::test_all_256_bytes_give_each_side_as_often",
    ),
    Bug(
        "covered dice are drawn while they tumble",
        "src/croupier/devices/tumbler.py",
        "        self._lying = None\n        self._say(Moving",
        "        self._lying = throw(self._source)\n        self._say(Moving",
        "tests/devices/test_simulated.py::test_the_throw_of_a_covered_game_does_not_exist_before_the_cover_is_lifted",
    ),
    Bug(
        "a lone number of the wheel is believed against its state 5",
        "src/croupier/devices/cammegh.py",
        "elif number != self._claim:",
        "elif number is None:",
        "tests/devices/test_cammegh.py::test_a_number_that_state_5_contradicts_is_not_shown",
    ),
    Bug(
        "a game of the wheel runs twice",
        "src/croupier/devices/cammegh.py",
        "if backwards or again:",
        "if backwards:",
        "tests/devices/test_cammegh.py::test_states_that_go_back_or_come_again_are_out_of_order",
    ),
    Bug(
        "the camera looks under the cover",
        "src/croupier/devices/shaker.py",
        "        if not self._covered:\n            self.read_dice(at)",
        "        self.read_dice(at)",
        "tests/devices/test_shaker.py::test_under_a_cover_the_camera_is_not_asked_and_its_word_is_not_passed_on",
    ),
    Bug(
        "a ticket that may be on paper is said not to be",
        "src/croupier/devices/printer.py",
        "                sent = True\n",
        "",
        "tests/devices/test_printer.py::test_a_ticket_that_is_not_confirmed_is_unsure_and_must_be_looked_for",
    ),
    Bug(
        "a reprint looks like the first paper",
        "src/croupier/floor/printing.py",
        "return Due(event.ticket, duplicate=True)",
        "return Due(event.ticket, duplicate=False)",
        "tests/floor/test_printing.py::test_a_ticket_that_got_stuck_must_be_looked_for",
    ),
    Bug(
        "a ticket that did not come out is told to nobody",
        "src/croupier/floor/printing.py",
        "                self._tell(due, refused.message)",
        "                del refused",
        "tests/floor/test_printing.py::test_a_ticket_that_got_stuck_must_be_looked_for",
    ),
    Bug(
        "a ticket that was paid is printed again",
        "src/croupier/cage/decisions.py",
        "command.found, command.at)\n    return c.TicketReprinted",
        'command.found if command.found != "paid" else "live", command.at)\n    return c.TicketReprinted',
        "tests/floor/test_printing.py::test_a_ticket_that_did_not_come_out_is_valid_and_printed_again_as_a_duplicate",
    ),
    Bug(
        "a pack may leave a correction out",
        "src/croupier/store/pack.py",
        "if kind in CORRECTING_KINDS]\n",
        "if not kind] or others\n",
        "tests/store/test_adversary.py",
    ),
    Bug(
        "recovery begins with any row",
        "src/croupier/store/recall.py",
        "    _check_first(store, stream, first)\n",
        "",
        "tests/store/test_adversary.py",
    ),
    Bug(
        "an auditor may take back colour chips",
        "src/croupier/table/permits.py",
        "    m.TakeBackColour: _PIT,",
        '    m.TakeBackColour: (*_PIT, "auditor"),',
        "tests/test_permits.py",
    ),
    Bug(
        "the phase of a command is not looked at",
        "src/croupier/table/permits.py",
        '    m.CallNoMoreBets: _OPEN | {"interrupted"},',
        "    m.CallNoMoreBets: WHENEVER,",
        "tests/test_permits.py",
    ),
    Bug(
        "the software declines what a person may still approve",
        "src/croupier/table/decide.py",
        "if command.by == SYSTEM and command.at <= request.expires:",
        "if command.by == SYSTEM and command.at < 0:",
        "tests/test_simulation.py",
    ),
    # ---- the office, and a floor that runs
    Bug(
        "terminals need show no certificate",
        "src/croupier/server/serve.py",
        "context.verify_mode = ssl.CERT_REQUIRED",
        "context.verify_mode = ssl.CERT_OPTIONAL",
        "tests/server/test_serve.py::test_both_doors_speak_tls_and_terminals_show_their_certificates",
    ),
    Bug(
        "requests wait for ever",
        "src/croupier/floor/timers.py",
        "                if now > request.expires and not live.recorder.lost:",
        "                if live.stopped:",
        "tests/server/test_serve.py::test_requests_lapse_and_tickets_expire_as_commands_of_the_system",
    ),
    Bug(
        "a bug of a screen stops the writer",
        "src/croupier/floor/floor.py",
        '        self.alert("screen-fault", stream, said)',
        "        raise error",
        "tests/server/test_serve.py::test_a_bug_of_a_screen_stops_nobody",
    ),
    Bug(
        "a manifest is signed by anybody",
        "src/croupier/store/manifest.py",
        "    if not signed:",
        "    if signed is None:",
        "tests/test_doctor.py",
    ),
    Bug(
        "a file that was never approved runs",
        "src/croupier/store/manifest.py",
        "sorted(here.keys() - files.keys())",
        "sorted(set())",
        "tests/test_doctor.py",
    ),
    Bug(
        "a locked account is looked at",
        "src/croupier/server/sessions.py",
        "        if wait > 0:\n            self._unsaid",
        "        if wait > 10**12:\n            self._unsaid",
        "tests/server/test_sessions.py",
    ),
    Bug(
        "a session lasts for ever",
        "src/croupier/server/sessions.py",
        "if now >= session.began + self.times.absolute:",
        "if now < session.began:",
        "tests/server/test_sessions.py",
    ),
    Bug(
        "a link lets in twice",
        "src/croupier/office/state.py",
        "_drop_links(office, [event.link] if event.link else [])",
        "_drop_links(office, [])",
        "tests/test_office.py",
    ),
    Bug(
        "a new password leaves old sessions open",
        "src/croupier/office/decisions.py",
        '    return [noted, *_all_out(office, command, "password")]',
        "    return [noted]",
        "tests/server/test_sessions.py",
    ),
    Bug(
        "any hash in the database is a password",
        "src/croupier/server/sessions.py",
        "if found is None or hashlib.sha256(found.body).hexdigest() != account.password:",
        "if found is None:",
        "tests/server/test_sessions.py",
    ),
    Bug(
        "a seat has two terminals",
        "src/croupier/office/decisions.py",
        'return [*_out(office, command, "another terminal was enrolled for the seat"), made]',
        "return [made]",
        "tests/test_office.py",
    ),
    Bug(
        "every failed login is a row",
        "src/croupier/server/sessions.py",
        "if not self._untold or now < self._told_at + self._gap:",
        "if not self._untold:",
        "tests/server/test_sessions.py",
    ),
    # ---- the terminals' door
    Bug(
        "a terminal changes its layout under its bets",
        "src/croupier/table/seats.py",
        '    if seat.held:\n        raise Refused("layout"',
        '    if seat.gone:\n        raise Refused("layout"',
        "tests/test_transcripts.py",
    ),
    Bug(
        "a floor answers before it has written",
        "src/croupier/server/terminal.py",
        "            submit(recorder, command",
        "            self.tell(TEXT, encode(p.Ok(bet.id, Cents(0), Cents(0))))\n            submit(recorder, command",
        "tests/server/test_terminals.py::test_a_bet_is_answered_once_it_is_on_disk",
    ),
    Bug(
        "a seat takes another's ids",
        "src/croupier/server/terminal.py",
        "BetId(prefix + bet.id)",
        "BetId(bet.id)",
        "tests/server/test_terminals.py::test_a_seat_reaches_only_its_own",
    ),
    Bug(
        "what was sent before a cut is still taken",
        "src/croupier/server/terminal.py",
        "        if self.tell is _nobody:\n            return  #",
        "        if self.tell is None:\n            return  #",
        "tests/server/test_hostile.py::test_a_flood_is_refused_then_cut_and_others_are_served",
    ),
    Bug(
        "a terminal that does not read is told for ever",
        "src/croupier/server/terminal.py",
        '        self._door.cut["unread"] += 1\n        self.abort()',
        "        pass",
        "tests/server/test_hostile.py::test_a_terminal_that_never_reads_is_cut_and_holds_up_nobody",
    ),
    Bug(
        "pings cost nothing",
        "src/croupier/server/terminal.py",
        "case WSMsgType.PING if self._spend(1):",
        "case WSMsgType.PING:",
        "tests/server/test_hostile.py::test_bounds_recover_with_time_and_pings_count",
    ),
    Bug(
        "a retired terminal stays",
        "src/croupier/server/terminals.py",
        "            if terminal.key == ended.key:",
        "            if terminal.key == ended.why:",
        "tests/server/test_terminals.py::test_one_live_terminal_a_seat_and_a_retired_one_is_closed",
    ),
    Bug(
        "two terminals have one seat",
        "src/croupier/server/terminals.py",
        "            older.leave(p.Closed.TAKEN_OVER",
        "            str(p.Closed.TAKEN_OVER",
        "tests/server/test_terminals.py::test_one_live_terminal_a_seat_and_a_retired_one_is_closed",
    ),
    Bug(
        "any origin will do",
        "src/croupier/server/terminals.py",
        "if origin is not None and origin not in self.origins and not self._is_of_a_node(origin):",
        "if origin is None and self.origins:",
        "tests/server/test_hostile.py::test_tokens_that_are_guessed_stolen_retired_or_from_elsewhere_open_nothing",
    ),
    Bug(
        "a face is shown before it may be seen",
        "src/croupier/server/terminals.py",
        "picture.faces if may_be_seen(live.table) else ()",
        "picture.faces",
        "tests/server/test_terminals.py::test_pictures_show_no_face_before_it_may_be_seen",
    ),
    Bug(
        "a result is told before it is confirmed",
        "src/croupier/server/room.py",
        'struck_phase(table) == "settling"',
        'struck_phase(table) in ("entered", "settling")',
        "tests/server/test_terminals.py::test_no_result_is_told_before_it_is_confirmed",
    ),
    Bug(
        "one who comes back is not told what he missed",
        "src/croupier/server/room.py",
        "        if not self.seq - len(self._news) <= seen <= self.seq:",
        "        if not seen:",
        "tests/server/test_terminals.py::test_who_comes_back_is_told_what_he_missed_or_everything",
    ),
    Bug(
        "another Player's rounds are recalled",
        "src/croupier/server/records.py",
        "or number < there.since",
        "or number < 0",
        "tests/server/test_terminals.py::test_a_new_player_does_not_see_the_rounds_of_the_one_before",
    ),
    Bug(
        "a receipt for another's bet",
        "src/croupier/server/records.py",
        "or placed is None or placed.seat != seat",
        "or placed is None",
        "tests/server/test_terminals.py::test_a_receipt_is_signed_and_only_for_ones_own",
    ),
    Bug(
        "credit after a round is that of later acts",
        "src/croupier/server/own.py",
        "credit[accounts[transfer.source]] += transfer.amount",
        "pass",
        "tests/server/test_terminals.py::test_credit_around_a_round_is_exact_in_one_commit",
    ),
    Bug(
        "a terminal that stays away is not told to the table",
        "src/croupier/server/absent.py",
        "and live.table.seats[seat].held\n",
        "and live.table.seats[seat].gone\n",
        "tests/server/test_terminals.py::test_a_terminal_that_stays_away_with_bets_is_told_to_the_table_and_restored",
    ),
    Bug(
        "a Player is not told that his round is void",
        "src/croupier/server/notices.py",
        "            for seat, amount in _sums(event.returned).items():",
        "            for seat, amount in _sums(()).items():",
        "tests/server/test_terminals.py::test_a_player_is_told_of_voids_corrections_and_bets_on_his_behalf",
    ),
    # ---- the pit
    Bug(
        "a rehearsed correction forgets the stakes that went back",
        "src/croupier/server/staff/rehearsal.py",
        "Cents(one.old.winnings + one.old.returned)",
        "Cents(one.old.winnings)",
        "tests/server/test_staff_rehearsal.py",
    ),
    Bug(
        "one person changes the layouts of an open table",
        "src/croupier/table/decide.py",
        "case m.SetLimits() | m.SetLayouts():",
        "case m.SetLimits():",
        "tests/test_transcripts.py",
    ),
    Bug(
        "a new layout takes effect in the round under way",
        "src/croupier/table/evolve.py",
        "            if table.round is None:\n                _fit_layouts(table)",
        "            _fit_layouts(table)",
        "tests/test_transcripts.py",
    ),
    # ---- the staff's door
    Bug(
        "a page of another site may act",
        "src/croupier/server/staff/guard.py",
        "if origin is None or origin not in house.settings.origins:",
        "if origin is None:",
        "tests/server/test_staff_session.py::test_only_our_own_pages_may_change_anything",
    ),
    Bug(
        "whoever has signed in sees every console",
        "src/croupier/server/staff/guard.py",
        "if audience.place and not audience.roles & _held(house, audience, person, path):",
        "if audience.place and not audience.roles:",
        "tests/server/test_staff_console.py::test_a_console_is_for_the_staff_of_its_table_and_sockets_for_our_own_pages",
    ),
    Bug(
        "a socket outlives its session",
        "src/croupier/server/staff/feeds.py",
        "if viewer.session == session:",
        'if viewer.session == "":',
        "tests/server/test_staff_console.py::test_a_socket_ends_with_its_session_and_with_its_right_to_look",
    ),
    Bug(
        "the ids of one person are those of all",
        "src/croupier/server/staff/deeds.py",
        'answer = await house.floor.give(recorder, command, f"{person}.{given.id}")',
        "answer = await house.floor.give(recorder, command, given.id)",
        "tests/server/test_staff_session.py::test_a_command_is_given_by_whoever_has_signed_in_and_counts_once",
    ),
    Bug(
        "a body without an end is read to its end",
        "src/croupier/server/staff/plane.py",
        "if size > MOST_BODY:",
        "if size < 0:",
        "tests/server/test_staff_session.py::test_bodies_that_are_none_are_told_what_is_wrong",
    ),
    Bug(
        "passwords may be guessed as fast as one likes",
        "src/croupier/server/staff/guard.py",
        "if left < 1:",
        "if left < 0:",
        "tests/server/test_staff_session.py::test_signing_in_is_slowed_for_an_address_that_tries_again_and_again",
    ),
    Bug(
        "the journal shows the numbers of live tickets",
        "src/croupier/server/staff/journal.py",
        "body = msgspec.Raw(re.sub(rb'\"\\d{14}(\\d{4})\"', rb'\"**************\\1\"', row.body))",
        "body = msgspec.Raw(row.body)",
        "tests/server/test_staff_audit.py::test_the_journal_shows_every_row_and_hides_what_could_be_redeemed",
    ),
    Bug(
        "the Dealer reads the sensor before he enters what he sees",
        "src/croupier/table/console.py",
        'table.sensed if phase in ("entered", "settling") else None',
        "table.sensed",
        "tests/test_console.py::test_the_second_source_is_not_shown_before_the_first_has_spoken",
    ),
    Bug(
        "the earliest bet is rejected first",
        "src/croupier/table/console.py",
        "next(bet for bet in reversed(table.round.bets.values()) if bet.box == box and bet.stake)",
        "next(bet for bet in table.round.bets.values() if bet.box == box and bet.stake)",
        "tests/test_console.py::test_what_is_over_a_limit_is_told_with_the_bet_to_reject_and_short_bets_with_the_minimum",
    ),
    Bug(
        "a real floor hands out seats like a demonstration",
        "src/croupier/server/staff/demo.py",
        "if not house.settings.demo:",
        "if house is None:",
        "tests/server/test_staff_demo.py::test_a_real_floor_has_nothing_of_it",
    ),
    Bug(
        "a refusal that the description does not know",
        "src/croupier/server/staff/plane.py",
        "known |= {401} if not audience.public else set()",
        "known |= set()",
        "tests/server/test_staff_openapi.py::test_every_route_answers_as_its_description_says",
    ),
    # ---- more than one machine
    Bug(
        "shares that go by the name alone",
        "src/croupier/floor/ownership.py",
        "key=lambda node: (count[node], node))",
        "key=lambda node: node)",
        "tests/nodes/test_ownership.py::test_what_has_no_owner_goes_to_whoever_has_the_least",
    ),
    Bug(
        "nobody gives up what is too much",
        "src/croupier/floor/ownership.py",
        "- min(count[node] for node in nodes) >= 2",
        "- min(count[node] for node in nodes) >= 20",
        "tests/nodes/test_ownership.py::test_all_nodes_find_the_same_shares_and_nobody_has_two_more_than_another",
    ),
    Bug(
        "an owner who was replaced may write where nobody has written since",
        "src/croupier/store/postgres.py",
        "WHERE streams.stream = e.stream AND streams.epoch = e.epoch AND streams.seq",
        "WHERE streams.stream = e.stream AND streams.seq",
        "tests/nodes/test_ownership.py::test_two_owners_attempted_a_thousand_times_write_one_chain",
    ),
    Bug(
        "a follower that does not look for what is new",
        "src/croupier/floor/ownership.py",
        "            if name in rows:\n                self._read(name, rows[name])\n",
        "",
        "tests/nodes/test_nodes.py::test_everyone_may_ask_any_node",
    ),
    Bug(
        "a machine that ends does not hand over",
        "src/croupier/floor/ownership.py",
        "gives = bool(others) and (self.said.leaving or surplus(",
        "gives = bool(others) and (surplus(",
        "tests/nodes/test_nodes.py::test_a_node_that_is_told_to_end_hands_its_tables_over_and_no_round_is_lost",
    ),
)


def plant(bug: Bug) -> tuple[bool, str]:
    """Plant a bug in a copy and run its tests there: whether one went red, and which, or what happened instead."""
    with tempfile.TemporaryDirectory(prefix="croupier-planted-") as folder:
        copy = Path(folder)
        for part in ("src", "tests", "docs", "tables"):
            # With times and compiled files, so that only the bug's own file is compiled anew.
            shutil.copytree(ROOT / part, copy / part)
        shutil.copytree(ROOT / "web" / "src", copy / "web" / "src")
        shutil.copy(ROOT / "pyproject.toml", copy)
        file = copy / bug.file
        text = file.read_text()
        if bug.old not in text:
            return False, f"cannot be planted: {bug.file} has no {bug.old!r}"
        file.write_text(text.replace(bug.old, bug.new, 1))
        # Whole paths: a process that a test starts elsewhere runs the copy too.
        program = f"import sys, pytest; sys.path[:0] = ['{copy}/src', '{copy}']; sys.exit(pytest.main(sys.argv[1:]))"
        options = ("-q", "-x", "-p", "no:evidence", "-p", "no:cacheprovider", *FEWER)
        command = [sys.executable, "-c", program, *options, bug.test]
        try:
            run = subprocess.run(command, cwd=copy, capture_output=True, text=True, timeout=PATIENCE, check=False)
        except subprocess.TimeoutExpired:
            return False, f"{bug.test} did not end within {PATIENCE} s"
        red = re.search(rf"^FAILED ({re.escape(bug.test)}\S*)", run.stdout, re.MULTILINE)
        if run.returncode == 1 and red:
            return True, red[1]
        return False, f"went unnoticed by {bug.test} (exit {run.returncode})\n{run.stdout[-600:]}"


def sample() -> list[Bug]:
    """One bug for each room, the first in it: enough to see that the tests can fail."""
    return list({str(Path(bug.file).parent): bug for bug in reversed(BUGS)}.values())


def main() -> int:
    parser = ArgumentParser(description="Plant bugs; each must turn its test red.")
    parser.add_argument("--sample", action="store_true", help="one bug for each room")
    parser.add_argument("words", nargs="*", help="only bugs with one of these words in their name, file or test")
    asked = parser.parse_args()
    failed, bugs = 0, sample() if asked.sample else list(BUGS)
    if asked.words:
        bugs = [bug for bug in bugs if any(word in f"{bug.name} {bug.file} {bug.test}" for word in asked.words)]
    with ThreadPoolExecutor(os.cpu_count()) as pool:  # each bug runs in a process of its own
        for bug, (caught, how) in zip(bugs, pool.map(plant, bugs), strict=True):
            failed += not caught
            print(f"{'caught' if caught else 'NOT CAUGHT'}: {bug.name}: {how}", flush=True)
    print(f"{len(bugs) - failed} of {len(bugs)} planted bugs caught")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
