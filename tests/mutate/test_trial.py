import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from textwrap import dedent
from types import ModuleType

import pytest

from .changes import Change
from .trial import put_in

SOURCE = dedent(
    """\
    from functools import cache, cached_property

    def plain(number):
        return [number + add for add in (1,)]

    @cache
    def cached(number):
        return number + 1

    class Pair:
        @property
        def length(self):
            return 2

        @cached_property
        def width(self):
            return 5

        @classmethod
        def made(cls):
            return 3
    """
)


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    (tmp_path / "gipf_to_change.py").write_text(SOURCE, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    yield import_module("gipf_to_change")
    del sys.modules["gipf_to_change"]


@pytest.mark.parametrize(
    ("within", "was", "now", "call", "value"),
    [
        ("plain", "(1,)", "(5,)", "plain(1)", [6]),
        ("cached", "number + 1", "number - 1", "cached(1)", 0),
        ("Pair.length", "return 2", "return 4", "Pair().length", 4),
        ("Pair.width", "return 5", "return 6", "Pair().width", 6),
        ("Pair.made", "return 3", "return 9", "Pair.made()", 9),
    ],
)
def test_a_change_is_put_into_the_function_that_is_there(
    module: ModuleType, within: str, was: str, now: str, call: str, value: object
) -> None:
    before = eval(call, vars(module))
    put_in(Change(module.__name__, within, was, now, 1, 1), SOURCE.replace(was, now))
    if within == "cached":
        module.cached.cache_clear()
    assert eval(call, vars(module)) == value != before
