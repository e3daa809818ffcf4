"""What players and servers are told after a restore, and what they are not told again."""

import pytest
from sqlalchemy import select, update

from gipfbot.match import REQUEST_LIFETIME, Side
from gipfbot.rules import STANDARD
from gipfbot.service.clock import downtime
from gipfbot.service.clock.downtime import DOWNTIME_NOTICE
from gipfbot.service.delivery.board_message import BOARD
from gipfbot.service.kit.loaded_games import readable_game
from gipfbot.service.restoring import restore_news
from gipfbot.store import Connection, lives, outbox, servers, tables
from gipfbot.store.life_file import CopyNote, mark_copy
from gipfbot.values import DueRow, StoredGame
from tests.service.helpers import basic_game_after, begin_game
from tests.support.people import ANN, BOB, CLUB, HOME
from tests.support.terms import THREE_DAYS
from tests.support.times import NOW

from .copied import Copied, begin_several


async def test_each_game_that_went_back_is_told_once(copied: Copied) -> None:
    """The board says from when the backup is. It takes the place of one that is still owed, in the server's style."""
    game = await basic_game_after(copied.app, 2)
    async with copied.store.transaction() as db:
        await servers.save_server_settings(db, CLUB, {"theme": "night"})
    await copied.back_up()
    app = await copied.go_back()
    for _ in range(2):
        await app.restore_news.tell_players()
    async with copied.store.reading() as db:
        boards = [
            (row.payload["restored_from"], row.payload["theme"])
            for row in await db.execute(select(tables.outbox).where(tables.outbox.c.done_at.is_(None)))
            if row.kind == BOARD
        ]
        owed = [len(await outbox.owed_ids(db, each, BOARD)) for each in (1, game)]
    assert (boards, owed) == ([(NOW, "night")] * 2, [1, 1])


@pytest.mark.parametrize("known_by", ["note", "life", "heartbeat"])
@pytest.mark.sqlite
async def test_the_time_of_the_backup_is_the_last_that_it_knows(copied: Copied, known_by: str) -> None:
    """By its own note, by its life, or by the last sign of a connected bot."""
    if known_by == "life":
        await copied.app.lives.write()
    elif known_by == "heartbeat":
        async with copied.store.transaction() as db:
            await downtime.note_alive(db, copied.host.now)
    await copied.back_up()
    if known_by == "note":
        mark_copy(copied.backup, CopyNote(NOW + 60))
    copied.host.passes(60)
    await copied.go_back()
    async with copied.store.reading() as db:
        assert await lives.planned_news(db) == (NOW + 60, [1])


async def test_a_board_that_was_posted_is_owed_once_more(copied: Copied) -> None:
    """In the style of its server."""
    async with copied.store.transaction() as db:
        await servers.save_server_settings(db, CLUB, {"theme": "night", "below": "black"})
        await db.execute(update(tables.outbox).values(done_at=NOW, message=tables.outbox.c.id))
    await copied.back_up()
    app = await copied.go_back()
    await app.restore_news.tell_players()
    async with copied.store.reading() as db:
        rows = (await db.execute(select(tables.outbox).where(tables.outbox.c.done_at.is_(None)))).all()
    ((kind, payload),) = [(row.kind, row.payload) for row in rows]
    assert (kind, payload["theme"], payload["flipped"]) == (BOARD, "night", True)


