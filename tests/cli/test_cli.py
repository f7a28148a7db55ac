"""The command line as a person uses it: every command, its JSON, its refusals and its exit codes."""

from __future__ import annotations

import contextlib
import json
import sqlite3
import subprocess
import sys
from fractions import Fraction
from importlib.metadata import version
from pathlib import Path
from xml.etree import ElementTree

import pytest

from croupier import load_layout, load_rulebook
from croupier.analysis.exact.odds import differences
from croupier.rules.money import Cents
from croupier.rules.reader import read_rulebook
from croupier.store.checkpoint import make_keys, sign, signing_key
from croupier.store.recorder import Recorder
from croupier.store.sqlite import SqliteStore
from croupier.table import messages as m
from tests.support.command_line import WHERE, answer, run

ROOT = Path(__file__).parents[2]
MACAU, ZERO = "tests/rulebooks/macau-sicbo.toml", "tests/rulebooks/single-zero-roulette.toml"


def test_version_is_that_of_the_package() -> None:
    assert run("--version") == (0, f"croupier {version('croupier')}\n", "")


def test_rulebooks_lists_five_books_and_eleven_layouts() -> None:
    books = answer("rulebooks")
    assert len(books) == 5
    assert sum(len(book["layouts"]) for book in books) == 11
    code, out, _ = run("rulebooks")
    assert code == 0
    assert all(book["id"] in out for book in books)


@pytest.mark.parametrize("source", ["nz-taisai-division9", MACAU, ZERO])
def test_rulebook_shows_identity_layouts_readings_and_clauses(source: str) -> None:
    book = answer("rulebook", source)
    code, out, _ = run("rulebook", source)
    assert code == 0
    assert book["title"] in out
    assert book["hash"] in out
    assert all(layout["id"] in out for layout in book["layouts"])
    assert all(clause["says"] in out for clause in book["clauses"].values())
    assert all(reading["read"] in out for reading in book["readings"])


@pytest.mark.parametrize(
    ("layout", "boxes", "edge"),
    [
        ("mbs-sands-roulette-v2/A", 166, "1/13"),
        (ZERO, 157, "1/37"),
        pytest.param(f"{ZERO}/A", 157, "1/37", marks=pytest.mark.clause("single-zero-roulette", "1.1", "4.1")),
    ],
)
def test_odds_of_a_wheel_are_the_same_for_every_box(layout: str, boxes: int, edge: str) -> None:
    report = answer("odds", layout)
    assert len(report["boxes"]) == boxes
    assert {box["edge"] for box in report["boxes"]} == {edge}


@pytest.mark.clause("macau-sicbo", "2.2", "2.3", "4.1")
def test_odds_of_the_macau_game() -> None:
    report = {box["box"]: box for box in answer("odds", f"{MACAU}/1")["boxes"]}
    published = {"small": 0.0278, "double:1": 0.3333, "triple:1": 0.3009, "any-triple": 0.3056, "total:4": 0.2917}
    assert {name: round(float(Fraction(report[name]["edge"])), 4) for name in published} == published
    assert Fraction(report["domino:1-2"]["edge"]) == Fraction(1, 6)
    assert Fraction(report["total:9"]["edge"]) == Fraction(41, 216)


def test_settle_gives_the_fate_of_every_bet_and_the_totals() -> None:
    bets = ["small=10.00", "total:8=10", "domino:1-4=5.00", "single:6=1,000.00"]
    arguments = ["settle", "rws-sicbo-etg-v2/A", "--outcome", "4-3-1", *(f"--bet={bet}" for bet in bets)]
    report = answer(*arguments)
    assert [bet["won"] for bet in report["bets"]] == [True, True, True, False]
    assert report["bets"][1] == {
        "box": "total:8",
        "stake": 1000,
        "won": True,
        "odds": "17/2",
        "winnings": 8500,
        "returned": 1000,
        "win_clause": "4.1.1",
        "odds_clause": "4.1.1",
    }
    assert (report["outcome"], report["staked"], report["winnings"]) == ("1-3-4", 102500, 12500)
    assert (report["returned"], report["collected"], report["house"]) == (2500, 100000, 87500)
    _, out, _ = run(*arguments)
    assert "The House collects 875.00." in out


