"""The program: `gipfbot` runs the bot, `gipfbot COMMAND` one of the tools. See `gipfbot.installation.started_as`."""

import importlib
import sys
from typing import NamedTuple

from gipfbot.installation import VERSION, install_command, revision, started_as


class Command(NamedTuple):
    """A command: the function that runs it, what it does, and which extra brings the packages that it needs."""

    function: str
    what: str
    extra: str = ""


COMMANDS = {
    "run": Command("gipfbot.app:run_bot", "run the bot (the default)", "bot"),
    "demo": Command("gipfbot.demo:run_demo", "try the bot in a browser, without a Discord token", "demo"),
    "perft": Command("gipfbot.tools.positions:run_perft", "count the turns of a position"),
    "turns": Command("gipfbot.tools.positions:run_turns", "list the turns of positions read from standard input"),
    "replay": Command("gipfbot.tools.records:run_replay", "play a record and draw the board", "bot"),
    "convert": Command("gipfbot.tools.records:run_convert", "write a record in either notation"),
    "engine": Command("gipfbot.tools.positions:run_engine", "search the best turns of positions: see docs/engine.md"),
    "doctor": Command(
        "gipfbot.doctor:run_doctor",
        "check what the bot needs: token, permissions, database, disk, clock, versions",
        "bot",
    ),
    "update": Command("gipfbot.update:run_update", "say how to bring the newest version, for each way of hosting"),
    "backup": Command("gipfbot.backup_command:run_backup", "copy the database while the bot runs", "bot"),
    "restore": Command("gipfbot.backup_command:run_restore", "put a backup in the place of the database", "bot"),
    "copy": Command(
        "gipfbot.copy_command:run_copy", "copy a database into an empty one, such as one on PostgreSQL", "bot"
    ),
    "check": Command("gipfbot.check_command:run_check", "replay every game of a database, and say what differs", "bot"),
    "ratings": Command("gipfbot.check_command:run_ratings", "work out all ratings anew", "bot"),
    "puzzles": Command("gipfbot.puzzle_command:run_puzzles", "make puzzles from games", "bot"),
    "languages": Command("gipfbot.tools.languages:run_languages", "say how far each language is", "bot"),
    "bench": Command("tests.bench:run_bench", "measure how fast everything is, in a checkout", "dev"),
}

# The modules of Python that the bot needs and Windows lacks. The tools do without them.
NOT_ON_WINDOWS = ("fcntl",)


def main(argv: list[str] | None = None) -> int:
    """Run the command in `argv`, or else on the command line. Return its exit code.

    The code is 0 for success, 1 for a failure, 2 for wrong input, 130 after Ctrl-C. Errors of the database have codes
    of their own: see `gipfbot.values.Unusable`.
    """
    name, *rest = (sys.argv[1:] if argv is None else argv) or ["run"]
    if name == "--version":
        print(f"gipfbot {VERSION} ({revision()})")
        return 0
    if name not in COMMANDS:
        lines = [f"  {command:7} {row.what}" for command, row in COMMANDS.items()]
        print(f"usage: {started_as()} [--version | COMMAND] …", *lines, sep="\n")
        return 0 if name in ("-h", "--help") else 2
    try:
        return _run(COMMANDS[name], rest)
    except KeyboardInterrupt:
        return 130


def _run(command: Command, argv: list[str]) -> int:
    module, _, function = command.function.partition(":")
    try:
        code: int = getattr(importlib.import_module(module), function)(argv)
    except ModuleNotFoundError as error:
        print(_missing_sentence(command, error), file=sys.stderr)
        return 2
    return code


def _missing_sentence(command: Command, error: ModuleNotFoundError) -> str:
    """Return a sentence on how to get a missing module. Raises the error if the module should always be there."""
    package = (error.name or "").partition(".")[0]
    if package in NOT_ON_WINDOWS:
        return "The bot runs on Linux and macOS. On Windows, run it in its container, or in WSL: see docs/hosting.md."
    if package == "tests":
        return "This command needs a checkout, with the tests: start it there, as python bot.py bench."
    if not command.extra or package in ("", "gipfbot", "render"):
        raise error
    return f"{error.name} is not installed: `{install_command(command.extra)}` brings it."


if __name__ == "__main__":
    sys.exit(main())
