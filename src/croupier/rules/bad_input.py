"""Errors in files, messages and arguments: every fault at once, each with its place."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from croupier.rules.refusal import Refused


@dataclass(frozen=True, slots=True)
class Fault:
    """Something wrong in a file or a message: where, and what would be right."""

    place: str
    wrong: str | Refused
    """A sentence, or the refusal of the rules."""

    @property
    def message(self) -> str:
        return str(self.wrong)

    def line(self, say: Callable[[Refused], str] = str) -> str:
        wrong = self.wrong if isinstance(self.wrong, str) else say(self.wrong)
        return f"{self.place}: {wrong}" if self.place else wrong

    def __str__(self) -> str:
        return self.line()

    def inside(self, place: str) -> Fault:
        """The same fault, with the place of the whole before its own."""
        return Fault(f"{place}: {self.place}" if self.place else place, self.wrong)


def cause(error: BaseException) -> str:
    """Why a file, a line or a server could not be used: in the system's words, without its number and the path."""
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    return str(error) or type(error).__name__


class BadInput(Exception):
    """A file, a message or an argument that cannot be used, with all of its faults. Nothing was done with it."""

    def __init__(self, faults: Iterable[Fault]) -> None:
        self.faults = tuple(faults)
        assert self.faults, "refused without a fault"
        super().__init__("\n".join(map(str, self.faults)))

    def lines(self, say: Callable[[Refused], str] = str) -> list[str]:
        """One line for each fault, with refusals as `say` words them."""
        return [fault.line(say) for fault in self.faults]


class Unreadable(BadInput):
    """Bytes that cannot be read as a message: what is wrong, and where."""

    def __init__(self, where: str, wrong: str) -> None:
        super().__init__([Fault(where, wrong)])
