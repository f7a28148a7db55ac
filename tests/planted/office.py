"""Bugs in `src/croupier/office`."""

from tests.planted.bug import Bug

BUGS = (
    Bug(
        "a link opens a session of one's own",
        "src/croupier/office/state.py",
        "        return self.maker == self.person and not self.link",
        "        return self.maker == self.person or self.link",
        "tests/server/staff/test_two_people.py::test_an_administrator_alone_cannot_make_one_approval",
    ),
    Bug(
        "two people at one browser are two",
        "src/croupier/office/people.py",
        "    return bool(one and other and one != other)",
        "    return True",
        "tests/server/staff/test_two_people.py::test_two_people_at_one_browser_are_not_two",
    ),
    Bug(
        "the command line stands for whom it gives a password",
        "src/croupier/office/people.py",
        "        return command.by, (), False",
        "        return command.by, (command.by,), False",
        "tests/office/test_people.py::test_the_machine_stands_for_nobody_so_two_people_must",
    ),
    Bug(
        "a password chosen in a lent session leaves its person confirmed",
        "src/croupier/office/people.py",
        "    return command.person, (session.maker,) if session.vouched and session.maker != command.by else (), False",
        "    return command.person, (), office.accounts[command.person].confirmed",
        "tests/office/test_people.py::test_a_person_who_can_sign_in_as_another_does_not_become_them",
    ),
    Bug(
        "who made the link confirms too",
        "src/croupier/office/people.py",
        "    if command.by in account.vouched_by:",
        "    if command.by == command.person:",
        "tests/office/test_people.py::test_one_dishonest_administrator_stays_one_person_whatever_they_do",
    ),
    Bug(
        "a floor may have founders again",
        "src/croupier/office/decide.py",
        "    if office.founded or not office.rules:",
        "    if any(account.confirmed for account in office.accounts.values()) or not office.rules:",
        "tests/office/test_people.py::test_founders_are_two_at_least_at_the_machine_and_once",
    ),
    Bug(
        "who asked and was retired is obeyed",
        "src/croupier/office/people.py",
        "    if account.retired:",
        "    if account.retired and not account.confirmed:",
        "tests/server/staff/test_two_people.py::test_a_request_of_a_retired_person_cannot_be_approved",
    ),
    Bug(
        "names that only look alike are two",
        "src/croupier/office/names.py",
        "or look_of(other) == seen:",
        "or other == seen:",
        "tests/office/test_names.py::test_no_name_looks_like_another",
    ),
    Bug(
        "what a passkey has signed is not checked",
        "src/croupier/office/passkeys.py",
        "        and _verifies(passkey.key, signature.signature, device + hashlib.sha256(signature.client).digest())",
        "",
        "tests/server/staff/test_passkeys.py::test_both_people_sign_and_no_other_signature_is_accepted",
    ),
    Bug(
        "a signature is good for another act",
        "src/croupier/office/passkeys.py",
        '        and client.challenge == urlsafe_b64encode(challenge).rstrip(b"=").decode()',
        "",
        "tests/server/staff/test_passkeys.py::test_both_people_sign_and_no_other_signature_is_accepted",
    ),
    Bug(
        "a passkey is added in a session that another's link has opened",
        "src/croupier/office/people.py",
        "    if check_stands(office, command.session).person != command.by:\n"
        '        raise Refused("session", "none")\n'
        "    check_key(command.key)",
        "    check_key(command.key)",
        "tests/server/staff/test_passkeys.py::test_a_confirmed_person_adds_a_passkey_and_removes_it",
    ),
    Bug(
        "a link lets in twice",
        "src/croupier/office/state.py",
        "_drop_links(office, [event.link] if event.link else [])",
        "_drop_links(office, [])",
        "tests/office/test_office.py",
    ),
    Bug(
        "a new password leaves old sessions open",
        "src/croupier/office/decide.py",
        '    return [noted, *_all_out(office, command, "password")]',
        "    return [noted]",
        "tests/server/test_sessions.py",
    ),
    Bug(
        "a seat has two terminals",
        "src/croupier/office/decide.py",
        "return [*_out(office, command), made]",
        "return [made]",
        "tests/office/test_office.py",
    ),
    Bug(
        "wrong passwords lock a name for everyone",
        "src/croupier/office/state.py",
        "wait = locked_until(*account.failed_from.get(browser or where, (0, 0)))",
        "wait = locked_until(account.failures, account.failed_at)",
        "tests/server/test_sessions.py::test_failed_attempts_lock_out_their_address_and_never_a_known_browser",
    ),
    Bug(
        "from many addresses one may guess for ever",
        "src/croupier/office/state.py",
        "return wait if browser else max(wait, locked_until(account.failures, account.failed_at, FREE_FROM_ALL))",
        "return wait",
        "tests/server/test_sessions.py::test_failed_attempts_lock_out_their_address_and_never_a_known_browser",
    ),
)
