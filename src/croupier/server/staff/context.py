"""What this door stands in: the floor, the sessions, the machine's settings; and who holds which role where."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache, partial
from pathlib import Path

from croupier.analysis.report.sheet import FeltSheet, felt_sheet
from croupier.floor.floor import Floor, LiveTable
from croupier.floor.past_rounds import read_past
from croupier.rules.library import load_rulebook, rulebook_ids
from croupier.rules.paytable import Layout
from croupier.rules.refusal import Refused
from croupier.rules.rulebook import Rulebook
from croupier.rules.translations import results, translation
from croupier.server.player.door import TerminalDoor
from croupier.server.sessions import Sessions
from croupier.server.staff.library import Library
from croupier.server.staff.papers import Papers
from croupier.server.staff.people import People
from croupier.store.streams.cage import CageSubject
from croupier.table.messages import PersonId, SeatId

_PAGES = Path(__file__).parents[2] / "web" / "dist"


@dataclass(frozen=True, slots=True)
class StaffSettings:
    """The machine's choices for this door."""

    house: str = "Croupier"
    zone: str = "Asia/Singapore"
    """The time zone of the floor, for clocks and paper."""
    origins: frozenset[str] = frozenset()
    """The addresses of our own pages: only they may change anything, or open a socket."""
    terminals: str = ""
    """The WebSocket address of the terminal router, for pages."""
    tls: bool = False
    ticket_days: int = 30
    """How long a ticket from the cage lives."""
    cage_printer: bool = False
    """The cage's tickets come out of a printer."""
    demo: bool = False
    public: str = ""
    """The address of the public pages, if they have a process of their own."""
    pages: Path = _PAGES
    evidence: Path = field(default=Path("build") / "evidence.json")
    """What the test run of this release left behind."""


@lru_cache(maxsize=256)
def _felt(layout: Layout) -> FeltSheet:
    return felt_sheet(layout)


class Context:
    """Everything a route may ask."""

    def __init__(
        self, floor: Floor, sessions: Sessions, settings: StaffSettings, terminals: TerminalDoor | None = None
    ) -> None:
        self.terminals = terminals
        self.floor = floor
        self.sessions = sessions
        self.settings = settings
        self.library = Library(floor)
        self.papers = Papers(settings.cage_printer)
        self.people = People(floor, sessions, demo=settings.demo)

    async def recall(self) -> None:
        """Read from the journal what every table has shown so far."""
        for name, live in self.floor.tables.items():
            with contextlib.suppress(Refused):  # the library has raised an alert; the others are read
                live.past_rounds.learn(await self.library.ask(partial(read_past, stream=name)))

    def live(self, name: str) -> LiveTable:
        """A table by its name; 404 if there is none."""
        live = self.floor.tables.get(name)
        if live is None:
            raise Refused("missing", "table", table=name[:64], known=tuple(self.floor.tables))
        return live

    def connected(self, table: str, seat: SeatId) -> bool:
        """Does a terminal sit on this seat now?"""
        return seat in self.floor.tables[table].connected_seats if table in self.floor.tables else False

    def book(self, id: str) -> Rulebook:
        """A book that is played here, or one that comes with Croupier; 404 if it is neither."""
        for played in self.played():
            if played.id == id:
                return played
        if id not in rulebook_ids():
            raise Refused("missing", "rulebook", rulebook=id[:64], known=tuple(rulebook_ids()))
        return load_rulebook(id)

    def played(self) -> Iterable[Rulebook]:
        """The books of the tables here."""
        return (live.table.book for live in self.floor.tables.values())

    def sources(self) -> Iterable[str]:
        """By which name or file they are found."""
        return (live.config.rulebook for live in self.floor.tables.values())

    def words(self) -> dict[str, str]:
        """The sentences of every book that is played here or comes with Croupier, in Chinese."""
        books = dict.fromkeys((*rulebook_ids(), *self.sources()))
        found: dict[str, str] = {}
        for source in books:
            told = translation(source, "zh")
            found |= told | (results(load_rulebook(source), told) if told else {})
        return found

    def felt(self, layout: Layout) -> FeltSheet:
        """A felt as pages draw it; made once."""
        return _felt(layout)

    def roles(self, person: PersonId) -> tuple[str, ...]:
        """What a person is on the floor, by his account."""
        account = self.floor.accounts.accounts.get(person)
        return account.roles if account and not account.retired else ()

    def roles_at(self, person: PersonId, table: str) -> tuple[str, ...]:
        """What a person is at a table; an auditor of the floor is one at every table."""
        own = self.live(table).table.staff.get(person, ())
        return (*own, "auditor") if "auditor" in self.roles(person) else own

    def roles_at_cage(self, person: PersonId) -> tuple[str, ...]:
        subject = self.floor.cage.subject
        assert isinstance(subject, CageSubject)
        return subject.cage.staff.get(person, ())

    def tables_of(self, person: PersonId, roles: Iterable[str]) -> list[LiveTable]:
        """The tables where a person has one of these roles."""
        wanted = set(roles)
        return [live for name, live in self.floor.tables.items() if wanted & set(self.roles_at(person, name))]
