"""Everything that crosses the staff's door, in one list: the types of web/src/wire.ts are made from it."""

from __future__ import annotations

from typing import Any

from croupier.server.staff import (
    asks,
    audit,
    cashier,
    console,
    deeds,
    demo,
    feeds,
    health,
    history,
    journal,
    pit,
    rehearsal,
    room,
    rounds,
    session,
    verification,
    vitals,
)
from croupier.server.staff.trouble import Trouble

STRUCTS: tuple[Any, ...] = (
    asks.GivenAtTable,
    asks.GivenAtCage,
    asks.GivenInOffice,
    deeds.DoneAtTable,
    demo.SeatWanted,
    demo.SeatGiven,
    demo.Visitors,
    deeds.DoneAtCage,
    deeds.DoneInOffice,
    history.History,
    rounds.RoundTold,
    rounds.BetStory,
    journal.JournalPage,
    journal.Approvals,
    audit.Trace,
    verification.Verification,
    cashier.CageNow,
    cashier.TicketList,
    cashier.TicketAlone,
    console.ConsoleNow,
    console.SeatAlone,
    feeds.Told,
    health.Health,
    pit.PitNow,
    pit.ExposureNow,
    pit.Shift,
    room.Lobby,
    room.DisplayNow,
    rehearsal.Rehearsed,
    session.Me,
    session.SignIn,
    vitals.Well,
    Trouble,
)
"""What pages send and what they get; what these hold comes with them."""
