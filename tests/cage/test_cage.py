"""The cage: every act and every refusal, two people, and a long random day beside a model kept by hand."""

from __future__ import annotations

import random
import re
from collections import Counter
from pathlib import Path
from typing import get_args

import msgspec
import pytest

from croupier import cage as cage_room
from croupier.cage import PERMITS, Cage, decide, dump, evolve, load, new_cage, post
from croupier.cage import messages as c
from croupier.cage.messages import AnyCageCommand, AnyCageEvent, TwoPeople
from croupier.ledger import Transfer
from croupier.rules.money import Cents
from croupier.rules.refusal import Refused
from croupier.table import messages as m
from croupier.table.approvals import digest
from croupier.table.messages import PersonId
from croupier.table.roles import AT_THE_CAGE, SUPERVISION, Role
from croupier.table.tickets import LONGEST, TicketState, ticket_number
from tests.support.cage_acts import DAY, NOW, ONE, STAFF, THREE, TWO, expire, pay, sell, void

SECONDS = 120
WRONG = ONE[:-1] + str((int(ONE[-1]) + 1) % 10)


def reprint(
    by: str = "Cass", ticket: str = ONE, found: TicketState = "live", reason: str = "jam", at: int = NOW
) -> c.ReprintTicket:
    return c.ReprintTicket(by, at, ticket, Cents(50_00), NOW + DAY, found, reason)


def unclaimed(
    by: str = "Cass", ticket: str = ONE, found: TicketState = "expired", reason: str = "ill", amount: int = 50_00
) -> c.PayUnclaimed:
    return c.PayUnclaimed(by, NOW, ticket, Cents(amount), found, reason)


def employ(by: str = "Max", person: str = "Tim", *roles: Role) -> c.EmployStaff:
    return c.EmployStaff(by, NOW, PersonId(person), roles)


def approve(
    asked: TwoPeople, by: str = "Sue", request: int = 1, found: TicketState | None = None, at: int = NOW
) -> c.ApproveRequest:
    return c.ApproveRequest(by, at, request, digest(asked), found or asked.found)


def give(cage: Cage, *commands: AnyCageCommand) -> list[AnyCageEvent]:
    """What the last of these commands led to."""
    events: list[AnyCageEvent] = []
    for command in commands:
        events = decide(cage, command)
        for event in events:
            evolve(cage, event)
    return events


def money(events: list[AnyCageEvent]) -> list[Transfer]:
    return [transfer for event in events for transfer in post(event)]


def refusal(cage: Cage, command: AnyCageCommand) -> Refused:
    before = dump(cage)
    with pytest.raises(Refused) as caught:
        decide(cage, command)
    assert dump(cage) == before, "a refused command changed the cage"
    return caught.value


@pytest.fixture
def cage() -> Cage:
    return new_cage(STAFF, SECONDS)


# ---- accepted


def test_a_ticket_is_sold_for_cash(cage: Cage) -> None:
    events = give(cage, sell(ticket=f"{ONE[:4]}-{ONE[4:10]} {ONE[10:]}"))
    assert events == [c.TicketSold("Cass", NOW, ONE, Cents(50_00), NOW + DAY)]
    assert money(events) == [Transfer("cage", f"ticket:{ONE}", Cents(50_00), "ticket sold", ONE)]
    assert cage.counts["sold"] == 1


def test_a_ticket_lives_180_days_at_most(cage: Cage) -> None:
    assert give(cage, sell(expires=NOW + LONGEST))
    assert refusal(cage, sell(expires=NOW + LONGEST + 1)).reason == "ticket"


def test_a_live_ticket_is_paid_until_the_last_moment_of_its_life(cage: Cage) -> None:
    events = give(cage, pay(at=NOW + DAY))
    assert events == [c.TicketPaid("Cass", NOW + DAY, ONE, Cents(50_00))]
    assert money(events) == [Transfer(f"ticket:{ONE}", "cage", Cents(50_00), "ticket paid", ONE)]
    assert refusal(cage, pay(at=NOW + DAY + 1)).reason == "ticket"


def test_a_ticket_expires_in_the_moment_after_its_life(cage: Cage) -> None:
    assert refusal(cage, expire(at=NOW + DAY)).reason == "early"
    events = give(cage, expire(at=NOW + DAY + 1))
    assert events == [c.TicketExpired("system", NOW + DAY + 1, ONE, Cents(50_00))]
    assert money(events) == [Transfer(f"ticket:{ONE}", "unclaimed", Cents(50_00), "ticket expired", ONE)]


