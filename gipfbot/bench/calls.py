"""The slowest calls of the rules on the event loop: what autocomplete and the desk ask for while everybody waits."""

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from heapq import nlargest
from itertools import chain, islice
from math import inf
from operator import itemgetter
from random import Random
from time import process_time

from gipfbot.match import Game, new_game
from gipfbot.notation import NOTATIONS, Notation, completions, played_text, turn_text
from gipfbot.rules import Action, Position, legal, play
from gipfbot.rules.question import question
from gipfbot.ui.screens import NOTHING, Focus, screen

from .figures import Counts, Figure, quantile
from .samples import SEATS, begun, crowded, random_positions, worst_positions

Call = Callable[[], object]
SLOWEST, ANSWERED = 5, 100  # ms at most
SUSPECTS, AGAIN = 20, 7
CHOICES = 25  # turns that autocomplete offers


def figures(counts: Counts) -> Iterator[Figure]:
    """Yield the slowest call of each sort, in positions of random games and in crowded ones.

    A single call may be disturbed by the machine: the slowest ones are made again, and the fastest time of each counts.
    """
    for name, sort in (("completions", _completions), ("question", _questions), ("screen", _screens)):
        rng = Random(1)
        positions = [
            *islice(random_positions(rng), counts.positions),
            *(crowded(rng) for _ in range(counts.positions)),
        ]
        slowest = _slowest(sort(position, rng) for position in positions)
        yield Figure(f"calls.{name}", 1000 * slowest, "ms", at_most=SLOWEST)
    yield Figure("calls.worst_p99", 1000 * quantile(_worst(counts.typed), 0.99), "ms", at_most=ANSWERED)


def _worst(count: int) -> list[float]:
    """Return the seconds of each completion of so many texts in every worst position, in each notation."""
    rng = Random(1)
    calls = [
        partial(completions, position, (), text, CHOICES, notation)
        for position in worst_positions()
        for notation in NOTATIONS.values()
        for text in islice(_typed(position, notation, rng), count)
    ]
    rng.shuffle(calls)  # so none finds what the one before it has left in a cache
    return [_seconds(call) for call in calls]


def _typed(position: Position, notation: Notation, rng: Random) -> Iterator[str]:
    """Yield beginnings of turns, what stands in the middle of them, and what fits nothing, without end."""
    while True:
        actions = _whole(position, begun(position, rng), rng)
        text = turn_text(position, actions, notation)
        first, last = sorted(rng.randrange(len(text) + 1) for _ in range(2))
        yield from (text[:last], text[first:last], text[:last] + rng.choice("xgh5;,-*") * 2)


def _slowest(positions: Iterable[Iterator[Call]]) -> float:
    """Return the seconds of the slowest call. The suspects, one of a position, are made again in turn.

    So none finds what it has left in a cache.
    """
    timed = (((_seconds(call), call) for call in calls) for calls in positions)
    worst = chain.from_iterable(nlargest(1, calls, key=itemgetter(0)) for calls in timed)
    suspects = [call for _, call in nlargest(SUSPECTS, worst, key=itemgetter(0))]
    best = [inf] * len(suspects)
    for _ in range(AGAIN):
        best = [min(known, _seconds(call)) for known, call in zip(best, suspects, strict=True)]
    return max(best)


def _seconds(call: Call) -> float:
    begun = process_time()
    call()
    return process_time() - begun


def _completions(position: Position, rng: Random) -> Iterator[Call]:
    """Yield what is asked for while a legal turn is typed, letter by letter, at its start and in the middle of it."""
    done = begun(position, rng)
    text = played_text(position, _whole(position, done, rng))
    for typed in ("x", *(text[:end] for end in range(len(text) + 1))):
        yield partial(completions, position, (), typed, CHOICES)
    yield partial(completions, position, done, "", CHOICES)
    yield partial(completions, position, done, "x", CHOICES)


def _whole(position: Position, done: tuple[Action, ...], rng: Random) -> tuple[Action, ...]:
    now = position
    for action in done:
        now = play(now, action)
    return (*done, rng.choice(legal(now)))


def _questions(position: Position, rng: Random) -> Iterator[Call]:
    for game in _games(position, rng):
        yield partial(question, game.current)


def _screens(position: Position, rng: Random) -> Iterator[Call]:
    """Yield the desk as it opens, and with each dot, row and piece in focus that a player can choose."""
    for game in _games(position, rng):
        for focus in _focuses(game):
            yield partial(screen, game, focus)


def _games(position: Position, rng: Random) -> Iterator[Game]:
    """Yield a game at the start of its turn, and with a part of the turn played."""
    fresh = new_game(1, position.rules, SEATS)
    for draft in {(), begun(position, rng)}:
        game = Game(1, position.rules, fresh.seats, position, draft)
        if question(game.current):
            yield game


def _focuses(game: Game) -> Iterator[Focus]:
    asked = question(game.current)
    assert asked
    yield NOTHING
    for push in asked.pushes[:3]:
        yield Focus(kind=push.kind, push=push)
    for row in asked.rows:
        pieces = tuple(spot for toggle in row.toggles for spot in toggle)
        yield Focus(taking=True)
        yield Focus(row=row.line.code, taken=pieces, taking=True)
