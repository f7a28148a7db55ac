"""What people may do at a table now: the next act, the other acts, irregularities by clause, attestations.

This file decides nothing: only the engine accepts or refuses an act. What an act will do is given as facts, so that
no screen has to know the rules.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, Literal, get_args, get_origin, get_type_hints

import msgspec

from croupier.rules import schema
from croupier.rules.money import Cents
from croupier.rules.outcomes import DICE
from croupier.rules.reasons import Facts
from croupier.rules.refusal import Fact, Refused
from croupier.table import messages as m
from croupier.table.checks import call_of, check_fits, interruption_act, struck_phase
from croupier.table.decide import needs_two
from croupier.table.evidence import ACTS_ON_THE_ROUND, contradicted, waiting_decision
from croupier.table.messages import AnyCommand, Limits, PersonId
from croupier.table.permits import authorise
from croupier.table.state import OPEN_FOR_BETS, Table

NeedKind = Literal[
    "bet",
    "bets",
    "box",
    "checks",
    "colour",
    "count",
    "faces",
    "flag",
    "irregularity",
    "layout",
    "layouts",
    "limits",
    "lost",
    "money",
    "name",
    "outcome",
    "part",
    "person",
    "reason",
    "roles",
    "round",
    "rounds",
    "seat",
    "seats",
    "ticket",
    "treatment",
]

_KINDS: dict[str, NeedKind] = {
    "allowed_by": "person",
    "amount": "money",
    "bet": "bet",
    "bets": "bets",
    "box": "box",
    "colour": "colour",
    "colour_chips": "count",
    "count": "count",
    "face": "faces",
    "id": "name",
    "irregularity": "irregularity",
    "layout": "layout",
    "layouts": "layouts",
    "limits": "limits",
    "lost": "lost",
    "note": "reason",
    "number": "outcome",
    "outcome": "outcome",
    "part": "part",
    "person": "person",
    "reason": "reason",
    "roles": "roles",
    "round": "round",
    "rounds": "rounds",
    "seat": "seat",
    "seats": "seats",
    "shown": "faces",
    "stake": "money",
    "ticket": "ticket",
    "treatment": "treatment",
    "unchecked": "checks",
    "value": "money",
    "with_wheel": "flag",
}
"""The kind of input on a screen, by the name of the field."""
_NOT_ASKED = {m.RedeemTicket: ("amount", "expires", "found"), m.CashOut: ("ticket", "expires")}
"""Fields that the floor fills itself."""


class Need(msgspec.Struct, frozen=True):
    """A field of an act that a person fills in."""

    field: str
    kind: NeedKind
    must: bool
    """The person must fill it in."""
    value: int | str | None = None
    """The most likely value."""


EffectCase = Literal[
    "actual-outcome-stands",
    "actual-outcome-stands-and-lock",
    "advise",
    "amend-result",
    "apportion",
    "bet-decision",
    "cap",
    "decision",
    "interruption",
    "lock",
    "no-effect",
    "once-only",
    "plays",
    "refuse",
    "refuse-nothing",
    "reject-excess",
    "settle-again",
    "stand-still",
    "void",
    "void-named-rounds",
    "void-past-round",
    "void-without-bets",
]
EFFECTS: dict[EffectCase, Facts] = {case: {} for case in get_args(EffectCase)} | {
    "void": {"round": "number", "total": "money", "players": "number", "clause": "text"},
    "stand-still": {"round": "number", "clause": "text"},
    "void-named-rounds": {"clause": "text"},
    "void-past-round": {"clause": "text"},
    "void-without-bets": {"round": "number", "clause": "text"},
}
"""The effects of acts and their facts. The catalogue has a sentence for each."""


class Effect(msgspec.Struct, frozen=True):
    """The effect of an act."""

    case: EffectCase
    facts: dict[str, Fact] = {}

    def __post_init__(self) -> None:
        assert self.facts.keys() == EFFECTS[self.case].keys(), f"{self.case}: {sorted(self.facts)}"


class Act(msgspec.Struct, frozen=True):
    """An act that a person may do now: its command, and the words that are called with it."""

    act: str
    says: str
    """The words of the book to call."""
    bell: bool
    clause: str | None
    may: bool
    """True if this person may do it; otherwise somebody else must."""
    two: bool
    """A second person must agree."""
    needs: tuple[Need, ...]


class IrregularityNow(msgspec.Struct, frozen=True):
    """An irregularity that is possible in this phase: its clause, and what follows from a report of it."""

    id: str
    clause: str
    trigger: str
    consequence: str
    will: Effect
    act: str
    may: bool
    two: bool
    needs: tuple[Need, ...]


class AttestWanted(msgspec.Struct, frozen=True):
    """What two people must attest after an interruption: what the dice or the ball show."""

    of: Literal["dice", "ball"]
    count: int
    known: tuple[str, ...]
    """Faces that a sensor or an earlier attestation has already given."""
    may_show: bool
    """False if the dice were still covered: then people can attest only that nothing is shown."""
    will: Effect
    """The effect of attesting nothing."""
    clause: str | None
    act: Act


# ---- the one next act


def next_act(table: Table, person: PersonId, at: int) -> Act | None:
    """The act that the round waits for, also if this person may not do it."""
    kind = _next(table) if waiting_decision(table) is None else None
    return act_of(table, kind, person, at) if kind is not None else None


def _next(table: Table) -> type[m.Command] | None:
    if table.interruption is not None:
        return _next_interrupted(table)
    if not table.open:
        return m.OpenTable
    if table.locked is not None and table.phase == "ready":
        return m.Unlock
    match table.phase:
        case "ready" | "moving" if table.order == "covered":
            if not table.motion.started:
                return m.StartMotion
            return m.EndMotion if table.motion.count is None else m.OpenBetting
        case "ready":
            return m.OpenBetting
        case "betting":
            return m.StartMotion if table.order == "wheel" else m.CallNoMoreBets
        case "spinning":
            return m.CallNoMoreBets
        case "closed":
            return m.Uncover if table.order == "covered" else m.StartMotion
        case "moving":
            return m.EndMotion
        case "rest" | "entering":
            if table.order == "wheel":
                return m.EnterNumber
            return m.PressEntry if len(table.entry) == DICE else m.PressKey
        case "entered":
            return m.DecideResult if _disagree(table) else m.ConfirmResult
        case "settling":
            return m.PayWinners
        case _:
            return None


def _next_interrupted(table: Table) -> type[m.Command]:
    struck = table.interruption
    assert struck is not None
    if not struck.power_back:
        return m.Restore
    if interruption_act(table, struck.was).act == "wait":
        return m.CallNoMoreBets if struck.was == "spinning" else m.EndMotion
    return m.Attest


def _disagree(table: Table) -> bool:
    """Two sources have given different results."""
    return bool(table.sensed and table.round and table.sensed != table.round.outcome and not table.decided)


# ---- the other acts


def _always(table: Table) -> bool:
    return True


def _bets_open(table: Table) -> bool:
    return table.phase in OPEN_FOR_BETS


def _seated(table: Table) -> bool:
    return any(not seat.gone for seat in table.seats.values())


def _owing(table: Table) -> bool:
    return any(seat.owes for seat in table.seats.values())


def _between(table: Table) -> bool:
    return table.open and table.phase == "ready"


def _fits(consequence: str) -> Callable[[Table], bool]:
    """An irregularity with this consequence fits the phase."""

    def fits(table: Table) -> bool:
        parts = [part for part in table.book.irregularities if part.consequence == consequence]
        return table.round is not None and any(_fits_now(table, part) for part in parts)

    return fits


def _early_close(table: Table) -> bool:
    return table.order == "wheel" and table.phase == "betting"


OTHERS: dict[type[m.Command], Callable[[Table], bool]] = {
    m.CallNoMoreBets: _early_close,
    m.PlaceBet: lambda table: _bets_open(table) and _seated(table),
    m.WithdrawBet: lambda table: _bets_open(table) and bool(table.round and table.round.bets),
    m.AmendResult: _fits("amend-result"),
    m.DecideBet: _fits("bet-decision"),
    m.Decide: _fits("decision"),
    m.CorrectResult: lambda table: any(past.void_clause is None for past in table.past.values()),
    m.VoidRounds: lambda table: (
        bool(table.past) and any(part.consequence == "void-affected-rounds" for part in table.book.irregularities)
    ),
    m.Interrupt: lambda table: table.interruption is None and table.phase != "ready",
    m.InterruptTerminals: lambda table: table.book.interruption.terminals is not None and _seated(table),
    m.RestoreTerminals: lambda table: any(not seat.connected for seat in table.seats.values()),
    m.TakeSeat: _always,
    m.LeaveSeat: _seated,
    m.ChooseLayout: lambda table: (
        table.book.play.layout_of == "terminal" and len(table.displayed) > 1 and _seated(table)
    ),
    m.SellCredit: _seated,
    m.PayOut: lambda table: any(seat.credit for seat in table.seats.values()),
    m.RedeemTicket: _seated,
    m.CashOut: lambda table: any(seat.credit for seat in table.seats.values()),
    m.GiveCredit: _seated,
    m.RepayDebt: _owing,
    m.WriteOffDebt: _owing,
    m.GiveColour: lambda table: table.live and _seated(table),
    m.TakeBackColour: lambda table: any(seat.colour for seat in table.seats.values()),
    m.FillBank: _always,
    m.DrainBank: _always,
    m.SetLimits: _always,
    m.SetLayouts: lambda table: len(table.layouts) > 1,
    m.AssignStaff: _always,
    m.Unlock: lambda table: table.locked is not None,
    m.CloseTable: _between,
}
"""Acts outside the order of play, and when each makes sense. `permits.py` decides who may do them."""


def other_acts(table: Table, person: PersonId, at: int) -> tuple[Act, ...]:
    """The other acts that this person may do now."""
    following = _next(table)
    still = ACTS_ON_THE_ROUND if waiting_decision(table) is not None else frozenset()
    kinds = [kind for kind, sensible in OTHERS.items() if kind is not following and sensible(table)]
    kinds = [kind for kind in kinds if kind not in still]
    return tuple(act for kind in kinds if (act := act_of(table, kind, person, at)).may)


def act_of(table: Table, kind: type[m.Command], person: PersonId, at: int) -> Act:
    """An act as a screen shows it to a person."""
    blank = _blank(kind, person, at)
    words, bell, clause = _call(table, kind)
    return Act(
        kind.__name__,
        words,
        bell,
        clause,
        _may(table, blank),
        needs_two(table, blank),
        _needs(table, kind),
    )


def _call(table: Table, kind: type[m.Command]) -> tuple[str, bool, str | None]:
    """The words that are called with an act, whether the bell rings, and the clause."""
    calls = {m.OpenBetting: "place-your-bets", m.CallNoMoreBets: "no-more-bets"}
    if kind in calls:
        call = call_of(table, calls[kind])
        early = kind is m.CallNoMoreBets and _early_close(table)
        return call.words, call.bell, call.early_clause if early else call.clause
    play = table.book.play
    match kind:
        case m.StartMotion | m.EndMotion:
            return "", False, play.minimum_clause
        case m.PressEntry | m.EnterNumber | m.ConfirmResult | m.PayWinners:
            words, clause = _call_of_result(table, kind)
            return words, False, clause
        case m.Restore | m.Attest if table.interruption:
            return "", False, interruption_act(table, table.interruption.was).clause
        case m.PlaceBet:
            return "", False, play.on_behalf_clause
        case m.Unlock:
            return "", False, table.locked
        case m.AmendResult:
            return "", False, _clause(table, "amend-result")
        case m.DecideBet:
            return "", False, _clause(table, "bet-decision")
        case m.Decide:
            return "", False, _clause(table, "decision")
        case _:
            return "", False, None


def _call_of_result(table: Table, kind: type[m.Command]) -> tuple[str, str | None]:
    """The words that announce the result go with the act that announces it; the acts after it have only a clause."""
    book, moments = table.book, table.book.moments
    with_entry = moments is not None and moments.announced == "entered"
    match kind:
        case m.PayWinners:
            return "", moments.paid_clause if moments else None
        case m.ConfirmResult if moments is not None and moments.checked_clause is not None:
            return "", moments.checked_clause
        case m.ConfirmResult if table.round and table.round.outcome:
            return book.announce(table.round.outcome), book.announcement.clause
        case m.PressEntry if with_entry and len(table.entry) == DICE:
            return book.announce("-".join(table.entry)), book.announcement.clause
        case m.EnterNumber if with_entry:
            return "", book.announcement.clause
        case _:
            return "", None


def _clause(table: Table, consequence: str) -> str | None:
    return next((part.clause for part in table.book.irregularities if part.consequence == consequence), None)


def _needs(table: Table, kind: type[m.Command]) -> tuple[Need, ...]:
    needs = []
    for one in msgspec.structs.fields(kind):
        if one.name in ("by", "at", *_NOT_ASKED.get(kind, ())):
            continue
        value = table.book.play.minimum if kind is m.EndMotion else None
        needs.append(Need(one.name, _KINDS[one.name], one.required, value))
    return tuple(needs)


# ---- permission


def _may(table: Table, command: AnyCommand) -> bool:
    try:
        authorise(table, command)
    except Refused:
        return False
    return True


@cache
def _blanks(kind: type[m.Command]) -> dict[str, Any]:
    hints = get_type_hints(kind)
    required = [one.name for one in msgspec.structs.fields(kind) if one.required and one.name not in ("by", "at")]
    return {name: _empty(hints[name]) for name in required}


def _empty(kind: Any) -> Any:
    while hasattr(kind, "__supertype__"):
        kind = kind.__supertype__
    if get_origin(kind) is Literal:
        return get_args(kind)[0]
    if kind is Limits:
        return Limits({}, {}, Cents(1))
    return (get_origin(kind) or kind)()


def _blank(kind: type[m.Command], person: PersonId, at: int) -> Any:
    """A command of this kind with empty fields: enough to ask who may give it."""
    return kind(person, at, **_blanks(kind))


# ---- irregularities


_ACTS: dict[str, type[m.Command]] = {
    "amend-result": m.AmendResult,
    "bet-decision": m.DecideBet,
    "decision": m.Decide,
    "interruption": m.Interrupt,
    "reject-excess": m.RejectExcess,
    "advise": m.AdviseShort,
}
"""The acts of consequences that are not simply reported."""


def irregularities_now(table: Table, person: PersonId, at: int) -> tuple[IrregularityNow, ...]:
    """The irregularities that are possible in this phase, in the order of the book."""
    if waiting_decision(table) is not None:
        return ()
    return tuple(_now(table, part, person, at) for part in table.book.irregularities if _fits_now(table, part))


def _fits_now(table: Table, part: schema.Irregularity) -> bool:
    try:
        check_fits(table, part)
    except Refused:
        return False
    return True


def _now(table: Table, part: schema.Irregularity, person: PersonId, at: int) -> IrregularityNow:
    kind = _act_for(table, part)
    command = m.Report(person, at, part.id) if kind is m.Report else _blank(kind, person, at)
    return IrregularityNow(
        part.id,
        part.clause,
        part.trigger,
        part.consequence,
        _will(table, part, person),
        kind.__name__,
        _may(table, command),
        needs_two(table, command),
        tuple(need for need in _needs(table, kind) if need.field != "irregularity"),
    )


def _act_for(table: Table, part: schema.Irregularity) -> type[m.Command]:
    if part.consequence == "actual-outcome-stands" and part.people == 2:
        return m.CorrectResult
    if part.consequence == "void-affected-rounds" and struck_phase(table) == "ready":
        return m.VoidRounds
    return _ACTS.get(part.consequence, m.Report)


def _will(table: Table, part: schema.Irregularity, person: PersonId) -> Effect:
    """The effect of reporting an irregularity."""
    if struck_phase(table) != "ready" and contradicted(table, part, person) is not None:
        return Effect("stand-still", {"round": table.round_number, "clause": part.clause})
    match part.consequence:
        case "void" | "void-affected-rounds" if struck_phase(table) != "ready":
            return _void(table, part.clause)
        case "void-affected-rounds":
            return Effect("void-named-rounds", {"clause": part.clause})
        case "void":
            return Effect("void-past-round", {"clause": part.clause})
        case "actual-outcome-stands" if part.people == 2:
            return Effect("settle-again")
        case consequence:
            return Effect(consequence)


def _void(table: Table, clause: str) -> Effect:
    """The open round ends without a result."""
    bets = [bet for bet in table.round.bets.values() if bet.stake] if table.round else []
    if not bets:
        return Effect("void-without-bets", {"round": table.round_number, "clause": clause})
    total, players = sum(bet.stake for bet in bets), len({bet.seat for bet in bets})
    return Effect("void", {"round": table.round_number, "total": total, "players": players, "clause": clause})


# ---- after an interruption


def attest_wanted(table: Table, person: PersonId, at: int) -> AttestWanted | None:
    """What must be attested before an interrupted round can go on or end."""
    struck = table.interruption
    if struck is None or not struck.power_back:
        return None
    policy = interruption_act(table, struck.was)
    if policy.act not in ("attest", "attest-and-lock"):
        return None
    covered = struck.was == "closed" and table.book.interruption.established != "closed"
    known = tuple(table.sensed.split("-")) if table.sensed else struck.shown
    clause = policy.otherwise or policy.clause or table.book.interruption.clause
    return AttestWanted(
        "ball" if table.order == "wheel" else "dice",
        1 if table.order == "wheel" else DICE,
        known,
        not covered or table.reads("covered-dice-count"),
        Effect("refuse-nothing") if known else _void(table, clause),
        policy.clause,
        act_of(table, m.Attest, person, at),
    )
