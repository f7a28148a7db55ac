"""The part of ESC/POS, the language of thermal printers, that a ticket needs. A text cannot contain commands."""

from __future__ import annotations

import textwrap
import unicodedata

from croupier.paper.page import plain

COLUMNS = 42
_ESC, _GS = b"\x1b", b"\x1d"
_CP437, _CENTRED, _PARTIAL = b"\x00", b"\x01", b"\x01"
_NORMAL_SIZE, _DOUBLE_SIZE = b"\x00", b"\x11"  # width in the upper half, height in the lower
_MODULE_DOTS = 8
_TYPED = {"‘": "'", "’": "'", "“": '"', "”": '"', "–": "-", "—": "-", "…": "...", "€": "EUR", "©": "(c)", "®": "(R)"}

BEGIN = _ESC + b"@" + _ESC + b"t" + _CP437 + _ESC + b"a" + _CENTRED
END = _ESC + b"d\x04" + _GS + b"V" + _PARTIAL


def text(words: str, columns: int = COLUMNS) -> bytes:
    """Text, wrapped into lines of printable characters."""
    lines = textwrap.wrap(_written(words), columns, break_on_hyphens=False)
    return b"".join(line.encode("cp437") + b"\n" for line in lines)


def bold(words: str) -> bytes:
    """Emphasised text."""
    return _ESC + b"E\x01" + text(words) + _ESC + b"E\x00"


def double(words: str) -> bytes:
    """Text twice as wide and twice as high, so that a line has half the characters."""
    return _GS + b"!" + _DOUBLE_SIZE + text(words, COLUMNS // 2) + _GS + b"!" + _NORMAL_SIZE


def reversed_double(words: str) -> bytes:
    """Large text in white on black."""
    return _GS + b"B\x01" + double(words) + _GS + b"B\x00"


def feed(lines: int) -> bytes:
    """Empty lines."""
    return b"\n" * lines


def qr(data: str) -> bytes:
    """A QR code: model 2, the size of a module, error correction M, then the data stored and printed."""
    store = b"P0" + data.encode("ascii")
    size = b"C" + bytes([_MODULE_DOTS])
    return b"".join(_symbol(order) for order in (b"A2\x00", size, b"E1", store, b"Q0")) + b"\n"


def _symbol(order: bytes) -> bytes:
    order = b"1" + order  # 1 stands for QR codes
    return _GS + b"(k" + len(order).to_bytes(2, "little") + order


def _written(words: str) -> str:
    return "".join(map(_letter, unicodedata.normalize("NFC", plain(words))))


def _letter(letter: str) -> str:
    """A letter, if code page 437 has it; else the nearest one that it has, or a question mark."""
    for form in (letter, _TYPED.get(letter, ""), _bare(letter)):
        if form and _has(form):
            return form
    return "?"


def _bare(letter: str) -> str:
    return "".join(part for part in unicodedata.normalize("NFKD", letter) if not unicodedata.combining(part))


def _has(form: str) -> bool:
    try:
        return bool(form.encode("cp437"))
    except UnicodeEncodeError:
        return False
