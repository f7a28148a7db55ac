"""The PAR sheet as a workbook whose figures are live formulas over the matrix of the layout.

Only prices are written twice: as the book prints them, and as numbers that may be changed. `Matrix` says which price of
a box is paid on an outcome. `Returns`, `Boxes`, `Bets` and `Simulation` are formulas over it. Every formula is stored
with its exact value, so that a program that does not calculate shows the same figures.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from fractions import Fraction
from io import BytesIO
from math import sqrt
from typing import TYPE_CHECKING, Any, NamedTuple

from croupier.analysis.exact.odds import VOLATILITY
from croupier.analysis.exact.one_round import Distribution, result_of
from croupier.analysis.exact.streaks import SHARES
from croupier.analysis.report.par import BOUND, RUN_ROUNDS, Par, identity_of, verdict_of
from croupier.rules.paytable import Box

if TYPE_CHECKING:
    from xlsxwriter import Workbook  # type: ignore[import-untyped]
    from xlsxwriter.worksheet import Worksheet  # type: ignore[import-untyped]

_GREEN, _GREY, _INPUT = "#0D5C3F", "#6B7174", "#1F4E9E"
_FIRST = 5
"""The row of the first box, counted from 0, in every sheet with a row for each box."""
_FIRST_OUTCOME = 8
_UNIT = 100
"""The stake in `Bets` at first."""


class _Place(NamedTuple):
    """The names of cells, from rows and columns counted from 0."""

    boxes: int
    outcomes: int
    prices: int

    @property
    def last(self) -> int:
        return _FIRST + self.boxes - 1

    def row(self, sheet: str, row: int) -> str:
        """The cells of a box, one for each outcome."""
        return f"{sheet}!${_letter(1)}${row + 1}:${_letter(self.outcomes)}${row + 1}"

    def column(self, name: str) -> int:
        return self.columns.index(name)

    @property
    def columns(self) -> list[str]:
        """The columns of `Boxes`."""
        odds = [f"odds {n + 1}" for n in range(self.prices)]
        ways = [f"ways {n + 1}" for n in range(self.prices)]
        runs = [f"losing run {float(share):.0%}" for share in SHARES]
        figures = ["hits", "hit frequency", "return", "edge", "variance", "deviation", "volatility index"]
        simulated = ["simulated edge", "standard error", "z"]
        return ["box", "bet", "wins by", "pays by", "pays", *odds, *ways, *figures, "edge exactly", *runs, *simulated]

    def box(self, name: str, row: int, *, sheet: str = "") -> str:
        return f"{sheet}${_letter(self.column(name))}{row + 1}"


def par_workbook(par: Par) -> bytes:
    import xlsxwriter

    out = BytesIO()
    book = xlsxwriter.Workbook(out, {"in_memory": True, "strings_to_formulas": False, "strings_to_urls": False})
    # No date: the same facts give the same bytes.
    book.set_properties({"title": f"PAR sheet: {par.layout.id}", "created": datetime.fromisoformat("2000-01-01")})
    styles = _styles(book)
    place = _Place(len(par.boxes), len(par.layout.outcomes), max(len(box.prices) for box in _boxes(par)))
    _cover(par, book.add_worksheet("PAR"), styles)
    _figures(par, place, book, book.add_worksheet("Boxes"), styles)
    _matrix(par, place, book.add_worksheet("Matrix"), styles)
    _returns(par, place, book.add_worksheet("Returns"), styles)
    _bets(par, place, book, book.add_worksheet("Bets"), styles)
    _simulation(par, place, book.add_worksheet("Simulation"), styles)
    _readings(par, book.add_worksheet("Readings"), styles)
    book.close()
    return out.getvalue()


def _styles(book: Workbook) -> dict[str, Any]:
    given: dict[str, dict[str, object]] = {
        "title": {"bold": True, "font_size": 16, "font_color": _GREEN},
        "head": {"bold": True, "text_wrap": True, "valign": "bottom", "bottom": 2, "border_color": _GREEN},
        "turned": {"bold": True, "rotation": 90, "valign": "bottom", "bottom": 2, "border_color": _GREEN},
        "note": {"font_color": _GREY, "text_wrap": True, "valign": "top"},
        "text": {"text_wrap": True, "valign": "top"},
        "name": {"font_color": _GREY},
        "mono": {"font_name": "Courier New", "font_size": 9},
        "input": {"font_color": _INPUT, "bg_color": "#EEF3FB", "num_format": "0.0##"},
        "money": {"font_color": _INPUT, "bg_color": "#EEF3FB", "num_format": "#,##0.00"},
        "whole": {"num_format": "#,##0"},
        "share": {"num_format": "0.0000%"},
        "number": {"num_format": "0.0000"},
        "amount": {"num_format": "#,##0.00;[Red]-#,##0.00"},
        "z": {"num_format": "+0.00;-0.00;0.00"},
        "plain": {},
    }
    return {name: book.add_format({"font_name": "Calibri", "font_size": 10, **style}) for name, style in given.items()}


def _boxes(par: Par) -> list[Box]:
    return [par.layout.box(name) for name in par.layout.boxes]


def _letter(column: int) -> str:
    from xlsxwriter.utility import xl_col_to_name  # type: ignore[import-untyped]

    return str(xl_col_to_name(column))


def _headed(sheet: Worksheet, title: str, note: str, styles: dict[str, Any]) -> None:
    sheet.hide_gridlines(2)
    sheet.write_string(0, 0, title, styles["title"])
    sheet.write_string(1, 0, note, styles["name"])
    sheet.set_landscape()
    sheet.set_paper(9)
    sheet.fit_to_pages(1, 0)
    sheet.set_footer("&L&8" + title + "&R&8page &P of &N")


# ---- the sheets


def _cover(par: Par, sheet: Worksheet, styles: dict[str, Any]) -> None:
    _headed(sheet, par.title, par.subtitle, styles)
    sheet.set_column(0, 0, 26)
    sheet.set_column(1, 1, 110)
    sheet.write_string(3, 0, "verdict", styles["name"])
    sheet.write_string(3, 1, verdict_of(par), styles["text"])
    row = 5
    identity = identity_of(par)
    for name, value in identity.pairs:
        sheet.write_string(row, 0, name, styles["name"])
        sheet.write_string(row, 1, value, styles["mono" if name in identity.exact else "plain"])
        row += 1
    for name, value in (
        ("Boxes", "every box: change an odds (blue), and its figures follow"),
        ("Matrix", "which price of a box each outcome wins, and the ways of each outcome"),
        ("Returns", "what a unit staked brings back, box by outcome"),
        ("Bets", "a set of bets together: change the stakes (blue)"),
        ("Simulation", "how often each outcome fell, and what that makes of every box"),
        ("Readings", "how the text is read where it is silent or contradicts itself"),
    ):
        row += 1
        sheet.write_url(row, 0, f"internal:'{name}'!A1", string=name)
        sheet.write_string(row, 1, value, styles["plain"])


def _figures(par: Par, place: _Place, book: Workbook, sheet: Worksheet, styles: dict[str, Any]) -> None:
    note = f"Per unit staked. Volatility index: 1.645 deviations. Losing run: the longest in {RUN_ROUNDS:,} rounds."
    _headed(sheet, f"{par.layout.id}: every box", note, styles)
    for column, name in enumerate(place.columns):
        sheet.write_string(_FIRST - 1, column, name, styles["head"])
    sheet.set_column(0, 0, 16)
    sheet.set_column(1, 1, 40)
    sheet.set_column(2, len(place.columns) - 1, 11)
    sheet.freeze_panes(_FIRST, 1)
    sheet.repeat_rows(_FIRST - 1)
    simulated = {row.box: row for row in par.run.boxes}
    for row, (box, figures) in enumerate(zip(_boxes(par), par.boxes, strict=True), _FIRST):
        for name, text in (
            ("box", box.name),
            ("bet", box.kind),
            ("wins by", box.win_clause),
            ("pays by", box.odds_clause),
            ("pays", box.pays),
            ("edge exactly", str(figures.odds.edge)),
        ):
            sheet.write_string(row, place.column(name), text, styles["plain"])
        for share, run in zip(SHARES, figures.runs, strict=True):
            sheet.write_number(row, place.column(f"losing run {float(share):.0%}"), run, styles["whole"])
        _prices(par, place, sheet, box, row, styles)
        edge = simulated[box.name].edge
        _formulas(par, place, sheet, figures.odds.edge, edge.simulated, edge.z or 0.0, box, row, styles)
    edges = place.column("edge")
    chart: Any = book.add_chart({"type": "bar"})
    chart.add_series(
        {
            "name": "edge",
            "categories": ["Boxes", _FIRST, 0, place.last, 0],
            "values": ["Boxes", _FIRST, edges, place.last, edges],
            "fill": {"color": _GREEN},
            "gap": 40,
        }
    )
    chart.set_legend({"none": True})
    chart.set_title({"name": "Edge of every box"})
    chart.set_y_axis({"reverse": True, "num_font": {"size": 7}})
    chart.set_x_axis({"num_format": "0%"})
    chart.set_size({"width": 760, "height": 120 + 14 * place.boxes})
    sheet.insert_chart(place.last + 3, 1, chart)


def _prices(par: Par, place: _Place, sheet: Worksheet, box: Box, row: int, styles: dict[str, Any]) -> None:
    for number, price in enumerate(box.prices, 1):
        sheet.write_number(row, place.column(f"odds {number}"), float(price.odds), styles["input"])
    for number in range(1, place.prices + 1):
        ways = sum(par.layout.ways(o) for o in par.layout.outcomes if _price_of(box, o) == number)
        formula = f"=SUMIF({place.row('Matrix', row)},{number},{place.row('Matrix', _FIRST - 1)})"
        sheet.write_formula(row, place.column(f"ways {number}"), formula, styles["whole"], ways)


def _formulas(
    par: Par,
    place: _Place,
    sheet: Worksheet,
    edge: Fraction,
    seen: float,
    z: float,
    box: Box,
    row: int,
    styles: dict[str, Any],
) -> None:
    """The figures of a box as formulas, from odds and ways."""
    layout, rounds = par.layout, par.run.rounds
    all_ways = f"SUM({place.row('Matrix', _FIRST - 1)})"
    cell = {name: place.box(name, row) for name in place.columns}
    pairs = [(cell[f"odds {n}"], cell[f"ways {n}"]) for n in range(1, place.prices + 1)]
    mean = "+".join(f"{ways}*({odds}+1)" for odds, ways in pairs)
    square = "+".join(f"{ways}*({odds}+1)^2" for odds, ways in pairs)
    fell = place.row("Returns", _FIRST - 2)
    deviation = layout.deviation(box.name)
    back = f"SUMPRODUCT({place.row('Returns', row)},{fell})"
    for name, formula, value, style in (
        ("hits", "+".join(ways for _, ways in pairs), layout.hits(box.name), "whole"),
        ("hit frequency", f"{cell['hits']}/{all_ways}", float(layout.hit_frequency(box.name)), "share"),
        ("return", f"({mean})/{all_ways}", float(1 - edge), "share"),
        ("edge", f"1-{cell['return']}", float(edge), "share"),
        ("variance", f"({square})/{all_ways}-{cell['return']}^2", float(layout.variance(box.name)), "number"),
        ("deviation", f"SQRT({cell['variance']})", deviation, "number"),
        ("volatility index", f"{VOLATILITY!r}*{cell['deviation']}", VOLATILITY * deviation, "number"),
        ("simulated edge", f"1-{back}/SUM({fell})", seen, "share"),
        ("standard error", f"{cell['deviation']}/SQRT(SUM({fell}))", deviation / sqrt(rounds), "share"),
        ("z", f"({cell['simulated edge']}-{cell['edge']})/{cell['standard error']}", z, "z"),
    ):
        sheet.write_formula(row, place.column(name), f"={formula}", styles[style], value)


def _price_of(box: Box, outcome: str) -> int | None:
    """The number of the price, from 1, that a box is paid on an outcome."""
    return next((n for n, price in reversed(list(enumerate(box.prices, 1))) if outcome in price.outcomes), None)


def _matrix(par: Par, place: _Place, sheet: Worksheet, styles: dict[str, Any]) -> None:
    note = "Which price of a box an outcome wins; empty where it loses. Above the boxes, the ways of each outcome."
    _across(par, sheet, f"{par.layout.id}: the matrix", note, styles)
    sheet.write_string(_FIRST - 1, 0, "ways", styles["head"])
    for column, outcome in enumerate(par.layout.outcomes, 1):
        sheet.write_number(_FIRST - 1, column, par.layout.ways(outcome), styles["head"])
    for row, box in enumerate(_boxes(par), _FIRST):
        sheet.write_string(row, 0, box.name, styles["plain"])
        for column, outcome in enumerate(par.layout.outcomes, 1):
            if (number := _price_of(box, outcome)) is not None:
                sheet.write_number(row, column, number, styles["plain"])


def _returns(par: Par, place: _Place, sheet: Worksheet, styles: dict[str, Any]) -> None:
    note = (
        "What a unit staked brings back on an outcome, its stake included. Above, how often each fell when simulated."
    )
    _across(par, sheet, f"{par.layout.id}: returns", note, styles)
    sheet.write_string(_FIRST - 2, 0, "fell", styles["head"])
    for column, (_, fell) in enumerate(par.run.outcomes, 1):
        formula = f"=Simulation!$C${_FIRST_OUTCOME + column}"
        sheet.write_formula(_FIRST - 2, column, formula, styles["whole"], fell)
    first, last = place.column("odds 1"), place.column(f"odds {place.prices}")
    for row, box in enumerate(_boxes(par), _FIRST):
        sheet.write_string(row, 0, box.name, styles["plain"])
        prices = f"Boxes!${_letter(first)}${row + 1}:${_letter(last)}${row + 1}"
        for column, outcome in enumerate(par.layout.outcomes, 1):
            price = f"Matrix!{_letter(column)}{row + 1}"
            odds = par.layout.pays(box.name, outcome)
            value = 0.0 if odds is None else float(odds + 1)
            sheet.write_formula(row, column, f'=IF({price}="",0,INDEX({prices},1,{price})+1)', styles["plain"], value)


def _across(par: Par, sheet: Worksheet, title: str, note: str, styles: dict[str, Any]) -> None:
    _headed(sheet, title, note, styles)
    sheet.set_column(0, 0, 16)
    sheet.set_column(1, len(par.layout.outcomes), 6)
    sheet.freeze_panes(_FIRST, 1)
    for column, outcome in enumerate(par.layout.outcomes, 1):
        sheet.write_string(_FIRST - 3, column, outcome, styles["turned"])


def _bets(par: Par, place: _Place, book: Workbook, sheet: Worksheet, styles: dict[str, Any]) -> None:
    """A set of bets: the stakes to the left, the result of every outcome to the right, the figures above."""
    first = _boxes(par)[0].name
    one = result_of(par.layout, [(first, _UNIT * 100)])
    _headed(sheet, f"{par.layout.id}: bets together", "The same result decides them all. Change the stakes.", styles)
    sheet.set_column(0, 0, 16)
    sheet.set_column(1, 8, 13)
    sheet.freeze_panes(_FIRST_OUTCOME, 0)
    last = _FIRST_OUTCOME + place.boxes
    stakes = f"$B${_FIRST_OUTCOME + 1}:$B${last}"
    for row, name in enumerate(par.layout.boxes, _FIRST_OUTCOME):
        sheet.write_string(row, 0, name, styles["plain"])
        sheet.write_number(row, 1, _UNIT if name == first else 0, styles["money"])
    ends = _FIRST_OUTCOME + place.outcomes
    ways, results = f"$E${_FIRST_OUTCOME + 1}:$E${ends}", f"$F${_FIRST_OUTCOME + 1}:$F${ends}"
    for column, head in enumerate(("box", "stake", "", "outcome", "ways", "result", "probability")):
        if head:
            sheet.write_string(_FIRST_OUTCOME - 1, column, head, styles["head"])
    for number, outcome in enumerate(par.layout.outcomes):
        row, letter = _FIRST_OUTCOME + number, _letter(number + 1)
        returns = f"Returns!${letter}${_FIRST + 1}:${letter}${place.last + 1}"
        odds = par.layout.pays(first, outcome)
        result = float(_UNIT * odds) if odds is not None else -float(_UNIT)
        sheet.write_string(row, 3, outcome, styles["plain"])
        sheet.write_formula(row, 4, f"=Matrix!{letter}${_FIRST}", styles["whole"], par.layout.ways(outcome))
        sheet.write_formula(row, 5, f"=SUMPRODUCT({stakes},{returns})-SUM({stakes})", styles["amount"], result)
        share = par.layout.ways(outcome) / par.layout.total_ways
        sheet.write_formula(row, 6, f"=E{row + 1}/SUM({ways})", styles["share"], share)
    _together(sheet, one, stakes, ways, results, styles)
    chart: Any = book.add_chart({"type": "column"})
    chart.add_series(
        {
            "name": "result",
            "categories": ["Bets", _FIRST_OUTCOME, 3, ends - 1, 3],
            "values": ["Bets", _FIRST_OUTCOME, 5, ends - 1, 5],
            "fill": {"color": _GREEN},
            "invert_if_negative": True,
            "invert_if_negative_color": "#A3212B",
            "gap": 20,
        }
    )
    chart.set_legend({"none": True})
    chart.set_title({"name": "What each outcome brings"})
    chart.set_x_axis({"label_position": "low", "num_font": {"rotation": -90, "size": 7}})
    chart.set_size({"width": 820, "height": 380})
    sheet.insert_chart(_FIRST_OUTCOME, 8, chart)


def _together(
    sheet: Worksheet, one: Distribution, stakes: str, ways: str, results: str, styles: dict[str, Any]
) -> None:
    mean, staked = float(one.mean) / 100, float(_UNIT)
    square = f"SUMPRODUCT({ways},{results},{results})/SUM({ways})"
    for column, (name, formula, value, style) in enumerate(
        (
            ("staked", f"SUM({stakes})", staked, "amount"),
            ("mean", f"SUMPRODUCT({ways},{results})/SUM({ways})", mean, "amount"),
            ("edge", "-B5/A5", -mean / staked, "share"),
            ("deviation", f"SQRT({square}-B5^2)", one.deviation / 100, "amount"),
            ("ahead", f'SUMIF({results},">0",{ways})/SUM({ways})', float(one.ahead), "share"),
            ("level", f'SUMIF({results},"=0",{ways})/SUM({ways})', float(one.level), "share"),
        )
    ):
        sheet.write_string(3, column, name, styles["head"])
        sheet.write_formula(4, column, f"={formula}", styles[style], value)


def _simulation(par: Par, place: _Place, sheet: Worksheet, styles: dict[str, Any]) -> None:
    run = par.run
    note = f"Seed {run.seed}; the same seed gives the same numbers on every machine. Bound of |z|: {BOUND:g}."
    _headed(sheet, f"{par.layout.id}: {run.rounds:,} rounds simulated", note, styles)
    sheet.set_column(0, 5, 16)
    sheet.freeze_panes(_FIRST_OUTCOME, 0)
    for column, head in enumerate(("outcome", "ways", "fell", "expected", "chi-square")):
        sheet.write_string(_FIRST_OUTCOME - 1, column, head, styles["head"])
    ends = _FIRST_OUTCOME + place.outcomes
    fell, ways = f"$C${_FIRST_OUTCOME + 1}:$C${ends}", f"$B${_FIRST_OUTCOME + 1}:$B${ends}"
    for number, (outcome, count) in enumerate(run.outcomes):
        row = _FIRST_OUTCOME + number
        expected = run.rounds * par.layout.ways(outcome) / par.layout.total_ways
        sheet.write_string(row, 0, outcome, styles["plain"])
        formula = f"=Matrix!{_letter(number + 1)}${_FIRST}"
        sheet.write_formula(row, 1, formula, styles["whole"], par.layout.ways(outcome))
        sheet.write_number(row, 2, count, styles["whole"])
        sheet.write_formula(row, 3, f"=SUM({fell})*B{row + 1}/SUM({ways})", styles["amount"], expected)
        term = (count - expected) ** 2 / expected
        sheet.write_formula(row, 4, f"=(C{row + 1}-D{row + 1})^2/D{row + 1}", styles["number"], term)
    z = place.column("z")
    scores = f"Boxes!${_letter(z)}${_FIRST + 1}:${_letter(z)}${place.last + 1}"
    terms = f"$E${_FIRST_OUTCOME + 1}:$E${ends}"
    lowest = min(row.edge.z or 0.0 for row in run.boxes)
    highest = max(row.edge.z or 0.0 for row in run.boxes)
    for column, (name, formula, value, style) in enumerate(
        (
            ("rounds", f"SUM({fell})", run.rounds, "whole"),
            ("chi-square", f"SUM({terms})", run.chi_square, "number"),
            ("p", f"CHIDIST(B5,{place.outcomes - 1})", run.chi_square_p, "number"),
            ("lowest z", f"MIN({scores})", lowest, "z"),
            ("highest z", f"MAX({scores})", highest, "z"),
        )
    ):
        sheet.write_string(3, column, name, styles["head"])
        sheet.write_formula(4, column, f"={formula}", styles[style], value)


def _readings(par: Par, sheet: Worksheet, styles: dict[str, Any]) -> None:
    _headed(sheet, f"{par.book.id}: readings", "Where the text is silent, wrong or contradicts itself.", styles)
    heads: Sequence[tuple[str, int]] = (("clause", 14), ("the text", 46), ("we read", 60), ("why", 46), ("instead", 40))
    for column, (head, width) in enumerate(heads):
        sheet.set_column(column, column, width)
        sheet.write_string(3, column, head, styles["head"])
    for row, reading in enumerate(par.book.readings, 4):
        columns = (reading.clause, reading.says, reading.read, reading.why, reading.alternative)
        for column, text in enumerate(columns):
            sheet.write_string(row, column, text, styles["text"])
    sheet.freeze_panes(4, 0)
