"""The `convert` tool: write a record in either notation."""

import sys
from pathlib import Path

from gipfbot.notation import NOTATIONS, record_text
from gipfbot.notation.errors import excerpt

from .commands import (
    LONGEST_COMPLAINT,
    RULES_NAMED,
    ToolParser,
    print_notice,
    read_record_file,
    ruleset_type,
    stoppable,
    write_output,
)


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
    """Return the sentence that says how much of a broken record was written."""
    if not turns:
        return "Nothing was written."
    before = "The turn before it is" if turns == 1 else f"The {turns} turns before it are"
    return f"{before} {'written' if name == '-' else f'in {excerpt(name, length=LONGEST_COMPLAINT)}'}."


def _is_same_file(name: str, other: str) -> bool:
    try:
        return Path(name).samefile(other)
    except (OSError, ValueError):  # one of the files does not exist
        return False
