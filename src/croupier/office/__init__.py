"""The office: accounts, sessions, terminals and alerts.

Pure, as a table and the cage are. It has no passwords and no tokens, only their digests, and when they were set,
began and ended.
"""

from croupier.office.decide import PERMITS, authorise, decide
from croupier.office.messages import AnyOfficeCommand, AnyOfficeEvent
from croupier.office.state import MACHINE, Account, Alert, Enrolled, Office, dump, evolve, load, new_office

__all__ = [
    "MACHINE",
    "PERMITS",
    "Account",
    "Alert",
    "AnyOfficeCommand",
    "AnyOfficeEvent",
    "Enrolled",
    "Office",
    "authorise",
    "decide",
    "dump",
    "evolve",
    "load",
    "new_office",
]
