"""Bugs in `src/croupier/devices`."""

from tests.planted.bug import Bug

BUGS = (
    Bug(
        "a tumble under the cover tells of the dice",
        "src/croupier/devices/tumbler.py",
        'self._now(), "tumble", number, len(TUMBLES))',
        'self._now(), "tumble", number, len(TUMBLES), rate=int(throw(self._source)[0]))',
        "tests/live/test_secrecy.py::test_nothing_that_leaves_the_server_before_the_close_depends_on_the_dice",
    ),
    Bug(
        "faces by byte modulo 6",
        "src/croupier/devices/chance.py",
        "fair = BYTES - BYTES % sides",
        "fair = BYTES",
        "tests/devices/test_chance.py::test_all_256_bytes_give_each_side_as_often",
    ),
    Bug(
        "covered dice are drawn while they tumble",
        "src/croupier/devices/tumbler.py",
        "        self._lying = None\n        self._report(Moving",
        "        self._lying = throw(self._source)\n        self._report(Moving",
        "tests/devices/test_simulated.py::test_the_throw_of_a_covered_game_does_not_exist_before_the_cover_is_lifted",
    ),
    Bug(
        "a lone number of the wheel is believed against its state 5",
        "src/croupier/devices/cammegh.py",
        "elif number != self._claim:",
        "elif number is None:",
        "tests/devices/test_cammegh.py::test_a_number_that_state_5_contradicts_is_not_shown",
    ),
    Bug(
        "a game of the wheel runs twice",
        "src/croupier/devices/cammegh.py",
        "if backwards or again:",
        "if backwards:",
        "tests/devices/test_cammegh.py::test_states_that_go_back_or_come_again_are_out_of_order",
    ),
    Bug(
        "the camera looks under the cover",
        "src/croupier/devices/shaker.py",
        "        if not self._covered:\n            self.read_dice(at)",
        "        self.read_dice(at)",
        "tests/devices/test_shaker.py::test_under_a_cover_the_camera_is_not_asked_and_its_word_is_not_passed_on",
    ),
    Bug(
        "a ticket that may be on paper is said not to be",
        "src/croupier/devices/printer.py",
        "                sent = True\n",
        "",
        "tests/devices/test_printer.py::test_a_ticket_that_is_not_confirmed_is_unsure_and_must_be_looked_for",
    ),
    Bug(
        "a wheel is asked to launch that only a Dealer spins",
        "src/croupier/devices/serial.py",
        'return frozenset((*able, "launch") if launches else able)',
        'return frozenset((*able, "launch"))',
        "tests/floor/test_device_config.py",
    ),
)
