"""A whole Tournament game on the demo's page, on a phone, by buttons alone."""

import pytest
from playwright.sync_api import Locator, expect

from gipfbot.rules import Kind, Position, Push, Remove, play
from gipfbot.rules.changes import moves
from gipfbot.rules.pending import RowChoice, question
from gipfbot.ui.kit.text_parts import turn_place

from .driver import Visitor
from .table import CROSSING, PLAYERS, challenge, removes_first, sees_the_board, steps, was_played

pytestmark = pytest.mark.browser


@pytest.mark.slow
def test_a_tournament_game_by_buttons_alone(visitor: Visitor) -> None:
    game = challenge(visitor)
    asked: set[str] = set()
    for step in steps("tournament-21.txt"):
        visitor.look_as(PLAYERS[step.before.mover])
        visitor.press(visitor.public, "Remove" if removes_first(step.before) else "Move")
        desk = visitor.private(f"{game} vs {PLAYERS[step.before.mover.other]} · you play")
        expect(desk).to_contain_text(turn_place(step.turn_number))
        position = step.before
        for action in step.actions:
            if isinstance(action, Push):
                push(visitor, desk, position, action)
            elif isinstance(action, Remove):
                asked |= remove(visitor, desk, position, action)
            position = play(position, action)
        was_played(visitor, step)
        sees_the_board(visitor, game, step)
    assert asked == {"before", "after", "crossing", "kept", "taken", "no choice"}
    visitor.look_as("Ann")
    expect(visitor.public).to_contain_text("@Ann @Bob Ann (White) wins")


def push(visitor: Visitor, desk: Locator, position: Position, action: Push) -> None:
    """Choose the piece, the dot and the direction, and push."""
    dot, furthest = action.dot, moves(position, action)[0][1]
    if position.opening[position.mover]:
        assert visitor.buttons(desk) == ["GIPF-piece", "Basic piece"]
        if not position.pieces():
            visitor.press(desk, "Basic piece")
            expect(visitor.private()).to_contain_text("No basic piece yet")
        visitor.press(desk, "GIPF-piece" if action.kind is Kind.GIPF else "Basic piece")
    expect(desk).to_contain_text("Nothing is final until you press Push")
    visitor.choose(desk, dot)
    expect(desk).to_contain_text(f"Push from {dot}?")
    visitor.picture(desk)
    if f"Push {dot}→{furthest}" not in visitor.buttons(desk):
        visitor.press(desk, "Other direction")
    visitor.press(desk, f"Push {dot}→{furthest}")


def remove(visitor: Visitor, desk: Locator, position: Position, action: Remove) -> set[str]:
    """Answer the question about a row; return the kinds of choices that it had."""
    asked = question(position)
    assert asked
    if asked.forced == action:
        expect(desk).to_contain_text("Your row came off")
        return {"no choice"}
    decided = {"after" if asked.pushed else "before"}
    group = next(group for group in asked.groups if any(row.line == action.on for row in group))
    row = next(row for row in group if row.line == action.on)
    if len(group) > 1:
        expect(desk).to_contain_text(CROSSING)
        labels = visitor.buttons(desk)
        assert [label[0] for label in labels] == ["A", "B"]
        visitor.press(desk, next(label for label in labels if ends(row) in label))
        decided.add("crossing")
    expect(desk).to_contain_text(f"ow {ends(row)} ")
    visitor.picture(desk)
    for number, toggle in enumerate(row.toggles, 1):
        name, taken = f"{number} {' '.join(toggle)}", {*toggle} <= {*action.spots}
        decided.add("taken" if taken else "kept")
        if taken or len(group) > 1:
            visitor.press(desk, f"{name}: keep")
        if not taken and len(group) > 1:  # and back again
            visitor.press(desk, f"{name}: take")
    visitor.press(desk, "Done")
    return decided


def ends(row: RowChoice) -> str:
    return f"{row.stretch[0]}–{row.stretch[-1]}"
