"""What people show in a channel, as tests press it and read it."""

import discord
import simcord

from gipfbot.ui.kit.texts import SHOW_HERE_LABEL
from gipfbot.ui.showing.show_here import LOOK_LABEL
from tests.ui.private_message import PrivateMessage
from tests.ui.world import World, private, told


async def show(world: World, person: simcord.MemberActor, shown: PrivateMessage) -> str:
    """Press **Show here** below a private answer. Return what the person is told."""
    said = told(await person.click(shown, label=SHOW_HERE_LABEL))
    await world.env.settle()
    return said


async def look(world: World, person: simcord.MemberActor, message: discord.Message) -> PrivateMessage:
    """Press **Look** below a message. Return what the person sees."""
    return private(await person.click(message, label=LOOK_LABEL))
