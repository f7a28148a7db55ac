"""A workbook calculated anew, from its formulas and the numbers that were typed in, by other code than wrote it."""

from __future__ import annotations

import re
from io import BytesIO
from math import sqrt
from typing import Any
from xml.etree import ElementTree
from zipfile import ZipFile

from croupier.analysis.exact.statistics import chi_square_tail

_NAME = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
_REFERENCE = re.compile(r"(?:([A-Za-z]+)!)?\$?([A-Z]+)\$?(\d+)(?::\$?([A-Z]+)\$?(\d+))?(?![(\w])")

Cell = float | str
Place = tuple[str, int, int]


class _Nothing(float):
    """An empty cell: 0 in a sum, and equal to an empty text."""

    def __eq__(self, other: object) -> bool:
        return other == "" or super().__eq__(other)

    __hash__ = float.__hash__


class Workbook:
    """Cells as they are stored. `value` calculates a formula; `kept` is what the file says it comes to."""

    def __init__(self, content: bytes) -> None:
        self.typed: dict[Place, Cell] = {}
        self.formulas: dict[Place, str] = {}
        self.kept: dict[Place, float] = {}
        self._known: dict[Place, Any] = {}
        with ZipFile(BytesIO(content)) as archive:
            shared = [
                "".join(node.itertext())
                for node in ElementTree.fromstring(archive.read("xl/sharedStrings.xml")).findall(f"{_NAME}si")
            ]
            names = [
                sheet.get("name", "")
                for sheet in ElementTree.fromstring(archive.read("xl/workbook.xml")).iter(f"{_NAME}sheet")
            ]
            for number, name in enumerate(names, 1):
                self._read(name, archive.read(f"xl/worksheets/sheet{number}.xml"), shared)
        self.sheets = names

    def _read(self, sheet: str, content: bytes, shared: list[str]) -> None:
        for cell in ElementTree.fromstring(content).iter(f"{_NAME}c"):
            place, value = _place(sheet, cell.get("r", "")), cell.findtext(f"{_NAME}v")
            formula = cell.findtext(f"{_NAME}f")
            if formula is not None:
                self.formulas[place], self.kept[place] = formula, float(value or "nan")
            elif value is not None:
                self.typed[place] = shared[int(value)] if cell.get("t") == "s" else float(value)

    def change(self, sheet: str, cell: str, value: float) -> None:
        """Type another number into a cell: everything that depends on it is calculated anew."""
        assert _place(sheet, cell) in self.typed, f"{sheet}!{cell} is no number that was typed in"
        self.typed[_place(sheet, cell)] = value
        self._known.clear()

    def value(self, place: Place) -> Any:
        if place in self.typed:
            return self.typed[place]
        if place not in self.formulas:
            return ""
        if place not in self._known:
            self._known[place] = eval(_python(self.formulas[place], place[0]), dict(self._functions))
        return self._known[place]

    def at(self, sheet: str, cell: str) -> Any:
        return self.value(_place(sheet, cell))

    def column(self, sheet: str, row: int, head: str) -> str:
        """The letters of the column with this head."""
        for (of, at, column), value in self.typed.items():
            if (of, at, value) == (sheet, row, head):
                return _letters(column)
        raise AssertionError(f"{sheet} has no column {head}")

    @property
    def _functions(self) -> dict[str, Any]:
        def flat(*parts: Any) -> list[Any]:
            return [one for part in parts for one in (part if isinstance(part, list) else [part])]

        def block(sheet: str, top: int, left: int, bottom: int, right: int) -> list[Any]:
            return [
                self.value((sheet, row, column)) for row in range(top, bottom + 1) for column in range(left, right + 1)
            ]

        def product(*ranges: list[Any]) -> float:
            total = 0.0
            for row in zip(*ranges, strict=True):
                one = 1.0
                for factor in row:
                    one *= factor or 0.0
                total += one
            return total

        def sum_if(cells: list[Any], wanted: Any, amounts: list[Any]) -> Any:
            def fits(cell: Any) -> bool:
                return bool(cell > 0 if wanted == ">0" else cell == 0 if wanted == "=0" else cell == wanted)

            return sum(amount for cell, amount in zip(cells, amounts, strict=True) if cell != "" and fits(cell))

        return {
            "CELL": lambda *place: _Nothing() if self.value(place) == "" else self.value(place),
            "BLOCK": block,
            "SUM": lambda *parts: sum(one for one in flat(*parts) if one != ""),
            "MIN": lambda *parts: min(flat(*parts)),
            "MAX": lambda *parts: max(flat(*parts)),
            "SUMPRODUCT": product,
            "SUMIF": sum_if,
            "SQRT": sqrt,
            "CHIDIST": lambda x, freedom: chi_square_tail(x, int(freedom)),
            "INDEX": lambda cells, _, column: cells[int(column) - 1],
        }


def _python(formula: str, sheet: str) -> str:
    """A formula as an expression; texts in quotes are left alone."""
    parts = formula.split('"')
    for n in range(0, len(parts), 2):
        text = _REFERENCE.sub(lambda found: _reference(found, sheet), parts[n])
        parts[n] = text.replace("^", "**").replace("=", "==")
    text = '"'.join(parts)
    # Only the branch that is taken is calculated; an empty cell counts as nothing.
    if found := re.fullmatch(r'IF\((.*?)(==)"",0,(.*)\)', text):
        cell, _, rest = found.groups()
        return f'0.0 if {cell} == "" else {rest}'
    return text


def _reference(found: re.Match[str], sheet: str) -> str:
    of, left, top, right, bottom = found.groups()
    if right is None:
        return f"CELL({of or sheet!r}, {top}, {_number(left)})"
    return f"BLOCK({of or sheet!r}, {top}, {_number(left)}, {bottom}, {_number(right)})"


def _place(sheet: str, cell: str) -> Place:
    found = re.fullmatch(r"([A-Z]+)(\d+)", cell)
    assert found, f"{cell} is no cell"
    return sheet, int(found[2]), _number(found[1])


def _number(letters: str) -> int:
    number = 0
    for letter in letters:
        number = number * 26 + ord(letter) - 64
    return number


def _letters(number: int) -> str:
    letters = ""
    while number:
        number, rest = divmod(number - 1, 26)
        letters = chr(65 + rest) + letters
    return letters
