"""Suggestions: legal turns that are similar to a text with a slip, and no other turns."""

from random import Random
from typing import NamedTuple

import pytest
from hypothesis import given, strategies as st

from gipfbot.notation import (
    JULIO974,
    NOTATIONS,
    OFFICIAL,
    Notation,
    NotationError,
    parse_position,
    parse_turn,
    position_text,
    read_turn_part,
    turn_text,
)
from gipfbot.notation.suggest import suggest_turns
from gipfbot.rules import Action, Position
from tests.notation.helpers import along, at, crowded, game
from tests.notation.positions import CROSSING, KEEPER, NO_RESERVE, OFFER, SETUP
from tests.support.effort import examples
from tests.support.paths import DATA

SLIPS = DATA / "slips.txt"


class Slip(NamedTuple):
    """A text typed after a part of a turn, and the turn that was meant."""

    position: Position
    done: tuple[Action, ...]
    notation: Notation
    typed: str
    meant: str


def slips() -> list[Slip]:
    found: list[Slip] = []
    position, done = at(SETUP), tuple[Action, ...]()
    for line in SLIPS.read_text(encoding="utf-8").splitlines():
        if line.startswith(" "):
            name, text = line.split(maxsplit=1)
            typed, meant = text.split(" => ")
            found.append(Slip(position, done, NOTATIONS[name], typed, meant))
        elif line and not line.startswith("#"):
            stands, _, played = line.partition(" after ")
            position = parse_position(stands)
            done = read_turn_part(position, (), played) if played else ()
    return found


# ── The slips that players make ──


def test_nine_of_ten_slips_are_understood_at_once() -> None:
    """The turn that was meant is the first suggestion."""
    known = slips()
    first = [(slip, [*suggest_turns(*slip[:2], slip.typed, slip.notation), ""][0]) for slip in known]
    missed = [f"{slip.typed} in {position_text(slip.position)}: {got}" for slip, got in first if got != slip.meant]
    assert len(known) >= 40
    assert len(missed) <= len(known) / 10, missed


def test_the_example_slips_are_slips() -> None:
    """The turn that was meant is legal and canonical. The typed text is illegal or another turn."""
    for position, done, notation, typed, meant in slips():
        assert turn_text(position, parse_turn(position, meant, notation), notation) == meant
        assert said(position, done, notation, typed) != meant, typed


def said(position: Position, done: tuple[Action, ...], notation: Notation, typed: str) -> str | None:
    """Return the turn that a text means, or None."""
    try:
        return turn_text(position, (*done, *parse_turn(along(position, done), typed, notation)), notation)
    except NotationError:
        return None


# ── Suggestions and their order ──

D1 = ["d1-d3;xd2,d3,d4,d5", "d1-h2;xe2,f2,g2,h2"]
ORDER = [
    # position, typed text, notation, suggestions
    # the same push, with another removal
    (KEEPER, "e2", OFFICIAL, ["e2;xe2,e4,e5", "e2;xe2,Ge3,e4,e5"]),
    (KEEPER, "e2;xGe3", OFFICIAL, ["e2;xe2,e4,e5"]),
    (KEEPER, "e2Xe4", JULIO974, ["e2X", "e2Xe3"]),
    (CROSSING, "b2", OFFICIAL, ["xe2,e3,e4,e5;b2", "xb5,c5,d5,e5;b2"]),
    (CROSSING, "b2", JULIO974, ["Xe;b2", "X5;b2"]),
    (CROSSING, "xe2;b2", OFFICIAL, ["xe2,e3,e4,e5;b2", "xb5,c5,d5,e5;b2"]),
    # the same dot, its other direction; the same spot from its dots, the upright one first
    ("basic w W=d2,d4,d6,e2 B=d3,d5,d7", "d1-d7", OFFICIAL, ["d1-f2", "c1-e3", "e1-e3"]),
    (SETUP, "e2", OFFICIAL, ["e1-e3", "d1-f2", "f1-d2"]),
    (SETUP, "e2", JULIO974, ["e1", "d1*", "f1*"]),
    # the same push without the G, and with it
    (SETUP, "Gd1-f2", OFFICIAL, ["d1-f2", "d2"]),
    ("tournament w W= B= opening=wb", "c2", OFFICIAL, ["Gc2"]),
    ("tournament w W=Ge8 B=Gf7 opening=wb", "Gc3", OFFICIAL, ["Gc2", "Gb3", "Gb2"]),
    # the row that was meant, and the push that makes it
    (CROSSING, "X5,b2", JULIO974, ["X5;b2", "Xe;b2"]),
    ("basic w W=d2,d4,d5,e2,f2,g2 B=b2", "d1xe2,f2,g2,h2", OFFICIAL, D1[::-1]),
    ("basic w W=d2,d4,d5,e2,f2,g2 B=b2", "d1xd2,d3,d4,d5", OFFICIAL, D1[:1]),
    ("basic w W=d3,e4,f4 B=b2", "c3;xc2,d3,e4,f4", OFFICIAL, ["c2;xc2,d3,e4,f4"]),
    # the other notation
    (SETUP, "d1*", OFFICIAL, ["d1-f2", "d2"]),
    (SETUP, "d1-f2", JULIO974, ["d1*", "d2"]),
    # pieces of an offer, if they were typed
    (OFFER, "c2;xe3", OFFICIAL, ["c2;xGe3", "xGe3;c2", "c2;xGe2,Ge3"]),
    (OFFER, "xe3;c2", OFFICIAL, ["xGe3;c2", "c2;xGe3", "xGe2,Ge3;c2"]),
    # a player with an empty reserve takes a piece of an offer first
    (NO_RESERVE, "c2", OFFICIAL, ["xGe2;c2", "xGe3;c2", "xGe4;c2"]),
    # nothing is similar
    (SETUP, "zz9", OFFICIAL, []),
    (SETUP, "", OFFICIAL, []),
    (SETUP, "\U0001f600", OFFICIAL, []),
]


