"""Flags that fall, time given back, and a new game after a repetition, on a real database."""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from sqlalchemy import insert, select, update

from gipfbot import match
from gipfbot.match import Clock, Refused, Seat, Side, Status, Terms, TimeControl, Why, days_per_turn
from gipfbot.notation import parse_position
from gipfbot.rules import BASIC, PUSHES, STANDARD, Colour, Kind, Reason, Result, Ruleset
from gipfbot.service.clock import reminders
from gipfbot.service.clock.flag_watch import LAST_ALIVE_KEY, FlagWatch
from gipfbot.service.kit import batches
from gipfbot.service.play.board_message import BoardMessage, unpack_board
from gipfbot.service.requests.claim_win import CLAIM_WIN
from gipfbot.service.service import Service, Venue
from gipfbot.store import Connection, Store, clocks, due, meta, tables
from tests.service.test_service import put

from .conftest import posted

ANN, BOB = Seat(1, "ann"), Seat(2, "bob")
HOME = Venue(10, 20)
HOUR, DAY = 3600, 24 * 3600
THREE_DAYS = Terms(days_per_turn(3))
SAVING = Terms(TimeControl(10 * DAY, DAY, 12 * DAY))
E1 = PUSHES["e1", "e2", Kind.BASIC]


@dataclass
class Host:
    """The host's clock, which a test moves, and what has really passed, which nobody can set."""

    now: int = 1_800_000_000
    ticks: float = 0

    def passes(self, seconds: int) -> None:
        """Let time pass."""
        self.now += seconds
        self.ticks += seconds


@pytest.fixture
def host() -> Host:
    return Host()


@pytest.fixture
async def service(tmp_path: Path, host: Host) -> AsyncIterator[Service]:
    store = await Store.open_database(f"sqlite+aiosqlite:///{tmp_path}/games.sqlite3")
    yield Service(store, lambda: host.now, lambda: True)
    await store.close()


@pytest.fixture
async def keeper(service: Service, host: Host) -> FlagWatch:
    found = FlagWatch(service.store, lambda: host.now, lambda: host.ticks)
    await found.check_flags()
    return found


async def begun(service: Service, terms: Terms = THREE_DAYS, rules: Ruleset = STANDARD) -> int:
    """Return a game of Ann, White, and Bob, whose first board is posted."""
    offered, _ = await service.challenge(ANN, BOB, rules, Side.WHITE, HOME, terms)
    id = (await service.accept_challenge(offered.challenge.id, BOB))[1].game.id
    await posted(service.store)
    return id


async def passes(keeper: FlagWatch, host: Host, seconds: int) -> None:
    """Let time pass in which the bot lives and has posted all boards, and let it look at all clocks in the end."""
    await posted(keeper.store)
    host.passes(seconds - 60)
    async with keeper.store.transaction() as db:
        await meta.save_value(db, LAST_ALIVE_KEY, str(host.now))
    host.passes(60)
    await keeper.check_flags()


async def boards(service: Service) -> list[BoardMessage]:
    """Return all boards that are owed, oldest first."""
    async with service.store.reading() as db:
        rows = await db.execute(select(tables.outbox).order_by(tables.outbox.c.id))
        return [unpack_board(row.game, row.payload) for row in rows if row.kind == "board"]


async def test_the_clock_runs_from_the_start_and_each_board_says_until_when(service: Service, host: Host) -> None:
    id = await begun(service)
    host.passes(DAY)
    done = await service.play_actions(id, ANN.user, [E1])
    assert (await service.game(id)).game.clock == done.game.clock
    assert [board.deadline for board in await boards(service)] == [host.now + 2 * DAY, host.now + 3 * DAY]


async def test_without_a_pace_no_time_runs(service: Service, keeper: FlagWatch, host: Host) -> None:
    id = await begun(service, Terms())
    await passes(keeper, host, 1000 * DAY)
    assert (await service.game(id)).game.asked is Colour.WHITE
    assert (await boards(service))[-1].deadline is None


async def test_faq_11_a_fallen_flag_leaves_one_grace_and_a_turn_that_does_not_win_loses(
    service: Service, keeper: FlagWatch, host: Host
) -> None:
    id = await begun(service)
    await passes(keeper, host, 3 * DAY)
    assert not (await boards(service))[-1].flagged
    await passes(keeper, host, 60)
    board = (await boards(service))[-1]
    assert (board.flagged, board.deadline) == (True, host.now + 12 * HOUR)
    await passes(keeper, host, HOUR)
    assert len(await boards(service)) == 2, "it is told once"
    with pytest.raises(Refused) as refused:
        await service.play_actions(id, ANN.user, [E1])
    assert (refused.value.why, (await service.game(id)).game.turn_number) == (Why.LOSES_ON_TIME, 0)
    done = await service.play_actions(id, ANN.user, [E1], sure=True)
    assert done.turn
    assert done.game.position.result == Result(Colour.BLACK, Reason.TIME)
    assert (await service.game(id)).game.status is Status.OVER


