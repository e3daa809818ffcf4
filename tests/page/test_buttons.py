"""Whole Tournament games on the demo's page, on a phone, by buttons alone."""

from collections.abc import Sequence

import pytest
from playwright.sync_api import Locator, expect

from gipfbot.notation import RecordedTurn
from gipfbot.rules import Position, Push, Remove, Use, play
from gipfbot.rules.pending import question
from gipfbot.rules.powers import POWERS
from gipfbot.ui.desk.desk_texts import USE_LABEL, keep_label, kind_label, take_label
from gipfbot.ui.kit import texts
from gipfbot.ui.kit.texts import row_name
from gipfbot.ui.kit.turn_words import act_end

from .driver import Visitor
from .table import CROSSING, PLAYERS, challenge, removes_first, sees_the_board, steps, turn_heading, was_played

pytestmark = pytest.mark.browser


@pytest.mark.slow
def test_a_tournament_game_by_buttons_alone(visitor: Visitor) -> None:
    asked = played(visitor, challenge(visitor), steps("tournament-21.txt"))
    assert asked == {"before", "after", "crossing", "kept", "taken", "no choice"}
    visitor.look_as("Ann")
    expect(visitor.public).to_contain_text("@Ann @Bob Ann (White) wins")


@pytest.mark.slow
def test_a_game_with_both_potentials_by_buttons_alone(visitor: Visitor) -> None:
    """Each potential is used in each way, pieces are freed, and loaded pieces of rows are kept and taken."""
    game = challenge(visitor, ZÈRTZ=6, PÜNCT=6)
    asked = played(visitor, game, steps("potentials-13.txt", "tournament+Z6P6"))
    assert {"after", "kept", "taken"} <= asked
    visitor.look_as("Ann")
    expect(visitor.public).to_contain_text("@Ann @Bob ")


def played(visitor: Visitor, game: str, turns: Sequence[RecordedTurn]) -> set[str]:
    """Play these turns by buttons, and check each board; return the kinds of choices that were asked about."""
    asked: set[str] = set()
    for step in turns:
        visitor.look_as(PLAYERS[step.before.mover])
        visitor.press(visitor.public, texts.REMOVE_LABEL if removes_first(step.before) else texts.MOVE_LABEL)
        desk = visitor.private(f"{game} vs {PLAYERS[step.before.mover.other]} · your turn")
        expect(desk).to_contain_text(turn_heading(step))
        position = step.before
        for action in step.actions:
            if isinstance(action, Push):
                push(visitor, desk, action)
            elif isinstance(action, Use):
                use(visitor, desk, position, action)
            elif isinstance(action, Remove):
                asked |= remove(visitor, desk, position, action)
            position = play(position, action)
        was_played(visitor, step)
        sees_the_board(visitor, game, step)
    return asked


def push(visitor: Visitor, desk: Locator, action: Push) -> None:
    """Choose the piece and the dot, and push."""
    dot = action.dot
    switch = kind_label(action.kind)
    if switch in visitor.buttons(desk):
        visitor.press(desk, switch)
    expect(desk).to_contain_text("Choose the dot for the new")
    visitor.press(desk, dot)
    expect(desk).to_contain_text(f"is on {dot}. Where do you push it?")
    visitor.picture(desk)
    visitor.press(
        desk, next(label for label in visitor.buttons(desk) if label.split(" · ")[0] == f"→ {act_end(action)}")
    )


def use(visitor: Visitor, desk: Locator, position: Position, action: Use) -> None:
    """Choose the loaded piece, if there is more than one, and where its potential jumps to."""
    piece = f"{action.spot} {POWERS[action.kind].name}"
    if USE_LABEL in visitor.buttons(desk):
        visitor.press(desk, USE_LABEL)
    if piece in visitor.buttons(desk):
        visitor.press(desk, piece)
    expect(desk).to_contain_text(f"on {action.spot} jump?")
    visitor.picture(desk)
    end = act_end(action)
    visitor.press(desk, next(label for label in visitor.buttons(desk) if label.split(" · ")[0] == f"→ {end}"))


def remove(visitor: Visitor, desk: Locator, position: Position, action: Remove) -> set[str]:
    """Answer the question about a row; return the kinds of choices that it had."""
    asked = question(position)
    assert asked
    if asked.forced == action:
        expect(desk).to_contain_text("Your row came off")
        return {"no choice"}
    decided = {"after" if asked.pushed else "before"}
    groups = (asked.rows,) if asked.frees else asked.groups
    group = next(group for group in groups if any(row.line == action.on for row in group))
    row = next(row for row in group if row.line == action.on)
    if len(group) > 1:
        expect(desk).to_contain_text("Which row comes off first?" if asked.frees else CROSSING)
        labels = visitor.buttons(desk)
        assert [label[0] for label in labels[:2]] == ["A", "B"]
        visitor.press(desk, next(label for label in labels if row_name(row) in label))
        decided.add("crossing")
    expect(desk).to_contain_text(f"ow {row_name(row)} ")
    visitor.picture(desk)
    if len(row.ways) == 2 and row.due:
        (toggle,) = row.toggles
        taken = {*toggle} <= {*action.spots}
        visitor.press(desk, take_label(toggle) if taken else keep_label(toggle))
        return decided | {"taken" if taken else "kept"}
    for number, toggle in enumerate(row.toggles, 1):
        spots, taken = " ".join(toggle), {*toggle} <= {*action.spots}
        decided.add("taken" if taken else "kept")
        if taken or len(group) > 1:
            visitor.press(desk, f"{number} Take {spots}")
        if not taken and len(group) > 1:  # and back again
            visitor.press(desk, f"{number} ✓ Take {spots}")
    visitor.press(desk, "Done")
    return decided
