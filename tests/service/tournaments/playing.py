"""Tournaments whose people play by lot, on a host whose clock a test moves."""

from collections import Counter
from dataclasses import replace
from random import Random

from gipfbot import match
from gipfbot.match import House, Seat, Terms
from gipfbot.match.tournament import bank_for_game
from gipfbot.rules import BASIC
from gipfbot.service.app import App
from gipfbot.service.tournaments.kinds import tournament_kinds
from gipfbot.store import tournaments
from gipfbot.values.tournaments import Entry, Played, Tournament
from tests.service.helpers import Host, repeat
from tests.support.people import ANN, HOME, HOUSE_PLAYER
from tests.support.times import DAY, NOW

TERMS = Terms(bank_for_game(5), takebacks=False)
UNOPENED = Tournament(0, "league", "Spring", HOME, ANN, BASIC, TERMS, 0, NOW + DAY, NOW)
SWISS = replace(UNOPENED, kind="swiss", rounds=3)
PEOPLE = [Seat(1000 + number, f"P{number}") for number in range(70)]


def with_house() -> Terms:
    """Return the terms of a tournament in which the bot takes part, which would be rated without it."""
    return replace(TERMS, rated=True, house=House(1, HOUSE_PLAYER.user))


async def opened(app: App, players: int, new: Tournament = UNOPENED, house: Seat | None = None) -> int:
    """Open a tournament that so many people join."""
    tournament, _ = await app.tournaments.open(new, house)
    await join(app, tournament.id, players)
    return tournament.id


async def join(app: App, tournament: int, players: int, first: int = 0) -> None:
    """Let so many people join, or stay."""
    for seat in PEOPLE[first : first + players]:
        await app.tournaments.join(tournament, seat)


async def begun(app: App, host: Host, players: int, new: Tournament = UNOPENED, house: Seat | None = None) -> int:
    """Open a tournament, and let its first season or round begin."""
    tournament = await opened(app, players, replace(new, starts_at=host.now + DAY), house)
    host.passes(DAY)
    await app.tournament_course.go_on_with_due()
    return tournament


async def stands(app: App, tournament: int, season: int | None = None) -> Played:
    """Return a tournament with a season, which is the last without `season`."""
    async with app.games.store.reading() as db:
        found = await tournaments.load_tournament(db, tournament)
        assert found
        return await tournaments.load_played(db, found, season or found.season)


async def entries(app: App, tournament: int, season: int) -> list[Entry]:
    """Return the entries of a season."""
    return [*(await stands(app, tournament, season)).entries]


async def running(app: App, tournament: int) -> list[int]:
    """Return the running games of a tournament that goes on."""
    pairings = (await stands(app, tournament)).pairings
    return [each.game for each in pairings if each.game and each.outcome is None]


async def resign(app: App, game: int, side: int = 0) -> None:
    """Let White, or the player of another side, resign a game."""
    await app.games.resign(game, (await app.games.game(game)).game.seats[side].user)


async def play(app: App, tournament: int, seed: int = 0) -> list[int]:
    """Let a player of some running games resign, by lot, until none runs. Return how many games ran at each time."""
    random, counts = Random(seed), list[int]()
    while True:
        await app.tournament_course.go_on_with_due()
        now = await stands(app, tournament)
        games = await running(app, tournament)
        counts.append(len(games))
        if not games:
            return counts
        most = Counter(entry for each in now.pairings if each.game in games for entry in (each.white, each.black))
        assert max(most.values()) <= tournament_kinds()[now.tournament.kind].most_at_once
        for game in random.sample(games, random.randint(1, len(games))):
            await resign(app, game, random.randrange(2))


async def before_void(app: App, game: int, text: str) -> None:
    """Let this turn, when it is played, make a game void (R6.3)."""
    now = (await app.games.game(game)).game
    assert now.asked is not None
    user = now.seats[now.asked].user
    turn = match.perform(now, user, match.read_typed_turn(now, user, text)).turn
    assert turn
    async with app.games.store.transaction() as db:
        await repeat(db, game, match.position_hash(turn.after))
