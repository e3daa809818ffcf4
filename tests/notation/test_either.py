"""A typed turn in either notation: as typed first, then with the case of letters forgiven (notation.md, its head)."""

import re
from collections.abc import Callable, Iterable
from itertools import product

import pytest

from gipfbot.notation import (
    JULIO974,
    NOTATIONS,
    OFFICIAL,
    IllegalTurn,
    Notation,
    NotationError,
    OpenTurn,
    ParseError,
    parse_turn,
    played_text,
    read_turn_part,
    turn_text,
)
from gipfbot.notation.normalise import WrittenTurn
from gipfbot.notation.turns import TurnReading, read_remaining_turn
from gipfbot.rules import PASS, Action, Position, open_rows
from gipfbot.rules.geometry import names
from tests.notation.helpers import along, at, crowded, game
from tests.notation.positions import COLUMN, KEEPER, SETUP, STANDING, THEIRS
from tests.support.effort import amount

# ── What both can read ──

SHAPES = {
    # the shapes of texts that both notations can read, in small letters and with s for every spot:
    # the text typed in official notation and in Julio974's, and what it means
    "s": ("s", "s", "the same push in both"),
    "gs": ("Gs", "Gs", "the same push of a GIPF-piece in both"),
    "x": ("x", "X", "rows go, and nothing is said of them: the same in both"),
    "xs": ("xs", "Xs", "official: only a basic piece goes; Julio974: a row, and the GIPF-piece on s with it"),
    "xgs": ("xGs", "Xgs", "official: of GIPF-pieces only one goes; Julio974: row g, and the GIPF-piece on s with it"),
    "x;s": ("x;s", "X;s", "as x, and then s"),
    "x;gs": ("x;Gs", "X;Gs", "as x, and then gs"),
    "xs;s": ("xs;s", "Xs;s", "as xs, and then s"),
    "xs;gs": ("xs;Gs", "Xs;Gs", "as xs, and then gs"),
    "xgs;s": ("xGs;s", "Xgs;s", "as xgs, and then s"),
    "xgs;gs": ("xGs;Gs", "Xgs;Gs", "as xgs, and then gs"),
}


def shape(text: str, letters: str = "b-h") -> str:
    return re.sub(f"[{letters}][2-8]", "s", text.lower() if letters == "b-h" else text)


def readable(read: Callable[[str], WrittenTurn], text: str) -> WrittenTurn | bool:
    """Return what a text says; if it cannot be read, whether a longer text that begins so might be."""
    try:
        return read(text)
    except ParseError as error:
        return error.at is not None and error.at >= len(text) - 1


def both_read(signs: str, longest: int) -> Iterable[tuple[str, WrittenTurn, WrittenTurn]]:
    """Yield every text of these signs that both notations read. A text grows while both might read on."""
    level = [""]
    for _ in range(longest):
        texts, level = ["".join(pair) for pair in product(level, signs)], []
        for text in texts:
            if (one := readable(OFFICIAL.read, text)) and (other := readable(JULIO974.read, text)):
                level.append(text)
                if isinstance(one, WrittenTurn) and isinstance(other, WrittenTurn):
                    yield text, one, other
    assert not level or longest < 12, "there are longer ones"


@pytest.mark.usefixtures("untraced")
def test_both_notations_read_only_these_shapes() -> None:
    """The texts have two columns, a number of a spot, one of a dot, and every other sign of the two grammars."""
    found = set()
    for text, one, other in both_read("cgG31xX*;-,", 12):
        typed = SHAPES[shape(text)][:2]
        assert (one.exact, other.exact) == tuple(shape(text, "cg") == as_typed for as_typed in typed), text
        found.add(shape(text))
    assert found == SHAPES.keys()


@pytest.mark.usefixtures("untraced")
def test_no_other_sign_is_read_by_both() -> None:
    """The texts are short and have all signs of a keyboard, except other columns and numbers.

    Blanks, and a reserve in brackets at the end, change nothing. Marks, comments, quote signs, full stops and the `n`
    of a basic piece are left out.
    """
    others = [chr(code) for code in range(33, 127) if chr(code) not in "()abcdefghixABCDEFGHIX23456789;!?$={`>.nN"]
    signs = "".join(["egEGxX3;", *others[:: amount(test=3, long=1)]])
    found = {shape(text) for text, _, _ in both_read(signs, 5)}
    assert found == {"s", "gs", "x", "xs", "xgs", "x;s", "x;gs"}
    for text, notation in product(("e2", "xc4;e2", "xGc4;Ge2"), NOTATIONS.values()):
        apart, plain = notation.read(f" {'  '.join(text)} (12)"), notation.read(text)
        assert (apart.exact, apart.reserve) == (plain.exact, 12)
        assert [len(group.pieces) for group in apart.before] == [len(group.pieces) for group in plain.before]


