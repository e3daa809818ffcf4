"""The venue of a game: how its thread is made, whether the venue can be reached, and how the game moves elsewhere."""

import asyncio
from collections.abc import Sequence
from typing import Literal

import discord

from gipfbot.languages import mark, say, say_list, say_number
from gipfbot.match import Game, Refused, Status
from gipfbot.service.app import App
from gipfbot.service.clock.undeliverable import UNDELIVERABLE
from gipfbot.service.delivery.venues import LEFT_THREAD, NO_THREAD, ThreadTrouble
from gipfbot.service.kit.loaded_games import game_name
from gipfbot.ui.board.public_board import desk_button, tells_colour
from gipfbot.ui.kit import AppClient, Interaction, OutboxMessage, clock_texts, outbox_message, refusal_texts, texts
from gipfbot.ui.kit.discord_codes import Means, meaning
from gipfbot.ui.kit.permissions import (
    can_see_channel,
    fetch_member,
    find_channel,
    find_server,
    missing_permissions,
    venue_of,
)
from gipfbot.ui.kit.visibility import check_may_post, find_member
from gipfbot.values import PLAYER_LEFT, GameBrief, OutboxRow, StoredGame

LONGEST_THREAD_NAME = 100
MOST_LEFT_NAMED = 40  # games that have left a thread

ARCHIVE_AFTER_MINUTES: Literal[10080] = 10080  # minutes without messages; the next board reopens the thread
THREAD_EXISTS = 160004
TROUBLES = {
    Means.GONE: ThreadTrouble.GONE,
    Means.HIDDEN: ThreadTrouble.FORBIDDEN,
    Means.FORBIDDEN: ThreadTrouble.FORBIDDEN,
    Means.LOCKED: ThreadTrouble.LOCKED,
    Means.FULL: ThreadTrouble.FULL,
    Means.UNFIT: ThreadTrouble.UNFIT,
}

_NO_THREAD = {
    ThreadTrouble.FULL: mark(
        "{game} has no thread: this server has as many active threads as Discord allows. Its boards are posted here."
    ),
    ThreadTrouble.FORBIDDEN: mark(
        "{game} has no thread: the bot may not create public threads in this channel. Its boards are posted here."
    ),
    ThreadTrouble.GONE: mark("{game} has no thread: its first board was deleted. Its boards are posted here."),
    ThreadTrouble.UNFIT: mark("{game} has no thread: this kind of channel has no threads. Its boards are posted here."),
}
_NO_THREAD_OTHERWISE = mark("{game} has no thread: Discord refused to make one. Its boards are posted here.")
_LEFT_THREAD = {
    ThreadTrouble.FULL: mark(
        "The thread of {games} can't be reopened: this server has as many active threads as Discord allows."
    ),
    ThreadTrouble.FORBIDDEN: mark("The thread of {games} is closed to the bot."),
    ThreadTrouble.GONE: mark("The thread of {games} is gone."),
    ThreadTrouble.LOCKED: mark("The thread of {games} is locked."),
}
_LEFT_THREAD_OTHERWISE = mark("The thread of {games} accepts no messages.")

BOARD_UNDELIVERABLE = mark(
    "The bot can't post the board in the game's channel, but keeps trying. Play here, or use **/gipf board** in a "
    "channel that both of you see: the game moves there."
)

LONG_WAIT_SECONDS = 24 * 3600  # games that have waited longer are checked
MOST_GAMES_CHECKED = 5  # games checked at a time


def thread_name(game: Game) -> str:
    """Return the name of a game's thread. Nothing in it is escaped, because Discord shows thread names literally."""
    white, black = (texts.player_name(seat.name) for seat in game.seats)
    players = say("{game} {white} vs {black}", game=game_name(game.id), white=white, black=black)
    return texts.shorten_text(players, LONGEST_THREAD_NAME)


def no_thread_text(game: int, why: str) -> str:
    """Return why a game has no thread. `why` is the value of a ThreadTrouble, or unknown."""
    return say(_NO_THREAD.get(ThreadTrouble(why), _NO_THREAD_OTHERWISE), game=game_name(game))


