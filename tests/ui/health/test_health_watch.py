"""When the bot is healthy: the database takes a row, and the gateway answers."""

import math
import time
from types import SimpleNamespace
from typing import Any, cast

import pytest

from gipfbot.ui.health.health_watch import ACKNOWLEDGED_SECONDS, PATIENCE_SECONDS, HealthWatch


class Signs:
    """Vital signs that a test sets."""

    def __init__(self) -> None:
        self.error, self.disk_faults, self.last_disk_fault = "", 0, ""

    async def write_trial(self) -> str:
        return self.error


class Patient:
    """A bot with a watch, and a clock that the test moves."""

    def __init__(self) -> None:
        self.seconds, self.signs = 1000.0, Signs()
        self.keeper = SimpleNamespace(_last_ack=time.perf_counter())
        self.bot = cast(Any, SimpleNamespace(app=SimpleNamespace(vital_signs=self.signs)))
        self.bot.connected, self.bot.latency, self.bot.ws = True, 0.05, SimpleNamespace(_keep_alive=self.keeper)
        self.watch = HealthWatch(self.bot, lambda: self.seconds)

    async def after(self, seconds: float) -> list[str]:
        """Return why the bot is not healthy after so many seconds with a check every ten."""
        for _ in range(int(seconds / 10)):
            self.seconds += 10
            await self.watch.check()
        return self.watch.reasons()


async def test_a_bot_that_writes_and_hears_is_healthy() -> None:
    patient = Patient()
    assert await patient.watch.check()
    assert await patient.after(3600) == []


async def test_a_minute_without_a_write_is_unhealthy(caplog: pytest.LogCaptureFixture) -> None:
    patient = Patient()
    await patient.after(10)
    patient.signs.error = "database or disk is full"
    assert await patient.after(PATIENCE_SECONDS) == []
    (said,) = await patient.after(10)
    assert said == "nothing was written to the database for 70 s: database or disk is full"
    assert "the bot is not healthy" in caplog.text
    patient.signs.error = ""
    assert await patient.after(10) == []
    assert "healthy again" in caplog.text


async def test_checks_that_do_not_come_are_unhealthy() -> None:
    """The loop that checks may itself hang."""
    patient = Patient()
    patient.seconds += PATIENCE_SECONDS + 1
    assert patient.watch.reasons() == ["nothing was written to the database for 61 s"]


async def test_a_write_of_a_game_that_fails_for_the_disk_is_unhealthy_for_a_minute() -> None:
    patient = Patient()
    patient.signs.disk_faults, patient.signs.last_disk_fault = 1, "disk I/O error"
    assert await patient.after(10) == ["a write to the database failed 0 s ago: disk I/O error"]
    assert await patient.after(PATIENCE_SECONDS) != []
    assert await patient.after(10) == []


@pytest.mark.parametrize("lost", ["disconnected", "no answer yet", "no socket", "silent"])
async def test_a_minute_without_a_gateway_is_unhealthy(lost: str) -> None:
    patient = Patient()
    await patient.after(10)
    match lost:
        case "disconnected":
            patient.bot.connected = False
        case "no answer yet":
            patient.bot.latency = math.inf
        case "no socket":
            patient.bot.latency, patient.bot.ws = math.nan, None
        case _:
            patient.keeper._last_ack -= ACKNOWLEDGED_SECONDS + 1
    assert await patient.after(PATIENCE_SECONDS) == []
    assert await patient.after(10) == ["no connection to Discord's gateway for 70 s"]
    patient.bot.connected, patient.bot.latency, patient.bot.ws = True, 0.1, None
    assert await patient.after(10) == []


async def test_a_gateway_without_news_on_its_heartbeat_counts_as_live() -> None:
    """A later discord.py may name it differently."""
    patient = Patient()
    patient.bot.ws = None
    assert patient.watch.is_gateway_live()
