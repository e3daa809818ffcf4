"""Puzzles are cut from finished games, without names, and from games of the bot against itself."""

import asyncio
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeVar

import pytest

from gipfbot.engines.protocol import EngineRequest, ProveRequest
from gipfbot.engines.worker import THE_BOT, Wish
from gipfbot.match.puzzle import PUZZLE_LEVELS, Puzzle, prove_puzzle
from gipfbot.notation import action_code, parse_position
from gipfbot.rules import BASIC, OVERBOARD, STANDARD, TOURNAMENT, Position, Ruleset, start, turns, with_potentials
from gipfbot.rules.images import start_images
from gipfbot.service.app import App
from gipfbot.service.puzzles import making
from gipfbot.service.puzzles.making import (
    cut_puzzles,
    parse_puzzle_line,
    play_own_game,
    positions_of_game,
    puzzle_key,
    puzzle_line,
    store_puzzle,
)
from gipfbot.store import Store
from gipfbot.values import EndedLine
from tests.support.engines import EngineInThread
from tests.support.puzzles import THREE, TWO, proven
from tests.support.times import HANGS, NOW

A = TypeVar("A")


@dataclass
class PuzzleEngine(EngineInThread):
    """The bot's own engine, asked for puzzles."""

    async def ask(self, request: EngineRequest[A], wish: Wish) -> A:
        assert wish.person == THE_BOT
        return await super().ask(request, wish)


@dataclass
class LyingEngine:
    """An engine that calls any position a win in two by one turn."""

    asked: list[Any] = field(default_factory=list)

    async def ask(self, request: EngineRequest[A], wish: Wish) -> A:
        self.asked.append(request)
        return request.read_answer({"forced": True, "turns": ["c2"]})


@dataclass
class HurriedEngine(LyingEngine):
    """An engine that gives up the proof of a win in three."""

    async def ask(self, request: EngineRequest[A], wish: Wish) -> A:
        asked: Any = request
        self.asked.append(asked)
        return request.read_answer({"cut": True} if asked.own_turns == 3 else {"forced": False, "turns": []})


# Nothing is forced here; in the tests, the opponent stands here between two turns of the player.
OPENING = parse_position("basic b W=b5,e2,h5 B=b2,e8,h2 reserve=12-12 captured=0-0")


async def test_puzzles_of_both_levels_are_cut_from_one_game() -> None:
    positions = [parse_position(THREE), OPENING, parse_position(TWO)]
    found = [each async for each in cut_puzzles(PuzzleEngine(), positions, (2, 3))]
    assert found == [proven(TWO, 2), proven(THREE, 3)]


async def test_only_the_wanted_level_is_cut() -> None:
    positions = [parse_position(THREE), OPENING, parse_position(TWO)]
    assert [each.own_turns async for each in cut_puzzles(PuzzleEngine(), positions, (3,))] == [3]


async def test_longer_win_that_was_missed_is_not_looked_for() -> None:
    """It costs much, and brings little."""
    engine = PuzzleEngine()
    assert [each async for each in cut_puzzles(engine, [parse_position(THREE), OPENING, OPENING], (3,))] == []
    assert [asked.own_turns for asked in engine.asked if asked.position.startswith("standard")] == [2]


async def test_win_in_four_is_searched_if_there_is_none_in_three() -> None:
    engine = PuzzleEngine(nodes=10)
    _ = [each async for each in cut_puzzles(engine, [OPENING], PUZZLE_LEVELS)]
    assert [asked.own_turns for asked in engine.asked] == [2, 3, 4]


async def test_longer_win_is_not_looked_for_after_a_proof_that_was_cut() -> None:
    """It might be the shorter one, and the rules would take long to say so."""
    engine = HurriedEngine()
    assert [each async for each in cut_puzzles(engine, [OPENING], PUZZLE_LEVELS)] == []
    assert [asked.own_turns for asked in engine.asked] == [2, 3]


async def test_each_proof_has_a_limit() -> None:
    engine = PuzzleEngine()
    _ = [each async for each in cut_puzzles(engine, [parse_position(THREE)], (2, 3))]
    assert [type(asked) for asked in engine.asked] == [ProveRequest] * 2
    assert all(asked.nodes for asked in engine.asked)


