"""What autocomplete offers: legal turns that fit what is typed, without ever listing them all."""

import random
from itertools import islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gipfbot.notation import completions, parse_position, parse_turn, read_part, turn_text
from gipfbot.rules import PRESETS, TOURNAMENT, Position, Ruleset, start, turns
from tests.rules.generate import dense, row_seeking, walk

MANY = 150  # turns; in a more crowded position an empty field is not answered with all of them
START = start(PRESETS["standard"])
ROW_DUE = parse_position("basic w W=e2,e3,e4,e5 B=c6,b2,b3 reserve=11-12 captured=0-0")
CHOICE = parse_position("standard w W=b2,b3,Gb4,Ge2 B=Ge8,Gh2 reserve=12-14 captured=0-0")


def texts(position: Position, typed: str, limit: int = 25) -> list[str]:
    return [found.text for found in completions(position, (), typed, limit)]


def test_an_exact_turn_comes_first_and_prefixes_follow() -> None:
    assert texts(START, "e1-e3") == ["e1-e3"]
    assert texts(START, "b") == ["b3", "b4", "b1-b3", "b6-b4"]
    assert texts(CHOICE, "b1-b5;xb2,b3,b4")[0] == "b1-b5;xb2,b3,b4"


@pytest.mark.parametrize("typed", ["E1 - E3", "e1–e3", " e1-e3 "])
def test_blanks_case_and_dash_are_forgiven(typed: str) -> None:
    assert texts(START, typed) == ["e1-e3"]


def test_a_turn_that_removes_is_marked() -> None:
    (plain,) = completions(START, (), "e1-e3", 25)
    assert not plain.removes
    assert all(found.removes for found in completions(ROW_DUE, (), "", 25))


def test_a_removal_without_a_choice_need_not_be_typed() -> None:
    """Who types only his push finds it, with the removal before it written out."""
    assert texts(ROW_DUE, "c7") == ["xe2,e3,e4,e5;c7-c5"]
    assert texts(ROW_DUE, "e2") == ["xe2,e3,e4,e5;e2"]


def test_the_ways_to_remove_are_offered_the_shortest_first() -> None:
    assert texts(CHOICE, "b1-b5") == ["b1-b5;xb2,b3,b4", "b1-b5;xb2,b3,b4,Gb5"]


def test_offers_are_canonical_unless_the_text_begins_otherwise() -> None:
    """Two rows that share nothing are offered in the order the notation writes them, or in the order begun."""
    rows = parse_position("basic w W=b2,c2,d2,e2,g2,g3,g4,g5 B= reserve=7-15 captured=0-0")
    first = texts(rows, "")[0]
    assert first.startswith("xb2,c2,d2,e2;xg2,g3,g4,g5;")
    assert texts(rows, "xg2")[0].startswith("xg2,g3,g4,g5;xb2,c2,d2,e2;")


def test_in_the_middle_of_a_turn_what_is_left_is_offered() -> None:
    done = read_part(CHOICE, (), "b1-b5")
    assert [found.text for found in completions(CHOICE, done, "x", 25)] == ["xb2,b3,b4", "xb2,b3,b4,Gb5"]


@pytest.mark.parametrize("rules", PRESETS.values(), ids=PRESETS)
def test_with_nothing_typed_all_turns_are_there(rules: Ruleset) -> None:
    """In ordinary positions the offers, without a limit, are exactly the turns the tools list."""
    rng, compared = random.Random(3), 0
    for _ in range(8):
        for position, _, _ in walk(start(rules), rng, row_seeking, 60):
            if position.pushed or position.dealt or position.result:
                continue
            listed = [turn_text(position, turn.actions) for turn, _ in islice(turns(position), MANY + 1)]
            if len(listed) <= MANY:
                assert sorted(found.text for found in completions(position, (), "", 2 * MANY)) == sorted(listed)
                compared += 1
    assert compared > 150


def test_in_crowded_positions_every_offer_is_legal() -> None:
    """However many turns there are, at most as many as asked for come back, and each can be played."""
    rng = random.Random(5)
    for _ in range(150):
        position = dense(TOURNAMENT, rng)
        found = completions(position, (), "", 25)
        assert found
        assert len(found) <= 25
        for completion in found[:5]:
            assert parse_turn(position, completion.text)


def test_what_is_typed_in_a_crowded_position_is_found() -> None:
    """Any beginning of any legal turn leads to that turn, or to others that begin so."""
    rng = random.Random(6)
    for _ in range(60):
        position = dense(TOURNAMENT, rng)
        turn, _ = rng.choice(list(islice(turns(position), 40)))
        text = turn_text(position, turn.actions)
        for cut in range(len(text) + 1):
            found = texts(position, text[:cut])
            assert found, (text, cut)
            assert all(each.lower().startswith(text[:cut].lower()) for each in found)
        assert texts(position, text)[0] == text


def test_a_step_of_many_ways_is_completed() -> None:
    """As many as fit in the list, however much of the turn is typed."""
    line = "tournament w W=Gd4,Gd5,Gd6,d7,Ge5,f4,g3,Gh2,Gh3,h4,Gh5 B=Gd3 reserve=0-16 captured=0-0"
    position, typed = parse_position(line), "xGd3*,Gd4,Gd5"
    assert [len(texts(position, typed[:cut])) for cut in range(len(typed) + 1)] == [25] * (len(typed) + 1)


@given(st.text(max_size=300))
def test_no_text_is_too_strange(typed: str) -> None:
    for position in (START, ROW_DUE, CHOICE):
        assert len(completions(position, (), typed, 25)) <= 25
