"""A server that is killed, connections that are cut: nothing acknowledged is lost, and a resend counts once."""

from __future__ import annotations

import contextlib
import os
import select
import signal
import socket
import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import psycopg
import pytest

from croupier.store.commit import give_all
from croupier.store.journal import Append, Away, Full, Indeterminate
from croupier.store.postgres import COPIED, PostgresStore
from croupier.store.recorder import Lost, Recorder
from croupier.store.verify import verify
from croupier.table import messages as m
from croupier.transcript.play import play
from tests.store.killed import Afterwards, check_end, give_turns, given, made
from tests.support.postgres import started, until_it_answers
from tests.support.recorders import ANN, BETTING, bet, evenings, record, table_of


class Server:
    """A PostgreSQL of its own, that may be killed."""

    def __init__(self, server: Any) -> None:
        self._server = server
        self._folder = Path(str(server.pgdata))
        self._names = 0

    def new_database(self) -> str:
        self._names += 1
        name, address = f"floor{self._names}", str(self._server.get_uri())
        with psycopg.connect(address, autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name}")
        return address.replace("/postgres?", f"/{name}?")

    def socket(self) -> Path:
        return Path(str(self._server.get_postmaster_info().socket_dir)) / ".s.PGSQL.5432"

    def kill(self) -> None:
        """kill -9 of the postmaster of this data folder and of its children."""
        postmaster = int((self._folder / "postmaster.pid").read_text().split()[0])
        family = [postmaster, *_children(postmaster)]
        for process in family:
            os.kill(process, signal.SIGKILL)
        while any(Path(f"/proc/{process}").exists() and _state(process) != "Z" for process in family):
            time.sleep(0.01)

    def start(self) -> None:
        """As after a restart of the machine: who held the locks is gone."""
        for lock in (self._folder / "postmaster.pid", self.socket().with_name(f"{self.socket().name}.lock")):
            lock.unlink(missing_ok=True)
        until_it_answers(self._server, self._server.ensure_postgres_running)


def _status(process: int) -> list[str]:
    """The fields after the name in what the kernel says of a process."""
    return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()


def _state(process: int) -> str:
    try:
        return _status(process)[0]
    except FileNotFoundError:
        return "Z"


def _children(parent: int) -> list[int]:
    children = []
    for entry in Path("/proc").iterdir():
        try:
            if entry.name.isdigit() and int(_status(int(entry.name))[1]) == parent:
                children.append(int(entry.name))
        except (FileNotFoundError, ProcessLookupError):
            continue
    return children


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with started() as one:
        yield Server(one)


def struck_by_a_kill(server: Server, address: str, file: Path, after: float) -> int:
    """Give an evening, kill the server some time after its first command: how many were answered."""
    evening = play(file.read_text())
    recorder = made(PostgresStore(address), "one", evening)
    killer = threading.Timer(after, server.kill)
    killer.start()
    answers = [0]
    with contextlib.suppress(Indeterminate, psycopg.OperationalError):
        answers.extend(give_turns(recorder, given(evening)))
    killer.join()
    recorder.store.close()
    return answers[-1]


@pytest.mark.parametrize("after", [0.005, 0.02, 0.04])
def test_a_killed_server_has_lost_nothing_that_was_acknowledged(server: Server, after: float) -> None:
    address, file = server.new_database(), evenings()[9]
    answered = struck_by_a_kill(server, address, file, after)
    server.start()
    evening, store = play(file.read_text()), PostgresStore(address)
    on_disk = store.head(evening.table.setup.table).seq - 1
    assert answered <= on_disk <= answered + 1
    assert verify(store).lies == []  # and what was not acknowledged is there wholly, or not at all
    recovered = Recorder.recover(store, "one", 0, 5_000, evening.table.setup.table)
    later = Afterwards(recovered, evening, on_disk)
    check_end(store, evening, on_disk, later.end(later.begin(answered), answered))
    store.close()


# ---- a connection that is cut


class Proxy:
    """Stands between a store and its server, and cuts at the next append: before it arrives, or its answer back.

    An append is known by its words, and by those with which the server says that it has done it.
    """

    asked, done = b"WITH held", b"SELECT 1\0"

    def __init__(self, server: Path, folder: Path) -> None:
        self._server = server
        self._cut, self._armed = "", False
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(str(folder / server.name))
        self._listener.listen()
        self._listener.settimeout(120)
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def cut(self, when: str) -> None:
        self._cut = when

    def _serve(self) -> None:
        client, _ = self._listener.accept()
        with client, socket.socket(socket.AF_UNIX) as server:
            server.connect(str(self._server))
            while self._passed_on(client, server):
                pass

    def _passed_on(self, client: socket.socket, server: socket.socket) -> bool:
        """Pass on what there is; False when it is over."""
        ready, _, _ = select.select([client, server], [], [], 120)
        for source in ready:
            data = source.recv(1 << 20)
            self._armed = self._armed or (bool(self._cut) and source is client and self.asked in data)
            if not data or (self._armed and self._cut == "before"):
                return False
            if source is server and self._armed and self._cut == "after" and self.done in data:
                return False  # nobody hears it
            (server if source is client else client).sendall(data)
        return bool(ready)

    def close(self) -> None:
        self._thread.join(120)
        self._listener.close()


