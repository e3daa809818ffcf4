"""`/gipf-server status`: what managers and the host of the bot see."""

import pytest
import simcord

from gipfbot.installation import VERSION
from gipfbot.store import games
from gipfbot.ui.health import status_texts
from gipfbot.values import HostFigures, ServerState
from tests.support.halves import REST
from tests.support.times import DAY, HOUR
from tests.ui.opened_message import OpenedMessage
from tests.ui.world import World

STATUS = "gipf-server status"


async def shown(world: World, person: simcord.MemberActor) -> list[str]:
    return OpenedMessage(person, await person.slash(world.channel, STATUS)).text.splitlines()


async def test_managers_see_the_state_of_their_server(world: World) -> None:
    """So do people to whom the server gives the command."""
    await world.let_manage(world.cara)
    await world.let_use_server_commands(world.bob)
    await world.begin()
    bot, *lines = await shown(world, world.cara)
    assert bot.startswith(f"**GIPF bot {VERSION}** · up for 1 minute · ")
    assert lines == ["1 game running on this server.", status_texts.NOTHING_OWED, status_texts.NOTHING_LACKS]
    assert (await shown(world, world.bob))[1:] == lines


async def test_refusing_channels_are_named(world: World) -> None:
    await world.let_manage(world.cara)
    game = await world.begin()
    async with world.store.transaction() as db:
        await games.set_unreachable(db, game, "Forbidden()")
    said = "\n".join(await shown(world, world.cara))
    assert f"Boards can't be posted in <#{world.channel.id}>." in said


async def test_the_owner_sees_how_it_is_overall(world: World) -> None:
    """They need not manage the server."""
    await world.let_use_server_commands(world.cara)
    world.bot.owner = world.cara.id
    world.bot.figures.faults.labels("KeyError").inc(2)
    lines = await shown(world, world.cara)
    assert "### All servers" in lines
    assert "Errors since the start: KeyError 2." in lines
    assert any(line.startswith("1 server · 0 games running · database 0.") for line in lines)


def test_what_is_wrong_is_said() -> None:
    lines = status_texts.server_lines(ServerState(2, 3, (7, 8)), {5: ["Send Messages", "Attach Files"]})
    assert lines == [
        "2 games running on this server.",
        "3 messages about games not posted here yet; the bot keeps trying.",
        "Boards can't be posted in <#7>, <#8>. Let the bot post there, or move a game with **/gipf board** elsewhere.",
        "In <#5> the bot lacks permissions: Send Messages, Attach Files.",
    ]


def test_an_unhealthy_bot_says_why() -> None:
    found = HostFigures(1200, 1, 1000, 5, 12_300_000)
    lines = status_texts.host_lines(["no connection"], 40, found, 1000 + 7200, {})
    assert lines == [
        "### All servers",
        "The bot is not healthy: no connection.",
        "40 servers · 1,200 games running · database 12.3 MB",
        "1 message still to be posted, the oldest for 2 hours.",
        "Boards can't be posted on 5 servers.",
        "No errors since the start.",
    ]


async def test_of_several_processes_all_servers_are_counted_and_the_shards_named(world: World) -> None:
    await world.let_use_server_commands(world.cara)
    world.bot.owner, world.bot.own_shards = world.cara.id, REST
    for server in range(1, 4):
        await world.bot.app.arrivals.note_arrival(server, 1, [])
    await world.bot.app.arrivals.note_departure(3)
    lines = await shown(world, world.cara)
    assert "Shards 4-7/8: The bot is healthy." in lines
    assert "Shards 4-7/8: No errors since the start." in lines
    assert any(line.startswith("3 servers · 0 games running · database 0.") for line in lines)


@pytest.mark.parametrize(("latency", "words"), [(45, "Discord answers in 45 ms"), (None, "no connection to Discord")])
def test_the_first_line_says_how_fast_discord_answers(latency: int | None, words: str) -> None:
    line = status_texts.bot_line(3 * DAY + 5 * HOUR, latency)
    assert line == f"**GIPF bot {VERSION}** · up for 3 days 5 hours · {words}"
