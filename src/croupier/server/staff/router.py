"""Declares the routes of a door: each with an audience, and with types for its request and its answer.

A route without an audience cannot be declared, and only declared routes are served. The description of the door
(OpenAPI) comes from the same declarations that check the requests.
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
from croupier.rules.wrong_values import allowed_for, faults_of_json, missing, not_json, short, unknown
from croupier.server.sessions import key_of
from croupier.server.staff.context import Context
from croupier.server.staff.feeds import ENDED, Feeds, View, close_code
from croupier.server.staff.guard import Audience, admit, check, check_origin, token_of
from croupier.server.staff.problem import AnyRefusal, Problem, problem_of, status_of, without
from croupier.table.messages import PersonId
from croupier.wire import repeated_key
from croupier.words import refusal

MOST_BODY = 64 * 1024
"""Bytes of one request."""
BODY_SECONDS = 10.0
"""Time in which the body of a request must arrive."""
_SAFE = ("GET", "HEAD")
MOST_CACHED = 512
"""Answers of one route that are kept because they are the same for everyone."""
WORTH_PACKING = 2000
"""Bytes from which an answer is compressed."""
_TEXT = re.compile("json|javascript|html|css|svg")
_REF = "#/components/schemas/{name}"

_encode = msgspec.json.Encoder().encode


class Nothing(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A request without parameters."""


@dataclass(slots=True)
class StaffCall:
    """One request that its audience admits."""

    request: Request
    person: PersonId | None
    session: str = ""
    """The digest of the session's token, which is no secret; empty without a session."""
    headers: dict[str, str] = field(default_factory=dict)
    """Headers for the answer."""
    cookies: list[str] = field(default_factory=list)
    """Cookies for the browser."""

    @property
    def someone(self) -> PersonId:
        """The person who asks, on a route that is not public."""
        assert self.person is not None
        return self.person


class Route(NamedTuple):
    """The declaration of a route."""

    method: str
    path: str
    audience: Audience
    says: str
    asks: type[msgspec.Struct]
    """The parameters in the path and in the query."""
    body: type[Any] | None
    returns: Any
    media: str
    statuses: tuple[int, ...]
    once: bool = False
    """The answer is the same for everyone, as long as the door is open."""


class CachedAnswer(NamedTuple):
    """An answer that is the same for everyone: encoded, compressed and tagged once."""

    body: bytes
    packed: bytes
    """The body with gzip; empty if that saves too little."""
    headers: dict[str, str]
    tag: str

    def response_to(self, request: Request) -> Response:
        """The answer, or 304 if the client already has it."""
        if self.tag in request.headers.get("if-none-match", ""):
            return Response(status_code=304, headers=self.headers)
        if self.packed and "gzip" in request.headers.get("accept-encoding", ""):
            return Response(self.packed, headers={**self.headers, "content-encoding": "gzip"})
        return Response(self.body, headers=self.headers)


def _cached(response: Response) -> CachedAnswer:
    body = bytes(response.body)
    kind = response.headers.get("content-type", "application/octet-stream")
    packed = gzip.compress(body, 6, mtime=0) if _worth_packing(kind, body) else b""
    tag = f'W/"{hashlib.sha256(body).hexdigest()[:32]}"'
    keep = response.headers.get("cache-control", "no-cache")
    headers = {"content-type": kind, "cache-control": keep, "etag": tag, "vary": "accept-encoding"}
    return CachedAnswer(body, packed, headers, tag)


Handler = Callable[..., Awaitable[Any]]
SocketHandler = Callable[..., tuple[tuple[str, ...], View]]


