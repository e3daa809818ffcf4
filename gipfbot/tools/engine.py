"""The `engine` tool: answer requests in JSON, a line each, with what the bot's own search finds."""

import sys

from gipfbot.engines.engine_loop import serve

from .commands import ToolParser, stoppable


@stoppable
def run_engine(argv: list[str]) -> int:
    """Answer the requests of the standard input until it ends. Return the exit code."""
    parser = ToolParser("engine", "Read requests in JSON, one a line. Answer each with a line.")
    parser.parse_args(argv)
    serve(sys.stdin.buffer, sys.stdout.buffer)
    return 0
