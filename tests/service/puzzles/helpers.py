"""Puzzles for tests of the services."""

from gipfbot.match import UNTIMED, decide_plainly
from gipfbot.match.fair_play import GUARDED_FROM
from gipfbot.match.puzzle import Puzzle
from gipfbot.rules import Position
from gipfbot.service.app import App
from gipfbot.service.puzzles.making import store_puzzle
from tests.service.helpers import begun, put
from tests.support.puzzles import THREE, TWO, proven


async def store_both(app: App) -> tuple[Puzzle, Puzzle]:
    """Store a win in two as puzzle 1, and a win in three as puzzle 2."""
    two, three = proven(TWO, 2), proven(THREE, 3)
    for puzzle in (two, three):
        assert await store_puzzle(app.games.store, puzzle, app.now())
    return two, three


async def attempt(app: App, user: int, puzzle: int, *, solved: bool, server: int | None = None) -> None:
    """End a person's first try at a puzzle."""
    opened = await app.puzzles.open(puzzle, user, server)
    if not solved:
        await app.puzzles.give_up(puzzle, user, server)
        return
    for turn in opened.stored.puzzle.line[::2]:
        opened = await app.puzzles.play(opened, turn)
    assert opened.entered.solved


async def stand(app: App, position: Position) -> int:
    """Return a running game of Ann that stands in a position after some turns."""
    game = (await app.games.game(await begun(app, UNTIMED, position.rules))).game
    for _ in range(GUARDED_FROM):
        by = game.seats[game.position.mover].user
        game = (await app.games.play_actions(game.id, by, decide_plainly(game.position))).game
    await put(app, await app.games.game(game.id), position=position)
    return game.id
