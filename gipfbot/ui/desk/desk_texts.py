"""Texts of the desk: labels and questions about pieces, dots, pushes and rows."""

from collections.abc import Sequence

from gipfbot.rules import Action, Kind, Position, Push, play
from gipfbot.rules.changes import Removed
from gipfbot.rules.pending import Question, RowChoice
from gipfbot.rules.pieces import WORTH
from gipfbot.ui.kit.pictures import describe_actions
from gipfbot.ui.kit.text_parts import escape_turn, join_lines, piece_codes, row_name, shorten_text

GIPF_PIECE_LABEL, BASIC_PIECE_LABEL, OTHER_PIECE_LABEL = "GIPF-piece", "Basic piece", "Other piece"
TAKE_FIRST_LABEL, PUSH_THEN_TAKE_LABEL = "Take GIPF-pieces…", "Push, then take…"
OTHER_DIRECTION_LABEL, KEEP_ALL_LABEL = "Other direction", "Keep all, end the turn"
BACK_LABEL, DONE_LABEL = "Back", "Done"
DOT_PLACEHOLDER = "Choose a dot"
KIND_CAPTION, DOT_CAPTION, PUSH_CAPTION = "Which piece do you bring in?", "Choose a dot", "Push, or choose another dot"
ROW_CAPTION, PIECES_CAPTION = "Which row comes first?", "Which GIPF-pieces do you take?"


# ── The push ──

CHOOSE_KIND = (
    "Bring in a **GIPF-piece** (2 of your reserve) or a **basic piece**? "
    "After your first basic piece, no more GIPF-pieces can come in."
)
GIPF_PIECE_REQUIRED = "No basic piece yet: you need a GIPF-piece on the board first. Press **GIPF-piece**."
TOO_FEW_FOR_GIPF_PIECE = "A GIPF-piece costs 2 of your reserve, and you have 1 left. Press **Basic piece**."


def illegal_kind_text(kind: str) -> str:
    """Return why no piece of this kind can be pushed now. `kind` is `G`, or `-` for a basic piece."""
    return TOO_FEW_FOR_GIPF_PIECE if kind == "G" else GIPF_PIECE_REQUIRED


def choose_dot_text(kind: Kind, *, tried: bool) -> str:
    """Return the request to choose a dot for a piece of this kind.

    `tried` means that the turn is tried in a study, so the text does not say when the turn becomes final.
    """
    said = f"Choose the dot for your {'GIPF-piece' if kind is Kind.GIPF else 'piece'}."
    return said if tried else f"{said} Nothing is final until you press Push."


def confirm_push_text(push: Push, text: str) -> str:
    """Return the text that asks whether to push from the chosen dot. `text` is the push in the player's notation."""
    return f"Push from **{push.dot}**? You would play **{escape_turn(text)}**."


def push_label(dot: str, furthest: str) -> str:
    """Return the label of the button that pushes from `dot`. `furthest` is the spot that the push fills."""
    return f"Push {dot}→{furthest}"


# ── Rows ──


def choose_row_text(asked: Question) -> str:
    """Return the text that asks which row comes off first, or from which row to take a GIPF-piece."""
    if asked.due:
        return "These rows share a spot. Which comes off first?"
    if not asked.pushes and not asked.pushed:
        return "You have nothing left to push, so take a GIPF-piece. From which row?"
    return "These rows hold only GIPF-pieces and may stay. Which row do you take from?"


def choose_pieces_text(position: Position, row: RowChoice, *, may_keep: bool) -> str:
    """Return the text that asks which GIPF-pieces the player takes from a row.

    `may_keep` says whether they may leave a row of GIPF-pieces as it is.
    """
    name = f"ow **{row_name(row)}**"
    if row.due:
        return f"Your r{name} comes off: {_own_row_effect(position, row)}. Take a GIPF-piece too?"
    if may_keep:
        return f"R{name} holds only GIPF-pieces and may stay. Which do you take?"
    return f"R{name} holds only GIPF-pieces. You have nothing left to push: take at least one."


def row_label(letter: str, position: Position, row: RowChoice) -> str:
    """Return the label of a row's button: its letter, its name, and what comes off, or that it may stay."""
    return f"{letter} {row_name(row)}: {_row_effect(position, row) if row.due else 'may stay'}"


def _row_effect(position: Position, row: RowChoice) -> str:
    """Return what a due row takes from the board: `3 back, 1 captured`."""
    returned, captured = _row_worth(position, row)
    return ", ".join(part for part in (returned and f"{returned} back", captured and f"{captured} captured") if part)


def _own_row_effect(position: Position, row: RowChoice) -> str:
    """Return what a due row takes from the board, worded for its player: `**3 back to you**, 1 captured`."""
    returned, captured = _row_worth(position, row)
    parts = (returned and f"**{returned} back to you**", captured and f"{captured} captured")
    return ", ".join(part for part in parts if part)


def _row_worth(position: Position, row: RowChoice) -> tuple[int, int]:
    """Return how many basic pieces a row's removal returns to its player, and how many it captures.

    GIPF-pieces that may stay are left out. A GIPF-piece that must go counts as 2.
    """
    pieces = position.pieces()
    gone = [pieces[spot] for spot in row.must]
    own = sum(WORTH[piece.kind] for piece in gone if piece.owner is position.mover)
    return own, sum(WORTH[piece.kind] for piece in gone) - own


def piece_toggle_label(number: int, toggle: Sequence[str], taken: bool) -> str:
    """Return the label of the button that keeps or takes one or more GIPF-pieces: `1 e8: keep`."""
    return f"{number} {' '.join(toggle)}: {'take' if taken else 'keep'}"


def forced_removals_text(turn_start: Position, draft: Sequence[Action], then: Sequence[Action]) -> str:
    """Return a text with one line for each row that came off without a choice. Empty if there was no such row.

    `draft` holds the actions that the player has played since `turn_start`. `then` holds the forced actions after them.
    """
    position = turn_start
    for action in draft:
        position = play(position, action)
    removed = (event for event in describe_actions(position, then) if isinstance(event, Removed))
    return join_lines(*(f"Your row came off: {_removed_pieces_text(event)}." for event in removed))


def _removed_pieces_text(event: Removed) -> str:
    parts = []
    if event.returned:
        parts.append(f"{piece_codes(event.returned)} back to you")
    if event.captured:
        parts.append(f"{piece_codes(event.captured)} captured")
    return ", ".join(parts)


# ── A typed turn that leaves something open ──

PUSHED_TEXT = "Pushed. Which GIPF-pieces do you take?"


def open_turn_text(text: str, asked: Question) -> str:
    """Return the note on a typed turn that leaves a choice open. `asked` is the question about that choice."""
    typed = f"`{shorten_text(' '.join(text.replace('`', ' ').split()))}`"
    if asked.pushed:
        return PUSHED_TEXT
    if asked.due:
        return f"{typed} doesn't say exactly what comes off before your push. Choose here, then play the rest."
    return f"Understood: {typed}. Now choose your push:"
