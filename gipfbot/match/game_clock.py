"""What time does to a game (R6.4, FAQ 11). Pure: `now` is an argument."""

from dataclasses import replace

from gipfbot.rules import ByColour, Colour, Reason

from . import clock as clocks
from .game import Game, Performed, Status, lose_game


def start_game_clock(game: Game, now: int, *, paused: bool = False, bank: ByColour[int] | None = None) -> Game:
    """Return a new game with its clock running from now; `saved` is the time carried over from another game."""
    return replace(game, clock=clocks.start_clock(game.terms, now, paused=paused, bank=bank))


def restart_game_clock(game: Game, now: int, bank: ByColour[int] | None, *, paused: bool = False) -> Game:
    """Return the game with the clock of the player to move running from now.

    `saved` is the time of both; without it they have what they have now.
    """
    clock = game.clock and replace(game.clock, bank=bank or game.clock.bank)
    again = clock and clocks.restart_clock(clock, game.position.mover, game.terms, now, paused=paused)
    return replace(game, clock=again)


def apply_time(game: Game, now: int) -> Game:
    """Return the game as it is by now: a flag that has fallen gives one grace, and that over, the game is lost.

    Where nothing has become of it, it is the very same game.
    """
    if game.status is not Status.RUNNING or game.clock is None or not clocks.is_overdue(game.clock, now):
        return game
    if game.clock.flagged or not game.terms.grace:
        return lose_game(game, game.current.decider, Reason.TIME)
    return replace(game, clock=clocks.flag_clock(game.clock, game.terms, now))


def advance_clock(performed: Performed, now: int, *, paused: bool = False) -> Performed:
    """Return the answer with the clock moved on if a turn was completed; `pause_game_clock` says that the next player's stands.

    A turn played after the flag has fallen decides the game: if it does not win, it is lost on time.
    """
    game, turn = performed.game, performed.turn
    if turn is None or game.clock is None:
        return performed
    if game.status is not Status.RUNNING:
        return replace(performed, game=replace(game, clock=None))
    if game.clock.flagged:
        return replace(performed, game=lose_game(game, turn.colour, Reason.TIME))
    clock = clocks.switch_clock(game.clock, turn.colour, game.terms, now, paused=paused)
    return replace(performed, game=replace(game, clock=clock))


def loses_on_time(performed: Performed) -> bool:
    """Return whether a turn is played after the flag has fallen and does not win, so that it loses the game."""
    game, turn = performed.game, performed.turn
    if turn is None or game.clock is None or not game.clock.flagged:
        return False
    return turn.after.result is None or turn.after.result.winner is not turn.colour


def pause_game_clock(game: Game, now: int) -> Game:
    """Return the game with the clock of the player to move standing still; after his flag has fallen it cannot."""
    if game.clock is None or clocks.is_overdue(game.clock, now):
        return game
    return replace(game, clock=clocks.pause_running_clock(game.clock, game.terms, now))


def resume_game_clock(game: Game, now: int) -> Game:
    """Return the game with the clock of the player to move running again with what was left."""
    return replace(game, clock=game.clock and clocks.resume_paused_clock(game.clock, game.terms, now))


def credit_game_clock(game: Game, mover: Colour, since: int, until: int, most: int | None = None) -> Game:
    """Return the game as if its clock, `mover`'s, had stood still between two moments, in which nobody could play.

    He has then no more than `most`, without that no more than all his time.
    """
    clock = game.clock and clocks.credit_clock(game.clock, mover, game.terms, since, until, most)
    return replace(game, clock=clock)
