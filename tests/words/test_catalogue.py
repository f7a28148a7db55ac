"""The catalogue of words: every language says everything, with the same facts, and in the part of Fluent we allow."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from types import SimpleNamespace

import msgspec
import pytest

import web.catalogue
from croupier.words import LANGUAGES, PSEUDO, Catalogue, Choice, Message, Put, catalogue, has, refusal, say
from croupier.words.functions import FUNCTIONS
from web.catalogue import NotAllowed, compiled


def placed(message: Sequence[str | Put | Choice]) -> Iterator[Put | Choice]:
    for part in message:
        if isinstance(part, Put | Choice):
            yield part
        if isinstance(part, Choice):
            for way in part.ways.values():
                yield from placed(way)


def facts(message: Message) -> set[str]:
    return {part.fact for part in placed(message)}


def test_the_compiled_catalogue_is_that_of_the_sources() -> None:
    assert not web.catalogue.build(), "the catalogue was stale; run: make pages"


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_every_message_with_the_same_facts(language: str) -> None:
    ours, english = catalogue(language).messages, catalogue("en").messages
    assert sorted(ours) == sorted(english)
    assert {id: facts(ours[id]) for id in ours} == {id: facts(english[id]) for id in english}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_function_of_a_message_is_one_we_have(language: str) -> None:
    used = {part.by for message in catalogue(language).messages.values() for part in placed(message) if part.by}
    assert used <= set(FUNCTIONS)


def test_only_languages_that_count_one_apart_have_a_text_for_one() -> None:
    """The pages ask the browser how a language counts, and Python does not: so there is nothing to ask."""
    assert not [
        id
        for id, message in catalogue("zh").messages.items()
        if any(isinstance(part, Choice) and "one" in part.ways for part in placed(message))
    ]


def no(reason: str, case: str, message: str = "", **facts: str | int) -> SimpleNamespace:
    return SimpleNamespace(reason=reason, case=case, message=message, facts=facts)


def test_a_refusal_is_said_from_its_facts() -> None:
    over = no("maximum", "over", box="total:9", total=60000, maximum=50000)
    assert refusal(over) == "600.00 on total:9 is over the maximum 500.00"
    assert refusal(over, "zh") == "总和 9 上的 600.00 超过最高 500.00"


def test_a_row_that_has_a_sentence_keeps_it() -> None:
    assert refusal(no("maximum", "", "600.00 on big is too much"), "zh") == "600.00 on big is too much"


def test_what_another_version_wrote_is_shown_by_its_names() -> None:
    assert refusal(no("future", "case")) == "refused-future-case"
    assert say("refused-maximum-over", box="big", total=60000) == "600.00 on big is over the maximum {$maximum}"


def test_the_pseudo_language_is_english_made_longer_with_the_same_facts() -> None:
    assert say("refused-maximum-over", PSEUDO, box="big", total=60000, maximum=50000) == (
        "600.00 ôñ~ big ïs ôvër thë máxïmüm~~~~~~~~ 500.00"
    )
    assert has("refused-maximum-over", PSEUDO)


def written(folder: Path, text: str) -> Catalogue:
    (folder / "en").mkdir()
    (folder / "en" / "some.ftl").write_text(text)
    return Catalogue(msgspec.convert(compiled(folder)["en"], dict[str, Message]))


def test_a_choice_goes_by_a_word_by_a_number_or_by_one_and_other(tmp_path: Path) -> None:
    words = written(
        tmp_path,
        """
bets = { $bets ->
    [0] no bet
    [one] one bet
   *[other] { NUMBER($bets) } bets
 } of { $seat }
how = { $how ->
    [idle] after a while
   *[logout] by hand
 }
list-between = ;
list-or = { " " }or{ " " }
who = { LIST($names, "or") }
""",
    )
    assert [words.say("bets", {"bets": n, "seat": "A1"}) for n in (0, 1, 2000)] == [
        "no bet of A1",
        "one bet of A1",
        "2,000 bets of A1",
    ]
    assert words.say("how", {"how": "idle"}) == "after a while"
    assert words.say("how", {"how": "something new"}) == "by hand"
    assert words.say("who", {"names": ("a", "b", "c")}) == "a;b or c"
    assert words.say("who", {"names": ("a",)}) == "a"


@pytest.mark.parametrize(
    "text",
    [
        "a = { b }",
        "-term = text",
        "a = text\n    .more = text",
        "a = { NUMBER($n, least: 2) }",
        "a = { $n ->\n [one] { $m ->\n [one] x\n *[other] y\n }\n *[other] z\n }",
        "a = one\na = two",
        "a = { $n",
    ],
)
def test_what_one_of_the_readers_would_not_read_is_refused_by_the_build(tmp_path: Path, text: str) -> None:
    with pytest.raises(NotAllowed, match=r"some\.ftl"):
        written(tmp_path, text + "\n")
