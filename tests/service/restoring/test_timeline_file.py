"""The timeline file beside the database: when it is written, and what it says if it is damaged or of another."""

import stat
from dataclasses import replace

import pytest

from gipfbot.store import timelines
from gipfbot.store.database_file import TIMELINE, file_beside
from gipfbot.store.timeline_file import read_timeline_file, write_timeline_file
from gipfbot.values import Unusable

from .copied import Copied, begin_several


async def test_the_timeline_file_is_written_when_ids_were_given_out(copied: Copied) -> None:
    """But not within 10 seconds, and in quiet times every 5 minutes. Only its owner can read it."""
    path = file_beside(copied.file, TIMELINE)
    await begin_several(copied.app, 1)
    await copied.app.timelines.heartbeat()
    known = read_timeline_file(path)
    assert known
    assert known.sequences == await copied.last_ids()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    await begin_several(copied.app, 1)
    copied.host.passes(9)
    await copied.app.timelines.heartbeat()
    assert read_timeline_file(path) == known
    copied.host.passes(1)
    await copied.app.timelines.heartbeat()
    newer = read_timeline_file(path)
    assert newer
    assert newer.sequences["games"] == 3
    copied.host.passes(299)
    await copied.app.timelines.heartbeat()
    assert read_timeline_file(path) == newer
    copied.host.passes(1)
    await copied.app.timelines.heartbeat()
    assert read_timeline_file(path) == replace(newer, heartbeats=newer.heartbeats + 1, alive_at=copied.host.now)


@pytest.mark.parametrize(
    "garbled",
    [
        b'{"timeline": 3}',
        b'{"timeline": "a", "heartbeats": "many", "alive_at": 1, "is_final": true, "sequences": {}, "deleted": []}',
        b'{"timeline": "a", "heartbeats": 1, "alive_at": 1, "is_final": true, "sequences": {"x": null}, "deleted": []}',
        b'{"timeline": "a", "heartbeats": 1, "alive_at": 1, "is_final": true, "sequences": {}, "deleted": [["a"]]}',
        b'{"timeline": "a", "heartbeats": 1, "alive_at": 1, "is_final": true, "sequences": ["x"], "deleted": []}',
        b'{"timeline": "a", "heartbeats": Infinity, "alive_at": 1, "is_final": true, "sequences": {}, "deleted": []}',
        b"[" * 100_000,
        b"[]",
        b"\xff\xfe{",
        b'{"timeline": "a", "heart',
        b"",
    ],
)
async def test_a_garbled_timeline_file_ends_the_start(copied: Copied, garbled: bytes) -> None:
    """Nobody knows whether the database was restored, so nobody is told that it was."""
    path = file_beside(copied.file, TIMELINE)
    known = path.read_bytes()
    path.write_bytes(garbled)
    with pytest.raises(Unusable) as refused:
        await copied.restart()
    assert str(refused.value) == (
        f"{path} is {'damaged' if garbled else 'empty'}: put a copy of it back; without it, the bot takes the database "
        "for a restored one, and tells the players."
    )
    assert path.read_bytes() == garbled
    path.write_bytes(known)
    assert not (await copied.restart()).timelines.tag


async def test_a_timeline_file_that_cannot_be_read_ends_the_start(copied: Copied) -> None:
    """A folder stands for a fault of the disk: it cannot be read by root, either."""
    path = file_beside(copied.file, TIMELINE)
    path.rename(path.with_name("kept"))
    path.mkdir()
    with pytest.raises(Unusable, match=r"timeline cannot be read \(Is a directory\): put a copy of it back; without"):
        await copied.restart()
    path.rmdir()
    path.with_name("kept").rename(path)
    assert not (await copied.restart()).timelines.tag


