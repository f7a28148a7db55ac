"""Makes facts of the lines of a Cammegh-style wheel: each change once, however often a line repeats. Never waits.

The wheel sends a status line every half second,
`*X;<state>;<game>;<last number>;<warning>;<rotor speed>;<direction>`; when the number is known, a line with the number
alone; then state 5. The lines have no checksum. So what one lost byte could forge is believed only on the second line:
a new game, and a winning number before any lone number. The lone number is a claim: it is shown once state 5 of its
game names the same number.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from croupier.devices.port import AnyFact, Fault, Launched, Progress, Rested, Shown, Slowed, Warned
from croupier.rules.outcomes import Outcome, Wheel

START, PLACE_BETS, BALL_IN_TRACK, NO_MORE_BETS, WINNING_NUMBER, CLOSED = range(1, 7)
IN_GAME = range(PLACE_BETS, CLOSED)
BALL_GONE, SAME_DIRECTION, SENSOR_OR_MOTOR, FAILED_LAUNCH = 1, 2, 4, 8
EVERY_WARNING = BALL_GONE | SAME_DIRECTION | SENSOR_OR_MOTOR | FAILED_LAUNCH
STRAYS = 4
"""So many lines in a row of the game before mean that the wheel was restarted and counts from that game."""
STUCK = 120_000
"""Milliseconds: no ball stays on its track so long."""

COMMANDS = {"power-on": b"*P 1\r\n", "power-off": b"*P 0\r\n", "launch": b"*u 1\r\n"}
ERRORS = b"*F\r\n"

_STATUS = re.compile(r"\*X;([1-6]);(\d{1,6});([0-9A-Z]{0,3});(\d{1,2});(\d{1,4});([01])")
_NUMBER = re.compile(r"[0-9A-Z]{1,3}")
_ANSWER = re.compile(r"\*[A-WYZa-z][ -~]*")


class Status(NamedTuple):
    state: int
    game: str
    number: str
    warning: int
    speed: int
    direction: int


class QueryAnswer(NamedTuple):
    """The wheel's answer to a query, in its own words."""

    text: str


def query(item: str) -> bytes:
    return b"*T " + item.encode("ascii") + b"\r\n"


def read_line(line: bytes, wheel: Wheel) -> Status | Outcome | QueryAnswer | None:
    """Read one line without its end; None if no wheel with these numbers sends it."""
    text = line.decode("ascii", "replace").strip()
    if found := _STATUS.fullmatch(text):
        state, game, number, *figures = found.groups()
        return Status(int(state), game, number, *map(int, figures))
    if _ANSWER.fullmatch(text):
        return QueryAnswer(text)
    return _number(text, wheel) if _NUMBER.fullmatch(text) else None


def _number(text: str, wheel: Wheel) -> Outcome | None:
    """A number of the wheel; some write 7 as 07, but 00 is itself where the wheel has it."""
    for form in (text, text.lstrip("0") or "0"):
        if form in wheel.numbers:
            return Outcome(form)
    return None


