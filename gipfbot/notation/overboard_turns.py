"""Read the turns of Overboard (notation.md section 3): a push or a pass, and a list for each row that loses pieces.

In records and tools the whole turn is read, with the opponent's answers. In play a turn stops before the first question
to the other player. The lists are the same in both notations.
"""

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import NamedTuple

from gipfbot.rules import PASS, PUSHES, Action, Colour, Kind, Position, Push, Remove, legal, play, removal_ways
from gipfbot.rules.geometry import bits

from .errors import IllegalTurn, OpenTurn
from .interpret import WHITE_TO_MOVE, TurnReading
from .julio974 import take_starred_push
from .normalise import Scanner, WrittenPush, WrittenRemoval, WrittenTurn, WrittenUse
from .notations import OFFICIAL, Notation
from .official import take_dashed_push, take_removal_list
from .overboard_lists import NONE_SIGN, PASS_WORD, is_row_over, overboard_text, split_rows
from .overboard_refusals import (
    check_pieces,
    refuse_answer,
    refuse_late_lists,
    refuse_lists,
    refuse_overboard_push,
    refuse_pass,
)
from .removal_steps import Way, join_ways, play_along

CHOICES_LISTED = 6
BARE = "In Overboard the pieces that go stand behind the x, such as xc2,d3."


def read_overboard(text: str, notation: Notation) -> WrittenTurn:
    """Split the text of a turn, or of the rest of a turn. Its lists are in `after`, whether or not a push is written.

    Raises ParseError with the offset of the first fault. Ignores blanks, the case of letters, and the kind of dash.
    Does not check legality, since the position is not known.
    """
    source = Scanner(text)
    if source.chars in (PASS_WORD, NONE_SIGN):
        word, exact = source.chars, source.typed[: len(source.chars)] == source.chars
        return source.finish((), None, ())._replace(word=word, exact=exact)
    act, warnings, lists, named = None, tuple[str, ...](), list[WrittenRemoval](), set[str]()
    if source.peek() != "x":
        act, warnings = take_starred_push(source) if notation is not OFFICIAL else (take_dashed_push(source), ())
    while not source.at_end:
        if (act or lists) and not source.take(";") and (notation is OFFICIAL or lists):
            raise source.expected_error("; before a removal, or the end of the turn")
        lists.append(_take_list(source, named))
    return source.finish((), act, lists, warnings)


def _take_list(source: Scanner, named: set[str]) -> WrittenRemoval:
    if not source.take("x"):
        raise source.expected_error("a removal such as xc2,d3 (a turn begins with its push)")
    found = take_removal_list(source, named)
    if not found.pieces:
        raise source.expected_error("the pieces that go", 1, BARE)
    return found


def parse_overboard(position: Position, text: str, notation: Notation) -> tuple[Action, ...]:
    """Return the actions of a whole turn of Overboard, with the opponent's answers, or of the rest of a turn.

    Raises ParseError or IllegalTurn. Raises OpenTurn, which lists the choices, if the text leaves a choice open.
    """
    written = read_overboard(text, notation)
    reading = _Rows(TurnReading(notation, text), position, None)
    if written.word == NONE_SIGN:
        raise reading.error("none", "R8.4", "The answer - is never part of a turn: leave it out.")
    way = reading.whole(reading.head(Way((), position), written), written.after)
    if way.end.mover is position.mover:
        raise reading.open_error(way)
    return way.actions


def read_overboard_part(
    reading: TurnReading, start: Position, done: Iterable[Action], written: WrittenTurn
) -> tuple[Action, ...]:
    """Return the actions that a typed text adds to an unfinished turn, up to the first open choice.

    The turn stops before the first question to the player who does not decide now. Raises IllegalTurn if the written
    turn is illegal, and if anything stands behind that question.
    """
    way = play_along(start, done)
    rows = _Rows(reading, start, way.end.decider)
    if way.end.decider is not way.end.mover:
        return rows.answer(way.end, written)
    if written.word == NONE_SIGN:
        raise rows.error("none", "R8.4", "- answers a question of the other player's turn: none is asked here.")
    if not way.actions:
        return rows.whole(rows.head(way, written), written.after).actions
    lists, taken = rows.remaining(way, written)
    for first in taken:
        found = rows.follow(way.end, lists, first)
        if found:
            return found.actions
    return rows.whole(Way((), way.end), lists, taken[0]).actions


