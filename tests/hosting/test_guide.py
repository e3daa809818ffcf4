"""A host who does what the guide says, line by line, gets a bot that runs, and all that belongs to it.

The commands are those of the document. They run on files of a folder, with `stand_ins` in place of the programs that a
test cannot have.
"""

import asyncio
import os
import re
import shutil
import sqlite3
import subprocess
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from tests.store.helpers import fill_with_a_game
from tests.support import postgres
from tests.support.checkout import tracked
from tests.support.paths import HOUSE
from tests.support.postgres import Server
from tests.support.stores import database_url

from . import stand_ins

GUIDE = (HOUSE / "docs" / "hosting.md").read_text(encoding="utf-8")
MOST_TO_INSTALL, MOST_LATER = 8, 3
TOKEN = "GIPFBOT_TOKEN=abc\nGIPFBOT_API_URL=http://127.0.0.1:9/api\nGIPFBOT_BACKUPS={backups}\n"
# The sections of each way: how to install, what follows day by day, and what follows on PostgreSQL.
SERVICE = "From nothing to running", "Day by day", "Service on PostgreSQL, with two processes"
COMPOSE = "From nothing to running, by compose", "Day by day, by compose", "Compose on PostgreSQL, with two processes"
UV = "The same by uv"
PIP = "From nothing to running, by pip", "Day by day, by pip", "Pip on PostgreSQL, with two processes"
# What stands at these paths of a machine is in the test's folder.
PLACES = "/opt/gipfbot", "/etc/", "/var/lib/", "/usr/local/bin"
INSTALLED = "Makefile", "docs/hosting/gipfbot*"


def section(heading: str) -> str:
    """Return what stands under a heading of the guide."""
    found = re.search(rf"^#+ {re.escape(heading)}\n(.*?)(?=^#|\Z)", GUIDE, re.MULTILINE | re.DOTALL)
    assert found, heading
    return found[1]


def blocks(text: str) -> list[str]:
    """Return the commands of each block."""
    return re.findall(r"^```\n(.*?)^```", text, re.MULTILINE | re.DOTALL)


def what_for(verb: str, *headings: str) -> str:
    """Return the block for what is named in bold, from the first of these sections that has one."""
    for heading in headings:
        text = section(heading)
        if found := re.search(rf"\*\*{verb}\b(?:(?!\*\*[A-Z]|\n#).)*?^```\n(.*?)^```", text, re.MULTILINE | re.DOTALL):
            return found[1]
    raise AssertionError(f"no commands for {verb} in {headings}")


@pytest.mark.parametrize("way", [SERVICE, COMPOSE, PIP], ids=["service", "compose", "pip"])
def test_the_paths_are_short(way: tuple[str, str, str]) -> None:
    """At most eight commands lead from nothing to running, and at most three to anything later."""
    plain, daily, on_server = map(section, way)
    (install,), later = blocks(plain), blocks(daily)
    other, *more = blocks(on_server)
    assert max(len(block.splitlines()) for block in (install, other)) <= MOST_TO_INSTALL
    assert max(len(block.splitlines()) for block in (*later, *more)) <= MOST_LATER
    for verb in ("Back up", "Restore", "Update", "Go back"):
        assert what_for(verb, way[1])
        assert what_for(verb, way[2], way[1])


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    """Return a server of a machine's own."""
    server = Server()
    yield server
    server.remove()


