"""Flags that fall, credited time, and the new game after a repetition, on a real database."""

from collections.abc import AsyncIterator
from dataclasses import dataclass, field, replace

import pytest
from sqlalchemy import select

from gipfbot import match
from gipfbot.match import Clock, Game, Refused, Status, Terms, TimeControl, Why, days_per_turn
from gipfbot.notation import parse_position
from gipfbot.rules import BASIC, Colour, Reason, Result
from gipfbot.service.app import App, create_app
from gipfbot.service.clock import digests, downtime, flag_watch, reminders
from gipfbot.service.clock.downtime import DOWNTIME_NOTICE
from gipfbot.service.clock.flag_watch import FlagWatch
from gipfbot.service.clock.reminders import REMINDER
from gipfbot.service.kit import batches
from gipfbot.service.requests.claim_win import CLAIM_WIN
from gipfbot.store import Connection, Store, clocks, due, shard_heartbeats, tables
from gipfbot.store.shard_heartbeats import ShardHeartbeat
from gipfbot.values import NO_LIMITS, Shards, Venue
from tests.service.helpers import Host, begin_game, begun, boards, clock_of, passes, posted, put, repeat
from tests.support.games import E1, TURNS
from tests.support.halves import HALF, REST
from tests.support.people import ANN, BOB
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
                await shard_heartbeats.note_alive(db, self.host.now, 0)
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
    credit = flag_watch.ShardDowntime(machine.stores[1], lambda: machine.host.now)

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
    monkeypatch.setattr(flag_watch, "CREDIT_BATCH", 1)
    dying = machine.stores[1]
    credit = flag_watch.ShardDowntime(dying, lambda: machine.host.now)
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
    monkeypatch.setattr(flag_watch, "CREDIT_BATCH", 1)
    credit = flag_watch.ShardDowntime(machine.stores[1], lambda: machine.host.now)
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
        assert await shard_heartbeats.load_heartbeat(db, 1) == ShardHeartbeat(machine.host.now, None, None)
        assert {*await db.scalars(select(shard_heartbeats.shard_heartbeats.c.count))} == {2}
    alone = await machine.start()
    async with alone.games.store.reading() as db:
        assert not [*await db.scalars(select(shard_heartbeats.shard_heartbeats.c.shard))]


async def test_a_game_on_no_server_belongs_to_the_first_shard(machine: Machine) -> None:
    first, second = await machine.start(HALF), await machine.start(REST)
    game = await new_game(second, replace(HERE, server=None))
    await machine.runs(3 * DAY - HOUR, first, second)
    await machine.runs(DOWN, second)
    assert not (await clock_of(second, game)).flagged


async def test_clocks_run_from_the_start_and_boards_show_deadlines(app: App, host: Host) -> None:
    game_id = await begun(app)
    host.passes(DAY)
    done = await app.games.play_actions(game_id, ANN.user, [E1])
    assert (await app.games.game(game_id)).game.clock == done.game.clock
    assert [board.deadline for board in await boards(app)] == [host.now + 2 * DAY, host.now + 3 * DAY]


async def test_without_a_time_control_no_clock_runs(app: App, flag_watch: FlagWatch, host: Host) -> None:
    game_id = await begun(app, Terms())
    await passes(flag_watch, host, 1000 * DAY)
    assert (await app.games.game(game_id)).game.asked is Colour.WHITE
    assert (await boards(app))[-1].deadline is None


async def test_faq_11_in_grace_any_turn_without_a_win_loses(app: App, flag_watch: FlagWatch, host: Host) -> None:
    game_id = await begun(app)
    await passes(flag_watch, host, 3 * DAY)
    assert not (await boards(app))[-1].flagged
    await passes(flag_watch, host, 60)
    board = (await boards(app))[-1]
    assert (board.flagged, board.deadline) == (True, host.now + 12 * HOUR)
    await passes(flag_watch, host, HOUR)
    assert len(await boards(app)) == 2, "it is told once"
    with pytest.raises(Refused) as refused:
        await app.games.play_actions(game_id, ANN.user, [E1])
    assert (refused.value.why, (await app.games.game(game_id)).game.turn_number) == (Why.LOSES_ON_TIME, 0)
    done = await app.games.play_actions(game_id, ANN.user, [E1], sure=True)
    assert done.turn
    assert done.game.position.result == Result(Colour.BLACK, Reason.TIME)
    assert (await app.games.game(game_id)).game.status is Status.OVER


