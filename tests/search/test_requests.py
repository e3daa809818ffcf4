"""What can be asked of the search."""

import gc
from itertools import islice
from random import Random

import pytest

from gipfbot.notation import parse_position
from gipfbot.rules import (
    BASIC,
    OVERBOARD,
    RULESETS,
    STANDARD,
    TOURNAMENT,
    Action,
    Colour,
    Kind,
    Position,
    Push,
    Stage,
    legal,
    play,
    ruleset_named,
    start,
    turns,
)
from gipfbot.search import (
    LEVELS,
    FoundTurn,
    Request,
    best_turn,
    best_turns,
    level_request,
    proof as proofs,
    prove_win,
    requests,
)
from gipfbot.search.proof import Prover
from gipfbot.search.requests import Proof, drawn, never
from gipfbot.search.rules_node import RulesTree
from gipfbot.search.translate import tree_of
from tests.rules.boards_of_overboard import ASKS, OUT_OF_TURN, ROW
from tests.search.answers import random_start
from tests.search.helpers import few_turns, turn_starts
from tests.support.effort import amount
from tests.support.games import WINS

EVERY = [*RULESETS, "standard+Z3P3", "tournament+Z6P6"]


def after(position: Position, actions: tuple[Action, ...]) -> Position:
    for action in actions:
        assert action in legal(position)
        position = play(position, action)
    return position


def check_line(position: Position, found: FoundTurn) -> None:
    """Check that every step of the line is legal, and ends where another player decides."""
    assert found.line[0][: len(found.actions)] == found.actions
    for actions in found.line:
        decider = position.decider
        position = after(position, actions)
        assert position.result or position.decider is not decider


@pytest.mark.parametrize("name", EVERY)
def test_the_best_turns_and_their_lines_are_legal(name: str) -> None:
    for turns_before in (0, 7):
        position, before = random_start(name, Random(turns_before), turns_before)
        answer = best_turns(Request(position, before, 300))
        assert len(answer.turns) == 3
        assert [turn.score for turn in answer.turns] == sorted((turn.score for turn in answer.turns), reverse=True)
        for found in answer.turns:
            check_line(position, found)
        assert not answer.cut


@pytest.mark.parametrize("name", EVERY)
def test_level_one_plays_on_in_every_rule_set(name: str) -> None:
    position, before = start(ruleset_named(name)), list[Position]()
    for _ in range(16):
        answer = best_turn(level_request(position, before, 1, 4))
        check_line(position, answer.turns[0])
        before.append(position)
        position = after(position, answer.turns[0].actions)
        assert position.result is None


def test_the_same_request_has_the_same_answer() -> None:
    position, before = random_start("standard", Random(3), 9)
    request = level_request(position, before, 2, 11)
    assert best_turn(request) == best_turn(request)


def test_a_tournament_begins_with_three_gipf_pieces() -> None:
    position, before, kinds = start(TOURNAMENT), list[Position](), list[Kind]()
    for _ in range(10):
        actions = best_turn(level_request(position, before, 2, 8)).turns[0].actions
        kinds += [action.kind for action in actions if isinstance(action, Push)]
        before.append(position)
        position = after(position, actions)
    assert kinds == [Kind.GIPF] * 6 + [Kind.BASIC] * 4


def test_the_first_four_turns_are_drawn_by_seed() -> None:
    """Later turns depend on the seed no more."""
    first = {best_turn(Request(start(STANDARD), (), 300, seed)).turns[0].actions for seed in range(10)}
    assert len(first) > 3
    late, before = random_start("standard", Random(3), 8)
    assert len({best_turn(Request(late, before, 300, seed)).turns[0].actions for seed in range(10)}) == 1


def test_a_drawn_turn_is_nearly_the_best() -> None:
    """Its score is at most 0.3 pieces below the best of all."""
    best = best_turns(Request(start(BASIC), (), 500), 1).turns[0].score
    scores = [best_turn(Request(start(BASIC), (), 500, seed)).turns[0].score for seed in range(10)]
    assert min(scores) >= best - 35
    assert best_turn(Request(start(BASIC), (), 500)).turns[0].score >= max(scores) - 35


def test_a_draw_depends_on_seed_and_turn_alone() -> None:
    assert [drawn(5, number, 8) for number in range(8)] == [drawn(5, number, 8) for number in range(8)]
    counts = [sum(drawn(seed, 3, 4) == number for seed in range(400)) for number in range(4)]
    assert min(counts) > 70


def test_a_win_is_played_at_every_level() -> None:
    for level in range(1, len(LEVELS) + 1):
        answer = best_turn(level_request(WINS, (), level, 3)).turns[0]
        assert after(WINS, answer.actions).result
        assert (answer.wins_in, answer.loses_in) == (1, None)


