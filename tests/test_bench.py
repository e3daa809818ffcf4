"""`bot.py bench`: every figure is there and well formed. The speed is not tested, because machines differ."""

import asyncio
import json
import threading
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import pytest

from gipfbot import rules, search
from gipfbot.match import position_after
from gipfbot.rules import BASIC, STANDARD, Action, Kind, Position, Remove, legal, open_rows, perft, play, start
from tests.bench import run_bench, yardstick
from tests.bench.engine import count_leaves, count_leaves_by_turn, play_random_games
from tests.bench.figures import QUICK, Figure, quantile
from tests.bench.loop_delay import LoopProbe
from tests.bench.samples import crowded_position, crowded_with_stacks, lasting_game, random_partial_turn
from tests.bench.search import INTERPRETED, TO_INTERPRETED
from tests.bench.yardstick import Pace, measure_steps, run_yardstick, take_yards

LIMITS = {
    "engine.standard.games_per_yard": ("at_least", 17),
    "engine.basic.perft_per_yard": ("at_least", 1700),
    "engine.potentials.to_standard": ("at_least", 0.4),
    "search.standard.interpreted_per_yard": ("at_least", INTERPRETED),
    **({"search.standard.to_interpreted": ("at_least", TO_INTERPRETED)} if search.__compiled__ else {}),
    **({"engine.standard.to_interpreted": ("at_least", 2.2)} if rules.__compiled__ else {}),
    "picture.to_saving": ("at_most", 1.6),
    "picture.to_saving_rgb": ("at_most", 0.5),
    "picture.size_p95": ("at_most", 32),
    "picture.result_size_p95": ("at_most", 32),
    "steady.memory_growth": ("at_most", 4),
    "steady.loop_to_yardstick": ("at_most", 2),
    "replay.yards": ("at_most", 340),
    "replay.size": ("at_most", 8),
    "replay.loop_to_yardstick": ("at_most", 2),
    "calls.completions_yards": ("at_most", 2.2),
    "calls.question_yards": ("at_most", 0.065),
    "calls.screen_yards": ("at_most", 0.4),
    "calls.completions_to_plays": ("at_most", 1),
    "calls.potentials_to_plays": ("at_most", 2),
    "calls.worst_p99_yards": ("at_most", 4.8),
    "calls.stacks_p99_yards": ("at_most", 29),
    "turn.to_its_parts": ("at_most", 3),
    "turn.loop_to_yardstick": ("at_most", 2),
    "ratings.page_1": ("at_most", 3),
    "ratings.page_50": ("at_most", 3),
    "ratings.page_last": ("at_most", 3),
    "ratings.me": ("at_most", 3),
    "ratings.answer_me": ("at_most", 1.2),
    "ratings.answer_page_1": ("at_most", 1.2),
    "ratings.answer_page_50": ("at_most", 1.2),
    "ratings.answer_page_last": ("at_most", 1.2),
    "ratings.result": ("at_most", 1.3),
    "growth.live_of_many": ("at_most", 1.2),
    "growth.profile_of_many": ("at_most", 1.2),
    "growth.explorer_of_many": ("at_most", 1.2),
    "tournaments.show_of_many": ("at_most", 1.2),
    "tournaments.result": ("at_most", 1.3),
    "kept.after_retention": ("at_most", 10),
    "flat.games_difference": ("at_most", 20),
    "flat.turn_difference": ("at_most", 20),
    "overdue.each_yards": ("at_most", 3.5),
    "overdue.memory_per_1000": ("at_most", 2),
    "load.start": ("at_most", 2.5),
    "load.acknowledged_of_idle": ("at_most", 10),
    "load.behind": ("at_most", 2),
    "load.lost": ("at_most", 0),
    "load.refused": ("at_most", 0),
    "load.memory": ("at_most", 200),
    "load.memory_of_start": ("at_most", 1.3),
}
WITHOUT_LIMIT = """
    engine.standard.games engine.standard.actions engine.standard.length
    engine.basic.games engine.basic.games_per_yard engine.basic.actions engine.basic.length engine.basic.perft
    engine.tournament.games engine.tournament.games_per_yard engine.tournament.actions engine.tournament.length
    search.compiled search.standard.nodes search.standard.nodes_per_yard search.basic.nodes search.basic.nodes_per_yard
    search.tournament.nodes search.tournament.nodes_per_yard search.overboard.nodes search.overboard.nodes_per_yard
    search.standard+Z6P6.nodes search.standard+Z6P6.nodes_per_yard
    engine.potentials.actions engine.yard picture.whole picture.saving steady.memory steady.loop_p99.9
    steady.loop_yardstick_p99.9
    replay.seconds replay.loop_p99.9 replay.loop_yardstick_p99.9
    calls.completions calls.question calls.screen calls.worst_p99 calls.stacks_p99 calls.yard
    turn.median turn.p99 turn.bare_median turn.bare_p99 turn.picture turn.transaction
    turn.loop_idle_p99.9 turn.loop_p99.9 turn.loop_yardstick_p99.9
    ratings.page_of_few ratings.answer_of_few ratings.result_without
    growth.written growth.live_of_few growth.profile_of_few growth.explorer_of_few kept.with_messages
    flat.games_10 flat.games_40 flat.turn_5 flat.turn_8 overdue.last_served overdue.each overdue.yard
    load.acknowledged_p99 load.turn load.saturated load.most_rate
    """.split()


