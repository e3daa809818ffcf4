"""Replay games in a thread beside the event loop: a long game takes as long as many commands."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import ParamSpec, TypeVar

from gipfbot.store import end_snapshot

P = ParamSpec("P")
T = TypeVar("T")
_WORKER = ThreadPoolExecutor(1, "replayer")  # more threads would starve the loop


async def replay_aside(replay: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Return what a function returns that replays a game. Others wait only if they replay a game, too.

    Ends the snapshot of this task: a task that waits must not hold a connection.

    `match.replay_turns` remembers the games that it has replayed. So code that replays a game aside first may then call
    functions that replay it again.
    """
    await end_snapshot()
    return await asyncio.get_running_loop().run_in_executor(_WORKER, lambda: replay(*args, **kwargs))
