"""Run at once what the bot runs away from its event loop."""

from typing import Any


async def run_here(work: Any, *args: object) -> Any:
    """Run slow work here, as the bot runs it aside."""
    return work(*args)
