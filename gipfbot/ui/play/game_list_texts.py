"""What is said in the list of a person's games, in the digest, and about his notes. Lines are short: phones are."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from gipfbot.service.kit.game_names import game_name
from gipfbot.service.play.notes import LONGEST_NOTE
from gipfbot.store import GameBrief
from gipfbot.ui.kit import clock_texts, text_parts

PREVIOUS_PAGE_LABEL, NEXT_PAGE_LABEL, ALL_GAMES_LABEL = "◀", "▶", "All games"
NOTE_TITLE, NOTE_FIELD, WRITE_NOTE_LABEL = "Your note", "Only you see it; empty removes it", "Write a note"
WHICH_GAME_TO_NOTE = "You have several games. On which one do you note that?"
GAMES_PER_PAGE = 10  # games: two rows of buttons
MOST_UNREADABLE_NAMED = 5
LISTED_NAME_LENGTH = 14
LISTED_NOTE_LENGTHS = (45, 25, 0)  # of the notes in a list: the longest that leaves room for all its games
GRACE_HINT = "Where your time is over only a turn that wins saves the game (R6.4)."
NO_NOTES: Mapping[int, str] = MappingProxyType({})


@dataclass(frozen=True)
class GamePage:
    """One page of the list: the games that wait for the person and for others on it, and how many there are in all."""

    waiting: Sequence[GameBrief]
    others: Sequence[GameBrief]
    totals: tuple[int, int]
    page_number: int  # from 0 on
    last_page: int


def game_list_text(page: GamePage, user: int, away: Mapping[int, int], notes: Mapping[int, str]) -> str:
    """Return a page of the list of a person's games; `away` tells in which the other is on vacation, and until when."""
    for most in LISTED_NOTE_LENGTHS:
        text = _game_page_text(page, user, away, _shorten_notes(notes, most))
        if len(text) <= text_parts.LIST_LENGTH:
            return text
    return text_parts.shorten_text(text, text_parts.LIST_LENGTH)


def _game_page_text(page: GamePage, user: int, away: Mapping[int, int], notes: Mapping[int, str]) -> str:
    waiting, others = page.totals
    parts = [f"Page {page.page_number + 1} of {page.last_page + 1}"] if page.last_page else []
    if page.waiting:
        parts.append(f"**Waiting for you** · {waiting}")
        parts += [_listed_game_line(brief, user, away, notes) for brief in page.waiting]
    elif page.page_number == 0:
        parts.append("Nothing waits for you.")
    if page.others:
        parts.append(f"**Waiting for others** · {others}")
        parts += [_listed_game_line(brief, user, away, notes) for brief in page.others]
    if any(brief.flagged for brief in page.waiting):
        parts.append(GRACE_HINT)
    if any(brief.unreachable for brief in (*page.waiting, *page.others)):
        parts.append("⚠ cannot go on in its channel: **/gipf board** brings it to another.")
    return "\n".join(parts)


def _shorten_notes(notes: Mapping[int, str], most: int) -> Mapping[int, str]:
    return (
        {game: text_parts.shorten_text(" ".join(note.split()), most) for game, note in notes.items()}
        if most
        else NO_NOTES
    )


def _listed_game_line(brief: GameBrief, user: int, away: Mapping[int, int], notes: Mapping[int, str]) -> str:
    """Return a game in a list: its name, who plays it, the time there is, and below it what he has noted."""
    name = text_parts.escape_text(text_parts.shorten_text(text_parts.opponent_of(brief, user), LISTED_NAME_LENGTH))
    when, alarm = _listed_game_time(brief), " ⚠" if brief.unreachable else ""
    if brief.id in away:
        absent = f"on vacation until <t:{away[brief.id]}:D>"
        mine = brief.users[brief.asked] == user
        when = f"you: {when} ({name} {absent})" if mine else f"{absent} · {when}"
    line = f"• **{game_name(brief.id)}** vs {name} · {when}{alarm}"
    return f"{line}\n-# {text_parts.escape_text(notes[brief.id])}" if brief.id in notes else line


def _listed_game_time(brief: GameBrief) -> str:
    if brief.deadline is not None:
        return f"{'time over, grace ends' if brief.flagged else 'due'} <t:{brief.deadline}:R>"
    if brief.paused_left is not None:
        return f"stands at {clock_texts.duration_text(brief.paused_left)}"
    return f"waiting since <t:{brief.waiting_since}:d>"


def unreadable_games_line(games: Sequence[int]) -> str:
    """Return the line on a person's games that cannot be read; empty without any."""
    if not games:
        return ""
    more = f" and {len(games) - MOST_UNREADABLE_NAMED} more" if len(games) > MOST_UNREADABLE_NAMED else ""
    names = ", ".join(f"**{game_name(game)}**" for game in games[:MOST_UNREADABLE_NAMED])
    return f"⚠ {names}{more} can't be read any more. Tell whoever hosts the bot; your other games go on."


def digest_text(briefs: Sequence[GameBrief], user: int, notes: Mapping[int, str], now: int) -> str:
    """Return the direct message on all games that wait for a person; its first line stands alone.

    What does not fit into one message is counted.
    """
    lines = [_listed_game_line(brief, user, {}, _shorten_notes(notes, LISTED_NOTE_LENGTHS[0])) for brief in briefs]
    first, last = _digest_headline(briefs, user, now), GRACE_HINT if any(brief.flagged for brief in briefs) else ""
    shown = len(lines)
    while (
        len(text := text_parts.join_lines(first, *lines[:shown], _more_games_text(len(lines) - shown), last))
        > text_parts.WHOLE_LENGTH
    ):
        shown -= 1
    return text


def _digest_headline(briefs: Sequence[GameBrief], user: int, now: int) -> str:
    urgent = briefs[0]
    left = (
        ""
        if urgent.deadline is None
        else f": {clock_texts.time_left_text(urgent.deadline, now, flagged=urgent.flagged)}"
    )
    name = f"{game_name(urgent.id)} vs {text_parts.escape_text(text_parts.shorten_text(text_parts.opponent_of(urgent, user), LISTED_NAME_LENGTH))}"
    if len(briefs) == 1:
        return f"Your turn in {name}{left}"
    return f"Your turn in {len(briefs)} games, first in {name}{left}"


def _more_games_text(number: int) -> str:
    return f"… and {number} more: **/gipf games** lists them." if number else ""


# ── Notes ──


def own_note_text(note: str) -> str:
    """Return a person's note as it stands on his desk; empty without one."""
    return text_parts.join_lines(*(f"-# {text_parts.escape_text(line)}" for line in note.splitlines() if line.strip()))


def note_saved_text(game: int, note: str) -> str:
    """Return the answer to a note that was written, or removed."""
    name = game_name(game)
    if not note:
        return f"You have no note on {name}. **/gipf note game:{name}** writes one; nobody else sees it."
    return text_parts.join_lines(f"Your note on {name}, which nobody else sees:", own_note_text(note))


NOTE_HINT = f"Up to {LONGEST_NOTE} characters"
