"""Starts and restarts what works at the tables without people: devices, keypads, printers and automatic Dealers."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from typing import Literal

from croupier.devices.port import Device
from croupier.floor.config import CAGE
from croupier.floor.dealer import AutomaticDealer
from croupier.floor.device_config import PrinterConfig, device_name, make_keypad, make_lamps, make_printer, printer_at
from croupier.floor.fairness import Fairness
from croupier.floor.floor import Floor, LiveTable
from croupier.floor.printing import Letterhead, TicketPrinter
from croupier.floor.table_device import TableDevice, TableKeypad
from croupier.floor.table_lamps import TableLamps

Worker = Literal["dealer", "device", "examination"]
AGAIN = 5.0
"""Seconds until a failed worker is started again."""


class Workers:
    """The workers of all places. Start them when the doors are open; stop them before the floor is closed."""

    def __init__(self, floor: Floor, letterhead: Letterhead | None = None, cage_printer: str = "") -> None:
        self.floor = floor
        self.letterhead = letterhead or Letterhead()
        self.cage_printer = printer_at(cage_printer)
        self.printers: dict[str, TicketPrinter] = {}
        """By place: the table, or the cage, where the tickets are made."""
        self.devices: dict[str, TableDevice] = {}
        self.lamps: dict[str, TableLamps] = {}
        self.dealers: dict[str, AutomaticDealer] = {}
        self.fairness: dict[str, Fairness] = {}
        self._tasks: dict[str, list[asyncio.Task[None]]] = {}
        """By place."""

    async def start(self) -> None:
        """Start the workers of every place this machine owns, now and whenever it becomes the owner of another."""
        if (cluster := self.floor.cluster) is not None:
            cluster.listeners.append(self._owner_changed)
        for place in (CAGE, *self.floor.tables):
            self._owner_changed(place)
        started = [task for tasks in self._tasks.values() for task in tasks]
        for outcome in await asyncio.gather(*started, return_exceptions=True):
            if isinstance(outcome, Exception):
                raise outcome

    async def stop(self) -> None:
        if (cluster := self.floor.cluster) is not None and self._owner_changed in cluster.listeners:
            cluster.listeners.remove(self._owner_changed)
        tasks = [task for place in tuple(self._tasks) for task in self._dismiss(place)]
        await asyncio.gather(*tasks, return_exceptions=True)

    def _owner_changed(self, place: str) -> None:
        """Devices and Dealers work at the machine that owns their table. The old workers end before new ones start."""
        before = self._dismiss(place)
        if place in (CAGE, *self.floor.tables) and self.floor.recorder(place).owned:
            self._start(place, self._start_place(place, before))

    async def _start_place(self, place: str, before: list[asyncio.Task[None]]) -> None:
        await asyncio.gather(*before, return_exceptions=True)
        if place != CAGE:
            await self._start_table(self.floor.tables[place])
        elif self.cage_printer is not None:
            self._print(CAGE, self.cage_printer)

    def _dismiss(self, place: str) -> list[asyncio.Task[None]]:
        """Stop the workers of a place; the tasks that will end soon."""
        for one in (self.devices.get(place), self.printers.get(place)):
            if one is not None:
                one.dismiss()
        for kept in (self.devices, self.lamps, self.dealers, self.fairness, self.printers):
            kept.pop(place, None)
        if (live := self.floor.tables.get(place)) is not None:
            live.device = live.picture = live.closes_at = None
        tasks = self._tasks.pop(place, [])
        for task in tasks:
            task.cancel()
        return tasks

    async def _start_table(self, live: LiveTable) -> None:
        device = self._device(live)
        if device is not None:
            self.devices[live.name] = TableDevice(self.floor, live, device)
            self._keep(live, "device", self.devices[live.name].run, device=device.name)
        if live.config.entry is not None:
            keypad = TableKeypad(self.floor, live, make_keypad(live.config.entry))
            self._keep(live, "device", keypad.run, device=keypad.name)
        if live.config.lamps is not None:
            self.lamps[live.name] = TableLamps(self.floor, live, make_lamps(live.config.lamps))
            self._keep(live, "device", self.lamps[live.name].run, device=self.lamps[live.name].name)
        if live.config.printer is not None:
            self._print(live.name, live.config.printer)
        self.fairness[live.name] = Fairness(self.floor, live)
        self._keep(live, "examination", self.fairness[live.name].run)
        await asyncio.sleep(0)  # the device must run before the Dealer asks it
        if live.config.dealing == "automatic":
            dealer = AutomaticDealer(self.floor, live, self.devices[live.name])
            self.dealers[live.name] = dealer
            self._keep(live, "dealer", dealer.run)
        else:
            await self.floor.restore(live)

    def _device(self, live: LiveTable) -> Device | None:
        config = live.config
        return config.device.make(device_name(config.device, config.staff), live.table)

    def _print(self, place: str, config: PrinterConfig) -> None:
        printer = TicketPrinter(self.floor, place, make_printer(config), self.letterhead)
        self.printers[place] = printer
        self._start(place, self._kept(place, "device", printer.run, device=printer.printer.name))

    def _keep(self, live: LiveTable, worker: Worker, work: Callable[[], Awaitable[None]], **named: str) -> None:
        self._start(live.name, self._kept(live.name, worker, work, **named))

    def _start(self, place: str, work: Coroutine[None, None, None]) -> None:
        self._tasks.setdefault(place, []).append(asyncio.create_task(work))

    async def _kept(self, place: str, worker: Worker, work: Callable[[], Awaitable[None]], **named: str) -> None:
        """Restart a worker that fails, and raise an alert each time."""
        while place == CAGE or self.floor.tables[place].worked:
            try:
                await work()
            except Exception as error:
                self.floor.alert("crew-fault", worker, place, error=f"{type(error).__name__}: {error}", **named)
                await asyncio.sleep(AGAIN)
