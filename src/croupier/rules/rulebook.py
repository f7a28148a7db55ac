"""A rulebook: one approved text as data, ready to be played and asked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from typing import Literal
from zoneinfo import ZoneInfo

from croupier.rules import schema
from croupier.rules.outcomes import Space, Wheel
from croupier.rules.paytable import Layout
from croupier.rules.refusal import Refused

Device = Literal["dice", "wheel"]


@dataclass(frozen=True, slots=True)
class Rulebook:
    """One approved text, ready to play: identity, layouts, order of play, irregularities, clauses, readings."""

    identity: schema.Identity
    titles: Mapping[schema.Role, str]
    space: Space
    play: schema.Play
    calls: tuple[schema.Call, ...]
    announcement: schema.DiceAnnouncement | schema.WheelAnnouncement
    moments: schema.ResultMoments | None
    """None: a result is announced, lit and collected in the one moment in which it is confirmed."""
    layouts: tuple[Layout, ...]
    limits: schema.LimitRules
    interruption: schema.InterruptionRules
    irregularities: tuple[schema.Irregularity, ...]
    prompts: tuple[schema.Prompt, ...]
    clauses: Mapping[str, schema.Clause]
    readings: tuple[schema.Reading, ...]
    hash: str
    warnings: tuple[str, ...]
    ranks: schema.Ranks | None = None
    movements: schema.Movements | None = None
    """Without it, as in files from before this part, a bet that a limit changed cites the price of its box."""
    refusals: schema.Refusals | None = None

    @property
    def id(self) -> str:
        return self.identity.id

    @property
    def in_force_from(self) -> int | None:
        """The hour from which the text has effect, in milliseconds since 1970; None if the text names none.

        >>> from croupier import load_rulebook
        >>> load_rulebook("mbs-esicbo-v4").in_force_from  # 20 September 2022, 9:00 in Singapore
        1663635600000
        """
        effective = self.identity.effective
        if effective is None:
            return None
        hour = effective if isinstance(effective, datetime) else datetime.combine(effective, time())
        local = hour.replace(tzinfo=ZoneInfo(self.identity.time_zone))
        return round((local - datetime(1970, 1, 1, tzinfo=UTC)) / timedelta(milliseconds=1))

    @property
    def hour(self) -> str:
        """That hour as the book's time zone writes it; empty if the text names none.

        >>> from croupier import load_rulebook
        >>> load_rulebook("mbs-esicbo-v4").hour
        '2022-09-20 09:00 Asia/Singapore'
        """
        effective = self.identity.effective
        if effective is None:
            return ""
        when = f"{effective:%Y-%m-%d %H:%M}" if isinstance(effective, datetime) else f"{effective:%Y-%m-%d}"
        return f"{when} {self.identity.time_zone}"

    def correct_encoding_of(self, other: Rulebook) -> bool:
        """True if this is the same version of the same text, written down otherwise."""
        one, two = self.identity, other.identity
        return (one.id, one.version, one.effective) == (two.id, two.version, two.effective)

    def replaces(self, other: Rulebook) -> bool:
        """True if this is a later version of the same text: the same id, or the id that this book says it replaces."""
        if other.id not in (self.id, self.identity.replaces) or self.in_force_from is None:
            return False
        return other.in_force_from is None or other.in_force_from < self.in_force_from

    @property
    def device(self) -> Device:
        """What makes the result."""
        return "wheel" if isinstance(self.space, Wheel) else "dice"

    def __hash__(self) -> int:
        return hash(self.hash)

    def __repr__(self) -> str:
        return f"<Rulebook {self.id}: {self.identity.title}, {len(self.layouts)} layouts, {len(self.clauses)} clauses>"

    def layout(self, id: str) -> Layout:
        """A layout by its id, `A` or `rws-sicbo-etg-v2/A`."""
        for layout in self.layouts:
            if id in (layout.id, layout.id.rpartition("/")[2]):
                return layout
        known = tuple(layout.id.rpartition("/")[2] for layout in self.layouts)
        raise Refused("layout", "not-of-book", layout=id, book=self.id, known=known)

    def announce(self, outcome: str) -> str:
        """The words of a result as the Dealer calls it.

        >>> from croupier import load_rulebook
        >>> load_rulebook("nz-taisai-division9").announce("4-3-3")
        'double 3, 4, total 10'
        """
        return ", ".join(form.format(**facts) for form, facts in self.announced(outcome))

    def announced(self, outcome: str) -> list[tuple[str, dict[str, str]]]:
        """The parts of a called result: each as a template of the book, with its values."""
        result = self.space.parse(outcome)
        match self.announcement:
            case schema.WheelAnnouncement() as words:
                return [(words.number, {"number": result})]
            case schema.DiceAnnouncement() as words:
                faces = result.split("-")
                by_count = {1: words.one, 2: words.two, 3: words.three}
                parts = [(by_count[count], {"face": face}) for face, count in sorted(Counter(faces).items())]
                return [*parts, (words.then, {"total": str(sum(map(int, faces)))})]
