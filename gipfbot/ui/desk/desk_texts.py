"""Texts of the desk: labels and questions about pieces, dots, pushes and rows."""

from collections.abc import Collection, Sequence
from typing import NamedTuple

from gipfbot.languages import mark
from gipfbot.rules import Action, Kind, Position, Push, play
from gipfbot.rules.changes import Removed
from gipfbot.rules.geometry import ENTRIES_BY_DOT
from gipfbot.rules.pending import Question, RowChoice, UseChoice
from gipfbot.rules.powers import POWERS
from gipfbot.rules.push_effects import PushEffect
from gipfbot.ui.kit import join_lines
from gipfbot.ui.kit.pictures import describe_actions
from gipfbot.ui.kit.texts import quote_text, row_name, texts_of_course
from gipfbot.ui.kit.turn_words import piece_name, pieces_in_words

TAKE_FIRST_LABEL, KEEP_ALL_LABEL = mark("Take GIPF-pieces off…"), mark("End the turn, take none")
BACK_LABEL, DONE_LABEL, START_OVER_LABEL = mark("Back"), mark("Done"), mark("Start this turn over")
DOT_CAPTION, PUSH_CAPTION, TYPED_CAPTION = mark("Choose a dot"), mark("Choose a push"), mark("Not played yet")
ROW_CAPTION, PIECES_CAPTION = mark("Which row comes off first?"), mark("Which pieces come off?")
GIPF_WORTH = mark("A GIPF-piece counts as two pieces.")


class Reader(NamedTuple):
    """The words that the reader of a desk needs for its player and for their opponent."""

    who: str  # the player
    whose: str
    whose_opponents: str
    task: str = ""  # what the desk is for, if it plays nothing: `Guess Ann's turn`

    def captioned(self, caption: str) -> str:
        """Return the caption of a picture with the task in front, because a phone shows the picture alone."""
        return f"{self.task}: {caption[:1].lower()}{caption[1:]}" if self.task else caption

    def verb(self, plain: str, third: str) -> str:
        """Return the form of a verb that goes with the player."""
        return plain if self.who == "you" else third

    def started(self, word: str) -> str:
        """Return one of these words as the first of a sentence. A name stays as its owner writes it."""
        return f"{word[0].upper()}{word[1:]}" if word in ("you", "your") else word


PLAYER = Reader("you", "your", "your opponent's")


def other_reader(name: str, whose_opponents: str, task: str) -> Reader:
    """Return the words for a desk that somebody else than its player reads: they plan or guess the turn.

    `name` is the player's, escaped for Discord. `task` is as in `Reader`, with names as they are.
    """
    return Reader(name, f"{name}'s", whose_opponents, task)


def press_turn_text(asked: Question | None) -> str:
    """Return how a turn is entered that is planned or guessed. Empty if a row has to come off first."""
    return "Press the dot, then the push." if asked and asked.pushes and not asked.due else ""


# ── The push ──

WHICH_ROW = mark("Several rows come off. Which one first?")
ROWS_CAPTION, PASS_CAPTION = mark("Rows come off"), mark("No piece to push")
PASS_LABEL = mark("Pass")
USE_LABEL, USE_CAPTION, JUMP_CAPTION = mark("Use a potential…"), mark("Which potential?"), mark("Where does it jump?")
PUSHED_TEXT = mark("Pushed.")


def pass_text(reader: Reader) -> str:
    """Return the text for a player who can only pass."""
    has, passes = reader.verb("have", "has"), reader.verb("pass", "passes")
    return f"{reader.started(reader.who)} {has} no piece left in reserve, so {reader.who} {passes} this turn."


def kind_label(kind: Kind) -> str:
    """Return the label of the button that changes to pushing pieces of this kind."""
    return f"Push a {piece_name(kind)} instead"


def choose_dot_text(kind: Kind, others: Collection[Kind], reader: Reader) -> str:
    """Return the request to choose a dot for a piece of this kind. `others` are the other kinds that can come in."""
    piece = piece_name(kind)
    said = f"Choose the dot for {reader.whose} {piece if others or kind is not Kind.BASIC else 'piece'}."
    ended = [f"{piece_name(other)}s" for other in others if kind is Kind.BASIC or (kind.loaded and other is Kind.GIPF)]
    return f"{said} After a {piece}, no more {' or '.join(ended)} can come in." if ended else said


