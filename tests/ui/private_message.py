"""A private answer of the bot as its tests read it: a layout as text, pictures and rows."""

from collections.abc import Mapping
from typing import Any

import discord
from simcord.components import walk_components
from simcord.results import ResponseMessage

ACTION_ROW, TEXT, SECTION = (
    discord.ComponentType.action_row.value,
    discord.ComponentType.text_display.value,
    discord.ComponentType.section.value,
)


class PrivateMessage(ResponseMessage):
    """A private message of Discord's second version."""

    @property
    def content(self) -> str:
        """All its texts, each on lines of its own."""
        assert not super().content, f"of the first version: {super().content}"
        return "\n".join(item["content"] for item in walk_components(super().components) if item["type"] == TEXT)

    @property
    def rows(self) -> list[list[Mapping[str, Any]]]:
        """Its buttons and selects, row by row. A button beside a text is a row of its own."""
        top = super().components
        shown = [item for item in top if item["type"] in (ACTION_ROW, SECTION)]
        return [item["components"] if item["type"] == ACTION_ROW else [item["accessory"]] for item in shown]

    @property
    def note(self) -> str:
        """The text directly above its buttons and selects, below any picture; empty if there is none of its own."""
        top = super().components
        first = next(at for at, item in enumerate(top) if item["type"] == ACTION_ROW)
        return str(top[first - 1].get("content", "")) if first > 1 else ""

    @property
    def size(self) -> int:
        """How many components it has, of which Discord allows 40."""
        return sum(1 for _ in walk_components(super().components))


def read_private(message: ResponseMessage) -> PrivateMessage:
    """Return a private answer to be read."""
    return PrivateMessage(message._env, message._message)
