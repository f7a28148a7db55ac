"""The words of Croupier: only this room makes sentences for people.

Everything else keeps facts. A message has an id, such as `refused-maximum-over`, and a text in every language, in
`en/*.ftl` and `zh/*.ftl` of this folder. The build compiles them into `compiled.json`, which this module reads.
The pages read the same texts themselves, and one file of examples holds both readers to the same sentences.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import Protocol

import msgspec

from croupier.rules.findings import BadRow, Failed, Finding
from croupier.rules.refusal import Refused, RefusedAs
from croupier.rules.statement import Statement
from croupier.words.functions import FUNCTIONS, Fact
from croupier.words.pseudo import lengthened

__all__ = [
    "PSEUDO",
    "Catalogue",
    "Choice",
    "Fact",
    "Put",
    "alert",
    "at_row",
    "catalogue",
    "finding",
    "has",
    "in_short",
    "languages",
    "notice",
    "of_error",
    "of_finding",
    "of_refusal",
    "of_row",
    "refusal",
    "refusal_id",
    "say",
    "sentence",
    "statement",
    "to_do",
    "why",
    "wording",
]

PSEUDO = "qps"
"""English in strange letters, 40% longer: words that are not in the catalogue stand out, and so do screens without
room."""


class Put(msgspec.Struct, frozen=True, tag="put"):
    """A place for a fact, or for the result of a function of it."""

    fact: str
    by: str = ""
    how: tuple[str, ...] = ()


class Choice(msgspec.Struct, frozen=True, tag="choice"):
    """One of several texts, by a word or by a number."""

    fact: str
    ways: dict[str, tuple[str | Put, ...]]
    default: str
    by: str = ""
    how: tuple[str, ...] = ()


Message = tuple[str | Put | Choice, ...]


def languages(catalogues: Mapping[str, object] | None = None) -> tuple[str, ...]:
    """The languages of the catalogue, or of another one: each is a folder. English is the first.

    >>> languages()
    ('en', 'zh')
    """
    return tuple(sorted(catalogues or _compiled(), key=lambda language: (language != "en", language)))


def say(id: str, language: str = "en", /, **facts: Fact) -> str:
    """The sentence of an id in a language.

    >>> say("refused-maximum-over", "zh", box="big", total=60000, maximum=50000)
    '大 上的 600.00 超过最高注额 500.00'
    """
    return catalogue(language).say(id, facts)


def has(id: str, language: str = "en") -> bool:
    return id in catalogue(language).messages


def refusal(refused: RefusedAs, language: str = "en") -> str:
    """Why something was refused. Old rows, from before facts were kept, have a sentence."""
    if refused.message:
        return refused.message
    return catalogue(language).say(refusal_id(refused.reason, refused.case), refused.facts)


def why(refused: RefusedAs, language: str = "en") -> str:
    """Why something was refused, with the clause that says so."""
    sentence = refusal(refused, language)
    return say("cited", language, sentence=sentence, clause=refused.clause) if refused.clause else sentence


def of_error(error: Exception, language: str = "en") -> str:
    """Why something failed: by the catalogue, or else as the error says."""
    match error:
        case BadRow():
            return at_row(error.what, error.seq, language=language)
        case Failed():
            return in_short(error.what, len(error.what), language)
        case Refused():
            return why(error, language)
        case _:
            return str(error)


class AlertAs(Protocol):
    """An alert as it is raised or kept."""

    @property
    def kind(self) -> str: ...
    @property
    def case(self) -> str: ...
    @property
    def facts(self) -> Mapping[str, Fact]: ...
    @property
    def what(self) -> str: ...
    @property
    def because(self) -> RefusedAs | None: ...


def alert(raised: AlertAs, language: str = "en") -> str:
    """The sentence of an alert. An old alert, from before facts were kept, has one itself."""
    if not raised.case:
        return raised.what
    sentence = catalogue(language).say(alert_id(raised.kind, raised.case), raised.facts)
    if raised.because is None:
        return sentence
    return say("because", language, sentence=sentence, why=why(raised.because, language))


def alert_id(kind: str, case: str) -> str:
    return f"alert-{kind}-{case}"


def notice(kind: str, case: str, facts: Mapping[str, Fact], clause: str | None, language: str = "en") -> str:
    """The sentence of a notice to a Player, with the clause."""
    sentence = catalogue(language).say(notice_id(kind, case), facts)
    return say("cited", language, sentence=sentence, clause=clause) if clause else sentence


def notice_id(kind: str, case: str) -> str:
    return f"notice-{kind}-{case}"


def finding(one: Finding, language: str = "en") -> str:
    """The sentence of a finding, with its cause."""
    return statement(of_finding(one), language)


def at_row(one: Finding, row: int, stream: str = "", language: str = "en") -> str:
    """The sentence of a finding about a row of a stream; row 0 stands for no row."""
    return statement(of_row(one, row, stream), language)


def of_refusal(no: RefusedAs) -> Statement:
    """A refusal as a statement. An old one, from before facts were kept, has its sentence as a fact."""
    if no.message:
        return Statement("story-before-facts", {"text": no.message}, clause=no.clause)
    return Statement(refusal_id(no.reason, no.case), dict(no.facts), clause=no.clause)


def of_finding(one: Finding) -> Statement:
    """A finding as a statement, with its cause."""
    what = Statement(f"found-{one.kind}-{one.case}", dict(one.facts))
    if one.because is None:
        return what
    because = of_finding(one.because) if isinstance(one.because, Finding) else of_refusal(one.because)
    return Statement("because", parts={"sentence": (what,), "why": (because,)})


def of_row(one: Finding, row: int, stream: str = "") -> Statement:
    """A finding about a row of a stream as a statement; row 0 stands for no row."""
    what = of_finding(one)
    where = {"stream": stream} if stream else {}
    if row:
        return Statement("at-stream-row" if stream else "at-row", {**where, "row": row}, {"what": (what,)})
    return Statement("at-stream", {**where}, {"what": (what,)}) if stream else what


def statement(one: Statement, language: str = "en") -> str:
    """The text of a statement, with its parts and its clause."""
    return catalogue(language).statement(one)


def sentence(one: Statement, language: str = "en") -> str:
    """A statement as a sentence by itself."""
    return say("full-stop", language, said=statement(one, language))


def to_do(one: Finding, language: str = "en") -> str:
    """What to do about a finding; empty if its own sentence says so, or there is nothing to do."""
    id = f"do-{one.kind}-{one.case}"
    return catalogue(language).say(id, one.facts) if has(id, language) else ""


def in_short(findings: Sequence[Finding], most: int = 3, language: str = "en") -> str:
    """The first few findings, and how many more there are."""
    listed = say("list-several", language).join(finding(one, language) for one in findings[:most])
    more = len(findings) - most
    return say("list-more", language, told=listed, more=more) if more > 0 else listed


def refusal_id(reason: str, case: str = "") -> str:
    return f"refused-{reason}-{case}".replace(" ", "-") if case else f"refused-{reason}".replace(" ", "-")


class Catalogue:
    """All messages of one language."""

    def __init__(self, messages: dict[str, Message], zone: str = "UTC") -> None:
        self.messages = messages
        self.zone = zone

    def say(self, id: str, facts: Mapping[str, Fact]) -> str:
        """The text of a message. An unknown id or a missing fact shows its name: rows may be of another version."""
        message = self.messages.get(id)
        return id if message is None else self._text(message, facts)

    def statement(self, one: Statement) -> str:
        inside = {name: [*map(self.statement, parts)] for name, parts in one.parts.items()}
        text = self.say(one.id, {**one.facts, **inside})
        return text if one.clause is None else self.say("cited", {"sentence": text, "clause": one.clause})

    def name(self, id: str, /, **facts: str | int) -> str | None:
        message = self.messages.get(id)
        return None if message is None else self._text(message, facts)

    def _text(self, message: Message, facts: Mapping[str, Fact]) -> str:
        return "".join([part if isinstance(part, str) else self._part(part, facts) for part in message])

    def _part(self, part: Put | Choice, facts: Mapping[str, Fact]) -> str:
        if isinstance(part, Put):
            return self._put(part, facts)
        return self._text(part.ways.get(self._way(part, facts), part.ways[part.default]), facts)

    def _put(self, put: Put | Choice, facts: Mapping[str, Fact]) -> str:
        fact = facts.get(put.fact)
        if put.by == "GIVEN":
            return FUNCTIONS[put.by](fact, self)
        if fact is None:
            return f"{{${put.fact}}}"
        if put.by:
            return FUNCTIONS[put.by](fact, self, *put.how)
        return str(fact) if isinstance(fact, str | int) else FUNCTIONS["LIST"](fact, self)

    def _way(self, choice: Choice, facts: Mapping[str, Fact]) -> str:
        """The key of a choice: a word, a number that has a text of its own, or "one" and "other"."""
        fact = facts.get(choice.fact)
        if isinstance(fact, int) and not choice.by and str(fact) not in choice.ways:
            return "one" if fact == 1 else "other"
        return self._put(choice, facts)


@cache
def wording() -> str:
    """A digest of the English of this version: it changes with any word."""
    return sha256(msgspec.json.encode(_compiled()["en"], order="sorted")).hexdigest()[:12]


@cache
def catalogue(language: str, zone: str = "UTC") -> Catalogue:
    if language == PSEUDO:
        return Catalogue({id: _lengthened(message) for id, message in catalogue("en").messages.items()}, zone)
    return Catalogue(_compiled()[language], zone)


@cache
def _compiled() -> dict[str, dict[str, Message]]:
    raw = files(__name__).joinpath("compiled.json").read_bytes()
    return msgspec.json.decode(raw, type=dict[str, dict[str, Message]])


def _lengthened(message: Message) -> Message:
    return tuple(
        lengthened(part)
        if isinstance(part, str)
        else msgspec.structs.replace(part, ways={key: _way(way) for key, way in part.ways.items()})
        if isinstance(part, Choice)
        else part
        for part in message
    )


def _way(way: tuple[str | Put, ...]) -> tuple[str | Put, ...]:
    return tuple(lengthened(part) if isinstance(part, str) else part for part in way)
