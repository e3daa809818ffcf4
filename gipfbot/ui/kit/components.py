"""Buttons and selects: each carries in its `custom_id` all that it was drawn for, so that it works after a restart.

`<kind>:<rest>`: b public board, g desk, s select of the desk, o open a desk, p pick a game, c challenge, e end a game,
r record of a game, m rematch, n no reminders, k nudge, u undo, x claim, v study a game, y study, z select of a study,
w answers left in advance, l list of games, d select of the digest's zone, h select of its games,
j replay of a game, q no more of it;
forms: i import, t typed in a study, f answers left in advance, a note on a game.
"""

import re
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, TypeAlias

import discord

from gipfbot.ui.play.desk_screens import Button, ComponentRow, Select

from . import texts

LONGEST_CUSTOM_ID = 100  # Discord's limits
LONGEST_BUTTON_LABEL = 80
SELECT_KINDS = {"g": "s", "y": "z"}  # the kind of the selects that stand beside buttons of a kind
BUTTON_STYLES = {
    "primary": discord.ButtonStyle.primary,
    "secondary": discord.ButtonStyle.secondary,
    "success": discord.ButtonStyle.success,
    "danger": discord.ButtonStyle.danger,
}

# What follows the kind; whatever looks otherwise was drawn by another version of the bot.
CUSTOM_ID_PATTERNS = {
    "b": "[0-9]{1,15}:[0-9]{1,15}",
    "g": "[0-9]{1,15}:[0-9]{1,15}:[a-z]+:.*",
    "s": "[0-9]{1,15}:[0-9]{1,15}:dot:[G-]",
    "o": "[0-9]{1,15}",
    "p": "[a-z]+(:.*)?",
    "c": "[0-9]{1,15}:(accept|decline|withdraw)",
    "e": "[0-9]{1,15}:[0-9]{1,15}:(resign|cancel|keep)",
    "r": "[0-9]{1,15}",
    "m": "[0-9]{1,15}",
    "k": "[0-9]{1,15}:[0-9]{1,15}",
    "n": "[0-9]{1,15}:(game|always|digest|on|turn:[0-9]{1,15})(@[0-9]{1,20})?",
    "l": "(page|note):[0-9]{1,15}|(play|board|desk):[0-9]{1,15}:[0-9]{1,15}",
    "d": "1?[0-9]|2[0-3]",
    "h": "digest",
    "v": "[0-9]{1,15}",
    "u": "[0-9]{1,15}:(accept|decline|withdraw)",
    "x": "[0-9]{1,15}:[0-9]{1,15}:(ask|claim|keep)",
    "w": "[0-9]{1,15}:[0-9]{1,15}:(if|[0-9]{1,15})",
    "y": "[0-9]{1,15}:[0-9]{1,15}:[a-z]+:.*",
    "z": "[0-9]{1,15}:[0-9]{1,15}:dot:[G-]",
    "j": "[0-9]{1,15}",
    "q": "[0-9]{1,20}",
    "i": "[a-z-]+:[0-9a-f]+",
    "f": "[0-9]{1,15}:[0-9]{1,15}:[0-9a-f]+",
    "a": "[0-9]{1,15}:[0-9a-f]+",
    "t": "[0-9]{1,15}:[0-9]{1,15}:(jump|type):[0-9a-f]+",
}

Handler: TypeAlias = Callable[[Any, str], Awaitable[None]]
CUSTOM_ID_HANDLERS: dict[str, Handler] = {}


def handles_kind(kind: str) -> Callable[[Handler], Handler]:
    """Return a decorator: the function gets the interaction and the rest of the `custom_id`."""

    def register(handler: Handler) -> Handler:
        CUSTOM_ID_HANDLERS[kind] = handler
        return handler

    return register


class BotButton(discord.ui.DynamicItem[discord.ui.Button[Any]], template="(?P<kind>[bgocervymnkuxwljq]):(?P<rest>.+)"):
    """Any button of the bot."""

    def __init__(self, button: discord.ui.Button[Any]) -> None:
        super().__init__(button)

    @classmethod
    async def from_custom_id(
        cls, interaction: discord.Interaction[Any], item: discord.ui.Item[Any], match: re.Match[str], /
    ) -> "BotButton":
        """Return the button that was pressed."""
        assert isinstance(item, discord.ui.Button)
        return cls(item)

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Hand the press to the handler of its kind."""
        await _handle_custom_id(interaction, self.custom_id)


class BotSelect(discord.ui.DynamicItem[discord.ui.Select[Any]], template="(?P<kind>[spzdh]):(?P<rest>.*)"):
    """Any select of the bot; the handler finds the value in `interaction.data`."""

    def __init__(self, select: discord.ui.Select[Any]) -> None:
        super().__init__(select)

    @classmethod
    async def from_custom_id(
        cls, interaction: discord.Interaction[Any], item: discord.ui.Item[Any], match: re.Match[str], /
    ) -> "BotSelect":
        """Return the select in which something was chosen."""
        assert isinstance(item, discord.ui.Select)
        return cls(item)

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Hand the choice to the handler of its kind."""
        await _handle_custom_id(interaction, self.custom_id)


async def handle_form(interaction: discord.Interaction[Any]) -> None:
    """Hand a form that was filled in to the handler of its kind, which finds the answers in `interaction.data`."""
    data: Any = interaction.data
    await _handle_custom_id(interaction, data["custom_id"])


async def _handle_custom_id(interaction: discord.Interaction[Any], custom_id: str) -> None:
    kind, _, rest = custom_id.partition(":")
    if kind in CUSTOM_ID_PATTERNS and re.fullmatch(CUSTOM_ID_PATTERNS[kind], rest):
        await CUSTOM_ID_HANDLERS[kind](interaction, rest)
    else:
        await interaction.response.send_message(texts.UNKNOWN_BUTTON, ephemeral=True)


def chosen_value(interaction: discord.Interaction[Any]) -> str:
    """Return the one value chosen in a select."""
    data: Any = interaction.data
    return str(data["values"][0])


def build_view(rows: Sequence[ComponentRow], prefix: str = "") -> discord.ui.View | None:
    """Return the rows as components, None without any. `prefix` goes before what each does: `g:12:3:`."""
    if not rows:
        return None
    view = discord.ui.View(timeout=None)
    for number, row in enumerate(rows):
        for item in (row,) if isinstance(row, Select) else row:
            view.add_item(
                _build_select(item, prefix, number) if isinstance(item, Select) else _build_button(item, prefix, number)
            )
    return view


def _build_button(button: Button, prefix: str, row: int) -> BotButton:
    label = (
        button.label if len(button.label) <= LONGEST_BUTTON_LABEL else f"{button.label[: LONGEST_BUTTON_LABEL - 1]}…"
    )
    style, custom_id = BUTTON_STYLES[button.style], button.action if button.is_custom_id else prefix + button.action
    return BotButton(
        discord.ui.Button(label=label, custom_id=custom_id, style=style, disabled=button.disabled, row=row)
    )


def _build_select(select: Select, prefix: str, row: int) -> BotSelect:
    options = [
        discord.SelectOption(label=label[:100], value=value, default=value == select.chosen)
        for label, value in select.options
    ]
    custom_id = (SELECT_KINDS[prefix[0]] + prefix[1:] if prefix else "") + select.action
    return BotSelect(discord.ui.Select(placeholder=select.placeholder, custom_id=custom_id, options=options, row=row))
