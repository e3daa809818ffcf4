"""The bot: a discord.py client with all commands, and two loops that run in the background, a sweep and a pulse."""

import asyncio
import hashlib
import json
import logging
from collections.abc import Iterable, Sequence
from contextlib import suppress
from functools import cache, partial
from pathlib import Path
from typing import Any

import discord
from discord import app_commands
from discord.ext import tasks

from gipfbot.figures import Figures
from gipfbot.match import Refused, Why
from gipfbot.service.app import App
from gipfbot.service.competing.results import TOURNAMENT
from gipfbot.service.kit.aside import Aside
from gipfbot.service.kit.discovery import defined_in
from gipfbot.service.play.turn import HOUSE
from gipfbot.values import DatabaseTrouble, DueWork, Shards

from .background import AnalysisLoop, HouseLoop, Sweep, WorkLoop
from .bot_answers import BotAnswerLooks
from .commands import COMMANDS
from .delivery.delivery import OUTAGE_ERRORS, Delivery
from .health.health_watch import HealthWatch
from .health.owner_watch import OwnerWatch
from .kit.client import AppClient
from .kit.discord_codes import PASSING, meaning
from .kit.discord_internals import end_global_limit
from .kit.interactions import handle_interaction
from .kit.outbox_messages import MessageBuilder, by_kind
from .kit.per_person import MOST_KNOWN_NAMES, HandledAtOnce, KeptTexts, TokenBuckets
from .kit.pictures import Painter
from .kit.rate_limits import LimitedCommandTree, is_refused
from .kit.request_watch import RequestWatch
from .kit.respond import run_guarded
from .kit.slash_commands import CommandTranslator, command_payload, mentionable_ids, sync_commands
from .kit.visibility import who_has_left
from .lobby.welcome import greet_new_servers
from .presence import Presence
from .restoring.restored_check import check_restored

log = logging.getLogger(__name__)
SWEEP_SECONDS = PULSE_SECONDS = 10  # seconds
PUZZLE_PAUSE = 1  # seconds between two games in the search for puzzles, which is never urgent
SYNC_SECONDS = 20  # for one try to send the commands: the pulse is missed after 60


@cache
def message_builders() -> Sequence[MessageBuilder]:
    """Return the builders of all kinds of outbox messages, from all modules of `ui`."""
    return defined_in("gipfbot.ui", MessageBuilder)


