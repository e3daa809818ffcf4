"""SIGTERM and SIGINT: clean, within five seconds, whatever is going on; and the next bot takes over at once."""

from signal import SIGINT

from tests.standin import StandIn

from .running import Bot
from .table import Table

MESSAGES = "/channels/{id}/messages"
WITHIN = 5  # seconds


async def test_it_ends_while_a_post_hangs(bot: Bot, discord: StandIn, table: Table) -> None:
    """The post is given up, the board is owed and comes from the next bot, once."""
    await bot.start()
    gate = discord.hold("POST", MESSAGES)
    await table.send(3)
    await gate.reached()
    ended = await bot.end()
    assert ended.code == 0
    assert ended.seconds < WITHIN
    assert discord.gateway.goodbyes == [1000]
    gate.release()
    await bot.start()
    await table.posted(3)
    await table.play(4)
    assert len(table.boards(3)) == 1


async def test_it_ends_while_discord_is_away(bot: Bot, discord: StandIn, table: Table) -> None:
    """Disconnected, and waiting to try again; this time by Ctrl-C."""
    await bot.start()
    await table.play(3)
    await discord.gateway_down()
    await discord.wait_for(lambda: discord.gateway.refused, what="an attempt to come back")
    ended = await bot.end(SIGINT)
    assert ended.code == 0
    assert ended.seconds < WITHIN
    bot.expect("Attempting a reconnect")


async def test_it_ends_while_discord_says_nothing(bot: Bot, discord: StandIn) -> None:
    """A connection over which nobody says goodbye is left behind."""
    await bot.start()
    discord.gateway.hearing.clear()
    ended = await bot.end()
    assert ended.code == 0
    assert ended.seconds < WITHIN


async def test_it_ends_while_it_logs_in(bot: Bot, discord: StandIn) -> None:
    """Before it has ever been connected."""
    gate = discord.hold("GET", "/users/@me")
    await bot.launch()
    await gate.reached()
    ended = await bot.end()
    assert ended.code == 0
    assert ended.seconds < WITHIN