@pytest.mark.parametrize(
    ("layout", "outcome", "bet", "winnings"),
    [(f"{MACAU}/1", "2-2-5", "double:2=10.00", 8000), (f"{ZERO}/A", "0", "split:0-1=10.00", 17000)],
)
def test_settle_plays_a_game_that_is_only_a_file(layout: str, outcome: str, bet: str, winnings: int) -> None:
    assert answer("settle", layout, "--outcome", outcome, "--bet", bet)["winnings"] == winnings


def test_explain_is_one_sentence_with_the_clause() -> None:
    for layout, box, outcome, sentence in (
        (
            "rws-sicbo-etg-v2/A",
            "total:8",
            "1-3-4",
            "Total 8 wins on 1-3-4: the total is 8 (4.1.1); "
            "Total Sum Combination (No 8 or 13) Bet pays 8.5 to 1 (4.1.1).",
        ),
        (
            "nz-taisai-division9/1",
            "small",
            "2-2-2",
            "Small loses on 2-2-2: the total is 6 by triple 2; "
            "Small wins when the total is 4, 5, 6, 7, 8, 9 or 10 and not by a triple (4.1(a)).",
        ),
        (f"{ZERO}/A", "red", "0", None),
        (f"{MACAU}/1", "big", "6-6-5", None),
    ):
        code, out, _ = run("explain", layout, box, outcome)
        assert code == 0
        assert out.count("\n") == 1
        assert sentence is None or out == sentence + "\n"
        assert answer("explain", layout, box, outcome)["sentence"] == out.strip()


def test_diff_tells_what_differs_and_what_it_costs() -> None:
    report = answer("diff", "rws-sicbo-etg-v2/B", "rws-sicbo-etg-v2/C")
    changed = {row["box"]: row["edge_change"] for row in report["differences"]}
    assert changed["total:8"] == "7/144"  # from 11/144 to 1/8
    assert "small" not in changed
    assert not report["same"]
    assert answer("diff", "rws-taisai-v5/C", "rws-sicbo-etg-v2/C")["same"]
    offered = {row["box"]: row for row in answer("diff", "rws-taisai-v5/A", f"{MACAU}/1")["differences"]}
    assert offered["odd"]["left"] is None
    assert offered["odd"]["edge_change"] is None
    _, out, _ = run("diff", "rws-taisai-v5/A", f"{MACAU}/1")
    assert "not offered" in out


def test_boxes_of_one_edge_that_win_on_other_outcomes_differ() -> None:
    text = (ROOT / MACAU).read_text().replace("total odd,", "total ?,").replace("total even,", "total odd,")
    turned = read_rulebook(text.replace("total ?,", "total even,").encode(), "turned.toml").layouts[0]
    found = differences(load_layout(str(ROOT / MACAU)), turned)
    assert {str(row.box): row.edge_change for row in found} == {"odd": Fraction(0), "even": Fraction(0)}


@pytest.mark.parametrize("layout", ["rws-sicbo-etg-v2/B", "mbs-sands-roulette-v2/A", f"{MACAU}/1", f"{ZERO}/A"])
def test_felt_draws_every_box_once(layout: str, tmp_path: Path) -> None:
    boxes = {box["box"] for box in answer("odds", layout)["boxes"]}
    code, out, _ = run("felt", layout)
    titles = [title.text for title in ElementTree.fromstring(out).iter("{http://www.w3.org/2000/svg}title")]
    assert code == 0
    assert boxes <= set(titles)
    assert all(titles.count(box) == 1 for box in boxes)
    assert run("felt", layout, "-o", str(tmp_path / "felt.svg"))[0] == 0
    assert (tmp_path / "felt.svg").read_text() == out
    code, _, err = run("felt", layout, "-o", str(tmp_path / "none" / "felt.svg"))
    assert (code, "cannot be written" in err) == (2, True)


