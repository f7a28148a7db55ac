"""`make mutate-law`: change the law in small ways, one at a time; a transcript or a pay table must turn red.

    python -m tests.mutation.law [BOOK …] [--clause CLAUSE] [--survivors]

`law_mutants.py` makes the changes of a book's data, `law_code.py` those of the code that reads it. Each is played
against the transcripts of its book, those first that keep its clauses, until one is red; the boxes also against the
pay tables that are written a second time. A book takes one process, because a transcript takes milliseconds.
The result is printed clause by clause. A clause that software keeps and no mutant shows to be kept fails the run, and
so does a survivor that law_survivors.toml does not explain.
"""

from __future__ import annotations

import os
import random
import sys
import time
import tomllib
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path
from typing import NamedTuple
from unittest.mock import patch

import msgspec

from croupier import load_rulebook, rulebook_ids
from croupier.rules.refusal import Refused
from croupier.rules.rulebook import Rulebook
from croupier.transcript.play import TranscriptFault, kept_clauses, play
from tests.mutation.law_code import CODE, CodeMutant, planted
from tests.mutation.law_mutants import LawMutant, mutants_of
from tests.support.independent import CITED_BY, expected
from tests.support.transcripts import FOLDER

HERE = Path(__file__).parent
SURVIVORS = HERE / "law_survivors.toml"
"""Why a mutant that no transcript finds cannot matter: book, name of the mutant, reason."""
CLAUSES = HERE / "law_clauses.toml"
"""For a clause that no value cites: the mutants that would break it, by patterns of their names."""
RESULTS = HERE / "law_results.json"
BY_SOFTWARE = ("rules", "table", "store", "screen")
PAY_TABLES = "the pay tables written a second time"


class Transcript(NamedTuple):
    name: str
    text: str
    clauses: frozenset[str]


class Trial(NamedTuple):
    """A mutant and what found it; None if nothing did."""

    mutant: str
    clauses: tuple[str, ...]
    found_by: str | None


@cache
def transcripts_of(book: str) -> tuple[Transcript, ...]:
    files = sorted((FOLDER / book).glob("*.round"))
    texts = [(file, file.read_text()) for file in files]
    return tuple(
        Transcript(file.name, text, frozenset((file.stem.split("-")[0].replace("_", " "), *kept_clauses(text))))
        for file, text in texts
    )


class Jury:
    """The transcripts of a book, which turn red or do not. Those that found most so far are asked early."""

    def __init__(self, book: Rulebook) -> None:
        self.book = book
        self.found: Counter[str] = Counter()
        self.seconds: dict[str, float] = {}

    def verdict(self, clauses: Iterable[str], book: Rulebook) -> str | None:
        """The first that finds this book wrong."""
        if book.layouts is not self.book.layouts and not _pays_as_written(book):
            return PAY_TABLES
        wanted = set(clauses)
        order = sorted(
            transcripts_of(self.book.id),
            key=lambda one: (not wanted & one.clauses, -self.found[one.name], one.name),
        )
        with patch("croupier.transcript.play.load_rulebook", lambda _: book):
            for one in order:
                if _is_red(one.text):
                    self.found[one.name] += 1
                    return one.name
        return None


def _is_red(text: str) -> bool:
    try:
        play(text)
    except (TranscriptFault, Refused, AssertionError, LookupError, StopIteration, TypeError, ValueError):
        return True  # the engine noticed by itself, or a line of the transcript is not true
    return False


def _pays_as_written(book: Rulebook) -> bool:
    return all(
        (layout.clause, layout.appendix) == CITED_BY[layout.id]
        and {box: layout.winning(box) for box in layout.boxes} == expected(layout.id)
        for layout in book.layouts
    )


def trials(id: str, mutants: Sequence[LawMutant], code: Sequence[CodeMutant]) -> Iterator[Trial]:
    """Every mutant, tried."""
    book = load_rulebook(id)
    jury = Jury(book)
    patterns = read_patterns(id)
    for one in mutants:
        clauses = (*one.clauses, *(clause for clause in patterns if fits(patterns[clause], one.name)))
        yield Trial(one.name, clauses, jury.verdict(clauses, one.changed()))
    for changed in code:
        with planted(changed):
            clauses = changed.clauses[id]
            yield Trial(f"code: {changed.name}", clauses, jury.verdict(clauses, book))


def fits(patterns: Iterable[str], name: str) -> bool:
    return any(fnmatchcase(name, pattern) for pattern in patterns)


def read_patterns(id: str) -> dict[str, tuple[str, ...]]:
    found = tomllib.loads(CLAUSES.read_text()).get(id, {})
    return {clause: tuple(patterns) for clause, patterns in found.items()}


def read_reasons(id: str) -> dict[str, str]:
    """Patterns of the names of survivors, each with the reason why it cannot matter."""
    reasons: dict[str, str] = tomllib.loads(SURVIVORS.read_text()).get(id, {})
    return reasons


def reason_of(id: str, mutant: str) -> str | None:
    return next((why for pattern, why in read_reasons(id).items() if fnmatchcase(mutant, pattern)), None)


