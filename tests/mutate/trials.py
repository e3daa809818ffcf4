"""Try many mutants, some at a time."""

import gc
import json
import os
import signal
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

import pytest

from tests.support.paths import HOUSE

from .changes import Change, Mutant
from .making import Place, make
from .reach import COLLECTED, IMPORTED, TESTS, Reach
from .trial import FAULT, SURVIVED, Chosen, Way, start

FILE = HOUSE / "build/mutate/outcomes.json"


class Outcome(StrEnum):
    """How a mutant fared."""

    KILLED = "killed"
    TIMEOUT = "killed by its time"
    ACCEPTED = "accepted"  # it has its reason, and was not tried
    SURVIVED = "survived"
    UNREACHED = "not reached"


class Tried(NamedTuple):
    """A mutant that was tried."""

    change: Change
    outcome: Outcome
    tests: int  # that were chosen for it


@dataclass
class Trial:
    """A mutant that is being tried, in each way that is left until one kills it."""

    mutant: Mutant
    ways: list[tuple[Way, list[str]]]
    tests: int


def ways(change: Change, reach: Reach, budget: float) -> list[tuple[Way, list[str]]]:
    """Return how to try a change, with which tests: as the code is reached, and anew where that is not enough.

    A fresh import costs seconds, so it has a third of the budget only. An inner function may have been made while
    something was imported, as by a decorator.
    """
    chosen, fewer = reach.tests(change, budget), reach.tests(change, budget / 3)
    if not chosen:
        return []
    if reach.runs(IMPORTED, change) or change.nested or not change.within:
        near = reach.nearest(change.module, fewer)
        return [*([(Way.ANEW_IN_ONE_FILE, near)] * bool(near)), (Way.ANEW, fewer)]
    return [(Way.PUT_IN, chosen), *([(Way.ANEW, fewer)] * reach.runs(COLLECTED, change))]


def outcome_of(status: int) -> Outcome:
    """Return how a process ended. Raises SystemExit if the mutant could not be tried."""
    if os.WIFSIGNALED(status):
        return Outcome.TIMEOUT if os.WTERMSIG(status) == signal.SIGPROF else Outcome.KILLED
    if os.WEXITSTATUS(status) == FAULT:
        raise SystemExit("A mutant could not be put into the code.")
    return Outcome.SURVIVED if os.WEXITSTATUS(status) == SURVIVED else Outcome.KILLED


class Trials:
    """A plugin of pytest that tries mutants instead of running the tests that were collected."""

    def __init__(
        self,
        found: list[tuple[Change, Place]],
        reach: Reach,
        budget: float,
        processes: int,
        is_accepted: Callable[[Change], bool],
        tell: Callable[[Tried], None],
    ) -> None:
        self.found, self.reach, self.budget, self.processes = found, reach, budget, processes
        self.is_accepted, self.tell = is_accepted, tell
        self.running: dict[int, Trial] = {}
        self.items: dict[str, pytest.Item] = {}

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Try all mutants. Return that nothing is left to do."""
        self.items = {item.nodeid: item for item in session.items}
        gc.freeze()  # the collector of a forked process would copy the memory of all that is there already
        for change, place in self.found:
            mutant, found = make(change, place), ways(change, self.reach, self.budget)
            if self.is_accepted(mutant.change):
                self.tell(Tried(mutant.change, Outcome.ACCEPTED, 0))
            elif found:
                self.begin(Trial(mutant, found, max(len(tests) for _, tests in found)))
            else:
                self.tell(Tried(mutant.change, Outcome.UNREACHED, 0))
            while len(self.running) >= self.processes:
                self.end_one()
        while self.running:
            self.end_one()
        return True

    def begin(self, trial: Trial) -> None:
        """Let a process try the next way."""
        way, tests = trial.ways.pop(0)
        items = [self.items[test] for test in tests]
        self.running[start(trial.mutant, way, items, Chosen(tests, self.reach.seconds))] = trial

    def end_one(self) -> None:
        """Wait for a process, and let a survivor be tried in the next way."""
        process, status = os.wait()
        trial, outcome = self.running.pop(process), outcome_of(status)
        if outcome is Outcome.SURVIVED and trial.ways:
            self.begin(trial)
        else:
            self.tell(Tried(trial.mutant.change, outcome, trial.tests))


def collect(plugin: Trials) -> None:
    """Let pytest collect the tests, and try the mutants of the plugin on them."""
    quiet = ("-s", "-p", "no:cacheprovider", "-p", "no:terminal")
    if pytest.main([*quiet, *TESTS], plugins=[plugin]):
        raise SystemExit("The tests cannot be collected.")


def killed_before() -> Iterator[Tried]:
    """Yield what the last runs have killed, for `--resume`."""
    if FILE.exists():
        for line in FILE.read_text(encoding="utf-8").splitlines():
            change, outcome, tests = json.loads(line)
            if outcome in {Outcome.KILLED, Outcome.TIMEOUT}:
                yield Tried(Change(*change), Outcome(outcome), tests)


def note(tried: Tried) -> None:
    """Write down an outcome."""
    with FILE.open("a", encoding="utf-8") as file:
        file.write(json.dumps(tried) + "\n")
