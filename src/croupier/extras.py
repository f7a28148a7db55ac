"""The extras of `pip install croupier[…]`: which modules each brings.

The base is law, engine, transcripts, verification and exact odds. A module that imports one of these at its top works
only with the extra. A module that works without the extra imports it inside the function that needs it.
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
"""Every module that only an extra brings, by the extra to install."""


def need(extra: str) -> None:
    """Raise ModuleNotFoundError if something of this extra is not installed. To be called before other imports."""
    for module in EXTRAS[extra]:
        if find_spec(module) is None:
            raise ModuleNotFoundError(f"No module named {module!r}", name=module)


def extra_of(missing: ModuleNotFoundError) -> str | None:
    """The extra that brings a missing module; None if no extra does, which is a bug."""
    top = (missing.name or "").partition(".")[0]
    return next((extra for extra, modules in EXTRAS.items() if top in modules), None)


def to_install(extra: str) -> str:
    """The command that installs an extra."""
    return f"pip install 'croupier[{extra}]'"
