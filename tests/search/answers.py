"""Random games and answers of the search as JSON, to compare machines, and what is compiled with what is interpreted.

`python -m tests.search.answers` prints them; with `few`, level 3 answers only late in games of LATE. It imports nothing
but the rules, the notation and the search.
"""

import json
import sys
from random import Random
from typing import Any

from gipfbot.notation import position_text
from gipfbot.rules import Position, engine, legal, play, ruleset_named, start
from gipfbot.search import Answer, Request, alpha_beta, best_turn, best_turns, level_request, prove_win

NAMES = ("basic", "standard", "tournament", "standard+Z3P3", "overboard")
LATE = ("standard", "standard+Z3P3", "overboard")  # the other two are searched like standard
ACTIONS = 300  # at most, of each random game
TURNS = 5  # before each position that is searched


def random_game(name: str) -> list[str]:
    """Return the number of legal actions and the position before each action of a random game."""
    position, rng, found = start(ruleset_named(name)), Random(name), list[str]()
    while (choices := legal(position)) and len(found) < ACTIONS:
        found.append(f"{len(choices)} {position_text(position)}")
        position = play(position, rng.choice(choices))
    return found


def random_start(name: str, rng: Random, turns: int) -> tuple[Position, list[Position]]:
    """Return the position after so many random turns, and those at the start of each of them."""
    position, before = start(ruleset_named(name)), list[Position]()
    while len(before) < turns:
        mover, begun = position.mover, position
        while position.mover is mover and not position.result:
            position = play(position, rng.choice(legal(position)))
        before.append(begun)
    return position, before


def answer_data(answer: Answer) -> dict[str, Any]:
    turns = [[turn.score, turn.line] for turn in answer.turns]
    return {"turns": turns, "depth": answer.depth, "nodes": answer.nodes, "cut": answer.cut}


def answers(*, few: bool) -> list[dict[str, Any]]:
    found, rng = [], Random(7)
    for name in NAMES:
        for turns in (0, TURNS, 4 * TURNS):
            position, before = random_start(name, rng, turns)
            if position.result is None:
                levels = (1, 2) if few and (turns <= TURNS or name not in LATE) else (1, 2, 3)
                asked = [answer_data(best_turn(level_request(position, before, level, 5))) for level in levels]
                three = answer_data(best_turns(Request(position, before, 500)))
                proof = prove_win(position, 2, before, nodes=500)
                found.append({"position": position_text(position), "levels": asked, "best": three, "proof": proof})
    return found


if __name__ == "__main__":
    told = {"files": [engine.__file__, alpha_beta.__file__], "games": {name: random_game(name) for name in NAMES}}
    json.dump({**told, "answers": answers(few="few" in sys.argv)}, sys.stdout, default=str)
