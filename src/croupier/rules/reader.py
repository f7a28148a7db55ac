"""The reader of rulebook files: TOML to Rulebook, with every fault reported at once."""

from __future__ import annotations

import hashlib
import json
import re
import tomllib
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Any, TypeVar, cast, get_args
from zoneinfo import ZoneInfo

from pydantic import ValidationError

from croupier.rules import schema
from croupier.rules.bad_input import BadInput, Fault
from croupier.rules.bets import expand_ranges, parse_condition, wheel_numbers
from croupier.rules.felt import read_felt
from croupier.rules.money import Odds, format_odds, parse_odds, printed_odds
from croupier.rules.outcomes import TOTALS, Dice, Space, Wheel, canonical
from croupier.rules.paytable import Box, BoxName, Layout, Price
from croupier.rules.refusal import Refused
from croupier.rules.rulebook import Rulebook
from croupier.rules.wrong_values import fault_in_file, short, spaced

_Part = TypeVar("_Part", bound=schema.Part)
_DICE = Dice.make()
_SECTIONS = ("titles", "outcomes", "play", "limits", "movements", "refusals", "interruption", "clauses", "ranks")
_LISTS = ("layout", "irregularity", "prompt", "reading")
_PARTS_OF_PLAY = ("call", "announcement", "moments")
_RESERVED = {"to", "odd", "even"}
_NEEDS_OTHERWISE = {"void-unseen", "attest", "attest-and-lock", "wait"}
_NO_PHASES = ("opening", "always", "void")
# Bounds that keep the reading of any file to seconds. No book comes near them.
_LONGEST_LINE, _DEEPEST, _MOST_VALUES, _LARGEST_NUMBER = 1000, 8, 20_000, 1_000_000
_MOST_LAYOUTS, _MOST_BOXES = 20, 2000
_WORDS = {str(n): word for n, word in enumerate(("ZERO", "ONE", "TWO", "THREE", "FOUR", "FIVE", "SIX"))}


class RulebookFaults(BadInput):
    """A rulebook file that cannot be used, with all of its faults."""

    def __init__(self, file: str, faults: Iterable[Fault]) -> None:
        super().__init__(faults)
        self.file = file

    def __str__(self) -> str:
        return "\n".join(self.lines())

    def lines(self, say: Callable[[Refused], str] = str) -> list[str]:
        return [f"{self.file}: {line}" for line in super().lines(say)]


def read_rulebook(content: bytes, file: str, id: str | None = None) -> Rulebook:
    """Read the content of a rulebook file; `file` is its name for messages, `id` the id it must have, if any."""
    try:
        text = content.decode()
        for number, line in enumerate(text.split("\n"), 1):
            if len(line) > _LONGEST_LINE:
                raise RulebookFaults(file, [Fault(f"line {number}", f"is longer than {_LONGEST_LINE:,} characters")])
        data = tomllib.loads(text)
    except UnicodeDecodeError as error:
        raise RulebookFaults(file, [Fault(f"byte {error.start}", "the file is not UTF-8 text")]) from None
    except (tomllib.TOMLDecodeError, RecursionError, ValueError) as error:
        raise RulebookFaults(file, [Fault("", f"not TOML: {error}")]) from None
    reader = _Reader(data, id)
    rulebook = reader.read()
    if rulebook is None:
        raise RulebookFaults(file, reader.faults)
    return rulebook


def content_hash(data: Mapping[str, Any]) -> str:
    """A hash of a file's content. Comments, spacing, the order of keys and written-out defaults do not change it."""
    canon = json.dumps(_without_defaults(data), sort_keys=True, separators=(",", ":"), ensure_ascii=False, default=str)
    return hashlib.sha256(canon.encode()).hexdigest()


def _without_defaults(data: object) -> object:
    """The data without keys at their default: false, an empty list or an empty table."""
    match data:
        case dict():
            short = {key: _without_defaults(value) for key, value in data.items()}
            return {key: value for key, value in short.items() if value is not False and value != [] and value != {}}
        case list():
            return [_without_defaults(row) for row in data]
    return data


