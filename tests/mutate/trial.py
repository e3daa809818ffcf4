"""Try one mutant: change the code of this forked process, and run tests until one fails.

A change inside a function is put into the function that is there already. What runs while modules are imported needs
a fresh import of everything.
"""

import inspect
import os
import resource
import signal
import sys
from collections.abc import Iterator, Sequence
from enum import Enum
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import spec_from_file_location
from types import CodeType, FunctionType, ModuleType
from typing import Any, NoReturn

import pytest

from tests.support.paths import HOUSE

from .changes import Change, Mutant
from .reach import forget_caches

SURVIVED, KILLED, FAULT = 0, 1, 3
MEMORY = 3 << 30
# What a fresh import loads anew.
OURS = ("gipfbot", "tests", "render")


class Way(Enum):
    """How a change gets into the process."""

    PUT_IN = "put in"
    ANEW_IN_ONE_FILE = "anew, for the tests of one file: so most are killed sooner"
    ANEW = "anew"


def limit(seconds: float) -> None:
    """Let the system end this process after so much processor time of a test, measured in peace, and some more."""
    signal.setitimer(signal.ITIMER_PROF, 3 + 5 * seconds)


def code_of(module: CodeType, name: str) -> CodeType:
    """Return the code of a function in the code of its module, by its qualified name."""
    inside = [found for found in module.co_consts if isinstance(found, CodeType)]
    for code in inside:
        if code.co_qualname == name:
            return code
    return next(code_of(code, name) for code in inside if name.startswith(f"{code.co_qualname}."))


def function_of(module: ModuleType, name: str) -> FunctionType:
    """Return a function or method of a module, without what decorates it."""
    found: Any = module
    for part in name.split("."):
        found = inspect.getattr_static(found, part)
    for inside in ("fget", "func", "__func__"):  # of properties, of cached ones, and of class methods
        found = getattr(found, inside, found)
    function = inspect.unwrap(found)
    assert isinstance(function, FunctionType), name
    return function


def put_in(change: Change, source: str) -> None:
    """Change a function where it stands."""
    loaded = sys.modules[change.module]
    compiled = compile(source, str(loaded.__file__), "exec")
    function_of(loaded, change.within).__code__ = code_of(compiled, change.within)
    forget_caches()


class Loader(SourceFileLoader):
    """Load a module from another text than its file's."""

    def __init__(self, name: str, path: str, source: str) -> None:
        super().__init__(name, path)
        self.source = source

    def get_code(self, fullname: str) -> CodeType:
        """Compile that text."""
        return compile(self.source, self.path, "exec")


class Finder(MetaPathFinder):
    """Find the changed module before the one on the disk."""

    def __init__(self, module: str, source: str) -> None:
        self.module, self.source = module, source

    def find_spec(self, name: str, path: object, target: object = None) -> ModuleSpec | None:
        """Return how to load the changed module. None for all others."""
        if name != self.module:
            return None
        file = str(HOUSE.joinpath(*name.split(".")).with_suffix(".py"))
        return spec_from_file_location(name, file, loader=Loader(name, file, self.source))


class Chosen:
    """A plugin of pytest that runs these tests in this order."""

    def __init__(self, tests: Sequence[str], seconds: dict[str, float]) -> None:
        self.tests, self.seconds = tests, seconds

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Order what was collected."""
        found = {item.nodeid: item for item in items}
        items[:] = [found[test] for test in self.tests]

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        """Limit the time of a test."""
        limit(self.seconds[item.nodeid])
        return (yield)


def import_anew(change: Change, source: str, chosen: Chosen) -> bool:
    """Import everything anew with the changed module. Return whether the tests pass."""
    for name in [
        name for name in sys.modules if name.partition(".")[0] in OURS and not name.startswith("tests.mutate")
    ]:
        del sys.modules[name]
    sys.meta_path.insert(0, Finder(change.module, source))
    limit(10)
    files = sorted({test.partition("::")[0] for test in chosen.tests})
    return not pytest.main(["-x", "-q", "-p", "no:cacheprovider", *files], plugins=[chosen])


def passes(items: Sequence[pytest.Item], seconds: dict[str, float]) -> bool:
    """Run tests until one fails. Return whether all pass."""
    for item, following in zip(items, [*items[1:], None], strict=True):
        limit(seconds[item.nodeid])
        if any(report.failed for report in run_test(item, following)):
            return False
    return True


def run_test(item: pytest.Item, following: pytest.Item | None) -> list[pytest.TestReport]:
    from _pytest.runner import runtestprotocol  # pytest has no public name for it

    return runtestprotocol(item, log=False, nextitem=following)


def start(mutant: Mutant, way: Way, items: list[pytest.Item], chosen: Chosen) -> int:
    """Fork a process that tries a mutant. Return its id; its exit code tells how it went."""
    sys.stdout.flush()
    process = os.fork()
    return process or _try_and_leave(mutant, way, items, chosen)


def _try_and_leave(mutant: Mutant, way: Way, items: list[pytest.Item], chosen: Chosen) -> NoReturn:
    outcome, quiet = FAULT, os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(quiet, 1)
        os.dup2(quiet, 2)
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        if way is Way.PUT_IN:
            put_in(*mutant)
        outcome = KILLED
        survived = passes(items, chosen.seconds) if way is Way.PUT_IN else import_anew(*mutant, chosen)
        outcome = SURVIVED if survived else KILLED
    finally:
        os._exit(outcome)
