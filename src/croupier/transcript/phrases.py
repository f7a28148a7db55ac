"""Commands as phrases of the notation, read and written by one table. The English is notation, not prose: transcripts
hold it, so it is neither reworded nor translated.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from functools import cache
from types import MappingProxyType
from typing import Any, get_args, get_type_hints

import msgspec

from croupier.rules.library import book_of, rulebook_text
from croupier.rules.money import Cents, format_money, parse_money
from croupier.rules.outcomes import Wheel
from croupier.rules.reader import RulebookFaults
from croupier.rules.rulebook import Rulebook
from croupier.rules.wrong_values import faults_of_json
from croupier.table import messages as m
from croupier.table.messages import AnyCommand, Limits
from croupier.table.state import Table
from croupier.table.tickets import TicketState

PHRASES: tuple[tuple[type[m.Command], str, dict[str, str]], ...] = (
    (m.OpenTable, "opens the table[ without {unchecked}]", {}),
    (m.CloseTable, "closes the table", {}),
    (m.AssignStaff, "assigns {person} {roles}", {}),
    (m.TakeSeat, "seats {seat} at {layout}", {}),
    (m.ChooseLayout, "chooses layout {layout}[ for {seat}]", {}),
    (m.LeaveSeat, "leaves[ with {seat}]", {}),
    (m.SellCredit, "sells {seat} {amount}", {}),
    (m.PayOut, "pays out {seat} {amount}", {}),
    (m.GiveCredit, "credits {seat} {amount} because {reason}", {}),
    (m.RedeemTicket, "redeems ticket {ticket} of {amount} until {expires}[ found {found}][ for {seat}]", {}),
    (m.CashOut, "cashes out {amount} to ticket {ticket} until {expires}[ for {seat}]", {}),
    (m.RepayDebt, "takes {amount} owed by {seat}", {}),
    (m.WriteOffDebt, "writes off {amount} owed by {seat} because {reason}", {}),
    (m.FillBank, "fills the bank with {amount}", {}),
    (m.DrainBank, "drains the bank of {amount}", {}),
    (m.GiveColour, "gives {seat} {colour} chips at {value}", {}),
    (m.TakeBackColour, "takes back the chips of {seat}", {}),
    (m.SetLimits, "sets limits {limits}", {}),
    (m.SetLayouts, "sets layouts {layouts}", {}),
    (m.BringBook, "brings the book {text}", {}),
    (m.TakeUpPlanned, "takes up the planned book", {}),
    (
        m.TakeUpBook,
        "takes up the book {id}[ from {not_before}][ with limits {limits}][ with layouts {layouts}]"
        "[ with alternatives {alternatives}]",
        {},
    ),
    (m.CancelPlan, "gives up the planned book because {reason}", {}),
    (m.OpenBetting, "calls place your bets", {}),
    (
        m.PlaceBet,
        "bets {stake} on {box}[ for {seat}][ with {colour_chips} chips][ in round {round}][ as {id}]",
        {},
    ),
    (m.WithdrawBet, "withdraws {amount} of {bet}[ as {id}]", {}),
    (m.RejectExcess, "rejects {amount} of {bet}", {}),
    (m.AdviseShort, "advises on {bet}", {}),
    (m.CallNoMoreBets, "calls no more bets[ allowed by {allowed_by}]", {}),
    (m.StartMotion, "activates the tumbler", {}),
    (m.StartMotion, "spins the ball[{with_wheel}]", {}),
    (m.EndMotion, "counts {count}", {}),
    (m.Uncover, "uncovers the dice", {}),
    (m.PressEntry, "presses entry", {}),
    (m.PressKey, "presses {face}", {}),
    (m.EnterNumber, "enters number {number}", {}),
    (m.EnterNumber, "enters {number}", {}),
    (m.SenseResult, "senses {outcome}", {}),
    (m.DecideResult, "decides for {outcome} because {reason}", {}),
    (m.AmendResult, "amends to {outcome}", {}),
    (m.ConfirmResult, "confirms", {}),
    (m.PayWinners, "pays", {}),
    (m.Report, "reports {irregularity}[ of {bet}][ by {seat}][ because {note}]", {}),
    (m.DecideBet, "lets {bet} stand because {reason}", {"treatment": "stand"}),
    (m.DecideBet, "moves {bet} to {box} because {reason}", {"treatment": "move"}),
    (m.DecideBet, "returns {bet} because {reason}", {"treatment": "return"}),
    (m.Decide, "decides void[ because {reason}]", {"treatment": "void"}),
    (m.Decide, "decides result {outcome}[ because {reason}]", {"treatment": "result"}),
    (m.Decide, "decides return of {bets}[ because {reason}]", {"treatment": "return"}),
    (m.CorrectResult, "corrects round {round} to {outcome} because {reason}", {}),
    (m.VoidRounds, "voids rounds {rounds} for {irregularity} because {reason}", {}),
    (m.Unlock, "unlocks because {reason}", {}),
    (m.InterruptTerminals, "interrupts terminals {seats}[ losing {lost}]", {}),
    (m.Interrupt, "interrupts the {part}", {}),
    (m.RestoreTerminals, "restores terminals {seats}", {}),
    (m.Restore, "restores", {}),
    (m.Attest, "attests {shown}", {}),
    (m.Approve, "approves {request}[ as {digest}]", {}),
    (m.Decline, "declines {request}", {}),
)
"""Command, phrase, and the fields that the phrase fixes. Parts in brackets are optional; braces are fields."""

_MANY_WORDED = {
    "reason",
    "note",
    "limits",
    "lost",
    "roles",
    "unchecked",
    "seats",
    "bets",
    "rounds",
    "layouts",
    "alternatives",
}
_WITH_THE_WHEEL = " with the wheel"
QUOTED = re.compile(r'"(?:\\.|[^"\\])*"')
"""A text in quotes. A space, a # or a ! in it has no meaning."""
WORD = re.compile(rf"(?:{QUOTED.pattern}|\S+)")
_PLAIN = re.compile(r"[\w.:*/()'+-]+")
"""A word that needs no quotes."""
_NONE = "none"
_MANY_WORDS, _ONE_WORD = ".+?", WORD.pattern
UNITS = {"d": 86_400_000, "h": 3_600_000, "min": 60_000, "s": 1000, "ms": 1}
"""Milliseconds in each unit of time, the longest first."""


