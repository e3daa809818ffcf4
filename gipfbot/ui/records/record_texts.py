"""The texts about records: exports, imports and replays."""

from datetime import UTC, datetime

from gipfbot.languages import mark, say
from gipfbot.match import Game, Status
from gipfbot.match.game import clean_name
from gipfbot.notation import LARGEST_RECORD, MOST_TURNS, OFFICIAL, Notation, NotationError, OpenTurn, Record, turn_text
from gipfbot.notation.errors import excerpt
from gipfbot.rules import Colour, Reason, ruleset_words
from gipfbot.service.kit.loaded_games import game_name
from gipfbot.ui.board import public_board
from gipfbot.ui.kit import escape_text, join_lines
from gipfbot.ui.kit.notation_texts import error_text, sentence_text, warning_lines
from gipfbot.ui.kit.texts import (
    WHOLE_LENGTH,
    game_length_text,
    pair_number,
    shorten_text,
    turn_in_words,
)
from gipfbot.ui.kit.turn_words import game_notation, placed_turn
from gipfbot.values import StoredGame
from render import Picture, alt_text

NO_GAMES_PLAYED = "You have played no games yet. Start one with **/gipf challenge**."
WHICH_RECORD = "Which game's record?"

IMPORT_TITLE, TRY_AGAIN_LABEL = "Import a record", "Try again"
RECORD_SIZE_LIMIT = f"{LARGEST_RECORD // 1024} KiB"
FILE_FIELD, FILE_HINT = "A file", f"A .gipf file or any plain text, up to {RECORD_SIZE_LIMIT}"
TEXT_FIELD, TEXT_HINT = "Or the record as text", "Tournament 1. Ge8 Gd8-f7 2. Ge9-e7 …"
REPORT_LENGTH, FAULT_LENGTH = 400, 600

NO_FILE_NOR_TEXT = "Nothing to import. Attach a file or paste a record."
FILE_AND_TEXT_DIFFER = (
    "The file and the text differ, so nothing was imported. Use **/gipf import** again with one of them."
)
PASTED_TEXT_RETURNED = "Your text is in the file below, for another try."
FILE_TOO_BIG = (
    f"That file is larger than {RECORD_SIZE_LIMIT}, so nothing was imported. "
    f"A record of {MOST_TURNS:,} turns is smaller than that."
)
FILE_EMPTY = "That file is empty, so nothing was imported."
NO_TEXT = "That file is not plain text, so nothing was imported. Save it as plain text in UTF-8 and try again."
NOT_FETCHED = "Discord did not hand over your file, so nothing was imported. Try again, or paste the record as text."
NO_TURNS_TO_STUDY = f"No turns were found, so nothing was imported. A record looks like `{TEXT_HINT}`."
NOTHING_IMPORTED = "Nothing was imported."
MAY_BE_CUT = "Your text is as long as the field allows. If it was cut off, import it as a file."

CANCEL_REPLAY_LABEL = "Cancel"
WHICH_REPLAY = "Which game do you want to replay?"
NOTHING_TO_REPLAY = "No turn has been played yet, so there is nothing to show. **/gipf board** shows the board."
REPLAY_CANCELLED = "Cancelled: there is no replay. **/gipf replay** makes one whenever you like."
REPLAY_LOST = "This replay isn't being made any more. Use **/gipf replay** again."
TOO_MANY_REPLAYS = "Many replays are being made right now. Try again in a minute."
STUDY_STEPS_IT = "Press **Study** to go through it turn by turn."
HOW_WRITTEN = (
    "`e2`: the new piece stops on e2. `e1-e4`: a push from the dot e1; the last piece in its way stops on e4. `x`: "
    "these pieces come off."
)
SHOWN_IN_CHANNEL = (
    "To show this replay to others, go to the game's channel: press **More…** there, then **Replay** and **Show here**."
)
LONGEST_ALT_TEXT = 1024  # Discord's limit


def record_headers(stored: StoredGame, server: str | None) -> tuple[tuple[str, str], ...]:
    """Return the headers of a game's record, except rules and result. `server` is the name of its server, or None."""
    game = stored.game
    return (
        ("Event", "GIPF by correspondence"),
        ("Site", clean_name(server or "", "Discord")),
        ("Date", datetime.fromtimestamp(stored.created_at, UTC).strftime("%Y.%m.%d")),
        ("White", game.seats[0].name),
        ("Black", game.seats[1].name),
        ("Termination", _termination_header(game)),
    )


