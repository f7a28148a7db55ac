"""What is wrong with a value, and what is allowed in its place: of files and settings, which pydantic reads, and of
messages, which msgspec reads.

Neither library's sentences are for people ("Expected `int` >= 0", "Input should be a valid integer"), and msgspec stops
at the first fault. A message that it refused is therefore looked at once more, to find every fault with its place.
"""

from __future__ import annotations

import binascii
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from functools import cache
from itertools import islice
from typing import Any

import msgspec
from msgspec import inspect

from croupier.rules.bad_input import Fault

MOST_NAMED = 20
"""Names that one fault lists. What is not listed is counted."""
ALIKE = 0.65
"""How like two names are, from 0 to 1, if one was probably meant for the other."""
MOST_FAULTS = 50
"""Faults of one message: nobody reads more, and a stranger's message may have thousands."""
_NO_SUCH_VALUE = "cannot be used here"


# ---- what both say


def short(value: object) -> str:
    """A value as a fault quotes it: on one line, and not longer than 60 characters."""
    match value:
        case str():
            text = f'"{spaced(value)}"'
        case None:
            text = "null"
        case bool():
            text = str(value).lower()
        case dict():
            text = "a table" if value else "an empty table"
        case list() | tuple():
            text = "a list" if value else "an empty list"
        case _:
            text = spaced(repr(value))
    return text if len(text) <= 60 else text[:57] + "…"


def spaced(text: str) -> str:
    """A text on one line with single spaces, and a mark for each character that cannot be printed."""
    if not text.isprintable():
        text = "".join(letter if letter.isprintable() else "\ufffd" for letter in text)
    return " ".join(text.split())


def unknown(what: str, name: str, known: Sequence[str] = ()) -> str:
    """A name that means nothing: the one that was probably meant, or those that are allowed."""
    near = get_close_matches(name, known, 1, ALIKE)
    instead = f"; did you mean {near[0]}?" if near else f"; allowed are {_listed(known)}" if known else ""
    return f"unknown {what} {short(name)}{instead}"


def missing(what: str, name: str) -> str:
    return f'the {what} "{name}" is missing'


def _listed(names: Iterable[object]) -> str:
    all_names = [str(name) for name in names]
    more = len(all_names) - MOST_NAMED
    return ", ".join(all_names[:MOST_NAMED]) + (f" and {more} more" if more > 0 else "")


def _range(least: object = None, over: object = None, most: object = None, under: object = None) -> str:
    """Bounds as words that follow a noun."""
    if least is not None and most is not None:
        return f" from {least} to {most}"
    bounds = [("of at least", least), ("over", over), ("of at most", most), ("under", under)]
    return " and".join(f" {words} {bound}" for words, bound in bounds if bound is not None)


def _count(least: int | None, most: int | None, one: str, several: str) -> str:
    """A number of things as words that follow "with"."""
    if least and most is not None:
        return f" with {least} to {most} {several}"
    if least:
        return f" with at least {least} {one if least == 1 else several}"
    return f" with at most {most} {one if most == 1 else several}" if most is not None else ""


# ---- files and settings

_WORDS_FOR_TYPES = {
    "bool": "true or false",
    "date": "a day, such as 2021-05-24",
    "datetime": "a day with its time, such as 2021-05-24T08:00:00",
    "dict": "a table of names and values",
    "float": "a number",
    "int": "a whole number",
    "list": "a list",
    "mapping": "a table of names and values",
    "model": "a table of names and values",
    "path": "a path",
    "string": "text",
    "tuple": "a list",
}
_BOUNDS = {"greater_than": "over", "greater_than_equal": "at least", "less_than": "under", "less_than_equal": "at most"}


def fault_in_file(detail: Mapping[str, Any], fields: Sequence[str] = ()) -> tuple[list[str], str]:
    """An error of pydantic: the path of names and numbers to its place, and what is wrong there. `fields` are the keys
    that are allowed where one is unknown."""
    path = [str(step) for step in detail["loc"]]
    if detail["type"] == "missing":
        return path[:-1], missing("key", path[-1])
    if detail["type"] == "extra_forbidden":
        return path[:-1], unknown("key", path[-1], fields if len(path) == 1 else ())
    return path, _wrong(detail["type"], short(detail["input"]), detail.get("ctx", {}))


def _wrong(kind: str, given: str, context: Mapping[str, Any]) -> str:
    match kind:
        case "union_tag_not_found":
            return missing("key", str(context["discriminator"]).strip("'"))
        case "union_tag_invalid":
            return _not_allowed(short(context["tag"]), _in_quotes(context["expected_tags"]))
        case "literal_error":
            return _not_allowed(given, _in_quotes(context["expected"]))
        case "value_error":
            return str(context["error"])
        case "greater_than" | "greater_than_equal" | "less_than" | "less_than_equal":
            return f"must be {_BOUNDS[kind]} {next(iter(context.values())):g}, not {given}"
        case "string_too_short" | "string_too_long":
            size = _count(context.get("min_length"), context.get("max_length"), "character", "characters")
            return f"must be text{size}, not {given}"
        case "too_short" | "too_long":
            size = _count(context.get("min_length"), context.get("max_length"), "item", "items")
            return f"must be a list{size}, not {given}"
        case "string_pattern_mismatch":
            return f"{given} does not have the form {context['pattern']}"
        case "finite_number":
            return f"must be a finite number, not {given}"
        case _:
            words = _WORDS_FOR_TYPES.get(kind.partition("_")[0])
            return f"must be {words}, not {given}" if words else f"{given} {_NO_SUCH_VALUE}"


