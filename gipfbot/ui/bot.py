"""The bot: a discord.py client with the bot's commands, its components, and one sweep of what is left to do."""

import asyncio
import hashlib
import json
import logging
from pathlib import Path
from typing import Any

import discord
from discord import app_commands
from discord.ext import tasks

from gipfbot.service.service import Service

from . import texts
from .commands import COMMANDS
from .delivery import Delivery
from .items import Choose, Press
from .pictures import Painter
from .replies import tell

log = logging.getLogger(__name__)
SWEEP = 10  # seconds


class GipfBot(discord.Client):
    """The bot. Everything it owns is opened before it and closed by whoever opened it, save the painter."""

    def __init__(self, service: Service, heartbeat: Path | None = None) -> None:
        super().__init__(intents=discord.Intents(guilds=True), allowed_mentions=discord.AllowedMentions.none())
        self.service, self.heartbeat = service, heartbeat
        self.painter = Painter()
        self.delivery = Delivery(self, service, self.painter)
        self.tree = app_commands.CommandTree(
            self,
            allowed_contexts=app_commands.AppCommandContext(guild=True, dm_channel=True, private_channel=False),
            allowed_installs=app_commands.AppInstallationType(guild=True, user=False),
        )
        for command in COMMANDS:
            self.tree.add_command(command)

    async def setup_hook(self) -> None:
        """Make old buttons work again and begin to sweep."""
        self.tree.error(on_command_error)
        self.add_dynamic_items(Press, Choose)
        self.sweep.start()

    async def on_ready(self) -> None:
        """Tell Discord the commands, if they have changed: synced before the gateway is up they go unanswered."""
        log.info("ready as %s in %d servers", self.user, len(self.guilds))
        payload = json.dumps([command.to_dict(self.tree) for command in COMMANDS], sort_keys=True)
        digest = hashlib.sha256(f"{self.application_id}:{payload}".encode()).hexdigest()
        if await self.service.commands_synced(digest):
            return
        await self.tree.sync()
        await self.service.note_commands(digest)

    @tasks.loop(seconds=SWEEP)
    async def sweep(self) -> None:
        """Deliver what is owed, close what has expired, show that the bot lives."""
        try:
            if self.heartbeat:
                await asyncio.to_thread(self.heartbeat.touch)
            await self._expire()
            await self.delivery.sweep()
        except Exception:
            log.exception("a sweep failed; the next one goes on")

    @sweep.before_loop
    async def _connected(self) -> None:
        await self.wait_until_ready()

    async def _expire(self) -> None:
        for late in await self.service.expire():
            if late.message:
                await self.delivery.strip(late.home.channel, late.message, texts.challenge(late.challenge))

    async def close(self) -> None:
        """Disconnect; the sweep and the painter stop."""
        self.sweep.cancel()
        await super().close()
        self.painter.close()


async def on_command_error(interaction: discord.Interaction[Any], error: app_commands.AppCommandError) -> None:
    """Tell the person, whatever slipped past a command's own care."""
    log.error("a command failed", exc_info=error)
    await tell(interaction, texts.BROKEN)
