"""What holds on a server: its settings, how many games one plays there, and seeks that several people may take."""

import asyncio
from typing import Any

import pytest

from gipfbot.match import (
    REQUEST_LIFETIME,
    TIME_CONTROLS,
    UNTIMED,
    Refused,
    RequestState,
    Seat,
    Side,
    Terms,
    Why,
    days_per_turn,
)
from gipfbot.rules import BASIC, PRESETS, STANDARD
from gipfbot.service.app import App
from gipfbot.service.settings.servers import SETTING_CHECKS, Servers, ServerSettings
from gipfbot.store import StoredChallenge, Venue, servers

from .helpers import ANN, BOB, CARA, DAN, HOUR, Host, begin_game

HOME, ELSEWHERE = Venue(10, 20), Venue(11, 21)
CLUB = 10


@pytest.fixture
def known(app: App) -> Servers:
    return app.servers


async def offered(app: App, to: Seat | None = BOB, home: Venue = HOME, takers: int = 1) -> int:
    """Return a challenge by Ann, who is White then."""
    return (await app.lobby.challenge(ANN, to, STANDARD, Side.WHITE, home, takers=takers))[0].challenge.id


async def game_with(app: App, black: Seat = BOB, venue: Venue = HOME) -> int:
    """Return a game of Ann and somebody else."""
    return (await begin_game(app, venue=venue, black=black)).game.id


async def refused(doing: Any) -> tuple[Why, dict[str, Any]]:
    """Return why something was refused."""
    with pytest.raises(Refused) as refusal:
        await doing
    return refusal.value.why, refusal.value.facts


# ── Settings ──


async def test_where_nothing_is_set_the_defaults_hold(known: Servers) -> None:
    assert await known.settings(None) == await known.settings(CLUB) == ServerSettings()
    assert ServerSettings().terms == UNTIMED
    assert ServerSettings().ruleset == STANDARD


async def test_what_is_set_holds_on_that_server_and_the_rest_stays(known: Servers) -> None:
    await known.change(CLUB, {"rules": "basic", "pace": "3", "weekends": False, "channel": 5, "cap": 2})
    after = await known.change(CLUB, {"grace": 24, "threads": True, "cap": None, "vacation": 0})
    assert after == ServerSettings("basic", "3", False, 24, 0, 5, True, None)
    assert await known.settings(CLUB) == after
    assert (after.ruleset, after.terms) == (BASIC, Terms(days_per_turn(3), False, 24 * HOUR, True))
    assert await known.settings(CLUB + 1) == ServerSettings()


async def test_two_managers_at_once_lose_nothing_of_each_other(known: Servers) -> None:
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
    ("threads", None),
    ("cap", 0),
    ("cap", 1001),
]


async def test_what_nobody_offers_is_refused_and_changes_nothing(known: Servers) -> None:
    before = await known.change(CLUB, {"pace": "2"})
    for name, value in NOT_OFFERED:
        told = await refused(known.change(CLUB, {"vacation": 7, name: value}))
        assert told == (Why.NOT_OFFERED, {"option": name, "value": value})
        assert await known.settings(CLUB) == before


async def test_all_that_is_offered_can_be_set(known: Servers) -> None:
    for name, values in {"pace": TIME_CONTROLS, "rules": PRESETS, "grace": (0, 168), "vacation": (0, 365)}.items():
        for value in values:
            assert getattr(await known.change(CLUB, {name: value}), name) == value
    assert SETTING_CHECKS.keys() == vars(ServerSettings()).keys()


async def test_what_is_no_longer_offered_is_passed_over(app: App, known: Servers) -> None:
    """An older version may have offered it, and a newer one may know more."""
    async with app.games.store.transaction() as db:
        await servers.save_server_settings(db, CLUB, {"pace": "4", "cap": 3, "colours": "red"})
    assert await known.settings(CLUB) == ServerSettings(cap=3)


# ── How many games ──


