"""Rounds for others: found, explained, searched, packed, and checked by a stranger with the public key alone."""

from __future__ import annotations

import contextlib
import fcntl
import json
import random
import re
import warnings
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from croupier.rules.money import Cents
from croupier.rules.refusal import Refused
from croupier.store import recorder as record_module
from croupier.store.checkpoint import make_keys, read, sign, signing_key, trusted, trusted_key
from croupier.store.history import Untrue
from croupier.store.journal import Place, Store, hash_of, linked
from croupier.store.pack import _read_row, _row_line, _zipped, check_pack, make_pack
from croupier.store.receipt import check_receipt, make_receipt, read_receipt
from croupier.store.recorder import Recorder
from croupier.store.rounds import RoundQuery, explain_round, find_round, history, report_of
from croupier.store.sqlite import SqliteStore
from croupier.store.verify import verify
from croupier.table import messages as m
from croupier.table.tickets import ticket_number
from croupier.transcript.play import play, write
from tests.store.test_checkpoint import old_line
from tests.support.recorders import ANN, bet, correct, evenings, long_evening, record, table_of


@pytest.fixture
def floor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Recorder:
    """Thirty rounds, some of them corrected or voided long after, with snapshots in between."""
    monkeypatch.setattr(record_module, "SNAPSHOT_ROWS", 30)
    store = SqliteStore(tmp_path / "floor.db")
    recorded = long_evening(store, 30)
    correct(recorded, 2, "1-1-2", 40_000)
    asked = recorded.give(
        m.VoidRounds("Pat", 41_000, (m.RoundNumber(4), m.RoundNumber(20)), "damaged-dice", "chipped")
    ).entry.events
    if isinstance(asked[0], m.ApprovalRequested):
        recorded.give(m.Approve("Max", 41_000, asked[0].request, asked[0].digest))
    correct(recorded, 2, "1-2-2", 42_000)
    make_keys(tmp_path / "keys")
    sign(store, signing_key(tmp_path / "keys"), 43_000, tmp_path / "marks")
    return recorded


PACKS = Path(__file__).parents[1] / "golden" / "packs"


def pack_of(floor: Recorder, round: int, folder: Path) -> Path:
    target = folder / f"round-{round}.zip"
    make_pack(floor.store, "T", round, read(folder / "marks"), target, signing_key(folder / "keys"))
    return target


def test_a_pack_is_true_on_a_machine_without_a_database(floor: Recorder, tmp_path: Path) -> None:
    for round in (1, 2, 4, 20, 29):
        checked = check_pack(pack_of(floor, round, tmp_path), trusted_key(tmp_path / "keys" / "public.key"))
        assert (checked.table, checked.round, checked.lies, checked.notes) == ("T", round, [], [])


def test_a_pack_holds_the_round_and_its_corrections_in_words(floor: Recorder, tmp_path: Path) -> None:
    with zipfile.ZipFile(pack_of(floor, 2, tmp_path)) as pack:
        bets = pack.read("bets.txt").decode()
        assert "Bet b2: Ann bet 1.00 on Small" in bets
        assert bets.count("The round was settled again") == 2
        assert pack.read("rulebook.toml").decode() == floor.subject.made.rulebook  # type: ignore[union-attr]
        assert pack.read("limits.txt").decode().startswith("unit 1.00\nminimum 1.00\n")
        assert b"%PDF" in pack.read("round.pdf")[:10]
        evening = play(pack.read("transcript.round").decode())
        assert evening.table.past[m.RoundNumber(2)].outcome == "4-5-6"  # as it was played, before it was corrected


