"""Authentication: passwords, sessions, one-time links, and the terminals that are enrolled for seats.

Tokens are opaque, 256 bits, and only their SHA-256 is kept. Sessions begin and end with rows of the office, so they
outlive a restart, and failures to sign in are rows too. The hashes of passwords are in the store, but not in the
journal.
"""

from __future__ import annotations

import asyncio
import hashlib
import secrets
from collections import OrderedDict
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple, NoReturn

import msgspec
from argon2 import PasswordHasher
from argon2.exceptions import Argon2Error, InvalidHashError

from croupier.floor.config import OFFICE
from croupier.floor.floor import Floor
from croupier.office import Office
from croupier.office import messages as o
from croupier.office.messages import AnyOfficeCommand, Ending, Failure
from croupier.office.state import (
    FIRST_WAIT,
    FORGOTTEN,
    FREE_FROM_ALL,
    LONGEST_WAIT,
    RULES,
    Account,
    Session,
    failures_after,
    locked_until,
    sessions_of,
    waits_until,
)
from croupier.rules.refusal import Refused, Unavailable, as_refused
from croupier.store.journal import Secret, Store
from croupier.store.streams.entry import AnyEntry
from croupier.table.messages import PersonId, SeatId
from croupier.table.permits import SYSTEM

MINUTE = 60_000
HOUR = 60 * MINUTE
SHORTEST, LONGEST = 10, 128
"""Letters of a password."""
MOST_TRYING = 16
MOST_FROM_ONE = 4
"""Passwords that may wait to be checked, in all and from one address. More are refused as busy."""
MOST_UNKNOWN = 10_000
"""Unknown names whose failures are remembered."""
NOBODY = PersonId("")
PASSWORD = "password"
SWEEP_SECONDS = 5


class Seated(NamedTuple):
    """The seat of a terminal."""

    table: str
    seat: SeatId


class EndedSession(NamedTuple):
    """A session that has ended, or a terminal that was retired: its WebSockets must be closed."""

    key: str
    """The `key_of` its token."""
    person: PersonId | None
    seated: Seated | None
    why: str


OnEnd = Callable[[EndedSession], None]


class Times(NamedTuple):
    """How long sessions and links last, in milliseconds."""

    idle: int = 30 * MINUTE
    absolute: int = 12 * HOUR
    link: int = 15 * MINUTE


def key_of(token: str) -> str:
    """The digest of a token, which is kept in its place."""
    return hashlib.sha256(token.encode(errors="replace")).hexdigest()


def new_token() -> str:
    return secrets.token_urlsafe(32)


