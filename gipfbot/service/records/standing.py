"""Positions that stand in a person's running games: there they must find their turns themselves."""

from collections.abc import Iterable, Sequence

from gipfbot.notation import parse_position, position_text
from gipfbot.notation.symmetric_turns import find_representative
from gipfbot.rules import Position
from gipfbot.values import StandingPosition


def find_standing(standing: Sequence[StandingPosition], positions: Iterable[Position]) -> StandingPosition | None:
    """Return the first of the positions of running games that is also one of `positions`, up to symmetry; or None."""
    by_words = dict[tuple[str, ...], list[StandingPosition]]()
    for each in standing:
        by_words.setdefault(_without_pieces(each.line), []).append(each)
    for position in positions if by_words else ():
        for each in by_words.get(_without_pieces(position_text(position)), ()):  # few games are left to be read
            there = parse_position(each.line, {each.ruleset.name: each.ruleset})
            if find_representative(there).key == find_representative(position).key:
                return each
    return None


def _without_pieces(line: str) -> tuple[str, ...]:
    """Return the words of a position line that no symmetry changes."""
    return tuple(word for word in line.split() if not word.startswith(("W=", "B=")))
