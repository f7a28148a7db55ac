"""The House's choices: one file for each table, tables/*.toml. All faults of all files are reported at once.

The first rows of a new floor follow from these files: its streams, the first accounts, and the staff of the cage.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, PlainValidator, ValidationError

from croupier.floor.device_config import (
    AUTOMAT,
    DeviceConfig,
    KeypadConfig,
    LampsConfig,
    NoDevice,
    PrinterConfig,
    faults_of,
)
from croupier.office.state import RULES
from croupier.rules.bad_input import BadInput, Fault
from croupier.rules.library import load_rulebook, rulebook_text
from croupier.rules.money import Cents, parse_money
from croupier.rules.outcomes import Wheel
from croupier.rules.refusal import Refused
from croupier.rules.rulebook import Rulebook
from croupier.rules.translations import translation
from croupier.rules.wrong_values import fault_in_file
from croupier.store.recorder import check_stream_name
from croupier.store.streams.made import AnyMade, CageMade, OfficeMade, TableMade
from croupier.table.checks import check_name
from croupier.table.limits import check_limits
from croupier.table.messages import Limits, PersonId, SeatId
from croupier.table.roles import ADMINISTRATOR, AT_THE_CAGE, OFFICE_ROLES, OfficeRole, Role

CAGE, OFFICE = "cage", "office"
"""The streams of a floor that are not tables."""


def _money(text: object) -> Cents:
    if not isinstance(text, str):
        raise ValueError('write an amount as text, like "10.00"')
    try:
        return parse_money(text)
    except Refused as refused:
        raise ValueError(refused) from None


Money = Annotated[Cents, PlainValidator(_money)]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class LimitsConfig(_Strict):
    """Amounts by box name, by kind of box (`total`), or for all boxes (`*`)."""

    unit: Money
    minimum: dict[str, Money]
    maximum: dict[str, Money]
    differential: Money | None = None

    def limits(self) -> Limits:
        return Limits(dict(self.minimum), dict(self.maximum), self.unit, self.differential)


class Pace(_Strict):
    """Seconds between the acts of the automatic Dealer, and before the end of betting for the warning on screens."""

    betting: Annotated[float, Field(gt=0, le=3600)] = 30
    warning: Annotated[float, Field(ge=0, le=3600)] = 10
    result: Annotated[float, Field(ge=0, le=3600)] = 6
    pause: Annotated[float, Field(ge=0, le=3600)] = 3


class TableConfig(_Strict):
    name: str
    rulebook: str
    layouts: tuple[str, ...] = ()
    seats: tuple[str, ...]
    limits: LimitsConfig
    staff: dict[str, tuple[Role, ...]]
    dealing: Literal["people", "automatic"] = "people"
    device: DeviceConfig = NoDevice()
    entry: KeypadConfig | None = None
    lamps: LampsConfig | None = None
    printer: PrinterConfig | None = None
    two_sources: bool = False
    approval_seconds: Annotated[int, Field(gt=0, le=86_400)] = 120
    alternatives: tuple[int, ...] = ()
    ticket_days: Annotated[int, Field(gt=0, le=180)] = 30
    pace: Pace = Pace()
    trial: bool = False
    """The table may be made under a book whose hour has not come, or that was replaced: to train, to try, to show."""
    wheel: tuple[str, ...] = ()
    """The pockets of this table's wheel, clockwise, for pictures. No rule of a game depends on their order."""

    def made(self) -> TableMade:
        """The first row of this table."""
        book = self.book()
        return TableMade(
            self.name,
            rulebook_text(self.rulebook),
            book.hash,
            self.layouts_of(book),
            self.limits.limits(),
            {PersonId(name): roles for name, roles in self.staff.items()},
            self.two_sources,
            self.approval_seconds,
            self.alternatives,
        )

    def book(self) -> Rulebook:
        """The book under which the table is made."""
        return load_rulebook(self.rulebook)

    def layouts_of(self, book: Rulebook) -> tuple[str, ...]:
        names = (
            self.layouts or tuple(layout.id for layout in book.layouts)[: 1 if book.play.layout_of == "table" else None]
        )
        return tuple(book.layout(name).id.rpartition("/")[2] for name in names)

    def people(self) -> dict[str, tuple[Role, ...]]:
        """The staff without the automatic Dealer, which has no account."""
        return {name: roles for name, roles in self.staff.items() if name != AUTOMAT}

    def seat_ids(self) -> tuple[SeatId, ...]:
        return tuple(SeatId(seat) for seat in self.seats)


