"""The software that runs, held against what was approved: before the floor opens, and every day."""

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
"""Differences that an alert or a refusal names; `croupier doctor` names them all."""


async def differences(settings: Settings) -> Sequence[Finding]:
    """What of the software is not as it was approved (promise 36); nothing if all is, or if nobody asks."""
    if settings.approved == "off":
        return ()
    return await asyncio.to_thread(unapproved, Premises(settings.floor), settings.approver)


def not_approved(found: Sequence[Finding]) -> Refused:
    """Why a floor does not open with software that differs so, or that could not be compared."""
    if isinstance(why := found[0].because, Refused):
        return why
    return Refused("approved", "other-software", places=_places(found), more=max(0, len(found) - SHOWN))


def _places(found: Sequence[Finding]) -> tuple[str, ...]:
    """What the first of them are about: a file, or what decides which software runs."""
    return tuple(str(place) for one in found[:SHOWN] for place in (*one.facts.values(),)[:1])


async def watch(floor: Floor, settings: Settings, found: Sequence[Finding]) -> None:
    """Tell what differed as the floor opened, and compare again every day."""
    while True:
        if settings.approved == "off":
            floor.alert("software", "off")
        elif found and isinstance(found[0].because, Refused):
            floor.alert("software", "uncompared", "", found[0].because)
        elif found:
            floor.alert("software", "other", differences=len(found), places=_places(found))
        await asyncio.sleep(DAY)
        found = await differences(settings)
