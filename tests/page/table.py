"""Common steps of games on the page: how they begin, and what the visitor sees after each turn."""

import re

from playwright.sync_api import expect

from gipfbot.notation import RecordedTurn, read_record
from gipfbot.rules import Position, Remove
from gipfbot.rules.pending import question
from gipfbot.ui.kit import texts
from gipfbot.ui.kit.texts import pair_number, row_name, turn_place
from gipfbot.ui.kit.turn_words import pressed_turn, spoken_turn
from tests.support.paths import GAMES

from .driver import Visitor

PLAYERS = ("Ann", "Bob")  # Ann challenges and plays White
CROSSING = "These rows share a spot"


def steps(name: str, rules: str = "tournament") -> list[RecordedTurn]:
    """Return the turns of a game."""
    return list(read_record((GAMES / name).read_text(encoding="utf-8"), rules).turns)


def challenge(visitor: Visitor, rules: str = "Tournament", **potentials: int) -> str:
    """Let Ann challenge Bob and Bob accept; return the game's name. The potentials are chosen on the page of all terms.

    They are given as `ZÈRTZ=3`.
    """
    visitor.look_as("Ann")
    terms = {"opponent": "Bob", "rules": rules, "colour": "White for me"}
    if potentials:
        visitor.slash("gipf challenge", other_terms="True", **terms)
        for kind, number in potentials.items():
            page = visitor.private("The terms of your challenge to")
            visitor.choose(page, f"{number} each", of=f"{kind}-potentials")
        visitor.press(visitor.private("The terms of your challenge to"), "Challenge")
        rules = f"{rules} with {' and '.join(f'{number} {kind}' for kind, number in potentials.items())}"
    else:
        visitor.slash("gipf challenge", **terms)
    expect(visitor.private()).to_contain_text("Bob has been asked. Once they accept")
    expect(visitor.public).to_contain_text("@Bob Ann challenges you to GIPF")
    expect(visitor.public).to_contain_text(f"{rules} · Ann plays White · 3 days for each turn")
    assert visitor.buttons(visitor.public) == ["Accept", "Decline", "How to play"]
    visitor.look_as("Bob")
    expect(visitor.messages.filter(has_text="Bob has been asked")).to_have_count(0)
    visitor.press(visitor.public, "Accept")
    expect(visitor.public).to_contain_text("@Ann your turn · ")
    expect(visitor.public).to_contain_text(f" vs Bob · {rules} · Ann is White and begins")
    found = re.search(r"#[a-z]\d+", visitor.public.inner_text())
    assert found
    return found.group()


def sees_the_board(visitor: Visitor, game: str, step: RecordedTurn) -> None:
    """Check that the newest public message is the board after this turn, with text, picture and one button."""
    mover, other = step.before.mover, step.before.mover.other
    board, result = visitor.public, step.after.result
    if result:
        assert result.winner is mover
        won = f"@Ann @Bob {PLAYERS[mover]} ({mover}) wins {game}"
        said = f"{won} in {(step.turn_number + 1) // 2} turns · {PLAYERS[other]} has no GIPF-"
        labels = ["Rematch", "Replay", "Analyse", "Record", "Explorer"]
        labels += ["Why the last capture?"] if any(isinstance(action, Remove) for action in step.actions) else []
    else:
        played = f"{PLAYERS[mover]} played {spoken_turn(step.actions)}"
        said = f"@{PLAYERS[other]} your turn · game {game} vs {PLAYERS[mover]}{_first_removal(step.after)} · {played}"
        labels = [texts.REMOVE_LABEL if removes_first(step.after) else texts.MOVE_LABEL, "More…", "How to play"]
    expect(board).to_contain_text(said)
    expect(board).to_contain_text(f"{turn_place(step.turn_number)}: {pressed_turn(step.actions)}")
    assert visitor.buttons(board) == labels
    assert "Ann" in visitor.picture(board)


def turn_heading(step: RecordedTurn) -> str:
    """Return what the desk says of the turn that is to be played."""
    return f"your turn {pair_number(step.turn_number)} as {step.before.mover}"


def _first_removal(position: Position) -> str:
    """Return the clause of a board naming the rows that go before the push; empty if there are none."""
    asked = question(position)
    rows = [row_name(row) for row in asked.rows if row.due] if asked else []
    return f" · first remove {', '.join(rows)}" if rows else ""


def removes_first(position: Position) -> bool:
    """Return whether the player to move has to remove a row before their push."""
    asked = question(position)
    return bool(asked and asked.due)


def was_played(visitor: Visitor, step: RecordedTurn) -> None:
    """Check that the player is told privately that their turn is complete."""
    confirmed = visitor.private(f"Played {pressed_turn(step.actions)} in game #")
    expect(confirmed).to_be_visible()