def test_a_void_waits_for_a_second_person_and_moves_nothing_until_then(cage: Cage) -> None:
    asked = void()
    events = give(cage, asked)
    content = msgspec.json.encode(asked)
    assert events == [m.ApprovalRequested("Cass", NOW, 1, content, digest(asked), NOW + SECONDS * 1000)]
    assert money(events) == []
    events = give(cage, approve(asked, at=NOW + 5))
    voided = c.TicketVoided("Cass", NOW + 5, ONE, Cents(50_00), "misprint", "", 0)
    assert events == [m.ApprovalGiven("Sue", NOW + 5, 1, "Cass"), voided]
    assert money(events) == [Transfer(f"ticket:{ONE}", "cage", Cents(50_00), "ticket void", ONE)]
    assert (cage.requests, cage.counts["void"], cage.counts["replaced"]) == ({}, 1, 0)


def test_a_lost_ticket_is_replaced_by_one_of_the_same_amount(cage: Cage) -> None:
    asked = void(reason="lost", replacement=f"{TWO[:9]}-{TWO[9:]}", replacement_expires=NOW + LONGEST)
    events = give(cage, asked, approve(asked))
    assert events[1] == c.TicketVoided("Cass", NOW, ONE, Cents(50_00), "lost", TWO, NOW + LONGEST)
    assert money(events) == [Transfer(f"ticket:{ONE}", f"ticket:{TWO}", Cents(50_00), "ticket replaced", ONE)]
    assert (cage.counts["void"], cage.counts["replaced"]) == (0, 1)


def test_a_ticket_that_did_not_come_out_is_reprinted_and_is_no_second_ticket(cage: Cage) -> None:
    before = dump(cage)
    events = give(cage, reprint(), reprint(at=NOW + DAY))
    assert events == [c.TicketReprinted("Cass", NOW + DAY, ONE, Cents(50_00), "jam")]
    assert money(events) == []
    assert dump(cage) == before
    assert give(cage, pay())


def test_an_expired_ticket_is_paid_after_all_by_two_people(cage: Cage) -> None:
    asked = unclaimed()
    assert money(give(cage, asked)) == []
    events = give(cage, approve(asked))
    assert events[1] == c.UnclaimedPaid("Cass", NOW, ONE, Cents(50_00), "ill")
    assert money(events) == [Transfer("unclaimed", "cage", Cents(50_00), "ticket paid", ONE)]
    assert (cage.counts["unclaimed paid"], cage.counts["paid"]) == (1, 0)


def test_staff_are_employed_and_their_roles_changed(cage: Cage) -> None:
    assert give(cage, employ("Max", "Tim", "cashier")) == [c.StaffEmployed("Max", NOW, PersonId("Tim"), ("cashier",))]
    assert give(cage, sell("Tim"))
    give(cage, employ("Max", "Sue", "cashier"))
    assert refusal(cage, employ("Sue", "Tim", "cashier")).reason == "permission"


def test_a_declined_request_waits_no_longer(cage: Cage) -> None:
    asked = void()
    events = give(cage, asked, c.DeclineRequest("Sue", NOW, 1))
    assert events == [m.ApprovalDeclined("Sue", NOW, 1)]
    assert money(events) == []
    assert refusal(cage, approve(asked)).reason == "approval"
    assert cage.next_request == 2


def test_the_software_declines_what_nobody_can_approve_any_more(cage: Cage) -> None:
    give(cage, void())
    last = NOW + SECONDS * 1000
    assert refusal(cage, c.DeclineRequest("system", last, 1)).reason == "approval"
    assert give(cage, c.DeclineRequest("system", last + 1, 1)) == [m.ApprovalDeclined("system", last + 1, 1)]
    assert cage.requests == {}


# ---- refused

