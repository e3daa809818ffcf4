"""The house player on a real database, with the bot's own engine in a thread."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from typing import TypeVar

import pytest
from sqlalchemy import func, select, text, update

from gipfbot.engines.protocol import EngineRequest
from gipfbot.engines.worker import OWN, SEAT, SeatedEngine, Wish, Worker
from gipfbot.match import House, Refused, Side, Status, Terms, Why, decide_plainly
from gipfbot.notation import position_text
from gipfbot.rules import BASIC, PRESETS, STANDARD, Colour, Reason, ruleset_named
from gipfbot.search.tree import WIN
from gipfbot.service.app import App, create_app
from gipfbot.service.competing.results import ANNOUNCEMENT
from gipfbot.service.house.house_player import LEASE_SECONDS, HouseDone, _Lease
from gipfbot.service.play.turn import HOUSE
from gipfbot.service.requests.game_requests import TAKEBACK
from gipfbot.store import Store, due, games, tables
from gipfbot.store.study_tables import explored_turns
from gipfbot.values import NO_LIMITS, DatabaseTrouble, Limits, Trouble
from tests.engines.processes import fake
from tests.rules.boards_of_overboard import OUT_OF_TURN
from tests.service.helpers import (
    Host,
    assert_refused,
    boards,
    delete_all,
    deliver,
    messages,
    play_codes,
    posted,
    put,
    why_refused,
)
from tests.service.house.helpers import BOT, act, begin, game, placed, planned
from tests.support.background_work import do_next_task
from tests.support.engines import EngineInThread
from tests.support.people import ANN, BOB, CARA, HOME
from tests.support.terms import PER_TURN, THREE_DAYS
from tests.support.times import DAY, HANGS, MONTH

A = TypeVar("A")
ILLEGAL = '{"id": ID, "turn": "a1-a9", "score": 0}'


# ── Challenges ──


async def test_house_accepts_at_once_and_is_never_rated(app: App) -> None:
    begun = await begin(app, terms=Terms(rated=True))
    assert begun.game.status is Status.RUNNING
    assert not begun.game.terms.rated
    assert begun.game.terms.house == House(2, BOT.user)
    assert begun.game.house_colour is Colour.BLACK
    assert await messages(app.games.store, "challenge") == []
    assert await app.lobby.challenges_of(ANN.user) == []


@pytest.mark.parametrize("rules", [*PRESETS, "standard+Z3P3", "overboard"])
async def test_house_opens_in_every_rule_set(app: App, rules: str) -> None:
    begun = await begin(app, Side.BLACK, ruleset=ruleset_named(rules))
    assert begun.game.house_decides
    (done,) = await act(app)
    played = (await game(app, begun.game.id)).game
    assert played.turn_number == 1
    assert played.asked is Colour.BLACK
    assert done.owed == ()  # the first board has to be posted before
    assert [board.turn_number for board in await boards(app)] == [0, 1]


async def test_level_that_does_not_exist_is_refused(app: App) -> None:
    for level in (0, 9):
        await assert_refused(Why.NOT_OFFERED, begin(app, level=level))


async def test_takers_make_no_sense_against_the_bot(app: App) -> None:
    terms = Terms(house=House(1, BOT.user))
    challenge = app.lobby.challenge_house(ANN, BOT, STANDARD, Side.LOT, HOME, terms, 2)
    await assert_refused(Why.TAKERS_OF_CHALLENGE, challenge)


async def test_only_the_persons_limit_of_games_counts(store: Store, host: Host) -> None:
    limits = replace(Limits(), running_games=2, open_challenges=1, challenges_to_one=1, pings_a_day=1)
    app = create_app(store, lambda: host.now, lambda: True, limits=limits)
    for _ in range(2):
        await begin(app)
    assert await why_refused(begin(app)) is Why.TOO_MANY_RUNNING
    for person in (BOB, CARA):
        terms = Terms(house=House(1, BOT.user))
        await app.lobby.challenge_house(person, BOT, STANDARD, Side.WHITE, HOME, terms)


# ── Turns ──


async def test_house_answers_a_turn_and_a_conditional_turn_follows(app: App) -> None:
    begun = await deliver(app, await begin(app))
    await deliver(app, await app.games.play_typed(begun.game.id, ANN.user, "a2-c2"))
    (row,) = await planned(app)
    (done,) = await act(app)
    now = (await game(app, begun.game.id)).game
    assert (now.turn_number, now.asked) == (2, Colour.WHITE)
    assert len(done.owed) == 1
    assert await planned(app) == []
    assert row == f"house:{now.id}:1"
    async with app.games.store.reading() as db:
        assert [turn.how for turn in await games.turns_of(db, now.id)] == ["typed", "house"]


async def test_engine_is_asked_as_the_level_says(app: App, engine: EngineInThread) -> None:
    begun = await begin(app, Side.BLACK, level=1)
    await act(app)
    (request,) = engine.asked
    assert (request.seed, request.nodes, request.margin) == (begun.game.id, 300, 200)


async def test_turn_that_comes_too_late_is_dropped(app: App, engine: EngineInThread) -> None:
    """Ann takes her turn back while the engine thinks."""
    begun = await begin(app)
    await app.games.play_typed(begun.game.id, ANN.user, "a2-c2")
    original = engine.ask

    async def ask(request, wish):  # type: ignore[no-untyped-def]
        answer = await original(request, wish)
        await app.requests.make(TAKEBACK, begun.game.id, ANN.user)
        return answer

    engine.ask = ask  # type: ignore[method-assign]
    await act(app)
    now = (await game(app, begun.game.id)).game
    assert (now.turn_number, now.taken_back, now.asked) == (0, 1, Colour.WHITE)
    assert await planned(app) == []


async def test_house_answers_an_overboard_question(app: App) -> None:
    """Ann pushes and leaves the pieces at both ends of the row, which are the bot's. Then the bot is asked."""
    game_id = await placed(app, OUT_OF_TURN, side=Side.BLACK)
    await play_codes(app, game_id, ANN.user, "a4b4", "xe:")
    assert (await game(app, game_id)).game.house_decides
    asked = await planned(app)
    assert await do_next_task(app)
    now = (await game(app, game_id)).game
    assert (now.turn_number, now.asked) == (1, Colour.WHITE)  # the answer has ended Ann's turn
    assert len(await planned(app)) == len(asked) == 1
    assert await planned(app) != asked


