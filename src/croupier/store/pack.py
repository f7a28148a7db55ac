"""A dispute pack: one file with everything about one round, which anyone can check with the public key alone."""

from __future__ import annotations

import json
import re
import tempfile
import zipfile
import zlib
from collections.abc import Iterable, Mapping
from importlib import resources
from io import BytesIO
from itertools import zip_longest
from pathlib import Path
from typing import Literal, NamedTuple

import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from croupier.extras import to_install
from croupier.ledger import Transfer
from croupier.paper.page import can_draw, plain
from croupier.paper.report import Proof, round_pdf
from croupier.rules.bad_input import cause
from croupier.rules.findings import Finding, found
from croupier.rules.money import format_money
from croupier.rules.refusal import Refused
from croupier.store.checkpoint import Checkpoint, is_signed, read_checkpoint, sign_text, text_is_signed
from croupier.store.history import Untrue, from_snapshot, read_kept, recaller, start
from croupier.store.journal import (
    LAST,
    Broken,
    Row,
    Snapshot,
    Store,
    fields_of,
    hash_of,
    linked,
    read_rows,
    row_at,
)
from croupier.store.migrations import CORRECTING_KINDS
from croupier.store.rounds import (
    RoundFound,
    corrects,
    explain_round,
    find_round,
    report_of,
    with_stand_ins,
    without_numbers,
)
from croupier.store.sqlite import SqliteStore
from croupier.store.streams.entry import StateKept
from croupier.store.streams.subjects import first_subject
from croupier.store.verify import Lie, Replay
from croupier.table.messages import RoundNumber
from croupier.table.state import PastRound
from croupier.transcript.phrases import write_limits
from croupier.transcript.play import write
from croupier.transcript.story import maker_name, story_of, text_of

FORMAT = 2
FORMATS = (1, FORMAT)
"""Those that can always be read. A pack of the first format is not signed by its maker."""
_README = resources.files("croupier.store") / "pack_readme.txt"
"""Part of the format: a pack is compared with it, byte by byte."""
_DRAWN = "round.pdf"
_WORDED = (_DRAWN, "story.txt", "bets.txt")
"""Papers with sentences: another version may word them otherwise."""
_MADE_BY = re.compile(r"croupier [0-9A-Za-z.+-]{1,40}")


class RowSpan(NamedTuple):
    """Rows that the pack holds in full, beginning with a state or with the first row."""

    first: int
    last: int


class Checked(NamedTuple):
    """The result of checking a pack."""

    table: str
    round: int
    lies: list[Lie]
    notes: list[Finding]
    """What could not be compared, and why."""
    papers: dict[str, bytes]
    """What people read, written anew from the rows; empty if the rows do not allow it."""


# ---- making


def make_pack(
    store: Store,
    stream: str,
    number: int,
    checkpoints: Iterable[Checkpoint],
    target: Path,
    key: Ed25519PrivateKey | None = None,
) -> None:
    """Everything about a round in one file; one of this floor's checkpoints must cover the round's last row.

    The floor's key signs the head of the pack. A pack made from a copy of the journal, without the key, is not signed.
    """
    found = find_round(store, stream, number)
    spans = _spans(store, stream, found)
    mark = next((mark for mark in checkpoints if mark.heads.get(stream, (0, ""))[0] >= spans[-1].last), None)
    if mark is None:
        raise Refused("checkpoint", "none-since", table=stream, round=number)
    target.write_bytes(_zipped(_contents(store, stream, found, spans, mark, key)))


def _zipped(files: Mapping[str, bytes]) -> bytes:
    """One file of many, with the same bytes on every machine: not compressed, since compression differs by machine."""
    body = BytesIO()
    with zipfile.ZipFile(body, "w", zipfile.ZIP_STORED) as pack:
        for name, text in files.items():
            info = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            info.create_system, info.external_attr = 3, 0o644 << 16
            pack.writestr(info, text)
    return body.getvalue()