def test_check_says_fine_or_lists_every_fault(tmp_path: Path) -> None:
    broken = tmp_path / "broken.toml"
    broken.write_text(
        (ROOT / MACAU).read_text().replace('"24 to 1"', '"24"').replace('id = "macau-sicbo"', 'id = "Macau!"')
    )
    code, out, _ = run("check", MACAU, ZERO)
    assert (code, out.count("fine")) == (0, 2)
    code, out, _ = run("check", MACAU, str(broken), str(tmp_path / "missing.toml"))
    assert code == 1
    assert '"24" is not odds' in out
    assert "id: " in out
    assert "cannot be read: No such file or directory" in out
    renamed = tmp_path / "sicbo.toml"
    renamed.write_text((ROOT / MACAU).read_text())
    code, out, _ = run("check", str(renamed))
    assert (code, 'id: "macau-sicbo" is not the file\'s name; call the file macau-sicbo.toml' in out) == (1, True)
    assert run("odds", f"{renamed}/1")[0] == 2
    code, out, _ = run("check", str(broken), "--json")
    assert code == 1
    assert len(json.loads(out)[0]["faults"]) == 2


def test_trace_covers_every_clause_of_every_book(tmp_path: Path) -> None:
    evidence = tmp_path / "evidence.json"
    shown = {"rulebook": "rws-sicbo-etg-v2", "clause": "3.9", "test": "tests/x.py::test_3_9", "result": "passed"}
    line = shown | {"hash": load_rulebook("rws-sicbo-etg-v2").hash}
    evidence.write_text(json.dumps({"format": 2, "evidence": [line]}))
    report = answer("trace", "--evidence", str(evidence))
    results = {(row["rulebook"], row["clause"]): row["result"] for row in report["clauses"]}
    assert len(results) == 308
    assert results["rws-sicbo-etg-v2", "3.9"] == "passed"
    assert results["nz-taisai-division9", "5.0(a)"] == "prompted"
    assert results["rws-sicbo-etg-v2", "3.9.1"] == "waiting"
    code, out, _ = run("trace", "--evidence", str(evidence), "--book", "rws-sicbo-etg-v2")
    assert code == 0
    assert "x.py::test_3_9" in out
    assert run("trace", "--evidence", str(evidence), "--strict")[0] == 1
    for changed, result in (({"result": "failed"}, "failed"), ({"hash": "another"}, "stale")):
        evidence.write_text(json.dumps({"format": 2, "evidence": [line | changed]}))
        code, out, _ = run("trace", "--evidence", str(evidence), "--json")
        assert (code, json.loads(out)["totals"][result]) == (1, 1)


@pytest.mark.parametrize(
    ("file", "id", "clause", "clauses"), [(MACAU, "macau-sicbo", "2.2", 22), (ZERO, "single-zero-roulette", "2.3", 20)]
)
def test_trace_follows_a_book_that_is_only_a_file(
    file: str, id: str, clause: str, clauses: int, tmp_path: Path
) -> None:
    evidence = tmp_path / "evidence.json"
    line = {"rulebook": id, "clause": clause, "test": "t", "result": "passed", "hash": load_rulebook(ROOT / file).hash}
    evidence.write_text(json.dumps({"format": 2, "evidence": [line]}))
    rows = answer("trace", "--book", file, "--evidence", str(evidence))["clauses"]
    assert len(rows) == clauses
    assert [row["clause"] for row in rows if row["result"] == "passed"] == [clause]


@pytest.mark.parametrize(
    "content",
    ["[" * 100_000, "[]", '{"evidence": [[]]}', '{"evidence": [{"rulebook": []}]}', '{"evidence": 9}', "9" * 9_999],
)
def test_what_is_not_evidence_is_refused_whatever_it_is(content: str, tmp_path: Path) -> None:
    line = {key: ["not a text"] for key in ("rulebook", "clause", "test", "result", "hash")}
    for text in (content, json.dumps({"evidence": [line]})):
        (tmp_path / "evidence.json").write_text(text)
        code, out, err = run("trace", "--evidence", str(tmp_path / "evidence.json"))
        assert (code, out, err.count("\n")) == (2, "", 1)
        assert "is not an evidence file" in err
    code, _, err = run("trace", "--evidence", "/dev/zero")
    assert (code, "not a regular file" in err) == (2, True)


