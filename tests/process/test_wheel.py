"""The wheel: what it holds, and what it does where pip has installed it."""

import os
import re
import shutil
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import pytest

from gipfbot.installation import VERSION
from tests.standin import StandIn
from tests.standin.interaction import eventually
from tests.support.checkout import tracked
from tests.support.paths import EXAMPLE, HOUSE
from tests.support.stores import use_copy

from .bot_games import begin_in_channel
from .running import OWED, Begun, Bot
from .table import Table

pytestmark = pytest.mark.xdist_group("wheel")
PINNED = {"PYTHONPATH": os.pathsep.join({sysconfig.get_path("purelib"), sysconfig.get_path("platlib")})}
# White has one piece left: after it, every turn wins, which the search sees at once.
NEARLY_OVER = "basic w W=b5,e2,h5 B=b2,e8,h2 reserve=1-12 captured=11-0"
TURNS = "SELECT how FROM turns WHERE game = (SELECT id FROM games WHERE level = 5) ORDER BY turn_number"


def run(*words: str | Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a program with this environment alone; return its exit code and what it says."""
    return subprocess.run(words, env=environment, capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a checkout of its own with the files as they are now."""
    folder = tmp_path_factory.mktemp("copy")
    for name in tracked():
        if not name.startswith("tests/data/"):
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(HOUSE / name, folder / name)
    git = "git", "-C", folder, "-c", "user.name=Ann", "-c", "user.email=ann@example.com"
    for words in (("init", "--quiet"), ("add", "."), ("commit", "--quiet", "--message", "Begin")):
        subprocess.run([*git, *words], check=True)
    return folder


@pytest.fixture(scope="module")
def wheel(copy: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the wheel as `pip install .` does, with the pinned setuptools."""
    folder = tmp_path_factory.mktemp("wheel")
    alone = "--no-build-isolation", "--no-deps", "--no-index"
    pip = sys.executable, "-m", "pip", "wheel", "--quiet", *alone, "--wheel-dir", folder, copy
    subprocess.run(pip, check=True)
    (built,) = folder.iterdir()
    return built


@pytest.fixture(scope="module")
def programs(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder with the programs of a venv that has the wheel and nothing else."""
    folder = tmp_path_factory.mktemp("venv")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder], check=True)
    pip = sys.executable, "-m", "pip", "--python", folder / "bin" / "python", "install", "--quiet"
    subprocess.run([*pip, "--no-deps", "--no-index", "--no-compile", wheel], check=True)
    return folder / "bin"


def test_wheel_holds_both_packages_and_nothing_of_the_tests(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        held = {name for name in archive.namelist() if ".dist-info/" not in name}
    assert held == {name for name in tracked() if name.startswith(("gipfbot/", "render/"))}
    assert {"gipfbot/py.typed", "render/py.typed", "render/fonts/Inter-Medium.otf"} < held


def test_wheel_names_what_the_extras_need(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        (about,) = [name for name in archive.namelist() if name.endswith(".dist-info/METADATA")]
        needs = re.findall(r"^Requires-Dist: (.+)$", archive.read(about).decode(), re.MULTILINE)
    assert {need.rpartition("extra == ")[2].strip("\"'") for need in needs} == {
        "bot",
        "demo",
        "postgres",
        "tournaments",
    }


def test_tools_need_no_other_package(programs: Path, copy: Path, tmp_path: Path) -> None:
    """The revision is that of the checkout from which the wheel was built."""
    commit = subprocess.run(["git", "-C", copy, "rev-parse", "HEAD"], capture_output=True, text=True, check=True).stdout
    for start in ([programs / "gipfbot"], [programs / "python", "-P", "-m", "gipfbot"]):
        assert run(*start, "--version").stdout == f"gipfbot {VERSION} ({commit[:12]})\n"
        assert run(*start, "perft", "--depth", "2").stdout == "1 42 30 30\n2 1764 924 876\n"
    record = run(programs / "gipfbot", "replay", EXAMPLE)
    assert (record.returncode, len(record.stdout.splitlines())) == (0, 41)
    written = run(programs / "gipfbot", "convert", EXAMPLE, tmp_path / "game.gipf", "--notation", "julio974")
    assert (written.returncode, written.stderr) == (0, "")


def test_what_is_missing_is_named_with_its_extra(programs: Path) -> None:
    """Each of them names the library that it misses first."""
    for command, extra in (("run", "bot"), ("check", "bot"), ("demo", "demo")):
        missing = run(programs / "gipfbot", command)
        assert missing.returncode == 2
        assert re.fullmatch(rf"\w+ is not installed: `pip install 'gipfbot\[{extra}\]'` brings it\.\n", missing.stderr)
    for picture in ("--png", "--gif"):
        drawn = run(programs / "gipfbot", "replay", EXAMPLE, picture, "board")
        assert (drawn.returncode, drawn.stderr) == (
            2,
            "PIL is not installed: `pip install 'gipfbot[bot]'` brings it.\n",
        )
    bench = run(programs / "gipfbot", "bench")
    assert (bench.returncode, bench.stderr.partition(",")[0]) == (2, "This command needs a checkout")


def test_a_board_is_drawn_with_the_pinned_packages(programs: Path, tmp_path: Path) -> None:
    board = tmp_path / "board.png"
    drawn = run(programs / "gipfbot", "replay", EXAMPLE, "--png", board, **PINNED)
    assert (drawn.returncode, board.read_bytes()[:4]) == (0, b"\x89PNG")


def test_installed_demo_opens_its_page(programs: Path, tmp_path: Path) -> None:
    """As `uvx --from '.[demo]' gipfbot demo` does, it needs no checkout, and leaves nothing where it is started."""
    command = [str(programs / "gipfbot"), "demo", "--no-browser"]
    environment = {"PATH": os.environ["PATH"], **PINNED}
    with subprocess.Popen(command, cwd=tmp_path, env=environment, stdout=subprocess.PIPE, text=True) as demo:
        assert demo.stdout
        assert demo.stdout.readline().startswith("http://127.0.0.1:")
        demo.terminate()
    assert demo.returncode == 0
    assert list(tmp_path.iterdir()) == []


async def test_installed_bot_answers_at_level_5(
    begun: Begun, discord: StandIn, table: Table, programs: Path, tmp_path: Path
) -> None:
    """It reads `.env` in the current folder, and its engine starts in another one."""
    use_copy(begun.database, tmp_path / "gipf.sqlite3")
    bot = Bot(tmp_path, discord)
    bot.command = [str(programs / "gipfbot")]
    (tmp_path / ".env").write_text("".join(f"{name}={value}\n" for name, value in bot.settings.items()))
    bot.settings = PINNED
    await bot.start()
    await begin_in_channel(discord, table.ann, table.channel, "5")
    bot.change("UPDATE games SET position = ? WHERE level = 5", NEARLY_OVER)
    await (await discord.slash(table.ann, table.channel, "move", notation="b3", game="#b1")).answered()
    await eventually(lambda: bot.rows(TURNS) == ["typed", "house"], "the bot's turn")
    await discord.wait_for(lambda: bot.rows(OWED) == [0], what="the board")
    assert await bot.end() == 0
    assert (bot.complaints, "rules alone" in bot.log) == ([], False)
    assert f"version={VERSION} revision=" in bot.log
    assert not (HOUSE / "gipfbot.egg-info").exists()
