"""The `replay` tool: play a record, print the position line after each turn, and draw a board or the whole game."""

import sys
from argparse import Namespace

from gipfbot.notation import Record, position_text

from .commands import (
    RULES_NAMED,
    ToolParser,
    number_type,
    print_notice,
    read_record_file,
    ruleset_type,
    stoppable,
)

MOST_TURNS = 100_000


@stoppable
def run_replay(argv: list[str]) -> int:
    """Print the position line after each turn. Return 0, or 1 if a turn cannot be played.

    Everything else goes to standard error, so that the lines can be piped into `turns`.
    """
    parser, options = _parse_arguments(argv)
    record = read_record_file(parser, options.file, options.rules)
    played = record._replace(turns=record.turns[: options.ply])
    for step in played.turns:
        sys.stdout.write(f"{position_text(step.after)}\n")
    sys.stdout.flush()
    if options.png or options.gif:
        from .replay_pictures import write_pictures

        write_pictures(parser, options, played)
    print_notice(options.file, *record.warnings)
    if record.broken and (options.ply is None or options.ply > len(record.turns)):
        print_notice(options.file, str(record.broken))
        return 1
    sys.stderr.write(_result_line(played, whole=played.turns == record.turns))
    return 0


def _parse_arguments(argv: list[str]) -> tuple[ToolParser, Namespace]:
    parser = ToolParser("replay", "Play a record and print the position line after each turn.")
    parser.add_argument("file", help="a .gipf file or a list of turns, in either notation; - reads standard input")
    parser.add_argument(
        "--rules",
        type=ruleset_type,
        metavar="RULES",
        help=f"the rule set (default: the one in the file, else Standard): {RULES_NAMED}",
    )
    parser.add_argument(
        "--ply", type=number_type(0, MOST_TURNS), metavar="N", help="stop after N turns, counting both players"
    )
    try:
        from .replay_pictures import add_picture_options
    except ModuleNotFoundError:  # who asks for a picture is told of it later
        parser.add_argument("--png", "--gif", metavar="OUT", help="draw a picture, which needs Pillow")
        parser.set_defaults(gif=None)
    else:
        add_picture_options(parser)
    return parser, parser.parse_args(argv)


def _result_line(record: Record, *, whole: bool) -> str:
    """Return a line with the result of the game; empty if there is none.

    The result by the rules comes first. Without one, the file's result is used, but only if the `whole` record was
    played.
    """
    found = record.end.result
    if found:
        return f"Result: {found.score} by={found.by}.\n"
    return f"Result: {record.result}, as the file says.\n" if record.result and whole else ""
