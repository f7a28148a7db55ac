"""Plays a crowd's evening on the engine beside the oracle, and checks after every command that they agree."""

from __future__ import annotations

import re
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from random import Random

import msgspec

from croupier import Layout, Rulebook, load_rulebook
from croupier.ledger import Balances, Figures, Meter, check_laws, figures, meter, post
from croupier.rules.refusal import Refused
from croupier.table import messages as m
from croupier.table.decide import decide
from croupier.table.evolve import evolve
from croupier.table.messages import AnyCommand, AnyEvent, BetId, PersonId, RoundNumber
from croupier.table.state import Table, new_table
from croupier.transcript import play as transcript
from tests.simulation.oracle import Oracle
from tests.simulation.swarm import BOOKS, KINDS, RIGHT, Evening, Swarm, random_evening
from tests.support.staff import PARTS

REPLAY_EVERY = 2_000
SHORT_EVENING = 150
BUILD = Path(__file__).parents[2] / "build"


VIEW = (
    "phase",
    "open",
    "lock",
    "lock to come",
    "House",
    "entry light",
    "requests",
    "round",
    "next round",
    "credit, bets, debt, gone, line and colour of the seats",
)


class Disagreement(AssertionError):
    """The engine and the oracle, or the engine and a law, do not agree."""


# ---- what was seen


@dataclass(slots=True)
class Coverage:
    """What a run has met at least once."""

    irregularities: Counter[tuple[str, str]] = field(default_factory=Counter)
    cells: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    kinds: Counter[tuple[str, str]] = field(default_factory=Counter)
    reasons: Counter[str] = field(default_factory=Counter)
    endings: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    clauses: set[tuple[str, str]] = field(default_factory=set)
    """(book, clause) cited by an event, by the fate of a bet or by a refusal."""
    rounds: Counter[str] = field(default_factory=Counter)
    commands: int = 0

    def add(self, other: Coverage) -> None:
        self.irregularities += other.irregularities
        self.cells += other.cells
        self.kinds += other.kinds
        self.reasons += other.reasons
        self.endings += other.endings
        self.clauses |= other.clauses
        self.rounds += other.rounds
        self.commands += other.commands


# ---- one table, engine and oracle side by side


