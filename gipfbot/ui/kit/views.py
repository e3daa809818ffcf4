"""Discord's components, made from plain `widgets`."""

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
    """Return the rows as components, None without any. `prefix` goes before what each does: `desk:12:3:`.

    Every `custom_id` of a message of the outbox ends in the mark of its row.
    """
    if not rows:
        return None
    view = discord.ui.View(timeout=None)
    for number, row in enumerate(rows):
        for widget in (row,) if isinstance(row, Select) else row:
            view.add_item(_build_widget(replace(widget, action=with_mark(widget.action, mark)), prefix, number))
    view.stop()  # discord.py shall keep no view in memory: `interactions` takes every press
    return view


def with_mark(custom_id: str, mark: str) -> str:
    """Return a `custom_id` that ends in the mark of an outbox row, if there is one."""
    return f"{custom_id}~{mark}" if mark else custom_id


def split_mark(custom_id: str) -> tuple[str, str]:
    """Return a `custom_id` without the mark that it ends in, and that mark; it is empty without one."""
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
