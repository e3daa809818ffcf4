"""Challenges and open seeks."""

from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import Row, Select, and_, func, insert, or_, select, update

from gipfbot.match import Challenge, RequestState, Seat, Side, Terms
from gipfbot.rules import Ruleset
from gipfbot.values import Stale, StoredChallenge, Venue, named_player

from .database import Connection, read_each
from .hashed_ids import KEY_COLUMN, pings_count_after, with_hashed_ids
from .tables import NOW, challenges, former_pings

EXPIRED = and_(challenges.c.state == RequestState.OPEN, challenges.c.expires_at <= NOW)

_c = challenges.c


async def add_challenge(
    db: Connection, challenge: Challenge, venue: Venue, mentioned_role: int | None = None
) -> StoredChallenge:
    """Store an open challenge; return it with its id. Its message mentions the role, if one is given."""
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
        "mentioned_role": mentioned_role,
    }
    challenge_id = (await db.execute(insert(challenges).values(values).returning(challenges.c.id))).scalar_one()
    return StoredChallenge(replace(challenge, id=challenge_id), venue, mentioned_role=mentioned_role)


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


async def close_unseen(db: Connection, challenge_id: int, now: int) -> None:
    """Let an open challenge expire at once, as one of long ago: the pings and mentions of the day leave it out."""
    is_open = challenges.c.id == challenge_id, challenges.c.state == RequestState.OPEN
    await db.execute(update(challenges).where(*is_open).values(state=RequestState.EXPIRED, expires_at=now))


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


async def count_mentions(db: Connection, server: int | None, now: int) -> int:
    """Return how many challenges of the last day on a server mention a role."""
    recent = _c.server == server, _c.mentioned_role.is_not(None), _c.expires_at > pings_count_after(now)
    return await db.scalar(select(func.count()).where(*recent)) or 0


async def challenges_of(db: Connection, user: int) -> list[StoredChallenge]:
    """Return the open challenges by or to a person, oldest first. Does not check whether they have expired."""
    is_open = challenges.c.state == RequestState.OPEN
    # The state is asked twice, so that each half can use its own index.
    mine = or_(and_(challenges.c.by_user == user, is_open), and_(challenges.c.to_user == user, is_open))
    return await _load_challenges(db, select(challenges).where(mine).order_by(challenges.c.id))


@dataclass(frozen=True)
class EarlierChallenges:
    """What a person's limits depend on when they challenge: the challenges before that one."""

    made: int  # their open challenges, seeks included
    seeks: int  # their open seeks
    between: list[Challenge]  # the open challenges between them and the person challenged, the first to expire first
    pings: list[int]  # when their challenges to that person expire, closed ones of the last day included, latest first


async def earlier_challenges(db: Connection, by: int, to: int | None, now: int) -> EarlierChallenges:
    """Return the challenges before a new one by one person to another; `to` is None for a seek.

    The pings include those sent on the day before the person deleted their data.
    """
    # Each part has an index. With a condition on the time, SQLite would read all open challenges of all people.
    parts = [and_(_c.by_user == by, _c.state == RequestState.OPEN)]
    if to is not None:
        parts.append(and_(_c.by_user == to, _c.to_user == by, _c.state == RequestState.OPEN))
        parts.append(and_(_c.by_user == by, _c.to_user == to, _c.expires_at > pings_count_after(now)))
    rows = (await db.execute(select(challenges).where(or_(*parts)).order_by(_c.expires_at, _c.id))).all()
    standing = [row for row in rows if row.state == RequestState.OPEN and row.expires_at > now]
    opponents = [row.to_user for row in standing if row.by_user == by]
    made = len(opponents), opponents.count(None)
    if to is None:
        return EarlierChallenges(*made, [], [])
    found = read_each(db, [row for row in standing if row.to_user in (by, to)], "challenge", _stored_challenge)
    pings = [row.expires_at for row in rows if (row.by_user, row.to_user) == (by, to)]
    pings += await _former_pings(db, by, to)
    return EarlierChallenges(*made, [stored.challenge for stored in found], sorted(pings, reverse=True))


async def _former_pings(db: Connection, by: int, to: int) -> list[int]:
    """Return when the challenges expire that a person sent to another on the day before they deleted their data."""
    p = former_pings.c
    rows = (await db.execute(select(p.hashed_id, p.expires_at, KEY_COLUMN).where(p.to_user == to))).all()
    return [row.expires_at for row in rows if row.hashed_id in with_hashed_ids(row.hash_key, [by])]


async def expired_challenges(db: Connection, now: int, limit: int) -> list[StoredChallenge]:
    """Return the open challenges that have expired, the first to expire first."""
    late = select(challenges).where(EXPIRED).order_by(challenges.c.expires_at, challenges.c.id)
    return await _load_challenges(db, late.limit(limit).params(now=now))


async def _load_challenges(db: Connection, query: Select[Any]) -> list[StoredChallenge]:
    """Return the challenges of a query. Challenges that cannot be read are left out."""
    return read_each(db, await db.execute(query), "challenge", _stored_challenge)


def _stored_challenge(row: Row[Any]) -> StoredChallenge:
    by = Seat(row.by_user, named_player(row.by_user, row.by_name))
    to = None if row.to_user is None else Seat(row.to_user, named_player(row.to_user, row.to_name))
    ruleset = Ruleset.from_data(row.ruleset)
    told = Side(row.side), row.expires_at, RequestState(row.state), Terms.from_data(row.terms), row.rematch_of
    challenge = Challenge(row.id, by, to, ruleset, *told, row.takes_left)
    venue = Venue(row.server, row.channel, row.parent)
    return StoredChallenge(challenge, venue, row.message, row.game, row.mentioned_role)
