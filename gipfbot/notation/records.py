"""Files of turns: a numbered sheet or one turn per line, in official notation."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from gipfbot.rules import PRESETS, Action, Position, play

from .errors import NotationError, ParseError, excerpt
from .reading import parse_turn

_COMMENT = re.compile(r"^[^\S\n]*(?:;.*|\[.*\][^\S\n]*)$|\{[^}]*\}?", re.MULTILINE)
_ASIDE = re.compile(r"\s*(;|\[.*\]\s*$)")  # a comment or a header line
_NUMBER = re.compile(r"(?<!\S)[0-9]+[.…]+(?=\s|[A-Za-z]|$)")
_RESULT = re.compile(r"(?<!\S)(1[-–]0|0[-–]1|1/2[-–]1/2|½[-–]½|void|\*)(?!\S)")
_JOINED = re.compile(r" ?([;,\-–]) ?| (?=\()")
_RULES = re.compile(r"\brules\W+(\w+)", re.IGNORECASE)
_NAMED = re.compile(r"^[^\S\n]*(?:\[\s*rules\s+\"?|;[^\S\n]*rules\s*:\s*\"?)(\w+)", re.IGNORECASE)
_QUOTED = 12  # characters of a comment that a sentence quotes


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

    A blank separates turns, except next to `;` `,` `-` and before `(`. The turns are not checked: `replay` does that.
    Raises ParseError for a comment without an end, and for a rule set that does not exist.
    """
    turns: list[str] = []
    rules = result = None
    for line in _COMMENT.sub(lambda found: _plain(found, text), text).splitlines():
        if _ASIDE.match(line):
            rules = rules or _preset(line)
            continue
        for found in _RESULT.findall(line):
            result = found.replace("–", "-")
        words = _RESULT.sub(" ", _NUMBER.sub(" ", line)).split()
        turns += _JOINED.sub(r"\1", " ".join(words)).split()
    return Sheet(tuple(turns), rules, result)


def _plain(found: re.Match[str], text: str) -> str:
    """Return what stands for a comment in braces; other lines that are passed over are kept for now."""
    if not found[0].startswith("{"):
        return found[0]
    if not found[0].endswith("}"):
        raise ParseError(f"}} behind the comment “{excerpt(found[0], length=_QUOTED)}”", text, len(text))
    return " "


def _preset(line: str) -> str | None:
    """Return the rule set that a comment or a header names. Raises ParseError if it names an unknown one."""
    found = _RULES.search(line)
    if found and found[1].lower() in PRESETS:
        return found[1].lower()
    if named := _NAMED.match(line):
        raise ParseError(f"a rule set ({', '.join(PRESETS)})", line, named.start(1))
    return None


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
