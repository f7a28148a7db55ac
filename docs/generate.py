"""Writes what the documents can have from the program itself: `make docs`. A test fails when a page is out of date.

- docs/cli.md: every command with its arguments and options;
- docs/reasons.md: every refusal with an example, whose facts are in docs/reasons.toml;
- docs/mutation.md: what tests.mutation found in its last runs;
- docs/law-beside-law.md: what each rulebook says on each question, from its data;
- docs/mutation-of-the-law.md: what tests.mutation.law found in its last run;
- docs/felts/: the felt of every layout as a picture, and the page that shows them all;
- every ```console block of README.md and docs/: the real output of its `$` commands.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, get_args

import typer

from croupier import Layout, load_rulebook, rulebook_ids
from croupier.analysis.report.comparison import QUESTIONS, compare
from croupier.analysis.report.felt_picture import draw_felt
from croupier.cage import PERMITS as CAGE_PERMITS
from croupier.cli import app
from croupier.floor.floor import Floor
from croupier.office import PERMITS as OFFICE_PERMITS
from croupier.rules.reasons import REASONS, TYPES, Kind
from croupier.rules.rulebook import Rulebook
from croupier.server.sessions import Sessions
from croupier.server.settings import every_setting
from croupier.server.staff.app import make_app
from croupier.server.staff.context import StaffSettings
from croupier.store import ownership
from croupier.store.folder import Premises
from croupier.table import messages as m
from croupier.table.permits import PERMITS, WHEN, roles_of
from croupier.table.roles import AT_THE_CAGE, OFFICE_ROLES, Role
from croupier.table.state import TRANSITIONS, Phase
from croupier.words import refusal_id, say, statement

ROOT = Path(__file__).parents[1]
_FILE = re.compile(r"^```\w+\n(# file: (\S+)\n.*?)^```$", re.DOTALL | re.MULTILINE)
_CONSOLE = re.compile(r"^```console\n(.*?)^```$", re.DOTALL | re.MULTILINE)


def pages() -> list[Path]:
    """The documents whose examples are run."""
    return [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


def generated() -> dict[Path, str]:
    """Every generated file with the content it should have."""
    content = {
        ROOT / "docs" / "cli.md": command_reference(),
        ROOT / "docs" / "orders-of-play.md": orders_of_play(),
        ROOT / "docs" / "ownership.md": states_of_a_stream(),
        ROOT / "docs" / "permissions.md": permissions(),
        ROOT / "docs" / "law-beside-law.md": law_beside_law(),
        ROOT / "docs" / "mutation.md": mutation(),
        ROOT / "docs" / "mutation-of-the-law.md": mutation_of_the_law(),
        ROOT / "docs" / "reasons.md": reasons(),
        ROOT / "docs" / "felts" / "README.md": gallery(),
    }
    for id in rulebook_ids():
        for layout in load_rulebook(id).layouts:
            content[ROOT / "docs" / "felts" / _picture_of(layout)] = draw_felt(layout)
    http = ROOT / "docs" / "http.md"
    content[http] = _between(http.read_text(), "routes", routes())
    for page in pages():
        text = content.get(page) or (page.read_text() if page.exists() else "")
        content[page] = _replayed_page(settings_table(text))
    return content


def _replayed_page(text: str) -> str:
    """Run the console blocks of a page in the project's folder, or, if the page holds files, in a folder with them."""
    files = _FILE.findall(text)
    if not files:
        return _CONSOLE.sub(lambda block: f"```console\n{_replayed(block[1], ROOT)}```", text)
    with tempfile.TemporaryDirectory() as folder:
        for body, name in files:
            (Path(folder) / name).write_text(body)
        (Path(folder) / "tests").symlink_to(ROOT / "tests")
        return _CONSOLE.sub(lambda block: f"```console\n{_replayed(block[1], Path(folder))}```", text)


