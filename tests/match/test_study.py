"""Studies: stepping through a record, and trying turns from any place in it."""

from dataclasses import replace
from random import Random

import pytest

from gipfbot.match import Refused, Status, Why, position_after
from gipfbot.match.study import (
    STUDY_LIFETIME,
    Actions,
    Study,
    begin_practice,
    bot_decides,
    drop_tried,
    follow_game,
    go_to_place,
    parse_place,
    perform_in_study,
    practice_colour,
    read_study_turn,
    step_back,
    study_game,
    take_back_own,
)
from gipfbot.notation import IllegalTurn, parse_position, parse_turn, position_text
from gipfbot.rules import BASIC, PASS, PRESETS, STANDARD, Action, Colour, Position, Push, Ruleset, legal, play, start
from tests.match.studies import CHOICE, study, tried, turns_of
from tests.rules.generate import row_seeking
from tests.support.games import PLAYED
from tests.support.times import DAY

ROW = parse_position("basic w W=b5,e2,e3,e4 B=b2,d6,h2 reserve=11-12 captured=0-0")
BLACK_TO_MOVE = parse_position("basic b W=b5,e2,h5 B=b2,d6,h2 reserve=12-12 captured=0-0")
DECIDING = parse_position("standard w W=b2,b3,Gb4,Gh5 B=d6,Ge8,Gg2 reserve=12-13 captured=0-0")
LAST_PIECE = parse_position("basic w W=b5,e2,h5 B=b2,c3,e6,g2 reserve=12-0 captured=0-11")


def written(shown: Study) -> tuple[int, str]:
    """Return how many turns stand on the board, and the last one."""
    game = study_game(shown)
    return game.turn_number, game.last.text if game.last else ""


@pytest.mark.parametrize(("asked", "place"), [(-3, 0), (0, 0), (5, 5), (6, 6), (99, 6)])
def test_going_to_a_place_stays_in_the_record(asked: int, place: int) -> None:
    assert written(go_to_place(study(2), asked)) == (place, ("", *PLAYED)[place])


def played(ruleset: Ruleset, seed: int) -> tuple[tuple[Actions, ...], list[Position]]:
    """Return the turns of a game of players who seek rows, and the positions from the start to its end."""
    rng, position, positions, turns = Random(seed), start(ruleset), [start(ruleset)], list[Actions]()
    while not position.result and len(turns) < 150:
        mover, actions = position.mover, list[Action]()
        while position.mover is mover:
            actions.append(row_seeking(position, legal(position), rng))
            position = play(position, actions[-1])
        turns.append(tuple(actions))
        positions.append(position)
    return tuple(turns), positions


@pytest.mark.parametrize("ruleset", PRESETS.values(), ids=PRESETS)
def test_each_place_shows_the_position_after_its_turn(ruleset: Ruleset) -> None:
    """It tells whether the game is over there, and the turn that led there with the position before it."""
    turns, positions = played(ruleset, 5)
    assert positions[-1].result
    for place, position in enumerate(positions):
        game = study_game(go_to_place(Study(1, ruleset, ("ann", "bob"), turns), place))
        assert (game.position, game.turn_number, game.seats[1].name) == (position, place, "bob")
        assert (game.status is Status.OVER) == (position.result is not None)
        assert (game.last is None) == (place == 0)
        assert game.last is None or (game.last.before, game.last.after) == (positions[place - 1], position)


def test_tried_turns_of_both_sides_are_taken_back_singly() -> None:
    begun = tried(study(2), "b1-b3", "i4-g6", "e1-e3")
    assert written(begun) == (5, "e1-e3")
    assert (begun.place, len(begun.turns), begun.trying) == (2, 6, True)
    shorter = step_back(begun)
    assert written(shorter) == (4, "i4-g6")
    assert written(drop_tried(shorter)) == (2, "f1-d2")
    assert not drop_tried(shorter).trying
    assert written(step_back(step_back(step_back(begun)))) == (2, "f1-d2")
    assert written(step_back(step_back(step_back(step_back(begun))))) == (1, "a2-c2")


