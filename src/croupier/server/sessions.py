"""Who is at the door: passwords, sessions, one-time links, and the terminals that are enrolled for seats.

Tokens are opaque, 256 bits, and only their SHA-256 is kept. Everything that lets somebody in or out is a row of the
office's stream.
"""

from __future__ import annotations

import asyncio
import hashlib
import secrets
from collections.abc import Callable, Sequence
from typing import NamedTuple

from argon2 import PasswordHasher
from argon2.exceptions import Argon2Error, InvalidHashError

from croupier.floor.config import OFFICE
from croupier.floor.floor import Floor
from croupier.office import messages as o
from croupier.office.messages import AnyOfficeCommand, Ending, Way
from croupier.office.state import MACHINE
from croupier.rules.refusal import Refused
from croupier.store.subjects import AnyEntry
from croupier.table.messages import PersonId, SeatId
from croupier.table.permits import SYSTEM

SECOND = 1_000
MINUTE = 60 * SECOND
HOUR = 60 * MINUTE

_hasher = PasswordHasher()


class Seated(NamedTuple):
    """Where a terminal sits."""

    table: str
    seat: SeatId


class Ended(NamedTuple):
    """A session that is over, or a terminal that was retired: its sockets must be closed."""

    key: str
    """What `key_of` makes of its token."""
    person: PersonId | None
    seated: Seated | None
    why: str


OnEnd = Callable[[Ended], None]


class Session(NamedTuple):
    person: PersonId
    began: int
    where: str


class Times(NamedTuple):
    """Milliseconds."""

    idle: int = 30 * MINUTE
    absolute: int = 12 * HOUR
    link: int = 15 * MINUTE


def key_of(token: str) -> str:
    """The digest under which a token is known; the token itself is kept nowhere."""
    return hashlib.sha256(token.encode()).hexdigest()


def new_token() -> str:
    return secrets.token_urlsafe(32)


class Sessions:
    """Everyone who is signed in."""

    def __init__(self, floor: Floor, times: Times | None = None) -> None:
        self._floor = floor
        self.times = times or Times()
        self._live: dict[str, Session] = {}
        self._touched: dict[str, int] = {}
        self._links: dict[str, tuple[PersonId, int]] = {}
        self._hashes: dict[PersonId, str] = {}
        self._on_end: list[OnEnd] = []
        floor.hearers.append(self._hear)

    def on_end(self, callback: OnEnd) -> None:
        """Have a callback told of every session that ends and every terminal that is retired."""
        self._on_end.append(callback)

    # ---- coming in

    async def set_password(self, person: PersonId, password: str, by: str) -> None:
        """Give a person a password; his sessions end. `by` is an administrator, himself, or `machine/NAME`."""
        await self._note(o.NotePassword(by, self._now(), person))
        self._hashes[person] = await asyncio.to_thread(_hasher.hash, password)
        await self._end_all(person, "password")

    async def login(self, person: str, password: str, where: str) -> str:
        """A token for whoever knows the password; Refused otherwise, without saying which part was wrong."""
        name = PersonId(person)
        account = self._floor.accounts.accounts.get(name)
        known = self._hashes.get(name) if account and not account.retired else None
        right = await asyncio.to_thread(_matches, known or _NOBODY, password)
        if known is None or not right:
            why: o.Failure = "wrong" if known else "unknown"
            await self._note(o.NoteFailure(SYSTEM, self._now(), name if account else PersonId(""), why, where, 1))
            raise Refused("login", "this name and this password do not go together")
        return await self._begin(name, "password", where)

    async def link(self, person: PersonId, by: str = f"{MACHINE}/demo") -> str:
        """A key that lets its bearer sign in as this person, once and soon."""
        await self._note(o.NoteLink(by, self._now(), person))
        key = new_token()
        self._links[key_of(key)] = (person, self._now() + self.times.link)
        return key

    async def enter(self, key: str, where: str) -> str:
        """A token for the bearer of a one-time link."""
        person, until = self._links.pop(key_of(key), (PersonId(""), 0))
        if until <= self._now():
            raise Refused("link", "this link was used, or its time is over; ask for another")
        return await self._begin(person, "link", where)

    async def _begin(self, person: PersonId, way: Way, where: str) -> str:
        await self._note(o.NoteLogin(SYSTEM, self._now(), person, way, where))
        token, now = new_token(), self._now()
        self._live[key_of(token)] = Session(person, now, where)
        self._touched[key_of(token)] = now
        return token

    # ---- being there

    def who(self, token: str) -> PersonId | None:
        """Who has this token; asking counts as a sign of life."""
        key = key_of(token)
        session = self._live.get(key)
        if session is None:
            return None
        now = self._now()
        if now >= session.began + self.times.absolute or now >= self._touched[key] + self.times.idle:
            return None
        self._touched[key] = now
        return session.person

    def seat_of(self, token: str) -> Seated | None:
        """Where the terminal with this token sits, while it is enrolled."""
        there = self._floor.accounts.terminals.get(key_of(token))
        return Seated(there.table, there.seat) if there else None

    async def enrol(self, table: str, seat: SeatId, by: str) -> str:
        """A token for the terminal of a seat; the one that had the seat before is worth nothing any more."""
        live = self._floor.tables.get(table)
        if live is None or seat not in live.config.seat_ids():
            raise Refused("seat", f"the House has no seat {table}/{seat}")
        token = new_token()
        await self._note(o.EnrolTerminal(by, self._now(), key_of(token), table, seat))
        return token

    # ---- going

    async def logout(self, token: str) -> None:
        session = self._live.get(key_of(token))
        if session is not None:
            self._end(key_of(token), "logout")
            await self._note(o.NoteLogout(SYSTEM, self._now(), session.person, "logout", 1))

    async def logout_everywhere(self, person: PersonId) -> None:
        await self._end_all(person, "everywhere")

    async def _end_all(self, person: PersonId, how: Ending) -> None:
        mine = [key for key, session in self._live.items() if session.person == person]
        for key in mine:
            self._end(key, how)
        if mine:
            await self._note(o.NoteLogout(SYSTEM, self._now(), person, how, len(mine)))

    def _end(self, key: str, why: str) -> None:
        session = self._live.pop(key)
        del self._touched[key]
        self._tell(Ended(key, session.person, None, why))

    def _tell(self, ended: Ended) -> None:
        for callback in self._on_end:
            callback(ended)

    def _hear(self, stream: str, entries: Sequence[AnyEntry]) -> None:
        """What was done through any door: accounts that are no more, terminals that were retired."""
        if stream != OFFICE:
            return
        for event in (event for entry in entries for event in entry.events):
            if isinstance(event, o.TerminalRetired):
                self._tell(Ended(event.digest, None, Seated(event.table, event.seat), event.reason))
            elif isinstance(event, o.AccountRetired):
                for key in [key for key, session in self._live.items() if session.person == event.person]:
                    self._end(key, "retired")

    # ---- the office

    def _now(self) -> int:
        return self._floor.clock.now()

    async def _note(self, command: AnyOfficeCommand) -> None:
        """Write it down; Refused if the office says no."""
        answer = await self._floor.give(self._floor.office, command)
        if answer is None:
            raise Refused("office", "the office cannot write just now; try again")
        if (no := answer.entry.refused) is not None:
            raise Refused(no.reason, no.message, no.clause)


_NOBODY = _hasher.hash(secrets.token_urlsafe(32))
"""What a name that nobody has is compared with, so that it takes as long as any other."""


def _matches(known: str, password: str) -> bool:
    try:
        return _hasher.verify(known, password)
    except (Argon2Error, InvalidHashError):
        return False
