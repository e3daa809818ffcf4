"""Official notation as text (notation.md section 1): how one action is written, and what a text says.

Knows the grammar and how actions are spelt in a position, but not what is legal: `reading` does.
"""

from gipfbot.rules import Action, Kind, Position, Push, Remove
from gipfbot.rules.events import moves
from gipfbot.rules.geometry import BIT, DOTS
from gipfbot.rules.position import kind_at

from .written import Act, Named, Removal, Scanner, Written


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


def read(text: str) -> Written:
    """Return what a text in official notation says. Raises ParseError, with the place of the first fault.

    Blanks, an en dash and the case of letters are forgiven. Does not know the position: whether it is legal, and
    whether marks are right, is not checked.
    """
    source = Scanner(text)
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
        if source.over:
            return Written(tuple(before), act, tuple(lists) if act else (), source.reserve, source.exact)
        if not source.take(";"):
            raise source.fail("; before a removal, or the end of the turn")


def _removal(source: Scanner, named: set[str]) -> Removal:
    """Return the list behind an x; `named` are the spots that the step's lists have named, and is added to."""
    at = source.place_of_last
    pieces: list[Named] = []
    if source.peek() in ("", ";"):
        return Removal((), at)
    while not pieces or source.take(","):
        place = source.place
        gipf = source.gipf()
        spot = source.spot("a spot such as c2")
        if spot in named:
            raise source.fail(f"each spot once ({spot} is named twice)", 2)
        named.add(spot)
        pieces.append(Named(spot, gipf, source.take("*"), place))
    return Removal(tuple(pieces), at)


def _act(source: Scanner) -> Act:
    at = source.place
    kind = Kind.GIPF if source.gipf() else Kind.BASIC
    point = source.point("a push such as e2 or e1-e4")
    if point not in DOTS:
        if source.peek() == "-":
            raise source.fail(f"a dot in front of the - ({point} is a spot)", 2)
        return Act(kind, None, point, at)
    if not source.take("-"):
        raise source.fail(f"- and the furthest spot moved to ({point} is a dot)")
    return Act(kind, point, source.spot("the furthest spot moved to, such as e4"), at)
