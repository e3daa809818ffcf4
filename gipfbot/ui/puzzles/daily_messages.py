"""The public messages on the puzzle of the day: the puzzle, and a day later its solution. They ping nobody."""

from gipfbot.service.app import App
from gipfbot.service.puzzles.daily_puzzles import PUZZLE_SOLUTION
from gipfbot.service.settings.servers import DAILY_PUZZLE
from gipfbot.ui.kit.client import AppClient
from gipfbot.ui.kit.components import Button
from gipfbot.ui.kit.outbox_messages import OutboxMessage, outbox_message
from gipfbot.values import OutboxRow
from render import CLASSIC, THEMES, Theme

from . import puzzle_texts
from .puzzle_view import puzzle_picture


async def _is_wanted(client: AppClient, row: OutboxRow) -> bool:
    """Return whether the server still wants its puzzles in this channel, and whether the day is not over."""
    return await client.app.daily_puzzles.is_wanted(row)


@outbox_message(DAILY_PUZZLE, guard=_is_wanted)
async def build_daily_puzzle(app: App, row: OutboxRow) -> OutboxMessage | None:
    """Build the message of a puzzle of the day."""
    stored = await app.daily_puzzles.puzzle(row)
    if stored is None:
        return None
    button = Button(puzzle_texts.SOLVE_LABEL, f"open_puzzle:{stored.id}", "primary")
    picture, theme = puzzle_picture(stored), await _theme(app, row)
    return OutboxMessage(puzzle_texts.daily_text(stored), picture=picture, rows=((button,),), theme=theme)


@outbox_message(PUZZLE_SOLUTION, guard=_is_wanted)
async def build_solution(app: App, row: OutboxRow) -> OutboxMessage | None:
    """Build the message of a solution: the line, the board after its first turn, and who has found it."""
    stored = await app.daily_puzzles.puzzle(row)
    if stored is None:
        return None
    button = Button(puzzle_texts.STEPS_LABEL, f"posted_solution:{stored.id}")
    text = puzzle_texts.posted_solution_text(stored, await app.daily_puzzles.solvers(row))
    picture = puzzle_picture(stored, stored.puzzle.line[:1])
    return OutboxMessage(text, picture=picture, rows=((button,),), theme=await _theme(app, row))


async def _theme(app: App, row: OutboxRow) -> Theme:
    return THEMES.get((await app.servers.settings(row.payload["server"])).theme, CLASSIC)