def test_a_tried_turn_may_be_unfinished_and_taken_back() -> None:
    """The unfinished turn is taken back first. The record's own turn stays what it is."""
    half = tried(study(CHOICE), "b6-b4")
    assert (len(half.draft), half.tried, half.trying) == (1, (), True)
    assert study_game(half).asked is Colour.WHITE
    whole = tried(half, "xb2,b3,b5")
    assert written(whole) == (5, "b6-b4;xb2,b3,b5")
    assert step_back(half).draft == ()
    assert step_back(half).place == CHOICE
    assert written(go_to_place(whole, 5)) == (5, PLAYED[4])


def test_an_illegal_turn_is_refused() -> None:
    with pytest.raises(IllegalTurn):
        read_study_turn(study(), "e2")
    with pytest.raises(Refused) as refusal:
        perform_in_study(study(), [PASS])
    assert refusal.value.why is Why.ILLEGAL


def test_nothing_is_tried_after_the_end_of_the_game() -> None:
    turns, _ = played(BASIC, 5)
    end = Study(1, BASIC, ("ann", "bob"), turns, len(turns))
    for act in (lambda: perform_in_study(end, [PASS]), lambda: read_study_turn(end, "e2")):
        with pytest.raises(Refused) as refusal:
            act()
        assert refusal.value.why is Why.OVER


def test_every_change_raises_the_version() -> None:
    """So a button that was drawn before it is known to be stale."""
    begun = study(2)
    changed = go_to_place(begun, 3), tried(begun, "b1-b3"), step_back(begun), drop_tried(begun)
    assert {later.version for later in changed} == {begun.version + 1}


LONGER = (*PLAYED, "f2")


@pytest.mark.parametrize(
    ("before", "place"),
    [(study(6), 7), (study(3), 3), (study(0), 0)],
    ids=["at its end", "in the middle", "at the start"],
)
def test_a_study_at_the_end_follows_its_game(before: Study, place: int) -> None:
    after = follow_game(before, turns_of(LONGER))
    assert (after.place, len(after.turns), after.version) == (place, 7, 1)


def test_tried_turns_stay_when_the_game_goes_on() -> None:
    begun = tried(study(6), "f2", "b6")
    after = follow_game(begun, turns_of(LONGER))
    assert (after.place, after.tried, len(after.turns)) == (6, begun.tried, 7)


def test_without_new_turns_a_study_does_not_change() -> None:
    begun = study(6)
    assert follow_game(begun, begun.turns) is begun


def test_after_a_takeback_a_study_shows_the_games_end() -> None:
    """The place was one of a game that no longer exists."""
    other = (*PLAYED[:2], "e1-e3")
    after = follow_game(tried(study(5), "f2"), turns_of(other))
    assert written(after) == (3, "e1-e3")
    assert not after.trying


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("12", 23), ("12.", 23), (" 12 ", 23), ("12b", 24), ("12B", 24), ("12…", 24), ("12...", 24), ("12. …", None),
        ("1", 1), ("1b", 2), ("0", 0), ("0b", 0), ("", None), ("-1", None), ("b", None), ("12c", None),
        ("1234567", None), ("twelve", None), ("12 black", 24), ("12 b.", 24), ("١٢", None),
        ("12w", 23), ("12 w", 23), ("12.w", 23), ("12 White", 23), ("12.b", 24), ("12. b", 24), ("12..", 24),
        ("12bw", None),
    ],
)  # fmt: skip
def test_a_move_number_names_a_place(text: str, place: int | None) -> None:
    assert parse_place(text, study()) == place


# ── Black begins ──

BLACK_BEGINS = parse_position("standard b W=Gb5,Ge2,Gh5 B=Gb2,Ge8,Gh2 reserve=12-12 captured=0-0")


def study_of_black(*texts: str) -> Study:
    return tried(Study(12, STANDARD, ("ann", "bob"), (), start_position=BLACK_BEGINS), *texts)


def test_turns_are_numbered_as_the_record_does_when_black_begins() -> None:
    """Black's first turn is `1...`, so the turn after it is White's second."""
    begun = study_of_black("d7", "e1-e3", "c6")
    record = replace(begun, turns=begun.tried, tried=())
    numbers = [study_game(go_to_place(record, place)).turn_number for place in range(4)]
    assert (numbers, record.last_number) == ([1, 2, 3, 4], 4)
    for shown in (begun, go_to_place(record, 3)):
        last = study_game(shown).last
        assert last
        assert (last.turn_number, last.colour, last.text) == (4, Colour.BLACK, "c6")


