"""The bot does not answer what stands in a running game of its opponent against a person, and goes on by itself."""

from collections.abc import Awaitable, Callable
from dataclasses import replace

import pytest
from sqlalchemy import delete, select, update

from gipfbot.engines.worker import OWN, SEAT
from gipfbot.match import UNTIMED, House, RequestState, Side, Status, Terms, decide_plainly, position_after
from gipfbot.notation import parse_turn
from gipfbot.rules import OVERBOARD, STANDARD, Position, start
from gipfbot.rules.symmetries import SYMMETRIES
from gipfbot.service.app import App, create_app
from gipfbot.service.house.fair_play import HELD, LOOK_AGAIN_SECONDS
from gipfbot.service.house.house_player import LEASE_SECONDS, HouseDone
from gipfbot.service.play.turn import HOUSE
from gipfbot.service.requests.game_requests import DRAW, TAKEBACK
from gipfbot.store import Store, due, games, tables, users
from gipfbot.values import NO_LIMITS, DueWork
from tests.service.helpers import Host, begin_game, begun, delete_all, messages, play_on, posted, put
from tests.service.house.helpers import BOT, act, game, placed, planned
from tests.support.engines import EngineInThread
from tests.support.games import OPENING
from tests.support.images import image, turn_image
from tests.support.people import ANN, BOB, CARA, HOME
from tests.support.times import MONTH

SIX = 6  # turns of the opening; then White, Ann, has to play


def stands(turns: int) -> Position:
    """Return the position after so many turns of the opening."""
    position = start(STANDARD)
    for text in OPENING[:turns]:
        position = position_after(position, parse_turn(position, text))
    return position


async def rated(app: App, turns: int = SIX) -> int:
    """Return a game of Ann, White, and Bob after so many turns of the opening."""
    standing = await begun(app, UNTIMED)
    await play_on(app, standing, *OPENING[:turns])
    await posted(app.games.store)
    return standing


async def copied(app: App, turns: int = SIX) -> int:
    """Return a game against the bot in which Ann has just played the last of so many turns of the opening."""
    side = Side.WHITE if turns % 2 else Side.BLACK
    against_bot = await placed(app, stands(turns - 1), side=side)
    await app.games.play_typed(against_bot, ANN.user, OPENING[turns - 1])
    await posted(app.games.store)
    return against_bot


async def due_work(app: App) -> frozenset[str]:
    """Return what a sweep would do."""
    return await app.what_is_due(app.now()) & {HOUSE, DueWork.HELD_TURNS}


async def sweep(app: App) -> list[HouseDone]:
    """Do what a sweep does for the house player: all that one statement says is due."""
    if DueWork.HELD_TURNS in await due_work(app):
        await app.house.held_turns.release()
    return await act(app) if HOUSE in await due_work(app) else []


async def told(app: App) -> int:
    """Return how many messages said that the bot waits for another game."""
    found = await messages(app.games.store, HELD)
    assert {target for _, target in found} <= {ANN.user}
    return len(found)


async def assert_held(app: App, against_bot: int, engine: EngineInThread, *, new: bool = True) -> None:
    """Assert that the house player does not answer now, whatever it does."""
    before, asked = (await game(app, against_bot)).game, len(engine.asked)
    known = await told(app)
    for _ in range(3):
        await sweep(app)
    assert (await game(app, against_bot)).game == before
    assert len(engine.asked) == asked
    assert await told(app) == known + new
    assert await planned(app) == [f"house:{against_bot}:{before.version}"]
    assert await due_work(app) == frozenset()


async def assert_goes_on(app: App, against_bot: int) -> None:
    """Assert that the next sweep lets the house player answer."""
    before = (await game(app, against_bot)).game.turn_number
    assert await sweep(app)
    assert (await game(app, against_bot)).game.turn_number == before + 1
    assert await planned(app) == []


# ── What is held ──


@pytest.mark.parametrize("turns", [SIX, SIX + 1], ids=["there", "one turn later"])
async def test_turn_is_held_and_its_player_told_once(app: App, engine: EngineInThread, turns: int) -> None:
    standing = await rated(app)
    against_bot = await copied(app, turns)
    (done,) = await act(app)
    (owed,) = done.owed
    assert (owed.kind, owed.channel) == (HELD, ANN.user)
    version = (await game(app, against_bot)).game.version
    assert owed.payload == {"game": against_bot, "version": version}
    await assert_held(app, against_bot, engine, new=False)
    assert engine.asked == []
    now = (await game(app, against_bot)).game
    assert await app.house.held_turns.game_waited_for(now) == standing


