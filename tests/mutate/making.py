"""The changes that mutmut makes: of functions, of decorated ones too, of class bodies and of tables.

mutmut's own command leaves out a quarter of these: whatever stands outside of plain functions. So only its operators
are used here.
"""

import ast
from bisect import bisect_right
from collections.abc import Iterator
from importlib import import_module
from typing import Any, NamedTuple

from tests.support.paths import HOUSE

from .changes import Change, Mutant, around, differing, is_nested

# Only the venv of `make mutate` has them; ruff and mypy run in the other.
cst = import_module("libcst")
mutation = import_module("mutmut.mutation.file_mutation")

ROOMS = ("gipfbot.rules", "gipfbot.match")
# What only names things: types, what a package offers, and the reasons of refusals.
ONLY_TYPES = mutation.m.Name("TypeAlias")
LEFT_OUT = {"gipfbot.rules.__init__", "gipfbot.match.__init__", "gipfbot.match.errors"}


class Visitor(mutation.MutationVisitor):  # type: ignore[misc, name-defined]
    """Collect the mutations of decorated functions, too: nothing here needs mutmut's trampolines."""

    def _skip_node_and_children(self, node: Any) -> bool:
        if isinstance(node, cst.FunctionDef) and node.decorators:
            return False
        if isinstance(node, cst.AnnAssign) and mutation.m.matches(node.annotation.annotation, ONLY_TYPES):
            return True
        return bool(super()._skip_node_and_children(node))


def modules() -> list[str]:
    """Return the names of the modules to change."""
    folders = [HOUSE.joinpath(*room.split(".")) for room in ROOMS]
    paths = [path.relative_to(HOUSE).with_suffix("") for folder in folders for path in sorted(folder.rglob("*.py"))]
    return [name for path in paths if (name := ".".join(path.parts)) not in LEFT_OUT]


def source_of(module: str) -> str:
    """Return the text of a module."""
    return HOUSE.joinpath(*module.split(".")).with_suffix(".py").read_text(encoding="utf-8")


class Place(NamedTuple):
    """Where a change is made: one statement of the module, whose other text stays."""

    module: Any
    texts: list[str]  # of the header, of each statement, and of the footer
    statement: int
    original: Any
    changed: Any


def mutations_of(module: str) -> Iterator[tuple[Change, Place]]:
    """Yield every change of a module, its lines still unknown, and its place."""
    source = source_of(module)
    wrapper = mutation.MetadataWrapper(cst.parse_module(source))
    visitor = Visitor(mutation.mutation_operators, mutation.get_ignored_lines(module, source, wrapper, None), None)
    tree, positions = wrapper.visit(visitor), wrapper.resolve(mutation.PositionProvider)
    texts = ["".join(map(tree.code_for_node, nodes)) for nodes in (tree.header, *([one] for one in tree.body))]
    texts.append("".join(map(tree.code_for_node, tree.footer)))
    starts, names = [positions[statement].start.line for statement in tree.body], ast.parse(source)
    for number, found in enumerate(visitor.mutations):
        where = positions[found.original_node]
        first, last = where.start.line, where.end.line
        place = Place(tree, texts, bisect_right(starts, first) - 1, found.original_node, found.mutated_node)
        yield Change(module, around(names, first), "", "", first, last, number, is_nested(names, first)), place


def make(change: Change, place: Place) -> Mutant:
    """Return the change with its lines, and the module's new text."""
    after = [*place.texts]
    statement = place.module.body[place.statement].deep_replace(place.original, place.changed)
    after[place.statement + 1] = place.module.code_for_node(statement)
    was, now = differing("".join(place.texts), "".join(after))
    return Mutant(change._replace(was=was, now=now), "".join(after))
