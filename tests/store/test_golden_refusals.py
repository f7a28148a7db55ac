"""What was refused in the words of an earlier version is read, verified and played on from: its words bind nobody."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest

from croupier.office import messages as o
from croupier.rules.alerts import ALERTS
from croupier.rules.money import Cents
from croupier.store import recorder as record
from croupier.store.history import read_kept
from croupier.store.journal import Row, Snapshot, Store, read_rows
from croupier.store.recorder import Recorder
from croupier.store.streams import entry as entry_module
from croupier.store.streams.entry import NO_COMMANDS, STATE, AnyEntry, Entry, Refusal, same_decision, same_refusal
from croupier.store.streams.made import AnyMade
from croupier.store.streams.stream import Subject
from croupier.store.streams.subjects import first_subject
from croupier.store.verify import verify
from croupier.table import messages as m
from croupier.wire import encode
from tests.support.golden_journal import file_of, put, read
from tests.support.golden_refusals import FILE, SENTENCES, STATES_EVERY

SOURCES = Path(__file__).parents[2] / "src" / "croupier"
Golden = tuple[list[Row], list[Snapshot]]

NOT_REACHED = {
    ("cage", "time"): "refused when a cage is made, before it has a row",
    ("table", "standstill"): "a round never stood still when it was written",
    ("table", "book"): "no table could take up another book when it was written",
    ("office", "same-browser"): "asked by the pages before a table or the cage hears of it; no row",
}
"""Reasons of which this journal has no row, and why it cannot have one."""


@pytest.fixture(scope="module", params=[file_of(1), SENTENCES, FILE], ids=lambda file: file.name.split(".")[0])
def golden(request: pytest.FixtureRequest) -> Golden:
    """The first journal of today's format, and those with every refusal, as sentences and as facts."""
    return read(request.param)


@pytest.fixture(scope="module", params=[SENTENCES, FILE], ids=lambda file: file.name.split(".")[0])
def refusals(request: pytest.FixtureRequest) -> Golden:
    return read(request.param)


def room_of(stream: str) -> str:
    return stream if stream in ("cage", "office") else "table"


def entries_of(rows: Sequence[Row]) -> Iterator[tuple[Row, AnyEntry]]:
    made = {}
    for row in rows:
        if row.seq == 1:
            made[row.stream] = first_subject(row)
        elif row.kind not in NO_COMMANDS:
            yield row, made[row.stream].read(row)


# ---- what is in it


def test_every_reason_is_in_it_or_has_its_cause(refusals: Golden) -> None:
    found = {(room_of(row.stream), one.refused.reason) for row, one in entries_of(refusals[0]) if one.refused}
    raised = {
        (room, reason)
        for room in ("table", "cage", "office")
        for file in (SOURCES / room).glob("*.py")
        for reason in re.findall(r'Refused\(\s*"([a-z-]+)"', file.read_text())
    }
    for (room, reason), why in NOT_REACHED.items():
        print(f"{room}: {reason}: {why}")
    assert raised - found == NOT_REACHED.keys()


def test_every_kind_of_alert_is_in_it(refusals: Golden) -> None:
    found = {e.kind for _, one in entries_of(refusals[0]) for e in one.events if isinstance(e, o.AlertRaised)}
    told = "".join(file.read_text() for room in ("floor", "server") for file in (SOURCES / room).rglob("*.py"))
    raised = set(re.findall(r'\balert\(\s*"([a-z-]+)"', told))
    assert raised
    assert raised <= found == ALERTS.keys()


LATER = {("dealing", "standstill")}
"""Cases of alerts that are newer than the journal of facts."""


def test_every_case_of_every_alert_is_in_the_journal_of_facts() -> None:
    found = {
        (e.kind, e.case) for _, one in entries_of(read(FILE)[0]) for e in one.events if isinstance(e, o.AlertRaised)
    }
    assert {(kind, case) for kind, cases in ALERTS.items() for case in cases} - found == LATER


def test_a_table_was_taken_over_in_the_middle_of_a_round(refusals: Golden) -> None:
    first = next(row for row in refusals[0] if row.epoch > 1)
    assert first.kind == "Interrupt"


# ---- read by this version


