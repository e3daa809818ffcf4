"""Time credited to players because the bot was down or a board was posted late, and the notices of it.

The flag watch credits all clocks in batches. Until it is done, the bot's last sign of life stays unchanged. For a game
that is credited already, the end of the credit is used instead. So nobody is credited twice.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass

from gipfbot import match
from gipfbot.match import Game
from gipfbot.rules import Colour
from gipfbot.service.delivery import board_message
from gipfbot.service.kit.message_kinds import Followups, MessageKind
from gipfbot.store import Connection, clocks, meta, outbox, shard_heartbeats

DOWNTIME_NOTICE = MessageKind("downtime_notice", "note that the bot was away")
MIN_NOTICED_DOWNTIME = 3600  # seconds; after a shorter downtime the next message with a deadline is enough

# Called with (db, seconds, now) when all clocks are credited for time in which nobody could play.
when_downtime_credited = Followups[[Connection, int, int]]()
LAST_ALIVE_KEY = "last_alive"
CLOCK_CREDIT_KEY = "clock_credit"  # the key of the unfinished credit of all clocks
REPLAN_KEY = "replan"  # the key that is set while all reminders have to be planned anew
_KEYS = LAST_ALIVE_KEY, CLOCK_CREDIT_KEY
MIN_DOWNTIME = 120  # seconds; a shorter gap between two signs of life is no downtime


async def owe_downtime_notices(
    db: Connection, since: int, seconds_down: int, running: Iterable[clocks.RunningClock], now: int
) -> None:
    """Queue one notice to each channel that has a game with one of the clocks in `running`.

    The clocks must already be credited for the downtime. `since` is the bot's last sign of life in UTC seconds.
    `seconds_down` is the length of the downtime.
    """
    by_channel: dict[tuple[int, int | None], list[tuple[int, int, bool]]] = {}
    for deadline, game_id, game in sorted((game.clock.deadline or 0, game.id, game) for game in running):
        if game.channel is not None:
            place = game.channel, game.server
            by_channel.setdefault(place, []).append((game_id, deadline, game.clock.flagged))
    payloads = {
        channel: {"server": server, "seconds": seconds_down, "games": games}
        for (channel, server), games in by_channel.items()
    }
    await outbox.owe_each(db, f"{DOWNTIME_NOTICE}:{since}:{now}", DOWNTIME_NOTICE, payloads, now)


@dataclass(frozen=True)
class ClockCredit:
    """An unfinished credit of all clocks: each is shifted as if it had been paused from `since` to `now`.

    The bot was down from `since` to `without_jump`. The rest is a jump of the host's clock. Times are UTC seconds.
    """

    since: int
    without_jump: int
    now: int
    jump_credited: bool  # whether boards show the jump as credit, too
    last_game: int = 0  # the games up to this id are credited


async def load_clock_credit(db: Connection) -> ClockCredit | None:
    """Return the unfinished credit of all clocks; None if there is none."""
    return _read_clock_credit(await meta.load_value(db, CLOCK_CREDIT_KEY))


def _read_clock_credit(text: str | None) -> ClockCredit | None:
    return ClockCredit(**json.loads(text)) if text else None


async def save_clock_credit(db: Connection, credit: ClockCredit | None) -> None:
    """Save the progress of the credit of all clocks; None when it is done."""
    await meta.save_value(db, CLOCK_CREDIT_KEY, json.dumps(asdict(credit)) if credit else "")


async def since(db: Connection, now: int, game: int | None = None) -> int | None:
    """Return when the current downtime began, in UTC seconds, or None if the bot was not down.

    With a `game`, the process that runs the shard of its server counts, too. Return None for a `game` whose clock is
    credited for it already.
    """
    if game is None:
        last = await _last_alive(db, now)
    else:
        last = min(await _last_alive_and_heartbeat(db, now, game))
    return _when_down(last, now)


def _when_down(last: int, now: int) -> int | None:
    return last if now - last > MIN_DOWNTIME else None


async def clock_now(db: Connection, now: int, game: int | None = None) -> int:
    """Return the time to use when the clock of `game` changes, in UTC seconds; None stands for a game that begins now.

    This time is `now`. If `now` is before the bot's last sign of life, because the host's clock was set back, it is the
    time of that last sign of life.
    """
    return now + await rollback(db, now, game)


async def resumption_moment(db: Connection, now: int, game: int) -> int:
    """Return the moment from which a resumed clock of `game` runs, in UTC seconds.

    Normally this is `now`. In a downtime that is not recorded yet, it is the beginning of the downtime: the next pass
    of the flag watch credits all of it. After a rollback, it is the bot's last sign of life. While the process for the
    shard of the game's server is down, it is the shard's last sign of life: that downtime is credited as well.
    """
    last, heartbeat = await _last_alive_and_heartbeat(db, now, game)
    moment = now if 0 <= now - last <= MIN_DOWNTIME else last
    return heartbeat if moment - heartbeat > MIN_DOWNTIME else moment


async def rollback(db: Connection, now: int, game: int | None = None) -> int:
    """Return the seconds by which the host's clock is behind the bot's last sign of life; 0 if it is not.

    Return 0 for a `game` whose clock is shifted already.
    """
    return max(0, await _last_alive(db, now, game) - now)


async def _last_alive(db: Connection, now: int, game: int | None = None) -> int:
    """Return the bot's last sign of life, or `now` if there was none; for a credited `game`, the end of the credit."""
    return _read_last_alive(await meta.load_values(db, _KEYS), now, game)


