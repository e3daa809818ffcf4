"""The program: which commands there are, what it is called, and what it says of libraries that are missing."""

import importlib
import re
import subprocess
import sys
import tomllib

import pytest

from gipfbot import __main__ as program, installation
from tests.support.paths import HOUSE


@pytest.mark.parametrize(("command", "target"), [("demo", "make demo"), ("bench", "make setup")])
def test_libraries_of_the_tools_may_be_missing(
    command: str, target: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    of_command = (f"gipfbot.{command}", f"tests.{command}", "simcord")
    for module in [name for name in sys.modules if name.startswith(of_command)]:
        monkeypatch.delitem(sys.modules, module)
    monkeypatch.setitem(sys.modules, "simcord", None)
    assert program.main([command]) == 2
    assert capsys.readouterr().err == f"simcord is not installed: `{target}` brings it.\n"


@pytest.mark.parametrize(("name", "extra"), [("run", "bot"), ("doctor", "bot"), ("demo", "demo")])
def test_a_missing_library_is_named_with_the_extra_that_brings_it(
    name: str, extra: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(installation, "IN_CHECKOUT", False)
    monkeypatch.delitem(sys.modules, program.COMMANDS[name].function.partition(":")[0], raising=False)
    monkeypatch.setitem(sys.modules, "discord", None)
    assert program.main([name]) == 2
    assert capsys.readouterr().err == f"discord is not installed: `pip install 'gipfbot[{extra}]'` brings it.\n"


@pytest.mark.parametrize("name", ["run", "demo", "backup"])
def test_windows_gets_a_sentence(name: str) -> None:
    """Its Python lacks what locks the files of the games."""
    code = "import sys; sys.modules['fcntl'] = None; from gipfbot.__main__ import main; sys.exit(main(sys.argv[1:]))"
    done = subprocess.run([sys.executable, "-c", code, name], cwd=HOUSE, capture_output=True, text=True, check=False)
    said = "The bot runs on Linux and macOS. On Windows, run it in its container, or in WSL: see docs/hosting.md.\n"
    assert (done.returncode, done.stdout, done.stderr) == (2, "", said)


def test_a_missing_part_of_the_program_is_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    """No package brings it."""
    monkeypatch.setitem(sys.modules, "gipfbot.doctor", None)
    with pytest.raises(ModuleNotFoundError):
        program.main(["doctor"])


def test_each_extra_is_brought_by_a_target_that_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    project = tomllib.loads((HOUSE / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    makefile = (HOUSE / "Makefile").read_text(encoding="utf-8")
    extras = {*project["optional-dependencies"], "dev"}
    assert {command.extra for command in program.COMMANDS.values()} <= {*extras, ""}
    for extra in extras:
        make, target, *_ = installation.install_command(extra).split()
        assert make == "make"
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), target
    monkeypatch.setattr(installation, "IN_CHECKOUT", False)
    assert installation.install_command("postgres") == "pip install 'gipfbot[postgres]'"


def test_the_bench_needs_a_checkout(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.delitem(sys.modules, "tests.bench", raising=False)
    for missing in ("tests", "tests.bench"):  # another program may bring a package of this name
        monkeypatch.setitem(sys.modules, missing, None)
        assert program.main(["bench"]) == 2
        assert capsys.readouterr().err.startswith("This command needs a checkout")


@pytest.mark.parametrize("command", program.COMMANDS)
def test_each_command_has_its_function(command: str) -> None:
    module, _, function = program.COMMANDS[command].function.partition(":")
    assert callable(getattr(importlib.import_module(module), function))


@pytest.mark.parametrize(
    ("started", "name"),
    [
        ("bot.py", "python bot.py"),
        ("/opt/gipfbot/bot.py", "python bot.py"),
        ("/venv/lib/site-packages/gipfbot/__main__.py", "python -m gipfbot"),
        ("/venv/bin/gipfbot", "gipfbot"),
        ("/venv/lib/site-packages/pytest/__main__.py", "gipfbot"),
    ],
)
def test_usage_says_how_the_program_was_started(
    started: str, name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", [started])
    assert program.main(["chess"]) == 2
    assert program.main(["--help"]) == 0
    usages = [line for line in capsys.readouterr().out.splitlines() if line.startswith("usage")]
    assert usages == [f"usage: {name} [--version | COMMAND] …"] * 2
    with pytest.raises(SystemExit):
        program.main(["perft", "--help"])
    assert capsys.readouterr().out.startswith(f"usage: {name} perft [-h]")


def test_version_is_said_with_the_revision(capsys: pytest.CaptureFixture[str]) -> None:
    assert program.main(["--version"]) == 0
    assert capsys.readouterr().out == f"gipfbot {installation.VERSION} ({installation.revision()})\n"
