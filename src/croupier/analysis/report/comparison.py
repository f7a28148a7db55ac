"""Law beside law: several rulebooks on one question, from their data alone.

An answer is a statement with the clause that it comes from. A book that has nothing on a subject has no answer there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from typing import Literal, NamedTuple

import msgspec

from croupier.rules import schema
from croupier.rules.refusal import Refused
from croupier.rules.rulebook import Rulebook
from croupier.rules.statement import Statement, state

QuestionId = Literal[
    "open",
    "close",
    "motion",
    "result",
    "correct",
    "void",
    "two-people",
    "evidence",
    "power",
    "terminals",
    "minimum",
    "maximum",
    "late",
    "placement",
    "equipment",
    "not-covered",
    "money",
    "people",
    "prices",
    "readings",
]


class ComparedSubject(msgspec.Struct, frozen=True):
    """One subject of a question, and the answers of each book that has any, by its id."""

    subject: str
    about: Statement
    answers: dict[str, tuple[Statement, ...]]


class Comparison(msgspec.Struct, frozen=True):
    question: QuestionId
    books: tuple[str, ...]
    rows: tuple[ComparedSubject, ...]


def compare(question: str, books: Sequence[Rulebook]) -> Comparison:
    """What these books say on a question, side by side."""
    known = {one.id: one for one in QUESTIONS}
    if question not in known:
        raise Refused("question", "unknown", question=question, known=tuple(known))
    asked = known[question]
    rows = tuple(row for row in asked.rows(books) if row.answers)
    return Comparison(asked.id, tuple(book.id for book in books), rows)


_Answer = Callable[[Rulebook], Iterable[Statement]]


def _row(subject: str, about: Statement, books: Sequence[Rulebook], answer: _Answer) -> ComparedSubject:
    answers = {book.id: tuple(answer(book)) for book in books}
    return ComparedSubject(subject, about, {id: given for id, given in answers.items() if given})


def _named(subject: str, books: Sequence[Rulebook], answer: _Answer) -> ComparedSubject:
    return _row(subject, state("comparing-subject", subject=subject), books, answer)


# ---- the course of a round


def _call(book: Rulebook, id: str) -> schema.Call:
    return next(call for call in book.calls if call.id == id)


def _called(book: Rulebook, id: str) -> Iterator[Statement]:
    call = _call(book, id)
    bell = "yes" if call.bell else "no"
    yield state("compared-called", call.clause, words=call.words, given=call.given, bell=bell, by=call.by)


_OPENED: dict[schema.Order, str] = {
    "open-cover": "before-motion",
    "covered": "after-tumble",
    "wheel": "before-spin",
}
_CLOSED: dict[schema.Order, str] = {
    "open-cover": "before-motion",
    "covered": "before-uncovering",
    "wheel": "while-ball-runs",
}


def _opened(book: Rulebook) -> Iterator[Statement]:
    yield state("compared-moment", _call(book, "place-your-bets").clause, moment=_OPENED[book.play.order])


def _closed(book: Rulebook) -> Iterator[Statement]:
    yield state("compared-moment", _call(book, "no-more-bets").clause, moment=_CLOSED[book.play.order])


def _early(book: Rulebook) -> Iterator[Statement]:
    call = _call(book, "no-more-bets")
    if call.early_by:
        yield state("compared-early", call.early_clause, by=call.early_by)


def _open_rows(books: Sequence[Rulebook]) -> Iterator[ComparedSubject]:
    yield _named("call", books, lambda book: _called(book, "place-your-bets"))
    yield _named("moment", books, _opened)


def _close_rows(books: Sequence[Rulebook]) -> Iterator[ComparedSubject]:
    yield _named("call", books, lambda book: _called(book, "no-more-bets"))
    yield _named("moment", books, _closed)
    yield _named("early-close", books, _early)


def _motion(book: Rulebook) -> Iterator[Statement]:
    play = book.play
    yield state("compared-motion", play.minimum_clause, count=play.minimum, device=book.device)


def _motion_rows(books: Sequence[Rulebook]) -> Iterator[ComparedSubject]:
    yield _named("valid-motion", books, _motion)
    yield from _irregularity_rows(books, lambda part: part.id in _OF_MOTION)


def _result(book: Rulebook) -> Iterator[Statement]:
    announced = book.moments.announced if book.moments else "confirmed"
    yield state("compared-result", book.announcement.clause, announced=announced)


def _checked(book: Rulebook) -> Iterator[Statement]:
    if book.moments and book.moments.checked_clause:
        yield state("compared-checked", book.moments.checked_clause)


def _settled(book: Rulebook) -> Iterator[Statement]:
    if book.moments:
        yield state("compared-collected", book.moments.collected_clause)
        yield state("compared-paid", book.moments.paid_clause, kind=book.play.kind)


def _announced(book: Rulebook) -> Iterator[Statement]:
    """One result as it is called: a double, so that the book's word for it can be seen."""
    outcome = book.space.outcomes[0] if book.device == "wheel" else "3-3-4"
    yield state("compared-announced", book.announcement.clause, words=book.announce(outcome))


