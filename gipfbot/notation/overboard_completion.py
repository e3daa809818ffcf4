"""Find turns of Overboard that fit a typed text, or that resemble it.

In play, a found text ends with the turn or before the first question to the other player, as a typed turn does.
"""

from collections.abc import Callable, Iterator, Sequence
from heapq import nsmallest
from itertools import islice
from typing import TypeAlias

from gipfbot.rules import Action, Colour, Position, legal

from .normalise import NONE_SIGN, normalise_typed
from .notations import Notation
from .overboard_turns import overboard_text
from .removal_steps import Way, play_along

WAYS_FOLLOWED = 120  # ways through the rows that are looked at, of all pushes together
FEWEST_FOLLOWED = 4  # the least number of ways for each push
PUSHES_COMPARED = 4  # pushes that resemble a text and are followed through their rows
WAYS_COMPARED = 60  # ways through the rows that are compared with a text
EXACT, PREFIX, CONTAINED = range(3)

Distance: TypeAlias = Callable[[str, str], int]


def fitting_parts(
    start: Position, done: Sequence[Action], wanted: str, notation: Notation
) -> Iterator[tuple[int, str, Way]]:
    """Yield the ways to go on that fit a normalised text, as (fit, text, way), the best fit first.

    A text fits exactly, at its beginning, or inside. The actions `done` have been played from `start`. In a crowded
    position some ways are left out.
    """
    here = play_along(start, done).end
    for inside in (False, True):
        heads = [head for head in _heads(here) if inside or _agree(_part_text(here, head, notation), wanted)]
        most = max(FEWEST_FOLLOWED, WAYS_FOLLOWED // max(1, len(heads)))
        ways = (way for head in heads for way in islice(_RowSearch(here, notation, wanted, inside).ways(head), most))
        fits = [(_fit(_part_text(here, way, notation), wanted) if wanted else PREFIX, way) for way in ways]
        for fit, way in sorted(fits, key=lambda one: one[0]):
            if fit <= CONTAINED and (fit == CONTAINED) is inside:
                canonical = _part_text(here, way, notation, played=False)
                yield fit, canonical if _fit(canonical, wanted) == fit else _part_text(here, way, notation), way


def _heads(here: Position) -> list[Way]:
    """Return the beginnings of all ways to go on: each push, or a pass, or nothing if the push is played."""
    return [Way((), here)] if here.pushed else [Way((), here).then(action) for action in legal(here)]


def _agree(text: str, wanted: str) -> bool:
    plain = normalise_typed(text)
    return plain.startswith(wanted) or wanted.startswith(plain)


def _fit(text: str, wanted: str) -> int:
    plain = normalise_typed(text)
    if plain == wanted:
        return EXACT
    return PREFIX if plain.startswith(wanted) else CONTAINED if wanted in plain else CONTAINED + 1


def _part_text(here: Position, way: Way, notation: Notation, *, played: bool = True) -> str:
    """Return the text of a way to go on. One that takes nothing is `-`."""
    text = overboard_text(here, way.actions, notation, played=played)
    return text or (NONE_SIGN if way.actions else "")


class _RowSearch:
    """A search for ways through the rows after `here` whose text begins with `wanted`, or is any text at all.

    A way ends with the turn, or before a question to the other player.
    """

    def __init__(self, here: Position, notation: Notation, wanted: str, any_text: bool) -> None:
        self.here, self.notation, self.wanted, self.any_text = here, notation, wanted, any_text
        self.seen = set[tuple[Position, int]]()

    def ways(self, head: Way) -> Iterator[Way]:
        """Yield the ways that begin with `head`. Among orders that match as far, only one is followed."""
        going = [head]
        while going:
            way = going.pop()
            if not self._is_new(way):
                continue
            if _is_part_over(way.end, self.here.mover, self.here.decider):
                yield way
            else:
                going += [way.then(action) for action in reversed(legal(way.end))]

    def _is_new(self, way: Way) -> bool:
        """Return whether a way still fits, and no way that matches as far has led to its position."""
        matched = 0
        if way.end.stage is None and self.wanted and not self.any_text:
            plain = normalise_typed(_part_text(self.here, way, self.notation))
            matched = min(len(plain), len(self.wanted))
            if plain[:matched] != self.wanted[:matched]:
                return False
        elif self.wanted and not self.any_text:
            return True  # inside a row the text is not known yet
        known = (way.end, matched)
        if known in self.seen:
            return False
        self.seen.add(known)
        return True


def _is_part_over(position: Position, mover: Colour, author: Colour | None) -> bool:
    return position.mover is not mover or not position.noted or author not in (None, position.decider)


def _ways_on(way: Way, author: Colour | None) -> Iterator[Way]:
    """Yield ways through the rows to the end of the turn or, with an author, to a question to the other player.

    Each position is met once, in the first way that leads to it.
    """
    mover, seen = way.end.mover, set[Position]()
    going = [way]
    while going:
        here = going.pop()
        if here.end in seen:
            continue
        seen.add(here.end)
        if _is_part_over(here.end, mover, author):
            yield here
        else:
            going += [here.then(action) for action in reversed(legal(here.end))]


def resembling_turns(
    start: Position, done: Sequence[Action], text: str, notation: Notation, distance: Distance, in_play: bool
) -> Iterator[str]:
    """Yield turns that resemble a text, the likeliest first. They begin with the actions `done`.

    In play, each is only what comes after `done`, up to a question to the other player, as it can be typed. Otherwise
    they are whole turns, with the opponent's answers. `distance` compares two texts. The text itself is left out. In a
    crowded position only some turns are compared.
    """
    begun, wanted = play_along(start, done), normalise_typed(text)
    author = begun.end.decider if in_play else None
    heads = [begun] if begun.end.pushed else [begun.then(action) for action in legal(begun.end)]

    def rest(way: Way, *, played: bool = False) -> str:
        after = way._replace(actions=way.actions[len(begun.actions) :])
        return _part_text(begun.end, after, notation, played=played)

    def cost(way: Way) -> int:
        texts = {overboard_text(start, way.actions, notation, played=True), rest(way, played=True)}
        return min(distance(wanted, normalise_typed(one)) for one in texts)

    def head_cost(way: Way) -> int:
        head = wanted.partition(";")[0]
        return distance(head, normalise_typed(overboard_text(start, way.actions[:1], notation)))

    likely = nsmallest(PUSHES_COMPARED, heads, key=head_cost)
    ways = [way for head in likely for way in islice(_ways_on(head, author), WAYS_COMPARED)]
    for way in sorted(ways, key=cost):
        written = rest(way) if in_play else overboard_text(start, way.actions, notation)
        if written and normalise_typed(written) != wanted:
            yield written
