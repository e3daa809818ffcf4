"""The credit of all clocks after a downtime or a clock jump, in batches: each clock has it once."""

from collections.abc import Sequence

import pytest

from gipfbot.service.app import App
from gipfbot.service.clock import downtime, flag_watch as watch
from gipfbot.service.clock.flag_watch import FlagWatch
from gipfbot.store import Connection, clocks
from tests.service.helpers import Host, begun, clock_of
from tests.support.games import E1
from tests.support.people import ANN
from tests.support.terms import SAVING
from tests.support.times import DAY


class Crash(BaseException):
    """The sudden end of the bot."""


async def crash_between_batches(
    flag_watch: FlagWatch, monkeypatch: pytest.MonkeyPatch, after: int, batch: int = 1
) -> None:
    """Check the flags in batches of so many clocks, and let the bot die when so many batches are credited."""
    monkeypatch.setattr(watch, "CREDIT_BATCH", batch)
    save, left = clocks.save_running_clocks, [after]

    async def saves_or_dies(db: Connection, running: Sequence[clocks.RunningClock]) -> None:
        left[0] -= 1
        if left[0] < 0:
            raise Crash
        await save(db, running)

    monkeypatch.setattr(clocks, "save_running_clocks", saves_or_dies)
    with pytest.raises(Crash):
        await flag_watch.check_flags()
    monkeypatch.setattr(clocks, "save_running_clocks", save)


@pytest.mark.parametrize("batches_done", [0, 1, 2])
@pytest.mark.parametrize("jump", [0, 9 * DAY, -9 * DAY])
async def test_a_credit_in_batches_is_given_once(
    app: App, flag_watch: FlagWatch, host: Host, monkeypatch: pytest.MonkeyPatch, batches_done: int, jump: int
) -> None:
    """The bot dies between two batches, and begins again a day later."""
    ids = [await begun(app) for _ in range(3)]
    host.passes(DAY)
    host.now += jump
    await crash_between_batches(flag_watch, monkeypatch, batches_done)
    host.passes(DAY)
    again = FlagWatch(app.games.store, lambda: host.now, lambda: host.ticks)
    for _ in range(2):
        await again.check_flags()
    assert [(await clock_of(app, game_id)).deadline for game_id in ids] == [host.now + 3 * DAY] * 3
    assert not any([(await clock_of(app, game_id)).flagged for game_id in ids])


@pytest.mark.parametrize("jump", [0, 9 * DAY, -9 * DAY])
async def test_turns_between_two_batches_of_a_credit_are_in_time(
    app: App, flag_watch: FlagWatch, host: Host, monkeypatch: pytest.MonkeyPatch, jump: int
) -> None:
    """One in a game that is credited already, and one in a game that is not. Both opponents have all their time.

    After a rollback they may lose the minute between the batches.
    """
    credited, later, waits = [await begun(app, SAVING) for _ in range(3)]
    host.passes(4 * DAY)
    host.now += jump
    await crash_between_batches(flag_watch, monkeypatch, 1)
    host.passes(60)
    for game_id in (credited, later):
        await app.games.play_actions(game_id, ANN.user, [E1])
    host.passes(60)
    for _ in range(2):
        await flag_watch.check_flags()
    for game_id in (credited, later):
        bank = (await clock_of(app, game_id)).bank
        assert 11 * DAY - 60 <= bank[0] <= 11 * DAY, "the downtime costs Ann nothing"
    for game_id in (credited, later, waits):
        left = ((await clock_of(app, game_id)).deadline or 0) - host.now
        since_turn = 60 if game_id != waits and jump >= 0 else 120
        assert 10 * DAY - since_turn <= left <= 10 * DAY


async def test_an_unfinished_credit_is_finished_though_the_bot_counts_as_alive(
    app: App, flag_watch: FlagWatch, host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    games = [await begun(app) for _ in range(2)]
    await flag_watch.check_flags()
    host.passes(DAY)
    await crash_between_batches(flag_watch, monkeypatch, after=1)
    async with app.games.store.transaction() as db:
        await downtime.note_alive(db, host.now)
    await flag_watch.check_flags()
    assert [(await clock_of(app, game)).credited for game in games] == [DAY, DAY]