def test_a_pack_in_the_words_of_another_version_is_true_and_its_papers_are_written_anew(tmp_path: Path) -> None:
    """Made before sentences were facts, and signed by its floor: who made it is no forger's word."""
    old, key = PACKS / "words-of-before.zip", trusted_key(PACKS / "words-of-before.key")
    checked = check_pack(old, key)
    assert checked.lies == []
    worded = {str(note.facts["file"]) for note in checked.notes}
    assert {"bets.txt"} <= worded <= {"bets.txt", "story.txt", "round.pdf"}
    assert {(note.case, note.facts["maker"]) for note in checked.notes} == {("drawn-by-another", "croupier 0.1.0")}
    assert b"8.5 to 1 (4.1.1). It won 85.00" in checked.papers["bets.txt"]
    with zipfile.ZipFile(old) as pack:
        files = {name: pack.read(name) for name in pack.namelist()}
    for change in (
        {"bets.txt": b"Ann won.\n", "pack.json": re.sub(rb'"signature": ".+"', b'"signature": ""', files["pack.json"])},
        {"money.txt": files["money.txt"].replace(b"85.00", b"95.00")},
        {"pack.json": files["pack.json"].replace(b"croupier 0.1.0", b"croupier 0.1.1")},
    ):
        (tmp_path / "forged.zip").write_bytes(_zipped(files | change))
        assert check_pack(tmp_path / "forged.zip", key).lies, change


def test_every_edit_of_a_pack_is_found(floor: Recorder, tmp_path: Path) -> None:
    source = pack_of(floor, 4, tmp_path)
    with zipfile.ZipFile(source) as pack:
        files = {name: pack.read(name) for name in pack.namelist()}
    key, rng, unseen = trusted_key(tmp_path / "keys" / "public.key"), random.Random("packs"), []
    for number in range(150):
        name = sorted(name for name in files if files[name])[number % (len(files) - 2)]
        place, body = rng.randrange(len(files[name])), bytearray(files[name])
        body[place] ^= 1 << rng.randrange(7)
        target = tmp_path / "edited.zip"
        target.write_bytes(_zipped(files | {name: bytes(body)}))
        try:
            if not check_pack(target, key).lies:
                unseen.append((name, place, bytes(body[place - 20 : place + 20])))
        except Refused:
            pass  # it could not even be read
    assert unseen == []


def test_a_signature_has_one_spelling(floor: Recorder, tmp_path: Path) -> None:
    source, key = pack_of(floor, 4, tmp_path), trusted_key(tmp_path / "keys" / "public.key")
    with zipfile.ZipFile(source) as pack:
        files = {name: pack.read(name) for name in pack.namelist()}
    head = json.loads(files["pack.json"])
    for signature in (head["signature"], head["checkpoint"]["signature"]):
        other = files["pack.json"].replace(signature.encode(), signature.upper().encode())
        assert other != files["pack.json"]
        target = tmp_path / "spelled.zip"
        target.write_bytes(_zipped(files | {"pack.json": other}))
        assert check_pack(target, key).lies


def test_every_byte_of_what_a_pack_says_of_itself_is_signed(floor: Recorder, tmp_path: Path) -> None:
    source, key = pack_of(floor, 4, tmp_path), trusted_key(tmp_path / "keys" / "public.key")
    with zipfile.ZipFile(source) as pack:
        files = {name: pack.read(name) for name in pack.namelist()}
    head = files["pack.json"]
    made_by = head.index(b'"made_by": "croupier ') + len('"made_by": "croupier ')
    end = head.index(b'"', made_by)
    for place in {*range(0, len(head), 7), *range(made_by, end)}:
        other = bytearray(head)
        other[place] ^= 1  # also one version for another
        source.write_bytes(_zipped(files | {"pack.json": bytes(other)}))
        with contextlib.suppress(Refused):
            assert check_pack(source, key).lies, head[place - 20 : place + 20]
    source.write_bytes(_zipped(files | {"pack.json": head[:made_by] + b"9.9" + head[end:]}))
    assert "head-unsigned" in [lie.what.case for lie in check_pack(source, key).lies]


