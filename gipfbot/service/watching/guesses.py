"""Guesses of spectators: saved until the turn is played, and scored in the transaction that saves the turn."""

from collections.abc import Callable

from gipfbot.match import Game, Refused, Turn, Why
from gipfbot.match.guess import check_may_guess, guess_points, pressed_guess, read_guess
from gipfbot.notation import OFFICIAL, Notation
from gipfbot.service.kit.loaded_games import require_game
from gipfbot.store import Connection, Store, studies, watching
from gipfbot.values import Guess, GuessScore, StoredGame, StoredStudy


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

    async def guess_pressed(self, study: StoredStudy) -> tuple[StoredGame, Guess]:
        """Save the guess that a spectator has entered in a hidden study, which is used up.

        Return the game and the guess. Raises Refused, and changes nothing, if the turn has been played, or if the
        person plays in the game.
        """
        assert study.game is not None
        async with self.store.transaction() as db:
            stored = await require_game(db, study.game)
            check_may_guess(stored.game, study.user)
            if stored.game.position != study.study.start_position:
                raise Refused(Why.GUESS_TOO_LATE)
            guess = Guess(study.game, stored.game.turn_serial, study.user, pressed_guess(study.study))
            await watching.save_guess(db, guess, self.now())
            await studies.delete_study(db, study.study.id)
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
        points = guess_points(turn.before, actions, turn.actions)
        await watching.set_points(db, before.id, before.turn_serial, codes, points)
