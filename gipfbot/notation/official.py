"""The official notation (notation.md section 1)."""

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

from gipfbot.rules import Action, Kind, Position, Push, Remove
from gipfbot.rules.changes import furthest_spot
from gipfbot.rules.full_turns import same_to_vacancies
from gipfbot.rules.geometry import BIT, ENTRIES_BY_DOT, ENTRIES_BY_SPOT, NAME, Entry, bits, each_bit
from gipfbot.rules.position import covered_spots, kind_at

from .base import Notation, RemovalLists
from .normalise import Scanner, WrittenAct, WrittenPiece, WrittenPush, WrittenRemoval, WrittenTurn, WrittenUse
from .refusals import refuse_marks, refuse_removal, refuse_split_row
from .removal_steps import (
    Way,
    add_spots,
    clearing_ways,
    play_along,
    played_removals,
    way_by_lists,
    ways_taking_gipf,
)

_COLUMN_LETTERS = {*"abcdefghi"}


class Official(Notation):
    """The official notation: a push is `spot` or `dot-spot`, and a removal is `x` and the pieces it takes."""

    name = title = "official"
    keeps_unwritten, separator = False, ";"

    def read(self, text: str) -> WrittenTurn:
        """Split the text of a turn into its push and removals. Raises ParseError with the offset of the first fault.

        Ignores blanks, the case of letters, and the kind of dash. Does not check legality or
        the marks of pieces, since the position is not known.
        """
        source = Scanner(text)
        act = None
        before: list[WrittenRemoval] = []
        lists, named = before, set[str]()
        while True:
            if source.take("x"):
                lists.append(take_removal_list(source, named))
            elif act:
                raise source.expected_error("a removal such as xc2,d3 (a turn has one push)")
            else:
                act, lists, named = take_dashed_push(source), [], set()
            if source.at_end:
                return source.finish(before, act, lists if act else ())
            if not source.take(";"):
                removal = source.peek() == "x"
                sentence = "Put “;” before what comes off, as in g1-c3;xc2,d3,e4,f4." if removal else ""
                raise source.expected_error("the end of the turn", sentence=sentence)

    def push_text(self, position: Position, push: Push) -> str:
        """Return a legal push as text. If its first spot is vacant, the text is that spot.

        Otherwise the text is the dot, `-`, and the spot of the furthest piece that moves. In Overboard, where the whole
        line moves, it is always the dot, `-`, and the first spot.
        """
        if not same_to_vacancies(position.rules):
            return f"{push.kind}{push.dot}-{push.spot}"
        if not (position.owned[0] | position.owned[1]) & push.entry.first:
            return f"{push.kind}{push.spot}"
        return f"{push.kind}{push.dot}-{furthest_spot(position, push)}"

    def removal_text(self, position: Position, remove: Remove) -> str:
        """Return the removal of one row as a list, from the line's left end. `*` marks a captured piece."""
        taken, own = remove.taken, position.owned[position.mover]
        odd = tuple([(bit, piece.kind) for bit, piece in position.odd if bit & taken]) if position.odd else ()
        return _list_text(taken, taken & position.gipf, taken & ~own, odd)

    def empty_step_text(self, position: Position) -> str:
        """Return an empty text: removals that need not be written leave no sign in this notation."""
        return ""

    def possible_entries(self, act: WrittenPush) -> tuple[Entry, ...]:
        """Return the entries that a written push can mean.

        A push with a dot means any entry from that dot. A push without a dot means any entry to its spot.
        """
        return ENTRIES_BY_DOT[act.dot] if act.dot else ENTRIES_BY_SPOT.get(act.spot or "", ())

    def ways_to_clear(self, position: Position, lists: RemovalLists, text: str, *, pushes: bool) -> list[Way]:
        """Return the ways to clear the spots that the lists name. There is one, unless only GIPF-pieces are named.

        Its actions are empty if no spot is named. A way that ends the game is avoided if a push is written after it
        (`pushes`). Otherwise a way with one row for each list, in order, is preferred. If only GIPF-pieces are named
        (`xGf3`), the basic pieces of their rows go too. Then there is a way for each board that can result.

        Raises IllegalTurn if a piece has a wrong mark (`G` or `*`), if there is no way, or if a row is divided between
        lists (R4.6).
        """
        named = tuple(piece for removal in lists for piece in removal.pieces)
        if not named:
            return [Way((), position)]
        refuse_marks(position, named, text)
        sets = [bits(piece.spot for piece in removal.pieces) for removal in lists if removal.pieces]
        way = way_by_lists(position, sets)
        if way and (way.end.mover is position.mover or not pushes):
            return [way]
        begun = any(removal.begun for removal in lists)  # its rest may go with another row than the text has it
        ways = clearing_ways(
            position, add_spots(*sets), self.removal_text, self.separator, () if begun else tuple(sets)
        )
        ways.sort(key=lambda other: pushes and other.end.mover is not position.mover)
        found = ways[:1] or ([way] if way else [])
        whole = not begun and not covered_spots(position)
        if not found and whole and all(piece.kind is not Kind.BASIC for piece in named):
            found = [*ways_taking_gipf(position, sum(sets))]
        if not found and (joined := clearing_ways(position, add_spots(*sets), self.removal_text, self.separator)):
            right = self.separator.join(played_removals(position, joined[0].actions, self.removal_text))
            raise refuse_split_row(right, text, lists[0].at)
        if not found:
            raise refuse_removal(position, named, self.removal_text, text, lists[0].at)
        return found

    def remaining_lists(self, begun: Position, lists: RemovalLists, done: tuple[Action, ...]) -> RemovalLists | None:
        """Return the lists without the pieces that the actions `done` have removed.

        None if the lists name some of these pieces, but not all of them. A piece that stands now where another one was
        removed counts as not removed yet.
        """
        gone = Counter(spot for action in done if isinstance(action, Remove) for spot in action.spots)
        if not gone:
            return lists
        named = [piece for removal in lists for piece in removal.pieces]
        if gone <= Counter(piece.spot for piece in named) and _name_tops(begun, named, gone):
            return _lists_without(lists, gone)
        now = play_along(begun, done).end
        vacant = {spot for spot in gone if not (now.owned[0] | now.owned[1]) & BIT[spot]}
        return None if any(piece.spot in vacant for piece in named) else _lists_without(lists, Counter())

    def allows_no_row(self, position: Position, lists: RemovalLists) -> bool:
        """Return whether `lists` is empty: after a push without a row, no removal may be written."""
        return not lists


