"""Whole Tournament games on the demo's page, on a phone: one by buttons alone, one by /move alone."""

import re
from pathlib import Path

from playwright.sync_api import Locator, expect

from gipfbot.notation import Step, read_sheet, replay
from gipfbot.rules import PRESETS, Colour, Kind, Position, Push, Remove, play, start
from gipfbot.rules.events import moves
from gipfbot.rules.question import RowChoice, question

from .driver import Visitor

GAMES = Path(__file__).parent.parent / "data" / "games"
PLAYERS = ("Ann", "Bob")  # Ann challenges and plays White
CROSSING = "These rows share a spot"


def steps(name: str) -> list[Step]:
    sheet = read_sheet((GAMES / name).read_text(encoding="utf-8"))
    return list(replay(start(PRESETS["tournament"]), sheet.turns))


def challenge(visitor: Visitor) -> str:
    """Ann challenges Bob to a Tournament game, and he accepts; return the game's name."""
    visitor.look_as("Ann")
    visitor.slash("gipf challenge", opponent="Bob", rules="Tournament", colour="White for me")
    expect(visitor.private()).to_contain_text("Bob has been asked. You will be pinged here")
    expect(visitor.public).to_contain_text("@Bob Ann challenges you to GIPF")
    expect(visitor.public).to_contain_text("Tournament · Ann plays White · no time limit")
    assert visitor.buttons(visitor.public) == ["Accept", "Decline", "Withdraw"]
    visitor.look_as("Bob")
    expect(visitor.messages.filter(has_text="Bob has been asked")).to_have_count(0)
    visitor.press(visitor.public, "Accept")
    expect(visitor.public).to_contain_text("@Ann your turn · ")
    expect(visitor.public).to_contain_text(" vs Bob · Tournament, you are White and begin")
    found = re.search(r"#[a-z]\d+", visitor.public.inner_text())
    assert found
    return found.group()


def sees_the_board(visitor: Visitor, game: str, step: Step) -> None:
    """The newest message everybody sees is the board after this turn: in words, as a picture, with one button."""
    mover, other = step.before.mover, step.before.mover.other
    board, result = visitor.public, step.after.result
    if result:
        assert result.winner is mover
        said = (
            f"@Ann @Bob {PLAYERS[mover]} ({mover}) wins {game} in {step.number} turns · {PLAYERS[other]} has no GIPF-"
        )
        labels = []
    else:
        said = f"@{PLAYERS[other]} your turn · {game} vs {PLAYERS[mover]} · {PLAYERS[mover]} played {step.text}"
        labels = ["Remove" if removes_first(step.after) else "Move"]
    expect(board).to_contain_text(said)
    for colour in Colour:
        captured = step.after.captured[colour.other]
        expect(board).to_contain_text(
            f"{PLAYERS[colour]} ({colour}): {step.after.reserve[colour]} in reserve, {captured} captured"
        )
    assert visitor.buttons(board) == labels
    assert "Ann" in visitor.picture(board)


def removes_first(position: Position) -> bool:
    asked = question(position)
    return bool(asked and asked.due)


def was_played(visitor: Visitor, step: Step) -> None:
    """The player is told privately that his turn is complete."""
    expect(visitor.private(f"Played {step.text}.")).to_be_visible()


# ── By buttons ──


def test_a_tournament_game_by_buttons_alone(visitor: Visitor) -> None:
    game = challenge(visitor)
    asked: set[str] = set()
    for step in steps("tournament-21.txt"):
        visitor.look_as(PLAYERS[step.before.mover])
        visitor.press(visitor.public, "Remove" if removes_first(step.before) else "Move")
        desk = visitor.private(f"{game} vs {PLAYERS[step.before.mover.other]} · you are {step.before.mover} · turn")
        expect(desk).to_contain_text(f"turn {step.number}")
        position = step.before
        for action in step.actions:
            if isinstance(action, Push):
                push(visitor, desk, position, action)
            elif isinstance(action, Remove):
                asked |= remove(visitor, desk, position, action)
            position = play(position, action)
        was_played(visitor, step)
        sees_the_board(visitor, game, step)
    assert asked == {"before", "after", "crossing", "stays", "goes", "no choice"}
    visitor.look_as("Ann")
    expect(visitor.public).to_contain_text("@Ann @Bob Ann (White) wins")


