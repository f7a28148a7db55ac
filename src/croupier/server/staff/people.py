"""Checks that acts of two people are done by two people, before a command reaches a table or the cage.

The rules are in `croupier.office.people`. This module applies them and raises an alert for each refusal, and for each
session that was opened with another person's password or link. A demonstration is the one exception: its links let one
visitor be every person, to see what two people do.
"""

from __future__ import annotations

import asyncio
import time
from base64 import b64encode
from collections.abc import Iterable
from typing import Any, Literal

import msgspec

from croupier import cage
from croupier.cage import messages as c
from croupier.floor.config import CAGE
from croupier.floor.floor import Floor, LiveTable
from croupier.office import Office
from croupier.office import messages as o
from croupier.office.passkeys import Half, challenge_of, is_signed
from croupier.office.people import CONFIRMERS, check_approval, check_decision, check_stands, missing_vouchers
from croupier.office.state import asked_as, stands
from croupier.rules.refusal import Refused
from croupier.server.sessions import Sessions
from croupier.store.streams.cage import CageSubject
from croupier.table import messages as m
from croupier.table.decide import needs_two
from croupier.table.messages import PersonId
from croupier.table.permits import SYSTEM, authorise, decides

SOON = 1.0
"""Seconds for which an approval waits for the row that names who asked."""
CODE = 8
"""Letters of a digest that two people compare."""


class Unconfirmed(msgspec.Struct, frozen=True):
    """A person who has chosen their password, but whom others must still confirm."""

    person: PersonId
    code: str
    """Both people see it: the one who confirms compares it with the one on the other's screen."""
    digest: str
    vouched_by: tuple[str, ...]
    missing: int
    """How many confirmed people must still confirm them."""
    may: bool


class ToSign(msgspec.Struct, frozen=True):
    """The challenge that a person's passkey must sign, in base64; empty if nothing must be signed."""

    challenge: str
    credentials: tuple[str, ...]


Standing = Literal["nobody", "lent", "unconfirmed", "confirmed"]
"""How far a session proves its person. A `lent` one was opened with a password or link that another person made."""


