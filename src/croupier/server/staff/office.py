"""The office's routes: accounts, enrolled terminals, links and passwords.

Commands to the office change accounts and terminals. These routes do what a command cannot: they carry secrets, which
are shown once and never written down.
"""

from __future__ import annotations

from typing import Annotated

import msgspec

from croupier.rules.refusal import Refused
from croupier.server.staff.context import Context
from croupier.server.staff.guard import OFFICE, SIGNED_IN, RateLimit, address, cookie
from croupier.server.staff.people import Unconfirmed
from croupier.server.staff.router import Nothing, Router, StaffCall
from croupier.server.staff.session import LOGINS, Me, me
from croupier.table.messages import PersonId, SeatId
from croupier.table.roles import OfficeRole

Name = Annotated[str, msgspec.Meta(min_length=1, max_length=64)]
Password = Annotated[str, msgspec.Meta(min_length=1, max_length=1000)]


class AccountKept(msgspec.Struct, frozen=True):
    person: PersonId
    roles: tuple[OfficeRole, ...]
    retired: bool
    has_password: bool
    sessions: int
    confirmed: bool
    vouched_by: tuple[str, ...]
    """The people who have confirmed this person, or who made their first password or link."""


class TerminalKept(msgspec.Struct, frozen=True):
    table: str
    seat: SeatId
    connected: bool


class OfficeNow(msgspec.Struct, frozen=True):
    accounts: tuple[AccountKept, ...]
    terminals: tuple[TerminalKept, ...]
    seats: dict[str, tuple[SeatId, ...]]
    """The seats for which a terminal can be enrolled, by table."""
    unconfirmed: tuple[Unconfirmed, ...]


class NewPassword(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    new: Password
    old: Annotated[str, msgspec.Meta(max_length=1000)] = ""
    """Empty after signing in with a link: the person has no password yet, or has lost it."""


class PasswordFor(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    person: Name
    password: Password


class WhoseLink(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    person: Name


class OneTimeLink(msgspec.Struct, frozen=True):
    path: str
    """The path at which it signs in, once and for a short time."""


class SeatToEnrol(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    table: Name
    seat: Name


class TerminalKey(msgspec.Struct, frozen=True):
    token: str
    """For the terminal only; it is not shown again."""


def office_routes(router: Router) -> None:
    context, sessions = router.context, router.context.sessions
    pace, secure = RateLimit(*LOGINS), router.context.settings.tls

    @router.get("/api/office", OFFICE)
    async def now(call: StaffCall, asked: Nothing) -> OfficeNow:
        """Every account and every enrolled terminal."""
        return _now(context, call.someone)

    @router.post("/api/session/password", SIGNED_IN, statuses=(409, 429))
    async def change_password(call: StaffCall, asked: Nothing, given: NewPassword) -> Me:
        """Change one's password. Every session of this person ends."""
        person, where = call.someone, address(call.request)
        pace.take(where)
        if context.floor.accounts.accounts[person].password and not sessions.by_link(call.session):
            await sessions.change_password(person, given.old, given.new, where, call.session)
        else:
            await sessions.set_password(person, given.new, person, call.session)
        call.cookies.append(cookie("", secure=secure))
        return me(context, None)

    @router.post("/api/office/passwords", OFFICE, statuses=(409,))
    async def give_password(call: StaffCall, asked: Nothing, given: PasswordFor) -> OfficeNow:
        """Give another person a password. Every session of theirs ends."""
        if given.person == call.someone:
            raise Refused("password", "old-needed")
        await sessions.set_password(PersonId(given.person), given.password, call.someone, call.session)
        return _now(context, call.someone)

    @router.post("/api/office/links", OFFICE, statuses=(409,))
    async def make_link(call: StaffCall, asked: Nothing, given: WhoseLink) -> OneTimeLink:
        """Make a one-time link for a person who has no password yet, or has lost it."""
        return OneTimeLink(f"/enter/{await sessions.link(PersonId(given.person), call.someone, call.session)}")

    @router.post("/api/office/terminals", OFFICE, statuses=(409,))
    async def enrol(call: StaffCall, asked: Nothing, given: SeatToEnrol) -> TerminalKey:
        """Enrol a terminal for a seat. The terminal that had the seat is cut off."""
        return TerminalKey(await sessions.enrol(given.table, SeatId(given.seat), call.someone))


def _now(context: Context, person: PersonId) -> OfficeNow:
    office = context.floor.accounts
    signed_in = [session.person for session in office.sessions.values()]
    return OfficeNow(
        tuple(
            AccountKept(
                name,
                kept.roles,
                kept.retired,
                bool(kept.password),
                signed_in.count(name),
                kept.confirmed,
                kept.vouched_by,
            )
            for name, kept in office.accounts.items()
        ),
        tuple(
            TerminalKept(one.table, one.seat, context.connected(one.table, one.seat))
            for one in office.terminals.values()
        ),
        {name: live.config.seat_ids() for name, live in context.floor.tables.items()},
        context.people.unconfirmed(person),
    )
