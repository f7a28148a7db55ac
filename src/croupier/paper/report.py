"""The report of a round, for a Player, a judge and an auditor: bets, events, money, and proof."""

from __future__ import annotations

from typing import Literal, NamedTuple

from croupier.paper.page import forget, long_date, plain, typeset, zone_in_full
from croupier.rules.money import Cents, format_money
from croupier.rules.refusal import Refused
from croupier.rules.statement import Line, Statement
from croupier.words import catalogue, say, sentence, statement
from croupier.words.functions import box


class BetLine(NamedTuple):
    """One bet and its fate, with the clause that decides it and the sum of each movement of its money."""

    bet: str
    seat: str
    box: str
    stake: Cents
    fate: Statement
    clause: str
    sums: tuple[Statement, ...] = ()


ProofName = Literal[
    "checkpoint-hash", "checkpoint-row", "corrections", "first-row", "last-row", "row-hash", "signature"
]


class Proof(NamedTuple):
    """One thing by which a report can be checked against the journal; an empty value is printed as none."""

    name: ProofName
    value: str


class RoundReport(NamedTuple):
    """The facts of a round on paper. Moments are milliseconds since the epoch.

    `money` is source, target, amount and reason of every transfer.
    """

    table: str
    round: int
    rulebook: str
    rulebook_id: str
    rulebook_hash: str
    layouts: str
    began: int
    ended: int
    time_zone: str
    limits: tuple[str, ...]
    result: Statement
    bets: tuple[BetLine, ...]
    story: tuple[Line, ...]
    money: tuple[tuple[str, str, Cents, str], ...]
    proof: tuple[Proof, ...]


def round_pdf(report: RoundReport) -> bytes:
    """The report as a PDF on A4."""
    if report.ended < report.began:
        raise Refused("time", "ended-before", began=report.began, ended=report.ended)
    facts = {
        "title": say("paper-round-title", round=report.round, table=plain(report.table)),
        "result": plain(statement(report.result)),
        "began": _moment(report.began, report.time_zone),
        "ended": _moment(report.ended, report.time_zone),
        "rulebook": plain(f"{report.rulebook} ({report.rulebook_id})"),
        "rulebook_hash": plain(report.rulebook_hash),
        "layouts": plain(report.layouts),
        "limits": [plain(line) for line in report.limits],
        "bets": [_bet_row(line) for line in report.bets],
        "staked": _staked(report.bets),
        "sums": [
            {"bet": plain(line.bet), "sentence": plain(sentence(one))} for line in report.bets for one in line.sums
        ],
        "story": [{"indented": line.under, "sentence": plain(sentence(line.says))} for line in report.story],
        "money": [_money_row(*transfer) for transfer in report.money],
        "proof": [_proof_row(*one) for one in report.proof],
    }
    paper = typeset("report", facts, report.ended, "pdf")
    forget()
    return paper


def _moment(at: int, zone: str) -> str:
    return f"{long_date(at, zone)} ({zone_in_full(at, zone)})"


def _bet_row(line: BetLine) -> tuple[str, ...]:
    return (
        plain(line.bet),
        plain(line.seat),
        plain(box(line.box, catalogue("en"))),
        format_money(line.stake),
        plain(statement(line.fate)),
        plain(line.clause),
    )


def _staked(bets: tuple[BetLine, ...]) -> str:
    return say("paper-round-staked", bets=len(bets), staked=sum(line.stake for line in bets))


def _proof_row(name: ProofName, value: str) -> tuple[str, str]:
    return say(f"paper-proof-{name}"), plain(value) or say("paper-proof-none")


def _money_row(source: str, target: str, amount: Cents, reason: str) -> tuple[str, ...]:
    return plain(source), plain(target), format_money(amount), plain(reason)
