"""`make release`, in a repository of its own: what must agree before a version gets its tag, and what is built."""

import shutil
import subprocess
import sys
from collections.abc import Callable
from datetime import date
from pathlib import Path
from zipfile import ZipFile

import pytest

from gipfbot.installation import VERSION
from tests import release
from tests.support.checkout import begin_repository, git, tracked
from tests.support.paths import HOUSE

DAY = date(2026, 12, 31)
TAG = f"v{VERSION}"


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
    begin_repository(folder)
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
    assert release.main([], house, DAY) == 0
    said, commit = capsys.readouterr().out, git(house, "rev-parse", "HEAD")
    assert said.startswith(f"{TAG} is tagged at {commit[:12]}. Publish it:\n  git push origin {TAG}\n")
    assert (git(house, "cat-file", "-t", TAG), git(house, "rev-parse", f"{TAG}^{{commit}}")) == ("tag", commit)
    assert git(house, "status", "--porcelain") == ""
    wheel, archive = house / f"dist/gipfbot-{VERSION}-py3-none-any.whl", house / f"dist/gipfbot-{VERSION}.tar.gz"
    assert {*(house / "dist").iterdir()} == {wheel, archive}
    with ZipFile(wheel) as packed:
        assert not [name for name in packed.namelist() if name.endswith(".so")]
        packed.extractall(tmp_path / "wheel")
    release.unpack(archive, tmp_path)
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


def tagged_at_origin(house: Path) -> None:
    """Somebody else has released it, and nobody has fetched that."""
    origin = house.with_name("origin.git")
    git(house, "clone", "--quiet", "--bare", str(house), str(origin))
    git(origin, "tag", "--annotate", TAG, "--message", "Theirs")
    git(house, "remote", "set-url", "origin", str(origin))


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
        (tagged_at_origin, f"The tag {TAG} is there already, at "),
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
    assert release.main(argv, house, DAY) == 1
    said = capsys.readouterr().err
    assert said.startswith(sentence)
    assert said.endswith("\nNothing was built or tagged.\n")
    assert said.count("\n") == 2
    assert git(house, "show-ref") == tags
    assert not (house / "dist").exists()


def test_a_release_needs_no_origin(house: Path) -> None:
    """Without the network it can be made, and `git push` still refuses a tag that is there."""
    git(house, "remote", "set-url", "origin", str(house / "nowhere"))
    assert release.main(["--check"], house, DAY) == 0


def test_what_was_tagged_is_built_for_others(house: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Also on a later day, and with the notes of this version alone."""
    write_heading(house, f"{VERSION} - 2026-01-01")
    with (house / "CHANGELOG.md").open("a", encoding="utf-8") as changes:
        changes.write("\n## 0.0.9 - 2025-01-01\n\nOlder.\n")
    git(house, "commit", "--quiet", "--all", "--message", "Write")
    git(house, "tag", TAG)
    assert release.main(["--build", "--tag", TAG], house) == 0
    names = f"gipfbot-{VERSION}-py3-none-any.whl", f"gipfbot-{VERSION}.tar.gz", "notes.md"
    assert capsys.readouterr().out.split() == [f"dist/{name}" for name in names]
    notes = (house / "dist" / "notes.md").read_text(encoding="utf-8")
    assert notes.startswith("A Discord bot to play GIPF by correspondence.\n")
    assert ("## 0.0.9" in notes, "Older." in notes) == (False, False)


def not_tagged(_: Path) -> None:
    """Leave it without a tag."""


def tagged_before(house: Path) -> None:
    git(house, "tag", TAG)
    git(house, "commit", "--quiet", "--allow-empty", "--message", "Go on")


def tagged_without_date(house: Path) -> None:
    without_date(house)
    git(house, "tag", TAG)


@pytest.mark.parametrize(
    ("change", "tag", "sentence"),
    [
        (
            tagged,
            "v9.9.9",
            f"The tag of this version is {TAG}, not v9.9.9: VERSION in gipfbot/installation.py says so.",
        ),
        (not_tagged, TAG, f"{TAG} is not at the commit that is checked out: check it out."),
        (tagged_before, TAG, f"{TAG} is not at the commit that is checked out: check it out."),
        (tagged_without_date, TAG, f"{NEWEST}{VERSION} - unreleased`: it must be `## {VERSION} - DAY`, with the day "),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_another_tag_is_not_published(
    change: Callable[[Path], None], tag: str, sentence: str, house: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    change(house)
    assert release.main(["--build", f"--tag={tag}"], house) == 1
    said = capsys.readouterr().err
    assert said.startswith(sentence)
    assert said.endswith("\nNothing was built or tagged.\n")
    assert not (house / "dist").exists()


def test_the_tests_run_between_the_check_and_the_release() -> None:
    said = subprocess.run(
        ["make", "--dry-run", "release"], cwd=HOUSE, capture_output=True, text=True, check=True
    ).stdout
    check, tests, last = (
        said.index(words) for words in ("tests.release --check", '-m "not slow"', "-m tests.release\n")
    )
    assert check < tests < last