class _Rows(NamedTuple):
    """The reading of one turn. In play, `author` is the player who has typed it; None if the whole turn is read."""

    reading: TurnReading
    start: Position
    author: Colour | None

    def error(self, code: str, rule: str, sentence: str, at: int | None = None) -> IllegalTurn:
        """Return an error about the text."""
        return IllegalTurn(code, rule, sentence, self.reading.text, at)

    def head(self, way: Way, written: WrittenTurn) -> Way:
        """Play the written push or pass, if any. Raises IllegalTurn if it is illegal or missing."""
        position = way.end
        if written.black and position.mover is Colour.WHITE:
            raise self.error("side", "R3.4", WHITE_TO_MOVE)
        if position.result:
            raise self.error("over", "R8.5", "The game is over: nothing more can be played.")
        if position.pushed:
            if written.push or written.word:
                raise self.error("done", "R3.5", "The push is already made: write what comes after it.")
            return way
        if written.word == PASS_WORD:
            if PASS not in legal(position):
                raise refuse_pass(position, self.reading.text)
            return way.then(PASS)
        if written.push is None:
            place = written.after[0].place if written.after else None
            raise self.error("no_push", "R8.3", "Rows are resolved after the push: write the push first.", place)
        return way.then(self._push(position, written.push))

    def _push(self, position: Position, act: WrittenPush | WrittenUse) -> Push:
        notation = self.reading.shown or self.reading.notation
        entries = () if isinstance(act, WrittenUse) else self.reading.notation.possible_entries(act)
        meant = [entry for entry in entries if isinstance(act, WrittenPush) and act.spot in (None, entry.spot)]
        push = PUSHES[meant[0].dot, meant[0].spot, Kind.BASIC] if meant else None
        if push and act.kind is Kind.BASIC and isinstance(act, WrittenPush) and act.dot and push in legal(position):
            return push
        raise refuse_overboard_push(position, act, entries, notation.push_text, self.reading.text)

    def remaining(self, way: Way, written: WrittenTurn) -> tuple[tuple[WrittenRemoval, ...], tuple[int, ...]]:
        """Return the lists that are not played yet, and what the row in work may have lost already, as bits.

        Raises IllegalTurn if the text contradicts what was played.
        """
        played = self.reading.shown or self.reading.notation
        already = overboard_text(self.start, way.actions, played)
        said = f"{already} is already made: write only what comes after it."
        pushed, lists = play(self.start, way.actions[0]), written.after
        rows = split_rows(pushed, way.actions[1:])
        begun = rows.pop() if rows and way.end.stage else 0
        if written.push or written.word:
            if self.head(Way((), self.start), written).actions != way.actions[:1]:
                raise self.error("done", "R3.5", said)
            for gone in filter(None, rows):
                if not lists or _spots(lists[0]) != gone:
                    raise self.error("done", "R3.5", said, lists[0].place if lists else None)
                lists = lists[1:]
        return lists, (begun, 0) if begun else (0,)

    def answer(self, position: Position, written: WrittenTurn) -> tuple[Action, ...]:
        """Return the answer of a player who is asked about their GIPF-pieces in the other player's turn (R8.4)."""
        named = [piece for removal in written.after for piece in removal.pieces]
        if written.push or written.word == PASS_WORD or not (named or written.word):
            sentence = f"{position.decider} is asked about GIPF-pieces: write xG and the spot of each, or - for none."
            raise self.error("asked", "R8.4", sentence)
        check_pieces(position, named, self.reading.text)
        for action in legal(position):
            if isinstance(action, Remove) and action.taken == bits(piece.spot for piece in named):
                return (action,)
        raise refuse_answer(position, named, self.reading.text)

    def whole(self, way: Way, lists: tuple[WrittenRemoval, ...], taken: int = 0) -> Way:
        """Return the way with what the lists say, and with all that leaves no choice after them.

        Raises IllegalTurn if the lists do not fit the rows.
        """
        if way.end.mover is not self.start.mover or self.author not in (None, way.end.decider):
            if lists:
                raise self._too_late(way.end, lists)
            return way
        check_pieces(way.end, [piece for removal in lists for piece in removal.pieces], self.reading.text)
        found = self.follow(way.end, lists, taken)
        if found is None:
            raise self._list_error(way.end, lists)
        return join_ways(way, found)

    def follow(self, position: Position, lists: tuple[WrittenRemoval, ...], taken: int) -> Way | None:
        """Return the way that the lists say, and all that leaves no choice after it. None if they fit no way.

        The row in work has lost the pieces `taken` (bits) before, which the first list may name.
        """
        sets = tuple(_spots(removal) for removal in lists)
        search = _ListSearch(self.author, position.mover)
        found = search.finished(position, sets, taken) or search.finished(position, sets, taken, joined=True)
        if found:
            return found
        begun = search.begun(position, sets, taken)
        return self._without_choice(begun) if begun else None

    def _without_choice(self, way: Way) -> Way:
        """Add the rest of the turn if there is only one board that it can lead to."""
        ends = removal_ways(way.end) if way.end.noted else {}
        if len(ends) != 1:
            return way
        (actions,) = ends.values()
        return Way((*way.actions, *actions), next(iter(ends)))

    def _too_late(self, position: Position, lists: tuple[WrittenRemoval, ...]) -> IllegalTurn:
        if position.mover is not self.start.mover:
            sentence = "The turn is over by then, with no row left: there is nothing to remove."
            return self.error("no_row", "R8.3", sentence, lists[0].place)
        return refuse_late_lists(position, lists, self.reading.text)

    def _list_error(self, position: Position, lists: tuple[WrittenRemoval, ...]) -> IllegalTurn:
        """Return why the lists fit no way. In play, they may only go on behind a question to the other player."""
        if self.author is not None:
            search = _ListSearch(None, position.mover)
            sets = tuple(_spots(removal) for removal in lists)
            asked = search.finished(position, sets, 0) or search.begun(position, sets, 0)
            for action in asked.actions if asked else ():
                if position.decider is not self.author:
                    return refuse_late_lists(position, lists, self.reading.text)
                position = play(position, action)
        return refuse_lists(position, lists, self.reading.text)

    def open_error(self, way: Way) -> OpenTurn:
        """Return the error that lists turns which go on from this way."""
        ends = islice(removal_ways(way.end).values(), CHOICES_LISTED + 1)
        texts = [overboard_text(self.start, (*way.actions, *rest), self.reading.notation) for rest in ends]
        return OpenTurn(sorted(texts[:CHOICES_LISTED]), self.reading.text, more=len(texts) > CHOICES_LISTED)


