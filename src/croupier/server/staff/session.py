"""Signing in and out, and who one is."""

from __future__ import annotations

from typing import Annotated

import msgspec
from fastapi import Response

from croupier.office.state import ADMINISTRATOR
from croupier.rules.refusal import Refused
from croupier.server.staff.guard import PUBLIC, SIGNED_IN, Pace, address, cookie, token_of
from croupier.server.staff.house import House
from croupier.server.staff.plane import Call, Nothing, Plane
from croupier.server.staff.trouble import Declined
from croupier.table.messages import PersonId
from croupier.table.permits import SUPERVISION

LOGINS = (20, 0.2)
"""Attempts to sign in from one address: so many at once, and so many a second after that."""


class SignIn(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    person: Annotated[str, msgspec.Meta(min_length=1, max_length=64)]
    password: Annotated[str, msgspec.Meta(min_length=1, max_length=1000)]


class EnterAsked(msgspec.Struct, frozen=True):
    key: str


class Me(msgspec.Struct, frozen=True):
    """Who has signed in, and what he is where; nobody, if `person` is null."""

    person: PersonId | None
    roles: tuple[str, ...]
    """By his account."""
    tables: dict[str, tuple[str, ...]]
    cage: tuple[str, ...]
    screens: tuple[str, ...]
    """The pages he has something to do on."""


def me(house: House, person: PersonId | None) -> Me:
    if person is None:
        return Me(None, (), {}, (), ())
    tables = {name: roles for name in house.floor.tables if (roles := house.roles_at(person, name))}
    cage, roles = house.roles_at_cage(person), house.roles(person)
    held = {role for own in tables.values() for role in own}
    screens = {
        "console": "dealer" in held or bool(held & set(SUPERVISION)),
        "pit": bool(held & set(SUPERVISION)),
        "cashier": bool(cage),
        "audit": "auditor" in held or bool(held & set(SUPERVISION)),
        "office": ADMINISTRATOR in roles,
        "lab": bool(held or cage or roles),
    }
    return Me(person, roles, tables, cage, tuple(name for name, there in screens.items() if there))


def session_routes(plane: Plane) -> None:
    house, sessions = plane.house, plane.house.sessions
    pace, secure = Pace(*LOGINS), plane.house.settings.tls

    @plane.get("/api/session", PUBLIC)
    async def who(call: Call, asked: Nothing) -> Me:
        """Who has signed in here."""
        return me(house, call.person)

    @plane.post("/api/session", PUBLIC, statuses=(401, 409, 429))
    async def sign_in(call: Call, asked: Nothing, given: SignIn) -> Me:
        """Sign in with a name and a password; the session is kept in a cookie."""
        where = address(call.request)
        pace.take(where)
        try:
            token = await sessions.login(given.person, given.password, where)
        except Refused as refused:
            if refused.reason == "locked":  # the account, for a while; a table's lock is another thing
                raise Declined(429, "locked", refused.message) from None
            raise
        call.headers["Set-Cookie"] = cookie(token, secure=secure)
        return me(house, PersonId(given.person))

    @plane.delete("/api/session", PUBLIC)
    async def sign_out(call: Call, asked: Nothing) -> Me:
        """End this session."""
        await sessions.logout(token_of(house, call.request))
        call.headers["Set-Cookie"] = cookie("", secure=secure)
        return me(house, None)

    @plane.delete("/api/sessions", SIGNED_IN)
    async def sign_out_everywhere(call: Call, asked: Nothing) -> Me:
        """End every session of this person, on whatever machine."""
        await sessions.logout_everywhere(call.someone)
        call.headers["Set-Cookie"] = cookie("", secure=secure)
        return me(house, None)

    @plane.get("/enter/{key}", PUBLIC, media="text/plain", statuses=(303, 409, 429))
    async def enter(call: Call, asked: EnterAsked) -> Response:
        """Sign in with a one-time link, and go to the page of one's work."""
        where = address(call.request)
        pace.take(where)
        token = await sessions.enter(asked.key, where)
        person = sessions.who(token)
        screens = me(house, person).screens
        there = f"/{screens[0]}" if screens else "/"
        return Response(status_code=303, headers={"Location": there, "Set-Cookie": cookie(token, secure=secure)})

    sessions.on_end(lambda ended: plane.feeds.end(ended.key))
