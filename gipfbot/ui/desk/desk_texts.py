"""Texts of the desk: labels and questions about pieces, dots, pushes and rows."""

from collections.abc import Collection, Sequence
from enum import Enum, auto
from typing import NamedTuple

from gipfbot.languages import mark, mark_number, say, say_amount, say_list, say_name
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
    """Who reads a desk: its player, their opponent, or somebody else. Names are escaped for Discord."""

    name: str = ""  # the player; empty if they read it themselves
    opponent: str = ""  # their opponent; empty if they or the player read it
    task: str = ""  # what the desk is for, if it plays nothing: `Guess Ann's turn`

    def captioned(self, caption: str) -> str:
        """Return the caption of a picture with the task in front, because a phone shows the picture alone."""
        return f"{self.task} · {caption}" if self.task else caption

    def say(self, yours: str, theirs: str, /, **facts: str | int) -> str:
        """Say the sentence that tells the player themselves, or the one that tells others of `{name}`."""
        return say(theirs, name=self.name, **facts) if self.name else say(yours, **facts)

    def say_name(self, yours: str, theirs: str, /, **facts: str | int) -> str:
        """Say one of two names of a thing, as `say` does. It may stand in a sentence."""
        return say_name(theirs, name=self.name, **facts) if self.name else say_name(yours, **facts)

    def say_of_owner(self, sentences: "OwnerSentences", *, is_own: bool, **facts: str | int) -> str:
        """Say a sentence about something that is the player's, or else their opponent's."""
        if owner := self.name if is_own else self.opponent:
            return say(sentences.theirs, name=owner, **facts)
        return say(sentences.yours if is_own or self.name else sentences.opponents, **facts)


class OwnerSentences(NamedTuple):
    """A sentence about something that belongs to the reader, to the opponent of the reader, or to `{name}`."""

    yours: str
    opponents: str
    theirs: str


PLAYER = Reader()


def other_reader(name: str, opponent: str, task: str) -> Reader:
    """Return the reader of a desk who isn't its player: they plan or guess the turn.

    `name` is the player's, `opponent` that of their opponent, both escaped for Discord. `opponent` is empty if they
    read it. `task` is as in `Reader`, with names as they are.
    """
    return Reader(name, opponent, task)


def press_turn_text(asked: Question | None) -> str:
    """Return how a turn is entered that is planned or guessed. Empty if a row has to come off first."""
    return say("Press the dot, then the push.") if asked and asked.pushes and not asked.due else ""


# ── The push ──

WHICH_ROW = mark("Several rows come off. Which one first?")
ROWS_CAPTION, PASS_CAPTION = mark("Rows come off"), mark("No piece to push")
PASS_LABEL = mark("Pass")
USE_LABEL, USE_CAPTION, JUMP_CAPTION = mark("Use a potential…"), mark("Which potential?"), mark("Where does it jump?")
PUSHED_TEXT = mark("Pushed.")


def pass_text(reader: Reader) -> str:
    """Return the text for a player who can only pass."""
    return reader.say(
        mark("You have no piece left in reserve, so you pass this turn."),
        mark("{name} has no piece left in reserve, so {name} passes this turn."),
    )


def kind_label(kind: Kind) -> str:
    """Return the label of the button that changes to pushing pieces of this kind."""
    return say("Push a {piece} instead", piece=piece_name(kind))


def choose_dot_text(kind: Kind, others: Collection[Kind], reader: Reader) -> str:
    """Return the request to choose a dot for a piece of this kind. `others` are the other kinds that can come in."""
    if others or kind is not Kind.BASIC:
        yours, theirs = mark("Choose the dot for the new {piece}."), mark("Choose the dot for {name}'s {piece}.")
    else:
        yours, theirs = mark("Choose the dot for the new piece."), mark("Choose the dot for {name}'s piece.")
    said, piece = reader.say(yours, theirs, piece=piece_name(kind)), piece_name(kind)
    ended = [_pieces_name(other) for other in others if kind is Kind.BASIC or (kind.loaded and other is Kind.GIPF)]
    if not ended:
        return said
    after = say("After a {piece}, no more {pieces} can come in.", piece=piece, pieces=say_list(ended, one_of=True))
    return f"{said} {after}"


def _pieces_name(kind: Kind) -> str:
    """Return the name of pieces of a kind that can be pushed: `ZÈRTZ-pieces`."""
    if kind.loaded:
        return say_name("{potential}-pieces", potential=POWERS[kind].name)
    return say_name("GIPF-pieces") if kind is Kind.GIPF else say_name("basic pieces")


