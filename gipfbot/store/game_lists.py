"""Lists of running and finished games: those of one person, and those of one server."""

import asyncio
from collections.abc import Collection, Mapping
from typing import Any, NamedTuple

from sqlalchemy import (
    BigInteger,
    ColumnElement,
    Row,
    Select,
    Text,
    and_,
    bindparam,
    case,
    cast,
    exists,
    func,
    literal,
    or_,
    select,
    union_all,
    update,
)

from gipfbot.match import Status, Terms
from gipfbot.match.fair_play import GUARDED_FROM
from gipfbot.rules import ByColour, Colour, Reason, Ruleset
from gipfbot.values import (
    NOWHERE,
    ChoosableGame,
    EndedGame,
    GameBrief,
    LastListed,
    ListedGame,
    StandingPosition,
    StoredGame,
    UnreadableGame,
    VacationDays,
    VacationGame,
    Venue,
)

from .database import Connection, read_each
from .game_rows import (
    CHOOSABLE_ROWS,
    GAME_ROWS,
    LISTED_ROWS,
    is_played_by_others,
    names_in,
    parse_stored_position,
    read_game,
    read_house,
    require_readable,
)
from .names import split_names
from .tables import deletions, due, games, seats

# First by deadline, then paused clocks by the time left, then games without a limit by how long they have waited.
_TIMES = games.c.deadline_at, games.c.paused_left
_READ_AT_ONCE = 20  # games read at a time; a thousand would hold up the event loop for a second
_HAS_TASKS = exists().where(due.c.game == games.c.id, due.c.done_at.is_(None)).label("has_tasks")
_BRIEF_ROWS = GAME_ROWS.add_columns(_HAS_TASKS)
_MOST_URGENT = (*(key for time in _TIMES for key in (time.is_(None), time)), games.c.waiting_since, games.c.id)


class WithResults(NamedTuple):
    """Who has finished a game with a result: any, and one between people."""

    any_game: set[int]
    between_people: set[int]


async def waiting_games(db: Connection, user: int) -> list[GameBrief]:
    """Return the games that wait for a person, the most urgent first."""
    return (await _load_briefs(db, _waits_for(user)))[0]


async def next_waiting_games(db: Connection, user: int, after: int, limit: int) -> tuple[list[StoredGame], int | None]:
    """Return the first `limit` games that wait for a person and have an id above `after`.

    Also return the id to continue after; None if there are no more. Unreadable games are left out.
    """
    waiting = select(games.c.id).where(_waits_for(user), games.c.id > after)
    first = [*await db.scalars(waiting.order_by(games.c.id).limit(limit))]
    return await load_games(db, first), first[-1] if len(first) == limit else None


async def load_games(db: Connection, ids: Collection[int]) -> list[StoredGame]:
    """Return these games in the order of their ids. Unreadable games are left out."""
    rows = (await db.execute(GAME_ROWS.where(games.c.id.in_(ids)).order_by(games.c.id))).all()
    return read_each(db, rows, "game", read_game)


async def vacation_games(db: Connection, user: int) -> list[VacationGame]:
    """Return the facts about each running game that a person's vacation depends on, the most urgent first.

    One query that reads only these facts, to be fast for many games. Games whose terms are unreadable are left out.
    """
    own_deadline = case((games.c.waiting_user == user, games.c.deadline_at)).label("own_deadline")
    query = select(games.c.id, games.c.created_at, games.c.terms, own_deadline, games.c.flagged)
    rows = await db.execute(query.where(_running_with(user)).order_by(*_MOST_URGENT))
    return read_each(db, rows, "game", _read_vacation_game)


def _read_vacation_game(row: Row[Any]) -> VacationGame:
    days = VacationDays.by_terms(Terms.from_data(row.terms), row.created_at)
    return VacationGame(row.id, days, row.own_deadline, row.flagged)


async def running_games(db: Connection, user: int) -> list[GameBrief]:
    """Return a person's running games, the most urgent first."""
    return (await running_and_unreadable_games(db, user))[0]


