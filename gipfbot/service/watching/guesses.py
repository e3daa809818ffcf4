"""Guesses of spectators: saved until the turn is played, and scored in the transaction that saves the turn."""

from collections.abc import Callable

from gipfbot.match import Game, Refused, Turn, Why
from gipfbot.match.guess import guess_points, read_guess
from gipfbot.notation import OFFICIAL, Notation
from gipfbot.service.kit.loaded_games import require_game
from gipfbot.store import Connection, Store, watching
from gipfbot.values import (
    Guess,
    GuessScore,
    StoredGame,
)


class Guesses:
    """Operations on guesses. Does not check whether a person sees a game. `now` returns UTC seconds.

    All reading methods return what belongs to the person who asks.
    """

    def __init__(self, store: Store, now: Callable[[], int]) -> None:
        self.store, self.now = store, now

    async def guess(
        self, user: int, game_id: int, turn_serial: int, text: str, notation: Notation = OFFICIAL
    ) -> tuple[StoredGame, Guess]:
        """Save a spectator's guess of the turn with this serial, which replaces their earlier one.

        Return the game and the guess. Raises NotationError for the text. Raises Refused, and changes nothing, if the
        turn has been played, or if the person plays in the game.
        """
        async with self.store.transaction() as db:
            stored = await require_game(db, game_id)
            if stored.game.asked is not None and stored.game.turn_serial != turn_serial:
                raise Refused(Why.GUESS_TOO_LATE)
            guess = Guess(game_id, turn_serial, user, read_guess(stored.game, user, text, notation))
            await watching.save_guess(db, guess, self.now())
            return stored, guess

    async def guesses_of(self, user: int, game_id: int, *turn_serials: int) -> dict[int, Guess]:
        """Return a person's own guesses of these turns, by turn serial."""
        async with self.store.reading() as db:
            return await watching.guesses_of(db, user, game_id, turn_serials)

    async def score(self, user: int) -> GuessScore:
        """Return how well a person has guessed so far."""
        async with self.store.reading() as db:
            return await watching.guess_score(db, user)


async def score_guesses(db: Connection, before: Game, turn: Turn) -> None:
    """Save the points of all guesses of a turn. Call this in the transaction that saves the turn.

    `before` is the game within the turn, so that a guess of the next turn never counts for this one.
    """
    for codes, actions in (await watching.guessed_turns(db, before.id, before.turn_serial)).items():
        points = guess_points(actions, turn.actions)
        await watching.set_points(db, before.id, before.turn_serial, codes, points)
