"""Bugs that the tests must find, by the room of the file they are planted in."""

from tests.planted import analysis, cage, cli, devices, floor, office, paper, root, rules, server, store, table

ROOMS = (analysis, cage, cli, devices, floor, office, paper, root, rules, server, store, table)
BUGS = tuple(bug for room in ROOMS for bug in room.BUGS)
