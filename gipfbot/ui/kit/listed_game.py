"""One game as a line of a list: in a person's list of games, and in their daily digest. The button to the next game."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from gipfbot.languages import mark, say
from gipfbot.service.kit.loaded_games import game_name
from gipfbot.values import GameBrief, ListedGame

from . import clock_texts
from .components import Button
from .texts import escape_text, game_label, opponent_of, shorten_text, time_text

GAMES_PER_PAGE = 10  # two rows of buttons in a digest; 30 of the 40 components in a list with a button beside each game
LISTED_NAME_LENGTH = 14
LISTED_NOTE_LENGTHS = (45, 25, 0)  # characters of a note; a list uses the first length at which all its games fit
GRACE_HINT = mark("Where your time is over, only a winning turn saves the game.")
# How much time there is, or was taken: for a turn, and for a decision in the opponent's turn (R8.4).
_DUE = mark("due {time}"), mark("decision due {time}")
_GRACE_ENDS = mark("time over, grace ends {time}"), mark("decision time over, grace ends {time}")
_PAUSED = mark("paused at {time}"), mark("decision paused at {time}")
_BEGAN = mark("turn began {time}"), mark("decision turn began {time}")
_THEIRS_BEGAN = mark("their turn began {time}"), mark("their decision turn began {time}")
NO_NOTES: Mapping[int, str] = MappingProxyType({})


def listed_game_line(brief: GameBrief, user: int, away: Mapping[int, int], notes: Mapping[int, str]) -> str:
    """Return a game's line in a list: name, opponent and clock, with the person's note below.

    `away` maps a game to the end of the opponent's vacation.
    """
    when, alarm = listed_game_time(brief, user, away), " ⚠" if brief.unreachable else ""
    players = say("**{game}** vs {name}", game=game_name(brief.id), name=listed_opponent_name(brief, user))
    line = f"• {players} · {when}{alarm}"
    return f"{line}\n-# {escape_text(notes[brief.id])}" if brief.id in notes else line


def listed_opponent_name(brief: ListedGame, user: int) -> str:
    """Return the name of the opponent of `user`, shortened for a list and escaped."""
    return escape_text(opponent_of(brief, user, LISTED_NAME_LENGTH))


def listed_game_time(brief: GameBrief, user: int, away: Mapping[int, int]) -> str:
    """Return how much time the player to move has, or has taken, and whether the opponent is on vacation.

    `away` is as in `listed_game_line`.
    """
    when = _mover_time(brief, user)
    if brief.id not in away:
        return when
    back = time_text(away[brief.id], "R")
    if brief.users[brief.asked] == user:
        absent = say("{name} on vacation, back {time}", name=listed_opponent_name(brief, user), time=back)
        return f"{say('you')}: {when} ({absent})"
    return f"{say('on vacation, back {time}', time=back)} · {when}"


def _mover_time(brief: GameBrief, user: int) -> str:
    if brief.house_decides:
        return say("the bot is thinking")
    if brief.deadline is not None:
        told, time = _GRACE_ENDS if brief.flagged else _DUE, time_text(brief.deadline, "R")
    elif brief.paused_left is not None:
        told, time = _PAUSED, clock_texts.duration_text(brief.paused_left)
    else:
        told = _BEGAN if brief.users[brief.asked] == user else _THEIRS_BEGAN
        time = time_text(brief.waiting_since, "R")
    return say(told[brief.answering], time=time)


def shorten_notes(notes: Mapping[int, str], most: int) -> Mapping[int, str]:
    """Return each note on one line, cut to `most` characters. No notes are returned if `most` is 0."""
    if not most:
        return NO_NOTES
    return {game: shorten_text(" ".join(note.split()), most) for game, note in notes.items()}


def next_game_buttons(waiting: Sequence[GameBrief], user: int, page: str = "") -> tuple[Button, ...]:
    """Return a tuple with the button that opens the desk of the first of these games, below all messages.

    `page` is the page of the list of games to which that desk leads back, or empty.
    """
    return tuple(
        Button(
            say("Next: {game}", game=game_label(brief, user)),
            f"message_desk:{brief.id}:{page}",
            "primary",
            is_custom_id=True,
        )
        for brief in waiting[:1]
    )
