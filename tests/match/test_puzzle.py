"""Puzzles: proofs by the rules alone against the search, best defences, and what a try comes to."""

from random import Random

import pytest

from gipfbot.match import position_after
from gipfbot.match.puzzle import PUZZLE_LEVELS, Outcome, Puzzle, WinProof, judge_try, prove_puzzle, puzzle_study
from gipfbot.match.study import Actions, study_game
from gipfbot.notation import parse_position, parse_turn, turn_text
from gipfbot.rules import PRESETS, Position, start, turns
from gipfbot.search import prove_win
from gipfbot.service.puzzles.making import parse_puzzle_line, puzzle_line, shipped_puzzles
from tests.support.puzzles import THREE, TWO, proven

# A win in four takes some ten seconds to prove by the rules.
SAMPLE = [each for each in shipped_puzzles() if each.own_turns < max(PUZZLE_LEVELS)][::10]


def written(position: Position, line: tuple[Actions, ...]) -> list[str]:
    texts = []
    for actions in line:
        texts.append(turn_text(position, actions))
        position = position_after(position, actions)
    return texts


def late_positions(rules: str, seed: int) -> list[Position]:
    """Return the last positions of a game of random turns."""
    rng, position, found = Random(seed), start(PRESETS[rules]), list[Position]()
    while position.result is None and len(found) < 400:
        found.append(position)
        position = rng.choice([end for _, end in turns(position)])
    return found[-6:]


@pytest.mark.parametrize("rules", ["basic", "standard", "tournament"])
@pytest.mark.parametrize("seed", range(4))
def test_proofs_by_rules_and_search_agree(rules: str, seed: int) -> None:
    for position in late_positions(rules, seed):
        for own_turns in (1, 2):
            proof = WinProof()
            by_search = {position_after(position, one) for one in prove_win(position, own_turns).turns}
            assert {one.after for one in proof.winning_turns(position, own_turns)} == by_search
            assert proof.wins(position, own_turns) is bool(by_search)


def test_only_turn_that_wins_in_two_is_found() -> None:
    puzzle = proven(TWO, 2)
    assert written(puzzle.position, puzzle.line)[0] == "b1-b4"
    assert len(puzzle.line) == 3
    assert position_after(*last_turn(puzzle.position, puzzle.line)).result


def last_turn(position: Position, line: tuple[Actions, ...]) -> tuple[Position, Actions]:
    for actions in line[:-1]:
        position = position_after(position, actions)
    return position, line[-1]


def test_win_in_three_is_no_win_in_two() -> None:
    position = parse_position(THREE)
    puzzle = prove_puzzle(position, 3)
    assert puzzle
    assert written(position, puzzle.line)[0] == "b2"
    assert len(puzzle.line) == 5
    assert prove_puzzle(position, 2) is None


def test_win_in_two_is_no_puzzle_in_three() -> None:
    assert prove_puzzle(parse_position(TWO), 3) is None


def test_position_with_two_winning_turns_is_no_puzzle() -> None:
    position = next(each for each in ambiguous_positions() if len(WinProof().winning_turns(each, 2)) > 1)
    assert not WinProof().wins(position, 1)
    assert prove_puzzle(position, 2) is None


def ambiguous_positions() -> list[Position]:
    """Return positions that a win in three leads to: several turns win in some of them."""
    position = parse_position(THREE)
    after = position_after(position, parse_turn(position, "b2"))
    return [end for _, end in turns(after) if not WinProof().wins(end, 1)]


def test_best_defence_leaves_fewest_winning_turns() -> None:
    position = parse_position(THREE)
    after = position_after(position, parse_turn(position, "b2"))
    best = WinProof().best_defence(after, 2)
    left = {end: len(WinProof().winning_turns(end, 2)) for _, end in turns(after) if not WinProof().wins(end, 1)}
    assert left[best.after] == min(left.values())


def test_finished_game_is_no_puzzle() -> None:
    position = parse_position(TWO)
    puzzle = prove_puzzle(position, 2)
    assert puzzle
    over = position_after(*last_turn(position, puzzle.line))
    assert prove_puzzle(over, 2) is None


def test_wrong_turn_is_refuted() -> None:
    puzzle = proven(THREE, 3)
    wrong = parse_turn(puzzle.position, "c2")
    judged = judge_try(puzzle, (wrong,))
    assert judged.outcome is Outcome.FAILED
    refuted = position_after(position_after(puzzle.position, wrong), judged.answer)
    assert not prove_win(refuted, 2).forced


def test_every_winning_second_turn_is_right() -> None:
    puzzle = proven(THREE, 3)
    begun = puzzle.line[:2]
    here = study_game(puzzle_study(puzzle, begun)).position
    right = {one.after for one in WinProof().winning_turns(here, 2)}
    for turn, end in turns(here):
        outcome = judge_try(puzzle, (*begun, turn.actions)).outcome
        assert (outcome is Outcome.FAILED) is (end not in right)


def test_last_turn_that_does_not_win_needs_no_answer() -> None:
    puzzle = proven(TWO, 2)
    here = study_game(puzzle_study(puzzle, puzzle.line[:2])).position
    quiet = next(turn for turn, end in turns(here) if end.result is None)
    assert judge_try(puzzle, (*puzzle.line[:2], quiet.actions)) == (Outcome.FAILED, ())
    assert judge_try(puzzle, puzzle.line).outcome is Outcome.SOLVED


def test_player_who_solves_is_named_you() -> None:
    puzzle = proven(TWO, 2)
    names = [seat.name for seat in study_game(puzzle_study(puzzle)).seats]
    assert names[puzzle.position.mover] == "You"


def test_shipped_puzzles_read_back_as_written() -> None:
    assert [parse_puzzle_line(puzzle_line(each)) for each in shipped_puzzles()] == [*shipped_puzzles()]


@pytest.mark.parametrize("puzzle", SAMPLE, ids=puzzle_line)
def test_shipped_puzzles_are_proven_again(puzzle: Puzzle) -> None:
    assert_proven(puzzle)


@pytest.mark.slow
@pytest.mark.parametrize("puzzle", shipped_puzzles(), ids=puzzle_line)
def test_each_shipped_puzzle_is_proven_again(puzzle: Puzzle) -> None:
    assert_proven(puzzle)


def assert_proven(puzzle: Puzzle) -> None:
    """Prove a puzzle by the rules and by the search."""
    assert prove_puzzle(puzzle.position, puzzle.own_turns) == puzzle
    assert len(prove_win(puzzle.position, puzzle.own_turns).turns) == 1
    assert not prove_win(puzzle.position, puzzle.own_turns - 1).forced


def test_shipped_puzzles_are_of_all_levels_and_versions() -> None:
    assert {each.own_turns for each in shipped_puzzles()} == {*PUZZLE_LEVELS}
    assert {each.position.rules.name for each in shipped_puzzles()} == {"basic", "standard", "tournament"}
