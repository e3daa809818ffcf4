"""The tools `convert` and `replay`, which read a record."""

import sys
from argparse import Namespace
from pathlib import Path

from gipfbot.notation import NOTATIONS, Record, position_text, record_text
from gipfbot.notation.errors import excerpt

from .commands import (
    LONGEST_COMPLAINT,
    RULES_NAMED,
    ToolParser,
    number_type,
    print_notice,
    read_record_file,
    ruleset_type,
    stoppable,
    write_output,
)

MOST_TURNS = 100_000


@stoppable
def run_convert(argv: list[str]) -> int:
    """Write a record as a .gipf file. Return 0, or 1 if a turn cannot be played.

    A broken record is written up to its first unplayable turn. If that is turn 1, nothing is written. Warnings and
    errors go to standard error.
    """
    parser = ToolParser("convert", "Write a record in either notation, as a .gipf file.")
    parser.add_argument("input", metavar="IN", help="a record or a list of turns; - reads standard input")
    parser.add_argument("output", metavar="OUT", help="the .gipf file to write; - writes to standard output")
    parser.add_argument("--notation", choices=NOTATIONS, required=True)
    parser.add_argument("--reserve", action="store_true", help="write the mover's reserve after each turn")
    parser.add_argument(
        "--rules",
        type=ruleset_type,
        metavar="RULES",
        help=f"the rule set (default: the one in the file, else Standard): {RULES_NAMED}",
    )
    options = parser.parse_args(argv)
    if options.output != "-" and _is_same_file(options.input, options.output):
        parser.error(f"{options.output} is also the input: give another output file.")
    record = read_record_file(parser, options.input, options.rules)
    if record.turns or not record.broken:
        _write_record(parser, options.output, record_text(record, NOTATIONS[options.notation], reserve=options.reserve))
    print_notice(options.input, *record.warnings)
    if not record.broken:
        return 0
    print_notice(options.input, str(record.broken), _partial_output_sentence(len(record.turns), options.output))
    return 1


def _write_record(parser: ToolParser, name: str, text: str) -> None:
    if name == "-":
        sys.stdout.write(text)
    else:
        write_output(parser, name, text.encode())


def _partial_output_sentence(turns: int, name: str) -> str:
    """Return a sentence on how much of a broken record was written."""
    if not turns:
        return "Nothing was written."
    before = "The turn before it is" if turns == 1 else f"The {turns} turns before it are"
    return f"{before} {'written' if name == '-' else f'in {excerpt(name, length=LONGEST_COMPLAINT)}'}."


def _is_same_file(name: str, other: str) -> bool:
    try:
        return Path(name).samefile(other)
    except (OSError, ValueError):  # one of the files does not exist
        return False


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
    except ModuleNotFoundError:  # an error follows only if a picture is asked for
        parser.add_argument("--png", "--gif", metavar="OUT", help="draw a picture, which needs Pillow and zlib-ng")
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
