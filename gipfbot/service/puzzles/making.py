"""Make puzzles: look through the last positions of games for those in which exactly one turn forces a win.

An engine searches for them. Each find is proven once more by the rules alone.
"""

import asyncio
import threading
from collections.abc import AsyncGenerator, Collection, Sequence
from typing import NamedTuple

from gipfbot.engines.protocol import PlayRequest, ProveRequest, engine_actions
from gipfbot.engines.worker import Urgency
from gipfbot.match import position_after
from gipfbot.match.explorer import play_whole_turn
from gipfbot.match.puzzle import Puzzle, prove_puzzle, suits_puzzles
from gipfbot.notation import parse_action_code, position_text
from gipfbot.notation.symmetric_turns import find_representative
from gipfbot.rules import BASIC, STANDARD, TOURNAMENT, Position, Ruleset, start
from gipfbot.service.house.house_player import Engine
from gipfbot.store.unreadable import READ_ERRORS
from gipfbot.values import EndedLine

SCANNED_TURNS = 16  # of both players at the end of a game: earlier ones seldom force anything
PROOF_NODES = 10_000  # a proof that needs more is given up
OWN_RULES = (BASIC, STANDARD, TOURNAMENT)  # of the bot's own games
STRONG_NODES, WEAK_NODES = 300, 100  # of both sides of the bot's own games
LONGEST_OWN_GAME = 200  # turns of both players
_DECIDED = ("1-0", "0-1")


def puzzle_key(puzzle: Puzzle) -> int:
    """Return the key of a puzzle: the same for images of its position by a symmetry of the board."""
    return find_representative(puzzle.position).key


async def cut_puzzles(
    engine: Engine, positions: Sequence[Position], levels: Collection[int]
) -> AsyncGenerator[Puzzle, None]:
    """Yield the puzzles of these levels at the end of a game, the last ones first.

    `positions` are those at the start of the turns of the game. A longer win is looked for only where the player still
    had a forced win at their next turn: that is quickly known, and most others are looked for in vain. Raises
    EngineFailed.
    """
    winning = set[int]()
    for place in range(len(positions) - 1, max(0, len(positions) - SCANNED_TURNS) - 1, -1):
        had_later = place + 2 in winning or place + 2 >= len(positions)
        proof = await _prove(engine, positions[place], max(levels) if had_later else 2)
        if proof.number:
            winning.add(place)
        is_puzzle = proof.number == 1 and proof.own_turns in levels
        if is_puzzle and (puzzle := await _prove_by_rules(positions[place], proof.own_turns)):
            yield puzzle


async def _prove_by_rules(position: Position, own_turns: int) -> Puzzle | None:
    """Return the puzzle of a position, proven in a thread. It ends soon after this task is cancelled."""
    cancelled = threading.Event()
    try:
        return await asyncio.to_thread(prove_puzzle, position, own_turns, cancelled.is_set)
    finally:
        cancelled.set()


class _Found(NamedTuple):
    """How many first turns force a win within so many own turns, and none within fewer, down to two."""

    own_turns: int
    number: int


async def _prove(engine: Engine, position: Position, most: int) -> _Found:
    """Return the shortest forced win of a position within `most` own turns. Its number is 0 if there is none."""
    for own_turns in range(2, most + 1):
        asked = ProveRequest(position_text(position), own_turns, nodes=PROOF_NODES)
        proof = await engine.ask(asked, Urgency.PUZZLE)
        if proof.forced:
            return _Found(own_turns, len(proof.turns))
    return _Found(most, 0)


def positions_of_game(ended: EndedLine) -> list[Position]:
    """Return the positions at the start of the turns of a game. Empty if no puzzles are made of it.

    That is so if nobody has won it, or if its rules have no puzzles. Also empty if the game cannot be read.
    """
    if ended.score not in _DECIDED:
        return []
    try:
        ruleset = Ruleset.from_data(dict(ended.ruleset))
        if not suits_puzzles(ruleset):
            return []
        position, found = start(ruleset), list[Position]()
        for codes in ended.turns:
            found.append(position)
            position = play_whole_turn(position, tuple(map(parse_action_code, codes.split())))
    except READ_ERRORS:
        return []
    return found if position.result else [*found, position]


async def play_own_game(engine: Engine, ruleset: Ruleset, seed: int) -> list[Position]:
    """Return the positions at the start of the turns of a game of an engine against itself. Raises EngineFailed.

    One side searches less, so that it loses by force. `seed` varies the game.
    """
    position, found = start(ruleset), list[Position]()
    while position.result is None and len(found) < LONGEST_OWN_GAME:
        nodes = WEAK_NODES if (len(found) + seed) % 2 else STRONG_NODES
        asked = PlayRequest(position_text(position), nodes=nodes, seed=seed * LONGEST_OWN_GAME + len(found))
        answer = await engine.ask(asked, Urgency.PUZZLE)
        found.append(position)
        position = await asyncio.to_thread(_after_turn, position, answer.best.turn)
    return found


def _after_turn(position: Position, turn: str) -> Position:
    return position_after(position, engine_actions(position, turn))
