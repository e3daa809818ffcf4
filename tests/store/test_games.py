"""Games are loaded from the store as they were saved."""

from dataclasses import replace
from random import Random

import pytest
from sqlalchemy import select

from gipfbot.match import Game, Status, Turn, cancel_game, new_game, perform, position_hash, resign_game, void_game
from gipfbot.rules import BASIC, PRESETS, PUSHES, STANDARD, TOURNAMENT, Action, Colour, Kind, Ruleset
from gipfbot.store import Store, game_lists, games, tables
from gipfbot.values import Stale, Venue
from tests.rules.generate import dense
from tests.rules.helpers import action, board
from tests.store.helpers import MESSAGE, added, answered, loaded, played, save
from tests.support.people import ANN, BOB, CARA, CLUB, HALL, HOME
from tests.support.times import MINUTE, NOW

CROSSING = board("basic w", "W=e2,e3,e4,e5,b5,c5,d5", "B=b2")  # White's turn begins with a choice of rows


async def walk(store: Store, game: Game, rng: Random, actions: int) -> list[Turn]:
    """Play on, one action at a time, and compare every stored state with the one in memory; return the turns."""
    turns = []
    for step in range(actions):
        if game.status is not Status.RUNNING:
            break
        after = answered(game, rng)
        async with store.transaction() as db:
            await save(db, game, after, NOW + step)
        game = after.game
        assert (await loaded(store, game.id)).game == game
        turns += [after.turn] if after.turn else []
    return turns


@pytest.mark.parametrize("ruleset", PRESETS.values(), ids=PRESETS)
async def test_whole_games_are_loaded_as_saved_after_every_action(store: Store, ruleset: Ruleset) -> None:
    for seed in range(2):
        game = await added(store, ruleset)
        turns = await walk(store, game, Random(seed), 150)
        async with store.reading() as db:
            stored = await games.turns_of(db, game.id)
        assert [(turn.turn_number, turn.colour, turn.text) for turn in stored] == [
            (turn.turn_number, turn.colour, turn.text) for turn in turns
        ]


@pytest.mark.parametrize("ruleset", PRESETS.values(), ids=PRESETS)
async def test_crowded_boards_are_loaded_as_saved(store: Store, ruleset: Ruleset) -> None:
    """They have crossing rows, GIPF-pieces that may stay, and offers, which are rare in whole games."""
    rng, drafts = Random(5), 0
    for _ in range(12):
        start = await added(store, ruleset)
        game = replace(start, position=dense(ruleset, rng), version=1)
        async with store.transaction() as db:
            await games.save_game(db, start, game, by=ANN.user, now=NOW)
        turns = await walk(store, game, rng, 12)
        drafts += sum(len(turn.actions) > 1 for turn in turns)
    assert drafts > 10


async def test_a_new_game_is_loaded_as_stored(store: Store) -> None:
    async with store.transaction() as db:
        stored = await games.add_game(db, TOURNAMENT, (ANN, BOB), HOME, NOW)
    assert stored == await loaded(store, stored.game.id)
    assert stored.game == new_game(stored.game.id, TOURNAMENT, (ANN, BOB))
    assert (stored.venue, stored.unreachable, stored.board_message, stored.ended_at) == (HOME, False, None, None)


async def test_every_game_has_its_own_id(store: Store) -> None:
    first, second = await added(store), await added(store, seats=(BOB, ANN))
    assert first.id != second.id
    assert (await loaded(store, second.id)).game.seats == (BOB, ANN)


async def test_an_unknown_game_is_none(store: Store) -> None:
    async with store.reading() as db:
        assert await games.load_game(db, 1) is None


async def test_a_changed_preset_alters_no_running_game(store: Store) -> None:
    """The rule set is stored by value, even if a preset has the same name and another number of pieces."""
    house_rule = replace(BASIC, name="standard", pieces=12)
    game = await added(store, house_rule)
    assert (await loaded(store, game.id)).game.ruleset == house_rule != PRESETS["standard"]
    await walk(store, game, Random(1), 20)


async def half_a_turn(store: Store) -> Game:
    """Return a stored game in which White has chosen between two rows and still has to push."""
    fresh = await added(store, BASIC)
    first = replace(fresh, position=CROSSING, version=1)
    second = perform(first, ANN.user, [action("e: e2 e3 e4 e5")])
    async with store.transaction() as db:
        await games.save_game(db, fresh, first, by=ANN.user, now=NOW + 1)
        await save(db, first, second, NOW + 2)
    return second.game


