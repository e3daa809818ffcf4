"""Search for turns whose text begins with a typed text.

A crowded position has hundreds of thousands of full turns. So the search adds one action after another, and follows
only actions that agree with the typed text. Where the typed text ends, the search takes one turn from each continuation
in rotation, so that a short list shows different next actions.
"""

from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from typing import NamedTuple, TypeAlias, TypeVar

from gipfbot.rules import PASS, Act, Action, Position, Remove, Row, distinct_pushes
from gipfbot.rules.engine import can_go_on
from gipfbot.rules.geometry import ALL_SPOTS
from gipfbot.rules.loaded_games import uses

from .notations import Notation
from .removal_steps import cached_rows, play_cached, removals_smallest_first
from .spelling import SpeltPart, join_parts, named_spots, spell_push, spell_removal

SLACK = 10  # characters that a turn may be longer in the order found than in canonical order
T = TypeVar("T")
_new = tuple.__new__  # faster than the constructor of a named tuple


class FoundTurn(NamedTuple):
    """The actions of a turn that has fitted the typed text so far.

    `text` is shown to the player. `spelt` is the text that the player may type for these actions, normalised. `end` is
    the position after them.
    """

    text: str
    spelt: str
    actions: tuple[Action, ...]
    end: Position

    def with_text(self, joint: str, said: SpeltPart) -> "FoundTurn":
        """Return the turn with the texts of `said` appended. Its actions stay as they are.

        `said` is a push or removal. `joint` stands between the old and the new text unless one of them is empty.
        """
        text, spelt, actions, end = self
        return FoundTurn(join_parts(joint, text, said.text), join_parts(joint, spelt, said.spelt), actions, end)

    def with_action(self, action: Action) -> "FoundTurn":
        """Return the turn with one more action played. Its texts stay as they are."""
        text, spelt, actions, end = self
        return _new(FoundTurn, (text, spelt, (*actions, action), play_cached(end, action)))


FoundTurns: TypeAlias = Iterator[FoundTurn]


class _FollowedStep(NamedTuple):
    """A step that is being searched.

    `start` is the turn before the step. `then` gets the turn after the step and yields the complete turns that continue
    it. `seen` holds the positions already searched.
    """

    start: FoundTurn
    then: Callable[[FoundTurn], FoundTurns]
    seen: set[object]