async def test_row_of_an_older_version_is_replaced(app: App, engine: EngineInThread) -> None:
    begun = await begin(app, Side.BLACK)
    await put(app, begun.stored)
    assert await do_next_task(app)
    assert engine.asked == []
    assert await planned(app) == ["house:1:1"]
    await act(app)
    assert (await game(app, begun.game.id)).game.turn_number == 1


async def test_of_each_person_the_cheapest_small_and_large_task_is_due(app: App, host: Host) -> None:
    """Those who have waited longest come first."""
    begun = dict[tuple[str, int, int], int]()
    for person in (ANN, BOB):
        for level in (8, 7, 7, 6, 2):
            terms = replace(Terms(), house=House(level, BOT.user))
            update = await app.lobby.challenge_house(person, BOT, BASIC, Side.BLACK, HOME, terms)
            begun[person.name, level, host.now] = update.game.id
            host.passes(1)
    now = host.now - 10
    due_games = [task.row.game for task in (await app.house.due_tasks()).values()]
    expected = [("Ann", 7, now + 1), ("Ann", 2, now + 4), ("Bob", 7, now + 6), ("Bob", 2, now + 9)]
    assert due_games == [begun[each] for each in expected]


# ── Failures ──


async def test_engine_that_fails_twice_is_asked_again(app: App, engine: EngineInThread) -> None:
    engine.faults = ["It ended.", "It said nothing."]
    begun = await begin(app, Side.BLACK)
    await act(app)
    assert len(engine.asked) == 3
    assert (await game(app, begun.game.id)).game.turn_number == 1


async def test_cut_search_is_told_with_its_turn_alone(app: App, engine: EngineInThread) -> None:
    engine.is_cut = True
    begun = await begin(app, Side.BLACK)
    await act(app)
    cut = await game(app, begun.game.id)
    assert cut.last_cut
    assert [board.was_cut for board in await boards(app)] == [False, True]
    await posted(app.games.store)
    engine.is_cut = False
    played = await app.games.play_actions(begun.game.id, ANN.user, decide_plainly(cut.game.current))
    assert not played.stored.last_cut
    await act(app)
    assert [board.was_cut for board in await boards(app)][2:] == [False, False]
    assert not (await game(app, begun.game.id)).last_cut


async def test_seated_engine_has_200_000_nodes_at_most(app: App, engine: EngineInThread) -> None:
    seated = EngineInThread()
    app.house.engine, app.house.seated = seated, {OWN: engine, SEAT: seated}
    await begin(app, Side.BLACK, level=8)
    await act(app)
    assert [asked.nodes for asked in seated.asked] == [200_000]
    app.house.engine = engine
    await begin(app, Side.BLACK, level=8)
    await act(app)
    assert [asked.nodes for asked in engine.asked] == [800_000]


