"""Tournaments as people see them: opened, joined, left, stopped, played to the end of a season, and told."""

from dataclasses import replace

import discord
import pytest
import simcord

from gipfbot.match import LEVEL_NAMES, Refused, Seat, Why, house_name
from gipfbot.service.kit.loaded_games import game_name
from gipfbot.service.tournaments.course import BETWEEN_SEASONS
from gipfbot.service.tournaments.news import What, owe_news
from gipfbot.store import tournaments
from gipfbot.ui.kit.refusal_texts import refusal_text
from gipfbot.ui.kit.texts import STANDINGS_LABEL
from gipfbot.ui.tournaments import tournament_texts
from gipfbot.values.tournaments import TournamentState
from tests.support.background_work import rest
from tests.support.times import DAY, MINUTE
from tests.ui.forged import answered_text, forger
from tests.ui.private_message import PrivateMessage
from tests.ui.world import World, buttons, deliver, labels, options, private, told

from .tournament_people import NEW, direct, joined, news, opened, play_season, pressed, shown, went_on

pytestmark = pytest.mark.looks_every(2000)
JOIN, LEAVE, STAY = tournament_texts.JOIN_LABEL, tournament_texts.LEAVE_LABEL, tournament_texts.STAY_LABEL
STANDINGS, OWN_GAMES = STANDINGS_LABEL, tournament_texts.OWN_GAMES_LABEL
WEEK = 7


@pytest.fixture
def dan(world: World) -> simcord.MemberActor:
    return world.guild.add_member(world.env.create_user("dan", global_name="Dan"))


def mentions(world: World, message: discord.Message) -> tuple[object, object, object]:
    allowed = world.env.backend.get_message(message.channel.id, message.id).allowed_mentions
    return allowed.everyone, allowed.roles, allowed.users


def alt(message: PrivateMessage | discord.Message) -> str:
    """Return what the picture of a message shows, in words."""
    return message.attachments[0].description or ""


def said(why: Why, **facts: object) -> str:
    return refusal_text(Refused(why, **facts))


# ── Opening ──


async def test_manager_opens_a_league_without_any_option(world: World, boss: simcord.MemberActor) -> None:
    message = await opened(world, boss)
    assert message.content.startswith("boss opens a tournament: **Club** (League)")
    assert "10 days for the whole game" in message.content
    assert "no takebacks" in message.content
    assert "A game takes at most 35 days, a season at most 175 days." in message.content
    assert tournament_texts.WHAT_JOINING_MEANS in message.content
    assert tournament_texts.FIRST_GAMES_RATED in message.content
    assert buttons(message) == [JOIN, LEAVE, STANDINGS]
    assert mentions(world, message) == (False, set(), set())
    tournament = (await shown(world)).tournament
    assert tournament.starts_at - tournament.created_at == WEEK * DAY
    assert (tournament.kind, tournament.rounds, tournament.terms.vacation) == ("league", 0, WEEK)


async def test_message_is_in_the_language_of_its_server(world: World, boss: simcord.MemberActor) -> None:
    await world.bot.app.servers.change(world.guild.id, {"language": "de"})
    assert "Liga" in (await opened(world, boss)).content


async def test_options_are_the_terms_of_the_tournament(world: World, boss: simcord.MemberActor) -> None:
    chosen = {"kind": "swiss", "name": "Summer *cup*", "days": 3, "pace": 5, "rounds": 4, "rules": "basic"}
    message = await opened(world, boss, **chosen, rated=False, takebacks=True)
    assert message.content.startswith(r"boss opens a tournament: **Summer \*cup\*** (Swiss)")
    assert "**Basic** · 5 days for the whole game" in message.content
    assert "not rated · takebacks allowed" in message.content
    assert "4 rounds: in each you play somebody with about as many points." in message.content
    tournament = (await shown(world)).tournament
    assert tournament_texts.FIRST_GAMES_RATED not in message.content
    assert (tournament.rounds, tournament.ruleset.name, tournament.terms.rated) == (4, "basic", False)


async def test_second_tournament_gets_another_name(world: World, boss: simcord.MemberActor) -> None:
    for name in ("Club", "Club 2"):
        assert f"**{name}**" in (await opened(world, boss)).content
    new = replace((await shown(world)).tournament, state=TournamentState.OVER)
    async with world.store.transaction() as db:
        for number in range(3, 13):
            await tournaments.add_tournament(db, replace(new, name=f"Club {number}"))
    assert "**Club 13**" in (await opened(world, boss)).content


