"""`make install` compiles the search and the rules. What fails or is killed changes nothing. A stand-in compiles."""

import os
import re
import shutil
import signal
import subprocess
import time
from pathlib import Path

import pytest

from tests.support.paths import HOUSE

SCRIPT = "requirements/compile.sh"
SLOW = "The search and the rules are not compiled, so the bot's turns take about sixty times as long: "
ABOUT = "Compiling the search and the rules, which takes about a minute …\n"
# Stands for the bot's Python and for that of the compiler. Each call is a line of the file `calls`, and fails if the
# file `fails` names it. Whether what is compiled can be used says a note.
PYTHON = """#!/bin/sh
case "$2" in
    *__compiled__*) call=usable ;;
    *Python.h*) call=compiler ;;
    *) call=$2 ;;
esac
echo "$call" >> "$HOUSE/calls"
[ "$(cat "$HOUSE/fails")" = "$call" ] && { echo "some note"; echo "error: $call failed"; exit 1; }
case "$call" in
    usable) [ -e gipfbot/rules/compiled.sha256 ] ;;
    venv) mkdir -p "$3/bin" && cp "$0" "$3/bin/python" ;;
    gipfbot.compiled) [ ! -e "$HOUSE/hangs" ] || { touch "$HOUSE/hanging"; sleep 3600; }
        touch ab__mypyc.abi3.so ef__mypyc.abi3.so gipfbot/search/tree.so gipfbot/rules/rows.so
        for room in rules search; do echo new > gipfbot/$room/compiled.sha256; done ;;
esac
"""
CALLS = ["usable", "compiler", "venv", "pip", "gipfbot.compiled", "usable"]
SOURCE = {"gipfbot/rules/rows.py", "gipfbot/search/tree.py"}


@pytest.fixture
def house(tmp_path: Path) -> Path:
    """Return a checkout with a venv, in which another source was compiled."""
    package, binaries = tmp_path / "gipfbot", tmp_path / ".venv-run" / "bin"
    for folder in (package / "rules", package / "search", binaries, tmp_path / "requirements"):
        folder.mkdir(parents=True)
    shutil.copy(HOUSE / SCRIPT, tmp_path / SCRIPT)
    for name in (*SOURCE, "gipfbot/search/tree.old.so", "gipfbot/search/compiled.sha256", "cd__mypyc.abi3.so", "fails"):
        (tmp_path / name).touch()
    (binaries / "python").write_text(PYTHON)
    (binaries / "python").chmod(0o755)
    return tmp_path


COMMAND = ["sh", SCRIPT, ".venv-run/bin/python"]


def environment(house: Path) -> dict[str, str]:
    return {"PATH": os.environ["PATH"], "HOUSE": str(house)}


def run(house: Path) -> str:
    """Run the script, and return what it says."""
    done = subprocess.run(COMMAND, cwd=house, env=environment(house), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stderr + done.stdout


def files(house: Path) -> set[str]:
    """Return all files but the stand-in and its notes."""
    own = {"calls", "fails", "hangs", "hanging", ".venv-run/bin/python", SCRIPT}
    return {str(path.relative_to(house)) for path in house.rglob("*") if path.is_file()} - own


def calls(house: Path) -> list[str]:
    return (house / "calls").read_text().split()


def test_what_is_compiled_takes_the_place_of_the_old_and_nothing_else_is_left(house: Path) -> None:
    assert run(house) == ABOUT
    notes = {"gipfbot/rules/compiled.sha256", "gipfbot/search/compiled.sha256"}
    modules = {"gipfbot/rules/rows.so", "gipfbot/search/tree.so"}
    assert files(house) == {*SOURCE, *notes, *modules, "ab__mypyc.abi3.so", "ef__mypyc.abi3.so"}
    assert calls(house) == CALLS
    assert run(house) == ""
    assert calls(house) == [*CALLS, "usable"]


@pytest.mark.parametrize("call", CALLS[2:-1])
def test_a_step_that_fails_changes_nothing_and_is_one_line(call: str, house: Path) -> None:
    before = files(house)
    (house / "fails").write_text(call)
    assert run(house) == f"{ABOUT}{SLOW}error: {call} failed (make install tries again).\n"
    assert files(house) == before


def test_without_a_compiler_nothing_is_fetched(house: Path) -> None:
    before = files(house)
    (house / "fails").write_text("compiler")
    said = run(house)
    assert said.startswith(
        f"some note\nerror: compiler failed\n{SLOW}there is no C compiler here. Install one (Debian: "
    )
    assert calls(house) == CALLS[:2]
    assert files(house) == before


def test_what_was_compiled_and_does_not_load_is_not_taken(house: Path) -> None:
    """As if a package is too old."""
    before = files(house)
    python = house / ".venv-run" / "bin" / "python"
    python.write_text(PYTHON.replace("usable) [ -e gipfbot/rules/compiled.sha256 ]", "usable) exit 1"))
    assert run(house).startswith(f"{ABOUT}{SLOW}")
    assert files(house) == before


@pytest.mark.parametrize("end", [signal.SIGTERM, signal.SIGKILL])
def test_a_run_that_is_killed_changes_nothing(end: signal.Signals, house: Path) -> None:
    """What a SIGKILL leaves behind, the next run deletes."""
    before = files(house)
    (house / "hangs").touch()
    with subprocess.Popen(COMMAND, cwd=house, env=environment(house), start_new_session=True) as process:
        while not (house / "hanging").exists():
            time.sleep(0.01)
        os.killpg(process.pid, end)
    assert {path for path in files(house) if "/compile." not in path} == before
    (house / "hangs").unlink()
    assert run(house) == ABOUT
    assert not [path for path in files(house) if "/compile." in path]


def test_make_install_and_make_run_call_it_and_the_demo_does_not() -> None:
    """A start of the bot tries it once for the same source, and `make install` each time."""
    text = (HOUSE / "Makefile").read_text(encoding="utf-8")
    assert re.search(r"^COMPILE_ROOMS = sh requirements/compile.sh .venv-run/bin/python$", text, re.MULTILINE)
    rules = {line.split(":")[0]: line for line in re.findall(r"^[.a-z][^=\n]*:(?!=).*(?:\n\t.*)*", text, re.MULTILINE)}
    calling = {name for name, rule in rules.items() if "$(COMPILE_ROOMS)" in rule}
    assert calling == {"install", ".venv-run/compiled.tried"}
    assert rules["run"].startswith("run: .venv-run/compiled.tried ")
    assert "compile" not in rules["demo"]
    assert rules["compile"].endswith("-m gipfbot.compiled"), "as the script does it"
