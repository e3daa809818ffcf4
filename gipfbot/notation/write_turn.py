"""Write turns as text, in their canonical form and as completions spell them (notation.md sections 1 to 3).

A list holds all that leaves the board with one row (R8.3). A row from which nothing is taken has no list.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache, partial
from itertools import accumulate
from typing import NamedTuple

from gipfbot.rules import Act, Action, Position, Push, Remove, legal, play
from gipfbot.rules.geometry import BIT, names
from gipfbot.rules.position import kind_at
from gipfbot.rules.rulesets import OVERBOARD_COURSE

from .notations import OFFICIAL, Notation
from .removal_steps import Way, are_apart, clearing_text, only_way, play_cached

PASS_WORD = "pass"
NONE_SIGN = "-"  # the answer "none" to a question about GIPF-pieces
JOINT = ";"

_new = tuple.__new__  # faster than the constructor of a named tuple


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


class _PlayedStep(NamedTuple):
    """The removals before or after the push, and the positions around them.

    `over` says that no more removals can follow.
    """

    start: Position
    removals: tuple[Remove, ...]
    end: Position
    over: bool


def turn_text(
    position: Position,
    actions: Iterable[Action],
    notation: Notation = OFFICIAL,
    *,
    long: bool = True,
    reserve: bool = False,
) -> str:
    """Return the canonical text of a turn, or of its first part. Does not check that the actions are legal.

    If several orders of removal lead to the same board, the text that sorts first by code point is written, whichever
    order was played. If `long` is false, official notation writes the removals before or after the push as a bare `x`
    when only one board can result. If `reserve` is true, the mover's reserve after the turn is added in brackets. Rows
    that may stay and were kept are not written (R4.7).
    """
    if position.rules.course == OVERBOARD_COURSE:
        return overboard_text(position, actions, notation, reserve=reserve)
    actions = tuple(actions)
    push = next((action for action in actions if isinstance(action, Act)), None)
    cut = actions.index(push) if push else len(actions)
    step = _build_step(position, actions[:cut], over=push is not None)
    text, end = _step_text(step, notation, long), step.end
    if push:
        pushed, removed = notation.act_text(end, push), actions[cut + 1 :]
        if removed or reserve or notation.keeps_unwritten:  # the other texts do not need the position after the push
            step = _build_step(play(end, push), removed)
            after, end = _step_text(step, notation, long) or notation.empty_step_text(step.start), step.end
            pushed = notation.separator.join(filter(None, (pushed, after)))
        text = ";".join(filter(None, (text, pushed)))
    elif step.removals:
        text = text or notation.empty_step_text(position)
    return text + (f" ({end.reserve[position.mover]})" if reserve else "")


def decision_text(position: Position, actions: Iterable[Action], notation: Notation = OFFICIAL) -> str:
    """Return the text of what one player decides in a turn that both decide in (R8.4). It is `-` if they take nothing.

    Where only one player decides, it is the text of the turn.
    """
    return turn_text(position, actions, notation) or NONE_SIGN


def action_text(position: Position, action: Action) -> str:
    """Return one action in official notation. The text of a pass is empty, but in Overboard.

    `position` is the position before the action.
    """
    if position.rules.course == OVERBOARD_COURSE:
        return overboard_text(position, [action], OFFICIAL, played=True)
    if isinstance(action, Act):
        return OFFICIAL.act_text(position, action)
    return OFFICIAL.removal_text(position, action) if isinstance(action, Remove) else ""


def played_text(position: Position, actions: Iterable[Action]) -> str:
    """Return actions in official notation, in the order played. Does not check that they are legal."""
    if position.rules.course == OVERBOARD_COURSE:
        return overboard_text(position, actions, OFFICIAL, played=True)
    texts = []
    for action in actions:
        texts.append(action_text(position, action))
        position = play(position, action)
    return ";".join(filter(None, texts))


def _build_step(start: Position, actions: Sequence[Action], *, over: bool = False) -> _PlayedStep:
    end, removals = start, tuple([action for action in actions if type(action) is Remove])
    for action in actions:
        end = play_cached(end, action)
    return _PlayedStep(start, removals, end, over or end.mover is not start.mover)


def _step_text(step: _PlayedStep, notation: Notation, long: bool) -> str:
    """Return the text of the removals in `step`. Empty if there are none, or if they need not be written."""
    return _removals_text(step, notation, long) if step.removals else ""


@lru_cache(maxsize=8)  # consecutive turns of a list share their first removals
def _removals_text(step: _PlayedStep, notation: Notation, long: bool) -> str:
    if (
        not long
        and notation is OFFICIAL
        and (forced := only_way(step.start))
        and _board_state(forced.end) == _board_state(step.end)
    ):
        return "x"
    if not notation.keeps_unwritten and step.end.result is None and are_apart(step.start, step.removals):
        return notation.separator.join(sorted([notation.removal_text(step.start, each) for each in step.removals]))
    played = Way(step.removals, step.end)
    text = clearing_text(step.start, played, notation.removal_text, notation.separator, partial(_is_as_far, step))
    assert text is not None
    return text


def _board_state(position: Position) -> tuple[object, ...]:
    return position.owned, position.gipf, position.odd


def _is_as_far(step: _PlayedStep, end: Position) -> bool:
    """Return whether the position `end` has got as far in the turn as `step.end`.

    Assumes that both positions have the same spots cleared. If the step is unfinished, the positions must be equal. If
    the step was finished before the push, the same player must be to move in both. If the step was finished after the
    push, the answer is always True.
    """
    if not step.over:
        return end == step.end
    return step.start.pushed or end.mover is step.end.mover