async def choosable_games(db: Connection, user: int) -> list[ChoosableGame]:
    """Return a person's running games to choose from, the most urgent first.

    One query that reads only what the list shows, to be fast for many games. Unreadable games are listed, too.
    """
    query = CHOOSABLE_ROWS.where(_running_with(user)).order_by(*_MOST_URGENT)
    return read_each(db, await db.execute(query), "game", _read_choosable)


def _read_choosable(row: Row[Any]) -> ChoosableGame:
    users, names = (row.white_user, row.black_user), names_in(row, read_house(row.house))
    venue, asked = Venue(row.server, row.channel, row.parent), Colour(row.waiting_seat)
    return ChoosableGame(row.id, row.ruleset_name, users, names, venue, asked, earlier_names=_earlier_names(row))


async def standing_positions(db: Connection, user: int) -> list[StandingPosition]:
    """Return where a person's running games against people stand, without games of fewer than GUARDED_FROM turns."""
    columns = games.c.id, games.c.version, games.c.position, games.c.ruleset, games.c.waiting_user
    between_people = games.c.level.is_(None), games.c.turn_number >= GUARDED_FROM
    rows = await db.execute(select(*columns).where(_running_with(user), *between_people))

    def read(row: Row[Any]) -> StandingPosition:
        position = parse_stored_position(row.position, Ruleset.from_data(row.ruleset))
        return StandingPosition(row.id, row.version, position, row.waiting_user == user)

    return read_each(db, rows, "game", read)


async def running_and_unreadable_games(db: Connection, user: int) -> tuple[list[GameBrief], list[int]]:
    """Return a person's running games, the most urgent first, and the ids of those that cannot be read."""
    running, unreadable, _ = await _load_briefs(db, _running_with(user))
    return running, unreadable


async def listed_games(db: Connection, user: int) -> tuple[list[GameBrief], list[int], list[EndedGame]]:
    """Return what a person's list of games shows.

    These are their running games, the most urgent first, the ids of those that cannot be read, and the games that have
    ended since the list last showed them, the latest first.
    """
    shown = select(seats.c.game).where(seats.c.user == user, seats.c.listed_turn_number.is_not(None))
    ended_since = and_(games.c.ended_at.is_not(None), games.c.id.in_(shown))
    which = and_(_played_by(user), or_(games.c.status == Status.RUNNING, ended_since))
    running, unreadable, ended = await _load_briefs(db, which)
    ended.sort(key=lambda row: (row.ended_at, row.id), reverse=True)
    return running, unreadable, read_each(db, ended, "game", _read_ended_game)


async def count_running(db: Connection, users: Collection[int], server: int | None) -> dict[int, tuple[int, int]]:
    """Return how many running games each of these people has: on all servers together, and on this one.

    None as `server` counts the games on no server. On a server, those of tournaments do not count. Includes those that
    a person still has to resign because they delete their data.
    """
    terms = cast(games.c.terms, Text)  # terms that cannot be read are those of no tournament
    is_free = or_(terms.not_like('%"tournament": %'), terms.like('%"tournament": null%'))
    here = func.count().filter(games.c.server == server, is_free)
    each = [select(literal(user, BigInteger), func.count(), here).where(_counted_for(user)) for user in users]
    return {user: (anywhere, there) for user, anywhere, there in await db.execute(union_all(*each))}


async def count_running_anywhere(db: Connection, user: int) -> int:
    """Return how many running games a person has, on all servers together.

    Includes those that they still have to resign because they delete their data.
    """
    return await db.scalar(select(func.count()).where(_counted_for(user))) or 0


async def private_games(db: Connection, user: int) -> list[int]:
    """Return the running private games of a person, those that have waited longest first."""
    found = select(games.c.id).where(_counted_for(user), games.c.channel == NOWHERE)
    return [*await db.scalars(found.order_by(games.c.waiting_since, games.c.id))]


