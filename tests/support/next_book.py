"""A later version of one of the approved books, for the tests of a change of the rules."""

from __future__ import annotations

from croupier.rules.library import rulebook_text

TABLE, BOOK = "sicbo-rws", "rws-sicbo-etg-v2"


def next_version(effective: str = "2026-01-01T09:00:00") -> str:
    """A later version of a book: layout C is gone, and Any Triple of layout A pays less."""
    text = rulebook_text(BOOK)
    text = text.replace('version = "2"', 'version = "3"').replace("2021-05-24T08:00:00", effective)
    begin = text.index('[[layout]]\nid = "C"')
    text = text[:begin] + text[text.index("# Limits") :]
    assert text.count(ANY_TRIPLE) >= 1
    return text.replace(ANY_TRIPLE, ANY_TRIPLE.replace("32", "31"), 1)


ANY_TRIPLE = '''wins = "triple"
pays = "32 to 1"
win_clause = "4.1.1"
odds_clause = "4.1.1"
label = "ANY TRIPLE"
prints = "1 WINS 32"'''