async def test_no_engine_is_believed() -> None:
    engine = LyingEngine()
    assert [each async for each in cut_puzzles(engine, [OPENING], (2,))] == []
    assert engine.asked


async def test_game_has_as_many_puzzles_of_a_level_as_there_are() -> None:
    positions = [parse_position(TWO), OPENING, parse_position(TWO)]
    assert [each.own_turns async for each in cut_puzzles(PuzzleEngine(), positions, (2, 3))] == [2, 2]


async def test_proof_by_the_rules_ends_with_its_task(monkeypatch: pytest.MonkeyPatch) -> None:
    """Else a bot that stops would wait for it. This one would take days."""
    begun, stopped, released = threading.Event(), threading.Event(), threading.Event()

    def prove_long(position: Position, own_turns: int, stop: Callable[[], bool]) -> Puzzle | None:
        def is_over() -> bool:
            begun.set()
            if stop():
                stopped.set()
            return stopped.is_set() or released.is_set()

        return prove_puzzle(position, 5, is_over)

    monkeypatch.setattr(making, "prove_puzzle", prove_long)
    task = asyncio.create_task(anext(cut_puzzles(LyingEngine(), [start(STANDARD)], (2,))))
    assert await asyncio.to_thread(begun.wait, HANGS)
    task.cancel()
    await asyncio.wait([task])
    ended = await asyncio.to_thread(stopped.wait, HANGS)
    released.set()
    assert ended


async def test_own_games_differ_by_their_seed() -> None:
    one, same, other = [await play_own_game(PuzzleEngine(nodes=20), BASIC, seed) for seed in (1, 1, 2)]
    assert one == same != other
    assert one[-1].result is None


@pytest.mark.parametrize("ruleset", [BASIC, STANDARD, TOURNAMENT])
def test_positions_of_a_game_are_those_of_its_turns(ruleset: Ruleset) -> None:
    """The last position counts, too, if the game was resigned in it."""
    position, codes, expected = start(ruleset), list[str](), [start(ruleset)]
    for _ in range(4):
        turn, position = next(turns(position))
        codes.append(" ".join(map(action_code, turn.actions)))
        expected.append(position)
    assert positions_of_game(EndedLine(1, ruleset.data(), "1-0", tuple(codes))) == expected


@pytest.mark.parametrize("score", ["1/2-1/2", None])
def test_game_that_nobody_has_won_has_no_puzzles(score: str | None) -> None:
    assert positions_of_game(EndedLine(1, BASIC.data(), score, ())) == []


@pytest.mark.parametrize("ruleset", [OVERBOARD, with_potentials(STANDARD, (("Z", 3),))])
def test_other_rules_have_no_puzzles(ruleset: Ruleset) -> None:
    assert positions_of_game(EndedLine(1, ruleset.data(), "1-0", ())) == []


def test_game_that_cannot_be_read_has_no_puzzles() -> None:
    assert positions_of_game(EndedLine(1, BASIC.data(), "1-0", ("nonsense",))) == []


async def test_position_is_stored_once_whatever_its_image(app: App, store: Store) -> None:
    two = proven(TWO, 2)
    turned = next(
        image.of_position(two.position)
        for image in start_images(STANDARD.setup)
        if image.of_position(two.position) != two.position
    )
    other = prove_puzzle(turned, 2)
    assert other
    assert puzzle_key(other) == puzzle_key(two)
    assert [await store_puzzle(store, each, NOW) for each in (two, other)] == [True, False]


async def test_stored_puzzle_reads_back(app: App, store: Store) -> None:
    three = proven(THREE, 3)
    await store_puzzle(store, three, NOW)
    assert (await app.puzzles.open(1, 5, None)).stored.puzzle == three


def test_line_of_a_file_reads_back() -> None:
    for puzzle in (proven(TWO, 2), proven(THREE, 3)):
        assert parse_puzzle_line(puzzle_line(puzzle)) == puzzle
