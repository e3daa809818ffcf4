"""Typed turns in play (notation.md, head and section 1): the text decides a part of the turn, the rest is asked."""

import pytest

from gipfbot.notation import IllegalTurn, ParseError, played_text, read_turn_part, turn_text
from gipfbot.rules import PASS, Action, Position, legal
from tests.notation.helpers import along, at, crowded, game, standing
from tests.notation.positions import COLUMN, CROSSING, FAQ_9, KEEPER, NO_RESERVE, OFFER, SETUP, SHARED, STANDING
from tests.support.effort import amount

TWO_KEEPERS = "standard w W=Ge2,e3,e4,e5,Gb2,b3,b4,b5 B=Gh2"
OFFERS = "tournament w W=Ge2,Ge3,Ge4,Ge5,Gb2,Gb3,Gb4,Gb5,h5 B=Gh2"

PARTS = [
    # position, played part, typed text, what is added, whether the turn is then complete
    # a whole turn
    (SETUP, "", "e1-e3", "e1-e3", True),
    (COLUMN, "", "e2;x", "e2;xe2,e3,e4,e5", True),
    # a list of GIPF-pieces only takes their rows with it; other rows are asked about, and so is the choice of a row
    (KEEPER, "", "e2;xGe3", "e2;xe2,Ge3,e4,e5", True),
    (FAQ_9, "", "xGb5;c2", "xb2,b3,b4,Gb5", False),
    (SHARED, "", "xGd2;b4", "", False),
    # forced removals are played with it
    (COLUMN, "", "e2", "e2;xe2,e3,e4,e5", True),
    (STANDING, "", "x", "xe2,e3,e4,e5", False),
    (STANDING, "", "b2", "xe2,e3,e4,e5;b2", True),
    # a choice that is left open stops the turn there, or before anything
    (KEEPER, "", "e2", "e2", False),
    (KEEPER, "", "e2;x", "e2", False),
    (KEEPER, "", "e2 (3)", "e2", False),
    (CROSSING, "", "b2", "", False),
    (CROSSING, "", "x", "", False),
    (TWO_KEEPERS, "", "xe3,e4,e5", "xe3,e4,e5", False),
    (TWO_KEEPERS, "", "xe3,e4,e5;h3", "xe3,e4,e5", False),
    (TWO_KEEPERS, "", "xe3,e4,e5,b3,b4,b5;h3", "xb3,b4,b5;xe3,e4,e5;h3", True),
    # the part that is decided, and forced removals after it
    (CROSSING, "", "xb5,c5,d5,e5", "xb5,c5,d5,e5", False),
    (CROSSING, "", "xb5,c5,d5,e5;b2", "xb5,c5,d5,e5;b2", True),
    # the remaining part
    (KEEPER, "e2", "xe2,e4,e5", "xe2,e4,e5", True),
    (KEEPER, "e2", "xe2,Ge3,e4,e5", "xe2,Ge3,e4,e5", True),
    (KEEPER, "e2", "x", "", False),
    (CROSSING, "xb5,c5,d5,e5", "b2", "b2", True),
    (TWO_KEEPERS, "xe3,e4,e5", "xGb2,b3,b4,b5;h3", "xGb2,b3,b4,b5;h3", True),
    (OFFER, "c2", "xGe3", "xGe3", True),
    (SHARED, "xd3,d4,d5", "xGd2,e3,f3,g3;b4", "xGd2,e3,f3,g3;b4", True),
    # a whole turn that begins with the played part
    (KEEPER, "e2", "e2;xe2,e4,e5", "xe2,e4,e5", True),
    (KEEPER, "e2", "e1-e2;xe2,e4,e5", "xe2,e4,e5", True),
    (KEEPER, "e2", "e2", "", False),
    (CROSSING, "xb5,c5,d5,e5", "xb5,c5,d5,e5;b2", "b2", True),
    (CROSSING, "xb5,c5,d5,e5", "x;b2", "b2", True),
    (TWO_KEEPERS, "xe3,e4,e5", "xe3,e4,e5;xb3,b4,b5;h3", "xb3,b4,b5;h3", True),
    (TWO_KEEPERS, "xe3,e4,e5", "xe3,e4,e5,b3,b4,b5;h3", "xb3,b4,b5;h3", True),
    (SHARED, "xd3,d4,d5;xe3,f3,g3", "xe3,f3,g3,d3,d4,d5;b4", "b4", True),
    (f"{OFFER} step=after", "", "xGe3", "xGe3", True),
    # offers that are not named stay, and the turn passes; before the push the others are still asked
    (OFFER, "", "c2", "c2", True),
    (OFFER, "", "xGe2", "xGe2", False),
    (OFFERS, "", "c2;xGe2", "c2;xGe2", True),
    (OFFERS, "", "xGe2;c2;xGb2", "xGe2;c2;xGb2", True),
    (OFFERS, "c2;xGe2", "xGb2,Gb3", "xGb2,Gb3", True),
    # with an empty reserve something must be taken first (R6.1)
    (NO_RESERVE, "", "c2", "", False),
    (NO_RESERVE, "", "xGe2;c2", "xGe2;c2", True),
    # a reserve after the part that completes the turn
    (KEEPER, "e2", "xe2,e4,e5 (14)", "xe2,e4,e5", True),
]


def spelled(position: Position, text: str) -> tuple[Action, ...]:
    """Return the actions that a text spells out one by one."""
    actions: list[Action] = []
    for part in text.split(";") if text else ():
        action = next(a for a in legal(position) if played_text(position, [a]) == part)
        actions.append(action)
        position = along(position, (action,))
    return tuple(actions)


