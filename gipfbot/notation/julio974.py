"""Julio974's notation (notation.md section 2).

A push is written as its spot if that spot is vacant. Otherwise it is written as its dot, with `*` for the second
direction of the dot. `X` says that there is a row. The code of the row and the GIPF-pieces taken may follow the `X`;
together they are called a group. The article that defines the notation has no text for choices in several rows, nor for
a choice before the push. We added two things: several groups in a turn, and groups with a `;` before the push.
"""

from collections.abc import Iterable

from gipfbot.rules import Action, Kind, Position, Push, Remove, open_rows
from gipfbot.rules.full_turns import same_to_vacancies
from gipfbot.rules.geometry import ENTRIES_BY_DOT, ENTRIES_BY_SPOT, LINE, Entry, bits, names
from gipfbot.rules.position import covered_spots
from gipfbot.rules.rows import has_row, loaded_spots

from .base import Notation, RemovalLists
from .errors import IllegalTurn
from .normalise import Scanner, WrittenAct, WrittenPiece, WrittenPush, WrittenRemoval, WrittenTurn, WrittenUse
from .refusals import refuse_group
from .removal_steps import Way, add_spots, clearing_ways, play_along, subtract_spots


def _plain_entry(entries: tuple[Entry, ...]) -> Entry:
    """Return the entry that a dot without a star means. `entries` are all entries of that dot.

    It is the only entry, or else the vertical one, or else the one whose spot has the same number as the dot.
    """
    vertical = (entry for entry in entries if entry.direction in ("N", "S"))
    level = (entry for entry in entries if entry.spot[1] == entry.dot[1])
    return entries[0] if len(entries) == 1 else next(vertical, None) or next(level)


_PLAIN_ENTRIES = {dot: _plain_entry(entries) for dot, entries in ENTRIES_BY_DOT.items()}
_STARRED_ENTRIES = {
    dot: next((e for e in ENTRIES_BY_DOT[dot] if e is not plain), None) for dot, plain in _PLAIN_ENTRIES.items()
}


def needs_star(entry: Entry) -> bool:
    """Return whether an entry is written with a star.

    If a dot has two entries, the one that the plain dot does not mean has the star.
    """
    return _PLAIN_ENTRIES[entry.dot] is not entry


