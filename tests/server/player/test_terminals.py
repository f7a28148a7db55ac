"""Terminals through real sockets: bets are on disk before their answers, and each Player sees only what is theirs."""

from __future__ import annotations

import asyncio
import itertools
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import picows
import pytest

from croupier.client import No, Ok, SentAway, TerminalClient
from croupier.client import terminal as client
from croupier.floor.motion_picture import Picture
from croupier.protocol import terminal as p
from croupier.rules.findings import found
from croupier.rules.money import Cents
from croupier.rules.refusal import Refused
from croupier.server.player import records
from croupier.server.player.door import Bounds
from croupier.store.checkpoint import trusted_key
from croupier.store.journal import Broken, read_rows
from croupier.store.ownership import Ownership
from croupier.store.receipt import check_receipt
from croupier.store.streams.entry import AnyEntry
from croupier.table import messages as m
from croupier.table.messages import RoundNumber
from croupier.transcript.sums import write_sum
from tests.server.terminal_floor import A1, A2, A3, BY, PATIENT, TABLE, TerminalFloor, run, until

CREDIT = 10_000_00


def test_a_bet_is_answered_once_it_is_on_disk(tmp_path: Path) -> None:
    async def play(here: TerminalFloor) -> None:
        await here.open_betting()
        async with await here.client() as ann:
            answer = await ann.bet("small", 10_00)
            assert isinstance(answer, Ok)
            assert (answer.credit, answer.held) == (CREDIT - 10_00, 10_00)
            assert [row.kind for row in read_rows(here.floor.store, TABLE)][-1] == "PlaceBet"
            refused = await ann.bet("big", 100)
            assert isinstance(refused, No)
            assert (refused.reason, refused.clause) == ("minimum", "3.3")
            await here.close_betting()
            late = await ann.bet("big", 10_00)
            assert isinstance(late, No)
            assert (late.reason, late.clause) == ("late-bet", "3.5")

    run(tmp_path, play)


def test_each_bet_of_one_message_has_an_answer(tmp_path: Path) -> None:
    async def play(here: TerminalFloor) -> None:
        await here.open_betting()
        async with await here.client() as ann:
            answers = await ann.bets([("small", 10_00), ("no-such-box", 10_00), ("total:9", 5_00), ("small", 10_00)])
            assert [isinstance(answer, Ok) for answer in answers] == [True, False, True, True]
            assert [(bet.box, bet.stake) for bet in ann.own.bets] == [
                ("small", 10_00),
                ("total:9", 5_00),
                ("small", 10_00),
            ]
            assert ann.own.held == 25_00
            assert isinstance(await ann.withdraw(ann.own.bets[1].id, 5_00), Ok)
            known = ann.own
            ann._transport.disconnect(graceful=False)  # type: ignore[union-attr]
            await until(lambda: ann.connections == 2)
            assert (ann.own.bets, ann.own.held) == (known.bets, 20_00)  # what it kept itself is what is registered

    run(tmp_path, play)


def test_the_room_is_sent_as_changes_and_a_bet_only_to_its_seat(tmp_path: Path) -> None:
    async def play(here: TerminalFloor) -> None:
        ann, ben = await here.raw(A1), await here.raw(A2)
        first = await ben.until("room")
        assert (first["room"]["phase"], first["room"]["open"]) == ("ready", False)
        await here.open_betting()
        opened = await ben.until("news", 2)
        assert set(opened["changed"]) == {"phase", "call", "betting"}
        assert opened["changed"]["call"]["words"] == "Place Your Bets"
        ann.say(p.Bets(1, (p.NewBet("x", "small", Cents(10_00)),)))
        await ann.until("ok")
        await here.close_betting()
        closed = await ben.until("news", 3)
        assert closed["changed"] == {
            "phase": "closed",
            "call": {"id": "no-more-bets", "words": "No More Bets", "clause": "3.5", "bell": False},
            "betting": False,
        }
        await here.confirm("1-3-4")
        await until(lambda: any("1-3-4" in json.dumps(one.get("changed", {})) for one in ben.heard))
        await here.pay()
        await until(lambda: any("past" in one.get("changed", ()) for one in ben.heard))
        assert [one["seq"] for one in ben.heard if "seq" in one] == sorted(
            one["seq"] for one in ben.heard if "seq" in one
        )
        told = json.dumps([one for one in ben.heard if one["said"] != "welcome"])
        assert "A1" not in told
        assert "1000" not in [one.get("held") for one in ben.heard]
        assert len([one for one in ben.heard if one["said"] == "own"]) == 1  # the state of this seat has not changed
        await ann.until("own", 2)
        own = [one for one in ann.heard if one["said"] == "own"]
        assert len(own) == 2
        assert (own[1]["bets"], own[1]["last"]["bets"][0]["fate"]["clause"]) == ([], "4.1.1")
        assert own[1]["credit"] == CREDIT + 10_00

    run(tmp_path, play)


