"""Autocomplete: legal turns that fit the typed text, found without listing all turns."""

import random
from collections.abc import Iterator
from itertools import islice

import pytest
from hypothesis import given, strategies as st

from gipfbot.notation import (
    JULIO974,
    NOTATIONS,
    OFFICIAL,
    Notation,
    completions,
    parse_position,
    parse_turn,
    read_turn_part,
    turn_text,
)
from gipfbot.notation.completion import TYPED_SIGNS, Fit
from gipfbot.rules import PRESETS, TOURNAMENT, Action, Position, Remove, Ruleset, legal, open_rows, play, start, turns
from tests.notation.helpers import along
from tests.rules.generate import dense, row_seeking, walk
from tests.support.effort import amount, examples
from tests.support.paths import DATA

LIMIT = 25
MANY = 150  # turns; in a more crowded position an empty text is not completed with all turns
CROWDED = amount(test=1_000, long=20_000)
START = start(PRESETS["standard"])
ROW_DUE = parse_position("basic w W=e2,e3,e4,e5 B=c6,b2,b3 reserve=11-12 captured=0-0")
CHOICE = parse_position("standard w W=b2,b3,Gb4,Ge2 B=Ge8,Gh2 reserve=12-14 captured=0-0")
CHOICE_BEFORE = parse_position("standard w W=Gd2,d3,d4,d5,Gg4 B=Gd6,Ge8,h3 reserve=11-13 captured=0-0")
OFFER_AFTER = parse_position("tournament w W=Gd2,Gd3,Gd4,Gd5,b4 B=Ge8,h3 reserve=9-15 captured=0-0")
WORST = [
    line.partition(" ")[2]
    for line in (DATA / "worst.txt").read_text(encoding="utf-8").splitlines()
    if line and not line.startswith("#")
]
worst = pytest.mark.parametrize("line", WORST, ids=range(1, len(WORST) + 1))
either = pytest.mark.parametrize("notation", NOTATIONS.values(), ids=NOTATIONS)


def texts(position: Position, typed: str, limit: int = LIMIT, notation: Notation = OFFICIAL) -> list[str]:
    return [found.text for found in completions(position, (), typed, limit, notation)]


def beginning(position: Position, typed: str) -> list[str]:
    """Return the completions that begin with the typed text."""
    return [found.text for found in completions(position, (), typed, LIMIT) if found.fit is not Fit.CONTAINED]


def random_turn(position: Position, rng: random.Random) -> tuple[Action, ...]:
    now, actions = position, list[Action]()
    while now.mover is position.mover and not now.result:
        actions.append(rng.choice(legal(now)))
        now = play(now, actions[-1])
    return tuple(actions)


# ── What fits, and in which order ──


def test_turns_come_as_exact_then_beginning_then_containing() -> None:
    assert texts(START, "e1-e3")[0] == "e1-e3"
    assert beginning(START, "b") == ["b3", "b4", "b1-b3", "b6-b4"]
    assert texts(CHOICE, "b1-b5;xb2,b3,b4")[0] == "b1-b5;xb2,b3,b4"
    found = completions(START, (), "b3", LIMIT)
    assert [(each.text, each.fit) for each in found] == [("b3", Fit.EXACT), ("b1-b3", Fit.CONTAINED)]
    for typed in ("b", "c", "e", "-"):
        fits = [each.fit for each in completions(START, (), typed, LIMIT)]
        assert fits == sorted(fits)


@pytest.mark.parametrize("typed", ["E1 - E3", "e1–e3", " e1-e3 "])
def test_blanks_case_and_dash_are_forgiven(typed: str) -> None:
    assert texts(START, typed) == ["e1-e3"]


def test_a_turn_is_found_by_any_part_of_it() -> None:
    assert "b1-b3" in texts(START, "1-b")
    assert texts(CHOICE, "b3,b4") == ["b1-b5;xb2,b3,b4", "b1-b5;xb2,b3,b4,Gb5"]
    assert "b1-b5;xb2,b3,b4" in texts(CHOICE, "5;x")
    assert "xd3,d4,d5,Gd6*;c2" in texts(CHOICE_BEFORE, "d6*")
    assert "xGd2,d3,d4,d5;c2" in texts(CHOICE_BEFORE, "d2,d3,d4,d5;c2")


