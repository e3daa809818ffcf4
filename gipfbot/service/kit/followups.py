"""Followups: functions that run after an event.

The module that causes the event need not import the modules whose functions run.
"""

from collections.abc import Awaitable, Callable
from typing import Generic, ParamSpec

Arguments = ParamSpec("Arguments")


class Followups(Generic[Arguments]):
    """Functions that run one after the other whenever an event happens."""

    def __init__(self) -> None:
        self._registered = list[Callable[Arguments, Awaitable[None]]]()

    def __call__(self, followup: Callable[Arguments, Awaitable[None]]) -> Callable[Arguments, Awaitable[None]]:
        """Register a function to run at the event. For use as a decorator."""
        self._registered.append(followup)
        return followup

    async def run(self, *arguments: Arguments.args, **keywords: Arguments.kwargs) -> None:
        """Run all registered functions, in the order of their registration."""
        for followup in self._registered:
            await followup(*arguments, **keywords)


class FollowupsByKind(Generic[Arguments]):
    """Functions that run whenever an event happens to an outbox row of their kind."""

    def __init__(self) -> None:
        self._registered: dict[str, Followups[Arguments]] = {}

    def __call__(
        self, *kinds: str
    ) -> Callable[[Callable[Arguments, Awaitable[None]]], Callable[Arguments, Awaitable[None]]]:
        """Return a decorator that registers a function for outbox rows of these kinds."""

        def register(followup: Callable[Arguments, Awaitable[None]]) -> Callable[Arguments, Awaitable[None]]:
            for kind in kinds:
                self._registered.setdefault(kind, Followups())(followup)
            return followup

        return register

    async def run(self, kind: str, *arguments: Arguments.args, **keywords: Arguments.kwargs) -> None:
        """Run the functions that are registered for this kind of outbox row."""
        if kind in self._registered:
            await self._registered[kind].run(*arguments, **keywords)