EVENING = """
table T rws-sicbo-etg-v2 A
seat Ann 100.00

Dana calls place your bets
Ann bets 10.00 on small
= Ann 90.00
"""


def test_play_checks_transcripts_and_tells_them(tmp_path: Path) -> None:
    good, bad, odd = tmp_path / "good.round", tmp_path / "bad.round", tmp_path / "odd.round"
    good.write_text(EVENING)
    bad.write_text(EVENING.replace("90.00", "91.00"))
    odd.write_text(EVENING.replace("Dana calls place your bets", "Dana sings"))
    code, out, _ = run("play", str(good), "--show")
    assert code == 0
    assert 'Round 1: "Place Your Bets" (3.2).' in out
    assert "fine. 5 acts, 1 fact." in out
    code, out, _ = run("play", str(good), str(bad), str(odd), str(tmp_path / "missing.round"))
    assert code == 1
    assert "bad.round:7: Ann should be: 91.00; it is: 90.00" in out
    assert 'odd.round:5: cannot read "sings"' in out
    assert "cannot be read: No such file" in out
    code, out, _ = run("play", str(bad), "--json")
    assert (code, json.loads(out)[0]["line"]) == (1, 7)


def test_an_evening_on_disk_is_verified_and_replayed(tmp_path: Path) -> None:
    file, database = tmp_path / "evening.round", str(tmp_path / "floor.db")
    file.write_text(EVENING)
    assert run("play", str(file), "--store", database)[0] == 0
    assert run("play", str(file), "--store", database)[0] == 2  # the table is there
    found = answer("verify", database)
    assert {name: found[name] for name in ("rows", "tables", "tickets", "checkpoints", "lies")} == {
        "rows": 6,
        "tables": 1,
        "tickets": 0,
        "checkpoints": 0,
        "lies": [],
    }
    code, out, _ = run("replay", "T", "--store", database)
    again = tmp_path / "again.round"
    again.write_text(out + "= Ann 90.00\n")
    assert (code, run("play", str(again))[0]) == (0, 0)
    assert "is registered" in run("replay", "T", "--show", "--store", database)[1]
    make_keys(tmp_path)
    store = SqliteStore(tmp_path / "floor.db")
    sign(store, signing_key(tmp_path), 1, tmp_path / "marks")
    store.close()
    held = ["verify", database, "--checkpoints", str(tmp_path / "marks"), "--key", str(tmp_path / "public.key")]
    assert "1 signed checkpoint: all true" in run(*held)[1]
    with contextlib.closing(sqlite3.connect(database)) as db, db:
        db.execute("DELETE FROM transfers WHERE seq = 6")
        db.execute("DELETE FROM journal WHERE seq = 6")
    code, out, _ = run("verify", database)
    assert (code, "T, row 6" in out) == (1, True)
    with contextlib.closing(sqlite3.connect(database)) as db, db:
        db.execute("DELETE FROM replies WHERE seq = 6")
        db.execute("UPDATE streams SET seq = 5, hash = (SELECT hash FROM journal WHERE seq = 5)")
    code, out, _ = run("verify", database)
    assert (code, "rows cut off at the end would not be noticed" in out) == (0, True)  # the chain alone cannot know
    code, out, _ = run(*held)
    assert (code, "T, row 6: cut off: a checkpoint has row 6" in out) == (1, True)
    (tmp_path / "marks").write_text((tmp_path / "marks").read_text().replace('"at": 1', '"at": 2'))
    assert run(*held)[0] == 1  # forged
    missing = ["replay", "X", "--store", database]
    for arguments in (["verify", "none.db"], missing, held[:-2], [*held[:3], "README.md", *held[4:]]):
        code, out, err = run(*arguments)
        assert (code, out, bool(err)) == (2, "", True)