def choose_push_text(position: Position, pushes: Sequence[Push], reader: Reader) -> str:
    """Return the request to choose one of these pushes, which are all from a dot with one kind of piece.

    If a line from the dot is missing among them, it is full (R3.3).
    """
    push = pushes[0]
    if push.kind is Kind.BASIC:
        yours, theirs = mark("Your piece is on **{dot}**."), mark("{name}'s piece is on **{dot}**.")
    else:
        yours, theirs = mark("Your {piece} is on **{dot}**."), mark("{name}'s {piece} is on **{dot}**.")
    where = reader.say(yours, theirs, piece=piece_name(push.kind), dot=push.dot)
    asked = reader.say(mark("Where do you push it?"), mark("Where does {name} push it?"))
    is_full = len(pushes) < len(ENTRIES_BY_DOT[push.dot])
    sentence = mark("The other line from {dot} is full, so nothing can be pushed into it.")
    full = f" {say(sentence, dot=push.dot)}" if is_full else ""
    return f"{where} {asked}\n{say(texts_of_course(position.rules).push_moves)}{full}"


# ── The use of a potential ──


def choose_potential_text(asked: Question, reader: Reader) -> str:
    """Return the request to choose a potential to use."""
    which = reader.say(mark("Which potential do you use?"), mark("Which potential does {name} use?"))
    last = "" if asked.pushes else reader.say(mark("You have nothing left to push."), _NAME_HAS_NOTHING_TO_PUSH)
    return f"{last} {which} {say('Each works once.')}".lstrip()


_NAME_HAS_NOTHING_TO_PUSH = mark("{name} has nothing left to push.")


def loaded_piece_label(use: UseChoice) -> str:
    """Return the label of the button that chooses a loaded piece: `c3 ZÈRTZ`."""
    return f"{use.spot} {POWERS[use.kind].name}"


def choose_jump_text(use: UseChoice, reader: Reader) -> str:
    """Return the request to choose where a potential jumps to."""
    said = reader.say(
        mark("Where does your {potential} on **{spot}** jump? The piece below it stays there."),
        mark("Where does {name}'s {potential} on **{spot}** jump? The piece below it stays there."),
        potential=POWERS[use.kind].name,
        spot=use.spot,
    )
    puts = reader.say(
        mark("**+1** covers a GIPF-piece with your basic piece, **+2** with your GIPF-piece."),
        mark("**+1** covers a GIPF-piece with {name}'s basic piece, **+2** with {name}'s GIPF-piece."),
    )
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
        return f"→ {end} · {reader.say(mark('you win'), mark('wins'))}"
    if not (effect.returned or effect.captured):
        return f"→ {end}"
    parts = (
        _count_in_words(_BACK, effect.returned, most[0], are_all=two[0]),
        _count_in_words(_CAPTURED, effect.captured, most[1], are_all=two[1]),
    )
    return f"→ {end} · {say('row: {pieces}', pieces=', '.join(filter(None, parts)))}"


def push_then_take_label(end: str) -> str:
    """Return the label of the button that plays an act, and then asks which GIPF-pieces to take."""
    return say("→ {spot}, then take…", spot=end)


class _Counts(NamedTuple):
    """How many pieces come off: a number, one of two numbers, or at least the first and at most the second."""

    number: str
    one_of_two: str
    least_to_most: str


_BACK = _Counts(mark("{least} back"), mark("{least} or {most} back"), mark("{least} to {most} back"))
_CAPTURED = _Counts(mark("{least} captured"), mark("{least} or {most} captured"), mark("{least} to {most} captured"))


def _count_in_words(counts: _Counts, least: int, most: int = 0, *, are_all: bool = False) -> str:
    """Return how many pieces come off. `are_all` says that least and most are all there can be. Empty for none."""
    if most <= least:
        return say_name(counts.number, least=least) if least else ""
    return say_name(counts.one_of_two if are_all else counts.least_to_most, least=least, most=most)


# ── Rows ──


def choose_row_text(asked: Question, reader: Reader) -> str:
    """Return the text that asks which row comes off first, or from which row to take a GIPF-piece."""
    if asked.due and asked.frees and len(asked.groups) > 1:
        return say("A row can free a piece below it, which may make another row. Which row comes off first?")
    if asked.due:
        return say("These rows share a spot. Which row comes off first?")
    if not asked.may_act and not asked.pushed:
        return reader.say(
            mark("You have nothing left to push, so a GIPF-piece has to come off. From which row?"),
            mark("{name} has nothing left to push, so a GIPF-piece has to come off. From which row?"),
        )
    return say("These rows hold only GIPF-pieces, so they may stay. From which row does one come off?")


