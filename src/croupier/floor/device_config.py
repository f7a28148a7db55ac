"""The devices of a table as its file names them: which kind, its settings, and what the book demands of it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from typing import Annotated, Any, ClassVar, Literal, NamedTuple

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from croupier.devices.keypad import Keypad
from croupier.devices.lamps import SerialLamps, SimulatedLamps
from croupier.devices.port import Capability, Device, Lamps, Monotonic
from croupier.devices.printer import PrinterPort, SimulatedPrinter
from croupier.devices.serial import SerialWheel
from croupier.devices.shaker import MqttShaker, Shake, Topics
from croupier.devices.tumbler import SimulatedTumbler
from croupier.devices.wheel import SimulatedWheel
from croupier.rules.bad_input import Fault
from croupier.rules.outcomes import Wheel
from croupier.rules.rulebook import Rulebook
from croupier.table.state import Table

AUTOMAT = "automat"
"""The name of the automatic Dealer, who is on the staff with the roles the House gives it."""

Seconds = Annotated[float, Field(gt=0, le=3600)]


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Wishes(NamedTuple):
    """The House's wishes for a device of any kind."""

    patience: float = 60
    alternates: bool = False
    rotor: tuple[float, float] | None = None


class _Device(_Part, ABC):
    """The settings of one kind of device. A new kind is a class here and a member of `DeviceConfig`."""

    for_device: ClassVar[Literal["dice", "wheel", ""]] = ""
    """Whether it makes results with dice or a wheel; empty if it suits both."""

    kind: str

    @property
    def wishes(self) -> Wishes:
        return Wishes(**{name: getattr(self, name) for name in Wishes._fields if hasattr(self, name)})

    @abstractmethod
    def able(self, book: Rulebook) -> frozenset[Capability]:
        """The capabilities of the device at a table of this book."""

    @abstractmethod
    def make(self, name: str, table: Table) -> Device | None:
        """The device, under this name; None if the table has none."""

    def faults(self) -> Iterable[Fault]:
        """What is wrong with these settings."""
        return ()

    def uncounted(self, counted: str, book: Rulebook) -> Fault | None:
        """Why the automatic Dealer cannot use it: it does not count what the book wants counted."""
        if "counts" in self.able(book):
            return None
        lacks = _COUNTED[self.for_device or book.device]
        return Fault(
            "device", f"a {self.kind} does not count {lacks}, and a program must know of {counted}; let people deal"
        )


_COUNTED = {"dice": "tumbles", "wheel": "revolutions"}


class NoDevice(_Device):
    """People see the dice or the ball, and enter what they see."""

    kind: Literal["none"] = "none"

    def able(self, book: Rulebook) -> frozenset[Capability]:
        return frozenset()

    def make(self, name: str, table: Table) -> Device | None:
        return None

    def uncounted(self, counted: str, book: Rulebook) -> Fault | None:
        return Fault("device", "a table that is dealt automatically needs one")


class _Equipment(_Device):
    name: str = ""
    """Who it is on the staff; may be left out where one alone has the role `device`."""
    patience: Seconds = 60
    """Seconds that one stage of a motion may take before people are called."""


class SimulatedConfig(_Equipment):
    """A simulated tumbler or wheel."""

    kind: Literal["simulated"]
    one_in: Annotated[int, Field(ge=0, le=256)] = 0
    """One stage in so many goes wrong, by chance; with 0, none does."""
    speed: Annotated[float, Field(gt=0, le=10_000)] = 1
    """How many times as fast as a real one."""
    alternates: bool = False

    def able(self, book: Rulebook) -> frozenset[Capability]:
        if book.device == "wheel":
            return SimulatedWheel.capabilities
        return SimulatedTumbler.able(covered=book.play.order == "covered")

    def make(self, name: str, table: Table) -> Device | None:
        """If the ball ran when the floor stopped, the wheel begins with that motion cut off."""
        space, time = table.book.space, Monotonic(self.speed)
        if isinstance(space, Wheel):
            cut_off = table.motion.started and table.motion.count is None
            return SimulatedWheel(name, space.numbers, time=time, one_in=self.one_in, cut_off=cut_off)
        return SimulatedTumbler(name, covered=table.order == "covered", time=time, one_in=self.one_in)


