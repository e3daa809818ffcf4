"""The first start, a whole short game, and wrong settings."""

from pathlib import Path

import pytest

from tests.standin import StandIn
from tests.support import postgres
from tests.support.migrations import LATER, MADE_LATER

from .running import HURRIED, Begun, Bot
from .table import Table

# Says how soon a busy thread lets another one go on.
SAY_SWITCHING = """
import sys
switch = sys.setswitchinterval
sys.setswitchinterval = lambda seconds: (switch(seconds), print("switches after", sys.getswitchinterval(), flush=True))
"""
SYNC = ("PUT", "/applications/{app}/commands")


async def test_an_empty_folder_is_enough_to_play(begun: Begun) -> None:
    """The commands are synced once, a challenge is accepted, and turns are played."""
    assert begun.syncs == 1
    names = [command["name"] for command in begun.world.commands[None]]
    assert names == ["move", "gipf", "gipf-learn", "gipf-me", "gipf-tournament", "gipf-server", "Challenge to GIPF"]
    assert begun.ended == 0


async def test_after_a_restart_the_game_is_played_to_its_end(bot: Bot, discord: StandIn, table: Table) -> None:
    """It goes on by typing and by buttons, to the resignation. The commands are not synced again."""
    await bot.start()
    await table.play(3, 4)
    await _push_by_buttons(table, "e1", 5)
    asked = await (await discord.slash(table.bob, table.channel, "gipf resign")).answered()
    await discord.press(table.bob, asked.messages[0], "Resign")
    await discord.wait_for(lambda: "Ann (White) wins #a1 in 3 turns" in table.channel.last().content)
    left = ["rematch:1", "replay:1", "analyse:1", "record:1", "explore_game:1:0"]  # what a finished game offers
    await discord.wait_for(
        lambda: [n.partition("~")[0] for board in table.boards() for n in board.custom_ids] == left, what="old buttons"
    )
    assert [len(table.boards(number)) for number in range(1, 6)] == [1] * 5
    await discord.wait_for(bot.heartbeat.exists, what="the pulse, which would tell the commands")
    assert await bot.end() == 0
    assert discord.called(*SYNC) == []


async def _push_by_buttons(table: Table, dot: str, number: int) -> None:
    """Let Ann play this turn, the first push offered from that dot."""
    desk = await (await table.discord.press(table.ann, table.channel.last(), "Move")).followed_up()
    await table.discord.press(table.ann, desk, dot)
    await table.discord.wait_for(lambda: desk.edits, what="the piece on its dot")
    await table.discord.press(table.ann, desk, next(name for name in desk.custom_ids if ":push:" in name))
    await table.posted(number)


async def test_commands_that_could_not_be_synced_are_synced_later(bot: Bot, discord: StandIn) -> None:
    """An outage at that time does not leave the bot without commands."""
    bot.change("DELETE FROM meta WHERE key = 'commands'")
    discord.fail_next(*SYNC, status=503)
    discord.fail_next(*SYNC)
    await bot.start(HURRIED)
    await discord.wait_for(lambda: [call.status for call in discord.called(*SYNC)] == [503, None, 200], what="a sync")
    await discord.wait_for(lambda: bot.rows("SELECT key FROM meta WHERE key = 'commands'"), what="a note of it")


async def _refused(bot: Bot, code: int = 2) -> list[str]:
    """Return what a bot that does not start prints besides its log."""
    process = await bot.launch()
    assert await process.wait() == code
    return [line for line in bot.log.splitlines() if " INFO " not in line and " WARNING " not in line]


async def test_every_fault_of_the_settings_is_one_sentence(bot: Bot, discord: StandIn) -> None:
    """The exit code is 2. The standard error has a sentence for each fault and nothing else, and never the token."""
    bot.settings |= {
        "GIPFBOT_TOKEN": f"Bot {discord.token}",
        "GIPFBOT_API_URL": "discord.com/api",
        "GIPFBOT_TOKN": discord.token,
        "GIPFBOT_HEARTBEAT": "nowhere/heartbeat",
        "GIPFBOT_DATABASE_URL": "sqlite+aiosqlite:////proc/gipf",
    }
    assert [" ".join(sentence.split()[:5]) for sentence in await _refused(bot)] == [
        "GIPFBOT_TOKN is not a setting:",
        "GIPFBOT_TOKEN holds a space or",
        "GIPFBOT_DATABASE_URL points into the folder",
        "GIPFBOT_API_URL is not an address:",
        "GIPFBOT_HEARTBEAT points into the folder",
    ]
    assert discord.token not in bot.log


