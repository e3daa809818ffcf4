"""Files beside the database that the bot may not use, and a second bot on the same file, as whole processes."""

import pytest

from gipfbot.store.database_file import LOCK, TIMELINE, WAL, file_beside
from tests.standin import StandIn
from tests.support.rights import OBEY_MODES
from tests.support.stores import database_url

from .running import HURRIED, Bot
from .table import Table

pytestmark = pytest.mark.sqlite


async def refused(bot: Bot, code: int) -> str:
    """Return the last words of a bot that does not start."""
    process = await bot.launch(OBEY_MODES)
    assert await process.wait() == code
    assert "Traceback" not in bot.log
    return bot.log.splitlines()[-1]


@pytest.mark.parametrize("ending", [TIMELINE, WAL, LOCK])
async def test_file_of_another_user_ends_the_start_and_nothing_is_said(
    ending: str, bot: Bot, discord: StandIn, table: Table
) -> None:
    """Nobody is told that turns were lost. Once the file is the bot's, the game goes on."""
    await bot.start(HURRIED)
    await table.play(3)
    await bot.kill()
    path, last = file_beside(bot.database, ending), table.channel.last()
    path.chmod(0o000)
    said = await refused(bot, 3)
    assert said.startswith(f"{path} cannot be ")
    assert "(Permission denied): let the user who runs the bot " in said
    path.chmod(0o600)
    await bot.start(HURRIED)
    await discord.wait_for(bot.heartbeat.exists, what="a healthy bot")
    assert table.channel.last() is last
    assert "was restored" not in bot.log
    await table.play(4)


async def test_second_bot_is_refused_by_a_hard_link(bot: Bot, table: Table) -> None:
    await bot.start(HURRIED)
    other = Bot(bot.folder / "other", bot.discord, bot.fork_server)
    other.folder.mkdir()
    other.settings["GIPFBOT_DATABASE_URL"] = database_url(other.database)
    other.database.hardlink_to(bot.database)
    said = await refused(other, 4)
    assert said == (
        f"{other.database} is in use by another process, perhaps under another name of the file: stop that first."
    )
    await table.play(3)
