"""Pictures of every page in three sizes and two languages, into docs/screens: `make screenshots`.

A page says here who must be signed in and what has to have happened before it is worth looking at.
"""

from __future__ import annotations

import io
import re
import secrets
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from msgspec.structs import replace
from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

from croupier import load_layout
from croupier.cage import messages as c
from croupier.rules.money import Cents
from croupier.table import messages as m
from croupier.table.messages import BetId, SeatId
from croupier.table.tickets import ticket_number
from tests.browser.conftest import CHROMIUM, FLAGS, MISSING
from tests.browser.floor import LAYOUTS, PATIENCE, BrowserFloor, opened, table_name
from tests.support.sign_in import sign_in

FOLDER = Path(__file__).parents[2] / "docs" / "screens"
SIZES = {"phone": (390, 844), "tablet": (820, 1180), "wide": (1920, 1080), "huge": (3840, 2160)}
EVERYWHERE = ("phone", "tablet", "wide")
LANGUAGES = ("en", "zh")
QUALITY = 72
SICBO, TAISAI, WHEEL = "rws-sicbo-etg-v2/A", "nz-taisai-division9/2", "mbs-sands-roulette-v2/A"
LIVE = "rws-taisai-v5/C"
"""The table whose bets stay open behind the pages of the staff."""
OUTCOMES = ("1-3-4", "2-2-5", "3-5-6", "1-1-6", "4-5-6", "2-3-3", "1-2-4", "5-5-6", "3-4-4", "1-5-6")
NUMBERS = ("17", "0", "32", "5", "00", "23", "11", "8", "S", "36")


class Shot(NamedTuple):
    """A page and what to do before its picture is taken."""

    name: str
    path: str
    """`{token}` is the key of the terminal."""
    ready: str
    """What must be seen on it."""
    person: str = ""
    """Who is signed in."""
    then: Callable[[BrowserFloor, Page], None] | None = None
    light: str = "dark"
    table: str = ""
    """The table at which a terminal sits."""
    sizes: tuple[str, ...] = EVERYWHERE
    languages: tuple[str, ...] = LANGUAGES


def _bets(layout: str) -> list[str]:
    wanted = (
        "small",
        "total:9",
        "domino:1-4",
        "single:4",
        "any-triple",
        "double:2",
        "odd",
        "three:1-2-6",
        "four:1-2-3-4",
    )
    numbers = (
        "straight:17",
        "split:17-20",
        "corner:1-2-4-5",
        "red",
        "dozen:2",
        "street:25-26-27",
        "straight:S",
        "green",
    )
    return [box for box in (*wanted, *numbers) if box in load_layout(layout).boxes]


def _place(layout: str) -> Callable[[BrowserFloor, Page], None]:
    def then(house: BrowserFloor, page: Page) -> None:
        for number, box in enumerate(_bets(layout)):
            page.locator(f'[data-chip="{(500, 2500, 10000)[number % 3]}"]').click()
            page.locator(f'[data-box="{box}"]').click()
            page.locator(f'[data-box="{box}"]:not([data-stake="0"])').wait_for(state="attached")
        page.mouse.move(2, 2)

    return then


def _result(layout: str, outcome: str) -> Callable[[BrowserFloor, Page], None]:
    def then(house: BrowserFloor, page: Page) -> None:
        _place(layout)(house, page)
        table = table_name(layout)
        house.close_bets(table)
        house.enter(table, outcome)
        house.confirm(table)
        page.locator("[data-lit=true]").first.wait_for(state="attached")
        page.wait_for_timeout(600)
        if house.live(table).table.phase != "ready":
            house.pay(table)
        page.wait_for_timeout(300)

    return then


def _dialog(what: str) -> Callable[[BrowserFloor, Page], None]:
    def then(house: BrowserFloor, page: Page) -> None:
        page.locator(f'[data-open="{what}"]').click()
        page.get_by_role("dialog").wait_for()
        page.wait_for_timeout(400)

    return then


def _approvals(house: BrowserFloor, page: Page) -> None:
    """What waits for a second person, asked for anew: requests expire."""
    table = table_name(LIVE)
    limits = house.live(table).table.limits
    asked = replace(limits, maximum={**limits.maximum, "*": Cents(2_000_00)})
    house.give(table, m.SetLimits("Sam", house.now(), asked))
    page.locator("#tab-approvals").click()
    page.locator("[data-approve]").first.wait_for()


def _tab(name: str) -> Callable[[BrowserFloor, Page], None]:
    return lambda house, page: page.locator(f"#tab-{name}").click()


