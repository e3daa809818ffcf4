"""Collect all that is stored about a person, for their export. `export_words` puts it into words.

The rows are read in batches, so that other people's commands are not held up.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from gipfbot.match import Game
from gipfbot.service.clock.vacations import VACATION
from gipfbot.service.kit.batches import split_into_batches
from gipfbot.service.kit.loaded_games import readable_game
from gipfbot.service.kit.message_kinds import MessageKinds
from gipfbot.store import Store, deletions, personal_data
from gipfbot.values import StoredMessage

from . import deletion

Row: TypeAlias = dict[str, Any]
GAMES_AT_ONCE = 50  # games that one query reads
ROWS_AT_ONCE = 5000  # rows of the outbox that one query looks through


@dataclass
class PersonalData:
    """All that is stored about a person: rows by table, and the games that are needed to write turns as text."""

    user: int
    made_at: int  # UTC seconds
    kinds: MessageKinds  # for the names of the messages
    rows: dict[str, list[Row]] = field(default_factory=dict)
    games: dict[int, Game] = field(default_factory=dict)  # running ones with an unfinished turn or conditionals
    guessed: dict[int, tuple[Row, list[Row]]] = field(default_factory=dict)  # games that they have guessed, with turns
    messages: list[StoredMessage] = field(default_factory=list)  # to them, or about them

    def add(self, found: dict[str, list[Row]]) -> None:
        """Add rows by table."""
        for table, rows in found.items():
            self.rows.setdefault(table, []).extend(rows)


class Exports:
    """Collects what is stored about people. `now` returns UTC seconds."""

    def __init__(self, store: Store, now: Callable[[], int], kinds: MessageKinds) -> None:
        self.store, self.now, self.kinds = store, now, kinds

    async def collect(self, user: int) -> PersonalData:
        """Return all that is stored about a person."""
        data = PersonalData(user, self.now(), self.kinds)
        async with self.store.reading() as db:
            data.add(await personal_data.own_rows(db, user))
            ids = await personal_data.game_ids(db, user)
        for some in split_into_batches(ids, GAMES_AT_ONCE):
            async with self.store.reading() as db:
                data.add(await personal_data.rows_of_games(db, user, some))
        await self._load_unfinished(data)
        await self._load_guessed(data)
        await self._load_messages(data)
        return data

    async def _load_unfinished(self, data: PersonalData) -> None:
        """Load the games in which the person has begun a turn or left conditionals."""
        begun = {row["game"] for row in data.rows.get("draft", ())}
        for game_id in begun | {row["game"] for row in data.rows.get("conditionals", ())}:
            async with self.store.reading() as db:
                if stored := await readable_game(db, game_id):
                    data.games[game_id] = stored.game

    async def _load_guessed(self, data: PersonalData) -> None:
        """Load the turns of the games that the person has guessed, so that their guesses can be written as text."""
        ids = sorted({row["game"] for row in data.rows["guesses"]})
        for some in split_into_batches(ids, GAMES_AT_ONCE):
            async with self.store.reading() as db:
                games, turns = await personal_data.turns_of_games(db, some)
            for row in games:
                data.guessed[row["id"]] = row, [turn for turn in turns if turn["game"] == row["id"]]

    async def _load_messages(self, data: PersonalData) -> None:
        """Load the rows of the outbox that go to the person or name them."""
        played = {row["id"] for row in data.rows.get("games", ())}
        vacations = {row["id"] for row in data.rows["vacations"]}
        async with self.store.reading() as db:
            last = await deletions.last_message(db)
        for first in range(1, last + 1, ROWS_AT_ONCE):
            async with self.store.reading() as db:
                found = await deletions.messages_about(db, data.user, [VACATION], first, first + ROWS_AT_ONCE - 1)
            data.messages += [row for row in found if row.kind != VACATION or _names(row, played, vacations)]


def _names(row: StoredMessage, played: set[int], vacations: set[int]) -> bool:
    """Return whether the announcement of a vacation names the person: it is their own, or in one of their games."""
    is_own = deletion.vacation_in_key(row.key) in vacations
    return is_own or bool(deletion.games_in_vacation(row.payload) & played)
