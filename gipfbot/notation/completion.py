"""Find legal turns that fit a partly typed text, without listing all turns.

A crowded position has hundreds of thousands of full turns. So the search adds one action after another, and follows
only actions that agree with the typed text. Where the typed text ends, the search takes one turn from each continuation
in rotation, so that a short list shows different next actions.
"""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import IntEnum
from itertools import chain, combinations, islice, tee
from typing import NamedTuple, TypeAlias, TypeVar

from gipfbot.rules import (
    PASS,
    Act,
    Action,
    Position,
    Push,
    Remove,
    Row,
    distinct_acts,
    distinct_pushes,
    open_rows,
    play,
)
from gipfbot.rules.engine import can_go_on
from gipfbot.rules.geometry import each_bit
from gipfbot.rules.loaded_games import uses
from gipfbot.rules.powers import POWERS
from gipfbot.rules.rulesets import OVERBOARD_COURSE

from .normalise import normalise_typed
from .notations import NOTATIONS, OFFICIAL, Notation
from .overboard_completion import count_taken, fitting_parts
from .removal_steps import Way, play_along
from .spelling import EXPLICIT_NOTATIONS, SpeltPart, join_parts, named_spots, spell_push, spell_removal
from .write_turn import turn_text

LONGEST_TYPED = 200  # characters; no turn is longer
SLACK = 10  # characters that a turn may be longer in the order found than in canonical order
WAYS_BEFORE_PUSH = 4  # ways to remove rows before the push that the search for the middle of a turn follows
PARTS_TRIED = 150  # pushes and removals in which the search for the middle of a turn looks
TYPED_SIGNS = {*"abcdefghix123456789;,-*>+"}  # all normalised characters of both notations but for `POWERS`
T = TypeVar("T")


class Fit(IntEnum):
    """How well a completion fits the typed text. The best fit comes first."""

    EXACT = 0
    PREFIX = 1
    CONTAINED = 2


class Completion(NamedTuple):
    """The text of a turn, or of the rest of a turn, that fits the typed text.

    `returned` counts the mover's pieces that the turn takes off the board. `captured` counts the opponent's (R4.3).
    """

    text: str
    fit: Fit
    returned: int
    captured: int


def completions(
    start: Position,
    done: Sequence[Action],
    typed: str,
    limit: int,
    notation: Notation = OFFICIAL,
    *,
    longest: int = 100,
) -> list[Completion]:
    """Return at most `limit` turns that fit the typed text, the best fit first.

    Exact matches come first, then turns that begin with the text, then turns that only contain it. The actions `done`
    have been played from `start`, and each completion is the rest of that turn. Blanks, case and the kind of dash are
    ignored. If the removal before the push leaves no choice, it need not be typed. If nothing fits in `notation`, the
    other notation is tried. Completions over `longest` characters are left out.

    A completion is in canonical form, unless the typed text begins differently. Playing a completion never asks the
    player a question. Every prefix of a turn finds that turn, unless `limit` or `longest` leaves it out. In a crowded
    position some turns that only contain the text may be missed. Never raises, whatever is typed.
    """
    wanted = normalise_typed(typed)
    if start.rules.course == OVERBOARD_COURSE:
        return _complete_overboard(start, done, wanted, limit, notation, longest)
    signs = TYPED_SIGNS.union(map(str.lower, POWERS))
    if len(wanted) > LONGEST_TYPED or not signs.issuperset(wanted) or play_along(start, done).end.result:
        return []
    for each in sorted(NOTATIONS.values(), key=lambda other: other is not notation):
        if found := list(islice(_find_completions(start, done, wanted, each, longest), limit)):
            return found
    return []


def _complete_overboard(
    start: Position, done: Sequence[Action], wanted: str, limit: int, notation: Notation, longest: int
) -> list[Completion]:
    if len(wanted) > LONGEST_TYPED or play_along(start, done).end.result:
        return []
    for each in sorted(NOTATIONS.values(), key=lambda other: other is not notation):
        found = dict[str, Completion]()
        for fit, text, way in fitting_parts(start, done, wanted, each):
            if len(text) <= longest and text not in found:
                found[text] = Completion(text, Fit(fit), *count_taken(start, done, way))
            if len(found) == limit:
                break
        if found:
            return [*found.values()][:limit]
    return []


