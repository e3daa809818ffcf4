"""A nickname belongs to one server: leaderboards and profiles that are read elsewhere do not show it."""

from dataclasses import replace

import discord
import pytest
import simcord

from gipfbot.match import Seat, Status, Terms
from gipfbot.rules import STANDARD, Colour, Reason, Result
from gipfbot.service.competing.results import save_and_rate
from gipfbot.store import games
from gipfbot.ui.kit.people_names import UNTOLD_NAME
from gipfbot.ui.kit.texts import SHOW_HERE_LABEL
from gipfbot.values import Venue
from tests.support.times import DAY
from tests.ui.opened_message import OpenedMessage
from tests.ui.world import FOR_EVER, World, deliver, seat, told

pytestmark = pytest.mark.looks_every(60)
GLOBAL = {"pool": "standard", "scope": "global"}
SECRET = "Secret"  # Bob's nickname on the server


async def won(world: World, white: Seat, server: int) -> None:
    """Let White win a rated game against Ann on a server."""
    async with world.store.transaction() as db:
        venue, now = Venue(server, world.channel.id), world.bot.app.now()
        stored = await games.add_game(db, STANDARD, (white, seat(world.ann)), venue, now, Terms(rated=True))
        position = stored.game.position._replace(result=Result(Colour.WHITE, Reason.RESIGN))
        after = replace(stored.game, position=position, status=Status.OVER, version=1, turn_number=4)
        await save_and_rate(db, stored, after, by=0, now=now)


async def elsewhere(world: World) -> tuple[simcord.MemberActor, simcord.ChannelHandle]:
    """Let Bob win a game as Secret. Return Cara on another server, and its channel."""
    await won(world, Seat(world.bob.id, SECRET), world.guild.id)
    other = await world.add_guild("Other")
    cara = other.add_member(world.env.create_user("carl", global_name="Carl"))
    place = other.create_text_channel("there")
    await world.env.settle()
    return cara, place


def all_said(text: str, pictures: list[discord.Attachment]) -> str:
    return "\n".join([text, *(each.description or "" for each in pictures)])


async def board(person: simcord.MemberActor, place: simcord.ChannelHandle, **options: str) -> str:
    """Return all that a person reads in a leaderboard and its picture."""
    shown = OpenedMessage(person, await person.slash(place, "gipf leaderboard", **options))
    return all_said(shown.text, shown.message.attachments)


async def test_board_of_all_servers_has_no_nicknames(world: World) -> None:
    carl, place = await elsewhere(world)
    for person, where in ((carl, place), (world.cara, world.channel)):
        said = await board(person, where, **GLOBAL)
        assert "1. Bob: " in said
        assert SECRET not in said


async def test_what_is_shown_of_it_has_none_either(world: World) -> None:
    carl, place = await elsewhere(world)
    for command, options in (("gipf leaderboard", GLOBAL), ("gipf profile", {"player": world.ann.user})):
        shown = OpenedMessage(carl, await carl.slash(place, command, **options))
        await shown.press(SHOW_HERE_LABEL)
        await deliver(world)
        posted = world.public(place)[-1]
        said = all_said(posted.content, posted.attachments)
        assert "shows" in said
        assert "Bob" in said
        assert SECRET not in said


async def test_board_of_a_server_has_the_names_there(world: World) -> None:
    """Also if the newest game was played elsewhere."""
    carl, place = await elsewhere(world)
    other = place.guild
    assert other
    await won(world, Seat(world.bob.id, "Robert"), other.id)
    world.env.backend.edit_member(world.guild.id, world.bob.id, {"nick": SECRET})
    assert "1. Secret: " in await board(world.cara, world.channel, pool="standard")
    other.add_member(world.bob.user)
    other.add_member(world.ann.user)
    await world.env.settle()
    assert "1. Robert: " in await board(carl, place, pool="standard")


async def test_profile_names_no_opponent_by_a_nickname(world: World) -> None:
    carl, place = await elsewhere(world)
    said = told(await carl.slash(place, "gipf profile", player=world.ann.user))
    assert "**Opponents:** Bob (0 won, 1 lost)" in said
    assert SECRET not in said


async def test_discord_is_asked_once_a_day(world: World) -> None:
    carl, place = await elsewhere(world)

    def asked() -> int:
        return sum(call.path == f"/users/{world.bob.id}" for call in world.env.http_requests)

    before = asked()
    for _ in range(2):
        await board(carl, place, **GLOBAL)
    assert asked() == before + 1
    await world.env.advance_time(DAY)
    await board(carl, place, **GLOBAL)
    assert asked() == before + 2


@pytest.mark.parametrize("status", [404, 503])
async def test_whose_name_discord_does_not_tell_has_none(world: World, status: int) -> None:
    carl, place = await elsewhere(world)
    world.fail("GET", "/users/*", status, times=FOR_EVER)
    said = await board(carl, place, **GLOBAL)
    assert f"1. {UNTOLD_NAME}: " in said
    assert SECRET not in said


async def test_board_of_a_server_has_the_present_names_there(world: World) -> None:
    """A player who was renamed has their new name on it as soon as they use the bot there, also in what is shown."""
    await won(world, seat(world.bob), world.guild.id)
    for name in ("Robert", None):
        world.env.backend.edit_member(world.guild.id, world.bob.id, {"nick": name})
        await world.env.settle()
        assert f"1. {name or 'Bob'} (you): " in await board(world.bob, world.channel, pool="standard")
        assert f"1. {name or 'Bob'}: " in await board(world.cara, world.channel, pool="standard")
        shown = OpenedMessage(world.cara, await world.cara.slash(world.channel, "gipf leaderboard", pool="standard"))
        await shown.press(SHOW_HERE_LABEL)
        await deliver(world)
        posted = world.public()[-1]
        assert f"1. {name or 'Bob'}: " in all_said(posted.content, posted.attachments)
