"""A whole Tournament game on the demo's page, on a phone, by buttons alone."""

import pytest
from playwright.sync_api import Locator, expect

from gipfbot.rules import Position, Push, Remove, play
from gipfbot.rules.changes import moves
from gipfbot.rules.pending import RowChoice, question
from gipfbot.ui.desk.desk_texts import kind_label
from gipfbot.ui.kit import texts
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
        visitor.press(visitor.public, texts.REMOVE_LABEL if removes_first(step.before) else texts.MOVE_LABEL)
        desk = visitor.private(f"{game} vs {PLAYERS[step.before.mover.other]} · your turn")
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
    """Choose the piece and the dot, and push."""
    dot, furthest = action.dot, moves(position, action)[0][1]
    switch = kind_label(action.kind)
    if switch in visitor.buttons(desk):
        visitor.press(desk, switch)
    expect(desk).to_contain_text("Choose the dot for your")
    visitor.press(desk, dot)
    expect(desk).to_contain_text(f"is on {dot}. Where do you push it?")
    visitor.picture(desk)
    visitor.press(desk, next(label for label in visitor.buttons(desk) if label.split(" · ")[0] == f"→ {furthest}"))


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
        assert [label[0] for label in labels[:2]] == ["A", "B"]
        visitor.press(desk, next(label for label in labels if ends(row) in label))
        decided.add("crossing")
    expect(desk).to_contain_text(f"ow {ends(row)} ")
    visitor.picture(desk)
    if len(row.ways) == 2 and row.due:
        (toggle,) = row.toggles
        taken = {*toggle} <= {*action.spots}
        visitor.press(desk, f"{'Take' if taken else 'Keep'} {' '.join(toggle)}")
        return decided | {"taken" if taken else "kept"}
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
