"""Two months of Ann and Bob: reminders, weekends, a vacation, a host that fails, time that runs out.

The bot looks round twice a day, so everything happens up to half a day late.
"""

from dataclasses import replace

import discord
import pytest

from gipfbot.app import create_bot, utc_now
from gipfbot.ui.play import game_texts
from gipfbot.values import NO_LIMITS
from tests.support.games import WINS
from tests.support.times import DAY, parse_moment

from .terms_page import challenge
from .timed_games import letters
from .world import World, looks_seldom, private, put, told

LOOKS = 12  # hours
pytestmark = [pytest.mark.slow, pytest.mark.simcord(settle_timeout=60), pytest.mark.looks_every(LOOKS)]


def at(text: str) -> int:
    """Return a moment of 2026: `month-day hour:minute`."""
    return parse_moment(f"2026-{text}")


async def it_is(world: World, text: str) -> None:
    """Let time pass until this moment."""
    await world.env.advance_time(at(text) - utc_now())


def until(moment: str, *, over_weekend: bool = False) -> str:
    """Return what a board says of this deadline."""
    note = " (weekend added)" if over_weekend else ""
    return f"due <t:{at(moment)}:R>{note}."


async def host_is_away(world: World, text: str, patch: pytest.MonkeyPatch) -> None:
    """Turn the host off until this moment."""
    await world.bot.close()
    await it_is(world, text)
    world.bot = create_bot(world.store, limits=NO_LIMITS)
    looks_seldom(world.bot, LOOKS, patch)
    await world.env.restart_bot(world.bot)
    await world.bot.sweep.coro(world.bot)  # the first look after the start comes within seconds
    await world.env.settle()


def set_clock(world: World, wrong: int) -> None:
    """Set the host's clock wrong by so many seconds. The monotonic clock stays right."""
    bot = world.bot
    bot.app.flag_watch.ticks = utc_now
    app = bot.app
    for part in (app.lobby, app.games, app.venues, app.users, app.flag_watch, app.reminders, app.vacations):
        part.now = lambda: utc_now() + wrong
    bot.app = replace(app, now=lambda: utc_now() + wrong)


async def plays(world: World, who: str, text: str) -> discord.Message:
    """Type a turn for a player; return what is posted."""
    answer = told(await getattr(world, who).slash(world.channel, "move", notation=text))
    assert answer.startswith("Played"), answer
    return world.public()[-1]


async def test_a_game_of_two_months(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """It begins on Thursday, 1 January. A turn has three days, without Saturdays and Sundays."""
    terms = {"rules": "standard", "colour": "white", "pace": "3", "weekends": False}
    await challenge(world.ann, world.channel, opponent=world.bob, **terms)
    assert "3 days for each turn · Saturdays and Sundays (UTC) do not count" in world.public()[-1].content
    await world.bob.click(world.public()[-1], label="Accept")
    assert f"Ann: {until('01-06 00:00', over_weekend=True)}" in world.public()[-1].content

    # Ann forgets the game over the weekend. She is reminded on Monday, with a quarter of her time left.
    await it_is(world, "01-05 05:00")
    assert letters(world) == []
    await it_is(world, "01-05 13:00")
    assert [letter.content.splitlines()[0] for letter in letters(world)] == ["Your turn in #a1 vs Bob: 12 hours left"]
    board = await plays(world, "ann", "e1-e3")
    assert f"Bob: {until('01-08 13:00')}" in board.content

    # Bob goes on vacation with a day and a half left. No reminder comes, and no flag falls.
    await it_is(world, "01-07 01:00")
    await world.bob.slash(world.channel, "gipf-me vacation start", days=10)
    assert world.public()[-1].content.startswith(f"Bob is on vacation until <t:{at('01-17 01:00')}:D>")
    assert world.pings(world.public()[-1]) == set()
    await it_is(world, "01-17 13:00")
    assert world.public()[-1].content.startswith("Bob is back from vacation")
    assert letters(world, world.bob) == []

    # The vacation ends on a Saturday, so time runs from Monday on. The second reminder goes to Bob.
    assert f"due <t:{at('01-20 12:00')}:R>" in told(await world.bob.slash(world.channel, "gipf board"))
    await it_is(world, "01-20 01:00")
    (letter,) = letters(world, world.bob)
    assert letter.content.startswith("Your turn in #a1 vs Ann: 12 hours left · Ann played e1 → e2")
    board = await plays(world, "bob", "d7")
    assert f"Ann: {until('01-23 01:00')}" in board.content

    # The host is off for a day. Ann gets that day back, and the next reminder comes a day later.
    await it_is(world, "01-20 12:00")
    await host_is_away(world, "01-21 12:00", monkeypatch)
    excuse = world.public()[-1]
    assert excuse.content == f"The bot was offline for 1 day. Clocks were extended: #a1 until <t:{at('01-26 01:00')}:f>"
    assert world.pings(excuse) == set()
    shown = told(await world.ann.slash(world.channel, "gipf board"))
    assert "1 day added back, as the bot was offline" in shown
    assert f"due <t:{at('01-26 01:00')}:R>" in shown
    await it_is(world, "01-23 05:00")
    assert len(letters(world)) == 1
    await it_is(world, "01-24 13:00")
    assert len(letters(world)) == 2

    # Ann plays. Then the host's clock is wrong by ten days for a while. Bob loses no time.
    board = await plays(world, "ann", "h6-h4")
    posted = len(world.public())
    assert f"Bob: {until('01-29 00:00', over_weekend=True)}" in board.content
    set_clock(world, 10 * DAY)
    await it_is(world, "01-25 04:00")
    set_clock(world, 0)
    await it_is(world, "01-27 01:00")
    assert len(world.public()) == posted
    assert "your time is over" not in told(await world.bob.slash(world.channel, "gipf board"))
    await plays(world, "bob", "b3")

    # Ann plays only in grace, after the flag has fallen, and that turn does not win.
    posted = len(world.public())
    await it_is(world, "01-30 13:00")
    (fallen,) = world.public()[posted:]
    assert "your time is over: win with this turn" in fallen.content
    assert world.pings(fallen) == {world.ann.id}
    assert "grace ends" in told(await world.ann.slash(world.channel, "gipf games"))
    asked = private(await world.ann.slash(world.channel, "move", notation="f2"))
    assert "doesn't win, so you'd lose on time" in asked.content
    answer = told(await world.ann.click(asked, label=game_texts.PLAY_ANYWAY_LABEL))
    assert "your time was over and this turn didn't win, so you lost on time" in answer
    end = world.public()[-1]
    assert "Bob (Black) wins #a1 in 3 turns · Ann lost on time: f1 → f2 was played late" in end.content
    assert "\n**3. White:** " in end.content
    assert world.pings(end) == {world.ann.id, world.bob.id}

    # In the rematch Bob is White. The flag falls, and Bob wins in grace.
    await world.bob.click(end, label="Rematch")
    await world.ann.click(world.public()[-1], label="Accept")
    async with world.store.transaction() as db:
        await put(db, await world.game(2), WINS)
    posted = len(world.public())
    await it_is(world, "02-05 01:00")
    assert "your time is over: win with this turn" in world.public()[-1].content
    end = await plays(world, "bob", "xd2,d3,d4,d5,Gd6")
    assert "Bob (White) wins #b1 in 1 turn · Ann has no GIPF-piece left" in end.content
    await it_is(world, "03-01 00:00")
    assert world.public()[-1] == end
    assert len(world.public()) == posted + 2
    assert [len(letters(world, who)) for who in (world.ann, world.bob)] == [3, 2]