def test_a_pack_of_an_older_release_is_true_and_says_what_nobody_signed(floor: Recorder, tmp_path: Path) -> None:
    (tmp_path / "old").write_bytes(old_line(floor.store, tmp_path / "keys", 43_000))
    source, key = tmp_path / "old.zip", trusted_key(tmp_path / "keys" / "public.key")
    make_pack(floor.store, "T", 4, read(tmp_path / "old"), source)  # without a key, as from a copy of the journal
    checked = check_pack(source, key)
    assert (checked.lies, [note.case for note in checked.notes]) == ([], ["maker-unsigned"])
    with zipfile.ZipFile(source) as pack:
        files = {name: pack.read(name) for name in pack.namelist()}
    files["pack.json"] = files["pack.json"].replace(b'"format": 2', b'"format": 1').replace(b',\n "signature": ""', b"")
    assert list(json.loads(files["pack.json"])["checkpoint"]) == ["at", "heads", "signature"]
    source.write_bytes(_zipped(files))
    checked = check_pack(source, key)
    assert (checked.lies, [note.case for note in checked.notes]) == ([], ["maker-unsigned"])


def extended(name: str, more: bytes) -> Callable[[dict[str, bytes]], None]:
    """Something added to a file of a pack."""
    return lambda files: files.update({name: files[name] + more})


def repeated(name: str, line: int) -> Callable[[dict[str, bytes]], None]:
    """A line of a file written once more at its end."""
    return lambda files: files.update({name: files[name] + files[name].splitlines(True)[line]})


def without_the_last(name: str) -> Callable[[dict[str, bytes]], None]:
    return lambda files: files.update({name: b"".join(files[name].splitlines(True)[:-1])})


def in_head(old: str, new: str) -> Callable[[dict[str, bytes]], None]:
    return lambda files: files.update({"pack.json": files["pack.json"].replace(old.encode(), new.encode(), 1)})


Change = Callable[[dict[str, bytes]], None]
LIES: dict[str, tuple[Change, str]] = {
    "a file gone": (lambda files: files.__delitem__("digests.txt"), "pack no-pack"),
    "a file more": (lambda files: files.update({"more.txt": b"trust me"}), "stray file=more.txt"),
    "a state more": (lambda files: files.update({"state-9.bin": b"more"}), "stray file=state-9.bin"),
    "other bets": (lambda files: files.update({"bets.txt": b"Ann won.\n"}), "other file=bets.txt"),
    "other paper": (lambda files: files.update({"round.pdf": b"%PDF-1.7"}), "other file=round.pdf"),
    "a row gone": (without_the_last("rows.jsonl"), "lacks what=row"),
    "a row twice": (repeated("rows.jsonl", -1), "extra what=row"),
    "a line more": (extended("rows.jsonl", b"\n"), "pack no-pack"),
    "half a row more": (extended("rows.jsonl", b"more"), "name=rows.jsonl"),
    "a digest twice": (repeated("digests.txt", 0), "name=digests.txt"),
    "a digest more": (extended("digests.txt", b"99999 PlaceBet " + b"00" * 32 + b"\n"), "extra what=digest"),
    "other rows": (lambda files: files.update({"others.jsonl": files["rows.jsonl"]}), "extra what=other"),
    "a key more": (in_head('"format": 2,', '"format": 2, "note": "trust me",'), "name=pack.json"),
    "a key in the checkpoint": (in_head('"at": ', '"by": "me", "at": '), "name=pack.json"),
    "white space": (extended("pack.json", b" "), "name=pack.json"),
    "a word by its maker": (in_head('by": "croupier ', 'by": "trust me, croupier '), "other-maker"),
}


def test_lies_in_a_pack_are_named(floor: Recorder, tmp_path: Path) -> None:
    source = pack_of(floor, 4, tmp_path)
    with zipfile.ZipFile(source) as pack:
        whole = {name: pack.read(name) for name in pack.namelist()}
    for name, (change, lie) in LIES.items():
        files = dict(whole)
        change(files)
        assert files != whole, name
        source.write_bytes(_zipped(files))
        try:
            said = " ".join(map(str, check_pack(source, trusted_key(tmp_path / "keys" / "public.key")).lies))
        except Refused as refused:
            said = str(refused)
        assert lie in said, name