async def test_faq_11_a_turn_that_wins_after_the_flag_fell_has_won(
    service: Service, keeper: FlagWatch, host: Host
) -> None:
    id = await begun(service)
    stored = await service.game(id)
    position = parse_position("standard w W=Gb3,d2,d3,d4,d5 B=Gd6,h3 reserve=12-15 captured=0-0")
    await put(service, stored, position=position)
    await passes(keeper, host, 3 * DAY + 60)
    done = await service.play_typed(id, ANN.user, "xd2,d3,d4,d5,Gd6")
    assert done.game.position.result == Result(Colour.WHITE, Reason.GIPF)
    assert done.game.clock is None


async def test_a_grace_that_is_over_loses_on_time(service: Service, keeper: FlagWatch, host: Host) -> None:
    id = await begun(service)
    await passes(keeper, host, 3 * DAY + 60)
    await passes(keeper, host, 12 * HOUR + 60)
    game = (await service.game(id)).game
    assert (game.status, game.position.result) == (Status.OVER, Result(Colour.BLACK, Reason.TIME))
    assert (await boards(service))[-1].over
    with pytest.raises(Refused) as refused:
        await service.play_actions(id, ANN.user, [E1])
    assert refused.value.why is Why.OVER
    await passes(keeper, host, DAY)
    assert len(await boards(service)) == 3


async def test_without_grace_the_flag_decides(service: Service, keeper: FlagWatch, host: Host) -> None:
    id = await begun(service, Terms(days_per_turn(1), grace=0))
    await passes(keeper, host, DAY + 60)
    assert (await service.game(id)).game.position.result == Result(Colour.BLACK, Reason.TIME)


async def test_a_turn_that_comes_before_the_look_is_in_time(service: Service, host: Host) -> None:
    """Only a look lets a flag fall: nobody loses whom the bot has not told that his time is over."""
    id = await begun(service)
    host.passes(3 * DAY + 1)
    done = await service.play_actions(id, ANN.user, [E1])
    assert done.game.asked is Colour.BLACK
    assert done.game.clock == Clock((3 * DAY, 3 * DAY), host.now + 3 * DAY)


@pytest.mark.parametrize("jump", [10 * DAY, 365 * DAY])
async def test_who_plays_right_after_the_hosts_clock_has_jumped_does_not_lose(
    service: Service, keeper: FlagWatch, host: Host, jump: int
) -> None:
    id = await begun(service)
    await passes(keeper, host, DAY)
    host.now += jump
    assert (await service.play_actions(id, ANN.user, [E1])).game.asked is Colour.BLACK
    assert not await keeper.check_flags()
    assert (await service.game(id)).game.asked is Colour.BLACK


async def test_who_plays_right_after_an_absence_of_the_bot_does_not_lose(
    service: Service, keeper: FlagWatch, host: Host
) -> None:
    id = await begun(service)
    await passes(keeper, host, DAY)
    host.passes(30 * DAY)
    assert (await service.play_actions(id, ANN.user, [E1])).game.asked is Colour.BLACK


async def test_time_in_which_the_bot_was_away_is_given_back_and_told(
    service: Service, keeper: FlagWatch, host: Host
) -> None:
    id = await begun(service)
    await passes(keeper, host, DAY)
    host.passes(30 * DAY)
    again = FlagWatch(service.store, lambda: host.now, lambda: host.ticks)
    await again.check_flags()
    clock = (await service.game(id)).game.clock
    assert clock
    assert (clock.deadline, clock.credited, clock.flagged) == (host.now + 2 * DAY, 30 * DAY, False)
    await service.play_actions(id, ANN.user, [E1])
    assert (await boards(service))[-1].credited == 0


async def test_a_short_pause_of_the_bot_is_no_absence(service: Service, keeper: FlagWatch, host: Host) -> None:
    id = await begun(service)
    before = (await service.game(id)).game.clock
    host.passes(90)
    await keeper.check_flags()
    assert (await service.game(id)).game.clock == before


