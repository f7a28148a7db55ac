"""Typesetting: our templates, facts as data only, fonts from the package, no clock."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Mapping
from datetime import datetime, timedelta
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Literal
from zoneinfo import ZoneInfo

from croupier.rules.refusal import Refused
from croupier.words import catalogue

if TYPE_CHECKING:
    import typst

_MONTHS = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
]
_EPOCH = datetime.fromisoformat("1970-01-01T00:00:00+00:00")
_LATEST = 253_402_214_400_000  # 31 December 9999: in every zone still a year of four digits
_FOLDER = Path(__file__).parent
_PIXELS_PER_INCH = 300
_REMEMBERED = 11


def can_draw() -> bool:
    """Is the typesetter installed? It comes with the extra reports."""
    return find_spec("typst") is not None


def typeset(template: str, facts: Mapping[str, object], at: int, format: Literal["pdf", "png"]) -> bytes:
    """Typeset a template with facts. The page is dated `at`, in milliseconds: the same facts give the same bytes."""
    source = b"".join(_FOLDER.joinpath(f"{name}.typ").read_bytes() for name in ("page", template))
    inputs = {"facts": json.dumps({**facts, "words": _words()})}
    page = _compiler().compile(source, format=format, ppi=_PIXELS_PER_INCH, sys_inputs=inputs, timestamp=at // 1000)
    assert isinstance(page, bytes), f"{template} as {format} is {type(page).__name__}, not one file"
    return page


@cache
def _words() -> dict[str, str]:
    """The words of the templates: `paper-ticket-issued` is `words.ticket-issued` in a template."""
    english = catalogue("en")
    filled = {"page": "{page}", "pages": "{pages}"}
    return {id.removeprefix("paper-"): english.say(id, filled) for id in english.messages if id.startswith("paper-")}


def forget() -> None:
    """Free the memory that a long paper has used, which typst keeps for its next ten pages."""
    compiler = _compiler()
    for _ in range(_REMEMBERED):
        compiler.compile(b"", format="pdf")


def plain(text: str) -> str:
    """A text from outside as one printable line.

    Control characters could command a printer, and marks of writing direction could disguise a name.

    >>> plain("Golden\\tLion \\u202eonisaC\\x1b")
    'Golden Lion onisaC'
    """
    return " ".join("".join(map(_printable, text)).split())


def long_date(at: int, zone: str) -> str:
    """A moment as people read it, in local time.

    >>> long_date(1_763_250_605_000, "Asia/Singapore")
    '16 November 2025, 07:50:05'
    """
    when = _local(at, zone)
    return f"{when.day} {_MONTHS[when.month - 1]} {when.year}, {when:%H:%M:%S}"


def zone_in_full(at: int, zone: str) -> str:
    """A time zone and its distance from UTC at a moment.

    >>> zone_in_full(1_763_250_605_000, "Pacific/Auckland")
    'Pacific/Auckland, UTC+13:00'
    """
    offset = _local(at, zone).isoformat(timespec="seconds")[len("2025-11-16T07:50:05") :]
    return f"{zone}, UTC{offset}"


def _compiler() -> typst.Compiler:
    import typst

    # Without the fonts of the machine, so that every machine prints the same. The root is this folder, so that the
    # current folder is neither read nor needed.
    return typst.Compiler(root=_FOLDER, ignore_system_fonts=True)


def _local(at: int, zone: str) -> datetime:
    if not 0 <= at < _LATEST:
        raise Refused("time", "not-on-paper", at=at, most=_LATEST - 1)
    try:
        known = ZoneInfo(zone)
    except (KeyError, ValueError, OSError):
        raise Refused("time zone", "unknown", zone=plain(zone)[:40]) from None
    return (_EPOCH + timedelta(milliseconds=at)).astimezone(known)


def _printable(letter: str) -> str:
    match unicodedata.category(letter):
        case "Cc" | "Zl" | "Zp" | "Zs":
            return " "
        case "Cf":
            return ""
        case "Cs":
            return "?"  # half of a pair: no encoding can write it
        case _:
            return letter
