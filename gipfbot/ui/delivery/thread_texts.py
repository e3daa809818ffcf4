"""The texts about threads of games."""

from collections.abc import Sequence

from gipfbot.match import Game
from gipfbot.service.delivery.venues import ThreadTrouble
from gipfbot.service.kit.loaded_games import game_name
from gipfbot.ui.kit import texts

LONGEST_THREAD_NAME = 100
MOST_LEFT_NAMED = 40  # games that have left a thread
_TOO_MANY_THREADS = "this server has as many active threads as Discord allows"


def thread_name(game: Game) -> str:
    """Return the name of a game's thread. Nothing in it is escaped, because Discord shows thread names literally."""
    white, black = (seat.name for seat in game.seats)
    return texts.shorten_text(f"{game_name(game.id)} {white} vs {black}", LONGEST_THREAD_NAME)


def no_thread_text(game: int, why: str) -> str:
    reason = {
        ThreadTrouble.FULL: _TOO_MANY_THREADS,
        ThreadTrouble.FORBIDDEN: "the bot may not create public threads in this channel",
        ThreadTrouble.GONE: "its first board was deleted",
        ThreadTrouble.UNFIT: "this kind of channel has no threads",
    }.get(ThreadTrouble(why), "Discord refused to make one")
    return f"{game_name(game)} has no thread: {reason}. Its boards are posted here."


def left_thread_text(games: Sequence[int], why: str) -> str:
    reason = {
        ThreadTrouble.FULL: f"can't be reopened: {_TOO_MANY_THREADS}",
        ThreadTrouble.FORBIDDEN: "is closed to the bot",
        ThreadTrouble.GONE: "is gone",
        ThreadTrouble.LOCKED: "is locked",
    }.get(ThreadTrouble(why), "accepts no messages")
    more = len(games) - MOST_LEFT_NAMED
    names = " and ".join([*map(game_name, games[:MOST_LEFT_NAMED]), *([f"{more} more"] if more > 0 else [])])
    return f"The thread of {names} {reason}. {'Their' if len(games) > 1 else 'Its'} boards are posted here."


def thread_gone_text(game: int, channel: int) -> str:
    return f"The thread of {game_name(game)} is gone: its boards now go to <#{channel}>."
