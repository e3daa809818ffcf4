"""Compare the clock of a stored game with its terms, and with the time that its turns have noted."""

from collections.abc import Iterator
from itertools import pairwise

from gipfbot.match import Terms
from gipfbot.match.clock import TimeControl
from gipfbot.rules import ByColour, Colour
from gipfbot.store.game_rows import StoredRow, WholeGame

from .replayed import Replayed, differs

Bank = ByColour[int]


def clock_faults(
    game: WholeGame, terms: Terms, replayed: Replayed, asked: Colour | None, *, carries_time: bool
) -> Iterator[str]:
    """Yield a sentence for each thing about a game's clock that cannot be.

    `asked` is the colour of the player who has to decide; None if the game has ended. `carries_time` says whether the
    game began with the time left of a void one (R6.3).
    """
    timed = terms.time_control is not None
    for number, row in enumerate(game.turns, 1):
        if (row.white_bank is None, row.black_bank is None) != (not timed, not timed):
            yield f"the time at the start of turn {number} is stored as {_noted(row)}, against its terms"
            return
    if terms.time_control is None or asked is None:
        if _noted(game.row) != (None, None) or _running(game) != (None, None) or game.row.flagged:
            yield "a clock is stored, but it has none"
    elif None in _noted(game.row):
        yield "it has a time limit, but no clock is stored"
    else:
        yield from _state_faults(game, terms, replayed.position.mover, asked)
    if terms.time_control:
        yield from _bank_faults(game, terms.time_control, replayed, asked, carries_time=carries_time)


def _noted(row: StoredRow) -> tuple[int | None, int | None]:
    return row.white_bank, row.black_bank


def _running(game: WholeGame) -> tuple[int | None, int | None]:
    return game.row.deadline_at, game.row.paused_left


def _state_faults(game: WholeGame, terms: Terms, mover: Colour, asked: Colour) -> Iterator[str]:
    """Yield what cannot be about a clock that runs or is paused."""
    row, (deadline, paused_left) = game.row, _running(game)
    if (deadline is None) is (paused_left is None):
        yield f"the clock must run or be paused, but is stored with deadline {deadline} and {paused_left} s left"
    if row.flagged and deadline is None:
        yield "the player to move is flagged, but no grace runs"
    if paused_left is not None and paused_left < 0:
        yield f"the paused clock is stored with {paused_left} s left"
    for colour in Colour:
        time = (row.white_bank, row.black_bank)[colour]
        held = colour is mover and asked is not mover and -time <= terms.grace
        if time < 0 and not held:
            yield f"{colour.name.capitalize()} is stored with {time} s"


def _bank_faults(
    game: WholeGame, control: TimeControl, replayed: Replayed, asked: Colour | None, *, carries_time: bool
) -> Iterator[str]:
    """Yield where the time that turns have noted cannot follow from the time before."""
    noted = [(row.white_bank, row.black_bank) for row in game.turns]
    is_between_turns = asked is not None and not game.draft and None not in _noted(game.row)
    banks: list[Bank] = [*noted, (game.row.white_bank, game.row.black_bank)] if is_between_turns else noted
    if banks and not carries_time and banks[0] != (control.first, control.first):
        yield differs("the time at the start", banks[0], (control.first, control.first))
    for number, (before, after) in enumerate(pairwise(banks), 1):
        mover, other = Colour(game.turns[number - 1].colour), Colour(game.turns[number - 1].colour).other
        least, most = _with_increment(0, control), _with_increment(before[mover], control)
        if min(after) < 0:
            yield f"the time after turn {number} is stored as {after}"
        elif not replayed.answered[number - 1]:
            if after[other] != before[other]:
                yield differs(f"the waiting player's time after turn {number}", after[other], before[other])
            if not least <= after[mover] <= most:
                found = f"the time of its player after turn {number} is stored as {after[mover]} s"
                yield f"{found}, but it must be {least} to {most} s"


def _with_increment(time: int, control: TimeControl) -> int:
    return max(time, min(control.cap, time + control.increment))
