"""What every handler may reach: the services, the painter and the delivery of messages."""

from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import Any, Protocol, TypeAlias, TypeVar

import discord

from gipfbot.service.app import App
from gipfbot.values import OutboxRow

from .kept_texts import KeptTexts
from .pictures import Painter
from .widgets import ComponentRow

WorkResult = TypeVar("WorkResult")


class Deliverer(Protocol):
    """Posts what the outbox owes, and edits messages of the bot."""

    async def deliver(self, leased: Iterable[OutboxRow]) -> bool:
        """Post these rows, which the caller has leased. Return whether all of at least one were posted."""

    async def sweep(self, game: int | None = None) -> None:
        """Post what is still owed, by one game or by all."""

    async def strip_buttons(
        self, channel: int, message: int, text: str | None = None, rows: Sequence[ComponentRow] = ()
    ) -> None:
        """Take the buttons off a message of the bot, all but `rows`; with a text, replace its text too."""

    async def confirm_posted(self, mark: str, place: int, message: int) -> None:
        """Note that the row with this mark is posted as this message, in a channel or to a person."""


class AppClient(discord.Client):
    """A Discord client with the services. Handlers know the bot by this class alone."""

    app: App
    painter: Painter
    delivery: Deliverer
    kept_texts: KeptTexts
    replays: dict[int, int]  # being made: the interaction that asked -> the person

    def run_aside(self, work: Callable[..., WorkResult], *args: object) -> Awaitable[WorkResult]:
        """Return the result of pure work that may take long. It is done in a thread, one piece after the other."""
        raise NotImplementedError


Interaction: TypeAlias = discord.Interaction[AppClient]
AnyInteraction: TypeAlias = discord.Interaction[Any]
