"""Files of turns: a numbered sheet or one turn per line, in official notation."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from gipfbot.rules import PRESETS, Action, Position, play

from .errors import NotationError
from .reading import parse_turn

_COMMENT = re.compile(r"^\s*;.*$|\{[^}]*\}", re.MULTILINE)
_HEADER = re.compile(r"^\s*\[.*\]\s*$", re.MULTILINE)
_NUMBER = re.compile(r"(?<!\S)\d+\.+(?=\s|[A-Za-z]|$)")
_RESULT = re.compile(r"(?<!\S)(1[-–]0|0[-–]1|1/2[-–]1/2|void|\*)(?!\S)")
_JOINED = re.compile(r"\s*([;,\-–])\s*|\s+(?=\()")
_RULES = re.compile(r"^[;\[\s].*?\brules\W+(\w+)", re.MULTILINE | re.IGNORECASE)


class Sheet(NamedTuple):
    """What a file of turns says: the turns' texts in order, and the name of its rule set where it tells one."""

    turns: tuple[str, ...]
    rules: str | None


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
        where = f"{(number + 1) // 2}{'.' if number % 2 else '…'} {fault.text} ({side})"
        super().__init__(fault.code, f"{where}: {fault}", fault.text, fault.at)
        self.number = number


def read_sheet(text: str) -> Sheet:
    """Return the turns of a file. Comments, headers, move numbers and the result are passed over.

    A blank separates turns, except next to `;` `,` `-` and before `(`. Nothing is checked: `replay` does that.
    """
    found = _RULES.search(text)
    name = found.group(1).lower() if found else None
    body = _HEADER.sub("", _COMMENT.sub(" ", text))
    lines = (_RESULT.sub(" ", _NUMBER.sub(" ", line)) for line in body.splitlines())
    turns = tuple(turn for line in lines for turn in _JOINED.sub(r"\1", line.strip()).split())
    return Sheet(turns, name if name in PRESETS else None)


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
