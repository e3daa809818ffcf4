"""The survivors that no test need kill, each with its reason: `accepted.toml`."""

import tomllib
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import NamedTuple

from .changes import Change

LIST = Path(__file__).with_name("accepted.toml")


class Reason(NamedTuple):
    """Why some changes of the same lines may survive."""

    module: str
    within: str
    was: str
    now: tuple[str, ...]
    reason: str

    def fits(self, change: Change) -> bool:
        """Return whether it speaks of this change."""
        return (self.module, self.within, self.was) == change[:3] and change.now in self.now


class BrokenList(Exception):
    """The list cannot be read."""


def read_reasons(text: str) -> list[Reason]:
    """Return the reasons of the list. Raises BrokenList with a sentence."""
    try:
        return [_read_reason(entry) for entry in tomllib.loads(text).get("accepted", [])]
    except tomllib.TOMLDecodeError as error:
        raise BrokenList(f"The list of accepted survivors is no TOML: {error}") from None


def _read_reason(entry: dict[str, object]) -> Reason:
    now = entry.get("now")
    fields = [entry.get(name) for name in ("module", "within", "was", "reason")]
    nows = [now] if isinstance(now, str) else now
    if entry.keys() != set(Reason._fields) or not isinstance(nows, list) or not all_texts([*fields, *nows]):
        raise BrokenList(f"An entry needs module, within, was, now and reason, and no more: {entry}")
    module, within, was, reason = (unindented(str(field)) for field in fields)
    if not reason:
        raise BrokenList(f"An entry has no reason: {entry}")
    return Reason(module, within, was, tuple(unindented(text) for text in nows), reason)


def all_texts(found: Iterable[object]) -> bool:
    """Return whether all of it are texts."""
    return all(isinstance(text, str) for text in found)


def unindented(text: str) -> str:
    """Return the lines without indents and without empty ones around them."""
    return "\n".join(line.strip() for line in text.strip().splitlines())


def reason_for(change: Change, reasons: Iterable[Reason]) -> str | None:
    """Return why the change may survive. None if nobody said."""
    return next((reason.reason for reason in reasons if reason.fits(change)), None)


def outdated(reasons: Iterable[Reason], source: Callable[[str], str]) -> list[Reason]:
    """Return the reasons whose lines the module has no more. `source` returns the text of a module."""
    return [reason for reason in reasons if not has_lines(source(reason.module), reason.was)]


def has_lines(source: str, lines: str) -> bool:
    return set(lines.splitlines()) <= {line.strip() for line in source.splitlines()}
