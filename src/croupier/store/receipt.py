"""A Player's receipt: a bet as it was registered, signed by the floor, to be checked with the public key alone."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from croupier.rules.bad_input import cause
from croupier.rules.refusal import Refused
from croupier.rules.wrong_values import not_json
from croupier.store.checkpoint import sign_text, text_is_signed
from croupier.store.history import start
from croupier.store.journal import Row, Store, row_after, row_at
from croupier.store.streams.table import TableSubject
from croupier.table import messages as m

_FIELDS = ("table", "round", "bet", "seat", "layout", "box", "stake", "at", "rulebook", "rulebook_hash", "row", "hash")


def make_receipt(store: Store, stream: str, bet: str, key: Ed25519PrivateKey) -> str:
    """The receipt of a bet that was registered, as JSON."""
    subject = start(store, stream).subject
    if isinstance(subject, TableSubject):
        for seq in reversed(store.search(stream, [b'"bet":' + json.dumps(bet, ensure_ascii=False).encode()])):
            row = row_at(store, stream, seq)
            if any(isinstance(event, m.BetPlaced) and event.bet == bet for event in subject.read(row).events):
                return receipt_of(subject, row, key)
    first = row_after(store, stream, 0)
    if first is not None and first.seq > 1:
        raise Refused("bet", "unregistered-here", table=stream, bet=bet, row=first.seq)
    raise Refused("bet", "unregistered", table=stream, bet=bet)


def receipt_of(subject: TableSubject, row: Row, key: Ed25519PrivateKey) -> str:
    """The receipt of the bet that a row registers."""
    placed = next(event for event in subject.read(row).events if isinstance(event, m.BetPlaced))
    book = subject.table.law_of(placed.round).book
    fields = {
        "table": row.stream,
        "round": placed.round,
        "bet": placed.bet,
        "seat": placed.seat,
        "layout": placed.layout,
        "box": placed.box,
        "stake": placed.stake,
        "at": row.at,
        "rulebook": book.id,
        "rulebook_hash": book.hash,
        "row": row.seq,
        "hash": row.hash.hex(),
    }
    return _written({**fields, "signature": sign_text(key, _text(fields))})


def _written(receipt: dict[str, Any]) -> str:
    return json.dumps(receipt, indent=1, ensure_ascii=False) + "\n"


def read_receipt(file: Path) -> dict[str, Any]:
    """The fields of a receipt; refused if the file is none."""
    try:
        text = file.read_bytes()
        found = json.loads(text)
    except OSError as error:
        raise Refused("receipt", "unreadable", file=str(file), error=cause(error)) from None
    except (ValueError, RecursionError):
        raise Refused("receipt", "unreadable", file=str(file), error=not_json(text)) from None
    if not isinstance(found, dict) or list(found) != [*_FIELDS, "signature"]:
        raise Refused("receipt", "fields", file=str(file), fields=(*_FIELDS, "signature"))
    if _written(found).encode(errors="replace") != text:
        raise Refused("receipt", "spelled-otherwise", file=str(file))
    return found


def check_receipt(receipt: dict[str, Any], key: Ed25519PublicKey) -> bool:
    try:
        return text_is_signed(key, _text(receipt), str(receipt["signature"]))
    except UnicodeEncodeError:
        return False


def _text(fields: dict[str, Any]) -> bytes:
    return json.dumps([fields[name] for name in _FIELDS], ensure_ascii=False, separators=(",", ":")).encode()
