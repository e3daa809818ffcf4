"""What channels are told after the bot was away, on a real database."""

from typing import Any

import pytest
from sqlalchemy import select

from gipfbot.match import Clock, Terms, days_per_turn
from gipfbot.rules import Colour
from gipfbot.service.app import App
from gipfbot.service.clock import reminders
from gipfbot.service.clock.downtime import DOWNTIME_NOTICE, owe_downtime_notices
from gipfbot.service.clock.flag_watch import FlagWatch
from gipfbot.store import clocks, tables
from gipfbot.ui.kit import clock_texts
from gipfbot.values import Venue
from tests.service.helpers import Host, begin_game, begun, boards, clock_of, passes
from tests.support.games import E1
from tests.support.people import ANN, BOB, CLUB, HOME
from tests.support.terms import THREE_DAYS
from tests.support.times import DAY, HOUR


async def downtime_notices(app: App) -> list[tuple[int, dict[str, Any]]]:
    """Return what channels were told: the channel and what the message is made from."""
    async with app.games.store.reading() as db:
        rows = await db.execute(select(tables.outbox).where(tables.outbox.c.kind == DOWNTIME_NOTICE))
        return [(row.channel, row.payload) for row in rows]


async def elsewhere(app: App) -> int:
    """Return a game of Ann and Bob in another channel."""
    return (await begin_game(app, THREE_DAYS, venue=Venue(CLUB, 21))).game.id


async def test_each_channel_is_told_the_new_deadlines_once(app: App, flag_watch: FlagWatch, host: Host) -> None:
    late, soon = await begun(app), await begun(app, Terms(days_per_turn(2)))
    other = await elsewhere(app)
    host.passes(5 * DAY)
    for _ in range(2):
        await flag_watch.check_flags()
    at = {game_id: (await clock_of(app, game_id)).deadline or 0 for game_id in (late, soon, other)}
    assert at == {late: host.now + 3 * DAY, soon: host.now + 2 * DAY, other: host.now + 3 * DAY}
    here, there = [(soon, at[soon], False), (late, at[late], False)], [(other, at[other], False)]
    assert await downtime_notices(app) == [
        (channel, {"server": HOME.server, "seconds": 5 * DAY, "games": [*map(list, games)]})
        for channel, games in ((HOME.channel, here), (21, there))
    ]
    shown = f"#b1 until <t:{at[soon]}:f> · #a1 until <t:{at[late]}:f>"
    said = f"The bot was offline for 5 days. Clocks were extended: {shown}"
    assert clock_texts.downtime_text(5 * DAY, here) == said


async def test_a_notice_names_the_most_urgent_game_first(app: App) -> None:
    async with app.games.store.transaction() as db:
        running = [
            clocks.RunningClock(game_id, Colour.WHITE, THREE_DAYS, Clock((DAY, DAY), at), HOME.channel)
            for game_id, at in ((1, 9), (3, 5), (2, 5))
        ]
        await owe_downtime_notices(db, 0, DAY, running, 0)
    ((_, payload),) = await downtime_notices(app)
    assert payload["games"] == [[2, 5, False], [3, 5, False], [1, 9, False]]


async def test_each_downtime_is_told(app: App, flag_watch: FlagWatch, host: Host) -> None:
    await begun(app)
    for _ in range(2):
        host.passes(DAY)
        await flag_watch.check_flags()
    assert [payload["seconds"] for _, payload in await downtime_notices(app)] == [DAY, DAY]


async def test_a_notice_names_only_reachable_games_with_running_clocks(
    app: App, flag_watch: FlagWatch, host: Host
) -> None:
    """Grace is called grace."""
    late = await begun(app, Terms(days_per_turn(1)))
    await passes(flag_watch, host, DAY + 60)
    untimed, stands, unreachable = await begun(app, Terms()), await begun(app), await begun(app)
    await app.games.play_actions(stands, ANN.user, [E1])
    await app.vacations.start_vacation(BOB.user, 9)
    await app.venues.note_unreachable(unreachable, "a player left")
    host.passes(DAY)
    await flag_watch.check_flags()
    ((_, payload),) = await downtime_notices(app)
    assert payload["games"] == [[late, (await clock_of(app, late)).deadline, True]]
    assert untimed


@pytest.mark.parametrize("plays", [False, True])
async def test_the_last_board_of_a_lost_game_shows_its_credit(
    app: App, flag_watch: FlagWatch, host: Host, plays: bool
) -> None:
    """Whether the last turn came after the flag had fallen, or never came."""
    game_id = await begun(app)
    host.passes(5 * DAY)
    await flag_watch.check_flags()
    await passes(flag_watch, host, 3 * DAY + 60)
    if plays:
        await app.games.play_actions(game_id, ANN.user, [E1], sure=True)
    else:
        await passes(flag_watch, host, 12 * HOUR + 60)
    last = (await boards(app))[-1]
    assert (last.over, last.lost_after_flag, last.credited) == (True, plays, 5 * DAY)


@pytest.mark.parametrize(("seconds", "told"), [(HOUR, 1), (HOUR - 1, 0)])
async def test_a_short_downtime_is_told_with_the_next_deadline(
    app: App, flag_watch: FlagWatch, host: Host, seconds: int, told: int
) -> None:
    game_id = await begun(app)
    host.passes(seconds)
    await flag_watch.check_flags()
    assert len(await downtime_notices(app)) == told
    assert (await clock_of(app, game_id)).credited == seconds


@pytest.mark.parametrize("away", [0, 2 * DAY])
@pytest.mark.parametrize("jump", [9 * DAY, -9 * DAY])
async def test_a_clock_jump_is_no_downtime(app: App, flag_watch: FlagWatch, host: Host, jump: int, away: int) -> None:
    await begun(app)
    host.passes(away)
    host.now += jump
    await flag_watch.check_flags()
    assert [payload["seconds"] for _, payload in await downtime_notices(app)] == ([away] if away else [])


async def test_a_crash_neither_loses_nor_doubles_a_notice(
    app: App, flag_watch: FlagWatch, host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    await begun(app)

    async def dies(*_: object) -> None:
        raise KeyboardInterrupt

    for where, name, told in ((clocks, "save_running_clocks", 0), (reminders, "plan_reminder", 1)):
        host.passes(DAY)
        monkeypatch.setattr(where, name, dies)
        with pytest.raises(KeyboardInterrupt):
            await flag_watch.check_flags()
        monkeypatch.undo()
        assert len(await downtime_notices(app)) == told
    await flag_watch.check_flags()
    assert [payload["seconds"] for _, payload in await downtime_notices(app)] == [2 * DAY]


def test_a_notice_fits_one_message() -> None:
    games = [(10**6 + game_id, 10**10 + game_id, True) for game_id in range(1000)]
    said = clock_texts.downtime_text(364 * DAY + 23 * HOUR, games)
    assert len(said) < 2000
    named = said.count("#")
    assert named > 40
    assert said.endswith(f" … and {1000 - named} more: **/gipf games** lists yours.")
    assert "more" not in clock_texts.downtime_text(HOUR, games[:named])
