"""What an analysis says of turns follows from the scores of an engine."""

import pytest

from gipfbot.match import positions_before
from gipfbot.match.analysis import (
    BLUNDER_LOSS,
    DECIDED,
    FORCED,
    MISTAKE_LOSS,
    ONLY_LOSS,
    WIN,
    Actions,
    Found,
    FoundTurn,
    JudgedTurn,
    Mark,
    judge_game,
    judge_turn,
    with_end,
)
from gipfbot.notation import parse_position, parse_turn
from gipfbot.rules import BASIC, Colour, Position, Reason, Result, play
from gipfbot.search import tree

# In the second turn of this game, Black has played g2.
TURNS = "c2", "g2", "b4"
# White takes four pieces with a1-c3, so that nobody needs to be told that it is good.
ROW = parse_position("basic w W=b2,c2,d2,f2 B=d3 reserve=11-3 captured=0-11")


def game(*texts: str) -> tuple[tuple[Position, ...], tuple[Actions, ...]]:
    turns = list[Actions]()
    for text in texts:
        turns.append(parse_turn(positions_before(BASIC, (*turns, ()))[-1], text))
    return positions_before(BASIC, (*turns, ())), tuple(turns)


POSITIONS, PLAYED = game(*TURNS)


def found(position: Position, **scores: int) -> Found:
    """Return turns with their scores. A name such as `a1_c3` is the turn a1-c3."""
    read = [(parse_turn(position, text.replace("_", "-")), score) for text, score in scores.items()]
    return tuple(FoundTurn(actions, score, (actions,)) for actions, score in read)


def second_turn(best: Found, *, after: int = 0) -> JudgedTurn:
    """Return what is said of Black's first turn, g2. White's best turn after it has the score `after`."""
    return judge_turn(2, POSITIONS[1], PLAYED[1], POSITIONS[2], best, found(POSITIONS[2], b4=after))


def test_scores_are_those_of_the_search() -> None:
    assert (WIN, FORCED) == (tree.WIN, tree.WON)


@pytest.mark.parametrize(
    ("after", "mark"),
    [
        (-20, Mark.NONE),
        (MISTAKE_LOSS - 1, Mark.NONE),
        (MISTAKE_LOSS, Mark.MISTAKE),
        (BLUNDER_LOSS - 1, Mark.MISTAKE),
        (BLUNDER_LOSS, Mark.BLUNDER),
        (WIN - 3, Mark.BLUNDER),
    ],
)
def test_turn_that_is_not_among_the_best_is_worth_what_follows(after: int, mark: Mark) -> None:
    judged = second_turn(found(POSITIONS[1], d2=0, h3=-5), after=after)
    assert (judged.mark, judged.score) == (mark, -after)


def test_turn_among_the_best_is_worth_what_the_same_search_says() -> None:
    """Two searches of different depth disagree by themselves; that is no mistake of the player."""
    judged = second_turn(found(POSITIONS[1], d2=40, g2=20), after=300)
    assert (judged.mark, judged.lost) == (Mark.NONE, 20)


@pytest.mark.parametrize(("after", "mark"), [(FORCED, Mark.NONE), (FORCED + 1, Mark.BLUNDER), (WIN - 3, Mark.BLUNDER)])
def test_turn_among_the_best_that_is_refuted_by_force_is_marked(after: int, mark: Mark) -> None:
    judged = second_turn(found(POSITIONS[1], d2=40, g2=20), after=after)
    assert (judged.mark, judged.score) == (mark, -after if mark else 20)


def test_best_turn_is_never_marked_as_bad() -> None:
    """The search knew nothing better."""
    assert second_turn(found(POSITIONS[1], g2=40, d2=20), after=WIN - 3).mark is Mark.NONE


def test_decided_games_lose_nothing_more() -> None:
    assert second_turn(found(POSITIONS[1], d2=-DECIDED - 50), after=WIN - 1).mark is Mark.NONE
    assert second_turn(found(POSITIONS[1], d2=WIN - 5), after=-DECIDED - 10).mark is Mark.NONE
    assert second_turn(found(POSITIONS[1], d2=WIN - 5), after=-300).mark is Mark.BLUNDER


