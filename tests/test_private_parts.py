"""The private parts of libraries that the program uses: all are listed here, and each library has one file for them.

A private part is a name that begins with an underscore and is not ours. Any release of the library may change it, so
its file names the version in which it was read, as READ_IN. After an update, read the file again, then change that.
"""

import ast
import importlib
import inspect
import re
import sys
from collections.abc import Iterator
from importlib.metadata import files, version
from textwrap import dedent
from typing import Any

import pytest
from discord import AutoShardedClient

from tests.support.modules import house

PARTS = {
    "gipfbot.demo_page": {
        *("_media", "_process_media", "_decode"),  # pictures are decoded without a process for each
        *("_server", "_static"),  # the page's files
        *("_action", "_advance_presentation_time"),  # the page's clock
        *("_pages", "_publish"),  # what stands on the page since when
        *("_initial_target", "_open_page", "_preview", "_python"),  # several pages
    },
    "gipfbot.store.backends.postgres_types": {"_transport"},  # options of the socket
    "gipfbot.store.backends.sqlite_driver": {
        *("_adapt_connection", "_connection", "_cursor_cls", "_execute_mutex", "_rows"),
        *("_async_soft_close", "_execute_async", "_executemany_async"),  # one visit a statement
        *("_conn", "_execute"),  # of aiosqlite
    },
    "gipfbot.ui.kit.discord_internals": {
        *("_AutoShardedClient__queue", "_async_setup_hook"),  # the queue of shards
        *("_get_state", "_handlers", "_hooks", "_remove_guild"),  # the state of all servers
        *("_add_channel", "_add_member", "_add_thread"),  # servers that are fetched
        *("_keep_alive", "_last_ack", "_parent"),  # the last heartbeat
        "_global_over",  # the global limit
        "_invoke_autocomplete",  # suggestions
    },
}
PRIVATE = re.compile(r"_(?!_)\w*[^\W_]")  # not `__init__`, and not the names that Python gives, such as `_missing_`
# These are documented; rows may have any other names.
PUBLIC = {"_asdict", "_current_frames", "_exit", "_fields", "_make", "_mapping", "_replace"}
BY_NAME = {"getattr", "hasattr", "setattr"}
OURS = {"gipfbot", "render", "tests"}


def private_names(module: str) -> set[str]:
    """Return the names of private parts that a module of the program uses."""
    source = house()[module]
    found = set(reached(ast.parse(source)))
    if re.search(r"^\s*class ", source, re.MULTILINE):
        classes = vars(importlib.import_module(module)).values()
        found |= {
            name for each in classes if inspect.isclass(each) and each.__module__ == module for name in shared(each)
        }
    return {name for name in found if is_private(name)}


def is_private(name: str) -> bool:
    return bool(PRIVATE.fullmatch(name)) and name not in PUBLIC


def reached(tree: ast.AST) -> Iterator[str]:
    """Yield the names that a module reads or sets on others than `self`, unless it defines them, or imports."""
    own = set(defined(tree))
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and not of_self(node):
            yield from {node.attr} - own
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in BY_NAME:
            yield from {str(each.value) for each in node.args if isinstance(each, ast.Constant)} - own
        elif isinstance(node, ast.Import | ast.ImportFrom):
            base = f"{node.module}." if isinstance(node, ast.ImportFrom) and not node.level else ""
            names = [f"{base}{alias.name}" for alias in node.names if base or isinstance(node, ast.Import)]
            yield from (part for name in names if top(name) not in OURS for part in name.split("."))


def of_self(node: ast.Attribute) -> bool:
    return isinstance(node.value, ast.Name) and node.value.id in {"self", "cls"}


