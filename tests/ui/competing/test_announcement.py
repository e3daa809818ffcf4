"""Results in a server's channel for results, from the settings to the message."""

from dataclasses import replace
from typing import Any

import discord
import pytest
import simcord
from sqlalchemy import select

from gipfbot.match import UNTIMED, Game, Seat, Status, Terms, days_per_turn, new_game
from gipfbot.match.ratings import Uncounted
from gipfbot.rules import BASIC, OVERBOARD, Colour, Reason, Result, Ruleset
from gipfbot.service.competing.results import ANNOUNCEMENT, RatedEnd, save_and_rate
from gipfbot.service.delivery.board_message import BoardMessage, new_board_message
from gipfbot.store import tables
from gipfbot.ui.competing.leaderboard_texts import announcement_text
from gipfbot.values import StoredGame
from tests.support.games import PLAYED
from tests.ui.studying import playing
from tests.ui.world import World, buttons, deliver, told

pytestmark = pytest.mark.looks_every(60)
UNRATED = RatedEnd((None, None), (None, None))
SAID = "**Ann** beat **Bob** in 2 turns · Bob resigned · #a1\nStandard: Ann 1662 (+162) · Bob 1338 (-162)"


@pytest.fixture
def results(world: World) -> simcord.ChannelHandle:
    """A channel that everybody sees."""
    return world.guild.create_text_channel("results")


async def announce_in(world: World, channel: simcord.ChannelHandle) -> None:
    """Let a manager choose the channel for results."""
    role = world.guild.create_role("managers", permissions=discord.Permissions(manage_guild=True))
    boss = world.guild.add_member(world.env.create_user("boss"), roles=[role])
    await boss.slash(world.channel, "gipf-server settings", results=channel)
    assert (await world.bot.app.servers.settings(world.guild.id)).results == channel.id


async def resign(world: World, game: int) -> None:
    """Let Bob resign a game, and let all be posted that is owed."""
    done = await world.bot.app.games.resign(game, world.bob.id)
    await world.bot.delivery.deliver(done.owed)
    await deliver(world)


async def end_by_clock(world: World, before: StoredGame, after: Game) -> None:
    """Let a game end as the flag watch ends it, but for its board."""
    async with world.store.transaction() as db:
        await save_and_rate(db, before, after, by=world.ann.id, now=world.bot.app.now())
    await deliver(world)


async def rows(world: World) -> list[Any]:
    """Return all announcements that were ever owed."""
    async with world.store.reading() as db:
        return [*await db.execute(select(tables.outbox).where(tables.outbox.c.kind == ANNOUNCEMENT))]


async def test_result_is_announced_with_its_board(world: World, results: simcord.ChannelHandle) -> None:
    """The whole way. It pings nobody, and anybody can replay the game."""
    await announce_in(world, results)
    await resign(world, await playing(world, *PLAYED[:4]))
    (message,) = world.public(results)
    assert message.content == SAID
    assert buttons(message) == ["Replay"]
    assert world.pings(message) == set()
    assert "White wins" in (message.attachments[0].description or "")
    await world.cara.click(message, label="Replay")
    await deliver(world)
    assert world.public(results) == [message]
    assert world.public()[-1].content.startswith(f"<@{world.ann.id}> <@{world.bob.id}> Ann (White) wins #a1")


async def test_game_played_in_the_channel_itself_is_not_announced(world: World) -> None:
    await announce_in(world, world.channel)
    game = await playing(world, *PLAYED[:4])
    posted = len(world.public())
    await resign(world, game)
    assert len(world.public()) == posted + 1
    assert await rows(world) == []


async def test_crash_before_the_post_announces_once(world: World, results: simcord.ChannelHandle) -> None:
    await announce_in(world, results)
    await world.bot.app.games.resign(await playing(world, *PLAYED[:4]), world.bob.id)
    assert world.public(results) == []
    for _ in range(2):
        await world.restart()
        await deliver(world)
    assert [message.content for message in world.public(results)] == [SAID]