class Sessions:
    """The people who have signed in, and the terminals that are enrolled."""

    def __init__(self, floor: Floor, times: Times | None = None) -> None:
        self._floor = floor
        self.times = times or Times()
        self._passwords = _Passwords()
        self._touched: dict[str, int] = {}
        """The last request of every session. A restart counts as one, but no session lasts longer than `absolute`."""
        self._trying: dict[str, str] = {}
        """Whose passwords are being checked, and the addresses they came from."""
        self._unknown_names = _UnknownNames()
        self._unreported: dict[PersonId, tuple[int, str]] = {}
        """Attempts on locked accounts, which the next row counts, with the address of the last."""
        self._on_end: list[OnEnd] = []
        floor.subscribe(None, self._follow)

    def on_end(self, callback: OnEnd) -> None:
        """Call `callback` for every session that ends and every terminal that is retired."""
        self._on_end.append(callback)

    async def run(self) -> None:
        """End expired sessions, as long as the floor is open."""
        while True:
            await asyncio.sleep(SWEEP_SECONDS)
            await self.sweep()

    # ---- signing in

    async def login(self, person: str, password: str, where: str, browser: str = "") -> str:
        """A token, if the password is right. The refusal does not reveal whether the name or the password was wrong.

        `browser` identifies the browser, so that two sessions in one browser do not count as two people.
        """
        account = self._office.accounts.get(PersonId(person))
        known = key_of(browser) if account and browser and key_of(browser) in account.browsers else ""
        trying, from_here = known or person, sum(other == where for other in self._trying.values())
        crowded = not known and (from_here >= MOST_FROM_ONE or len(self._trying) >= MOST_TRYING)
        if trying in self._trying or crowded:
            raise Unavailable("busy", "tries")
        self._trying[trying] = where
        try:
            if account is None:
                await self._turn_away(person, password, where)
            return await self._let_in(PersonId(person), password, where, browser, known)
        finally:
            del self._trying[trying]

    async def _let_in(self, person: PersonId, password: str, where: str, browser: str, known: str) -> str:
        why = await self._why_not(person, password, where, known)
        if why is not None:
            times, _ = self._unreported.pop(person, (0, where))
            await self._note(o.NoteFailure(SYSTEM, self._now(), person, why, _short(where), times + 1, known))
            raise _no()
        return await self._begin(person, where, browser)

    async def _why_not(self, person: PersonId, password: str, where: str, known: str) -> Failure | None:
        """Why this password does not sign in; None if it does. Refused without a check while the account is locked."""
        account = self._office.accounts[person]
        wait = waits_until(account, _short(where), known) - self._now()
        if wait > 0:
            self._unreported[person] = (self._unreported.get(person, (0, ""))[0] + 1, where)
            raise _wait(wait)
        known = hash_of(self._floor.store, account)
        right = await self._passwords.is_right(known, password)
        if account.retired:
            return "retired"
        if not known:
            return "no-password"
        return None if right else "wrong"

    async def _turn_away(self, name: str, password: str, where: str) -> NoReturn:
        """Refuse an unknown name like a wrong password of a known one: after the same time, with the same waits."""
        wait = self._unknown_names.wait(name, where, self._now())
        if wait <= 0:
            await self._passwords.is_right("", password)
        if times := self._unknown_names.failed(name, where, self._now(), looked_at=wait <= 0):
            await self._note(o.NoteFailure(SYSTEM, self._now(), NOBODY, "unknown", _short(where), times))
        raise _wait(wait) if wait > 0 else _no()

    async def link(self, person: PersonId, by: str, session: str = "", lasts: int = 0) -> str:
        """A key with which its bearer can sign in as this person, once, for a short time. `session` made it."""
        key, now = new_token(), self._now()
        await self._note(o.MakeLink(by, now, person, key_of(key), now + (lasts or self.times.link), session))
        return key

    async def enter(self, key: str, where: str, browser: str = "") -> str:
        """A token for the bearer of a one-time link. Refused if the link was used or has expired."""
        await self.catch_up(key)
        link = self._office.links.get(key_of(key))
        if link is None:  # no account is known for it, so no failure can be written
            raise Refused("link", "used")
        return await self._begin(link.person, where, browser, key_of(key))

    async def _begin(self, person: PersonId, where: str, browser: str = "", link: str = "") -> str:
        token, kept = new_token(), key_of(browser) if browser else ""
        await self._note(o.BeginSession(SYSTEM, self._now(), person, key_of(token), _short(where), link, kept))
        return token

    # ---- passwords

    async def set_password(self, person: PersonId, password: str, by: str, session: str = "") -> None:
        """Give a person a password and end their sessions. `by` is an administrator or the person, in their `session`,
        or `machine/NAME`."""
        check_password(person, password)
        account = self._office.accounts.get(person)
        secret = secret_of(await self._passwords.hash(password))
        # Stored under its digest before the row: at every moment the row in force finds its hash.
        self._floor.store.put_secret(secret)
        try:
            await self._note(o.NotePassword(by, self._now(), person, secret.key, session))
        except Refused:
            self._floor.store.drop_secret(PASSWORD, secret.key)
            raise
        if account is not None and account.password:
            self._floor.store.drop_secret(PASSWORD, account.password)

    async def change_password(self, person: PersonId, old: str, new: str, where: str, session: str) -> None:
        """Change a person's password, if they know the old one."""
        check_password(person, new)
        token = await self.login(person, old, where)
        await self.logout(token)
        await self.set_password(person, new, person, session)

    # ---- sessions

    def session_of(self, token: str) -> Session | None:
        """The session of this token."""
        return self._office.sessions.get(key_of(token))

    def by_link(self, session: str) -> bool:
        """True if a one-time link opened this session: its person may have no password, or have lost it."""
        found = self._office.sessions.get(session)
        return found is not None and found.link

    def who(self, token: str) -> PersonId | None:
        """The person with this token. The call counts as activity of the session."""
        key = key_of(token)
        session = self._office.sessions.get(key)
        if session is None or self.office_unreadable or self._over(key) is not None:
            return None
        self._touched[key] = self._now()
        return session.person

    async def catch_up(self, token: str) -> None:
        """For an unknown token or link, read the latest rows first: another machine may have made it a moment ago."""
        key, office, cluster = key_of(token), self._office, self._floor.cluster
        known = key in office.sessions or key in office.terminals or key in office.links
        if cluster is not None and self._floor.office.followed and not known:
            await cluster.caught_up()

    @property
    def office_unreadable(self) -> bool:
        """True if another machine owns the office and its rows cannot be read: ended sessions are not known."""
        office = self._floor.office
        return office.ownership.is_broken and office.lease.owner != self._floor.owner

    @property
    def database_silent(self) -> bool:
        """True if the database has not answered for longer than a lease: people retired since are not known."""
        cluster = self._floor.cluster
        return cluster is not None and cluster.cut_off

    def _over(self, key: str) -> Ending | None:
        session, now = self._office.sessions[key], self._now()
        if now >= session.began + self.times.absolute:
            return "expired"
        if self._floor.office.followed:
            return None  # the owner of the office decides: it knows of activity on all machines
        return "idle" if now >= self._touched.setdefault(key, now) + self.times.idle else None

    def seat_of(self, token: str) -> Seated | None:
        """The seat of the terminal with this token, while it is enrolled."""
        terminal = self._office.terminals.get(key_of(token))
        return Seated(terminal.table, terminal.seat) if terminal else None

    async def enrol(self, table: str, seat: SeatId, by: str) -> str:
        """A token for the terminal of a seat. The token of the terminal before it no longer works."""
        live = self._floor.tables.get(table)
        if live is None or seat not in live.config.seat_ids():
            raise Refused("seat", "not-in-house", table=table, seat=seat)
        token = new_token()
        await self._note(o.EnrolTerminal(by, self._now(), key_of(token), table, seat))
        return token

    # ---- signing out

    async def logout(self, token: str) -> None:
        session = self._office.sessions.get(key_of(token))
        if session is not None:
            await self._note(o.EndSessions(SYSTEM, self._now(), session.person, "logout", (key_of(token),)))

    async def logout_everywhere(self, person: PersonId, by: str = SYSTEM) -> None:
        if sessions_of(self._office, person):
            await self._note(o.EndSessions(by, self._now(), person, "everywhere"))

    async def sweep(self) -> None:
        """End expired sessions, and write the failures that no row has counted yet."""
        self._share_activity()
        if self.office_unreadable:
            for key, session in self._office.sessions.items():
                self._notify(
                    EndedSession(key, session.person, None, "this machine cannot read which sessions have ended")
                )
        over: dict[tuple[PersonId, Ending], list[str]] = {}
        for key, session in tuple(self._office.sessions.items()) if self._floor.office.owned else ():
            if (how := self._over(key)) is not None:
                over.setdefault((session.person, how), []).append(key)
        for (person, how), keys in over.items():
            await self._note(o.EndSessions(SYSTEM, self._now(), person, how, tuple(keys)))
        for person, (times, where) in tuple(self._unreported.items()):
            account = self._office.accounts[person]
            if waits_until(account, _short(where), "") <= self._now():
                del self._unreported[person]
                await self._note(o.NoteFailure(SYSTEM, self._now(), person, "locked", _short(where), times))
        if times := self._unknown_names.due(self._now()):
            await self._note(o.NoteFailure(SYSTEM, self._now(), NOBODY, "unknown", "", times))

    def _share_activity(self) -> None:
        """Exchange the latest activity of sessions with the other machines of this floor."""
        cluster = self._floor.cluster
        if cluster is None:
            return
        recent = {key: at for key, at in self._touched.items() if at > self._now() - self.times.idle}
        cluster.status = msgspec.structs.replace(cluster.status, touched=recent)
        for node in cluster.nodes.values():
            for key, at in node.touched.items():
                if key in self._office.sessions:
                    self._touched[key] = max(at, self._touched.get(key, 0))

    def _follow(self, stream: str, entries: Sequence[AnyEntry]) -> None:
        """After a commit of the office: report every ended session and every retired terminal."""
        if stream != OFFICE:
            return
        for event in (event for entry in entries for event in entry.events):
            if isinstance(event, o.TerminalRetired):
                self._notify(EndedSession(event.digest, None, Seated(event.table, event.seat), event.reason))
            elif isinstance(event, o.SessionsEnded):
                for key in event.digests:
                    self._touched.pop(key, None)
                    self._notify(EndedSession(key, event.person, None, event.how))

    def _notify(self, ended: EndedSession) -> None:
        for callback in tuple(self._on_end):
            callback(ended)

    # ---- the office

    async def adopt_rules(self) -> None:
        """Have an office from an earlier version adopt the current rules for accounts."""
        if self._office.rules < RULES:
            await self._floor.give(self._floor.office, o.AdoptRules(SYSTEM, self._now(), RULES))

    async def require_passkeys(self) -> None:
        """Record that dangerous acts are signed with passkeys from now on, if that is not recorded yet."""
        if not self._office.passkeys_since:
            await self._note(o.RequirePasskeys(SYSTEM, self._now()))

    @property
    def _office(self) -> Office:
        return self._floor.accounts

    def _now(self) -> int:
        return self._floor.clock.now()

    async def _note(self, command: AnyOfficeCommand) -> None:
        """Give a command to the office. Refused if it refuses, Unavailable if the outcome is unknown."""
        await self.adopt_rules()
        answer = await self._floor.give(self._floor.office, command)
        if answer is None:
            raise Unavailable("office", "no-answer")
        if (no := answer.entry.refused) is not None:
            raise as_refused(no)