def defined(tree: ast.AST) -> Iterator[str]:
    """Yield the names that a module or a class gives to functions, classes, values and attributes of `self`."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store) and of_self(node):
            yield node.attr


def shared(cls: type) -> set[str]:
    """Return the names in a class of ours that the libraries' classes below it have, too: used, or in conflict."""
    theirs = {name for base in cls.__mro__ if is_foreign(base) for name in names_of(base)}
    if not theirs:
        return theirs
    tree = ast.parse(dedent(inspect.getsource(cls)))
    return theirs & {*defined(tree), *(node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute))}


def is_foreign(cls: type) -> bool:
    return top(cls.__module__) not in OURS | sys.stdlib_module_names


def top(name: str) -> str:
    return name.partition(".")[0]


def names_of(base: type) -> set[str]:
    """Return the names that a library's class has or uses, as they are for classes above it."""
    codes = (getattr(each, "__code__", None) for each in vars(base).values())
    return {
        *vars(base),
        *vars(base).get("__annotations__", ()),
        *(name for code in codes if code for name in code.co_names),
    }


def read_in(module: str) -> dict[str, str]:
    """Return the libraries whose private parts a module may use, each with the version that was read."""
    versions: dict[str, str] = getattr(importlib.import_module(module), "READ_IN", {})
    return versions


def path_of(module: str) -> str:
    return f"{module.replace('.', '/')}.py"


def test_private_parts_are_those_listed() -> None:
    found = {module: names for module in house() if (names := private_names(module))}
    assert found == PARTS


def test_each_library_has_one_file() -> None:
    libraries = [library for module in PARTS for library in read_in(module)]
    assert sorted(libraries) == ["SQLAlchemy", "aiosqlite", "asyncpg", "discord.py", "simcord"]
    assert [module for module, source in house().items() if "READ_IN =" in source] == list(PARTS)


@pytest.mark.parametrize("module", PARTS)
def test_private_parts_were_read_in_the_installed_version(module: str) -> None:
    found = [
        f"{path_of(module)} was read in {library} {read}, and {version(library)} is installed: read it again"
        for library, read in read_in(module).items()
        if version(library) != read
    ]
    assert found == []


@pytest.mark.parametrize("module", PARTS)
def test_libraries_still_have_their_private_parts(module: str) -> None:
    text = "\n".join(map(source_of, read_in(module)))
    there = set(re.findall(r"\b_\w+", text))
    gone = [name for name in PARTS[module] if re.sub(r"^_[A-Z]\w+?(?=__)", "", name) not in there]
    assert gone == [], f"{path_of(module)} uses what {', '.join(read_in(module))} no longer has"


def source_of(library: str) -> str:
    """Return the paths of a library's modules, with all their text."""
    modules = [each for each in files(library) or () if each.suffix in {".py", ".pyx"}]
    assert modules
    return "\n".join(f"{each.as_posix()}\n{each.read_text(encoding='utf-8')}" for each in modules)


@pytest.mark.parametrize(
    ("line", "names"),
    [
        ("client.http._global_over.set()", {"_global_over"}),
        ("page._action = act", {"_action"}),
        ("super()._async_setup_hook()", {"_async_setup_hook"}),
        ("getattr(socket, '_keep_alive', None)", {"_keep_alive"}),
        ("from simcord.preview._media import MediaInfo, _process_media", {"_media", "_process_media"}),
        ("import discord._version", {"_version"}),
        ("self._own = row._mapping", set()),
        ("def _own(other): return other._own", set()),
        ("from ._own import _own", set()),
        ("kind._value_ = cls.__name__ = point._replace(x=1)", set()),
    ],
)
def test_private_names_are_found_in_a_line(line: str, names: set[str]) -> None:
    assert {name for name in reached(ast.parse(line)) if is_private(name)} == names


def test_private_names_are_found_in_classes_below() -> None:
    class Above(AutoShardedClient):
        def _get_state(self, **options: object) -> Any:
            self._AutoShardedClient__queue = self._mine = self._handlers

    names = {name for name in shared(Above) if is_private(name)}
    assert names == {"_get_state", "_AutoShardedClient__queue", "_handlers"}