async def test_a_look_that_takes_long_is_no_absence(service: Service, keeper: FlagWatch, host: Host) -> None:
    """While it does what is due, the bot notes that it is there."""
    id = await begun(service)
    before = await clock(service, id)
    for _ in range(5):
        host.passes(100)
        await keeper.note_heartbeat()
    host.passes(100)
    await keeper.check_flags()
    assert await clock(service, id) == before


async def test_an_absence_is_not_hidden_by_whatever_wakes_first(
    service: Service, keeper: FlagWatch, host: Host
) -> None:
    id = await begun(service)
    host.passes(2 * DAY)
    await keeper.note_heartbeat()
    await keeper.check_flags()
    assert (await clock(service, id)).credited == 2 * DAY


async def test_nor_is_a_clock_that_was_set_back(service: Service, keeper: FlagWatch, host: Host) -> None:
    """All clocks go along with it in the next look."""
    id = await begun(service)
    await passes(keeper, host, DAY)
    host.now -= 10 * DAY
    await keeper.note_heartbeat()
    await keeper.check_flags()
    assert (await clock(service, id)).deadline == host.now + 2 * DAY


@pytest.mark.parametrize("jump", [10 * DAY, 301])
async def test_after_a_jump_of_the_hosts_clock_no_flag_falls_until_the_next_look(
    service: Service, keeper: FlagWatch, host: Host, jump: int
) -> None:
    id = await begun(service, Terms(days_per_turn(1)))
    await passes(keeper, host, DAY)
    host.now += jump
    await keeper.check_flags()
    assert not (await clock(service, id)).flagged
    await passes(keeper, host, 60)
    assert (await clock(service, id)).flagged


async def test_a_jump_that_is_taken_back_does_no_harm(service: Service, keeper: FlagWatch, host: Host) -> None:
    id = await begun(service)
    before = (await service.game(id)).game.clock
    for jump in (10 * DAY, -10 * DAY):
        host.now += jump
        await keeper.check_flags()
    await passes(keeper, host, 60)
    assert (await service.game(id)).game.clock == before


