"""The machines of a floor, and which of them owns which table."""

from __future__ import annotations

from typing import Any

from croupier.cli.floor import premises_of
from croupier.cli.output import CommandReport, Line, in_columns, print_report
from croupier.cli.shared import RUN, AsJson, FloorFolder, StoreAddress, app


@app.command(rich_help_panel=RUN)
def floor(folder: FloorFolder = None, store: StoreAddress = None, as_json: AsJson = False) -> None:
    """Show the machines of a floor, which tables each owns and for how long, and how many rows each is behind."""
    from croupier.floor.cluster import read_status
    from croupier.store.clock import Clock
    from croupier.store.folder import Premises
    from croupier.store.journal import Look, Store

    def look(premises: Premises) -> Look:
        if premises.shared:
            shared = premises.open_shared(5, read_only=True)
            try:
                return shared.look()
            finally:
                shared.close()
        reader: Store = premises.reader()
        try:
            names = reader.streams()
            heads = {name: reader.head(name).seq for name in names}
            return Look(Clock().now(), {name: reader.lease(name) for name in names}, heads, [])
        finally:
            reader.close()

    seen = look(premises_of(folder, store))
    nodes: list[dict[str, Any]] = []
    for node in sorted(seen.nodes):
        status, owned = read_status(node.body), [one for one in seen.leases.values() if one.owner == node.name]
        nodes.append(
            {
                "name": node.name,
                "there": node.until > seen.now,
                "leaving": status.leaving,
                "version": status.version,
                "pages": status.pages,
                "terminals": status.terminals,
                "owns": sum(lease.until > seen.now for lease in owned),
                "lag": status.lag,
            }
        )
    streams: list[dict[str, Any]] = [
        {
            "stream": name,
            "owner": lease.owner if lease.until > seen.now else None,
            "epoch": lease.epoch,
            "left": max(0, lease.until - seen.now),
            "row": seen.heads[name],
        }
        for name, lease in sorted(seen.leases.items())
    ]
    keys = ("version", "pages", "terminals", "owns", "lag")
    machines = [(one["name"], _state(one), *(str(one[key]) for key in keys)) for one in nodes]
    owners = [
        (one["stream"], one["owner"] or "nobody", str(one["epoch"]), f"{one['left'] / 1000:.1f} s", str(one["row"]))
        for one in streams
    ]
    shown: list[Line] = [in_columns(("machine", "", *keys), machines), ""] if machines else []
    shown.append(in_columns(("stream", "owner", "epoch", "lease", "row"), owners))
    print_report(CommandReport({"now": seen.now, "nodes": nodes, "streams": streams}, shown), as_json=as_json)


def _state(node: dict[str, Any]) -> str:
    if not node["there"]:
        return "gone"
    return "leaving" if node["leaving"] else "there"
