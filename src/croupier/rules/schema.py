"""The content of a rulebook file: one frozen model for each part, with the words that part allows."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime
from string import Formatter
from types import MappingProxyType
from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, PlainSerializer, Strict, StringConstraints

Text = Annotated[str, StringConstraints(min_length=1, max_length=2000)]
Phrase = Annotated[str, StringConstraints(min_length=1, max_length=1000)]
Count = Annotated[int, Strict(), Field(ge=1, le=1000)]
Role = Literal["dealer", "pit-supervisor", "pit-manager", "shift-manager"]
Phase = Literal[
    "ready", "betting", "spinning", "closed", "moving", "rest", "entering", "entered", "settling", "settled"
]
Order = Literal["open-cover", "covered", "wheel"]
Wording = Literal["book", "ours"]

PHASES: dict[Order, tuple[Phase, ...]] = {
    "open-cover": ("ready", "betting", "closed", "moving", "rest", "entering", "entered", "settling", "settled"),
    "covered": ("ready", "moving", "betting", "closed", "rest", "entering", "entered", "settling", "settled"),
    "wheel": ("ready", "betting", "spinning", "closed", "moving", "rest", "entered", "settling", "settled"),
}
"""The phases of a round in the order in which each order of play passes through them."""


def _template(*allowed: str) -> AfterValidator:
    def check(text: str) -> str:
        used = [field for field in Formatter().parse(text) if field[1] is not None]
        if {name for _, name, _, _ in used} != set(allowed) or any(spec or how for _, _, spec, how in used):
            raise ValueError(f"must contain {' and '.join(f'{{{name}}}' for name in allowed)} and no other braces")
        return text

    return AfterValidator(check)


def _local(effective: date | None) -> date | None:
    if isinstance(effective, datetime) and effective.tzinfo is not None:
        raise ValueError("must be the hour in time_zone, without an offset of its own")
    return effective


class Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Identity(Part):
    format: Annotated[int, Strict(), Field(ge=1, le=1)]
    id: Annotated[str, StringConstraints(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$", max_length=60)]
    title: Text
    also_known_as: tuple[Text, ...] = ()
    operator: Text | None = None
    authority: Text | None = None
    approved_under: Text | None = None
    version: Text | None = None
    replaces: Annotated[str, StringConstraints(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$", max_length=60)] | None = None
    effective: Annotated[Annotated[datetime, Strict()] | Annotated[date, Strict()] | None, AfterValidator(_local)] = (
        None
    )
    time_zone: Text
    contents: tuple[Text, ...]


class Ranks(Part):
    """Positions and their ranks. With a ladder, whoever holds a position may do everything below it; without one, a
    position must be assigned. `second` and `decides` are the lowest positions of those who agree and who decide."""

    ladder: tuple[Role, ...] = ()
    clause: Text | None = None
    second: Role
    highest: Role
    decides: Role


class Outcomes(Part):
    device: Literal["dice", "wheel"]
    numbers: Text | None = None
    colours: dict[Text, Text] = Field(default={}, max_length=20)


class Call(Part):
    id: Literal["place-your-bets", "no-more-bets", "no-spin"]
    words: Text
    wording: Wording
    given: Literal["announced", "displayed"]
    by: tuple[Role, ...] = Field(min_length=1)
    bell: Annotated[bool, Strict()] = False
    clause: Text
    early_by: tuple[Role, ...] = ()
    early_clause: Text | None = None


class DiceAnnouncement(Part):
    one: Annotated[Text, _template("face")]
    two: Annotated[Text, _template("face")]
    three: Annotated[Text, _template("face")]
    then: Annotated[Text, _template("total")]
    wording: Wording
    clause: Text


class WheelAnnouncement(Part):
    number: Annotated[Text, _template("number")]
    wording: Wording
    clause: Text


class ResultMoments(Part):
    """When a result is announced and lit, and the clause of each moment after it.

    `entered`: with the entry, and the Dealer then checks the lit felt against the dice or the wheel.
    `confirmed`: the entry is read back to the Dealer alone, and confirming it registers it everywhere.
    """

    announced: Literal["entered", "confirmed"]
    lit_clause: Text | None = None
    dolly_clause: Text | None = None
    """A dolly is placed on the winning number with the announcement."""
    checked_clause: Text | None = None
    collected_clause: Text
    paid_clause: Text


class Play(Part):
    kind: Literal["electronic", "live"]
    order: Order
    layout_of: Literal["terminal", "table"]
    operated_by: tuple[Role, ...] = Field(min_length=1)
    on_behalf_by: tuple[Role, ...] = ()
    on_behalf_clause: Text | None = None
    minimum: Count
    minimum_clause: Text


class LayoutHead(Part):
    id: Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9]+(-[A-Za-z0-9]+)*$", max_length=40)]
    title: Text
    clause: Text
    appendix: Text


class Wager(Part):
    kind: Text
    boxes: Text
    wins: Phrase | Annotated[tuple[Phrase, ...], Field(min_length=2, max_length=10)]
    pays: Text
    win_clause: Text
    odds_clause: Text
    label: Text | None = None
    prints: Text | None = None
    spot: Annotated[str, StringConstraints(pattern=r"^(meet|left|left of \S.*)$")] | None = None


class FeltRows(Part):
    columns: Annotated[int, Strict(), Field(ge=1, le=100)]
    rows: tuple[Text, ...] = Field(min_length=1, max_length=100)
    note: Text | None = None


class Irregularity(Part):
    id: Text
    clause: Text
    trigger: Text
    phases: tuple[Phase, ...] = Field(min_length=1)
    consequence: Literal[
        "void",
        "void-affected-rounds",
        "actual-outcome-stands",
        "actual-outcome-stands-and-lock",
        "amend-result",
        "lock",
        "refuse",
        "plays",
        "reject-excess",
        "advise",
        "apportion",
        "cap",
        "once-only",
        "bet-decision",
        "interruption",
        "no-effect",
        "decision",
    ]
    authority: tuple[Role | Literal["system"], ...] = Field(min_length=1)
    people: Annotated[int, Strict(), Field(ge=1, le=2)]
    evidence: Literal["device", "person", "either"] | None = None
    denied_by: tuple[Literal["start", "direction", "count", "reading"], ...] = ()
    """The reports of a device that contradict it."""


class Minimum(Part):
    per: Literal["player-box"]
    breach: Literal["refuse", "plays", "once-only"]
    clause: Text


class Maximum(Part):
    per: Literal["player-box", "box"]
    breach: Literal["refuse", "apportion", "cap"]
    clause: Text


class Differential(Part):
    pairs: tuple[Text, ...] = Field(min_length=1)
    clause: Text


class LimitRules(Part):
    displayed_clause: Text
    minimum: Minimum
    maximum: Maximum
    differential: Differential | None = None


class LosingOutcome(Part):
    """An outcome for which a clause of its own says which bets lose."""

    outcome: Text
    clause: Text


class Movements(Part):
    """The clauses that move money where no price, limit or irregularity does."""

    bet_clause: Text
    """A stake goes to the table."""
    withdrawn_clause: Text
    """A Player takes a stake back while bets are open."""
    void_clause: Text | None = None
    """The stakes of a void round are returned; without it, by the clause that voids."""
    exempt_clause: Text | None = None
    """A bet under the minimum plays in full in a box that is cut for its maximum."""
    credit_clause: Text | None = None
    """Credit is bought and paid out."""
    loses: tuple[LosingOutcome, ...] = ()


class Refusals(Part):
    """The clauses that refuse what no limit, call or irregularity does."""

    box_clause: Text
    """Which bets there are."""
    unit_clause: Text
    """In which steps stakes are made."""
    permission_clause: Text
    """Who may perform a function."""


class PhaseAct(Part):
    act: Literal[
        "nothing",
        "start-again",
        "resume-or-void",
        "resume-or-void-and-lock",
        "continue",
        "void",
        "void-unseen",
        "attest",
        "attest-and-lock",
        "wait",
        "complete-entry",
        "complete-entry-and-lock",
        "confirm",
        "confirm-and-lock",
        "finish",
        "finish-and-lock",
    ]
    clause: Text | None = None
    otherwise: Text | None = None


class Registered(Part):
    act: Literal["play"]
    clause: Text


class Unregistered(Part):
    act: Literal["return", "not-participating"]
    clause: Text


class Terminals(Part):
    registered: Registered
    unregistered: Unregistered


class InterruptionRules(Part):
    clause: Text
    resume_seconds: Annotated[int, Strict(), Field(ge=0, le=3600)]
    established: Phase
    round: Annotated[Mapping[Phase, PhaseAct], AfterValidator(MappingProxyType), PlainSerializer(dict)]
    terminals: Terminals | None = None


class Prompt(Part):
    id: Text
    when: Phase | Literal["opening", "always", "void"]
    by: Role
    says: Text
    clause: Text


class Clause(Part):
    kept: Literal["rules", "table", "store", "screen", "people"]
    says: Text


class Reading(Part):
    ruling: Count | None = None
    clause: Text
    says: Text
    read: Text
    why: Text
    alternative: Text
