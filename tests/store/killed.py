"""A floor that is killed: plays an evening on disk, dies at a named point, recovers, and goes on as the book lets it.

As a program it hears jobs on standard input, one a line, and forks a process for each: imports are paid for once.
"""

from __future__ import annotations

import itertools
import os
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any, cast, get_args

import msgspec

from croupier.rules.library import book_of, rulebook_ids
from croupier.rules.money import Cents
from croupier.store.commit import give_all
from croupier.store.journal import Append, Lease, Store
from croupier.store.recorder import Answer, Recorder
from croupier.store.sqlite import SqliteStore
from croupier.store.streams.table import made_of
from croupier.store.verify import verify
from croupier.table import messages as m
from croupier.table.checks import interruption_act
from croupier.table.evidence import waiting_decision
from croupier.table.messages import AnyCommand, BetId, PersonId, RoundNumber, SeatId
from croupier.table.roles import SUPERVISION
from croupier.table.state import PastRound, Table, new_table
from croupier.table.tickets import ticket_number
from croupier.transcript.play import Evening, Turn, play
from tests.support.recorders import TRANSCRIPTS, table_of, text_of

POINTS = ("received", "decided", "in the transaction", "committed", "evolved", "answered")
GROUPED = (*POINTS, "waiting")
RECOVERY = ("taken", "decided", "in the transaction", "committed", "evolved")
RECOVERING = -1
RESTORING = -2
"""Numbers of what is given by recovery itself, where the others are those of the evening's commands."""

VOID_CLAUSES = {
    "rws-sicbo-etg-v2": "5.1.2",
    "rws-taisai-v5": "5.4.2",
    "mbs-esicbo-v4": "5.8.1",
    "nz-taisai-division9": "7.1(b)",
    "mbs-sands-roulette-v2": "5.12",
}
"""The clause by which every book voids a round whose interruption left nothing to go by."""

# ---- evenings


def given(evening: Evening) -> list[Turn]:
    """The commands that leave a row: all but harmless resends."""
    return [turn for turn in evening.turns if turn.events or turn.refused]


@cache
def evening_named(name: str) -> Evening:
    """A transcript by its file, or the evening of every kind of command by its book."""
    return every_kind(name) if name in rulebook_ids() else play(Path(name).read_text())


ANN = SeatId("Ann")
TICKET = ticket_number(7)


def every_kind(book: str) -> Evening:
    """An evening at a table of this book that is given every kind of command there is; many are refused."""
    evening = play(f"table T {book}\nseat Ann 900.00\n")
    for at, command in enumerate(_every_kind(evening), 1):
        evening.give(msgspec.structs.replace(command, at=at * 1_000))
    missing = {kind.__name__ for kind in get_args(AnyCommand)} - {type(turn.command).__name__ for turn in evening.turns}
    assert not missing, missing
    return evening


