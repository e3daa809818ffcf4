"""The compiled search gives the same answers as the interpreted one."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.support.effort import LONG
from tests.support.paths import HOUSE
from tests.support.times import HANGS

NEEDED = (
    "gipfbot/__init__.py",
    "gipfbot/characters.py",
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
            shutil.copytree(source, target, ignore=shutil.ignore_patterns("*.so", "__pycache__"))
        else:
            shutil.copy(source, target)
    return to


def run(house: Path, *command: str) -> str:
    """Run a command in a copy; fail with its output if it fails."""
    env = os.environ | QUICK_BUILD
    done = subprocess.run(command, cwd=house, env=env, capture_output=True, text=True, timeout=20 * HANGS, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def answered(house: Path) -> dict[str, Any]:
    amount = () if LONG else ("few",)
    found: dict[str, Any] = json.loads(run(house, sys.executable, "-m", "tests.search.answers", *amount))
    assert Path(found["file"]).is_relative_to(house)
    return found


@compiler_needed
def test_compiled_search_answers_like_the_interpreted_one(tmp_path: Path) -> None:
    plain, compiled = copied(tmp_path / "plain"), copied(tmp_path / "compiled")
    modules = [f"gipfbot/search/{path.name}" for path in (compiled / "gipfbot/search").glob("[a-z]*.py")]
    run(compiled, sys.executable, "-m", "mypyc", "--config-file=", "--strict", *modules)
    interpreted, faster = answered(plain), answered(compiled)
    assert interpreted["file"].endswith(".py")
    assert faster["file"].endswith(".so")
    assert interpreted["answers"] == faster["answers"]
    assert len(interpreted["answers"]) > 10


def test_no_compiled_file_is_older_than_its_source() -> None:
    """After a change to the search, `make compile` or `make clean-compiled` is due: Python takes the compiled file."""
    folder = HOUSE / "gipfbot" / "search"
    sources = [path.stat().st_mtime for path in folder.glob("*.py")]
    assert [path.name for path in folder.glob("*.so") if path.stat().st_mtime < max(sources)] == []
