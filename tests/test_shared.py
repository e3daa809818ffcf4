"""What several tests use is defined once, in a module that is no test."""

import ast
from collections import defaultdict
from collections.abc import Iterator, Mapping
from textwrap import dedent

import pytest

from tests.support.paths import HOUSE


def modules() -> dict[str, str]:
    """Return the source of every module under tests, by its path."""
    paths = sorted(HOUSE.glob("tests/**/*.py"))
    return {str(path.relative_to(HOUSE)): path.read_text(encoding="utf-8") for path in paths}


def imported_modules(source: str) -> Iterator[str]:
    """Return every part of the names of the modules that are imported anywhere in a source."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (part for alias in node.names for part in alias.name.split("."))
        elif isinstance(node, ast.ImportFrom):
            yield from (node.module or "").split(".")
            yield from (alias.name for alias in node.names)


def borrowed(source: str) -> list[str]:
    """Return the test modules and conftests from which a source imports."""
    return [name for name in imported_modules(source) if name.startswith("test_") or name == "conftest"]


def constants(tree: ast.Module) -> Iterator[tuple[str, ast.expr]]:
    """Return the constants of a module and their values; those of `A, B = 1, 2` one by one."""
    for node in tree.body:
        if isinstance(node, ast.AnnAssign) and node.value:
            yield ast.unparse(node.target), node.value
        elif isinstance(node, ast.Assign):
            target, value = node.targets[0], node.value
            if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
                yield from zip(map(ast.unparse, target.elts), value.elts, strict=True)
            else:
                yield ast.unparse(target), value


def is_fixture_or_test(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    marks = [ast.unparse(decorator) for decorator in function.decorator_list]
    return function.name.startswith("test_") or any("fixture" in mark for mark in marks)


def definitions(source: str) -> Iterator[tuple[str, str]]:
    """Return a module's helpers: constants by name and value, functions by body, whatever they are called."""
    tree = ast.parse(source)
    for name, value in constants(tree):
        if name.isupper() and "TypeVar" not in ast.dump(value):
            yield name, ast.dump(value)
    for node in tree.body:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and not is_fixture_or_test(node):
            body = node.body[1:] if ast.get_docstring(node) else node.body
            yield node.name, ast.dump(node.args) + "".join(map(ast.dump, body))


def repeated(sources: Mapping[str, str]) -> list[str]:
    """Return the helpers that are defined in more than one of these modules."""
    found = defaultdict(list)
    for path, source in sources.items():
        for name, meaning in definitions(source):
            found[name if name.isupper() else "", meaning].append(f"{name} in {path}")
    return [", ".join(places) for places in found.values() if len(places) > 1]


def test_no_test_module_lends_anything() -> None:
    assert {path: names for path, source in modules().items() if (names := borrowed(source))} == {}


def test_each_helper_is_defined_once() -> None:
    assert repeated(modules()) == []


@pytest.mark.parametrize(
    "line",
    [
        "from .test_days import limited",
        "from . import test_days",
        "import tests.ui.test_days",
        "from tests.ui.conftest import World",
        "def f():\n    from .conftest import World",
    ],
)
def test_an_import_from_a_test_module_is_found(line: str) -> None:
    assert len(borrowed(line)) == 1


def test_an_import_from_a_helper_module_passes() -> None:
    assert borrowed("import pytest\nfrom .helpers import begun\nfrom tests.support.times import DAY") == []


FIRST = dedent("""
    HOUR, DAY = 3600, 24 * 3600

    @pytest.fixture
    def app():
        return 1

    def begun(at):
        '''Return a game.'''
        return play(at)
    """)


@pytest.mark.parametrize(
    ("other", "count"),
    [
        ("DAY: int = 24 * 3600", 1),
        ("DAY = 25 * 3600", 0),
        ("WEEK, DAY = 7, 24 * 3600", 1),
        ("LONG = 24 * 3600", 0),
        ("day = 24 * 3600", 0),
        ("def started(at):\n    '''Start.'''\n    return play(at)", 1),
        ("def begun(at):\n    return play(at, 1)", 0),
        ("def begun(at, now):\n    return play(at)", 0),
        ("@pytest.fixture()\ndef app():\n    return 1", 0),
        ("def test_it(at):\n    return play(at)", 0),
    ],
)
def test_a_repeated_helper_is_found(other: str, count: int) -> None:
    assert len(repeated({"first": FIRST, "other": other})) == count
