"""The sentences of a book that people see, and their translations.

Only the approved English text is law. A translation is in a folder of its language in the folder of the book, as
`zh/<id>.toml`, keyed by the English sentences, so that a sentence that changes loses its translation.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from importlib.resources import files
from pathlib import Path

from croupier.rules.bad_input import Fault
from croupier.rules.library import read_bytes
from croupier.rules.reader import RulebookFaults
from croupier.rules.rulebook import Rulebook


def sentences(book: Rulebook) -> tuple[str, ...]:
    """Every sentence of a book that a screen may show, once: names, calls, prompts, clauses, readings.

    >>> from croupier import load_rulebook
    >>> sentences(load_rulebook("mbs-sands-roulette-v2"))[0]
    'Sands Roulette'
    """
    return tuple(dict.fromkeys(sentence for sentence in _all(book) if sentence))


def _all(book: Rulebook) -> Iterator[str | None]:
    identity = book.identity
    yield from (identity.title, *identity.also_known_as, identity.operator, identity.authority, identity.approved_under)
    yield from book.titles.values()
    yield from (call.words for call in book.calls)
    announced = book.announcement.model_dump()
    yield from (announced.get(part) for part in ("one", "two", "three", "then", "number"))
    for layout in book.layouts:
        yield from (layout.title, layout.appendix, layout.felt.note)
        yield from (layout.box(name).kind for name in layout.boxes)
    yield from (prompt.says for prompt in book.prompts)
    for part in book.irregularities:
        yield from (part.id, part.trigger)
    yield from (clause.says for clause in book.clauses.values())
    for reading in book.readings:
        yield from (reading.says, reading.read, reading.why, reading.alternative)


def results(book: Rulebook, translated: Mapping[str, str]) -> dict[str, str]:
    """Every called result of a book in another language; `translated` is the translation of the book.

    >>> from croupier import load_rulebook
    >>> book = load_rulebook("nz-taisai-division9")
    >>> results(book, translation(book.id, "zh"))["double 3, 4, total 10"]
    '对 3、4、总和 10'
    """
    found = {}
    for outcome in book.space.outcomes:
        parts = book.announced(outcome)
        if all(form in translated for form, _ in parts):
            found[book.announce(outcome)] = "、".join(translated[form].format(**facts) for form, facts in parts)
    return found


def translation(source: str | Path, language: str) -> dict[str, str]:
    """The translations of a book's sentences by the English ones; empty if there are none.

    >>> translation("mbs-sands-roulette-v2", "zh")["Sands Roulette"]
    '金沙轮盘'
    """
    if str(source).endswith(".toml"):
        path = Path(source).parent / language / Path(source).name
        text = read_bytes(path).decode() if path.exists() else ""
    else:
        packaged = files("croupier").joinpath("rulebooks", language, f"{source}.toml")
        path, text = Path(f"{language}/{source}.toml"), packaged.read_text() if packaged.is_file() else ""
    try:
        translated = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise RulebookFaults(str(path), [Fault("", f"is not TOML: {error}")]) from None
    faults = [
        Fault(key, "must be a sentence in quotes") for key, text in translated.items() if not isinstance(text, str)
    ]
    if faults:
        raise RulebookFaults(str(path), faults)
    return translated
