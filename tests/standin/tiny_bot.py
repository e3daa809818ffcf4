"""A tiny bot to try the stand-in, in the test's process or as `tiny_bot.py API GATEWAY TOKEN`."""

import asyncio
import io
import re
import sys
from typing import Any

import discord
import yarl
from discord import app_commands
from discord.gateway import DiscordWebSocket
from discord.http import Route

PICTURE = b"\x89PNG " + b"x" * 200_000


class TryAgain(discord.ui.DynamicItem[discord.ui.Button[Any]], template=r"knock:(?P<count>\d+)"):
    """A button that counts in its custom_id."""

    def __init__(self, count: int) -> None:
        super().__init__(discord.ui.Button(label="TryAgain", custom_id=f"knock:{count}"))
        self.count = count

    @classmethod
    async def from_custom_id(cls, interaction: Any, item: Any, match: re.Match[str]) -> "TryAgain":
        return cls(int(match["count"]))

    async def callback(self, interaction: discord.Interaction) -> None:
        await interaction.response.edit_message(content=f"knocked {self.count + 1}", view=door(self.count + 1))


class Note(discord.ui.Modal, title="A note"):
    """A modal with one field."""

    text: discord.ui.TextInput["Note"] = discord.ui.TextInput(label="Text", custom_id="text")

    async def on_submit(self, interaction: discord.Interaction) -> None:
        await interaction.response.send_message(f"noted: {self.text.value}", ephemeral=True)


def door(count: int) -> discord.ui.View:
    view = discord.ui.View(timeout=None)
    view.add_item(TryAgain(count))
    view.add_item(discord.ui.Select(custom_id="pick", options=[discord.SelectOption(label="One", value="1")]))
    return view


class TinyBot(discord.Client):
    """A bot with commands for everything that the stand-in models. It keeps its errors in `errors`."""

    def __init__(self) -> None:
        super().__init__(intents=discord.Intents(guilds=True), guild_ready_timeout=0.05)
        self.tree = app_commands.CommandTree(self)
        self.errors: list[discord.HTTPException] = []
        self.heard: list[discord.Interaction] = []
        self.slow = asyncio.Event()

    async def setup_hook(self) -> None:
        self.add_dynamic_items(TryAgain)
        group = app_commands.Group(name="gipf", description="GIPF")
        add_commands(group)
        add_trouble(self, group)
        self.tree.add_command(group)
        self.tree.add_command(app_commands.ContextMenu(name="Greet", callback=greet))
        await self.tree.sync()

    async def on_interaction(self, interaction: discord.Interaction) -> None:
        self.heard.append(interaction)


async def greet(interaction: discord.Interaction, user: discord.User) -> None:
    await interaction.response.send_message(f"hello {user.name}")


def add_commands(group: app_commands.Group) -> None:
    @group.command(description="Draw")
    async def draw(
        interaction: discord.Interaction, who: discord.User, size: app_commands.Range[int, 1, 9] = 3
    ) -> None:
        await interaction.response.defer(ephemeral=True)
        file = discord.File(io.BytesIO(PICTURE), "board.png", description=f"for {who.name}, {size}")
        await interaction.edit_original_response(content="drawn", attachments=[file])

    @group.command(name="door", description="A door")
    async def open_door(interaction: discord.Interaction) -> None:
        await interaction.response.send_message("a door", view=door(0))

    @group.command(description="Move")
    async def move(interaction: discord.Interaction, notation: str) -> None:
        await interaction.response.send_message(notation)

    @move.autocomplete("notation")
    async def complete(interaction: discord.Interaction, current: str) -> list[app_commands.Choice[str]]:
        return [app_commands.Choice(name=current + end, value=current + end) for end in ("-g2", "-f2")]

    @group.command(description="Write a note")
    async def note(interaction: discord.Interaction) -> None:
        await interaction.response.send_modal(Note())


def add_trouble(bot: TinyBot, group: app_commands.Group) -> None:
    @group.command(description="Answer late, or twice")
    async def late(interaction: discord.Interaction) -> None:
        await bot.slow.wait()
        try:
            await interaction.response.defer()
            await interaction.client.http.request(
                Route("POST", "/interactions/{i}/{t}/callback", i=interaction.id, t=interaction.token), json={"type": 5}
            )
        except discord.HTTPException as error:
            bot.errors.append(error)

    @group.command(description="Post what the outbox holds")
    async def post(interaction: discord.Interaction) -> None:
        await interaction.response.defer(ephemeral=True)
        channel = interaction.channel
        assert isinstance(channel, discord.TextChannel)
        await channel.send("owed", file=discord.File(io.BytesIO(PICTURE), "board.png"), nonce="outbox-1")
        await interaction.edit_original_response(content="posted")


if __name__ == "__main__":
    Route.BASE, DiscordWebSocket.DEFAULT_GATEWAY = sys.argv[1], yarl.URL(sys.argv[2])
    TinyBot().run(sys.argv[3], log_handler=None)