def choose_push_text(position: Position, pushes: Sequence[Push], reader: Reader) -> str:
    """Return the request to choose one of these pushes, which are all from a dot with one kind of piece.

    If a line from the dot is missing among them, it is full (R3.3).
    """
    push = pushes[0]
    piece = "piece" if push.kind is Kind.BASIC else piece_name(push.kind)
    where = f"{reader.started(reader.whose)} {piece} is on **{push.dot}**."
    where += f" Where {reader.verb('do', 'does')} {reader.who} push it?"
    is_full = len(pushes) < len(ENTRIES_BY_DOT[push.dot])
    full = f" The other line from {push.dot} is full, so nothing can be pushed into it." if is_full else ""
    return f"{where}\n{texts_of_course(position.rules).push_moves}{full}"


# ── The use of a potential ──


def choose_potential_text(asked: Question, reader: Reader) -> str:
    """Return the request to choose a potential to use."""
    last = "" if asked.pushes else f"{_nothing_to_push(reader)}. "
    return f"{last}Which potential {reader.verb('do', 'does')} {reader.who} use? Each works once."


def _nothing_to_push(reader: Reader) -> str:
    return f"{reader.started(reader.who)} {reader.verb('have', 'has')} nothing left to push"


def loaded_piece_label(use: UseChoice) -> str:
    """Return the label of the button that chooses a loaded piece: `c3 ZÈRTZ`."""
    return f"{use.spot} {POWERS[use.kind].name}"


def choose_jump_text(use: UseChoice, reader: Reader) -> str:
    """Return the request to choose where a potential jumps to."""
    said = f"Where does {reader.whose} {POWERS[use.kind].name} on **{use.spot}** jump? The piece below it stays there."
    puts = f"**+1** covers a GIPF-piece with {reader.whose} basic piece, **+2** with {reader.whose} GIPF-piece."
    return join_lines(said, puts if any(way.put for way in use.ways) else "")


# ── What a push or a use does ──


def push_label(
    end: str,
    effect: PushEffect,
    reader: Reader,
    most: tuple[int, int] = (0, 0),
    two: tuple[bool, bool] = (False, False),
    *,
    tells_win: bool = True,
) -> str:
    """Return the label of a button that plays an act: where it goes, and its effect: `→ d2 · row: 3 or 5 back`.

    Two numbers are the least and the most: the player is asked which pieces they take. `end` is as in `act_end`,
    `most` what `most_taken` returns, and `two` what `two_counts` does. Without `tells_win`, a win is not named, and
    reads as the row that brings it.
    """
    if effect.wins and tells_win:
        return f"→ {end} · {reader.verb('you win', 'wins')}"
    if not (effect.returned or effect.captured):
        return f"→ {end}"
    returned = _range_text(effect.returned, most[0], are_all=two[0])
    captured = _range_text(effect.captured, most[1], are_all=two[1])
    return f"→ {end} · row: {_removed_count_text(returned, captured)}"


def push_then_take_label(end: str) -> str:
    """Return the label of the button that plays an act, and then asks which GIPF-pieces to take."""
    return f"→ {end}, then take…"


def _range_text(least: int, most: int, *, are_all: bool) -> str:
    """Return a number of pieces, or the least and the most, which `are_all` there can be. Empty for none."""
    return f"{least} {'or' if are_all else 'to'} {most}" if most > least else str(least or "")


def _removed_count_text(returned: int | str, captured: int | str, used: int = 0) -> str:
    parts = (returned and f"{returned} back", captured and f"{captured} captured", _used_text(used))
    return ", ".join(part for part in parts if part)


# ── Rows ──


def choose_row_text(asked: Question, reader: Reader) -> str:
    """Return the text that asks which row comes off first, or from which row to take a GIPF-piece."""
    if asked.due and asked.frees and len(asked.groups) > 1:
        return "A row can free a piece below it, which may make another row. Which row comes off first?"
    if asked.due:
        return "These rows share a spot. Which row comes off first?"
    if not asked.may_act and not asked.pushed:
        return f"{_nothing_to_push(reader)}, so a GIPF-piece has to come off. From which row?"
    return "These rows hold only GIPF-pieces, so they may stay. From which row does one come off?"


