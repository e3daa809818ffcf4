"""Files of turns: a numbered sheet or one turn per line, in official notation."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from gipfbot.rules import PRESETS, Action, Position, play

from .errors import NotationError, excerpt
from .reading import parse_turn

_BRACES = re.compile(r"\{[^}]*\}?")
_ASIDE = re.compile(r"\s*(;|\[.*\]\s*$)")  # a comment or a header line
_NUMBER = re.compile(r"(?<!\S)[0-9]+\.+(?=\s|[A-Za-z]|$)")
_RESULT = re.compile(r"(?<!\S)(1[-–]0|0[-–]1|1/2[-–]1/2|½[-–]½|void|\*)(?!\S)")
_JOINED = re.compile(r" ?([;,\-–]) ?| (?=\()")
_RULES = re.compile(r"\brules\W+(\w+)", re.IGNORECASE)


class Sheet(NamedTuple):
    """What a file of turns says: the turns' texts in order, and its rule set and result where it tells them."""

    turns: tuple[str, ...]
    rules: str | None = None
    result: str | None = None


class Step(NamedTuple):
    """One turn of a replay: its text as given, its actions, and the positions before and after it."""

    number: int
    text: str
    actions: tuple[Action, ...]
    before: Position
    after: Position


class BrokenRecord(NotationError):
    """A turn of a record cannot be played; `number` counts turns from 1, both players' together."""

    def __init__(self, number: int, side: str, fault: NotationError) -> None:
        where = f"{(number + 1) // 2}{'.' if number % 2 else '…'} {excerpt(fault.text)} ({side})"
        super().__init__(fault.code, f"{where}: {fault}", fault.text, fault.at)
        self.number = number


def read_sheet(text: str) -> Sheet:
    """Return the turns of a file. Comments, headers and move numbers are passed over.

    A blank separates turns, except next to `;` `,` `-` and before `(`. Nothing is checked: `replay` does that.
    """
    turns: list[str] = []
    rules = result = None
    for line in _BRACES.sub(" ", text).splitlines():
        if _ASIDE.match(line):
            rules = rules or _preset(line)
            continue
        for found in _RESULT.findall(line):
            result = found.replace("–", "-")
        words = _RESULT.sub(" ", _NUMBER.sub(" ", line)).split()
        turns += _JOINED.sub(r"\1", " ".join(words)).split()
    return Sheet(tuple(turns), rules, result)


def _preset(line: str) -> str | None:
    """Return the rule set that a comment or a header names."""
    found = _RULES.search(line)
    return found[1].lower() if found and found[1].lower() in PRESETS else None


def replay(start: Position, turns: tuple[str, ...]) -> Iterator[Step]:
    """Yield each turn as it is played. Raises BrokenRecord at the first that is not whole and legal."""
    position = start
    for number, text in enumerate(turns, 1):
        try:
            actions = parse_turn(position, text)
        except NotationError as fault:
            raise BrokenRecord(number, str(position.mover), fault) from fault
        before = position
        for action in actions:
            position = play(position, action)
        yield Step(number, text, actions, before, position)
