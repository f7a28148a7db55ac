"""Simulations as reports to be filed: what was asked, what came out, the exact answer beside it, and pictures."""

from __future__ import annotations

from collections.abc import Iterable

from croupier.analysis.report import plots
from croupier.analysis.simulate.estimates import Estimate
from croupier.analysis.simulate.flat import FlatRun
from croupier.analysis.simulate.sessions import SessionsRun
from croupier.analysis.simulate.table_run import CrowdRun
from croupier.paper.document import Document, Facts, Figure, Part, Rows, Section
from croupier.rules.money import format_money


def run_document(run: FlatRun | SessionsRun | CrowdRun, layout_name: str) -> Document:
    """The report of a simulation."""
    match run:
        case FlatRun():
            return _flat(run, layout_name)
        case SessionsRun():
            return _sessions(run, layout_name)
        case CrowdRun():
            return _crowd(run, layout_name)


def _flat(run: FlatRun, layout_name: str) -> Document:
    asked = Facts(
        (
            ("layout", layout_name),
            ("bets", _bets(run.bets) or "none: every box is counted"),
            ("rounds", f"{run.rounds:,}" + (f" of {run.asked:,}, interrupted" if run.interrupted else "")),
            ("seed", str(run.seed)),
            ("outcomes", f"chi-square {run.chi_square:.1f} against their ways, p = {run.chi_square_p:.3f}"),
        ),
        frozenset({"layout", "seed"}),
    )
    together: tuple[Section, ...] = ()
    if run.edge and run.ahead:
        caption = "The edge as the run goes on, its interval of 99%, and the exact value."
        parts = (
            _estimates([("edge", run.edge), ("ahead after a round", run.ahead)]),
            Figure(plots.convergence(run), caption),
        )
        together = (Section("The bets together", parts),)
    return Document(f"Simulation of {run.layout}", "", (asked,), (*together, Section("Boxes", box_parts(run))))


def box_parts(run: FlatRun) -> tuple[Part, ...]:
    """Every box of a run beside its exact edge; a picture of their distances where there are many."""
    heads = ("box", "hits", "edge", "99% from", "to", "exact", "z")
    rows = Rows(
        heads, tuple((row.box, f"{row.hits:,}", *_percents(row.edge)) for row in run.boxes), frozenset(heads[1:])
    )
    if len(run.boxes) < 10:
        return (rows,)
    scores = plots.scores([(row.box, row.edge.z or 0.0) for row in run.boxes])
    return Figure(scores, "Distance of every box from its exact edge, in standard errors."), rows


def _sessions(run: SessionsRun, layout_name: str) -> Document:
    shares = tuple(f"{float(one.share):.0%}" for one in run.results)
    rows = [
        ("result", *(_signed(one.amount) for one in run.results)),
        ("deepest fall", *(format_money(one.amount) for one in run.drawdowns)),
        ("rounds", *(f"{one.amount:,}" for one in run.lengths)),
    ]
    if run.pace:
        rows.append(("hours", *(f"{one.amount / run.pace:.1f}" for one in run.lengths)))
    asked = Facts(
        (
            ("layout", layout_name),
            ("strategy", run.says),
            ("bets", "; ".join(_bets(play) for play in run.plays)),
            ("bankroll", format_money(run.bankroll)),
            ("rounds", f"at most {run.most_rounds:,} a session"),
            ("stops", _stops(run)),
            ("sessions", f"{run.sessions:,}" + (f" of {run.asked:,}, interrupted" if run.interrupted else "")),
            ("seed", str(run.seed)),
        ),
        frozenset({"layout", "seed"}),
    )
    ends = _estimates(
        [
            *((one.end, one.share) for one in run.ends if one.sessions or one.share.exact),
            ("ahead", run.ahead),
            ("edge on all that was staked", run.edge),
        ]
    )
    results = plots.histogram([(bin.low, bin.high, bin.sessions) for bin in run.bins], "result of a session")
    fan = "The balance along the way: median, bands that hold 50%, 80%, 90% and 98%, and twelve whole sessions."
    return Document(
        f"Sessions of {run.strategy} on {run.layout}",
        "",
        (asked,),
        (
            Section("How they end", (ends, Rows(("of sessions at most", *shares), tuple(rows), frozenset(shares)))),
            Section("In pictures", (Figure(results, "Results of the sessions."), Figure(plots.fan(run.fan), fan))),
        ),
    )


def _crowd(run: CrowdRun, layout_name: str) -> Document:
    asked = Facts(
        (
            ("layout", layout_name),
            ("Players", f"{run.players:,}"),
            ("rounds", f"{run.rounds:,}" + (f" of {run.asked:,}, interrupted" if run.interrupted else "")),
            ("seed", str(run.seed)),
            *([("pace", f"{run.pace:g} rounds an hour")] if run.pace else []),
        ),
        frozenset({"layout", "seed"}),
    )
    money = Facts(
        (
            ("put down", format_money(run.placed)),
            ("refused", format_money(run.refused)),
            ("given back by limits", format_money(run.unplayed)),
            ("in action", format_money(run.in_action)),
            ("won by the House", _signed(run.house)),
            ("limits did something", f"in {run.limited_rounds / run.rounds:.2%} of the rounds"),
            ("worst round", _signed(run.worst)),
            (
                "most at risk in a round",
                f"{_signed(run.exposed)}; without limits {_signed(run.exposed_without_limits)}",
            ),
            *([("an hour", _signed(round(run.an_hour)))] if run.an_hour is not None else []),
        )
    )
    one = run.a_round
    cents = (one.simulated, one.low, one.high, one.exact or 0.0)
    heads = ("for the House", "simulated", "99% from", "to", "exact", "z")
    a_round = ("a round", *(_signed(round(amount)) for amount in cents), f"{run.z:+.2f}")
    shares = tuple(f"{float(share):.1%}" for share, _ in run.quantiles)
    quantiles = ("a round brings at most", *(_signed(amount) for _, amount in run.quantiles))
    results = plots.histogram([(bin.low, bin.high, bin.rounds) for bin in run.bins], "won by the House in a round")
    return Document(
        f"A crowd at {run.layout}",
        "",
        (asked,),
        (
            Section("Money", (money,)),
            Section(
                "What the House wins",
                (
                    Rows(heads, (("hold", *_percents(run.hold)), a_round), frozenset(heads[1:])),
                    Rows(("of rounds", *shares), (quantiles,), frozenset(shares)),
                    Figure(results, "Results of the rounds for the House."),
                ),
            ),
        ),
    )


def _stops(run: SessionsRun) -> str:
    told = [
        f"{name} {format_money(amount)}"
        for name, amount in (("win", run.stop_win), ("loss", run.stop_loss))
        if amount is not None
    ]
    return ", ".join(told) or "none"


def _estimates(rows: Iterable[tuple[str, Estimate]]) -> Rows:
    heads = ("", "simulated", "99% from", "to", "exact", "z")
    return Rows(heads, tuple((name, *_percents(one)) for name, one in rows), frozenset(heads[1:]))


def _percents(one: Estimate) -> tuple[str, ...]:
    return (
        f"{one.simulated:.4%}",
        f"{one.low:.4%}",
        f"{one.high:.4%}",
        "" if one.exact is None else f"{one.exact:.4%}",
        "" if one.z is None else f"{one.z:+.2f}",
    )


def _bets(bets: Iterable[tuple[str, int]]) -> str:
    return ", ".join(f"{box} {format_money(stake)}" for box, stake in bets)


def _signed(cents: int) -> str:
    return f"+{format_money(cents)}" if cents > 0 else format_money(cents)