@pytest.fixture
def proxy(server: Server, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Proxy]:
    proxy = Proxy(server.socket(), tmp_path_factory.mktemp("p"))
    yield proxy
    proxy.close()


def through(address: str, proxy: Proxy) -> str:
    folder = Path(proxy._listener.getsockname()).parent
    return psycopg.conninfo.make_conninfo(address, host=str(folder))


@pytest.mark.parametrize("when", ["before", "after"])
def test_a_cut_connection_leaves_it_open_and_a_resend_counts_once(server: Server, proxy: Proxy, when: str) -> None:
    address = server.new_database()
    cut = PostgresStore(through(address, proxy))
    cut._db.prepare_threshold = None  # every statement by its words: the proxy knows an append by them
    recorder = record(cut, play(BETTING))
    proxy.cut(when)
    with pytest.raises(Indeterminate):
        recorder.give(bet("b1"))
    with pytest.raises(Lost):
        recorder.give(bet("b1"))
    recorder.store.close()
    store = PostgresStore(address)
    there = store.head("T").seq > recorder.place.seq
    assert there == (when == "after")
    again = Recorder.recover(store, "one", 10_000, 5_000, "T")
    again.give(m.Restore("system", again.at))
    answers = [again.give(bet("b1")) for _ in range(3)]
    assert [answer.again for answer in answers] == [there, True, True]
    assert all(answer.entry.refused is None for answer in answers)
    assert table_of(again).seats[ANN].credit == 90_00
    assert verify(store).lies == []
    store.close()


@pytest.mark.parametrize("when", ["before", "after"])
def test_a_commit_of_many_rows_that_is_cut_is_never_counted_as_unwritten(
    server: Server, proxy: Proxy, when: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They go by COPY, and their commit by itself: whoever hears no answer to it does not know."""
    address = server.new_database()
    recorder = record(PostgresStore(through(address, proxy)), play(BETTING))
    place, bets = recorder.place, [bet(f"b{number}", stake=1_00) for number in range(COPIED)]
    append, raised = recorder.store.append, list[type[Exception]]()

    def appended(batch: Sequence[Append]) -> None:
        try:
            append(batch)
        except Exception as error:
            raised.append(type(error))
            raise

    monkeypatch.setattr(recorder.store, "append", appended)
    proxy.asked, proxy.done = b"COMMIT\0", b"COMMIT\0"
    proxy.cut(when)
    assert give_all(recorder.store, [(recorder, one, "") for one in bets]) == [None] * COPIED
    assert raised == [Away]
    assert not recorder.owned
    recorder.store.close()
    store = PostgresStore(address)
    there = store.head("T").seq - place.seq
    assert there == (COPIED if when == "after" else 0)
    again = Recorder.recover(store, "one", 10_000, 5_000, "T")
    again.give(m.Restore("system", again.at))
    answers = [again.give(one) for one in bets]
    assert all(answer.again == bool(there) and answer.entry.refused is None for answer in answers)
    assert table_of(again).seats[ANN].held == COPIED * 1_00
    assert verify(store).lies == []
    store.close()


def test_a_full_disk_of_the_server_writes_nothing_and_the_table_goes_on(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = PostgresStore(server.new_database())
    recorder = record(store, play(BETTING))
    place, state, execute = recorder.place, recorder.subject.state(), psycopg.Connection.execute

    def full(connection: Any, query: str, *rest: Any, **more: Any) -> Any:
        if query.startswith("WITH held"):
            raise psycopg.errors.DiskFull("could not extend file: No space left on device")
        return execute(connection, query, *rest, **more)

    with monkeypatch.context() as patched:
        patched.setattr(psycopg.Connection, "execute", full)
        with pytest.raises(Full):
            recorder.give(bet("b1"))
    assert (recorder.place, recorder.subject.state()) == (place, state)
    assert store.head("T") == place
    no = recorder.give(bet("b1")).entry.refused
    assert no is not None
    assert no.reason == "disk"
    beside = PostgresStore(store._db.info.dsn, read_only=True)
    store.look_for_room(beside)
    beside.close()
    assert not recorder.give(bet("b1")).again
    assert table_of(recorder).seats[ANN].credit == 90_00
    assert verify(store).lies == []
    store.close()