REFUSED: list[tuple[AnyCageCommand, str, str]] = [
    (sell("Eve"), "permission", "not-cage-staff person=Eve act=SellTicket allowed=('cashier', "),
    (sell(ticket="12"), "ticket", "digits ticket=12 digits=18"),
    (sell(ticket=WRONG), "ticket", f"wrong-digit ticket={WRONG}"),
    (sell(amount=0), "amount", "not-above-zero amount=0"),
    (sell(amount=-1), "amount", "not-above-zero amount=-1"),
    (sell(amount=10**14), "amount", f"too-large amount={10**14} most={10**14 - 1}"),
    (sell(expires=NOW), "ticket", "life days=180"),
    (pay("Eve"), "permission", "act=PayTicket"),
    (pay("system"), "permission", "not-cage-staff person=system"),
    (pay(ticket=WRONG), "ticket", f"wrong-digit ticket={WRONG}"),
    (pay(amount=0), "ticket", "no-value"),
    (pay(found="unknown"), "ticket", "unknown"),
    (pay(found="redeemed"), "ticket", "redeemed"),
    (pay(found="paid"), "ticket", "paid"),
    (pay(found="void"), "ticket", "void"),
    (pay(found="expired"), "ticket", f"expired ticket={ONE} expires="),
    (
        expire("Shay"),
        "permission",
        f"role person=Shay act=ExpireTicket held={('shift-manager', 'cashier')} allowed={('system',)}",
    ),
    (expire(ticket=WRONG), "ticket", f"wrong-digit ticket={WRONG}"),
    (expire(amount=0), "ticket", "no-value"),
    (expire(found="unknown"), "ticket", "unknown"),
    (expire(found="redeemed"), "ticket", "redeemed"),
    (expire(found="paid"), "ticket", "paid"),
    (expire(found="void"), "ticket", "void"),
    (expire(found="expired"), "ticket", f"expired ticket={ONE} expires="),
    (expire(at=NOW), "early", f"ticket-lives ticket={ONE} expires={NOW + DAY} at={NOW}"),
    (void("system"), "permission", "act=VoidTicket"),
    (void(ticket=WRONG), "ticket", f"wrong-digit ticket={WRONG}"),
    (void(reason=" \t"), "reason", "needed act=VoidTicket"),
    (void(found="unknown"), "ticket", "unknown"),
    (void(found="redeemed"), "ticket", "redeemed"),
    (void(found="paid"), "ticket", "paid"),
    (void(found="void"), "ticket", "void"),
    (void(found="expired"), "ticket", f"expired ticket={ONE} expires="),
    (void(at=NOW + DAY + 1), "ticket", f"expired ticket={ONE} expires="),
    (void(replacement=WRONG, replacement_expires=NOW + DAY), "ticket", f"wrong-digit ticket={WRONG}"),
    (void(replacement=f"{ONE[:3]} {ONE[3:]}", replacement_expires=NOW + DAY), "replacement", f"itself ticket={ONE}"),
    (void(replacement=TWO), "ticket", "life days=180"),
    (void(replacement=TWO, replacement_expires=NOW + LONGEST + 1), "ticket", "life days=180"),
    (void(replacement_expires=NOW + DAY), "replacement", f"none-to-expire ticket={ONE}"),
    (reprint("system"), "permission", "act=ReprintTicket"),
    (reprint(ticket=WRONG), "ticket", f"wrong-digit ticket={WRONG}"),
    (reprint(reason=" "), "reason", "needed act=ReprintTicket"),
    (reprint(found="paid"), "ticket", "paid"),
    (reprint(at=NOW + DAY + 1), "ticket", f"expired ticket={ONE} expires="),
    (unclaimed("system"), "permission", "act=PayUnclaimed"),
    (unclaimed(ticket=WRONG), "ticket", f"wrong-digit ticket={WRONG}"),
    (unclaimed(reason=""), "reason", "needed act=PayUnclaimed"),
    (unclaimed(amount=0), "amount", "not-above-zero amount=0"),
    *(
        (unclaimed(found=s), "ticket", f"not-expired ticket={ONE} found={s}")
        for s in get_args(TicketState)
        if s != "expired"
    ),
    (
        employ("Cass", "Tim", "cashier"),
        "permission",
        "role person=Cass act=EmployStaff held=('cashier',) allowed=('pit-supervisor', ",
    ),
    (employ("system", "Tim", "cashier"), "permission", "act=EmployStaff"),
    (employ("Max", "system", "cashier"), "name", "system person=system"),
    (employ("Max", "Tim Tom", "cashier"), "name", "not-a-name name=Tim Tom what=person"),
    (employ("Max", "Tim"), "role", f"not-of-cage person=Tim roles=() known={AT_THE_CAGE}"),
    (employ("Max", "Tim", "cashier", "dealer"), "role", "not-of-cage person=Tim roles=('cashier', 'dealer')"),
    (employ("Max", "Tim", "shift-manager"), "rank", "above-own person=Max highest=pit-manager"),
    (employ("Max", "Max", "shift-manager"), "rank", "above-own person=Max"),
    (employ("Max", "Shay", "cashier"), "rank", "above-own person=Max"),
    (c.ApproveRequest("Cass", NOW, 1, "", "live"), "permission", "act=ApproveRequest"),
    (c.ApproveRequest("Sue", NOW, 1, "", "live"), "approval", "unknown request=1 waiting=()"),
    (c.DeclineRequest("Cass", NOW, 1), "permission", "act=DeclineRequest"),
    (c.DeclineRequest("Sue", NOW, 1), "approval", "unknown request=1 waiting=()"),
]


@pytest.mark.parametrize(
    ("command", "reason", "says"),
    REFUSED,
    ids=[f"{i}-{type(command).__name__}-{reason}" for i, (command, reason, _) in enumerate(REFUSED)],
)
def test_refused(cage: Cage, command: AnyCageCommand, reason: str, says: str) -> None:
    said = refusal(cage, command)
    assert said.reason == reason
    assert says in str(said)


