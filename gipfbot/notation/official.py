"""Official notation as text (notation.md section 1): how one action is written, and what a text says.

Knows the grammar and how actions are spelt in a position, but not what is legal: `reading` does.
"""

import re
from typing import NamedTuple

from gipfbot.rules import Action, Kind, Position, Push, Remove
from gipfbot.rules.events import moves
from gipfbot.rules.geometry import BIT, DOTS, SPOTS
from gipfbot.rules.position import kind_at

from .errors import ParseError


class Named(NamedTuple):
    """A piece in a removal list."""

    spot: str
    gipf: bool
    star: bool
    at: int


class Removal(NamedTuple):
    """A removal list; without pieces it is a bare `x`."""

    pieces: tuple[Named, ...]
    at: int


class Act(NamedTuple):
    """A push: with a dot the second point is the spot of the furthest piece moved, without one it is vacant."""

    kind: Kind
    dot: str | None
    spot: str
    at: int


class Written(NamedTuple):
    """A turn, or the remaining part of one, as written."""

    before: tuple[Removal, ...]
    act: Act | None
    after: tuple[Removal, ...]
    reserve: int | None


def push_text(position: Position, push: Push) -> str:
    """Return how a legal push is written here: the spot if it is vacant, else dot-furthest spot."""
    if not (position.owned[0] | position.owned[1]) & push.entry.first:
        return f"{push.kind}{push.spot}"
    return f"{push.kind}{push.dot}-{moves(position, push)[0][1]}"


def removal_text(position: Position, remove: Remove) -> str:
    """Return the removal list of one row, from the line's left end; `*` marks a captured piece."""
    own = position.owned[position.mover]
    return "x" + ",".join(
        f"{kind_at(position, BIT[spot])}{spot}{'' if own & BIT[spot] else '*'}" for spot in remove.spots
    )


def action_text(position: Position, action: Action) -> str:
    """Return how one action is written in the position it is played in; a Pass is written as nothing."""
    if isinstance(action, Push):
        return push_text(position, action)
    return removal_text(position, action) if isinstance(action, Remove) else ""


_POINT = re.compile("[a-i][1-9]")
_POINTS = {*DOTS, *SPOTS}
_RESERVE = re.compile(r"\(([0-9]{1,2})\)$")


class _Text:
    """The characters of a typed turn without the blanks, each knowing its place in the original."""

    def __init__(self, text: str) -> None:
        self.original = text
        self.places = [at for at, char in enumerate(text) if not char.isspace()]
        self.chars = "".join(_folded(text[at]) for at in self.places)
        self.next = 0

    def place(self, index: int) -> int:
        return self.places[index] if index < len(self.places) else len(self.original)

    def fail(self, expected: str, index: int | None = None) -> ParseError:
        return ParseError(expected, self.original, self.place(self.next if index is None else index))

    def take(self, char: str) -> bool:
        found = self.chars.startswith(char, self.next)
        self.next += found
        return found

    def point(self, expected: str) -> str:
        found = _POINT.match(self.chars, self.next)
        if not found:
            raise self.fail(expected)
        if found.group() not in _POINTS:
            raise self.fail(f"{expected} ({found.group()} is not on the board)")
        self.next = found.end()
        return found.group()

    def spot(self, expected: str) -> str:
        start, point = self.next, self.point(expected)
        if point in DOTS:
            raise self.fail(f"{expected} ({point} is a dot)", start)
        return point

    def gipf(self) -> bool:
        """Take a G where a letter follows: a g before a digit is the column."""
        return self.chars[self.next + 1 : self.next + 2] in _COLUMNS and self.take("g")


_COLUMNS = {*"abcdefghi"}


def _folded(char: str) -> str:
    """Return a character with its case and the kind of dash forgiven, always as one character."""
    return "-" if char == "–" else char.lower() if char.isascii() else char


def read(text: str) -> Written:
    """Return what a text in official notation says. Raises ParseError, with the place of the first fault.

    Blanks, an en dash and the case of letters are forgiven. Does not know the position: whether it is legal, and
    whether marks are right, is not checked.
    """
    source = _Text(text)
    reserve = _reserve(source)
    act = None
    before: list[Removal] = []
    lists, named = before, set[str]()
    while True:
        if source.take("x"):
            lists.append(_removal(source, named))
        elif act:
            raise source.fail("a removal such as xc2,d3 (a turn has one push)")
        else:
            act, lists, named = _act(source), [], set()
        if source.next == len(source.chars):
            return Written(tuple(before), act, tuple(lists) if act else (), reserve)
        if not source.take(";"):
            raise source.fail("; before a removal, or the end of the turn")


def _reserve(source: _Text) -> int | None:
    """Cut off the reserve in brackets at the end, and return it."""
    found = _RESERVE.search(source.chars)
    if not found:
        return None
    source.chars = source.chars[: found.start()]
    return int(found.group(1))


def _removal(source: _Text, named: set[str]) -> Removal:
    """Return the list behind an x; `named` are the spots that the step's lists have named, and is added to."""
    at = source.place(source.next - 1)
    pieces: list[Named] = []
    if source.chars[source.next : source.next + 1] in ("", ";"):
        return Removal((), at)
    while not pieces or source.take(","):
        place = source.place(source.next)
        gipf = source.gipf()
        spot = source.spot("a spot such as c2")
        if spot in named:
            raise source.fail(f"each spot once ({spot} is named twice)", source.next - 2)
        named.add(spot)
        pieces.append(Named(spot, gipf, source.take("*"), place))
    return Removal(tuple(pieces), at)


def _act(source: _Text) -> Act:
    at = source.place(source.next)
    kind = Kind.GIPF if source.gipf() else Kind.BASIC
    point = source.point("a push such as e2 or e1-e4")
    if point not in DOTS:
        if source.chars.startswith("-", source.next):
            raise source.fail(f"a dot in front of the - ({point} is a spot)", source.next - 2)
        return Act(kind, None, point, at)
    if not source.take("-"):
        raise source.fail(f"- and the furthest spot moved to ({point} is a dot)")
    return Act(kind, point, source.spot("the furthest spot moved to, such as e4"), at)
