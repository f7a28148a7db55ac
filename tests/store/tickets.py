"""A cage and tables that sell and redeem tickets by number."""

from __future__ import annotations

from croupier.cage import messages as c
from croupier.rules.money import Cents
from croupier.store.journal import Store
from croupier.store.recorder import Recorder
from croupier.store.streams.made import CageMade
from croupier.table import messages as m
from croupier.table.messages import PersonId, SeatId
from croupier.table.tickets import TicketState, ticket_number
from croupier.transcript.play import play
from croupier.words import why
from tests.support.recorders import BETTING, record

ANN = SeatId("Ann")
DAY = 24 * 60 * 60 * 1000
STAFF = {PersonId("Cass"): ("cashier",), PersonId("Sue"): ("shift-manager",), PersonId("Lee"): ("pit-manager",)}


def cage(store: Store, owner: str = "one") -> Recorder:
    return Recorder.make(store, owner, 0, 5_000, CageMade("cage", STAFF))  # type: ignore[arg-type]


def table(store: Store, name: str, owner: str = "one") -> Recorder:
    return record(store, play(BETTING.replace("table T ", f"table {name} ")), owner)


def number(serial: int) -> str:
    return ticket_number(1_000_000_000_000_000 + serial)


def sell(serial: int, amount: int = 5_000, days: int = 30, at: int = 10) -> c.SellTicket:
    return c.SellTicket("Cass", at, number(serial), Cents(amount), at + days * DAY)


def redeem(serial: int, at: int = 20, claimed: int = 99_999, found: TicketState = "live") -> m.RedeemTicket:
    """What a terminal says of a ticket is not believed: only its number counts."""
    return m.RedeemTicket("Ann", at, ANN, number(serial), Cents(claimed), 10**15, found)


def refused(recorder: Recorder, command: object) -> str:
    refusal = recorder.give(command).entry.refused
    return "" if refusal is None else why(refusal)