class Match:
    """One evening: the engine's table, the oracle's, and every check between them."""

    def __init__(self, evening: Evening, coverage: Coverage | None = None) -> None:
        self.evening = evening
        self.table = self.fresh()
        self.oracle = Oracle(evening.setup, dict(evening.staff))
        self.balances = Balances()
        self.events: list[AnyEvent] = []
        self.commands: list[AnyCommand] = []
        self.accepted: list[AnyCommand] = []
        self.seen = coverage or Coverage()
        self.mark = fingerprint(self.table)
        self.torn = False

    def fresh(self) -> Table:
        table = new_table(self.evening.setup)
        table.staff |= {PersonId(name): roles for name, roles in self.evening.staff.items()}
        return table

    def give(self, command: AnyCommand) -> None:
        """Give one command to both, and check everything."""
        self.commands.append(command)
        self.seen.commands += 1
        faults = self.oracle.judge(command)
        name = type(command).__name__
        try:
            events = decide(self.table, self.sealed(command))
        except Refused as refused:
            self.seen.kinds[name, "refused"] += 1
            self.seen.reasons[refused.reason] += 1
            self._cite([refused.clause])
            if not faults:
                raise Disagreement(f"refused ({refused.reason}: {refused}), the oracle accepts {command}") from None
            if refused.reason not in faults:
                raise Disagreement(f"refused for {refused.reason}, the oracle knows {faults}: {command}") from None
            if fingerprint(self.table) != self.mark:
                raise Disagreement(f"a refused command changed the table: {command}") from None
            return
        if faults:
            raise Disagreement(f"accepted, the oracle refuses for {faults}: {command}")
        self.seen.kinds[name, "accepted"] += 1
        self.accepted.append(command)
        self._happen(command, events)

    def _cite(self, clauses: Iterable[str | None]) -> None:
        book = self.evening.setup.rulebook.id
        self.seen.clauses |= {(book, clause) for clause in clauses if clause}

    def sealed(self, command: AnyCommand) -> AnyCommand:
        """An approval with the digest of the request it speaks of, as the second person's screen would send it."""
        if isinstance(command, m.Approve) and command.digest == RIGHT:
            request = self.table.requests.get(command.request)
            return msgspec.structs.replace(command, digest=request.digest if request else "")
        return command

    def _happen(self, command: AnyCommand, events: list[AnyEvent]) -> None:
        was = self.oracle.phase
        if torn(self.evening, command):
            # As if the power went before the last moment was kept: an electronic table is found collecting its losers.
            collected = next(place for place, one in enumerate(events) if isinstance(one, m.LosersCollected))
            events, self.torn = events[: collected + 1], True
            self.oracle.live = True
        self._cover(command, events)
        for event in events:
            self._cite([getattr(event, "clause", None), *(paid.clause for paid in getattr(event, "fates", ()))])
        told = [event for event in events if isinstance(event, m.RoundVoided)]
        holders = {bet.seat for bet in self.table.round.bets.values() if bet.stake} if self.table.round else set()
        for event in events:
            self.balances.apply(post(self.evening.setup.table, event))
            evolve(self.table, event)
        self.events += events
        self.oracle.apply(command)
        self.oracle.live = self.evening.setup.rulebook.play.kind == "live"
        for event in told:
            if not holders <= set(event.told):
                raise Disagreement(f"void, but {holders - set(event.told)} were not told")
        check_laws(self.table, self.balances)
        for event in events:
            clause = getattr(event, "clause", None)
            if clause and clause not in self.evening.setup.rulebook.clauses:
                raise Disagreement(f"{clause} is no clause of the book: {event}")
        self.mark = fingerprint(self.table)
        self.compare(command, events)
        if self.oracle.phase == "ready" and was != "ready":
            self.seen.rounds["settled" if self.oracle.last_end == "settled" else "void"] += 1

    def _cover(self, command: AnyCommand, events: Sequence[AnyEvent]) -> None:
        book = self.evening.setup.rulebook.id
        for event in events:
            if isinstance(event, m.Reported | m.RoundVoided | m.SettledRoundVoided):
                self.seen.irregularities[book, event.irregularity] += 1
            if isinstance(event, m.Interrupted):
                self.seen.cells[book, self.oracle.phase, event.part] += 1
            if isinstance(event, m.TerminalsInterrupted):
                self.seen.cells[book, self.oracle.moment(), "terminals"] += 1
            if isinstance(event, m.Resumed | m.PowerBack | m.RoundVoided) and self.oracle.stop:
                self.seen.endings[book, self.oracle.stop.was, type(event).__name__] += 1

    # ---- engine against oracle

    def compare(self, command: AnyCommand, events: Sequence[AnyEvent]) -> None:
        engine, oracle = list(self.engine_view()), list(self.oracle_view())
        if engine != oracle:
            what, one, other = next(
                (name, one, other) for name, one, other in zip(VIEW, engine, oracle, strict=True) if one != other
            )
            raise Disagreement(f"{what}: the engine says {one}, the oracle {other}, after {command}")
        if self.oracle.game:
            if any(isinstance(event, m.BettingClosed) for event in events):
                self.compare_close()
            self.compare_bets()
        for event in events:
            if isinstance(event, m.WinnersPaid | m.RoundVoided | m.ResultCorrected | m.SettledRoundVoided):
                self.compare_past(event.round)

    def engine_view(self) -> Iterator[object]:
        """What can be seen of the engine's table, in the order of VIEW."""
        table = self.table
        yield table.phase
        yield table.open
        yield table.locked
        yield bool(table.lock_after_round)
        yield table.house
        yield list(table.entry)
        yield list(table.requests)
        yield table.round.number if table.round else None
        yield table.next_round
        yield {s.id: (s.credit, s.held, s.owes, s.gone, s.connected, s.colour) for s in table.seats.values()}

    def oracle_view(self) -> Iterator[object]:
        """The same of the oracle's."""
        oracle = self.oracle
        yield oracle.phase
        yield oracle.open
        yield oracle.lock
        yield bool(oracle.lock_due)
        yield oracle.house
        yield oracle.keys
        yield list(oracle.pending)
        yield oracle.game.number if oracle.game else None
        yield oracle.next_number
        yield {
            id: (p.purse, oracle.held(id), p.owes, not p.here, p.online, p.colour) for id, p in oracle.people.items()
        }

    def same(self, what: str, engine: object, oracle: object) -> None:
        if engine != oracle:
            raise Disagreement(f"{what}: the engine says {engine}, the oracle {oracle}, after {self.commands[-1]}")

    def compare_close(self) -> None:
        """What is in action per Player and box; which of a Player's own bets is cut is the engine's choice."""
        game, round = self.oracle.game, self.table.round
        assert game
        assert round
        engine: Counter[tuple[str, str]] = Counter()
        for bet in round.bets.values():
            engine[bet.seat, bet.box] += bet.stake
        self.same("stakes in action", dict(engine), dict(game.sums()))
        for wager in game.wagers:
            wager.stake = round.bets[BetId(wager.id)].stake
        limits = self.evening.setup.rulebook.limits
        for (seat, box), total in engine.items():
            if (seat, box) in game.decided:
                continue
            if limits.minimum.breach == "refuse" and total and total < game.limits.minimum_of(box):
                raise Disagreement(f"{total} on {box} is under the minimum at the close")
            if limits.maximum.breach == "refuse" and total > game.limits.maximum_of(box):
                raise Disagreement(f"{total} on {box} is over the maximum at the close")

    def compare_bets(self) -> None:
        game, round = self.oracle.game, self.table.round
        assert game
        assert round
        if len(round.bets) != len(game.wagers):
            raise Disagreement(f"bets: {list(round.bets)}, the oracle has {[wager.id for wager in game.wagers]}")
        for wager in game.wagers:
            bet = round.bets[BetId(wager.id)]
            if (bet.stake, bet.box, bet.seat) != (wager.stake, wager.box, wager.seat):
                raise Disagreement(f"bet {wager.id}: the engine has {bet}, the oracle {wager}")

    def compare_past(self, number: int) -> None:
        """How a round that is over ended, and what every Player got in every box."""
        if number not in self.oracle.games:
            raise Disagreement(f"round {number} is over, the oracle knows {list(self.oracle.games)}")
        game, past = self.oracle.games[number], self.table.past[RoundNumber(number)]
        clause = None if game.ended == "settled" else game.ended
        self.same(f"void of round {number}", past.void_clause, clause)
        self.same(f"result of round {number}", past.outcome, game.result)
        engine: Counter[tuple[str, str, str]] = Counter()
        for id, paid in past.paid.items():
            bet = past.round.bets[id]
            box, back = bet.box, paid.collected + paid.returned
            if bet.stake and back != bet.stake:
                raise Disagreement(f"bet {id} of {bet.stake}: {back} was collected or returned")
            for name in ("collected", "winnings", "returned"):
                engine[paid.seat, box, name] += getattr(paid, name)
        expected: Counter[tuple[str, str, str]] = Counter()
        for (seat, box), (collected, winnings, returned) in game.fates.items():
            expected[seat, box, "collected"] = collected
            expected[seat, box, "winnings"] = winnings
            expected[seat, box, "returned"] = returned
        self.same(f"fates of round {number}", +engine, +expected)

    def compare_books(self) -> None:
        """The meters of every terminal and the figures of the table, against what the oracle counted by hand."""
        name, oracle = self.evening.setup.table, self.oracle
        for seat, person in oracle.people.items():
            engine = meter(self.balances, name, seat)
            self.same(f"meters of {seat}", engine._asdict(), {field: person.books[field] for field in Meter._fields})
        drop, win = oracle.books["drop"], oracle.books["win"]
        hold = Fraction(win, drop) if drop else None
        expected = {field: oracle.books[field] for field in Figures._fields} | {"bank": oracle.house, "hold": hold}
        self.same("figures", figures(self.balances.flows, name)._asdict(), expected)
        if Balances.of(msgspec.json.decode(msgspec.json.encode(self.balances.flows))) != self.balances:
            raise Disagreement("the balances are not restored from their flows")

    # ---- the whole evening again

    def replay(self) -> None:
        """All events on a fresh table give the same table."""
        again = self.fresh()
        for event in self.events:
            evolve(again, event)
        if again != self.table:
            raise Disagreement("replaying the events gives another table")

    def rewrite(self) -> None:
        """The evening as a transcript, refusals too, played again, gives the same events."""
        text = written(self.evening, self.commands)
        try:
            again = transcript.play(text)
        except transcript.TranscriptFault as fault:
            raise Disagreement(f"the evening written as a transcript does not play: {fault}") from None
        events = [event for turn in again.turns for event in turn.events]
        if events != self.events:
            raise Disagreement("the evening written as a transcript plays differently")


