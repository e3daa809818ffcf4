"""List texts that decide what an unfinished turn leaves open.

If no choice makes the rest of the turn playable, give the error that says why.
"""

import re
from collections.abc import Iterator
from itertools import chain, islice
from typing import NamedTuple

from gipfbot.rules import PASS, Kind, Position, Push, Use, legal
from gipfbot.rules.full_turns import distinct_acts
from gipfbot.rules.geometry import ENTRIES_BY_DOT
from gipfbot.rules.powers import POWERS

from .errors import IllegalTurn, NotationError, OpenTurn
from .interpret import TurnReading, reserve_sentence
from .normalise import WrittenTurn, normalise_typed
from .notations import JULIO974, Notation
from .removal_steps import Way, join_ways, open_ways
from .write_turn import turn_text

CHOICES_LISTED = 6
WAYS_TRIED = 2_000

_BARE_DOT = re.compile(r"([a-z]?)([a-i][1-9])(?:\([0-9]{1,2}\)?)?")


def unfinished_turn_error(
    reading: TurnReading, start: Position, ways: tuple[Way, ...], written: WrittenTurn
) -> NotationError:
    """Return the error for a text that leaves a choice open.

    The error lists the choices after which the rest of the text can be played. If there is no such choice, it says why.
    If the search gives up, it lists beginnings of turns. `ways` holds every way that the written removals can mean.
    """
    tried, found = _search_choices(reading, start, ways, written)
    if not found and tried.reserve_is_wrong:
        tried, found = _search_choices(reading, start, ways, written._replace(reserve=None))
    if not found and not tried.gave_up:
        return tried.first_fault()
    if not found:
        begun = _ChoiceSearch(reading, start)
        found = [begun.way_text(whole) for way in ways for whole in islice(begun.ways_on(way), CHOICES_LISTED)]
    more = tried.gave_up or len(found) > CHOICES_LISTED
    listed = sorted(dict.fromkeys(found[:CHOICES_LISTED]))
    return OpenTurn(listed, reading.text, more=more, whole=all(_is_whole_turn(reading, start, text) for text in listed))


def _search_choices(
    reading: TurnReading, start: Position, ways: tuple[Way, ...], written: WrittenTurn
) -> tuple["_ChoiceSearch", list[str]]:
    """Return a search and the choices that it found, at most one more than will be listed."""
    tried = _ChoiceSearch(reading, start)
    texts = chain.from_iterable(tried.choice_texts(way, written) for way in ways)
    return tried, list(islice(texts, CHOICES_LISTED + 1))


def check_remaining_push(reading: TurnReading, position: Position, written: WrittenTurn) -> None:
    """Raise an error if the written push and what follows cannot be played, whatever is removed before it.

    Raises nothing if the search gives up.
    """
    tried = _ChoiceSearch(reading, position)
    texts = tried.choice_texts(Way((), position), written._replace(before=(), reserve=None))
    if next(texts, None) is None and not tried.gave_up:
        raise tried.first_fault()


def _is_whole_turn(reading: TurnReading, start: Position, text: str) -> bool:
    """Return whether a playable text is a complete turn from `start`."""
    return reading.play_whole(start, reading.notation.read(text)).way.end.mover is not start.mover