class _FoundTurn(NamedTuple):
    """The actions of a turn that has fitted the typed text so far.

    `text` is shown to the player. `spelt` is the text that the player may type for these actions, normalised. `end` is
    the position after them.
    """

    text: str
    spelt: str
    actions: tuple[Action, ...]
    end: Position

    def with_text(self, joint: str, said: SpeltPart) -> "_FoundTurn":
        """Return the turn with the texts of `said` appended. Its actions stay as they are.

        `said` is a push or removal. `joint` stands between the old and the new text unless one of them is empty.
        """
        text, spelt, actions, end = self
        return _FoundTurn(join_parts(joint, text, said.text), join_parts(joint, spelt, said.spelt), actions, end)

    def with_action(self, action: Action) -> "_FoundTurn":
        """Return the turn with one more action played. Its texts stay as they are."""
        text, spelt, actions, end = self
        return _FoundTurn(text, spelt, (*actions, action), play(end, action))


FoundTurns: TypeAlias = Iterator[_FoundTurn]


def _find_completions(
    start: Position, done: Sequence[Action], wanted: str, notation: Notation, longest: int
) -> Iterator[Completion]:
    now, known = play_along(start, done).end, set[str]()
    again = normalise_typed(turn_text(start, done, notation).removesuffix(notation.empty_step_text(now)))
    begun = [_FoundTurn("", spelt, (), now) for spelt in dict.fromkeys(("", again))]
    for fit, found in _fitting_turns(begun, wanted, notation, longest):
        if found.text in known:
            continue
        canonical = turn_text(now, found.actions, EXPLICIT_NOTATIONS[notation.name])
        read = normalise_typed(canonical)
        text = canonical if read.startswith(wanted) or (fit is Fit.CONTAINED and wanted in read) else found.text
        if canonical not in known and len(text) <= longest:
            yield Completion(text or found.text or "x", fit, *_count_taken(now, found))
        known.update((found.text, canonical))


def _fitting_turns(
    begun: Sequence[_FoundTurn], wanted: str, notation: Notation, longest: int
) -> Iterator[tuple[Fit, _FoundTurn]]:
    for fit in (Fit.EXACT, Fit.PREFIX):
        search = _PrefixSearch(notation, wanted, longest, exact=fit is Fit.EXACT)
        yield from ((fit, found) for each in begun for found in search.turns(each))
    if wanted:
        yield from ((Fit.CONTAINED, found) for found in _MiddleSearch(notation, wanted, longest).turns(begun[0]))


def _count_taken(now: Position, found: _FoundTurn) -> tuple[int, int]:
    """Count the pieces that a turn takes off the board, as (returned, captured). A GIPF-piece counts as one."""
    if now.left:  # uses cover pieces, and removals free some
        return count_taken(now, (), Way(found.actions, found.end))
    mover, other = now.mover, now.mover.other
    pushed = sum(isinstance(action, Push) for action in found.actions)
    home = now.owned[mover].bit_count() + pushed - found.end.owned[mover].bit_count()
    return home, now.owned[other].bit_count() - found.end.owned[other].bit_count()


# ── Turns that begin with the text ──


class _FollowedStep(NamedTuple):
    """A step that is being searched.

    `start` is the turn before the step. `then` gets the turn after the step and yields the complete turns that continue
    it. `seen` holds the positions already searched.
    """

    start: _FoundTurn
    then: Callable[[_FoundTurn], FoundTurns]
    seen: set[object]


