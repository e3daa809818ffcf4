"""**Why this row?** or **Why this capture?** on a turn: the rows, their pieces, and the rule."""

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace

from gipfbot.languages import mark, say, say_list, say_name, say_number
from gipfbot.match import Game
from gipfbot.notation import Notation, RecordedTurn
from gipfbot.rules import Colour, Kind, Piece, Position, Remove, play
from gipfbot.rules.changes import Removed
from gipfbot.rules.pending import RowChoice, question
from gipfbot.rules.powers import POWERS
from gipfbot.ui.board.public_board import row_removed_text, seat_names
from gipfbot.ui.kit import (
    Button,
    Interaction,
    Reply,
    escape_text,
    handles,
    join_lines,
    notation_of,
    show_reply,
    visibility,
)
from gipfbot.ui.kit.pictures import ROW_LETTERS, describe_actions
from gipfbot.ui.kit.texts import texts_of_course
from gipfbot.ui.kit.turn_words import game_notation, pieces_in_words, placed_turn
from gipfbot.ui.records.replay import turn_picture
from gipfbot.values import StoredGame

from .rule_topics import all_topics, topic_of_rule

EARLIER_CAPTURE_LABEL, LATER_CAPTURE_LABEL = mark("The capture before"), mark("The capture after")
LAST_CAPTURE_LABEL, SHOW_RULE_LABEL = mark("The last capture"), mark("Show the rule on a board")
NO_CAPTURE = mark("Nothing was captured.")
# In Overboard.
GIPF_STAYED = mark("A GIPF-piece in a row stays on the board unless its owner takes it out of the game.")
NONE_THERE = mark("No turn up to this one has removed such pieces any more: it was taken back.")
NONE_LATER = mark("No later turn has captured a piece any more: it was taken back.")
Meant = Callable[[RecordedTurn], bool]


def _removed(turn: RecordedTurn) -> list[Removed]:
    if not any(isinstance(action, Remove) for action in turn.actions):
        return []
    return [event for event in describe_actions(turn.before, turn.actions) if isinstance(event, Removed)]


def removes(turn: RecordedTurn) -> bool:
    """Return whether a turn removed a row."""
    return bool(_removed(turn))


def captures(turn: RecordedTurn) -> bool:
    """Return whether a turn captured a piece."""
    return any(event.captured for event in _removed(turn))


def removed_rows(turn: RecordedTurn) -> Iterator[tuple[RowChoice, Position, Remove]]:
    """Yield each row that a turn removed, with the position before its removal, and the removal.

    In Overboard a row is removed in several steps (R8.3). The first stands for them.
    """
    position, told = turn.before, set[tuple[str, ...]]()
    for action in turn.actions:
        asked = question(position)
        if isinstance(action, Remove) and action.taken and asked:
            row = next(row for row in asked.rows if row.line.number == action.line)
            if row.core not in told:
                yield row, position, action
            told.add(row.core)
        position = play(position, action)


def _lettered_rows(turn: RecordedTurn) -> list[tuple[str, tuple[RowChoice, Position, Remove]]]:
    """Return the rows that a turn removed, each with its letter in the picture. A single row has none."""
    rows = [*removed_rows(turn)]
    return [*zip(ROW_LETTERS if len(rows) > 1 else ("",), rows, strict=False)]


def removal_text(game: Game, turn: RecordedTurn, notation: Notation) -> str:
    """Return what a turn removed and why: each row with its letter in the picture, its pieces, and the rule."""
    words, names = texts_of_course(turn.before.rules), seat_names(game)
    head = placed_turn(turn.turn_number, turn.actions, game_notation(game, turn.before, turn.actions, notation))
    topic = all_topics()[topic_of_rule(words.row_rule)]
    rows = _lettered_rows(turn)
    if words.captured:  # lost pieces are captured
        said = [*(_row_text(letter, *row, names) for letter, row in rows), "" if captures(turn) else say(NO_CAPTURE)]
    else:
        named = ", ".join(_row_name(letter, row.core) for letter, (row, _, _) in rows)
        said = [say("Came off: row {rows}.", rows=named), row_removed_text(turn.before, turn.actions)]
        left = turn.after.pieces()
        kept = [left[spot].kind for _, (row, _, _) in rows for spot in row.core if spot in left]
        said += [say(GIPF_STAYED)] if Kind.GIPF in kept else []
    return join_lines(head, *said, f"-# {say('**The rule:**')} {say(topic.text)}")


def _row_name(letter: str, core: Sequence[str]) -> str:
    return f"**{core[0]}–{core[-1]}**{letter and f' ({letter})'}"


