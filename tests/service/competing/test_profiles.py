"""Profiles: what a player's games come to, and those of two people against each other."""

from collections import Counter

import pytest
from sqlalchemy import update

from gipfbot.match import RequestState, Status, Terms
from gipfbot.match.explorer import WinRate
from gipfbot.match.ratings import Uncounted, month_start
from gipfbot.rules import BASIC, OVERBOARD, STANDARD, TOURNAMENT, Colour, Reason, Result, Ruleset
from gipfbot.rules.symmetries import start_symmetries
from gipfbot.service.app import App
from gipfbot.service.competing.profiles import (
    DAYS_SHOWN,
    MOST_FOLLOWED,
    MOST_OPPONENTS,
    MOST_RUNNING,
    most_played_opening,
)
from gipfbot.service.requests.game_requests import TAKEBACK
from gipfbot.store import Store, games, tables, watching
from gipfbot.values import Follow, GuessScore, LostReason, News, Score, Venue
from tests.service.helpers import Host, basic_game_after, begin_game, play_on, play_texts
from tests.support.games import TURNS
from tests.support.people import ANN, BOB, CARA, CLUB, DAN, ELSEWHERE, EVE, HALL, HOME, OTHER_CLUB
from tests.support.times import DAY, NOW

from .ended_games import BLACK_WINS, DRAWN, THIS_MONTH, WHITE_LATE, WHITE_WINS, Ending, live_through

VOID = Result(None, Reason.REPETITION)

ATTIC = HALL + 5
TODAY = NOW // DAY


async def opened(app: App, *turns: str, ruleset: Ruleset = BASIC, white_wins: bool = True) -> int:
    """Let Ann, White, and Bob begin a game with these turns, and end it by resignation."""
    game = (await begin_game(app, ruleset=ruleset)).game
    await play_texts(app, game.id, turns)
    await app.games.resign(game.id, BOB.user if white_wins else ANN.user)
    return game.id


async def test_who_never_played_has_an_empty_profile(app: App, store: Store) -> None:
    await live_through(store, [Ending()])
    profile = await app.profiles.profile(EVE.user)
    assert profile.is_empty
    assert (profile.months, profile.ends, profile.opponents, profile.running) == ((), (), (), ())
    assert (profile.openings, profile.longest, profile.score(*Colour)) == ((None, None), None, Score())
    assert (await app.profiles.profile(ANN.user, EVE.user)).is_empty


async def test_results_are_counted_by_colour_and_by_how_they_ended(app: App, store: Store) -> None:
    await live_through(
        store,
        [
            Ending(),
            Ending(result=WHITE_LATE),
            Ending(white=1, black=0, result=WHITE_WINS),
            Ending(white=2, black=0, result=BLACK_WINS),
            Ending(white=0, black=2, result=DRAWN, ruleset=OVERBOARD),
            Ending(result=VOID),
            Ending(white=1, black=2),
        ],
    )
    profile = await app.profiles.profile(ANN.user)
    assert profile.score(Colour.WHITE) == (1, 1, 1)
    assert profile.score(Colour.BLACK) == (1, 0, 1)
    assert profile.score(*Colour) == (2, 1, 2)
    assert profile.score(*Colour).games == 5
    ways = Counter[Reason | None]()
    for each in profile.ends:
        ways[each.by] += each.games
    assert ways == {Reason.RESIGN: 3, Reason.TIME: 1, Reason.AGREEMENT: 1, Reason.REPETITION: 1}
    of_two = await app.profiles.profile(ANN.user, CARA.user)
    assert (of_two.score(*Colour), of_two.score(Colour.BLACK)) == ((1, 1, 0), (1, 0, 0))
    assert (await app.profiles.profile(CARA.user, ANN.user)).score(*Colour) == (0, 1, 1)


