"""A report: facts, tables and pictures in one order. A terminal, a page and a paper show the same document.

Modules that draw and typeset are imported where they are used, so that a command which prints a table stays fast.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cache, partial
from typing import NamedTuple, assert_never


class Facts(NamedTuple):
    """Names and values. Those in `exact` are read letter by letter: hashes, seeds, ids."""

    pairs: tuple[tuple[str, str], ...]
    exact: frozenset[str] = frozenset()


class Rows(NamedTuple):
    """A table. Columns named in `right` are numbers; those in `wide` are sentences."""

    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    right: frozenset[str] = frozenset()
    wide: frozenset[str] = frozenset()


class Figure(NamedTuple):
    """A picture as SVG whose letters are outlines, so that it looks the same everywhere. A terminal leaves it out."""

    draw: Callable[[], str]
    caption: str


def figure(caption: str, plot: Callable[..., str], *facts: object) -> Figure:
    """A picture that is drawn when a page or a paper first needs it, and once."""
    return Figure(cache(partial(plot, *facts)), caption)


class Words(NamedTuple):
    text: str
    quiet: bool = False


class Signatures(NamedTuple):
    """Lines on which people sign."""

    names: tuple[str, ...]


Part = Facts | Rows | Figure | Words | Signatures


class Section(NamedTuple):
    title: str
    parts: tuple[Part, ...]


class Document(NamedTuple):
    """`verdict` is the result in one sentence, for a reader in a hurry."""

    title: str
    subtitle: str
    opening: tuple[Part, ...]
    sections: tuple[Section, ...]
    verdict: str = ""


# ---- a terminal


def as_text(document: Document) -> str:
    """The document in plain lines, without pictures and lines for signatures."""
    lines = [document.title, *filter(None, [document.subtitle]), "", *_lines_of(document.opening)]
    for section in document.sections:
        body = list(_lines_of(section.parts))
        lines += [section.title, "", *body] if body else []
    return "\n".join([*lines, document.verdict]).rstrip("\n")


def _lines_of(parts: Iterable[Part]) -> Iterator[str]:
    for part in parts:
        if lines := list(_text_of(part)):
            yield from (*lines, "")


def _text_of(part: Part) -> Iterator[str]:
    match part:
        case Facts(pairs):
            width = max(len(name) for name, _ in pairs)
            yield from (f"{name:{width}}  {value}" for name, value in pairs)
        case Rows():
            yield from table_lines(part)
        case Words(text):
            yield text
        case Figure() | Signatures():
            return
        case _:
            assert_never(part)


def table_lines(given: Rows) -> Iterator[str]:
    """A table in aligned columns: the same on a screen, in a file and in a document."""
    widths = [max(map(len, column)) for column in zip(given.heads, *given.rows, strict=True)]
    aligned = [">" if head in given.right else "<" for head in given.heads]
    for row in (given.heads, ["-" * width for width in widths], *given.rows):
        cells = (f"{cell:{side}{width}}" for cell, side, width in zip(row, aligned, widths, strict=True))
        yield "  ".join(cells).rstrip()


# ---- a page

_STYLE = """
:root { --ink: #14181a; --green: #0d5c3f; --grey: #5b6164; --line: #d9dcdb; }
* { box-sizing: border-box; }
body { font: 15px/1.5 Georgia, "Libertinus Serif", serif; color: var(--ink); background: #fff; margin: 0 auto;
  max-width: 70rem; padding: 2.2rem 1.5rem 4rem; }
h1 { font-size: 1.9rem; color: var(--green); margin: 0; line-height: 1.2; }
h2 { font-size: 1.2rem; color: var(--green); margin: 2.2rem 0 .6rem; border-bottom: 1px solid var(--line); }
p.under { color: var(--grey); font-size: 1.05rem; margin: .2rem 0 1.2rem; }
p.verdict { border-left: 4px solid var(--green); background: #f1f5f3; padding: .6rem 1rem; margin: 1rem 0; }
p { max-width: 52rem; } p.note { color: var(--grey); font-size: .9rem; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: .86rem; margin: .4rem 0; }
th, td { padding: .22rem .7rem .22rem .35rem; text-align: left; vertical-align: top; white-space: nowrap; }
td.wide { white-space: normal; min-width: 14rem; }
thead th { border-bottom: 1.5px solid var(--ink); vertical-align: bottom; }
tbody tr:nth-child(even) { background: #f5f7f6; }
td.number, th.number { text-align: right; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .15rem 1.4rem; margin: .6rem 0; }
dt { color: var(--grey); } dd { margin: 0; overflow-wrap: anywhere; }
code { font: .85em "DejaVu Sans Mono", monospace; }
figure { margin: .8rem 0; } figure svg { width: 100%; height: auto; max-width: 54rem; display: block; }
figcaption { color: var(--grey); font-size: .9rem; }
.signatures { display: flex; gap: 2.5rem; margin-top: 3.2rem; flex-wrap: wrap; }
.signatures span { flex: 1; min-width: 12rem; border-top: 1px solid var(--ink); padding-top: .2rem; color: var(--grey);
  font-size: .9rem; }
@media (max-width: 40rem) { dl { grid-template-columns: 1fr; gap: 0; } dd { margin-bottom: .5rem; } }
@media print { body { max-width: none; padding: 0; } h2 { break-after: avoid; } figure, tr { break-inside: avoid; } }
"""


def as_html(document: Document) -> str:
    """The document as one HTML page that needs no other file."""
    from html import escape

    under = f'<p class="under">{escape(document.subtitle)}</p>' if document.subtitle else ""
    verdict = f'<p class="verdict">{escape(document.verdict)}</p>' if document.verdict else ""
    body = [f"<h1>{escape(document.title)}</h1>{under}{verdict}", *map(_part, document.opening)]
    for section in document.sections:
        body += [f"<h2>{escape(section.title)}</h2>", *map(_part, section.parts)]
    return (
        "<!doctype html>\n"
        '<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">'
        f"<title>{escape(document.title)}</title><style>{_STYLE}</style></head><body>\n<main>\n"
        + "\n".join(body)
        + "\n</main>\n</body></html>\n"
    )


def _part(part: Part) -> str:
    from html import escape

    match part:
        case Facts(pairs, exact):
            listed = (
                f"<dt>{escape(name)}</dt><dd>{f'<code>{escape(value)}</code>' if name in exact else escape(value)}</dd>"
                for name, value in pairs
            )
            return f"<dl>{''.join(listed)}</dl>"
        case Rows():
            return _table(part)
        case Figure(draw, caption):
            label = draw().replace("<svg ", f'<svg role="img" aria-label="{escape(caption)}" ', 1)
            return f"<figure>{label}<figcaption>{escape(caption)}</figcaption></figure>"
        case Words(text, quiet):
            return f'<p class="note">{escape(text)}</p>' if quiet else f"<p>{escape(text)}</p>"
        case Signatures(names):
            return f'<div class="signatures">{"".join(f"<span>{escape(name)}</span>" for name in names)}</div>'
        case _:
            assert_never(part)


def _table(given: Rows) -> str:
    marks = [
        ' class="number"' if head in given.right else ' class="wide"' if head in given.wide else ""
        for head in given.heads
    ]
    head = _cells("th", given.heads, marks)
    body = "".join(f"<tr>{_cells('td', row, marks)}</tr>" for row in given.rows)
    return f'<div class="scroll" tabindex="0"><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>'


def _cells(tag: str, cells: Iterable[str], marks: Iterable[str]) -> str:
    from html import escape

    return "".join(f"<{tag}{mark}>{escape(cell)}</{tag}>" for cell, mark in zip(cells, marks, strict=True))


# ---- a paper


def as_pdf(document: Document) -> bytes:
    """The document as a PDF on A4. It has no date: the same facts give the same bytes."""
    from croupier.paper.page import forget, typeset

    paper = typeset("document", facts_of(document), 0, "pdf")
    forget()
    return paper


def facts_of(document: Document) -> dict[str, object]:
    """The document as its template reads it."""
    from croupier.paper.page import plain

    return {
        "title": plain(document.title),
        "subtitle": plain(document.subtitle),
        "verdict": plain(document.verdict),
        "opening": [_fact(part) for part in document.opening],
        "sections": [
            {"title": plain(one.title), "parts": [_fact(part) for part in one.parts]} for one in document.sections
        ],
    }


def _fact(part: Part) -> dict[str, object]:
    from croupier.paper.page import plain

    match part:
        case Facts(pairs, exact):
            return {"kind": "facts", "pairs": [(plain(name), plain(value), name in exact) for name, value in pairs]}
        case Rows(heads, rows, right, wide):
            return {
                "kind": "rows",
                "heads": [plain(head) for head in heads],
                "rows": [[plain(cell) for cell in row] for row in rows],
                "right": [head in right for head in heads],
                "wide": [head in wide for head in heads],
            }
        case Figure(draw, caption):
            return {"kind": "figure", "svg": draw(), "caption": plain(caption)}
        case Words(text, quiet):
            return {"kind": "words", "text": plain(text), "quiet": quiet}
        case Signatures(names):
            return {"kind": "signatures", "names": [plain(name) for name in names]}
        case _:
            assert_never(part)
