"""Law beside law: several rulebooks on one question."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from croupier.cli.output import CommandReport, Line, in_columns, print_report
from croupier.cli.shared import STUDY, AsJson, app, fail

if TYPE_CHECKING:
    from croupier.analysis.report.comparison import Comparison
    from croupier.rules.rulebook import Rulebook


@app.command(rich_help_panel=STUDY)
def compare(
    questions: Annotated[
        list[str] | None,
        typer.Argument(metavar="[QUESTION...]", help="What to compare: void, power. Without any: list the questions."),
    ] = None,
    book: Annotated[
        list[str] | None,
        typer.Option(help="Only this rulebook: an id, or the path of a .toml file. Repeat it for more."),
    ] = None,
    language: Annotated[
        str, typer.Option(help="The language of the answers. The words of a book stay English.")
    ] = "en",
    as_json: AsJson = False,
) -> None:
    """Put rulebooks side by side on a question: who may void, what a power failure returns, what a small bet gets."""
    from croupier.analysis.report.comparison import QUESTIONS
    from croupier.analysis.report.comparison import compare as compare_books
    from croupier.rules.library import load_rulebook, rulebook_ids
    from croupier.words import languages, say

    if language not in languages():
        fail([f"there are no words in {language}; there are {', '.join(languages())}"], 2)
    if not questions:
        listed = [(one.id, say(f"question-{one.id}", language)) for one in QUESTIONS]
        value = [{"question": id, "asks": asks} for id, asks in listed]
        print_report(CommandReport(value, [in_columns(("question", "asks"), listed)]), as_json=as_json)
        return
    books = [load_rulebook(id) for id in dict.fromkeys(book or rulebook_ids())]
    compared = [compare_books(question, books) for question in dict.fromkeys(questions)]
    lines = [line for one in compared for line in _lines(one, language)]
    print_report(CommandReport([_value(one, books, language) for one in compared], lines), as_json=as_json)


def _lines(one: Comparison, language: str) -> list[Line]:
    """Each subject with the answer of every book that has one."""
    from croupier.words import say, statement

    lines: list[Line] = [say(f"question-{one.question}", language), ""]
    for row in one.rows:
        answers = [(book, statement(answer, language)) for book in one.books for answer in row.answers.get(book, ())]
        lines.append(in_columns((statement(row.about, language), ""), answers))
    return lines


def _value(one: Comparison, books: list[Rulebook], language: str) -> dict[str, Any]:
    from msgspec.structs import asdict

    from croupier.words import say, statement

    return {
        "question": one.question,
        "asks": say(f"question-{one.question}", language),
        "rulebooks": [{"id": book.id, "title": book.identity.title, "hash": book.hash} for book in books],
        "rows": [
            {
                "subject": row.subject,
                "about": statement(row.about, language),
                "answers": {
                    book: [asdict(answer) | {"says": statement(answer, language)} for answer in answers]
                    for book, answers in row.answers.items()
                },
            }
            for row in one.rows
        ],
    }
