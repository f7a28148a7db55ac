"""The first row of a stream: the choices with which the table, the cage or the office was made."""

from __future__ import annotations

import msgspec

from croupier.table.messages import Limits, PersonId
from croupier.table.roles import OfficeRole, Role
from croupier.wire import encode


class TableMade(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The first row of a table: the House's choices, its first staff, and the whole text of the book it plays by."""

    table: str
    rulebook: str
    rulebook_hash: str
    layouts: tuple[str, ...]
    limits: Limits
    staff: dict[PersonId, tuple[Role, ...]]
    two_sources: bool = False
    approval_seconds: int = 120
    alternatives: tuple[int, ...] = ()


class CageMade(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The first row of the cage: its first staff."""

    cage: str
    staff: dict[PersonId, tuple[Role, ...]]
    approval_seconds: int = 120


class OfficeMade(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The first row of the office: its first accounts."""

    office: str
    accounts: dict[PersonId, tuple[OfficeRole, ...]]
    rules: int = 0
    """The version of the rules for accounts."""


AnyMade = TableMade | CageMade | OfficeMade


def made_row(made: AnyMade) -> tuple[str, bytes]:
    return type(made).__name__, encode(made)