def test_it_verifies_whole(golden: Golden, store: Store) -> None:
    put(store, *golden)
    verdict = verify(store)
    assert verdict.lies == []
    assert (verdict.rows, verdict.tickets > 0) == (len(golden[0]), True)


def test_a_row_that_was_changed_is_found(golden: Golden, store: Store) -> None:
    rows, states = list(golden[0]), golden[1]
    number = next(number for number, row in enumerate(rows) if b'"refused"' in row.body)
    rows[number] = rows[number]._replace(body=rows[number].body.replace(b'"reason":"', b'"reason":"no ', 1))
    put(store, rows, states)
    assert [(lie.stream, lie.seq) for lie in verify(store).lies] == [rows[number][:2]]


@pytest.mark.parametrize("part", [0, 0.35, 0.8, 0.97])
def test_it_is_played_on_to_the_same_end(
    part: float, golden: Golden, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From nothing, or from a part that an earlier version wrote, by the commands that came then."""
    monkeypatch.setattr(record, "SNAPSHOT_ROWS", STATES_EVERY)
    rows, states = golden
    cut = round(len(rows) * part)
    if cut:
        put(store, rows[:cut], states)
    owners = {name: _owned(store, name) for name in store.streams()}
    kept = {(state.stream, state.seq) for state in states}
    for row in rows[cut:]:
        if row.seq == 1:
            owners[row.stream] = Recorder.make(store, "now", row.at, 0, _made(row))
        elif row.kind not in NO_COMMANDS:
            _give_again(owners[row.stream], row, keep=(row.stream, row.seq + 1) in kept)
    played = {(row.stream, row.seq): row for stream in store.streams() for row in read_rows(store, stream)}
    by_place = {(row.stream, row.seq): row for row in rows}
    assert played.keys() == by_place.keys()
    for row in rows:
        same(row, played[row.stream, row.seq], owners[row.stream].subject)
    for state in states:
        if is_of_now(by_place[state.stream, state.seq]):
            assert store.snapshot(state.stream, seq=state.seq) == state
    assert verify(store).lies == []


def _made(row: Row) -> AnyMade:
    return first_subject(row).made


def _owned(store: Store, name: str) -> Recorder:
    follower = Recorder.follow(store, name)
    follower.take_over("now", 10**13, 0, unbroken=True)
    return follower


def _give_again(owner: Recorder, row: Row, *, keep: bool) -> None:
    """Its state is kept where it was kept then: when that is due depends on the length of the rows."""
    entry = owner.subject.read(row)
    decided = entry.refused is not None and not entry.is_at_the_door
    owner._since[:] = [STATES_EVERY, 1, 0] if keep else [-STATES_EVERY, 0, 0]
    owner.give(entry.command, f"row {row.seq}" if decided else entry.id)  # a refusal does not keep its giver's id


def is_of_now(row: Row) -> bool:
    """Does it vouch for a state that is written as this version writes it?"""
    return read_kept(row).version == STATE


def same(was: Row, now: Row, reader: Subject) -> None:
    """To the byte, but for whose epoch it was and fields that came since; what was a sentence may be none."""
    there = (was.stream, was.seq, was.format, was.at, was.kind, was.transfers)
    assert there == (now.stream, now.seq, now.format, now.at, now.kind, now.transfers)
    if was.seq == 1:
        assert now.body in (was.body, encode(_made(was)))
    elif was.kind in NO_COMMANDS:
        assert now.body == was.body or not is_of_now(was)
    elif (one := reader.read(was)).refused is None:
        assert now.body in (was.body, encode(one)) or (
            was.kind == "EnrolTerminal" and same_decision(one, reader.read(now))
        )
    else:
        assert same_decision(one, reader.read(now))


def test_every_stream_is_opened_and_goes_on(golden: Golden, store: Store) -> None:
    put(store, *golden)
    for name in store.streams():
        recorder = Recorder.recover(store, "now", 10**13, 0, name)
        if room_of(name) == "table":
            at = recorder.at
            for command in (m.Interrupt("system", at, "console"), m.TakeSeat("Cass", at, "Zoe", "A")):  # type: ignore[arg-type]
                assert recorder.give(command).entry.command == command
    assert verify(store).lies == []


# ---- words bind nobody, decisions do


def refuse_otherwise(monkeypatch: pytest.MonkeyPatch, **fields: str) -> None:
    """Let every refusal, from now on, have other words, or another reason or clause."""

    def otherwise(*has: Any, **named: Any) -> Refusal:
        return msgspec.structs.replace(Refusal(*has, **named), **fields)

    monkeypatch.setattr(entry_module, "Refusal", otherwise)


def test_other_words_change_no_verdict(golden: Golden, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    put(store, *golden)
    refuse_otherwise(monkeypatch, message="no, in quite other words")
    assert verify(store).lies == []


@pytest.mark.parametrize("fields", [{"reason": "whim"}, {"clause": "99.9"}], ids=str)
def test_another_reason_or_clause_is_another_decision(
    fields: dict[str, str], golden: Golden, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(store, *golden)
    refuse_otherwise(monkeypatch, **fields)
    first: dict[str, int] = {}
    for row, entry in entries_of(golden[0]):
        if entry.refused is not None:
            first.setdefault(row.stream, row.seq)
    assert {lie.stream: lie.seq for lie in verify(store).lies} == first


@pytest.mark.parametrize("found", ["accepted", "refused"])
def test_a_row_that_is_refused_where_the_book_accepts_is_untrue(found: str, refusals: Golden) -> None:
    made = {row.stream: first_subject(row) for row in refusals[0] if row.seq == 1}
    row = next(row for row in refusals[0] if row.seq == 2)
    subject = made[row.stream]
    true = subject.read(row)
    assert true.refused is None
    false: AnyEntry = Entry(true.command, refused=Refusal("limits", "the unit is odd"))
    pair = (true, false) if found == "accepted" else (false, true)
    assert not same_decision(*pair)
    assert same_decision(true, subject.decided(true.command))


@pytest.mark.parametrize(("reason", "same"), [("the terminal failed before the close", True), ("it was torn", False)])
def test_a_bet_that_came_back_from_a_failed_terminal_may_have_the_sentence_of_before(reason: str, same: bool) -> None:
    def entry(reason: str) -> AnyEntry:
        back = m.BetDecided("system", 1, m.BetId("b"), m.SeatId("Ann"), "return", "big", Cents(5_00), reason, "5.9")
        return Entry(m.InterruptTerminals("system", 1, (m.SeatId("Ann"),)), (back,))

    assert same_decision(entry(reason), entry("")) == same


@pytest.mark.parametrize(
    ("reason", "same"), [("another terminal was enrolled for the seat", True), ("", True), ("x", False)]
)
def test_a_terminal_that_another_one_replaced_may_have_the_sentence_of_before(reason: str, same: bool) -> None:
    def entry(reason: str) -> AnyEntry:
        out = o.TerminalRetired("Ann", 1, "a" * 64, "T1", m.SeatId("A1"), reason)
        return Entry(o.EnrolTerminal("Ann", 1, "b" * 64, "T1", m.SeatId("A1")), (out,))

    assert same_decision(entry(reason), entry("")) == same


def test_a_refusal_is_the_same_by_reason_clause_case_and_the_facts_that_both_have() -> None:
    facts = {"box": "small", "total": 600, "boxes": ("small", "big")}
    row = Refusal("maximum", "", "3.3", "over", facts)  # type: ignore[arg-type]
    assert same_refusal(row, row)
    others: tuple[dict[str, Any], ...] = (
        {"case": "under"},
        {"facts": facts | {"total": 601}},
        {"facts": {"box": "small", "maximum": 500}},
        {"reason": "unit"},
        {"clause": None},
    )
    for other in others:
        assert not same_refusal(row, msgspec.structs.replace(row, **other)), other
    assert same_refusal(row, msgspec.structs.replace(row, message="a sentence beside it"))
    grown = msgspec.structs.replace(row, facts=facts | {"maximum": 500})  # a later version knows one more
    assert same_refusal(row, grown)
    assert same_refusal(grown, row)
    old = Refusal("maximum", "600.00 on small is over the maximum 500.00", "3.3")
    assert same_refusal(old, row)
