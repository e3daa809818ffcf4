"""Boards that their channel refused, without Discord."""

from gipfbot.service.app import App
from gipfbot.service.clock.downtime import note_alive
from gipfbot.service.clock.undeliverable import UNDELIVERABLE, UndeliverableBoards
from gipfbot.store import users
from gipfbot.values import OutboxRow, Venue
from tests.service.helpers import Host, begin_game, clock_of, lease_only
from tests.support.games import E1
from tests.support.people import ANN, BOB, CLUB
from tests.support.terms import THREE_DAYS
from tests.support.times import DAY, HOUR


async def game_and_board(app: App) -> tuple[int, OutboxRow]:
    """Return a new game of Ann, White, and Bob, with three days for a turn, and its first board."""
    update = await begin_game(app, THREE_DAYS)
    (board,) = update.owed
    return update.game.id, board


async def test_a_retried_board_makes_the_fallback_dm_needless(
    app: App, undeliverable: UndeliverableBoards, host: Host
) -> None:
    game_id, board = await game_and_board(app)
    await app.outbox.note_channel_refusal(board, "forbidden")
    owed = await lease_only(app, UNDELIVERABLE)
    assert owed.channel == ANN.user
    found = await undeliverable.fallback_dm_game(owed)
    assert found
    assert found.id == game_id
    host.passes(HOUR)
    await undeliverable.retry_due_boards()
    assert await undeliverable.fallback_dm_game(owed) is None


async def test_a_turn_makes_the_fallback_dm_needless(app: App, undeliverable: UndeliverableBoards) -> None:
    game_id, board = await game_and_board(app)
    await app.outbox.note_channel_refusal(board, "forbidden")
    owed = await lease_only(app, UNDELIVERABLE)
    await app.games.play_actions(game_id, ANN.user, [E1])
    assert await undeliverable.fallback_dm_game(owed) is None
    await app.outbox.note_dm_refusal(owed, "forbidden", shut=False)
    assert (await clock_of(app, game_id)).deadline


async def test_downtime_is_credited_before_the_clock_pauses(app: App, host: Host) -> None:
    game_id, board = await game_and_board(app)
    async with app.games.store.transaction() as db:
        await note_alive(db, host.now)
        await users.set_dms_shut(db, ANN.user, host.now)
    host.passes(2 * DAY)
    await app.outbox.note_channel_refusal(board, "forbidden")
    assert (await clock_of(app, game_id)).paused_left == 3 * DAY


async def test_no_board_is_retried_while_a_newer_one_is_owed(
    app: App, undeliverable: UndeliverableBoards, host: Host
) -> None:
    game_id, board = await game_and_board(app)
    await app.outbox.note_channel_refusal(board, "forbidden")
    (newer,) = (await app.venues.relocate(game_id, Venue(CLUB, 21))).owed
    host.passes(HOUR)
    await undeliverable.retry_due_boards()
    await app.outbox.release_leases()
    due = [await app.outbox.lease_row(row) for row in await app.outbox.deliverable_rows(game=game_id)]
    assert [owed.id for owed in due if owed] == [newer.id]


async def test_a_refused_fallback_dm_is_owed_again_with_its_board(app: App, host: Host) -> None:
    """The board is retried and refused again, so the player still does not know of the turn."""
    _, board = await game_and_board(app)
    await app.outbox.note_channel_refusal(board, "forbidden")
    await app.outbox.note_dm_refusal(await lease_only(app, UNDELIVERABLE), "forbidden", shut=False)
    host.passes(HOUR)
    await app.undeliverable.retry_due_boards()
    again = await app.outbox.lease_row(board.id)
    assert again
    await app.outbox.note_channel_refusal(again, "forbidden")
    assert (await lease_only(app, UNDELIVERABLE)).channel == ANN.user


async def paused_game(app: App, host: Host) -> tuple[int, OutboxRow]:
    """Return a game whose first board is refused, with its row. A day of Ann's time has passed meanwhile."""
    game_id, board = await game_and_board(app)
    async with app.games.store.transaction() as db:
        await users.set_dms_shut(db, ANN.user, host.now)
    await app.outbox.note_channel_refusal(board, "forbidden")
    host.passes(DAY)
    assert (await clock_of(app, game_id)).paused_left == 3 * DAY
    return game_id, board


async def test_clock_runs_once_the_player_has_seen_their_turn(
    app: App, undeliverable: UndeliverableBoards, host: Host
) -> None:
    """On their desk, for example. A later board gives no time for what they knew."""
    game_id, board = await paused_game(app, host)
    await undeliverable.note_turn_seen(game_id, ANN.user, 7)
    assert (await clock_of(app, game_id)).deadline == host.now + 3 * DAY
    seen = host.now
    host.passes(DAY)
    await undeliverable.retry_due_boards()
    (row,) = await app.outbox.deliverable_rows(game=game_id)
    owed = await app.outbox.lease_row(row)
    assert owed
    await app.outbox.note_channel_refusal(owed, "forbidden")
    assert (await clock_of(app, game_id)).deadline == seen + 3 * DAY, "the next refusal pauses nothing"
    assert board.id == owed.id


async def test_opponent_who_looks_starts_no_clock(app: App, undeliverable: UndeliverableBoards, host: Host) -> None:
    game_id, _ = await paused_game(app, host)
    await undeliverable.note_turn_seen(game_id, BOB.user, 7)
    assert (await clock_of(app, game_id)).paused_left == 3 * DAY


async def test_vacation_keeps_the_clock_of_a_seen_turn_paused(
    app: App, undeliverable: UndeliverableBoards, host: Host
) -> None:
    game_id, _ = await paused_game(app, host)
    await app.vacations.start_vacation(ANN.user, 5)
    await undeliverable.note_turn_seen(game_id, ANN.user, 7)
    assert (await clock_of(app, game_id)).paused_left is not None
