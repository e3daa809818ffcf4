"""The machine that runs the bot: its clock, its crashes, and the bot itself, which never connects."""

import logging
from collections import Counter
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Any

import discord

from gipfbot.languages import Language
from gipfbot.service.app import create_app
from gipfbot.service.clock.downtime import LAST_ALIVE_KEY
from gipfbot.store import Store, clocks, meta
from gipfbot.ui.delivery.delivery import Delivery
from gipfbot.values import NO_LIMITS
from tests.bench.recording import RecordingBot, SentMessage, Wall
from tests.support.engines import EngineInThread

from .clocks import SWEEP
from .languages import in_one_language

UNSEEN = """WITH unseen AS (SELECT game FROM outbox WHERE kind = 'board' AND done_at IS NULL)"""
DUE = f"""{UNSEEN} SELECT min(at) FROM (
    SELECT min(deadline_at) + 1 AS at FROM games WHERE deadline_at IS NOT NULL AND id NOT IN (SELECT game FROM unseen)
    UNION ALL SELECT min(at) FROM due WHERE done_at IS NULL AND kind NOT IN ('house', 'untold')
    UNION ALL SELECT min(max(not_before, coalesce(leased_until, 0))) FROM outbox AS row WHERE done_at IS NULL
        AND NOT EXISTS (SELECT 1 FROM outbox WHERE game = row.game AND id < row.id AND done_at IS NULL)
    UNION ALL SELECT min(expires_at) FROM challenges WHERE state = 'open'
    UNION ALL SELECT min(expires_at) FROM requests WHERE state = 'open')"""
STANDS = "SELECT status <> 'running' AS over, flagged FROM games WHERE id = ?"
OVERDUE = f"{UNSEEN} SELECT count(*) FROM games WHERE deadline_at < ? AND id NOT IN (SELECT game FROM unseen)"
RUNNING = """SELECT id, turn_number, waiting_user, deadline_at, paused_left, flagged
    FROM games WHERE status = 'running'"""


class Crash(BaseException):
    """The process dies."""


class Errors(logging.Handler):
    """Keep every error that is logged."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.found: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        """Keep an error with its traceback."""
        self.found.append(logging.Formatter().format(record))


@dataclass
class Host:
    """The host at the `true` time. `offset` is the error of its clock, `looked` the time of the last sweep."""

    store: Store
    true: int
    rng: Random
    note: Callable[[SentMessage], None]
    offset: int = 0
    looked: int = 0
    dies: float = 0.0  # the chance that the process dies during a post
    fails: float = 0.0  # the chance that Discord refuses a post
    down_until: int = 0  # the true time at which an outage of Discord ends
    spared: Collection[int] = ()  # places without crashes and failures
    languages: Mapping[int, Language] = field(default_factory=dict)  # of people and channels, by id
    spoken: Counter[str] = field(default_factory=Counter)  # how many messages were built in which language
    told: int = 0  # when, on the host's clock, the bot last noted that it runs
    bot: RecordingBot = field(init=False)
    wall: Wall = field(init=False)
    errors: Errors = field(default_factory=Errors)

    def __post_init__(self) -> None:
        self.wall = Wall(lambda: self.true, self.note, before=self._before, after=self._maybe_dies)
        self.looked = self.true

    def now(self) -> int:
        """Return the time on the host's clock."""
        return self.true + self.offset

    async def start(self) -> None:
        """Start the bot as its setup_hook does. The caller makes the first sweep."""
        engine = EngineInThread()
        app = create_app(self.store, self.now, lambda: True, lambda: self.true, NO_LIMITS, engine=engine)
        self.bot = RecordingBot(app, self.wall)
        assert isinstance(self.bot.delivery, Delivery)
        for kind, builder in self.bot.delivery.builders.items():
            self.bot.delivery.builders[kind] = in_one_language(builder, self.languages, self.spoken)
        self.bot.house_loop.wake = lambda: None  # type: ignore[method-assign]  # the course of time lets it play
        await self.bot.app.house.release_leases()
        await self.bot.app.outbox.release_leases()

    def _before(self, place: int) -> None:
        self._maybe_dies(place)
        if (self.true < self.down_until or self.rng.random() < self.fails) and place not in self.spared:
            if code := _CODES_OF_BAD_MOMENTS[self.true % len(_CODES_OF_BAD_MOMENTS)]:
                raise discord.Forbidden(_FORBIDDEN, {"code": code, "message": "a bad moment"})
            raise discord.DiscordServerError(_SERVER_ERROR, "a bad moment")

    def _maybe_dies(self, place: int) -> None:
        if self.rng.random() < self.dies and place not in self.spared:
            raise Crash

    async def alive(self, at: int) -> None:
        """Note what sweeps with nothing due would have noted, up to this true time."""
        last = at - (at - self.looked) % SWEEP
        if last > self.looked:
            self.looked, self.told = last, last + self.offset
            async with self.store.transaction() as db:
                await meta.save_value(db, LAST_ALIVE_KEY, str(self.told))

    async def look(self, at: int) -> None:
        """Let the bot sweep at this true time. May raise Crash."""
        self.true = self.looked = at
        self.told = self.now()
        await self.bot.sweep_once()

    def next_look(self, moment: int) -> int:
        """Return the true time of the first sweep at this moment or later."""
        return self.looked + max(SWEEP, -(-(moment - self.looked) // SWEEP) * SWEEP)

    async def due(self) -> int | None:
        """Return the true time at which the next thing becomes due, or None."""
        async with self.store.reading() as db:
            at = (await db.exec_driver_sql(DUE)).scalar()
        return None if at is None else int(at) - self.offset

    async def stands(self, game_id: int) -> Any:
        """Return whether a game is over, and whether a player is flagged in it."""
        async with self.store.reading() as db:
            return (await db.exec_driver_sql(STANDS, (game_id,))).one()

    async def is_away(self, user: int) -> bool:
        """Return whether a person is on vacation according to the bot."""
        async with self.store.reading() as db:
            return await clocks.current_vacation(db, user) is not None

    async def overdue(self) -> int:
        """Return how many players should have been flagged, except those who were not yet told of their turn."""
        async with self.store.reading() as db:
            return int((await db.exec_driver_sql(OVERDUE, (self.now(),))).scalar_one())

    async def running(self) -> list[Any]:
        """Return the rows of all running games."""
        async with self.store.reading() as db:
            return list(await db.exec_driver_sql(RUNNING))


_CODES_OF_BAD_MOMENTS = (0, 40333, 40004, 987654)  # of refusals; 0 for an error of Discord's servers
_FORBIDDEN: Any = type("Answer", (), {"status": 403, "reason": "Forbidden"})()
_SERVER_ERROR: Any = type("Answer", (), {"status": 500, "reason": "Internal Server Error"})()
