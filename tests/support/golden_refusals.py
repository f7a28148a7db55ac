"""Two journals of every refusal and every alert: one with sentences in its rows, as before, and one with facts.

`python -m tests.support.golden_refusals` wrote each of them, once, with the program of its time. Later versions say the
same things in other words, or add facts: these journals show that they still read, verify and play on what was written
before.
It is a floor in one night: tables that play transcripts in turn, one of them taken over by another machine in the
middle of a round; tickets between the cage and a table; the office, with people, terminals and alerts. Rows are filed
in the order in which they came.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterable, Iterator
from itertools import count, zip_longest
from pathlib import Path
from typing import Any

import msgspec

from croupier.cage import messages as c
from croupier.cage.messages import TwoPeople
from croupier.office import messages as o
from croupier.office.decide import LONGEST_LINK, MOST_LINKS, MOST_OPEN, MOST_WORDS
from croupier.office.people import MOST_PASSKEYS
from croupier.office.state import RULES
from croupier.rules import alerts
from croupier.rules.library import rulebook_text
from croupier.rules.money import Cents
from croupier.rules.refusal import Fact
from croupier.store import recorder as record
from croupier.store.journal import Row, Store, read_rows
from croupier.store.recorder import Recorder
from croupier.store.sqlite import SqliteStore
from croupier.store.streams.made import CageMade, OfficeMade, TableMade
from croupier.store.streams.table import made_of
from croupier.table import messages as m
from croupier.table.approvals import digest
from croupier.table.messages import AnyCommand, Limits, LostBet, PersonId, SeatId, Signature
from croupier.table.tickets import LONGEST, ticket_number
from croupier.transcript.play import Evening, play
from tests.support.golden_journal import FOLDER, OWNER, TRANSCRIPTS, write

SENTENCES = FOLDER / "refusals.jsonl.xz"
"""Written while a row had a sentence for each refusal and each alert."""
FILE = FOLDER / "facts.jsonl.xz"
"""Written since rows have a case and its facts."""
STATES_EVERY = 10
"""Rows between two states that are kept: more often than on a floor, so that such rows are among them."""
NOW = 1_900_000_000_000
"""After every transcript: tickets, the cage and the office have their night then."""
DAY = 24 * 3_600_000
MORE = (
    "rws-taisai-v5/2.1.1-another-layout",
    "money/bank",
    "rws-sicbo-etg-v2/2.1.1-layout-of-the-terminal",
    "rws-sicbo-etg-v2/1.5-nobody-reaches-above-himself",
    "mbs-sands-roulette-v2/6.3-higher-position",
    "rws-taisai-v5/5.2-advised",
    "money/debts",
    "mbs-sands-roulette-v2/5.11-a-report-is-not-enough",
    "rws-taisai-v5/5.1-chips-left-over",
    "mbs-sands-roulette-v2/1.1-words",
    "rws-sicbo-etg-v2/5.5-a-third-result-is-not-decided",
    "rws-sicbo-etg-v2/5.4-cashed-out",
    "nz-taisai-division9/4.9-call-bet-misplaced-is-not-moved",
    "rws-sicbo-etg-v2/5.4-only-from-discovery",
    "nz-taisai-division9/4.8-a-losing-wager-is-not-touched",
)
"""Transcripts with the refusals that those of `refusals` do not have."""


class Night:
    """A floor whose rows are noted in the order in which they come."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.recorders: dict[str, Recorder] = {}
        self.order: list[tuple[str, int]] = []

    def make(self, made: TableMade | CageMade | OfficeMade) -> str:
        recorder = Recorder.make(self.store, OWNER, NOW, 0, made)
        self.recorders[recorder.name] = recorder
        self.order.append((recorder.name, 1))
        return recorder.name

    def give(self, stream: str, *commands: Any, id: str = "") -> None:
        recorder = self.recorders[stream]
        for command in commands:
            before = recorder.place.seq
            recorder.give(command, id)
            self._note(recorder, before)

    def take_over(self, stream: str) -> None:
        """Another machine goes on with a stream: what was open there is interrupted."""
        before = self.recorders[stream].place.seq
        self.recorders[stream] = Recorder.recover(self.store, "another", NOW, 0, stream)
        self._note(self.recorders[stream], before)

    def _note(self, recorder: Recorder, before: int) -> None:
        self.order += [(recorder.name, seq) for seq in range(before + 1, recorder.place.seq + 1)]

    def rows(self) -> list[Row]:
        found = {(row.stream, row.seq): row for stream in self.store.streams() for row in read_rows(self.store, stream)}
        assert len(found) == len(self.order)
        return [found[place] for place in self.order]


