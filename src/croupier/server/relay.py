"""Passes commands from machine to machine: a stream's owner decides, and answers once the row is on disk.

Each machine keeps one connection open to every other. It is always TLS. A machine makes its own certificate and
publishes it in the database, so the caller knows that it has reached that machine. The caller then proves that it has
the floor's key, with a proof for this one certificate: an attacker who lures a machine to another address cannot use
the proof elsewhere.
"""

from __future__ import annotations

import asyncio
import contextlib
import datetime
import hmac
import socket
import ssl
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from croupier.floor.cluster import NodeStatus
from croupier.floor.floor import Floor, Reply
from croupier.floor.presence import Presence, apply_presence, presence_of
from croupier.protocol.nodes import VERSION, Ask, NodeAnswer, NodeHello
from croupier.rules.bad_input import Unreadable
from croupier.store.folder import Premises
from croupier.store.journal import Row
from croupier.store.recorder import Answer, Recorder
from croupier.store.streams.entry import AnyEntry, Entry
from croupier.wire import encode

MOST = 64 * 1024 * 1024
"""Bytes of one message: the payments of a round of hundreds of thousands of bets."""
UNREAD = 4 * 1024 * 1024
"""Bytes that a machine may leave unread before it is sent no more presence."""
HELLO = 1024
MOST_ANONYMOUS = 64
"""Bytes of the first message, and how many connections may be open that have not sent it."""
LOOK_EVERY = 0.1
"""Seconds between two looks for changed presence: what screens show that is not in the journal."""
ANSWER_SECONDS = 10.0
"""Seconds to wait for an answer; after that the outcome counts as unknown."""


_encode = msgspec.msgpack.encode
_from_caller = msgspec.msgpack.Decoder(NodeHello | Ask)
_from_owner = msgspec.msgpack.Decoder(NodeAnswer | Presence)