# ── What they mean ──

OPENING = "tournament w W=Gb5 B=Ge8 opening=wb"
ONE_BASIC = "tournament w W=Ge2,Ge3,Ge4,e5,Gb5 B=Gh2"
ROW_G = "standard w W=Gg3,g4,g5,g6,Gb5 B=Gb2"
OFFER_G = "tournament w W=Gg3,Gg4,Gg5,Gg6,b5 B=Gb2"
CROSSED = "tournament w W=Gd2,Ge3,Gf3,Gg3,g4,g5,g6 B=Ge8"
OPEN_G = "tournament w W=Gg3,Gg4,Gg5,Gg6,b5 B=Gb2 opening=w"

MEANINGS = [
    # position, typed text, its meaning in official notation and in Julio974's: what is played, or why it is refused
    (SETUP, "c2", "c2", "c2"),
    (SETUP, "C2", "c2", "c2"),
    (SETUP, "g2", "g2", "g2"),
    (COLUMN, "e2", "e2;xe2,e3,e4,e5", "e2;xe2,e3,e4,e5"),
    (KEEPER, "e2", "e2", "e2"),
    (OPENING, "Gc2", "Gc2", "Gc2"),
    (OPENING, "gc2", "Gc2", "Gc2"),
    (OPENING, "gg2", "Gg2", "Gg2"),
    (SETUP, "Gc2", "no_gipf", "no_gipf"),
    (STANDING, "x", "xe2,e3,e4,e5", "xe2,e3,e4,e5"),
    (STANDING, "X;b2", "xe2,e3,e4,e5;b2", "xe2,e3,e4,e5;b2"),
    (ROW_G, "x", "", ""),
    (SETUP, "x", "no_row", "no_row"),
    (OPEN_G, "x;Gc2", "Gc2", "Gc2"),
    (OPEN_G, "x;gc2", "Gc2", "Gc2"),
    # xs: the piece cannot be of both kinds
    (ONE_BASIC, "xe5", "xe5", "not_gipf"),
    (ONE_BASIC, "Xe5", "xe5", "not_gipf"),
    (ONE_BASIC, "xe5;c2", "xe5;c2", "not_gipf"),
    (ROW_G, "Xg3", "gipf", "xGg3,g4,g5,g6"),
    (ROW_G, "xg3", "gipf", "xGg3,g4,g5,g6"),
    (ROW_G, "xg3;c2", "gipf", "xGg3,g4,g5,g6;c2"),
    (OPEN_G, "xg3;Gc2", "gipf", "xGg3;Gc2"),
    (ROW_G, "xg4", "must", "not_gipf"),
    # xgs: in column g either reading may be right, elsewhere only the official one
    (ROW_G, "xGg3", "xGg3,g4,g5,g6", "xGg3,g4,g5,g6"),
    (ROW_G, "Xgg3;c2", "xGg3,g4,g5,g6;c2", "xGg3,g4,g5,g6;c2"),
    (OFFER_G, "xGg3;c2", "xGg3;c2", "xGg3;c2"),
    (OFFER_G, "xgg3", "xGg3", "xGg3"),
    (OPEN_G, "xgg3;Gc2", "xGg3;Gc2", "xGg3;Gc2"),
    (CROSSED, "xGe3;c6", "xGe3", "outside"),
    (CROSSED, "Xge3;c6", "xGe3", "outside"),
    (CROSSED, "xgg3;c6", "xGg3;c6", "xGg3,g4,g5,g6;c6"),
]


def meaning(position: Position, text: str, notation: Notation) -> str:
    """Return what a text means in one notation: what is played, or why it is refused."""
    try:
        actions = read_remaining_turn(TurnReading(notation, text), position, (), notation.read(text))
    except IllegalTurn as error:
        return error.code
    return played_text(position, actions)


@pytest.mark.parametrize(("line", "typed", "in_official", "in_julio974"), MEANINGS)
def test_each_notation_has_its_meaning_of_a_text(line: str, typed: str, in_official: str, in_julio974: str) -> None:
    position = at(line)
    assert meaning(position, typed, OFFICIAL) == in_official
    assert meaning(position, typed, JULIO974) == in_julio974


def test_every_shape_has_an_example() -> None:
    assert {shape(typed) for _, typed, _, _ in MEANINGS} >= SHAPES.keys() - {"xs;gs", "xgs;gs"}
    assert {shape(typed) for _, typed, _, _ in MEANINGS} == SHAPES.keys()


# ── Which reading is taken ──

