"""What is said about replays."""

from gipfbot.match import Game
from gipfbot.rules import Colour
from gipfbot.service.kit.game_names import game_name
from gipfbot.ui.kit import text_parts
from render import Picture, alt_text

CANCEL_REPLAY_LABEL = "Cancel"
WHICH_REPLAY = "Which game do you want to see?"
NOTHING_TO_REPLAY = "No turn has been played yet, so there is nothing to show. **/gipf board** shows the board."
REPLAY_CANCELLED = "Cancelled: there is no replay. **/gipf replay** makes one whenever you like."
REPLAY_LOST = "This replay is not being made any more. **/gipf replay** makes it anew."
TOO_MANY_REPLAYS = "Many replays are being made just now. Try again in a minute."
LONGEST_ALT_TEXT = 1024  # Discord's limit


def bad_range_text(game: int, first: int, last: int, turns: int) -> str:
    """Say that a replay cannot show these turns of a game of so many."""
    name = game_name(game)
    if first > turns:
        return f"{name} has {_replayed_turn_count(turns)} so far, so it cannot begin with turn {first}."
    return f"Turn {first} comes after turn {last}: swap **from** and **to**."


def _replayed_turn_count(turns: int) -> str:
    return f"{turns} turn{'' if turns == 1 else 's'}"


def replay_progress_text(game: int, done: int, turns: int) -> str:
    """Say how far the making of a replay has come."""
    how_far = f"turn {done} of {turns}" if done else "having a look at it"
    return f"Making a replay of {game_name(game)}: {how_far} …"


def replay_caption(game: Game, first: int, last: int, passed: int, width: int | None) -> str:
    """Return what stands above a replay: what it shows, and what had to be left out.

    `passed` is how many turns had no room; `width` how wide it had to become, None where it is as wide as asked for.
    """
    names = " vs ".join(
        f"{text_parts.escape_text(seat.name)} ({colour})" for seat, colour in zip(game.seats, Colour, strict=True)
    )
    what = f"turn {first}" if first == last else f"turns {first} to {last}"
    notes = [f"drawn {width} pixels wide"] * (width is not None) + [f"{_replayed_turn_count(passed)} not shown"] * bool(
        passed
    )
    note = f"To fit into what Discord takes: {', '.join(notes)}. Ask for fewer turns to see more." if notes else ""
    return text_parts.join_lines(f"**{game_name(game.id)}** · {names} · {what}", note)


def replay_file_name(game: int) -> str:
    """Return what the file of a game's replay is called."""
    return f"{game_name(game).removeprefix('#')}.gif"


def replay_alt_text(game: int, first: int, last: int, board: Picture) -> str:
    """Return a replay in words: which turns, and the board that it ends with."""
    said = f"Replay of {game_name(game)}, turns {first} to {last}. At the end: {alt_text(board)}"
    return text_parts.shorten_text(said, LONGEST_ALT_TEXT)