def make(night: Night) -> None:
    vars(record)["SNAPSHOT_ROWS"] = STATES_EVERY
    _tables(night)
    _tickets(night)
    _office(night)


# ---- tables


def _tables(night: Night) -> None:
    files = [*sorted((TRANSCRIPTS / "refusals").glob("*.round")), *(TRANSCRIPTS / f"{name}.round" for name in MORE)]
    evenings = {file.stem: play(file.read_text()) for file in files if file.stem != "ticket"}
    for name, evening in evenings.items():
        night.make(_made(name, evening))
    streams = [[(name, command) for command in _acts(name, evening)] for name, evening in evenings.items()]
    for turn in zip_longest(*streams):
        for name, command in filter(None, turn):
            night.give(name, command)
            if name == "late-bet" and isinstance(command, m.OpenBetting):
                night.take_over(name)
                night.give(name, m.Restore("Dana", command.at))


def _made(name: str, evening: Evening) -> TableMade:
    return msgspec.structs.replace(made_of(evening, rulebook_text(evening.table.book.id)), table=name)


def _acts(name: str, evening: Evening) -> Iterator[AnyCommand]:
    """What a transcript has, and then what no transcript has."""
    yield from (turn.command for turn in evening.turns)
    at, limits = evening.clock, evening.table.limits
    ann, nobody = SeatId("Ann"), SeatId("Nobody")
    match name:
        case "round":
            yield m.VoidRounds("Sam", at, (), "damaged-dice", "a worn die")
        case "approval":
            yield m.GiveCredit("Sam", at, ann, Cents(100), "a courtesy")
            yield m.Decline("system", at, evening.table.next_request)
        case "terminal":
            yield m.InterruptTerminals("system", at, ())
            yield m.InterruptTerminals("system", at, (ann,), (LostBet(nobody, "small", Cents(100)),))
            yield m.GiveColour("Dana", at, ann, "red", Cents(100))
            yield m.EnterNumber("Dana", at, "17")
            yield m.PayWinners("Dana", at)
            yield m.Decide("Max", at, "return", "nobody knows whose they are")
        case "limits":
            yield m.SetLimits("Sam", at, Limits({"small": Cents(100)}, limits.maximum, limits.unit))
            yield m.SetLimits("Sam", at, msgspec.structs.replace(limits, differential=Cents(5000)))
        case "interrupted":
            yield m.PressKey("Dana", at, "3")
        case "layout":
            yield m.ChooseLayout("Ann", at, ann, "A")
        case "another-layout" | "2.1.1-another-layout":
            yield m.ChooseLayout("Dana", at, ann, "E")
        case "permission":
            yield m.AssignStaff("Max", at, PersonId("Nora"), ())


# ---- tickets, at the cage and at a table


