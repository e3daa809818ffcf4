"""The files of this checkout, for tests that make one of their own."""

import subprocess
from pathlib import Path

from .paths import HOUSE

LISTING = ("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard")


def tracked() -> list[str]:
    """Return the files that git has or would add."""
    listing = subprocess.run(LISTING, cwd=HOUSE, capture_output=True, text=True, check=True).stdout.split("\0")
    return [name for name in listing if (HOUSE / name).is_file()]


def git(folder: Path, *words: str) -> str:
    """Run git in a checkout, as somebody who may commit. Return what it says."""
    command = ["git", "-C", str(folder), "-c", "user.name=Ann", "-c", "user.email=ann@example.com", *words]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


def begin_repository(folder: Path) -> None:
    """Make a repository of a folder, with all that git would add."""
    for words in (("init", "--quiet"), ("add", "."), ("commit", "--quiet", "--message", "Begin")):
        git(folder, *words)
