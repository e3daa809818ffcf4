"""The time at which the player to move is reminded of their turn. Pure."""

from dataclasses import dataclass

from . import clock as clocks
from .clock import HOUR
from .game import Game


@dataclass(frozen=True)
class ReminderWish:
    """When a player wants to be reminded: at a share of their time left, or at a number of hours left."""

    share: int = 0  # per cent
    hours: int = 0  # if not 0, it replaces the share


def remind_at(game: Game, wish: ReminderWish) -> int | None:
    """Return when the player to move is reminded, in UTC seconds. None if their clock is paused or flagged.

    A reminder at a number of hours never comes in the first half of the player's time. Until then, the posted board
    is reminder enough.
    """
    clock = game.clock
    if clock is None or clock.deadline is None or clock.flagged:
        return None
    time = clock.bank[game.decider]
    if wish.hours:
        return max(clock.deadline - wish.hours * HOUR, clocks.moment_before(clock.deadline, time // 2, game.terms))
    return clocks.moment_before(clock.deadline, time * wish.share // 100, game.terms)
