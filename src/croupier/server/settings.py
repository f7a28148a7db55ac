"""The settings of a machine, from flags, the environment, or a file, in this order; otherwise the defaults.

The law is in rulebooks, and the House's choices are in `tables/*.toml`. Settings say where a floor is stored and how it
is reached.
"""

from __future__ import annotations

import ipaddress
import os
import re
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple, Self
from zoneinfo import available_timezones

from pydantic import Field, ValidationError, field_validator, model_validator
from pydantic_settings import BaseSettings, InitSettingsSource, NoDecode, PydanticBaseSettingsSource, SettingsConfigDict

from croupier.rules.bad_input import BadInput, Fault
from croupier.rules.wrong_values import fault_in_file, short, unknown
from croupier.server.sessions import HOUR, MINUTE, Times
from croupier.store.address import SERVERS

PREFIX = "CROUPIER_"
FILE = Path("croupier.toml")
_NOT_SETTINGS = {"CROUPIER_SETTINGS", "CROUPIER_FAULTS"}
"""Our variables in the environment that are not settings."""

Port = Annotated[int, Field(ge=0, le=65_535)]
_ORIGIN = re.compile(r"https?://[A-Za-z0-9.-]+(:\d{1,5})?|https?://\[[0-9a-fA-F:]+\](:\d{1,5})?")