async def test_cancelled_games_are_no_result(app: App) -> None:
    game = (await begin_game(app)).game
    await app.games.cancel_game(game.id, ANN.user)
    profile = await app.profiles.profile(ANN.user)
    assert profile.score(*Colour) == Score()
    assert [(each.status, each.by, each.games) for each in profile.ends] == [(Status.CANCELLED, None, 1)]
    assert (profile.is_empty, profile.opponents, profile.longest) == (False, (), None)


async def test_opponents_are_those_with_the_most_games(app: App, store: Store) -> None:
    """Void games do not count. Of equals the one of the newer game comes first."""
    await live_through(
        store,
        [
            Ending(),
            Ending(white=2, black=0),
            Ending(black=2),
            Ending(black=4),
            Ending(black=3),
            *(Ending(black=4, result=VOID) for _ in range(3)),
        ],
    )
    profile = await app.profiles.profile(ANN.user)
    assert [(each.name, each.score) for each in profile.opponents] == [
        ("Cara", (1, 0, 1)), ("Dan", (1, 0, 0)), ("Eve", (1, 0, 0)), ("Bob", (1, 0, 0)),
    ]  # fmt: skip
    assert [each.name for each in (await app.profiles.profile(ANN.user, DAN.user)).opponents] == ["Dan"]


async def test_an_opponent_has_the_name_of_their_last_game(app: App, store: Store) -> None:
    await live_through(store, [Ending(), Ending()])
    async with store.transaction() as db:
        renamed = update(tables.seats).where(tables.seats.c.game == 2, tables.seats.c.user == BOB.user)
        await db.execute(renamed.values(name="Robert"))
    (only,) = (await app.profiles.profile(ANN.user)).opponents
    assert (only.name, only.score.games) == ("Robert", 2)


async def test_only_so_many_opponents_are_named(app: App, store: Store) -> None:
    await live_through(store, [Ending() for _ in range(MOST_OPPONENTS + 2)])
    async with store.transaction() as db:
        for game in range(1, MOST_OPPONENTS + 3):
            theirs = update(tables.seats).where(tables.seats.c.game == game, tables.seats.c.user == BOB.user)
            await db.execute(theirs.values(user=100 + game))
    found = (await app.profiles.profile(ANN.user)).opponents
    assert [each.user for each in found] == [100 + game for game in range(MOST_OPPONENTS + 2, 2, -1)]


async def test_openings_are_counted_up_to_symmetry(app: App) -> None:
    """Standard begins with other pieces than Basic, so its openings are others."""
    turned = next(to for to in start_symmetries(BASIC.setup) if to["c2"] not in ("c2", "g2"))
    await opened(app, "c2", "g2")
    await opened(app, turned["c2"], turned["g2"], white_wins=False)
    await opened(app, "c2", "g2", ruleset=STANDARD)
    await opened(app, "d2", "f2", "b3")
    await opened(app, "d2")
    await app.games.cancel_game((await begin_game(app)).game.id, ANN.user)
    profile = await app.profiles.profile(ANN.user)
    white, black = profile.openings
    assert white
    assert black is None
    assert (white.ruleset, white.games, white.of_games) == (BASIC, 2, 4)
    assert white.turns in (("c2", "g2"), (turned["c2"], turned["g2"]))
    assert (await app.profiles.profile(BOB.user)).openings == (None, white)


def test_most_played_sums_the_images_and_shows_the_usual_form() -> None:
    turns = ("b3", "g2")
    forms = {tuple(to[text] for text in turns) for to in start_symmetries(BASIC.setup)}
    (one, other, *_) = sorted((first, second) for first, second in forms)
    assert len(forms) == 6
    assert most_played_opening({one: 2, other: 3, ("c2", "c2"): 4}, BASIC) == (other, 5)
    assert most_played_opening({one: 2, other: 3, ("c2", "c2"): 6}, BASIC) == (("c2", "c2"), 6)
    assert most_played_opening({other: 2, one: 2}, BASIC) == (one, 4)
    assert most_played_opening({}, BASIC) is None


