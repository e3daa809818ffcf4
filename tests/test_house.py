"""The rooms of the program: what each may import, in which direction; and no file names a machine."""

import ast
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from graphlib import CycleError, TopologicalSorter
from textwrap import dedent
from typing import NamedTuple, TypeAlias

import pytest

from tests.support.modules import house, within
from tests.support.paths import HOUSE

AROUND = HOUSE / "gipfbot" / "__init__.py"


class Room(NamedTuple):
    """What a room may import besides itself and the standard library. A pure room may not use all of the latter."""

    sees: tuple[str, ...] = ()
    libraries: tuple[str, ...] = ()
    pure: bool = False


RULES, NOTATION, MATCH, STORE = "gipfbot.rules", "gipfbot.notation", "gipfbot.match", "gipfbot.store"
SEARCH, ENGINES = "gipfbot.search", "gipfbot.engines"
VALUES, SERVICE, UI, FIGURES = "gipfbot.values", "gipfbot.service", "gipfbot.ui", "gipfbot.figures"
LANGUAGES = "gipfbot.languages"
INSTALLATION, CHARACTERS, COMPILED = "gipfbot.installation", "gipfbot.characters", "gipfbot.compiled"
WATCHDOG = "gipfbot.watchdog"

ROOMS = {
    RULES: Room(pure=True, sees=(COMPILED,)),
    CHARACTERS: Room(pure=True),
    NOTATION: Room(pure=True, sees=(RULES, CHARACTERS)),
    # Names the vectors and integers of the compiler, for the type checker only.
    SEARCH: Room(pure=True, sees=(RULES, COMPILED), libraries=("librt", "mypy_extensions")),
    ENGINES: Room(sees=(RULES, NOTATION, SEARCH, INSTALLATION)),
    MATCH: Room(pure=True, sees=(RULES, NOTATION, CHARACTERS)),
    VALUES: Room(pure=True, sees=(RULES, NOTATION, MATCH)),
    STORE: Room(sees=(RULES, NOTATION, MATCH, VALUES, INSTALLATION), libraries=("sqlalchemy", "alembic", "aiosqlite")),
    # It stores codes of languages, and says nothing.
    SERVICE: Room(sees=(RULES, NOTATION, MATCH, VALUES, STORE, ENGINES, LANGUAGES, INSTALLATION, CHARACTERS)),
    UI: Room(
        sees=(RULES, NOTATION, MATCH, VALUES, SERVICE, FIGURES, LANGUAGES, INSTALLATION, CHARACTERS, "render"),
        libraries=("discord", "aiohttp"),
    ),
    LANGUAGES: Room(libraries=("babel",)),
    "gipfbot.tools": Room(sees=(RULES, NOTATION, ENGINES, INSTALLATION, LANGUAGES, "render"), libraries=("babel",)),
    "render": Room(sees=(RULES, CHARACTERS), libraries=("PIL", "zlib_ng")),
    "gipfbot.settings": Room(
        sees=(VALUES,), libraries=("pydantic", "pydantic_core", "pydantic_settings", "dotenv", "sqlalchemy")
    ),
    "gipfbot.logs": Room(libraries=("structlog",)),
    FIGURES: Room(libraries=("prometheus_client",)),
    INSTALLATION: Room(),
    COMPILED: Room(),
    WATCHDOG: Room(),
    # It runs while the packages are exchanged, so it has nothing but Python.
    "gipfbot.update": Room(sees=(INSTALLATION, WATCHDOG)),
}
# The wiring may see all rooms.
WIRING = {
    "gipfbot.__main__",
    "gipfbot.app",
    "gipfbot.demo",
    "gipfbot.demo_page",
    "gipfbot.demo_people",
    "gipfbot.doctor",
    "gipfbot.check_command",
    "gipfbot.puzzle_command",
    "gipfbot.backup_command",
    "gipfbot.copy_command",
}
# The rooms inside two of them, lowest first: each may import those before it. Modules beside them may import all.
ORDER = {
    SERVICE: (
        *("kit", "settings", "delivery", "competing", "clock"),
        *("watching", "play", "requests", "house", "lobby", "tournaments", "records", "puzzles"),
        *("health", "privacy", "checking", "restoring"),
    ),
    UI: (
        "kit",
        "board",
        "desk",
        "delivery",
        "clock",
        "requests",
        "lobby",
        "records",
        "watching",
        "play",
        "competing",
        "tournaments",
        "settings",
        "privacy",
        "restoring",
        "learning",
        "puzzles",
        "showing",
        "health",
    ),
}

