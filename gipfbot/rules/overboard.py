"""Overboard: the course of a turn by the house rules of section 8.

A turn is a push, and then the rows that stand after it are resolved one by one. The page that the rules come from is
short, so much was decided here:

* Noted rows (R8.3). All rows of both players that stand right after the push are noted, with the spots of their own
  colour. Nothing moves after that, so no row is added later. Each is resolved by its noted spots: what another row took
  is missing, and a row that has lost all its pieces is still asked about its ends. A line has one row at most.
* Order (R8.3). The mover's rows come first, then the opponent's. In each group the mover chooses the order.
* Where pieces go (R8.2, R8.3). Basic pieces of either player return to their owner's reserve; nothing is captured.
* Ends (R8.3). The mover answers for each end by itself, also for a row of the opponent. The run starts next to the
  noted row's end spot, even where that spot is vacant by now. It goes as a whole or stays as a whole.
* GIPF-pieces (R8.3, R8.4). The owner of the row names any of theirs on its noted spots, or none. The opponent is asked
  within the mover's turn. GIPF-pieces of the other colour cannot be on these spots. A GIPF-piece taken is out of the
  game: it returns to no reserve.
* The end (R8.5). It is tested after each answer about GIPF-pieces. If it decides, the other noted rows lapse, and the
  game ends with the turn.
* Passing (R8.5). A player passes if and only if their reserve is empty, whatever stands. A pass notes no rows.

Every decision is an action: a push, a pass, and a `Remove` for each step of a row. The first takes its basic pieces,
and chooses the row where there are several; the second takes runs at its ends; the third gives up GIPF-pieces. The
second and the third may take nothing. They are left out where nothing could be taken. The first never is: if there is
one row to choose, the question is forced.
"""

from collections.abc import Iterator

from .actions import PASS, PUSHES, Action, Push, Remove
from .geometry import ENTRIES, LINES, Entry, each_bit
from .pieces import Colour, Kind, Reason, Result
from .position import NotedRow, Position, Resolving, Stage
from .rows import cores


def legal_actions(position: Position) -> tuple[Action, ...]:
    """Return every legal action of the player who has to decide. Does not check that the game is running."""
    if position.stage is Stage.ENDS:
        row = position.noted[0]
        return tuple(Remove(row.line, taken) for taken in _unions(end_runs(position, row)))
    if position.stage is Stage.GIPF:
        row = position.noted[0]
        return tuple(Remove(row.line, taken) for taken in _unions(each_bit(standing_gipf(position, row))))
    if position.noted:
        return tuple(Remove(row.line, basic_pieces(position, row)) for row in next_rows(position))
    return line_pushes(position) or (PASS,)


def line_pushes(position: Position) -> tuple[Push, ...]:
    """Return the legal pushes (R8.2). None if the reserve is empty."""
    if not position.reserve[position.mover]:
        return ()
    return tuple(PUSHES[entry.dot, entry.spot, Kind.BASIC] for entry in ENTRIES if not position.gipf & last_spot(entry))


def last_spot(entry: Entry) -> int:
    """Return the last spot (one bit) of a push. What stands there is pushed over the edge (R8.2)."""
    return entry.mask & -entry.mask if entry.shift < 0 else 1 << entry.mask.bit_length() - 1


def next_rows(position: Position) -> tuple[NotedRow, ...]:
    """Return the noted rows that may be resolved next: the mover's, or else the opponent's (R8.3)."""
    own = tuple(row for row in position.noted if row.owner is position.mover)
    return own or position.noted


def basic_pieces(position: Position, row: NotedRow) -> int:
    """Return the basic pieces (bits) that still stand on a row's noted spots."""
    return row.spots & position.owned[row.owner] & ~position.gipf


def standing_gipf(position: Position, row: NotedRow) -> int:
    """Return the owner's GIPF-pieces (bits) that still stand on a row's noted spots."""
    return row.spots & position.owned[row.owner] & position.gipf


def end_runs(position: Position, row: NotedRow) -> tuple[int, ...]:
    """Return the runs (bits) at both ends of a row that may go, from the line's left end. An empty run is left out.

    A run consists of basic pieces that are not of the row's colour (R8.3).
    """
    line, found = LINES[row.line], []
    others = position.owned[row.owner.other] & ~position.gipf & line.mask
    for shift in (-line.shift, line.shift):
        run = _next_spots(row.spots, shift) & ~row.spots & others
        while (grown := run | _next_spots(run, shift) & others) != run:
            run = grown
        found.append(run)
    return tuple(run for run in found if run)


