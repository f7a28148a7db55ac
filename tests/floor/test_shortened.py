"""A table whose journal was shortened while the floor was closed stops with an alert, until the loss is mended."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from croupier.cli import app
from croupier.cli.accounts import Desk
from croupier.cli.doctor import examine
from croupier.floor.floor import Floor, LiveTable
from croupier.floor.stopped import StandsStill
from croupier.floor.timers import Timers
from croupier.rules.refusal import Refused
from croupier.server.player.seat_view import SeatViews
from croupier.server.settings import read_settings
from croupier.server.staff.metrics import stopped_streams
from croupier.store.checkpoint import trusted
from croupier.store.folder import Premises, open_store
from croupier.store.heads import remembered
from croupier.store.sqlite import SqliteStore
from croupier.store.verify import verify
from croupier.table import messages as m
from croupier.table.messages import BetId, SeatId
from tests.support.floors import TABLES, opened, seated, until

TABLE = "sicbo-rws"
PASSWORDS = {
    "admin": "the keeper of accounts",
    "Pat": "correct horse battery",
    "Max": "staple under the stairs",
    "Sam": "a third long password",
}


def killed(premises: Premises, folder: Path, bets: int = 10) -> Premises:
    """The floor as kill -9 leaves it, with only bets of one table in its log."""

    async def play() -> None:
        async with opened(premises) as floor:
            await seated(floor)
            live = floor.tables[TABLE]
            await floor.give(live.recorder, m.OpenTable("Max", floor.clock.now()))
            await floor.give(live.recorder, m.OpenBetting("Dana", floor.clock.now()))
            store = floor.database
            assert isinstance(store, SqliteStore)
            store._run("PRAGMA wal_checkpoint(TRUNCATE)")
            for number in range(bets):
                assert await bet(floor, live, number)
            shutil.copytree(premises.folder, folder)

    asyncio.run(play())
    return Premises(folder)


async def bet(floor: Floor, live: LiveTable, number: int) -> bool:
    round = live.table.round
    assert round is not None
    command = m.PlaceBet("A1", floor.clock.now(), BetId(f"b{number}"), round.number, SeatId("A1"), "small", 1_000)  # type: ignore[arg-type]
    answer = await floor.give(live.recorder, command)
    return answer is not None and answer.entry.refused is None


def shorten(premises: Premises) -> None:
    """One bit in the middle of the log."""
    log = premises.folder / "floor.db-wal"
    body = bytearray(log.read_bytes())
    body[len(body) // 2] ^= 4
    log.write_bytes(body)
    (premises.folder / "floor.db-shm").unlink(missing_ok=True)


def on(premises: Premises, play: Callable[[Floor], object]) -> None:
    async def main() -> None:
        async with opened(premises) as floor:
            result = play(floor)
            if asyncio.iscoroutine(result):
                await result

    asyncio.run(main())


@pytest.fixture
def short(premises: Premises, tmp_path: Path) -> Premises:
    with Desk(read_settings({"floor": premises.folder, "tables": TABLES})) as desk:
        desk.name_founders({name: word for name, word in PASSWORDS.items() if name != "Sam"})
        desk.set_password("Sam", PASSWORDS["Sam"])
    there = killed(premises, tmp_path / "killed")
    shutil.copytree(there.folder, tmp_path / "better")
    shorten(there)
    return there


def accept(premises: Premises, *words: str, typed: str = "") -> Result:
    where = ("--floor", str(premises.folder), "--tables", str(TABLES))
    return CliRunner().invoke(app, ["accept-loss", *words, *where], input=typed)


BOTH = (TABLE, "--by", "Pat", "--second", "Max", "--reason", "the log was damaged, and no copy is newer")
TYPED = f"{PASSWORDS['Pat']}\n{PASSWORDS['Max']}\n"


def test_a_table_whose_journal_is_too_short_stops_with_an_alert_while_the_others_play_on(
    short: Premises,
) -> None:
    async def look(floor: Floor) -> None:
        live, other = floor.tables[TABLE], floor.tables["taisai-nz"]
        assert live.stopped is not None
        assert live.stopped.case == "shortened"
        assert [recorder.name for recorder in floor.recorders() if not recorder.owned] == [TABLE]
        assert await floor.give(live.recorder, m.CallNoMoreBets("Dana", floor.clock.now())) is None
        answer = await floor.give(other.recorder, m.OpenTable("Max", floor.clock.now()))
        assert answer is not None
        assert answer.entry.refused is None
        assert StandsStill(TABLE, live.stopped) in stopped_streams(floor)
        work = asyncio.create_task(Timers(floor).run())
        await until(lambda: any(alert.kind == "journal" for alert in floor.accounts.alerts.values()))
        work.cancel()
        [alert] = [alert for alert in floor.accounts.alerts.values() if alert.kind in ("journal", "table-stopped")]
        assert (alert.table, alert.kind) == (TABLE, "journal")
        assert alert.case == "shortened"
        assert alert.facts["ends"] < alert.facts["reached"]  # type: ignore[operator]

    before = remembered(short.heads).places[TABLE]
    on(short, look)
    assert remembered(short.heads).places[TABLE] == before, "what was reached is remembered until it is there again"
    on(short, _still_stopped)


def _still_stopped(floor: Floor) -> None:
    assert floor.tables[TABLE].stopped is not None


def test_doctor_and_verify_name_what_is_missing(short: Premises) -> None:
    findings = list(examine(read_settings({"floor": short.folder, "tables": TABLES, "approved": "off"})))
    [what] = [one.what for one in findings if (one.state, one.check) == ("fail", "journal")]
    said = CliRunner().invoke(app, ["verify", "--floor", str(short.folder)])
    assert said.exit_code == 1
    assert what in said.output
    assert what.startswith(f"{TABLE} ends at row")


def test_a_better_copy_that_is_put_back_plays_on(short: Premises, tmp_path: Path) -> None:
    on(short, lambda floor: None)
    for name in ("floor.db", "floor.db-wal"):
        shutil.copyfile(tmp_path / "better" / name, short.folder / name)
    (short.folder / "floor.db-shm").unlink(missing_ok=True)

    async def look(floor: Floor) -> None:
        assert all(live.stopped is None for live in floor.tables.values())
        assert len(floor.tables[TABLE].table.round.bets) == 10  # type: ignore[union-attr]

    on(short, look)


def test_two_people_accept_a_loss_and_play_goes_on_with_a_notice_to_every_player(short: Premises) -> None:
    on(short, _still_stopped)
    assert accept(short).exit_code == 1
    assert "are missing" in accept(short).output
    done = accept(short, *BOTH, typed=TYPED)
    assert done.exit_code == 0, done.output
    assert accept(short).output.startswith("Nothing is missing")

    async def look(floor: Floor) -> None:
        live = floor.tables[TABLE]
        assert live.stopped is None
        assert live.table.phase == "interrupted"
        told = SeatViews(live).view(SeatId("A1"), 0).notices
        assert [notice.kind for notice in told] == ["loss"]
        assert "were lost; a registered bet or credit may be missing" in told[0].message
        await floor.restore(live)

    on(short, look)
    heads, store = remembered(short.heads).places, open_store(short.address)
    verdict = verify(store, trusted(short.checkpoints, short.public_key), heads)
    store.close()
    assert verdict.lies == []
    assert [(one.facts["person"], one.facts["second"]) for one in verdict.losses] == [("Pat", "Max")]


@pytest.mark.parametrize(
    ("words", "typed", "reason"),
    [
        ((TABLE, "--by", "Pat", "--second", "Pat", "--reason", "x"), "", "same-person"),
        ((TABLE, "--by", "Pat", "--reason", "x"), "", "same-person"),
        ((TABLE, "--by", "Pat", "--second", "Max"), TYPED, "reason"),
        ((TABLE, "--by", "Pat", "--second", "Dana", "--reason", "x"), f"{PASSWORDS['Pat']}\nx\n", "permission"),
        ((TABLE, "--by", "Pat", "--second", "Max", "--reason", "x"), f"{PASSWORDS['Pat']}\nwrong\n", "login"),
        ((TABLE, "--by", "Pat", "--second", "Max", "--reason", "x"), f"wrong\n{PASSWORDS['Max']}\n", "login"),
        ((TABLE, "--by", "Pat", "--second", "Sam", "--reason", "x"), f"{PASSWORDS['Pat']}\n", "unconfirmed"),
        (("taisai-nz", "--by", "Pat", "--second", "Max", "--reason", "x"), TYPED, "loss"),
    ],
)
def test_who_may_not_accept_a_loss_changes_nothing(
    short: Premises, words: tuple[str, ...], typed: str, reason: str
) -> None:
    said = accept(short, *words, typed=typed)
    assert isinstance(said.exception, Refused)
    assert said.exception.reason == reason
    assert accept(short).exit_code == 1


def test_nothing_is_written_to_an_office_that_is_too_short(premises: Premises) -> None:
    settings = read_settings({"floor": premises.folder, "tables": TABLES})
    with Desk(settings) as desk:
        desk.new_password("Pat")
        copy = premises.folder.with_name("old.db")
        desk._store._run("VACUUM INTO ?", (str(copy),))  # type: ignore[attr-defined]
        desk.new_password("Max")
    for ending in ("-wal", "-shm"):
        premises.folder.joinpath(f"floor.db{ending}").unlink(missing_ok=True)
    shutil.copyfile(copy, premises.folder / "floor.db")
    with pytest.raises(Refused, match=r"loss .*office"), Desk(settings):
        pass


def test_heads_that_are_gone_or_damaged_raise_an_alert(premises: Premises) -> None:
    on(premises, lambda floor: None)
    on(premises, lambda floor: _no_warnings(floor))
    [file] = premises.heads.iterdir()
    whole = file.read_bytes()
    file.write_bytes(b"x" + whole[1:])
    on(premises, lambda floor: _warned(floor, "unreadable"))
    shutil.rmtree(premises.heads)
    on(premises, lambda floor: _warned(floor, "gone"))
    on(premises, lambda floor: _no_warnings(floor))


def test_what_was_signed_is_missed_too_where_the_heads_are_gone(short: Premises, tmp_path: Path) -> None:
    better = Premises(tmp_path / "better")
    on(better, lambda floor: None)  # it signs at its end
    shutil.copyfile(better.checkpoints, short.checkpoints)
    shutil.rmtree(short.heads)

    def look(floor: Floor) -> None:
        assert TABLE in floor.heads.halted
        assert any(case == "gone" for _, case, _, _ in floor.heads_alerts())

    on(short, look)


def _no_warnings(floor: Floor) -> None:
    assert list(floor.heads_alerts()) == []


def _warned(floor: Floor, case: str) -> None:
    assert [alert[:2] for alert in floor.heads_alerts()] == [("heads", case)]