async def test_bot_takes_part_unrated_at_its_level(world: World, boss: simcord.MemberActor) -> None:
    answer = told(await boss.slash(world.channel, NEW, bot=2, rated=True, rounds=3))
    assert tournament_texts.UNRATED_WITH_BOT in answer
    assert tournament_texts.NO_ROUNDS_IN_LEAGUES in answer
    await world.env.settle()
    assert f"the bot plays as {LEVEL_NAMES[2]}" in world.public()[-1].content
    now = await shown(world)
    me = world.bot.user
    assert me
    assert [each.seat.user for each in now.entered] == [me.id]
    assert not now.tournament.terms.rated
    name = house_name(me.display_name, 2)
    assert f"1 player: {name}" in (await pressed(world.ann, world.public()[-1], STANDINGS)).content
    await joined(world, world.public()[-1], [world.ann, world.bob, world.cara])
    await went_on(world, WEEK)
    assert f"{name}: points" in alt(await pressed(world.ann, world.public()[0], STANDINGS))


async def test_overboard_is_refused(world: World, boss: simcord.MemberActor) -> None:
    await world.bot.app.servers.change(world.guild.id, {"rules": "overboard"})
    assert told(await boss.slash(world.channel, NEW)) == said(Why.NOT_IN_TOURNAMENTS)
    assert world.public() == []


async def test_who_may_open_and_stop_is_a_setting(world: World, boss: simcord.MemberActor) -> None:
    assert told(await world.ann.slash(world.channel, NEW)) == said(Why.NOT_ORGANISER)
    role = world.guild.create_role("organisers")
    await world.bot.app.servers.change(world.guild.id, {"organisers": role.id})
    assert told(await world.ann.slash(world.channel, NEW)) == said(Why.NOT_ORGANISER)
    guild = world.bot.get_guild(world.guild.id)
    assert guild
    await (await guild.fetch_member(world.ann.id)).add_roles(discord.Object(role.id))
    await opened(world, world.ann)
    stop = private(await world.ann.slash(world.channel, "gipf-tournament stop"))
    assert labels(stop) == [tournament_texts.STOP_LABEL, tournament_texts.LET_RUN_LABEL]
    await world.bot.app.servers.change(world.guild.id, {"organisers": None})
    refused = await world.ann.click(stop, label=tournament_texts.STOP_LABEL)
    assert said(Why.NOT_ORGANISER) in answered_text(refused), "they have lost the role"
    assert (await shown(world)).tournament.state is TournamentState.OPEN
    await world.bot.app.servers.change(world.guild.id, {"organisers": world.guild.id})
    await opened(world, world.bob)


async def test_tournament_goes_to_the_channel_for_games(world: World, boss: simcord.MemberActor) -> None:
    other = world.guild.create_text_channel("other")
    await world.bot.app.servers.change(world.guild.id, {"channel": world.channel.id})
    answer = told(await boss.slash(other, NEW))
    assert f"<#{world.channel.id}>" in answer
    await world.env.settle()
    assert buttons(world.public()[-1]) == [JOIN, LEAVE, STANDINGS]


# ── Joining and leaving ──


async def test_joining_tells_what_it_means_and_joining_twice_is_refused(
    world: World, boss: simcord.MemberActor
) -> None:
    message = await opened(world, boss)
    answer = await pressed(world.ann, message, JOIN)
    assert answer.content.startswith("You have joined **Club**.")
    assert f"begin by themselves in <#{world.channel.id}>" in answer.content
    assert labels(answer) == [LEAVE, STANDINGS]
    assert (await pressed(world.ann, message, JOIN)).content == said(Why.TOURNAMENT_JOINED)
    assert "1 player: Ann" in (await pressed(world.bob, message, STANDINGS)).content
    assert "It starts" in (await pressed(world.ann, message, STANDINGS)).content


async def test_leaving_before_the_start_needs_no_question(world: World, boss: simcord.MemberActor) -> None:
    message = await opened(world, boss)
    assert (await pressed(world.ann, message, LEAVE)).content == said(Why.NOT_IN_TOURNAMENT)
    await joined(world, message, [world.ann])
    assert (await pressed(world.ann, message, LEAVE)).content == "You have left **Club**."
    assert (await shown(world)).entered == []


