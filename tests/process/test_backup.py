"""`bot.py backup` beside the running bot."""

import asyncio
from pathlib import Path

import pytest

from tests.standin import StandIn

from .running import Bot, run_command
from .table import Table

pytestmark = pytest.mark.sqlite


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
    assert " 1 game with " in said
    await bot.kill()
    turns = int(said.split(" game with ")[1].split()[0])
    assert turns in (3, 4, 5)
    bot.rows("PRAGMA wal_checkpoint(TRUNCATE)")
    (tmp_path / "copy.sqlite3").replace(bot.database)
    await bot.start()
    assert bot.rows("SELECT count(*) FROM turns") == [turns]
