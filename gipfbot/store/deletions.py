"""Delete the data of a person: replace their id by a pseudonym, and delete what was theirs alone.

What outlives a deletion under a hashed id is in `hashed_ids.py`.

The first transaction of a deletion renames the player in all rows by which a person's games and ratings are found. Each
of its statements uses an index. Challenges, games and rows of the outbox are renamed in batches afterwards.
"""

import secrets
from collections.abc import Collection, Mapping
from typing import Any, NamedTuple

from sqlalchemy import Column, Text, Update, bindparam, cast, delete, exists, func, insert, or_, select, update

from gipfbot.match import RequestState, Status
from gipfbot.values import FORMER_NAME, LostReason, StoredMessage, named_both
from gipfbot.values.people import FIRST_PSEUDONYM, LAST_PSEUDONYM

from .column_info import End, Instead, columns_with, columns_with_people, end_of
from .database import Connection
from .games import TAKEBACK
from .hashed_ids import hash_id, keep_pairs, keep_pings
from .personal_data import rows_with
from .rating_tables import rated_results
from .standings import LISTED_SETTING, is_unlisted
from .study_tables import puzzle_tries, studies
from .tables import (
    blocks,
    challenges,
    conditionals,
    deletions,
    due,
    events,
    follows,
    games,
    metadata,
    outbox,
    seats,
    users,
    vacations,
)
from .tournaments import leave_tournaments

_REWRITE = (
    update(outbox)
    .where(outbox.c.id == bindparam("row"))
    .values(key=bindparam("new_key"), payload=bindparam("new_payload"))
)


class Deletion(NamedTuple):
    """The deletion of a person's data, which began at `began_at`, in UTC seconds.

    Data that is theirs alone goes first; `games_done` is negative until then. Their challenges with ids up to
    `challenges_left` follow, the newest first; then their games with ids above `games_done`; then the outbox rows with
    ids up to `rows_left`, the newest first. Challenges and rows made after the deletion began are left out.
    """

    user: int
    pseudonym: int
    began_at: int
    games_done: int
    rows_left: int
    challenges_left: int = 0


async def load_deletion(db: Connection, user: int) -> Deletion | None:
    """Return the running deletion of a person's data, or None."""
    row = (await db.execute(select(deletions).where(deletions.c.user == user))).one_or_none()
    return Deletion(*row) if row else None


async def running_deletions(db: Connection) -> list[Deletion]:
    """Return all running deletions, the first begun first."""
    return [
        Deletion(*row) for row in await db.execute(select(deletions).order_by(deletions.c.began_at, deletions.c.user))
    ]


async def draw_pseudonym(db: Connection) -> int:
    """Return a random pseudonym that nobody has."""
    while True:
        drawn = FIRST_PSEUDONYM + secrets.randbelow(LAST_PSEUDONYM - FIRST_PSEUDONYM + 1)
        taken = exists().where(seats.c.user == drawn), exists().where(puzzle_tries.c.user == drawn)
        if not await db.scalar(select(or_(*taken))):
            return drawn


async def add_deletion(db: Connection, user: int, pseudonym: int, now: int) -> Deletion:
    """Store that the deletion of a person's data has begun."""
    newest = {"rows_left": outbox.c.id, "challenges_left": challenges.c.id}
    left = {name: select(func.coalesce(func.max(column), 0)).scalar_subquery() for name, column in newest.items()}
    begun = insert(deletions).values(user=user, pseudonym=pseudonym, began_at=now, games_done=-1, **left)
    return Deletion(*(await db.execute(begun.returning(*deletions.c))).one())


async def save_progress(db: Connection, new: Deletion) -> None:
    """Save how far a deletion has got."""
    values = {name: getattr(new, name) for name in ("games_done", "rows_left", "challenges_left")}
    await db.execute(update(deletions).where(deletions.c.user == new.user).values(values))


async def end_deletion(db: Connection, ended: Deletion) -> None:
    """Delete the row of a deletion, and the vacations that its batches still had to look up."""
    await db.execute(delete(vacations).where(vacations.c.user == ended.pseudonym))
    await db.execute(delete(deletions).where(deletions.c.user == ended.user))


async def is_known(db: Connection, user: int) -> bool:
    """Return whether any row is found by a person's id. Messages owed to their channels do not count."""
    columns = deletions.c.user, *columns_with_people(metadata)
    return bool(await db.scalar(select(or_(*(exists().where(column == user) for column in columns)))))