@pytest.mark.parametrize("trouble", ["gone", "forbidden", "off", "elsewhere"])
async def test_channel_that_takes_no_results_disturbs_nothing(
    world: World, results: simcord.ChannelHandle, trouble: str
) -> None:
    """It may be gone, forbidden to the bot, or no longer chosen. The game's own board is posted, and so are others."""
    await announce_in(world, results)
    game = await playing(world, *PLAYED[:4])
    place = world.bot.get_channel(results.id)
    assert isinstance(place, discord.TextChannel)
    if trouble == "gone":
        await place.delete()
        await world.env.settle()
    elif trouble == "forbidden":
        world.fail("POST", f"/channels/{results.id}/messages", 403, 50013)
    done = await world.bot.app.games.resign(game, world.bob.id)
    if trouble in ("off", "elsewhere"):
        other = world.channel.id if trouble == "elsewhere" else None
        await world.bot.app.servers.change(world.guild.id, {"results": other})
    await world.bot.delivery.deliver(done.owed)
    await deliver(world)
    (row,) = await rows(world)
    assert row.done_at is not None
    assert row.message is None
    stored = await world.stored(game)
    assert not stored.unreachable
    assert world.public()[-1].content.endswith("Bob resigned")
    if trouble == "forbidden":
        await resign(world, await playing(world, *PLAYED[:4]))
        assert len(world.public(results)) == 1


def ended(result: Result, turns: int = 44, terms: Terms = UNTIMED, ruleset: Ruleset = BASIC) -> BoardMessage:
    """Return the last board of a game."""
    game = new_game(1, ruleset, (Seat(1, "A_nn"), Seat(2, "Bob")), terms)
    position = game.position._replace(result=result)
    return new_board_message(replace(game, position=position, turn_number=turns, status=Status.OVER))


@pytest.mark.parametrize(
    ("board", "end", "said"),
    [
        (
            ended(Result(Colour.BLACK, Reason.RESERVE)),
            RatedEnd(((1500, 1486), (1468, 1468)), (None, None)),
            (
                "**Bob** beat **A\\_nn** in 22 turns · A\\_nn has no piece left in reserve to push · #a1\n"
                "Basic: A\\_nn 1486 (-14) · Bob 1468 (+0)"
            ),
        ),
        (
            ended(Result(None, Reason.AGREEMENT), 3, ruleset=OVERBOARD),
            UNRATED,
            "**A\\_nn** and **Bob** drew in 2 turns · both agreed · #a1",
        ),
        (
            ended(Result(Colour.BLACK, Reason.TIME), 2, Terms(days_per_turn(1))),
            UNRATED,
            "**Bob** beat **A\\_nn** in 1 turn · A\\_nn's time was over · #a1",
        ),
        (
            ended(Result(Colour.BLACK, Reason.TIME), 4, Terms(days_per_turn(1))),
            RatedEnd(((1486, 1486), (1468, 1479)), (Uncounted.AWAY, None)),
            (
                "**Bob** beat **A\\_nn** in 2 turns · A\\_nn's time was over · #a1\n"
                "Basic: A\\_nn 1486 (not counted: away since another loss on time) · Bob 1479 (+11)"
            ),
        ),
        (
            ended(Result(Colour.WHITE, Reason.RESIGN), 4),
            RatedEnd((None, None), (Uncounted.PAIR, Uncounted.PAIR)),
            (
                "**A\\_nn** beat **Bob** in 2 turns · Bob resigned · #a1\n"
                "Basic: not counted, since 5 games of these two have counted this month"
            ),
        ),
        (
            ended(Result(Colour.BLACK, Reason.TIME), 0),
            UNRATED,
            "**Bob** beat **A\\_nn** · A\\_nn did not play within 7 days of the claim · #a1",
        ),
    ],
)
def test_each_way_to_end_is_told(board: BoardMessage, end: RatedEnd, said: str) -> None:
    assert announcement_text(board, end) == said


async def test_game_without_turns_has_a_board_instead_of_a_replay(world: World, results: simcord.ChannelHandle) -> None:
    await announce_in(world, results)
    stored = await world.stored(await world.begin())
    won = stored.game.position._replace(result=Result(Colour.BLACK, Reason.TIME))
    await end_by_clock(world, stored, replace(stored.game, position=won, status=Status.OVER, version=9))
    (message,) = world.public(results)
    assert buttons(message) == ["Board"]
    assert "Bob" in told(await world.cara.click(message, label="Board"))
