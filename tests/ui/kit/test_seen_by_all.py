"""Whether all who see one channel surely see another one: the rule for announcements of results."""

from collections.abc import Mapping
from itertools import product
from random import Random
from typing import Any

import discord
import pytest
import simcord

from gipfbot.ui.kit.permissions import can_see_channel, is_seen_by_all_of, is_seen_by_everybody
from gipfbot.ui.kit.visibility import all_of_channel_see_venue
from gipfbot.values import Venue
from tests.ui.world import World

pytestmark = pytest.mark.looks_every(60)
# Overwrites of roles and people, by name; "bot" is the bot itself.
Overwrites = Mapping[str, bool | None]
STAFF_ONLY: Overwrites = {"everyone": False, "staff": True}


class Rooms:
    """A server with the roles `staff` and `guests`, on which a test makes channels."""

    def __init__(self, world: World) -> None:
        self.world, bot = world, world.bot.user
        assert bot
        self.roles = {name: world.guild.create_role(name) for name in ("staff", "guests")}
        self.targets: dict[str, Any] = {
            "everyone": world.guild.default_role,
            "cara": world.cara,
            "bot": bot,
            **self.roles,
        }

    def make(self, overwrites: Overwrites, **others: bool) -> simcord.ChannelHandle:
        """Return a new channel with these overwrites. `others` are further ones of everybody there, such as writing."""
        made = {
            self.targets[name]: discord.PermissionOverwrite(view_channel=seen, **others)
            for name, seen in overwrites.items()
        }
        return self.world.guild.create_text_channel("room", overwrites=made)

    def venue(self, channel: simcord.ChannelHandle) -> Venue:
        """Return a channel as the venue of games."""
        return Venue(self.world.guild.id, channel.id)

    async def tell(self, results: simcord.ChannelHandle, venue: Venue) -> bool:
        """Return whether games at the venue may be announced in the channel for results."""
        await self.world.env.settle()
        return await all_of_channel_see_venue(self.world.bot, results.id, venue)


@pytest.fixture
def rooms(world: World) -> Rooms:
    return Rooms(world)


@pytest.mark.parametrize(
    ("results", "game", "announced"),
    [
        ({}, {}, True),
        (STAFF_ONLY, {}, True),
        ({}, STAFF_ONLY, False),
        (STAFF_ONLY, STAFF_ONLY, True),
        (STAFF_ONLY, {**STAFF_ONLY, "guests": True}, True),
        ({**STAFF_ONLY, "guests": True}, STAFF_ONLY, False),
        ({}, {"guests": False}, False),
        ({"guests": False}, {"guests": False}, True),
        ({}, {"cara": False}, False),
        ({"cara": False}, {"cara": False}, True),
        (STAFF_ONLY, {"cara": False}, False),
        ({**STAFF_ONLY, "cara": True}, STAFF_ONLY, False),
        ({"everyone": False, "cara": True}, {"everyone": False, "cara": True, "staff": True}, True),
        ({"everyone": False, "cara": True}, {"everyone": True}, True),
        ({**STAFF_ONLY, "bot": True}, STAFF_ONLY, True),
    ],
)
async def test_channels_are_compared(rooms: Rooms, results: Overwrites, game: Overwrites, announced: bool) -> None:
    assert await rooms.tell(rooms.make(results), rooms.venue(rooms.make(game))) is announced


async def test_channels_in_step_with_a_category_are_seen_by_the_same(rooms: Rooms) -> None:
    """Discord copies the overwrites of the category to them. Other permissions make no difference."""
    category: Overwrites = {"everyone": False, "staff": True, "guests": None, "cara": False}
    results, game = rooms.make(category, send_messages=False), rooms.make(category)
    assert await rooms.tell(results, rooms.venue(game))
    assert await rooms.tell(game, rooms.venue(results))
    elsewhere = rooms.make({**category, "guests": True})
    assert not await rooms.tell(elsewhere, rooms.venue(game))


async def test_server_whose_channels_are_hidden_by_default(rooms: Rooms) -> None:
    guild = rooms.world.bot.get_guild(rooms.world.guild.id)
    assert guild
    await guild.default_role.edit(permissions=discord.Permissions(view_channel=False))
    plain, staffs, opened = rooms.make({}), rooms.make({"staff": True}), rooms.make({"everyone": True})
    assert await rooms.tell(plain, rooms.venue(plain))
    assert not await rooms.tell(staffs, rooms.venue(plain))
    assert await rooms.tell(staffs, rooms.venue(opened))


