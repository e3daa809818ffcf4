"""People who enter turns of puzzles."""

from gipfbot.match import position_after
from gipfbot.match.puzzle import Puzzle
from gipfbot.match.study import Actions
from gipfbot.ui.puzzles import solving
from tests.ui.table import Desk, play_until

ENDED = (solving.NEXT_PUZZLE_LABEL, solving.AGAIN_LABEL)


async def enter(desk: Desk, puzzle: Puzzle, before: tuple[Actions, ...], turn: Actions) -> None:
    """Enter a whole turn by the buttons of the desk."""
    position = puzzle.position
    for actions in before:
        position = position_after(position, actions)
    was = desk.text

    def answered() -> bool:
        return bool({*ENDED} & {*desk.labels}) or ("is right" in desk.text and desk.text != was)

    await play_until(desk, position, turn, answered)
