"""`bot.py backup` beside the running bot."""

import asyncio
import os
import sys
from pathlib import Path

from tests.standin import StandIn
from tests.support.paths import HOUSE

from .running import Bot
from .table import Table


async def run_command(bot: Bot, *words: str) -> tuple[int, str]:
    """Run a command as the host does, without a token; return its exit code and all that it says."""
    environment = {"PATH": os.environ["PATH"], "GIPFBOT_DATABASE_URL": bot.settings["GIPFBOT_DATABASE_URL"]}
    (bot.folder / "data").mkdir(exist_ok=True)
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, str(HOUSE / "bot.py"), *words),
        cwd=bot.folder,
        env=environment,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    said, _ = await process.communicate()
    assert process.returncode is not None
    return process.returncode, said.decode()


async def test_a_backup_during_play_is_taken_up_where_it_was_made(
    bot: Bot, discord: StandIn, table: Table, tmp_path: Path
) -> None:
    """The bot plays on meanwhile. The copy is sound, and a bot that starts on it has all games."""
    await bot.start()
    await table.play(3)
    copying = asyncio.create_task(run_command(bot, "backup", "copy.sqlite3"))
    await table.play(4, 5)
    code, said = await copying
    assert (code, said.partition(": ")[0]) == (0, "copy.sqlite3"), said
    assert " 1 games with " in said
    await bot.kill()
    turns = int(said.split(" games with ")[1].split()[0])
    assert turns in (3, 4, 5)
    bot.rows("PRAGMA wal_checkpoint(TRUNCATE)")
    (tmp_path / "copy.sqlite3").replace(bot.database)
    await bot.start()
    assert bot.rows("SELECT count(*) FROM turns") == [turns]
