"""Texts about a player's own notes."""

from gipfbot.service.kit.loaded_games import game_name
from gipfbot.service.play.games import LONGEST_NOTE
from gipfbot.ui.kit.texts import escape_text, join_lines

NOTE_TITLE, NOTE_HINT = "Your note", f"Up to {LONGEST_NOTE} characters"
NOTE_FIELD, UNKNOWN_NOTE_FIELD = "Only you see it; leave empty to remove it", "Only you see it; leave empty to keep it"
WRITE_NOTE_LABEL, EDIT_NOTE_LABEL, NOTE_LABEL = "Write a note", "Edit note", "Note"
BACK_TO_GAME_LABEL = "Back to the game"
WHICH_GAME_TO_NOTE = "You have several games. Which one is the note for?"


def own_note_text(note: str) -> str:
    """Return a note as its author sees it on the desk; empty if the note is empty."""
    return join_lines(*(f"-# {escape_text(line)}" for line in note.splitlines() if line.strip()))


def note_text(game: int, note: str) -> str:
    """Return the answer that shows a person's note on a game, or says that there is none."""
    name = game_name(game)
    if not note:
        return f"You have no note on {name}. **/gipf note game:{name}** writes one; nobody else sees it."
    return join_lines(f"Your note on {name}, which nobody else sees:", own_note_text(note))
