"""The texts about replays."""

from gipfbot.match import Game
from gipfbot.service.kit.loaded_games import game_name
from gipfbot.ui.kit.texts import join_lines, pair_number, shorten_text, turn_place
from render import Picture, alt_text

from .export_texts import players_text, turn_count_text

CANCEL_REPLAY_LABEL = "Cancel"
WHICH_REPLAY = "Which game do you want to replay?"
NOTHING_TO_REPLAY = "No turn has been played yet, so there is nothing to show. **/gipf board** shows the board."
REPLAY_CANCELLED = "Cancelled: there is no replay. **/gipf replay** makes one whenever you like."
REPLAY_LOST = "This replay isn't being made any more. Use **/gipf replay** again."
TOO_MANY_REPLAYS = "Many replays are being made right now. Try again in a minute."
STUDY_STEPS_IT = "**Study** steps through it turn by turn."
LONGEST_ALT_TEXT = 1024  # Discord's limit


def bad_range_text(game: int, first: int, last: int, turns: int) -> str:
    """Return the reason why a range of turns cannot be replayed.

    `first` and `last` are turn numbers, and `turns` is the number of turns in the game. All three count the turns of
    both players.
    """
    name = game_name(game)
    if first > turns:
        return f"{name} has {turn_count_text(turns)} so far, so a replay can't begin with turn {pair_number(first)}."
    return f"Turn {pair_number(first)} comes after turn {pair_number(last)}: swap **from** and **to**."


def replay_progress_text(game: int, done: int, turns: int) -> str:
    """Return the progress of a replay that is being made. `done` of its `turns` boards are drawn."""
    how_far = f"board {done} of {turns}" if done else "looking at the game"
    return f"Making a replay of {game_name(game)}: {how_far} …"


def replay_caption(game: Game, first: int, last: int, left_out: int, width: int | None) -> str:
    """Return the text above a replay: the game, its turns, and the changes made to fit Discord's size limit.

    `left_out` is the number of boards left out. `width` is the reduced width in pixels, or None if it was not reduced.
    """
    notes = [] if width is None else [f"drawn {width} pixels wide"]
    notes += [f"{left_out:,} board{'' if left_out == 1 else 's'} not shown"] if left_out else []
    note = f"To fit Discord's size limit: {', '.join(notes)}. Ask for fewer turns to see more." if notes else ""
    shown = f"**{game_name(game.id)}** · {players_text(game)} · {_turn_range(first, last)}"
    return join_lines(shown, note, STUDY_STEPS_IT)


def _turn_range(first: int, last: int) -> str:
    return turn_place(first) if first == last else f"from {turn_place(first)} to {turn_place(last)}"


def replay_file_name(game: int) -> str:
    """Return the file name of a game's replay, such as `a7.gif`."""
    return f"{game_name(game).removeprefix('#')}.gif"


def replay_alt_text(game: int, first: int, last: int, board: Picture) -> str:
    """Return the alt text of a replay: its turns, and the board at its end. Cut at Discord's limit."""
    said = f"Replay of {game_name(game)}, {_turn_range(first, last)}. At the end: {alt_text(board)}"
    return shorten_text(said, LONGEST_ALT_TEXT)
