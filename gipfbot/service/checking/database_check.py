"""Check a whole database: every game against its turns, the ratings, and the counts of the explorer."""

from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass

from gipfbot.installation import started_as
from gipfbot.service.competing.results import rating_differences
from gipfbot.service.kit.loaded_games import game_name
from gipfbot.service.records.explorer import count_differences
from gipfbot.store import Store
from gipfbot.store.game_rows import load_whole_games, newest_game, pseudonyms_in_use, seatless_games
from gipfbot.store.games import VOID

from .game_check import game_differences

BATCH = 100  # games that are read at once


@dataclass
class Checked:
    """How much has been checked, and how many differences were found."""

    games: int = 0
    turns: int = 0
    ratings: int = 0
    different: int = 0


class DatabaseCheck:
    """A check of one database, which others may write meanwhile. `now` is the time in UTC seconds."""

    def __init__(self, store: Store, now: Callable[[], int]) -> None:
        self.store, self.now, self.checked = store, now, Checked()
        self._following = set[int]()  # games that follow a void one (R6.3), which has a lower id

    async def differences(self) -> AsyncIterator[str]:
        """Yield a sentence for each difference. Updates `checked`."""
        for check in (self._check_games(), self._check_ratings(), self._check_explorer()):
            async for sentence in check:
                self.checked.different += 1
                yield sentence

    async def _check_games(self) -> AsyncIterator[str]:
        """Check the games that exist now. Each batch reads one state of the database, which is not held for long."""
        async with self.store.reading() as db:
            seatless, newest = await seatless_games(db), await newest_game(db)
        for game_id in seatless:
            yield f"{game_name(game_id)}: a player is missing"
        last: int | None = 0
        while last is not None:
            found, last = await self._check_batch(last, newest)
            for sentence in found:
                yield sentence

    async def _check_batch(self, after: int, newest: int) -> tuple[list[str], int | None]:
        """Return the sentences on the next games, and the id of the last of them; None if there were none."""
        async with self.store.reading() as db:
            batch = await load_whole_games(db, after, newest, BATCH)
            known = await pseudonyms_in_use(db)
        found = list[str]()
        for game in batch:
            self._following |= {event.data["next"] for event in game.events if event.kind == VOID}
            carries_time = game.row.id in self._following
            differ = game_differences(game, lambda user: known.get(user, user), carries_time=carries_time)
            found += [f"{game_name(game.row.id)}: {sentence}" for sentence in differ]
        self.checked.games += len(batch)
        self.checked.turns += sum(len(game.turns) for game in batch)
        return found, batch[-1].row.id if batch else None

    async def _check_ratings(self) -> AsyncIterator[str]:
        async with self.store.reading() as db:
            await self.store.backend.allow_long_work(db)
            tables = await rating_differences(db, self.now())
        self.checked.ratings = tables["ratings"][0]
        for name, (_, different) in tables.items():
            if different:
                mends = f"{started_as()} ratings --rebuild mends them"
                yield f"rows of {name} that are not what the games give: {different}; {mends}"

    async def _check_explorer(self) -> AsyncIterator[str]:
        if different := await count_differences(self.store):
            yield f"counts of the explorer that are not what the games give: {different}"
