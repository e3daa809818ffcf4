"""Delete the data of a person: a pseudonym takes the place of their id, and what was theirs alone goes.

The first transaction of a deletion renames the player wherever something is looked up by the person. Each of its
statements uses an index. What is found by games or by rows of the outbox is renamed in batches afterwards.
"""

import secrets
from collections.abc import Collection, Mapping
from typing import Any

from sqlalchemy import Table, Text, cast, delete, exists, func, insert, or_, select, update

from gipfbot.match import RequestState, Status
from gipfbot.match.rated_games import POOLS
from gipfbot.values import FORMER_NAME, Deletion, LostReason, StoredMessage
from gipfbot.values.former_players import FIRST_PSEUDONYM, LAST_PSEUDONYM

from .database import Connection
from .rating_tables import memberships, rated_results, ratings, standings
from .standings import LISTED_SETTING, is_unlisted
from .tables import (
    blocks,
    challenges,
    conditionals,
    deletions,
    draft,
    due,
    events,
    games,
    outbox,
    seats,
    studies,
    takebacks,
    turns,
    users,
    vacations,
)
from .watching_tables import channel_checks, follows, guesses

TAKEBACK = "takeback"  # the kind of event whose data says who played the turns


async def load_deletion(db: Connection, user: int) -> Deletion | None:
    """Return the running deletion of a person's data, or None."""
    row = (await db.execute(select(deletions).where(deletions.c.user == user))).one_or_none()
    return Deletion(*row) if row else None


async def running_deletions(db: Connection) -> list[Deletion]:
    """Return all running deletions, the first begun first."""
    return [Deletion(*row) for row in await db.execute(select(deletions).order_by(deletions.c.began_at))]


async def add_deletion(db: Connection, user: int, now: int) -> Deletion:
    """Store that the deletion of a person's data has begun, with a pseudonym that nobody has."""
    new = Deletion(user, await _draw_pseudonym(db), now, 0, await last_message(db))
    await db.execute(insert(deletions).values(new._asdict()))
    return new


async def _draw_pseudonym(db: Connection) -> int:
    while True:
        drawn = FIRST_PSEUDONYM + secrets.randbelow(LAST_PSEUDONYM - FIRST_PSEUDONYM + 1)
        if not await db.scalar(select(seats.c.game).where(seats.c.user == drawn).limit(1)):
            return drawn


async def save_progress(db: Connection, new: Deletion) -> None:
    """Save how far a deletion has got."""
    values = {"games_done": new.games_done, "rows_left": new.rows_left}
    await db.execute(update(deletions).where(deletions.c.user == new.user).values(values))


async def end_deletion(db: Connection, ended: Deletion) -> None:
    """Delete the row of a deletion, and the vacations that its batches still had to look up."""
    await db.execute(delete(vacations).where(vacations.c.user == ended.pseudonym))
    await db.execute(delete(deletions).where(deletions.c.user == ended.user))


async def is_known(db: Connection, user: int) -> bool:
    """Return whether anything is stored that is found by a person's id: not what is owed to their channels."""
    columns = (
        *(users.c.id, seats.c.user, challenges.c.by_user, challenges.c.to_user, studies.c.user, vacations.c.user),
        *(follows.c.user, follows.c.player, guesses.c.user, channel_checks.c.user, blocks.c.user, blocks.c.blocked),
        *(due.c.user, memberships.c.user, deletions.c.user),
    )
    return bool(await db.scalar(select(or_(*(exists().where(column == user) for column in columns)))))


