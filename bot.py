"""The only program: `python bot.py` runs the bot, `python bot.py COMMAND` one of the tools."""

import importlib
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gipfbot.settings import Settings

COMMANDS = {
    "run": "run the bot (the default)",
    "demo": "try the bot in a browser, without a Discord token",
    "perft": "count the turns of a position",
    "turns": "list the turns of positions read from standard input",
    "replay": "play a record and draw the board",
    "convert": "write a record in either notation",
    "engine": "search the best turns of positions: see docs/engine.md",
    "doctor": "check what the bot needs: token, permissions, database, disk, clock, versions",
    "backup": "copy the database while the bot runs",
    "restore": "put a backup in the place of the database",
    "copy": "copy a database into an empty one, such as one on PostgreSQL",
    "check": "replay every game of a database, and say what differs",
    "ratings": "work out all ratings anew",
    "puzzles": "make puzzles from games",
    "bench": "measure how fast everything is",
}
# These need more than the bot itself does.
COMMAND_MODULES = {
    "demo": "gipfbot.demo",
    "bench": "tests.bench",
    "backup": "gipfbot.backup_command",
    "restore": "gipfbot.backup_command",
    "check": "gipfbot.check_command",
    "copy": "gipfbot.copy_command",
    "ratings": "gipfbot.check_command",
    "puzzles": "gipfbot.puzzle_command",
    "doctor": "gipfbot.doctor",
}


def main(argv: list[str]) -> int:
    """Run a command. Return its exit code: 0 for success, 1 for a failure, 2 for wrong input.

    What concerns the database has codes of its own: see `gipfbot.values.Unusable`.
    """
    name, *rest = argv or ["run"]
    if name in ("-h", "--help") or name not in COMMANDS:
        print("usage: python bot.py [COMMAND] …", *(f"  {name:7} {what}" for name, what in COMMANDS.items()), sep="\n")
        return 0 if name in ("-h", "--help") else 2
    if name == "run":
        return run_bot()
    try:
        module = importlib.import_module(COMMAND_MODULES.get(name, f"gipfbot.tools.{name}"))
    except ModuleNotFoundError as error:
        if name not in COMMAND_MODULES or not error.name or error.name.partition(".")[0] in ("gipfbot", "render"):
            raise
        print(f"{error.name} is not installed: `make {name}` sets everything up and starts it.", file=sys.stderr)
        return 2
    code: int = getattr(module, f"run_{name}")(rest)
    return code


def run_bot() -> int:
    """Run the bot until it is told to stop. Return its exit code."""
    from gipfbot.settings import SettingsError, load_settings

    try:
        return _run_with(load_settings())
    except SettingsError as error:
        print(*error.faults, sep="\n", file=sys.stderr)
        return 2


def _run_with(settings: "Settings") -> int:
    import asyncio

    import discord

    from gipfbot import app, logs
    from gipfbot.values import Unusable

    logs.set_up_logging(settings.log_level, settings.log_format, settings.secrets)
    try:
        asyncio.run(app.run_until_stopped(settings))
    except discord.LoginFailure:
        print("GIPFBOT_TOKEN is not a token that Discord knows: copy it anew from the portal.", file=sys.stderr)
        return 2
    except Unusable as error:
        print(error, file=sys.stderr)
        return error.exit_code
    except app.DiscordUnreachable as error:
        print(f"Discord cannot be reached ({error}): look at the network, or start again later.", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(130)
