"""Connects the lamps of a felt with its table: they are told what is lit after each commit that changes it.

What is lit is computed in one place (`last_result`); lamps that failed or were restarted are told anew.
"""

from __future__ import annotations

from collections.abc import Sequence

from croupier.devices import port
from croupier.devices.port import AnyFact, Lamps
from croupier.floor.floor import Floor, LiveTable, without_bets
from croupier.floor.table_device import NOISE
from croupier.store.streams.entry import AnyEntry
from croupier.table import messages as m
from croupier.table.view import in_play, last_result


class TableLamps:
    """The lamps of one table."""

    def __init__(self, floor: Floor, live: LiveTable, lamps: Lamps) -> None:
        self.floor = floor
        self.live = live
        self.lamps = lamps
        self.name = lamps.name
        self._lit: tuple[str, tuple[str, ...]] | None = None
        """The layout and the areas that the lamps were told last."""

    async def run(self) -> None:
        """Until cancelled."""
        self.floor.subscribe(self.live.name, self._happened)
        try:
            self._lit = None
            self._tell()
            await self.lamps.run(self.on_fact)
        finally:
            self.floor.unsubscribe(self.live.name, self._happened)

    def on_fact(self, fact: AnyFact) -> None:
        match fact:
            case port.Offline():
                self.floor.alert("device-offline", fact.case, self.live.name, device=self.name, **fact.facts)
            case port.Warned() if fact.what not in NOISE:
                self.floor.alert("device-fault", "told", self.live.name, device=self.name, fault=fact.what)
            case _:
                pass

    def _happened(self, stream: str, entries: Sequence[AnyEntry]) -> None:
        for entry in without_bets(entries):
            if any(isinstance(event, m.ResultAmended) for event in entry.events):
                self._light(())  # the amended result is lit anew in the same row
        self._tell()

    def _tell(self) -> None:
        layout = in_play(self.live.table)[0]
        self._light(last_result(self.live.table).lit.get(layout, ()))

    def _light(self, boxes: tuple[str, ...]) -> None:
        told = (in_play(self.live.table)[0], boxes)
        if told != self._lit:
            self._lit = told
            self.lamps.light(*told)
