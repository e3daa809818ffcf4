"""A share of a channel for each: one person's many games against the bot hold up nobody's boards there."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace

import pytest
from sqlalchemy import select, update

from gipfbot import match
from gipfbot.match import UNTIMED, Seat, Side
from gipfbot.rules import BASIC, STANDARD, legal
from gipfbot.service.delivery.board_message import BOARD
from gipfbot.service.kit.loaded_games import GameUpdate
from gipfbot.store import outbox, tables
from gipfbot.ui.delivery.delivery import Delivery
from gipfbot.ui.kit.outbox_messages import OutboxMessage
from gipfbot.values import OutboxRow
from tests.support.background_work import do_next_task
from tests.support.times import HANGS

from .house import LONG, House, PowerCut, said

GAMES = 15


class Channel:
    """A channel that takes messages only when it is told to, and the games of those that it got, in order."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.room, self.tried, self.games = asyncio.Semaphore(0), asyncio.Event(), list[int | None]()
        send = Delivery._send

        async def send_when_told(poster: Delivery, owed: OutboxRow, post: OutboxMessage) -> int:
            self.tried.set()
            await self.room.acquire()
            self.games.append(owed.game)
            return await send(poster, owed, post)

        patch.setattr(Delivery, "_send", send_when_told)

    def take(self, count: int = 10_000) -> None:
        """Take so many messages."""
        for _ in range(count):
            self.room.release()


async def begin_against_bot(house: House, name: str) -> GameUpdate:
    """Let a person begin a game against the bot. Its first board is not posted yet."""
    user, bot = house.discord.user(name), house.discord.world.bot
    seats = Seat(user.id, name), Seat(bot.id, "GIPF")
    terms = replace(UNTIMED, house=match.House(1, bot.id))
    return await house.app.lobby.challenge_house(*seats, BASIC, Side.WHITE, house.home(), terms)


async def flood(house: House, name: str = "mallory", games: int = GAMES) -> list[int]:
    """Let a person begin many games against the bot. Their boards are owed."""
    found = [(await begin_against_bot(house, name)).game.id for _ in range(games)]
    await forget_leases(house)
    return found


async def forget_leases(house: House) -> None:
    """Let everything that is owed be due, as if it had never been leased."""
    owed = tables.outbox.c.done_at.is_(None)
    never = {"leased_until": None, "attempts": 0, "first_tried_at": None}
    async with house.store.transaction() as db:
        await db.execute(update(tables.outbox).where(owed).values(never))


async def begin_with_first_board(house: House) -> int:
    """Return a new game of Ann against the bot, whose first board is posted."""
    game_id = (await begin_against_bot(house, "ann")).game.id
    await forget_leases(house)
    async with house.store.transaction() as db:
        (first,) = await outbox.owed_ids(db, game_id, BOARD)
        await outbox.mark_posted(db, first, 1, house.clock())
    return game_id


async def play_against_bot(house: House, game_id: int, turns: int) -> None:
    """Let a person play turns against the bot, without looking at a board."""
    for _ in range(turns):
        game = await house.game(game_id)
        await house.app.games.play_actions(game_id, house.mover(game), legal(game.current)[:1])
        while await do_next_task(house.app):
            pass


async def play_between_people(house: House, game_id: int) -> Sequence[OutboxRow]:
    """Play a turn. Return the board that its player's bot has to post now."""
    game = await house.game(game_id)
    return (await house.app.games.play_actions(game_id, house.mover(game), legal(game.current)[:1])).owed


