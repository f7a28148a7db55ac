"""Robots, the client without asyncio, and lines under TLS: programs that play through the same door as people."""

from __future__ import annotations

import asyncio
import datetime
import ipaddress
import json
import ssl
import sys
from pathlib import Path
from typing import Any

import picows
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from croupier.client import No, Ok, SyncTerminalClient, TerminalClient
from croupier.client import terminal as terminal_client
from croupier.client.robots import MANNERS, Robot
from croupier.floor.floor import Floor
from croupier.rules.refusal import Refused
from croupier.server.player.door import TerminalDoor
from croupier.server.serve import tls_context
from croupier.server.sessions import Sessions
from croupier.store.folder import Premises
from croupier.table.messages import SeatId
from tests.server.terminal_floor import A1, BY, TerminalFloor, run, until
from tests.support.floors import check, money
from tests.support.quick_floor import PACE, Evening, evening, quick

LONG = 120


async def _door(floor: Floor) -> tuple[TerminalDoor, str]:
    door = TerminalDoor(floor, Sessions(floor))
    return door, f"ws://127.0.0.1:{await door.open('127.0.0.1', 0)}/"


def _evening(tmp_path: Path, play: object) -> None:
    premises = Premises(tmp_path / "floor")
    premises.init()

    async def main() -> None:
        configs = quick(pace=PACE.model_copy(update={"betting": 2}))
        async with asyncio.timeout(2 * LONG), evening(premises, configs) as here:
            await play(here)  # type: ignore[operator]

    asyncio.run(main())
    check(premises)


def test_robots_of_every_manner_play_every_game_from_the_messages_of_the_floor(tmp_path: Path) -> None:
    async def play(here: Evening) -> None:
        door, address = await _door(here.floor)
        await here.workers.start()
        before = money(here.floor)

        async def one(table: str, seat: SeatId, number: int) -> Robot:
            async with TerminalClient(address, await door.sessions.enrol(table, seat, BY)) as terminal:
                robot = Robot(terminal, MANNERS[number % len(MANNERS)], number)
                await robot.play(2)
                assert terminal.faults == []
                return robot

        seats = [(live.name, seat) for live in here.floor.tables.values() for seat in live.config.seat_ids()]
        robots = await asyncio.gather(*(one(*seat, number) for number, seat in enumerate(seats)))
        assert all(robot.tally.rounds == 2 for robot in robots)
        assert sum(robot.tally.bets for robot in robots) > len(robots)
        assert sum(robot.tally.withdrawn for robot in robots) > 0
        assert money(here.floor) == before
        await door.close()

    _evening(tmp_path, play)


def test_the_command_plays_against_a_running_floor(tmp_path: Path) -> None:
    async def play(here: Evening) -> None:
        door, address = await _door(here.floor)
        await here.workers.start()
        seats = [(live.name, live.config.seat_ids()[0]) for live in here.floor.tables.values()]
        tokens = [await door.sessions.enrol(table, seat, BY) for table, seat in seats]
        (tmp_path / "tokens").write_text("\n".join(tokens))
        tokens_file = ("--tokens", str(tmp_path / "tokens"))
        command = (
            "bot",
            address,
            "--tokens",
            str(tmp_path / "tokens"),
            "--rounds",
            "1",
            "--manner",
            "spread",
            "--json",
        )
        told = json.loads(await _croupier(0, *command))
        assert [robot["seat"] for robot in told["robots"]] == [f"{table}/{seat}" for table, seat in seats]
        assert all(robot["bets"] + robot["refused"] >= 2 for robot in told["robots"])
        assert "no manner" in await _croupier(2, "bot", address, "--manner", "wild")
        assert "no robot has a seat" in await _croupier(2, "bot", address)
        (tmp_path / "tokens").write_text("a guess\n")
        assert "this token is not known" in await _croupier(2, "bot", address, *tokens_file)
        assert "does not answer" in await _croupier(2, "bot", address, "--demo", "http://127.0.0.1:9")
        await door.close()

    _evening(tmp_path, play)


async def _croupier(code: int, *arguments: str) -> str:
    pipe = asyncio.subprocess.PIPE
    run = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "croupier.cli", *arguments, stdout=pipe, stderr=pipe
    )
    out, err = await asyncio.wait_for(run.communicate(), LONG)
    assert run.returncode == code, err.decode()
    return (out or err).decode()


