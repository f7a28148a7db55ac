"""Tickets and reports: what is printed is read back, from the page, from the picture and from the printer's bytes."""

from __future__ import annotations

import random
import subprocess
import sys
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path
from typing import NamedTuple

import pypdf
import pytest
import zxingcpp
from PIL import Image

from croupier import Refused
from croupier.paper import escpos, report
from croupier.paper.amounts import LARGEST, amount_in_words
from croupier.paper.page import typeset
from croupier.paper.report import BetLine, Proof, RoundReport, round_pdf
from croupier.paper.ticket import TicketFacts, grouped, ticket_escpos, ticket_pdf, ticket_png
from croupier.rules.money import Cents
from croupier.rules.statement import Line, Statement

ISSUED = 1_763_250_605_123  # 15 November 2025, 23:50:05 UTC
DAY = 86_400_000
TICKET = TicketFacts(
    number="123456789012345678",
    amount=Cents(120540),
    issued=ISSUED,
    expires=ISSUED + 180 * DAY,
    place="T1/A3",
    house="Golden Lion Casino",
    time_zone="Asia/Singapore",
)
WORST = TICKET._replace(amount=LARGEST, house="W" * 500, place="W" * 130, time_zone="America/Argentina/ComodRivadavia")
MARKUP = '#import "x": * #{panic()} $ x^2 $ \\ ] [ ` *bold* _it_ // @label <a> #sys.inputs \N{SLOT MACHINE} '
HOSTILE = (MARKUP * 9)[:500]
PIXELS = 300 / 25.4  # to the millimetre


# ---- amounts in words


@pytest.mark.parametrize(
    ("cents", "words"),
    [
        (0, "no dollars exactly"),
        (1, "no dollars and one cent"),
        (5, "no dollars and five cents"),
        (100, "one dollar exactly"),
        (101, "one dollar and one cent"),
        (1000, "ten dollars exactly"),
        (2110, "twenty-one dollars and ten cents"),
        (10_000, "one hundred dollars exactly"),
        (100_500, "one thousand and five dollars exactly"),
        (110_000, "one thousand one hundred dollars exactly"),
        (120_540, "one thousand two hundred and five dollars and forty cents"),
        (100_000_099, "one million dollars and ninety-nine cents"),
        (100_100_000, "one million one thousand dollars exactly"),
        (100_000_000_000, "one billion dollars exactly"),
        (100_000_001_200, "one billion and twelve dollars exactly"),
    ],
)
def test_amounts_are_written_as_one_says_them(cents: int, words: str) -> None:
    assert amount_in_words(Cents(cents)) == words


def test_amounts_in_words_say_exactly_the_amount() -> None:
    chance = random.Random(1)
    edges = [10**power + step for power in range(2, 13) for step in (-1, 0, 1, 99)]
    some = [chance.randrange(10 ** chance.randint(1, 13)) for _ in range(5_000)]
    for cents in [*range(3_000), *edges, *some, LARGEST]:
        assert cents_of(amount_in_words(Cents(cents))) == cents


def test_different_amounts_have_different_words() -> None:
    assert len({amount_in_words(Cents(cents)) for cents in range(20_000)}) == 20_000


@pytest.mark.parametrize("cents", [-1, LARGEST + 1])
def test_an_amount_that_has_no_words_is_refused_with_its_bounds(cents: int) -> None:
    with pytest.raises(Refused, match=f"money not-in-words amount={cents} most={LARGEST}"):
        amount_in_words(Cents(cents))


def cents_of(words: str) -> int:
    """Read an amount back, in a way of its own: add up numbers, and let the scales multiply."""
    dollars, cents = words.removesuffix(" exactly"), "no cents"
    if not words.endswith(" exactly"):
        dollars, _, cents = words.rpartition(" and ")
    assert dollars.rpartition(" ")[2] in ("dollar", "dollars")
    return 100 * number_of(dollars.rpartition(" ")[0]) + number_of(cents.rpartition(" ")[0])


WORDS = (
    "no one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety"
)
NUMBERS = dict(zip(WORDS.split(), [*range(20), *range(20, 100, 10)], strict=True))


def number_of(words: str) -> int:
    whole = part = 0
    for word in words.replace("-", " ").split():
        match word:
            case "and":
                pass
            case "hundred":
                part *= 100
            case "thousand" | "million" | "billion":
                whole, part = whole + part * {"t": 10**3, "m": 10**6, "b": 10**9}[word[0]], 0
            case _:
                part += NUMBERS[word]
    return whole + part