class _PrefixSearch:
    """A search for turns whose spelling begins with `wanted`. If `exact` is true, the spelling must equal `wanted`."""

    def __init__(self, notation: Notation, wanted: str, longest: int, *, exact: bool = False) -> None:
        self.notation, self.wanted, self.longest, self.exact = notation, wanted, longest + SLACK, exact

    def turns(self, begun: _FoundTurn) -> FoundTurns:
        """Yield the complete turns that continue `begun` and fit `wanted`.

        `begun` is the turn at the start of a step.
        """
        return self.step(begun, begun, self.pushes)

    def step(self, found: _FoundTurn, start: _FoundTurn, then: Callable[[_FoundTurn], FoundTurns]) -> FoundTurns:
        """Yield the complete turns that continue `found`, which ends inside a step.

        `start` is the turn before the step. `then` gets the turn after the step and yields the complete turns that
        continue it.
        """
        return self._on(found, _FollowedStep(start, then, set()))

    def _on(self, found: _FoundTurn, step: _FollowedStep) -> FoundTurns:
        """Yield the complete turns that continue `found`, with and without more removals in `step`.

        Skips positions that were searched before. Ends the step only once for each board.
        """
        reached = self._reached(found)
        if (reached, found.end) in step.seen:
            return
        step.seen.add((reached, found.end))
        rows = open_rows(found.end) if found.end.mover is step.start.end.mover else ()
        board = reached, found.end._replace(dealt=0), "over"
        over = not any(row.due for row in rows) and board not in step.seen
        if over:
            step.seen.add(board)
        ends = self._over(found, step) if over else iter(())
        yield from _round_robin((ends, _round_robin(_round_robin(self._removals(found, step, row)) for row in rows)))

    def _reached(self, found: _FoundTurn) -> int:
        """Return the number of characters of `wanted` that `found` has matched."""
        return min(len(found.spelt), len(self.wanted))

    def _over(self, found: _FoundTurn, step: _FollowedStep) -> FoundTurns:
        """Yield the complete turns that continue `found` without more removals in `step`."""
        position = found.end
        if position.mover is not step.start.end.mover:
            return self._whole(found, step.start)
        if position.pushed:
            return self._whole(found.with_action(PASS), step.start)
        return step.then(found) if can_go_on(position) else iter(())

    def _removals(self, found: _FoundTurn, step: _FollowedStep, row: Row) -> Iterator[FoundTurns]:
        """Yield an iterator of complete turns for each removal of `row` and each of its spellings that fits `wanted`.

        If several spellings of a removal match the same number of characters of `wanted`, only one is followed.
        """
        begun = self.fits(found.with_text(self.notation.separator, SpeltPart("", "x")))
        unsaid = [Remove(row.line.number, row.must)] if self.notation.keeps_unwritten and row.must else []
        named, only = named_spots(self.wanted[len(found.spelt) :])
        said = _removals_smallest_first(row, named, only=only or self.exact) if begun else ()
        for remove in chain(unsaid, said):
            ways = (
                found.with_text(self.notation.separator, each)
                for each in spell_removal(self.notation, found.end, row, remove)
            )
            for more in {self._reached(way): way for way in ways if self.fits(way)}.values():
                yield self._on(more.with_action(remove), step)

    def pushes(self, ready: _FoundTurn) -> FoundTurns:
        """Yield the complete turns that continue `ready` with a push."""
        return _round_robin(self._pushes(ready))

    def _pushes(self, ready: _FoundTurn) -> Iterator[FoundTurns]:
        for push in _acts_in_rotation(ready.end):
            more = ready.with_text(";", spell_push(self.notation, ready.end, push))
            if self.fits(more):
                yield self.pushed(more.with_action(push))

    def pushed(self, found: _FoundTurn) -> FoundTurns:
        """Yield the complete turns that continue `found`, whose last action is the push."""
        return self.turns(found) if found.end.pushed else self._whole(found, found)

    def _whole(self, found: _FoundTurn, start: _FoundTurn) -> FoundTurns:
        """Yield `found`, a complete turn, if it fits the typed text.

        `start` is the turn before the last removals of `found`. If the spelling of `found` leaves these removals out, a
        bare `x` may be typed for them.
        """
        bare = self.notation.empty_step_text(start.end)
        text = bare if found.text == start.text else ""
        unsaid = found.spelt == start.spelt and (bare or found is not start)
        for spelt in ("", "x") if unsaid else ("",):
            whole = found.with_text(self.notation.separator, SpeltPart(text, spelt))
            if self.fits(whole) and whole.spelt.startswith(self.wanted):
                yield whole
                return

    def fits(self, found: _FoundTurn) -> bool:
        """Return whether `wanted` and the spelling of `found` agree, up to the end of the shorter one.

        Return False if the text of `found` is too long, or if `exact` is true and the spelling is longer than `wanted`.
        """
        if len(found.text) > self.longest:
            return False
        return self.wanted.startswith(found.spelt) or (not self.exact and found.spelt.startswith(self.wanted))


def _acts_in_rotation(position: Position) -> Iterator[Act]:
    """Yield the distinct pushes and the uses of potentials in rotation, so that a short list shows both."""
    if not position.left:
        return distinct_acts(position)
    return _round_robin([distinct_pushes(position), iter(uses(position))])


def _round_robin(streams: Iterable[Iterator[T]]) -> Iterator[T]:
    """Yield the items of all streams, one from each stream in rotation.

    No stream is started before its first item is needed.
    """
    waiting = deque[Iterator[T]]()
    for stream in chain(streams, _drain_queue(waiting)):
        for item in islice(stream, 1):
            yield item
            waiting.append(stream)


def _drain_queue(waiting: deque[T]) -> Iterator[T]:
    while waiting:
        yield waiting.popleft()


