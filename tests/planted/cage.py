"""Bugs in `src/croupier/cage`."""

from tests.planted.bug import Bug

BUGS = (
    Bug(
        "who asked at the cage and has left it is obeyed",
        "src/croupier/cage/decide.py",
        "    authorise(cage, asked)\n",
        "",
        "tests/cage/test_cage.py::test_a_request_ends_when_its_asker_leaves_the_cage",
    ),
    Bug(
        "a ticket that was paid is printed again",
        "src/croupier/cage/decide.py",
        "command.found, command.at)\n    return c.TicketReprinted",
        'command.found if command.found != "paid" else "live", command.at)\n    return c.TicketReprinted',
        "tests/floor/test_printing.py::test_a_ticket_that_did_not_come_out_is_valid_and_printed_again_as_a_duplicate",
    ),
)
