"""The cage: where cash becomes tickets and tickets become cash, and where tickets are voided, replaced and expired.

Pure, as a table is. The cage keeps no tickets: the store looks up the amount, the expiry and the state of a ticket and
puts them into the command, so the cage never grows.
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
