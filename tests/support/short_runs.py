"""Short runs of processes on one database, each with its timeline file, as restarts or changes of shards make them."""

from pathlib import Path

from gipfbot.service.app import create_app
from gipfbot.store import Store
from gipfbot.store.timelines import LostTime
from gipfbot.values import Shards


async def run_briefly(url: str, folder: Path, now: float, *processes: Shards | None) -> list[LostTime]:
    """Let processes run one after another, with timeline files in a folder. Return the times that are lost by then.

    None runs all shards.
    """
    for shards in processes:
        store = await Store.open_database(url, shards=shards)
        file = folder / f"{'all' if shards is None else shards.first}.timeline"
        app = create_app(store, lambda: int(now), lambda: True, timeline_file=file)
        await app.timelines.begin()
        await app.timelines.end()
        await store.close()
    return app.timelines.lost_times
