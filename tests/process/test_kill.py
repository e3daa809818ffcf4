"""The bot is killed at the worst moment: no turn is stored in part, and each has exactly one board."""

import pytest

from tests.standin import StandIn
from tests.support.routes import MESSAGES

from .running import OWED, STALLING, Bot
from .table import Table

TURNS = "SELECT text FROM turns ORDER BY turn_number"
NONCE_LAPSED = 200  # seconds


async def killed_while_posting(bot: Bot, table: Table, *, after_accepting: bool) -> None:
    """Kill the bot when turn 3 is committed and its post is on its way."""
    gate = table.discord.hold("POST", MESSAGES, after_accepting=after_accepting)
    await table.send(3)
    await gate.reached()
    await bot.kill()
    gate.release()
    assert len(bot.rows(TURNS)) == 3
    assert bot.rows(OWED) == [1]
    assert len(table.boards(3)) == after_accepting


def lapse(bot: Bot, discord: StandIn) -> None:
    """Let Discord forget all nonces."""
    discord.age_messages()
    bot.change("UPDATE outbox SET first_tried_at = first_tried_at - ? WHERE done_at IS NULL", NONCE_LAPSED)


@pytest.mark.parametrize("after_accepting", [pytest.param(False, marks=pytest.mark.slow), True])
async def test_killed_while_posting_there_is_one_board(
    bot: Bot, discord: StandIn, table: Table, after_accepting: bool
) -> None:
    """The turn is committed. It makes no difference whether Discord accepted the post."""
    await bot.start()
    await killed_while_posting(bot, table, after_accepting=after_accepting)
    await bot.start()
    board = await table.posted(3)
    await discord.wait_for(lambda: bot.rows(OWED) == [0], what="a note of it")
    nonces = {call.payload["nonce"] for call in discord.called("POST", MESSAGES)}
    assert len(nonces) == 1
    await table.play(4)
    assert len(table.boards(3)) == 1
    assert board.custom_ids == []


@pytest.mark.slow
@pytest.mark.parametrize("after_accepting", [False, True])
async def test_restarted_after_the_nonce_lapsed_there_is_one_board(
    bot: Bot, discord: StandIn, table: Table, after_accepting: bool
) -> None:
    """A post that Discord accepted is found among later messages. A post that it did not accept is repeated."""
    await bot.start()
    await killed_while_posting(bot, table, after_accepting=after_accepting)
    lapse(bot, discord)
    for number in range(60):
        discord.say(table.cara, table.channel, f"What a game! {number}")
    await bot.start()
    await discord.wait_for(lambda: bot.rows(OWED) == [0], what="the delivery")
    board = await table.posted(3)
    assert bot.rows("SELECT message FROM outbox ORDER BY id DESC LIMIT 1") == [board.id]
    assert bot.rows("SELECT board_message FROM games") == [board.id]


@pytest.mark.slow
async def test_killed_while_posting_the_last_board_is_posted_once(bot: Bot, discord: StandIn, table: Table) -> None:
    await bot.start()
    await table.begin()
    asked = await (await discord.slash(table.bob, table.channel, "gipf resign", game="#b1")).answered()
    gate = discord.hold("POST", MESSAGES, after_accepting=True)
    await discord.press(table.bob, asked.messages[0], "Resign")
    await gate.reached()
    await bot.kill()
    gate.release()
    lapse(bot, discord)
    await bot.start()
    await discord.wait_for(lambda: bot.rows(OWED) == [0], what="the delivery")
    assert [m for m in table.boards() if "wins" in m.content] == [table.channel.last()]


@pytest.mark.slow
async def test_killed_while_posting_a_challenge_is_posted_once(bot: Bot, discord: StandIn, table: Table) -> None:
    """It is found after the nonce has lapsed, and can be accepted."""
    await bot.start()
    gate = discord.hold("POST", MESSAGES, after_accepting=True)
    await discord.slash(table.ann, table.channel, "gipf challenge", opponent=table.bob)
    await gate.reached()
    await bot.kill()
    gate.release()
    lapse(bot, discord)
    await bot.start()
    await discord.wait_for(lambda: bot.rows(OWED) == [0], what="the delivery")
    (challenge,) = [message for message in table.channel.messages if "challenges you" in message.content]
    await discord.press(table.bob, challenge, "Accept")
    await discord.wait_for(lambda: "accepted" in challenge.content, what="the end of the challenge")
    assert len(bot.rows("SELECT id FROM games")) == 2


@pytest.mark.parametrize("moment", ["INSERT ON turns", pytest.param("INSERT ON outbox", marks=pytest.mark.slow)])
async def test_killed_in_the_transaction_nothing_is_stored(bot: Bot, table: Table, moment: str) -> None:
    """The bot is killed before the turn is written or after its board is owed. The turn can be played again."""
    await bot.start(STALLING)
    before = bot.rows("SELECT position, turn_number, version FROM games"), bot.rows(TURNS)
    bot.stall(moment)
    await table.send(3)
    await bot.stalled()
    await bot.kill()
    bot.go_on()
    assert (bot.rows("SELECT position, turn_number, version FROM games"), bot.rows(TURNS)) == before
    assert bot.rows(OWED) == [0]
    await bot.start()
    await table.play(3)


async def test_killed_before_noting_the_post_there_is_one_board(bot: Bot, table: Table) -> None:
    """The post is found after the restart."""
    await bot.start(STALLING)
    bot.stall("UPDATE OF done_at ON outbox")
    await table.send(3)
    await bot.stalled()
    await bot.kill()
    bot.go_on()
    assert len(bot.rows(TURNS)) == 3
    assert bot.rows(OWED) == [1]
    await bot.start()
    await table.posted(3)
    await table.play(4)
    assert len(table.boards(3)) == 1
