"""The pictures that the `replay` tool draws: options and files. Only this module of the tool needs a library."""

import sys
from argparse import Namespace

from gipfbot.notation import Record, RecordedTurn, turn_number_text
from gipfbot.rules import play
from gipfbot.rules.changes import Event, events
from render import THEMES, Marks, Picture, png
from render.layout import LARGEST, SMALLEST
from render.replay import REPLAY_PACES, Replay, ReplayTurn, gif_file

from .commands import ToolParser, number_type, write_output


def add_picture_options(parser: ToolParser) -> None:
    """Add the options for which pictures to draw, and how."""
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


def write_pictures(parser: ToolParser, options: Namespace, record: Record) -> None:
    """Write the picture files that the options ask for. Exits if that fails."""
    replay, size, theme = _build_replay(record), options.size, THEMES[options.theme]
    if options.png:
        write_output(parser, options.png, png(replay.board(len(replay.turns)), size=size, theme=theme))
    if options.gif:
        write_output(
            parser, options.gif, gif_file(replay, sys.maxsize, size=size, theme=theme, pace=REPLAY_PACES[options.pace])
        )


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
