"""The catalogue of words: every language says everything, with the same facts, and in the part of Fluent we allow."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import get_args

import msgspec
import pytest

import web.catalogue
from croupier import load_rulebook, rulebook_ids
from croupier.devices.port import FAULTS, Act
from croupier.floor.observation import ANNOUNCED
from croupier.floor.stopped import STOPPED
from croupier.floor.table_device import Slow
from croupier.office.messages import Because
from croupier.protocol.notices import NOTICES
from croupier.rules.alerts import ALERTS
from croupier.rules.findings import FINDINGS, BadRow, Failed, found
from croupier.rules.reasons import REASONS, Kind
from croupier.rules.refusal import Refused
from croupier.rules.statement import STATEMENTS, Statement, either, state
from croupier.table.next_acts import EFFECTS
from croupier.table.permits import SYSTEM
from croupier.table.roles import OFFICE_ROLES, Role
from croupier.words import (
    PSEUDO,
    Catalogue,
    Choice,
    Message,
    Put,
    alert,
    alert_id,
    at_row,
    catalogue,
    finding,
    has,
    in_short,
    languages,
    notice_id,
    of_error,
    refusal,
    refusal_id,
    say,
    sentence,
    statement,
    why,
)
from croupier.words.functions import FUNCTIONS
from tests.words.examples import placed
from web.catalogue import NotAllowed, compiled

STATED = tuple({f"{id.partition('-')[0]}-" for id in STATEMENTS})


def facts(message: Message) -> set[str]:
    return {part.fact for part in placed(message)}


def test_the_compiled_catalogue_is_that_of_the_sources() -> None:
    assert not web.catalogue.build(), "the catalogue was stale; run: make pages"


@pytest.mark.parametrize("language", languages())
def test_every_language_has_every_message_with_the_same_facts(language: str) -> None:
    ours, english = catalogue(language).messages, catalogue("en").messages
    assert sorted(ours) == sorted(english)
    assert {id: facts(ours[id]) for id in ours} == {id: facts(english[id]) for id in english}


@pytest.mark.parametrize("language", languages())
def test_every_function_of_a_message_is_one_we_have(language: str) -> None:
    used = {part.by for message in catalogue(language).messages.values() for part in placed(message) if part.by}
    assert used <= set(FUNCTIONS)


def test_chinese_sentences_are_chinese() -> None:
    texts = {
        id: "".join(text for part in message for text in _texts(part))
        for id, message in catalogue("zh").messages.items()
        if id != "language-tag"  # for browsers
    }
    latin = {id: text for id, text in texts.items() if re.search("[a-z]{2}", text) and not re.search("[一-鿿]", text)}
    assert latin == {}


def _texts(part: str | Put | Choice) -> Iterator[str]:
    if isinstance(part, str):
        yield part
    elif isinstance(part, Choice):
        yield from (text for way in part.ways.values() for one in way for text in _texts(one))


def test_only_languages_that_count_one_apart_have_a_text_for_one() -> None:
    """The pages ask the browser how a language counts, and Python does not: so there is nothing to ask."""
    assert not [
        id
        for id, message in catalogue("zh").messages.items()
        if any(isinstance(part, Choice) and "one" in part.ways for part in placed(message))
    ]


def declared() -> Iterator[tuple[str, Mapping[str, Kind]]]:
    """The message of every refusal, finding, notice, alert, effect and statement, and the facts it is made of."""
    for reason, one in REASONS.items():
        yield from ((refusal_id(reason, case), facts) for case, facts in one.cases.items())
    for kind, cases in FINDINGS.items():
        yield from ((f"found-{kind}-{case}", facts) for case, facts in cases.items())
    yield from ((f"stopped-{case}", facts) for case, facts in STOPPED.items())
    yield from ((f"announced-{case}", facts) for case, facts in ANNOUNCED.items())
    for kind, cases in NOTICES.items():
        yield from ((notice_id(kind, case), facts) for case, facts in cases.items())
    for kind, cases in ALERTS.items():
        yield from ((alert_id(kind, case), facts) for case, facts in cases.items())
    yield from ((f"will-{case}", facts) for case, facts in EFFECTS.items())
    yield from STATEMENTS.items()


def test_no_two_have_one_message() -> None:
    ids = [id for id, _ in declared()]
    assert sorted(set(ids)) == sorted(ids)


@pytest.mark.parametrize("language", languages())
def test_every_refusal_and_alert_has_a_sentence_with_all_its_facts(language: str) -> None:
    messages = catalogue(language).messages
    said = {id: facts(messages[id]) if id in messages else None for id, _ in declared()}
    assert said == {id: set(kinds) - unsaid(id) for id, kinds in declared()}


ASKED_BY_ID = {
    "refused-bet-unknown-in-round",
    "refused-bet-unregistered",
    "refused-bet-unregistered-here",
    "refused-missing-bet",
}
"""A person gave the id of the bet, and the answer repeats it."""


def unsaid(id: str) -> set[str]:
    """The facts that people are not told: a bet is named by its box or its amount, and its id is for programs."""
    return {"bet"} if id.startswith(("notice-", "refused-")) and id not in ASKED_BY_ID else set()


def test_every_sentence_has_what_it_says() -> None:
    families = ("alert-", "announced-", "found-", "notice-", "refused-", "stopped-", "will-", *STATED)
    said = {id for id in catalogue("en").messages if id.startswith(families)}
    assert {id for id in said if not id.startswith("alert-heading-")} == {id for id, _ in declared()}


def test_every_fault_of_a_device_and_every_act_asked_of_it_has_a_name() -> None:
    words = [*(f"fault-{fault}" for fault in FAULTS), *(f"device-{act}" for act in get_args(Act))]
    words += [f"fault-{trouble}" for trouble in (*get_args(Slow), "offline")]
    assert [word for word in words if not has(word)] == []
    assert say("alert-device-fault-told", "zh", device="tumbler", fault="no-shake") == "tumbler 被要求摇骰而没有运转"


def test_every_check_before_opening_and_every_role_has_a_name() -> None:
    checks = {one.id for book in map(load_rulebook, rulebook_ids()) for one in book.prompts if one.when == "opening"}
    roles = {id.removeprefix("role-") for id in catalogue("en").messages if id.startswith("role-")}
    assert {*get_args(Role), *OFFICE_ROLES, SYSTEM} <= roles
    for family, names in (("check-", checks), ("one-role-", roles)):
        assert {id.removeprefix(family) for id in catalogue("en").messages if id.startswith(family)} == names


def test_every_kind_of_alert_has_a_heading() -> None:
    assert [kind for kind in ALERTS if not has(f"alert-heading-{kind}")] == []


@pytest.mark.parametrize("language", languages())
def test_what_to_do_about_a_finding_uses_only_its_facts(language: str) -> None:
    kinds = dict(declared())
    messages = {id: message for id, message in catalogue(language).messages.items() if id.startswith("do-")}
    assert {
        id for id, one in messages.items() if not facts(one) <= kinds[f"found-{id.removeprefix('do-')}"].keys()
    } == set()


BY_KIND: dict[Kind, set[str]] = {
    **{kind: {"", "NAME", "GIVEN"} for kind in ("id", "layout", "name", "text")},
    "number": {"", "NUMBER"},
    "statement": {"", "LIST", "GIVEN"},
    "law": {"LAW"},
    "names": {"LIST", "NAMES", "GIVEN", ""},
    "act": {"ACT"},
    "acts": {"ACTS"},
    "box": {"BOX", "GIVEN"},
    "boxes": {"BOXES", "GIVEN"},
    "money": {"MONEY"},
    "moment": {"MOMENT"},
    "phase": {"PHASE"},
    "phases": {"PHASES"},
    "role": {"ROLE"},
    "roles": {"ROLES", "NAMES", "GIVEN"},
    "seconds": {"SECONDS"},
}


@pytest.mark.parametrize("language", languages())
def test_every_fact_is_formatted_by_its_kind(language: str) -> None:
    messages = catalogue(language).messages
    wrong = {
        f"{id}: {part.by}(${part.fact})"
        for id, kinds in declared()
        for part in placed(messages[id])
        if isinstance(part, Put) and part.by not in BY_KIND[kinds[part.fact]]
    }
    assert wrong == set()


def no(reason: str, case: str, message: str = "", clause: str | None = None, **facts: str | int) -> SimpleNamespace:
    return SimpleNamespace(reason=reason, case=case, clause=clause, message=message, facts=facts)


def test_a_refusal_becomes_a_sentence_by_its_facts() -> None:
    over = no("maximum", "over", box="total:9", total=60000, maximum=50000)
    assert refusal(over) == "600.00 on Total 9 is over the maximum 500.00"
    assert why(no("maximum", "over", "", "3.3", **over.facts)) == "600.00 on Total 9 is over the maximum 500.00 (3.3)"
    assert refusal(over, "zh") == "总和 9 上的 600.00 超过最高注额 500.00"


def test_a_statement_says_its_parts_and_then_the_clause() -> None:
    rule = state("rule-not-triple", rule=state("rule-total", totals=("4", "5", "6")))
    fact = state("fact-by-triple", fact=state("fact-total", total=6), face="2")
    on = {"box": "small", "outcome": "2-2-2", "kind": "Small"}
    loses = state("explained-loses", "4.1", **on, fact=fact, rule=rule)
    assert statement(loses) == (
        "Small loses on 2-2-2: the total is 6 by triple 2; "
        "Small wins when the total is 4, 5 or 6 and not by a triple (4.1)"
    )
    assert sentence(loses, "zh") == (
        "小 遇 2-2-2 输：总和为 6，由围骰 2 得出；Small 赢的条件是总和为 4、5或6，且不由围骰得出(4.1)。"
    )


def test_several_statements_in_one_are_alternatives() -> None:
    rules = tuple(state("rule-count", count=count, face="4") for count in (1, 2, 3))
    assert statement(either(rules)) == "one die shows 4, two dice show 4 or three dice show 4"
    assert either(rules[:1]) is rules[0]


@pytest.mark.parametrize("book", rulebook_ids())
def test_every_box_of_every_book_is_explained_in_every_language(book: str) -> None:
    for layout in load_rulebook(book).layouts:
        for box in layout.boxes:
            wins = layout.winning(box)
            lost = next(outcome for outcome in layout.outcomes if outcome not in wins)
            told = [layout.rule(box), *(layout.explain(box, outcome) for outcome in (*wins, lost))]
            said = [statement(one, language) for one in told for language in languages()]
            assert all("{$" not in one and all(id not in one for id in STATEMENTS) for one in said)


def test_a_statement_of_another_version_is_shown_by_its_id() -> None:
    assert statement(Statement("fact-of-tomorrow", {"x": 1})) == "fact-of-tomorrow"


def test_an_alert_becomes_a_sentence_by_its_facts_or_keeps_the_one_it_had() -> None:
    stopped = SimpleNamespace(
        kind="table-stopped", case="fault", what="", facts={"error": "KeyError('A9')"}, because=None
    )
    assert alert(stopped) == "The table takes no commands: KeyError('A9')"
    assert alert(stopped, "zh") == "赌台不接受操作：KeyError('A9')"
    two = SimpleNamespace(kind="two-people", case="refused", what="", facts={"by": "Sam"})
    two.because = Because("asker", "retired", facts={"person": "Max", "request": 3})
    assert alert(two) == (
        "Sam was refused an act that needs two people: "
        "the account of Max was retired, so request 3 can no longer be approved"
    )
    assert alert(SimpleNamespace(kind="clock", case="", what="the clock is odd", facts={}), "zh") == "the clock is odd"


def test_a_row_that_has_a_sentence_keeps_it() -> None:
    assert refusal(no("maximum", "", "600.00 on big is too much"), "zh") == "600.00 on big is too much"


def test_a_finding_is_said_with_its_cause() -> None:
    gone = [found("software", "missing", place=name) for name in "abcde"]
    assert in_short(gone[:3]) == "a is missing; b is missing; c is missing"
    assert in_short(gone) == "a is missing; b is missing; c is missing, and 2 more"
    row = found("row", "unreplayable", Refused("approved", "no-approver"))
    assert of_error(BadRow(7, row)).startswith("row 7: cannot be replayed: the setting approver")
    taken = [found("store", "owned", stream=stream, owner="floor-2") for stream in ("T1", "T2")]
    assert of_error(Failed(*taken)) == "T1 is owned by floor-2; T2 is owned by floor-2"
    assert of_error(Failed(*taken[:1]), "zh") == "T1 由 floor-2 持有"
    assert at_row(found("row", "hash"), 7, "T1") == "T1, row 7: does not fit its hash or the row before it"
    assert at_row(found("pack", "head-unsigned"), 0) == "pack.json is not signed by this key"
    assert at_row(found("schema", "missing", table="desk"), 0, "database") == "database: desk: there is no such table"
    nobody = found("software", "uncompared", Refused("approved", "no-approver"))
    assert finding(nobody) == (
        "it cannot be compared with the approved software: "
        "the setting approver names nobody whose signature could be checked"
    )


def test_what_another_version_wrote_is_shown_by_its_ids() -> None:
    assert refusal(no("future", "case")) == "refused-future-case"
    assert say("refused-maximum-over", box="big", total=60000) == "600.00 on Big is over the maximum {$maximum}"


def test_the_pseudo_language_is_english_made_longer_with_the_same_facts() -> None:
    assert say("refused-maximum-over", PSEUDO, box="big", total=60000, maximum=50000) == (
        "600.00 ôñ~ Bïg~~ ïs ôvër thë máxïmüm~~~~~~~~ 500.00"
    )
    assert has("refused-maximum-over", PSEUDO)


def written(folder: Path, text: str) -> Catalogue:
    (folder / "en").mkdir()
    (folder / "en" / "some.ftl").write_text(text)
    return Catalogue(msgspec.convert(compiled(folder)["en"], dict[str, Message]))


def test_a_choice_goes_by_a_word_by_a_number_or_by_one_and_other(tmp_path: Path) -> None:
    words = written(
        tmp_path,
        """