async def test_who_does_not_see_the_channel_finds_no_tournament(
    world: World, boss: simcord.MemberActor, dan: simcord.MemberActor
) -> None:
    await opened(world, boss)
    open_channel = world.guild.create_text_channel("open")
    channel = world.bot.get_channel(world.channel.id)
    assert isinstance(channel, discord.TextChannel)
    await channel.set_permissions(await channel.guild.fetch_member(dan.id), view_channel=False)
    hidden = await forger(world, dan, open_channel)
    for use in ("tournament_join:1:join", "standings:1", "tournament_games:1", "tournament_leave:1"):
        assert said(Why.NO_TOURNAMENT) in answered_text(await hidden.send(use)), use
    assert told(await dan.slash(open_channel, "gipf-tournament list")) == tournament_texts.NO_TOURNAMENTS_HERE
    assert await dan.autocomplete(open_channel, "gipf-tournament show", "tournament", "") == []
    assert (await shown(world)).entered == []


async def test_leaving_in_the_middle_asks_and_loses_what_is_left(
    world: World, boss: simcord.MemberActor, dan: simcord.MemberActor
) -> None:
    message = await opened(world, boss)
    await joined(world, message, [world.ann, world.bob, world.cara, dan])
    await went_on(world, WEEK)
    asked = await pressed(world.ann, message, LEAVE)
    assert asked.content == "Leave **Club**? You lose 3 games that are left."
    kept = await pressed(world.ann, asked, tournament_texts.PLAY_ON_LABEL)
    assert kept.content == tournament_texts.STAYED_IN
    asked = await pressed(world.ann, message, LEAVE)
    assert (await pressed(world.ann, asked, tournament_texts.LEAVE_NOW_LABEL)).content == "You have left **Club**."
    await went_on(world)
    table = (await shown(world)).tables[0]
    assert [row.points for row in table] == [2, 2, 2, 0]
    assert "4. Ann" in alt(await pressed(world.bob, message, STANDINGS))
    assert (await pressed(world.ann, message, LEAVE)).content == said(Why.NOT_IN_TOURNAMENT)


# ── Playing ──


async def assert_ann_finds_three_games(world: World, message: discord.Message) -> None:
    """Check that Ann sees herself in the table, and boards of her games, of which those that wait stand out."""
    own = await pressed(world.ann, message, STANDINGS)
    assert own.content.startswith("League · **Standard** · 10 days for the whole game")
    assert "Ann (you): points 0" in alt(own)
    games = await pressed(world.ann, own, OWN_GAMES)
    assert len(labels(games)) == 4, "three boards and the standings"
    waiting = {game.id for game in await world.bot.app.games.waiting_games(world.ann.id)}
    assert [games.content.count(whose) for whose in (": your turn", ": their turn")] == [len(waiting), 3 - len(waiting)]
    styles = {each["label"]: each["style"] for row in games.rows for each in row}
    primary = discord.ButtonStyle.primary.value
    assert {name for name, style in styles.items() if style == primary} == {game_name(game) for game in waiting}


async def test_league_of_four_to_its_end_and_the_next_season(
    world: World, boss: simcord.MemberActor, dan: simcord.MemberActor
) -> None:
    people = [world.ann, world.bob, world.cara, dan]
    message = await opened(world, boss)
    await joined(world, message, people)
    await went_on(world, WEEK - 1)
    assert [each.content for each in direct(world, world.ann)][-1].startswith("**Club** starts")
    await went_on(world, 1)
    assert news(world)[-1].startswith("Season 1 of **Club** has begun.")
    assert (await pressed(boss, message, JOIN)).content.startswith("You have joined **Club**.\nYou play from season 2")
    await assert_ann_finds_three_games(world, message)
    assert (await pressed(boss, message, LEAVE)).content == "You have left **Club**.", "of the next season alone"
    await went_on(world, WEEK)
    assert news(world)[-1] == "Season 1 of **Club**: 0 of 6 games are over."
    await play_season(world)
    over = world.public()[-1]
    assert over.content.startswith("Season 1 of **Club** is over.\n**Ann** has won with 3 points.")
    assert buttons(over) == [STAY, JOIN, STANDINGS]
    assert "Winner of season 1. 1. Ann: 3." in alt(over)
    assert mentions(world, over) == (False, set(), set())
    asked = direct(world, world.ann)[-1]
    assert asked.content.startswith("Season 1 of **Club** is over. You have come in at place 1.")
    assert (await pressed(world.ann.user, asked, STAY)).content.startswith("You stay in **Club**.\nSeason 2 begins")
    for person in (world.bob, world.cara):
        assert (await pressed(person, over, STAY)).content.startswith("You stay in **Club**.")
    assert (await pressed(boss, over, STAY)).content == said(Why.NOT_IN_TOURNAMENT)
    await joined(world, over, [boss])
    assert (await pressed(world.ann, over, STAY)).content == said(Why.TOURNAMENT_JOINED)
    await went_on(world, BETWEEN_SEASONS / DAY)
    assert news(world)[-1].startswith("Season 2 of **Club** has begun.")
    players = {each.seat.user for each in (await shown(world)).played.entries}
    assert players == {world.ann.id, world.bob.id, world.cara.id, boss.id}, "Dan has not stayed"


