"""Positions in a few words, games that seek rows, and crowded boards, for the tests of the notation and the tools."""

from functools import lru_cache
from random import Random

from gipfbot.rules import PRESETS, Action, Colour, Kind, Position, Push, build, legal, play, start
from gipfbot.rules.geometry import LINES, SPOTS
from tests.rules.helpers import board

SHARES = 0, 0.3, 0.6, 1  # of the GIPF-pieces among the pieces of a side
Game = list[tuple[Position, tuple[Action, ...]]]

# Rule sets of each course of a turn, with and without potentials.
EACH_COURSE = "basic", "standard", "tournament", "standard+Z3", "tournament+Z6P6", "basic+Z6", "overboard"


def at(text: str) -> Position:
    """Return the position of a line without its numbers: `basic w W=e2 B=`; what is not on the board is in reserve."""
    name, mover, white, black, *rest = text.split()
    fields = dict(word.split("=") for word in rest)
    position = board(f"{name} {mover}", white, black, fields.get("captured", "0-0"), fields.get("opening", ""))
    return position._replace(pushed=fields.get("step") == "after")


def along(position: Position, actions: tuple[Action, ...]) -> Position:
    """Return the position after these actions."""
    for action in actions:
        position = play(position, action)
    return position


def standing(position: Position) -> tuple[tuple[int, int], int]:
    """Return the pieces on the board, without the reserves and the player to move."""
    return position.owned, position.gipf


def _appeal(position: Position, push: Push) -> int:
    """Return how much a player who seeks rows likes a push: rows first, then GIPF-pieces while they have few."""
    after = play(position, push)
    return 2 * (after.mover is position.mover) + (push.kind is Kind.GIPF and position.gipf.bit_count() < 6)


@lru_cache(maxsize=200)
def game(rules: str, seed: int, most: int = 200) -> Game:
    """Return a random game: for each turn the position before it and its actions, some in an unusual order."""
    rng, position, turns = Random(seed), start(PRESETS[rules]), Game()
    while position.result is None and len(turns) < most:
        actions = _turn(position, rng)
        turns.append((position, actions))
        position = along(position, actions)
    return turns


def _turn(position: Position, rng: Random) -> tuple[Action, ...]:
    actions: list[Action] = []
    now = position
    while now.mover is position.mover and now.result is None:
        choices = legal(now)
        pushes = [action for action in choices if isinstance(action, Push)]
        if pushes and (len(pushes) == len(choices) or rng.random() < 0.7):
            appeals = [(_appeal(now, push), rng.random(), push) for push in rng.sample(pushes, min(8, len(pushes)))]
            action: Action = max(appeals)[-1]
        else:
            action = rng.choice(choices)
        actions.append(action)
        now = play(now, action)
    return tuple(actions)


@lru_cache(maxsize=200)
def crowded(seed: int) -> Position:
    """Return a position with several crossing rows of White and many GIPF-pieces, before or after White's push."""
    rng = Random(seed)
    spots: dict[str, None] = {}
    for line in rng.sample(LINES, rng.randint(2, 5)):
        length = rng.randint(4, len(line.spots))
        first = rng.randint(0, len(line.spots) - length)
        spots |= dict.fromkeys(line.spots[first : first + length])
    white = random_pieces(list(spots), rng, SHARES)
    left = [spot for spot in SPOTS if spot not in {taken for _, taken in white}]
    black = random_pieces(rng.sample(left, rng.randint(5, 18)), rng, SHARES)
    return build(PRESETS["tournament"], Colour.WHITE, (white, black))._replace(pushed=rng.random() < 0.5)


def random_pieces(spots: list[str], rng: Random, shares: tuple[float, ...]) -> tuple[tuple[Kind, str], ...]:
    """Return the pieces of one side on these spots, as many as it has. One of the shares of them is GIPF-pieces."""
    pieces, left, share = [], 18, rng.choice(shares)
    for spot in spots:
        kind = Kind.GIPF if rng.random() < share else Kind.BASIC
        left -= 1 + (kind is Kind.GIPF)
        if left >= 0:
            pieces.append((kind, spot))
    return tuple(pieces)
