"""Play a record, print the position line after each turn, and draw the board that is reached."""

import sys
from argparse import Namespace

from gipfbot.notation import Record, Step, numbered, position_text
from gipfbot.rules import PRESETS, Position, Push, play, start
from gipfbot.rules.events import moves
from render import Marks, Picture, png
from render.layout import LARGEST, SMALLEST

from .commands import Parser, number, read_game, say, stoppable, write_bytes

MOST_TURNS = 100_000


@stoppable
def main(argv: list[str]) -> int:
    """Print a position line for each turn; return 1 if a turn cannot be played, else 0.

    Everything but the position lines goes to the standard error, so that they can be piped into `turns`.
    """
    parser, options = _arguments(argv)
    record = read_game(parser, options.file, options.rules)
    played = record._replace(turns=record.turns[: options.ply])
    for step in played.turns:
        sys.stdout.write(f"{position_text(step.after)}\n")
    sys.stdout.flush()
    if options.png:
        write_bytes(parser, options.png, png(_picture(start(record.rules), played.turns), size=options.size))
    say(options.file, *record.warnings)
    if record.broken and (options.ply is None or options.ply > len(record.turns)):
        say(options.file, str(record.broken))
        return 1
    sys.stderr.write(_result(played, whole=played.turns == record.turns))
    return 0


def _arguments(argv: list[str]) -> tuple[Parser, Namespace]:
    parser = Parser("bot.py replay", description="Play a record and print the position line after each turn.")
    parser.add_argument("file", help="a .gipf file or a list of turns, in either notation; - is the standard input")
    parser.add_argument("--rules", choices=PRESETS, help="the version; else what the file says, else Standard")
    parser.add_argument("--ply", type=number(0, MOST_TURNS), metavar="N", help="stop after N turns of either player")
    parser.add_argument("--png", metavar="OUT", help="draw the board that is reached into this file")
    parser.add_argument("--size", type=number(SMALLEST, LARGEST), default=800, metavar="N", help="its width in pixels")
    return parser, parser.parse_args(argv)


def _picture(begin: Position, steps: tuple[Step, ...]) -> Picture:
    """Return the board after the last turn, with its push marked, or the board before the first one."""
    if not steps:
        return Picture(begin, ("White", "Black"))
    step = steps[-1]
    position, marks = step.before, Marks()
    for action in step.actions:
        if isinstance(action, Push):
            standing = step.after.pieces()
            marks = Marks(action, tuple(to for _, to in moves(position, action) if to in standing))
        position = play(position, action)
    return Picture(step.after, ("White", "Black"), f"{numbered(step.number)} {step.text}", marks)


def _result(record: Record, *, whole: bool) -> str:
    """Return a line on how the game ended: by the rules or, if all of it is played, as the file says; else nothing."""
    found = record.end.result
    if found:
        return f"Result: {found.score} by={found.by}.\n"
    return f"Result: {record.result}, as the file says.\n" if record.result and whole else ""