def _termination_header(game: Game) -> str:
    if game.status is Status.CANCELLED:
        return "cancelled"
    result = game.position.result
    if result is None:
        return "unfinished"
    return {
        Reason.GIPF: "no GIPF-piece left on the board",
        Reason.RESERVE: "no piece left in reserve",
        Reason.RESIGN: "resigned",
        Reason.TIME: "time",
        Reason.REPETITION: "the same position for the third time",
        Reason.AGREEMENT: "agreed draw",
    }.get(result.by, str(result.by))


def record_file_name(game: int) -> str:
    """Return the file name of a game's record, such as `a7.gipf`."""
    return f"{game_name(game).removeprefix('#')}.gipf"


def record_sheet(stored: StoredGame, record: Record, notation: Notation) -> str:
    """Return the message that comes with the file of a record. It shows as many turns as fit."""
    game, turns = stored.game, len(record.turns)
    ended = record.result or ("cancelled" if game.status is Status.CANCELLED else "not finished")
    rules = ruleset_words(game.ruleset.name)
    last = f" · {game_length_text(turns)}" if turns else ""
    head = f"**{game_name(game.id)}** · {players_text(game)} · {rules} · {ended}{last}"
    if not turns:
        return f"{head}\nNo turn has been played yet, so the file has only headers, such as the players' names."
    written = [turn_text(step.before, step.actions, notation) for step in record.turns]
    lines = [f"{at // 2 + 1}. {' '.join(written[at : at + 2])}" for at in range(0, turns, 2)]
    head = join_lines(head, HOW_WRITTEN if game.terms.newcomer and notation is OFFICIAL else "")
    return f"{head}\n{_turns_block(lines, WHOLE_LENGTH - len(head))}"


def _turns_block(lines: list[str], most: int) -> str:
    shown = len(lines)
    while True:
        left = len(lines) - shown
        more = f"\n… and {left:,} more: the file has all turns." if left > 0 else ""
        block = "\n".join(["```", *lines[:shown], f"```{more}"])
        if len(block) <= most or not shown:
            return block
        shown -= 1


def players_text(game: Game) -> str:
    """Return the names of a game's players with their colours: `Ann (White) vs Bob (Black)`."""
    return " vs ".join(f"{escape_text(seat.name)} ({colour})" for seat, colour in zip(game.seats, Colour, strict=True))


def past_board_text(game: Game, record: Record, place: int, notation: Notation, *, newest: bool) -> str:
    """Return the text beside the board of a game after the first `place` turns of its record.

    With `newest`, it also says which turn is the newest. A message that stays must not say so: it would soon be false.
    """
    where, removed = "the start", ""
    if place:
        step = record.turns[place - 1]
        removed = public_board.row_removed_text(step.before, step.actions)
        where = placed_turn(place, step.actions, game_notation(game, step.before, step.actions, notation))
    if newest:
        where = f"{where} · {_newest_text(len(record.turns), place)}"
    return join_lines(f"**{game_name(game.id)}** · {players_text(game)}", where, removed)


def _newest_text(turns: int, place: int) -> str:
    if not turns:
        return "no turn has been played yet"
    return "this is the newest turn" if turns == place else f"the newest turn is {turn_in_words(turns)}"


def unreadable_record_text(fault: NotationError) -> str:
    """Return the reason why a text cannot be read as a record. The fault is marked if its place is known."""
    at = "" if fault.at is None or "`" in fault.caret else f"\n```\n{fault.caret}\n```"
    return f"{shorten_text(error_text(fault, escape_text), REPORT_LENGTH)}{at}\n{NOTHING_IMPORTED}"


def import_report_text(record: Record) -> str:
    """Return the warnings about an imported record. If the record breaks, also name the last imported turn.

    A record breaks at its first turn that cannot be played; `broken_record_text` says where. Empty if there is nothing
    to report.
    """
    kept = f"Imported up to {_last_place(record)}: there the record breaks." if record.broken else ""
    return shorten_text(join_lines(kept, warning_lines(record.warnings)), REPORT_LENGTH)


