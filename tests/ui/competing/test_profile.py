"""`/gipf profile`: what it says of a player and of two people, whose games it names, and bad input."""

from dataclasses import replace

import discord
import pytest
import simcord

from gipfbot.match import Seat, Status, Terms
from gipfbot.rules import STANDARD, Colour, Reason, Result
from gipfbot.service.competing.results import save_and_rate
from gipfbot.store import games
from gipfbot.ui.competing import leaderboard_texts, profile
from gipfbot.ui.competing.profile import SHOWN_RUNNING
from gipfbot.ui.kit.texts import SHOW_HERE_LABEL
from gipfbot.values import Venue
from tests.support.games import PLAYED
from tests.ui.opened_message import OpenedMessage
from tests.ui.tournaments.tournament_people import win_season
from tests.ui.watching.hidden import hidden_game
from tests.ui.world import World, labels, seat, told

pytestmark = pytest.mark.looks_every(60)
PROFILE = "gipf profile"


async def ended(world: World, white: Seat, black: Seat, channel: int | None = None, turns: int = 4) -> None:
    """Let White win a rated Standard game by resignation."""
    async with world.store.transaction() as db:
        venue, now = Venue(world.guild.id, channel or world.channel.id), world.bot.app.now()
        stored = await games.add_game(db, STANDARD, (white, black), venue, now, Terms(rated=True))
        position = stored.game.position._replace(result=Result(Colour.WHITE, Reason.RESIGN))
        after = replace(stored.game, position=position, status=Status.OVER, version=1, turn_number=turns)
        await save_and_rate(db, stored, after, by=0, now=now)


async def shown(world: World, person: simcord.MemberActor, **options: object) -> OpenedMessage:
    return OpenedMessage(person, await person.slash(world.channel, PROFILE, **options))


async def test_profile_says_what_was_played(world: World) -> None:
    """Ann and Bob play a game; Bob wins."""
    game_id = await world.begin()
    for number, turn in enumerate(PLAYED[:4]):
        await (world.bob if number % 2 else world.ann).slash(world.channel, "move", notation=turn)
    done = await world.bot.app.games.resign(game_id, world.ann.id)
    await world.bot.delivery.deliver(done.owed)
    await ended(world, seat(world.ann), seat(world.cara), turns=9)
    profile = await shown(world, world.cara, player=world.ann)
    lines = profile.text.splitlines()
    assert lines[0] == "**Ann** · 2 games: 1 won, 1 lost"
    assert lines[1].startswith("Standard: **1500** ±")
    assert lines[1].endswith(" · 2 rated, 1 won")
    assert lines[2:] == [
        "**As White:** 2 games: 1 won, 1 lost · most played: a2-c2 f1-d2 (Standard), in 1 of 1 game",
        "**As Black:** no games with a result",
        "**Opponents:** Cara (1 won, 0 lost) · Bob (0 won, 1 lost)",
        "**How games ended:** resigned 2 (1 won)",
        "**Longest game:** 5 turns, #b1 vs Cara",
    ]
    (picture,) = profile.message.attachments
    assert picture.filename == "ratings.png"
    assert (picture.description or "").startswith("Ratings of Ann, ")


async def test_against_shows_the_games_of_two_people(world: World) -> None:
    await ended(world, seat(world.ann), seat(world.bob))
    await ended(world, seat(world.bob), seat(world.cara))
    await world.begin()
    profile = await shown(world, world.bob, against=world.ann)
    assert profile.text.splitlines()[:4] == [
        "**Bob vs Ann** · 1 game: 0 won, 1 lost",
        "**As White:** no games with a result",
        "**As Black:** 1 game: 0 won, 1 lost",
        "**How games ended:** resigned 1",
    ]
    assert "**Running:** 1 game\n**#c1** Ann vs Bob · Standard" in profile.text
    assert profile.message.attachments == []
    await profile.press("Board #c1")
    assert "#c1" in OpenedMessage(world.bob, profile.last).text
    assert told(await world.cara.slash(world.channel, PROFILE, against=world.ann)) == (
        "Cara and Ann haven't played each other yet."
    )


async def test_who_never_played_is_greeted(world: World) -> None:
    assert profile.YOU_NEVER_PLAYED.partition("**")[0] in told(await world.cara.slash(world.channel, PROFILE))
    said = told(await world.ann.slash(world.channel, PROFILE, player=world.cara))
    assert said.startswith("Cara hasn't played yet. ")


async def test_bad_choices_are_answered(world: World) -> None:
    await world.begin()
    same = await world.ann.slash(world.channel, PROFILE, against=world.ann)
    assert told(same) == profile.SAME_PERSON
    robot = world.guild.add_member(world.env.create_user("robot", bot=True))
    for options in ({"player": robot}, {"against": robot}):
        assert told(await world.ann.slash(world.channel, PROFILE, **options)) == profile.BOTS_DO_NOT_PLAY


