"""Games and boards with potentials: loaded pieces, used potentials and stacks in crowded rows."""

from dataclasses import replace
from random import Random

from gipfbot.rules import (
    Action,
    Colour,
    Kind,
    Piece,
    Position,
    Push,
    Remove,
    Ruleset,
    Use,
    legal,
    open_rows,
    play,
    start,
)
from gipfbot.rules.engine import verdict
from gipfbot.rules.geometry import BIT
from gipfbot.rules.ruleset_names import ruleset_named
from tests.rules.generate import dense, row_seeking

NAMES = ("standard+Z3P3", "tournament+Z6P6", "standard+P6", "tournament+Z4", "basic+Z3P4", "tournament+P3")
LOADED = tuple(map(ruleset_named, NAMES))


def power_seeking(position: Position, actions: tuple[Action, ...], rng: Random) -> Action:
    """Bring in loaded pieces and use them often; otherwise make rows and keep what may stay."""
    uses = [action for action in actions if isinstance(action, Use)]
    if uses and rng.random() < 0.5:
        return rng.choice(uses)
    plain = [action for action in actions if isinstance(action, Push) and action.kind is Kind.BASIC]
    others = [action for action in actions if action not in plain]
    keep = others and not isinstance(others[0], Remove) and rng.random() < 0.9
    return row_seeking(position, tuple(others) if keep else actions, rng)


def reached(rules: Ruleset, rng: Random) -> Position:
    """Return the position at the start of some turn of a game."""
    length, here = rng.randrange(1, 140), start(rules)
    found = here
    for _ in range(length):
        if not (actions := legal(here)):
            break
        here = play(here, power_seeking(here, actions, rng))
        if not here.pushed and not here.dealt and not here.result:
            found = here
    return found


def built(rules: Ruleset, rng: Random) -> Position:
    """Return a crowded position at the start of a turn, with correct totals and with potentials and stacks."""
    while True:
        position = _decorated(dense(rules, rng), rng)
        if min(position.reserve) >= 0 and verdict(position, open_rows(position)) is None and _both_have_gipf(position):
            return position


def _both_have_gipf(position: Position) -> bool:
    sides = zip(position.owned, position.opening, strict=True)
    return not position.rules.gipf_decides or all(side & position.gipf or right for side, right in sides)


def _decorated(position: Position, rng: Random) -> Position:
    """Return the position with some basic pieces loaded or replaced, and with pieces under others."""
    agreed = dict(position.rules.potentials)
    supply = {side: dict.fromkeys(agreed, 0) if position.opening[side] else dict(agreed) for side in Colour}
    pieces, share = position.pieces(), rng.choice((0.2, 0.5, 0.9))
    for spot, piece in list(pieces.items()):
        if not position.opening[piece.owner] and rng.random() < share:
            pieces[spot] = _odd_piece(piece, supply, position.rules, rng)
        elif piece.kind is Kind.GIPF and "P" in agreed and rng.random() < 0.4:
            pieces[spot] = piece._replace(under=_gipfs_below(piece.owner, rng))
    left = tuple(_left(position, colour, supply[colour], rng) for colour in Colour)
    reserve, captured = _totals(position, pieces, rng)
    odd = [(BIT[spot], piece) for spot, piece in pieces.items() if piece.under or piece.kind.loaded or piece.kind.used]
    return position._replace(
        gipf=sum(BIT[spot] for spot, piece in pieces.items() if piece.kind is Kind.GIPF),
        odd=tuple(sorted(odd)),
        left=(left[0], left[1]),
        reserve=(reserve[0], reserve[1]),
        captured=(captured[0], captured[1]),
    )


def _odd_piece(piece: Piece, supply: dict[Colour, dict[str, int]], rules: Ruleset, rng: Random) -> Piece:
    """Return a piece of the same owner with a potential in it or, on a GIPF-piece, without; or the piece itself."""
    mine, theirs = supply[piece.owner], supply[piece.owner.other]
    letter = rng.choice([*mine])
    if piece.kind is Kind.GIPF or not mine[letter]:
        return piece
    if "P" in mine and rules.gipf_decides and rng.random() < 0.3:
        return Piece(piece.owner, Kind.BASIC, _gipfs_below(piece.owner, rng))
    if letter == "P" and rng.random() < 0.5:
        if not theirs["P"]:
            return piece
        mine["P"] -= 1
        theirs["P"] -= 1
        lowest = Piece(piece.owner.other, Kind("P"))
        if mine["P"] and theirs["P"] and rng.random() < 0.3:
            mine["P"] -= 1
            theirs["P"] -= 1
            under = Piece(piece.owner.other, Kind("p")), Piece(piece.owner, Kind("p"))
            return Piece(piece.owner, Kind("p"), (*under, lowest))
        return Piece(piece.owner, Kind("p"), (lowest,))
    mine[letter] -= 1
    return Piece(piece.owner, Kind(letter.lower() if letter == "Z" and rng.random() < 0.3 else letter))


def _gipfs_below(owner: Colour, rng: Random) -> tuple[Piece, ...]:
    one, other = Piece(owner.other, Kind.GIPF), Piece(owner, Kind.GIPF)
    return (one, other) if rng.random() < 0.3 else (one,)


def _left(position: Position, colour: Colour, supply: dict[str, int], rng: Random) -> tuple[int, ...]:
    if position.opening[colour]:
        return tuple(dict(position.rules.potentials).values())
    some = rng.random() < 0.5
    return tuple(rng.randrange(number + 1) if some else 0 for number in supply.values())


def _totals(position: Position, pieces: dict[str, Piece], rng: Random) -> tuple[list[int], list[int]]:
    """Return reserves and captured pieces so that all pieces add up. A negative reserve says that they cannot."""
    reserve, captured = [0, 0], [0, 0]
    for colour in Colour:
        every = [one for piece in pieces.values() for one in (piece, *piece.under) if one.owner is colour]
        rest = position.rules.pieces - sum(one.kind.worth for one in every)
        reserve[colour] = min(rest, rng.choice((0, 1, 2, 3, rest)))
        captured[colour] = max(0, rest - reserve[colour])
    return reserve, captured


def without_potentials(rules: Ruleset) -> Ruleset:
    """Return the rule set without its potentials."""
    return replace(rules, name=rules.name.partition("+")[0], potentials=())
