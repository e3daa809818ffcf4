"""Suggestions for the option `game` of slash commands, while a person types."""

import asyncio
import logging
from collections.abc import Callable, Coroutine, Sequence
from functools import wraps
from typing import Any, TypeAlias, TypeVar

from discord.app_commands import Choice

from gipfbot.service.kit.loaded_games import game_name
from gipfbot.values import ChoosableGame, GameBrief, ListedGame

from . import text_parts, visibility
from .client import Interaction

log = logging.getLogger(__name__)
Claimable = TypeVar("Claimable", GameBrief, ChoosableGame)
Suggest: TypeAlias = Callable[[Interaction, str], Coroutine[Any, Any, list[Choice[str]]]]
SUGGEST_SECONDS = 1.5
MOST_CHOICES = 25  # Discord's limits
LONGEST_CHOICE = 100
MOST_ENDED_GAMES = MOST_WATCHABLE_GAMES = 100  # games that are searched for the typed text


def suggests_in_time(suggest: Suggest) -> Suggest:
    """Wrap an autocomplete function: if it takes longer than SUGGEST_SECONDS, nothing is suggested.

    Discord shows nothing after 3 seconds, and each typed letter asks again.
    """

    @wraps(suggest)
    async def wrapped(interaction: Interaction, current: str) -> list[Choice[str]]:
        try:
            async with asyncio.timeout(SUGGEST_SECONDS):
                return await suggest(interaction, current)
        except TimeoutError:
            log.warning("%s took too long", suggest.__name__)
            return []

    return wrapped


@suggests_in_time
async def complete_running_game(interaction: Interaction, current: str) -> list[Choice[str]]:
    """Suggest the person's running games. Games in which it is their turn come first."""
    return matching_choices(current, await running_game_choices(interaction))


@suggests_in_time
async def complete_opponents_turn(interaction: Interaction, current: str) -> list[Choice[str]]:
    """Suggest the person's running games in which it is the opponent's turn."""
    user = interaction.user.id
    running = await interaction.client.app.games.choosable_games(user)
    waiting = [brief for brief in running if brief.users[brief.asked] != user]
    return matching_choices(current, _game_choices(waiting, user))


@suggests_in_time
async def complete_claimable_game(interaction: Interaction, current: str) -> list[Choice[str]]:
    """Suggest the person's games without a time limit in which it is the opponent's turn."""
    user = interaction.user.id
    waiting = claimable_games(await interaction.client.app.games.choosable_games(user), user)
    return matching_choices(current, _game_choices(waiting, user))


def claimable_games(running: Sequence[Claimable], user: int) -> list[Claimable]:
    """Return the games without a time limit in which it is the turn of the opponent of `user`.

    Does not check whether the opponent has been idle long enough for a claim.
    """
    return [brief for brief in running if brief.users[brief.asked] != user and not brief.timed]


@suggests_in_time
async def complete_any_game(interaction: Interaction, current: str) -> list[Choice[str]]:
    """Suggest the person's running games, then those that they can watch, then their ended games, the latest first."""
    ended = await interaction.client.app.studies.ended_games(interaction.user.id, MOST_ENDED_GAMES)
    others = [*await watchable_game_choices(interaction), *_game_choices(ended, interaction.user.id)]
    return matching_choices(current, [*await running_game_choices(interaction), *others])


async def watchable_game_choices(interaction: Interaction) -> list[Choice[str]]:
    """Return the running games of others that the person sees on this server as choices, the last moved first."""
    games = await visibility.watchable_games(interaction, MOST_WATCHABLE_GAMES)
    return _game_choices(games, interaction.user.id)


@suggests_in_time
async def complete_ended_game(interaction: Interaction, current: str) -> list[Choice[str]]:
    """Suggest the person's ended games, the most recently ended first."""
    user = interaction.user.id
    ended = await interaction.client.app.studies.ended_games(user, MOST_ENDED_GAMES)
    return matching_choices(current, _game_choices(ended, user))


async def running_game_choices(interaction: Interaction) -> list[Choice[str]]:
    """Return the person's running games as choices. Games in which it is their turn come first."""
    user = interaction.user.id
    running = await interaction.client.app.games.choosable_games(user)
    running.sort(key=lambda brief: brief.users[brief.asked] != user)
    return _game_choices(running, user)


def _game_choices(games: Sequence[ListedGame], user: int) -> list[Choice[str]]:
    return [Choice(name=text_parts.game_label(game, user)[:LONGEST_CHOICE], value=game_name(game.id)) for game in games]


def matching_choices(current: str, choices: Sequence[Choice[str]]) -> list[Choice[str]]:
    """Return the choices whose names contain the typed text `current`: at most 25, Discord's limit."""
    return [choice for choice in choices if current.lower() in choice.name.lower()][:MOST_CHOICES]
