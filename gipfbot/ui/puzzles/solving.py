"""`/gipf-learn puzzle`: a puzzle on the desk, and the public messages of the puzzle of the day.

The database stores the turns that are entered. The `custom_id`s store what the person has selected but not yet entered.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from discord import app_commands

from gipfbot.languages import mark, say, say_name, say_number
from gipfbot.match import position_after, replay_turns
from gipfbot.match.puzzle import PUZZLE_LEVELS, Outcome, Puzzle, puzzle_study
from gipfbot.match.study import Actions, study_game
from gipfbot.notation import OFFICIAL, Notation, turn_text
from gipfbot.service.app import App
from gipfbot.service.puzzles.puzzles import PUZZLE_SOLUTION, OpenPuzzle
from gipfbot.service.settings.puzzle_channel import DAILY_PUZZLE
from gipfbot.ui.desk.screens import NO_FOCUS, Focus, desk_actions, desk_focus, desk_screen, marked_picture
from gipfbot.ui.kit import (
    AppClient,
    Button,
    Interaction,
    OutboxMessage,
    Reply,
    answers_privately,
    escape_turn,
    handles,
    join_lines,
    notation_of,
    outbox_message,
    show_reply,
    slash_command,
)
from gipfbot.ui.kit.components import with_note_above
from gipfbot.ui.kit.respond import show_here_buttons, user_settings_of
from gipfbot.ui.kit.texts import ping_user
from gipfbot.values import OutboxRow, PuzzleSolvers, StoredPuzzle
from render import CLASSIC, THEMES, Picture, Theme

SOLVE_LABEL, STEPS_LABEL = mark("Solve it"), mark("Step through it")
GIVE_UP_LABEL, AGAIN_LABEL = mark("Give up"), mark("Try again")
SOLUTION_LABEL, NEXT_PUZZLE_LABEL = mark("Solution"), mark("Next puzzle")
BACK_LABEL, NEXT_STEP_LABEL = mark("Back"), mark("Next")
LEVEL_NAMES = {2: mark("Win in two"), 3: mark("Win in three"), 4: mark("Win in four")}
STALE_PUZZLE = mark("That button was out of date. Here's the puzzle as it stands.")
SOLVED = mark("**Solved!**")
FAILED_CAPTION = mark("Not the solution")
COUNTED = mark("Your first try counts for your puzzle rating.")
NOT_COUNTED_ANY_MORE = mark("This try doesn't count any more.")
NOT_COUNTED = mark("Only your first try counts, so your rating stays.")
SOLUTION_POSTED = mark("Its solution was posted on your server before, so it isn't rated.")
MOST_NAMED = 20  # solvers in one message

# By the player's turns until the win.
WINS_IN = {
    2: mark("{colour} wins in two"),
    3: mark("{colour} wins in three"),
    4: mark("{colour} wins in four"),
}
WON_IN = {
    2: mark("The last puzzle of the day: {colour} won in two"),
    3: mark("The last puzzle of the day: {colour} won in three"),
    4: mark("The last puzzle of the day: {colour} won in four"),
}
TASKS = {
    2: mark("You play {colour}. You have two turns to win."),
    3: mark("You play {colour}. You have three turns to win."),
    4: mark("You play {colour}. You have four turns to win."),
}
# By the player's turns that are left.
STILL_TO_WIN = {
    1: mark("Win with your next turn."),
    2: mark("Win within two turns."),
    3: mark("Win within three turns."),
}
TOO_LATE = {
    1: mark("**{turn}** fails: after **{answer}** you can't win with your next turn any more."),
    2: mark("**{turn}** fails: after **{answer}** you can't win within two turns any more."),
    3: mark("**{turn}** fails: after **{answer}** you can't win within three turns any more."),
}

LEVEL_CHOICES = [app_commands.Choice(name=LEVEL_NAMES[level], value=level) for level in PUZZLE_LEVELS]


def puzzle_heading(stored: StoredPuzzle, *, is_daily: bool = False) -> str:
    """Return the first line of a puzzle."""
    name = say("Puzzle of the day") if is_daily else say("Puzzle {number}", number=str(stored.id))
    return f"**{name} · {puzzle_caption(stored.puzzle)}**"


def puzzle_caption(puzzle: Puzzle) -> str:
    """Return the caption below the picture of a puzzle."""
    return _say_of_level(WINS_IN, puzzle)


def _say_of_level(sentences: Mapping[int, str], puzzle: Puzzle) -> str:
    return say(sentences[puzzle.own_turns], colour=say_name(str(puzzle.position.mover)))


def task_text(puzzle: Puzzle, *, is_first: bool, is_unrated: bool = False) -> str:
    """Return the task at the start of a puzzle. `is_unrated` says that the person's first try is not rated."""
    counts = COUNTED if is_first else NOT_COUNTED_ANY_MORE
    return f"{_say_of_level(TASKS, puzzle)} {say(SOLUTION_POSTED if is_unrated else counts)}"


