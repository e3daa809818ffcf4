"""Nothing owed is lost, and nothing is posted twice."""

import asyncio
import re

import pytest
from sqlalchemy import select, update
from sqlalchemy.exc import IntegrityError

from gipfbot.store import Store, outbox, tables
from gipfbot.values import THREAD, GivesWay, MessageTaken, OutboxRow
from tests.store.helpers import MESSAGE, added
from tests.support.people import ANN, BOB, CARA, HALL
from tests.support.times import NOW

LEASE = 60


async def owed(store: Store, key: str, game: int | None = None, now: int = NOW) -> int:
    async with store.transaction() as db:
        return await outbox.owe(db, key, "board", HALL, {"text": f"é {key}"}, now, game)


async def claimed(store: Store, row_id: int, now: int = NOW) -> OutboxRow | None:
    async with store.transaction() as db:
        return await outbox.lease(db, row_id, now, LEASE)


async def due(store: Store, now: int = NOW, limit: int = 10) -> list[int]:
    async with store.reading() as db:
        return await outbox.deliverable_rows(db, now, limit)


async def settled(store: Store, row_id: int) -> tuple[int | None, int | None, str | None]:
    async with store.reading() as db:
        row = await db.execute(select(tables.outbox).where(tables.outbox.c.id == row_id))
    found = row.one()
    return found.done_at, found.message, found.dropped


async def test_an_owed_row_is_leased_and_settled(store: Store) -> None:
    game = await added(store)
    row_id = await owed(store, "a", game.id)
    assert await due(store) == [row_id]
    row = await claimed(store, row_id, NOW + 5)
    assert row
    told = HALL, game.id, {"text": "é a"}
    assert row == OutboxRow(row_id, "a", row.mark, "board", *told, 1, NOW, NOW + 5, *[None] * 4)
    async with store.transaction() as db:
        await outbox.mark_posted(db, row_id, MESSAGE, NOW + 6)
    assert await settled(store, row_id) == (NOW + 6, MESSAGE, None)
    assert await due(store, NOW + LEASE * 9) == []
    assert await claimed(store, row_id, NOW + LEASE * 9) is None


async def owed_leased(store: Store, key: str, game: int | None = None, now: int = NOW) -> OutboxRow | None:
    async with store.transaction() as db:
        what = key, "board", HALL, {"text": key}, now, game
        return await outbox.owe_leased(db, *what, by=ANN.user, gives_way=GivesWay.TO_PEOPLE, seconds=LEASE)


async def test_a_row_is_owed_and_leased_at_once(store: Store) -> None:
    game = await added(store)
    row = await owed_leased(store, "a", game.id)
    assert row
    told = HALL, game.id, {"text": "a"}
    order = ANN.user, GivesWay.TO_PEOPLE
    assert row == OutboxRow(row.id, "a", row.mark, "board", *told, 1, NOW, NOW, *order, None, None)
    assert await due(store) == []
    assert await claimed(store, row.id) is None
    assert await due(store, NOW + LEASE) == [row.id]
    again = await claimed(store, row.id, NOW + LEASE)
    assert again
    assert (again.mark, again.attempts, again.first_tried_at) == (row.mark, 2, NOW)


async def test_a_row_behind_an_earlier_one_is_owed_but_not_leased(store: Store) -> None:
    game = await added(store)
    first, other = await owed(store, "a", game.id), await owed_leased(store, "b", game.id)
    assert other is None
    assert await due(store) == [first]
    async with store.transaction() as db:
        await outbox.mark_posted(db, first, MESSAGE, NOW)
    (second,) = await due(store)
    row = await claimed(store, second)
    assert row
    assert (row.key, row.attempts) == ("b", 1)


async def test_a_known_key_is_leased_only_if_its_row_is_free(store: Store) -> None:
    row_id = await owed(store, "a")
    row = await owed_leased(store, "a", now=NOW + 1)
    assert row
    assert (row.id, row.attempts, row.created_at, row.payload) == (row_id, 1, NOW, {"text": "é a"})
    assert await owed_leased(store, "a", now=NOW + 2) is None
    async with store.transaction() as db:
        await outbox.mark_posted(db, row_id, MESSAGE, NOW)
    assert await owed_leased(store, "a", now=NOW + LEASE * 2) is None


async def test_a_key_is_owed_only_once(store: Store) -> None:
    row_id = await owed(store, "a")
    assert await owed(store, "a", now=NOW + 9) == row_id
    assert await owed(store, "b") != row_id
    assert len(await due(store)) == 2
    async with store.transaction() as db:
        await outbox.mark_posted(db, row_id, None, NOW)
    assert await owed(store, "a") == row_id
    assert len(await due(store)) == 1


