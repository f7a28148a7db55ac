"""Who may give which command, and when: one table of roles, commands and phases. Everything else is denied."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import get_args

from croupier.rules import schema
from croupier.rules.refusal import Refused
from croupier.rules.rulebook import Rulebook
from croupier.table import messages as m
from croupier.table.checks import irregularity_of
from croupier.table.messages import AnyCommand, PersonId
from croupier.table.roles import DEALING, SUPERVISION, Role
from croupier.table.state import OPEN_FOR_BETS, Phase, Request, Table

SYSTEM = "system"
"""The table's own software, for commands that need no person."""

_OPERATORS = "operators"
_SEAT = "seat"

PERMITS: dict[type[m.Command], tuple[str, ...]] = {
    m.OpenTable: SUPERVISION,
    m.CloseTable: SUPERVISION,
    m.AssignStaff: SUPERVISION,
    m.TakeSeat: (*DEALING, "cashier"),
    m.ChooseLayout: (*DEALING, "cashier", _SEAT),
    m.LeaveSeat: (*DEALING, "cashier", _SEAT),
    m.SellCredit: ("cashier", *DEALING),
    m.PayOut: ("cashier", *DEALING),
    m.GiveCredit: SUPERVISION,
    m.RedeemTicket: ("cashier", *DEALING, _SEAT),
    m.CashOut: ("cashier", *DEALING, _SEAT),
    m.RepayDebt: ("cashier", *DEALING),
    m.WriteOffDebt: SUPERVISION,
    m.FillBank: ("cashier", *SUPERVISION),
    m.DrainBank: ("cashier", *SUPERVISION),
    m.GiveColour: DEALING,
    m.TakeBackColour: DEALING,
    m.SetLimits: SUPERVISION,
    m.SetLayouts: SUPERVISION,
    m.OpenBetting: ("call place-your-bets",),
    m.PlaceBet: (_SEAT, "on-behalf"),
    m.WithdrawBet: (_SEAT, "on-behalf"),
    m.RejectExcess: ("consequence reject-excess",),
    m.AdviseShort: ("consequence advise",),
    m.CallNoMoreBets: ("call no-more-bets",),
    m.StartMotion: (_OPERATORS, "device"),
    m.EndMotion: (_OPERATORS, "device"),
    m.Uncover: (_OPERATORS,),
    m.PressKey: (_OPERATORS,),
    m.PressEntry: (_OPERATORS,),
    m.EnterNumber: (_OPERATORS,),
    m.SenseResult: ("device",),
    m.DecideResult: SUPERVISION,
    m.AmendResult: ("consequence amend-result",),
    m.ConfirmResult: (_OPERATORS, *SUPERVISION),
    m.PayWinners: (_OPERATORS, *SUPERVISION),
    m.Report: ("irregularity",),
    m.DecideBet: ("consequence bet-decision",),
    m.Decide: ("consequence decision",),
    m.CorrectResult: ("irregularity wrong-result-settled",),
    m.VoidRounds: ("consequence void-affected-rounds",),
    m.Unlock: SUPERVISION,
    m.Interrupt: (SYSTEM, *DEALING),
    m.InterruptTerminals: (SYSTEM, *DEALING),
    m.Restore: (SYSTEM, *DEALING),
    m.RestoreTerminals: (SYSTEM, *DEALING),
    m.Attest: (_OPERATORS, *SUPERVISION),
    m.Approve: ("approvers",),
    m.Decline: ("approvers", SYSTEM),
    m.BringBook: SUPERVISION,
    m.TakeUpBook: SUPERVISION,
    m.TakeUpPlanned: (SYSTEM, *SUPERVISION),
    m.CancelPlan: SUPERVISION,
}
"""Roles by command. Words that are not roles look into the rulebook: `operators` are those who work the device,
`on-behalf` those who may bet for a Player, `approvers` the book's seniors and those above them, `call X` those who may
call it, `consequence X` and `irregularity X` those with authority over it; `seat` is the Player of the seat. A book
with a ladder adds every position above these."""

WHENEVER: frozenset[str] = frozenset(get_args(Phase))
_OPEN = frozenset(OPEN_FOR_BETS)
_ENTERED = frozenset(("entered",))
_UNINTERRUPTED = WHENEVER - {"interrupted"}

