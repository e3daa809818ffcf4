"""Refusals that pass: Discord blocks the bot for a while, or takes nothing of a kind. They are about nobody."""

from collections.abc import Awaitable, Callable, Iterable

import pytest
from sqlalchemy import select

from gipfbot.service.clock.vacations import VACATION
from gipfbot.service.watching.follows import CHECK_SECONDS
from gipfbot.store import outbox, tables
from gipfbot.ui.delivery.delivery import Delivery
from gipfbot.ui.delivery.lanes import MOST_LANES
from gipfbot.ui.kit.outbox_messages import OutboxMessage
from gipfbot.ui.kit.request_watch import INVALID_SECONDS
from gipfbot.values import THREAD, News, OutboxRow
from tests.standin import Channel
from tests.support.routes import MESSAGES, OPENINGS
from tests.support.steady_clock import Seconds
from tests.support.terms import THREE_DAYS
from tests.support.times import DAY, HOUR

from .house import House, said
from .posts import POSTS

PROTECTION, NO_CODE, QUARANTINE, NO_MESSAGES, TURNED_OFF, UNKNOWN = 40333, 0, 20026, 40004, 40006, 987654
BAN = 1015  # a page with 429
MEMBERS = "GET", "/guilds/{guild}/members/{user}"


@pytest.fixture
def seconds(house: House) -> Seconds:
    """The clock by which requests are held."""
    house.bot.watch.holds.steady = Seconds()
    return house.bot.watch.holds.steady


async def pass_by(house: House, seconds: Seconds, times: Iterable[int]) -> None:
    """Let so many seconds pass, again and again, and let the bot deliver what it owes."""
    for each in times:
        seconds.now += each
        await house.sweep(each)


async def owe_in_many_places(house: House, many: int) -> list[Channel]:
    """Owe each of so many channels a message."""
    places = [await house.discord.add_channel(f"place-{number}") for number in range(many)]
    payload = {"name": "Ann", "until": 0, "over": True, "games": []}
    async with house.store.transaction() as db:
        for place in places:
            await outbox.owe(db, f"many:{place.id}", VACATION, place.id, payload, house.clock())
    return places


# ── Boards ──


@pytest.mark.parametrize("code", [PROTECTION, NO_CODE, NO_MESSAGES, TURNED_OFF, UNKNOWN])
async def test_block_of_some_seconds_only_delays_the_board(house: House, seconds: Seconds, code: int) -> None:
    """The game stays where it is, its clock runs, and nobody gets a direct message instead."""
    game = await house.begin(terms=THREE_DAYS, thread=False)
    house.discord.blocked = code
    assert not await house.play(game)
    await pass_by(house, seconds, [10, 10])
    stored = await house.stored(game)
    assert not stored.unreachable
    assert stored.game.clock
    assert stored.game.clock.deadline
    house.discord.blocked = None
    await pass_by(house, seconds, [60])
    assert said(house.channel)[1:] == ["board 0", "board 1"]
    assert house.discord.dm(house.discord.user("bob")).messages == []
    await house.assert_each_posted_once()


async def test_block_makes_all_lanes_wait_ever_longer(
    house: House, seconds: Seconds, caplog: pytest.LogCaptureFixture
) -> None:
    """Discord bans for 10,000 refusals in ten minutes. Each time all lanes that post at once may meet one.

    The owner is told if it lasts.
    """
    places = await owe_in_many_places(house, 3 * MOST_LANES)
    house.discord.blocked = PROTECTION
    tried = dict[int, int]()
    for moment in range(0, INVALID_SECONDS, 5):
        before = len(house.discord.invalid_requests)
        await house.sweep(5)
        if made := len(house.discord.invalid_requests) - before:
            tried[moment] = made
        seconds.now += 5
    assert [*tried] == [0, 5, 15, 35, 75, 155, 315]
    assert max(tried.values()) <= MOST_LANES
    told = [record.getMessage() for record in caplog.records if hasattr(record, "tell_owner")]
    assert [said.rpartition(" wait for ")[2] for said in told] == ["80 s", "160 s", "300 s"]
    house.discord.blocked = None
    await pass_by(house, seconds, [HOUR, HOUR])
    assert [len(place.messages) for place in places] == [1] * len(places)
    await house.assert_each_posted_once()


@pytest.mark.parametrize("code", [PROTECTION, NO_MESSAGES, BAN])
async def test_turns_of_a_block_are_tried_once_it_is_over(house: House, seconds: Seconds, code: int) -> None:
    """They cost no request, and no try, so they come at once when the wait is over."""
    games = [await house.begin(thread=False) for _ in range(5)]
    house.discord.blocked = code
    before = len(house.discord.called("POST", MESSAGES))
    for game in games:
        assert not await house.play(game)
    assert len(house.discord.called("POST", MESSAGES)) == before + 1
    house.discord.blocked = None
    await pass_by(house, seconds, [5])
    assert said(house.channel).count("board 1") == 4
    await pass_by(house, seconds, [10])
    assert said(house.channel).count("board 1") == 5
    await house.assert_each_posted_once()


