"""The rules as a terminal shows them: the game, each box of the layout with its odds, and the readings of the book."""

from __future__ import annotations

from croupier.protocol import terminal as p
from croupier.rules.rulebook import Rulebook
from croupier.server.player.room_feed import call_of


def book_of(book: Rulebook, layout: str, id: str) -> p.Book:
    """The answer to a terminal that asks for the rules."""
    shown = book.layout(layout)
    boxes = (shown.box(name) for name in shown.boxes)
    return p.Book(
        id,
        book.id,
        book.identity.title,
        book.identity.operator,
        book.identity.version,
        book.hash,
        layout,
        shown.title,
        tuple(p.BoxRules(box.name, box.kind, box.label, box.pays, box.win_clause, box.odds_clause) for box in boxes),
        tuple(call for call in (call_of(book, one.id) for one in book.calls) if call is not None),
        {number: clause.says for number, clause in book.clauses.items()},
        tuple(p.ReadingShown(one.clause, one.says, one.read, one.why) for one in book.readings),
    )