bets = { $bets ->
    [0] no bet
    [one] one bet
   *[other] { NUMBER($bets) } bets
 } of { $seat }
how = { $how ->
    [idle] after a while
   *[logout] by hand
 }
list-between = ;
list-or = { " " }or{ " " }
who = { LIST($names, "or") }
""",
    )
    assert [words.say("bets", {"bets": n, "seat": "A1"}) for n in (0, 1, 2000)] == [
        "no bet of A1",
        "one bet of A1",
        "2,000 bets of A1",
    ]
    assert words.say("how", {"how": "idle"}) == "after a while"
    assert words.say("how", {"how": "something new"}) == "by hand"
    assert words.say("who", {"names": ("a", "b", "c")}) == "a;b or c"
    assert words.say("who", {"names": ("a",)}) == "a"


@pytest.mark.parametrize(
    "text",
    [
        "a = { b }",
        "-term = text",
        "a = text\n    .more = text",
        "a = { NUMBER($n, least: 2) }",
        "a = { $n ->\n [one] { $m ->\n [one] x\n *[other] y\n }\n *[other] z\n }",
        "a = one\na = two",
        "a = { $n",
    ],
)
def test_the_build_refuses_what_one_of_the_readers_cannot_read(tmp_path: Path, text: str) -> None:
    with pytest.raises(NotAllowed, match=r"some\.ftl"):
        written(tmp_path, text + "\n")


def test_a_language_is_a_folder(tmp_path: Path) -> None:
    for folder, called, tag in (("en", "English", "en"), ("zh", "简体中文", "zh-Hans"), ("eo", "Esperanto", "eo")):
        (tmp_path / folder).mkdir()
        names = f"language-name = {called}\nlanguage-tag = {tag}\nrole-dealer = {folder}-dealer\n"
        (tmp_path / folder / "names.ftl").write_text(names)
    files = web.catalogue.written(tmp_path)
    pages, server = files[web.catalogue.LANGUAGES], files[web.catalogue.COMPILED]
    assert re.findall("id: '(.*)', name: '(.*)', tag: '(.*)'", pages) == [
        ("en", "English", "en"),
        ("eo", "Esperanto", "eo"),
        ("zh", "简体中文", "zh-Hans"),
    ]
    messages = msgspec.json.decode(server, type=dict[str, dict[str, Message]])
    assert languages(messages) == ("en", "eo", "zh")
    assert Catalogue(messages["eo"]).say("role-dealer", {}) == "eo-dealer"
    (tmp_path / "zh" / "names.ftl").write_text("language-name = 简体中文\n")
    with pytest.raises(NotAllowed, match=r"zh/names\.ftl: language-name and language-tag"):
        web.catalogue.written(tmp_path)


def test_no_page_knows_a_language_by_name() -> None:
    pages = Path(web.catalogue.IDS).parents[1]
    asked = {
        file.relative_to(pages).as_posix()
        for kind in ("*.ts", "*.svelte")
        for file in pages.rglob(kind)
        if not file.name.endswith(".test.ts") and file != web.catalogue.LANGUAGES
        if re.search("""['"`]zh['"`]""", file.read_text())
    }
    assert asked == set()


