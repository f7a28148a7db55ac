"""A verdict is about decisions: changing words of the catalogue changes none."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from croupier import words
from croupier.store.sqlite import SqliteStore
from croupier.store.verify import verify
from croupier.words import Choice, Message, Put, catalogue, languages, say
from tests.support.golden_journal import file_of, put, read
from tests.support.golden_refusals import FILE, SENTENCES


@pytest.fixture(params=[file_of(1), SENTENCES, FILE], ids=lambda file: file.name.split(".")[0])
def journal(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[SqliteStore]:
    """The first journal of today's format, and those with every refusal, as sentences and as facts."""
    store = SqliteStore(tmp_path / "golden.db", reserve=0)
    put(store, *read(request.param))
    yield store
    store.close()


def _other(message: Message) -> Message:
    """Every text of a message with another word before it, in every way it can be said."""
    return tuple(
        f"verily {part}"
        if isinstance(part, str)
        else msgspec.structs.replace(part, ways={key: _way(way) for key, way in part.ways.items()})
        if isinstance(part, Choice)
        else part
        for part in message
    )


def _way(way: tuple[str | Put, ...]) -> tuple[str | Put, ...]:
    return tuple(f"verily {part}" if isinstance(part, str) else part for part in way)


def test_other_words_in_the_catalogue_change_no_verdict(journal: SqliteStore, monkeypatch: pytest.MonkeyPatch) -> None:
    before, said = verify(journal), say("refused-phase-no-round")
    changed = {
        language: {id: _other(message) for id, message in catalogue(language).messages.items()}
        for language in languages()
    }
    monkeypatch.setattr(words, "_compiled", lambda: changed)
    for cached in (words.catalogue, words.wording):
        cached.cache_clear()
    try:
        assert say("refused-phase-no-round") == f"verily {said}"
        assert verify(journal).lies == before.lies == []
    finally:
        monkeypatch.undo()
        for cached in (words.catalogue, words.wording):
            cached.cache_clear()