def test_the_last_supervisor_stays() -> None:
    alone = new_cage({PersonId("Sue"): ("pit-supervisor",)})
    said = refusal(alone, employ("Sue", "Sue", "cashier"))
    assert (said.reason, said.facts) == ("supervision", {"roles": SUPERVISION})


@pytest.mark.parametrize(
    ("staff", "seconds", "reason"),
    [
        ({"Cass": ("cashier",)}, 120, "supervision"),
        ({}, 120, "supervision"),
        ({"Sue": ("pit-supervisor",), "system": ("cashier",)}, 120, "name"),
        ({"Sue": ("pit-supervisor",), "Dan": ("dealer",)}, 120, "role"),
        ({"Sue": ("pit-supervisor",), "Dan": ()}, 120, "role"),
        ({"Sue": ("pit-supervisor",), "": ("cashier",)}, 120, "name"),
        ({"Sue": ("pit-supervisor",)}, 0, "time"),
    ],
)
def test_a_cage_that_cannot_work_is_not_made(
    staff: dict[PersonId, tuple[Role, ...]], seconds: int, reason: str
) -> None:
    with pytest.raises(Refused) as caught:
        new_cage(staff, seconds)
    assert caught.value.reason == reason


TWO_PERSON_REASONS = {"approval-expired", "same-person", "approval-content"}


def test_every_reason_in_the_code_is_tested() -> None:
    files = Path(cage_room.__file__).parent.glob("*.py")
    written = {reason for file in files for reason in re.findall(r'Refused\(\s*"([^"]+)"', file.read_text())}
    shown = {reason for _, reason, _ in REFUSED} | TWO_PERSON_REASONS | {"supervision", "time"}
    assert written <= shown


# ---- who may do what

MAY: dict[type[m.Command], str] = {
    c.SellTicket: "cashier pit-supervisor pit-manager shift-manager",
    c.PayTicket: "cashier pit-supervisor pit-manager shift-manager",
    c.VoidTicket: "cashier pit-supervisor pit-manager shift-manager",
    c.ReprintTicket: "cashier pit-supervisor pit-manager shift-manager",
    c.ExpireTicket: "system",
    c.PayUnclaimed: "cashier pit-supervisor pit-manager shift-manager",
    c.EmployStaff: "pit-supervisor pit-manager shift-manager",
    c.ApproveRequest: "pit-supervisor pit-manager shift-manager",
    c.DeclineRequest: "pit-supervisor pit-manager shift-manager system",
}


def test_permits_name_every_command_and_no_other() -> None:
    assert set(PERMITS) == set(get_args(AnyCageCommand)) == set(MAY)


@pytest.mark.parametrize("who", [*AT_THE_CAGE, "system", "nobody"])
def test_each_role_may_do_its_acts_and_nothing_else(who: str) -> None:
    staff = {PersonId(role): (role,) for role in AT_THE_CAGE} | {PersonId("Boss"): ("shift-manager",)}
    cage = new_cage(staff, SECONDS)
    waiting = void("Boss", THREE)
    give(cage, waiting)
    acts: list[AnyCageCommand] = [
        sell(who),
        pay(who),
        void(who),
        reprint(who),
        expire(who),
        unclaimed(who),
        employ(who, "Tim", "cashier"),
        approve(waiting, who),
        c.DeclineRequest(who, NOW + SECONDS * 1000 + 1, 1),
    ]
    for command in acts:
        if who in MAY[type(command)].split():
            assert decide(cage, command)
        else:
            assert refusal(cage, command).reason == "permission"


def test_what_is_not_in_the_table_of_permits_is_denied(cage: Cage) -> None:
    said = refusal(cage, m.OpenTable("Shay", NOW))  # type: ignore[arg-type]
    assert (said.reason, said.facts["allowed"]) == ("permission", ())


# ---- two people


@pytest.mark.parametrize("asked", [void("Sue"), unclaimed("Sue")], ids=["void", "unclaimed"])
def test_nobody_approves_what_they_asked_for(cage: Cage, asked: TwoPeople) -> None:
    give(cage, asked)
    assert refusal(cage, approve(asked, "Sue")).reason == "same-person"
    assert refusal(cage, approve(asked, "Cole")).reason == "permission"
    assert give(cage, approve(asked, "Max"))


@pytest.mark.parametrize("asked", [void("Sue"), unclaimed("Sue")], ids=["void", "unclaimed"])
def test_a_request_ends_when_its_asker_leaves_the_cage(cage: Cage, asked: TwoPeople) -> None:
    give(cage, asked)
    del cage.staff[PersonId("Sue")]
    assert refusal(cage, approve(asked, "Max")).reason == "permission"


