"""Julio974's notation as text (seeds/003, notation.md section 2): how one action is written, and what a text says.

A push is its dot, with `*` for the dot's second direction, or the spot where that is vacant. `X` says that a row
stands. The article cannot say which of several rows goes first where there is more than one to say something of, nor a
choice before the push: several `X`, and a group with `;` in front of the push, are ours. As in `official`, what is
legal is not known here.
"""

from gipfbot.rules import Kind, Position, Push, Remove, open_rows
from gipfbot.rules.geometry import DOTS, ENTRIES_BY_DOT, LINE, Entry, names

from .written import Act, Named, Removal, Scanner, Written


def _plain(entries: tuple[Entry, ...]) -> Entry:
    """Return the direction that needs no star: the only one, the vertical one, or the one that keeps the number."""
    vertical = (entry for entry in entries if entry.direction in ("N", "S"))
    level = (entry for entry in entries if entry.spot[1] == entry.dot[1])
    return entries[0] if len(entries) == 1 else next(vertical, None) or next(level)


_PLAIN = {dot: _plain(entries) for dot, entries in ENTRIES_BY_DOT.items()}
_STARRED = {dot: next((e for e in ENTRIES_BY_DOT[dot] if e is not plain), None) for dot, plain in _PLAIN.items()}


def entry_of(dot: str, star: bool) -> Entry:
    """Return the way on to the board that a dot with or without a star names; a star too many is passed over."""
    return (star and _STARRED[dot]) or _PLAIN[dot]


def push_text(position: Position, push: Push) -> str:
    """Return how a legal push is written here: the spot if vacant, else the dot, starred in its second direction."""
    if not (position.owned[0] | position.owned[1]) & push.entry.first:
        return f"{push.kind}{push.spot}"
    return f"{push.kind}{push.dot}{'' if _PLAIN[push.dot] is push.entry else '*'}"


def removal_text(position: Position, remove: Remove) -> str:
    """Return the group of one row: its code, where another row could be meant, and the GIPF-pieces taken.

    Nothing where neither has to be said: the row shares no spot with another, and its GIPF-pieces stay.
    """
    row, *others = sorted(open_rows(position), key=lambda row: row.line.number != remove.line)
    taken = remove.taken & position.gipf
    unclear = any(not taken & ~other.may if taken else row.stretch & other.stretch for other in others)
    said = (row.line.code if unclear else "") + "".join(names(taken))
    return f"X{said}" if said else ""


def read(text: str) -> Written:
    """Return what a text in Julio974 notation says. Raises ParseError, with the place of the first fault.

    Blanks and the case of letters are forgiven, and a star at a dot with one direction, with a warning. Does not know
    the position: whether it is legal is not checked.
    """
    source = Scanner(text)
    before = _groups(source)
    if before and source.over:
        return Written(before, None, (), source.reserve, source.exact)
    if before:
        source.take(";")  # nothing else ends a group that something follows
    act, warnings = _act(source)
    after = _groups(source)
    if not source.over:
        raise source.fail(_expected(act, after))
    return Written(before, act, after, source.reserve, source.exact, warnings)


def _expected(act: Act, after: tuple[Removal, ...]) -> str:
    if after:
        return "a GIPF-piece taken such as c4, or the end of the turn"
    star = " or * (a dot's second direction)" if act.dot and not act.star else ""
    return f"X for a row{star}, or the end of the turn"


def _act(source: Scanner) -> tuple[Act, tuple[str, ...]]:
    at = source.place
    kind = Kind.GIPF if source.gipf() else Kind.BASIC
    point = source.point("a push such as e2 or g1*")
    if point not in DOTS:
        if source.peek() == "*":
            raise source.fail(f"a dot in front of the * ({point} is a spot)", 2)
        return Act(kind, None, point, at), ()
    star = source.take("*")
    needless = star and not _STARRED[point]
    warnings = (f"{point}* has a star too many: {point} has only one direction.",) if needless else ()
    return Act(kind, point, None, at, star), warnings


def _groups(source: Scanner) -> tuple[Removal, ...]:
    groups: list[Removal] = []
    while source.take("X"):
        groups.append(_group(source))
    return tuple(groups)


def _group(source: Scanner) -> Removal:
    at, row = source.place_of_last, _row(source)
    pieces: list[Named] = []
    while source.peek() and source.peek() not in "x;":
        place = source.place
        spot = source.spot("a GIPF-piece taken such as c4")
        if any(piece.spot == spot for piece in pieces):
            raise source.fail(f"each piece once ({spot} is named twice)", 2)
        pieces.append(Named(spot, True, False, place))
    return Removal(tuple(pieces), at, row)


def _row(source: Scanner) -> str | None:
    """Take a row's code; a letter with a digit behind it is a spot."""
    first, star = source.peek(), source.peek(1) == "*"
    code = f"{first}*" if star else first
    if not code or code not in LINE or (not star and source.peek(1).isdigit() and first.isalpha()):
        return None
    source.take(first)
    if star:
        source.take("*")
    return LINE[code].code
