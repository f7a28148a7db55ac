"""Robot Players for a running floor: `croupier bot`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from croupier.cli.output import CommandReport, in_columns, print_report
from croupier.cli.shared import RUN, AsJson, app

if TYPE_CHECKING:
    from croupier.client.robots import Manner, RobotTally


@app.command(rich_help_panel=RUN)
def bot(
    address: Annotated[
        str, typer.Argument(metavar="ADDRESS", help="The address for Player Terminals, such as ws://127.0.0.1:7002/.")
    ],
    tokens: Annotated[
        Path | None,
        typer.Option(help="A file with the tokens of enrolled terminals, one on each line; - reads standard input."),
    ] = None,
    demo: Annotated[
        str, typer.Option(metavar="URL", help="The address of the pages of a demonstration: it gives the robots seats.")
    ] = "",
    robots: Annotated[int, typer.Option(min=1, help="With --demo: how many robots.")] = 3,
    manner: Annotated[
        str, typer.Option(help="How they play: flat, spread, late, withdrawer or random; each takes them in turn.")
    ] = "each",
    rounds: Annotated[int, typer.Option(min=1, help="How many rounds each robot plays.")] = 3,
    seed: Annotated[int, typer.Option(help="The seed of their random choices.")] = 1,
    ca: Annotated[
        Path | None, typer.Option(help="With wss://: the certificate of the authority that signed the floor's.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Let robots play. Each has a terminal of its own and connects as people's terminals do."""
    import asyncio

    from croupier.client.robots import MANNERS
    from croupier.rules.refusal import Refused

    if manner not in (*MANNERS, "each"):
        raise Refused("manner", "unknown", manner=manner, known=(*MANNERS, "each"))
    given = _seats(demo, robots) if demo else _read(tokens)
    if not given:
        raise Refused("token", "none-given")
    manners: list[Manner] = [MANNERS[n % len(MANNERS)] if manner == "each" else manner for n in range(len(given))]  # type: ignore[misc]
    tallies = asyncio.run(_play(address, given, manners, rounds, seed, ca))
    rows = [{"seat": seat, "manner": how, **one._asdict()} for how, (seat, one) in zip(manners, tallies, strict=True)]
    shown = in_columns(tuple(rows[0]), [tuple(map(str, row.values())) for row in rows])
    print_report(CommandReport({"robots": rows}, [shown]), as_json=as_json)


async def _play(
    address: str, tokens: list[str], manners: list[Manner], rounds: int, seed: int, ca: Path | None
) -> list[tuple[str, RobotTally]]:
    import asyncio
    import ssl

    from croupier.client import SentAway, TerminalClient
    from croupier.client.robots import Robot
    from croupier.rules.refusal import Refused

    tls = ssl.create_default_context(cafile=ca) if address.startswith("wss:") else None

    async def one(number: int) -> tuple[str, RobotTally]:
        async with TerminalClient(address, tokens[number], tls=tls) as terminal:
            tally = await Robot(terminal, manners[number], f"{seed}/{number}").play(rounds)
            return f"{terminal.welcome.table}/{terminal.welcome.seat}", tally

    try:
        return list(await asyncio.gather(*(one(number) for number in range(len(tokens)))))
    except SentAway as away:
        raise Refused("token", "sent-away", error=str(away)) from None


def _read(file: Path | None) -> list[str]:
    import sys

    from croupier.rules.bad_input import cause
    from croupier.rules.refusal import Refused

    if file is None:
        return []
    try:
        text = sys.stdin.read() if str(file) == "-" else file.read_text()
    except OSError as error:
        raise Refused("token", "unread", file=str(file), error=cause(error)) from None
    return [line.strip() for line in text.splitlines() if line.strip()]


def _seats(pages: str, robots: int) -> list[str]:
    """Tokens of the seats that a demonstration gives its visitors, from one table after another."""
    floor = _ask(f"{pages.rstrip('/')}/api/floor", None)
    tables = [table["name"] for table in floor["tables"]]
    wanted = [tables[number % len(tables)] for number in range(robots)] if tables else []
    return [str(_ask(f"{pages.rstrip('/')}/api/demo/seat", {"table": table})["token"]) for table in wanted]


def _ask(url: str, body: dict[str, str] | None) -> dict[str, Any]:
    import json
    import urllib.error
    import urllib.request

    from croupier.rules.bad_input import cause
    from croupier.rules.refusal import Refused

    data = None if body is None else json.dumps(body).encode()
    origin = "/".join(url.split("/")[:3])
    headers = {"Content-Type": "application/json", "Origin": origin}
    try:
        with urllib.request.urlopen(urllib.request.Request(url, data, headers), timeout=30) as answer:
            return dict(json.load(answer))
    except urllib.error.HTTPError as error:
        message = json.loads(error.read() or b"{}").get("message", error.reason)
        raise Refused("demo", "refused", url=url, said=str(message)) from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "reason", error)  # of the connection
        raise Refused(
            "demo", "no-answer", url=url, error=cause(reason if isinstance(reason, Exception) else error)
        ) from None
