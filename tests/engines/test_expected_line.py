"""What an engine expects is kept, and read again, as far as the rules allow it."""

from itertools import islice

from gipfbot.engines.expected_line import LONGEST_EXPECTED, expected_after, explained
from gipfbot.engines.protocol import ScoredTurn
from gipfbot.notation import decision_text, parse_position, parse_turn
from gipfbot.rules import STANDARD, Position, Push, Remove, legal, play, start
from gipfbot.rules.turn_facts import FactKind
from tests.rules.fact_examples import FORCED

# The line wins by force in the position FORCED.
ASKED = "overboard w W=Gb2,b4,Gc2,e2 B=Ge3,Ge6,Gh5 reserve=16-18 captured=0-0 step=after rows=be3-e6/gipf asked=b"
WAY = "h6-h4", "c1-e3", "a1-d4"


def kept(position: Position, *texts: str) -> list[str]:
    """Return the texts of what is kept of a line."""
    line, found = expected_after(position, ScoredTurn(texts[0], 0, texts)), []
    for actions in (parse_turn(position, texts[0]), *line):
        found.append(decision_text(position, actions))
        for action in actions:
            position = play(position, action)
    return found[1:]


def test_line_is_kept_without_the_turn() -> None:
    assert kept(parse_position(FORCED), *WAY) == ["c1-e3", "a1-d4"]


def test_line_ends_where_it_is_illegal_or_the_game_is_over() -> None:
    assert kept(parse_position(FORCED), *WAY, "b3") == ["c1-e3", "a1-d4"]
    assert kept(start(STANDARD), "a2-c2", "f2", "Hello!", "f2") == ["f2"]
    assert kept(start(STANDARD), "a2-c2", "a2") == []


def test_long_line_is_cut() -> None:
    position, texts = start(STANDARD), list[str]()
    for _ in range(12):
        (action,) = islice((found for found in legal(position) if play(position, found).mover != position.mover), 1)
        texts.append(decision_text(position, [action]))
        position = play(position, action)
    assert kept(start(STANDARD), *texts) == texts[1 : LONGEST_EXPECTED + 1]


def test_answer_in_overboard_is_a_step_of_its_own() -> None:
    """The example of `docs/engine.md`: Black gives nothing up, White's turn is over, and both play on."""
    position = parse_position(ASKED)
    first, second = expected_after(position, ScoredTurn("-", 387, ("-", "a2-b2", "b1-c2")))
    assert [action.dot for actions in (first, second) for action in actions if isinstance(action, Push)] == ["a2", "b1"]


def test_broken_line_is_used_as_far_as_it_is_legal() -> None:
    before = parse_position(FORCED)
    actions = parse_turn(before, WAY[0])
    line = expected_after(before, ScoredTurn(WAY[0], 0, WAY))
    impossible = (Remove(0, 1),)
    assert FactKind.FORCES_WIN in [fact.kind for fact in explained(before, actions, line, ())]
    assert explained(before, actions, (line[0], impossible, line[1]), ()) == explained(before, actions, line[:1], ())
    assert explained(before, actions, (impossible,), ()) == explained(before, actions, (), ())
