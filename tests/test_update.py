"""How long `make update` waits for a healthy service, on a clock of its own; and what is said to other hosts."""

import shutil
import subprocess
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from gipfbot import __main__ as bot, update
from gipfbot.installation import VERSION, newest_published
from gipfbot.store.schema import known_revisions
from gipfbot.update import Checkout, Look, Services, Update
from tests.support.checkout import begin_repository, git, tracked
from tests.support.migrations import MIGRATION
from tests.support.paths import HOUSE

OPENS, WAITS = Look("active", "running", "opening the database"), Look("active", "running", "waiting for Discord")
CONNECTS = Look("active", "running", "connecting to Discord (tables=0.3_0004, shards=1)")
HEALTHY = Look("active", "running", "healthy (tables=0.3_0004, shards=1)")
TRIES_AGAIN = Look("activating", "auto-restart", "waiting for Discord: 503 (tables=0.3_0004)")
NAME = "gipfbot@0.service"
FILES = {"Makefile", "bot.py", *(f"gipfbot/{name}.py" for name in ("__init__", "installation", "update", "watchdog"))}


class Pretended(Services):
    """A service that does one thing after another, a second each, and the last for ever."""

    def __init__(self, *course: Look) -> None:
        self.seconds, self.said = 0.0, list[str]()
        super().__init__(Checkout(Path()), self.said.append, self._pass)
        self._course = self._endless(course)

    def _endless(self, course: Iterable[Look]) -> Iterator[Look]:
        look = HEALTHY
        for look in course:
            yield look
        while True:
            yield look

    def _pass(self, seconds: float) -> None:
        self.seconds += seconds
        assert self.seconds < 10_000, "it waits for ever"

    def look(self, unit: str) -> Look:
        return next(self._course)