def _replayed(block: str, folder: Path) -> str:
    """Run the `$` lines of a console block as a person at a shell would."""
    environment = os.environ | {
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "COLUMNS": "100",
        "NO_COLOR": "1",
        "TERM": "dumb",
    }
    parts = []
    for command in re.findall(r"^\$ (.*)$", block, re.MULTILINE):
        done = subprocess.run(
            ["bash", "-c", command],
            cwd=folder,
            env=environment,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        said = (done.stdout + done.stderr).rstrip()
        parts.append(f"$ {command}\n" + (f"{said}\n" if said else ""))
    return "".join(parts)


def _picture_of(layout: Layout) -> str:
    return f"{layout.id.replace('/', '.')}.svg"


def gallery() -> str:
    lines = [
        "# The felts",
        "",
        "Every layout as `croupier felt LAYOUT` draws it, from its rulebook alone. Names, odds and legends are as "
        "printed if the text has them. If the text has no picture, the note says what the drawing follows.",
    ]
    for book in map(load_rulebook, rulebook_ids()):
        lines += ["", f"## {book.identity.title}"]
        for layout in book.layouts:
            lines += ["", f"### `{layout.id}`", "", f"{layout.title}; {len(layout.boxes)} boxes."]
            lines += [layout.felt.note] if layout.felt.note else []
            lines += ["", f"![The felt of {layout.id}]({_picture_of(layout)})"]
    return "\n".join(lines) + "\n"


def command_reference() -> str:
    lines = [
        "# Commands",
        "",
        "Exit codes: 0 fine, 1 the answer is no (a file with faults, a stake that cannot be paid, a failed clause, a "
        "journal that is not true, a full disk), 2 wrong use, 75 unknown: a commit failed, and only a restart can "
        "find out whether it happened ([operating.md](operating.md)). Reports go to standard output, refusals to "
        "standard error. `--json` prints the report as [json.md](json.md) describes it.",
        "",
        "`LAYOUT` is `rulebook/layout`, such as `rws-sicbo-etg-v2/A`, or a file and a layout, such as "
        "`my-game.toml/1`; a book with one layout needs no `/layout`.",
        "",
        "`croupier --version` prints the version, `croupier COMMAND --help` the arguments and options of a command.",
    ]
    return "\n".join([*lines, *_commands("croupier", typer.main.get_command(app), "##")]) + "\n"


def _commands(name: str, group: Any, heading: str) -> Iterator[str]:
    for own, command in group.commands.items():
        yield from ("", f"{heading} {name} {own}", "", str(command.help))
        if hasattr(command, "commands"):
            yield from _commands(f"{name} {own}", command, f"{heading}#")
            continue
        yield from ("", "| argument or option | |", "|---|---|")
        for parameter in command.params:
            if parameter.name == "help":
                continue
            option = ", ".join(f"`{flag}`" for flag in parameter.opts) if parameter.param_type_name == "option" else ""
            label = option or f"`{parameter.metavar or parameter.name.upper()}`".replace("|", r"\|")
            yield f"| {label}{' (required)' if parameter.required else ''} | {parameter.help or ''} |"


def settings_table(page: str) -> str:
    """A page with the list of all settings where it has a place for it."""
    begin, end = "<!-- every setting -->\n", "<!-- end of settings -->\n"
    if begin not in page:
        return page
    before, _, rest = page.partition(begin)
    lines = ["| in the file | in the environment | without it | |", "|---|---|---|---|"]
    lines += [f"| `{one.name}` | `{one.variable}` | {one.default} | {one.what} |" for one in every_setting()]
    return before + begin + "\n".join(lines) + "\n" + end + rest.partition(end)[2]


def orders_of_play() -> str:
    """The transition tables of the engine as diagrams."""
    lines = ["# Orders of play", "", "Drawn from the transition tables in `src/croupier/table/state.py`."]
    for order, phases in TRANSITIONS.items():
        books = ", ".join(f"`{id}`" for id in rulebook_ids() if load_rulebook(id).play.order == order)
        lines += ["", f"## {order}", "", f"{books}", "", "```mermaid", "stateDiagram-v2", "    [*] --> ready"]
        lines += [*_arrows(phases), "```"]
    lines += [
        "",
        "In every order `RoundVoided` leads from any phase of an open round to `ready`, `Interrupted` from any phase",
        "to `interrupted`, and `Resumed` back from there as the book's `[interruption]` says. A decision of the Shift",
        "Manager or an attestation by two people leads to `entered`.",
    ]
    return "\n".join(lines) + "\n"


def states_of_a_stream() -> str:
    """The table of who may write to a stream as a diagram, and what its file says of it."""
    lines = ["# Who may write to a stream", "", "Drawn from the table in `src/croupier/store/ownership.py`.", ""]
    lines += ["```mermaid", "stateDiagram-v2", *(f"    [*] --> {state}" for state in ownership.BEGINNINGS)]
    lines += [*_arrows(ownership.TRANSITIONS), "```", "", (ownership.__doc__ or "").partition("\n\n")[2].strip()]
    return "\n".join(lines) + "\n"


def _arrows(states: Mapping[Any, Mapping[Any, str]]) -> Iterator[str]:
    for state, events in states.items():
        by_target: dict[str, list[str]] = {}
        for event, target in events.items():
            by_target.setdefault(target, []).append(event)
        yield from (f"    {state} --> {target}: {', '.join(names)}" for target, names in by_target.items())


def permissions() -> str:
    """The one table of roles, commands and phases as it is read for each book; those of the cage and the office."""
    lines = [
        "# Who may do what, and when",
        "",
        "An act without a mark is denied. `seat` is the Player at their own seat, `system` the floor's software. Some",
        "acts need a second, different person who approves exactly their content: corrections, rounds voided",
        "afterwards, a void after a result is entered, limits and layouts of an open table, unlocking, credit given,",
        "debts written off, attestations; at the cage a ticket voided or replaced, and one paid late. `system`",
        "declines only requests that have expired. Every command leaves one row with its giver, even if it is",
        "refused. A test tries every cell of this page.",
        "",
        "## When, at a table",
        "",
        "From `WHEN` in `src/croupier/table/permits.py`: the phases in which a command can have an effect. The",
        "[order of play](orders-of-play.md) and the clauses of the book limit it further.",
        "",
        *_grid(get_args(Phase), ((command.__name__, phases) for command, phases in WHEN.items())),
    ]
    for id in rulebook_ids():
        book = load_rulebook(id)
        lines += ["", f"## Who, under {id}", "", *_grid(_GIVERS, _roles_by_command(book))]
        lines += ["", f"What may be reported under {id}:", "", *_grid(_GIVERS, _roles_by_irregularity(book))]
    for place, title, roles, permits in (
        ("cage", "At the cage", (*AT_THE_CAGE, "system"), CAGE_PERMITS),
        ("office", "In the office", (*OFFICE_ROLES, "self", "machine", "system"), OFFICE_PERMITS),
    ):
        lines += ["", f"## {title}", "", f"From `PERMITS` in `src/croupier/{place}/decide.py`."]
        if place == "office":
            lines += [
                "`self` is the person whom the command is about, `machine` a person at the command line of the machine",
                "while no server runs.",
            ]
        lines += ["", *_grid(roles, ((command.__name__, allowed) for command, allowed in permits.items()))]
    return "\n".join(lines) + "\n"


_GIVERS = (*get_args(Role), "seat", "system")


def _roles_by_command(book: Rulebook) -> Iterator[tuple[str, tuple[str, ...]]]:
    for command in PERMITS:
        if command is not m.Report:
            yield command.__name__, roles_of(book, command)


def _roles_by_irregularity(book: Rulebook) -> Iterator[tuple[str, tuple[str, ...]]]:
    for id in sorted({part.id for part in book.irregularities}):
        yield id, roles_of(book, m.Report, id)


def _grid(heads: Sequence[str], rows: Iterable[tuple[str, Collection[str]]]) -> list[str]:
    """A table with a mark wherever a row has what a column is called."""
    lines = [f"| | {' | '.join(heads)} |", "|---" * (len(heads) + 1) + "|"]
    for name, held in rows:
        assert set(held) <= set(heads), (name, held)
        lines.append(f"| {name} | {' | '.join('✓' if head in held else ' ' for head in heads)} |")
    return lines


def mutation() -> str:
    """The score of every module, and the mutants that no test found, with the reason."""
    results = json.loads((ROOT / "tests" / "mutation" / "results.json").read_text())
    lines = [
        "# Small mistakes by the hundred",
        "",
        "A program makes small mistakes, one at a time, in the modules of rules, money and the journal: it",
        "turns a comparison round or moves it by one, drops a condition or a line, takes a difference for a sum, adds",
        "one to a number, changes a word of a code, drops a clause of SQL. Each is a *mutant*, and some test should",
        "fail. `make mutation` does this (`MODULES=ledger`; hours for all) and keeps what it found, so that a run that",
        "was ended goes on. A score below the recorded one fails the run. Prose, logging, defaults, and private sizes",
        "and pauses of a module are not changed. Only the fast tests of a module run, which `tests/mutation/record.py`",
        "names, and a mutant whose tests take too long counts as not found: the true score is not lower.",
        "",
        "| module | mutants | tried | found | score | left | of these not examined |",
        "|---|---|---|---|---|---|---|",
    ]
    for name, one in results.items():
        found = one["run"] - len(one["survivors"])
        score = f"{100 * found / one['run']:.1f} %"
        left, open = len(one["survivors"]), sum(not why for why in one["survivors"].values())
        lines.append(f"| `{name}` | {one['mutants']} | {one['run']} | {found} | {score} | {left} | {open} |")
    lines += ["", "Modules of the target that are not in this table were never run to the end.", ""]
    lines += ["The mutants that are left, and why no test can find them or needs to:"]
    for name, one in results.items():
        if one["survivors"]:
            lines += ["", f"## {name}", ""]
            lines += [f"- `{mutant}`: {why or '**not examined.**'}" for mutant, why in one["survivors"].items()]
    return "\n".join(lines) + "\n"


def mutation_of_the_law() -> str:
    """Clause by clause: how many small changes of the law were tried, how many a transcript found, and one of them."""
    results = json.loads((ROOT / "tests" / "mutation" / "law_results.json").read_text())
    lines = [
        "# Small changes of the law",
        "",
        "A program changes a rulebook's data in one place at a time: it drops a phase or a role, takes one",
        "consequence for another, moves a bound by one, cites another clause, lets a box win or lose on another",
        "outcome. It changes the code that reads the data too. Each is a *mutant*, and a transcript, or the pay tables",
        "that are written a second time, should turn red. `make mutate-law` does this for all books in some minutes,",
        "and fails if a clause that software keeps has no mutant that was found, or if one survives that is not",
        "explained here. Clauses that people keep have none. One clause is looked at with",
        "`make mutate-law BOOK=nz-taisai-division9 CLAUSE='7.1(c)'`. The ordinary tests try a sample.",
        "",
        "| rulebook | mutants | found | left | clauses kept by software | shown to be kept |",
        "|---|---|---|---|---|---|",
    ]
    for id, one in results.items():
        shown = sum(clause["found"] > 0 for clause in one["clauses"].values())
        left = len(one["survivors"])
        lines.append(f"| `{id}` | {one['mutants']} | {one['found']} | {left} | {len(one['clauses'])} | {shown} |")
    for id, one in results.items():
        lines += ["", f"## {id}", "", "| clause | mutants | found | for example by |", "|---|---|---|---|"]
        lines += [
            f"| {clause} | {kept['mutants']} | {kept['found']} | {kept['by']} |"
            for clause, kept in one["clauses"].items()
        ]
        reasons: dict[str, list[str]] = {}
        for mutant, why in one["survivors"].items():
            reasons.setdefault(why, []).append(mutant)
        lines += ["", "Mutants that nothing found, and why none of them can matter:", ""]
        lines += [f"- {why} `{'`, `'.join(mutants)}`" for why, mutants in reasons.items()]
    return "\n".join(lines) + "\n"


def law_beside_law() -> str:
    """What each rulebook says on each question, side by side."""
    books = [load_rulebook(id) for id in rulebook_ids()]
    lines = [
        "# Law beside law",
        "",
        "What the approved rulebooks say on the same question, with the clause of each. Written from the rulebooks",
        "alone; `croupier compare QUESTION` prints a part of it, also of other books, with `--json` as facts and with",
        "`--language zh` in Chinese. An empty cell: the book has no clause for it.",
        "",
        *(f"- [{say(f'question-{one.id}')}](#{one.id})" for one in QUESTIONS),
    ]
    for one in QUESTIONS:
        rows = [
            [statement(row.about), *("<br>".join(map(statement, row.answers.get(book.id, ()))) for book in books)]
            for row in compare(one.id, books).rows
        ]
        lines += ["", f'<a id="{one.id}"></a>', "", f"## {say(f'question-{one.id}')}", ""]
        lines += [f"| | {' | '.join(f'`{book.id}`' for book in books)} |", "|---" * (len(books) + 1) + "|"]
        lines += [f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in row)} |" for row in rows]
    return "\n".join(lines) + "\n"


