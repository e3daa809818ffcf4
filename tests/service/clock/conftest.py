"""What tests of clocks ask of the services."""

import pytest

from gipfbot.service.app import App
from gipfbot.service.clock.digests import Digests
from gipfbot.service.clock.reminders import Reminders
from gipfbot.service.clock.undeliverable import UndeliverableBoards
from gipfbot.service.clock.vacations import Vacations
from tests.service.helpers import Host

from .digesting import START


@pytest.fixture
def starts(host: Host) -> None:
    """Let the host's clock say noon of a winter day."""
    host.now = START


@pytest.fixture
def digests(app: App) -> Digests:
    return app.digests


@pytest.fixture
def reminders(app: App) -> Reminders:
    return app.reminders


@pytest.fixture
def undeliverable(app: App) -> UndeliverableBoards:
    return app.undeliverable


@pytest.fixture
def vacations(app: App) -> Vacations:
    return app.vacations
