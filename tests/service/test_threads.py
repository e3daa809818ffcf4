"""A game's own thread, as far as Discord has no say in it: what goes there, what waits for it, what stays."""

import pytest
from sqlalchemy import select

from gipfbot.match import Seat, Side, Terms
from gipfbot.rules import PUSHES, STANDARD, Kind
from gipfbot.service.app import App
from gipfbot.service.delivery.threads import ThreadTrouble
from gipfbot.store import tables
from gipfbot.values import THREAD, OutboxRow, Venue

from .conftest import Clock, posting

ANN, BOB = Seat(1, "ann"), Seat(2, "bob")
HOME, CHANNEL, OWN = Venue(10, 20), 20, 77
E1 = PUSHES["e1", "e2", Kind.BASIC]


async def begun(service: App, home: Venue = HOME) -> int:
    """Return a new game that is to have a thread, whose first board is owed."""
    offered, _ = await service.lobby.challenge(ANN, BOB, STANDARD, Side.WHITE, home, Terms(thread=True))
    return (await service.lobby.accept_challenge(offered.challenge.id, BOB))[1].game.id


async def due_thread(service: App, id: int, message: int = OWN) -> OutboxRow:
    """Post the first board of a game; return the row of its thread."""
    (row,) = await owed(service, id, "board")
    board = await posting(service).lease_row(row) or await _claimed(service, row)
    await posting(service).note_delivered(board, message)
    (row,) = await posting(service).deliverable_rows(game=id)
    return await _claimed(service, row)


async def _claimed(service: App, row: int) -> OutboxRow:
    await posting(service).release_leases()
    found = await posting(service).lease_row(row)
    assert found
    return found


async def owed(service: App, id: int, kind: str) -> dict[int, int]:
    """Return what a game still owes of a kind, by row, and to which channel."""
    table = tables.outbox
    async with service.games.store.reading() as db:
        mine = table.c.game == id, table.c.kind == kind, table.c.done_at.is_(None)
        return {row.id: row.channel for row in await db.execute(select(table).where(*mine))}


async def test_only_what_its_own_game_owes_goes_into_a_thread(service: App) -> None:
    mine, other = await begun(service), await begun(service)
    thread = await due_thread(service, mine)
    await service.games.play_actions(mine, ANN.user, [E1])
    await posting(service).note_delivered(thread, OWN)
    assert [*(await owed(service, mine, "board")).values()] == [OWN]
    assert [*(await owed(service, other, "board")).values()] == [CHANNEL]


@pytest.mark.parametrize("back", [0, 5])
async def test_what_waited_for_a_thread_that_is_not_made_follows_at_once(service: App, clock: Clock, back: int) -> None:
    """Unless the host's clock has been set back meanwhile: then it is not due yet, and left to the sweep."""
    id = await begun(service)
    thread = await due_thread(service, id)
    await service.games.play_actions(id, ANN.user, [E1])
    (board,) = await owed(service, id, "board")
    clock.time -= back
    next = await posting(service).note_channel_refusal(thread, "full", ThreadTrouble.FULL)
    assert [row.id for row in next] == ([] if back else [board])
    clock.time += back
    assert not await owed(service, id, THREAD)
    assert await posting(service).deliverable_rows(game=id) == ([board] if back else [])


async def test_without_a_server_there_are_no_threads(service: App) -> None:
    id = await begun(service, Venue(None, 20))
    assert not await owed(service, id, THREAD)
    assert await owed(service, await begun(service), THREAD)


@pytest.mark.parametrize("trouble", [ThreadTrouble.OTHER, ThreadTrouble.UNFIT])
async def test_a_thread_with_which_nothing_is_wrong_is_not_left(service: App, trouble: ThreadTrouble) -> None:
    id = await begun(service)
    await posting(service).note_delivered(await due_thread(service, id), OWN)
    (board,) = (await service.games.play_actions(id, ANN.user, [E1])).owed
    assert await posting(service).note_channel_refusal(board, "failed for a day", trouble) == ()
    stored = await service.games.game(id)
    assert (stored.venue, stored.unreachable) == (Venue(10, OWN, CHANNEL), True)


async def test_a_rematch_of_a_game_in_its_own_thread_belongs_to_the_channel(service: App) -> None:
    """And is promised a thread; in a thread made by others a rematch stays, and is promised none."""
    theirs = Venue(10, 30, CHANNEL)
    id, moved, other = await begun(service), await begun(service), await begun(service, theirs)
    await posting(service).note_delivered(await due_thread(service, id), OWN)
    await posting(service).note_delivered(await due_thread(service, moved, OWN + 1), OWN + 1)
    await service.venues.relocate(moved, theirs)
    for game, home, thread in ((id, HOME, True), (moved, theirs, False), (other, theirs, False)):
        await service.games.resign(game, ANN.user)
        again = (await service.lobby.rematch(game, ANN))[0]
        assert (again.venue, again.challenge.terms.thread) == (home, thread)