@pytest.mark.parametrize(("line", "typed", "notation", "offered"), ORDER)
def test_the_most_similar_turn_comes_first(line: str, typed: str, notation: Notation, offered: list[str]) -> None:
    assert suggest_turns(at(line), (), typed, notation) == offered


def test_the_typed_turn_is_not_suggested() -> None:
    assert "h5" not in suggest_turns(at("basic w W=b2 B=g6"), (), "h6", JULIO974, 50, far=True)
    assert suggest_turns(at("basic w W=b2 B=g6"), (), "h6", JULIO974)[0] == "h6*"
    assert "c2" not in suggest_turns(at(OFFER), (), "c2", limit=50, far=True)


def test_less_similar_turns_come_only_on_request() -> None:
    assert len(suggest_turns(at(SETUP), (), "e1-e4", limit=50)) == 1
    assert len(suggest_turns(at(SETUP), (), "e1-e4", limit=50, far=True)) == 30


@pytest.mark.parametrize("notation", NOTATIONS.values(), ids=NOTATIONS)
def test_within_a_turn_whole_turns_are_suggested(notation: Notation) -> None:
    position = at(KEEPER)
    done = parse_turn(position, "e2;xe2,e4,e5")[:1]
    meant = {"official": "e2;xe2,Ge3,e4,e5", "julio974": "e2Xe3"}[notation.name]
    for typed in ("xe2,e3,e4,e5", "Ge3", "e2e3", "e2 Xe3!"):
        assert suggest_turns(position, done, typed, notation)[0] == meant


def test_nothing_is_suggested_after_the_turn_or_game() -> None:
    position = at(SETUP)
    assert suggest_turns(position, parse_turn(position, "c2"), "c2") == []
    won = at("standard w W=e2,e3,e4,e5,Gb5 B=Ge6")
    over = along(won, parse_turn(won, "xe2,e3,e4,e5,Ge6*"))
    assert suggest_turns(over, (), "c2") == []


# ── Whatever the text ──

PLACES: list[tuple[Position, tuple[Action, ...]]] = [
    *((crowded(seed), ()) for seed in range(20)),
    *((at(line), ()) for line in (SETUP, KEEPER, CROSSING, OFFER, NO_RESERVE)),
    *((start, actions[:-1]) for seed in range(3) for start, actions in game("tournament", seed) if len(actions) > 1),
]
TYPED = st.one_of(
    st.text(max_size=100),
    st.text(st.sampled_from([*"abcdefghigx123456789x;,-–*() GX"]), max_size=40),
    st.lists(st.sampled_from("b2 c3 Gd4 e5 e1-e4 xe2 ;x e9 * Xb* X5 g1*X".split()), max_size=9).map("".join),
)


@examples(test=50, long=200)
@given(st.sampled_from(PLACES), TYPED, st.sampled_from([*NOTATIONS.values()]))
def test_only_legal_turns_are_suggested(
    place: tuple[Position, tuple[Action, ...]], typed: str, notation: Notation
) -> None:
    """They are canonical, each once, always the same. They continue the played part, and can be read in play."""
    position, done = place
    offered = suggest_turns(position, done, typed, notation)
    assert len(offered) == len({*offered}) <= 3
    assert offered == suggest_turns(position, done, typed, notation)
    for text in offered:
        assert turn_text(position, parse_turn(position, text, notation), notation) == text
        read_turn_part(position, done, text, notation)


@pytest.mark.parametrize("notation", NOTATIONS.values(), ids=NOTATIONS)
def test_one_wrong_character_mostly_leads_to_its_turn(notation: Notation) -> None:
    """Sometimes it does not: a wrong character can make another turn, or leave two turns equally similar."""
    rng, found, tried = Random(7), 0, 0
    for position, actions in game("standard", 11, 60):
        text = turn_text(position, actions, notation)
        place = rng.randrange(len(text))
        slip = f"{text[:place]}{rng.choice('abcdefgh23456789')}{text[place + 1 :]}"
        try:
            parse_turn(position, slip, notation)
        except NotationError:
            tried += 1
            found += text in suggest_turns(position, (), slip, notation)
    assert tried > 20
    assert found / tried > 0.6
