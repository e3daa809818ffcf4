"""Games that have ended at any time, written as the bot writes them."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import select, true

from gipfbot.match import Status, Terms
from gipfbot.match.ratings import month_of
from gipfbot.rules import BASIC, Colour, Reason, Result, Ruleset
from gipfbot.service.competing.results import save_and_rate
from gipfbot.store import Store, games
from gipfbot.store.rating_tables import rated_results, ratings, standing_steps, standings
from gipfbot.values import StoredGame, Venue
from tests.support.people import ANN, BOB, CARA, CLUB, DAN, EVE, HALL
from tests.support.times import NOW

RATED = Terms(rated=True)
THIS_MONTH = month_of(NOW)
PEOPLE = (ANN, BOB, CARA, DAN, EVE)
WHITE_WINS, BLACK_WINS = (Result(winner, Reason.RESIGN) for winner in Colour)
WHITE_LATE = Result(Colour.BLACK, Reason.TIME)
DRAWN = Result(None, Reason.AGREEMENT)


@dataclass(frozen=True)
class Ending:
    """How a game ends. `white` and `black` are places in PEOPLE."""

    at: int = NOW
    white: int = 0
    black: int = 1
    result: Result = WHITE_WINS
    ruleset: Ruleset = BASIC
    server: int | None = CLUB
    turns: int = 4
    rated: bool = True


async def begin_games(store: Store, endings: Sequence[Ending]) -> list[StoredGame]:
    """Add running games that can end in these ways."""
    async with store.transaction() as db:
        return [
            await games.add_game(
                db,
                how.ruleset,
                (PEOPLE[how.white], PEOPLE[how.black]),
                Venue(how.server, HALL),
                NOW,
                replace(RATED, rated=how.rated),
            )
            for how in endings
        ]


async def end_game(store: Store, stored: StoredGame, how: Ending) -> None:
    """End a game."""
    position = stored.game.position._replace(result=how.result)
    ended = replace(stored.game, position=position, status=Status.OVER, version=1, turn_number=how.turns)
    async with store.transaction() as db:
        await save_and_rate(db, stored, ended, by=0, now=how.at)


async def live_through(store: Store, endings: Sequence[Ending]) -> None:
    """Begin these games, and end them in this order."""
    for stored, how in zip(await begin_games(store, endings), endings, strict=True):
        await end_game(store, stored, how)


async def rating_rows(store: Store) -> dict[str, list[tuple[Any, ...]]]:
    """Return all rows about ratings and leaderboards, by table."""
    async with store.reading() as db:
        tables = rated_results, ratings, standings, standing_steps
        return {
            table.name: [tuple(row) for row in await db.execute(select(table).order_by(*table.primary_key))]
            for table in tables
        }


async def counted_games(store: Store, user: int | None = None) -> list[int]:
    """Return the ids of the games that count, in order: for a player, or for anybody."""
    async with store.reading() as db:
        mine = rated_results.c.user == user if user else true()
        counting = select(rated_results.c.game).where(rated_results.c.counts, mine).distinct()
        return sorted(await db.scalars(counting))
