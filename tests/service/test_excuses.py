"""What channels are told after the bot was away, on a real database."""

from typing import Any

import pytest
from sqlalchemy import select

from gipfbot.match import Clock, Side, Terms, days_per_turn
from gipfbot.rules import STANDARD, Colour
from gipfbot.service.clock import reminders
from gipfbot.service.clock.downtime_notice import DOWNTIME_NOTICE, owe_downtime_notices
from gipfbot.service.clock.flag_watch import FlagWatch
from gipfbot.service.clock.vacations import Vacations
from gipfbot.service.service import Service, Venue
from gipfbot.store import clocks, tables
from gipfbot.ui.clock import clock_texts

from .test_timekeeping import (
    ANN,
    BOB,
    DAY,
    E1,
    HOME,
    HOUR,
    THREE_DAYS,
    Host,
    begun,
    boards,
    clock,
    host,
    keeper,
    passes,
    service,
)

__all__ = ["host", "keeper", "service"]


async def excuses(service: Service) -> list[tuple[int, dict[str, Any]]]:
    """Return what channels were told: the channel and what the message is made from."""
    async with service.store.reading() as db:
        rows = await db.execute(select(tables.outbox).where(tables.outbox.c.kind == DOWNTIME_NOTICE))
        return [(row.channel, row.payload) for row in rows]


async def elsewhere(service: Service) -> int:
    """Return a game of Ann and Bob in another channel."""
    offered, _ = await service.challenge(ANN, BOB, STANDARD, Side.WHITE, Venue(10, 21), THREE_DAYS)
    return (await service.accept_challenge(offered.challenge.id, BOB))[1].game.id


async def test_each_channel_is_told_once_until_when_there_is_time_in_its_games(
    service: Service, keeper: FlagWatch, host: Host
) -> None:
    late, soon = await begun(service), await begun(service, Terms(days_per_turn(2)))
    other = await elsewhere(service)
    host.passes(5 * DAY)
    for _ in range(2):
        await keeper.check_flags()
    at = {id: (await clock(service, id)).deadline for id in (late, soon, other)}
    assert at == {late: host.now + 3 * DAY, soon: host.now + 2 * DAY, other: host.now + 3 * DAY}
    here = {"seconds": 5 * DAY, "games": [[soon, at[soon], False], [late, at[late], False]]}
    there = {"seconds": 5 * DAY, "games": [[other, at[other], False]]}
    assert await excuses(service) == [(HOME.channel, here), (21, there)]
    said = f"I was away for 5 days. That time is given back: #b1 until <t:{at[soon]}:f> · #a1 until <t:{at[late]}:f>"
    assert clock_texts.downtime_text(**here) == said  # type: ignore[arg-type]


async def test_the_most_urgent_is_named_first_whatever_comes_first_in_the_store(service: Service) -> None:
    async with service.store.transaction() as db:
        running = [
            clocks.RunningClock(id, Colour.WHITE, THREE_DAYS, Clock((DAY, DAY), at), HOME.channel)
            for id, at in ((1, 9), (3, 5), (2, 5))
        ]
        await owe_downtime_notices(db, 0, DAY, running, 0)
    ((_, payload),) = await excuses(service)
    assert payload["games"] == [[2, 5, False], [3, 5, False], [1, 9, False]]


async def test_each_absence_is_told(service: Service, keeper: FlagWatch, host: Host) -> None:
    await begun(service)
    for _ in range(2):
        host.passes(DAY)
        await keeper.check_flags()
    assert [payload["seconds"] for _, payload in await excuses(service)] == [DAY, DAY]


async def test_only_games_whose_clock_runs_are_named_and_those_that_have_a_home(
    service: Service, keeper: FlagWatch, host: Host
) -> None:
    """A grace is called one."""
    late = await begun(service, Terms(days_per_turn(1)))
    await passes(keeper, host, DAY + 60)
    untimed, stands, homeless = await begun(service, Terms()), await begun(service), await begun(service)
    await service.play_actions(stands, ANN.user, [E1])
    await Vacations(service.store, service.now).start_vacation(BOB.user, 9)
    await service.note_unreachable(homeless, "a player left")
    host.passes(DAY)
    await keeper.check_flags()
    ((_, payload),) = await excuses(service)
    assert payload["games"] == [[late, (await clock(service, late)).deadline, True]]
    assert untimed


@pytest.mark.parametrize("plays", [False, True])
async def test_the_last_board_of_a_game_lost_on_time_keeps_what_had_been_given_back(
    service: Service, keeper: FlagWatch, host: Host, plays: bool
) -> None:
    """Whether a turn came after the flag had fallen, or none."""
    id = await begun(service)
    host.passes(5 * DAY)
    await keeper.check_flags()
    await passes(keeper, host, 3 * DAY + 60)
    if plays:
        await service.play_actions(id, ANN.user, [E1], sure=True)
    else:
        await passes(keeper, host, 12 * HOUR + 60)
    last = (await boards(service))[-1]
    assert (last.over, last.lost_after_flag, last.credited) == (True, plays, 5 * DAY)


@pytest.mark.parametrize(("seconds", "told"), [(HOUR, 1), (HOUR - 1, 0)])
async def test_a_short_absence_is_told_with_the_next_deadline_only(
    service: Service, keeper: FlagWatch, host: Host, seconds: int, told: int
) -> None:
    id = await begun(service)
    host.passes(seconds)
    await keeper.check_flags()
    assert len(await excuses(service)) == told
    assert (await clock(service, id)).credited == seconds


@pytest.mark.parametrize("away", [0, 2 * DAY])
@pytest.mark.parametrize("jump", [9 * DAY, -9 * DAY])
async def test_a_jump_of_the_hosts_clock_is_no_absence_and_no_part_of_one(
    service: Service, keeper: FlagWatch, host: Host, jump: int, away: int
) -> None:
    await begun(service)
    host.passes(away)
    host.now += jump
    await keeper.check_flags()
    assert [payload["seconds"] for _, payload in await excuses(service)] == ([away] if away else [])


async def test_a_crash_neither_loses_nor_doubles_it(
    service: Service, keeper: FlagWatch, host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    await begun(service)

    async def dies(*_: object) -> None:
        raise KeyboardInterrupt

    for where, name, told in ((clocks, "save_running_clocks", 0), (reminders, "plan_reminder", 1)):
        host.passes(DAY)
        monkeypatch.setattr(where, name, dies)
        with pytest.raises(KeyboardInterrupt):
            await keeper.check_flags()
        monkeypatch.undo()
        assert len(await excuses(service)) == told
    await keeper.check_flags()
    assert [payload["seconds"] for _, payload in await excuses(service)] == [2 * DAY]


def test_it_fits_one_message_however_many_games_there_are() -> None:
    games = [(10**6 + id, 10**10 + id, True) for id in range(1000)]
    said = clock_texts.downtime_text(364 * DAY + 23 * HOUR, games)
    assert len(said) < 2000
    named = said.count("#")
    assert named > 40
    assert said.endswith(f" … and {1000 - named} more: **/gipf games** lists yours.")
    assert "more" not in clock_texts.downtime_text(HOUR, games[:named])