def _next_spots(spots: int, shift: int) -> int:
    return spots << shift if shift > 0 else spots >> -shift


def _unions(parts: Iterator[int] | tuple[int, ...]) -> list[int]:
    """Return the union of every selection of these sets, the empty one first."""
    found = [0]
    for part in parts:
        found += [union | part for union in found]
    return found


def play_action(position: Position, action: Action) -> Position:
    """Return the position after an action. Does not check that the action is legal."""
    if isinstance(action, Push):
        return _go_on(_shift_line(position, action))
    if isinstance(action, Remove):
        return _resolve(position, action)
    return _pass_on(position)


def _shift_line(position: Position, push: Push) -> Position:
    """Return the position after a push, with the rows that it notes (R8.2, R8.3). Every piece of the line moves."""
    entry, mover = push.entry, position.mover
    over, owned, reserve = last_spot(entry), [*position.owned], [*position.reserve]
    for colour in Colour:
        reserve[colour] += bool(owned[colour] & over)
        owned[colour] = _moved(owned[colour], entry, over)
    owned[mover] |= entry.first
    reserve[mover] -= 1
    return position._replace(
        owned=(owned[0], owned[1]),
        gipf=_moved(position.gipf, entry, over),
        reserve=(reserve[0], reserve[1]),
        pushed=True,
        resolving=Resolving(tuple(_noted_rows(owned, (mover, mover.other)))),
    )


def _moved(spots: int, entry: Entry, over: int) -> int:
    return spots & ~entry.mask | _next_spots(spots & entry.mask & ~over, entry.shift)


def _noted_rows(owned: list[int], colours: tuple[Colour, Colour]) -> Iterator[NotedRow]:
    for colour in colours:
        yield from (NotedRow(colour, line.number, core) for line, core in cores(owned[colour]))


def _resolve(position: Position, action: Remove) -> Position:
    """Return the position after one step of a row: its basic pieces, its ends, or its GIPF-pieces (R8.3)."""
    row = next(row for row in position.noted if row.line == action.line)
    noted = (row, *(other for other in position.noted if other is not row))
    after = _without(position, action.taken)._replace(resolving=Resolving(noted))
    if position.stage is Stage.GIPF:
        return _end_game(after, row.owner) if _is_bare(after, row.owner) else _next_row(after)
    if position.stage is None and end_runs(after, row):
        return after._replace(resolving=Resolving(noted, Stage.ENDS))
    if standing_gipf(after, row):
        return after._replace(resolving=Resolving(noted, Stage.GIPF))
    return _next_row(after)


def _without(position: Position, taken: int) -> Position:
    """Return the position without these pieces (bits). Basic pieces are back in reserve, GIPF-pieces are not (R8.1)."""
    (white, black), home = position.owned, taken & ~position.gipf
    return position._replace(
        owned=(white & ~taken, black & ~taken),
        gipf=position.gipf & ~taken,
        reserve=(
            position.reserve[0] + (white & home).bit_count(),
            position.reserve[1] + (black & home).bit_count(),
        ),
    )


def _is_bare(position: Position, colour: Colour) -> bool:
    return not position.owned[colour] & position.gipf


def _end_game(position: Position, loser: Colour) -> Position:
    return _pass_on(position._replace(result=Result(loser.other, Reason.GIPF)))


def _next_row(position: Position) -> Position:
    return _go_on(position._replace(resolving=Resolving(position.noted[1:])))


def _go_on(position: Position) -> Position:
    return position if position.noted else _pass_on(position)


def _pass_on(position: Position) -> Position:
    return position._replace(mover=position.mover.other, pushed=False, resolving=Resolving())


def gipf_result(position: Position) -> Result | None:
    """Return the result by R8.5: a player without a GIPF-piece has lost. None if both have one, or neither has."""
    bare = [colour for colour in Colour if _is_bare(position, colour)]
    return Result(bare[0].other, Reason.GIPF) if len(bare) == 1 else None
