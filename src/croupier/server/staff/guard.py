"""Who may use a route: audiences, the session's cookie, the origin of a page, rate limits, the headers of answers."""

from __future__ import annotations

import re
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, Literal, NamedTuple

from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from croupier.rules.refusal import Refused, Unavailable
from croupier.server.sessions import key_of
from croupier.server.staff.context import Context
from croupier.server.staff.slow_clients import CONNECTION
from croupier.table.messages import PersonId
from croupier.table.roles import ADMINISTRATOR, SUPERVISION

COOKIE = "croupier"
HOST_COOKIE = f"__Host-{COOKIE}"
"""The cookie of a session under TLS: browsers accept it from this host only, and only over TLS."""
HSTS = ("Strict-Transport-Security", "max-age=31536000")
"""On every answer under TLS: for a year, browsers use nothing but TLS."""
BROWSER = "croupier-browser"
"""A long-lived cookie that identifies the browser: two sessions in one browser do not count as two people."""
YEAR = 365 * 24 * 60 * 60


class Audience(NamedTuple):
    """Who may use a route: everyone, everyone who has signed in, or people with one of these roles at a place."""

    name: str
    """Its sentence in the catalogue is `audience-…`."""
    roles: frozenset[str] = frozenset()
    place: Literal["", "table", "some table", "cage", "office"] = ""
    public: bool = False
    shown: bool = False
    """If there is a public door, people who have not signed in see it only at that door."""


PUBLIC = Audience("everyone", public=True)
SHOWN = Audience("everyone", public=True, shown=True)
SIGNED_IN = Audience("signed-in")
CONSOLE = Audience("console", frozenset(("dealer", *SUPERVISION)), "table")
PIT_OF_TABLE = Audience("pit-of-table", frozenset(SUPERVISION), "table")
PIT = Audience("pit", frozenset(SUPERVISION), "some table")
CASHIER = Audience("cage", frozenset(("cashier", *SUPERVISION)), "cage")
AUDIT_OF_TABLE = Audience("audit-of-table", frozenset(("auditor", *SUPERVISION)), "table")
AUDIT = Audience("audit", frozenset(("auditor", *SUPERVISION)), "some table")
OFFICE = Audience("office", frozenset((ADMINISTRATOR,)), "office")
METRICS = Audience("metrics", frozenset(("auditor", ADMINISTRATOR)), "office")


async def admit(context: Context, audience: Audience, connection: HTTPConnection) -> PersonId | None:
    """The person who asks. Refused if the audience does not include them."""
    token = token_of(context, connection)
    person = None
    if token:
        await context.sessions.catch_up(token)
        person = context.sessions.who(token)
    if (client := connection.scope.get("state", {}).get(CONNECTION)) is not None:
        client.set_session(key_of(token) if person is not None else "")
    check(context, audience, person, connection.path_params)
    return person


def check(context: Context, audience: Audience, person: PersonId | None, path: Mapping[str, Any]) -> None:
    """Refused if the audience does not include this person."""
    if audience.public:
        if audience.shown and person is None and context.settings.public:
            raise Refused("public", "elsewhere", address=context.settings.public)
        return
    if context.sessions.database_silent:
        raise Unavailable("away", "sessions")
    if person is None:
        raise Refused("session", "none")
    if audience.place and not audience.roles & _held(context, audience, person, path):
        raise Refused("permission", "audience", person=person, audience=audience.name)


def _held(context: Context, audience: Audience, person: PersonId, path: Mapping[str, Any]) -> frozenset[str]:
    match audience.place:
        case "table":
            return frozenset(context.roles_at(person, str(path["table"])))
        case "cage":
            return frozenset(context.roles_at_cage(person))
        case "office":
            return frozenset(context.roles(person))
        case _:
            return frozenset(role for name in context.floor.tables for role in context.roles_at(person, name))


def check_origin(context: Context, connection: HTTPConnection) -> None:
    """Refused unless one of our own pages asks: a page of another site must not use somebody's session."""
    origin = connection.headers.get("origin")
    if origin is None or origin not in context.settings.origins:
        raise Refused("origin", "foreign")


