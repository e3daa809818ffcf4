"""Facts about one turn that the rules can check: what it took, threatens, stops, and where its pieces went.

Each kind is defined by legal turns alone, so it holds whatever anybody thinks of the position.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from .actions import Action, Push, Remove
from .changes import moves
from .engine import play
from .geometry import BIT, CENTRE, SPOTS, axial, bits
from .pieces import Colour, Kind, Reason
from .position import Position
from .reach import ReachedRow, can_win_at_once, reached_rows
from .rows import open_rows
from .rulesets import OFFICIAL_COURSE


class FactKind(StrEnum):
    """What a fact says. "The player" has played the turn; "now" is after it, when the opponent is to move."""

    WINS = "wins"  # the player has won by it
    FORCES_WIN = "forces_win"  # whatever the opponent plays, the player wins within their next turns
    STOPS_WIN = "stops_win"  # the opponent could have won at once before the turn, but cannot now
    THREATENS_WIN = "threatens_win"  # the player could win at once, were it their turn again
    REMOVES = "removes"  # rows came off: what came home, and what was taken in
    SAVES_GIPF = "saves_gipf"  # rows of the opponent could have taken GIPF-pieces in before, but cannot now
    THREATENS_ROW = "threatens_row"  # the player could make this row, were it their turn again, and could not before
    STOPS_ROW = "stops_row"  # the opponent could have made this row before, and none on its line now
    SHRINKS_PREY = "shrinks_prey"  # the most that one row of the opponent can take in has become less
    ENTERS_GIPF = "enters_gipf"  # a GIPF-piece was brought in
    TAKES_CENTRE = "takes_centre"  # the centre has become the player's
    HOLDS_MIDDLE = "holds_middle"  # more of the seven spots in the middle than before, compared with the opponent
    LEADS_GIPF_IN = "leads_gipf_in"  # a GIPF-piece of the player was moved nearer to the centre
    DRIVES_GIPF_OUT = "drives_gipf_out"  # a GIPF-piece of the opponent was moved away from the centre
    PUSHES_OFF = "pushes_off"  # a piece of the opponent went over the edge, in Overboard


@dataclass(frozen=True)
class TurnFact:
    """A fact about a turn of `player`. Which fields count depends on its kind."""

    kind: FactKind
    player: Colour
    row: tuple[str, ...] = ()  # the spots of a row itself, along its line
    taken: int = 0  # pieces that the row takes in for certain
    gipf: tuple[str, ...] = ()  # the spots of GIPF-pieces; of those that a row took in, when it did
    home: int = 0  # basic pieces that came back to the player's reserve; a GIPF-piece counts as two
    was: tuple[int, int] = (0, 0)  # numbers before the turn: the player's and the opponent's, if there are both
    now: tuple[int, int] = (0, 0)  # the same numbers after it
    moved: tuple[str, str] = ("", "")  # from where to where a piece went
    reason: Reason | None = None  # why the game is won
    later: int = 0  # own turns that a forced win may take beyond the next one


def centre_distance(spot: str) -> int:
    """Return how many steps a spot is from the centre."""
    x, y = axial(spot)
    return max(abs(x - 4), abs(y - 4), abs(x - y))


MIDDLE = tuple(spot for spot in SPOTS if centre_distance(spot) <= 1)
_MIDDLE_BITS = bits(MIDDLE)


def facts_of_turn(before: Position, actions: Sequence[Action]) -> tuple[TurnFact, ...]:
    """Return all facts about a whole turn, but for FORCES_WIN. Does not check that the turn is legal.

    `before` is the position at its start.
    """
    steps = [before]
    for action in actions:
        steps.append(play(steps[-1], action))
    turn = _Turn(before, tuple(actions), tuple(steps))
    return tuple(fact for find in _FINDERS for fact in find(turn))


@dataclass(frozen=True)
class _Turn:
    """A turn, and the positions before, between and after its actions."""

    before: Position
    actions: tuple[Action, ...]
    steps: tuple[Position, ...]

    @property
    def after(self) -> Position:
        return self.steps[-1]

    @property
    def player(self) -> Colour:
        return self.before.mover

    @property
    def push(self) -> tuple[Position, Push] | None:
        """The push, and the position before it; None in a turn without a push."""
        pairs = zip(self.steps, self.actions, strict=False)
        return next(((at, act) for at, act in pairs if isinstance(act, Push)), None)

    def moves(self) -> dict[str, str]:
        """Return where the push moved each piece that stood on the board."""
        return dict(moves(*self.push)[:-1]) if self.push else {}


# --- The end of the game -------------------------------------------------------------------------------------------


def _win(turn: _Turn) -> Iterator[TurnFact]:
    result = turn.after.result
    if result is not None and result.winner is turn.player:
        yield TurnFact(FactKind.WINS, turn.player, reason=result.by)


def _stopped_win(turn: _Turn) -> Iterator[TurnFact]:
    opponent = turn.player.other
    if turn.after.result is not None or not can_win_at_once(turn.before, opponent):
        return
    if can_win_at_once(turn.after, opponent) is False:
        yield TurnFact(FactKind.STOPS_WIN, turn.player)


def _threatened_win(turn: _Turn) -> Iterator[TurnFact]:
    if can_win_at_once(turn.after, turn.player):
        yield TurnFact(FactKind.THREATENS_WIN, turn.player)


# --- Rows ----------------------------------------------------------------------------------------------------------


def _removal(turn: _Turn) -> Iterator[TurnFact]:
    """Yield what the rows of the turn brought home and took in. In Overboard rows take nothing in."""
    if turn.before.rules.course != OFFICIAL_COURSE:
        return
    rows, taken, home = list[tuple[str, ...]](), 0, 0
    gipf = list[str]()
    for at, action, after in zip(turn.steps, turn.actions, turn.steps[1:], strict=False):
        if isinstance(action, Remove):
            theirs = action.taken & at.owned[turn.player.other]
            rows.append(_row_spots(at, action))
            taken += (theirs & ~at.gipf).bit_count()
            gipf += [spot for spot in action.spots if BIT[spot] & theirs & at.gipf]
            home += after.reserve[turn.player] - at.reserve[turn.player]
    if rows:
        row = rows[0] if len(rows) == 1 else ()
        yield TurnFact(FactKind.REMOVES, turn.player, row, taken, tuple(gipf), home)


def _row_spots(position: Position, action: Remove) -> tuple[str, ...]:
    core = next(row.core for row in open_rows(position) if row.line.number == action.line)
    return tuple(spot for spot in action.on.spots if BIT[spot] & core)


def _threatened_rows(turn: _Turn) -> Iterator[TurnFact]:
    """Yield the new row of most prey that the player could make next."""
    before, now = reached_rows(turn.before, turn.player), reached_rows(turn.after, turn.player)
    if before is not None and now:
        own = turn.after.owned[turn.player]
        fresh = [row for key, row in now.items() if key not in before and bits(row.spots) & ~own]
        if fresh:
            yield _row_fact(FactKind.THREATENS_ROW, turn.player, max(fresh, key=_weight))


def _weight(row: ReachedRow) -> tuple[int, int, int]:
    return len(row.gipf), row.taken, len(row.spots)


def _row_fact(kind: FactKind, player: Colour, row: ReachedRow) -> TurnFact:
    return TurnFact(kind, player, row.spots, row.taken, row.gipf)


def _stopped_rows(turn: _Turn) -> Iterator[TurnFact]:
    """Yield what the opponent's rows can do no more: take GIPF-pieces in, be made at all, take in as much."""
    if turn.after.result is not None:
        return
    before, now = reached_rows(turn.before, turn.player.other), reached_rows(turn.after, turn.player.other)
    if not before or now is None:
        return
    yield from _saved_gipf(turn, before.values(), now.values())
    lines = {row.line for row in now.values()}
    if gone := [row for row in before.values() if row.line not in lines]:
        yield _row_fact(FactKind.STOPS_ROW, turn.player, max(gone, key=_weight))
    was, most = (max((row.most for row in rows.values()), default=0) for rows in (before, now))
    if most < was:
        yield TurnFact(FactKind.SHRINKS_PREY, turn.player, was=(was, 0), now=(most, 0))


