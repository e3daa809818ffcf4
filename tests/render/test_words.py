from dataclasses import replace

from gipfbot.rules.actions import PUSHES
from gipfbot.rules.engine import legal, play
from gipfbot.rules.events import events
from gipfbot.rules.geometry import SPOTS
from gipfbot.rules.pieces import Colour, Kind, Piece, Reason, Result
from gipfbot.rules.position import start
from gipfbot.rules.rulesets import STANDARD
from render import Ghost, Marks, Picture, alt_text, png
from render.words import status
from tests.render.golden import PICTURES, PLAYERS, position


def test_the_start_in_words() -> None:
    assert alt_text(Picture(start(STANDARD), PLAYERS)) == (
        "White to move. White, ann: GIPF-pieces b5 e2 h5; 12 in reserve. "
        "Black, bob: GIPF-pieces b2 e8 h2; 12 in reserve."
    )


def test_nobody_is_to_move_in_a_game_that_was_called_off() -> None:
    running = Picture(start(STANDARD), PLAYERS)
    called_off = replace(running, called_off=True)
    assert alt_text(called_off).startswith("Called off. White, ann:")
    assert png(called_off) != png(running)


def test_a_turn_with_removals_in_words() -> None:
    assert alt_text(PICTURES["removed"]) == (
        "White wins, Black: no GIPF-piece left. Last push d1-e2. "
        "Removed GIPF-piece e5; basic pieces e2 e3 e4. Captured GIPF-piece e6. "
        "White, Ann: GIPF-piece d4; basic piece f3; 14 in reserve, 2 captured. "
        "Black, Bob: basic pieces f2 f5; 14 in reserve, 1 captured."
    )


def test_what_is_asked_in_words() -> None:
    assert alt_text(PICTURES["rows"]).startswith(
        "White to remove. Row A: e2 to e6. Row B: b5 to h2. Number 1: e2. Number 2: g3. White"
    )
    assert alt_text(PICTURES["preview"]).startswith(
        "Black to move. To be pushed a3-b4. Could be pushed a3-b3. White"
    )


def test_the_end_in_words() -> None:
    assert alt_text(PICTURES["end"]).startswith("White wins, Black: no GIPF-piece left. White")
    void = start(STANDARD)._replace(result=Result(None, Reason.REPETITION))
    assert alt_text(Picture(void, PLAYERS)).startswith("Void: repetition. White")


def test_a_row_at_the_start_of_a_turn_is_to_be_removed_first() -> None:
    """R3.1; a stretch of GIPF-pieces alone may stay (R4.7)."""
    assert status(position("c2 c3 c4 c5 Ge2", "Ge8"), Colour.WHITE) == "to remove"
    assert status(position("Gc2 Gc3 Gc4 Gc5", "Ge8"), Colour.WHITE) == "to move"
    assert status(position("Ge2", "c2 c3 c4 c5 Ge8"), Colour.WHITE) == "to move"
    assert status(position("Ge2", "c2 c3 c4 c5 Ge8"), Colour.BLACK) == ""


def test_it_is_never_too_long_for_discord() -> None:
    full = position(" ".join(f"G{spot}" for spot in SPOTS[:18]), " ".join(f"G{spot}" for spot in SPOTS[18:]))
    gone = tuple(Ghost(spot, Piece(Colour.WHITE, Kind.BASIC), captured=True) for spot in SPOTS[:18])
    marks = Marks(
        push=PUSHES["b1", "c2", Kind.BASIC],
        ghosts=gone,
        rows=tuple((letter, SPOTS[:4]) for letter in "ABCDEFG"),
        numbers=tuple((spot, number) for number, spot in enumerate(SPOTS[:9])),
    )
    assert len(alt_text(Picture(full, ("W" * 500, "田" * 500), "x" * 2000, marks))) < 1024


def test_the_marks_of_a_turn_come_from_its_events() -> None:
    before = position("c3 c4 c5 Ge2", "c6 Ge8 Gb2")
    push = PUSHES["b1", "c2", Kind.BASIC]
    pushed = play(before, push)
    told = events(before, push, pushed)
    assert Marks.of_turn(told) == Marks(push=push, moved=("c2",))
    removal = legal(pushed)[0]
    marks = Marks.of_turn((*told, *events(pushed, removal, play(pushed, removal))))
    assert [(ghost.spot, ghost.captured) for ghost in marks.ghosts] == [
        *((spot, False) for spot in ("c2", "c3", "c4", "c5")),
        ("c6", True),
    ]
