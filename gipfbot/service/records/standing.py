"""Positions that stand in a person's running games: there they must find their turns themselves."""

from collections.abc import Iterable, Sequence

from gipfbot.notation import parse_position, position_text
from gipfbot.notation.symmetric_turns import find_representative
from gipfbot.rules import STANDARD, TOURNAMENT, Position
from gipfbot.service.kit.aside import Aside
from gipfbot.store import Store, explorer
from gipfbot.values import StandingPosition


async def find_in_own_games(
    store: Store, aside: Aside, user: int, positions: Iterable[Position]
) -> StandingPosition | None:
    """Return the first position of a person's running games that is also one of these, up to symmetry; or None."""
    async with store.reading() as db:
        standing = await explorer.standing_positions(db, user)
    return await aside.run(user, find_standing, standing, positions)


def find_standing(standing: Sequence[StandingPosition], positions: Iterable[Position]) -> StandingPosition | None:
    """Return the first of the positions of running games that is also one of `positions`, up to symmetry; or None.

    Standard and Tournament are played alike once no GIPF-piece can be brought in any more (R5).
    """
    by_words = dict[tuple[str, ...], list[StandingPosition]]()
    for each in standing:
        by_words.setdefault(_without_pieces(each.line), []).append(each)
    for position in positions if by_words else ():
        for each in by_words.get(_without_pieces(position_text(position)), ()):  # few games are left to be read
            there = parse_position(each.line, {each.ruleset.name: each.ruleset})
            if find_representative(_common(there)).key == find_representative(_common(position)).key:
                return each
    return None


def _common(position: Position) -> Position:
    """Return a position of Standard as one of Tournament, and any other as it is."""
    return position._replace(rules=TOURNAMENT) if position.rules == STANDARD else position


def _without_pieces(line: str) -> tuple[str, ...]:
    """Return the words of a position line that no symmetry changes, for Standard those of Tournament."""
    rules, *words = line.split()
    common = TOURNAMENT.name if rules == STANDARD.name else rules
    return common, *(word for word in words if not word.startswith(("W=", "B=")))
