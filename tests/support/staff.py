"""The people of a table, and the parts of a floor that can fail."""

from __future__ import annotations

from croupier.table import messages as m
from croupier.table.roles import Role

STAFF: dict[str, tuple[Role, ...]] = {
    "Dana": ("dealer",),
    "Dora": ("dealer",),
    "Sam": ("pit-supervisor",),
    "Sue": ("pit-supervisor",),
    "Pat": ("pit-manager",),
    "Max": ("shift-manager",),
    "Mia": ("shift-manager",),
    "Cass": ("cashier",),
    "Dev": ("device",),
    "Audrey": ("auditor",),
}
PARTS: tuple[m.Part, ...] = ("server", "console", "device")