class Settings(BaseSettings):
    """Every setting of a machine."""

    model_config = SettingsConfigDict(env_prefix=PREFIX, env_ignore_empty=True, extra="forbid", frozen=True)

    floor: Path = Field(Path("floor"), description="The floor's folder: keys, checkpoints, archive, database.")
    store: str = Field("", description="Another database: a file, or postgresql://….")
    replica: str = Field("", description="A replica of that PostgreSQL, for long reports. No decision depends on it.")
    checkpoint_copies: Annotated[tuple[str, ...], NoDecode] = Field(
        (),
        description="Where every signed checkpoint is copied to, separated by commas: a folder that somebody else"
        " keeps, or an http(s):// address that accepts each with POST.",
    )
    tables: Path = Field(Path("tables"), description="The House's tables: a folder with a file for each.")
    house: str = Field(
        "Croupier", min_length=1, max_length=64, description="The name of the House, on pages and paper."
    )
    zone: str = Field("UTC", description="The time zone of the floor, on pages and paper.")
    cage_printer: str = Field(
        "", description="The cage's ticket printer: host:port, a device file, or simulated; otherwise pages print."
    )

    staff_host: str = Field("127.0.0.1", description="The address the staff's door listens on.")
    staff_port: Port = Field(8400, description="Its port; 0 takes any that is free.")
    staff_certificate: Path | None = Field(None, description="Its TLS certificate with its chain, PEM.")
    staff_key: Path | None = Field(None, description="The private key of that certificate, PEM.")
    public: bool = Field(
        True, description="Show the lobby, the displays and the books to everyone from a process of their own."
    )
    public_host: str = Field("127.0.0.1", description="The address it listens on.")
    public_port: Port | None = Field(
        None, description="Its port; 0 takes any that is free. By default 8402, or 0 if the staff's port is 0."
    )
    public_address: str = Field(
        "", description="The address at which browsers open its pages, if it is a different one."
    )
    terminal_host: str = Field("127.0.0.1", description="The address the terminals' door listens on.")
    terminal_port: Port = Field(8401, description="Its port; 0 takes any that is free.")
    terminal_certificate: Path | None = Field(None, description="Its TLS certificate with its chain, PEM.")
    terminal_key: Path | None = Field(None, description="The private key of that certificate, PEM.")
    terminal_ca: Path | None = Field(
        None, description="If given, terminals must show a certificate that this authority has signed, PEM."
    )
    terminal_address: str = Field(
        "",
        description="The wss:// address at which pages reach the terminals' door, if it is a different one.",
    )
    metrics_host: str = Field("127.0.0.1", description="The address at which programs may ask for /metrics.")
    metrics_port: Port | None = Field(
        None,
        description="Its port; 0 takes any that is free. Without one, only auditors and administrators see /metrics.",
    )
    relay_host: str = Field(
        "127.0.0.1", description="The address at which the other machines of this floor reach this one."
    )
    relay_port: Port = Field(0, description="Its port; 0 takes any that is free.")
    lease: Annotated[float, Field(ge=0.5, le=60)] = Field(
        5.0, description="Seconds after which another machine takes over the tables of a machine that is silent."
    )
    handover: Annotated[float, Field(ge=0, le=600)] = Field(
        45.0,
        description="Seconds for which a machine that shuts down waits for its rounds, if there are others.",
    )
    origins: Annotated[tuple[str, ...], NoDecode] = Field(
        (), description="The addresses of our own pages, separated by commas. By default that of the staff's door."
    )
    trusted_proxies: Annotated[tuple[str, ...], NoDecode] = Field(
        (),
        description="Addresses or networks of our own proxies: only they may name the address of a client.",
    )
    forwarded: Literal["x-forwarded-for", "forwarded"] = Field(
        "x-forwarded-for", description="The header in which they name it."
    )
    insecure: bool = Field(
        False,
        description="Accept connections from other machines without TLS, because a proxy in front does it.",
    )

    idle_minutes: Annotated[int, Field(ge=1, le=24 * 60)] = Field(
        30, description="Minutes without activity after which a session ends."
    )
    session_hours: Annotated[int, Field(ge=1, le=24)] = Field(12, description="Hours after which every session ends.")
    link_minutes: Annotated[int, Field(ge=1, le=24 * 60)] = Field(
        15, description="Minutes after which a one-time link expires."
    )
    approvals: Literal["session", "passkey"] = Field(
        "session",
        description="How dangerous acts are asked for and approved: in a session, or also signed with a passkey, "
        "which the floor then requires for ever.",
    )
    approved: Literal["off", "alert", "refuse"] = Field(
        "refuse", description="What to do if the software is not the one that the signed manifest approves."
    )
    approver: Path | None = Field(
        None, description="The public key that approves software, PEM. It must not be the floor's."
    )
    durability: Literal["off", "alert", "refuse"] = Field(
        "refuse",
        description="What to do if the database may lose rows: a setting that is off, a disk in memory.",
    )
    log: Literal["text", "json"] = Field("text", description="How log lines are written.")
    log_level: Literal["debug", "info", "warning", "error"] = Field("info", description="Which log lines are written.")

    @field_validator("origins", "trusted_proxies", mode="before")
    @classmethod
    def _split(cls, origins: Any) -> Any:
        return tuple(part for part in re.split(r"[,\s]+", origins) if part) if isinstance(origins, str) else origins

    @field_validator("checkpoint_copies", mode="before")
    @classmethod
    def _split_at_commas(cls, places: Any) -> Any:
        return tuple(part.strip() for part in places.split(",") if part.strip()) if isinstance(places, str) else places

    @field_validator("checkpoint_copies")
    @classmethod
    def _are_places(cls, places: tuple[str, ...]) -> tuple[str, ...]:
        for place in places:
            if "://" in place and not re.fullmatch(r"https?://[^\s/]+(/\S*)?", place):
                raise ValueError(
                    f"{short(place)} is not a place for copies; write a folder, or https://other.example/checkpoints"
                )
        return places

    @field_validator("origins")
    @classmethod
    def _are_origins(cls, origins: tuple[str, ...]) -> tuple[str, ...]:
        for origin in origins:
            if not _ORIGIN.fullmatch(origin):
                raise ValueError(
                    f"{short(origin)} is not the address of a page; write https://floor.example or http://127.0.0.1:8400"
                )
        return origins

    @field_validator("trusted_proxies")
    @classmethod
    def _are_networks(cls, networks: tuple[str, ...]) -> tuple[str, ...]:
        for network in networks:
            try:
                ipaddress.ip_network(network)
            except ValueError:
                raise ValueError(
                    f"{short(network)} is not an address or network; write it as 10.0.0.2 or 10.0.0.0/24"
                ) from None
        return networks

    @field_validator("public_address")
    @classmethod
    def _is_an_origin(cls, address: str) -> str:
        if address and not _ORIGIN.fullmatch(address):
            raise ValueError(
                f"{short(address)} is not the address of a page; write https://floor.example or http://127.0.0.1:8402"
            )
        return address

    @field_validator("zone")
    @classmethod
    def _is_a_zone(cls, zone: str) -> str:
        if zone not in available_timezones():
            raise ValueError(f"{short(zone)} is not a time zone; write it as Asia/Singapore or Pacific/Auckland")
        return zone

    @field_validator("terminal_address")
    @classmethod
    def _is_an_address(cls, address: str) -> str:
        if address and not re.fullmatch(r"wss?://[^\s\"';,]{1,200}", address):
            raise ValueError(
                f"{short(address)} is not the address of a WebSocket; write it as wss://floor.example:8401/"
            )
        return address

    @model_validator(mode="after")
    def _fits(self) -> Self:
        faults = list(_contradictions(self))
        if faults:
            raise ValueError("\n".join(faults))
        return self

    # ---- values that follow from the settings

    @property
    def times(self) -> Times:
        return Times(self.idle_minutes * MINUTE, self.session_hours * HOUR, self.link_minutes * MINUTE)

    @property
    def tls(self) -> bool:
        """Whether the staff's browsers use TLS, to this process or to a proxy in front of it."""
        encrypted = bool(self.staff_certificate)
        return encrypted or (bool(self.origins) and all(origin.startswith("https:") for origin in self.origins))

    def origins_at(self, port: int) -> frozenset[str]:
        """The addresses of our own pages, when the staff's door listens on this port."""
        if self.origins:
            return frozenset(self.origins)
        scheme = "https" if self.staff_certificate else "http"
        names = {in_address(self.staff_host)}
        if is_loopback(self.staff_host):
            names.add("localhost")
        return frozenset(f"{scheme}://{name}:{port}" for name in names)

    def public_at(self, port: int) -> str:
        """The address of the public pages, when they are served on this port; TLS is as at the staff's door."""
        scheme = "https" if self.staff_certificate else "http"
        return self.public_address or f"{scheme}://{in_address(self.public_host)}:{port}"

    @property
    def public_listens(self) -> int:
        """The port that the public process asks for."""
        if self.public_port is not None:
            return self.public_port
        return 8402 if self.staff_port else 0

    def terminals_at(self, port: int) -> str:
        """The address of the terminals' door, for pages, when it listens on this port."""
        scheme = "wss" if self.terminal_certificate else "ws"
        return self.terminal_address or f"{scheme}://{in_address(self.terminal_host)}:{port}/"

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Flags before the environment before the file. The file's settings arrive as one flag, `_file`."""
        assert isinstance(init_settings, InitSettingsSource)
        file = init_settings.init_kwargs.pop(_FILE, {})
        return init_settings, env_settings, InitSettingsSource(settings_cls, file)


