"""The `replay` tool: play a record, print the position line after each turn, and draw a board or the whole game."""

import sys
from argparse import Namespace

from gipfbot.notation import Record, RecordedTurn, position_text, turn_number_text
from gipfbot.rules import play
from gipfbot.rules.changes import Event, events
from render import THEMES, Marks, Picture, png
from render.layout import LARGEST, SMALLEST
from render.replay import REPLAY_PACES, Replay, ReplayTurn, gif_file

from .commands import (
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
    _write_pictures(parser, options, _build_replay(played))
    print_notice(options.file, *record.warnings)
    if record.broken and (options.ply is None or options.ply > len(record.turns)):
        print_notice(options.file, str(record.broken))
        return 1
    sys.stderr.write(_result_line(played, whole=played.turns == record.turns))
    return 0


def _write_pictures(parser: ToolParser, options: Namespace, replay: Replay) -> None:
    """Write the picture files that the options ask for."""
    size, theme = options.size, THEMES[options.theme]
    if options.png:
        write_output(parser, options.png, png(replay.board(len(replay.turns)), size=size, theme=theme))
    if options.gif:
        write_output(
            parser, options.gif, gif_file(replay, sys.maxsize, size=size, theme=theme, pace=REPLAY_PACES[options.pace])
        )


def _parse_arguments(argv: list[str]) -> tuple[ToolParser, Namespace]:
    parser = ToolParser("bot.py replay", description="Play a record and print the position line after each turn.")
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
    parser.add_argument("--png", metavar="OUT", help="draw the last board into this file")
    parser.add_argument("--gif", metavar="OUT", help="draw the whole game as an animated GIF into this file")
    parser.add_argument(
        "--size",
        type=number_type(SMALLEST, LARGEST),
        default=800,
        metavar="N",
        help="the width in pixels",
    )
    parser.add_argument("--theme", choices=THEMES, default="wood", help="the colours (default: wood)")
    parser.add_argument("--pace", choices=REPLAY_PACES, default="normal", help="the speed (default: normal)")
    return parser, parser.parse_args(argv)


def _build_replay(record: Record) -> Replay:
    """Return a record as a replay: each turn with the board after it, and marks for its push and removals."""
    headers = dict(record.headers)
    players = headers.get("White", "White"), headers.get("Black", "Black")
    turns = (
        ReplayTurn(step.actions, Picture(step.after, players, _turn_caption(step), _turn_marks(step)))
        for step in record.turns
    )
    return Replay(Picture(record.begin, players), tuple(turns))


def _turn_caption(step: RecordedTurn) -> str:
    return f"{turn_number_text(step.turn_number)} {step.text}"


def _turn_marks(step: RecordedTurn) -> Marks:
    position, told = step.before, list[Event]()
    for action in step.actions:
        after = play(position, action)
        told += events(position, action, after)
        position = after
    return Marks.of_turn(told)


def _result_line(record: Record, *, whole: bool) -> str:
    """Return a line with the result of the game; empty if there is none.

    The result by the rules comes first. Without one, the file's result is used, but only if the `whole` record was
    played.
    """
    found = record.end.result
    if found:
        return f"Result: {found.score} by={found.by}.\n"
    return f"Result: {record.result}, as the file says.\n" if record.result and whole else ""
