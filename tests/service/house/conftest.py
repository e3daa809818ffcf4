"""A bot that plays, with its own engine in a thread."""

import pytest

from gipfbot.service.app import App, create_app
from gipfbot.store import Store
from gipfbot.values import NO_LIMITS
from tests.service.helpers import Host
from tests.support.engines import EngineInThread


@pytest.fixture
def engine() -> EngineInThread:
    return EngineInThread()


@pytest.fixture
def app(store: Store, host: Host, engine: EngineInThread) -> App:
    return create_app(store, lambda: host.now, lambda: True, limits=NO_LIMITS, engine=engine)