def _row_text(letter: str, row: RowChoice, before: Position, action: Remove, names: tuple[str, str]) -> str:
    """Return the sentences on one row by the designer's rules: who had it, and what became of each piece."""
    colour, pieces = before.mover, before.pieces()
    gone = [(spot, pieces[spot]._replace(under=())) for spot in row.stretch if spot in action.spots]
    stayed = [(spot, pieces[spot]._replace(under=())) for spot in row.stretch if spot not in action.spots]
    captured = [each for each in gone if each[1].owner is not colour]
    back = [each for each in gone if each[1].owner is colour and not each[1].kind.used]
    used = [each for each in gone if each[1].owner is colour and each[1].kind.used]
    parts = (
        _pieces_text(mark("Back to {colour}: **{pieces}**."), back, colour),
        _captured_text(captured, colour.other),
        _pieces_text(mark("Out of the game: **{pieces}**."), used, colour),
        _pieces_text(mark("Left on the board: **{pieces}**."), stayed, colour),
    )
    owner, mover = escape_text(names[colour]), say_name(str(colour))
    named = _row_name(letter, row.core)
    return join_lines(
        say(
            "{owner} ({colour}) had {count} in a row: {row}.", owner=owner, colour=mover, count=len(row.core), row=named
        ),
        " ".join(filter(None, parts)),
        _may_stay_text({piece.kind for _, piece in stayed}, owner),
    )


def _pieces_text(sentence: str, pieces: Sequence[tuple[str, Piece]], colour: Colour) -> str:
    return say(sentence, pieces=pieces_in_words(pieces), colour=say_name(str(colour))) if pieces else ""


def _captured_text(pieces: Sequence[tuple[str, Piece]], owner: Colour) -> str:
    if not pieces:
        return ""
    return say_number(
        "Captured from {colour}: **{pieces}**, because it stood next to the row, in its line.",
        "Captured from {colour}: **{pieces}**, because they stood next to the row without a gap, in its line.",
        len(pieces),
        pieces=pieces_in_words(pieces),
        colour=say_name(str(owner)),
    )


def _may_stay_text(kinds: Collection[Kind], owner: str) -> str:
    """Return why pieces of these kinds were left where their row was removed (R4.4, R7.4). Empty without kinds."""
    if not kinds:
        return ""
    names = say_list([_kind_name(kind) for kind in sorted(kinds)])
    return say("{kinds} may stay when their row comes off: that was {owner}'s choice.", kinds=names, owner=owner)


def _kind_name(kind: Kind) -> str:
    return say_name("GIPF-pieces") if kind is Kind.GIPF else say_name("{potential}-pieces", potential=POWERS[kind].name)


@handles("why_row", "{game}:{turn_number}", Reply.APART)
async def press_why_row(interaction: Interaction, game: int, turn_number: int) -> None:
    """Explain the last removal up to a turn of a game. The message that was pressed stays."""
    await _explain(interaction, game, turn_number, removes)


@handles("why_capture", "{game}:{turn_number}", Reply.APART)
async def press_why_capture(interaction: Interaction, game: int, turn_number: int) -> None:
    """Explain the last capture up to a turn of a game. The message that was pressed stays."""
    await _explain(interaction, game, turn_number, captures)


@handles("earlier_capture", "{game}:{turn_number}")
async def press_earlier_capture(interaction: Interaction, game: int, turn_number: int) -> None:
    """Explain the last capture up to a turn of a game, on the message that was pressed."""
    await _explain(interaction, game, turn_number, captures)


@handles("later_capture", "{game}:{turn_number}")
async def press_later_capture(interaction: Interaction, game: int, turn_number: int) -> None:
    """Explain the first capture after a turn of a game, on the message that was pressed."""
    await _explain(interaction, game, turn_number, captures, later=True)


async def _explain(
    interaction: Interaction, game: int, turn_number: int, is_meant: Meant, *, later: bool = False
) -> None:
    """Explain the last turn up to `turn_number` that is meant, or the first `later` one, if the person may see it."""
    stored, record = await interaction.client.app.studies.record(game, interaction.user.id)
    if reason := await visibility.why_game_hidden(interaction, stored):
        await show_reply(interaction, reason)
        return
    turns = record.turns
    places = range(turn_number, len(turns)) if later else reversed(range(min(turn_number, len(turns))))
    at = next((at for at in places if is_meant(turns[at])), None)
    if at is None:
        await show_reply(interaction, say(NONE_LATER if later else NONE_THERE))
    else:
        await _show_removal(interaction, stored, turns, at)


async def _show_removal(interaction: Interaction, stored: StoredGame, turns: Sequence[RecordedTurn], at: int) -> None:
    """Show the board after the turn at an index, with its removed rows marked. Buttons lead to other captures."""
    turn, notation = turns[at], await notation_of(interaction)
    picture = turn_picture(stored.game, turn, notation)
    rows = tuple((letter, row.core) for letter, (row, _, _) in _lettered_rows(turn))
    buttons = [Button(say(SHOW_RULE_LABEL), f"why:{texts_of_course(turn.before.rules).row_rule}")]
    if any(map(captures, turns[:at])):
        label = EARLIER_CAPTURE_LABEL if captures(turn) else LAST_CAPTURE_LABEL
        buttons.append(Button(say(label), f"earlier_capture:{stored.game.id}:{turn.turn_number - 1}"))
    if any(map(captures, turns[at + 1 :])):
        buttons.append(Button(say(LATER_CAPTURE_LABEL), f"later_capture:{stored.game.id}:{turn.turn_number}"))
    await show_reply(
        interaction,
        removal_text(stored.game, turn, notation),
        replace(picture, marks=replace(picture.marks, rows=rows)),
        (tuple(buttons),),
        colour=stored.game.colour_of(interaction.user.id),
    )
