"""A game's thread is made once, whenever the process ends, and no message is lost when the thread is closed."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from gipfbot.match import Side, Terms
from gipfbot.rules import STANDARD
from gipfbot.service.clock.reminders import NUDGE_AFTER
from gipfbot.ui.board.game_view import board_url
from gipfbot.ui.delivery.delivery import MOST_THREAD_TRIES, THREAD_SECONDS
from tests.delivery.house import LONG
from tests.standin import Channel
from tests.support.routes import MESSAGES, THREADS
from tests.support.times import HOUR

from .house import House, PowerCut, said

FULL = "this server has as many active threads as Discord allows"


# ── One is made ──


async def test_the_first_board_becomes_the_games_thread(house: House) -> None:
    """The channel keeps the one message, and the links lead to the newest board."""
    game_id = await house.begin()
    thread = house.thread()
    assert (thread.id, thread.name) == (house.channel.last().id, "#a1 Ann vs Bob")
    (made,) = house.discord.called("POST", THREADS)
    assert made.payload["auto_archive_duration"] == 7 * 24 * 60
    assert (await house.stored(game_id)).venue == house.home(thread)
    for _ in range(3):
        assert await house.play(game_id)
    assert (said(house.channel)[1:], said(thread)) == (["board 0"], ["board 1", "board 2", "board 3"])
    link = board_url(await house.stored(game_id))
    assert link == f"https://discord.com/channels/{house.discord.guild.id}/{thread.id}/{thread.last().id}"


async def test_no_thread_unless_the_terms_say_so(house: House) -> None:
    game_id = await house.begin(thread=False)
    assert await house.play(game_id)
    assert house.discord.called("POST", THREADS) == []
    assert said(house.channel)[1:] == ["board 0", "board 1"]


async def test_a_turn_before_the_first_board_waits_for_the_thread(house: House) -> None:
    house.discord.fail_next("POST", MESSAGES, status=401, times=99)
    game_id = await house.begin()
    assert not await house.play(game_id)
    house.discord.forgive()
    await house.sweep(60)
    assert (said(house.channel), said(house.thread())) == (["board 0"], ["board 1"])


async def test_a_game_begun_in_a_thread_stays_there(house: House) -> None:
    ours = await house.discord.add_thread(house.channel, "our games")
    first = await house.begin(ours)
    assert await house.play(first)
    ann, bob = house.seats()
    await house.bot.delivery.deliver((await house.app.games.resign(first, ann.user)).owed)
    _, owed = await house.app.lobby.rematch(first, ann)
    await house.bot.delivery.deliver(owed)
    offered, owed = await house.app.lobby.rematch(first, bob)
    await house.bot.delivery.deliver(owed)
    assert offered.game
    assert (await house.stored(offered.game)).venue == house.home(ours)
    assert house.discord.called("POST", THREADS) == []
    assert [line for line in said(ours) if len(line) < 10] == ["board 0", "board 1", "end", "board 0"]


async def test_a_game_over_before_its_thread_is_made_gets_none(house: House) -> None:
    house.discord.fail_next("POST", THREADS, status=401)
    game_id = await house.begin()
    await house.app.games.cancel_game(game_id, house.seats()[0].user)
    await house.sweep(60)
    assert house.discord.called("POST", THREADS)[1:] == []
    assert said(house.channel)[1:] == ["board 0", "end"]


# ── What is cut off is made once ──


@pytest.mark.usefixtures("words")
@pytest.mark.parametrize(
    ("noted", "seconds"),
    [(0, 0), (0, LONG), (1, 0), (2, LONG)],
    ids=["first board", "first board, long ago", "thread", "second board, long ago"],
)
async def test_killed_before_noting_board_or_thread_posts_each_once(
    house: House, monkeypatch: pytest.MonkeyPatch, noted: int, seconds: int
) -> None:
    """The first board, the thread, and the first board in it, whether or not Discord remembers the nonce."""
    house.dies(monkeypatch, "note_delivered", 1 + noted)
    with pytest.raises(PowerCut):
        await house.play(await house.begin())
    await house.restart(seconds)
    if noted < 2:
        await house.play(1)
    assert (said(house.channel)[1:], said(house.thread())) == (["board 0"], ["board 1"])
    assert (await house.stored(1)).venue == house.home(house.thread())


@pytest.mark.usefixtures("words")
async def test_a_thread_made_without_an_answer_is_used(house: House) -> None:
    """Asked again, Discord says that it is there (160004)."""
    house.discord.fail_next("POST", THREADS, after_accepting=True)
    game_id = await house.begin()
    assert (await house.stored(game_id)).venue == house.home()
    await house.sweep(60)
    assert [call.status for call in house.discord.called("POST", THREADS)] == [None, 400]
    assert (await house.stored(game_id)).venue == house.home(house.thread())
    assert await house.play(game_id)
    assert said(house.thread()) == ["board 1"]


# ── None can be made ──


async def _no_room(house: House) -> None:
    house.discord.world.thread_limit = 0


async def _no_right(house: House) -> None:
    await house.discord.deny(house.channel, "create_public_threads")


REFUSALS = [
    (_no_room, FULL),
    (_no_right, "the bot may not create public threads in this channel"),
]


@pytest.mark.parametrize(("spoil", "why"), REFUSALS, ids=["full", "forbidden"])
async def test_a_refused_thread_is_told_once_in_the_channel(
    house: House, spoil: Callable[[House], Awaitable[None]], why: str
) -> None:
    await spoil(house)
    game_id = await house.begin()
    house.discord.world.thread_limit = 1000
    await house.discord.deny(house.channel)
    for _ in range(2):
        assert await house.play(game_id)
    await house.sweep(HOUR)
    line = f"#a1 has no thread: {why}. Its boards are posted here."
    assert said(house.channel)[1:] == ["board 0", line, "board 1", "board 2"]
    assert (await house.stored(game_id)).venue == house.home()


@pytest.mark.parametrize(
    ("status", "code", "why"),
    [(404, 10008, "its first board was deleted"), (403, 50024, "this kind of channel has no threads")],
)
async def test_the_reason_for_a_missing_thread_is_told(house: House, status: int, code: int, why: str) -> None:
    house.discord.fail_next("POST", THREADS, status=status, code=code)
    await house.begin()
    assert said(house.channel)[-1] == f"#a1 has no thread: {why}. Its boards are posted here."


@pytest.mark.usefixtures("words")
@pytest.mark.parametrize("before", ["note_channel_refusal", "note_delivered"])
async def test_killed_over_a_refused_thread_tells_it_once(
    house: House, monkeypatch: pytest.MonkeyPatch, before: str
) -> None:
    """Before the refusal is noted, and after the notice is posted."""
    await _no_room(house)
    house.dies(monkeypatch, before, 2 if before == "note_delivered" else 0)
    with pytest.raises(PowerCut):
        await house.begin()
    await house.restart(LONG)
    assert said(house.channel)[1:] == ["board 0", f"#a1 has no thread: {FULL}. Its boards are posted here."]


async def test_boards_wait_for_a_thread_for_ten_minutes(house: House) -> None:
    """After that the game stays in its channel."""
    house.discord.fail_next("POST", THREADS, status=401, times=99)
    game_id = await house.begin()
    assert not await house.play(game_id)
    for _ in range(MOST_THREAD_TRIES - 2):
        await house.sweep(THREAD_SECONDS)
    assert said(house.channel)[1:] == ["board 0"], "while the bot is away it makes no tries"
    await house.sweep(THREAD_SECONDS)
    assert said(house.channel)[1:] == [
        "board 0",
        "board 1",
        "#a1 has no thread: Discord refused to make one. Its boards are posted here.",
    ]


async def test_a_relocated_first_board_gets_its_thread(house: House) -> None:
    game_id = await house.begin(before_board=house.discord.deny(house.channel, "attach_files"))
    await house.sweep()
    assert (await house.stored(game_id)).unreachable
    await house.discord.deny(house.channel)
    await house.bot.delivery.deliver((await house.app.venues.relocate(game_id, house.home())).owed)
    assert said(house.channel)[1:] == ["board 0"]
    assert (await house.stored(game_id)).venue == house.home(house.thread())


async def test_a_relocated_game_makes_no_other_thread(house: House) -> None:
    game_id, attic = await house.begin(), await house.discord.add_channel("attic")
    await house.bot.delivery.deliver((await house.app.venues.relocate(game_id, house.home(attic))).owed)
    assert await house.play(game_id)
    assert (said(attic), said(house.thread())) == (["board 0", "board 1"], [])


async def test_a_thread_made_during_relocation_stays_empty(house: House) -> None:
    gate, attic = house.discord.hold("POST", THREADS), await house.discord.add_channel("attic")
    beginning = asyncio.create_task(house.begin())
    await gate.reached()
    moved = await house.app.venues.relocate(1, house.home(attic))
    gate.release()
    await beginning
    await house.bot.delivery.deliver(moved.owed)
    assert await house.play(1)
    assert (said(attic), said(house.thread())) == (["board 0", "board 1"], [])


# ── One takes nothing any more ──


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
