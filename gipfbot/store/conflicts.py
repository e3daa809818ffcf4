"""Transactions on one game, which run beside others on PostgreSQL, and are tried again if another was in the way."""

from collections.abc import Callable, Coroutine, Iterator
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from functools import wraps
from typing import Any, ParamSpec, TypeVar

from gipfbot.values import Conflict

P = ParamSpec("P")
T = TypeVar("T")
TRIES_BESIDE_OTHERS = 3  # then a transaction has the database for itself, so that it is in nobody's way
_ALONE = ContextVar("alone", default=False)
_BESIDE = ContextVar("beside", default=False)


def tried_again(work: Callable[P, Coroutine[Any, Any, T]]) -> Callable[P, Coroutine[Any, Any, T]]:
    """Let a function run again if another transaction was in the way of its own. People never see that.

    For functions that do nothing but one `game_transaction`, or nothing before it that must not be done twice.
    """

    @wraps(work)
    async def until_done(*args: P.args, **kwargs: P.kwargs) -> T:
        for _ in range(TRIES_BESIDE_OTHERS):
            try:
                return await work(*args, **kwargs)
            except Conflict as conflict:
                if conflict.alone:
                    break
        with _set(_ALONE):
            return await work(*args, **kwargs)

    return until_done


def must_be_alone() -> bool:
    """Return whether the next transaction of this task must have the database for itself."""
    return _ALONE.get()


def require_alone() -> None:
    """Begin the open transaction again without others beside it, if there may be some. Raises Conflict for that.

    Call it before a transaction on one game touches what belongs to people, such as their ratings.
    """
    if _BESIDE.get():
        raise Conflict(alone=True)


def beside_others() -> AbstractContextManager[None]:
    """Note that the transaction of this task runs beside others, until the end of the `with` block."""
    return _set(_BESIDE)


@contextmanager
def _set(variable: ContextVar[bool]) -> Iterator[None]:
    token = variable.set(True)
    try:
        yield
    finally:
        variable.reset(token)
