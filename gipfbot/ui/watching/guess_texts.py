"""Texts about guesses of the next turn."""

from collections.abc import Sequence

from gipfbot.match import Game
from gipfbot.match.guess import EXACT_POINTS, PUSH_POINTS
from gipfbot.notation import Notation, turn_text
from gipfbot.rules import Position, Push
from gipfbot.service.kit.loaded_games import game_name
from gipfbot.ui.kit.texts import escape_turn, join_lines, turn_place
from gipfbot.values import Guess, GuessScore

GUESS_LABEL, GUESS_AGAIN_LABEL = "Guess", "Guess again"
GUESS_FIELD, GUESS_HINT = "The next turn", "e2 or g1-c3;xc2,d3,e4,f4"
_UNTIL_PLAYED = "Nobody else sees it. You can change it until the turn is played."
_WORTH = f"The exact turn brings {EXACT_POINTS} points, the same push {PUSH_POINTS}."


def guess_title(game: int) -> str:
    """Return the title of the form for a guess."""
    return f"Guess the next turn · {game_name(game)}"


def guess_saved_text(game: Game, guess: Guess, score: GuessScore, notation: Notation) -> str:
    """Return the confirmation of a guess, with how well the person has guessed so far."""
    said = _guess_words(game.position, guess, notation)
    first = f"Your guess for {turn_place(game.turn_number + 1)} in {game_name(game.id)}: {said}."
    return join_lines(first, _UNTIL_PLAYED, f"-# {score_text(score) or _WORTH}")


def two_pushes_text(position: Position, pushes: Sequence[Push]) -> str:
    """Return the answer to a guess that is only a dot, from which these pushes lead."""
    ways = " or ".join(f"**{turn_text(position, (push,))}**" for push in pushes)
    return f"Two pushes lead from {pushes[0].dot}, so nothing was guessed. Write {ways}."


def open_guess_text(game: Game, guess: Guess, notation: Notation) -> str:
    """Return the line about a person's guess of the turn that is due."""
    return f"-# Your guess: {_guess_words(game.position, guess, notation)}"


def scored_guess_text(game: Game, guess: Guess, notation: Notation) -> str:
    """Return the line about a person's guess of the last turn. Empty if the guess has no points yet."""
    if game.last is None or guess.points is None:
        return ""
    brought = {EXACT_POINTS: f"the exact turn, {EXACT_POINTS} points", PUSH_POINTS: "the same push, 1 point"}
    said = _guess_words(game.last.before, guess, notation)
    return f"-# Your guess was {said}: {brought.get(guess.points, 'no points')}"


def _guess_words(position: Position, guess: Guess, notation: Notation) -> str:
    return f"**{escape_turn(turn_text(position, guess.actions, notation))}**"


def score_text(score: GuessScore) -> str:
    """Return how well a person has guessed so far. Empty if no guess of theirs has been scored."""
    if not score.guesses:
        return ""
    points, guesses = _count(score.points, "point"), _count(score.guesses, "guess", "guesses")
    return f"So far {points} from {guesses}: {score.exact} exact, {score.same_push} with the same push."


def _count(number: int, one: str, many: str = "") -> str:
    return f"{number} {one if number == 1 else many or f'{one}s'}"