def choose_pieces_text(
    position: Position, row: RowChoice, taken: Collection[str], reader: Reader, *, may_keep: bool
) -> str:
    """Return the text that asks which GIPF-pieces the player takes from a row, and what comes off now.

    `taken` is the spots of the GIPF-pieces selected so far. `may_keep` says whether the player may leave a row of
    GIPF-pieces as it is.
    """
    name, effect = row_name(row), _row_effect(position, row, taken, reader)
    press, off = say("Press them, then **Done**."), say("Now: {effect}.", effect=effect) if taken else ""
    if row.loss:
        asked = reader.say(
            mark("Your row **{row}** has no plain piece: at least one of {spots} must come off."),
            mark("{name}'s row **{row}** has no plain piece: at least one of {spots} must come off."),
            row=name,
            spots=" ".join(row.loss),
        )
        return f"{asked} {press} {off}".rstrip()
    if row.due:
        comes_off = reader.say(*_COMES_OFF_NOW[_followers(row)], row=name, effect=effect)
        return f"{comes_off} {say(_take_too_sentence(position, row))} {press}"
    if may_keep:
        asked = say("Row **{row}** holds only GIPF-pieces and may stay. Which come off?", row=name)
    else:
        asked = reader.say(
            mark("Row **{row}** holds only GIPF-pieces. You have nothing left to push: at least one has to come off."),
            mark(
                "Row **{row}** holds only GIPF-pieces. {name} has nothing left to push: at least one has to come off."
            ),
            row=name,
        )
    return f"{asked} {off}".rstrip()


class _Followers(Enum):
    """Which pieces beyond the ends of a row have to come off with it (R4.2)."""

    NONE = auto()
    BASIC = auto()  # the player is asked about others
    ALL = auto()


_COMES_OFF = {  # by what follows the row: to the player, and to others
    _Followers.NONE: (mark("Your row **{row}** comes off."), mark("{name}'s row **{row}** comes off.")),
    _Followers.BASIC: (
        mark("Your row **{row}** comes off, and so do the basic pieces that follow it without a gap."),
        mark("{name}'s row **{row}** comes off, and so do the basic pieces that follow it without a gap."),
    ),
    _Followers.ALL: (
        mark("Your row **{row}** comes off, and so do the pieces that follow it without a gap."),
        mark("{name}'s row **{row}** comes off, and so do the pieces that follow it without a gap."),
    ),
}
_COMES_OFF_NOW = {  # with what comes off as it is now
    _Followers.NONE: (
        mark("Your row **{row}** comes off: {effect}."),
        mark("{name}'s row **{row}** comes off: {effect}."),
    ),
    _Followers.BASIC: (
        mark("Your row **{row}** comes off, and so do the basic pieces that follow it without a gap: {effect}."),
        mark("{name}'s row **{row}** comes off, and so do the basic pieces that follow it without a gap: {effect}."),
    ),
    _Followers.ALL: (
        mark("Your row **{row}** comes off, and so do the pieces that follow it without a gap: {effect}."),
        mark("{name}'s row **{row}** comes off, and so do the pieces that follow it without a gap: {effect}."),
    ),
}


def _followers(row: RowChoice) -> _Followers:
    if {*row.must} <= {*row.core}:
        return _Followers.NONE
    is_asked = any({*toggle} - {*row.core} for toggle in row.toggles)
    return _Followers.BASIC if is_asked else _Followers.ALL


def _take_too_sentence(position: Position, row: RowChoice) -> str:
    """Return the question about the optional pieces of a row, marked."""
    pieces = position.pieces()
    loaded = {pieces[spot].kind.loaded for toggle in row.toggles for spot in toggle}
    if len(loaded) > 1:
        return mark("Take GIPF- and loaded pieces off, too?")
    return mark("Take loaded pieces off, too?") if True in loaded else mark("Take GIPF-pieces off, too?")


_TAKE_PIECE_TOO = OwnerSentences(
    mark("Take your {piece} **{spots}** off, too?"),
    mark("Take your opponent's {piece} **{spots}** off, too?"),
    mark("Take {name}'s {piece} **{spots}** off, too?"),
)


