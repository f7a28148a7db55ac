"""A floor for browsers: every layout at a table that people deal, both doors open, in a thread of its own.

Nothing happens by a clock: a test calls the bets, the tumble and the result itself, so that what it sees is certain.
"""

from __future__ import annotations

import asyncio
import contextlib
import socket
import threading
from collections.abc import Coroutine, Iterator, Sequence
from pathlib import Path
from typing import Any, TypeVar

from croupier import load_rulebook, rulebook_ids
from croupier.floor.config import TableConfig
from croupier.floor.floor import Floor, LiveTable
from croupier.rules.money import Cents
from croupier.server.player.door import TerminalDoor
from croupier.server.sessions import Sessions
from croupier.server.staff.app import make_app
from croupier.server.staff.context import StaffSettings
from croupier.server.staff.door import StaffDoor
from croupier.store.folder import Premises
from croupier.table import messages as m
from croupier.table.messages import AnyCommand, AnyEvent, SeatId

T = TypeVar("T")
PATIENCE = 60
"""Seconds for anything that must happen; a slow machine is no failure."""
LAYOUTS = tuple(layout.id for book in map(load_rulebook, rulebook_ids()) for layout in book.layouts)
STAFF = {
    "Dana": ["dealer"],
    "Sam": ["pit-supervisor"],
    "Pat": ["pit-manager"],
    "Max": ["shift-manager"],
    "Cass": ["cashier"],
    "Audrey": ["auditor"],
    "tumbler": ["device"],
}
ZONE = "Pacific/Auckland"
"""Neither that of the browser nor that of any default: whoever shows another time is seen."""
WHEEL = ("S", "00", *map(str, range(1, 37)), "0")
"""The pockets of the roulette table, as this House has written them down."""
SEATS = tuple(f"A{number}" for number in range(1, 10))


def table_name(layout: str) -> str:
    """`rws-sicbo-etg-v2/A` is dealt at `rws-sicbo-etg-v2-a`."""
    return layout.replace("/", "-").lower()


def config(layout: str, seats: Sequence[str] = SEATS) -> TableConfig:
    """A table of one layout; where terminals choose, of all of its book's, this one first."""
    book = load_rulebook(layout.partition("/")[0])
    own = layout.rpartition("/")[2]
    ids = [one.id.rpartition("/")[2] for one in book.layouts]
    chosen = [own] if book.play.layout_of == "table" else [own, *(id for id in ids if id != own)]
    limits: dict[str, Any] = {
        "unit": "1.00",
        "minimum": {"*": "5.00"},
        "maximum": {"*": "1000.00"} if book.space.numbers[0] == "S" else {"*": "1000.00", "triple": "100.00"},
    }
    if book.limits.differential:
        limits["differential"] = "5000.00"
    return TableConfig.model_validate(
        {
            "name": table_name(layout),
            "rulebook": book.id,
            "layouts": tuple(chosen),
            "seats": tuple(seats),
            "limits": limits,
            "wheel": WHEEL if book.space.numbers[0] == "S" else (),
            "staff": {name: tuple(roles) for name, roles in STAFF.items()},
        }
    )


