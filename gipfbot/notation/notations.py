"""The two notations, official and Julio974's: what each writes, and what a text in it means (notation.md 1 and 2).

Official notation writes a push as `spot` or `dot-spot`, and a removal as `x` and the pieces it takes.

Julio974's writes a push as its spot if that spot is vacant. Otherwise it is written as its dot, with `*` for the second
direction of the dot. `X` says that there is a row. The code of the row and the GIPF-pieces taken may follow the `X`;
together they are called a group. The article that defines the notation has no text for choices in several rows, nor for
a choice before the push. We added two things: several groups in a turn, and groups with a `;` before the push.
"""

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import TypeAlias

from gipfbot.rules import Act, Action, Kind, Position, Push, Remove, Use, legal, open_rows
from gipfbot.rules.changes import furthest_spot
from gipfbot.rules.full_turns import same_to_vacancies
from gipfbot.rules.geometry import BIT, ENTRIES_BY_DOT, ENTRIES_BY_SPOT, LINE, NAME, Entry, bits, each_bit, names
from gipfbot.rules.position import covered_spots, kind_at
from gipfbot.rules.rows import has_row, loaded_spots
from gipfbot.rules.sentences import Sentence

from .action_codes import use_code
from .errors import IllegalTurn, OpenTurn
from .normalise import Scanner, WrittenAct, WrittenPiece, WrittenPush, WrittenRemoval, WrittenTurn, WrittenUse
from .refusals import refuse_group, refuse_mark, refuse_push, refuse_removal, refuse_split_row, refuse_use
from .removal_steps import (
    Way,
    add_spots,
    clearing_ways,
    play_along,
    played_removals,
    subtract_spots,
    way_by_lists,
    ways_taking_gipf,
)

RemovalLists: TypeAlias = tuple[WrittenRemoval, ...]  # the removals before or after a push, as a text writes them


class Notation(ABC):
    """A system of writing turns. The methods that write actions do not check that the actions are legal."""

    name: str  # the key in `NOTATIONS`
    title: str  # what people read
    keeps_unwritten: bool  # whether records keep GIPF-pieces that a text does not name; in play the player is asked
    separator: str  # between two removals, and between a push and the removals after it

    @abstractmethod
    def read(self, text: str) -> WrittenTurn:
        """Split the text of a turn into its push and removals. Raises ParseError with the offset of the first fault.

        Ignores blanks and the case of letters. Does not check legality, since the position is not known.
        """

    @abstractmethod
    def push_text(self, position: Position, push: Push) -> str:
        """Return a push as text. If the first spot of the push is vacant, the dot is left out."""

    @abstractmethod
    def removal_text(self, position: Position, remove: Remove) -> str:
        """Return the removal of one row as text. Empty if it need not be written."""

    @abstractmethod
    def empty_step_text(self, position: Position) -> str:
        """Return what is written for a step whose removals need not be written: nothing, or a bare `X`.

        `position` is the position before the step.
        """

    @abstractmethod
    def possible_entries(self, act: WrittenPush) -> tuple[Entry, ...]:
        """Return the entries (dot and direction) that a written push can mean."""

    @abstractmethod
    def ways_to_clear(self, position: Position, lists: RemovalLists, text: str, *, pushes: bool) -> list[Way]:
        """Return the ways to carry out one step as written. There are several if the text is ambiguous.

        `position` is the position before the step. `pushes` says that a push is written after it. Rows that are not
        named may remain. Raises IllegalTurn, which quotes `text`, if there is no way.
        """

    @abstractmethod
    def remaining_lists(self, begun: Position, lists: RemovalLists, done: tuple[Action, ...]) -> RemovalLists | None:
        """Return the part of one written step that is not played yet. None if the text contradicts what was played.

        `begun` is the position before the step. The actions `done` were played from there.
        """

    @abstractmethod
    def allows_no_row(self, position: Position, lists: RemovalLists) -> bool:
        """Return whether a text may write these removals after a push that makes no row.

        `position` is the position after the push.
        """

    def act_text(self, position: Position, act: Act) -> str:
        """Return a push or the use of a potential as text."""
        return use_code(act) if isinstance(act, Use) else self.push_text(position, act)

    def find_act(self, position: Position, act: WrittenAct) -> Act | None:
        """Return the legal push or use that a written one means. None if there is none.

        Raises OpenTurn if a use does not say whether 1 or 2 pieces are put down, and both are legal.
        """
        return _find_use(position, act) if isinstance(act, WrittenUse) else self._find_push(position, act)

    def _find_push(self, position: Position, act: WrittenPush) -> Push | None:
        for entry in self.possible_entries(act):
            push = Push(entry, act.kind)
            if push in legal(position) and act.spot in (None, furthest_spot(position, push)):
                return push
        return None

    def refuse_act(self, position: Position, act: WrittenAct, shown: "Notation", text: str) -> IllegalTurn:
        """Return the error for an illegal push or use. The error names possible pushes in the notation `shown`.

        Assumes that it is illegal and that no row is due.
        """
        if isinstance(act, WrittenUse):
            return refuse_use(position, act, text)
        return refuse_push(position, act, self.possible_entries(act), shown.push_text, text)


