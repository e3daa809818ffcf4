"""The presence: when the line in the bot's profile changes, and what it says."""

import discord
import pytest

from gipfbot.ui.presence import PRESENCE_SECONDS, Presence
from tests.ui.world import World


def watch_presence(world: World, monkeypatch: pytest.MonkeyPatch, clock: list[float]) -> list[str]:
    """Give the bot a presence with this clock. Return the list of what it will show."""
    shown = list[str]()

    async def change_presence(*, activity: discord.CustomActivity) -> None:
        shown.append(activity.name or "")

    monkeypatch.setattr(world.bot, "change_presence", change_presence)
    world.bot.presence = Presence(world.bot, lambda: clock[0])
    return shown


async def test_a_sweep_shows_the_presence_again_in_a_new_session(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = [0.0]
    shown = watch_presence(world, monkeypatch, clock)
    for _ in range(2):
        await world.bot.sweep()
        clock[0] += PRESENCE_SECONDS
    assert len(shown) == 1
    world.bot.dispatch("ready")
    await world.env.settle()
    await world.bot.sweep()
    assert shown == ["No games yet · /gipf challenge"] * 2


async def test_presence_counts_running_games(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """It changes only with the number, and at most once a minute."""
    clock = [0.0]
    shown = watch_presence(world, monkeypatch, clock)
    presence = world.bot.presence
    await presence.show_running_games()
    await world.begin()
    await presence.show_running_games()
    assert shown == ["No games yet · /gipf challenge"], "a minute has not passed"
    clock[0] += PRESENCE_SECONDS
    await presence.show_running_games()
    game_id = await world.begin()
    clock[0] += PRESENCE_SECONDS
    await presence.show_running_games()
    clock[0] += PRESENCE_SECONDS
    await presence.show_running_games()
    assert shown[1:] == ["1 game running", "2 games running"]
    await world.bot.app.games.cancel_game(game_id, world.ann.id)
    clock[0] += PRESENCE_SECONDS
    await presence.show_running_games()
    assert shown[3:] == ["1 game running"]
