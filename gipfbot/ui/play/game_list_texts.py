"""Texts of the list of a person's games. Their lines are short, as phones are narrow."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from gipfbot.service.kit.game_names import game_name
from gipfbot.ui.kit import text_parts
from gipfbot.ui.kit.listed_game import (
    GRACE_HINT,
    LISTED_NOTE_LENGTHS,
    listed_game_line,
    shorten_notes,
)
from gipfbot.values import GameBrief

PREVIOUS_PAGE_LABEL, NEXT_PAGE_LABEL = "◀", "▶"
MOST_UNREADABLE_NAMED = 5


@dataclass(frozen=True)
class GamePage:
    """One page of a person's games: those that wait for the person, and the others.

    `totals` counts both kinds over all pages.
    """

    waiting: Sequence[GameBrief]
    others: Sequence[GameBrief]
    totals: tuple[int, int]
    page_number: int  # counts from 0
    last_page: int


def game_list_text(page: GamePage, user: int, away: Mapping[int, int], notes: Mapping[int, str]) -> str:
    """Return the text of a page of a person's games. Notes are cut until all games fit.

    `away` maps a game to the end of the opponent's vacation. `notes` maps a game to the person's note.
    """
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
        parts.append("⚠ marks a game that can't go on in its channel: **/gipf board** moves it to another.")
    return "\n".join(parts)


def unreadable_games_line(games: Sequence[int]) -> str:
    """Return the line that names a person's unreadable games; empty if there are none."""
    if not games:
        return ""
    more = f" and {len(games) - MOST_UNREADABLE_NAMED} more" if len(games) > MOST_UNREADABLE_NAMED else ""
    names = ", ".join(f"**{game_name(game)}**" for game in games[:MOST_UNREADABLE_NAMED])
    return f"⚠ {names}{more} can't be read any more. Tell whoever hosts the bot; your other games go on."
