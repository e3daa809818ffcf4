"""Turns of engines: what is read, what is refused, and which line is kept with them."""

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import islice
from random import Random

import pytest

from gipfbot.engines.engine_loop import step_texts
from gipfbot.engines.engine_turns import LONGEST_EXPECTED, engine_actions, expected_after, explained
from gipfbot.engines.protocol import EngineFailed, ScoredTurn
from gipfbot.notation import decision_text, parse_position, parse_turn, position_text
from gipfbot.rules import (
    STANDARD,
    Action,
    Colour,
    Position,
    Push,
    Remove,
    legal,
    play,
    ruleset_named,
    start,
)
from gipfbot.rules.turn_facts import FactKind
from gipfbot.search.translate import actions_to
from tests.rules.boards_of_overboard import ASKS, ASKS_BACK, ASKS_TWICE, ROW as OPEN, built_table
from tests.rules.fact_examples import FORCED
from tests.rules.generate import row_seeking, walk
from tests.search.helpers import child_keys
from tests.support.effort import amount

ASKED = "overboard w W=Gb2,b4,Gc2,e2 B=Ge3,Ge6,Gh5 reserve=16-18 captured=0-0 step=after rows=be3-e6/gipf asked=b"
# The line wins by force in the position FORCED.
WAY = "h6-h4", "c1-e3", "a1-d4"
CHOSEN, TRIED = 3, amount(test=12, long=60)  # turns of a position, and those among which questions are looked for
ROW = "standard w W=b2,c2,d2,e2,Gb5,Gh5 B=Gb3,Ge8,Gh2 reserve=10-12 captured=0-0"


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


def decisions(rules: str, rng: Random) -> Iterator[Position]:
    """Yield positions in which a player decides: of a random game, or in crowded turns of Overboard."""
    if rules == "overboard":
        yield from (ASKS, ASKS_TWICE, ASKS_BACK)
        yield from (built_table(rng) for _ in range(amount(test=15, long=40)))
    for before, _, after in walk(start(ruleset_named(rules)), rng, row_seeking, 200):
        if after.result is None and after.decider is not before.decider:
            yield after


def chosen_turns(position: Position, rng: Random) -> list[tuple[Action, ...]]:
    """Return three turns of the search: in Overboard, where it can be, those that lead to questions."""
    keys, asking, others = child_keys(position), list[tuple[Action, ...]](), list[tuple[Action, ...]]()
    tried = TRIED if position.rules.asks_opponent else CHOSEN
    for key in rng.sample(keys, min(tried, len(keys))):
        actions, end = actions_to(position, key)
        (asking if end.pushed else others).append(actions)
        if len(asking) == CHOSEN:
            break
    return (asking or others)[:CHOSEN]


def decided(position: Position, actions: Iterable[Action]) -> Position:
    """Return the position after those of the actions that one player decides in one turn."""
    begun = position
    for action in actions:
        if (position.mover, position.decider) == (begun.mover, begun.decider):
            position = play(position, action)
    return position


@pytest.mark.parametrize("rules", ["basic", "standard", "tournament", "tournament+Z6P6", "overboard"])
def test_each_turn_of_the_search_is_read_back(rules: str) -> None:
    """Answers within a turn of Overboard and what follows them are among them."""
    rng, kinds = Random(5), Counter[str]()
    waiting = [*decisions(rules, rng)]
    while waiting:
        position = waiting.pop()
        kinds["asked" if position.decider is not position.mover else "inside" if position.pushed else "start"] += 1
        for actions in chosen_turns(position, rng):
            text = step_texts(position, [actions])[0]
            end = decided(position, engine_actions(position, text))
            kinds[text] += 1
            assert end == decided(position, actions)
            if end.pushed and not end.result:
                waiting.append(end)
    assert kinds["start"] > 10
    assert (kinds["asked"] > 10, kinds["inside"] > 3, kinds["-"] > 3) == (rules == "overboard",) * 3


@pytest.mark.parametrize(
    ("line", "text", "sentence"),
    [
        (position_text(start(STANDARD)), "", "The engine's turn “” is illegal: The text is empty: expected"),
        (position_text(start(STANDARD)), "a1-a2", "The engine's turn “a1-a2” is illegal: "),
        (position_text(start(STANDARD)), "e1-e3;xe3", "The engine's turn “e1-e3;xe3” is illegal: "),
        (position_text(start(STANDARD)), "pass", "The engine's turn “pass” is illegal: "),
        (position_text(start(STANDARD)), "x" * 2000, f"The engine's turn “{'x' * 40}…” is illegal: "),
        (position_text(start(STANDARD)), "\x1b[2J", "The engine's turn “\N{REPLACEMENT CHARACTER}[2J” is illegal: "),
        (ROW, "xb2,c2,d2,e2", "The engine's turn “xb2,c2,d2,e2” is illegal: That leaves a choice open."),
        (position_text(OPEN), "a4-b4", "The engine's turn “a4-b4” is not finished."),
        (position_text(start(ruleset_named("overboard"))), "-", "The engine's turn “-” is illegal: "),
    ],
)
def test_what_is_no_turn_is_refused(line: str, text: str, sentence: str) -> None:
    with pytest.raises(EngineFailed) as caught:
        engine_actions(parse_position(line), text)
    assert str(caught.value).startswith(sentence)


def test_the_mover_too_may_take_nothing_inside_a_turn() -> None:
    """White's row has no basic pieces left, and White is asked about the others."""
    line = "overboard b W=c2,d2,Ge6,Gf6 B=b2,Gb3,Gc3,g4,g5 reserve=16-15 captured=0-0 step=after rows=wc4-g6 asked=b"
    position = parse_position(line)
    actions = engine_actions(position, "-")
    assert {action.taken for action in actions if isinstance(action, Remove)} == {0}
    assert decided(position, actions).decider is Colour.WHITE
