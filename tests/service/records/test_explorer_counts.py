"""Each finished game is counted once for the explorer, whatever happens meanwhile. A recount comes to the same."""

from typing import Any

import pytest
from sqlalchemy import select, update

from gipfbot.match import UNTIMED, position_hash
from gipfbot.match.explorer import EXPLORED_TURNS
from gipfbot.match.requests import DrawStep
from gipfbot.rules import BASIC, OVERBOARD, STANDARD, TOURNAMENT, legal, start
from gipfbot.service.app import App
from gipfbot.service.clock.flag_watch import FlagWatch
from gipfbot.service.kit.batches import BATCH_SIZE
from gipfbot.service.records.explorer_counts import count_differences
from gipfbot.store import Store, explorer, tables
from gipfbot.store.side_tables import explored_turns
from gipfbot.values.figures import MOST_NEWEST
from tests.match.studies import tried
from tests.rules.generate_loaded import LOADED
from tests.service.helpers import Host, basic_game_after, begin_game, passes, play_on, repeat
from tests.support.games import TURNS
from tests.support.people import ANN, BOB
from tests.support.times import DAY, NOW

from .exploring import at_start, count_all, ended, played_out, table


async def test_games_of_all_rule_sets_are_counted_as_a_recount_counts_them(app: App, store: Store) -> None:
    for seed, ruleset in enumerate((BASIC, STANDARD, TOURNAMENT, OVERBOARD, LOADED[1])):
        await played_out(app, ruleset, seed)
        await played_out(app, ruleset, seed + 10, most=20)
    assert await count_all(app) == 10
    assert len(await table(store)) > 70
    assert await count_differences(store) == 0


async def test_a_recount_finds_what_is_wrong(app: App, store: Store) -> None:
    await ended(app, *TURNS)
    await count_all(app)
    (one, *_) = await table(store)
    async with store.transaction() as db:
        wrong = update(explored_turns).where(explored_turns.c.turn == one.turn)
        await db.execute(wrong.values(white=7))
    assert await count_differences(store) == 1


async def test_only_the_first_turns_are_counted(app: App, store: Store) -> None:
    await played_out(app, BASIC, 3)
    await count_all(app)
    assert len(await table(store)) == EXPLORED_TURNS


async def test_turns_that_were_taken_back_are_not_counted(app: App, store: Store) -> None:
    game = await basic_game_after(app, 3, UNTIMED)
    asked = await app.takebacks.request_takeback(game, ANN.user)
    await app.takebacks.accept_takeback(asked.request.id, BOB.user)
    await play_on(app, game, "b4")
    await app.games.resign(game, BOB.user)
    await count_all(app)
    (only,) = (await app.explorer.look(BOB.user, tried(at_start(), *TURNS[:2]))).next_turns
    assert (len(await table(store)), only.counted.white) == (3, 1)
    assert (await app.explorer.look(BOB.user, tried(at_start(), *TURNS[:3]))).games == 0
    assert await count_differences(store) == 0


async def test_lost_on_time_and_drawn_games_are_counted(app: App, flag_watch: FlagWatch, host: Host) -> None:
    late = await basic_game_after(app, 2)
    drawn = (await begin_game(app, ruleset=OVERBOARD)).game.id
    await app.games.play_actions(drawn, ANN.user, legal(start(OVERBOARD))[:1])
    await app.draws.offer(drawn, ANN.user)
    await app.draws.answer(drawn, BOB.user, DrawStep.ACCEPTED)
    for _ in range(2):  # the time, then the grace
        await passes(flag_watch, host, 4 * DAY)
    assert (await app.games.game(late)).game.position.result
    await count_all(app)
    (first,) = (await app.explorer.look(BOB.user, at_start())).next_turns
    assert (first.counted.white, first.counted.black) == (0, 1)
    (other,) = (await app.explorer.look(BOB.user, at_start(OVERBOARD))).next_turns
    assert (other.counted.white, other.counted.drawn, other.counted.black) == (0, 1, 0)


