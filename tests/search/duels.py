"""Games between the searches of two commits, each compiled in a folder of its own and asked as an engine.

`tests.search.matches` runs them. Each opening is played with both colours.
"""

import json
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from math import log10, sqrt
from pathlib import Path
from random import Random
from typing import NamedTuple

from gipfbot.notation import parse_turn, position_text
from gipfbot.rules import Position, Ruleset, play, start, turns
from tests.search.self_play import LONGEST
from tests.support.paths import HOUSE

FOLDER = HOUSE / "build" / "duels"
# Without the low priority that the engine gives itself.
SERVE = "import sys; from gipfbot.engines.engine_loop import serve; serve(sys.stdin.buffer, sys.stdout.buffer)"
CONFIDENT = 1.96  # standard deviations to both sides of the interval


class Side(NamedTuple):
    """A process that searches, and its nodes for each turn."""

    process: subprocess.Popen[str]
    nodes: int

    def turn(self, position: Position, before: Sequence[Position]) -> str:
        """Return the turn that it plays."""
        told = [position_text(earlier) for earlier in before if earlier.captured == position.captured]
        request = {"id": 1, "do": "play", "position": position_text(position), "before": told, "nodes": self.nodes}
        assert self.process.stdin
        assert self.process.stdout
        self.process.stdin.write(json.dumps({**request, "seconds": 600}) + "\n")
        self.process.stdin.flush()
        return str(json.loads(self.process.stdout.readline())["turn"])


@contextmanager
def engine_in(folder: Path, nodes: int) -> Iterator[Side]:
    """Start the engine of a folder; end it afterwards."""
    command = (sys.executable, "-c", SERVE)
    with subprocess.Popen(command, cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        yield Side(process, nodes)
        process.terminate()


def built(commit: str) -> Path:
    """Return a folder with the compiled program of a commit. It is made once. A path of a folder is taken as it is."""
    if Path(commit).is_dir():
        return Path(commit)
    named = _output("git", "rev-parse", "--short", commit).strip()
    folder = FOLDER / named
    if not folder.exists():
        making = FOLDER / f"{named}.part"
        shutil.rmtree(making, ignore_errors=True)
        making.mkdir(parents=True)
        archive = subprocess.run(("git", "archive", named), cwd=HOUSE, check=True, capture_output=True).stdout
        subprocess.run(("tar", "-x"), cwd=making, check=True, input=archive)
        subprocess.run(
            ("make", "compile", f"BIN={Path(sys.executable).parent}", "--old-file=setup"), cwd=making, check=True
        )
        making.rename(folder)
    return folder


def _output(*command: str) -> str:
    return subprocess.run(command, cwd=HOUSE, check=True, capture_output=True, text=True).stdout


def opening(rules: Ruleset, rng: Random) -> list[Position]:
    """Return the positions at the start of two to six random turns, and the one after them."""
    while True:
        positions = [start(rules)]
        for _ in range(rng.randint(2, 6)):
            positions.append(rng.choice([end for _, end in turns(positions[-1])]))
        if positions[-1].result is None:
            return positions


def winner(positions: list[Position], sides: tuple[Side, Side]) -> int | None:
    """Return which side wins from the last of these positions, in which the first side moves; None if nobody does."""
    before, position = positions[:-1], positions[-1]
    first = position.mover
    while position.result is None and len(before) < LONGEST and before.count(position) < 2:
        text = sides[position.mover is not first].turn(position, before)
        before = [*before, position]
        for action in parse_turn(position, text):
            position = play(position, action)
    won = position.result and position.result.winner
    return None if won is None else int(won is not first)


def duel(rules: Ruleset, one: Side, two: Side, pairs: int, seed: int) -> Iterator[tuple[int, int, int]]:
    """Yield the wins of both sides, and the games without a winner, after each pair of games."""
    counts, rng = [0, 0, 0], Random(seed)
    for _ in range(pairs):
        begun = opening(rules, rng)
        for sides, first in (((one, two), 0), ((two, one), 1)):
            won = winner(begun, sides)
            counts[2 if won is None else won ^ first] += 1
        yield counts[0], counts[1], counts[2]


def elo(won: int, lost: int, void: int) -> str:
    """Return the difference in Elo points, with its interval of 95 %."""
    games = won + lost + void
    share = (won + void / 2) / games
    spread = CONFIDENT * sqrt(max(share * (1 - share) - void / games / 4, 0.25 / games) / games)
    low, middle, high = (_points(at) for at in (share - spread, share, share + spread))
    return f"{middle:+.0f} ({low:+.0f} to {high:+.0f})"


def _points(share: float) -> float:
    share = min(max(share, 0.001), 0.999)
    return 400 * log10(share / (1 - share))


def run(rules: Ruleset, commits: Sequence[str], games: int, nodes: Sequence[int], seed: int) -> None:
    """Play games between two commits, or folders with compiled programs; print the result after each pair."""
    folders = [built(commit) for commit in commits]
    with engine_in(folders[0], nodes[0]) as one, engine_in(folders[1], nodes[-1]) as two:
        for won, lost, void in duel(rules, one, two, games // 2, seed):
            print(f"{won} won, {lost} lost, {void} void: {elo(won, lost, void)} Elo", flush=True)
