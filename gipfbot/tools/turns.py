"""The `turns` tool: read position lines from standard input, and print the legal turns of each as a JSON object."""

import json
import sys
from collections.abc import Iterator
from typing import BinaryIO

from gipfbot.notation import NotationError, played_text, position_text, removal_text, turn_text
from gipfbot.rules import Position, turns
from gipfbot.rules.full_turns import same_to_vacancies

from .commands import ToolParser, parse_turn_start, stoppable

LONGEST_LINE = 4096  # bytes; a position line has about 300


@stoppable
def run_turns(argv: list[str]) -> int:
    """Print one JSON object for each line as soon as the line is read. Return the exit code.

    Turns are printed as they are found, since a position can have more than 100,000. Blank lines are skipped.
    """
    parser = ToolParser("turns", "Read position lines. Write the legal turns of each as JSON.")
    parser.parse_args(argv)
    for line in _read_lines(sys.stdin.buffer):
        for part in turns_json(line):
            sys.stdout.write(part)
        sys.stdout.write("\n")
        sys.stdout.flush()
    return 0


def _read_lines(source: BinaryIO) -> Iterator[str]:
    """Yield the lines that are not blank. A line that is too long is cut, and ` …` is added so that it is refused."""
    while line := source.readline(LONGEST_LINE):
        end = line
        while len(end) == LONGEST_LINE and not end.endswith(b"\n"):
            end = source.readline(LONGEST_LINE)
        if text := line.decode("utf-8", "replace").strip():
            yield text if end is line else f"{text} …"


def turns_json(line: str) -> Iterator[str]:
    """Yield the JSON object for one line, in parts."""
    yield f'{{"position": {json.dumps(line)}, '
    try:
        position = parse_turn_start(line)
    except NotationError as fault:
        yield f'"error": {json.dumps(str(fault))}}}'
    else:
        yield '"turns": {'
        yield from _turn_pairs(position)
        yield "}}"


def _turn_pairs(position: Position) -> Iterator[str]:
    """Yield each full turn with the position line after it, as parts of a JSON object.

    If several ways of removal lead to the same position, `removal_text` selects the canonical one. In Overboard
    `turn_text` does, since a row is removed in several actions.
    """
    comma, write = "", played_text if same_to_vacancies(position.rules) else turn_text
    for turn, after in turns(position, removal_text):
        text, line = write(position, turn.actions), position_text(after)
        yield f"{comma}{json.dumps(text)}: {json.dumps(line)}"
        comma = ", "