@pytest.mark.parametrize("end", ["resign", "cancel", "void"])
async def test_ending_without_a_turn_drops_draft_and_waiting_player(store: Store, end: str) -> None:
    """A game ends so by resigning, cancelling, or as void."""
    before = await half_a_turn(store)
    assert (await loaded(store, before.id)).game.draft
    after = {
        "resign": resign_game(before, BOB.user),
        "cancel": cancel_game(before, BOB.user),
        "void": void_game(before),
    }[end]
    async with store.transaction() as db:
        await games.save_game(db, before, after, by=BOB.user, now=NOW + MINUTE)
    stored = await loaded(store, before.id)
    assert stored.game == after
    assert (stored.changed_at, stored.ended_at) == (NOW + MINUTE, NOW + MINUTE)
    async with store.reading() as db:
        assert await game_lists.waiting_games(db, ANN.user) == await game_lists.running_games(db, ANN.user) == []


async def test_the_turn_that_makes_a_game_void_is_saved(store: Store) -> None:
    before = await played(store, await added(store), 3)
    answer = answered(before, Random(1))
    assert answer.turn
    after = void_game(answer.game)
    async with store.transaction() as db:
        await games.save_game(db, before, after, answer.turn, by=BOB.user, how="typed", now=NOW)
    stored = (await loaded(store, before.id)).game
    assert stored == after
    assert stored.last == answer.turn
    assert stored.position.result
    assert stored.last.after.result is None


async def test_draft_actions_keep_their_author_and_time(store: Store) -> None:
    game = await added(store)
    first, second, other = (PUSHES[dot, spot, Kind.BASIC] for dot, spot in (("a1", "b2"), ("a2", "b2"), ("a2", "b3")))
    drafts: list[tuple[int, tuple[Action, ...]]] = [
        (ANN.user, (first,)), (BOB.user, (first, second)), (CARA.user, (first, other)), (ANN.user, ()),
    ]  # fmt: skip
    seen = []
    for step, (by, actions) in enumerate(drafts):
        after = replace(game, draft=actions, version=game.version + 1)
        async with store.transaction() as db:
            await games.save_game(db, game, after, by=by, now=NOW + step)
            rows = await db.execute(select(tables.draft).order_by(tables.draft.c.step))
        seen.append([(row.action, row.by, row.at) for row in rows])
        game = after
    anns = ("a1b2", ANN.user, NOW)
    assert seen == [[anns], [anns, ("a2b2", BOB.user, NOW + 1)], [anns, ("a2b3", CARA.user, NOW + 2)], []]


async def test_the_later_of_two_saves_is_stale(store: Store) -> None:
    """Two people load the same game and both play. The second save fails, and nothing of it is kept."""
    game = await added(store)
    one, two = answered(game, Random(1)), answered(game, Random(2))
    assert one.turn
    assert two.turn
    assert one.turn.text != two.turn.text
    async with store.transaction() as db:
        await save(db, game, one)
    with pytest.raises(Stale):
        async with store.transaction() as db:
            await save(db, game, two)
    assert (await loaded(store, game.id)).game == one.game
    async with store.reading() as db:
        assert [turn.text for turn in await games.turns_of(db, game.id)] == [one.turn.text]


async def test_saving_an_unknown_game_is_stale(store: Store) -> None:
    game = new_game(7, STANDARD, (ANN, BOB))
    with pytest.raises(Stale):
        async with store.transaction() as db:
            await save(db, game, answered(game, Random(1)))


async def test_turns_tell_who_played_them_and_how(store: Store) -> None:
    game = await played(store, await added(store), 2, now=NOW + MINUTE)
    async with store.reading() as db:
        turns = await games.turns_of(db, game.id)
    assert [(turn.by, turn.how, turn.played_at) for turn in turns] == [
        (ANN.user, "buttons", NOW + MINUTE),
        (BOB.user, "buttons", NOW + MINUTE),
    ]


async def test_occurrences_are_counted_in_one_game_only(store: Store) -> None:
    one, other = await played(store, await added(store), 1), await played(store, await added(store), 1)
    assert one.last
    async with store.transaction() as db:
        again = replace(one, version=one.version + 1, turn_number=2)
        await games.save_game(db, one, again, replace(one.last, turn_number=2), by=BOB.user, how="typed", now=NOW)
    async with store.reading() as db:
        assert await games.count_occurrences(db, one.id, position_hash(one.last.after)) == 2
        assert await games.count_occurrences(db, other.id, position_hash(one.last.after)) <= 1
        assert await games.count_occurrences(db, one.id, position_hash(one.last.before)) == 0


