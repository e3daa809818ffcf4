"""Challenges and open seeks."""

from collections.abc import Collection
from dataclasses import replace
from typing import Any

from sqlalchemy import Row, Select, and_, insert, or_, select, update

from gipfbot.match import Challenge, RequestState, Seat, Side, Terms
from gipfbot.rules import Ruleset
from gipfbot.values import Stale, StoredChallenge, Venue

from .database import Connection, read_each
from .deletions import with_hashed_ids
from .tables import challenges, former_pings


async def add_challenge(db: Connection, challenge: Challenge, venue: Venue) -> StoredChallenge:
    """Store an open challenge; return it with its id."""
    to = challenge.to
    values = {
        "server": venue.server,
        "channel": venue.channel,
        "parent": venue.parent,
        "by_user": challenge.by.user,
        "by_name": challenge.by.name,
        "to_user": to and to.user,
        "to_name": to and to.name,
        "ruleset": challenge.ruleset.data(),
        "side": challenge.side,
        "state": challenge.state,
        "expires_at": challenge.expires_at,
        "terms": challenge.terms.data(),
        "rematch_of": challenge.rematch_of,
        "takes_left": challenge.takes_left,
    }
    challenge_id = (await db.execute(insert(challenges).values(values).returning(challenges.c.id))).scalar_one()
    return StoredChallenge(replace(challenge, id=challenge_id), venue)


async def rematch_challenge_of(db: Connection, game: int) -> StoredChallenge | None:
    """Return the newest challenge to a rematch of this game, or None."""
    query = select(challenges).where(challenges.c.rematch_of == game).order_by(challenges.c.id.desc()).limit(1)
    found = await _load_challenges(db, query)
    return found[0] if found else None


async def load_challenges(db: Connection, ids: Collection[int]) -> list[StoredChallenge]:
    """Return the challenges with these ids, oldest first."""
    return await _load_challenges(db, select(challenges).where(challenges.c.id.in_(ids)).order_by(challenges.c.id))


async def load_challenge(db: Connection, challenge_id: int) -> StoredChallenge | None:
    """Return the challenge with this id, or None if there is none or it cannot be read."""
    found = await _load_challenges(db, select(challenges).where(challenges.c.id == challenge_id))
    return found[0] if found else None


async def save_challenge(db: Connection, challenge: Challenge, game: int | None = None) -> None:
    """Save the state of an open challenge, and the game that came from it, if given.

    Raises Stale if the challenge is closed.
    """
    changed = await db.execute(
        update(challenges)
        .where(challenges.c.id == challenge.id, challenges.c.state == RequestState.OPEN)
        .values(state=challenge.state, takes_left=challenge.takes_left, **({} if game is None else {"game": game}))
    )
    if not changed.rowcount:
        raise Stale(f"challenge {challenge.id}")


async def set_challenge_message(db: Connection, challenge_id: int, message: int) -> None:
    """Remember the message that shows a challenge."""
    await db.execute(update(challenges).where(challenges.c.id == challenge_id).values(message=message))


async def move_challenges_to_parent(db: Connection, thread: int, parent: int) -> None:
    """Move the open challenges of a thread to its parent channel. Challenges already posted in the thread stay."""
    unposted = challenges.c.channel == thread, challenges.c.message.is_(None), challenges.c.state == RequestState.OPEN
    await db.execute(update(challenges).where(*unposted).values(channel=parent, parent=None))


async def open_seeks(db: Connection, server: int | None) -> list[StoredChallenge]:
    """Return the open seeks of a server, oldest first. Does not check whether they have expired."""
    mine = challenges.c.server == server, challenges.c.to_user.is_(None), challenges.c.state == RequestState.OPEN
    return await _load_challenges(db, select(challenges).where(*mine).order_by(challenges.c.id))


async def challenges_of(db: Connection, user: int) -> list[StoredChallenge]:
    """Return the open challenges by or to a person, oldest first. Does not check whether they have expired."""
    is_open = challenges.c.state == RequestState.OPEN
    # The state is asked twice, so that each half can use its own index.
    mine = or_(and_(challenges.c.by_user == user, is_open), and_(challenges.c.to_user == user, is_open))
    return await _load_challenges(db, select(challenges).where(mine).order_by(challenges.c.id))


async def open_challenges_between(db: Connection, user: int, other: int, now: int) -> list[StoredChallenge]:
    """Return the open challenges between two people, the first to expire first."""
    is_open = challenges.c.state == RequestState.OPEN, challenges.c.expires_at > now
    found = list[StoredChallenge]()
    for by, to in ((user, other), (other, user)):
        query = select(challenges).where(challenges.c.by_user == by, challenges.c.to_user == to, *is_open)
        found += await _load_challenges(db, query.order_by(challenges.c.expires_at, challenges.c.id))
    return found


async def count_open_challenges(db: Connection, user: int, now: int) -> tuple[int, int]:
    """Return how many open challenges a person has made, and how many of them are seeks."""
    mine = challenges.c.by_user == user, challenges.c.state == RequestState.OPEN
    rows = await db.execute(select(challenges.c.to_user, challenges.c.expires_at).where(*mine))
    # With a condition on the time, SQLite would read all open challenges of all people.
    opponents = [row.to_user for row in rows if row.expires_at > now]
    return len(opponents), opponents.count(None)


async def nth_newest_expiry(db: Connection, by: int, to: int, number: int) -> int | None:
    """Return when the `number`-th newest challenge of one person to another expires, or expired.

    Closed challenges count, too, and so do those sent on the day before the person deleted their data. None if there
    are fewer challenges.
    """
    p, known = former_pings.c, await with_hashed_ids(db, [by])
    before = select(p.expires_at).where(p.hashed_id.in_(known), p.to_user == to).order_by(p.expires_at.desc())
    mine = challenges.c.by_user == by, challenges.c.to_user == to
    newest_first = select(challenges.c.expires_at).where(*mine).order_by(challenges.c.expires_at.desc())
    found = [time for query in (newest_first, before) for time in await db.scalars(query.limit(number))]
    return sorted(found, reverse=True)[number - 1] if len(found) >= number else None


async def expired_challenges(db: Connection, now: int, limit: int) -> list[StoredChallenge]:
    """Return the open challenges that have expired, the first to expire first."""
    late = challenges.c.state == RequestState.OPEN, challenges.c.expires_at <= now
    return await _load_challenges(
        db, select(challenges).where(*late).order_by(challenges.c.expires_at, challenges.c.id).limit(limit)
    )


async def _load_challenges(db: Connection, query: Select[Any]) -> list[StoredChallenge]:
    """Return the challenges of a query. Challenges that cannot be read are left out."""
    return read_each(db, await db.execute(query), "challenge", _stored_challenge)


def _stored_challenge(row: Row[Any]) -> StoredChallenge:
    by = Seat(row.by_user, row.by_name)
    to = None if row.to_user is None else Seat(row.to_user, row.to_name)
    ruleset = Ruleset.from_data(row.ruleset)
    told = Side(row.side), row.expires_at, RequestState(row.state), Terms.from_data(row.terms), row.rematch_of
    challenge = Challenge(row.id, by, to, ruleset, *told, row.takes_left)
    return StoredChallenge(challenge, Venue(row.server, row.channel, row.parent), row.message, row.game)
