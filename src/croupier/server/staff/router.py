"""The one way to put a route on this door: with an audience, and with types for all that comes in and goes out.

What has no audience cannot be registered, and what is not registered here is not there. The description of the door
(OpenAPI) is made from the same declarations that the routes are checked with.
"""

from __future__ import annotations

import asyncio
import gzip
import hashlib
import inspect
import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any, NamedTuple, get_type_hints

import msgspec
from starlette import routing
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection, Request
from starlette.responses import Response
from starlette.websockets import WebSocket

from croupier.rules.bad_input import BadInput, Fault
from croupier.rules.refusal import Refused, Unavailable
from croupier.server.sessions import key_of
from croupier.server.staff.context import Context
from croupier.server.staff.feeds import ENDED, Feeds, View, leaving
from croupier.server.staff.guard import Audience, admit, check, check_origin, token_of
from croupier.server.staff.problem import Problem, Trouble, status_of, trouble_of, without
from croupier.table.messages import PersonId
from croupier.wire import repeated_key
from croupier.words import refusal

MOST_BODY = 64 * 1024
"""Bytes of one request."""
BODY_SECONDS = 10.0
"""In which the body of a request must come."""
_SAFE = ("GET", "HEAD")
MOST_MADE = 512
"""Answers of one route that are kept, because they are the same for everyone."""
WORTH_PACKING = 2000
"""Bytes."""
_TEXT = re.compile("json|javascript|html|css|svg")
_REF = "#/components/schemas/{name}"

_encode = msgspec.json.Encoder().encode


