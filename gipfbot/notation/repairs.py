"""Find the change of one turn that makes a broken record playable."""

import re
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from gipfbot.rules import Action, Position

from .errors import IllegalTurn, NotationError
from .normalise import WrittenTurn
from .notations import Notation
from .removal_steps import play_along
from .suggest import suggest_turns
from .turns import parse_written, read_written

BACK = 8  # turns before the unplayable one that may be changed
FARTHEST = 4  # most cost of a change: 2 for a letter or digit of a dot or spot, 1 for any other character
TRIED = 12  # replacements tried for each turn
REPLAYED = 1_000  # turns played in a whole search

_RESERVE_AT_END = re.compile(r"\s*\([0-9 ]+\)?\Z")  # no suggested turn has one
_NAMES = {*"abcdefghi123456789"}


class Repair(NamedTuple):
    """A change of one turn of a record, from `text` to `replacement`. `turn_number` counts from 1."""

    turn_number: int
    text: str
    replacement: str


def read_recorded_turn(
    position: Position, text: str, notation: Notation
) -> tuple[WrittenTurn, tuple[Action, ...], bool]:
    """Return a turn as written, its actions, and whether it names the spot next to its dot, as some programs write it.

    It is read so only if the official reading is impossible.
    """
    written = read_written(position, text, notation)
    try:
        return written, parse_written(position, written, text, notation), False
    except IllegalTurn as fault:
        if fault.code != "furthest":
            raise
    return written, parse_written(position, written, text, notation, next_spots=True), True


class _Change(NamedTuple):
    """A replacement for one turn, with its cost. The cheapest sorts first."""

    distance: int
    turn_number: int
    replacement: str


def find_repair(positions: Sequence[Position], texts: Sequence[str], notation: Notation) -> Repair | None:
    """Return the smallest change to one turn that makes all turns playable.

    None if there is no such change, if several are equally small, if the change is in the last turn, or if the search
    takes too long. `positions` holds the position before each turn, up to the first turn that cannot be played. `texts`
    holds all turns. The change replaces the unplayable turn, or one of the 8 turns before it, by a legal turn that
    differs in a few characters.
    """
    left = REPLAYED
    for _, changes in groupby(
        sorted(_candidate_changes(positions, texts, notation)), key=lambda change: change.distance
    ):
        fitting = []
        for change in changes:
            rest = [change.replacement, *texts[change.turn_number :]]
            played = count_playable(positions[change.turn_number - 1], rest[:left], notation)
            left -= played
            if left <= 0:
                return None
            if played == len(rest):
                fitting.append(change)
        if fitting:
            _, number, instead = fitting[0]
            return Repair(number, texts[number - 1], instead) if len(fitting) == 1 and number < len(texts) else None
    return None


def _candidate_changes(positions: Sequence[Position], texts: Sequence[str], notation: Notation) -> Iterator[_Change]:
    for number in range(max(1, len(positions) - BACK), len(positions) + 1):
        text = _RESERVE_AT_END.sub("", texts[number - 1])
        for instead in suggest_turns(positions[number - 1], (), text, notation, TRIED, far=True):
            apart = _change_cost(text, instead, FARTHEST)
            if apart <= FARTHEST:
                yield _Change(apart, number, instead)


def _change_cost(text: str, other: str, most: int) -> int:
    """Return the cost of changing one text into the other. If the cost is above `most`, return any number above `most`.

    Letters and digits of dots and spots cost more than characters such as `-` or `x`, which people forget more often.
    """
    pairs = enumerate(zip(text, other, strict=False))
    same = next((at for at, (one, two) in pairs if one != two), min(len(text), len(other)))
    old, new = text[same : same + 1], other[same : same + 1]
    if old == new:
        return 0
    ways = (_sign_cost(old), 1, 0), (_sign_cost(new), 0, 1), (max(_sign_cost(old), _sign_cost(new)), 1, 1)
    tried = (
        cost + _change_cost(text[same + cut :], other[same + put :], most - cost)
        for cost, cut, put in ways
        if 0 < cost <= most
    )
    return min(tried, default=most + 1)


def _sign_cost(char: str) -> int:
    return 2 if char in _NAMES else len(char)


def count_playable(position: Position, texts: Sequence[str], notation: Notation) -> int:
    """Return how many turns can be played in order, before the first turn that cannot."""
    for number, text in enumerate(texts):
        try:
            _, actions, _ = read_recorded_turn(position, text, notation)
        except NotationError:
            return number
        position = play_along(position, actions).end
    return len(texts)
