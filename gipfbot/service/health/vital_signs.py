"""The bot's vital signs: whether it can write, what it has to do, and the direct messages to its host.

Told and waiting news are stored in the database, so several processes tell them as one would.
"""

import json
import logging
import math
from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path

from gipfbot.service.kit.message_kinds import MessageKind
from gipfbot.store import Store, game_lists, meta, outbox, servers, try_writing
from gipfbot.store.backup_folder import backups_fault, kept_backups
from gipfbot.store.database_file import OWNER_ONLY, give_to_owner
from gipfbot.values import HostFigures, ServerState

from .failed_runs import take_failed_runs

log = logging.getLogger(__name__)
MOST_CHANNELS = 20  # channels that refuse boards, listed for one server

OWNER_NEWS = MessageKind("owner_news", "note to the person who runs the bot", direct=True)
NEWS_KEY = "owner_news"  # the key of the value that `_recent_news` reads
TELL_SECONDS = 3600
AGAIN_SECONDS = 24 * 3600  # after which lasting news is told again
TOLD_ONCE = "once: "  # how kinds of news begin that are never told again


class VitalSigns:
    """Reads the vital signs. `now` returns UTC seconds."""

    def __init__(self, store: Store, now: Callable[[], int]) -> None:
        self.store, self.now = store, now

    @property
    def disk_faults(self) -> int:
        """How many statements failed since the start because the file could not be read or written."""
        return self.store.troubles.count

    @property
    def last_disk_fault(self) -> str:
        """The reason of the last disk fault."""
        return self.store.troubles.last_said

    async def write_trial(self) -> str:
        """Write one row as a test, as games are written. Return the reason of a failure; empty on success."""
        return await try_writing(self.store, self.now())

    def touch_heartbeat(self, heartbeat: Path) -> None:
        """Touch the file that shows that the bot is healthy. Only its owner may read it.

        If runs have failed before, log that, and tell the owner.
        """
        is_new = not heartbeat.exists()
        heartbeat.touch(OWNER_ONLY)
        if is_new:
            give_to_owner(heartbeat, self.store.backend.file)
        if runs := take_failed_runs(heartbeat):
            since = datetime.fromtimestamp(runs.since, UTC)
            times = "once" if runs.number == 1 else f"{runs.number:,} times"
            told = "The bot failed %s since %s UTC, the last time with code %d: %s"
            kind = {"tell_owner": f"failed {runs.code}"}
            log.warning(told, times, f"{since:%Y-%m-%d %H:%M}", runs.code, runs.said, extra=kind)

    def backups_fault(self, folder: Path, uptime: float) -> str:
        """Return what is wrong with the backups in a folder; empty if nothing is. `uptime` is in seconds.

        If there is none at all, that counts once the bot has run for two days.
        """
        now = datetime.fromtimestamp(self.now(), UTC)
        return backups_fault(folder, self.store.backend.backup_ending, now, now - timedelta(seconds=uptime))

    def backup_age(self, folder: Path) -> float:
        """Return how many seconds ago the newest backup in a folder was made. Infinity if none can be found."""
        with suppress(OSError):
            newest = kept_backups(folder, self.store.backend.backup_ending)[:1]
            return max((self.now() - each.made_at.timestamp() for each in newest), default=math.inf)
        return math.inf

    async def host_figures(self) -> HostFigures:
        """Return the figures about the bot as a whole."""
        async with self.store.reading() as db:
            owed, oldest = await outbox.owed_messages(db)
            return HostFigures(
                await game_lists.count_all_running(db),
                owed,
                oldest,
                await servers.count_undeliverable_servers(db),
                await self.store.backend.count_bytes(db),
            )

    async def server_state(self, server: int) -> ServerState:
        """Return what the bot has to do on one server."""
        async with self.store.reading() as db:
            return ServerState(
                await servers.count_running_on_server(db, server),
                await outbox.count_owed_on_server(db, server),
                tuple(await servers.refusing_channels(db, server, MOST_CHANNELS)),
            )


class OwnerNews:
    """Queues the messages to the host. `now` returns UTC seconds."""

    def __init__(self, store: Store, now: Callable[[], int]) -> None:
        self.store, self.now = store, now

    async def tell(self, owner: int, news: Mapping[str, str]) -> bool:
        """Queue a direct message with these sentences, and with those of other processes that wait.

        `news` maps kinds to sentences. Kinds that were told within a day are left out, and those that are `TOLD_ONCE`.
        If the last message is less than an hour ago, return False: the sentences wait for the next message of any
        process.
        """
        now = self.now()
        async with self.store.transaction() as db:
            told, waiting = _recent_news(await meta.load_value(db, NEWS_KEY), now)
            waiting |= {kind: (now, sentence) for kind, sentence in news.items() if kind not in told}
            if waiting and not any(0 <= now - at < TELL_SECONDS for at in told.values()):
                sentences = [sentence for _, sentence in waiting.values()]
                await outbox.owe(db, f"{OWNER_NEWS}:{now}", OWNER_NEWS, owner, {"sentences": sentences}, now)
                told |= dict.fromkeys(waiting, now)
                waiting = {}
            await meta.save_value(db, NEWS_KEY, json.dumps([told, waiting]))
        return not waiting.keys() & news.keys()


def _recent_news(stored: str | None, now: int) -> tuple[dict[str, int], dict[str, tuple[int, str]]]:
    """Return the times at which kinds were told, and the waiting sentences with their times.

    Leaves out times that are a day ago or more, but for what is told once. A process notes its news again and again, so
    an older sentence comes from a process that ended long ago.
    """
    told, waiting = json.loads(stored or "[{}, {}]")
    recent = range(now - AGAIN_SECONDS + 1, now + 1)
    return (
        {kind: at for kind, at in told.items() if at in recent or kind.startswith(TOLD_ONCE)},
        {kind: (at, sentence) for kind, (at, sentence) in waiting.items() if at in recent},
    )
