"""Writes src/wire.ts: the types of everything that crosses the wire, from the structs themselves.

`make docs` runs it; a test fails when the file is out of date. `python -m web.wire FOLDER` writes the felt of every
layout there instead, for the tests of the pages.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any, get_args

import msgspec

from croupier import load_rulebook, rulebook_ids
from croupier.analysis.report import sheet
from croupier.cage import messages as cage
from croupier.devices.port import Stage
from croupier.office import messages as office
from croupier.protocol import terminal as protocol
from croupier.rules.rulebook import Device
from croupier.rules.schema import Order
from croupier.server.staff.page_types import STRUCTS
from croupier.server.staff.room import TableState
from croupier.table import messages as table
from croupier.table import view
from croupier.table.state import Phase

TARGET = Path(__file__).parent / "src" / "wire.ts"

UNIONS: dict[str, Any] = {
    "AnyDo": protocol.AnyDo,
    "AnySaid": protocol.AnySaid,
    "AnyCommand": table.AnyCommand,
    "AnyEvent": table.AnyEvent,
    "AnyCageCommand": cage.AnyCageCommand,
    "AnyCageEvent": cage.AnyCageEvent,
    "AnyOfficeCommand": office.AnyOfficeCommand,
    "AnyOfficeEvent": office.AnyOfficeEvent,
}
"""Messages that a page sends or hears, by the name of their union."""

WORDS: dict[str, Any] = {"Device": Device, "Order": Order, "Phase": Phase, "Stage": Stage, "TableState": TableState}
"""Closed lists of words, by the name of their type."""

VIEWS: tuple[type[msgspec.Struct], ...] = (
    view.DisplayView,
    sheet.FeltSheet,
    sheet.BookSheet,
    *STRUCTS,
)
"""What a page shows."""

_HEAD = """// Written by `make docs` from the structs of the server (web/wire.py): do not edit.
// Amounts are whole cents. Optional keys may be left out when sent; what is always sent by the floor is not optional.

"""


_WORDS = {frozenset(get_args(among)): word for word, among in WORDS.items()}


def wire_types() -> str:
    """The whole text of src/wire.ts."""
    structs = {kind for union in UNIONS.values() for kind in get_args(union)} | set(VIEWS)
    ordered = sorted(structs, key=lambda kind: (kind.__module__, kind.__qualname__))
    _, parts = msgspec.json.schema_components(ordered, ref_template="{name}")
    names = {name: _short(name) for name in parts}
    twice = {short for short in names.values() if list(names.values()).count(short) > 1}
    names = {name: _long(name) if short in twice else short for name, short in names.items()}
    always = {struct.__name__ for struct in _always_whole()}
    lines = [
        _struct(names[name], part, names, whole=name in always)
        for name, part in sorted(parts.items(), key=lambda item: names[item[0]])
    ]
    for word, among in WORDS.items():
        lines.append(f"export type {word} =\n" + "\n".join(f"  | '{one}'" for one in get_args(among)) + ";\n")
    for union, kinds in UNIONS.items():
        members = [_named(kind, names) for kind in get_args(kinds)]
        lines.append(f"export type {union} =\n" + "\n".join(f"  | {member}" for member in members) + ";\n")
    return _HEAD + "\n".join(lines)


def _always_whole() -> set[type[msgspec.Struct]]:
    """What the floor says to a terminal with all of its fields, though an older floor may not know the newest."""
    said = {*get_args(protocol.AnySaid), protocol.RoomView}
    return {struct for struct in said if not struct.__struct_config__.omit_defaults}


def _named(kind: type, names: dict[str, str]) -> str:
    return names.get(f"{kind.__module__}.{kind.__qualname__}") or names[kind.__qualname__]


def _short(name: str) -> str:
    """A struct whose name is taken elsewhere is named with its module by msgspec."""
    return name.rpartition(".")[2]


def _long(name: str) -> str:
    """A name that two modules use: what terminals say keeps it, the word of its module goes before the other."""
    words = name.split(".")
    if len(words) == 1 or words[-2] == "protocol":
        return words[-1]
    room = next(word for word in reversed(words[:-1]) if word not in ("messages", "state"))
    return room.capitalize() + words[-1]


def _struct(name: str, part: dict[str, Any], names: dict[str, str], *, whole: bool = False) -> str:
    if "properties" not in part:
        return f"export type {name} = {_type(part, names)};\n"
    required = set(part["properties"] if whole else part.get("required", ()))
    lines = [f"/** {part['description']} */"] if "description" in part and "\n" not in part["description"] else []
    lines.append(f"export interface {name} {{")
    for key, value in part["properties"].items():
        lines.append(f"  {key}{'' if key in required else '?'}: {_type(value, names)};")
    return "\n".join([*lines, "}", ""])


def _type(part: dict[str, Any], names: dict[str, str]) -> str:
    if "$ref" in part:
        return names[part["$ref"]]
    if "anyOf" in part:
        return " | ".join(dict.fromkeys(_type(one, names) for one in part["anyOf"]))
    if "enum" in part:
        if (word := _WORDS.get(frozenset(part["enum"]))) is not None:
            return word
        return " | ".join(msgspec.json.encode(value).decode().replace('"', "'") for value in part["enum"])
    if "const" in part:
        return msgspec.json.encode(part["const"]).decode()
    match part.get("type"):
        case "integer" | "number":
            return "number"
        case "string":
            return "string"
        case "boolean":
            return "boolean"
        case "null":
            return "null"
        case "array" if "prefixItems" in part:
            return f"[{', '.join(_type(one, names) for one in part['prefixItems'])}]"
        case "array":
            return f"readonly {_grouped(_type(part['items'], names))}[]"
        case "object":
            return f"Readonly<Record<string, {_type(part.get('additionalProperties', {}), names)}>>"
        case None:
            return "unknown"
        case other:
            raise AssertionError(f"no type for {other}")


def _grouped(text: str) -> str:
    return f"({text})" if " " in text else text


def write_sheets(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for book in map(load_rulebook, rulebook_ids()):
        for layout in book.layouts:
            name = f"{layout.id.replace('/', '.')}.json"
            (folder / name).write_bytes(msgspec.json.encode(sheet.felt_sheet(layout)))


if __name__ == "__main__":
    if len(sys.argv) > 1:
        write_sheets(Path(sys.argv[1]))
    else:
        TARGET.write_text(wire_types())
