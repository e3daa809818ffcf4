"""Flags that fall, credited time, and the new game after a repetition, on a real database."""

import pytest
from sqlalchemy import select

from gipfbot import match
from gipfbot.match import Clock, Game, Refused, Status, Terms, TimeControl, Why, days_per_turn
from gipfbot.notation import parse_position
from gipfbot.rules import BASIC, Colour, Reason, Result
from gipfbot.service.app import App
from gipfbot.service.clock import reminders
from gipfbot.service.clock.flag_watch import FlagWatch
from gipfbot.service.kit import batches
from gipfbot.service.requests.claim_win import CLAIM_WIN
from gipfbot.store import Connection, clocks, due, tables
from tests.service.helpers import Host, begun, boards, clock_of, passes, put, repeat
from tests.support.games import E1
from tests.support.people import ANN, BOB
from tests.support.terms import SAVING
from tests.support.times import DAY, HOUR


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
    assert (again.seats, again.terms, again.status) == ((BOB, ANN), SAVING, Status.RUNNING)
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
