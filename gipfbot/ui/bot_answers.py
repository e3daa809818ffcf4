"""The bot's answers in private games: each is shown in the message whose player waits for it.

Once a second one statement asks in which of these games something has happened, whichever process has played there. A
message is shown anew only if it still shows that its game waits. The tokens by which messages are edited are in memory
only: after a restart, a button of the message shows how its game stands.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from datetime import timedelta
from typing import Any, NamedTuple, TypeAlias

import discord
from discord.ext import tasks

from gipfbot.values import DatabaseTrouble, StoredGame

from .kit.client import AppClient
from .kit.respond import ShowsOther, answer_later, shown_message
from .kit.spoken import speak_to

log = logging.getLogger(__name__)
LOOK_SECONDS = 1
LONGEST_WAIT = timedelta(minutes=14)  # Discord takes edits for 15 minutes after an interaction
Show: TypeAlias = Callable[[StoredGame], Awaitable[None]]


class _Waiting(NamedTuple):
    """A private message that waits for the bot: what shows it, and the state of the game that it shows.

    The state is the game's version, and whether it has an open request.
    """

    interaction: discord.Interaction[Any]
    game: int
    state: tuple[int, bool]
    show: Show


class BotAnswerLooks:
    """Looks for the answers of the bot for which people wait. It rests while nobody does."""

    def __init__(self, bot: AppClient) -> None:
        self.bot = bot
        self._waiting = dict[int, _Waiting]()  # by message
        self._showing = set[asyncio.Task[None]]()

    def wait(self, interaction: discord.Interaction[Any], stored: StoredGame, show: Show) -> None:
        """Let the message that an interaction shows be shown anew by `show`, once the bot has answered in a game.

        Wakes the house player.
        """
        self.bot.house_loop.wake()
        if (message := shown_message(interaction)) is not None:
            state = stored.game.version, stored.has_requests
            self._waiting[message] = _Waiting(interaction, stored.game.id, state, show)
            if not self.look.is_running():
                self.look.start()

    def waits(self, message: int, interaction: discord.Interaction[Any]) -> bool:
        """Return whether a private message still shows what this interaction has shown, and waits for the bot."""
        known = self._waiting.get(message)
        return known is not None and known.interaction is interaction

    def forget(self, message: int) -> None:
        """Forget a private message that shows something else now."""
        self._waiting.pop(message, None)

    async def close(self) -> None:
        """Stop looking. Each message keeps the button that shows its game."""
        self.look.cancel()
        for task in self._showing:
            task.cancel()
        await asyncio.gather(*self._showing, return_exceptions=True)

    @tasks.loop(seconds=LOOK_SECONDS)
    async def look(self) -> None:
        """Show the answers that have come since the last look. Once nobody waits any more, this was the last look."""
        over = discord.utils.utcnow() - LONGEST_WAIT
        self._waiting = {id_: each for id_, each in self._waiting.items() if each.interaction.created_at > over}
        if not self._waiting:
            self.look.stop()
            return
        try:
            states = await self.bot.app.games.versions({each.game for each in self._waiting.values()})
        except DatabaseTrouble:  # the store has logged it
            return
        for message, each in [*self._waiting.items()]:
            if states.get(each.game) not in (None, each.state):
                self._waiting[message] = each._replace(state=states[each.game])
                task = asyncio.create_task(self._show(message, each), name="showing the bot's answer")
                self._showing.add(task)
                task.add_done_callback(self._showing.discard)

    async def _show(self, message: int, each: _Waiting) -> None:
        """Show an answer. If the database fails, the next look tries again."""
        answer_later(each.interaction)
        speak_to(each.interaction)  # the task's own is that of the first person who waited
        try:
            await each.show(await self.bot.app.games.game(each.game))
        except ShowsOther:
            return
        except DatabaseTrouble:  # the store has logged it
            if self.waits(message, each.interaction):
                self._waiting[message] = each
            return
        except discord.HTTPException as error:
            log.info("an answer of the bot could not be shown: %s", error)
        except Exception:
            log.exception("an answer of the bot could not be shown")
        known = self._waiting.get(message)
        if known is not None and known.interaction is each.interaction and known.show is each.show:
            self.forget(message)
