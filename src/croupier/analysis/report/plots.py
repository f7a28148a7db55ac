"""Plots as SVG pictures. The same numbers give the same bytes; letters are outlines, so that no font is needed."""

from __future__ import annotations

from collections.abc import Sequence
from io import StringIO
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from croupier.analysis.exact.many_rounds import Bar
    from croupier.analysis.simulate.bankroll_sessions import Fan
    from croupier.analysis.simulate.flat import FlatRun

GREEN, GOLD, RED, INK, GREY = "#0d5c3f", "#b8862b", "#a3212b", "#14181a", "#8a8f91"
_WIDE, _HIGH = 7.2, 3.0
_PANELS, _PANEL_HIGH = 4, 1.35
_SETTINGS: Any = {
    "svg.fonttype": "path",
    "svg.hashsalt": "croupier",
    "font.family": "DejaVu Sans",
    "font.size": 8.5,
    "axes.edgecolor": GREY,
    "axes.labelcolor": INK,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.color": "#e4e6e6",
    "grid.linewidth": 0.6,
    "xtick.color": INK,
    "ytick.color": INK,
    "xtick.major.size": 0,
    "ytick.major.size": 0,
    "legend.frameon": False,
    "figure.constrained_layout.use": True,
}


class Spread(NamedTuple):
    """The result of many rounds: bars (from, to, probability), the mean, and the probability of being ahead."""

    bars: Sequence[tuple[float, float, float]]
    mean: float
    ahead: float


