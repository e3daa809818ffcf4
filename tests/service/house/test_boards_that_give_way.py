"""In a game against the bot, a board that is owed and was never tried gives way to a newer one."""

from collections.abc import Awaitable, Callable

import pytest
from sqlalchemy import select, update

from gipfbot.match import Side, Status
from gipfbot.notation import turn_text
from gipfbot.rules import legal
from gipfbot.service.app import App
from gipfbot.service.delivery.board_message import BOARD, BoardMessage, board_of, unpack_board
from gipfbot.service.kit.loaded_games import GameUpdate
from gipfbot.service.requests.game_requests import TAKEBACK
from gipfbot.store import outbox, tables
from gipfbot.ui.kit.turn_words import pressed_turn
from gipfbot.values import GivesWay
from tests.service.helpers import begin_game, deliver
from tests.support.engines import EngineInThread
from tests.support.people import ANN, BOB

from .helpers import act, begin, game

Ended = Callable[[App, int], Awaitable[GameUpdate]]


async def play(app: App, game_id: int) -> str:
    """Play a turn of Ann, and let the bot answer. Return her turn as records write it."""
    stored = await game(app, game_id)
    played = await app.games.play_actions(game_id, ANN.user, legal(stored.game.current)[:1])
    assert played.turn
    await act(app)
    return turn_text(played.turn.before, played.turn.actions)


async def rows(app: App, game_id: int) -> list[tuple[int, str]]:
    """Return the turn number of each board of a game, and whether it was posted, is owed or gave way."""
    t = tables.outbox.c
    query = select(t.payload, t.message, t.done_at, t.dropped).where(t.game == game_id, t.kind == BOARD).order_by(t.id)
    async with app.games.store.reading() as db:
        found = (await db.execute(query)).all()
    states = {outbox.GAVE_WAY: "gave way", None: "owed"}
    return [(row.payload["turn_number"], "posted" if row.message else states[row.dropped]) for row in found]


async def last_board(app: App, game_id: int) -> BoardMessage:
    """Return the newest board of a game, owed or settled."""
    t = tables.outbox.c
    query = select(t.payload).where(t.game == game_id, t.kind == BOARD).order_by(t.id.desc()).limit(1)
    async with app.games.store.reading() as db:
        return unpack_board(game_id, (await db.scalars(query)).one())


async def test_owed_board_gives_way_to_a_newer_one(app: App) -> None:
    """The first never does. The newest tells the turns of those that gave way."""
    begun = await begin(app)
    game_id = begun.game.id
    await app.outbox.put_back(begun.owed[0])
    hers = [await play(app, game_id) for _ in range(3)]
    gone = [(number, "gave way") for number in range(1, 6)]
    assert await rows(app, game_id) == [(0, "owed"), *gone, (6, "owed")]
    untold = (await last_board(app, game_id)).turns_before
    assert [pressed_turn(turn.actions) for turn in untold[::2]] == ["a1 → b2"] * 3
    assert [turn.number for turn in untold] == [1, 2, 3, 4, 5]
    assert [turn.text for turn in untold[::2]] == hers == ["a1-c3", "a1-d4", "a1-e5"]


async def test_board_tells_who_has_played_for_the_engine_instead(app: App, engine: EngineInThread) -> None:
    """The board that said so gave way to it."""
    game_id = (await begin(app)).game.id
    engine.faults = ["It ended."] * 3
    await play(app, game_id)
    assert (await last_board(app, game_id)).by_rules
    await play(app, game_id)
    newest = await last_board(app, game_id)
    assert (newest.by_rules, newest.turn_number) == (True, 4)
    async with app.games.store.transaction() as db:
        await db.execute(update(tables.outbox).values(done_at=1, message=tables.outbox.c.id))
    await play(app, game_id)
    assert not (await last_board(app, game_id)).by_rules