def _tickets(night: Night) -> None:
    evening = play((TRANSCRIPTS / "refusals" / "ticket.round").read_text())
    table = night.make(_made("ticket", evening))
    for turn in evening.turns:
        if isinstance(turn.command, m.RedeemTicket):
            break
        night.give(table, turn.command)
    staff = {"Cass": ("cashier",), "Cole": ("cashier",), "Sue": ("pit-supervisor",), "Max": ("pit-manager",)}
    cage = night.make(CageMade("cage", staff))  # type: ignore[arg-type]
    paid, redeemed, void, late, gone, new, out, never = (ticket_number(number) for number in range(1, 9))
    wrong, until = f"{never[:-1]}{(int(never[-1]) + 1) % 10}", NOW + DAY

    def redeem(ticket: str, at: int = NOW, seat: str = "Ann") -> m.RedeemTicket:
        return m.RedeemTicket(seat, at, SeatId(seat), ticket, Cents(50_00), until, "live")

    def cash(ticket: str, amount: int = 10_00, expires: int = until) -> m.CashOut:
        return m.CashOut("Ann", NOW, SeatId("Ann"), Cents(amount), ticket, expires)

    def sell(ticket: str, by: str = "Cass", amount: int = 50_00, expires: int = until) -> c.SellTicket:
        return c.SellTicket(by, NOW, ticket, Cents(amount), expires)

    def pay(ticket: str, at: int = NOW, by: str = "Cass") -> c.PayTicket:
        return c.PayTicket(by, at, ticket, Cents(50_00), until, "live")

    def reprint(ticket: str, reason: str = "a jam") -> c.ReprintTicket:
        return c.ReprintTicket("Cass", NOW, ticket, Cents(50_00), until, "live", reason)

    def expire(ticket: str, at: int) -> c.ExpireTicket:
        return c.ExpireTicket("system", at, ticket, Cents(0), 0, "unknown")

    def cancel(ticket: str, reason: str = "a misprint", new: str = "", expires: int = 0) -> c.VoidTicket:
        return c.VoidTicket("Cass", NOW, ticket, Cents(50_00), until, "live", reason, new, expires)

    def unclaimed(ticket: str, reason: str = "they were ill", found: str = "expired") -> c.PayUnclaimed:
        return c.PayUnclaimed("Cass", NOW + 2 * DAY, ticket, Cents(50_00), found, reason)  # type: ignore[arg-type]

    def employ(person: str, *roles: str, by: str = "Max") -> c.EmployStaff:
        return c.EmployStaff(by, NOW, PersonId(person), roles)  # type: ignore[arg-type]

    requests = count(1)

    def agree(asked: TwoPeople, by: str = "Sue", late: int = 0, digested: str = "") -> None:
        """Ask for it, and let a second person agree."""
        number = next(requests)
        night.give(cage, asked, c.ApproveRequest(by, asked.at + late, number, digested or digest(asked), asked.found))

    night.give(cage, *(sell(ticket) for ticket in (paid, redeemed, void, late, gone)))
    night.give(cage, sell(never, "Dora"), sell(never, amount=0), sell(never, expires=NOW))
    night.give(
        cage, sell(never, expires=NOW + LONGEST + 1), sell(wrong), sell("12"), sell("x" * 50), sell(paid, "Cole")
    )
    night.give(cage, pay(paid), pay(never), pay(wrong), reprint(redeemed), reprint(redeemed, " "), reprint(paid))
    night.give(cage, pay(paid, by="Cole"), id="once more")
    night.give(table, redeem(redeemed), redeem(paid), redeem(never), redeem(wrong), redeem("12"), redeem(""))
    night.give(table, redeem(redeemed, NOW + 1), id="once more")
    night.give(table, redeem(never, seat="Nobody"), cash(paid), cash(out, expires=NOW), cash(out, 0), cash(out, 10**9))
    night.give(table, cash(out), cash(never, expires=NOW + LONGEST + 1), redeem(late, until + 1))
    night.give(table, m.SellCredit("Cass", NOW, SeatId("Ann"), Cents(100)), id="a note")
    night.give(table, m.SellCredit("Cass", NOW, SeatId("Ann"), Cents(200)), id="a note")  # another content
    night.give(cage, pay(redeemed), cancel(redeemed), cancel(void, " "), cancel(void, new=void, expires=until))
    night.give(cage, cancel(void, expires=until), cancel(void, new="12", expires=until))
    night.give(cage, cancel(void, new=new, expires=NOW), c.DeclineRequest("Sue", NOW, 1))
    agree(cancel(void), late=121_000)
    agree(cancel(void), digested="another")
    night.give(cage, c.DeclineRequest("system", NOW, 2), c.DeclineRequest("Sue", NOW, 2))
    night.give(cage, employ("Cass", "cashier", "pit-supervisor"))
    agree(cancel(void, "asked and approved by one"), by="Cass")
    agree(cancel(void, new=new, expires=until))
    night.give(cage, pay(void), pay(late, until + 1), expire(late, until), expire(late, until + 1), pay(late))
    night.give(table, redeem(void), redeem(late), redeem(gone, until))
    night.give(cage, unclaimed(gone), unclaimed(late, ""), unclaimed(never))
    agree(unclaimed(late))
    night.give(cage, unclaimed(late), c.ApproveRequest("Sue", NOW, 99, "", "live"))
    night.give(
        cage, employ("two words", "cashier"), employ("system", "cashier"), employ("Tim"), employ("Tim", "dealer")
    )
    night.give(cage, employ("Tim", "shift-manager"), employ("Max", "cashier", by="Sue"), employ("Tim", by="Cass"))
    night.give(cage, employ("Sue", "cashier"), employ("Cass", "cashier"), employ("Max", "cashier"))


# ---- the office

ADA, PIA, SAM, DAN = PersonId("Ada"), PersonId("Pia"), PersonId("Sam"), PersonId("Dan")
SHELL = "machine/root"
A1 = SeatId("A1")
KEYS = ("302a300506032b6570032100", "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a")
"""A public key as a passkey has it: how it is written, and the first test vector of RFC 8032."""

