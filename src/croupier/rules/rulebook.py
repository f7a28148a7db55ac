"""A rulebook: one approved text as data, ready to be played and asked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

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

    @property
    def id(self) -> str:
        return self.identity.id

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