@pytest.fixture
def floor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A floor with a settled round, a corrected one, and tickets."""
    monkeypatch.setitem(WHERE, "folder", tmp_path)
    assert run("init")[0] == 0
    evening = str(ROOT / "tests" / "transcripts" / "money" / "tickets.round")
    assert run("play", evening, "--floor", "floor")[0] == 0
    return tmp_path


def test_a_floor_is_made_once(floor: Path) -> None:
    key = (floor / "floor" / "keys" / "signing.key").read_bytes()
    assert (floor / "floor" / "keys" / "signing.key").stat().st_mode & 0o077 == 0
    code, _, err = run("init")
    assert (code, "has keys already" in err) == (2, True)
    assert (floor / "floor" / "keys" / "signing.key").read_bytes() == key
    assert "1 signed checkpoint: all true" in run("verify")[1]


def test_a_round_is_explained_exported_and_checked_elsewhere(floor: Path) -> None:
    assert "Big wins on 4-5-6" in run("explain", "T1", "1")[1]
    code, out, _ = run("explain", "T1", "1", "--bet", "ben1")
    assert (code, "Bet ben1" in out, "Bet ann1" in out) == (0, True, False)
    assert answer("explain", "T1", "1")["result"] == "the result is 4-5-6"
    code, out, _ = run("export", "T1", "1", "-o", "pack.zip")
    assert (code, "round 1 of T1" in out) == (0, True)
    key = str(floor / "floor" / "keys" / "public.key")
    assert run("verify", "pack.zip", "--floor", "nowhere", "--key", key)[:2] == (
        0,
        "pack.zip: round 1 of T1: all true, and signed.\n",
    )
    assert run("verify", "pack.zip", "--floor", "nowhere")[0] == 2  # without a key nothing is proved
    pack = bytearray((floor / "pack.zip").read_bytes())
    pack[len(pack) // 2] ^= 1
    (floor / "pack.zip").write_bytes(bytes(pack))
    assert run("verify", "pack.zip")[0] in (1, 2)


def test_a_receipt_is_signed_and_checked(floor: Path) -> None:
    assert run("receipt", "T1", "ann1", "-o", "receipt.json")[0] == 0
    code, out, _ = run("verify", "receipt.json")
    assert (code, "bet ann1 of Ann: 40.00 on big, round 1 of T1" in out) == (0, True)
    text = (floor / "receipt.json").read_text()
    (floor / "receipt.json").write_text(text.replace('"stake": 4000', '"stake": 400000'))
    code, out, _ = run("verify", "receipt.json")
    assert (code, "not signed by this key" in out) == (1, True)


def test_rounds_tickets_and_figures_are_listed(floor: Path) -> None:
    assert [line["round"] for line in answer("history", "--seat", "Ann")] == [1]
    assert answer("history", "--void") == []
    assert "corrected" in run("history", "--table", "T1", "--from", "1970-01-01", "--to", "1970-02-01")[1]
    found = answer("tickets")
    assert (found["counts"]["live"], found["liability"]) == (3, 200_00)
    assert all(line["number"].startswith("*") for line in found["tickets"] if line["state"] == "live")
    assert [line["amount"] for line in answer("tickets", "--amount", "80.00")["tickets"]] == [80_00]
    assert "The House owes 200.00" in run("tickets")[1]
    assert answer("shift", "T1")["drop"] == 160_00
    assert answer("shift", "T1", "--to", "1970-01-01")["hold"] is None


def test_rounds_that_stood_still_are_listed_by_person_table_and_device(floor: Path) -> None:
    assert answer("disagreements")["disagreements"] == []
    where = ROOT / "tests" / "transcripts" / "rws-taisai-v5" / "5.5.2-the-supervisor-reports.round"
    (floor / "still.round").write_text(where.read_text().replace("table T1 ", "table T3 "))
    assert run("play", "still.round", "--floor", "floor")[0] == 0
    found = answer("disagreements")
    (one,) = found["disagreements"]
    assert (one["table"], one["person"], one["irregularity"], one["ending"]) == ("T3", "Sam", "not-flat", "void")
    assert one["device"] == {"device": "Dev", "count": 3, "outcome": "1-3-4"}
    assert found["by_device"] == [{"name": "Dev", "disagreements": 1, "voids": 1}]
    assert "not-flat (5.5.2)" in run("disagreements", "--table", "T3")[1]


def test_a_ticket_is_printed(floor: Path) -> None:
    for name, begin in (("t.pdf", b"%PDF"), ("t.png", b"\x89PNG"), ("t.escpos", b"\x1b@")):
        assert run("ticket", "12-3456-7890-1234-5611", "-o", name)[0] == 0
        assert (floor / name).read_bytes().startswith(begin)
    assert run("ticket", "12-3456-7890-1234-5611", "-o", "t.doc")[0] == 2
    assert run("ticket", "12-3456-7890-1234-5612", "-o", "t.pdf")[0] == 2


def test_old_rounds_are_archived_and_stay_in_the_answers(floor: Path) -> None:
    store = SqliteStore(floor / "floor" / "floor.db")
    table = Recorder.recover(store, "test", 10**12, 0, "T1")
    for number in range(1_100):
        table.give(m.SellCredit("Cass", 10**9 + number, m.SeatId("Ann"), Cents(100)))
    store.close()
    code, out, _ = run("archive", "--before", "2026-01-01")
    assert (code, "T1: rows 1 to" in out) == (0, True)
    assert run("archive", "--before", "2026-01-01")[1] == "T1: nothing to move\n"
    part = next((floor / "floor" / "archive").iterdir())
    assert run("verify", str(part))[1].endswith("rows: all true.\n")
    assert run("verify")[1].endswith("all true.\n")
    assert "Big wins on 4-5-6" in run("explain", "T1", "1")[1]
    assert [line["round"] for line in answer("history")] == [1]
    figures = answer("shift", "T1")
    part.rename(floor / "elsewhere.rows.gz")
    assert "they were not checked" in run("verify")[1]
    for arguments in (["shift", "T1"], ["replay", "T1"], ["receipt", "T1", "ann1"], ["explain", "T1", "1"]):
        code, out, err = run(*arguments)
        assert (code, out, "in an archive that is not here" in err) == (2, "", True)
    assert "in an archive that is not here" in run("history")[1]
    (floor / "elsewhere.rows.gz").rename(part)
    assert answer("shift", "T1") == figures


def test_the_floor_decides_otherwise_and_play_says_so(floor: Path) -> None:
    text = (ROOT / "tests" / "transcripts" / "money" / "tickets.round").read_text().replace("table T1 ", "table T2 ")
    (floor / "again.round").write_text(text)
    code, _, err = run("play", "again.round", "--floor", "floor")
    assert (code, "there is a ticket 123456789012345611 already" in err) == (2, True)


def test_damaged_files_get_a_word_and_no_traceback(floor: Path) -> None:
    (floor / "empty.db").write_bytes(b"")
    (floor / "floor" / "keys" / "signing.key").write_text("junk")
    with contextlib.closing(sqlite3.connect(floor / "floor" / "floor.db")) as db, db:
        db.execute("DROP TABLE snapshots")
    for arguments in (["verify", "empty.db"], ["verify"], ["sign"], ["export", "T1", "1"], ["explain", "T1", "9" * 25]):
        code, _, err = run(*arguments)
        assert code in (1, 2), arguments
        assert err.startswith("croupier: ") or code == 1


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        (["odds", "rws-sicbo/A"], 2, "there is no rulebook “rws-sicbo”"),
        (["odds", "rws-sicbo-etg-v2"], 2, "has several layouts; say which: rws-sicbo-etg-v2/A"),
        (["odds", "rws-sicbo-etg-v2/D"], 2, "has no layout “D”; it has A, B, C"),
        (["odds", "missing.toml/A"], 2, "missing.toml: cannot be read"),
        (["odds"], 2, "Missing argument"),
        (["deal"], 2, "No such command"),
        (["explain", "T1", "1"], 2, "there is no database floor/floor.db"),
        (["explain", "rws-sicbo-etg-v2/A", "small"], 2, "is not the number of a round"),
        (["history", "--from", "yesterday", "--store", "README.md"], 2, "“yesterday” is not a moment"),
        (["history", "--store", "README.md"], 2, "README.md cannot be opened as a database"),
        (["tickets", "--state", "lost", "--store", "README.md"], 2, "is not a state of a ticket"),
        (["verify", "--key", "missing"], 2, "missing cannot be read as a public key: No such file or directory"),
        (["verify", "--key", "README.md"], 2, "README.md holds no key in PEM form"),
        (["simulate", "rws-sicbo-etg-v2/A", "--rounds", "9", "--seed", "x"], 2, 'must be a whole number, not "x"'),
        (["verify", "pyproject.toml"], 2, "cannot be opened as a database"),
        (["explain", "rws-sicbo-etg-v2/A", "total:3", "1-1-1"], 2, "total has 4…17, like total:4"),
        (["explain", "rws-sicbo-etg-v2/A", "totl:8", "1-1-1"], 2, "did you mean total:8"),
        (["explain", "rws-sicbo-etg-v2/A", "total:8", "0-1-1"], 2, "write three faces 1 to 6, like 1-3-4"),
        (["settle", "rws-sicbo-etg-v2/A", "--outcome", "1-1-1", "--bet", "small"], 2, "write box=amount"),
        (["settle", "rws-sicbo-etg-v2/A", "--outcome", "1-1-1", "--bet", "small=-3"], 2, "“-3” is not an amount"),
        (
            ["settle", "rws-sicbo-etg-v2/A", "--outcome", "1-1-1", "--bet", "small=1000000000000"],
            2,
            "the largest amount is 999,999,999,999.99",
        ),
        (
            ["settle", "rws-sicbo-etg-v2/A", "--outcome", "1-1-1", "--bet", "total:8=0.01"],
            1,
            "the smallest unit that could is 0.02",
        ),
        (["settle", "rws-sicbo-etg-v2/A", "--outcome", "1-1-1", "--bet", "small=0"], 1, "must be above 0.00"),
        (["trace", "--evidence", "README.md"], 2, "README.md is not an evidence file"),
        (["trace", "--evidence", "missing.json"], 2, "there is no missing.json"),
    ],
)
def test_what_cannot_be_answered_says_why_and_ends_in_its_code(arguments: list[str], code: int, says: str) -> None:
    got, out, err = run(*arguments)
    assert (got, out) == (code, "")
    assert says in " ".join(err.replace("│", " ").split())


def test_all_refused_bets_are_named_not_only_the_first() -> None:
    _, _, err = run(
        "settle", "rws-sicbo-etg-v2/A", "--outcome", "1-1-1", "--bet", "total:8=0.01", "--bet", "smal=1", "--bet", "x"
    )
    assert err.count("Bet refused") == 3


PROBE = """
import sys
sys.argv = ["croupier", *sys.argv[1:]]
from croupier.cli import main
try:
    main()
