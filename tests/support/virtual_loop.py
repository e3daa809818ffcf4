"""An event loop whose time passes at once: whenever nothing can be done, its clock goes on to the next timer."""

import asyncio
from collections.abc import Coroutine
from selectors import DefaultSelector, SelectorKey
from typing import Any, TypeVar

Result = TypeVar("Result")


class _Selector(DefaultSelector):
    """Lets the clock go on instead of waiting."""

    now = 0.0

    def select(self, timeout: float | None = None) -> list[tuple[SelectorKey, int]]:
        if timeout is None:
            return super().select()
        self.now += max(0, timeout)
        return super().select(0)


class _VirtualLoop(asyncio.SelectorEventLoop):
    def __init__(self) -> None:
        self._clock = _Selector()
        super().__init__(self._clock)

    def time(self) -> float:
        return self._clock.now


def loop_time() -> float:
    """Return the time of the running loop."""
    return asyncio.get_running_loop().time()


def run_at_once(main: Coroutine[Any, Any, Result]) -> Result:
    """Run a coroutine that waits for timers only. Return what it returns."""
    with asyncio.Runner(loop_factory=_VirtualLoop) as runner:
        return runner.run(main)
