"""The official course of a turn: which actions are legal, and what they lead to (sections 3-6).

`legal` alone defines legality, and `play` alone defines the effect of an action. A rule set with another course has its
own functions in the table `COURSES`. Both are called most often by every analysis, so the code for a plain push is
written out in full for speed.
"""

from collections.abc import Callable
from functools import cache
from typing import NamedTuple

from . import overboard
from .actions import PASS, PUSHES, Act, Action, Push, Remove, Use
from .geometry import ALL_SPOTS, ENTRIES, LINES, SHIFTS, each_bit
from .loaded_games import can_act, covers_gipf, kinds_to_push, loaded_push, take_tops, use_power, uses
from .pieces import ByColour, Colour, Kind, Reason, Result
from .position import Position, worth
from .rows import Row, has_row, open_rows
from .rulesets import OVERBOARD_COURSE

_new = tuple.__new__  # faster than the constructor of a named tuple
_OTHER = (Colour.BLACK, Colour.WHITE)
# For each direction: its shift, twice its shift, the first spots of all its lines, and the lines by their first spot.
_BY_FIRST = {s: {line.mask & -line.mask: line for line in LINES if line.shift == s} for s in SHIFTS.values()}
_STARTS = tuple((shift, 2 * shift, sum(lines), lines) for shift, lines in _BY_FIRST.items())
_BASIC, _GIPF, _BOTH = 0, 1, 2
_KINDS = ((Kind.BASIC,), (Kind.GIPF,), (Kind.GIPF, Kind.BASIC))


class Course(NamedTuple):
    """Another course of a turn: what is legal in a running game, and what an action leads to."""

    legal: Callable[[Position], tuple[Action, ...]]
    play: Callable[[Position, Action], Position]


COURSES = {OVERBOARD_COURSE: Course(overboard.legal_actions, overboard.play_action)}


def legal(position: Position) -> tuple[Action, ...]:
    """Return every legal action once. Empty if the game is over.

    Rows that share no spot may be removed in any order (R4.5). A push to a vacant spot is listed once for each dot that
    leads to the spot.
    """
    rules, mover, owned, gipf, reserve, _, opening, _, _, _, result, left, resolving = position
    if result is not None:
        return ()
    if resolving is not None:
        return COURSES[rules.course].legal(position)
    if has_row(owned[mover]) and (rows := open_rows(position)):
        return _with_rows(position, rows)
    return acts(position) if left else _plain_pushes(mover, owned, gipf, reserve, opening)


def acts(position: Position) -> tuple[Act, ...]:
    """Return the legal pushes and uses of potentials. Does not check that the player has no row to remove."""
    found = pushes(position)
    return (*found, *used) if position.left and (used := uses(position)) else found


def pushes(position: Position) -> tuple[Push, ...]:
    """Return the legal pushes (R3.2, R3.3, R5). Does not check that the player has no row to remove."""
    _, mover, owned, gipf, reserve, _, opening, _, _, _, _, left, _ = position
    if left and (any(left[mover]) or opening[mover] or not reserve[mover]):
        return _pushes_of_letters(kinds_to_push(position), _closed_lines(owned[0] | owned[1]))
    return _plain_pushes(mover, owned, gipf, reserve, opening)


def _plain_pushes(
    mover: Colour, owned: ByColour[int], gipf: int, reserve: ByColour[int], opening: ByColour[bool]
) -> tuple[Push, ...]:
    """Return the legal pushes without potentials. The arguments are fields of the position."""
    kinds = _BASIC
    if opening[mover] and reserve[mover] > 1:
        kinds = _BOTH if owned[mover] & gipf else _GIPF
    return _pushes_of_kinds(kinds, _closed_lines(owned[0] | owned[1]))


def _closed_lines(occupied: int) -> int:
    """Return the lines without a vacancy (R3.3); bit n stands for `LINES[n]`.

    For speed, only lines whose first four spots are occupied are checked.
    """
    closed = 0
    for shift, twice, firsts, lines in _STARTS:
        pairs = occupied & occupied >> shift
        if fours := pairs & pairs >> twice & firsts:
            for first in each_bit(fours):
                line = lines[first]
                if not line.mask & ~occupied:
                    closed |= 1 << line.number
    return closed