def test_a_push_finds_turns_that_begin_with_removals() -> None:
    found = texts(CHOICE_BEFORE, "c2")
    assert set(found) >= {"xd3,d4,d5;c2", "xGd2,d3,d4,d5;c2", "xd3,d4,d5,Gd6*;c2", "xGd2,d3,d4,d5,Gd6*;c2"}


def test_a_removal_without_a_choice_need_not_be_typed() -> None:
    """A typed push alone finds its turn first, with the removal before it written out."""
    assert texts(ROW_DUE, "c7") == ["xe2,e3,e4,e5;c7-c5"]
    assert texts(ROW_DUE, "e2")[0] == "xe2,e3,e4,e5;e2"


def test_a_completion_counts_returned_and_captured_pieces() -> None:
    (plain,) = completions(START, (), "e1-e3", LIMIT)
    assert (plain.returned, plain.captured) == (0, 0)
    assert {(found.returned, found.captured) for found in completions(ROW_DUE, (), "", LIMIT)} == {(4, 0)}
    (found,) = completions(CHOICE_BEFORE, (), "xGd2,d3,d4,d5,Gd6*;c2", LIMIT)
    assert (found.returned, found.captured) == (5, 2)


def test_the_shortest_removal_is_offered_first() -> None:
    assert texts(CHOICE, "b1-b5") == ["b1-b5;xb2,b3,b4", "b1-b5;xb2,b3,b4,Gb5"]


def test_offers_are_canonical_unless_the_text_begins_otherwise() -> None:
    """Two rows that share nothing are offered in the notation's order, or in the order of the typed text."""
    rows = parse_position("basic w W=b2,c2,d2,e2,g2,g3,g4,g5 B= reserve=7-15 captured=0-0")
    first = texts(rows, "")[0]
    assert first.startswith("xb2,c2,d2,e2;xg2,g3,g4,g5;")
    assert texts(rows, "xg2")[0].startswith("xg2,g3,g4,g5;xb2,c2,d2,e2;")


@worst
def test_of_too_many_turns_different_next_steps_are_shown(line: str) -> None:
    position = parse_position(line)
    removed = [text.partition(";")[0] for text in texts(position, "x")]
    assert len({*removed}) > LIMIT / 2
    behind = removed[0] + ";"
    assert len({text.removeprefix(behind).partition(";")[0] for text in beginning(position, behind)}) > LIMIT / 4


def test_a_row_that_must_lose_a_piece_is_never_left_unsaid() -> None:
    """R7.4: its plain pieces alone do not go. In Julio974's notation, other removals need not be written."""
    position = parse_position(
        "tournament+P6 b W=Gb3,Gc5,Ge5 B=Gc2,Pc3,pc4[P],Pd3,d4[GG],d5[G],Pd6,Ge4,e6[G],Gf4,Pf6,pg4[P],h2,Gh4 "
        "reserve=2-0 captured=2-0 left=P0-P0"
    )
    for found in completions(position, (), "*", LIMIT, JULIO974):
        assert parse_turn(position, found.text, JULIO974)


# ── In the middle of a turn ──


def test_within_a_turn_its_rest_is_offered() -> None:
    done = read_turn_part(CHOICE, (), "b1-b5")
    assert [found.text for found in completions(CHOICE, done, "x", LIMIT)] == ["xb2,b3,b4", "xb2,b3,b4,Gb5"]


def test_the_played_part_may_be_typed_again() -> None:
    done = read_turn_part(CHOICE, (), "b1-b5")
    for typed in ("b1", "b1-b5;", "b1-b5;xb2,b3,b4,g"):
        assert "xb2,b3,b4,Gb5" in [found.text for found in completions(CHOICE, done, typed, LIMIT)]
    found = completions(CHOICE, done, "b1-b5;xb2,b3,b4", LIMIT)
    assert (found[0].text, found[0].fit) == ("xb2,b3,b4", Fit.EXACT)


