"""Bugs in `src/croupier/rules` and in the rulebooks."""

from tests.planted.bug import Bug

BOOKS = "src/croupier/rulebooks"

BUGS = (
    Bug(
        "a clause that has no Chinese",
        f"{BOOKS}/rws-sicbo-etg-v2.toml",
        "A bet and a wager are the same thing.",
        "A bet and a wager are one and the same thing.",
        "tests/rules/test_translations.py::test_every_sentence_of_a_book_is_in_chinese",
    ),
    Bug(
        "a clause that is translated with another number",
        f"{BOOKS}/zh/rws-sicbo-etg-v2.toml",
        "28 格",
        "30 格",
        "tests/rules/test_translations.py::test_what_a_sentence_names_is_named_in_its_translation",
    ),
    Bug(
        "a refusal that has no Chinese",
        "src/croupier/rules/reasons.py",
        '"tumbling": {}',
        '"at-rest": {}',
        "tests/words/test_catalogue.py::test_every_refusal_and_alert_has_a_sentence_with_all_its_facts",
    ),
    Bug(
        "an explanation that has no words",
        "src/croupier/rules/bets.py",
        '"rule-triple": {},',
        '"rule-trio": {},',
        "tests/words/test_catalogue.py::test_every_refusal_and_alert_has_a_sentence_with_all_its_facts",
    ),
    Bug(
        "8.5 to 1 swapped with 8 to 1",
        f"{BOOKS}/mbs-esicbo-v4.toml",
        'kind = "Three Dice Totals"\nboxes = "total: 8 13"\nwins = "total {}"\npays = "8.5 to 1"',
        'kind = "Three Dice Totals"\nboxes = "total: 8 13"\nwins = "total {}"\npays = "8 to 1"',
        "tests/rules/test_matrix.py::test_total_8_pays_8_5_on_the_high_tables",
    ),
    Bug(
        "repeats allowed in four-number bets",
        "src/croupier/rules/bets.py",
        "return len(shown) == DICE and shown.issubset(self.faces)",
        "return shown.issubset(self.faces)",
        "tests/rules/test_matrix.py::test_four_number_bets_need_three_different_numbers",
    ),
    Bug(
        "pair:1-1-2 offered where it is not printed",
        f"{BOOKS}/rws-sicbo-etg-v2.toml",
        ' 6-6-4"\nwins = "shows {}"\npays = "50 to 1"\nwin_clause = "4.1.2"',
        ' 6-6-4 1-1-2"\nwins = "shows {}"\npays = "50 to 1"\nwin_clause = "4.1.2"',
        "tests/rules/test_matrix.py::test_pair_1_1_2_is_not_offered_where_it_is_not_printed",
    ),
    Bug(
        "Top Line loses on S",
        f"{BOOKS}/mbs-sands-roulette-v2.toml",
        'wins = "number S 0 00 1 2 3"',
        'wins = "number 0 00 1 2 3"',
        "tests/rules/test_matrix.py::test_top_line_wins_on_S_0_and_00",
    ),
    Bug(
        "a triple wins Small",
        "src/croupier/rules/bets.py",
        "return not _is_triple(outcome) and self.inner.wins(outcome)",
        "return self.inner.wins(outcome)",
        "tests/rules/test_pay_tables.py::test_the_matrix_is_the_reviewed_one",
    ),
    Bug(
        "the stake of a winning bet is not returned",
        "src/croupier/rules/paytable.py",
        "returned = Cents(cents if odds is not None else 0)",
        "returned = Cents(0)",
        "tests/rules/test_settlement.py::test_settlement_conserves_money",
    ),
    Bug(
        "half a cent is rounded away",
        "src/croupier/rules/paytable.py",
        "if cents % unit:",
        "if cents % 1:",
        "tests/rules/test_settlement.py::test_a_stake_that_could_not_be_paid_in_whole_cents_is_refused_with_the_smallest_unit",
    ),
    Bug(
        "decided as soon as one outcome agrees",
        "src/croupier/rules/paytable.py",
        "if wins in (0, len(possible)):",
        "if wins != 1:",
        "tests/rules/test_settlement.py::test_what_is_decided_is_what_every_outcome_still_possible_agrees_on",
    ),
    Bug(
        "a clause cited but not indexed goes unseen",
        "src/croupier/rules/reader.py",
        "if clause not in indexed:",
        "if clause is None:",
        "tests/rules/test_reader.py::test_a_fault_is_reported_with_its_place_and_what_is_allowed",
    ),
    Bug(
        "the unit of halves and thirds is a third",
        "src/croupier/rules/paytable.py",
        "name: Cents(lcm(*(odds.denominator for odds in prices.values())))",
        "name: Cents(max(odds.denominator for odds in prices.values()))",
        "tests/rules/test_settlement.py::test_the_unit_of_halves_and_thirds_is_a_sixth",
    ),
    Bug(
        "a felt that prints other odds goes unseen",
        "src/croupier/rules/reader.py",
        "if printed not in (None, paid):",
        "if printed is paid:",
        "tests/rules/test_reader.py::test_a_fault_is_reported_with_its_place_and_what_is_allowed",
    ),
    Bug(
        "a line break in a text goes unseen",
        "src/croupier/rules/reader.py",
        "        if not text.isprintable():\n            self.fault(",
        "        if not text:\n            self.fault(",
        "tests/rules/test_reader.py::test_a_fault_is_reported_with_its_place_and_what_is_allowed",
    ),
    Bug(
        "a split sits on a corner",
        "src/croupier/rules/felt.py",
        " and top <= bottom and _lie_together(areas)",
        " and top <= bottom",
        "tests/rules/test_reader.py::test_a_fault_is_reported_with_its_place_and_what_is_allowed",
    ),
    Bug(
        "what a condition says is declared far from it",
        "src/croupier/rules/statement.py",
        '    "rule-any": {"rules": "statement"},\n',
        '    "rule-any": {"rules": "statement"},\n    "rule-odd": {},\n',
        "tests/project/test_adding.py::test_the_statements_of_a_win_condition_are_declared_with_it",
    ),
)
