"""What is said about replays."""

from gipfbot.match import Game
from gipfbot.rules import Colour
from gipfbot.service.ids import game_name
from render import Picture, alt_text

from . import texts

REPLAY, CANCEL = "Replay", "Cancel"
WHICH_REPLAY = "Which game do you want to see?"
NO_TURNS = "No turn has been played yet, so there is nothing to show. **/gipf board** shows the board."
CANCELLED = "Cancelled: there is no replay. **/gipf replay** makes one whenever you like."
LOST = "This replay is not being made any more. **/gipf replay** makes it anew."
TOO_MANY = "Many replays are being made just now. Try again in a minute."
LONGEST_ALT = 1024  # Discord's limit


def bad_range(game: int, first: int, last: int, turns: int) -> str:
    """Say that a replay cannot show these turns of a game of so many."""
    name = game_name(game)
    if first > turns:
        return f"{name} has {_counted(turns)} so far, so it cannot begin with turn {first}."
    return f"Turn {first} comes after turn {last}: swap **from** and **to**."


def _counted(turns: int) -> str:
    return f"{turns} turn{'' if turns == 1 else 's'}"


def waiting(game: int, done: int, turns: int) -> str:
    """Say how far the making of a replay has come."""
    how_far = f"turn {done} of {turns}" if done else "having a look at it"
    return f"Making a replay of {game_name(game)}: {how_far} …"


def made(game: Game, first: int, last: int, passed: int, width: int | None) -> str:
    """Return what stands above a replay: what it shows, and what had to be left out.

    `passed` is how many turns had no room; `width` how wide it had to become, None where it is as wide as asked for.
    """
    names = " vs ".join(f"{texts.plain(seat.name)} ({colour})" for seat, colour in zip(game.seats, Colour, strict=True))
    what = f"turn {first}" if first == last else f"turns {first} to {last}"
    notes = [f"drawn {width} pixels wide"] * (width is not None) + [f"{_counted(passed)} not shown"] * bool(passed)
    note = f"To fit into what Discord takes: {', '.join(notes)}. Ask for fewer turns to see more." if notes else ""
    return texts.join(f"**{game_name(game.id)}** · {names} · {what}", note)


def file_name(game: int) -> str:
    """Return what the file of a game's replay is called."""
    return f"{game_name(game).removeprefix('#')}.gif"


def alt(game: int, first: int, last: int, board: Picture) -> str:
    """Return a replay in words: which turns, and the board that it ends with."""
    said = f"Replay of {game_name(game)}, turns {first} to {last}. At the end: {alt_text(board)}"
    return texts.short(said, LONGEST_ALT)
