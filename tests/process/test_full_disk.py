"""A disk that is full while people play: nothing is lost, they are told, and the bot goes on by itself."""

import resource

import pytest

from tests.standin import StandIn
from tests.support.spoken_words import languages_of

from .running import HURRIED, Bot
from .table import Table

pytestmark = pytest.mark.sqlite


def limit_files(bot: Bot, most: int) -> None:
    """Let no file of the bot get longer than this: it stands for the full disk."""
    assert bot.process is not None
    resource.prlimit(bot.process.pid, resource.RLIMIT_FSIZE, (most, resource.RLIM_INFINITY))


async def test_a_full_disk_is_told_and_the_bot_recovers(bot: Bot, discord: StandIn, table: Table) -> None:
    """The turn is refused whole. With room again it is played, without a restart. The log names the trouble once."""
    bot.expect("its disk is full")
    await bot.start(HURRIED)
    await table.play(3)
    limit_files(bot, 30_000)  # the WAL is longer, and the log is shorter
    table.bob.locale = "de"  # which cannot be noted, either
    refused = await (await table.send(4)).answered()
    assert "Es wurde nichts gespeichert" in refused.text
    assert languages_of(refused.text) == {"de"}
    assert len(bot.rows("SELECT text FROM turns")) == 3
    limit_files(bot, resource.RLIM_INFINITY)
    await table.play(4, 5)
    assert len(bot.rows("SELECT text FROM turns")) == 5
    assert bot.rows("SELECT language FROM users WHERE id = ?", table.bob.id) == ["de"]
    told = [line for line in bot.log.splitlines() if "gipf.sqlite3" in line]
    assert ["can be used again" in line for line in told] == [False, True], told


@pytest.mark.slow
async def test_a_full_disk_at_the_start_is_one_sentence(bot: Bot) -> None:
    """It has an exit code of its own, so that the host's supervisor tries again."""
    bot.database.unlink()
    process = await bot.launch("import resource\nresource.setrlimit(resource.RLIMIT_FSIZE, (50_000, -1))")
    assert await process.wait() == 5
    assert bot.log.splitlines()[-1].endswith("Make room, then start again. Nothing is lost.")
    bot.database.unlink()
    await bot.start()
