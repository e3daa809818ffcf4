"""What a function of the program can come to: the names in its source and in that of all that it calls."""

import ast
import inspect
from collections.abc import Callable, Iterator
from functools import cache
from textwrap import dedent
from types import FunctionType, ModuleType
from typing import Any, get_type_hints

from gipfbot.service.app import App

PROGRAM = "gipfbot."


def names_behind(begin: Callable[..., Any]) -> frozenset[str]:
    """Return the names that a function can come to, as they are written: `one_job`, `self.aside.run`.

    Follows functions by their names, methods of `self`, and services by their names in `App`. Other calls are not
    followed, such as those of a value that a function has returned.
    """
    found, seen, todo = set[str](), set[FunctionType](), [*_functions(begin, None)]
    while todo:
        function, owner = todo.pop()
        if function not in seen:
            seen.add(function)
            names, followed = _step(function, owner)
            found |= names
            todo += followed
    return frozenset(found)


@cache
def _step(function: FunctionType, owner: type | None) -> tuple[set[str], list[tuple[FunctionType, type | None]]]:
    """Return the names in a function, and the functions that they stand for."""
    tree = ast.parse(dedent(inspect.getsource(function)))
    nodes = [node for node in ast.walk(tree) if isinstance(node, ast.Name | ast.Attribute)]
    return {*map(ast.unparse, nodes)}, [each for node in nodes for each in _followed(node, function, owner)]


@cache
def _services() -> dict[str, Any]:
    return get_type_hints(App)


def _followed(
    node: ast.Name | ast.Attribute, function: FunctionType, owner: type | None
) -> Iterator[tuple[FunctionType, type | None]]:
    """Yield the functions that a name stands for, each with the class that it is a method of."""
    if isinstance(node, ast.Name):
        yield from _functions(function.__globals__.get(node.id), None)
        return
    of = node.value.attr if isinstance(node.value, ast.Attribute) else ast.unparse(node.value)
    known = owner if of == "self" else function.__globals__.get(of, _services().get(of))
    if isinstance(known, ModuleType):
        yield from _functions(getattr(known, node.attr, None), None)
    elif isinstance(known, type):
        yield from _functions(inspect.getattr_static(known, node.attr, None), known)


def _functions(value: Any, owner: type | None) -> Iterator[tuple[FunctionType, type | None]]:
    """Yield the function behind a value, if it is one of the program."""
    value = value.fget if isinstance(value, property) else value
    inner: Any = inspect.unwrap(value) if callable(value) else None
    if isinstance(inner, FunctionType) and inner.__module__.startswith(PROGRAM):
        yield inner, owner
