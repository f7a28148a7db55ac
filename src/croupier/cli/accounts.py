"""Commands that set a floor up and keep its accounts, terminals and alerts while no server has it open."""

from __future__ import annotations

import getpass
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from croupier.cli.output import CommandReport, in_columns, print_lines, print_report
from croupier.cli.shared import FLOOR, RUN, AsJson, FloorFolder, StoreAddress, app

if TYPE_CHECKING:
    from croupier.office import AnyOfficeCommand, Office
    from croupier.server.settings import Settings
    from croupier.store.recorder import Recorder

SettingsFile = Annotated[
    Path | None,
    typer.Option(
        "--settings", help="The file with the settings of this machine. Default: croupier.toml, if it exists."
    ),
]
FloorSetting = Annotated[
    Path | None, typer.Option("--floor", help="The folder of the floor. Default: ./floor, or the one in the settings.")
]
StoreSetting = Annotated[
    str | None,
    typer.Option("--store", help="Use this database instead of the one in the folder: a file, or postgresql://…."),
]
TablesSetting = Annotated[
    Path | None, typer.Option("--tables", help="The folder with a file for each table of the House. Default: ./tables.")
]
Person = Annotated[
    str, typer.Argument(metavar="PERSON", help="The name of the person, as in the staff lists of the tables.")
]
Reason = Annotated[str, typer.Option(help="The reason, for the record.")]
_LETTERS = "abcdefghijkmnpqrstuvwxyz23456789"
"""Letters and digits that are not mistaken for each other."""


def settings_of(file: Path | None = None, **flags: Any) -> Settings:
    from croupier.server.settings import read_settings

    return read_settings(flags, file)


def tables_of(settings: Settings) -> Any:
    from croupier.floor.config import read_tables

    return read_tables(settings.tables)


def machine() -> str:
    """The name under which the journal records the user of this command line."""
    from croupier.office import MACHINE

    try:
        return f"{MACHINE}/{getpass.getuser()}"
    except (KeyError, OSError):
        return f"{MACHINE}/{os.getuid()}"


# ---- the floor


@app.command(rich_help_panel=RUN)
def init(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="The folder to make.")] = FLOOR,
    store: StoreAddress = None,
    tables: TablesSetting = None,
    file: SettingsFile = None,
) -> None:
    """Make a floor: keys, database, and an account for each person in the staff lists. Passwords are shown once."""
    from croupier.store.folder import Premises
    from croupier.store.manifest import manifest_file

    settings = settings_of(file, tables=tables)
    configs = tables_of(settings) if settings.tables.exists() else []
    premises = Premises(folder, store)
    premises.init()
    print_lines(
        [
            f"{premises.keys / 'signing.key'}  signs checkpoints and receipts: keep it secret, with a copy in a safe",
            f"{premises.public_key}  for everyone who checks this floor: {_fingerprint(premises.public_key)}",
            f"{premises.shown}  the journal",
            f"{premises.checkpoints}  will hold the signed checkpoints: copy it elsewhere, often",
            f"{manifest_file(premises)}  will list the software that may run here: its approver signs it",
        ]
    )
    if not configs:
        print_lines([f"{settings.tables}  has no tables yet; when it has, make accounts with croupier account make"])
        return
    with Desk(settings_of(file, floor=folder, store=store, tables=tables)) as desk:
        people = [(name, roles, desk.new_password(name)) for name, roles in desk.made.items()]
    print_lines(["", "Accounts; each password is shown here and nowhere else:"])
    shown = [(name, ", ".join(roles), word) for name, roles, word in people]
    print_lines([in_columns(("person", "roles", "password"), shown)])
    print_lines(
        ["", "Next, before the floor opens: confirm the first two people with croupier account founders NAME NAME"]
    )


@app.command(rich_help_panel=RUN)
def migrate(store: StoreAddress = None, folder: FloorFolder = None) -> None:
    """Make or update the tables of a database, and give the role of the floor its rights.

    If the floor signs in to PostgreSQL as a role that owns no tables, give the address of their owner here.
    """
    from croupier.cli.floor import premises_of
    from croupier.store.folder import open_store
    from croupier.store.migrations import MIGRATIONS

    premises = premises_of(folder, store)
    open_store(premises.address, make=True).close()
    print_lines([f"{premises.shown}  is up to date: all {len(MIGRATIONS)} steps, every table as it must be"])