def _not_allowed(given: str, allowed: Sequence[str]) -> str:
    near = get_close_matches(given.strip('"'), allowed, 1, ALIKE)
    return f"{given} is not allowed; " + (f"did you mean {near[0]}?" if near else f"allowed are {_listed(allowed)}")


def _in_quotes(expected: str) -> list[str]:
    """The values in a list such as "'people' or 'automatic'"."""
    return re.findall(r"'([^']*)'", expected) or [expected]


# ---- messages


def faults_of_json(kind: object, body: bytes) -> list[Fault]:
    """Every fault of a JSON message that could not be read as a type, each with its place."""
    try:
        value = msgspec.json.decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return [Fault("", not_json(body))]
    return faults_of_message(kind, value)


def faults_of_message(kind: object, value: object) -> list[Fault]:
    """Every fault of a value that is not of a type, up to a bound; at least one."""
    found = list(islice(_faults(_type_of(kind), value, ""), MOST_FAULTS))
    return found or [Fault("", _NO_SUCH_VALUE)]


def not_json(body: bytes) -> str:
    """Why bytes are no JSON, and where they stop being JSON."""
    try:
        text = body.decode()
    except UnicodeDecodeError as error:
        return f"it is not UTF-8 text from byte {error.start + 1} on"
    if not text.strip():
        return "it is empty"
    place = _longest_json(text)
    if place is None:
        return "it is nested too deeply, or has a number or a character that JSON does not allow"
    if place >= len(text.rstrip()):
        return "it ends before the JSON is complete"
    line, column = text.count("\n", 0, place) + 1, place - text.rfind("\n", 0, place)
    return f"it is not JSON from line {line}, character {column} on: {short(text[place : place + 20])}"


def _longest_json(text: str) -> int | None:
    """Where a text stops to be JSON; None if it cannot be said."""
    import json

    try:
        json.loads(text, parse_constant=_no_constant)
    except json.JSONDecodeError as error:
        return error.pos
    except (_NoConstant, RecursionError, ValueError):
        return None
    return None


class _NoConstant(Exception):
    pass


def _no_constant(name: str) -> None:
    raise _NoConstant(name)


_type_of = cache(inspect.type_info)


def _faults(kind: inspect.Type, value: object, place: str) -> Iterator[Fault]:
    match kind:
        case inspect.Metadata(type=inner):
            yield from _faults(inner, value, place)
        case inspect.UnionType(types=members):
            yield from _faults_of_union(members, value, place)
        case inspect.StructType() if isinstance(value, dict):
            yield from _faults_of_object(kind, value, place)
        case inspect.DictType(key_type=keys, value_type=values) if isinstance(value, dict):
            if not _has_length(kind, value):
                yield Fault(place, f"must be {_allowed(kind)}; it has {len(value)}")
            for key, inner in value.items():
                yield from _faults(keys, key, _in(place, key))
                yield from _faults(values, inner, _in(place, key))
        case inspect.VarTupleType(item_type=items) | inspect.ListType(item_type=items) if isinstance(value, list):
            if not _has_length(kind, value):
                yield Fault(place, f"must be {_allowed(kind)}; it has {len(value)}")
            for number, inner in enumerate(value):
                yield from _faults(items, inner, f"{place}[{number}]")
        case inspect.TupleType(item_types=each) if isinstance(value, list) and len(value) == len(each):
            for number, (item, inner) in enumerate(zip(each, value, strict=True)):
                yield from _faults(item, inner, f"{place}[{number}]")
        case inspect.StrType() if isinstance(value, str) and not _has_length(kind, value):
            yield Fault(place, f"must be {_allowed(kind)}; it has {len(value)}")  # it may be a password
        case _ if not _fits(kind, value):
            yield Fault(place, f"must be {_allowed(kind)}, not {short(value)}")


def _faults_of_object(kind: inspect.StructType, value: dict[str, object], place: str) -> Iterator[Fault]:
    known = {field.encode_name: field for field in kind.fields}
    tag = {kind.tag_field} if kind.tag_field else set()
    if tag and value.get(str(kind.tag_field), kind.tag) != kind.tag:
        yield Fault(_in(place, str(kind.tag_field)), _not_allowed(short(value[str(kind.tag_field)]), [str(kind.tag)]))
    if kind.forbid_unknown_fields:
        for name in value:
            if name not in known and name not in tag:
                yield Fault(place, unknown("field", name, list(known)))
    for name, field in known.items():
        if name in value:
            yield from _faults(field.type, value[name], _in(place, name))
        elif field.required:
            yield Fault(place, missing("field", name))


