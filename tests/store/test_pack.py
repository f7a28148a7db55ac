"""Rounds for others: found, explained, searched, packed, and checked by a stranger with the public key alone."""

from __future__ import annotations

import fcntl
import json
import random
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from croupier.rules.refusal import Refused
from croupier.store import record as record_module
from croupier.store.checkpoint import make_keys, public_key, read, sign, signing_key, trusted
from croupier.store.journal import Place, Store, hash_of
from croupier.store.pack import _read_row, _row_line, check_pack, make_pack
from croupier.store.receipt import check_receipt, make_receipt, read_receipt
from croupier.store.record import Recorder
from croupier.store.rounds import Wanted, explain_round, find_round, history
from croupier.store.sqlite import SqliteStore
from croupier.table import messages as m
from croupier.transcript.play import play, write
from tests.store.test_record import ANN, correct, evenings, long_evening, record, table_of


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


def pack_of(floor: Recorder, round: int, folder: Path) -> Path:
    target = folder / f"round-{round}.zip"
    make_pack(floor.store, "T", round, read(folder / "marks"), target)
    return target


def test_a_pack_is_true_on_a_machine_without_a_database(floor: Recorder, tmp_path: Path) -> None:
    for round in (1, 2, 4, 20, 29):
        checked = check_pack(pack_of(floor, round, tmp_path), public_key(tmp_path / "keys" / "public.key"))
        assert (checked.table, checked.round, checked.lies, checked.notes) == ("T", round, [], [])


def test_a_pack_holds_the_round_and_its_corrections_in_words(floor: Recorder, tmp_path: Path) -> None:
    with zipfile.ZipFile(pack_of(floor, 2, tmp_path)) as pack:
        bets = pack.read("bets.txt").decode()
        assert "Bet b2: Ann bet 1.00 on small" in bets
        assert bets.count("The round was settled again") == 2
        assert pack.read("rulebook.toml").decode() == floor.subject.made.rulebook  # type: ignore[union-attr]
        assert pack.read("limits.txt").decode().startswith("unit 1.00\nminimum 1.00\n")
        assert b"%PDF" in pack.read("round.pdf")[:10]
        evening = play(pack.read("transcript.round").decode())
        assert evening.table.past[m.RoundNumber(2)].outcome == "4-5-6"  # as it was played, before it was corrected


def test_every_edit_of_a_pack_is_found(floor: Recorder, tmp_path: Path) -> None:
    source = pack_of(floor, 4, tmp_path)
    with zipfile.ZipFile(source) as pack:
        files = {name: pack.read(name) for name in pack.namelist()}
    key, rng, unseen = public_key(tmp_path / "keys" / "public.key"), random.Random("packs"), []
    for number in range(150):
        name = sorted(name for name in files if files[name])[number % (len(files) - 2)]
        place, body = rng.randrange(len(files[name])), bytearray(files[name])
        body[place] ^= 1 << rng.randrange(7)
        target = tmp_path / "edited.zip"
        with zipfile.ZipFile(target, "w") as pack:
            for other, text in files.items():
                pack.writestr(other, bytes(body) if other == name else text)
        try:
            if not check_pack(target, key).lies:
                unseen.append((name, place, bytes(body[place - 20 : place + 20])))
        except Refused:
            pass  # it could not even be read
    assert [one for one in unseen if not _is_harmless(*one)] == []


def _is_harmless(name: str, place: int, around: bytes) -> bool:
    """White space between the fields of a JSON file, and who made it, prove nothing."""
    return name == "pack.json" and (b'"made_by"' in around or b"\n" in around)


@pytest.mark.parametrize(
    ("change", "lie"),
    [
        (lambda files: files.pop("digests.txt") and None, "not a dispute pack"),
        (lambda files: files.update({"more.txt": b"trust me"}), "does not belong"),
        (lambda files: files.update({"bets.txt": b"Ann won a million.\n"}), "bets.txt is not what the rows say"),
        (lambda files: files.update({"round.pdf": b"%PDF-1.7 other"}), "round.pdf is not what the rows say"),
        (lambda files: files.update({"rows.jsonl": b"".join(files["rows.jsonl"].splitlines(True)[:-1])}), "missing"),
    ],
)
def test_lies_in_a_pack_are_named(
    floor: Recorder, tmp_path: Path, change: Callable[[dict[str, bytes]], None], lie: str
) -> None:
    source = pack_of(floor, 4, tmp_path)
    with zipfile.ZipFile(source) as pack:
        files = {name: pack.read(name) for name in pack.namelist()}
    change(files)
    with zipfile.ZipFile(source, "w") as pack:
        for name, text in files.items():
            pack.writestr(name, text)
    try:
        said = " ".join(check_pack(source, public_key(tmp_path / "keys" / "public.key")).lies)
    except Refused as refused:
        said = str(refused)
    assert lie in said


