"""A step of the sweep that fails: the others do their work, and the log says it once in full."""

import ast
from importlib import import_module

import pytest
from sqlalchemy import insert, select, update

from gipfbot.match.requests import CLAIM_WIN_WARNING
from gipfbot.service.clock import downtime
from gipfbot.service.competing.results import TOURNAMENT
from gipfbot.service.play.turn import HOUSE
from gipfbot.service.requests.claim_win import CLAIM_WIN
from gipfbot.store import due, due_work, tables
from gipfbot.store.due import UNTOLD
from gipfbot.ui.background import Sweep
from gipfbot.values import DueWork
from tests.support.paths import HOUSE as CHECKOUT
from tests.support.terms import THREE_DAYS
from tests.support.times import DAY

from .house import House
from .posts import post_claim


async def fail() -> None:
    """Fail."""
    raise ValueError("a bad moment")


async def sweep_all(house: House) -> None:
    """Do one sweep as when the bot runs."""
    house.bot.connected = True
    await house.bot.sweep.coro(house.bot)


async def owe_reminder_and_board(house: House) -> None:
    """Let a reminder be due, and the board of another game wait that nobody else is posting."""
    await house.begin(terms=THREE_DAYS, thread=False)
    await house.reach_reminder()
    game = await house.begin(terms=THREE_DAYS, thread=False)
    await house.app.games.play_typed(game, house.seats()[0].user, "c2")
    async with house.store.transaction() as db:
        await db.execute(update(tables.outbox).values(leased_until=None))


async def test_a_step_that_fails_keeps_no_other_from_its_work(
    house: House, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    await owe_reminder_and_board(house)
    async with house.store.transaction() as db:
        await due.schedule(db, "claim", CLAIM_WIN, house.clock(), 1)
        await db.execute(insert(tables.former_pings).values(hashed_id=-1, to_user=1, expires_at=0))
    before = len(house.own_messages())
    monkeypatch.setattr(house.app.win_claims, "settle_due_win_claims", fail)
    monkeypatch.setattr(house.app.deletions, "resume_all", fail)
    await sweep_all(house)
    assert len(house.own_messages()) == before + 2
    await sweep_all(house)
    said = [record for record in caplog.records if "failed; the next sweep tries again" in record.getMessage()]
    assert [bool(record.exc_info) for record in said] == [True, True, False, False]
    caplog.clear()


async def test_steps_look_for_themselves_while_nobody_knows_what_is_due(
    house: House, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    await owe_reminder_and_board(house)
    before = len(house.own_messages())
    monkeypatch.setattr(due_work, "what_is_due", lambda *_: fail())
    await sweep_all(house)
    assert len(house.own_messages()) == before + 2
    assert "asking what is due failed" in caplog.text
    caplog.clear()


async def test_what_a_step_makes_due_is_done_in_the_same_sweep(house: House) -> None:
    """The opening of a game that a claim of a win ends is counted."""
    await post_claim(house)
    house.clock.moved += CLAIM_WIN_WARNING
    async with house.store.transaction() as db:
        await downtime.note_alive(db, house.clock())
    await sweep_all(house)
    async with house.store.reading() as db:
        assert await db.scalar(select(tables.games.c.explored_at))


async def test_while_clocks_cannot_be_checked_only_messages_are_posted(
    house: House, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    await owe_reminder_and_board(house)
    before = len(house.own_messages())
    monkeypatch.setattr(house.app.flag_watch, "check_flags", fail)
    await sweep_all(house)
    assert len(house.own_messages()) == before + 1, "the board, and no reminder"
    assert "checking the clocks failed" in caplog.text
    caplog.clear()


async def test_what_is_over_is_deleted_by_the_sweep(house: House) -> None:
    game = await house.begin(thread=False)
    await house.bot.delivery.finish_sweep()
    async with house.store.transaction() as db:
        await db.execute(update(tables.outbox).values(done_at=house.clock() - 40 * DAY))
    await sweep_all(house)
    async with house.store.reading() as db:
        assert (await db.execute(select(tables.outbox.c.id))).all() == []
    assert (await house.app.games.game(game)).board_message


def scheduled_kinds() -> set[str]:
    """Return the kinds of tasks that the services schedule, by the calls in their code."""
    found, place_of_kind = set[str](), {"schedule": 2, "BatchWork": 1}
    for path in (CHECKOUT / "gipfbot" / "service").rglob("*.py"):
        names = vars(import_module(".".join(path.relative_to(CHECKOUT).with_suffix("").parts)))
        for call in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            called = ast.unparse(call.func).split(".")[-1] if isinstance(call, ast.Call) else ""
            if isinstance(call, ast.Call) and called in place_of_kind:
                first, *rest = ast.unparse(call.args[place_of_kind[called]]).split(".")
                if first != "self":
                    found.add(str(getattr(names[first], *rest) if rest else names[first]))
    return found


LOOPS = DueWork.AWAITED_ANALYSES, DueWork.RESTORED_CHECK


def test_each_kind_of_work_has_a_step(house: House) -> None:
    """The sweep also wakes loops: of the house player, of tournaments, of analyses, and of the check after a restore.

    The next command tells what is untold.
    """
    done = {work for _, does, _ in Sweep(house.bot)._steps() for work in does}
    missing = {*scheduled_kinds(), *DueWork} - done - {HOUSE, TOURNAMENT, UNTOLD, *LOOPS}
    assert not missing, f"add a step that does {missing} to gipfbot/ui/background.py"
