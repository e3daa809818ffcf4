"""How many planted blunders an analysis flags, and how many good turns it wrongs.

    .venv/bin/python -m tests.search.blunders --file build/blunders.jsonl

A judge who searches `--judge` nodes says what each turn loses. A blunder loses 1.5 pieces or more: a random one is a
legal turn drawn by lot, a plausible one is among the best two by quiescence alone. A good turn loses at most 0.3.
The analysis searches the position before the turn and the one after it with `--nodes` nodes each, as the bot does. Each
judged turn is a line of the file; a second run goes on from it. Compile the search first (`make compile`), or it takes
a day.
"""

import json
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from gipfbot.engines.worker import ANALYSIS_LEVEL
from gipfbot.match.analysis import FoundTurn, JudgedTurn, Mark, judge_turn
from gipfbot.notation import position_text, turn_text
from gipfbot.rules import RULESETS, Action, Position, play, start, turns
from gipfbot.search import Request, best_turn, best_turns
from gipfbot.search.alpha_beta import Search
from gipfbot.search.translate import actions_to, tree_of
from tests.search.helpers import child_keys
from tests.search.self_play import LONGEST, never

RULES = "basic", "standard", "tournament"
KINDS = "random", "plausible", "good"
BLUNDER, GOOD, SUSPECT = 150, 30, 100  # hundredths of a piece
PLAYED_NODES, PLAYED_MARGIN, SUSPECT_NODES = 1_000, 30, 4_000
LEVEL = 800  # hundredths of a piece; what is worse is decided already
GOALS = {"random": (90, 100), "plausible": (75, 100), "good": (0, 5)}  # per cent flagged

Actions = tuple[Action, ...]


class Place(NamedTuple):
    """A position, and the positions at the start of the turns before it."""

    position: Position
    before: tuple[Position, ...]

    def after(self, actions: Actions) -> "Place":
        here = self.position
        for action in actions:
            here = play(here, action)
        return Place(here, (*self.before, self.position))


def found_turns(place: Place, nodes: int) -> tuple[FoundTurn, ...]:
    """Return the best turns of a position, as the bot stores them; nothing if the game is over."""
    if place.position.result is not None:
        return ()
    answer = best_turns(Request(place.position, place.before, nodes))
    return tuple(FoundTurn(found.actions, found.score, found.line) for found in answer.turns)


def places(rng: Random) -> Iterator[Place]:
    """Yield positions of games between players who think a little. Never ends."""
    while True:
        place = Place(start(RULESETS[rng.choice(RULES)]), ())
        for number in range(LONGEST):
            if place.position.result is not None or place.before.count(place.position) > 1:
                break
            if number >= 6 and rng.random() < 0.25:
                yield place
            place = place.after(_next_turn(place, rng, number))


def _next_turn(place: Place, rng: Random, number: int) -> Actions:
    if number < 6:
        return rng.choice([turn.actions for turn, _ in turns(place.position)])
    request = Request(place.position, place.before, PLAYED_NODES, seed=rng.getrandbits(32), margin=PLAYED_MARGIN)
    return best_turn(request).turns[0].actions


def drawn_turn(place: Place, rng: Random) -> Actions:
    """Return a turn drawn by lot."""
    return actions_to(place.position, rng.choice(child_keys(place.position)))[0]


def plausible_turns(place: Place) -> list[Actions]:
    """Return the best two turns by quiescence alone."""
    search = Search(1_000_000, never, {}, True)
    keys = child_keys(place.position, wide=False)
    ends = {key: actions_to(place.position, key) for key in keys}
    ordered = sorted(keys, key=lambda key: search.follow_removals(tree_of(ends[key][1])))
    return [ends[key][0] for key in ordered[:2]]


def judge_played(place: Place, actions: Actions, best: tuple[FoundTurn, ...], nodes: int) -> JudgedTurn:
    """Return what is to be said of a turn, by a search of so many nodes behind it. `best` are those instead of it."""
    after = place.after(actions)
    return judge_turn(1, place.position, actions, after.position, best, found_turns(after, nodes))


