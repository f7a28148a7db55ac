"""The lab on the command line: what people read, what programs read, and what is refused."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from croupier.rules.library import rulebook_text
from tests.support.command_line import answer, run

HIGH, TAISAI = "rws-sicbo-etg-v2/A", "rws-taisai-v5/A"


def test_whatif_shows_new_edges_beside_the_old() -> None:
    report = answer("whatif", HIGH, "--pays", "total:9=8 to 1")
    [row] = report["differences"]
    assert (row["box"], row["left"]["edge"], row["right"]["edge"], row["edge_change"]) == (
        "total:9",
        "2/27",
        "-1/24",
        "-25/216",
    )
    code, out, _ = run("whatif", HIGH, "--pays", "total:9=8 to 1")
    assert code == 0
    assert "1 of 56 boxes would differ" in out
    assert "-11.57%" in out


def test_whatif_reads_a_book_edited_by_hand(tmp_path: Path) -> None:
    file = tmp_path / "rws-sicbo-etg-v2.toml"
    old = 'pays = "195 to 1"'
    before, found, after = rulebook_text("rws-sicbo-etg-v2").partition(old)
    assert found
    file.write_text(before + 'pays = "180 to 1"' + after.replace("195", "180", 1))
    rows = answer("whatif", HIGH, "--book", str(file))["differences"]
    assert {row["box"] for row in rows} == {f"triple:{face}" for face in range(1, 7)}
    both = answer("whatif", HIGH, "--book", str(file), "--pays", "small=4 to 5")["differences"]
    assert len(both) == 7


def test_solve_proposes_odds() -> None:
    report = answer("solve", HIGH, "--edge", "5%", "--box", "total:4")
    assert (report["edge"], report["step"], report["boxes"][0]["proposed"]) == ("1/20", "1/2", "67 to 1")
    _, out, _ = run("solve", "mbs-sands-roulette-v2/A", "--edge", "20%")
    assert "none so low" in out
    assert "30 to 1" in out


def test_rounding_names_the_boxes_it_would_hurt() -> None:
    code, out, _ = run("rounding", HIGH, "--stake", "1", "--chip", "1")
    assert code == 0
    assert "14 of 56 boxes would pay otherwise" in out
    assert answer("rounding", "nz-taisai-division9/1", "--stake", "1", "--chip", "1")["how"] == "down"


def test_chances_of_bets_together() -> None:
    report = answer("chances", HIGH, "--bet", "small=10", "--bet", "total:9=5", "--rounds", "1e3")
    assert report["round"]["edge"] == "7/162"
    assert [cell["ways"] for cell in report["round"]["cells"]] == [110, 81, 1, 24]
    assert float(Fraction(report["rounds"]["ahead"])) == pytest.approx(0.133821, abs=1e-6)
    code, out, _ = run("chances", HIGH, "--bet", "small=10", "--rounds", "100")
    assert code == 0
    assert "After 100 rounds (exact):" in out
    assert answer("chances", HIGH, "--bet", "small=10")["rounds"] is None


def test_ruin_of_an_evening() -> None:
    report = answer("ruin", "mbs-sands-roulette-v2/A", "--bet", "red=10", "--bankroll", "30", "--stop-win", "30")
    assert report["won"] == pytest.approx(0.386404, abs=1e-6)
    code, out, _ = run("ruin", HIGH, "--bet", "small=10", "--bankroll", "100", "--rounds", "20")
    assert code == 0
    assert "20 rounds at most (exact)" in out


def test_house_with_the_limits_of_a_table() -> None:
    report = answer("house", TAISAI, "--table", "tables/taisai-rws.toml", "--bet", "A1:big=500", "--bet", "A2:big=900")
    assert [bet["in_action"] for bet in report["bets"]["bets"]] == [35_714, 64_285]
    assert report["worst_case"]["seats"] == 8
    code, out, _ = run("house", TAISAI, "--minimum", "5", "--maximum", "100", "--differential", "500", "--seats", "3")
    assert code == 0
    assert "The most that 3 Players can win in a round within the limits" in out


def test_diff_of_two_books_says_what_changed_for_whom_and_how_much() -> None:
    report = answer("diff", "rws-sicbo-etg-v2", "rws-taisai-v5")
    assert not report["same"]
    [row] = [row for row in report["changes"] if row["place"] == "A, total:13"]
    assert (row["part"], row["kind"], row["edge"], row["clause"]) == ("odds", "changed", "7/144", "4.1.1")
    code, out, _ = run("diff", "rws-sicbo-etg-v2", "rws-taisai-v5")
    assert code == 0
    assert "the Player loses 4.86% of each stake more (7/144)" in out
    assert answer("diff", "rws-taisai-v5", "rws-taisai-v5")["same"]


def test_odds_with_the_longest_losing_run() -> None:
    [small, *_] = answer("odds", HIGH, "--runs", "1000")["boxes"]
    assert small["losing_run"] == [9, 13, 16]
    _, out, _ = run("odds", HIGH, "--runs", "1000")
    assert "losing run" in out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("whatif", HIGH), "give the other odds"),
        (("whatif", HIGH, "--pays", "total:9"), "cannot be read"),
        (("solve", HIGH, "--edge", "much"), "is not a share"),
        (("chances", HIGH, "--bet", "small=10", "--rounds", "1.5"), "is not a number of rounds"),
        (("house", TAISAI), "give --table"),
        (("house", TAISAI, "--minimum", "5", "--maximum", "100"), "needs a Differential limit"),
        (("house", TAISAI, "--minimum", "5", "--maximum", "9", "--bet", "small=5"), "is not a bet of a seat"),
        (("rounding", HIGH, "--stake", "1", "--chip", "1", "--how", "away"), "not a way to round"),
    ],
)
def test_wrong_use_of_the_lab_is_refused_with_a_word(arguments: tuple[str, ...], message: str) -> None:
    code, out, err = run(*arguments)
    assert (code, out) == (2, "")
    assert message in err


def test_simulate_counts_every_box_beside_its_exact_edge() -> None:
    report = answer("simulate", HIGH, "--rounds", "1e5", "--seed", "1")
    assert len(report["boxes"]) == 56
    assert report["edge"] is None
    assert all(abs(box["edge"]["z"]) < 4.5 for box in report["boxes"])
    code, out, err = run("simulate", HIGH, "--bet", "small=10", "--rounds", "100,000", "--seed", "1")
    assert code == 0
    assert "rounds    100,000\nseed      1\n" in out
    assert "rounds a second" in err


def test_simulate_plays_sessions_and_writes_a_page(tmp_path: Path) -> None:
    page = tmp_path / "run.html"
    arguments = ["simulate", "mbs-sands-roulette-v2/A", "--bet", "red=10", "--sessions", "2000", "--rounds", "50"]
    options = ["--bankroll", "200", "--strategy", "martingale:5", "--stop-win", "50", "--seed", "4", "--pace", "40"]
    code, out, _ = run(*arguments, *options, "--output", str(page))
    assert code == 0
    assert "doubles after a loss" in out
    assert "hours" in out
    assert page.read_text().count("<svg ") == 2
    follow = answer(*arguments[:-2], "--bet", "black=10", "--bankroll", "200", "--strategy", "follow", "--rounds", "20")
    assert follow["plays"] == [[["red", 1000]], [["black", 1000]]]
    flat = tmp_path / "flat.html"
    assert run("simulate", HIGH, "--bet", "small=10", "--rounds", "1e5", "-o", str(flat))[0] == 0
    assert "<svg " in flat.read_text()


def test_crowd_at_a_table(tmp_path: Path) -> None:
    arguments = ["crowd", TAISAI, "--table", "tables/taisai-rws.toml", "--rounds", "300", "--seed", "1"]
    report = answer(*arguments, "--stake", "500", "--box", "small", "--box", "big", "--pace", "50")
    assert report["placed"] == report["in_action"] + report["unplayed"]
    assert sum(one["rounds"] for one in report["bins"]) == report["rounds"] == 300
    assert report["bins"][0]["low"] <= report["worst"] < report["bins"][0]["high"]
    page = tmp_path / "crowd.html"
    assert run(*arguments, "--pace", "50", "-o", str(page))[0] == 0
    assert all(part in page.read_text() for part in ("<svg ", "won by the House", "given back by limits", "an hour"))
    code, out, _ = run(*arguments, "--players", "3", "--bets", "1", "--pace", "50")
    assert code == 0
    assert "won by the House" in out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("simulate", HIGH, "--strategy", "martingale"), "give --sessions"),
        (("simulate", HIGH, "--sessions", "10"), "a session needs --bet and --bankroll"),
        (("simulate", HIGH, "--rounds", "none"), "is not a number of rounds"),
        (("simulate", HIGH, "--engine", "ray", "--address", "nowhere"), "write host:port"),
        (("simulate", HIGH, "--rounds", "1e15", "--output", "/nowhere/run.html"), "there is no folder /nowhere"),
        (("simulate", HIGH, "--rounds", "1e15", "--output", "run.doc"), "name it .html or .pdf"),
        (("crowd", TAISAI, "--table", "tables/taisai-rws.toml", "-o", "run"), "name it .html or .pdf"),
        (("crowd", TAISAI), "give --table"),
    ],
)
def test_wrong_use_of_simulation_is_refused_with_a_word(arguments: tuple[str, ...], message: str) -> None:
    code, out, err = run(*arguments)
    assert (code, out) == (2, "")
    assert message in err
