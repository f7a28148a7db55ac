"""The questions that the lab's page may ask, within bounds, and their answers as numbers for charts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from multiprocessing.connection import Connection
from typing import TYPE_CHECKING, Annotated, TypeVar

import msgspec

from croupier.analysis.exact.many_rounds import after, ahead_after
from croupier.analysis.exact.odds import box_odds
from croupier.analysis.exact.one_round import one_round
from croupier.analysis.exact.whatif import with_pays
from croupier.analysis.report.sheet import SheetPrice, sheet_prices
from croupier.extras import extra_of, to_install
from croupier.rules.library import load_layout, load_rulebook, rulebook_ids
from croupier.rules.paytable import Layout
from croupier.rules.refusal import Fact, Refused
from croupier.words import why

if TYPE_CHECKING:
    from croupier.analysis.simulate.flat import FlatRun

MOST_BETS, MOST_PAYS, MOST_STAKE = 60, 60, 1_000_000_00
MOST_ROUNDS, MOST_SIMULATED = 2_000, 1_000_000_000
CURVE = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000)
_Asked = TypeVar("_Asked")
_Answer = TypeVar("_Answer")
Name = Annotated[str, msgspec.Meta(max_length=100)]
Pays = Annotated[dict[Name, Name], msgspec.Meta(max_length=MOST_PAYS)]


class LabBet(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    box: Name
    stake: Annotated[int, msgspec.Meta(ge=1, le=MOST_STAKE)]


Bets = Annotated[tuple[LabBet, ...], msgspec.Meta(min_length=1, max_length=MOST_BETS)]


class ChancesAsked(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A set of bets on a layout, with the odds of `pays` in place of the printed ones, and a number of rounds."""

    layout: Name
    bets: Bets
    pays: Pays = {}
    rounds: Annotated[int, msgspec.Meta(ge=1, le=MOST_ROUNDS)] = 100


