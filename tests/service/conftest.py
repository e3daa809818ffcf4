"""The service on a real database, with a clock that the test moves."""

import pytest
from sqlalchemy import update

from gipfbot.service.app import App, create_app
from gipfbot.service.delivery.board_message import BOARD
from gipfbot.service.delivery.outbox import Outbox
from gipfbot.store import Store, tables


class Clock:
    """A clock that the test moves."""

    time = 1_000_000

    def __call__(self) -> int:
        return self.time


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def service(store: Store, clock: Clock) -> App:
    return create_app(store, clock, lambda: True)


def posting(service: App) -> Outbox:
    """Return what delivers the messages that a service owes."""
    return Outbox(service.games.store, service.now)


async def posted(store: Store) -> None:
    """Let all boards that are owed have been posted when they became due."""
    async with store.transaction() as db:
        row = tables.outbox.c
        owed = row.kind == BOARD, row.done_at.is_(None)
        await db.execute(update(tables.outbox).where(*owed).values(done_at=row.created_at, message=row.id))
