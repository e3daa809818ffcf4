"""Tracebacks without what a person may have typed: only errors that quote nobody say more than their kind."""

import traceback
from collections.abc import Iterator

# What these say are names in the program, addresses and codes. A ValueError or a KeyError may quote a typed text.
TELLING_KINDS = (OSError, ArithmeticError, AttributeError, ImportError, IndexError, NameError, RuntimeError, TypeError)
TELLING_MODULES = (
    *("sqlite3", "sqlalchemy", "aiosqlite", "alembic", "aiohttp", "asyncio", "concurrent"),
    *("discord.errors", "discord.gateway", "gipfbot.values.errors"),
)
LEFT_OUT = "(what it says is left out: it may quote somebody)"
MOST_CHAINED = 10  # errors that led to an error


def trace_text(error: BaseException) -> str:
    """Return the traceback of an error and of those that led to it, as several lines."""
    return "\n".join(_trace_lines(error, MOST_CHAINED))


def _trace_lines(error: BaseException, most: int) -> Iterator[str]:
    before = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    if before is not None and most > 0:
        yield from _trace_lines(before, most - 1)
        yield "This led to:"
    if error.__traceback__ is not None:
        yield "Traceback (most recent call last):"
        yield "".join(traceback.format_tb(error.__traceback__)).rstrip("\n")
    yield error_words(error)
    if isinstance(error, BaseExceptionGroup) and most > 0:
        for each in error.exceptions:
            yield from _trace_lines(each, most - 1)


def error_words(error: BaseException) -> str:
    """Return the kind of an error, and what it says if that quotes nobody."""
    kind, module = type(error).__qualname__, type(error).__module__
    name = kind if module == "builtins" else f"{module}.{kind}"
    if not is_telling(error):
        return f"{name} {LEFT_OUT}"
    return f"{name}: {error}"


def is_telling(error: BaseException) -> bool:
    """Return whether what an error says can be logged."""
    module = type(error).__module__
    return isinstance(error, TELLING_KINDS) or any(
        module == each or module.startswith(f"{each}.") for each in TELLING_MODULES
    )
