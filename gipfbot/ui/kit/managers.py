"""The check that a person manages the server: with the permission Manage Server, at this moment.

Discord checks it, too, but a server may give its commands to anybody.
"""

from . import texts
from .client import Interaction
from .respond import show_reply


async def check_manager(interaction: Interaction, **_: object) -> bool:
    """Return whether the person manages the server at this moment. If not, tell them so."""
    if interaction.guild is None:
        await show_reply(interaction, texts.ONLY_ON_SERVERS)
    elif not interaction.permissions.manage_guild:
        await show_reply(interaction, texts.ONLY_FOR_MANAGERS)
    return interaction.guild is not None and interaction.permissions.manage_guild
