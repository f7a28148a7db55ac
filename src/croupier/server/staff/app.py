"""Puts the application of the staff's door together: every route with its audience."""

from __future__ import annotations

from starlette.applications import Starlette
from starlette.exceptions import HTTPException

from croupier.floor.floor import Floor
from croupier.server.player.door import TerminalDoor
from croupier.server.sessions import Sessions
from croupier.server.staff.audit import audit_routes
from croupier.server.staff.book_changes import change_of_book_routes
from croupier.server.staff.cashier import cashier_routes
from croupier.server.staff.commands import command_routes
from croupier.server.staff.console import console_routes
from croupier.server.staff.context import Context, StaffSettings
from croupier.server.staff.demo import demo_routes
from croupier.server.staff.guard import Headers
from croupier.server.staff.lab import lab_routes
from croupier.server.staff.metrics import metrics_routes
from croupier.server.staff.office import office_routes
from croupier.server.staff.openapi import describe
from croupier.server.staff.pages import page_routes
from croupier.server.staff.pit import pit_routes
from croupier.server.staff.preview import preview_routes
from croupier.server.staff.public import book_routes, public_routes
from croupier.server.staff.router import Router, database_away, no_such_page, unexpected_error
from croupier.server.staff.session import session_routes
from croupier.store.journal import Indeterminate

_ROUTES = (
    metrics_routes,
    page_routes,
    public_routes,
    book_routes,
    session_routes,
    office_routes,
    command_routes,
    preview_routes,
    console_routes,
    pit_routes,
    change_of_book_routes,
    cashier_routes,
    audit_routes,
    lab_routes,
    demo_routes,
)


def make_app(
    floor: Floor, sessions: Sessions, settings: StaffSettings, terminals: TerminalDoor | None = None
) -> Starlette:
    """The application, ready to be served."""
    app = Starlette()
    router = Router(app, Context(floor, sessions, settings, terminals))
    for put in _ROUTES:
        put(router)
    describe(router)
    app.add_exception_handler(HTTPException, no_such_page)
    app.add_exception_handler(Indeterminate, database_away)
    app.add_exception_handler(Exception, unexpected_error)
    doors = terminals.nodes if terminals is not None else tuple
    app.add_middleware(Headers, terminals=lambda: (settings.terminals, *doors()))
    return app