def keep_or_take_text(position: Position, row: RowChoice, reader: Reader) -> str:
    """Return the text that asks whether to keep the one piece in question, with the effect of either choice."""
    (toggle,) = row.toggles
    pieces, spots = position.pieces(), " ".join(toggle)
    kind = pieces[toggle[0]].kind
    keep, take = (_row_effect(position, row, taken, reader) for taken in ((), toggle))
    is_own = any(pieces[spot].owner is position.mover for spot in toggle)
    comes_off = reader.say(*_COMES_OFF[_followers(row)], row=row_name(row))
    asked = reader.say_of_owner(_TAKE_PIECE_TOO, is_own=is_own, piece=piece_name(kind), spots=spots)
    kept = say("Leave {spots} on the board: {effect}.", spots=spots, effect=keep)
    return join_lines(
        f"{comes_off} {asked}",
        say("If it comes off, its potential is out of the game.") if kind.loaded else say(GIPF_WORTH),
        f"{kept} {say('Take {spots}: {effect}.', spots=spots, effect=take)}",
    )


def piece_caption(position: Position, row: RowChoice) -> str:
    """Return the caption of the picture that asks about the one piece in question."""
    (toggle,) = row.toggles
    return say(
        "Does {piece} {spots} come off, too?",
        piece=piece_name(position.pieces()[toggle[0]].kind),
        spots=" ".join(toggle),
    )


def keep_label(toggle: Sequence[str]) -> str:
    """Return the label of the button that leaves a piece on the board, and removes the rest of the row."""
    return say("Leave {spots} on the board", spots=" ".join(toggle))


def take_label(toggle: Sequence[str]) -> str:
    """Return the label of the button that takes a piece off the board with its row."""
    return say("Take {spots}", spots=" ".join(toggle))


def row_label(letter: str, position: Position, row: RowChoice) -> str:
    """Return the label of a row's button: its letter, its name, and which pieces come off, or that it may stay."""
    if not row.due:
        return say("{letter} {row}: may stay", letter=letter, row=row_name(row))
    if row.loss:
        return say("{letter} {row}: at least one piece", letter=letter, row=row_name(row))
    returned, captured, used = _row_worth(position, row)
    parts = (_count_in_words(_BACK, returned), _count_in_words(_CAPTURED, captured), _used_text(used))
    worth = ", ".join(filter(None, parts))
    return say("{letter} {row}: {pieces}", letter=letter, row=row_name(row), pieces=worth)


def _row_effect(position: Position, row: RowChoice, taken: Collection[str], reader: Reader) -> str:
    """Return the effect of a removal in words: `**3 back to you**, 1 captured`."""
    returned, captured, used = _row_worth(position, row, taken)
    yours, theirs = mark("**{count} back to you**"), mark("**{count} back to {name}**")
    if captured:
        yours = mark("**{count} back to you**, {captured} captured")
        theirs = mark("**{count} back to {name}**, {captured} captured")
    back = reader.say_name(yours, theirs, count=returned, captured=captured)
    parts = (back if returned else _count_in_words(_CAPTURED, captured), _used_text(used))
    return ", ".join(filter(None, parts))


def _used_text(number: int) -> str:
    if not number:
        return ""
    return say_amount("{number} used potential out of the game", "{number} used potentials out of the game", number)


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
    sentence = mark("{number} ✓ Take {spots}") if taken else mark("{number} Take {spots}")
    return say(sentence, number=str(number), spots=" ".join(toggle))


def forced_removals_text(turn_start: Position, draft: Sequence[Action], then: Sequence[Action], reader: Reader) -> str:
    """Return a text with one line for each row that came off without a choice. Empty if there was no such row.

    `draft` holds the actions that the player has played since `turn_start`. `then` holds the forced actions after them.
    """
    position = turn_start
    for action in draft:
        position = play(position, action)
    yours, theirs = mark("Your row came off: {pieces}."), mark("{name}'s row came off: {pieces}.")
    removed = (event for event in describe_actions(position, then) if isinstance(event, Removed))
    return join_lines(*(reader.say(yours, theirs, pieces=_removed_pieces_text(event, reader)) for event in removed))


