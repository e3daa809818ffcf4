"""How a game is shown in a list: in the list of a person's games and in the digest. Lines are short: phones are."""

from collections.abc import Mapping
from types import MappingProxyType

from gipfbot.service.kit.game_names import game_name
from gipfbot.store import GameBrief
from gipfbot.ui.kit import clock_texts, text_parts

ALL_GAMES_LABEL = "All games"
GAMES_PER_PAGE = 10  # games: two rows of buttons
LISTED_NAME_LENGTH = 14
LISTED_NOTE_LENGTHS = (45, 25, 0)  # of the notes in a list: the longest that leaves room for all its games
GRACE_HINT = "Where your time is over only a turn that wins saves the game (R6.4)."
NO_NOTES: Mapping[int, str] = MappingProxyType({})


def shorten_notes(notes: Mapping[int, str], most: int) -> Mapping[int, str]:
    """Return notes by game, each cut to so many characters; none where that is 0."""
    return (
        {game: text_parts.shorten_text(" ".join(note.split()), most) for game, note in notes.items()}
        if most
        else NO_NOTES
    )


def listed_game_line(brief: GameBrief, user: int, away: Mapping[int, int], notes: Mapping[int, str]) -> str:
    """Return a game in a list: its name, the opponent, the time left, and below it the reader's own note.

    `away` says in which games the opponent is on vacation, and until when.
    """
    name = listed_opponent(brief, user)
    when, alarm = _listed_game_time(brief), " ⚠" if brief.unreachable else ""
    if brief.id in away:
        absent = f"on vacation until <t:{away[brief.id]}:D>"
        mine = brief.users[brief.asked] == user
        when = f"you: {when} ({name} {absent})" if mine else f"{absent} · {when}"
    line = f"• **{game_name(brief.id)}** vs {name} · {when}{alarm}"
    return f"{line}\n-# {text_parts.escape_text(notes[brief.id])}" if brief.id in notes else line


def listed_opponent(brief: GameBrief, user: int) -> str:
    """Return the opponent's name, cut so that a line stays short."""
    return text_parts.escape_text(text_parts.shorten_text(text_parts.opponent_of(brief, user), LISTED_NAME_LENGTH))


def _listed_game_time(brief: GameBrief) -> str:
    if brief.deadline is not None:
        return f"{'time over, grace ends' if brief.flagged else 'due'} <t:{brief.deadline}:R>"
    if brief.paused_left is not None:
        return f"stands at {clock_texts.duration_text(brief.paused_left)}"
    return f"waiting since <t:{brief.waiting_since}:d>"
