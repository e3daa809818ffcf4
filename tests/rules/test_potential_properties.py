"""Properties of games with potentials: pieces are conserved, symmetries change nothing, no position is stuck."""

from dataclasses import replace
from random import Random

import pytest

from gipfbot.rules import Colour, Position, Ruleset, legal, perft, play, start
from gipfbot.rules.geometry import BIT
from gipfbot.rules.ruleset_names import ruleset_named
from tests.rules.generate_loaded import LOADED, built, power_seeking
from tests.rules.helpers import SYMMETRIES
from tests.support.effort import amount

GAMES, LONGEST = amount(test=4, long=60), 400


def total(position: Position, colour: Colour) -> int:
    """Return a player's basic pieces on the board, under others, in reserve and captured."""
    stacks = [(piece, *piece.under) for piece in position.pieces().values()]
    own = [piece.kind.worth for stack in stacks for piece in stack if piece.owner is colour]
    return sum(own) + position.reserve[colour] + position.captured[colour]


def potentials(position: Position, colour: Colour, letter: str) -> int:
    """Return a player's potentials of one kind on the board, under others and still to enter."""
    letters = [one for one, _ in position.rules.potentials]
    stacks = [(piece, *piece.under) for _, piece in position.odd]
    on_board = sum(one.owner is colour and one.kind.upper() == letter for stack in stacks for one in stack)
    return on_board + position.left[colour][letters.index(letter)]


def check_totals(before: Position, after: Position) -> None:
    """Check that no piece is lost or made, and that potentials only leave the game."""
    for colour in Colour:
        assert total(after, colour) == after.rules.pieces
        assert min(after.reserve[colour], after.captured[colour], *after.left[colour]) >= 0
        for letter, agreed in after.rules.potentials:
            assert potentials(after, colour, letter) <= potentials(before, colour, letter) <= agreed
    white, black = after.owned
    assert white & black == 0
    assert after.gipf & ~(white | black) == 0
    assert all(bit & after.owned[piece.owner] for bit, piece in after.odd)


@pytest.mark.usefixtures("untraced")
@pytest.mark.parametrize("rules", LOADED, ids=lambda rules: rules.name)
def test_games_end_or_go_on_without_a_stuck_position(rules: Ruleset) -> None:
    """The players seek rows and uses. The totals hold after each action."""
    for seed in range(GAMES):
        position, rng, turns = start(rules), Random(seed), 0
        while turns < LONGEST and (actions := legal(position)):
            assert len({*actions}) == len(actions)
            after = play(position, power_seeking(position, actions, rng))
            check_totals(position, after)
            turns += after.mover is not position.mover
            position = after
        assert position.result or turns == LONGEST


def mirrored(position: Position, symmetry: dict[str, str]) -> Position:
    """Return the image of a position at the start of a turn (R1.5)."""
    to = {bit: BIT[symmetry[spot]] for spot, bit in BIT.items()}

    def image(mask: int) -> int:
        return sum(to[bit] for bit in to if mask & bit)

    odd = tuple(sorted((to[bit], piece) for bit, piece in position.odd))
    return position._replace(
        owned=(image(position.owned[0]), image(position.owned[1])), gipf=image(position.gipf), odd=odd
    )


@pytest.mark.usefixtures("untraced")
def test_the_twelve_images_have_the_same_counts() -> None:
    compared = 0
    for seed in range(amount(test=10, long=300)):
        position = built(LOADED[seed % len(LOADED)], Random(seed))
        if len(legal(position)) > 60:
            continue
        (count,) = perft(position, 1)
        assert all(tuple(*perft(mirrored(position, one), 1)) == count for one in SYMMETRIES)
        compared += 1
    assert compared > 2


def test_a_rule_set_with_potentials_is_stored_by_value() -> None:
    """One stored before there were potentials has none."""
    rules = ruleset_named("tournament+Z3P6")
    assert Ruleset.from_data(rules.data()) == rules
    old = {key: value for key, value in rules.data().items() if key != "potentials"}
    assert Ruleset.from_data(old) == replace(rules, potentials=())
