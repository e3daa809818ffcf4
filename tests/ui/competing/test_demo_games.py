"""The demo has a leaderboard with something in it."""

import simcord

from gipfbot.app import create_bot
from gipfbot.demo import FINISHED, prepare_channel
from gipfbot.service.competing.results import rebuild_ratings
from gipfbot.store import Store
from tests.ui.opened_message import OpenedMessage


async def test_the_demo_has_finished_games_and_a_leaderboard(store: Store) -> None:
    """Nothing of them is posted, and the running game stays the first."""
    bot = create_bot(store)
    async with simcord.run(bot, settle_timeout=30) as env:
        channel, (_, _, cara), _ = await prepare_channel(env, bot)
        shown = OpenedMessage(cara, await cara.slash(channel, "gipf leaderboard"))
        (picture,) = shown.message.attachments
        said = picture.description or ""
        assert said.startswith("Standard · this server. 5 players · page 1 of 1. 1. Ann: 16")
        assert " 5. Finn: " in said
        assert said.endswith("provisional.")
        ended = [message for message in channel.history() if "resign" in message.content]
        assert ended == []
        tables = await rebuild_ratings(store, bot.app.now)
        assert tables["results"] == (2 * len(FINISHED), 0)
        assert {different for _, different in tables.values()} == {0}
    await bot.close()
