"""The mutants of a rulebook: one small change of its data each, with the clauses that the changed value stands for.

The data of a book is walked by its schema, so that a new key has mutants without any change here: a word becomes
another of the words allowed there, a role or a phase is dropped or added, a number moves by one, a yes becomes a no, a
citation names another clause or none. Of the boxes, one of each kind and price stands for all: it pays more, wins or
loses on another outcome, is not offered, cites another clause. Prose is not changed: what a clause `says`, a trigger,
a label.
"""

from __future__ import annotations

import typing
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, replace
from hashlib import sha256
from types import MappingProxyType, UnionType
from typing import Any, Literal, NamedTuple, get_args, get_origin

from pydantic import ValidationError

from croupier.rules import schema
from croupier.rules.outcomes import Outcome, Wheel
from croupier.rules.paytable import Box, BoxName, Layout
from croupier.rules.rulebook import Rulebook

PROSE = {"trigger", "says", "read", "why", "alternative", "label", "prints", "note", "title", "wording", "format"}
"""Fields that are words about the law, not law."""
FIXED = {"id", "order", "device"}
"""What the engine is built on: another id is no id, another order of play another game."""


class LawMutant(NamedTuple):
    """A change of a book, and the clauses that a reader would look up to see that it is wrong."""

    name: str
    clauses: tuple[str, ...]
    changed: Callable[[], Rulebook]


def mutants_of(book: Rulebook) -> list[LawMutant]:
    """Every mutant of a book, in the order of its file."""
    found = [*_of_parts(book), *_of_lists(book), *_of_roles(book), *_of_boxes(book)]
    assert len({one.name for one in found}) == len(found), [one.name for one in found]
    return found


def _rulebook(book: Rulebook, name: str, **parts: Any) -> Rulebook:
    """The book with other parts. Its hash is another, because answers are kept by it."""
    return replace(book, **parts, hash=sha256(f"{book.hash} {name}".encode()).hexdigest())


def _other_clause(book: Rulebook, clause: str) -> str:
    """The clause after this one in the text: a citation that is nearly right."""
    ids = list(book.clauses)
    return ids[(ids.index(clause) + 1) % len(ids)]


# ---- parts by their schema


def _of_parts(book: Rulebook) -> Iterator[LawMutant]:
    """Mutants of the tables that a book has once."""
    for field in fields(book):
        part = getattr(book, field.name)
        if isinstance(part, schema.Part) and field.name != "identity":
            yield from _of_part(book, field.name, field.name, part, lambda new, name=field.name: {name: new})  # type: ignore[misc]


def _of_lists(book: Rulebook) -> Iterator[LawMutant]:
    """Mutants of the tables that a book has many of. Each may also be missing altogether."""
    for key, label in (("calls", "call"), ("irregularities", "irregularity"), ("prompts", "prompt")):
        parts = getattr(book, key)
        for number, part in enumerate(parts):
            if key == "prompts" and part.when != "opening":
                continue  # what people are reminded of decides nothing
            place = f"{label} {part.id}"
            if part.id not in _NEEDED:
                rest = (*parts[:number], *parts[number + 1 :])
                yield _mutant(book, f"{place}: is missing", (part.clause,), {key: rest})

            def put(new: schema.Part, key: str = key, parts: Any = parts, number: int = number) -> dict[str, Any]:
                return {key: (*parts[:number], new, *parts[number + 1 :])}

            yield from _of_part(book, place, key, part, put)


_NEEDED = {"place-your-bets", "no-more-bets"}
"""Parts without which the reader refuses a book."""
Put = Callable[[schema.Part], dict[str, Any]]


def _mutant(book: Rulebook, name: str, clauses: Iterable[str], parts: dict[str, Any]) -> LawMutant:
    return LawMutant(name, tuple(dict.fromkeys(clauses)), lambda: _rulebook(book, name, **parts))


def _of_part(
    book: Rulebook, place: str, key: str, part: schema.Part, put: Put, around: str = ""
) -> Iterator[LawMutant]:
    """The mutants of one part, and of the parts in it. `around` is the clause of the part it stands in."""
    for name, field in type(part).model_fields.items():
        value = getattr(part, name)
        if name in PROSE | FIXED or value is None or (key == "prompts" and name == "by"):
            continue  # the software does not choose who makes a check

        def put_field(new: Any, name: str = name) -> dict[str, Any]:
            return put(part.model_copy(update={name: new}))

        where = f"{place}: {name}" if ":" not in place else f"{place} {name}"
        own = _clause_of(part, name) or around
        if isinstance(value, schema.Part):
            yield from _of_part(book, where, key, value, put_field, own)
            continue
        if isinstance(value, Mapping):
            for inner, held in value.items():
                if isinstance(held, schema.Part):

                    def put_inner(new: schema.Part, value: Any = value, inner: str = inner, name: str = name) -> Any:
                        return put(part.model_copy(update={name: MappingProxyType({**value, inner: new})}))

                    yield from _of_part(book, f"{where} {inner}", key, held, put_inner, own)
            continue
        if isinstance(value, tuple) and value and isinstance(value[0], schema.Part):
            for number, one in enumerate(value):

                def put_one(new: schema.Part | None, value: Any = value, number: int = number, name: str = name) -> Any:
                    rest = (*value[:number], *(() if new is None else (new,)), *value[number + 1 :])
                    return put(part.model_copy(update={name: rest}))

                label = f"{where} {getattr(one, 'outcome', number + 1)}"
                yield _mutant(book, f"{label} is missing", (_clause_of(one, "") or own,), put_one(None))
                yield from _of_part(book, label, key, one, put_one, own)
            continue
        clauses = _clauses_about(part, name, value, own)
        for what, new in _others(book, name, field.annotation, field.metadata, value):
            if _allowed(part, name, new):
                yield _mutant(book, f"{where} {what}", clauses, put_field(new))


