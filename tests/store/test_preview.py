"""A preview says what the command does, whatever the state and whatever the command, and leaves nothing behind."""

from __future__ import annotations

import shutil
import tempfile
from functools import cache
from pathlib import Path

from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule

from croupier.rules.money import Cents
from croupier.store.recorder import Recorder
from croupier.store.sqlite import SqliteStore
from croupier.store.streams.table import TableSubject
from croupier.table import messages as m
from croupier.table.messages import BetId, RoundNumber, SeatId
from croupier.table.snapshot import AT_HAND
from croupier.table.tickets import LONGEST, ticket_number
from tests.support.recorders import long_evening

ANN = SeatId("Ann")
ROUNDS = AT_HAND + 4
BEGIN = 1_000_000
PEOPLE = st.sampled_from(["Dana", "Sam", "Max", "Cass", "Ann", "nobody"])
NUMBERS = st.integers(0, ROUNDS + 2).map(RoundNumber)
SEVERAL = st.lists(NUMBERS, max_size=3).map(tuple)
DICE = st.tuples(*[st.sampled_from("123456")] * 3).map("-".join)
AMOUNTS = st.sampled_from([0, 1, 50, 100, 500, 1_000, 10**6]).map(Cents)
TICKETS = st.integers(0, 3).map(ticket_number)
AT = st.just(BEGIN)

COMMANDS = st.one_of(
    st.builds(m.CorrectResult, PEOPLE, AT, NUMBERS, DICE, st.just("seen again")),
    st.builds(m.VoidRounds, PEOPLE, AT, SEVERAL, st.just("damaged-dice"), st.just("found damaged")),
    st.builds(m.CashOut, PEOPLE, AT, st.just(ANN), AMOUNTS, TICKETS, st.just(BEGIN + LONGEST)),
    st.builds(m.RedeemTicket, PEOPLE, AT, st.just(ANN), TICKETS, st.just(Cents(0)), st.just(0), st.just("unknown")),
    st.builds(m.OpenBetting, PEOPLE, AT),
    st.builds(m.CallNoMoreBets, PEOPLE, AT),
    st.builds(
        m.PlaceBet, PEOPLE, AT, st.sampled_from(["b1", "x1", "x2"]).map(BetId), st.just(RoundNumber(ROUNDS + 1)),
        st.just(ANN), st.sampled_from(["small", "big", "huge"]), AMOUNTS,
    ),
    st.builds(m.SellCredit, PEOPLE, AT, st.just(ANN), AMOUNTS),
    st.builds(m.GiveCredit, PEOPLE, AT, st.just(ANN), AMOUNTS, st.just("goodwill")),
)  # fmt: skip


@cache
def _played() -> Path:
    """A table that has played more rounds than it has at hand, and has made a ticket."""
    folder = Path(tempfile.mkdtemp())
    store = SqliteStore(folder / "floor.db")
    made = m.CashOut("Cass", BEGIN - 2, ANN, Cents(100), ticket_number(0), BEGIN - 2 + LONGEST)
    assert long_evening(store, ROUNDS).give(made).entry.refused is None
    store.close()
    return folder


class Previewed(RuleBasedStateMachine):
    @initialize()
    def begin(self) -> None:
        self.folder = Path(tempfile.mkdtemp())
        shutil.copytree(_played(), self.folder, dirs_exist_ok=True)
        self.store = SqliteStore(self.folder / "floor.db")
        self.recorder = Recorder.recover(self.store, "two", BEGIN - 1, 5_000, "T")

    @rule(command=COMMANDS)
    def give(self, command: m.AnyCommand) -> None:
        self.agree(command)

    @rule(data=st.data(), by=PEOPLE, right=st.booleans())
    def approve(self, data: st.DataObject, by: str, right: bool) -> None:
        subject = self.recorder.subject
        assert isinstance(subject, TableSubject)
        if requests := list(subject.table.requests.values()):
            request = data.draw(st.sampled_from(requests))
            self.agree(m.Approve(by, BEGIN, request.number, request.digest if right else "other"))

    def agree(self, command: m.AnyCommand) -> None:
        recorder, before = self.recorder, (self.recorder.subject.state(), self.recorder.place)
        with recorder.previewed(command) as preview:
            would, two = preview.entry, preview.two
        assert (recorder.subject.state(), recorder.place) == before
        done = recorder.give(command).entry
        if done.refused is not None or would.refused is not None:
            assert would.refused == done.refused
        elif two:
            assert [type(event) for event in done.events] == [m.ApprovalRequested]
            assert would.events
        else:
            assert would.events == done.events

    def teardown(self) -> None:
        if hasattr(self, "store"):
            self.store.close()
            shutil.rmtree(self.folder)


TestPreviewed = Previewed.TestCase
TestPreviewed.settings = settings(
    max_examples=25,
    stateful_step_count=12,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
    phases=[Phase.reuse, Phase.generate],  # a command is small enough as it is
)
