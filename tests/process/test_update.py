"""`make update` of a checkout whose service plays: to a newer version, and back if that one is not healthy."""

import asyncio
import json
import os
import shutil
import subprocess
import sys
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest

from gipfbot import update
from gipfbot.installation import VERSION
from gipfbot.store.backup_folder import kept_backups
from gipfbot.store.schema import known_revisions
from gipfbot.update import Services, Stopped, Update
from tests.standin import StandIn
from tests.support import postgres, stores
from tests.support.checkout import begin_repository, git, tracked
from tests.support.migrations import MIGRATION, MORE
from tests.support.paths import HOUSE

from . import systemctl
from .running import Bot
from .table import Table

OLD, NEW, NEXT = f"v{VERSION}", "v98.0.0", "v98.1.0"
FRIENDLY = f"{VERSION.rpartition('.')[0]}_9999"  # the number of a migration on whose tables the old version may run
UNFRIENDLY = "98.0_0001"
UNIT = "gipfbot.service"
# `make install` without a network: the packages are those of the tests.
MAKE = """#!/bin/sh
test -e {folder}/offline && exit 1
mkdir -p .venv-run/bin
printf '#!/bin/sh\\ntest "$1" = -c || exec {python} "$@"\\n' > .venv-run/bin/python
chmod +x .venv-run/bin/python && touch .venv-run/.complete
echo "$@" >> {folder}/installed
"""
# Runs the command behind the options, with the settings of the service.
SYSTEMD_RUN = """#!/bin/sh
while case "$1" in --*) true;; *) false;; esac; do shift; done
shift 2
cd {folder} && exec env -i $(cat {folder}/settings) {house}/.venv-run/bin/python {house}/bot.py "$@"
"""
# Says that it is healthy and does nothing more, for tests in which the service is only left alone.
IDLE = """
import os, signal, socket
with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as told:
    for said in ("READY=1", "STATUS=healthy"):
        told.sendto(said.encode(), os.environ["NOTIFY_SOCKET"])
signal.pause()
"""
FAILS_AT_START = ("def run_bot(_: Sequence[str]) -> int:\n", "def run_bot(_: Sequence[str]) -> int:\n    return 2\n")
FAILS_ON_ITS_TABLES = (
    "    advice = await _ask_advice(",
    '    raise WrongShards("Nobody wants these tables.")\n    advice = await _ask_advice(',
)


