"""The cage: where cash becomes tickets and tickets become cash, and where tickets are voided, replaced and expired.

Pure, as a table is. Tickets are not kept here: what is known of one (its amount, when it expires, what became of it)
arrives inside the command, looked up by the store, so the cage stays small for ever.
"""

from croupier.cage.decide import PERMITS, authorise, decide
from croupier.cage.messages import AnyCageCommand, AnyCageEvent
from croupier.cage.state import Cage, CageRequest, dump, evolve, load, new_cage, post

__all__ = [
    "PERMITS",
    "AnyCageCommand",
    "AnyCageEvent",
    "Cage",
    "CageRequest",
    "authorise",
    "decide",
    "dump",
    "evolve",
    "load",
    "new_cage",
    "post",
]