# What a pure room must not use: files and the net, the clock, chance, other tasks, the log.
WORLD = frozenset(
    """asyncio concurrent contextvars datetime fileinput glob http importlib io locale logging mmap multiprocessing os
    pathlib pkgutil platform queue random sched secrets select selectors shelve shutil signal socket sqlite3 ssl
    subprocess sys tempfile threading time urllib uuid zipfile zoneinfo""".split()
)
WORLDLY_CALLS = frozenset({"__import__", "input", "open", "print"})


def imported(package: str, tree: ast.AST) -> Iterator[str]:
    """Yield the full name of every import in a module of this package."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package.split(".")[: 1 - node.level or None] if node.level else []
            base = ".".join([*above, *([node.module] if node.module else [])])
            yield from (f"{base}.{alias.name}" for alias in node.names)


@cache
def imports(package: str, source: str) -> tuple[str, ...]:
    """Return what `imported` yields for a source, which is read once per run."""
    return (*imported(package, ast.parse(source)),)


def called(tree: ast.AST) -> Iterator[str]:
    return (node.func.id for node in ast.walk(tree) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name))


def may_import(own: str, name: str) -> bool:
    room, top = ROOMS[own], name.partition(".")[0]
    if top in {"gipfbot", "render"}:
        return any(within(name, seen) for seen in (own, *room.sees))
    if top in sys.stdlib_module_names:
        return not (room.pure and top in WORLD)
    return top in room.libraries


def faults(module: str, source: str, *, is_package: bool = False) -> list[str]:
    """Return the imports and calls of a module that its room does not allow."""
    if any(within(module, wiring) for wiring in WIRING):
        return []
    own = next((room for room in ROOMS if within(module, room)), None)
    if own is None:
        return [f"{module} belongs to no room"]
    names = imports(module if is_package else module.rpartition(".")[0], source)
    calls = WORLDLY_CALLS.intersection(called(ast.parse(source))) if ROOMS[own].pure else ()
    return [f"{module} imports {name}" for name in names if not may_import(own, name)] + [
        f"{module} calls {call}" for call in sorted(calls)
    ]


def is_package(module: str, sources: Mapping[str, str]) -> bool:
    return any(other.startswith(f"{module}.") for other in sources)


def test_every_module_imports_only_what_its_room_may_see() -> None:
    found = []
    for module, source in house().items():
        if module != "gipfbot":
            found += faults(module, source, is_package=is_package(module, house()))
    assert found == []


def test_the_package_around_the_rooms_imports_nothing() -> None:
    """It runs before every room, so its imports would reach all rooms."""
    tree = ast.parse(AROUND.read_text(encoding="utf-8"))
    assert list(imported("gipfbot", tree)) == []


@pytest.mark.parametrize(
    ("module", "line"),
    [
        ("gipfbot.rules.rows", "from . import geometry"),
        ("gipfbot.rules.rows", "from .geometry import LINES"),
        ("gipfbot.rules.rows", "from collections.abc import Iterator"),
        ("gipfbot.rules.powers.tamsk", "from ..geometry import LINES"),
        ("gipfbot.notation.notations", "from gipfbot.rules import Position"),
        ("gipfbot.match.clock", "from ..notation import notations"),
        ("gipfbot.search.packed", "from librt.vecs import vec"),
        ("gipfbot.store.queries", "import datetime, sqlalchemy.ext.asyncio"),
        ("gipfbot.store.queries", "from gipfbot import match"),
        ("gipfbot.store.queries", "from gipfbot.values import Venue"),
        ("gipfbot.ui.play.desk", "from gipfbot.values.games import StoredGame"),
        ("gipfbot.ui.play.desk", "import asyncio, discord.ui, render.board, gipfbot.service"),
        ("render.board", "from PIL import Image"),
        ("render.file", "from zlib_ng import zlib_ng"),
        ("render.board", "from gipfbot.rules.geometry import SPOTS"),
        ("gipfbot.app", "import sqlalchemy, discord, gipfbot.ui, gipfbot.store"),
        ("gipfbot.rules.rows", "opened = reopen(1)"),
        ("gipfbot.store.files", "open('x')"),
    ],
)
def test_the_check_passes_what_a_room_may_see(module: str, line: str) -> None:
    assert faults(module, line) == []


@pytest.mark.parametrize(
    ("module", "line", "fault"),
    [
        ("gipfbot.rules.rows", "import gipfbot.notation", "imports gipfbot.notation"),
        ("gipfbot.rules.rows", "import gipfbot.rulesets", "imports gipfbot.rulesets"),
        ("gipfbot.rules.rows", "from gipfbot import notation", "imports gipfbot.notation"),
        ("gipfbot.rules.rows", "from .. import notation", "imports gipfbot.notation"),
        ("gipfbot.rules.rows", "from ..notation import notations", "imports gipfbot.notation.notations"),
        ("gipfbot.rules.rows", "import render", "imports render"),
        ("gipfbot.rules.rows", "import attrs", "imports attrs"),
        ("gipfbot.rules.rows", "import os.path", "imports os.path"),
        ("gipfbot.rules.rows", "from random import choice", "imports random.choice"),
        ("gipfbot.rules.rows", "open('perft')", "calls open"),
        ("gipfbot.notation.notations", "from ..match import seats", "imports gipfbot.match.seats"),
        ("gipfbot.notation.notations", "import pathlib", "imports pathlib"),
        ("gipfbot.match.clock", "from time import time", "imports time.time"),
        ("gipfbot.search.alpha_beta", "from time import time", "imports time.time"),
        ("gipfbot.search.alpha_beta", "from ..match import seats", "imports gipfbot.match.seats"),
        ("gipfbot.match.clock", "from datetime import datetime", "imports datetime.datetime"),
        ("gipfbot.match.clock", "import asyncio", "imports asyncio"),
        ("gipfbot.match.clock", "from ..store import queries", "imports gipfbot.store.queries"),
        ("gipfbot.store.queries", "import render.board", "imports render.board"),
        ("gipfbot.store.queries", "from ..ui import texts", "imports gipfbot.ui.texts"),
        ("gipfbot.store.queries", "import discord", "imports discord"),
        ("gipfbot.store.queries", "from PIL import Image", "imports PIL.Image"),
        ("gipfbot.ui.play.desk", "from sqlalchemy import select", "imports sqlalchemy.select"),
        ("gipfbot.ui.play.desk", "from gipfbot.store import games", "imports gipfbot.store.games"),
        ("gipfbot.values.games", "from gipfbot.store import games", "imports gipfbot.store.games"),
        ("gipfbot.values.games", "import time", "imports time"),
        ("gipfbot.ui.play.desk", "from ...app import run", "imports gipfbot.app.run"),
        ("render.board", "from gipfbot.notation import notations", "imports gipfbot.notation.notations"),
        ("render.board", "import discord", "imports discord"),
        ("gipfbot.settings", "from .store import queries", "imports gipfbot.store.queries"),
        ("gipfbot.cellar", "", "belongs to no room"),
    ],
)
def test_the_check_finds_what_a_room_may_not_see(module: str, line: str, fault: str) -> None:
    assert faults(module, line) == [f"{module} {fault}"]


def test_the_check_looks_into_functions_conditions_and_the_package_file() -> None:
    hidden = """
        from ..notation import notations
        if TYPE_CHECKING:
            import discord
        def f():
            import time
        """
    assert faults("gipfbot.rules", dedent(hidden), is_package=True) == [
        "gipfbot.rules imports gipfbot.notation.notations",
        "gipfbot.rules imports discord",
        "gipfbot.rules imports time",
    ]


Arrows: TypeAlias = dict[str, set[str]]


def file_arrows(sources: Mapping[str, str]) -> Arrows:
    """Return which of these modules each imports, even in a function or only for the type checker."""
    found: Arrows = {}
    for module, source in sources.items():
        package = module if is_package(module, sources) else module.rpartition(".")[0]
        names = imports(package, source)
        found[module] = {name if name in sources else name.rpartition(".")[0] for name in names} & sources.keys()
    return found


def room_of(module: str) -> str:
    """Return the room of a module, the inner room if it has one; a module beside the rooms is its own room."""
    floor = next((floor for floor in ORDER if within(module, floor)), None)
    if floor:
        inner = module.split(".")[2:3]
        return ".".join([floor, *inner])
    return next((room for room in (*ROOMS, *WIRING) if within(module, room)), module)


def room_arrows(arrows: Arrows) -> Arrows:
    found: Arrows = {}
    for module, seen in arrows.items():
        own = room_of(module)
        found.setdefault(own, set()).update({room_of(name) for name in seen} - {own})
    return found


def circle(arrows: Arrows) -> list[str]:
    """Return modules that import each other in a circle; empty if there is no circle."""
    try:
        TopologicalSorter(arrows).prepare()
    except CycleError as error:
        found: list[str] = error.args[1]
        return found
    return []


def upward(arrows: Arrows) -> list[str]:
    """Return the imports from an inner room to a later one, or to a module beside the rooms."""
    place = {f"{floor}.{room}": at for floor, rooms in ORDER.items() for at, room in enumerate(rooms)}
    return [
        f"{module} imports {name}"
        for module, seen in arrows.items()
        for name in sorted(seen)
        if room_of(module) in place
        and any(within(module, floor) and within(name, floor) for floor in ORDER)
        and place.get(room_of(name), len(place)) > place[room_of(module)]
    ]


@pytest.mark.parametrize("floor", ORDER)
def test_arrows_between_inner_rooms_run_one_way(floor: str) -> None:
    arrows = file_arrows(house())
    assert [arrow for arrow in upward(arrows) if within(arrow.partition(" ")[0], floor)] == []


@pytest.mark.parametrize("floor", ORDER)
def test_every_inner_room_has_its_place_in_the_order(floor: str) -> None:
    assert {path.parent.name for path in HOUSE.joinpath(*floor.split(".")).glob("*/__init__.py")} == {*ORDER[floor]}


def test_no_files_import_each_other_in_a_circle() -> None:
    assert circle(file_arrows(house())) == []


def test_no_rooms_import_each_other_in_a_circle() -> None:
    assert circle(room_arrows(file_arrows(house()))) == []


@pytest.mark.parametrize(
    ("later", "earlier"),
    [
        ("service.play.turn", "service.clock.reminders"),
        ("service.records.studies", "service.kit.loaded_games"),
        ("service.app", "service.records.studies"),
        ("ui.settings.user", "ui.desk.screens"),
        ("ui.commands", "ui.settings.user"),
    ],
)
def test_an_arrow_to_a_later_room_is_found(later: str, earlier: str) -> None:
    name, package = later.rpartition(".")[2], f"gipfbot.{later.rpartition('.')[0]}"
    sources = {f"gipfbot.{later}": "", f"gipfbot.{earlier}": f"def f():\n    from {package} import {name}"}
    assert upward(file_arrows(sources)) == [f"gipfbot.{earlier} imports gipfbot.{later}"]
    sources = {f"gipfbot.{later}": f"import gipfbot.{earlier}", f"gipfbot.{earlier}": ""}
    assert upward(file_arrows(sources)) == []


def test_a_circle_of_files_is_found_behind_type_checking() -> None:
    sources = {
        "render": "from .board import draw",
        "render.board": "from . import marks",
        "render.marks": "if TYPE_CHECKING:\n    from .ink import Ink",
        "render.ink": "from render.board import draw",
    }
    assert {*circle(file_arrows(sources))} == {"render.board", "render.marks", "render.ink"}
    sources["render.ink"] = "from gipfbot.rules import Position"
    assert circle(file_arrows(sources)) == []


def test_a_circle_of_rooms_is_found_without_one_of_files() -> None:
    sources = {
        "gipfbot.service.play.turn": "from gipfbot.service.clock import flags",
        "gipfbot.service.clock.flags": "",
        "gipfbot.service.clock.pause": "from gipfbot.service.play import boards",
        "gipfbot.service.play.boards": "",
    }
    assert circle(file_arrows(sources)) == []
    assert {*circle(room_arrows(file_arrows(sources)))} == {"gipfbot.service.play", "gipfbot.service.clock"}


# Paths of a machine and hosts of a registry, written so that this file holds none of them.
MACHINE = re.compile(r"/(work|farm|root)/|/tmp/[a-z]|python[h]osted|pypi[.]org|registry[.]npmjs|deb[.]debian")


def texts() -> Iterator[tuple[str, str]]:
    """Yield the path and the text of every text file that git has or would add."""
    listing = ("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard")
    for name in subprocess.run(listing, cwd=HOUSE, capture_output=True, check=True, text=True).stdout.split("\0"):
        path = HOUSE / name
        content = path.read_bytes() if path.is_file() else b"\0"
        if b"\0" not in content:
            yield name, content.decode("utf-8")


def test_no_file_knows_a_machine_or_a_registry() -> None:
    assert [f"{name}: {found[0]}" for name, text in texts() for found in MACHINE.finditer(text)] == []


@pytest.mark.parametrize("parts", [("/", "work/x"), ("/", "root/x"), ("/tmp", "/x"), ("https://pypi", ".org/simple")])
def test_a_machine_or_a_registry_would_be_found(parts: tuple[str, str]) -> None:
    assert MACHINE.search("".join(parts))


def test_the_root_holds_few_files() -> None:
    """What a stranger sees first. What else is for tools belongs into a folder."""
    listing = subprocess.run(("git", "ls-files"), cwd=HOUSE, capture_output=True, check=True, text=True).stdout
    assert len([name for name in listing.splitlines() if "/" not in name]) <= 17
