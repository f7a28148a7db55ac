"""Bugs in `src/croupier/cli`."""

from tests.planted.bug import Bug

BUGS = (
    Bug(
        "a bar tells a rate that does not fit its time left",
        "src/croupier/cli/simulate.py",
        "speed = bar.tasks[task].speed",
        "speed = (bar.tasks[task].speed or 0) / 10",
        "tests/analysis/simulate/test_simulation.py::test_ctrl_c_prints_what_there_is_and_a_screen_shows_rate_and_time_left",
    ),
    Bug(
        "root is not spoken of",
        "src/croupier/cli/doctor.py",
        "if os.geteuid() == 0:",
        "if os.geteuid() < 0:",
        "tests/cli/test_doctor.py::test_it_warns_of_root_and_of_everything_that_lets_others_in",
    ),
    Bug(
        "one person accepts a loss alone",
        "src/croupier/cli/losses.py",
        "if not by or not second or by == second:",
        "if not by or not second:",
        "tests/floor/test_shortened.py::test_who_may_not_accept_a_loss_changes_nothing",
    ),
    Bug(
        "init shows the password of its database",
        "src/croupier/cli/accounts.py",
        '{premises.shown}  the journal"',
        '{premises.address}  the journal"',
        "tests/store/test_roles.py::test_init_and_verify_show_the_address_without_its_password",
    ),
    Bug(
        "a key that verify does not need is not read",
        "src/croupier/cli/floor.py",
        "        trusted_key(key)  # refused here",
        "        assert trusted_key  # refused here",
        "tests/cli/test_cli.py::test_what_cannot_be_answered_says_why_and_ends_in_its_code",
    ),
)
