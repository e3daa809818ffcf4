"""What tournaments say: in their channel, and to their players."""

from dataclasses import replace

import pytest
from sqlalchemy import select

from gipfbot.match.game import lose_game
from gipfbot.rules import Reason
from gipfbot.service.app import App
from gipfbot.service.competing.results import save_and_rate
from gipfbot.service.kit.loaded_games import require_game
from gipfbot.service.tournaments.course import BETWEEN_SEASONS
from gipfbot.service.tournaments.news import NEWS, TOLD, What
from gipfbot.store import tables, users
from tests.service.helpers import Host, delete_all
from tests.support.people import ANN, HOME, HOUSE_PLAYER
from tests.support.times import DAY, WEEK

from .playing import PEOPLE, SWISS, UNOPENED, begun, join, opened, play, resign, running, with_house


async def said(app: App, kind: str = NEWS) -> list[tuple[What, int]]:
    """Return all that was ever said, with the channels or people, in order."""
    async with app.games.store.reading() as db:
        rows = await db.execute(select(tables.outbox).order_by(tables.outbox.c.id))
        return [(What(row.payload["what"]), row.channel) for row in rows if row.kind == kind]


async def in_channel(app: App) -> list[What]:
    """Return what was said in the channel of the tournaments."""
    found = await said(app)
    assert {channel for _, channel in found} <= {HOME.channel}
    return [what for what, _ in found]


async def told(app: App, what: What) -> list[int]:
    """Return who was told something directly."""
    return sorted(user for each, user in await said(app, TOLD) if each is what)


async def drop(app: App, what: What) -> None:
    """Drop the last message of this kind, as if its channel were gone."""
    async with app.games.store.reading() as db:
        rows = await db.execute(select(tables.outbox).order_by(tables.outbox.c.id.desc()))
        row = next(row.id for row in rows if row.kind == NEWS and row.payload["what"] == what)
    leased = await app.outbox.lease_row(row)
    assert leased
    await app.outbox.give_up(leased, "gone")


def users_of(first: int, last: int) -> list[int]:
    return [seat.user for seat in PEOPLE[first:last]]


async def test_a_league_says_how_it_goes_on(app: App, host: Host) -> None:
    tournament = await opened(app, 4)
    assert await in_channel(app) == [What.OPENED]
    host.passes(DAY)
    await app.tournament_course.go_on_with_due()
    assert await in_channel(app) == [What.OPENED, What.BEGUN]
    await play(app, tournament)
    assert await in_channel(app) == [What.OPENED, What.BEGUN, What.SEASON_OVER]
    host.passes(BETWEEN_SEASONS)
    await app.tournament_course.go_on_with_due()
    assert await in_channel(app) == [What.OPENED, What.BEGUN, What.SEASON_OVER, What.CALLED_OFF]


async def test_a_swiss_tournament_says_each_round(app: App, host: Host) -> None:
    tournament = await begun(app, host, 8, SWISS)
    await play(app, tournament)
    assert await in_channel(app) == [What.OPENED, *[What.BEGUN] * 3, What.OVER]
    assert await said(app, TOLD) == []


async def test_a_stop_is_said_once(app: App) -> None:
    await app.tournaments.stop(await opened(app, 4))
    assert await in_channel(app) == [What.OPENED, What.STOPPED]


async def test_who_has_joined_is_reminded_once_before_the_start(app: App, host: Host) -> None:
    tournament = await opened(app, 4, replace(UNOPENED, starts_at=host.now + 3 * DAY, terms=with_house()), HOUSE_PLAYER)
    await app.tournaments.leave(tournament, PEOPLE[3].user)
    async with app.games.store.transaction() as db:
        await users.set_dms_shut(db, PEOPLE[2].user, host.now + 2 * DAY - 1)
    host.passes(2 * DAY - 1)
    await app.tournament_course.go_on_with_due()
    assert await told(app, What.SOON) == []
    host.passes(1)
    for _ in range(2):
        await app.tournament_course.go_on_with_due()
    assert await told(app, What.SOON) == users_of(0, 2)


async def test_each_season_is_preceded_by_a_reminder(app: App, host: Host) -> None:
    """Also to those who did not play in the season before."""
    tournament = await begun(app, host, 4)
    await play(app, tournament)
    await join(app, tournament, 3)
    await app.tournaments.join(tournament, ANN)
    host.passes(BETWEEN_SEASONS - DAY - 1)
    await app.tournament_course.go_on_with_due()
    assert await told(app, What.SOON) == []
    host.passes(1)
    await app.tournament_course.go_on_with_due()
    assert await told(app, What.SOON) == sorted([*users_of(0, 3), ANN.user])


