"""Positions with potentials in a few readable words, for the tests of section 7."""

from gipfbot.notation import action_code, parse_action_code, parse_position
from gipfbot.rules import Action, Position, Push, Remove, Use, legal, play
from gipfbot.rules.geometry import LINE, bits, each_bit, neighbours
from gipfbot.rules.powers import Target
from tests.rules.helpers import text as action_text


def at(line: str) -> Position:
    """Return the position of a line whose totals may be left out: what is missing is in reserve.

    `captured=`, `left=` and all that follows may be given; without `left=` no potential is left to enter.
    """
    name, mover, white, black, *fields = line.split()
    given = dict(field.split("=", 1) for field in fields)
    agreed = name.partition("+")[2]
    none = "".join(sign + "0" for sign in agreed if sign.isalpha())
    given.setdefault("captured", "0-0")
    given.setdefault("left", f"{none}-{none}")
    given.setdefault("reserve", "-".join(str(number) for number in _reserves(name, white, black, given["captured"])))
    order = ("reserve", "captured", "opening", "left", "step", "dealt", "result", "by")
    rest = " ".join(f"{key}={given[key]}" for key in order if key in given)
    return parse_position(f"{name} {mover} {white} {black} {rest}")


def _reserves(name: str, white: str, black: str, captured: str) -> tuple[int, int]:
    left = [(15 if name.startswith("basic") else 18) - int(lost) for lost in captured.split("-")]
    for colour, side in enumerate((white, black)):
        for piece in filter(None, side.partition("=")[2].split(",")):
            top, _, under = piece.rstrip("]").partition("[")
            for depth, kind in enumerate([top[:-2], *under]):
                left[(colour + depth) % 2] -= 2 if kind == "G" else 0 if kind.islower() else 1
    return left[0], left[1]


def act(written: str) -> Action:
    """Return the action of a text: `Zc3>c6`, `Ze1-e2`, `e: e2 e3 e4 e5` or `pass`."""
    if ":" in written:
        line, spots = written.split(":")
        return Remove(LINE[line].number, bits(spots.split()))
    return parse_action_code("-" if written == "pass" else written.replace("-", ""))


def then(position: Position, *texts: str) -> Position:
    """Return the position after these actions, each of which must be legal."""
    for written in texts:
        assert act(written) in legal(position), f"{written} is not legal: {sorted(others(position))}"
        position = play(position, act(written))
    return position


def step_targets(position: Position, at: int) -> list[Target]:
    """Return the vacancies next to a spot, for a potential of our own."""
    return [Target(spot) for spot in each_bit(neighbours(at) & ~(position.owned[0] | position.owned[1]))]


def uses(position: Position, spot: str = "") -> set[str]:
    """Return the codes of the legal uses, of one loaded piece if its spot is given."""
    return {action_code(one) for one in legal(position) if isinstance(one, Use) and spot in ("", one.spot)}


def kinds(position: Position) -> set[str]:
    """Return the letters of the kinds that can be pushed; a basic piece has none."""
    return {str(one.kind) for one in legal(position) if isinstance(one, Push)}


def others(position: Position) -> set[str]:
    """Return the texts of the legal removals, and `pass` if it is legal."""
    return {action_text(one) for one in legal(position) if not isinstance(one, Push | Use)}


# The mover's row on column e takes the opponent's top from e6, where it frees a piece of the mover's row on e6-h3.
FREES_OWN = "standard+P6 w W=Gb5,e2,e3,e4,e5,f5,g4,h3 B=Gh2,pe6[P]"
FREES_OWN_GIPF = "standard+P6 w W=Gb5,e2,e3,e4,e5,f5,g4,h3 B=Gh2,e6[G]"
# One piece is left to put down.
POOR = at("standard+P3 w W=Gd2,Pd3 B=Gd4,Ge8 captured=14-0")