def _last_place(record: Record) -> str:
    return turn_in_words(record.turns[-1].turn_number) if record.turns else "the start"


def broken_record_text(record: Record) -> str:
    """Return where and why a record breaks, and suggested turns. Empty if the record does not break.

    Suggestions are left out if the text gets longer than FAULT_LENGTH. Turns are quoted as code, for copying.
    """
    broken = record.broken
    if broken is None:
        return ""
    where = f"{_quote_turn(broken.fault.text)}, written for **{turn_in_words(broken.turn_number)}**"
    said = f"The record stops at {where}. {shorten_text(_broken_turn_reason(broken.fault), FAULT_LENGTH // 2)}"
    more = []
    if broken.repair:
        number, text, instead = broken.repair
        what = f"{_quote_turn(text)} (**{turn_in_words(number)}**) with {_quote_turn(instead)}"
        more.append(f"If you replace {what}, the rest can be read.")
    if broken.missing:
        more.append(sentence_text(broken.missing))
    if broken.similar:
        more.append(f"Legal turns like it: {', '.join(map(_quote_turn, broken.similar))}.")
    for sentence in more:
        said = f"{said} {sentence}" if len(said) + len(sentence) < FAULT_LENGTH else said
    return said


def _broken_turn_reason(fault: NotationError) -> str:
    if isinstance(fault, OpenTurn):
        turns = ", ".join(map(_quote_turn, fault.choices))
        order = mark("Write one of: {turns}.") if len(fault.choices) > 1 else mark("Write: {turns}.")
        return f"{sentence_text(fault.why)} {say(order, turns=turns)}"
    return error_text(fault)


def _quote_turn(text: str) -> str:
    return f"`{excerpt(text.replace('`', ' '))}`"


def bad_range_text(game: int, first: int, last: int, turns: int) -> str:
    """Return the reason why a range of turns cannot be replayed.

    `first` and `last` are turn numbers, and `turns` is the number of turns in the game. All three count the turns of
    both players.
    """
    name = game_name(game)
    if first > turns:
        newest = turn_in_words(turns)
        return f"The last turn of {name} so far is {newest}, so a replay can't begin with {turn_in_words(first)}."
    return f"{turn_in_words(first)} comes after {turn_in_words(last)}: swap **from** and **to**."


def replay_progress_text(game: int, done: int, turns: int) -> str:
    """Return the progress of a replay that is being made. `done` of its `turns` boards are drawn."""
    how_far = f"board {done} of {turns}" if done else "looking at the game"
    return f"Making a replay of {game_name(game)}: {how_far} …"


def replay_caption(game: Game, first: int, last: int, left_out: int, width: int | None) -> str:
    """Return the text above a replay: the game, its turns, and the changes made to fit Discord's size limit.

    `left_out` is the number of boards left out. `width` is the reduced width in pixels, or None if it was not reduced.
    """
    notes = [] if width is None else [f"drawn {width} pixels wide"]
    notes += [f"{left_out:,} board{'' if left_out == 1 else 's'} not shown"] if left_out else []
    note = f"To fit Discord's size limit: {', '.join(notes)}. Ask for fewer turns to see more." if notes else ""
    return join_lines(f"Your replay of {replay_heading(game, first, last)} · only you see it", note, STUDY_STEPS_IT)


def replay_heading(game: Game, first: int, last: int) -> str:
    """Return the game of a replay, and which of its turns are shown."""
    return f"**{game_name(game.id)}**: {players_text(game)}, {_turn_range(first, last)}"


def _turn_range(first: int, last: int) -> str:
    one, other = pair_number(first), pair_number(last)
    return turn_in_words(first) if first == last else f"turn {one}" if one == other else f"turns {one} to {other}"


def replay_file_name(game: int) -> str:
    """Return the file name of a game's replay, such as `a7.gif`."""
    return f"{game_name(game).removeprefix('#')}.gif"


def replay_alt_text(game: int, first: int, last: int, board: Picture) -> str:
    """Return the alt text of a replay: its turns, and the board at its end. Cut at Discord's limit."""
    said = f"Replay of {game_name(game)}, {_turn_range(first, last)}. At the end: {alt_text(board)}"
    return shorten_text(said, LONGEST_ALT_TEXT)