class Nothing(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A request that says nothing beyond its path."""


@dataclass(slots=True)
class StaffCall:
    """One request, once it was let in."""

    request: Request
    person: PersonId | None
    session: str = ""
    """The name of the session, which is no secret; empty if there is none."""
    headers: dict[str, str] = field(default_factory=dict)
    """To be put on the answer."""
    cookies: list[str] = field(default_factory=list)
    """To be kept in the browser."""

    @property
    def someone(self) -> PersonId:
        """The person, on a route that is not for everyone."""
        assert self.person is not None
        return self.person


class Route(NamedTuple):
    """A route as it is declared."""

    method: str
    path: str
    audience: Audience
    says: str
    asks: type[msgspec.Struct]
    """What is in the path and after the question mark."""
    body: type[Any] | None
    returns: Any
    media: str
    statuses: tuple[int, ...]
    once: bool = False
    """The same for everyone, as long as the door is open."""


class Made(NamedTuple):
    """An answer that is the same for everyone: made, packed and named once."""

    body: bytes
    packed: bytes
    """With gzip; empty if it is not worth it."""
    headers: dict[str, str]
    tag: str

    def told(self, request: Request) -> Response:
        """The answer; to whoever has it already, that it is still so."""
        if self.tag in request.headers.get("if-none-match", ""):
            return Response(status_code=304, headers=self.headers)
        if self.packed and "gzip" in request.headers.get("accept-encoding", ""):
            return Response(self.packed, headers={**self.headers, "content-encoding": "gzip"})
        return Response(self.body, headers=self.headers)


def _made(said: Response) -> Made:
    body = bytes(said.body)
    kind = said.headers.get("content-type", "application/octet-stream")
    packed = gzip.compress(body, 6, mtime=0) if _worth_packing(kind, body) else b""
    tag = f'W/"{hashlib.sha256(body).hexdigest()[:32]}"'
    keep = said.headers.get("cache-control", "no-cache")
    headers = {"content-type": kind, "cache-control": keep, "etag": tag, "vary": "accept-encoding"}
    return Made(body, packed, headers, tag)


Handler = Callable[..., Awaitable[Any]]
SocketHandler = Callable[..., tuple[tuple[str, ...], View]]


class Router:
    """The door's routes."""

    def __init__(self, app: Starlette, context: Context) -> None:
        self.app = app
        self.context = context
        self.feeds = Feeds(context.floor.clock.now)
        self.routes: list[Route] = []
        self.ends: list[Callable[[], Awaitable[None]]] = []
        """What must be ended with the door."""
        app.state.router = self

    def get(
        self,
        path: str,
        audience: Audience,
        *,
        media: str = "application/json",
        statuses: tuple[int, ...] = (),
        once: bool = False,
    ) -> Callable[[Handler], Handler]:
        """`once`: what is answered is the same for everyone and always, so it is made once."""
        return self._route("GET", path, audience, media, statuses, once)

    def post(self, path: str, audience: Audience, statuses: tuple[int, ...] = ()) -> Callable[[Handler], Handler]:
        return self._route("POST", path, audience, "application/json", statuses)

    def delete(self, path: str, audience: Audience) -> Callable[[Handler], Handler]:
        return self._route("DELETE", path, audience, "application/json", ())

    def _route(
        self, method: str, path: str, audience: Audience, media: str, statuses: tuple[int, ...], once: bool = False
    ) -> Callable[[Handler], Handler]:
        def put(handler: Handler) -> Handler:
            assert audience.public or not once, f"{path}: what is made once is for everyone"
            route = _declared(method, path, audience, media, statuses, handler)._replace(once=once)
            self.routes.append(route)
            self.app.routes.append(routing.Route(path, self._endpoint(route, handler), methods=[method]))
            return handler

        return put

    def socket(self, path: str, audience: Audience, pushes: Any) -> Callable[[SocketHandler], SocketHandler]:
        """A view that is pushed, to our own pages and to its audience, for as long as it is that.

        The handler names what a socket asks for: two sockets with one name are shown one view.
        """

        def put(handler: SocketHandler) -> SocketHandler:
            async def endpoint(websocket: WebSocket) -> None:
                try:
                    check_origin(self.context, websocket)
                except Refused as no:
                    await websocket.send_denial_response(answer(no))
                    return
                try:
                    person = await admit(self.context, audience, websocket)
                    key, make = handler(person, **websocket.path_params)
                except Refused as no:  # a page can read why it was sent away only from a socket that was open
                    await websocket.accept()
                    await websocket.close(ENDED if status_of(no) == 401 else leaving(no), refusal(no)[:100])
                    return

                def look() -> tuple[int, msgspec.Struct]:
                    check(self.context, audience, person, websocket.path_params)
                    return make()

                await self.feeds.show(websocket, self._session(websocket), key, look)

            says = inspect.getdoc(handler) or handler.__name__
            self.routes.append(Route("WS", path, audience, says, Nothing, None, pushes, "", ()))
            self.app.routes.append(routing.WebSocketRoute(path, endpoint))
            return handler

        return put

    def _endpoint(self, route: Route, handler: Handler) -> Callable[[Request], Awaitable[Response]]:
        decoder = msgspec.json.Decoder(route.body) if route.body is not None else None
        made: dict[msgspec.Struct, Made] = {}

        async def endpoint(request: Request) -> Response:
            try:
                if route.method not in _SAFE:
                    check_origin(self.context, request)
                call = StaffCall(request, await admit(self.context, route.audience, request), self._session(request))
                given = [_asked(route.asks, request)]
                if (there := made.get(given[0])) is not None:
                    return there.told(request)
                if decoder is not None:
                    given.append(_read(decoder, request, await _body(request)))
                said = await handler(call, *given)
            except (Refused, BadInput) as no:
                return answer(no)
            except ModuleNotFoundError as error:
                return answer(without(error))
            if not isinstance(said, Response):
                body = said if isinstance(said, bytes) else _encode(said)
                said = Response(body, media_type=route.media, headers=call.headers)
            for kept in call.cookies:
                said.headers.append("Set-Cookie", kept)
            if route.once:
                there = _made(said)
                if len(made) < MOST_MADE:
                    made[given[0]] = there
                return there.told(request)
            return _packed(request, said) if route.audience.public else said

        return endpoint

    def _session(self, connection: HTTPConnection) -> str:
        """The name of a session, which is no secret; empty if there is none."""
        token = token_of(self.context, connection)
        return key_of(token) if token else ""


def _declared(
    method: str, path: str, audience: Audience, media: str, statuses: tuple[int, ...], handler: Handler
) -> Route:
    hints = get_type_hints(handler, include_extras=True)
    names = list(inspect.signature(handler).parameters)
    asks, body = hints[names[1]], hints[names[2]] if len(names) > 2 else None
    in_path = set(re.findall(r"\{(\w+)", path))
    fields = {one.encode_name for one in msgspec.structs.fields(asks)}
    assert in_path <= fields, f"{path}: {in_path - fields} is in the path and in no type"
    known = {429} | ({404} if in_path else set())
    known |= {422} if fields else set()
    known |= {401} if not audience.public else set()
    known |= {503} if not audience.public else set()
    known |= {403} if audience.place or audience.shown or method not in _SAFE else set()
    known |= {400, 408, 413, 415, 422} if body is not None else set()
    says = (inspect.getdoc(handler) or "").strip()
    assert says, f"{path} says nothing of itself"
    return Route(method, path, audience, says, asks, body, hints["return"], media, tuple(sorted(known | set(statuses))))


# ---- what comes in


def _asked(kind: type[msgspec.Struct], request: Request) -> msgspec.Struct:
    """What is in the path and after the question mark, as its type; every fault at once."""
    said: dict[str, Any] = dict(request.path_params)
    known = {one.encode_name: one for one in msgspec.structs.fields(kind)}
    faults: list[Fault] = []
    for name, value in request.query_params.multi_items():
        if name not in known:
            faults.append(Fault("", f"{name[:64]} is not known here; known: {', '.join(known) or 'nothing'}"))
        elif name in said:
            faults.append(Fault("", f"{name} is given twice"))
        else:
            said[name] = value
    values: dict[str, Any] = {}
    for name, one in known.items():
        if name in said:
            try:
                values[one.name] = msgspec.convert(said[name], one.type, strict=False)
            except msgspec.ValidationError as error:
                faults.append(Fault(name, str(error)))
        elif one.required:
            faults.append(Fault("", f"{name} is missing"))
    if faults:
        raise BadInput(faults)
    return kind(**values)


async def _body(request: Request) -> bytes:
    """The body of a request; one that is too long is not read to its end."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json":
        raise Refused("media", "json")
    parts, size = [], 0
    try:
        async with asyncio.timeout(BODY_SECONDS):
            async for part in request.stream():
                size += len(part)
                if size > MOST_BODY:
                    raise Refused("size", "body", most=MOST_BODY)
                parts.append(part)
    except TimeoutError:
        raise Unavailable("slow", "body", seconds=int(BODY_SECONDS)) from None
    return b"".join(parts)


def _read(decoder: msgspec.json.Decoder[Any], request: Request, body: bytes) -> Any:
    try:
        read = decoder.decode(body)
        key = repeated_key(body)
    except msgspec.ValidationError as error:
        raise BadInput([Fault("", str(error))]) from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise Refused("unreadable", "json", error=str(error)) from None
    if key is not None:
        raise BadInput([Fault("", f"{key[:64]} is given twice")])
    return read


# ---- what goes out


def answer(no: Problem) -> Response:
    """A refusal as it leaves this door."""
    return _trouble(status_of(no), trouble_of(no))


def _trouble(status: int, trouble: Trouble) -> Response:
    return Response(_encode(trouble), status, media_type="application/json")


def _packed(request: Request, said: Response) -> Response:
    """What everyone may read goes out compressed, to whoever can read that: beside a secret its length would tell."""
    kind = said.headers.get("content-type", "")
    if _worth_packing(kind, said.body) and "gzip" in request.headers.get("accept-encoding", ""):
        said.body = gzip.compress(bytes(said.body), 1, mtime=0)
        said.headers.update(
            {"content-encoding": "gzip", "content-length": str(len(said.body)), "vary": "accept-encoding"}
        )
    return said


def _worth_packing(kind: str, body: bytes | memoryview) -> bool:
    return len(body) >= WORTH_PACKING and bool(_TEXT.search(kind))


async def not_there(request: Request, error: Exception) -> Response:
    """What the framework itself refuses: paths and methods that are not there."""
    assert isinstance(error, HTTPException)
    message = f"{request.method} {request.url.path[:200]}: {HTTPStatus(error.status_code).phrase.lower()}"
    said = _trouble(error.status_code, Trouble("missing", message))
    said.headers.update(error.headers or {})
    return said


async def our_fault(request: Request, error: Exception) -> Response:
    """A bug of ours: it is in the log; whoever asked learns that it is not his fault."""
    return _trouble(500, Trouble("fault", "something is wrong here; it has been written down"))


async def away(request: Request, error: Exception) -> Response:
    """The database does not answer just now."""
    return answer(Unavailable("away", "database"))
