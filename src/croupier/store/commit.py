"""Groups of commands, of any number of streams, put on disk in one commit.

A disk takes milliseconds to make a commit safe, whether it holds one row or a thousand. So whatever arrives while one
group is written waits, and is the next group. Five words say how far a command has come; they happen in this order:

* decided: the rulebook has said what happens. `Recorder.decide` has the events and the transfers.
* applied: the state in memory has changed, so that the next command of the group can be decided. No other code has
  read it.
* committed: the row is on disk. The money that the group moved was audited before, once for each stream.
* noted: the new head is in this machine's heads (`Recorder.written`), and `place` has moved on.
* acknowledged: the sender has the answer, and then the listeners get the row. Both happen in `floor.floor`, after
  `give_all` has returned.

What is always true:

1. An answer that `give_all` returns is on disk, or says that nothing is written (the disk is full, or the id cannot be
   one). None means: not written, or unknown; send the command again with the same id.
2. A stream that stops has nothing of its group on disk, unless that is unknown, and its answers are withdrawn
   (`_withdraw`). If the reason concerns this stream alone (it has another owner, its money does not add up, there is a
   bug), the other streams of the group are committed and answered.
3. A recorder that stops here holds more in memory than is on disk. It takes nothing more until its rows are read again.
4. The rows of a stream are in the order in which their commands were given. A command that must look at the disk to be
   decided closes the group before it, goes by itself (`Recorder.give_alone`), and a new group begins after it.

What a kill leaves: before the commit, nothing of the group; during it, all of it or nothing, for it is one transaction;
after it, all of it, and senders without an answer send again and get the answer of the row. `recorder` describes how
each kind of failure ends. After Indeterminate nothing more of the work is tried: no later stream of the group, and no
later group, because the database is away or its contents are unknown.

`give_all` is called by the floor's event loop and nowhere else while a floor is open. It awaits nothing: from the first
decision to the last answer no other code of the loop runs, so none reads a state that is applied and not committed.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Sequence
from typing import Any

from croupier.rules.findings import found
from croupier.store.journal import Conflict, Indeterminate, Store, Unwritten
from croupier.store.recorder import Answer, Recorder, unwritten_answer

Work = tuple[Recorder, Any, str]
"""The recorder that decides a command, the command, and its sender's id for it."""


def give_all(store: Store, work: Sequence[Work]) -> list[Answer | None]:
    """Decide all work in order and put it on disk in one commit; None where a command must be sent again.

    An answer that is on disk is returned, whatever happens to the rest. `Recorder.ownership` has the error of each
    recorder that has stopped.
    """
    answers: list[Answer | None] = [None] * len(work)
    with contextlib.suppress(Indeterminate):
        _give_all(store, work, answers)
    return answers


def _give_all(store: Store, work: Sequence[Work], answers: list[Answer | None]) -> None:
    begin, room = 0, store.room()
    for number, (recorder, command, id) in enumerate(work):
        if not recorder.owned:
            continue
        if recorder.subject.alone(command):
            _commit(store, work, answers, range(begin, number))
            begin, room = number + 1, store.room()
            answers[number] = recorder.give_alone(command, id)
            continue
        try:
            answers[number] = recorder.decide(command, id, room)
        except Exception as error:  # a bug stops this table and no other
            recorder.ownership.stop(error)
    _commit(store, work, answers, range(begin, len(work)))


def _commit(store: Store, work: Sequence[Work], answers: list[Answer | None], group: Sequence[int]) -> None:
    """Put a part of the work on disk, and withdraw the answers of what failed."""
    recorders = list(dict.fromkeys([work[number][0] for number in group]))
    appends = [(recorder, append) for recorder in recorders if (append := recorder.to_write()) is not None]
    unwritten: set[int] = set()
    why: Unwritten | None = None
    try:
        if appends:
            store.append([append for _, append in appends])
    except Conflict as conflict:
        if not conflict.streams and len(appends) > 1:
            # The database has an id or a ticket already, and nothing was written: write each stream by itself.
            _each_by_itself(store, work, answers, group, recorders)
            return
        for recorder, append in appends:
            if append.stream in conflict.streams or not conflict.streams:
                recorder.ownership.stop(conflict)
    except Unwritten as nothing:
        why = nothing
        for recorder, _ in appends:
            unwritten.add(id(recorder))
            recorder.forget_group()
    except Exception as error:
        failed = (
            error if isinstance(error, Indeterminate) else Indeterminate(found("store", "failed", error=repr(error)))
        )
        for recorder, _ in appends:
            recorder.ownership.stop(failed)
        _withdraw(work, answers, group, unwritten)
        raise failed from error
    for recorder, append in appends:
        if recorder.owned and id(recorder) not in unwritten:
            recorder.written(append)
    if unwritten or any(not recorder.owned for recorder in recorders):
        _withdraw(work, answers, group, unwritten)
    if why is not None:
        for recorder, command, number in ((*work[number][:2], number) for number in group):
            if id(recorder) in unwritten and recorder.owned:
                answers[number] = unwritten_answer(command, why)


def _each_by_itself(
    store: Store,
    work: Sequence[Work],
    answers: list[Answer | None],
    group: Sequence[int],
    recorders: Sequence[Recorder],
) -> None:
    parts = [[number for number in group if work[number][0] is recorder] for recorder in recorders]
    for done, part in enumerate(parts):
        try:
            _commit(store, work, answers, part)
        except Indeterminate as failed:
            # Nothing was written for the streams after this one: their memory is ahead of the disk.
            for recorder, left in zip(recorders[done + 1 :], parts[done + 1 :], strict=True):
                if recorder.owned:
                    recorder.ownership.stop(failed)
                _withdraw(work, answers, left, set())
            raise


def _withdraw(work: Sequence[Work], answers: list[Answer | None], group: Iterable[int], unwritten: set[int]) -> None:
    """Withdraw the answers to what is not on disk."""
    for number in group:
        if not work[number][0].owned or id(work[number][0]) in unwritten:
            answers[number] = None
