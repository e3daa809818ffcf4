"""What is said in the list of a person's games, in the digest, and about his notes. Lines are short: phones are."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from gipfbot.service.ids import game_name
from gipfbot.service.notes import LONGEST
from gipfbot.service.service import Brief

from . import texts, time_texts

BACK, ON, ALL_GAMES = "◀", "▶", "All games"
NOTE_TITLE, NOTE_FIELD, NOTE_BUTTON = "Your note", "Only you see it; empty removes it", "Write a note"
WHICH_NOTE = "You have several games. On which one do you note that?"
PAGE = 10  # games: two rows of buttons
NAME_LENGTH = 14
NOTE_LENGTHS = (45, 25, 0)  # of the notes in a list: the longest that leaves room for all its games
GRACE = "Where your time is over only a turn that wins saves the game (R6.4)."
NO_NOTES: Mapping[int, str] = MappingProxyType({})


@dataclass(frozen=True)
class Page:
    """One page of the list: the games that wait for the person and for others on it, and how many there are in all."""

    waiting: Sequence[Brief]
    others: Sequence[Brief]
    totals: tuple[int, int]
    number: int  # from 0 on
    last: int


def games(page: Page, user: int, away: Mapping[int, int], notes: Mapping[int, str]) -> str:
    """Return a page of the list of a person's games; `away` tells in which the other is on vacation, and until when."""
    for most in NOTE_LENGTHS:
        text = _page(page, user, away, _shortened(notes, most))
        if len(text) <= texts.LIST_LENGTH:
            return text
    return texts.short(text, texts.LIST_LENGTH)


def _page(page: Page, user: int, away: Mapping[int, int], notes: Mapping[int, str]) -> str:
    waiting, others = page.totals
    parts = [f"Page {page.number + 1} of {page.last + 1}"] if page.last else []
    if page.waiting:
        parts.append(f"**Waiting for you** · {waiting}")
        parts += [_line(brief, user, away, notes) for brief in page.waiting]
    elif page.number == 0:
        parts.append("Nothing waits for you.")
    if page.others:
        parts.append(f"**Waiting for others** · {others}")
        parts += [_line(brief, user, away, notes) for brief in page.others]
    if any(brief.fallen for brief in page.waiting):
        parts.append(GRACE)
    if any(brief.homeless for brief in (*page.waiting, *page.others)):
        parts.append("⚠ cannot go on in its channel: **/gipf board** brings it to another.")
    return "\n".join(parts)


def _shortened(notes: Mapping[int, str], most: int) -> Mapping[int, str]:
    return {game: texts.short(" ".join(note.split()), most) for game, note in notes.items()} if most else NO_NOTES


def _line(brief: Brief, user: int, away: Mapping[int, int], notes: Mapping[int, str]) -> str:
    """Return a game in a list: its name, who plays it, the time there is, and below it what he has noted."""
    name = texts.plain(texts.short(texts.brief_opponent(brief, user), NAME_LENGTH))
    when, alarm = _time(brief), " ⚠" if brief.homeless else ""
    if brief.id in away:
        absent = f"on vacation until <t:{away[brief.id]}:D>"
        mine = brief.users[brief.asked] == user
        when = f"you: {when} ({name} {absent})" if mine else f"{absent} · {when}"
    line = f"• **{game_name(brief.id)}** vs {name} · {when}{alarm}"
    return f"{line}\n-# {texts.plain(notes[brief.id])}" if brief.id in notes else line


def _time(brief: Brief) -> str:
    if brief.deadline is not None:
        return f"{'time over, grace ends' if brief.fallen else 'due'} <t:{brief.deadline}:R>"
    if brief.left is not None:
        return f"stands at {time_texts.span(brief.left)}"
    return f"waiting since <t:{brief.waiting_since}:d>"


def digest(briefs: Sequence[Brief], user: int, notes: Mapping[int, str], now: int) -> str:
    """Return the direct message on all games that wait for a person; its first line stands alone.

    What does not fit into one message is counted.
    """
    lines = [_line(brief, user, {}, _shortened(notes, NOTE_LENGTHS[0])) for brief in briefs]
    first, last = _first(briefs, user, now), GRACE if any(brief.fallen for brief in briefs) else ""
    shown = len(lines)
    while len(text := texts.join(first, *lines[:shown], _more(len(lines) - shown), last)) > texts.WHOLE_LENGTH:
        shown -= 1
    return text


def _first(briefs: Sequence[Brief], user: int, now: int) -> str:
    urgent = briefs[0]
    left = "" if urgent.deadline is None else f": {time_texts.left(urgent.deadline, now, fallen=urgent.fallen)}"
    name = f"{game_name(urgent.id)} vs {texts.plain(texts.short(texts.brief_opponent(urgent, user), NAME_LENGTH))}"
    if len(briefs) == 1:
        return f"Your turn in {name}{left}"
    return f"Your turn in {len(briefs)} games, first in {name}{left}"


def _more(number: int) -> str:
    return f"… and {number} more: **/gipf games** lists them." if number else ""


# ── Notes ──


def own_note(note: str) -> str:
    """Return a person's note as it stands on his desk; empty without one."""
    return texts.join(*(f"-# {texts.plain(line)}" for line in note.splitlines() if line.strip()))


def noted(game: int, note: str) -> str:
    """Return the answer to a note that was written, or removed."""
    name = game_name(game)
    if not note:
        return f"You have no note on {name}. **/gipf note game:{name}** writes one; nobody else sees it."
    return texts.join(f"Your note on {name}, which nobody else sees:", own_note(note))


NOTE_HINT = f"Up to {LONGEST} characters"
