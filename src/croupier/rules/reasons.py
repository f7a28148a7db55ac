"""Every reason of a refusal: who meets it, its cases, and the facts of each case."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple

Kind = Literal[
    "act",
    "acts",
    "box",
    "boxes",
    "id",
    "law",
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
    "statement",
    "text",
]
"""How a fact is shown: an amount in cents, a moment in milliseconds, a box by its name on the felt, the words of a
book, ..."""

TYPES: dict[Kind, type[str | int | tuple[str, ...]]] = {
    "act": str,
    "acts": tuple,
    "box": str,
    "boxes": tuple,
    "id": str,
    "law": str,
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
"""Who may see the refusal."""


class Reason(NamedTuple):
    meets: tuple[Meets, ...]
    cases: Mapping[str, Facts]


REASONS: dict[str, Reason] = {
    "account": Reason(
        ("office", "operator"),
        {
            "retired": {"person": "name"},
            "retired-name": {"person": "name"},
            "there": {"person": "name"},
            "unknown": {"person": "name"},
        },
    ),
    "act": Reason(
        ("Dealer", "pit"),
        {
            "keys-only": {"device": "name", "act": "text"},
            "no-cover": {"device": "name", "act": "text"},
            "prints-only": {"device": "name", "act": "text"},
            "unable": {"device": "name", "act": "text", "able": "names"},
        },
    ),
    "address": Reason(
        ("lab",),
        {
            "no-cluster": {"address": "text", "error": "text"},
            "unreadable": {"address": "text"},
        },
    ),
    "administrator": Reason(
        ("office", "operator"),
        {
            "nobody": {},
        },
    ),
    "alert": Reason(
        ("pit", "office"),
        {
            "acknowledged": {"person": "name", "alert": "number"},
            "open": {"alert": "number"},
            "too-many": {"alerts": "number"},
            "unknown": {"alert": "number"},
        },
    ),
    "alternative": Reason(
        ("pit",),
        {
            "not-of-book": {"book": "name", "ruling": "number"},
        },
    ),
    "amount": Reason(
        ("Player", "Dealer", "pit", "cashier"),
        {
            "not-above-zero": {"amount": "money"},
            "over-bet": {"bet": "id", "seat": "id", "box": "box", "held": "money", "amount": "money"},
            "too-large": {"amount": "money", "most": "money"},
        },
    ),
    "approval": Reason(
        ("pit", "cashier"),
        {
            "not-expired": {"request": "number"},
            "round-over": {"request": "number"},
            "unknown": {"request": "number", "waiting": "names"},
        },
    ),
    "approval-content": Reason(
        ("pit", "cashier"),
        {
            "other": {"request": "number"},
        },
    ),
    "approval-expired": Reason(
        ("pit", "cashier"),
        {
            "expired": {"request": "number"},
        },
    ),
    "approved": Reason(
        ("operator",),
        {
            "code-around": {"place": "text", "folder": "text"},
            "compiled-otherwise": {"places": "names", "more": "number"},
            "ended": {"code": "number", "error": "text"},
            "no-approver": {},
            "no-manifest": {"file": "text"},
            "none": {"file": "text"},
            "other-format": {"file": "text"},
            "own-key": {"file": "text"},
            "unfinished": {"error": "text"},
            "unreadable": {"file": "text", "error": "text"},
            "unsigned": {"file": "text", "key": "text"},
            "other-software": {"places": "names", "more": "number"},
        },
    ),
    "archive": Reason(
        ("operator",),
        {
            "cut-off": {"file": "text"},
            "misnamed": {"file": "text", "ending": "text"},
            "more-after-end": {"file": "text"},
            "not-packed": {"file": "text"},
            "of-another-stream": {"file": "text"},
            "of-other-rows": {"file": "text", "table": "text"},
            "of-other-tables": {"file": "text"},
            "rows-from-to": {"file": "text", "first": "number", "last": "number"},
            "stray-pages": {"file": "text"},
            "table-filled": {"file": "text", "table": "text"},
            "unpackable": {"file": "text", "error": "text"},
        },
    ),
    "archived": Reason(
        ("Player", "pit", "office", "operator"),
        {
            "answered": {"row": "number"},
            "figures-from": {"table": "name", "row": "number", "moment": "moment"},
            "needed": {"table": "name", "row": "number"},
            "rows-before": {"table": "name", "row": "number"},
        },
    ),
    "arrays": Reason(
        ("lab",),
        {
            "out": {},
            "lengths": {},
            "whole-numbers": {"type": "text"},
        },
    ),
    "asker": Reason(
        ("pit", "cashier"),
        {
            "nothing-to-sign": {"person": "name", "request": "number"},
            "retired": {"person": "name", "request": "number"},
            "unconfirmed": {"person": "name", "request": "number"},
            "unknown": {"request": "number"},
        },
    ),
    "away": Reason(
        ("Player", "Dealer", "pit", "cashier", "office"),
        {
            "database": {},
            "floor": {},
            "sessions": {},
        },
    ),
    "bankroll": Reason(
        ("lab",),
        {
            "too-small": {"bankroll": "money", "staked": "money"},
            "too-large": {"bankroll": "money"},
            "too-many": {"bankrolls": "number", "most": "number"},
        },
    ),
    "bet": Reason(
        ("Player", "Dealer", "pit", "office", "operator"),
        {
            "never-here": {"bet": "id"},
            "not-a-bet": {"text": "text"},
            "not-in-round": {"seat": "id", "bet": "id", "round": "number"},
            "not-named": {},
            "not-of-a-seat": {"text": "text"},
            "not-on-table": {"bet": "id", "round": "number"},
            "unknown-in-round": {"round": "number", "bet": "id", "known": "names"},
            "unregistered": {"table": "name", "bet": "id"},
            "unregistered-here": {"table": "name", "bet": "id", "row": "number"},
            "none-given": {"example": "text"},
        },
    ),
    "box": Reason(
        ("Player", "Dealer", "pit", "lab", "operator", "integrator"),
        {
            "near": {"layout": "layout", "box": "name", "near": "names"},
            "none": {"layout": "layout", "box": "name"},
            "other-numbers": {"layout": "layout", "box": "name", "word": "name", "numbers": "names", "like": "name"},
            "outside": {"last": "number"},
        },
    ),
    "book": Reason(
        ("Dealer", "pit", "integrator"),
        {
            "before-its-hour": {"book": "name", "since": "moment"},
            "due": {"book": "name", "since": "moment"},
            "in-force": {"book": "name"},
            "in-force-other": {"book": "name"},
            "no-layout": {"book": "name", "known": "names"},
            "none-planned": {},
            "not-brought": {"hash": "id"},
            "other-id": {"book": "name", "named": "name"},
            "not-later": {"book": "name", "old": "name", "hour": "text", "old_hour": "text"},
            "other-text": {"book": "name", "old": "name"},
            "planned-already": {"book": "name"},
            "round-under-way": {"book": "name"},
            "too-long": {"most": "number"},
            "unreadable": {"error": "text"},
        },
    ),
    "busy": Reason(
        ("Player", "Dealer", "pit", "cashier", "office"),
        {
            "answers": {"waiting": "number"},
            "in-motion": {"device": "name", "act": "text"},
            "questions": {},
            "tries": {},
            "lab": {},
            "lab-slow": {"seconds": "seconds"},
            "lab-worker": {},
            "library": {},
            "often": {},
        },
    ),
    "chain": Reason(
        ("operator",),
        {
            "not-following": {"number": "number", "file": "text"},
        },
    ),
    "checkpoint": Reason(
        ("office", "operator"),
        {
            "none-of-file": {"file": "text"},
            "none-since": {"table": "name", "round": "number"},
            "unreadable": {"file": "text", "error": "text"},
        },
    ),
    "checks": Reason(
        ("pit",),
        {
            "not-made": {"check": "name"},
            "unknown": {"check": "text", "known": "names"},
        },
    ),
    "chip": Reason(
        ("lab",),
        {
            "not-above-zero": {"chip": "money"},
        },
    ),
    "closed": Reason(
        ("Dealer", "pit"),
        {
            "not-open": {},
        },
    ),
    "colour": Reason(
        ("Player", "Dealer", "pit"),
        {
            "bets-left": {"seat": "id"},
            "given": {"colour": "name", "seat": "id"},
            "none": {"seat": "id"},
            "none-at-electronic": {},
            "one-colour": {"seat": "id", "colour": "name"},
            "other-worth": {"chips": "number", "colour": "name", "value": "money", "worth": "money", "stake": "money"},
            "whole-chips": {"bet": "id", "seat": "id", "box": "box", "value": "money"},
        },
    ),
    "confirmed": Reason(
        ("office",),
        {
            "already": {"person": "name"},
        },
    ),
    "cover": Reason(
        ("Dealer", "pit"),
        {
            "covered": {"device": "name"},
            "needed": {"device": "name"},
            "open": {"device": "name"},
        },
    ),
    "credit": Reason(
        ("Player", "Dealer", "pit", "cashier"),
        {
            "short": {"seat": "id", "credit": "money", "amount": "money"},
        },
    ),
    "debt": Reason(
        ("pit", "cashier"),
        {
            "less": {"seat": "id", "owes": "money", "amount": "money"},
        },
    ),
    "demo": Reason(
        ("operator",),
        {
            "no-answer": {"url": "text", "error": "text"},
            "refused": {"url": "text", "said": "text"},
        },
    ),
    "disk": Reason(
        ("Player", "Dealer", "pit", "cashier", "office"),
        {
            "full": {},
        },
    ),
    "durability": Reason(
        ("Player", "Dealer", "pit", "cashier", "office", "operator"),
        {
            "may-lose": {"settings": "names"},
            "nothing-new": {},
        },
    ),
    "early": Reason(
        ("operator",),
        {
            "ticket-lives": {"ticket": "id", "expires": "moment", "at": "moment"},
        },
    ),
    "early-bet": Reason(
        ("Player", "Dealer"),
        {
            "unpaid": {},
        },
    ),
    "early-close": Reason(
        ("Dealer",),
        {
            "before-spin": {"allowed": "roles"},
        },
    ),
    "edge": Reason(
        ("lab",),
        {
            "out-of-range": {"edge": "text"},
        },
    ),
    "engine": Reason(
        ("lab", "operator"),
        {
            "no-ray": {},
            "in-a-cluster": {},
            "no-cluster": {"address": "text", "error": "text"},
            "ray-imported": {"address": "text"},
            "unknown": {"engine": "text", "known": "names"},
        },
    ),
    "entry": Reason(
        ("Dealer",),
        {
            "keys-of-dice": {},
            "no-key": {"key": "text"},
            "number-of-wheel": {},
            "three-first": {"shown": "names"},
        },
    ),
    "established": Reason(
        ("Dealer", "pit"),
        {
            "contradicts": {"shown": "names", "known": "names"},
            "covered": {},
            "known": {"known": "names"},
        },
    ),
    "evidence": Reason(
        ("lab",),
        {
            "none": {"file": "text"},
            "unreadable": {"file": "text"},
        },
    ),
    "excess": Reason(
        ("Dealer", "pit"),
        {
            "latest-first": {"box": "box", "bet": "id", "seat": "id", "stake": "money"},
            "over": {"box": "box", "over": "money", "amount": "money"},
        },
    ),
    "extra": Reason(
        ("operator", "integrator"),
        {
            "missing": {"module": "text", "install": "text"},
        },
    ),
    "fault": Reason(
        ("operator",),
        {
            "server": {},
            "no-cover": {"device": "name", "fault": "text"},
            "rate": {"device": "name", "one_in": "number", "most": "number"},
            "unable": {"device": "name", "fault": "text", "able": "names"},
        },
    ),
    "floor": Reason(
        ("operator",),
        {
            "has-accounts": {"address": "text"},
            "has-checkpoints": {"folder": "text"},
            "has-keys": {"folder": "text"},
            "none-yet": {"folder": "text"},
            "otherwise-accepted": {"line": "number"},
            "otherwise-refused": {"line": "number", "why": "text"},
            "unmakable": {"folder": "text", "error": "text"},
        },
    ),
    "forged": Reason(
        ("operator",),
        {
            "fork": {
                "line": "number",
                "file": "text",
                "number": "number",
                "other_line": "number",
                "other_file": "text",
            },
            "gap": {"line": "number", "file": "text", "number": "number", "missing": "number"},
            "not-following": {"line": "number", "file": "text", "number": "number", "before": "number"},
            "order": {"line": "number", "file": "text", "number": "number", "after": "number"},
            "unreadable-line": {"line": "number", "file": "text"},
            "unsigned-checkpoint": {"number": "number", "file": "text", "key": "text"},
            "unsigned-line": {"line": "number", "file": "text", "key": "text"},
        },
    ),
    "founders": Reason(
        ("operator",),
        {
            "no-administrator": {},
            "once": {},
            "people": {"least": "number"},
        },
    ),
    "habit": Reason(
        ("lab",),
        {
            "empty": {"most": "number"},
        },
    ),
    "interrupted": Reason(
        ("Player", "Dealer", "pit"),
        {
            "already": {},
            "bets-safe": {},
            "not-over": {},
            "nothing": {},
            "nothing-to-attest": {},
            "waits-for-ball": {},
        },
    ),
    "irregularity": Reason(
        ("Dealer", "pit"),
        {
            "correction": {"irregularity": "text"},
            "interruption": {"irregularity": "text"},
            "no-clause": {"book": "name"},
            "not-of-book": {"irregularity": "text", "book": "name", "known": "names"},
            "not-past": {"irregularity": "text"},
            "on-behalf": {"bet": "id", "box": "box", "seat": "id"},
            "other-phase": {"irregularity": "text", "phase": "phase", "allowed": "phases"},
            "own-act": {"irregularity": "text"},
        },
    ),
    "kernel": Reason(
        ("lab",),
        {
            "unknown": {"kernel": "text", "known": "names"},
            "no-numba": {},
        },
    ),
    "key": Reason(
        ("operator",),
        {
            "of-another-floor": {"key": "text"},
            "not-pem": {"file": "text"},
            "of-another-kind": {"file": "text"},
            "own": {},
            "unreadable-public": {"file": "text", "error": "text"},
            "unreadable-signing": {"file": "text", "error": "text"},
        },
    ),
    "late-bet": Reason(
        ("Player", "Dealer"),
        {
            "after-close": {},
        },
    ),
    "late-withdrawal": Reason(
        ("Player", "Dealer"),
        {
            "after-close": {},
            "lost": {"bet": "id", "box": "box"},
        },
    ),
    "layout": Reason(
        ("Player", "Dealer", "pit", "cashier", "lab", "operator", "integrator"),
        {
            "approved-only": {},
            "each-once": {},
            "has-bets": {"seat": "id", "held": "money", "layout": "layout"},
            "not-of-book": {"layout": "layout", "book": "name", "known": "names"},
            "not-offered": {"layout": "layout", "offered": "names"},
            "of-table": {},
            "one-displayed": {"layouts": "names"},
            "which": {"book": "name", "known": "names"},
            "too-many-ways": {"layout": "layout", "ways": "number", "most": "number"},
            "say-which": {"book": "name"},
        },
    ),
    "limits": Reason(
        ("pit",),
        {
            "no-box": {"box": "text"},
            "none-for-all": {},
            "unit": {"unit": "money"},
            "unit-unpayable": {"unit": "money", "layout": "layout", "least": "money"},
            "steps": {"box": "box", "minimum": "money", "maximum": "money", "unit": "money"},
            "differential-needed": {},
            "differential-unknown": {},
            "beyond-counting": {},
            "no-units": {"bets": "text"},
        },
    ),
    "line": Reason(
        ("lab",),
        {
            "labouchere": {"most": "number", "example": "text"},
        },
    ),
    "link": Reason(
        ("office", "operator"),
        {
            "used": {},
            "life": {"hours": "number"},
            "unused": {"person": "name", "links": "number"},
        },
    ),
    "locked": Reason(
        ("Dealer", "pit", "cashier", "office"),
        {
            "table": {},
            "wait": {"seconds": "seconds"},
        },
    ),
    "login": Reason(
        ("Dealer", "pit", "cashier", "office", "operator"),
        {
            "wrong": {},
            "wrong-password": {"person": "name"},
        },
    ),
    "loss": Reason(
        ("operator",),
        {
            "nothing-missing": {"stream": "name", "missing": "names"},
            "replaced": {"stream": "name", "row": "number"},
            "shortened": {"stream": "name", "ends": "number", "reached": "number"},
        },
    ),
    "manner": Reason(
        ("operator",),
        {
            "unknown": {"manner": "text", "known": "names"},
        },
    ),
    "maximum": Reason(
        ("Player",),
        {
            "over": {"box": "box", "total": "money", "maximum": "money"},
        },
    ),
    "media": Reason(
        ("integrator",),
        {
            "json": {},
        },
    ),
    "minimum": Reason(
        ("Player", "Dealer", "pit"),
        {
            "not-under": {"box": "box", "seat": "id", "minimum": "money"},
            "under": {"box": "box", "total": "money", "minimum": "money"},
        },
    ),
    "missing": Reason(
        ("operator",),
        {
            "mqtt": {"device": "name"},
            "file": {"file": "text"},
            "page": {"file": "text"},
            "layout": {"layout": "text", "known": "names"},
            "rulebook": {"rulebook": "text", "known": "names"},
            "seat": {"seat": "text"},
            "stream": {"stream": "text", "known": "names"},
            "table": {"table": "text", "known": "names"},
            "ticket": {},
            "round": {"table": "name", "round": "number"},
            "bet": {"table": "name", "round": "number", "bet": "id"},
            "archived": {"table": "name", "round": "number"},
            "route": {"path": "text"},
            "method": {"path": "text", "method": "text"},
        },
    ),
    "money": Reason(
        ("Player", "pit", "cashier", "lab", "operator", "integrator"),
        {
            "not-an-amount": {"text": "text"},
            "not-in-words": {"amount": "money", "most": "money"},
            "too-large": {"text": "text", "most": "money"},
        },
    ),
    "motion": Reason(
        ("Dealer", "pit"),
        {
            "count": {"count": "number"},
            "not-tumbled": {},
            "nothing-moves": {},
            "tumbling": {},
        },
    ),
    "name": Reason(
        ("Player", "Dealer", "pit", "cashier", "office", "operator", "integrator"),
        {
            "id-or-moment": {},
            "letter": {"letter": "text"},
            "looks-like": {"name": "name", "other": "name"},
            "not-a-name": {"name": "name", "what": "text"},
            "of-machine": {"person": "name"},
            "slash-in-table": {"name": "name"},
            "system": {"person": "name"},
            "two-scripts": {"name": "name", "one": "text", "other": "text"},
            "written-otherwise": {"name": "name", "plain": "name"},
        },
    ),
    "not-ready": Reason(
        ("operator",),
        {
            "stopped": {"places": "names"},
        },
    ),
    "note": Reason(
        ("pit", "office"),
        {
            "long": {"most": "number"},
        },
    ),
    "odds": Reason(
        ("lab",),
        {
            "unreadable": {"box": "box", "given": "text"},
            "how-many": {"box": "box", "prices": "number", "pays": "text", "given": "number"},
        },
    ),
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
            "part-taken": {"device": "name", "line": "text"},
        },
    ),
    "origin": Reason(
        ("integrator",),
        {
            "foreign": {},
        },
    ),
    "outcome": Reason(
        ("Dealer", "pit", "lab", "operator", "integrator"),
        {
            "entered-already": {"outcome": "id"},
            "not-a-throw": {"text": "text"},
            "not-on-wheel": {"text": "text", "numbers": "names"},
            "not-part": {"known": "names"},
            "one-compartment": {"known": "names"},
            "settled-already": {"round": "number", "outcome": "id"},
            "outside": {"last": "number"},
        },
    ),
    "outcomes": Reason(
        ("operator",),
        {
            "not-a-count": {"text": "text"},
        },
    ),
    "output": Reason(
        ("operator",),
        {
            "neither": {"file": "text"},
        },
    ),
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
            "another-server": {"folder": "text"},
        },
    ),
    "pace": Reason(
        ("lab",),
        {
            "out-of-range": {"pace": "text", "most": "number"},
        },
    ),
    "pack": Reason(
        ("operator",),
        {
            "more-than-files": {"file": "text"},
            "no-pack": {"file": "text", "error": "text"},
            "numbers": {"file": "text", "row": "number"},
            "other-format": {"file": "text", "format": "text", "first": "number", "last": "number"},
            "other-maker": {"file": "text", "maker": "text"},
            "spans": {"file": "text"},
            "spelled-otherwise": {"file": "text", "name": "text"},
            "too-large": {"file": "text", "most": "number"},
            "unpackable": {"file": "text", "error": "text"},
        },
    ),
    "paper": Reason(
        ("cashier", "pit"),
        {
            "printed": {"ticket": "id"},
        },
    ),
    "passkey": Reason(
        ("pit", "cashier", "office"),
        {
            "added": {},
            "not-a-key": {},
            "too-many": {"person": "name", "passkeys": "number"},
            "unknown": {"person": "name"},
            "unsigned": {"person": "name", "request": "number"},
        },
    ),
    "password": Reason(
        ("office", "operator"),
        {
            "length": {"shortest": "number", "longest": "number"},
            "own-name": {},
            "changed": {"person": "name"},
            "digest": {},
            "not-own": {"person": "name"},
            "old-needed": {},
            "typed-two": {"person": "name"},
        },
    ),
    "pays": Reason(
        ("lab",),
        {
            "unreadable": {"given": "names", "example": "text"},
        },
    ),
    "permission": Reason(
        ("Player", "Dealer", "pit", "cashier", "office", "operator"),
        {
            "above-own": {"person": "name", "highest": "role"},
            "accept-loss": {"person": "name", "allowed": "roles"},
            "audience": {"person": "name", "audience": "name"},
            "both-highest": {"person": "name", "other": "name", "highest": "roles"},
            "name-of-seat": {"person": "name"},
            "no-account": {"person": "name", "act": "act", "allowed": "roles"},
            "no-role": {"person": "name"},
            "no-supervision": {"roles": "roles"},
            "not-cage-staff": {"person": "name", "act": "act", "allowed": "roles"},
            "not-on-staff": {"person": "name"},
            "not-table-staff": {"person": "name", "act": "act", "allowed": "roles"},
            "role": {"person": "name", "act": "act", "held": "roles", "allowed": "roles"},
        },
    ),
    "phase": Reason(
        ("Player", "Dealer", "pit"),
        {
            "after-close": {},
            "no-bets": {"phase": "phase"},
            "no-bets-open": {},
            "no-cover": {},
            "no-round": {},
            "not-locked": {},
            "not-now": {"act": "act", "phase": "phase"},
            "only-in": {"act": "act", "phase": "phase", "needed": "phase"},
            "open-already": {},
            "tumbled-already": {},
        },
    ),
    "players": Reason(
        ("lab",),
        {
            "out-of-range": {"players": "number", "most": "number"},
        },
    ),
    "port": Reason(
        ("operator",),
        {
            "taken": {"door": "text", "address": "text", "error": "text"},
        },
    ),
    "printer": Reason(
        ("pit", "cashier"),
        {
            "line": {"device": "name", "line": "text", "error": "text"},
            "line-closed": {"device": "name", "line": "text"},
            "no-answer": {"device": "name", "line": "text", "seconds": "seconds"},
            "no-status": {"device": "name", "line": "text", "answer": "text"},
            "not-ready": {"device": "name", "faults": "names"},
        },
    ),
    "public": Reason(
        ("Dealer", "pit", "cashier", "office"),
        {
            "elsewhere": {"address": "text"},
        },
    ),
    "question": Reason(
        ("lab",),
        {
            "unknown": {"question": "name", "known": "names"},
        },
    ),
    "rank": Reason(
        ("pit", "cashier", "operator"),
        {
            "above-own": {"person": "name", "highest": "role"},
            "one-of-two": {"needed": "roles"},
        },
    ),
    "rate": Reason(
        ("Player",),
        {
            "acts": {"most": "number"},
        },
    ),
    "reason": Reason(
        ("pit", "cashier", "office", "operator"),
        {
            "letters": {"most": "number"},
            "loss-needs": {},
            "needed": {"act": "act"},
        },
    ),
    "receipt": Reason(
        ("operator",),
        {
            "fields": {"file": "text", "fields": "names"},
            "spelled-otherwise": {"file": "text"},
            "unreadable": {"file": "text", "error": "text"},
        },
    ),
    "replacement": Reason(
        ("cashier",),
        {
            "itself": {"ticket": "id"},
            "none-to-expire": {"ticket": "id"},
        },
    ),
    "resend": Reason(
        ("Player", "Dealer", "pit", "cashier", "office", "integrator"),
        {
            "other-bet": {"bet": "id"},
            "other-bet-of-seat": {"bet": "id", "seat": "id", "box": "box", "stake": "money", "round": "number"},
            "other-withdrawal": {"withdrawal": "id"},
            "otherwise": {"id": "text"},
        },
    ),
    "role": Reason(
        ("pit", "cashier", "office", "operator"),
        {
            "not-of-account": {"person": "name", "roles": "roles", "known": "roles"},
            "not-of-cage": {"person": "name", "roles": "roles", "known": "roles"},
            "not-owner-of-tables": {"role": "name"},
            "unknown": {"role": "text", "known": "roles"},
        },
    ),
    "round": Reason(
        ("Player", "Dealer", "pit", "office", "operator"),
        {
            "before": {"seat": "id", "round": "number"},
            "bet-before": {"seat": "id", "bet": "id"},
            "from-discovery": {},
            "no-bet": {"seat": "id", "round": "number"},
            "none-open": {},
            "none-so": {"table": "name", "round": "number"},
            "not-named": {},
            "not-open": {"bet": "id", "round": "number", "open": "number"},
            "not-over": {"table": "name", "round": "number", "next": "number"},
            "not-settled": {"round": "number"},
            "void-already": {"round": "number", "by": "text"},
        },
    ),
    "rounding": Reason(
        ("lab",),
        {
            "unknown": {"rounding": "text", "known": "names"},
        },
    ),
    "rounds": Reason(
        ("lab", "operator"),
        {
            "not-a-count": {"text": "text"},
            "out-of-range": {"rounds": "number", "most": "number"},
            "all-alike": {},
            "losing-run": {"rounds": "number", "most": "number"},
            "of-session": {"rounds": "number", "most": "number"},
            "none": {"rounds": "number"},
            "never-ends": {},
            "too-many": {"rounds": "number", "bankrolls": "number"},
        },
    ),
    "rulebook": Reason(
        ("lab", "operator", "integrator"),
        {
            "before-its-hour": {"book": "name", "hour": "text"},
            "near": {"book": "name", "near": "names"},
            "replaced": {"book": "name", "hour": "text", "other": "name", "since": "text"},
            "unknown": {"book": "name", "known": "names"},
        },
    ),
    "rules": Reason(
        ("operator",),
        {
            "version": {"rules": "number", "known": "number"},
        },
    ),
    "running": Reason(
        ("operator",),
        {
            "server": {},
        },
    ),
    "same-browser": Reason(
        ("pit", "cashier"),
        {
            "asked": {"person": "name", "request": "number"},
        },
    ),
    "same-person": Reason(
        ("pit", "cashier", "office", "operator"),
        {
            "asked": {"person": "name", "request": "number"},
            "confirms-self": {"person": "name"},
            "loss": {},
            "reported": {"person": "name", "request": "number"},
            "stands-already": {"by": "name", "person": "name"},
        },
    ),
    "sample": Reason(
        ("pit", "operator"),
        {
            "alike": {"test": "text", "values": "number", "needed": "number"},
            "few": {"test": "text", "outcomes": "number", "cells": "number", "needed": "number"},
            "one-sided": {"test": "text", "above": "number", "below": "number", "needed": "number"},
            "out-of-range": {"count": "number", "least": "number", "most": "number"},
            "too-short": {"outcomes": "number", "needed": "number"},
            "the-first-again": {},
        },
    ),
    "schema": Reason(
        ("operator",),
        {
            "changed": {"tables": "names"},
        },
    ),
    "seat": Reason(
        ("Player", "Dealer", "pit", "cashier", "office", "operator"),
        {
            "has-money": {"seat": "id", "held": "money"},
            "name-of-staff": {"seat": "id"},
            "no-bet": {"table": "name", "seat": "id", "round": "number"},
            "no-such-table": {"table": "name", "seat": "id", "tables": "names"},
            "none": {"seat": "id"},
            "not-at-table": {"table": "name", "seat": "id", "seats": "names"},
            "not-in-house": {"table": "name", "seat": "id"},
            "taken": {"seat": "id"},
            "all-taken": {"table": "name"},
            "no-cashier": {"table": "name"},
        },
    ),
    "seats": Reason(
        ("lab",),
        {
            "none": {"seats": "number"},
        },
    ),
    "seed": Reason(
        ("lab",),
        {
            "out-of-range": {"seed": "text", "most": "text"},
        },
    ),
    "session": Reason(
        ("Dealer", "pit", "cashier", "office"),
        {
            "none": {},
            "not-theirs": {"person": "name"},
        },
    ),
    "sessions": Reason(
        ("lab", "operator"),
        {
            "beyond-counting": {"sessions": "number", "rounds": "number"},
            "not-a-count": {"text": "text"},
        },
    ),
    "share": Reason(
        ("lab", "operator"),
        {
            "no-largest": {},
            "out-of-range": {"share": "text"},
            "unread": {"text": "text"},
        },
    ),
    "sides": Reason(
        ("lab",),
        {
            "out-of-range": {"sides": "number", "most": "number"},
        },
    ),
    "simulating": Reason(
        ("lab",),
        {
            "another": {"person": "name"},
        },
    ),
    "size": Reason(
        ("integrator",),
        {
            "body": {"most": "number"},
        },
    ),
    "slow": Reason(
        ("integrator",),
        {
            "body": {"seconds": "seconds"},
        },
    ),
    "sources": Reason(
        ("Dealer", "pit"),
        {
            "agree": {},
            "differ": {"entered": "id", "sensed": "id"},
            "sensor-silent": {},
            "third": {"outcome": "id"},
        },
    ),
    "stake": Reason(
        ("Player", "Dealer", "lab", "operator", "integrator"),
        {
            "not-above-zero": {"stake": "money", "box": "box"},
            "not-whole": {"stake": "text", "box": "box"},
            "every-above-zero": {},
            "too-many-cents": {"stake": "number", "most": "number"},
            "no-amount": {"stake": "money"},
        },
    ),
    "standstill": Reason(
        ("Dealer", "pit"),
        {
            "undecided": {"request": "number", "irregularity": "text", "person": "name"},
        },
    ),
    "step": Reason(
        ("lab",),
        {
            "out-of-range": {"step": "text", "most": "number"},
        },
    ),
    "stop": Reason(
        ("lab",),
        {
            "not-above-zero": {"stop": "name", "amount": "money"},
        },
    ),
    "store": Reason(
        ("Player", "pit", "office", "operator"),
        {
            "no-answer": {},
            "no-database": {"address": "text"},
            "no-driver": {},
            "no-tables": {"address": "text"},
            "not-durable": {"address": "text", "value": "text", "needed": "names"},
            "not-ours": {"address": "text", "step": "number"},
            "steps-missing": {"address": "text", "missing": "number"},
            "steps-missing-here": {"address": "text", "missing": "number"},
            "steps-unknown": {"address": "text", "steps": "number", "known": "number"},
            "unopened": {"address": "text", "error": "text"},
            "unread-address": {"address": "text"},
            "unusable": {"address": "text", "error": "text"},
        },
    ),
    "strategy": Reason(
        ("lab",),
        {
            "this-process": {"strategy": "name"},
            "no-such-play": {"strategy": "name", "play": "number", "plays": "number"},
            "not-compiled": {"strategy": "name", "error": "text"},
            "play-unknown": {"play": "number", "plays": "number"},
            "several-bets": {"strategy": "text"},
            "unknown": {"strategy": "text", "known": "names"},
            "number": {"strategy": "text", "most": "number"},
            "fails": {"strategy": "text", "error": "text"},
            "odd-answer": {"strategy": "text", "answer": "text"},
            "no-python": {"file": "text"},
            "unreadable": {"file": "text", "error": "text"},
            "no-function": {"file": "text", "function": "text"},
            "more-bets": {"strategy": "name", "plays": "number", "given": "number"},
        },
    ),
    "supervision": Reason(
        ("pit", "cashier", "operator"),
        {
            "nobody": {"roles": "roles"},
        },
    ),
    "table": Reason(
        ("pit", "office", "operator"),
        {
            "no-table": {"table": "name"},
            "not-here": {"table": "name", "known": "names"},
            "there-already": {"table": "name", "address": "text"},
        },
    ),
    "terminal": Reason(
        ("Player", "Dealer", "pit", "office"),
        {
            "interrupted": {"seat": "id"},
            "lost-elsewhere": {"seat": "id"},
            "none-enrolled": {"table": "name", "seat": "name"},
            "none-in-game": {},
            "not-named": {},
        },
    ),
    "text of an alert": Reason(
        ("operator",),
        {
            "letters": {"most": "number"},
        },
    ),
    "ticket": Reason(
        ("Player", "pit", "cashier", "operator"),
        {
            "amount-of-paper": {"amount": "money", "most": "money"},
            "digits": {"ticket": "name", "digits": "number"},
            "expired": {"ticket": "id", "expires": "moment"},
            "expires-before": {"issued": "moment", "expires": "moment"},
            "life": {"days": "number", "expires": "moment"},
            "no-value": {"ticket": "id"},
            "not-expired": {"ticket": "id", "found": "text"},
            "number-used": {"ticket": "id"},
            "paid": {"ticket": "id"},
            "redeemed": {"ticket": "id"},
            "unknown": {"ticket": "id"},
            "unprinted-state": {"state": "text", "known": "names"},
            "void": {"ticket": "id"},
            "wrong-digit": {"ticket": "id"},
        },
    ),
    "time": Reason(
        ("operator",),
        {
            "approval-seconds": {"seconds": "seconds"},
            "ended-before": {"began": "moment", "ended": "moment"},
            "not-on-paper": {"at": "number", "most": "number"},
            "unread": {"text": "text"},
        },
    ),
    "time zone": Reason(
        ("operator",),
        {
            "unknown": {"zone": "text"},
        },
    ),
    "tls": Reason(
        ("operator",),
        {
            "files": {"certificate": "text", "key": "text", "error": "text"},
        },
    ),
    "token": Reason(
        ("office", "operator"),
        {
            "digest": {},
            "none-given": {},
            "sent-away": {"error": "text"},
            "unread": {"file": "text", "error": "text"},
        },
    ),
    "unconfirmed": Reason(
        ("pit", "cashier", "office", "operator"),
        {
            "loss": {"person": "name"},
            "not-own-password": {"maker": "name"},
            "vouchers": {"person": "name", "missing": "number"},
        },
    ),
    "unit": Reason(
        ("Player", "Dealer", "pit", "lab", "operator", "integrator"),
        {
            "chip": {"value": "money", "unit": "money"},
            "left": {"left": "money", "box": "box", "unit": "money"},
            "stake": {"stake": "money", "box": "box", "unit": "money"},
            "unpayable": {"stake": "money", "box": "box", "pays": "text", "least": "money"},
            "any-bet": {"unit": "money"},
            "of-habit": {"stake": "money", "unit": "money"},
        },
    ),
    "unknown": Reason(
        ("Dealer", "pit", "cashier", "office"),
        {
            "written": {},
        },
    ),
    "unreadable": Reason(
        ("integrator",),
        {
            "json": {"error": "text"},
        },
    ),
    "unsure": Reason(
        ("pit", "cashier"),
        {
            "line": {"device": "name", "line": "text", "error": "text"},
            "line-closed": {"device": "name", "line": "text"},
            "no-answer": {"device": "name", "line": "text", "seconds": "seconds"},
            "stuck": {"device": "name"},
        },
    ),
    "untrue": Reason(
        ("Player", "pit", "office", "operator"),
        {
            "disk": {"lie": "text"},
            "row": {"row": "number"},
            "unarchived": {"table": "name", "row": "number"},
        },
    ),
    "workers": Reason(
        ("lab",),
        {
            "out-of-range": {"workers": "number", "most": "number"},
        },
    ),
}