@pytest.fixture(scope="module")
def report() -> dict[str, Any]:
    """Return what `bench --quick --json` prints."""
    with pytest.MonkeyPatch.context() as patch:
        written: list[str] = []
        patch.setattr("sys.stdout.write", written.append)
        assert run_bench(["--quick", "--json"]) == 0
    report: dict[str, Any] = json.loads("".join(written))
    return report


@pytest.mark.slow
def test_all_figures_are_there_each_once(report: dict[str, Any]) -> None:
    names = [figure["name"] for figure in report["figures"]]
    assert sorted(names) == sorted([*LIMITS, *WITHOUT_LIMIT])


@pytest.mark.slow
def test_every_figure_has_value_unit_limit_and_verdict(report: dict[str, Any]) -> None:
    for figure in report["figures"]:
        assert set(figure) == {"name", "value", "unit", "at_least", "at_most", "met"}
        assert isinstance(figure["value"], float)
        assert figure["unit"]
        limited = figure["at_least"] is not None or figure["at_most"] is not None
        assert (figure["met"] is None) == (not limited)
        may_be_none = ("difference", "loop", "memory", "growth", "lost", "refused", "compiled")
        assert figure["value"] > 0 or any(word in figure["name"] for word in may_be_none)


@pytest.mark.slow
def test_the_limits_are_those_that_are_promised(report: dict[str, Any]) -> None:
    for figure in report["figures"]:
        given = {key: figure[key] for key in ("at_least", "at_most") if figure[key] is not None}
        assert given == dict([LIMITS[figure["name"]]] if figure["name"] in LIMITS else [])


@pytest.mark.slow
def test_only_the_load_has_limits_that_depend_on_the_machine(report: dict[str, Any]) -> None:
    """It runs the real process, for a promise to people: how long they wait."""
    limited = [figure for figure in report["figures"] if figure["met"] is not None]
    units = {figure["unit"] for figure in limited if not figure["name"].startswith("load.")}
    assert units == {"games/yard", "turns/yard", "nodes/yard", "yards", "times", "%", "KiB", "MiB"}


