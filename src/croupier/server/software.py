"""The software that runs, held against what was approved: before the floor opens, and every day."""

from __future__ import annotations

import asyncio

from croupier.floor.floor import Floor
from croupier.server.settings import Settings
from croupier.store.folder import Premises
from croupier.store.manifest import unapproved
from croupier.words import in_short

DAY = 24 * 60 * 60
_LONGEST = 400
"""Characters of an alert."""


async def differences(settings: Settings) -> str:
    """What of the software is not as it was approved (promise 36), in short; empty if all is, or if nobody asks."""
    if settings.approved == "off":
        return ""
    return in_short(await asyncio.to_thread(unapproved, Premises(settings.floor), settings.approver))


async def watch(floor: Floor, settings: Settings, note: str) -> None:
    """Tell what differed as the floor opened, and compare again every day."""
    while True:
        if settings.approved == "off":
            floor.alert_in_words(
                "software", "", 'approved is "off": whatever software is installed runs, approved or not'
            )
        elif note:
            floor.alert_in_words("software", "", f"this is not the approved software: {note}"[:_LONGEST])
        await asyncio.sleep(DAY)
        note = await differences(settings)