class _Reader:
    """Reads a file part by part, so that a fault in one part does not hide the faults of another."""

    def __init__(self, data: dict[str, Any], id: str | None) -> None:
        self.id = id
        self.faults: list[Fault] = []
        self.warnings: list[str] = []
        self.cited: list[tuple[str, str]] = []
        """(place, clause) of every citation, collected before any part is read, so that no fault hides one."""
        self.values = self.boxes = 0
        self.data: dict[str, Any] = self._plain(data, "", "", 0)

    def _plain(self, data: object, place: str, name: str, depth: int) -> Any:
        """The data with each text on one line and single spaces. Data that no rulebook needs is a fault."""
        where = ", ".join(filter(None, (place, name)))
        self.values += 1
        match data:
            case dict() | list() if depth > _DEEPEST or self.values > _MOST_VALUES:
                self.fault(where, "is nested too deep")
                return None
            case dict():
                return {self._line(key, where): self._plain(data[key], where, spaced(key), depth + 1) for key in data}
            case list():
                return [
                    self._plain(row, place, _place(name, number, row), depth + 1) for number, row in enumerate(data, 1)
                ]
            case str():
                text = self._line(data, where)
                if name in ("appendix", "otherwise") or name.endswith("clause"):
                    self.cited.append((where, text))
                return text
            case int() if abs(data) > _LARGEST_NUMBER:
                self.fault(where, f"is beyond {_LARGEST_NUMBER:,}")
                return 0
        return data

    def _line(self, text: str, place: str) -> str:
        if not text.isprintable():
            self.fault(place, f"{short(spaced(text))} holds a character that cannot be printed, or a line break or tab")
        return spaced(text)

    def fault(self, place: str, message: str) -> None:
        self.faults.append(Fault(place, message))

    def read(self) -> Rulebook | None:
        if self.values > _MOST_VALUES:
            self.faults = [Fault("", f"says more than {_MOST_VALUES:,} things")]
            return None
        identity = self._identity()
        titles, space = self._titles(), self._space()
        play, calls, announcement = self._play(space)
        moments = self._moments()
        layouts = self._layouts(identity, space)
        limits = self.part(schema.LimitRules, self.section("limits"), "limits")
        interruption = self.part(schema.InterruptionRules, self.section("interruption"), "interruption")
        irregularities = self.parts(schema.Irregularity, "irregularity")
        prompts = self.parts(schema.Prompt, "prompt") if "prompt" in self.data else ()
        movements = self._optional(schema.Movements, "movements")
        refusals = self._optional(schema.Refusals, "refusals")
        clauses = self._clauses()
        readings = self.parts(schema.Reading, "reading") if "reading" in self.data else ()
        ranks = self.part(schema.Ranks, self.section("ranks"), "ranks") if "ranks" in self.data else None

        self._check_phases(play, irregularities, interruption, prompts)
        self._check_roles(titles, play, calls, irregularities, prompts)
        self._check_ranks(ranks)
        self._check_evidence(irregularities, ranks)
        self._check_clauses(clauses, calls, prompts)
        self._check_limits(play, limits, layouts)
        self._check_movements(movements, space)
        self._check_time_zone()
        for what, ids in (
            ("irregularity", [part.id for part in irregularities]),
            ("prompt", [part.id for part in prompts]),
            ("call", [part.id for part in calls]),
        ):
            for id, times in Counter(ids).items():
                if times > 1:
                    self.fault(f'{what} "{id}"', f"stands {times} times")

        if self.faults or not (identity and space and play and announcement and limits and interruption):
            return None
        return Rulebook(
            identity,
            titles,
            space,
            play,
            calls,
            announcement,
            moments,
            layouts,
            limits,
            interruption,
            irregularities,
            prompts,
            clauses,
            readings,
            content_hash(self.data),
            tuple(self.warnings),
            ranks=ranks,
            movements=movements,
            refusals=refusals,
        )

    # ---- parts

    def section(self, name: str) -> dict[str, Any] | None:
        found = self.data.get(name)
        if isinstance(found, dict):
            return found
        self.fault(name, f"the table [{name}] is missing" if found is None else f"must be a table [{name}]")
        return None

    def rows(self, name: str, within: Mapping[str, Any] | None = None, place: str = "") -> list[dict[str, Any]]:
        found = (self.data if within is None else within).get(name)
        if not isinstance(found, list) or not found or not all(isinstance(row, dict) for row in found):
            self.fault(
                place or name, f"must be one or more tables [[{place.split(' ')[0] + '.' if place else ''}{name}]]"
            )
            return []
        return found

    def part(self, model: type[_Part], data: Mapping[str, Any] | None, place: str) -> _Part | None:
        if data is None:
            return None  # already a fault: the section is missing
        try:
            return model.model_validate(data)
        except ValidationError as error:
            details = [cast(dict[str, Any], detail) for detail in error.errors(include_url=False)]
        for detail in details:
            self._pydantic_fault(model, place, detail)
        unknown = {d["loc"][0] for d in details if d["type"] == "extra_forbidden" and len(d["loc"]) == 1}
        if len(unknown) < len(details):
            return None
        # Only unknown keys: read on without them, so that they hide no other fault.
        return model.model_validate({key: value for key, value in data.items() if key not in unknown})

    def _optional(self, model: type[_Part], name: str) -> _Part | None:
        return self.part(model, self.section(name), name) if name in self.data else None

    def parts(self, model: type[_Part], name: str) -> tuple[_Part, ...]:
        rows = self.rows(name)
        read = [self.part(model, row, _place(name, number, row)) for number, row in enumerate(rows, 1)]
        return tuple(part for part in read if part is not None)

    def _pydantic_fault(self, model: type[schema.Part], place: str, detail: dict[str, Any]) -> None:
        path, wrong = fault_in_file(detail, list(model.model_fields))
        if detail["type"] == "value_error":
            wrong = f"{short(detail['input'])} {wrong}"
        self.fault(", ".join(filter(None, [place, *path])), wrong)

    def _identity(self) -> schema.Identity | None:
        identity = self.part(schema.Identity, {k: v for k, v in self.data.items() if k not in _SECTIONS + _LISTS}, "")
        if identity and self.id is not None and identity.id != self.id:
            self.fault("id", f'"{identity.id}" is not the file\'s name; call the file {identity.id}.toml')
        return identity

    def _titles(self) -> Mapping[schema.Role, str]:
        found = self.section("titles")
        if found is None:
            return {}
        allowed = schema.Role.__args__  # type: ignore[attr-defined]
        for role, title in found.items():
            if role not in allowed:
                self.fault("titles", f'"{role}" is not a role; allowed are {", ".join(allowed)}')
            elif not isinstance(title, str) or not title:
                self.fault(f"titles, {role}", "must be the book's word for this role")
        if "dealer" not in found:
            self.fault("titles", 'the key "dealer" is missing')
        return MappingProxyType(cast(dict[schema.Role, str], found))

    def _space(self) -> Space | None:
        outcomes = self.part(schema.Outcomes, self.section("outcomes"), "outcomes")
        if outcomes is None:
            return None
        if outcomes.device == "dice":
            if outcomes.numbers or outcomes.colours:
                self.fault("outcomes", "dice have neither numbers nor colours of their own; remove them")
            return _DICE
        return self._wheel(outcomes)

    def _wheel(self, outcomes: schema.Outcomes) -> Wheel | None:
        try:
            numbers = _distinct_numbers(outcomes.numbers or "")
        except ValueError as error:
            self.fault("outcomes, numbers", str(error))
            return None
        colours: dict[str, frozenset[str]] = {}
        for colour, text in outcomes.colours.items():
            try:
                colours[colour] = frozenset(wheel_numbers(text, numbers, {}))
            except ValueError as error:
                self.fault(f"outcomes, colours, {colour}", str(error))
        for word in sorted(_RESERVED & {*numbers, *colours} | set(numbers) & set(colours)):
            self.fault("outcomes", f'"{word}" has a meaning in lists, so it cannot name a number or a colour as well')
        count = Counter(number for members in colours.values() for number in members)
        for number in numbers:
            if count[number] != 1 and len(colours) == len(outcomes.colours):
                self.fault("outcomes, colours", f"{number} has {count[number]} colours; every number has exactly one")
        return Wheel(numbers, MappingProxyType(colours))

    def _play(
        self, space: Space | None
    ) -> tuple[schema.Play | None, tuple[schema.Call, ...], schema.DiceAnnouncement | schema.WheelAnnouncement | None]:
        section = self.section("play")
        if section is None:
            return None, (), None
        play = self.part(schema.Play, {k: v for k, v in section.items() if k not in _PARTS_OF_PLAY}, "play")
        rows = self.rows("call", section, "play")
        read = [self.part(schema.Call, row, _place("call", number, row)) for number, row in enumerate(rows, 1)]
        calls = tuple(call for call in read if call is not None)
        if play and bool(play.on_behalf_by) != (play.on_behalf_clause is not None):
            self.fault("play", "on_behalf_by and on_behalf_clause go together")
        for call in calls:
            if bool(call.early_by) != (call.early_clause is not None):
                self.fault(f'call "{call.id}"', "early_by and early_clause go together")
        if rows and len(calls) == len(rows):
            for id in sorted({"place-your-bets", "no-more-bets"} - {call.id for call in calls}):
                self.fault("play", f'the call "{id}" is missing')
        table = section.get("announcement")
        if not isinstance(table, dict):
            self.fault("play, announcement", "the table [play.announcement] is missing")
            return play, calls, None
        model: type[schema.DiceAnnouncement | schema.WheelAnnouncement] = (
            schema.WheelAnnouncement if isinstance(space, Wheel) else schema.DiceAnnouncement
        )
        announcement = self.part(model, table, "play, announcement") if space else None
        if play and space and isinstance(space, Wheel) != (play.order == "wheel"):
            self.fault("play, order", f'"{play.order}" does not go with the device of [outcomes]')
        return play, calls, announcement

    def _moments(self) -> schema.ResultMoments | None:
        section = self.data.get("play")
        table = section.get("moments") if isinstance(section, dict) else None
        if table is None:
            return None
        if not isinstance(table, dict):
            self.fault("play, moments", "must be a table [play.moments]")
            return None
        moments = self.part(schema.ResultMoments, table, "play, moments")
        if moments and (moments.announced == "entered") != (moments.checked_clause is not None):
            self.fault("play, moments", 'announced = "entered" and checked_clause go together')
        return moments

    def _contents(self) -> list[str] | None:
        contents = self.data.get("contents")
        readable = isinstance(contents, list) and all(isinstance(clause, str) for clause in contents)
        return cast(list[str], contents) if readable else None

    def _clauses(self) -> Mapping[str, schema.Clause]:
        """The clauses in the order of the text, whatever the order of the file."""
        clauses: dict[str, schema.Clause] = {}
        found = self.section("clauses") or {}
        order = {id: place for place, id in enumerate(self._contents() or ())}
        for id, table in sorted(found.items(), key=lambda item: order.get(item[0], len(order))):
            if not isinstance(table, dict):
                self.fault(f"clauses, {id}", "must be a table { kept = …, says = … }")
            elif clause := self.part(schema.Clause, table, f"clauses, {id}"):
                clauses[id] = clause
        return MappingProxyType(clauses)

    # ---- layouts

    def _layouts(self, identity: schema.Identity | None, space: Space | None) -> tuple[Layout, ...]:
        rows = self.rows("layout")
        if len(rows) > _MOST_LAYOUTS:
            self.fault("layout", f"{len(rows)} layouts; the most is {_MOST_LAYOUTS}")
            return ()
        layouts = [
            self._layout(row, _place("layout", number, row), identity.id if identity else "", space)
            for number, row in enumerate(rows, 1)
        ]
        for id, times in Counter(layout.id for layout in layouts if layout).items():
            if times > 1:
                self.fault(f'layout "{id.rpartition("/")[2]}"', f"stands {times} times")
        return tuple(layout for layout in layouts if layout is not None)

    def _layout(self, data: dict[str, Any], place: str, book: str, space: Space | None) -> Layout | None:
        before = len(self.faults)
        head = self.part(schema.LayoutHead, {k: v for k, v in data.items() if k not in ("wager", "felt")}, place)
        boxes: dict[BoxName, Box] = {}
        spots: dict[str, str] = {}
        for number, row in enumerate(self.rows("wager", data, place), 1):
            where = f"{place}, {_place('wager', number, row)}"
            wager = self.part(schema.Wager, row, where)
            for box in self._boxes(wager, where, space) if wager and space else ():
                if box.name in boxes:
                    self.fault(f"{where}, boxes", f'"{box.name}" stands twice in this layout')
                boxes[box.name] = box
                if wager and wager.spot:
                    spots[box.name] = wager.spot
        felt_data = data.get("felt")
        if not isinstance(felt_data, dict):
            self.fault(f"{place}, felt", "the table [layout.felt] is missing")
            return None
        rows = self.part(schema.FeltRows, felt_data, f"{place}, felt")
        if rows is None or space is None:
            return None
        boxes_known = len(self.faults) == before  # else faulty boxes would be missing on the felt once more
        felt, faults = read_felt(
            rows.columns,
            rows.rows,
            [name for name in boxes if name not in spots] if boxes_known else None,
            {name: _spot_areas(spot, boxes[BoxName(name)]) for name, spot in spots.items()} if boxes_known else {},
            rows.note,
        )
        for fault in faults:
            self.fault(f"{place}, felt", fault)
        if head is None:
            return None
        layout = Layout(f"{book}/{head.id}", head.title, head.clause, head.appendix, space, list(boxes.values()), felt)
        self._check_matrix(layout, place)
        return layout

    def _boxes(self, wager: schema.Wager, place: str, space: Space) -> list[Box]:
        word, colon, arguments = wager.boxes.partition(":")
        names = arguments.split() if colon else [""]
        phrases = (wager.wins,) if isinstance(wager.wins, str) else wager.wins
        odds = self._odds(wager, place, len(phrases))
        if not re.fullmatch(r"[a-z]+(-[a-z]+)*", word) or not names:
            self.fault(
                f"{place}, boxes",
                f'"{wager.boxes}" must be a box such as "small", or a word and numbers such as "total: 8 13"',
            )
            return []
        self.boxes += len(names)
        if self.boxes > _MOST_BOXES:
            self.fault(f"{place}, boxes", f"a book has at most {_MOST_BOXES:,} boxes")
            return []
        # A box bets on the numbers in its name; column:1 and dozen:1 only count. The felt relies on straight:17.
        counts = isinstance(space, Wheel) and word != "straight" and len(names) == 1 and "-" not in names[0]
        if colon and not counts and not all("{}" in phrase for phrase in phrases):
            self.fault(f"{place}, wins", "write {} for the numbers in the box's name, or it is the same for every box")
        boxes: list[Box] = []
        for argument in names:
            numbers = tuple(argument.split("-")) if argument else ()
            name = BoxName(f"{word}:{argument}" if argument else word)
            conditions = []
            for phrase in phrases:
                try:
                    conditions.append(parse_condition(phrase, numbers, space))
                except ValueError as error:
                    self.fault(f"{place}, wins", f"box {name}: {error}")
            ordered = canonical(numbers, space.numbers) if set(numbers) <= set(space.numbers) else numbers
            if len(conditions) == len(phrases) and not _are_numbers(numbers, space):
                self.fault(f"{place}, boxes", f'"{name}" must be written with numbers of the game, like {word}:1')
            if ordered != numbers:
                self.fault(f"{place}, boxes", f'write "{word}:{"-".join(ordered)}" for "{name}"')
            if len(conditions) == len(odds) == len(phrases):
                prices = tuple(Price.make(*pair, space) for pair in zip(conditions, odds, strict=True))
                boxes.append(
                    Box(
                        name,
                        wager.kind,
                        numbers,
                        prices,
                        wager.pays,
                        wager.win_clause,
                        wager.odds_clause,
                        self._label(wager, numbers, place),
                        wager.prints or wager.pays,
                    )
                )
        return boxes

    def _odds(self, wager: schema.Wager, place: str, conditions: int) -> list[Odds]:
        odds: list[Odds] = []
        prices = [price.strip() for price in wager.pays.split(",")]
        for price in prices:
            try:
                odds.append(parse_odds(price))
            except ValueError as error:
                self.fault(f"{place}, pays", str(error))
        if len(prices) != conditions:
            self.fault(f"{place}, pays", f"{len(prices)} prices for {conditions} conditions in wins")
        if len(odds) == len(prices):
            for text, paid in zip((wager.prints or "").split(","), odds, strict=False):
                printed = printed_odds(text.strip())
                if printed not in (None, paid):
                    self.fault(f"{place}, prints", f'"{text.strip()}" is not {format_odds(paid)}, which pays says')
        return odds

    def _label(self, wager: schema.Wager, numbers: tuple[str, ...], place: str) -> str:
        if wager.label is None:
            return " ".join(numbers) or wager.kind
        values = {
            "{}": " ".join(numbers),
            "{down}": " ".join(reversed(numbers)),
            "{joined}": "".join(numbers),
            "{and}": " AND ".join(numbers),
            "{word}": " ".join(_WORDS.get(n, n) for n in numbers),
        }
        label = wager.label
        for field, value in values.items():
            label = label.replace(field, value)
        if "{" in label.replace("{dice}", ""):
            allowed = ", ".join((*values, "{dice}"))
            self.fault(f"{place}, label", f'"{wager.label}" uses an unknown field; allowed are {allowed}')
        return label

    def _check_matrix(self, layout: Layout, place: str) -> None:
        for name in layout.boxes:
            winning = [price.outcomes for price in layout.box(name).prices]
            if not all(winning):
                self.fault(place, f"box {name} has a win condition that can never happen")
            if sum(map(len, winning)) > len(layout.winning(name)):
                twice = next(o for o in layout.outcomes if sum(o in price for price in winning) > 1)
                self.fault(place, f"box {name} has two prices on {twice}; no outcome may satisfy two conditions")
            share = layout.return_to_player(name)
            if share > 1:
                self.warnings.append(f"{place}: box {name} returns {float(share):.2%} of the stake, over 100%")

    # ---- checks across parts

    def _check_phases(
        self,
        play: schema.Play | None,
        irregularities: tuple[schema.Irregularity, ...],
        interruption: schema.InterruptionRules | None,
        prompts: tuple[schema.Prompt, ...],
    ) -> None:
        if play is None:
            return
        phases = schema.PHASES[play.order]
        named: list[tuple[str, str]] = [
            (f'irregularity "{part.id}", phases', phase) for part in irregularities for phase in part.phases
        ]
        named += [(f'prompt "{p.id}", when', p.when) for p in prompts if p.when not in _NO_PHASES]
        if interruption:
            named += [("interruption, round", phase) for phase in interruption.round]
            named += [("interruption, established", interruption.established)]
            for phase in phases:
                if phase not in interruption.round and phase != "settled":
                    self.fault("interruption, round", f"nothing is said about the phase {phase}")
            for phase, act in interruption.round.items():
                if act.act in _NEEDS_OTHERWISE and act.otherwise is None:
                    self.fault(f"interruption, round, {phase}", f'"{act.act}" needs the clause of otherwise')
            if (play.kind == "electronic") != (interruption.terminals is not None):
                self.fault("interruption, terminals", "is for electronic books, and needed there")
        for place, name in named:
            if name not in phases:
                self.fault(place, f"{name} is not a phase of {play.order}; allowed are {', '.join(phases)}")

    def _check_roles(
        self,
        titles: Mapping[schema.Role, str],
        play: schema.Play | None,
        calls: tuple[schema.Call, ...],
        irregularities: tuple[schema.Irregularity, ...],
        prompts: tuple[schema.Prompt, ...],
    ) -> None:
        named = (*play.operated_by, *play.on_behalf_by) if play else ()
        used: list[tuple[str, str]] = [("play", role) for role in named]
        used += [(f'call "{call.id}", by', role) for call in calls for role in (*call.by, *call.early_by)]
        used += [(f'irregularity "{p.id}", authority', role) for p in irregularities for role in p.authority]
        used += [(f'prompt "{prompt.id}", by', prompt.by) for prompt in prompts]
        for place, role in used:
            if role not in titles and role != "system":
                self.fault(place, f"{role} has no title in [titles]")

    def _check_ranks(self, ranks: schema.Ranks | None) -> None:
        if ranks is None:
            return
        order = get_args(schema.Role)
        if ranks.ladder and (len(ranks.ladder) < 2 or sorted(set(ranks.ladder), key=order.index) != list(ranks.ladder)):
            self.fault("ranks, ladder", "must name two or more different positions, from the lowest to the highest")
        rising = [order.index(position) for position in (ranks.decides, ranks.second, ranks.highest)]
        if rising != sorted(rising):
            self.fault("ranks", "decides must be no higher than second, and second no higher than highest")

    def _check_evidence(self, irregularities: tuple[schema.Irregularity, ...], ranks: schema.Ranks | None) -> None:
        for part in irregularities:
            place = f'irregularity "{part.id}"'
            if part.evidence and ranks is None:
                self.fault(f"{place}, evidence", "needs [ranks], which says who decides")
            if part.evidence and part.consequence not in ("void", "void-affected-rounds"):
                self.fault(f"{place}, evidence", "is for what makes a round void")
            if part.denied_by and part.evidence in (None, "person"):
                self.fault(f"{place}, denied_by", "is for what a device can establish")

    def _check_clauses(
        self,
        clauses: Mapping[str, schema.Clause],
        calls: tuple[schema.Call, ...],
        prompts: tuple[schema.Prompt, ...],
    ) -> None:
        contents = self._contents()
        for clause in [clause for clause, times in Counter(contents or ()).items() if times > 1]:
            self.fault("contents", f"clause {clause} stands more than once")
        indexed = self.data.get("clauses")
        if not isinstance(indexed, dict):
            return  # already a fault: without the table, every citation would be one more
        for place, clause in self.cited:
            if clause not in indexed:
                self.fault(place, f"clause {clause} is cited but not in [clauses]")
        known = set(indexed if contents is None else contents)
        for clause in [clause for clause in indexed if clause not in known]:
            self.fault(f"clauses, {clause}", "no such clause in the text: it is not in contents")
        for clause in [clause for clause in contents or () if clause not in indexed]:
            self.fault("clauses", f"clause {clause} of the text is missing")
        prompted = {part.clause for part in prompts} | {call.clause for call in calls}
        for id, part in clauses.items():
            if part.kept == "people" and id not in prompted:
                self.fault(f"clauses, {id}", "is kept by people, so a prompt or a call must cite it")

    def _check_limits(
        self, play: schema.Play | None, limits: schema.LimitRules | None, layouts: tuple[Layout, ...]
    ) -> None:
        if limits is None:
            return
        for name, policy in (("minimum", limits.minimum), ("maximum", limits.maximum)):
            if play and play.kind == "electronic" and policy.breach != "refuse":
                self.fault(f"limits, {name}", f'"{policy.breach}" is for chips on a felt; an electronic game refuses')
        if limits.differential is None or not layouts:
            return
        boxes = {name for layout in layouts for name in layout.boxes}
        for pair in limits.differential.pairs:
            sides = pair.split()
            if len(sides) != 2 or sides[0] == sides[1] or not set(sides) <= boxes:
                self.fault("limits, differential", f'"{pair}" must be two boxes of the layouts, like "big small"')

    def _check_movements(self, movements: schema.Movements | None, space: Space | None) -> None:
        named = Counter(part.outcome for part in movements.loses) if movements and space else Counter[str]()
        for outcome, times in named.items():
            if space and outcome not in space.outcomes:
                self.fault("movements, loses", f"{short(outcome)} is not an outcome")
            if times > 1:
                self.fault("movements, loses", f'outcome "{outcome}" stands {times} times')

    def _check_time_zone(self) -> None:
        zone = self.data.get("time_zone", "UTC")
        try:
            ZoneInfo(zone)
        except (KeyError, ValueError, OSError, TypeError, AttributeError):
            self.fault("time_zone", f'{short(zone)} is not a known time zone; write one like "Asia/Singapore"')


