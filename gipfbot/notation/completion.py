"""Complete a partly typed text to legal turns that fit it, without listing all turns.

A crowded position has hundreds of thousands of full turns. So the search adds one action after another, and follows
only actions that agree with the typed text. Where the typed text ends, the search takes one turn from each continuation
in rotation, so that a short list shows different next actions.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import IntEnum
from functools import lru_cache, partial
from itertools import chain, islice, tee
from typing import NamedTuple, TypeAlias, TypeVar

from gipfbot.rules import PASS, Act, Action, Position, Push, Remove, Row, distinct_acts, distinct_pushes, open_rows
from gipfbot.rules.engine import can_go_on
from gipfbot.rules.geometry import ALL_SPOTS, BIT, names
from gipfbot.rules.loaded_games import uses
from gipfbot.rules.powers import POWERS

from .courses import Course, other_course
from .normalise import normalise_typed
from .notations import JULIO974, NOTATIONS, OFFICIAL, Julio974, Notation
from .removal_steps import Way, cached_rows, play_along, play_cached, removals_smallest_first
from .turns import turn_text

LONGEST_TYPED = 200  # characters; no turn is longer
TYPED_SIGNS = {*"abcdefghix123456789;,-*>+"}  # all normalised characters of both notations but for `POWERS`
SLACK = 10  # characters that a turn may be longer in the order found than in canonical order
WAYS_BEFORE_PUSH = 4  # ways to remove rows before the push that the search follows
PARTS_TRIED = 100  # pushes and removals in which the search looks

_FIRST_LIST = re.compile("[;x]*([^;x]*)(.?)")
_POINT = re.compile("[a-i][1-9]")
_new = tuple.__new__  # faster than the constructor of a named tuple
T = TypeVar("T")


# ── Spelling a push or a removal ──


class _SpeltPart(NamedTuple):
    """A push or removal as text: `text` is shown in a completion, and `spelt` is one way to type it, normalised."""

    text: str
    spelt: str


def _join_parts(joint: str, first: str, second: str) -> str:
    """Return two texts with `joint` between them. Without `joint` if one of them is empty."""
    return f"{first}{joint}{second}" if first and second else first or second


def _spell_push(notation: Notation, position: Position, push: Act) -> _SpeltPart:
    """Return the only spelling of a push or a use in a notation."""
    text = notation.act_text(position, push)
    return _new(_SpeltPart, (text, text.lower()))


def _spell_removal(notation: Notation, position: Position, row: Row, remove: Remove) -> Sequence[_SpeltPart]:
    """Return the spellings of a removal, the shortest first.

    Official notation has one spelling. In Julio974's notation, the row's code may always be typed, too. A removal that
    need not be written there may be left out, or typed as a bare `X`.
    """
    text = notation.removal_text(position, remove)
    if not notation.keeps_unwritten:
        return (_new(_SpeltPart, (text, text.lower())),)
    full = f"X{row.line.code}{''.join(names(remove.taken & row.may))}"
    offered = full if row.may and not text else text
    return [_SpeltPart(offered, spelt.lower()) for spelt in dict.fromkeys((text, text or "X", full))]


class _ExplicitJulio974(Julio974):
    """Julio974's notation, but it always writes the row's code when a removal keeps all GIPF-pieces of its row.

    Without the code, the bot would ask the player which GIPF-pieces to take.
    """

    def removal_text(self, position: Position, remove: Remove) -> str:
        row = next(row for row in open_rows(position) if row.line.number == remove.line)
        return _spell_removal(JULIO974, position, row, remove)[0].text


# The notations by name, each in the form that leaves nothing to ask.
_EXPLICIT_NOTATIONS: dict[str, Notation] = {**NOTATIONS, JULIO974.name: _ExplicitJulio974()}


@lru_cache(maxsize=64)
def _named_spots(plain: str) -> tuple[int, bool]:
    """Return the spots (bits) that the first removal in a text names, and whether any text follows that removal.

    If the removal names a point that is not a spot, all spots are returned, so that no removal fits.
    """
    if not plain:
        return 0, False
    first, end = _FIRST_LIST.findall(plain)[0]
    points = {*_POINT.findall(first)}
    return sum(map(BIT.__getitem__, points)) if points <= BIT.keys() else ALL_SPOTS, end != ""


# ── Turns that begin with the text ──


class FoundTurn(NamedTuple):
    """The actions of a turn that has fitted the typed text so far.

    `text` is shown to the player. `spelt` is the text that the player may type for these actions, normalised. `end` is
    the position after them.
    """

    text: str
    spelt: str
    actions: tuple[Action, ...]
    end: Position

    def with_text(self, joint: str, said: _SpeltPart) -> "FoundTurn":
        """Return the turn with the texts of `said` appended. Its actions stay as they are.

        `said` is a push or removal. `joint` stands between the old and the new text unless one of them is empty.
        """
        text, spelt, actions, end = self
        return FoundTurn(_join_parts(joint, text, said.text), _join_parts(joint, spelt, said.spelt), actions, end)

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


class _PrefixSearch:
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
            streams.append(_round_robin(map(_round_robin, by_row) if len(rows) > 1 else next(by_row)))
        yield from streams[0] if len(streams) == 1 else _round_robin(streams)

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
        begun = self.agrees(_join_parts(self.notation.separator, found.spelt, "x"))
        named, only = _named_spots(self.wanted[len(found.spelt) :])
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
            spellings = _spell_removal(self.notation, found.end, row, remove)
            ways = [way for said in spellings if (way := self.followed(found, self.notation.separator, said))]
            for way in {self._reached(way): way for way in ways}.values() if len(ways) > 1 else ways:
                yield self._on(way.with_action(remove), step)

    def pushes(self, ready: FoundTurn) -> FoundTurns:
        """Yield the complete turns that continue `ready` with a push."""
        return _round_robin(self._pushes(ready))

    def _pushes(self, ready: FoundTurn) -> Iterator[FoundTurns]:
        if self.exact and len(ready.spelt) >= len(self.wanted):
            return
        for push in _acts_in_rotation(ready.end):
            if more := self.followed(ready, ";", _spell_push(self.notation, ready.end, push)):
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
            whole = self.followed(found, self.notation.separator, _SpeltPart(text, spelt))
            if whole and whole.spelt.startswith(self.wanted):
                yield whole
                return

    def followed(self, found: FoundTurn, joint: str, said: _SpeltPart) -> FoundTurn | None:
        """Return `found` with the texts of `said` appended. None if they do not fit, or if the text is too long.

        `said` is a push or removal. `joint` stands between the old and the new text unless one of them is empty.
        """
        spelt = _join_parts(joint, found.spelt, said.spelt)
        if not self.agrees(spelt):
            return None
        text = _join_parts(joint, found.text, said.text)
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
    return _round_robin([distinct_pushes(position), iter(uses(position))])


def _round_robin(streams: Iterable[Iterator[T]]) -> Iterator[T]:
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


# ── Turns that contain the text ──


_NextPush: TypeAlias = tuple[FoundTurn, Act, _SpeltPart]  # a turn without its push, the push, and its spelling


class _MiddleSearch:
    """A search for turns that contain `wanted` anywhere, not only at their beginning.

    Looks at a limited number of pushes and removals.
    """

    def __init__(self, notation: Notation, wanted: str, longest: int) -> None:
        self.notation, self.wanted, self.longest, self.parts_left = notation, wanted, longest, PARTS_TRIED
        self.needed, _ = _named_spots(wanted)
        self.cuts = [size for size in range(1, len(wanted) + 1) if wanted[size : size + 1] in {"", ";", "x"}]

    def turns(self, begun: FoundTurn) -> FoundTurns:
        """Yield turns that contain the typed text.

        If the removal before the push leaves no choice, the turns whose push begins with the typed text come first.
        """
        free = _PrefixSearch(self.notation, "", self.longest)
        ends = free.step(begun, begun, lambda ready: iter((ready,))) if not begun.end.pushed else ()
        ways = [way for way in islice(ends, WAYS_BEFORE_PUSH) if way.end.mover is begun.end.mover]
        if len(ways) == 1 and ways[0].actions:
            yield from _PrefixSearch(self.notation, self.wanted, self.longest).pushes(ways[0]._replace(spelt=""))
        pushes, again = tee(self._pushes(ways))
        yield from _round_robin(
            map(_round_robin, (self._in_lists(begun), self._in_pushes(pushes), self._behind_pushes(again)))
        )

    def _pushes(self, ways: Iterable[FoundTurn]) -> Iterator[_NextPush]:
        """Yield every possible push for each unfinished turn in `ways`.

        Pushes to the same vacant spot from different dots count as one.
        """
        for way in ways:
            for push in distinct_acts(way.end):
                yield way, push, _spell_push(self.notation, way.end, push)

    def _in_lists(self, start: FoundTurn) -> Iterator[FoundTurns]:
        """Yield an iterator of complete turns for each place in a removal where the typed text can begin.

        Looks only at the first removal after `start`.
        """
        found = self.parts_left > 0 and not self.needed & ~(start.end.owned[0] | start.end.owned[1])
        rows = cached_rows(start.end) if found else ()
        self.parts_left -= 1
        for row in rows:
            yield from self._in_row(start, row)

    def _in_row(self, start: FoundTurn, row: Row) -> Iterator[FoundTurns]:
        for remove in removals_smallest_first(row, self.needed, ALL_SPOTS):
            for said in _spell_removal(self.notation, start.end, row, remove)[:1]:
                for search in self._begun(start, self.notation.separator, said):
                    found = start.with_text(self.notation.separator, said)._replace(spelt=said.spelt)
                    yield search.step(found.with_action(remove), start, search.pushes)

    def _in_pushes(self, pushes: Iterable[_NextPush]) -> Iterator[FoundTurns]:
        """Yield an iterator of complete turns for each place in a push where the typed text can begin."""
        for way, push, said in pushes:
            for search in self._begun(way, ";", said):
                found = way.with_text(";", said)._replace(spelt=said.spelt)
                yield search.pushed(found.with_action(push))

    def _behind_pushes(self, pushes: Iterable[_NextPush]) -> Iterator[FoundTurns]:
        """Yield an iterator of complete turns for each place in a removal after a push. See `_in_lists`."""
        for way, push, said in pushes:
            if self.parts_left > 0 and (found := way.with_action(push)).end.pushed:
                yield from self._in_lists(found.with_text(";", said))

    def _begun(self, before: FoundTurn, joint: str, said: _SpeltPart) -> Iterator[_PrefixSearch]:
        """Yield a search for the rest of the turn for each place in `said` where the typed text can begin.

        `said` is a push or removal. If the typed text begins with `;`, the only such place is in front of `said`.
        """
        self.parts_left -= 1
        if self.wanted.startswith(";"):
            search = _PrefixSearch(self.notation, self.wanted[1:], self.longest)
            if before.text and joint == ";" and search.agrees(said.spelt):
                yield search
        elif self.wanted in said.spelt:
            yield _PrefixSearch(self.notation, "", self.longest)
        else:
            for size in self.cuts:
                if said.spelt.endswith(self.wanted[:size]):
                    yield _PrefixSearch(self.notation, said.spelt + self.wanted[size:], self.longest)


# ── Completions ──


class Fit(IntEnum):
    """How well a completion fits the typed text. The best fit comes first."""

    EXACT = 0
    PREFIX = 1
    CONTAINED = 2


class Completion(NamedTuple):
    """The text of a turn, or of the rest of a turn, that fits the typed text.

    `returned` counts the basic pieces that come back to the mover's reserve, `captured` those that the opponent loses
    (R4.3). A GIPF-piece counts as two.
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
    wanted, now = normalise_typed(typed), play_along(start, done).end
    if len(wanted) > LONGEST_TYPED or now.result:
        return []
    other = other_course(start)
    find = partial(_find_in_other_course, other) if other else _find_completions
    for each in sorted(NOTATIONS.values(), key=lambda other: other is not notation):
        if found := list(islice(find(start, done, wanted, each, longest), limit)):
            return found
    return []