def _spans(store: Store, stream: str, found: RoundFound) -> list[RowSpan]:
    """The rows of the round, from the state before it to its end, and those of every correction of it.

    Commands in these rows that correct other rounds can only be replayed with the rows of those rounds: then these are
    added.
    """
    spans: list[RowSpan] = []
    needed, added = {int(found.past.number)}, set[int]()
    while more := needed - added:
        for number in more:
            one = find_round(store, stream, number)
            ends = [(start(store, stream, number).place.seq, one.last)]
            for turn in one.corrections:
                before = store.snapshot(stream, seq=turn.line)
                ends.append((before.seq if before else 1, turn.line))
            spans = _joined([*spans, *(RowSpan(first, last) for first, last in ends)])
        added |= more
        for span in spans:
            needed |= _replay(store, stream, span).needed
    return spans


def _joined(spans: list[RowSpan]) -> list[RowSpan]:
    joined: list[RowSpan] = []
    for span in sorted(spans):
        if joined and span.first <= joined[-1].last + 1:
            joined[-1] = RowSpan(joined[-1].first, max(joined[-1].last, span.last))
        else:
            joined.append(span)
    return joined


def _contents(
    store: Store,
    stream: str,
    about: RoundFound,
    spans: list[RowSpan],
    mark: Checkpoint,
    key: Ed25519PrivateKey | None,
) -> dict[str, bytes]:
    seq, signed = mark.heads[stream]
    before = row_at(store, stream, spans[0].first - 1).hash if spans[0].first > 1 else bytes(32)
    rows: list[Row] = []
    others: list[Row] = []
    digests: dict[int, tuple[str, bytes]] = {}
    states: dict[int, bytes] = {}
    for row in read_rows(store, stream, spans[0].first - 1):
        if row.seq > seq:
            break
        if row.seq == seq and row.hash.hex() != signed:
            raise Untrue(seq, found("row", "checkpoint-other"))
        if _within(row.seq, spans):
            rows.append(row)
        else:
            digests[row.seq] = (row.kind, fields_of(row))
            others += [row] if row.kind in CORRECTING_KINDS else []
        if row.seq in [span.first for span in spans] and row.kind == StateKept.__name__:
            snapshot = store.snapshot(stream, seq=row.seq)
            assert snapshot is not None, row.seq
            states[row.seq] = snapshot.body
    pack = _Pack(stream, about.past.number, spans, rows, digests, others, states, before, mark, maker_name())
    if key is not None:
        pack = pack._replace(signature=sign_text(key, _head(pack)))
    return _machine_files(pack) | _papers(about, mark)


def _head(pack: _Pack, *, signature: bool = False) -> bytes:
    """The head of a pack; its signature covers everything else in it."""
    head = {
        "format": pack.format,
        "made_by": pack.made_by,
        "table": pack.table,
        "round": pack.round,
        "spans": [list(span) for span in pack.spans],
        "before": pack.before.hex(),
        "checkpoint": pack.mark.written(),
    }
    if signature and pack.format > 1:
        head["signature"] = pack.signature
    return json.dumps(head, indent=1).encode() + b"\n"


def _machine_files(pack: _Pack) -> dict[str, bytes]:
    """The files that programs check. Each has one spelling, so that nothing can be added to it unseen."""
    digests = "".join(f"{seq} {kind} {fields.hex()}\n" for seq, (kind, fields) in pack.digests.items())
    return {
        "README.txt": _README.read_bytes(),
        "pack.json": _head(pack, signature=True),
        "rows.jsonl": "".join(map(_row_line, pack.rows)).encode(),
        "digests.txt": digests.encode(),
        "others.jsonl": "".join(map(_row_line, pack.others)).encode(),
        **{f"state-{seq}.bin": body for seq, body in pack.states.items()},
    }


