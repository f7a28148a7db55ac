"""The office: who has an account, which terminal sits where, and what needs somebody's eye.

Pure, as a table and the cage are. Passwords and sessions are not kept here: only that they were set, begun and ended.
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
