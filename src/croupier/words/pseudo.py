"""A language made by the program: it shows which words of a page are not in the catalogue, and which have no room."""

from __future__ import annotations

_STRANGE = str.maketrans("aeiounycAEIOUNYC", "áëïôüñýçÁËÏÔÜÑÝÇ")


def lengthened(text: str) -> str:
    """A piece of a sentence with strange letters and 40% more of them. Spaces at its ends stay where they are.

    >>> lengthened("No more bets")
    'Ñô môrë bëts~~~~~'
    """
    core = text.strip()
    if not any(letter.isalpha() for letter in core):
        return text
    return text.replace(core, core.translate(_STRANGE) + "~" * -(-len(core) * 2 // 5), 1)
