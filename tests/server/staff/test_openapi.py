"""The door is as it describes itself: schemathesis asks what it says it takes, and what not, and is answered so."""

from __future__ import annotations

import asyncio
import contextlib
import os
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import hypothesis
import pytest
import schemathesis
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.core.result import Ok
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from croupier.server.staff.context import StaffSettings
from tests.server.staff.test_audit import evening
from tests.server.staff_floor import ORIGIN, StaffFloor, run
from tests.support.floors import check

EXAMPLES = 200 if os.environ.get("CROUPIER_FAULTS") == "all" else 6
_SETTINGS = hypothesis.settings(
    max_examples=EXAMPLES,
    suppress_health_check=list(hypothesis.HealthCheck),
    phases=[hypothesis.Phase.generate],
    deadline=None,
)
CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]
LEFT_OUT = {("DELETE", "/api/session"), ("DELETE", "/api/sessions")}
"""They would end the session of the other requests, so they are asked without one."""


class Door:
    """A door that is open in another thread, as long as the tests ask."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._open = threading.Event()
        self._ending: asyncio.Event
        self._loop: asyncio.AbstractEventLoop
        self.address = ""
        self.token = ""
        self.stopped: list[str] = []

    def _run(self) -> None:
        async def play(here: StaffFloor) -> None:
            self._loop, self._ending = asyncio.get_running_loop(), asyncio.Event()
            await evening(here)
            self.address, self.token = here.address, await here.token("Max")
            self._open.set()
            await self._ending.wait()
            self.stopped = [live.name for live in here.floor.tables.values() if live.stopped]
            self.premises = here.floor.premises

        try:
            run(self._folder, play, StaffSettings(origins=frozenset([ORIGIN]), demo=True))
        finally:
            self._open.set()

    @contextlib.contextmanager
    def opened(self) -> Iterator[Door]:
        thread = threading.Thread(target=self._run)
        thread.start()
        assert self._open.wait(120)
        assert self.address, "the door did not open"
        try:
            yield self
        finally:
            self._loop.call_soon_threadsafe(self._ending.set)
            thread.join(120)


@pytest.fixture(scope="module")
def door(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Door]:
    made = Door(tmp_path_factory.mktemp("openapi"))
    with made.opened():
        yield made
    assert made.stopped == []
    check(made.premises)  # whatever was asked, every row is true and no cent is lost


@pytest.mark.parametrize("mode", [GenerationMode.POSITIVE, GenerationMode.NEGATIVE], ids=["right", "wrong"])
@pytest.mark.parametrize("signed_in", [False, True], ids=["nobody", "Max"])
def test_every_route_answers_as_its_description_says(door: Door, signed_in: bool, mode: GenerationMode) -> None:
    schema = schemathesis.openapi.from_url(f"{door.address}/api/openapi.json")
    headers = {"Origin": ORIGIN} | ({"Cookie": f"croupier={door.token}"} if signed_in else {})
    asked = 0
    for found in schema.get_all_operations():
        assert isinstance(found, Ok), found
        operation = found.ok()
        if signed_in and (operation.method.upper(), operation.path) in LEFT_OUT:
            continue
        if mode is GenerationMode.NEGATIVE and not (operation.body or operation.query):
            continue  # any text can stand in a path

        @_SETTINGS
        @hypothesis.given(case=operation.as_strategy(generation_mode=mode))
        def ask(case: Any) -> None:
            case.call_and_validate(headers=headers, checks=CHECKS, timeout=60)

        ask()
        asked += 1
    assert asked >= (40 if mode is GenerationMode.POSITIVE else 10)


def test_a_tuple_says_its_length_and_no_generator_meets_a_schema_that_is_false(tmp_path: Path) -> None:
    async def play(here: StaffFloor) -> None:
        async with here.client() as stranger:
            said = (await stranger.get("/api/openapi.json")).json()
        boxes = said["components"]["schemas"]["DifferentialNow"]["properties"]["boxes"]
        assert (boxes["minItems"], boxes["maxItems"], len(boxes["prefixItems"])) == (2, 2, 2)
        assert not list(_false(said))

    run(tmp_path, play)


def _false(part: Any) -> Iterator[Any]:
    match part:
        case dict():
            if part.get("items", {}) is False:
                yield part
            for one in part.values():
                yield from _false(one)
        case list():
            for one in part:
                yield from _false(one)
