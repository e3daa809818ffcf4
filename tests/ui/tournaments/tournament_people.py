"""Tournaments as people use them: opened by a command, joined by a button, played by resigning."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import discord
import simcord
from simcord.builders import UserHandle

from gipfbot.match import Terms
from gipfbot.rules import STANDARD
from gipfbot.service.tournaments.league import LEAGUE
from gipfbot.service.tournaments.tournaments import Shown
from gipfbot.store import tournaments
from gipfbot.ui.tournaments.tournament_texts import JOIN_LABEL
from gipfbot.values import Venue
from gipfbot.values.tournaments import Tournament
from tests.support.times import DAY
from tests.ui.private_message import PrivateMessage
from tests.ui.world import World, buttons, deliver, private, seat

NEW = "gipf-tournament new"


async def opened(world: World, person: simcord.MemberActor, **options: Any) -> discord.Message:
    """Return the message of a new tournament in the channel of the games."""
    answer = private(await person.slash(world.channel, NEW, **options))
    assert "is open." in answer.content, answer.content
    await world.env.settle()
    return world.public()[-1]


async def joined(world: World, message: discord.Message, people: Iterable[simcord.MemberActor]) -> None:
    """Let people join a tournament by the button of its message."""
    for person in people:
        answer = private(await person.click(message, label=JOIN_LABEL))
        assert "You have joined" in answer.content, answer.content


async def pressed(
    person: simcord.MemberActor | UserHandle, message: discord.Message | PrivateMessage, label: str
) -> PrivateMessage:
    """Return the private answer to the press of a button."""
    return private(await person.click(message, label=label))


async def went_on(world: World, days: float = 0) -> None:
    """Let time pass, and let tournaments go on until nothing more is due."""
    await world.env.advance_time(days * DAY + 1)
    await world.bot.app.tournament_course.go_on_with_due()
    await deliver(world)


async def shown(world: World, tournament: int = 1) -> Shown:
    """Return how a tournament stands."""
    return await world.bot.app.tournaments.show(tournament)


async def play_season(world: World, tournament: int = 1) -> None:
    """Let the player who joined later resign each game, until the season is over."""
    app = world.bot.app
    while True:
        now = await shown(world, tournament)
        games = [each.game for each in now.played.pairings if each.game and each.outcome is None]
        if not games:
            return
        order = [each.seat.user for each in now.played.entries]
        for game in games:
            users = [seat.user for seat in (await app.games.game(game)).game.seats]
            await app.games.resign(game, max(users, key=order.index))
        await went_on(world)


def news(world: World) -> list[str]:
    """Return the first lines of the public messages about tournaments, oldest first. Those of games ping players."""
    firsts = [each.content.splitlines()[0] for each in world.public() if "Standings" in buttons(each)]
    return [first for first in firsts if not first.startswith("<@")]


def direct(world: World, person: simcord.MemberActor) -> list[discord.Message]:
    """Return the direct messages of the bot to a person about tournaments, oldest first."""
    return [each for each in person.user.dm_channel.history() if each.author.bot]


async def win_season(world: World, name: str, channel: int) -> None:
    """Let Ann win the first season of a league in a channel. She is its only player."""
    now, venue = world.bot.app.now(), Venue(world.guild.id, channel)
    new = Tournament(0, "league", name, venue, seat(world.bob), STANDARD, Terms(), 0, now, now)
    async with world.store.transaction() as db:
        opened = replace(new, id=await tournaments.add_tournament(db, new))
        await tournaments.add_entry(db, opened.id, 1, seat(world.ann), 1, now)
        (entry,) = await tournaments.entries_of(db, opened.id, 1)
        await tournaments.number_entries(db, {entry.id: (1, 1)})
        await tournaments.note_places(db, LEAGUE.tables(await tournaments.load_played(db, opened, 1)))
