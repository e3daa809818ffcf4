"""The command `ratings`: work out all ratings and leaderboards anew."""

import asyncio
import sys

from gipfbot.app import utc_now
from gipfbot.service.competing.rebuild import rebuild_ratings
from gipfbot.settings import SettingsError, load_settings
from gipfbot.store import Store
from gipfbot.store.backends import backend_of_url, ending_at_trouble
from gipfbot.tools.commands import BAD_USE, ToolParser, complain, stoppable
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
        return complain(BAD_USE, *error.faults)
    except Unusable as error:
        return complain(error.exit_code, error)
    for name, (rows, different) in tables.items():
        sys.stdout.write(f"{name}: {rows} rows, {different or 'none'} different\n")
    return 0


async def _rebuild(url: str) -> dict[str, tuple[int, int]]:
    backend = backend_of_url(url)
    async with backend.hold():
        store = await Store.open_database(url)
        try:
            with ending_at_trouble(backend):
                return await rebuild_ratings(store, utc_now)
        finally:
            await store.close()
