"""A game's own thread, without Discord: what goes there, what waits for it, what stays."""

import pytest
from sqlalchemy import select

from gipfbot.match import Terms
from gipfbot.service.app import App
from gipfbot.service.delivery.venues import ThreadTrouble
from gipfbot.store import tables
from gipfbot.values import THREAD, OutboxRow, Venue
from tests.service.helpers import Host, begin_game
from tests.support.games import E1
from tests.support.people import ANN, CLUB, HALL, HOME

OWN = 77


async def threaded_game(app: App, venue: Venue = HOME) -> int:
    """Return a new game that will get a thread, whose first board is owed."""
    return (await begin_game(app, Terms(thread=True), venue=venue)).game.id


async def due_thread(app: App, game_id: int, message: int = OWN) -> OutboxRow:
    """Post the first board of a game; return the row of its thread."""
    (row,) = await owed(app, game_id, "board")
    board = await app.outbox.lease_row(row) or await _claimed(app, row)
    await app.outbox.note_delivered(board, message)
    (row,) = await app.outbox.deliverable_rows(game=game_id)
    return await _claimed(app, row)


async def _claimed(app: App, row: int) -> OutboxRow:
    await app.outbox.release_leases()
    found = await app.outbox.lease_row(row)
    assert found
    return found


async def owed(app: App, game_id: int, kind: str) -> dict[int, int]:
    """Return what a game still owes of a kind, by row, and to which channel."""
    table = tables.outbox
    async with app.games.store.reading() as db:
        mine = table.c.game == game_id, table.c.kind == kind, table.c.done_at.is_(None)
        return {row.id: row.channel for row in await db.execute(select(table).where(*mine))}


async def test_only_its_own_games_messages_go_into_a_thread(app: App) -> None:
    mine, other = await threaded_game(app), await threaded_game(app)
    thread = await due_thread(app, mine)
    await app.games.play_actions(mine, ANN.user, [E1])
    await app.outbox.note_delivered(thread, OWN)
    assert [*(await owed(app, mine, "board")).values()] == [OWN]
    assert [*(await owed(app, other, "board")).values()] == [HALL]


@pytest.mark.parametrize("back", [0, 5])
async def test_messages_waiting_for_a_refused_thread_follow_at_once(app: App, host: Host, back: int) -> None:
    """Unless the host's clock was set back meanwhile: then they are not due yet, and left to the sweep."""
    game_id = await threaded_game(app)
    thread = await due_thread(app, game_id)
    await app.games.play_actions(game_id, ANN.user, [E1])
    (board,) = await owed(app, game_id, "board")
    host.now -= back
    following = await app.outbox.note_channel_refusal(thread, "full", ThreadTrouble.FULL)
    assert [row.id for row in following] == ([] if back else [board])
    host.passes(back)
    assert not await owed(app, game_id, THREAD)
    assert await app.outbox.deliverable_rows(game=game_id) == ([board] if back else [])


async def test_without_a_server_no_thread_is_owed(app: App) -> None:
    game_id = await threaded_game(app, Venue(None, 20))
    assert not await owed(app, game_id, THREAD)
    assert await owed(app, await threaded_game(app), THREAD)


@pytest.mark.parametrize("trouble", [ThreadTrouble.OTHER, ThreadTrouble.UNFIT])
async def test_a_sound_thread_is_not_left(app: App, trouble: ThreadTrouble) -> None:
    game_id = await threaded_game(app)
    await app.outbox.note_delivered(await due_thread(app, game_id), OWN)
    (board,) = (await app.games.play_actions(game_id, ANN.user, [E1])).owed
    assert await app.outbox.note_channel_refusal(board, "failed for a day", trouble) == ()
    stored = await app.games.game(game_id)
    assert (stored.venue, stored.unreachable) == (Venue(CLUB, OWN, HALL), True)


async def test_a_rematch_leaves_its_games_own_thread(app: App) -> None:
    """It gets a thread of its own. In a thread made by others a rematch stays, and gets none."""
    theirs = Venue(CLUB, 30, HALL)
    game_id, moved, other = await threaded_game(app), await threaded_game(app), await threaded_game(app, theirs)
    await app.outbox.note_delivered(await due_thread(app, game_id), OWN)
    await app.outbox.note_delivered(await due_thread(app, moved, OWN + 1), OWN + 1)
    await app.venues.relocate(moved, theirs)
    for game, home, thread in ((game_id, HOME, True), (moved, theirs, False), (other, theirs, False)):
        await app.games.resign(game, ANN.user)
        again = (await app.lobby.rematch(game, ANN))[0]
        assert (again.venue, again.challenge.terms.thread) == (home, thread)


async def test_a_thread_without_a_board_can_be_owed_again(app: App) -> None:
    """There was no board to make it from, so its row is deleted."""
    game_id = await threaded_game(app)
    thread = await due_thread(app, game_id)
    await app.outbox.note_delivered(thread, None)
    async with app.games.store.reading() as db:
        rows = (await db.execute(select(tables.outbox).where(tables.outbox.c.kind == THREAD))).all()
    assert rows == []