@pytest.mark.clause("nz-taisai-division9", "6.5")
def test_fates_are_sent_when_losing_wagers_are_collected_and_credit_when_winners_are_paid(tmp_path: Path) -> None:
    async def play(here: TerminalFloor) -> None:
        async with await here.client() as ann:
            await here.deal(m.OpenTable("Max", here.now()))
            await here.deal(m.StartMotion("Dana", here.now()), m.EndMotion("Dana", here.now(), 3))
            await here.open_betting()
            await ann.until(lambda: ann.room.phase == "betting")
            await ann.bets([("small", 10_00), ("big", 10_00)])
            await here.close_betting()
            await ann.until(lambda: ann.room.call and ann.room.call.bell)
            await here.deal(m.Uncover("Dana", here.now()))
            for face in "134":
                await here.deal(m.PressKey("Dana", here.now(), face))
            await here.deal(m.PressEntry("Dana", here.now()), m.ConfirmResult("Dana", here.now()))
            await ann.until(lambda: ann.room.phase == "settling")
            await ann.until(lambda: ann.own.held == 10_00)
            small, big = (bet.fate for bet in ann.own.bets)
            assert small is not None
            assert big is not None
            assert (small.winnings, big.collected, ann.own.credit) == (10_00, 10_00, CREDIT - 20_00)
            assert "small" in ann.room.lit["1"]
            await here.pay()
            await ann.until(lambda: ann.own.last is not None)
            assert (ann.own.credit, ann.own.bets) == (CREDIT, ())

    run(tmp_path, play, table="taisai-nz")


def test_no_result_is_sent_before_it_is_confirmed(tmp_path: Path) -> None:
    async def play(here: TerminalFloor) -> None:
        await here.open_betting()
        ben = await here.raw(A2)
        await here.close_betting()
        await here.deal(m.StartMotion("Dana", here.now()), m.EndMotion("Dana", here.now(), 3))
        for face in "265":
            await here.deal(m.PressKey("Dana", here.now(), face))
        await here.deal(m.PressEntry("Dana", here.now()))
        ben.say(p.Ping())
        await ben.until("pong")
        assert all(one.get("room", one.get("changed", {})).get("result") is None for one in ben.heard)
        assert not any("2-5-6" in json.dumps(one) for one in ben.heard)
        await here.deal(m.ConfirmResult("Dana", here.now()))
        await until(lambda: any("2-5-6" in json.dumps(one) for one in ben.heard))

    run(tmp_path, play)


def test_a_terminal_that_reconnects_is_sent_what_it_missed_or_the_whole_room(tmp_path: Path) -> None:
    async def play(here: TerminalFloor) -> None:
        ann = await here.raw(A1)
        seen = (await ann.until("room"))["seq"]
        ann.cut()
        await here.open_betting()
        back = await here.raw(A1, seen=seen)
        kinds = [one["said"] for one in back.heard]
        assert kinds == ["welcome", "news", "news", "news", "own"]  # opened, betting, and how long
        assert back.heard[2]["changed"]["phase"] == "betting"
        again = await here.raw(A1, seen=back.heard[3]["seq"])
        assert [one["said"] for one in again.heard] == ["welcome", "news", "own"]
        for strange in (seen - 1, seen + 1000, 7):
            stranger = await here.raw(A1, seen=strange)
            assert [one["said"] for one in stranger.heard] == ["welcome", "room", "own"]
        async with await here.client() as client:
            for number in range(2, 5):
                client._transport.disconnect(graceful=False)  # type: ignore[union-attr]
                await here.close_betting()
                await here.settle()
                await here.open_betting()
                await until(lambda: client.connections == number)  # noqa: B023
                await client.until(lambda: client.room.round == number)  # noqa: B023
                fresh = await here.raw(A2)
                whole = (await fresh.until("room"))["room"]
                now = msgspec.convert(whole, p.RoomView)
                await client.until(lambda: client.room == now)  # noqa: B023

    run(tmp_path, play)


