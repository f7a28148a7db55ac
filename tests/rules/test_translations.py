"""Every sentence of every book is there in Chinese, beside the book, and none that no book says any more."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from croupier import load_rulebook, rulebook_ids
from croupier.rules.reader import RulebookFaults
from croupier.rules.translations import sentences, translation

BOOKS = rulebook_ids()


@pytest.mark.parametrize("book", BOOKS)
def test_every_sentence_of_a_book_is_in_chinese(book: str) -> None:
    spoken, chinese = set(sentences(load_rulebook(book))), translation(book, "zh")
    assert spoken - chinese.keys() == set()
    assert chinese.keys() - spoken == set(), "the book does not say this any more"


@pytest.mark.parametrize("book", BOOKS)
def test_what_a_sentence_names_is_named_in_its_translation(book: str) -> None:
    for english, chinese in translation(book, "zh").items():
        facts = [sorted(re.findall(r"\{\w+\}", text)) for text in (english, chinese)]
        assert facts[0] == facts[1], english
        assert re.search(r"[\u4e00-\u9fff]", chinese) or english == chinese == facts[0][0], english
        for clause in re.findall(r"(?<![\d.])\d+\.\d+(?:\.\d+)*(?:\(\w\))*", english):
            assert clause in chinese, (english, chinese)
        for number in re.findall(r"(?<![\d.])\d+(?![\d.])", re.sub(r"\d+\.\d[\d.]*", "", english)):
            assert number in chinese, (english, chinese, number)


def test_the_same_sentence_has_one_translation_in_every_book() -> None:
    told: dict[str, str] = {}
    for book in BOOKS:
        for english, chinese in translation(book, "zh").items():
            assert told.setdefault(english, chinese) == chinese, english


def test_a_book_without_a_translation_is_read_in_english(tmp_path: Path) -> None:
    book = tmp_path / "own.toml"
    book.write_text("")
    assert translation(book, "zh") == {}
    (tmp_path / "zh").mkdir()
    (tmp_path / "zh" / "own.toml").write_text('"Small" = "小"\n')
    assert translation(book, "zh") == {"Small": "小"}


def test_a_translation_that_cannot_be_read_says_where(tmp_path: Path) -> None:
    (tmp_path / "zh").mkdir()
    told = tmp_path / "zh" / "own.toml"
    told.write_text('"Small" = 小\n')
    with pytest.raises(RulebookFaults, match="is not TOML"):
        translation(tmp_path / "own.toml", "zh")
    told.write_text('"Small" = 1\n')
    with pytest.raises(RulebookFaults, match="must be a sentence in quotes"):
        translation(tmp_path / "own.toml", "zh")
