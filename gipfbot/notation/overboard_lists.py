"""Write the turns of Overboard (notation.md section 3). Rows are lists in the official form, in both notations.

A list holds all that leaves the board with one row (R8.3). A row from which nothing is taken has no list.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate

from gipfbot.rules import Action, Position, Push, Remove, legal, play
from gipfbot.rules.geometry import BIT, names
from gipfbot.rules.position import kind_at

from .base import Notation

PASS_WORD = "pass"
NONE_SIGN = "-"  # the answer "none" to a question about GIPF-pieces
JOINT = ";"


def list_text(position: Position, taken: int) -> str:
    """Return a list of the pieces on these spots (bits). `*` marks those that are not the mover's. Empty without any.

    The pieces must still stand in `position`.
    """
    own = position.owned[position.mover]
    pieces = (f"{kind_at(position, BIT[spot])}{spot}{'' if own & BIT[spot] else '*'}" for spot in names(taken))
    return f"x{','.join(pieces)}" if taken else ""


def is_row_over(position: Position, mover: object) -> bool:
    """Return whether a row has just been resolved. `mover` is the player whose turn it is."""
    return position.stage is None or position.mover is not mover


def split_rows(position: Position, actions: Iterable[Action]) -> list[int]:
    """Return what each row loses in these removals, as bits. The last row may be unfinished."""
    rows, mover, going = list[int](), position.mover, False
    for action in actions:
        if isinstance(action, Remove):
            if going:
                rows[-1] |= action.taken
            else:
                rows.append(action.taken)
        position = play(position, action)
        going = isinstance(action, Remove) and not is_row_over(position, mover)
    return rows


def overboard_text(
    position: Position, actions: Iterable[Action], notation: Notation, *, reserve: bool = False, played: bool = False
) -> str:
    """Return the canonical text of a turn of Overboard, or of its first part. Does not check that it is legal.

    If several orders of rows lead to the same position, the text that sorts first by code point is written, or with
    `played` the order that was played. If `reserve` is true, the mover's reserve after the turn is added in brackets.
    """
    actions = tuple(actions)
    texts, begun, rest = list[str](), position, actions
    if actions and not isinstance(actions[0], Remove):
        texts.append(_head_text(position, actions[0], notation))
        begun, rest = play(position, actions[0]), actions[1:]
    if rest:
        lists = [list_text(begun, taken) for taken in split_rows(begun, rest)]
        texts.append(JOINT.join(filter(None, lists)) if played else _first_text(begun, rest))
    if not reserve:
        return JOINT.join(filter(None, texts))
    end = [*accumulate(rest, play, initial=begun)][-1]
    return f"{JOINT.join(filter(None, texts))} ({end.reserve[position.mover]})"


def _head_text(position: Position, action: Action, notation: Notation) -> str:
    return notation.push_text(position, action) if isinstance(action, Push) else PASS_WORD


def _first_text(begun: Position, removals: Sequence[Action]) -> str:
    """Return the text that sorts first among all ways that lead where these removals lead."""
    end, wanted = begun, 0
    for action in removals:
        wanted |= action.taken if isinstance(action, Remove) else 0
        end = play(end, action)
    search = _TextSearch(begun, wanted, end)
    found = search.first(begun, 0)
    assert found is not None
    return found


class _TextSearch:
    """A search for the texts of ways from one position to another that clear the spots `wanted` (bits)."""

    def __init__(self, begun: Position, wanted: int, end: Position) -> None:
        self.begun, self.wanted, self.end = begun, wanted, end
        self.known = dict[tuple[Position, int], str | None]()

    def first(self, here: Position, taken: int) -> str | None:
        """Return the text that sorts first, or None if there is no way. The row in work has lost `taken` so far."""
        if here == self.end:
            return list_text(self.begun, taken)
        if here.mover is not self.begun.mover:
            return None
        if (here, taken) not in self.known:
            self.known[here, taken] = min(self._texts(here, taken), default=None)
        return self.known[here, taken]

    def _texts(self, here: Position, taken: int) -> Iterator[str]:
        for action in legal(here):
            if not isinstance(action, Remove) or action.taken & ~self.wanted:
                continue
            after, row = play(here, action), taken | action.taken
            over = is_row_over(after, here.mover)
            rest = self.first(after, 0 if over else row)
            if rest is not None:
                yield JOINT.join(filter(None, (list_text(self.begun, row), rest))) if over else rest