async def test_many_games_are_told_in_batches(copied: Copied, monkeypatch: pytest.MonkeyPatch) -> None:
    """One that cannot be read is left out."""
    monkeypatch.setattr(restore_news, "BATCH_SIZE", 2)
    await begin_several(copied.app, 5)
    async with copied.store.transaction() as db:
        await db.execute(update(tables.games).where(tables.games.c.id == 3).values(position="mush"))
    await copied.back_up()
    app = await copied.go_back()
    batches: list[list[int]] = []
    do_batch = app.restore_news._do_batch

    async def do_noted(db: Connection, row: DueRow) -> int | None:
        batches.append([])
        return await do_batch(db, row)

    async def load_noted(db: Connection, game: int) -> StoredGame | None:
        batches[-1].append(game)
        return await readable_game(db, game)

    monkeypatch.setattr(app.restore_news._work, "_do_batch", do_noted)
    monkeypatch.setattr(restore_news, "readable_game", load_noted)
    await app.restore_news.tell_players()
    async with copied.store.reading() as db:
        rows = await db.execute(select(tables.outbox.c.game, tables.outbox.c.payload))
        told = [row.game for row in rows if row.payload.get("restored_from")]
    assert sorted(told) == [1, 2, 4, 5, 6]
    assert batches == [[1, 2], [3, 4], [5, 6]]


@pytest.mark.sqlite
async def test_only_the_games_that_restore_has_found_are_told(copied: Copied) -> None:
    """A game that has ended in the backup is not."""
    ended, game = await begin_several(copied.app, 2)
    await copied.app.games.resign(ended, ANN.user)
    await copied.back_up()
    mark_copy(copied.backup, CopyNote(NOW, went_back=[ended, game]))
    app = await copied.go_back()
    await app.restore_news.tell_players()
    async with copied.store.reading() as db:
        rows = await db.execute(select(tables.outbox.c.game, tables.outbox.c.payload))
        assert [row.game for row in rows if row.payload.get("restored_from")] == [game]
        assert await lives.planned_news(db) == (NOW, [game])


async def test_a_game_that_ends_before_it_is_told_is_left_out(copied: Copied) -> None:
    """Its result is posted anyway."""
    app = await copied.go_back()
    await app.games.resign(1, ANN.user)
    await app.restore_news.tell_players()
    async with copied.store.reading() as db:
        payloads = [*await db.scalars(select(tables.outbox.c.payload))]
    assert not [payload for payload in payloads if payload.get("restored_from")]


async def test_games_that_get_a_board_get_no_downtime_notice(copied: Copied) -> None:
    """The board comes after the credit, and shows the new deadline."""
    game = (await begin_game(copied.app, THREE_DAYS)).game
    assert game.clock
    copied.backup.unlink()
    await copied.back_up()
    copied.host.passes(2 * 86400)
    app = await copied.go_back()
    await app.flag_watch.check_flags()
    await app.restore_news.tell_players()
    async with copied.store.reading() as db:
        rows = (await db.execute(select(tables.outbox))).all()
    assert [row for row in rows if row.kind == DOWNTIME_NOTICE] == []
    (told,) = [row.payload for row in rows if row.game == game.id]
    assert told["restored_from"]
    assert told["deadline"] - (game.clock.deadline or 0) >= 2 * 86400


async def test_a_server_that_was_joined_in_the_lost_time_is_not_welcomed_again(copied: Copied) -> None:
    app = await copied.go_back()
    assert await app.arrivals.note_arrival(1, NOW + 30, [2]) == ()
    assert await app.arrivals.note_arrival(3, NOW + 61, [4])


async def test_posted_requests_of_the_backup_are_renewed(copied: Copied) -> None:
    """Those that are still owed are posted anyway, and those that have expired stay as they are."""
    posted = {"expired": NOW + 60 - REQUEST_LIFETIME - 61, "open": NOW + 60 - REQUEST_LIFETIME, "owed": None}
    made = {}
    for message, (name, moment) in enumerate(posted.items(), 77):
        challenge, _ = await copied.app.lobby.challenge(ANN, BOB, STANDARD, Side.WHITE, HOME)
        made[name] = (challenge.challenge.id, message)
        if moment:
            async with copied.store.transaction() as db:
                row = await db.scalar(select(tables.outbox.c.id).order_by(tables.outbox.c.id.desc()))
                assert row
                await outbox.mark_posted(db, row, message, moment)
    await copied.back_up()
    app = await copied.go_back()
    ((owed, message),) = await app.restore_news.requests_to_renew(9)
    assert (owed.payload["challenge"], message) == made["open"]
