"""Decisions about the book itself: bringing one, taking it up between rounds at its hour, and giving up a plan.

Two people agree to a change. It takes effect between two rounds: at once, if the hour of the book has come and no round
is under way, or else as soon as both are true (`due`). Rounds before it keep their law (`Table.law_of`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from croupier.rules.library import book_of
from croupier.rules.paytable import Layout
from croupier.rules.reader import RulebookFaults
from croupier.rules.refusal import Refused
from croupier.rules.rulebook import Rulebook
from croupier.table import messages as m
from croupier.table.checks import Events
from croupier.table.limits import check_limits
from croupier.table.messages import Limits, PersonId
from croupier.table.state import PlannedBook, Table, between_rounds, law_under

LONGEST = 1 << 20
"""Characters of a book."""


def bring_book(table: Table, command: m.BringBook) -> Events:
    if len(command.text) > LONGEST:
        raise Refused("book", "too-long", most=LONGEST)
    try:
        book = book_of(command.text)
    except RulebookFaults as fault:
        raise Refused("book", "unreadable", error=str(fault.faults[0])) from None
    if book.hash in (table.book.hash, *table.books):
        return []
    return [m.BookBrought(command.by, command.at, book.hash, command.text)]


def take_up_book(table: Table, command: m.TakeUpBook, at: int, second: PersonId) -> Events:
    """The change that one person asks for and another approves at this moment: at once, or planned for its hour."""
    if command.old != table.book.hash:
        raise Refused("book", "in-force-other", book=table.book.id)
    if table.planned is not None:
        raise Refused("book", "planned-already", book=table.planned.id)
    book = _brought(table, command.book)
    if book.id != command.id:
        raise Refused("book", "other-id", book=book.id, named=command.id[:64])
    correction = check_successor(table.book, book)
    hour = 0 if correction else book.in_force_from or 0
    plan = PlannedBook(
        book.id,
        book.hash,
        correction,
        max(hour, command.not_before),
        PersonId(command.by),
        second,
        command.limits,
        command.layouts,
        alternatives_under(book, table.law.alternatives, command.alternatives),
    )
    check_terms(table, book, plan.limits, plan.layouts)
    if at >= plan.not_before and between_rounds(table):
        return [_taken_up(table, plan, command.by, at)]
    planned = m.BookPlanned(
        command.by,
        at,
        plan.id,
        plan.book,
        command.old,
        plan.correction,
        plan.not_before,
        plan.asked_by,
        plan.approved_by,
        plan.limits,
        plan.layouts,
        plan.alternatives,
    )
    return [planned]


def take_up_planned(table: Table, command: m.TakeUpPlanned) -> Events:
    plan = _plan(table)
    if not between_rounds(table):
        raise Refused("book", "round-under-way", book=plan.id)
    if command.at < plan.not_before:
        raise Refused("book", "before-its-hour", book=plan.id, since=plan.not_before)
    return [_taken_up(table, plan, command.by, command.at)]


def cancel_plan(table: Table, command: m.CancelPlan) -> Events:
    plan = _plan(table)
    return [m.PlanCancelled(command.by, command.at, plan.id, plan.book, command.reason)]


def due(table: Table, at: int) -> PlannedBook | None:
    """The planned book, once it must be taken up before another round begins."""
    plan = table.planned
    return plan if plan is not None and at >= plan.not_before and between_rounds(table) else None


def check_not_due(table: Table, at: int) -> None:
    """Refuse the beginning of a round under a book that two people have replaced from this hour on."""
    plan = due(table, at)
    if plan is not None:
        raise Refused("book", "due", book=plan.id, since=plan.not_before)


def check_successor(old: Rulebook, new: Rulebook) -> bool:
    """True if a book is a correct encoding of the text in force, false if it is a later version. Refuse any other."""
    if new.hash == old.hash:
        raise Refused("book", "in-force", book=new.id)
    same_kind = (new.device, new.play.kind, new.play.layout_of) == (old.device, old.play.kind, old.play.layout_of)
    if same_kind and new.correct_encoding_of(old):
        return True
    if not same_kind or old.id not in (new.id, new.identity.replaces):
        raise Refused("book", "other-text", book=new.id, old=old.id)
    if not new.replaces(old):
        raise Refused("book", "not-later", book=new.id, old=old.id, hour=new.hour, old_hour=old.hour)
    return False


def layouts_under(table: Table, book: Rulebook, layouts: tuple[str, ...]) -> tuple[str, ...]:
    """The layouts on display under a book: those named, or those on display now that the book has too."""
    names = [layout.id.rpartition("/")[2] for layout in book.layouts]
    for name in layouts:
        if name not in names:
            raise Refused("layout", "not-of-book", layout=name, book=book.id, known=tuple(names))
    kept = layouts or tuple(name for name in table.displayed if name in names)
    if len(set(kept)) < max(1, len(kept)):
        raise Refused("book", "no-layout", book=book.id, known=tuple(names))
    if book.play.layout_of == "table" and len(kept) > 1:
        raise Refused("layout", "one-displayed", layouts=kept)
    return kept


def alternatives_under(book: Rulebook, kept: Iterable[int], named: tuple[int, ...] | None) -> tuple[int, ...]:
    """The rulings that the House reads otherwise under a book: those named, or those of now that it still leaves."""
    known = {reading.ruling for reading in book.readings if reading.alternative != "none"}
    for number in named or ():
        if number not in known:
            raise Refused("alternative", "not-of-book", book=book.id, ruling=number)
    return tuple(sorted({number for number in kept if number in known} if named is None else set(named)))


def check_terms(table: Table, book: Rulebook, limits: Limits | None, layouts: tuple[str, ...]) -> None:
    """Refuse limits and layouts that do not fit a book. Without new ones, those of the table must fit it."""
    law, shown = law_under(book), layouts_under(table, book, layouts)
    check_limits(limits or table.limits, [law.layouts[name] for name in shown], book.limits)


def check_plan(table: Table, limits: Limits | None = None, layouts: tuple[str, ...] = ()) -> None:
    """Refuse other limits or layouts that would not fit the planned book: its hour must not find the table stuck."""
    plan = table.planned
    if plan is not None:
        check_terms(table, _brought(table, plan.book), plan.limits or limits, plan.layouts or layouts)


def _plan(table: Table) -> PlannedBook:
    if table.planned is None:
        raise Refused("book", "none-planned")
    return table.planned


def _brought(table: Table, hash: str) -> Rulebook:
    if hash not in table.books:
        raise Refused("book", "not-brought", hash=hash[:64])
    return book_of(table.books[hash])


def _taken_up(table: Table, plan: PlannedBook, by: str, at: int) -> m.BookTakenUp:
    law = law_under(book_of(table.books[plan.book]))
    layouts = layouts_under(table, law.book, plan.layouts)
    moved = {seat.id: layouts[0] for seat in table.seats.values() if not seat.gone and seat.layout not in layouts}
    return m.BookTakenUp(
        by,
        at,
        plan.id,
        plan.book,
        table.book.hash,
        plan.correction,
        table.next_round,
        plan.asked_by,
        plan.approved_by,
        plan.limits or table.limits,
        layouts,
        plan.alternatives,
        gone_boxes(table, law.layouts),
        moved,
        tuple(seat.id for seat in table.seats.values() if not seat.gone),
    )


def gone_boxes(table: Table, layouts: Mapping[str, Layout]) -> dict[str, tuple[str, ...]]:
    """By layout on display, the boxes that these layouts no longer have."""
    gone: dict[str, tuple[str, ...]] = {}
    for name in table.displayed:
        kept = layouts[name].boxes if name in layouts else ()
        if boxes := tuple(box for box in table.layouts[name].boxes if box not in kept):
            gone[name] = boxes
    return gone