def left_thread_text(games: Sequence[int], why: str) -> str:
    """Return why games have left their thread. `why` is the value of a ThreadTrouble, or unknown."""
    more, named = len(games) - MOST_LEFT_NAMED, [*map(game_name, games[:MOST_LEFT_NAMED])]
    if more > 0:
        named.append(say_number("{number} more", "{number} more", more))
    left = say(_LEFT_THREAD.get(ThreadTrouble(why), _LEFT_THREAD_OTHERWISE), games=say_list(named))
    here = say_number("Its boards are posted here.", "Their boards are posted here.", len(games))
    return f"{left} {here}"


def goes_on_in_thread_text(thread: int) -> str:
    """Return the text that a game's first board gets, once the next one is posted in the thread made from it."""
    return say("This game goes on in its thread: {thread}. Here is how it began.", thread=f"<#{thread}>")


def thread_gone_text(game: int, channel: int) -> str:
    """Return the sentence on where a game's boards go after its thread was deleted."""
    sentence = mark("The thread of {game} is gone: its boards now go to {channel}.")
    return say(sentence, game=game_name(game), channel=f"<#{channel}>")


async def make_thread(bot: AppClient, owed: OutboxRow) -> int | None:
    """Make the thread of a game from its first board. Return the id of the thread.

    Discord gives the thread the same id as the board's message. If the thread exists already, return its id. Return
    None if the board was never posted or the game is over. Raises discord.HTTPException.
    """
    assert owed.game is not None
    stored = await bot.app.games.game(owed.game)
    board = stored.board_message
    if board is None or stored.game.asked is None:
        return None
    name = thread_name(stored.game)
    await bot.app.end_snapshot()
    try:
        # discord.py's own call needs the gateway, as it looks for the server in the cache.
        made = await bot.http.start_thread_with_message(
            owed.channel, board, name=name, auto_archive_duration=ARCHIVE_AFTER_MINUTES
        )
    except discord.HTTPException as error:
        if error.code != THREAD_EXISTS:
            raise
        return board
    return int(made["id"])


def thread_trouble(error: Exception) -> ThreadTrouble:
    """Return the kind of trouble with a thread that an error from Discord means."""
    if isinstance(error, discord.HTTPException):
        return TROUBLES.get(meaning(error), ThreadTrouble.OTHER)
    return ThreadTrouble.OTHER


@outbox_message(NO_THREAD)
async def build_no_thread_notice(_: App, row: OutboxRow) -> OutboxMessage:
    """Build the notice that a game gets no thread and stays in its channel."""
    return OutboxMessage(no_thread_text(**row.payload))


@outbox_message(LEFT_THREAD)
async def build_left_thread_notice(_: App, row: OutboxRow) -> OutboxMessage:
    """Build the notice that games have left their thread and go on in its parent channel."""
    return OutboxMessage(left_thread_text(**row.payload))


@outbox_message(UNDELIVERABLE)
async def build_fallback_dm(app: App, row: OutboxRow) -> OutboxMessage | None:
    """Build the direct message that replaces a board that could not be posted. It goes to the player to move.

    Return None if the game has gone on, or if the board no longer waits for a retry.
    """
    game = await app.undeliverable.fallback_dm_game(row)
    return None if game is None else OutboxMessage(undeliverable_board_text(game), rows=((desk_button(game),),))


def undeliverable_board_text(game: Game) -> str:
    """Return the text of the direct message that replaces a board that could not be posted.

    The first line is the push notification, so it must make sense alone.
    """
    opponent = texts.escape_text(game.seats[game.decider.other].name)
    sentence = mark("It's your turn in {game} vs {name}")
    if game.answering:
        sentence = mark("It's your decision in {game} vs {name}")
    first = say(sentence, game=game_name(game.id), name=opponent)
    black = f" · {say('you are Black')}" if tells_colour(game.turn_number) else ""
    first += f"{clock_texts.clock_summary(game)}{black}"
    return texts.join_lines(
        first, clock_texts.your_grace_text(game.clock, answering=game.answering), say(BOARD_UNDELIVERABLE)
    )


async def _is_in_server(interaction: Interaction, brief: GameBrief) -> bool | None:
    """Return whether the player to move and the bot are both in a game's server. None if Discord cannot tell."""
    if brief.venue.server is None:
        return True
    try:
        return await find_member(interaction.client, brief.venue.server, brief.users[brief.asked]) is not None
    except (discord.HTTPException, ConnectionError):
        return None


