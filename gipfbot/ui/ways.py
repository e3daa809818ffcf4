"""The way back to the list of games, on whatever private message was opened from it."""

from collections.abc import Sequence

import discord

from . import games_texts
from .replies import Interaction
from .screens import MOST_ROWS, Button, Row

PAGE = "page"  # where an interaction keeps the page of the list in which a game was chosen


def from_page(interaction: Interaction, page: int) -> None:
    """Note that a game was chosen on this page of the list."""
    interaction.extras[PAGE] = f"l:page:{page}"


def with_way_back(interaction: Interaction, rows: Sequence[Row]) -> tuple[Row, ...]:
    """Return the rows with the button to the list, where the message came from there and has room for it."""
    does = interaction.extras.get(PAGE) or _kept(interaction)
    if does is None or len(rows) >= MOST_ROWS:
        return tuple(rows)
    return (*rows, (Button(games_texts.ALL_GAMES, does, whole=True),))


def _kept(interaction: Interaction) -> str | None:
    """Return what the button to the list does on the message that was acted on, None without one."""
    rows = interaction.message.components if interaction.message else ()
    buttons = (item for row in rows if isinstance(row, discord.ActionRow) for item in row.children)
    return next((each.custom_id for each in buttons if getattr(each, "label", None) == games_texts.ALL_GAMES), None)