class _Passwords:
    """Hashes and compares passwords in one thread, so that a flood of attempts takes at most one core."""

    def __init__(self) -> None:
        self._hasher = PasswordHasher()
        self._thread = ThreadPoolExecutor(1, "passwords")
        self._nobody = ""
        """A hash to compare with if the account has none, so that the check takes equally long."""

    async def hash(self, password: str) -> str:
        return await asyncio.get_running_loop().run_in_executor(self._thread, self._hasher.hash, password)

    async def is_right(self, known: str, password: str) -> bool:
        if not known and not self._nobody:
            self._nobody = await self.hash(new_token())
        matches = asyncio.get_running_loop().run_in_executor(
            self._thread, _matches, self._hasher, known or self._nobody, password[: LONGEST + 1]
        )
        return await matches and bool(known)


class _UnknownNames:
    """Failures with unknown names: how often each was tried, and when the next row should count all of them together.

    The time between rows grows, so that a flood of made-up names cannot fill the disk.
    """

    def __init__(self) -> None:
        self._failures: OrderedDict[tuple[str, str], tuple[int, int]] = OrderedDict()
        """The number of failures and the time of the last, by name and by name and address."""
        self._unreported = 0
        self._reported_at = 0
        self._gap = 0

    def wait(self, name: str, where: str, now: int) -> int:
        one, every = (self._failures.get((name, place), (0, 0)) for place in (where, ""))
        return max(locked_until(*one), locked_until(*every, FREE_FROM_ALL)) - now

    def failed(self, name: str, where: str, now: int, *, looked_at: bool) -> int:
        """Count a failure. Returns how many a row should count now; 0 if no row is due."""
        for place in ((name, where), (name, "")) if looked_at else ():
            count, before = self._failures.pop(place, (0, 0))
            self._failures[place] = (failures_after(count, before, now), now)
            if len(self._failures) > MOST_UNKNOWN:
                self._failures.popitem(last=False)
        self._unreported += 1
        return self.due(now)

    def due(self, now: int) -> int:
        if not self._unreported or now < self._reported_at + self._gap:
            return 0
        quiet = now - self._reported_at > FORGOTTEN
        self._gap = 0 if quiet else min(LONGEST_WAIT, max(FIRST_WAIT, 2 * self._gap))
        self._reported_at, times, self._unreported = now, self._unreported, 0
        return times