# ---- tickets on paper


def test_a_ticket_says_all_its_facts() -> None:
    text = text_of(ticket_pdf(TICKET))
    for fact in (
        "Golden Lion Casino",
        "CASHOUT TICKET",
        "$1,205.40",
        "one thousand two hundred and five dollars and forty cents",
        "16 November 2025, 07:50:05",
        "Asia/Singapore, UTC+08:00",
        "T1/A3",
        "VOID AFTER",
        "15 May 2026, 07:50:05",
    ):
        assert fact in text


def test_a_ticket_shows_its_number_on_its_face_and_along_its_leading_edge() -> None:
    assert text_of(ticket_pdf(TICKET)).count("12-3456-7890-1234-5678") == 2
    assert has_ink(picture(TICKET), 3, 5, 9, 60)


def test_times_are_those_of_the_place_and_of_the_season() -> None:
    text = text_of(ticket_pdf(TICKET._replace(time_zone="Pacific/Auckland")))
    assert "16 November 2025, 12:50:05" in text
    assert "UTC+13:00" in text
    assert "15 May 2026, 11:50:05" in text
    assert "UTC+12:00" in text


def test_a_ticket_is_156_by_65_millimetres() -> None:
    (page,) = pypdf.PdfReader(BytesIO(ticket_pdf(TICKET))).pages
    assert [round(float(side) / 72 * 25.4, 2) for side in page.mediabox[2:]] == [156, 65]
    assert picture(TICKET).size == (1843, 768)


@pytest.mark.parametrize("state", ["live", "redeemed", "paid", "void", "expired"])
def test_the_code_is_the_number_whatever_the_state(state: str) -> None:
    (code,) = zxingcpp.read_barcodes(picture(TICKET._replace(state=state)))
    assert (code.text, code.format) == (TICKET.number, zxingcpp.BarcodeFormat.QRCode)


def test_the_number_keeps_its_leading_zeros() -> None:
    (code,) = zxingcpp.read_barcodes(picture(TICKET._replace(number="000000000000000098")))
    assert code.text == "000000000000000098"


@pytest.mark.parametrize("state", ["redeemed", "paid", "void", "expired"])
def test_a_reprint_of_a_ticket_that_is_not_live_is_marked(state: str) -> None:
    marked = TICKET._replace(state=state)
    assert state.upper() in text_of(ticket_pdf(marked)).replace("VOID AFTER", "")
    assert state.upper() in read_escpos(ticket_escpos(marked)).reversed
    assert state.upper() not in text_of(ticket_pdf(TICKET)).replace("VOID AFTER", "")
    assert read_escpos(ticket_escpos(TICKET)).reversed == []


@pytest.mark.parametrize("facts", [TICKET, WORST, TICKET._replace(house=HOSTILE)], ids=["plain", "worst", "markup"])
def test_nothing_leaves_its_room(facts: TicketFacts) -> None:
    shown = picture(facts)
    assert len(pypdf.PdfReader(BytesIO(ticket_pdf(facts))).pages) == 1
    assert has_ink(shown, 18, 4, 115, 15)  # the name
    assert has_ink(shown, 18, 27, 115, 40)  # the figures
    for left, top, right, bottom in (
        (12.5, 0, 14.2, 65),  # outside the frame
        (14, 63, 156, 65),
        (154, 0, 156, 65),
        (15.8, 3.8, 18, 61.2),  # beside everything in it
        (115.2, 3.8, 120.5, 48),
        (150.2, 3.8, 152, 61.2),
        (18, 26, 18.3, 48),  # the ends of figures and words: had they been cut off, they would reach these
        (114.7, 26, 115, 48),
        (18, 3.8, 115, 4.7),  # above and below the name
        (18, 15.4, 115, 16.5),
        (107, 50, 109, 61),  # between place and expiry
    ):
        assert not has_ink(shown, left, top, right, bottom), f"{left}, {top}, {right}, {bottom}"
    assert [code.text for code in zxingcpp.read_barcodes(shown)] == [facts.number]


def test_the_largest_amount_stands_in_full() -> None:
    text = text_of(ticket_pdf(WORST))
    assert "$99,999,999,999.99" in text
    assert amount_in_words(LARGEST) in text


