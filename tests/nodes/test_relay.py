"""The relay between machines: it answers only callers with the floor's key, and calls only the node itself."""

from __future__ import annotations

import asyncio
import contextlib
import ssl
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import msgspec
import psycopg
import pytest

from croupier.floor.cluster import NodeStatus
from croupier.floor.config import read_tables
from croupier.floor.floor import Floor
from croupier.office import messages as o
from croupier.protocol import nodes as n
from croupier.rules.refusal import Refused
from croupier.server import relay as r
from croupier.server.relay import Relay, proof_for
from croupier.store.folder import Premises
from croupier.store.journal import row_at
from croupier.store.recorder import Answer
from croupier.store.streams.entry import Entry
from croupier.wire import encode
from tests.support import postgres
from tests.support.floors import until
from tests.support.house import TABLES

RAISE = o.RaiseAlert("system", 1, "clock", "", "a question from afar")


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with postgres.started() as running:
        with psycopg.connect(running.get_uri(), autocommit=True) as connection:
            connection.execute("CREATE DATABASE relayed")
        yield running.get_uri().replace("/postgres?", "/relayed?")


@asynccontextmanager
async def answering(folder: Path, address: str) -> AsyncIterator[tuple[Floor, Relay, NodeStatus]]:
    premises = Premises(folder / "floor", address)
    if not premises.signs:
        premises.init()
        with psycopg.connect(address, autocommit=True) as connection:
            connection.execute("DELETE FROM desk")  # another floor was here
    floor = Floor(premises, read_tables(TABLES), "one", 60_000)
    await floor.open()
    relay = Relay(floor)
    where, certificate = await relay.open("127.0.0.1", 0)
    try:
        yield floor, relay, NodeStatus("0", relay=where, certificate=certificate)
    finally:
        await relay.close()
        await floor.close()


async def ask(said: NodeStatus, hello: bytes, context: ssl.SSLContext, command: o.RaiseAlert = RAISE) -> bytes:
    """What comes back to a hello and a command; nothing, if the line is closed instead."""
    host, _, port = said.relay.rpartition(":")
    reader, writer = await asyncio.open_connection(host, int(port), ssl=context, server_hostname="croupier-node")
    writer.write(r._framed(hello) + r._framed(msgspec.msgpack.encode(n.Ask(7, "office", encode(Entry(command))))))
    try:
        async with asyncio.timeout(60):
            return await r._frame(reader)
    except (asyncio.IncompleteReadError, ConnectionError):
        return b""
    finally:
        writer.close()


async def _end_of(reader: asyncio.StreamReader) -> None:
    """Wait until a line ends, with nothing on it."""
    with contextlib.suppress(ConnectionError):
        assert await reader.read() == b""


def hello(word: bytes) -> bytes:
    return msgspec.msgpack.encode(n.NodeHello(n.VERSION, word, "two"))


def test_a_caller_with_the_key_of_the_floor_is_answered_after_the_commit(tmp_path: Path, address: str) -> None:
    async def play() -> None:
        async with answering(tmp_path, address) as (floor, _, said):
            rows = floor.office.place.seq
            heard = await ask(said, hello(proof_for(floor.premises, said.certificate)), r._only(said.certificate))
            told = msgspec.msgpack.decode(heard, type=n.NodeAnswer)
            assert (told.number, told.row) == (7, rows + 1)
            assert floor.office.place.seq == rows + 1

    asyncio.run(play())


@pytest.mark.parametrize("wrong", [1, 2**52], ids=["long ago", "far ahead"])
def test_a_command_from_afar_happens_when_its_owner_decides_it(tmp_path: Path, address: str, wrong: int) -> None:
    """The caller's clock may be wrong; the rows of one stream are in the order of one clock."""

    async def play() -> None:
        async with answering(tmp_path, address) as (floor, _, said):
            before, late = floor.clock.now(), msgspec.structs.replace(RAISE, at=wrong)
            heard = await ask(said, hello(proof_for(floor.premises, said.certificate)), r._only(said.certificate), late)
            told = msgspec.msgpack.decode(heard, type=n.NodeAnswer)
            row = row_at(floor.store, "office", told.row)
            command = floor.office.subject.read(row).command
            assert (row.kind, command.what) == ("RaiseAlert", RAISE.what)
            assert before <= row.at == command.at <= floor.clock.now()
            assert floor.office.subject.read(row._replace(body=told.entry)).command == command  # and is told so

    asyncio.run(play())