class People:
    def __init__(self, floor: Floor, sessions: Sessions, *, demo: bool) -> None:
        self._floor = floor
        self._sessions = sessions
        self._demo = demo

    @property
    def _office(self) -> Office:
        return self._floor.accounts

    def entered(self, token: str) -> None:
        """After signing in: raise an alert if another person made the password or link."""
        session = self._sessions.session_of(token)
        if session is not None and session.maker != session.person and not self._demo:
            self._floor.alert("credential", "lent", person=session.person, maker=session.maker)

    def standing(self, session: str) -> Standing:
        found = self._office.sessions.get(session)
        if found is None:
            return "nobody"
        if self._demo or stands(self._office, session):
            return "confirmed"
        return "unconfirmed" if found.opened_by_owner else "lent"

    def unconfirmed(self, by: PersonId) -> tuple[Unconfirmed, ...]:
        """The people who must still be confirmed; `may` is whether `by` can do it."""
        account = self._office.accounts.get(by)
        may = account is not None and account.confirmed and bool(set(account.roles) & set(CONFIRMERS))
        return tuple(
            Unconfirmed(
                person,
                one.password[:CODE],
                one.password,
                one.vouched_by,
                missing_vouchers(one),
                may and person != by and by not in one.vouched_by,
            )
            for person, one in self._office.accounts.items()
            if one.maker == person and one.password and not one.confirmed and not one.retired and not self._demo
        )

    # ---- acts of two people

    async def check(self, place: LiveTable | None, command: Any, session: str) -> None:
        """Refused if a command is one half of an act of two people, and this session may not give that half.

        `place` is the table, or None at the cage.
        """
        name = place.name if place is not None else CAGE
        if self._demo or not self._concerned(place, command):
            return
        approves = isinstance(command, m.Approve | c.ApproveRequest)
        await self._sessions.adopt_rules()
        try:
            if place is not None and isinstance(command, m.Approve | m.Decline) and decides(place.table, command):
                await self._check_decision(place, command, session)
            elif approves:
                await self._wait_for_asker(name, command.request)
                check_approval(self._office, session, name, command.request)
                self._check_signed("approves", name, command)
            else:
                check_stands(self._office, session)
        except Refused as refused:
            self._floor.alert("two-people", "refused", name if place is not None else "", refused, by=command.by)
            raise

    def _concerned(self, place: LiveTable | None, command: Any) -> bool:
        """Is this command one half of an act of two people? If it is not allowed at all, the table or the cage refuses
        it."""
        try:
            if place is None:
                subject = self._floor.cage.subject
                assert isinstance(subject, CageSubject)
                cage.authorise(subject.cage, command)
                return isinstance(command, c.ApproveRequest | c.VoidTicket | c.PayUnclaimed)
            authorise(place.table, command)
            if isinstance(command, m.Decline):
                return decides(place.table, command)
            return isinstance(command, m.Approve) or needs_two(place.table, command)
        except Refused:
            return False

    async def _check_decision(self, place: LiveTable, command: m.Approve | m.Decline, session: str) -> None:
        """Refused if the person who decides about a round that stands still may be the one who reported it."""
        reporter = place.table.requests[command.request].command.by
        if reporter in self._office.accounts:
            await self._wait_for_asker(place.name, command.request)
        check_decision(self._office, session, place.name, command.request)
        if isinstance(command, m.Approve):
            self._check_signed("approves", place.name, command)

    async def _wait_for_asker(self, place: str, request: int) -> None:
        """Wait for the row that names who asked. It follows a moment after the request, perhaps from another
        machine."""
        last = time.monotonic() + SOON
        while asked_as(place, request) not in self._office.askers and time.monotonic() < last:
            if self._content(place, request) is None:
                return
            await asyncio.sleep(0.02)

    def check_signing(self, command: o.SignAsking) -> None:
        """Refused if somebody signs anything but the request that they made."""
        self._check_signed("asks", command.place, command)

    def _check_signed(self, half: Half, place: str, command: Any) -> None:
        content = self._content(place, command.request)
        if content is None or not self._office.passkeys_since:
            return  # the table itself refuses an unknown request; and without passkeys nobody must sign
        challenge = challenge_of(half, place, command.request, content, command.by)
        passkeys = self._office.accounts[PersonId(command.by)].passkeys
        if not is_signed(passkeys, command.signature, challenge, command.at):
            raise Refused("passkey", "unsigned", person=command.by, request=command.request)

    def to_sign(self, place: str, request: int, person: PersonId) -> ToSign:
        """The challenge that a passkey of this person must sign for a request."""
        content = self._content(place, request)
        if content is None or not self._office.passkeys_since or self._demo:
            return ToSign("", ())
        asker = self._office.askers.get(asked_as(place, request))
        half: Half = "asks" if asker is not None and asker.person == person else "approves"
        kept = self._office.accounts[person].passkeys
        challenge = challenge_of(half, place, request, content, person)
        return ToSign(b64encode(challenge).decode(), tuple(one.credential for one in kept if not one.until))

    def _content(self, place: str, request: int) -> bytes | None:
        """The command that waits for a second person, encoded as in its row."""
        if place == CAGE:
            subject = self._floor.cage.subject
            assert isinstance(subject, CageSubject)
            asked: Any = subject.cage.requests.get(request)
        else:
            live = self._floor.tables.get(place)
            asked = live.table.requests.get(request) if live is not None else None
        return msgspec.json.encode(asked.command) if asked is not None else None

    async def note(self, place: str, command: Any, session: str, events: Iterable[Any]) -> None:
        """Record the session of the person who asked. If that fails, the request stays, but nobody can approve it."""
        for event in events:
            if isinstance(event, m.ApprovalRequested | m.ReportContradicted) and not self._demo:
                at = self._floor.clock.now()
                noted = o.NoteAsker(SYSTEM, at, PersonId(command.by), place, event.request, session)
                if asked_as(place, event.request) not in self._office.askers:
                    await self._floor.give(self._floor.office, noted)
