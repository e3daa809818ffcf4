"""`/gipf leaderboard`: its pages, one's own place, people who have left, and bad input."""

import re
from dataclasses import replace

import pytest
import simcord

from gipfbot.match import Seat, Status, Terms
from gipfbot.rules import STANDARD, Colour, Reason, Result, Ruleset
from gipfbot.service.competing.leaderboards import Leaderboards
from gipfbot.service.competing.results import save_and_rate
from gipfbot.store import games
from gipfbot.ui.competing import leaderboard_texts
from gipfbot.ui.kit.texts import SHOW_HERE_LABEL
from gipfbot.values import Venue
from tests.support.times import DAY
from tests.ui.opened_message import OpenedMessage
from tests.ui.world import FOR_EVER, World, labels, options, seat, told

LEADERBOARD = "gipf leaderboard"


async def won(world: World, white: Seat, black: Seat, ruleset: Ruleset = STANDARD) -> None:
    """Let White win a rated game on the server."""
    async with world.store.transaction() as db:
        venue, now = Venue(world.guild.id, world.channel.id), world.bot.app.now()
        stored = await games.add_game(db, ruleset, (white, black), venue, now, Terms(rated=True))
        position = stored.game.position._replace(result=Result(Colour.WHITE, Reason.RESIGN))
        after = replace(stored.game, position=position, status=Status.OVER, version=1, turn_number=4)
        await save_and_rate(db, stored, after, by=0, now=now)


async def opened(world: World, person: simcord.MemberActor, **options: object) -> OpenedMessage:
    return OpenedMessage(person, await person.slash(world.channel, LEADERBOARD, **options))


def places(shown: OpenedMessage) -> list[str]:
    """Return the players of the picture, up to the rating."""
    return re.findall(r"\d+\. [^.:]+: \d+(?= ±)", in_words(shown))


def in_words(shown: OpenedMessage) -> str:
    """Return the alt text of the picture."""
    (picture,) = shown.message.attachments
    return picture.description or ""


async def test_a_finished_game_puts_both_on_the_leaderboard(world: World) -> None:
    """The whole way: challenge, four turns, resignation."""
    game_id = await world.begin("basic")
    for person, turn in ((world.ann, "c2"), (world.bob, "b3"), (world.ann, "b4"), (world.bob, "g2")):
        await person.slash(world.channel, "move", notation=turn)
    assert (await world.game(game_id)).turn_number == 4
    done = await world.bot.app.games.resign(game_id, world.ann.id)
    await world.bot.delivery.deliver(done.owed)
    shown = await opened(world, world.bob)
    ended = world.bot.app.now()
    assert shown.text.splitlines() == [
        f"**Last game:** Bob <t:{ended}:R> · Ann <t:{ended}:R>",
        leaderboard_texts.PROVISIONAL_TEXT,
    ], "the picture says the rest"
    (picture,) = shown.message.attachments
    assert (picture.filename, picture.description) == (
        "leaderboard.png",
        (
            "Basic · this server. 2 players · page 1 of 1. 1. Bob (you): 1662 ±290, 1 game, 1 won, provisional. "
            "2. Ann: 1338 ±290, 1 game, 0 won, provisional."
        ),
    )


async def test_without_games_it_says_how_to_begin(world: World) -> None:
    shown = await opened(world, world.cara)
    assert "Nobody is on it yet. Finish a rated game of Standard" in shown.text
    assert shown.message.attachments == []
    await shown.press(leaderboard_texts.ME_LABEL)
    assert "no rated game of Standard counts for you yet" in OpenedMessage(world.cara, shown.last).text


async def test_pages_lead_on_and_me_leads_to_ones_own(world: World) -> None:
    for number in range(12):
        await won(world, Seat(500 + 2 * number, f"w{number}"), Seat(501 + 2 * number, f"b{number}"))
    await won(world, seat(world.cara), Seat(900, "z"))
    await won(world, Seat(901, "y"), seat(world.cara))
    shown = await opened(world, world.cara, scope="global")
    assert "27 players · page 1 of 3" in in_words(shown)
    await shown.press(leaderboard_texts.NEXT_LABEL)
    second = OpenedMessage(world.cara, shown.last)
    assert places(second)[0].startswith("1. "), "all who have won their only game share the first place"
    assert places(second)[3].startswith("14. ")
    await second.press(leaderboard_texts.ME_LABEL)
    own = OpenedMessage(world.cara, second.last)
    number = int(next(line for line in places(own) if "(you)" in line).split(".")[0])
    assert f"page {(number - 1) // 10 + 1} of 3" in in_words(own)
    answer = told(await world.cara.slash(world.channel, LEADERBOARD, scope="global", page=4))
    assert answer == "There is no such page: the last one is 3."


