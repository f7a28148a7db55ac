"""The story of an evening: each act and each event that follows, as statements with their clauses."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import assert_never

from croupier import __version__
from croupier.rules.statement import Line, Statement, state
from croupier.table import messages as m
from croupier.table.messages import AnyEvent
from croupier.transcript.phrases import write_phrase
from croupier.transcript.play import Evening
from croupier.words import of_refusal, sentence, wording


def maker_name() -> str:
    """The program with its version and its wording, which made a story in these words."""
    return f"croupier {__version__}+words.{wording()}"


def story_of(evening: Evening) -> Iterator[Line]:
    """Every act with its events, or with its refusal."""
    setup = evening.table.setup
    book = setup.rulebook
    title = book.identity.title
    yield Line(state("story-table", table=setup.table, title=title, book=book.id, layouts=tuple(setup.layouts)))
    for turn in evening.turns:
        phrase = write_phrase(turn.command, evening.table.order)
        yield Line(state("story-act", by=turn.command.by, phrase=phrase))
        if turn.refused:
            yield Line(state("story-refused", why=of_refusal(turn.refused)), under=True)
        for event in turn.events:
            yield from (Line(one, under=True) for one in statements(event))


def text_of(lines: Iterable[Line]) -> Iterator[str]:
    """Lines as text. Lines that belong to the line before are indented."""
    return (f"{'  ' if line.under else ''}{sentence(line.says)}" for line in lines)


def statements(event: AnyEvent) -> Iterator[Statement]:
    """The statements of an event, with its clause."""
    match event:
        case m.BettingOpened():
            yield state("event-opened", event.clause, round=event.round, words=event.words)
        case m.BetPlaced():
            yield state("event-bet", bet=event.bet, seat=event.seat, stake=event.stake, box=event.box)
        case m.BetWithdrawn():
            yield state("event-withdrawn", amount=event.amount, bet=event.bet, seat=event.seat)
        case m.ExcessRejected():
            yield state("event-excess", event.clause, amount=event.amount, bet=event.bet)
        case m.ShortBetAdvised():
            yield state("event-advised", event.clause, seat=event.seat, minimum=event.minimum)
        case m.BettingClosed():
            yield state("event-closed-by-bell" if event.bell else "event-closed", event.clause, words=event.words)
            for share in event.cut:
                yield state("event-cut", share.clause or None, amount=share.amount, bet=share.bet, seat=share.seat)
        case m.ResultAnnounced():
            yield state("event-called", event.clause, words=event.words)
            for layout, boxes in event.lit.items():
                yield state("event-lit", event.lit_clause or None, layout=layout, boxes=boxes)
            if event.dolly_clause:
                yield state("event-dolly", event.dolly_clause, outcome=event.outcome)
        case m.ResultChecked():
            yield state("event-checked", event.clause, outcome=event.outcome)
        case m.LosersCollected():
            if event.words:  # under a book without moments
                yield state("event-called", event.clause, words=event.words)
            else:
                yield state("event-collected", event.clause)
            for layout, boxes in event.lit.items():
                yield state("event-lit", layout=layout, boxes=boxes)
            for paid in event.fates:
                if paid.collected:
                    yield state("event-lost", paid.clause, bet=paid.bet, seat=paid.seat, amount=paid.collected)
        case m.WinnersPaid():
            if event.clause:
                yield state("event-paying", event.clause)
            for paid in event.paid:
                amounts = {"winnings": paid.winnings, "returned": paid.returned}
                yield state("event-paid", paid.clause, bet=paid.bet, seat=paid.seat, **amounts)
            yield state("event-settled", round=event.round)
        case m.RoundVoided():
            void = {"irregularity": event.irregularity, "words": event.words}
            yield state("event-void", event.clause, round=event.round, **void)
            for share in event.returned:
                yield state("event-returned", share.clause or None, bet=share.bet, amount=share.amount, seat=share.seat)
            yield state("event-told", seats=event.told)
        case m.Reported():
            reported = {"irregularity": event.irregularity, "consequence": event.consequence}
            yield state("event-reported", event.clause, **reported)
        case m.BetDecided():
            decided = {"treatment": event.treatment, "box": event.box, "reason": event.reason}
            yield state("event-bet-decided", event.clause, bet=event.bet, **decided)
        case m.Decided():
            yield state("event-decided", event.clause, treatment=event.treatment, reason=event.reason)
        case m.ResultEntered():
            yield state("event-entered", outcome=event.outcome, source=event.source)
        case m.ResultAmended():
            yield state("event-amended", event.clause, old=event.old, outcome=event.outcome)
        case m.ResultDecided():
            yield state("event-result-decided", outcome=event.outcome, reason=event.reason)
        case m.ResultSensed():
            yield state("event-sensed", outcome=event.outcome)
        case m.ResultCorrected():
            again = {"outcome": event.outcome, "reason": event.reason}
            yield state("event-settled-again", event.clause, round=event.round, **again)
            yield from _reversed(event.reversals, event.told)
        case m.SettledRoundVoided():
            again = {"irregularity": event.irregularity, "reason": event.reason}
            yield state("event-void-again", event.clause, round=event.round, **again)
            yield from _reversed(event.reversals, event.told)
        case m.TableLocked():
            yield state("event-locked", event.clause)
        case m.TableUnlocked():
            yield state("event-unlocked", reason=event.reason)
        case m.Interrupted():
            yield state("event-interrupted", event.clause, part=event.part)
        case m.TerminalsInterrupted():
            yield state("event-terminals", event.clause, seats=event.seats)
            for lost in event.lost:
                where = {"box": lost.box, "seat": lost.seat, "treatment": event.treatment}
                yield state("event-unregistered", stake=lost.stake, **where)
        case m.Resumed():
            yield state("event-resumed", event.clause, act=event.act)
        case m.PowerBack():
            yield state("event-power")
        case m.FacesAttested():
            yield state("event-attested", shown="-".join(event.shown))
        case m.ApprovalRequested():
            yield state("event-request", request=event.request)
        case m.ReportContradicted():
            said = event.device
            began, count = "yes" if said.began else "", "" if said.count is None else str(said.count)
            yield state(
                "event-contradicted",
                event.clause,
                device=said.device,
                irregularity=event.irregularity,
                began=began,
                count=count,
                outcome=said.outcome or "",
                request=event.request,
            )
        case m.ApprovalGiven():
            yield state("event-approved", one=event.asked_by, other=event.by)
        case m.ApprovalDeclined():
            yield state("event-declined", request=event.request)
        case m.ColourGiven():
            marked = "event-colour-marked" if event.marker else "event-colour"
            yield state(marked, seat=event.seat, colour=event.colour, value=event.value)
        case m.LimitsSet():
            yield state("event-limits")
        case m.LayoutsSet():
            yield state("event-layouts", layouts=event.layouts)
        case m.BookPlanned():
            how = "event-encoding-planned" if event.correction else "event-version-planned"
            yield state(how, since=event.not_before, **_of_book(event))
        case m.BookTakenUp():
            how = "event-encoding-taken-up" if event.correction else "event-version-taken-up"
            yield state(how, round=event.round, **_of_book(event))
            for layout, boxes in event.gone.items():
                yield state("event-boxes-gone", layout=layout, boxes=boxes)
            for seat, layout in event.moved.items():
                yield state("event-seat-moved", seat=seat, layout=layout)
        case m.PlanCancelled():
            yield state("event-plan-cancelled", id=event.id, reason=event.reason)
        case m.CreditGiven():
            yield state("event-given", seat=event.seat, amount=event.amount, reason=event.reason)
        case m.TicketRedeemed():
            yield state("event-ticket-redeemed", ticket=event.ticket, amount=event.amount, seat=event.seat)
        case m.TicketIssued():
            yield state("event-ticket-issued", amount=event.amount, seat=event.seat, ticket=event.ticket)
        case m.DebtRepaid():
            yield state("event-repaid", seat=event.seat, amount=event.amount)
        case m.DebtWrittenOff():
            yield state("event-written-off", seat=event.seat, amount=event.amount, reason=event.reason)
        case m.BankFilled():
            yield state("event-bank-filled", amount=event.amount)
        case m.BankDrained():
            yield state("event-bank-drained", amount=event.amount)
        case (
            m.TableOpened()
            | m.TableClosed()
            | m.StaffAssigned()
            | m.SeatTaken()
            | m.LayoutChosen()
            | m.SeatLeft()
            | m.CreditSold()
            | m.CreditPaidOut()
            | m.ColourTakenBack()
            | m.MotionStarted()
            | m.MotionEnded()
            | m.Uncovered()
            | m.KeyPressed()
            | m.TerminalsRestored()
            | m.BookBrought()
        ):
            return  # the statement of the act says it
        case _:
            assert_never(event)


def _of_book(event: m.BookPlanned | m.BookTakenUp) -> dict[str, str]:
    """A book by its id and the beginning of its hash, with the one before it and the two people."""
    hashes = {"book": event.book[:12], "old": event.old[:12]}
    return {"id": event.id, **hashes, "one": event.asked_by, "other": event.approved_by}


def _reversed(reversals: tuple[m.Reversal, ...], seats: tuple[m.SeatId, ...]) -> Iterator[Statement]:
    for one in reversals:
        before, after = one.old.winnings + one.old.returned, one.new.winnings + one.new.returned
        yield state("event-reversed", bet=one.bet, seat=one.seat, before=before, after=after, owed=one.owed)
    yield state("event-told", seats=seats)
