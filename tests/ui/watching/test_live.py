"""`/gipf live`: the running games of a server that a person sees."""

import pytest

from gipfbot.match import Seat
from gipfbot.rules import STANDARD
from gipfbot.store import games
from gipfbot.ui.kit.components import MOST_COMPONENTS
from gipfbot.ui.kit.texts import SHOW_HERE_LABEL
from gipfbot.ui.watching import watching_texts
from gipfbot.values import Venue
from tests.support.games import PLAYED
from tests.support.people import OTHER_CLUB
from tests.ui.studying import playing
from tests.ui.table import Desk
from tests.ui.world import World, labels, private, seat, told

from .hidden import hidden_game, press_carried

pytestmark = pytest.mark.looks_every(60)


async def add_games(world: World, count: int, venue: Venue | None = None) -> None:
    """Add games of Ann and Bob, each begun a minute after the one before."""
    async with world.store.transaction() as db:
        for minute in range(count):
            seats = seat(world.ann), seat(world.bob)
            await games.add_game(db, STANDARD, seats, venue or world.home, 60 * minute)


async def live(world: World) -> Desk:
    """Return the list that Cara sees."""
    return Desk(world.cara, await world.cara.slash(world.channel, "gipf live"))


def listed(shown: Desk) -> list[str]:
    """Return the names of the games that have a button, in their order."""
    ids = [item["custom_id"] for row in shown.message.rows for item in row]
    return [each.removeprefix("game_board:") for each in ids if each.startswith("game_board:")]


async def test_each_game_has_a_board_a_line_and_a_button(world: World) -> None:
    await playing(world, *PLAYED[:3])
    await playing(world)
    shown = await live(world)
    assert listed(shown) == ["2", "1"]
    assert shown.labels == ["Watch #b1", "Watch #a1", SHOW_HERE_LABEL]
    assert "Ann vs Bob · Standard\nAnn played b1 → b2 · Bob's turn" in shown.text
    assert "No turn yet · Ann's turn" in shown.text
    assert world.board(1).jump_url in shown.text
    assert shown.alt == ("#b1 Ann vs Bob: White to move. #a1 Ann vs Bob: Black to move.")
    board = private(await world.cara.click(shown.message, custom_id="game_board:1"))
    assert "waiting for Bob" in board.content
    assert listed(shown) == ["2", "1"], "the list stays"


async def test_games_come_nine_a_page_the_last_moved_first(world: World) -> None:
    await add_games(world, 20)
    shown = await live(world)
    assert listed(shown) == [str(number) for number in range(20, 11, -1)]
    assert shown.message.size <= MOST_COMPONENTS
    await shown.press(watching_texts.OLDER_LABEL)
    assert listed(shown) == [str(number) for number in range(11, 2, -1)]
    assert "page 2" in shown.text
    await shown.press(watching_texts.OLDER_LABEL)
    assert listed(shown) == ["2", "1"]
    await world.bot.app.games.play_typed(1, world.ann.id, "a2-c2")
    await shown.press(watching_texts.NEWER_LABEL)
    await shown.press(watching_texts.NEWER_LABEL)
    assert listed(shown)[:2] == ["1", "20"]


async def test_page_beyond_the_end_shows_the_first(world: World) -> None:
    await add_games(world, 1)
    for page in ("7", "9" * 18):
        said = await press_carried(world, world.cara, f"live:{page}")
        assert watching_texts.PAGE_GONE in said


async def test_games_elsewhere_and_ended_are_not_listed(world: World) -> None:
    await hidden_game(world)
    await add_games(world, 1, Venue(OTHER_CLUB, world.channel.id))
    await add_games(world, 1, Venue(None, world.channel.id))
    await add_games(world, 1, Venue(world.guild.id, 17))
    await add_games(world, 1)
    await world.bot.app.games.resign(5, world.ann.id)
    shown = await live(world)
    assert shown.text == watching_texts.NOTHING_RUNS
    assert labels(shown.message) == []
    assert told(await world.cara.user.slash("gipf live")) == watching_texts.NEEDS_SERVER


async def test_list_of_odd_names_fits_and_pings_nobody(world: World) -> None:
    """Nine games with the longest names, whose boards are posted."""
    odd = Seat(world.ann.id, "<@1>**[" + "W" * 30), Seat(world.bob.id, "\u202e@everyone" + "\U0001f600" * 22)
    async with world.store.transaction() as db:
        for number in range(9):
            stored = await games.add_game(db, STANDARD, odd, world.home, number)
            await games.set_board_message(db, stored.game.id, 0, world.channel.id, 10**18 + number)
    shown = await live(world)
    assert len(listed(shown)) == 9
    assert len(shown.text) < 4000
    assert "<@1>" not in shown.text
    assert "@everyone" not in shown.text
    assert len(shown.alt) <= 1024