class Cammegh(_Equipment):
    """A wheel on a serial line. The Dealer spins the ball, unless the wheel launches it."""

    for_device: ClassVar[Literal["dice", "wheel", ""]] = "wheel"
    kind: Literal["cammegh"]
    path: str
    launches: bool = False
    alternates: bool = False
    """True if the House wants the wheel turned the other way for every spin."""
    rotor: tuple[Annotated[float, Field(ge=0)], Annotated[float, Field(ge=0)]] | None = None
    """The least and the most revolutions a minute at which the House wants the wheel to turn."""
    silence: Seconds = 3

    def able(self, book: Rulebook) -> frozenset[Capability]:
        return SerialWheel.able(launches=self.launches)

    def make(self, name: str, table: Table) -> Device | None:
        space = table.book.space
        assert isinstance(space, Wheel)
        return SerialWheel(name, self.path, space, launches=self.launches, silence=self.silence)

    def faults(self) -> Iterable[Fault]:
        if self.rotor and self.rotor[0] > self.rotor[1]:
            yield Fault("device.rotor", "the least comes first")


class ShakerTopics(_Part):
    command: str
    state: str
    detect: str
    result: str


class Shaker(_Equipment):
    """A dice shaker and its camera, over MQTT."""

    for_device: ClassVar[Literal["dice", "wheel", ""]] = "dice"
    kind: Literal["shaker"]
    host: str
    port: Annotated[int, Field(gt=0, le=65_535)] = 1883
    topics: ShakerTopics
    pattern: Annotated[int, Field(ge=0)] = 0
    amplitude: Annotated[int, Field(ge=0)] = 50
    duration: Annotated[int, Field(gt=0, le=60)] = 3
    cycles: Annotated[int, Field(ge=0, le=20)] = 0
    """Shakes, each of which the House counts as one tumble; 0 for one long shake without a count."""
    picture: str = ""

    def able(self, book: Rulebook) -> frozenset[Capability]:
        return MqttShaker.able(cycles=self.cycles)

    def make(self, name: str, table: Table) -> Device | None:
        topics = Topics(**self.topics.model_dump())
        shake = Shake(self.pattern, self.amplitude, self.duration, self.cycles)
        covered = table.order == "covered"
        return MqttShaker(name, self.host, self.port, topics, covered=covered, shake=shake, picture=self.picture)

    def uncounted(self, counted: str, book: Rulebook) -> Fault | None:
        if self.cycles >= book.play.minimum:
            return None
        return Fault(
            "device.cycles", f"a program must know of {counted} tumbles; give as many cycles, or let people deal"
        )


class KeypadConfig(_Part):
    """The entry terminal (nz 3.3): a keypad on a serial line."""

    kind: Literal["keypad"]
    path: str
    name: str
    """Its name on the staff, with a role that may enter a result."""


class SerialLampsConfig(_Part):
    """The lamps of the felt (nz 3.3(b)) on a serial line."""

    kind: Literal["serial"]
    path: Annotated[str, Field(min_length=1)]
    name: str = "lamps"


class SimulatedLampsConfig(_Part):
    """Simulated lamps."""

    kind: Literal["simulated"]
    name: str = "lamps"


class EscPosPrinter(_Part):
    """A thermal printer, for the tickets that are made at this table."""

    kind: Literal["escpos"]
    address: Annotated[str, Field(min_length=1)]
    """host:port, or the path of a device file."""
    name: str = "printer"


class NoRealPrinter(_Part):
    """A simulated printer."""

    kind: Literal["simulated"]
    name: str = "printer"


def _by_kind(value: object) -> object:
    """`device = "simulated"` is short for a device with no settings."""
    return {"kind": value} if isinstance(value, str) else value


DeviceConfig = Annotated[
    Annotated[NoDevice | SimulatedConfig | Cammegh | Shaker, Field(discriminator="kind")], BeforeValidator(_by_kind)
]


