"""A table takes up another book: the journal follows the change, and rounds before it keep their law."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from pathlib import Path

import psycopg
import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test

from croupier.rules.library import book_of, rulebook_ids, rulebook_text
from croupier.rules.money import Cents
from croupier.store import recorder as recorder_module
from croupier.store.archive import Archived, archive
from croupier.store.checkpoint import make_keys, sign, signing_key, trusted_key
from croupier.store.checkpoint import read as read_checkpoints
from croupier.store.history import past_round
from croupier.store.journal import Store
from croupier.store.pack import check_pack, make_pack
from croupier.store.postgres import PostgresStore
from croupier.store.recorder import Recorder
from croupier.store.rounds import explain_round, find_round
from croupier.store.sqlite import SqliteStore
from croupier.store.streams.made import TableMade
from croupier.store.verify import verify
from croupier.table import messages as m
from croupier.table.book_change import due
from croupier.table.messages import BetId, Limits, PersonId, RoundNumber, SeatId
from croupier.transcript.story import text_of
from tests.store.conftest import Open
from tests.store.test_golden_journal import FORMATS, adopted
from tests.support.golden_journal import read
from tests.support.recorders import ANN, table_of
from tests.support.staff import STAFF

BOOKS = Path(__file__).parents[1] / "rulebooks" / "changes"
FIRST, CORRECTED, SECOND = ((BOOKS / f"tiny-sicbo{name}.toml").read_text() for name in ("", ".corrected", ".2"))
NOON = 1_764_504_000_000 + 365 * 86_400_000
"""30 November 2026, 12:00 UTC: the day before the second version has effect."""
HOUR = book_of(SECOND).in_force_from or 0
BEN = SeatId("Ben")


Fresh = Callable[[], Open]
"""Makes a new, empty store, and returns how to open it."""


@pytest.fixture(params=["sqlite", "postgres"])
def fresh_store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Fresh]:
    opened: list[Store] = []
    numbers = itertools.count(1)

    def fresh() -> Open:
        number = next(numbers)
        if request.param == "sqlite":
            return lambda: _kept(opened, SqliteStore(tmp_path / f"floor{number}.db"))
        address = request.getfixturevalue("postgres_address")
        name = f"changes{id(opened)}x{number}"
        with psycopg.connect(address, autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name}")
        return lambda: _kept(opened, PostgresStore(address.replace("/postgres?", f"/{name}?")))

    yield fresh
    for store in opened:
        store.close()


def _kept(opened: list[Store], store: Store) -> Store:
    """Note a store to be closed; the connections of earlier runs are closed at once."""
    while len(opened) > 20:
        opened.pop(0).close()
    opened.append(store)
    return store


def made(text: str = FIRST) -> TableMade:
    limits = Limits({"*": Cents(100)}, {"*": Cents(100_00)}, Cents(100))
    staff = {PersonId(name): roles for name, roles in STAFF.items()}
    return TableMade("T", text, book_of(text).hash, ("1",), limits, staff)


def given(recorder: Recorder, *commands: m.AnyCommand) -> None:
    for command in commands:
        assert recorder.give(command).entry.refused is None, (command, recorder.give(command).entry.refused)


def refusal(recorder: Recorder, command: m.AnyCommand) -> str:
    no = recorder.give(command).entry.refused
    return f"{no.reason} {no.case}" if no else ""


def begun(store: Store, text: str = FIRST) -> Recorder:
    recorder = Recorder.make(store, "one", NOON, 5_000, made(text))
    given(
        recorder,
        m.OpenTable("Sam", NOON),
        *(m.TakeSeat("Sam", NOON, seat, "1") for seat in (ANN, BEN)),
        *(m.SellCredit("Cass", NOON, seat, Cents(500_00)) for seat in (ANN, BEN)),
    )
    return recorder


def played(recorder: Recorder, at: int, faces: str = "333", box: str = "any-triple") -> int:
    """A round in which Ann bets 10.00 on one box; its number."""
    number = table_of(recorder).next_round
    bet = m.PlaceBet(ANN, at, BetId(f"b{number}"), number, ANN, box, Cents(10_00))
    given(recorder, m.OpenBetting("Dana", at), bet, m.CallNoMoreBets("Dana", at), m.StartMotion("Dana", at))
    given(recorder, m.EndMotion("Dana", at, 3), *(m.PressKey("Dana", at, face) for face in faces))
    given(recorder, m.PressEntry("Dana", at), m.ConfirmResult("Dana", at), m.PayWinners("Dana", at))
    return number


def asked(recorder: Recorder, text: str, at: int, by: str = "Sam", **terms: object) -> m.Approve:
    """One person brings a book and asks for it; what another must give to agree."""
    book = book_of(text)
    given(recorder, m.BringBook(by, at, text))
    taking = m.TakeUpBook(by, at, book.id, book.hash, table_of(recorder).book.hash, **terms)  # type: ignore[arg-type]
    [request] = recorder.give(taking).entry.events
    assert isinstance(request, m.ApprovalRequested), request
    return m.Approve("Max", at, request.request, request.digest)


def taken_up(recorder: Recorder, text: str, at: int) -> None:
    given(recorder, asked(recorder, text, at))


def again(open_store: Open, recorder: Recorder, at: int) -> Recorder:
    """The table after a restart on another machine: the same state, byte for byte."""
    recovered = Recorder.recover(open_store(), "one", at, 5_000, "T")
    assert recovered.subject.state() == recorder.subject.state()
    return recovered


def corrected(recorder: Recorder, round: int, outcome: str, at: int) -> m.ResultCorrected:
    command = m.CorrectResult("Sam", at, RoundNumber(round), outcome, "seen on the film")
    [request] = recorder.give(command).entry.events
    assert isinstance(request, m.ApprovalRequested)
    _, event = recorder.give(m.Approve("Max", at, request.request, request.digest)).entry.events
    assert isinstance(event, m.ResultCorrected)
    return event


def test_a_book_is_taken_up_between_rounds_at_its_hour_and_never_before(store: Store, open_store: Open) -> None:
    recorder = begun(store)
    given(recorder, asked(recorder, SECOND, NOON))
    assert table_of(recorder).planned is not None
    assert refusal(recorder, m.TakeUpPlanned("system", HOUR - 1)) == "book before-its-hour"
    assert played(recorder, HOUR - 1) == 1
    recorder = again(open_store, recorder, HOUR - 1)
    assert refusal(recorder, m.OpenBetting("Dana", HOUR)) == "book due"
    given(recorder, m.TakeUpPlanned("system", HOUR))
    assert table_of(recorder).book.identity.version == "2"
    assert played(recorder, HOUR) == 2
    assert table_of(recorder).seats[ANN].credit == 500_00 + 300_00 + 240_00
    assert again(open_store, recorder, HOUR).subject.name == "T"
    assert verify(store).lies == []


def test_a_round_under_way_keeps_its_book(store: Store) -> None:
    recorder = begun(store)
    given(recorder, m.OpenBetting("Dana", HOUR))
    given(recorder, asked(recorder, SECOND, HOUR))
    assert table_of(recorder).planned is not None, "agreed to, but not before the round is over"
    for command in (m.TakeUpPlanned("system", HOUR + 1), m.TakeUpPlanned("Sam", HOUR + 1)):
        assert refusal(recorder, command).startswith("book ")
    assert table_of(recorder).book.identity.version == "1"
    given(recorder, m.CallNoMoreBets("Dana", HOUR), m.StartMotion("Dana", HOUR), m.EndMotion("Dana", HOUR, 2))
    given(recorder, m.TakeUpPlanned("system", HOUR + 2))
    table = table_of(recorder)
    assert (table.law_of(1).book.identity.version, table.law_of(2).book.identity.version) == ("1", "2")
    assert verify(store).lies == []


def test_one_person_is_not_enough(store: Store) -> None:
    recorder = begun(store)
    approve = asked(recorder, SECOND, HOUR)
    assert refusal(recorder, m.Approve("Sam", HOUR, approve.request, approve.digest)) == "same-person asked"
    assert refusal(recorder, m.Approve("Dana", HOUR, approve.request, approve.digest)) == "permission role"
    assert table_of(recorder).changes == ()
    given(recorder, approve)
    [change] = table_of(recorder).changes
    assert (change.asked_by, change.approved_by, change.correction) == ("Sam", "Max", False)
    assert (change.old, change.book) == (book_of(FIRST).hash, book_of(SECOND).hash)


def test_old_rounds_keep_their_law_after_a_restart_from_an_archive_and_in_a_pack(
    store: Store, open_store: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recorder_module, "SNAPSHOT_ROWS", 20)
    monkeypatch.setattr(recorder_module.Recorder, "_keep_state", _often(recorder_module.Recorder._keep_state))
    recorder = begun(store)
    for _ in range(4):
        played(recorder, NOON)
    taken_up(recorder, SECOND, HOUR)
    for _ in range(14):  # more than a table remembers: the first rounds must be read back
        played(recorder, HOUR)
    assert 1 not in table_of(recorder).past
    make_keys(tmp_path / "keys")
    archived = archive(store, "T", HOUR + 1, tmp_path / "archive")
    assert archived is not None
    recorder = again(open_store, recorder, HOUR + 2)  # from a snapshot: the row that took the book up is not read
    assert table_of(recorder).law_of(4).book.identity.version == "1"
    with Archived(open_store(), tmp_path / "archive") as whole:
        recorder = Recorder.recover(whole, "one", HOUR + 3, 5_000, "T")
        event = corrected(recorder, 1, "5-5-6", HOUR + 4)
        [reversal] = event.reversals
        assert (event.clause, reversal.old.winnings, reversal.new.clause) == ("5.4", 300_00, "2.7")
        assert corrected(recorder, 5, "5-5-6", HOUR + 5).clause == "6.4"
        found = find_round(whole, "T", 1)
        assert found.evening.table.book.identity.version == "1"
        assert any("(5.4)" in line for line in text_of(explain_round(found)))
        past = past_round(whole, "T", RoundNumber(1))
        assert past is not None
        assert past.round.rulebook_hash == book_of(FIRST).hash
        assert verify(whole).lies == []
        sign(whole, signing_key(tmp_path / "keys"), HOUR + 6, tmp_path / "marks")
        for round, text in ((1, FIRST), (5, SECOND)):
            target = tmp_path / f"round-{round}.zip"
            make_pack(whole, "T", round, read_checkpoints(tmp_path / "marks"), target, signing_key(tmp_path / "keys"))
            checked = check_pack(target, trusted_key(tmp_path / "keys" / "public.key"))
            assert (checked.lies, checked.notes) == ([], [])
            assert checked.papers["rulebook.toml"].decode() == text
            assert checked.papers["rulebook.sha256"].decode() == f"{book_of(text).hash}  rulebook.toml\n"


def _often(keep: Callable[[Recorder], bool]) -> Callable[[Recorder], bool]:
    """Snapshots as often as the rows allow, however large the state is."""

    def kept(recorder: Recorder) -> bool:
        recorder._since[2] = 0
        return keep(recorder)

    return kept


def test_limits_that_no_longer_fit_are_settled_before_or_within_the_act(store: Store) -> None:
    recorder = begun(store)
    given(recorder, asked(recorder, SECOND, NOON))
    bad = Limits({"*": Cents(150)}, {"*": Cents(100_00)}, Cents(100))
    assert refusal(recorder, m.SetLimits("Sam", NOON, bad)) == "limits steps"
    given(recorder, m.TakeUpPlanned("system", HOUR))
    assert table_of(recorder).limits == made().limits


def test_books_that_nobody_takes_up_do_not_pile_up(store: Store) -> None:
    recorder = begun(store)
    taken_up(recorder, CORRECTED, NOON)
    for id in rulebook_ids():
        given(recorder, m.BringBook("Sam", NOON, rulebook_text(id)))
    books = table_of(recorder).books
    assert book_of(CORRECTED).hash in books
    assert len(books) == 4
    assert refusal(recorder, m.BringBook("Sam", NOON, "no book")) == "book unreadable"


def begun_by_the_book(recorder: Recorder, at: int) -> None:
    """The next round begins under the book of now, if the evening that was written down can go on."""
    table = table_of(recorder)
    if not table.open or table.locked is not None:
        return
    dealer = next(name for name, roles in table.staff.items() if "dealer" in roles)
    if table.order == "covered":
        given(recorder, m.StartMotion(dealer, at), m.EndMotion(dealer, at, 3))
    [opened] = recorder.give(m.OpenBetting(dealer, at)).entry.events
    assert isinstance(opened, m.BettingOpened)
    assert opened.rulebook_hash == table.book.hash


@pytest.mark.parametrize("file", FORMATS, ids=lambda file: file.name)
def test_a_floor_of_before_takes_up_the_encoding_of_today_and_plays_on(file: Path, tmp_path: Path) -> None:
    """The golden journals are written under the texts of their time."""
    rows, states = read(file)
    store = adopted(tmp_path, rows, states)
    taken = 0
    for stream in store.streams():
        recorder = Recorder.recover(store, "test", 0, 1_000, stream)
        if stream in ("cage", "office"):
            continue
        table, at = table_of(recorder), recorder.at + 1
        text = rulebook_text(table.book.id)
        if book_of(text).hash == table.book.hash:
            text = text.replace(
                'title = "', 'title = "Corrected: ', 1
            )  # one that differs, until one comes with Croupier
            assert book_of(text).correct_encoding_of(table.book)
        bosses = [
            name
            for name, roles in table.staff.items()
            if {"pit-supervisor", "pit-manager", "shift-manager"} & set(roles)
        ]
        given(recorder, m.BringBook(bosses[0], at, text))
        book = book_of(text)
        old = table.book.hash
        asking = m.TakeUpBook(bosses[0], at, book.id, book.hash, old)
        [request] = recorder.give(asking).entry.events
        assert isinstance(request, m.ApprovalRequested)
        given(recorder, m.Approve(bosses[1], at, request.request, request.digest))
        if table.planned is None:
            table = table_of(recorder)
            assert (table.book.hash, table.law_of(1).book.hash) == (book.hash, old)
            assert (table.law_of(1).book.moments, table.law_of(1).book.ranks) == (None, None), "they had no such keys"
            begun_by_the_book(recorder, at)
        restarted = Recorder.recover(store, "test", 0, 1_000, stream)
        assert table_of(restarted).changes == table_of(recorder).changes
        taken += 1
    assert taken == 5
    assert verify(store, rows_only=True).lies == []
    store.close()


class Changes(RuleBasedStateMachine):
    """Rounds, changes of the book, plans, restarts and corrections in any order, on one store."""

    open_store: Open

    @initialize()
    def made(self) -> None:
        self.store = type(self).open_store()
        self.at = NOON
        self.recorder = begun(self.store)
        self.law: dict[int, str] = {}
        """The hash of the book of each round that was played."""

    @rule(faces=st.sampled_from(("333", "556", "124")), box=st.sampled_from(("any-triple", "small", "domino:5-6")))
    def play(self, faces: str, box: str) -> None:
        table = table_of(self.recorder)
        if due(table, self.at) is not None:
            assert refusal(self.recorder, m.OpenBetting("Dana", self.at)) == "book due"
            given(self.recorder, m.TakeUpPlanned("system", self.at))
            table = table_of(self.recorder)
        if box not in table.layouts["1"].boxes or table.seats[ANN].credit < 10_00:
            return
        number, book = table.next_round, table.book
        before = table.seats[ANN].credit
        self.law[number] = book.hash
        assert played(self.recorder, self.at, faces, box) == number
        odds = book.layout("1").pays(box, book.space.parse("-".join(faces)))
        gain = -10_00 if odds is None else int(10_00 * odds)
        assert table_of(self.recorder).seats[ANN].credit == before + gain, "paid by the book in force"

    @rule(text=st.sampled_from((FIRST, CORRECTED, SECOND)), wait=st.sampled_from((0, 3_600_000, 86_400_000)))
    def take_up(self, text: str, wait: int) -> None:
        table = table_of(self.recorder)
        book, old = book_of(text), table.book
        given(self.recorder, m.BringBook("Sam", self.at, text))
        taking = m.TakeUpBook("Sam", self.at, book.id, book.hash, old.hash, self.at + wait if wait else 0)
        answer = self.recorder.give(taking).entry
        if answer.refused is not None:
            backwards = book.identity.version == "1" and old.identity.version == "2"
            assert backwards or book.hash == old.hash or table.planned is not None, answer.refused
            return
        [request] = answer.events
        assert isinstance(request, m.ApprovalRequested)
        assert refusal(self.recorder, m.Approve("Sam", self.at, request.request, request.digest))
        given(self.recorder, m.Approve("Max", self.at, request.request, request.digest))
        now = table_of(self.recorder)
        early = wait or (book.identity.version != old.identity.version and self.at < HOUR)
        assert (now.planned is not None, now.book.hash) == ((True, old.hash) if early else (False, book.hash))

    @rule(hours=st.sampled_from((1, 13, 25)))
    def wait(self, hours: int) -> None:
        self.at += hours * 3_600_000

    @rule()
    def start_again(self) -> None:
        self.recorder = again(type(self).open_store, self.recorder, self.at)

    @rule(data=st.data())
    def correct(self, data: st.DataObject) -> None:
        if not self.law:
            return
        number = data.draw(st.sampled_from(sorted(self.law)))
        past = past_round(self.store, "T", RoundNumber(number))
        assert past is not None
        assert past.round.rulebook_hash == self.law[number]
        outcome = "1-1-5" if past.outcome != "1-1-5" else "2-2-6"
        event = corrected(self.recorder, number, outcome, self.at)
        book = table_of(self.recorder).law_of(number).book
        assert book.hash == self.law[number]
        assert event.clause == next(part.clause for part in book.irregularities if part.id == "wrong-result-settled")
        for reversal in event.reversals:
            box = past.round.bets[reversal.bet].box
            assert (book.layout("1").pays(box, event.outcome) is None) == (reversal.new.collected > 0)
        assert find_round(self.store, "T", number).evening.table.book.hash == self.law[number]

    @invariant()
    def money_is_conserved(self) -> None:
        if hasattr(self, "recorder"):
            self.recorder.subject.check()

    def teardown(self) -> None:
        if not hasattr(self, "recorder"):
            return
        assert verify(self.store).lies == []
        for number, hash in self.law.items():
            assert find_round(self.store, "T", number).evening.table.book.hash == hash


def test_a_table_plays_on_across_changes_of_its_law(fresh_store: Fresh) -> None:
    """The same machine on both stores, each run on a database of its own."""

    class OnThisStore(Changes):
        @initialize()
        def made(self) -> None:
            type(self).open_store = staticmethod(fresh_store())
            super().made()

    run_state_machine_as_test(
        OnThisStore,
        settings=settings(
            max_examples=12,
            stateful_step_count=14,
            deadline=None,
            suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much],
        ),
    )
