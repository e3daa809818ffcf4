"""Remember readings of typed texts: on a crowded board one takes up to a second, and is needed more than once. Pure."""

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import ParamSpec, TypeVar

from gipfbot.notation import NotationError

from .errors import Refused

P = ParamSpec("P")
Reading = TypeVar("Reading")


def remember_reading(read: Callable[P, Reading]) -> Callable[P, Reading]:
    """Wrap a pure function that reads a text: what it has returned, refused or found wrong lately is remembered.

    For use as a decorator. All arguments must be hashable.
    """

    @lru_cache(maxsize=64)
    def outcome(*args: P.args, **kwargs: P.kwargs) -> tuple[Reading | None, NotationError | Refused | None]:
        try:
            return read(*args, **kwargs), None
        except (NotationError, Refused) as fault:
            return None, fault

    @wraps(read)
    def remembered(*args: P.args, **kwargs: P.kwargs) -> Reading:
        found, fault = outcome(*args, **kwargs)  # type: ignore[arg-type]  # hashable, which a ParamSpec cannot say
        if fault:
            raise fault.with_traceback(None)
        return found  # type: ignore[return-value]  # None only beside a fault

    return remembered
