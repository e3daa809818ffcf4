"""A third definition of the game, with potentials, written from the rule text alone and deliberately naive.

It imports nothing of the program. A board is a dict from spots to stacks, a stack a tuple of pieces from top to bottom,
a piece two letters: its colour (`w`, `b`) and its kind (`.` basic, `G`, `Z`, `P` loaded, `z`, `p` used). Removals,
acts and ends are looked for by trying everything and asking each rule in turn.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import combinations
from typing import TypeAlias

Stack: TypeAlias = tuple[str, ...]
Line: TypeAlias = tuple[str, ...]
Way: TypeAlias = tuple[str, ...]  # the spots cleared in one step, sorted; a spot stands twice if two tops went
Done: TypeAlias = tuple[Way, tuple[str, ...], Way]  # a full turn: removed before, the act, removed after

COLUMNS = dict(zip("abcdefghi", (5, 6, 7, 8, 9, 8, 7, 6, 5), strict=True))
POINTS = [f"{letter}{number}" for letter, height in COLUMNS.items() for number in range(1, height + 1)]
STEPS = {"N": (0, 1), "S": (0, -1), "NE": (1, 1), "SW": (-1, -1), "SE": (1, 0), "NW": (-1, 0)}


def xy(point: str) -> tuple[int, int]:
    """Return the axial form of a point (R1.3)."""
    x = "abcdefghi".index(point[0])
    return x, int(point[1]) - 1 + max(0, x - 4)


POINT_AT = {xy(point): point for point in POINTS}


def is_spot(point: str | None) -> bool:
    """Return whether a point is a spot, and not a dot (R1.3)."""
    x, y = xy(point) if point else (0, 0)
    return 1 <= x <= 7 and 1 <= y <= 7 and abs(x - y) <= 3


def next_point(point: str, step: str) -> str | None:
    """Return the point one step further; None beyond the edge."""
    (x, y), (dx, dy) = xy(point), STEPS[step]
    return POINT_AT.get((x + dx, y + dy))


def path(dot: str, step: str) -> Line:
    """Return the spots that a push from a dot runs along. Empty if it leads off the board at once."""
    spots, here = [], next_point(dot, step)
    while here and is_spot(here):
        spots.append(here)
        here = next_point(here, step)
    return tuple(spots)


SPOTS = [point for point in POINTS if is_spot(point)]
ENTRIES = [(dot, path(dot, step)) for dot in POINTS if not is_spot(dot) for step in STEPS if path(dot, step)]
LINES = sorted({min(spots, spots[::-1]) for _, spots in ENTRIES})


@dataclass(frozen=True)
class Plain:
    """A position in plain words."""

    pieces: int  # basic pieces of each player
    gipf_decides: bool
    punct: bool  # R6.2 is tested when the turn ends
    mover: str
    board: dict[str, Stack]
    reserve: dict[str, int]
    captured: dict[str, int]
    opening: dict[str, bool]
    left: dict[str, dict[str, int]]
    acted: bool = False
    dealt: frozenset[Line] = frozenset()
    result: str = ""  # winner's colour and the reason, once the game is over

    @property
    def other(self) -> str:
        """The opponent of the player to move."""
        return "b" if self.mover == "w" else "w"

    def kind(self, spot: str) -> str:
        """Return the kind of the top piece."""
        return self.board[spot][0][1]

    def owner(self, spot: str) -> str:
        """Return the colour that occupies a spot; nothing if it is vacant."""
        return self.board[spot][0][0] if spot in self.board else ""

    def has_gipf(self, colour: str) -> bool:
        """Return whether a player has a GIPF-piece that is not covered."""
        return any(stack[0] == colour + "G" for stack in self.board.values())


@dataclass(frozen=True)
class PlainRow:
    """A row of the mover (R4.1) with the whole occupied stretch around it (R4.2)."""

    line: Line
    core: Line
    stretch: Line


def standing_rows(now: Plain) -> list[PlainRow]:
    """Return all rows of the mover: every run of 4 or more that no longer run contains."""
    found = []
    for line in LINES:
        if sum(now.owner(spot) == now.mover for spot in line) < 4:
            continue
        pieces = [(start, end) for start in range(len(line)) for end in range(start + 1, len(line) + 1)]
        runs = [(a, b) for a, b in pieces if all(spot in now.board for spot in line[a:b])]
        cores = [(a, b) for a, b in runs if b - a >= 4 and all(now.owner(spot) == now.mover for spot in line[a:b])]
        for a, b in cores:
            if not any((c, d) != (a, b) and c <= a and b <= d for c, d in cores):
                wide = max((run for run in runs if run[0] <= a and b <= run[1]), key=lambda run: run[1] - run[0])
                found.append(PlainRow(line, line[a:b], line[wide[0] : wide[1]]))
    return found


def must_go(now: Plain, spot: str) -> bool:
    """Return whether the top piece is one that may not be left: basic or a used potential (R4.3, R7.5)."""
    return now.kind(spot) in ".zp"


def is_due(now: Plain, row: PlainRow) -> bool:
    """Return whether a row must be dealt with (R4.7)."""
    return any(must_go(now, spot) for spot in row.stretch) or any(now.kind(spot) in "ZP" for spot in row.core)


def takings(now: Plain, row: PlainRow) -> Iterator[tuple[str, ...]]:
    """Yield every set of spots that may be cleared with a row, out of all sets of its stretch."""
    sizes = range(1, len(row.stretch) + 1)
    for some in (some for size in sizes for some in combinations(row.stretch, size)):
        all_may_stay = all(now.kind(spot) in "GZP" for spot in row.core)
        with_loaded = any(now.kind(spot) in "ZP" for spot in row.core)
        asked = all_may_stay and with_loaded  # R7.4
        if all(spot in some for spot in row.stretch if must_go(now, spot)) and (not asked or {*some} & {*row.core}):
            yield some


def without_tops(now: Plain, row: PlainRow, spots: tuple[str, ...]) -> Plain:
    """Return the position after a removal: what it freed opens lines again (R4.6)."""
    board, reserve, captured = dict(now.board), dict(now.reserve), dict(now.captured)
    for spot in spots:
        top, *below = board.pop(spot)
        colour, kind = top[0], top[1]
        worth = {"G": 2, ".": 1, "Z": 1, "P": 1}.get(kind, 0)
        if colour == now.mover:
            reserve[colour] += worth
        else:
            captured[colour] += worth
        if below:
            board[spot] = tuple(below)
    after = replace(now, board=board, reserve=reserve, captured=captured, dealt=now.dealt | {row.line})
    freed = {spot for spot in spots if spot in board}
    again = {other.line for other in standing_rows(after) if freed & {*other.core}}
    return replace(after, dealt=after.dealt - again)


# --- acts -------------------------------------------------------------------------------------------------------


def kinds(now: Plain) -> str:
    """Return the kinds of pieces that may be pushed (R5.1-R5.3, R7.2)."""
    reserve, right = now.reserve[now.mover], now.opening[now.mover]
    if right and not now.has_gipf(now.mover):
        return "G" if reserve >= 2 else ""
    loaded = "".join(kind for kind, number in now.left[now.mover].items() if number > 0)
    return "" if reserve == 0 else loaded + "." + ("G" if right and reserve >= 2 else "")


def after_push(now: Plain, spots: Line, kind: str) -> Plain:
    """Return the position after a push along these spots, one of which is vacant."""
    vacant = next(number for number, spot in enumerate(spots) if spot not in now.board)
    board = dict(now.board)
    for number in range(vacant, 0, -1):
        board[spots[number]] = board[spots[number - 1]]
    board[spots[0]] = (now.mover + kind,)
    reserve = {**now.reserve, now.mover: now.reserve[now.mover] - (2 if kind == "G" else 1)}
    mine = now.left[now.mover]
    mine = dict.fromkeys(mine, 0) if kind == "." else {each: mine[each] - (each == kind) for each in mine}
    return replace(
        now,
        board=board,
        reserve=reserve,
        opening=now.opening | {now.mover: now.opening[now.mover] and kind == "G"},
        left=now.left | {now.mover: mine},
        acted=True,
        dealt=frozenset(),
    )


def targets(now: Plain, spot: str) -> Iterator[tuple[str, int]]:
    """Yield where the potential on a spot can jump, and how many basic pieces are put down there (R7.7, R7.8)."""
    for step in STEPS:
        near = next_point(spot, step)
        if now.kind(spot) == "Z" and near in now.board:
            here: str | None = near
            while here in now.board:
                here = next_point(here, step)
            if here and is_spot(here):
                yield here, 0
        if now.kind(spot) == "P" and near and now.owner(near) == now.other:
            if now.kind(near) in "Pp":
                yield near, 0
            for put in (1, 2):
                if now.kind(near) == "G" and now.reserve[now.mover] >= put:
                    yield near, put


def after_use(now: Plain, spot: str, target: str, put: int) -> Plain:
    """Return the position after a use: the loaded piece is a basic piece, and the target has a new top."""
    top = now.mover + {0: now.kind(spot).lower(), 1: ".", 2: "G"}[put]
    board = now.board | {spot: (now.mover + ".",), target: (top, *now.board.get(target, ()))}
    reserve = now.reserve | {now.mover: now.reserve[now.mover] - put}
    return replace(now, board=board, reserve=reserve, acted=True, dealt=frozenset())


def acts(now: Plain) -> Iterator[tuple[tuple[str, ...], Plain]]:
    """Yield every push and every use, with the position after it. Rows are not looked at."""
    for kind in kinds(now):
        for dot, spots in ENTRIES:
            if any(spot not in now.board for spot in spots):
                yield (kind, dot, spots[0]), after_push(now, spots, kind)
    for spot in SPOTS:
        if now.owner(spot) == now.mover and now.kind(spot) in "ZP":
            for target, put in targets(now, spot):
                yield (spot, target, str(put)), after_use(now, spot, target, put)


# --- the end ----------------------------------------------------------------------------------------------------


def gipf_winner(now: Plain) -> str:
    """Return who wins because the other has no GIPF-piece (R6.2); nothing if nobody does."""
    if not now.gipf_decides:
        return ""
    untouched = now.opening[now.other] and now.reserve[now.other] == now.pieces
    if not now.has_gipf(now.other) and not untouched:
        return now.mover
    can_bring = not now.acted and now.opening[now.mover] and now.reserve[now.mover] >= 2
    return "" if now.has_gipf(now.mover) or can_bring else now.other


def passed(now: Plain, result: str = "") -> Plain:
    """Return the position with the opponent to move, who may have lost at once (R6.1, R7.6)."""
    if not result and now.acted and (winner := gipf_winner(now)):
        result = winner + " gipf"
    then = replace(now, mover=now.other, acted=False, dealt=frozenset())
    if not result and not standing_rows(then) and next(acts(then), None) is None:
        result = now.mover + " reserve"
    return replace(then, result=result)


def step(now: Plain) -> Iterator[tuple[Way, Plain]]:
    """Yield every way to go through the removals that are possible now, with the position after it.

    Before the act the step ends with the act still to come, or with the end of the game; after it with the turn.
    """
    rows = [row for row in standing_rows(now) if row.line not in now.dealt]
    if not any(is_due(now, row) for row in rows):
        stuck = not now.acted and next(acts(now), None) is None
        if (not now.punct or (not rows and stuck)) and (winner := gipf_winner(now)):
            yield (), passed(now, winner + " gipf")
            return
        if not rows and stuck:
            yield (), passed(now, now.other + " reserve")
            return
        if now.acted or not stuck:
            yield (), passed(now) if now.acted else now
    for row in rows:
        for spots in takings(now, row):
            for rest, end in step(without_tops(now, row, spots)):
                yield tuple(sorted((*spots, *rest))), end


def plain_turns(start: Plain) -> dict[Done, Plain]:
    """Return every full turn, with the position after it (section 9, A)."""
    found: dict[Done, Plain] = {}
    for before, ready in dict(step(start)).items():
        if ready.mover != start.mover:
            found[before, (), ()] = ready
            continue
        for act, acted in acts(replace(ready, dealt=frozenset())):
            for after, end in dict(step(acted)).items():
                assert found.setdefault((before, act, after), end) == end, "one turn leads to two positions"
    return found
