"""The figures of a server. Other servers have games, turns and followers of their own, which never count."""

import pytest
from sqlalchemy import update

from gipfbot.match import Terms
from gipfbot.match.explorer import WinRate
from gipfbot.rules import BASIC, OVERBOARD, STANDARD, TOURNAMENT, Reason, Result
from gipfbot.service.app import App
from gipfbot.service.competing.server_stats import DAYS_SHOWN, MOST_FOLLOWED
from gipfbot.store import Store, games, tables, watching
from gipfbot.values import Follow, LostReason, News, Venue
from tests.service.helpers import Host, begin_game, play_on, play_texts
from tests.support.games import TURNS
from tests.support.people import ANN, BOB, CARA, CLUB, DAN, ELSEWHERE, EVE, HALL, OTHER_CLUB
from tests.support.times import DAY, NOW

from .ended_games import BLACK_WINS, DRAWN, WHITE_LATE, WHITE_WINS, Ending, live_through

ATTIC = HALL + 5
TODAY = NOW // DAY


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
    request = (await app.takebacks.request_takeback(game, ANN.user)).request.id
    await app.takebacks.accept_takeback(request, BOB.user)
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
