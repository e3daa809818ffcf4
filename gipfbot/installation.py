"""This copy of the program: its version and revision, how it was started, and how to install missing packages.

It is in a checkout, in an image that was built from one, or where pip has installed it. Only the standard library is
imported here, because the build of the wheel reads its version from this file.
"""

import os
import re
import sys
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from importlib.metadata import Distribution

VERSION = "0.2.0"  # the newest heading of CHANGELOG.md
HOMEPAGE = "https://www.gipf.com/gipf/"  # of the game, because the program has none of its own
USER_AGENT = f"DiscordBot ({HOMEPAGE}, {VERSION})"  # in the form that Discord asks of every request
UNKNOWN = "unknown"
SERVICE_COMMAND = "SERVICE_COMMAND"  # the variable in which the systemd unit names the command of its host
HOME = Path(__file__).parents[1]  # the folder that holds the packages gipfbot and render
IN_CHECKOUT = (HOME / "Makefile").exists()
_WRITTEN = Path(__file__).with_name("revision")  # written by the Dockerfile, and into the files of a release
_GIT = ("git", "-c", "safe.directory=*", "describe", "--always", "--dirty=.changed", "--abbrev=12", "--exclude=*")
_TAGS = re.compile(r"\brefs/tags/v([0-9]{1,4}\.[0-9]{1,4}\.[0-9]{1,4})(?![\w.+-])")
# The command that installs the packages of an extra in a checkout.
_TARGETS = {
    "bot": "make install",
    "tournaments": "make install",
    "demo": "make demo",
    "postgres": "make install POSTGRES=yes",
    "dev": "make setup",
}


def version_numbers(version: str) -> tuple[int, ...]:
    """Return the numbers of a version, such as (0, 2) for `0.2`; empty if it is none."""
    parts = version.split(".")
    return tuple(map(int, parts)) if all(part.isascii() and part.isdigit() for part in parts) else ()


def oldest_version_on(tables: str) -> tuple[int, ...]:
    """Return the oldest version of the bot that may run on tables whose newest migration has this number.

    It is what stands before the `_`, as in `0.2_0004`; empty if there is no such number.
    """
    oldest, _, number = tables.partition("_")
    return version_numbers(oldest) if number else ()


def newest_published(refs: str) -> str:
    """Return the newest version that has a tag in a list of git's references, such as `0.3.0`; empty if none has."""
    return max(_TAGS.findall(refs), key=version_numbers, default="")


def started_as() -> str:
    """Return how the host starts the program, such as `gipfbot` or `python bot.py`. A service names its own command."""
    if given := os.environ.get(SERVICE_COMMAND):
        return given
    started = Path(sys.argv[0])
    if started.name == "bot.py":
        return "python bot.py"
    return "python -m gipfbot" if started.parts[-2:] == ("gipfbot", "__main__.py") else "gipfbot"


def install_command(extra: str) -> str:
    """Return the command that installs the packages of an extra, or those of the group `dev`."""
    return _TARGETS[extra] if IN_CHECKOUT else f"pip install 'gipfbot[{extra}]'"


def installed_wheel() -> "Distribution | None":
    """Return pip's record of this copy; None if pip has not installed it."""
    from importlib.metadata import distributions  # slow, and an engine does not need it

    return next(iter(distributions(name="gipfbot", path=[str(HOME)])), None)


@cache
def revision() -> str:
    """Return the commit of this copy, with `.changed` if the checkout was changed since; `unknown` if nothing tells."""
    if (HOME / ".git").exists():
        return _git_revision()
    if _WRITTEN.exists():
        return _WRITTEN.read_text(encoding="utf-8").strip() or UNKNOWN
    wheel = installed_wheel()
    return (wheel.version.partition("+g")[2] if wheel else "") or UNKNOWN


def _git_revision() -> str:
    """Ask git for the revision, even if the checkout belongs to another user, as that of a service does."""
    import subprocess  # slow, and an engine does not need it

    try:
        done = subprocess.run(_GIT, cwd=HOME, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return UNKNOWN
    return done.stdout.strip() or UNKNOWN


def built_version() -> str:
    """Return the version of the wheel with its revision, such as `0.2.0+g1a2b3c4d5e6f`.

    That of a release is without it: its files name their revision themselves.
    """
    return VERSION if _WRITTEN.exists() or revision() == UNKNOWN else f"{VERSION}+g{revision()}"
