"""What concerns all games of a person is done in short transactions, and goes on after a crash."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import replace

import pytest
from sqlalchemy import func, select, text, update

from gipfbot.service.app import App, create_app
from gipfbot.service.clock.reminders import REMINDER
from gipfbot.service.kit import batches
from gipfbot.store import Connection, Store, tables
from tests.service.helpers import Host, delete_all, lives_on, posted
from tests.support.people import ANN, BOB, HALL
from tests.support.stores import add_trigger
from tests.support.terms import THREE_DAYS
from tests.support.times import DAY

from .many_games import end_games, give_games, others_play_beside

MANY = 120  # games
MOST_GAMES = 50  # games that one transaction may write
THREAD = 77
NOTES = (
    ("games", "UPDATE", "NEW.id"),
    ("due", "INSERT", "NEW.game"),
    ("due", "UPDATE", "NEW.game"),
    ("due", "DELETE", "OLD.game"),
    ("outbox", "INSERT", "NEW.game"),
)


class Crash(BaseException):
    """The sudden end of the bot."""


class Written:
    """How many games each transaction has written. A crash may come before the commit of a transaction."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.games, self.left, transaction = list[int](), 1000, Store.transaction

        @asynccontextmanager
        async def counted(store: Store) -> AsyncIterator[Connection]:
            async with transaction(store) as db:
                yield db
                self.games.append(await db.scalar(text("SELECT count(DISTINCT game) FROM written")) or 0)
                await db.execute(text("DELETE FROM written"))
                self.left -= 1
                if self.left < 0:
                    raise Crash

        patch.setattr(Store, "transaction", counted)


@pytest.fixture
async def many(app: App) -> list[int]:
    """Let Ann have many games in which she is to move. Whatever writes a game is noted."""
    ids = await give_games(app, MANY)
    await posted(app.games.store)
    async with app.games.store.transaction() as db:
        await db.execute(text("CREATE TABLE written (game INTEGER)"))
        for number, (table, does, game) in enumerate(NOTES):
            note = f"INSERT INTO written SELECT {game} WHERE {game} IS NOT NULL"
            await add_trigger(db, f"note{number}", does, table, note)
    return ids


@pytest.fixture
def written(many: list[int], monkeypatch: pytest.MonkeyPatch) -> Written:
    assert many
    return Written(monkeypatch)


async def change_wish(app: App, _: Host) -> None:
    """Change the reminders of all games."""
    await app.reminders.set_wish(ANN.user, "12h")


async def be_reminded(app: App, host: Host) -> None:
    """Be reminded of all games."""
    await change_wish(app, host)
    host.passes(3 * DAY - 60)
    await app.reminders.owe_due_reminders()


async def leave(app: App, _: Host) -> None:
    """Go on vacation."""
    await app.vacations.start_vacation(ANN.user, 3)
    await app.vacations.finish_vacation_work()


async def come_back(app: App, host: Host) -> None:
    """Go on vacation and come back."""
    await leave(app, host)
    await come_back_at_last(app, host)


async def come_back_at_last(app: App, _: Host) -> None:
    """Come back from a vacation."""
    await app.vacations.end_vacation(ANN.user)
    await app.vacations.finish_vacation_work()


async def let_vacation_end(app: App, host: Host) -> None:
    """Let a vacation end when its days are over."""
    await leave(app, host)
    host.passes(3 * DAY)
    await app.vacations.end_due_vacations()


async def be_flagged(app: App, host: Host) -> None:
    """Be flagged in all games."""
    await app.flag_watch.check_flags()
    await lives_on(app, host, 3 * DAY + 60)
    await app.flag_watch.check_flags()


async def be_credited(app: App, host: Host) -> None:
    """Have all clocks credited after a downtime."""
    await app.flag_watch.check_flags()
    host.passes(DAY)
    await app.flag_watch.check_flags()


async def use_days_up(app: App, host: Host) -> None:
    """Use up the vacation days of all games but one, long before a vacation is over."""
    async with app.games.store.transaction() as db:
        fewer = tables.games.c.id > select(func.min(tables.games.c.id)).scalar_subquery()
        terms = replace(THREE_DAYS, vacation=1).data()
        await db.execute(update(tables.games).where(fewer).values(terms=terms))
        await db.execute(text("DELETE FROM written"))
    await leave(app, host)
    host.passes(DAY)
    await app.vacations.finish_vacation_work()
    assert (await ready_for_play(app))[0] == MANY - 1


async def delete_data(app: App, _: Host) -> None:
    """Delete all that is stored about a person."""
    await delete_all(app, ANN.user)


async def leave_thread(app: App, _: Host) -> None:
    """Leave the thread of all games. They are moved by one statement, before their boards are queued."""
    async with app.games.store.reading() as db:
        (game,) = await db.scalars(select(func.min(tables.games.c.id)))
    await app.outbox.leave_thread(game)


async def play_in_thread(app: App) -> None:
    """Let all games be in one thread."""
    async with app.games.store.transaction() as db:
        await db.execute(update(tables.games).values(channel=THREAD, parent=HALL))
        await db.execute(text("DELETE FROM written"))


