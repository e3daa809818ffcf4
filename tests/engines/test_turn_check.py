"""The rules decide which turn of an engine counts."""

from collections import Counter
from collections.abc import Iterable, Iterator
from random import Random

import pytest

from gipfbot.engines.engine_loop import step_texts
from gipfbot.engines.protocol import EngineFailed
from gipfbot.engines.turn_check import engine_actions
from gipfbot.notation import parse_position, position_text
from gipfbot.rules import STANDARD, Action, Colour, Position, Remove, play, ruleset_named, start
from gipfbot.search.translate import actions_to, node_of
from tests.rules.boards_of_overboard import ASKS, ASKS_BACK, ASKS_TWICE, built_table
from tests.rules.boards_of_overboard import ROW as OPEN
from tests.rules.generate import row_seeking, walk

ROW = "standard w W=b2,c2,d2,e2,Gb5,Gh5 B=Gb3,Ge8,Gh2 reserve=10-12 captured=0-0"


def decisions(rules: str, rng: Random) -> Iterator[Position]:
    """Yield positions in which a player decides: of a random game, or in crowded turns of Overboard."""
    if rules == "overboard":
        yield from (ASKS, ASKS_TWICE, ASKS_BACK)
        yield from (built_table(rng) for _ in range(40))
    for before, _, after in walk(start(ruleset_named(rules)), rng, row_seeking, 200):
        if after.result is None and after.decider is not before.decider:
            yield after


def chosen_turns(position: Position, rng: Random) -> list[tuple[Action, ...]]:
    """Return some turns of the search: in Overboard, where it can be, those that lead to questions."""
    children = node_of(position).children(True)
    turns = [actions_to(position, child) for child in rng.sample(children, min(60, len(children)))]
    asking = [actions for actions, end in turns if end.pushed]
    return (asking or [actions for actions, _ in turns])[:3]


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
