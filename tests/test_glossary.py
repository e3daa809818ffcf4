"""No name uses a word that `docs/glossary.md` has retired in its room."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.support.paths import HOUSE

ROW = re.compile(r"^\| (?P<word>[a-z_]+) \| (?P<instead>[a-z_ ]+) \| (?P<rooms>[a-z, ]+) \|$", re.MULTILINE)
WORDS = re.compile("[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
EVERYWHERE = "everywhere"


@cache
def retired() -> list[tuple[tuple[str, ...], tuple[str, ...], frozenset[str]]]:
    """Return each retired word and its replacement, as sequences of words, with the rooms where it is retired."""
    table = (HOUSE / "docs/glossary.md").read_text(encoding="utf-8").partition("## Retired words")[2]
    rows = ROW.finditer(table)
    return [(words(row["word"]), words(row["instead"]), frozenset(row["rooms"].split(", "))) for row in rows]


def words(name: str) -> tuple[str, ...]:
    """Return the words of a name in small letters, split at underscores, blanks and capital letters."""
    return tuple(word.lower() for word in WORDS.findall(name))


def contains(name: tuple[str, ...], part: tuple[str, ...]) -> bool:
    return any(name[at : at + len(part)] == part for at in range(len(name) - len(part) + 1))


def names(tree: ast.AST) -> Iterator[str]:
    """Yield every name that a module defines: classes, functions, parameters, fields, constants and stored keys."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.arg):
            yield node.arg
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            yield node.target.id
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            yield node.attr
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and node.id.isupper():
            yield node.id
        elif isinstance(node, ast.Dict):
            yield from (key.value for key in node.keys if isinstance(key, ast.Constant) and isinstance(key.value, str))
        elif isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("Column", "Table", "_number", "_text"):
            yield from (
                text.value for text in node.args if isinstance(text, ast.Constant) and isinstance(text.value, str)
            )


def faults(room: str, stem: str, source: str) -> list[str]:
    """Return the names in a module of this room that have a retired word in them."""
    found = []
    for name in sorted({stem, *(name for name in names(ast.parse(source)) if name.isidentifier())}):
        found += name_faults(room, name)
    return found


@cache
def name_faults(room: str, name: str) -> list[str]:
    """Return what is wrong with one name in a room."""
    own = words(name)
    return [
        f"{name}: say {'_'.join(instead)} for {'_'.join(word)}"
        for word, instead, rooms in retired()
        if (EVERYWHERE in rooms or room in rooms) and contains(own, word) and not {*instead} <= {*own}
    ]


def modules() -> Iterator[tuple[str, Path]]:
    """Yield the room and the path of every module."""
    for top in ("gipfbot", "render", "tests"):
        for path in sorted((HOUSE / top).rglob("*.py")):
            parts = path.relative_to(HOUSE).parts
            yield (parts[1] if top == "gipfbot" else top), path


def test_no_name_uses_a_retired_word() -> None:
    found = [
        f"{path.relative_to(HOUSE)}: {fault}"
        for room, path in modules()
        for fault in faults(room, path.stem, path.read_text(encoding="utf-8"))
    ]
    assert found == []


def test_the_glossary_has_its_table() -> None:
    assert len(retired()) > 45


@pytest.mark.parametrize(
    ("room", "source", "fault"),
    [
        ("match", "class Undo: ...", "Undo: say takeback for undo"),
        ("store", "def load(home): ...", "home: say venue for home"),
        ("service", "class Game:\n    fallen: bool", "fallen: say flagged for fallen"),
        ("tests", "def was_aborted(): ...", "was_aborted: say cancelled for aborted"),
        ("store", "FIELDS = {'homeless': 1}", "homeless: say unreachable for homeless"),
    ],
)
def test_a_retired_word_is_found(room: str, source: str, fault: str) -> None:
    assert faults(room, "game", source) == [fault]


@pytest.mark.parametrize(
    ("room", "source"),
    [
        ("ui", "def undo_command(): ..."),
        ("match", "class Takeback: ..."),
        ("rules", "def home(): ..."),
        ("match", "left = 1"),
    ],
)
def test_other_words_pass(room: str, source: str) -> None:
    assert faults(room, "game", source) == []


@cache
def functions() -> dict[str, list[str]]:
    """Return the modules of the program that define a function of each name."""
    found: dict[str, list[str]] = {}
    for path in (path for room, path in modules() if room != "tests"):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                found.setdefault(node.name, []).append(str(path.relative_to(HOUSE)))
    return found


def test_few_functions_share_their_name_with_one_of_another_module() -> None:
    shared = [name for name, places in functions().items() for _ in places if len(places) > 1]
    assert len(shared) < 0.08 * sum(map(len, functions().values())), sorted(set(shared))


def test_no_function_merely_repeats_the_name_of_its_module() -> None:
    assert [
        place for name, places in functions().items() for place in places if Path(place).stem == name.strip("_")
    ] == []