class Plot:
    """A figure with one set of axes, or with a grid of them, and its SVG."""

    def __init__(self, width: float = _WIDE, height: float = _HIGH, panels: int = 1) -> None:
        from matplotlib import rc_context
        from matplotlib.figure import Figure

        self._context = rc_context(_SETTINGS)
        self._context.__enter__()
        self.figure = Figure(figsize=(width, height))
        across = min(_PANELS, panels)
        self.panels: list[Axes] = [self.figure.add_subplot(-(-panels // across), across, n + 1) for n in range(panels)]
        self.axes = self.panels[0]

    def svg(self) -> str:
        out = StringIO()
        self.figure.savefig(out, format="svg", metadata={"Date": None, "Creator": None}, transparent=True)
        self._context.__exit__(None, None, None)
        text = out.getvalue()
        return text[text.index("<svg") :]


def _money(axis: Any) -> None:
    from matplotlib.ticker import FuncFormatter

    axis.set_major_formatter(FuncFormatter(lambda cents, _: f"{cents / 100:,.0f}"))


def _percent(axis: Any, digits: int = 1) -> None:
    from matplotlib.ticker import FuncFormatter

    axis.set_major_formatter(FuncFormatter(lambda share, _: f"{share:.{digits}%}"))


def results(cells: Sequence[tuple[int, float]], width: float = _WIDE) -> str:
    """The results of one round as bars: green for winnings, red for losses."""
    picture = Plot(width)
    axes = picture.axes
    places = range(len(cells))
    colours = [GREEN if amount > 0 else RED if amount < 0 else GREY for amount, _ in cells]
    axes.bar(places, [share for _, share in cells], color=colours, width=0.72)
    for place, (_, share) in zip(places, cells, strict=True):
        axes.annotate(_short(share), (place, share), ha="center", va="bottom", fontsize=7, color=INK)
    axes.set_xticks(
        list(places), [f"{amount / 100:+,.2f}" for amount, _ in cells], rotation=45 if len(cells) > 9 else 0
    )
    axes.grid(axis="x", visible=False)
    axes.margins(y=0.15)
    axes.set_xlabel("result of a round")
    _percent(axes.yaxis, 0)
    return picture.svg()


def _short(share: float) -> str:
    return f"{share:.1%}" if share >= 0.01 else f"{share:.2%}"


def totals(bars: Sequence[Bar], label: str) -> str:
    """The results of many rounds."""
    picture = Plot()
    axes = picture.axes
    for bar in bars:
        middle, colour = (bar.low + bar.high) / 2, GREEN if bar.low > 0 else RED if bar.high < 0 else GREY
        axes.bar(middle, bar.probability, width=(bars[0].high - bars[0].low + 1) * 0.98, color=colour)
    axes.axvline(0, color=INK, linewidth=0.8)
    axes.set_xlabel(label)
    _money(axes.xaxis)
    _percent(axes.yaxis, 0 if max(bar.probability for bar in bars) > 0.05 else 1)
    return picture.svg()


def ahead(curve: Sequence[tuple[int, float]]) -> str:
    """The probability that the Player is ahead, by number of rounds."""
    picture = Plot()
    axes = picture.axes
    axes.plot([rounds for rounds, _ in curve], [share for _, share in curve], color=GREEN, marker="o", markersize=3)
    axes.set_xscale("log")
    axes.set_ylim(0, max(0.5, *(share for _, share in curve)) * 1.08)
    axes.set_xlabel("rounds")
    axes.set_ylabel("ahead")
    _percent(axes.yaxis, 0)
    _thousands(axes.xaxis)
    return picture.svg()


def _thousands(axis: Any) -> None:
    from matplotlib.ticker import FuncFormatter

    axis.set_major_formatter(FuncFormatter(lambda number, _: f"{number:,.0f}"))


def convergence(run: FlatRun) -> str:
    """The edge in the course of a run, with its interval and the exact value."""
    assert run.edge is not None, "a run without bets has no edge of its own"
    assert run.edge.exact is not None, "flat bets have an exact edge"
    picture = Plot()
    axes = picture.axes
    rounds = [point.rounds for point in run.convergence]
    axes.fill_between(
        rounds,
        [point.low for point in run.convergence],
        [point.high for point in run.convergence],
        color=GREEN,
        alpha=0.18,
        linewidth=0,
        label="99%",
    )
    axes.plot(rounds, [point.edge for point in run.convergence], color=GREEN, linewidth=1.2, label="simulated")
    axes.axhline(run.edge.exact, color=GOLD, linewidth=1.2, label="exact")
    axes.set_xscale("log")
    axes.set_xlabel("rounds")
    axes.set_ylabel("edge")
    axes.legend(loc="upper right", ncols=3)
    _percent(axes.yaxis, 2)
    _thousands(axes.xaxis)
    return picture.svg()


def scores(z: Sequence[tuple[str, float]]) -> str:
    """The distance of every box from its exact edge, in standard errors."""
    picture = Plot()
    axes = picture.axes
    places = range(len(z))
    axes.axhspan(-3, 3, color="#eef2f0", linewidth=0)
    axes.axhline(0, color=GREY, linewidth=0.8)
    axes.scatter(list(places), [score for _, score in z], s=11, color=[RED if abs(s) > 4 else GREEN for _, s in z])
    axes.set_ylim(-max(4.5, *(abs(s) + 0.5 for _, s in z)), max(4.5, *(abs(s) + 0.5 for _, s in z)))
    axes.set_xlabel(f"{len(z)} boxes in printed order")
    axes.set_ylabel("standard errors")
    axes.set_xticks([])
    return picture.svg()


def histogram(bins: Sequence[tuple[int, int | None, int]], label: str) -> str:
    """How often a result lay between two amounts. The last bin may have no upper end."""
    picture = Plot(height=2.4)
    axes = picture.axes
    total = sum(count for _, _, count in bins)
    width = next((high - low for low, high, _ in bins if high is not None), 1)
    for low, _, count in bins:
        colour = GREEN if low > 0 else RED if low + width <= 0 else GREY
        axes.bar(low, count / total, width=width * 0.98, align="edge", color=colour)
    axes.axvline(0, color=INK, linewidth=0.8)
    axes.set_xlabel(label)
    _money(axes.xaxis)
    _percent(axes.yaxis, 0)
    return picture.svg()


def fan(seen: Fan) -> str:
    """The balance in the course of sessions: the median, bands around it, and a few whole sessions."""
    picture = Plot()
    axes = picture.axes
    half = len(seen.shares) // 2
    for distance in range(half, 0, -1):
        axes.fill_between(
            seen.rounds,
            seen.quantiles[half - distance],
            seen.quantiles[half + distance],
            color=GREEN,
            alpha=0.13,
            linewidth=0,
        )
    for path in seen.paths:
        axes.plot(seen.rounds, path, color=INK, linewidth=0.5, alpha=0.45)
    axes.plot(seen.rounds, seen.quantiles[half], color=GREEN, linewidth=1.6)
    axes.set_xlabel("rounds")
    axes.set_ylabel("balance")
    axes.margins(x=0)
    _money(axes.yaxis)
    _thousands(axes.xaxis)
    return picture.svg()


def edges(boxes: Sequence[tuple[str, float]], width: float = _WIDE) -> str:
    """What every kind of bet costs, in the order of the layout."""
    picture = Plot(width, 0.5 + 0.19 * len(boxes))
    axes = picture.axes
    places = list(range(len(boxes)))
    axes.barh(places, [edge for _, edge in boxes], color=GREEN, height=0.66)
    for place, (_, edge) in zip(places, boxes, strict=True):
        axes.annotate(f" {edge:.2%}", (edge, place), va="center", fontsize=7, color=INK)
    axes.set_yticks(places, [name for name, _ in boxes])
    axes.invert_yaxis()
    axes.grid(axis="y", visible=False)
    axes.margins(x=0.1, y=0.01)
    _percent(axes.xaxis, 0)
    return picture.svg()


# ---- every bet of a layout, side by side


def _grid(names: Sequence[str]) -> Plot:
    picture = Plot(_WIDE, _PANEL_HIGH * -(-len(names) // _PANELS), len(names))
    for axes, name in zip(picture.panels, names, strict=True):
        axes.set_title(name, fontsize=7, color=INK, loc="left", pad=3)
        axes.tick_params(labelsize=6, pad=1)
    return picture


def rounds_of_one(bets: Sequence[tuple[str, Sequence[tuple[float, float]]]]) -> str:
    """The results of one unit in one round, bet by bet: (result, probability)."""
    picture = _grid([name for name, _ in bets])
    for axes, (_, cells) in zip(picture.panels, bets, strict=True):
        places = list(range(len(cells)))
        axes.bar(
            places, [share for _, share in cells], color=[GREEN if won > 0 else RED for won, _ in cells], width=0.6
        )
        for place, (_, share) in zip(places, cells, strict=True):
            axes.annotate(_short(share), (place, share), ha="center", va="bottom", fontsize=6, color=INK)
        axes.set_xticks(places, [f"{won:+g}" for won, _ in cells])
        axes.set_xlim(-0.8, len(cells) - 0.2)
        axes.set_ylim(0, 1.22)
        axes.set_yticks([0, 0.5, 1], ["0", "50%", "100%"])
        axes.grid(axis="x", visible=False)
    return picture.svg()


def rounds_of_many(bets: Sequence[tuple[str, Spread]]) -> str:
    """The results of many rounds, bet by bet."""
    picture = _grid([name for name, _ in bets])
    for axes, (_, seen) in zip(picture.panels, bets, strict=True):
        for low, high, share in seen.bars:
            colour = GREEN if low > 0 else RED if high < 0 else GREY
            axes.bar((low + high) / 2, share, width=(seen.bars[0][1] - seen.bars[0][0] + 1), color=colour, linewidth=0)
        axes.axvline(seen.mean, color=GOLD, linewidth=1)
        axes.set_yticks([])
        axes.annotate(
            f"ahead {seen.ahead:.1%}",
            (0.98, 0.96),
            xycoords="axes fraction",
            ha="right",
            va="top",
            fontsize=6,
            color=INK,
        )
    return picture.svg()