_INSTANCES: dict[Kind, str | int | tuple[str, ...]] = {
    "act": "PlaceBet",
    "acts": ("PlaceBet", "CallNoMoreBets"),
    "box": "total:9",
    "boxes": ("small", "triple:6"),
    "id": "A1",
    "layout": "rws-sicbo-etg-v2/A",
    "money": 500,
    "moment": 1_763_250_605_123,
    "name": "Sam",
    "names": ("A", "B"),
    "number": 3,
    "phase": "betting",
    "phases": ("betting", "closed"),
    "role": "pit-manager",
    "roles": ("pit-supervisor", "pit-manager"),
    "seconds": 30,
    "text": "X",
}
"""What a fact of a kind may be, for the examples on the page of reasons."""

_NAMED: dict[str, str | int | tuple[str, ...]] = {
    "able": ("shake", "read"),
    "act": "shake",
    "address": "10.0.0.5:6379",
    "answer": "'two'",
    "audience": "pit",
    "bet": "7",
    "bets": "small=10.00",
    "book": "rws-sicbo-etg-v2",
    "by": "dice-off-table",
    "certificate": "floor.pem",
    "code": 1,
    "device": "T1-device",
    "door": "staff",
    "edge": "120.00%",
    "engine": "gpu",
    "error": "it does not answer",
    "example": "total:8=10.00",
    "fault": "die-lost",
    "faults": ("the disk is full",),
    "file": "croupier.toml",
    "first": 1,
    "folder": "floor",
    "format": "9",
    "found": "paid",
    "function": "press",
    "given": ("'total:9'",),
    "id": "A1.17",
    "install": "pip install 'croupier[reports]'",
    "irregularity": "damaged-dice",
    "kernel": "fortran",
    "key": "keys/approver.pub",
    "known": ("A", "B"),
    "last": 215,
    "letter": "“β”",
    "lie": "row 215 is not as it was hashed",
    "like": "total:8",
    "line": "10.0.0.9:9100",
    "longest": 128,
    "maker": "croupier 0.1.0",
    "manner": "by-hand",
    "maximum": 50_000,
    "module": "typst",
    "most": 10,
    "name": "Alex",
    "needed": 5,
    "numbers": ("4…17",),
    "one": "Latin",
    "other": "Greek",
    "other_file": "old/checkpoints.jsonl",
    "other_line": 7,
    "pace": "0",
    "pays": "8.5 to 1",
    "person": "Sam",
    "place": "tables/T1.toml",
    "places": ("croupier/table/limits.py",),
    "role": "croupier",
    "rounding": "up-ish",
    "rulebook": "rws-sicbo-etg-v2",
    "said": "404 Not Found",
    "seat": "A1",
    "seats": ("A2", "A3"),
    "seed": "-1",
    "settings": ("fsync=off",),
    "share": "2",
    "shortest": 12,
    "shown": ("1", "3"),
    "state": "lost",
    "step": "0",
    "steps": 101,
    "strategy": "marting",
    "stream": "T1",
    "table": "T1",
    "tables": ("T1", "T2"),
    "test": "runs",
    "text": "tomorrow",
    "ticket": "1234-5678-9012-3456",
    "total": 60_000,
    "type": "float64",
    "url": "http://127.0.0.1:9000/marks",
    "value": "7.5",
    "waiting": ("2",),
    "what": "a seat",
    "why": "maximum",
    "word": "totl",
    "zone": "Mars/Base",
}
"""The same by the name of the fact, where that makes a better example."""


