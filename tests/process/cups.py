"""A league and a Swiss tournament that run while the bot is killed. People join them while it is stopped."""

import time
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path

from gipfbot.match import Refused, Seat, Terms
from gipfbot.match.tournament import BANKS, bank_for_game
from gipfbot.rules import BASIC
from gipfbot.service.app import App, create_app
from gipfbot.store import Store
from gipfbot.values import NO_LIMITS, Venue
from gipfbot.values.tournaments import Tournament
from tests.standin import Channel, User
from tests.support.recount import recount

from .stored_courses import read_rows, require

GOING_ON = "SELECT id, kind FROM tournaments WHERE state IN ('open', 'running')"
PLAYED = "SELECT game, games FROM tournament_pairings WHERE outcome IS NULL AND game IS NOT NULL"
SIZES = {"league": 4, "swiss": 8}
SWISS_ROUNDS = 3
SOON = 2  # seconds until one starts


class Cups:
    """The tournaments of these people, in a channel. One of each kind goes on at any time.

    `sizes` are their numbers of players. One starts `soon` after it is opened, in seconds.
    """

    sizes, soon = SIZES, SOON

    def __init__(self, url: str, database: Path, channel: Channel, people: Sequence[User]) -> None:
        self.url, self.database, self.channel, self.people = url, database, channel, people

    async def keep_going(self) -> None:
        """Open a tournament of each kind of which none goes on, and let all people of a league stay in it.

        The bot must be stopped.
        """
        store = await Store.open_database(self.url)
        try:
            app = create_app(store, lambda: int(time.time()), lambda: time.time_ns() % 2 == 0, limits=NO_LIMITS)
            going = {kind: tournament for tournament, kind in read_rows(self.database, GOING_ON)}
            for kind, size in self.sizes.items():
                tournament = going.get(kind) or await self._open(app, kind)
                for user in self.people[:size]:
                    with suppress(Refused):  # they have joined, or it has started
                        await app.tournaments.join(tournament, Seat(user.id, user.name))
        finally:
            await store.close()

    async def _open(self, app: App, kind: str) -> int:
        assert self.channel.guild
        new = Tournament(
            id=0,
            kind=kind,
            name=f"The {kind}",
            venue=Venue(self.channel.guild.id, self.channel.id),
            organiser=Seat(self.people[0].id, self.people[0].name),
            ruleset=BASIC,
            terms=Terms(bank_for_game(BANKS[0]), rated=True, takebacks=False),
            rounds=SWISS_ROUNDS if kind == "swiss" else 0,
            starts_at=app.now() + self.soon,
            created_at=app.now(),
        )
        opened, _ = await app.tournaments.open(new)
        return opened.id

    def running_games(self) -> set[int]:
        """Return the games of tournaments that run."""
        return {game for game, _ in read_rows(self.database, PLAYED)}


def check_tournaments(database: Path) -> None:
    """Check that no tournament is stuck, and that a recount comes to what is stored."""
    faults = recount(partial(read_rows, database)).faults
    require(not faults, "tournaments are wrong:", *faults)


def count_tournaments(database: Path) -> str:
    """Return how much has been played in tournaments."""
    begun = "SELECT kind, sum(begun) FROM tournaments GROUP BY kind ORDER BY kind"
    decided = "SELECT count(*) FROM tournament_pairings WHERE outcome IS NOT NULL"
    numbers = {kind: int(number) for kind, number in read_rows(database, begun)}
    (pairings,) = read_rows(database, decided)
    return f"{numbers.get('league', 0)} seasons, {numbers.get('swiss', 0)} rounds, {pairings} decided pairings"