def _result_rows(books: Sequence[Rulebook]) -> Iterator[ComparedSubject]:
    yield _named("announced-when", books, _result)
    yield _named("announced-how", books, _announced)
    yield _named("checked", books, _checked)
    yield _named("settled", books, _settled)


# ---- irregularities

_OF_MOTION = ("short-tumble", "short-spin", "no-tumble", "tumbled-before-close", "ball-not-spun", "wrong-direction")
_OF_RESULTS = ("wrong-result-entered", "wrong-result-settled", "wrong-illumination", "wrong-display", "past-error")
_OF_SMALL_BETS = ("short-bet", "short-bet-not-noticed", "under-minimum")
_OF_LARGE_BETS = ("over-maximum", "over-differential", "excess-not-rejected", "balance-refused")
_OF_LATE_ACTS = ("early-bet", "oral-bet", "late-bet", "late-withdrawal", "losing-wager-handled")
_OF_PLACES = (
    "chip-order",
    "unclear-chip",
    "moved-chip",
    "placed-in-error",
    "misplaced-on-behalf",
    "call-bet-misplaced",
    "walked-away",
)
_OF_EQUIPMENT = ("malfunction", "interference", "tumbler-fault", "damaged-dice", "broken-dome-or-dice", "ball-broken")
_VOIDS = ("void", "void-affected-rounds")


def _irregularity(book: Rulebook, wanted: str) -> Iterator[Statement]:
    order = schema.PHASES[book.play.order]
    for part in book.irregularities:
        if part.id == wanted:
            yield state(
                "compared-irregularity",
                part.clause,
                consequence=part.consequence,
                by=part.authority,
                people=part.people,
                last=max(part.phases, key=order.index),
            )


def _irregularity_rows(
    books: Sequence[Rulebook], wanted: Callable[[schema.Irregularity], bool]
) -> Iterator[ComparedSubject]:
    """The irregularities of all books that are wanted, in the order in which the books have them."""
    ids = dict.fromkeys(part.id for book in books for part in book.irregularities if wanted(part))
    for id in ids:
        about = state("comparing-irregularity", irregularity=id)
        yield _row(id, about, books, lambda book, id=id: _irregularity(book, id))  # type: ignore[misc]


def _of(*ids: str) -> Callable[[Sequence[Rulebook]], Iterator[ComparedSubject]]:
    return lambda books: _irregularity_rows(books, lambda part: part.id in ids)


def _void_rows(books: Sequence[Rulebook]) -> Iterator[ComparedSubject]:
    yield from _irregularity_rows(books, lambda part: part.consequence in _VOIDS)


def _second(book: Rulebook) -> Iterator[Statement]:
    if ranks := book.ranks:
        yield state("compared-second", ranks.clause, second=ranks.second, highest=ranks.highest)


def _two_people_rows(books: Sequence[Rulebook]) -> Iterator[ComparedSubject]:
    yield _named("second-person", books, _second)
    yield from _irregularity_rows(books, lambda part: part.people == 2)


def _established(book: Rulebook, id: str) -> Iterator[Statement]:
    for part in book.irregularities:
        if part.id == id and part.evidence:
            yield state("compared-evidence", part.clause, evidence=part.evidence, denied_by=part.denied_by)


def _decides(book: Rulebook) -> Iterator[Statement]:
    if ranks := book.ranks:
        yield state("compared-decides", ranks.clause, decides=ranks.decides)


