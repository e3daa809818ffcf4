"""Check a restored database: all its games, ratings and counts of the explorer. `restore` replays the running games.

The bot does this after its start, in a process of the lowest priority. What differs is kept until the owner is told. If
the bot ends meanwhile, it begins the check again.
"""

import json
import logging
from collections.abc import Callable, Sequence

from gipfbot.installation import started_as
from gipfbot.service.checking.database_check import DatabaseCheck
from gipfbot.store import Store, meta
from gipfbot.store.timelines import CHECK_KEY
from gipfbot.values import InUse, Unreachable, Unusable

log = logging.getLogger(__name__)
MOST_NAMED = 5  # games


class RestoredCheck:
    """Checks a database that was restored. `now` returns UTC seconds."""

    def __init__(self, store: Store, now: Callable[[], int]) -> None:
        self.store, self.now = store, now

    async def differences(self) -> Sequence[str] | None:
        """Return sentences on what differs. None if there is nothing to check, or if another process checks it."""
        async with self.store.doing_alone("checking what was restored") as is_alone:
            async with self.store.reading() as db:
                known = await meta.load_value(db, CHECK_KEY)
            if known is None or not is_alone:
                return None
            return json.loads(known) if known else await self._check()

    async def note_told(self) -> None:
        """Note that the owner has been told what differs, or that there is nobody to tell."""
        async with self.store.transaction() as db:
            await meta.forget_values(db, CHECK_KEY)

    async def _check(self) -> Sequence[str] | None:
        log.info("what was restored is being checked")
        check = DatabaseCheck(self.store, self.now, gently=True)
        try:
            said = _summary([sentence async for sentence in check.differences()])
        except (InUse, Unreachable) as error:
            log.warning("what was restored is checked later: %s", error)
            return None
        except Unusable as error:
            said = [f"What was restored can't be checked: {error}"]
        for sentence in said:
            log.warning(sentence)
        if not said:
            log.info("what was restored is what its %d games give", check.checked.games)
        async with self.store.transaction() as db:
            await meta.save_value(db, CHECK_KEY, json.dumps(said))
        return said


def _summary(found: Sequence[str]) -> list[str]:
    """Return few sentences on what a check has found. They name games, but no people."""
    games = [*dict.fromkeys(sentence.partition(":")[0] for sentence in found if sentence.startswith("#"))]
    said = [f"In the restored database, {sentence}." for sentence in found if not sentence.startswith("#")]
    if games:
        more = len(games) - MOST_NAMED
        named = ", ".join(games[:MOST_NAMED]) + (f" and {more:,} more" if more > 0 else "")
        said.insert(0, f"Restored games that differ from their turns: {named}. `{started_as()} check` says how.")
    return said