def _clause_of(part: schema.Part, field: str) -> str:
    """The clause that a field of a part stands for: its own, if the part has one for it, or that of the part."""
    names = [name for name in type(part).model_fields if name.endswith("clause") and getattr(part, name)]
    own = [name for name in names if name != "clause" and field.startswith(name.removesuffix("_clause").split("_")[0])]
    return getattr(part, own[0]) if own else getattr(part, "clause", None) or ""


def _clauses_about(part: schema.Part, name: str, value: Any, own: str) -> tuple[str, ...]:
    if name == "otherwise" or name.endswith("clause"):
        return (value,)
    otherwise = getattr(part, "otherwise", None)
    return tuple(filter(None, (own, otherwise)))


def _allowed(part: schema.Part, name: str, new: Any) -> bool:
    """False if the reader would refuse the value."""
    data = part.model_dump() | {name: new}
    try:
        type(part).model_validate(data)
    except ValidationError:
        return False
    return not (data.get("act") in _NEEDS_OTHERWISE and data.get("otherwise") is None)


_NEEDS_OTHERWISE = {"attest", "attest-and-lock", "wait"}


def _others(
    book: Rulebook, name: str, annotation: Any, metadata: Sequence[object], value: Any
) -> Iterator[tuple[str, Any]]:
    """(what changed, the other value) of a field."""
    match value:
        case bool():
            yield f"is {not value}".lower(), not value
        case int():
            yield f"is {value + 1}", value + 1
            yield f"is {value - 1}", value - 1
        case tuple():
            yield from _other_lists(book, annotation, value)
        case str() if name == "otherwise" or name.endswith("clause"):
            yield "cites another", _other_clause(book, value)
            if type(None) in get_args(annotation):
                yield "is not cited", None
        case str() if words := _words_of(annotation):
            allowed = _phases(book) if value in _phases(book) else words
            for other in _near(value, allowed):
                yield f"is {other}", other
        case str() if name == "words":
            yield "are others", f"{value}~"
        case str() if "{" in value:
            yield "is said otherwise", f"{value}~"
        case _:
            pass


def _near(value: str, words: Sequence[str]) -> Iterator[str]:
    """The other words, or of many those that are easily taken for this one, and the one that does nothing."""
    others = [word for word in words if word != value]
    if len(others) <= 4:
        yield from others
        return
    kin = [word for word in others if word in value or value in word][:2]
    place = list(words).index(value)
    yield from dict.fromkeys([*kin, words[(place + 1) % len(words)], *({"no-effect", "nothing"} & set(others))])


def _other_lists(book: Rulebook, annotation: Any, value: tuple[Any, ...]) -> Iterator[tuple[str, Any]]:
    words = _words_of(annotation)
    for one in value:
        if len(value) > 1:
            yield f"without {one}", tuple(other for other in value if other != one)
    if not words:
        return
    for one in _additions(book, words, value):
        yield f"also {one}", (*value, one)


def _additions(book: Rulebook, words: Sequence[str], value: tuple[str, ...]) -> list[str]:
    """What could stand in the list too: roles of the book, and the phases around those that are in it."""
    phases = _phases(book)
    if set(value) <= set(phases):
        places = [phases.index(phase) for phase in value]
        around = {place + step for place in places for step in (-1, 1)} - set(places)
        return [phases[place] for place in sorted(around) if 0 <= place < len(phases)]
    return [word for word in words if word not in value and (word in book.titles or word not in _ROLES)]


_ROLES = get_args(schema.Role)


def _phases(book: Rulebook) -> tuple[str, ...]:
    return schema.PHASES[book.play.order]


def _words_of(annotation: Any) -> tuple[str, ...]:
    """The words that a field may hold, also in a list or as one of several types; empty if any text may stand there."""
    origin = get_origin(annotation)
    if origin is Literal:
        return get_args(annotation)
    if origin in (UnionType, typing.Union, tuple) or hasattr(annotation, "__metadata__"):
        parts = get_args(annotation)[:1] if hasattr(annotation, "__metadata__") else get_args(annotation)
        return tuple(word for part in parts if part is not Ellipsis for word in _words_of(part))
    return ()


