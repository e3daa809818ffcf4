"""The bot's presence: the line in its profile, which says how many games are running."""

import logging
import time
from collections.abc import Callable

import aiohttp
import discord

from gipfbot.languages import say, say_number

from .kit.client import AppClient

log = logging.getLogger(__name__)
PRESENCE_SECONDS = 60  # least seconds between two changes


class Presence:
    """The line in the bot's profile. `steady` returns the seconds of a clock that cannot be set."""

    def __init__(self, bot: AppClient, steady: Callable[[], float] = time.monotonic) -> None:
        self.bot, self.steady = bot, steady
        self._shown: str | None = None
        self._next_at = 0.0

    def forget(self) -> None:
        """Forget what the profile says, because Discord forgets it when a new session begins."""
        self._shown = None

    async def show_running_games(self) -> None:
        """Show how many games are running, if the number has changed. Looks at most once in PRESENCE_SECONDS."""
        if self.steady() < self._next_at:
            return
        self._next_at = self.steady() + PRESENCE_SECONDS
        text = running_games_text(await self.bot.app.games.count_running())
        if text == self._shown:
            return
        try:
            await self.bot.change_presence(activity=discord.CustomActivity(text))
        except (OSError, aiohttp.ClientError, discord.ConnectionClosed) as error:
            log.info("the number of games is not shown: %r", error)
        else:
            self._shown = text


def running_games_text(count: int) -> str:
    """Return the line in the bot's profile."""
    if count == 0:
        return say("No games yet · /gipf challenge")
    return say_number("{number} game running", "{number} games running", count)