async def test_rules_alone_play_after_three_failures(
    app: App, engine: EngineInThread, caplog: pytest.LogCaptureFixture
) -> None:
    engine.faults = ["It ended."] * 3
    begun = await begin(app, Side.BLACK)
    await act(app)
    assert (await game(app, begun.game.id)).game.turn_number == 1
    told = [record for record in caplog.records if getattr(record, "tell_owner", None) == "engine"]
    assert len(told) == 1
    assert "#a1" in told[0].getMessage()
    assert [board.by_rules for board in await boards(app)] == [False, True]
    await posted(app.games.store)
    await app.games.play_actions(begun.game.id, ANN.user, decide_plainly((await game(app, begun.game.id)).game.current))
    await act(app)
    assert [board.by_rules for board in await boards(app)][2:] == [False, False]


@pytest.mark.parametrize("way", [("crash",), ("endless",), ("said", ILLEGAL), ("said", "Hello!")])
async def test_bad_engines_of_a_host_do_not_stop_the_game(store: Store, host: Host, way: tuple[str, ...]) -> None:
    """They are real processes. An engine named `house` plays instead of the bot's own."""
    worker = Worker({SEAT: fake(*way)})
    app = create_app(store, lambda: host.now, lambda: True, limits=NO_LIMITS, engine=SeatedEngine(worker, SEAT))
    begun = await begin(app, Side.BLACK, level=1)
    async with asyncio.timeout(HANGS):
        await act(app)
    assert (await game(app, begun.game.id)).game.turn_number == 1
    await worker.close()


@pytest.mark.parametrize("rules", [*PRESETS, "tournament+Z3P3", "overboard"])
async def test_rules_alone_play_whole_games(store: Store, host: Host, rules: str) -> None:
    """Both sides play by the rules alone: Ann, too."""
    app = create_app(store, lambda: host.now, lambda: True, limits=NO_LIMITS)
    begun = await begin(app, ruleset=ruleset_named(rules))
    for _ in range(40):
        now = (await game(app, begun.game.id)).game
        if now.asked is None:
            return
        if now.house_decides:
            await act(app)
        else:
            await app.games.play_actions(now.id, ANN.user, decide_plainly(now.current))
    assert (await game(app, begun.game.id)).game.turn_number >= 30


async def killed_while_thinking(app: App) -> None:
    """Let the house player begin its task, and let its process die then."""
    (task,) = (await app.house.due_tasks()).values()
    await _Lease(app.house.store, app.house.now, task).take()


async def test_restart_while_the_engine_thinks_loses_nothing(store: Store, host: Host, app: App) -> None:
    begun = await begin(app, Side.BLACK)
    await killed_while_thinking(app)
    assert await do_next_task(app) is None
    again = create_app(store, lambda: host.now, lambda: True, limits=NO_LIMITS, engine=EngineInThread())
    await again.house.release_leases()
    await act(again)
    assert (await game(app, begun.game.id)).game.turn_number == 1