TAKEN = [
    # position, typed text, what is played
    # only one notation can read the text
    (SETUP, "e1-e3", "e1-e3"),
    (SETUP, "E1–E3", "e1-e3"),
    (SETUP, "e1", "e1-e3"),
    (SETUP, "D1*", "d1-f2"),
    (STANDING, "xe2,e3,e4,e5;e1", ParseError),
    (KEEPER, "e2xe3", "e2;xe2,Ge3,e4,e5"),
    (KEEPER, "e2;xE2,gE3,E4,E5", "e2;xe2,Ge3,e4,e5"),
    # a bare x, in either case
    (STANDING, "x", "xe2,e3,e4,e5"),
    (STANDING, "X", "xe2,e3,e4,e5"),
    (STANDING, "X;c2", "xe2,e3,e4,e5;c2"),
    (THEIRS, "b3X", "b3"),
    (THEIRS, "b3;x", IllegalTurn),
    # only one reading is legal: the case does not matter
    (ONE_BASIC, "xe5;c2", "xe5;c2"),
    (ONE_BASIC, "Xe5;c2", "xe5;c2"),
    (ROW_G, "Xg3;c2", "xGg3,g4,g5,g6;c2"),
    (ROW_G, "xg3;c2", "xGg3,g4,g5,g6;c2"),
    (ROW_G, "xGg3;c2", "xGg3,g4,g5,g6;c2"),
    (ROW_G, "xgg3;c2", "xGg3,g4,g5,g6;c2"),
    (CROSSED, "Xge3;c6", "xGe3"),
    # both are legal: the case decides
    (CROSSED, "xGg3;c6", "xGg3;c6"),
    (CROSSED, "Xgg3;c6", "xGg3,g4,g5,g6;c6"),
    # both are legal, and mean the same
    (SETUP, "c2", "c2"),
    (OFFER_G, "xgg3;c2", "xGg3;c2"),
    (OPENING, "gc2", "Gc2"),
    # neither is legal
    (SETUP, "e2", IllegalTurn),
    (ROW_G, "xg4", IllegalTurn),
    (SETUP, "hello", ParseError),
    (SETUP, "", ParseError),
]


@pytest.mark.parametrize("notation", NOTATIONS.values(), ids=NOTATIONS)
@pytest.mark.parametrize(("line", "typed", "played"), TAKEN)
def test_the_legal_reading_is_taken(
    line: str, typed: str, played: str | type[NotationError], notation: Notation
) -> None:
    """The notation that a person prefers makes no difference."""
    position = at(line)
    if isinstance(played, str):
        assert played_text(position, read_turn_part(position, (), typed, notation)) == played
    else:
        with pytest.raises(played):
            read_turn_part(position, (), typed, notation)


REFILLED = "standard w W=e2,e3,e4,e5,f2,Gg2,h2,Gb5 B=d7,Gb2"
MOVED = "tournament w W=Gb2,Gb3,Gb4,Gb5,Ge2,e3,e4 B=Ge8"
GOES_ON = [
    # position, played part, typed text, what is added
    # a row is removed before the push, and one of its spots is filled again
    (REFILLED, "Xe;e2", "xe2,f2,h2", "xe2,f2,h2"),
    (REFILLED, "Xe;e2", "Xg2", "xe2,f2,Gg2,h2"),
    (REFILLED, "Xe;e2", "Xd*", "xe2,f2,h2"),
    (REFILLED, "Xe;e2", "e2;xe2,f2,h2", "xe2,f2,h2"),
    (REFILLED, "Xe;e2", "e2Xg2", "xe2,f2,Gg2,h2"),
    (REFILLED, "Xe;e2", "xe2,e3,e4,e5;e2;xe2,f2,h2", "xe2,f2,h2"),
    (REFILLED, "Xe;e2", "X;e2Xd*", "xe2,f2,h2"),
    (REFILLED, "Xe;e2", "xe2,e3,e4,e5;e2;xe2,f2,Gg2,h2", "xe2,f2,Gg2,h2"),
    (REFILLED, "Xe;e2", "Xe;e2Xg2", "xe2,f2,Gg2,h2"),
    # a GIPF-piece that the push has moved is taken, while an offer still stands
    (MOVED, "e1Xe3", "Xb2", "xGb2"),
    (MOVED, "e1Xe3", "xGb2", "xGb2"),
    (MOVED, "e1Xe3", "Xe3Xb2", "xGb2"),
    (MOVED, "e1Xe3", "xe2,Ge3,e4,e5;xGb2", "xGb2"),
    (MOVED, "e1Xe3", "e1Xe3Xb2", "xGb2"),
    (MOVED, "e1Xe3", "e1-e5;xe2,Ge3,e4,e5;xGb2", "xGb2"),
]


