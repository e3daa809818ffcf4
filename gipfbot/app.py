"""The wiring: settings, store, service, bot. Only this module knows all parts of the program."""

import asyncio
import gc
import logging
import os
import platform
import random
import signal
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import aiohttp
import discord
import yarl
from discord import VoiceClient
from discord.gateway import DiscordWebSocket
from discord.http import Route

from gipfbot import compiled
from gipfbot.engines.speed import measure_speed
from gipfbot.engines.worker import OWN, SEAT, SeatedEngine, Worker
from gipfbot.installation import VERSION, revision
from gipfbot.logs import say_folded, set_up_logging
from gipfbot.service.app import create_app
from gipfbot.service.health.failed_runs import note_failed_run, read_failed_runs
from gipfbot.service.house.house_player import Engine
from gipfbot.settings import Settings, SettingsError, load_settings
from gipfbot.store import Store
from gipfbot.store.backends import backend_of_url
from gipfbot.tools.commands import BAD_USE, complain
from gipfbot.ui.bot import GipfBot
from gipfbot.ui.health.owner_watch import FaultWatch
from gipfbot.ui.sharded_bot import NO_ANSWER, SMALL_BOT, GatewayAdvice, ShardedBot, ask_gateway
from gipfbot.values import (
    DEFAULT_LIMITS,
    UNLIMITED,
    DatabaseTrouble,
    Limits,
    Outdated,
    Shards,
    Unusable,
    WrongShards,
)

from .store.database_file import TIMELINE, file_beside, keep_private
from .watchdog import HANGS, OPENING, WAITING, LoopWatch, say_health, say_status

if TYPE_CHECKING:
    from .ui.health.health_watch import HttpPage

log = logging.getLogger(__name__)
SHUTDOWN_GRACE, CLOSE_SECONDS = 1, 2  # seconds; hosting.md promises an end in 5: two of the first, one of the second
FOLDED_SECONDS = 60  # between two checks for due counts of folded faults
# Python's exit code after an error that nobody expected, and that of docker and the shell after SIGKILL.
UNEXPECTED, KILLED = 1, 137
AUTHENTICATION_FAILED, SHARDING_CODES = 4004, (4010, 4011)
WANTS_OTHER_SHARDS = "Discord wants more shards: write auto for GIPFBOT_SHARDS, or a larger number of them."
OUTGROWN = "Discord wants more shards than at the start of the bot: start it again, and it asks how many."
# New objects before a pass of Python's garbage collector, and passes over younger objects before one over older ones.
COLLECTOR_WAITS = 10_000, 20, 50
# After so many seconds a busy thread lets another one go on. With Python's own 0.005, a press that came while a turn
# was being saved waited up to 0.14 s for its acknowledgement.
SWITCH_SECONDS = 0.001
# In a simulation, programs press buttons faster than people do.
SIMULATED = replace(DEFAULT_LIMITS, interaction_burst=UNLIMITED, suggestion_burst=UNLIMITED)
# The errors if the bot cannot connect at its start, or if Discord disconnects it for good.
OUTAGE = (
    aiohttp.ClientError,
    TimeoutError,
    discord.ConnectionClosed,
    discord.GatewayNotFound,
    discord.HTTPException,
)


class DiscordUnreachable(Exception):
    """Discord cannot be reached, or has closed the connection for good."""


def utc_now() -> int:
    """Return the time in UTC seconds. It comes from discord.py, whose clock a simulation can move."""
    return int(discord.utils.utcnow().timestamp())


def draw_lot() -> bool:
    """Return at random whether a challenger gets White."""
    return random.random() < 0.5


def steady_seconds() -> float:
    """Return the seconds of a clock that cannot be set. If possible, it also counts while the machine is suspended."""
    return time.clock_gettime(getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC))