class Router:
    """The routes of a door."""

    def __init__(self, app: Starlette, context: Context) -> None:
        self.app = app
        self.context = context
        self.feeds = Feeds(context.floor.clock.now)
        self.routes: list[Route] = []
        self.ends: list[Callable[[], Awaitable[None]]] = []
        """Called when the door closes."""
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
        """`once`: the answer is always the same for everyone, so it is made once."""
        return self._route("GET", path, audience, media, statuses, once)

    def post(self, path: str, audience: Audience, statuses: tuple[int, ...] = ()) -> Callable[[Handler], Handler]:
        return self._route("POST", path, audience, "application/json", statuses)

    def delete(self, path: str, audience: Audience) -> Callable[[Handler], Handler]:
        return self._route("DELETE", path, audience, "application/json", ())

    def _route(
        self, method: str, path: str, audience: Audience, media: str, statuses: tuple[int, ...], once: bool = False
    ) -> Callable[[Handler], Handler]:
        def put(handler: Handler) -> Handler:
            assert audience.public or not once, f"{path}: an answer that is made once must be public"
            route = _declared(method, path, audience, media, statuses, handler)._replace(once=once)
            self.routes.append(route)
            self.app.routes.append(routing.Route(path, self._endpoint(route, handler), methods=[method]))
            return handler

        return put

    def socket(self, path: str, audience: Audience, pushes: Any) -> Callable[[SocketHandler], SocketHandler]:
        """A view that is pushed to our own pages, as long as the viewer is in its audience.

        The handler returns a key and how to make the view: sockets with the same key share one view.
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
                except Refused as no:  # a page can read the reason only from a socket that was open
                    await websocket.accept()
                    await websocket.close(ENDED if status_of(no) == 401 else close_code(no), refusal(no)[:100])
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
        cached: dict[msgspec.Struct, CachedAnswer] = {}

        async def endpoint(request: Request) -> Response:
            try:
                if route.method not in _SAFE:
                    check_origin(self.context, request)
                call = StaffCall(request, await admit(self.context, route.audience, request), self._session(request))
                given = [_asked(route.asks, request)]
                if (found := cached.get(given[0])) is not None:
                    return found.response_to(request)
                if decoder is not None:
                    given.append(_read(decoder, request, await _body(request)))
                answered = await handler(call, *given)
            except (Refused, BadInput) as no:
                return answer(no)
            except ModuleNotFoundError as error:
                return answer(without(error))
            if not isinstance(answered, Response):
                body = answered if isinstance(answered, bytes) else _encode(answered)
                answered = Response(body, media_type=route.media, headers=call.headers)
            for kept in call.cookies:
                answered.headers.append("Set-Cookie", kept)
            if route.once:
                found = _cached(answered)
                if len(cached) < MOST_CACHED:
                    cached[given[0]] = found
                return found.response_to(request)
            return _packed(request, answered) if route.audience.public else answered

        return endpoint

    def _session(self, connection: HTTPConnection) -> str:
        """The digest of the session's token, which is no secret; empty without a session."""
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
    assert in_path <= fields, f"{path}: {in_path - fields} is in the path, but in no type"
    known = {429} | ({404} if in_path else set())
    known |= {422} if fields else set()
    known |= {401} if not audience.public else set()
    known |= {503} if not audience.public else set()
    known |= {403} if audience.place or audience.shown or method not in _SAFE else set()
    known |= {400, 408, 413, 415, 422} if body is not None else set()
    says = (inspect.getdoc(handler) or "").strip()
    assert says, f"{path} has no docstring"
    return Route(method, path, audience, says, asks, body, hints["return"], media, tuple(sorted(known | set(statuses))))


# ---- requests


def _asked(kind: type[msgspec.Struct], request: Request) -> msgspec.Struct:
    """The parameters of the path and the query, as their type. BadInput lists every fault."""
    sent: dict[str, Any] = dict(request.path_params)
    known = {one.encode_name: one for one in msgspec.structs.fields(kind)}
    faults: list[Fault] = []
    for name, value in request.query_params.multi_items():
        if name not in known:
            faults.append(
                Fault("", unknown("parameter", name, [one for one in known if one not in request.path_params]))
            )
        elif name in sent:
            faults.append(Fault("", f"{name} is given twice"))
        else:
            sent[name] = value
    values: dict[str, Any] = {}
    for name, one in known.items():
        if name in sent:
            try:
                values[one.name] = msgspec.convert(sent[name], one.type, strict=False)
            except msgspec.ValidationError:
                faults.append(Fault(name, f"must be {allowed_for(one.type)}, not {short(sent[name])}"))
        elif one.required:
            faults.append(Fault("", missing("parameter", name)))
    if faults:
        raise BadInput(faults)
    return kind(**values)


async def _body(request: Request) -> bytes:
    """The body of a request. One that is too long is not read to its end."""
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
    except msgspec.ValidationError:
        raise BadInput(faults_of_json(decoder.type, body)) from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise Refused("unreadable", "json", error=not_json(body)) from None
    if key is not None:
        raise BadInput([Fault("", f"{key[:64]} is given twice")])
    return read


# ---- answers


def answer(no: AnyRefusal) -> Response:
    """The response for a refusal."""
    return _problem_response(status_of(no), problem_of(no))


def _problem_response(status: int, problem: Problem) -> Response:
    return Response(_encode(problem), status, media_type="application/json")


def _packed(request: Request, response: Response) -> Response:
    """Compress a public response if the client accepts that. Never a private one: the length could leak a secret."""
    kind = response.headers.get("content-type", "")
    if _worth_packing(kind, response.body) and "gzip" in request.headers.get("accept-encoding", ""):
        response.body = gzip.compress(bytes(response.body), 1, mtime=0)
        response.headers.update(
            {"content-encoding": "gzip", "content-length": str(len(response.body)), "vary": "accept-encoding"}
        )
    return response


def _worth_packing(kind: str, body: bytes | memoryview) -> bool:
    return len(body) >= WORTH_PACKING and bool(_TEXT.search(kind))


async def no_such_page(request: Request, error: Exception) -> Response:
    """Paths and methods that no route has."""
    assert isinstance(error, HTTPException)
    path = request.url.path[:200]
    if error.status_code == HTTPStatus.METHOD_NOT_ALLOWED:
        no = Refused("missing", "method", path=path, method=request.method[:20])
    else:
        no = Refused("missing", "route", path=path)
    response = _problem_response(error.status_code, problem_of(no))
    response.headers.update(error.headers or {})
    return response


async def unexpected_error(request: Request, error: Exception) -> Response:
    """An unexpected error: uvicorn logs it, and the answer is 500."""
    return _problem_response(500, problem_of(Refused("fault", "server")))


async def database_away(request: Request, error: Exception) -> Response:
    """The database does not answer now."""
    return answer(Unavailable("away", "database"))
