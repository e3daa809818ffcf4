"""The explorer counts finished games once each, and shows what was played next in the position asked about."""

from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import select, update

from gipfbot.match import UNTIMED, RequestState, Why, perform, position_after, position_hash, read_typed_turn
from gipfbot.match.explorer import EXPLORED_TURNS
from gipfbot.match.study import Study
from gipfbot.notation import parse_turn, turn_text
from gipfbot.rules import BASIC, OVERBOARD, STANDARD, TOURNAMENT, Ruleset, legal, start
from gipfbot.rules.images import start_images
from gipfbot.service.app import App
from gipfbot.service.clock.flag_watch import FlagWatch
from gipfbot.service.kit.batches import BATCH_SIZE
from gipfbot.service.records.explorer import MOST_NEXT_TURNS, ExplorerView, NextTurn
from gipfbot.service.requests.game_requests import DRAW, TAKEBACK
from gipfbot.store import Store, explorer, games, tables
from gipfbot.store.study_tables import explored_turns
from gipfbot.values.figures import MOST_NEWEST
from tests.match.studies import tried
from tests.rules.generate_loaded import LOADED
from tests.service.helpers import Host, assert_refused, basic_game_after, begin_game, passes, play_on, repeat
from tests.support.games import CIRCLE, TURNS
from tests.support.people import ANN, BOB, CARA
from tests.support.times import DAY, NOW

from .exploring import at_start, count_all, count_differences, ended, played_out, table


async def test_games_of_all_rule_sets_are_counted_as_a_recount_counts_them(app: App, store: Store) -> None:
    for seed, ruleset in enumerate((BASIC, STANDARD, TOURNAMENT, OVERBOARD, LOADED[1])):
        await played_out(app, ruleset, seed, most=3 * EXPLORED_TURNS)
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
    await played_out(app, BASIC, 3, most=3 * EXPLORED_TURNS)
    await count_all(app)
    assert len(await table(store)) == EXPLORED_TURNS


async def test_turns_that_were_taken_back_are_not_counted(app: App, store: Store) -> None:
    game = await basic_game_after(app, 3, UNTIMED)
    asked = await app.requests.make(TAKEBACK, game, ANN.user)
    await app.requests.settle(asked.request.id, BOB.user, RequestState.ACCEPTED)
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
    offer = (await app.requests.make(DRAW, drawn, ANN.user)).request
    await app.requests.settle(offer.id, BOB.user, RequestState.ACCEPTED)
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
    before = (await app.games.game(void)).game
    turn = perform(before, ANN.user, read_typed_turn(before, ANN.user, TURNS[2])).turn
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


def images(texts: tuple[str, ...], ruleset: Ruleset = BASIC) -> list[tuple[str, ...]]:
    """Return the images of a game's turns by all symmetries of its start."""
    found = []
    for image in start_images(ruleset.setup):
        position, mapped, turns = start(ruleset), start(ruleset), list[str]()
        for text in texts:
            actions = parse_turn(position, text)
            turned = [image.of_action(action) for action in actions]
            turns.append(turn_text(mapped, turned))
            position, mapped = position_after(position, actions), position_after(mapped, turned)
        found.append(tuple(turns))
    return found


def shown(view: ExplorerView) -> list[tuple[str, int, int, int]]:
    """Return the turns of a view, in official notation, with their counts."""
    turns = [(turn_text(view.position, each.actions), each.counted) for each in view.next_turns]
    return [(text, counted.white, counted.drawn, counted.black) for text, counted in turns]


async def test_turns_are_counted_with_their_results(app: App) -> None:
    await ended(app, "c2", "g2")
    await ended(app, "c2", "f2", white_wins=False)
    await ended(app, "c2", "g2")
    await ended(app, "d2")
    await ended(app)
    assert await count_all(app) == 5
    first = await app.explorer.look(CARA.user, at_start())
    assert [each[1:] for each in shown(first)] == [(2, 0, 1), (1, 0, 0)]
    assert (first.games, first.other_turns) == (4, 0)
    after = await app.explorer.look(CARA.user, tried(at_start(), "c2"))
    assert shown(after) == [("g2", 2, 0, 0), ("f2", 0, 0, 1)]
    assert [game.id for game in after.newest] == [3, 2, 1]
    assert (await app.explorer.look(CARA.user, tried(at_start(), "c2", "g2"))).next_turns == ()


async def test_images_are_counted_together_and_shown_in_the_position_asked(app: App) -> None:
    forms = images(TURNS[:3])
    for form in forms:
        await ended(app, *form)
    await count_all(app)
    for form in forms:
        view = await app.explorer.look(CARA.user, tried(at_start(), *form[:2]))
        assert shown(view) == [(form[2], 6, 0, 0)]
    (first,) = (await app.explorer.look(CARA.user, at_start())).next_turns
    assert first.counted.games == 6