async def rename_player(db: Connection, user: int, pseudonym: int, now: int) -> None:
    """Replace a person by the pseudonym in every row that lists of players and games use.

    Includes ratings and results, so that nobody else's rating can change in between. Each table is changed by one
    statement, or by one for each column.
    """
    await keep_pairs(db, user, now)
    if await is_unlisted(db, user):  # so the former player stays out of the leaderboards, too
        await db.execute(insert(users).values(id=pseudonym, settings={LISTED_SETTING: False}))
    r, v = rated_results.c, vacations.c
    of_them = r.game.in_(select(r.game).where(r.user == user))
    await db.execute(_put_in(r.opponent, pseudonym).where(of_them, r.opponent == user))
    # The results of first tries stay: puzzles are rated by them.
    await db.execute(delete(puzzle_tries).where(puzzle_tries.c.user == user, puzzle_tries.c.solved.is_(None)))
    await leave_tournaments(db, user, now)
    for column in columns_with(metadata, End.PLAYER):
        await db.execute(_put_in(column, pseudonym).where(*rows_with(column, user)))
    await db.execute(update(vacations).where(v.user == pseudonym, v.ended_at.is_(None)).values(ended_at=now))


def _put_in(column: Column[int], pseudonym: int) -> Update:
    """Return the statement that replaces a column's id, and values that depend on it. The caller adds conditions."""
    others = {other.name: end_of(other) for other in column.table.c}
    instead = {name: end.value for name, end in others.items() if isinstance(end, Instead) and end.of == column.name}
    return update(column.table).values({column.name: pseudonym, **instead})


async def close_challenges(db: Connection, user: int) -> list[int]:
    """Withdraw the open challenges by a person, and decline those to them. Return their ids."""
    ends = ((challenges.c.by_user, RequestState.WITHDRAWN), (challenges.c.to_user, RequestState.DECLINED))
    closed = list[int]()
    for column, state in ends:
        is_open = column == user, challenges.c.state == RequestState.OPEN
        change = update(challenges).where(*is_open).values(state=state)
        closed += await db.scalars(change.returning(challenges.c.id))
    return sorted(closed)


async def challenges_to_rename(db: Connection, known: Deletion, limit: int) -> list[int]:
    """Return the newest challenges that a deletion still has to rename, at most `limit`."""
    c = challenges.c
    theirs = or_(c.by_user == known.user, c.to_user == known.user), c.id <= known.challenges_left
    return [*await db.scalars(select(c.id).where(*theirs).order_by(c.id.desc()).limit(limit))]


async def rename_challenges(db: Connection, known: Deletion, ids: Collection[int], now: int) -> None:
    """Remove a person from these challenges. Recent pings by them are kept under a hashed id."""
    await keep_pings(db, known.user, ids, now)
    for column in (challenges.c.by_user, challenges.c.to_user):
        theirs = challenges.c.id.in_(ids), column == known.user
        await db.execute(_put_in(column, known.pseudonym).where(*theirs))


async def delete_own_rows(db: Connection, user: int, pseudonym: int) -> None:
    """Delete all rows that are a person's alone, and the messages that are owed to them.

    Tasks due in their games only get the pseudonym, because the games still need them.
    """
    for column in columns_with(metadata, End.OWNER):
        await db.execute(delete(column.table).where(column == user))
    owed = outbox.c.done_at.is_(None), outbox.c.not_before >= 0  # all of them, by the index of what is owed
    await db.execute(delete(outbox).where(outbox.c.channel == user, *owed))
    await db.execute(update(outbox).where(outbox.c.caused_by == user, *owed).values(caused_by=None))
    await db.execute(delete(due).where(due.c.user == user, due.c.game.is_(None)))
    await db.execute(_put_in(due.c.user, pseudonym).where(due.c.user == user))
    await _rename_for_others(db, user, pseudonym)


async def _rename_for_others(db: Connection, user: int, pseudonym: int) -> None:
    """End the follows of a person. The blocks against them keep the hashed id."""
    lost = func.coalesce(follows.c.lost, LostReason.IMPOSSIBLE)
    named = {"player": pseudonym, "name": FORMER_NAME, "lost": lost}
    await db.execute(update(follows).where(follows.c.player == user).values(named))
    if await db.scalar(select(exists().where(blocks.c.blocked == user))):
        hashed = await hash_id(db, user)
        again = select(blocks.c.user).where(
            blocks.c.blocked == hashed
        )  # they had been blocked in an earlier timeline, too
        await db.execute(delete(blocks).where(blocks.c.blocked == user, blocks.c.user.in_(again)))
        await db.execute(_put_in(blocks.c.blocked, hashed).where(blocks.c.blocked == user))


