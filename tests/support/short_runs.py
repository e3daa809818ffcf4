"""Short runs of processes on one database, each with its life file, as a restart or a change of shards makes them."""

from pathlib import Path

from gipfbot.service.app import create_app
from gipfbot.store import Store
from gipfbot.store.lives import LostTime
from gipfbot.values import Shards


async def run_briefly(url: str, folder: Path, now: float, *processes: Shards | None) -> list[LostTime]:
    """Let processes run one after another, with their life files in a folder. Return the times that are lost by then.

    None runs all shards.
    """
    for shards in processes:
        store = await Store.open_database(url, shards=shards)
        file = folder / f"{'all' if shards is None else shards.first}.life"
        app = create_app(store, lambda: int(now), lambda: True, life_file=file)
        await app.lives.begin()
        await app.lives.end()
        await store.close()
    return app.lives.lost_times