def push(visitor: Visitor, desk: Locator, position: Position, action: Push) -> None:
    """Choose the piece, the dot and the direction, and push."""
    dot, furthest = action.dot, moves(position, action)[0][1]
    if position.opening[position.mover]:
        assert visitor.buttons(desk) == ["GIPF-piece", "Basic piece"]
        if not position.pieces():
            visitor.press(desk, "Basic piece")
            expect(visitor.private()).to_contain_text("A basic piece is not possible now")
        visitor.press(desk, "GIPF-piece" if action.kind is Kind.GIPF else "Basic piece")
    expect(desk).to_contain_text("Nothing is played until you press Push")
    visitor.choose(desk, dot)
    expect(desk).to_contain_text(f"Your piece lies on {dot}")
    visitor.picture(desk)
    if f"Push {dot}→{furthest}" not in visitor.buttons(desk):
        visitor.press(desk, "Other direction")
    visitor.press(desk, f"Push {dot}→{furthest}")


def remove(visitor: Visitor, desk: Locator, position: Position, action: Remove) -> set[str]:
    """Answer the question about a row; return what there was to decide."""
    asked = question(position)
    assert asked
    if asked.forced == action:
        expect(desk).to_contain_text("Your row had to go and left no choice")
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
    expect(desk).to_contain_text(f"Row {ends(row)}: ")
    visitor.picture(desk)
    for number, toggle in enumerate(row.toggles, 1):
        name, goes = f"{number} G{' G'.join(toggle)}", {*toggle} <= {*action.spots}
        decided.add("goes" if goes else "stays")
        if goes or len(group) > 1:
            visitor.press(desk, f"{name} stays")
        if not goes and len(group) > 1:  # he changes his mind
            visitor.press(desk, f"{name} goes")
    visitor.press(desk, "Done")
    return decided


def ends(row: RowChoice) -> str:
    return f"{row.stretch[0]}–{row.stretch[-1]}"


# ── By /move ──


def test_a_tournament_game_by_move_alone(visitor: Visitor) -> None:
    """Another game waits for Ann too: she takes what is suggested, or names the game. Bob only types."""
    game = challenge(visitor)
    for step in steps("tournament-22.txt"):
        visitor.look_as(PLAYERS[step.before.mover])
        if step.number == 7:
            visitor.slash("move", notation="i5-e5", game=game)
            is_asked(visitor, "Row h2–h5: 2 return")
            visitor.slash("move", notation="xh4,h5", taking=game)
        elif step.number == 22:
            visitor.slash("move", notation="b5")
            is_asked(visitor, CROSSING)
            assert [label[:7] for label in visitor.buttons(visitor.private())] == ["A e4–e7", "B b4–e7"]
            visitor.slash("move", notation="xe4,e6,e7")
            is_asked(visitor, "Choose the dot for your piece")
            visitor.slash("move", notation="b5")
            is_asked(visitor, "Row b5–h2: 3 return, 1 captured")
            visitor.slash("move", notation="xb5,c5,d5,Ge5,f4*,Gg3*,Gh2*")
        else:
            visitor.slash("move", notation=step.text, taking=game if step.before.mover is Colour.WHITE else "")
        was_played(visitor, step)
        sees_the_board(visitor, game, step)
    visitor.look_as("Ann")
    expect(visitor.public).to_contain_text("@Ann @Bob Bob (Black) wins")


def is_asked(visitor: Visitor, what: str) -> None:
    """The desk asks what the typed text leaves open, and nothing is public yet."""
    expect(visitor.private()).to_contain_text(what)
    visitor.picture(visitor.private())
    expect(visitor.public).to_contain_text("your turn")
