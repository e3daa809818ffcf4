"""Discord accepts a post late or never: the turn stands, and nothing is tried for ever."""

import pytest

from tests.standin import StandIn
from tests.support.routes import FOR_EVER, MESSAGES

from .running import HURRIED, Bot
from .table import Table

MESSAGE = "/channels/{id}/messages/{message}"


def tried(discord: StandIn, table: Table) -> list[int | None]:
    """Return the statuses of posts in the games' channel."""
    there = f"/channels/{table.channel.id}/messages"
    return [call.status for call in discord.called("POST", MESSAGES) if call.path == there]


def statuses(discord: StandIn, method: str = "POST", route: str = MESSAGES) -> list[int | None]:
    """Return the statuses of the calls of a route."""
    return [call.status for call in discord.called(method, route)]


async def test_an_outage_delays_the_board_and_nothing_else(bot: Bot, discord: StandIn, table: Table) -> None:
    """Discord answers 503 twice, cuts a connection, and answers 429 five times and 401 once. The board comes once."""
    await bot.start(HURRIED)
    trouble = [(503, 2), (None, 1), (429, 5), (401, 1)]
    for status, times in trouble:
        discord.fail_next("POST", MESSAGES, status=status, times=times)
    played = await (await table.send(3)).answered()
    assert "Played **b1 → b2** in game" in played.text
    assert len(bot.rows("SELECT text FROM turns")) == 3
    await table.posted(3)
    assert statuses(discord) == [status for status, times in trouble for _ in range(times)] + [200]
    await table.play(4)


async def test_a_hanging_post_is_given_up_and_repeated(bot: Bot, discord: StandIn, table: Table) -> None:
    """One post is tried at a time. Players are answered meanwhile. Boards come in order, each once."""
    await bot.start(HURRIED)
    gate = discord.hold("POST", MESSAGES)
    third = await table.send(3)
    await gate.reached()
    await (await table.send(4)).answered()
    assert gate.held == 1
    await third.answered()
    gate.release()
    later, earlier = await table.posted(4), await table.posted(3)
    assert table.channel.messages.index(earlier) < table.channel.messages.index(later)


@pytest.mark.slow
async def test_a_slow_post_delays_no_acknowledgement(bot: Bot, discord: StandIn, table: Table) -> None:
    """The bot acknowledges before it posts, and serves other people meanwhile."""
    await bot.start()
    gate = discord.hold("POST", MESSAGES)
    played = await (await table.send(3)).acknowledged()
    await gate.reached()
    assert not played.complete
    listed = await (await discord.slash(table.bob, table.channel, "gipf games")).answered()
    assert "#a1" in listed.text
    gate.release()
    await played.answered()
    await table.posted(3)


@pytest.mark.slow
@pytest.mark.parametrize(("status", "code"), [(403, 50001), (404, 10003), (400, 50083)])
async def test_a_refusing_channel_makes_the_game_unreachable(
    bot: Bot, discord: StandIn, table: Table, status: int, code: int
) -> None:
    """There is one try, and no second one soon. The list says so, and `/gipf board` elsewhere relocates the game."""
    await bot.start(HURRIED)
    discord.fail_next("POST", MESSAGES, status=status, code=code, times=FOR_EVER)
    played = await (await table.send(3)).answered()
    assert "Played" in played.text
    await discord.wait_for(lambda: bot.rows("SELECT unreachable FROM games") != [None], what="a note of it")
    listed = await (await discord.slash(table.bob, table.channel, "gipf games")).answered()
    assert "/gipf board" in listed.text
    await discord.wait_for(lambda: bot.rows("SELECT count(*) FROM outbox WHERE done_at IS NULL") == [0], what="calm")
    assert tried(discord, table) == [status]

    discord.forgive()
    attic = await discord.add_channel("attic")
    shown = await (await discord.slash(table.bob, attic, "gipf board")).answered()
    assert "goes on here" in shown.text
    assert len(table.boards(3, attic)) == 1
    await (await table.send(4)).answered()
    await discord.wait_for(lambda: table.boards(4, attic), what="the board in the attic")
    assert table.boards(3) + table.boards(4) == []
    listed = await (await discord.slash(table.bob, attic, "gipf games")).answered()
    assert "/gipf board" not in listed.text


