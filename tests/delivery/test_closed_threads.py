"""A game leaves a thread that is closed, and none of its messages is lost."""

from collections.abc import Awaitable, Callable

import pytest

from gipfbot.match import Side, Terms
from gipfbot.rules import STANDARD
from gipfbot.service.clock.reminders import NUDGE_AFTER
from gipfbot.ui.board.public_board import board_url
from tests.standin import Channel
from tests.support.times import HOUR

from .house import FULL, LONG, House, PowerCut, said


async def _archived_and_locked(house: House, thread: Channel) -> None:
    await house.discord.archive(thread, locked=True)


async def _locked(house: House, thread: Channel) -> None:
    await house.discord.lock(thread)


async def _deleted(house: House, thread: Channel) -> None:
    await house.discord.delete_channel(thread)


async def _forbidden(house: House, thread: Channel) -> None:
    await house.discord.deny(thread, "send_messages_in_threads")


async def _cannot_wake(house: House, thread: Channel) -> None:
    await house.discord.archive(thread)
    house.discord.world.thread_limit = 0


ENDS = [
    (_archived_and_locked, "is locked"),
    (_locked, "is locked"),
    (_deleted, "is gone"),
    (_forbidden, "is closed to the bot"),
    (_cannot_wake, f"can't be reopened: {FULL}"),
]


def left(why: str) -> str:
    return f"The thread of #a1 {why}. Its boards are posted here."


@pytest.mark.parametrize(("end", "why"), ENDS, ids=["archived and locked", "locked", "gone", "forbidden", "full"])
async def test_a_game_leaves_a_closed_thread_for_its_channel(
    house: House, end: Callable[[House, Channel], Awaitable[None]], why: str
) -> None:
    """The refused board comes first there, then the reason, once. The thread is not tried again."""
    game_id = await house.begin()
    thread = house.thread()
    await house.play(game_id)
    await end(house, thread)
    assert await house.play(game_id), "its board is posted at once"
    assert await house.play(game_id)
    await house.sweep(HOUR)
    assert said(house.channel)[1:] == ["board 0", "board 2", left(why), "board 3"]
    assert said(thread) == ["board 1"]
    assert (await house.stored(game_id)).venue == house.home()
    assert not (await house.stored(game_id)).unreachable
    assert len(house.discord.invalid_requests) <= 1


async def test_a_board_wakes_an_archived_thread(house: House) -> None:
    game_id = await house.begin()
    thread = house.thread()
    await house.discord.archive(thread)
    assert await house.play(game_id)
    assert (thread.archived, said(thread)) == (False, ["board 1"])


@pytest.mark.usefixtures("words")
@pytest.mark.parametrize(
    ("before", "times", "seconds"),
    [
        ("note_channel_refusal", 0, 0),
        ("note_delivered", 0, 0),
        ("note_delivered", 0, LONG),
        ("note_delivered", 1, LONG),
    ],
    ids=["the refusal", "the board", "the board, long ago", "the line, long ago"],
)
async def test_killed_while_leaving_a_thread_posts_each_message_once(
    house: House, monkeypatch: pytest.MonkeyPatch, before: str, times: int, seconds: int
) -> None:
    game_id = await house.begin()
    thread = house.thread()
    await _archived_and_locked(house, thread)
    house.dies(monkeypatch, before, times)
    with pytest.raises(PowerCut):
        await house.play(game_id)
    await house.restart(seconds)
    await house.sweep(60)
    assert said(house.channel)[1:] == ["board 0", "board 1", left("is locked")]
    assert await house.play(game_id)
    assert said(house.channel)[-1] == "board 2"


async def test_a_game_can_leave_its_thread_twice(house: House) -> None:
    game_id = await house.begin()
    thread = house.thread()
    await house.discord.lock(thread)
    await house.play(game_id)
    thread.locked = False
    await house.bot.delivery.deliver((await house.app.venues.relocate(game_id, house.home(thread))).owed)
    await house.discord.lock(thread)
    house.clock.moved += 1
    await house.play(game_id)
    assert said(thread) == ["board 1"]
    assert said(house.channel)[1:] == ["board 0", "board 1", left("is locked"), "board 2", left("is locked")]


async def test_a_result_board_leaves_a_deleted_thread(house: House) -> None:
    game_id = await house.begin()
    await _deleted(house, house.thread())
    await house.bot.delivery.deliver((await house.app.games.cancel_game(game_id, house.seats()[0].user)).owed)
    assert said(house.channel)[1:] == ["board 0", "end", left("is gone")]