def test_rows_that_tell_another_story_do_not_lead_to_the_checkpoint(floor: Recorder, tmp_path: Path) -> None:
    """A forger who hashes his rows anew has everything but the signature."""
    source = pack_of(floor, 29, tmp_path)
    with zipfile.ZipFile(source) as pack:
        files = {name: pack.read(name) for name in pack.namelist()}
    rows = [_read_row(line) for line in files["rows.jsonl"].decode().splitlines()]
    place = Place(rows[0].seq - 1, bytes.fromhex(json.loads(files["pack.json"])["before"]))
    forged = []
    for row in rows:
        forged.append(row._replace(epoch=row.epoch + 1, hash=b""))
        forged[-1] = forged[-1]._replace(hash=hash_of(forged[-1], place.hash))
        place = Place(row.seq, forged[-1].hash)
    files["rows.jsonl"] = "".join(_row_line(row) for row in forged).encode()
    with zipfile.ZipFile(source, "w") as pack:
        for name, text in files.items():
            pack.writestr(name, text)
    lies = check_pack(source, public_key(tmp_path / "keys" / "public.key")).lies
    assert ["does not lead to the row that the checkpoint signed" in lie for lie in lies] == [True]


def test_a_pack_of_another_floor_is_not_signed_by_this_key(floor: Recorder, tmp_path: Path) -> None:
    make_keys(tmp_path / "others")
    checked = check_pack(pack_of(floor, 4, tmp_path), public_key(tmp_path / "others" / "public.key"))
    assert checked.lies == ["the checkpoint is not signed by this key"]


def test_what_cannot_be_packed_is_told(floor: Recorder, tmp_path: Path) -> None:
    for round, said in ((31, "no round 31 that is over"), (0, "no round 0"), (99, "no round 99")):
        with pytest.raises(Refused, match=said):
            pack_of(floor, round, tmp_path)
    correct(floor, 30, "4-5-6", 44_000)
    with pytest.raises(Refused, match="no checkpoint was signed since"):
        pack_of(floor, 30, tmp_path)
    (tmp_path / "junk.zip").write_bytes(b"junk")
    with pytest.raises(Refused, match="cannot be unpacked"):
        check_pack(tmp_path / "junk.zip", public_key(tmp_path / "keys" / "public.key"))


@pytest.mark.parametrize("file", evenings(), ids=lambda file: f"{file.parent.name}/{file.stem}")
def test_every_round_of_an_evening_is_found_told_and_written(file: Path, store: Store, tmp_path: Path) -> None:
    evening = play(file.read_text())
    record(store, evening)
    name = evening.table.setup.table
    for number, past in evening.table.past.items():
        found = find_round(store, name, number)
        assert found.past == past
        told = explain_round(found)
        assert len([line for line in told if line.startswith("Bet ")]) == len(past.round.bets)
        text = write(found.evening)
        if not text.startswith("#"):
            again = play(text)
            assert number in again.table.past, text
            assert [turn.events for turn in again.turns[-len(found.evening.turns) :]] == [
                turn.events for turn in found.evening.turns
            ]
    assert [line.round for line in history(store, [name], Wanted())] == list(evening.table.past)


def test_rounds_are_searched(floor: Recorder) -> None:
    def rounds(**wanted: object) -> list[int]:
        return [line.round for line in history(floor.store, ["T"], Wanted(**wanted))]  # type: ignore[arg-type]

    assert rounds() == list(range(1, 31))
    assert rounds(outcome="1-2-2") == [2]
    assert rounds(void=True) == [4, 20]
    assert rounds(corrected=True) == [2, 4, 20]
    assert rounds(bet="b7") == [7]
    assert rounds(seat="Ann", begin=5_000, end=7_000) == [5, 6]
    assert rounds(seat="Ben") == []
    line = next(iter(history(floor.store, ["T"], Wanted(bet="b2"))))
    assert (line.staked, line.paid) == (100, 200)


def test_a_receipt_is_checked_with_the_public_key_alone(floor: Recorder, tmp_path: Path) -> None:
    file, key = tmp_path / "receipt.json", public_key(tmp_path / "keys" / "public.key")
    file.write_text(make_receipt(floor.store, "T", "b7", signing_key(tmp_path / "keys")))
    receipt = read_receipt(file)
    assert (receipt["seat"], receipt["box"], receipt["stake"], receipt["round"]) == ("Ann", "small", 100, 7)
    assert check_receipt(receipt, key)
    for name in receipt:
        changed = receipt | {name: receipt[name] + 1 if isinstance(receipt[name], int) else f"{receipt[name]}0"}
        assert not check_receipt(changed, key), name
    with pytest.raises(Refused, match="no bet b99"):
        make_receipt(floor.store, "T", "b99", signing_key(tmp_path / "keys"))
    file.write_text(json.dumps({"table": "T"}))
    with pytest.raises(Refused, match="is not a receipt"):
        read_receipt(file)
    assert table_of(floor).seats[ANN].credit > 0


# ---- checkpoints


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
            return floor.store.head(stream)

    for at in (1, 2):
        sign(Watched(), signing_key(tmp_path / "keys"), at, file)  # type: ignore[arg-type]
    assert [mark.at for mark in trusted(file, tmp_path / "keys" / "public.key")] == [1, 2]
    assert locked == [0, file.stat().st_size // 2]


@pytest.mark.parametrize("torn", [1, 5_000])
def test_a_line_that_was_torn_is_dropped_before_the_next(floor: Recorder, tmp_path: Path, torn: int) -> None:
    file, key = tmp_path / "marks", signing_key(tmp_path / "keys")
    before = file.read_bytes()
    for whole in (before, b""):
        file.write_bytes(whole + b"x" * torn)
        sign(floor.store, key, 44_000, file)
        assert [mark.at for mark in trusted(file, tmp_path / "keys" / "public.key")] == [43_000] * bool(whole) + [
            44_000
        ]
