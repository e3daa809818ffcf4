"""Play a record, print the position line after each turn, and draw the board that is reached, or the whole game."""

import sys
from argparse import Namespace

from gipfbot.notation import Record, Step, numbered, position_text
from gipfbot.rules import PRESETS, play, start
from gipfbot.rules.events import Event, events
from render import THEMES, Marks, Picture, png
from render.layout import LARGEST, SMALLEST
from render.replay import PACES, Replay, Turn, gif_file

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
    _draw(parser, options, _replay(played))
    say(options.file, *record.warnings)
    if record.broken and (options.ply is None or options.ply > len(record.turns)):
        say(options.file, str(record.broken))
        return 1
    sys.stderr.write(_result(played, whole=played.turns == record.turns))
    return 0


def _draw(parser: Parser, options: Namespace, replay: Replay) -> None:
    """Write the pictures that are asked for."""
    size, theme = options.size, THEMES[options.theme]
    if options.png:
        write_bytes(parser, options.png, png(replay.board(len(replay.turns)), size=size, theme=theme))
    if options.gif:
        write_bytes(
            parser, options.gif, gif_file(replay, sys.maxsize, size=size, theme=theme, pace=PACES[options.pace])
        )


def _arguments(argv: list[str]) -> tuple[Parser, Namespace]:
    parser = Parser("bot.py replay", description="Play a record and print the position line after each turn.")
    parser.add_argument("file", help="a .gipf file or a list of turns, in either notation; - is the standard input")
    parser.add_argument("--rules", choices=PRESETS, help="the version; else what the file says, else Standard")
    parser.add_argument("--ply", type=number(0, MOST_TURNS), metavar="N", help="stop after N turns of either player")
    parser.add_argument("--png", metavar="OUT", help="draw the board that is reached into this file")
    parser.add_argument("--gif", metavar="OUT", help="draw the whole game as a moving picture into this file")
    parser.add_argument("--size", type=number(SMALLEST, LARGEST), default=800, metavar="N", help="the width in pixels")
    parser.add_argument("--theme", choices=THEMES, default="wood", help="the colours (default: wood)")
    parser.add_argument("--pace", choices=PACES, default="normal", help="how fast it moves (default: normal)")
    return parser, parser.parse_args(argv)


def _replay(record: Record) -> Replay:
    """Return the turns with the board after each, its push and what it removed marked."""
    headers = dict(record.headers)
    players = headers.get("White", "White"), headers.get("Black", "Black")
    turns = (Turn(step.actions, Picture(step.after, players, _caption(step), _marks(step))) for step in record.turns)
    return Replay(Picture(start(record.rules), players), tuple(turns))


def _caption(step: Step) -> str:
    return f"{numbered(step.number)} {step.text}"


def _marks(step: Step) -> Marks:
    position, told = step.before, list[Event]()
    for action in step.actions:
        after = play(position, action)
        told += events(position, action, after)
        position = after
    return Marks.of_turn(told)


def _result(record: Record, *, whole: bool) -> str:
    """Return a line on how the game ended: by the rules or, if all of it is played, as the file says; else nothing."""
    found = record.end.result
    if found:
        return f"Result: {found.score} by={found.by}.\n"
    return f"Result: {record.result}, as the file says.\n" if record.result and whole else ""
