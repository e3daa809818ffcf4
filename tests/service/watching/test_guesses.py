"""Guesses of spectators: until when they count, who reads them, and what they bring."""

import asyncio

from sqlalchemy import select

from gipfbot.match import Refused, Why
from gipfbot.service.app import App, create_app
from gipfbot.store import Store, side_tables
from gipfbot.values import GuessScore
from tests.service.helpers import assert_refused, basic_game_after, play_on, why_refused
from tests.support.games import TURNS
from tests.support.people import ANN, BOB, CARA, DAN, EVE
from tests.support.times import NOW


async def points(app: App, game: int, turn_serial: int, *users: int) -> list[int | None]:
    """Return the points of these people's guesses of a turn. Each must have one."""
    found = [await app.guesses.guess_of(user, game, turn_serial) for user in users]
    return [guess.points for guess in found if guess]


async def test_guesses_are_scored_with_the_turn(app: App) -> None:
    game = await basic_game_after(app)
    for user, text in ((CARA.user, "c2"), (DAN.user, "d2"), (EVE.user, "c2")):
        await app.guesses.guess(user, game, 0, text)
    assert await points(app, game, 0, CARA.user, DAN.user) == [None, None]
    await play_on(app, game, "c2")
    assert await points(app, game, 0, CARA.user, DAN.user, EVE.user) == [3, 0, 3]
    assert await app.guesses.score(CARA.user) == GuessScore(1, 1, 0, 3)
    assert await app.guesses.score(BOB.user) == GuessScore(0, 0, 0, 0)


async def test_guess_is_changed_until_the_turn_is_played(app: App) -> None:
    game = await basic_game_after(app)
    for text in ("d2", "c2"):
        await app.guesses.guess(CARA.user, game, 0, text)
    await play_on(app, game, "c2")
    assert await points(app, game, 0, CARA.user) == [3]
    assert await why_refused(app.guesses.guess(CARA.user, game, 0, "c2")) is Why.GUESS_TOO_LATE
    await app.guesses.guess(CARA.user, game, 1, TURNS[1])
    assert (await app.guesses.score(CARA.user)).guesses == 1, "the next turn has not been played"


async def test_conditional_turn_is_scored_for_its_own_turn(app: App) -> None:
    """Nobody can have guessed it, because its turn began and ended in one transaction."""
    game = await basic_game_after(app)
    await app.conditionals.add_typed_line(game, BOB.user, "c2 g2")
    await app.guesses.guess(CARA.user, game, 0, "c2")
    await play_on(app, game, "c2")
    assert (await app.games.game(game)).game.turn_number == 2
    assert await points(app, game, 0, CARA.user) == [3]
    assert await why_refused(app.guesses.guess(CARA.user, game, 1, "g2")) is Why.GUESS_TOO_LATE


async def test_turn_taken_back_is_guessed_anew(app: App) -> None:
    game = await basic_game_after(app)
    await app.guesses.guess(CARA.user, game, 0, "c2")
    await play_on(app, game, "c2")
    request = (await app.takebacks.request_takeback(game, ANN.user)).request.id
    await app.takebacks.accept_takeback(request, BOB.user)
    serial = (await app.games.game(game)).game.turn_serial
    assert await app.guesses.guess_of(CARA.user, game, serial) is None
    await app.guesses.guess(CARA.user, game, serial, "d2")
    await play_on(app, game, "d2")
    assert await app.guesses.score(CARA.user) == GuessScore(2, 2, 0, 6)


async def test_players_and_ended_games_are_refused(app: App) -> None:
    game = await basic_game_after(app, 2)
    for user in (ANN.user, BOB.user):
        await assert_refused(Why.GUESSES_OWN_GAME, app.guesses.guess(user, game, 2, "d2"))
    assert await why_refused(app.guesses.guess(CARA.user, 99, 0, "d2")) is Why.NO_GAME
    await app.games.resign(game, ANN.user)
    assert await why_refused(app.guesses.guess(CARA.user, game, 2, "d2")) is Why.OVER
    async with app.games.store.reading() as db:
        assert (await db.execute(select(side_tables.guesses))).all() == []


RACERS = range(100, 112)


async def try_guess(app: App, game: int, user: int) -> bool:
    """Guess. Return whether the guess was saved; otherwise it came too late."""
    try:
        await app.guesses.guess(user, game, 0, "c2")
    except Refused as refusal:
        return refusal.why is not Why.GUESS_TOO_LATE
    return True


async def play_in_race(app: App, game: int) -> bool:
    """Play the turn. Return whether all guesses of it have their points as soon as that is done."""
    await app.games.play_typed(game, ANN.user, "c2")
    return None not in await points(app, game, 0, *RACERS)


async def test_no_guess_is_written_after_the_turn(store: Store, app: App) -> None:
    """Guesses race with the turn. Each either is refused, or was saved before the turn and has its points."""
    other, kept, late = create_app(store, lambda: NOW, lambda: True), 0, 0
    for before in range(len(RACERS) + 1):
        game = await basic_game_after(app)
        works = [try_guess(app if user % 2 else other, game, user) for user in RACERS]
        works.insert(before, play_in_race(app, game))
        saved = await asyncio.gather(*works)
        assert saved.pop(before)
        assert await points(app, game, 0, *RACERS) == [3] * saved.count(True)
        kept, late = kept + saved.count(True), late + saved.count(False)
    assert kept
    assert late
