"""The command `ratings`: work out all ratings and leaderboards anew."""

import asyncio
import sys

from gipfbot.app import utc_now
from gipfbot.service.competing.rebuild import rebuild_ratings
from gipfbot.settings import SettingsError, load_settings
from gipfbot.store import Store
from gipfbot.store.file_lock import database_path, hold_file_lock
from gipfbot.tools.commands import BAD_USE, ToolParser, stoppable
from gipfbot.values import Unusable


@stoppable
def run_ratings(argv: list[str]) -> int:
    """Rebuild the ratings of the database in the settings, and say what was different. Return the exit code."""
    parser = ToolParser("bot.py ratings", description="Work out all ratings and leaderboards anew, from the games.")
    parser.add_argument("--rebuild", action="store_true", required=True, help="write them")
    parser.parse_args(argv)
    try:
        url = load_settings(token="none").database_url
        tables = asyncio.run(_rebuild(url))
    except SettingsError as error:
        return _complain(*error.faults)
    except Unusable as error:
        _complain(error)
        return error.exit_code
    for name, (rows, different) in tables.items():
        sys.stdout.write(f"{name}: {rows} rows, {different or 'none'} different\n")
    return 0


def _complain(*faults: object) -> int:
    sys.stderr.writelines(f"{fault}\n" for fault in faults)
    return BAD_USE


async def _rebuild(url: str) -> dict[str, tuple[int, int]]:
    with hold_file_lock(database_path(url)):
        store = await Store.open_database(url)
        try:
            return await rebuild_ratings(store, utc_now)
        finally:
            await store.close()
