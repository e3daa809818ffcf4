"""After a restore, the bot replays all games, and keeps what differs until the owner is told."""

import sqlite3
from contextlib import closing

import pytest

from gipfbot.service.checking.processes import PartProcess
from gipfbot.service.restoring import restored_check
from gipfbot.service.restoring.restored_check import RestoredCheck
from gipfbot.values import DueWork, InUse, Unusable
from tests.service.helpers import begin_game
from tests.support.people import ANN

from .copied import Copied

pytestmark = pytest.mark.sqlite


async def restored(copied: Copied, *statements: str) -> RestoredCheck:
    """Restore a backup that was changed by hand. Return the check of it."""
    with closing(sqlite3.connect(copied.backup, isolation_level=None)) as db:
        for statement in statements:
            assert db.execute(statement).rowcount > 0, statement
    return (await copied.go_back()).restored_check


async def is_due(copied: Copied) -> bool:
    return DueWork.RESTORED_CHECK in await copied.app.what_is_due(copied.host.now)


async def test_nothing_is_checked_without_a_restore(copied: Copied) -> None:
    assert not await is_due(copied)
    assert await copied.app.restored_check.differences() is None


async def test_a_sound_backup_is_checked_once(copied: Copied) -> None:
    check = await restored(copied)
    assert await is_due(copied)
    assert await check.differences() == []
    await check.note_told()
    assert not await is_due(copied)
    assert await check.differences() is None


async def test_what_differs_is_kept_until_it_is_told(copied: Copied, monkeypatch: pytest.MonkeyPatch) -> None:
    """A bot that is killed before that does not check again."""
    said = ["Restored games that differ from their turns: #a1. `gipfbot check` says how."]
    assert await (await restored(copied, "UPDATE games SET pool = 'odd'")).differences() == said
    check = (await copied.restart()).restored_check
    monkeypatch.setattr(restored_check, "DatabaseCheck", None)
    assert await is_due(copied)
    assert await check.differences() == said
    await check.note_told()
    assert await check.differences() is None


async def test_a_check_that_was_cut_off_begins_again(copied: Copied) -> None:
    await restored(copied, "UPDATE games SET pool = 'odd'")
    assert await (await copied.restart()).restored_check.differences()


async def test_the_sentences_name_few_games_and_no_person(copied: Copied) -> None:
    for _ in range(7):
        await begin_game(copied.app)
    copied.backup.unlink()
    await copied.back_up()
    spoilt = "UPDATE games SET waiting_user = 77 WHERE waiting_user IS NOT NULL"
    (said,) = await (await restored(copied, spoilt)).differences() or ()
    assert said == (
        "Restored games that differ from their turns: #a1, #b1, #c1, #d1, #e1 and 3 more. `gipfbot check` says how."
    )
    assert str(ANN.user) not in said


async def test_ratings_that_differ_are_named_with_what_mends_them(copied: Copied) -> None:
    row = "('basic', 1, 5, 1500, 350, 0.06, 1500, 350, 0.06, 1, 0, 0, 1, 1)"
    columns = (
        "pool, user, month, start_rating, start_deviation, start_volatility, rating, deviation, volatility, "
        "games, wins, won_in_a_row, last_game, last_at"
    )
    (said,) = await (await restored(copied, f"INSERT INTO ratings ({columns}) VALUES {row}")).differences() or ()
    assert said.startswith("In the restored database, rows of ratings that are not what the games give: 1; ")
    assert said.endswith("ratings --rebuild mends them.")


@pytest.mark.parametrize(
    ("error", "said"),
    [(InUse("It is locked."), None), (Unusable("Too little memory."), ["What was restored can't be checked: Too "])],
)
async def test_a_check_that_fails_is_told_unless_a_later_one_can_succeed(
    error: Unusable, said: list[str] | None, copied: Copied, monkeypatch: pytest.MonkeyPatch
) -> None:
    check = await restored(copied)

    async def fail(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr(PartProcess, "check", fail)
    found = await check.differences()
    assert found == said or (found and said and found[0].startswith(said[0]))
    assert await is_due(copied)
