"""The time at which a player is reminded of a turn. Pure."""

from dataclasses import dataclass

from . import clock as clocks
from .clock import HOUR
from .game import Game


@dataclass(frozen=True)
class ReminderWish:
    """When a player wants to be reminded: with this share of their time left, or with so many hours left."""

    share: int = 25  # per cent
    hours: int = 0  # if it is not 0, it takes the place of the share


def remind_at(game: Game, wish: ReminderWish) -> int | None:
    """Return when the player to move is reminded; None if their clock is paused or flagged.

    It is never in the first half of their time, as the board itself has told them then.
    """
    clock = game.clock
    if clock is None or clock.deadline is None or clock.flagged:
        return None
    time = clock.bank[game.position.mover]
    if wish.hours:
        return max(clock.deadline - wish.hours * HOUR, clocks.moment_before(clock.deadline, time // 2, game.terms))
    return clocks.moment_before(clock.deadline, time * wish.share // 100, game.terms)