def test_rows_that_tell_another_story_do_not_lead_to_the_checkpoint(floor: Recorder, tmp_path: Path) -> None:
    """A forger who hashes everything anew has all but the signature."""
    source = pack_of(floor, 29, tmp_path)
    with zipfile.ZipFile(source) as pack:
        files = {name: pack.read(name) for name in pack.namelist()}
    rows = {row.seq: row for line in files["rows.jsonl"].splitlines() for row in [_read_row(line.decode(), source)]}
    others = {row.seq: row for line in files["others.jsonl"].splitlines() for row in [_read_row(line.decode(), source)]}
    hash = bytes.fromhex(json.loads(files["pack.json"])["before"])
    for seq, row in rows.items():
        rows[seq] = row._replace(epoch=row.epoch + 1)
        rows[seq] = rows[seq]._replace(hash=hash_of(rows[seq], hash))
        hash = rows[seq].hash
    for line in files["digests.txt"].decode().splitlines():
        number, kind, fields = line.split()
        hash = linked(hash, kind, bytes.fromhex(fields))
        if int(number) in others:
            others[int(number)] = others[int(number)]._replace(hash=hash)
    files["rows.jsonl"] = "".join(map(_row_line, rows.values())).encode()
    files["others.jsonl"] = "".join(map(_row_line, others.values())).encode()
    source.write_bytes(_zipped(files))
    lies = check_pack(source, trusted_key(tmp_path / "keys" / "public.key")).lies
    assert [lie.what.case for lie in lies] == ["chain-elsewhere"]


def test_a_byte_beside_the_files_of_a_pack_is_refused(floor: Recorder, tmp_path: Path) -> None:
    source, key = pack_of(floor, 4, tmp_path), trusted_key(tmp_path / "keys" / "public.key")
    body = source.read_bytes()
    with zipfile.ZipFile(source) as pack:
        files = {name: pack.read(name) for name in pack.namelist()}

    def zipped(compression: int = zipfile.ZIP_STORED, comment: bytes = b"", twice: bool = False) -> bytes:
        with zipfile.ZipFile(source, "w", compression) as pack, warnings.catch_warnings():
            warnings.simplefilter("ignore")
            pack.comment = comment
            for name, text in [*files.items(), *([("bets.txt", b"Ann won.")] if twice else [])]:
                pack.writestr(zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0)), text)
        return source.read_bytes()

    others = [b"hello" + body, body + b"hello", zipped(comment=b"hello"), zipped(twice=True)]
    for other in [*others, zipped(zipfile.ZIP_DEFLATED)]:
        source.write_bytes(other)
        with pytest.raises(Refused, match=r"pack (more-than-files|unpackable)"):
            check_pack(source, key)
    source.write_bytes(body)
    assert check_pack(source, key).lies == []


def test_papers_show_no_number_of_a_ticket_and_a_player_gets_his_own(tmp_path: Path) -> None:
    store, number, live = SqliteStore(tmp_path / "floor.db"), ticket_number(47), ticket_number(48)
    recorded = record(store, play("table T rws-sicbo-etg-v2 A\nseat Ann 100.00\nseat Ben 50.00\n"))
    dashed = "-".join(number[start : start + 3] for start in range(0, 18, 3))
    for command in (
        m.CashOut("Ben", 10, m.SeatId("Ben"), Cents(20_00), number, 10**9),
        m.CashOut("Ben", 10, m.SeatId("Ben"), Cents(5_00), live, 10**9),
        m.RedeemTicket("Ann", 11, ANN, dashed, Cents(0), 0, "live"),
        m.OpenBetting("Dana", 12),
        bet("a1", 13),
        m.PlaceBet("Ben", 13, m.BetId("b1"), m.RoundNumber(1), m.SeatId("Ben"), "big", Cents(10_00)),
        m.CallNoMoreBets("Dana", 14),
        m.StartMotion("Dana", 14),
        m.EndMotion("Dana", 14, 3),
        *(m.PressKey("Dana", 14, face) for face in "112"),
        m.PressEntry("Dana", 14),
        m.ConfirmResult("Dana", 14),
    ):
        assert recorded.give(command).entry.refused is None, command
    make_keys(tmp_path / "keys")
    sign(store, signing_key(tmp_path / "keys"), 43_000, tmp_path / "marks")
    source = pack_of(recorded, 1, tmp_path)
    assert check_pack(source, trusted_key(tmp_path / "keys" / "public.key")).lies == []
    with zipfile.ZipFile(source) as pack:
        for name in pack.namelist():
            shown = [one for one in (number, live, dashed) if one in pack.read(name).decode(errors="replace")]
            assert bool(shown) == (name == "rows.jsonl"), (name, shown)
        assert live[-4:] in pack.read("money.txt").decode()
        again = play(pack.read("transcript.round").decode())  # with other numbers it is the same evening
        assert again.table.seats == table_of(recorded).seats
    own = report_of(find_round(store, "T", 1), (), "Ann")
    assert [line.bet for line in own.bets] == ["a1"]
    assert "Ben" not in repr(own)
    with pytest.raises(Refused, match=r"seat no-bet .*seat=Cy round=1"):
        report_of(find_round(store, "T", 1), (), "Cy")
    store.close()