async def test_void_cancelled_and_running_games_are_not_counted(app: App, store: Store) -> None:
    cancelled, void, running = [(await begin_game(app, ruleset=BASIC)).game.id for _ in range(3)]
    await play_on(app, cancelled, "c2")
    await app.games.cancel_game(cancelled, ANN.user)
    await play_on(app, running, *TURNS[:3])
    await play_on(app, void, *TURNS[:2])
    turn = (await app.games.preview_typed(void, ANN.user, TURNS[2]))[2].turn
    assert turn
    async with store.transaction() as db:
        await repeat(db, void, position_hash(turn.after))
    await play_on(app, void, TURNS[2])
    assert (await app.games.game(void)).game.position.result
    assert await count_all(app) == 2
    assert await table(store) == []
    assert await count_differences(store) == 0


async def test_each_game_is_counted_once(app: App, store: Store) -> None:
    await ended(app, *TURNS)
    assert await count_all(app) == 1
    before = await table(store)
    assert await count_all(app) == 0
    assert await table(store) == before


@pytest.mark.parametrize("step", ["mark_counted", "add_turns"])
async def test_a_crash_in_the_middle_counts_nothing_twice(
    app: App, store: Store, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    await ended(app, *TURNS)
    done = getattr(explorer, step)

    async def crash(*args: Any) -> None:
        await done(*args)
        raise OSError("crash")

    with monkeypatch.context() as patch:
        patch.setattr(explorer, step, crash)
        with pytest.raises(OSError, match="crash"):
            await app.explorer.count_ended()
    assert await table(store) == []
    assert await count_all(app) == 1
    assert [turn.games for turn in await table(store)] == [1] * len(TURNS)


async def test_what_another_sweep_has_counted_meanwhile_is_not_counted_again(
    app: App, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    for _ in range(2):
        await ended(app, *TURNS)
    run = app.aside.run

    async def be_overtaken(*args: Any) -> Any:
        monkeypatch.setattr(app.aside, "run", run)
        await app.explorer.count_ended()
        return await run(*args)

    monkeypatch.setattr(app.aside, "run", be_overtaken)
    await app.explorer.count_ended()
    assert [turn.games for turn in await table(store)] == [2] * len(TURNS)


async def test_one_pass_counts_only_so_many_games(app: App, store: Store) -> None:
    """Other writers wait for one transaction at most. All games that had ended before the migration wait, too."""
    for _ in range(BATCH_SIZE + 1):
        await ended(app, "c2")
    assert await app.explorer.count_ended() == BATCH_SIZE
    assert await app.explorer.count_ended() == 1
    (turn,) = await table(store)
    assert (turn.games, turn.newest) == (BATCH_SIZE + 1, tuple(range(BATCH_SIZE + 1, BATCH_SIZE + 1 - MOST_NEWEST, -1)))
    assert await count_differences(store) == 0


@pytest.mark.parametrize(
    ("table_name", "values"), [("turns", {"actions": "a1a2"}), ("turns", {"actions": "?"}), ("games", {"ruleset": {}})]
)
async def test_a_game_that_cannot_be_played_is_left_out(
    app: App, store: Store, table_name: str, values: dict[str, Any], caplog: pytest.LogCaptureFixture
) -> None:
    """All others are counted, and the sweep does not meet it again."""
    broken = await ended(app, "c2", "g2")
    await ended(app, "d2")
    changed = tables.metadata.tables[table_name]
    column = changed.c.id if table_name == "games" else changed.c.game
    async with store.transaction() as db:
        await db.execute(update(changed).where(column == broken).values(**values))
    assert await count_all(app) == 2
    assert [turn.newest for turn in await table(store)] == [(2,)]
    assert "leaves out game 1" in caplog.text
    assert await count_differences(store) == 0


async def test_the_time_of_counting_is_noted(app: App, store: Store) -> None:
    await ended(app)
    await count_all(app)
    async with store.reading() as db:
        assert [*await db.scalars(select(tables.games.c.explored_at))] == [NOW]