def test_a_weak_turn_is_within_its_margin() -> None:
    """It is drawn late in a game, too; without a margin, only the first turns are."""
    position, before = random_start("standard", Random(3), 12)
    best = best_turn(Request(position, before, 300)).turns[0].score
    found = [best_turn(Request(position, before, 300, seed, margin=200)).turns[0] for seed in range(20)]
    assert len({turn.actions for turn in found}) > 5
    assert min(turn.score for turn in found) >= best - 200
    assert min(turn.score for turn in found) < best - 30


def test_weak_levels_slip_more_rarely_from_one_to_the_next_where_the_search_is_slow() -> None:
    """There a margin alone hardly tells them apart. In the official versions they slip in each turn."""
    for rules, wanted in ((OVERBOARD, [100, 75, 50, 25, 0]), (STANDARD, [100, 100, 100, 100, 0])):
        here = start(rules)
        for level, percent in enumerate(wanted, 1):
            asked = [level_request(here, (), level, seed) for seed in range(400)]
            assert {request.margin for request in asked} <= {0, LEVELS[level - 1].margin}
            assert abs(sum(request.margin > 0 for request in asked) / 4 - percent) < 8


def is_lost(position: Position, player: Colour) -> bool:
    """Return whether a player has lost, or loses by the opponent's next turn."""
    if position.result:
        return position.result.winner is not player
    return any(end.result and end.result.winner is player.other for _, end in turns(position))


def test_no_level_loses_at_once_if_another_turn_does_not() -> None:
    """Neither in the turn itself, nor by the opponent's next one."""
    checked = 0
    for position in islice(turn_starts(STANDARD, Random(1)), amount(test=60, long=2000)):
        ends = few_turns(position, 100)
        lost = [is_lost(end, position.mover) for end in ends or ()]
        if any(lost) and not all(lost):
            checked += 1
            for level in range(1, 5):
                for seed in range(5):
                    found = after(position, best_turn(level_request(position, (), level, seed)).turns[0].actions)
                    assert not is_lost(found, position.mover), (position, level, seed)
    assert checked > 2


def test_few_turns_are_proven_on_a_crowded_board(monkeypatch: pytest.MonkeyPatch) -> None:
    """Even if each of them loses."""
    asked = list[Position]()

    def lose(position: Position, *_: object) -> Proof:
        asked.append(position)
        return Proof(((),), 0, False)

    monkeypatch.setattr(requests, "prove_win", lose)
    monkeypatch.setattr(requests, "MOST_PROVEN", 3)
    assert best_turn(level_request(start(BASIC), (), 1, 1)).depth == 1
    assert len(asked) == 3


def test_an_unknown_level_is_refused() -> None:
    with pytest.raises(ValueError, match="levels 1 to 8"):
        level_request(start(BASIC), (), 9, 1)


def test_levels_have_the_nodes_of_earlier_ones_with_potentials_and_in_overboard() -> None:
    """What has replaced the levels 2 to 4 of five has their nodes, and the highest takes four seconds at most."""
    for rules in (OVERBOARD, ruleset_named("basic+Z3")):
        nodes = [level_request(start(rules), (), level, 1).nodes for level in range(1, 9)]
        assert nodes == sorted(nodes)
        assert [nodes[level - 1] for level in (5, 6, 7, 8)] == [150, 800, 4_000, 16_000]
    assert [level_request(start(BASIC), (), level, 1).nodes for level in range(1, 9)] == [each.nodes for each in LEVELS]


def test_a_game_that_is_over_has_no_best_turn() -> None:
    over = after(WINS, best_turn(Request(WINS)).turns[0].actions)
    with pytest.raises(ValueError, match="over"):
        best_turn(Request(over))


def test_a_third_repetition_is_known_from_the_positions_told() -> None:
    """A turn that makes the game void scores nothing (R6.3)."""
    position, before = random_start("basic", Random(4), 9)
    best = best_turn(Request(position, before, 500)).turns[0]
    end = after(position, best.actions)
    scores = {turn.actions: turn.score for turn in best_turns(Request(position, [*before, end, end], 5000), 100).turns}
    assert scores[best.actions] == 0 != best.score


def test_a_search_that_is_stopped_answers_with_a_legal_turn() -> None:
    answer = best_turn(Request(start(STANDARD), (), 10**9, stop=lambda: True))
    assert answer.cut
    check_line(start(STANDARD), answer.turns[0])


def test_overboard_questions_to_the_opponent_are_answered() -> None:
    """The answer may be followed by the player's own turn, which is not part of it."""
    tree = tree_of(ASKS)
    assert isinstance(tree, RulesTree)
    tree.children(0, 0, True)
    asked = next(child.position for child in tree.nodes[1] if child.position.mover is ASKS.mover)
    assert asked.stage is Stage.GIPF
    found = best_turn(Request(asked, (), 200)).turns[0]
    answered = after(asked, found.actions)
    assert answered.mover is not asked.mover or answered.decider is not asked.decider
    assert found.line[0][: len(found.actions)] == found.actions
    after(asked, found.line[0])


