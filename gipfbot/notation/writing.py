"""How a turn is written (notation.md section 1): the canonical text of actions."""

from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from gipfbot.rules import Action, Position, Push, Remove, play

from .official import action_text, push_text
from .steps import Way, clearing, no_choice


class _Step(NamedTuple):
    """What was removed before or after the push, from where to where; `over` if nothing more is removed in it."""

    start: Position
    removals: tuple[Remove, ...]
    end: Position
    over: bool


def turn_text(position: Position, actions: Iterable[Action], *, long: bool = True, reserve: bool = False) -> str:
    """Return the canonical text of a turn, or of the first part of one; that the actions are legal is not checked.

    Of the ways through one removal step to the same board it is the one that sorts first by code point, whichever was
    played. Short notation writes a step as a bare `x` where that says it all, else in full. With `reserve` the mover's
    reserve afterwards follows in brackets. Offers that were left are not written (R4.7).
    """
    actions = tuple(actions)
    push = next((action for action in actions if isinstance(action, Push)), None)
    cut = actions.index(push) if push else len(actions)
    step = _step(position, actions[:cut], over=push is not None)
    parts, end = [_text(step, long)], step.end
    if push:
        step = _step(play(end, push), actions[cut + 1 :])
        parts, end = [*parts, push_text(end, push), _text(step, long)], step.end
    return ";".join(filter(None, parts)) + (f" ({end.reserve[position.mover]})" if reserve else "")


def played_text(position: Position, actions: Iterable[Action]) -> str:
    """Return actions as they were played, which need not be canonical; that they are legal is not checked."""
    texts = []
    for action in actions:
        texts.append(action_text(position, action))
        position = play(position, action)
    return ";".join(filter(None, texts))


def _step(start: Position, actions: Iterable[Action], *, over: bool = False) -> _Step:
    way, removals = Way((), start), []
    for action in actions:
        way = way.then(action)
        if isinstance(action, Remove):
            removals.append(action)
    return _Step(start, tuple(removals), way.end, over or way.end.mover is not start.mover)


@lru_cache(maxsize=8)  # turns listed one after the other begin with the same removals
def _text(step: _Step, long: bool) -> str:
    """Return the lists of a step; nothing where nothing was removed."""
    if not step.removals:
        return ""
    if not long and (forced := no_choice(step.start)) and _board(forced.end) == _board(step.end):
        return "x"
    cleared = 0
    for removal in step.removals:
        cleared |= removal.taken
    ways = (way for way in clearing(step.start, cleared) if _as_far(step, way.end))
    return min(played_text(step.start, way.actions) for way in ways)


def _board(position: Position) -> tuple[object, ...]:
    return position.owned, position.gipf


def _as_far(step: _Step, end: Position) -> bool:
    """Return whether a position in which the same spots are cleared is also as far on in the turn as the step's end."""
    if not step.over:
        return end == step.end
    return step.start.pushed or end.mover is step.end.mover
