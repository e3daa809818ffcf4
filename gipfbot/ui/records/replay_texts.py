"""What is said about replays."""

from gipfbot.match import Game
from gipfbot.service.kit.game_names import game_name
from gipfbot.ui.kit.text_parts import join_lines, shorten_text
from render import Picture, alt_text

from .export_texts import players_text, turn_count_text

CANCEL_REPLAY_LABEL = "Cancel"
WHICH_REPLAY = "Which game do you want to see?"
NOTHING_TO_REPLAY = "No turn has been played yet, so there is nothing to show. **/gipf board** shows the board."
REPLAY_CANCELLED = "Cancelled: there is no replay. **/gipf replay** makes one whenever you like."
REPLAY_LOST = "This replay is not being made any more. Use **/gipf replay** again."
TOO_MANY_REPLAYS = "Many replays are being made right now. Try again in a minute."
LONGEST_ALT_TEXT = 1024  # Discord's limit


def bad_range_text(game: int, first: int, last: int, turns: int) -> str:
    """Return why a replay cannot show these turns of a game of `turns` turns."""
    name = game_name(game)
    if first > turns:
        return f"{name} has {turn_count_text(turns)} so far, so it cannot begin with turn {first}."
    return f"Turn {first} comes after turn {last}: swap **from** and **to**."


def replay_progress_text(game: int, done: int, turns: int) -> str:
    """Return how far the making of a replay has come."""
    how_far = f"turn {done} of {turns}" if done else "looking at the game"
    return f"Making a replay of {game_name(game)}: {how_far} …"


def replay_caption(game: Game, first: int, last: int, left_out: int, width: int | None) -> str:
    """Return what stands above a replay: what it shows, and what had to be left out.

    `left_out` is how many turns had no room; `width` is how wide it had to become, None if as wide as asked for.
    """
    notes = [] if width is None else [f"drawn {width} pixels wide"]
    notes += [f"{turn_count_text(left_out)} not shown"] if left_out else []
    note = f"To fit into what Discord takes: {', '.join(notes)}. Ask for fewer turns to see more." if notes else ""
    shown = f"**{game_name(game.id)}** · {players_text(game)} · {_turn_range(first, last)}"
    return join_lines(shown, note)


def _turn_range(first: int, last: int) -> str:
    return f"turn {first}" if first == last else f"turns {first} to {last}"


def replay_file_name(game: int) -> str:
    """Return what the file of a game's replay is called."""
    return f"{game_name(game).removeprefix('#')}.gif"


def replay_alt_text(game: int, first: int, last: int, board: Picture) -> str:
    """Return a replay in words: which turns, and the board that it ends with."""
    said = f"Replay of {game_name(game)}, {_turn_range(first, last)}. At the end: {alt_text(board)}"
    return shorten_text(said, LONGEST_ALT_TEXT)