def _place(name: str, number: int, row: object) -> str:
    label = row.get("id", row.get("kind")) if isinstance(row, dict) else None
    return f'{name} "{spaced(label)}"' if isinstance(label, str) and label else f"{name} {number}"


def _distinct_numbers(text: str) -> tuple[str, ...]:
    numbers = expand_ranges(text.split())
    twice = [number for number, times in Counter(numbers).items() if times > 1]
    wrong = [number for number in numbers if not re.fullmatch(r"[0-9A-Za-z]{1,4}", number)]
    if len(numbers) < 2 or len(numbers) > 200 or twice or wrong:
        raise ValueError(f'{short(text)} must be 2 to 200 different numbers, such as "0 1 to 36"')
    return tuple(numbers)


def _spot_areas(spot: str, box: Box) -> list[str] | str:
    """The straight boxes whose areas place a spot; the area of a number is that of the box that bets on it alone."""
    numbers = spot.removeprefix("left of ").split() if spot.startswith("left of ") else list(box.numbers)
    names = [f"straight:{number}" for number in numbers]
    return names if spot == "meet" else " ".join(["left", *names])


def _are_numbers(numbers: tuple[str, ...], space: Space) -> bool:
    """The numbers of a box's name are those of the dice or the wheel, written plainly, or one total of the dice."""
    of_totals = isinstance(space, Dice) and len(numbers) == 1 and numbers[0] in map(str, TOTALS)
    return of_totals or set(numbers) <= set(space.numbers)
