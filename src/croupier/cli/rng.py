"""`croupier rng`: whether the product's own dice and wheels, a file of outcomes, or the results of a table are fair."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from croupier.cli.files import check_document, write_document, write_file
from croupier.cli.lab import read_count
from croupier.cli.output import CommandReport, print_report
from croupier.cli.shared import STUDY, AsJson, FloorFolder, StoreAddress, app, fail

if TYPE_CHECKING:
    from croupier.analysis.simulate.randomness import Sample, SampleResult
    from croupier.devices.chance import Source
    from croupier.rules.outcomes import Space
    from croupier.rules.rulebook import Rulebook

_CHUNK = 1 << 16
_MOST_BYTES = 1 << 28
_MOST_FAULTS = 10


@app.command(rich_help_panel=STUDY)
def rng(
    rulebook: Annotated[str, typer.Argument(metavar="BOOK", help="A rulebook. Its dice or its wheel are examined.")],
    sample: Annotated[
        str, typer.Option(help="The number of outcomes to draw from the product's own source: 1e6.")
    ] = "1e6",
    seed: Annotated[
        int | None,
        typer.Option(help="Draw from bytes expanded from this seed, so that the examination can be repeated."),
    ] = None,
    file: Annotated[Path | None, typer.Option(help="Examine the outcomes in this file instead: 3-1-4, or 17.")] = None,
    again: Annotated[
        Path | None, typer.Option(help="With --file: a file with a fresh sample, for the case that a test speaks.")
    ] = None,
    table: Annotated[str | None, typer.Option(help="Examine the results of this table instead.")] = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Also write the report to this file: rng.pdf or rng.html.")
    ] = None,
    keep: Annotated[Path | None, typer.Option(help="Also write the outcomes of the first sample to this file.")] = None,
    folder: FloorFolder = None,
    store: StoreAddress = None,
    as_json: AsJson = False,
) -> None:
    """Test whether a source of outcomes is fair, with the tests that the standards name, at 99% confidence.

    A test speaks if its result is too unlikely; it is an alarm if it speaks again on a fresh sample. Exit code 1 unless
    the source passed.
    """
    from croupier.analysis.report.examined import examination, examined
    from croupier.analysis.simulate.randomness import examine, look
    from croupier.rules.library import load_rulebook

    if sum((file is not None, table is not None, seed is not None)) > 1 or (again and not file):
        fail(["examine one source: --file (--again is for it), --table, or the product's own (--seed is for it)"], 2)
    if output:
        check_document(output)
    book = load_rulebook(rulebook)
    first, source, next_look = _samples(book, read_count(sample, "outcomes"), seed, file, again, table, folder, store)
    found = examine(_device(book), look(first, source), next_look)
    if keep:
        write_file(keep, _written(first))
    if output:
        write_document(output, examined(found))
    print_report(CommandReport(found, examination(found)), as_json=as_json)
    if found.verdict != "passed":
        raise typer.Exit(1)


def _samples(
    book: Rulebook,
    count: int,
    seed: int | None,
    file: Path | None,
    again: Path | None,
    table: str | None,
    folder: Path | None,
    store: str | None,
) -> tuple[Sample, str, Callable[[], SampleResult] | None]:
    """The first sample, its source, and a function that takes a fresh sample and examines it."""
    from croupier.analysis.simulate.randomness import look, sample_of
    from croupier.rules.refusal import Refused

    if file is not None:
        fresh = None if again is None else (lambda: look(_read(book.space, again), f"the file {again.name}"))
        return _read(book.space, file), f"the file {file.name}", fresh
    if table is not None:
        return sample_of(book.space, _shown(book, table, folder, store)), f"what table {table} has shown", None
    if not 100 <= count <= 100_000_000:
        raise Refused("sample", "out-of-range", count=count, least=100, most=100_000_000)
    origin = "the system's random bytes" if seed is None else f"bytes expanded from the seed {seed}"
    source, bytes_of = f"the product's own draws over {origin}", _Bytes(seed)
    return drawn(book.space, count, bytes_of), source, lambda: look(drawn(book.space, count, bytes_of), source)


class _Bytes:
    """Random bytes in large pieces: from the system, or SHAKE-256 of a seed and the number of the piece."""

    def __init__(self, seed: int | None) -> None:
        self._seed, self._piece, self._at, self._bytes = seed, 0, 0, b""

    def __call__(self, count: int) -> bytes:
        if self._at + count > len(self._bytes):
            self._bytes, self._at, self._piece = self._more(), 0, self._piece + 1
        self._at += count
        return self._bytes[self._at - count : self._at]

    def _more(self) -> bytes:
        from croupier.devices.chance import system

        if self._seed is None:
            return system(_CHUNK)
        return hashlib.shake_256(f"{self._seed}/{self._piece}".encode()).digest(_CHUNK)


def drawn(space: Space, count: int, source: Source) -> Sample:
    """Outcomes as the simulated devices draw them."""
    import numpy as np

    from croupier.analysis.simulate.randomness import spun, thrown
    from croupier.devices.chance import draw
    from croupier.rules.outcomes import DICE, Dice

    dice = isinstance(space, Dice)
    sides, symbols = len(space.numbers), count * (DICE if dice else 1)
    numbers = np.fromiter((draw(sides, source) for _ in range(symbols)), dtype=np.int64, count=symbols)
    return thrown(space, numbers.reshape(-1, DICE)) if dice else spun(space, numbers)


def _read(space: Space, file: Path) -> Sample:
    """The outcomes in a file, separated by spaces, commas or line ends. A # begins a comment."""
    from croupier.analysis.simulate.randomness import sample_of
    from croupier.rules.library import read_bytes
    from croupier.rules.refusal import Refused
    from croupier.words import why

    texts, faults = [], []
    for number, line in enumerate(read_bytes(file, _MOST_BYTES).decode("utf-8", "replace").splitlines(), 1):
        for text in line.partition("#")[0].replace(",", " ").split():
            try:
                space.parse(text)
                texts.append(text)
            except Refused as refusal:
                faults.append(f"{file}: line {number}: {why(refusal)}")
    if faults:
        more = len(faults) - _MOST_FAULTS
        fail(faults[:_MOST_FAULTS] + ([f"{file}: and {more:,} more"] if more > 0 else []), 2)
    return sample_of(space, texts)


def _shown(book: Rulebook, table: str, folder: Path | None, store: str | None) -> Iterator[str]:
    """The results of a table after every correction, oldest first; void rounds have none."""
    from croupier.cli.floor import open_floor
    from croupier.store.rounds import RoundQuery, history

    with open_floor(folder, store) as opened:
        lines = sorted(history(opened, [table], RoundQuery()), key=lambda line: line.round)
    yield from (line.outcome for line in lines if line.outcome)


def _device(book: Rulebook) -> str:
    from croupier.rules.outcomes import Dice

    if isinstance(book.space, Dice):
        return f"three dice of {book.id}"
    return f"the wheel of {book.id}, {len(book.space.numbers)} numbers"


def _written(sample: Sample) -> bytes:
    from croupier.analysis.simulate.randomness import written_throws
    from croupier.rules.outcomes import DICE

    if sample.faces is None:
        return "".join(f"{sample.space.numbers[n]}\n" for n in sample.outcomes.tolist()).encode()
    return written_throws(sample.faces.reshape(-1, DICE))