@cache
def _pushes_of_kinds(kinds: int, closed: int) -> tuple[Push, ...]:
    return tuple(
        PUSHES[entry.dot, entry.spot, kind]
        for kind in _KINDS[kinds]
        for entry in ENTRIES
        if not closed >> entry.line & 1
    )


@cache
def _pushes_of_letters(letters: tuple[str, ...], closed: int) -> tuple[Push, ...]:
    found = (push for letter in letters for push in _pushes_of_kind(Kind(letter)))
    return tuple(push for push in found if not closed >> push.entry.line & 1)


@cache
def _pushes_of_kind(kind: Kind) -> tuple[Push, ...]:
    return tuple(Push(entry, kind) for entry in ENTRIES)


def _with_rows(position: Position, rows: tuple[Row, ...]) -> tuple[Action, ...]:
    found = tuple(removal for row in rows for removal in removals(row))
    if any(row.due for row in rows):
        return found
    if position.pushed:
        return (*found, PASS)
    return (*acts(position), *found) if position.left or position.reserve[position.mover] else found


def removals(row: Row) -> list[Remove]:
    """Return the legal removals of a row. Each GIPF-piece and loaded piece in the row may stay (R4.4, R7.4).

    At least one piece must go. This matters only for an offer: a row of GIPF-pieces, which may stay as a whole (R4.7).
    """
    ways, taken = [], row.may
    while taken:
        ways.append(Remove(row.line.number, row.must | taken))
        taken = (taken - 1) & row.may
    if row.must:
        ways.append(Remove(row.line.number, row.must))
    return [way for way in ways if way.taken & row.loss] if row.loss else ways


def play(position: Position, action: Action) -> Position:
    """Return the position after an action. Does not check that the action is legal."""
    rules, mover, (white, black), gipf, reserve, captured, opening, _, _, odd, _, left, resolving = position
    if type(action) is not Push or resolving is not None:
        return _play_other(position, action)
    (_, _, _, first, line, shift, _), kind = action
    occupied, block = white | black, 0
    if occupied & first:
        vacant = line & ~occupied
        if shift > 0:
            block = line & (vacant & -vacant) - 1
            white, black = white & ~block | (white & block) << shift, black & ~block | (black & block) << shift
            if gipf & block:
                gipf = gipf & ~block | (gipf & block) << shift
        else:
            block = line & -(1 << vacant.bit_length())
            white, black = white & ~block | (white & block) >> -shift, black & ~block | (black & block) >> -shift
            if gipf & block:
                gipf = gipf & ~block | (gipf & block) >> -shift
    cost = 1
    if kind is Kind.GIPF:
        gipf |= first
        cost = 2
    elif opening[mover]:
        opening = (False, opening[1]) if mover is Colour.WHITE else (opening[0], False)
    if left:
        odd, left = loaded_push(position, action, block)
    if mover is Colour.WHITE:
        own = white = white | first
        reserve = (reserve[0] - cost, reserve[1])
    else:
        own = black = black | first
        reserve = (reserve[0], reserve[1] - cost)
    owned = (white, black)
    pushed = _new(Position, (rules, mover, owned, gipf, reserve, captured, opening, True, 0, odd, None, left, None))
    return pushed if has_row(own) else _pass_turn(pushed)


def _play_other(position: Position, action: Action) -> Position:
    """Return the position after an action that is no push, or one of another course."""
    if position.resolving is not None:
        return COURSES[position.rules.course].play(position, action)
    if type(action) is Remove:
        cleared = clear_row(position, action)
        return settle(cleared, open_rows(cleared))
    return _after_act(use_power(position, action)) if type(action) is Use else _pass_turn(position)


def _after_act(acted: Position) -> Position:
    return acted if has_row(acted.owned[acted.mover]) else _pass_loaded_turn(acted)


