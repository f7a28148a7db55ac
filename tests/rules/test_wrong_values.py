"""Faults of files, settings and messages are in our words: every one, with its place and what is allowed instead."""

from __future__ import annotations

import datetime
import json
from collections.abc import Iterator
from functools import reduce
from operator import or_
from typing import Annotated, Any, Literal, NewType, get_args

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import inspect
from pydantic import BaseModel, ValidationError

from croupier.floor.config import TableConfig
from croupier.protocol.terminal import AnyDo
from croupier.rules import schema
from croupier.rules.refusal import Refused
from croupier.rules.wrong_values import allowed_for, fault_in_file, faults_of_json, faults_of_message, not_json, short
from croupier.server.settings import Settings
from croupier.server.staff.inputs import CAGE_ASKS, OFFICE_ASKS, TABLE_ASKS

Name = NewType("Name", str)
Count = Annotated[int, msgspec.Meta(ge=0, le=10)]


class Bet(msgspec.Struct, tag="bet", forbid_unknown_fields=True, frozen=True):
    box: Annotated[Name, msgspec.Meta(min_length=1, max_length=8)]
    amount: Count
    note: str | None = None


class Bets(msgspec.Struct, tag="bets", forbid_unknown_fields=True, frozen=True):
    bets: Annotated[tuple[Bet, ...], msgspec.Meta(min_length=1, max_length=3)]
    limits: dict[str, Annotated[int, msgspec.Meta(gt=0)]] = {}
    how: Literal["slow", "fast"] = "fast"
    last: tuple[int, bool] | None = None
    key: Annotated[bytes, msgspec.Meta(max_length=4)] = b""
    share: Annotated[float, msgspec.Meta(lt=1)] = 0
    code: Annotated[str, msgspec.Meta(pattern="^[a-z]+$")] = "a"


def lines(kind: object, message: object) -> list[str]:
    return [str(fault) for fault in faults_of_message(kind, message)]


@pytest.mark.parametrize(
    ("message", "faults"),
    [
        ({"type": "bet", "box": "small", "amount": -1}, ["amount: must be a whole number from 0 to 10, not -1"]),
        ({"type": "bet", "box": "small", "amount": 1.5}, ["amount: must be a whole number from 0 to 10, not 1.5"]),
        ({"type": "bet", "box": "small", "amount": True}, ["amount: must be a whole number from 0 to 10, not true"]),
        ({"type": "bet", "box": 5, "amount": None}, [
            "box: must be text with 1 to 8 characters, not 5",
            "amount: must be a whole number from 0 to 10, not null",
        ]),
        ({"type": "bet", "bax": "small", "colour": "red"}, [
            'unknown field "bax"; did you mean box?',
            'unknown field "colour"; allowed are box, amount, note',
            'the field "box" is missing',
            'the field "amount" is missing',
        ]),
        ({"type": "bet", "box": "a", "amount": 1, "note": 7}, ["note: must be text or null, not 7"]),
        ({"type": "bats"}, ['type: "bats" is not allowed; did you mean bets?']),
        ({"type": "roll"}, ['type: "roll" is not allowed; allowed are bet, bets']),
        ({"box": "small"}, ['the field "type" is missing']),
        ([1, 2], ["must be an object, not a list"]),
        ({"type": "bets", "bets": []}, ["bets: must be a list with 1 to 3 items; it has 0"]),
        ({"type": "bets", "bets": [{"box": "a", "amount": 1}, {"type": "bet", "box": "", "amount": 11}, 4]}, [
            "bets[1].box: must be text with 1 to 8 characters; it has 0",
            "bets[1].amount: must be a whole number from 0 to 10, not 11",
            "bets[2]: must be an object, not 4",
        ]),
        ({"type": "bets", "bets": [{"type": "bet", "box": "a", "amount": 1}], "limits": {"big": 0}, "how": "quick",
          "last": [1, 2], "key": "?", "share": 1, "code": "A"}, [
            "limits.big: must be a whole number over 0, not 0",
            'how: must be one of fast, slow, not "quick"',
            "last[1]: must be true or false, not 2",
            'key: must be bytes in Base64 with at most 4 bytes, not "?"',
            "share: must be a number under 1, not 1",
            'code: must be text of the form ^[a-z]+$, not "A"',
        ]),
    ],
)  # fmt: skip
def test_every_fault_of_a_message_has_its_place_and_what_is_allowed(message: object, faults: list[str]) -> None:
    assert lines(Bet | Bets, message) == faults


def test_a_message_with_thousands_of_faults_lists_some() -> None:
    assert len(lines(Bet, {"type": "bet", **{f"field{number}": 0 for number in range(5_000)}})) == 50


def test_a_long_value_and_a_long_name_are_shortened() -> None:
    (fault,) = lines(Bet, {"type": "bet", "box": "small", "amount": "x" * 1_000})
    assert len(fault) < 120
    assert len(short("a\nb" * 100)) == 58
    assert "\n" not in short("a\nb")