async def test_a_rolled_back_row_is_not_owed(store: Store) -> None:
    try:
        async with store.transaction() as db:
            await outbox.owe(db, "a", "board", HALL, {}, NOW)
            raise KeyError
    except KeyError:
        pass
    assert await due(store) == []


async def test_only_one_of_many_deliverers_leases_a_row(store: Store) -> None:
    row_id = await owed(store, "a")
    claims = await asyncio.gather(*(claimed(store, row_id) for _ in range(8)))
    assert [claim.attempts for claim in claims if claim] == [1]


async def test_an_expired_lease_can_be_taken_again(store: Store) -> None:
    """The first deliverer has died. The next one learns when the row was first tried."""
    row_id = await owed(store, "a")
    assert await claimed(store, row_id, NOW)
    assert await due(store, NOW + LEASE - 1) == []
    assert await claimed(store, row_id, NOW + LEASE - 1) is None
    assert await due(store, NOW + LEASE) == [row_id]
    again = await claimed(store, row_id, NOW + LEASE)
    assert again
    assert (again.attempts, again.first_tried_at) == (2, NOW)


async def test_a_released_row_waits_for_its_time(store: Store) -> None:
    row_id, other = await owed(store, "a"), await owed(store, "b")
    assert await claimed(store, row_id)
    async with store.transaction() as db:
        await outbox.retry_later(db, row_id, NOW + 5)
    assert await due(store, NOW + 4) == [other]
    assert await claimed(store, row_id, NOW + 4) is None
    assert await due(store, NOW + 5) == [other, row_id]
    again = await claimed(store, row_id, NOW + 5)
    assert again
    assert again.attempts == 2


async def test_rows_of_a_game_are_leased_in_order(store: Store) -> None:
    """A later row of a game waits for the earlier ones, whatever delays them. Rows of other games do not."""
    game, other = await added(store), await added(store)
    first, second = await owed(store, "a", game.id), await owed(store, "b", game.id)
    elsewhere, nowhere = await owed(store, "c", other.id), await owed(store, "d")
    assert await due(store) == [first, elsewhere, nowhere]
    assert await claimed(store, second) is None
    assert await claimed(store, first)
    assert await claimed(store, second) is None
    async with store.transaction() as db:
        await outbox.retry_later(db, first, NOW + 100)
    assert await claimed(store, second, NOW + 50) is None
    async with store.transaction() as db:
        await outbox.mark_posted(db, first, MESSAGE, NOW + 100)
    assert await claimed(store, second, NOW + 100)


async def test_a_dropped_row_keeps_its_reason_and_blocks_nothing(store: Store) -> None:
    game = await added(store)
    first, second = await owed(store, "a", game.id), await owed(store, "b", game.id)
    async with store.transaction() as db:
        await outbox.drop_row(db, first, "the channel is gone", NOW + 1)
    assert await settled(store, first) == (NOW + 1, None, "the channel is gone")
    assert await due(store) == [second]
    assert await claimed(store, first) is None


async def test_a_posted_row_is_not_dropped(store: Store) -> None:
    row_id = await owed(store, "a")
    async with store.transaction() as db:
        await outbox.mark_posted(db, row_id, MESSAGE, NOW)
        await outbox.drop_row(db, row_id, "too late", NOW + 1)
    assert await settled(store, row_id) == (NOW, MESSAGE, None)


async def test_everything_owed_for_a_game_is_dropped_at_once(store: Store) -> None:
    game, other = await added(store), await added(store)
    ids = [await owed(store, key, game.id) for key in "abc"]
    kept = await owed(store, "d", other.id)
    async with store.transaction() as db:
        await outbox.mark_posted(db, ids[0], MESSAGE, NOW)
        await outbox.drop_rows_of_game(db, game.id, "relocated", NOW + 1)
    assert [(await settled(store, row_id))[2] for row_id in ids] == [None, "relocated", "relocated"]
    assert await due(store) == [kept]


async def test_redirected_rows_count_as_never_tried(store: Store) -> None:
    """This holds for one game and for all. Settled rows stay where they were."""
    game, other = await added(store), await added(store)
    done, waiting, its = (
        await owed(store, "a", game.id),
        await owed(store, "b", game.id),
        await owed(store, "c", other.id),
    )
    async with store.transaction() as db:
        await outbox.mark_posted(db, done, MESSAGE, NOW)
        assert await outbox.lease(db, waiting, NOW, LEASE)
        assert await outbox.is_owed_to(db, waiting, HALL)
        await outbox.redirect_owed(db, HALL, 7, NOW + 5, game.id)
        assert not await outbox.is_owed_to(db, waiting, HALL)
        assert await outbox.is_owed_to(db, its, HALL)
        assert not await outbox.is_owed_to(db, done, HALL)
    moved = await claimed(store, waiting, NOW + 5)
    assert moved
    assert (moved.channel, moved.first_tried_at) == (7, NOW + 5)
    async with store.transaction() as db:
        await outbox.redirect_owed(db, HALL, 9, NOW, None)
        assert await outbox.is_owed_to(db, its, 9)
        assert await outbox.is_owed_to(db, waiting, 7)