async def test_no_member_ever_sees_the_results_alone(rooms: Rooms) -> None:
    """Channels with overwrites drawn by lot, and a member for each set of roles, and Cara."""
    world, rng = rooms.world, Random(14)
    members = [world.cara.id]
    for number, kept in enumerate(product((True, False), repeat=2)):
        roles = [role for role, has in zip(rooms.roles.values(), kept, strict=True) if has]
        members.append(world.guild.add_member(world.env.create_user(f"member{number}"), roles=roles).id)
    names = ("everyone", "staff", "guests", "cara")
    made = [rooms.make({name: rng.choice((True, False, None)) for name in names}) for _ in range(24)]
    await world.env.settle()
    guild = world.bot.get_guild(world.guild.id)
    assert guild
    people = [await guild.fetch_member(member) for member in members]
    channels = [channel for each in made if (channel := guild.get_channel(each.id))]
    told = 0
    for results, game in product(channels, channels):
        if is_seen_by_everybody(game) or is_seen_by_all_of(game, results):
            told += results is not game
            assert all(can_see_channel(game, who) for who in people if can_see_channel(results, who))
    assert told > 10


async def thread_of(world: World, kind: discord.ChannelType) -> discord.Thread:
    """Return a new thread in the games' channel."""
    channel = world.bot.get_channel(world.channel.id)
    assert isinstance(channel, discord.TextChannel)
    thread = await channel.create_thread(name="talk", type=kind)
    await world.env.settle()
    return thread


@pytest.mark.parametrize(
    ("status", "code", "told"), [(403, 40333, None), (403, 0, None), (404, 0, None), (403, 50001, False)]
)
async def test_thread_that_discord_cannot_show_now_is_asked_for_again(
    rooms: Rooms, status: int, code: int, told: bool | None
) -> None:
    """Else the result of its game would never be announced."""
    world, results = rooms.world, rooms.make({})
    world.fail("GET", "/channels/*", status, code)
    told_by_discord = rooms.tell(results, Venue(world.guild.id, 7, world.channel.id))
    if told is None:
        with pytest.raises(discord.HTTPException):
            await told_by_discord
    else:
        assert await told_by_discord is told


@pytest.mark.parametrize("archived", [False, True])
@pytest.mark.parametrize("private", [False, True])
async def test_thread_counts_as_its_channel_unless_it_is_private(rooms: Rooms, private: bool, archived: bool) -> None:
    """The bot forgets threads that are archived, and asks Discord for them."""
    world = rooms.world
    kind = discord.ChannelType.private_thread if private else discord.ChannelType.public_thread
    thread = await thread_of(world, kind)
    if archived:
        await thread.edit(archived=True)
        await world.env.settle()
        assert thread.guild.get_thread(thread.id) is None
    venue = Venue(world.guild.id, thread.id, world.channel.id)
    assert await rooms.tell(rooms.make({}), venue) is not private
    assert await rooms.tell(world.channel, venue) is not private


async def test_game_whose_place_is_gone_is_not_announced(rooms: Rooms) -> None:
    world = rooms.world
    results = rooms.make({})
    for gone in (Venue(world.guild.id, 17), Venue(world.guild.id, 17, world.channel.id), Venue(17, world.channel.id)):
        assert not await rooms.tell(results, gone)
    assert not await rooms.tell(results, Venue(None, world.channel.id))
    assert not await all_of_channel_see_venue(world.bot, 17, world.home), "the channel for results is gone"


async def test_nothing_is_decided_before_the_servers_are_known(rooms: Rooms, monkeypatch: pytest.MonkeyPatch) -> None:
    results, venue = rooms.make({}), rooms.world.home
    with monkeypatch.context() as patch:
        patch.setattr(rooms.world.bot, "is_ready", lambda: False)
        with pytest.raises(ConnectionError):
            await rooms.tell(results, venue)
    guild = rooms.world.bot.get_guild(rooms.world.guild.id)
    assert guild
    monkeypatch.setattr(guild, "unavailable", True)
    with pytest.raises(ConnectionError):
        await rooms.tell(results, venue)
