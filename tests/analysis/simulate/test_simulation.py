"""Simulation: exact draws, the same on every kernel and engine; bets, sessions and crowds beside the exact answer."""

from __future__ import annotations

import json
import os
import pty
import re
import select
import shutil
import signal
import subprocess
import sys
from concurrent.futures.process import BrokenProcessPool
from fractions import Fraction
from pathlib import Path
from unittest.mock import patch

import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import croupier
from croupier import Layout, Refused, load_layout, load_rulebook, rulebook_ids
from croupier.analysis.exact.whatif import with_pays
from croupier.analysis.simulate import draws, numba_players, numpy_players, spread, table_run
from croupier.analysis.simulate.bankroll_sessions import SessionsRun, simulate_sessions
from croupier.analysis.simulate.estimates import deviation, mean, share
from croupier.analysis.simulate.flat import FlatRun, simulate
from croupier.analysis.simulate.plan import ENDS, Plan, make_plan
from croupier.analysis.simulate.strategies import Programme, Strategy, StrategyTable, named, programmed
from croupier.analysis.simulate.table_run import Habit, simulate_crowd
from croupier.rules.money import Cents
from croupier.table.messages import Limits
from tests.analysis.simulate import workers
from tests.analysis.simulate.proof import astray, layouts
from tests.support.processes import same_program

HIGH, SANDS = load_layout("rws-sicbo-etg-v2/A"), load_layout("mbs-sands-roulette-v2/A")
ALL = [layout for id in rulebook_ids() for layout in load_rulebook(id).layouts]
SMALL, RED = [[("small", 10_00)]], [[("red", 10_00)]]
PRESS = """
def press(memory, last, result, balance):
    if result > 0:
        memory[0] += 1
    elif result < 0:
        memory[0] = 0
    return 1 + min(memory[0], 3)


def choose(memory, last, result, balance):
    if balance > 600_00:
        return 0, 0
    return (last % 2 if last >= 0 else 0), 1


def far(memory, last, result, balance):
    return (7 if last >= 0 else 0), 1


def broken(memory, last, result, balance):
    return balance / 0


def words(memory, last, result, balance):
    return "two"
"""


def without_how(run: FlatRun | SessionsRun) -> object:
    """What must not depend on how a run was done."""
    return msgspec.structs.replace(run, how=None)


# ---- draws


def test_words_are_those_of_the_published_generator() -> None:
    """SplitMix64 from the seed 0, and from 1234567, as its authors' programs print them."""
    assert [draws.word(0, n) for n in (1, 2, 3)] == [0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, 0x06C45D188009454F]
    assert draws.word(1234567, 1) == 6457827717110365317
    assert draws.words(77, 5, 4).tolist() == [draws.word(77, n) for n in range(5, 9)]


@pytest.mark.parametrize("sides", [216, 39, 37, 6, 255, 2])
def test_every_three_draws_come_from_equally_many_halves(sides: int) -> None:
    """A half leads to the result ⌊half × sides³ / 2³²⌋ with the remainder as its rest: count the halves of each."""
    results = np.arange(sides**3, dtype=np.uint64)
    many, low = np.uint64(sides**3), np.uint64(draws.rejected_below(sides))
    whole = np.uint64(draws.HALF)
    first = (results * whole + low + many - np.uint64(1)) // many  # the first half whose rest is not too low
    last = ((results + np.uint64(1)) * whole - np.uint64(1)) // many
    halves = last - first + np.uint64(1)
    assert int(halves.min()) == int(halves.max()) == draws.HALF // sides**3