async def test_the_longest_game_is_the_first_with_the_most_turns(app: App, store: Store) -> None:
    await live_through(store, [Ending(turns=9), Ending(turns=30), Ending(turns=30), Ending(white=1, black=2, turns=50)])
    longest = (await app.profiles.profile(ANN.user)).longest
    assert longest
    assert (longest.game.id, longest.turns, longest.game.names) == (2, 30, ("Ann", "Bob"))
    other = (await app.profiles.profile(CARA.user, BOB.user)).longest
    assert other
    assert other.turns == 50


async def test_running_games_come_last_moved_first(app: App, store: Store, host: Host) -> None:
    ids = []
    for black in (BOB, CARA, BOB):
        host.passes(60)
        ids.append((await begin_game(app, ruleset=BASIC, black=black)).game.id)
    host.passes(60)
    await app.games.play_typed(ids[0], ANN.user, "c2")
    profile = await app.profiles.profile(ANN.user)
    assert [game.id for game in profile.running] == [ids[0], ids[2], ids[1]]
    assert (profile.running_count, profile.is_empty, profile.ends) == (3, False, ())
    of_two = await app.profiles.profile(BOB.user, ANN.user)
    assert ([game.id for game in of_two.running], of_two.running_count) == ([ids[0], ids[2]], 2)
    async with store.transaction() as db:
        for _ in range(MOST_RUNNING):
            await games.add_game(db, BASIC, (ANN, BOB), HOME, NOW)
    many = await app.profiles.profile(ANN.user)
    assert (len(many.running), many.running_count) == (MOST_RUNNING, MOST_RUNNING + 3)


async def test_ratings_of_all_months_and_pools_are_there(app: App, store: Store, host: Host) -> None:
    await live_through(store, [Ending(), Ending(ruleset=STANDARD), Ending(month_start(THIS_MONTH + 2))])
    host.now = month_start(THIS_MONTH + 4)
    profile = await app.profiles.profile(ANN.user)
    assert [(each.pool, each.month - THIS_MONTH) for each in profile.months] == [
        ("basic", 0), ("standard", 0), ("basic", 2),
    ]  # fmt: skip
    assert {pool: each.won_in_a_row for pool, each in profile.newest.items()} == {"basic": 2, "standard": 1}
    stored = profile.newest["basic"].rating
    assert profile.rating("basic").value == stored.value
    assert profile.rating("basic").deviation > stored.deviation, "a whole month was idle"
    assert profile.rating("overboard").value == 1500


async def test_games_that_do_not_count_are_counted_by_the_reason(app: App, store: Store) -> None:
    """Only those of the player themselves, and none against an opponent."""
    late = [Ending(NOW + at, black=2, result=WHITE_LATE) for at in range(3)]
    await live_through(store, [*[Ending(NOW + at) for at in range(6)], *late])
    found = [(await app.profiles.profile(person.user)).uncounted for person in (ANN, BOB, CARA)]
    assert found == [{Uncounted.PAIR: 1, Uncounted.AWAY: 2}, {Uncounted.PAIR: 1}, {}]
    assert (await app.profiles.profile(ANN.user, BOB.user)).uncounted == {}


async def test_points_of_guesses_belong_to_no_opponent(app: App) -> None:
    """A spectator who has never played has a profile once a turn that they guessed is played."""
    game = await basic_game_after(app)
    await app.guesses.guess(CARA.user, game, 0, "c2")
    assert (await app.profiles.profile(CARA.user)).is_empty
    await play_on(app, game, "c2")
    profile = await app.profiles.profile(CARA.user)
    assert (profile.guesses, profile.is_empty) == (GuessScore(1, 1, 0, 3), False)
    assert (await app.profiles.profile(CARA.user, ANN.user)).is_empty
    assert (await app.profiles.profile(ANN.user)).guesses == GuessScore()


@pytest.mark.parametrize("name", ["forgotten", "basic+Q9"])
async def test_openings_of_unknown_rules_are_left_out(app: App, store: Store, name: str) -> None:
    game = await opened(app, "c2", "g2")
    async with store.transaction() as db:
        odd = {**BASIC.data(), "name": name}
        await db.execute(update(tables.games).where(tables.games.c.id == game).values(ruleset=odd))
    profile = await app.profiles.profile(ANN.user)
    assert profile.openings == (None, None)
    assert profile.score(*Colour) == (1, 0, 0)


