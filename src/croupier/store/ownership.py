"""Who may write to a stream, as this process knows it. Every state, and every change of state, is in this file.

A recorder has one `Ownership` (decision 0023). Nothing else says whether it takes commands, keeps up with another, or
has stopped.

* owned: it has the lease, and takes commands. What it holds in memory is what is on disk.
* followed: another machine has the lease, or nobody has. It applies the rows as they come, and takes no commands.
* superseded: it was the owner and is no longer: another has the lease, or it was handed over. What it holds may be old.
* uncertain: whether its last rows are on disk is not known, because the database failed or did not answer.
* faulted: what it holds is not to be trusted, and reading the rows again would not help: there is a bug here, the money
  does not add up, or there is a row that this version cannot read. It stays so until a person restarts the machine.
* shortened: the journal ends before a row that was answered for (see `heads`). Nobody may write to it, here or
  elsewhere, until a better copy is put back or two people accept the loss.

What happens to a stream:

* LeaseTaken: the lease was free and is ours now, under a higher epoch (`Recorder.take_over`).
* LeaseLost: a renewal or an append was refused, because the epoch or the place is another's.
* HandedOver: it was given up between two rounds, so that another machine takes it.
* CommitUnknown: a commit failed in a way that leaves open whether it happened, or the database is away.
* Fault: a row cannot be read or applied here, or a bug was met.
* Shortened: a comparison with the heads found rows missing.
* FoundAgain: a later comparison found them, or found that the loss was accepted.
* ReadAgain: the rows were read from the disk, by a new recorder that takes the place of this one. The old one keeps its
  state, so commands that still wait for it are not given to a state that is old.

A kill loses all of this, and should: a process that begins knows nothing, follows or takes what it finds, and compares.
That two processes both believe to own a stream is harmless, for the store compares the epoch in every append.
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
"""`TRANSITIONS[state][happening]` is the next state; what is not here cannot happen."""

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
        """It takes no more commands, for this reason."""
        self.change(_happened(why), why)

    def read_again(self) -> Ownership:
        """That of the recorder which takes this one's place, once the rows were read again."""
        return Ownership(TRANSITIONS[self.state]["ReadAgain"])

    @property
    def is_current(self) -> bool:
        """Is what it holds what is on disk, as far as it was read?"""
        return self.state in ("owned", "followed")

    @property
    def must_read_again(self) -> bool:
        """May reading the rows again mend it?"""
        return "ReadAgain" in TRANSITIONS[self.state]

    @property
    def is_broken(self) -> bool:
        """Has it stopped for something that reading the rows again would not mend, because it is in them or in us?"""
        return self.state in ("faulted", "shortened")

    @property
    def keeps_its_lease(self) -> bool:
        """Whoever stops for a fault stays the owner: the same would stop every other machine, one after the other."""
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
