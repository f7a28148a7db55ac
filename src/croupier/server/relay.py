"""From node to node: a command whose stream another machine owns is given there, and answered once it is on disk.

One line to each node, kept open. It is TLS always, with a certificate that the node made for itself and told in the
database: whoever stands at that address is the node. Whoever calls shows a word that only the floor's key can make, for
that certificate alone: a stranger who lures a node to his own address learns nothing that lets him in elsewhere.
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
"""Bytes that a machine may leave unread before it is told nothing more that is beside the journal."""
HELLO = 1024
STRANGERS = 64
"""Bytes of the first, and how many lines may be open that have not said it: so much anyone costs us."""
OFTEN = 0.1
"""Seconds between two looks at what is beside the journal."""
PATIENCE = 10.0
"""Seconds for an answer; then it is unknown whether there will be one."""


_encode = msgspec.msgpack.encode
_asked = msgspec.msgpack.Decoder(NodeHello | Ask)
_told = msgspec.msgpack.Decoder(NodeAnswer | Presence)


class Relay:
    """Takes commands of other nodes for what is owned here, and gives them those for what they own."""

    def __init__(self, floor: Floor) -> None:
        assert floor.cluster is not None
        self._floor = floor
        self._cluster = floor.cluster
        self._certificate = ""
        self._lines: dict[str, _Line] = {}
        self._server: asyncio.Server | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._guests: set[asyncio.StreamWriter] = set()
        self._callers: dict[asyncio.StreamWriter, dict[str, bytes]] = {}
        """The other nodes that have called, and what each was last told of every table."""

    async def open(self, host: str, port: int) -> tuple[str, str]:
        """Listen: the address, and the certificate that is shown there."""
        context, self._certificate = _own_certificate()
        self._server = await asyncio.start_server(self._serve, host, port, ssl=context)
        self._floor.relay = self.give
        self._start(self._tell_beside())
        name = f"[{host}]" if ":" in host else host
        return f"{name}:{self._server.sockets[0].getsockname()[1]}", self._certificate

    async def close(self) -> None:
        if self._server is None:
            return
        self._floor.relay = lambda recorder, command, id, reply: reply(None)
        self._server.close()
        for writer in tuple(self._guests):
            writer.transport.abort()
        for task in tuple(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        while self._guests:
            await asyncio.sleep(0.01)

    def _start(self, work: Any) -> None:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    # ---- giving

    def give(self, recorder: Recorder, command: Any, id: str, reply: Reply) -> None:
        """Give a command to the owner of its stream; None is replied where that is not known, or nobody answers."""
        stream, owner = recorder.subject.name, self._cluster.owner_of(recorder.subject.name)
        if owner is None or not owner.relay or self._cluster.away:
            reply(None)
            return
        self._start(self._given(owner, stream, encode(Entry(command, id=id)), reply))

    async def _given(self, owner: NodeStatus, stream: str, entry: bytes, reply: Reply) -> None:
        told = None
        self._cluster.asked += 1
        with contextlib.suppress(OSError, TimeoutError, ssl.SSLError, asyncio.IncompleteReadError):
            async with asyncio.timeout(PATIENCE):
                told = await self._line(owner).ask(stream, entry)
                if told is not None and told.entry:
                    await self._read_so_far(stream, told.row)
        if told is None or not told.entry:
            self._cluster.unanswered += 1
            reply(None)
            return
        reply(Answer(_entry(self._floor.recorder(stream), told.entry), told.again))

    async def _read_so_far(self, stream: str, row: int) -> None:
        """Whoever hears an answer here also sees here what it has changed."""
        while (recorder := self._floor.recorder(stream)).place.seq < row and not recorder.owned:
            self._cluster.wake()
            await asyncio.sleep(0.005)

    def _line(self, owner: NodeStatus) -> _Line:
        line = self._lines.get(owner.certificate)
        if line is None or line.broken:
            for old, there in list(self._lines.items()):
                if there.broken:
                    del self._lines[old]
            hello = NodeHello(VERSION, word_of(self._floor.premises, owner.certificate), self._cluster.name)
            line = self._lines[owner.certificate] = _Line(owner, hello, partial(apply_presence, self._floor))
            self._start(line.run())
        return line

    # ---- what is beside the journal

    async def _tell_beside(self) -> None:
        """Keep a line to every node, and tell those who keep one to us what has changed at the tables here."""
        while True:
            await asyncio.sleep(OFTEN)
            for name, said in self._cluster.nodes.items():
                if name != self._cluster.name and said.relay:
                    self._line(said)
            if not self._callers:
                continue
            for live in self._floor.tables.values():
                if not live.recorder.owned:
                    continue
                body = _encode(presence_of(live))
                for writer, told in self._callers.items():
                    if told.get(live.name) != body and writer.transport.get_write_buffer_size() < UNREAD:
                        told[live.name] = body
                        writer.write(_framed(body))

    # ---- taking

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if len(self._guests) - len(self._callers) >= STRANGERS:
            writer.transport.abort()
            return
        self._guests.add(writer)
        _watched(writer)
        word = word_of(self._floor.premises, self._certificate)
        try:
            async with asyncio.timeout(PATIENCE):
                hello = _asked.decode(await _frame(reader, HELLO))
            if not isinstance(hello, NodeHello) or not hmac.compare_digest(hello.word, word):
                return
            self._callers[writer] = {}
            while True:
                asked = _asked.decode(await _frame(reader))
                if isinstance(asked, Ask):
                    self._take(asked, writer)
                    await writer.drain()
        except (OSError, TimeoutError, asyncio.IncompleteReadError, msgspec.MsgspecError, ssl.SSLError):
            pass  # it went, or it is none of us
        finally:
            writer.close()
            self._guests.discard(writer)
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
        if recorder is None or not recorder.owned:  # it has gone on from here: whoever asks will see where
            answered(None)
            return
        try:
            entry = _entry(recorder, asked.entry)
        except Unreadable:  # a newer version asks for what this one does not know
            answered(None)
            return
        self._cluster.answered += 1
        # The time is that of whoever decides: rows of one stream are in its order.
        command = msgspec.structs.replace(entry.command, at=floor.clock.now())
        floor.submit(recorder, command, entry.id, answered)


class _Line:
    """The line to one node: many commands under way, each answered by its number."""

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
        """Until the line breaks: then nobody knows what became of what is under way."""
        try:
            host, _, port = self._owner.relay.rpartition(":")
            async with asyncio.timeout(PATIENCE):
                reader, self._writer = await asyncio.open_connection(
                    host.strip("[]"), int(port), ssl=_only(self._owner.certificate), server_hostname=_NAME
                )
            _watched(self._writer)
            self._writer.writelines(self._unsent)
            while True:
                told = _told.decode(await _frame(reader))
                if isinstance(told, Presence):
                    self._show(told)
                elif (waiting := self._open.get(told.number)) is not None and not waiting.done():
                    waiting.set_result(told)
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
    """A line that was cut without a word is found out: what it told last is not shown for ever."""
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


# ---- who is who


def word_of(premises: Premises, certificate: str) -> bytes:
    """What only those can say to the holder of a certificate who have the key of this floor, as all its machines do."""
    key = (premises.keys / "signing.key").read_bytes()
    return hmac.digest(key, b"nodes\n" + certificate.encode(), "sha256")


_NAME = "croupier-node"


def _own_certificate() -> tuple[ssl.SSLContext, str]:
    """A key and a certificate for as long as this process lives."""
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
    with tempfile.TemporaryDirectory() as folder:  # only for as long as it is read
        file = Path(folder) / "node.pem"
        file.touch(mode=0o600)
        file.write_bytes(text + private)
        context.load_cert_chain(file)
    return context, text.decode()


def _only(certificate: str) -> ssl.SSLContext:
    """Whoever shows exactly this certificate."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.minimum_version = ssl.TLSVersion.TLSv1_3
    context.load_verify_locations(cadata=certificate)
    return context
