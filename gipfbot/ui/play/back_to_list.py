"""The button that leads from a private message back to the list of games.

The `custom_id`s of the message hold the page of the list as text. This text is empty if the message was opened from
elsewhere.
"""

from collections.abc import Sequence

from gipfbot.ui.kit import texts
from gipfbot.ui.kit.components import Button, PrivateRow


def with_back_button(rows: Sequence[PrivateRow], page: str, *beside: Button) -> tuple[PrivateRow, ...]:
    """Return the rows with a last row: the buttons `beside`, and one that leads back to this page of the list of games.

    The way back is left out if `page` is empty.
    """
    back = (Button(texts.ALL_GAMES_LABEL, f"games:page:{page}", is_custom_id=True),) if page else ()
    last = (*beside, *back)
    return (*rows, last) if last else tuple(rows)


def open_desk_id(game: int, page: str) -> str:
    """Return the `custom_id` that opens a game's desk on the message that was pressed.

    `page` is the page of the list to which the desk leads back, or empty.
    """
    return f"listed_game:{game}:{page}:desk" if page else f"open_desk:{game}"