def test_only_good_turn_is_marked_unless_it_takes() -> None:
    assert second_turn(found(POSITIONS[1], g2=10, d2=10 - ONLY_LOSS)).mark is Mark.ONLY
    assert second_turn(found(POSITIONS[1], g2=10, d2=11 - ONLY_LOSS)).mark is Mark.NONE
    assert second_turn(found(POSITIONS[1], d2=10, g2=10 - ONLY_LOSS + 60)).mark is Mark.NONE
    best = found(ROW, a1_c3=600, b3=10)
    taken = parse_turn(ROW, "a2-e2;xb2,c2,d2,e2")
    after = ROW
    for action in taken:
        after = play(after, action)
    row = (FoundTurn(taken, 600, (taken,)), *best[1:])
    assert judge_turn(3, ROW, taken, after, row, found(after, b3=0)).mark is Mark.NONE


def test_turn_that_ends_the_game_is_worth_the_result() -> None:
    last = parse_position("basic w W=b2,c2,d2,f2 B=d3 reserve=11-0 captured=0-14")
    actions = parse_turn(last, "b3")
    after = last
    for action in actions:
        after = play(after, action)
    assert after.result
    judged = judge_turn(9, last, actions, after, found(last, b4=WIN - 1), ())
    assert (judged.score, judged.lost) == (WIN - 1, 0)


def test_balance_is_seen_by_white_and_nothing_is_said_of_the_start() -> None:
    best = [(), found(POSITIONS[1], g2=30), found(POSITIONS[2], b4=140), found(POSITIONS[3], d2=-WIN + 4)]
    judged = judge_game(POSITIONS, PLAYED, best)
    assert judged.balance == (0, -30, 140, DECIDED)
    assert [turn.place for turn in judged.turns] == [2, 3]
    assert judged.marked == ()


def test_balance_behind_a_mark_is_the_score_it_comes_from() -> None:
    """So a sentence about the turn and the balance beside it cannot differ. Elsewhere the next search says it."""
    marked, unmarked = found(POSITIONS[1], d2=140, g2=20), found(POSITIONS[1], d2=100, g2=20)
    for best, balance in ((marked, -20), (unmarked, 60)):
        after = [found(POSITIONS[2], b4=60), found(POSITIONS[3], d2=0)]
        judged = judge_game(POSITIONS, PLAYED, [(), best, *after])
        assert judged.balance[2] == balance
        assert bool(judged.marked) is (best is marked)
    won = [(), found(POSITIONS[1], g2=WIN - 4, d2=0), found(POSITIONS[2], b4=-600), found(POSITIONS[3], d2=600)]
    assert judge_game(POSITIONS, PLAYED, won).balance == (0, -DECIDED, -DECIDED, -600)


# ── R6.3 ──


def void_game(best: Found) -> tuple[JudgedTurn, int]:
    """Return what is said of g2 if the game is void after it, and the balance there. `best` are Black's best turns."""
    positions = POSITIONS[1], with_end(POSITIONS[2], Result(None, Reason.REPETITION))
    scores = (), best, found(POSITIONS[2], b4=870)  # as an analysis of an older version has searched it
    judged = judge_game((POSITIONS[0], *positions), PLAYED[:2], scores)
    return judged.turns[-1], judged.balance[-1]


def test_repetition_that_gives_a_lead_away_is_a_blunder() -> None:
    judged, balance = void_game(found(POSITIONS[1], d2=870, h3=860))
    assert (judged.mark, judged.score, judged.lost, balance) == (Mark.BLUNDER, 0, 870, 0)


def test_repetition_that_saves_the_game_is_the_only_good_turn() -> None:
    judged, balance = void_game(found(POSITIONS[1], g2=0, d2=-870))
    assert (judged.mark, judged.score, judged.lost, balance) == (Mark.ONLY, 0, 0, 0)
    judged, balance = void_game(found(POSITIONS[1], d2=30, h3=20))
    assert (judged.mark, judged.score, balance) == (Mark.NONE, 0, 0)


def test_players_end_a_game_without_a_change_of_its_position() -> None:
    """After a resignation, a flag or an agreed draw, the balance of the last position is what the search says."""
    for by in (Reason.RESIGN, Reason.TIME, Reason.AGREEMENT):
        result = Result(None if by is Reason.AGREEMENT else Colour.WHITE, by)
        assert with_end(POSITIONS[3], result) is POSITIONS[3]
    assert with_end(POSITIONS[3], None) is POSITIONS[3]
