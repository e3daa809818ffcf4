"""Which tests reach which lines, and how long each takes: measured once, and again where the code has changed."""

import json
import os
import sys
from collections import Counter
from collections.abc import Iterator
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from time import process_time
from typing import Any, NamedTuple

import coverage
import pytest

from tests.support.paths import HOUSE

from .changes import Change

FILE = HOUSE / "build/mutate/reach.json"
TESTS = ("tests/rules", "tests/match")
MEASURED = ("gipfbot/rules", "gipfbot/match")
# What runs while the rooms are imported, and while the tests are collected.
IMPORTED, COLLECTED = "imported", "collected"


class Reach(NamedTuple):
    """What the tests reach: the lines of each module by test, and the seconds of processor time of each test."""

    lines: dict[str, dict[str, list[int]]]
    seconds: dict[str, float]

    def runs(self, when: str, change: Change) -> bool:
        """Return whether a changed line runs in a test, or while something is imported or collected."""
        found = self.lines.get(when, {}).get(change.module, ())
        return any(change.first <= line <= change.last for line in found)

    def tests(self, change: Change, budget: float) -> list[str]:
        """Return the tests for a change, the fastest first, as many as the budget of seconds allows.

        What runs while the rooms are imported may change anything, so all tests are asked. Half the time is for those
        of its module.
        """
        everywhere = self.runs(IMPORTED, change)
        found = [test for test in self.seconds if everywhere or self.runs(test, change)]
        if not everywhere:
            return self.fastest(found, budget)
        near = self.fastest([test for test in found if self.reaches(test, change.module)], budget / 2)
        return near + self.fastest([test for test in found if test not in near], budget / 2)

    def fastest(self, tests: list[str], budget: float) -> list[str]:
        """Return the fastest tests, as many as the budget of seconds allows, and at least one."""
        chosen, spent = list[str](), 0.0
        for test in sorted(tests, key=lambda test: (self.seconds[test], test)):
            spent += self.seconds[test]
            if spent <= budget or not chosen:
                chosen.append(test)
        return chosen

    def reaches(self, test: str, module: str) -> bool:
        """Return whether a test runs anything of a module."""
        return module in self.lines.get(test, ())

    def nearest(self, module: str, tests: list[str]) -> list[str]:
        """Return the tests of one file: of that which has the most tests that reach the module."""
        files = Counter(file_of(test) for test in tests if self.reaches(test, module))
        return [test for test in tests if files and file_of(test) == max(files, key=files.__getitem__)]


def file_of(test: str) -> str:
    """Return the file of a test."""
    return test.partition("::")[0]


def forget_caches() -> None:
    """Empty the caches of the rooms: what one test has computed must not hide lines from the next."""
    for name, module in list(sys.modules.items()):
        if name.startswith("gipfbot."):
            for found in list(vars(module).values()):
                inside = [cell.cell_contents for cell in getattr(found, "__closure__", None) or ()]
                for cached in filter(has_cache, (found, *inside)):
                    cached.cache_clear()


def has_cache(found: object) -> bool:
    return callable(getattr(found, "cache_clear", None)) and not isinstance(found, type)


class Measure:
    """A plugin of pytest that notes the lines and the time of each test."""

    def __init__(self) -> None:
        self.coverage = coverage.Coverage(
            data_file=None, config_file=False, include=[f"{HOUSE}/{folder}/*" for folder in MEASURED]
        )
        self.seconds: dict[str, float] = {}
        self.coverage.start()
        self.coverage.switch_context(IMPORTED)
        for path in sorted(path for folder in MEASURED for path in HOUSE.glob(f"{folder}/*.py")):
            import_module(".".join(path.relative_to(HOUSE).with_suffix("").parts).removesuffix(".__init__"))
        self.coverage.switch_context(COLLECTED)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        """Run a test in a context of its own."""
        forget_caches()
        self.coverage.switch_context(item.nodeid)
        started = process_time()
        result = yield
        self.seconds[item.nodeid] = process_time() - started
        self.coverage.switch_context(COLLECTED)
        return result

    def lines(self) -> dict[str, dict[str, list[int]]]:
        """Stop, and return the lines of each module by context."""
        self.coverage.stop()
        data, found = self.coverage.get_data(), dict[str, dict[str, list[int]]]()
        for path in data.measured_files():
            module = ".".join(Path(path).relative_to(HOUSE).with_suffix("").parts)
            for line, contexts in data.contexts_by_lineno(path).items():
                for context in contexts:
                    found.setdefault(context, {}).setdefault(module, []).append(line)
        return found


def measure(files: list[str]) -> Reach:
    """Run these files of tests. Raises SystemExit if one fails: a mutant can only be told by a test that passes."""
    os.environ["TRACE_ALL"] = "1"  # or the tests that run longest would seem to reach nothing
    plugin = Measure()
    if pytest.main(["-q", "-x", "-p", "no:cacheprovider", *files], plugins=[plugin]):
        raise SystemExit(1)
    return Reach(plugin.lines(), plugin.seconds)


def prints() -> dict[str, str]:
    """Return a hash for each file of tests: of it, of its helpers and of the rooms."""
    paths = [path for folder in TESTS for path in sorted(HOUSE.glob(f"{folder}/test_*.py"))]
    around = [*HOUSE.glob("gipfbot/[rnm]*/**/*.py"), *HOUSE.glob("tests/support/*.py"), HOUSE / "tests/conftest.py"]
    around += [path for folder in TESTS for path in HOUSE.glob(f"{folder}/*.py") if path not in paths]
    common = b"".join(path.read_bytes() for path in sorted(around))
    return {str(path.relative_to(HOUSE)): sha256(common + path.read_bytes()).hexdigest() for path in paths}


def load() -> tuple[dict[str, str], Reach]:
    """Return the hashes and the reach of the last measurement."""
    if not FILE.exists():
        return {}, Reach({}, {})
    stored: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))
    return stored["prints"], Reach(stored["lines"], stored["seconds"])


def update() -> None:
    """Measure the files of tests that changed, and write all down."""
    old, known = load()
    new = prints()
    changed = [file for file in new if old.get(file) != new[file]]
    if not changed:
        return
    found = measure(changed)
    kept = {test for test in known.seconds if (file := file_of(test)) in new and file not in changed}
    lines = {context: known.lines[context] for context in [*kept, COLLECTED] if context in known.lines} | found.lines
    seconds = {test: known.seconds[test] for test in kept} | found.seconds
    FILE.parent.mkdir(parents=True, exist_ok=True)
    FILE.write_text(json.dumps({"prints": new, "lines": lines, "seconds": seconds}), encoding="utf-8")
