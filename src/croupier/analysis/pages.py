"""Reports as one page that needs nothing else: tables, and plots as pictures inside it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from croupier.analysis import plots
from croupier.analysis.flat import Estimate, FlatRun
from croupier.analysis.sessions import SessionsRun
from croupier.rules.money import format_money

STYLE = """
:root { --ink: #14181a; --green: #0d5c3f; --grey: #6b7174; --line: #d9dcdb; }
* { box-sizing: border-box; }
body { font: 15px/1.5 Georgia, "Libertinus Serif", serif; color: var(--ink); background: #fff; margin: 0 auto;
  max-width: 62rem; padding: 2rem 1.5rem 4rem; }
h1 { font-size: 1.9rem; color: var(--green); margin: 0 0 .3rem; line-height: 1.2; }
h2 { font-size: 1.2rem; color: var(--green); margin: 2.2rem 0 .6rem; border-bottom: 1px solid var(--line); }
p.note, footer { color: var(--grey); font-size: .9rem; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: .9rem; margin: .4rem 0; }
th, td { padding: .22rem .8rem .22rem 0; text-align: left; vertical-align: top; }
thead th { border-bottom: 1.5px solid var(--ink); white-space: nowrap; }
tbody tr:nth-child(even) { background: #f5f7f6; }
td.number, th.number { text-align: right; white-space: nowrap; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .15rem 1.2rem; margin: .6rem 0; }
dt { color: var(--grey); } dd { margin: 0; overflow-wrap: anywhere; }
code { font: .85em "DejaVu Sans Mono", monospace; }
figure { margin: .8rem 0; } figure svg { width: 100%; height: auto; max-width: 46rem; display: block; }
figcaption { color: var(--grey); font-size: .9rem; }
@media print { body { max-width: none; padding: 0; } h2 { break-after: avoid; } figure, tr { break-inside: avoid; } }
"""


def page(title: str, *parts: str) -> str:
    return (
        "<!doctype html>\n"
        '<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">'
        f"<title>{escape(title)}</title><style>{STYLE}</style></head><body>\n" + "\n".join(parts) + "\n</body></html>\n"
    )


def table(heads: Sequence[str], rows: Iterable[Sequence[str]], numbers: Iterable[str] = ()) -> str:
    """A table; the columns named in `numbers` stand to the right."""
    right = set(numbers)
    marks = [' class="number"' if head in right else "" for head in heads]
    head = "".join(f"<th{mark}>{escape(name)}</th>" for name, mark in zip(heads, marks, strict=True))
    body = "".join(
        "<tr>" + "".join(f"<td{mark}>{escape(cell)}</td>" for cell, mark in zip(row, marks, strict=True)) + "</tr>"
        for row in rows
    )
    return f'<div class="scroll"><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>'


def facts(pairs: Iterable[tuple[str, str]]) -> str:
    return "<dl>" + "".join(f"<dt>{escape(name)}</dt><dd>{escape(value)}</dd>" for name, value in pairs) + "</dl>"


def figure(svg: str, caption: str) -> str:
    label = svg.replace("<svg ", f'<svg role="img" aria-label="{escape(caption)}" ', 1)
    return f"<figure>{label}<figcaption>{escape(caption)}</figcaption></figure>"


def heading(text: str) -> str:
    return f"<h2>{escape(text)}</h2>"


def note(text: str) -> str:
    return f'<p class="note">{escape(text)}</p>'


# ---- a simulation


def run_page(run: FlatRun | SessionsRun, layout_name: str) -> str:
    """The page of a simulation."""
    if isinstance(run, SessionsRun):
        return _sessions_page(run, layout_name)
    return _flat_page(run, layout_name)


def _flat_page(run: FlatRun, layout_name: str) -> str:
    parts = [
        f"<h1>Simulation of {escape(run.layout)}</h1>",
        facts(
            [
                ("layout", layout_name),
                ("bets", _bets(run.bets) or "none: every box is counted"),
                ("rounds", f"{run.rounds:,}" + (f" of {run.asked:,}, interrupted" if run.interrupted else "")),
                ("seed", str(run.seed)),
                ("outcomes", f"chi-square {run.chi_square:.1f} against their ways, p = {run.chi_square_p:.3f}"),
            ]
        ),
    ]
    if run.edge and run.ahead:
        parts += [
            heading("The bets together"),
            _estimates([("edge", run.edge), ("ahead after a round", run.ahead)]),
            figure(plots.convergence(run), "The edge as the run goes on, its interval of 99%, and the exact value."),
        ]
    scores = figure(
        plots.scores([(row.box, row.edge.z or 0.0) for row in run.boxes]),
        "Distance of every box from its exact edge, in standard errors.",
    )
    parts += [
        heading("Boxes"),
        *([scores] if len(run.boxes) > 9 else []),
        table(
            ("box", "hits", "edge", "99% from", "to", "exact", "z"),
            [(row.box, f"{row.hits:,}", *_percents(row.edge)) for row in run.boxes],
            ("hits", "edge", "99% from", "to", "exact", "z"),
        ),
    ]
    return page(f"Simulation of {run.layout}", *parts)


def _sessions_page(run: SessionsRun, layout_name: str) -> str:
    shares = [f"{float(one.share):.0%}" for one in run.results]
    rows = [
        ("result", *(_signed(one.amount) for one in run.results)),
        ("deepest fall", *(format_money(one.amount) for one in run.drawdowns)),
        ("rounds", *(f"{one.amount:,}" for one in run.lengths)),
    ]
    if run.pace:
        rows.append(("hours", *(f"{one.amount / run.pace:.1f}" for one in run.lengths)))
    return page(
        f"Sessions of {run.strategy} on {run.layout}",
        f"<h1>Sessions of {escape(run.strategy)} on {escape(run.layout)}</h1>",
        facts(
            [
                ("layout", layout_name),
                ("strategy", run.says),
                ("bets", "; ".join(_bets(play) for play in run.plays)),
                ("bankroll", format_money(run.bankroll)),
                ("rounds", f"at most {run.most_rounds:,} a session"),
                ("stops", _stops(run)),
                ("sessions", f"{run.sessions:,}" + (f" of {run.asked:,}, interrupted" if run.interrupted else "")),
                ("seed", str(run.seed)),
            ]
        ),
        heading("How they end"),
        _estimates(
            [
                *((one.end, one.share) for one in run.ends if one.sessions or one.share.exact),
                ("ahead", run.ahead),
                ("edge on all that was staked", run.edge),
            ]
        ),
        figure(plots.histogram(run.bins, "result of a session"), "Results of the sessions."),
        figure(
            plots.fan(run.fan),
            "The balance along the way: median, bands that hold 50%, 80%, 90% and 98%, and twelve whole sessions.",
        ),
        heading("Quantiles"),
        table(("of sessions at most", *shares), rows, shares),
    )


def _stops(run: SessionsRun) -> str:
    told = [
        f"{name} {format_money(amount)}"
        for name, amount in (("win", run.stop_win), ("loss", run.stop_loss))
        if amount is not None
    ]
    return ", ".join(told) or "none"


def _estimates(rows: Iterable[tuple[str, Estimate]]) -> str:
    heads = ("", "simulated", "99% from", "to", "exact", "z")
    return table(heads, [(name, *_percents(one)) for name, one in rows], heads[1:])


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