@pytest.mark.parametrize(("line", "done", "typed", "added"), GOES_ON)
def test_a_draft_goes_on_in_either_notation(line: str, done: str, typed: str, added: str) -> None:
    """A text may hold the rest of the turn, that and the played part of its step, or the whole turn."""
    start = at(line)
    begun = tuple(action for action in read_turn_part(start, (), done) if action is not PASS)
    now = along(start, begun)
    assert now.pushed
    actions = read_turn_part(start, begun, typed)
    assert played_text(now, actions) == added
    assert along(now, actions).mover is not start.mover


def test_two_legal_readings_are_ambiguous() -> None:
    """Both are written out, each in its notation. Each choice has one reading."""
    position = at(CROSSED)
    for typed, texts in (
        ("xgg3;c6", ["xGg3;c6", "XgXg3;c6"]),
        ("XGg3;c6", ["xGg3;c6", "XgXg3;c6"]),
        ("xgg3", ["xGg3", "Xgg3"]),
    ):
        with pytest.raises(OpenTurn) as caught:
            read_turn_part(position, (), typed)
        assert [*caught.value.choices] == texts
        for choice, notation in zip(texts, (OFFICIAL, JULIO974), strict=True):
            assert meaning(position, choice, notation) == played_text(position, read_turn_part(position, (), choice))


def test_two_readings_of_a_part_are_shown_as_whole_turns() -> None:
    """The choices begin with the played part."""
    start = at(CROSSED.replace("W=", "W=b2,b3,b4,Gb5,"))
    done = read_turn_part(start, (), "xb2,b3,b4,Gb5")
    with pytest.raises(OpenTurn) as caught:
        read_turn_part(start, done, "xgg3;c6")
    assert caught.value.choices == ("xGg3;xb2,b3,b4,Gb5;c6", "Xb5XgXg3;c6")
    ends = {along(start, (*done, *read_turn_part(start, done, choice))) for choice in caught.value.choices}
    assert len(ends) == 2


def test_a_reserve_rules_choices_out_while_an_offer_stands() -> None:
    with pytest.raises(OpenTurn) as caught:
        parse_turn(at(MOVED), "e1-e5 (10)")
    assert caught.value.choices == ("e1-e5;xe2,Ge3,e4,e5",)


def test_a_persons_notation_changes_only_the_words() -> None:
    """It decides which of two readings is shown first, and how an error writes turns. It decides no reading."""
    position = at(CROSSED)
    with pytest.raises(OpenTurn) as caught:
        read_turn_part(position, (), "xgg3;c6", JULIO974)
    assert caught.value.choices == ("XgXg3;c6", "xGg3;c6")
    for notation, word in ((OFFICIAL, "e1-e3"), (JULIO974, "from e1 with e1 or")):
        with pytest.raises(IllegalTurn, match=word):
            read_turn_part(at(SETUP), (), "e2", notation)


@pytest.mark.usefixtures("untraced")
def test_only_a_spot_after_xg_is_ever_ambiguous() -> None:
    """In crowded positions and drafts, two legal readings mean the same, or the player is asked."""
    allowed = ambiguous = 0
    for position, done in drafts():
        now = along(position, done)
        spots = {spot for row in open_rows(now) for spot in names(row.stretch)}
        for text in (f"x{g}{spot}{push}" for spot in sorted(spots) for g in ("", "g") for push in ("", ";c2", ";gb2")):
            found = {result(position, done, text, notation) for notation in NOTATIONS.values()} - {None}
            allowed += len(found) > 0
            if len(found) > 1:
                ambiguous += 1
                assert shape(text).startswith("xgs")
                with pytest.raises(OpenTurn, match="two ways"):
                    read_turn_part(position, done, text)
            elif found:
                assert turn_text(position, (*done, *read_turn_part(position, done, text))) in found
            else:
                with pytest.raises((IllegalTurn, OpenTurn)):
                    read_turn_part(position, done, text)
    assert allowed > amount(test=60, long=100)
    assert ambiguous


def drafts() -> Iterable[tuple[Position, tuple[Action, ...]]]:
    yield at(CROSSED), ()
    yield at(CROSSED.replace("W=", "W=b5,").replace("Ge8", "Ge8,Gb2")), ()
    for seed in range(0, amount(test=20, long=60), 5):
        yield crowded(seed), ()
    for start, actions in (turn for seed in range(amount(test=1, long=3)) for turn in game("tournament", seed)):
        if len(actions) > 1:
            yield start, tuple(action for action in actions[:-1] if action is not PASS)


def result(position: Position, done: tuple[Action, ...], text: str, notation: Notation) -> str | None:
    try:
        return turn_text(
            position, (*done, *read_remaining_turn(TurnReading(notation, text), position, done, notation.read(text)))
        )
    except NotationError:
        return None