async def count_all_running(db: Connection) -> int:
    """Return how many games are running."""
    # A game waits for somebody as long as it runs. There is an index on them.
    return await db.scalar(select(func.count()).where(games.c.waiting_user.is_not(None))) or 0


async def people_with_results(db: Connection, users: Collection[int]) -> WithResults:
    """Return who of these people has finished a game with a result: neither void nor cancelled."""
    ended = and_(games.c.status == Status.OVER, games.c.reason != Reason.REPETITION)
    between_people = and_(ended, games.c.level.is_(None))
    each = [select(literal(user, BigInteger), _exists(user, ended), _exists(user, between_people)) for user in users]
    rows = (await db.execute(union_all(*each))).all()
    return WithResults({user for user, any_game, _ in rows if any_game}, {user for user, _, found in rows if found})


def _exists(user: int, which: ColumnElement[bool]) -> ColumnElement[bool]:
    return exists().where(_played_by(user), which)


async def game_from_challenge(db: Connection, challenge: int, user: int) -> int | None:
    """Return the id of a person's game that came from this challenge, or None."""
    return await db.scalar(select(games.c.id).where(_played_by(user), games.c.origin == challenge).limit(1))


async def ended_games(db: Connection, user: int, limit: int) -> list[EndedGame]:
    """Return a person's ended games, the latest first. Does not check values that the list does not show."""
    query = LISTED_ROWS.where(_played_by(user), games.c.ended_at.is_not(None))
    rows = await db.execute(query.order_by(games.c.ended_at.desc(), games.c.id.desc()).limit(limit))
    return read_each(db, rows, "game", _read_ended_game)


def _read_findable(row: Row[Any]) -> ListedGame:
    return ListedGame(*listed_values(row), earlier_names=_earlier_names(row))


def _earlier_names(row: Row[Any]) -> ByColour[tuple[str, ...]]:
    return split_names(row.white_earlier_names), split_names(row.black_earlier_names)


def _read_ended_game(row: Row[Any]) -> EndedGame:
    winner = {"1-0": Colour.WHITE, "0-1": Colour.BLACK}.get(row.result)
    board, drawn = (row.board_message, row.board_channel), row.result == "1/2-1/2"
    return EndedGame(*listed_values(row), Status(row.status), winner, *board, drawn, earlier_names=_earlier_names(row))


async def save_last_listed(db: Connection, user: int, listed: Mapping[int, LastListed | None]) -> None:
    """Save what a person's list shows of these games. None means that it has shown the end of the game."""
    query = update(seats).where(seats.c.game == bindparam("in_game"), seats.c.user == user)
    values = query.values(listed_turn_number=bindparam("played"), listed_taken_back=bindparam("returned"))
    rows = [(game, turns or (None, None)) for game, turns in listed.items()]
    if rows:
        await db.execute(values, [{"in_game": game, "played": turns[0], "returned": turns[1]} for game, turns in rows])


def _waits_for(user: int) -> ColumnElement[bool]:
    """Return the condition that a game waits for a person who has a seat in it.

    While a person deletes their data, games may still wait for them in which they no longer have a seat.
    """
    seated = exists().where(seats.c.game == games.c.id, seats.c.user == user)
    return and_(games.c.waiting_user == user, seated)


def _played_by(user: int) -> ColumnElement[bool]:
    return games.c.id.in_(select(seats.c.game).where(seats.c.user == user))


def _running_with(user: int) -> ColumnElement[bool]:
    return and_(_played_by(user), games.c.status == Status.RUNNING)


def _counted_for(user: int) -> ColumnElement[bool]:
    former = select(deletions.c.pseudonym).where(deletions.c.user == user).scalar_subquery()
    theirs = select(seats.c.game).where(seats.c.user.in_([user, former]))
    return and_(games.c.id.in_(theirs), games.c.status == Status.RUNNING)


