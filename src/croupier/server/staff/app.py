"""The staff's door put together."""

from __future__ import annotations

from starlette.applications import Starlette
from starlette.exceptions import HTTPException

from croupier.floor.floor import Floor
from croupier.server.player.door import TerminalDoor
from croupier.server.sessions import Sessions
from croupier.server.staff.audit import audit_routes
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
from croupier.server.staff.router import Router, away, not_there, our_fault
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
    cashier_routes,
    audit_routes,
    lab_routes,
    demo_routes,
)


def make_app(
    floor: Floor, sessions: Sessions, settings: StaffSettings, terminals: TerminalDoor | None = None
) -> Starlette:
    """The door, ready to be served: every route with its audience."""
    app = Starlette()
    router = Router(app, Context(floor, sessions, settings, terminals))
    for put in _ROUTES:
        put(router)
    describe(router)
    app.add_exception_handler(HTTPException, not_there)
    app.add_exception_handler(Indeterminate, away)
    app.add_exception_handler(Exception, our_fault)
    doors = terminals.nodes if terminals is not None else tuple
    app.add_middleware(Headers, terminals=lambda: (settings.terminals, *doors()))
    return app