async def test_posted_and_tried_boards_do_not_give_way(app: App) -> None:
    """One that is leased may be on Discord already, even if its deliverer was killed."""
    begun = await deliver(app, await begin(app))
    game_id = begun.game.id
    stored = await game(app, game_id)
    await deliver(app, await app.games.play_actions(game_id, ANN.user, legal(stored.game.current)[:1]))
    done = await act(app)
    (tried,) = done[-1].owed
    assert board_of(tried).turn_number == 2
    await play(app, game_id)
    await play(app, game_id)
    kept = [(0, "posted"), (1, "posted"), (2, "owed")]
    assert await rows(app, game_id) == [*kept, (3, "gave way"), (4, "gave way"), (5, "gave way"), (6, "owed")]
    async with app.games.store.transaction() as db:
        await outbox.release_leases(db)
    await play(app, game_id)
    assert (await rows(app, game_id))[:3] == kept


async def resign(app: App, game_id: int) -> GameUpdate:
    return await app.games.resign(game_id, ANN.user)


async def cancel(app: App, game_id: int) -> GameUpdate:
    return await app.games.cancel_game(game_id, ANN.user)


@pytest.mark.parametrize(("end", "turns"), [(resign, 2), (cancel, 0)])
async def test_last_board_tells_the_turns_without_a_board(app: App, end: Ended, turns: int) -> None:
    """It never gives way itself."""
    game_id = (await begin(app)).game.id
    for _ in range(turns):
        await play(app, game_id)
    if not turns:
        stored = await game(app, game_id)
        await app.games.play_actions(game_id, ANN.user, legal(stored.game.current)[:1])
    ended = await end(app, game_id)
    assert ended.game.status is not Status.RUNNING
    states = [state for _, state in await rows(app, game_id)]
    assert states == ["owed", *["gave way"] * (len(states) - 2), "owed"]
    last = await last_board(app, game_id)
    assert last.over
    assert last.gives_way is GivesWay.TO_PEOPLE
    assert [turn.number for turn in last.turns_before] == [*range(1, max(2 * turns, 1) + 1)]


async def test_takeback_is_always_told(app: App) -> None:
    game_id = (await begin(app)).game.id
    await play(app, game_id)
    await play(app, game_id)
    await app.requests.make(TAKEBACK, game_id, ANN.user)
    back = await last_board(app, game_id)
    assert (back.turn_number, len(back.turns_taken_back)) == (2, 2)
    assert [turn.number for turn in back.turns_before] == [1, 2]
    await play(app, game_id)
    assert [state for _, state in await rows(app, game_id)] == ["owed", *["gave way"] * 4, "owed", "gave way", "owed"]


async def test_boards_between_people_never_give_way(app: App) -> None:
    game_id = (await begin_game(app)).game.id
    for player in (ANN, BOB, ANN):
        stored = await game(app, game_id)
        await app.games.play_actions(game_id, player.user, legal(stored.game.current)[:1])
    assert await rows(app, game_id) == [(number, "owed") for number in range(4)]
    assert (await last_board(app, game_id)).turns_before == ()


async def test_what_is_no_board_never_gives_way(app: App) -> None:
    game_id = (await begin(app)).game.id
    await play(app, game_id)
    async with app.games.store.transaction() as db:
        row = await outbox.owe(db, "nudge:1", "nudge", 7, {}, app.games.now(), game_id, by=ANN.user)
    await play(app, game_id)
    async with app.games.store.reading() as db:
        assert await outbox.is_owed_to(db, row, 7)


@pytest.mark.parametrize("side", [Side.WHITE, Side.BLACK])
async def test_boards_of_the_bot_are_caused_by_the_person(app: App, side: Side) -> None:
    begun = await deliver(app, await begin(app, side))
    await act(app)
    async with app.games.store.transaction() as db:
        await db.execute(update(tables.outbox).values(leased_until=None))
    await play(app, begun.game.id)
    async with app.games.store.reading() as db:
        owed = tables.outbox.c.done_at.is_(None)
        assert {*await db.scalars(select(tables.outbox.c.caused_by).where(owed))} == {ANN.user}


async def test_boards_between_people_are_caused_by_who_acts(app: App) -> None:
    begun = await begin_game(app)
    played = await app.games.play_actions(begun.game.id, ANN.user, legal(begun.game.current)[:1])
    ended = await app.games.resign(played.game.id, BOB.user)
    async with app.games.store.reading() as db:
        boards = select(tables.outbox.c.caused_by).where(tables.outbox.c.kind == BOARD).order_by(tables.outbox.c.id)
        assert [*await db.scalars(boards)] == [BOB.user, ANN.user, BOB.user]
    assert ended.game.status is not Status.RUNNING
