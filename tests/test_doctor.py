"""What the doctor finds, and whether the software is the approved one."""

from __future__ import annotations

import asyncio
import json
import socket
from pathlib import Path

import apsw
import pytest

from croupier.cli.doctor import Finding, examine
from croupier.floor.config import read_tables
from croupier.rules.refusal import Refused
from croupier.server import serve as serving
from croupier.server.settings import read_settings
from croupier.store import manifest
from croupier.store.manifest import approve, files_of, manifest_file, unapproved
from croupier.store.premises import Premises
from tests.certificates import Authority
from tests.floor.test_floor import TABLES, opened


@pytest.fixture
def premises(tmp_path: Path) -> Premises:
    made = Premises(tmp_path / "floor")
    made.init()
    approve(made, "1")
    return made


def found(premises: Premises, **flags: object) -> list[Finding]:
    given = {"floor": premises.folder, "tables": TABLES, "staff_port": 0, "terminal_port": 0} | flags
    return list(examine(read_settings(given)))


def bad(findings: list[Finding]) -> list[tuple[str, str]]:
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


def test_what_is_wrong_is_told_with_what_to_do(premises: Premises, monkeypatch: pytest.MonkeyPatch) -> None:
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


def test_certificates_end(premises: Premises) -> None:
    authority = Authority(premises.folder)
    for days, state in ((300, []), (10, [("warn", "tls")]), (-1, [("fail", "tls")])):
        certificate, key = authority.issue(f"c{days}", days=days)
        assert bad(found(premises, staff_certificate=certificate, staff_key=key)) == state
    _, other = authority.issue("other")
    assert bad(found(premises, staff_certificate=certificate, staff_key=other)) == [("fail", "tls")]


# ---- the approved software


@pytest.mark.parametrize("what", ["changed", "added", "gone", "forged", "torn", "missing"])
def test_software_that_was_not_approved_is_found(
    what: str, premises: Premises, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert unapproved(premises) == []
    file, files = manifest_file(premises), files_of()
    book = "rulebooks/nz-taisai-division9.toml"
    assert book in files
    if what in ("changed", "added", "gone"):
        other = {"changed": files | {book: "0" * 64}, "added": files | {"x.py": "0" * 64}}.get(what, dict(files))
        if what == "gone":
            del other[book]
        monkeypatch.setattr(manifest, "files_of", lambda: other)
    elif what == "forged":
        said = json.loads(file.read_text())
        said["files"][book] = "0" * 64
        file.write_text(json.dumps(said))
    elif what == "torn":
        file.write_text(file.read_text()[:-30])
    else:
        file.unlink()
    (one,) = unapproved(premises)
    words = {"changed": f"{book} is not the approved one", "added": "x.py was never approved", "gone": "is missing"}
    assert words.get(what, "manifest") in one
    assert bad(found(premises)) == [("warn", "software")]
    assert bad(found(premises, approved="refuse")) == [("fail", "software")]
    settings = read_settings({"floor": premises.folder, "approved": "refuse", "staff_port": 0, "terminal_port": 0})
    with pytest.raises(Refused, match="not the approved software"):
        asyncio.run(serving.serve(settings, read_tables(TABLES)))
