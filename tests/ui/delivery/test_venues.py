"""The texts about threads of games."""

import discord
import simcord

from gipfbot.match import Seat, Side
from gipfbot.rules import STANDARD
from gipfbot.service.delivery.venues import ThreadTrouble
from gipfbot.ui.delivery.venues import MOST_LEFT_NAMED, left_thread_text
from gipfbot.ui.kit.texts import MESSAGE_LENGTH
from gipfbot.values import Venue
from tests.ui.terms_page import challenge
from tests.ui.world import World, board_ids, custom_ids, private, told


def test_notice_of_a_crowded_thread_fits_into_a_message() -> None:
    said = left_thread_text([*range(10**6, 10**6 + 1000)], ThreadTrouble.GONE)
    assert len(said) <= MESSAGE_LENGTH
    assert f"and {1000 - MOST_LEFT_NAMED} more is gone" in said


def test_notice_names_few_games() -> None:
    said = left_thread_text([1, 2], ThreadTrouble.GONE)
    assert said == "The thread of #a1 and #b1 is gone. Their boards are posted here."


def said(world: World) -> list[discord.Message]:
    """Return what the bot has said in the channel, without Discord's notice of a new thread."""
    return [message for message in world.public() if not message.is_system()]


async def threaded(world: World) -> simcord.ChannelHandle:
    """Return the thread of a new game of Ann, who is White, and Bob."""
    await challenge(world.ann, world.channel, opponent=world.bob, colour="white", thread=True)
    await world.bob.click(world.public()[-1], label="Accept")
    return world.channel.threads[-1]


async def test_a_game_leaves_its_thread_when_that_is_deleted(world: World) -> None:
    """Each board there pings the player to move. `/gipf board` then brings the game to the channel and says so."""
    thread = await threaded(world)
    assert thread.name == "#a1 Ann vs Bob"
    assert "Played" in told(await world.ann.slash(thread, "move", notation="a2-c2"))
    assert "Played" in told(await world.bob.slash(world.channel, "move", notation="f1-d2"))
    assert len(said(world)) == 2
    assert [world.pings(board) for board in world.public(thread)] == [{world.bob.id}, {world.ann.id}]
    newest = world.public(thread)[-1]
    assert f"{thread.id}/{newest.id}" in told(await world.bob.slash(world.channel, "gipf board"))

    world.env.backend.delete_channel(thread.id)
    shown = await world.bob.slash(world.channel, "gipf board")
    assert f"The thread of #a1 is gone: its boards now go to <#{world.channel.id}>." in told(shown)
    line, board = said(world)[-2:]
    assert line.content == "The thread of #a1 is gone. Its boards are posted here."
    assert (world.pings(line), world.pings(board), custom_ids(board)) == (set(), {world.ann.id}, board_ids(1, 2))
    assert str(board.id) in told(await world.bob.slash(world.channel, "gipf board"))
    assert private(await world.ann.click(board, label="Move")).components
    assert len(said(world)) == 4


async def test_a_challenge_made_in_a_thread_is_played_there(world: World) -> None:
    channel = world.bot.get_channel(world.channel.id)
    assert isinstance(channel, discord.TextChannel)
    made = await channel.create_thread(name="our games", type=discord.ChannelType.public_thread)
    await world.env.settle()
    (thread,) = world.channel.threads
    game_id = await world.begin(channel=thread)
    assert (await world.stored(game_id)).venue == Venue(world.guild.id, made.id, world.channel.id)
    await world.ann.slash(world.channel, "move", notation="a2-c2")
    assert world.pings(world.board(game_id, thread)) == {world.bob.id}
    assert (said(world), len(world.channel.threads)) == ([], 1)


async def test_a_private_thread_is_no_place_for_a_game(world: World) -> None:
    """The bot cannot tell who sees it. No game begins there or moves there, and a seek is not listed elsewhere."""
    channel = world.bot.get_channel(world.channel.id)
    assert isinstance(channel, discord.TextChannel)
    made = await channel.create_thread(name="ours", type=discord.ChannelType.private_thread)
    for person in (world.ann, world.bob):
        await made.add_user(discord.Object(person.id))
    await world.env.settle()
    (thread,) = world.channel.threads
    assert "private thread" in told(await world.ann.slash(thread, "gipf challenge", opponent=world.bob))
    game_id = await world.begin()
    await world.bot.app.venues.note_unreachable(game_id, "gone")
    assert "both of you can see" in told(await world.ann.slash(thread, "gipf board"))
    seat, home = Seat(world.ann.id, "Ann"), Venue(world.guild.id, made.id, channel.id)
    await world.bot.app.lobby.challenge(seat, None, STANDARD, Side.LOT, home)
    assert "Nobody is looking for a game" in told(await world.cara.slash(world.channel, "gipf seeks"))
    assert "Ann" in told(await world.bob.slash(thread, "gipf seeks"))
    assert world.public(thread) == []
