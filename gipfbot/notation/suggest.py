"""Suggest legal turns that resemble a text which cannot be read or played.

First, the code guesses from the text, in any notation, the points of the push (dots or spots) and the removed pieces.
Then it compares possible turns with that guess. After each action it follows only the likeliest turns, so a crowded
position takes little longer than a simple one.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from heapq import nsmallest
from itertools import islice
from math import inf
from typing import NamedTuple

from gipfbot.rules import PASS, Act, Action, Colour, Kind, Position, Push, Remove, Row, Use, legal, open_rows
from gipfbot.rules.changes import furthest_spot
from gipfbot.rules.engine import can_go_on
from gipfbot.rules.geometry import BIT, LINES, bits, each_bit
from gipfbot.rules.powers import POWERS

from .courses import other_course
from .errors import NotationError
from .normalise import normalise_typed
from .notations import OFFICIAL, Notation, needs_star
from .removal_steps import Way, play_along
from .turns import TurnReading, turn_text

LONGEST_LOOKED_AT = 80  # characters; the rest of the text is ignored
PUSH_COMPARED = 20  # most characters of the written push that are compared
WAYS_KEPT = 4  # likeliest sequences of removals that are kept after each removal
TAKINGS_TRIED = 4  # sets of GIPF-pieces tried for each row
PUSHES_FOLLOWED = 12  # likeliest pushes that are followed to the end of the turn
FAR, FARTHEST = 2.5, 6.2  # most cost of a suggested turn: above the cheapest one, and in all

# The cost of each difference between the text and a turn. One slip costs 1: a number wrong by one, or a GIPF-piece
# wrongly taken or kept. Frequent slips cost less, rare ones more. The values were tuned on slips that players make
# (tests/data/slips.txt).
OTHER_KIND = 1.5  # the wrong kind of piece; more than a wrong number, so the right kind on a nearby spot wins
OTHER_WAY = 1  # the other direction of the same dot
SPOT_FOR_DOT = 1  # the first spot of the push is written instead of its dot
SECOND_WAY = 0.5  # added to SPOT_FOR_DOT for the second direction of a dot, which is less likely
OTHER_FURTHEST = 1  # the written furthest spot is another one on the line
OTHER_LINE = 2  # the second point is on another line
OTHER_PLACE = 3  # neither the dot nor the spot is written; the distance between the names is added
SECOND_DOT = 0.2  # like SECOND_WAY, added to OTHER_PLACE; small, so that the names decide first
LETTER, NUMBER = 1.2, 1  # for each step between two letters or numbers; numbers are mistaken more easily
OTHER_ACT = 2  # a push is written for a use, or the other way round
NO_SIGN = 0.5  # a use is written without its >
NO_TARGET = 0.5  # a use is written without the spot that the potential jumps to
OTHER_SPOT = 1  # the loaded piece stands elsewhere; the distance between the names is added
OTHER_PUT = 0.5  # another number of basic pieces is put down
NO_POINT = 5  # the text contains no point; the edit distance is added
SPELLING = 10  # edits that together cost 1; they decide only between pushes of equal cost
NO_PUSH = 3  # a push is written, but the removal before it ends the game
NO_REMOVAL = 1.2  # a removal is written, but the turn has none; more than a wrong number, so a nearby row wins
UNWRITTEN = 0.5  # the turn has a removal, but none is written; the most common slip
LEFT, LEFT_AT_MOST = 1 / 2, 1.5  # each spot named but not removed, and their maximum, since a whole row may be wrong
OTHER_TAKING = 1  # each GIPF-piece wrongly taken or kept
UNNAMED = 20  # spots missing in a list that together cost 1; they decide only between rows
OTHER_ROW = 0.5  # the code of another row is written
OTHER_STEP = 0.1  # the removal is written on the other side of the push; decides only between turns of equal cost
_TURN_NUMBER = re.compile(r"^[0-9]+[.…]+")
_FOR_1 = re.compile(r"(?<=[a-h])[il|](?![0-9a-wyz])")
_FAR_NUMBER = re.compile(r"([a-i])([1-9])-([1-9])(?![a-i])")  # e1-3
_POINT = re.compile(r"g?([1-9])([a-i])(?![0-9])|([a-wyz])([0-9])")  # the letter may also follow the number
_LETTER = re.compile(r"[a-z](?=[a-i][1-9]|[1-9][a-i])")
_JUMP = re.compile(r"[>→]")
_PUT = re.compile(r"\+([12])")
_CODE = re.compile(r"x([b-h](?![1-9])|[1-8](?![a-i](?![0-9])))(\*?)")
_PUSH_AT_END = re.compile(r"[, ;]*(g?[a-i][1-9]\*?(?:-g?[a-i][1-9])?)$")


def suggest_turns(
    position: Position,
    done: Sequence[Action],
    text: str,
    notation: Notation = OFFICIAL,
    limit: int = 3,
    *,
    far: bool = False,
    in_play: bool = False,
) -> list[str]:
    """Return at most `limit` legal turns that resemble a text, in canonical form, the likeliest first.

    The turns are complete. They begin with the actions `done`, which were played from `position`. If the text itself
    means a turn, that turn is left out. Turns unlike the text, or much less likely than the first, are left out too,
    unless `far` is true. In a crowded position only some turns are tried. Never raises, whatever the text is. Does not
    check that `done` is legal. With `in_play`, a turn of Overboard stops before the first question to the other player.
    """
    way = play_along(position, done)
    if way.end.result or way.end.mover is not position.mover:
        return []
    if other := other_course(position):
        if not (done or far or _names_something(text)):
            return []
        looked_at = text[:LONGEST_LOOKED_AT]
        return [*islice(other.resembling_turns(position, done, looked_at, notation, _edit_distance, in_play), limit)]
    own, found = _end_of_text(way.end, text, notation), dict[str, None]()
    likely = sorted(_likely_turns(way, _guess_meaning(text), notation, limit), key=lambda turn: turn.cost)
    most = inf if far or not likely else min(FARTHEST, likely[0].cost + FAR)
    for cost, whole in likely:
        if len(found) == limit or cost > most:
            break
        if whole.end != own and (written := turn_text(position, whole.actions, notation)):
            found[written] = None
    return [*found]


def _names_something(text: str) -> bool:
    """Return whether a text may mean a turn: it has a number, as the name of any point, or a removal."""
    return any(sign.isdigit() for sign in text) or _guess_meaning(text).removes


def _end_of_text(position: Position, text: str, notation: Notation) -> Position | None:
    """Return the position after the turn in `text`. None if `text` is not a complete legal turn."""
    reading = TurnReading(notation, text, keep=notation.keeps_unwritten)
    try:
        end = reading.play_whole(position, notation.read(text)).way.end
    except NotationError:
        return None
    return end if end.mover is not position.mover else None


# ── Guessing what the text means ──


class _Guess(NamedTuple):
    """A guess at the meaning of a text.

    `spelt` is the text of the push. `points` holds the dots and spots in that text, at most two. `named` holds the
    removed spots as bits. `codes` holds row codes. `first` says that a removal comes before the push. `removes` says
    that there is a removal at all.
    """

    spelt: str
    points: tuple[str, ...]
    named: int
    codes: tuple[str, ...]
    first: bool
    removes: bool

    @property
    def kind(self) -> Kind:
        """The kind of piece that is pushed, or whose potential is used."""
        letter = _LETTER.match(self.spelt)
        return Kind(letter[0].upper()) if letter and letter[0].upper() in (Kind.GIPF, *POWERS) else Kind.BASIC

    @property
    def star(self) -> bool:
        """Whether the text marks the second direction of a dot."""
        return "*" in self.spelt


def _guess_meaning(text: str) -> _Guess:
    parts = [part for part in re.split(r";|(?=x)", _mend_typos(text)) if part]
    push = next((part for part in parts if part[0] != "x" and not _is_removal_list(part)), "")
    if not push and parts and (last := _PUSH_AT_END.search(parts[-1])):
        push = last[1]
        parts[-1:] = [parts[-1][: last.start()], push]
    lists = [part for part in parts if part != push]
    points, named = _find_points(push)[:2], [point for part in lists for point in _find_points(part)]
    if "-" not in push and not _JUMP.search(push):
        named += points[1:]
    codes = ["".join(found) for part in lists for found in _CODE.findall(part)]
    return _Guess(push, points, _spot_bits(named), tuple(codes), bool(push) and parts[0] != push, bool(lists))


def _mend_typos(text: str) -> str:
    """Return a text in plain characters, without a turn number in front, and with the most common typos corrected."""
    return _FAR_NUMBER.sub(
        r"\1\2-\1\3", _FOR_1.sub("1", _TURN_NUMBER.sub("", normalise_typed(text)[:LONGEST_LOOKED_AT]))
    )


def _is_removal_list(part: str) -> bool:
    return "," in part and len(_find_points(part)) > 2


def _find_points(part: str) -> tuple[str, ...]:
    return tuple((column or second) + (number or first) for first, second, column, number in _POINT.findall(part))


def _spot_bits(points: Iterable[str]) -> int:
    return bits({point for point in points if point in BIT})


# ── Continuations ──


class _Weighed(NamedTuple):
    """The actions of a turn so far, and their cost. The less they resemble the text, the higher the cost."""

    cost: float
    way: Way


def _likely_turns(way: Way, guess: _Guess, notation: Notation, limit: int) -> Iterator[_Weighed]:
    """Yield some complete turns that begin with `way`, with their costs. The likeliest turns are among them."""
    if way.end.pushed:
        guess = guess if guess.removes else guess._replace(named=_spot_bits(guess.points))
        yield from _finish_turns(_Weighed(0, way), guess)
        return
    pushed: dict[tuple[str, Position], _Weighed] = {}
    for before in _likely_steps(_Weighed(0, way), guess):
        if before.way.end.mover is not way.end.mover:
            unlike = NO_PUSH if guess.points else 0 if guess.removes else FARTHEST  # a text that names nothing
            yield before._replace(cost=before.cost + unlike)
            continue
        for cost, text, push in _weighed_pushes(before.way.end, guess, notation):
            known = pushed.get((text, before.way.end))
            if known is None or before.cost + cost < known.cost:
                pushed[text, before.way.end] = _Weighed(before.cost + cost, before.way.then(push))
    for one in nsmallest(max(PUSHES_FOLLOWED, limit), pushed.values(), key=lambda one: one.cost):
        yield from _finish_turns(one, guess)


def _finish_turns(begun: _Weighed, guess: _Guess) -> Iterator[_Weighed]:
    """Yield likely complete turns that continue `begun`, with their costs. `begun` already contains the push."""
    for cost, way in _likely_steps(begun, guess) if begun.way.end.pushed else [begun]:
        whole = way.then(PASS) if way.end.pushed else way
        yield _Weighed(cost + _removal_cost(whole, guess), whole)


def _removal_cost(whole: Way, guess: _Guess) -> float:
    """Return the cost of the differences between the removals of a turn and the removals guessed from the text."""
    removals = [action for action in whole.actions if isinstance(action, Remove)]
    left = guess.named
    for removal in removals:
        left &= ~removal.taken
    unlike = NO_REMOVAL * (guess.removes and not removals) + UNWRITTEN * (bool(removals) and not guess.removes)
    return unlike + min(LEFT_AT_MOST, LEFT * left.bit_count())


def _likely_steps(begun: _Weighed, guess: _Guess) -> list[_Weighed]:
    """Return the likeliest ways to continue `begun` with the removals before or after the push, with their costs.

    If there is no row, return only `begun`.
    """
    mover, over, going = begun.way.end.mover, list[_Weighed](), [begun]
    while going:
        further: dict[Position, _Weighed] = {}
        for one in going:
            rows = open_rows(one.way.end) if one.way.end.mover is mover else ()
            if _may_stop(one.way.end, mover, rows):
                over.append(one)
                rows = tuple(row for row in rows if row.may & guess.named)
            for more in _next_removals(one, rows, guess):
                further.setdefault(more.way.end, more)
        going = nsmallest(WAYS_KEPT, further.values(), key=lambda one: one.cost)
    return nsmallest(WAYS_KEPT, over, key=lambda one: one.cost)


def _may_stop(position: Position, mover: Colour, rows: Sequence[Row]) -> bool:
    """Return whether the removals before or after the push may end here.

    True if the turn is over. Also true if no row is due (R4.7), unless the player must push next with an empty reserve
    (R6.1).
    """
    if position.mover is not mover:
        return True
    return not any(row.due for row in rows) and (position.pushed or can_go_on(position))


def _next_removals(begun: _Weighed, rows: Iterable[Row], guess: _Guess) -> Iterator[_Weighed]:
    misplaced = OTHER_STEP * (begun.way.end.pushed is guess.first)
    for row in rows:
        for taken in _candidate_takings(row, guess.named):
            if (row.must or taken) and (not row.loss or (row.must | taken) & row.loss):
                cost = begun.cost + misplaced + _row_cost(row, taken, guess)
                yield _Weighed(cost, begun.way.then(Remove(row.line.number, row.must | taken)))


def _candidate_takings(row: Row, named: int) -> list[int]:
    """Return some sets of GIPF-pieces (bits) that may be taken with a row.

    The sets are the named pieces, no pieces, and the named pieces with one piece added or left out.
    """
    named &= row.may
    return list(dict.fromkeys([named, 0, *(named ^ bit for bit in each_bit(row.may))]))[:TAKINGS_TRIED]


def _row_cost(row: Row, taken: int, guess: _Guess) -> float:
    otherwise = OTHER_TAKING * (taken ^ row.may & guess.named).bit_count()
    unnamed = (row.must & ~guess.named).bit_count() / UNNAMED if guess.named else 0
    return otherwise + unnamed + OTHER_ROW * (bool(guess.codes) and row.line.code not in guess.codes)


# ── Pushes ──


def _weighed_pushes(position: Position, guess: _Guess, notation: Notation) -> Iterator[tuple[float, str, Act]]:
    """Yield each legal push or use with its cost and its text, as (cost, text, push).

    A push to a vacant spot is yielded once for each dot.
    """
    for push in legal(position):
        if isinstance(push, Push | Use):
            text = notation.act_text(position, push)
            spelling = _edit_distance(guess.spelt[:PUSH_COMPARED], text.lower())
            meaning = _meaning_cost(position, push, guess) if guess.points else NO_POINT + spelling
            yield meaning + spelling / SPELLING, text, push


def _meaning_cost(position: Position, act: Act, guess: _Guess) -> float:
    other_kind = OTHER_KIND * (guess.kind is not act.kind)
    if isinstance(act, Use):
        return other_kind + _use_cost(act, guess)
    return other_kind + _points_cost(position, act, guess) + OTHER_ACT * bool(_JUMP.search(guess.spelt))


def _use_cost(use: Use, guess: _Guess) -> float:
    """Return the cost of the differences between the use of a potential and the points guessed from the text."""
    first, target = guess.points[0], guess.points[1] if len(guess.points) > 1 else None
    other_spot = OTHER_SPOT * (first != use.spot) + _name_distance(first, use.spot)
    other_target = NO_TARGET if target is None else _name_distance(target, use.target)
    put = _PUT.search(guess.spelt)
    other_put = OTHER_PUT * bool(put and int(put[1]) != use.put)
    unsaid = 0 if _JUMP.search(guess.spelt) else NO_SIGN if target == use.target else OTHER_ACT
    return other_spot + other_target + other_put + unsaid


def _points_cost(position: Position, push: Push, guess: _Guess) -> float:
    first, furthest = guess.points[0], furthest_spot(position, push)
    second = guess.points[1] if len(guess.points) > 1 else None
    star = needs_star(push.entry)
    if first == push.dot:
        return _second_point_cost(push, second, furthest) if second else OTHER_WAY * (guess.star is not star)
    if first != push.spot:
        return OTHER_PLACE + min(_name_distance(first, push.spot), _name_distance(first, push.dot) + SECOND_DOT * star)
    if furthest == push.spot:
        return 0
    return SPOT_FOR_DOT + SECOND_WAY * star + OTHER_FURTHEST * (second not in (None, furthest))


def _second_point_cost(push: Push, second: str, furthest: str) -> int:
    if second == furthest:
        return 0
    return OTHER_FURTHEST if second in LINES[push.entry.line].spots else OTHER_LINE


def _name_distance(point: str, other: str) -> float:
    """Return a cost for the difference between the names of two points (dots or spots)."""
    return LETTER * abs(ord(point[0]) - ord(other[0])) + NUMBER * abs(int(point[1]) - int(other[1]))


def _edit_distance(text: str, other: str) -> int:
    """Return the least number of characters to insert, delete or replace to turn one text into the other."""
    row = list(range(len(other) + 1))
    for number, char in enumerate(text, 1):
        corner, row[0] = row[0], number
        for at, against in enumerate(other, 1):
            corner, row[at] = row[at], min(row[at] + 1, row[at - 1] + 1, corner + (char != against))
    return row[-1]
