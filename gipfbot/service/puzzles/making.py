"""Make puzzles: from files, from games, and in the background.

The bot ships a file of puzzles, so that there are some before any game has ended. An engine searches the last positions
of games for those in which exactly one turn forces a win. Each find is proven once more by the rules alone.

The work is done position by position. For the engine, all of it is the wish of one person, the bot: so it waits for
all people in turn, and each of them for one short proof at most. A game is marked after its search. After a crash, its
search begins again; stored puzzles are left out. Several processes share the games by their ids, so that no game is
searched twice.
"""

import asyncio
import logging
import threading
from collections.abc import AsyncGenerator, Callable, Collection, Sequence
from contextlib import aclosing
from functools import cache
from pathlib import Path
from typing import NamedTuple

from gipfbot.engines.engine_turns import engine_actions
from gipfbot.engines.protocol import EngineFailed, PlayRequest, ProveRequest
from gipfbot.engines.worker import PROOF_NODES, PROOF_TURNS, THE_BOT, Wish
from gipfbot.match import position_after
from gipfbot.match.explorer import play_whole_turn
from gipfbot.match.puzzle import PUZZLE_LEVELS, Puzzle, prove_puzzle, suits_puzzles
from gipfbot.notation import parse_action_code, parse_position, parse_turn, position_text, turn_text
from gipfbot.notation.symmetric_turns import find_representative
from gipfbot.rules import BASIC, STANDARD, TOURNAMENT, Position, Ruleset, start
from gipfbot.service.house.house_player import Engine
from gipfbot.service.kit.loaded_games import game_name
from gipfbot.store import Connection, Store, meta, puzzles
from gipfbot.store.database import READ_ERRORS
from gipfbot.values import EndedLine

SHIPPED = Path(__file__).with_name("shipped_puzzles.txt")  # by `gipfbot puzzles --to`; see docs/tools.md
_BETWEEN = " | "

MADE_LEVELS = tuple(level for level in PUZZLE_LEVELS if level <= PROOF_TURNS)
SCANNED_TURNS = 16  # of both players at the end of a game: earlier ones seldom force anything
OWN_RULES = (BASIC, STANDARD, TOURNAMENT)  # of the bot's own games
STRONG_NODES, WEAK_NODES = 300, 100  # of both sides of the bot's own games
LONGEST_OWN_GAME = 200  # turns of both players
_DECIDED = ("1-0", "0-1")

_SHIPPED_KEY = "shipped_puzzles"  # how many of them are stored; a later version only adds some

log = logging.getLogger(__name__)
NEWEST, FEW_UNTRIED = 100, 30  # the bot plays itself if too few of the newest puzzles are untried
MOST_FAILURES = 3  # of the engine in one game, until the game is left out


def puzzle_line(puzzle: Puzzle) -> str:
    """Return a puzzle as a line of text, without its end."""
    position, texts = puzzle.position, list[str]()
    for actions in puzzle.line:
        texts.append(turn_text(position, actions))
        position = position_after(position, actions)
    return _BETWEEN.join((str(puzzle.own_turns), position_text(puzzle.position), " ".join(texts)))


def parse_puzzle_line(text: str) -> Puzzle:
    """Return the puzzle in a line of text. Raises ValueError for another text. Does not prove the puzzle again."""
    own_turns, line, turns = text.split(_BETWEEN)
    begin = position = parse_position(line)
    solution = []
    for written in turns.split():
        solution.append(parse_turn(position, written))
        position = position_after(position, solution[-1])
    return Puzzle(begin, int(own_turns), tuple(solution))


@cache
def shipped_puzzles() -> tuple[Puzzle, ...]:
    """Return the puzzles that come with the bot."""
    return tuple(map(parse_puzzle_line, SHIPPED.read_text(encoding="utf-8").splitlines()))


def puzzle_key(puzzle: Puzzle) -> int:
    """Return the key of a puzzle. It is the same for all symmetric images of its position."""
    return find_representative(puzzle.position).key