def _faults_of_union(members: Sequence[inspect.Type], value: object, place: str) -> Iterator[Fault]:
    """A message is looked at as the kind of message that its tag names; another value as the kind of its shape."""
    tagged = [member for member in members if isinstance(member, inspect.StructType) and member.tag_field]
    if tagged and isinstance(value, dict):
        field = str(tagged[0].tag_field)
        of_tag = {str(member.tag): member for member in tagged}
        if field not in value:
            yield Fault(place, missing("field", field))
        elif (named := value[field]) in list(of_tag):
            yield from _faults_of_object(of_tag[str(named)], value, place)
        else:
            yield Fault(_in(place, field), _not_allowed(short(named), list(of_tag)))
        return
    for member in members:
        if isinstance(value, _SHAPES.get(type(member), ())):
            yield from _faults(member, value, place)
            return
    if not any(_fits(member, value) for member in members):
        yield Fault(place, f"must be {_any_of(members)}, not {short(value)}")


_SHAPES: dict[type, type] = {
    inspect.StructType: dict,
    inspect.DictType: dict,
    inspect.VarTupleType: list,
    inspect.ListType: list,
    inspect.TupleType: list,
}
"""The types whose parts are looked at one by one."""


def _fits(kind: inspect.Type, value: object) -> bool:
    """Is a value without parts of a type?"""
    match kind:
        case inspect.Metadata(type=inner):
            return _fits(inner, value)
        case inspect.UnionType(types=members):
            return any(_fits(member, value) for member in members)
        case inspect.AnyType() | inspect.RawType():
            return True
        case inspect.NoneType():
            return value is None
        case inspect.BoolType():
            return isinstance(value, bool)
        case inspect.IntType():
            return type(value) is int and _in_bounds(kind, value)
        case inspect.FloatType():
            return type(value) in (int, float) and _in_bounds(kind, value)
        case inspect.StrType():
            return isinstance(value, str) and _has_length(kind, value) and _has_form(kind, value)
        case inspect.BytesType():
            return isinstance(value, str) and (decoded := _decoded(value)) is not None and _has_length(kind, decoded)
        case inspect.LiteralType(values=allowed):
            return any(type(one) is type(value) and one == value for one in allowed)
        case _:
            return False


def _in_bounds(kind: inspect.IntType | inspect.FloatType, value: Any) -> bool:
    return not (
        (kind.ge is not None and value < kind.ge)
        or (kind.gt is not None and value <= kind.gt)
        or (kind.le is not None and value > kind.le)
        or (kind.lt is not None and value >= kind.lt)
    )


def _has_length(kind: Any, value: Any) -> bool:
    return (kind.min_length or 0) <= len(value) and (kind.max_length is None or len(value) <= kind.max_length)


def _has_form(kind: inspect.StrType, value: str) -> bool:
    return kind.pattern is None or re.search(kind.pattern, value) is not None


def _decoded(text: str) -> bytes | None:
    try:
        return binascii.a2b_base64(text, strict_mode=True)
    except (binascii.Error, ValueError):
        return None


def allowed_for(kind: object) -> str:
    """What is allowed for a value of a type that was left out or given as text, as words that follow "must be"."""
    found = _type_of(kind)
    members = found.types if isinstance(found, inspect.UnionType) else (found,)
    return _any_of([member for member in members if not isinstance(member, inspect.NoneType)])


def _allowed(kind: inspect.Type) -> str:
    match kind:
        case inspect.Metadata(type=inner):
            return _allowed(inner)
        case inspect.UnionType(types=members):
            return _any_of(members)
        case inspect.NoneType():
            return "null"
        case inspect.BoolType():
            return "true or false"
        case inspect.IntType():
            return f"a whole number{_range(kind.ge, kind.gt, kind.le, kind.lt)}"
        case inspect.FloatType():
            return f"a number{_range(kind.ge, kind.gt, kind.le, kind.lt)}"
        case inspect.StrType():
            form = f" of the form {kind.pattern}" if kind.pattern else ""
            return f"text{form}{_count(kind.min_length, kind.max_length, 'character', 'characters')}"
        case inspect.BytesType():
            return f"bytes in Base64{_count(kind.min_length, kind.max_length, 'byte', 'bytes')}"
        case inspect.LiteralType(values=values):
            return _one_of(values)
        case inspect.VarTupleType() | inspect.ListType():
            return f"a list{_count(kind.min_length, kind.max_length, 'item', 'items')}"
        case inspect.TupleType(item_types=each):
            return f"a list with {len(each)} items"
        case inspect.DictType():
            return f"an object{_count(kind.min_length, kind.max_length, 'name', 'names')}"
        case inspect.StructType():
            return "an object"
        case _:
            return "a value of another kind"


def _any_of(members: Iterable[inspect.Type]) -> str:
    return " or ".join(dict.fromkeys(map(_allowed, members)))


def _one_of(values: Iterable[object]) -> str:
    names = sorted(map(str, values))
    return names[0] if len(names) == 1 else f"one of {_listed(names)}"


def _in(place: str, name: str) -> str:
    shown = name if len(name) <= 64 else name[:61] + "…"
    return f"{place}.{shown}" if place else shown
