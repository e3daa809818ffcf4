"""What the desk says: pieces, dots, pushes and rows."""

from collections.abc import Sequence

from gipfbot.rules import Action, Kind, Position, Push, play
from gipfbot.rules.changes import Removed
from gipfbot.rules.pending import Question, RowChoice
from gipfbot.rules.pieces import WORTH
from gipfbot.ui.kit.pictures import describe_actions
from gipfbot.ui.kit.text_parts import escape_turn, join_lines, piece_codes, row_name, shorten_text

GIPF_PIECE_LABEL, BASIC_PIECE_LABEL = "GIPF-piece", "Basic piece"


TAKE_FIRST_LABEL, PUSH_THEN_TAKE_LABEL, OTHER_DIRECTION_LABEL = (
    "Take GIPF-pieces…",
    "Push, then take…",
    "Other direction",
)


OTHER_PIECE_LABEL, KEEP_ALL_LABEL, BACK_LABEL, DONE_LABEL = "Other piece", "Keep all, end the turn", "Back", "Done"


DOT_PLACEHOLDER = "Choose a dot"


KIND_CAPTION, DOT_CAPTION, PUSH_CAPTION = "Which piece do you bring in?", "Choose a dot", "Push, or choose another dot"


ROW_CAPTION, PIECES_CAPTION = "Which row comes first?", "Which GIPF-pieces do you take?"


def choose_kind_text() -> str:
    return (
        "Bring in a **GIPF-piece** (2 of your reserve) or a **basic piece**? "
        "After your first basic piece you may bring in no more GIPF-pieces."
    )


def choose_dot_text(kind: Kind, *, tried: bool) -> str:
    """Return what asks for a dot; of a turn that is only tried nothing is final anyway."""
    said = f"Choose the dot for your {'GIPF-piece' if kind is Kind.GIPF else 'piece'}."
    return said if tried else f"{said} Nothing is final until you press Push."


def confirm_push_text(push: Push, text: str) -> str:
    return f"Your piece lies on **{push.dot}**. Push it to play **{escape_turn(text)}**, or choose another dot to take it back."


def push_label(dot: str, furthest: str) -> str:
    return f"Push {dot}→{furthest}"


GIPF_PIECE_REQUIRED = (
    "A basic piece is not possible now: until you have a GIPF-piece on the board you must bring one in "
    "(R5.1, FAQ 12): press **GIPF-piece**."
)


TOO_FEW_FOR_GIPF_PIECE = "A GIPF-piece costs 2 of your reserve, and you have only 1 left (R5.3): press **Basic piece**."


def illegal_kind_text(kind: str) -> str:
    """Return why no piece of this kind (`G`, or `-` for a basic piece) can be pushed now."""
    return TOO_FEW_FOR_GIPF_PIECE if kind == "G" else GIPF_PIECE_REQUIRED


def choose_row_text(asked: Question) -> str:
    if asked.due:
        return "These rows share a spot: which one do you remove first? What it takes no longer counts for the other."
    if not asked.pushes and not asked.pushed:
        return "You have nothing left to push: take at least one GIPF-piece. From which row?"
    return "These rows hold GIPF-pieces only and may stay. From which one do you take?"


def choose_pieces_text(position: Position, row: RowChoice, *, may_keep: bool) -> str:
    name = f"Row **{row_name(row)}**"
    if not row.due and not may_keep:
        return f"{name} holds GIPF-pieces only. You have nothing left to push: take at least one, then press Done."
    if not row.due:
        return f"{name} holds GIPF-pieces only and may stay whole. Press the numbers of those you take, then Done."
    return f"{name}: {_row_effect(position, row)}. Press the number of a GIPF-piece to take it too, then Done."


def _row_effect(position: Position, row: RowChoice) -> str:
    returned, captured = _row_worth(position, row)
    return ", ".join(part for part in (returned and f"{returned} return", captured and f"{captured} captured") if part)


def _row_worth(position: Position, row: RowChoice) -> tuple[int, int]:
    pieces = position.pieces()
    gone = [pieces[spot] for spot in row.must]
    own = sum(WORTH[piece.kind] for piece in gone if piece.owner is position.mover)
    return own, sum(WORTH[piece.kind] for piece in gone) - own


def row_label(letter: str, position: Position, row: RowChoice) -> str:
    return f"{letter} {row_name(row)}: {_row_effect(position, row) if row.due else 'may stay'}"


def piece_toggle_label(number: int, toggle: Sequence[str], goes: bool) -> str:
    return f"{number} G{' G'.join(toggle)} {'goes' if goes else 'stays'}"


def forced_removals_text(turn_start: Position, draft: Sequence[Action], then: Sequence[Action]) -> str:
    """Say which removals without a choice are done for the player who is asked now."""
    position = turn_start
    for action in draft:
        position = play(position, action)
    removed = (event for event in describe_actions(position, then) if isinstance(event, Removed))
    return join_lines(*(f"Your row had to go and left no choice: {_removed_pieces_text(event)}." for event in removed))


def _removed_pieces_text(event: Removed) -> str:
    parts = []
    if event.returned:
        parts.append(f"{piece_codes(event.returned)} returned to the reserve")
    if event.captured:
        parts.append(f"{piece_codes(event.captured)} captured")
    return ", ".join(parts)


def open_turn_text(text: str, asked: Question) -> str:
    typed = f"`{shorten_text(' '.join(text.replace('`', ' ').split()))}`"
    if asked.pushed:
        return f"Your push is made; your text ({typed}) leaves open what you take, so I ask you here."
    if asked.due:
        return f"First a removal of yours that {typed} leaves open; what comes after it you then play or type again."
    return f"Read {typed}. Now your push:"
