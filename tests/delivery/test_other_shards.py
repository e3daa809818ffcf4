"""A server whose shard another process has: what this one has to know of it, Discord says."""

from gipfbot.ui.kit.permissions import find_server
from gipfbot.ui.kit.visibility import all_of_channel_see_venue, user_sees_venue
from gipfbot.values import Shards, Venue

from .house import House


def leave_server_to_others(house: House) -> Venue:
    """Let another process have the shard of the server. Return its channel as a venue."""
    shard = (house.discord.guild.id >> 22) % 8
    house.bot.own_shards = Shards((shard + 1) % 8, (shard + 1) % 8, 8)
    return Venue(house.discord.guild.id, house.discord.general.id)


async def test_a_person_sees_a_venue_on_a_server_of_another_process(house: House) -> None:
    """Else no follower would be told of a game there."""
    venue = leave_server_to_others(house)
    cara = house.discord.user("cara")
    assert house.bot.get_guild(house.discord.guild.id) is None
    assert await user_sees_venue(house.bot, cara.id, venue)
    assert await all_of_channel_see_venue(house.bot, venue.channel, venue)
    hall = await house.discord.add_channel("hall")
    thread = await house.discord.add_thread(hall, "a game")
    assert await user_sees_venue(house.bot, cara.id, Venue(venue.server, thread.id, hall.id))
    assert not await user_sees_venue(house.bot, 1234, venue)
    await house.discord.delete_channel(hall)
    assert not await user_sees_venue(house.bot, cara.id, Venue(venue.server, hall.id))


async def test_the_bot_knows_what_it_may_do_on_a_server_of_another_process(house: House) -> None:
    venue = leave_server_to_others(house)
    assert venue.server
    guild = await find_server(house.bot, venue.server)
    assert guild
    channel = guild.get_channel(venue.channel)
    assert channel
    assert channel.permissions_for(guild.me).send_messages


async def test_a_server_that_has_removed_the_bot_is_not_found(house: House) -> None:
    venue = leave_server_to_others(house)
    assert venue.server
    await house.discord.kick(house.discord.guild)
    assert await find_server(house.bot, venue.server) is None
    assert not await user_sees_venue(house.bot, house.discord.user("cara").id, venue)