class GipfBot(AppClient):
    """The bot. It owns its painter and closes it. The caller opens and closes the rest, such as the services of `app`.

    `heartbeat` is a file that each pulse of a healthy bot touches; None for no file. `owner` is the person who is told
    about problems; None for nobody. `shards` are for a `ShardedBot`. `builders` default to `message_builders`; tests
    may pass others. Raises ValueError unless each kind of message has a builder.
    """

    def __init__(
        self,
        app: App,
        heartbeat: Path | None = None,
        owner: int | None = None,
        shards: Shards | None = None,
        builders: Iterable[MessageBuilder] | None = None,
    ) -> None:
        self.figures = Figures()
        share = shards.share if shards else 1
        self.watch = RequestWatch(lambda: end_global_limit(self), share, self.figures.note_status)
        sharding: dict[str, Any] = {"shard_ids": [*shards.ids], "shard_count": shards.count} if shards else {}
        super().__init__(
            intents=discord.Intents(guilds=True),
            allowed_mentions=discord.AllowedMentions.none(),
            http_trace=self.watch.trace,
            **sharding,
        )
        self.own_shards = shards if shards and shards.share < 1 else None
        self.app, self.heartbeat, self.owner = app, heartbeat, owner
        self.painter = Painter(self.figures.picture_seconds.observe)
        self.delivery = Delivery(self, by_kind(builders or message_builders(), app.kinds))
        self.house_loop: HouseLoop = HouseLoop(self)
        self.analysis_loop: AnalysisLoop = AnalysisLoop(self)
        self.bot_answers: BotAnswerLooks = BotAnswerLooks(self)
        self.puzzle_loop = WorkLoop(self, "puzzles", app.puzzle_work.cut_next, PUZZLE_PAUSE)
        self.tournament_loop = WorkLoop(self, "tournaments", self._go_on_with_tournaments)
        self.restored_loop = WorkLoop(self, "checking what was restored", partial(check_restored, self))
        self.kept_texts, self.known_names = KeptTexts(), KeptTexts(MOST_KNOWN_NAMES)
        self.known_languages, self.chosen_languages = KeptTexts(MOST_KNOWN_NAMES), dict[int, str]()
        self.presence, self._due_work = Presence(self), Sweep(self)
        self.interaction_buckets = TokenBuckets(app.limits.interaction_burst, app.limits.interactions_per_minute)
        self.suggestion_buckets = TokenBuckets(app.limits.suggestion_burst, app.limits.suggestions_per_minute)
        self.handled_at_once, self.readings = HandledAtOnce(), Aside()
        self.jobs, self.replays, self.command_ids, self.command_overwrites = set(), {}, {}, {}
        self.are_commands_synced = self.connected = False
        self._are_servers_noted = True  # False if the database failed when servers were to be noted
        self.health_watch = self.vitals = HealthWatch(self)
        self.owner_watch = OwnerWatch(self, self.vitals)
        self.tree = LimitedCommandTree(
            self,
            allowed_contexts=app_commands.AppCommandContext(guild=True, dm_channel=True, private_channel=False),
            allowed_installs=app_commands.AppInstallationType(guild=True, user=False),
        )
        for command in COMMANDS:
            self.tree.add_command(command)

    async def setup_hook(self) -> None:
        """Release the leases of the last run, plan what it could not plan, and start the background loops.

        This does not need Discord's gateway.
        """
        self.tree.error(answer_command_error)
        await self.tree.set_translator(CommandTranslator())
        self.chosen_languages.update(await self.app.users.chosen_languages())
        await self.app.outbox.release_leases()
        await self.app.house.release_leases()
        await self.app.reminders.plan_weekly_reminders()
        await self.app.tournament_course.look_at_all()
        self.sweep.start()
        self.pulse.start()

    async def on_ready(self) -> None:
        """Record that the bot is connected to Discord's gateway, and which servers it is on.

        The bot may have been invited or removed while it was not connected.
        """
        self.connected = True
        self.presence.forget()
        log.info("ready; servers: %d", len(self.guilds))
        await self._note_servers()

    async def _note_servers(self) -> None:
        """Note which servers the bot has left, and greet new ones. If the database fails, the next sweep does so."""
        self._are_servers_noted = False
        with suppress(DatabaseTrouble):  # the store has logged it
            await self.app.arrivals.note_departures({guild.id for guild in self.guilds})
            await greet_new_servers(self, self.guilds)
            self._are_servers_noted = True

    async def on_guild_join(self, guild: discord.Guild) -> None:
        """Greet a server that has invited the bot. If the database fails, the next sweep does so."""
        try:
            await greet_new_servers(self, [guild])
        except DatabaseTrouble:  # the store has logged it
            self._are_servers_noted = False

    async def on_guild_remove(self, guild: discord.Guild) -> None:
        """Note that the bot was removed from a server. If the database fails, the next sweep does so."""
        log.info("removed from server %d", guild.id)
        try:
            await self.app.arrivals.note_departure(guild.id)
        except DatabaseTrouble:  # the store has logged it
            self._are_servers_noted = False

    async def on_resumed(self) -> None:
        """Record that the bot is connected to Discord's gateway again."""
        self.connected = True

    async def on_disconnect(self) -> None:
        """Record that the bot has lost its connection to Discord's gateway."""
        self.connected = False

    async def on_interaction(self, interaction: discord.Interaction[Any]) -> None:
        """Handle presses, choices and forms. Record that a person who acts in direct messages can receive them.

        Recording delays no acknowledgement: a press is handled first, and a command runs in its own task.
        """
        if interaction.type in (discord.InteractionType.component, discord.InteractionType.modal_submit):
            await handle_interaction(interaction)
        is_action = interaction.type is not discord.InteractionType.autocomplete
        if interaction.guild_id is None and is_action and not is_refused(interaction):
            with suppress(DatabaseTrouble):  # the store has logged it
                await self.app.reminders.note_dms_open(interaction.user.id)

    @tasks.loop(seconds=PULSE_SECONDS)
    async def pulse(self) -> None:
        """Show whether the bot is healthy, even during a long sweep. Sync the commands until that succeeds once."""
        await self._show_heartbeat()
        try:
            if not self.are_commands_synced:
                async with asyncio.timeout(SYNC_SECONDS):
                    self.are_commands_synced = await self._sync_commands()
        except DatabaseTrouble:
            pass  # the store has logged it, and the next heartbeat tries again
        except OUTAGE_ERRORS as error:
            log.warning("the pulse missed a heartbeat: %r", error)
        except Exception as error:
            if isinstance(error, discord.HTTPException) and meaning(error) in PASSING:
                log.warning("the commands are sent again in %d seconds: %r", PULSE_SECONDS, error)
                return
            log.exception("the commands cannot be synced; the bot goes on with those that Discord knows")
            self.are_commands_synced = True

    @pulse.before_loop
    async def _wait_until_connected(self) -> None:
        """Wait for Discord's gateway. If commands were synced before, nobody would answer them."""
        await self.wait_until_ready()

    async def _show_heartbeat(self) -> None:
        try:
            if await self.vitals.check() and self.heartbeat:
                await asyncio.to_thread(self.app.vital_signs.touch_heartbeat, self.heartbeat)
            if self.connected:
                await self.app.flag_watch.note_heartbeat()
        except DatabaseTrouble:
            pass  # the store has logged it
        except OSError as error:
            log.warning("the heartbeat cannot be shown: %s", error)
        except Exception:
            log.exception("the heartbeat cannot be stored")
        await self._due_work.try_step("telling the owner", self.owner_watch.look)

    async def _sync_commands(self) -> bool:
        """Send the commands to Discord if they have changed since they were last sent, and learn their ids.

        Return False while another process sends them.
        """
        payload = json.dumps(await command_payload(self.tree), sort_keys=True)
        digest = hashlib.sha256(f"{self.application_id}:{payload}".encode()).hexdigest()
        ids = await self.app.synced_commands.command_ids(digest)
        if ids is None:
            async with self.app.doing_alone("sending the commands") as is_alone:
                if not is_alone:  # another process sends them
                    return False
                ids = await sync_commands(self.tree)
                await self.app.synced_commands.note_commands(digest, ids)
        self.command_ids = mentionable_ids(self.tree, ids)
        return True

    @tasks.loop(seconds=SWEEP_SECONDS)
    async def sweep(self) -> None:
        """Do all work that is due now, then post the messages in the outbox.

        While the bot is disconnected, messages are posted, but nothing else is done.
        """
        if self.connected:
            if not self._are_servers_noted:
                await self._due_work.try_step("noting servers", self._note_servers)
            due = await self._due_work.do_due_work()
            if due is None or HOUSE in due or self.house_loop.has_failed:
                self.house_loop.wake()
            if due is None or DueWork.AWAITED_ANALYSES in due:
                self.analysis_loop.wake()
            if due is None or TOURNAMENT in due:
                self.tournament_loop.wake()
            if due is None or DueWork.RESTORED_CHECK in due:
                self.restored_loop.wake()
            self.puzzle_loop.wake()
        await self._due_work.try_step("writing the timeline file", self.app.timelines.heartbeat)
        await self._due_work.try_step("posting messages", self.delivery.sweep)
        if self.connected and self.is_ready():
            await self._due_work.try_step("showing the status", self.presence.show_running_games)

    async def _go_on_with_tournaments(self) -> bool:
        """Let tournaments go on that have something to do. To pair a round takes seconds, so no sweep waits for it."""
        await self.app.tournament_course.go_on_with_due(partial(who_has_left, self))
        return False

    def stop_loops(self) -> None:
        """Stop the background loops."""
        self.sweep.cancel()
        self.pulse.cancel()

    async def close(self) -> None:
        """Stop the background loops, disconnect, and close the painter."""
        self.stop_loops()
        await self.bot_answers.close()
        await self.house_loop.close()
        await self.analysis_loop.close()
        await self.puzzle_loop.close()
        await self.tournament_loop.close()
        await self.restored_loop.close()
        await self.delivery.close()
        await super().close()
        self.painter.close()


async def answer_command_error(interaction: discord.Interaction[Any], error: app_commands.AppCommandError) -> None:
    """Tell the person about an error that a slash command did not handle itself."""
    fault: Exception = getattr(error, "original", error)
    if isinstance(error, app_commands.TransformerError):
        fault = Refused(Why.NOT_OFFERED, option=None, value=error.value)
    await run_guarded(interaction, _raise_error(fault))


async def _raise_error(error: Exception) -> None:
    raise error