def naive_wins(position: Position, own_turns: int) -> bool:
    """Return whether the mover can force a win, by trying everything with the rules alone."""
    mover = position.mover
    for _, end in turns(position):
        if end.result:
            if end.result.winner is mover:
                return True
        elif own_turns > 1 and all(
            (reply.result.winner is mover) if reply.result else naive_wins(reply, own_turns - 1)
            for _, reply in turns(end)
        ):
            return True
    return False


@pytest.mark.usefixtures("untraced")
def test_wins_in_one_are_proven_as_the_rules_have_them() -> None:
    wins = 0
    for position in islice(turn_starts(STANDARD, Random(9)), amount(test=60, long=500)):
        if (ends := few_turns(position, 300)) is not None:
            expected = {end for end in ends if end.result and end.result.winner is position.mover}
            proof = prove_win(position, 1)
            assert proof.forced is bool(expected)
            assert {after(position, found) for found in proof.turns} == expected
            wins += bool(expected)
    assert wins


TWO = [
    "basic w W=b5,e2,h5,d4 B=b2,e8 reserve=3-1 captured=8-12",
    "basic w W=b5,e2 B=h2,e8,b2,e5,d4 reserve=3-1 captured=10-9",
    "standard w W=Gb5,d2,d3 B=Gd6,h3 reserve=2-1 captured=12-14",
]

THREE = "standard w W=b5,c3,Gd3,Gf5,g3 B=b2,b3,d4,e2,Ge5,h2 reserve=6-2 captured=5-9"


@pytest.mark.usefixtures("untraced")
@pytest.mark.parametrize("line", TWO)
def test_wins_in_two_are_proven_as_the_rules_have_them(line: str) -> None:
    position = parse_position(line)
    assert prove_win(position, 2).forced is naive_wins(position, 2)


@pytest.mark.usefixtures("untraced")
def test_a_win_in_three_is_proven_turn_by_turn() -> None:
    """After each proven first turn, every reply is lost in two; after any other turn, a reply is not."""
    position = parse_position(THREE)
    assert not prove_win(position, 2).forced
    proven = {after(position, found) for found in prove_win(position, 3).turns}
    assert len(proven) == 2
    for _, end in turns(position):
        assert (end in proven) is all_replies_lose(end, position)


def all_replies_lose(end: Position, before: Position) -> bool:
    if end.result:
        return end.result.winner is before.mover
    return all(
        (reply.result.winner is before.mover) if reply.result else prove_win(reply, 2).forced for _, reply in turns(end)
    )


@pytest.mark.usefixtures("untraced")
@pytest.mark.skipif(not str(proofs.__file__).endswith(".py"), reason="the size of a compiled table is fixed")
@pytest.mark.parametrize("size", [1, 2, 16])
def test_a_full_table_changes_no_proof(monkeypatch: pytest.MonkeyPatch, size: int) -> None:
    """Positions replace each other in it, and are looked at again."""
    whole = prove_win(parse_position(THREE), 3)
    monkeypatch.setattr(proofs, "_TABLE", size)
    found = prove_win(parse_position(THREE), 3)
    assert (found.turns, found.cut) == (whole.turns, False)
    assert found.nodes >= whole.nodes


@pytest.mark.usefixtures("untraced")
def test_a_long_proof_holds_no_more_than_a_short_one() -> None:
    root, prover = tree_of(parse_position(THREE)), Prover(10**9, never, {})
    prover.winning(root, 1)
    before = held(prover)
    prover.winning(root, 3)
    assert held(prover) == before


def held(prover: Prover) -> int:
    """Return how many things the lists and tables of a proof hold."""
    named = gc.get_referents(prover)
    found = [each for one in named for each in (one.values() if isinstance(one, dict) else [one])]
    return sum(len(each) for each in [*named, *found] if isinstance(each, list | dict))


@pytest.mark.parametrize("position", [ASKS, ROW, OUT_OF_TURN])
def test_no_win_is_forced_in_overboard(position: Position) -> None:
    """Whatever is done, the opponent may keep a GIPF-piece (R8.7)."""
    assert prove_win(position, 1) == prove_win(position, 3) == ((), 0, False)
    assert not naive_decides(position, position.mover)


def naive_decides(position: Position, me: Colour) -> bool:
    """Return whether a player can force a win in this turn, whatever is answered within it."""
    if position.result or position.mover is not me:
        return position.result is not None and position.result.winner is me
    found = (naive_decides(play(position, action), me) for action in legal(position))
    return any(found) if position.decider is me else all(found)


def test_a_proof_that_is_stopped_knows_nothing() -> None:
    proof = prove_win(start(STANDARD), 3, stop=lambda: True)
    assert proof.cut
    assert not proof.forced
    assert prove_win(start(STANDARD), 2, nodes=10).cut
