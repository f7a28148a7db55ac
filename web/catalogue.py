"""Compiles the catalogue of words (`src/croupier/words/LANGUAGE/*.ftl`) into the file that Python reads at run time.

The files are Fluent, of which this allows a part only, so that both readers of it stay small and say the same:

    id = text { $fact } { FUNCTION($fact) } { FUNCTION($fact, "word") }
    id = { $fact -> [one] text { $other } *[other] text }

A text is one line, and a message holds at most one level of choice. There are no terms, no attributes, and no message
inside a message.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from fluent.syntax import FluentParser, ast

WORDS = Path(__file__).resolve().parents[1] / "src" / "croupier" / "words"
COMPILED = WORDS / "compiled.json"
IDS = Path(__file__).resolve().parent / "src" / "words" / "ids.d.ts"
"""The pages' type check finds an id that is none."""
LANGUAGES = IDS.with_name("languages.ts")
"""The languages that a page offers."""
Part = str | dict[str, Any]


class NotAllowed(Exception):
    """Something in a file that is not Fluent, or not of the part of Fluent that is used here."""


def build() -> bool:
    """Write what is made of the catalogue if its sources changed; whether there was anything to do."""
    texts = written()
    changed = [file for file, text in texts.items() if not file.exists() or file.read_text() != text]
    for file in changed:
        file.write_text(texts[file])
    return bool(changed)


def written(words: Path = WORDS) -> dict[Path, str]:
    """The compiled catalogue, the list of its ids and that of its languages."""
    whole = compiled(words)
    ids = "".join(f"  | '{id}'\n" for id in sorted(whole["en"]))
    offered = "".join(f"  {{ id: '{id}', name: '{name}', tag: '{tag}' }},\n" for id, name, tag in languages(whole))
    return {
        COMPILED: json.dumps(whole, ensure_ascii=False, indent=0, sort_keys=True) + "\n",
        IDS: f"/** Every id of the catalogue. Written by web/catalogue.py. */\nexport type Id =\n{ids.rstrip()};\n",
        LANGUAGES: "/** Every folder of the catalogue, English first. Written by web/catalogue.py. */\n"
        f"export const LANGUAGES = [\n{offered}] as const;\n",
    }


def compiled(words: Path = WORDS) -> dict[str, dict[str, list[Part]]]:
    """Every message of every language."""
    return {folder.name: _language(folder) for folder in sorted(words.iterdir()) if any(folder.glob("*.ftl"))}


def languages(whole: dict[str, dict[str, list[Part]]]) -> list[tuple[str, str, str]]:
    """(folder, name, tag) of every language, as its own messages say."""
    found = []
    for id in sorted(whole, key=lambda id: (id != "en", id)):
        name, tag = (whole[id].get(f"language-{what}") for what in ("name", "tag"))
        if not (name and tag and all(isinstance(part, str) and "'" not in part for part in (*name, *tag))):
            raise NotAllowed(f"{id}/names.ftl: language-name and language-tag say what the language is called")
        found.append((id, "".join(map(str, name)), "".join(map(str, tag))))
    return found


def compile_text(text: str, place: str = "text") -> dict[str, list[Part]]:
    return dict(_messages(text, place))


def _language(folder: Path) -> dict[str, list[Part]]:
    messages: dict[str, list[Part]] = {}
    for file in sorted(folder.glob("*.ftl")):
        for id, pattern in _messages(file.read_text(), f"{folder.name}/{file.name}"):
            if id in messages:
                raise NotAllowed(f"{folder.name}/{file.name}: {id} stands twice")
            messages[id] = pattern
    return messages


def _messages(text: str, place: str) -> Iterator[tuple[str, list[Part]]]:
    for entry in FluentParser(with_spans=False).parse(text).body:
        match entry:
            case ast.Message(id=id, value=ast.Pattern() as value, attributes=[]):
                yield id.name, list(_pattern(value, f"{place}: {id.name}", inside=False))
            case ast.Comment() | ast.GroupComment() | ast.ResourceComment():
                pass
            case ast.Junk(content=content):
                raise NotAllowed(f"{place}: not Fluent: {str(content).strip()[:80]}")
            case _:
                name = getattr(getattr(entry, "id", None), "name", "")
                raise NotAllowed(f"{place}: {name}: only messages with a text, without attributes")


def _pattern(pattern: ast.Pattern, place: str, *, inside: bool) -> Iterator[Part]:
    for element in pattern.elements:
        if isinstance(element, ast.TextElement):
            if "\n" in element.value:
                raise NotAllowed(f"{place}: a text is one line")
            yield element.value
        else:
            assert isinstance(element, ast.Placeable)
            yield from _placed(element.expression, place, inside=inside)


def _placed(expression: Any, place: str, *, inside: bool) -> Iterator[Part]:
    match expression:
        case ast.StringLiteral():
            yield expression.parse()["value"]
        case ast.SelectExpression() if not inside:
            yield _choice(expression, place)
        case ast.VariableReference() | ast.FunctionReference():
            yield {"type": "put", **_fact(expression, place)}
        case _:
            raise NotAllowed(f"{place}: only facts, functions of one fact, and one level of choice")


def _choice(choice: ast.SelectExpression, place: str) -> Part:
    ways = {_key(variant.key): list(_pattern(variant.value, place, inside=True)) for variant in choice.variants}
    default = next(_key(variant.key) for variant in choice.variants if variant.default)
    return {"type": "choice", **_fact(choice.selector, place), "ways": ways, "default": default}


def _key(key: ast.Identifier | ast.NumberLiteral) -> str:
    return key.name if isinstance(key, ast.Identifier) else str(key.value)


def _fact(expression: Any, place: str) -> dict[str, Any]:
    match expression:
        case ast.VariableReference(id=id):
            return {"fact": id.name}
        case ast.FunctionReference(
            id=id, arguments=ast.CallArguments(positional=[ast.VariableReference(id=fact), *rest], named=[])
        ):
            how = [one.parse()["value"] for one in rest if isinstance(one, ast.StringLiteral)]
            if len(how) == len(rest):
                return {"fact": fact.name, "by": id.name, **({"how": how} if how else {})}
    raise NotAllowed(f"{place}: a function takes one fact, and words in quotes after it")


if __name__ == "__main__":
    build()