@pytest.mark.parametrize(
    "do",
    [change_wish, be_reminded, leave, come_back, let_vacation_end, use_days_up, be_flagged, be_credited, delete_data],
)
async def test_no_transaction_writes_many_games(
    app: App, host: Host, written: Written, do: Callable[[App, Host], Awaitable[None]]
) -> None:
    """Yet all of them are written."""
    await do(app, host)
    assert max(written.games) <= MOST_GAMES
    assert sum(written.games) >= MANY


async def test_a_deletion_writes_what_is_due_in_one_statement(app: App, host: Host, written: Written) -> None:
    await change_wish(app, host)
    written.games.clear()
    await app.deletions.begin(ANN.user)
    assert written.games == [0, MANY]


async def test_others_play_on_while_a_person_with_many_games_deletes_their_data(app: App) -> None:
    """Turns of theirs are stored between the batches. `many_games.py` measures how long they wait."""
    ids = await give_games(app, 1000)
    await end_games(app, ids[40:])
    waits = await others_play_beside(app, lambda: delete_all(app, ANN.user))
    assert len(waits.turns) > 2
    assert await app.games.running_games(BOB.user) == []


async def test_the_boards_of_a_thread_are_queued_in_batches(app: App, host: Host, written: Written) -> None:
    """One statement moves the games themselves."""
    await play_in_thread(app)
    written.games.clear()
    await leave_thread(app, host)
    assert written.games[0] == MANY
    assert max(written.games[1:]) <= MOST_GAMES
    assert sum(written.games[1:]) >= MANY


async def test_a_vacation_is_answered_before_its_clocks_are_paused(app: App, host: Host, written: Written) -> None:
    """They are paused later with the time that they had then, and no flag falls until that is done."""
    await lives_on(app, host, 3 * DAY - 60)
    written.games.clear()
    async with app.games.store.reading() as db:
        (deadline,) = {*await db.scalars(select(tables.games.c.deadline_at))}
    left = deadline - host.now
    assert (await app.vacations.start_vacation(ANN.user, 3))[0].flagged == ()
    assert max(written.games) <= 1
    await lives_on(app, host, left + 30)
    await app.flag_watch.check_flags()
    await app.vacations.finish_vacation_work()
    async with app.games.store.reading() as db:
        assert {*await db.scalars(select(tables.games.c.paused_left))} == {left}
        assert not any(await db.scalars(select(tables.games.c.flagged)))


async def test_a_sweep_does_some_of_a_persons_clocks(
    app: App, many: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The next sweeps go on, so that nobody else's work has to wait for all of them."""
    monkeypatch.setattr(batches, "MOST_BATCHES", 2)
    await app.vacations.start_vacation(ANN.user, 3)
    still_running = list[int]()
    for _ in range(4):
        await app.vacations.finish_vacation_work()
        still_running.append((await ready_for_play(app))[0])
    assert still_running == [MANY - 40, MANY - 80, 0, 0]
    assert len(many) == MANY


async def test_a_person_with_many_games_is_told_of_in_one_statement(app: App, host: Host, many: list[int]) -> None:
    """Each game has its own channel."""
    async with app.games.store.transaction() as db:
        await db.execute(update(tables.games).values(channel=tables.games.c.id + HALL))
    assert (await app.vacations.start_vacation(ANN.user, 3))[1] == (), "the sweep delivers them all"
    await app.vacations.finish_vacation_work()
    assert len(await app.outbox.rows_by_lane(1)) == MANY
    assert many


async def ready_for_play(app: App) -> tuple[int, int]:
    """Return how many of Ann's clocks run, and how many of her reminders are planned."""
    async with app.games.store.reading() as db:
        runs = await db.scalar(select(func.count()).where(tables.games.c.deadline_at.is_not(None)))
        planned = tables.due.c.kind == REMINDER, tables.due.c.done_at.is_(None)
        return runs or 0, await db.scalar(select(func.count()).where(*planned)) or 0


@pytest.mark.parametrize("batches", [1, 3, 5])
async def test_what_a_crash_leaves_is_done_after_it(app: App, host: Host, written: Written, batches: int) -> None:
    """Ann changes her wish, goes on vacation and comes back. Each crash is between two batches."""
    acts = (
        (lambda: app.reminders.set_wish(ANN.user, "12h"), (MANY, MANY)),
        (lambda: leave(app, host), (0, 0)),
        (lambda: come_back_at_last(app, host), (MANY, MANY)),
    )
    for act, expected in acts:
        written.left = batches
        with pytest.raises(Crash):
            await act()
        written.left = 1000
        again = create_app(app.games.store, lambda: host.now, lambda: True)
        await again.vacations.finish_vacation_work()
        await again.reminders.finish_new_wishes()
        assert await ready_for_play(app) == expected


async def test_the_last_wish_counts_while_the_first_is_worked_on(app: App, host: Host, many: list[int]) -> None:
    """They are changed at the same moment."""
    await asyncio.gather(*(app.reminders.set_wish(ANN.user, wish) for wish in ("12h", "off", "24h")))
    settings = [await app.reminders.game_reminder_settings(ANN.user, game) for game in (many[0], many[-1])]
    assert {each.wish for each in settings} == {"24h"}
    assert {each.reminder_at for each in settings} == {host.now + 2 * DAY}
