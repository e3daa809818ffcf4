"""Downtime notices: they tell each channel its games' new deadlines after a downtime. The boards show the old ones."""

from collections.abc import Iterable

from gipfbot.store import Connection, clocks, outbox

DOWNTIME_NOTICE = "downtime_notice"
MIN_NOTICED_DOWNTIME = 3600  # seconds; after a shorter downtime the next message with a deadline is enough


async def owe_downtime_notices(
    db: Connection, since: int, seconds_down: int, running: Iterable[clocks.RunningClock], now: int
) -> None:
    """Queue one notice to each channel that has a game with one of the clocks in `running`.

    The clocks must already be credited for the downtime. `since` is the bot's last sign of life in UTC seconds.
    `seconds_down` is the length of the downtime.
    """
    by_channel: dict[int, list[tuple[int, int, bool]]] = {}
    for deadline, game_id, game in sorted((game.clock.deadline or 0, game.id, game) for game in running):
        if game.channel is not None:
            by_channel.setdefault(game.channel, []).append((game_id, deadline, game.clock.flagged))
    payloads = {channel: {"seconds": seconds_down, "games": games} for channel, games in by_channel.items()}
    await outbox.owe_each(db, f"{DOWNTIME_NOTICE}:{since}:{now}", DOWNTIME_NOTICE, payloads, now)
