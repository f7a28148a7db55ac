"""Reports of simulations: the settings, the results beside the exact values, and pictures.

`croupier simulate` and `croupier crowd` print these documents, and write them as a page or a paper.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from croupier.analysis.report import plots
from croupier.analysis.simulate.bankroll_sessions import SessionsRun
from croupier.analysis.simulate.estimates import Estimate
from croupier.analysis.simulate.flat import FlatRun
from croupier.analysis.simulate.table_run import CrowdRun
from croupier.paper.document import Document, Facts, Part, Rows, Section, Words, figure
from croupier.rules.money import format_money

_SEED = frozenset({"seed"})
_COMPARED = ("simulated", "99% from", "to", "exact", "z")


def run_document(run: FlatRun | SessionsRun | CrowdRun) -> Document:
    """The report of a simulation."""
    match run:
        case FlatRun():
            return _flat(run)
        case SessionsRun():
            return _sessions(run)
        case CrowdRun():
            return _crowd(run)


def _flat(run: FlatRun) -> Document:
    asked = Facts(
        (
            ("bets", _bets(run.bets) or "none: every box is counted"),
            ("rounds", _played(run.rounds, run.asked)),
            ("seed", str(run.seed)),
            ("outcomes", f"chi-square {run.chi_square:.1f} against their ways, p = {run.chi_square_p:.3f}"),
        ),
        _SEED,
    )
    together: tuple[Section, ...] = ()
    if run.edge and run.ahead:
        rows = [_estimated("edge", run.edge, _percent(6)), _estimated("ahead after a round", run.ahead, _percent(6))]
        parts = (
            Rows(("", *_COMPARED), tuple(rows), frozenset(_COMPARED)),
            Words(
                f"{format_money(run.staked)} staked, {_signed(run.total)} for the Player; deviation of a round "
                f"{run.deviation / 100:,.2f}, exactly {run.exact_deviation / 100:,.2f}."
            ),
            figure(
                "The edge in the course of the run, its interval of 99%, and the exact value.", plots.convergence, run
            ),
        )
        together = (Section("The bets together", parts),)
    return Document(f"Simulation of {run.layout}", "", (asked,), (*together, Section("Boxes", box_parts(run))))


def box_parts(run: FlatRun) -> tuple[Part, ...]:
    """Every box of a run beside its exact edge; a picture of their distances where there are many."""
    heads = ("hits", "edge", *_COMPARED[1:])
    rows = ((row.box, f"{row.hits:,}", *_estimated("", row.edge, _percent(6))[1:]) for row in run.boxes)
    table = Rows(("box", *heads), tuple(rows), frozenset(heads))
    if len(run.boxes) < 10:
        return (table,)
    distances = [(row.box, row.edge.z or 0.0) for row in run.boxes]
    caption = "Distance of every box from its exact edge, in standard errors."
    return figure(caption, plots.scores, distances), table


def _sessions(run: SessionsRun) -> Document:
    asked = Facts(
        (
            ("strategy", run.says),
            ("bets", "; ".join(_bets(play) for play in run.plays)),
            ("bankroll", format_money(run.bankroll)),
            ("rounds", f"at most {run.most_rounds:,} a session"),
            ("stops", _stops(run)),
            ("sessions", _played(run.sessions, run.asked)),
            ("seed", str(run.seed)),
        ),
        _SEED,
    )
    estimates = [
        *(_estimated(end.end, end.share, _percent(4)) for end in run.ends if end.sessions or end.share.exact),
        _estimated("ahead", run.ahead, _percent(4)),
        _estimated("edge on all that was staked", run.edge, _percent(5)),
        _estimated("result of a session", run.result, _cents),
        _estimated("rounds of a session", run.length, lambda rounds: f"{rounds:,.2f}"),
    ]
    ends = (Rows(("", *_COMPARED), tuple(estimates), frozenset(_COMPARED)), _quantiles(run))
    bins = [(bin.low, bin.high, bin.sessions) for bin in run.bins]
    fan = (
        "The balance in the course of the sessions: median, bands of 50%, 80%, 90% and 98%, and twelve whole sessions."
    )
    pictures = (
        figure("Results of the sessions.", plots.histogram, bins, "result of a session"),
        figure(fan, plots.fan, run.fan),
    )
    return Document(
        f"Sessions of {run.strategy} on {run.layout}",
        "",
        (asked,),
        (Section("How they end", ends), Section("In pictures", pictures)),
    )


def _quantiles(run: SessionsRun) -> Rows:
    shares = tuple(f"{float(one.share):.0%}" for one in run.results)
    rows = [
        ("result", *(_signed(one.amount) for one in run.results)),
        ("deepest fall", *(format_money(one.amount) for one in run.drawdowns)),
        ("rounds", *(f"{one.amount:,}" for one in run.lengths)),
    ]
    if run.pace:
        rows.append(("hours", *(f"{one.amount / run.pace:.1f}" for one in run.lengths)))
    return Rows(("of sessions at most", *shares), tuple(rows), frozenset(shares))


def _crowd(run: CrowdRun) -> Document:
    asked = Facts(
        (
            ("Players", f"{run.players:,}"),
            ("rounds", _played(run.rounds, run.asked)),
            ("seed", str(run.seed)),
            *([("pace", f"{run.pace:g} rounds an hour")] if run.pace else []),
        ),
        _SEED,
    )
    amounts = (
        ("put down", run.placed),
        ("refused", run.refused),
        ("given back by limits", run.unplayed),
        ("in action", run.in_action),
        ("won by the House", run.house),
    )
    money = (
        Rows(
            ("", "amount", "of what was put down"),
            tuple((name, format_money(amount), f"{amount / run.placed:.2%}") for name, amount in amounts),
            frozenset({"amount", "of what was put down"}),
        ),
        Words(f"Limits refused or gave back something in {run.limited_rounds / run.rounds:.2%} of the rounds."),
    )
    shares = tuple(f"{float(share):.1%}" for share, _ in run.quantiles)
    estimates = (_estimated("hold", run.hold, _percent(4)), _estimated("a round", run.a_round, _cents))
    bins = [(bin.low, bin.high, bin.rounds) for bin in run.bins]
    won = (
        Rows(("", *_COMPARED), estimates, frozenset(_COMPARED)),
        Facts(
            (
                ("worst round", _signed(run.worst)),
                ("most at risk in a round", _signed(run.exposed)),
                ("the same without limits", _signed(run.exposed_without_limits)),
                *([("an hour", _signed(round(run.an_hour)))] if run.an_hour is not None else []),
            )
        ),
        Rows(
            ("of rounds at most", *shares),
            (("result", *(_signed(amount) for _, amount in run.quantiles)),),
            frozenset(shares),
        ),
        figure("Results of the rounds for the House.", plots.histogram, bins, "won by the House in a round"),
    )
    return Document(
        f"A crowd at {run.layout}", "", (asked,), (Section("Money", money), Section("What the House wins", won))
    )


def _stops(run: SessionsRun) -> str:
    stops = [
        f"{name} {format_money(amount)}"
        for name, amount in (("win", run.stop_win), ("loss", run.stop_loss))
        if amount is not None
    ]
    return ", ".join(stops) or "none"


def _played(done: int, asked: int) -> str:
    return f"{done:,}" + (f" of {asked:,}, interrupted" if done < asked else "")


def _estimated(name: str, one: Estimate, written: Callable[[float], str]) -> tuple[str, ...]:
    """A row of a table with the heads `_COMPARED`. A figure that is not known stays empty."""
    figures = (one.simulated, one.low, one.high, one.exact)
    z = "" if one.z is None else f"{one.z:+.2f}"
    return (name, *("" if figure is None else written(figure) for figure in figures), z)


def _percent(digits: int) -> Callable[[float], str]:
    return lambda share: f"{share:.{digits}%}"


def _cents(amount: float) -> str:
    return f"{amount / 100:+,.2f}"


def _bets(bets: Iterable[tuple[str, int]]) -> str:
    return ", ".join(f"{box} {format_money(stake)}" for box, stake in bets)


def _signed(cents: int) -> str:
    """An amount with its sign, a plus too."""
    return f"+{format_money(cents)}" if cents > 0 else format_money(cents)
