"""The house player explains its turns by facts: none is false, and the weightiest of the expected line come first."""

from dataclasses import replace
from functools import cache
from itertools import islice

from gipfbot.match import position_after
from gipfbot.notation import parse_position, parse_turn
from gipfbot.rules import Action, play
from gipfbot.rules.turn_facts import FactKind, TurnFact
from gipfbot.search import explain_turn
from gipfbot.search.explain import ASPECTS
from tests.rules.fact_checkers import Case, is_true
from tests.rules.fact_examples import FORCED, PRESSED
from tests.search.explained import Line, check, explained_turns
from tests.support.effort import LONG, amount
from tests.support.puzzles import THREE, proven

POSITIONS = amount(test=120, long=10_000)
FORCED_LINE = "c1-e3", "a1-d4"
QUIET = "standard w W=Gb5,Ge2,Gh5 B=Gb2,Ge8,Gh2 reserve=12-12 captured=0-0"


@cache
def played_turns() -> list[tuple[Case, Line]]:
    return [*islice(explained_turns(1), POSITIONS)]


def test_no_fact_about_a_turn_is_false() -> None:
    tally = check(played_turns())
    assert tally.turns == POSITIONS
    assert not tally.false, tally.false[0]
    assert tally.unchecked < tally.found.total() / 1000
    common = {FactKind.REMOVES, FactKind.THREATENS_ROW, FactKind.STOPS_ROW, FactKind.SAVES_GIPF, FactKind.WINS}
    assert {*FactKind} - {*tally.found} == set() if LONG else common <= {*tally.found}


def explained(line: str, *turns: str) -> list[FactKind]:
    """Return the kinds of the facts that explain the first of these turns, with the others as the expected line."""
    before = here = parse_position(line)
    steps = list[tuple[Action, ...]]()
    for turn in turns:
        steps.append(parse_turn(here, turn))
        for action in steps[-1]:
            here = play(here, action)
    return [fact.kind for fact in explain_turn(before, steps[0], steps[1:])]


def test_what_decides_the_game_comes_first() -> None:
    assert explained(PRESSED, "b1-b4") == [FactKind.STOPS_WIN, FactKind.SAVES_GIPF]


def test_win_in_the_line_is_named_only_if_it_is_forced() -> None:
    assert FactKind.FORCES_WIN not in explained(FORCED, "h6-h4")
    assert explained(FORCED, "h6-h4", *FORCED_LINE)[0] is FactKind.FORCES_WIN


def test_win_is_forced_within_two_further_turns() -> None:
    puzzle = proven(THREE, 3)
    fact = explain_turn(puzzle.position, puzzle.line[0], puzzle.line[1:])[0]
    assert fact == TurnFact(FactKind.FORCES_WIN, puzzle.position.mover, later=1)
    case = Case(puzzle.position, puzzle.line[0])
    assert is_true(case, fact)
    assert not is_true(case, replace(fact, later=0))
    assert explain_turn(puzzle.position, puzzle.line[0], puzzle.line[1:-1])[0].kind is not FactKind.FORCES_WIN


def test_turn_whose_line_wins_by_a_mistake_forces_nothing() -> None:
    turn, *line = "b4", "b2", "b1-b5", "a1-f5", "c2"
    assert FactKind.FORCES_WIN not in explained(THREE, turn, *line)


def test_win_is_not_forced_past_a_position_that_stood_before() -> None:
    """It might stand there for the third time (R6.3)."""
    before = parse_position(FORCED)
    turn, line = parse_turn(before, "h6-h4"), list[tuple[Action, ...]]()
    here = after = position_after(before, turn)
    for text in FORCED_LINE:
        line.append(parse_turn(here, text))
        here = position_after(here, line[-1])
    reply = position_after(after, line[0])
    assert explain_turn(before, turn, line)[0].kind is FactKind.FORCES_WIN
    assert explain_turn(before, turn, line, (reply,))[0].kind is not FactKind.FORCES_WIN


def test_fact_that_the_line_cashes_in_comes_first() -> None:
    turn, *line = "b6-e6", "f1-f4", "e8", "d8-g6"
    begun = "tournament w W=b3,c6,Gd4,Gd6,Ge5 B=b4,c4,c5,e4,f2,f3,Gf6,f7,g2 reserve=10-3 captured=0-5"
    threat, way = FactKind.THREATENS_ROW, FactKind.LEADS_GIPF_IN
    assert explained(begun, turn) == [way, threat]
    assert explained(begun, turn, *line) == [threat, way]


def test_quiet_turn_is_not_explained() -> None:
    assert explained(QUIET, "a2-c2") == []


def test_each_kind_has_terms_of_the_evaluation() -> None:
    assert {*ASPECTS} == {*FactKind}


def test_no_two_facts_say_much_the_same() -> None:
    for case, line in played_turns():
        topics = [ASPECTS[fact.kind].topic for fact in explain_turn(case.before, case.actions, line, case.earlier)]
        assert len(topics) == len({*topics}) <= 2
