"""A game's thread is made once, whenever the process ends."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from gipfbot.ui.board.public_board import board_url
from gipfbot.ui.delivery.delivery import MOST_THREAD_TRIES, THREAD_SECONDS
from gipfbot.ui.delivery.venues import goes_on_in_thread_text
from tests.support.routes import MESSAGES, THREADS
from tests.support.times import HOUR

from .house import FULL, LONG, House, PowerCut, said

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
    first = house.channel.last()
    assert first.content == goes_on_in_thread_text(thread.id), "it asks nobody for a turn any more"
    assert (first.custom_ids, len(first.attachments)) == ([], 1)
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
    [
        (404, 10008, "its first board was deleted"),
        (403, 50024, "this kind of channel has no threads"),
        (403, 200001, "Discord refused to make one"),
    ],
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