async def test_joining_a_swiss_tournament_after_its_start_is_refused(world: World, boss: simcord.MemberActor) -> None:
    message = await opened(world, boss, kind="swiss", rounds=2)
    people = [
        world.guild.add_member(world.env.create_user(f"p{number}", global_name=f"P{number}")) for number in range(8)
    ]
    await joined(world, message, people)
    await went_on(world, WEEK)
    assert news(world)[-1].startswith("Round 1 of 2 of **Club** has begun.")
    assert (await pressed(world.ann, message, JOIN)).content == said(Why.TOURNAMENT_STARTED)
    await play_season(world)
    assert news(world)[-1] == "**Club** is over."
    assert (await pressed(world.ann, message, JOIN)).content == said(Why.TOURNAMENT_OVER)


async def test_too_few_players_are_told(world: World, boss: simcord.MemberActor) -> None:
    await joined(world, await opened(world, boss), [world.ann, world.bob])
    await went_on(world, WEEK)
    assert news(world)[-1] == "**Club** is called off: it takes at least 4 players."


async def test_who_has_left_the_server_before_the_start_does_not_play(
    world: World, boss: simcord.MemberActor, dan: simcord.MemberActor
) -> None:
    await joined(world, await opened(world, boss), [world.ann, world.bob, world.cara, dan, boss])
    world.guild.remove_member(dan)
    await world.env.settle()
    await world.env.advance_time(WEEK * DAY + 1)
    await world.bot.sweep()
    await rest(world.bot.tournament_loop)
    await deliver(world)
    assert len((await shown(world)).tables[0]) == 4


async def test_ended_game_leads_to_the_standings_and_no_rematch(
    world: World, boss: simcord.MemberActor, dan: simcord.MemberActor
) -> None:
    await joined(world, await opened(world, boss), [world.ann, world.bob, world.cara, dan])
    await went_on(world, WEEK)
    game = (await world.bot.app.games.waiting_games(world.ann.id))[0].id
    await world.bot.app.games.resign(game, world.ann.id)
    await world.env.advance_time(MINUTE)  # then the channel takes messages again
    await deliver(world)
    (last,) = [each for each in world.public() if "Ann resigned" in each.content]
    assert buttons(last) == [STANDINGS]
    assert "Ann (you)" in alt(await pressed(world.ann, last, STANDINGS))
    shown_to_ann = private(await world.ann.slash(world.channel, "gipf board", game=game_name(game)))
    assert STANDINGS in labels(shown_to_ann)
    assert "Rematch" not in labels(shown_to_ann)


async def test_deleted_channel_is_made_up_for_by_direct_messages(
    world: World, boss: simcord.MemberActor, dan: simcord.MemberActor
) -> None:
    people = [world.ann, world.bob, world.cara, dan]
    await joined(world, await opened(world, boss, name="Cup"), people)
    channel = world.bot.get_channel(world.channel.id)
    assert isinstance(channel, discord.TextChannel)
    await channel.delete()
    await world.env.settle()
    await went_on(world, WEEK)
    await deliver(world)
    begun = [each for each in direct(world, world.ann) if "has begun" in each.content]
    assert [each.content.startswith("Season 1 of **Cup** on **Club** has begun.") for each in begun] == [True]
    assert "(you)" in alt(await pressed(world.ann.user, begun[0], STANDINGS)), "who plays sees it"
    await play_season(world)
    await deliver(world)
    (asked,) = [each for each in direct(world, world.ann) if STAY in buttons(each) and JOIN not in buttons(each)]
    assert (await pressed(world.ann.user, asked, STAY)).content.startswith("You stay in **Cup**.")


# ── Looking and stopping ──