def _of_roles(book: Rulebook) -> Iterator[LawMutant]:
    """A role that the book no longer names: whoever holds it has nobody above them in its words."""
    for role in book.titles:
        if role == "dealer":
            continue
        titles = {held: title for held, title in book.titles.items() if held != role}
        clauses = [part.clause for part in book.irregularities if role in part.authority]
        yield _mutant(book, f"titles: without {role}", clauses[:1] or [next(iter(book.clauses))], {"titles": titles})


# ---- boxes


def _of_boxes(book: Rulebook) -> Iterator[LawMutant]:
    """A box of each kind and price stands for the others; a citation changes for a whole kind, as a book writes it."""
    for layout in book.layouts:
        name = layout.id.rpartition("/")[2]
        yield from _of_layout(book, layout, name)
        boxes = [layout.box(box) for box in layout.boxes]
        one_of: dict[tuple[str, ...], Box] = {}
        kinds: dict[tuple[str, str, str], list[Box]] = {}
        for box in boxes:
            kind = (box.kind.partition(" (")[0], box.win_clause, box.odds_clause)
            one_of.setdefault((*kind, box.pays), box)
            kinds.setdefault(kind, []).append(box)
        for box in one_of.values():
            for what, clauses, other in _other_boxes(book, box):
                yield _box_mutant(book, layout, f"{name}, {box.name}: {what}", clauses, {box.name: other})
        for (wager, win_clause, odds_clause), alike in kinds.items():
            won, paid = (_other_clause(book, clause) for clause in (win_clause, odds_clause))
            lost = {box.name: replace(box, win_clause=won) for box in alike}
            priced = {box.name: replace(box, odds_clause=paid) for box in alike}
            place = f"{name}, {alike[0].name} and all {wager}"
            yield _box_mutant(book, layout, f"{place}: win_clause cites another", (win_clause,), lost)
            yield _box_mutant(book, layout, f"{place}: odds_clause cites another", (odds_clause,), priced)


def _of_layout(book: Rulebook, layout: Layout, name: str) -> Iterator[LawMutant]:
    boxes = [layout.box(box) for box in layout.boxes]
    for what in ("clause", "appendix"):
        cited = {"clause": layout.clause, "appendix": layout.appendix}
        old, cited[what] = cited[what], _other_clause(book, cited[what])
        parts = (layout.id, layout.title, cited["clause"], cited["appendix"], layout.space, boxes, layout.felt)
        yield LawMutant(
            f"{name}: {what} cites another",
            (old,),
            lambda parts=parts, what=what: _with_layout(book, layout, Layout(*parts), f"{name} {what}"),  # type: ignore[misc]
        )


def _other_boxes(book: Rulebook, box: Box) -> Iterator[tuple[str, tuple[str, ...], Box | None]]:
    both = tuple(dict.fromkeys((box.win_clause, box.odds_clause)))
    more = tuple(replace(price, odds=price.odds + 1) for price in box.prices)
    yield "pays one more", (box.odds_clause,), replace(box, prices=more)
    for outcome in _telling(book, box):
        won = any(outcome in price.outcomes for price in box.prices)
        yield f"{'loses' if won else 'wins'} on {outcome}", (box.win_clause,), _toggled(box, outcome)
    yield "is not offered", both, None


def _telling(book: Rulebook, box: Box) -> list[Outcome]:
    """Outcomes on which books differ: each triple, S, 0 and 00; one that wins and one that loses otherwise."""
    space = book.space
    telling = [outcome for outcome in space.outcomes if _is_special(book, outcome)]
    won = [outcome for price in box.prices for outcome in price.outcomes if outcome not in telling]
    lost = [o for o in space.outcomes if o not in telling and not any(o in p.outcomes for p in box.prices)]
    return [*telling, *won[:1], *lost[:1]]


def _is_special(book: Rulebook, outcome: Outcome) -> bool:
    if isinstance(book.space, Wheel):
        return outcome in book.space.colours.get("green", ())
    return len(set(outcome.split("-"))) == 1


def _toggled(box: Box, outcome: Outcome) -> Box:
    """The box, winning on an outcome on which it lost, or the other way round."""
    if any(outcome in price.outcomes for price in box.prices):
        prices = tuple(replace(p, outcomes=tuple(o for o in p.outcomes if o != outcome)) for p in box.prices)
    else:
        first = box.prices[0]
        prices = (replace(first, outcomes=(*first.outcomes, outcome)), *box.prices[1:])
    return replace(box, prices=prices)


def _box_mutant(
    book: Rulebook, layout: Layout, name: str, clauses: tuple[str, ...], others: Mapping[BoxName, Box | None]
) -> LawMutant:
    def changed() -> Rulebook:
        boxes = [others.get(box, layout.box(box)) for box in layout.boxes]
        left = [box for box in boxes if box is not None]
        parts = (layout.id, layout.title, layout.clause, layout.appendix, layout.space, left, layout.felt)
        return _with_layout(book, layout, Layout(*parts), name)

    return LawMutant(name, clauses, changed)


def _with_layout(book: Rulebook, old: Layout, new: Layout, name: str) -> Rulebook:
    return _rulebook(book, name, layouts=tuple(new if one is old else one for one in book.layouts))