class BrowserFloor:
    """The floor, asked and told from a test's own thread."""

    def __init__(
        self,
        folder: Path,
        layouts: Sequence[str] = LAYOUTS,
        ports: tuple[int, int] = (0, 0),
        seats: Sequence[str] = SEATS,
    ) -> None:
        self._folder = folder
        self._layouts = layouts
        self._ports = ports
        self._seats = seats
        self._loop = asyncio.new_event_loop()
        self._ended = asyncio.Event()
        self._ready = threading.Event()
        self._thread = threading.Thread(target=self._run, name="house", daemon=True)
        self.floor: Floor
        self.sessions: Sessions
        self.door: TerminalDoor
        self.address = ""
        self.terminals = ""
        self._fault: BaseException | None = None

    # ---- beginning and end

    def open(self) -> None:
        self._thread.start()
        assert self._ready.wait(PATIENCE), "the floor did not open"
        if self._fault is not None:
            raise self._fault

    def close(self) -> None:
        self._loop.call_soon_threadsafe(self._ended.set)
        self._thread.join(PATIENCE)
        if self._fault is not None:
            raise self._fault

    def _run(self) -> None:
        try:
            self._loop.run_until_complete(self._main())
        except BaseException as fault:
            self._fault = fault
        finally:
            self._loop.close()
            self._ready.set()

    async def _main(self) -> None:
        premises = Premises(self._folder / "floor")
        if not premises.signs:
            premises.init()
        self.floor = Floor(premises, [config(layout, self._seats) for layout in self._layouts], "browser", lease=60_000)
        await self.floor.open()
        self.sessions = Sessions(self.floor)
        held = reserved()
        port = self._ports[0] or held.getsockname()[1]
        self.address = f"http://127.0.0.1:{port}"
        self.door = TerminalDoor(self.floor, self.sessions, origins=[self.address], zone=ZONE)
        terminals = await self.door.open("127.0.0.1", self._ports[1])
        self.terminals = f"ws://127.0.0.1:{terminals}/"
        origins = frozenset((self.address, f"http://localhost:{port}"))  # a passkey is made for a name
        settings = StaffSettings(zone=ZONE, origins=origins, terminals=self.terminals)
        staff = StaffDoor(make_app(self.floor, self.sessions, settings))
        await staff.open("127.0.0.1", port)
        for live in self.floor.tables.values():
            await self.floor.restore(live)
        self._ready.set()
        await self._ended.wait()
        await staff.close()
        await self.door.close()
        await self.floor.close()
        held.close()

    def ask(self, what: Coroutine[Any, Any, T]) -> T:
        """Do something on the floor's own thread, and wait for it."""
        return asyncio.run_coroutine_threadsafe(what, self._loop).result(PATIENCE)

    # ---- what people do

    def live(self, table: str) -> LiveTable:
        return self.floor.tables[table]

    def give(self, table: str, *commands: AnyCommand) -> list[AnyEvent]:
        """Commands that must be taken; what happened."""
        events: list[AnyEvent] = []
        for command in commands:
            answer = self.ask(self.floor.give(self.live(table).recorder, command))
            assert answer is not None
            assert answer.entry.refused is None, answer.entry.refused
            events += answer.entry.events
        return events

    def now(self) -> int:
        return self.floor.clock.now()

    def seat(self, table: str, seat: str, credit: int = 1_000_00, layout: str = "") -> str:
        """Seat a Player with credit at a terminal; the terminal's key."""
        chosen = layout or self.live(table).config.layouts[0]
        self.give(table, m.TakeSeat("Sam", self.now(), SeatId(seat), chosen))
        if credit:
            self.give(table, m.SellCredit("Cass", self.now(), SeatId(seat), Cents(credit)))
        return self.ask(self.sessions.enrol(table, SeatId(seat), "machine/test"))

    def open_table(self, table: str) -> None:
        if not self.live(table).table.open:
            self.give(table, m.OpenTable("Max", self.now()))

    def open_bets(self, table: str) -> None:
        """Up to "Place your bets", as the book orders it."""
        self.open_table(table)
        live = self.live(table).table
        if live.order == "covered" and not live.motion.started:
            self.give(table, m.StartMotion("Dana", self.now()), m.EndMotion("Dana", self.now(), 3))
        self.give(table, m.OpenBetting("Dana", self.now()))

    def close_bets(self, table: str) -> None:
        if self.live(table).table.phase == "betting" and self.live(table).table.order == "wheel":
            self.give(table, m.StartMotion("Dana", self.now()))
        self.give(table, m.CallNoMoreBets("Dana", self.now()))

    def enter(self, table: str, outcome: str) -> None:
        """From the close to the result that waits for its confirmation."""
        live = self.live(table).table
        match live.order:
            case "open-cover":
                self.give(table, m.StartMotion("Dana", self.now()), m.EndMotion("Dana", self.now(), 3))
            case "covered":
                self.give(table, m.Uncover("Dana", self.now()))
            case _:
                self.give(table, m.EndMotion("Dana", self.now(), 5))
        if live.order == "wheel":
            self.give(table, m.EnterNumber("Dana", self.now(), outcome))
        else:
            self.give(table, *(m.PressKey("Dana", self.now(), face) for face in outcome.split("-")))
            self.give(table, m.PressEntry("Dana", self.now()))

    def confirm(self, table: str) -> None:
        self.give(table, m.ConfirmResult("Dana", self.now()))

    def pay(self, table: str) -> None:
        """Winners are paid, where that is an act of its own and not done with the confirmation."""
        if self.live(table).table.phase == "settling":
            self.give(table, m.PayWinners("Dana", self.now()))

    def finish(self, table: str, outcome: str) -> None:
        """From open bets to the end of the round."""
        self.close_bets(table)
        self.enter(table, outcome)
        self.confirm(table)
        self.pay(table)

    def end_round(self, table: str) -> None:
        """Whatever stands open, to its end."""
        live = self.live(table).table
        outcome = "17" if live.order == "wheel" else "1-2-4"
        if live.round is not None and live.phase in ("betting", "spinning"):
            self.close_bets(table)
        if live.round is not None and live.phase in ("closed", "moving"):
            self.enter(table, outcome)
        if live.phase == "entered":
            self.confirm(table)
        self.pay(table)
        assert live.round is None, live.phase

    def credit(self, table: str, seat: str) -> int:
        return int(self.live(table).table.seats[SeatId(seat)].credit)

    def stakes(self, table: str, seat: str) -> dict[str, int]:
        """What lies on the table of a seat, by box."""
        round = self.live(table).table.round
        stakes = round.stakes if round else {}
        return {box: int(stake) for (own, box), stake in stakes.items() if own == seat and stake}


@contextlib.contextmanager
def opened(folder: Path) -> Iterator[BrowserFloor]:
    house = BrowserFloor(folder)
    house.open()
    try:
        yield house
    finally:
        house.close()


def reserved() -> socket.socket:
    """A port that nobody else is given while this is open, and on which a server of ours can listen all the same."""
    held = socket.socket()
    held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    held.bind(("127.0.0.1", 0))
    return held
