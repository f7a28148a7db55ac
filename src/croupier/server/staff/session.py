"""Signing in and out, and who has signed in."""

from __future__ import annotations

from typing import Annotated

import msgspec

from croupier.server.sessions import key_of, new_token
from croupier.server.staff.context import Context
from croupier.server.staff.guard import (
    PUBLIC,
    SIGNED_IN,
    RateLimit,
    address,
    browser_cookie,
    browser_of,
    cookie,
    token_of,
)
from croupier.server.staff.pages import HTML, page_file
from croupier.server.staff.people import CODE, Standing, ToSign
from croupier.server.staff.router import Nothing, Router, StaffCall
from croupier.table.messages import PersonId
from croupier.table.roles import ADMINISTRATOR, SUPERVISION

LOGINS = (20, 0.2)
"""Attempts to sign in from one address: so many at once, and so many a second after that."""


class SignIn(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    person: Annotated[str, msgspec.Meta(min_length=1, max_length=64)]
    password: Annotated[str, msgspec.Meta(min_length=1, max_length=1000)]


class EnterAsked(msgspec.Struct, frozen=True):
    key: str


class SigningAsked(msgspec.Struct, frozen=True):
    place: str
    """The name of a table, or `cage`."""
    request: int


class Me(msgspec.Struct, frozen=True):
    """Who has signed in, and their roles; `person` is null if nobody has."""

    person: PersonId | None
    roles: tuple[str, ...]
    """Those of the account."""
    tables: dict[str, tuple[str, ...]]
    cage: tuple[str, ...]
    screens: tuple[str, ...]
    """The pages that these roles can use."""
    standing: Standing = "nobody"
    code: str = ""
    """The code that people compare when they confirm this person; empty once that is done."""
    passkeys: tuple[str, ...] = ()
    signs: bool = False
    """Does this floor require passkeys for dangerous acts?"""
    has_password: bool = False
    """The old password must be sent to change it."""


def me(context: Context, person: PersonId | None, session: str = "") -> Me:
    if person is None:
        return Me(None, (), {}, (), ())
    tables = {name: roles for name in context.floor.tables if (roles := context.roles_at(person, name))}
    cage, roles = context.roles_at_cage(person), context.roles(person)
    held = {role for held_at in tables.values() for role in held_at}
    screens = {
        "console": "dealer" in held or bool(held & set(SUPERVISION)),
        "pit": bool(held & set(SUPERVISION)),
        "cashier": bool(cage),
        "audit": "auditor" in held or bool(held & set(SUPERVISION)),
        "office": ADMINISTRATOR in roles,
        "lab": bool(held or cage or roles),
    }
    standing, account = context.people.standing(session), context.floor.accounts.accounts[person]
    code = account.password[:CODE] if standing == "unconfirmed" else ""
    has_password = bool(account.password) and not context.sessions.by_link(session)
    useful = tuple(name for name, useful in screens.items() if useful)
    passkeys = tuple(one.credential for one in account.passkeys if not one.until)
    signs = bool(context.floor.accounts.passkeys_since) and not context.settings.demo
    return Me(person, roles, tables, cage, useful, standing, code, passkeys, signs, has_password)


def session_routes(router: Router) -> None:
    context, sessions = router.context, router.context.sessions
    pace, secure = RateLimit(*LOGINS), router.context.settings.tls

    @router.get("/api/session", PUBLIC)
    async def who(call: StaffCall, asked: Nothing) -> Me:
        """Who has signed in with this session."""
        return me(context, call.person, call.session)

    @router.post("/api/session", PUBLIC, statuses=(401, 409, 429))
    async def sign_in(call: StaffCall, asked: Nothing, given: SignIn) -> Me:
        """Sign in with a name and a password; the session is kept in a cookie."""
        where = address(call.request)
        pace.take(where)
        return entered(call, await sessions.login(given.person, given.password, where, browser(call)))

    @router.delete("/api/session", PUBLIC)
    async def sign_out(call: StaffCall, asked: Nothing) -> Me:
        """End this session."""
        await sessions.logout(token_of(context, call.request))
        call.cookies.append(cookie("", secure=secure))
        return me(context, None)

    @router.delete("/api/sessions", SIGNED_IN)
    async def sign_out_everywhere(call: StaffCall, asked: Nothing) -> Me:
        """End every session of this person, on every machine."""
        await sessions.logout_everywhere(call.someone)
        call.cookies.append(cookie("", secure=secure))
        return me(context, None)

    @router.get("/enter/{key}", PUBLIC, media=HTML, statuses=(404,))
    async def link_page(call: StaffCall, asked: EnterAsked) -> bytes:
        """The page of a one-time link. Opening it does not use the link up."""
        return page_file(context.settings.pages, "enter.html")

    @router.post("/enter/{key}", PUBLIC, statuses=(409, 429))
    async def enter(call: StaffCall, asked: EnterAsked) -> Me:
        """Sign in with a one-time link, which uses it up. The page at this address sends this request."""
        where = address(call.request)
        pace.take(where)
        return entered(call, await sessions.enter(asked.key, where, browser(call)))

    @router.get("/api/places/{place}/requests/{request}/challenge", SIGNED_IN)
    async def to_sign(call: StaffCall, asked: SigningAsked) -> ToSign:
        """The challenge that a passkey must sign for a request that waits for a second person."""
        return context.people.to_sign(asked.place, asked.request, call.someone)

    def browser(call: StaffCall) -> str:
        """The identifier of this browser; a new one, if it has none."""
        kept = browser_of(call.request, secure=secure)
        if not kept:
            kept = new_token()
            call.cookies.append(browser_cookie(kept, secure=secure))
        return kept

    def entered(call: StaffCall, token: str) -> Me:
        call.cookies.append(cookie(token, secure=secure))
        context.people.entered(token)
        return me(context, sessions.who(token), key_of(token))

    sessions.on_end(lambda ended: router.feeds.end(ended.key))
