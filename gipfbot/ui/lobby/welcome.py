"""The welcome: the message that the bot posts once when it is invited to a server."""

from collections.abc import Iterable

import discord

from gipfbot.languages import say, say_name
from gipfbot.rules import STANDARD, start
from gipfbot.service.app import App
from gipfbot.service.lobby.arrivals import WELCOME
from gipfbot.ui.kit import AppClient, Button, Interaction, OutboxMessage, Reply, handles, outbox_message, texts
from gipfbot.ui.kit.permissions import missing_permissions_in
from gipfbot.ui.kit.spoken import note_preferred
from gipfbot.values import OutboxRow
from render import CLASSIC, THEMES, Picture

from . import lobby_texts
from .help import show_help
from .open_challenges import show_open_seeks
from .play_bot import play_bot_button

MOST_CHANNELS_TRIED = 5


async def greet_new_servers(bot: AppClient, guilds: Iterable[discord.Guild]) -> None:
    """Note on which of these servers the bot is new, and greet each of them once.

    A server that Discord cannot show at present is left out.
    """
    by_id = {guild.id: guild for guild in guilds}
    joined = {guild.id: at for guild in by_id.values() if (at := _joined_at(guild))}
    for server in await bot.app.arrivals.new_servers(joined):
        games = (await bot.app.servers.settings(server)).channel
        channels = welcome_channels(by_id[server], games)
        await note_preferred(bot, server, by_id[server].preferred_locale)  # nobody has acted there
        await bot.delivery.deliver(await bot.app.arrivals.note_arrival(server, joined[server], channels))


def _joined_at(guild: discord.Guild) -> int | None:
    """Return when the bot joined a server, in UTC seconds. None if Discord cannot show the server at present."""
    joined = None if guild.unavailable or guild.me is None else guild.me.joined_at
    return int(joined.timestamp()) if joined else None


def welcome_channels(guild: discord.Guild, games: int | None) -> list[int]:
    """Return the channels in which the bot may post its welcome, the best first, at most MOST_CHANNELS_TRIED.

    First comes the channel for games, if `games` names one, then the channel for Discord's own messages, such as who
    has joined. Then come channels in which everybody may write, then those that everybody can see, then the rest.
    """
    fit = [channel for channel in guild.text_channels if not missing_permissions_in(channel)]

    def rank(channel: discord.TextChannel) -> tuple[bool, ...]:
        everybody = channel.permissions_for(guild.default_role)
        writes = everybody.view_channel and everybody.send_messages
        return channel.id != games, channel != guild.system_channel, not writes, not everybody.view_channel

    return [channel.id for channel in sorted(fit, key=rank)[:MOST_CHANNELS_TRIED]]


@outbox_message(WELCOME)
async def build_welcome(app: App, row: OutboxRow) -> OutboxMessage | None:
    """Build the welcome. Return None if the bot has been removed from the server meanwhile."""
    if not await app.arrivals.is_welcome_due(row):
        return None
    theme = THEMES.get((await app.servers.settings(row.payload["server"])).theme, CLASSIC)
    picture = Picture(start(STANDARD), (say_name("White"), say_name("Black")), say(lobby_texts.WELCOME_CAPTION))
    return OutboxMessage(say(lobby_texts.WELCOME_TEXT), picture=picture, rows=(_welcome_buttons(),), theme=theme)


def _welcome_buttons() -> tuple[Button, ...]:
    return (
        Button(say(lobby_texts.SET_UP_LABEL), "set_up", "primary"),
        Button(say(texts.HOW_TO_PLAY_LABEL), "how_to_play"),
        Button(say(texts.TUTORIAL_LABEL), "open_tutorial"),
        Button(say(lobby_texts.FIND_OPPONENT_LABEL), "find_opponent"),
        play_bot_button(),
    )


@handles("how_to_play", "", Reply.APART)
async def press_how_to_play(interaction: Interaction) -> None:
    """Show the help privately."""
    await show_help(interaction)


@handles("find_opponent", "", Reply.APART)
async def press_find_opponent(interaction: Interaction) -> None:
    """Show the open seeks of the server, with a button to post one."""
    await show_open_seeks(interaction, interaction.guild_id)
