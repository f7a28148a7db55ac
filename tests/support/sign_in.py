"""People who have signed in as themselves: confirmed, with a password of their own, each at a browser of their own."""

from __future__ import annotations

import hashlib
from typing import Any

from croupier.floor.floor import Floor
from croupier.office import messages as o
from croupier.office.people import CONFIRMERS
from croupier.office.state import RULES
from croupier.server.sessions import key_of, new_token
from croupier.table.messages import PersonId

BY = "machine/test"


async def begin(floor: Floor, person: str, browser: str = "") -> str:
    """A token of somebody who has just signed in with their password, whatever that is."""
    token, kept = new_token(), key_of(browser or new_token())
    await _give(
        floor, o.BeginSession("system", floor.clock.now(), PersonId(person), key_of(token), "127.0.0.1", "", kept)
    )
    return token


async def sign_in(floor: Floor, person: str, browser: str = "") -> str:
    """A token of a confirmed person."""
    await confirm(floor, person)
    return await begin(floor, person, browser)


async def found(floor: Floor) -> list[PersonId]:
    """Everyone who may confirm others is a founder."""
    office = floor.accounts
    people = [name for name, one in office.accounts.items() if set(one.roles) & set(CONFIRMERS) and not one.retired]
    if not office.rules:
        await _give(floor, o.AdoptRules(BY, floor.clock.now(), RULES))
    if not office.founded:
        await _give(floor, o.NameFounders(BY, floor.clock.now(), tuple(people), tuple(map(_digest, people))))
    return [name for name in people if office.accounts[name].confirmed]


async def confirm(floor: Floor, person: str) -> None:
    founders, name = await found(floor), PersonId(person)
    if floor.accounts.accounts[name].confirmed:
        return
    await choose(floor, person)
    digest = floor.accounts.accounts[name].password
    for founder in [one for one in founders if one != name][:2]:
        token = await begin(floor, founder)
        session = key_of(token)
        await _give(floor, o.ConfirmPerson(founder, floor.clock.now(), name, digest, session))
        await _give(floor, o.EndSessions("system", floor.clock.now(), founder, "logout", (session,)))


async def choose(floor: Floor, person: str) -> None:
    """A password that a person has chosen, after the machine gave them one."""
    name = PersonId(person)
    await _give(floor, o.NotePassword(BY, floor.clock.now(), name, _digest(f"{person} {new_token()}")))
    session = key_of(await begin(floor, person))
    word = _digest(f"{person} {new_token()}")
    await _give(floor, o.NotePassword(person, floor.clock.now(), name, word, session))


def _digest(word: str) -> str:
    return hashlib.sha256(word.encode()).hexdigest()


async def _give(floor: Floor, command: Any) -> None:
    answer = await floor.give(floor.office, command)
    assert answer is not None
    assert answer.entry.refused is None, answer.entry.refused
