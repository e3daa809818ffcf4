"""The private message of a puzzle: the desk, what a turn came to, and the solution step by step."""

from dataclasses import replace

from gipfbot.match.puzzle import Outcome, puzzle_study
from gipfbot.match.study import Actions, study_game
from gipfbot.service.puzzles.puzzles import OpenPuzzle
from gipfbot.ui.desk.screens import NO_FOCUS, Focus, desk_screen, marked_picture
from gipfbot.ui.kit.client import Interaction
from gipfbot.ui.kit.components import Button, with_note_above
from gipfbot.ui.kit.respond import notation_of, show_reply
from gipfbot.ui.kit.texts import join_lines
from gipfbot.values import StoredPuzzle
from render import Picture

from . import puzzle_texts


async def show_puzzle(interaction: Interaction, opened: OpenPuzzle, focus: Focus = NO_FOCUS, note: str = "") -> None:
    """Show a puzzle as far as it is solved, with the desk. `note` is what the person is told first."""
    puzzle, entered = opened.stored.puzzle, opened.entered
    game = study_game(opened.study)
    if game.asked is None:
        await show_solved(interaction, opened)
        return
    desk = desk_screen(game, focus)
    begun = bool(entered.draft) or focus != NO_FOCUS
    if entered.played:
        task = puzzle_texts.goes_on_text(puzzle, entered.played, await notation_of(interaction))
    else:
        task = puzzle_texts.task_text(puzzle, is_first=entered.solved is None, is_unrated=opened.is_unrated)
    heading = puzzle_texts.puzzle_heading(opened.stored, is_daily=opened.is_daily)
    text = join_lines(note, heading, desk.text if begun else task)
    beside = () if begun else ((_solution_button(opened),),)
    rows = with_note_above("" if begun else desk.text, (*desk.rows, *beside))
    prefix = f"puzzle:{entered.puzzle}:{entered.version}:"
    await show_reply(interaction, text, desk.picture, rows, prefix, colour=puzzle.position.mover)


def _solution_button(opened: OpenPuzzle) -> Button:
    """Return the button that shows the solution. It says so if that ends the first try."""
    label = puzzle_texts.GIVE_UP_LABEL if opened.entered.solved is None else puzzle_texts.SOLUTION_LABEL
    return Button(label, solution_id(opened.entered.puzzle), is_custom_id=True)


def solution_id(puzzle: int, step: int = 1) -> str:
    """Return the `custom_id` of a button that shows a step of a solution in place of the private message."""
    return f"puzzle_solution:{puzzle}:{step}"


def _next_button() -> Button:
    return Button(puzzle_texts.NEXT_PUZZLE_LABEL, "next_puzzle", "primary", is_custom_id=True)


async def show_judged(interaction: Interaction, opened: OpenPuzzle) -> None:
    """Show what a complete turn came to."""
    assert opened.judged
    if opened.judged.outcome is Outcome.FAILED:
        await _show_failed(interaction, opened)
    elif opened.judged.outcome is Outcome.SOLVED:
        await show_solved(interaction, opened)
    else:
        await show_puzzle(interaction, opened)


async def show_solved(interaction: Interaction, opened: OpenPuzzle) -> None:
    """Show the board after a puzzle was solved."""
    rated = puzzle_texts.rated_text(opened.rated, is_unrated=opened.is_unrated)
    if opened.judged and not rated:
        rated = puzzle_texts.NOT_COUNTED
    text = join_lines(puzzle_texts.puzzle_heading(opened.stored, is_daily=opened.is_daily), puzzle_texts.SOLVED, rated)
    buttons = _next_button(), _solution_button(opened)
    mover = opened.stored.puzzle.position.mover
    await show_reply(interaction, text, _picture(opened.stored, opened.entered.played), (buttons,), colour=mover)


async def _show_failed(interaction: Interaction, opened: OpenPuzzle) -> None:
    """Show why a turn was wrong: the board after it and after the answer that refutes it."""
    assert opened.judged
    puzzle, entered, answer = opened.stored.puzzle, opened.entered, opened.judged.answer
    why = puzzle_texts.failed_text(puzzle, opened.wrong, answer, await notation_of(interaction))
    rated = puzzle_texts.rated_text(opened.rated, is_unrated=opened.is_unrated)
    text = join_lines(puzzle_texts.puzzle_heading(opened.stored, is_daily=opened.is_daily), why, rated)
    again = f"puzzle:{entered.puzzle}:{entered.version}:show:-"
    buttons = (
        Button(puzzle_texts.AGAIN_LABEL, again, "primary", is_custom_id=True),
        _solution_button(opened),
        replace(_next_button(), style="secondary"),
    )
    played = (*opened.wrong, answer) if answer else opened.wrong
    await show_reply(interaction, text, _picture(opened.stored, played), (buttons,), colour=puzzle.position.mover)


async def show_solution(interaction: Interaction, opened: OpenPuzzle, step: int) -> None:
    """Show a step of the solution; if it has fewer, the last one."""
    stored = opened.stored
    last = len(stored.puzzle.line)
    place = min(step, last)
    text = puzzle_texts.solution_text(stored, place, await notation_of(interaction))
    rated = puzzle_texts.rated_text(opened.rated)
    steps = (
        Button(puzzle_texts.BACK_LABEL, solution_id(stored.id, max(0, place - 1)), disabled=not place),
        Button(puzzle_texts.NEXT_STEP_LABEL, solution_id(stored.id, place + 1), "primary", disabled=place == last),
        replace(_next_button(), style="primary" if place == last else "secondary"),
    )
    picture = _picture(stored, stored.puzzle.line[:place])
    await show_reply(interaction, join_lines(text, rated), picture, (steps,), colour=stored.puzzle.position.mover)


def _picture(stored: StoredPuzzle, played: tuple[Actions, ...]) -> Picture:
    """Return the picture of a puzzle after these turns, with the last of them marked."""
    game = study_game(puzzle_study(stored.puzzle, played))
    return marked_picture(game, puzzle_texts.puzzle_caption(stored.puzzle))


def puzzle_picture(stored: StoredPuzzle, played: tuple[Actions, ...] = ()) -> Picture:
    """Return the public picture of a puzzle after these turns, seen from the player who solves it."""
    flipped = bool(stored.puzzle.position.mover)
    return replace(_picture(stored, played), flipped=flipped)