async def test_faq_11_in_grace_a_turn_that_wins_has_won(app: App, flag_watch: FlagWatch, host: Host) -> None:
    game_id = await begun(app)
    stored = await app.games.game(game_id)
    position = parse_position("standard w W=Gb3,d2,d3,d4,d5 B=Gd6,h3 reserve=12-15 captured=0-0")
    await put(app, stored, position=position)
    await passes(flag_watch, host, 3 * DAY + 60)
    done = await app.games.play_typed(game_id, ANN.user, "xd2,d3,d4,d5,Gd6")
    assert done.game.position.result == Result(Colour.WHITE, Reason.GIPF)
    assert done.game.clock is None


async def test_a_grace_that_is_over_loses_on_time(app: App, flag_watch: FlagWatch, host: Host) -> None:
    game_id = await begun(app)
    await passes(flag_watch, host, 3 * DAY + 60)
    await passes(flag_watch, host, 12 * HOUR + 60)
    game = (await app.games.game(game_id)).game
    assert (game.status, game.position.result) == (Status.OVER, Result(Colour.BLACK, Reason.TIME))
    assert (await boards(app))[-1].over
    with pytest.raises(Refused) as refused:
        await app.games.play_actions(game_id, ANN.user, [E1])
    assert refused.value.why is Why.OVER
    await passes(flag_watch, host, DAY)
    assert len(await boards(app)) == 3


async def test_without_grace_the_flag_decides(app: App, flag_watch: FlagWatch, host: Host) -> None:
    game_id = await begun(app, Terms(days_per_turn(1), grace=0))
    await passes(flag_watch, host, DAY + 60)
    assert (await app.games.game(game_id)).game.position.result == Result(Colour.BLACK, Reason.TIME)


async def test_a_turn_before_the_next_pass_is_in_time(app: App, host: Host) -> None:
    """Flags fall only in a pass: nobody loses before the bot has told them that their time is over."""
    game_id = await begun(app)
    host.passes(3 * DAY + 1)
    done = await app.games.play_actions(game_id, ANN.user, [E1])
    assert done.game.asked is Colour.BLACK
    assert done.game.clock == Clock((3 * DAY, 3 * DAY), host.now + 3 * DAY)


@pytest.mark.parametrize("jump", [10 * DAY, 365 * DAY])
async def test_a_turn_right_after_a_clock_jump_does_not_lose(
    app: App, flag_watch: FlagWatch, host: Host, jump: int
) -> None:
    game_id = await begun(app)
    await passes(flag_watch, host, DAY)
    host.now += jump
    assert (await app.games.play_actions(game_id, ANN.user, [E1])).game.asked is Colour.BLACK
    assert not await flag_watch.check_flags()
    assert (await app.games.game(game_id)).game.asked is Colour.BLACK


async def test_a_turn_right_after_downtime_does_not_lose(app: App, flag_watch: FlagWatch, host: Host) -> None:
    game_id = await begun(app)
    await passes(flag_watch, host, DAY)
    host.passes(30 * DAY)
    assert (await app.games.play_actions(game_id, ANN.user, [E1])).game.asked is Colour.BLACK


async def test_downtime_is_credited_and_told(app: App, flag_watch: FlagWatch, host: Host) -> None:
    game_id = await begun(app)
    await passes(flag_watch, host, DAY)
    host.passes(30 * DAY)
    again = FlagWatch(app.games.store, lambda: host.now, lambda: host.ticks)
    await again.check_flags()
    clock = (await app.games.game(game_id)).game.clock
    assert clock
    assert (clock.deadline, clock.credited, clock.flagged) == (host.now + 2 * DAY, 30 * DAY, False)
    await app.games.play_actions(game_id, ANN.user, [E1])
    assert (await boards(app))[-1].credited == 0


async def test_a_short_gap_is_no_downtime(app: App, flag_watch: FlagWatch, host: Host) -> None:
    game_id = await begun(app)
    before = (await app.games.game(game_id)).game.clock
    host.passes(90)
    await flag_watch.check_flags()
    assert (await app.games.game(game_id)).game.clock == before


