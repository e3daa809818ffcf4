"""What must hold of the bot as a player, whatever has killed it."""

from collections.abc import Sequence
from pathlib import Path

from .stored_courses import PlayedTurn, read_rows, require

SEAT = 'SELECT colour FROM seats WHERE game = ? AND "user" = ?'
RUNNING_CLOCKS = "SELECT id FROM games WHERE waiting_user = ? AND (deadline_at IS NOT NULL OR flagged)"
FLAGS = "SELECT game FROM events WHERE by = ? AND kind IN ('flagged', 'time')"
LETTERS = "SELECT id FROM outbox WHERE channel = ?"
THINKS = "SELECT count(*) FROM games WHERE waiting_user = ?"  # in how many games it has to decide
PLANNED = "SELECT key FROM due WHERE kind = 'house' AND done_at IS NULL"


def check_bots_turns(database: Path, bot: int, game: int, fresh: Sequence[PlayedTurn]) -> None:
    """Check that the bot has played all its turns by its search, each in its own place."""
    for turn in fresh:
        if turn.by == bot:
            (colour,) = read_rows(database, SEAT, game, bot)
            require(turn.number % 2 != colour, "game", game, "has a turn of the bot in another's place:", turn)
            require(turn.how == "house", "in game", game, "the bot's search has not found its turn:", turn)


def check_bot_is_calm(database: Path, bot: int) -> None:
    """Check that no clock of the bot runs or has flagged, and that nobody writes to it."""
    for query, what in ((RUNNING_CLOCKS, "its clock runs"), (FLAGS, "it has flagged"), (LETTERS, "it gets messages")):
        found = read_rows(database, query, bot)
        require(not found, "the bot is no calm player,", f"{what}:", found)


def check_bot_has_answered(database: Path, bot: int) -> None:
    """Check that no game waits for the bot, and that nothing of it is planned."""
    require(read_rows(database, THINKS, bot) == [0], "a game still waits for the bot")
    planned = read_rows(database, PLANNED)
    require(not planned, "turns of the bot are still planned:", planned)
