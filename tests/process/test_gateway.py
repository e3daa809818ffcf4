"""After lost connections, late answers and presses of old buttons the bot goes on, and says what is wrong."""

from functools import partial

import pytest

from tests.standin import StandIn
from tests.standin.interaction import Interaction
from tests.support.routes import CALLBACK

from .running import HURRIED, Bot
from .table import Table


async def test_a_dropped_gateway_is_resumed(bot: Bot, discord: StandIn, table: Table) -> None:
    """The connection is cut or closed. Turns typed meanwhile and later are played, in the same session."""
    await bot.start()
    await discord.drop_gateway()
    await table.play(3, 4)
    await discord.drop_gateway(4000)
    await table.play(5, 6)
    assert (discord.gateway.identified, discord.gateway.resumed) == (1, 2)


@pytest.mark.slow
async def test_a_session_that_discord_forgot_is_begun_again(bot: Bot, discord: StandIn, table: Table) -> None:
    """After INVALID_SESSION the bot identifies again, and the game goes on."""
    await bot.start()
    await discord.forget_sessions()
    await discord.ready()
    await table.play(3, 4)
    assert (discord.gateway.identified, discord.gateway.resumed) == (2, 0)


@pytest.mark.slow
async def test_a_gateway_that_is_down_is_retried(bot: Bot, discord: StandIn, table: Table) -> None:
    """The bot waits and comes back by itself. Meanwhile it posts what it owes."""
    await bot.start(HURRIED)
    discord.fail_next("POST", "/channels/{id}/messages", status=503)
    await (await table.send(3)).answered()
    await discord.gateway_down()
    await table.posted(3)
    await discord.wait_for(lambda: discord.gateway.refused, what="an attempt to come back")
    discord.gateway_up()
    await discord.ready()
    await table.play(4)
    bot.expect("Attempting a reconnect")


async def test_a_gateway_down_at_the_start_gives_one_sentence(bot: Bot, discord: StandIn) -> None:
    """The exit code is 1, so that the host's supervisor tries again."""
    await discord.gateway_down()
    assert await (await bot.launch()).wait() == 1
    assert bot.log.splitlines()[-1].startswith("Discord cannot be reached (the gateway does not answer)")
    bot.expect("Attempting a reconnect")


async def test_a_gateway_down_at_the_start_ends_a_sharded_bot_too(bot: Bot, discord: StandIn) -> None:
    """discord.py would try again without end, and log a traceback each time."""
    discord.world.shards = 2
    await discord.gateway_down()
    assert await (await bot.launch()).wait() == 1
    assert bot.log.splitlines()[-1].startswith("Discord cannot be reached (WSServerHandshakeError: 503")


# The bot asks how many shards it should have, without waiting between two tries.
IMPATIENT = """
from gipfbot.ui import sharded_bot
sharded_bot.ADVICE_PAUSES = (0, 0, 0)
"""


async def test_no_advice_at_the_start_gives_one_sentence(bot: Bot, discord: StandIn) -> None:
    """Only a bot that is told its shards starts without advice."""
    discord.fail_next("GET", "/gateway/bot", status=503, times=4)
    assert await (await bot.launch(IMPATIENT)).wait() == 1
    assert bot.log.splitlines()[-1].startswith("Discord cannot be reached (ClientResponseError: 503")
    discord.fail_next("GET", "/gateway/bot", status=503, times=4)
    bot.settings["GIPFBOT_SHARDS"] = "0-0/1"
    await bot.start(IMPATIENT)


async def test_a_bot_that_is_told_to_stop_waits_for_no_advice(bot: Bot, discord: StandIn) -> None:
    gate = discord.hold("GET", "/gateway/bot")
    await bot.launch()
    await discord.wait_for(lambda: gate.held, what="the bot to ask")
    assert await bot.end() == 0
    assert gate.held == 1


@pytest.mark.parametrize(
    ("shards", "code", "right"), [("", 12, "start it again"), ("0-0/1", 10, "write auto for GIPFBOT_SHARDS")]
)
async def test_a_bot_with_too_few_shards_ends_with_a_sentence(
    bot: Bot, discord: StandIn, shards: str, code: int, right: str
) -> None:
    """Discord closes the connection with 4011. A later start mends that if it asks Discord how many it wants."""
    bot.settings["GIPFBOT_SHARDS"] = shards
    await bot.start()
    await discord.drop_gateway(4011)
    assert await bot.ended() == code
    assert right in bot.log.splitlines()[-1]


