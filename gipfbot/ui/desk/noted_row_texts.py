"""The texts of the desk about Overboard's rows, and about passing."""

from collections.abc import Sequence

from gipfbot.rules import Kind, Position
from gipfbot.rules.pending import RowChoice
from gipfbot.ui.kit.texts import join_lines

WHICH_ROW = "Several rows come off. Which one first?"
ROWS_CAPTION, PASS_CAPTION = "Rows come off", "No piece to push"
PASS_TEXT, PASS_LABEL = "You have no piece left in reserve, so you pass this turn.", "Pass"


def row_label(letter: str, row: RowChoice) -> str:
    """Return the label of a row's button: its letter and its end spots."""
    return f"{letter} {_noted_name(row)}"


def _noted_name(row: RowChoice) -> str:
    return f"{row.core[0]}–{row.core[-1]}"


def ends_text(position: Position, row: RowChoice) -> str:
    """Return the text that asks which runs at the ends of a row go home, too (R8.3)."""
    runs = " and ".join(f"**{' '.join(run)}** ({_owners(position, run)})" for run in row.toggles)
    return f"Row **{_noted_name(row)}** comes off. Does {runs} go home, too?"


def _owners(position: Position, run: Sequence[str]) -> str:
    (colour,) = {position.pieces()[spot].owner for spot in run}
    return str(colour)


def ends_label(row: RowChoice, spots: Sequence[str]) -> str:
    """Return the label of the button that sends these spots at a row's ends home, or none."""
    if not spots:
        return "Leave both" if len(row.toggles) > 1 else f"Leave {' '.join(row.toggles[0])}"
    return f"Send {' '.join(spots)} home"


def give_up_text(position: Position, row: RowChoice) -> str:
    """Return the text that asks the owner of a row which of its GIPF-pieces they give up (R8.4)."""
    which = f"the GIPF-piece **{row.toggles[0][0]}**" if len(row.toggles) == 1 else "any of its GIPF-pieces"
    left = sum(piece.kind is Kind.GIPF and piece.owner is position.decider for piece in position.pieces().values())
    warning = "You lose the game with your last one." if left == len(row.toggles) else ""
    asked = f"Your row **{_noted_name(row)}** comes off. Do you give up {which}? It would be out of the game."
    return join_lines(asked, warning)


def give_up_label(row: RowChoice, spots: Sequence[str], *, loses: bool) -> str:
    """Return the label of the button that gives up the GIPF-pieces on these spots, or none of them.

    `loses` says that they are the player's last.
    """
    if not spots:
        return f"Keep {' '.join(toggle[0] for toggle in row.toggles)}"
    return f"Give up {' '.join(spots)}{' · you lose' if loses else ''}"