def _evidence_rows(books: Sequence[Rulebook]) -> Iterator[ComparedSubject]:
    for id in dict.fromkeys(part.id for book in books for part in book.irregularities if part.evidence):
        about = state("comparing-irregularity", irregularity=id)
        yield _row(id, about, books, lambda book, id=id: _established(book, id))  # type: ignore[misc]
    yield _named("disagreement", books, _decides)


def _not_covered_rows(books: Sequence[Rulebook]) -> Iterator[ComparedSubject]:
    yield from _irregularity_rows(books, lambda part: part.consequence == "decision")


# ---- a power loss


def _power(book: Rulebook, phase: schema.Phase) -> Iterator[Statement]:
    policy = book.interruption
    act = policy.round.get(phase)
    if act is None:
        return
    unseen = act.act == "void-unseen"
    clause = act.otherwise if unseen else act.clause
    yield state("compared-power", clause or policy.clause, act=act.act, seconds=policy.resume_seconds)
    if act.otherwise and not unseen:
        yield state("compared-otherwise", act.otherwise)


def _power_rows(books: Sequence[Rulebook]) -> Iterator[ComparedSubject]:
    phases = dict.fromkeys(phase for book in books for phase in schema.PHASES[book.play.order])
    for phase in phases:
        about = state("comparing-phase", phase=phase)
        yield _row(phase, about, books, lambda book, phase=phase: _power(book, phase))  # type: ignore[misc]


def _registered(book: Rulebook) -> Iterator[Statement]:
    if terminals := book.interruption.terminals:
        yield state("compared-terminals", terminals.registered.clause, act=terminals.registered.act)


def _unregistered(book: Rulebook) -> Iterator[Statement]:
    if terminals := book.interruption.terminals:
        yield state("compared-terminals", terminals.unregistered.clause, act=terminals.unregistered.act)


def _terminal_rows(books: Sequence[Rulebook]) -> Iterator[ComparedSubject]:
    yield _named("registered", books, _registered)
    yield _named("unregistered", books, _unregistered)


# ---- limits


def _limit(limit: schema.Minimum | schema.Maximum) -> Statement:
    return state("compared-limit", limit.clause, per=limit.per, breach=limit.breach)


def _differential(book: Rulebook) -> Iterator[Statement]:
    if differential := book.limits.differential:
        for pair in differential.pairs:
            yield state("compared-differential", differential.clause, boxes=tuple(pair.split()))


def _minimum_rows(books: Sequence[Rulebook]) -> Iterator[ComparedSubject]:
    yield _named("minimum", books, lambda book: [_limit(book.limits.minimum)])
    yield from _irregularity_rows(books, lambda part: part.id in _OF_SMALL_BETS)


def _maximum_rows(books: Sequence[Rulebook]) -> Iterator[ComparedSubject]:
    yield _named("maximum", books, lambda book: [_limit(book.limits.maximum)])
    yield _named("differential", books, _differential)
    yield from _irregularity_rows(books, lambda part: part.id in _OF_LARGE_BETS)


# ---- money, people, prices and readings


def _money_moved(book: Rulebook, what: Literal["bet", "withdrawn", "void", "exempt", "credit"]) -> Iterator[Statement]:
    if book.movements is None:
        return
    clause = getattr(book.movements, f"{what}_clause")
    if clause or what == "void":  # without a clause for it, a void returns the stakes by the clause that voids
        yield state("compared-moved", clause, movement=what if clause else "void-by-cause")


def _loses(book: Rulebook) -> Iterator[Statement]:
    for one in book.movements.loses if book.movements else ():
        yield state("compared-loses", one.clause, outcome=one.outcome)


def _money_rows(books: Sequence[Rulebook]) -> Iterator[ComparedSubject]:
    yield _named("stake", books, lambda book: _money_moved(book, "bet"))
    yield _named("withdrawn-stake", books, lambda book: _money_moved(book, "withdrawn"))
    yield _named("void-stakes", books, lambda book: _money_moved(book, "void"))
    yield _named("exempt-bet", books, lambda book: _money_moved(book, "exempt"))
    yield _named("lost-bets", books, _loses)
    yield _named("credit", books, lambda book: _money_moved(book, "credit"))


def _on_behalf(book: Rulebook) -> Iterator[Statement]:
    if book.play.on_behalf_by:
        yield state("compared-operators", book.play.on_behalf_clause, by=book.play.on_behalf_by)