def test_numbers_ascend_over_a_restart(tmp_path: Path) -> None:
    seen: list[int] = []

    async def play(here: TerminalFloor) -> None:
        ann = await here.raw(A1, seen=max(seen, default=0))
        assert "room" in [one["said"] for one in ann.heard]  # news of another run cannot be continued
        await here.open_betting()
        seen.append((await ann.until("news"))["seq"])
        await here.close_betting()
        await here.settle()

    run(tmp_path, play)
    run(tmp_path, play)
    assert seen == sorted(set(seen))


@pytest.mark.clause("rws-sicbo-etg-v2", "3.3", "3.5")
def test_calls_limits_and_the_countdown_are_sent(tmp_path: Path) -> None:
    async def play(here: TerminalFloor) -> None:
        ann = await here.raw(A1)
        room = (await ann.until("room"))["room"]
        assert room["limits"]["minimum"]["*"] == 5_00
        welcome = await ann.until("welcome")
        assert (welcome["zone"], welcome["warning"], welcome["choice"]) == ("Asia/Singapore", 10_000, True)
        await here.open_betting()
        here.live.closes_at = here.now() + 30_000
        told = await _closing(ann)
        assert 0 < told["closes_in"] <= 30_000
        assert told["changed"] == {}
        late = await here.raw(A2)
        assert 0 < (await late.until("room"))["closes_in"] <= 30_000

    async def _closing(raw: Any) -> Any:
        await until(lambda: any(one.get("closes_in") for one in raw.heard))
        return next(one for one in raw.heard if one.get("closes_in"))

    run(tmp_path, play)


def test_a_bet_sent_again_on_a_new_socket_counts_once(tmp_path: Path) -> None:
    async def play(here: TerminalFloor) -> None:
        await here.open_betting()
        async with await here.client() as ann:
            for number in range(30):
                asked = asyncio.create_task(ann.bet("small", 5_00, id=f"b{number}"))
                await asyncio.sleep(0)
                if number % 3 == 0 and ann._transport is not None:
                    ann._transport.disconnect(graceful=False)  # the cable is pulled before the answer comes
                assert isinstance(await asked, Ok)
                assert isinstance(await ann.bet("small", 5_00, id=f"b{number}"), Ok)
            other = await ann.bet("small", 6_00, id="b1")
            assert isinstance(other, No)
            assert other.reason == "resend"
            assert ann.connections > 5
        assert here.live.table.seats[A1].held == 30 * 5_00

    run(tmp_path, play)


