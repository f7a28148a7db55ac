"""Tickets on paper: each comes out once, where it was made. One that does not come out is valid, and printed again."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Awaitable, Callable

import pytest

from croupier.cage import messages as c
from croupier.devices.printer import SimulatedPrinter, Trouble
from croupier.floor.config import CAGE, TableConfig, read_table
from croupier.floor.floor import Floor
from croupier.floor.printing import Letterhead
from croupier.floor.workers import Workers
from croupier.office import messages as o
from croupier.office.state import Alert
from croupier.rules.bad_input import BadInput
from croupier.rules.money import Cents
from croupier.rules.refusal import Fact
from croupier.store.folder import Premises
from croupier.table import messages as m
from croupier.table.messages import SeatId
from croupier.table.tickets import ticket_number
from tests.floor.dealing import LONG, RWS
from tests.support.floors import check, until
from tests.support.network_printer import WELL, network_printer
from tests.support.quick_floor import TABLES, Evening, by_people, evening

SEAT = SeatId("A1")
DAY = 24 * 60 * 60 * 1000
_serials = itertools.count(1)
HOUSE = Letterhead("The Grand", "Asia/Singapore")


class Counter:
    """A table's terminal and the cage, with their printers."""

    def __init__(self, here: Evening) -> None:
        self.here = here
        self.floor: Floor = here.floor

    def paper(self, place: str) -> list[bytes]:
        return list(self.printer(place).printed)

    def printer(self, place: str) -> SimulatedPrinter:
        printer = self.here.workers.printers[place].printer
        assert isinstance(printer, SimulatedPrinter)
        return printer

    def _number(self) -> str:
        return ticket_number(next(_serials))

    async def cash_out(self, amount: int = 50_00) -> str:
        number, now = self._number(), self.floor.clock.now()
        await self.here.give(RWS, m.CashOut(SEAT, now, SEAT, Cents(amount), number, now + DAY))
        return number

    async def at_cage(self, command: c.AnyCageCommand) -> None:
        answer = await self.floor.give(self.floor.cage, command)
        assert answer is not None
        assert answer.entry.refused is None, answer.entry.refused

    async def sell(self) -> str:
        number, now = self._number(), self.floor.clock.now()
        await self.at_cage(c.SellTicket("Cass", now, number, Cents(20_00), now + DAY))
        return number

    async def reprint(self, number: str) -> None:
        await self.at_cage(c.ReprintTicket("Cass", self.floor.clock.now(), number, Cents(0), 0, "unknown", "no paper"))

    async def pay(self, number: str) -> None:
        await self.at_cage(c.PayTicket("Cass", self.floor.clock.now(), number, Cents(0), 0, "unknown"))

    async def told(self, place: str, kind: str, case: str, **facts: Fact) -> Alert:
        """Wait for an open alert of this, with these facts among others."""
        alerts = self.floor.accounts.alerts

        def raised() -> list[Alert]:
            here = [one for one in alerts.values() if one.table == place and one.open]
            mine = [one for one in here if (one.kind, one.case) == (kind, case)]
            return [one for one in mine if facts.items() <= one.facts.items()]

        await until(raised, LONG)
        return raised()[0]

    async def unprinted(self, place: str, number: str) -> Alert:
        """Wait for the alert that a ticket may not be on paper."""
        return await self.told(place, "ticket-not-printed", "unprinted", ticket=f"{'*' * 14}{number[-4:]}")


def play(premises: Premises, configs: list[TableConfig], act: Callable[[Counter], Awaitable[None]]) -> None:
    async def main() -> None:
        async with asyncio.timeout(2 * LONG), evening(premises, configs, bets=False) as here:
            here.workers = Workers(here.floor, HOUSE, "simulated")
            await here.workers.start()
            await act(Counter(here))

    asyncio.run(main())
    check(premises)


def simulated() -> list[TableConfig]:
    text = (TABLES / f"{RWS}.toml").read_text().replace("[limits]\n", 'printer = "simulated"\n\n[limits]\n', 1)
    if "[device]" in text:  # a key of the table must stand before its parts
        text = 'printer = "simulated"\n' + text.replace('printer = "simulated"\n\n', "")
    (table,) = by_people(RWS)
    return [table.model_copy(update={"printer": read_table(text.encode(), "t.toml").printer})]


def shown(number: str) -> bytes:
    return "-".join((number[:2], *(number[at : at + 4] for at in range(2, 18, 4)))).encode()


def test_a_ticket_comes_out_once_where_it_was_made(premises: Premises) -> None:
    async def act(here: Counter) -> None:
        first, second, sold = await here.cash_out(), await here.cash_out(30_00), await here.sell()
        await until(lambda: len(here.paper(RWS)) == 2 and len(here.paper(CAGE)) == 1, LONG)
        one, two = here.paper(RWS)
        assert shown(first) in one
        assert shown(second) in two
        assert b"The Grand" in one
        assert b"50.00" in one
        assert shown(sold) in here.paper(CAGE)[0]
        assert not any(b"DUPLICATE" in paper for paper in (*here.paper(RWS), *here.paper(CAGE)))
        assert here.floor.accounts.alerts == {}

    play(premises, simulated(), act)

    async def again(here: Counter) -> None:
        await here.sell()
        await until(lambda: here.paper(CAGE), LONG)
        assert (len(here.paper(RWS)), len(here.paper(CAGE))) == (0, 1)  # a restart prints nothing a second time

    play(premises, simulated(), again)