@either
def test_leaving_all_offers_can_be_chosen_after_the_push(notation: Notation) -> None:
    done = (next(action for action in legal(OFFER_AFTER) if str(getattr(action, "dot", "")) == "g1"),)
    first, *_ = completions(OFFER_AFTER, done, "", LIMIT, notation)
    assert first.text.lower() == "x"
    assert (first.returned, first.captured) == (0, 0)
    after = along(OFFER_AFTER, (*done, *read_turn_part(OFFER_AFTER, done, first.text)))
    assert after.mover is not OFFER_AFTER.mover
    assert after.gipf == OFFER_AFTER.gipf


# ── Two notations ──


def test_a_turn_is_completed_in_the_typed_notation() -> None:
    assert texts(START, "e1-e3", notation=JULIO974) == ["e1-e3"]
    assert texts(START, "a4*") == ["a4*"]
    assert texts(START, "e1")[0] == "e1-e3"
    assert texts(START, "e1", notation=JULIO974)[0] == "e1"


def test_julio974_turns_are_offered_with_their_row_codes() -> None:
    assert texts(CHOICE, "b1", notation=JULIO974) == ["b1Xb", "b1Xb5"]
    assert texts(CHOICE, "b1X", notation=JULIO974) == ["b1Xb", "b1Xb5"]
    found = completions(CHOICE, (), "b1x", LIMIT, JULIO974)
    assert found[0].fit is Fit.EXACT
    assert texts(CHOICE_BEFORE, "c2", notation=JULIO974)[0] == "Xd;c2"


# ── All of them ──


@pytest.mark.usefixtures("untraced")
@pytest.mark.parametrize("rules", PRESETS.values(), ids=PRESETS)
def test_an_empty_text_is_completed_with_all_turns(rules: Ruleset) -> None:
    """In ordinary positions and without a limit, the completions are exactly the turns that the tools list."""
    rng, compared = random.Random(3), 0
    for _ in range(amount(test=1, long=4)):
        for position, _, _ in walk(start(rules), rng, row_seeking, 60):
            if position.pushed or position.dealt or position.result:
                continue
            listed = [turn_text(position, turn.actions) for turn, _ in islice(turns(position), MANY + 1)]
            if len(listed) <= MANY:
                assert sorted(found.text for found in completions(position, (), "", 2 * MANY)) == sorted(listed)
                compared += 1
    assert compared > amount(test=20, long=80)


def test_in_crowded_positions_every_offer_is_legal() -> None:
    """However many turns there are, the list keeps its limit, and each completion can be played."""
    rng = random.Random(5)
    for _ in range(amount(test=20, long=80)):
        position = dense(TOURNAMENT, rng)
        found = completions(position, (), "", LIMIT)
        assert found
        assert len(found) <= LIMIT
        for completion in found[:5]:
            assert parse_turn(position, completion.text)


def assert_leads_to(position: Position, actions: tuple[Action, ...], notation: Notation, step: int = 1) -> None:
    """Check that every beginning of a turn's text is completed with turns that begin so.

    If they are few, the turn is one of them. For the whole text it comes first. Each completion is a whole turn.
    """
    text, after = turn_text(position, actions, notation), along(position, actions)
    for cut in {*range(0, len(text), step), len(text)}:
        found = completions(position, (), text[:cut], LIMIT, notation)
        fitting = [each for each in found if each.fit is not Fit.CONTAINED]
        assert fitting, text[:cut]
        if len(fitting) < LIMIT or cut == len(text):
            ends = [along(position, read_turn_part(position, (), each.text)) for each in fitting]
            assert after in ends[: 1 if cut == len(text) else None], text[:cut]
    (first,) = completions(position, (), text, 1, notation)
    assert first.fit is Fit.EXACT
    assert notation is JULIO974 or first.text == text


@either
@worst
def test_every_beginning_leads_to_its_turn_in_crowds(line: str, notation: Notation) -> None:
    position, rng = parse_position(line), random.Random(line)
    assert_leads_to(position, random_turn(position, rng), notation, step=amount(test=8, long=4))


