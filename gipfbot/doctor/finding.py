"""What a check has found."""

from enum import StrEnum
from typing import NamedTuple

from gipfbot.logs.plain_lines import escape_signs
from gipfbot.values import Unusable


class Level(StrEnum):
    """How bad a finding is."""

    OK = "ok"
    WARN = "warn"
    FAIL = "FAIL"


class Finding(NamedTuple):
    """One line: how bad it is, what was checked, what was found, and what to do next."""

    level: Level
    what: str
    said: str
    next_step: str = ""

    def __str__(self) -> str:
        next_step = f" {self.next_step}." if self.next_step else ""
        return escape_signs(f"{self.level:4}  {self.what}: {self.said}.{next_step}")


def fine(what: str, said: str) -> Finding:
    """Return a finding that needs nothing."""
    return Finding(Level.OK, what, said)


def warning(what: str, said: str, next_step: str) -> Finding:
    """Return a finding with which the bot works, but not as well as it could."""
    return Finding(Level.WARN, what, said, next_step)


def failure(what: str, said: str, next_step: str) -> Finding:
    """Return a finding with which the bot does not work."""
    return Finding(Level.FAIL, what, said, next_step)


def failed_sentence(what: str, error: Unusable) -> Finding:
    """Return the failure that a sentence tells: what is wrong, a colon, and what to do next."""
    said, _, next_step = str(error).rstrip(".").rpartition(": ")
    return failure(what, said, next_step[0].upper() + next_step[1:])