def test_a_pack_of_another_floor_is_not_signed_by_this_key(floor: Recorder, tmp_path: Path) -> None:
    make_keys(tmp_path / "others")
    checked = check_pack(pack_of(floor, 4, tmp_path), trusted_key(tmp_path / "others" / "public.key"))
    assert [lie.what.case for lie in checked.lies] == ["checkpoint-unsigned", "head-unsigned"]


def test_what_cannot_be_packed_is_told(floor: Recorder, tmp_path: Path) -> None:
    for round, case in ((31, "not-over"), (0, "none-so"), (99, "not-over")):
        with pytest.raises(Refused, match=f"round {case} .*round={round}"):
            pack_of(floor, round, tmp_path)
    correct(floor, 30, "4-5-6", 44_000)
    with pytest.raises(Refused, match="checkpoint none-since"):
        pack_of(floor, 30, tmp_path)
    (tmp_path / "junk.zip").write_bytes(b"junk")
    with pytest.raises(Refused, match="pack unpackable"):
        check_pack(tmp_path / "junk.zip", trusted_key(tmp_path / "keys" / "public.key"))


@pytest.mark.parametrize("file", evenings(), ids=lambda file: f"{file.parent.name}/{file.stem}")
def test_every_round_of_an_evening_is_found_told_and_written(file: Path, store: Store, tmp_path: Path) -> None:
    evening = play(file.read_text())
    record(store, evening)
    name = evening.table.setup.table
    for number, past in evening.table.past.items():
        found = find_round(store, name, number)
        assert found.past == past
        told = explain_round(found)
        assert len([line for line in told if line.says.id == "round-bet"]) == len(past.round.bets)
        text = write(found.evening)
        if not text.startswith("#"):
            again = play(text)
            assert number in again.table.past, text
            assert [turn.events for turn in again.turns[-len(found.evening.turns) :]] == [
                turn.events for turn in found.evening.turns
            ]
    assert [line.round for line in history(store, [name], RoundQuery())] == list(evening.table.past)


def test_rounds_are_searched(floor: Recorder) -> None:
    def rounds(**wanted: object) -> list[int]:
        return [line.round for line in history(floor.store, ["T"], RoundQuery(**wanted))]  # type: ignore[arg-type]

    assert rounds() == list(range(1, 31))
    assert rounds(outcome="1-2-2") == [2]
    assert rounds(void=True) == [4, 20]
    assert rounds(corrected=True) == [2, 4, 20]
    assert rounds(bet="b7") == [7]
    assert rounds(seat="Ann", begin=5_000, end=7_000) == [5, 6]
    assert rounds(seat="Ben") == []
    line = next(iter(history(floor.store, ["T"], RoundQuery(bet="b2"))))
    assert (line.staked, line.paid) == (100, 200)


