"""The survivors that no test need kill, each with its reason: `accepted.toml`."""

import tomllib
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, NamedTuple

from .changes import Change

LIST = Path(__file__).with_name("accepted.toml")


class Reason(NamedTuple):
    """Why some changes may survive: these of some lines, all of some lines, or all within a class of names."""

    module: str
    within: str
    was: str | None
    now: tuple[str, ...] | None
    reason: str

    def fits(self, change: Change) -> bool:
        """Return whether it speaks of this change."""
        here = (self.module, self.within) == (change.module, change.within)
        return here and self.was in (None, change.was) and (self.now is None or change.now in self.now)


class BrokenList(Exception):
    """The list cannot be read."""


def read_reasons(text: str) -> list[Reason]:
    """Return the reasons of the list. Raises BrokenList with a sentence."""
    try:
        return [_read_reason(entry) for entry in tomllib.loads(text).get("accepted", [])]
    except tomllib.TOMLDecodeError as error:
        raise BrokenList(f"The list of accepted survivors is no TOML: {error}") from None


def _read_reason(entry: dict[str, Any]) -> Reason:
    now = entry.get("now")
    nows = [now] if isinstance(now, str) else now
    if {"module", "within", "reason"} - entry.keys() or entry.keys() - {*Reason._fields} or not all_texts(entry, nows):
        raise BrokenList(f"An entry needs module, within and reason, may have was and now, and no more: {entry}")
    if not entry["reason"].strip():
        raise BrokenList(f"An entry has no reason: {entry}")
    was = entry.get("was")
    if nows is not None and was is None:
        raise BrokenList(f"An entry has now, but not was: {entry}")
    here = entry["module"], entry["within"], None if was is None else unindented(was)
    return Reason(*here, None if nows is None else tuple(unindented(text) for text in nows), entry["reason"])


def all_texts(entry: dict[str, Any], nows: Any) -> bool:
    """Return whether all fields of an entry are texts, and `now` a text or a list of them."""
    texts = [value for name, value in entry.items() if name != "now"]
    return isinstance(nows, list | None) and all(isinstance(text, str) for text in [*texts, *(nows or ())])


def unindented(text: str) -> str:
    """Return the lines without indents and without empty ones around them."""
    return "\n".join(line.strip() for line in text.strip().splitlines())


def reason_for(change: Change, reasons: Iterable[Reason]) -> str | None:
    """Return why the change may survive. None if nobody said."""
    return next((reason.reason for reason in reasons if reason.fits(change)), None)


def outdated(reasons: Iterable[Reason], source: Callable[[str], str]) -> list[Reason]:
    """Return the reasons whose lines the module has no more. `source` returns the text of a module."""
    return [reason for reason in reasons if not has_lines(source(reason.module), reason.was or "")]


def has_lines(source: str, lines: str) -> bool:
    return set(lines.splitlines()) <= {line.strip() for line in source.splitlines()}
