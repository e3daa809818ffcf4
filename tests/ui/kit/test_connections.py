"""Nobody's command holds a connection to the database while it asks Discord about a person: there are few of them."""

import discord
import pytest

from gipfbot.ui.delivery import venues
from tests.ui.studying import playing
from tests.ui.world import World, told


@pytest.fixture
def held(world: World, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Return how many connections were held at each question about a person."""
    counted, fetch = list[int](), discord.Guild.fetch_member

    async def count(guild: discord.Guild, member_id: int, /) -> discord.Member:
        counted.append(world.store._engine.sync_engine.pool.checkedout())  # type: ignore[attr-defined]
        return await fetch(guild, member_id)

    monkeypatch.setattr(discord.Guild, "fetch_member", count)
    return counted


async def test_board_and_list_of_games_hold_no_connection(
    world: World, held: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The bot asks about both players, about the spectator elsewhere, and about the player who is waited for."""
    monkeypatch.setattr(venues, "LONG_WAIT_SECONDS", -1)
    await world.begin("basic")
    await world.ann.slash(world.channel, "gipf board", game="#a1")
    assert len(held) == 2
    await world.cara.user.slash("gipf board", game="#a1")
    assert len(held) == 3
    await world.bob.slash(world.channel, "gipf games")
    assert len(held) == 4
    assert not any(held)


async def test_relocation_holds_no_connection(world: World, held: list[int]) -> None:
    await world.begin("basic")
    other = await world.add_guild("Other")
    ann, _ = other.add_member(world.ann.user), other.add_member(world.bob.user)
    world.guild.remove_member(world.bob)
    await world.env.settle()
    assert "goes on here" in told(await ann.slash(other.create_text_channel("hall"), "gipf board"))
    assert len(held) >= 4
    assert not any(held)


async def test_leaderboard_holds_no_connection(world: World, held: list[int]) -> None:
    game_id = await playing(world, "c2", "b3", "b4", "g2", rules="basic")
    await world.bot.app.games.resign(game_id, world.ann.id)
    held.clear()
    await world.ann.slash(world.channel, "gipf leaderboard", pool="basic")
    assert len(held) == 2
    assert not any(held)
