"""An example for each kind of fact about a turn. Its checker takes the fact, and no fact that differs from it."""

from dataclasses import replace

import pytest

from gipfbot.notation import parse_position, parse_turn
from gipfbot.rules import Reason, reach, turns
from gipfbot.rules.reach import can_win_at_once, reached_rows
from gipfbot.rules.turn_facts import FactKind, TurnFact, facts_of_turn
from tests.rules.fact_checkers import CHECKERS, Case, is_true
from tests.rules.fact_examples import EXAMPLES, FORCED, PRESSED, SAVING
from tests.rules.helpers import BLACK, WHITE

# The kinds for which turns are tried.
TRIED = {
    FactKind.STOPS_WIN,
    FactKind.SAVES_GIPF,
    FactKind.THREATENS_ROW,
    FactKind.STOPS_ROW,
    FactKind.SHRINKS_PREY,
}


def case_of(line: str, turn: str) -> Case:
    position = parse_position(line)
    return Case(position, parse_turn(position, turn))


def changes(fact: TurnFact) -> list[TurnFact]:
    """Return the same fact with each of its fields changed."""
    changed = [replace(fact, player=fact.player.other)]
    if fact.row:
        changed += [replace(fact, row=fact.row[1:]), replace(fact, row=("c2", "d3", "e4", "f4"))]
        changed += [replace(fact, taken=fact.taken + 1)] if fact.kind is not FactKind.SAVES_GIPF else []
    if fact.gipf:
        changed += [replace(fact, gipf=("h2",))]
    if fact.home:
        changed += [replace(fact, home=fact.home + 1)]
    if fact.was != fact.now and fact.kind is not FactKind.TAKES_CENTRE:
        changed += [replace(fact, now=(fact.now[0] + 1, fact.now[1]))]
    if fact.kind is FactKind.TAKES_CENTRE:
        changed += [replace(fact, was=(0, 1))]
    if fact.moved[0]:
        changed += [replace(fact, moved=(fact.moved[1], fact.moved[0])), replace(fact, moved=(fact.moved[0], "e4"))]
    if fact.reason:
        changed += [replace(fact, reason=Reason.RESERVE)]
    return changed


@pytest.mark.parametrize(("line", "turn", "fact"), EXAMPLES, ids=[fact.kind for *_, fact in EXAMPLES])
def test_fact_is_found_and_its_checker_takes_no_other(line: str, turn: str, fact: TurnFact) -> None:
    case = case_of(line, turn)
    if fact.kind is not FactKind.FORCES_WIN:  # the search proves it
        assert fact in facts_of_turn(case.before, case.actions)
    assert is_true(case, fact)
    for changed in changes(fact):
        assert not is_true(case, changed), changed


def test_each_kind_has_a_checker_and_an_example() -> None:
    assert set(CHECKERS) == set(FactKind) == {fact.kind for *_, fact in EXAMPLES}


@pytest.mark.parametrize(
    ("kind", "line", "turn"),
    [
        (FactKind.WINS, FORCED, "h6-h4"),
        (FactKind.FORCES_WIN, FORCED, "h3"),
        (FactKind.STOPS_WIN, PRESSED, "h5"),
        (FactKind.THREATENS_WIN, SAVING, "i2-e2"),
        (FactKind.ENTERS_GIPF, SAVING, "i2-e2"),
    ],
)
def test_checker_refuses_a_turn_that_does_not(kind: FactKind, line: str, turn: str) -> None:
    case = case_of(line, turn)
    fact = TurnFact(kind, case.before.mover, reason=Reason.GIPF, now=(3, 0))
    assert not is_true(case, fact)
    assert kind not in {found.kind for found in facts_of_turn(case.before, case.actions)}


def test_win_is_not_forced_if_a_reply_may_end_the_game_by_repetition() -> None:
    """A reply that leads to a position of the game might be its third time there (R6.3)."""
    case = case_of(FORCED, "h6-h4")
    reply = next(end for _, end in turns(case.after))
    assert not is_true(case._replace(earlier=(reply,)), TurnFact(FactKind.FORCES_WIN, WHITE))


@pytest.mark.parametrize("limit", [0, 5])
def test_nothing_is_said_of_what_takes_too_long_to_try(limit: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reach, "MOST_TRIED", limit)
    for line, turn, fact in EXAMPLES:
        case = case_of(line, turn)
        if fact.kind in TRIED:
            assert fact.kind not in {found.kind for found in facts_of_turn(case.before, case.actions)}, fact


def test_nothing_is_reached_by_a_player_without_pieces() -> None:
    """A player with no piece in reserve and no row could do nothing (R6.1)."""
    position = parse_position("basic w W=b2,c3,d4,e5 B=e2,f2,g2 reserve=11-0 captured=0-12")
    assert reached_rows(position, BLACK) == {}
    assert can_win_at_once(position, BLACK) is False
    assert reached_rows(position, WHITE)
