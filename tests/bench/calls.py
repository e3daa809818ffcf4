"""Measure the slowest calls of autocomplete and the desk. The event loop runs them, so everybody waits meanwhile.

The desk is the private message in which a player chooses a turn with buttons.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from heapq import nlargest
from itertools import chain, cycle, islice
from operator import itemgetter
from random import Random
from statistics import median
from time import process_time
from typing import NamedTuple

from gipfbot.match import Game, new_game
from gipfbot.notation import NOTATIONS, Notation, completions, played_text, turn_text
from gipfbot.rules import Action, Position, legal, play
from gipfbot.rules.pending import question
from gipfbot.ui.desk.screens import NO_FOCUS, Focus, desk_screen

from .engine import POTENTIALS
from .figures import Counts, Figure, quantile
from .samples import (
    SEATS,
    crowded_position,
    crowded_with_stacks,
    random_partial_turn,
    random_positions,
    worst_positions,
)
from .yardstick import yard_seconds

Call = Callable[[], object]
# Yards at most. The older limits were 5 ms, which is 1.45 yards, and 100 ms or 29 yards for the worst positions. Only
# the first was stricter. It could not be kept: completions take 1.5 to 1.9 yards while other programs use the caches.
SLOWEST = {"completions": 2.2, "question": 0.065, "screen": 0.4}
ANSWERED = 4.8
ANSWERED_WITH_STACKS = 29  # 100 ms
SUSPECTS, REPEATS = 20, 7
PLAYS = 1000
# At most: the slowest completion to the time of PLAYS plays in the same positions, officially and with both potentials.
TO_PLAYS, POTENTIALS_TO_PLAYS = 1, 2
CALLS_A_YARD = 10  # calls that share one measured yard
COMPLETIONS_OFFERED = 25  # turns that autocomplete offers


class CallTime(NamedTuple):
    """The seconds of a call, and the seconds of a yard measured before it. A yard is the time unit of `yardstick`."""

    seconds: float
    yard: float

    @property
    def yards(self) -> float:
        """The duration of the call in yards."""
        return self.seconds / self.yard


def call_figures(counts: Counts) -> Iterator[Figure]:
    """Yield the times of the slowest calls of each sort, of completions in the worst positions, and of a yard.

    The slowest completion is also compared with plays in the same positions: see `_plays_figure`.

    Each sort is called in positions of random games and in crowded positions. Other programs may slow down a single
    call, so the slowest calls are repeated. The figure in ms is based on the fastest run of each call. The figure in
    yards is based on the median run.
    """
    for name, sort in (("completions", _completion_calls), ("question", _question_calls), ("screen", _screen_calls)):
        rng = Random(1)
        positions = _official_positions(rng, counts)
        calls = _repeat_slowest(sort(position, rng) for position in positions)
        yield Figure(f"calls.{name}", 1000 * max(min(time.seconds for time in times) for times in calls), "ms")
        slowest = max(median(time.yards for time in times) for times in calls)
        yield Figure(f"calls.{name}_yards", slowest, "yards", at_most=SLOWEST[name])
    rng = Random(1)
    yield _plays_figure("completions", _official_positions(rng, counts), rng, TO_PLAYS)
    yield _plays_figure("potentials", _positions_with_stacks(rng, counts), rng, POTENTIALS_TO_PLAYS)
    official = [position for position in worst_positions() if not position.left]
    times = _time_worst_completions(official, counts.typed)
    yield from _worst_figures("worst", times, ANSWERED)
    stacks = [position for position in worst_positions() if position.left]
    yield from _worst_figures("stacks", _time_worst_completions(stacks, counts.typed), ANSWERED_WITH_STACKS)
    yield Figure("calls.yard", 1000 * median(time.yard for time in times), "ms")


def _official_positions(rng: Random, counts: Counts) -> list[Position]:
    found = islice(random_positions(rng), counts.positions)
    return [*found, *(crowded_position(rng) for _ in range(counts.positions))]


def _positions_with_stacks(rng: Random, counts: Counts) -> list[Position]:
    found = islice(random_positions(rng, POTENTIALS), counts.positions)
    return [*found, *(crowded_with_stacks(rng) for _ in range(counts.positions))]


def _plays_figure(name: str, positions: Sequence[Position], rng: Random, most: float) -> Figure:
    """Return how long the slowest completion takes, as a multiple of the time of `PLAYS` plays in the same positions.

    The plays are of random legal actions, in one position after the other. Each run of a completion is compared with a
    run of the plays just after it. The figure is the median run of the slowest completion.
    """
    some = islice(cycle(positions), PLAYS)
    plays = partial(_play_all, [(position, rng.choice(legal(position))) for position in some])
    suspects = _find_slowest(_completion_calls(position, rng) for position in positions)
    rounds = [[_call_seconds(call) / _call_seconds(plays) for call in suspects] for _ in range(REPEATS)]
    slowest = max(median(ratios) for ratios in zip(*rounds, strict=True))
    return Figure(f"calls.{name}_to_plays", slowest, "times", at_most=most)


def _play_all(plays: Sequence[tuple[Position, Action]]) -> None:
    for position, action in plays:
        play(position, action)


def _worst_figures(name: str, times: Sequence[CallTime], most_yards: float) -> Iterator[Figure]:
    """Yield the figures of completions in the worst positions of one sort."""
    yield Figure(f"calls.{name}_p99", 1000 * quantile([time.seconds for time in times], 0.99), "ms")
    yield Figure(f"calls.{name}_p99_yards", quantile([time.yards for time in times], 0.99), "yards", at_most=most_yards)


def _time_worst_completions(positions: Sequence[Position], count: int) -> list[CallTime]:
    """Return the times to complete typed texts in positions: `count` texts for each position and notation."""
    rng = Random(1)
    calls = [
        partial(completions, position, (), text, COMPLETIONS_OFFERED, notation)
        for position in positions
        for notation in NOTATIONS.values()
        for text in islice(_typed_texts(position, notation, rng), count)
    ]
    rng.shuffle(calls)  # so that no call profits from what the call before it has cached
    some = (calls[first : first + CALLS_A_YARD] for first in range(0, len(calls), CALLS_A_YARD))
    return [*chain.from_iterable(map(_time_calls, some))]


def _time_calls(calls: Sequence[Call]) -> list[CallTime]:
    """Return the time of each call. All are compared with one yard, which is measured before the first call."""
    yard = yard_seconds()
    return [CallTime(_call_seconds(call), yard) for call in calls]


def _typed_texts(position: Position, notation: Notation, rng: Random) -> Iterator[str]:
    """Yield typed texts without end: the beginning of a turn, a middle part of it, and a text that fits no turn."""
    while True:
        actions = _with_random_action(position, random_partial_turn(position, rng), rng)
        text = turn_text(position, actions, notation)
        first, last = sorted(rng.randrange(len(text) + 1) for _ in range(2))
        yield from (text[:last], text[first:last], text[:last] + rng.choice("xgh5;,-*") * 2)


def _repeat_slowest(positions: Iterable[Iterator[Call]]) -> list[list[CallTime]]:
    """Repeat the slowest calls, at most one of each position, and return all times of each call.

    Each round runs all these calls once. Other calls therefore run between two runs of the same call, so that caches
    filled by the first run hardly help the second.
    """
    suspects = _find_slowest(positions)
    rounds = [[*chain.from_iterable(_time_calls([call]) for call in suspects)] for _ in range(REPEATS)]
    return [list(times) for times in zip(*rounds, strict=True)]


def _find_slowest(positions: Iterable[Iterator[Call]]) -> list[Call]:
    """Return the slowest calls, at most one of each position, the slowest first."""
    timed = (((_call_seconds(call), call) for call in calls) for calls in positions)
    worst = chain.from_iterable(nlargest(1, calls, key=itemgetter(0)) for calls in timed)
    return [call for _, call in nlargest(SUSPECTS, worst, key=itemgetter(0))]


def _call_seconds(call: Call) -> float:
    begun = process_time()
    call()
    return process_time() - begun


def _completion_calls(position: Position, rng: Random) -> Iterator[Call]:
    """Yield the calls that complete a legal turn: one before the first letter is typed, and one after each letter.

    Also yield calls for a lone `x`, and for a turn of which some actions are already done.
    """
    done = random_partial_turn(position, rng)
    text = played_text(position, _with_random_action(position, done, rng))
    for typed in ("x", *(text[:end] for end in range(len(text) + 1))):
        yield partial(completions, position, (), typed, COMPLETIONS_OFFERED)
    yield partial(completions, position, done, "", COMPLETIONS_OFFERED)
    yield partial(completions, position, done, "x", COMPLETIONS_OFFERED)


def _with_random_action(position: Position, done: tuple[Action, ...], rng: Random) -> tuple[Action, ...]:
    now = position
    for action in done:
        now = play(now, action)
    return (*done, rng.choice(legal(now)))


def _question_calls(position: Position, rng: Random) -> Iterator[Call]:
    for game in _games_on_turn(position, rng):
        yield partial(question, game.current)


def _screen_calls(position: Position, rng: Random) -> Iterator[Call]:
    """Yield the calls that build the desk: with nothing chosen, and with each of the first three pushes chosen.

    Also yield two calls for each row: before a row is chosen, and after this row is chosen with all its GIPF-pieces.
    """
    for game in _games_on_turn(position, rng):
        for focus in _desk_focuses(game):
            yield partial(desk_screen, game, focus)


def _games_on_turn(position: Position, rng: Random) -> Iterator[Game]:
    """Yield a running game in this position at the start of the turn, and after some random actions of the turn."""
    fresh = new_game(1, position.rules, SEATS)
    for draft in {(), random_partial_turn(position, rng)}:
        game = Game(1, position.rules, fresh.seats, position, draft)
        if question(game.current):
            yield game


def _desk_focuses(game: Game) -> Iterator[Focus]:
    asked = question(game.current)
    assert asked
    yield NO_FOCUS
    for push in asked.pushes[:3]:
        yield Focus(kind=push.kind, dot=push.dot)
    for row in asked.rows:
        pieces = tuple(spot for toggle in row.toggles for spot in toggle)
        yield Focus(taking=True)
        yield Focus(row=row.line.code, taken=pieces, taking=True)