@pytest.mark.parametrize("code", [PROTECTION, UNKNOWN])
async def test_block_while_a_thread_is_made_only_delays_it(house: House, seconds: Seconds, code: int) -> None:
    house.discord.fail_next("POST", "/channels/{id}/messages/{message}/threads", status=403, code=code)
    game = await house.begin()
    await pass_by(house, seconds, [60])
    assert await house.play(game)
    assert said(house.channel)[1:] == ["board 0"]
    assert said(house.thread()) == ["board 1"]


@pytest.mark.parametrize(("kind", "post", "_"), POSTS, ids=[post.__name__ for _, post, _ in POSTS])
async def test_each_kind_of_message_comes_after_a_block(
    house: House,
    seconds: Seconds,
    monkeypatch: pytest.MonkeyPatch,
    kind: str,
    post: Callable[[House], Awaitable[None]],
    _: int,
) -> None:
    """Its first two tries meet it. Nothing is given up for it, and nothing comes twice."""
    send, left = Delivery._send, iter(range(2))

    async def send_into_block(delivery: Delivery, owed: OutboxRow, message: OutboxMessage) -> int:
        if owed.kind == kind and next(left, None) is not None:
            house.discord.fail_next("POST", MESSAGES, status=403, code=PROTECTION)
        return await send(delivery, owed, message)

    monkeypatch.setattr(Delivery, "_send", send_into_block)
    await post(house)
    await pass_by(house, seconds, [60] * 12)
    async with house.store.reading() as db:
        rows = (await db.execute(select(tables.outbox))).all()
    assert [row.id for row in rows if row.kind == kind and row.message]
    assert not [row.id for row in rows if str(PROTECTION) in (row.dropped or "")]
    posted = [row.message for row in rows if row.message and row.kind != THREAD]
    assert sorted(posted) == sorted(message.id for message in house.own_messages())
    assert next(left, None) is None


# ── Direct messages ──


async def test_quarantine_holds_new_direct_messages_alone(house: House, seconds: Seconds) -> None:
    """Boards go on. After a day, reminders come in the channel, and nobody counts as shut."""
    games = [await house.begin(terms=THREE_DAYS, thread=False) for _ in range(3)]
    house.clock.moved += 2 * DAY + 12 * HOUR
    await house.app.reminders.owe_due_reminders()
    house.discord.blocked = QUARANTINE
    await pass_by(house, seconds, [0] + [5] * 20)
    assert 2 <= len(house.discord.called(*OPENINGS)) <= 6
    assert [await house.play(game) for game in games] == [True] * 3
    house.discord.blocked = None
    house.clock.moved -= 2 * DAY
    await pass_by(house, seconds, [HOUR, HOUR])
    assert not (await house.app.reminders.reminder_settings(house.seats()[0].user)).dms_shut


@pytest.mark.parametrize("code", [PROTECTION, UNKNOWN])
async def test_block_ends_no_follow(house: House, seconds: Seconds, code: int) -> None:
    """Neither when Discord is asked what the follower sees, nor when the news is posted."""
    await house.connect()
    await house.discord.wait_for(house.bot.is_ready, "the gateway")
    game, cara = await house.begin(thread=False), house.discord.user("cara")
    await house.play(game)
    await house.app.follows.follow_game(cara.id, game, News.EACH_TURN)
    house.clock.moved += CHECK_SECONDS + 1
    house.discord.fail_next(*MEMBERS, status=403, code=code)
    house.discord.fail_next("POST", f"/channels/{house.discord.dm(cara).id}/messages", status=403, code=code)
    await house.play(game)
    await pass_by(house, seconds, [60, 60, 60])
    assert [call.status for call in house.discord.called(*MEMBERS)] == [403, 200]
    assert len(house.discord.dm(cara).messages) == 1
    assert await house.app.follows.follow_of_game(cara.id, game)
    assert await house.app.follows.take_lost(cara.id) == []


# ── Files ──


async def test_server_that_takes_no_files_gets_boards_of_letters(house: House) -> None:
    """Each board is posted once, and the game stays where it is. Pictures come again when Discord takes them."""
    game = await house.begin(thread=False)
    house.discord.guild.takes_files = False
    assert await house.play(game)
    shown = house.channel.last()
    assert not shown.attachments
    assert "\n```\nBlack to move.\n" in shown.content
    assert not (await house.stored(game)).unreachable
    house.discord.guild.takes_files = True
    assert await house.play(game)
    assert house.channel.last().attachments
    await house.assert_each_posted_once()


async def test_private_board_without_files_is_one_of_letters(house: House) -> None:
    game = await house.begin(thread=False)
    house.discord.guild.takes_files = False
    await house.bot.pulse.coro(house.bot)
    await house.connect()
    shown = await house.discord.slash(house.discord.user("ann"), house.channel, "gipf board", game=f"#a{game}")
    await shown.answered()
    assert "White to move." in shown.text
    record = await house.discord.slash(house.discord.user("ann"), house.channel, "gipf record", game=f"#a{game}")
    await record.answered()
    assert "Discord doesn't take that file here" in record.text
