"""Who may write to a stream, as this process knows it. Every state, and every change of state, is in this file.

A recorder has one `Ownership` (decision 0023). It alone says whether the recorder takes commands, follows another
machine, or has stopped.

* owned: the recorder has the lease and takes commands. Its memory is what is on disk.
* followed: another machine has the lease, or none has. It applies the rows as they come, and takes no commands.
* superseded: it was the owner: another has the lease now, or it was handed over. Its memory may be out of date.
* uncertain: it does not know whether its last rows are on disk, because the database failed or did not answer.
* faulted: its memory cannot be trusted, and reading the rows again would not help: there is a bug, the money does not
  add up, or this version cannot read a row. It stays so until a person restarts the machine.
* shortened: the journal ends before a row that was answered for (see `heads`). No machine may write to it until a
  better copy is restored or two people accept the loss.

What happens to a stream:

* LeaseTaken: the lease was free, and this recorder has taken it under a higher epoch (`Recorder.take_over`).
* LeaseLost: a renewal or an append was refused, because another has changed the epoch or the place.
* HandedOver: this machine gave the lease up between two rounds, so that another takes it.
* CommitUnknown: a commit failed and it is unknown whether it happened, or the database does not answer.
* Fault: a row cannot be read or applied, or there is a bug.
* Shortened: a comparison with the heads found rows missing.
* FoundAgain: a later comparison found the rows, or found that the loss was accepted.
* ReadAgain: a new recorder has read the rows from the disk and takes the place of this one. The old one keeps its
  state, so it does not take the commands that still wait for it.

A kill loses all of this, and should: a process that begins follows or takes what it finds in the store, and compares.
Two processes that both believe they own a stream do no harm, because the store compares the epoch in every append.
"""

from __future__ import annotations

from typing import Literal

from croupier.store.heads import Shortened
from croupier.store.journal import Conflict, Indeterminate

State = Literal["owned", "followed", "superseded", "uncertain", "faulted", "shortened"]
Happening = Literal[
    "LeaseTaken", "LeaseLost", "HandedOver", "CommitUnknown", "Fault", "Shortened", "FoundAgain", "ReadAgain"
]

_LEFT: dict[Happening, State] = {"ReadAgain": "followed", "Fault": "faulted", "Shortened": "shortened"}

TRANSITIONS: dict[State, dict[Happening, State]] = {
    "owned": {
        "LeaseLost": "superseded",
        "HandedOver": "superseded",
        "CommitUnknown": "uncertain",
        "Fault": "faulted",
        "Shortened": "shortened",
    },
    "followed": {"LeaseTaken": "owned", "Fault": "faulted", "Shortened": "shortened"},
    "superseded": _LEFT,
    "uncertain": _LEFT,
    "faulted": {"Shortened": "shortened"},
    "shortened": {"Shortened": "shortened", "FoundAgain": "superseded"},
}
"""`TRANSITIONS[state][happening]` is the next state; what is not in this table cannot happen."""

BEGINNINGS: tuple[State, ...] = ("owned", "followed", "shortened")
"""The states in which a recorder begins: made or recovered, following, or halted as its heads say."""


class Ownership:
    """The state of one stream in this process, and why it is so."""

    def __init__(self, state: State, why: BaseException | None = None) -> None:
        self.state = state
        self.why = why

    def change(self, happening: Happening, why: BaseException | None = None) -> None:
        self.state, self.why = TRANSITIONS[self.state][happening], why

    def stop(self, why: Exception) -> None:
        """Stop taking commands, for this reason."""
        self.change(_happened(why), why)

    def read_again(self) -> Ownership:
        """The ownership of the recorder that takes this one's place, after the rows were read again."""
        return Ownership(TRANSITIONS[self.state]["ReadAgain"])

    @property
    def is_current(self) -> bool:
        """Is the state in memory that of the rows on disk, as far as they were read?"""
        return self.state in ("owned", "followed")

    @property
    def must_read_again(self) -> bool:
        """May reading the rows again mend it?"""
        return "ReadAgain" in TRANSITIONS[self.state]

    @property
    def is_broken(self) -> bool:
        """True if reading the rows again would not help: the fault is in the rows or in this program."""
        return self.state in ("faulted", "shortened")

    @property
    def keeps_its_lease(self) -> bool:
        """After a fault it stays the owner: the same fault would stop every other machine, one after the other."""
        return self.state in ("owned", "faulted")


def _happened(why: Exception) -> Happening:
    match why:
        case Conflict():
            return "LeaseLost"
        case Indeterminate():
            return "CommitUnknown"
        case Shortened():
            return "Shortened"
        case _:
            return "Fault"