class EdgesAsked(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All boxes of a layout, with the odds of `pays` in place of the printed ones, compared with `against`, or with the
    printed odds if that is null."""

    layout: Name
    pays: Pays = {}
    against: Name | None = None


class SimulationAsked(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    layout: Name
    bets: Bets
    pays: Pays = {}
    rounds: Annotated[int, msgspec.Meta(ge=1, le=MOST_SIMULATED)] = 10_000_000
    seed: Annotated[int, msgspec.Meta(ge=0, le=2**53 - 1)] = 1


class LabCell(msgspec.Struct, frozen=True):
    """A result of one round."""

    amount: int
    ways: int
    share: float


class LabBar(msgspec.Struct, frozen=True):
    """The share of results from `low` to `high`, both included."""

    low: int
    high: int
    share: float


class LabPoint(msgspec.Struct, frozen=True):
    rounds: int
    ahead: float


class Chances(msgspec.Struct, frozen=True):
    """What the bets win or lose together, exactly in one round and after many. Amounts are cents of the Player."""

    staked: int
    ways: int
    cells: tuple[LabCell, ...]
    mean: float
    edge: str
    """The fraction."""
    edge_share: float
    deviation: float
    ahead: float
    level: float
    worst: int
    best: int
    rounds: int
    method: str
    bound: float
    many_ahead: float
    many_mean: float
    many_deviation: float
    bars: tuple[LabBar, ...]
    curve: tuple[LabPoint, ...]


class LabPrice(msgspec.Struct, frozen=True):
    pays: str
    edge: str
    edge_share: float
    deviation: float
    hits: int
    ways: int
    prices: tuple[SheetPrice, ...]
    """What `pays` says, as facts."""


class LabRow(msgspec.Struct, frozen=True):
    """A box on both layouts; null for a layout without it."""

    box: str
    here: LabPrice | None
    there: LabPrice | None
    same: bool


class Edges(msgspec.Struct, frozen=True):
    layout: str
    against: str
    rows: tuple[LabRow, ...]


class Estimated(msgspec.Struct, frozen=True):
    simulated: float
    low: float
    high: float
    exact: float
    z: float


class Simulated(msgspec.Struct, frozen=True):
    rounds: int
    seed: int
    edge: Estimated
    ahead: Estimated
    deviation: float
    exact_deviation: float
    total: int
    chi_square_p: float


class LabRefusal(msgspec.Struct, frozen=True):
    """A refusal in a form that one process can send to another."""

    reason: str
    message: str
    clause: str | None
    case: str
    facts: dict[str, Fact]


def layouts(asked: None) -> tuple[tuple[str, str, str, str, str], ...]:
    """The layouts of the approved books: id, book, layout, game, title."""
    books = [load_rulebook(id) for id in rulebook_ids()]
    return tuple(
        (one.id, book.id, one.id.rpartition("/")[2], book.identity.title, one.title)
        for book in books
        for one in book.layouts
    )


def answered(question: Callable[[_Asked], _Answer], asked: _Asked) -> _Answer | LabRefusal:
    """The answer, or the refusal."""
    try:
        return question(asked)
    except Refused as refused:
        return LabRefusal(refused.reason, refused.message, refused.clause, refused.case, refused.facts)


def chances(asked: ChancesAsked) -> Chances:
    layout = _layout(asked.layout, asked.pays)
    bets = [(bet.box, bet.stake) for bet in asked.bets]
    one, many = one_round(layout, bets), after(layout, bets, asked.rounds, bars=48)
    return Chances(
        staked=one.staked,
        ways=one.ways,
        cells=tuple(LabCell(cell.amount, cell.ways, float(cell.probability)) for cell in one.cells),
        mean=float(one.mean),
        edge=str(one.edge),
        edge_share=float(one.edge),
        deviation=one.deviation,
        ahead=float(one.ahead),
        level=float(one.level),
        worst=one.worst,
        best=one.best,
        rounds=many.rounds,
        method=many.method,
        bound=many.bound,
        many_ahead=float(many.ahead),
        many_mean=float(many.mean),
        many_deviation=many.deviation,
        bars=tuple(LabBar(bar.low, bar.high, bar.probability) for bar in many.bars),
        curve=tuple(LabPoint(rounds, share) for rounds, share in ahead_after(layout, bets, CURVE)),
    )


def edges(asked: EdgesAsked) -> Edges:
    left = _layout(asked.layout, asked.pays)
    right = _layout(asked.against or asked.layout, {})
    names = dict.fromkeys((*left.boxes, *right.boxes))
    return Edges(left.id, right.id, tuple(_row(left, right, name) for name in names))


def _row(left: Layout, right: Layout, name: str) -> LabRow:
    price_left, price_right = _price(left, name), _price(right, name)
    same = price_left is not None and price_right is not None and left.winning(name) == right.winning(name)
    return LabRow(name, price_left, price_right, same)


def _price(layout: Layout, name: str) -> LabPrice | None:
    if name not in layout.boxes:
        return None
    odds, prices = box_odds(layout, name), layout.box(name).prices
    printed = sheet_prices(price.odds for price in prices)
    return LabPrice(odds.pays, str(odds.edge), float(odds.edge), odds.deviation, odds.hits, odds.ways, printed)


def _layout(name: str, pays: Mapping[str, str]) -> Layout:
    if name.endswith(".toml") or ".toml/" in name:
        raise Refused("layout", "approved-only")
    layout = load_layout(name)
    return with_pays(layout, pays) if pays else layout


def play(sender: Connection, asked: SimulationAsked) -> None:
    """Simulate, in a separate process. Sends (done, rounds) many times, then the result or the reason of a failure."""
    from croupier.analysis.simulate.spread import begin

    begin()
    try:
        from croupier.analysis.simulate.flat import simulate

        layout = _layout(asked.layout, asked.pays)
        bets = [(bet.box, bet.stake) for bet in asked.bets]
        run = simulate(
            layout,
            bets,
            asked.rounds,
            seed=asked.seed,
            engine="here",
            progress=lambda done, rounds: sender.send((done, rounds)),
        )
        sender.send(_simulated(run))
    except Refused as refused:
        sender.send(why(refused))
    except ModuleNotFoundError as missing:
        if (extra := extra_of(missing)) is None:
            raise
        sender.send(f"this floor runs without {missing.name}: {to_install(extra)}")


def _simulated(run: FlatRun) -> Simulated:
    assert run.edge is not None, "bets have an edge"
    assert run.ahead is not None, "bets can be ahead"
    edge, ahead = (
        Estimated(one.simulated, one.low, one.high, one.exact or 0.0, one.z or 0.0) for one in (run.edge, run.ahead)
    )
    return Simulated(run.rounds, run.seed, edge, ahead, run.deviation, run.exact_deviation, run.total, run.chi_square_p)