def _instance(name: str, kind: Kind) -> str | int | tuple[str, ...]:
    named = _NAMED.get(name)
    return named if named is not None and isinstance(named, TYPES[kind]) else _INSTANCES[kind]


@cache
def _of_cases() -> dict[str, dict[str, dict[str, Any]]]:
    """docs/reasons.toml: no reason, case or fact in it that is not declared."""
    made_up: dict[str, dict[str, dict[str, Any]]] = tomllib.loads((ROOT / "docs" / "reasons.toml").read_text())
    for reason, cases in made_up.items():
        for case, facts in cases.items():
            assert facts.keys() <= REASONS[reason].cases[case].keys(), f"docs/reasons.toml: {reason}.{case}"
    return made_up


def example(reason: str, case: str) -> dict[str, str | int | tuple[str, ...]]:
    """Facts that a refusal may have."""
    given = _of_cases().get(reason, {}).get(case, {})
    facts = {}
    for name, kind in REASONS[reason].cases[case].items():
        fact = given.get(name, _instance(name, kind))
        facts[name] = tuple(fact) if isinstance(fact, list) else fact
        assert isinstance(facts[name], TYPES[kind]), f"docs/reasons.toml: {reason}.{case}: {name}"
    return facts


def reasons() -> str:
    """Every reason for which the House says no, who meets it, and each of its cases with an example."""
    lines = [
        "# Why the House says no",
        "",
        "A refusal is a `reason`, a `case`, facts, and the clause if a text has one. Programs read these. People read",
        "the sentence that the [catalogue](words.md) makes of them; here it is English, with invented facts. A reason",
        "never changes; cases may be added. From `REASONS` in `src/croupier/rules/reasons.py`.",
    ]
    for reason, (meets, cases) in sorted(REASONS.items()):
        who = f"Met by: {', '.join(meets)}."
        lines += ["", f"## {reason}", "", who, "", "| case | facts | example |", "|---|---|---|"]
        for case, facts in sorted(cases.items()):
            named = ", ".join(f"`{name}` ({kind})" for name, kind in facts.items())
            sentence = " ".join(say(refusal_id(reason, case), **example(reason, case)).split())
            lines.append(f"| `{case}` | {named} | {sentence.replace('|', chr(92) + '|')} |")
    return "\n".join(lines) + "\n"


def routes() -> str:
    """Every route of the staff's door with whom it is for."""
    with tempfile.TemporaryDirectory() as folder:
        premises = Premises(Path(folder) / "floor")
        premises.init()
        floor = Floor(premises, [], "documents")
        declared = make_app(floor, Sessions(floor), StaffSettings(demo=True)).state.router.routes
        floor.store.close()
    lines = ["| route | for | |", "|---|---|---|"]
    for route in sorted(declared, key=lambda route: (route.path, route.method)):
        says = route.says.partition("\n")[0]
        lines.append(f"| `{route.method} {route.path}` | {say(f'audience-{route.audience.name}')} | {says} |")
    return "\n".join(lines)


def _between(text: str, name: str, new: str) -> str:
    """A page with what stands between two marks written anew."""
    begin, end = f"<!-- {name}: written by make docs -->", f"<!-- end of the {name} -->"
    return re.sub(rf"{begin}.*?{end}", lambda _: f"{begin}\n{new}\n{end}", text, flags=re.DOTALL)


def main() -> None:
    for path, content in generated().items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content)


if __name__ == "__main__":
    main()