def _entered(layout: str) -> Callable[[BrowserFloor, Page], None]:
    """A result that waits for the Dealer's confirmation."""

    def then(house: BrowserFloor, page: Page) -> None:
        table = table_name(layout)
        if house.live(table).table.phase != "entered":
            house.open_bets(table)
            _bet(house, table, "A9", dict.fromkeys(_bets(layout), 25_00))
            house.close_bets(table)
            house.enter(table, "2-2-5")
        page.locator('[data-entered="2-2-5"]').wait_for()
        page.locator("[data-lit=true]").first.wait_for(state="attached")

    return then


def _replay(house: BrowserFloor, page: Page) -> None:
    """A round on its felt, losing bets collected."""
    page.locator(f'[data-round^="{table_name(LIVE)}/"]').first.click()
    page.locator("[data-last]").click()
    page.get_by_role("button", name=re.compile("Back|后退")).click()


def _terminal(layout: str) -> str:
    return f"terminal-{table_name(layout)}"


TERMINAL = "/terminal#token={token}"


def _lab(house: BrowserFloor, page: Page) -> None:
    page.locator("[data-choose]").select_option(SICBO)
    page.locator(f'[data-layout="{SICBO}"] [data-box]').first.wait_for()
    for box in ("small", "total:9", "domino:1-4"):
        page.locator(f'[data-box="{box}"]').click()
    page.locator("[data-result] svg[role=img]").first.wait_for()
    page.locator("[data-against]").select_option("rws-taisai-v5/A")
    page.locator("[data-row]").first.wait_for()
    page.mouse.move(2, 2)
    page.wait_for_timeout(600)


SHOTS = [
    # Every layout once; the page itself in every size and language.
    *(
        Shot(_terminal(one), TERMINAL, "[data-box]", "", _place(one), "dark", table_name(one), ("wide",), ("en",))
        for one in LAYOUTS
    ),
    Shot("terminal", TERMINAL, "[data-box]", "", _place(SICBO), table=table_name(SICBO)),
    Shot("terminal-wheel", TERMINAL, "[data-box]", "", _place(WHEEL), table=table_name(WHEEL)),
    Shot("terminal-result", TERMINAL, "[data-box]", "", _result(SICBO, "1-3-5"), table=table_name(SICBO)),
    Shot("terminal-daylight", TERMINAL, "[data-box]", "", _result(WHEEL, "17"), "day", table_name(WHEEL), ("wide",)),
    Shot("terminal-rules", TERMINAL, "[data-box]", "", _dialog("rules"), table=table_name(TAISAI), sizes=("phone",)),
    Shot("lobby", "/", "main"),
    Shot("console", f"/console#table={table_name(LIVE)}", f'[data-layout="{LIVE}"]', "Dana"),
    Shot("console-result", f"/console#table={table_name(TAISAI)}", "[data-box]", "Dana", _entered(TAISAI)),
    Shot("pit", f"/pit#table={table_name(LIVE)}", "[data-detail] svg[role=img]", "Pat"),
    Shot("pit-approvals", "/pit", "[data-table]", "Pat", _approvals, sizes=("wide",)),
    Shot("pit-shift", "/pit", "[data-table]", "Pat", _tab("shift"), sizes=("wide",)),
    Shot("display", f"/display#table={table_name(SICBO)}", "[data-result]"),
    Shot("display-wheel", f"/display#table={table_name(WHEEL)}", "[data-result]", sizes=("wide", "huge")),
    Shot("cashier", "/cashier", "[data-listed]", "Cass"),
    Shot("audit", "/audit", "[data-history]", "Audrey"),
    Shot("audit-replay", "/audit", "[data-history]", "Audrey", _replay),
    Shot("office", "/office", "[data-accounts]", "admin"),
    Shot("lab", "/lab", "[data-box]", "Sam", _lab),
]


def _bet(house: BrowserFloor, table: str, seat: str, stakes: dict[str, int]) -> None:
    round = house.live(table).table.round
    assert round is not None
    for place, (box, cents) in enumerate(stakes.items()):
        id = BetId(f"{seat}.{round.number}-{place}")
        house.give(table, m.PlaceBet(seat, house.now(), id, round.number, SeatId(seat), box, Cents(cents)))