FACTS: dict[str, Fact] = {
    "act": "EnterResult",
    "id": "7812",
    "money": 50_00,
    "name": "tumbler",
    "names": ("faces", "totals"),
    "number": 7,
    "seconds": 30,
    "text": "no space left on device",
}
"""An example of each kind of fact."""
ALERTS = tuple(
    o.RaiseAlert("system", NOW, kind, "T1", "", case, {name: FACTS[of] for name, of in facts.items()})
    for kind, cases in alerts.ALERTS.items()
    for case, facts in cases.items()
)
"""Every case of every kind."""


def _office(night: Night) -> None:
    roles = {ADA: ("administrator",), PIA: ("pit-manager",), SAM: ("pit-supervisor",), DAN: ("dealer",)}
    office = night.make(OfficeMade("office", roles, 0))  # type: ignore[arg-type]
    numbers = count(1)

    def key() -> str:
        return f"{next(numbers):064x}"

    def give(*commands: o.AnyOfficeCommand) -> None:
        night.give(office, *commands)

    def sign_in(person: PersonId, link: str = "") -> str:
        session = key()
        give(o.BeginSession("system", NOW, person, session, "10.0.0.1", link))
        return session

    def choose(person: PersonId, session: str) -> tuple[str, str]:
        """A password of their own, and the session that they begin with it."""
        password = key()
        give(o.NotePassword(person, NOW, person, password, session))
        return password, sign_in(person)

    def account(name: str, *held: str, by: str = "Ada") -> o.MakeAccount:
        return o.MakeAccount(by, NOW, PersonId(name), held or ("dealer",))  # type: ignore[arg-type]

    give(account("Tim", by="Nobody"), account("Tim", by="Dan"), account("Dan"), account("Tim"))
    give(
        account("two words"), account("machine/Tim"), account("system"), o.MakeAccount("Ada", NOW, PersonId("Tom"), ())
    )
    give(o.RetireAccount("Ada", NOW, PersonId("Tim"), " "), o.RetireAccount("Ada", NOW, PersonId("Tim"), "left"))
    give(account("Tim"), o.SetRoles("Ada", NOW, PersonId("Tim"), ("dealer",)), o.SetRoles("Ada", NOW, DAN, ()))
    give(o.SetRoles("Ada", NOW, ADA, ("dealer",)), o.RetireAccount("Ada", NOW, ADA, "gone"))
    give(o.SetRoles("Ada", NOW, PersonId("Nobody"), ("dealer",)), o.NotePassword("Ada", NOW, DAN, "secret"))
    give(o.AdoptRules("system", NOW, RULES + 1), o.NameFounders(SHELL, NOW, (ADA, PIA), (key(), key())))
    give(o.AdoptRules("system", NOW, RULES), o.AdoptRules("system", NOW, RULES))
    give(account("\uff34im"), account("Dаn"), account("Dän☃"), account("DAN"), account("Ian"), account("lan"))
    give(o.NameFounders(SHELL, NOW, (ADA,), (key(),)), o.NameFounders(SHELL, NOW, (PIA, SAM), (key(), key())))
    give(o.NameFounders(SHELL, NOW, (ADA, PIA), ("x", "y")), o.NameFounders(SHELL, NOW, (ADA, PIA), (key(), key())))
    give(o.NameFounders(SHELL, NOW, (ADA, PIA), (key(), key())))

    ada, pia = sign_in(ADA), sign_in(PIA)
    link = key()
    give(o.MakeLink("Ada", NOW, SAM, link, NOW, ada), o.MakeLink("Ada", NOW, SAM, link, NOW + LONGEST_LINK + 1, ada))
    give(o.MakeLink("Ada", NOW, SAM, link, NOW + 1000, key()), o.MakeLink("Ada", NOW, SAM, ada, NOW + 1000, ada))
    give(o.MakeLink("Ada", NOW, SAM, link, NOW + 1000, ada), o.BeginSession("system", NOW, DAN, key(), "here", link))
    lent = sign_in(SAM, link)
    give(o.BeginSession("system", NOW, SAM, key(), "here", link), o.BeginSession("system", NOW, SAM, "x", "here"))
    give(*(o.MakeLink("Ada", NOW, DAN, key(), NOW + 1000, ada) for _ in range(MOST_LINKS + 1)))
    give(o.ConfirmPerson("Pia", NOW, SAM, key(), pia), o.ConfirmPerson("Sam", NOW, PIA, key(), lent))
    password, sam = choose(SAM, lent)
    give(o.ConfirmPerson("Sam", NOW, PIA, password, sam), o.ConfirmPerson("Pia", NOW, PIA, password, pia))
    give(o.ConfirmPerson("Pia", NOW, SAM, key(), pia), o.ConfirmPerson("Ada", NOW, SAM, password, ada))
    give(o.ConfirmPerson("Ada", NOW, SAM, password, pia), o.ConfirmPerson("Ada", NOW, SAM, password, key()))
    give(o.ConfirmPerson("Pia", NOW, SAM, password, pia), o.ConfirmPerson("Pia", NOW, SAM, password, pia))
    give(o.ConfirmPerson("Pia", NOW, DAN, password, pia))
    give(o.NoteFailure("system", NOW, DAN, "wrong", "10.0.0.9", 3), o.EndSessions("system", NOW, DAN, "logout", (ada,)))

    der = bytes.fromhex("".join(KEYS))
    give(o.AddPasskey("Dan", NOW, DAN, "c1", der, "floor.example", key()), o.DropPasskey("Sam", NOW, SAM, "c1"))
    give(o.AddPasskey("Sam", NOW, SAM, "c1", b"no key", "floor.example", sam))
    give(o.AddPasskey("Sam", NOW, SAM, "c1", der, "floor.example", pia))
    give(*(o.AddPasskey("Sam", NOW, SAM, f"c{one}", der, "floor.example", sam) for one in range(MOST_PASSKEYS + 1)))
    give(o.AddPasskey("Pia", NOW, PIA, "c1", der, "floor.example", pia), o.DropPasskey("Sam", NOW, SAM, "c2"))
    give(o.AddPasskey("Pia", NOW, PIA, "p1", der, "two words", pia))
    signature = Signature("c1", b"{}", b"device", b"signature")
    give(o.NoteAsker("system", NOW, SAM, "cage", 1, key()), o.NoteAsker("system", NOW, SAM, "cage", 1, sam))
    give(o.SignAsking("Sam", NOW, "cage", 2, signature, sam), o.SignAsking("Sam", NOW, "cage", 1, signature, sam))
    give(o.SignAsking("Sam", NOW, "cage", 1, signature, sam))

    give(o.EnrolTerminal("Ada", NOW, key(), "T1", A1), o.EnrolTerminal("Ada", NOW, key(), "T1", A1))
    give(o.EnrolTerminal("Ada", NOW, "x", "T1", A1), o.EnrolTerminal("Ada", NOW, key(), "two words", A1))
    give(o.RetireTerminal("Sam", NOW, "T1", A1, ""), o.RetireTerminal("Sam", NOW, "T1", SeatId("A9"), "broken"))
    give(o.RetireTerminal("Sam", NOW, "T1", A1, "broken"))
    _alerts(give)
    give(o.RequirePasskeys("system", NOW + 100 * DAY))