@pytest.mark.slow
async def test_a_post_that_fails_for_a_day_is_given_up(bot: Bot, discord: StandIn, table: Table) -> None:
    """Nothing is tried for ever, even if a later try might succeed."""
    await bot.start(HURRIED)
    discord.fail_next("POST", MESSAGES, status=503, times=FOR_EVER)
    await (await table.send(3)).answered()
    bot.change("UPDATE outbox SET attempts = 24, first_tried_at = first_tried_at - 86401 WHERE done_at IS NULL")
    await discord.wait_for(lambda: bot.rows("SELECT unreachable FROM games") != [None], what="the end of patience")
    assert bot.rows("SELECT dropped FROM outbox WHERE kind = 'board' ORDER BY id DESC LIMIT 1") != [None]
    tries = len(tried(discord, table))
    await (await discord.slash(table.bob, table.channel, "gipf games")).answered()
    assert len(tried(discord, table)) == tries


@pytest.mark.slow
async def test_an_old_board_that_cannot_be_edited_stays(bot: Bot, discord: StandIn, table: Table) -> None:
    """Its buttons should go, but a deleted message or capped edits (30046) stop nothing."""
    discord.world.retry_after, discord.world.old_edits_allowed = 0.001, 0
    await bot.start()
    discord.world.delete(table.boards(2)[0])
    await table.play(3)
    await discord.wait_for(lambda: statuses(discord, "PATCH", MESSAGE) == [404], what="the edit")
    discord.age_messages()
    await table.play(4)
    capped = [404] + [429] * 5  # discord.py's own five tries
    await discord.wait_for(lambda: statuses(discord, "PATCH", MESSAGE) == capped, what="the capped edit")
    await table.play(5)
    await discord.wait_for(lambda: statuses(discord, "PATCH", MESSAGE) == [*capped, 200], what="that of the next")


@pytest.mark.slow
async def test_a_failing_edit_of_the_old_board_spoils_nothing(bot: Bot, discord: StandIn, table: Table) -> None:
    """The new board is posted and the person is answered, whether the edit is cut or hangs."""
    await bot.start(HURRIED)
    discord.fail_next("PATCH", MESSAGE)
    assert "Played" in (await (await table.send(3)).answered()).text
    await table.posted(3)
    discord.hold("PATCH", MESSAGE)
    assert "Played" in (await (await table.send(4)).answered()).text
    await table.posted(4)
    assert statuses(discord) == [200, 200]


@pytest.mark.slow
async def test_a_board_older_than_an_hour_is_not_edited(bot: Bot, discord: StandIn, table: Table) -> None:
    """Discord caps such edits, so the bot spends none. The id of a message tells its age."""
    bot.change("UPDATE games SET board_message = board_message - ?", 3601_000 << 22)
    await bot.start()
    await table.play(3)
    assert statuses(discord, "PATCH", MESSAGE) == []
    await table.play(4)
    await discord.wait_for(lambda: statuses(discord, "PATCH", MESSAGE) == [200], what="the edit of a young one")


@pytest.mark.slow
async def test_a_challenge_closed_before_it_is_posted_stays_unposted(bot: Bot, discord: StandIn, table: Table) -> None:
    """Nobody is pinged to accept a withdrawn challenge."""
    await bot.start(HURRIED)
    discord.fail_next("POST", MESSAGES, status=503, times=FOR_EVER)
    asked = await (await discord.slash(table.cara, table.channel, "gipf challenge")).answered()
    assert "the bot keeps trying" in asked.text
    seeks = await (await discord.slash(table.cara, table.channel, "gipf seeks")).answered()
    await discord.press(table.cara, seeks.messages[0], "1 · Withdraw my challenge")
    # An earlier try may still be on its way, so Discord accepts nothing until the bot owes nothing.
    await discord.wait_for(lambda: bot.rows("SELECT count(*) FROM outbox WHERE done_at IS NULL") == [0], what="calm")
    assert bot.rows("SELECT state FROM challenges ORDER BY id DESC")[0] == "withdrawn"
    discord.forgive()
    last = table.channel.last()
    await table.play(3)
    assert table.channel.messages[-2:] == [last, *table.boards(3)]