_FILE = "_file"


def _contradictions(settings: Settings) -> Iterable[str]:
    """Settings that contradict each other."""
    for door in ("staff", "terminal"):
        certificate, key = getattr(settings, f"{door}_certificate"), getattr(settings, f"{door}_key")
        if bool(certificate) != bool(key):
            yield f"{door}_certificate and {door}_key go together: give both, or neither"
        host = getattr(settings, f"{door}_host")
        if not (certificate or settings.insecure or is_loopback(host)):
            yield f"{door}_host: {host} is reached from other machines: give {door}_certificate, or set insecure"
    if settings.public and not (settings.staff_certificate or settings.insecure or is_loopback(settings.public_host)):
        host = settings.public_host
        yield f"public_host: {host} is reached from other machines: give staff_certificate, or set insecure"
    if settings.public and not settings.public_address and _is_any(settings.public_host):
        yield f"public_address: public_host is {settings.public_host}, so give the address of its pages"
    if settings.metrics_port is not None and not (settings.insecure or is_loopback(settings.metrics_host)):
        yield f"metrics_host: {settings.metrics_host} is reached from other machines, but has no TLS: set insecure"
    if settings.replica and not settings.store.startswith(SERVERS):
        yield "replica needs store: the PostgreSQL of which it is a copy"
    if settings.terminal_ca and not settings.terminal_certificate:
        yield "terminal_ca needs terminal_certificate: terminals show theirs only under TLS"
    if settings.staff_port and (settings.staff_host, settings.staff_port) == (
        settings.terminal_host,
        settings.terminal_port,
    ):
        yield f"staff_port and terminal_port are both {settings.staff_port}"
    if not settings.origins and _is_any(settings.staff_host):
        yield f"origins: staff_host is {settings.staff_host}, so give the addresses of our pages"
    if not settings.terminal_address and _is_any(settings.terminal_host):
        yield f"terminal_address: terminal_host is {settings.terminal_host}, so give its address"
    if settings.store.startswith(SERVERS):
        if _is_any(settings.relay_host):
            yield f"relay_host: other machines cannot reach this one at {settings.relay_host}"
        if re.match(r"wss?://[:/]", settings.terminal_address):
            yield f"terminal_address: {settings.terminal_address} names no machine of the several"


