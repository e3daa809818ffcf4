"""Positions with the most choices, played by people who press anything."""

from random import Random

import pytest

from gipfbot.service.kit.loaded_games import game_name
from tests.standin import Message, StandIn, User
from tests.support.games import CROSSING

from .running import Bot
from .table import Table, playable

ROUNDS, PRESSES = 3, 50


@pytest.mark.slow
async def test_every_screen_keeps_discords_limits(bot: Bot, discord: StandIn, table: Table) -> None:
    """There are several rows and many GIPF-pieces to choose from. The stand-in checks each message."""
    await bot.start()
    chance, shown = Random(1), set[str]()
    for game in range(2, 2 + ROUNDS):
        await table.begin(colour="white", rules="tournament")
        bot.change("UPDATE games SET position = ? WHERE id = ?", CROSSING, game)
        shown |= await play_anything(bot, table, game, chance)
    assert shown >= {"row", "flip", "done", "back", "dot", "push", "kind"}
    assert max(bot.rows("SELECT turn_number FROM games")) > 3


async def play_anything(bot: Bot, table: Table, game: int, chance: Random) -> set[str]:
    """Play a game until it ends or enough is pressed; return the components that were shown."""
    presses, shown = 0, set[str]()
    while presses < PRESSES and (user := bot.rows("SELECT waiting_user FROM games WHERE id = ?", game)[0]):
        player = table.discord.world.users[user]
        desk = await open_desk(table, player, game_name(game))
        while (names := playable(desk)) and presses < PRESSES:
            shown |= {name.split(":")[4] for name in names}
            plays_on = [20 if ":done:" in name or ":push:" in name else 1 for name in names]
            await press_one(table.discord, player, desk, chance.choices(names, plays_on)[0])
            presses += 1
    return shown


async def open_desk(table: Table, user: User, game: str) -> Message:
    """Open the desk of a game for the player to move."""
    desk = (await (await table.discord.slash(user, table.channel, "move", game=game)).answered()).messages[0]
    assert playable(desk), desk.text
    return desk


async def press_one(discord: StandIn, user: User, desk: Message, name: str) -> None:
    """Press this button, and wait for the next screen."""
    edits, done = desk.edits, await discord.press(user, desk, name)
    await discord.wait_for(lambda: desk.edits > edits or done.followups, what=f"the answer to {name}")