def _placement_rows(books: Sequence[Rulebook]) -> Iterator[ComparedSubject]:
    yield _named("on-behalf", books, _on_behalf)
    yield from _irregularity_rows(books, lambda part: part.id in _OF_PLACES)


def _ranks(book: Rulebook) -> Iterator[Statement]:
    if ranks := book.ranks:
        yield state("compared-ranks", ranks.clause, ladder=ranks.ladder)


def _people_rows(books: Sequence[Rulebook]) -> Iterator[ComparedSubject]:
    yield _named("ranks", books, _ranks)
    yield _named("operators", books, lambda book: [state("compared-operators", by=book.play.operated_by)])
    for role in schema.Role.__args__:  # type: ignore[attr-defined]
        yield _named(
            role,
            books,
            lambda book, role=role: [  # type: ignore[misc]
                state("compared-title", title=title) for held, title in book.titles.items() if held == role
            ],
        )


class _Priced(NamedTuple):
    """The price of a box in one layout of a book, or in several."""

    layouts: tuple[str, ...]
    pays: str
    edge: Fraction
    clause: str


def _prices(book: Rulebook, box: str) -> tuple[_Priced, ...]:
    found: dict[tuple[str, Fraction, str], list[str]] = {}
    for layout in book.layouts:
        if box in layout.boxes:
            cell = layout.box(box)
            found.setdefault((cell.pays, layout.edge(box), cell.odds_clause), []).append(layout.id.rpartition("/")[2])
    return tuple(_Priced(tuple(layouts), *price) for price, layouts in found.items())


def _price(one: _Priced) -> Statement:
    edge, percent = str(one.edge), f"{float(one.edge):.2%}"
    return state("compared-price", one.clause, layouts=one.layouts, pays=one.pays, edge=edge, percent=percent)


def _price_rows(books: Sequence[Rulebook]) -> Iterator[ComparedSubject]:
    """Boxes of one word that every book prices alike share a row."""
    boxes = dict.fromkeys(name for book in books for layout in book.layouts for name in layout.boxes)
    alike: dict[tuple[str, tuple[tuple[_Priced, ...], ...]], list[str]] = {}
    for box in boxes:
        key = (box.partition(":")[0], tuple(_prices(book, box) for book in books))
        alike.setdefault(key, []).append(box)
    for (_, prices), names in alike.items():
        answers = {book.id: tuple(map(_price, priced)) for book, priced in zip(books, prices, strict=True) if priced}
        yield ComparedSubject(names[0], state("comparing-boxes", boxes=tuple(names)), answers)


def _reading_rows(books: Sequence[Rulebook]) -> Iterator[ComparedSubject]:
    rulings = sorted({reading.ruling for book in books for reading in book.readings if reading.ruling})
    for number in rulings:
        about = state("comparing-ruling", ruling=number)
        yield _row(str(number), about, books, lambda book, number=number: _readings(book, number))  # type: ignore[misc]


def _readings(book: Rulebook, number: int) -> Iterator[Statement]:
    for reading in book.readings:
        if reading.ruling == number:
            yield state("compared-reading", reading.clause, read=reading.read, alternative=reading.alternative)


class Question(NamedTuple):
    id: QuestionId
    rows: Callable[[Sequence[Rulebook]], Iterable[ComparedSubject]]


QUESTIONS: tuple[Question, ...] = (
    Question("open", _open_rows),
    Question("close", _close_rows),
    Question("motion", _motion_rows),
    Question("result", _result_rows),
    Question("correct", _of(*_OF_RESULTS)),
    Question("void", _void_rows),
    Question("two-people", _two_people_rows),
    Question("evidence", _evidence_rows),
    Question("power", _power_rows),
    Question("terminals", _terminal_rows),
    Question("minimum", _minimum_rows),
    Question("maximum", _maximum_rows),
    Question("late", _of(*_OF_LATE_ACTS)),
    Question("placement", _placement_rows),
    Question("equipment", _of(*_OF_EQUIPMENT)),
    Question("not-covered", _not_covered_rows),
    Question("money", _money_rows),
    Question("people", _people_rows),
    Question("prices", _price_rows),
    Question("readings", _reading_rows),
)
"""Every question, in the order in which a round is played."""