async def test_a_redirected_row_is_due_at_once(store: Store) -> None:
    """The other channel refused it, and tries there do not count."""
    row_id = await owed(store, "a")
    assert await claimed(store, row_id)
    async with store.transaction() as db:
        await outbox.retry_later(db, row_id, NOW + 1000)
        await outbox.redirect_owed(db, HALL, 7, NOW + 5)
    assert await due(store, NOW + 4) == []
    moved = await claimed(store, row_id, NOW + 5)
    assert moved
    assert moved.attempts == 1


async def test_a_dropped_row_can_be_requeued(store: Store) -> None:
    """It stays the same row, with its tries. Rows that are owed or posted were not dropped."""
    row_id, posted = await owed(store, "a"), await owed(store, "b")
    assert await claimed(store, row_id)
    async with store.transaction() as db:
        assert await outbox.dropped_payload(db, row_id) is None
        await outbox.drop_row(db, row_id, "forbidden", NOW)
        await outbox.mark_posted(db, posted, MESSAGE, NOW)
        assert await outbox.dropped_payload(db, row_id) == {"text": "é a"}
        assert await outbox.dropped_payload(db, posted) is None
        await outbox.requeue_row(db, row_id, 7, {"text": "anew"}, NOW + 5)
        assert await outbox.dropped_payload(db, row_id) is None
    assert await due(store, NOW + 4) == []
    again = await claimed(store, row_id, NOW + 5)
    assert again
    assert (again.channel, again.payload, again.attempts, again.first_tried_at) == (7, {"text": "anew"}, 2, NOW)


async def test_owed_rows_of_a_game_are_found_by_kind(store: Store) -> None:
    game, other = await added(store), await added(store)
    row_id = await owed(store, "a", game.id)
    async with store.transaction() as db:
        assert [await outbox.is_owed_for(db, game.id, kind) for kind in ("board", "channel_reminder")] == [True, False]
        assert not await outbox.is_owed_for(db, other.id, "board")
        await outbox.mark_posted(db, row_id, MESSAGE, NOW)
        assert not await outbox.is_owed_for(db, game.id, "board")


async def test_a_deleted_key_can_be_owed_again(store: Store) -> None:
    row_id = await owed(store, "a")
    async with store.transaction() as db:
        await outbox.mark_posted(db, row_id, None, NOW)
        await outbox.delete_row(db, row_id)
    again = await owed(store, "a")
    assert again > row_id
    assert await due(store) == [again]


async def test_the_longest_due_row_comes_first(store: Store) -> None:
    late, early = await owed(store, "a", now=NOW), await owed(store, "b", now=NOW - 10)
    assert await due(store) == [early, late]
    assert await due(store, limit=1) == [early]
    assert await due(store, now=NOW - 5) == [early]


# ── The order of a channel ──


async def owed_by(
    store: Store,
    key: str,
    by: int | None,
    gives_way: GivesWay | None = None,
    *,
    game: int | None = None,
    now: int = NOW,
) -> int:
    async with store.transaction() as db:
        return await outbox.owe(db, key, "board", HALL, {"text": key}, now, game, by=by, gives_way=gives_way)


async def in_lane(store: Store, most: int = 10) -> list[int]:
    async with store.reading() as db:
        return [row.id for row in (await outbox.rows_by_channel(db, NOW, most))[HALL]]


async def test_a_lane_rotates_among_people(store: Store) -> None:
    """However many messages one of them has brought before."""
    anns = [await owed_by(store, f"ann {number}", ANN.user) for number in range(15)]
    bobs = [await owed_by(store, f"bob {number}", BOB.user) for number in range(2)]
    caras = [await owed_by(store, f"cara {number}", CARA.user) for number in range(2)]
    rotation = [anns[0], bobs[0], caras[0], anns[1], bobs[1], caras[1], *anns[2:]]
    assert await in_lane(store, 100) == rotation
    assert await in_lane(store, 5) == rotation[:5]
    assert await in_lane(store, 1) == rotation[:3], "one of each person, who else might never have their turn"


