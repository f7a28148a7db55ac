"""What `pip install croupier` does not bring: which extra has a module, for whoever runs what needs it.

The base is law, engine, transcripts, verification and exact odds. Whatever imports one of these at its top can only be
used with the extra; what can do without imports it inside the function that needs it.
"""

from __future__ import annotations

from importlib.util import find_spec

EXTRAS: dict[str, tuple[str, ...]] = {
    "floor": (
        "argon2",
        "h11",
        "picows",
        "prometheus_client",
        "pydantic_settings",
        "segno",
        "starlette",
        "structlog",
        "uvicorn",
        "uvloop",
    ),
    "reports": ("matplotlib", "typst", "xlsxwriter"),
    "lab": ("numpy",),
    "sim": ("llvmlite", "numba"),
    "ray": ("ray",),
    "postgres": ("psycopg",),
    "mqtt": ("paho",),
}
"""The modules that are imported, each under the extra that is named to whoever lacks it."""


def need(extra: str) -> None:
    """Before anything else is imported: ModuleNotFoundError, if something of this extra is not installed."""
    for module in EXTRAS[extra]:
        if find_spec(module) is None:
            raise ModuleNotFoundError(f"No module named {module!r}", name=module)


def extra_of(missing: ModuleNotFoundError) -> str | None:
    """The extra that brings what is missing; None if it is a module of ours or of Python's, which is a bug."""
    top = (missing.name or "").partition(".")[0]
    return next((extra for extra, modules in EXTRAS.items() if top in modules), None)


def to_install(extra: str) -> str:
    """What someone types to have it."""
    return f"pip install 'croupier[{extra}]'"
