"""A database that was restored from a backup is noticed at the start, and no id is given out twice."""

import json
import logging
import shutil
import sqlite3
import stat
from collections.abc import AsyncIterator
from contextlib import closing
from dataclasses import replace

import pytest
from sqlalchemy import select, update

from gipfbot.match import Side
from gipfbot.rules import STANDARD
from gipfbot.service.app import App, create_app
from gipfbot.service.clock import downtime
from gipfbot.service.clock.downtime_notice import DOWNTIME_NOTICE
from gipfbot.service.delivery.board_message import BOARD
from gipfbot.store import Store, lives, outbox, tables
from gipfbot.store.copy_note import CopyNote, mark_copy
from gipfbot.store.file_lock import LIFE, file_beside
from gipfbot.store.life_file import read_life_file, write_life_file
from gipfbot.values import NO_LIMITS, is_former_player
from tests.service.helpers import Host, basic_game_after, begin_game
from tests.support.people import ANN, BOB, HOME
from tests.support.terms import THREE_DAYS
from tests.support.times import NOW


class Copied:
    """A bot with a backup of its database. `go_back` starts another bot on the backup."""

    def __init__(self, store: Store, host: Host) -> None:
        self.store, self.host = store, host
        self.file, self.backup = store.path, store.path.with_name("backup.sqlite3")
        self.app = self._app(store)

    def _app(self, store: Store) -> App:
        life_file = file_beside(self.file, LIFE)
        return create_app(store, lambda: self.host.now, lambda: True, limits=NO_LIMITS, life_file=life_file)

    async def begin(self) -> None:
        """Start the bot."""
        async with self.store.transaction() as db:
            await downtime.note_alive(db, self.host.now)
        await self.app.lives.begin()

    def back_up(self) -> None:
        """Make the backup, as SQLite copies a database."""
        with closing(sqlite3.connect(self.file)) as running, closing(sqlite3.connect(self.backup)) as backup:
            running.backup(backup)

    async def go_back(self, *, is_clean: bool = True) -> App:
        """End the bot, put the backup in the place of its database, and start it again."""
        if is_clean:
            await self.app.lives.end()
        await self.store.close()
        for ending in ("", "-wal", "-shm"):
            self.file.with_name(self.file.name + ending).unlink(missing_ok=True)
        shutil.copy(self.backup, self.file)
        return await self.restart()

    async def restart(self) -> App:
        """Start another bot on the database as it is."""
        await self.store.close()
        self.store = await Store.open_database(f"sqlite+aiosqlite:///{self.file}")
        self.app = self._app(self.store)
        await self.app.lives.begin()
        return self.app

    async def last_ids(self) -> dict[str, int]:
        """Return the last id of each table."""
        async with self.store.reading() as db:
            return await lives.last_ids(db)


@pytest.fixture
async def copied(store: Store, host: Host) -> AsyncIterator[Copied]:
    """Return a bot with one game in its backup. It has been alive for a minute since."""
    copied = Copied(store, host)
    await copied.begin()
    await begin_game(copied.app)
    copied.back_up()
    host.passes(60)
    yield copied
    await copied.store.close()


async def begin_several(app: App, number: int) -> list[int]:
    return [(await begin_game(app)).game.id for _ in range(number)]


async def test_a_first_start_and_a_restart_are_no_restore(copied: Copied) -> None:
    """Nothing jumps, and private messages carry no tag."""
    await begin_several(copied.app, 2)
    for _ in range(2):
        app = await copied.restart()
        assert (app.lives.tag, app.lives.lost_times) == ("", [])
    assert await begin_several(copied.app, 1) == [4]


@pytest.mark.parametrize("is_clean", [True, False])
async def test_ids_go_on_behind_those_of_the_lost_time(copied: Copied, is_clean: bool) -> None:
    """After a clean end the life file is exact. After a kill, ids may have been given out that it does not know."""
    await begin_several(copied.app, 3)
    await copied.app.lives.write()
    before = await copied.last_ids()
    app = await copied.go_back(is_clean=is_clean)
    after = await copied.last_ids()
    assert {table: after[table] for table in before} == {
        table: last + (0 if is_clean else 1000) for table, last in before.items()
    }
    assert await begin_several(app, 1) == [before["games"] + (1 if is_clean else 1001)]
    assert app.lives.lost_times == [(NOW, NOW + 60)]