def _every_kind(evening: Evening) -> Iterator[AnyCommand]:
    """Commands without their time."""
    table = evening.table
    layout = table.layouts[table.setup.layouts[0]]
    box = next(iter(layout.boxes))
    stake = table.limits.minimum_of(box)
    outcome = next(iter(table.book.space.outcomes))
    bet, one, two = BetId("b1"), "Sam", "Max"
    yield from (m.AssignStaff(one, 0, PersonId("Eve"), ("dealer",)), m.SetLimits(one, 0, table.limits))
    yield _approval(evening, two)
    yield m.SetLayouts(one, 0, table.displayed)
    yield _approval(evening, two)
    corrected = text_of(evening).replace('title = "', 'title = "Corrected ', 1)
    change = m.TakeUpBook(one, 0, table.book.id, book_of(corrected).hash, table.book.hash)
    yield m.BringBook(one, 0, corrected)
    yield msgspec.structs.replace(change, not_before=10**9)
    yield _approval(evening, two)
    yield from (m.TakeUpPlanned(one, 0), m.CancelPlan(one, 0, "another day"))
    yield _approval(evening, two)
    yield from (
        m.TakeSeat("Dana", 0, SeatId("Bob"), layout.id.rpartition("/")[2]),
        m.ChooseLayout("Bob", 0, SeatId("Bob"), table.setup.layouts[-1]),
        m.LeaveSeat("Bob", 0, SeatId("Bob")),
    )
    yield from (m.GiveColour("Dana", 0, ANN, "red", stake), m.TakeBackColour("Dana", 0, ANN))
    yield from (m.FillBank("Cass", 0, Cents(5000)), m.DrainBank("Cass", 0, Cents(3000)))
    yield from (m.PayOut("Cass", 0, ANN, Cents(500)), m.GiveCredit(one, 0, ANN, Cents(700), "goodwill"))
    yield _approval(evening, two)
    yield m.GiveCredit(one, 0, ANN, Cents(700), "goodwill")
    yield m.Decline(two, 0, table.next_request - 1)
    yield m.CashOut("Cass", 0, ANN, Cents(1000), TICKET, 10**6)
    yield m.RedeemTicket("Ann", 0, ANN, TICKET, Cents(1000), 10**6, "live")
    yield from (m.RepayDebt("Cass", 0, ANN, Cents(100)), m.WriteOffDebt(one, 0, ANN, Cents(100), "gone"))
    if table.order == "covered":
        yield from (m.StartMotion("Dana", 0), m.EndMotion("Dana", 0, 3))
    yield from (m.OpenBetting("Dana", 0), m.PlaceBet("Ann", 0, bet, RoundNumber(1), ANN, box, Cents(2 * stake)))
    yield from (m.WithdrawBet("Ann", 0, "w1", bet, Cents(stake)), m.AdviseShort("Dana", 0, bet))
    yield from (m.RejectExcess("Dana", 0, bet, Cents(1)), m.InterruptTerminals("Dana", 0, (ANN,)))
    yield m.RestoreTerminals("Dana", 0, (ANN,))
    yield change
    yield _approval(evening, two)
    if table.order == "wheel":
        yield m.StartMotion("Dana", 0)
    yield m.CallNoMoreBets("Dana", 0)
    yield m.DecideBet(one, 0, bet, "stand", "it lies well")
    yield from (m.StartMotion("Dana", 0), m.EndMotion("Dana", 0, 3), m.Uncover("Dana", 0))
    yield from (m.PressKey("Dana", 0, "1"), m.PressKey("Dana", 0, "1"), m.PressKey("Dana", 0, "2"))
    yield from (m.PressEntry("Dana", 0), m.EnterNumber("Dana", 0, outcome), m.SenseResult("Dev", 0, outcome))
    yield from (m.DecideResult(one, 0, outcome, "as the sensor says"), m.AmendResult("Dana", 0, outcome))
    yield from (m.ConfirmResult("Dana", 0), m.PayWinners("Dana", 0))
    yield from (
        m.CorrectResult(one, 0, RoundNumber(1), outcome, "misread"),
        m.VoidRounds(one, 0, (), "damaged-dice", "x"),
    )
    yield from (m.Report("Dana", 0, "late-bet"), m.Decide(two, 0, "void", "no clause"), m.Unlock(one, 0, "checked"))
    yield from (m.Interrupt("Dana", 0, "console"), m.Restore("Dana", 0), m.Attest("Dana", 0, ("1",)))
    yield from (m.TakeUpPlanned(one, 0), m.CloseTable(one, 0))


def _approval(evening: Evening, by: str) -> m.Approve:
    number = evening.table.next_request - 1
    return m.Approve(by, 0, number, evening.table.requests[number].digest)


# ---- giving an evening


def id_of(recorder: Recorder, command: AnyCommand, number: int) -> str:
    """The id under which a client sends a command, the first time and again: its own, or one made for it."""
    return recorder.subject.client_id(command) or f"{command.by} {number}"


def made(store: Store, owner: str, evening: Evening) -> Recorder:
    return Recorder.make(store, owner, 0, 5_000, made_of(evening, text_of(evening)))


def give_turns(recorder: Recorder, turns: Sequence[Turn], first: int = 0, group: int = 1) -> Iterator[int]:
    """Give the turns from `first` on, one by one or in groups; says each time how many are answered."""
    for number in range(first, len(turns), group):
        part = range(number, min(number + group, len(turns)))
        if group == 1:
            recorder.give(turns[number].command, id_of(recorder, turns[number].command, number))
        else:
            commands = [turns[one].command for one in part]
            work = [(recorder, one, id_of(recorder, one, id)) for one, id in zip(commands, part, strict=True)]
            answers = give_all(recorder.store, work)
            assert None not in answers, recorder.ownership.why
        yield part[-1] + 1


# ---- going on after an interruption


