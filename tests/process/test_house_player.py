"""The bot as a process plays with its real engine, which is a process, too."""

import os
from pathlib import Path
from signal import SIGKILL

import pytest

from gipfbot.notation import parse_position, turn_text
from gipfbot.rules import turns
from tests.standin import StandIn
from tests.standin.interaction import eventually
from tests.support.routes import MESSAGES

from .backups import WATCHFUL, back_up, put_back
from .bot_games import begin_in_channel
from .running import OWED, WAKEFUL, Bot
from .table import Table, turns_shown

GAME = "SELECT position, turn_number, id FROM games WHERE level IS NOT NULL"
ENTERED = "SELECT how FROM turns WHERE game = (SELECT id FROM games WHERE level = 1) ORDER BY turn_number"
ENDED = "SELECT status FROM games WHERE level IS NOT NULL"


def engines(bot: Bot) -> list[int]:
    """Return the processes of the bot that are engines."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            parent = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
            words = (folder / "cmdline").read_bytes().split(b"\0")
        except OSError:  # it has ended
            continue
        if parent == bot.pid and b"engine" in words:
            found.append(int(folder.name))
    return found


async def challenge(discord: StandIn, table: Table, level: int, colour: str = "white") -> None:
    await begin_in_channel(discord, table.ann, table.channel, str(level), colour)


async def play(bot: Bot, discord: StandIn, table: Table) -> None:
    """Let Ann play a legal turn against the bot."""
    (line, number, game) = bot.rows(GAME)[0]
    position = parse_position(line)
    text = turn_text(position, next(iter(turns(position)))[0].actions)
    typed = await discord.slash(table.ann, table.channel, "move", notation=text, game=f"#{chr(96 + game)}1")
    await typed.answered()
    assert bot.rows(GAME)[0][1] > number


async def answered(bot: Bot, discord: StandIn, number: int) -> None:
    """Wait until so many turns were played, and all boards were posted."""
    await eventually(lambda: bot.rows(GAME)[0][1] == number, f"turn {number}")
    await discord.wait_for(lambda: bot.rows(OWED) == [0], what="the boards")


async def test_beginner_plays_with_the_real_engine(bot: Bot, discord: StandIn, table: Table) -> None:
    await bot.start(WAKEFUL)
    await challenge(discord, table, level=1)
    for number in (2, 4, 6):
        await play(bot, discord, table)
        await answered(bot, discord, number)
    assert bot.rows(ENTERED) == ["typed", "house"] * 3
    (engine,) = engines(bot)
    await bot.end()
    await eventually(lambda: not Path(f"/proc/{engine}/cmdline").exists(), "the end of the engine")


async def test_engine_killed_while_it_thinks_is_asked_again(bot: Bot, discord: StandIn, table: Table) -> None:
    await bot.start(WAKEFUL)
    await challenge(discord, table, 3, colour="black")
    await eventually(lambda: engines(bot), "an engine")
    (engine,) = engines(bot)
    os.kill(engine, SIGKILL)
    await answered(bot, discord, 1)
    assert engines(bot) != [engine]
    assert "played by the rules alone" not in bot.log


async def test_bot_killed_while_it_thinks_plays_after_its_restart(bot: Bot, discord: StandIn, table: Table) -> None:
    await bot.start(WAKEFUL)
    await challenge(discord, table, 3, colour="black")
    await eventually(lambda: engines(bot), "an engine")
    await bot.restart(WAKEFUL)
    await answered(bot, discord, 1)
    await play(bot, discord, table)
    await answered(bot, discord, 3)
    assert bot.rows(ENDED) == ["running"]


async def test_game_in_direct_messages_goes_on_after_a_restart(bot: Bot, discord: StandIn, table: Table) -> None:
    """Its boards are found among the bot's own messages there, so each comes once."""
    await bot.start(WAKEFUL)
    place = discord.dm(table.ann)
    asked = {"opponent": discord.world.bot, "colour": "white", "rules": "basic"}
    await (await discord.slash(table.ann, place, "gipf challenge", **asked)).answered()
    await answered(bot, discord, 0)
    for number in (2, 4):
        line, _, game = bot.rows(GAME)[0]
        text = turn_text(parse_position(line), next(iter(turns(parse_position(line))))[0].actions)
        await (await discord.slash(table.ann, place, "move", notation=text)).answered()
        await answered(bot, discord, number)
        await bot.restart(WAKEFUL)
    assert len(table.boards(channel=place)) == 5
    assert bot.rows("SELECT server, channel FROM games WHERE level = 2") == [(None, place.id)]
    assert game


# An engine that never answers: the bot's turn stays leased.
THOUGHTFUL = f"""{WATCHFUL}
import asyncio
from gipfbot.engines.engine_process import EngineProcess
async def think(self, request):
    await asyncio.Event().wait()
EngineProcess.exchange = think
"""
LEASED = "SELECT count(*) FROM due WHERE kind = 'house' AND at > unixepoch() + 60"


@pytest.mark.sqlite
async def test_a_turn_due_at_the_backup_is_played_once_after_the_restore(
    bot: Bot, discord: StandIn, table: Table
) -> None:
    """The backup was made while the bot was thinking. In the lost time it had answered, and Ann had played on."""
    await bot.start(THOUGHTFUL)
    await challenge(discord, table, level=1, colour="black")
    await eventually(lambda: bot.rows(LEASED) == [1], "the lease")
    await discord.wait_for(lambda: bot.rows(OWED) == [0], what="the first board")
    backup = await back_up(bot, "by hand")
    await bot.kill()
    await bot.start(WATCHFUL)
    await answered(bot, discord, 1)
    await play(bot, discord, table)
    await answered(bot, discord, 3)
    await bot.kill()

    put_back(bot, backup)
    before = len(table.channel.messages)
    await bot.start(WATCHFUL)
    await answered(bot, discord, 1)
    await play(bot, discord, table)
    await answered(bot, discord, 3)
    assert bot.rows(ENTERED) == ["house", "typed", "house"]
    posted = [board for board in table.channel.messages[before:] if "#b1" in board.content]
    assert [turns_shown(board) for board in posted] == [0, 1, 2, 3]
    assert ["restored from a backup" in board.content for board in posted] == [True, False, False, False]
    nonces = [call.payload["nonce"] for call in discord.called("POST", MESSAGES)]
    assert len(nonces) == len({*nonces})
    assert bot.rows("SELECT count(*) FROM due WHERE kind = 'house' AND done_at IS NULL") == [0]
