"""The pay matrix of every layout as a text a person can review; `make golden` writes the files anew."""

from __future__ import annotations

from itertools import groupby
from pathlib import Path

from croupier import load_rulebook, rulebook_ids
from croupier.rules.money import format_odds
from croupier.rules.paytable import Layout

FOLDER = Path(__file__).parents[1] / "golden"


def layouts() -> list[Layout]:
    return [layout for id in rulebook_ids() for layout in load_rulebook(id).layouts]


def file_of(layout: Layout) -> Path:
    return FOLDER / f"{layout.id.replace('/', '.')}.txt"


def printed(layout: Layout) -> str:
    """Every box with every outcome on which it wins, by odds; on every outcome not listed it loses."""
    lines = [f"{layout.id}: {len(layout.boxes)} boxes, {len(layout.outcomes)} outcomes, {layout.total_ways} ways", ""]
    for box in layout.boxes:
        by_odds = sorted(layout.winning(box).items(), key=lambda cell: cell[1])
        for odds, cells in groupby(by_odds, key=lambda cell: cell[1]):
            outcomes = " ".join(outcome for outcome, _ in cells)
            lines.append(f"{box:<24} {format_odds(odds):<9} {outcomes}")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for layout in layouts():
        file_of(layout).write_text(printed(layout))