def chosen(id: str, clause: str | None = None) -> tuple[list[LawMutant], list[CodeMutant]]:
    mutants = mutants_of(load_rulebook(id))
    code = [one for one in CODE if id in one.clauses]
    if clause is None:
        return mutants, code
    patterns = read_patterns(id).get(clause, ())
    return (
        [one for one in mutants if clause in one.clauses or fits(patterns, one.name)],
        [one for one in code if clause in one.clauses[id]],
    )


def sample(id: str, count: int, seed: str) -> list[LawMutant]:
    """Some mutants of a book, the same in every run."""
    mutants = mutants_of(load_rulebook(id))
    return random.Random(f"{seed} {id}").sample(mutants, min(count, len(mutants)))


# ---- clause by clause


class Kept(msgspec.Struct, frozen=True):
    """What the mutants of one clause came to."""

    mutants: int
    found: int
    by: str = ""
    """A transcript of this clause that found one, or else whatever did."""


def by_clause(book: Rulebook, found: Sequence[Trial]) -> dict[str, Kept]:
    """Every clause that software keeps. A heading counts what stands under it."""
    kept = {}
    for clause, part in book.clauses.items():
        if part.kept not in BY_SOFTWARE:
            continue
        own = [one for one in found if any(other == clause or is_under(clause, other) for other in one.clauses)]
        by = [one.found_by for one in own if one.found_by]
        named = [name for name in by if name.startswith(f"{clause}-")]
        kept[clause] = Kept(len(own), len(by), (named or by or [""])[0])
    return kept


def is_under(heading: str, clause: str) -> bool:
    """3.3 is the heading of 3.3.1 and of 3.3(a), not of 3.30."""
    return clause != heading and clause.startswith(heading) and clause[len(heading)] in ".("


def run_book(id: str, clause: str | None = None) -> tuple[str, list[Trial], float]:
    begin = time.monotonic()
    return id, list(trials(id, *chosen(id, clause))), time.monotonic() - begin


def report(id: str, found: Sequence[Trial], seconds: float, only: str | None, *, survivors: bool) -> list[str]:
    """Print a book clause by clause; what is wrong."""
    book, wrong = load_rulebook(id), []
    kept = by_clause(book, found)
    for clause, shown in kept.items():
        if only in (None, clause) and not survivors:
            print(f"{id}  {clause:12} {shown.found:4} of {shown.mutants:4}  {shown.by or '-'}")
        if only is None and not shown.found:
            wrong.append(f"{id} {clause}: no mutant of it was found: write a transcript that would")
    left = [one for one in found if one.found_by is None]
    for one in left:
        why = reason_of(id, one.mutant)
        if survivors or why is None:
            print(f"{id}  survived: {one.mutant} ({', '.join(one.clauses)}): {why or 'NOT EXPLAINED'}")
        if why is None:
            wrong.append(f"{id}: {one.mutant} survived")
    if only is None:
        dead = {one.mutant for one in found if one.found_by}
        stale = [name for name in read_reasons(id) if not any(fnmatchcase(one.mutant, name) for one in left)]
        wrong += [f"{id}: law_survivors.toml explains {name}, and nothing like it survived" for name in stale]
        kept_of = sum(1 for one in kept.values() if one.found)
        print(
            f"{id}: {len(dead)} of {len(found)} mutants found; the others explained but for "
            f"{sum(reason_of(id, one.mutant) is None for one in left)}; "
            f"{kept_of} of {len(kept)} clauses shown to be kept; {seconds:.0f} s",
            flush=True,
        )
    return wrong


def write_results(all_trials: dict[str, Sequence[Trial]]) -> None:
    """What docs/mutation-of-the-law.md is made of."""
    content = {
        id: {
            "mutants": len(found),
            "found": sum(one.found_by is not None for one in found),
            "clauses": by_clause(load_rulebook(id), found),
            "survivors": {one.mutant: reason_of(id, one.mutant) or "" for one in found if one.found_by is None},
        }
        for id, found in all_trials.items()
    }
    RESULTS.write_bytes(msgspec.json.format(msgspec.json.encode(content), indent=1) + b"\n")


def main() -> int:
    parser = ArgumentParser(description="Change the law in small ways; each change should turn a transcript red.")
    parser.add_argument("books", nargs="*", metavar="BOOK", help="all without one")
    parser.add_argument("--clause", help="only the mutants of this clause")
    parser.add_argument("--survivors", action="store_true", help="print only what nothing found")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    asked = parser.parse_args()
    books = asked.books or list(rulebook_ids())
    wrong: list[str] = []
    everything: dict[str, Sequence[Trial]] = {}
    with ProcessPoolExecutor(asked.processes) as pool:
        for id, found, seconds in pool.map(run_book, books, [asked.clause] * len(books)):
            everything[id] = found
            wrong += report(id, found, seconds, asked.clause, survivors=asked.survivors)
    whole = [one for found in everything.values() for one in found]
    print(f"{sum(one.found_by is not None for one in whole)} of {len(whole)} mutants of the law found")
    if not wrong and asked.clause is None and set(books) == set(rulebook_ids()):
        write_results(everything)
    for line in wrong:
        print(line, file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