def torn(evening: Evening, command: AnyCommand) -> bool:
    """Whether a confirmation at an electronic table is cut after its first event; its time says so."""
    electronic = evening.setup.rulebook.play.kind == "electronic"
    return electronic and isinstance(command, m.ConfirmResult) and command.at % 5 == 0


def fingerprint(table: Table) -> tuple[object, ...]:
    """A cheap picture of everything a command could change."""
    round = table.round
    return (
        table.phase,
        table.open,
        table.locked,
        table.lock_after_round,
        table.house,
        table.next_round,
        table.next_request,
        tuple(table.requests),
        table.entry,
        table.sensed,
        table.decided,
        table.motion.started,
        table.motion.count,
        len(table.past),
        len(table.staff),
        id(table.limits),
        table.interruption and (table.interruption.was, table.interruption.power_back, table.interruption.shown),
        round and (len(round.bets), sum(round.stakes.values()), round.outcome),
        tuple((s.credit, s.held, s.owes, s.colour, s.connected, s.gone) for s in table.seats.values()),
    )


def written(evening: Evening, commands: Sequence[AnyCommand]) -> str:
    """Commands as a transcript, with what the engine says to each."""
    match = Match(evening)
    shown = transcript.Evening(match.fresh(), {PersonId(name): roles for name, roles in evening.staff.items()})
    for command in commands:
        match.table = shown.table
        try:
            shown.give(match.sealed(command))
        except AssertionError:
            shown.turns.append(transcript.Turn(0, command))
            break
    return transcript.write(shown)