@lru_cache(4096)
def _list_text(taken: int, gipf: int, captured: int, odd: tuple[tuple[int, Kind], ...]) -> str:
    """Return the removal list of the spots `taken` (bits). `odd` holds the kinds of the pieces that have a letter.

    GIPF-pieces are on the spots `gipf`.
    """
    kinds = dict(odd)
    pieces = [
        ("G" if gipf & bit else kinds.get(bit, "")) + NAME[bit] + ("*" if captured & bit else "")
        for bit in each_bit(taken)
    ]
    return "x" + ",".join(pieces)


def _name_tops(begun: Position, named: Sequence[WrittenPiece], gone: Counter[str]) -> bool:
    """Return whether the first piece named on each of the spots in `gone` can be the one that stood on top there."""
    first = {piece.spot: piece for piece in reversed(named)}
    own = begun.owned[begun.mover]
    tops = ((first[spot], kind_at(begun, BIT[spot])) for spot in gone)
    return all(piece.kind is Kind(kind.upper()) and not (piece.star and own & BIT[piece.spot]) for piece, kind in tops)


def _lists_without(lists: RemovalLists, gone: Counter[str]) -> RemovalLists:
    """Return the lists without the pieces on these spots: without the first one named, if a spot is named twice."""
    left, unplayed = gone.copy(), list[WrittenRemoval]()
    for removal in lists:
        pieces = tuple(piece for piece in removal.pieces if not left[piece.spot])
        left -= Counter(piece.spot for piece in removal.pieces)
        unplayed += [removal._replace(pieces=pieces, begun=pieces != removal.pieces)] if pieces else []
    return tuple(unplayed)


def take_removal_list(source: Scanner, named: set[str]) -> WrittenRemoval:
    """Read the list after an `x`, and return it. Raises ParseError if it repeats a spot.

    `named` holds the spots of the earlier lists on the same side of the act. The new spots are added to `named`. A
    piece that was freed in such a list always has a letter, so only such a piece may be named again (R7.8).
    """
    at, listed = source.place_of_last, set[str]()
    pieces: list[WrittenPiece] = []
    if source.peek() in ("", ";"):
        return WrittenRemoval((), at)
    while not pieces or source.take(","):
        place = source.place
        kind = source.take_kind()
        spot = source.take_spot("a spot such as c2")
        if spot in listed or (spot in named and kind is Kind.BASIC):
            raise source.expected_error(f"each spot once ({spot} is named twice)", 2)
        listed.add(spot)
        pieces.append(WrittenPiece(spot, kind, source.take("*"), place))
    named |= listed
    return WrittenRemoval(tuple(pieces), at)


def take_dashed_push(source: Scanner) -> WrittenAct:
    """Read a push or a use. In a push, the hyphen between dot and spot may be missing."""
    act = source.take_act("-", "e1-e4")
    if isinstance(act, WrittenUse) or not act.dot:
        return act
    if not source.take("-") and source.peek() not in _COLUMN_LETTERS:
        sentence = f"{act.dot} is only the dot. Add “-” and where the push ends, as in e1-e4."
        raise source.expected_error("- and a spot", sentence=sentence)
    return act._replace(spot=source.take_spot("the last spot that the push fills, such as e4"))
