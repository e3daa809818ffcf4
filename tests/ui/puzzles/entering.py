"""People who enter turns of puzzles."""

from typing import Any

import simcord

from gipfbot.match import position_after
from gipfbot.match.puzzle import Puzzle
from gipfbot.match.study import Actions
from gipfbot.ui.puzzles import solving
from tests.ui.table import Desk, play_until
from tests.ui.world import World

ENDED = (solving.NEXT_PUZZLE_LABEL, solving.AGAIN_LABEL)

PUZZLE = "gipf-learn puzzle"


async def enter(desk: Desk, puzzle: Puzzle, before: tuple[Actions, ...], turn: Actions) -> None:
    """Enter a whole turn by the buttons of the desk."""
    position = puzzle.position
    for actions in before:
        position = position_after(position, actions)
    was = desk.text

    def answered() -> bool:
        return bool({*ENDED} & {*desk.labels}) or ("is right" in desk.text and desk.text != was)

    await play_until(desk, position, turn, answered)


async def opened(world: World, person: simcord.MemberActor | None = None, **options: Any) -> Desk:
    person = person or world.cara
    return Desk(person, await person.slash(world.channel, PUZZLE, **options))


async def solve(desk: Desk, puzzle: Puzzle) -> None:
    for number in range(0, len(puzzle.line), 2):
        await enter(desk, puzzle, puzzle.line[:number], puzzle.line[number])
