"""Statistics on the games of one player, or of two against each other. The database does most of the counting.

`against` is the opponent whose games count; None stands for all. All but `running_between` count games that have ended.
"""

from typing import Any

from sqlalchemy import ColumnElement, FromClause, Select, and_, case, func, select

from gipfbot.match import Status
from gipfbot.rules import Colour, Reason
from gipfbot.values import BegunAlike, EndedAlike, ListedGame, LongGame, OpponentScore, Score, named_player

from .database import Connection, read_each
from .game_lists import listed_values
from .game_rows import LISTED_ROWS
from .tables import games, seats, turns

_OWN, _OTHER = seats.alias("own"), seats.alias("other")
_FIRST, _SECOND = turns.alias("first_turn"), turns.alias("second_turn")
_WINNERS = {"1-0": Colour.WHITE, "0-1": Colour.BLACK}
_REASONS = {reason.value: reason for reason in Reason}
_GAMES = _OWN.join(games, games.c.id == _OWN.c.game).join(
    _OTHER, and_(_OTHER.c.game == _OWN.c.game, _OTHER.c.colour == 1 - _OWN.c.colour)
)


def _between(user: int, against: int | None) -> ColumnElement[bool]:
    """Return the condition on `_GAMES` that a person plays, against this opponent if one is given."""
    mine = _OWN.c.user == user
    return mine if against is None else and_(mine, _OTHER.c.user == against)


def _ended(query: Select[Any], user: int, against: int | None, source: FromClause = _GAMES) -> Select[Any]:
    ended = games.c.ended_at.is_not(None), games.c.level.is_(None)
    return query.select_from(source).where(_between(user, against), *ended)


async def count_ends(db: Connection, user: int, against: int | None) -> list[EndedAlike]:
    """Return how many of a person's games ended in each way."""
    way = _OWN.c.colour, games.c.status, games.c.result, games.c.reason
    rows = await db.execute(_ended(select(*way, func.count().label("number")), user, against).group_by(*way))
    return [
        EndedAlike(
            Colour(row.colour),
            Status(row.status),
            _WINNERS.get(row.result),
            _REASONS.get(row.reason),
            row.number,
        )
        for row in rows
    ]


async def opponents_of(db: Connection, user: int, against: int | None, limit: int) -> list[OpponentScore]:
    """Return a person's scores against the opponents with the most games that were won, lost or drawn."""
    own_win = case((_OWN.c.colour == Colour.WHITE, "1-0"), else_="0-1")
    scores = {"won": games.c.result == own_win, "drawn": games.c.result == "1/2-1/2"}
    sums = [func.sum(case((which, 1), else_=0)).label(name) for name, which in scores.items()]
    found = _OTHER.c.user, func.count().label("number"), func.max(games.c.id).label("last_game"), *sums
    decided = _ended(select(*found), user, against).where(games.c.result.in_([*_WINNERS, "1/2-1/2"]))
    most = decided.group_by(_OTHER.c.user).order_by(func.count().desc(), func.max(games.c.id).desc()).limit(limit)
    page = most.subquery()
    named = page.join(seats, and_(seats.c.game == page.c.last_game, seats.c.user == page.c.user))
    query = select(page, seats.c.name).select_from(named).order_by(page.c.number.desc(), page.c.last_game.desc())
    return [_read_score(row) for row in await db.execute(query)]


def _read_score(row: Any) -> OpponentScore:
    score = Score(row.won, row.drawn, row.number - row.won - row.drawn)
    return OpponentScore(row.user, named_player(row.user, row.name), score)


async def count_openings(db: Connection, user: int, against: int | None) -> list[BegunAlike]:
    """Return how many of a person's games began with each pair of first turns. Shorter games are left out."""
    name = games.c.ruleset["name"].as_string().label("ruleset_name")
    pair = _GAMES.join(_FIRST, and_(_FIRST.c.game == games.c.id, _FIRST.c.turn_number == 1)).join(
        _SECOND, and_(_SECOND.c.game == games.c.id, _SECOND.c.turn_number == 2)
    )
    way = _OWN.c.colour, _FIRST.c.text.label("first_text"), _SECOND.c.text.label("second_text")
    query = _ended(select(*way, name, func.count().label("number")), user, against, pair)
    rows = await db.execute(query.group_by(_OWN.c.colour, _FIRST.c.text, _SECOND.c.text, "ruleset_name"))
    return [
        BegunAlike(Colour(row.colour), row.ruleset_name, row.first_text, row.second_text, row.number) for row in rows
    ]


async def longest_game(db: Connection, user: int, against: int | None) -> LongGame | None:
    """Return a person's ended game with the most turns, the first of several; None if there is none."""
    query = LISTED_ROWS.where(*_is_game_of(user, against), games.c.status == Status.OVER)
    rows = await db.execute(query.order_by(games.c.turn_number.desc(), games.c.id).limit(1))
    found = read_each(db, rows, "game", lambda row: LongGame(ListedGame(*listed_values(row)), row.turn_number))
    return found[0] if found else None


async def running_between(db: Connection, user: int, against: int | None, limit: int) -> tuple[list[ListedGame], int]:
    """Return at most `limit` of a person's running games, the last moved first, and the number of all."""
    running = *_is_game_of(user, against), games.c.status == Status.RUNNING
    query = LISTED_ROWS.where(*running).order_by(games.c.waiting_since.desc(), games.c.id.desc()).limit(limit)
    found = read_each(db, await db.execute(query), "game", lambda row: ListedGame(*listed_values(row)))
    return found, await db.scalar(select(func.count()).select_from(games).where(*running)) or 0


def _is_game_of(user: int, against: int | None) -> tuple[ColumnElement[bool], ...]:
    both = _OWN.join(_OTHER, and_(_OTHER.c.game == _OWN.c.game, _OTHER.c.colour == 1 - _OWN.c.colour))
    theirs = games.c.id.in_(select(_OWN.c.game).select_from(both).where(_between(user, against)))
    return theirs, games.c.level.is_(None)
