"""Texts that were typed at one moment of a game and arrive at another: how the moment is written, and what changed.

A form carries the moment of the message that opened it, a choice that of the message that offered it. So a text is
never read in another position than its author saw.
"""

from gipfbot.languages import mark, say, say_number
from gipfbot.match import Game, Moment
from gipfbot.notation import Notation

from .components import parse_sent_number
from .texts import escape_text
from .turn_words import game_notation, pressed_with_notation

FROM_OLD_VERSION = mark("The bot was updated since that was opened, so it can't tell for which position it was typed.")


def parse_moment(text: str) -> Moment | None:
    """Return the moment that a `custom_id`, a choice or a command carries, such as `5.0.2`.

    None for what an earlier version of the bot wrote there. Raises Malformed for numbers that are too large.
    """
    numbers = text.split(".")
    return Moment(*map(parse_sent_number, numbers)) if len(numbers) == len(Moment._fields) else None


def changed_since_text(game: Game, at: Moment | None, user: int, notation: Notation) -> str:
    """Return what this person sees to have changed in a game since the moment `at`. Empty if the game has ended.

    None as `at` stands for a text from an earlier version of the bot.
    """
    if game.asked is None:
        return ""
    return _change_text(game, at, user, notation) if at else say(FROM_OLD_VERSION)


def last_played_text(game: Game, notation: Notation) -> str:
    """Return who played which turn last: `Bob played **h3 → g3** (also written `g3`).` Empty before the first turn."""
    facts = _last_turn(game, notation)
    return say("{name} played {turn}.", **facts) if facts else ""


def moved_on_text(said: str, game: Game, notation: Notation) -> str:
    """Return the sentence `said`, and then who played which turn last, if anybody has."""
    facts = _last_turn(game, notation)
    return f"{said} {say('{name} played {turn} last.', **facts)}" if facts else said


def _last_turn(game: Game, notation: Notation) -> dict[str, str]:
    """Return the last turn and its player's name, as facts of a sentence. Empty before the first turn."""
    if game.last is None:
        return {}
    turn = pressed_with_notation(game.last.actions, game_notation(game, game.last.before, game.last.actions, notation))
    return {"name": escape_text(game.seats[game.last.colour].name), "turn": turn}


def _change_text(game: Game, at: Moment, user: int, notation: Notation) -> str:
    if game.taken_back != at.taken_back:
        return say("The game has moved on since: turns were taken back.")
    if game.last and (played := game.turn_number - at.turn_number):
        facts = _last_turn(game, notation)
        if played == 1:
            return say("The game has moved on since: {name} played {turn}.", **facts)
        return say_number(
            "The game has moved on since: {name} played {turn}, the last of {number} turn.",
            "The game has moved on since: {name} played {turn}, the last of {number} turns.",
            played,
            **facts,
        )
    if not (seen := game.actions_seen_by(user)):
        return say("The game has moved on since: the turn was started over.")
    begun = pressed_with_notation(seen, game_notation(game, game.position, seen, notation))
    return say("The game has moved on since: the turn so far is {turn}.", turn=begun)
