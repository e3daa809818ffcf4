"""Rows that cannot be read stop nothing else."""

import json

import pytest
from sqlalchemy import text

from gipfbot.match import REQUEST_LIFETIME, Challenge, Refused, Side, Terms, Why, days_per_turn
from gipfbot.match.study import Study
from gipfbot.rules import STANDARD
from gipfbot.store import Store, challenges, clocks, conditionals, game_lists, games, servers, studies, users
from gipfbot.values import StoredStudy, UnreadableGame
from tests.store.helpers import added, loaded, played
from tests.support.games import E1
from tests.support.people import ANN, BOB, HOME
from tests.support.times import NOW


def without(field: str) -> str:
    """Return a rule set as it is stored, without one of its fields."""
    return json.dumps({name: value for name, value in STANDARD.data().items() if name != field})


BROKEN = {
    "position": "UPDATE games SET position = 'mush'",
    "position of another rule set": "UPDATE games SET position = replace(position, 'standard', 'basic')",
    "earlier position": "UPDATE games SET previous = NULL",
    "unknown field of the rule set": f"UPDATE games SET ruleset = '{json.dumps({**STANDARD.data(), 'hexagons': 7})}'",
    "missing field of the rule set": f"UPDATE games SET ruleset = '{without('pieces')}'",
    "no JSON": "UPDATE games SET ruleset = '{'",
    "terms": "UPDATE games SET terms = '[]'",
    "colour of the last turn": "UPDATE turns SET colour = 7",
    "action of the last turn": "UPDATE turns SET actions = 'mush'",
    "action of the draft": "INSERT INTO draft SELECT id, 0, 'mush', 1, 1 FROM games",
    "impossible action of the draft": "INSERT INTO draft SELECT id, 0, 'xb:b2b3b4b5', 1, 1 FROM games",
}  # fmt: skip


async def spoil(store: Store, statement: str, game: int) -> None:
    """Break the row of a game, or rows that belong to it."""
    column = "id" if statement.startswith(("UPDATE games", "INSERT")) else "game"
    async with store.transaction() as db:
        await db.execute(text(f"{statement} WHERE {column} = {game}"))


@pytest.mark.parametrize(
    "statement",
    # PostgreSQL stores nothing in such a column but JSON.
    [pytest.param(BROKEN[why], marks=[pytest.mark.sqlite] * (why == "no JSON"), id=why) for why in BROKEN],
)
async def test_a_broken_game_is_refused_and_others_are_listed(store: Store, statement: str) -> None:
    broken, sound = [(await played(store, await added(store), 1)).id for _ in range(2)]
    await spoil(store, statement, broken)
    with pytest.raises(UnreadableGame) as refused:
        await loaded(store, broken)
    assert isinstance(refused.value, Refused)
    assert (refused.value.why, refused.value.facts) == (Why.UNREADABLE, {"game": broken})
    assert (await loaded(store, sound)).game.turn_number == 1
    async with store.reading() as db:
        assert [brief.id for brief in await game_lists.running_games(db, ANN.user)] == [sound]
        assert [brief.id for brief in await game_lists.waiting_games(db, BOB.user)] == [sound]
        assert (await game_lists.running_and_unreadable_games(db, ANN.user))[1] == [broken]


async def test_missing_fields_of_terms_and_rule_sets_get_defaults(store: Store) -> None:
    game = await played(store, await added(store), 1)
    await spoil(store, f"UPDATE games SET terms = '{{\"later\": 1}}', ruleset = '{without('gipf_enters')}'", game.id)
    assert (await loaded(store, game.id)).game == game


async def test_a_broken_game_is_logged_once(store: Store, caplog: pytest.LogCaptureFixture) -> None:
    game = await added(store)
    await spoil(store, BROKEN["position"], game.id)
    for _ in range(3):
        with pytest.raises(UnreadableGame):
            await loaded(store, game.id)
        async with store.reading() as db:
            assert await game_lists.running_games(db, ANN.user) == []
    (said,) = caplog.records
    assert said.getMessage() == f"game {game.id} cannot be read and is left as it is"
    assert "a rule set, w or b" in str(said.exc_info)


async def test_a_broken_earlier_turn_stops_only_its_readers(store: Store) -> None:
    game = await played(store, await added(store), 2)
    async with store.transaction() as db:
        await db.execute(text("UPDATE turns SET actions = 'mush' WHERE turn_number = 1"))
    assert (await loaded(store, game.id)).game == game
    async with store.reading() as db:
        with pytest.raises(UnreadableGame):
            await games.turns_of(db, game.id)


async def timed(store: Store) -> int:
    async with store.transaction() as db:
        return (await games.add_game(db, STANDARD, (ANN, BOB), HOME, NOW, Terms(days_per_turn(3)))).game.id


async def test_a_running_clock_with_broken_terms_is_left_out(store: Store) -> None:
    """All other clocks can still be credited with downtime."""
    broken, sound = [await timed(store) for _ in range(2)]
    await spoil(store, BROKEN["terms"], broken)
    async with store.reading() as db:
        assert [clock.id for clock in await clocks.running_clocks(db)] == [sound]


async def test_a_broken_challenge_is_left_out(store: Store) -> None:
    offer = Challenge(0, ANN, None, STANDARD, Side.LOT, NOW + REQUEST_LIFETIME)
    async with store.transaction() as db:
        broken, sound = [await challenges.add_challenge(db, offer, HOME) for _ in range(2)]
        await db.execute(text("UPDATE challenges SET ruleset = '{}' WHERE id = 1"))
        assert await challenges.load_challenge(db, broken.challenge.id) is None
        assert await challenges.challenges_of(db, ANN.user) == [sound]
        assert await challenges.open_seeks(db, HOME.server) == [sound]


async def test_a_broken_study_is_left_out(store: Store) -> None:
    new = StoredStudy(Study(0, STANDARD, ("White", "Black"), ((E1,),)), ANN.user, "", None, None, {})
    async with store.transaction() as db:
        broken, tried, sound = [await studies.add_study(db, new, NOW, NOW + 1) for _ in range(3)]
        await db.execute(text("UPDATE studies SET ruleset = '{}' WHERE id = 1"))
        await db.execute(text("UPDATE studies SET tried = 'mush' WHERE id = 2"))
        assert await studies.load_study(db, broken, ANN.user, NOW) is None
        assert await studies.load_study(db, tried, ANN.user, NOW) is None
        assert await studies.load_study(db, sound, ANN.user, NOW) is not None
        assert [brief.id for brief in await studies.studies_of(db, ANN.user, NOW)] == [sound, tried]


async def test_a_broken_conditional_line_is_left_out(store: Store) -> None:
    game = await added(store)
    async with store.transaction() as db:
        for _ in range(2):
            await conditionals.add_conditional_line(db, game.id, BOB.user, 0, ((E1,), (E1,)), NOW)
        await db.execute(text("UPDATE conditionals SET turns = 'mush' WHERE id = 1"))
        assert [line.id for line in await conditionals.conditional_lines(db, game.id)] == [2]


@pytest.mark.sqlite
async def test_broken_settings_count_as_unset(store: Store) -> None:
    async with store.transaction() as db:
        await users.set_setting(db, ANN.user, "zone", "Europe/Berlin")
        for server in (1, 2):
            await servers.save_server_settings(db, server, {"vacation": 5})
        await db.execute(text("UPDATE users SET settings = '{'"))
        await db.execute(text("UPDATE servers SET settings = '{' WHERE id = 1"))
        assert await users.settings_of_user(db, ANN.user) == {}
        assert await servers.settings_of_server(db, 1) == {}
