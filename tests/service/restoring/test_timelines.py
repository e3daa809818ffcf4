"""A database that was restored from a backup is noticed at the start, and no id is given out twice."""

import errno
import json
from dataclasses import replace

import pytest
from sqlalchemy import insert, select, update

from gipfbot.match import REQUEST_LIFETIME, Side
from gipfbot.rules import STANDARD
from gipfbot.service.clock import downtime
from gipfbot.service.clock.downtime import DOWNTIME_NOTICE
from gipfbot.service.delivery.board_message import BOARD
from gipfbot.service.kit.loaded_games import readable_game
from gipfbot.store import Connection, outbox, puzzles, servers, study_tables, tables, timelines
from gipfbot.store.database_file import TIMELINE, file_beside
from gipfbot.store.timeline_file import CopyNote, mark_copy, read_timeline_file, write_timeline_file
from gipfbot.values import DueRow, StoredGame, Unusable, is_former_player
from tests.service.helpers import basic_game_after, begin_game
from tests.support.people import ANN, BOB, CARA, CLUB, HOME
from tests.support.terms import THREE_DAYS
from tests.support.times import NOW

from .copied import Copied, begin_several


async def test_a_first_start_and_a_restart_are_no_restore(copied: Copied) -> None:
    """Nothing jumps, and private messages carry no tag."""
    await begin_several(copied.app, 2)
    for _ in range(2):
        app = await copied.restart()
        assert (app.timelines.tag, app.timelines.lost_times) == ("", [])
    assert await begin_several(copied.app, 1) == [4]


@pytest.mark.parametrize("is_clean", [True, False])
async def test_ids_go_on_behind_those_of_the_lost_time(copied: Copied, is_clean: bool) -> None:
    """After a clean end the timeline file is exact. After a kill, ids may have been given out that it does not know."""
    await begin_several(copied.app, 3)
    await copied.app.timelines.write()
    before = await copied.last_ids()
    app = await copied.go_back(is_clean=is_clean)
    after = await copied.last_ids()
    assert {table: after[table] for table in before} == {
        table: last + (0 if is_clean else 1000) for table, last in before.items()
    }
    assert await begin_several(app, 1) == [before["games"] + (1 if is_clean else 1001)]
    assert app.timelines.lost_times == [(NOW, NOW + 60)]


async def test_ids_jump_where_the_timeline_file_is_gone(copied: Copied) -> None:
    """Each table jumps, even one that has given out no id yet."""
    before = await copied.last_ids()
    file_beside(copied.file, TIMELINE).unlink()
    await copied.store.close()
    app = await copied.restart()
    after = await copied.last_ids()
    assert after == {table: before.get(table, 0) + 10_000 for table in timelines.numbered_tables()}
    assert await begin_several(app, 1) == [10_002]


async def test_the_second_of_the_restore_is_lost_as_a_whole(copied: Copied) -> None:
    """A bot that starts within a second of being killed has posted messages in that second."""
    app = await copied.go_back()
    ((since, until),) = app.timelines.lost_times
    assert [app.timelines.is_lost(moment) for moment in (since - 0.1, since, until + 0.9, until + 1)] == [
        False,
        True,
        True,
        False,
    ]


async def test_a_restore_is_settled_once(copied: Copied) -> None:
    """The next starts change nothing."""
    await begin_several(copied.app, 1)
    first = await copied.go_back()
    tag, lost, ids = first.timelines.tag, first.timelines.lost_times, await copied.last_ids()
    assert len(tag) == 4
    again = await copied.restart()
    assert (again.timelines.tag, again.timelines.lost_times, await copied.last_ids()) == (tag, lost, ids)