def _papers(found: RoundFound, mark: Checkpoint, *, drawn: bool = True) -> dict[str, bytes]:
    """The files that people read. They follow from the rows, and are compared with them when a pack is checked."""
    table = found.evening.table
    seq, hash = mark.heads[table.setup.table]
    law = found.past.round.rulebook_hash
    proof = (
        Proof("first-row", str(found.first)),
        Proof("last-row", str(found.last)),
        Proof("corrections", ", ".join(str(turn.line) for turn in found.corrections)),
        Proof("checkpoint-row", str(seq)),
        Proof("checkpoint-hash", hash),
        Proof("signature", mark.signature),
    )
    turns = [*found.evening.turns, *found.corrections]
    money = [
        f"{one.source} -> {one.target}  {format_money(one.amount)}  {one.reason} {one.about}".rstrip()
        for turn in turns
        for one in turn.transfers
    ]
    texts = {
        "transcript.round": with_stand_ins(write(found.evening)),
        "story.txt": without_numbers("".join(f"{line}\n" for line in text_of(story_of(found.evening)))),
        "bets.txt": "".join(f"{line}\n" for line in text_of(explain_round(found))),
        "money.txt": without_numbers("".join(f"{line}\n" for line in money)),
        "limits.txt": "".join(f"{line}\n" for line in write_limits(found.past.round.limits)),
        "rulebook.toml": found.subject.book_text(law),
        "rulebook.sha256": f"{law}  rulebook.toml\n",
    }
    papers = {name: text.encode() for name, text in texts.items()}
    return papers | ({_DRAWN: round_pdf(report_of(found, proof))} if drawn else {})


def _row_line(row: Row) -> str:
    fields = [*row[:6], row.body.decode(), [msgspec.structs.astuple(one) for one in row.transfers], row.hash.hex()]
    return json.dumps(fields, ensure_ascii=False, separators=(",", ":")) + "\n"


# ---- checking

_MOST = 2**30
"""Bytes a pack may unpack to."""


class _Pack(NamedTuple):
    """A pack as it was read, before anything in it is believed."""

    table: str
    round: int
    spans: list[RowSpan]
    rows: list[Row]
    digests: dict[int, tuple[str, bytes]]
    """Number → kind and digest of the fields, for every row that is not in full here."""
    others: list[Row]
    """Rows of a kind that may correct rounds, which do not correct this one: in full, so that this can be checked."""
    states: dict[int, bytes]
    before: bytes
    mark: Checkpoint
    made_by: str
    format: int = FORMAT
    signature: str = ""
    """Of the head; empty if the pack was made without the key."""


def _within(seq: int, spans: list[RowSpan]) -> bool:
    return any(span.first <= seq <= span.last for span in spans)


def check_pack(file: Path, key: Ed25519PublicKey) -> Checked:
    """Check a pack on a machine with nothing but the public key."""
    files = _unzipped(file)
    pack = _read(file, files)
    lies = [] if is_signed(pack.mark, key) else [_lie(found("pack", "checkpoint-unsigned"))]
    notes: list[Finding] = []
    vouched = bool(pack.signature) and text_is_signed(key, _head(pack), pack.signature)
    if not pack.signature:
        notes.append(found("pack", "maker-unsigned"))
    elif not vouched:
        lies.append(_lie(found("pack", "head-unsigned")))
    papers: dict[str, bytes] = {}
    with tempfile.TemporaryDirectory() as folder:
        store = SqliteStore(Path(folder) / "pack.db", reserve=0)
        try:
            _follow_chain(pack)
            _adopt(store, pack)
            _check_others(store, pack)
            for span in pack.spans:
                notes += _unjudged(_replay(store, pack.table, span))
            papers = _papers(find_round(store, pack.table, pack.round), pack.mark, drawn=can_draw())
            drawn = dict(papers)
            if _DRAWN not in drawn:  # the others are still compared
                drawn[_DRAWN] = files.get(_DRAWN, b"")
                notes.append(found("pack", "undrawn", file=_DRAWN, extra=to_install("reports")))
            untrue, worded = _compare(pack, files, drawn, vouched=vouched)
            lies += untrue
            notes += worded
        except (Untrue, Broken) as untrue:
            lies.append(Lie("", untrue.seq, untrue.what))
        except Exception as error:  # a forged file can raise any error: then the pack is not true
            lies.append(_lie(found("pack", "untold", error=repr(error))))
        finally:
            store.close()
    return Checked(pack.table, pack.round, lies, notes, papers)


def _lie(what: Finding) -> Lie:
    """A lie about no row."""
    return Lie("", 0, what)


