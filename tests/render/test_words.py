from dataclasses import replace
from random import Random

from gipfbot.notation import turn_text
from gipfbot.rules.actions import PUSHES, Use
from gipfbot.rules.changes import Event, events, path
from gipfbot.rules.engine import legal, play
from gipfbot.rules.geometry import LINES, SPOTS
from gipfbot.rules.pieces import Colour, Kind, Piece, Reason, Result
from gipfbot.rules.position import Position, start
from gipfbot.rules.rulesets import STANDARD
from render import Ghost, Marks, Picture, SmallBoards, alt_text, png
from render.words import player_status
from tests.render.golden import PICTURES, PLAYERS, position
from tests.rules.boards_of_overboard import table_at
from tests.rules.generate_loaded import LOADED, built
from tests.rules.loaded import act, at, then


def test_the_start_in_words() -> None:
    assert alt_text(Picture(start(STANDARD), PLAYERS)) == (
        "White to move. White, ann: GIPF-pieces b5 e2 h5; 12 in reserve. "
        "Black, bob: GIPF-pieces b2 e8 h2; 12 in reserve."
    )


def test_nobody_is_to_move_in_a_cancelled_game() -> None:
    running = Picture(start(STANDARD), PLAYERS)
    called_off = replace(running, cancelled=True)
    assert alt_text(called_off).startswith("Cancelled. White, ann:")
    assert png(called_off) != png(running)


def test_a_turn_with_removals_in_words() -> None:
    assert alt_text(PICTURES["removed"]) == (
        "White wins, Black: no GIPF-piece left. White pushed d1 → e2. "
        "Removed GIPF-piece e5; basic pieces e2 e3 e4. Captured GIPF-piece e6. "
        "White, Ann: GIPF-piece d4; basic piece f3; 14 in reserve, 2 captured. "
        "Black, Bob: basic pieces f2 f5; 14 in reserve, 1 captured."
    )


def test_what_is_asked_in_words() -> None:
    assert alt_text(PICTURES["rows"]).startswith(
        "White to remove. Rows A e2 to e6, B b5 to h2. Numbered: 1 e2, 2 g3. White"
    )
    choices = "Black to move. a3 chosen. Possible pushes: Gb4, Gb3. White, "
    assert alt_text(PICTURES["choices"]).startswith(choices)


def test_the_player_who_pushed_is_named_while_removing() -> None:
    marks = Marks(act=PUSHES["b1", "c2", Kind.BASIC], moved=("c2",))
    shown = Picture(position("c2 c3 c4 c5 Ge2", "Ge8"), PLAYERS, marks=marks)
    assert "Black pushed b1 → c2." in alt_text(shown)
    assert "White pushed b1 → c2." in alt_text(replace(shown, position=shown.position._replace(pushed=True)))


def test_an_offered_push_is_written_as_typed_and_a_made_one_as_pressed() -> None:
    """As typed it is its spot, or its dot and the furthest spot that moved."""
    before = position("c2 d3 Ge2", "Ge8")
    for dot, spot in (("b1", "c2"), ("a2", "b3"), ("f1", "f2")):
        for kind in Kind:
            push = PUSHES[dot, spot, kind]
            written = turn_text(before, [push])
            told = Marks.of_turn(events(before, push, after := play(before, push)))
            pressed = f"{dot} → {spot}{' with a GIPF-piece' if kind is Kind.GIPF else ''}"
            assert f"White pushed {pressed}" in alt_text(Picture(after, PLAYERS, marks=told))
            said = alt_text(Picture(before, PLAYERS, marks=Marks(choices=(push, push))))
            assert f"{dot} chosen. Possible pushes: {written}, {written}." in said


def test_the_end_in_words() -> None:
    assert alt_text(PICTURES["end"]).startswith("White wins, Black: no GIPF-piece left. White")
    void = start(STANDARD)._replace(result=Result(None, Reason.REPETITION))
    assert alt_text(Picture(void, PLAYERS)).startswith("Void: repetition. White")