@pytest.mark.parametrize("swapped", [False, True])
async def test_image_of_the_position_is_held(app: App, engine: EngineInThread, *, swapped: bool) -> None:
    await rated(app)
    before, symmetry = stands(SIX - 1), SYMMETRIES[8]
    side = Side.WHITE if swapped else Side.BLACK
    against_bot = await placed(app, image(before, symmetry, swapped=swapped), side=side)
    await app.games.play_typed(against_bot, ANN.user, turn_image(OPENING[SIX - 1], symmetry))
    await assert_held(app, against_bot, engine)


async def test_what_follows_is_held_in_the_opponents_turn_too(app: App, engine: EngineInThread) -> None:
    """Conditional turns are planned then."""
    await rated(app, SIX + 1)
    await assert_held(app, await copied(app, SIX + 2), engine)


@pytest.mark.parametrize(
    ("standing", "turns"),
    [(SIX, SIX - 1), (SIX, SIX + 2), (SIX + 1, SIX + 1), (SIX - 1, SIX - 1), (SIX - 1, SIX)],
    ids=["before", "two turns later", "in the opponent's turn", "after five turns", "after five turns, one later"],
)
async def test_other_turn_is_answered(app: App, standing: int, turns: int) -> None:
    await rated(app, standing)
    await assert_goes_on(app, await copied(app, turns))
    assert await told(app) == 0


async def test_position_of_others_and_of_a_game_against_the_bot_is_answered(app: App) -> None:
    """Nor does a game count in which Ann no longer plays."""
    await placed(app, stands(SIX))
    await app.games.resign(await rated(app), BOB.user)
    others = await rated(app)
    async with app.games.store.transaction() as db:
        await db.execute(update(tables.seats).where(tables.seats.c.game == others).values(user=CARA.user))
    await assert_goes_on(app, await copied(app))


async def test_bot_always_answers_in_a_tournament(app: App) -> None:
    """Its game would wait for another one that may have no end, and with it the round and all its players."""
    await rated(app)
    against_bot = await copied(app)
    async with app.games.store.transaction() as db:
        await games.change_terms(db, against_bot, tournament=1)
    await assert_goes_on(app, against_bot)


async def test_unrated_game_is_guarded_too(app: App, engine: EngineInThread) -> None:
    standing = (await begin_game(app, Terms(rated=False))).game.id
    await play_on(app, standing, *OPENING[:SIX])
    await assert_held(app, await copied(app), engine)


async def test_unfinished_turn_there_makes_no_difference(app: App, engine: EngineInThread) -> None:
    """The position is the one at the start of the turn. The fifth turn of the opening leaves a choice."""
    standing = await rated(app, 4)
    await app.games.play_typed(standing, ANN.user, "b6-b4")
    assert (await game(app, standing)).game.draft
    async with app.games.store.transaction() as db:
        await db.execute(update(tables.games).where(tables.games.c.id == standing).values(turn_number=SIX))
    await assert_held(app, await copied(app, 4), engine)


async def test_engine_that_was_chosen_is_held_too(store: Store, host: Host, engine: EngineInThread) -> None:
    gf1 = EngineInThread()
    seated = {OWN: engine, SEAT: engine, "gf1": gf1}
    app = create_app(store, lambda: host.now, lambda: True, limits=NO_LIMITS, engine=engine, seated=seated)
    standing = await rated(app)
    terms = replace(UNTIMED, house=House(2, BOT.user, "gf1"))
    against_bot = (await app.lobby.challenge_house(ANN, BOT, STANDARD, Side.BLACK, HOME, terms)).stored
    await put(app, against_bot, position=stands(SIX - 1))
    await app.games.play_typed(against_bot.game.id, ANN.user, OPENING[SIX - 1])
    await assert_held(app, against_bot.game.id, gf1)
    await app.games.play_typed(standing, ANN.user, "g1-f2")
    await assert_goes_on(app, against_bot.game.id)
    assert (len(gf1.asked), len(engine.asked)) == (1, 0)


async def test_rules_alone_do_not_answer_either(store: Store, host: Host) -> None:
    app = create_app(store, lambda: host.now, lambda: True, limits=NO_LIMITS)
    await rated(app)
    await assert_held(app, await copied(app), EngineInThread())