def test_an_approval_binds_the_exact_content(cage: Cage) -> None:
    asked = void()
    give(cage, asked)
    other = msgspec.structs.replace(asked, amount=Cents(500_00))
    assert refusal(cage, approve(other)).reason == "approval-content"
    assert refusal(cage, approve(void(ticket=TWO))).reason == "approval-content"
    assert refusal(cage, approve(void(replacement=TWO, replacement_expires=NOW + DAY))).reason == "approval-content"


def test_an_approval_is_for_one_request(cage: Cage) -> None:
    first, second = void(), void(ticket=TWO)
    give(cage, first, second)
    assert refusal(cage, approve(first, request=2)).reason == "approval-content"
    voided = give(cage, approve(second, request=2))[1]
    assert isinstance(voided, c.TicketVoided)
    assert voided.ticket == TWO
    assert list(cage.requests) == [1]


def test_a_request_expires(cage: Cage) -> None:
    asked, last = void(), NOW + SECONDS * 1000
    give(cage, asked)
    assert refusal(cage, approve(asked, at=last + 1)).reason == "approval-expired"
    assert give(cage, approve(asked, at=last))


def test_expired_requests_are_forgotten_so_the_cage_stays_small(cage: Cage) -> None:
    later = NOW + SECONDS * 1000
    give(cage, void(), void(ticket=TWO, at=later))
    assert list(cage.requests) == [1, 2]
    give(cage, void(ticket=THREE, at=later + 1))
    assert list(cage.requests) == [2, 3]
    said = refusal(cage, approve(void(), at=later + 1))
    assert (said.reason, said.facts["waiting"]) == ("approval", ("2", "3"))


def test_an_approval_is_given_once(cage: Cage) -> None:
    asked = void()
    give(cage, asked, approve(asked))
    assert refusal(cage, approve(asked, "Max")).reason == "approval"


@pytest.mark.parametrize("found", [state for state in get_args(TicketState) if state != "live"])
def test_a_ticket_that_is_no_longer_live_is_not_voided(cage: Cage, found: TicketState) -> None:
    asked = void()
    give(cage, asked)
    assert refusal(cage, approve(asked, found=found)).reason == "ticket"


@pytest.mark.parametrize("found", [state for state in get_args(TicketState) if state != "expired"])
def test_money_no_longer_unclaimed_is_not_paid(cage: Cage, found: TicketState) -> None:
    asked = unclaimed()
    give(cage, asked)
    assert refusal(cage, approve(asked, found=found)).reason == "ticket"


def test_a_ticket_that_expires_while_its_void_waits_is_not_voided(cage: Cage) -> None:
    asked = void(at=NOW + DAY)
    give(cage, asked)
    assert refusal(cage, approve(asked, at=NOW + DAY + 1)).reason == "ticket"


def test_a_person_who_lost_their_role_has_asked_for_nothing(cage: Cage) -> None:
    tim = void("Tim")
    give(cage, employ("Max", "Tim", "cashier"), tim)
    del cage.staff[PersonId("Tim")]
    assert refusal(cage, approve(tim)).reason == "permission"


# ---- written down and read back


def test_messages_read_back_as_they_were_written() -> None:
    commands = [command for command, _, _ in REFUSED]
    assert {type(command) for command in commands} == set(get_args(AnyCageCommand))
    for command in commands:
        assert msgspec.json.decode(msgspec.json.encode(command), type=AnyCageCommand) == command
    cage, lost = new_cage(STAFF), void(replacement=TWO, replacement_expires=NOW + DAY)
    events = [
        *give(cage, sell()),
        *give(cage, pay()),
        *give(cage, reprint()),
        *give(cage, expire()),
        *give(cage, employ("Max", "A", "cashier")),
    ]
    events += [*give(cage, lost), *give(cage, approve(lost)), *give(cage, unclaimed())]
    events += [*give(cage, approve(unclaimed(), request=2)), *give(cage, void(), c.DeclineRequest("Sue", NOW, 3))]
    assert {type(event) for event in events} == set(get_args(AnyCageEvent))
    for event in events:
        assert msgspec.json.decode(msgspec.json.encode(event), type=AnyCageEvent) == event


def test_the_cage_shares_no_word_with_a_table_but_the_approvals() -> None:
    assert not set(_names(AnyCageCommand)) & set(_names(m.AnyCommand))
    shared = set(_names(AnyCageEvent)) & set(_names(m.AnyEvent))
    assert shared == {"ApprovalRequested", "ApprovalGiven", "ApprovalDeclined"}


def _names(union: object) -> list[str]:
    return [kind.__name__ for kind in get_args(union)]