def test_a_receipt_is_checked_with_the_public_key_alone(floor: Recorder, tmp_path: Path) -> None:
    file, key = tmp_path / "receipt.json", trusted_key(tmp_path / "keys" / "public.key")
    file.write_text(make_receipt(floor.store, "T", "b7", signing_key(tmp_path / "keys")))
    receipt = read_receipt(file)
    assert (receipt["seat"], receipt["box"], receipt["stake"], receipt["round"]) == ("Ann", "small", 100, 7)
    assert check_receipt(receipt, key)
    for name in receipt:
        changed = receipt | {name: receipt[name] + 1 if isinstance(receipt[name], int) else f"{receipt[name]}0"}
        assert not check_receipt(changed, key), name
    with pytest.raises(Refused, match=r"bet unregistered .*bet=b99"):
        make_receipt(floor.store, "T", "b99", signing_key(tmp_path / "keys"))
    whole = file.read_text()
    for other in (
        f"{whole} ",
        whole.replace("{", '{"stake": 1,'),
        whole.replace(": 100,", ": 1e2,"),
        whole.replace("\n", ""),
    ):
        file.write_text(other)
        with pytest.raises(Refused, match=r"receipt (fields|spelled-otherwise)"):
            read_receipt(file)
    file.write_text(json.dumps({"table": "T"}))
    with pytest.raises(Refused, match="receipt fields"):
        read_receipt(file)
    assert table_of(floor).seats[ANN].credit > 0


# ---- checkpoints


def test_of_two_histories_that_were_signed_one_is_a_lie(floor: Recorder, tmp_path: Path) -> None:
    """A floor that was set back, played otherwise and signed again: whoever kept both checkpoints sees it."""
    key, head = signing_key(tmp_path / "keys"), floor.place

    class Other:
        def streams(self) -> list[str]:
            return ["T"]

        def head(self, stream: str) -> Place:
            return Place(head.seq, bytes(32))

    sign(Other(), key, 1, tmp_path / "other")  # type: ignore[arg-type]
    own, other = read(tmp_path / "marks"), read(tmp_path / "other")
    for marks in ([*own, *other], [*other, *own]):
        assert [lie.seq for lie in verify(floor.store, marks).lies] == [head.seq]
    assert verify(floor.store, own).lies == []
    with pytest.raises(Untrue, match="row checkpoint-other"):
        make_pack(floor.store, "T", 29, other, tmp_path / "never.zip")
    assert not (tmp_path / "never.zip").exists()


def test_who_signs_is_alone_from_looking_to_writing(floor: Recorder, tmp_path: Path) -> None:
    """A floor in play and `croupier sign` beside it: neither takes the other's line for torn, or signs behind it."""
    file, locked = tmp_path / "shared", []

    class Watched:
        def streams(self) -> list[str]:
            with file.open("rb") as other, pytest.raises(BlockingIOError):
                fcntl.flock(other, fcntl.LOCK_EX | fcntl.LOCK_NB)
            locked.append(file.stat().st_size)
            return ["T"]

        def head(self, stream: str) -> Place:
            return floor.store.head(stream)._replace(seq=at)

    for at in (1, 2):
        sign(Watched(), signing_key(tmp_path / "keys"), at, file)  # type: ignore[arg-type]
    assert [mark.at for mark in trusted(file, tmp_path / "keys" / "public.key")] == [1, 2]
    assert locked == [0, file.stat().st_size // 2]


@pytest.mark.parametrize("torn", [1, 5_000])
def test_a_line_that_was_torn_is_dropped_before_the_next(floor: Recorder, tmp_path: Path, torn: int) -> None:
    file, key = tmp_path / "marks", signing_key(tmp_path / "keys")
    before = file.read_bytes()
    floor.give(m.FillBank("Cass", 43_500, Cents(500)))
    for whole in (before, b""):
        file.write_bytes(whole + b"x" * torn)
        sign(floor.store, key, 44_000, file)
        assert [mark.at for mark in trusted(file, tmp_path / "keys" / "public.key")] == [43_000] * bool(whole) + [
            44_000
        ]
