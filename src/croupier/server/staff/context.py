"""What the routes of the staff's door share: the floor, the sessions, the settings, and who has which role where."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

from croupier.analysis.report.sheet import FeltSheet, felt_sheet
from croupier.floor.floor import Floor, LiveTable
from croupier.floor.past_rounds import read_history
from croupier.rules.library import load_rulebook, rulebook_ids
from croupier.rules.paytable import Layout
from croupier.rules.refusal import Refused, Unavailable, as_refused
from croupier.rules.rulebook import Rulebook
from croupier.rules.translations import results, translation
from croupier.server.journal_reader import JournalReader
from croupier.server.player.door import TerminalDoor
from croupier.server.sessions import Sessions
from croupier.server.staff.papers import Papers
from croupier.server.staff.people import People
from croupier.store.recorder import Recorder
from croupier.store.streams.cage import CageSubject
from croupier.store.streams.table import TableSubject
from croupier.table.messages import PersonId, SeatId
from croupier.words import languages

_PAGES = Path(__file__).parents[2] / "web" / "dist"


@dataclass(frozen=True, slots=True)
class StaffSettings:
    """The settings of this machine for the staff's door."""

    house: str = "Croupier"
    zone: str = "Asia/Singapore"
    """The time zone of the floor, for clocks and paper."""
    origins: frozenset[str] = frozenset()
    """The addresses of our own pages: only they may change anything or open a WebSocket."""
    terminals: str = ""
    """The WebSocket address of the terminals' door, for pages."""
    tls: bool = False
    ticket_days: int = 30
    """Days until a ticket from the cage expires."""
    cage_printer: bool = False
    """A printer prints the cage's tickets."""
    demo: bool = False
    public: str = ""
    """The address of the public pages, if they have a process of their own."""
    pages: Path = _PAGES
    evidence: Path = field(default=Path("build") / "evidence.json")
    """The evidence that the test run of this release wrote."""


@lru_cache(maxsize=256)
def _felt(layout: Layout) -> FeltSheet:
    return felt_sheet(layout)


class Context:
    """Everything that a route may need."""

    def __init__(
        self, floor: Floor, sessions: Sessions, settings: StaffSettings, terminals: TerminalDoor | None = None
    ) -> None:
        self.terminals = terminals
        self.floor = floor
        self.sessions = sessions
        self.settings = settings
        self.journal = JournalReader(floor)
        self.papers = Papers(settings.cage_printer)
        self.people = People(floor, sessions, demo=settings.demo)

    async def recall(self) -> None:
        """Read the past rounds of every table from the journal."""
        for name, live in self.floor.tables.items():
            with contextlib.suppress(Refused):  # the reader has raised an alert; the other tables are still read
                live.past_rounds.load(await self.journal.ask(partial(read_history, stream=name)))

    async def give(self, recorder: Recorder, command: Any, id: str = "") -> tuple[Any, bool]:
        """Give a command. Returns its entry, and whether it was a resend. Refused if the rules say no, Unavailable if
        the outcome is unknown."""
        answer = await self.floor.give(recorder, command, id)
        if answer is None:
            raise Unavailable("unknown", "written")
        if (no := answer.entry.refused) is not None:
            raise as_refused(no)
        return answer.entry, answer.again

    def live(self, name: str) -> LiveTable:
        """A table by its name. Refused as missing if there is none."""
        live = self.floor.tables.get(name)
        if live is None:
            raise Refused("missing", "table", table=name[:64], known=tuple(self.floor.tables))
        return live

    def connected(self, table: str, seat: SeatId) -> bool:
        """Is a terminal connected for this seat now?"""
        return seat in self.floor.tables[table].connected_seats if table in self.floor.tables else False

    def book(self, id: str) -> Rulebook:
        """A book of a table of this floor, by its hash or its id, or one that comes with Croupier, by its id. Refused
        as missing if it is neither."""
        for played in self.played():
            if id in (played.id, played.hash):
                return played
        if id not in rulebook_ids():
            raise Refused("missing", "rulebook", rulebook=id[:64], known=tuple(rulebook_ids()))
        return load_rulebook(id)

    def played(self) -> Iterator[Rulebook]:
        """The books of the tables of this floor: those in force, and those of earlier rounds."""
        tables = [live.table for live in self.floor.tables.values()]
        yield from (table.book for table in tables)
        for table in tables:
            yield from (table.law_of(change.round - 1).book for change in table.changes)

    def book_texts(self) -> dict[str, str]:
        """The texts of the books in force, by their hashes."""
        subjects = [live.recorder.subject for live in self.floor.tables.values()]
        tables = [subject for subject in subjects if isinstance(subject, TableSubject)]
        return {one.table.book.hash: one.book_text(one.table.book.hash) for one in tables}

    def sources(self) -> Iterable[str]:
        """The names or files of those books."""
        return (live.config.rulebook for live in self.floor.tables.values())

    def words(self, language: str) -> dict[str, str]:
        """Every sentence of these books and of those that come with Croupier, in a language of the catalogue; nothing
        where nobody has translated them."""
        if language not in languages():
            return {}
        books = dict.fromkeys((*rulebook_ids(), *self.sources()))
        found: dict[str, str] = {}
        for source in books:
            translated = translation(source, language)
            found |= translated | (results(load_rulebook(source), translated) if translated else {})
        return found

    def felt(self, layout: Layout) -> FeltSheet:
        """A felt as pages draw it, made once."""
        return _felt(layout)

    def roles(self, person: PersonId) -> tuple[str, ...]:
        """The roles of a person's account."""
        account = self.floor.accounts.accounts.get(person)
        return account.roles if account and not account.retired else ()

    def roles_at(self, person: PersonId, table: str) -> tuple[str, ...]:
        """The roles of a person at a table. An auditor of the floor is one at every table."""
        roles = self.live(table).table.staff.get(person, ())
        return (*roles, "auditor") if "auditor" in self.roles(person) else roles

    def roles_at_cage(self, person: PersonId) -> tuple[str, ...]:
        subject = self.floor.cage.subject
        assert isinstance(subject, CageSubject)
        return subject.cage.staff.get(person, ())

    def tables_of(self, person: PersonId, roles: Iterable[str]) -> list[LiveTable]:
        """The tables where a person has one of these roles."""
        wanted = set(roles)
        return [live for name, live in self.floor.tables.items() if wanted & set(self.roles_at(person, name))]