def _removals_smallest_first(row: Row, named: int, *, only: bool) -> Iterator[Remove]:
    """Yield every removal of `row` that clears at least the spots `named` (bits), the smallest removal first.

    If `only` is true, the GIPF-pieces that are not in `named` stay.
    """
    if named & ~row.stretch:
        return
    free = 0 if only else row.may & ~named
    for count in range(free.bit_count() + 1):
        for more in combinations(each_bit(free), count):
            taken = row.must | named | sum(more)
            if taken & row.loss if row.loss else taken:
                yield Remove(row.line.number, taken)


# ── Turns that contain the text ──


class _MiddleSearch:
    """A search for turns that contain `wanted` anywhere, not only at their beginning.

    Looks at a limited number of pushes and removals.
    """

    def __init__(self, notation: Notation, wanted: str, longest: int) -> None:
        self.notation, self.wanted, self.longest, self.parts_left = notation, wanted, longest, PARTS_TRIED
        self.needed, _ = named_spots(wanted)

    def turns(self, begun: _FoundTurn) -> FoundTurns:
        """Yield turns that contain the typed text.

        If the removal before the push leaves no choice, the turns whose push begins with the typed text come first.
        """
        free = _PrefixSearch(self.notation, "", self.longest)
        ends = free.step(begun, begun, lambda ready: iter((ready,))) if not begun.end.pushed else ()
        ways = [way for way in islice(ends, WAYS_BEFORE_PUSH) if way.end.mover is begun.end.mover]
        if len(ways) == 1 and ways[0].actions:
            yield from _PrefixSearch(self.notation, self.wanted, self.longest).pushes(ways[0]._replace(spelt=""))
        pushes, again = tee(self._pushes(ways))
        behind = chain.from_iterable(self._in_lists(found) for _, _, found in again if found.end.pushed)
        yield from _round_robin(map(_round_robin, (self._in_lists(begun), self._in_pushes(pushes), behind)))

    def _pushes(self, ways: Sequence[_FoundTurn]) -> Iterator[tuple[_FoundTurn, SpeltPart, _FoundTurn]]:
        """Yield every possible push for each unfinished turn in `ways`.

        Pushes to the same vacant spot from different dots count as one. Each item is (turn without the push,
        spelling of the push, turn with the push).
        """
        for way in ways:
            for push in distinct_acts(way.end):
                said = spell_push(self.notation, way.end, push)
                yield way, said, way.with_text(";", said).with_action(push)

    def _in_lists(self, start: _FoundTurn) -> Iterator[FoundTurns]:
        """Yield an iterator of complete turns for each place in a removal where the typed text can begin.

        Looks only at the first removal after `start`.
        """
        rows = {row.line.number: row for row in open_rows(start.end)} if self.parts_left > 0 else {}
        self.parts_left -= 1
        for remove in chain.from_iterable(
            _removals_smallest_first(row, self.needed, only=False) for row in rows.values()
        ):
            for said in spell_removal(self.notation, start.end, rows[remove.line], remove)[:1]:
                for search in self._begun(start, self.notation.separator, said):
                    found = start.with_text(self.notation.separator, said)._replace(spelt=said.spelt)
                    yield search.step(found.with_action(remove), start, search.pushes)

    def _in_pushes(self, pushes: Iterable[tuple[_FoundTurn, SpeltPart, _FoundTurn]]) -> Iterator[FoundTurns]:
        """Yield an iterator of complete turns for each place in a push where the typed text can begin."""
        for way, said, found in pushes:
            for search in self._begun(way, ";", said):
                yield search.pushed(found._replace(spelt=said.spelt))

    def _begun(self, before: _FoundTurn, joint: str, said: SpeltPart) -> Iterator[_PrefixSearch]:
        """Yield a search for the rest of the turn for each place in `said` where the typed text can begin.

        `said` is a push or removal. If the typed text begins with `;`, the only such place is in front of `said`.
        """
        self.parts_left -= 1
        if self.wanted.startswith(";"):
            search = _PrefixSearch(self.notation, self.wanted[1:], self.longest)
            if before.text and joint == ";" and search.fits(before._replace(spelt=said.spelt)):
                yield search
        elif self.wanted in said.spelt:
            yield _PrefixSearch(self.notation, "", self.longest)
        else:
            for size in range(1, min(len(said.spelt), len(self.wanted)) + 1):
                if said.spelt.endswith(self.wanted[:size]) and self.wanted[size : size + 1] in {"", ";", "x"}:
                    yield _PrefixSearch(self.notation, said.spelt + self.wanted[size:], self.longest)