class Machine:
    """A machine without anything, and a repository that has the project."""

    def __init__(self, root: Path, server: Server | None) -> None:
        self.root, self.server = root, server
        self.origin = root / "origin"
        for folder in ("bin", "edits", "etc/systemd/system", "opt", "usr/local/bin", "var/lib", "home"):
            (root / folder).mkdir(parents=True)
        list(stand_ins.install(root / "bin"))
        self._fill_origin()
        path = f"{root / 'bin'}:{root / 'usr/local/bin'}:{postgres.binaries()}:{os.environ['PATH']}"
        self.environment = {"PATH": path, "MACHINE": str(root), "CHECKOUT": str(HOUSE), "HOME": str(root)}
        self.environment |= {"GIT_CONFIG_GLOBAL": os.devnull, "PYTHON": str(root / "bin" / "python3")}
        self.environment["CC"] = "none"  # `test_compile_script` is about the compiled search, which takes a minute
        if server:
            self.environment |= {"PGHOST": str(server.folder), "PGUSER": postgres.SUPERUSER}

    def _fill_origin(self) -> None:
        """Make the repository: a tag, and a later commit."""
        for name in tracked():
            if not name.startswith("tests/"):
                (self.origin / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(HOUSE / name, self.origin / name)
        for pattern in INSTALLED:
            for file in self.origin.glob(pattern):
                file.write_text(self.placed(file.read_text(encoding="utf-8")), encoding="utf-8")
        self._git("init", "--quiet", "--initial-branch=main")
        self._git("add", ".")
        self._git("commit", "--quiet", "--message=Begin")
        self._git("tag", "v0.2.0")

    def _git(self, *words: str) -> None:
        who = "-c", "user.name=Ann", "-c", "user.email=ann@example.com"
        subprocess.run(["git", "-C", self.origin, *who, *words], check=True)

    def publish(self, file: str) -> None:
        """Make a later version, with one more file."""
        (self.origin / file).touch()
        self._git("add", ".")
        self._git("commit", "--quiet", "--message=Go on")

    def placed(self, text: str) -> str:
        """Return commands or a file with the paths of this machine."""
        return re.sub("|".join(rf"(?<![\w-]){place}" for place in PLACES), lambda found: f"{self.root}{found[0]}", text)

    def prepare(self, file: str, text: str) -> None:
        """Say what the host writes into a file when they edit it."""
        url = f"postgresql://gipf@/gipf?host={self.server.folder}" if self.server else ""
        (self.root / "edits" / file).write_text(text.replace("<URL>", url), encoding="utf-8")

    def run(self, commands: str, folder: Path | None = None) -> str:
        """Run the commands of a block, one after the other, in the host's shell. Return what they print.

        The doctor finds no Discord here.
        """
        newest = sorted(path.name for path in self.root.rglob("gipf-2*") if not path.name.endswith(".part"))
        text = re.sub(r"gipf-20261128-041500\.\w+", newest[-1] if newest else "none", commands)
        text = re.sub(r" doctor$", " doctor || test $? = 1", text, flags=re.MULTILINE)
        text = self.placed(text.replace("ADDRESS", str(self.origin)))
        shell, where = ["bash", "-euo", "pipefail", "-c", text], folder or self.root / "home"
        done = subprocess.run(shell, cwd=where, env=self.environment, capture_output=True, text=True, check=False)
        assert done.returncode == 0, f"{text}\n{done.stdout}\n{done.stderr}"
        return done.stdout + done.stderr

    def calls(self, beginning: str) -> list[str]:
        """Return the calls of the stand-ins that begin so."""
        log = (self.root / "machine.log").read_text(encoding="utf-8").splitlines()
        return [line for line in log if line.startswith(beginning)]

    def running(self) -> list[str]:
        """Return which services or containers run."""
        return sorted(path.name for path in (self.root / "running").iterdir())

    def url(self, file: Path) -> str:
        """Return the URL of the games, which are in a file if there is no server."""
        return self.server.url("gipf") if self.server else database_url(file)

    def games(self, file: Path) -> int:
        """Return how many games there are."""
        if self.server:
            return int(self.server.execute("SELECT count(*) FROM games", database="gipf")[0][0])
        with closing(sqlite3.connect(file)) as db:
            return int(db.execute("SELECT count(*) FROM games").fetchone()[0])


@pytest.fixture(params=["sqlite", "postgres"])
def machine(request: pytest.FixtureRequest, tmp_path: Path) -> Machine:
    """Return a machine for the games in a file, and one for those on a server."""
    server: Server | None = request.getfixturevalue("server") if request.param == "postgres" else None
    if server:
        server.execute("DROP DATABASE IF EXISTS gipf WITH (FORCE)")
    return Machine(tmp_path, server)


def live(
    machine: Machine, file: Path, way: tuple[str, str, str], folder: Path | None = None, between: str = ""
) -> None:
    """Play, back up, lose something, restore, update and go back. `between` stops or starts the bot."""
    headings = (way[2], way[1]) if machine.server else (way[1],)
    asyncio.run(fill_with_a_game(machine.url(file)))
    backup = what_for("Back up", *headings).replace("15 4 * * * ", "")
    machine.run(backup, folder)
    asyncio.run(fill_with_a_game(machine.url(file)))
    assert machine.games(file) == 2
    said = machine.run(what_for("Restore", *headings), folder)
    assert machine.games(file) == 1
    assert "1 game with 4 turns" in said
    machine.publish("newer")
    machine.run(what_for("Update", *headings), folder)


def test_a_service_is_installed_kept_and_updated(machine: Machine) -> None:
    plain, daily, on_server = SERVICE
    names = ["gipfbot@0", "gipfbot@1"] if machine.server else ["gipfbot"]
    backups, database = machine.root / "var/lib/gipfbot/backups", machine.root / "var/lib/gipfbot/gipf.sqlite3"
    machine.prepare(
        "gipfbot.env", TOKEN.format(backups=backups) + ("GIPFBOT_DATABASE_URL=<URL>\n" if machine.server else "")
    )
    machine.prepare("gipfbot-0.env", "GIPFBOT_SHARDS=0-3/8\n")
    machine.prepare("gipfbot-1.env", "GIPFBOT_SHARDS=4-7/8\n")
    install, *looks = blocks(section(on_server if machine.server else plain))
    said = machine.run(install)
    assert machine.running() == names
    assert "ok    database: " in said
    assert "FAIL  settings" not in said
    settings, checkout = machine.root / "etc/gipfbot.env", machine.root / "opt/gipfbot"
    assert settings.stat().st_mode & 0o777 == 0o600
    kept = settings.read_text(encoding="utf-8")
    live(machine, database, SERVICE)
    assert (checkout / "newer").exists()
    assert machine.running() == names
    machine.run(what_for("Go back", on_server if machine.server else daily))
    assert not (checkout / "newer").exists()
    if machine.server:
        looks_and_restarts = [line.split()[1:] for line in machine.calls("systemctl ") if "@" in line][-3:]
        show = ["show", "--property=StatusText", "gipfbot@0"]
        assert looks_and_restarts == [["restart", "gipfbot@0"], show, ["restart", "gipfbot@1"]]
    machine.publish("newest")
    machine.run(what_for("Update", on_server if machine.server else daily))
    assert (checkout / "newest").exists(), "who went back can be updated"
    assert settings.read_text(encoding="utf-8") == kept, "the host's settings stay"
    machine.run((looks or blocks(section(daily)))[0])
    assert machine.running() == []
    assert len(machine.calls("useradd")) == 1


def test_containers_are_started_kept_and_updated(machine: Machine) -> None:
    plain, daily, on_server = COMPOSE
    bots = ["gipfbot-0", "gipfbot-1"] if machine.server else ["gipfbot"]
    kind = "compose-postgres" if machine.server else "compose"
    machine.prepare(".env", f"GIPFBOT_TOKEN=abc\nCOMPOSE_FILE=docs/hosting/{kind}.yaml\nPOSTGRES_PASSWORD=hush\n")
    if machine.server:
        machine.server.execute("CREATE DATABASE gipf TEMPLATE template0")  # as the image of PostgreSQL does
    said = machine.run(blocks(section(on_server if machine.server else plain))[0])
    home, all_names = machine.root / "home" / "gipfbot", [*bots, "backup", *(["postgres"] if machine.server else [])]
    assert machine.running() == sorted(all_names)
    assert "ok    database: " in said
    assert (home / ".env").stat().st_mode & 0o777 == 0o600
    live(machine, machine.root / "volumes/gipf-data/gipf.sqlite3", COMPOSE, home)
    assert (home / "newer").exists()
    machine.run(what_for("Go back", daily), home)
    assert not (home / "newer").exists()
    machine.publish("newest")
    machine.run(what_for("Update", daily), home)
    assert (home / "newest").exists(), "who went back can be updated"
    assert machine.running() == sorted(all_names)
    machine.run(blocks(section(daily))[0], home)
    assert machine.running() == []


def test_the_installed_command_is_kept_and_updated(machine: Machine) -> None:
    plain, daily, on_server = PIP
    home = machine.root / "home" / "gipf"
    third = "GIPFBOT_DATABASE_URL=<URL>\n" if machine.server else ""
    machine.prepare(".env", TOKEN.format(backups="backups") + third)
    install, *processes = blocks(section(on_server if machine.server else plain))
    machine.run(install)
    extras = "bot,postgres" if machine.server else "bot"
    assert f"pip install gipfbot[{extras}] @ git+{machine.origin}" in machine.calls("pip install")
    assert (home / ".env").stat().st_mode & 0o777 == 0o600
    for line in processes[0].splitlines() if machine.server else ["bin/gipfbot"]:
        machine.run(line.replace("bin/gipfbot", f"{machine.root}/bin/open"), home)
    machine.environment["HOME"] = str(home.parent)
    live(machine, home / "data" / "gipf.sqlite3", PIP, home)
    machine.run(what_for("Go back", daily), home)
    assert machine.calls("pip install gipfbot[bot] @ ")[-1].endswith("@v0.2.0")


def test_the_command_by_uv_is_updated(tmp_path: Path) -> None:
    """All else is as by pip."""
    machine = Machine(tmp_path, None)
    home = machine.root / "home" / "gipf"
    machine.prepare(".env", TOKEN.format(backups="backups"))
    install, *later = blocks(section(UV))
    assert len(install.splitlines()) <= MOST_TO_INSTALL
    said = machine.run(install)
    assert "FAIL  settings" not in said
    assert "warn  database: there is none" in said
    assert (home / ".env").stat().st_mode & 0o777 == 0o600
    for block in later:
        machine.run(block, home)
    assert [line.split()[2] for line in machine.calls("uv ")] == ["install", "upgrade", "install"]
