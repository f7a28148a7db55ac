"""The address of a database, as it may be shown: without the passwords that are in it."""

from __future__ import annotations

import re
from urllib.parse import unquote

SERVERS = ("postgresql://", "postgres://")
HIDDEN = "***"
# A password may hold characters that should have been escaped: it goes from the first colon to the last @.
_OF_THE_USER = re.compile(r"(?<=://)([^:@/?]*):(.*)@", re.DOTALL)
_NAMED = re.compile(r"([?&][^=&]*)=([^&]*)")


def masked(address: str) -> str:
    """The address of a database without its passwords; a file is shown as it is."""
    if not address.startswith(SERVERS):
        return address
    address = _OF_THE_USER.sub(rf"\1:{HIDDEN}@", address)
    return _NAMED.sub(lambda one: f"{one[1]}={HIDDEN if _is_secret(one[1]) else one[2]}", address)


def without_passwords(text: str, address: str) -> str:
    """The text of a library or a server, with the passwords of this address hidden."""
    for secret in _secrets(address):
        for word in {secret, unquote(secret)}:
            text = re.sub(rf"(?<!\w){re.escape(word)}(?!\w)", HIDDEN, text)
    return text


def _secrets(address: str) -> list[str]:
    """The passwords of an address as they are written in it, the longest first."""
    if not address.startswith(SERVERS):
        return []
    found = [one[2] for one in _OF_THE_USER.finditer(address)]
    found += [one[2] for one in _NAMED.finditer(address) if _is_secret(one[1])]
    return sorted(filter(None, found), key=len, reverse=True)


def _is_secret(name: str) -> bool:
    return re.search("pass|secret|token", unquote(name).lower()) is not None
