"""Backups of a bot's database, made while it runs and put back by hand."""

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

from .running import HURRIED, Bot, run_command

# The timeline file is written whenever an id was given out.
WATCHFUL = f"""{HURRIED}
from gipfbot.service.restoring import timelines
timelines.HEARTBEAT_SECONDS = 0
"""


async def back_up(bot: Bot, way: str) -> Path:
    """Back the running bot up, by its command or by SQLite alone."""
    backup = bot.folder / "backup.sqlite3"
    if way == "command":
        code, said = await run_command(bot, "backup", backup.name)
        assert code == 0, said
    else:
        with closing(sqlite3.connect(bot.database)) as running, closing(sqlite3.connect(backup)) as copy:
            running.backup(copy)
    return backup


def put_back(bot: Bot, backup: Path, *endings: str) -> None:
    """Put a backup in the place of the database by hand. Files beside it with other `endings` are removed, too."""
    for ending in ("", "-wal", "-shm", *endings):
        bot.database.with_name(bot.database.name + ending).unlink(missing_ok=True)
    shutil.copy(backup, bot.database)
