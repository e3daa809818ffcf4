"""From a game to the description of a picture, and the one worker that draws."""

import asyncio
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

from gipfbot.rules import Action, Position, play
from gipfbot.rules.events import Event, events
from gipfbot.rules.question import question
from gipfbot.service.boards import Board
from render import Marks, Picture, png

WAITING_PICTURES = 50
LETTERS = "ABCDEFGHIJKLMNOPQRSTU"


def told(position: Position, actions: Sequence[Action]) -> Iterator[Event]:
    """Yield what these actions did, played from `position`."""
    for action in actions:
        after = play(position, action)
        yield from events(position, action, after)
        position = after


def board_picture(board: Board, caption: str) -> Picture:
    """Return the description of a public board: the last turn, and the rows that have to be removed first."""
    called_off = board.aborted_by is not None
    if board.before is None:
        return Picture(board.position, board.names, caption, called_off=called_off)
    asked = question(board.position)
    rows = [row.stretch for row in asked.rows if row.due] if asked and not called_off else []
    marks = replace(Marks.of_turn(told(board.before, board.actions)), rows=tuple(zip(LETTERS, rows, strict=False)))
    return Picture(board.position, board.names, caption, marks, called_off)


class Painter:
    """Draws in one thread, so that the loop goes on; many threads would starve it."""

    def __init__(self) -> None:
        self._worker = ThreadPoolExecutor(1, "painter")
        self._room = asyncio.Semaphore(WAITING_PICTURES)

    async def png(self, picture: Picture) -> bytes:
        """Return the picture as PNG. Raises whatever drawing raises."""
        async with self._room:
            return await asyncio.get_running_loop().run_in_executor(self._worker, png, picture)

    def close(self) -> None:
        """Stop drawing; a picture begun is finished."""
        self._worker.shutdown()
