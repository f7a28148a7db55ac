"""The files that commands write."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from croupier.cli.shared import fail

if TYPE_CHECKING:
    from croupier.paper.document import Document


def write_file(output: Path, content: bytes) -> None:
    """Write a file, or end with the reason why it cannot be written."""
    try:
        output.write_bytes(content)
    except OSError as error:
        fail([f"{output} cannot be written: {error.strerror}"], 2)


def check_document(output: Path, *, pictures: bool = False) -> None:
    """Refuse a file into which `write_document` could not write, before a long run begins."""
    from croupier.extras import need
    from croupier.rules.refusal import Refused

    kind = output.suffix.lower()
    if kind not in (".html", ".pdf"):
        raise Refused("output", "neither", file=str(output))
    if pictures or kind == ".pdf":
        need("reports")
    if not output.absolute().parent.is_dir():
        fail([f"{output} cannot be written: there is no folder {output.parent}"], 2)


def write_document(output: Path, document: Document) -> None:
    """Write a report as the kind of file that its name ends with: a page (.html) or a paper (.pdf)."""
    from croupier.paper.document import as_html, as_pdf

    write_file(output, as_pdf(document) if output.suffix.lower() == ".pdf" else as_html(document).encode())
