"""What an act asks of a database."""

from typing import Any

from sqlalchemy import event

from gipfbot.store import Connection

from .acts import Act


async def statements_of(db: Connection, act: Act) -> list[tuple[str, Any]]:
    """Do an act. Return its statements and their parameters; bulk statements are left out."""
    asked = list[tuple[str, Any]]()

    def note(_: object, __: object, statement: str, parameters: Any, ___: object, many: bool) -> None:
        if not many:
            asked.append((statement, parameters))

    assert db.sync_connection
    event.listen(db.sync_connection, "before_cursor_execute", note)
    await act(db)
    event.remove(db.sync_connection, "before_cursor_execute", note)
    assert asked
    return asked