@pytest.fixture(autouse=True)
def no_systemctl(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Let a `systemctl` be found that does nothing."""
    (tmp_path / "systemctl").write_text("#!/bin/sh\n")
    (tmp_path / "systemctl").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")


@pytest.mark.parametrize("shards", [1, 16])
def test_a_version_has_a_minute_and_ten_seconds_a_shard(shards: int) -> None:
    slow = CONNECTS._replace(status=f"connecting to Discord (tables=0.3_0004, shards={shards})")
    patience = 60 + 10 * shards
    service = Pretended(*[slow] * (patience - 1), HEALTHY)
    assert service.start(NAME) == ""
    service = Pretended(*[slow] * patience, HEALTHY)
    assert service.start(NAME) == f"{NAME} was not healthy after {patience} s: {slow.status}"
    assert service.seconds == patience


@pytest.mark.parametrize("pause", [OPENS, WAITS, TRIES_AGAIN], ids=lambda look: look.status)
def test_new_tables_and_an_outage_of_discord_do_not_count(pause: Look) -> None:
    """The time before and after them does."""
    service = Pretended(*[CONNECTS] * 30, *[pause] * 5_000, *[CONNECTS] * 39, HEALTHY)
    assert service.start(NAME) == ""
    service = Pretended(*[CONNECTS] * 30, *[pause] * 5_000, *[CONNECTS] * 40, HEALTHY)
    assert service.start(NAME).startswith(f"{NAME} was not healthy after 70 s: ")


def test_a_start_that_fails_while_it_opens_the_database_counts() -> None:
    """As one that has no memory for it, and is started again and again."""
    service = Pretended(OPENS._replace(active="activating", sub="auto-restart"))
    assert service.start(NAME) == f"{NAME} was not healthy after 70 s: opening the database"


def test_who_says_nothing_is_looked_at() -> None:
    silent = Look("activating", "start", "")
    right = f"look at `journalctl -u {NAME}`"
    assert Pretended(silent).start(NAME) == f"{NAME} was not healthy after 70 s: {right}"
    assert Pretended(silent._replace(active="failed")).start(NAME) == f"{NAME} has ended: {right}"


@pytest.mark.parametrize("state", ["failed", "inactive"])
def test_a_service_that_has_ended_is_not_waited_for(state: str) -> None:
    service = Pretended(CONNECTS, CONNECTS._replace(active=state, status="GIPFBOT_TOKEN is wrong. (tables=0.3_0004)"))
    assert service.start(NAME) == f"{NAME} has ended: GIPFBOT_TOKEN is wrong. (tables=0.3_0004)"
    assert (service.seconds, service.tables) == (1, "0.3_0004")


def test_each_state_is_told_once() -> None:
    service = Pretended(Look("activating", "start", ""), *[OPENS] * 9, *[CONNECTS] * 9, HEALTHY)
    assert service.start(NAME) == ""
    assert service.said == [f"{NAME}: {look.status}" for look in (OPENS, CONNECTS, HEALTHY)]


def test_several_services_start_one_after_the_other(monkeypatch: pytest.MonkeyPatch) -> None:
    """So that somebody always plays. The next is not touched before the one before is healthy."""
    done = list[str]()

    def start(unit: str) -> str:
        done.append(f"start {unit}")
        return "sick" if "1" in unit else ""

    run = Update(HOUSE, done.append)
    monkeypatch.setattr(run.services, "stop", lambda *units: done.append(f"stop {units[0]}"))
    monkeypatch.setattr(run.services, "start", start)
    monkeypatch.setattr(run.checkout, "take", lambda commit: done.append(f"take {commit}"))
    assert run._start("new", ["a@0", "a@1", "a@2"]) == "sick"
    assert done == ["stop a@0", "take new", "start a@0", "stop a@1", "take new", "start a@1"]


def test_the_newest_version_is_that_with_the_highest_numbers() -> None:
    refs = (
        "a refs/tags/v0.9.0\nb refs/tags/v0.10.0\nb refs/tags/v0.10.0^{}\nc refs/heads/v9.9.9\nd refs/tags/v1.0.0-rc1\n"
    )
    assert newest_published(refs) == "0.10.0"
    assert newest_published("refs/tags/latest") == ""


@pytest.fixture
def house(tmp_path: Path) -> Path:
    """Return a checkout of its own with the files that an update reads."""
    folder = tmp_path / "house"
    for name in tracked():
        if name in FILES or name.startswith(update.MIGRATIONS):
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(HOUSE / name, folder / name)
    begin_repository(folder)
    return folder


def test_the_tables_of_a_commit_are_those_of_its_newest_migration(house: Path) -> None:
    here = Checkout(house)
    assert here.tables("HEAD") == known_revisions()[0]
    assert here.version() == VERSION
    assert here.runs_on("HEAD", known_revisions()[0])
    assert here.runs_on("HEAD", f"{VERSION}_9999")
    assert not here.runs_on("HEAD", "98.0_0001")
    assert not here.runs_on("HEAD", "?")
    words = {"next": "0.10_0099", "newest": known_revisions()[0], "statements": ()}
    (house / update.MIGRATIONS / "later.py").write_text(MIGRATION.format(**words).replace("'", '"'))
    git(house, "add", ".")
    git(house, "commit", "--quiet", "--message", "Add tables")
    assert here.tables("HEAD") == "0.10_0099"


def test_commits_of_one_version_are_told_apart(house: Path) -> None:
    """By their revisions, unless a version was published as just this commit."""
    here, short = Checkout(house), git(house, "rev-parse", "--short", "HEAD")
    assert here.name() == here.name(short) == f"{VERSION} ({short})"
    git(house, "tag", "v98.0.0")
    assert here.name() == f"{VERSION} ({short})"
    git(house, "tag", f"v{VERSION}")
    assert here.name() == VERSION


@pytest.mark.parametrize(
    ("is_checkout", "in_container", "first"),
    [(True, True, "A checkout"), (False, True, "A container"), (False, False, "Installed by pip")],
)
def test_each_way_of_hosting_is_told(
    is_checkout: bool,
    in_container: bool,
    first: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """That of this copy comes first."""
    monkeypatch.setattr(update, "IN_CHECKOUT", is_checkout)
    monkeypatch.setattr(Path, "exists", lambda path: in_container)
    assert bot.main(["update"]) == 0
    ways = [line for line in capsys.readouterr().out.splitlines() if not line.startswith((" ", "An older version"))]
    assert ways[0].startswith(first)
    assert len(ways) == 3
    assert bot.main(["update", "now"]) == 2
    assert capsys.readouterr().err == "usage: gipfbot update\n"


def test_make_hands_the_wishes_on() -> None:
    said = subprocess.run(
        ["make", "--no-print-directory", "--dry-run", "update", "TO=v0.2.0", "LOSE_TURNS=yes"],
        cwd=HOUSE,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert said.splitlines()[-1].endswith('-m gipfbot.update --to "v0.2.0" --lose-turns')
    said = subprocess.run(
        ["make", "--no-print-directory", "--dry-run", "update", "LOSE_TURNS=no"],
        cwd=HOUSE,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert said.splitlines()[-1].rstrip().endswith("-m gipfbot.update")


def test_a_changed_checkout_is_refused_by_make(house: Path) -> None:
    """The exit code of make says so, and nothing is fetched: there is nowhere to fetch from."""
    (house / "bot.py").write_text("")
    made = subprocess.run(["make", "update"], cwd=house, capture_output=True, text=True, check=False)
    assert made.returncode == 2
    assert made.stderr.startswith("These files were changed here, so nothing is updated: ")
    assert "M bot.py\nNothing was changed.\n" in made.stderr
