"""Signed checkpoints as one chain: what is taken out, changed, moved or forked is named; old lines are still read."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from croupier.rules.refusal import Refused
from croupier.store.checkpoint import (
    Checkpoint,
    is_signed,
    knowing,
    last_checkpoint,
    make_keys,
    read,
    read_chain,
    sign,
    signing_key,
    trusted,
    trusted_key,
    unsigned_since,
)
from croupier.store.journal import Store
from croupier.store.recorder import Recorder
from croupier.store.sqlite import SqliteStore
from croupier.store.verify import verify
from croupier.transcript.play import play
from tests.support.recorders import BETTING, fill, record

MANY = 12


@pytest.fixture
def signed(tmp_path: Path) -> tuple[SqliteStore, Recorder, Path]:
    """A table of which every row was signed: a chain of a dozen lines in `marks`."""
    make_keys(tmp_path)
    store = SqliteStore(tmp_path / "floor.db")
    recorded = record(store, play(BETTING))
    for at in range(MANY):
        fill(recorded, 50_000 + at)
        sign(store, signing_key(tmp_path), at, tmp_path / "marks")
    return store, recorded, tmp_path


def old_line(store: Store, folder: Path, at: int) -> bytes:
    """A line as the release before wrote it."""
    heads = {name: (place.seq, place.hash.hex()) for name in store.streams() for place in [store.head(name)]}
    text = json.dumps([at, sorted((stream, *head) for stream, head in heads.items())]).encode()
    fields = {"at": at, "heads": heads, "signature": signing_key(folder).sign(text).hex()}
    return json.dumps(fields, sort_keys=True).encode() + b"\n"


def lies(folder: Path, *names: str) -> list[Refused]:
    return read_chain([folder / name for name in names or ("marks",)], folder / "public.key").lies


def test_every_line_has_a_number_and_the_hash_of_the_line_before(signed: tuple[SqliteStore, Recorder, Path]) -> None:
    store, recorded, folder = signed
    marks = trusted(folder / "marks", folder / "public.key")
    assert [mark.number for mark in marks] == list(range(1, MANY + 1))
    assert verify(store, marks).lies == []
    assert sign(store, signing_key(folder), 99, folder / "marks") == marks[-1]  # nothing has come since
    assert unsigned_since(store, marks[-1]) is None
    fill(recorded, 70_000)
    fill(recorded, 70_001)
    assert unsigned_since(store, last_checkpoint(folder / "marks", trusted_key(folder / "public.key"))) == 70_000
    assert unsigned_since(store, None) is not None


@pytest.mark.parametrize("place", range(MANY))
def test_a_line_taken_out_changed_or_moved_is_named(signed: tuple[SqliteStore, Recorder, Path], place: int) -> None:
    _, _, folder = signed
    lines, number = (folder / "marks").read_bytes().splitlines(keepends=True), place + 1
    without = lines[:place] + lines[place + 1 :]
    (folder / "marks").write_bytes(b"".join(without))
    said = read_chain([folder / "marks"], folder / "public.key")
    if number == 1:
        assert [(one.case, one.facts) for one in said.notes] == [("begin-late", {"number": 2})]
    elif number < MANY:
        assert (said.lies[0].case, said.lies[0].facts["missing"]) == ("gap", number)
    for other in range(place):
        moved = [*without[:other], lines[place], *without[other:]]
        (folder / "marks").write_bytes(b"".join(moved))
        first = lies(folder)[0]
        assert (first.case, first.facts["after"]) == ("order", number)
    flipped = bytearray(lines[place])
    for byte in range(0, len(flipped) - 1, 7):
        flipped[byte] ^= 1
        (folder / "marks").write_bytes(b"".join([*lines[:place], bytes(flipped), *lines[place + 1 :]]))
        assert lies(folder)[0].facts["line"] == number, byte
        flipped[byte] ^= 1


def test_two_lines_of_one_number_are_a_fork(signed: tuple[SqliteStore, Recorder, Path]) -> None:
    """A floor that was set back and signed on: each of its files is true in itself, both together are not."""
    store, recorded, folder = signed
    whole = (folder / "marks").read_bytes()
    (folder / "other").write_bytes(b"".join(whole.splitlines(keepends=True)[:6]))
    fill(recorded, 70_000)
    sign(store, signing_key(folder), 99, folder / "other")
    assert lies(folder) == lies(folder, "other") == []
    assert [(one.case, one.facts["number"]) for one in lies(folder, "marks", "other")] == [("fork", 7)]
    # Two parts of one chain are one chain, whatever comes twice.
    (folder / "late").write_bytes(b"".join(whole.splitlines(keepends=True)[4:]))
    (folder / "early").write_bytes(b"".join(whole.splitlines(keepends=True)[:8]))
    assert lies(folder, "late", "early") == []


def test_a_signed_line_in_another_place_of_the_chain_does_not_follow(
    signed: tuple[SqliteStore, Recorder, Path],
) -> None:
    """Whoever has the key and writes one line anew must write all that come after it."""
    store, _, folder = signed
    lines = (folder / "marks").read_bytes().splitlines(keepends=True)
    (folder / "marks").write_bytes(b"".join(lines[:5]))
    sign(store, signing_key(folder), 99, folder / "marks")
    (folder / "marks").write_bytes((folder / "marks").read_bytes() + b"".join(lines[6:]))
    (lie,) = lies(folder)
    assert (lie.case, lie.facts["number"], lie.facts["before"]) == ("not-following", 7, 6)


def test_lines_of_an_older_release_are_read_and_the_chain_begins_after_them(
    signed: tuple[SqliteStore, Recorder, Path],
) -> None:
    store, recorded, folder = signed
    (folder / "marks").write_bytes(old_line(store, folder, 1) + old_line(store, folder, 2))
    fill(recorded, 70_000)
    assert sign(store, signing_key(folder), 99, folder / "marks").number == 1
    fill(recorded, 70_001)
    assert sign(store, signing_key(folder), 100, folder / "marks").number == 2
    marks = trusted(folder / "marks", folder / "public.key")
    assert [mark.number for mark in marks] == [0, 0, 1, 2]
    assert verify(store, marks).lies == []


def test_a_last_line_that_was_torn_or_changed_stops_no_signing(signed: tuple[SqliteStore, Recorder, Path]) -> None:
    store, recorded, folder = signed
    whole = (folder / "marks").read_bytes()
    (folder / "marks").write_bytes(whole[:-20])
    assert sign(store, signing_key(folder), 99, folder / "marks").number == MANY
    assert lies(folder) == []
    fill(recorded, 70_000)
    (folder / "marks").write_bytes(whole[:-20] + b"0" * 19 + b"\n")
    assert sign(store, signing_key(folder), 99, folder / "marks").number == MANY
    assert [lie.facts["line"] for lie in lies(folder)] == [MANY]


def test_the_first_checkpoint_that_knows_a_row_is_found_without_reading_all(
    signed: tuple[SqliteStore, Recorder, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    _, _, folder = signed
    marks = read(folder / "marks")
    for seq in range(marks[-1].heads["T"][0] + 2):
        right = [mark for mark in marks if mark.heads["T"][0] >= seq]
        assert list(knowing(folder / "marks", folder / "public.key", "T", seq)) == right
    assert list(knowing(folder / "marks", folder / "public.key", "T2", 1)) == []
    assert list(knowing(folder / "none", folder / "public.key", "T", 1)) == []
    lines = (folder / "marks").read_bytes().splitlines(keepends=True)
    lines[-1] = lines[-1].replace(b'"at": 11', b'"at": 12')
    (folder / "marks").write_bytes(b"".join(lines))
    with pytest.raises(Refused, match="forged unsigned-checkpoint"):
        list(knowing(folder / "marks", folder / "public.key", "T", marks[-1].heads["T"][0]))


def test_a_number_is_part_of_what_is_signed(signed: tuple[SqliteStore, Recorder, Path]) -> None:
    _, _, folder = signed
    mark = read(folder / "marks")[3]
    key = trusted_key(folder / "public.key")
    assert is_signed(mark, key)
    for forged in (
        mark._replace(number=5),
        mark._replace(before="00" * 32),
        Checkpoint(mark.at, mark.heads, mark.signature),
    ):
        assert not is_signed(forged, key)
