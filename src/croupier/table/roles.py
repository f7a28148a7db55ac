"""The roles of people: all of them, their ranks, and which belong to tables, the cage and the office."""

from __future__ import annotations

from typing import Literal, get_args

from croupier.rules import schema

Role = Literal[schema.Role, "device", "cashier", "auditor"]
"""The role of a person or a device at a table. Books name the first four."""
OfficeRole = Literal["administrator", schema.Role, "cashier", "auditor"]
"""The role of an account on the floor. A device has no account, because it does not sign in."""

SUPERVISION: tuple[Role, ...] = ("pit-supervisor", "pit-manager", "shift-manager")
"""From the lowest rank to the highest."""
DEALING: tuple[Role, ...] = ("dealer", *SUPERVISION)
"""The roles of people who deal or supervise at a table, from the lowest rank to the highest."""
AT_THE_CAGE: tuple[Role, ...] = ("cashier", *SUPERVISION)
"""From the lowest rank to the highest."""
OFFICE_ROLES: tuple[OfficeRole, ...] = get_args(OfficeRole)
ADMINISTRATOR: OfficeRole = "administrator"


def rank(role: Role) -> int:
    """The rank of a role. Nobody gives or takes a role above their own."""
    return DEALING.index(role) if role in SUPERVISION else 0