async def note_unreachable_games(interaction: Interaction, waiting: Sequence[GameBrief]) -> bool:
    """Record which of the `waiting` games have become unreachable, or reachable again. Return whether any has.

    A game is unreachable while the player to move, or the bot, has left its server. Two kinds of games are checked, at
    most MOST_GAMES_CHECKED of each: those that have waited for LONG_WAIT_SECONDS, and those whose player had left.
    """
    venues, now = interaction.client.app.venues, interaction.client.app.now()
    old = [brief for brief in waiting if not brief.unreachable and now - brief.waiting_since > LONG_WAIT_SECONDS]
    left = [brief for brief in waiting if brief.stored and brief.stored.player_left]
    checked = old[:MOST_GAMES_CHECKED] + left[:MOST_GAMES_CHECKED]
    if checked:
        await interaction.client.app.end_snapshot()  # Discord may take seconds, and others need the connection
    there = await asyncio.gather(*(_is_in_server(interaction, brief) for brief in checked))
    changed = [(brief, found) for brief, found in zip(checked, there, strict=True) if found is brief.unreachable]
    for brief, is_back in changed:
        await (venues.note_player_back(brief.id) if is_back else venues.note_unreachable(brief.id, PLAYER_LEFT))
    return bool(changed)


async def is_game_unreachable(interaction: Interaction, stored: StoredGame) -> bool:
    """Return whether a running game has lost its venue: the channel is gone, or a player or the bot cannot see it.

    A game that is recorded as unreachable is so, but a player who had left may be back. If Discord cannot tell now,
    what is recorded counts.
    """
    known = stored.unreachable and not stored.player_left
    if known or stored.game.status is not Status.RUNNING or stored.venue.server is None:
        return stored.unreachable
    await interaction.client.app.end_snapshot()
    try:
        guild = await find_server(interaction.client, stored.venue.server)
        channel = await find_channel(interaction, stored.venue.channel, guild) if guild else None
        if guild is None or channel is None:
            return True
        members = [await fetch_member(guild, seat.user) for seat in stored.game.seats]
    except (discord.HTTPException, ConnectionError):
        return stored.unreachable
    return not all(member and can_see_channel(channel, member) for member in members)


async def bring_game_back(interaction: Interaction, stored: StoredGame) -> str:
    """Move a game whose venue is unreachable. Return the message to the player, or an empty text if nothing was moved.

    A game stays where it is if the player who had left is back.
    A game in a deleted thread goes to the parent channel. If that channel is unreachable as well, or if the game was
    not in a thread, it goes to the channel of the interaction. If the game cannot be moved there, the message says why.
    """
    said = ""
    if stored.venue.parent is not None and await _is_channel_gone(interaction, stored.venue.channel):
        await interaction.client.app.outbox.leave_thread(stored.game.id)
        await interaction.client.delivery.sweep(stored.game.id)
        stored = await interaction.client.app.games.game(stored.game.id)
        said = thread_gone_text(stored.game.id, stored.venue.channel)
    if await is_game_unreachable(interaction, stored):
        return await relocate_game(interaction, stored)
    if stored.player_left:
        await interaction.client.app.venues.note_player_back(stored.game.id)
    return said


async def _is_channel_gone(interaction: Interaction, channel: int) -> bool:
    """Return whether a channel or thread is gone, or hidden from the bot. False if Discord cannot tell."""
    try:
        return await find_channel(interaction, channel) is None
    except discord.HTTPException:
        return False


async def relocate_game(interaction: Interaction, stored: StoredGame) -> str:
    """Move a game to the channel of the interaction, if both players can see that channel.

    Return the message to the player: the new place, or the reason why the game stays.
    """
    if interaction.guild is None:
        return say(texts.NOT_BOTH_SEE_CHANNEL)
    try:
        await check_may_post(interaction, venue_of(interaction))
    except Refused as refusal:
        return refusal_texts.refusal_text(refusal)
    if missing := missing_permissions(interaction):
        return texts.missing_permissions_text(missing)
    await interaction.client.app.end_snapshot()
    for seat in stored.game.seats:
        member = await fetch_member(interaction.guild, seat.user)
        if member is None or not can_see_channel(interaction.channel, member):
            return say(texts.NOT_BOTH_SEE_CHANNEL)
    done = await interaction.client.app.venues.relocate(stored.game.id, venue_of(interaction))
    for seat in stored.game.seats:  # the game comes with their names on the other server
        interaction.client.known_names.forget(seat.user, str(interaction.guild.id))
    posted = await interaction.client.delivery.deliver(done.owed)
    return texts.relocated_text(game_name(stored.game.id), posted=bool(posted))