def _saved_gipf(turn: _Turn, before: Iterable[ReachedRow], now: Iterable[ReachedRow]) -> Iterator[TurnFact]:
    """Yield the GIPF-piece of the player that is safe now, and a row that could have taken it in. Not with potentials.

    With them, a GIPF-piece may leave the board in other ways.
    """
    if turn.before.left:
        return
    went, standing = turn.moves(), turn.after.owned[turn.player] & turn.after.gipf
    reached = {spot for row in now for spot in row.in_reach}
    for row in sorted(before, key=_weight, reverse=True):
        for spot in row.gipf:
            here = went.get(spot, spot)
            if here not in reached and BIT[here] & standing and _has_stayed(turn, spot):
                yield TurnFact(FactKind.SAVES_GIPF, turn.player, row.spots, gipf=(here,))
                return


def _has_stayed(turn: _Turn, spot: str) -> bool:
    """Return whether the piece on a spot before the turn was not removed in it."""
    went = turn.moves()
    pushed = False
    for action in turn.actions:
        pushed = pushed or isinstance(action, Push)
        here = went.get(spot, spot) if pushed else spot
        if isinstance(action, Remove) and BIT[here] & action.taken:
            return False
    return True


# --- Pieces --------------------------------------------------------------------------------------------------------


def _entered_gipf(turn: _Turn) -> Iterator[TurnFact]:
    if turn.push and turn.push[1].kind is Kind.GIPF:
        count = (turn.after.owned[turn.player] & turn.after.gipf).bit_count()
        yield TurnFact(FactKind.ENTERS_GIPF, turn.player, gipf=(turn.push[1].spot,), now=(count, 0))