@given(st.integers(0, draws.HALF - 1), st.sampled_from([216, 39, 6, 255]))
def test_draws_of_a_half_are_the_digits_of_its_result(half: int, sides: int) -> None:
    number, rest = divmod(half * sides**3, draws.HALF)
    digits = (number // sides**2, number // sides % sides, number % sides)
    assert draws.draws_of_half(half, sides) == (digits if rest >= draws.rejected_below(sides) else None)
    found, kept = draws.drawn(np.array([half], dtype=np.uint64), sides)
    assert bool(kept[0]) == (rest >= draws.rejected_below(sides))
    assert not kept[0] or tuple(found[0].tolist()) == digits


@given(st.integers(0, 2**64 - 1), st.integers(0, 2**40), st.integers(0, 500), st.sampled_from([216, 39, 255]))
@settings(max_examples=40)
def test_many_draws_are_one_after_the_other(key: int, first: int, count: int, sides: int) -> None:
    slow: list[int] = []
    half = 2 * first
    while len(slow) < count:
        word = draws.word(key, half >> 1)
        slow += draws.draws_of_half((word >> 32 if half & 1 else word) & 0xFFFFFFFF, sides) or ()
        half += 1
    assert draws.draws(key, first, count, sides).tolist() == slow[:count]


@given(st.integers(0, 2**64 - 1), st.integers(0, 2**20), st.integers(1, 200_000), st.sampled_from([216, 39, 37, 255]))
@settings(max_examples=25)
def test_kernels_count_the_same_draws(key: int, block: int, rounds: int, sides: int) -> None:
    plain = np.bincount(draws.draws(key, block * draws.BLOCK_WORDS, rounds, sides), minlength=sides)
    assert (draws.count_draws(key, block, 1, rounds, sides) == plain).all()
    assert (numba_players.count_draws(key, block, 1, rounds, sides) == plain).all()


def test_kernels_count_the_same_blocks_and_no_block_is_another() -> None:
    key = draws.key_of(3)
    plain = draws.count_draws(key, 7, 2, 12_345, 216)
    assert (numba_players.count_draws(key, 7, 2, 12_345, 216) == plain).all()
    assert plain.sum() == draws.BLOCK + 12_345
    blocks = [numba_players.count_draws(key, block, 1, draws.BLOCK, 216) for block in range(40)]
    assert len({block.tobytes() for block in blocks}) == 40
    # Blocks that repeated each other, wholly or in part, would make their sum vary more than chance does.
    total = np.sum(blocks, axis=0)
    expected = total.sum() / 216
    assert 130 < ((total - expected) ** 2 / expected).sum() < 320  # chi-square with 215 degrees: 4 deviations and more


def test_a_seed_and_a_layout_beyond_what_can_be_drawn_are_refused() -> None:
    with pytest.raises(Refused, match="seed out-of-range"):
        simulate(HIGH, rounds=10, seed=-1)
    with pytest.raises(Refused, match="rounds out-of-range"):
        simulate(HIGH, rounds=0)
    with pytest.raises(Refused, match="kernel unknown"):
        simulate(HIGH, rounds=10, kernel="fortran")
    with pytest.raises(Refused, match="engine unknown"):
        simulate(HIGH, rounds=10, engine="steam")
    with pytest.raises(Refused, match="workers out-of-range workers=0"):
        simulate(HIGH, rounds=10, workers=0)


def test_choices_are_exactly_as_likely() -> None:
    counts = np.bincount(draws.choices(draws.key_of(1), 0, 300_000, 300), minlength=300)
    assert 200 < ((counts - 1000) ** 2 / 1000).sum() < 410


# ---- flat bets


@pytest.mark.parametrize("layout", ALL, ids=lambda layout: layout.id)
def test_every_box_of_every_layout_is_within_four_standard_errors(layout: Layout) -> None:
    run = simulate(layout, rounds=10_000_000, seed=20_261_117)
    assert len(run.boxes) == len(layout.boxes)
    for row in run.boxes:
        assert row.edge.z is not None
        assert row.hit_frequency.z is not None
        assert abs(row.edge.z) < 4, row
        assert abs(row.hit_frequency.z) < 4, row
        assert row.edge.exact == float(layout.edge(row.box))
    assert 0.001 < run.chi_square_p < 0.999


def test_a_flat_run_is_the_settlement_of_its_outcomes() -> None:
    bets = [("small", 10_00), ("total:8", 2_00), ("single:3", 1_00)]
    run = simulate(HIGH, bets, 50_000, seed=5)
    assert run.total == -sum(count * HIGH.settle(bets, outcome).house for outcome, count in run.outcomes)
    assert sum(count for _, count in run.outcomes) == run.rounds == 50_000
    assert run.staked == 50_000 * 13_00
    assert run.edge
    assert run.edge.simulated == pytest.approx(-run.total / run.staked)
    assert run.edge.low < run.edge.simulated < run.edge.high
    drawn = draws.draws(draws.key_of(5), 0, 50_000, 216)
    fell = draws.LayoutDraws.of(HIGH).outcome[drawn]
    assert [count for _, count in run.outcomes] == np.bincount(fell, minlength=len(HIGH.outcomes)).tolist()


def test_the_same_seed_gives_the_same_numbers_on_every_kernel_and_with_any_number_of_workers() -> None:
    rounds = 3 * draws.BLOCK + 777
    runs = [
        simulate(HIGH, [("small", 10_00)], rounds, seed=9, kernel="numpy"),
        simulate(HIGH, [("small", 10_00)], rounds, seed=9, kernel="numba"),
        simulate(HIGH, [("small", 10_00)], rounds, seed=9, kernel="numba", workers=2),
    ]
    assert [run.how.engine for run in runs] == ["here", "here", "processes"]
    assert len({repr(without_how(run)) for run in runs}) == 1
    other = simulate(HIGH, [("small", 10_00)], rounds, seed=10)
    assert other.outcomes != runs[0].outcomes
    assert runs[0].convergence[-1].rounds == rounds


def test_an_interrupted_run_answers_with_what_it_has() -> None:
    def stop(done: int, total: int) -> None:
        if done >= 2 * draws.BLOCK:
            raise KeyboardInterrupt

    rounds = 8 * draws.BLOCK
    run = simulate(HIGH, [("small", 10_00)], rounds, seed=9, progress=stop)
    assert run.interrupted
    assert run.asked == rounds
    assert 2 * draws.BLOCK <= run.rounds < rounds
    assert run.outcomes == simulate(HIGH, [("small", 10_00)], run.rounds, seed=9).outcomes


# Whoever starts the tests in the background has Ctrl-C ignored, and what they start would ignore it too.
_CTRL_C = """
import runpy, signal
signal.signal(signal.SIGINT, signal.default_int_handler)
runpy.run_module("croupier.cli", run_name="__main__")
"""


def test_ctrl_c_prints_what_there_is_and_a_screen_shows_rate_and_time_left() -> None:
    """A real process on a terminal: it counts to a number it will never reach, and gets Ctrl-C."""
    ours, theirs = pty.openpty()
    command = ["simulate", "rws-sicbo-etg-v2/A", "--bet", "small=10", "--rounds", "1e12", "--seed", "1", "--json"]
    process = subprocess.Popen(
        [sys.executable, "-c", _CTRL_C, *command, "--engine", "here", "--kernel", "numpy"],
        stdout=subprocess.PIPE,
        stderr=theirs,
        env=same_program() | {"TERM": "xterm-256color", "COLUMNS": "120"},
    )
    try:
        os.close(theirs)
        shown = ""
        bar = None
        while bar is None:
            assert select.select([ours], [], [], 120)[0], f"nothing more on the screen after {shown[-300:]!r}"
            shown += os.read(ours, 4096).decode(errors="replace")
            bar = re.search(r"([\d,]+) rounds a second (\d+):(\d\d):(\d\d)", re.sub(r"\x1b\[[\d;?]*\w", "", shown))
        process.send_signal(signal.SIGINT)
        while True:  # until it has gone: its screen must be read, or it would wait for us
            assert select.select([ours], [], [], 120)[0], "it does not end"
            try:
                if not os.read(ours, 4096):
                    break
            except OSError:
                break
        assert process.stdout
        report = json.loads(process.stdout.read())
        assert process.wait(60) == 0
    finally:
        process.kill()
        process.communicate()
        os.close(ours)
    rate, *left = (int(part.replace(",", "")) for part in bar.groups())
    assert rate * (left[0] * 3600 + left[1] * 60 + left[2]) == pytest.approx(1e12, rel=0.5), bar[0]
    assert report["interrupted"]
    assert 0 < report["rounds"] < report["asked"]
    assert sum(count for _, count in report["outcomes"]) == report["rounds"]


# ---- spreading


def test_results_come_in_order_and_a_killed_worker_costs_time_only(tmp_path: Path) -> None:
    tasks = [workers.Task(number, str(tmp_path)) for number in range(12)]
    found = list(spread.spread(workers.squared_by_mortals, tasks, "processes", 2))
    assert found == [(task, task.number**2) for task in tasks]
    assert len(list(tmp_path.iterdir())) == 2


def test_workers_run_the_very_code_that_gives_them_work(tmp_path: Path) -> None:
    """Another copy of the program, on the module path of this process only."""
    shutil.copytree(Path(croupier.__file__).parent, tmp_path / "croupier", ignore=shutil.ignore_patterns("web"))
    code = (
        f"import sys; sys.path.insert(0, {str(tmp_path)!r})\n"
        "from croupier.analysis.simulate.spread import spread\n"
        "print(next(spread(eval, ['__import__(\"croupier\").__file__'], 'processes', 1))[1])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=300, check=True)
    assert done.stdout.strip() == str(tmp_path / "croupier" / "__init__.py")


def test_work_that_kills_every_worker_or_fails_is_not_tried_for_ever(tmp_path: Path) -> None:
    tasks = [workers.Task(number, str(tmp_path)) for number in range(8)]
    with pytest.raises(ValueError, match="five"):
        list(spread.spread(workers.failing, tasks, "processes", 1))
    with patch.object(spread, "_DEATHS", 1), pytest.raises(BrokenProcessPool):
        list(spread.spread(workers.killed_always, tasks, "processes", 1))


def test_workers_are_started_only_where_it_is_worth_it() -> None:
    with patch.object(os, "sched_getaffinity", return_value={0, 1, 2}):
        assert spread.chosen_engine("auto", None, 0.5) == ("here", 1)
        assert spread.chosen_engine("auto", None, 60.0) == ("processes", 3)
        assert spread.chosen_engine("auto", 2, 0.1) == ("processes", 2)
        assert spread.chosen_engine("here", None, 60.0) == ("here", 1)
    with patch.object(spread, "find_spec", return_value=None):
        assert spread.chosen_kernel("auto") == "numpy"
        with pytest.raises(Refused, match="kernel no-numba"):
            spread.chosen_kernel("numba")


# ---- sessions


def slow_session(
    layout: Layout,
    plays: list[list[tuple[str, int]]],
    name: str,
    seed: int,
    session: int,
    plan: Plan,
    low: int,
    high: int,
    stop_win: int | None,
    stop_loss: int | None,
) -> tuple[int, int, int, str]:
    """A session once more, as a person would write it down: balance, rounds, deepest fall, why it ended."""
    key = draws.key_of(seed)
    fell = iter(draws.draws(key, session * plan.words, plan.rounds, plan.sides).tolist())
    names = draws.LayoutDraws.of(layout).outcome
    balance = peak = plan.bankroll
    deepest = rounds = level = play = 0
    line = [1, 2, 3, 4]
    while True:
        match name:
            case "flat" | "follow" | "against":
                units = 1
            case "martingale" | "paroli":
                units = 2**level
            case "dalembert":
                units = 1 + level
            case "fibonacci":
                one, two = 1, 1
                for _ in range(level):
                    one, two = two, one + two
                units = one
            case _:
                units = line[0] + (line[-1] if len(line) > 1 else 0)
        asked = units
        cost = sum(stake for _, stake in plays[play])
        units = min(max(units, low), high)
        if rounds and stop_win is not None and balance >= plan.bankroll + stop_win:
            return balance, rounds, deepest, "won"
        if rounds and stop_loss is not None and balance <= plan.bankroll - stop_loss:
            return balance, rounds, deepest, "lost"
        if balance < cost * low:
            return balance, rounds, deepest, "broke"
        if rounds == plan.rounds:
            return balance, rounds, deepest, "played"
        units = min(units, balance // cost)
        outcome = layout.outcomes[names[next(fell)]]
        won = -layout.settle([(box, stake * units) for box, stake in plays[play]], outcome).house
        balance, rounds = balance + won, rounds + 1
        peak = max(peak, balance)
        deepest = max(deepest, peak - balance)
        if name in ("follow", "against"):
            winner = [n for n, bets in enumerate(plays) if layout.settle(bets, outcome).house < 0]
            play = (winner[0] + (name == "against")) % len(plays) if winner else play
        if won == 0:
            continue
        match name:
            case "martingale":
                level = 0 if won > 0 or level == 9 else level + 1
            case "paroli":
                level = (level + 1) % 3 if won > 0 else 0
            case "dalembert":
                level = max(0, level - 1) if won > 0 else level + 1
            case "fibonacci":
                level = max(0, level - 2) if won > 0 else min(24, level + 1)
            case "labouchere":
                line = line[1:-1] if won > 0 else [*line, asked]
                line = line or [1, 2, 3, 4]


CASES = [
    (HIGH, SMALL, "flat", 100_00, 60, {}),
    (HIGH, SMALL, "flat", 100_00, 60, {"stop_win": 50_00, "stop_loss": 40_00}),
    (HIGH, [[("small", 10_00), ("total:8", 2_00)]], "martingale", 300_00, 80, {}),
    (SANDS, RED, "martingale", 1_000_00, 80, {"maximum": 100_00, "stop_win": 90_00}),
    (SANDS, RED, "paroli", 100_00, 80, {"minimum": 20_00}),
    (HIGH, [[("single:4", 5_00)]], "dalembert", 200_00, 80, {}),
    (SANDS, RED, "fibonacci", 500_00, 80, {"maximum": 350_00}),
    (SANDS, RED, "labouchere", 500_00, 80, {"maximum": 200_00}),
    (SANDS, [[("dozen:1", 5_00)], [("dozen:2", 5_00)], [("dozen:3", 5_00)]], "follow", 100_00, 80, {}),
    (HIGH, [[("small", 5_00)], [("big", 5_00)]], "against", 100_00, 80, {}),
]


def planned(
    layout: Layout, plays: list[list[tuple[str, int]]], way: Strategy, bankroll: int, rounds: int, kw: dict[str, int]
) -> Plan:
    low, high = kw.get("minimum"), kw.get("maximum")
    return make_plan(
        layout,
        [tuple(play) for play in plays],
        way,
        bankroll,
        rounds,
        stop_win=kw.get("stop_win"),
        stop_loss=kw.get("stop_loss"),
        minimum=None if low is None else lambda box: low,
        maximum=None if high is None else lambda box: high,
    )


@pytest.mark.parametrize(("layout", "plays", "name", "bankroll", "rounds", "kw"), CASES)
def test_a_session_is_what_a_person_would_write_down(
    layout: Layout, plays: list[list[tuple[str, int]]], name: str, bankroll: int, rounds: int, kw: dict[str, int]
) -> None:
    way = named(name, len(plays))
    plan = planned(layout, plays, way, bankroll, rounds, kw)
    stake = plays[0][0][1]
    low, high = max(1, -(-kw.get("minimum", 0) // stake)), kw.get("maximum", 10**9) // stake
    if isinstance(way, StrategyTable):
        table = numpy_players.TableSessions(plan, draws.key_of(4), 0, 25)
        table.play()
        played = [(int(b), int(n), int(d), ENDS[end]) for b, n, d, end in table.last.T]
    else:
        ended = [numpy_players.play_one(plan, way, draws.key_of(4), session)[:4] for session in range(25)]
        played = [(b, n, d, ENDS[end]) for b, n, d, end in ended]
    for session, found in enumerate(played):
        slow = slow_session(layout, plays, name, 4, session, plan, low, high, kw.get("stop_win"), kw.get("stop_loss"))
        assert found == slow, session


@pytest.mark.parametrize(
    ("layout", "plays", "name", "bankroll", "rounds", "kw"), [c for c in CASES if c[2] != "labouchere"]
)
def test_both_kernels_play_the_same_sessions(
    layout: Layout, plays: list[list[tuple[str, int]]], name: str, bankroll: int, rounds: int, kw: dict[str, int]
) -> None:
    plan = planned(layout, plays, named(name, len(plays)), bankroll, rounds, kw)
    for first, count in ((0, 500), (123_456, 77)):
        plain = numpy_players.play_table(plan, draws.key_of(8), first, count)
        fast = numba_players.play_table(plan, draws.key_of(8), first, count)
        assert all((one == other).all() for one, other in zip(plain, fast, strict=True))
        assert plain.ends.sum() == plain.results.sum() == plain.lengths.sum() == plain.drawdowns.sum() == count


def test_a_function_of_yours_plays_the_same_compiled_and_not(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(PRESS)
    plays = [[("small", 10_00)], [("big", 10_00)]]
    for way in (programmed(tmp_path / "mine.py", "choose"), named("labouchere:1-2")):
        assert isinstance(way, Programme)
        plan = planned(HIGH, plays, way, 500_00, 60, {"stop_loss": 300_00, "maximum": 200_00})
        plain = numpy_players.play_programme(plan, way, draws.key_of(2), 10, 60)
        fast = numba_players.play_programme(plan, way, draws.key_of(2), 10, 60)
        assert all((one == other).all() for one, other in zip(plain, fast, strict=True)), way.name
    assert plain.ends.sum() == 60


def test_a_function_of_yours_may_come_from_this_program_or_a_file(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(PRESS)

    def press(memory: list[int], last: int, result: int, balance: int) -> int:
        memory[0] = memory[0] + 1 if result > 0 else 0 if result < 0 else memory[0]
        return 1 + min(memory[0], 3)

    mine = Programme("press", "", press)
    runs = [
        simulate_sessions(HIGH, SMALL, way, bankroll=100_00, rounds=30, sessions=60, seed=1, kernel="numpy")
        for way in (mine, named(f"{tmp_path / 'mine.py'}:press"))
    ]
    assert runs[0].results == runs[1].results
    assert runs[0].total == runs[1].total
    with pytest.raises(Refused, match="strategy this-process"):
        simulate_sessions(HIGH, SMALL, mine, bankroll=100_00, rounds=30, sessions=60, workers=2)


def test_a_function_that_cannot_play_is_refused_with_a_word(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(PRESS)
    (tmp_path / "wrong.py").write_text("def press(:\n")
    for text, message in (
        (f"{file}:nothing", "strategy no-function .*function=nothing"),
        (f"{file}:broken", "strategy fails"),
        (f"{file}:words", "strategy odd-answer .*answer='two'"),
        (f"{tmp_path / 'none.py'}:press", "strategy no-python"),
        (f"{tmp_path / 'wrong.py'}:press", "strategy unreadable"),
        ("marting", r"strategy unknown .*known=\('flat', 'martingale'"),
        ("martingale:1", "strategy number .*most=20"),
        ("labouchere:1-x", "line labouchere"),
        ("follow", "strategy several-bets"),
    ):
        with pytest.raises(Refused, match=message):
            named(text, 1)
    with pytest.raises(Refused, match=r"strategy (no-such-play|play-unknown) .*play=7 plays=1"):
        simulate_sessions(
            HIGH, SMALL, named(f"{file}:far"), bankroll=100_00, rounds=5, sessions=3, seed=1, kernel="numpy"
        )


def test_flat_sessions_end_as_the_exact_answer_says() -> None:
    run = simulate_sessions(
        SANDS, RED, bankroll=200_00, rounds=200, stop_win=100_00, stop_loss=150_00, sessions=200_000, seed=7
    )
    assert run.exact
    for end in run.ends:
        if end.share.z is not None:
            assert abs(end.share.z) < 4, end
    known = [end for end in run.ends if end.share.z is not None]
    assert [end.end for end in known] == ["lost", "won", "played"]
    for estimate in (run.length, run.result, run.edge):
        assert estimate.z is not None
        assert abs(estimate.z) < 4
    assert run.edge.exact == 1 / 13
    assert run.results[0].amount == -150_00
    assert run.results[-1].amount == 100_00


@pytest.mark.parametrize("name", ["martingale", "paroli", "dalembert", "fibonacci"])
def test_every_way_of_playing_costs_the_edge_of_what_is_staked(name: str) -> None:
    run = simulate_sessions(
        HIGH, SMALL, named(name), bankroll=1_000_00, rounds=300, sessions=30_000, seed=3, maximum=lambda box: 500_00
    )
    assert run.edge.exact == pytest.approx(1 / 36)
    assert run.edge.z is not None
    assert abs(run.edge.z) < 4
    assert sum(end.sessions for end in run.ends) == run.sessions
    assert run.exact is None


def test_sessions_are_the_same_with_workers_and_when_interrupted() -> None:
    way = named("martingale")
    runs = [
        simulate_sessions(
            SANDS, RED, way, bankroll=500_00, rounds=50, sessions=20_001, seed=3, kernel=kernel, workers=many
        )
        for kernel, many in (("numpy", 1), ("numba", 1), ("numba", 2))
    ]
    assert len({repr(without_how(run)) for run in runs}) == 1

    def stop(done: int, total: int) -> None:
        raise KeyboardInterrupt

    part = simulate_sessions(
        SANDS, RED, way, bankroll=500_00, rounds=50, sessions=20_001, seed=3, kernel="numba", progress=stop
    )
    assert part.interrupted
    assert 0 < part.sessions < 20_001


def test_the_fan_follows_the_very_sessions() -> None:
    run = simulate_sessions(SANDS, RED, bankroll=100_00, rounds=30, sessions=40, seed=3)
    plan = planned(SANDS, RED, named("flat"), 100_00, 30, {})
    table = numpy_players.TableSessions(plan, draws.key_of(3), 0, 40)
    table.play()
    assert [path[-1] for path in run.fan.paths] == table.last[0][: len(run.fan.paths)].tolist()
    assert all(path[0] == 100_00 for path in run.fan.paths)
    assert [low <= high for low, high in zip(run.fan.quantiles[0], run.fan.quantiles[-1], strict=True)]


def test_sessions_that_cannot_be_are_refused() -> None:
    for message, arguments in (
        ("bankroll too-small bankroll=500 staked=1000", {"bankroll": 5_00}),
        ("rounds of-session rounds=0", {"rounds": 0}),
        ("stop not-above-zero stop=stop-win amount=0", {"stop_win": 0}),
        ("sessions beyond-counting sessions=0", {"sessions": 0}),
        ("pace out-of-range", {"pace": 0}),
        ("limits no-units", {"minimum": lambda box: 50_00, "maximum": lambda box: 20_00}),
        ("bet none-given", {"plays": []}),
        ("limits beyond-counting", {"strategy": named("labouchere"), "rounds": 500_000}),
    ):
        usual = {"plays": RED, "bankroll": 100_00, "rounds": 10, "sessions": 10, "seed": 1}
        with pytest.raises(Refused, match=message):
            simulate_sessions(SANDS, **(usual | arguments))  # type: ignore[arg-type]


# ---- crowds


def limits(minimum: int, maximum: int, differential: int | None = None) -> Limits:
    between = None if differential is None else Cents(differential)
    return Limits({"*": Cents(minimum)}, {"*": Cents(maximum)}, Cents(1_00), between)


@pytest.mark.parametrize(
    ("source", "rules"),
    [
        ("rws-taisai-v5/A", limits(5_00, 500_00, 300_00)),
        ("mbs-sands-roulette-v2/A", limits(10_00, 200_00)),
        ("rws-sicbo-etg-v2/A", limits(5_00, 200_00)),
        ("nz-taisai-division9/1", limits(5_00, 300_00)),
    ],
)
def test_a_crowd_in_a_matrix_is_the_crowd_bet_by_bet(source: str, rules: Limits) -> None:
    """Rounds that no limit touches are settled together; here all of them also go through the table's own rules."""
    boxes = ("small", "big", "total:9", "triple:1") if "roulette" not in source else ("red", "straight:17", "dozen:1")
    habits = [Habit(boxes, (5_00, 25_00, 200_00), 2)] * 4
    run = simulate_crowd(source, habits, rules, 150, seed=2, pace=50)
    everything = np.ones(150, dtype=np.bool_)
    with patch.object(table_run, "_touched", return_value=everything):
        slow = simulate_crowd(source, habits, rules, 150, seed=2, pace=50)
    assert msgspec.structs.replace(run, how=slow.how) == slow
    assert run.placed == run.refused + run.unplayed + run.in_action
    assert run.limited_rounds > 0


def test_a_crowd_without_limits_in_its_way_is_settlement() -> None:
    layout, habits = load_layout("nz-taisai-division9/1"), [Habit(("small", "total:8"), (10_00,), 1)] * 3
    run = simulate_crowd("nz-taisai-division9/1", habits, limits(1_00, 1_000_00), 400, seed=6)
    key = draws.key_of(6)
    fell = draws.LayoutDraws.of(layout).outcome[draws.draws(key, 0, 400, 216)]
    task = table_run._Task("nz-taisai-division9/1", limits(1_00, 1_000_00), tuple(habits), key, 0, 400)
    _, boxes, stakes = table_run._bets(layout, task)
    house = sum(
        layout.settle(
            [(layout.boxes[b], int(s)) for b, s in zip(boxes[n], stakes[n], strict=True)], layout.outcomes[fell[n]]
        ).house
        for n in range(400)
    )
    assert run.house == house
    staked = {name: int(stakes[boxes == place].sum()) for place, name in enumerate(layout.boxes)}
    assert run.expected == sum(amount * layout.edge(box) for box, amount in staked.items())
    assert run.limited_rounds == run.unplayed == 0
    assert run.in_action == run.placed == 400 * 3 * 10_00


def test_a_crowd_wins_the_house_its_edge() -> None:
    habits = [Habit(("small", "big", "total:9"), (10_00, 50_00), 2)] * 6
    run = simulate_crowd("rws-taisai-v5/A", habits, limits(5_00, 200_00, 100_00), 6_000, seed=1, pace=60)
    assert abs(run.z) < 4
    assert run.exposed >= run.exposed_without_limits
    assert run.an_hour == pytest.approx(run.house / run.rounds * 60)
    assert [amount for _, amount in run.quantiles] == sorted(amount for _, amount in run.quantiles)


def test_a_crowd_that_cannot_bet_is_refused() -> None:
    habit = Habit(("small",), (10_00,), 1)
    for message, habits, rules, rounds in (
        ("players out-of-range players=0", [], limits(1_00, 100_00), 10),
        ("rounds out-of-range rounds=0", [habit], limits(1_00, 100_00), 0),
        ("habit empty", [Habit((), (10_00,), 1)], limits(1_00, 100_00), 10),
        ("unit of-habit stake=50 unit=100", [Habit(("small",), (50,), 1)], limits(1_00, 100_00), 10),
        ("box none", [Habit(("red",), (10_00,), 1)], limits(1_00, 100_00), 10),
        ("limits differential-unknown", [habit], limits(1_00, 100_00, 100_00), 10),
    ):
        with pytest.raises(Refused, match=message):
            simulate_crowd("nz-taisai-division9/1", habits, rules, rounds, seed=1)


def test_half_of_the_sessions_are_among_the_shares_that_are_reported() -> None:
    assert Fraction(1, 2) in [one.share for one in simulate_sessions(SANDS, RED, bankroll=20_00, rounds=3).results]


@pytest.mark.parametrize("layout", layouts(), ids=lambda layout: layout.id)
def test_every_box_of_every_layout_lies_within_four_errors_of_its_exact_edge(layout: Layout) -> None:
    """The sample of `make lab-proof` that is always played: four million rounds."""
    assert astray(simulate(layout, (), 4_000_000, seed=2)) == []


def test_an_odds_of_8_for_8_5_would_not_pass_for_its_exact_edge() -> None:
    """The edge of the wrong odds, against the rounds of the right ones: hundreds of errors away."""
    right = load_layout("rws-sicbo-etg-v2/A")
    wrong = with_pays(right, {"total:8": "8 to 1"})
    seen = next(row for row in simulate(wrong, (), 4_000_000, seed=2).boxes if row.box == "total:8")
    error = right.deviation("total:8") / 2000
    assert abs(seen.edge.simulated - float(right.edge("total:8"))) / error > 30


def test_an_estimate_holds_its_exact_value_and_a_share_stays_a_share() -> None:
    half = share(520, 1_000, Fraction(1, 2))
    assert (half.simulated, half.exact, round(half.z or 0, 4)) == (0.52, 0.5, 1.2649)
    assert (round(half.low, 4), round(half.high, 4)) == (0.4793, 0.5607)
    assert (share(1, 1_000).low, share(999, 1_000).high) == (0.0, 1.0)
    assert share(3, 10, 0.0).z is None, "a share that cannot vary has no standard error"
    assert round(deviation(6, 14, 3), 6) == 0.816497
    assert mean(6, deviation(6, 14, 3), 3, 2.0).z == 0.0