async def test_a_long_pass_is_no_downtime(app: App, flag_watch: FlagWatch, host: Host) -> None:
    """While the bot does what is due, it notes that it is alive."""
    game_id = await begun(app)
    before = await clock_of(app, game_id)
    for _ in range(5):
        host.passes(100)
        await flag_watch.note_heartbeat()
    host.passes(100)
    await flag_watch.check_flags()
    assert await clock_of(app, game_id) == before


async def test_a_heartbeat_does_not_hide_downtime(app: App, flag_watch: FlagWatch, host: Host) -> None:
    game_id = await begun(app)
    host.passes(2 * DAY)
    await flag_watch.note_heartbeat()
    await flag_watch.check_flags()
    assert (await clock_of(app, game_id)).credited == 2 * DAY


async def test_a_heartbeat_does_not_hide_a_rollback(app: App, flag_watch: FlagWatch, host: Host) -> None:
    """All clocks go along with it in the next pass."""
    game_id = await begun(app)
    await passes(flag_watch, host, DAY)
    host.now -= 10 * DAY
    await flag_watch.note_heartbeat()
    await flag_watch.check_flags()
    assert (await clock_of(app, game_id)).deadline == host.now + 2 * DAY


@pytest.mark.parametrize("jump", [10 * DAY, 301])
async def test_no_flag_falls_in_the_pass_of_a_clock_jump(
    app: App, flag_watch: FlagWatch, host: Host, jump: int
) -> None:
    game_id = await begun(app, Terms(days_per_turn(1)))
    await passes(flag_watch, host, DAY)
    host.now += jump
    await flag_watch.check_flags()
    assert not (await clock_of(app, game_id)).flagged
    await passes(flag_watch, host, 60)
    assert (await clock_of(app, game_id)).flagged


async def test_a_clock_jump_and_its_correction_do_no_harm(app: App, flag_watch: FlagWatch, host: Host) -> None:
    game_id = await begun(app)
    before = (await app.games.game(game_id)).game.clock
    for jump in (10 * DAY, -10 * DAY):
        host.now += jump
        await flag_watch.check_flags()
    await passes(flag_watch, host, 60)
    assert (await app.games.game(game_id)).game.clock == before


