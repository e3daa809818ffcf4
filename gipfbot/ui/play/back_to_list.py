"""The way back to the list of games, on whatever private message was opened from it."""

from collections.abc import Sequence

import discord

from gipfbot.ui.kit import texts
from gipfbot.ui.kit.client import Interaction
from gipfbot.ui.kit.widgets import MOST_ROWS, Button, ComponentRow

LIST_PAGE_KEY = "page"  # where an interaction keeps the page of the list in which a game was chosen


def remember_list_page(interaction: Interaction, page: int) -> None:
    """Note that a game was chosen on this page of the list."""
    interaction.extras[LIST_PAGE_KEY] = f"l:page:{page}"


def with_back_button(interaction: Interaction, rows: Sequence[ComponentRow]) -> tuple[ComponentRow, ...]:
    """Return the rows with the button to the list, where the message came from there and has room for it."""
    does = interaction.extras.get(LIST_PAGE_KEY) or _kept_back_action(interaction)
    if does is None or len(rows) >= MOST_ROWS:
        return tuple(rows)
    return (*rows, (Button(texts.ALL_GAMES_LABEL, does, is_custom_id=True),))


def _kept_back_action(interaction: Interaction) -> str | None:
    """Return what the button to the list does on the message that was acted on, None without one."""
    rows = interaction.message.components if interaction.message else ()
    buttons = (item for row in rows if isinstance(row, discord.ActionRow) for item in row.children)
    return next((each.custom_id for each in buttons if getattr(each, "label", None) == texts.ALL_GAMES_LABEL), None)