@pytest.mark.parametrize("jump", [2 * DAY, -2 * DAY, 301, -301])
async def test_a_jump_of_the_hosts_clock_takes_no_time_from_anybody_and_gives_none(
    service: Service, keeper: FlagWatch, host: Host, jump: int
) -> None:
    """Everybody has left what he had before, and nobody is told that the bot was out of reach."""
    saved = Terms(TimeControl(DAY, DAY, 9 * DAY), grace=0)
    ids = [await begun(service, saved) for _ in range(2)]
    await service.play_actions(ids[1], ANN.user, [E1])
    await passes(keeper, host, DAY // 2)
    host.now += jump
    host.passes(10)
    assert not await keeper.check_flags()
    assert await keeper.check_flags()
    for id in ids:
        found = await clock(service, id)
        assert (found.deadline, found.credited) == (host.now + DAY // 2 - 10, 0)


async def test_an_absence_in_which_the_hosts_clock_was_set_is_given_back_all_the_same(
    service: Service, keeper: FlagWatch, host: Host
) -> None:
    id = await begun(service, Terms(days_per_turn(1)))
    await passes(keeper, host, HOUR)
    host.passes(5 * DAY)
    host.now -= 6 * DAY
    await keeper.check_flags()
    assert (await clock(service, id)).deadline == host.now + 23 * HOUR


async def test_who_plays_after_the_hosts_clock_was_set_back_and_before_it_is_noticed_costs_nobody_anything(
    service: Service, keeper: FlagWatch, host: Host
) -> None:
    """The time of a turn that begins then, of a game that begins then, is counted from no earlier than before."""
    id = await begun(service, SAVING)
    await passes(keeper, host, DAY)
    host.now -= 4 * DAY
    await service.play_actions(id, ANN.user, [E1])
    other = await begun(service, SAVING)
    await keeper.check_flags()
    assert await clock(service, id) == Clock((10 * DAY, 10 * DAY), host.now + 10 * DAY)
    assert (await clock(service, other)).deadline == host.now + 10 * DAY


async def test_a_claim_is_put_off_by_a_clock_that_goes_on_by_leaps_and_not_hastened_by_one_set_back(
    service: Service, keeper: FlagWatch, host: Host
) -> None:
    async with service.store.transaction() as db:
        await due.schedule(db, "claim_win:1:1", CLAIM_WIN, host.now + DAY, ANN.user)
    at = host.now + DAY
    for jump, expected in ((2 * DAY, at + 2 * DAY), (-2 * DAY, at + 2 * DAY)):
        host.now += jump
        await keeper.check_flags()
        async with service.store.reading() as db:
            assert await due.scheduled_for(db, "claim_win:1:1") == expected


async def test_two_absences_in_one_turn_are_both_told(service: Service, keeper: FlagWatch, host: Host) -> None:
    id = await begun(service)
    for _ in range(2):
        host.passes(DAY)
        await keeper.check_flags()
    assert (await clock(service, id)).credited == 2 * DAY


async def test_r6_3_the_game_after_a_repetition_has_swapped_colours_and_the_remaining_time(
    service: Service, host: Host
) -> None:
    id = await begun(service, SAVING, BASIC)
    stored = await service.game(id)
    host.passes(DAY)
    turn = match.perform(stored.game, ANN.user, [E1]).turn
    assert turn
    async with service.store.transaction() as db:
        await repeat(db, id, match.position_hash(turn.after))
    host.passes(DAY)
    done = await service.play_actions(id, ANN.user, [E1])
    assert done.game.position.result == Result(None, Reason.REPETITION)
    again = (await service.game(id + 1)).game
    assert (again.seats, again.terms, again.status) == ((BOB, ANN), SAVING, Status.RUNNING)
    assert again.clock
    assert again.clock.bank == (10 * DAY, 9 * DAY)
    void, first = (await boards(service))[-2:]
    assert (void.followed_by, first.game, first.deadline) == (again.id, again.id, host.now + 10 * DAY)


async def clock(service: Service, id: int) -> Clock:
    found = (await service.game(id)).game.clock
    assert found
    return found


async def repeat(db: Connection, id: int, hash: str) -> None:
    """Make it as if this position had stood twice before in a game."""
    for number in (-1, -2):
        row = {"game": id, "turn_number": number, "colour": 0, "text": "", "actions": "", "by": 0, "how": ""}
        await db.execute(insert(tables.turns).values(**row, played_at=0, position_hash=hash))


async def test_who_plays_before_the_bot_notices_its_absence_keeps_the_time_he_had_saved(
    service: Service, keeper: FlagWatch, host: Host
) -> None:
    """And his opponent, whose time runs since then, gets nothing on top."""
    id = await begun(service, SAVING)
    await passes(keeper, host, DAY)
    host.passes(5 * DAY)
    await service.play_actions(id, ANN.user, [E1])
    await keeper.check_flags()
    assert (await clock(service, id)).bank == (10 * DAY, 10 * DAY)
    assert (await clock(service, id)).deadline == host.now + 10 * DAY


async def test_one_game_that_cannot_be_served_stops_none_of_the_others(
    service: Service, keeper: FlagWatch, host: Host, caplog: pytest.LogCaptureFixture
) -> None:
    """It is tried once in each look."""
    first, broken, last = [await begun(service) for _ in range(3)]
    async with service.store.transaction() as db:
        await db.execute(update(tables.games).where(tables.games.c.id == broken).values(position="mush"))
    await passes(keeper, host, 3 * DAY + 60)
    assert [(await clock(service, id)).flagged for id in (first, last)] == [True, True]
    assert [record.getMessage() for record in caplog.records] == [f"{broken} failed"]


async def test_what_a_crash_leaves_of_an_absence_is_made_up_for(
    service: Service, keeper: FlagWatch, host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each clock gets its share once, and each reminder follows, wherever the process died."""
    ids = [await begun(service) for _ in range(3)]
    due_at = await reminders_due(service)

    async def dies(*_: object) -> None:
        raise KeyboardInterrupt

    for where, name, given in ((clocks, "save_running_clocks", 0), (reminders, "plan_reminder", 2 * DAY)):
        host.passes(DAY)
        monkeypatch.setattr(where, name, dies)
        with pytest.raises(KeyboardInterrupt):
            await keeper.check_flags()
        monkeypatch.undo()
        assert {(await clock(service, id)).credited for id in ids} == {given}
    await keeper.check_flags()
    assert {(await clock(service, id)).credited for id in ids} == {2 * DAY}
    assert await reminders_due(service) == [at + 2 * DAY for at in due_at]


async def reminders_due(service: Service) -> list[int]:
    async with service.store.reading() as db:
        return [*await db.scalars(select(tables.due.c.at).order_by(tables.due.c.game))]


async def test_all_that_is_overdue_is_served_in_one_look(
    service: Service, keeper: FlagWatch, host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(batches, "BATCH_SIZE", 2)
    ids = [await begun(service) for _ in range(5)]
    await passes(keeper, host, 3 * DAY + 60)
    assert all([(await clock(service, id)).flagged for id in ids])