@pytest.mark.parametrize(("text", "place"), [("0", 0), ("1", 0), ("1b", 1), ("1…", 1), ("2", 2), ("2b", 3), ("3", 4)])
def test_a_move_number_names_a_place_when_black_begins(text: str, place: int) -> None:
    assert parse_place(text, study_of_black()) == place


def test_a_study_numbers_its_turns_as_the_record_does() -> None:
    black_begins = start(STANDARD)._replace(mover=Colour.BLACK)
    numbered = [replace(study(3), start_position=begin) for begin in (None, start(STANDARD), black_begins)]
    assert [(each.turn_number, each.last_number) for each in numbered] == [(3, 6), (3, 6), (4, 7)]


def test_a_study_is_shown_as_a_game_with_its_number_and_version() -> None:
    shown = study_game(replace(study(), version=5))
    assert (shown.id, shown.version) == (12, 5)


def test_a_study_lives_for_30_days_after_its_last_use() -> None:
    assert STUDY_LIFETIME == 30 * DAY


def practised(study: Study, *texts: str) -> Study:
    """Return a practice after these turns, of the person and of the bot."""
    for text in texts:
        study = perform_in_study(study, read_study_turn(study, text))
    return study


@pytest.mark.parametrize(("position", "colour"), [(ROW, Colour.WHITE), (BLACK_TO_MOVE, Colour.BLACK)])
def test_the_person_plays_the_colour_to_move(position: Position, colour: Colour) -> None:
    study = begin_practice(position)
    assert (practice_colour(study), study.names[colour]) == (colour, "You")
    assert not bot_decides(study)
    assert bot_decides(practised(study, "g2"))


def test_a_whole_turn_shown_makes_the_other_colour_the_persons() -> None:
    study = begin_practice(ROW, tuple(parse_turn(ROW, "e1-e5;xe2,e3,e4,e5")))
    assert (practice_colour(study), study.trying, bot_decides(study)) == (Colour.BLACK, False, False)
    assert "reserve=14-12" in position_text(study_game(study).position)


def test_an_own_turn_is_the_bots_to_answer() -> None:
    study = begin_practice(ROW, tuple(parse_turn(ROW, "e1-e5;xe2,e3,e4,e5")), own_turn=True)
    assert (practice_colour(study), len(study.tried), bot_decides(study)) == (Colour.WHITE, 1, True)


def test_a_push_with_a_forced_removal_is_a_whole_turn() -> None:
    push, *_ = parse_turn(ROW, "e1-e5;xe2,e3,e4,e5")
    assert practice_colour(begin_practice(ROW, (push,))) is Colour.BLACK


def test_it_begins_inside_a_turn_that_leaves_a_choice() -> None:
    """Taken back, the turn begins anew."""
    push, *_ = parse_turn(DECIDING, "b1-b5;xb2,b3,b4")
    assert isinstance(push, Push)
    study = begin_practice(DECIDING, (push,))
    assert (study.draft, practice_colour(study), bot_decides(study)) == ((push,), Colour.WHITE, False)
    assert take_back_own(study).draft == ()


@pytest.mark.parametrize("position", [LAST_PIECE, position_after(LAST_PIECE, parse_turn(LAST_PIECE, "d2"))])
def test_a_position_that_is_over_cannot_be_practised(position: Position) -> None:
    with pytest.raises(Refused) as refused:
        begin_practice(position, () if position.result else tuple(parse_turn(position, "d2")))
    assert refused.value.why is Why.OVER


def test_a_step_back_takes_back_the_bots_answer_too() -> None:
    one = practised(begin_practice(ROW), "g2", "c2")
    two = practised(one, "b1")
    assert take_back_own(two).tried == one.tried  # the bot thinks about it
    assert take_back_own(practised(two, "d1")).tried == one.tried
    assert take_back_own(one).tried == take_back_own(take_back_own(one)).tried == drop_tried(one).tried == ()


def test_a_step_back_never_lets_the_bot_decide() -> None:
    study = practised(begin_practice(BLACK_TO_MOVE), "g2", "c2", "b1")
    while study.trying:
        study = take_back_own(study)
        assert not bot_decides(study)
