"""One change of the code each: what it is, where it stands, and which of all are tried."""

import ast
from collections.abc import Iterable, Iterator, Sequence
from random import Random
from typing import NamedTuple


class Change(NamedTuple):
    """A mutant: one place of one module, changed. The lines are compared, not their numbers, so it outlives edits."""

    module: str  # such as gipfbot.rules.rows
    within: str  # the function, the class, or nothing beside both
    was: str  # the lines that differ, without their indents
    now: str
    first: int  # the lines of the changed place
    last: int
    number: int = 0  # among the changes of the module
    nested: bool = False  # whether it is in a function inside that function

    @property
    def room(self) -> str:
        """The package of the module."""
        return self.module.rpartition(".")[0]

    @property
    def place(self) -> tuple[str, str, int, int, int]:
        """What tells this change from all others of the same code."""
        return (self.module, self.within, self.first, self.last, self.number)


class Mutant(NamedTuple):
    """A change, and the module's text with it."""

    change: Change
    source: str


def differing(before: str, after: str) -> tuple[str, str]:
    """Return the lines between the first and the last difference, as they were and as they are, without indents."""
    was, now = before.splitlines(), after.splitlines()
    while was and now and was[0] == now[0]:
        del was[0], now[0]
    while was and now and was[-1] == now[-1]:
        del was[-1], now[-1]
    return "\n".join(line.strip() for line in was), "\n".join(line.strip() for line in now)


def around(tree: ast.Module, line: int) -> str:
    """Return the qualified name of the outermost function around a line, else of the class, else nothing."""
    names: list[str] = []
    body: Sequence[ast.stmt] = tree.body
    while node := next((node for node in definitions(body) if node.lineno <= line <= (node.end_lineno or 0)), None):
        names.append(node.name)
        body = node.body if isinstance(node, ast.ClassDef) else ()
    return ".".join(names)


def is_nested(tree: ast.Module, line: int) -> bool:
    """Return whether a line belongs to a function inside another one."""
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    return sum(node.lineno <= line <= (node.end_lineno or 0) for node in functions) > 1


def definitions(body: Sequence[ast.stmt]) -> Iterator[ast.FunctionDef | ast.ClassDef]:
    for node in body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            yield node


def draw(changes: Iterable[Change], count: int, seed: int) -> list[Change]:
    """Return so many of the changes, of each room in proportion. The same seed draws the same."""
    rooms: dict[str, list[Change]] = {}
    for change in changes:
        rooms.setdefault(change.room, []).append(change)
    everything, drawn = sum(map(len, rooms.values())), list[Change]()
    for room in sorted(rooms):
        share = min(len(rooms[room]), -(-count * len(rooms[room]) // everything))
        drawn += Random(f"{seed} {room}").sample(rooms[room], share)
    return sorted(drawn, key=lambda change: (change.module, change.number))