async def begun(store: Store, channel: int = HALL, server: int | None = CLUB, parent: int | None = None) -> int:
    """Return a running game of Ann and Bob in this channel."""
    async with store.transaction() as db:
        return (await games.add_game(db, BASIC, (ANN, BOB), Venue(server, channel, parent), NOW)).game.id


async def follow(store: Store, game: int | None, number: int = 1, lost: LostReason | None = None) -> None:
    """Let so many people follow a game."""
    async with store.transaction() as db:
        for user in range(number):
            new = Follow(0, 100 + user, game, None if game else ANN.user, "Ann vs Bob", News.EACH_TURN, lost)
            await watching.add_follow(db, new, NOW)


async def followed(app: App, *channels: int, user: int = CARA.user) -> list[tuple[int, int]]:
    """Return the games that are followed most, and by how many."""
    found = (await app.server_stats.figures(CLUB, channels, user)).followed
    return [(game.id, game.followers) for game in found]


async def test_server_without_games_has_empty_figures(app: App, store: Store) -> None:
    await live_through(store, [Ending(server=OTHER_CLUB), Ending(server=None)])
    found = await app.server_stats.figures(CLUB, [HALL], ANN.user)
    assert (found.running, found.finished, found.cancelled, found.results, found.followed) == (0, 0, 0, (), ())
    assert found.turns == (0,) * DAYS_SHOWN
    assert found.white_wins("basic") is None
    assert found.is_empty


async def test_results_are_counted_by_pool(app: App, store: Store) -> None:
    """Cancelled games are no results. Draws and void games are, but nobody has won them."""
    everywhere = [
        Ending(),
        Ending(result=WHITE_WINS, rated=False),
        Ending(result=WHITE_LATE),
        Ending(ruleset=STANDARD, result=BLACK_WINS),
        Ending(ruleset=OVERBOARD, result=DRAWN),
        Ending(ruleset=TOURNAMENT, result=Result(None, Reason.REPETITION)),
    ]
    others = [Ending(server=server, result=result) for server in (OTHER_CLUB, None) for result in (WHITE_WINS, DRAWN)]
    await live_through(store, [*everywhere, *others, *others])
    await app.games.cancel_game((await begin_game(app, ruleset=BASIC)).game.id, ANN.user)
    await begun(store)
    await begun(store, server=OTHER_CLUB)
    found = await app.server_stats.figures(CLUB, [], EVE.user)
    assert (found.running, found.finished, found.cancelled, found.is_empty) == (1, 6, 1, False)
    assert found.white_wins("basic") == WinRate(2, 3)
    assert found.white_wins("standard") == WinRate(0, 1)
    assert [found.white_wins(pool) for pool in ("overboard", "tournament", "potentials")] == [None] * 3
    there = await app.server_stats.figures(OTHER_CLUB, [], EVE.user)
    assert (there.running, there.finished, there.white_wins("basic")) == (1, 4, WinRate(2, 2))


async def test_games_of_unreadable_rules_count_in_no_pool(app: App, store: Store) -> None:
    await live_through(store, [Ending(), Ending()])
    async with store.transaction() as db:
        await db.execute(update(tables.games).where(tables.games.c.id == 1).values(pool=None))
    found = await app.server_stats.figures(CLUB, [], EVE.user)
    assert (found.finished, found.white_wins("basic")) == (2, WinRate(1, 1))