def test_a_player_with_a_row_is_to_remove() -> None:
    """A row at the start of a turn goes first (R3.1), but a row of GIPF-pieces may stay (R4.7)."""
    assert player_status(position("c2 c3 c4 c5 Ge2", "Ge8"), Colour.WHITE) == "to remove"
    assert player_status(position("Gc2 Gc3 Gc4 Gc5", "Ge8"), Colour.WHITE) == "to move"
    assert player_status(position("Ge2", "c2 c3 c4 c5 Ge8"), Colour.WHITE) == "to move"
    assert player_status(position("Ge2", "c2 c3 c4 c5 Ge8"), Colour.BLACK) == ""


def test_a_row_at_the_start_of_a_turn_of_overboard_stays() -> None:
    assert player_status(table_at("w W=c2,c3,c4,c5,Gh5 B=Gb2"), Colour.WHITE) == "to move"


def test_a_long_alt_text_leaves_out_the_removals() -> None:
    kinds = [Kind(letter) for letter in ("", "G", "Z", "P", "z", "p")]
    gone = (Ghost(spot, Piece(Colour(n % 2), kinds[n % 6]), captured=n % 4 > 1) for n, spot in enumerate(SPOTS))
    marks = replace(everything("ABCDEFGHIJKLMNOPQRSTU", removed=True), ghosts=tuple(gone))
    rng, told = Random(3), set[bool]()
    for rules in LOADED * 10:
        said = alt_text(Picture(built(rules, rng), ("\U0001f3b2" * 500, "W" * 500), marks=marks))
        assert len(said.encode("utf-16-le")) // 2 <= 1024
        assert " in reserve" in said
        assert "Numbered: 1 e2" in said
        told.add("Removed" in said)
    assert told == {True, False}


def test_the_alt_text_is_never_too_long_for_discord() -> None:
    """The picture has more than any game can show: 35 pieces, as many ghosts, a row on every line, and numbers."""
    letters = "ABCDEFGHIJKLMNOPQRSTU"
    for removed in (True, False):
        picture = Picture(crowded(), ("\U0001f3b2" * 500, "W" * 500), "x" * 2000, everything(letters, removed))
        said = alt_text(picture)
        assert f"Black, {'W' * 31}…: " in said
        assert said.endswith("in reserve, 18 captured.")
        assert len(said.encode("utf-16-le")) // 2 <= 1024


WAYS = PUSHES["b1", "c2", Kind.GIPF], PUSHES["b1", "b2", Kind.GIPF]
ENDS = [path(push)[-1] for push in WAYS]  # must be vacant


def test_potentials_and_stacks_in_words() -> None:
    """Pieces that stand on the same pieces share a text. High stacks are told by letters."""
    line = "tournament+Z6P6 b W=Gb5,Zc3,e3[G],f3[G] B=Gd6,pe6[pP],pe7[pppP],zh3,Pf5"
    shown = Picture(at(f"{line} captured=1-2 left=Z2P1-Z3P0"), PLAYERS)
    assert alt_text(shown) == (
        "Black to move. White, ann: GIPF-piece b5; ZÈRTZ-loaded piece c3; basic pieces e3 f3 (each on a GIPF-piece); "
        "12 in reserve, 2 captured; 2 ZÈRTZ and 1 PÜNCT left. "
        "Black, bob: GIPF-piece d6; used PÜNCT-potential e6 (on a used PÜNCT-potential on a PÜNCT-loaded piece); "
        "used PÜNCT-potential e7 (on 4 pieces: p p p P); PÜNCT-loaded piece f5; used ZÈRTZ-potential h3; "
        "7 in reserve, 1 captured; 3 ZÈRTZ left."
    )


def test_a_potential_without_a_name_is_called_by_its_letter() -> None:
    board = position("c2", "")
    odd = ((board.owned[0], Piece(Colour.WHITE, Kind("S"))),)
    assert "ann: S-loaded piece c2;" in alt_text(Picture(board._replace(odd=odd), PLAYERS))


