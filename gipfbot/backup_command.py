"""The command `backup`: copy the database while the bot runs."""

import sys
import time
from pathlib import Path

from gipfbot.settings import SettingsError, load_database_url
from gipfbot.store.backup import TargetExists, copy_database
from gipfbot.store.copy_note import CopyNote
from gipfbot.store.file_lock import database_path
from gipfbot.tools.commands import BAD_USE, ToolParser, stoppable
from gipfbot.values import Unusable

KILOBYTE, UNITS = 1000, ("bytes", "kB", "MB", "GB", "TB")


@stoppable
def run_backup(argv: list[str]) -> int:
    """Copy the database of the settings to a new file, and say what the copy holds. Return the exit code."""
    parser = ToolParser("bot.py backup", description="Copy the database while the bot runs. The copy is verified.")
    parser.add_argument("file", metavar="FILE", type=Path, help="the new file")
    target: Path = parser.parse_args(argv).file
    try:
        source = database_path(load_database_url())
        if not source.exists() or not source.stat().st_size:
            parser.error(f"there is no database at {source}: set GIPFBOT_DATABASE_URL as for the bot.")
        if not target.absolute().parent.is_dir():
            parser.error(f"the folder of {target} does not exist: create it or name another.")
        copied = copy_database(source, target, CopyNote(int(time.time())))
    except SettingsError as error:
        return _refuse(BAD_USE, *error.faults)
    except Unusable as error:
        return _refuse(error.exit_code, error)
    except TargetExists:
        return _refuse(BAD_USE, f"{target} exists already and is left as it is: name a new file.")
    games, turns = copied.contents
    sys.stdout.write(f"{target}: {size_text(copied.size)}, {games:,} games with {turns:,} turns, verified.\n")
    return 0


def _refuse(code: int, *faults: object) -> int:
    sys.stderr.writelines(f"{fault}\n" for fault in faults)
    return code


def size_text(size: float) -> str:
    """Return a number of bytes as people read it, such as 12.3 MB."""
    power = 0
    while size >= KILOBYTE and power < len(UNITS) - 1:
        size, power = size / KILOBYTE, power + 1
    return f"{size:.1f} {UNITS[power]}" if power else f"{size:.0f} {UNITS[0]}"