class Ended(msgspec.Struct, frozen=True):
    """How it went on: the round was resumed (or there was none), or is void."""

    how: str
    lost: list[int] = msgspec.field(default_factory=list)
    """Bets and withdrawals that came while the round was interrupted, and had no effect."""


class Afterwards:
    """An evening that goes on after recovery, by the people and clients who were there before."""

    def __init__(self, recorder: Recorder, evening: Evening, on_disk: int) -> None:
        self.recorder = recorder
        self.evening = evening
        self.turns = given(evening)
        self.on_disk = on_disk
        """How many commands of the evening are on disk."""
        self._requests: dict[int, int] = {}
        """What the numbers of the evening's requests are now."""

    @property
    def table(self) -> Table:
        return table_of(self.recorder)

    def begin(self, answered: int) -> str:
        """The last commands are sent again, and the interruption ends; says whether the round goes on or is void."""
        for number in range(max(0, answered - 1), min(self.on_disk, answered + 1)):
            self.resend(number)
        how = self.restore()
        for number in range(answered, self.on_disk):
            self.resend(number)
        return how

    def end(self, how: str, answered: int) -> Ended:
        """If the round was not voided, the evening goes on with the first command that was not answered."""
        return Ended(how, list(self.go_on(answered)) if how == "resumed" else [])

    def restore(self) -> str:
        """End an interruption that recovery found, within its time, by what can be known."""
        before = replayed(self.evening, self.turns[: self.on_disk]).table
        if before.interruption is not None:  # the evening's own
            return "resumed"
        if waiting_decision(before) is not None:  # it stands still already: recovery leaves it so (ruling 45)
            assert self.table.interruption is None
            assert waiting_decision(self.table) == waiting_decision(before)
            return "resumed"
        if self.table.interruption is None:  # recovery interrupts whatever was under way
            assert interruption_act(self.table, self.table.phase).act == "nothing"
        elif not self.table.interruption.power_back:
            self._must(m.Restore("system", self.recorder.at))
        if before.phase == "moving" and before.order == "covered" and not self.table.motion.started:
            self._tumble_again()
        if (struck := self.table.interruption) is not None:
            if interruption_act(self.table, struck.was).act == "wait":
                self._wait_for_the_ball()
            else:
                return self._attest()
        return "void" if was_voided(before, self.table) else "resumed"

    def _tumble_again(self) -> None:
        """The tumble under the cover began before the cut, and begins again."""
        moved = [turn.command for turn in self.turns[: self.on_disk] if turn.events]
        start = max(place for place, command in enumerate(moved) if isinstance(command, m.StartMotion))
        for command in moved[start:]:
            if isinstance(command, m.StartMotion | m.EndMotion):
                self._must(command)

    def _wait_for_the_ball(self) -> None:
        """It comes to rest by itself, where the evening has a result for it and does not say so."""
        has_result = self.table.round and _settled_by(self.turns, self.table.round.number)
        if has_result and not any(isinstance(turn.command, m.EndMotion) for turn in self.turns[self.on_disk :]):
            count, at = self.table.book.play.minimum, self.recorder.at
            assert any(not self.recorder.give(m.EndMotion(by, at, count)).entry.refused for by in self.table.staff)

    def _attest(self) -> str:
        table = self.table
        assert table.interruption is not None
        assert table.round is not None
        outcome = _settled_by(self.turns, table.round.number)
        shown = tuple((table.sensed or outcome or "").split("-")) if table.sensed or outcome else ()
        covered = table.interruption.was == "closed" and table.book.interruption.established != "closed"
        self._by_two(m.Attest("", 0, () if covered and 23 not in table.setup.alternatives else shown))
        if self.table.round is None:
            return "void"
        assert table.sensed in (None, outcome)
        return "resumed"

    def go_on(self, first: int) -> Iterator[int]:
        """Give the rest of the evening; yields the numbers of bets and withdrawals an interruption has kept out."""
        for number in range(first, len(self.turns)):
            turn = self.turns[number]
            if number < self.on_disk and turn.refused and turn.refused.reason == "interrupted":
                continue  # it had its answer; sent again now, when the interruption is over, it would be a new bet
            answer = self._give(number)
            if answer.entry.refused and answer.entry.refused.reason == "locked" and turn.refused is None:
                self._by_two(m.Unlock("", 0, "checked after the interruption"))
                answer = self._give(number)
            no = answer.entry.refused
            if isinstance(turn.command, m.PlaceBet | m.WithdrawBet) and turn.events and no:
                assert no.reason in ("interrupted", "late-bet"), no
                yield number

    def _give(self, number: int) -> Answer:
        turn, command = self.turns[number], self.turns[number].command
        if isinstance(command, m.Approve | m.Decline):
            command = msgspec.structs.replace(command, request=self._requests.get(command.request, command.request))
        answer = self.recorder.give(command, id_of(self.recorder, command, number))
        for was, now in zip(_requested(turn.events), _requested(answer.entry.events), strict=False):
            self._requests[was] = now
        return answer

    def resend(self, number: int) -> None:
        """A client that heard no answer sends again: what is on disk has no second effect."""
        rows, turn = self.recorder.place.seq, self.turns[number]
        if number < self.on_disk and turn.refused is None:
            answer = self._give(number)
            assert answer.again
            assert list(answer.entry.events) == turn.events
            assert self.recorder.place.seq == rows

    def _must(self, command: AnyCommand) -> tuple[m.AnyEvent, ...]:
        entry = self.recorder.give(command).entry
        assert entry.refused is None, (command, entry.refused)
        return cast(tuple[m.AnyEvent, ...], entry.events)

    def _by_two(self, command: AnyCommand) -> None:
        """Whoever may ask asks, and whoever may approve it approves; if there is nobody, someone is called."""
        if not self._asked_and_approved(command):
            at, senior = self.recorder.at, PersonId("Zoe")
            for one, role in itertools.product(list(self.table.staff), SUPERVISION):
                self.recorder.give(m.AssignStaff(one, at, senior, (role,)))
            assert self._asked_and_approved(command), f"nobody may {command}"

    def _asked_and_approved(self, command: AnyCommand) -> bool:
        at, staff = self.recorder.at, list(self.table.staff)
        for one in staff:
            asked = self.recorder.give(msgspec.structs.replace(command, by=one, at=at)).entry
            for event in asked.events:
                assert isinstance(event, m.ApprovalRequested)
                for two in staff:
                    approved = self.recorder.give(m.Approve(two, at, event.request, event.digest)).entry
                    if approved.refused is None:
                        return True
        return False