def test_a_use_and_what_it_removes_in_words() -> None:
    """The texts of uses are as they are typed, and removals name the tops of stacks."""
    here, told = at("standard+Z3P3 w W=Gb5,Ze2,pe3[P],e4,Zc5 B=Gd5,Ge8,Zg4,ze6"), list[Event]()
    for text in ("Zc5>e5", "e: e2 e3 e4 e5 e6"):
        told += events(here, act(text), after := then(here, text))
        here = after
    assert alt_text(Picture(here, PLAYERS, marks=Marks.of_turn(told))).startswith(
        "Black to move. White used Zc5>e5. "
        "Removed basic piece e4; ZÈRTZ-loaded piece e2; used PÜNCT-potential e3; used ZÈRTZ-potential e5. "
        "Captured used ZÈRTZ-potential e6. Freed PÜNCT-loaded piece e3. White"
    )


def test_the_uses_to_choose_from_in_words() -> None:
    before = at("standard+P3 w W=Gb5,Pd3 B=Gd4,Ge8")
    uses = tuple(one for one in legal(before) if isinstance(one, Use))
    said = alt_text(Picture(before, PLAYERS, marks=Marks(choices=uses)))
    assert said.startswith("White to move. Possible uses: Pd3>d4+1, Pd3>d4+2. White, ")


def test_the_end_with_pieces_in_reserve_is_no_empty_reserve() -> None:
    """R7.6: a player who can neither push nor use a potential has lost, whatever the reserve."""
    lost = start(STANDARD)._replace(result=Result(Colour.BLACK, Reason.RESERVE))
    assert player_status(lost, Colour.WHITE) == "no move left"
    assert player_status(lost._replace(reserve=(0, 12)), Colour.WHITE) == "reserve empty"


def crowded() -> Position:
    taken = [spot for spot in SPOTS if spot not in ENDS]
    white, black = ([f"{'G' * (n % 2)}{spot}" for n, spot in enumerate(taken[first::2])] for first in (0, 1))
    full = position(" ".join(white), " ".join(black))
    return full._replace(reserve=(18, 18), captured=(18, 18), mover=Colour.BLACK, pushed=True)


def everything(letters: str, removed: bool) -> Marks:
    """Return all marks of a desk, with rows to choose from after a push, or with ways to push."""
    kinds = (Kind.BASIC, Kind.GIPF, Kind.BASIC)
    gone = (Ghost(spot, Piece(Colour.WHITE, kinds[n % 3]), captured=n % 4 > 1) for n, spot in enumerate(SPOTS))
    if not removed:
        return Marks(choices=WAYS, ghosts=tuple(gone))
    rows = tuple((letter, line.spots) for letter, line in zip(letters, LINES, strict=True))
    numbers = tuple((spot, number) for number, spot in enumerate(LINES[3].spots, 1))
    return Marks(act=WAYS[0], ghosts=tuple(gone), rows=rows, numbers=numbers)


def test_the_marks_of_a_turn_come_from_its_events() -> None:
    before = position("c3 c4 c5 Ge2", "c6 Ge8 Gb2")
    push = PUSHES["b1", "c2", Kind.BASIC]
    pushed = play(before, push)
    told = events(before, push, pushed)
    assert Marks.of_turn(told) == Marks(act=push, moved=("c2",))
    removal = legal(pushed)[0]
    marks = Marks.of_turn((*told, *events(pushed, removal, play(pushed, removal))))
    assert [(ghost.spot, ghost.captured) for ghost in marks.ghosts] == [
        *((spot, False) for spot in ("c2", "c3", "c4", "c5")),
        ("c6", True),
    ]


def test_several_boards_are_told_apart_and_fit() -> None:
    """Long labels are cut to their first words, which are the names of the games."""
    picture = PICTURES["push"]
    assert alt_text(SmallBoards((("#a1 ann vs bob", picture),))) == "#a1 ann vs bob: Black to move."
    dice = "\U0001f3b2" * 70
    many = tuple((f"#{letter}1 {dice}", picture) for letter in "abcdefghi")
    said = alt_text(SmallBoards(many))
    assert said.startswith("#a1: Black to move. #b1: Black to move.")