class _ChoiceSearch:
    """A search for texts that decide an open choice.

    It counts the sequences of removals that it may still try, and keeps the errors that it meets.
    """

    def __init__(self, reading: TurnReading, start: Position) -> None:
        self.reading, self.start = reading, start
        self.tries_left, self.gave_up, self.faults = WAYS_TRIED, False, list[NotationError]()

    def ways_on(self, way: Way) -> Iterator[Way]:
        """Extend `way` until all due rows are removed. Yield one extended way for each board that can result.

        If `way` already ends the turn, yield it alone. If the search runs out of tries, set `gave_up` and stop.
        """
        if way.end.mover is not self.start.mover:
            yield way
            return
        for rest in open_ways(way.end, keep=self.reading.keep):
            if not self.tries_left:
                self.gave_up = True
                return
            self.tries_left -= 1
            yield join_ways(way, rest)

    def first_fault(self) -> NotationError:
        """Return the first error whose code is not `ended`. If all are `ended`, return the first.

        The code `ended` means that a removal ends the game before the push.
        """
        return next((fault for fault in self.faults if fault.code != "ended"), self.faults[0])

    @property
    def reserve_is_wrong(self) -> bool:
        """Whether the written reserve alone rules out some choice."""
        return any(fault.code == "reserve_after" for fault in self.faults)

    def _check_reserve(self, way: Way, written: WrittenTurn) -> None:
        mover = self.start.mover
        left = way.end.reserve[mover]
        if written.reserve not in (None, left) and way.end.mover is not mover:
            raise IllegalTurn("reserve_after", "R4.3", reserve_sentence(mover, left, written), self.reading.text)

    def way_text(self, way: Way) -> str:
        """Write the actions of `way`, played from `start`, as canonical text in the notation that is being read."""
        return turn_text(self.start, way.actions, self.reading.notation)

    def choice_texts(self, way: Way, written: WrittenTurn) -> Iterator[str]:
        """Yield a text for each choice that the written turn leaves open after `way`.

        If a push is written, each text is a complete turn. Otherwise each text ends after the step with the choice, or
        after a push if the step leaves none. `faults` gets the errors of choices that cannot be played.
        """
        ways = self.ways_on(way)
        first = [*islice(ways, 2)]
        for whole in chain(first, ways):
            if written.push:
                try:
                    yield from self._with_act(whole, written)
                except NotationError as fault:
                    self.faults.append(fault)
            elif whole.end.mover is not self.start.mover or whole.end.pushed or len(first) > 1:
                yield self.way_text(whole)
            else:
                yield from self._pushes(whole)

    def _with_act(self, way: Way, written: WrittenTurn) -> Iterator[str]:
        """Yield the complete turns that begin with `way` and contain the written push, as texts.

        There is one if `way` already contains the push. Raises an error if the rest of the written turn cannot be
        played after `way`, or if the written reserve is wrong.
        """
        if not any(isinstance(action, Push | Use) for action in way.actions):
            if way.end.mover is not self.start.mover:
                raise self.reading.ended_error(way.end)
            reached = self.reading.play_written(way, written._replace(before=()))
            way = reached.way
            if way.end.mover is self.start.mover:
                for other in reached.ways:
                    yield from self.choice_texts(other, written)
                return
        else:
            way = way.then(PASS) if way.end.mover is self.start.mover else way
        self._check_reserve(way, written)
        yield self.way_text(way)

    def _pushes(self, way: Way) -> Iterator[str]:
        """Yield the text of the actions in `way` with a push added, for each possible push."""
        for act in distinct_acts(way.end):
            yield self.way_text(way.then(act))


class BareDot(NamedTuple):
    """A dot from which two pushes lead, and the kind of piece to push."""

    kind: Kind
    dot: str


def parse_bare_dot(text: str) -> BareDot | None:
    """Return the dot that a text consists of; None for a dot with one direction, and for any other text.

    Move numbers, marks, remarks and a reserve do not count.
    """
    found = _BARE_DOT.fullmatch(normalise_typed(text))
    if found is None or len(ENTRIES_BY_DOT.get(found[2], ())) < 2:
        return None
    letter = found[1].upper()
    return BareDot(Kind(letter), found[2]) if letter in (*Kind, *POWERS) else None


def bare_dot_pushes(position: Position, text: str, notation: Notation) -> tuple[Push, ...]:
    """Return the legal pushes from a typed dot with two directions, the vertical one first. Empty for any other text.

    Also empty for a reader of Julio974's `notation`, in which a dot names one push.
    """
    bare = None if notation is JULIO974 else parse_bare_dot(text)
    pushes = [Push(entry, bare.kind) for entry in ENTRIES_BY_DOT[bare.dot]] if bare else []
    return tuple(push for push in pushes if push in legal(position))