def _find_use(position: Position, act: WrittenUse) -> Use | None:
    meant = Use(act.kind, BIT[act.spot], BIT[act.target])
    ways = [one for one in legal(position) if isinstance(one, Use) and one._replace(put=0) == meant]
    if act.put is not None:
        ways = [one for one in ways if one.put == act.put]
    if len(ways) > 1:
        choices = [use_code(one) for one in ways]
        raise OpenTurn(choices, choices[0].partition("+")[0], whole=False)
    return next(iter(ways), None)


# ── Official notation ──


class Official(Notation):
    """The official notation: a push is `spot` or `dot-spot`, and a removal is `x` and the pieces it takes."""

    name = title = "official"
    keeps_unwritten, separator = False, ";"

    def read(self, text: str) -> WrittenTurn:
        """Split the text of a turn into its push and removals. Raises ParseError with the offset of the first fault.

        Ignores blanks, the case of letters, and the kind of dash. Does not check legality or the marks of pieces, since
        the position is not known.
        """
        source = Scanner(text)
        act = None
        before: list[WrittenRemoval] = []
        lists, named = before, set[str]()
        while True:
            if source.take("x"):
                lists.append(source.take_removal_list(named))
            elif act:
                raise source.expected_error(Sentence("a removal such as xc2,d3 (a turn has one push)"))
            else:
                act, lists, named = source.take_dashed_push(), [], set()
            if source.at_end:
                return source.finish(before, act, lists if act else ())
            if not source.take(";"):
                removal = source.peek() == "x"
                sentence = Sentence("Put “;” before what comes off, as in g1-c3;xc2,d3,e4,f4.") if removal else None
                raise source.expected_error(Sentence("the end of the turn"), sentence=sentence)

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
        _check_marks(position, named, text)
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


def _check_marks(position: Position, named: Sequence[WrittenPiece], text: str) -> None:
    """Raise IllegalTurn if a named piece is not there or its letter or `*` is wrong. A missing `*` is accepted.

    A spot may be named again if a piece lies under its top; that piece is not looked at.
    """
    occupied, own, seen = position.owned[0] | position.owned[1], position.owned[position.mover], 0
    for piece in named:
        bit = BIT[piece.spot]
        if seen & bit:
            wrong = not covered_spots(position) & bit
        else:
            stands = occupied & bit and piece.kind is Kind(kind_at(position, bit).upper())
            wrong = not stands or (piece.star and own & bit != 0)
        if wrong:
            raise refuse_mark(position, piece, text, again=seen & bit != 0)
        seen |= bit


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


# ── Julio974's notation ──


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
        piece becomes free. Like the article (`f1X5g3e5`), writes the code even if the GIPF-pieces alone would tell the
        row.
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
                    sentence = Sentence(
                        "By then {player} has no row left: there is nothing more to remove.", player=position.mover
                    )
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


# ── What groups mean in a position ──


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


# ── Reading groups ──


def _expected_next(act: WrittenAct, after: tuple[WrittenRemoval, ...]) -> Sentence:
    if after:
        return Sentence("a GIPF-piece taken such as c4, or the end of the turn")
    if isinstance(act, WrittenPush) and act.dot and not act.star:
        return Sentence("X for a row or * (a dot's second direction), or the end of the turn")
    return Sentence("X for a row, or the end of the turn")


def take_starred_push(source: Scanner) -> tuple[WrittenAct, tuple[Sentence, ...]]:
    """Read a push or a use, with the star of a dot's second direction. Return it with the warnings about the star."""
    act = source.take_act("*", "g1*")
    if isinstance(act, WrittenUse) or not act.dot:
        return act, ()
    star = source.take("*")
    needless = star and not _STARRED_ENTRIES[act.dot]
    warning = Sentence("{dot}* has a star too many: {dot} has only one direction.", dot=act.dot)
    return act._replace(star=star), (warning,) if needless else ()


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
        spot = source.take_spot(Sentence("a GIPF-piece taken such as c4"))
        if any(piece.spot == spot for piece in pieces):
            raise source.expected_error(Sentence("each piece once ({spot} is named twice)", spot=spot), 2)
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


OFFICIAL, JULIO974 = Official(), Julio974()
NOTATIONS: dict[str, Notation] = {notation.name: notation for notation in (OFFICIAL, JULIO974)}