def _requested(events: Sequence[Any]) -> list[int]:
    return [event.request for event in events if isinstance(event, m.ApprovalRequested)]


def _settled_by(turns: Sequence[Turn], round: RoundNumber) -> str | None:
    """What the dice or the ball were to show in a round of the evening."""
    events = [event for turn in turns for event in turn.events]
    return next((e.outcome for e in events if isinstance(e, m.LosersCollected) and e.round == round), None)


def round_of(table: Table) -> RoundNumber:
    """The round in play; where only the dice have moved yet, the one to come."""
    return table.round.number if table.round else table.next_round


def was_voided(before: Table, after: Table) -> bool:
    past = after.past.get(round_of(before))
    return before.phase != "ready" and past is not None and past.void_clause is not None


def replayed(evening: Evening, turns: Sequence[Turn]) -> Evening:
    """The same table, given only these turns, with no disk and no interruption."""
    again = Evening(new_table(evening.table.setup), dict(evening.staff))
    again.table.staff |= evening.staff
    for turn in turns:
        again.give(turn.command)
    return again


def check_end(store: Store, evening: Evening, on_disk: int, ended: Ended) -> None:
    """The evening ended as if undisturbed; or its round by the clause of the interruption, every stake returned."""
    assert verify(store).lies == []
    judge = Recorder.recover(store, "judge", 10**12, 5_000, evening.table.setup.table)
    table = table_of(judge)
    before = replayed(evening, given(evening)[:on_disk]).table
    if ended.how == "resumed":
        turns = [turn for number, turn in enumerate(given(evening)) if number not in ended.lost]
        expected = replayed(evening, turns)
        if expected.table.phase == "settling" and table.round is None:  # what was to be paid, recovery has paid
            expected.give(m.Interrupt("system", 0, "server"))
            expected.give(m.Restore("system", 0))
        assert table.seats == expected.table.seats
        assert _but_for_no_spin(table.past, round_of(before)) == _but_for_no_spin(expected.table.past, round_of(before))
        assert judge.subject.balances == expected.balances
        return
    assert table.past[round_of(before)].void_clause == VOID_CLAUSES[table.book.id]
    kept = {seat.id: seat.credit + seat.held for seat in before.seats.values()}
    assert {seat.id: seat.credit for seat in table.seats.values()} == kept
    assert not any(seat.held for seat in table.seats.values())