def _removed_pieces_text(event: Removed, reader: Reader) -> str:
    used = [gone for gone in (*event.returned, *event.captured) if gone[1].kind.used]
    yours, theirs = mark("{pieces} back to you"), mark("{pieces} back to {name}")
    back = pieces_in_words([gone for gone in event.returned if gone not in used])
    captured = pieces_in_words([gone for gone in event.captured if gone not in used])
    if captured:
        yours, theirs = (
            mark("{pieces} back to you, {captured} captured"),
            mark("{pieces} back to {name}, {captured} captured"),
        )
    parts = [reader.say_name(yours, theirs, pieces=back, captured=captured)] if back else []
    if captured and not back:
        parts.append(say_name("{pieces} captured", pieces=captured))
    if used:
        forms = mark_number("{pieces} out of the game", "{pieces} out of the game")
        parts.append(say_amount(*forms, len(used), pieces=pieces_in_words(used)))
    return ", ".join(parts)


# ── A typed turn that leaves something open ──


def bare_dot_text(dot: str) -> str:
    """Return the note on a typed dot that does not say which push is meant."""
    return say("**{dot}** is only the dot, so nothing is played yet.", dot=dot)


def open_turn_text(text: str, asked: Question) -> str:
    """Return the note on a typed turn that leaves a choice open. `asked` is the question about that choice."""
    typed = quote_text(text)
    if asked.pushed:
        return say(PUSHED_TEXT)
    if asked.due:
        sentence = mark("{typed} doesn't say which row comes off before your push. Choose it here, then push.")
        return say(sentence, typed=typed)
    return say("Understood: {typed}. Now choose your push:", typed=typed)


def noted_row_label(letter: str, row: RowChoice) -> str:
    """Return the label of a row's button: its letter and its end spots."""
    return f"{letter} {row_name(row)}"


_PIECE_GOES_TOO = OwnerSentences(
    mark("Does your {pieces} go home, too?"),
    mark("Does your opponent's {pieces} go home, too?"),
    mark("Does {name}'s {pieces} go home, too?"),
)
_PIECES_GO_TOO = OwnerSentences(
    mark("Do your {pieces} go home, too?"),
    mark("Do your opponent's {pieces} go home, too?"),
    mark("Do {name}'s {pieces} go home, too?"),
)


def ends_text(position: Position, row: RowChoice, reader: Reader) -> str:
    """Return the text that asks which runs at the ends of a row go home, too (R8.3)."""
    is_own = position.pieces()[row.toggles[0][0]].owner is position.mover
    runs = say_list([f"**{' '.join(run)}**" for run in row.toggles])
    sentences = _PIECES_GO_TOO if sum(map(len, row.toggles)) > 1 else _PIECE_GOES_TOO
    asked = reader.say_of_owner(sentences, is_own=is_own, pieces=runs)
    return f"{say('Row **{row}** comes off.', row=row_name(row))} {asked}"


def ends_label(row: RowChoice, spots: Sequence[str]) -> str:
    """Return the label of the button that sends these spots at a row's ends home, or none."""
    if not spots:
        return say("Leave both on the board") if len(row.toggles) > 1 else keep_label(row.toggles[0])
    return say("Send {spots} home", spots=" ".join(spots))


def give_up_text(position: Position, row: RowChoice, reader: Reader) -> str:
    """Return the text that asks the owner of a row which of its GIPF-pieces they give up (R8.4)."""
    if len(row.toggles) == 1:
        yours = mark("Do you give up the GIPF-piece **{spot}**?")
        theirs = mark("Does {name} give up the GIPF-piece **{spot}**?")
    else:
        yours = mark("Do you give up any of its GIPF-pieces?")
        theirs = mark("Does {name} give up any of its GIPF-pieces?")
    asked = f"{reader.say(*_COMES_OFF[_Followers.NONE], row=row_name(row))} "
    asked += f"{reader.say(yours, theirs, spot=row.toggles[0][0])} "
    asked += say("A GIPF-piece that is given up is out of the game.")
    left = sum(piece.kind is Kind.GIPF and piece.owner is position.decider for piece in position.pieces().values())
    last = reader.say(
        mark("Without a GIPF-piece you lose the game."), mark("Without a GIPF-piece {name} loses the game.")
    )
    return join_lines(asked, last if left == len(row.toggles) else "")


def give_up_label(row: RowChoice, spots: Sequence[str], reader: Reader, *, loses: bool) -> str:
    """Return the label of the button that gives up the GIPF-pieces on these spots, or none of them.

    `loses` says that they are the player's last.
    """
    if not spots:
        return say("Keep {spots} on the board", spots=" ".join(toggle[0] for toggle in row.toggles))
    said = say("Give up {spots}", spots=" ".join(spots))
    return f"{said} · {reader.say(mark('you lose'), mark('loses'))}" if loses else said