@pytest.mark.parametrize("jump", [2 * DAY, -2 * DAY, 301, -301])
async def test_a_clock_jump_takes_and_gives_no_time(app: App, flag_watch: FlagWatch, host: Host, jump: int) -> None:
    """Everybody has the time left that they had, and nobody is told of a downtime."""
    saved = Terms(TimeControl(DAY, DAY, 9 * DAY), grace=0)
    ids = [await begun(app, saved) for _ in range(2)]
    await app.games.play_actions(ids[1], ANN.user, [E1])
    await passes(flag_watch, host, DAY // 2)
    host.now += jump
    host.passes(10)
    assert not await flag_watch.check_flags()
    assert await flag_watch.check_flags()
    for game_id in ids:
        found = await clock_of(app, game_id)
        assert (found.deadline, found.credited) == (host.now + DAY // 2 - 10, 0)


async def test_downtime_with_a_clock_jump_is_credited(app: App, flag_watch: FlagWatch, host: Host) -> None:
    game_id = await begun(app, Terms(days_per_turn(1)))
    await passes(flag_watch, host, HOUR)
    host.passes(5 * DAY)
    host.now -= 6 * DAY
    await flag_watch.check_flags()
    assert (await clock_of(app, game_id)).deadline == host.now + 23 * HOUR


async def test_turn_before_clock_rollback_is_noticed_costs_no_time(app: App, flag_watch: FlagWatch, host: Host) -> None:
    """A turn or a game that begins then starts no earlier than the last sign of life."""
    game_id = await begun(app, SAVING)
    await passes(flag_watch, host, DAY)
    host.now -= 4 * DAY
    await app.games.play_actions(game_id, ANN.user, [E1])
    other = await begun(app, SAVING)
    await flag_watch.check_flags()
    assert await clock_of(app, game_id) == Clock((10 * DAY, 10 * DAY), host.now + 10 * DAY)
    assert (await clock_of(app, other)).deadline == host.now + 10 * DAY


async def test_clock_jumps_extend_claims_and_rollbacks_do_not_shorten_them(
    app: App, flag_watch: FlagWatch, host: Host
) -> None:
    async with app.games.store.transaction() as db:
        await due.schedule(db, "claim_win:1:1", CLAIM_WIN, host.now + DAY, ANN.user)
    at = host.now + DAY
    for jump, expected in ((2 * DAY, at + 2 * DAY), (-2 * DAY, at + 2 * DAY)):
        host.now += jump
        await flag_watch.check_flags()
        async with app.games.store.reading() as db:
            assert await due.scheduled_for(db, "claim_win:1:1") == expected


async def test_two_downtimes_in_one_turn_are_both_told(app: App, flag_watch: FlagWatch, host: Host) -> None:
    game_id = await begun(app)
    for _ in range(2):
        host.passes(DAY)
        await flag_watch.check_flags()
    assert (await clock_of(app, game_id)).credited == 2 * DAY


async def test_r6_3_the_next_game_swaps_colours_and_keeps_time(app: App, host: Host) -> None:
    game_id = await begun(app, SAVING, BASIC)
    stored = await app.games.game(game_id)
    host.passes(DAY)
    turn = match.perform(stored.game, ANN.user, [E1]).turn
    assert turn
    async with app.games.store.transaction() as db:
        await repeat(db, game_id, match.position_hash(turn.after))
    host.passes(DAY)
    done = await app.games.play_actions(game_id, ANN.user, [E1])
    assert done.game.position.result == Result(None, Reason.REPETITION)
    again = (await app.games.game(game_id + 1)).game
    assert (again.seats, again.terms, again.status) == ((BOB, ANN), stored.game.terms, Status.RUNNING)
    assert again.clock
    assert again.clock.bank == (10 * DAY, 9 * DAY)
    void, first = (await boards(app))[-2:]
    assert (void.followed_by, first.game, first.deadline) == (again.id, again.id, host.now + 10 * DAY)


async def test_a_turn_before_downtime_is_noticed_keeps_saved_time(app: App, flag_watch: FlagWatch, host: Host) -> None:
    """The opponent, whose clock runs since then, gets nothing on top."""
    game_id = await begun(app, SAVING)
    await passes(flag_watch, host, DAY)
    host.passes(5 * DAY)
    await app.games.play_actions(game_id, ANN.user, [E1])
    await flag_watch.check_flags()
    assert (await clock_of(app, game_id)).bank == (10 * DAY, 10 * DAY)
    assert (await clock_of(app, game_id)).deadline == host.now + 10 * DAY


async def test_one_broken_game_stops_no_other(
    app: App,
    flag_watch: FlagWatch,
    host: Host,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """The bot tries it once in each pass."""
    first, broken, last = [await begun(app) for _ in range(3)]
    plan = reminders.plan_reminder

    async def fails_for_one(db: Connection, game: Game) -> None:
        assert game.id != broken
        await plan(db, game)

    monkeypatch.setattr(reminders, "plan_reminder", fails_for_one)
    await passes(flag_watch, host, 3 * DAY + 60)
    assert [(await clock_of(app, game_id)).flagged for game_id in (first, last)] == [True, True]
    assert [record.getMessage() for record in caplog.records] == [f"{broken} failed"]


async def test_a_crash_loses_no_credit_of_a_downtime(
    app: App, flag_watch: FlagWatch, host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each clock is credited once, and each reminder follows, wherever the process died."""
    ids = [await begun(app) for _ in range(3)]
    due_at = await reminders_due(app)

    async def dies(*_: object) -> None:
        raise KeyboardInterrupt

    for where, name, given in ((clocks, "save_running_clocks", 0), (reminders, "plan_reminder", 2 * DAY)):
        host.passes(DAY)
        monkeypatch.setattr(where, name, dies)
        with pytest.raises(KeyboardInterrupt):
            await flag_watch.check_flags()
        monkeypatch.undo()
        assert {(await clock_of(app, game_id)).credited for game_id in ids} == {given}
    await flag_watch.check_flags()
    assert {(await clock_of(app, game_id)).credited for game_id in ids} == {2 * DAY}
    assert await reminders_due(app) == [at + 2 * DAY for at in due_at]


async def reminders_due(app: App) -> list[int]:
    async with app.games.store.reading() as db:
        return [*await db.scalars(select(tables.due.c.at).order_by(tables.due.c.game))]


async def test_one_pass_serves_all_overdue_games(
    app: App, flag_watch: FlagWatch, host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(batches, "BATCH_SIZE", 2)
    ids = [await begun(app) for _ in range(5)]
    await passes(flag_watch, host, 3 * DAY + 60)
    assert all([(await clock_of(app, game_id)).flagged for game_id in ids])
