"""The clock within a game: starting, pausing, reminding, flagging (R6.4, FAQ 11). Pure: `now` is an argument.

The clock of the house player is always paused, so its flag never falls.
"""

from dataclasses import dataclass, replace

from gipfbot.rules import ByColour, Colour, Reason

from . import clock as clocks
from .clock import HOUR
from .game import Game, Performed, Status, lose_game


def start_game_clock(game: Game, now: int, *, paused: bool = False, bank: ByColour[int] | None = None) -> Game:
    """Return a new game with its clock running, or `paused`, from `now`.

    `bank` is time carried over from another game, in seconds.
    """
    return replace(game, clock=clocks.start_clock(game.terms, now, paused=paused or game.house_decides, bank=bank))


def restart_game_clock(game: Game, now: int, bank: ByColour[int] | None, *, paused: bool = False) -> Game:
    """Return the game with the clock of the player to move started anew at `now`, running or `paused`.

    `bank` is the time of both players in seconds. If it is None, they keep the bank of the game's clock.
    """
    clock = game.clock and replace(game.clock, bank=bank or game.clock.bank)
    paused = paused or game.house_decides
    restarted = clock and clocks.restart_clock(clock, game.position.mover, game.terms, now, paused=paused)
    return replace(game, clock=restarted)


def apply_time(game: Game, now: int) -> Game:
    """Return the game after a check of its clock at `now`.

    While the player to move has time left, the same object is returned. When their time is over, they are flagged, and
    their grace begins. They lose the game when their grace is over too, or at once if the terms give no grace.
    """
    if game.status is not Status.RUNNING or game.clock is None or not clocks.is_overdue(game.clock, now):
        return game
    if game.clock.flagged or not game.terms.grace:
        return lose_game(game, game.decider, Reason.TIME)
    return replace(game, clock=clocks.flag_clock(game.clock, game.terms, now))


def advance_clock(performed: Performed, now: int, *, paused: bool = False) -> Performed:
    """Return `performed` with the clock passed on to the player who decides next, if the one who acted is done.

    The next player's clock runs, or is `paused`. A flagged player whose turn is complete loses the game unless they
    have won it. Until then the opponent's answers (R8.4) have time of their own. If the game has ended, its clock is
    removed.
    """
    game, decided = performed.game, performed.decided
    if decided is None or game.clock is None:
        return performed
    if game.status is not Status.RUNNING:
        return replace(performed, game=replace(game, clock=None))
    loser = _loser_on_time(performed, decided, game.clock)
    if loser is not None:
        return replace(performed, game=lose_game(game, loser, Reason.TIME))
    stopped = _stopped(performed, decided, game.clock, now)
    clock = clocks.restart_clock(stopped, game.decider, game.terms, now, paused=paused or game.house_decides)
    return replace(performed, game=replace(game, clock=clock))


def _loser_on_time(performed: Performed, decided: Colour, clock: clocks.Clock) -> Colour | None:
    """Return who has lost on time after a decision of `decided` in a game that goes on. None if nobody has (R6.4).

    A player who answers (R8.4) in a flagged mover's turn does not lose, even in grace: the mover was flagged first.
    """
    turn, mover = performed.turn, _mover(performed)
    if clock.held_grace(mover):
        return mover if turn else None
    return decided if clock.flagged and (turn or decided is not mover) else None


def _mover(performed: Performed) -> Colour:
    """Return whose turn it is, or was if it is complete."""
    return performed.turn.colour if performed.turn else performed.game.position.mover


def _stopped(performed: Performed, decided: Colour, clock: clocks.Clock, now: int) -> clocks.Clock:
    """Return the clock stopped by a decision, with the time left to `decided`. A flagged mover's grace is held."""
    if clock.flagged and decided is _mover(performed):
        return clocks.hold_grace(clock, decided, performed.game.terms, now)
    return _with_increment(clocks.stop_clock(clock, decided, performed.game.terms, now), performed, decided)


def _with_increment(clock: clocks.Clock, performed: Performed, decided: Colour) -> clocks.Clock:
    """Return the clock with the increments of a decision.

    A completed turn earns one. An answer in the opponent's turn (R8.4) earns none. With days for each turn, an answer
    has its own days, and the player's next decision has them anew.
    """
    game, turn, mover = performed.game, performed.turn, _mover(performed)
    if turn:
        clock = clocks.add_increment(clock, mover, game.terms)
    if decided is not mover and game.terms.time_control and game.terms.time_control.per_turn:
        clock = clocks.add_increment(clock, decided, game.terms)
    return clock


def loses_on_time(performed: Performed) -> bool:
    """Return whether a flagged player loses now: their turn or answer is complete, and they have not won.

    A turn that waits for the opponent's answer (R8.4) may still win.
    """
    turn, decided, clock = performed.turn, performed.decided, performed.game.clock
    if decided is None or clock is None or not clock.flagged:
        return False
    if turn and turn.after.result:
        return turn.after.result.winner is not decided
    return _loser_on_time(performed, decided, clock) is decided


def is_turn_last(game: Game) -> bool:
    """Return whether the current turn ends the game in any case, because its player is flagged (R6.4, FAQ 11).

    Also True if the player who has to answer in it (R8.4) is flagged.
    """
    clock = game.clock
    return clock is not None and (clock.flagged or clock.held_grace(game.position.mover) > 0)


def pause_game_clock(game: Game, now: int) -> Game:
    """Return the game with the clock of the player to move paused. An overdue or flagged clock runs on."""
    if game.clock is None or clocks.is_overdue(game.clock, now):
        return game
    return replace(game, clock=clocks.pause_running_clock(game.clock, game.terms, now))


def resume_game_clock(game: Game, now: int) -> Game:
    """Return the game with the clock of the player to move running again, with the time that was left."""
    if game.house_decides:
        return game
    return replace(game, clock=game.clock and clocks.resume_paused_clock(game.clock, game.terms, now))


def credit_game_clock(game: Game, mover: Colour, since: int, until: int, most: int | None = None) -> Game:
    """Return the game with its clock credited for the time from `since` to `until`, in which nobody could play.

    `mover` is the player to move. At `until` they have as much time left as at `since`. The credit is limited: it
    never leaves them more than `most` seconds, nor more than they had at the start of the turn or of the grace.
    """
    clock = game.clock and clocks.credit_clock(game.clock, mover, game.terms, since, until, most)
    return replace(game, clock=clock)


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
