"""Count the statements that an interaction costs, at the driver: those that begin or end a transaction do not count."""

from collections.abc import Awaitable, Iterator
from contextlib import contextmanager

import pytest
from sqlalchemy import event

from .world import World

NOT_COUNTED = ("BEGIN", "COMMIT", "ROLLBACK", "SELECT pg_advisory")  # the last begins one on PostgreSQL


@contextmanager
def noted_statements(world: World) -> Iterator[list[str]]:
    """Note the statements that the bot sends to the database, in their order."""
    found = list[str]()

    def note(_: object, __: object, statement: str, *___: object) -> None:
        if not statement.startswith(NOT_COUNTED):
            found.append(" ".join(statement.split()))

    engine = world.store._engine.sync_engine
    event.listen(engine, "before_cursor_execute", note)
    try:
        yield found
    finally:
        event.remove(engine, "before_cursor_execute", note)


async def statements_of(world: World, act: Awaitable[object]) -> list[str]:
    """Let somebody do something, and wait until all that follows is done. Return the statements."""
    with noted_statements(world) as found:
        await act
        await world.env.settle()
    return found


async def assert_costs(world: World, most: int, act: Awaitable[object]) -> None:
    """Fail, and name the statements, if what somebody does costs more than `most` statements, or none."""
    found = await statements_of(world, act)
    if not 0 < len(found) <= most:
        pytest.fail("\n".join([f"{len(found)} statements, and not 1 to {most}:", *found]))
