"""Which machine should have which streams. All machines compute the same from what they all see."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping


def shares(owners: Mapping[str, str], nodes: Collection[str]) -> dict[str, str]:
    """Who should take what has no owner: one after the other, whoever has the least. All nodes find the same."""
    if not nodes:
        return {}
    count = Counter(owner for owner in owners.values() if owner in nodes)
    found = {}
    for stream in sorted(stream for stream, owner in owners.items() if owner not in nodes):
        found[stream] = min(nodes, key=lambda node: (count[node], node))
        count[found[stream]] += 1
    return found


def surplus(owners: Mapping[str, str], nodes: Collection[str], me: str) -> bool:
    """Should I give one up? If another has two fewer, and none waits for an owner."""
    count = Counter(owners.values())
    return set(owners.values()) <= set(nodes) and count[me] - min(count[node] for node in nodes) >= 2