def _find_in_other_course(
    other: Course, start: Position, done: Sequence[Action], wanted: str, notation: Notation, longest: int
) -> Iterator[Completion]:
    now, known = play_along(start, done).end, set[str]()
    for fit, text, way in other.fitting_parts(start, done, wanted, notation):
        if len(text) <= longest and text not in known:
            known.add(text)
            yield Completion(text, Fit(fit), *_count_taken(now, way))


def _find_completions(
    start: Position, done: Sequence[Action], wanted: str, notation: Notation, longest: int
) -> Iterator[Completion]:
    if not TYPED_SIGNS.union(map(str.lower, POWERS)).issuperset(wanted):
        return
    now, known = play_along(start, done).end, set[str]()
    again = normalise_typed(turn_text(start, done, notation).removesuffix(notation.empty_step_text(now)))
    begun = [FoundTurn("", spelt, (), now) for spelt in dict.fromkeys(("", again))]
    for fit, found in _fitting_turns(begun, wanted, notation, longest):
        if found.text in known:
            continue
        canonical = turn_text(now, found.actions, _EXPLICIT_NOTATIONS[notation.name])
        read = canonical.lower()
        text = canonical if read.startswith(wanted) or (fit is Fit.CONTAINED and wanted in read) else found.text
        if canonical not in known and len(text) <= longest:
            yield Completion(text or found.text or "x", fit, *_count_taken(now, Way(found.actions, found.end)))
        known.update((found.text, canonical))


def _fitting_turns(
    begun: Sequence[FoundTurn], wanted: str, notation: Notation, longest: int
) -> Iterator[tuple[Fit, FoundTurn]]:
    for fit in (Fit.EXACT, Fit.PREFIX):
        search = _PrefixSearch(notation, wanted, longest, exact=fit is Fit.EXACT)
        yield from ((fit, found) for each in begun for found in search.turns(each))
    if wanted:
        yield from ((Fit.CONTAINED, found) for found in _MiddleSearch(notation, wanted, longest).turns(begun[0]))


def _count_taken(now: Position, way: Way) -> tuple[int, int]:
    """Return how many basic pieces a turn brings back, and how many it captures. A GIPF-piece counts as two."""
    by, end = now.mover, way.end
    spent = sum(act.kind.worth if isinstance(act, Push) else act.put for act in way.actions if isinstance(act, Act))
    return end.reserve[by] - now.reserve[by] + spent, end.captured[by.other] - now.captured[by.other]