def choose_pieces_text(
    position: Position, row: RowChoice, taken: Collection[str], reader: Reader, *, may_keep: bool
) -> str:
    """Return the text that asks which GIPF-pieces the player takes from a row, and what comes off now.

    `taken` is the spots of the GIPF-pieces selected so far. `may_keep` says whether the player may leave a row of
    GIPF-pieces as it is.
    """
    name, effect = f"ow **{row_name(row)}**", _row_effect(position, row, taken, reader)
    own, press = f"{reader.started(reader.whose)} r{name}", f"Press them, then **{DONE_LABEL}**."
    if row.loss:
        off = f" Now: {effect}." if taken else ""
        return f"{own} has no plain piece: at least one of {' '.join(row.loss)} must come off. {press}{off}"
    if row.due:
        return (
            f"{own} comes off{_followers_clause(row)}: {effect}. {_take_too(_optional_pieces(position, row))} {press}"
        )
    off = f" Now: {effect}." if taken else ""
    if may_keep:
        return f"R{name} holds only GIPF-pieces and may stay. Which come off?{off}"
    return f"R{name} holds only GIPF-pieces. {_nothing_to_push(reader)}: at least one has to come off.{off}"


def _followers_clause(row: RowChoice) -> str:
    """Return the clause on the pieces beyond the ends of a row that have to come off (R4.2). May be empty."""
    if {*row.must} <= {*row.core}:
        return ""
    is_asked = any({*toggle} - {*row.core} for toggle in row.toggles)
    return f", and so do the {'basic ' if is_asked else ''}pieces that follow it without a gap"


def _take_too(pieces: str) -> str:
    return f"Take {pieces} off, too?"


def _optional_pieces(position: Position, row: RowChoice) -> str:
    """Return the name for the optional pieces of a row."""
    pieces = position.pieces()
    loaded = {pieces[spot].kind.loaded for toggle in row.toggles for spot in toggle}
    if len(loaded) > 1:
        return "GIPF- and loaded pieces"
    return "loaded pieces" if True in loaded else "GIPF-pieces"


def keep_or_take_text(position: Position, row: RowChoice, reader: Reader) -> str:
    """Return the text that asks whether to keep the one piece in question, with the effect of either choice."""
    (toggle,) = row.toggles
    pieces = position.pieces()
    kind = pieces[toggle[0]].kind
    keep, take = (_row_effect(position, row, taken, reader) for taken in ((), toggle))
    is_own = any(pieces[spot].owner is position.mover for spot in toggle)
    piece = f"{reader.whose if is_own else reader.whose_opponents} {piece_name(kind)} **{' '.join(toggle)}**"
    return join_lines(
        f"{reader.started(reader.whose)} row **{row_name(row)}** comes off{_followers_clause(row)}. {_take_too(piece)}",
        "If it comes off, its potential is out of the game." if kind.loaded else GIPF_WORTH,
        f"{keep_label(toggle)}: {keep}. {take_label(toggle)}: {take}.",
    )


def piece_caption(position: Position, row: RowChoice) -> str:
    """Return the caption of the picture that asks about the one piece in question."""
    (toggle,) = row.toggles
    return f"Does {piece_name(position.pieces()[toggle[0]].kind)} {' '.join(toggle)} come off, too?"


def keep_label(toggle: Sequence[str]) -> str:
    """Return the label of the button that leaves a piece on the board, and removes the rest of the row."""
    return f"Leave {' '.join(toggle)} on the board"


def take_label(toggle: Sequence[str]) -> str:
    """Return the label of the button that takes a piece off the board with its row."""
    return f"Take {' '.join(toggle)}"


def row_label(letter: str, position: Position, row: RowChoice) -> str:
    """Return the label of a row's button: its letter, its name, and which pieces come off, or that it may stay."""
    worth = "at least one piece" if row.loss else _removed_count_text(*_row_worth(position, row))
    return f"{letter} {row_name(row)}: {worth if row.due else 'may stay'}"


def _row_effect(position: Position, row: RowChoice, taken: Collection[str], reader: Reader) -> str:
    """Return the effect of a removal in words: `**3 back to you**, 1 captured`."""
    returned, captured, used = _row_worth(position, row, taken)
    parts = (returned and f"**{returned} back to {reader.who}**", captured and f"{captured} captured", _used_text(used))
    return ", ".join(part for part in parts if part)


def _used_text(number: int) -> str:
    return f"{number} used potential{'' if number == 1 else 's'} out of the game" if number else ""


def _row_worth(position: Position, row: RowChoice, taken: Collection[str] = ()) -> tuple[int, int, int]:
    """Return the numbers that a row's removal takes: pieces for its player, captured pieces, and used potentials.

    Optional pieces count only if they are in `taken`. A GIPF-piece counts as 2.
    """
    pieces = position.pieces()
    gone = [pieces[spot] for spot in {*row.must, *taken}]
    own = sum(piece.kind.worth for piece in gone if piece.owner is position.mover)
    return own, sum(piece.kind.worth for piece in gone) - own, sum(piece.kind.used for piece in gone)