def test_text_from_outside_is_never_read_as_markup() -> None:
    marked = TICKET._replace(house=HOSTILE, place=MARKUP)
    text = "".join(text_of(ticket_pdf(marked)).split())
    for part in (HOSTILE, MARKUP):
        # The fonts have no slot machine: it is printed as an empty box, which reads back as nothing.
        for piece in "".join(part.split()).split("\N{SLOT MACHINE}"):
            assert piece in text
    assert text.count("#import") == HOSTILE.count("#import") + 1


def test_controls_and_turned_writing_do_not_reach_the_paper() -> None:
    turned = TICKET._replace(house="Golden\x1b\x00\tLi\u202eon\u2066\n\ud800Casino")
    assert "Golden Lion ?Casino" in text_of(ticket_pdf(turned))
    assert read_escpos(ticket_escpos(turned)).lines[0] == ("Golden Lion ?Casino", 0)


@pytest.mark.parametrize(
    "house",
    ["", " ", "金沙娱乐场", "\uffff\U0010ffff", "a\u0301\u0302" * 200, "\u2e3b" * 500, "x" * 9_999],
    ids=["nothing", "blank", "chinese", "no characters", "accents", "widest", "too long"],
)
def test_any_name_is_printed_somehow(house: str) -> None:
    facts = TICKET._replace(house=house, place=house)
    assert "$1,205.40" in text_of(ticket_pdf(facts))
    assert TICKET.number in read_escpos(ticket_escpos(facts)).codes


def test_the_same_ticket_is_the_same_bytes_and_bears_its_own_date() -> None:
    pdf = ticket_pdf(TICKET)
    assert pdf == ticket_pdf(TICKET)
    assert ticket_png(TICKET) == ticket_png(TICKET)
    assert pdf != ticket_pdf(TICKET._replace(amount=Cents(120541)))
    assert created(pdf) == datetime(2025, 11, 15, 23, 50, 5, tzinfo=UTC)


@pytest.mark.parametrize(
    ("facts", "reason", "case"),
    [
        (TICKET._replace(number="12345678901234567"), "ticket", "digits"),
        (TICKET._replace(number="12-3456-7890-1234-5678"), "ticket", "digits"),
        (TICKET._replace(number="１23456789012345678"), "ticket", "digits"),
        (TICKET._replace(number="²23456789012345678"), "ticket", "digits"),
        (TICKET._replace(amount=Cents(0)), "ticket", "amount-of-paper"),
        (TICKET._replace(amount=Cents(-5)), "ticket", "amount-of-paper"),
        (TICKET._replace(amount=Cents(LARGEST + 1)), "ticket", "amount-of-paper"),
        (TICKET._replace(expires=ISSUED), "ticket", "expires-before"),
        (TICKET._replace(state="unknown"), "ticket", "unprinted-state"),
        (TICKET._replace(time_zone="Asia/Nowhere"), "time zone", "unknown"),
        (TICKET._replace(time_zone="../etc"), "time zone", "unknown"),
        (TICKET._replace(time_zone=""), "time zone", "unknown"),
        (TICKET._replace(issued=-1), "time", "not-on-paper"),
        (TICKET._replace(expires=10**18), "time", "not-on-paper"),
    ],
)
def test_a_ticket_that_cannot_be_is_refused(facts: TicketFacts, reason: str, case: str) -> None:
    for printed in (ticket_pdf, ticket_png, ticket_escpos):
        with pytest.raises(Refused) as refusal:
            printed(facts)
        assert (refusal.value.reason, refusal.value.case) == (reason, case)


def test_numbers_are_grouped() -> None:
    assert grouped("000011112222333344") == "00-0011-1122-2233-3344"


# ---- tickets on a thermal printer


class Printed(NamedTuple):
    """The commands that a printer got: lines with their size, codes as (model, size, level) and data, and the end."""

    code_page: int
    centred: bool
    lines: list[tuple[str, int]]
    reversed: list[str]
    codes: list[str]
    settings: dict[str, bytes]
    fed: int
    cut: int