HELLOS = {"another word": hello(b"x" * 32), "no word": hello(b""), "nonsense": b"nonsense", "noise": b"\xff" * 100}


@pytest.mark.parametrize("first", HELLOS.values(), ids=HELLOS)
def test_a_caller_without_the_key_is_not_answered(tmp_path: Path, address: str, first: bytes) -> None:
    async def play() -> None:
        async with answering(tmp_path, address) as (floor, _, said):
            rows = floor.office.place.seq
            assert await ask(said, first, r._only(said.certificate)) == b""
            assert floor.office.place.seq == rows
            assert floor.cluster is not None
            assert floor.cluster.answered == 0

    asyncio.run(play())


def test_no_other_program_can_take_the_place_of_a_node(tmp_path: Path, address: str) -> None:
    async def play() -> None:
        async with answering(tmp_path, address) as (floor, relay, said):
            _, other = r._new_certificate()
            with pytest.raises(ssl.SSLCertVerificationError):
                await ask(said, hello(proof_for(floor.premises, other)), r._only(other))
            done: list[Answer | None] = []
            stranger = msgspec.structs.replace(said, certificate=other)
            await relay._given(stranger, "office", encode(Entry(RAISE)), done.append)
            assert done == [None]  # as when no node answers

    asyncio.run(play())


def test_a_token_for_one_certificate_is_worth_nothing_to_another(tmp_path: Path, address: str) -> None:
    async def play() -> None:
        async with answering(tmp_path, address) as (floor, _, said):
            _, lure = r._new_certificate()
            stolen = hello(proof_for(floor.premises, lure))
            assert await ask(said, stolen, r._only(said.certificate)) == b""

    asyncio.run(play())


def test_a_machine_with_another_key_is_refused(tmp_path: Path, address: str) -> None:
    async def play() -> None:
        async with answering(tmp_path, address):
            other = Premises(tmp_path / "other", address)
            other.init()
            floor = Floor(other, read_tables(TABLES), "two", 60_000)
            with pytest.raises(Refused, match="key of-another-floor"):
                await floor.open()
            await floor.abandon()

    asyncio.run(play())


def test_a_stranger_costs_little(tmp_path: Path, address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """An unknown caller may not send much, and not many may wait; a node is admitted when they have gone."""
    monkeypatch.setattr(r, "MOST_ANONYMOUS", 3)
    monkeypatch.setattr(r, "ANSWER_SECONDS", 600.0)

    async def play() -> None:
        async with answering(tmp_path, address) as (floor, relay, said):
            host, _, port = said.relay.rpartition(":")
            context, lines = r._only(said.certificate), []
            for _ in range(5):
                lines.append(await asyncio.open_connection(host, int(port), ssl=context, server_hostname=r._NAME))
            ends = [asyncio.create_task(_end_of(reader)) for reader, _ in lines]
            await until(lambda: sum(end.done() for end in ends) == 2)
            assert len(relay._connections) == 3
            waiting = next(number for number, end in enumerate(ends) if not end.done())
            lines[waiting][1].write((r.HELLO + 1).to_bytes(4, "big"))
            await asyncio.wait_for(ends[waiting], 60)  # long before its patience ends
            for _, writer in lines:
                writer.close()
            await until(lambda: not relay._connections)
            assert await ask(said, hello(proof_for(floor.premises, said.certificate)), context)

    asyncio.run(play())


def test_what_machines_write_to_each_other_keeps_its_tags() -> None:
    """A machine of the release before or after this one reads it."""
    written = (n.NodeHello(n.VERSION, b"word", "two"), n.Ask(7, "T1", b"entry"), n.NodeAnswer(7, b"entry", True, 3))
    read = [msgspec.msgpack.decode(msgspec.msgpack.encode(one)) for one in written]
    assert read == [
        {"type": "Hello", "version": 1, "word": b"word", "node": "two"},
        {"type": "Ask", "number": 7, "stream": "T1", "entry": b"entry"},
        {"type": "Told", "number": 7, "entry": b"entry", "again": True, "row": 3},
    ]
