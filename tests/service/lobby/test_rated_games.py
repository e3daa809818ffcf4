"""Which new games are rated if their challenger leaves it open. The first games of a person are not at stake."""

from dataclasses import replace

import pytest

from gipfbot.match import House, Seat, Side, Terms
from gipfbot.rules import OVERBOARD, STANDARD
from gipfbot.service.app import App
from tests.service.helpers import begin_game
from tests.support.people import ANN, BOB, CARA, HOME, HOUSE_PLAYER

LEFT_OPEN = Terms(rated=True, rated_if_finished=True)


async def finish(app: App, black: Seat = BOB) -> int:
    """Let Ann resign a game against somebody. Return the game."""
    done = await begin_game(app, black=black)
    await app.games.resign(done.game.id, ANN.user)
    return done.game.id


async def is_rated(app: App, to: Seat | None = BOB, terms: Terms = LEFT_OPEN) -> tuple[bool, bool]:
    """Return whether Ann's challenge to somebody says that it is rated, and whether the game with Bob is."""
    asked, _ = await app.lobby.challenge(ANN, to, STANDARD, Side.WHITE, HOME, terms)
    begun = await app.lobby.accept_challenge(asked.challenge.id, BOB)
    return asked.challenge.terms.rated, begun[1].game.terms.rated


async def test_first_game_is_rated_only_if_the_challenger_says_so(app: App) -> None:
    assert await is_rated(app) == (False, False)
    assert await is_rated(app, terms=Terms(rated=True)) == (True, True)
    await finish(app)
    assert await is_rated(app) == (True, True)


async def test_both_must_have_finished_a_game(app: App) -> None:
    await finish(app, CARA)
    assert await is_rated(app) == (False, False)


@pytest.mark.parametrize("has_finished", [False, True])
async def test_open_challenge_is_decided_by_who_takes_it(app: App, has_finished: bool) -> None:
    await finish(app, BOB if has_finished else CARA)
    assert await is_rated(app, to=None) == (True, has_finished)


async def test_games_against_the_bot_cancelled_and_running_ones_do_not_count(app: App) -> None:
    house = replace(LEFT_OPEN, house=House(1, HOUSE_PLAYER.user))
    for player in (ANN, BOB):
        against_bot = await app.lobby.challenge_house(player, HOUSE_PLAYER, STANDARD, Side.WHITE, HOME, house)
        await app.games.resign(against_bot.game.id, player.user)
    cancelled = await begin_game(app)
    await app.games.cancel_game(cancelled.game.id, ANN.user)
    await begin_game(app)
    assert await is_rated(app) == (False, False)


async def test_rematch_asks_anew(app: App) -> None:
    first = (await begin_game(app, LEFT_OPEN)).game
    await app.games.resign(first.id, ANN.user)
    again, _ = await app.lobby.rematch(first.id, BOB)
    assert (first.terms.rated, again.challenge.terms.rated) == (False, True)


async def test_rematch_keeps_what_the_challenger_said(app: App) -> None:
    again, _ = await app.lobby.rematch(await finish(app), BOB)
    assert not again.challenge.terms.rated


async def test_overboard_is_never_rated(app: App) -> None:
    asked, _ = await app.lobby.challenge(ANN, BOB, OVERBOARD, Side.WHITE, HOME, Terms(rated=True))
    assert not asked.challenge.terms.rated
