"""Restore a backup on disks of ever more room, in a namespace of mounts: `python -m tests.support.restoring FOLDER`.

The folder holds `gipf.sqlite3`, perhaps with its log, and `backup.sqlite3`. The disk knows no hard links, so that it
needs room for the kept file, too. Writes how each try has ended, as JSON.
"""

import io
import json
import os
import re
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing, redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

from gipfbot import __main__ as bot
from tests.support.stores import database_url

PAGE_BYTES = 4096
STEP = 2  # pages of more room at each try
MOST_TRIES = 300
FILES = ("gipf.sqlite3", "gipf.sqlite3-wal")


def refuse_link(*_: object) -> None:
    """Stand for a file system without hard links."""
    raise OSError(95, "Operation not supported")


def try_all(folder: Path) -> list[dict[str, Any]]:
    """Return how each restore has ended, up to the first for which there was room."""
    disk, tries = folder / "disk", list[dict[str, Any]]()
    disk.mkdir()
    sources = [folder / name for name in FILES if (folder / name).exists()]
    needed = sum(-(-source.stat().st_size // PAGE_BYTES) for source in sources)
    os.environ["GIPFBOT_DATABASE_URL"] = database_url(disk / FILES[0])
    while len(tries) < MOST_TRIES and not (tries and tries[-1]["code"] == 0):
        _mount(disk, f"size={(needed + STEP * len(tries)) * PAGE_BYTES}")
        for source in sources:
            shutil.copy(source, disk)
        tries.append(_restore(disk, folder / "backup.sqlite3"))
        subprocess.run(["umount", disk], check=True)
    return tries


def _mount(disk: Path, options: str) -> None:
    subprocess.run(["mount", "-t", "tmpfs", "-o", options, "none", disk], check=True)


def _restore(disk: Path, backup: Path) -> dict[str, Any]:
    said = io.StringIO()
    with redirect_stdout(io.StringIO()), redirect_stderr(said):
        code = bot.main(["restore", str(backup)])
    names = [re.sub(r"-replaced-[0-9-]+", "-replaced", path.name) for path in disk.iterdir()]
    subprocess.run(["mount", "-o", "remount,size=50M", disk], check=True)
    with closing(sqlite3.connect(disk / FILES[0])) as db:
        games = db.execute("SELECT version FROM games ORDER BY id").fetchall()
    return {"code": code, "said": said.getvalue(), "names": sorted(names), "versions": [row[0] for row in games]}


if __name__ == "__main__":
    os.link = refuse_link  # type: ignore[assignment]
    os.environ["GIPFBOT_HEARTBEAT"] = str(Path(sys.argv[1], "heartbeat"))
    sys.stdout.write(json.dumps(try_all(Path(sys.argv[1]))))
