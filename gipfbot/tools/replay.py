"""Play a file of turns, print the position line after each, and draw the board that is reached."""

import sys
from argparse import Namespace
from collections.abc import Iterator

from gipfbot.notation import BrokenRecord, NotationError, Sheet, Step, position_text, read_sheet, replay
from gipfbot.rules import PRESETS, Position, Push, play, start
from gipfbot.rules.events import moves
from render import Marks, Picture, png
from render.layout import LARGEST, SMALLEST

from .commands import Parser, number, read_text, stoppable, write_bytes

UNNAMED = "standard"
UNFINISHED = "*"
MOST_TURNS = 100_000


@stoppable
def main(argv: list[str]) -> int:
    """Print a position line for each turn; return 1 if a turn cannot be played, else 0.

    Everything but the position lines goes to the standard error, so that they can be piped into `turns`.
    """
    parser, options = _arguments(argv)
    text = read_text(parser, options.file)
    try:
        sheet = read_sheet(text)
    except NotationError as unreadable:
        parser.error(f"{options.file}: {unreadable}")
    if not sheet.turns:
        parser.error(f"{options.file} holds no turns.")
    if not (options.rules or sheet.rules):
        _say("The file names no rule set: it is played as Standard.")
    begin = start(PRESETS[options.rules or sheet.rules or UNNAMED])
    last, fault = _play(begin, sheet.turns[: options.ply])
    if options.png:
        write_bytes(parser, options.png, png(_picture(begin, last), size=options.size))
    if fault:
        _say(str(fault))
        return 1
    for sentence in _result(last.after if last else begin, sheet, options.ply):
        _say(sentence)
    return 0


def _arguments(argv: list[str]) -> tuple[Parser, Namespace]:
    parser = Parser("bot.py replay", description="Play a file of turns and print the position line after each.")
    parser.add_argument(
        "file", help="turns in official notation, numbered or one in each line; - is the standard input"
    )
    parser.add_argument("--rules", choices=PRESETS, help="the version; else what the file says, else Standard")
    parser.add_argument("--ply", type=number(0, MOST_TURNS), metavar="N", help="stop after N turns of either player")
    parser.add_argument("--png", metavar="OUT", help="draw the board that is reached into this file")
    parser.add_argument("--size", type=number(SMALLEST, LARGEST), default=800, metavar="N", help="its width in pixels")
    return parser, parser.parse_args(argv)


def _play(begin: Position, turns: tuple[str, ...]) -> tuple[Step | None, BrokenRecord | None]:
    """Print the position after each turn; return the last one played and what stopped the replay, if anything."""
    step = None
    try:
        for step in replay(begin, turns):
            sys.stdout.write(f"{position_text(step.after)}\n")
    except BrokenRecord as fault:
        return step, fault
    finally:
        sys.stdout.flush()
    return step, None


def _picture(begin: Position, step: Step | None) -> Picture:
    """Return the board after a turn, with its push marked, or the board before the first one."""
    if step is None:
        return Picture(begin, ("White", "Black"))
    position, marks = step.before, Marks()
    for action in step.actions:
        if isinstance(action, Push):
            standing = step.after.pieces()
            marks = Marks(action, tuple(to for _, to in moves(position, action) if to in standing))
        position = play(position, action)
    number = f"{(step.number + 1) // 2}{'.' if step.number % 2 else '…'}"
    return Picture(step.after, ("White", "Black"), f"{number} {step.text}", marks)


def _result(reached: Position, sheet: Sheet, ply: int | None) -> Iterator[str]:
    """Yield how the game ended, by the rules and as the file says; the latter only if it was played to the end."""
    found = reached.result
    if found:
        yield f"Result: {found.score} by={found.by}."
    if (
        sheet.result not in (None, UNFINISHED)
        and (ply is None or ply >= len(sheet.turns))
        and not (found and found.score == sheet.result)
    ):
        yield f"Result: {sheet.result}, as the file says."


def _say(sentence: str) -> None:
    sys.stderr.write(f"{sentence}\n")
