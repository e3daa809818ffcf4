"""The bot with several shards, on the stand-in of Discord: what it is told, and when it counts as connected."""

import asyncio
from collections.abc import AsyncIterator

import pytest
import yarl
from aiohttp import web
from discord.gateway import DiscordWebSocket
from discord.http import Route

from gipfbot.app import utc_now
from gipfbot.service.app import create_app
from gipfbot.store import Store
from gipfbot.ui import sharded_bot
from gipfbot.ui.sharded_bot import NO_ANSWER, SMALL_BOT, GatewayAdvice, ShardedBot, ask_gateway
from gipfbot.values import Shards
from tests.standin import StandIn
from tests.standin.places import Guild

ADVICE = "/gateway/bot"
BOTH = Shards(0, 1, 2)


@pytest.fixture
async def discord(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[StandIn]:
    async with StandIn() as standin:
        monkeypatch.setattr(Route, "BASE", standin.api_url)
        monkeypatch.setattr(DiscordWebSocket, "DEFAULT_GATEWAY", yarl.URL(standin.gateway_url))
        yield standin


# ── What Discord advises ──


async def test_the_advice_of_discord_is_read(discord: StandIn) -> None:
    discord.world.shards, discord.world.identify_at_once = 4, 2
    assert await ask_gateway(discord.token) == GatewayAdvice(4, 2)


@pytest.fixture
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let nobody wait between two tries."""
    monkeypatch.setattr(sharded_bot, "ADVICE_PAUSES", (0, 0, 0))


@pytest.mark.parametrize("status", [None, 403, 429, 500, 503])
@pytest.mark.usefixtures("hurried")
async def test_an_outage_is_tried_again_and_never_makes_a_bot_small(discord: StandIn, status: int | None) -> None:
    """Without a status the connection is cut."""
    discord.world.shards = 4
    discord.fail_next("GET", ADVICE, status=status, times=3)
    assert (await ask_gateway(discord.token)).shards == 4
    discord.forgive()
    discord.fail_next("GET", ADVICE, status=status, times=100)
    with pytest.raises(NO_ANSWER):
        await ask_gateway(discord.token)


async def test_a_refusal_leaves_one_shard(discord: StandIn) -> None:
    """The login says why."""
    discord.world.shards = 4
    discord.fail_next("GET", ADVICE, status=401)
    assert await ask_gateway(discord.token) == SMALL_BOT
    assert (await ask_gateway(discord.token)).shards == 4


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        ("<html>busy</html>", "text/html"),
        ("{", "application/json"),
        ("null", "application/json"),
        ('{"shards": 4}', "application/json"),
        ('{"shards": "many", "session_start_limit": {"max_concurrency": 1}}', "application/json"),
    ],
)
async def test_an_answer_that_is_not_discords_leaves_one_shard(
    monkeypatch: pytest.MonkeyPatch, body: str, kind: str
) -> None:
    async def answer(_: web.Request) -> web.Response:
        return web.Response(text=body, content_type=kind)

    app = web.Application()
    app.router.add_get(ADVICE, answer)
    runner = web.AppRunner(app)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    host, port = runner.addresses[0][:2]
    monkeypatch.setattr(Route, "BASE", f"http://{host}:{port}")
    assert await ask_gateway("a token") == SMALL_BOT
    await runner.cleanup()


@pytest.mark.usefixtures("hurried")
async def test_a_slow_answer_is_an_outage(discord: StandIn, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sharded_bot, "ADVICE_SECONDS", 0.1)
    gate = discord.hold("GET", ADVICE)
    with pytest.raises(TimeoutError):
        await ask_gateway(discord.token)
    assert gate.held == 4
    gate.release()


# ── Connected ──


@pytest.fixture
async def bot(store: Store, discord: StandIn) -> AsyncIterator[ShardedBot]:
    discord.world.shards = 2
    bot = ShardedBot(create_app(store, utc_now, lambda: True), BOTH, at_once=2)
    running = asyncio.create_task(bot.start(discord.token))
    await discord.wait_for(lambda: bot.connected, "all shards")
    yield bot
    await bot.close()
    await asyncio.gather(running, return_exceptions=True)


async def drop(discord: StandIn, shard: int) -> None:
    """Cut the connection of one shard, and listen to nobody until `hearing` is set again."""
    discord.gateway.hearing.clear()
    (session,) = (each for each in discord.gateway.live if each.shard == shard)
    assert session.transport
    session.socket = None
    session.transport.abort()


async def test_the_bot_is_connected_while_all_shards_are(bot: ShardedBot, discord: StandIn) -> None:
    assert bot.shards_connected == 2
    await drop(discord, 1)
    await discord.wait_for(lambda: not bot.connected, "a shard to be missed")
    assert ([session.shard for session in discord.gateway.live], bot.shards_connected) == ([0], 1)
    discord.gateway.hearing.set()
    await discord.wait_for(lambda: bot.connected, "the shard")
    assert (discord.gateway.identified, discord.gateway.resumed) == (2, 1)


async def test_a_new_session_of_a_shard_connects_it_again(bot: ShardedBot, discord: StandIn) -> None:
    """Discord has forgotten the session meanwhile."""
    await drop(discord, 1)
    await discord.wait_for(lambda: not bot.connected, "a shard to be missed")
    for name in [session.id for session in discord.gateway.sessions.values() if session.shard == 1]:
        del discord.gateway.sessions[name]
    discord.gateway.hearing.set()
    await discord.wait_for(lambda: bot.connected, "the shard")
    assert (discord.gateway.identified, discord.gateway.resumed) == (3, 0)


async def test_a_server_that_left_during_a_lost_session_is_noticed(bot: ShardedBot, discord: StandIn) -> None:
    """The new session of its shard does not name it. All other servers stay."""
    world, left = discord.world, discord.guild
    for number in (left.id + 1, left.id ^ 1 << 22):  # one on the same shard, one on the other
        world.guilds[number] = Guild(number, "Elsewhere", world.bot, world.ids.new(), world.ids.new())
        await discord.invite(world.guilds[number])
    await discord.wait_for(lambda: len(bot.guilds) == 3, "the servers")
    shard = (left.id >> 22) % 2
    await drop(discord, shard)
    await discord.wait_for(lambda: not bot.connected, "a shard to be missed")
    left.present = False
    discord.gateway.forget_closed()
    discord.gateway.hearing.set()
    await discord.wait_for(lambda: bot.connected, "the shard")
    assert {guild.id for guild in bot.guilds} == {*world.guilds} - {left.id}


async def test_one_shard_of_two_does_not_connect_the_bot(bot: ShardedBot) -> None:
    for shard in BOTH.ids:
        await bot.on_shard_disconnect(shard)
    await bot.on_shard_resumed(0)
    assert not bot.connected
    await bot.on_disconnect()
    await bot.on_resumed()
    assert not bot.connected
    await bot.on_shard_resumed(1)
    assert bot.connected
