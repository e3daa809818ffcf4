"""What the option `game` offers while somebody types."""

from collections.abc import Sequence

from discord.app_commands import Choice

from gipfbot.service.kit.game_names import game_name
from gipfbot.service.records.studies import ListedGame
from gipfbot.store import GameBrief
from gipfbot.ui.kit.client import Interaction

from . import text_parts

MOST_CHOICES = 25  # Discord's limits
LONGEST_CHOICE = 100
MOST_ENDED_GAMES = 100  # games of which those that fit what is typed are offered


async def complete_running_game(interaction: Interaction, current: str) -> list[Choice[str]]:
    """Offer the person's running games, those that wait for him first."""
    return _matching_choices(current, await _running_game_choices(interaction))


async def complete_opponents_turn(interaction: Interaction, current: str) -> list[Choice[str]]:
    """Offer the games in which the person waits for his opponent."""
    user = interaction.user.id
    running = await interaction.client.app.games.running_games(user)
    return _matching_choices(
        current, _game_choices([brief for brief in running if brief.users[brief.asked] != user], user)
    )


async def complete_claimable_game(interaction: Interaction, current: str) -> list[Choice[str]]:
    """Offer the games without a time limit in which the person waits for his opponent."""
    user = interaction.user.id
    return _matching_choices(
        current, _game_choices(claimable_games(await interaction.client.app.games.running_games(user), user), user)
    )


def claimable_games(running: Sequence[GameBrief], user: int) -> list[GameBrief]:
    """Return those of a person's games that he may claim if they wait for long enough."""
    return [brief for brief in running if brief.users[brief.asked] != user and not brief.timed]


async def complete_any_game(interaction: Interaction, current: str) -> list[Choice[str]]:
    """Offer the person's running games, and those that have ended, the last one first."""
    ended = await interaction.client.app.studies.ended_games(interaction.user.id, MOST_ENDED_GAMES)
    return _matching_choices(
        current, [*await _running_game_choices(interaction), *_game_choices(ended, interaction.user.id)]
    )


async def complete_ended_game(interaction: Interaction, current: str) -> list[Choice[str]]:
    """Offer the person's games that have ended, the last one first."""
    user = interaction.user.id
    return _matching_choices(
        current, _game_choices(await interaction.client.app.studies.ended_games(user, MOST_ENDED_GAMES), user)
    )


async def _running_game_choices(interaction: Interaction) -> list[Choice[str]]:
    user = interaction.user.id
    running = await interaction.client.app.games.running_games(user)
    running.sort(key=lambda brief: brief.users[brief.asked] != user)
    return _game_choices(running, user)


def _game_choices(games: Sequence[ListedGame], user: int) -> list[Choice[str]]:
    return [Choice(name=text_parts.game_label(game, user)[:LONGEST_CHOICE], value=game_name(game.id)) for game in games]


def _matching_choices(current: str, choices: Sequence[Choice[str]]) -> list[Choice[str]]:
    return [choice for choice in choices if current.lower() in choice.name.lower()][:MOST_CHOICES]