def read_escpos(sent: bytes) -> Printed:
    """A small printer. It knows only the commands a ticket may use and stops at any other."""
    assert sent.startswith(b"\x1b@")
    state = {"t": -1, "a": 0, "!": 0, "B": 0, "E": 0, "d": 0, "V": -1}
    lines: list[tuple[str, int]] = []
    turned: list[str] = []
    codes: list[str] = []
    settings: dict[str, bytes] = {}
    stored, line, at = "", b"", 2
    while at < len(sent):
        match sent[at : at + 2]:
            case b"\x1bt" | b"\x1ba" | b"\x1bE" | b"\x1bd" | b"\x1d!" | b"\x1dB" | b"\x1dV":
                state[chr(sent[at + 1])] = sent[at + 2]
                at += 3
            case b"\x1d(":
                assert sent[at + 2 : at + 3] == b"k"
                length = int.from_bytes(sent[at + 3 : at + 5], "little")
                order = sent[at + 5 : at + 5 + length]
                assert order[:1] == b"1"
                match order[1:2]:
                    case b"P":
                        assert order[2:3] == b"0"
                        stored = order[3:].decode("ascii")
                    case b"Q":
                        codes.append(stored)
                    case setting:
                        settings[setting.decode()] = order[2:]
                at += 5 + length
            case pair if pair[:1] == b"\n":
                lines.append((line.decode("cp437"), state["!"]))
                turned += [line.decode("cp437")] * state["B"]
                line, at = b"", at + 1
            case pair:
                assert pair[0] >= 32, f"byte {pair[0]} at {at} is no text"
                line, at = line + pair[:1], at + 1
    assert line == b""
    assert (state["!"], state["B"], state["E"]) == (0, 0, 0), "the next ticket would look like this one"
    return Printed(state["t"], state["a"] == 1, lines, turned, codes, settings, state["d"], state["V"])


def test_a_printer_gets_all_the_facts() -> None:
    printed = read_escpos(ticket_escpos(TICKET))
    text = " ".join(line for line, _ in printed.lines)
    for fact in (
        "Golden Lion Casino",
        "CASHOUT TICKET",
        "12-3456-7890-1234-5678",
        "one thousand two hundred and five dollars and forty cents",
        "Issued 16 November 2025, 07:50:05",
        "Asia/Singapore, UTC+08:00",
        "Place T1/A3",
        "Void after 15 May 2026, 07:50:05",
    ):
        assert fact in text
    assert [line for line, size in printed.lines if size == 0x11] == ["$1,205.40"]
    assert (printed.code_page, printed.centred) == (0, True)


def test_a_printer_draws_the_code_then_feeds_and_cuts() -> None:
    sent = ticket_escpos(TICKET)
    printed = read_escpos(sent)
    assert printed.codes == [TICKET.number]
    assert printed.settings == {"A": b"2\x00", "C": b"\x08", "E": b"1"}
    assert printed.fed > 0
    assert sent.endswith(b"\x1dV\x01")


@pytest.mark.parametrize("facts", [TICKET, WORST, TICKET._replace(house=HOSTILE, place=HOSTILE, state="expired")])
def test_no_line_is_wider_than_the_paper(facts: TicketFacts) -> None:
    for line, size in read_escpos(ticket_escpos(facts)).lines:
        assert len(line) * (2 if size == 0x11 else 1) <= 42


def test_double_size_halves_the_columns() -> None:
    assert read_escpos(escpos.BEGIN + escpos.double("W" * 22) + escpos.END).lines == [("W" * 21, 0x11), ("W", 0x11)]


def test_a_name_cannot_command_the_printer() -> None:
    plain = read_escpos(ticket_escpos(TICKET._replace(house="p V0")))
    attacked = read_escpos(ticket_escpos(TICKET._replace(house="\x1bp\x00\x1dV0\x10\x14\x7f\x9b")))
    assert attacked == plain


def test_letters_that_the_printer_lacks_are_written_with_those_it_has() -> None:
    house = "Café Łódź “Ş’ – €5… ﬁ e\u0301 金 \N{SLOT MACHINE}"
    assert read_escpos(ticket_escpos(TICKET._replace(house=house))).lines[0][0] == "Café ?ódz \"S' - EUR5... fi é ? ?"


# ---- the report of a round