class Relay:
    """Accepts commands for the streams that this machine owns, and passes those for other streams to their owners."""

    def __init__(self, floor: Floor) -> None:
        assert floor.cluster is not None
        self._floor = floor
        self._cluster = floor.cluster
        self._certificate = ""
        self._lines: dict[str, _Line] = {}
        self._server: asyncio.Server | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._connections: set[asyncio.StreamWriter] = set()
        self._callers: dict[asyncio.StreamWriter, dict[str, bytes]] = {}
        """The machines that have connected, and the presence of every table that each was last sent."""

    async def open(self, host: str, port: int) -> tuple[str, str]:
        """Listen. Returns the address and the certificate."""
        context, self._certificate = _new_certificate()
        self._server = await asyncio.start_server(self._serve, host, port, ssl=context)
        self._floor.relay = self.give
        self._start(self._send_presence())
        name = f"[{host}]" if ":" in host else host
        return f"{name}:{self._server.sockets[0].getsockname()[1]}", self._certificate

    async def close(self) -> None:
        if self._server is None:
            return
        self._floor.relay = lambda recorder, command, id, reply: reply(None)
        self._server.close()
        for writer in tuple(self._connections):
            writer.transport.abort()
        for task in tuple(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        while self._connections:
            await asyncio.sleep(0.01)

    def _start(self, work: Any) -> None:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    # ---- commands for other machines

    def give(self, recorder: Recorder, command: Any, id: str, reply: Reply) -> None:
        """Give a command to the owner of its stream. The reply is None if the owner is unknown or does not answer."""
        stream, owner = recorder.subject.name, self._cluster.owner_of(recorder.subject.name)
        if owner is None or not owner.relay or self._cluster.away:
            reply(None)
            return
        self._start(self._given(owner, stream, encode(Entry(command, id=id)), reply))

    async def _given(self, owner: NodeStatus, stream: str, entry: bytes, reply: Reply) -> None:
        answer = None
        self._cluster.asked += 1
        with contextlib.suppress(OSError, TimeoutError, ssl.SSLError, asyncio.IncompleteReadError):
            async with asyncio.timeout(ANSWER_SECONDS):
                answer = await self._line(owner).ask(stream, entry)
                if answer is not None and answer.entry:
                    await self._read_so_far(stream, answer.row)
        if answer is None or not answer.entry:
            self._cluster.unanswered += 1
            reply(None)
            return
        reply(Answer(_entry(self._floor.recorder(stream), answer.entry), answer.again))

    async def _read_so_far(self, stream: str, row: int) -> None:
        """Wait until this machine has read the row of the answer, so that its state includes the change."""
        while (recorder := self._floor.recorder(stream)).place.seq < row and not recorder.owned:
            self._cluster.wake()
            await asyncio.sleep(0.005)

    def _line(self, owner: NodeStatus) -> _Line:
        line = self._lines.get(owner.certificate)
        if line is None or line.broken:
            for old, known in list(self._lines.items()):
                if known.broken:
                    del self._lines[old]
            hello = NodeHello(VERSION, proof_for(self._floor.premises, owner.certificate), self._cluster.name)
            line = self._lines[owner.certificate] = _Line(owner, hello, partial(apply_presence, self._floor))
            self._start(line.run())
        return line

    # ---- presence

    async def _send_presence(self) -> None:
        """Keep a connection to every machine, and send changed presence of the tables here to those connected to us."""
        while True:
            await asyncio.sleep(LOOK_EVERY)
            for name, node in self._cluster.nodes.items():
                if name != self._cluster.name and node.relay:
                    self._line(node)
            if not self._callers:
                continue
            for live in self._floor.tables.values():
                if not live.recorder.owned:
                    continue
                body = _encode(presence_of(live))
                for writer, sent in self._callers.items():
                    if sent.get(live.name) != body and writer.transport.get_write_buffer_size() < UNREAD:
                        sent[live.name] = body
                        writer.write(_framed(body))

    # ---- commands from other machines

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if len(self._connections) - len(self._callers) >= MOST_ANONYMOUS:
            writer.transport.abort()
            return
        self._connections.add(writer)
        _watched(writer)
        word = proof_for(self._floor.premises, self._certificate)
        try:
            async with asyncio.timeout(ANSWER_SECONDS):
                hello = _from_caller.decode(await _frame(reader, HELLO))
            if not isinstance(hello, NodeHello) or not hmac.compare_digest(hello.word, word):
                return
            self._callers[writer] = {}
            while True:
                asked = _from_caller.decode(await _frame(reader))
                if isinstance(asked, Ask):
                    self._take(asked, writer)
                    await writer.drain()
        except (OSError, TimeoutError, asyncio.IncompleteReadError, msgspec.MsgspecError, ssl.SSLError):
            pass  # it went, or it is none of us
        finally:
            writer.close()
            self._connections.discard(writer)
            self._callers.pop(writer, None)

    def _take(self, asked: Ask, writer: asyncio.StreamWriter) -> None:
        floor = self._floor

        def answered(answer: Answer | None) -> None:
            if writer.is_closing():
                return
            if answer is None:
                writer.write(_framed(_encode(NodeAnswer(asked.number))))
                return
            row = floor.recorder(asked.stream).place.seq
            writer.write(_framed(_encode(NodeAnswer(asked.number, encode(answer.entry), answer.again, row))))

        recorder = floor.recorder(asked.stream) if asked.stream in floor.made_of() else None
        if recorder is None or not recorder.owned:  # the stream has moved on: the caller will see its new owner
            answered(None)
            return
        try:
            entry = _entry(recorder, asked.entry)
        except Unreadable:  # a newer version sent a command that this one does not know
            answered(None)
            return
        self._cluster.answered += 1
        # The owner's clock counts, so that the times of a stream's rows ascend.
        command = msgspec.structs.replace(entry.command, at=floor.clock.now())
        floor.submit(recorder, command, entry.id, answered)


class _Line:
    """The connection to one machine: many commands under way, each answered by its number."""

    def __init__(self, owner: NodeStatus, hello: NodeHello, show: Callable[[Presence], None]) -> None:
        self._owner = owner
        self._show = show
        self._open: dict[int, asyncio.Future[NodeAnswer | None]] = {}
        self._number = 0
        self._unsent: list[bytes] = [_framed(_encode(hello))]
        self._writer: asyncio.StreamWriter | None = None
        self.broken = False

    async def ask(self, stream: str, entry: bytes) -> NodeAnswer | None:
        self._number += 1
        number = self._number
        self._open[number] = asyncio.get_running_loop().create_future()
        body = _framed(_encode(Ask(number, stream, entry)))
        if self._writer is None:
            self._unsent.append(body)
        else:
            self._writer.write(body)
        try:
            return await self._open[number]
        finally:
            del self._open[number]

    async def run(self) -> None:
        """Run until the connection breaks. The outcome of every command under way is then unknown."""
        try:
            host, _, port = self._owner.relay.rpartition(":")
            async with asyncio.timeout(ANSWER_SECONDS):
                reader, self._writer = await asyncio.open_connection(
                    host.strip("[]"), int(port), ssl=_only(self._owner.certificate), server_hostname=_NAME
                )
            _watched(self._writer)
            self._writer.writelines(self._unsent)
            while True:
                message = _from_owner.decode(await _frame(reader))
                if isinstance(message, Presence):
                    self._show(message)
                elif (waiting := self._open.get(message.number)) is not None and not waiting.done():
                    waiting.set_result(message)
        except (OSError, ValueError, asyncio.IncompleteReadError, msgspec.MsgspecError, ssl.SSLError):
            pass
        finally:
            self.broken = True
            for waiting in self._open.values():
                if not waiting.done():
                    waiting.set_result(None)
            if self._writer is not None:
                self._writer.close()


def _entry(recorder: Recorder, body: bytes) -> AnyEntry:
    return recorder.subject.read(Row(recorder.subject.name, 0, 0, 0, 0, "", body, b"", ()))


def _framed(body: bytes) -> bytes:
    return len(body).to_bytes(4, "big") + body


def _watched(writer: asyncio.StreamWriter) -> None:
    """Detect a dead connection by TCP keepalive, so that stale values are not shown."""
    line = writer.get_extra_info("socket")
    line.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for name, value in (("TCP_KEEPIDLE", 3), ("TCP_KEEPINTVL", 2), ("TCP_KEEPCNT", 3), ("TCP_USER_TIMEOUT", 10_000)):
        if hasattr(socket, name):  # not every system has them
            line.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), value)