async def test_turns_are_counted_by_their_day(app: App, store: Store, host: Host) -> None:
    """Those of running and of ended games, today last. The first day shown counts from its first second."""
    host.now = (TODAY + 1) * DAY - 1
    old = (await begin_game(app, ruleset=BASIC, terms=Terms())).game.id
    await play_on(app, old, TURNS[0])
    host.passes(1)
    resigned = (await begin_game(app, ruleset=BASIC, terms=Terms())).game.id
    await play_on(app, old, TURNS[1])
    await play_on(app, resigned, *TURNS[:3])
    host.passes(2 * DAY)
    await play_on(app, resigned, TURNS[3])
    await app.games.resign(resigned, ANN.user)
    host.passes((DAYS_SHOWN - 3) * DAY)
    await play_on(app, old, TURNS[2])
    there = (await begin_game(app, ruleset=BASIC, terms=Terms(), venue=ELSEWHERE)).game.id
    await play_on(app, there, *TURNS[:4])
    found = await app.server_stats.figures(CLUB, [], EVE.user)
    assert found.last_day == TODAY + DAYS_SHOWN
    assert found.turns == (4, 0, 1, *(0,) * (DAYS_SHOWN - 4), 1)
    host.passes(DAYS_SHOWN * DAY)
    later = await app.server_stats.figures(CLUB, [], EVE.user)
    assert (set(later.turns), later.running, later.finished) == ({0}, 1, 1)


async def test_turns_taken_back_and_cancelled_games(app: App, host: Host) -> None:
    """Who takes a turn back plays it again. The turn of a game that was cancelled was played."""
    host.now = NOW
    game = (await begin_game(app, ruleset=BASIC, terms=Terms())).game.id
    await play_on(app, game, TURNS[0])
    host.passes(40 * DAY)
    request = (await app.requests.make(TAKEBACK, game, ANN.user)).request.id
    await app.requests.settle(request, BOB.user, RequestState.ACCEPTED)
    await play_on(app, game, TURNS[0])
    cancelled = (await begin_game(app, ruleset=BASIC)).game.id
    await play_on(app, cancelled, TURNS[0])
    await app.games.cancel_game(cancelled, BOB.user)
    assert sum((await app.server_stats.figures(CLUB, [], EVE.user)).turns) == 2


async def test_most_followed_game_comes_first(app: App, store: Store) -> None:
    """Of equals the older one. Lost follows, those of players, of ended games and of other servers do not count."""
    few, many, equal, lone, ended = [await begun(store) for _ in range(5)]
    for game, number in ((few, 1), (many, 3), (equal, 3), (ended, 9), (await begun(store, server=OTHER_CLUB), 9)):
        await follow(store, game, number)
    await follow(store, few, 5, lost=LostReason.HIDDEN)
    await follow(store, None, 4)
    await play_texts(app, ended, TURNS[:2])
    await app.games.resign(ended, ANN.user)
    assert await followed(app, HALL) == [(many, 3), (equal, 3), (few, 1)]
    assert lone not in dict(await followed(app, HALL))


async def test_only_followed_games_in_seen_channels_count(app: App, store: Store) -> None:
    """The players of a game see it. A thread is seen with its channel; a channel that is gone by nobody else."""
    hidden, thread, gone = (
        await begun(store, ATTIC),
        await begun(store, 17, parent=HALL),
        await begun(store, 18, parent=ATTIC),
    )
    for game, number in ((hidden, 3), (thread, 2), (gone, 1)):
        await follow(store, game, number)
    assert await followed(app, HALL) == [(thread, 2)]
    assert await followed(app, ATTIC) == [(hidden, 3), (gone, 1)]
    assert await followed(app) == []
    assert await followed(app, user=ANN.user) == [(hidden, 3), (thread, 2), (gone, 1)]
    assert await followed(app, user=DAN.user) == []


@pytest.mark.parametrize("more", [0, 2])
async def test_only_so_many_followed_games_are_returned(app: App, store: Store, more: int) -> None:
    ids = [await begun(store) for _ in range(MOST_FOLLOWED + more)]
    for game in ids:
        await follow(store, game)
    await follow(store, ids[-1])
    expected = [(ids[-1], 2), *((game, 1) for game in ids[:-1])]
    assert await followed(app, HALL) == expected[:MOST_FOLLOWED]
