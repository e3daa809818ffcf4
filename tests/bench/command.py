"""The command line of the bench: measure the groups one after the other, and print their figures."""

import json
import logging
import os
import platform
import sys
from argparse import Namespace
from collections.abc import Callable, Iterator
from time import perf_counter

from gipfbot.app import calm_collector
from gipfbot.tools.commands import ToolParser, stoppable

from . import (
    calls,
    engine,
    flat,
    growth,
    kept,
    load,
    overdue,
    picture,
    ratings,
    replay,
    search,
    steady,
    tournaments,
    turn,
)
from .figures import FULL, QUICK, Counts, Figure

Group = Callable[[Counts], Iterator[Figure]]
GROUPS: dict[str, Group] = {
    "engine": engine.engine_figures,
    "search": search.search_figures,
    "picture": picture.picture_figures,
    "steady": steady.steady_figures,
    "replay": replay.replay_figures,
    "calls": calls.call_figures,
    "turn": turn.turn_figures,
    "ratings": ratings.rating_figures,
    "growth": growth.growth_figures,
    "tournaments": tournaments.tournament_figures,
    "kept": kept.kept_figures,
    "flat": flat.flat_figures,
    "overdue": overdue.overdue_figures,
    "load": load.load_figures,
}


@stoppable
def run_bench(argv: list[str]) -> int:
    """Measure and print the figures. Return 0 even if limits are missed, because machines and their load differ.

    Each figure is printed as soon as it is known. With `--json`, all are printed at the end.
    """
    options = _parse_options(argv)
    logging.disable(logging.INFO)
    calm_collector()  # as the bot does
    begun, found = perf_counter(), []
    for figure in measure_figures(options.only, QUICK if options.quick else FULL):
        found.append(figure)
        if not options.json:
            _print_line(figure.line())
    seconds = perf_counter() - begun
    if options.json:
        machine = {"python": platform.python_version(), "machine": platform.machine(), "cores": os.cpu_count()}
        _print_line(
            json.dumps({"figures": [figure.data() for figure in found], "seconds": round(seconds, 1), **machine})
        )
    else:
        missed = sum(figure.met is False for figure in found)
        _print_line(f"{len(found)} figures in {seconds:.0f} s, {missed} not within their limits.")
    return 0


def _parse_options(argv: list[str]) -> Namespace:
    parser = ToolParser("bench", "Measure how fast everything is, and whether that is fast enough.")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--only", choices=GROUPS, help="measure one group of figures")
    parser.add_argument("--quick", action="store_true", help="measure so little that the figures mean nothing")
    return parser.parse_args(argv)


def measure_figures(only: str | None, counts: Counts) -> Iterator[Figure]:
    """Yield the figures of the group `only`, or of all groups if it is None.

    The name of each figure begins with the name of its group.
    """
    for name, figures in GROUPS.items():
        if only in (None, name):
            yield from figures(counts)


def _print_line(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()