async def cut_puzzles(
    engine: Engine, positions: Sequence[Position], levels: Collection[int]
) -> AsyncGenerator[Puzzle, None]:
    """Yield the puzzles of these levels at the end of a game, the last ones first.

    `positions` are those at the start of the turns of the game. A longer win is searched only if the player still had a
    forced win at their next turn: that is quickly known, and most other searches are in vain. Raises EngineFailed.
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
    """Return the puzzle of a position, proven in a thread. The thread ends soon after this task is cancelled."""
    cancelled = threading.Event()
    try:
        return await asyncio.to_thread(prove_puzzle, position, own_turns, cancelled.is_set)
    finally:
        cancelled.set()


class _Found(NamedTuple):
    """The shortest forced win in two or more own turns, and the number of first turns that force it."""

    own_turns: int
    number: int


async def _prove(engine: Engine, position: Position, most: int) -> _Found:
    """Return the shortest forced win of a position within `most` own turns. Its number is 0 if there is none."""
    for own_turns in range(2, most + 1):
        asked = ProveRequest(position_text(position), own_turns, nodes=PROOF_NODES)
        proof = await engine.ask(asked, Wish(THE_BOT, PROOF_NODES))
        if proof.cut:
            break  # a longer win might be this one
        if proof.forced:
            return _Found(own_turns, len(proof.turns))
    return _Found(most, 0)


def positions_of_game(ended: EndedLine) -> list[Position]:
    """Return the positions at the start of the turns of a game; empty if no puzzles are made of it.

    No puzzles are made if nobody has won the game, if its rules have no puzzles, or if it cannot be read.
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
        answer = await engine.ask(asked, Wish(THE_BOT, nodes))
        found.append(position)
        position = await asyncio.to_thread(_after_turn, position, answer.best.turn)
    return found


def _after_turn(position: Position, turn: str) -> Position:
    return position_after(position, engine_actions(position, turn))


async def store_shipped(db: Connection, now: int) -> None:
    """Store the puzzles that come with the bot, unless those of this version are stored already."""
    known = str(len(shipped_puzzles()))
    if await meta.load_value(db, _SHIPPED_KEY) != known:
        await puzzles.add_puzzles(db, {puzzle_key(each): each for each in shipped_puzzles()}, now)
        await meta.save_value(db, _SHIPPED_KEY, known)


async def store_puzzle(store: Store, puzzle: Puzzle, now: int) -> bool:
    """Store a puzzle. Return False if its position is stored already."""
    key = puzzle_key(puzzle)
    async with store.transaction() as db:
        if await puzzles.known_keys(db, [key]):
            return False
        await puzzles.add_puzzles(db, {key: puzzle}, now)
    return True


class PuzzleWork:
    """Makes puzzles until there are `most`: from finished games, and if these are too few, from games of its own."""

    def __init__(self, store: Store, now: Callable[[], int], engine: Engine | None, most: int) -> None:
        """Prepare the work. `now` returns UTC seconds. Without an engine, or if `most` is 0, no puzzles are made."""
        self.store, self.now, self.engine, self.most = store, now, engine, most
        self._failed = dict[int, int]()  # how often the engine has failed in a game

    async def cut_next(self) -> bool:
        """Look through the next game for puzzles. Return False if there is none, or if the engine has failed."""
        if self.engine is None or not self.most:
            return False
        async with self.store.reading() as db:
            newest, untried = await puzzles.newest_and_untried(db, NEWEST)
            ended = await puzzles.next_uncut_game(db, self.now(), self.store.shards) if newest < self.most else None
        is_supplied = newest >= self.most or untried >= FEW_UNTRIED
        if ended:
            return await self._cut_game(self.engine, ended)
        if not newest and await self._store_shipped():
            return True
        return not is_supplied and await self._cut_own_game(self.engine)

    async def _store_shipped(self) -> bool:
        """Store the puzzles that come with the bot. Return whether there are any now."""
        async with self.store.transaction() as db:
            await store_shipped(db, self.now())
            return await puzzles.newest_puzzle(db) > 0

    async def _cut_game(self, engine: Engine, ended: EndedLine) -> bool:
        """Look through a finished game, and mark it. If the engine fails too often, the game is left out."""
        try:
            await self._store_all(engine, await asyncio.to_thread(positions_of_game, ended))
        except EngineFailed as fault:
            self._failed[ended.game] = self._failed.get(ended.game, 0) + 1
            log.warning("the engine failed in the puzzles of game %s: %s", game_name(ended.game), fault)
            if self._failed[ended.game] < MOST_FAILURES:
                return False
            told = "The engine failed %s times, so no puzzles are made from game %s."
            log.warning(told, MOST_FAILURES, game_name(ended.game), extra={"tell_owner": "engine"})
        self._failed.pop(ended.game, None)
        async with self.store.transaction() as db:
            await puzzles.mark_cut(db, ended.game, self.now())
        return True

    async def _cut_own_game(self, engine: Engine) -> bool:
        seed = self.now()
        try:
            await self._store_all(engine, await play_own_game(engine, OWN_RULES[seed % len(OWN_RULES)], seed))
        except EngineFailed as fault:
            log.warning("the engine failed in a game for puzzles: %s", fault)
            return False
        return True

    async def _store_all(self, engine: Engine, positions: Sequence[Position]) -> None:
        async with aclosing(cut_puzzles(engine, positions, MADE_LEVELS)) as found:
            async for puzzle in found:
                await store_puzzle(self.store, puzzle, self.now())
