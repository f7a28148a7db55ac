"""The audit: verification with one click, the trace of clauses, the journal, and who approved what."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import msgspec

from croupier.analysis.report.trace import Evidence, read_evidence, trace
from croupier.floor.config import CAGE, OFFICE
from croupier.rules.refusal import Refused
from croupier.rules.rulebook import Rulebook
from croupier.server.staff.guard import AUDIT
from croupier.server.staff.history import Name, round_routes
from croupier.server.staff.journal import Approvals, ApprovalsAsked, JournalAsked, JournalPage, approvals, journal_page
from croupier.server.staff.router import Nothing, Router, StaffCall
from croupier.server.staff.verification import Verification, Verifier


class TraceAsked(msgspec.Struct, frozen=True):
    book: Name = ""


class TracedClause(msgspec.Struct, frozen=True):
    clause: str
    kept: str
    says: str
    evidence: tuple[str, ...]
    result: str


class TracedBook(msgspec.Struct, frozen=True):
    book: str
    title: str
    hash: str
    clauses: tuple[TracedClause, ...]
    results: dict[str, int]


class Trace(msgspec.Struct, frozen=True):
    """Every clause, with what keeps it and the tests that show it."""

    books: tuple[TracedBook, ...]
    note: str
    """Why there is no evidence, if there is none."""


def traced(books: Iterable[Rulebook], evidence: Evidence, note: str) -> Trace:
    return Trace(tuple(_traced(book, evidence) for book in books), note)


def _traced(book: Rulebook, evidence: Evidence) -> TracedBook:
    rows = trace(book, evidence)
    clauses = tuple(TracedClause(row.clause, row.kept, row.says, row.evidence, row.result) for row in rows)
    results = dict(Counter(str(row.result) for row in rows))
    return TracedBook(book.id, book.identity.title, book.hash, clauses, results)


def audit_routes(router: Router) -> None:
    context = router.context
    verifier = Verifier(context.floor)
    router.ends.append(verifier.close)
    round_routes(router)

    def places(call: StaffCall) -> tuple[str, ...]:
        mine = tuple(live.name for live in context.tables_of(call.someone, AUDIT.roles))
        return (*mine, CAGE, OFFICE) if "auditor" in context.roles(call.someone) else mine

    @router.get("/api/journal", AUDIT, statuses=(404, 409, 503))
    async def journal(call: StaffCall, asked: JournalAsked) -> JournalPage:
        """Rows of a stream, the newest first: every accepted and every refused command."""
        streams = places(call)
        if asked.stream not in streams:
            raise Refused("missing", "stream", stream=asked.stream[:64], known=streams)
        return await context.journal.ask(lambda store: journal_page(store, streams, asked))

    @router.get("/api/approvals", AUDIT, statuses=(404, 409, 503))
    async def approvals_asked_for(call: StaffCall, asked: ApprovalsAsked) -> Approvals:
        """Acts that needed two people: who asked, for what exactly, and who agreed or declined."""
        wanted = [place for place in places(call) if place != OFFICE and asked.place in ("", place)]
        now = context.floor.clock.now()
        return await context.journal.ask(lambda store: approvals(store, wanted, now, asked.limit))

    @router.get("/api/trace", AUDIT, statuses=(404, 409, 503))
    async def trace_now(call: StaffCall, asked: TraceAsked) -> Trace:
        """Every clause of the books of this floor: what keeps it, which test shows it, and how that test ended."""
        played = {live.table.book.id: live.table.book for live in context.floor.tables.values()}
        books = [context.book(asked.book)] if asked.book else list(played.values())
        note = ""
        evidence: Evidence = {}
        try:
            evidence = await context.journal.ask(lambda store: read_evidence(context.settings.evidence))
        except Refused:
            note = "The evidence of the tests did not come with this installation; make test writes it."
        return traced(books, evidence, note)

    @router.post("/api/verify", AUDIT)
    async def verify(call: StaffCall, asked: Nothing, given: Nothing) -> Verification:
        """Check the whole journal: its chain, and every decision and transfer again. One check runs at a time."""
        return verifier.begin(call.someone)

    @router.get("/api/verify", AUDIT)
    async def verified(call: StaffCall, asked: Nothing) -> Verification:
        """The verification that is running, or the last one."""
        return verifier.last