@pytest.mark.parametrize("is_gone", [True, False])
async def test_a_kill_before_the_timeline_file_is_written_settles_it_once(
    copied: Copied, is_gone: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The transaction is committed, and the old timeline file is still there, or still none."""
    await begin_several(copied.app, 1)
    await copied.app.timelines.write()
    if is_gone:
        file_beside(copied.file, TIMELINE).unlink()

    def fail(*_: object) -> None:
        raise OSError(errno.EIO, "killed")

    with monkeypatch.context() as patch:
        patch.setattr("gipfbot.service.restoring.timelines.write_timeline_file", fail)
        with pytest.raises(Unusable, match="killed"):
            await copied.go_back(is_clean=False)
        ids = await copied.last_ids()
    app = await copied.restart()
    assert await copied.last_ids() == ids
    assert len(app.timelines.lost_times) == 1


async def test_a_bot_that_was_never_connected_has_lost_no_earlier_time(copied: Copied) -> None:
    """It has noted no sign of life. Its life file says when it was there."""
    async with copied.store.transaction() as db:
        await db.execute(tables.meta.delete().where(tables.meta.c.key == downtime.LAST_ALIVE_KEY))
    await copied.back_up()
    app = await copied.go_back()
    assert app.timelines.lost_times == [(NOW, NOW + 60)]


async def test_no_tag_comes_twice(copied: Copied, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not even if chance would have it so."""
    file = read_timeline_file(file_beside(copied.file, TIMELINE))
    assert file
    drawn = iter([f"{file.timeline[:4]}000000000000", "feed000000000000"])
    monkeypatch.setattr("gipfbot.store.timelines.secrets.token_hex", lambda _: next(drawn))
    assert (await copied.go_back()).timelines.tag == "feed"


async def test_each_restore_begins_another_timeline(copied: Copied) -> None:
    """The same backup is restored twice. No tag is the same, and ids go on behind both lost times."""
    await begin_several(copied.app, 1)
    first = (await copied.go_back()).timelines.tag
    (second_game,) = await begin_several(copied.app, 1)
    app = await copied.go_back()
    assert app.timelines.tag not in ("", first)
    assert await begin_several(app, 1) == [second_game + 1]


@pytest.mark.parametrize("is_clean", [True, False])
@pytest.mark.sqlite
async def test_a_marked_copy_is_a_restore_even_if_nothing_was_lost(copied: Copied, is_clean: bool) -> None:
    """Its own moment is the last that it knows. After a kill, the timeline file is as old as the copy."""
    mark_copy(copied.backup, CopyNote(NOW + 7))
    app = await copied.go_back(is_clean=is_clean)
    assert app.timelines.lost_times == [(NOW, NOW + 60)]
    assert (await copied.restart()).timelines.lost_times == app.timelines.lost_times


@pytest.mark.sqlite
async def test_the_ids_of_a_replaced_file_that_was_read_are_exact(copied: Copied) -> None:
    """`restore` notes them in the copy."""
    ids = await copied.last_ids()
    mark_copy(copied.backup, CopyNote(NOW, {**ids, "games": 41}))
    file_beside(copied.file, TIMELINE).unlink()
    app = await copied.go_back(is_clean=False)
    assert await begin_several(app, 1) == [42]


@pytest.mark.parametrize("last", [30, 50])
@pytest.mark.sqlite
async def test_the_highest_id_that_is_known_counts(copied: Copied, last: int) -> None:
    """The timeline file and what `restore` has read may be of different times."""
    ids = await copied.last_ids()
    mark_copy(copied.backup, CopyNote(NOW, {**ids, "games": last}))
    await copied.app.timelines.end()
    path = file_beside(copied.file, TIMELINE)
    known = read_timeline_file(path)
    assert known
    write_timeline_file(path, replace(known, sequences={**ids, "games": 41}))
    app = await copied.go_back(is_clean=False)
    assert await begin_several(app, 1) == [max(41, last) + 1]


@pytest.mark.sqlite
async def test_a_backup_alone_does_not_make_ids_exact(copied: Copied) -> None:
    """`backup` notes in the copy when it was made, and nothing of what came after it."""
    mark_copy(copied.backup, CopyNote(NOW))
    await begin_several(copied.app, 1)
    await copied.app.timelines.write()
    app = await copied.go_back(is_clean=False)
    assert await begin_several(app, 1) == [2 + 1001]


async def test_a_backup_from_before_the_first_timeline_is_a_restore(copied: Copied) -> None:
    async with copied.store.transaction() as db:
        await db.execute(tables.meta.delete().where(tables.meta.c.key == timelines.TIMELINE_KEY))
    await copied.back_up()
    await copied.restart()
    assert copied.app.timelines.tag


async def test_messages_owed_by_a_backup_are_searched_for(copied: Copied) -> None:
    """They may have been posted in the lost time, even if they were never tried before the backup."""
    async with copied.store.transaction() as db:
        await db.execute(update(tables.outbox).values(first_tried_at=None))
    await copied.back_up()
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


async def test_person_without_a_game_is_deleted_again(copied: Copied) -> None:
    """Here they have only opened a puzzle."""
    async with copied.store.transaction() as db:
        made = {"key": 1, "position": "", "own_turns": 1, "line": "", "made_at": NOW}
        await db.execute(insert(study_tables.puzzles).values(made))
        await puzzles.add_try(db, 1, CARA.user, None)
    await copied.back_up()
    copied.host.passes(60)
    await copied.app.deletions.begin(CARA.user)
    app = await copied.go_back()
    await app.deletions.resume_all()
    assert not await app.deletions.stored_about(CARA.user)


async def test_a_deletion_before_the_backup_is_not_repeated(copied: Copied) -> None:
    """What the person did afterwards is in the backup, and stays."""
    await copied.app.deletions.begin(ANN.user)
    await copied.app.deletions.finish(ANN.user)
    await begin_game(copied.app)
    await copied.back_up()
    copied.host.passes(60)
    app = await copied.go_back()
    assert len(await app.games.running_games(ANN.user)) == 1


async def test_a_deletion_that_need_not_be_repeated_is_remembered(copied: Copied) -> None:
    """The backup holds nothing of the person, but the next one that is restored may."""
    path, asked = file_beside(copied.file, TIMELINE), ("aa", "bb", NOW)
    known = read_timeline_file(path)
    assert known
    await copied.app.timelines.end()
    write_timeline_file(path, replace(known, heartbeats=9, deleted=[asked]))
    await copied.go_back(is_clean=False)
    written = read_timeline_file(path)
    assert written
    assert written.deleted == [asked]


async def test_a_deletion_is_remembered_for_ninety_days(copied: Copied) -> None:
    """And it is remembered as a hash alone."""
    await copied.app.deletions.begin(ANN.user)
    copied.host.passes(89 * 86400)
    await copied.app.deletions.begin(BOB.user)
    await copied.app.timelines.write()
    written = file_beside(copied.file, TIMELINE).read_text()
    assert len(json.loads(written)["deleted"]) == 2
    assert str(ANN.user) not in written
    copied.host.passes(2 * 86400)
    await copied.app.deletions.finish(BOB.user)
    await begin_game(copied.app)
    await copied.app.deletions.begin(BOB.user)
    await copied.app.timelines.write()
    assert len(json.loads(file_beside(copied.file, TIMELINE).read_text())["deleted"]) == 1


async def test_an_open_challenge_of_the_lost_time_has_a_number_of_its_own(copied: Copied) -> None:
    lost, _ = await copied.app.lobby.challenge(ANN, BOB, STANDARD, Side.WHITE, HOME)
    app = await copied.go_back()
    new, _ = await app.lobby.challenge(ANN, BOB, STANDARD, Side.WHITE, HOME)
    assert new.challenge.id > lost.challenge.id


@pytest.mark.sqlite
async def test_a_database_that_is_replaced_while_the_bot_runs_is_noticed(copied: Copied) -> None:
    """Another file has its name, or older contents. The timeline file then stays as it was."""
    await begin_several(copied.app, 1)
    await copied.app.timelines.heartbeat()
    assert not copied.app.timelines.replaced.is_set()
    known = file_beside(copied.file, TIMELINE).read_bytes()
    copied.backup.replace(copied.file)
    copied.host.passes(300)
    await copied.app.timelines.heartbeat()
    assert copied.app.timelines.replaced.is_set()
    await copied.app.timelines.end()
    assert file_beside(copied.file, TIMELINE).read_bytes() == known


async def test_older_contents_of_the_same_file_are_noticed(copied: Copied) -> None:
    async with copied.store.transaction() as db:
        timeline = await timelines.load_timeline(db)
        assert timeline
        await timelines.save_timeline(db, replace(timeline, heartbeats=timeline.heartbeats - 1))
    await copied.app.timelines.heartbeat()
    assert copied.app.timelines.replaced.is_set()


@pytest.mark.sqlite
async def test_a_database_that_is_gone_while_the_bot_runs_is_noticed(copied: Copied) -> None:
    copied.file.unlink()
    await copied.app.timelines.heartbeat()
    assert copied.app.timelines.replaced.is_set()


async def test_contents_of_another_timeline_are_noticed(copied: Copied) -> None:
    """Even if they were written more often."""
    async with copied.store.transaction() as db:
        timeline = await timelines.load_timeline(db)
        assert timeline
        await timelines.save_timeline(db, replace(timeline, token="another", heartbeats=timeline.heartbeats + 5))
    await copied.app.timelines.heartbeat()
    assert copied.app.timelines.replaced.is_set()


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


@pytest.mark.parametrize("known_by", ["note", "timeline", "heartbeat"])
@pytest.mark.sqlite
async def test_the_time_of_the_backup_is_the_last_that_it_knows(copied: Copied, known_by: str) -> None:
    """By its own note, by its timeline, or by the last sign of a connected bot."""
    if known_by == "timeline":
        await copied.app.timelines.write()
    elif known_by == "heartbeat":
        async with copied.store.transaction() as db:
            await downtime.note_alive(db, copied.host.now)
    await copied.back_up()
    if known_by == "note":
        mark_copy(copied.backup, CopyNote(NOW + 60))
    copied.host.passes(60)
    await copied.go_back()
    async with copied.store.reading() as db:
        assert await timelines.planned_news(db) == (NOW + 60, [1])


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
    monkeypatch.setattr("gipfbot.service.restoring.timelines.BATCH_SIZE", 2)
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
    monkeypatch.setattr("gipfbot.service.restoring.timelines.readable_game", load_noted)
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
        assert await timelines.planned_news(db) == (NOW, [game])


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
