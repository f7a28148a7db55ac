"""A floor of several machines as real processes on one real PostgreSQL, each behind a line that can be cut."""

from __future__ import annotations

import random
import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx
import msgspec
import psycopg

from croupier.client import TerminalClient
from croupier.store.folder import Premises
from tests.nodes.line import Line, line_to_port, line_to_unix
from tests.support.house import House, wait_for, write_tables
from tests.support.house_process import Access


class Machines:
    """Any number of nodes of one floor. To everyone who comes it looks like one House."""

    def __init__(self, nodes: list[House], lines: list[Line], doors: list[Line], address: str) -> None:
        self.nodes = nodes
        self.lines = lines
        """From each to the database."""
        self.doors = doors
        """From the terminals to each."""
        self.address = address
        self._chance = random.Random("machines")
        self._first: Access
        self.down: set[int] = set()
        """The nodes that are not used: killed, frozen or cut off."""

    def start(self) -> None:
        """The first lets everyone in; the others know them from the journal."""
        self.nodes[0].start()
        self._first = self.nodes[0].access
        for node in self.nodes[1:]:
            self._know(node)
            node.start()

    def _know(self, node: House) -> None:
        node.job = msgspec.structs.replace(node.job, seats=self._first.seats, people=self._first.people)

    @property
    def up(self) -> list[House]:
        return [node for number, node in enumerate(self.nodes) if node.alive and number not in self.down]

    # ---- as one House

    @property
    def premises(self) -> Premises:
        return Premises(self.nodes[0].premises.folder, self.address)

    @property
    def access(self) -> Access:
        return msgspec.structs.replace(self._chance.choice(self.up).access, seats=self._first.seats)

    def terminal(self, table: str, seat: str) -> TerminalClient:
        number = self._chance.choice([number for number, node in enumerate(self.nodes) if node in self.up])
        return TerminalClient(f"ws://127.0.0.1:{self.doors[number].port}/", self._first.seats[f"{table}/{seat}"])

    def browser(self, person: str) -> httpx.Client:
        return self._chance.choice(self.up).browser(person)

    def seat_everyone(self, credit: int) -> None:
        self.nodes[0].seat_everyone(credit)

    # ---- what the database says

    def owners(self) -> dict[str, str]:
        """stream → the node that owns it, while its lease lasts."""
        now = "(extract(epoch FROM clock_timestamp()) * 1000)::bigint"
        with psycopg.connect(self.address) as connection:
            found = connection.execute(f"SELECT stream, owner FROM streams WHERE until > {now}").fetchall()
        return dict(found)

    def owned_by(self, number: int) -> set[str]:
        mark = f"-{self.nodes[number].access.pid}-"
        return {stream for stream, owner in self.owners().items() if mark in owner}

    def shared(self) -> bool:
        """True if every node that is up has its share of the tables, and every other stream has an owner."""
        owners = self.owners()
        tables = [owner for stream, owner in owners.items() if stream not in ("cage", "office")]
        counts = [sum(f"-{node.access.pid}-" in owner for owner in tables) for node in self.up]
        known = all(any(f"-{node.access.pid}-" in owner for node in self.up) for owner in owners.values())
        return known and len(owners) == 7 and max(counts) - min(counts) <= 1


@contextmanager
def machines(
    folder: Path, server: str, edit: Callable[[str], str], count: int = 3, *, straight: bool = False, **settings: Any
) -> Iterator[Machines]:
    """`server` is the address of a PostgreSQL on a socket of this machine; the floor gets a database of its own.

    Straight, the machines have it from that address themselves; otherwise each through a line of its own.
    """
    name = f"floor_{random.randrange(10**9)}"
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
    address = server.replace("/postgres?", f"/{name}?")
    socket = parse_qs(urlsplit(address).query)["host"][0].partition(",")[0]
    tables = write_tables(folder / "tables", edit)
    with ExitStack() as stack:
        nodes: list[House] = []
        lines: list[Line] = []
        doors: list[Line] = []
        for number in range(count):
            lines.append(stack.enter_context(line_to_unix(f"{socket}/.s.PGSQL.5432")))
            (folder / str(number)).mkdir()
            through = address if straight else f"postgresql://postgres@127.0.0.1:{lines[-1].port}/{name}"
            nodes.append(House(folder / str(number), tables, through))
            doors.append(stack.enter_context(line_to_port(lambda node=nodes[-1]: node.access.terminals)))  # type: ignore[misc]
            own = {"terminal_address": f"ws://127.0.0.1:{doors[-1].port}/"}
            nodes[-1].job = msgspec.structs.replace(
                nodes[-1].job, settings=own | {key: str(value) for key, value in settings.items()}
            )
            stack.callback(nodes[-1].end)
            if number:
                shutil.rmtree(nodes[-1].premises.keys)
                shutil.copytree(nodes[0].premises.keys, nodes[-1].premises.keys)
        yield Machines(nodes, lines, doors, address)


__all__ = ["Machines", "machines", "wait_for"]
