"""The command `backup`: copy the database while the bot runs."""

import sys
import time
from pathlib import Path

from gipfbot.settings import SettingsError, load_database_url
from gipfbot.store.backends import backend_of_url
from gipfbot.store.backup import TargetExists, copy_database
from gipfbot.tools.commands import BAD_USE, ToolParser, complain, counted, stoppable
from gipfbot.values import Unusable

from .store.life_file import CopyNote

KILOBYTE, UNITS = 1000, ("bytes", "kB", "MB", "GB", "TB")


@stoppable
def run_backup(argv: list[str]) -> int:
    """Copy the database of the settings to a new file, and say what the copy holds. Return the exit code."""
    parser = ToolParser("bot.py backup", description="Copy the database while the bot runs. The copy is verified.")
    parser.add_argument("file", metavar="FILE", type=Path, help="the new file")
    target: Path = parser.parse_args(argv).file
    try:
        url = load_database_url()
        source = backend_of_url(url).file
        if source is None:
            how = f"pg_dump --format=custom --file={target} DATABASE"
            return complain(
                BAD_USE, f"{backend_of_url(url).name} is on a server: copy it with {how}, see docs/hosting.md."
            )
        if not source.exists() or not source.stat().st_size:
            parser.error(f"there is no database at {source}: set GIPFBOT_DATABASE_URL as for the bot.")
        if not target.absolute().parent.is_dir():
            parser.error(f"the folder of {target} does not exist: create it or name another.")
        copied = copy_database(source, target, CopyNote(int(time.time())))
    except SettingsError as error:
        return complain(BAD_USE, *error.faults)
    except Unusable as error:
        return complain(error.exit_code, error)
    except TargetExists:
        return complain(BAD_USE, f"{target} exists already and is left as it is: name a new file.")
    games, turns = copied.contents
    sys.stdout.write(
        f"{target}: {size_text(copied.size)}, {counted(games, 'game')} with {counted(turns, 'turn')}, verified.\n"
    )
    return 0


def size_text(size: float) -> str:
    """Return a number of bytes as people read it, such as 12.3 MB."""
    power = 0
    while size >= KILOBYTE and power < len(UNITS) - 1:
        size, power = size / KILOBYTE, power + 1
    return f"{size:.1f} {UNITS[power]}" if power else f"{size:.0f} {UNITS[0]}"
