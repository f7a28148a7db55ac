"""Who people are: every role on a floor, in the order of their ranks, and which of them belong where."""

from __future__ import annotations

from typing import Literal, get_args

from croupier.rules import schema

Role = Literal[schema.Role, "device", "cashier", "auditor"]
"""What a person, or a device, is at a table. The first four are those that books name."""
OfficeRole = Literal["administrator", schema.Role, "cashier", "auditor"]
"""What an account is on the floor. A device has no account: it does not sign in."""

SUPERVISION: tuple[Role, ...] = ("pit-supervisor", "pit-manager", "shift-manager")
"""From the lowest rank to the highest."""
DEALING: tuple[Role, ...] = ("dealer", *SUPERVISION)
"""Whoever may stand at a table, from the lowest rank to the highest."""
AT_THE_CAGE: tuple[Role, ...] = ("cashier", *SUPERVISION)
"""From the lowest rank to the highest."""
OFFICE_ROLES: tuple[OfficeRole, ...] = get_args(OfficeRole)
ADMINISTRATOR: OfficeRole = "administrator"


def rank(role: Role) -> int:
    """The higher the more: nobody gives or takes a role above their own."""
    return DEALING.index(role) if role in SUPERVISION else 0
