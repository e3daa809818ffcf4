"""Texts of the desk: labels and questions about pieces, dots, pushes and rows."""

from collections.abc import Collection, Sequence

from gipfbot.rules import Action, Kind, Position, Push, play
from gipfbot.rules.changes import Removed
from gipfbot.rules.pending import Question, RowChoice
from gipfbot.rules.pieces import WORTH
from gipfbot.rules.push_effects import PushEffect
from gipfbot.ui.kit.pictures import describe_actions
from gipfbot.ui.kit.text_parts import join_lines, piece_codes, row_name, shorten_text

TAKE_FIRST_LABEL, KEEP_ALL_LABEL = "Take GIPF-pieces…", "Keep all, end the turn"
BACK_LABEL, DONE_LABEL = "Back", "Done"
DOT_CAPTION, PUSH_CAPTION = "Choose a dot", "Where do you push?"
ROW_CAPTION, PIECES_CAPTION = "Which row comes first?", "Which GIPF-pieces do you take?"


# ── The push ──


def kind_label(kind: Kind) -> str:
    """Return the label of the button that changes to pushing pieces of this kind."""
    return "Push a GIPF-piece instead" if kind is Kind.GIPF else "Push a basic piece instead"


def choose_dot_text(kind: Kind, *, both: bool) -> str:
    """Return the request to choose a dot for a piece of this kind. `both` means that the other kind is legal too."""
    said = f"Choose the dot for your {'GIPF-piece' if kind is Kind.GIPF else 'basic piece' if both else 'piece'}."
    return f"{said} After it, no more GIPF-pieces can come in." if both and kind is Kind.BASIC else said


def choose_push_text(push: Push) -> str:
    """Return the request to choose one of the pushes from a dot. `push` is any of them."""
    piece = "GIPF-piece" if push.kind is Kind.GIPF else "piece"
    where = f"Your {piece} is on **{push.dot}**. Where do you push it?"
    return f"{where}\nA button names the last spot that fills. To start elsewhere, press another dot."


def push_label(end: str, effect: PushEffect) -> str:
    """Return the label of the button that pushes: where it goes, and the least it does: `→ d2 · row: 3 back`.

    `end` is the spot that the push fills.
    """
    if effect.wins:
        return f"→ {end} · you win"
    off = _removed_count_text(effect.returned, effect.captured)
    return f"→ {end} · row: {off}" if off else f"→ {end}"


def push_then_take_label(end: str) -> str:
    """Return the label of the button that pushes, and then asks which GIPF-pieces to take."""
    return f"→ {end}, then take…"


def _removed_count_text(returned: int, captured: int) -> str:
    parts = (returned and f"{returned} back", captured and f"{captured} captured")
    return ", ".join(part for part in parts if part)


# ── Rows ──


def choose_row_text(asked: Question) -> str:
    """Return the text that asks which row comes off first, or from which row to take a GIPF-piece."""
    if asked.due:
        return "These rows share a spot. Which comes off first?"
    if not asked.pushes and not asked.pushed:
        return "You have nothing left to push, so take a GIPF-piece. From which row?"
    return "These rows hold only GIPF-pieces and may stay. Which row do you take from?"


def choose_pieces_text(position: Position, row: RowChoice, taken: Collection[str], *, may_keep: bool) -> str:
    """Return the text that asks which GIPF-pieces the player takes from a row, and what comes off now.

    `taken` is the spots of the GIPF-pieces selected so far. `may_keep` says whether the player may leave a row of
    GIPF-pieces as it is.
    """
    name, effect = f"ow **{row_name(row)}**", _own_row_effect(position, row, taken)
    if row.due:
        return f"Your r{name} comes off: {effect}. Take GIPF-pieces too?"
    off = f" You take: {effect}." if taken else ""
    if may_keep:
        return f"R{name} holds only GIPF-pieces and may stay. Which do you take?{off}"
    return f"R{name} holds only GIPF-pieces. You have nothing left to push: take at least one.{off}"


def keep_or_take_text(position: Position, row: RowChoice) -> str:
    """Return the text that asks whether to keep the one GIPF-piece in question, and what either choice does."""
    (toggle,) = row.toggles
    keep, take = (_own_row_effect(position, row, taken) for taken in ((), toggle))
    return join_lines(
        f"Your row **{row_name(row)}** comes off. Keep the GIPF-piece **{' '.join(toggle)}**, or take it too?",
        "It counts as two.",
        f"{keep_label(toggle)}: {keep}. {take_label(toggle)}: {take}.",
    )


def keep_label(toggle: Sequence[str]) -> str:
    """Return the label of the button that keeps a GIPF-piece on the board, and removes the rest of the row."""
    return f"Keep {' '.join(toggle)}"


def take_label(toggle: Sequence[str]) -> str:
    """Return the label of the button that takes a GIPF-piece off the board with its row."""
    return f"Take {' '.join(toggle)}"


def row_label(letter: str, position: Position, row: RowChoice) -> str:
    """Return the label of a row's button: its letter, its name, and what comes off, or that it may stay."""
    return f"{letter} {row_name(row)}: {_removed_count_text(*_row_worth(position, row)) if row.due else 'may stay'}"


def _own_row_effect(position: Position, row: RowChoice, taken: Collection[str]) -> str:
    """Return what a removal takes from the board, worded for its player: `**3 back to you**, 1 captured`."""
    returned, captured = _row_worth(position, row, taken)
    parts = (returned and f"**{returned} back to you**", captured and f"{captured} captured")
    return ", ".join(part for part in parts if part)


def _row_worth(position: Position, row: RowChoice, taken: Collection[str] = ()) -> tuple[int, int]:
    """Return how many basic pieces a row's removal returns to its player, and how many it captures.

    Of the GIPF-pieces that may stay, only those in `taken` count. A GIPF-piece counts as 2.
    """
    pieces = position.pieces()
    gone = [pieces[spot] for spot in {*row.must, *taken}]
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


def bare_dot_text(dot: str) -> str:
    """Return the note on a typed dot that names two pushes."""
    return f"Nothing is played yet: **{dot}** has two directions."


PUSHED_TEXT = "Pushed."


def open_turn_text(text: str, asked: Question) -> str:
    """Return the note on a typed turn that leaves a choice open. `asked` is the question about that choice."""
    typed = f"`{shorten_text(' '.join(text.replace('`', ' ').split()))}`"
    if asked.pushed:
        return PUSHED_TEXT
    if asked.due:
        return f"{typed} doesn't say exactly what comes off before your push. Choose here, then play the rest."
    return f"Understood: {typed}. Now choose your push:"
