"""Games and positions to measure with, the same in every run."""

from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from random import Random

from gipfbot.match import Game, Seat, new_game, perform
from gipfbot.notation import NotationError, parse_position, position_text
from gipfbot.rules import (
    STANDARD,
    TOURNAMENT,
    Action,
    Colour,
    Kind,
    Position,
    Ruleset,
    build,
    legal,
    play,
    start,
    turns,
)
from gipfbot.rules.geometry import LINES, SPOTS

SEATS = Seat(1, "Anneliese"), Seat(2, "Bob")
WORST = Path(__file__).parents[2] / "tests" / "data" / "worst.txt"
# What may stand in place of a piece: its letter, what it covers, and how many pieces it takes of both players.
TOPS = {
    Kind.BASIC: (("", "", 1, 0), ("", "[G]", 1, 2), ("Z", "", 1, 0), ("P", "", 1, 0), ("p", "[P]", 0, 1)),
    Kind.GIPF: (("G", "", 2, 0), ("G", "", 2, 0), ("G", "[G]", 2, 2)),
}
CONSIDERED = 200  # turns compared in a position, to play the one that keeps the game going longest


def random_match(rng: Random, rules: Ruleset = STANDARD) -> Iterator[Game]:
    """Play a random game to its end, of Standard if no rules are given. Yield the game after each turn."""
    game = new_game(1, rules, SEATS)
    while game.asked is not None:
        done = perform(game, game.seats[game.asked].user, [rng.choice(legal(game.current))])
        game = done.game
        if done.turn:
            yield game


def random_positions(rng: Random, rules: Ruleset = STANDARD) -> Iterator[Position]:
    """Yield without end the positions after the turns of random games, except those that end a game."""
    while True:
        yield from (game.position for game in random_match(rng, rules) if game.asked is not None)


def lasting_game(rng: Random) -> Iterator[tuple[Action, ...]]:
    """Yield the turns of a Standard game whose players avoid its end: they capture little and refill their reserves."""
    position = start(STANDARD)
    while True:
        choices = [(turn, after) for turn, after in islice(turns(position), CONSIDERED) if not after.result]
        turn, position = max(choices, key=lambda each: (*_lasting_score(each[1]), rng.random()))
        yield turn.actions


def _lasting_score(position: Position) -> tuple[int, int]:
    return -sum(position.captured), sum(position.reserve)


def worst_positions() -> list[Position]:
    """Return the stored positions in which completing a turn takes longest."""
    lines = (line for line in WORST.read_text(encoding="utf-8").splitlines() if line and not line.startswith("#"))
    return [parse_position(line.partition(" ")[2]) for line in lines]


def crowded_position(rng: Random) -> Position:
    """Return a random position in which rows of the mover cross in one spot and contain many GIPF-pieces."""
    while True:
        position = _build_crowd(rng)
        try:
            return parse_position(position_text(position))
        except NotationError:
            continue


def crowded_with_stacks(rng: Random) -> Position:
    """Return a random crowded position of a game with both potentials: pieces are loaded, used, or cover others."""
    while True:
        try:
            return parse_position(_decorated_line(_build_crowd(rng), rng))
        except NotationError:
            continue


def _decorated_line(position: Position, rng: Random) -> str:
    """Return the position line of a crowd with other pieces in it. The position need not be possible."""
    sides, spent = (list[str](), list[str]()), [0, 0]
    for spot, piece in position.pieces().items():
        top, under, own, other = rng.choice(TOPS[piece.kind])
        sides[piece.owner].append(f"{top}{spot}{under}")
        spent[piece.owner] += own
        spent[piece.owner.other] += other
    white, black = (",".join(sorted(side, key=lambda text: text.lstrip("GZPp"))) for side in sides)
    reserve = "-".join(str(TOURNAMENT.pieces - number) for number in spent)
    return f"tournament+Z6P6 w W={white} B={black} reserve={reserve} captured=0-0 left=Z0P0-Z0P0"


def _build_crowd(rng: Random) -> Position:
    centre, share = rng.choice(SPOTS), rng.choice((0.3, 0.6, 1.0))
    white: dict[str, Kind] = {}
    through = [line for line in LINES if centre in line.spots]
    for line in rng.sample(through, rng.choice((2, 3))):
        first = rng.randrange(len(line.spots) - 3)
        for spot in line.spots[first : first + rng.choice((4, 4, 5, 6))]:
            white[spot] = Kind.GIPF if rng.random() < share else Kind.BASIC
    vacant = [spot for spot in SPOTS if spot not in white]
    black = dict.fromkeys(rng.sample(vacant, rng.randrange(13)), Kind.BASIC) | {vacant[0]: Kind.GIPF}
    sides = tuple((kind, spot) for spot, kind in white.items()), tuple((kind, spot) for spot, kind in black.items())
    return build(TOURNAMENT, Colour.WHITE, sides)


def random_partial_turn(position: Position, rng: Random) -> tuple[Action, ...]:
    """Play a random turn, and return its actions without the last one. The result may be empty."""
    actions: tuple[Action, ...] = ()
    now = position
    while now.mover is position.mover and now.result is None:
        action = rng.choice(legal(now))
        now = play(now, action)
        actions += (action,)
    return actions[:-1]
