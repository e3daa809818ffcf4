"""While one of several processes is down, nobody on its servers can play: their clocks stand."""

from collections.abc import AsyncIterator
from dataclasses import dataclass, field, replace

import pytest
from sqlalchemy import select

from gipfbot.rules import BASIC
from gipfbot.service.app import App, create_app
from gipfbot.service.clock import digests, downtime, shard_downtime
from gipfbot.service.clock.downtime_notice import DOWNTIME_NOTICE
from gipfbot.service.clock.reminders import REMINDER
from gipfbot.store import Store, due, shard_beats, tables
from gipfbot.store.shard_beats import ShardBeat
from gipfbot.values import NO_LIMITS, Shards, Venue
from tests.service.helpers import Host, begin_game, clock_of, posted
from tests.support.games import TURNS
from tests.support.halves import HALF, REST
from tests.support.people import ANN
from tests.support.terms import SAVING, THREE_DAYS
from tests.support.times import DAY, HOUR

HERE, THERE = Venue(3 << 22, 31), Venue(4 << 22, 41)  # on a shard of each half
DOWN = 5 * HOUR


@dataclass
class Machine:
    """Starts processes on one database, and lets time pass in which some of them run."""

    url: str
    host: Host
    stores: list[Store] = field(default_factory=list)

    async def start(self, shards: Shards | None = None) -> App:
        store = await Store.open_database(self.url, shards=shards)
        self.stores.append(store)
        app = create_app(store, lambda: self.host.now, lambda: True, lambda: self.host.ticks, limits=NO_LIMITS)
        await app.flag_watch.check_flags()
        return app

    async def runs(self, seconds: int, *apps: App) -> None:
        """Let time pass, of which these processes noted the last moment; all boards are posted."""
        self.host.passes(seconds)
        for app in apps:
            await posted(app.games.store)
            async with app.games.store.transaction() as db:
                await downtime.note_alive(db, self.host.now)
                await shard_beats.note_alive(db, self.host.now, 0)
        for app in apps:
            await app.flag_watch.check_flags()


@pytest.fixture
async def machine(postgres_url: str, host: Host) -> AsyncIterator[Machine]:
    machine = Machine(postgres_url, host)
    yield machine
    for store in machine.stores:
        await store.close()


async def new_game(app: App, venue: Venue) -> int:
    return (await begin_game(app, THREE_DAYS, BASIC, venue)).game.id


async def deadline_of(app: App, game: int) -> int:
    deadline = (await clock_of(app, game)).deadline
    assert deadline
    return deadline


async def test_clocks_stand_while_nobody_runs_their_shard(machine: Machine) -> None:
    first, second = await machine.start(HALF), await machine.start(REST)
    here, there = await new_game(first, HERE), await new_game(second, THERE)
    await machine.runs(3 * DAY - HOUR, first, second)
    before = await deadline_of(first, there)
    await machine.runs(DOWN, first)
    assert (await clock_of(first, here)).flagged
    assert not (await clock_of(first, there)).flagged
    again = await machine.start(REST)
    assert await deadline_of(again, there) == before + DOWN
    assert (await clock_of(again, there)).credited == DOWN
    await machine.runs(HOUR + 1, first, again)
    assert (await clock_of(again, there)).flagged


async def test_clocks_stand_on_shards_that_nobody_has_started(machine: Machine) -> None:
    """One process has run all shards. Of the two that follow, the second starts five hours later."""
    alone = await machine.start()
    there = await new_game(alone, THERE)
    await machine.runs(3 * DAY - HOUR, alone)
    before = await deadline_of(alone, there)
    first = await machine.start(HALF)
    await machine.runs(DOWN, first)
    assert not (await clock_of(first, there)).flagged
    second = await machine.start(REST)
    assert await deadline_of(second, there) == before + DOWN


async def test_the_channels_of_the_shard_alone_are_told(machine: Machine) -> None:
    first, second = await machine.start(HALF), await machine.start(REST)
    here, there = await new_game(first, HERE), await new_game(second, THERE)
    await machine.runs(HOUR, first, second)
    await machine.runs(DOWN, first)
    await machine.start(REST)
    async with first.games.store.reading() as db:
        told = await db.execute(select(tables.outbox).where(tables.outbox.c.kind == DOWNTIME_NOTICE))
        notices = {row.channel: [game for game, *_ in row.payload["games"]] for row in told}
    assert notices == {THERE.channel: [there]}, here


async def reminders_of(app: App) -> dict[int | None, int]:
    """Return when the reminder of each game is due."""
    async with app.games.store.reading() as db:
        return {row.game: row.at for row in await due.unfinished_rows(db, REMINDER)}


