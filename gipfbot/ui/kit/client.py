"""The bot as handlers know it: a Discord client with the services, the painter and the delivery."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple, Protocol, TypeAlias, TypeVar

import discord

from gipfbot.figures import Figures
from gipfbot.service.app import App
from gipfbot.service.kit.aside import Aside
from gipfbot.values import OutboxRow, Shards, StoredGame

from .components import ComponentRow
from .per_person import HandledAtOnce, KeptTexts, TokenBuckets
from .pictures import Painter
from .request_watch import InvalidRequests, RequestWatch

WorkResult = TypeVar("WorkResult")
Overwrites: TypeAlias = Mapping[tuple[int, int], bool]  # by the kind and the id of a target: whether it is allowed


class Posted(NamedTuple):
    """A posted row of the outbox. `message` is None if the row turned out to be needless."""

    key: str
    channel: int
    message: int | None


class CommandOverwrites(NamedTuple):
    """What a server has decided in its integrations about `/gipf-server`, and about all commands of the bot."""

    read_at: int  # UTC seconds
    of_command: Overwrites
    of_all: Overwrites


class Deliverer(Protocol):
    """Posts the messages queued in the outbox, and edits messages of the bot."""

    async def deliver(self, leased: Iterable[OutboxRow]) -> tuple[Posted, ...]:
        """Post outbox rows that the caller has leased. Return them; none if one of them could not be posted."""

    def posted(self, owed: OutboxRow) -> asyncio.Future[bool]:
        """Return a future that says, once an outbox row is posted or given up, whether it was posted."""

    async def sweep(self, game: int | None = None) -> None:
        """Post all outbox rows that are due and not leased. `game` limits them to one game."""

    async def finish_sweep(self) -> None:
        """Post all outbox rows that are due, however long it takes."""

    async def close(self) -> None:
        """Stop posting. Rows that are not posted stay in the outbox."""

    async def restore_buttons(self, row: OutboxRow, message: int) -> None:
        """Give a posted message its text and buttons back. Raises Refused or KeyError if it cannot be rebuilt."""

    async def strip_buttons(
        self,
        channel: int,
        message: int,
        text: str | None = None,
        rows: Sequence[ComponentRow] = (),
        *,
        pictured: bool = True,
    ) -> None:
        """Remove all buttons from a message of the bot.

        With `text`, also replace its text and show the buttons `rows`. A message that is not `pictured` any more loses
        its picture.
        """

    async def confirm_posted(self, mark: str, place: int, message: int) -> None:
        """Record that the outbox row with this mark was posted as `message`.

        `place` is the id of the channel, or of the person for a direct message.
        """


class BackgroundLoop(Protocol):
    """Lets the house player act in the background, or makes analyses there."""

    def wake(self) -> None:
        """Make the loop look for work. Returns at once."""


class BotAnswers(Protocol):
    """Shows the bot's answer in the private messages that wait for it."""

    def wait(
        self, interaction: discord.Interaction[Any], stored: StoredGame, show: Callable[[StoredGame], Awaitable[None]]
    ) -> None:
        """Let the message that an interaction shows be shown anew by `show`, once the bot has answered in a game."""

    def waits(self, message: int, interaction: discord.Interaction[Any]) -> bool:
        """Return whether a private message still shows what this interaction has shown, and waits for the bot."""

    def forget(self, message: int) -> None:
        """Forget a private message that shows something else now."""


class Health(Protocol):
    """Knows whether the bot is healthy."""

    started_at: float

    def steady(self) -> float:
        """Return the seconds of a clock that nobody can set. `started_at` is read from this clock."""

    def reasons(self) -> list[str]:
        """Return why the bot is not healthy, in words; empty if it is."""


class AppClient(discord.Client):
    """A Discord client with the services. Handlers know the bot only as this class."""

    app: App
    painter: Painter
    delivery: Deliverer
    house_loop: BackgroundLoop
    analysis_loop: BackgroundLoop
    bot_answers: BotAnswers
    figures: Figures
    health_watch: Health
    own_shards: Shards | None  # the shards of this process, if other processes have the rest
    owner: int | None  # the person who runs the bot
    connected: bool  # whether Discord's gateway, which brings all interactions, is connected
    kept_texts: KeptTexts
    known_names: KeptTexts  # the last name of each person on each server, by the server's id
    known_languages: KeptTexts  # in which the bot writes to people, and on servers, by their ids: see `spoken.py`
    chosen_languages: dict[int, str]  # by person; not of those who have chosen that of Discord
    command_ids: Mapping[str, int]  # id of each slash command, such as `gipf games`; empty until they are synced
    command_overwrites: dict[int, CommandOverwrites]  # by server, for a minute
    interaction_buckets: TokenBuckets  # how fast each person uses commands, buttons and forms
    suggestion_buckets: TokenBuckets  # how fast each person gets suggestions while typing
    handled_at_once: HandledAtOnce
    readings: Aside  # reads typed texts, so that they do not wait for the slow work of `app.aside`
    watch: RequestWatch
    jobs: set[int]  # the people for whom a heavy job other than a replay is running
    replays: dict[int, int]  # replays being made: id of the interaction -> the person who asked

    @property
    def shards_connected(self) -> int:
        """How many shards of this process are connected to Discord's gateway."""
        return int(self.connected)

    @property
    def invalid_requests(self) -> InvalidRequests:
        """The count of invalid requests in the last ten minutes, and whether requests are stopped because of them."""
        return self.watch.invalid


Interaction: TypeAlias = discord.Interaction[AppClient]
AnyInteraction: TypeAlias = discord.Interaction[Any]
