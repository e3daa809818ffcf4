"""Read typed texts in a thread: on a crowded board one takes up to a second, and everybody else would wait."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import ParamSpec, TypeVar

from gipfbot.match import Refused
from gipfbot.notation import NotationError

from .client import Interaction

P = ParamSpec("P")
T = TypeVar("T")


async def work_on_text(interaction: Interaction, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Return what a pure function makes of a typed text. One runs at a time, and people are served in rotation."""
    async with interaction.client.readings.slot(interaction.user.id):
        return await asyncio.to_thread(work, *args, **kwargs)


async def read_aside(interaction: Interaction, read: Callable[P, object], *args: P.args, **kwargs: P.kwargs) -> None:
    """Let a function read a typed text in a thread. If it is called again, it remembers what it has read.

    What is wrong with the text is told by that second call only. Ends the snapshot of the database.
    """
    await interaction.client.app.end_snapshot()
    with suppress(NotationError, Refused):
        await work_on_text(interaction, read, *args, **kwargs)
