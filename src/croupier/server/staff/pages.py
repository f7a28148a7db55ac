"""Serves the pages of the screens as they were built."""

from __future__ import annotations

import mimetypes
from pathlib import Path, PurePosixPath

import msgspec
from starlette.responses import Response

from croupier.rules.refusal import Refused
from croupier.server.staff.guard import PUBLIC
from croupier.server.staff.router import Nothing, Router, StaffCall

ELSEWHERE = ("lobby", "enter")
"""Pages that are not served under their names: the lobby is at `/`, the other at `/enter/{key}`."""
_FOR_EVER = "public, max-age=31536000, immutable"
HTML = "text/html; charset=utf-8"


class AssetAsked(msgspec.Struct, frozen=True):
    file: str


def page_routes(router: Router) -> None:
    """Every page. If there is a public door, the displays are only there."""
    public = router.context.settings.public
    put_pages(router, tuple(name for name in built(router.context.settings.pages) if name != "display" or not public))
    if public:

        @router.get("/display", PUBLIC, media="text/plain", statuses=(307,))
        async def display(call: StaffCall, asked: Nothing) -> Response:
            """Redirects to the displays at the public door."""
            return Response(status_code=307, headers={"Location": f"{public}/display"})


def built(folder: Path) -> tuple[str, ...]:
    """The pages that are served under their names: all that were built, except those in ELSEWHERE."""
    return tuple(sorted({file.stem for file in folder.glob("*.html")}.difference(ELSEWHERE)))


def put_pages(router: Router, names: tuple[str, ...]) -> None:
    """The lobby, the pages of these names, and their assets."""
    folder = router.context.settings.pages

    def screen(path: str, name: str) -> None:
        @router.get(path, PUBLIC, media=HTML, statuses=(404,), once=True)
        async def page(call: StaffCall, asked: Nothing) -> bytes:
            """A page of the floor."""
            return page_file(folder, f"{name}.html")

    screen("/", "lobby")
    for name in names:
        screen(f"/{name}", name)

    @router.get("/assets/{file:path}", PUBLIC, media="application/octet-stream", once=True)
    async def asset(call: StaffCall, asked: AssetAsked) -> Response:
        """A part of a page. Its name changes with its content."""
        path = PurePosixPath(asked.file)
        if ".." in path.parts or asked.file != str(path):
            # One name for one file, so that the number of cached answers is bounded.
            raise Refused("missing", "file", file=asked.file[:100])
        body = page_file(folder / "assets", asked.file)
        kind = mimetypes.guess_type(asked.file)[0] or "application/octet-stream"
        return Response(body, media_type=kind, headers={"Cache-Control": _FOR_EVER})


def page_file(folder: Path, name: str) -> bytes:
    """A file of this folder. Refused as missing for a path that leads out of it."""
    try:
        file = (folder / name).resolve(strict=True)
        if file.is_file() and file.is_relative_to(folder.resolve()):
            return file.read_bytes()
    except (OSError, ValueError, RuntimeError):
        pass
    raise Refused("missing", "page", file=name[:100])
