"""The services on a real database, on a host whose clock a test moves."""

import pytest

from gipfbot.service.app import App, create_app
from gipfbot.service.clock.flag_watch import FlagWatch
from gipfbot.store import Store
from gipfbot.values import NO_LIMITS

from .helpers import Host


@pytest.fixture
def host() -> Host:
    return Host()


@pytest.fixture
def app(store: Store, host: Host) -> App:
    return create_app(store, lambda: host.now, lambda: True, limits=NO_LIMITS)


@pytest.fixture
async def flag_watch(app: App, host: Host) -> FlagWatch:
    """A watch that has made its first pass."""
    watch = FlagWatch(app.games.store, lambda: host.now, lambda: host.ticks)
    await watch.check_flags()
    return watch