async def test_pairs_board_is_next_among_many_against_the_bot(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """Those are owed, or their turns were saved just now. One of them is on its way already."""
    pair = await house.begin(thread=False, rules=BASIC)
    await flood(house, games=3)
    begun = [await begin_against_bot(house, "mallory") for _ in range(GAMES)]
    channel = Channel(monkeypatch)
    posting = [asyncio.create_task(work) for work in (house.sweep(), *map(house.deliver, begun))]
    await channel.tried.wait()
    owed = await play_between_people(house, pair)
    told = asyncio.create_task(house.bot.delivery.deliver(owed))
    await asyncio.sleep(0)
    channel.take()
    async with asyncio.timeout(HANGS):
        await asyncio.gather(told, *posting)
    assert channel.games.index(pair) == 1
    assert len(channel.games) == GAMES + 4


async def test_pairs_board_that_is_owed_is_first_after_a_rest(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """It became due last."""
    pair = await house.begin(thread=False, rules=BASIC)
    await flood(house)
    house.clock.moved += 5
    await play_between_people(house, pair)
    await forget_leases(house)
    channel = Channel(monkeypatch)
    channel.take()
    await house.sweep()
    assert channel.games[0] == pair


async def test_three_people_go_round(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """Over several looks at what is due, too."""
    monkeypatch.setattr("gipfbot.ui.delivery.delivery.MOST_IN_LANE", 1)
    owners = {game: name for name in ("mallory", "ann", "bob") for game in await flood(house, name, 4)}
    channel = Channel(monkeypatch)
    channel.take()
    await house.bot.delivery.finish_sweep()
    names = [owners[game] for game in channel.games if game]
    assert len(names) == 12
    assert all(len({*names[first : first + 3]}) == 3 for first in range(0, 12, 3)), names


async def test_game_against_the_bot_owes_three_boards_at_most(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first, the one that is being posted, and the newest. All are posted in their order."""
    game_id = (await begin_against_bot(house, "ann")).game.id
    await play_against_bot(house, game_id, 9)
    async with house.store.reading() as db:
        assert len(await outbox.owed_ids(db, game_id, BOARD)) == 2
    await forget_leases(house)
    await house.bot.delivery.finish_sweep()
    assert said(house.channel) == ["board 0", "board 18"]
    await house.assert_each_posted_once()
    assert " · before that: … / " in house.channel.last().content


async def test_board_without_a_turn_in_time_is_left_to_the_lane(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing was sent, so it may still give way to a newer one."""
    monkeypatch.setattr("gipfbot.ui.delivery.delivery.TURN_SECONDS", 0.01)
    await flood(house, "mallory", 1)
    game_id = await begin_with_first_board(house)
    channel = Channel(monkeypatch)
    sweep = asyncio.create_task(house.sweep())
    await channel.tried.wait()
    game = await house.game(game_id)
    played = await house.app.games.play_actions(game_id, house.mover(game), legal(game.current)[:1])
    assert await house.bot.delivery.deliver(played.owed) == ()
    while await do_next_task(house.app):
        pass
    channel.take()
    async with asyncio.timeout(HANGS):
        await sweep
    await house.sweep(60)
    assert channel.games.count(game_id) == 1
    assert said(house.channel)[-1] == "board 2"


@pytest.mark.parametrize("posted", [True, False])
@pytest.mark.parametrize("seconds", [0, LONG])
async def test_kill_in_a_flood_loses_and_doubles_nothing(
    house: House, monkeypatch: pytest.MonkeyPatch, posted: bool, seconds: int
) -> None:
    """The board that was being posted is never taken for untried, and is posted once. Those behind it give way."""
    pair = await house.begin(thread=False, rules=BASIC)
    games = await flood(house, games=3)
    await house.bot.delivery.finish_sweep()
    for game_id in games:
        await play_against_bot(house, game_id, 1)
    await forget_leases(house)
    house.dies_at(monkeypatch, BOARD, 2, posted=posted)
    with pytest.raises(PowerCut):
        await house.bot.delivery.finish_sweep()
    for game_id in games:
        await play_against_bot(house, game_id, 1)
    owed = await play_between_people(house, pair)
    assert owed
    await house.restart(seconds)
    await house.sweep(60)
    await house.bot.delivery.finish_sweep()
    await house.assert_each_posted_once()
    shown = said(house.channel)
    assert shown.count("board 4") == 3
    async with house.store.reading() as db:
        rows = (await db.execute(select(tables.outbox.c.game, tables.outbox.c.dropped))).all()
    assert {row.game for row in rows if row.dropped} <= {*games}


async def test_kill_while_a_board_waits_for_its_turn(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    pair = await house.begin(thread=False, rules=STANDARD)
    await flood(house, games=2)
    channel = Channel(monkeypatch)
    sweep = asyncio.create_task(house.sweep())
    await channel.tried.wait()
    posting = asyncio.create_task(house.bot.delivery.deliver(await play_between_people(house, pair)))
    await asyncio.sleep(0)
    for task in (posting, sweep):
        task.cancel()
    await asyncio.gather(posting, sweep, return_exceptions=True)
    channel.take()
    await house.restart(LONG)
    await house.bot.delivery.finish_sweep()
    await house.assert_each_posted_once()
    assert said(house.channel).count("board 1") == 1


async def test_answer_takes_the_place_of_a_board_that_waits(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """The channel is full. The board of a person's own turn has not gone out when the bot answers."""
    await flood(house, "mallory", 1)
    game_id = await begin_with_first_board(house)
    channel = Channel(monkeypatch)
    posting: list[asyncio.Task[object]] = [asyncio.create_task(house.sweep())]
    await channel.tried.wait()
    game = await house.game(game_id)
    played = await house.app.games.play_actions(game_id, house.mover(game), legal(game.current)[:1])
    posting.append(asyncio.create_task(house.bot.delivery.deliver(played.owed)))
    await asyncio.sleep(0.1)
    while answer := await do_next_task(house.app):
        posting.append(asyncio.create_task(house.bot.delivery.deliver(answer.owed)))
    channel.take()
    async with asyncio.timeout(HANGS):
        await asyncio.gather(*posting)
    assert channel.games.count(game_id) == 1
    assert said(house.channel)[-1] == "board 2"