async def offered_draw(app: App) -> int:
    """Return a game of Overboard against the bot, where a game between people stands, with a draw offer of Ann's."""
    standing = await begun(app, UNTIMED, OVERBOARD)
    for turn in range(SIX):
        now = (await game(app, standing)).game
        await app.games.play_actions(standing, (ANN, BOB)[turn % 2].user, decide_plainly(now.current))
    against_bot = await placed(app, (await game(app, standing)).game.position)
    await app.requests.make(DRAW, against_bot, ANN.user)
    return against_bot


async def test_draw_offer_is_held_because_its_answer_judges_the_position(app: App, engine: EngineInThread) -> None:
    against_bot = await offered_draw(app)
    await assert_held(app, against_bot, engine)
    await app.games.resign(1, ANN.user)
    (done,) = await sweep(app)
    assert done.draw
    assert done.draw.request.state is RequestState.DECLINED


async def test_person_who_plays_on_withdraws_the_held_offer(app: App, engine: EngineInThread) -> None:
    """Their turn is held as well, and told of once more: it is another one."""
    against_bot = await offered_draw(app)
    await assert_held(app, against_bot, engine)
    await app.games.play_actions(against_bot, ANN.user, decide_plainly((await game(app, against_bot)).game.current))
    await assert_held(app, against_bot, engine)


# ── What lets it go on ──


async def plays(app: App, standing: int) -> None:
    await app.games.play_typed(standing, ANN.user, OPENING[SIX])


async def takes_back(app: App, standing: int) -> None:
    asked = await app.requests.make(TAKEBACK, standing, BOB.user)
    await app.requests.settle(asked.request.id, ANN.user, RequestState.ACCEPTED)


async def resigns(app: App, standing: int) -> None:
    await app.games.resign(standing, ANN.user)


async def opponent_deletes(app: App, standing: int) -> None:
    await delete_all(app, BOB.user)
    assert (await game(app, standing)).game.status is not Status.RUNNING


@pytest.mark.parametrize("goes_on", [plays, takes_back, resigns, opponent_deletes])
async def test_bot_goes_on_when_the_other_game_has(
    app: App, engine: EngineInThread, goes_on: Callable[[App, int], Awaitable[None]]
) -> None:
    standing, against_bot = await rated(app), await copied(app)
    await assert_held(app, against_bot, engine)
    await goes_on(app, standing)
    assert await due_work(app) == {DueWork.HELD_TURNS}
    await assert_goes_on(app, against_bot)
    assert await told(app) == 1


async def test_same_turn_in_both_games_goes_on_too(app: App, engine: EngineInThread) -> None:
    """What the bot plays for the opponent there helps nobody."""
    standing, against_bot = await rated(app), await copied(app, SIX + 1)
    await assert_held(app, against_bot, engine)
    await plays(app, standing)
    await assert_goes_on(app, against_bot)


async def test_turn_is_held_again_without_a_second_message(app: App, engine: EngineInThread) -> None:
    """The other game comes back to the position; then another of Ann's games has come there."""
    standing, against_bot = await rated(app), await copied(app)
    await assert_held(app, against_bot, engine)
    await app.games.play_typed(standing, ANN.user, "g1-f2")
    asked = await app.requests.make(TAKEBACK, standing, ANN.user)
    await app.requests.settle(asked.request.id, BOB.user, RequestState.ACCEPTED)
    assert await due_work(app) == {DueWork.HELD_TURNS}
    await assert_held(app, against_bot, engine, new=False)
    other = await rated(app)
    await resigns(app, standing)
    await assert_held(app, against_bot, engine, new=False)
    await resigns(app, other)
    await assert_goes_on(app, against_bot)


async def test_next_turn_against_the_bot_is_told_of_anew(app: App, engine: EngineInThread) -> None:
    """Ann takes her turn back and plays it again: that is another version of the game."""
    await rated(app)
    against_bot = await copied(app)
    await assert_held(app, against_bot, engine)
    before = (await game(app, against_bot)).game
    await put(app, await game(app, against_bot), position=stands(SIX - 1), turn_number=before.turn_number - 1)
    await app.games.play_typed(against_bot, ANN.user, OPENING[SIX - 1])
    await assert_held(app, against_bot, engine)


