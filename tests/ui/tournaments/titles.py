"""Titles for tests: seasons that somebody has won."""

from dataclasses import replace

from gipfbot.match import Terms
from gipfbot.rules import STANDARD
from gipfbot.service.tournaments.league import LEAGUE
from gipfbot.store import tournaments
from gipfbot.values import Venue
from gipfbot.values.tournaments import Tournament
from tests.ui.world import World, seat


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