def piece_toggle_label(number: int, toggle: Sequence[str], taken: bool) -> str:
    """Return the label of the button that takes one or more pieces, or keeps them again: `1 Take e8`."""
    return f"{number} {'✓ ' if taken else ''}{take_label(toggle)}"


def forced_removals_text(turn_start: Position, draft: Sequence[Action], then: Sequence[Action], reader: Reader) -> str:
    """Return a text with one line for each row that came off without a choice. Empty if there was no such row.

    `draft` holds the actions that the player has played since `turn_start`. `then` holds the forced actions after them.
    """
    position = turn_start
    for action in draft:
        position = play(position, action)
    removed = (event for event in describe_actions(position, then) if isinstance(event, Removed))
    own = reader.started(reader.whose)
    return join_lines(*(f"{own} row came off: {_removed_pieces_text(event, reader)}." for event in removed))


def _removed_pieces_text(event: Removed, reader: Reader) -> str:
    used = [gone for gone in (*event.returned, *event.captured) if gone[1].kind.used]
    groups = {
        f"back to {reader.who}": [gone for gone in event.returned if gone not in used],
        "captured": [gone for gone in event.captured if gone not in used],
        "out of the game": used,
    }
    return ", ".join(f"{pieces_in_words(gone)} {what}" for what, gone in groups.items() if gone)


# ── A typed turn that leaves something open ──


def bare_dot_text(dot: str) -> str:
    """Return the note on a typed dot that does not say which push is meant."""
    return f"**{dot}** is only the dot, so nothing is played yet."


def open_turn_text(text: str, asked: Question) -> str:
    """Return the note on a typed turn that leaves a choice open. `asked` is the question about that choice."""
    typed = quote_text(text)
    if asked.pushed:
        return PUSHED_TEXT
    if asked.due:
        return f"{typed} doesn't say which row comes off before your push. Choose it here, then push."
    return f"Understood: {typed}. Now choose your push:"


def noted_row_label(letter: str, row: RowChoice) -> str:
    """Return the label of a row's button: its letter and its end spots."""
    return f"{letter} {row_name(row)}"


def ends_text(position: Position, row: RowChoice, reader: Reader) -> str:
    """Return the text that asks which runs at the ends of a row go home, too (R8.3)."""
    mine = position.pieces()[row.toggles[0][0]].owner is position.mover
    runs, many = [f"**{' '.join(run)}**" for run in row.toggles], sum(map(len, row.toggles)) > 1
    whose = reader.whose if mine else reader.whose_opponents
    asked = f"{'Do' if many else 'Does'} {whose} {' and '.join(runs)} go home, too?"
    return f"Row **{row_name(row)}** comes off. {asked}"


def ends_label(row: RowChoice, spots: Sequence[str]) -> str:
    """Return the label of the button that sends these spots at a row's ends home, or none."""
    if not spots:
        return "Leave both on the board" if len(row.toggles) > 1 else keep_label(row.toggles[0])
    return f"Send {' '.join(spots)} home"


def give_up_text(position: Position, row: RowChoice, reader: Reader) -> str:
    """Return the text that asks the owner of a row which of its GIPF-pieces they give up (R8.4)."""
    which = f"the GIPF-piece **{row.toggles[0][0]}**" if len(row.toggles) == 1 else "any of its GIPF-pieces"
    left = sum(piece.kind is Kind.GIPF and piece.owner is position.decider for piece in position.pieces().values())
    who, do, lose = reader.who, reader.verb("Do", "Does"), reader.verb("lose", "loses")
    last = f"Without a GIPF-piece {who} {lose} the game." if left == len(row.toggles) else ""
    asked = f"{do} {who} give up {which}? A GIPF-piece that is given up is out of the game."
    return join_lines(f"{reader.started(reader.whose)} row **{row_name(row)}** comes off. {asked}", last)


def give_up_label(row: RowChoice, spots: Sequence[str], reader: Reader, *, loses: bool) -> str:
    """Return the label of the button that gives up the GIPF-pieces on these spots, or none of them.

    `loses` says that they are the player's last.
    """
    if not spots:
        return f"Keep {' '.join(toggle[0] for toggle in row.toggles)} on the board"
    said = f"Give up {' '.join(spots)}"
    return f"{said} · {reader.verb('you lose', 'loses')}" if loses else said
