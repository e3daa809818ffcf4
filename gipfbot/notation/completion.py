"""Legal turns that fit what somebody has begun to type, found step by step and never listed whole.

In a crowded position the full turns run into the hundred thousands, so a step is followed only as far as what is typed
leads, and no further than `BUDGET` removals in all.
"""

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from gipfbot.rules import PASS, Action, Position, Remove, distinct_pushes, legal, open_rows, play

from .official import push_text, removal_text
from .writing import turn_text

BUDGET = 300
LONGEST = 200  # characters of a typed text that are looked at


class Completion(NamedTuple):
    """A turn, or what is left of one, in long notation; `removes` says whether it takes a row off."""

    text: str
    removes: bool


class _Found(NamedTuple):
    """Actions that fit what is typed, as they are written in their order, and where they lead."""

    text: str
    actions: tuple[Action, ...]
    end: Position

    def then(self, text: str, action: Action) -> "_Found":
        return _Found(_joined(self.text, text), (*self.actions, action), play(self.end, action))


class _Search:
    def __init__(self, typed: str) -> None:
        self.typed, self.left = typed, BUDGET

    def turns(self, position: Position) -> Iterator[_Found]:
        """Yield what may be played from here to the end of the turn."""
        begun = _Found("", (), position)
        if position.pushed:
            yield from self.steps(begun)
            return
        for ready in self.steps(begun):
            if ready.end.mover is not position.mover:
                yield ready
                continue
            for push in distinct_pushes(ready.end):
                pushed = ready.then(push_text(ready.end, push), push)
                if self.fits(pushed.text):
                    yield from self.steps(pushed) if pushed.end.mover is position.mover else (pushed,)

    def steps(self, begun: _Found) -> Iterator[_Found]:
        """Yield the ends of the removal step now pending, each board once."""
        seen: set[Position] = set()
        for found in self._ways(begun):
            board = found.end._replace(dealt=0)
            if board not in seen:
                seen.add(board)
                yield found

    def _ways(self, begun: _Found) -> Iterator[_Found]:
        position = begun.end
        rows = open_rows(position)
        if not any(row.due for row in rows):
            if position.pushed:
                yield begun.then("", PASS)
            elif position.reserve[position.mover]:
                yield begun
        ways = []
        for way in legal(position) if rows else ():
            if self.left > 0 and isinstance(way, Remove):
                self.left -= 1
                ways.append((removal_text(position, way), way))
        for text, way in sorted(ways, key=lambda pair: len(pair[0])):
            if self.fits(_joined(begun.text, text)):
                found = begun.then(text, way)
                yield from self._ways(found) if found.end.mover is position.mover else (found,)

    def fits(self, text: str) -> bool:
        """Whether the text goes on from what is typed, or is a beginning of it."""
        plain = _simple(text)
        return plain.startswith(self.typed) or self.typed.startswith(plain)


def _joined(*parts: str) -> str:
    return ";".join(part for part in parts if part)


def _simple(text: str) -> str:
    """Return a text without what is forgiven: blanks, case, the kind of dash."""
    return "".join(text.split()).replace("–", "-").lower()


def completions(start: Position, done: Sequence[Action], typed: str, limit: int) -> list[Completion]:
    """Return at most `limit` turns that fit: the exact one first, then those that begin so.

    After `done`, actions already played from `start`, they are what is left of the turn. They are canonical unless what
    is typed begins otherwise. A removal without a choice before the push need not be typed. Never raises for any text.
    """
    now = start
    for action in done:
        now = play(now, action)
    wanted = _simple(typed[:LONGEST])
    found = list(islice(_going_on(now, wanted), limit))
    if found or now.pushed:
        return [_completion(now, turn, wanted) for turn in found]
    return [_completion(now, turn, "") for turn in islice(_without_removal(now, wanted), limit)]


def _going_on(position: Position, wanted: str) -> Iterator[_Found]:
    """Yield the turns that begin so. The exact one is met before any that goes on from it, so none has to be sorted."""
    return (turn for turn in _Search(wanted).turns(position) if _simple(turn.text).startswith(wanted))


def _completion(position: Position, found: _Found, wanted: str) -> Completion:
    canonical = turn_text(position, found.actions)
    text = canonical if _simple(canonical).startswith(wanted) else found.text
    return Completion(text, any(isinstance(action, Remove) for action in found.actions))


def _without_removal(position: Position, wanted: str) -> Iterator[_Found]:
    """Yield the turns whose push fits, where the removal before it leaves no choice."""
    ends = list(islice(_Search("").steps(_Found("", (), position)), 2))
    if len(ends) == 1 and ends[0].actions:
        for turn in _going_on(ends[0].end, wanted):
            yield _Found(_joined(ends[0].text, turn.text), (*ends[0].actions, *turn.actions), turn.end)
