"""Groups of commands, of any number of streams, put on disk in one commit."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Sequence
from typing import Any

from croupier.store.journal import Conflict, Indeterminate, Store, Unwritten
from croupier.store.recorder import Answer, Recorder, unwritten_answer

Work = tuple[Recorder, Any, str]
"""A command, whom it is given to, and the giver's id for it."""


def give_all(store: Store, work: Sequence[Work]) -> list[Answer | None]:
    """Everything that waits, decided in its order and put on disk in one commit; None where the giver must ask again.

    What is decided is applied before it is on disk, so that the next can be decided; nobody hears of it before. An
    answer once on disk is given, whatever happens to the rest: what failed is in `Recorder.fault` of those it stopped.
    After Indeterminate nothing more is tried, for only a restart can tell what is on disk.
    """
    answers: list[Answer | None] = [None] * len(work)
    with contextlib.suppress(Indeterminate):
        _give_all(store, work, answers)
    return answers


def _give_all(store: Store, work: Sequence[Work], answers: list[Answer | None]) -> None:
    begin, room = 0, store.room()
    for number, (recorder, command, id) in enumerate(work):
        if recorder.lost:
            continue
        if recorder.subject.alone(command):
            _commit(store, work, answers, range(begin, number))
            begin, room = number + 1, store.room()
            answers[number] = recorder.give_alone(command, id)
            continue
        try:
            answers[number] = recorder.decide(command, id, room)
        except Exception as error:  # a bug stops this table and no other
            recorder.stop(error)
    _commit(store, work, answers, range(begin, len(work)))


def _commit(store: Store, work: Sequence[Work], answers: list[Answer | None], group: Sequence[int]) -> None:
    """Put a part of the work on disk. Until then its answers are given to nobody, and those that fail never are."""
    recorders = list(dict.fromkeys([work[number][0] for number in group]))
    appends = [(recorder, append) for recorder in recorders if (append := recorder.to_write()) is not None]
    unwritten: set[int] = set()
    why: Unwritten | None = None
    try:
        if appends:
            store.append([append for _, append in appends])
    except Conflict as conflict:
        if not conflict.streams and len(appends) > 1:
            # An id or a ticket is there already, and nothing was written: what can be is written by itself.
            for recorder in recorders:
                _commit(store, work, answers, [number for number in group if work[number][0] is recorder])
            return
        for recorder, append in appends:
            if append.stream in conflict.streams or not conflict.streams:
                recorder.stop(conflict)
    except Unwritten as nothing:
        why = nothing
        for recorder, _ in appends:
            unwritten.add(id(recorder))
            recorder.forget_group()
    except Exception as error:
        failed = error if isinstance(error, Indeterminate) else Indeterminate(f"the store failed: {error!r}")
        for recorder, _ in appends:
            recorder.stop(failed)
        _take_back(work, answers, group, unwritten)
        raise failed from error
    for recorder, append in appends:
        if not recorder.lost and id(recorder) not in unwritten:
            recorder.written(append)
    if unwritten or any(recorder.lost for recorder in recorders):
        _take_back(work, answers, group, unwritten)
    if why is not None:
        for recorder, command, number in ((*work[number][:2], number) for number in group):
            if id(recorder) in unwritten and not recorder.lost:
                answers[number] = unwritten_answer(command, why)


def _take_back(work: Sequence[Work], answers: list[Answer | None], group: Iterable[int], unwritten: set[int]) -> None:
    """No answer to what is not on disk."""
    for number in group:
        if work[number][0].lost or id(work[number][0]) in unwritten:
            answers[number] = None
