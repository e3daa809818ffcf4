"""What the option `game` offers while somebody types."""

from collections.abc import Sequence

from discord.app_commands import Choice

from gipfbot.service.kit.game_names import game_name
from gipfbot.values import GameBrief, ListedGame

from . import text_parts
from .client import Interaction

MOST_CHOICES = 25  # Discord's limits
LONGEST_CHOICE = 100
MOST_ENDED_GAMES = 100  # games of which those that fit what is typed are offered


async def complete_running_game(interaction: Interaction, current: str) -> list[Choice[str]]:
    """Offer the person's running games, those that wait for them first."""
    return matching_choices(current, await running_game_choices(interaction))


async def complete_opponents_turn(interaction: Interaction, current: str) -> list[Choice[str]]:
    """Offer the games in which the person waits for their opponent."""
    user = interaction.user.id
    running = await interaction.client.app.games.running_games(user)
    waiting = [brief for brief in running if brief.users[brief.asked] != user]
    return matching_choices(current, _game_choices(waiting, user))


async def complete_claimable_game(interaction: Interaction, current: str) -> list[Choice[str]]:
    """Offer the games without a time limit in which the person waits for their opponent."""
    user = interaction.user.id
    waiting = claimable_games(await interaction.client.app.games.running_games(user), user)
    return matching_choices(current, _game_choices(waiting, user))


def claimable_games(running: Sequence[GameBrief], user: int) -> list[GameBrief]:
    """Return those of a person's games that they may claim once they have waited for long enough."""
    return [brief for brief in running if brief.users[brief.asked] != user and not brief.timed]


async def complete_any_game(interaction: Interaction, current: str) -> list[Choice[str]]:
    """Offer the person's running games, and those that have ended, the last one first."""
    ended = await interaction.client.app.studies.ended_games(interaction.user.id, MOST_ENDED_GAMES)
    choices = _game_choices(ended, interaction.user.id)
    return matching_choices(current, [*await running_game_choices(interaction), *choices])


async def complete_ended_game(interaction: Interaction, current: str) -> list[Choice[str]]:
    """Offer the person's games that have ended, the last one first."""
    user = interaction.user.id
    ended = await interaction.client.app.studies.ended_games(user, MOST_ENDED_GAMES)
    return matching_choices(current, _game_choices(ended, user))


async def running_game_choices(interaction: Interaction) -> list[Choice[str]]:
    """Return the person's running games as choices, those that wait for them first."""
    user = interaction.user.id
    running = await interaction.client.app.games.running_games(user)
    running.sort(key=lambda brief: brief.users[brief.asked] != user)
    return _game_choices(running, user)


def _game_choices(games: Sequence[ListedGame], user: int) -> list[Choice[str]]:
    return [Choice(name=text_parts.game_label(game, user)[:LONGEST_CHOICE], value=game_name(game.id)) for game in games]


def matching_choices(current: str, choices: Sequence[Choice[str]]) -> list[Choice[str]]:
    """Return the choices that contain what is typed, as many as Discord takes."""
    return [choice for choice in choices if current.lower() in choice.name.lower()][:MOST_CHOICES]
