"""What the doctor finds, and whether the software is the approved one."""

from __future__ import annotations

import asyncio
import os
import socket
from pathlib import Path

import apsw
import pytest

from croupier.cli import doctor
from croupier.cli.doctor import DoctorFinding, examine
from croupier.floor.config import read_tables
from croupier.rules.refusal import Refused
from croupier.server import serve as serving
from croupier.server.settings import read_settings
from croupier.store import manifest
from croupier.store.checkpoint import make_key_pair, private_key
from croupier.store.copies import Copies
from croupier.store.folder import Premises, open_store
from croupier.store.manifest import approve
from croupier.store.sqlite import SqliteStore
from croupier.table import messages as m
from tests.support.certificates import Authority
from tests.support.floors import TABLES, opened, until


@pytest.fixture
def premises(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Premises:
    """A floor on which a small piece of software was approved, kept by an account of its own."""
    (tmp_path / "code").mkdir()
    (tmp_path / "code" / "one.py").write_text("x = 1\n")
    monkeypatch.setattr(manifest, "roots", lambda: {"packages": str(tmp_path / "code")})
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    monkeypatch.setattr(doctor, "owner", lambda file: 1000)
    monkeypatch.setattr(doctor, "may_write", lambda folder: False)
    made = Premises(tmp_path / "floor")
    made.init()
    make_key_pair(tmp_path / "approver.key", tmp_path / "approver.pub")
    approve(made, private_key(tmp_path / "approver.key"))
    return made


def found(premises: Premises, **flags: object) -> list[DoctorFinding]:
    given = {"floor": premises.folder, "tables": TABLES, "staff_port": 0, "terminal_port": 0, "public_port": 0} | flags
    given.setdefault("approver", premises.folder.parent / "approver.pub")
    return list(examine(read_settings(given)))


def bad(findings: list[DoctorFinding]) -> list[tuple[str, str]]:
    return [(one.state, one.check) for one in findings if one.state != "ok"]


def test_a_floor_that_is_well_has_nothing_wrong(premises: Premises) -> None:
    async def play() -> None:
        async with opened(premises):
            pass

    asyncio.run(play())
    findings = found(premises)
    assert bad(findings) == []
    assert {one.check for one in findings} >= {"tables", "keys", "checkpoints", "store", "clock", "books", "sqlite"}
    assert {one.check for one in findings} >= {"disk", "ports", "tls", "software"}
    books = next(one.what for one in findings if one.check == "books")
    assert all(id in books for id in ("nz-taisai-division9", "mbs-sands-roulette-v2"))


def test_every_fault_comes_with_what_to_do(premises: Premises, monkeypatch: pytest.MonkeyPatch) -> None:
    (premises.keys / "signing.key").chmod(0o644)
    assert bad(found(premises)) == [("fail", "keys")]
    (premises.keys / "signing.key").chmod(0o600)
    with socket.create_server(("127.0.0.1", 0)) as taken:
        findings = found(premises, staff_port=taken.getsockname()[1])
        assert bad(findings) == [("warn", "ports")]
        assert all(one.do for one in findings if one.state != "ok")
    assert bad(found(premises, tables=premises.folder)) == [("fail", "tables")]
    assert bad(found(premises, store=str(premises.folder / "other.db"))) == [("fail", "store")]
    monkeypatch.setattr(apsw, "sqlite_lib_version", lambda: "3.40.1")
    assert bad(found(premises)) == [("fail", "sqlite")]


def test_rows_that_stay_unsigned_lines_that_are_not_true_and_copies_that_are_behind_are_found(
    premises: Premises,
) -> None:
    async def play() -> None:
        async with opened(premises) as floor:
            await until(lambda: floor.signing.last)
            for name in ("taisai-nz", "sicbo-rws"):
                await floor.give(floor.tables[name].recorder, m.OpenTable("Max", floor.clock.now()))
                await floor.signing.sign()

    asyncio.run(play())
    assert bad(found(premises)) == []
    elsewhere = premises.folder / "elsewhere"
    elsewhere.mkdir()
    assert bad(found(premises, checkpoint_copies=str(elsewhere))) == [("warn", "copies")]
    copies = Copies(premises.checkpoints, str(elsewhere), premises.folder)
    copies.start()
    copies.wait(30)
    copies.stop()
    assert bad(found(premises, checkpoint_copies=str(elsewhere))) == []
    lines = premises.checkpoints.read_bytes().splitlines(keepends=True)
    assert len(lines) > 2
    premises.checkpoints.write_bytes(b"".join([lines[0], *lines[2:]]))
    assert [one.what for one in found(premises) if "checkpoint 2 is missing" in one.what]
    premises.checkpoints.write_bytes(lines[0])
    store = open_store(premises.address)
    assert isinstance(store, SqliteStore)
    store._db.execute("UPDATE journal SET at = at - 60000 WHERE kind = 'OpenTable'")
    store.close()
    assert [one.what for one in found(premises) if "rows have been unsigned since" in one.what]


def test_certificates_end(premises: Premises) -> None:
    authority = Authority(premises.folder)
    for days, state in ((300, []), (10, [("warn", "tls")]), (-1, [("fail", "tls")])):
        certificate, key = authority.issue(f"c{days}", days=days)
        assert bad(found(premises, staff_certificate=certificate, staff_key=key)) == state
    _, other = authority.issue("other")
    assert bad(found(premises, staff_certificate=certificate, staff_key=other)) == [("fail", "tls")]


# ---- the account and the approved software


def test_it_warns_of_root_and_of_everything_that_lets_others_in(
    premises: Premises, monkeypatch: pytest.MonkeyPatch
) -> None:
    def warnings() -> list[str]:
        return [one.what for one in found(premises) if (one.state, one.check) == ("warn", "account")]

    assert warnings() == []
    with monkeypatch.context() as patch:
        patch.setattr(os, "geteuid", lambda: 0)
        patch.setattr(doctor, "owner", lambda file: 0)
        root, files = warnings()
        assert root.startswith("this is root")
        assert files.startswith("the server has run as root")
        assert str(premises.folder / "floor.db") in files
    with monkeypatch.context() as patch:
        patch.setattr(doctor, "may_write", lambda folder: True)
        (code,) = warnings()
        assert code.endswith("an intruder in the server could change the code")
    premises.folder.chmod(0o750)
    assert warnings() == [f"other accounts can open {premises.folder}"]


def serve_here(premises: Premises, **flags: object) -> None:
    given = {"floor": premises.folder, "staff_port": 0, "terminal_port": 0, "public_port": 0} | flags
    asyncio.run(asyncio.wait_for(serving.serve(read_settings(given), read_tables(TABLES)), 60))


def test_a_floor_does_not_open_with_software_that_nobody_approved(premises: Premises) -> None:
    approver = premises.folder.parent / "approver.pub"
    with pytest.raises(Refused, match="approved no-approver"):
        serve_here(premises)
    file = premises.folder.parent / "code" / "one.py"
    file.write_text("x = 2\n")
    with pytest.raises(Refused, match="approved other-software") as refused:
        serve_here(premises, approver=approver)
    assert refused.value.facts == {"places": (str(file),), "more": 0}
    assert bad(found(premises)) == [("fail", "software")]
    assert bad(found(premises, approved="alert")) == [("warn", "software")]
    assert bad(found(premises, approved="off")) == [("warn", "software")]
    assert any("is not compared with anything" in one.what for one in found(premises, approved="off"))