async def test_a_timeline_file_that_cannot_be_written_ends_the_start(copied: Copied) -> None:
    path = file_beside(copied.file, TIMELINE)
    (unfinished := path.with_name(f"{path.name}.new")).mkdir()
    with pytest.raises(Unusable, match=r"timeline cannot be written \(Is a directory\): let the user who runs the bot"):
        await copied.restart()
    unfinished.rmdir()
    assert not (await copied.restart()).timelines.tag


async def test_the_timeline_file_of_another_database_is_a_restore(copied: Copied) -> None:
    """The database came from elsewhere. Ids go on behind those that the file knows, and the file becomes its own."""
    path = file_beside(copied.file, TIMELINE)
    known = read_timeline_file(path)
    assert known
    write_timeline_file(
        path, replace(known, timeline="another", heartbeats=1, sequences={**known.sequences, "games": 500})
    )
    app = await copied.restart()
    assert app.timelines.tag
    assert await begin_several(app, 1) == [501 + 1000]
    written = read_timeline_file(path)
    assert written
    assert written.timeline.startswith(app.timelines.tag)
    assert (await copied.restart()).timelines.lost_times == app.timelines.lost_times


async def test_a_timeline_file_that_knows_higher_ids_shows_a_restore(copied: Copied) -> None:
    """Even if it was not written more often than the database says."""
    path = file_beside(copied.file, TIMELINE)
    known = read_timeline_file(path)
    assert known
    write_timeline_file(path, replace(known, sequences={**known.sequences, "games": 500}))
    assert (await copied.restart()).timelines.tag


async def test_what_a_killed_write_has_left_is_overwritten(copied: Copied) -> None:
    """Even if it is longer, and others can read it."""
    path = file_beside(copied.file, TIMELINE)
    left = path.with_name(f"{path.name}.new")
    left.write_text("x" * 9999)
    left.chmod(0o644)
    await copied.app.timelines.write()
    assert read_timeline_file(path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert not left.exists()


async def test_a_fault_while_writing_leaves_the_older_timeline_file(
    copied: Copied, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = file_beside(copied.file, TIMELINE)
    known = read_timeline_file(path)
    assert known
    monkeypatch.setattr("gipfbot.store.timeline_file.json.dump", lambda _, file: file.write('{"li') and 1 / 0)
    with pytest.raises(ZeroDivisionError):
        write_timeline_file(path, replace(known, heartbeats=99))
    assert read_timeline_file(path) == known


async def test_a_timeline_file_that_could_not_be_written_is_no_replacement(
    copied: Copied, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The next heartbeat writes it."""

    def fail(*_: object) -> None:
        raise OSError("full")

    with monkeypatch.context() as patch:
        patch.setattr("gipfbot.service.restoring.timelines.write_timeline_file", fail)
        with pytest.raises(OSError, match="full"):
            await copied.app.timelines.write()
    await begin_several(copied.app, 1)
    await copied.app.timelines.heartbeat()
    assert not copied.app.timelines.replaced.is_set()
    written = read_timeline_file(file_beside(copied.file, TIMELINE))
    assert written
    assert written.sequences["games"] == 2


async def test_the_timeline_file_is_written_after_a_clock_rollback(copied: Copied) -> None:
    path = file_beside(copied.file, TIMELINE)
    await copied.app.timelines.heartbeat()
    await begin_several(copied.app, 1)
    copied.host.passes(-3600)
    await copied.app.timelines.heartbeat()
    written = read_timeline_file(path)
    assert written
    assert written.sequences["games"] == 2


async def test_the_timeline_file_is_written_when_somebody_was_deleted(copied: Copied) -> None:
    """Even if no id was given out for it."""
    asked = ("aa", "bb", copied.host.now)
    await copied.app.timelines.heartbeat()
    async with copied.store.transaction() as db:
        await timelines.save_deletions(db, {asked}, copied.host.now)
    copied.host.passes(10)
    await copied.app.timelines.heartbeat()
    written = read_timeline_file(file_beside(copied.file, TIMELINE))
    assert written
    assert written.deleted == [asked]