def _unzipped(file: Path) -> dict[str, bytes]:
    """The files of a pack; refused if it has any other byte."""
    try:
        body = file.read_bytes()
        with zipfile.ZipFile(BytesIO(body)) as pack:
            if sum(info.file_size for info in pack.infolist()) > _MOST:
                raise Refused("pack", "too-large", file=str(file), most=_MOST)
            files = {info.filename: pack.read(info) for info in pack.infolist()}
    except (OSError, zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError, ValueError) as error:
        raise Refused("pack", "unpackable", file=str(file), error=cause(error)) from None
    if _zipped(files) != body:
        raise Refused("pack", "more-than-files", file=str(file))
    return files


def _read(file: Path, files: dict[str, bytes]) -> _Pack:
    try:
        head = json.loads(files["pack.json"])
        if head["format"] not in FORMATS:
            unknown = str(head["format"])[:40]
            raise Refused("pack", "other-format", file=str(file), format=unknown, first=FORMATS[0], last=FORMAT)
        if not _MADE_BY.fullmatch(head["made_by"]):
            raise Refused("pack", "other-maker", file=str(file), maker=plain(head["made_by"][:40]))
        spans = [RowSpan(int(first), int(last)) for first, last in head["spans"]]
        if not spans or spans != _joined(spans) or spans[0].first < 1 or any(one.first > one.last for one in spans):
            raise Refused("pack", "spans", file=str(file))
        pack = _Pack(
            str(head["table"]),
            int(head["round"]),
            spans,
            [_read_row(line, file) for line in _lines(files["rows.jsonl"])],
            dict(_read_digest(line) for line in _lines(files["digests.txt"])),
            [_read_row(line, file) for line in _lines(files["others.jsonl"])],
            {span.first: files[f"state-{span.first}.bin"] for span in spans if span.first > 1},
            bytes.fromhex(head["before"]),
            read_checkpoint(json.dumps(head["checkpoint"])),
            str(head["made_by"]),
            int(head["format"]),
            str(head.get("signature", "")),
        )
        for name, text in _machine_files(pack).items():
            if files.get(name) != text:
                raise Refused("pack", "spelled-otherwise", file=str(file), name=name)
    except (KeyError, ValueError, TypeError, AttributeError, RecursionError) as error:
        raise Refused("pack", "no-pack", file=str(file), error=repr(error)) from None
    return pack


def _lines(text: bytes) -> list[str]:
    return text.decode().split("\n")[:-1]


def _read_row(line: str, file: Path) -> Row:
    stream, seq, format, epoch, at, kind, body, transfers, hash = json.loads(line)
    legs = tuple(Transfer(*leg) for leg in transfers)
    numbers = (seq, format, epoch, at, *(leg.amount for leg in legs))
    if not all(type(number) is int and abs(number) < LAST for number in numbers):
        raise Refused("pack", "numbers", file=str(file), row=seq if type(seq) is int else 0)
    return Row(str(stream), seq, format, epoch, at, str(kind), body.encode(), bytes.fromhex(hash), legs)


def _read_digest(line: str) -> tuple[int, tuple[str, bytes]]:
    seq, kind, digest = line.split(" ")
    return int(seq), (kind, bytes.fromhex(digest))


def _follow_chain(pack: _Pack) -> None:
    """Follow the chain over rows and digests, from the first row to the one that the checkpoint signed."""
    last, signed = pack.mark.heads.get(pack.table, (0, ""))
    rows = {row.seq: row for row in pack.rows}
    others = {row.seq: row for row in pack.others}
    if last < pack.spans[-1].last:
        raise Untrue(last + 1, found("row", "after-checkpoint"))
    numbers = range(pack.spans[0].first, last + 1)
    _only("row", [row.seq for row in pack.rows], [seq for seq in numbers if _within(seq, pack.spans)])
    _only("digest", pack.digests, [seq for seq in numbers if not _within(seq, pack.spans)])
    correcting = [seq for seq, (kind, _) in pack.digests.items() if kind in CORRECTING_KINDS]
    _only("other", [row.seq for row in pack.others], correcting)
    hash = pack.before
    for seq in numbers:
        row = rows.get(seq) or others.get(seq)
        if seq in pack.digests:
            kind, fields = pack.digests[seq]
            if row is not None and (row.kind, fields_of(row)) != (kind, fields):
                raise Untrue(seq, found("row", "digest-other", act=kind))
            hash = linked(hash, kind, fields)
        elif row is not None:
            hash = hash_of(row, hash)
        if row is not None and (row.hash != hash or row.stream != pack.table):
            raise Untrue(seq, found("row", "hash"))
    if hash.hex() != signed:
        raise Untrue(last, found("row", "chain-elsewhere"))


