"""A server whose open challenges mention a role that people can join."""

import time

from gipfbot.service.settings.servers import GATHER_SECONDS, Servers
from gipfbot.store import Store
from tests.standin.places import Guild

from .running import Bot

MENTIONING = "SELECT count(*) FROM challenges WHERE mentioned_role IS NOT NULL"


async def let_seeks_mention(bot: Bot, guild: Guild) -> None:
    """Let the open challenges of a server mention its role, while the bot is stopped.

    It was changed so long ago that the channel hears of it at once.
    """
    store = await Store.open_database(bot.settings["GIPFBOT_DATABASE_URL"])
    await Servers(store, lambda: int(time.time()) - GATHER_SECONDS).change(guild.id, {"seekers": guild.open_role})
    await store.close()