async def test_a_direct_message_asks_discord_who_sees_a_game(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """It asks once for each server, however many games there are."""
    await hidden_game(world)
    for _ in range(3):
        await world.begin()
    asked = list[int]()
    fetch = discord.Guild.fetch_member

    async def noted(guild: discord.Guild, user: int) -> discord.Member:
        asked.append(user)
        return await fetch(guild, user)

    monkeypatch.setattr(discord.Guild, "fetch_member", noted)
    said = told(await world.cara.user.slash(PROFILE, player=world.ann.user))
    assert "**Running:** 4 games, you can see 3:" in said
    assert asked == [world.cara.id]


async def test_turns_are_shown_in_the_readers_notation(world: World) -> None:
    game = await world.begin("basic")
    for person, turn in ((world.ann, PLAYED[0]), (world.bob, PLAYED[1])):
        await person.slash(world.channel, "move", notation=turn)
    await world.bot.app.games.resign(game, world.ann.id)
    assert "most played: a2-c2 f1-d2 (Basic), in 1 of 1 game" in (await shown(world, world.ann)).text
    await world.ann.slash(world.channel, "gipf-me settings", notation="julio974")
    assert r"most played: a2 f1\* (Basic)" in (await shown(world, world.ann)).text


async def test_hidden_games_are_counted_but_not_named(world: World) -> None:
    """Cara does not see their channel. Ann, who plays, reads their names."""
    hidden = await hidden_game(world)
    await ended(world, seat(world.ann), seat(world.bob), hidden.channel.id, turns=30)
    await world.begin()
    for options in ({"player": world.ann}, {"player": world.ann, "against": world.bob}):
        text = (await shown(world, world.cara, **options)).text
        assert "**Longest game:** 15 turns\n" in text
        assert "**Running:** 2 games, you can see 1:\n**#c1** Ann vs Bob" in text
        assert "#a1" not in text
        assert "#b1" not in text
    own = await shown(world, world.ann)
    assert "**Longest game:** 15 turns, #b1 vs Bob\n" in own.text
    assert "**Running:** 2 games\n" in own.text
    assert "#a1" in own.text


async def test_titles_are_named_if_their_channel_is_seen(world: World) -> None:
    """Ann, whose titles they are, reads all of them."""
    hidden = await hidden_game(world)
    await ended(world, seat(world.ann), seat(world.bob))
    await win_season(world, "Secret Cup", hidden.channel.id)
    assert "**Won:** 1 tournament\n" in (await shown(world, world.cara, player=world.ann)).text
    await win_season(world, "Spring League", world.channel.id)
    assert "**Won:** Spring League, season 1 · 1 more\n" in (await shown(world, world.cara, player=world.ann)).text
    assert "**Won:** Spring League, season 1 · Secret Cup, season 1\n" in (await shown(world, world.ann)).text
    assert "Won:" not in (await shown(world, world.ann, against=world.bob)).text


async def test_only_the_newest_titles_are_looked_at(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(profile, "CHECKED_TITLES", 2)
    await ended(world, seat(world.ann), seat(world.bob))
    for name in ("One", "Two", "Three"):
        await win_season(world, name, world.channel.id)
    text = (await shown(world, world.cara, player=world.ann)).text
    assert "**Won:** Three, season 1 · Two, season 1 · 1 more\n" in text


async def test_games_that_nobody_else_sees_are_only_counted(world: World) -> None:
    await hidden_game(world)
    text = (await shown(world, world.cara, player=world.bob)).text
    assert text == "**Bob**\nNo finished games yet.\n**Running:** 1 game, where you can't watch"


async def test_running_games_that_are_not_shown_are_counted(world: World) -> None:
    """Cara sees 10 of 11 games, and the board of each of the last 8 is one press away."""
    await hidden_game(world)
    for _ in range(SHOWN_RUNNING + 2):
        await world.begin()
    profile = await shown(world, world.cara, player=world.ann)
    assert "**Running:** 11 games, you can see 10, the latest 8:\n**#k1**" in profile.text
    assert labels(profile.message) == [*(f"Board #{letter}1" for letter in "kjihgfed"), SHOW_HERE_LABEL]
    assert "**Running:** 11 games, the latest 8:\n" in (await shown(world, world.ann)).text


async def test_leaderboard_leads_to_ones_profile(world: World) -> None:
    """The leaderboard stays."""
    await ended(world, seat(world.ann), seat(world.bob))
    board = OpenedMessage(world.ann, await world.ann.slash(world.channel, "gipf leaderboard"))
    await board.press(profile.PROFILE_LABEL)
    assert OpenedMessage(world.ann, board.last).text.startswith("**Ann** · 1 game: 1 won, 0 lost\n")
    assert leaderboard_texts.ME_LABEL in labels(board.message)


async def test_profile_of_a_spectator_shows_the_points_of_guesses(world: World) -> None:
    """Those of a head-to-head are left out."""
    game = await world.begin("basic")
    await world.bot.app.guesses.guess(world.cara.id, game, 0, PLAYED[0])
    await world.ann.slash(world.channel, "move", notation=PLAYED[0])
    assert (await shown(world, world.ann, player=world.cara)).text == (
        "**Cara**\nNo finished games yet.\n**Guesses:** 3 points from 1 turn"
    )
    assert "haven't played each other" in told(await world.cara.slash(world.channel, PROFILE, against=world.ann))
