"""Which machine should own which streams. All machines compute the same answer, because they see the same owners."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping


def shares(owners: Mapping[str, str], nodes: Collection[str]) -> dict[str, str]:
    """Which node should take each stream without an owner: one after the other, the node that owns the fewest."""
    if not nodes:
        return {}
    count = Counter(owner for owner in owners.values() if owner in nodes)
    found = {}
    for stream in sorted(stream for stream, owner in owners.items() if owner not in nodes):
        found[stream] = min(nodes, key=lambda node: (count[node], node))
        count[found[stream]] += 1
    return found


def surplus(owners: Mapping[str, str], nodes: Collection[str], me: str) -> bool:
    """True if this node should give up a stream: another node owns two fewer, and every stream has an owner."""
    count = Counter(owners.values())
    return set(owners.values()) <= set(nodes) and count[me] - min(count[node] for node in nodes) >= 2
