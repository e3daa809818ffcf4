"""Games between ann (White) and bob (Black), from any position."""

from dataclasses import replace

from gipfbot.match import Game, new_game, perform, position_after, read_typed_turn
from gipfbot.notation import parse_action_code, parse_position
from gipfbot.rules import STANDARD, Position, Ruleset
from tests.support.people import ANN, BOB

SEATS = ANN, BOB

# White's row on line e (e2-e5, no choice) was made by Black's push.
ROW_DUE = "basic w W=e2,e3,e4,e5 B=b2,b3 reserve=11-13 captured=0-0"
# Two disjoint rows of White: line b leaves no choice, line g holds a GIPF-piece.
TWO_ROWS = "standard w W=b2,b3,b4,b5,g2,g3,g4,Gg5 B=Ge8,Gh2 reserve=9-14 captured=0-0"
# White's push b1-b5 makes a row b2-b5 with a GIPF-piece of White in it.
CHOICE = "standard w W=b2,b3,Gb4,Ge2 B=Ge8,Gh2 reserve=12-14 captured=0-0"
# White's push Ge1-e5 makes a row of four GIPF-pieces: an offer.
OFFER = "tournament w W=Ge2,Ge3,Ge4 B=Ge8 reserve=12-16 captured=0-0 opening=wb"


def game(line: str | Position | None = None, ruleset: Ruleset = STANDARD, number: int = 0) -> Game:
    """Return a game at its start, or at a position given as a line."""
    fresh = new_game(7, ruleset, SEATS)
    if line is None:
        return fresh
    position = parse_position(line) if isinstance(line, str) else line
    return replace(fresh, ruleset=position.rules, position=position, turn_number=number)


def go_on(playing: Game, by: int, *written: str) -> Game:
    """Return the game after actions of a player, by their codes such as `a4b4`."""
    return perform(playing, by, [parse_action_code(code) for code in written]).game


def typed(playing: Game, by: int, text: str) -> Game:
    """Return the game after a typed turn."""
    return perform(playing, by, read_typed_turn(playing, by, text)).game


__all__ = [
    "CHOICE",
    "OFFER",
    "ROW_DUE",
    "SEATS",
    "TWO_ROWS",
    "game",
    "go_on",
    "position_after",
    "typed",
]