class Julio974(Notation):
    """Julio974's notation: a push is a dot or a vacant spot, and `X` says that there is a row."""

    name, title = "julio974", "Julio974"
    keeps_unwritten, separator = True, ""

    def read(self, text: str) -> WrittenTurn:
        """Split the text of a turn into its push and removals. Raises ParseError with the offset of the first fault.

        Ignores blanks and the case of letters. If a dot has only one direction, a star after the dot is ignored, with a
        warning. Does not check legality, since the position is not known.
        """
        source = Scanner(text)
        before = _take_groups(source)
        if before and source.at_end:
            return source.finish(before, None, ())
        if before:
            source.take(";")  # separates the groups from the push
        act, warnings = take_starred_push(source)
        after = _take_groups(source)
        if not source.at_end:
            raise source.expected_error(_expected_next(act, after))
        return source.finish(before, act, after, warnings)

    def push_text(self, position: Position, push: Push) -> str:
        """Return a legal push as text. If its spot is vacant, the text is the spot.

        Otherwise, and always in Overboard, the text is the dot, with a star for the second direction.
        """
        if same_to_vacancies(position.rules) and not (position.owned[0] | position.owned[1]) & push.entry.first:
            return f"{push.kind}{push.spot}"
        return f"{push.kind}{push.dot}{'*' if needs_star(push.entry) else ''}"

    def removal_text(self, position: Position, remove: Remove) -> str:
        """Return the `X` group of one row: its code if another row could be meant, then the GIPF-pieces taken.

        Empty if the row shares no spot with another open row, no GIPF- or loaded piece is taken, and nothing under a
        piece becomes free. Like the article (`f1X5g3e5`),
        writes the code even if the GIPF-pieces alone would tell the row.
        """
        row, *others = sorted(open_rows(position), key=lambda row: row.line.number != remove.line)
        taken = remove.taken & row.may
        unclear = any(row.stretch & other.stretch or (taken and not taken & ~other.may) for other in others)
        frees = remove.taken & covered_spots(position)
        said = (row.line.code if unclear or frees else "") + "".join(names(taken))
        return f"X{said}" if said else ""

    def empty_step_text(self, position: Position) -> str:
        """Return `X` if either player has a row, else an empty text."""
        return "X" if any(map(has_row, position.owned)) else ""

    def possible_entries(self, act: WrittenPush) -> tuple[Entry, ...]:
        """Return the entries that a written push can mean.

        A push with a dot means one entry. A star chooses the second direction of the dot, and is ignored if the dot has
        only one. A push without a dot means any entry to its spot.
        """
        if not act.dot:
            return ENTRIES_BY_SPOT.get(act.spot or "", ())
        return ((act.star and _STARRED_ENTRIES[act.dot]) or _PLAIN_ENTRIES[act.dot],)

    def ways_to_clear(self, position: Position, lists: RemovalLists, text: str, *, pushes: bool) -> list[Way]:
        """Return every way to carry out the written groups (`X…`). Each group stands for one row.

        A group without a row's code may fit several rows. If a group names no GIPF-piece, a row that may stay is kept.
        A bare `X` is skipped. Raises IllegalTurn if there is no way.
        """
        ways = [Way((), position)]
        for group in lists:
            if group.says_something:
                found = [after for way in ways for after in _ways_with_group(way, position, group)]
                if not found and ways[0].end.mover is not position.mover:
                    sentence = f"By then {position.mover} has no row left: there is nothing more to remove."
                    raise IllegalTurn("no_row", "R4.1", sentence, text, group.place)
                if not found:
                    raise refuse_group(ways[0].end, group, text)
                ways = found
        return ways

    def remaining_lists(self, begun: Position, lists: RemovalLists, done: tuple[Action, ...]) -> RemovalLists | None:
        """Return the groups that are not played yet. None if the text contradicts what was played.

        The player may have taken the same pieces with other rows. Then new groups are returned for the pieces that are
        left.
        """
        removals = [action for action in done if isinstance(action, Remove)]
        if not removals:
            return lists
        left, now = _remaining_groups(begun, lists, removals), play_along(begun, removals).end
        ways = [] if left is None else self._listed_ways(now, left)
        if ways:
            return left if any(way.actions for way in ways) else ()
        other = self._equivalent_lists(begun, lists, _taken_bits(removals), now)
        return left if other is None else other

    def _listed_ways(self, position: Position, lists: RemovalLists) -> list[Way]:
        """Return every way to carry out the written groups from `position`. Empty if there is none."""
        try:
            return self.ways_to_clear(position, lists, "", pushes=False)
        except IllegalTurn:
            return []

    def _equivalent_lists(self, begun: Position, lists: RemovalLists, gone: int, now: Position) -> RemovalLists | None:
        """Return groups for the spots that `lists` clears and that are still occupied. None if no groups clear them.

        `lists` was written for the position `begun`. The spots `gone` (bits) have been cleared since then, which led to
        the position `now`. Also returns None if `lists` leaves a row in which some of `gone` cannot be cleared.
        """
        for said in self._listed_ways(begun, lists):
            wanted = _taken_bits(said.actions)
            if self._clearing_ways(said.end, subtract_spots(gone, wanted), begun):
                for way in self._clearing_ways(now, subtract_spots(wanted, gone), begun):
                    return _groups_for_way(way, now, lists[0].at)
        return None

    def _clearing_ways(self, position: Position, spots: int, begun: Position) -> list[Way]:
        over = position.mover is not begun.mover
        return [] if over and spots else clearing_ways(position, spots, self.removal_text, self.separator)

    def allows_no_row(self, position: Position, lists: RemovalLists) -> bool:
        """Return whether the written groups `lists` are allowed after a push that leaves its player without a row.

        True if nothing is written. If the opponent has a row, a bare `X` is allowed too.
        """
        return not lists or (
            has_row(position.owned[position.mover]) and not any(group.says_something for group in lists)
        )


# ── What a text means in a position ──


