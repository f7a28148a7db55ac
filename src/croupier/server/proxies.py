"""Trusted proxies in front of the doors: only they may name the address that a client comes from."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

HEADERS = ("x-forwarded-for", "forwarded")
"""The headers that proxies write. Only the one in the settings is read: a client may have forged the other."""
_FOR = re.compile(r"(?:^|;)\s*for\s*=\s*(\"[^\"]*\"|[^;]*)", re.IGNORECASE)


class Proxies:
    """The addresses of the trusted proxies, and the header that they write."""

    def __init__(self, trusted: Sequence[str] = (), header: str = HEADERS[0]) -> None:
        self._networks = tuple(ipaddress.ip_network(one) for one in trusted)
        self._header = header.encode()
        self.trusts = lru_cache(maxsize=4_096)(self._trusts)

    def _trusts(self, host: str) -> bool:
        """Whether this is the address of a trusted proxy."""
        address = _address(host)
        return address is not None and any(address in network for network in self._networks)

    def client(self, peer: str, headers: Iterable[tuple[bytes, bytes]]) -> str:
        """The address of the client: the last one in the header that is not a trusted proxy itself.

        Other parties wrote everything before it, so it may be forged.
        """
        if not self._networks or not self.trusts(peer):
            return peer
        written = b",".join(value for name, value in headers if name.lower() == self._header).decode("latin-1")
        nearest = peer
        for hop in reversed(written.split(",")):
            address = _address(_named(hop) if self._header == b"forwarded" else hop)
            if address is None:
                return nearest
            nearest = str(address)
            if not self.trusts(nearest):
                return nearest
        return nearest


def _named(hop: str) -> str:
    """The `for` of one hop (RFC 7239)."""
    found = _FOR.search(hop)
    return found[1].strip().strip('"') if found else ""


def _address(text: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    """An address, perhaps with a port: 192.0.2.1, 192.0.2.1:80, 2001:db8::1, [2001:db8::1]:80."""
    text = text.strip()
    if text.startswith("["):
        text = text[1:].partition("]")[0]
    elif text.count(":") == 1:
        text = text.partition(":")[0]
    try:
        address = ipaddress.ip_address(text)
    except ValueError:
        return None
    mapped = getattr(address, "ipv4_mapped", None)
    return mapped or address