async def _last_alive_and_heartbeat(db: Connection, now: int, game: int) -> tuple[int, int]:
    """Return the last sign of life of the bot, and of the shard of a game; the same twice if the shard has none."""
    known, heartbeat = await shard_heartbeats.values_and_heartbeat(db, _KEYS, game)
    last = _read_last_alive(known, now, game)
    return last, last if heartbeat is None else heartbeat


def _read_last_alive(known: Mapping[str, str], now: int, game: int | None) -> int:
    credit = _read_clock_credit(known.get(CLOCK_CREDIT_KEY))
    if credit and game is not None and game <= credit.last_game:
        return credit.now
    return int(known.get(LAST_ALIVE_KEY) or now)


async def note_alive(db: Connection, now: int) -> None:
    """Record that the bot is alive now."""
    await meta.save_value(db, LAST_ALIVE_KEY, str(now))


async def note_heartbeat(db: Connection, now: int) -> str | None:
    """Record that the bot is alive now. Return the demand to plan all reminders anew; empty if there is none.

    Return None, and record nothing, if that would hide a downtime or a rollback of the clock.
    """
    known = await meta.load_values(db, (*_KEYS, REPLAN_KEY))
    if not _is_alive(known, now):
        return None
    await note_alive(db, now)
    await shard_heartbeats.note_alive(db, now, now - MIN_DOWNTIME)
    return known.get(REPLAN_KEY, "")


async def is_alive(db: Connection, now: int) -> bool:
    """Return whether every downtime and rollback of the host's clock is credited."""
    return _is_alive(await meta.load_values(db, _KEYS), now)


def _is_alive(known: Mapping[str, str], now: int) -> bool:
    alive = 0 <= now - _read_last_alive(known, now, None) <= MIN_DOWNTIME
    return alive and not known.get(CLOCK_CREDIT_KEY)


async def credit_downtime(db: Connection, game: Game, mover: Colour, now: int) -> Game:
    """Return the game with its clock credited for time in which `mover`, the player to move, could not play.

    If the bot was down and that downtime is not recorded yet, the time begins with the bot's last sign of life. If a
    late board of the game is still not posted, the time begins when that board was queued. If both are true, the
    earlier moment counts. The time ends at `now`. Call this before any change of the clock.
    """
    return (await credit_until_now(db, game, mover, now))[0]


async def credit_until_now(
    db: Connection, game: Game, mover: Colour, now: int, *, owes: bool = True
) -> tuple[Game, int]:
    """Return what `credit_downtime` and `clock_now` return. `owes` is whether a message of the game may be owed."""
    if game.clock is None:
        return game, now
    last, heartbeat = await _last_alive_and_heartbeat(db, now, game.id)
    unseen = await board_unseen_since(db, game.id, now) if owes else None
    moments = [at for at in (_when_down(min(last, heartbeat), now), unseen) if at is not None]
    in_time = match.credit_game_clock(game, mover, min(moments), now) if moments else game
    return in_time, max(now, last)


async def board_unseen_since(db: Connection, game: int, now: int) -> int | None:
    """Return when the late board of a game was queued, in UTC seconds; None if no late board waits to be posted."""
    owed = await outbox.owed_since(db, game, board_message.BOARD)
    return None if owed is None or is_timely(owed, now) else owed


def is_timely(created_at: int, now: int) -> bool:
    """Return whether a message is still in time at `now`, so that its reader is not credited for the wait.

    `created_at` is when the message was queued, in UTC seconds.
    """
    return now - created_at <= MIN_DOWNTIME