PrinterConfig = Annotated[
    Annotated[EscPosPrinter | NoRealPrinter, Field(discriminator="kind")], BeforeValidator(_by_kind)
]


LampsConfig = Annotated[
    Annotated[SerialLampsConfig | SimulatedLampsConfig, Field(discriminator="kind")], BeforeValidator(_by_kind)
]


def make_lamps(config: LampsConfig) -> Lamps:
    match config:
        case SerialLampsConfig():
            return SerialLamps(config.name, config.path)
        case SimulatedLampsConfig():
            return SimulatedLamps(config.name)


def device_name(device: DeviceConfig, staff: Mapping[str, tuple[str, ...]]) -> str:
    """The name of a device on the staff; empty if it is not clear."""
    if isinstance(device, NoDevice):
        return ""
    named = [name for name, roles in staff.items() if "device" in roles]
    return device.name or (named[0] if len(named) == 1 else "")


def make_keypad(config: KeypadConfig) -> Keypad:
    return Keypad(config.name, config.path)


def make_printer(config: PrinterConfig) -> PrinterPort | SimulatedPrinter:
    match config:
        case EscPosPrinter():
            return PrinterPort(config.name, config.address)
        case NoRealPrinter():
            return SimulatedPrinter(config.name)


def printer_at(address: str) -> PrinterConfig | None:
    """The printer that one setting names: an address, `simulated`, or nothing for no printer."""
    if not address:
        return None
    return NoRealPrinter(kind="simulated") if address == "simulated" else EscPosPrinter(kind="escpos", address=address)


def faults_of(
    device: DeviceConfig,
    entry: KeypadConfig | None,
    lamps: LampsConfig | None,
    dealing: str,
    two_sources: bool,
    staff: Mapping[str, tuple[Any, ...]],
    book: Rulebook,
) -> Iterable[Fault]:
    """What the book or the House's staff does not allow."""
    if device.for_device not in ("", book.device):
        if book.device == "dice":
            yield Fault("device", f"{book.id} is played with dice; a {device.kind} is a wheel")
        else:
            yield Fault("device", f"{book.id} is played with a wheel; a {device.kind} is for dice")
    if not isinstance(device, NoDevice):
        name = device_name(device, staff)
        if "device" not in staff.get(name, ()):
            yield Fault("device", f'{name or "it"} must be on the staff with the role "device"')
    yield from device.faults()
    yield from _entry_faults(entry, staff, book)
    if lamps is not None and book.play.layout_of == "terminal":
        yield Fault("lamps", f"{book.id} is played on terminals, which light their own felts")
    if two_sources and isinstance(device, NoDevice):
        yield Fault("two_sources", "a second source needs a device")
    if dealing == "automatic":
        yield from _automatic_faults(device, two_sources, staff, book)
    elif AUTOMAT in staff:
        yield Fault(f"staff.{AUTOMAT}", "that is the program that deals, and this table is dealt by people")


def _entry_faults(entry: KeypadConfig | None, staff: Mapping[str, tuple[Any, ...]], book: Rulebook) -> Iterable[Fault]:
    if entry is None:
        return
    if isinstance(book.space, Wheel):
        yield Fault("entry", f"{book.id} is played with a wheel, whose number is entered on the console")
    if not set(staff.get(entry.name, ())) & set(book.play.operated_by):
        allowed = " or ".join(book.play.operated_by)
        yield Fault(
            "entry.name", f"{entry.name} must be on the staff as {allowed}: who presses the keys enters the result"
        )


def _automatic_faults(
    device: DeviceConfig, two_sources: bool, staff: Mapping[str, tuple[Any, ...]], book: Rulebook
) -> Iterable[Fault]:
    """The automatic Dealer knows only what its device reports, so the device must count and read."""
    if "dealer" not in staff.get(AUTOMAT, ()):
        yield Fault("staff", f'a table that is dealt automatically needs {AUTOMAT} = ["dealer"]')
    if two_sources:
        yield Fault("two_sources", "a program that deals has only what its device tells, which is one source")
    counted = f"{book.play.minimum} ({book.play.minimum_clause})"
    if fault := device.uncounted(counted, book):
        yield fault