@pytest.mark.parametrize(
    ("body", "wrong"),
    [
        (b"", "it is empty"),
        (b'{"type": "bet"', "it ends before the JSON is complete"),
        (b'{"type": "bet",\n "box": small}', 'it is not JSON from line 2, character 9 on: "small}"'),
        (b'{"a": 1}}', 'it is not JSON from line 1, character 9 on: "}"'),
        (b'"\xff"', "it is not UTF-8 text from byte 2 on"),
        (b"[NaN]", "it is nested too deeply, or has a number or a character that JSON does not allow"),
        (b"[" * 100_000, "it is nested too deeply, or has a number or a character that JSON does not allow"),
    ],
)
def test_bytes_that_are_no_json_are_refused_with_the_place_where_they_stop_being_json(body: bytes, wrong: str) -> None:
    assert not_json(body) == wrong
    assert [str(fault) for fault in faults_of_json(Bet | Bets, body)] == [wrong]


def test_a_text_of_the_wrong_length_is_not_repeated() -> None:
    """It may be a password."""
    assert lines(Bet, {"type": "bet", "box": "my secret word", "amount": 1}) == [
        "box: must be text with 1 to 8 characters; it has 14"
    ]


def test_what_is_allowed_for_a_parameter_is_said_without_null() -> None:
    assert allowed_for(Count | None) == "a whole number from 0 to 10"
    assert allowed_for(Literal["a", "b"]) == "one of a, b"


# ---- the same as msgspec

ANYTHING: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 20) | st.just(2**60) | st.just(0.5) | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=3), inner, max_size=2),
    max_leaves=4,
)


def values(kind: inspect.Type) -> st.SearchStrategy[Any]:
    """Values of a type, most of them right."""
    return st.one_of(*[right(kind)] * 12, ANYTHING)


def right(kind: inspect.Type) -> st.SearchStrategy[Any]:
    match kind:
        case inspect.Metadata(type=inner):
            return right(inner)
        case inspect.UnionType(types=members):
            return st.one_of(*map(values, members))
        case inspect.StructType():
            tag = st.just({kind.tag_field: kind.tag} if kind.tag_field else {})
            required = {field.encode_name: values(field.type) for field in kind.fields if field.required}
            more = {field.encode_name: values(field.type) for field in kind.fields if not field.required}
            fields = st.fixed_dictionaries(required, optional=more)
            return st.builds(lambda tag, fields, extra: {**tag, **fields, **extra}, tag, fields, st.just({}) | EXTRA)
        case inspect.DictType(key_type=keys, value_type=items):
            return st.dictionaries(values(keys).filter(lambda key: isinstance(key, str)), values(items), max_size=2)
        case inspect.VarTupleType(item_type=items):
            return st.lists(values(items), max_size=3)
        case inspect.TupleType(item_types=each):
            return st.tuples(*map(values, each)).map(list)
        case inspect.LiteralType(values=allowed):
            return st.sampled_from(allowed)
        case inspect.IntType():
            return st.integers(0, 3)
        case inspect.StrType():
            return st.text("abc", min_size=1, max_size=4)
        case inspect.BytesType():
            return st.sampled_from(["", "YQ==", "YWI="])
        case inspect.BoolType():
            return st.booleans()
        case inspect.FloatType():
            return st.floats(0, 2)
        case _:
            return st.none()


EXTRA = st.dictionaries(st.sampled_from(["type", "by", "amount", "q"]), ANYTHING, max_size=1)
ASKS = [reduce(or_, asks.values()) for asks in (TABLE_ASKS, CAGE_ASKS, OFFICE_ASKS)]


@given(st.data())
@pytest.mark.parametrize("kind", [Bet | Bets, AnyDo, *ASKS], ids=["bets", "terminal", "table", "cage", "office"])
def test_a_message_has_a_fault_exactly_if_it_is_refused(kind: Any, data: st.DataObject) -> None:
    message = data.draw(right(inspect.type_info(kind)))
    try:
        msgspec.json.decode(json.dumps(message).encode(), type=kind)
        refused = False
    except msgspec.ValidationError:
        refused = True
    found = lines(kind, message)
    assert (found != ["cannot be used here"]) == refused
    assert not [line for line in found if "Expected `" in line or "Input should" in line]


# ---- files and settings

JUNK: tuple[object, ...] = (
    *(None, True, -1, 2**70, 1.5, float("inf"), float("nan"), "", "x", "x" * 5_000, "5", "a b"),
    *([], ["x"], [1], ["x"] * 5_000, {}, {"x": 1}, {"kind": "x"}, datetime.date(2026, 1, 1)),
)
MODELS: list[type[BaseModel]] = [
    TableConfig,
    Settings,
    *[model for model in vars(schema).values() if isinstance(model, type) and issubclass(model, schema.Part)],
]


def models(model: type[BaseModel]) -> Iterator[type[BaseModel]]:
    """A model and those in its fields."""
    yield model
    for field in model.model_fields.values():
        for kind in (field.annotation, *get_args(field.annotation)):
            if isinstance(kind, type) and issubclass(kind, BaseModel):
                yield from models(kind)


@pytest.mark.parametrize("model", sorted({one for model in MODELS for one in models(model)}, key=str))
def test_no_fault_of_a_file_is_in_the_words_of_a_library(model: type[BaseModel]) -> None:
    met = 0
    for name in (*model.model_fields, "nonsense"):
        for junk in JUNK:
            with pytest.raises(ValidationError) as refused:
                model.model_validate({name: junk, "another": 0})
            for detail in refused.value.errors():
                _, wrong = fault_in_file(detail, list(model.model_fields))
                met += 1
                assert detail["type"] == "value_error" or detail["msg"] not in wrong
                assert "cannot be used here" not in wrong, detail
                assert len(wrong) < 400 or isinstance(detail["ctx"]["error"].args[0], Refused), wrong[:400]
    assert met > 0
