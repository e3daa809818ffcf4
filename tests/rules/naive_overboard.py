"""A second definition of Overboard, written from the rule text alone (R8) and deliberately naive.

It imports nothing of the program. A board is a dict from spots to pieces, a piece two letters: its colour (`w`, `b`)
and its kind (`.` basic, `G`). A turn is looked for by trying every order of rows and every answer.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import combinations
from typing import TypeAlias

from tests.rules.naive_potentials import ENTRIES, LINES, Line

Noted: TypeAlias = tuple[str, Line, int, int]  # colour, line, and where the noted spots begin and end on it
FullTurn: TypeAlias = tuple[tuple[str, str], tuple[str, ...]]  # the dot and first spot, and all that left the board


@dataclass(frozen=True)
class Table:
    """A position at the start of a turn, or in the middle of one, in plain words."""

    mover: str
    board: dict[str, str]
    reserve: dict[str, int]
    gone: tuple[str, ...] = ()  # the spots cleared in this turn, sorted
    winner: str = ""

    @property
    def other(self) -> str:
        """The opponent of the player to move."""
        return "b" if self.mover == "w" else "w"

    def without(self, spots: Line) -> "Table":
        """Return the table after these pieces have left: basic ones to their owner's reserve (R8.2, R8.3)."""
        board, reserve = dict(self.board), dict(self.reserve)
        for spot in spots:
            piece = board.pop(spot)
            if piece[1] == ".":
                reserve[piece[0]] += 1
        return replace(self, board=board, reserve=reserve, gone=tuple(sorted((*self.gone, *spots))))


def turns_of(table: Table) -> dict[FullTurn, Table]:
    """Return every full turn with the table after it, with all answers of the opponent in it."""
    if table.winner:
        return {}
    if table.reserve[table.mover] == 0:
        return {(("", ""), ()): replace(table, mover=table.other)}
    found: dict[FullTurn, Table] = {}
    for dot, spots in ENTRIES:
        if table.board.get(spots[-1], "..")[1] == "G":
            continue
        for end in ends_of_rows(pushed(table, spots)):
            key = (dot, spots[0]), end.gone
            over = replace(end, mover=table.other, gone=())
            assert found.setdefault(key, over) == over, "one turn leads to two positions"
    return found


def pushed(table: Table, spots: Line) -> Table:
    """Return the table after a push: every piece of the line moves one spot, the last one home (R8.2)."""
    board, reserve = dict(table.board), dict(table.reserve)
    pieces = [board.pop(spot, "") for spot in spots]
    if pieces[-1]:
        reserve[pieces[-1][0]] += 1
    reserve[table.mover] -= 1
    moved = zip(spots, [table.mover + ".", *pieces[:-1]], strict=True)
    board.update({spot: piece for spot, piece in moved if piece})
    return replace(table, board=board, reserve=reserve)


def ends_of_rows(table: Table) -> list[Table]:
    """Return every way in which the standing rows can be resolved, the mover's first, in any order (R8.3)."""
    rows = standing(table, table.mover) + standing(table, table.other)
    found = {tuple(rows): {table.gone: table}}
    ends: dict[Line, Table] = {}
    while found:
        left, tables = found.popitem()
        for now in tables.values():
            if not left or now.winner:
                ends[now.gone] = now
                continue
            own = [row for row in left if row[0] == table.mover]
            for row in own or left:
                rest = tuple(other for other in left if other != row)
                found.setdefault(rest, {}).update({after.gone: after for after in resolved(now, row)})
    return list(ends.values())


def standing(table: Table, colour: str) -> list[Noted]:
    """Return the rows of a colour: at least four adjacent spots of a line, as long as possible (R4.1)."""
    found = []
    for line in LINES:
        own = "".join("x" if table.board.get(spot, "-")[0] == colour else "." for spot in line)
        for length in range(len(line), 3, -1):
            if "x" * length in own:
                found.append((colour, line, own.index("x" * length), own.index("x" * length) + length))
                break
    return found


def resolved(table: Table, row: Noted) -> Iterator[Table]:
    """Yield the table after one row, for every answer."""
    colour, line, begin, end = row
    noted = [spot for spot in line[begin:end] if spot in table.board]
    now = table.without(tuple(spot for spot in noted if table.board[spot][1] == "."))
    outward = line[:begin][::-1], line[end:]
    for answers in (0, 1), (0,), (1,), ():
        taken = tuple(spot for number in answers for spot in run(now, outward[number], colour))
        cut = now.without(taken)
        mine = [spot for spot in noted if spot in cut.board]
        for some in (some for size in range(len(mine) + 1) for some in combinations(mine, size)):
            after = cut.without(some)
            yield after if colour + "G" in after.board.values() else replace(after, winner="wb"[colour == "w"])


def run(table: Table, spots: Line, colour: str) -> list[str]:
    """Return the run of basic pieces not of this colour that starts at the first of these spots."""
    found: list[str] = []
    for spot in spots:
        piece = table.board.get(spot, "")
        if not piece or piece[0] == colour or piece[1] == "G":
            break
        found.append(spot)
    return found
