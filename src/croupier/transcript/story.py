"""An evening told in sentences, each with the clause that says so."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import assert_never

from croupier.rules.money import format_money as money
from croupier.rules.statement import Line
from croupier.table import messages as m
from croupier.table.messages import AnyEvent
from croupier.transcript.phrases import write_phrase
from croupier.transcript.play import Evening
from croupier.words import sentence


def tell(evening: Evening) -> Iterator[str]:
    """Every act with what came of it; a refusal with its reason."""
    setup = evening.table.setup
    book = setup.rulebook
    yield f"Table {setup.table}, {book.identity.title} ({book.id}), layouts {', '.join(setup.layouts)}"
    for turn in evening.turns:
        actor = "System" if turn.command.by == "system" else turn.command.by
        yield f"{actor} {write_phrase(turn.command, evening.table.order)}."
        if turn.refused:
            yield f"    Refused: {turn.refused}."
        for event in turn.events:
            yield from (f"    {sentence}" for sentence in sentences(event))


def said(lines: Iterable[Line]) -> Iterator[str]:
    """Lines as text, what belongs under another set in."""
    return (f"{'  ' if line.under else ''}{sentence(line.says)}" for line in lines)


def _cite(sentence: str, clause: str | None) -> str:
    return f"{sentence} ({clause})." if clause else f"{sentence}."


def _list(names: Iterable[str]) -> str:
    return ", ".join(names) or "nobody"


def sentences(event: AnyEvent) -> Iterator[str]:
    """What an event says, with its clause."""
    match event:
        case m.BettingOpened():
            yield _cite(f'Round {event.round}: "{event.words}"', event.clause)
        case m.BetPlaced():
            yield f"Bet {event.bet} of {event.seat}: {money(event.stake)} on {event.box} is registered."
        case m.BetWithdrawn():
            yield f"{money(event.amount)} of bet {event.bet} goes back to {event.seat}."
        case m.ExcessRejected():
            yield _cite(f"{money(event.amount)} of bet {event.bet} is over the limit and goes back", event.clause)
        case m.ShortBetAdvised():
            yield _cite(f"{event.seat} is told that the minimum is {money(event.minimum)}", event.clause)
        case m.BettingClosed():
            yield _cite(f'"{event.words}"' + (", and the bell rings" if event.bell else ""), event.clause)
            for share in event.cut:
                yield f"{money(share.amount)} of bet {share.bet} is out of action and goes back to {share.seat}."
        case m.LosersCollected():
            yield _cite(f'"{event.words}"', event.clause)
            for layout, boxes in event.lit.items():
                yield f"Layout {layout} lights {_list(boxes)}."
            for paid in event.fates:
                if paid.collected:
                    yield _cite(f"Bet {paid.bet} of {paid.seat} loses {money(paid.collected)}", paid.clause)
        case m.WinnersPaid():
            for paid in event.paid:
                won = f"wins {money(paid.winnings)} and " if paid.winnings else ""
                yield _cite(f"Bet {paid.bet} of {paid.seat} {won}gets {money(paid.returned)} back", paid.clause)
            yield f"Round {event.round} is settled."
        case m.RoundVoided():
            said = f', "{event.words}"' if event.words else ""
            yield _cite(f"Round {event.round} is void: {event.irregularity}{said}", event.clause)
            for share in event.returned:
                yield f"Bet {share.bet}: {money(share.amount)} goes back to {share.seat}."
            yield f"Told: {_list(event.told)}."
        case m.Reported():
            yield _cite(f"Reported: {event.irregularity}, so {event.consequence}", event.clause)
        case m.BetDecided():
            because = f", because {event.reason}" if event.reason else ""
            yield _cite(f"Bet {event.bet}: {event.treatment} {event.box}{because}", event.clause)
        case m.Decided():
            yield _cite(f"Decision: {event.treatment}, because {event.reason}", event.clause)
        case m.ResultEntered():
            yield f"The result is {event.outcome}, by {event.source}."
        case m.ResultAmended():
            yield _cite(f"The result is amended from {event.old} to {event.outcome}", event.clause)
        case m.ResultDecided():
            yield f"The result is {event.outcome}, because {event.reason}."
        case m.ResultSensed():
            yield f"The sensor gives {event.outcome}."
        case m.ResultCorrected():
            yield _cite(
                f"Round {event.round} is settled again by {event.outcome}, because {event.reason}", event.clause
            )
            yield from _reversed(event.reversals, event.told)
        case m.SettledRoundVoided():
            yield _cite(f"Round {event.round} is void: {event.irregularity}, because {event.reason}", event.clause)
            yield from _reversed(event.reversals, event.told)
        case m.TableLocked():
            yield _cite("The table is locked", event.clause)
        case m.TableUnlocked():
            yield f"The table is unlocked, because {event.reason}."
        case m.Interrupted():
            yield _cite(f"The {event.part} is interrupted; bets stay held", event.clause)
        case m.TerminalsInterrupted():
            yield _cite(f"Terminals {_list(event.seats)} are interrupted; registered bets play", event.clause)
            for lost in event.lost:
                yield f"{money(lost.stake)} on {lost.box} of {lost.seat} was not registered: {event.treatment}."
        case m.Resumed():
            yield _cite(f"Play goes on: {event.act}", event.clause)
        case m.PowerBack():
            yield "The power is back; the round waits for what the dice or the ball show."
        case m.FacesAttested():
            yield f"Attested so far: {'-'.join(event.shown)}."
        case m.ApprovalRequested():
            yield f"Request {event.request} waits for a second person."
        case m.ApprovalGiven():
            yield f"Approved: {event.asked_by} and {event.by}."
        case m.ApprovalDeclined():
            yield f"Request {event.request} is declined."
        case m.ColourGiven():
            marker = "; a marker shows it" if event.marker else ""
            yield f"{event.seat} has {event.colour} chips at {money(event.value)}{marker}."
        case m.LimitsSet():
            yield "The limits change from the next round on."
        case m.LayoutsSet():
            yield f"From the next round on: layout {', '.join(event.layouts)}."
        case m.CreditGiven():
            yield f"{event.seat} is given {money(event.amount)}, because {event.reason}."
        case m.TicketRedeemed():
            yield f"Ticket {event.ticket} becomes {money(event.amount)} of credit of {event.seat}."
        case m.TicketIssued():
            yield f"{money(event.amount)} of the credit of {event.seat} becomes ticket {event.ticket}."
        case m.DebtRepaid():
            yield f"{event.seat} repays {money(event.amount)}."
        case m.DebtWrittenOff():
            yield f"{event.seat} no longer owes {money(event.amount)}, because {event.reason}."
        case m.BankFilled():
            yield f"{money(event.amount)} goes from the cage to the bank."
        case m.BankDrained():
            yield f"{money(event.amount)} goes from the bank to the cage."
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
        ):
            return  # the act itself says it
        case _:
            assert_never(event)


def _reversed(reversals: tuple[m.Reversal, ...], told: tuple[m.SeatId, ...]) -> Iterator[str]:
    for reversal in reversals:
        before = reversal.old.winnings + reversal.old.returned
        after = reversal.new.winnings + reversal.new.returned
        owed = f", {money(reversal.owed)} of it owed" if reversal.owed else ""
        yield f"Bet {reversal.bet} of {reversal.seat}: {money(before)} before, {money(after)} now{owed}."
    yield f"Told: {_list(told)}."