def enliven(house: BrowserFloor) -> None:
    """Bets open at one table, something that waits for a second person, an alert, tickets."""
    table = table_name(LIVE)
    if house.live(table).table.round is not None:
        return
    house.open_bets(table)
    house.seat(table, "A8", 20_000_00)
    _bet(house, table, "A8", {"big": 900_00, "total:17": 60_00, "triple:3": 40_00, "odd": 300_00, "single:5": 75_00})
    _bet(house, table, "A9", {"small": 150_00, "total:9": 40_00, "domino:1-4": 25_00, "three:1-2-6": 10_00})

    async def alert() -> None:
        house.floor.alert("device-offline", "no-broker", table_name(SICBO), device="shaker")

    house.ask(alert())
    for cents in (50_00, 1_250_50, 300_00):
        number, until = ticket_number(secrets.randbelow(10**16)), house.now() + 30 * 86_400_000
        sell = c.SellTicket("Cass", house.now(), number, Cents(cents), until)
        sold = house.ask(house.floor.give(house.floor.cage, sell))
        assert sold is not None
        assert sold.entry.refused is None, sold.entry.refused


def prepare(house: BrowserFloor) -> None:
    """An evening that has gone on for a while: rounds at every table, with Players who won and lost."""
    for layout in LAYOUTS:
        table = table_name(layout)
        house.open_table(table)
        house.seat(table, "A9")
        for outcome in NUMBERS if layout == WHEEL else OUTCOMES:
            house.open_bets(table)
            _bet(house, table, "A9", dict.fromkeys(_bets(layout)[:4], 5_00))
            house.finish(table, outcome)


def take(house: BrowserFloor, browser: Browser, shot: Shot, size: str, language: str) -> Image.Image:
    width, height = SIZES[size]
    context = browser.new_context(
        viewport={"width": width, "height": height}, has_touch=size != "wide", locale="en-GB", reduced_motion="reduce"
    )
    context.set_default_timeout(PATIENCE * 1000)
    keys = {"language": language, "light": shot.light}
    for key, value in keys.items():
        context.add_init_script(f"localStorage.setItem('croupier.{key}', '{value}')")
    page = context.new_page()
    token = ""
    if shot.table:
        if house.live(shot.table).table.round is None:
            house.open_bets(shot.table)
        token = house.seat(shot.table, "A1", 5_000_00)
    if shot.person:
        token = house.ask(sign_in(house.floor, shot.person))
        context.add_cookies([{"name": "croupier", "value": token, "url": house.address}])
    page.goto(house.address + shot.path.format(token=token))
    page.locator(shot.ready).first.wait_for()
    if shot.then is not None:
        shot.then(house, page)
    page.wait_for_timeout(700)
    picture = Image.open(io.BytesIO(page.screenshot()))
    context.close()
    if shot.table:
        _leave(house, shot.table)
    return picture.convert("RGB")


def _leave(house: BrowserFloor, table: str) -> None:
    house.end_round(table)
    if left := house.credit(table, "A1"):
        house.give(table, m.PayOut("Cass", house.now(), SeatId("A1"), Cents(left)))
    house.give(table, m.LeaveSeat("Sam", house.now(), SeatId("A1")))


def gallery() -> str:
    """The page that shows them all."""
    lines = ["# The screens", "", "Taken by `make screenshots` from a real floor in a real browser."]
    for shot in SHOTS:
        lines += ["", f"## {shot.name}", ""]
        for size in shot.sizes:
            for language in shot.languages:
                file = f"{shot.name}.{size}.{language}.webp"
                lines.append(
                    f"[{size}, {language}]({file})" if size != "wide" else f"![{shot.name}, {language}]({file})"
                )
    return "\n".join(lines) + "\n"


def main(*only: str) -> None:
    if CHROMIUM is None:
        raise SystemExit(f"croupier: {MISSING}")
    FOLDER.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, opened(Path(folder)) as house, sync_playwright() as playwright:
        prepare(house)
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        for shot in SHOTS:
            if only and not any(name in shot.name for name in only):
                continue
            if not shot.table:
                enliven(house)
            for size in shot.sizes:
                for language in shot.languages:
                    file = FOLDER / f"{shot.name}.{size}.{language}.webp"
                    take(house, browser, shot, size, language).save(file, quality=QUALITY, method=6)
        browser.close()
    (FOLDER / "README.md").write_text(gallery())
    total = sum(file.stat().st_size for file in FOLDER.glob("*.webp"))
    print(f"croupier: {len(list(FOLDER.glob('*.webp')))} pictures, {total / 1e6:.1f} MB, in {FOLDER}")


if __name__ == "__main__":
    main(*sys.argv[1:])
