"""Who is at the door: passwords, sessions, one-time links, and the terminals that are enrolled for seats.

Tokens are opaque, 256 bits, and only their SHA-256 is kept. Who is let in or out, and who is not, are rows of the
office, so sessions outlive a restart; the hashes of passwords lie beside the journal.
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
"""Passwords that may wait to be checked, in all and from one address; more are told to come again."""
MOST_UNKNOWN = 10_000
"""Names that nobody has, of which it is remembered how often they were tried."""
NOBODY = PersonId("")
PASSWORD = "password"
SWEEP_SECONDS = 5


class Seated(NamedTuple):
    """Where a terminal sits."""

    table: str
    seat: SeatId


class EndedSession(NamedTuple):
    """A session that is over, or a terminal that was retired: its sockets must be closed."""

    key: str
    """What `key_of` makes of its token."""
    person: PersonId | None
    seated: Seated | None
    why: str


OnEnd = Callable[[EndedSession], None]


class Times(NamedTuple):
    """How long things last, in milliseconds."""

    idle: int = 30 * MINUTE
    absolute: int = 12 * HOUR
    link: int = 15 * MINUTE


def key_of(token: str) -> str:
    """The digest under which a token is known; the token itself is kept nowhere."""
    return hashlib.sha256(token.encode(errors="replace")).hexdigest()


def new_token() -> str:
    return secrets.token_urlsafe(32)


class Sessions:
    """Everyone who is signed in, and every terminal that has a seat."""

    def __init__(self, floor: Floor, times: Times | None = None) -> None:
        self._floor = floor
        self.times = times or Times()
        self._passwords = _Passwords()
        self._touched: dict[str, int] = {}
        """The last sign of life of every session. After a restart all begin again: never longer than `absolute`."""
        self._trying: dict[str, str] = {}
        """Whose passwords are being checked, and from where they came."""
        self._unknown_names = _UnknownNames()
        self._unsaid: dict[PersonId, tuple[int, str]] = {}
        """Tries that were not even looked at, to be told in the next row; and from where the last one came."""
        self._on_end: list[OnEnd] = []
        floor.subscribe(None, self._hear)

    def on_end(self, callback: OnEnd) -> None:
        """Have a callback told of every session that ends and every terminal that is retired."""
        self._on_end.append(callback)

    async def run(self) -> None:
        """End what has lasted long enough, as long as the floor is open."""
        while True:
            await asyncio.sleep(SWEEP_SECONDS)
            await self.sweep()

    # ---- coming in

    async def login(self, person: str, password: str, where: str, browser: str = "") -> str:
        """A token for whoever knows the password; Refused otherwise, without saying which part was wrong.

        `browser` is what their browser keeps, so that two sessions in it are not taken for those of two people.
        """
        account = self._office.accounts.get(PersonId(person))
        known = key_of(browser) if account and browser and key_of(browser) in account.browsers else ""
        trying, here = known or person, sum(other == where for other in self._trying.values())
        crowded = not known and (here >= MOST_FROM_ONE or len(self._trying) >= MOST_TRYING)
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
            times, _ = self._unsaid.pop(person, (0, where))
            await self._note(o.NoteFailure(SYSTEM, self._now(), person, why, _short(where), times + 1, known))
            raise _no()
        return await self._begin(person, where, browser)

    async def _why_not(self, person: PersonId, password: str, where: str, known: str) -> Failure | None:
        """Is it not the password of an account that may sign in? A locked one is not looked at."""
        account = self._office.accounts[person]
        wait = waits_until(account, _short(where), known) - self._now()
        if wait > 0:
            self._unsaid[person] = (self._unsaid.get(person, (0, ""))[0] + 1, where)
            raise _wait(wait)
        known = hash_of(self._floor.store, account)
        right = await self._passwords.is_right(known, password)
        if account.retired:
            return "retired"
        if not known:
            return "no-password"
        return None if right else "wrong"

    async def _turn_away(self, name: str, password: str, where: str) -> NoReturn:
        """A name that nobody has is treated as one that somebody has: it takes as long, and waits as long."""
        wait = self._unknown_names.wait(name, where, self._now())
        if wait <= 0:
            await self._passwords.is_right("", password)
        if times := self._unknown_names.failed(name, where, self._now(), looked_at=wait <= 0):
            await self._note(o.NoteFailure(SYSTEM, self._now(), NOBODY, "unknown", _short(where), times))
        raise _wait(wait) if wait > 0 else _no()

    async def link(self, person: PersonId, by: str, session: str = "", lasts: int = 0) -> str:
        """A key that lets its bearer sign in as this person, once and soon; `session` is that of whoever makes it."""
        key, now = new_token(), self._now()
        await self._note(o.MakeLink(by, now, person, key_of(key), now + (lasts or self.times.link), session))
        return key

    async def enter(self, key: str, where: str, browser: str = "") -> str:
        """A token for the bearer of a one-time link."""
        await self.catch_up(key)
        link = self._office.links.get(key_of(key))
        if link is None:  # nothing is known of whose it might be, so there is nothing to write down
            raise Refused("link", "used")
        return await self._begin(link.person, where, browser, key_of(key))

    async def _begin(self, person: PersonId, where: str, browser: str = "", link: str = "") -> str:
        token, kept = new_token(), key_of(browser) if browser else ""
        await self._note(o.BeginSession(SYSTEM, self._now(), person, key_of(token), _short(where), link, kept))
        return token

    # ---- passwords

    async def set_password(self, person: PersonId, password: str, by: str, session: str = "") -> None:
        """Give a person a password; their sessions end. `by` is an administrator or the person, in a `session` of
        theirs, or `machine/NAME`."""
        check_password(person, password)
        account = self._office.accounts.get(person)
        secret = secret_of(await self._passwords.hash(password))
        # Under its own digest, before any row knows of it: at every moment the row that counts finds its hash.
        self._floor.store.put_secret(secret)
        try:
            await self._note(o.NotePassword(by, self._now(), person, secret.key, session))
        except Refused:
            self._floor.store.drop_secret(PASSWORD, secret.key)
            raise
        if account is not None and account.password:
            self._floor.store.drop_secret(PASSWORD, account.password)

    async def change_password(self, person: PersonId, old: str, new: str, where: str, session: str) -> None:
        """Their own password, by someone who knows the one before."""
        check_password(person, new)
        token = await self.login(person, old, where)
        await self.logout(token)
        await self.set_password(person, new, person, session)

    # ---- being there

    def session_of(self, token: str) -> Session | None:
        """How whoever has this token signed in."""
        return self._office.sessions.get(key_of(token))

    def by_link(self, session: str) -> bool:
        """Did a one-time link open it? Then its person may have no password, or have lost it."""
        there = self._office.sessions.get(session)
        return there is not None and there.link

    def who(self, token: str) -> PersonId | None:
        """Who has this token; asking counts as a sign of life."""
        key = key_of(token)
        session = self._office.sessions.get(key)
        if session is None or self.blind or self._over(key) is not None:
            return None
        self._touched[key] = self._now()
        return session.person

    async def catch_up(self, token: str) -> None:
        """A token or a link that another machine has made a moment ago is known here before anyone says it is not."""
        key, office, cluster = key_of(token), self._office, self._floor.cluster
        known = key in office.sessions or key in office.terminals or key in office.links
        if cluster is not None and self._floor.office.followed and not known:
            await cluster.caught_up()

    @property
    def blind(self) -> bool:
        """Another machine has the office, and what it writes cannot be read here: who has left is not known."""
        office = self._floor.office
        return office.ownership.is_broken and office.lease.owner != self._floor.owner

    @property
    def deaf(self) -> bool:
        """The database has not answered for longer than a lease: who was retired since is not known."""
        cluster = self._floor.cluster
        return cluster is not None and cluster.cut_off

    def _over(self, key: str) -> Ending | None:
        session, now = self._office.sessions[key], self._now()
        if now >= session.began + self.times.absolute:
            return "expired"
        if self._floor.office.followed:
            return None  # whoever owns the office knows where else it was used
        return "idle" if now >= self._touched.setdefault(key, now) + self.times.idle else None

    def seat_of(self, token: str) -> Seated | None:
        """Where the terminal with this token sits, while it is enrolled."""
        there = self._office.terminals.get(key_of(token))
        return Seated(there.table, there.seat) if there else None

    async def enrol(self, table: str, seat: SeatId, by: str) -> str:
        """A token for the terminal of a seat; the one that had the seat before is worth nothing any more."""
        live = self._floor.tables.get(table)
        if live is None or seat not in live.config.seat_ids():
            raise Refused("seat", "not-in-house", table=table, seat=seat)
        token = new_token()
        await self._note(o.EnrolTerminal(by, self._now(), key_of(token), table, seat))
        return token

    # ---- going

    async def logout(self, token: str) -> None:
        session = self._office.sessions.get(key_of(token))
        if session is not None:
            await self._note(o.EndSessions(SYSTEM, self._now(), session.person, "logout", (key_of(token),)))

    async def logout_everywhere(self, person: PersonId, by: str = SYSTEM) -> None:
        if sessions_of(self._office, person):
            await self._note(o.EndSessions(by, self._now(), person, "everywhere"))

    async def sweep(self) -> None:
        """End the sessions whose time is over, and tell of failures that no row has told of."""
        self._share_signs()
        if self.blind:
            for key, session in self._office.sessions.items():
                self._tell(EndedSession(key, session.person, None, "this machine cannot tell who is signed in"))
        over: dict[tuple[PersonId, Ending], list[str]] = {}
        for key, session in tuple(self._office.sessions.items()) if self._floor.office.owned else ():
            if (how := self._over(key)) is not None:
                over.setdefault((session.person, how), []).append(key)
        for (person, how), keys in over.items():
            await self._note(o.EndSessions(SYSTEM, self._now(), person, how, tuple(keys)))
        for person, (times, where) in tuple(self._unsaid.items()):
            account = self._office.accounts[person]
            if waits_until(account, _short(where), "") <= self._now():
                del self._unsaid[person]
                await self._note(o.NoteFailure(SYSTEM, self._now(), person, "locked", _short(where), times))
        if times := self._unknown_names.due(self._now()):
            await self._note(o.NoteFailure(SYSTEM, self._now(), NOBODY, "unknown", "", times))

    def _share_signs(self) -> None:
        """Where there are other machines: tell them who was here, and hear who was there."""
        cluster = self._floor.cluster
        if cluster is None:
            return
        recent = {key: at for key, at in self._touched.items() if at > self._now() - self.times.idle}
        cluster.status = msgspec.structs.replace(cluster.status, touched=recent)
        for said in cluster.nodes.values():
            for key, at in said.touched.items():
                if key in self._office.sessions:
                    self._touched[key] = max(at, self._touched.get(key, 0))

    def _hear(self, stream: str, entries: Sequence[AnyEntry]) -> None:
        """Whatever ended, through whichever door: its sockets are closed once it is on disk."""
        if stream != OFFICE:
            return
        for event in (event for entry in entries for event in entry.events):
            if isinstance(event, o.TerminalRetired):
                self._tell(EndedSession(event.digest, None, Seated(event.table, event.seat), event.reason))
            elif isinstance(event, o.SessionsEnded):
                for key in event.digests:
                    self._touched.pop(key, None)
                    self._tell(EndedSession(key, event.person, None, event.how))

    def _tell(self, ended: EndedSession) -> None:
        for callback in tuple(self._on_end):
            callback(ended)

    # ---- the office

    async def adopt_rules(self) -> None:
        """Have the office keep the rules of who is who, if it is one of before them."""
        if self._office.rules < RULES:
            await self._floor.give(self._floor.office, o.AdoptRules(SYSTEM, self._now(), RULES))

    async def require_passkeys(self) -> None:
        """Write down that dangerous acts are signed from now on, if it is not yet."""
        if not self._office.passkeys_since:
            await self._note(o.RequirePasskeys(SYSTEM, self._now()))

    @property
    def _office(self) -> Office:
        return self._floor.accounts

    def _now(self) -> int:
        return self._floor.clock.now()

    async def _note(self, command: AnyOfficeCommand) -> None:
        """Write it down; Refused if the office says no."""
        await self.adopt_rules()
        answer = await self._floor.give(self._floor.office, command)
        if answer is None:
            raise Unavailable("office", "no-answer")
        if (no := answer.entry.refused) is not None:
            raise as_refused(no)


class _Passwords:
    """Hashes and compares off the event loop, one after the other: a flood of tries takes one core at most."""

    def __init__(self) -> None:
        self._hasher = PasswordHasher()
        self._thread = ThreadPoolExecutor(1, "passwords")
        self._nobody = ""
        """What is compared when there is no hash, so that it takes as long as any other."""

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
    """Names that nobody has: how often each was tried, and when a row should next tell of all of them together.

    Rows come ever more seldom, so that a flood of made-up names fills no disk.
    """

    def __init__(self) -> None:
        self._failures: OrderedDict[tuple[str, str], tuple[int, int]] = OrderedDict()
        """By name, and by name and address."""
        self._untold = 0
        self._told_at = 0
        self._gap = 0

    def wait(self, name: str, where: str, now: int) -> int:
        here, all = self._failures.get((name, where), (0, 0)), self._failures.get((name, ""), (0, 0))
        return max(locked_until(*here), locked_until(*all, FREE_FROM_ALL)) - now

    def failed(self, name: str, where: str, now: int, *, looked_at: bool) -> int:
        """Note a failure; how many a row should tell of now."""
        for place in ((name, where), (name, "")) if looked_at else ():
            count, before = self._failures.pop(place, (0, 0))
            self._failures[place] = (failures_after(count, before, now), now)
            if len(self._failures) > MOST_UNKNOWN:
                self._failures.popitem(last=False)
        self._untold += 1
        return self.due(now)

    def due(self, now: int) -> int:
        if not self._untold or now < self._told_at + self._gap:
            return 0
        quiet = now - self._told_at > FORGOTTEN
        self._gap = 0 if quiet else min(LONGEST_WAIT, max(FIRST_WAIT, 2 * self._gap))
        self._told_at, times, self._untold = now, self._untold, 0
        return times


def secret_of(hashed: str) -> Secret:
    """The hash of a password, as it is kept beside the journal."""
    body = hashed.encode()
    return Secret(PASSWORD, hashlib.sha256(body).hexdigest(), body)


def hash_password(password: str) -> str:
    """Slow on purpose."""
    return PasswordHasher().hash(password)


def is_password_of(store: Store, account: Account, password: str) -> bool:
    """Is this the password of an account? Asked where no server runs."""
    known = hash_of(store, account)
    return bool(known) and _matches(PasswordHasher(), known, password)


def hash_of(store: Store, account: Account) -> str:
    """The hash of a password that the journal vouches for; empty if there is none."""
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
    """From where, as it is written down."""
    return "".join(letter for letter in where if letter.isprintable())[:64]