async def _load_briefs(db: Connection, which: ColumnElement[bool]) -> tuple[list[GameBrief], list[int], list[Row[Any]]]:
    """Return the running games that meet this condition, the ids of unreadable ones, and the rows of ended games.

    Other tasks run while a long list is read.
    """
    found = await db.execute(_BRIEF_ROWS.where(which).order_by(*_MOST_URGENT))
    briefs, unreadable, ended = list[GameBrief](), list[int](), list[Row[Any]]()
    for rows in found.partitions(_READ_AT_ONCE):
        for row in rows:
            if row.status != Status.RUNNING and row.ended_at is not None:
                ended.append(row)
                continue
            try:
                briefs.append(_read_brief(db, row))
            except UnreadableGame:
                unreadable.append(row.id)
        await asyncio.sleep(0)
    return briefs, unreadable, ended


def _read_brief(db: Connection, row: Row[Any]) -> GameBrief:
    """Return the brief of a game. Raises UnreadableGame for any fault in its row, even in values the brief omits."""

    def read() -> GameBrief:
        stored = read_game(row)
        return GameBrief(
            *listed_values(row),
            Colour(row.waiting_seat),
            row.turn_number,
            row.waiting_since,
            row.unreachable is not None,
            row.deadline_at,
            row.paused_left,
            row.flagged,
            row.taken_back,
            row.version,
            stored.game.last,
            row.board_message,
            row.board_channel,
            (
                _last_listed(row.white_listed_turn_number, row.white_listed_taken_back),
                _last_listed(row.black_listed_turn_number, row.black_listed_taken_back),
            ),
            stored.game.ruleset.agreed_draw,
            Colour(row.waiting_seat) is not stored.game.position.mover,
            VacationDays.by_terms(stored.game.terms, stored.created_at),
            stored.game.house_decides,
            row.has_tasks,
            stored,
        )

    return require_readable(db, row.id, read)


def _last_listed(turn_number: int | None, taken_back: int | None) -> LastListed | None:
    return None if turn_number is None or taken_back is None else LastListed(turn_number, taken_back)


def listed_values(row: Row[Any]) -> tuple[int, str, ByColour[int], ByColour[str], Venue]:
    """Return the values of a ListedGame in a row of LISTED_ROWS or GAME_ROWS."""
    users, names = (row.white_user, row.black_user), names_in(row, read_house(row.terms.get("house")))
    return row.id, row.ruleset["name"], users, names, Venue(row.server, row.channel, row.parent)


async def listed_of_others(
    db: Connection, server: int, channels: Collection[int], user: int, most: int
) -> list[ListedGame]:
    """Return at most `most` games as `live_page` does, without those in which a person plays."""
    rows = await db.execute(_on_server(LISTED_ROWS.where(is_played_by_others(user)), server, channels, most, 0))
    return read_each(db, rows, "game", _read_findable)


async def live_page(
    db: Connection, server: int, channels: Collection[int], most: int, skip: int = 0
) -> list[StoredGame]:
    """Return at most `most` running games of a server after the first `skip`, the last moved first.

    Only games in these channels and in their threads count. Unreadable games are left out.
    """
    return read_each(db, await db.execute(_on_server(GAME_ROWS, server, channels, most, skip)), "game", read_game)


async def last_channel(db: Connection, server: int) -> int | None:
    """Return the channel of the server's running game that moved last; for a thread, its parent channel.

    Unreachable games are left out. Return None if no game is running.
    """
    place = select(func.coalesce(games.c.parent, games.c.channel)).where(games.c.unreachable.is_(None))
    running = place.where(games.c.server == server, games.c.waiting_user.is_not(None))
    channel: int | None = await db.scalar(running.order_by(games.c.waiting_since.desc(), games.c.id.desc()).limit(1))
    return channel


def _on_server(rows: Select[Any], server: int, channels: Collection[int], most: int, skip: int) -> Select[Any]:
    here = func.coalesce(games.c.parent, games.c.channel).in_(channels)
    running = rows.where(games.c.server == server, games.c.waiting_user.is_not(None), games.c.level.is_(None), here)
    return running.order_by(games.c.waiting_since.desc(), games.c.id.desc()).limit(most).offset(skip)