async def test_boards_between_people_come_first(store: Store) -> None:
    """Before those of others against the bot, and before those that the same person has brought."""
    against_bot = [await owed_by(store, f"{by}", by, GivesWay.TO_NEWER) for by in (ANN.user, BOB.user)]
    between = [await owed_by(store, f"{by} now", by, now=NOW) for by in (BOB.user, CARA.user)]
    assert await in_lane(store) == [*between, against_bot[0], against_bot[1]]


async def test_messages_of_nobody_count_as_one_persons(store: Store) -> None:
    others = [await owed_by(store, f"nobody {number}", None) for number in range(2)]
    anns = [await owed_by(store, f"ann {number}", ANN.user) for number in range(2)]
    assert await in_lane(store) == [others[0], anns[0], others[1], anns[1]]


async def test_who_caused_a_message_is_known_while_it_is_owed(store: Store) -> None:
    """Posted, dropped or given way, it names nobody any more."""
    game, other = await added(store), await added(store)
    rows = [await owed_by(store, f"{number}", ANN.user, game=game.id) for number in range(3)]
    await owed_by(store, "gives way", ANN.user, GivesWay.TO_NEWER, game=other.id)
    async with store.transaction() as db:
        known = select(tables.outbox.c.caused_by)
        assert [*await db.scalars(known)] == [ANN.user] * 4
        await outbox.mark_posted(db, rows[0], MESSAGE, NOW)
        await outbox.drop_row(db, rows[1], "gone", NOW)
        await outbox.drop_rows_of_game(db, game.id, "moved", NOW)
        await outbox.give_way(db, other.id, NOW)
        assert [*await db.scalars(known)] == [None] * 4


# ── Rows that give way ──


async def test_untried_boards_of_a_game_give_way(store: Store) -> None:
    """Neither those that are always posted, nor those of other games."""
    game, other = await added(store), await added(store)
    ways = GivesWay.TO_PEOPLE, GivesWay.TO_NEWER, None, GivesWay.TO_NEWER
    rows = [await owed_by(store, f"{number}", 1, way, game=game.id) for number, way in enumerate(ways)]
    elsewhere = await owed_by(store, "other", 1, GivesWay.TO_NEWER, game=other.id)
    async with store.transaction() as db:
        assert await outbox.give_way(db, game.id, NOW + 1) == [{"text": "1"}, {"text": "3"}]
        assert await outbox.give_way(db, game.id, NOW + 2) == []
    assert [(await settled(store, row))[0] for row in (*rows, elsewhere)] == [None, NOW + 1, None, NOW + 1, None]
    assert (await settled(store, rows[1]))[1:] == (None, outbox.GAVE_WAY)
    assert await claimed(store, rows[1]) is None


@pytest.mark.parametrize("after", ["leased", "put off", "its lease is over", "in doubt"])
async def test_a_tried_board_never_gives_way(store: Store, after: str) -> None:
    """It may be on Discord already: so after a kill, and after a backup was restored."""
    game = await added(store)
    row = await owed_by(store, "a", ANN.user, GivesWay.TO_NEWER, game=game.id)
    async with store.transaction() as db:
        if after == "in doubt":
            await outbox.doubt_owed(db)
        else:
            await outbox.lease(db, row, NOW, LEASE)
        if after == "put off":
            await outbox.retry_later(db, row, NOW + 5)
        assert await outbox.give_way(db, game.id, NOW + LEASE * 2) == []
    assert (await settled(store, row))[0] is None


async def test_a_row_that_is_put_back_was_never_tried(store: Store) -> None:
    game = await added(store)
    row = await owed_by(store, "a", ANN.user, GivesWay.TO_NEWER, game=game.id)
    leased = await claimed(store, row)
    assert leased
    async with store.transaction() as db:
        await outbox.put_back(db, leased, LEASE)
    assert await due(store) == [row]
    again = await claimed(store, row, NOW + 7)
    assert again
    assert (again.attempts, again.first_tried_at) == (1, NOW + 7)
    async with store.transaction() as db:
        await outbox.put_back(db, again, LEASE)
        assert await outbox.give_way(db, game.id, NOW + 8) == [{"text": "a"}]


async def test_a_row_tried_before_stays_tried_when_it_is_put_back(store: Store) -> None:
    row = await owed(store, "a")
    assert await claimed(store, row)
    later = await claimed(store, row, NOW + LEASE)
    assert later
    async with store.transaction() as db:
        await outbox.put_back(db, later, LEASE)
    again = await claimed(store, row, NOW + LEASE)
    assert again
    assert (again.attempts, again.first_tried_at) == (2, NOW)