async def test_trouble_with_the_database_leaves_no_turn_leased(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was being decided is due as soon as the database is back."""
    begun = await begin(app, Side.BLACK)

    async def fails(*_: object, **__: object) -> None:
        raise DatabaseTrouble(Trouble.FULL)

    with monkeypatch.context() as broken:
        broken.setattr(app.games, "play_actions", fails)
        with pytest.raises(DatabaseTrouble):
            await do_next_task(app)
    await act(app)
    assert (await game(app, begun.game.id)).game.turn_number == 1


async def test_game_that_cannot_be_read_goes_on_once_it_can(app: App, host: Host) -> None:
    begun = await begin(app, Side.BLACK)
    async with app.games.store.transaction() as db:
        await db.execute(update(tables.games).values(position="broken"))
    await act(app)
    async with app.games.store.transaction() as db:
        await db.execute(update(tables.games).values(position=position_text(begun.game.position)))
    host.passes(LEASE_SECONDS)
    await act(app)
    assert (await game(app, begun.game.id)).game.turn_number == 1


@pytest.mark.parametrize("terms", ["[1]", pytest.param("mush", marks=pytest.mark.sqlite)])
async def test_game_whose_terms_cannot_be_read_stops_no_other(app: App, terms: str) -> None:
    broken, other = await begin(app, Side.BLACK), await begin(app, Side.BLACK, level=3)
    async with app.games.store.transaction() as db:
        await db.execute(text(f"UPDATE games SET terms = '{terms}' WHERE id = {broken.game.id}"))
    await act(app)
    assert (await game(app, other.game.id)).game.turn_number == 1


async def test_lease_of_a_process_that_died_ends_by_itself(app: App, host: Host) -> None:
    begun = await begin(app, Side.BLACK)
    await killed_while_thinking(app)
    host.passes(LEASE_SECONDS)
    await act(app)
    assert (await game(app, begun.game.id)).game.turn_number == 1


async def nothing() -> None:
    """Let nothing happen."""


@dataclass
class WaitingEngine(EngineInThread):
    """An engine that others use before it begins. Something may happen then, and when it has found a turn."""

    meanwhile: Callable[[], Awaitable[None]] = nothing
    afterwards: Callable[[], Awaitable[None]] = nothing

    async def ask(self, request: EngineRequest[A], wish: Wish) -> A:
        await self.meanwhile()
        answer = await super().ask(request, wish)
        await self.afterwards()
        return answer


async def test_turn_that_waits_longer_than_its_lease_is_leased_anew(store: Store, host: Host) -> None:
    engine, leased = WaitingEngine(), list[int]()
    app = create_app(store, lambda: host.now, lambda: True, limits=NO_LIMITS, engine=engine)

    async def meanwhile() -> None:
        host.passes(LEASE_SECONDS + 1)
        assert await app.house.due_tasks(), "another process might take it now"

    async def afterwards() -> None:
        async with store.reading() as db:
            leased.extend(row.at - host.now for row in await due.unfinished_rows(db, HOUSE))

    engine.meanwhile, engine.afterwards = meanwhile, afterwards
    begun = await begin(app, Side.BLACK)
    await do_next_task(app)
    assert leased == [LEASE_SECONDS]
    assert (await game(app, begun.game.id)).game.turn_number == 1


async def test_turn_that_another_process_has_taken_costs_no_search(store: Store, host: Host) -> None:
    """It has waited in the queue for longer than its lease."""
    waiting, quick = WaitingEngine(), EngineInThread()
    app, other = (
        create_app(store, lambda: host.now, lambda: True, limits=NO_LIMITS, engine=engine)
        for engine in (waiting, quick)
    )

    async def meanwhile() -> None:
        host.passes(LEASE_SECONDS)
        assert await do_next_task(other)

    waiting.meanwhile = meanwhile
    begun = await begin(app, Side.BLACK)
    assert await do_next_task(app) == HouseDone()
    assert (len(waiting.asked), len(quick.asked)) == (0, 1)
    assert (await game(app, begun.game.id)).game.turn_number == 1
    assert await planned(app) == []


# ── Time ──


@pytest.mark.parametrize("terms", [THREE_DAYS, PER_TURN, Terms(THREE_DAYS.time_control, grace=0)])
async def test_clock_of_the_house_never_flags(app: App, host: Host, terms: Terms) -> None:
    begun = await begin(app, Side.BLACK, terms=terms)
    assert begun.game.clock
    assert begun.game.clock.deadline is None
    host.passes(MONTH)
    await app.flag_watch.check_flags()
    await act(app)
    now = (await game(app, begun.game.id)).game
    assert now.status is Status.RUNNING
    assert now.clock
    assert now.clock.deadline == host.now + 3 * DAY
    await app.games.play_typed(now.id, ANN.user, "f2")
    paused = (await game(app, begun.game.id)).game.clock
    assert paused
    assert (paused.deadline, paused.paused_left) == (None, 3 * DAY)


async def test_house_is_neither_nudged_nor_claimed_from(app: App, host: Host) -> None:
    begun = await begin(app, Side.BLACK)
    host.passes(2 * MONTH)
    assert await why_refused(app.reminders.nudge(begun.game.id, ANN.user, 0)) is Why.HOUSE_THINKS
    assert await why_refused(app.win_claims.claim_win(begun.game.id, ANN.user)) is Why.HOUSE_THINKS


async def test_nothing_is_sent_to_the_bot(app: App, host: Host) -> None:
    begun = await begin(app, Side.BLACK, terms=THREE_DAYS)
    await app.reminders.owe_due_reminders()
    await app.outbox.release_leases()
    for row_id in await app.outbox.deliverable_rows():
        row = await app.outbox.lease_row(row_id)
        assert row
        await app.outbox.give_up(row, "the channel is gone")
    async with app.games.store.reading() as db:
        channels = [*await db.scalars(select(tables.outbox.c.channel))]
    assert BOT.user not in channels
    assert begun.game.house_decides


# ── Takebacks, draws, resigning, rematches ──


async def test_takeback_is_granted_at_once(app: App) -> None:
    begun = await begin(app)
    await app.games.play_typed(begun.game.id, ANN.user, "a2-c2")
    await act(app)
    update = await app.requests.make(TAKEBACK, begun.game.id, ANN.user)
    assert update.stored.game.turn_number == 0
    assert update.stored.game.asked is Colour.WHITE
    assert [board.turns_taken_back for board in await boards(app)][-1]
    assert await messages(app.games.store, "takeback") == []
    assert await app.requests.open_requests([update.stored.game]) == []


@pytest.mark.parametrize(
    ("level", "score", "from_turn", "resigns"),
    [(5, 4 - WIN, 0, True), (4, 2 - WIN, 0, False), (5, 6 - WIN, 0, False), (8, 2 - WIN, 3, False)],
)
async def test_house_resigns_once_a_near_loss_is_proven_twice(
    app: App, engine: EngineInThread, level: int, score: int, from_turn: int, resigns: bool
) -> None:
    begun = await begin(app, level=level)
    engine.score, engine.from_turn = score, from_turn
    for _ in range(2):
        now = (await game(app, begun.game.id)).game
        await app.games.play_actions(now.id, ANN.user, decide_plainly(now.position))
        await act(app)
    over = (await game(app, begun.game.id)).game.position.result
    assert (over is not None and over.by is Reason.RESIGN) is resigns


async def test_rematch_begins_at_once_with_colours_swapped(app: App) -> None:
    begun = await begin(app, level=3)
    await app.games.resign(begun.game.id, ANN.user)
    stored, owed = await app.lobby.rematch(begun.game.id, ANN)
    assert stored.game
    again = (await game(app, stored.game)).game
    assert again.house_colour is Colour.WHITE
    assert again.terms.house == House(3, BOT.user)
    assert len(owed) <= 1
    with pytest.raises(Refused) as refused:
        await app.lobby.rematch(begun.game.id, ANN)
    assert refused.value.why is Why.REMATCH_BEGUN


async def test_conditional_turn_answers_the_house_at_once(app: App, engine: EngineInThread) -> None:
    """The house answers alike in a game with the same id, so the first game says what to expect."""
    begun = await begin(app)
    await app.games.play_typed(begun.game.id, ANN.user, "a2-c2")
    wish = Wish(ANN.user, 0)
    asked = await app.house._asked((await game(app, begun.game.id)).game, House(2, BOT.user), wish)
    reply = (await engine.ask(await app.house._request(asked), wish)).best.turn
    await app.conditionals.add_typed_line(begun.game.id, ANN.user, f"{reply} b1-b3")
    assert await do_next_task(app)
    now = (await game(app, begun.game.id)).game
    assert (now.turn_number, now.asked) == (3, Colour.BLACK)
    assert len(await planned(app)) == 1


async def test_deletion_of_a_persons_data_ends_their_game(app: App) -> None:
    begun = await begin(app)
    await delete_all(app, ANN.user)
    over = (await game(app, begun.game.id)).game
    assert over.position.result
    assert over.position.result.winner is over.house_colour
    assert over.house_colour is Colour.BLACK
    await act(app)
    assert await planned(app) == []


# ── Lists and figures ──


async def test_games_against_the_bot_count_in_no_figure(app: App, host: Host) -> None:
    begun = await begin(app, ruleset=BASIC)
    await app.games.play_typed(begun.game.id, ANN.user, "c2")
    await act(app)
    assert HOME.server
    await app.servers.change(HOME.server, {"results": HOME.channel + 1})
    assert await app.live.page(HOME.server, [HOME.channel], 9) == []
    assert (await app.profiles.profile(ANN.user)).is_empty
    await app.games.resign(begun.game.id, ANN.user)
    assert (await app.profiles.profile(ANN.user)).is_empty
    assert (await app.server_stats.figures(HOME.server, [HOME.channel], ANN.user)).is_empty
    assert await messages(app.games.store, ANNOUNCEMENT) == []
    await app.explorer.count_ended()
    async with app.games.store.reading() as db:
        assert await db.scalar(select(func.count()).select_from(explored_turns)) == 0
        assert await db.scalar(select(tables.games.c.explored_at)) is not None
        assert await db.scalar(select(tables.games.c.level)) == 2
