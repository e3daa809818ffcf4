"""Search for turns that contain a typed text."""

from collections.abc import Iterable, Iterator
from itertools import islice, tee
from typing import TypeAlias

from gipfbot.rules import Act, Row, distinct_acts
from gipfbot.rules.geometry import ALL_SPOTS

from .notations import Notation
from .prefix_search import FoundTurn, FoundTurns, PrefixSearch, round_robin
from .removal_steps import cached_rows, removals_smallest_first
from .spelling import SpeltPart, named_spots, spell_push, spell_removal

WAYS_BEFORE_PUSH = 4  # ways to remove rows before the push that the search follows
PARTS_TRIED = 100  # pushes and removals in which the search looks

_NextPush: TypeAlias = tuple[FoundTurn, Act, SpeltPart]  # a turn without its push, the push, and its spelling


class MiddleSearch:
    """A search for turns that contain `wanted` anywhere, not only at their beginning.

    Looks at a limited number of pushes and removals.
    """

    def __init__(self, notation: Notation, wanted: str, longest: int) -> None:
        self.notation, self.wanted, self.longest, self.parts_left = notation, wanted, longest, PARTS_TRIED
        self.needed, _ = named_spots(wanted)
        self.cuts = [size for size in range(1, len(wanted) + 1) if wanted[size : size + 1] in {"", ";", "x"}]

    def turns(self, begun: FoundTurn) -> FoundTurns:
        """Yield turns that contain the typed text.

        If the removal before the push leaves no choice, the turns whose push begins with the typed text come first.
        """
        free = PrefixSearch(self.notation, "", self.longest)
        ends = free.step(begun, begun, lambda ready: iter((ready,))) if not begun.end.pushed else ()
        ways = [way for way in islice(ends, WAYS_BEFORE_PUSH) if way.end.mover is begun.end.mover]
        if len(ways) == 1 and ways[0].actions:
            yield from PrefixSearch(self.notation, self.wanted, self.longest).pushes(ways[0]._replace(spelt=""))
        pushes, again = tee(self._pushes(ways))
        yield from round_robin(
            map(round_robin, (self._in_lists(begun), self._in_pushes(pushes), self._behind_pushes(again)))
        )

    def _pushes(self, ways: Iterable[FoundTurn]) -> Iterator[_NextPush]:
        """Yield every possible push for each unfinished turn in `ways`.

        Pushes to the same vacant spot from different dots count as one.
        """
        for way in ways:
            for push in distinct_acts(way.end):
                yield way, push, spell_push(self.notation, way.end, push)

    def _in_lists(self, start: FoundTurn) -> Iterator[FoundTurns]:
        """Yield an iterator of complete turns for each place in a removal where the typed text can begin.

        Looks only at the first removal after `start`.
        """
        found = self.parts_left > 0 and not self.needed & ~(start.end.owned[0] | start.end.owned[1])
        rows = cached_rows(start.end) if found else ()
        self.parts_left -= 1
        for row in rows:
            yield from self._in_row(start, row)

    def _in_row(self, start: FoundTurn, row: Row) -> Iterator[FoundTurns]:
        for remove in removals_smallest_first(row, self.needed, ALL_SPOTS):
            for said in spell_removal(self.notation, start.end, row, remove)[:1]:
                for search in self._begun(start, self.notation.separator, said):
                    found = start.with_text(self.notation.separator, said)._replace(spelt=said.spelt)
                    yield search.step(found.with_action(remove), start, search.pushes)

    def _in_pushes(self, pushes: Iterable[_NextPush]) -> Iterator[FoundTurns]:
        """Yield an iterator of complete turns for each place in a push where the typed text can begin."""
        for way, push, said in pushes:
            for search in self._begun(way, ";", said):
                found = way.with_text(";", said)._replace(spelt=said.spelt)
                yield search.pushed(found.with_action(push))

    def _behind_pushes(self, pushes: Iterable[_NextPush]) -> Iterator[FoundTurns]:
        """Yield an iterator of complete turns for each place in a removal after a push. See `_in_lists`."""
        for way, push, said in pushes:
            if self.parts_left > 0 and (found := way.with_action(push)).end.pushed:
                yield from self._in_lists(found.with_text(";", said))

    def _begun(self, before: FoundTurn, joint: str, said: SpeltPart) -> Iterator[PrefixSearch]:
        """Yield a search for the rest of the turn for each place in `said` where the typed text can begin.

        `said` is a push or removal. If the typed text begins with `;`, the only such place is in front of `said`.
        """
        self.parts_left -= 1
        if self.wanted.startswith(";"):
            search = PrefixSearch(self.notation, self.wanted[1:], self.longest)
            if before.text and joint == ";" and search.agrees(said.spelt):
                yield search
        elif self.wanted in said.spelt:
            yield PrefixSearch(self.notation, "", self.longest)
        else:
            for size in self.cuts:
                if said.spelt.endswith(self.wanted[:size]):
                    yield PrefixSearch(self.notation, said.spelt + self.wanted[size:], self.longest)