WHEN: dict[type[m.Command], frozenset[str]] = {
    m.OpenTable: frozenset(("ready", "interrupted")),
    m.CloseTable: frozenset(("ready",)),
    m.AssignStaff: WHENEVER,
    m.TakeSeat: WHENEVER,
    m.ChooseLayout: WHENEVER,
    m.LeaveSeat: WHENEVER,
    m.SellCredit: WHENEVER,
    m.PayOut: WHENEVER,
    m.GiveCredit: WHENEVER,
    m.RedeemTicket: WHENEVER,
    m.CashOut: WHENEVER,
    m.RepayDebt: WHENEVER,
    m.WriteOffDebt: WHENEVER,
    m.FillBank: WHENEVER,
    m.DrainBank: WHENEVER,
    m.GiveColour: WHENEVER,
    m.TakeBackColour: WHENEVER,
    m.SetLimits: WHENEVER,
    m.SetLayouts: WHENEVER,
    m.OpenBetting: frozenset(("ready", "moving")),
    m.PlaceBet: _OPEN,
    m.WithdrawBet: _OPEN,
    m.RejectExcess: _OPEN,
    m.AdviseShort: _OPEN,
    m.CallNoMoreBets: _OPEN | {"interrupted"},
    m.StartMotion: frozenset(("ready", "betting", "closed")),
    m.EndMotion: frozenset(("moving", "interrupted")),
    m.Uncover: frozenset(("moving", "betting", "closed")),
    m.PressKey: frozenset(("rest", "entering")),
    m.PressEntry: frozenset(("entering",)),
    m.EnterNumber: frozenset(("rest",)),
    m.SenseResult: frozenset(("rest", "entering", "entered", "interrupted")),
    m.DecideResult: _ENTERED,
    m.AmendResult: _ENTERED,
    m.ConfirmResult: _ENTERED,
    m.PayWinners: frozenset(("settling",)),
    m.Report: WHENEVER,
    m.DecideBet: WHENEVER - {"ready"},
    m.Decide: WHENEVER - {"ready"},
    m.CorrectResult: WHENEVER,
    m.VoidRounds: WHENEVER,
    m.Unlock: WHENEVER,
    m.Interrupt: _UNINTERRUPTED,
    m.InterruptTerminals: WHENEVER,
    m.Restore: frozenset(("interrupted",)),
    m.RestoreTerminals: WHENEVER,
    m.Attest: frozenset(("interrupted",)),
    m.Approve: WHENEVER,
    m.Decline: WHENEVER,
    m.BringBook: WHENEVER,
    m.TakeUpBook: WHENEVER,
    m.TakeUpPlanned: frozenset(("ready",)),
    m.CancelPlan: WHENEVER,
}
"""The phases in which a command can have events. The order of play, the book and the state of the table restrict it
further. A bet that is sent again has no events, so it is answered in every phase."""


_OF_A_SEAT = frozenset(command for command, words in PERMITS.items() if _SEAT in words)


_WORDS_OF_THE_BOOK = frozenset((_OPERATORS, "on-behalf", "call", "consequence", "irregularity"))


def authorise(table: Table, command: AnyCommand) -> None:
    """Refuse a command that its giver may not give."""
    if type(command) in _OF_A_SEAT and command.by == _own_seat(table, command):
        return
    irregularity = ""
    if isinstance(command, m.Report):
        irregularity = command.irregularity
        irregularity_of(table, irregularity)  # an unknown irregularity is a better reason than a missing role
    for book in _books_of(table, command):
        allowed = roles_of(book, type(command), irregularity)
        if command.by == SYSTEM and SYSTEM in allowed:
            continue
        held = table.staff.get(PersonId(command.by), ())
        if not set(allowed) & set(held):
            act = type(command).__name__
            clause = _ranks_clause(book, type(command)) if allowed else None
            if not held:
                raise Refused("permission", "not-table-staff", clause, person=command.by, act=act, allowed=allowed)
            raise Refused("permission", "role", clause, person=command.by, act=act, held=held, allowed=allowed)


def _books_of(table: Table, command: AnyCommand) -> Iterable[Rulebook]:
    """The books that say who may give a command: for a round that is over, the one it was played under."""
    match command:
        case m.CorrectResult():
            return (table.law_of(command.round).book,)
        case m.VoidRounds():
            return {table.law_of(number).book for number in command.rounds} or (table.book,)
        case _:
            return (table.book,)


_OF_THE_BOOK = frozenset(("operators", "on-behalf", "approvers", "call", "consequence", "irregularity"))


def with_clause(book: Rulebook, command: AnyCommand, refused: Refused) -> Refused:
    """A refusal by box, unit or permission with the clause of the book that refuses (ruling 49)."""
    clauses = book.refusals
    if clauses is None or refused.clause is not None:
        return refused
    match refused.reason:
        case "box":
            clause = clauses.box_clause
        case "unit":
            clause = clauses.unit_clause
        case "permission" if any(word.partition(" ")[0] in _OF_THE_BOOK for word in PERMITS[type(command)]):
            clause = clauses.permission_clause
        case _:
            return refused
    return Refused(refused.reason, refused.case, clause, **refused.facts)