def _only(what: Literal["row", "digest", "other"], given: Iterable[int], needed: Iterable[int]) -> None:
    """Untrue, if the numbers given are not those needed, each once and in order."""
    numbers, wanted = list(given), list(needed)
    if missing := set(wanted) - set(numbers):
        raise Untrue(min(missing), found("row", "lacks", what=what))
    if numbers != wanted:
        extra = next((seq for seq, right in zip_longest(numbers, wanted) if seq != right), 0)
        raise Untrue(extra or 0, found("row", "extra", what=what))


def _check_others(store: SqliteStore, pack: _Pack) -> None:
    """Untrue, if one of the other rows corrects this round."""
    subject = start(store, pack.table, pack.round).subject
    for row in pack.others:
        if any(corrects(event, pack.round) for event in subject.read(row).events):
            raise Untrue(row.seq, found("row", "corrects-untold"))


def _adopt(store: SqliteStore, pack: _Pack) -> None:
    states = []
    for span in pack.spans:
        if span.first > 1:
            row = next(row for row in pack.rows if row.seq == span.first)
            states.append(Snapshot(pack.table, span.first, read_kept(row).round, pack.states[span.first]))
    store.adopt(pack.rows, states)


class SpanNeeds(NamedTuple):
    """The old rounds needed to replay the rows of a span, and the rows that cannot be judged by the pack alone."""

    needed: set[int]
    unjudged: list[int]


def _replay(store: Store, stream: str, span: RowSpan) -> SpanNeeds:
    """Decide every command of a span again. Untrue, if a row is not true."""
    needed: set[int] = set()
    recall = recaller(store, stream)

    def asked(number: RoundNumber, row: int) -> PastRound | None:
        needed.add(number)
        return recall(number, row)

    rows = read_rows(store, stream, span.first - 1)
    first = next(rows)
    snapshot = store.snapshot(stream, seq=span.first) if span.first > 1 else None
    subject = from_snapshot(snapshot, first) if snapshot else first_subject(first)
    if subject.name != stream:
        raise Untrue(first.seq, found("row", "of-another-stream", stream=stream, other=subject.name))
    replay = Replay(store, subject, first, asked, rows_only=True)
    for row in rows:
        if row.seq > span.last:
            break
        replay.check(row)
    return SpanNeeds(needed, replay.unjudged)


def _unjudged(span: SpanNeeds) -> list[Finding]:
    return [found("pack", "unjudged", row=seq) for seq in span.unjudged]


def _compare(
    pack: _Pack, files: dict[str, bytes], papers: dict[str, bytes], *, vouched: bool
) -> tuple[list[Lie], list[Finding]]:
    """Lies: papers that differ from the rows, and files that do not belong to a pack. Notes: papers in other words.

    The head names the version that made a pack. If the floor's key has signed it, the sentences of another version are
    no forgery: they are not compared, and the papers can be written anew.
    """
    wrong: list[Finding] = []
    notes: list[Finding] = []
    for name, text in papers.items():
        given = files.get(name)
        if given == text:
            continue
        if given is None:
            wrong.append(found("pack", "missing", file=name))
        elif name in _WORDED and pack.made_by != maker_name():
            by_another = found("pack", "drawn-by-another", file=name, maker=pack.made_by, own=maker_name())
            (notes if vouched else wrong).append(by_another)
        else:
            wrong.append(found("pack", "other", file=name))
    known = {*_machine_files(pack), *papers}
    wrong += [found("pack", "stray", file=name) for name in files if name not in known]
    return [_lie(one) for one in wrong], notes