async def rename_player(db: Connection, user: int, pseudonym: int) -> None:
    """Put the pseudonym in the place of a person wherever somebody is looked up by their id.

    Includes ratings and results, so that nobody else's rating can change in between.
    """
    if await is_unlisted(db, user):  # so the former player stays out of the leaderboards, too
        await db.execute(insert(users).values(id=pseudonym, settings={LISTED_SETTING: False}))
    own = {"note": None, "quiet": False, "quiet_turn_serial": None, "listed_turn_number": None}
    values = {"user": pseudonym, "name": FORMER_NAME, **own, "listed_taken_back": None}
    await db.execute(update(seats).where(seats.c.user == user).values(values))
    await db.execute(update(games).where(games.c.waiting_user == user).values(waiting_user=pseudonym))
    await _rename_ratings(db, user, pseudonym)
    await _rename_challenges(db, user, pseudonym)
    await db.execute(update(blocks).where(blocks.c.blocked == user).values(blocked=pseudonym, name=FORMER_NAME))
    lost = func.coalesce(follows.c.lost, LostReason.IMPOSSIBLE)
    named = {"player": pseudonym, "name": FORMER_NAME, "lost": lost}
    await db.execute(update(follows).where(follows.c.player == user).values(named))


async def _rename_ratings(db: Connection, user: int, pseudonym: int) -> None:
    r = rated_results.c
    of_them = r.game.in_(select(r.game).where(r.user == user))
    await db.execute(update(rated_results).where(of_them, r.opponent == user).values(opponent=pseudonym))
    await db.execute(update(rated_results).where(r.late_user == user).values(late_user=pseudonym))
    await db.execute(update(rated_results).where(r.user == user).values(user=pseudonym))
    mine = ratings.c.pool.in_(POOLS), ratings.c.user == user
    await db.execute(update(ratings).where(*mine).values(user=pseudonym))
    for table in (standings, memberships):
        await db.execute(update(table).where(table.c.user == user).values(user=pseudonym))


async def _rename_challenges(db: Connection, user: int, pseudonym: int) -> None:
    for column, name in ((challenges.c.by_user, "by_name"), (challenges.c.to_user, "to_name")):
        values = {column.name: pseudonym, name: FORMER_NAME}
        await db.execute(update(challenges).where(column == user).values(values))


async def close_challenges(db: Connection, user: int) -> None:
    """Withdraw the open challenges by a person, and decline those to them. Call this before they are renamed."""
    ends = ((challenges.c.by_user, RequestState.WITHDRAWN), (challenges.c.to_user, RequestState.DECLINED))
    for column, state in ends:
        is_open = column == user, challenges.c.state == RequestState.OPEN
        await db.execute(update(challenges).where(*is_open).values(state=state))


async def delete_own_rows(db: Connection, user: int, pseudonym: int, now: int) -> None:
    """Delete what is a person's alone. Messages that are owed to them are not sent any more.

    What is due in their games, and their vacations, only get the pseudonym: the games still need them.
    """
    own: tuple[Table, ...] = (studies, follows, guesses, blocks, channel_checks)
    for table in own:
        await db.execute(delete(table).where(table.c.user == user))
    await db.execute(delete(users).where(users.c.id == user))
    owed = outbox.c.done_at.is_(None), outbox.c.not_before >= 0  # all of them, by the index of what is owed
    await db.execute(delete(outbox).where(outbox.c.channel == user, *owed))
    await db.execute(delete(due).where(due.c.user == user, due.c.game.is_(None)))
    await db.execute(update(due).where(due.c.user == user).values(user=pseudonym))
    over = {"user": pseudonym, "ended_at": func.coalesce(vacations.c.ended_at, now)}
    await db.execute(update(vacations).where(vacations.c.user == user).values(over))


async def games_to_rename(db: Connection, known: Deletion, limit: int) -> dict[int, bool]:
    """Return the oldest games that a deletion still has to do, at most `limit`, and whether each is running."""
    theirs = seats.c.user == known.pseudonym, seats.c.game > known.games_done
    query = select(seats.c.game, games.c.status).join(games).where(*theirs).order_by(seats.c.game).limit(limit)
    return {row.game: row.status == Status.RUNNING for row in await db.execute(query)}