def cookie_name(*, secure: bool) -> str:
    """The name of the session's cookie, under TLS and without."""
    return HOST_COOKIE if secure else COOKIE


def token_of(context: Context, connection: HTTPConnection) -> str:
    """The token of the session; empty without one."""
    return connection.cookies.get(cookie_name(secure=context.settings.tls), "")


def cookie(token: str, *, secure: bool) -> str:
    """The header that keeps a session in the browser, or, without a token, removes it."""
    parts = [f"{cookie_name(secure=secure)}={token}", "Path=/", "HttpOnly", "SameSite=Strict"]
    return "; ".join(parts + (["Secure"] if secure else []) + ([] if token else ["Max-Age=0"]))


def _browser_name(*, secure: bool) -> str:
    return f"__Host-{BROWSER}" if secure else BROWSER


def browser_cookie(word: str, *, secure: bool) -> str:
    parts = [f"{_browser_name(secure=secure)}={word}", "Path=/", "HttpOnly", "SameSite=Strict", f"Max-Age={YEAR}"]
    return "; ".join(parts + (["Secure"] if secure else []))


def browser_of(connection: HTTPConnection, *, secure: bool) -> str:
    """The browser's identifier, if it has the form of one that this floor made."""
    word = connection.cookies.get(_browser_name(secure=secure), "")
    return word if re.fullmatch(r"[\w-]{43}", word, re.ASCII) else ""


def address(connection: HTTPConnection) -> str:
    """The address that a request comes from."""
    return connection.client.host if connection.client else "unknown"


class RateLimit:
    """Limits acts of one kind by asker: a number at once, then a rate a second. Remembers only the latest askers."""

    def __init__(self, burst: int, each_second: float, most: int = 10_000) -> None:
        self._burst = burst
        self._rate = each_second
        self._most = most
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, asker: str) -> None:
        """Count one act. Unavailable if there were too many."""
        now = time.monotonic()
        left, since = self._left.pop(asker, (float(self._burst), now))
        left = min(self._burst, left + (now - since) * self._rate)
        self._left[asker] = (max(0.0, left - 1), now)
        if len(self._left) > self._most:
            self._left.popitem(last=False)
        if left < 1:
            raise Unavailable("busy", "often")


class Headers:
    """Adds headers to every answer that isolate the pages and keep answers out of caches."""

    def __init__(self, app: ASGIApp, terminals: Callable[[], tuple[str, ...]]) -> None:
        """`terminals` returns the terminals' doors of all machines, so that pages may connect to them."""
        self._app = app
        self._terminals = terminals
        self._policy = lru_cache(maxsize=8)(_policy)
        self._always = [
            (b"x-content-type-options", b"nosniff"),
            (b"referrer-policy", b"no-referrer"),
            (b"cross-origin-opener-policy", b"same-origin"),
            (b"cross-origin-resource-policy", b"same-origin"),
            (b"permissions-policy", b"camera=(), geolocation=(), microphone=()"),
        ]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                policy = (b"content-security-policy", self._policy(self._terminals()))
                headers = [*message["headers"], policy, *self._always]
                if not any(name.lower() == b"cache-control" for name, _ in headers):
                    headers.append((b"cache-control", b"no-store"))
                message["headers"] = headers
            await send(message)

        await self._app(scope, receive, send_with_headers)


def _policy(terminals: tuple[str, ...]) -> bytes:
    policy = {
        "default-src": "'none'",
        "script-src": "'self'",
        "style-src": "'self'",
        "img-src": "'self' data: blob:",
        "font-src": "'self'",
        "media-src": "'self'",
        "connect-src": " ".join(("'self'", *dict.fromkeys(filter(None, terminals)))),
        "base-uri": "'none'",
        "form-action": "'self'",
        "frame-ancestors": "'none'",
    }
    return "; ".join(f"{name} {value}" for name, value in policy.items()).encode()