except SystemExit:
    pass
print("\\n".join(sys.modules), file=sys.stderr)
"""


def imported(*arguments: str) -> set[str]:
    command = [sys.executable, "-c", PROBE, *arguments]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True, timeout=60)
    return {line.partition(".")[0] for line in done.stderr.splitlines()}


def test_nothing_heavy_is_imported_for_help_and_odds() -> None:
    assert not imported("--help") & {"pydantic", "numpy", "tomllib"}
    assert not imported("odds", "rws-sicbo-etg-v2/A") & {"numpy", "asyncio", "sqlite3"}


@pytest.mark.parametrize(
    "command", ["odds mbs-sands-roulette-v2/A", "--help", "rulebooks --json", "felt rws-taisai-v5/A"]
)
def test_a_full_disk_is_one_line_not_a_traceback(command: str) -> None:
    full = f"{sys.executable} -m croupier.cli {command} > /dev/full"
    done = subprocess.run(["bash", "-c", full], cwd=ROOT, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 2
    assert done.stderr == "croupier: the answer cannot be written: No space left on device\n"


def test_a_reader_that_has_seen_enough_is_no_error() -> None:
    command = f"{sys.executable} -m croupier.cli odds mbs-sands-roulette-v2/A | head -n 1"
    done = subprocess.run(["bash", "-c", command], cwd=ROOT, capture_output=True, text=True, timeout=60, check=True)
    assert done.stderr == ""
    assert done.stdout.startswith("box")
