"""The description of a door as OpenAPI, made from the declarations of its routes."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from html import escape
from http import HTTPStatus
from typing import Any

import msgspec

from croupier import __version__
from croupier.server.staff.guard import PUBLIC, cookie_name
from croupier.server.staff.problem import Problem
from croupier.server.staff.router import Nothing, Route, Router, StaffCall
from croupier.words import say

_REF = "#/components/schemas/{name}"


def describe(router: Router, door: str = "the staff's door") -> None:
    """Add the routes that serve the description."""
    cookie = cookie_name(secure=router.context.settings.tls)

    @router.get("/api/openapi.json", PUBLIC, once=True)
    async def openapi(call: StaffCall, asked: Nothing) -> dict[str, Any]:
        """This description of every route, as OpenAPI 3.1."""
        return document(router.routes, cookie, door)

    @router.get("/docs", PUBLIC, media="text/html; charset=utf-8", once=True)
    async def docs(call: StaffCall, asked: Nothing) -> bytes:
        """This description as a page to read."""
        return page(router.routes, cookie, door).encode()


def page(routes: list[Route], cookie: str, door: str) -> str:
    """The description as plain HTML, without scripts or other files."""
    description = document(routes, cookie, door)
    sockets = [route for route in routes if route.method == "WS"]
    parts = [
        '<!doctype html><html lang="en"><meta charset="utf-8"><title>Croupier</title>',
        f"<h1>Croupier, {door}</h1>",
        '<p>For programs: <a href="/api/openapi.json">OpenAPI</a>.</p><h2>Routes</h2>',
    ]
    for path, operations in description["paths"].items():
        for method, operation in operations.items():
            parts.append(f"<h3><code>{method.upper()} {escape(path)}</code></h3>")
            parts.append(f"<p>{escape(operation['summary'])} {escape(operation['description'])}</p>")
            parts += _details(operation)
    parts.append("<h2>Sockets</h2>")
    for route in sockets:
        parts.append(f"<h3><code>{escape(route.path)}</code></h3>")
        parts.append(f"<p>{escape(route.says)} For {escape(say(f'audience-{route.audience.name}'))}.</p>")
    parts.append("<h2>Types</h2>")
    for name, schema in sorted(description["components"]["schemas"].items()):
        body = escape(json.dumps(schema, indent=1, ensure_ascii=False))
        parts.append(f'<details id="{escape(name)}"><summary>{escape(name)}</summary><pre>{body}</pre></details>')
    return "\n".join([*parts, "</html>", ""])


def _details(operation: dict[str, Any]) -> Iterator[str]:
    """Parameters, body and answers, with links to their types."""
    for one in operation.get("parameters", ()):
        must = "" if one["required"] else ", optional"
        yield f"<p><code>{escape(one['name'])}</code>, in the {one['in']}{must}: {_linked(one['schema'])}</p>"
    if "requestBody" in operation:
        yield f"<p>Body: {_linked(operation['requestBody']['content']['application/json']['schema'])}</p>"
    for status, answer in operation["responses"].items():
        ((media, content),) = answer["content"].items()
        what = _linked(content["schema"])
        yield f"<p>{status} {escape(answer['description'])}: {what} <small>{escape(media)}</small></p>"


def _linked(schema: dict[str, Any]) -> str:
    if "$ref" in schema:
        name = escape(schema["$ref"].rpartition("/")[2])
        return f'<a href="#{name}">{name}</a>'
    return f"<code>{escape(json.dumps(schema, ensure_ascii=False))}</code>"


def document(routes: list[Route], cookie: str, door: str) -> dict[str, Any]:
    """The routes as OpenAPI, which cannot describe WebSockets."""
    http = [route for route in routes if route.method != "WS"]
    kinds = [kind for route in http for kind in (route.asks, route.body, _json(route)) if kind is not None]
    schemas, components = msgspec.json.schema_components([*kinds, Problem], ref_template=_REF)
    for schema in (*schemas, *components.values()):
        _open_tuples(schema)
    found = {id(kind): schema for kind, schema in zip([*kinds, Problem], schemas, strict=True)}
    paths: dict[str, Any] = {}
    for route in http:
        path = re.sub(r"\{(\w+):\w+\}", r"{\1}", route.path)
        paths.setdefault(path, {})[route.method.lower()] = _operation(route, found, components)
    return {
        "openapi": "3.1.0",
        "info": {"title": f"Croupier, {door}", "version": __version__},
        "paths": paths,
        "components": {
            "schemas": components,
            "securitySchemes": {"session": {"type": "apiKey", "in": "cookie", "name": cookie}},
        },
    }


def _open_tuples(schema: Any) -> None:
    """Drop `items: false`, which generators of clients do not understand: the length of a tuple says the same."""
    match schema:
        case dict():
            if schema.get("items") is False:
                assert schema["minItems"] == schema["maxItems"], schema
                del schema["items"]
            for part in schema.values():
                _open_tuples(part)
        case list():
            for part in schema:
                _open_tuples(part)


def _json(route: Route) -> Any:
    return route.returns if route.media == "application/json" else None


def _operation(route: Route, found: dict[int, Any], components: dict[str, Any]) -> dict[str, Any]:
    first, _, rest = route.says.partition("\n")
    good = found[id(route.returns)] if route.media == "application/json" else {"type": "string", "format": "binary"}
    operation: dict[str, Any] = {
        "summary": first,
        "description": f"{rest.strip()}\n\nFor {say(f'audience-{route.audience.name}')}.".strip(),
        "responses": {
            "200": {"description": "Done", "content": {route.media: {"schema": good}}},
            **{
                str(status): {
                    "description": HTTPStatus(status).phrase,
                    "content": {"application/json": {"schema": found[id(Problem)]}},
                }
                for status in route.statuses
            },
        },
    }
    parameters = list(_parameters(route, components[route.asks.__name__]))
    if parameters:
        operation["parameters"] = parameters
    if route.body is not None:
        content = {"application/json": {"schema": found[id(route.body)]}}
        operation["requestBody"] = {"required": True, "content": content}
    if not route.audience.public:
        operation["security"] = [{"session": []}]
    return operation


def _parameters(route: Route, schema: dict[str, Any]) -> Any:
    in_path = re.findall(r"\{(\w+)", route.path)
    for name, what in schema.get("properties", {}).items():
        yield {
            "name": name,
            "in": "path" if name in in_path else "query",
            "required": name in schema.get("required", ()),
            "schema": {key: value for key, value in what.items() if key != "default"},
        }
