"""The service on a real database, with a clock that the test moves."""

import pytest

from gipfbot.service.service import Service
from gipfbot.store import Store


class Clock:
    """A clock that the test moves."""

    time = 1_000_000

    def __call__(self) -> int:
        return self.time


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def service(store: Store, clock: Clock) -> Service:
    return Service(store, clock, lambda: True)