def _fingerprint(key: Path) -> str:
    from hashlib import sha256

    return f"SHA-256 {sha256(key.read_bytes()).hexdigest()[:32]}"


class Desk:
    """The office of a floor, opened while no server has it open."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._recorder: Recorder

    def __enter__(self) -> Desk:
        from croupier.floor.config import OFFICE, first_accounts
        from croupier.office import messages as o
        from croupier.office.state import RULES
        from croupier.rules.refusal import Refused
        from croupier.store.clock import Clock
        from croupier.store.folder import Premises, open_store
        from croupier.store.heads import Heads
        from croupier.store.journal import Conflict
        from croupier.store.recorder import Recorder
        from croupier.store.streams.made import OfficeMade

        premises = Premises(self._settings.floor, self._settings.store or None)
        if not premises.signs:
            raise Refused("floor", "none-yet", folder=str(premises.folder))
        self._store = open_store(premises.address)
        self._clock = Clock()
        owner, now = f"{machine()}-{os.getpid()}", self._clock.now()
        self._heads = Heads(premises.heads, owner)
        try:
            if short := self._heads.compare(self._store, OFFICE):
                self._close()
                raise short.refused
            if self._store.head(OFFICE).seq:
                self._recorder = Recorder.recover(self._store, owner, now, 60_000, OFFICE)
                self._clock = Clock(self._recorder.at)
            else:
                configs = tables_of(self._settings)
                self._recorder = Recorder.make(
                    self._store, owner, now, 60_000, OfficeMade(OFFICE, first_accounts(configs), RULES)
                )
        except Conflict:
            self._close()
            raise Refused("running", "server") from None
        self._recorder.noted = self._heads.note
        self._heads.note(OFFICE, self._recorder.place)
        if self.office.rules < RULES:
            self.give(o.AdoptRules(machine(), self.now(), RULES))
        return self

    def __exit__(self, *_: object) -> None:
        self._store.release(self._recorder.lease)
        self._close()

    def _close(self) -> None:
        self._heads.close()
        self._store.close()

    @property
    def office(self) -> Office:
        from croupier.store.streams.office import OfficeSubject

        assert isinstance(self._recorder.subject, OfficeSubject)
        return self._recorder.subject.office

    @property
    def made(self) -> Any:
        """Everyone who has an account, with their roles."""
        return {name: account.roles for name, account in self.office.accounts.items() if not account.retired}

    def now(self) -> int:
        return self._clock.now()

    def give(self, command: AnyOfficeCommand) -> None:
        """Give a command to the office, which records it. Refused if the office refuses."""
        from croupier.rules.refusal import as_refused

        no = self._recorder.give(command).entry.refused
        if no is not None:
            raise as_refused(no)

    def new_password(self, person: str) -> str:
        """Give a person a random password, and return it."""
        import secrets

        word = "-".join("".join(secrets.choice(_LETTERS) for _ in range(4)) for _ in range(4))
        self.set_password(person, word)
        return word

    def set_password(self, person: str, word: str) -> None:
        from croupier.office import messages as o
        from croupier.table.messages import PersonId

        with self._kept({person: word}) as (digest,):
            self.give(o.NotePassword(machine(), self.now(), PersonId(person), digest))

    def name_founders(self, words: dict[str, str]) -> None:
        """Confirm the first people, with passwords of their choice."""
        from croupier.office import messages as o
        from croupier.table.messages import PersonId

        with self._kept(words) as digests:
            self.give(o.NameFounders(machine(), self.now(), tuple(map(PersonId, words)), digests))

    @contextmanager
    def _kept(self, words: dict[str, str]) -> Iterator[tuple[str, ...]]:
        """Store the hashes of new passwords before the row that names them; afterwards remove the replaced ones.

        If that row is refused, the new ones are removed and the old ones stay.
        """
        from croupier.server.sessions import PASSWORD, check_password, hash_password, secret_of
        from croupier.table.messages import PersonId

        for person, word in words.items():
            check_password(person, word)
        accounts = self.office.accounts
        before = [accounts[PersonId(person)].password for person in words if person in accounts]
        secrets = [secret_of(hash_password(word)) for word in words.values()]
        for secret in secrets:
            self._store.put_secret(secret)
        try:
            yield tuple(secret.key for secret in secrets)
        except BaseException:
            before = [secret.key for secret in secrets]
            raise
        finally:
            for key in filter(None, before):
                self._store.drop_secret(PASSWORD, key)


@contextmanager
def _desk(file: Path | None, floor: Path | None, store: str | None, tables: Path | None = None) -> Iterator[Desk]:
    with Desk(settings_of(file, floor=floor, store=store, tables=tables)) as desk:
        yield desk


# ---- accounts

account = typer.Typer(help="Keep the accounts of the staff, while no server has the floor open.", no_args_is_help=True)
app.add_typer(account, name="account", rich_help_panel=RUN)


@account.command("list")
def list_accounts(
    file: SettingsFile = None, floor: FloorSetting = None, store: StoreSetting = None, as_json: AsJson = False
) -> None:
    """List the accounts with their roles on the floor."""
    with _desk(file, floor, store) as desk:
        rows: list[dict[str, Any]] = [
            {
                "person": name,
                "roles": list(one.roles),
                "password": bool(one.password),
                "retired": one.retired,
                "failures": one.failures,
                "confirmed": one.confirmed,
                "vouched_by": list(one.vouched_by),
                "passkeys": [kept.credential for kept in one.passkeys if not kept.until],
            }
            for name, one in desk.office.accounts.items()
        ]
    shown = [(str(row["person"]), ", ".join(row["roles"]), _state(row)) for row in rows]
    print_report(CommandReport(rows, [in_columns(("person", "roles", ""), shown)]), as_json=as_json)


def _state(row: dict[str, Any]) -> str:
    if row["retired"] or not row["password"]:
        return "retired" if row["retired"] else "no password"
    by = ", ".join(row["vouched_by"])
    return f"confirmed by {by}" if row["confirmed"] and by else "confirmed" if row["confirmed"] else "not confirmed"


@account.command("make")
def make_account(
    person: Person,
    roles: Annotated[list[str], typer.Argument(metavar="ROLE...", help="administrator, dealer, pit-supervisor, ….")],
    file: SettingsFile = None,
    floor: FloorSetting = None,
    store: StoreSetting = None,
) -> None:
    """Make an account. Its password is shown once. What a person may do at a table depends on its staff list."""
    from croupier.office import messages as o
    from croupier.table.messages import PersonId

    with _desk(file, floor, store) as desk:
        desk.give(o.MakeAccount(machine(), desk.now(), PersonId(person), _roles(roles)))
        print_lines([f"{person} can sign in with the password {desk.new_password(person)}"])


@account.command("roles")
def set_roles(
    person: Person,
    roles: Annotated[list[str], typer.Argument(metavar="ROLE...", help="All roles of the account from now on.")],
    file: SettingsFile = None,
    floor: FloorSetting = None,
    store: StoreSetting = None,
) -> None:
    """Replace the roles that an account has on the floor."""
    from croupier.office import messages as o
    from croupier.table.messages import PersonId

    with _desk(file, floor, store) as desk:
        desk.give(o.SetRoles(machine(), desk.now(), PersonId(person), _roles(roles)))
        print_lines([f"{person} is {', '.join(roles)}"])


@account.command("password")
def new_password(
    person: Person,
    ask: Annotated[bool, typer.Option("--ask", help="Ask for the password instead of making one.")] = False,
    file: SettingsFile = None,
    floor: FloorSetting = None,
    store: StoreSetting = None,
) -> None:
    """Give an account a new password, which is shown once. Its sessions end."""
    with _desk(file, floor, store) as desk:
        if ask:
            desk.set_password(person, getpass.getpass(f"New password of {person}: "))
            print_lines([f"{person} has a new password"])
        else:
            print_lines([f"{person} can sign in with the password {desk.new_password(person)}"])


@account.command("founders")
def name_founders(
    people: Annotated[
        list[str], typer.Argument(metavar="PERSON...", help="At least two people, each present to type a password.")
    ],
    file: SettingsFile = None,
    floor: FloorSetting = None,
    store: StoreSetting = None,
) -> None:
    """Confirm the first people of a floor: each types a password. This works once in the life of a floor."""
    from croupier.rules.refusal import Refused

    with _desk(file, floor, store) as desk:
        words = {}
        for person in people:
            words[person] = getpass.getpass(f"{person}, your new password (nobody else may see it): ")
            if getpass.getpass("Again: ") != words[person]:
                raise Refused("password", "typed-two", person=person)
        desk.name_founders(words)
    print_lines([f"{', '.join(people)} are confirmed; they can confirm other people now"])


@account.command("retire")
def retire_account(
    person: Person,
    reason: Reason = "left",
    file: SettingsFile = None,
    floor: FloorSetting = None,
    store: StoreSetting = None,
) -> None:
    """Retire an account. Nobody can sign in with it any more, and its name is never used again."""
    from croupier.office import messages as o
    from croupier.table.messages import PersonId

    with _desk(file, floor, store) as desk:
        desk.give(o.RetireAccount(machine(), desk.now(), PersonId(person), reason))
        print_lines([f"{person} is retired"])


def _roles(roles: list[str]) -> Any:
    """The roles, each checked: a command with an unknown role would not even be recorded."""
    from croupier.rules.refusal import Refused
    from croupier.table.roles import OFFICE_ROLES

    for role in roles:
        if role not in OFFICE_ROLES:
            raise Refused("role", "unknown", role=role, known=OFFICE_ROLES)
    return tuple(dict.fromkeys(roles))


# ---- terminals


@app.command(rich_help_panel=RUN)
def enrol(
    table: Annotated[str, typer.Argument(metavar="TABLE", help="The name of a table.")],
    seat: Annotated[str, typer.Argument(metavar="SEAT", help="A seat of that table.")],
    file: SettingsFile = None,
    floor: FloorSetting = None,
    store: StoreSetting = None,
    tables: TablesSetting = None,
) -> None:
    """Enrol the terminal of a seat. Its token is shown once. The terminal enrolled there before is retired."""
    from croupier.office import messages as o
    from croupier.rules.refusal import Refused
    from croupier.server.sessions import key_of, new_token
    from croupier.table.messages import SeatId

    settings = settings_of(file, floor=floor, store=store, tables=tables)
    seats = {config.name: config.seats for config in tables_of(settings)}
    if seat not in seats.get(table, ()):
        if table not in seats:
            raise Refused("seat", "no-such-table", table=table, seat=seat, tables=tuple(seats))
        raise Refused("seat", "not-at-table", table=table, seat=seat, seats=tuple(seats[table]))
    with Desk(settings) as desk:
        token = new_token()
        desk.give(o.EnrolTerminal(machine(), desk.now(), key_of(token), table, SeatId(seat)))
    print_lines([f"{table}/{seat} is enrolled; the token of its terminal is {token}"])


@app.command(rich_help_panel=RUN)
def retire(
    table: Annotated[str, typer.Argument(metavar="TABLE", help="The name of a table.")],
    seat: Annotated[str, typer.Argument(metavar="SEAT", help="A seat of that table.")],
    reason: Reason = "retired",
    file: SettingsFile = None,
    floor: FloorSetting = None,
    store: StoreSetting = None,
) -> None:
    """Retire the terminal of a seat. Its token stops working."""
    from croupier.office import messages as o
    from croupier.table.messages import SeatId

    with _desk(file, floor, store) as desk:
        desk.give(o.RetireTerminal(machine(), desk.now(), table, SeatId(seat), reason))
    print_lines([f"the terminal of {table}/{seat} is retired"])


# ---- alerts


@app.command(rich_help_panel=RUN)
def alerts(
    acknowledge: Annotated[
        list[int] | None, typer.Option(help="The number of an alert that has been dealt with. Repeat it for several.")
    ] = None,
    note: Annotated[str, typer.Option(help="What was done about it, for the record.")] = "",
    file: SettingsFile = None,
    floor: FloorSetting = None,
    store: StoreSetting = None,
    as_json: AsJson = False,
) -> None:
    """List the open alerts, or acknowledge some. Exit code 1 if any alert is open."""
    from croupier.cli.floor import moment
    from croupier.office import messages as o
    from croupier.words import alert

    with _desk(file, floor, store) as desk:
        for number in acknowledge or ():
            desk.give(o.AcknowledgeAlert(machine(), desk.now(), number, note))
        found = [one for one in desk.office.alerts.values() if one.open]
    listed = in_columns(
        ("number", "since", "kind", "table", "what"),
        [(str(one.number), moment(one.raised_at), one.kind, one.table, alert(one)) for one in found],
        right={"number"},
    )
    print_report(CommandReport(found, [listed]), as_json=as_json)
    if found:
        raise typer.Exit(1)
