"""Write a turn as text, in its canonical form (notation.md sections 1 and 2)."""

from collections.abc import Iterable, Sequence
from functools import lru_cache, partial
from typing import NamedTuple

from gipfbot.rules import Act, Action, Position, Remove, play
from gipfbot.rules.rulesets import OVERBOARD_COURSE

from .notations import OFFICIAL, Notation
from .overboard_lists import NONE_SIGN, overboard_text
from .removal_steps import Way, are_apart, clearing_text, only_way, play_cached


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
