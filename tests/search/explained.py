"""Explain turns of many games, and check each fact by the rules alone.

    .venv/bin/python -m tests.search.explained --positions 10000

The turns are of the search against itself, of random games, and of games that seek rows. All that is found about a turn
is checked, not only what is said.
"""

from argparse import ArgumentParser
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from random import Random

from gipfbot.notation import position_text, turn_text
from gipfbot.rules import Action, Position, Ruleset, legal, play, ruleset_named, start
from gipfbot.rules.turn_facts import FactKind, TurnFact, facts_of_turn
from gipfbot.search import best_turn, explain_turn, level_request
from gipfbot.search.explain import MOST_FACTS
from tests.rules.fact_checkers import Case, TooMany, is_true
from tests.rules.generate import Policy, at_random, row_seeking

VERSIONS = ("standard", "basic", "tournament", "standard+Z3P3", "standard", "tournament", "overboard")
LONGEST = 150  # turns of a game
Line = tuple[tuple[Action, ...], ...]
Decider = Callable[[Position, Sequence[Position]], tuple[tuple[Action, ...], Line]]


@dataclass
class Tally:
    """What was found, by kind, and what was said of it; `unchecked` were too crowded for the checkers."""

    turns: int = 0
    mute: int = 0  # turns of which nothing is said
    found: Counter[FactKind] = field(default_factory=Counter)
    said: Counter[FactKind] = field(default_factory=Counter)
    unchecked: int = 0
    false: list[str] = field(default_factory=list)


def explained_turns(seed: int) -> Iterator[tuple[Case, Line]]:
    """Yield turns with the line expected after each, of one game after the other. Never end."""
    rng = Random(seed)
    while True:
        for version in VERSIONS:
            rules = ruleset_named(version)
            yield from _game(rules, _searcher(rng.randrange(10**6)))
            yield from _game(rules, _chooser(rng, at_random))
            yield from _game(rules, _chooser(rng, row_seeking))


def _searcher(seed: int) -> Decider:
    """Return a player of level 2 for one colour, and of level 1 for the other, who blunders."""

    def decide(position: Position, earlier: Sequence[Position]) -> tuple[tuple[Action, ...], Line]:
        level = 2 if (position.decider + seed) % 2 else 1
        turn = best_turn(level_request(position, earlier, level, seed)).turns[0]
        return turn.actions, turn.line[1:] if turn.line[0] == turn.actions else ()

    return decide


def _chooser(rng: Random, policy: Policy) -> Decider:
    def decide(position: Position, earlier: Sequence[Position]) -> tuple[tuple[Action, ...], Line]:
        return (policy(position, legal(position), rng),), ()

    return decide


def _game(rules: Ruleset, decide: Decider) -> Iterator[tuple[Case, Line]]:
    """Yield the turns of a game. A turn may take several decisions; the line is what follows the last one."""
    position, earlier = start(rules), list[Position]()
    begun, actions = position, list[Action]()
    while position.result is None and len(earlier) < LONGEST:
        decided, line = decide(position, earlier)
        actions += decided
        for action in decided:
            position = play(position, action)
        if position.result is not None or position.mover is not begun.mover:
            yield Case(begun, tuple(actions), tuple(earlier)), line
            earlier.append(begun)
            begun, actions = position, []


def check(turns: Iterable[tuple[Case, Line]]) -> Tally:
    """Return what was found about these turns, and which facts are false."""
    tally = Tally()
    for case, line in turns:
        said = explain_turn(case.before, case.actions, line, case.earlier)
        facts = dict.fromkeys((*facts_of_turn(case.before, case.actions), *said))
        assert len(said) <= MOST_FACTS
        tally.turns += 1
        tally.mute += not said
        tally.said.update(fact.kind for fact in said)
        tally.found.update(fact.kind for fact in facts)
        for fact in facts:
            _check_fact(tally, case, fact)
    return tally


def _check_fact(tally: Tally, case: Case, fact: TurnFact) -> None:
    try:
        if not is_true(case, fact):
            tally.false.append(f"{position_text(case.before)} | {turn_text(case.before, case.actions)} | {fact}")
    except TooMany:
        tally.unchecked += 1


def main() -> None:
    """Check so many turns, and print what was found."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--positions", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    tally = check(islice(explained_turns(options.seed), options.positions))
    print(f"{'kind':18}{'found':>8}{'said':>8}")
    for kind in FactKind:
        print(f"{kind:18}{tally.found[kind]:8}{tally.said[kind]:8}")
    print(f"{tally.turns} turns, of {tally.mute} nothing is said. {tally.unchecked} facts could not be checked.")
    print(f"{len(tally.false)} facts are false.", *tally.false[:10], sep="\n")


if __name__ == "__main__":
    main()