async def games_among(db: Connection, pseudonym: int, ids: Collection[int]) -> set[int]:
    """Return those of these games that a former player has played."""
    return {*await db.scalars(select(seats.c.game).where(seats.c.game.in_(ids), seats.c.user == pseudonym))}


async def is_vacation_of(db: Connection, pseudonym: int, vacation: int) -> bool:
    """Return whether a vacation is that of a former player. Works until `end_deletion`."""
    mine = vacations.c.id == vacation, vacations.c.user == pseudonym
    return await db.scalar(select(vacations.c.id).where(*mine)) is not None


async def rename_in_games(db: Connection, known: Deletion, ids: Collection[int]) -> None:
    """Put the pseudonym in the place of a person in what these games consist of, and delete their conditionals."""
    user, pseudonym = known.user, known.pseudonym
    for table in (turns, draft, events, takebacks):
        theirs = table.c.game.in_(ids), table.c.by == user
        await db.execute(update(table).where(*theirs).values(by=pseudonym))
    await db.execute(delete(conditionals).where(conditionals.c.game.in_(ids), conditionals.c.user == user))
    await _rename_in_events(db, known, ids)
    await _rename_in_copies(db, pseudonym, ids)


async def _rename_in_events(db: Connection, known: Deletion, ids: Collection[int]) -> None:
    """Rename the person in the turns that were taken back, which the data of events holds."""
    query = select(events.c.game, events.c.seq, events.c.data).where(events.c.game.in_(ids), events.c.kind == TAKEBACK)
    for row in (await db.execute(query)).all():
        taken = [
            {**turn, "by": known.pseudonym} if turn.get("by") == known.user else turn
            for turn in row.data.get("turns", ())
        ]
        same = events.c.game == row.game, events.c.seq == row.seq
        await db.execute(update(events).where(*same).values(data={**row.data, "turns": taken}))


async def _rename_in_copies(db: Connection, pseudonym: int, ids: Collection[int]) -> None:
    """Put "a former player" in the place of the name where others have copied it: in studies and follows of a game."""
    query = select(seats.c.game, seats.c.colour, seats.c.user, seats.c.name).where(seats.c.game.in_(ids))
    players = {(row.game, row.colour): row for row in await db.execute(query.order_by(seats.c.colour))}
    for (game, colour), seat in players.items():
        if seat.user == pseudonym:
            side = "black" if colour else "white"
            await db.execute(update(studies).where(studies.c.game == game).values({side: FORMER_NAME}))
            name = " vs ".join(players[game, each].name for each in (0, 1))
            await db.execute(update(follows).where(follows.c.game == game).values(name=name))


async def last_message(db: Connection) -> int:
    """Return the id of the newest row of the outbox; 0 if it is empty."""
    return await db.scalar(select(func.max(outbox.c.id))) or 0


async def messages_about(
    db: Connection, user: int, kinds: Collection[str], first: int, last: int
) -> list[StoredMessage]:
    """Return the rows of the outbox, from one id to another, that are to a person or that may name them.

    Rows of `kinds` are all returned, because they name people without their ids.
    """
    o, text = outbox.c, f"%{user}%"
    named = cast(o.payload, Text).like(text), o.key.like(text), o.channel == user, o.kind.in_(kinds)
    columns = (o[name] for name in StoredMessage._fields)
    query = select(*columns).where(o.id.between(first, last), or_(*named)).order_by(o.id)
    return [StoredMessage(*row) for row in await db.execute(query)]


async def rewrite_message(db: Connection, row_id: int, key: str, payload: Mapping[str, Any]) -> None:
    """Save another key and payload of a row of the outbox."""
    await db.execute(update(outbox).where(outbox.c.id == row_id).values(key=key, payload=dict(payload)))


async def delete_messages(db: Connection, rows: Collection[int]) -> None:
    """Delete rows of the outbox."""
    await db.execute(delete(outbox).where(outbox.c.id.in_(rows)))