def _ways_with_group(way: Way, start: Position, group: WrittenRemoval) -> list[Way]:
    spots, rows = bits(piece.spot for piece in group.pieces), open_rows(way.end)
    if way.end.mover is not start.mover:
        return []
    rows = tuple(row for row in rows if group.row in (None, row.line.code) and not spots & ~row.may)
    gone = [(row, row.must | spots) for row in rows]
    return [
        way.then(Remove(row.line.number, taken)) if taken else way
        for row, taken in gone
        if not row.loss or taken & row.loss
    ]


def _taken_bits(actions: Iterable[Action]) -> int:
    return add_spots(*(action.taken for action in actions if isinstance(action, Remove)))


def _remaining_groups(position: Position, groups: RemovalLists, removals: Iterable[Remove]) -> RemovalLists | None:
    """Return the written groups that `removals` has not yet carried out. A bare `X` is left out.

    None if a group names a row, but `removals` took other GIPF-pieces with that row.
    """
    left, may_stay = [group for group in groups if group.says_something], position.gipf | loaded_spots(position)
    for removal in removals:
        taken, code = {*names(removal.taken & may_stay)}, removal.on.code
        said = [group for group in left if group.row in (None, code)]
        same = [group for group in said if {piece.spot for piece in group.pieces} == taken]
        if same:
            left.remove(same[0])
        elif any(group.row for group in said):
            return None
    return tuple(left)


def _groups_for_way(way: Way, start: Position, at: int) -> RemovalLists:
    """Return the removals in `way` as written groups (`X…`), one for each row.

    `way` begins at the position `start`. Errors about a group point to the offset `at` in the text.
    """
    removals = [action for action in way.actions if isinstance(action, Remove)]
    may_stay = start.gipf | loaded_spots(start)
    pieces = [[WrittenPiece(spot, Kind.GIPF, False, at) for spot in names(one.taken & may_stay)] for one in removals]
    return tuple(WrittenRemoval(tuple(named), at, one.on.code) for one, named in zip(removals, pieces, strict=True))


# ── Reading ──


def _expected_next(act: WrittenAct, after: tuple[WrittenRemoval, ...]) -> str:
    if after:
        return "a GIPF-piece taken such as c4, or the end of the turn"
    star = " or * (a dot's second direction)" if isinstance(act, WrittenPush) and act.dot and not act.star else ""
    return f"X for a row{star}, or the end of the turn"


def take_starred_push(source: Scanner) -> tuple[WrittenAct, tuple[str, ...]]:
    """Read a push or a use, with the star of a dot's second direction. Return it with the warnings about the star."""
    act = source.take_act("*", "g1*")
    if isinstance(act, WrittenUse) or not act.dot:
        return act, ()
    star = source.take("*")
    needless = star and not _STARRED_ENTRIES[act.dot]
    warnings = (f"{act.dot}* has a star too many: {act.dot} has only one direction.",) if needless else ()
    return act._replace(star=star), warnings


def _take_groups(source: Scanner) -> tuple[WrittenRemoval, ...]:
    groups: list[WrittenRemoval] = []
    while source.take("X"):
        groups.append(_take_group(source))
    return tuple(groups)


def _take_group(source: Scanner) -> WrittenRemoval:
    at, row = source.place_of_last, _take_row_code(source)
    pieces: list[WrittenPiece] = []
    while source.peek() and source.peek() not in "x;":
        place = source.place
        spot = source.take_spot("a GIPF-piece taken such as c4")
        if any(piece.spot == spot for piece in pieces):
            raise source.expected_error(f"each piece once ({spot} is named twice)", 2)
        pieces.append(WrittenPiece(spot, Kind.GIPF, False, place))
    return WrittenRemoval(tuple(pieces), at, row)


def _take_row_code(source: Scanner) -> str | None:
    """Read the code of a row if one comes next, and return it. None if no code comes next.

    A letter followed by a digit is a spot, not a code.
    """
    first, star = source.peek(), source.peek(1) == "*"
    code = f"{first}*" if star else first
    if not code or code not in LINE or (not star and source.peek(1).isdigit() and first.isalpha()):
        return None
    source.take(first)
    if star:
        source.take("*")
    return LINE[code].code