FAMILIES = (
    "act-",
    "alert-",
    "announced-",
    "box-",
    "breach-",
    "check-",
    "cited",
    "denial-",
    "device-",
    "failed-bet-",
    "fault-",
    "found-",
    "irregularity-",
    "language-",
    "list-",
    "moment-",
    "movement-",
    "notice-",
    "one-role-",
    "per-",
    "phase-",
    "place-",
    "question-",
    "refused-",
    "role-",
    "stopped-",
    "span-seconds",
    "subject-",
    "test-",
    "thing-",
    "will-",
    "witness-",
    *STATED,
)
"""Messages that functions ask for by a fact, or refusals, findings and alerts, which have tests of their own."""


def test_no_message_is_unused() -> None:
    """The pages' type check finds ids that are not there; here are those that nobody asks for."""
    root = Path(web.catalogue.__file__).parents[1]
    sources = [*(root / "web" / "src").rglob("*.svelte"), *(root / "web" / "src").rglob("*.ts")]
    sources += (root / "src" / "croupier").rglob("*.py")
    text = "".join(file.read_text() for file in sources if file != web.catalogue.IDS)
    named = set(re.findall(r"""['"`]([\w-]+)['"`]""", text))
    begun = tuple(set(re.findall(r"""[`"']([\w-]+[_-])[{$]""", text)))
    named |= set(re.findall(r"\b([A-Z]\w+)\b", text))  # acts by their commands
    unused = {
        id
        for id in catalogue("en").messages
        if not id.startswith(FAMILIES)
        and id not in named
        and not id.startswith(begun)
        and not any(id.endswith(f"-{name}") for name in named)
        and not id.partition("-")[2].startswith(begun)
    }
    assert sorted(unused) == []