def _middle(turn: _Turn) -> Iterator[TurnFact]:
    player, centre = turn.player, BIT[CENTRE]
    if turn.after.owned[player] & centre and not turn.before.owned[player] & centre:
        drives_off = bool(turn.before.owned[player.other] & centre)
        yield TurnFact(FactKind.TAKES_CENTRE, player, was=(0, int(drives_off)), now=(1, 0))
    was, now = _held(turn.before, player), _held(turn.after, player)
    if now[0] - now[1] > was[0] - was[1] and now[0] > now[1]:
        yield TurnFact(FactKind.HOLDS_MIDDLE, player, was=was, now=now)


def _held(position: Position, player: Colour) -> tuple[int, int]:
    mine, yours = position.owned[player], position.owned[player.other]
    return (mine & _MIDDLE_BITS).bit_count(), (yours & _MIDDLE_BITS).bit_count()


def _moved_gipf(turn: _Turn) -> Iterator[TurnFact]:
    """Yield the GIPF-pieces that the push moved nearer to the centre, or away from it, and that still stand."""
    for spot, to in turn.moves().items():
        if not (turn.push and BIT[spot] & turn.push[0].gipf and to in BIT and _has_stayed(turn, spot)):
            continue
        own = bool(BIT[to] & turn.after.owned[turn.player])
        nearer = centre_distance(spot) - centre_distance(to)
        if nearer > 0 and own:
            yield TurnFact(FactKind.LEADS_GIPF_IN, turn.player, moved=(spot, to))
        if nearer < 0 and not own:
            yield TurnFact(FactKind.DRIVES_GIPF_OUT, turn.player, moved=(spot, to))


def _pushed_off(turn: _Turn) -> Iterator[TurnFact]:
    """Yield the piece of the opponent that went over the edge (R8.2)."""
    opponent = turn.player.other
    for spot, to in turn.moves().items():
        if to not in BIT and BIT[spot] & turn.before.owned[opponent]:
            yield TurnFact(FactKind.PUSHES_OFF, turn.player, moved=(spot, to))


_FINDERS = (
    *(_win, _stopped_win, _threatened_win, _removal, _threatened_rows, _stopped_rows),
    *(_entered_gipf, _middle, _moved_gipf, _pushed_off),
)