async def test_a_page_beyond_the_end_is_refused(world: World) -> None:
    answer = told(await world.cara.slash(world.channel, LEADERBOARD, pool="basic", page=2))
    assert answer == "There is no such page: the last one is 1."


async def test_who_left_the_server_is_asked_about_once(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Those who are gone leave the server's board, not that of all servers."""
    await won(world, seat(world.ann), Seat(901, "Gone"))
    shown = await opened(world, world.cara, pool="standard")
    assert places(shown) == ["1. Ann: 1662"]
    monkeypatch.setattr("gipfbot.ui.competing.leaderboard._is_member", None)
    assert places(await opened(world, world.cara, pool="standard")) == ["1. Ann: 1662"]
    assert len(places(await opened(world, world.cara, pool="standard", scope="global"))) == 2


@pytest.mark.parametrize(("status", "code"), [(404, 0), (403, 40333)])
async def test_whom_discord_cannot_tell_of_stays_on_the_board(world: World, status: int, code: int) -> None:
    await won(world, seat(world.ann), seat(world.bob))
    world.fail("GET", "/guilds/*/members/*", status, code, times=FOR_EVER)
    assert len(places(await opened(world, world.cara, pool="standard"))) == 2
    world.heal()
    assert len(places(await opened(world, world.cara, pool="standard"))) == 2


async def test_a_returned_member_is_back_when_they_look(world: World) -> None:
    await won(world, seat(world.ann), seat(world.bob))
    await world.bot.app.leaderboards.note_members(world.guild.id, {world.bob.id: False})
    assert len(places(await opened(world, world.ann))) == 1
    assert len(places(await opened(world, world.bob))) == 2


async def test_other_pools_and_servers_are_one_press_away(world: World) -> None:
    await won(world, seat(world.ann), seat(world.bob))
    shown = await opened(world, world.ann)
    assert labels(shown.message) == ["Previous", "Me", "Next", "All servers", "My profile", SHOW_HERE_LABEL]
    await shown.press("All servers")
    everywhere = OpenedMessage(world.ann, shown.last)
    assert "Standard · all servers" in in_words(everywhere)
    assert "This server" in labels(everywhere.message)
    assert "Pool: Overboard" not in options(everywhere.message), "it is never rated"
    value = options(everywhere.message)["Pool: Tournament"]
    other = OpenedMessage(world.ann, await world.ann.select(everywhere.message, [value]))
    assert "**Leaderboard · Tournament · all servers**" in other.text


async def test_in_direct_messages_it_is_that_of_all_servers(world: World) -> None:
    await won(world, seat(world.ann), seat(world.bob))
    shown = OpenedMessage(world.ann, await world.ann.user.slash(LEADERBOARD, scope="server"))
    assert "all servers" in in_words(shown)
    assert leaderboard_texts.NEEDS_SERVER in shown.text
    assert labels(shown.message) == ["Previous", "Me", "Next", "My profile"]


async def test_a_setting_leaves_the_lists(world: World) -> None:
    await won(world, seat(world.ann), seat(world.bob))
    panel = OpenedMessage(world.ann, await world.ann.slash(world.channel, "gipf-me settings"))
    await panel.press("Shown on leaderboards: on")
    assert "Shown on leaderboards: on → off." in OpenedMessage(world.ann, panel.last).text
    shown = await opened(world, world.ann)
    assert places(shown) == ["1. Bob: 1338"]
    await shown.press(leaderboard_texts.ME_LABEL)
    assert leaderboard_texts.UNLISTED.partition("**")[0] in OpenedMessage(world.ann, shown.last).text
    await world.ann.slash(world.channel, "gipf-me settings", leaderboard=True)
    assert len(places(await opened(world, world.ann))) == 2


async def test_an_absent_player_is_told_why(world: World) -> None:
    await won(world, seat(world.ann), seat(world.bob))
    later = Leaderboards(world.store, lambda: world.bot.app.now() + 90 * DAY)
    await later.relist_changed()
    gone = await later.own_place("standard", world.guild.id, world.ann.id)
    said = leaderboard_texts.no_place_text(gone, "standard", world.guild.id)
    assert "your last rated game of Standard ended <t:" in said
