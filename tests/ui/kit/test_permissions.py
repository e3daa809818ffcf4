"""A person who may not write in a channel cannot make the bot write there, from anywhere."""

from typing import Any

import discord
import pytest
import simcord

from gipfbot.match import RequestState
from gipfbot.ui.kit import texts
from tests.support.games import PLAYED
from tests.support.times import DAY
from tests.ui.forged import answered_text, direct_forger, forger
from tests.ui.studying import playing
from tests.ui.terms_page import challenge, open_terms
from tests.ui.world import FOR_EVER, World, challenge_state, challenged, deliver, time_out, told

pytestmark = pytest.mark.looks_every(60)


async def mute(world: World, person: simcord.MemberActor, **denied: Any) -> None:
    """Keep a person from sending messages in the games' channel."""
    channel = world.bot.get_channel(world.channel.id)
    assert isinstance(channel, discord.TextChannel)
    await channel.set_permissions(await channel.guild.fetch_member(person.id), **(denied or {"send_messages": False}))
    await world.env.settle()


def cannot_post(world: World) -> str:
    return f"You can't send messages in <#{world.channel.id}>, so the bot posts nothing for you there."


@pytest.mark.parametrize("elsewhere", [False, True])
@pytest.mark.parametrize("seek", [False, True])
async def test_muted_person_challenges_nobody(world: World, elsewhere: bool, seek: bool) -> None:
    """Nor from another channel, if all challenges go to the one in which they are muted."""
    await mute(world, world.ann)
    here = world.channel
    if elsewhere:
        here = world.guild.create_text_channel("other")
        await world.bot.app.servers.change(world.guild.id, {"channel": world.channel.id})
    options = {} if seek else {"opponent": world.bob}
    assert cannot_post(world) in told(await world.ann.slash(here, "gipf challenge", **options))
    assert world.public() == []
    assert await world.bot.app.lobby.challenges_of(world.ann.id) == []


async def test_muted_person_accepts_nothing(world: World) -> None:
    message = await challenged(world)
    await mute(world, world.bob)
    answer = await world.bob.click(message, label="Accept")
    assert cannot_post(world) in answered_text(answer)
    assert await challenge_state(world, 1) is RequestState.OPEN


@pytest.mark.parametrize("direct", [False, True])
@pytest.mark.parametrize(
    "use", ["nudge:1:{serial}", "make_request:takeback:1:{serial}", "make_request:draw:1:{serial}", "rematch:1"]
)
async def test_muted_player_pings_nobody(world: World, use: str, direct: bool) -> None:
    """Bob has played, so it is Ann's turn. Bob asks from the channel, and from direct messages."""
    await (playing(world, rules="overboard") if "draw" in use else playing(world, *PLAYED[:2]))
    await world.env.advance_time(2 * DAY)
    if use.startswith("rematch"):
        await world.bot.app.games.resign(1, world.ann.id)
        await deliver(world)
    use = use.format(serial=(await world.game()).turn_serial)
    bob = await (direct_forger(world, world.bob) if direct else forger(world, world.bob, world.channel))
    await mute(world, world.bob)
    posted = len(world.public())
    assert cannot_post(world) in answered_text(await bob.send(use))
    assert len(world.public()) == posted
    await mute(world, world.bob, send_messages=True)
    await bob.send(use)
    assert len(world.public()) == posted + 1, "else the test shows nothing"


@pytest.mark.parametrize(("status", "code"), [(403, 40333), (403, 0), (404, 0), (500, 0)])
async def test_what_discord_cannot_tell_is_said_as_such(world: World, status: int, code: int) -> None:
    """Bob asks for a post from direct messages, and Cara for the game. Neither is told that they may not."""
    await playing(world, *PLAYED[:2])
    await world.env.advance_time(2 * DAY)
    nudge, posted = f"nudge:1:{(await world.game()).turn_serial}", len(world.public())
    bob = await direct_forger(world, world.bob)
    world.fail("GET", "/guilds/*/members/*", status, code, times=FOR_EVER)
    assert texts.DISCORD_CANNOT_TELL in answered_text(await bob.send(nudge))
    assert told(await world.cara.user.slash("gipf board", game="#a1")) == texts.DISCORD_CANNOT_TELL
    assert len(world.public()) == posted
    world.heal()
    await bob.send(nudge)
    assert len(world.public()) == posted + 1
    assert "waiting for Ann" in told(await world.cara.user.slash("gipf board", game="#a1"))


async def test_timed_out_person_makes_the_bot_post_nothing(world: World) -> None:
    """They can still use the bot in direct messages. The answer says when they may again."""
    await playing(world, *PLAYED[:2])
    await world.env.advance_time(2 * DAY)
    bob = await direct_forger(world, world.bob)
    await time_out(world, world.bob)
    posted = len(world.public())
    said = answered_text(await bob.send(f"nudge:1:{(await world.game()).turn_serial}"))
    assert "You're timed out, so the bot posts nothing for you in" in said
    assert "Try again <t:" in said
    assert len(world.public()) == posted


async def test_muted_player_plays_on(world: World) -> None:
    """The game was agreed on, and the clock runs."""
    await playing(world, *PLAYED[:2])
    await mute(world, world.ann)
    assert told(await world.ann.slash(world.channel, "move", notation=PLAYED[2])).startswith("Played")


async def test_muted_player_brings_no_game_here(world: World) -> None:
    await playing(world, *PLAYED[:2])
    other = world.guild.create_text_channel("other")
    channel = world.bot.get_channel(world.channel.id)
    assert isinstance(channel, discord.TextChannel)
    await channel.delete()
    there = world.bot.get_channel(other.id)
    assert isinstance(there, discord.TextChannel)
    await there.set_permissions(await there.guild.fetch_member(world.ann.id), send_messages=False)
    await world.env.settle()
    said = told(await world.ann.slash(other, "gipf board", game="#a1"))
    assert f"You can't send messages in <#{other.id}>" in said
    assert (await world.stored()).venue.channel == world.channel.id


async def test_thread_by_wish_needs_the_permission(world: World) -> None:
    await mute(world, world.ann, create_public_threads=False)
    said = told(await challenge(world.ann, world.channel, opponent=world.bob, thread=True))
    assert said.startswith(f"You can't make threads in <#{world.channel.id}>")
    assert world.public() == []
    await world.bot.app.servers.change(world.guild.id, {"threads": True})
    await challenged(world)
    assert (await world.bot.app.lobby.stored_challenge(1)).challenge.terms.thread, "the server wants threads"


@pytest.mark.parametrize(("server", "wish"), [(True, False), (False, True)])
async def test_setting_for_threads_wins(world: World, server: bool, wish: bool) -> None:
    """The page of all terms was opened before the setting was changed, and shows a switch that has no effect now."""
    page = await open_terms(world.ann, world.channel, opponent=world.bob)
    for value in (True, wish):
        await page.choose("thread", value)
    await world.bot.app.servers.change(world.guild.id, {"threads": server})
    said = told(await page.post())
    assert "This server gives" in said
    assert (await world.bot.app.lobby.stored_challenge(1)).challenge.terms.thread is server


async def test_setting_for_threads_wins_in_a_rematch(world: World) -> None:
    await challenge(world.ann, world.channel, opponent=world.bob, thread=True)
    await world.bob.click(world.public()[-1], label="Accept")
    await world.bot.app.games.resign(1, world.ann.id)
    await deliver(world)
    await world.bot.app.servers.change(world.guild.id, {"threads": False})
    await world.bob.slash(world.channel, "move", notation="rematch", game="#a1")
    assert not (await world.bot.app.lobby.stored_challenge(2)).challenge.terms.thread
