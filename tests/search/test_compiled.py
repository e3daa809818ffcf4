"""The compiled search and rules give the same answers as the interpreted ones."""

import ast
import json
import os
import re
import shutil
import subprocess
import sys
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import Any

import pytest

from gipfbot.compiled import FROM_SOURCE, LEFT_OUT, ROOMS
from tests.support.dockerfile import read_dockerfile, values
from tests.support.effort import LONG
from tests.support.paths import HOUSE
from tests.support.times import HANGS

NEEDED = (
    "gipfbot/__init__.py",
    "gipfbot/characters.py",
    "gipfbot/compiled.py",
    "gipfbot/engines",
    "gipfbot/rules",
    "gipfbot/notation",
    "gipfbot/search",
    "tests/search/answers.py",
)
# What stands beside, and must not be in the way.
BESIDE = ("pyproject.toml", "gipfbot/installation.py", "render/__init__.py", "data/.gitkeep")
# The C compiler does nothing to make the code fast: that costs more than it saves here, and changes no answer.
QUICK_BUILD = {"MYPYC_OPT_LEVEL": "0", "MYPYC_DEBUG_LEVEL": "0"}
COMPILER = shutil.which("cc") or shutil.which("gcc")
compiler_needed = pytest.mark.skipif(not COMPILER and not os.environ.get("CI"), reason="there is no C compiler")


def copied(to: Path) -> Path:
    """Copy what the search needs, without anything compiled."""
    for name in (*NEEDED, *BESIDE):
        source, target = HOUSE / name, to / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            shutil.copytree(source, target, ignore=shutil.ignore_patterns("*.so", "*.sha256", "__pycache__"))
        else:
            shutil.copy(source, target)
    return to