async def test_ids_jump_where_the_life_file_is_gone(copied: Copied) -> None:
    """Each table jumps, even one that has given out no id yet."""
    before = await copied.last_ids()
    file_beside(copied.file, LIFE).unlink()
    await copied.store.close()
    app = await copied.restart()
    after = await copied.last_ids()
    assert after == {table: before.get(table, 0) + 10_000 for table in lives.numbered_tables()}
    assert await begin_several(app, 1) == [10_002]


async def test_a_restore_is_settled_once(copied: Copied) -> None:
    """The next starts change nothing."""
    await begin_several(copied.app, 1)
    first = await copied.go_back()
    tag, lost, ids = first.lives.tag, first.lives.lost_times, await copied.last_ids()
    assert len(tag) == 4
    again = await copied.restart()
    assert (again.lives.tag, again.lives.lost_times, await copied.last_ids()) == (tag, lost, ids)


@pytest.mark.parametrize("is_gone", [True, False])
async def test_a_kill_before_the_life_file_is_written_settles_it_once(
    copied: Copied, is_gone: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The transaction is committed, and the old life file is still there, or still none."""
    await begin_several(copied.app, 1)
    await copied.app.lives.write()
    if is_gone:
        file_beside(copied.file, LIFE).unlink()

    def fail(*_: object) -> None:
        raise OSError("killed")

    with monkeypatch.context() as patch:
        patch.setattr("gipfbot.service.restoring.lives.write_life_file", fail)
        with pytest.raises(OSError, match="killed"):
            await copied.go_back(is_clean=False)
        ids = await copied.last_ids()
    app = await copied.restart()
    assert await copied.last_ids() == ids
    assert len(app.lives.lost_times) == 1


async def test_each_restore_begins_another_life(copied: Copied) -> None:
    """The same backup is restored twice. No tag is the same, and ids go on behind both lost times."""
    await begin_several(copied.app, 1)
    first = (await copied.go_back()).lives.tag
    (second_game,) = await begin_several(copied.app, 1)
    app = await copied.go_back()
    assert app.lives.tag not in ("", first)
    assert await begin_several(app, 1) == [second_game + 1]


async def test_a_marked_copy_is_a_restore_even_if_nothing_was_lost(copied: Copied) -> None:
    """Its own moment is the last that it knows."""
    mark_copy(copied.backup, CopyNote(NOW + 7))
    app = await copied.go_back()
    assert app.lives.lost_times == [(NOW, NOW + 60)]
    assert (await copied.restart()).lives.lost_times == app.lives.lost_times


async def test_the_ids_of_a_replaced_file_that_was_read_are_exact(copied: Copied) -> None:
    """`restore` notes them in the copy."""
    ids = await copied.last_ids()
    mark_copy(copied.backup, CopyNote(NOW, {**ids, "games": 41}))
    file_beside(copied.file, LIFE).unlink()
    app = await copied.go_back(is_clean=False)
    assert await begin_several(app, 1) == [42]


async def test_a_backup_from_before_the_first_life_is_a_restore(copied: Copied) -> None:
    async with copied.store.transaction() as db:
        await db.execute(tables.meta.delete().where(tables.meta.c.key == lives.LIFE_KEY))
    copied.back_up()
    await copied.restart()
    assert copied.app.lives.tag


async def test_messages_owed_by_a_backup_are_searched_for(copied: Copied) -> None:
    """They may have been posted in the lost time, even if they were never tried before the backup."""
    async with copied.store.transaction() as db:
        await db.execute(update(tables.outbox).values(first_tried_at=None))
    copied.back_up()
    await copied.go_back()
    async with copied.store.reading() as db:
        owed = select(tables.outbox.c.first_tried_at, tables.outbox.c.created_at).where(
            tables.outbox.c.done_at.is_(None)
        )
        rows = (await db.execute(owed)).all()
    assert rows
    assert all(row.first_tried_at == row.created_at for row in rows)


async def test_people_who_were_deleted_since_are_deleted_again(copied: Copied) -> None:
    """Without asking, and before anything else runs. Others stay."""
    await copied.app.deletions.begin(ANN.user)
    await copied.app.deletions.finish(ANN.user)
    app = await copied.go_back()
    await app.deletions.resume_all()
    async with copied.store.reading() as db:
        players = [*await db.scalars(select(tables.seats.c.user).order_by(tables.seats.c.colour))]
    assert is_former_player(players[0])
    assert players[1] == BOB.user
    assert not await app.deletions.stored_about(ANN.user)


async def test_a_deletion_before_the_backup_is_not_repeated(copied: Copied) -> None:
    """What the person did afterwards is in the backup, and stays."""
    await copied.app.deletions.begin(ANN.user)
    await copied.app.deletions.finish(ANN.user)
    await begin_game(copied.app)
    copied.back_up()
    copied.host.passes(60)
    app = await copied.go_back()
    assert len(await app.games.running_games(ANN.user)) == 1


async def test_a_deletion_is_remembered_for_ninety_days(copied: Copied) -> None:
    """And it is remembered as a hash alone."""
    await copied.app.deletions.begin(ANN.user)
    copied.host.passes(89 * 86400)
    await copied.app.deletions.begin(BOB.user)
    await copied.app.lives.write()
    written = file_beside(copied.file, LIFE).read_text()
    assert len(json.loads(written)["deleted"]) == 2
    assert str(ANN.user) not in written
    copied.host.passes(2 * 86400)
    await copied.app.deletions.finish(BOB.user)
    await begin_game(copied.app)
    await copied.app.deletions.begin(BOB.user)
    await copied.app.lives.write()
    assert len(json.loads(file_beside(copied.file, LIFE).read_text())["deleted"]) == 1


async def test_the_life_file_is_written_when_ids_were_given_out(copied: Copied) -> None:
    """But not within 10 seconds, and in quiet times every 5 minutes. Only its owner can read it."""
    path = file_beside(copied.file, LIFE)
    await begin_several(copied.app, 1)
    await copied.app.lives.beat()
    known = read_life_file(path)
    assert known
    assert known.sequences == await copied.last_ids()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    await begin_several(copied.app, 1)
    copied.host.passes(9)
    await copied.app.lives.beat()
    assert read_life_file(path) == known
    copied.host.passes(1)
    await copied.app.lives.beat()
    newer = read_life_file(path)
    assert newer
    assert newer.sequences["games"] == 3
    copied.host.passes(299)
    await copied.app.lives.beat()
    assert read_life_file(path) == newer
    copied.host.passes(1)
    await copied.app.lives.beat()
    assert read_life_file(path) == replace(newer, beats=newer.beats + 1, alive_at=copied.host.now)


async def test_a_damaged_life_file_counts_as_gone(copied: Copied, caplog: pytest.LogCaptureFixture) -> None:
    file_beside(copied.file, LIFE).write_text('{"life": 3}')
    with caplog.at_level(logging.WARNING):
        await copied.restart()
    assert (await copied.last_ids())["games"] == 10_001
    assert "gipf.sqlite3.life cannot be read" in caplog.text


async def test_a_fault_while_writing_leaves_the_older_life_file(
    copied: Copied, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = file_beside(copied.file, LIFE)
    known = read_life_file(path)
    assert known
    monkeypatch.setattr("gipfbot.store.life_file.json.dump", lambda _, file: file.write('{"li') and 1 / 0)
    with pytest.raises(ZeroDivisionError):
        write_life_file(path, replace(known, beats=99))
    assert read_life_file(path) == known


async def test_each_game_that_went_back_is_told_once(copied: Copied) -> None:
    """The board says from when the backup is. It takes the place of a board that is still owed."""
    game = await basic_game_after(copied.app, 2)
    copied.back_up()
    app = await copied.go_back()
    for _ in range(2):
        await app.restore_news.tell_players()
    async with copied.store.reading() as db:
        boards = [
            row.payload["restored_from"]
            for row in await db.execute(select(tables.outbox).where(tables.outbox.c.done_at.is_(None)))
            if row.kind == BOARD
        ]
        owed = [len(await outbox.owed_ids(db, each, BOARD)) for each in (1, game)]
    assert (boards, owed) == ([NOW] * 2, [1, 1])


async def test_only_the_games_that_restore_has_found_are_told(copied: Copied) -> None:
    """A game that has ended in the backup is not."""
    ended, game = await begin_several(copied.app, 2)
    await copied.app.games.resign(ended, ANN.user)
    copied.back_up()
    mark_copy(copied.backup, CopyNote(NOW, went_back=[ended, game]))
    app = await copied.go_back()
    await app.restore_news.tell_players()
    async with copied.store.reading() as db:
        rows = await db.execute(select(tables.outbox.c.game, tables.outbox.c.payload))
        assert [row.game for row in rows if row.payload.get("restored_from")] == [game]


async def test_an_open_challenge_of_the_lost_time_has_a_number_of_its_own(copied: Copied) -> None:
    lost, _ = await copied.app.lobby.challenge(ANN, BOB, STANDARD, Side.WHITE, HOME)
    app = await copied.go_back()
    new, _ = await app.lobby.challenge(ANN, BOB, STANDARD, Side.WHITE, HOME)
    assert new.challenge.id > lost.challenge.id


async def test_a_database_that_is_replaced_while_the_bot_runs_is_noticed(copied: Copied) -> None:
    """Another file has its name, or older contents. The life file then stays as it was."""
    await begin_several(copied.app, 1)
    await copied.app.lives.beat()
    assert not copied.app.lives.replaced.is_set()
    known = file_beside(copied.file, LIFE).read_bytes()
    copied.backup.replace(copied.file)
    copied.host.passes(10)
    await copied.app.lives.beat()
    assert copied.app.lives.replaced.is_set()
    await copied.app.lives.end()
    assert file_beside(copied.file, LIFE).read_bytes() == known


async def test_older_contents_of_the_same_file_are_noticed(copied: Copied) -> None:
    async with copied.store.transaction() as db:
        life = await lives.load_life(db)
        assert life
        await lives.save_life(db, replace(life, beats=life.beats - 1))
    await copied.app.lives.beat()
    assert copied.app.lives.replaced.is_set()


async def test_a_life_file_that_could_not_be_written_is_no_replacement(
    copied: Copied, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The next beat writes it."""

    def fail(*_: object) -> None:
        raise OSError("full")

    with monkeypatch.context() as patch:
        patch.setattr("gipfbot.service.restoring.lives.write_life_file", fail)
        with pytest.raises(OSError, match="full"):
            await copied.app.lives.write()
    await begin_several(copied.app, 1)
    await copied.app.lives.beat()
    assert not copied.app.lives.replaced.is_set()
    written = read_life_file(file_beside(copied.file, LIFE))
    assert written
    assert written.sequences["games"] == 2


async def test_games_that_get_a_board_get_no_downtime_notice(copied: Copied) -> None:
    """The board comes after the credit, and shows the new deadline."""
    game = (await begin_game(copied.app, THREE_DAYS)).game
    assert game.clock
    copied.backup.unlink()
    copied.back_up()
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
    """Those that are still owed are posted anyway."""
    for name in ("posted", "owed"):
        challenge, _ = await copied.app.lobby.challenge(ANN, BOB, STANDARD, Side.WHITE, HOME)
        if name == "posted":
            async with copied.store.transaction() as db:
                row = await db.scalar(select(tables.outbox.c.id).order_by(tables.outbox.c.id.desc()))
                assert row
                await outbox.mark_posted(db, row, 77, copied.host.now)
    copied.backup.unlink()
    copied.back_up()
    app = await copied.go_back()
    ((owed, message),) = await app.restore_news.requests_to_renew(9)
    assert (owed.payload, message) == ({"challenge": challenge.challenge.id - 1}, 77)
