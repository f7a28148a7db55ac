"""The books that a floor knows, the tables that may be made under them, and the hour at which a table takes one up."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from croupier.floor.bookshelf import Bookshelf, refusal_for_new_table
from croupier.floor.config import TableConfig, read_tables
from croupier.floor.floor import Floor
from croupier.floor.timers import Timers
from croupier.rules.bad_input import BadInput
from croupier.rules.library import book_of, load_rulebook
from croupier.store.folder import Premises
from croupier.table import messages as m
from croupier.words import refusal
from tests.support.floors import TABLES, until
from tests.support.next_book import BOOK, TABLE, next_version
from tests.support.quick_floor import evening, quick


def test_two_versions_of_one_text_stand_side_by_side(tmp_path: Path) -> None:
    (tmp_path / f"{BOOK}.3.toml").write_text(next_version())
    (tmp_path / f"{BOOK}.4.toml").write_text("nothing")
    shelf = Bookshelf(tmp_path)
    found = [one for one in shelf.books().values() if one.book.id == BOOK]
    assert [one.book.identity.version for one in found] == ["2", "3"]
    assert [str(tmp_path / f"{BOOK}.4.toml") in fault.place for fault in shelf.faults]
    assert len(Bookshelf().books()) == 5


def test_a_book_is_for_new_tables_from_its_hour_until_it_is_replaced() -> None:
    old, new = load_rulebook(BOOK), book_of(next_version())
    since = new.in_force_from or 0
    for book, now, case in (
        (new, since - 1, "before-its-hour"),
        (new, since, ""),
        (old, since - 1, ""),
        (old, since, "replaced"),
    ):
        no = refusal_for_new_table(book, (old, new), now)
        assert (no.case if no else "") == case, (book, now)


def config(file: Path, **changes: object) -> TableConfig:
    [table] = [one for one in read_tables(TABLES) if one.name == TABLE]
    return table.model_copy(update={"rulebook": str(file), "layouts": (), **changes})


def test_a_floor_makes_no_table_under_a_book_that_is_not_in_force_unless_it_is_a_trial(
    premises: Premises, tmp_path: Path
) -> None:
    file = tmp_path / f"{BOOK}.toml"
    file.write_text(next_version("2999-01-01T09:00:00"))

    async def play() -> None:
        floor = Floor(premises, [config(file)], "test")
        with pytest.raises(BadInput) as no:
            await floor.open()
        await floor.abandon()
        assert "2999-01-01 09:00 Asia/Singapore" in no.value.faults[0].line(refusal)
        floor = Floor(premises, [config(file, trial=True)], "test")
        await floor.open()
        assert floor.tables[TABLE].table.book.identity.version == "3"
        await floor.close()
        floor = Floor(premises, [config(file)], "test")  # a table that exists opens again, whatever its file says
        await floor.open()
        await floor.close()

    asyncio.run(play())


def test_the_floor_takes_a_planned_book_up_by_itself_between_two_rounds(premises: Premises) -> None:
    """An automatic Dealer deals without a pause: no round begins under the old book after the hour."""
    text = next_version()
    new = book_of(text)

    async def play() -> None:
        [table] = [one for one in quick() if one.name == TABLE]
        async with evening(premises, [table]) as here:
            live, now = here.live(TABLE), here.floor.clock.now
            timers = asyncio.create_task(Timers(here.floor).run())
            await here.workers.start()
            await until(lambda: live.table.past)
            hour = now() + 1_000
            await here.give(TABLE, m.BringBook("Sam", now(), text))
            await here.two(TABLE, m.TakeUpBook("Sam", now(), BOOK, new.hash, live.table.book.hash, hour))
            assert live.table.planned is not None
            await until(lambda: live.table.changes)
            [change] = live.table.changes
            assert change.at >= hour
            await until(lambda: live.table.next_round > change.round + 2)
            assert len(live.table.past) > 2
            for number, past in live.table.past.items():
                assert (past.round.rulebook_hash == new.hash) == (number >= change.round)
            timers.cancel()

    asyncio.run(play())
