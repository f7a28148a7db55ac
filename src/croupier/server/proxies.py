"""Proxies in front of the doors: what they say of where somebody comes from is believed, what others say is not."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

HEADERS = ("x-forwarded-for", "forwarded")
"""Of which a proxy writes one; the other may still be what a stranger wrote."""
_FOR = re.compile(r"(?:^|;)\s*for\s*=\s*(\"[^\"]*\"|[^;]*)", re.IGNORECASE)


class Proxies:
    """The addresses of our own proxies, and the header in which they write."""

    def __init__(self, trusted: Sequence[str] = (), header: str = HEADERS[0]) -> None:
        self._networks = tuple(ipaddress.ip_network(one) for one in trusted)
        self._header = header.encode()
        self.trusts = lru_cache(maxsize=4_096)(self._trusts)

    def _trusts(self, host: str) -> bool:
        """Is this the address of a proxy of ours?"""
        address = _address(host)
        return address is not None and any(address in network for network in self._networks)

    def client(self, peer: str, headers: Iterable[tuple[bytes, bytes]]) -> str:
        """From where somebody comes: the last address that a proxy of ours has written and that is none of ours.

        Everything before it was written by somebody else, and may be anything.
        """
        if not self._networks or not self.trusts(peer):
            return peer
        said = b",".join(value for name, value in headers if name.lower() == self._header).decode("latin-1")
        nearest = peer
        for hop in reversed(said.split(",")):
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


def _address(said: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    """An address, perhaps with a port: 192.0.2.1, 192.0.2.1:80, 2001:db8::1, [2001:db8::1]:80."""
    said = said.strip()
    if said.startswith("["):
        said = said[1:].partition("]")[0]
    elif said.count(":") == 1:
        said = said.partition(":")[0]
    try:
        address = ipaddress.ip_address(said)
    except ValueError:
        return None
    mapped = getattr(address, "ipv4_mapped", None)
    return mapped or address