def secret_of(hashed: str) -> Secret:
    """The hash of a password in the form that the store keeps."""
    body = hashed.encode()
    return Secret(PASSWORD, hashlib.sha256(body).hexdigest(), body)


def hash_password(password: str) -> str:
    """The Argon2 hash of a password; slow on purpose."""
    return PasswordHasher().hash(password)


def is_password_of(store: Store, account: Account, password: str) -> bool:
    """Whether this is the password of an account. For commands that run without a server."""
    known = hash_of(store, account)
    return bool(known) and _matches(PasswordHasher(), known, password)


def hash_of(store: Store, account: Account) -> str:
    """The stored hash of an account's password, if its digest is the one in the journal; otherwise empty."""
    found = store.secret(PASSWORD, account.password) if account.password else None
    if found is None or hashlib.sha256(found.body).hexdigest() != account.password:
        return ""
    return found.body.decode()


def _matches(hasher: PasswordHasher, known: str, password: str) -> bool:
    try:
        return hasher.verify(known, password)
    except (Argon2Error, InvalidHashError, UnicodeError):
        return False


def check_password(person: str, password: str) -> None:
    if not SHORTEST <= len(password) <= LONGEST or not password.isprintable():
        raise Refused("password", "length", shortest=SHORTEST, longest=LONGEST)
    if password.casefold() == person.casefold():
        raise Refused("password", "own-name")


def _no() -> Refused:
    return Refused("login", "wrong")


def _wait(milliseconds: int) -> Refused:
    return Refused("locked", "wait", seconds=-(-milliseconds // 1000))


def _short(where: str) -> str:
    """An address, as rows have it: printable and short."""
    return "".join(letter for letter in where if letter.isprintable())[:64]
