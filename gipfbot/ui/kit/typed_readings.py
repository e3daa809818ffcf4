"""Read typed texts in a thread: on a crowded board one takes up to a second, and everybody else would wait."""

from collections.abc import Callable
from contextlib import suppress
from typing import ParamSpec

from gipfbot.match import Refused
from gipfbot.notation import NotationError

from .client import Interaction

P = ParamSpec("P")


async def read_aside(interaction: Interaction, read: Callable[P, object], *args: P.args, **kwargs: P.kwargs) -> None:
    """Let a function read a typed text in a thread. If it is called again, it remembers what it has read.

    What is wrong with the text is told by that second call only. Ends the snapshot of the database.
    """
    with suppress(NotationError, Refused):
        await interaction.client.readings.run(interaction.user.id, read, *args, **kwargs)