# ---- reading


def read_phrase(phrase: str, by: str, at: int, table: Table, bets_of: Callable[[str], int]) -> list[AnyCommand]:
    """The commands of a phrase; ValueError if it cannot be read. `bets_of` counts a seat's bets, to name the next."""
    if match := re.fullmatch(r"presses ([1-6](?: [1-6])+)", phrase):
        return [m.PressKey(by, at, face) for face in match[1].split()]
    if re.match("enters (?!number )", phrase) and not isinstance(table.book.space, Wheel):
        faces = phrase.removeprefix("enters ").split("-")
        return [*(m.PressKey(by, at, face) for face in faces), m.PressEntry(by, at)]
    for kind, form, fixed in PHRASES:
        if match := _pattern(form).fullmatch(phrase):
            texts = {name: text for name, text in match.groupdict().items() if text is not None}
            if kind is m.TakeUpBook:
                return _taking_up(by, at, table, texts)
            fields = {name: _read(kind, name, text, table.book) for name, text in texts.items()} | fixed
            fields = _implied(kind, by, table, bets_of, fields) | fields
            return [_of_its_types(kind(by, at, **fields))]
    raise ValueError(f'cannot read "{phrase}"; docs/transcripts.md lists the phrases')


def _taking_up(by: str, at: int, table: Table, texts: dict[str, str]) -> list[AnyCommand]:
    """A book that was brought, as `ID:HASH` or by its id; or another, by its id or file, which is brought first."""
    source = unquoted(texts.pop("id"))
    id, _, hash = source.partition(":")
    known = {one: book_of(text) for one, text in table.books.items()}
    brought = [book for one, book in known.items() if book.id == id and one.startswith(hash)]
    bringing: list[AnyCommand] = []
    if not brought and not re.fullmatch("[0-9a-f]{64}", hash):
        text = rulebook_text(source)
        brought, bringing = [book_of(text)], [m.BringBook(by, at, text)]
    book = brought[-1] if brought else table.book
    fields = {name: _read(m.TakeUpBook, name, said, book) for name, said in texts.items()}
    named = (book.id, book.hash) if brought else (id, hash)
    return [*bringing, m.TakeUpBook(by, at, *named, table.book.hash, **fields)]


def source_in(phrase: str) -> str:
    """The book that a phrase names, as it is written."""
    named = re.search(rf"the book ({_ONE_WORD})", phrase)
    assert named is not None, phrase
    return named[1]


def _of_its_types(command: Any) -> AnyCommand:
    """A command whose words are all of their kind: a role that there is, a part that can fail."""
    body = msgspec.json.encode(command)
    try:
        checked: AnyCommand = msgspec.json.decode(body, type=type(command))
    except msgspec.ValidationError:
        raise ValueError("; ".join(map(str, faults_of_json(type(command), body)))) from None
    return checked


