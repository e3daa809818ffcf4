"""What holds on a server: its settings, how many games one plays there, and seeks that several people may take."""

import asyncio

import pytest

from gipfbot.match import (
    TIME_CONTROLS,
    Seat,
    Side,
    Terms,
    Why,
    days_per_turn,
)
from gipfbot.rules import BASIC, PRESETS, STANDARD
from gipfbot.service.app import App
from gipfbot.service.settings.servers import Servers, ServerSettings
from gipfbot.store import servers
from gipfbot.values import Venue
from tests.service.helpers import begin_game, offered, refused
from tests.support.people import ANN, BOB, CARA, CLUB, DAN, ELSEWHERE, HOME
from tests.support.times import HOUR


@pytest.fixture
def known(app: App) -> Servers:
    return app.servers


async def game_with(app: App, black: Seat = BOB, venue: Venue = HOME) -> int:
    """Return a game of Ann and somebody else."""
    return (await begin_game(app, venue=venue, black=black)).game.id


# ── Settings ──


async def test_without_settings_the_defaults_hold(known: Servers) -> None:
    assert await known.settings(CLUB) == ServerSettings()
    assert ServerSettings().terms == Terms(days_per_turn(3), weekends=True, rated=True)
    assert await known.settings(None) == ServerSettings(pace="none"), "in direct messages"
    assert ServerSettings().ruleset == STANDARD


async def test_a_setting_holds_on_its_server_alone(known: Servers) -> None:
    await known.change(CLUB, {"rules": "basic", "pace": "3", "weekends": False, "channel": 5, "cap": 2})
    after, _ = await known.change(CLUB, {"grace": 24, "threads": True, "cap": None, "vacation": 0})
    assert after == ServerSettings(
        rules="basic", pace="3", weekends=False, grace=24, vacation=0, channel=5, threads=True
    )
    assert await known.settings(CLUB) == after
    assert (after.ruleset, after.terms) == (
        BASIC,
        Terms(days_per_turn(3), False, 24 * HOUR, True, rated=True, vacation=0),
    )
    assert await known.settings(CLUB + 1) == ServerSettings()


async def test_simultaneous_changes_of_settings_all_count(known: Servers) -> None:
    await asyncio.gather(known.change(CLUB, {"cap": 3}), known.change(CLUB, {"pace": "7"}))
    assert await known.settings(CLUB) == ServerSettings(pace="7", cap=3)


NOT_OFFERED = [
    ("rules", "chess"),
    ("pace", "4"),
    ("pace", ""),
    ("weekends", 1),
    ("grace", -1),
    ("grace", 169),
    ("grace", True),
    ("vacation", 366),
    ("channel", "5"),
    ("threads", 1),
    ("cap", 0),
    ("cap", 1001),
]


async def test_a_value_that_is_not_offered_is_refused(known: Servers) -> None:
    before, _ = await known.change(CLUB, {"pace": "2"})
    for name, value in NOT_OFFERED:
        told = await refused(known.change(CLUB, {"vacation": 7, name: value}))
        assert told == (Why.NOT_OFFERED, {"option": name, "value": value})
        assert await known.settings(CLUB) == before


async def test_all_values_on_offer_can_be_set(known: Servers) -> None:
    for name, values in {"pace": TIME_CONTROLS, "rules": PRESETS, "grace": (0, 168), "vacation": (0, 365)}.items():
        for value in values:
            after, _ = await known.change(CLUB, {name: value})
            assert getattr(after, name) == value
    assert all(row.allows(getattr(ServerSettings(), name)) for name, row in ServerSettings.rows().items())


async def test_a_stored_value_no_longer_offered_is_passed_over(app: App, known: Servers) -> None:
    """An older version may have offered it, and a newer one may know more."""
    async with app.games.store.transaction() as db:
        await servers.save_server_settings(db, CLUB, {"pace": "4", "cap": 3, "colours": "red"})
    assert await known.settings(CLUB) == ServerSettings(cap=3)


# ── How many games ──


async def test_a_player_at_the_cap_neither_challenges_nor_is_challenged(app: App, known: Servers) -> None:
    await known.change(CLUB, {"cap": 1})
    await game_with(app)
    assert await refused(offered(app, CARA)) == (Why.TOO_MANY_GAMES, {"name": None, "cap": 1, "plays": 1})
    assert await refused(offered(app, None)) == (Why.TOO_MANY_GAMES, {"name": None, "cap": 1, "plays": 1})
    asked = app.lobby.challenge(CARA, BOB, STANDARD, Side.LOT, HOME)
    assert await refused(asked) == (Why.TOO_MANY_GAMES, {"name": BOB.name, "cap": 1, "plays": 1})
    assert await app.lobby.challenges_of(CARA.user) == []
    assert await refused(app.lobby.challenge(BOB, ANN, STANDARD, Side.LOT, HOME)) == (
        Why.TOO_MANY_GAMES,
        {"name": None, "cap": 1, "plays": 1},
    ), "their own games are named first"
    both = app.lobby.challenge(ANN, BOB, STANDARD, Side.LOT, HOME)
    assert (await refused(both))[1]["name"] is None


async def test_a_player_above_a_new_cap_is_told_their_number(app: App, known: Servers) -> None:
    for _ in range(3):
        await game_with(app)
    await known.change(CLUB, {"cap": 2})
    assert await refused(offered(app, None)) == (Why.TOO_MANY_GAMES, {"name": None, "cap": 2, "plays": 3})


async def test_the_cap_counts_when_a_challenge_is_accepted(app: App, known: Servers) -> None:
    """It counts for both players. The challenge stays open, as a game may end."""
    await known.change(CLUB, {"cap": 1})
    seek, challenge = await offered(app, None), await offered(app, CARA)
    game_id = await game_with(app)
    assert await refused(app.lobby.accept_challenge(challenge, CARA)) == (
        Why.TOO_MANY_GAMES,
        {"name": ANN.name, "cap": 1, "plays": 1},
    )
    assert await refused(app.lobby.accept_challenge(seek, CARA)) == (
        Why.TOO_MANY_GAMES,
        {"name": ANN.name, "cap": 1, "plays": 1},
    )
    await app.games.resign(game_id, BOB.user)
    assert (await app.lobby.accept_challenge(challenge, CARA))[1].game.seats == (ANN, CARA)
    dans = (await app.lobby.challenge(DAN, None, STANDARD, Side.LOT, HOME))[0].challenge.id
    assert await refused(app.lobby.accept_challenge(dans, CARA)) == (
        Why.TOO_MANY_GAMES,
        {"name": None, "cap": 1, "plays": 1},
    )


async def test_the_cap_counts_running_games_of_this_server_only(app: App, known: Servers) -> None:
    await known.change(CLUB, {"cap": 1})
    await game_with(app, venue=ELSEWHERE)
    game_id = await game_with(app)
    await app.games.cancel_game(game_id, ANN.user)
    await game_with(app)
    await known.change(CLUB, {"cap": 2})
    await game_with(app)
    assert (await refused(offered(app)))[0] is Why.TOO_MANY_GAMES
    await game_with(app, venue=ELSEWHERE)


async def test_the_cap_counts_a_rematch_like_any_game(app: App, known: Servers) -> None:
    over = await game_with(app)
    await app.games.resign(over, ANN.user)
    await game_with(app, CARA)
    await known.change(CLUB, {"cap": 1})
    assert await refused(app.lobby.rematch(over, BOB)) == (
        Why.TOO_MANY_GAMES,
        {"name": ANN.name, "cap": 1, "plays": 1},
    )
