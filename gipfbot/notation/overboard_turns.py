"""Write and read the turns of Overboard (notation.md section 3): a push or a pass, and a list for each row.

A list holds all pieces that leave the board with one row (R8.3). A row from which nothing is taken has no list. The
lists are the same in both notations.

In records and tools the whole turn is read, with the opponent's answers. In play a turn stops before the first question
to the other player.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from gipfbot.rules import (
    PASS,
    PUSHES,
    Action,
    Colour,
    Kind,
    Position,
    Push,
    Remove,
    legal,
    play,
    removal_ways,
)
from gipfbot.rules.geometry import BIT, bits, names
from gipfbot.rules.position import kind_at
from gipfbot.rules.sentences import Sentence

from .errors import CHOICES_LISTED, IllegalTurn, OpenTurn
from .normalise import NONE_SIGN, Scanner, WrittenPush, WrittenRemoval, WrittenTurn, WrittenUse
from .notations import OFFICIAL, Notation, take_starred_push
from .overboard_refusals import check_pieces, refuse_answer, refuse_late_lists, refuse_lists, refuse_pass, refuse_push
from .refusals import (
    GAME_OVER,
    WHITE_TO_MOVE,
    only_pass_sentence,
    open_now_sentence,
)
from .removal_steps import Way, join_ways, play_along

PASS_WORD = "pass"
JOINT = ";"
BARE = Sentence("In Overboard the pieces that go stand behind the x, such as xc2,d3.")


# ── Writing ──


def overboard_text(position: Position, actions: Iterable[Action], notation: Notation, *, played: bool = False) -> str:
    """Return the canonical text of a turn of Overboard, or of its first part. Does not check that it is legal.

    If several orders of rows lead to the same position, the text that sorts first by code point is written, or with
    `played` the order that was played.
    """
    actions = tuple(actions)
    texts, begun, rest = list[str](), position, actions
    if actions and not isinstance(actions[0], Remove):
        texts.append(_head_text(position, actions[0], notation))
        begun, rest = play(position, actions[0]), actions[1:]
    if rest:
        lists = [_list_text(begun, taken) for taken in _split_rows(begun, rest)]
        texts.append(JOINT.join(filter(None, lists)) if played else _first_text(begun, rest))
    return JOINT.join(filter(None, texts))


def _head_text(position: Position, action: Action, notation: Notation) -> str:
    return notation.push_text(position, action) if isinstance(action, Push) else PASS_WORD


def _first_text(begun: Position, removals: Sequence[Action]) -> str:
    """Return the text that sorts first among all ways that lead to the same position as these removals."""
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
            return _list_text(self.begun, taken)
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
            over = _is_row_over(after, here.mover)
            rest = self.first(after, 0 if over else row)
            if rest is not None:
                yield JOINT.join(filter(None, (_list_text(self.begun, row), rest))) if over else rest


def _list_text(position: Position, taken: int) -> str:
    """Return a list of the pieces on these spots (bits). `*` marks those that are not the mover's. Empty without any.

    The pieces must still stand in `position`.
    """
    own = position.owned[position.mover]
    pieces = (f"{kind_at(position, BIT[spot])}{spot}{'' if own & BIT[spot] else '*'}" for spot in names(taken))
    return f"x{','.join(pieces)}" if taken else ""


def _is_row_over(position: Position, mover: object) -> bool:
    """Return whether a row has just been resolved. `mover` is the player whose turn it is."""
    return position.stage is None or position.mover is not mover


def _split_rows(position: Position, actions: Iterable[Action]) -> list[int]:
    """Return what each row loses in these removals, as bits. The last row may be unfinished."""
    rows, mover, going = list[int](), position.mover, False
    for action in actions:
        if isinstance(action, Remove):
            if going:
                rows[-1] |= action.taken
            else:
                rows.append(action.taken)
        position = play(position, action)
        going = isinstance(action, Remove) and not _is_row_over(position, mover)
    return rows


# ── Reading ──


def read_overboard(text: str, notation: Notation) -> WrittenTurn:
    """Split the text of a turn, or of the rest of a turn. Its lists are in `after`, whether or not a push is written.

    Raises ParseError with the offset of the first fault. Ignores blanks, the case of letters, and the kind of dash.
    Does not check legality, since the position is not known.
    """
    source = Scanner(text)
    if source.chars in (PASS_WORD, NONE_SIGN):
        word, exact = source.chars, source.typed[: len(source.chars)] == source.chars
        return source.finish((), None, ())._replace(word=word, exact=exact)
    act, warnings, lists, named = None, tuple[Sentence, ...](), list[WrittenRemoval](), set[str]()
    if source.peek() != "x":
        act, warnings = take_starred_push(source) if notation is not OFFICIAL else (source.take_dashed_push(), ())
    while not source.at_end:
        if (act or lists) and not source.take(";") and (notation is OFFICIAL or lists):
            raise source.expected_error(Sentence("; before a removal, or the end of the turn"))
        lists.append(_take_list(source, named))
    return source.finish((), act, lists, warnings)


def _take_list(source: Scanner, named: set[str]) -> WrittenRemoval:
    if not source.take("x"):
        raise source.expected_error(Sentence("a removal such as xc2,d3 (a turn begins with its push)"))
    found = source.take_removal_list(named)
    if not found.pieces:
        raise source.expected_error(Sentence("the pieces that go"), 1, BARE)
    return found


def parse_overboard(position: Position, written: WrittenTurn, text: str, notation: Notation) -> tuple[Action, ...]:
    """Return the actions of a whole turn of Overboard, with the opponent's answers, or of the rest of a turn.

    `text` was read as `written`. Raises IllegalTurn. Raises OpenTurn, which lists the choices, if the text leaves a
    choice open.
    """
    reading = _Rows(text, notation, notation, position, None)
    if written.word == NONE_SIGN:
        raise reading.error("none", "R8.4", Sentence("The answer - is never part of a turn: leave it out."))
    way = reading.whole(reading.head(Way((), position), written), written.after)
    if way.end.mover is position.mover:
        raise reading.open_error(way)
    return way.actions


def parse_overboard_part(
    start: Position, done: Iterable[Action], written: WrittenTurn, text: str, notation: Notation, shown: Notation
) -> tuple[Action, ...]:
    """Return the actions that a typed text adds to an unfinished turn, up to the first open choice.

    `text` was read as `written` in `notation`; errors write turns in the notation `shown`. The turn stops before the
    first question to the player who does not decide now. Raises IllegalTurn if the written turn is illegal, or if it
    goes on after that question.
    """
    way = play_along(start, done)
    rows = _Rows(text, notation, shown, start, way.end.decider)
    if way.end.decider is not way.end.mover:
        return rows.answer(way.end, written)
    if written.word == NONE_SIGN:
        return rows.none_of(way.end)
    if not way.actions:
        return rows.whole(rows.head(way, written), written.after).actions
    lists, taken = rows.remaining(way, written)
    for first in taken:
        found = rows.follow(way.end, lists, first)
        if found:
            return found.actions
    return rows.whole(Way((), way.end), lists, taken[0]).actions


class _Rows(NamedTuple):
    """The reading of one turn from a text in `notation`. Errors write turns in the notation `shown`.

    In play, `author` is the player who has typed the text; None if the whole turn is read.
    """

    text: str
    notation: Notation
    shown: Notation
    start: Position
    author: Colour | None

    def error(
        self, code: str, rule: str, sentences: Sentence | Sequence[Sentence], at: int | None = None
    ) -> IllegalTurn:
        """Return an error about the text."""
        return IllegalTurn(code, rule, sentences, self.text, at)

    def head(self, way: Way, written: WrittenTurn) -> Way:
        """Play the written push or pass, if any. Raises IllegalTurn if it is illegal or missing."""
        position = way.end
        if written.black and position.mover is Colour.WHITE:
            raise self.error("side", "R3.4", WHITE_TO_MOVE)
        if position.result:
            raise self.error("over", "R8.5", GAME_OVER)
        if position.pushed:
            if written.push or written.word:
                made = Sentence("The push is already made.")
                raise self.error("done", "R3.5", [made, open_now_sentence(position)])
            return way
        if written.word == PASS_WORD:
            if PASS not in legal(position):
                raise refuse_pass(position, self.text)
            return way.then(PASS)
        if written.push is None:
            place = written.after[0].place if written.after else None
            if not position.reserve[position.mover]:
                raise self.error("reserve", "R8.5", only_pass_sentence(position.mover), place)
            push_first = Sentence("Rows are resolved after the push: write the push first.")
            raise self.error("no_push", "R8.3", push_first, place)
        return way.then(self._push(position, written.push))

    def _push(self, position: Position, act: WrittenPush | WrittenUse) -> Push:
        entries = () if isinstance(act, WrittenUse) else self.notation.possible_entries(act)
        meant = [entry for entry in entries if isinstance(act, WrittenPush) and act.spot in (None, entry.spot)]
        push = PUSHES[meant[0].dot, meant[0].spot, Kind.BASIC] if meant else None
        if push and act.kind is Kind.BASIC and isinstance(act, WrittenPush) and act.dot and push in legal(position):
            return push
        raise refuse_push(position, act, entries, self.shown.push_text, self.text)

    def remaining(self, way: Way, written: WrittenTurn) -> tuple[tuple[WrittenRemoval, ...], tuple[int, ...]]:
        """Return the lists that are not played yet, and the spots (bits) that the row in work may have lost already.

        Raises IllegalTurn if the text contradicts what was played.
        """
        already = overboard_text(self.start, way.actions, self.shown)
        said = [Sentence("{turn} is already played.", turn=already), open_now_sentence(way.end)]
        pushed, lists = play(self.start, way.actions[0]), written.after
        rows = _split_rows(pushed, way.actions[1:])
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
            raise self.error("asked", "R8.4", open_now_sentence(position))
        check_pieces(position, named, self.text)
        for action in legal(position):
            if isinstance(action, Remove) and action.taken == bits(piece.spot for piece in named):
                return (action,)
        raise refuse_answer(position, named, self.text)

    def none_of(self, position: Position) -> tuple[Action, ...]:
        """Return the actions of a mover who takes none of what they are asked about: ends of a row, and GIPF-pieces."""
        found, here = Way((), position), position
        while here.stage and here.decider is self.author:
            kept = next(action for action in legal(here) if isinstance(action, Remove) and not action.taken)
            found = found.then(kept)
            here = found.end
        if not found.actions:
            means = Sentence("{sign} means “none”.", sign=NONE_SIGN)
            raise self.error("none", "R8.3", [means, open_now_sentence(position)])
        return found.actions

    def whole(self, way: Way, lists: tuple[WrittenRemoval, ...], taken: int = 0) -> Way:
        """Return the way after the actions in the lists, and after all later actions that leave no choice.

        Raises IllegalTurn if the lists do not fit the rows.
        """
        if way.end.mover is not self.start.mover or self.author not in (None, way.end.decider):
            if lists:
                raise self._too_late(way.end, lists)
            return way
        check_pieces(way.end, [piece for removal in lists for piece in removal.pieces], self.text)
        found = self.follow(way.end, lists, taken)
        if found is None:
            raise self._list_error(way.end, lists)
        return join_ways(way, found)

    def follow(self, position: Position, lists: tuple[WrittenRemoval, ...], taken: int) -> Way | None:
        """Return the way that the lists describe, with all later actions that leave no choice. None if they fit no way.

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
        """Add the rest of the turn if it can lead to only one board."""
        ends = removal_ways(way.end) if way.end.noted else {}
        if len(ends) != 1:
            return way
        (actions,) = ends.values()
        return Way((*way.actions, *actions), next(iter(ends)))

    def _too_late(self, position: Position, lists: tuple[WrittenRemoval, ...]) -> IllegalTurn:
        if position.mover is not self.start.mover:
            sentence = Sentence("The turn is over by then, with no row left: there is nothing to remove.")
            return self.error("no_row", "R8.3", sentence, lists[0].place)
        return refuse_late_lists(position, lists, self.text)

    def _list_error(self, position: Position, lists: tuple[WrittenRemoval, ...]) -> IllegalTurn:
        """Return why the lists fit no way. In play, they may not go on after a question to the other player."""
        if self.author is not None:
            search = _ListSearch(None, position.mover)
            sets = tuple(_spots(removal) for removal in lists)
            asked = search.finished(position, sets, 0) or search.begun(position, sets, 0)
            for action in asked.actions if asked else ():
                if position.decider is not self.author:
                    return refuse_late_lists(position, lists, self.text)
                position = play(position, action)
        return refuse_lists(position, lists, self.text)

    def open_error(self, way: Way) -> OpenTurn:
        """Return the error that lists turns which go on from this way."""
        ends = islice(removal_ways(way.end).values(), CHOICES_LISTED + 1)
        texts = [overboard_text(self.start, (*way.actions, *rest), self.notation) for rest in ends]
        return OpenTurn(sorted(texts[:CHOICES_LISTED]), self.text, more=len(texts) > CHOICES_LISTED)


def _spots(removal: WrittenRemoval) -> int:
    return bits(piece.spot for piece in removal.pieces)


class _ListSearch:
    """A search for a way through the rows that takes the pieces in some lists, given as sets of spots (bits).

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
        """Yield each longer way that the lists allow, with the lists that are left and the spots lost by the row."""
        wanted = lists[0] if lists else 0
        for action in legal(way.end):
            if not isinstance(action, Remove) or (row := taken | action.taken) & ~wanted:
                continue
            after = way.then(action)
            if not _is_row_over(after.end, self.mover):
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