async def test_a_full_player_neither_challenges_nor_is_challenged(app: App, known: Servers) -> None:
    await known.change(CLUB, {"cap": 1})
    await game_with(app)
    assert await refused(offered(app, CARA)) == (Why.TOO_MANY_GAMES, {"name": None, "cap": 1, "plays": 1})
    assert await refused(offered(app, None)) == (Why.TOO_MANY_GAMES, {"name": None, "cap": 1, "plays": 1})
    asked = app.lobby.challenge(CARA, BOB, STANDARD, Side.LOT, HOME)
    assert await refused(asked) == (Why.TOO_MANY_GAMES, {"name": "bob", "cap": 1, "plays": 1})
    assert await app.lobby.challenges_of(CARA.user) == []
    assert await refused(app.lobby.challenge(BOB, ANN, STANDARD, Side.LOT, HOME)) == (
        Why.TOO_MANY_GAMES,
        {"name": None, "cap": 1, "plays": 1},
    ), "his own games are named first"
    both = app.lobby.challenge(ANN, BOB, STANDARD, Side.LOT, HOME)
    assert (await refused(both))[1]["name"] is None


async def test_whoever_plays_more_than_a_new_cap_is_told_how_many(app: App, known: Servers) -> None:
    for _ in range(3):
        await game_with(app)
    await known.change(CLUB, {"cap": 2})
    assert await refused(offered(app, None)) == (Why.TOO_MANY_GAMES, {"name": None, "cap": 2, "plays": 3})


async def test_it_counts_again_when_a_challenge_is_accepted(app: App, known: Servers) -> None:
    """Of both people; the challenge stays open, for a game may end."""
    await known.change(CLUB, {"cap": 1})
    seek, challenge = await offered(app, None), await offered(app, CARA)
    id = await game_with(app)
    assert await refused(app.lobby.accept_challenge(challenge, CARA)) == (
        Why.TOO_MANY_GAMES,
        {"name": "ann", "cap": 1, "plays": 1},
    )
    assert await refused(app.lobby.accept_challenge(seek, CARA)) == (
        Why.TOO_MANY_GAMES,
        {"name": "ann", "cap": 1, "plays": 1},
    )
    await app.games.resign(id, BOB.user)
    assert (await app.lobby.accept_challenge(challenge, CARA))[1].game.seats == (ANN, CARA)
    dans = (await app.lobby.challenge(DAN, None, STANDARD, Side.LOT, HOME))[0].challenge.id
    assert await refused(app.lobby.accept_challenge(dans, CARA)) == (
        Why.TOO_MANY_GAMES,
        {"name": None, "cap": 1, "plays": 1},
    )


async def test_games_of_other_servers_and_those_that_are_over_do_not_count(app: App, known: Servers) -> None:
    await known.change(CLUB, {"cap": 1})
    await game_with(app, venue=ELSEWHERE)
    id = await game_with(app)
    await app.games.cancel_game(id, ANN.user)
    await game_with(app)
    await known.change(CLUB, {"cap": 2})
    await game_with(app)
    assert (await refused(offered(app)))[0] is Why.TOO_MANY_GAMES
    await game_with(app, venue=ELSEWHERE)


async def test_a_rematch_counts_like_any_game(app: App, known: Servers) -> None:
    over = await game_with(app)
    await app.games.resign(over, ANN.user)
    await game_with(app, CARA)
    await known.change(CLUB, {"cap": 1})
    assert await refused(app.lobby.rematch(over, BOB)) == (
        Why.TOO_MANY_GAMES,
        {"name": "ann", "cap": 1, "plays": 1},
    )


# ── Seeks for several ──


async def stands(app: App, id: int) -> tuple[RequestState, int, int | None]:
    """Return how a challenge stands: its state, for how many it is still open, the last game it led to."""
    stored: StoredChallenge = await app.lobby.stored_challenge(id)
    return stored.challenge.state, stored.challenge.takes_left, stored.game


async def test_a_seek_is_open_until_the_last_has_taken_it(app: App) -> None:
    """Every take begins a game."""
    seek = await offered(app, None, takers=3)
    assert await stands(app, seek) == (RequestState.OPEN, 3, None)
    stored, done = await app.lobby.accept_challenge(seek, BOB)
    assert (stored.challenge.state, stored.challenge.takes_left) == (RequestState.OPEN, 2)
    second = (await app.lobby.accept_challenge(seek, CARA))[1]
    assert [game.seats for game in (done.game, second.game)] == [(ANN, BOB), (ANN, CARA)]
    assert done.game.id != second.game.id
    assert [open.challenge.id for open in await app.lobby.open_seeks(CLUB)] == [seek]
    last = (await app.lobby.accept_challenge(seek, DAN))[1].game.id
    assert await stands(app, seek) == (RequestState.ACCEPTED, 0, last)
    assert await app.lobby.open_seeks(CLUB) == []
    assert (await refused(app.lobby.accept_challenge(seek, Seat(5, "eve"))))[0] is Why.CHALLENGE_CLOSED