async def test_only_the_lease_itself_is_put_back(store: Store) -> None:
    """Another process has leased the row since, or it was posted."""
    row = await owed(store, "a")
    first, second = await claimed(store, row), await claimed(store, row, NOW + LEASE)
    assert first
    assert second
    async with store.transaction() as db:
        await outbox.put_back(db, first, LEASE)
    assert await claimed(store, row, NOW + LEASE) is None
    async with store.transaction() as db:
        await outbox.mark_posted(db, row, MESSAGE, NOW)
        await outbox.put_back(db, second, LEASE)
    assert await due(store, NOW + LEASE * 9) == []


# ── Marks ──


async def mark_of(store: Store, row_id: int) -> str:
    async with store.reading() as db:
        mark: str = (await db.scalars(select(tables.outbox.c.mark).where(tables.outbox.c.id == row_id))).one()
    return mark


async def test_every_row_has_a_mark_of_its_own(store: Store) -> None:
    async with store.transaction() as db:
        await outbox.owe_each(db, "notice", "downtime_notice", {channel: {} for channel in range(50)}, NOW)
        for number in range(50):
            await outbox.owe(db, f"{number}", "board", HALL, {}, NOW)
        marks = [*await db.scalars(select(tables.outbox.c.mark))]
    assert len({*marks}) == 100
    assert all(re.fullmatch("[0-9a-f]{16}", mark) for mark in marks)


async def test_a_mark_stays_until_the_row_is_requeued(store: Store) -> None:
    row_id = await owed(store, "a")
    mark = await mark_of(store, row_id)
    await claimed(store, row_id)
    async with store.transaction() as db:
        await outbox.retry_later(db, row_id, NOW)
        await outbox.redirect_owed(db, HALL, HALL + 1, NOW)
    assert await mark_of(store, row_id) == mark
    async with store.transaction() as db:
        await outbox.drop_row(db, row_id, "full", NOW)
    assert await mark_of(store, row_id) == mark
    async with store.transaction() as db:
        await outbox.requeue_row(db, row_id, HALL, {}, NOW)
    assert await mark_of(store, row_id) != mark
    mark = await mark_of(store, row_id)
    async with store.transaction() as db:
        await outbox.drop_row(db, row_id, "full", NOW)
        await outbox.requeue_dropped(db, "a", HALL, NOW)
    (again,) = await due(store)
    assert await mark_of(store, again) != mark


async def test_a_mark_finds_only_tried_rows_still_owed(store: Store) -> None:
    row_id = await owed(store, "a")
    mark = await mark_of(store, row_id)
    async with store.transaction() as db:
        assert await outbox.find_by_mark(db, mark, HALL) is None
        row = await outbox.lease(db, row_id, NOW, LEASE)
        assert await outbox.find_by_mark(db, mark, HALL) == row
        assert await outbox.find_by_mark(db, mark, HALL + 1) is None
        assert await outbox.find_by_mark(db, "0" * 16, HALL) is None
        await outbox.mark_posted(db, row_id, MESSAGE, NOW)
        assert await outbox.find_by_mark(db, mark, HALL) is None


async def test_a_message_belongs_to_one_row(store: Store) -> None:
    """The second row stays owed. Marking the first row again, or a deleted row, changes nothing."""
    first, second = await owed(store, "a"), await owed(store, "b")
    async with store.transaction() as db:
        assert await outbox.message_with_mark(db, await mark_of(store, first)) is None
        assert await outbox.mark_posted(db, first, MESSAGE, NOW)
        assert not await outbox.mark_posted(db, first, MESSAGE, NOW)
        assert not await outbox.mark_posted(db, first, MESSAGE + 1, NOW)
        assert not await outbox.mark_posted(db, second + 1, MESSAGE + 1, NOW)
        with pytest.raises(MessageTaken):
            await outbox.mark_posted(db, second, MESSAGE, NOW)
        assert await outbox.message_with_mark(db, await mark_of(store, first)) == MESSAGE
    assert await due(store) == [second]
    with pytest.raises(IntegrityError):
        async with store.transaction() as db:
            await db.execute(update(tables.outbox).where(tables.outbox.c.id == second).values(message=MESSAGE))


async def test_a_thread_may_share_its_id_with_a_message(store: Store) -> None:
    board = await owed(store, "a")
    async with store.transaction() as db:
        thread = await outbox.owe(db, "thread", THREAD, HALL, {}, NOW)
        await outbox.mark_posted(db, board, MESSAGE, NOW)
        await outbox.mark_posted(db, thread, MESSAGE, NOW)
    assert await settled(store, thread) == (NOW, MESSAGE, None)
