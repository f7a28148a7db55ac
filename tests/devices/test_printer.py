"""The ticket printer: a ticket is printed, not printed, or perhaps printed, and the caller knows which."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

import pytest

from croupier.devices.printer import OFFLINE_CAUSE, WHEN_DONE, PrinterPort
from croupier.rules.refusal import Refused
from tests.support.network_printer import WELL, NetworkPrinter, network_printer

from .stage import running

TICKET = b"\x1b@ticket 1234\n"


async def looked(printer: NetworkPrinter) -> None:
    """Wait until the printer was asked twice: then the first answer was read."""
    last = printer.asked + 2
    async with asyncio.timeout(60):
        while printer.asked < last:
            await asyncio.sleep(0.01)


def test_a_ticket_is_printed_when_the_printer_has_come_to_its_end() -> None:
    async def play() -> None:
        async with network_printer() as (printer, port):
            assert await port.print(TICKET) == "printed"
            assert printer.printed == TICKET

    asyncio.run(play())


@pytest.mark.parametrize(
    ("cause", "paper", "fault"),
    [(0b100, 0, "printer-open"), (0b100_0000, 0, "printer-fault"), (0, 0b110_0000, "paper-out")],
)
def test_a_printer_that_cannot_print_is_sent_nothing(cause: int, paper: int, fault: str) -> None:
    async def play() -> None:
        async with network_printer() as (printer, port):
            printer.cause, printer.paper = WELL | cause, WELL | paper
            with pytest.raises(Refused, match=fault) as refused:
                await port.print(TICKET)
            assert refused.value.reason == "printer"
            assert printer.printed == b""
            async with running(port) as reported:
                await reported.until(lambda reported: len(reported.facts) == 2)
                await looked(printer)
                assert reported.words == [fault, "Online"], "once, however often it is asked"
                printer.cause = printer.paper = WELL
                await looked(printer)
                printer.cause, printer.paper = WELL | cause, WELL | paper
                await reported.until(lambda reported: reported.warnings == [fault, fault])

    asyncio.run(play())


def test_paper_that_runs_low_is_reported_and_still_printed_on() -> None:
    async def play() -> None:
        async with network_printer() as (printer, port):
            printer.paper = WELL | 0b1100
            async with running(port) as reported:
                await reported.until(lambda reported: reported.warnings == ["paper-low"])
                assert await port.print(TICKET) == "printed"

    asyncio.run(play())


def test_a_ticket_that_is_not_confirmed_is_unsure_and_must_be_looked_for() -> None:
    async def play(mute: tuple[bytes, ...], hangs_up_on: bytes) -> Refused:
        async with network_printer(timeout=3 if mute else 60) as (printer, port):
            printer.mute, printer.hangs_up_on = mute, hangs_up_on
            with pytest.raises(Refused) as refused:
                await port.print(TICKET)
            return refused.value

    silent = asyncio.run(play((WHEN_DONE,), b"never"))
    assert (silent.reason, silent.case, silent.facts["seconds"]) == ("unsure", "no-answer", 3)
    assert asyncio.run(play((), TICKET)).reason == "unsure"
    assert asyncio.run(play((OFFLINE_CAUSE,), b"never")).reason == "printer"
    assert asyncio.run(play((), OFFLINE_CAUSE)).reason == "printer"


def test_a_thing_that_is_no_printer_is_sent_nothing() -> None:
    async def play() -> None:
        async with network_printer() as (printer, port):
            printer.cause = 0xFF
            with pytest.raises(Refused, match="0xff"):
                await port.print(TICKET)
            assert printer.printed == b""

    asyncio.run(play())


def test_a_printer_that_goes_away_is_offline_once_and_online_when_it_is_back() -> None:
    async def play() -> None:
        async with network_printer() as (printer, port), running(port) as reported:
            await reported.until(lambda reported: reported.words == ["Online"])
            printer.hangs_up_on = b"\x10"
            await reported.until(lambda reported: reported.words == ["Online", "Offline"])
            with pytest.raises(Refused, match=r"^printer line-closed "):
                await port.print(TICKET)
            await asyncio.sleep(0.1)
            printer.hangs_up_on = b"never"
            await reported.until(lambda reported: reported.words == ["Online", "Offline", "Online"])

    asyncio.run(play())


def test_a_printer_behind_a_file_takes_the_bytes_and_confirms_nothing(tmp_path: Path) -> None:
    pipe = tmp_path / "lp0"
    os.mkfifo(pipe)
    port = PrinterPort("p1", str(pipe), timeout=2, every=0.02)

    async def play() -> None:
        with pytest.raises(Refused, match=r"^printer line "):  # no reader at the other end
            await port.print(TICKET)
        async with running(port) as reported:
            await reported.until(lambda reported: reported.words == ["Offline"])
            reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
            try:
                await reported.until(lambda reported: reported.words == ["Offline", "Online"])
                assert await port.print(TICKET) == "sent"
                assert os.read(reader, 100) == TICKET
                with pytest.raises(Refused) as refused:  # it stops taking bytes in the middle
                    await port.print(b"x" * 1_000_000)
                assert refused.value.reason == "unsure"
            finally:
                os.close(reader)

    asyncio.run(play())


def test_an_address_is_a_host_and_port_or_a_path() -> None:
    assert PrinterPort("p1", "127.0.0.1:9100").is_network
    assert not PrinterPort("p1", "/dev/usb/lp0").is_network
    assert not PrinterPort("p1", "/dev/serial/by-id:1").is_network


def test_a_printer_has_no_acts() -> None:
    with pytest.raises(Refused, match=r"^act prints-only "):
        asyncio.run(PrinterPort("p1", "127.0.0.1:1").act("tumble"))