async def _frame(reader: asyncio.StreamReader, most: int = MOST) -> bytes:
    size = int.from_bytes(await reader.readexactly(4), "big")
    if size > most:
        raise msgspec.ValidationError(f"a message of {size} bytes")
    return await reader.readexactly(size)


# ---- authentication


def proof_for(premises: Premises, certificate: str) -> bytes:
    """The proof to the holder of a certificate that the caller has the floor's key, as all of its machines do."""
    key = (premises.keys / "signing.key").read_bytes()
    return hmac.digest(key, b"nodes\n" + certificate.encode(), "sha256")


_NAME = "croupier-node"


def _new_certificate() -> tuple[ssl.SSLContext, str]:
    """A new key and certificate for the lifetime of this process."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, _NAME)])
    now = datetime.datetime.now(datetime.UTC)
    certificate = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=30))  # the clocks of machines differ
        .not_valid_after(now + datetime.timedelta(days=3650))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(_NAME)]), critical=False)
        .sign(key, hashes.SHA256())
    )
    text = certificate.public_bytes(serialization.Encoding.PEM)
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_3
    with tempfile.TemporaryDirectory() as folder:  # `load_cert_chain` reads files only
        file = Path(folder) / "node.pem"
        file.touch(mode=0o600)
        file.write_bytes(text + private)
        context.load_cert_chain(file)
    return context, text.decode()


def _only(certificate: str) -> ssl.SSLContext:
    """A TLS context that trusts exactly this certificate."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.minimum_version = ssl.TLSVersion.TLSv1_3
    context.load_verify_locations(cadata=certificate)
    return context