@pytest.mark.parametrize(("line", "done", "typed", "added", "complete"), PARTS)
def test_a_typed_part_adds_what_it_decides(line: str, done: str, typed: str, added: str, complete: bool) -> None:
    """The added actions complete the turn or stop it at the next choice."""
    start = at(line)
    played = spelled(start, done)
    now = along(start, played)
    actions = read_turn_part(start, played, typed)
    assert played_text(now, actions) == added
    assert (along(now, actions).mover is not start.mover) == complete


REFUSED = [
    # position, played part, typed text, reason code, sentence
    (
        KEEPER,
        "e2",
        "e1-e3",
        "done",
        "You have pushed e2. Does e3 stay on the board, or come off, too? (R3.5)",
    ),
    (KEEPER, "e2", "b2", "done", "You have pushed e2"),
    (CROSSING, "xb5,c5,d5,e5", "xe2,e3,e4,e5;b2", "done", "You have played xb5,c5,d5,e5"),
    (CROSSING, "xb5,c5,d5,e5", "xb5,c5,d5;b2", "done", "You have played xb5,c5,d5,e5"),
    (SHARED, "xd3,d4,d5", "xGd2,d3,d4,d5;b4", "must", "The row on line c* takes e3, f3, g3 with it."),
    (SHARED, "xGd2,d3,d4,d5", "xe3,f3,g3;b4", "no_row", "White has no row on the board"),
    (OFFERS, "c2;xGe2", "xGb2;c2;xGe2", "done", "You have played c2;xGe2"),
    (KEEPER, "e2", "xe2,Ge3,e4", "must", "The row on line e takes e5 with it."),
    (FAQ_9, "", "e5", "inside", "e5 is not next to a dot"),
    (FAQ_9, "", "Gc2", "no_gipf", "leave the G out."),
    (FAQ_9, "", "c2;xd4", "no_row", "White has no row after this push. (R3.4)"),
    (FAQ_9, "", "xb2,b3,b4;e5", "inside", "e5 is not next to a dot"),
    (FAQ_9, "xb2,b3,b4", "e5", "inside", "e5 is not next to a dot"),
    (FAQ_9, "xb2,b3,b4", "xGb5", "dealt", "White has taken that row and kept b5. (R4.6)"),
    (FAQ_9, "xb2,b3,b4", "xg2,g3,g4,Gb5;c2", "dealt", "White has taken that row and kept b5. (R4.6)"),
    (f"{OFFER} step=after", "", "c2;xGe3", "done", "You have pushed"),
]


@pytest.mark.parametrize(("line", "done", "typed", "code", "sentence"), REFUSED)
def test_a_text_that_contradicts_the_played_part_is_refused(
    line: str, done: str, typed: str, code: str, sentence: str
) -> None:
    start = at(line)
    with pytest.raises(IllegalTurn) as caught:
        read_turn_part(start, spelled(start, done), typed)
    assert (caught.value.code, sentence in str(caught.value)) == (code, True), str(caught.value)


def test_a_push_waits_for_the_choice_that_allows_it() -> None:
    assert read_turn_part(at(FAQ_9), (), "c2") == ()
    start = at(FAQ_9)
    assert read_turn_part(start, (), "xb2,b3,b4;c2 (13)") == spelled(start, "xb2,b3,b4")


def test_an_empty_text_is_refused() -> None:
    with pytest.raises(ParseError):
        read_turn_part(at(COLUMN), (), "")


def test_nothing_is_played_when_the_game_is_over() -> None:
    start = at("standard w W=e2,e3,e4,e5,Gb5 B=Ge6")
    over = along(start, read_turn_part(start, (), "xe2,e3,e4,e5,Ge6*"))
    with pytest.raises(IllegalTurn, match=r"^The game is over: nothing more can be played\. \(R6\.2\)$"):
        read_turn_part(over, (), "b3")


@pytest.mark.parametrize("rules", ["basic", "standard", "tournament"])
def test_every_part_of_a_played_turn_can_be_typed(rules: str) -> None:
    """After any part of a turn, its rest, its whole text, and the text of the played part are read."""
    games, cuts = amount(test=4, long=12), 0
    for seed in range(games):
        for start, actions in game(rules, seed):
            end, whole = along(start, actions), turn_text(start, actions)
            for cut in range(len(actions)) if len(actions) > 1 else ():
                done, rest = actions[:cut], actions[cut:]
                now = along(start, done)
                for text in (whole, played_text(now, rest)):
                    if text:
                        assert along(now, read_turn_part(start, done, text)) == end, (whole, cut, text)
                        cuts += 1
    assert cuts > 25 * games


def test_steps_of_crowded_boards_are_read_from_one_list() -> None:
    """One list with all spots of a step, in any order, clears exactly these spots in all rows."""
    for seed in range(amount(test=50, long=150)):
        position = crowded(seed)
        way, now = [], position
        while now.mover is position.mover and (removals := [a for a in legal(now) if hasattr(a, "taken")]):
            way.append(removals[seed % len(removals)])
            now = along(now, (way[-1],))
        named = [piece for text in played_text(position, way).split(";") if text for piece in text[1:].split(",")]
        if named:
            actions = read_turn_part(position, (), f"x{','.join(reversed(named))}")
            assert standing(along(position, actions)) == standing(now)


def test_pass_ends_a_typed_turn() -> None:
    assert read_turn_part(at(OFFER), (), "c2")[-1] is PASS


def test_push_that_names_its_first_spot_is_the_only_one_offered() -> None:
    """The sentence says which push is meant. A push to d2 is as near by its letters."""
    with pytest.raises(IllegalTurn) as caught:
        read_turn_part(at(SETUP), (), "d1-e2")
    assert (caught.value.code, caught.value.near) == ("furthest", ("d1-f2",))
