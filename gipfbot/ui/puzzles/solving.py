"""`/gipf-learn puzzle`: a puzzle on the desk. The person enters turns by buttons, and the bot answers.

The database stores the turns that are entered. The `custom_id`s store what the person has selected but not yet entered.
"""

from discord import app_commands

from gipfbot.match.puzzle import PUZZLE_LEVELS
from gipfbot.match.study import study_game
from gipfbot.service.puzzles.puzzles import OpenPuzzle
from gipfbot.ui.desk.presses import desk_actions, desk_focus
from gipfbot.ui.kit.client import Interaction
from gipfbot.ui.kit.interactions import Reply, answers_privately, handles
from gipfbot.ui.kit.respond import user_settings_of

from .puzzle_texts import LEVEL_NAMES, STALE_PUZZLE
from .puzzle_view import show_judged, show_puzzle, show_solution

LEVEL_CHOICES = [app_commands.Choice(name=LEVEL_NAMES[level], value=level) for level in PUZZLE_LEVELS]


@app_commands.command(name="puzzle", description="Find the only turn that forces a win")
@app_commands.describe(level="How many turns you have (default: today's puzzle, or one near your rating)")
@app_commands.choices(level=LEVEL_CHOICES)
@answers_privately
async def puzzle_command(interaction: Interaction, level: int | None = None) -> None:
    """Show the puzzle that the person gets next."""
    await _open_next(interaction, level)


@handles("next_puzzle", "")
async def press_next_puzzle(interaction: Interaction) -> None:
    """Show the puzzle that the person gets next, in place of the one that they have seen."""
    await _open_next(interaction, None)


async def _open_next(interaction: Interaction, level: int | None) -> None:
    await user_settings_of(interaction)  # read first, because saving ends the snapshot
    puzzles = interaction.client.app.puzzles
    await show_puzzle(interaction, await puzzles.open_next(interaction.user.id, interaction.guild_id, level))


@handles("open_puzzle", "{puzzle}", Reply.APART)
async def press_open_puzzle(interaction: Interaction, puzzle: int) -> None:
    """Show a puzzle privately, below the public message that was pressed."""
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
        await show_puzzle(interaction, opened, note=STALE_PUZZLE)
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
    """Show a step of a solution in place of the puzzle. If the first try has not ended, it has failed."""
    await _show_solution(interaction, puzzle, step)


@handles("posted_solution", "{puzzle}", Reply.APART)
async def press_posted_solution(interaction: Interaction, puzzle: int) -> None:
    """Show a solution that was posted, from its beginning, in a new private message."""
    await _show_solution(interaction, puzzle, 0)


async def _show_solution(interaction: Interaction, puzzle: int, step: int) -> None:
    await user_settings_of(interaction)
    puzzles = interaction.client.app.puzzles
    await show_solution(interaction, await puzzles.give_up(puzzle, interaction.user.id, interaction.guild_id), step)
