"""Two processes on one database of PostgreSQL are killed while people play."""

from pathlib import Path

import pytest

from tests.support import stores

from .fleet_torture import Plan, torture


async def test_two_processes_lose_and_double_nothing(
    tmp_path: Path, fork_server: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`make torture-postgres` has hundreds of kills."""
    monkeypatch.setattr(stores, "POSTGRES", True)
    tortured = await torture(tmp_path, fork_server, Plan(seed=1, processes=2, kills=4))
    assert tortured.fleet.kills.total() == 4
    assert tortured.account.courses
