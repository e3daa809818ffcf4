"""Challenges, boards, drafts and refused messages after hours and days."""

import pytest

from gipfbot.match import RequestState
from tests.support.times import DAY, HOUR

from .positions import CROSSING
from .table import open_desk
from .timed_games import limited
from .world import FOR_EVER, World, board_ids, challenge_state, challenged, counted, custom_ids, sought, told

pytestmark = [pytest.mark.simcord(settle_timeout=60), pytest.mark.looks_every(3)]


@pytest.mark.looks_every(12)
async def test_a_challenge_expires_after_seven_days(world: World) -> None:
    """It is open until then. Its message then says so and loses its buttons."""
    await challenged(world)
    await sought(world)
    await world.env.advance_time(7 * DAY - 60)
    assert await challenge_state(world) is RequestState.OPEN
    await world.env.advance_time(13 * HOUR)
    assert [await challenge_state(world, game_id) for game_id in (1, 2)] == [RequestState.EXPIRED] * 2
    for message in world.public():
        assert "expired" in message.content
        assert custom_ids(message) == set()
    assert "Nobody is looking for a game" in told(await world.bob.slash(world.channel, "gipf seeks"))


@pytest.mark.looks_every(60)
async def test_an_expired_challenge_is_refused_before_the_sweep(world: World) -> None:
    message = await challenged(world)
    await world.env.advance_time(7 * DAY - 60)
    world.bot.sweep.cancel()
    await world.env.advance_time(120)
    assert "is closed: it has expired" in told(await world.bob.click(message, label="Accept"))
    assert "has expired unanswered" in world.public()[-1].content
    assert custom_ids(world.public()[-1]) == set()
    assert await counted(world, "games") == 0


async def test_an_old_board_keeps_its_buttons_until_they_are_pressed(world: World) -> None:
    """Discord rations edits of messages older than an hour. A press removes the buttons and answers with a link."""
    game_id = await world.begin("basic")
    old = world.board(game_id)
    await world.env.advance_time(2 * HOUR)
    await world.ann.slash(world.channel, "move", notation="c2")
    assert custom_ids(world.public()[-2]) == board_ids(game_id, 0)
    answer = await world.cara.click(old, label="Move")
    assert world.board(game_id).jump_url in told(answer)
    assert custom_ids(world.public()[-2]) == set()
    assert custom_ids(world.public()[-1]) == board_ids(game_id, 1)


@pytest.mark.looks_every(60)
async def test_a_half_made_turn_waits_for_days(world: World) -> None:
    """A new desk asks the same question, and the desk of last week still works."""
    game_id = await world.prepared(CROSSING)
    first = await open_desk(world, game_id)
    await first.press(next(label for label in first.labels if label.startswith("A ")))
    said, choices = first.text, first.options
    await world.env.advance_time(6 * DAY)
    again = await open_desk(world, game_id)
    assert (again.text, again.options) == (said, choices)
    await first.press("i1")
    assert "→ h2" in first.labels


async def test_a_board_refused_for_long_is_told_by_dm(world: World) -> None:
    """The game is listed as unreachable. The board follows as soon as the channel accepts it."""
    path = f"/channels/{world.channel.id}/messages"
    game_id = await world.begin("basic")
    world.fail("POST", path, 500, times=FOR_EVER)
    assert told(await world.ann.slash(world.channel, "move", notation="c2")).startswith("Played")
    await world.env.advance_time(12 * HOUR)
    assert not (await world.stored(game_id)).unreachable
    await world.env.advance_time(3 * DAY)
    assert (await world.stored(game_id)).unreachable
    world.heal()
    (letter,) = world.bob.user.dm_channel.history()
    assert letter.content.startswith("It's your turn in #a1 vs Ann · you are Black\nThe bot can't post the board")
    assert custom_ids(letter) == {f"message_desk:{game_id}"}
    assert "can't go on in its channel" in told(await world.bob.slash(world.channel, "gipf games"))
    await world.env.advance_time(DAY + 3 * HOUR)
    assert world.pings(world.board(game_id)) == {world.bob.id}
    assert not (await world.stored(game_id)).unreachable


async def test_a_game_whose_player_left_is_listed_after_a_day(world: World) -> None:
    game_id = await world.begin("basic")
    await world.ann.slash(world.channel, "move", notation="c2")
    world.guild.remove_member(world.bob)
    await world.env.settle()
    await world.env.advance_time(DAY + HOUR)
    assert "can't go on in its channel" in told(await world.ann.slash(world.channel, "gipf games"))
    assert (await world.stored(game_id)).unreachable


# ── Games with a time limit ──


async def test_the_bank_of_the_opponent_is_told_everywhere(world: World) -> None:
    """It stands on /gipf board and on the desk, but not on the short public board."""
    await world.ann.slash(world.channel, "gipf challenge", opponent=world.bob, colour="white", pace="short-saving")
    await world.bob.click(world.public()[-1], label="Accept")
    assert "\nBob has 5 days for their next turn." in told(await world.ann.slash(world.channel, "gipf board"))
    assert "next turn" not in world.board().content
    await world.env.advance_time(DAY)
    await world.ann.slash(world.channel, "move", notation="e1-e3")
    said = "Ann has 4 days 12 hours for their next turn."
    assert f"\n{said}" in told(await world.bob.slash(world.channel, "gipf board"))
    assert f"\n{said}" in told(await world.ann.slash(world.channel, "gipf board"))
    assert f"\n{said}" in (await open_desk(world, 1)).text


async def test_boards_tell_the_deadline_and_the_flag_falls_then(world: World) -> None:
    """The flag's fall is told once and pings the player. The end is told once and pings both."""
    game_id = await limited(world)
    game = await world.game(game_id)
    assert game.clock
    assert f"Ann: due <t:{game.clock.deadline}:R>." in world.public()[-1].content
    assert f"your turn 1 as White · due <t:{game.clock.deadline}:R>" in (await open_desk(world, game_id)).text
    assert f"due <t:{game.clock.deadline}:R>" in told(await world.ann.slash(world.channel, "gipf games"))
    posted = len(world.public())
    await world.env.advance_time(3 * DAY - HOUR)
    assert len(world.public()) == posted
    await world.env.advance_time(5 * HOUR)
    (fallen,) = world.public()[posted:]
    assert "your time is over: win with this turn or you lose" in fallen.content
    assert "\nAnn: grace ends <t:" in fallen.content
    assert world.pings(fallen) == {world.ann.id}
    await world.env.advance_time(16 * HOUR)
    end = world.public()[-1]
    assert "Bob (Black) wins" in end.content
    assert "Ann's time was over" in end.content
    assert world.pings(end) == {world.ann.id, world.bob.id}
    await world.env.advance_time(DAY)
    assert world.public()[-1] == end