@pytest.fixture(scope="module")
def published(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a repository with the files as they are now, tagged as this version."""
    folder = tmp_path_factory.mktemp("published")
    for name in tracked():
        if not name.startswith(("tests/", "docs/pictures/")):
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(HOUSE / name, folder / name)
    begin_repository(folder)
    git(folder, "tag", OLD)
    compiled = "-m", "compileall", "-q", "--invalidation-mode=checked-hash", "gipfbot", "render"
    subprocess.run((sys.executable, *compiled), cwd=folder, check=True)
    return folder


class Host:
    """A host with a checkout, and programs in place of systemd's and of make."""

    def __init__(self, folder: Path, published: Path, bot: Bot) -> None:
        self.folder, self.bot = folder, bot
        self.origin, self.house = folder / "origin", folder / "house"
        for source, target in ((published, self.origin), (self.origin, self.house)):
            subprocess.run(["git", "clone", "--quiet", source, target], check=True)
        for compiled in published.rglob("__pycache__"):
            shutil.copytree(compiled, self.house / compiled.relative_to(published))
        self.programs = folder / "programs"
        self.programs.mkdir()
        names = {"folder": folder, "house": self.house, "python": sys.executable}
        self.program("make", MAKE.format(**names))
        self.program("systemd-run", SYSTEMD_RUN.format(**names))
        self.program("systemctl", f'#!/bin/sh\nexec {sys.executable} {systemctl.__file__} {folder} "$@"\n')
        self.program("gipfbot", (self.house / "docs/hosting/gipfbot").read_text())
        self.program("id", "#!/bin/sh\necho 0\n")
        (folder / "backups").mkdir()
        subprocess.run([self.programs / "make", "install"], cwd=self.house, check=True)
        self.settings = {"PATH": os.environ["PATH"], **bot.settings, "GIPFBOT_BACKUPS": str(folder / "backups")}
        (folder / "settings").write_text("\n".join(f"{name}={value}" for name, value in self.settings.items()))
        self.said = list[str]()

    def program(self, name: str, script: str) -> None:
        """Put a program before the real one of this name."""
        (self.programs / name).write_text(script)
        (self.programs / name).chmod(0o755)

    def publish(self, tag: str, tables: str = "", change: tuple[str, str] = ("", "")) -> None:
        """Publish a version, perhaps with one more migration and a change of the program."""
        app, named = self.origin / "gipfbot/app.py", self.origin / update.VERSION_FILE
        text = app.read_text()
        assert change[0] in text
        app.write_text(text.replace(*change))
        named.write_text(named.read_text().replace(f'VERSION = "{VERSION}"', f'VERSION = "{tag[1:]}"'))
        if tables:
            words = {"next": tables, "newest": known_revisions()[0], "statements": MORE}
            migration = MIGRATION.format(**words).replace("'", '"', 4)
            (self.origin / update.MIGRATIONS / "next.py").write_text(migration)
        git(self.origin, "add", ".")
        git(self.origin, "commit", "--quiet", "--message", tag)
        git(self.origin, "tag", tag)

    async def serve(self, *words: str) -> None:
        """Start the bot of the checkout as a service, or Python with other words, and wait until it is healthy."""
        command = [str(self.house / ".venv-run/bin/python"), *(words or ["bot.py"])]
        known = {"command": command, "environment": self.settings, "WorkingDirectory": str(self.house)}
        (self.folder / "gipfbot.json").write_text(json.dumps(known))
        started = await asyncio.create_subprocess_exec(self.programs / "systemctl", "start", UNIT)
        assert await started.wait() == 0
        await self.bot.discord.wait_for(
            lambda: str(self.unit["StatusText"]).startswith("healthy"), what="a healthy service"
        )

    @property
    def unit(self) -> dict[str, object]:
        """What systemd knows about the service."""
        return systemctl.Unit(self.folder / "gipfbot.json").known

    @property
    def version(self) -> str:
        """The tag of the checkout."""
        return git(self.house, "describe", "--tags", "--always")

    def backups(self) -> list[str]:
        """Return the names of the backups."""
        return [each.path.name for each in kept_backups(self.folder / "backups")]

    def stop(self) -> None:
        """Stop what runs."""
        for file in self.folder.glob("gipfbot*.json"):
            if systemctl.Unit(file).known["ActiveState"] not in systemctl.FINAL:
                systemctl.Unit(file).stop()

    async def update(self, wanted: str = "", *, lose_turns: bool = False) -> str:
        """Update as `make update` does. Return all that is said, and why it stopped."""
        self.said.clear()
        try:
            await asyncio.to_thread(Update(self.house, self.said.append).run, wanted, lose_turns=lose_turns)
        except Stopped as error:
            self.said.append(f"{error.code}: {error}")
        return "\n".join(self.said)


@pytest.fixture
async def host(bot: Bot, published: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Host]:
    (tmp_path / "host").mkdir()
    host = Host(tmp_path / "host", published, bot)
    binaries = f"{postgres.binaries()}:" if stores.POSTGRES else ""
    monkeypatch.setenv("PATH", f"{host.programs}:{binaries}{os.environ['PATH']}")
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    yield host
    await asyncio.to_thread(host.stop)
    await bot.discord.gone()


async def test_a_service_is_updated_and_goes_back(host: Host, discord: StandIn, table: Table) -> None:
    """A backup is made first. Going back loses no turn, because the tables allow it."""
    host.publish(NEW, FRIENDLY)
    await host.serve()
    await table.play(3)
    said = await host.update()
    assert f"If {NEW[1:]} is not healthy in time, {VERSION} comes back. No turn is lost." in said
    assert f"{NEW[1:]} runs and is healthy." in said
    assert f"To go back: make update TO={OLD}" in said
    assert (host.version, len(host.backups()), (host.house / ".update").exists()) == (NEW, 1, False)
    assert host.bot.rows("SELECT version_num FROM alembic_version") == [FRIENDLY]
    await table.play(4)
    assert "nothing to update" in await host.update()
    said = await host.update(OLD)
    assert f"{VERSION} runs and is healthy." in said
    assert host.version == OLD
    await table.play(5)


async def test_a_version_that_fails_gives_way_to_the_one_before(host: Host, discord: StandIn, table: Table) -> None:
    """It has changed the tables, but those let the version before run on: nothing is restored."""
    host.publish(NEW, FRIENDLY, FAILS_ON_ITS_TABLES)
    await host.serve()
    await table.play(3)
    said = await host.update()
    assert f"{NEW[1:]} is not healthy. {UNIT} has ended: Nobody wants these tables. (tables={FRIENDLY})." in said
    assert f"\n{VERSION} runs again.\n1: The update to {NEW} failed." in said
    assert host.version == OLD
    assert host.bot.rows("SELECT version_num FROM alembic_version") == [FRIENDLY]
    await table.play(4)


async def test_turns_are_lost_only_if_the_host_says_so(host: Host, discord: StandIn, table: Table) -> None:
    """The version before cannot run on the new tables. That is said before the update begins, and nothing goes back."""
    host.publish(NEW, UNFRIENDLY, FAILS_ON_ITS_TABLES)
    await host.serve()
    await table.play(3)
    said = await host.update()
    assert f"{VERSION} cannot run on the tables of {NEW[1:]} ({UNFRIENDLY})." in said.partition("verified")[0]
    assert (
        f"1: {VERSION} cannot run on its tables, so {NEW[1:]} stays. To go back: `make update LOSE_TURNS=yes`" in said
    )
    assert (host.version, host.unit["ActiveState"], len(host.backups())) == (NEW, "failed", 1)
    (host.folder / "offline").touch()  # the packages of the version before were kept
    said = await host.update(lose_turns=True)
    assert host.version == OLD
    assert said.endswith(f"{VERSION} runs again.")
    assert len(host.backups()) == 1
    await table.play(4)


@pytest.mark.slow
async def test_turns_are_lost_at_once_if_the_host_has_said_so(host: Host, discord: StandIn, table: Table) -> None:
    host.publish(NEW, UNFRIENDLY, FAILS_ON_ITS_TABLES)
    await host.serve()
    await table.play(3)
    said = await host.update(lose_turns=True)
    assert f"{VERSION} comes back, by restoring the backup: what is played after it is lost" in said
    assert f"\n{VERSION} runs again.\n1: The update to {NEW} failed." in said
    await table.play(4)


@pytest.mark.slow
async def test_a_version_that_has_changed_no_tables_gives_way(host: Host, discord: StandIn, table: Table) -> None:
    """Even if the tables that it would have made allowed no way back."""
    host.publish(NEW, UNFRIENDLY, FAILS_AT_START)
    await host.serve()
    said = await host.update()
    assert f"\n{VERSION} runs again.\n1: The update to {NEW} failed." in said
    await table.play(3)


def changed(host: Host) -> None:
    (host.house / "bot.py").write_text("print('mine')\n")


def committed(host: Host) -> None:
    changed(host)
    git(host.house, "commit", "--quiet", "--all", "--message", "Mine")


def in_the_way(host: Host) -> None:
    (host.origin / "mine.txt").touch()
    host.publish(NEXT)
    (host.house / "mine.txt").write_text("mine")


def without_origin(host: Host) -> None:
    host.origin.rename(host.folder / "gone")


def without_room(host: Host) -> None:
    (host.folder / "backups").rmdir()


def without_packages(host: Host) -> None:
    shutil.rmtree(host.house / ".venv-run")


@pytest.mark.parametrize(
    ("spoil", "sentence"),
    [
        (changed, "2: These files were changed here, so nothing is updated: "),
        (committed, "2: This checkout has commits of its own (1), so nothing is updated: "),
        (in_the_way, "2: These files are in the way of the new version: move them. mine.txt"),
        (without_origin, "2: `git fetch --quiet --tags origin` has failed."),
        (without_room, "2: There is no new backup, so nothing is updated."),
        (without_packages, "2: There is no .venv-run, so no bot runs from here."),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
async def test_what_is_in_the_way_leaves_all_as_it_is(host: Host, spoil: Callable[[Host], None], sentence: str) -> None:
    """The service is not restarted, and no file is touched."""
    host.publish(NEW)
    await host.serve("-I", "-c", IDLE)
    spoil(host)
    commit, pid, status = (
        git(host.house, "rev-parse", "HEAD"),
        host.unit["MainPID"],
        git(host.house, "status", "--porcelain"),
    )
    said = await host.update()
    assert said.splitlines()[-1].startswith(sentence) or f"\n{sentence}" in f"\n{said}"
    assert (git(host.house, "rev-parse", "HEAD"), git(host.house, "status", "--porcelain")) == (commit, status)
    assert (host.unit["MainPID"], host.unit["ActiveState"]) == (pid, "active")
    assert not list((host.folder / "backups").glob("*.*"))
    assert (NEW in git(host.house, "tag").split()) == (
        spoil not in (changed, committed, without_origin, without_packages)
    )
    assert not (host.house / ".update").exists()


@pytest.mark.slow
async def test_packages_that_cannot_be_installed_touch_nothing(host: Host) -> None:
    """The version that runs goes on, with its packages."""
    host.publish(NEW)
    await host.serve()
    (host.folder / "offline").touch()
    pid = host.unit["MainPID"]
    said = await host.update()
    assert said.endswith("has failed. The version that runs was not touched.")
    assert (host.version, host.unit["MainPID"], host.unit["ActiveState"]) == (OLD, pid, "active")
    assert (host.house / ".venv-run/.complete").exists()
    (host.folder / "offline").unlink()
    assert f"{NEW[1:]} runs and is healthy." in await host.update()


async def test_an_update_that_was_cut_off_goes_on(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    """Here, once the new files are there and nothing runs. The backup is that from the begin."""
    host.publish(NEW)
    await host.serve()

    def cut_off(*_: object) -> str:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(Services, "start", cut_off)
        with pytest.raises(KeyboardInterrupt):
            Update(host.house, host.said.append).run()
    assert (host.version, host.unit["ActiveState"], len(host.backups())) == (NEW, "inactive", 1)
    said = await host.update()
    backup = host.folder / "backups" / host.backups()[0]
    assert said.startswith(f"The last update was not completed, and goes on. Its backup is {backup}.\nFrom ")
    assert "A backup is made first." not in said
    assert f"{NEW[1:]} runs and is healthy." in said
    assert len(host.backups()) == 1


async def test_an_update_that_went_back_has_ended(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    """Even if the version before was not healthy either. The next one makes a backup of its own."""
    host.publish(NEW)
    await host.serve()
    with monkeypatch.context() as patch:
        patch.setattr(Services, "start", lambda *_: "It is sick")
        said = await host.update()
    assert said.endswith(f"1: {VERSION} is there again, but not healthy either. It is sick.")
    assert (host.version, len(host.backups())) == (OLD, 1)
    said = await host.update(lose_turns=True)
    assert said.startswith(f"From {VERSION} to {NEW[1:]}. A backup is made first.")
    assert f"{NEW[1:]} runs and is healthy." in said
    assert len(host.backups()) == 2


async def test_without_a_service_the_host_starts_the_bot_anew(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody needs to be root."""
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    host.program("systemctl", "#!/bin/sh\nexit 1\n")
    for name in host.settings.keys() - {"PATH"}:
        monkeypatch.setenv(name, host.settings[name])
    host.publish(NEW)
    said = await host.update()
    assert f"so you start the bot anew yourself. {VERSION} can run on its tables, if you go back." in said
    assert said.endswith(f"{NEW[1:]} is there. If a bot runs from here, stop it, and start it again: make run")
    assert (host.version, len(host.backups())) == (NEW, 1)


async def test_a_service_is_updated_by_root(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    await host.serve("-I", "-c", IDLE)
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    assert await host.update() == f"2: {UNIT} can only be restarted by root: sudo make update"


async def test_a_version_that_is_not_there_is_named(host: Host) -> None:
    assert await host.update("v7.7.7") == "2: There is no version v7.7.7: `git tag` lists them, such as v0.2.0."
    git(host.house, "tag", "--delete", OLD)
    git(host.origin, "tag", "--delete", OLD)
    assert (await host.update()).startswith("2: No version was published yet where this checkout comes from")


async def test_an_older_version_must_run_on_the_tables(host: Host) -> None:
    host.publish(NEW, UNFRIENDLY)
    git(host.house, "fetch", "--quiet", "--tags")
    git(host.house, "checkout", "--quiet", NEW)
    said = await host.update(OLD)
    assert said.startswith(f"2: {VERSION} cannot run on the present tables ({UNFRIENDLY}): restore a backup")
    assert host.version == NEW