def test_search_is_measured_in_nodes(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_bench(["--quick", "--only", "search"]) == 0
    *lines, last = capsys.readouterr().out.splitlines()
    assert last.startswith(f"{12 + search.__compiled__} figures in ")
    assert lines[1].endswith("nodes/s")
    assert "nodes/yard at least " in lines[11]


def test_one_group_is_printed_line_by_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_bench(["--quick", "--only", "engine"]) == 0
    *lines, last = capsys.readouterr().out.splitlines()
    assert len(lines) == 17 + rules.__compiled__
    assert all(line.startswith("engine.") for line in lines)
    assert lines[0].endswith("games/s")
    assert "games/yard at least 17 " in lines[1]
    assert last.startswith(f"{17 + rules.__compiled__} figures in ")


@pytest.mark.parametrize("arguments", [["--only", "weather"], ["--slow"], ["quick"]])
def test_other_arguments_are_refused(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as leave:
        run_bench(arguments)
    assert leave.value.code == 2
    assert capsys.readouterr().err.startswith("gipfbot bench: ")


@pytest.mark.parametrize(
    ("figure", "met"),
    [
        (Figure("x", 5, "ms"), None),
        (Figure("x", 5, "ms", at_most=5), True),
        (Figure("x", 5.1, "ms", at_most=5), False),
        (Figure("x", 5, "ms", at_least=5), True),
        (Figure("x", 4.9, "ms", at_least=5), False),
    ],
)
def test_a_figure_knows_whether_its_limit_is_met(figure: Figure, met: bool | None) -> None:
    assert figure.met is met
    assert figure.line().endswith({True: " met", False: " NOT MET", None: " ms"}[met])


def test_a_quantile_is_the_smallest_value_that_is_enough() -> None:
    values = list(range(200, 0, -1))
    assert [quantile(values, share) for share in (0.001, 0.5, 0.95, 0.99, 0.999, 1)] == [1, 100, 190, 198, 200, 200]
    assert quantile([7], 0.95) == 7


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_the_leaves_are_those_that_perft_counts(depth: int) -> None:
    """Nothing is left out or merged. As long as no rows are removed, there are as many leaves as entries."""
    assert count_leaves(start(BASIC), depth) == list(perft(start(BASIC), depth))[-1].entries


def test_the_leaves_are_counted_turn_by_turn() -> None:
    assert list(count_leaves_by_turn(2)) == [42] * 42
    assert sum(count_leaves_by_turn(3)) == count_leaves(start(BASIC), 3)


def test_the_same_random_games_are_played_in_each_round() -> None:
    played = [list(play_random_games(STANDARD, 60)) for _ in range(2)]
    assert played[0] == played[1]
    assert len(played[0]) == 3, "steps of 25 games"


def test_the_yardstick_is_what_the_limits_were_found_with() -> None:
    """A changed loop changes the meaning of every limit in yards: all limits have to be found again."""
    assert run_yardstick() == 252_285


def test_a_yard_is_taken_around_each_step(monkeypatch: pytest.MonkeyPatch) -> None:
    told = list[str]()
    monkeypatch.setattr(yardstick, "run_yardstick", lambda: told.append("yard"))

    def steps() -> Iterator[int]:
        for step in (3, 4):
            told.append("step")
            yield step

    assert measure_steps(steps()).done == 7
    assert told == ["yard", "step", "yard", "step", "yard"]


def test_a_pace_counts_by_second_and_by_yard() -> None:
    pace = Pace(done=300, seconds=6, yard=0.02)
    assert [pace.per_second, pace.yards, pace.per_yard] == pytest.approx([50, 300, 1])


async def until(reached: Callable[[], bool]) -> None:
    while not reached():  # noqa: ASYNC110 - what is measured sets no event
        await asyncio.sleep(0.01)


async def test_yards_are_taken_on_the_loop_while_others_work() -> None:
    taken = list[float]()
    async with take_yards(taken):
        await until(lambda: len(taken) == 3)
    assert min(taken) > 0


async def test_delays_beside_the_yardstick_are_noted_separately() -> None:
    probe = LoopProbe()
    async with probe.running():
        await until(lambda: bool(probe.delays))
        while not probe.yardstick_delays:
            before = len(probe.delays)
            await probe.run_beside_yardstick(0.01)
            assert len(probe.delays) <= before + 1, "what was asked before"
        await until(lambda: len(probe.delays) > before + 1)
    assert "yardstick" not in {thread.name for thread in threading.enumerate()}


def test_crowded_positions_are_legal_and_hold_rows_that_cross() -> None:
    rng = Random(1)
    positions = [crowded_position(rng) for _ in range(20)]
    assert all(any(isinstance(action, Remove) for action in legal(position)) for position in positions)
    assert sum(len(open_rows(position)) > 1 for position in positions) > 15
    assert max(len(legal(position)) for position in positions) > 50


def test_crowds_with_stacks_hold_rows_and_potentials() -> None:
    rng = Random(1)
    positions = [crowded_with_stacks(rng) for _ in range(20)]
    assert all(any(isinstance(action, Remove) for action in legal(position)) for position in positions)
    kinds = {piece.kind for position in positions for piece in position.pieces().values()}
    assert kinds >= {Kind.BASIC, Kind.GIPF, Kind("Z"), Kind("P"), Kind("p")}
    assert sum(any(piece.under for piece in position.pieces().values()) for position in positions) > 15


def test_a_turn_is_begun_and_not_completed() -> None:
    rng = Random(1)
    for _ in range(20):
        position = now = crowded_position(rng)
        for action in random_partial_turn(position, rng):
            assert action in legal(now)
            now = play(now, action)
        assert now.mover is position.mover


def test_a_game_lasts() -> None:
    """The late turn that is measured must be reached without a third repetition."""
    position, seen = start(STANDARD), list[Position]()
    turns = lasting_game(Random(4))
    for _ in range(QUICK.old + 160):
        actions: tuple[Action, ...] = next(turns)
        position = position_after(position, actions)
        seen.append(position)
    assert position.result is None
    assert max(seen.count(each) for each in seen) < 3


def test_ten_thousand_finished_games_stay_below_150_mb(capsys: pytest.CaptureFixture[str]) -> None:
    """The figure means the same on every machine; only few copies are measured here."""
    assert run_bench(["--quick", "--only", "kept", "--json"]) == 0
    figures = {figure["name"]: figure for figure in json.loads(capsys.readouterr().out)["figures"]}
    assert figures["kept.after_retention"]["met"]
    assert figures["kept.after_retention"]["at_most"] * 1024 * 10_000 < 150e6
    assert figures["kept.with_messages"]["value"] > 5 * figures["kept.after_retention"]["value"]
