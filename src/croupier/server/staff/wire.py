"""Everything that crosses a wire to a page, in one list: the types of web/src/wire.ts are made from it."""

from __future__ import annotations

from typing import Any, get_args

from croupier.server import protocol
from croupier.server.staff import public, room
from croupier.server.staff.trouble import Trouble
from croupier.table.messages import AnyEvent


def structs() -> list[Any]:
    """The types of both doors: what pages send and what they get."""
    return [
        *get_args(protocol.AnyDo),
        *get_args(protocol.AnySaid),
        *get_args(AnyEvent),
        room.Lobby,
        room.Screen,
        Trouble,
        public.TableAsked,
    ]