async def test_nobody_takes_a_seek_twice(app: App) -> None:
    """Not even after that game is over."""
    seek = await offered(app, None, takers=3)
    id = (await app.lobby.accept_challenge(seek, BOB))[1].game.id
    assert await refused(app.lobby.accept_challenge(seek, BOB)) == (Why.TAKEN_ALREADY, {"game": id})
    await app.games.resign(id, BOB.user)
    assert await refused(app.lobby.accept_challenge(seek, BOB)) == (Why.TAKEN_ALREADY, {"game": id})
    assert await refused(app.lobby.accept_challenge(seek, ANN)) == (Why.OWN_CHALLENGE, {})
    assert await stands(app, seek) == (RequestState.OPEN, 2, id)
    assert (await app.lobby.accept_challenge(await offered(app, None), BOB))[1].game.id != id


async def test_the_last_place_is_given_once(app: App) -> None:
    seek = await offered(app, None, takers=2)
    await app.lobby.accept_challenge(seek, DAN)
    answers = await asyncio.gather(
        app.lobby.accept_challenge(seek, BOB), app.lobby.accept_challenge(seek, CARA), return_exceptions=True
    )
    assert sum(isinstance(answer, Refused) for answer in answers) == 1
    assert (await stands(app, seek))[:2] == (RequestState.ACCEPTED, 0)


async def test_one_that_some_have_taken_is_withdrawn_or_expires(app: App, host: Host) -> None:
    """And remembers the game it led to."""
    first, second = await offered(app, None, takers=2), await offered(app, None, takers=2)
    games = [(await app.lobby.accept_challenge(seek, BOB))[1].game.id for seek in (first, second)]
    await app.lobby.withdraw_challenge(first, ANN.user)
    host.passes(REQUEST_LIFETIME)
    await app.lobby.expire_challenges()
    assert await stands(app, first) == (RequestState.WITHDRAWN, 1, games[0])
    assert await stands(app, second) == (RequestState.EXPIRED, 1, games[1])


async def test_a_challenge_to_one_person_is_for_one(app: App) -> None:
    assert (await refused(offered(app, BOB, takers=2)))[0] is Why.TAKERS_OF_CHALLENGE


async def test_two_who_challenge_each_other_get_one_challenge(app: App, host: Host) -> None:
    """On one server, whatever the terms; a seek and a rematch are something else."""
    await offered(app, None)
    first = await offered(app, BOB)
    crossing = {"name": "ann", "challenge": first}

    async def back(to: Seat = ANN, home: Venue = HOME) -> StoredChallenge:
        return (await app.lobby.challenge(BOB, to, BASIC, Side.BLACK, home, Terms(days_per_turn(1))))[0]

    assert await refused(back()) == (Why.CHALLENGES_CROSS, crossing)
    assert [found.challenge.id for found in await app.lobby.challenges_of(BOB.user)] == [first]
    await offered(app, BOB), await back(CARA), await back(ANN, ELSEWHERE)
    await app.lobby.withdraw_challenge(first, ANN.user)
    assert (await refused(back()))[0] is Why.CHALLENGES_CROSS, "she has asked twice"
    host.passes(REQUEST_LIFETIME)
    assert (await back()).challenge.to == ANN


async def test_a_rematch_in_a_thread_stays_there(app: App) -> None:
    """It does not promise a thread of its own."""
    terms, thread = Terms(thread=True), Venue(10, 30, 20)
    challenge = (await app.lobby.challenge(ANN, BOB, STANDARD, Side.WHITE, HOME, terms))[0].challenge
    id = (await app.lobby.accept_challenge(challenge.id, BOB))[1].game.id
    await app.games.resign(id, ANN.user)
    await app.venues.relocate(id, thread)
    again = (await app.lobby.rematch(id, ANN))[0]
    assert (again.venue, again.challenge.terms.thread) == (thread, False)
