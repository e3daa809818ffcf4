"""When a player is reminded of a turn. Pure."""

from dataclasses import dataclass

from . import clock as clocks
from .clock import HOUR
from .game import Game


@dataclass(frozen=True)
class ReminderWish:
    """When a player wants to be reminded: with so many per cent of the time for a turn left, or so many hours."""

    share: int = 25
    hours: int = 0  # instead of the share, where there are any


def remind_at(game: Game, wish: ReminderWish) -> int | None:
    """Return when the player to move is to be reminded, None where his time does not run, or his flag has fallen.

    Half of his time is over by then, however many hours he wants: the board itself has told him just before.
    """
    clock = game.clock
    if clock is None or clock.deadline is None or clock.flagged:
        return None
    time = clock.bank[game.position.mover]
    if wish.hours:
        return max(clock.deadline - wish.hours * HOUR, clocks.moment_before(clock.deadline, time // 2, game.terms))
    return clocks.moment_before(clock.deadline, time * wish.share // 100, game.terms)
