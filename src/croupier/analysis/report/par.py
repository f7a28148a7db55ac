"""The PAR sheet of a layout: the mathematics that a test lab files, and a simulation that confirms it."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import erfc, sqrt
from typing import NamedTuple

from croupier import __version__
from croupier.analysis.exact.many_rounds import after, ahead_after
from croupier.analysis.exact.odds import BoxOdds, layout_odds
from croupier.analysis.exact.one_round import Distribution, result_of
from croupier.analysis.exact.streaks import SHARES, losing_run
from croupier.analysis.report import plots
from croupier.analysis.report.runs import box_parts
from croupier.analysis.simulate.flat import FlatRun, Progress, simulate
from croupier.paper.document import Document, Facts, Part, Rows, Section, Signatures, Words, figure
from croupier.rules.paytable import Layout
from croupier.rules.rulebook import Rulebook

RUN_ROUNDS = 1_000
"""The longest losing run is that of this many rounds."""
MANY_ROUNDS = 100
AHEAD = (1, 10, 100, 1_000, 10_000)
BOUND = 4.0
"""A simulation confirms an edge if it lies within this many standard errors."""
LOW_RETURN = Fraction(3, 4)
"""The least return that GLI-11 requires of gaming machines. The sheet names bets below it; the rules decide."""


class BoxFigures(NamedTuple):
    """One box: its exact figures, and quantiles of its longest losing run."""

    odds: BoxOdds
    runs: tuple[int, ...]


class Group(NamedTuple):
    """Boxes that pay the same on the same number of ways: mathematically one bet."""

    boxes: tuple[str, ...]
    kinds: tuple[str, ...]
    clauses: tuple[str, ...]
    figures: BoxFigures
    one: Distribution
    """The result of one unit in one round, in hundredths of the unit."""

    @property
    def name(self) -> str:
        """The names of a few of the boxes, for a picture."""
        words: dict[str, list[str]] = {}
        for box in self.boxes:
            word, _, numbers = box.partition(":")
            words.setdefault(word, []).append(numbers)
        names = [
            f"{word} ({len(numbers)})" if len(numbers) > 2 else f"{word} {', '.join(numbers)}".strip()
            for word, numbers in words.items()
        ]
        return ", ".join(names[:3]) + (f" … ({len(self.boxes)})" if len(names) > 3 else "")


class Par(NamedTuple):
    book: Rulebook
    layout: Layout
    boxes: tuple[BoxFigures, ...]
    groups: tuple[Group, ...]
    run: FlatRun

    @property
    def title(self) -> str:
        return f"PAR sheet: {self.layout.id}"

    @property
    def subtitle(self) -> str:
        identity = self.book.identity
        return ", ".join(filter(None, (identity.title, identity.operator, self.layout.title)))

    @property
    def worst(self) -> float:
        """The greatest distance of a box from its exact edge, in standard errors."""
        return max(abs(row.edge.z or 0.0) for row in self.run.boxes)

    @property
    def confirmed(self) -> bool:
        return self.worst < BOUND


def par_sheet(
    book: Rulebook,
    layout: Layout,
    rounds: int = 1_000_000_000,
    seed: int = 1,
    *,
    kernel: str = "auto",
    workers: int | None = None,
    progress: Progress | None = None,
) -> Par:
    """All exact figures of a layout, and a simulation of this many rounds in which every box is counted."""
    boxes = tuple(
        BoxFigures(odds, losing_run(layout, odds.box, RUN_ROUNDS, SHARES).runs) for odds in layout_odds(layout)
    )
    run = simulate(layout, (), rounds, seed=seed, kernel=kernel, workers=workers, progress=progress)
    return Par(book, layout, boxes, _groups(layout, boxes), run)


def _groups(layout: Layout, boxes: Sequence[BoxFigures]) -> tuple[Group, ...]:
    alike: dict[tuple[str, tuple[tuple[int, int], ...]], list[BoxFigures]] = {}
    for figures in boxes:
        one = _unit(layout, figures.odds.box)
        alike.setdefault((figures.odds.pays, tuple(one.cells.items())), []).append(figures)
    return tuple(_group(layout, same) for same in alike.values())


def _group(layout: Layout, same: Sequence[BoxFigures]) -> Group:
    boxes = [layout.box(figures.odds.box) for figures in same]
    return Group(
        tuple(str(box.name) for box in boxes),
        tuple(dict.fromkeys(box.kind for box in boxes)),
        tuple(dict.fromkeys(clause for box in boxes for clause in (box.win_clause, box.odds_clause))),
        same[0],
        _unit(layout, boxes[0].name),
    )


def _unit(layout: Layout, box: str) -> Distribution:
    """The results of a stake of 100 units of the layout, with which every price pays whole cents."""
    return result_of(layout, [(box, layout.unit() * 100)])


# ---- the report


def par_document(par: Par) -> Document:
    return Document(
        par.title,
        par.subtitle,
        (identity_of(par),),
        (
            Section("Bets", _bet_parts(par)),
            Section("Every box", _every_box(par)),
            Section("Distributions", _distributions(par)),
            Section(f"Simulation: {par.run.rounds:,} rounds", _simulation(par)),
            Section("How the text is read", _readings(par)),
            Section("Method", _method(par)),
            Section("Filed", (Signatures(("Prepared by", "Examined by", "Date and place")),)),
        ),
        verdict_of(par),
    )


def verdict_of(par: Par) -> str:
    edges = [figures.odds.edge for figures in par.boxes]
    confirmed = "confirms every one of them" if par.confirmed else "does NOT confirm all of them"
    return (
        f"{len(par.boxes)} boxes, with edges from {_percent(min(edges))} to {_percent(max(edges))} of the stake. A "
        f"simulation of {par.run.rounds:,} rounds {confirmed}: the farthest lies {par.worst:.2f} standard errors from "
        f"its exact edge, and the bound is {BOUND:g}."
    )


def identity_of(par: Par) -> Facts:
    identity = par.book.identity
    known = (
        ("game", identity.title),
        ("operator", identity.operator),
        ("authority", identity.authority),
        ("approved under", identity.approved_under),
        ("version", identity.version),
        ("effective", None if identity.effective is None else f"{identity.effective} ({identity.time_zone})"),
        ("rulebook", par.book.id),
        ("hash of the rulebook", par.book.hash),
        ("layout", f"{par.layout.id}: {par.layout.title}"),
        ("pay table", f"clause {par.layout.clause}; drawn by {par.layout.appendix}"),
        ("outcomes", f"{len(par.layout.outcomes)} outcomes in {par.layout.total_ways} equally likely ways"),
        ("program", f"Croupier {__version__}"),
        ("seed of the simulation", str(par.run.seed)),
    )
    exact = frozenset({"rulebook", "hash of the rulebook", "seed of the simulation"})
    return Facts(tuple((name, value) for name, value in known if value), exact)


def _bet_parts(par: Par) -> tuple[Part, ...]:
    heads = ("bet", "boxes", "pays", "wins in", "return", "edge", "exactly", "deviation", "clauses")
    rows = tuple(
        (
            " / ".join(group.kinds) + (f": {', '.join(group.boxes)}" if len(group.boxes) < 3 else ""),
            str(len(group.boxes)),
            group.figures.odds.pays,
            f"{group.figures.odds.hits}/{group.figures.odds.ways}",
            _percent(group.figures.odds.return_to_player),
            _percent(group.figures.odds.edge),
            str(group.figures.odds.edge),
            f"{group.figures.odds.deviation:.4f}",
            ", ".join(group.clauses),
        )
        for group in par.groups
    )
    right = frozenset({"boxes", "wins in", "return", "edge", "exactly", "deviation"})
    low = [group.name for group in par.groups if group.figures.odds.return_to_player < LOW_RETURN]
    below = f"Below the {float(LOW_RETURN):.0%} that GLI-11 asks of gaming machines: {', '.join(low)}. "
    note = f"{below if low else ''}The approved rules decide what a table pays."
    edges = [(group.name, float(group.figures.odds.edge)) for group in par.groups]
    return (
        Words("Boxes that pay the same in as many ways stand in one line."),
        Rows(heads, rows, right, frozenset({"bet", "clauses"})),
        figure("The edge of every bet: what a unit staked costs the Player on average.", plots.edges, edges),
        Words(note, quiet=True),
    )


def _every_box(par: Par) -> tuple[Part, ...]:
    heads = (
        "box",
        "pays",
        "ways",
        "hit frequency",
        "return",
        "edge",
        "exactly",
        "variance",
        "deviation",
        "volatility",
        "losing run",
    )
    rows = tuple(
        (
            str(odds.box),
            odds.pays,
            str(odds.hits),
            f"{float(odds.hit_frequency):.4%}",
            f"{float(odds.return_to_player):.4%}",
            f"{float(odds.edge):.4%}",
            str(odds.edge),
            f"{float(odds.variance):.4f}",
            f"{odds.deviation:.4f}",
            f"{odds.volatility_index:.3f}",
            " / ".join(map(str, runs)),
        )
        for odds, runs in par.boxes
    )
    shares = ", ".join(f"{float(share):.0%}" for share in SHARES)
    note = (
        f"Ways of {par.layout.total_ways}. Per unit staked; the stake of a winning bet is part of the return. "
        "Volatility index: 1.645 deviations; times the root of the rounds, it holds nine of ten results of many. "
        f"Losing run: the longest in {RUN_ROUNDS:,} rounds, not exceeded with a probability of {shares}."
    )
    return Rows(heads, rows, frozenset(heads[2:])), Words(note, quiet=True)


def _distributions(par: Par) -> tuple[Part, ...]:
    one = [
        (group.name, [(amount / _stake(par), ways / group.one.ways) for amount, ways in group.one.cells.items()])
        for group in par.groups
    ]
    many = [(group.name, _after_many(par, group)) for group in par.groups]
    return (
        figure("The result of one round for a unit staked: red lost, green won.", plots.rounds_of_one, one),
        figure(
            f"The result of {MANY_ROUNDS} rounds with a unit in each, exactly; the line is the mean.",
            plots.rounds_of_many,
            many,
        ),
        Words("How likely the Player is ahead after so many rounds with the same bet:"),
        _ahead(par),
    )


def _ahead(par: Par) -> Rows:
    heads = ("bet", *(f"{rounds:,}" for rounds in AHEAD))
    rows = []
    for group in par.groups:
        shares = ahead_after(par.layout, [(group.boxes[0], par.layout.unit())], AHEAD)
        rows.append((group.name, *(f"{share:.2%}" for _, share in shares)))
    return Rows(heads, tuple(rows), frozenset(heads[1:]))


def _stake(par: Par) -> int:
    return par.layout.unit() * 100


def _after_many(par: Par, group: Group) -> plots.Spread:
    unit = par.layout.unit()
    seen = after(par.layout, [(group.boxes[0], unit)], MANY_ROUNDS, bars=40)
    bars = [(bar.low / unit, bar.high / unit, bar.probability) for bar in seen.bars]
    return plots.Spread(bars, float(seen.mean) / unit, float(seen.ahead))


def _simulation(par: Par) -> tuple[Part, ...]:
    run = par.run
    facts = Facts(
        (
            ("rounds", f"{run.rounds:,}"),
            ("seed", str(run.seed)),
            ("draws", "SplitMix64 asked by number; exact by rejection, no modulo"),
            ("outcomes", f"chi-square {run.chi_square:.1f} against their ways, p = {run.chi_square_p:.3f}"),
            ("farthest box", f"{par.worst:.2f} standard errors; {BOUND:g} are the bound"),
            ("to repeat it", f"croupier simulate {par.layout.id} --rounds {run.rounds} --seed {run.seed}"),
        ),
        frozenset({"seed", "to repeat it"}),
    )
    chance = len(run.boxes) * erfc(BOUND / sqrt(2))
    note = (
        f"The standard error is the exact deviation divided by the root of the rounds. That any of {len(run.boxes)} "
        f"boxes lies beyond {BOUND:g} by chance has a probability of at most {chance:.2%}."
    )
    return facts, *box_parts(run), Words(note, quiet=True)


def _readings(par: Par) -> tuple[Part, ...]:
    if not par.book.readings:
        return (Words("The text of this book is taken as it stands."),)
    rows = tuple((reading.clause, reading.says, reading.read, reading.why) for reading in par.book.readings)
    heads = ("clause", "the text", "we read", "why")
    return (Rows(heads, rows, wide=frozenset(heads[1:])),)


def _method(par: Par) -> tuple[Part, ...]:
    dice = len(par.layout.outcomes) != par.layout.total_ways
    space = (
        f"All {par.layout.total_ways} ordered throws are equally likely; they are {len(par.layout.outcomes)} different "
        "ones without their order."
        if dice
        else f"All {par.layout.total_ways} numbers of the wheel are equally likely."
    )
    return (
        Words(
            f"{space} A box is a row of odds by outcome, written from the rulebook whose hash is given above. Return "
            "is the sum over the outcomes that win of ways × (odds + 1), divided by all ways; edge is 1 less the "
            "return; variance is the mean of the squares of what comes back less the square of its mean. All of it is "
            "counted in whole numbers and fractions, and rounded only where it is printed."
        ),
        Words(
            "The longest losing run is counted exactly by a recurrence over the rounds. Many rounds are the exact "
            "power of the distribution of one where that is feasible, and otherwise its transform with a stated "
            "bound. The workbook (XLSX) of this sheet holds the same figures as live formulas over the matrix of the "
            "layout: change an odds, and every figure follows."
        ),
        Words(
            "Each simulated round is drawn: a 64-bit word gives halves, a half gives three draws by multiplication, "
            "and the few halves that cannot be shared evenly are thrown away. The same seed gives the same numbers on "
            "every machine. What is counted is how often each outcome fell; of that histogram every box is an exact "
            "sum."
        ),
    )


def _percent(share: Fraction) -> str:
    return f"{float(share):.2%}"
