"""On the demo's page, one visitor sees a whole tournament: the page's people join, play and stay."""

import asyncio

import pytest
import simcord

from gipfbot import demo
from gipfbot.demo_people import SHORT_GAME, START_SECONDS, PagePeople
from gipfbot.match import Game
from gipfbot.rules import Reason, Result
from gipfbot.service.house.house_player import Engine
from gipfbot.ui.tournaments import tournament_texts
from gipfbot.values.tournaments import TournamentState
from tests.support.engines import EngineInThread
from tests.support.times import DAY, MINUTE
from tests.ui.world import World, deliver, seat

from .tournament_people import direct, joined, opened, pressed, shown, went_on

pytestmark = pytest.mark.looks_every(2000)
MOST_LOOKS = 100  # of the page's people; more are needed only if they wait for ever


def page_people(world: World, count: int = 3, engine: Engine | None = None) -> PagePeople:
    names = [f"page{number}" for number in range(count)]
    people = [world.guild.add_member(world.env.create_user(name, global_name=name.capitalize())) for name in names]
    return PagePeople(world.bot, world.guild.id, [seat(person) for person in people], engine)


async def enter(people: PagePeople) -> None:
    """Let the page's people look as often as they need to join or stay, and to let the season begin."""
    for _ in range(len(people.people) + 1):
        await people.act()


async def begin(world: World) -> None:
    await world.env.advance_time(START_SECONDS)
    await went_on(world)


async def games_of(world: World, user: int) -> list[Game]:
    """Return the running games of a person in the tournament."""
    own = await world.bot.app.tournaments.games_of(1, user)
    return [await world.game(each.game) for each in own if each.game and not each.outcome]


async def play_to_the_end(world: World, people: PagePeople, visitor: int) -> None:
    """Let the visitor resign each of their games, and the others play theirs, until the season is over."""
    for _ in range(MOST_LOOKS):
        for game in await games_of(world, visitor):
            await world.bot.app.games.resign(game.id, visitor)
        await people.act()
        await went_on(world)
        if (await shown(world)).tournament.starts_at:
            return
    raise AssertionError("the season has not ended")


async def test_league_of_four_is_played_to_its_end_and_goes_on(world: World, boss: simcord.MemberActor) -> None:
    people = page_people(world, engine=EngineInThread())
    await joined(world, await opened(world, boss), [boss])
    await enter(people)
    await begin(world)
    begun = await shown(world)
    assert begun.tournament.state is TournamentState.RUNNING
    assert {each.seat.user for each in begun.played.entries} == {boss.id, *people.users}
    await play_to_the_end(world, people, boss.id)

    over = await shown(world)
    assert [each.points for each in over.tables[0]][-1] == 0, "the visitor has lost all"
    await enter(people)
    assert (await shown(world)).tournament == over.tournament, "it waits for the visitor"
    answer = await pressed(boss, world.public()[-1], tournament_texts.STAY_LABEL)
    assert answer.content.startswith("You stay in **Club**.")
    await people.act()
    await begin(world)
    begun = await shown(world)
    assert (begun.tournament.begun, len(begun.played.entries), len(begun.played.pairings)) == (2, 4, 6)


async def test_start_is_moved_once_all_have_joined(world: World, boss: simcord.MemberActor) -> None:
    """The page's people join one by one. Without a visitor, nothing is moved."""
    people = page_people(world)
    message = await opened(world, boss)
    planned = (await shown(world)).tournament
    for number in range(5):
        assert len((await shown(world)).entered) == min(number, 3)
        await people.act()
    assert (await shown(world)).tournament == planned
    await joined(world, message, [boss])
    await people.act()
    await people.act()
    assert (await shown(world)).tournament.starts_at == world.bot.app.now() + START_SECONDS < planned.starts_at - DAY
    said = "Nobody waits for days on this page: the games of **Club** begin in a few seconds."
    assert [each.content for each in world.public()].count(said) == 1
    await went_on(world)
    assert "starts <t:" in direct(world, boss)[-1].content, "they are reminded"


async def test_visitor_is_answered_in_all_games_at_once(world: World, boss: simcord.MemberActor) -> None:
    """Of the games of the page's people alone, one goes on by a turn: its boards would be in the way."""
    people = page_people(world)
    await joined(world, await opened(world, boss), [boss])
    await enter(people)
    await begin(world)
    before = {game.id: game.version for user in people.users for game in await games_of(world, user)}
    await people.act()
    await world.env.advance_time(MINUTE)
    await deliver(world)
    own = await games_of(world, boss.id)
    assert len(own) == 3
    assert all(game.asked is game.colour_of(boss.id) for game in own)
    after = {game: (await world.game(game)).version for game in before}
    mine = {game.id for game in own}
    assert sum(after[game] != before[game] for game in before if game not in mine) == 1
    board = world.board(own[0].id)
    assert world.pings(board) == {boss.id}


async def test_game_without_visitor_ends_soon(world: World, boss: simcord.MemberActor) -> None:
    """The player who stands worse resigns: here the one who is asked."""
    people = page_people(world, engine=EngineInThread(score=-100))
    await joined(world, await opened(world, boss), [boss])
    await enter(people)
    await begin(world)
    mine = {game.id for game in await games_of(world, boss.id)}
    others = {game.id for user in people.users for game in await games_of(world, user)} - mine
    for _ in range((SHORT_GAME + 1) * len(others)):
        await people.act()
    ended = [await world.game(game) for game in others]
    assert {game.turn_number for game in ended} == {SHORT_GAME}
    assert all(game.position.result == Result(game.position.mover.other, Reason.RESIGN) for game in ended)
    assert len(await games_of(world, boss.id)) == 3, "a visitor's games go on"


async def test_bot_is_no_visitor(world: World, boss: simcord.MemberActor) -> None:
    people = page_people(world)
    message = await opened(world, boss, bot=2)
    await enter(people)
    assert (await shown(world)).tournament.starts_at > world.bot.app.now() + DAY
    await joined(world, message, [boss])
    await people.act()
    assert (await shown(world)).tournament.starts_at == world.bot.app.now() + START_SECONDS


async def test_swiss_tournament_gets_seven_of_them(world: World, boss: simcord.MemberActor) -> None:
    people = page_people(world, count=7)
    await joined(world, await opened(world, boss, kind="swiss", rounds=2), [boss])
    await enter(people)
    await begin(world)
    begun = await shown(world)
    assert (begun.tournament.begun, len(begun.played.entries)) == (1, 8)


async def test_nothing_is_moved_for_a_visitor_who_has_left(world: World, boss: simcord.MemberActor) -> None:
    people = page_people(world)
    message = await opened(world, boss)
    await joined(world, message, [boss])
    await pressed(boss, message, tournament_texts.LEAVE_LABEL)
    await enter(people)
    assert (await shown(world)).tournament.starts_at > world.bot.app.now() + DAY


async def test_the_end_waits_for_what_still_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    """A connection may still be on its way back, which the end of the event loop would cancel."""
    running = set[asyncio.Task[None]]()

    async def show(*_: object) -> None:
        running.add(asyncio.create_task(asyncio.sleep(0.2)))

    monkeypatch.setattr(demo, "_show_page", show)
    await demo.serve_demo(0, browse=False)
    assert [task.done() for task in running] == [True]
