"""Watches the database while the floor runs: a setting, a table or a file may have been changed since the start.

Anything that may undo a commit has the same consequence as a full disk: rounds under way are finished, no new one
begins, `/ready` says why, and an alert is raised as soon as it can be written. Play goes on by itself once all is well.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Literal

import structlog

from croupier.rules.refusal import Refused
from croupier.store.database_schema import tables_of
from croupier.store.durability import broken
from croupier.store.folder import Premises
from croupier.store.journal import Indeterminate, Store

if TYPE_CHECKING:
    from croupier.floor.floor import Floor

EVERY = 5.0
"""Seconds between two checks of settings and tables. The first after the database was away is made at once."""
LOOK = 0.5
"""Seconds between two checks for room on the disk and for alerts that wait to be written."""

log = structlog.get_logger()


class DatabaseWatch:
    def __init__(self, floor: Floor, durability: Literal["off", "alert", "refuse"]) -> None:
        self._floor = floor
        self._durability = durability
        self._asked = float("-inf")
        self._losses = 0
        self._full = False
        self._known = ""
        self._pending: dict[tuple[str, str], tuple[str, ...] | None] = {}
        """Alerts that are not written yet: kind and case, and what was found."""

    async def run(self) -> None:
        """Until cancelled."""
        while True:
            await self._look()
            await asyncio.sleep(LOOK)

    async def _look(self) -> None:
        floor, now = self._floor, asyncio.get_running_loop().time()
        losses = floor.cluster.losses if floor.cluster is not None else 0
        away = floor.cluster is not None and floor.cluster.away
        if not away and (now - self._asked > EVERY or losses != self._losses):
            self._asked, self._losses = now, losses
            await self._ask()
        self._look_for_room()
        self._raise_alerts()

    async def _ask(self) -> None:
        """Ask a server in a thread, over a connection of its own, because it may not answer."""
        floor = self._floor
        try:
            if floor.premises.shared:
                lost, strange = await asyncio.to_thread(_asked, floor.premises, floor.database)
            else:
                lost, strange = _found(floor.database)
        except (Refused, Indeterminate):
            return  # it does not answer: the cluster notices that by itself
        self._note(lost if self._durability != "off" else [], strange)

    def _note(self, lost: list[str], strange: list[str]) -> None:
        stops = strange + (lost if self._durability == "refuse" else [])
        self._floor.database.unsafe = tuple(stops)
        known = "; ".join(lost + strange)
        if known == self._known:
            return
        self._known = known
        if known:
            log.error("database", what=known, hint="nothing new begins" if stops else "play goes on: durability=alert")
        else:
            log.info("database", what="well again")
        for alert, found in ((("durability", "weak"), lost), (("schema", "changed"), strange)):
            if found:
                self._pending[alert] = tuple(found)

    def _look_for_room(self) -> None:
        database = self._floor.database
        full = not database.room() and not database.unsafe
        if full and not self._full:
            log.error("database", what="its disk is full: what is open is finished, nothing new begins")
            self._pending["disk", "full"] = None
        elif self._full and not full:
            log.info("database", what="there is room on its disk again")
        self._full = full

    def _raise_alerts(self) -> None:
        """Raise the pending alerts. An alert is a row, so with a full disk it waits until there is room."""
        for (kind, case), found in tuple(self._pending.items()):
            facts = {} if found is None else {"found": found}
            if self._floor.is_alerted(kind, case, **facts):
                del self._pending[kind, case]
            else:
                self._floor.alert(kind, case, **facts)


def _asked(premises: Premises, database: Store) -> tuple[list[str], list[str]]:
    reader = premises.reader()
    try:
        database.look_for_room(reader)
        return _found(reader)
    finally:
        reader.close()


def _found(store: Store) -> tuple[list[str], list[str]]:
    """The settings that break promise 2, and the tables that are not as they should be."""
    return [fact.brief for fact in broken(store.durability())], list(tables_of(store.schema_faults()))
