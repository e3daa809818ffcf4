"""Build Discord's components from the values in `widgets`, and write and read the mark that ends a `custom_id`."""

import re
from collections.abc import Sequence
from dataclasses import replace

import discord

from .widgets import Button, ComponentRow, Select

LONGEST_CUSTOM_ID = 100  # Discord's limits
LONGEST_BUTTON_LABEL = 80
LONGEST_OPTION_LABEL = 100
_MARK = re.compile("~([0-9a-f]{16})$")
BUTTON_STYLES = {
    "primary": discord.ButtonStyle.primary,
    "secondary": discord.ButtonStyle.secondary,
    "success": discord.ButtonStyle.success,
    "danger": discord.ButtonStyle.danger,
}


def build_view(rows: Sequence[ComponentRow], prefix: str = "", mark: str = "") -> discord.ui.View | None:
    """Return the rows as Discord components; None if there are no rows.

    A `custom_id` consists of `prefix`, such as `desk:12:3:`, and the widget's action. `mark` is the mark of an outbox
    row; if it is given, each `custom_id` ends in it.
    """
    if not rows:
        return None
    view = discord.ui.View(timeout=None)
    for number, row in enumerate(rows):
        for widget in (row,) if isinstance(row, Select) else row:
            view.add_item(_build_widget(replace(widget, action=with_mark(widget.action, mark)), prefix, number))
    view.stop()  # keeps the view out of discord.py's memory: `interactions` handles every press
    return view


def with_mark(custom_id: str, mark: str) -> str:
    """Return a `custom_id` that ends in the mark of an outbox row; unchanged if `mark` is empty."""
    return f"{custom_id}~{mark}" if mark else custom_id


def split_mark(custom_id: str) -> tuple[str, str]:
    """Split a `custom_id` into the part before the mark, and the mark. The mark is empty if there is none."""
    found = _MARK.search(custom_id)
    return (custom_id[: found.start()], found[1]) if found else (custom_id, "")


def _build_widget(widget: Button | Select, prefix: str, row: int) -> discord.ui.Item[discord.ui.View]:
    return _build_select(widget, prefix, row) if isinstance(widget, Select) else _build_button(widget, prefix, row)


def _build_button(button: Button, prefix: str, row: int) -> discord.ui.Button[discord.ui.View]:
    label, custom_id = button.label, button.action if button.is_custom_id else prefix + button.action
    if len(label) > LONGEST_BUTTON_LABEL:
        label = f"{label[: LONGEST_BUTTON_LABEL - 1]}…"
    style = BUTTON_STYLES[button.style]
    return discord.ui.Button(label=label, custom_id=custom_id, style=style, disabled=button.disabled, row=row)


def _build_select(select: Select, prefix: str, row: int) -> discord.ui.Select[discord.ui.View]:
    options = [
        discord.SelectOption(label=label[:LONGEST_OPTION_LABEL], value=value, default=value == select.chosen)
        for label, value in select.options
    ]
    custom_id = prefix + select.action
    return discord.ui.Select(placeholder=select.placeholder, custom_id=custom_id, options=options, row=row)