def _pass_turn(position: Position) -> Position:
    """Return the position with the other player to move.

    That player loses at once if they have no reserve and no row (R6.1).
    """
    if position.left:
        return _pass_loaded_turn(position)
    rules, mover, owned, gipf, reserve, captured, opening, _, _, odd, result, _, _ = position
    mover = _OTHER[mover]
    if not reserve[mover] and result is None and not has_row(owned[mover]):
        result = Result(_OTHER[mover], Reason.RESERVE)
    return _new(Position, (rules, mover, owned, gipf, reserve, captured, opening, False, 0, odd, result, (), None))


def _pass_loaded_turn(position: Position) -> Position:
    """Return the position with the other player to move, in a game with potentials.

    They lose at once if they have no row, and can neither push nor use a potential (R7.6). R6.2 is tested before.
    """
    rules, mover, owned, gipf, reserve, captured, opening, pushed, _, odd, result, left, _ = position
    if pushed and result is None and (winner := _gipf_winner(position)) is not None:
        result = Result(winner, Reason.GIPF)
    turned = (rules, _OTHER[mover], owned, gipf, reserve, captured, opening, False, 0, odd, result, left, None)
    passed, other = _new(Position, turned), _OTHER[mover]
    if reserve[other] and not opening[other] and owned[0] | owned[1] != ALL_SPOTS:
        return passed
    if result is None and not can_act(passed) and not has_row(owned[other]):
        return passed._replace(result=Result(mover, Reason.RESERVE))
    return passed


def end_of_turn_result(position: Position) -> Result | None:
    """Return the result by R6.2. None if nobody has lost their last GIPF-piece. Does not check that no row is due."""
    winner = _gipf_winner(position)
    return None if winner is None else Result(winner, Reason.GIPF)


def clear_row(position: Position, action: Remove) -> Position:
    """Return the position with the pieces of a removal gone. `settle` must follow, which may end the turn."""
    if position.left:
        return take_tops(position, action)
    rules, mover, (white, black), gipf, reserve, captured, opening, pushed, dealt, odd, _, _, _ = position
    taken, kept = action.taken, ~action.taken
    if mover is Colour.WHITE:
        reserve = (reserve[0] + worth(position, white & taken), reserve[1])
        captured = (captured[0], captured[1] + worth(position, black & taken))
    else:
        reserve = (reserve[0], reserve[1] + worth(position, black & taken))
        captured = (captured[0] + worth(position, white & taken), captured[1])
    owned, dealt = (white & kept, black & kept), dealt | 1 << action.line
    after = (rules, mover, owned, gipf & kept, reserve, captured, opening, pushed, dealt, odd, None, (), None)
    return _new(Position, after)


def settle(position: Position, rows: tuple[Row, ...]) -> Position:
    """Return the position after a removal, which may end the turn or the game. `rows` are the mover's open rows.

    The game ends if it is decided. The turn ends if no row is left after the push.
    """
    if result := verdict(position, rows):
        return _pass_turn(position._replace(result=result))
    return position if rows or not position.pushed else _pass_turn(position)


def verdict(position: Position, rows: tuple[Row, ...]) -> Result | None:
    """Return the result of a position (R6.1, R6.2). None while the game continues. `rows` are the mover's open rows."""
    if any(row.due for row in rows):
        return None
    stuck = not rows and not position.pushed and not can_go_on(position)
    if stuck or not covers_gipf(position.rules):
        winner = _gipf_winner(position)
        if winner is not None:
            return Result(winner, Reason.GIPF)
    return None if not stuck else Result(_OTHER[position.mover], Reason.RESERVE)


def can_go_on(position: Position) -> bool:
    """Return whether the mover can act (R6.1, R7.6). Does not look at rows."""
    return can_act(position) if position.left else position.reserve[position.mover] > 0


def _gipf_winner(position: Position) -> Colour | None:
    """Return the player who wins because the other one has no GIPF-piece left (R6.2). None if nobody does.

    If both have none, the mover wins. Does not check that no row is due.
    """
    rules, mover, owned, gipf, reserve, _, opening, pushed, _, _, _, _, _ = position
    other = _OTHER[mover]
    if not rules.gipf_decides:
        return None
    if not owned[other] & gipf and not (opening[other] and reserve[other] == rules.pieces):
        return mover
    may_bring_one = not pushed and opening[mover] and reserve[mover] > 1
    return None if owned[mover] & gipf or may_bring_one else other
