"""Two processes on one database of PostgreSQL are killed while people play."""

from pathlib import Path

import pytest

from tests.standin import gateway
from tests.support import stores

from . import fleet_torture, killing
from .fleet_torture import Plan, torture
from .running import READY_AT_ONCE

QUICK_STARTS = f"""{READY_AT_ONCE}
from gipfbot.service.settings import gateway
gateway.IDENTIFY_SECONDS = 2
"""


@pytest.fixture
def quick_starts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let Discord want one second between shards that identify, or the test would do little but wait.

    A kill from outside comes soon, too.
    """
    monkeypatch.setattr(gateway, "IDENTIFY_SECONDS", 1.0)
    monkeypatch.setattr(fleet_torture, "LONGEST_LIFE", 3.0)
    monkeypatch.setattr(killing, "CHANGES", killing.CHANGES + QUICK_STARTS)


@pytest.mark.usefixtures("quick_starts")
async def test_two_processes_lose_and_double_nothing(
    tmp_path: Path, fork_server: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`make torture-postgres` has hundreds of kills."""
    monkeypatch.setattr(stores, "POSTGRES", True)
    tortured = await torture(tmp_path, fork_server, Plan(seed=1, processes=2, kills=5))
    assert tortured.fleet.kills.total() == 5
    assert sum(tortured.account.courses[game].played != [] for game in tortured.account.courses) > 1
