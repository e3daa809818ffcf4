"""The `perft` tool: count full turns. Prints `depth A D C` for each depth (rules.md section 9)."""

import sys

from gipfbot.notation import NotationError
from gipfbot.rules import Position, perft, ruleset_named, start

from .commands import RULES_NAMED, ToolParser, number_type, parse_turn_start, ruleset_type, stoppable

DEEPEST = 20


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