async def games_to_rename(db: Connection, known: Deletion, limit: int) -> dict[int, bool]:
    """Return the oldest games that a deletion still has to rename, at most `limit`, and whether each is running."""
    theirs = seats.c.user == known.pseudonym, seats.c.game > known.games_done
    query = select(seats.c.game, games.c.status).join(games).where(*theirs).order_by(seats.c.game).limit(limit)
    return {row.game: row.status == Status.RUNNING for row in await db.execute(query)}


async def games_among(db: Connection, pseudonym: int, ids: Collection[int]) -> set[int]:
    """Return the games, among these, that a former player has played."""
    return {*await db.scalars(select(seats.c.game).where(seats.c.game.in_(ids), seats.c.user == pseudonym))}


async def is_vacation_of(db: Connection, pseudonym: int, vacation: int) -> bool:
    """Return whether a vacation is that of a former player. Works until `end_deletion`."""
    mine = vacations.c.id == vacation, vacations.c.user == pseudonym
    return await db.scalar(select(vacations.c.id).where(*mine)) is not None


async def rename_in_games(db: Connection, known: Deletion, ids: Collection[int]) -> None:
    """Replace a person by the pseudonym in all rows of these games. Delete their conditionals."""
    for column in columns_with(metadata, End.IN_GAME):
        game = column.table.c.id if column.table is games else column.table.c.game
        await db.execute(_put_in(column, known.pseudonym).where(game.in_(ids), column == known.user))
    await db.execute(delete(conditionals).where(conditionals.c.game.in_(ids), conditionals.c.user == known.user))
    await _rename_in_events(db, known, ids)
    await _rename_in_copies(db, known.pseudonym, ids)


async def _rename_in_events(db: Connection, known: Deletion, ids: Collection[int]) -> None:
    """Rename the person in turns that were taken back. The data of events holds these turns."""
    query = select(events.c.game, events.c.seq, events.c.data).where(events.c.game.in_(ids), events.c.kind == TAKEBACK)
    for row in (await db.execute(query)).all():
        taken = [
            {**turn, "by": known.pseudonym} if turn.get("by") == known.user else turn
            for turn in row.data.get("turns", ())
        ]
        same = events.c.game == row.game, events.c.seq == row.seq
        await db.execute(update(events).where(*same).values(data={**row.data, "turns": taken}))


async def _rename_in_copies(db: Connection, pseudonym: int, ids: Collection[int]) -> None:
    """Replace the name by "a former player" in other people's studies and follows of these games."""
    copied = {*await db.scalars(select(studies.c.game).where(studies.c.game.in_(ids)))}
    copied |= {*await db.scalars(select(follows.c.game).where(follows.c.game.in_(ids)))}
    if not copied:
        return
    query = select(seats.c.game, seats.c.colour, seats.c.user, seats.c.name).where(seats.c.game.in_(copied))
    players = {(row.game, row.colour): row for row in await db.execute(query.order_by(seats.c.colour))}
    for (game, colour), seat in players.items():
        if seat.user == pseudonym:
            side = "black" if colour else "white"
            await db.execute(update(studies).where(studies.c.game == game).values({side: FORMER_NAME}))
            name = named_both(*(players[game, each].name for each in (0, 1)))
            await db.execute(update(follows).where(follows.c.game == game).values(name=name))


async def last_message(db: Connection) -> int:
    """Return the id of the newest row of the outbox; 0 if it is empty."""
    return await db.scalar(select(func.max(outbox.c.id))) or 0


async def messages_about(
    db: Connection, user: int, kinds: Collection[str], first: int, last: int
) -> list[StoredMessage]:
    """Return the outbox rows with ids from `first` to `last` that go to a person or may name them.

    Rows of `kinds` are all returned, because they name people without their ids.
    """
    o, text = outbox.c, f"%{user}%"
    named = cast(o.payload, Text).like(text), o.key.like(text), o.channel == user, o.kind.in_(kinds)
    columns = (o[name] for name in StoredMessage._fields)
    query = select(*columns).where(o.id.between(first, last), or_(*named)).order_by(o.id)
    return [StoredMessage(*row) for row in await db.execute(query)]


async def rewrite_messages(db: Connection, rows: Mapping[int, tuple[str, Mapping[str, Any]]]) -> None:
    """Save new keys and payloads of rows of the outbox, by their ids."""
    values = [{"row": row, "new_key": key, "new_payload": dict(payload)} for row, (key, payload) in rows.items()]
    if values:
        await db.execute(_REWRITE, values)


async def delete_messages(db: Connection, rows: Collection[int]) -> None:
    """Delete rows of the outbox."""
    await db.execute(delete(outbox).where(outbox.c.id.in_(rows)))
