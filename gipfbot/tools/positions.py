"""The tools `perft`, `turns` and `engine`, which answer about positions."""

import json
import sys
from collections.abc import Iterator
from typing import BinaryIO

from gipfbot.engines.engine_loop import serve
from gipfbot.notation import NotationError, played_text, position_text, removal_text, turn_text
from gipfbot.rules import Position, perft, ruleset_named, start, turns
from gipfbot.rules.full_turns import same_to_vacancies

from .commands import RULES_NAMED, ToolParser, number_type, parse_turn_start, ruleset_type, stoppable

DEEPEST = 20

LONGEST_LINE = 4096  # bytes; a position line has about 300


@stoppable
def run_perft(argv: list[str]) -> int:
    """Print the counts of each depth as soon as they are known. Return the exit code."""
    parser = ToolParser("perft", "Count full turns. Print the depth and the counts A, D and C.")
    parser.add_argument(
        "--rules",
        type=ruleset_type,
        metavar="RULES",
        help=f"count from the start of this rule set (default: standard): {RULES_NAMED}",
    )
    parser.add_argument("--position", metavar="LINE", help="count from this position line instead")
    parser.add_argument(
        "--depth", type=number_type(1, DEEPEST), default=3, metavar="N", help="up to N turns (default: 3)"
    )
    options = parser.parse_args(argv)
    for count in perft(_start_position(parser, options.position, options.rules), options.depth):
        sys.stdout.write("{} {} {} {}\n".format(*count))
        sys.stdout.flush()
    return 0


def _start_position(parser: ToolParser, line: str | None, rules: str | None) -> Position:
    if line is None:
        return start(ruleset_named(rules or "standard"))
    try:
        position = parse_turn_start(line)
    except NotationError as fault:
        parser.error(f"--position: {fault}")
    if rules not in (None, position.rules.name):
        parser.error(f"--position is for {position.rules.name}, but --rules says {rules}: leave one out")
    return position


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
    """Yield the lines that are not blank. A line that is too long is cut and ends with ` …`, so it is refused."""
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

    If several ways of removal lead to the same position, `removal_text` selects the canonical one. In Overboard,
    where a row is removed in several actions, `turn_text` selects it.
    """
    comma, write = "", played_text if same_to_vacancies(position.rules) else turn_text
    for turn, after in turns(position, removal_text):
        text, line = write(position, turn.actions), position_text(after)
        yield f"{comma}{json.dumps(text)}: {json.dumps(line)}"
        comma = ", "


@stoppable
def run_engine(argv: list[str]) -> int:
    """Answer the requests of the standard input until it ends. Return the exit code."""
    parser = ToolParser("engine", "Read requests in JSON, one a line. Answer each with a line.")
    parser.parse_args(argv)
    serve(sys.stdin.buffer, sys.stdout.buffer)
    return 0
