"""Which version and revision this copy is, wherever it stands."""

import subprocess
from pathlib import Path

import pytest

from gipfbot import installation
from gipfbot.installation import UNKNOWN, VERSION


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return an empty folder that counts as the one with the packages."""
    monkeypatch.setattr(installation, "HOME", tmp_path)
    monkeypatch.setattr(installation, "_WRITTEN", tmp_path / "revision")
    monkeypatch.setattr(installation, "revision", installation.revision.__wrapped__)  # the plain one, without a memory
    return tmp_path


def git(folder: Path, *words: str) -> str:
    author = "-c", "user.name=Ann", "-c", "user.email=ann@example.com"
    done = subprocess.run(["git", *author, *words], cwd=folder, capture_output=True, text=True, check=True)
    return done.stdout.strip()


def test_a_checkout_asks_git(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also if the checkout belongs to root, and the bot runs as another user."""
    git(home, "init")
    assert installation.revision() == UNKNOWN  # there is no commit
    (home / "file").write_text("one")
    git(home, "add", "file")
    git(home, "commit", "--message", "Begin")
    monkeypatch.setenv("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1")
    commit = installation.revision()
    assert (len(commit), git(home, "-c", "safe.directory=*", "rev-parse", "HEAD").startswith(commit)) == (12, True)
    assert installation.built_version() == f"{VERSION}+g{commit}"
    (home / "file").write_text("two")
    assert installation.revision() == f"{commit}.changed"
    monkeypatch.setenv("PATH", "")
    assert installation.revision() == UNKNOWN


def test_an_image_says_what_was_written_into_it(home: Path) -> None:
    for written, said in (("1a2b3c\n", "1a2b3c"), ("\n", UNKNOWN)):
        (home / "revision").write_text(written)
        assert installation.revision() == said
        assert installation.built_version() == VERSION


@pytest.mark.parametrize(
    ("version", "revision"), [("0.1.0+g1a2b3c.changed", "1a2b3c.changed"), ("0.1.0", UNKNOWN), (None, UNKNOWN)]
)
def test_a_wheel_says_what_it_was_built_from(home: Path, version: str | None, revision: str) -> None:
    if version:
        about = home / "gipfbot-0.1.0.dist-info"
        about.mkdir()
        (about / "METADATA").write_text(f"Metadata-Version: 2.4\nName: gipfbot\nVersion: {version}\n")
    assert installation.revision() == revision
    assert installation.built_version() == (VERSION if revision == UNKNOWN else f"{VERSION}+g{revision}")


def test_a_service_names_the_command_of_its_host(monkeypatch: pytest.MonkeyPatch) -> None:
    """`python bot.py doctor` could not read its settings."""
    assert installation.started_as() == "gipfbot"
    monkeypatch.setenv(installation.SERVICE_COMMAND, "sudo gipfbot")
    assert installation.started_as() == "sudo gipfbot"