# ---- runs


def book_of(seed: str, number: int, book: str | None) -> str:
    return book or BOOKS[number % len(BOOKS)]


def play_evening(seed: str, number: int, book: str | None, coverage: Coverage, budget: int) -> Match:
    """One evening of a seed; AssertionError if anything is not as it must be (the match is attached)."""
    rng = Random(f"{seed}/{number}")
    evening = random_evening(rng, book_of(seed, number, book))
    short = rng.random() < 0.1
    length = min(budget, SHORT_EVENING if short else rng.choice((500, 1500, REPLAY_EVERY)))
    match = Match(evening, coverage)
    swarm = Swarm(rng, evening, match.oracle)
    try:
        for _ in range(length):
            match.give(swarm.next())
        match.compare_books()
        match.replay()
        if short and not match.torn:
            match.rewrite()
    except AssertionError as fault:
        raise EveningFailed(match, fault) from fault
    return match


class EveningFailed(AssertionError):
    def __init__(self, match: Match, fault: AssertionError) -> None:
        self.match, self.fault = match, fault
        super().__init__(str(fault))


def play_share(
    seed: str, commands: int, book: str | None, first: int, step: int, *, whole: bool = False
) -> tuple[Coverage, str]:
    """Every `step`-th evening of a seed until so many commands were given (the last one whole, if asked)."""
    coverage, number = Coverage(), first
    while coverage.commands < commands:
        try:
            play_evening(seed, number, book, coverage, REPLAY_EVERY if whole else commands - coverage.commands)
        except EveningFailed as failed:
            return coverage, report_failure(seed, number, book, failed)
        number += step
    return coverage, ""


# ---- a failing evening made small


@dataclass(frozen=True, slots=True)
class Fault:
    """What went wrong, and the commands that led to it as they were given."""

    kind: str
    commands: list[AnyCommand]


def fails(evening: Evening, commands: Sequence[AnyCommand], in_round: frozenset[str] = frozenset()) -> Fault | None:
    """The fault these commands lead to, if any. Bets `in_round` are for the round that is open, whatever its number."""
    match = Match(evening)
    try:
        for command in commands:
            if isinstance(command, m.PlaceBet) and command.id in in_round and match.oracle.game:
                command = msgspec.structs.replace(command, round=RoundNumber(match.oracle.game.number))
            match.give(command)
        match.replay()
    except AssertionError as fault:
        return Fault(kind_of(fault), match.commands)
    return None


def kind_of(fault: AssertionError) -> str:
    return " ".join(str(fault).split()[:3])