async def test_tournaments_are_listed_found_by_name_and_shown(world: World, boss: simcord.MemberActor) -> None:
    nothing = told(await world.ann.slash(world.channel, "gipf-tournament list"))
    assert nothing == tournament_texts.NO_TOURNAMENTS_HERE
    assert told(await world.ann.slash(world.channel, "gipf-tournament show")) == said(Why.NO_TOURNAMENT)
    await opened(world, boss, name="Spring")
    shown_one = private(await world.ann.slash(world.channel, "gipf-tournament show"))
    assert shown_one.content.startswith("**Spring** · League · open")
    assert labels(shown_one) == [JOIN]
    await opened(world, boss, name="Summer")
    listed = private(await world.ann.slash(world.channel, "gipf-tournament show"))
    assert "- **Summer** · League · open · starts" in listed.content
    assert "name one" in told(await boss.slash(world.channel, "gipf-tournament stop"))
    found = await world.ann.autocomplete(world.channel, "gipf-tournament show", "tournament", "spr")
    assert [choice["name"] for choice in found] == ["Spring · League · open"]
    chosen = private(await world.ann.slash(world.channel, "gipf-tournament show", tournament=found[0]["value"]))
    assert chosen.content.startswith("**Spring**")
    typed = private(await world.ann.slash(world.channel, "gipf-tournament show", tournament="summer"))
    assert typed.content.startswith("**Summer**")
    assert told(await world.ann.slash(world.channel, "gipf-tournament show", tournament="x")) == said(Why.NO_TOURNAMENT)
    await world.bot.app.tournaments.stop(1)
    only = private(await world.ann.slash(world.channel, "gipf-tournament show"))
    assert only.content.startswith("**Summer**"), "the only one that goes on"
    picked = private(await world.ann.select(listed, ["1"]))
    assert picked.content.startswith("**Spring**")


async def begun_with(world: World, boss: simcord.MemberActor, players: int, **terms: object) -> discord.Message:
    """Return the message of a tournament that has begun with so many people."""
    message = await opened(world, boss, **terms)
    for number in range(players):
        await world.bot.app.tournaments.join(1, Seat(5000 + number, f"P{number}"))
    await world.env.advance_time(WEEK * DAY + 1)
    await world.bot.app.tournament_course.go_on_with_due()
    return message


async def test_other_divisions_are_chosen_from_a_list(world: World, boss: simcord.MemberActor) -> None:
    message = await begun_with(world, boss, 9)
    shown_one = await pressed(world.ann, message, STANDINGS)
    assert "division 1 of 2" in alt(shown_one)
    assert [*options(shown_one)] == ["Division 1", "Division 2"]
    other = private(await world.ann.select(shown_one, ["2"]))
    assert "division 2 of 2" in alt(other)
    assert alt(other).count("points 0") == 4
    player = await forger(world, world.ann, world.channel)
    assert answered_text(await player.send("standings_page:1:7:9")), "the nearest there is"


async def test_long_tables_have_pages(world: World, boss: simcord.MemberActor) -> None:
    message = await begun_with(world, boss, 22, kind="swiss", rounds=1)
    first = await pressed(world.ann, message, STANDINGS)
    assert (alt(first).count(". P"), labels(first)[:2]) == (20, ["Previous", "Next"])
    second = await pressed(world.ann, first, "Next")
    assert alt(second).count(". P") == 2
    back = await pressed(world.ann, second, "Previous")
    assert alt(back).count(". P") == 20


async def test_news_that_a_tournament_has_outlived_is_not_posted(
    world: World, boss: simcord.MemberActor, dan: simcord.MemberActor
) -> None:
    message = await opened(world, boss)
    await joined(world, message, [world.ann, world.bob, world.cara, dan])
    await went_on(world, WEEK)
    tournament = (await shown(world)).tournament
    async with world.store.transaction() as db:
        for what in (What.OPENED, What.SEASON_OVER, What.OVER, What.STOPPED):
            await owe_news(db, replace(tournament, begun=0), what, world.bot.app.now(), "late")
            await owe_news(db, tournament, what, world.bot.app.now(), "early")
        for what in (What.BEGUN, What.WEEK):
            await owe_news(db, replace(tournament, begun=0), what, world.bot.app.now(), "late")
    before = len(world.public())
    await deliver(world)
    assert len(world.public()) == before


async def test_stopped_tournament_lets_its_games_run(
    world: World, boss: simcord.MemberActor, dan: simcord.MemberActor
) -> None:
    message = await opened(world, boss)
    await joined(world, message, [world.ann, world.bob, world.cara, dan])
    await went_on(world, WEEK)
    asked = private(await boss.slash(world.channel, "gipf-tournament stop"))
    assert (await pressed(boss, asked, tournament_texts.LET_RUN_LABEL)).content == tournament_texts.LET_RUN
    asked = private(await boss.slash(world.channel, "gipf-tournament stop", tournament="Club"))
    assert "**Club** was stopped." in (await pressed(boss, asked, tournament_texts.STOP_LABEL)).content
    await deliver(world)
    assert news(world)[-1].startswith("**Club** was stopped.")
    game = await world.game(1)
    assert (game.terms.tournament, game.terms.rated, game.asked is not None) == (None, False, True)
    assert (await pressed(world.ann, message, JOIN)).content == said(Why.TOURNAMENT_OVER)