@either
@pytest.mark.parametrize("rules", PRESETS.values(), ids=PRESETS)
def test_every_beginning_leads_to_its_turn_in_games(rules: Ruleset, notation: Notation) -> None:
    rng = random.Random(6)
    for position in islice(starts(rules, rng), amount(test=6, long=20)):
        assert_leads_to(position, random_turn(position, rng), notation)


def starts(rules: Ruleset, rng: random.Random) -> Iterator[Position]:
    """Yield positions at the start of a turn, from games that seek rows."""
    while True:
        for position, _, after in walk(start(rules), rng, row_seeking, 80):
            if after.mover is not position.mover and not after.result and (open_rows(after) or rng.random() < 0.1):
                yield after


# ── Limits ──


@pytest.mark.usefixtures("untraced")
@pytest.mark.parametrize("line", WORST[amount(test=1, long=0) :: amount(test=4, long=1)])
def test_the_worst_positions_are_crowded(line: str) -> None:
    assert sum(1 for _ in islice(turns(parse_position(line)), CROWDED + 1)) > CROWDED


def test_most_of_the_worst_positions_have_crossing_rows() -> None:
    positions = [parse_position(line) for line in WORST]
    rows = [open_rows(position) for position in positions]
    crossing = [any(a.stretch & b.stretch for a in each for b in each if a is not b) for each in rows]
    assert sum(crossing) >= 10
    assert all(position.gipf.bit_count() > 4 for position in positions)
    assert {position.mover for position in positions} == {0, 1}


@worst
def test_too_long_texts_are_replaced_by_others(line: str) -> None:
    """A list that is not full holds all turns that are so short."""
    position, longest = parse_position(line), 20
    found = [each.text for each in completions(position, (), "x", LIMIT, longest=longest)]
    assert all(len(text) <= longest for text in found)
    assert len(found) == LIMIT or {*found} == {*short_turns(position, longest)}
    assert found


def short_turns(start: Position, longest: int) -> Iterator[str]:
    """Yield the texts of all turns of at most so many characters. Each removed piece takes three at least."""
    going, seen = [(start, tuple[Action, ...](), 0)], set[Position]()
    while going:
        position, actions, least = going.pop()
        if position.mover is not start.mover:
            text = turn_text(start, actions)
            yield from [text] if len(text) <= longest else []
        elif least <= longest and position not in seen:
            seen.add(position)
            for action in legal(position):
                more = 3 * action.taken.bit_count() if isinstance(action, Remove) else 0
                going.append((play(position, action), (*actions, action), least + more))


def test_a_removal_step_with_many_ways_fills_the_list() -> None:
    """The list is full, however much of the turn is typed."""
    line = "tournament w W=Gd4,Gd5,Gd6,d7,Ge5,f4,g3,Gh2,Gh3,h4,Gh5 B=Gd3 reserve=0-16 captured=0-0"
    position, typed = parse_position(line), "xGd3*,Gd4,Gd5"
    assert [len(texts(position, typed[:cut])) for cut in range(len(typed) + 1)] == [LIMIT] * (len(typed) + 1)


@examples(test=25, long=100)
@given(st.text(max_size=300), st.sampled_from((START, ROW_DUE, CHOICE, OFFER_AFTER)), st.sampled_from([*NOTATIONS]))
def test_any_text_is_completed_within_the_limit(typed: str, position: Position, notation: str) -> None:
    assert len(completions(position, (), typed, LIMIT, NOTATIONS[notation])) <= LIMIT


@examples(test=20, long=60)
@given(
    st.text("".join(sorted(TYPED_SIGNS)) + "GX –", max_size=40), st.sampled_from(WORST), st.sampled_from([*NOTATIONS])
)
def test_any_text_in_a_crowd_is_completed_within_the_limit(typed: str, line: str, notation: str) -> None:
    assert len(completions(parse_position(line), (), typed, LIMIT, NOTATIONS[notation])) <= LIMIT