async def test_a_path_leads_on_turn_by_turn(app: App) -> None:
    await ended(app, *TURNS)
    await count_all(app)
    path = list[str]()
    for text in TURNS:
        view = await app.explorer.look(CARA.user, at_start(), path)
        (only,) = view.next_turns
        assert (only.counted.games, len(view.study.tried)) == (1, len(path))
        path.append(only.code)
        assert shown(view)[0][0] in {form[len(path) - 1] for form in images(TURNS)}, text
    end = await app.explorer.look(CARA.user, at_start(), path)
    assert (len(end.study.tried), end.next_turns, end.is_too_late) == (5, (), False)
    await assert_refused(Why.NOT_EXPLORED, app.explorer.look(CARA.user, at_start(), [*path, path[0]]))
    await assert_refused(Why.NOT_EXPLORED, app.explorer.look(CARA.user, at_start(STANDARD), path))


async def test_the_turn_with_which_the_record_goes_on_is_marked(app: App) -> None:
    await ended(app, "c2", "g2")
    await ended(app, "d2", "g2")
    await count_all(app)
    turns = tuple((action,) for action in (*parse_turn(start(BASIC), "d2"), *parse_turn(start(BASIC), "g2")))
    record = replace(at_start(), turns=turns)
    marked = [(each.in_record, turn_text(start(BASIC), each.actions)) for each in await _looked(app, record)]
    assert sorted(in_record for in_record, _ in marked) == [False, True]
    (second,) = await _looked(app, replace(record, place=1))
    assert (second.in_record, second.actions) == (True, turns[1])
    step = next(each.code for each in await _looked(app, record) if each.in_record)
    assert not any(each.in_record for each in (await app.explorer.look(CARA.user, record, [step])).next_turns)
    assert not any(each.in_record for each in await _looked(app, at_start()))


async def _looked(app: App, study: Study) -> tuple[NextTurn, ...]:
    return (await app.explorer.look(CARA.user, study)).next_turns


async def test_only_so_many_turns_are_shown_and_the_rest_is_counted(app: App) -> None:
    position, second = start(TOURNAMENT), set[str]()
    first = parse_turn(position, "Gc2")
    for action in legal(position_after(position, first)):
        text = turn_text(position_after(position, first), [action])
        if text not in second and len(second) < MOST_NEXT_TURNS + 3:
            second.add(text)
            await ended(app, "Gc2", text, ruleset=TOURNAMENT)
    await ended(app, "Gc2", min(second), ruleset=TOURNAMENT)
    await count_all(app)
    view = await app.explorer.look(CARA.user, tried(at_start(TOURNAMENT), "Gc2"))
    assert (len(view.next_turns), view.games) == (MOST_NEXT_TURNS, len(second) + 1)
    assert view.other_turns > 0
    assert view.next_turns[0].counted.games >= 2


async def test_a_position_of_a_running_game_of_the_person_is_shown(app: App) -> None:
    """As an opening book is allowed in correspondence chess. The same start in other rules is another position."""
    forms = images(CIRCLE[:8])
    for form in forms:
        await ended(app, *form)
    running = (await begin_game(app, ruleset=BASIC)).game.id
    await play_on(app, running, *forms[2][:6])
    await begin_game(app, ruleset=STANDARD)
    await count_all(app)
    for turns in (6, 7):
        asked = tried(at_start(), *forms[4][:turns])
        for player in (ANN, BOB, CARA):
            assert (await app.explorer.look(player.user, asked)).games == 6


async def test_the_same_pieces_on_other_spots_are_another_position(app: App) -> None:
    await ended(app, "c2", "g2")
    await count_all(app)
    assert (await app.explorer.look(ANN.user, at_start())).games == 1
    assert (await app.explorer.look(ANN.user, tried(at_start(), "c2", "f2"))).games == 0


async def test_nothing_follows_the_end_of_a_game_or_the_last_counted_turn(app: App, store: Store) -> None:
    game_id = await played_out(app, BASIC, 3)
    await count_all(app)
    async with store.reading() as db:
        turns = tuple(turn.actions for turn in await games.turns_of(db, game_id))
    assert len(turns) > EXPLORED_TURNS
    assert await count_differences(store) == 0
    record = replace(at_start(), turns=turns)
    seen = [await app.explorer.look(CARA.user, replace(record, place=place)) for place in range(len(turns) + 1)]
    assert [view.games for view in seen] == [1] * EXPLORED_TURNS + [0] * (len(turns) + 1 - EXPLORED_TURNS)
    assert [view.is_too_late for view in seen] == [place >= EXPLORED_TURNS for place in range(len(turns) + 1)]
    assert all(each.in_record for view in seen for each in view.next_turns)