def test_a_cage_is_loaded_as_it_was_dumped_and_works_on(cage: Cage) -> None:
    asked = void(replacement=TWO, replacement_expires=NOW + DAY)
    give(cage, sell(), employ("Max", "Abe", "cashier"), unclaimed(), asked)
    again = load(dump(cage))
    assert again == cage
    assert list(again.staff) == list(cage.staff) == [*STAFF, "Abe"]
    assert list(again.requests) == [1, 2]
    assert dump(again) == dump(cage)
    assert give(again, approve(asked, request=2)) == give(cage, approve(asked, request=2))


# ---- a long random day beside a model kept by hand

COMMANDS = 20_000
RANKS = {"cashier": 1, "pit-supervisor": 2, "pit-manager": 3, "shift-manager": 4}


class Paper:
    """What the model knows of one ticket."""

    def __init__(self, amount: int, expires: int) -> None:
        self.state: TicketState = "live"
        self.amount = amount
        self.expires = expires
        self.ends = 0


class Model:
    """The cage and the store's facts a second time, as a clerk would keep them; judges commands, never events."""

    def __init__(self) -> None:
        self.papers: dict[str, Paper] = {}
        self.cash = 0  # as the ledger has it: below zero for cash that came in
        self.unclaimed = 0
        self.tables = 0
        self.rank = {str(person): max(RANKS[role] for role in roles) for person, roles in STAFF.items()}
        self.waiting: dict[int, tuple[TwoPeople, str, int]] = {}
        self.asked = 0
        self.counts: Counter[str] = Counter()

    def state(self, number: str) -> TicketState:
        paper = self.papers.get(_plain(number))
        return paper.state if paper else "unknown"

    def agrees(self, command: AnyCageCommand) -> bool:
        """Whether the command is in order; if it is, everything it changes is written down."""
        rank = self.rank.get(command.by, 0)
        match command:
            case c.SellTicket():
                lives = command.expires - command.at
                fine = rank >= 1 and _is_number(command.ticket) and command.amount > 0 and 0 < lives <= 180 * DAY
                if fine:
                    self.papers[_plain(command.ticket)] = Paper(command.amount, command.expires)
                    self.cash -= command.amount
                    self.counts["sold"] += 1
                return fine
            case c.PayTicket():
                return rank >= 1 and self._live(command.ticket, command.at) and self._end(command.ticket, "paid")
            case c.ReprintTicket():
                return rank >= 1 and bool(command.reason.strip()) and self._live(command.ticket, command.at)
            case c.ExpireTicket():
                paper = self.papers.get(_plain(command.ticket))
                due = paper is not None and paper.state == "live" and command.at > paper.expires
                return due and command.by == "system" and self._end(command.ticket, "expired")
            case c.VoidTicket() | c.PayUnclaimed():
                return rank >= 1 and self._in_order(command, command.at) and self._ask(command)
            case c.ApproveRequest():
                asked, content, until = self.waiting.get(command.request, (None, "", 0))
                fine = asked is not None and rank >= 2 and command.at <= until and command.digest == content
                fine = fine and asked is not None and asked.by != command.by and self.rank.get(asked.by, 0) >= 1
                if not fine or asked is None or not self._in_order(asked, command.at):
                    return False
                del self.waiting[command.request]
                return self._carry_out(asked)
            case c.DeclineRequest():
                until = self.waiting[command.request][2] if command.request in self.waiting else command.at
                over = command.by == "system" and command.at > until
                return (rank >= 2 or over) and self.waiting.pop(command.request, None) is not None
            case c.EmployStaff():
                given = max((RANKS.get(role, 9) for role in command.roles), default=9)
                had = self.rank.get(command.person, 0)
                fine = rank >= 2 and command.person != "system" and given <= rank and had <= rank
                if fine:
                    self.rank[command.person] = given
                return fine

    def _live(self, number: str, at: int) -> bool:
        paper = self.papers.get(_plain(number))
        return paper is not None and paper.state == "live" and at <= paper.expires

    def _in_order(self, command: TwoPeople, at: int) -> bool:
        if not command.reason.strip():
            return False
        if isinstance(command, c.PayUnclaimed):
            return self.state(command.ticket) == "expired"
        if not command.replacement:
            return command.replacement_expires == 0 and self._live(command.ticket, at)
        lives = command.replacement_expires - at
        other = _is_number(command.replacement) and _plain(command.replacement) != _plain(command.ticket)
        return other and 0 < lives <= 180 * DAY and self._live(command.ticket, at)

    def _ask(self, command: TwoPeople) -> bool:
        self.waiting = {number: held for number, held in self.waiting.items() if held[2] >= command.at}
        self.asked += 1
        self.waiting[self.asked] = (command, digest(command), command.at + SECONDS * 1000)
        return True

    def _carry_out(self, asked: TwoPeople) -> bool:
        paper = self.papers[_plain(asked.ticket)]
        if isinstance(asked, c.PayUnclaimed):
            paper.state = "paid"
            self.unclaimed -= paper.amount
            self.cash += paper.amount
            self.counts["unclaimed paid"] += 1
            return True
        if asked.replacement:
            self.papers[_plain(asked.replacement)] = Paper(paper.amount, asked.replacement_expires)
            self.cash -= paper.amount  # the old one is taken back and the new one handed out
        return self._end(asked.ticket, "void", "replaced" if asked.replacement else "void")

    def _end(self, number: str, state: TicketState, count: str = "") -> bool:
        paper = self.papers[_plain(number)]
        assert paper.ends == 0, f"ticket {number} ended twice"
        paper.ends, paper.state = 1, state
        if state == "expired":
            self.unclaimed += paper.amount
        elif state == "redeemed":
            self.tables += paper.amount
        else:
            self.cash += paper.amount
        if state != "redeemed":
            self.counts[count or state] += 1
        return True

    def redeem(self, number: str, at: int) -> list[Transfer]:
        """What a table does with a ticket, behind the cage's back."""
        if not self._live(number, at):
            return []
        self._end(number, "redeemed")
        amount = Cents(self.papers[number].amount)
        return [Transfer(f"ticket:{number}", "terminal:T1/A", amount, "ticket in", number)]

    def balances(self) -> dict[str, int]:
        live = {f"ticket:{n}": paper.amount if paper.state == "live" else 0 for n, paper in self.papers.items()}
        return {"cage": self.cash, "unclaimed": self.unclaimed, "terminal:T1/A": self.tables, **live}