HASH = "0123456789abcdef" * 4
SIGNATURE = "fedcba9876543210" * 10
REPORT = RoundReport(
    table="T1",
    round=1234,
    rulebook="Sic Bo (Open Cover)",
    rulebook_id="rws-sicbo-etg-v2",
    rulebook_hash=HASH,
    layouts="A, B",
    began=ISSUED,
    ended=ISSUED + 61_000,
    time_zone="Asia/Singapore",
    limits=("minimum 10.00", "maximum 500.00 on small"),
    result=Statement("1-3-4, total 8"),
    bets=(
        BetLine("b1", "A3", "small", Cents(1000), Statement("wins 10.00 at 1 to 1"), "Pay Table 1"),
        BetLine("b2", "A4", "six-line:1-2-3-4-5-6", Cents(999_999_999_999), Statement("loses"), "5.9"),
    ),
    story=(
        Line(Statement("Place Your Bets was called", clause="3.2")),
        Line(Statement("Dealer: D1"), under=True),
        Line(Statement("No More Bets was called", clause="3.5")),
    ),
    money=(("terminal:T1/A3", "bets:T1", Cents(1000), "bet"), ("house:T1", "terminal:T1/A3", Cents(1250), "winnings")),
    proof=(Proof("first-row", "120"), Proof("row-hash", HASH[::-1]), Proof("signature", SIGNATURE)),
)


def bets(count: int) -> tuple[BetLine, ...]:
    return tuple(
        BetLine(f"b{n}", f"A{n % 30}", "total:8", Cents(1000 + n), Statement("loses"), "5.9") for n in range(count)
    )


def test_a_report_says_all_its_facts() -> None:
    text = text_of(round_pdf(REPORT))
    for fact in (
        "Round 1234 at table T1",
        "1-3-4, total 8",
        "16 November 2025, 07:50:05 (Asia/Singapore, UTC+08:00)",
        "16 November 2025, 07:51:06",
        "Sic Bo (Open Cover) (rws-sicbo-etg-v2)",
        "A, B",
        "minimum 10.00",
        "maximum 500.00 on small",
        "2 bets, 10,000,000,009.99 staked in all",
        "b1 A3 Small 10.00 wins 10.00 at 1 to 1 Pay Table 1",
        "Place Your Bets was called (3.2). Dealer: D1. No More Bets was called (3.5).",
        "terminal:T1/A3 bets:T1 10.00 bet house:T1 terminal:T1/A3 12.50 winnings",
        "first row 120",
    ):
        assert fact in text
    assert "SixLine1·2·3·4·5·69,999,999,999.99loses5.9" in text.replace(" ", "")


def test_a_sentence_that_belongs_to_another_stands_under_it() -> None:
    (page,) = pypdf.PdfReader(BytesIO(round_pdf(REPORT))).pages
    lines = page.extract_text(extraction_mode="layout").splitlines()
    story = [line for line in lines if line.endswith((" called (3.2).", " D1.", " called (3.5)."))]
    assert [line.startswith(" ") for line in story] == [False, True, False]


def test_hashes_can_be_copied_from_a_report() -> None:
    text = text_of(round_pdf(REPORT)).replace(" ", "")
    for value in (HASH, HASH[::-1], SIGNATURE):
        assert value in text


def test_pages_are_numbered_and_headings_come_again() -> None:
    pages = pages_of(round_pdf(REPORT._replace(bets=bets(120))))
    assert len(pages) > 2
    for number, page in enumerate(pages, start=1):
        assert f"Round 1234 at table T1 page {number} of {len(pages)}" in page
        assert ("Bet Seat Box Stake What happened to it Clause" in page) == any(
            f" A{n % 30} " in page for n in range(30)
        )


def test_many_bets_fill_a_report_and_none_is_lost() -> None:
    text = text_of(round_pdf(REPORT._replace(bets=bets(1_000))))
    assert "1,000 bets, 14,995.00 staked in all" in text
    assert all(f"b{n} A{n % 30} Total 8 {10 + n / 100:.2f} loses 5.9" in text for n in range(1_000))


def test_a_round_without_bets_story_money_or_proof_says_so() -> None:
    empty = REPORT._replace(bets=(), story=(), money=(), proof=(), limits=(), result=Statement("void", clause="5.1.2"))
    text = text_of(round_pdf(empty))
    for sentence in ("void (5.1.2)", "No bet was placed.", "Nothing is recorded.", "No money moved.", "None is given."):
        assert sentence in text


def test_text_from_outside_stays_text_in_a_report() -> None:
    bare = MARKUP.replace("\N{SLOT MACHINE}", "").strip()
    marked = REPORT._replace(
        table=bare,
        rulebook=bare,
        result=Statement(bare),
        limits=(bare,),
        bets=(BetLine(bare, bare, bare, Cents(1), Statement(bare), bare),),
        story=(Line(Statement(bare)), Line(Statement(f"{bare}\x00\ud800"), under=True)),
        money=((bare, bare, Cents(1), bare),),
        proof=(Proof("signature", bare),),
    )
    pages = pages_of(round_pdf(marked))
    # The heading, the rulebook, the result, the limit; five of the bet, two sentences, three of the money, one of the
    # proof; and the foot of each page.
    assert "".join("".join(pages).split()).count("".join(bare.split())) == 15 + len(pages)