def goes_on_text(puzzle: Puzzle, played: Sequence[Actions], notation: Notation) -> str:
    """Return the text after a right turn: the turn, the opponent's answer, and how many turns are left.

    `played` ends with that answer.
    """
    *_, right, answer = turn_texts(puzzle, played, notation)
    left = puzzle.own_turns - len(played) // 2
    judged = say("**{turn}** is right. The opponent answers **{answer}**.", turn=right, answer=answer)
    return join_lines(judged, say(STILL_TO_WIN[left]))


def failed_text(puzzle: Puzzle, tried: Sequence[Actions], answer: Actions, notation: Notation) -> str:
    """Return why the last turn of `tried` is wrong. `answer` refutes it; it is empty if no answer is needed."""
    *_, wrong = turn_texts(puzzle, tried, notation)
    if not answer:
        return say("**{turn}** doesn't win.", turn=wrong)
    *_, refutation = turn_texts(puzzle, (*tried, answer), notation)
    if _is_over(puzzle, (*tried, answer)):
        return say("**{turn}** fails: your opponent answers **{answer}** and wins.", turn=wrong, answer=refutation)
    return say(TOO_LATE[puzzle.own_turns - (len(tried) + 1) // 2], turn=wrong, answer=refutation)


def _is_over(puzzle: Puzzle, played: Sequence[Actions]) -> bool:
    position, _ = replay_turns(puzzle.position.rules, played, puzzle.position)
    return position.result is not None


def rated_text(rated: tuple[int, int] | None, *, is_unrated: bool = False) -> str:
    """Return how a person's puzzle rating has changed, or why their first try was not rated. Else empty."""
    if rated is None:
        return say(SOLUTION_POSTED) if is_unrated else ""
    before, after = rated
    return say("Your puzzle rating: {before} → **{after}**", before=str(before), after=str(after))


def turn_texts(puzzle: Puzzle, played: Sequence[Actions], notation: Notation = OFFICIAL) -> list[str]:
    """Return the turns `played` from a puzzle's position as texts."""
    position, texts = puzzle.position, list[str]()
    for actions in played:
        texts.append(escape_turn(turn_text(position, actions, notation)))
        position = position_after(position, actions)
    return texts


def solution_text(stored: StoredPuzzle, step: int, notation: Notation) -> str:
    """Return the solution of a puzzle, with the turn of a step in bold. Steps count from 1; 0 marks no turn."""
    texts = turn_texts(stored.puzzle, stored.puzzle.line, notation)
    shown = " · ".join(f"**{text}**" if number == step else text for number, text in enumerate(texts, 1))
    defended = say("The opponent's answers are the best defence.")
    return join_lines(puzzle_heading(stored), say("Solution: {turns}", turns=shown), defended)


def daily_text(stored: StoredPuzzle) -> str:
    """Return the public message of a puzzle of the day."""
    heading = puzzle_heading(stored, is_daily=True)
    return join_lines(heading, say("Only one first turn forces it. The solution comes tomorrow."))


def posted_solution_text(stored: StoredPuzzle, solvers: PuzzleSolvers) -> str:
    """Return the public message with a solution and its solvers."""
    line = " · ".join(turn_texts(stored.puzzle, stored.puzzle.line))
    heading, bold = f"**{_say_of_level(WON_IN, stored.puzzle)}**", f"**{line}**"
    return join_lines(heading, say("Solution: {turns}", turns=bold), _solvers_text(solvers))


def _solvers_text(solvers: PuzzleSolvers) -> str:
    if not solvers.tried:
        return say("Nobody tried it.")
    if not solvers.solvers:
        return say_number(
            "{number} tried it. Nobody solved it on the first try.",
            "{number} tried it. Nobody solved it on the first try.",
            solvers.tried,
        )
    named = ", ".join(map(ping_user, solvers.solvers[:MOST_NAMED]))
    count, others = len(solvers.solvers), len(solvers.solvers) - MOST_NAMED
    if others > 0:
        return say_number(
            "Solved on the first try by {names} and {number} more: {solved} of {tried} who tried.",
            "Solved on the first try by {names} and {number} more: {solved} of {tried} who tried.",
            others,
            names=named,
            solved=count,
            tried=solvers.tried,
        )
    return say_number(
        "Solved on the first try by {names}: {solved} of {number} who tried.",
        "Solved on the first try by {names}: {solved} of {number} who tried.",
        solvers.tried,
        names=named,
        solved=count,
    )


async def _is_wanted(client: AppClient, row: OutboxRow) -> bool:
    """Return whether the server still wants puzzles in this channel, and whether the message's day is not over."""
    return await client.app.daily_puzzles.is_wanted(row)


@outbox_message(DAILY_PUZZLE, guard=_is_wanted)
async def build_daily_puzzle(app: App, row: OutboxRow) -> OutboxMessage | None:
    """Build the message of a puzzle of the day."""
    stored = await app.daily_puzzles.puzzle(row)
    if stored is None:
        return None
    button = Button(say(SOLVE_LABEL), f"open_puzzle:{stored.id}", "primary")
    picture, theme = puzzle_picture(stored), await _theme(app, row)
    return OutboxMessage(daily_text(stored), picture=picture, rows=((button,),), theme=theme)


@outbox_message(PUZZLE_SOLUTION, guard=_is_wanted)
async def build_solution(app: App, row: OutboxRow) -> OutboxMessage | None:
    """Build the message of a solution: its turns, the board after the first of them, and the solvers."""
    stored = await app.daily_puzzles.puzzle(row)
    if stored is None:
        return None
    button = Button(say(STEPS_LABEL), f"posted_solution:{stored.id}")
    text = posted_solution_text(stored, await app.daily_puzzles.solvers(row))
    picture = puzzle_picture(stored, stored.puzzle.line[:1])
    return OutboxMessage(text, picture=picture, rows=((button,),), theme=await _theme(app, row))


async def _theme(app: App, row: OutboxRow) -> Theme:
    return THEMES.get((await app.servers.settings(row.payload["server"])).theme, CLASSIC)


async def show_puzzle(interaction: Interaction, opened: OpenPuzzle, focus: Focus = NO_FOCUS, note: str = "") -> None:
    """Show a puzzle as far as it is solved, with the desk. `note` goes above the text."""
    puzzle, entered = opened.stored.puzzle, opened.entered
    game = study_game(opened.study)
    if game.asked is None:
        await show_solved(interaction, opened)
        return
    desk = desk_screen(game, focus, tells_win=False)
    begun = bool(entered.draft) or focus != NO_FOCUS
    if entered.played:
        task = goes_on_text(puzzle, entered.played, await notation_of(interaction))
    else:
        task = task_text(puzzle, is_first=entered.solved is None, is_unrated=opened.is_unrated)
    heading = puzzle_heading(opened.stored, is_daily=opened.is_daily)
    text = join_lines(note, heading, desk.text if begun else task)
    beside = () if begun else ((_solution_button(opened),),)
    rows = with_note_above("" if begun else desk.text, (*desk.rows, *beside))
    prefix = f"puzzle:{entered.puzzle}:{entered.version}:"
    await show_reply(interaction, text, desk.picture, rows, prefix, colour=puzzle.position.mover)


def _solution_button(opened: OpenPuzzle) -> Button:
    """Return the button that shows the solution. It is **Give up** if it ends the first try."""
    label = GIVE_UP_LABEL if opened.entered.solved is None else SOLUTION_LABEL
    return Button(say(label), solution_id(opened.entered.puzzle), is_custom_id=True)


def solution_id(puzzle: int, step: int = 1) -> str:
    """Return the `custom_id` of a button that shows a step of a solution in place of the private message."""
    return f"puzzle_solution:{puzzle}:{step}"


def _next_button() -> Button:
    return Button(say(NEXT_PUZZLE_LABEL), "next_puzzle", "primary", is_custom_id=True)


async def show_judged(interaction: Interaction, opened: OpenPuzzle) -> None:
    """Show the result of a complete turn: failed, solved, or right so far."""
    assert opened.judged
    if opened.judged.outcome is Outcome.FAILED:
        await _show_failed(interaction, opened)
    elif opened.judged.outcome is Outcome.SOLVED:
        await show_solved(interaction, opened)
    else:
        await show_puzzle(interaction, opened)


async def show_solved(interaction: Interaction, opened: OpenPuzzle) -> None:
    """Show the board after a puzzle was solved."""
    rated = rated_text(opened.rated, is_unrated=opened.is_unrated)
    if opened.judged and not rated:
        rated = say(NOT_COUNTED)
    text = join_lines(puzzle_heading(opened.stored, is_daily=opened.is_daily), say(SOLVED), rated)
    buttons = _next_button(), _solution_button(opened), *show_here_buttons(interaction, f"puzzle:{opened.stored.id}")
    mover = opened.stored.puzzle.position.mover
    await show_reply(interaction, text, _picture(opened.stored, opened.entered.played), (buttons,), colour=mover)


async def _show_failed(interaction: Interaction, opened: OpenPuzzle) -> None:
    """Show why a turn was wrong: the board after it and after the answer that refutes it."""
    assert opened.judged
    puzzle, entered, answer = opened.stored.puzzle, opened.entered, opened.judged.answer
    why = failed_text(puzzle, opened.wrong, answer, await notation_of(interaction))
    rated = rated_text(opened.rated, is_unrated=opened.is_unrated)
    text = join_lines(puzzle_heading(opened.stored, is_daily=opened.is_daily), why, rated)
    again = f"puzzle:{entered.puzzle}:{entered.version}:show:-"
    buttons = (
        Button(say(AGAIN_LABEL), again, "primary", is_custom_id=True),
        _solution_button(opened),
        replace(_next_button(), style="secondary"),
    )
    played = (*opened.wrong, answer) if answer else opened.wrong
    picture = replace(_picture(opened.stored, played), caption=say(FAILED_CAPTION))
    await show_reply(interaction, text, picture, (buttons,), colour=puzzle.position.mover)


async def show_solution(interaction: Interaction, opened: OpenPuzzle, step: int) -> None:
    """Show a step of the solution, or the last step if it has fewer."""
    stored = opened.stored
    last = len(stored.puzzle.line)
    place = min(step, last)
    text = solution_text(stored, place, await notation_of(interaction))
    rated = rated_text(opened.rated)
    steps = (
        Button(say(BACK_LABEL), solution_id(stored.id, max(0, place - 1)), disabled=not place),
        Button(say(NEXT_STEP_LABEL), solution_id(stored.id, place + 1), "primary", disabled=place == last),
        replace(_next_button(), style="primary" if place == last else "secondary"),
        *show_here_buttons(interaction, f"puzzle:{stored.id}"),
    )
    picture = _picture(stored, stored.puzzle.line[:place])
    await show_reply(interaction, join_lines(text, rated), picture, (steps,), colour=stored.puzzle.position.mover)


def _picture(stored: StoredPuzzle, played: tuple[Actions, ...]) -> Picture:
    """Return the picture of a puzzle after these turns, with the last of them marked."""
    game = study_game(puzzle_study(stored.puzzle, played))
    return marked_picture(game, puzzle_caption(stored.puzzle))


def puzzle_picture(stored: StoredPuzzle, played: tuple[Actions, ...] = ()) -> Picture:
    """Return the public picture of a puzzle after these turns, seen from the player who solves it."""
    flipped = bool(stored.puzzle.position.mover)
    return replace(_picture(stored, played), flipped=flipped)


@slash_command("gipf-learn puzzle", 30, "Find the only turn that forces a win")
@app_commands.describe(level="How many turns you have (default: today's, or one near your rating)")
@app_commands.choices(level=LEVEL_CHOICES)
@answers_privately
async def puzzle_command(interaction: Interaction, level: int | None = None) -> None:
    """Show the person's next puzzle."""
    await _open_next(interaction, level)


@handles("next_puzzle", "")
async def press_next_puzzle(interaction: Interaction) -> None:
    """Show the person's next puzzle, in place of the one on the pressed message."""
    await _open_next(interaction, None)


async def _open_next(interaction: Interaction, level: int | None) -> None:
    await user_settings_of(interaction)  # read first, because saving ends the snapshot
    puzzles = interaction.client.app.puzzles
    await show_puzzle(interaction, await puzzles.open_next(interaction.user.id, interaction.guild_id, level))


@handles("open_puzzle", "{puzzle}", Reply.APART)
async def press_open_puzzle(interaction: Interaction, puzzle: int) -> None:
    """Show a puzzle in a new private message, from its beginning if the first try has ended."""
    await user_settings_of(interaction)
    opened = await interaction.client.app.puzzles.open(puzzle, interaction.user.id, interaction.guild_id)
    await show_puzzle(interaction, opened)


@handles("puzzle", "{puzzle}:{version}:{verb:[a-z]+}:{what:.*}")
async def press_puzzle(interaction: Interaction, puzzle: int, version: int, verb: str, what: str) -> None:
    """Enter the pressed part of a turn, or show what was chosen. An outdated button shows the puzzle as it stands."""
    user, puzzles = interaction.user.id, interaction.client.app.puzzles
    await user_settings_of(interaction)
    opened = await puzzles.look(puzzle, user, interaction.guild_id)
    game = study_game(opened.study)
    if opened.entered.version != version:
        await show_puzzle(interaction, opened, note=say(STALE_PUZZLE))
    elif game.question and (actions := desk_actions(game, game.question, verb, what)):
        await _show_entered(interaction, await puzzles.play(opened, actions))
    else:
        await show_puzzle(interaction, opened, desk_focus(verb, what))


async def _show_entered(interaction: Interaction, opened: OpenPuzzle) -> None:
    if opened.judged:
        await show_judged(interaction, opened)
    else:
        await show_puzzle(interaction, opened)


@handles("puzzle_solution", "{puzzle}:{step}")
async def press_solution(interaction: Interaction, puzzle: int, step: int) -> None:
    """Show a step of a solution in place of the puzzle. A first try that is not finished counts as failed."""
    await _show_solution(interaction, puzzle, step)


@handles("posted_solution", "{puzzle}", Reply.APART)
async def press_posted_solution(interaction: Interaction, puzzle: int) -> None:
    """Show a posted solution from its beginning, in a new private message."""
    await _show_solution(interaction, puzzle, 0)


async def _show_solution(interaction: Interaction, puzzle: int, step: int) -> None:
    await user_settings_of(interaction)
    puzzles = interaction.client.app.puzzles
    await show_solution(interaction, await puzzles.give_up(puzzle, interaction.user.id, interaction.guild_id), step)
