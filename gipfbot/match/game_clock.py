"""The clock within a game: starting, pausing, flagging, losing on time (R6.4, FAQ 11). Pure: `now` is an argument."""

from dataclasses import replace

from gipfbot.rules import ByColour, Colour, Reason

from . import clock as clocks
from .game import Game, Performed, Status, lose_game


def start_game_clock(game: Game, now: int, *, paused: bool = False, bank: ByColour[int] | None = None) -> Game:
    """Return a new game with its clock running, or `paused`, from `now`.

    `bank` is time carried over from another game, in seconds.
    """
    return replace(game, clock=clocks.start_clock(game.terms, now, paused=paused, bank=bank))


def restart_game_clock(game: Game, now: int, bank: ByColour[int] | None, *, paused: bool = False) -> Game:
    """Return the game with the clock of the player to move started anew at `now`, running or `paused`.

    `bank` is the time of both players in seconds. If it is None, they keep the bank of the game's clock.
    """
    clock = game.clock and replace(game.clock, bank=bank or game.clock.bank)
    restarted = clock and clocks.restart_clock(clock, game.current.decider, game.terms, now, paused=paused)
    return replace(game, clock=restarted)


def apply_time(game: Game, now: int) -> Game:
    """Return the game after a check of its clock at `now`.

    While the player to move has time left, the same object is returned. When their time is over, they are flagged, and
    their grace begins. They lose the game when their grace is over too, or at once if the terms give no grace.
    """
    if game.status is not Status.RUNNING or game.clock is None or not clocks.is_overdue(game.clock, now):
        return game
    if game.clock.flagged or not game.terms.grace:
        return lose_game(game, game.current.decider, Reason.TIME)
    return replace(game, clock=clocks.flag_clock(game.clock, game.terms, now))


def advance_clock(performed: Performed, now: int, *, paused: bool = False) -> Performed:
    """Return `performed` with the clock passed on to the next player, if another one has to decide now.

    That is so after a turn, and in Overboard inside it, when the opponent is asked or has answered (R8.4): then the
    mover's clock stands, and afterwards the opponent's. The next player's clock runs, or is `paused`. A player who was
    flagged loses the game unless their turn wins it; an answer never wins. If the turn ends the game, its clock is
    removed.
    """
    game, turn = performed.game, performed.turn
    if game.clock is None or (turn is None and not _is_handed_over(performed)):
        return performed
    if game.status is not Status.RUNNING:
        return replace(performed, game=replace(game, clock=None))
    late = _late_player(performed)
    if late is not None:
        return replace(performed, game=lose_game(game, late, Reason.TIME))
    if turn is None:
        return replace(performed, game=_hand_over(game, now, paused=paused))
    clock = game.clock
    if performed.by not in (None, turn.colour):
        clock = clocks.hand_over_clock(clock, turn.colour, turn.colour, game.terms, now)
    clock = clocks.switch_clock(clock, turn.colour, game.terms, now, paused=paused)
    return replace(performed, game=replace(game, clock=clock))


def _is_handed_over(performed: Performed) -> bool:
    """Return whether the other player has to decide now, inside a turn."""
    return performed.turn is None and performed.by is not None and performed.game.asked is performed.by.other


def _hand_over(game: Game, now: int, *, paused: bool) -> Game:
    """Return the game with the clock of the player who decides now running. A flagged mover is flagged again."""
    mover, to = game.position.mover, game.current.decider
    assert game.clock
    clock = clocks.hand_over_clock(game.clock, mover, to, game.terms, now, paused=paused)
    if to is mover and not clock.bank[mover]:
        clock = clocks.flag_clock(replace(clock, paused_left=None), game.terms, now)
    return replace(game, clock=clock)


def _late_player(performed: Performed) -> Colour | None:
    """Return the player who was flagged and has done their last action by now. None if nobody has.

    A mover whose opponent is asked goes on afterwards, so only their whole turn counts.
    """
    game, turn = performed.game, performed.turn
    if game.clock is None:
        return None
    mover = turn.colour if turn else game.position.mover
    if performed.by in (None, mover):
        return mover if turn and game.clock.flagged else None
    if turn and not game.clock.bank[mover]:
        return mover
    return performed.by if game.clock.flagged and (turn or _is_handed_over(performed)) else None


def loses_on_time(performed: Performed) -> bool:
    """Return whether a turn, or an answer in Overboard, loses on time: it is played while flagged and does not win."""
    late, turn = _late_player(performed), performed.turn
    if late is None or late is not (performed.by if performed.by is not None else late):
        return False
    return turn is None or turn.after.result is None or turn.after.result.winner is not late


def pause_game_clock(game: Game, now: int) -> Game:
    """Return the game with the clock of the player to move paused. An overdue or flagged clock runs on."""
    if game.clock is None or clocks.is_overdue(game.clock, now):
        return game
    return replace(game, clock=clocks.pause_running_clock(game.clock, game.terms, now))


def resume_game_clock(game: Game, now: int) -> Game:
    """Return the game with the clock of the player to move running again, with the time that was left."""
    return replace(game, clock=game.clock and clocks.resume_paused_clock(game.clock, game.terms, now))


def credit_game_clock(game: Game, mover: Colour, since: int, until: int, most: int | None = None) -> Game:
    """Return the game with its clock credited for the time from `since` to `until`, in which nobody could play.

    `mover` is the player to move. At `until` they have as much time left as at `since`. The credit is limited: it
    never leaves them more than `most` seconds, nor more than they had at the start of the turn or of the grace.
    """
    clock = game.clock and clocks.credit_clock(game.clock, mover, game.terms, since, until, most)
    return replace(game, clock=clock)
