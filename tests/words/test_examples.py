"""The examples that both readers of the catalogue are held to: this one here, that of the pages in `words.test.ts`."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest

from croupier.rules.statement import Statement
from croupier.words import Catalogue, Fact, Message, catalogue
from tests.words.examples import said
from web.catalogue import compile_text

GOLDEN = json.loads((Path(__file__).parents[1] / "golden" / "words.json").read_text())


@pytest.mark.parametrize(("language", "id", "facts", "sentence"), GOLDEN["said"])
def test_the_agreed_examples_have_their_sentences(
    language: str, id: str, facts: dict[str, Fact], sentence: str
) -> None:
    real = catalogue(language, GOLDEN["zone"].get(language, "UTC"))
    mine = msgspec.convert(compile_text(GOLDEN["ftl"]), dict[str, Message])
    assert Catalogue(real.messages | mine, real.zone).say(id, facts) == sentence


@pytest.mark.parametrize(("language", "one", "sentence"), GOLDEN["stated"])
def test_the_agreed_statements_have_their_sentences(language: str, one: object, sentence: str) -> None:
    assert catalogue(language).statement(msgspec.convert(one, Statement)) == sentence


def test_the_examples_of_every_message_name_no_fact_that_is_missing() -> None:
    assert not [(language, id) for language, id, _, sentence in said() if "{$" in sentence or sentence == id]
