"""Every reason for which the house says no: who meets it, its cases, and what each case is about."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple

Kind = Literal[
    "act",
    "acts",
    "box",
    "boxes",
    "id",
    "layout",
    "money",
    "moment",
    "name",
    "names",
    "number",
    "phase",
    "phases",
    "role",
    "roles",
    "seconds",
    "text",
]
"""How a fact is spoken of: an amount of cents, a moment in milliseconds, a box by its name on the felt, ..."""

TYPES: dict[Kind, type[str | int | tuple[str, ...]]] = {
    "act": str,
    "acts": tuple,
    "box": str,
    "boxes": tuple,
    "id": str,
    "layout": str,
    "money": int,
    "moment": int,
    "name": str,
    "names": tuple,
    "number": int,
    "phase": str,
    "phases": tuple,
    "role": str,
    "roles": tuple,
    "seconds": int,
    "text": str,
}

Facts = Mapping[str, Kind]
Meets = Literal["Player", "Dealer", "pit", "cashier", "office", "lab", "operator", "integrator"]
"""Who may be told so."""


class Reason(NamedTuple):
    meets: tuple[Meets, ...]
    cases: Mapping[str, Facts]


REASONS: dict[str, Reason] = {
    "account": Reason((), {}),
    "act": Reason(
        ("Dealer", "pit"),
        {
            "keys-only": {"device": "name", "act": "text"},
            "no-cover": {"device": "name", "act": "text"},
            "prints-only": {"device": "name", "act": "text"},
            "unable": {"device": "name", "act": "text", "able": "names"},
        },
    ),
    "address": Reason((), {}),
    "administrator": Reason((), {}),
    "alert": Reason((), {}),
    "alternative": Reason((), {}),
    "amount": Reason((), {}),
    "approval": Reason((), {}),
    "approval-content": Reason((), {}),
    "approval-expired": Reason((), {}),
    "approved": Reason((), {}),
    "archive": Reason((), {}),
    "archived": Reason((), {}),
    "arrays": Reason((), {}),
    "asker": Reason((), {}),
    "away": Reason(
        ("Player", "Dealer", "pit", "cashier", "office"),
        {
            "database": {},
        },
    ),
    "bankroll": Reason((), {}),
    "bet": Reason(
        ("Player",),
        {
            "not-in-round": {"seat": "id", "bet": "id", "round": "number"},
        },
    ),
    "box": Reason((), {}),
    "busy": Reason(
        ("Player", "Dealer", "pit", "cashier", "office"),
        {
            "answers": {"waiting": "number"},
            "in-motion": {"device": "name", "act": "text"},
            "questions": {},
            "tries": {},
        },
    ),
    "chain": Reason((), {}),
    "checkpoint": Reason((), {}),
    "checks": Reason((), {}),
    "closed": Reason((), {}),
    "colour": Reason((), {}),
    "confirmed": Reason((), {}),
    "cover": Reason(
        ("Dealer", "pit"),
        {
            "covered": {"device": "name"},
            "needed": {"device": "name"},
            "open": {"device": "name"},
        },
    ),
    "credit": Reason((), {}),
    "debt": Reason((), {}),
    "demo": Reason((), {}),
    "disk": Reason((), {}),
    "durability": Reason((), {}),
    "early": Reason((), {}),
    "early-bet": Reason((), {}),
    "early-close": Reason((), {}),
    "edge": Reason((), {}),
    "engine": Reason((), {}),
    "entry": Reason(
        ("Dealer",),
        {
            "no-key": {"key": "text"},
        },
    ),
    "established": Reason((), {}),
    "evidence": Reason((), {}),
    "excess": Reason((), {}),
    "fault": Reason(
        ("operator",),
        {
            "no-cover": {"device": "name", "fault": "text"},
            "rate": {"device": "name", "one_in": "number", "most": "number"},
            "unable": {"device": "name", "fault": "text", "able": "names"},
        },
    ),
    "floor": Reason((), {}),
    "forged": Reason((), {}),
    "founders": Reason((), {}),
    "habit": Reason((), {}),
    "interrupted": Reason((), {}),
    "irregularity": Reason((), {}),
    "kernel": Reason((), {}),
    "key": Reason(
        ("operator",),
        {
            "of-another-floor": {"key": "text"},
        },
    ),
    "late-bet": Reason((), {}),
    "late-withdrawal": Reason((), {}),
    "layout": Reason((), {}),
    "limits": Reason(
        ("pit",),
        {
            "none-for-all": {},
            "unit": {"unit": "money"},
            "unit-unpayable": {"unit": "money", "layout": "layout", "least": "money"},
            "steps": {"box": "box", "minimum": "money", "maximum": "money", "unit": "money"},
            "differential-needed": {},
            "differential-unknown": {},
        },
    ),
    "line": Reason((), {}),
    "link": Reason(
        ("office",),
        {
            "used": {},
        },
    ),
    "locked": Reason(
        ("Dealer", "pit", "cashier", "office"),
        {
            "wait": {"seconds": "seconds"},
        },
    ),
    "login": Reason(
        ("Dealer", "pit", "cashier", "office"),
        {
            "wrong": {},
        },
    ),
    "loss": Reason((), {}),
    "manner": Reason((), {}),
    "maximum": Reason(("Player",), {"over": {"box": "box", "total": "money", "maximum": "money"}}),
    "minimum": Reason(("Player",), {"under": {"box": "box", "total": "money", "minimum": "money"}}),
    "missing": Reason(
        ("operator",),
        {
            "mqtt": {"device": "name"},
        },
    ),
    "money": Reason((), {}),
    "motion": Reason((), {}),
    "name": Reason((), {}),
    "note": Reason((), {}),
    "odds": Reason((), {}),
    "office": Reason(
        ("office",),
        {
            "no-answer": {},
        },
    ),
    "offline": Reason(
        ("Dealer", "pit"),
        {
            "device": {"device": "name"},
            "line": {"device": "name", "line": "text", "error": "text"},
            "no-power": {"device": "name"},
            "not-running": {"device": "name"},
        },
    ),
    "outcome": Reason((), {}),
    "output": Reason((), {}),
    "over": Reason(
        ("pit",),
        {
            "round": {"round": "number"},
        },
    ),
    "owned": Reason(
        ("operator",),
        {
            "unfound": {},
        },
    ),
    "pace": Reason((), {}),
    "pack": Reason((), {}),
    "passkey": Reason((), {}),
    "password": Reason(
        ("office",),
        {
            "length": {"shortest": "number", "longest": "number"},
            "own-name": {},
        },
    ),
    "pays": Reason((), {}),
    "permission": Reason((), {}),
    "phase": Reason((), {}),
    "players": Reason((), {}),
    "port": Reason((), {}),
    "printer": Reason(
        ("cashier", "pit"),
        {
            "failed": {"device": "name", "error": "text"},
            "not-ready": {"device": "name", "faults": "names"},
        },
    ),
    "rank": Reason((), {}),
    "rate": Reason(
        ("Player",),
        {
            "acts": {"most": "number"},
        },
    ),
    "reason": Reason((), {}),
    "receipt": Reason((), {}),
    "replacement": Reason((), {}),
    "resend": Reason((), {}),
    "role": Reason((), {}),
    "round": Reason(
        ("Player",),
        {
            "before": {"seat": "id", "round": "number"},
            "bet-before": {"seat": "id", "bet": "id"},
            "no-bet": {"seat": "id", "round": "number"},
        },
    ),
    "rounding": Reason((), {}),
    "rounds": Reason((), {}),
    "rulebook": Reason((), {}),
    "rules": Reason((), {}),
    "running": Reason((), {}),
    "same-browser": Reason((), {}),
    "same-person": Reason((), {}),
    "sample": Reason(
        ("pit", "operator"),
        {
            "alike": {"test": "text", "values": "number", "needed": "number"},
            "few": {"test": "text", "outcomes": "number", "cells": "number", "needed": "number"},
            "one-sided": {"test": "text", "above": "number", "below": "number", "needed": "number"},
        },
    ),
    "schema": Reason((), {}),
    "seat": Reason(
        ("Player", "Dealer", "pit", "office"),
        {
            "not-in-house": {"table": "name", "seat": "id"},
        },
    ),
    "seats": Reason((), {}),
    "seed": Reason((), {}),
    "session": Reason((), {}),
    "sessions": Reason((), {}),
    "share": Reason((), {}),
    "sides": Reason((), {}),
    "simulating": Reason((), {}),
    "sources": Reason((), {}),
    "stake": Reason((), {}),
    "step": Reason((), {}),
    "stop": Reason((), {}),
    "store": Reason(
        ("Player", "pit", "office"),
        {
            "no-answer": {},
        },
    ),
    "strategy": Reason((), {}),
    "supervision": Reason((), {}),
    "table": Reason((), {}),
    "terminal": Reason((), {}),
    "ticket": Reason((), {}),
    "time": Reason((), {}),
    "time zone": Reason((), {}),
    "tls": Reason((), {}),
    "token": Reason((), {}),
    "unconfirmed": Reason((), {}),
    "unit": Reason((), {}),
    "unsure": Reason(
        ("cashier", "pit"),
        {
            "failed": {"device": "name", "error": "text"},
            "stuck": {"device": "name"},
        },
    ),
    "workers": Reason((), {}),
}
