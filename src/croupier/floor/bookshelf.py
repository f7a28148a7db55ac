"""The rulebooks that a floor knows: those that come with Croupier, and the files in the House's folder of books.

Several versions of one text may stand in the folder: each file is called ID.toml, or ID.ANYTHING.toml.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from croupier.rules.bad_input import BadInput, Fault
from croupier.rules.library import book_of, load_rulebook, read_bytes, read_file, rulebook_ids, rulebook_text
from croupier.rules.refusal import Refused
from croupier.rules.rulebook import Rulebook

FOLDER = "rulebooks"
"""The House's folder of books, in the folder of its tables."""


class BookFound(NamedTuple):
    """A rulebook with its text, and where it was found: the id of one that comes with Croupier, or a file."""

    book: Rulebook
    text: str
    source: str


class Bookshelf:
    """The books in the House's folder, read when they are asked for: a new version is a new file, without a restart."""

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder
        self.faults: tuple[Fault, ...] = ()
        """The faults of files that could not be used when the folder was last read."""

    def books(self) -> dict[str, BookFound]:
        """Every book, by its hash."""
        found = [BookFound(load_rulebook(id), rulebook_text(id), id) for id in rulebook_ids()]
        return {one.book.hash: one for one in (*found, *self._of_the_house())}

    def _of_the_house(self) -> list[BookFound]:
        faults: list[Fault] = []
        found: list[BookFound] = []
        for file in sorted(self.folder.glob("*.toml")) if self.folder else ():
            try:
                read_file(file)
                text = read_bytes(file).decode()
                found.append(BookFound(book_of(text), text, str(file)))
            except BadInput as error:
                faults += [fault.inside(str(file)) for fault in error.faults]
        self.faults = tuple(faults)
        return found


def refusal_for_new_table(book: Rulebook, known: Iterable[Rulebook], now: int) -> Refused | None:
    """Why no new table may play under a book now: its hour has not come, or another version replaced it."""
    since = book.in_force_from
    if since is not None and now < since:
        return Refused("rulebook", "before-its-hour", book=book.id, hour=book.hour)
    for other in known:
        if other.replaces(book) and other.in_force_from is not None and other.in_force_from <= now:
            return Refused("rulebook", "replaced", book=book.id, hour=book.hour, other=other.id, since=other.hour)
    return None