def run(house: Path, *command: str, **more: str) -> str:
    """Run a command in a copy, with `more` in its environment; fail with its output if it fails."""
    env = os.environ | QUICK_BUILD | more
    done = subprocess.run(command, cwd=house, env=env, capture_output=True, text=True, timeout=20 * HANGS, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def answered(house: Path) -> dict[str, Any]:
    amount = () if LONG else ("few",)
    found: dict[str, Any] = json.loads(run(house, sys.executable, "-m", "tests.search.answers", *amount))
    assert {Path(file).parents[2] for file in found["files"]} == {house}
    return found


@pytest.fixture(scope="module")
def image(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Repeat the image's steps in folders: compile where the compiler is, and copy that beside the source elsewhere."""
    building, carried = copied(tmp_path_factory.mktemp("building")), tmp_path_factory.mktemp("compiled") / "files"
    *_, compiled, final = read_dockerfile()
    step = values(compiled, "RUN")[-1].replace("/compiler/bin/python", sys.executable)
    run(building, "sh", "-c", step.replace(" /compiled", f" {carried}"))
    assert "--from=compiled /compiled ." in values(final, "COPY")
    house = copied(tmp_path_factory.mktemp("final"))
    shutil.copytree(carried, house, dirs_exist_ok=True)
    return house


@compiler_needed
def test_compiled_rooms_answer_like_the_interpreted_ones(image: Path, tmp_path: Path) -> None:
    interpreted, faster = answered(copied(tmp_path)), answered(image)
    assert {Path(file).suffix for file in interpreted["files"]} == {".py"}
    assert {Path(file).suffix for file in faster["files"]} == {".so"}
    assert interpreted["games"] == faster["games"]
    assert interpreted["answers"] == faster["answers"]
    assert len(interpreted["answers"]) > 10


@compiler_needed
def test_image_plays_a_turn_with_all_that_is_compiled(image: Path, tmp_path: Path) -> None:
    """It has no other packages than those that are pinned for the running bot."""
    for name in re.findall(
        r"^([a-z0-9-]+)(?:\[.*\])?==", (HOUSE / "requirements.txt").read_text(encoding="utf-8"), re.MULTILINE
    ):
        with suppress(PackageNotFoundError):  # those of other systems
            package = distribution(name)
            for top in {file.parts[0] for file in package.files or ()} - {".."}:
                link = tmp_path / top
                if not link.exists():
                    link.symlink_to(Path(str(package.locate_file(top))))
    assert not (tmp_path / "mypy").exists()
    assert loaded(image, f"{tmp_path}", "-S") == ({"rules": ".so", "search": ".so"}, [])


PLAYED = """
import copy
import json
import pickle
from pathlib import Path
from gipfbot import compiled, rules, search
from gipfbot.engines.worker import ANALYSIS_LEVEL, PROOF_NODES, PROOF_TURNS
from gipfbot.rules import STANDARD, engine, start
from gipfbot.search import Request, alpha_beta, best_turn
position = start(STANDARD)
assert copy.deepcopy(position) == pickle.loads(pickle.dumps(position)) == position
assert best_turn(Request(position, nodes=50)).turns
found = {"rules": Path(engine.__file__).suffix, "search": Path(alpha_beta.__file__).suffix}
assert found == {room.__name__[8:]: ".so" if room.__compiled__ else ".py" for room in (rules, search)}
assert ANALYSIS_LEVEL[:2] == (100_000 if search.__compiled__ else 30_000, 3_000)
assert (PROOF_NODES, PROOF_TURNS) == ((100_000, 4) if search.__compiled__ else (10_000, 3))
print(json.dumps([found, compiled.faults]))
"""
OTHER = {"rules": "search", "search": "rules"}


def loaded(house: Path, path: str = "", *options: str, **more: str) -> tuple[dict[str, str], list[str]]:
    """Play a turn in a copy; return what kind of file each room is, and why a compiled one is not used."""
    suffixes, faults = json.loads(run(house, sys.executable, *options, "-c", PLAYED, PYTHONPATH=path, **more))
    return suffixes, faults


def assert_absent(room: str, fault: str, house: Path, path: str = "") -> None:
    """Check that this room runs from its source, with this fault, and the other one compiled."""
    suffixes, faults = loaded(house, path)
    assert suffixes == {room: ".py", OTHER[room]: ".so"}
    assert len(faults) == 1
    assert faults[0].startswith(f"gipfbot.{room} is not used as it is compiled")
    assert fault in faults[0]


@compiler_needed
@pytest.mark.parametrize(("room", "module"), [("search", "proof.py"), ("rules", "rows.py")])
def test_room_compiled_from_another_source_counts_as_absent(
    image: Path, tmp_path: Path, room: str, module: str
) -> None:
    house = shutil.copytree(image, tmp_path / "house")
    source = house / "gipfbot" / room / module
    source.write_text(source.read_text(encoding="utf-8") + "\n", encoding="utf-8")
    assert_absent(room, "it was compiled from another source", house)


@compiler_needed
@pytest.mark.parametrize("room", OTHER)
def test_room_compiled_for_another_python_counts_as_absent(image: Path, tmp_path: Path, room: str) -> None:
    house = shutil.copytree(image, tmp_path / "house")
    for file in (house / "gipfbot" / room).glob("*.so"):
        file.rename(file.with_name(file.name.replace("cpython-3", "cpython-9")))
    assert_absent(room, "it was compiled for another Python", house)


@compiler_needed
def test_compiled_search_without_librt_counts_as_absent(image: Path, tmp_path: Path) -> None:
    """The rules need no librt."""
    (tmp_path / "librt").mkdir()
    (tmp_path / "librt" / "__init__.py").touch()
    assert_absent("search", "No module named", image, f"{tmp_path}")


@compiler_needed
def test_compiled_room_without_its_library_counts_as_absent(image: Path, tmp_path: Path) -> None:
    for number in range(2):
        house = shutil.copytree(image, tmp_path / f"{number}")
        sorted(house.glob("*__mypyc.*.so"))[number].unlink()
        suffixes, _ = loaded(house)
        assert_absent(next(room for room in OTHER if suffixes[room] == ".py"), "No module named", house)


@compiler_needed
def test_what_looks_at_the_source_gets_nothing_compiled(image: Path) -> None:
    """Such as coverage and mutation, which ask for it in the Makefile."""
    assert loaded(image, **{FROM_SOURCE: "yes"}) == (dict.fromkeys(OTHER, ".py"), [])
    lines = (HOUSE / "Makefile").read_text(encoding="utf-8").splitlines()
    looking = [line.strip() for line in lines if " --cov " in line or line.endswith("tests.mutate $(ARGS)")]
    assert len(looking) == 2
    assert all(line.startswith(f"{FROM_SOURCE}=yes ") for line in looking)


def test_rooms_that_are_not_compiled_say_nothing(tmp_path: Path) -> None:
    assert loaded(copied(tmp_path)) == (dict.fromkeys(OTHER, ".py"), [])


def test_no_compiled_class_keeps_its_properties() -> None:
    """Compiled, `cached_property` is a plain property: one that takes long is worked out anew at each use.

    An Enum's class is not compiled: its properties are kept. Leave a file with such a property out, as others are.
    """
    files = [path for room in ROOMS for path in sorted((HOUSE / room).glob("*.py")) if path.name not in LEFT_OUT]
    assert files
    assert not [f"{path.name}: {fault}" for path in files for fault in kept_properties(path.read_text("utf-8"))]


def kept_properties(source: str) -> list[str]:
    classes = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.ClassDef)]
    compiled = [node for node in classes if not any("Enum" in ast.unparse(base) for base in node.bases)]
    functions = [(node.name, part) for node in compiled for part in node.body if isinstance(part, ast.FunctionDef)]
    return [
        f"{name}.{part.name}"
        for name, part in functions
        if any("cached_property" in ast.unparse(decorator) for decorator in part.decorator_list)
    ]


def test_kept_property_is_seen() -> None:
    kept = "class A({}):\n    @functools.cached_property\n    def b(self): ..."
    assert kept_properties(kept.format("")) == ["A.b"]
    assert kept_properties(kept.format("Enum")) == []
