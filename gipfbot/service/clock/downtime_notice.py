"""What channels are told after the bot was away: until when there is time now, as their boards are wrong about it."""

from collections.abc import Iterable

from gipfbot.store import Connection, clocks, outbox

DOWNTIME_NOTICE = "downtime_notice"
MIN_NOTICED_DOWNTIME = 3600  # seconds: a shorter absence is told where the deadline is told next


async def owe_downtime_notices(
    db: Connection, since: int, seconds_down: int, running: Iterable[clocks.RunningClock], now: int
) -> None:
    """Owe one message to each channel in which these games are played, whose clocks have just been given back.

    `since` is the bot's last sign of life, `away` for how many seconds it was away.
    """
    there: dict[int, list[tuple[int, int, bool]]] = {}
    for deadline, id, game in sorted((game.clock.deadline or 0, game.id, game) for game in running):
        if game.channel is not None:
            there.setdefault(game.channel, []).append((id, deadline, game.clock.flagged))
    payloads = {channel: {"seconds": seconds_down, "games": games} for channel, games in there.items()}
    await outbox.owe_each(db, f"{DOWNTIME_NOTICE}:{since}:{now}", DOWNTIME_NOTICE, payloads, now)