def check_when(table: Table, command: AnyCommand) -> None:
    """Refuse a command in a wrong phase. Checked last: the order of play and the clauses give better reasons."""
    if table.phase not in WHEN[type(command)]:
        raise Refused("phase", "not-now", act=type(command).__name__, phase=table.phase)


@lru_cache(maxsize=4096)
def roles_of(book: Rulebook, command: type[m.Command], irregularity: str = "") -> tuple[str, ...]:
    """The roles that may give a command under a book; for a report, those of its irregularity."""
    return _with_those_above(book, dict.fromkeys(_roles_in(book, command, irregularity)))


def _with_those_above(book: Rulebook, roles: Iterable[str]) -> tuple[str, ...]:
    """These roles and, where the book has a ladder, every position above the lowest of them (mbs-esicbo 6.2)."""
    ladder = book.ranks.ladder if book.ranks else ()
    found = tuple(roles)
    rungs = [rung for rung, position in enumerate(ladder) if position in found]
    return tuple(dict.fromkeys((*found, *(ladder[min(rungs) :] if rungs else ()))))


def _from(lowest: schema.Role) -> tuple[Role, ...]:
    """This position and all above it."""
    return DEALING[DEALING.index(lowest) :]


def decides(table: Table, command: m.Approve | m.Decline) -> bool:
    """True if this decides for a round that stands still, and does not approve or decline an act of two people."""
    asked = table.requests.get(command.request)
    return asked is not None and asked.device is not None


def check_second(table: Table, command: m.Approve, asked: Request) -> None:
    """Refuse a second person whose rank is too low, and two people of the highest rank (ruling 44)."""
    ranks = table.book.ranks
    if ranks is None or asked.device is not None:
        return
    held, theirs = (table.staff.get(PersonId(by), ()) for by in (command.by, asked.command.by))
    allowed, highest = _from(ranks.second), _from(ranks.highest)
    if not set(held) & set(allowed):
        raise Refused("permission", "role", ranks.clause, person=command.by, act="Approve", held=held, allowed=allowed)
    if set(held) & set(highest) and set(theirs) & set(highest):
        raise Refused(
            "permission", "both-highest", ranks.clause, person=command.by, other=asked.command.by, highest=highest
        )


def _ranks_clause(book: Rulebook, command: type[m.Command]) -> str | None:
    """The clause that says who may act in a position, if the book has one and names who gives this command."""
    named = any(word.partition(" ")[0] in _WORDS_OF_THE_BOOK for word in PERMITS[command])
    return book.ranks.clause if book.ranks and named else None


def _roles_in(book: Rulebook, command: type[m.Command], irregularity: str) -> Iterable[str]:
    for word in PERMITS[command]:
        kind, _, name = word.partition(" ")
        match kind:
            case "operators":
                yield from book.play.operated_by
            case "approvers" if book.ranks:
                yield from _from(book.ranks.decides)
            case "approvers":
                # The seniors that the book names, and every rank above them.
                named = [rank for rank, role in enumerate(SUPERVISION) if role in book.titles]
                yield from SUPERVISION[min(named, default=0) :]
            case "on-behalf":
                yield from book.play.on_behalf_by
            case "call":
                yield from (role for call in book.calls if call.id == name for role in call.by)
            case "consequence":
                yield from _authority(part for part in book.irregularities if part.consequence == name)
            case "irregularity":
                wanted = name or irregularity
                parts = [part for part in book.irregularities if part.id == wanted]
                yield from _authority(part for part in parts if part.evidence != "device")
                if not name and _is_a_fact(book, wanted):
                    yield "device"
            case _:
                yield word


def _is_a_fact(book: Rulebook, irregularity: str) -> bool:
    """True if a device can establish it. A book that does not say what establishes an irregularity leaves to devices
    every cause of a void that needs neither an announcement nor a second person."""
    announced = [call.clause for call in book.calls if call.id == "no-spin"]
    parts = [part for part in book.irregularities if part.id == irregularity]
    return any(
        part.evidence != "person"
        if part.evidence
        else part.consequence == "void" and part.people == 1 and part.clause not in announced
        for part in parts
    )


def _authority(parts: Iterable[schema.Irregularity]) -> Iterable[str]:
    return (role for part in parts for role in part.authority)


def _own_seat(table: Table, command: AnyCommand) -> str | None:
    match command:
        case m.PlaceBet() | m.ChooseLayout() | m.LeaveSeat() | m.RedeemTicket() | m.CashOut():
            return command.seat
        case m.WithdrawBet():
            bet = table.round.bets.get(command.bet) if table.round else None
            return bet.seat if bet else command.by  # an unknown bet is refused later, with its own reason
        case _:
            return None