def test_a_program_without_asyncio_plays_too(tmp_path: Path) -> None:
    async def play(here: TerminalFloor) -> None:
        await here.open_betting()
        token = await here.token(A1)

        def sync() -> None:
            with SyncTerminalClient(here.address, token) as terminal:
                terminal.until(lambda: terminal.room.phase == "betting")
                assert terminal.welcome.seat == A1
                assert "small" in [box.name for box in terminal.rules().boxes]
                assert isinstance(terminal.bet("small", 10_00), Ok)
                assert [type(answer) for answer in terminal.bets([("big", 10_00), ("nothing", 5_00)])] == [Ok, No]
                assert isinstance(terminal.withdraw(terminal.own.bets[0].id, 10_00), Ok)
                assert json.loads(terminal.receipt(terminal.own.bets[0].id))["box"] == "big"
                assert isinstance(terminal.choose_layout("C"), No)
                out = terminal.ticket_out(10_00)
                assert isinstance(out, Ok)
                assert isinstance(terminal.ticket_in(out.ticket), Ok)
                assert terminal.recall() == ()
                with pytest.raises(Refused):
                    terminal.recall(7)
                assert terminal.own.held == 10_00

        await asyncio.to_thread(sync)

    run(tmp_path, play)


# ---- TLS


def _signed(name: str, signer: tuple[x509.Certificate, ec.EllipticCurvePrivateKey] | None, folder: Path) -> Path:
    """A certificate in a file, with its key beside it; signed by itself without an authority."""
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    now = datetime.datetime.now(datetime.UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(signer[0].subject if signer else subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(x509.BasicConstraints(ca=signer is None, path_length=None), critical=True)
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]), critical=False)
        .sign(signer[1] if signer else key, hashes.SHA256())
    )
    file = folder / f"{name}.pem"
    file.write_bytes(made.public_bytes(serialization.Encoding.PEM))
    private = serialization.PrivateFormat.PKCS8
    (folder / f"{name}.key").write_bytes(
        key.private_bytes(serialization.Encoding.PEM, private, serialization.NoEncryption())
    )
    return file


def _loaded(file: Path) -> tuple[x509.Certificate, ec.EllipticCurvePrivateKey]:
    key = serialization.load_pem_private_key(file.with_suffix(".key").read_bytes(), None)
    assert isinstance(key, ec.EllipticCurvePrivateKey)
    return x509.load_pem_x509_certificate(file.read_bytes()), key


def test_lines_under_tls_and_terminals_with_certificates(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    house = _signed("house", None, tmp_path)
    server = _signed("server", _loaded(house), tmp_path)
    cabinet = _signed("cabinet", _loaded(house), tmp_path)
    stranger = _signed("stranger", None, tmp_path)
    tried: list[str] = []
    connect = picows.ws_connect

    async def noted(*where: Any, **options: Any) -> Any:
        try:
            return await connect(*where, **options)
        finally:
            tried.append("ended")

    monkeypatch.setattr(terminal_client, "ws_connect", noted)

    async def play(here: TerminalFloor) -> None:
        await here.open_betting()
        context = tls_context(server, server.with_suffix(".key"), house)
        door = TerminalDoor(here.floor, here.door.sessions, tls=context)
        address = f"wss://127.0.0.1:{await door.open('127.0.0.1', 0)}/"
        token = await here.token(A1)
        known = ssl.create_default_context(cafile=house)
        known.load_cert_chain(cabinet, cabinet.with_suffix(".key"))
        async with TerminalClient(address, token, tls=known) as terminal:
            assert isinstance(await terminal.bet("small", 10_00), Ok)
        without = ssl.create_default_context(cafile=house)
        other = ssl.create_default_context(cafile=house)
        other.load_cert_chain(stranger, stranger.with_suffix(".key"))
        for context in (without, other, ssl.create_default_context()):
            tried.clear()
            client = TerminalClient(address, token, tls=context)
            entering = asyncio.create_task(client.__aenter__())
            await until(lambda: tried or entering.done())  # noqa: B023
            assert not entering.done()
            entering.cancel()
            await asyncio.gather(entering, return_exceptions=True)
            assert client.connections == 0
        assert door.accepted == 1
        await door.close()

    run(tmp_path, play)