async def test_reminders_follow_a_credit_that_ends_while_others_are_planned(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first process plans reminders for one shard when the second has credited the next one."""
    first, second = await machine.start(HALF), await machine.start(REST)
    games = [await new_game(second, Venue(shard << 22, shard)) for shard in (4, 5)]
    await machine.runs(HOUR, first, second)
    planned = await reminders_of(first)
    await machine.runs(DOWN, first)
    credit = shard_downtime.ShardDowntime(machine.stores[1], lambda: machine.host.now)

    async def credit_shard(shard: int) -> None:
        while await credit._credit_next_clocks(shard):
            pass

    async def credit_next_and_hasten(store: Store, now: int) -> None:
        await credit_shard(5)
        await hasten(store, now)

    hasten = digests.hasten_digests
    monkeypatch.setattr(digests, "hasten_digests", credit_next_and_hasten)
    await credit_shard(4)
    await first.flag_watch.check_flags()
    monkeypatch.setattr(digests, "hasten_digests", hasten)
    await first.flag_watch.check_flags()
    assert await reminders_of(first) == {game: planned[game] + DOWN for game in games}


async def test_a_turn_during_the_downtime_costs_no_time(machine: Machine) -> None:
    """Direct messages come to the first shard, which another process runs."""
    first, second = await machine.start(HALF), await machine.start(REST)
    there = (await begin_game(second, SAVING, BASIC, THERE)).game.id
    await machine.runs(HOUR, first, second)
    await machine.runs(DOWN, first)
    await first.games.play_typed(there, ANN.user, TURNS[0])
    white, black = (await clock_of(first, there)).bank
    assert white == 10 * DAY - HOUR + DAY
    began = machine.host.now
    await machine.runs(HOUR, first)
    again = await machine.start(REST)
    assert await deadline_of(again, there) == began + black + HOUR


@pytest.mark.parametrize("credited", [1, 2])
async def test_a_credit_is_neither_lost_nor_given_twice(
    machine: Machine, monkeypatch: pytest.MonkeyPatch, credited: int
) -> None:
    """A process is killed when it has credited some of three games."""
    first, second = await machine.start(HALF), await machine.start(REST)
    games = [await new_game(second, THERE) for _ in range(3)]
    await machine.runs(HOUR, first, second)
    before = [await deadline_of(first, game) for game in games]
    await machine.runs(DOWN, first)
    monkeypatch.setattr(shard_downtime, "CREDIT_BATCH", 1)
    dying = machine.stores[1]
    credit = shard_downtime.ShardDowntime(dying, lambda: machine.host.now)
    for _ in range(credited):
        assert await credit._credit_next_clocks(THERE.server >> 22 if THERE.server else 0)
    await machine.runs(HOUR, first)
    again = await machine.start(REST)
    after = [await deadline_of(again, game) for game in games]
    assert after == [deadline + DOWN + HOUR for deadline in before]


async def test_time_in_which_nobody_ran_is_credited_once(machine: Machine) -> None:
    """The second process goes down first, then both are down, then the first one is back before the second."""
    first, second = await machine.start(HALF), await machine.start(REST)
    here, there = await new_game(first, HERE), await new_game(second, THERE)
    await machine.runs(HOUR, first, second)
    before = [await deadline_of(first, game) for game in (here, there)]
    await machine.runs(2 * HOUR, first)
    machine.host.passes(3 * HOUR)
    back = await machine.start(HALF)
    await machine.runs(4 * HOUR, back)
    await machine.start(REST)
    after = [await deadline_of(back, game) for game in (here, there)]
    assert [late - early for early, late in zip(before, after, strict=True)] == [3 * HOUR, 9 * HOUR]


async def test_a_credit_that_a_second_downtime_interrupts_is_given_once(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A process is killed when it has credited the first of two games. Then nobody runs for two hours."""
    first, second = await machine.start(HALF), await machine.start(REST)
    games = [await new_game(second, THERE) for _ in range(2)]
    await machine.runs(2 * HOUR, first, second)
    before = [await deadline_of(first, game) for game in games]
    await machine.runs(DOWN, first)
    monkeypatch.setattr(shard_downtime, "CREDIT_BATCH", 1)
    credit = shard_downtime.ShardDowntime(machine.stores[1], lambda: machine.host.now)
    assert await credit._credit_next_clocks(THERE.server >> 22 if THERE.server else 0)
    machine.host.passes(2 * HOUR)
    await machine.start(REST)
    after = [await deadline_of(second, game) for game in games]
    assert after == [deadline + DOWN + 2 * HOUR for deadline in before]


async def test_a_vacation_that_ends_while_nobody_runs_the_shard_costs_no_time(machine: Machine) -> None:
    """The bot answers in a direct message, which another process does."""
    first, second = await machine.start(HALF), await machine.start(REST)
    there = await new_game(second, THERE)
    await machine.runs(HOUR, first, second)
    await second.vacations.start_vacation(ANN.user, 2)
    left = (await clock_of(first, there)).paused_left
    assert left
    await machine.runs(8 * HOUR, first)
    await first.vacations.end_vacation(ANN.user)
    await machine.runs(2 * HOUR, first)
    await machine.start(REST)
    assert await deadline_of(first, there) == machine.host.now + left


async def test_a_restart_within_two_minutes_credits_nothing(machine: Machine) -> None:
    first, second = await machine.start(HALF), await machine.start(REST)
    there = await new_game(second, THERE)
    before = await deadline_of(first, there)
    await machine.runs(downtime.MIN_DOWNTIME, first)
    again = await machine.start(REST)
    assert await deadline_of(again, there) == before


async def test_another_number_of_shards_begins_anew(machine: Machine) -> None:
    await machine.start(HALF)
    wide = await machine.start(Shards(0, 1, 2))
    async with wide.games.store.reading() as db:
        assert await shard_beats.load_beat(db, 1) == ShardBeat(machine.host.now, None, None)
        assert {*await db.scalars(select(shard_beats.shard_beats.c.count))} == {2}
    alone = await machine.start()
    async with alone.games.store.reading() as db:
        assert not [*await db.scalars(select(shard_beats.shard_beats.c.shard))]


async def test_a_game_on_no_server_belongs_to_the_first_shard(machine: Machine) -> None:
    first, second = await machine.start(HALF), await machine.start(REST)
    game = await new_game(second, replace(HERE, server=None))
    await machine.runs(3 * DAY - HOUR, first, second)
    await machine.runs(DOWN, second)
    assert not (await clock_of(second, game)).flagged