def _plain(number: str) -> str:
    return re.sub("[^0-9]", "", number)


def _is_number(text: str) -> bool:
    return len(_plain(text)) == 18 and int(_plain(text)) % 97 == 1


class Day:
    """Everyone who comes to the counter, some of them confused."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.model = Model()
        self.now = NOW
        self.recent: list[str] = []

    def next(self) -> AnyCageCommand:
        self.now += self.random.choices((0, 1, 500, 9_000, 100_000, DAY // 4), (5, 5, 5, 5, 3, 1))[0]
        kinds = (self.sell, self.pay, self.void, self.expire, self.unclaimed, self.approve, self.decline, self.employ)
        return self.random.choices((*kinds, self.reprint), (9, 4, 6, 6, 4, 9, 1, 1, 1))[0]()

    def sell(self) -> c.SellTicket:
        number = self.new_number()
        amount = self.random.choice((1, 50_00, 100_00, self.random.randrange(1, 10**7), 0, -5))
        return c.SellTicket(self.anyone(), self.now, number, Cents(amount), self.an_expiry())

    def pay(self) -> c.PayTicket:
        return c.PayTicket(self.anyone(), self.now, *self.facts(self.a_ticket()))

    def expire(self) -> c.ExpireTicket:
        by = self.random.choices(("system", self.anyone()), (9, 1))[0]
        return c.ExpireTicket(by, self.now, *self.facts(self.a_ticket()))

    def void(self) -> c.VoidTicket:
        number, amount, expires, found = self.facts(self.a_ticket())
        replacements = (("", 0), (self.new_number(), self.an_expiry()), ("", 7), (number, self.now + 9))
        new, until = self.random.choices(replacements, (9, 9, 1, 1))[0]
        return c.VoidTicket(self.anyone(), self.now, number, amount, expires, found, self.a_reason(), new, until)

    def reprint(self) -> c.ReprintTicket:
        return c.ReprintTicket(self.anyone(), self.now, *self.facts(self.a_ticket()), self.a_reason())

    def unclaimed(self) -> c.PayUnclaimed:
        expired = [number for number in self.recent if self.model.state(number) == "expired"]
        number = self.random.choice(expired) if expired and self.random.random() < 0.8 else self.a_ticket()
        number, amount, _, found = self.facts(number)
        return c.PayUnclaimed(self.anyone(), self.now, number, amount, found, self.a_reason())

    def approve(self) -> c.ApproveRequest:
        waiting = self.model.waiting
        number = (
            self.random.choice([*waiting, self.model.asked + 1]) if self.random.random() < 0.2 else self.model.asked
        )
        asked, content, _ = waiting.get(number, (None, "", 0))
        content = content if self.random.random() < 0.9 else "0" * 16
        found = self.model.state(asked.ticket) if asked else "unknown"
        return c.ApproveRequest(self.anyone(), self.now, number, content, found)

    def decline(self) -> c.DeclineRequest:
        return c.DeclineRequest(self.anyone(), self.now, self.model.asked - self.random.randrange(-1, 3))

    def employ(self) -> c.EmployStaff:
        person = PersonId(self.random.choice(("Tim", "Tom", "Cole", "Max", "system")))
        roles: list[Role] = ["cashier", "pit-supervisor", "pit-manager", "shift-manager", "dealer"]
        return c.EmployStaff(
            self.anyone(), self.now, person, tuple(self.random.sample(roles, self.random.randrange(3)))
        )

    def facts(self, number: str) -> tuple[str, Cents, int, TicketState]:
        """What the store would say of a ticket, however its number is written."""
        paper = self.model.papers.get(number, Paper(5, self.now + 5))
        written = number if self.random.random() < 0.8 else f"{number[:5]}-{number[5:12]} {number[12:]}"
        return written, Cents(paper.amount), paper.expires, self.model.state(number)

    def a_ticket(self) -> str:
        self.recent = [n for n in [*self.recent, *list(self.model.papers)[-3:]] if n in self.model.papers][-60:]
        live = [number for number in self.recent if self.model.state(number) == "live"]
        if not self.recent or self.random.random() < 0.03:
            return self.new_number()
        return self.random.choice(live if live and self.random.random() < 0.7 else self.recent)

    def new_number(self) -> str:
        number = ticket_number(self.random.randrange(10**16))
        return number if self.random.random() < 0.97 else number[:-1]

    def an_expiry(self) -> int:
        lives = (1, 600_000, DAY, 3 * DAY, LONGEST, LONGEST + 1, 0)
        return self.now + self.random.choices(lives, (1, 8, 8, 8, 2, 1, 1))[0]

    def a_reason(self) -> str:
        return self.random.choices(("lost", "misprint", " "), (5, 5, 1))[0]

    def anyone(self) -> str:
        return self.random.choices((*STAFF, "Tim", "Eve", "system"), (3, 3, 9, 9, 9, 3, 1, 1))[0]


def test_a_long_day_agrees_with_a_model_kept_by_hand() -> None:
    day, cage, accounts, met = Day(20), new_cage(STAFF, SECONDS), Counter[str](), Counter[str]()
    for turn in range(COMMANDS):
        command = day.next()
        askers = {number: held[0].by for number, held in day.model.waiting.items()}
        expected = day.model.agrees(command)
        events, said = _answer(cage, command)
        assert bool(events) == expected, f"turn {turn}: {command}: {said}"
        met[said] += 1
        if expected and isinstance(command, c.ApproveRequest):
            assert askers[command.request] != command.by
        for event in events:
            evolve(cage, event)
        _book(accounts, money(events))
        if turn % 7 == 0:
            _book(accounts, day.model.redeem(_plain(day.a_ticket()), day.now))
        if turn % 50 == 0 or turn == COMMANDS - 1:
            _compare(day.model, cage, accounts)
            cage = load(dump(cage))
    assert min(day.model.counts[count] for count in cage.counts) > 50, day.model.counts
    assert set(met) >= NEEDED, NEEDED - set(met)


def _answer(cage: Cage, command: AnyCageCommand) -> tuple[list[AnyCageEvent], str]:
    """What a command leads to, and its name with the reason of a refusal."""
    name = type(command).__name__
    try:
        return decide(cage, command), name
    except Refused as refused:
        return [], f"{name} {refused.reason}"


def _book(accounts: Counter[str], transfers: list[Transfer]) -> None:
    for transfer in transfers:
        assert transfer.amount > 0
        accounts[transfer.source] -= transfer.amount
        accounts[transfer.target] += transfer.amount
        assert transfer.source == "cage" or accounts[transfer.source] >= 0, transfer


def _compare(model: Model, cage: Cage, accounts: Counter[str]) -> None:
    by_hand = model.balances()
    assert sum(by_hand.values()) == 0
    assert accounts == Counter(by_hand)
    assert cage.counts == {count: model.counts[count] for count in cage.counts}
    assert list(cage.requests) == list(model.waiting)
    assert load(dump(cage)) == cage


NEEDED = {
    *_names(AnyCageCommand),
    *(f"{name} permission" for name in _names(AnyCageCommand)),
    *(f"{name} ticket" for name in _names(AnyCageCommand) if "Ticket" in name),
    *("SellTicket amount", "ExpireTicket early", "VoidTicket reason", "VoidTicket replacement"),
    *("PayUnclaimed reason", "PayUnclaimed ticket", "EmployStaff role", "EmployStaff rank", "EmployStaff name"),
    *(f"ApproveRequest {reason}" for reason in ("approval", "same-person", "approval-content", "approval-expired")),
    *("ApproveRequest ticket", "DeclineRequest approval"),
}
"""What the long day must have met: every command accepted, and refused for each of these."""