@pytest.mark.slow
async def test_a_missing_token_gives_a_sentence_that_helps(bot: Bot) -> None:
    """It is the first thing that a host forgets."""
    del bot.settings["GIPFBOT_TOKEN"]
    (sentence,) = await _refused(bot)
    assert sentence.startswith("GIPFBOT_TOKEN is missing: create one in the Discord developer portal")


async def test_a_wrong_token_is_one_sentence(bot: Bot) -> None:
    """Discord refuses it at the login. It is never printed, even with the most detailed log."""
    bot.settings |= {"GIPFBOT_TOKEN": "MTk4.wrong", "GIPFBOT_LOG_LEVEL": "DEBUG"}
    sentences = [line for line in await _refused(bot) if " DEBUG " not in line]
    assert sentences == ["GIPFBOT_TOKEN is not a token that Discord knows: copy it anew from the portal."]
    assert "MTk4.wrong" not in bot.log


@pytest.mark.slow
async def test_a_file_that_is_no_database_is_one_sentence(bot: Bot) -> None:
    """The sentence names the file, which stays as it is."""
    letter = bot.folder / "letter"
    letter.write_text("Dear aunt, this is no database. " * 99)
    bot.settings["GIPFBOT_DATABASE_URL"] = f"sqlite+aiosqlite:///{letter}"
    (sentence,) = await _refused(bot, 3)
    assert "letter cannot be opened" in sentence
    assert letter.read_text().startswith("Dear aunt")


async def test_a_server_that_is_away_is_one_sentence(bot: Bot, tmp_path: Path) -> None:
    """The exit code is one after which a later start may succeed. The password is never printed."""
    bot.settings |= {
        "GIPFBOT_DATABASE_URL": f"postgresql+asyncpg://gipf:hush@/gipf?host={tmp_path}",
        "GIPFBOT_LOG_LEVEL": "DEBUG",
    }
    (sentence,) = [line for line in await _refused(bot, 6) if " DEBUG " not in line]
    assert sentence.startswith(f"postgresql://{tmp_path}/gipf cannot be reached (")
    assert "hush" not in bot.log


async def test_a_database_of_another_program_is_one_sentence(bot: Bot, tmp_path: Path) -> None:
    server = postgres.server()
    bot.settings["GIPFBOT_DATABASE_URL"] = server.url_for(tmp_path / "foreign")
    name = bot.settings["GIPFBOT_DATABASE_URL"].partition("?")[0].rpartition("/")[2]
    server.execute("CREATE TABLE clients (id int)", database=name)
    (sentence,) = await _refused(bot, 9)
    assert sentence == (
        f"postgresql://{server.folder}/{name} holds tables of another program: create an empty database, and name that."
    )


async def test_tables_of_a_later_version_are_played_on(bot: Bot, table: Table) -> None:
    """A host has gone back to this version, which those tables allow."""
    for statement in MADE_LATER:
        bot.change(statement)
    await bot.start()
    await table.play(3)
    assert await bot.end() == 0
    assert f"schema={LATER}" in bot.log


async def test_a_second_process_on_one_database_is_refused(bot: Bot, discord: StandIn, table: Table) -> None:
    """The first goes on. Once it is killed, another one may start."""
    await bot.start()
    second = Bot(bot.folder, discord, bot.fork_server)
    assert await (await second.launch()).wait() == 4
    assert second.log.splitlines()[-1].endswith("perhaps a running bot: stop that first.")
    await table.play(3)
    await bot.restart()
    await table.play(4)


async def test_an_outage_at_the_start_is_one_sentence(bot: Bot, discord: StandIn) -> None:
    """There is no traceback. The exit code is 1, so that the host's supervisor tries again."""
    discord.fail_next("GET", "/users/@me", status=503)
    assert await (await bot.launch(SAY_SWITCHING)).wait() == 1
    assert "switches after 0.001" in bot.log, "a busy thread holds up the event loop for too long"
    assert bot.log.splitlines()[-1].startswith("Discord cannot be reached (DiscordServerError: 503")
