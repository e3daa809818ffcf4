"""Discord's limits: waited for, counted, and never the end of the bot."""

import asyncio
from types import SimpleNamespace

import pytest
from pydantic import SecretStr

from gipfbot.app import create_bot
from gipfbot.match import REQUEST_LIFETIME, Side
from gipfbot.rules import STANDARD
from gipfbot.settings import Settings
from gipfbot.ui.kit import request_watch, texts
from gipfbot.ui.kit.client import Interaction
from gipfbot.ui.kit.components import split_mark
from gipfbot.ui.kit.interactions import KINDS
from gipfbot.ui.kit.request_watch import INVALID_SECONDS, MOST_RECENT
from gipfbot.ui.lobby.open_challenges import close_expired_challenges
from tests.support.routes import MESSAGES
from tests.support.steady_clock import Seconds
from tests.support.terms import THREE_DAYS
from tests.support.times import HANGS

from .house import House, said

DISCORD_PYS_TRIES = 5  # of each request that meets a limit
EDITS = "/channels/{id}/messages/{message}"


# ── 429 ──


async def test_a_global_limit_longer_than_a_try_mutes_nobody_for_good(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """discord.py lets all requests wait for it, and the one that would end the wait is cancelled."""
    game = await house.begin(thread=False)
    monkeypatch.setattr(request_watch, "LIMIT_MARGIN", 0)
    house.discord.fail_next("POST", MESSAGES, status=429, scope="global", retry_after=3)
    trying = asyncio.create_task(house.play(game))
    await house.discord.wait_for(lambda: not house.bot.http._global_over.is_set(), what="the limit")
    trying.cancel()
    async with asyncio.timeout(HANGS):
        while said(house.channel)[-1] != "board 1":
            await house.sweep(60)
    assert len(house.discord.invalid_requests) == house.bot.invalid_requests.count == 1


@pytest.mark.parametrize(("scope", "counts"), [("user", 2), ("shared", 0), ("global", 2)])
async def test_a_short_limit_only_delays_the_board(house: House, scope: str, counts: int) -> None:
    """A limit that others have used up does not count as the bot's fault."""
    game = await house.begin(thread=False)
    house.discord.fail_next("POST", MESSAGES, status=429, scope=scope, times=2)
    assert await house.play(game)
    assert said(house.channel)[1:] == ["board 0", "board 1"]
    assert len(house.discord.invalid_requests) == house.bot.invalid_requests.count == counts


async def test_host_says_how_many_requests_go_out_in_a_second(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    delays = list[float]()

    async def wait(seconds: float) -> None:
        delays.append(seconds)

    settings = Settings(token=SecretStr("MTk4.Cl2FMQ.ZnCjm1XVW7vRze4b7Cq4se7kKWs"), requests_per_second=1)
    made = create_bot(house.app.games.store, settings)
    house.bot.watch._pace = made.watch._pace
    await made.close()
    monkeypatch.setattr(request_watch, "asyncio", SimpleNamespace(sleep=wait))
    game = await house.begin(thread=False)
    assert await house.play(game)
    first, *others = delays
    assert first == 0
    assert len(others) > 1
    assert [round(delay) for delay in others] == [1] * len(others), "nobody waits, so all are as of one second"


async def test_capped_edits_of_old_messages_hold_nothing_up(house: House) -> None:
    """An expired challenge is closed, though its message cannot say so (30046). Its button does."""
    ann, bob = house.seats()
    game = await house.begin(thread=False)
    _, owed = await house.app.lobby.challenge(ann, bob, STANDARD, Side.WHITE, house.home())
    await house.bot.delivery.deliver(owed)
    challenge, house.discord.world.old_edits_allowed = house.channel.last(), 0
    house.discord.age_messages()
    house.clock.moved += REQUEST_LIFETIME + 1
    await close_expired_challenges(house.bot)
    assert [call.status for call in house.discord.called("PATCH", EDITS)] == [429] * DISCORD_PYS_TRIES
    assert challenge.edits == 0
    assert await house.play(game)
    await house.connect()
    pressed = await house.discord.press(house.discord.user("bob"), challenge, "Accept")
    assert "expired" in (await pressed.followed_up()).text


# ── Invalid requests ──


async def test_too_many_invalid_requests_stop_all_but_answers(
    house: House, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """What is owed stays owed, until Discord has forgotten enough of them."""
    seconds = Seconds()
    monkeypatch.setattr(request_watch, "MOST_INVALID", 3)
    monkeypatch.setattr(request_watch, "FEW_INVALID", 1)
    house.bot.invalid_requests.steady = seconds
    games = [await house.begin(terms=THREE_DAYS, thread=False) for _ in range(2)]
    house.discord.fail_next("POST", MESSAGES, status=401, times=3)
    for _ in range(3):
        seconds.now += 1
        await house.play(games[0]) if house.bot.invalid_requests.count == 0 else await house.sweep(60)
    assert house.bot.invalid_requests.stopped
    assert caplog.text.count("nothing is posted or edited") == 1

    requests = len(house.discord.counted_requests)
    assert not await house.play(games[1])
    await house.sweep(60)
    assert len(house.discord.counted_requests) == requests
    await house.connect()
    pressed = await house.discord.press(house.discord.user("cara"), house.channel.last(), texts.MOVE_LABEL)
    assert "out of date" in (await pressed.followed_up()).text
    assert len(house.discord.counted_requests) == requests

    seconds.now += INVALID_SECONDS
    await house.sweep(60)
    assert said(house.channel).count("board 1") == 2
    assert "requests to Discord go on" in caplog.text
    caplog.clear()


async def test_a_press_that_needs_a_stopped_request_is_told_so(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """Few do, such as `/gipf board` for a game on another server."""

    async def ask_discord(interaction: Interaction, **_: object) -> None:
        await interaction.client.fetch_channel(1)

    await house.begin(thread=False)
    board = house.channel.last()
    kind = split_mark(board.custom_ids[0])[0].partition(":")[0]
    monkeypatch.setitem(KINDS, kind, KINDS[kind]._replace(handler=ask_discord))
    monkeypatch.setattr(house.bot.watch, "is_stopped", lambda: True)
    await house.connect()
    pressed = await house.discord.press(house.discord.user("ann"), board, board.custom_ids[0])
    assert (await pressed.followed_up()).text == texts.REQUESTS_STOPPED


# ── Requests that can be spared ──


async def test_a_turn_costs_one_request_while_many_go_out(house: House) -> None:
    """Old boards keep their buttons then, which say that they are old. Later boards lose theirs again."""
    games, seconds = [await house.begin(thread=False) for _ in range(4)], Seconds()
    house.bot.watch.recent.steady = seconds
    house.bot.watch.recent._moments.clear()
    before = len(house.discord.counted_requests)
    for _ in range(6):
        for game in games:
            assert await house.play(game)
    made = house.discord.counted_requests[before:]
    assert sum(call.method == "POST" for call in made) == 24
    assert [call.method for call in made].index("PATCH") == 1
    assert len(made) == 24 + MOST_RECENT // 2
    assert {call.method for call in made[MOST_RECENT:]} == {"POST"}

    spared = [message for message in house.channel.messages if message.custom_ids and "b1 → b2" in message.content]
    await house.connect()
    pressed = await house.discord.press(house.discord.user("ann"), spared[0], texts.MOVE_LABEL)
    await pressed.followed_up()
    await house.discord.wait_for(lambda: spared[0].custom_ids == [], what="an old board without buttons")

    seconds.now += 1
    patches = len(house.discord.called("PATCH", EDITS))
    assert await house.play(games[0])
    assert len(house.discord.called("PATCH", EDITS)) == patches + 1


async def test_buttons_are_left_where_a_channel_takes_few_more_edits(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The player would wait until Discord takes more."""
    game = await house.begin(thread=False)
    monkeypatch.setattr(house.bot.watch, "takes_edits", lambda channel: channel != house.channel.id)
    before = len(house.discord.called("PATCH", EDITS))
    assert await house.play(game)
    assert len(house.discord.called("PATCH", EDITS)) == before