async def test_a_reminder_that_comes_after_the_start_is_left_out(app: App, host: Host) -> None:
    await opened(app, 4)
    host.passes(2 * DAY)
    await app.tournament_course.go_on_with_due()
    assert await told(app, What.SOON) == []


async def test_each_week_of_a_season_is_said_and_none_between_seasons(app: App, host: Host) -> None:
    tournament = await begun(app, host, 4)
    for weeks in range(1, 4):
        host.passes(WEEK - 1)
        await app.tournament_course.go_on_with_due()
        assert (await in_channel(app)).count(What.WEEK) == weeks - 1
        host.passes(1)
        await app.tournament_course.go_on_with_due()
        assert (await in_channel(app)).count(What.WEEK) == weeks
    host.passes(DAY)
    await play(app, tournament)
    await join(app, tournament, 4)
    for seconds in (WEEK - DAY, DAY, WEEK - 1):  # the next week would end, the second season begins, and its first week
        host.passes(seconds)
        await app.tournament_course.go_on_with_due()
        assert (await in_channel(app)).count(What.WEEK) == 3
    host.passes(1)
    await app.tournament_course.go_on_with_due()
    assert (await in_channel(app)).count(What.WEEK) == 4


async def test_a_swiss_tournament_says_no_weeks(app: App, host: Host) -> None:
    await begun(app, host, 8, SWISS)
    host.passes(3 * WEEK)
    await app.tournament_course.go_on_with_due()
    assert What.WEEK not in await in_channel(app)


async def lose_on_time(app: App, game: int, user: int) -> None:
    """Let a person lose a game on time."""
    async with app.games.store.transaction() as db:
        before = await require_game(db, game)
        loser = before.game.colour_of(user)
        assert loser is not None
        after = lose_game(before.game, loser, Reason.TIME)
        await save_and_rate(db, before, after, by=0, now=app.now())


async def test_who_is_asked_to_stay(app: App, host: Host) -> None:
    """Not the bot, not who has left, not former players, and not who has lost all their games on time."""
    tournament = await begun(app, host, 6, replace(UNOPENED, terms=with_house()), HOUSE_PLAYER)
    leaves, deletes, late = PEOPLE[:3]
    while len(await running(app, tournament)) > 1:
        for game in await running(app, tournament):
            seats = (await app.games.game(game)).game.seats
            if late in seats:
                await lose_on_time(app, game, late.user)
            elif {*seats} != {leaves, deletes}:
                await resign(app, game)
        await app.tournament_course.go_on_with_due()
    assert await told(app, What.STAY) == []
    await app.tournaments.leave(tournament, leaves.user)
    await delete_all(app, deletes.user)
    await app.tournament_course.go_on_with_due()
    assert await told(app, What.STAY) == users_of(3, 6)
    await drop(app, What.SEASON_OVER)
    assert await told(app, What.SEASON_OVER) == [late.user], "those who are asked know it"


DROPPED = {What.OPENED: 1, What.BEGUN: 1, What.SEASON_OVER: 0, What.STOPPED: 1, What.WEEK: 0}


@pytest.mark.parametrize("what", DROPPED)
async def test_players_are_told_what_their_channel_was_not(app: App, host: Host, what: What) -> None:
    tournament = await begun(app, host, 4)
    if what is What.WEEK:
        host.passes(WEEK)
        await app.tournament_course.go_on_with_due()
    elif what is What.STOPPED:
        await app.tournaments.stop(tournament)
    elif what is What.SEASON_OVER:
        await play(app, tournament)
    await delete_all(app, PEOPLE[3].user)
    await drop(app, what)
    assert await told(app, what) == users_of(0, 3) * DROPPED[what]


async def test_who_has_left_is_told_nothing_more(app: App, host: Host) -> None:
    tournament = await begun(app, host, 9, SWISS)
    await app.tournaments.leave(tournament, PEOPLE[0].user)
    for game in await running(app, tournament):
        await resign(app, game)
    await app.tournament_course.go_on_with_due()
    await drop(app, What.BEGUN)
    assert await told(app, What.BEGUN) == users_of(1, 9)


async def test_those_whose_season_is_called_off_are_told_so(app: App, host: Host) -> None:
    tournament = await begun(app, host, 4)
    await play(app, tournament)
    await app.tournaments.join(tournament, ANN)
    host.passes(BETWEEN_SEASONS)
    await app.tournament_course.go_on_with_due()
    await drop(app, What.CALLED_OFF)
    assert await told(app, What.CALLED_OFF) == [ANN.user]
