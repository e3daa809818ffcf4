"""The host is told what needs a hand: once an hour at most, all at once, and through Discord alone if need be."""

import logging
import sys
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from sqlalchemy import select

from gipfbot.figures import Figures
from gipfbot.installation import VERSION
from gipfbot.service.health.vital_signs import AGAIN_SECONDS, OwnerNews, VitalSigns
from gipfbot.store import Store, tables
from gipfbot.store.backup_folder import backup_name, note_outcome
from gipfbot.ui.health import status_texts
from gipfbot.ui.health.owner_watch import FaultWatch, OwnerWatch
from gipfbot.values import DatabaseTrouble, HostFigures, Shards, Trouble
from tests.support.halves import HALF, REST
from tests.support.repository import Repository, served
from tests.support.times import DAY, HOUR, NOW

OWNER = 99


class Desk:
    """An owner watch over real news, with a clock that the test moves."""

    def __init__(self, store: Store, shards: Shards | None = None) -> None:
        self.seconds, self.store, self.sent = 0.0, store, list[str]()
        self.signs = SimpleNamespace(disk_faults=0, last_disk_fault="", host_figures=self._figures)
        self.refusing = 0
        self.signs.backups_fault = VitalSigns(store, lambda: NOW + int(self.seconds)).backups_fault
        self.health = SimpleNamespace(
            started_at=0.0, unhealthy_since=None, can_write=True, reasons=lambda: ["no connection"]
        )
        news = OwnerNews(store, lambda: NOW + int(self.seconds))
        app = SimpleNamespace(vital_signs=self.signs, owner_news=news)
        channel = SimpleNamespace(send=self._send)
        bot = SimpleNamespace(app=app, owner=OWNER, figures=Figures(), create_dm=self._create_dm, channel=channel)
        bot.own_shards = shards
        self.bot = cast(Any, bot)
        self.watch = OwnerWatch(self.bot, cast(Any, self.health), lambda: self.seconds)

    async def _figures(self) -> HostFigures:
        return HostFigures(0, 0, None, self.refusing, 0)

    async def _create_dm(self, person: Any) -> Any:
        assert person.id == OWNER
        return self.bot.channel

    async def _send(self, text: str) -> None:
        self.sent.append(text)

    async def owed(self) -> list[list[str]]:
        """Return the sentences of each message that was queued."""
        async with self.store.reading() as db:
            rows = await db.scalars(select(tables.outbox.c.payload).order_by(tables.outbox.c.id))
            return [payload["sentences"] for payload in rows]

    async def after(self, seconds: float) -> list[list[str]]:
        """Look after so many seconds; return the messages that were queued then."""
        before = await self.owed()
        self.seconds += seconds
        await self.watch.look()
        return (await self.owed())[len(before) :]


@pytest.fixture
def desk(store: Store) -> Desk:
    return Desk(store)


def log_fault(desk: Desk, error: Exception, level: int = logging.ERROR, **extra: object) -> None:
    """Let the fault watch see an error in the log."""
    try:
        raise error
    except Exception:  # noqa: BLE001 - whatever the test raises
        trace = sys.exc_info()
    record = logging.LogRecord("gipfbot", level, "", 1, "failed", (), trace)
    record.__dict__.update(extra)
    watch = FaultWatch(desk.bot, desk.watch)
    if level >= watch.level:
        watch.emit(record)


async def test_nothing_needs_a_hand(desk: Desk) -> None:
    assert await desk.after(HOUR) == []


async def test_all_that_happens_within_an_hour_is_one_message(desk: Desk) -> None:
    desk.signs.disk_faults, desk.signs.last_disk_fault = 1, "database or disk is full"
    assert await desk.after(10) == [[status_texts.disk_fault_text("database or disk is full")]]
    for _ in range(3):
        log_fault(desk, KeyError("secret"))
    desk.refusing = 5
    assert await desk.after(HOUR / 2) == []
    (told,) = await desk.after(HOUR / 2)
    servers, fault = status_texts.undeliverable_servers_text(5), status_texts.fault_kind_text("KeyError", 3)
    assert sorted(told) == sorted([servers, fault])


