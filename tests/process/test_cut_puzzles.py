"""The bot is killed while it cuts puzzles from a finished game: it finds all of them, each once."""

import time

from gipfbot.match import UNTIMED
from gipfbot.service.app import create_app
from gipfbot.store import Store
from gipfbot.values import NO_LIMITS
from tests.service.helpers import begun, play_on
from tests.standin.interaction import eventually
from tests.support.puzzles import WITH_BOTH

from .running import WAKEFUL, Bot

# What the program runs before its start: it plays no games against itself, and kills itself when it has stored the
# first puzzle, or before it commits that the game is done.
DYING = f"""{WAKEFUL}
import os, signal
from gipfbot.service.puzzles import making
from gipfbot.store import puzzles
making.FEW_UNTRIED = 0
owner = {{owner}}
do = owner.{{name}}

async def die(*given):
    await do(*given)
    os.kill(os.getpid(), signal.SIGKILL)

owner.{{name}} = die
"""
CALM = f"{WAKEFUL}\nfrom gipfbot.service.puzzles import making\nmaking.FEW_UNTRIED = 0\n"
STORED = "SELECT own_turns FROM puzzles ORDER BY id"
CUT = "SELECT count(*) FROM games WHERE cut_at IS NOT NULL"


async def finish_game(bot: Bot) -> None:
    """Store a finished game in which somebody could have won by force, in two turns and in three."""
    store = await Store.open_database(bot.settings["GIPFBOT_DATABASE_URL"])
    app = create_app(store, lambda: int(time.time()), lambda: True, limits=NO_LIMITS)
    game = await begun(app, UNTIMED)
    await play_on(app, game, *WITH_BOTH)
    await store.close()


async def dies(bot: Bot, owner: str, name: str) -> None:
    """Start the bot, and wait until it has killed itself."""
    await bot.launch(DYING.format(owner=owner, name=name))
    await eventually(lambda: bot.exit_code is not None, "the kill")
    await bot.kill()


async def test_killed_twice_the_bot_finds_each_puzzle_once(bot: Bot) -> None:
    await finish_game(bot)
    await dies(bot, "making", "store_puzzle")
    assert (bot.rows(STORED), bot.rows(CUT)) == ([2], [0])
    await dies(bot, "puzzles", "mark_cut")
    assert (bot.rows(STORED), bot.rows(CUT)) == ([2, 3], [0])
    await bot.start(CALM)
    await eventually(lambda: bot.rows(CUT) == [1], "the game to be looked through")
    assert bot.rows(STORED) == [2, 3]
