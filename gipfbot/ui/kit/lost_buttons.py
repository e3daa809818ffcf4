"""Buttons and forms from a time that is lost, because the database was restored from a backup.

What they name does not exist any more, or is another state of a game. Public buttons are told by the mark of their
outbox row; private ones by the tag of the database's life.
"""

from collections.abc import Collection

import discord

from .client import Interaction

# What the database has numbered.
STORED_PARTS = frozenset({"game", "study", "challenge", "request", "line", "follow", "puzzle"})


class FromLostTime(Exception):
    """A button or form is from a time that is lost. Nothing may be done for it."""


async def check_not_lost(interaction: Interaction, mark: str, parts: Collection[str]) -> None:
    """Raise FromLostTime if a button or form is from a time that is lost.

    `mark` ends its `custom_id`; `parts` are the names of what the rest says. Asks the database only if the message is
    from a lost time. A private message from before the backup counts as lost, too: it may have changed since.
    """
    if not interaction.client.app.lives.lost_times:
        return
    message = interaction.message
    is_form = interaction.type is discord.InteractionType.modal_submit
    if message is None or is_form or message.flags.ephemeral:
        if STORED_PARTS.intersection(parts) and mark != interaction.client.app.lives.tag:
            raise FromLostTime
    elif await _is_lost_message(interaction, message.id, mark):
        raise FromLostTime


async def _is_lost_message(interaction: Interaction, message: int, mark: str) -> bool:
    """Return whether a public message was posted in a lost time. Its row tells, even if its buttons lost their mark."""
    lives, place = interaction.client.app.lives, message_place(interaction)
    if not lives.is_lost(discord.utils.snowflake_time(message).timestamp()):
        return False
    return not place or not await lives.knows_message(mark, place, message)


def message_place(interaction: Interaction) -> int | None:
    """Return where the outbox has posted the message that was pressed: its channel, or the person it is with."""
    return interaction.user.id if interaction.guild_id is None else interaction.channel_id
