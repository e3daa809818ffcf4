"""Both notations: every turn has one text in each, and each text is read as that turn."""

from collections.abc import Iterator
from functools import cache
from itertools import islice
from random import Random

import pytest

from gipfbot.notation import JULIO974, NOTATIONS, OFFICIAL, Notation, parse_turn, turn_text
from gipfbot.rules import PASS, PRESETS, Action, Colour, Kind, Position, Push, Remove, build, legal, open_rows, turns
from gipfbot.rules.geometry import LINES, SPOTS
from tests.notation.helpers import along, game, random_pieces
from tests.support.effort import amount

GAMES = {  # seeds
    "basic": range(amount(test=3, long=100)),
    "standard": range(amount(test=6, long=300)),
    "tournament": range(0, amount(test=24, long=600), amount(test=2, long=1)),
}
HARD_TURNS = {"basic": set[str](), "standard": set[str](), "tournament": {"two removals", "a GIPF-piece", "a pass"}}


def hard_turns(actions: tuple[Action, ...]) -> Iterator[str]:
    """Yield the names of the hard cases in a turn."""
    removals = sum(isinstance(action, Remove) for action in actions)
    yield from ["a removal"] if removals else []
    yield from ["two removals"] if removals > 1 else []
    yield from ["a removal before the push"] if isinstance(actions[0], Remove) else []
    yield from ["a GIPF-piece" for action in actions if isinstance(action, Push) and action.kind is Kind.GIPF]
    yield from ["a pass"] if PASS in actions else []


@pytest.mark.usefixtures("untraced")
@pytest.mark.parametrize("rules", GAMES)
def test_both_agree_on_every_position_of_many_games(rules: str) -> None:
    """Each notation reads its own text of a turn. Both write the same text of a turn that the other has read."""
    met = set[str]()
    for seed in GAMES[rules]:
        for position, actions in game(rules, seed):
            met |= {*hard_turns(actions)}
            end = along(position, actions)
            official, julio974 = (turn_text(position, actions, notation) for notation in (OFFICIAL, JULIO974))
            read, other = parse_turn(position, official), parse_turn(position, julio974, JULIO974)
            assert along(position, read) == along(position, other) == end, (official, julio974)
            if len(actions) > 1:
                assert turn_text(position, other) == official
                assert turn_text(position, read, JULIO974) == julio974
    assert met >= {"a removal", "a removal before the push"} | HARD_TURNS[rules]


# ── Crowded boards ──


def small(seed: int) -> Position | None:
    """Return a position with a few rows of White, most of them crossing, and GIPF-pieces in and around them.

    Reserves may be empty, and rows of Black may stand. Return None if the game would be over in the position.
    """
    rng = Random(seed)
    white: dict[str, None] = {}
    for line in rng.sample(LINES, rng.randint(1, 4)):
        length = rng.randint(4, len(line.spots))
        first = rng.randint(0, len(line.spots) - length)
        white |= dict.fromkeys(line.spots[first : first + length])
    if rng.random() < 0.3:
        white.pop(rng.choice([*white]))
    left = [spot for spot in SPOTS if spot not in white]
    along_a_line = [spot for spot in rng.choice(LINES).spots if spot in left]
    black = dict.fromkeys([*along_a_line, *rng.sample(left, rng.randint(1, min(12, len(left))))])
    rules = PRESETS[rng.choice(["standard", "tournament"])]
    sides = tuple(random_pieces([*spots], rng, (0.2, 0.5, 0.8, 1)) for spots in (white, black))
    lost = [rng.choice([0, 0, 1, 2]) for _ in sides]
    worth = [sum(1 + (kind is Kind.GIPF) for kind, _ in side) for side in sides]
    captured = [18 - has - some if rng.random() < 0.4 else 0 for has, some in zip(worth, lost, strict=True)]
    position = build(rules, Colour.WHITE, (sides[0], sides[1]), (max(0, captured[0]), max(0, captured[1])))
    whole = all(sides) and min(position.reserve) >= 0 and all(own & position.gipf for own in position.owned)
    return position if whole and legal(position) else None


SEEDS = amount(test=40, long=110)
HARD = amount(test=2, long=11)  # positions at least, of each hard sort
MOST = amount(test=25, long=50)  # turns of one position
POSITIONS = [position for seed in range(SEEDS) if (position := small(seed))]


@cache
def full_turns(position: Position) -> list[tuple[tuple[Action, ...], Position]]:
    return [(turn.actions, end) for turn, end in islice(turns(position), MOST)]


@pytest.mark.usefixtures("untraced")
@pytest.mark.parametrize("notation", NOTATIONS.values(), ids=NOTATIONS)
def test_no_two_turns_have_one_text(notation: Notation) -> None:
    """Each full turn in crowded positions has its own text, and is read back from it with the same position after."""
    count = 0
    for position in POSITIONS:
        texts = set()
        for actions, end in full_turns(position):
            text = turn_text(position, actions, notation)
            read = parse_turn(position, text, notation)
            assert along(position, read) == end, text
            assert text not in texts, "two turns have one text"
            texts.add(text)
        count += len(texts)
    assert count > 20 * SEEDS


def test_the_crowded_positions_have_every_hard_case() -> None:
    """These are rows of both colours, rows that cross two others, empty reserves, offers, and turns without a push."""
    rows = {position: open_rows(position) for position in POSITIONS}
    theirs = [p for p in POSITIONS if open_rows(p._replace(mover=Colour.BLACK)) and rows[p]]
    assert len(theirs) >= HARD
    crossed = [any(sum(bool(a.stretch & b.stretch) for b in found) > 2 for a in found) for found in rows.values()]
    assert sum(crossed) >= HARD
    assert sum(not position.reserve[0] for position in POSITIONS) >= HARD
    assert sum(any(not row.due for row in found) for found in rows.values()) >= HARD
    ended = [actions for position in POSITIONS for actions, end in full_turns(position) if end.result]
    assert len(ended) > SEEDS // 2
