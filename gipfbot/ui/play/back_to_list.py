"""The way back to the list of games, on whatever private message was opened from it.

The page of the list stands in the `custom_id`s of such a message. It is a text, empty where there is no way back.
"""

from collections.abc import Sequence

from gipfbot.ui.kit import texts
from gipfbot.ui.kit.widgets import MOST_ROWS, Button, ComponentRow


def with_back_button(rows: Sequence[ComponentRow], page: str) -> tuple[ComponentRow, ...]:
    """Return the rows with the button that leads back to this page of the list, where there is room for it."""
    if not page or len(rows) >= MOST_ROWS:
        return tuple(rows)
    return (*rows, (Button(texts.ALL_GAMES_LABEL, f"games:page:{page}", is_custom_id=True),))


def open_desk_id(game: int, page: str) -> str:
    """Return the `custom_id` that opens a game's desk on the same message, with the way back to this page."""
    return f"listed_game:{game}:{page}:desk" if page else f"open_desk:{game}"