def _address_of(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(host)
    except ValueError:
        return None


def is_loopback(host: str) -> bool:
    address = _address_of(host)
    return host == "localhost" or (address is not None and address.is_loopback)


def _is_any(host: str) -> bool:
    address = _address_of(host)
    return not host or (address is not None and address.is_unspecified)


def in_address(host: str) -> str:
    return f"[{host}]" if ":" in host else host


# ---- reading


def read_settings(flags: Mapping[str, object] | None = None, file: Path | None = None) -> Settings:
    """The settings of this machine. BadInput lists every fault with its place."""
    given = {name: value for name, value in (flags or {}).items() if value is not None}
    place, in_file = _read_file(file)
    faults = [
        Fault("", unknown("setting", name, [f"{PREFIX}{one.upper()}" for one in Settings.model_fields]))
        for name in sorted(os.environ)
        if name.startswith(PREFIX)
        and name not in _NOT_SETTINGS
        and name.removeprefix(PREFIX).lower() not in Settings.model_fields
    ]
    try:
        settings = Settings(**given, **{_FILE: in_file})  # type: ignore[arg-type]
    except ValidationError as error:
        for fault in error.errors():
            faults += _faults(fault, given, place)
        raise BadInput(faults) from None
    if faults:
        raise BadInput(faults)
    return settings


def _read_file(file: Path | None) -> tuple[str, dict[str, Any]]:
    """The file that was named, or the usual one if it exists."""
    named = file or (Path(os.environ["CROUPIER_SETTINGS"]) if os.environ.get("CROUPIER_SETTINGS") else None)
    if named is None and not FILE.exists():
        return "", {}
    path = named or FILE
    try:
        return str(path), tomllib.loads(path.read_bytes().decode())
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadInput([Fault(str(path), f"cannot be read as TOML: {error}")]) from None
    except OSError as error:
        raise BadInput([Fault(str(path), f"cannot be read: {error.strerror}")]) from None


def _faults(detail: Any, flags: Mapping[str, object], file: str) -> Iterable[Fault]:
    if not detail["loc"]:  # contradictions, which name the settings themselves
        yield from (Fault("", line) for line in str(detail["ctx"]["error"]).splitlines())
        return
    name = str(detail["loc"][0])
    if detail["type"] == "extra_forbidden":
        yield Fault(file, unknown("setting", name, list(Settings.model_fields)))
        return
    variable = f"{PREFIX}{name.upper()}"
    if name in flags:
        place = f"--{name.replace('_', '-')}"
    elif os.environ.get(variable):
        place = variable
    else:
        place = f"{file}: {name}"
    yield Fault(place, fault_in_file(detail)[1])


# ---- listing


class SettingLine(NamedTuple):
    name: str
    flag: str
    variable: str
    default: str
    what: str


def every_setting() -> list[SettingLine]:
    """Every setting, for the page about operating a floor."""
    lines = []
    for name, field in Settings.model_fields.items():
        default = field.default
        text = "" if default in (None, "", ()) else str(default).lower() if isinstance(default, bool) else str(default)
        flag, variable = f"--{name.replace('_', '-')}", f"{PREFIX}{name.upper()}"
        lines.append(SettingLine(name, flag, variable, text, field.description or ""))
    return lines