class WheelLines:
    """Remembers the game under way, and finds what is new in a line."""

    def __init__(self, device: str, wheel: Wheel) -> None:
        self.device = device
        self.wheel = wheel
        self.garbled = 0
        self.answers: list[str] = []
        self.state = 0
        self._game = ""
        self._before = ""
        self._since = 0
        self._in_garble = False
        self._doubt: tuple[str, int] | None = None
        self._strays = 0
        self._rotor = -1
        self._forget_game()

    def _forget_game(self) -> None:
        self._launched = self._slowed = self._rested = self._over = False
        self._claim: Outcome | None = None
        self._warned: set[Fault] = set()
        self._warning = 0

    def read(self, line: bytes, at: int) -> list[AnyFact]:
        """The facts that a line adds."""
        message = read_line(line, self.wheel)
        if message is None:
            return list(self._garble(at))
        self._in_garble = False
        if isinstance(message, QueryAnswer):
            self.answers = [*self.answers[-15:], message.text]
            return []
        return list(self._status(message, at) if isinstance(message, Status) else self._lone_number(message, at))

    def _garble(self, at: int) -> Iterator[AnyFact]:
        self.garbled += 1
        if not self._in_garble:
            self._in_garble = True
            yield Warned(self.device, at, "garbled")

    def _warn(self, what: Fault, at: int) -> Iterator[AnyFact]:
        """Each warning once a game."""
        if what not in self._warned:
            self._warned.add(what)
            yield Warned(self.device, at, what)

    def _status(self, status: Status, at: int) -> Iterator[AnyFact]:
        if self._is_stray(status):
            yield from self._warn("late", at)
            return
        if self._is_doubtful(status):
            return
        if status.game != self._game:
            yield from self._new_game(status, at)
        elif status.state != self.state:
            yield from self._edge(status, at)
        yield from self._warnings(status, at)
        yield from self._watch(status, at)

    def _is_stray(self, status: Status) -> bool:
        """True if the line belongs to the game before this one."""
        self._strays = self._strays + 1 if status.game == self._before != self._game else 0
        return 0 < self._strays < STRAYS

    def _is_doubtful(self, status: Status) -> bool:
        """True if one lost byte could have forged the line, and it has come only once."""
        if status.game != self._game:
            doubt = (status.game, 0)
        elif status.state == WINNING_NUMBER != self.state and self._claim is None:
            doubt = (status.game, WINNING_NUMBER)
        else:
            self._doubt = None
            return False
        first = doubt != self._doubt
        self._doubt = doubt if first else None
        return first

    def _new_game(self, status: Status, at: int) -> Iterator[AnyFact]:
        if self._launched and not self._rested:
            yield from self._warn("no-number", at)
        self._before, self._game = self._game, status.game
        self._forget_game()
        self.state = START
        yield from self._edge(status, at)

    def _edge(self, status: Status, at: int) -> Iterator[AnyFact]:
        # Within a game states only go up; 1 and 6 may follow any of them.
        backwards = status.state in IN_GAME and status.state < self.state and self.state in IN_GAME
        again = status.state > PLACE_BETS and self._rested and status.state in IN_GAME
        if backwards or again:
            yield from self._warn("out-of-order", at)
            return
        self.state, self._since = status.state, at
        if status.state in (BALL_IN_TRACK, NO_MORE_BETS, WINNING_NUMBER):
            yield from self._launch(status, at)
        if status.state in (NO_MORE_BETS, WINNING_NUMBER):
            yield from self._slow(status, at)
        if status.state == WINNING_NUMBER:
            yield from self._rest(status, at)

    def _launch(self, status: Status, at: int) -> Iterator[AnyFact]:
        if self._launched:
            return
        if status.state != BALL_IN_TRACK:
            yield from self._warn("out-of-order", at)
        self._launched = True
        yield Launched(self.device, at, bool(status.warning & SAME_DIRECTION), status.direction)
        if status.speed == 0:
            yield from self._warn("wheel-not-rotating", at)

    def _slow(self, status: Status, at: int) -> Iterator[AnyFact]:
        if self._slowed:
            return
        if status.state != NO_MORE_BETS:
            yield from self._warn("out-of-order", at)
        self._slowed = True
        yield Slowed(self.device, at)

    def _rest(self, status: Status, at: int) -> Iterator[AnyFact]:
        self._rested = True
        yield Rested(self.device, at, 0)  # this format does not count revolutions
        number = _number(status.number, self.wheel)
        if self._over or (self._warning | status.warning) & FAILED_LAUNCH:
            return
        self._over = True
        if self._claim is None:
            yield from self._warn("no-number", at)
        elif number != self._claim:
            yield from self._warn("contradiction", at)
        else:
            yield Shown(self.device, at, self._claim)

    def _lone_number(self, number: Outcome, at: int) -> Iterator[AnyFact]:
        if not self._launched or (self._rested and self._claim is None):
            yield from self._warn("late", at)
        elif self._claim is None:
            self._claim = number
        elif number == self._claim:
            yield from self._warn("duplicate", at)
        else:
            self._over = True
            yield from self._warn("contradiction", at)

    def _warnings(self, status: Status, at: int) -> Iterator[AnyFact]:
        new = status.warning & ~self._warning
        self._warning |= status.warning
        if new & BALL_GONE:
            yield from self._warn("ball-removed" if self._launched else "no-ball", at)
        if new & SAME_DIRECTION:
            yield from self._warn("wrong-direction", at)
        if new & SENSOR_OR_MOTOR:
            yield from self._warn("sensor-or-motor", at)
        if new & FAILED_LAUNCH:
            yield from self._warn("failed-launch", at)
        if new & ~EVERY_WARNING:
            yield from self._warn("garbled", at)

    def _watch(self, status: Status, at: int) -> Iterator[AnyFact]:
        ball_runs = self.state in (BALL_IN_TRACK, NO_MORE_BETS)
        if status.speed == 0 and ball_runs and "wheel-not-rotating" not in self._warned:
            yield from self._warn("wheel-stopped", at)
        if ball_runs and at - self._since > STUCK:
            yield from self._warn("stuck-sensor", at)
        if status.speed != self._rotor:
            self._rotor = status.speed
            yield Progress(self.device, at, "rotor", rate=status.speed)