def test_long_names_stay_in_their_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(report, "typeset", lambda name, facts, at, _: typeset(name, facts, at, "png"))
    lengths = (1, 3, 4, 5, 6, 7, 8, 11, 12, 16, 17, 18)
    wide = tuple(BetLine("W" * n, "W" * n, "w" * n, LARGEST, Statement("W" * n), "W" * n) for n in lengths)
    shown = opened(
        round_pdf(REPORT._replace(bets=wide, result=Statement("W" * 99), story=(), money=(), proof=(), limits=()))
    )
    top, bottom = (row / PIXELS for row in ruled(shown)[:2])
    for edge in (34, 52, 85, 113, 170):  # between the columns of the bets, whose cells keep 1.7 mm from their edges
        assert has_ink(shown, edge + 1, top + 0.5, edge + 6, bottom - 0.5)
        assert not has_ink(shown, edge - 1, top + 0.5, edge + 1, bottom - 0.5), f"{edge} mm"
    assert not has_ink(shown, 192.3, 0, 210, 297)


def test_chinese_does_not_stop_a_report() -> None:
    assert "Round 1234" in text_of(round_pdf(REPORT._replace(rulebook="骰宝", story=(Line(Statement("请下注")),))))


def test_the_same_round_is_the_same_bytes_and_bears_its_own_date() -> None:
    pdf = round_pdf(REPORT)
    assert pdf == round_pdf(REPORT)
    assert created(pdf) == datetime(2025, 11, 15, 23, 51, 6, tzinfo=UTC)


def test_a_round_that_ends_before_it_begins_is_refused() -> None:
    with pytest.raises(Refused, match="time ended-before"):
        round_pdf(REPORT._replace(ended=ISSUED - 1))


@pytest.mark.skipif(
    not Path("/proc/self/status").exists(), reason="only Linux shows how much memory a process has used"
)
def test_reports_do_not_pile_up_in_memory() -> None:
    """In a process of its own, whose memory nothing else has used: six reports need about what one needs."""
    program = (
        "from pathlib import Path\n"
        "from tests.paper.test_paper import REPORT, bets\n"
        "from croupier.paper.report import round_pdf\n"
        "for round in range(6):\n"
        "    round_pdf(REPORT._replace(round=round, bets=bets(400 + round)))\n"
        "    status = Path('/proc/self/status').read_text()\n"
        "    print(status.partition('VmHWM:')[2].split()[0])\n"
    )
    root = Path(__file__).parents[2]
    done = subprocess.run([sys.executable, "-c", program], cwd=root, capture_output=True, text=True, check=True)
    peaks = [int(peak) for peak in done.stdout.split()]
    assert peaks[-1] < 1.4 * peaks[0], peaks


# ---- reading back


def pages_of(pdf: bytes) -> list[str]:
    return [" ".join(page.extract_text().split()) for page in pypdf.PdfReader(BytesIO(pdf)).pages]


def text_of(pdf: bytes) -> str:
    return " ".join(pages_of(pdf))


def created(pdf: bytes) -> datetime | None:
    about = pypdf.PdfReader(BytesIO(pdf)).metadata
    return about.creation_date if about else None


def opened(png: bytes) -> Image.Image:
    return Image.open(BytesIO(png)).convert("L")


def picture(facts: TicketFacts) -> Image.Image:
    return opened(ticket_png(facts))


def has_ink(shown: Image.Image, left: float, top: float, right: float, bottom: float) -> bool:
    """Whether anything dark stands in a part of a page, in millimetres. Fine lines of the background are not dark."""
    edges = (round(left * PIXELS), round(top * PIXELS), round(right * PIXELS), round(bottom * PIXELS))
    return min(shown.crop(edges).tobytes()) < 120


def ruled(shown: Image.Image) -> list[int]:
    """The rows of pixels at which lines across an A4 page end."""
    left, right = round(19 * PIXELS), round(191 * PIXELS)
    dark = [max(shown.crop((left, row, right, row + 1)).tobytes()) < 200 for row in range(shown.height)]
    return [row for row in range(1, shown.height) if dark[row - 1] and not dark[row]]