def suspects(place: Place, rng: Random) -> dict[str, tuple[Actions, int]]:
    """Return the turns that may be blunders by a short search, by their kind, with what they lose by it.

    What a short search takes for good is passed over: few of those are blunders, and each judgement takes seconds.
    """
    best = found_turns(place, SUSPECT_NODES)
    if abs(best[0].worth) > LEVEL:
        return {}
    found = {}
    for kind, candidates in (("random", [drawn_turn(place, rng)]), ("plausible", plausible_turns(place))):
        for actions in candidates:
            lost = judge_played(place, actions, best, SUSPECT_NODES).lost
            if kind not in found and lost >= SUSPECT:
                found[kind] = actions, lost
    return found


def judged(place: Place, wanted: set[str], rng: Random, judge: int) -> Iterator[dict[str, Any]]:
    """Yield turns of a position with what they lose by the judge, and by the short search."""
    candidates = {kind: found for kind, found in suspects(place, rng).items() if kind in wanted}
    if not candidates and (wanted != {"good"} or rng.random() < 0.5):
        return
    best = found_turns(place, judge)
    for kind, (actions, short) in candidates.items():
        yield {"kind": kind, "actions": actions, "short": short, "lost": judge_played(place, actions, best, judge).lost}
    if "good" in wanted and rng.random() < 0.3:
        chosen = rng.choice([found for found in best if best[0].worth - found.worth <= GOOD])
        yield {"kind": "good", "actions": chosen.actions, "lost": best[0].worth - chosen.worth}


def verdict(place: Place, actions: Actions, nodes: int) -> dict[str, Any]:
    """Return what an analysis says of a turn: its mark, and the scores it comes from."""
    judged = judge_played(place, actions, found_turns(place, nodes), nodes)
    return {"mark": judged.mark, "best": [found.score for found in judged.best], "score": judged.score}


def is_sample(row: dict[str, Any]) -> bool:
    """Return whether a judged turn is what it was planted as."""
    return row["kind"] == "good" or int(row["lost"]) >= BLUNDER


def read_samples(file: Path) -> list[dict[str, Any]]:
    """Return the samples of a file, without the turns that the judge did not find to be blunders."""
    rows = [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []
    return [row for row in rows if is_sample(row)]


def write_samples(file: Path, kinds: Sequence[str], number: int, judge: int, nodes: int, seed: int) -> None:
    """Add turns to the file until it has so many of each of these kinds."""
    counts = Counter(row["kind"] for row in read_samples(file))
    rng = Random(f"{seed} {counts.total()}")
    file.parent.mkdir(parents=True, exist_ok=True)
    for place in places(rng):
        wanted = {kind for kind in kinds if counts[kind] < number}
        if not wanted:
            return
        for row in judged(place, wanted, rng, judge):
            actions = row.pop("actions")
            row["position"], row["turn"] = position_text(place.position), turn_text(place.position, actions)
            if is_sample(row):
                counts[row["kind"]] += 1
                row.update(verdict(place, actions, nodes))
            with file.open("a") as out:
                out.write(json.dumps(row) + "\n")


def report(file: Path) -> None:
    """Print how many turns of each kind are flagged, and what the goal is."""
    rows = read_samples(file)
    for kind in KINDS:
        marks = [row["mark"] for row in rows if row["kind"] == kind]
        flagged = sum(mark in (Mark.MISTAKE, Mark.BLUNDER) for mark in marks)
        least, most = GOALS[kind]
        share = 100 * flagged / max(1, len(marks))
        print(f"{kind}: {flagged} of {len(marks)} flagged, {share:.1f} % (wanted {least} to {most} %)")


def main() -> None:
    parser = ArgumentParser()
    parser.add_argument("--file", type=Path, default=Path("build/blunders.jsonl"))
    parser.add_argument("--kinds", nargs="+", choices=KINDS, default=KINDS)
    parser.add_argument("--number", type=int, default=200, help="turns of each kind")
    parser.add_argument("--judge", type=int, default=250_000, help="nodes of the judge")
    parser.add_argument("--nodes", type=int, default=ANALYSIS_LEVEL.nodes, help="nodes of the analysis")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    write_samples(options.file, options.kinds, options.number, options.judge, options.nodes, options.seed)
    report(options.file)


if __name__ == "__main__":
    main()
