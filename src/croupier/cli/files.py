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


def write_document(output: Path, document: Document) -> None:
    """Write a report as the kind of file that its name ends with: a page or a paper."""
    from croupier.paper.document import as_html, as_pdf
    from croupier.rules.refusal import Refused

    match output.suffix.lower():
        case ".html":
            write_file(output, as_html(document).encode())
        case ".pdf":
            write_file(output, as_pdf(document))
        case _:
            raise Refused("output", "neither", file=str(output))