def shrink(evening: Evening, commands: list[AnyCommand], seconds: float = 30.0) -> list[AnyCommand]:
    """Fewer commands with the same fault: drop chunks, halve them, until nothing can go or the time is over."""
    first = fails(evening, commands)
    if first is None:
        return commands
    numbers = bets_in_their_round(evening, first.commands)
    few, deadline, chunk = first.commands, time.monotonic() + seconds, max(1, len(first.commands) // 2)
    while True:
        place, dropped = 0, False
        while place < len(few) and time.monotonic() < deadline:
            found = fails(evening, [*few[:place], *few[place + chunk :]], numbers)
            if found and found.kind == first.kind and len(found.commands) < len(few):
                few, dropped = found.commands, True
            else:
                place += chunk
        if time.monotonic() >= deadline or (chunk == 1 and not dropped):
            return few
        chunk = max(1, chunk // 2)


def bets_in_their_round(evening: Evening, commands: Sequence[AnyCommand]) -> frozenset[str]:
    """The bets that were sent for the round that was open."""
    match, ids = Match(evening), set()
    for command in commands[:-1]:
        if isinstance(command, m.PlaceBet) and match.oracle.game and command.round == match.oracle.game.number:
            ids.add(command.id)
        match.give(command)
    return frozenset(ids)


def report_failure(seed: str, number: int, book: str | None, failed: EveningFailed) -> str:
    """What to tell a person: the fault, the one command that replays it, and where the short transcript is."""
    few = shrink(failed.match.evening, failed.match.commands)
    BUILD.mkdir(exist_ok=True)
    file = BUILD / f"simulation-{seed}-{number}.round"
    file.write_text(f"# {failed.fault}\n" + written(failed.match.evening, few), encoding="utf-8")
    only = f" --book {book}" if book else ""
    return (
        f"{failed.fault}\nreplay: python -m tests.simulation --seed {seed} --evening {number}{only}\n"
        f"shrunk to {len(few)} commands: {file}"
    )


# ---- what a long run must have met


BY_OTHER_ROOMS = {"late-bet", "late-withdrawal", "early-bet", "box", "stake", "outcome"}
"""Reasons that the rules or the book's own irregularities give."""

ENDINGS: dict[str, set[str]] = {
    "resume-or-void": {"Resumed", "RoundVoided"},
    "continue": {"Resumed", "RoundVoided"},
    "attest": {"PowerBack", "Resumed", "RoundVoided"},
    "wait": {"PowerBack", "Resumed", "RoundVoided"},
    "void": {"RoundVoided"},
    "void-unseen": {"RoundVoided"},
}
"""What a run must see come of each act of the interruption table; of every other act, that play was resumed."""


def cited(book: Rulebook) -> set[str]:
    """Every clause that play at a table of this book must cite: calls, wins, odds, what goes wrong, interruptions."""
    acts = book.interruption.round.values()
    return {
        *(call.clause for call in book.calls if call.id != "no-spin"),
        *(clause for layout in book.layouts for box in layout.boxes for clause in _box_clauses(layout, box)),
        *(part.clause for part in book.irregularities if Oracle.reportable(part)),
        *(clause for act in acts for clause in (act.clause, act.otherwise) if clause),
        *((book.interruption.terminals.unregistered.clause,) if book.interruption.terminals else ()),
    }


def _box_clauses(layout: Layout, box: str) -> tuple[str, str]:
    return layout.box(box).win_clause, layout.box(box).odds_clause


def wanted(books: Sequence[str] = BOOKS) -> dict[str, set[tuple[str, ...]]]:
    """Everything a long run must meet at least once."""
    cells: set[tuple[str, ...]] = set()
    endings: set[tuple[str, ...]] = set()
    irregularities: set[tuple[str, ...]] = set()
    clauses: set[tuple[str, ...]] = set()
    for id in books:
        book = load_rulebook(id)
        clauses |= {(id, clause) for clause in cited(book)}
        for phase, act in book.interruption.round.items():
            cells |= {(id, phase, part) for part in PARTS}
            if book.interruption.terminals:
                cells.add((id, phase, "terminals"))
            endings |= {(id, phase, end) for end in ENDINGS.get(act.act.removesuffix("-and-lock"), {"Resumed"})}
        irregularities |= {(id, part.id) for part in book.irregularities if Oracle.reportable(part)}
    files = Path(new_table.__code__.co_filename).parent.glob("*.py")
    named = {
        reason
        for file in files
        if file.name != "book_change.py"
        for reason in re.findall(r'Refused\(\s*"([a-z-]+)"', file.read_text("utf-8"))
    }
    return {
        "cells": cells,
        "endings": endings,
        "irregularities": irregularities,
        "clauses": clauses,
        "kinds": {(kind.__name__, how) for kind in KINDS for how in ("accepted", "refused")},
        "reasons": {(reason,) for reason in named | BY_OTHER_ROOMS},
    }


def missing(coverage: Coverage) -> dict[str, list[tuple[str, ...]]]:
    met: dict[str, set[tuple[str, ...]]] = {
        "cells": set(coverage.cells),
        "endings": set(coverage.endings),
        "irregularities": set(coverage.irregularities),
        "clauses": set(coverage.clauses),
        "kinds": set(coverage.kinds),
        "reasons": {(reason,) for reason in coverage.reasons},
    }
    return {name: sorted(wants - met[name]) for name, wants in wanted().items()}
