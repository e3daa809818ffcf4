"""What channels are told after the bot was away: until when there is time now, as their boards are wrong about it."""

from collections.abc import Iterable

from gipfbot.store import Connection, clocks, outbox

EXCUSE = "excuse"
LONG = 3600  # seconds: a shorter absence is told where the deadline is told next


async def owe(db: Connection, since: int, away: int, running: Iterable[clocks.Ticking], now: int) -> None:
    """Owe one message to each channel in which these games are played, whose clocks have just been given back.

    `since` is the bot's last sign of life, `away` for how many seconds it was away.
    """
    there: dict[int, list[tuple[int, int, bool]]] = {}
    for deadline, id, game in sorted((game.clock.deadline or 0, game.id, game) for game in running):
        if game.channel is not None:
            there.setdefault(game.channel, []).append((id, deadline, game.clock.flagged))
    payloads = {channel: {"seconds": away, "games": games} for channel, games in there.items()}
    await outbox.owe_each(db, f"{EXCUSE}:{since}:{now}", EXCUSE, payloads, now)
