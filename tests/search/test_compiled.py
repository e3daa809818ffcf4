"""The compiled search gives the same answers as the interpreted one."""

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
    assert Path(found["file"]).is_relative_to(house)
    return found


@pytest.fixture(scope="module")
def image(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Repeat the image's steps in folders: compile where the compiler is, and copy that beside the source elsewhere."""
    building, carried = copied(tmp_path_factory.mktemp("search")), tmp_path_factory.mktemp("compiled") / "files"
    *_, search, final = read_dockerfile()
    step = values(search, "RUN")[-1].replace("/compiler/bin/python", sys.executable)
    step = step.replace("/compiler/bin/mypyc", f"{sys.executable} -m mypyc")
    run(building, "sh", "-c", step.replace(" /compiled", f" {carried}"))
    assert "--from=search /compiled ." in values(final, "COPY")
    house = copied(tmp_path_factory.mktemp("final"))
    shutil.copytree(carried, house, dirs_exist_ok=True)
    return house


@compiler_needed
def test_compiled_search_answers_like_the_interpreted_one(image: Path, tmp_path: Path) -> None:
    interpreted, faster = answered(copied(tmp_path)), answered(image)
    assert interpreted["file"].endswith(".py")
    assert faster["file"].endswith(".so")
    assert interpreted["answers"] == faster["answers"]
    assert len(interpreted["answers"]) > 10


@compiler_needed
def test_image_plays_a_turn_with_the_compiled_search(image: Path, tmp_path: Path) -> None:
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
    assert loaded(image, f"{tmp_path}", "-S") == (".so", [])


PLAYED = """
import json
from gipfbot import compiled
from gipfbot.engines.worker import ANALYSIS_LEVEL, PROOF_NODES, PROOF_TURNS
from gipfbot.rules import STANDARD, start
from gipfbot.search import IS_COMPILED, Request, alpha_beta, best_turn
assert best_turn(Request(start(STANDARD), nodes=50)).turns
assert IS_COMPILED == (not compiled.faults and alpha_beta.__file__.endswith(".so"))
assert ANALYSIS_LEVEL == (100_000 if IS_COMPILED else 30_000, 3_000, 0)
assert (PROOF_NODES, PROOF_TURNS) == ((100_000, 4) if IS_COMPILED else (10_000, 3))
print(json.dumps([alpha_beta.__file__, compiled.faults]))
"""


def loaded(house: Path, path: str = "", *options: str) -> tuple[str, list[str]]:
    """Play a turn in a copy; return what kind of file the search is, and why the compiled one is not used."""
    file, faults = json.loads(run(house, sys.executable, *options, "-c", PLAYED, PYTHONPATH=path))
    return Path(file).suffix, faults


@compiler_needed
def test_search_compiled_from_another_source_counts_as_absent(image: Path, tmp_path: Path) -> None:
    house = shutil.copytree(image, tmp_path / "house")
    source = house / "gipfbot" / "search" / "proof.py"
    source.write_text(source.read_text(encoding="utf-8") + "\n", encoding="utf-8")
    suffix, faults = loaded(house)
    assert suffix == ".py"
    assert len(faults) == 1
    assert faults[0].endswith("it was compiled from another source")


@compiler_needed
def test_search_compiled_for_another_python_counts_as_absent(image: Path, tmp_path: Path) -> None:
    house = shutil.copytree(image, tmp_path / "house")
    for file in (house / "gipfbot" / "search").glob("*.so"):
        file.rename(file.with_name(file.name.replace("cpython-3", "cpython-9")))
    suffix, faults = loaded(house)
    assert suffix == ".py"
    assert len(faults) == 1
    assert faults[0].endswith("it was compiled for another Python")


@compiler_needed
@pytest.mark.parametrize("missing", ["librt", "the library of all modules"])
def test_compiled_search_that_lacks_a_file_counts_as_absent(image: Path, tmp_path: Path, missing: str) -> None:
    house, empty = shutil.copytree(image, tmp_path / "house"), tmp_path / "packages"
    if missing == "librt":
        (empty / "librt").mkdir(parents=True)
        (empty / "librt" / "__init__.py").touch()
    else:
        next(house.glob("*__mypyc.*.so")).unlink()
    suffix, faults = loaded(house, f"{empty}")
    assert suffix == ".py"
    assert len(faults) == 1
    assert "No module named" in faults[0]


def test_search_that_is_not_compiled_says_nothing(tmp_path: Path) -> None:
    assert loaded(copied(tmp_path)) == (".py", [])
