"""The public message on changed settings of a server. It pings nobody, and does not say who changed them."""

from collections.abc import Collection, Iterator

from gipfbot.service.app import App
from gipfbot.service.settings.servers import (
    SETTINGS_CHANGED,
    SETTINGS_FROM_NOW_ON,
    SETTINGS_OF_NEW_GAMES,
    TOLD_SETTINGS,
)
from gipfbot.ui.kit.components import Button
from gipfbot.ui.kit.outbox_messages import OutboxMessage, outbox_message
from gipfbot.ui.kit.texts import join_lines
from gipfbot.ui.lobby.lobby_texts import FIND_OPPONENT_LABEL
from gipfbot.values import OutboxRow

from .server_texts import SERVER_LABELS, server_value_text

HEADING = "**GIPF settings for this server have changed**"
# What stands above the settings that do not hold for everything at once.
HEADINGS = {
    "For new games, running ones stay as they are:": SETTINGS_OF_NEW_GAMES,
    "From now on:": SETTINGS_FROM_NOW_ON,
}


@outbox_message(SETTINGS_CHANGED)
async def build_setting_news(_: App, row: OutboxRow) -> OutboxMessage:
    """Build the message on changed settings, with a button to the open challenges."""
    changed = [name for name in TOLD_SETTINGS if name in row.payload["before"]]
    parts = (_part_text(row, heading, names) for heading, names in HEADINGS.items() if {*names} & {*changed})
    button = Button(FIND_OPPONENT_LABEL, "find_opponent")
    return OutboxMessage(join_lines(HEADING, *parts), rows=((button,),))


def _part_text(row: OutboxRow, heading: str, names: Collection[str]) -> str:
    return join_lines(heading, *_change_lines(row, names))


def _change_lines(row: OutboxRow, names: Collection[str]) -> Iterator[str]:
    before, after = row.payload["before"], row.payload["after"]
    for name in names:
        if name in before:
            old, new = (server_value_text(name, values[name]) for values in (before, after))
            yield f"- {SERVER_LABELS[name]}: {old} → **{new}**"
