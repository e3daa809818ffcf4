"""Players choose a program that the host has seated beside the bot. It is a real process that speaks the lines."""

import json
import shlex

import pytest

from gipfbot.notation import parse_position, turn_text
from gipfbot.rules import turns
from tests.engines.fake_engine import TURN
from tests.engines.processes import fake
from tests.standin import StandIn
from tests.standin.interaction import eventually

from .bot_games import begin_in_channel
from .running import OWED, WAKEFUL, Bot
from .table import Table

PLAYED = "SELECT text, how FROM turns WHERE game = ? ORDER BY turn_number"
POSITION = "SELECT position FROM games WHERE id = ?"
NEWEST = "SELECT max(id) FROM games"
CANT_GO_ON = "stubborn can't go on. The bot itself plays from here, at the same level."


@pytest.fixture
def bot(bot: Bot) -> Bot:
    """Return the bot with an engine that always plays the same turn, which is legal only once."""
    bot.settings["GIPFBOT_ENGINES"] = f"stubborn={shlex.join(fake('good'))}; other={shlex.join(fake('good'))}"
    return bot


async def challenge(bot: Bot, discord: StandIn, table: Table, level: str) -> int:
    """Return a new game in which Ann plays Black."""
    await begin_in_channel(discord, table.ann, table.channel, level, "black", "standard")
    return int(bot.rows(NEWEST)[0])


async def played(bot: Bot, discord: StandIn, game: int, number: int) -> list[tuple[str, str]]:
    """Wait until so many turns were played and posted, and return them with how they were entered."""
    await eventually(lambda: len(bot.rows(PLAYED, game)) == number, f"turn {number}")
    await discord.wait_for(lambda: bot.rows(OWED) == [0], what="the boards")
    return bot.rows(PLAYED, game)


async def play(bot: Bot, discord: StandIn, table: Table, game: int) -> None:
    """Let Ann play any turn."""
    position = parse_position(bot.rows(POSITION, game)[0])
    text = turn_text(position, next(iter(turns(position)))[0].actions)
    await (await discord.slash(table.ann, table.channel, "move", notation=text, game=f"#{chr(96 + game)}1")).answered()


async def test_chosen_engine_plays_until_it_fails(bot: Bot, discord: StandIn, table: Table) -> None:
    await bot.start(WAKEFUL)
    asked = {"focused": "level", "value": "STUB"}
    offered = await discord.autocomplete(table.ann, table.channel, "gipf bot", **asked)
    assert [choice["value"] for choice in offered] == [f"stubborn {level}" for level in range(1, 9)]
    game = await challenge(bot, discord, table, "stubborn 3")
    assert await played(bot, discord, game, 1) == [(TURN, "house")]
    for number in (3, 5):
        await play(bot, discord, table, game)
        await played(bot, discord, game, number)
    entered = ["house", "typed", "stand-in", "typed", "house"]
    assert [how for _, how in bot.rows(PLAYED, game)] == entered
    assert bot.log.count("The engine stubborn failed 3 times, so the bot's own search goes on in game #b1.") == 1
    boards = [board for board in table.boards() if "#b1" in board.content]
    assert all("stubborn Amateur" in board.content for board in boards)
    assert sum(CANT_GO_ON in board.content for board in boards) == 1, (
        "a board that waited may have given way to the next"
    )


async def test_rematch_is_played_by_the_chosen_engine(bot: Bot, discord: StandIn, table: Table) -> None:
    await bot.start(WAKEFUL)
    game = await challenge(bot, discord, table, "stubborn 3")
    await played(bot, discord, game, 1)
    asked = await (await discord.slash(table.ann, table.channel, "gipf resign", game="#b1")).answered()
    await discord.press(table.ann, asked.messages[0], "Resign")
    await discord.wait_for(lambda: "wins #b1" in table.channel.last().content, what="the end")
    await discord.press(table.ann, table.channel.last(), "Rematch")
    await discord.wait_for(lambda: "#c1" in table.channel.last().content, what="the rematch")
    assert "vs stubborn Amateur" in table.channel.last().content
    assert json.loads(bot.rows("SELECT terms FROM games WHERE id = 3")[0])["house"]["engine"] == "stubborn"
    await play(bot, discord, table, 3)
    assert (await played(bot, discord, 3, 2))[1] == (TURN, "house")


async def test_bot_goes_on_for_an_engine_that_is_seated_no_more(bot: Bot, discord: StandIn, table: Table) -> None:
    await bot.start(WAKEFUL)
    game = await challenge(bot, discord, table, "stubborn 3")
    await played(bot, discord, game, 1)
    await bot.end()
    bot.settings["GIPFBOT_ENGINES"] = f"other={shlex.join(fake('good'))}"
    await bot.start(WAKEFUL)
    for number in (3, 5):
        await play(bot, discord, table, game)
        await played(bot, discord, game, number)
    assert [how for _, how in bot.rows(PLAYED, game)] == ["house", "typed", "stand-in", "typed", "house"]
    assert bot.log.count("The engine stubborn is not seated, so the bot's own search goes on in game #b1.") == 1
    assert [CANT_GO_ON in board.content for board in table.boards() if "#b1" in board.content].count(True) == 1


async def test_unknown_engine_is_refused_in_a_sentence(bot: Bot, discord: StandIn, table: Table) -> None:
    await bot.start()
    for text in ("gf9 3", "stubborn 9", "3 4"):
        sent = await discord.slash(table.ann, table.channel, "gipf bot", level=text)
        said = (await sent.answered()).text
        assert said == f"`{text}` isn't a level. Choose one that is suggested, such as **3** or **other 3**."
    assert bot.rows(NEWEST) == [1]
