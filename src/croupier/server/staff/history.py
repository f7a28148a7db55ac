"""Finds, replays, prints and exports past rounds."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Annotated, TypeVar

import msgspec

from croupier.rules.money import Cents
from croupier.rules.refusal import Refused
from croupier.server.staff.context import Context
from croupier.server.staff.guard import AUDIT, AUDIT_OF_TABLE
from croupier.server.staff.pit import Moment
from croupier.server.staff.rounds import BetStory, ReplayedRound, bet_story, print_round, replay_round
from croupier.server.staff.router import Router, StaffCall
from croupier.store.checkpoint import signing_key
from croupier.store.folder import Premises
from croupier.store.journal import LAST, Store
from croupier.store.pack import make_pack
from croupier.store.rounds import RoundLine, RoundQuery, find_round, history

T = TypeVar("T")
Name = Annotated[str, msgspec.Meta(max_length=130)]
Limit = Annotated[int, msgspec.Meta(ge=1, le=500)]


class HistoryAsked(msgspec.Struct, frozen=True):
    """A search for rounds. Fields that are left out match every round."""

    table: Name = ""
    seat: Name = ""
    bet: Name = ""
    box: Name = ""
    clause: Name = ""
    outcome: Name = ""
    void: bool = False
    corrected: bool = False
    begin: Moment = 0
    end: Moment = LAST
    limit: Limit = 100


class RoundInList(msgspec.Struct, frozen=True):
    table: str
    round: int
    at: int
    outcome: str | None
    void_clause: str | None
    bets: int
    seats: int
    staked: Cents
    paid: Cents
    corrected: bool


class History(msgspec.Struct, frozen=True):
    rounds: tuple[RoundInList, ...]
    """The newest first."""
    found: int
    """How many match, listed or not."""


class RoundAsked(msgspec.Struct, frozen=True):
    table: str
    number: Annotated[int, msgspec.Meta(ge=1, le=2**53)]


class BetAsked(msgspec.Struct, frozen=True):
    table: str
    number: Annotated[int, msgspec.Meta(ge=1, le=2**53)]
    bet: str


def search(store: Store, names: Iterable[str], asked: HistoryAsked) -> History:
    wanted = RoundQuery(
        asked.seat,
        asked.bet,
        asked.outcome,
        asked.void,
        asked.corrected,
        asked.begin,
        asked.end,
        asked.box,
        asked.clause,
    )
    lines = sorted(history(store, names, wanted), key=lambda line: (line.at, line.table, line.round), reverse=True)
    return History(tuple(_in_list(line) for line in lines[: asked.limit]), len(lines))


def _in_list(line: RoundLine) -> RoundInList:
    return RoundInList(
        line.table,
        line.round,
        line.at,
        line.outcome or None,
        line.void_clause or None,
        len(line.bets),
        len(line.seats),
        line.staked,
        line.paid,
        line.corrected,
    )


def round_routes(router: Router) -> None:
    context = router.context

    @router.get("/api/history", AUDIT, statuses=(409, 503))
    async def find(call: StaffCall, asked: HistoryAsked) -> History:
        """Rounds by table, time, seat, bet, box, clause, result, void or correction; the newest first."""
        mine = [live.name for live in context.tables_of(call.someone, AUDIT.roles)]
        names = [name for name in mine if asked.table in ("", name)]
        return await context.journal.ask(lambda store: search(store, names, asked))

    @router.get("/api/tables/{table}/rounds/{number}", AUDIT_OF_TABLE, statuses=(409, 503))
    async def replayed_round(call: StaffCall, asked: RoundAsked) -> ReplayedRound:
        """A round step by step, to be replayed on its felt, with each payment explained by its clause."""
        return await _about_round(context, asked, lambda store: replay_round(store, asked.table, asked.number))

    @router.get("/api/tables/{table}/rounds/{number}/bets/{bet}", AUDIT_OF_TABLE, statuses=(409, 503))
    async def story_of_bet(call: StaffCall, asked: BetAsked) -> BetStory:
        """Everything that happened to one bet, in sentences with clauses."""
        return await _about_round(context, asked, lambda store: bet_story(store, asked.table, asked.number, asked.bet))

    @router.get(
        "/api/tables/{table}/rounds/{number}/report.pdf",
        AUDIT_OF_TABLE,
        media="application/pdf",
        statuses=(409, 503),
    )
    async def report(call: StaffCall, asked: RoundAsked) -> bytes:
        """The report of a round on paper, for a Player, a judge and an auditor."""
        call.headers["Content-Disposition"] = f'attachment; filename="{_file(asked)}.pdf"'
        marks = context.floor.premises.knowing
        return await _about_round(context, asked, lambda store: print_round(store, asked.table, asked.number, marks))

    @router.get(
        "/api/tables/{table}/rounds/{number}/pack", AUDIT_OF_TABLE, media="application/zip", statuses=(409, 503)
    )
    async def pack(call: StaffCall, asked: RoundAsked) -> bytes:
        """A dispute pack: everything about a round in one file, which `croupier verify` checks with the public key."""
        call.headers["Content-Disposition"] = f'attachment; filename="{_file(asked)}.zip"'
        premises = context.floor.premises
        if not await _about_round(context, asked, lambda store: _is_vouched(store, asked, premises)):
            await context.floor.signing.sign()
        return await _about_round(context, asked, lambda store: _pack(store, asked, premises))


async def _about_round(context: Context, asked: RoundAsked | BetAsked, question: Callable[[Store], T]) -> T:
    """An answer about a past round. Refused as missing if there is no such round, or if it is not over."""
    context.live(asked.table)
    try:
        return await context.journal.ask(question)
    except Refused as refused:
        match refused.reason, asked:
            case "bet", BetAsked(bet=bet) if bet:
                raise Refused("missing", "bet", table=asked.table, round=asked.number, bet=bet) from None
            case "round" | "bet", _:
                raise Refused("missing", "round", table=asked.table, round=asked.number) from None
            case "archived", _:
                raise Refused("missing", "archived", table=asked.table, round=asked.number) from None
            case _:
                raise


def _file(asked: RoundAsked) -> str:
    """A file name of plain letters."""
    return re.sub(r"[^A-Za-z0-9._-]", "_", f"{asked.table}-round-{asked.number}")


def _is_vouched(store: Store, asked: RoundAsked, premises: Premises) -> bool:
    """Has a checkpoint been signed since the round was last changed?"""
    return next(premises.knowing(asked.table, _last_row(store, asked)), None) is not None


def _last_row(store: Store, asked: RoundAsked) -> int:
    """The row that changed the round last."""
    found = find_round(store, asked.table, asked.number)
    return max([found.last, *(turn.line for turn in found.corrections)])


def _pack(store: Store, asked: RoundAsked, premises: Premises) -> bytes:
    head, marks = store.head(asked.table).seq, premises.knowing(asked.table, _last_row(store, asked))
    visible = (mark for mark in marks if mark.heads[asked.table][0] <= head)  # rows that this reader can see
    with tempfile.TemporaryDirectory(prefix="croupier-pack-") as folder:
        target = Path(folder) / "round.zip"
        make_pack(store, asked.table, asked.number, visible, target, signing_key(premises.keys))
        return target.read_bytes()