async def test_lists_show_waiting_and_running_games_in_order(store: Store) -> None:
    """The longest waiting game comes first. Games of other people are not listed."""
    first = await added(store, TOURNAMENT, now=NOW)
    second = await added(store, BASIC, (CARA, ANN), Venue(None, 5), now=NOW - MINUTE)
    await added(store, BASIC, (BOB, CARA))
    await played(store, second, 1, now=NOW + MINUTE)
    async with store.reading() as db:
        waiting, running = await game_lists.waiting_games(db, ANN.user), await game_lists.running_games(db, CARA.user)
    assert [brief.id for brief in waiting] == [first.id, second.id]
    assert [brief.id for brief in running] == [3, second.id]
    brief = waiting[1]
    assert (brief.ruleset, brief.users, brief.names) == ("basic", (CARA.user, ANN.user), (CARA.name, ANN.name))
    assert (brief.asked, brief.turn_number, brief.waiting_since) == (Colour.BLACK, 1, NOW + MINUTE)
    assert (brief.venue, brief.unreachable) == (Venue(None, 5), False)


async def test_waiting_begins_with_the_turn_not_its_actions(store: Store) -> None:
    before = await half_a_turn(store)
    after = perform(before, ANN.user, [action("a1-b2")])
    assert after.turn
    async with store.transaction() as db:
        assert [brief.waiting_since for brief in await game_lists.waiting_games(db, ANN.user)] == [NOW]
        await save(db, before, after, NOW + MINUTE)
        assert [brief.waiting_since for brief in await game_lists.waiting_games(db, BOB.user)] == [NOW + MINUTE]


async def test_an_older_board_does_not_replace_a_newer_one(store: Store) -> None:
    game = await added(store)
    seen = []
    for number, message in ((0, MESSAGE), (2, MESSAGE + 2), (1, MESSAGE + 1), (2, MESSAGE + 3)):
        async with store.transaction() as db:
            await games.set_board_message(db, game.id, number, HALL, message)
        stored = await loaded(store, game.id)
        assert stored.board_channel == HALL
        seen.append(stored.board_message)
    assert seen == [MESSAGE, MESSAGE + 2, MESSAGE + 2, MESSAGE + 3]


async def test_an_unreachable_game_gets_another_venue(store: Store) -> None:
    game = await added(store)
    async with store.transaction() as db:
        await games.set_unreachable(db, game.id, "the channel is gone")
    assert (await loaded(store, game.id)).unreachable
    async with store.transaction() as db:
        assert (await game_lists.running_games(db, ANN.user))[0].unreachable
        await games.set_venue(db, game.id, Venue(None, 7))
    stored = await loaded(store, game.id)
    assert (stored.venue, stored.unreachable, stored.changed_at) == (Venue(None, 7), False, NOW)
    assert stored.game == game


async def test_all_games_of_a_thread_move_to_its_channel(store: Store) -> None:
    """Games of another thread stay, and so do games of a channel with the same id."""
    thread = Venue(CLUB, 7, HALL)
    ours = [await added(store, home=thread) for _ in range(3)]
    others = [await added(store, home=home) for home in (Venue(CLUB, 8, HALL), HOME, Venue(None, 7))]
    async with store.transaction() as db:
        await games.save_game(db, ours[1], cancel_game(ours[1], ANN.user), by=ANN.user, now=NOW)
        await games.set_unreachable(db, ours[0].id, "gone")
        assert await games.move_games_to_parent(db, 7) == (HALL, [ours[0].id, ours[2].id])
        assert await games.move_games_to_parent(db, 7) == (None, [])
    assert [(await loaded(store, game.id)).venue for game in (*ours, *others)] == [
        *[HOME] * 3,
        Venue(CLUB, 8, HALL),
        HOME,
        Venue(None, 7),
    ]
    assert not (await loaded(store, ours[0].id)).unreachable
    async with store.reading() as db:
        assert {brief.venue for brief in await game_lists.running_games(db, ANN.user)} == {
            HOME,
            Venue(CLUB, 8, HALL),
            Venue(None, 7),
        }


async def test_events_are_numbered_within_their_game(store: Store) -> None:
    one, other = await added(store), await added(store)
    async with store.transaction() as db:
        await games.add_event(db, one.id, "resign", ANN.user, NOW)
        await games.add_event(db, other.id, "void", None, NOW, {"rule": "R6.3"})
        await games.add_event(db, one.id, "cancel", BOB.user, NOW + 1)
        rows = [tuple(row) for row in await db.execute(select(tables.events).order_by(*tables.events.primary_key))]
    assert rows == [
        (one.id, 1, "resign", ANN.user, NOW, {}),
        (one.id, 2, "cancel", BOB.user, NOW + 1, {}),
        (other.id, 1, "void", None, NOW, {"rule": "R6.3"}),
    ]