@pytest.mark.parametrize("trouble", ["offline", "paper-out", "printer-open", "printer-fault"])
def test_a_ticket_that_did_not_come_out_is_valid_and_printed_again_as_a_duplicate(
    premises: Premises, trouble: Trouble
) -> None:
    async def act(here: Counter) -> None:
        here.printer(RWS).fail(trouble)
        number = await here.cash_out()
        told = await here.unprinted(RWS, number)
        assert number not in str(told), "whoever reads the whole number could redeem it"
        assert (told.facts["amount"], told.facts["place"]) == (50_00, "sicbo-rws/A1")
        assert told.because is not None
        assert told.because.facts["faults"] == (trouble,)
        if trouble == "offline":
            await here.told(RWS, "device-offline", "unplugged")
        else:
            await here.told(RWS, "device-fault", "told", fault=trouble)
        here.printer(RWS).fail()
        assert here.paper(RWS) == []  # the workers of that table have stopped
        await here.reprint(number)
        await until(lambda: here.paper(CAGE), LONG)
        (paper,) = here.paper(CAGE)
        assert shown(number) in paper
        assert b"DUPLICATE" in paper
        await here.pay(number)
        answer = await here.floor.give(
            here.floor.cage, c.ReprintTicket("Cass", here.floor.clock.now(), number, Cents(0), 0, "unknown", "again")
        )
        assert answer is not None
        assert answer.entry.refused is not None  # it is worth nothing now, and no paper shall say otherwise
        for alert in [one.number for one in here.floor.accounts.alerts.values() if one.open]:
            given = await here.floor.give(here.floor.office, o.AcknowledgeAlert("Sam", here.floor.clock.now(), alert))
            assert given is not None
            assert given.entry.refused is None
        assert not any(one.open for one in here.floor.accounts.alerts.values())

    play(premises, simulated(), act)


def test_a_ticket_that_got_stuck_must_be_looked_for(premises: Premises) -> None:
    async def act(here: Counter) -> None:
        here.printer(CAGE).jam_next()
        number = await here.sell()
        because = (await here.unprinted(CAGE, number)).because
        assert because is not None
        assert (because.reason, because.case) == ("unsure", "stuck")
        await here.told(CAGE, "device-fault", "told", fault="printer-fault")
        here.printer(CAGE).fail("paper-low")
        await here.reprint(number)
        await until(lambda: here.paper(CAGE), LONG)
        assert b"DUPLICATE" in here.paper(CAGE)[0]

    play(premises, simulated(), act)


def test_a_printer_on_the_network_that_a_table_file_names(premises: Premises) -> None:
    async def main() -> None:
        async with asyncio.timeout(2 * LONG), network_printer() as (printer, _):
            text = (TABLES / f"{RWS}.toml").read_text()
            text += f'\n[printer]\nkind = "escpos"\naddress = "127.0.0.1:{printer.port}"\n'
            (table,) = by_people(RWS)
            table = table.model_copy(update={"printer": read_table(text.encode(), "t.toml").printer})
            async with evening(premises, [table], bets=False) as here:
                await here.workers.start()
                counter = Counter(here)
                number = await counter.cash_out()
                await until(lambda: shown(number) in printer.printed, LONG)
                printer.paper = WELL | 0b110_0000
                await counter.told(RWS, "device-fault", "told", fault="paper-out")
                await counter.unprinted(RWS, await counter.cash_out())

    asyncio.run(main())
    check(premises)


def test_more_tickets_than_may_wait_raise_an_alert(premises: Premises, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("croupier.floor.printing.MOST_WAITING", 2)

    async def act(here: Counter) -> None:
        printed, go = here.printer(RWS).print, asyncio.Event()

        async def slow(ticket: bytes) -> object:
            await go.wait()
            return await printed(ticket)

        here.printer(RWS).print = slow  # type: ignore[method-assign, assignment]
        numbers = [await here.cash_out() for _ in range(5)]
        await here.told(RWS, "ticket-not-printed", "queue", waiting=2)
        go.set()
        await until(lambda: len(here.paper(RWS)) >= 2, LONG)
        alerts = here.floor.accounts.alerts
        await until(lambda: len(here.paper(RWS)) + len(alerts) == len(numbers), LONG)

    play(premises, simulated(), act)


@pytest.mark.parametrize(
    ("printer", "says"),
    [
        ('printer = "laser"', 'printer: "laser" is not allowed; allowed are escpos, simulated'),
        ('printer = "escpos"', 'printer.escpos: the key "address" is missing'),
        ('printer = { kind = "escpos", address = "" }', "printer.escpos.address"),
        ('printer = { kind = "simulated", address = "x" }', 'printer.simulated: unknown key "address"'),
    ],
)
def test_a_printer_that_cannot_be_is_refused_with_its_place(printer: str, says: str) -> None:
    text = f"{printer}\n{(TABLES / f'{RWS}.toml').read_text()}"
    with pytest.raises(BadInput) as refused:
        read_table(text.encode(), "t.toml")
    assert says in str(refused.value)
