"""Where rulebooks are found: the approved ones that come with Croupier, and files by their path."""

from __future__ import annotations

from difflib import get_close_matches
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from stat import S_ISREG

from croupier.rules.bad_input import Fault, cause
from croupier.rules.paytable import Layout
from croupier.rules.reader import RulebookFaults, read_rulebook
from croupier.rules.refusal import Refused
from croupier.rules.rulebook import Rulebook


def rulebook_ids() -> tuple[str, ...]:
    """The ids of the approved rulebooks that come with Croupier.

    >>> "rws-sicbo-etg-v2" in rulebook_ids()
    True
    """
    names = (entry.name for entry in files("croupier").joinpath("rulebooks").iterdir())
    return tuple(sorted(name.removesuffix(".toml") for name in names if name.endswith(".toml")))


def load_rulebook(source: str | Path) -> Rulebook:
    """Load a rulebook by its id, or a file by its path (anything that ends in .toml).

    >>> load_rulebook("mbs-sands-roulette-v2")
    <Rulebook mbs-sands-roulette-v2: Sands Roulette, 1 layouts, 64 clauses>
    """
    if str(source).endswith(".toml"):
        return read_file(Path(source))
    if str(source) not in rulebook_ids():
        if near := get_close_matches(str(source), rulebook_ids(), n=1):
            raise Refused("rulebook", "near", book=str(source), near=tuple(near))
        raise Refused("rulebook", "unknown", book=str(source), known=rulebook_ids())
    return _packaged(str(source))


def rulebook_text(source: str | Path) -> str:
    """The whole text of a rulebook, which a journal keeps with the rounds played under it."""
    if str(source).endswith(".toml"):
        return read_bytes(Path(source)).decode()
    load_rulebook(source)
    return files("croupier").joinpath("rulebooks", f"{source}.toml").read_text()


def load_layout(source: str) -> Layout:
    """Load a layout named `rulebook/layout` or `path/to/file.toml/layout`; the only layout of a book needs no name."""
    book, slash, layout = source.rpartition("/")
    if source.endswith(".toml") or not slash:
        rulebook = load_rulebook(source)
        if len(rulebook.layouts) == 1:
            return rulebook.layouts[0]
        raise Refused("layout", "which", book=source, known=tuple(layout.id for layout in rulebook.layouts))
    return load_rulebook(book).layout(layout)


def read_file(path: Path) -> Rulebook:
    """Read a rulebook file. Its name is the book's id; a dot and more may follow, where two versions stand together."""
    return read_rulebook(read_bytes(path), str(path), path.stem.partition(".")[0])


@lru_cache(maxsize=64)
def book_of(text: str) -> Rulebook:
    """The rulebook of a whole text, as a journal keeps it."""
    return read_rulebook(text.encode(), "rulebook.toml")


@lru_cache
def _packaged(id: str) -> Rulebook:
    return read_rulebook(files("croupier").joinpath("rulebooks", f"{id}.toml").read_bytes(), f"{id}.toml", id)


def read_bytes(path: Path, most: int = 1 << 20) -> bytes:
    """The bytes of a file. A file that cannot be read or has no end is a fault."""
    try:
        if not S_ISREG(path.stat().st_mode):
            raise RulebookFaults(str(path), [Fault("", "cannot be read: it is not a regular file")])
        with path.open("rb") as file:
            content = file.read(most + 1)
    except (OSError, ValueError) as error:
        raise RulebookFaults(str(path), [Fault("", f"cannot be read: {cause(error)}")]) from None
    if len(content) > most:
        raise RulebookFaults(str(path), [Fault("", f"is larger than {most:,} bytes")])
    return content
