"""How many challenges a person may have open or send to another, and how many games they may play at once."""

from collections.abc import Iterable

from gipfbot.match import REQUEST_LIFETIME, Challenge, Refused, Seat, Why
from gipfbot.match.clock import DAY
from gipfbot.store import Connection, challenges, game_lists
from gipfbot.values import Limits


async def check_new_challenge(db: Connection, new: Challenge, limits: Limits, now: int) -> None:
    """Raise Refused if a challenge that is not stored yet would exceed a limit. Does not check running games."""
    if new.to:
        await _check_between(db, new.by.user, new.to, limits, now)
    made, seeks = await challenges.count_open_challenges(db, new.by.user, now)
    if new.to is None and seeks >= limits.open_seeks:
        raise Refused(Why.TOO_MANY_SEEKS, most=limits.open_seeks)
    if made >= limits.open_challenges:
        raise Refused(Why.TOO_MANY_CHALLENGES, most=limits.open_challenges)


async def _check_between(db: Connection, by: int, to: Seat, limits: Limits, now: int) -> None:
    """Raise Refused if one of two people waits for the other's answer, or if `by` has pinged the other too often."""
    pending = [stored.challenge for stored in await challenges.open_challenges_between(db, by, to.user, now)]
    for theirs in (challenge for challenge in pending if challenge.by.user != by):
        raise Refused(Why.CHALLENGES_CROSS, name=theirs.by.name, challenge=theirs.id)
    if len(pending) >= limits.challenges_to_one:
        raise Refused(Why.CHALLENGE_PENDING, name=to.name, challenge=pending[0].id)
    await _check_pings(db, by, to, limits.pings_a_day, now)


async def _check_pings(db: Connection, by: int, to: Seat, most: int, now: int) -> None:
    """Raise Refused if a person has sent `most` challenges to another within a day. Closed ones count, too."""
    expires_at = await challenges.nth_newest_expiry(db, by, to.user, most)
    if expires_at is None:
        return
    again_at = expires_at - REQUEST_LIFETIME + DAY  # every challenge has the same lifetime
    if now < again_at:
        raise Refused(Why.TOO_MANY_PINGS, name=to.name, most=most, at=again_at)


async def check_running_games(db: Connection, players: Iterable[Seat], by: int, most: int) -> None:
    """Raise Refused if one of these players has `most` running games, on all servers together.

    The refusal names that player, unless it is `by`, the player who asks.
    """
    for player in sorted(players, key=lambda player: player.user != by):
        if await game_lists.count_running_anywhere(db, player.user) >= most:
            raise Refused(Why.TOO_MANY_RUNNING, name=None if player.user == by else player.name, most=most)
