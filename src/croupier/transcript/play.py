"""Play a transcript, in which each line is an act or a fact to check, and write one.

A transcript is a test, a document, and the print for an auditor. docs/transcripts.md has its grammar.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import cast, get_args

from croupier.ledger import Balances, Transfer, check_laws, post
from croupier.rules.bad_input import BadInput, Fault
from croupier.rules.library import book_of, load_rulebook
from croupier.rules.money import Cents, format_money, parse_money
from croupier.rules.reader import RulebookFaults
from croupier.rules.refusal import Refused
from croupier.rules.rulebook import Rulebook
from croupier.table import messages as m
from croupier.table.decide import decide
from croupier.table.evolve import evolve
from croupier.table.limits import unknown_boxes
from croupier.table.messages import AnyCommand, AnyEvent, Limits, PersonId, RoundNumber, SeatId
from croupier.table.movements import movements
from croupier.table.roles import SUPERVISION, Role
from croupier.table.state import FIRST, Movement, Setup, Table, new_table
from croupier.transcript.fact_checks import difference
from croupier.transcript.phrases import (
    QUOTED,
    WORD,
    quoted,
    read_limits,
    read_moment,
    read_phrase,
    read_time,
    source_in,
    unquoted,
    write_limits,
    write_moment,
    write_phrase,
    write_time,
)
from croupier.words import of_error, why

CAST: tuple[tuple[str, Role], ...] = (
    ("Dana", "dealer"),
    ("Sam", "pit-supervisor"),
    ("Pat", "pit-manager"),
    ("Max", "shift-manager"),
    ("Cass", "cashier"),
    ("Dev", "device"),
)
"""The staff of a table whose transcript names none."""


class TranscriptFault(BadInput):
    """A line that cannot be read, or a fact that is not true."""

    def __init__(self, line: int, message: str) -> None:
        super().__init__([Fault(f"line {line}", message)])
        self.line = line


@dataclass(slots=True)
class Turn:
    """A command with its events and transfers, or with its refusal."""

    line: int
    command: AnyCommand
    events: list[AnyEvent] = field(default_factory=list)
    transfers: list[Transfer] = field(default_factory=list)
    refused: Refused | None = None
    moved: list[Movement] = field(default_factory=list)
    """Why money moved. Empty in a turn that was read from a journal, where the round has it."""


@dataclass(slots=True)
class Evening:
    """A table in play, with everything that happened."""

    table: Table
    staff: dict[PersonId, tuple[Role, ...]]
    """The staff of the table when the evening began."""
    balances: Balances = field(default_factory=Balances)
    turns: list[Turn] = field(default_factory=list)
    clock: int = 0
    checked: int = 0
    sources: dict[str, str] = field(default_factory=dict)
    """By hash, how the transcript names the books that are not found by their id: the paths of files."""
    beginning: Sequence[str] = ()
    """The header of the transcript, if it is one round of an evening, which starts at `began`."""
    began: int = 0

    def bets_of(self, seat: str) -> int:
        """How many bets a seat has tried to place; without a seat, the number of withdrawals."""
        kinds = [turn.command for turn in self.turns]
        if not seat:
            return sum(isinstance(command, m.WithdrawBet) for command in kinds)
        return sum(isinstance(command, m.PlaceBet) and command.seat == seat for command in kinds)

    def give(self, command: AnyCommand, line: int = 0) -> Turn:
        """Decide, post and evolve one command, and check the laws of money, also after a refusal."""
        turn = Turn(line, command)
        try:
            turn.events = decide(self.table, command)
        except Refused as refusal:
            turn.refused = refusal
        for event in turn.events:
            transfers = post(self.table.setup.table, event)
            self.balances.apply(transfers)
            turn.transfers += transfers
            turn.moved += movements(self.table, event)
            evolve(self.table, event)
        check_laws(self.table, self.balances)
        self.turns.append(turn)
        return turn


# ---- reading


def play(text: str) -> Evening:
    """Play a transcript and check every fact in it. TranscriptFault has the first difference."""
    header, acts = _split(text)
    evening = _seated(header)
    for number, line in acts:
        if line.startswith("="):
            try:
                wrong = difference(evening, line[1:].strip())
            except (Refused, IndexError) as error:
                raise TranscriptFault(number, f"cannot check this: {of_error(error)}") from None
            if wrong is not None:
                raise TranscriptFault(number, wrong)
            evening.checked += 1
        elif line.startswith("wait "):
            evening.clock += _duration(number, line[5:])
        else:
            _act(evening, number, line)
    return evening


_LIMITS = ("unit", "minimum", "maximum", "differential")
_AMOUNT = r"\d[\d,]*(\.\d\d)?"
_ROLES = "|".join(get_args(Role))
_HEADER = {
    "keeps": r"keeps .+",
    "table": r"table \S+ \S+( \S+)*",
    "staff": rf"staff \S+( ({_ROLES}))+",
    "seat": rf"seat \S+( \S+)? {_AMOUNT}",
    "begins": r"begins \d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,3})?Z",
    "round": r"round [1-9]\d{0,9}",
    "request": r"request [1-9]\d{0,9}",
    "option": r"option (two-sources|closed|approval \d{1,5}|alternative \d{1,3})",
    **{name: rf"{name} {_AMOUNT}" for name in ("unit", "differential")},
    **{name: rf"{name}( \S+)? {_AMOUNT}" for name in ("minimum", "maximum")},
}
"""The form of a line of the header, by its first word."""


def kept_clauses(text: str) -> tuple[str, ...]:
    """The clauses of the lines `keeps 3.5, Appendix A` of a transcript."""
    lines = [line.removeprefix("keeps ") for _, line in _split(text)[0] if line.startswith("keeps ")]
    return tuple(clause.strip() for line in lines for clause in line.split(","))


_PIECES = re.compile(f"({QUOTED.pattern})")


def _cleaned(line: str) -> str:
    """A line without its comment and with single spaces. Text in quotes stays as it is."""
    parts = []
    for number, piece in enumerate(_PIECES.split(line)):
        if number % 2:
            parts.append(piece)
            continue
        kept = re.sub(r"(^|\s)#.*", "", piece)
        parts.append(re.sub(r"\s+", " ", kept))
        if kept != piece:
            break
    return "".join(parts).strip()


def _act_and_refusal(line: str) -> tuple[str, str]:
    """An act and its expected refusal. A ! in quotes has no meaning."""
    place = 0
    for number, piece in enumerate(_PIECES.split(line)):
        if number % 2 == 0 and " ! " in piece:
            cut = place + piece.index(" ! ")
            return line[:cut], line[cut + 3 :]
        place += len(piece)
    return line, ""


def _split(text: str) -> tuple[list[tuple[int, str]], list[tuple[int, str]]]:
    lines = [(number, _cleaned(line)) for number, line in enumerate(text.splitlines(), 1)]
    lines = [(number, line) for number, line in lines if line]
    cut = next((place for place, (_, line) in enumerate(lines) if line.split()[0] not in _HEADER), len(lines))
    return lines[:cut], lines[cut:]


def _seated(header: list[tuple[int, str]]) -> Evening:
    """The table of the header: with staff, seats and credit, and open unless the header says otherwise."""
    for number, text in header:
        if not re.fullmatch(_HEADER[text.split()[0]], text):
            raise TranscriptFault(number, f'cannot read "{text}" in the header; docs/transcripts.md lists its lines')
    words = [(number, line.split()) for number, line in header if not line.startswith("keeps ")]
    number, first = words[0] if words else (1, [""])
    if first[0] != "table" or len(first) < 3:
        raise TranscriptFault(number, "a transcript begins with: table NAME RULEBOOK LAYOUT…")
    _check_once(words)
    book = _loaded(number, first[2])
    _check_known(header, book)
    options = [(number, line[1:]) for number, line in words if line[0] == "option"]
    offered = [_short(layout.id) for layout in book.layouts][: 1 if book.play.layout_of == "table" else None]
    setup = Setup(
        first[1],
        book,
        tuple(_layout_id(number, book, name) for name in first[3:]) or tuple(offered),
        _limits(number, [line for _, line in words if line[0] in _LIMITS], book),
        two_sources=any(option == ["two-sources"] for _, option in options),
        approval_seconds=next((int(option[1]) for _, option in options if option[0] == "approval"), 120),
        alternatives=frozenset(int(option[1]) for _, option in options if option[0] == "alternative"),
    )
    lines = [(line[1], line[2:]) for _, line in words if line[0] == "staff"] or [(name, [role]) for name, role in CAST]
    staff = {PersonId(name): cast(tuple[Role, ...], tuple(roles)) for name, roles in lines}
    evening = Evening(new_table(setup), dict(staff), sources={book.hash: first[2]})
    evening.table.staff |= staff
    evening.clock = next((_moment(number, line[1]) for number, line in words if line[0] == "begins"), 0)
    begin_with = next((int(line[1]) for _, line in words if line[0] == "round"), FIRST)
    evening.table.next_round = RoundNumber(begin_with)
    evening.table.next_request = next((int(line[1]) for _, line in words if line[0] == "request"), 1)
    boss = next((name for name, roles in staff.items() if set(roles) & set(SUPERVISION)), "")
    for number, line in words:
        if line[0] == "seat":
            layout = line[2] if len(line) > 3 else setup.layouts[0]
            evening.give(m.TakeSeat(boss, evening.clock, SeatId(line[1]), _layout_id(number, book, layout)), number)
            if (amount := _money(number, line[-1])) > 0:
                evening.give(m.SellCredit(boss, evening.clock, SeatId(line[1]), amount), number)
    if ["closed"] not in [option for _, option in options]:
        evening.give(m.OpenTable(boss, evening.clock), number)
    for turn in evening.turns:
        if turn.refused:
            raise TranscriptFault(turn.line, f"the header cannot be set up: {turn.refused}")
    return evening


_ONCE = {"table": 1, "begins": 1, "round": 1, "staff": 2, "option": 2}
"""Lines of the header that stand once, with how many of their words tell them apart."""


def _check_once(header: list[tuple[int, list[str]]]) -> None:
    seen = set()
    for number, line in header:
        told = tuple(line[: _ONCE.get(line[0], len(line) + 1)])
        if line[0] == "option" and line[1] == "alternative":
            told = tuple(line)
        if told in seen and line[0] in _ONCE:
            raise TranscriptFault(number, f'"{" ".join(told)}" stands twice in the header')
        seen.add(told)


def _check_known(header: list[tuple[int, str]], book: Rulebook) -> None:
    """Every clause and box that the header names is one of the book."""
    for number, text in header:
        word, _, rest = text.partition(" ")
        named = rest.split()
        if word == "keeps":
            unknown = [clause for clause in map(str.strip, rest.split(",")) if clause not in book.clauses]
        elif word in ("minimum", "maximum") and len(named) == 2:
            unknown = unknown_boxes(Limits({named[0]: Cents(0)}, {}, Cents(1)), book.layouts)
        else:
            continue
        if unknown:
            raise TranscriptFault(number, f"{book.id} does not know {', '.join(unknown)}")


def _loaded(number: int, source: str) -> Rulebook:
    try:
        return load_rulebook(source)
    except Refused as refusal:
        raise TranscriptFault(number, why(refusal)) from None


def _limits(number: int, lines: list[list[str]], book: Rulebook) -> Limits:
    try:
        return read_limits(lines, book)
    except (Refused, ValueError) as error:
        raise TranscriptFault(number, of_error(error)) from None


def _layout_id(number: int, book: Rulebook, name: str) -> str:
    try:
        return _short(book.layout(name).id)
    except Refused as refusal:
        raise TranscriptFault(number, why(refusal)) from None


def _short(layout_id: str) -> str:
    return layout_id.rpartition("/")[2]


def _money(number: int, text: str) -> Cents:
    try:
        return parse_money(text)
    except Refused as refusal:
        raise TranscriptFault(number, why(refusal)) from None


def _moment(number: int, text: str) -> int:
    try:
        return read_moment(text)
    except ValueError as error:
        raise TranscriptFault(number, of_error(error)) from None


def _duration(number: int, text: str) -> int:
    try:
        passed = read_time(text)
    except ValueError as error:
        raise TranscriptFault(number, of_error(error)) from None
    if passed < 0:
        raise TranscriptFault(number, f"{text} lies in the past; time only passes")
    return passed


def _act(evening: Evening, number: int, line: str) -> None:
    act, expected = _act_and_refusal(line)
    turns = [evening.give(command, number) for command in _commands(evening, number, act.strip())]
    refused = next((turn.refused for turn in turns if turn.refused), None)
    if refused is None and expected:
        raise TranscriptFault(number, f"expected a refusal ({expected}), but it was accepted")
    if refused is not None and not expected:
        raise TranscriptFault(number, f"refused ({refused.reason}): {why(refused)}")
    if refused is not None:
        got = refused.reason + (f" ({refused.clause})" if refused.clause else "")
        if expected.strip() not in (got, refused.reason):
            raise TranscriptFault(number, f"refused with {got}, not {expected.strip()}: {why(refused)}")


def _commands(evening: Evening, number: int, act: str) -> list[AnyCommand]:
    actor = WORD.match(act)
    assert actor, act
    by = "system" if actor[0] == "System" else actor[0]
    try:
        phrase = act[actor.end() + 1 :]
        commands = read_phrase(phrase, unquoted(by), evening.clock, evening.table, evening.bets_of)
        for command in commands:
            if isinstance(command, m.BringBook):
                evening.sources[book_of(command.text).hash] = source_in(phrase)
        return commands
    except (Refused, ValueError, RulebookFaults) as error:  # a phrase may name a book by its file
        raise TranscriptFault(number, of_error(error)) from None


# ---- writing


def write(evening: Evening) -> str:
    """The evening as a transcript that plays the same commands."""
    lines, clock = list(evening.beginning), evening.began
    if not lines:
        clock = evening.turns[0].command.at if evening.turns else 0
        lines = beginning(evening.table.setup, evening.staff, clock, evening.sources)
    for turn in evening.turns:
        if turn.command.at != clock:
            lines.append(f"wait {write_time(turn.command.at - clock)}")
            clock = turn.command.at
        act = f"{_written_actor(turn.command.by)} {write_phrase(turn.command, evening.table.order, evening.sources)}"
        lines.append(act + _written_refusal(turn.refused))
    return "\n".join(lines) + "\n"


def _written_actor(by: str) -> str:
    """The giver at the start of a line; in quotes if the name has another meaning there."""
    if by == "system":
        return "System"
    return f'"{by}"' if by in (*_HEADER, "wait", "System") else quoted(by)


def _written_refusal(refused: Refused | None) -> str:
    if refused is None:
        return ""
    return f" ! {refused.reason}" + (f" ({refused.clause})" if refused.clause else "")


def beginning(
    setup: Setup, staff: Mapping[PersonId, tuple[Role, ...]], clock: int, sources: Mapping[str, str]
) -> list[str]:
    """The header of an evening at a new, closed table."""
    return [*_written_header(setup, setup.limits, staff, clock, sources), "option closed", ""]


CORRECTED_BETWEEN = "# rounds before this one are corrected in between: they are in the transcript of the evening"
"""The comment in a transcript of one round whose later acts are about earlier rounds."""


def beginning_before(table: Table, clock: int) -> list[str]:
    """The header of a transcript that starts with the next round, and the acts that set up the table."""
    seats = [seat for seat in table.seats.values() if not seat.gone]
    boss = next((name for name, roles in table.staff.items() if set(roles) & set(SUPERVISION)), "System")
    missing = _not_written(table)
    return [
        *([f"# the round before this one left what a transcript cannot begin with: {missing}"] if missing else []),
        *_written_header(_setup_of_now(table), table.limits, table.staff, clock),
        f"round {table.next_round}",
        *([f"request {table.next_request}"] if table.next_request > 1 else []),
        *(f"seat {seat.id} {seat.layout} {format_money(seat.credit).replace(',', '')}" for seat in seats),
        *([] if table.open else ["option closed"]),
        "",
        *(
            f"{boss} gives {seat.id} {seat.colour[0]} chips at {format_money(seat.colour[1])}"
            for seat in seats
            if seat.colour
        ),
    ]


def _setup_of_now(table: Table) -> Setup:
    """The choices that a table made now would need to play on as this one does."""
    if not table.changes:
        return table.setup
    return replace(table.setup, rulebook=table.book, alternatives=table.law.alternatives, layouts=table.displayed)


def _not_written(table: Table) -> str:
    left = {
        "a locked table": table.locked is not None,
        "requests that wait": bool(table.requests),
        "a planned change of the book": table.planned is not None,
        "debts": any(seat.owes for seat in table.seats.values()),
        "credit of Players who left": any(seat.gone and seat.credit for seat in table.seats.values()),
        "short bets played once": any(seat.short_bets_settled for seat in table.seats.values()),
        "terminals without connection": any(not seat.connected for seat in table.seats.values()),
    }
    return ", ".join(name for name, is_left in left.items() if is_left)


def _written_header(
    setup: Setup,
    limits: Limits,
    staff: Mapping[PersonId, tuple[Role, ...]],
    clock: int,
    sources: Mapping[str, str] = MappingProxyType({}),
) -> list[str]:
    book = setup.rulebook
    return [
        f"table {setup.table} {sources.get(book.hash, book.id)} {' '.join(setup.layouts)}",
        *write_limits(limits),
        *(f"staff {person} {' '.join(roles)}" for person, roles in staff.items()),
        *(["option two-sources"] if setup.two_sources else []),
        *(f"option alternative {number}" for number in sorted(setup.alternatives)),
        f"option approval {setup.approval_seconds}",
        *([f"begins {write_moment(clock)}"] if clock else []),
    ]
