"""Legal turns that fit what somebody has begun to type, found step by step and never listed whole.

In a crowded position the full turns run into the hundred thousands, so a step is followed only as far as what is typed
leads, and no further than `BUDGET` removals in all.
"""

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from gipfbot.rules import PASS, Action, Position, Remove, distinct_pushes, legal, open_rows, play

from .official import push_text, removal_text

BUDGET = 300


class Completion(NamedTuple):
    """A turn, or what is left of one, in canonical long notation; `removes` says whether it takes a row off."""

    text: str
    removes: bool


class _Search:
    def __init__(self, typed: str) -> None:
        self.typed, self.left = typed, BUDGET

    def fits(self, text: str) -> bool:
        """Whether the text goes on from what is typed, or is a beginning of it."""
        plain = simple(text)
        return plain.startswith(self.typed) or self.typed.startswith(plain)

    def steps(self, position: Position, said: str) -> Iterator[tuple[str, Position]]:
        """Yield the ends of the removal step now pending, each once, with all that is then said."""
        seen: set[Position] = set()
        for text, end in self._ways(position, said):
            board = end._replace(dealt=0)
            if board not in seen:
                seen.add(board)
                yield text, end

    def _ways(self, position: Position, said: str) -> Iterator[tuple[str, Position]]:
        rows = open_rows(position)
        if not any(row.due for row in rows):
            if position.pushed:
                yield said, play(position, PASS)
            elif position.reserve[position.mover]:
                yield said, position
        if not rows:
            return
        ways = [(removal_text(position, way), way) for way in legal(position) if isinstance(way, Remove)]
        for text, way in sorted(ways, key=lambda pair: len(pair[0])):
            self.left -= 1
            so_far = joined(said, text)
            if self.left < 0 or not self.fits(so_far):
                continue
            after = play(position, way)
            if after.mover is position.mover:
                yield from self._ways(after, so_far)
            else:
                yield so_far, after

    def turns(self, position: Position) -> Iterator[Completion]:
        """Yield what may be played from here to the end of the turn."""
        if position.pushed:
            yield from (Completion(text, "x" in text) for text, _ in self.steps(position, ""))
            return
        for said, ready in self.steps(position, ""):
            if ready.mover is not position.mover:
                yield Completion(said, True)
                continue
            for push in distinct_pushes(ready):
                text = joined(said, push_text(ready, push))
                if not self.fits(text):
                    continue
                pushed = play(ready, push)
                if pushed.mover is not position.mover:
                    yield Completion(text, bool(said))
                else:
                    yield from (Completion(whole, "x" in whole) for whole, _ in self.steps(pushed, text))


def joined(*parts: str) -> str:
    """Return the parts of a turn that there are, with ; between them."""
    return ";".join(part for part in parts if part)


def simple(text: str) -> str:
    """Return a text without what is forgiven: blanks, case, the kind of dash."""
    return "".join(text.split()).replace("–", "-").lower()


def completions(start: Position, done: Sequence[Action], typed: str, limit: int) -> list[Completion]:
    """Return at most `limit` turns that fit: the exact one first, then those that begin so.

    After `done`, actions already played from `start`, they are what is left of the turn. A removal without a choice
    before the push need not be typed. Never raises for any text.
    """
    now = start
    for action in done:
        now = play(now, action)
    wanted = simple(typed[:200])
    found = [turn for turn in _Search(wanted).turns(now) if simple(turn.text).startswith(wanted)]
    if not found and not now.pushed:
        found = list(_without_removal(now, wanted))
    found.sort(key=lambda turn: simple(turn.text) != wanted)
    return found[:limit]


def _without_removal(position: Position, wanted: str) -> Iterator[Completion]:
    """Yield the turns whose push fits, where the removal before it leaves no choice."""
    ends = list(islice(_Search("").steps(position, ""), 2))
    if len(ends) == 1 and ends[0][0]:
        said, ready = ends[0]
        for turn in _Search(wanted).turns(ready):
            if simple(turn.text).startswith(wanted):
                yield Completion(joined(said, turn.text), True)
