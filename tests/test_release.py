"""`make release`, in a repository of its own: what must agree before a version gets its tag, and what is built."""

import shutil
import subprocess
import sys
import tarfile
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from zipfile import ZipFile

import pytest

from gipfbot.installation import VERSION
from tests import release
from tests.support.checkout import tracked
from tests.support.paths import HOUSE

DAY = f"{datetime.now(UTC):%Y-%m-%d}"
TAG = f"v{VERSION}"


def git(folder: Path, *words: str) -> str:
    command = ["git", "-C", str(folder), "-c", "user.name=Ann", "-c", "user.email=ann@example.com", *words]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a checkout of its own with the files as they are now, on the day of the release."""
    folder = tmp_path_factory.mktemp("copy")
    for name in tracked():
        if name.startswith("tests/") and not name.startswith(release.DATABASES):
            continue
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(HOUSE / name, folder / name)
    write_heading(folder, f"{VERSION} - {DAY}")
    for words in (("init", "--quiet"), ("add", "."), ("commit", "--quiet", "--message", "Begin")):
        git(folder, *words)
    return folder


@pytest.fixture
def house(copy: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a clone of it, in which somebody may tag."""
    for name in ("AUTHOR", "COMMITTER"):
        monkeypatch.setenv(f"GIT_{name}_NAME", "Ann")
        monkeypatch.setenv(f"GIT_{name}_EMAIL", "ann@example.com")
    subprocess.run(["git", "clone", "--quiet", copy, tmp_path / "house"], check=True)
    return tmp_path / "house"


def write_heading(house: Path, heading: str) -> None:
    """Replace the newest heading of the changes."""
    file = house / "CHANGELOG.md"
    before, mark, after = file.read_text(encoding="utf-8").partition("\n## ")
    file.write_text(f"{before}{mark}{heading}\n{after.partition(chr(10))[2]}", encoding="utf-8")


def test_a_release_is_built_and_tagged(house: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert release.main([], house) == 0
    said, commit = capsys.readouterr().out, git(house, "rev-parse", "HEAD")
    assert said.startswith(f"{TAG} is tagged at {commit[:12]}. Publish it:\n  git push origin {TAG}\n")
    assert (git(house, "cat-file", "-t", TAG), git(house, "rev-parse", f"{TAG}^{{commit}}")) == ("tag", commit)
    assert git(house, "status", "--porcelain") == ""
    wheel, archive = house / f"dist/gipfbot-{VERSION}-py3-none-any.whl", house / f"dist/gipfbot-{VERSION}.tar.gz"
    assert {*(house / "dist").iterdir()} == {wheel, archive}
    with ZipFile(wheel) as packed:
        assert not [name for name in packed.namelist() if name.endswith(".so")]
        packed.extractall(tmp_path / "wheel")
    with tarfile.open(archive) as packed_files:
        packed_files.extractall(tmp_path, filter="data")
    source = tmp_path / f"gipfbot-{VERSION}"
    assert (source / "Makefile").exists()
    for place in (tmp_path / "wheel", source):
        asked = [sys.executable, "-m", "gipfbot", "--version"]
        done = subprocess.run(asked, cwd=place, env={}, capture_output=True, text=True, check=True)
        assert done.stdout == f"gipfbot {VERSION} ({commit[:12]})\n"


def uncommitted(house: Path) -> None:
    (house / "letter").touch()


def tagged(house: Path) -> None:
    git(house, "tag", TAG)


def without_date(house: Path) -> None:
    write_heading(house, f"{VERSION} - unreleased")
    git(house, "commit", "--quiet", "--all", "--message", "Wait")


def of_another_day(house: Path) -> None:
    write_heading(house, f"{VERSION} - 2026-01-01")
    git(house, "commit", "--quiet", "--all", "--message", "Wait")


def of_another_version(house: Path) -> None:
    write_heading(house, f"9.9.9 - {DAY}")
    git(house, "commit", "--quiet", "--all", "--message", "Hurry")


def without_database(house: Path) -> None:
    (house / release.DATABASES / "0.2_0002.sqlite3").unlink()
    git(house, "commit", "--quiet", "--all", "--message", "Tidy up")


def with_a_changed_migration(house: Path) -> None:
    git(house, "tag", "v0.0.9")
    first = house / release.MIGRATIONS / "0_2_0001_first_tables.py"
    first.write_text(first.read_text(encoding="utf-8") + "\n", encoding="utf-8")
    git(house, "commit", "--quiet", "--all", "--message", "Tidy up")


NEWEST = "The newest heading of CHANGELOG.md is `## "
WANTED = f"it must be `## {VERSION} - {DAY}`, with the day of the release.\n"


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (uncommitted, "Some files are not committed: commit them, or remove them."),
        (tagged, f"The tag {TAG} is there already, at "),
        (without_date, f"{NEWEST}{VERSION} - unreleased`: {WANTED}"),
        (of_another_day, f"{NEWEST}{VERSION} - 2026-01-01`: {WANTED}"),
        (of_another_version, f"{NEWEST}9.9.9 - {DAY}`: {WANTED}"),
        (without_database, "The migration 0.2_0002 has no database in tests/data/databases: "),
        (
            with_a_changed_migration,
            f"{release.MIGRATIONS}/0_2_0001_first_tables.py was released with v0.0.9 and has changed",
        ),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
@pytest.mark.parametrize("argv", [[], ["--check"]], ids=["release", "check"])
def test_what_does_not_agree_is_a_sentence(
    change: Callable[[Path], None], sentence: str, argv: list[str], house: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nothing is built or tagged."""
    change(house)
    tags = git(house, "show-ref")
    assert release.main(argv, house) == 1
    said = capsys.readouterr().err
    assert said.startswith(sentence)
    assert said.endswith("\nNothing was built or tagged.\n")
    assert said.count("\n") == 2
    assert git(house, "show-ref") == tags
    assert not (house / "dist").exists()


def test_the_tests_run_between_the_check_and_the_release() -> None:
    said = subprocess.run(
        ["make", "--dry-run", "release"], cwd=HOUSE, capture_output=True, text=True, check=True
    ).stdout
    check, tests, last = (
        said.index(words) for words in ("tests.release --check", '-m "not slow"', "-m tests.release\n")
    )
    assert check < tests < last
