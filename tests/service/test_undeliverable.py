"""Boards that were not taken where they belong, as far as Discord has no say in it."""

import pytest

from gipfbot.match import Clock as GameClock
from gipfbot.match import Seat, Side, Terms, days_per_turn
from gipfbot.match.clock import DAY, HOUR
from gipfbot.rules import PUSHES, STANDARD, Kind
from gipfbot.service.app import App
from gipfbot.service.clock.downtime import note_alive
from gipfbot.service.clock.undeliverable import UNDELIVERABLE, UndeliverableBoards
from gipfbot.store import users
from gipfbot.values import OutboxRow, Venue

from .conftest import Clock, posting

ANN, BOB = Seat(1, "ann"), Seat(2, "bob")
HOME = Venue(10, 20)
E1 = PUSHES["e1", "e2", Kind.BASIC]


@pytest.fixture
def stranded(service: App) -> UndeliverableBoards:
    return UndeliverableBoards(service.games.store, service.now)


async def begun(service: App) -> tuple[int, OutboxRow]:
    """Return a new game of Ann, White, and Bob, with three days for a turn, and its first board."""
    offered, _ = await service.lobby.challenge(ANN, BOB, STANDARD, Side.WHITE, HOME, Terms(days_per_turn(3)))
    done = (await service.lobby.accept_challenge(offered.challenge.id, BOB))[1]
    (board,) = done.owed
    return done.game.id, board


async def letter(service: App) -> OutboxRow:
    """Return the letter that is owed."""
    claimed = [await posting(service).lease_row(row) for row in await posting(service).deliverable_rows()]
    (found,) = [owed for owed in claimed if owed and owed.kind == UNDELIVERABLE]
    return found


async def game_clock(service: App, id: int) -> GameClock:
    found = (await service.games.game(id)).game.clock
    assert found
    return found


async def test_a_letter_is_not_sent_once_the_board_is_tried_again(
    service: App, stranded: UndeliverableBoards, clock: Clock
) -> None:
    id, board = await begun(service)
    await posting(service).note_channel_refusal(board, "forbidden")
    owed = await letter(service)
    assert owed.channel == ANN.user
    found = await stranded.fallback_dm_game(owed)
    assert found
    assert found.id == id
    clock.time += HOUR
    await stranded.retry_due_boards()
    assert await stranded.fallback_dm_game(owed) is None


async def test_nor_once_he_has_played_or_stops_his_clock(service: App, stranded: UndeliverableBoards) -> None:
    id, board = await begun(service)
    await posting(service).note_channel_refusal(board, "forbidden")
    owed = await letter(service)
    await service.games.play_actions(id, ANN.user, [E1])
    assert await stranded.fallback_dm_game(owed) is None
    await posting(service).note_dm_refusal(owed, "forbidden", shut=False)
    assert (await game_clock(service, id)).deadline


async def test_what_an_absence_has_cost_him_is_made_good_before_his_clock_stops(service: App, clock: Clock) -> None:
    id, board = await begun(service)
    async with service.games.store.transaction() as db:
        await note_alive(db, clock.time)
        await users.set_dms_shut(db, ANN.user, True)
    clock.time += 2 * DAY
    await posting(service).note_channel_refusal(board, "forbidden")
    assert (await game_clock(service, id)).paused_left == 3 * DAY


async def test_a_board_is_not_tried_again_while_a_newer_one_is_owed(
    service: App, stranded: UndeliverableBoards, clock: Clock
) -> None:
    id, board = await begun(service)
    await posting(service).note_channel_refusal(board, "forbidden")
    (newer,) = (await service.venues.relocate(id, Venue(10, 21))).owed
    clock.time += HOUR
    await stranded.retry_due_boards()
    await posting(service).release_leases()
    due = [await posting(service).lease_row(row) for row in await posting(service).deliverable_rows(game=id)]
    assert [owed.id for owed in due if owed] == [newer.id]
