"""The pending question is a view of the legal actions: who is asked, about which rows, with which answers."""

import random
from itertools import chain, combinations

import pytest

from gipfbot.rules import PASS, PRESETS, TOURNAMENT, Action, Colour, Position, Push, Remove, Ruleset, Use, legal, start
from gipfbot.rules.pending import Asked, Question, RowChoice, question
from tests.support.effort import amount

from .generate import dense, row_seeking, walk
from .helpers import action, board
from .loaded import at


def asked(head: str, white: str, black: str, **more: str) -> Question:
    found = question(board(head, white, black, **more))
    assert found
    return found


def row_on(found: Question, line: str) -> RowChoice:
    return next(row for row in found.rows if row.line.code == line)


def test_without_a_row_the_push_is_asked() -> None:
    found = asked("standard w", "W=Gb5,Ge2,Gh5", "B=Gb2,Ge8,Gh2")
    assert (found.by, found.pushed, found.rows, found.may_pass) == (Colour.WHITE, False, (), False)
    assert len(found.pushes) == 42
    assert not found.due


def test_pushes_and_uses_are_the_acts() -> None:
    found = question(at("standard+Z3 w W=Gb5,Zd3,d4 B=Ge8"))
    assert found
    assert [*found.acts] == [
        one for one in legal(at("standard+Z3 w W=Gb5,Zd3,d4 B=Ge8")) if isinstance(one, Push | Use)
    ]
    assert found.may_act
    assert not asked("basic w", "W=e2,e3,e4,e5", "B=").may_act


@pytest.mark.parametrize(
    ("line", "asks"),
    [
        ("standard+P3 w W=Gb5,Pd3 B=Gd4,Ge8", True),
        ("standard+P3 w W=Gb5,Pd3 B=Gd4,Ge8 captured=14-0", False),  # one piece is left to put down
        ("standard+Z3 w W=Gb5,Zd3,d4 B=Ge8", False),
    ],
)
def test_how_many_pieces_are_put_down_is_asked_where_it_is_a_choice(line: str, asks: bool) -> None:
    found = question(at(line))
    assert found
    assert Asked.USE in found.asks
    assert (Asked.PUT in found.asks) is asks


def test_only_a_use_may_be_left_to_act() -> None:
    """The reserve is empty (R7.6)."""
    found = question(at("standard+Z3 b W=Gb5,d2,d7 B=Ge8,Zc2 captured=0-15"))
    assert found
    assert (found.pushes, found.may_act, len(found.acts)) == ((), True, 1)


def test_basic_pieces_must_go_and_gipf_pieces_may_stay() -> None:
    """Each GIPF-piece, of either colour, has its own toggle."""
    row = row_on(asked("standard w", "W=e2,e3,Ge4,e5,Ge8", "B=Ge6,b2,Gc2"), "e")
    assert row.due
    assert row.core == ("e2", "e3", "e4", "e5")
    assert row.stretch == ("e2", "e3", "e4", "e5", "e6")
    assert row.must == ("e2", "e3", "e5")
    assert row.toggles == (("e4",), ("e6",))
    assert row.removal([]) == action("e: e2 e3 e5")
    assert row.removal(["e6"]) == action("e: e2 e3 e5 e6")
    assert row.removal(["e8"]) is None


def test_an_offer_has_no_forced_piece_but_needs_one() -> None:
    """R4.7: four GIPF-pieces in a row may stay, so the pushes are asked as well."""
    found = asked("tournament w", "W=Ge2,Ge3,Ge4,Ge5", "B=Gb2")
    row = row_on(found, "e")
    assert not row.due
    assert not found.due
    assert found.pushes
    assert row.must == ()
    assert row.removal([]) is None
    assert row.removal(["e2"]) == action("e: e2")


def test_rows_that_share_a_spot_are_one_group() -> None:
    """R4.5: the player says which of them comes first. A row that shares nothing has its own group."""
    found = asked("basic w", "W=e2,e3,e4,e5,b5,c5,d5,h2,h3,h4,h5", "B=c2")
    assert [[row.line.code for row in group] for group in found.groups] == [["h"], ["e", "5"]]
    assert found.forced == action("h: h2 h3 h4 h5")


def test_three_rows_joined_by_the_last_are_one_group() -> None:
    """Two rows that share nothing are joined by a third that crosses both."""
    found = asked("basic w", "W=c2,c3,c4,c5,f2,f3,f4,f5,d5,e5", "B=b2")
    assert sorted(row.line.code for row in found.rows) == ["5", "c", "f"]
    assert len(found.groups) == 1
    assert found.forced is None


def test_a_row_with_a_gipf_piece_is_never_forced() -> None:
    assert asked("standard w", "W=e2,e3,Ge4,e5", "B=Gb2").forced is None


def test_an_offer_is_never_forced() -> None:
    assert asked("tournament w", "W=Ge2,Ge3,Ge4,Ge5", "B=Gb2").forced is None


@pytest.mark.usefixtures("untraced")
@pytest.mark.parametrize("rules", PRESETS.values(), ids=PRESETS)
def test_the_question_offers_exactly_the_legal_actions(rules: Ruleset) -> None:
    """These are the pushes, the removals with any choice of the toggles, and the pass."""
    rng = random.Random(8)
    for _ in range(amount(test=6, long=30)):
        for position, _, after in walk(start(rules), rng, row_seeking, 200):
            check(position)
            assert (question(after) is None) == (after.result is not None)


def test_the_question_is_complete_in_crowded_positions() -> None:
    """The positions have crossing rows and many GIPF-pieces."""
    rng, crossing = random.Random(9), 0
    for _ in range(150):
        for position, _, _ in walk(dense(TOURNAMENT, rng), rng, row_seeking, 4):
            found = check(position)
            crossing += any(len(group) > 1 for group in found.groups)
    assert crossing > 30


def check(position: Position) -> Question:
    found = question(position)
    assert found
    said: set[Action] = {*found.pushes, *([PASS] if found.may_pass else [])}
    for row in found.rows:
        sets = chain.from_iterable(combinations(row.toggles, n) for n in range(len(row.toggles) + 1))
        removals = {row.removal([spot for toggle in chosen for spot in toggle]) for chosen in sets}
        said |= {removal for removal in removals if removal}
        assert row.due or row.removal([]) is None
    assert said == {*legal(position)}
    if found.forced:
        ways = [way for way in legal(position) if isinstance(way, Remove) and way.line == found.forced.line]
        assert ways == [found.forced]
    return found