async def test_what_lasts_is_told_again_after_a_day(desk: Desk) -> None:
    desk.refusing = 6
    assert len(await desk.after(400)) == 1
    assert await desk.after(AGAIN_SECONDS - 300) == []
    assert len(await desk.after(400)) == 1


async def test_four_refusing_servers_are_not_told(desk: Desk) -> None:
    desk.refusing = 4
    assert await desk.after(400) == []


async def test_a_restart_shortens_neither_the_hour_nor_the_day(desk: Desk) -> None:
    desk.refusing = 5
    await desk.after(400)
    desk.watch = OwnerWatch(desk.bot, cast(Any, desk.health), lambda: desk.seconds)
    assert await desk.after(400) == []
    log_fault(desk, KeyError())
    assert await desk.after(400) == []
    assert await desk.after(HOUR) == [[status_texts.fault_kind_text("KeyError", 1)]]
    assert len(await desk.after(AGAIN_SECONDS - HOUR)) == 1


async def test_what_lasts_is_told_once_a_day_by_all_processes_together(store: Store) -> None:
    desks = [Desk(store, shards) for shards in (HALF, REST)]
    for desk in desks:
        desk.refusing = 7
    for _ in range(AGAIN_SECONDS // 600):
        for desk in desks:
            await desk.after(600)
    assert await desks[0].owed() == [[status_texts.undeliverable_servers_text(7)]]


async def test_what_several_processes_have_to_say_within_an_hour_is_one_message(store: Store) -> None:
    first, second = Desk(store, HALF), Desk(store, REST)
    for desk in (first, second):
        desk.health.unhealthy_since = 0.0
        desk.seconds = 600
    assert await first.after(0) == [["Shards 0-3/8: It has not been healthy for 10 minutes: no connection."]]
    log_fault(second, KeyError())
    assert await second.after(0) == []
    second.seconds += HOUR
    unhealthy = "Shards 4-7/8: It has not been healthy for 10 minutes: no connection."
    fault = f"Shards 4-7/8: {status_texts.fault_kind_text('KeyError', 1)}"
    log_fault(first, TypeError())
    told = f"Shards 0-3/8: {status_texts.fault_kind_text('TypeError', 1)}"
    assert await first.after(HOUR) == [[fault, unhealthy, told]]
    assert await second.after(0) == []


async def test_old_backups_are_told_once_a_day(desk: Desk, tmp_path: Path) -> None:
    """If there is none at all, that is told once the bot has run for two days."""
    desk.watch.backups = tmp_path
    made_at, ending = datetime.fromtimestamp(NOW, UTC), desk.store.backend.backup_ending
    assert await desk.after(2 * DAY) == []
    assert await desk.after(HOUR) == [[f"There is no backup in {tmp_path} that ends in .{ending}."]]
    (tmp_path / backup_name(made_at, ending)).touch()
    assert await desk.after(2 * HOUR) == []
    assert await desk.after(DAY) == [[f"The newest backup in {tmp_path} is 3 days old."]]
    note_outcome(tmp_path, "x.dump cannot be written: make room.", made_at + timedelta(days=3))
    said = "The last backup failed, so no older one was deleted: x.dump cannot be written: make room."
    assert await desk.after(DAY) == [[said]]
    (tmp_path / backup_name(made_at + timedelta(days=4), ending)).touch()
    assert await desk.after(DAY) == []


async def test_ten_unhealthy_minutes_are_told(desk: Desk) -> None:
    desk.health.unhealthy_since = 0.0
    assert await desk.after(590) == []
    assert await desk.after(20) == [["It has not been healthy for 10 minutes: no connection."]]


async def test_without_a_database_it_is_sent_directly_once_an_hour(desk: Desk) -> None:
    desk.health.can_write = False
    desk.signs.disk_faults, desk.signs.last_disk_fault = 1, "disk I/O error"
    assert await desk.after(10) == []
    assert len(desk.sent) == 1
    assert "disk I/O error" in desk.sent[0]
    log_fault(desk, KeyError())
    await desk.after(HOUR - 1)
    assert len(desk.sent) == 1
    await desk.after(2)
    assert "KeyError" in desk.sent[1]


async def test_expected_errors_are_counted_but_not_told(desk: Desk) -> None:
    """The network's pass by themselves; those of the disk are told by what SQLite says. Warnings are neither."""
    for error in (ConnectionError(), DatabaseTrouble(Trouble.FULL)):
        log_fault(desk, error)
    log_fault(desk, KeyError(), logging.WARNING)
    assert await desk.after(10) == []
    assert desk.bot.figures.faults_by_kind() == {"ConnectionError": 1, "DatabaseTrouble": 1}


async def test_a_clock_jump_is_told(desk: Desk) -> None:
    log_fault(desk, KeyError(), logging.WARNING, tell_owner="clock")
    assert await desk.after(10) == [["Failed. Is the clock of its machine set by NTP?"]]


async def test_nobody_is_told_without_an_owner(desk: Desk) -> None:
    desk.bot.owner, desk.refusing = None, 9
    log_fault(desk, KeyError())
    assert await desk.after(400) == []
    assert desk.sent == []


def test_the_message_has_room_for_all() -> None:
    text = status_texts.owner_news_text(["x" * status_texts.LONGEST_SENTENCE] * 50)
    assert len(text) <= 2000
    assert "… and 38 more" in text


# ── Newer versions ──


@pytest.fixture
async def repository(desk: Desk) -> AsyncIterator[Repository]:
    """Return a repository, which the owner's watch asks."""
    async with served(VERSION) as repository:
        desk.watch.updates = repository.address
        yield repository


async def test_a_newer_version_is_told_once(desk: Desk, repository: Repository) -> None:
    """Also after a restart. It is asked for once a day, and the next version is told again."""
    assert await desk.after(400) == []
    repository.versions += ["98.0.0", "9.0.0"]
    assert await desk.after(HOUR) == []
    assert await desk.after(AGAIN_SECONDS) == [[status_texts.newer_version_text("98.0.0")]]
    assert repository.asked == ["/gipf/info/refs?service=git-upload-pack"] * 2
    for _ in range(3):
        assert await desk.after(AGAIN_SECONDS) == []
    updates = desk.watch.updates
    desk.watch = OwnerWatch(desk.bot, cast(Any, desk.health), lambda: desk.seconds)
    desk.watch.updates = updates
    assert await desk.after(400) == []
    desk.refusing = 5
    assert await desk.after(AGAIN_SECONDS) == [[status_texts.undeliverable_servers_text(5)]]
    desk.refusing = 0
    repository.versions += ["98.0.1"]
    assert await desk.after(AGAIN_SECONDS) == [[status_texts.newer_version_text("98.0.1")]]


async def test_all_processes_together_tell_of_a_version_once(store: Store, repository: Repository, desk: Desk) -> None:
    repository.versions += ["98.0.0"]
    other = Desk(store, REST)
    other.watch.updates = desk.watch.updates
    for each in (desk, other) * 3:
        await each.after(AGAIN_SECONDS)
    assert await desk.owed() == [[status_texts.newer_version_text("98.0.0")]]


async def test_nobody_is_asked_unless_the_host_wants_that(desk: Desk, repository: Repository) -> None:
    """Nor without an owner, whom nobody could tell."""
    updates, desk.watch.updates = desk.watch.updates, None
    await desk.after(AGAIN_SECONDS)
    desk.watch.updates, desk.bot.owner = updates, None
    await desk.after(AGAIN_SECONDS)
    assert repository.asked == []


@pytest.mark.parametrize("status", [301, 404, 503])
async def test_an_answer_without_versions_is_a_line_of_the_log(
    desk: Desk, repository: Repository, status: int, caplog: pytest.LogCaptureFixture
) -> None:
    """A redirection is not followed: only the address of the settings is asked."""
    repository.status, repository.versions = status, ["98.0.0"]
    assert await desk.after(400) == []
    assert caplog.messages == [f"GIPFBOT_UPDATES says nothing of newer versions: it answers {status}"]
    assert len(repository.asked) == 1


async def test_a_repository_that_is_away_is_a_line_of_the_log(desk: Desk, caplog: pytest.LogCaptureFixture) -> None:
    """The address, which may hold a password, is not in it."""
    desk.watch.updates = "http://ann:hush@127.0.0.1:9/gipf"
    assert await desk.after(400) == []
    (said,) = caplog.messages
    assert said.startswith("GIPFBOT_UPDATES says nothing of newer versions: it does not answer (")