@cache
def _pattern(phrase: str) -> re.Pattern[str]:
    parts = []
    for piece in re.split(r"(\[[^\]]*\]|\{\w+\})", phrase):
        if piece.startswith("["):
            parts.append(f"(?:{_pattern(piece[1:-1]).pattern})?")
        elif piece == "{with_wheel}":
            parts.append(f"(?P<with_wheel>{_WITH_THE_WHEEL})")
        elif piece.startswith("{"):
            name = piece[1:-1]
            parts.append(f"(?P<{name}>{_MANY_WORDS if name in _MANY_WORDED else _ONE_WORD})")
        else:
            parts.append(re.escape(piece))
    return re.compile("".join(parts))


def _implied(
    kind: type[m.Command], by: str, table: Table, bets_of: Callable[[str], int], fields: dict[str, Any]
) -> dict[str, Any]:
    """Fields that a phrase may leave out: the giver's seat, the open round, the next id of a bet, a live ticket."""
    if kind is m.PlaceBet:
        seat = fields.get("seat", by)
        number = table.round_number
        return {"seat": seat, "round": number, "id": f"{seat.lower()}{bets_of(seat) + 1}"}
    if kind is m.WithdrawBet:
        return {"id": f"w{bets_of('') + 1}"}
    if kind is m.Approve:
        request = table.requests.get(fields["request"])
        return {"digest": request.digest if request else ""}
    if kind is m.Decide:
        return {"reason": ""}
    return {"seat": by, "found": "live"} if kind is m.RedeemTicket else {"seat": by} if kind in _OF_THEIR_SEAT else {}


_OF_THEIR_SEAT = (m.ChooseLayout, m.LeaveSeat, m.CashOut)


def _read(kind: type[m.Command], name: str, text: str, book: Rulebook) -> Any:
    wanted = str(_types(kind)[name])
    if name == "limits":
        return read_limits([part.split() for part in text.split(",")], book)
    if name == "lost":
        return _read_lost(text)
    if name == "shown":
        return () if text == "nothing" else tuple(text.split("-"))
    if name == "with_wheel":
        return True
    if name == "text":
        return rulebook_text(unquoted(text))
    if name == "not_before":
        return read_moment(text)
    if wanted.startswith("tuple"):
        words = WORD.findall(text) if text != _NONE else []
        return tuple(_whole(word) if name in ("rounds", "alternatives") else unquoted(word) for word in words)
    if name in ("amount", "stake", "value"):
        return Cents(-parse_money(text[1:])) if text.startswith("-") else parse_money(text)
    if name in ("round", "count", "request", "colour_chips"):
        return _whole(text)
    if name == "expires":
        return read_time(text)
    if name == "found" and text not in get_args(TicketState):
        raise ValueError(f'"{text}" is no state of a ticket; write {", ".join(get_args(TicketState))}')
    return unquoted(text)


def _whole(text: str) -> int:
    if not re.fullmatch(r"-?\d+", text, re.ASCII):
        raise ValueError(f'"{text}" is not a whole number')
    return int(text)


def unquoted(text: str) -> str:
    return str(json.loads(text)) if QUOTED.fullmatch(text) else text


def read_time(text: str) -> int:
    """Milliseconds from `40s`, `2min` or `30d`."""
    match = re.fullmatch(r"(-?\d{1,15})(d|h|min|s|ms)", text, re.ASCII)
    if match is None:
        raise ValueError(f'"{text}" is not a time; write 40s, 2min, 500ms, 12h or 30d')
    return int(match[1]) * UNITS[match[2]]


_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def read_moment(text: str) -> int:
    """Milliseconds since 1970 of a moment such as `2026-11-16T12:00:00Z`."""
    try:
        return round((datetime.fromisoformat(text) - _EPOCH) / timedelta(milliseconds=1))
    except (ValueError, TypeError) as error:
        raise ValueError(f'"{text}" is not a moment: {error}') from None


def write_moment(milliseconds: int) -> str:
    """The text that `read_moment` reads as this moment."""
    moment = _EPOCH + timedelta(milliseconds=milliseconds)
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


@cache
def _types(kind: type[m.Command]) -> dict[str, Any]:
    return get_type_hints(kind)


_LOST = re.compile(rf"({QUOTED.pattern}|[^\s,]+) (\S+) on ({QUOTED.pattern}|[^\s,]+)")


def _read_lost(text: str) -> tuple[m.LostBet, ...]:
    if not re.fullmatch(rf"{_LOST.pattern}(, {_LOST.pattern})*", text):
        raise ValueError(f'"{text}" are not lost bets; write: Ann 10.00 on small, Ben 5.00 on big')
    return tuple(
        m.LostBet(m.SeatId(unquoted(seat)), unquoted(box), parse_money(stake))
        for seat, stake, box in _LOST.findall(text)
    )