class PrefixSearch:
    """A search for turns whose spelling begins with `wanted`. If `exact` is true, the spelling must equal `wanted`."""

    def __init__(self, notation: Notation, wanted: str, longest: int, *, exact: bool = False) -> None:
        self.notation, self.wanted, self.longest, self.exact = notation, wanted, longest + SLACK, exact
        self.size = len(wanted)

    def turns(self, begun: FoundTurn) -> FoundTurns:
        """Yield the complete turns that continue `begun` and fit `wanted`.

        `begun` is the turn at the start of a step.
        """
        return self.step(begun, begun, self.pushes)

    def step(self, found: FoundTurn, start: FoundTurn, then: Callable[[FoundTurn], FoundTurns]) -> FoundTurns:
        """Yield the complete turns that continue `found`, which ends inside a step.

        `start` is the turn before the step. `then` gets the turn after the step and yields the complete turns that
        continue it.
        """
        return self._on(found, _FollowedStep(start, then, set()))

    def _on(self, found: FoundTurn, step: _FollowedStep) -> FoundTurns:
        """Yield the complete turns that continue `found`, with and without more removals in `step`.

        Skips positions that were searched before. Ends the step only once for each board.
        """
        reached, end = self._reached(found), found.end
        board = reached, end.mover, end.owned, end.gipf, end.odd
        if (board, end.dealt) in step.seen:
            return
        step.seen.add((board, end.dealt))
        rows = cached_rows(end) if end.mover is step.start.end.mover else ()
        over = not any(row.due for row in rows) and board not in step.seen
        if over:
            step.seen.add(board)
        streams = [self._over(found, step)] if over else []
        if rows:
            by_row = self._removals_by_row(found, step, rows)
            streams.append(round_robin(map(round_robin, by_row) if len(rows) > 1 else next(by_row)))
        yield from streams[0] if len(streams) == 1 else round_robin(streams)

    def _reached(self, found: FoundTurn) -> str:
        """Return the part of `wanted` that `found` has matched. Assumes that they agree."""
        return found.spelt[: self.size]

    def _over(self, found: FoundTurn, step: _FollowedStep) -> FoundTurns:
        """Yield the complete turns that continue `found` without more removals in `step`."""
        position = found.end
        if position.mover is not step.start.end.mover:
            return self._whole(found, step.start)
        if position.pushed:
            return self._whole(found.with_action(PASS), step.start)
        return step.then(found) if can_go_on(position) else iter(())

    def _removals_by_row(
        self, found: FoundTurn, step: _FollowedStep, rows: Iterable[Row]
    ) -> Iterator[Iterator[FoundTurns]]:
        """Yield for each row an iterator over its removals that fit `wanted`. See `_removals`."""
        begun = self.agrees(join_parts(self.notation.separator, found.spelt, "x"))
        named, only = named_spots(self.wanted[len(found.spelt) :])
        within = 0 if only or self.exact else ALL_SPOTS
        for row in rows:
            said = removals_smallest_first(row, named, within) if begun else ()
            may_be_unsaid = self.notation.keeps_unwritten and row.must and not row.loss
            unsaid = [Remove(row.line.number, row.must)] if may_be_unsaid else []
            yield self._removals(found, step, row, chain(unsaid, said) if unsaid else said)

    def _removals(
        self, found: FoundTurn, step: _FollowedStep, row: Row, removals: Iterable[Remove]
    ) -> Iterator[FoundTurns]:
        """Yield an iterator of complete turns for each removal of `row` and each of its spellings that fits `wanted`.

        If several spellings of a removal match the same number of characters of `wanted`, only one is followed.
        """
        for remove in removals:
            spellings = spell_removal(self.notation, found.end, row, remove)
            ways = [way for said in spellings if (way := self.followed(found, self.notation.separator, said))]
            for way in {self._reached(way): way for way in ways}.values() if len(ways) > 1 else ways:
                yield self._on(way.with_action(remove), step)

    def pushes(self, ready: FoundTurn) -> FoundTurns:
        """Yield the complete turns that continue `ready` with a push."""
        return round_robin(self._pushes(ready))

    def _pushes(self, ready: FoundTurn) -> Iterator[FoundTurns]:
        if self.exact and len(ready.spelt) >= len(self.wanted):
            return
        for push in _acts_in_rotation(ready.end):
            if more := self.followed(ready, ";", spell_push(self.notation, ready.end, push)):
                yield self.pushed(more.with_action(push))

    def pushed(self, found: FoundTurn) -> FoundTurns:
        """Yield the complete turns that continue `found`, whose last action is the push."""
        return self.turns(found) if found.end.pushed else self._whole(found, found)

    def _whole(self, found: FoundTurn, start: FoundTurn) -> FoundTurns:
        """Yield `found`, a complete turn, if it fits the typed text.

        `start` is the turn before the last removals of `found`. If the spelling of `found` leaves these removals out, a
        bare `x` may be typed for them.
        """
        bare = self.notation.empty_step_text(start.end)
        text = bare if found.text == start.text else ""
        unsaid = found.spelt == start.spelt and (bare or found is not start)
        if not text and not unsaid:
            if found.spelt.startswith(self.wanted):
                yield found
            return
        for spelt in ("", "x") if unsaid else ("",):
            whole = self.followed(found, self.notation.separator, SpeltPart(text, spelt))
            if whole and whole.spelt.startswith(self.wanted):
                yield whole
                return

    def followed(self, found: FoundTurn, joint: str, said: SpeltPart) -> FoundTurn | None:
        """Return `found` with the texts of `said` appended. None if they do not fit, or if the text is too long.

        `said` is a push or removal. `joint` stands between the old and the new text unless one of them is empty.
        """
        spelt = join_parts(joint, found.spelt, said.spelt)
        if not self.agrees(spelt):
            return None
        text = join_parts(joint, found.text, said.text)
        return _new(FoundTurn, (text, spelt, found.actions, found.end)) if len(text) <= self.longest else None

    def agrees(self, spelt: str) -> bool:
        """Return whether `wanted` and a spelling agree, up to the end of the shorter one.

        Return False if `exact` is true and the spelling is longer than `wanted`.
        """
        return self.wanted.startswith(spelt) or (not self.exact and spelt.startswith(self.wanted))


def _acts_in_rotation(position: Position) -> Iterator[Act]:
    """Yield the distinct pushes and the uses of potentials in rotation, so that a short list shows both."""
    if not position.left:
        return distinct_pushes(position)
    return round_robin([distinct_pushes(position), iter(uses(position))])


def round_robin(streams: Iterable[Iterator[T]]) -> Iterator[T]:
    """Yield the items of all streams, one from each stream in rotation.

    No stream is started before its first item is needed.
    """
    turn: Iterable[Iterator[T]] = streams
    while True:
        waiting = list[Iterator[T]]()
        for stream in turn:
            for item in stream:
                yield item
                waiting.append(stream)
                break
        if not waiting:
            return
        turn = waiting
