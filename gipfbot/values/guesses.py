"""Guesses as they are stored: what a spectator thinks the next turn of a game will be."""

from dataclasses import dataclass

from gipfbot.rules import Action


@dataclass(frozen=True)
class Guess:
    """A person's guess of the turn with this serial. `points` is None until the turn is played."""

    game: int
    turn_serial: int
    user: int
    actions: tuple[Action, ...]
    points: int | None = None


@dataclass(frozen=True)
class GuessScore:
    """The guesses of a person whose turns have been played: how many there are, and the points they brought."""

    guesses: int = 0
    exact: int = 0
    same_push: int = 0
    points: int = 0