def _spots(removal: WrittenRemoval) -> int:
    return bits(piece.spot for piece in removal.pieces)


class _ListSearch:
    """A search for a way through the rows that takes what some lists say, given as sets of spots (bits).

    With an author, it stops before the first question to the other player.
    """

    def __init__(self, author: Colour | None, mover: Colour) -> None:
        self.author, self.mover = author, mover

    def finished(self, here: Position, lists: tuple[int, ...], taken: int, *, joined: bool = False) -> Way | None:
        """Return a way to the end of the turn that takes all lists. None if there is none.

        Each list belongs to one row, or with `joined` to any number of them, one after another.
        """
        return next(self._ends(Way((), here), lists, taken, joined, set()), None)

    def _ends(
        self, way: Way, lists: tuple[int, ...], taken: int, joined: bool, seen: set[tuple[Position, int, int]]
    ) -> Iterator[Way]:
        here, left = way.end, len(lists)
        if here.mover is not self.mover or (self.author is not None and here.decider is not self.author):
            if not left or (left == 1 and taken == lists[0] and here.mover is self.mover):
                yield way
            return
        if (here, left, taken) in seen:
            return
        seen.add((here, left, taken))
        for after, rest, row in self._steps(way, lists, taken, joined=joined):
            yield from self._ends(after, rest, row, joined, seen)

    def _steps(
        self, way: Way, lists: tuple[int, ...], taken: int, *, joined: bool
    ) -> Iterator[tuple[Way, tuple[int, ...], int]]:
        """Yield each further way that the lists allow, with the lists that are left and what the row has lost."""
        wanted = lists[0] if lists else 0
        for action in legal(way.end):
            if not isinstance(action, Remove) or (row := taken | action.taken) & ~wanted:
                continue
            after = way.then(action)
            if not is_row_over(after.end, self.mover):
                yield after, lists, row
            elif not row:
                yield after, lists, 0
            elif row == wanted:
                yield after, lists[1:], 0
            elif joined:
                yield after, (wanted & ~row, *lists[1:]), 0

    def begun(self, here: Position, lists: tuple[int, ...], taken: int) -> Way | None:
        """Return the shortest way that takes all lists, one for each row, to where the next row is chosen."""
        going: list[tuple[Way, tuple[int, ...], int]] = [(Way((), here), lists, taken)]
        while going:
            for way, left, row in going:
                if not left and not row:
                    return way
            on = [(way, left, row) for way, left, row in going if self._goes_on(way)]
            going = [step for way, left, row in on for step in self._steps(way, left, row, joined=False)]
        return None

    def _goes_on(self, way: Way) -> bool:
        return way.end.mover is self.mover and self.author in (None, way.end.decider)
