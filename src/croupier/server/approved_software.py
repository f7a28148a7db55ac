"""Compares the software that runs with the software that was approved: before the floor opens, and every day."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from croupier.floor.floor import Floor
from croupier.rules.findings import Finding
from croupier.rules.refusal import Refused
from croupier.server.settings import Settings
from croupier.store.folder import Premises
from croupier.store.manifest import unapproved

DAY = 24 * 60 * 60
SHOWN = 3
"""How many differences an alert or a refusal names. `croupier doctor` names all of them."""


async def differences(settings: Settings) -> Sequence[Finding]:
    """The differences from the approved software (promise 36). Empty if there are none, or if the check is off."""
    if settings.approved == "off":
        return ()
    return await asyncio.to_thread(unapproved, Premises(settings.floor), settings.approver)


def not_approved(found: Sequence[Finding]) -> Refused:
    """The refusal to open the floor with software that differs, or that could not be compared."""
    if isinstance(why := found[0].because, Refused):
        return why
    return Refused("approved", "other-software", places=_places(found), more=max(0, len(found) - SHOWN))


def _places(found: Sequence[Finding]) -> tuple[str, ...]:
    """The subjects of the first differences: files, or settings that decide which software runs."""
    return tuple(str(place) for one in found[:SHOWN] for place in (*one.facts.values(),)[:1])


async def watch(floor: Floor, settings: Settings, found: Sequence[Finding]) -> None:
    """Raise alerts for the differences found when the floor opened, and compare again every day."""
    while True:
        if settings.approved == "off":
            floor.alert("software", "off")
        elif found and isinstance(found[0].because, Refused):
            floor.alert("software", "uncompared", "", found[0].because)
        elif found:
            floor.alert("software", "other", differences=len(found), places=_places(found))
        await asyncio.sleep(DAY)
        found = await differences(settings)