@pytest.mark.slow
async def test_a_reset_token_ends_the_bot_with_a_sentence(bot: Bot, discord: StandIn) -> None:
    """Discord closes the connection with 4004: only a new token helps."""
    await bot.start()
    await discord.drop_gateway(4004)
    ended = await bot.ended()
    assert ended == 2
    assert bot.log.splitlines()[-1].startswith("GIPFBOT_TOKEN is not a token that Discord knows")


@pytest.mark.slow
async def test_an_answer_that_comes_too_late_breaks_nothing(bot: Bot, discord: StandIn, table: Table) -> None:
    """Discord answers 10062 to a command and to a button. Later ones work.

    The log has a line for each interaction, and one warning without traceback for both.
    """
    await bot.start()
    gate = discord.hold("POST", CALLBACK)
    late = [await table.send(3), await discord.press(table.ann, table.channel.last(), "Move")]
    await discord.wait_for(lambda: gate.held == 2, what="both answers at the gate")
    discord.age_tokens(3.1)
    gate.release()
    await discord.wait_for(lambda: bot.log.count('outcome="too late"') == 2, what="a line for each")
    assert bot.log.count("an interaction was answered too late") == 1
    assert [interaction.answer for interaction in late] == [None, None]
    assert len(bot.rows("SELECT text FROM turns")) == 2
    await table.play(3)


@pytest.mark.slow
async def test_an_old_button_leads_to_the_newest_board(bot: Bot, discord: StandIn, table: Table) -> None:
    """A press of an old button, even from before a restart, plays nothing and is answered."""
    await bot.start()
    await table.play(3)
    await bot.restart()
    old, newest = table.boards(2)[0], table.boards(3)[0]
    told = await (await discord.press(table.ann, old, "Move", seen=old.revisions[0])).followed_up()
    assert f"https://discord.com/channels/{discord.guild.id}/{table.channel.id}/{newest.id}" in told.text
    assert told.ephemeral
    assert old.custom_ids == []


@pytest.mark.slow
async def test_an_old_desk_shows_the_current_board(bot: Bot, discord: StandIn, table: Table) -> None:
    """A push that was chosen before another turn and a restart is not played."""
    await bot.start()
    desk = await (await discord.press(table.ann, table.channel.last(), "Move")).followed_up()
    await discord.press(table.ann, desk, "b1")
    await discord.wait_for(lambda: desk.edits, what="the piece on its dot")
    await table.play(3, 4)
    await bot.restart()
    push = next(name for name in desk.custom_ids if ":push:" in name)
    await discord.press(table.ann, desk, push)
    await discord.wait_for(lambda: desk.edits == 2, what="the desk as it stands")
    assert "The game has moved on." in desk.text
    assert "your turn 3 as White" in desk.text
    assert len(bot.rows("SELECT text FROM turns")) == 4


@pytest.mark.slow
async def test_the_wrong_person_is_refused_politely(bot: Bot, discord: StandIn, table: Table) -> None:
    """The wrong person is the player who waits, or a guest at a challenge for somebody else. A spectator may look."""
    await bot.start()
    challenge = await discord.slash(table.bob, table.channel, "gipf challenge", opponent=table.ann)
    await challenge.answered()
    refusals = [
        (await discord.press(table.cara, table.boards(2)[0], "Move"), "waiting for Ann"),
        (
            await discord.press(table.bob, table.boards(2)[0], "Move"),
            "It's not your turn. **#a1** is waiting for Ann.",
        ),
        (await discord.slash(table.bob, table.channel, "move", notation="b1-b3", game="#a1"), "It's not your turn"),
        (await discord.press(table.cara, table.channel.last(), "Accept"), "This challenge is for Ann."),
    ]
    for refused, sentence in refusals:
        await refused.answered()
        await discord.wait_for(partial(_privately, refused), what=sentence)
        assert sentence in refused.messages[-1].text
    assert len(bot.rows("SELECT text FROM turns")) == 2


def _privately(refused: Interaction) -> bool:
    return bool(refused.messages) and refused.messages[-1].ephemeral
