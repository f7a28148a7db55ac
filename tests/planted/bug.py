"""A planted bug."""

from typing import NamedTuple


class Bug(NamedTuple):
    """A piece of a file, what stands there instead when the bug is planted, and the test that must then fail."""

    name: str
    file: str
    old: str
    new: str
    test: str
