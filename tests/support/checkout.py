"""The files of this checkout, for tests that make one of their own."""

import subprocess

from .paths import HOUSE

LISTING = ("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard")


def tracked() -> list[str]:
    """Return the files that git has or would add."""
    listing = subprocess.run(LISTING, cwd=HOUSE, capture_output=True, text=True, check=True).stdout.split("\0")
    return [name for name in listing if (HOUSE / name).is_file()]