async def test_restart_while_held_tells_nothing_twice(store: Store, host: Host, engine: EngineInThread) -> None:
    def started() -> App:
        return create_app(store, lambda: host.now, lambda: True, limits=NO_LIMITS, engine=engine)

    app = started()
    standing, against_bot = await rated(app), await copied(app)
    await assert_held(app, against_bot, engine)
    app = started()
    await app.house.release_leases()
    assert await due_work(app) == {HOUSE}
    await assert_held(app, against_bot, engine, new=False)
    await plays(app, standing)
    app = started()
    await app.house.release_leases()
    await assert_goes_on(app, against_bot)


async def test_process_that_dies_between_lease_and_hold_leaves_it_due(
    app: App, host: Host, engine: EngineInThread
) -> None:
    await rated(app)
    against_bot = await copied(app)
    (task,) = (await app.house.due_tasks()).values()
    async with app.house.store.transaction() as db:
        assert await due.lease(db, task.row.key, host.now, host.now + LEASE_SECONDS)
    assert await act(app) == []
    await app.house.release_leases()
    await assert_held(app, against_bot, engine)


async def test_other_process_goes_on(store: Store, app: App, host: Host, engine: EngineInThread) -> None:
    other = create_app(store, lambda: host.now, lambda: True, limits=NO_LIMITS, engine=engine)
    standing, against_bot = await rated(app), await copied(app)
    await assert_held(app, against_bot, engine)
    await assert_held(other, against_bot, engine, new=False)
    await plays(other, standing)
    for each in (app, other):
        await each.house.held_turns.release()
    await assert_goes_on(other, against_bot)
    assert await sweep(app) == []


async def test_held_turn_is_looked_at_once_a_day(app: App, host: Host, engine: EngineInThread) -> None:
    await rated(app)
    against_bot = await copied(app)
    await assert_held(app, against_bot, engine)
    host.passes(LOOK_AGAIN_SECONDS - 1)
    assert await due_work(app) == frozenset()
    host.passes(1)
    assert await due_work(app) == {HOUSE}
    await assert_held(app, against_bot, engine, new=False)


async def test_turn_held_for_months_is_told_of_once(app: App, host: Host, engine: EngineInThread) -> None:
    """The message itself goes after a month."""
    await rated(app)
    against_bot = await copied(app)
    await assert_held(app, against_bot, engine)
    async with app.games.store.transaction() as db:
        await db.execute(delete(tables.outbox).where(tables.outbox.c.kind == HELD))
    host.passes(2 * MONTH)
    await assert_held(app, against_bot, engine, new=False)
    assert await told(app) == 0


async def test_person_who_takes_no_direct_messages_is_not_told(app: App, engine: EngineInThread, host: Host) -> None:
    await rated(app)
    async with app.games.store.transaction() as db:
        await users.set_dms_shut(db, ANN.user, host.now)
    against_bot = await copied(app)
    await sweep(app)
    assert await told(app) == 0
    assert await app.house.held_turns.game_waited_for((await game(app, against_bot)).game)


async def test_game_against_the_bot_that_ends_leaves_no_task(app: App, engine: EngineInThread) -> None:
    standing, against_bot = await rated(app), await copied(app)
    await assert_held(app, against_bot, engine)
    await app.games.resign(against_bot, ANN.user)
    await resigns(app, standing)
    await sweep(app)
    assert await planned(app) == []


async def test_person_who_deletes_their_data_leaves_no_task(app: App, host: Host, engine: EngineInThread) -> None:
    await rated(app)
    await assert_held(app, await copied(app), engine)
    await delete_all(app, ANN.user)
    await sweep(app)
    assert await planned(app) == []


async def test_unreadable_game_holds_nothing(app: App) -> None:
    standing = await rated(app)
    async with app.games.store.transaction() as db:
        await db.execute(update(tables.games).where(tables.games.c.id == standing).values(position="nothing"))
    await assert_goes_on(app, await copied(app))


async def test_turn_between_people_writes_nothing_for_held_ones(app: App, engine: EngineInThread) -> None:
    """The held row is found by the version of the other game."""
    standing, against_bot = await rated(app), await copied(app)
    await assert_held(app, against_bot, engine)

    async def row() -> object:
        async with app.games.store.reading() as db:
            return (await db.execute(select(tables.due).where(tables.due.c.kind == HOUSE))).one()

    before = await row()
    await plays(app, standing)
    assert await row() == before