def read_tables(folder: Path) -> list[TableConfig]:
    """The tables of a House; BadInput with every fault of every file."""
    files = sorted(folder.glob("*.toml"))
    if not files:
        raise BadInput([Fault(str(folder), "there is no table in this folder; a table is a file NAME.toml")])
    found: list[TableConfig] = []
    faults: list[Fault] = []
    for file in files:
        try:
            found.append(read_table(file.read_bytes(), str(file)))
        except BadInput as error:
            faults += error.faults
        except OSError as error:
            faults.append(Fault(str(file), f"cannot be read: {error.strerror}"))
    names = [table.name for table in found]
    faults += [
        Fault(str(folder), f'two tables are called "{name}"')
        for name in sorted({n for n in names if names.count(n) > 1})
    ]
    if faults:
        raise BadInput(faults)
    return found


def read_table(text: bytes, file: str) -> TableConfig:
    try:
        table = TableConfig.model_validate(tomllib.loads(text.decode()))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadInput([Fault(file, f"cannot be read as TOML: {error}")]) from None
    except ValidationError as error:
        raise BadInput(_fault(detail).inside(file) for detail in error.errors()) from None
    faults = [fault.inside(file) for fault in _against_the_law(table)]
    if faults:
        raise BadInput(faults)
    return table


def _fault(detail: Any) -> Fault:
    path, wrong = fault_in_file(detail, list(TableConfig.model_fields))
    refused = getattr(detail.get("ctx", {}).get("error"), "args", ())
    return Fault(".".join(path), refused[0] if refused and isinstance(refused[0], Refused) else wrong)


def _against_the_law(table: TableConfig) -> Iterable[Fault]:
    """What the names and the book refuse."""
    for what, names in (("seat", table.seats), ("person", tuple(table.staff))):
        for name in names:
            yield from _refusals(f"{what} {name}", lambda what=what, name=name: check_name(what, name))
    if len(set(table.seats)) < len(table.seats):
        yield Fault("seats", "two seats have the same name")
    if set(table.seats) & set(table.staff):
        yield Fault("seats", "a seat and a person have the same name")
    yield from _refusals("name", lambda: check_stream_name(table.name))
    if table.name in (CAGE, OFFICE):
        yield Fault("name", f"a table cannot be called {table.name}: the floor uses that name")
    try:
        book = load_rulebook(table.rulebook)
        translation(table.rulebook, "zh")
    except Refused as refused:
        yield Fault("rulebook", refused)
        return
    try:
        layouts = [book.layout(name) for name in table.layouts_of(book)]
    except Refused as refused:
        yield Fault("layouts", refused)
        return
    yield from faults_of(table.device, table.entry, table.lamps, table.dealing, table.two_sources, table.staff, book)
    limits = Limits(
        dict(table.limits.minimum), dict(table.limits.maximum), table.limits.unit, table.limits.differential
    )
    yield from _refusals("limits", lambda: check_limits(limits, layouts, book.limits))
    if table.wheel and sorted(table.wheel) != sorted(book.space.numbers if isinstance(book.space, Wheel) else ()):
        yield Fault("wheel", f"name every pocket of {book.id} once; it has {_pockets(book)}")
    readings = {reading.ruling for reading in book.readings if reading.alternative != "none"}
    for number in table.alternatives:
        if number not in readings:
            yield Fault("alternatives", f"{book.id} has no ruling {number} with an alternative")


def _pockets(book: Rulebook) -> str:
    return ", ".join(book.space.numbers) if isinstance(book.space, Wheel) else "no wheel"


def _refusals(place: str, check: Any) -> Iterable[Fault]:
    try:
        check()
    except Refused as refused:
        yield Fault(place, refused)


# ---- the first rows

FIRST_ADMINISTRATOR = PersonId("admin")


def made_of(configs: Sequence[TableConfig]) -> dict[str, Callable[[], AnyMade]]:
    """Every stream of a floor with these tables, and how to make its first row."""
    made: dict[str, Callable[[], AnyMade]] = {config.name: config.made for config in configs}
    made[CAGE] = lambda: CageMade(CAGE, cage_staff(configs))
    made[OFFICE] = lambda: OfficeMade(OFFICE, first_accounts(configs), RULES)
    return made


def cage_staff(configs: Sequence[TableConfig]) -> dict[PersonId, tuple[Role, ...]]:
    """The first staff of the cage: everyone who handles money at a table."""
    staff: dict[PersonId, tuple[Role, ...]] = {}
    for config in configs:
        for name, roles in config.people().items():
            if kept := tuple(role for role in roles if role in AT_THE_CAGE):
                staff[PersonId(name)] = kept
    return staff


def first_accounts(configs: Sequence[TableConfig]) -> dict[PersonId, tuple[OfficeRole, ...]]:
    """An account for each person on the staff of a table, with all of their roles, and one administrator."""
    held: dict[PersonId, set[str]] = {FIRST_ADMINISTRATOR: {ADMINISTRATOR}}
    for config in configs:
        for name, roles in config.people().items():
            if people := set(roles) - {"device"}:
                held.setdefault(PersonId(name), set()).update(people)
    return {name: tuple(role for role in OFFICE_ROLES if role in roles) for name, roles in held.items()}
