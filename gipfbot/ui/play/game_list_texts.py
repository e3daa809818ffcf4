"""What is said in the list of a person's games, in the digest, and about his notes. Lines are short: phones are."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from gipfbot.service.kit.game_names import game_name
from gipfbot.service.play.notes import LONGEST_NOTE
from gipfbot.store import GameBrief
from gipfbot.ui.kit import text_parts
from gipfbot.ui.kit.listed_game import (
    GRACE_HINT,
    LISTED_NOTE_LENGTHS,
    listed_game_line,
    shorten_notes,
)

PREVIOUS_PAGE_LABEL, NEXT_PAGE_LABEL = "◀", "▶"
NOTE_TITLE, NOTE_FIELD, WRITE_NOTE_LABEL = "Your note", "Only you see it; empty removes it", "Write a note"
WHICH_GAME_TO_NOTE = "You have several games. On which one do you note that?"


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
        text = _game_page_text(page, user, away, shorten_notes(notes, most))
        if len(text) <= text_parts.LIST_LENGTH:
            return text
    return text_parts.shorten_text(text, text_parts.LIST_LENGTH)


def _game_page_text(page: GamePage, user: int, away: Mapping[int, int], notes: Mapping[int, str]) -> str:
    waiting, others = page.totals
    parts = [f"Page {page.page_number + 1} of {page.last_page + 1}"] if page.last_page else []
    if page.waiting:
        parts.append(f"**Waiting for you** · {waiting}")
        parts += [listed_game_line(brief, user, away, notes) for brief in page.waiting]
    elif page.page_number == 0:
        parts.append("Nothing waits for you.")
    if page.others:
        parts.append(f"**Waiting for others** · {others}")
        parts += [listed_game_line(brief, user, away, notes) for brief in page.others]
    if any(brief.flagged for brief in page.waiting):
        parts.append(GRACE_HINT)
    if any(brief.unreachable for brief in (*page.waiting, *page.others)):
        parts.append("⚠ cannot go on in its channel: **/gipf board** brings it to another.")
    return "\n".join(parts)


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