def test_a_line_that_is_cut_in_its_handshake_is_tried_again(tmp_path: Path) -> None:
    """As when the floor is killed in that moment: a terminal that comes back is never left hanging."""

    async def play(here: TerminalFloor) -> None:
        token, cut = await here.token(), 0

        async def between(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            nonlocal cut
            asked = await reader.readuntil(b"\r\n\r\n")
            if cut < 3:
                cut += 1
                writer.close() if cut % 2 else writer.transport.abort()
                return
            there, door = await asyncio.open_connection("127.0.0.1", here.port)
            door.write(asked)
            await asyncio.gather(_pass_on(reader, door), _pass_on(there, writer))

        proxy = await asyncio.start_server(between, "127.0.0.1", 0)
        async with proxy:
            address = f"ws://127.0.0.1:{proxy.sockets[0].getsockname()[1]}/"
            async with TerminalClient(address, token) as ann:
                assert (ann.connections, cut) == (1, 3)
                assert isinstance(await ann.ticket_out(10_00), Ok)

    run(tmp_path, play)


async def _pass_on(source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
    try:
        while data := await source.read(4_096):
            target.write(data)
    except ConnectionError:
        pass
    finally:
        target.close()


def test_tickets_go_out_and_in_and_a_resend_is_the_same_ticket(tmp_path: Path) -> None:
    async def play(here: TerminalFloor) -> None:
        async with await here.client(A1) as ann, await here.client(A2) as ben:
            out = await ann.ticket_out(50_00, id="t")
            assert isinstance(out, Ok)
            again = await ann.ticket_out(50_00, id="t")
            assert isinstance(again, Ok)
            assert again.ticket == out.ticket
            assert again.credit == CREDIT - 50_00
            for _ in range(2):  # sent again, it is the same
                taken = await ben.ticket_in(out.ticket, id="in")
                assert isinstance(taken, Ok)
                assert taken.credit == CREDIT + 50_00
            anew = await ben.ticket_in(out.ticket)
            assert isinstance(anew, No)
            assert "redeemed already" in anew.message
            twice = await ann.ticket_in(out.ticket)
            assert isinstance(twice, No)
            assert "redeemed already" in twice.message

    run(tmp_path, play)


def test_a_layout_is_chosen_while_the_seat_has_no_bets(tmp_path: Path) -> None:
    async def play(here: TerminalFloor) -> None:
        async with await here.client() as ann:
            layouts = ann.room.layouts
            assert isinstance(await ann.choose_layout(layouts[1]), Ok)
            await ann.until(lambda: ann.own.layout == layouts[1])
            await here.open_betting()
            boxes = [box.name for box in (await ann.rules()).boxes]
            assert "three:1-2-6" in boxes  # not on the first layout
            assert isinstance(await ann.bet("three:1-2-6", 5_00), Ok)
            refused = await ann.choose_layout(layouts[0])
            assert isinstance(refused, No)
            assert refused.reason == "layout"
            assert isinstance(await ann.withdraw(ann.own.bets[0].id, 5_00), Ok)
            assert isinstance(await ann.choose_layout(layouts[0]), Ok)

    run(tmp_path, play)


def test_a_question_about_a_damaged_journal_is_refused_and_raises_an_alert(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The Player gets an answer, and the table goes on."""

    def damaged(store: object, table: str, number: int) -> None:
        raise Broken(7, found("row", "not-here"))

    async def play(here: TerminalFloor) -> None:
        async with await here.client() as ann:
            await here.open_betting()
            await here.close_betting()
            await here.settle("1-3-4")
            with monkeypatch.context() as patched:
                patched.setattr(records, "find_round", damaged)
                with pytest.raises(Refused, match="untrue row row=7"):
                    await ann.recall(1)
            assert [(one.kind, one.case) for one in here.floor.accounts.alerts.values()] == [("journal", "untrue-row")]
            await here.open_betting()
            await ann.until(lambda: ann.room.phase == "betting")
            assert isinstance(await ann.bet("small", 10_00), Ok)

    run(tmp_path, play)


def test_a_player_recalls_rounds_with_fates_and_the_credit_before_and_after(tmp_path: Path) -> None:
    """The last ten at hand, any older from the journal, the same before and after a restart."""
    told: list[Any] = []

    async def first(here: TerminalFloor) -> None:
        async with await here.client(A1) as ann, await here.client(A2) as ben:
            for number in range(13):
                await here.open_betting()
                for one in (ann, ben):
                    await one.until(lambda: (one.room.phase, one.room.round) == ("betting", number + 1))  # noqa: B023
                assert isinstance(await ann.bet("small", 10_00), Ok)
                if number == 4:
                    assert isinstance(await ben.bet("big", 10_00), Ok)
                await here.close_betting()
                await here.settle("1-3-4" if number % 2 else "5-5-6")
            rounds = await ann.recall()
            assert [one.round for one in rounds] == [13, 12, 11, 10, 9, 8, 7, 6, 5, 4]
            assert [one.before for one in reversed(rounds)] == [CREDIT - 10_00 * (n % 2) for n in range(3, 13)]
            assert all(newer.before == older.after for newer, older in itertools.pairwise(rounds))
            assert rounds[0].outcome == "5-5-6"
            assert rounds[0].bets[0].fate == p.BetFate(Cents(10_00), Cents(0), Cents(0), "4.1.1")
            (old,) = await ann.recall(2)
            assert (old.outcome, old.before, old.after) == ("1-3-4", CREDIT - 10_00, CREDIT)
            assert [(bet.box, bet.fate and bet.fate.winnings) for bet in old.bets] == [("small", 10_00)]
            assert [write_sum(one) for one in rounds[0].bets[0].sums] == ["placed 10.00 (3.4)", "lost 10.00 (4.1.1)"]
            assert [write_sum(one) for one in old.bets[0].sums] == [
                "placed 10.00 (3.4)",
                "won 10.00 = 10.00 × 1 to 1 (4.1.1)",
                "stake 10.00 (4.1.1)",
            ]
            assert ann.own.last is not None
            assert [bet.sums for bet in ann.own.last.bets] == [()]  # only a recall tells why
            (bens,) = await ben.recall()
            assert (bens.round, [bet.box for bet in bens.bets]) == (5, ["big"])
            for number in (2, 14, 0):
                with pytest.raises(Refused):
                    await ben.recall(number)
            told.extend(rounds)

    async def second(here: TerminalFloor) -> None:
        async with await here.client(A1) as ann:
            assert list(await ann.recall()) == told

    run(tmp_path, first)
    run(tmp_path, second)


def test_credit_around_a_round_is_exact_in_one_commit(tmp_path: Path) -> None:
    """Bets that came with the opening, and a ticket that went with the payment, are not counted into the round."""

    async def play(here: TerminalFloor) -> None:
        async with await here.client() as ann:
            await here.deal(m.OpenTable("Max", here.now()))
            bet = m.PlaceBet(A1, here.now(), m.BetId("A1.b"), RoundNumber(1), A1, "small", Cents(10_00))
            ticket = m.CashOut(A1, here.now(), A1, Cents(30_00), here.door.ticket_numbers.of(TABLE, A1, "t"), 10**15)
            await asyncio.gather(here.give(m.OpenBetting("Dana", here.now())), here.give(bet))
            await here.close_betting()
            await here.deal(m.StartMotion("Dana", here.now()), m.EndMotion("Dana", here.now(), 3))
            for face in "134":
                await here.deal(m.PressKey("Dana", here.now(), face))
            await here.deal(m.PressEntry("Dana", here.now()))
            await asyncio.gather(here.give(m.ConfirmResult("Dana", here.now())), here.give(ticket))
            (round,) = await ann.recall()
            assert (round.before, round.after) == (CREDIT, CREDIT + 10_00)
            again = await here.door.records.round(here.live, A1, 1)
            assert (again.before, again.after) == (round.before, round.after)

    run(tmp_path, play)


def test_a_new_player_does_not_see_the_rounds_of_the_one_before(tmp_path: Path) -> None:
    async def play(here: TerminalFloor) -> None:
        async with await here.client() as ann:
            await here.open_betting()
            await ann.until(lambda: ann.room.phase == "betting")
            await ann.bet("small", 10_00)
            bet = ann.own.bets[0].id
            await here.close_betting()
            await here.settle()
            assert await ann.recall()
            assert json.loads(await ann.receipt(bet))["bet"] == bet
            out = await ann.ticket_out(CREDIT + 10_00)
            assert isinstance(out, Ok)
            await here.deal(m.LeaveSeat("Cass", here.now(), A1))
            await ann.until(lambda: not ann.own.seated)
            nobody = await ann.ticket_out(1_00)
            assert isinstance(nobody, No)
            assert nobody.reason == "seat"
            await here.deal(m.TakeSeat("Sam", here.now(), A1, "A"))
            await ann.until(lambda: ann.own.seated)
            assert ann.own.last is None
            assert await ann.recall() == ()
            for ask in (ann.recall(1), ann.receipt(bet), ann.receipt(bet, 1)):
                with pytest.raises(Refused):
                    await ask

    run(tmp_path, play)


def test_a_receipt_is_signed_and_only_for_the_player_who_made_the_bet(tmp_path: Path) -> None:
    async def play(here: TerminalFloor) -> None:
        await here.open_betting()
        async with await here.client(A1) as ann, await here.client(A2) as ben:
            await ann.bet("small", 10_00, id="mine")
            text = await ann.receipt("A1.mine")
            receipt = json.loads(text)
            assert (receipt["box"], receipt["stake"], receipt["seat"]) == ("small", 10_00, "A1")
            key = trusted_key(here.floor.premises.public_key)
            assert check_receipt(receipt, key)
            assert not check_receipt(receipt | {"stake": 20_00}, key)
            with pytest.raises(Refused, match=r"bet not-in-round seat=A2 bet=A1\.mine"):
                await ben.receipt("A1.mine")
            with pytest.raises(Refused):
                await ann.receipt("A1.other")

    run(tmp_path, play)


@pytest.mark.clause("rws-sicbo-etg-v2", "5.3")
def test_a_player_gets_notices_of_voids_corrections_and_bets_made_for_them(tmp_path: Path) -> None:
    async def play(here: TerminalFloor) -> None:
        async with await here.client(A1) as ann, await here.client(A2) as ben:
            await here.open_betting()
            await ann.until(lambda: ann.room.phase == "betting")
            await ann.bets([("small", 10_00), ("total:9", 5_00)])
            await here.close_betting()
            await here.settle("1-3-4")
            await here.two(m.CorrectResult("Sam", here.now(), RoundNumber(1), "5-5-6", "misread"), "Max")
            await ann.until(lambda: ann.own.notices)
            notice = ann.own.notices[-1]
            assert (notice.kind, notice.round, notice.amount) == ("corrected", 1, -20_00)
            assert (notice.case, notice.facts["outcome"], notice.facts["amount"]) == ("again-loss", "5-5-6", 20_00)
            assert "settled again with result 5-5-6" in notice.message
            assert "20.00 goes back to the House" in notice.message
            await ann.until(lambda: ann.room.past[-1].outcome == "5-5-6")
            await here.open_betting()
            await ann.until(lambda: ann.room.round == 2 and ann.room.phase == "betting")
            await ann.bets([("small", 10_00), ("total:9", 5_00)])
            await here.close_betting()
            await here.deal(m.StartMotion("Dana", here.now()), m.EndMotion("Dana", here.now(), 2))
            await ann.until(lambda: ann.own.notices[-1].kind == "void")
            void = ann.own.notices[-1]
            assert (void.round, void.amount, void.clause) == (2, 15_00, "5.3.1")
            assert ann.own.held == 0
            assert ann.own.last is not None
            assert [bet.fate and bet.fate.returned for bet in ann.own.last.bets] == [10_00, 5_00]
            await ann.until(lambda: ann.room.past[-1].void == "5.3.1")
            assert ben.own.notices == ()
        ann = await here.client(A1)
        async with ann:
            assert [one.kind for one in ann.own.notices] == ["corrected", "void"]  # also to one who was not there

    async def again(here: TerminalFloor) -> None:
        async with await here.client(A1) as ann:
            assert [one.kind for one in ann.own.notices] == ["corrected", "void"]
            assert [(one.round, one.outcome, one.void) for one in ann.room.past] == [
                (1, "5-5-6", None),
                (2, None, "5.3.1"),
            ]

    run(tmp_path, play)
    run(tmp_path, again)


@pytest.mark.clause("rws-taisai-v5", "5.1.1")
def test_a_player_whose_bet_is_cut_by_apportionment_gets_a_notice(tmp_path: Path) -> None:
    async def play(here: TerminalFloor) -> None:
        async with await here.client(A1) as ann, await here.client(A2) as ben:
            await here.open_betting()
            most = ann.room.limits.maximum_of("triple:1")
            await ann.until(lambda: ann.room.phase == "betting")
            assert isinstance(await ann.bet("triple:1", most), Ok)
            await ben.until(lambda: ben.room.phase == "betting")
            assert isinstance(await ben.bet("triple:1", most), Ok)
            await here.close_betting()
            await ann.until(lambda: ann.own.notices)
            notice = ann.own.notices[0]
            assert (notice.kind, notice.amount, notice.clause) == ("cut", most // 2, "5.1.1")
            assert ann.own.held == most // 2

    run(tmp_path, play, table="taisai-rws")


def test_a_seat_reaches_only_its_bets_and_tickets(tmp_path: Path) -> None:
    async def play(here: TerminalFloor) -> None:
        await here.open_betting()
        async with await here.client(A1) as ann, await here.client(A2) as ben:
            assert isinstance(await ann.bet("small", 10_00, id="x"), Ok)
            stolen = await ben.withdraw("A1.x", 5_00)
            assert isinstance(stolen, No)
            assert stolen.reason == "permission"
            assert isinstance(await ben.bet("small", 10_00, id="x"), Ok)  # the same id is another's own
            assert isinstance(await ann.withdraw("A1.x", 5_00), Ok)
        assert (here.live.table.seats[A1].held, here.live.table.seats[A2].held) == (5_00, 10_00)

    run(tmp_path, play)


def test_one_live_terminal_a_seat_and_a_retired_one_is_closed(tmp_path: Path) -> None:
    async def play(here: TerminalFloor) -> None:
        token = await here.token(A1)
        async with TerminalClient(here.address, token) as first, TerminalClient(here.address, token) as second:
            with pytest.raises(SentAway, match="another terminal"):
                await first.until(lambda: False)
            assert list(here.door.welcomed[TABLE]) == [A1]
            await here.token(A1)  # a new one is enrolled: the old one is worth nothing
            with pytest.raises(SentAway, match="was retired"):
                await second.until(lambda: False)
            with pytest.raises(SentAway, match="was retired"):
                await second.bet("small", 10_00)
        with pytest.raises(SentAway, match="not known"):
            async with TerminalClient(here.address, token):
                pass
        assert here.door.cut["replaced"] == here.door.cut["retired"] == 1

    run(tmp_path, play)


@pytest.mark.clause("rws-sicbo-etg-v2", "5.2", "5.2.1")
@pytest.mark.clause("mbs-esicbo-v4", "5.9")
def test_a_terminal_that_stays_away_with_bets_is_interrupted_and_restored(tmp_path: Path) -> None:
    """A short cut is no interruption, nor is one without bets; what staff interrupted, staff restores."""

    async def play(here: TerminalFloor) -> None:
        ann, ben, cas = await here.raw(A1), await here.raw(A2), await here.raw(A3)
        await here.open_betting()
        for raw in (ann, cas):
            raw.say(p.Bets(1, (p.NewBet("b", "small", Cents(10_00)),)))
            await raw.until("ok")
        await here.deal(m.InterruptTerminals("Sam", here.now(), (A3,)))
        for raw in (ann, ben, cas):
            raw.cut()
        seats = here.live.table.seats
        await until(lambda: not seats[A1].connected)
        kinds = [row.kind for row in read_rows(here.floor.store, TABLE)]
        assert kinds.count("InterruptTerminals") == 2
        assert seats[A2].connected
        back = await here.raw(A1)
        await until(lambda: seats[A1].connected)
        assert (await back.until("own"))["notices"][0]["kind"] == "interrupted"
        back.say(p.Bets(1, (p.NewBet("c", "small", Cents(10_00)),)))
        assert (await back.until("ok"))["held"] == 20_00
        kept = await here.raw(A3)
        assert (await kept.until("own"))["connected"] is False
        kept.say(p.Bets(1, (p.NewBet("c", "small", Cents(10_00)),)))
        assert (await kept.until("no"))["reason"] == "terminal"
        await here.close_betting()
        await here.settle("1-3-4")
        assert seats[A3].credit == CREDIT + 10_00  # registered bets play

    run(tmp_path, play, Bounds(away=0))


def test_the_terminal_of_a_seat_that_is_not_taken_shows_that(tmp_path: Path) -> None:
    async def play(here: TerminalFloor) -> None:
        await here.deal(m.PayOut("Cass", here.now(), A1, Cents(CREDIT)), m.LeaveSeat("Cass", here.now(), A1))
        async with await here.client() as ann:
            assert not ann.own.seated
            refused = await ann.ticket_in("123")
            assert isinstance(refused, No)
            assert (await ann.rules()).boxes
            await here.deal(m.TakeSeat("Sam", here.now(), A1, "A"))
            await here.deal(m.SellCredit("Cass", here.now(), A1, Cents(50_00)))
            await ann.until(lambda: ann.own.credit == 50_00)

    run(tmp_path, play)


def test_pictures_show_no_face_before_it_may_be_seen(tmp_path: Path) -> None:
    async def play(here: TerminalFloor) -> None:
        raw = await here.raw(A1)
        picture = Picture(RoundNumber(1), "face", 1, 3, ("6",), 0)
        await here.open_betting()
        here.live.show(picture)
        assert (await raw.until("motion"))["faces"] == []
        await here.close_betting()
        await here.deal(m.StartMotion("Dana", here.now()))
        here.live.show(picture)
        assert (await raw.until("motion", 2))["faces"] == ["6"]

    async def covered(here: TerminalFloor) -> None:
        raw = await here.raw(A1)
        picture = Picture(RoundNumber(1), "face", 1, 3, ("6",), 0)
        await here.deal(
            m.OpenTable("Max", here.now()), m.StartMotion("Dana", here.now()), m.EndMotion("Dana", here.now(), 3)
        )
        await here.open_betting()
        await here.close_betting()
        here.live.show(picture)
        assert (await raw.until("motion"))["faces"] == []
        await here.deal(m.Uncover("Dana", here.now()))
        here.live.show(picture)
        assert (await raw.until("motion", 2))["faces"] == ["6"]

    run(tmp_path, play)
    run(tmp_path / "covered", covered, table="sicbo-mbs")


def test_the_floor_closes_cleanly_and_bets_are_safe(tmp_path: Path) -> None:
    """Restart in the middle of betting: the client comes back by itself and its bets are exactly those registered."""

    async def play(here: TerminalFloor) -> None:
        raw = await here.raw(A1)
        await here.open_betting()
        raw.say(p.Bets(1, (p.NewBet("b", "small", Cents(10_00)),)))
        await raw.until("ok")
        await here.door.close()
        assert await raw.closed() == 1012

    async def again(here: TerminalFloor) -> None:
        raw = await here.raw(A1)
        own = await raw.until("own")
        assert [(bet["id"], bet["stake"]) for bet in own["bets"]] == [("A1.b", 10_00)]
        assert (await raw.until("room"))["room"]["phase"] == "interrupted"

    run(tmp_path, play)
    run(tmp_path, again)


def test_staff_and_terminals_are_apart(tmp_path: Path) -> None:
    """A token of a person opens no seat; a token of a seat is no person's."""

    async def play(here: TerminalFloor) -> None:
        sessions = here.door.sessions
        link = await sessions.link(m.PersonId("Sam"), BY)
        staff = await sessions.enter(link, "here")
        with pytest.raises(SentAway):
            async with TerminalClient(here.address, staff):
                pass
        assert sessions.who(await here.token(A1)) is None

    run(tmp_path, play)


def test_a_terminal_of_a_stopped_table_shows_that(tmp_path: Path) -> None:
    async def play(here: TerminalFloor) -> None:
        here.live.recorder.ownership.stop(AssertionError("we are wrong"))
        async with asyncio.timeout(PATIENT), await here.client() as ann:
            await ann.until(lambda: ann.room.stopped)
            assert ann.own.credit == CREDIT

    run(tmp_path, play)


def test_a_terminal_goes_to_a_machine_that_opens_its_doors_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def play(here: TerminalFloor) -> None:
        ann = await here.raw(A1)
        looks, push = [0], here.door._push

        def counted(table: str, entries: Sequence[AnyEntry]) -> None:
            looks[0] += table == here.live.name
            push(table, entries)

        with monkeypatch.context() as patched:
            patched.setattr(here.door, "_push", counted)
            here.live.recorder.ownership = Ownership("followed")
            await until(lambda: looks[0] == 2)  # the door has looked twice where the table has gone
        assert not any(one["said"] == "moved" for one in ann.heard)
        monkeypatch.setattr(here.door, "address_of", lambda table: "ws://two.example/")
        assert (await ann.until("moved"))["address"] == "ws://two.example/"
        here.live.recorder.ownership = Ownership("owned")

    run(tmp_path, play)


def test_a_door_that_does_not_answer_is_left_for_the_next(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Like a machine without power, which does not even refuse."""
    monkeypatch.setattr(client, "CONNECTING", 0.2)
    connect = picows.ws_connect

    async def dark(listener: Any, address: str, **options: Any) -> Any:
        if "dark" in address:
            await asyncio.sleep(PATIENT)
        return await connect(listener, address, **options)

    monkeypatch.setattr(client, "ws_connect", dark)

    async def play(here: TerminalFloor) -> None:
        async with await here.client() as ann:
            ann._doors.append("ws://dark.example/")
            ann._at = "ws://dark.example/"
            ann._transport.disconnect(graceful=False)  # type: ignore[union-attr]
            async with asyncio.timeout(PATIENT):
                await ann.until(lambda: ann.connections == 2)

    run(tmp_path, play)