def _but_for_no_spin(past: dict[RoundNumber, PastRound], struck: RoundNumber) -> dict[RoundNumber, PastRound]:
    """No spin announced in an interruption has a clause of its own (sands 5.11.1 for 5.12)."""
    here = past.get(struck)
    return past | {struck: replace(here, void_clause="5.12")} if here and here.void_clause == "5.11.1" else past


# ---- the process that is killed


class Job(msgspec.Struct, frozen=True):
    """Play, or recover and go on; and die at a point of the command of this number."""

    database: str
    evening: str
    point: str = ""
    number: int = 0
    group: int = 1
    on_disk: int = 0
    answered: int = 0


class Told(msgspec.Struct, frozen=True):
    """What the server heard of a job: the signal that ended it, what it had answered, and how it ended if it did."""

    signal: int
    answered: int
    ended: Ended | None = None
    error: str = ""


def do(job: Job, say: Callable[[bytes], None]) -> None:
    evening, store = evening_named(job.evening), SqliteStore(Path(job.database), reserve=0)
    name, turns = evening.table.setup.table, given(evening)
    giving = range(RECOVERING, RECOVERING + 1)

    def at(reached: str) -> None:
        if reached == job.point and job.number in giving:
            os.kill(os.getpid(), signal.SIGKILL)

    _strike(store, at)
    if store.head(name).seq:
        recorder = Recorder.recover(store, "child", 0, 5_000, name)
        at("evolved")
        giving = range(RESTORING, RESTORING + 1)
        after = Afterwards(recorder, evening, job.on_disk)
        how = after.begin(job.answered)
        at("evolved")
        giving = range(0)
        say(b"E" + msgspec.json.encode(after.end(how, job.answered)) + b"\n")
        return
    giving = range(0)
    recorder = made(store, "child", evening)
    _strike_group(recorder, at)
    answers = give_turns(recorder, turns, group=job.group)
    for first in range(0, len(turns), job.group):
        giving = range(first, first + job.group)
        at("received")
        answered = next(answers)
        at("evolved")
        say(b"A%d\n" % answered)
        at("answered")


def _strike(store: SqliteStore, at: Callable[[str], None]) -> None:
    """Put the points inside the pipeline around the store's own steps."""
    append, insert, take = store.append, store._insert, store.take

    def appending(batch: Sequence[Append]) -> None:
        at("decided")
        append(batch)
        at("committed")

    def inserting(held: Sequence[Append]) -> None:
        insert(held)
        at("in the transaction")

    def taking(stream: str, owner: str, now: int, milliseconds: int) -> Lease:
        lease = take(stream, owner, now, milliseconds)
        at("taken")
        return lease

    vars(store).update(append=appending, _insert=inserting, take=taking)


def _strike_group(recorder: Recorder, at: Callable[[str], None]) -> None:
    grouped = recorder.decide

    def grouping(command: Any, id: str, room: bool) -> Answer:
        answer = grouped(command, id, room)
        at("waiting")
        return answer

    vars(recorder).update(decide=grouping)


def forked(job: Job) -> Told:
    """Do a job in a process of its own, and wait for its end."""
    evening_named(job.evening)
    here, there = os.pipe()
    child = os.fork()
    if not child:
        code = 1
        try:
            do(job, lambda line: (os.write(there, line), None)[1])
            code = 0
        except BaseException as fault:
            os.write(there, f"!{fault!r}\n".encode())
        finally:
            os._exit(code)
    os.close(there)
    with os.fdopen(here, "rb") as said:
        lines = said.read().splitlines()
    _, status = os.waitpid(child, 0)
    answers = [int(line[1:]) for line in lines if line[:1] == b"A"]
    ends = [msgspec.json.decode(line[1:], type=Ended) for line in lines if line[:1] == b"E"]
    error = b"".join(line for line in lines if line[:1] == b"!").decode()
    signal = os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0
    return Told(signal, max(answers, default=job.answered), ends[0] if ends else None, error)


def main() -> None:
    for line in sys.stdin:
        print(msgspec.json.encode(forked(msgspec.json.decode(line, type=Job))).decode(), flush=True)


def transcripts(book: str) -> list[Path]:
    return sorted((TRANSCRIPTS / book).glob("*.round"))


if __name__ == "__main__":
    main()