def read_limits(lines: list[list[str]], book: Rulebook) -> Limits:
    """Limits from lines such as `minimum 10.00` and `maximum triple:1 100.00`. The defaults are generous."""
    amounts: dict[str, dict[str, Cents]] = {"minimum": {"*": Cents(100)}, "maximum": {"*": Cents(1_000_000_00)}}
    single = {"unit": Cents(100), "differential": Cents(1_000_000_00)}
    given = Counter(" ".join(line[:-1]) for line in lines)
    for name, times in given.items():
        if times > 1:
            raise ValueError(f'"{name}" is given {times} times')
    for line in lines:
        if line[0] in amounts and len(line) in (2, 3):
            amounts[line[0]][line[1] if len(line) == 3 else "*"] = parse_money(line[-1])
        elif line[0] in single and len(line) == 2:
            single[line[0]] = parse_money(line[-1])
        else:
            raise ValueError(f'"{" ".join(line)}" is not a limit; write unit, minimum, maximum or differential')
    differential = single["differential"] if book.limits.differential else None
    return Limits(amounts["minimum"], amounts["maximum"], single["unit"], differential)


# ---- writing


_AT_A_WHEEL = {
    "activates the tumbler": False,
    "spins the ball[{with_wheel}]": True,
    "enters number {number}": False,
    "enters {number}": True,
}
"""True for phrases of a wheel only, False for phrases of dice only."""


def write_phrase(command: AnyCommand, order: str, sources: Mapping[str, str] = MappingProxyType({})) -> str:
    """A command as a phrase that reads back as the same command; `order` is the order of play at the table, `sources`
    names books that are not found by their id."""
    if isinstance(command, m.BringBook):
        book = _book_in(command.text)
        return f"brings the book {sources.get(book.hash, quoted(book.id)) if book else quoted('')}"
    wheel = order == "wheel"
    for kind, phrase, fixed in PHRASES:
        fits = all(getattr(command, name) == value for name, value in fixed.items()) if kind is type(command) else False
        if fits and _AT_A_WHEEL.get(phrase, wheel) == wheel:
            return _filled(phrase, command)
    raise AssertionError(f"no phrase for {command}")


def _book_in(text: str) -> Rulebook | None:
    try:
        return book_of(text)
    except RulebookFaults:
        return None


def _filled(phrase: str, command: AnyCommand) -> str:
    def optional(match: re.Match[str]) -> str:
        name = re.search(r"\{(\w+)\}", match[1])
        return match[1] if name and getattr(command, name[1]) != _default(type(command), name[1]) else ""

    return re.sub(r"\{(\w+)\}", lambda match: _write(command, match[1]), re.sub(r"\[([^\]]*)\]", optional, phrase))


@cache
def _default(kind: type[m.Command], name: str) -> Any:
    """The default of a field. A field that the table implies has none and is always written."""
    field = next(field for field in msgspec.structs.fields(kind) if field.name == name)
    return field.default


def _write(command: AnyCommand, name: str) -> str:
    value = getattr(command, name)
    if name == "limits":
        return ", ".join(write_limits(value))
    if name == "lost":
        return ", ".join(f"{quoted(bet.seat)} {_money(bet.stake)} on {quoted(bet.box)}" for bet in value)
    if name == "shown":
        return "-".join(value) or "nothing"
    if name == "with_wheel":
        return _WITH_THE_WHEEL
    if name == "id" and isinstance(command, m.TakeUpBook):
        return quoted(f"{command.id}:{command.book}")
    if name == "not_before":
        return write_moment(value)
    if name in ("reason", "note"):
        return value if re.fullmatch(r"[\w.,;:()'-]+( [\w.,;:()'-]+)*", value) else json.dumps(value)
    if isinstance(value, tuple):
        return " ".join(quoted(str(one)) for one in value) or _NONE
    if name == "expires":
        return write_time(value)
    return format_money(value) if name in ("amount", "stake", "value") else quoted(str(value))


def quoted(word: str) -> str:
    """A word, in quotes if it would be ambiguous."""
    return word if _PLAIN.fullmatch(word) and word != _NONE else json.dumps(word)


def write_time(milliseconds: int) -> str:
    """The shortest text that `read_time` reads as this number of milliseconds."""
    unit, size = next((unit, size) for unit, size in UNITS.items() if milliseconds % size == 0)
    return f"{milliseconds // size}{unit}"


def _money(amount: int) -> str:
    return format_money(amount).replace(",", "")


def write_limits(limits: Limits) -> list[str]:
    lines = [f"unit {_money(limits.unit)}"]
    for name, amounts in (("minimum", limits.minimum), ("maximum", limits.maximum)):
        for box, amount in amounts.items():
            lines.append(f"{name} {box + ' ' if box != '*' else ''}{_money(amount)}")
    if limits.differential is not None:
        lines.append(f"differential {_money(limits.differential)}")
    return lines