def _alerts(give: Any) -> None:
    first, last = ALERTS[0], ALERTS[-1]
    refused = o.Because("two-people", "lent", None, {"person": "Sam"})
    other = msgspec.structs.replace(last, table="T2", because=refused)
    give(*ALERTS, first, other, msgspec.structs.replace(first, by="Sam"))
    give(o.RaiseAlert("system", NOW, "two words", "T1", "it is odd"), o.RaiseAlert("system", NOW, "clock", "", ""))
    give(o.RaiseAlert("system", NOW, "clock", "", "x" * (MOST_WORDS + 1)))
    give(o.AcknowledgeAlert("Sam", NOW, 1, "x" * (MOST_WORDS + 1)), o.AcknowledgeAlert("Sam", NOW, 1, "seen to"))
    give(o.AcknowledgeAlert("Sam", NOW, 1), o.AcknowledgeAlert("Sam", NOW, 10_000), o.AcknowledgeAlert("Dan", NOW, 2))
    give(first)
    free = MOST_OPEN - len(ALERTS)
    give(*(o.RaiseAlert("system", NOW, "crew-fault", "T1", f"bet {number} failed") for number in range(free + 1)))


def main(arguments: Iterable[str]) -> None:
    file = Path(next(iter(arguments), FILE))
    if file.exists():
        sys.exit(f"{file} is there: what was written once is read for ever, and not written again")
    with tempfile.TemporaryDirectory() as folder:
        store = SqliteStore(Path(folder) / "golden.db")
        night = Night(store)
        make(night)
        write(store, file, night.rows())
        store.close()


if __name__ == "__main__":
    main(sys.argv[1:])