def calm_collector() -> None:
    """Make the garbage collector ignore all objects loaded so far, and check new objects less often.

    With its default settings it takes up to a fifth of the time of a long completion. Call this once, before the work
    begins.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(*COLLECTOR_WAITS)


def create_bot(
    store: Store,
    settings: Settings | None = None,
    limits: Limits = SIMULATED,
    engine: Engine | None = None,
    advice: GatewayAdvice = SMALL_BOT,
    seated: Mapping[str, Engine] = MappingProxyType({}),
) -> GipfBot:
    """Return a bot on this store. `engine` searches for the house player; without one it plays by the rules alone.

    `seated` holds the engines by their names, `OWN` for the bot's own search. Players can choose the others.
    The bot has the shards of the settings, or all that Discord advises; see `ShardedBot`.

    Without `settings`, the bot is for a simulation: it trusts the system clock, does not detect jumps of that clock
    while it runs, makes no puzzles by itself, and has no heartbeat file. `limits` applies only without `settings`.
    """
    VoiceClient.warn_nacl = VoiceClient.warn_dave = False  # libraries for voice, which this bot never uses
    limits = settings.limits if settings else limits
    timeline_file = _timeline_file(store, settings) if settings else None
    steady, most_puzzles = (steady_seconds, settings.puzzles) if settings else (None, 0)
    app = create_app(store, utc_now, draw_lot, steady, limits, timeline_file, engine, most_puzzles, seated)
    if settings is None:
        return GipfBot(app)
    shards = settings.shards or Shards(0, advice.shards - 1, advice.shards)
    kept = settings.heartbeat, settings.owner
    bot = GipfBot(app, *kept) if shards.count == 1 else ShardedBot(app, shards, advice.at_once, *kept)
    bot.vitals.told = say_health
    bot.owner_watch.backups, bot.owner_watch.updates = settings.backups, settings.updates
    if settings.requests_per_second:
        bot.watch.spread(settings.requests_per_second)
    return bot


def _timeline_file(store: Store, settings: Settings) -> Path:
    """Return the path of the timeline file: beside the database's file, or else beside the heartbeat file.

    Each of several processes has a file of its own.
    """
    name = f"database-{store.shards.first}" if store.shards else "database"
    return file_beside(store.backend.file or settings.heartbeat.absolute().with_name(name), TIMELINE)


def run_bot(_: Sequence[str]) -> int:
    """Run the bot until it is told to stop. Return its exit code. A run that fails is counted beside the heartbeat."""
    try:
        settings = load_settings()
    except SettingsError as error:
        return complain(BAD_USE, *error.faults)
    set_up_logging(settings.log_level, settings.log_format, settings.secrets)
    note = partial(_note_failed_run, settings.heartbeat)
    watch = LoopWatch(partial(note, HANGS))
    try:
        asyncio.run(run_until_stopped(settings, watch))
    except (SettingsError, discord.LoginFailure, Unusable, DiscordUnreachable) as error:
        code, *said = _failure(error)
        say_status(f"{WAITING}: {error}" if isinstance(error, DiscordUnreachable) else " ".join(said))
        note(code, *said)
        return complain(code, *said)
    except Exception as error:
        unexpected = f"an error that it did not expect, {type(error).__name__}"
        say_status(unexpected)
        note(UNEXPECTED, unexpected)
        raise
    finally:
        watch.end()
    return 0


def _failure(error: Exception) -> tuple[int, *tuple[str, ...]]:
    """Return the exit code for an error that ends the bot, and the sentences about it."""
    match error:
        case SettingsError():
            return BAD_USE, *error.faults
        case discord.LoginFailure():
            return BAD_USE, "GIPFBOT_TOKEN is not a token that Discord knows: copy it anew from the portal."
        case Unusable():
            return error.exit_code, str(error)
        case _:
            return 1, f"Discord cannot be reached ({error}): look at the network, or start again later."


def _note_failed_run(heartbeat: Path, code: int, *said: str) -> None:
    note_failed_run(heartbeat, code, " ".join(said), int(time.time()))


def _note_kill(heartbeat: Path, *, was_killed: bool) -> None:
    """Count the last run, if it was killed. A run that has hung has counted itself."""
    known = read_failed_runs(heartbeat)
    if was_killed and not (known and known.code == HANGS):
        _note_failed_run(heartbeat, KILLED, "it was killed, or its machine went down.")


async def run_until_stopped(settings: Settings, watch: LoopWatch) -> None:
    """Run the bot until SIGTERM or SIGINT. `watch` begins before anything else.

    Raises discord.LoginFailure for a wrong token, SettingsError for a port that is taken, Unusable for the database,
    DiscordUnreachable for Discord.
    """
    watch.begin()
    calm_collector()
    sys.setswitchinterval(SWITCH_SECONDS)
    stop = asyncio.Event()
    for name in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(name, stop.set)
    _override_endpoints(settings)
    backend = backend_of_url(settings.database_url)
    backend.check_shards(settings.shards)
    async with backend.hold(_own_shards(settings)) as lost:
        await _run_on_database(settings, stop, lost)


def _own_shards(settings: Settings) -> Shards | None:
    """Return the shards of this process if others run the rest; None if it runs all."""
    return None if settings.shards is None or settings.shards.share == 1 else settings.shards


async def _run_on_database(settings: Settings, stop: asyncio.Event, lost: asyncio.Future[Unusable]) -> None:
    """Run the bot on its database until `stop` is set, or until another process takes over: `lost` has the error."""
    keep_private(settings.heartbeat)
    say_status(OPENING)
    await _try_port(settings)
    store = await Store.open_database(settings.database_url, settings.heartbeat, shards=_own_shards(settings))
    begun = steady_seconds()
    try:
        await _run_on_store(store, settings, stop, lost)
    except DatabaseTrouble as error:  # the bot's first words to its database
        raise store.backend.opening_fault(error) from error
    finally:
        await store.close()
        say_folded(everything=True)
        ran = round(steady_seconds() - begun)
        log.info("the bot has stopped", extra={"fields": {"version": VERSION, "seconds": ran}})


async def _run_on_store(store: Store, settings: Settings, stop: asyncio.Event, lost: asyncio.Future[Unusable]) -> None:
    token = settings.token.get_secret_value()
    schema = await store.schema_version()
    say_status(WAITING, tables=schema)
    advice = await _ask_advice(token, settings.shards, stop)
    worker = Worker(settings.engines)
    seated = {name: SeatedEngine(worker, name) for name in (OWN, *settings.engines)}
    bot = create_bot(store, settings, engine=seated.get(SEAT, seated[OWN]), advice=advice, seated=seated)
    if SEAT not in settings.engines:
        bot.app.house.speed = await asyncio.to_thread(measure_speed)
    logging.getLogger().addHandler(FaultWatch(bot, bot.owner_watch))
    if advice is not SMALL_BOT:  # Discord answers
        number = len(settings.shards.ids) if settings.shards else advice.shards
        say_status("connecting to Discord", shards=str(number))
    build = {"version": VERSION, "revision": revision(), "schema": schema}
    _log_start(build, store, bot)
    await bot.app.timelines.begin()  # if the start fails, nothing may run
    _note_kill(settings.heartbeat, was_killed=bot.app.timelines.was_killed)
    store.note_seconds = bot.figures.transaction_seconds.observe
    bot.figures.watch_engines(worker.waiting, worker.failures)
    page = await _serve_page(bot, settings, build)
    folded = asyncio.create_task(_say_folded_often())
    running = asyncio.create_task(_connect(bot, token, is_fixed=settings.shards is not None))
    stopping, replaced = asyncio.create_task(stop.wait()), asyncio.create_task(bot.app.timelines.replaced.wait())
    reasons: set[asyncio.Future[Any]] = {running, stopping, replaced, lost}
    try:
        await asyncio.wait(reasons, return_when=asyncio.FIRST_COMPLETED)
        if running.done():
            running.result()
        if replaced.done():
            raise Outdated(f"{store.name} was replaced while the bot ran: start the bot again.")
        if lost.done():
            raise lost.result()
    finally:
        if page:
            await page.stop()
        await _finish_tasks(bot, running, stopping, replaced, folded)
        await _close_bot(bot)
        await worker.close()  # after the bot, or the house player would see a failure
        await _end_timeline(bot)


async def _ask_advice(token: str, shards: Shards | None, stop: asyncio.Event) -> GatewayAdvice:
    """Return Discord's advice on shards, or that for a small bot if the bot is told to stop meanwhile.

    Raises DiscordUnreachable if Discord does not answer and there are no `shards`.
    """
    asking = asyncio.create_task(ask_gateway(token))
    stopping = asyncio.create_task(stop.wait())
    try:
        await asyncio.wait({asking, stopping}, return_when=asyncio.FIRST_COMPLETED)
        return asking.result() if asking.done() else SMALL_BOT
    except NO_ANSWER as error:
        if shards:
            return SMALL_BOT  # of this advice, only how many may identify at once is used
        raise DiscordUnreachable(f"{type(error).__name__}: {error}") from error
    finally:
        asking.cancel()
        stopping.cancel()


def _log_start(build: Mapping[str, str], store: Store, bot: GipfBot) -> None:
    under = {"python": platform.python_version(), "discord_py": discord.__version__}
    shards = str(store.shards or bot.shard_count or 1)
    log.info("the bot starts", extra={"fields": {**build, **under, "shards": shards}})
    for fault in compiled.faults:
        log.warning(fault)


async def _try_port(settings: Settings) -> None:
    """Raise SettingsError if a port is named that is taken: before there are tables, which would have to be removed."""
    if settings.http_port is None:
        return
    loop, place = asyncio.get_running_loop(), (settings.http_host, settings.http_port)
    with _naming_the_port(settings):
        (await loop.create_server(asyncio.Protocol, *place, start_serving=False)).close()


async def _serve_page(bot: GipfBot, settings: Settings, build: Mapping[str, str]) -> "HttpPage | None":
    """Serve the health and the figures of the bot, if the settings name a port. Raises SettingsError if that fails."""
    if settings.http_port is None:
        return None
    from .ui.health.health_watch import HttpPage  # most hosts need neither the page nor the memory of its library

    page = HttpPage(bot.vitals, build, settings.backups)
    with _naming_the_port(settings):
        await page.start(settings.http_host, settings.http_port)
    return page


@contextmanager
def _naming_the_port(settings: Settings) -> Iterator[None]:
    """Raise SettingsError with the place and the reason if it cannot be served."""
    try:
        yield
    except OSError as error:
        where = f"{settings.http_host}, port {settings.http_port}"
        number = error.errno or 0  # below 0 if the address is no name that can be looked up
        why = os.strerror(number) if number > 0 else error.strerror or str(error)
        right = "set another GIPFBOT_HTTP_PORT or GIPFBOT_HTTP_HOST"
        raise SettingsError([f"Nothing can be served at {where} ({why}): {right}."]) from error


async def _say_folded_often() -> None:
    """Log how often each repeated fault came, an hour after its first time. Never ends."""
    while True:
        await asyncio.sleep(FOLDED_SECONDS)
        say_folded()


async def _connect(bot: GipfBot, token: str, *, is_fixed: bool) -> None:
    """Log in and stay connected. Raises discord.LoginFailure, WrongShards, Outdated or DiscordUnreachable.

    `is_fixed` says whether the settings name the shards.
    """
    try:
        await bot.start(token)
    except OUTAGE as error:
        if isinstance(error, discord.ConnectionClosed) and error.code == AUTHENTICATION_FAILED:
            raise discord.LoginFailure(str(error)) from error
        if isinstance(error, discord.ConnectionClosed) and error.code in SHARDING_CODES:
            raise WrongShards(WANTS_OTHER_SHARDS) if is_fixed else Outdated(OUTGROWN) from error
        raise DiscordUnreachable(f"{type(error).__name__}: {error}") from error
    except AttributeError as error:
        # discord.py fails like this if the gateway does not answer at the first connection. Later it tries again.
        if getattr(bot, "ws", None) is None:
            raise DiscordUnreachable("the gateway does not answer") from error
        raise


async def _finish_tasks(bot: GipfBot, *endless: asyncio.Task[Any]) -> None:
    """Stop the loops, give running tasks a moment to end, then cancel them. Unfinished work stays in the database.

    No task may use Discord or the database while the connections close. The cancelled tasks get a second moment:
    SQLAlchemy closes their connections in tasks of its own, which must not be cancelled.
    """
    bot.stop_loops()
    for task in endless:
        task.cancel()
    await _wait_for_other_tasks()
    for task in _other_tasks():
        task.cancel()
    await _wait_for_other_tasks()


def _other_tasks() -> set[asyncio.Task[Any]]:
    return asyncio.all_tasks() - {asyncio.current_task()}


async def _wait_for_other_tasks() -> None:
    if others := _other_tasks():
        await asyncio.wait(others, timeout=SHUTDOWN_GRACE)


async def _close_bot(bot: GipfBot) -> None:
    try:
        async with asyncio.timeout(CLOSE_SECONDS):
            await bot.close()
    except TimeoutError:
        log.warning("Discord did not say goodbye in time")


async def _end_timeline(bot: GipfBot) -> None:
    """Note that the bot has ended. If that fails, the next start treats the bot as killed."""
    try:
        await bot.app.timelines.end()
    except Exception:
        log.exception("the end could not be noted beside the database")


def _override_endpoints(settings: Settings) -> None:
    """Make discord.py talk to the proxy or test server that the settings name, if any."""
    if settings.api_url:
        Route.BASE = settings.api_url
    if settings.gateway_url:
        DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(settings.gateway_url)