async def test_a_game_refused_by_thread_and_channel_waits_for_relocation(house: House) -> None:
    game_id = await house.begin()
    thread = house.thread()
    await house.discord.deny(house.channel, "view_channel")
    assert not await house.play(game_id)
    assert (await house.stored(game_id)).unreachable
    await house.sweep(HOUR)
    attic = await house.discord.add_channel("attic")
    await house.bot.delivery.deliver((await house.app.venues.relocate(game_id, house.home(attic))).owed)
    assert await house.play(game_id)
    await house.sweep(HOUR)
    assert (said(attic), said(thread), said(house.channel)[1:]) == (["board 1", "board 2"], [], ["board 0"])
    assert not (await house.stored(game_id)).unreachable


async def test_a_nudge_that_leaves_a_thread_brings_the_board_along(house: House) -> None:
    """The nudged player needs a board whose button works."""
    game_id = await house.begin()
    ann, bob = house.seats()
    await _archived_and_locked(house, house.thread())
    house.clock.moved += NUDGE_AFTER
    owed = await house.bot.app.reminders.nudge(game_id, bob.user, 0)
    assert owed
    assert await house.bot.delivery.deliver([owed])
    await house.sweep()
    nudge = f"<@{ann.user}> Bob is waiting for your turn in #a1"
    assert said(house.channel)[1:] == ["board 0", nudge, left("is locked"), "board 0"]
    assert board_url(await house.stored(game_id)) == board_address(house)


def board_address(house: House) -> str:
    """Return the address of the newest message of the channel."""
    last = house.channel.last()
    return f"https://discord.com/channels/{house.discord.guild.id}/{last.channel_id}/{last.id}"


async def test_all_games_of_a_deleted_thread_leave_it_together(house: House) -> None:
    """An announcement that belongs to no game is not lost either. The reason is told once."""
    ours = await house.discord.add_thread(house.channel, "our games")
    first, second = await house.begin(ours), await house.begin(ours)
    await _deleted(house, ours)
    _, owed = await house.bot.app.vacations.start_vacation(house.seats()[0].user, 3)
    assert await house.bot.delivery.deliver(owed)
    await house.sweep()
    for game_id in (first, second):
        assert await house.play(game_id)
    announced, *rest = said(house.channel)
    assert "vacation" in announced
    assert rest.count("The thread of #a1 and #b1 is gone. Their boards are posted here.") == 1
    assert sorted(rest) == sorted([rest[0], "board 0", "board 0", "board 1", "board 1"])


async def test_a_rematch_in_a_locked_thread_goes_to_the_channel(house: House) -> None:
    game_id = await house.begin()
    ann, bob = house.seats()
    await house.bot.delivery.deliver((await house.app.games.cancel_game(game_id, ann.user)).owed)
    await _archived_and_locked(house, house.thread())
    asked, owed = await house.app.lobby.rematch(game_id, ann)
    assert await house.bot.delivery.deliver(owed)
    posted = await house.app.lobby.stored_challenge(asked.challenge.id)
    assert (posted.venue, posted.message) == (house.home(), house.channel.last().id)
    offered, owed = await house.app.lobby.rematch(game_id, bob)
    await house.bot.delivery.deliver(owed)
    assert offered.game
    assert (await house.stored(offered.game)).venue.parent == house.channel.id, "in a thread of its own"


async def test_a_rematch_gets_a_thread_of_its_own(house: House) -> None:
    """It is asked for in the channel, as the thread bears the name of the old game."""
    game_id = await house.begin()
    ann, bob = house.seats()
    first = house.thread()
    await house.bot.delivery.deliver((await house.app.games.cancel_game(game_id, ann.user)).owed)
    for player in (ann, bob):
        offered, owed = await house.app.lobby.rematch(game_id, player)
        await house.bot.delivery.deliver(owed)
    assert offered.game
    assert offered.venue == house.home()
    (second,) = (place for place in house.discord.guild.channels.values() if place.is_thread and place is not first)
    assert (second.name, said(first)) == ("#b1 Bob vs Ann", ["end"])
    assert (await house.stored(offered.game)).venue == house.home(second)


async def test_a_late_refusal_does_not_move_the_game_again(house: House) -> None:
    """Two posts were under way in a thread when it was locked. At the second refusal the game has moved already."""
    game_id = await house.begin()
    ann, bob = house.seats()
    thread = house.thread()
    challenged, owed = await house.app.lobby.challenge(ann, bob, STANDARD, Side.WHITE, house.home(thread), Terms())
    done = await house.app.games.play_typed(game_id, ann.user, "a2-c2")
    await _archived_and_locked(house, thread)
    assert await house.bot.delivery.deliver(done.owed)
    assert not await house.bot.delivery.deliver(owed)
    await house.sweep(60)
    posted = await house.app.lobby.stored_challenge(challenged.challenge.id)
    assert (posted.challenge.state, posted.venue) == ("open", house.home())
    assert said(house.channel)[1:4] == ["board 0", "board 1", left("is locked")]
    assert len(said(house.channel)) == 5
    assert not (await house.stored(game_id)).unreachable
