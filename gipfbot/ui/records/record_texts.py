"""The texts about records: exports, imports and replays."""

from datetime import UTC, datetime
from typing import TypedDict

from gipfbot.languages import mark, say, say_name, say_number
from gipfbot.match import Game, Status
from gipfbot.match.game import clean_name
from gipfbot.notation import (
    LARGEST_RECORD,
    MOST_TURNS,
    OFFICIAL,
    BrokenRecord,
    Notation,
    NotationError,
    Record,
    turn_text,
)
from gipfbot.notation.errors import excerpt
from gipfbot.rules import Reason
from gipfbot.service.kit.loaded_games import game_name
from gipfbot.ui.board import public_board
from gipfbot.ui.kit import escape_text, join_lines
from gipfbot.ui.kit.notation_texts import error_text, ruleset_text, sentence_text, warning_lines
from gipfbot.ui.kit.picture_words import spoken_words
from gipfbot.ui.kit.texts import (
    WHOLE_LENGTH,
    game_length_text,
    pair_number,
    shorten_text,
    turn_in_words,
)
from gipfbot.ui.kit.turn_words import game_notation, placed_turn
from gipfbot.values import StoredGame
from gipfbot.values.tournaments import PartOf
from render import Picture, alt_text

NO_GAMES_PLAYED = mark("You have played no games yet. Start one with **/gipf challenge**.")
WHICH_RECORD = mark("Which game's record?")

IMPORT_TITLE, TRY_AGAIN_LABEL = mark("Import a record"), mark("Try again")
RECORD_SIZE_LIMIT = f"{LARGEST_RECORD // 1024} KiB"
FILE_FIELD, TEXT_FIELD = mark("A file"), mark("Or the record as text")
TEXT_HINT = "Tournament 1. Ge8 Gd8-f7 2. Ge9-e7 …"
REPORT_LENGTH, FAULT_LENGTH = 400, 600

NO_FILE_NOR_TEXT = mark("Nothing to import. Attach a file or paste a record.")
FILE_AND_TEXT_DIFFER = mark(
    "The file and the text differ, so nothing was imported. Use **/gipf import** again with one of them."
)
PASTED_TEXT_RETURNED = mark("Your text is in the file below, for another try.")
FILE_EMPTY = mark("That file is empty, so nothing was imported.")
NO_TEXT = mark("That file is not plain text, so nothing was imported. Save it as plain text in UTF-8 and try again.")
NOT_FETCHED = mark(
    "Discord did not hand over your file, so nothing was imported. Try again, or paste the record as text."
)
NOTHING_IMPORTED = mark("Nothing was imported.")
MAY_BE_CUT = mark("Your text is as long as the field allows. If it was cut off, import it as a file.")

CANCEL_REPLAY_LABEL = mark("Cancel")
WHICH_REPLAY = mark("Which game do you want to replay?")
NOTHING_TO_REPLAY = mark("No turn has been played yet, so there is nothing to show. **/gipf board** shows the board.")
REPLAY_CANCELLED = mark("Cancelled: there is no replay. **/gipf replay** makes one whenever you like.")
REPLAY_LOST = mark("This replay isn't being made any more. Use **/gipf replay** again.")
TOO_MANY_REPLAYS = mark("Many replays are being made right now. Try again in a minute.")
STUDY_STEPS_IT = mark("Press **Study** to go through it turn by turn.")
HOW_WRITTEN = mark(
    "`e2`: the new piece stops on e2. `e1-e4`: a push from the dot e1; the last piece in its way stops on e4. `x`: "
    "these pieces come off."
)
SHOWN_IN_CHANNEL = mark(
    "To show this replay to others, go to the game's channel: press **More…** there, then **Replay** and **Show here**."
)
LONGEST_ALT_TEXT = 1024  # Discord's limit


def file_hint() -> str:
    """Return the hint of the field for a record's file."""
    return say("A .gipf file or any plain text, up to {size}", size=RECORD_SIZE_LIMIT)


def file_too_big_text() -> str:
    """Return the answer to a file that is too large for a record."""
    return say(
        "That file is larger than {size}, so nothing was imported. A record of {turns} turns is smaller than that.",
        size=RECORD_SIZE_LIMIT,
        turns=MOST_TURNS,
    )


def no_turns_text() -> str:
    """Return the answer to a text without any turn."""
    return say("No turns were found, so nothing was imported. A record looks like `{example}`.", example=TEXT_HINT)


def record_headers(
    stored: StoredGame, server: str | None, tournament: PartOf | None = None
) -> tuple[tuple[str, str], ...]:
    """Return the headers of a game's record, except rules and result.

    `server` is the name of its server, or None. `tournament` is None if the game belongs to none.
    """
    game = stored.game
    return (
        ("Event", _event_header(tournament)),
        ("Site", clean_name(server or "", "Discord")),
        ("Date", datetime.fromtimestamp(stored.created_at, UTC).strftime("%Y.%m.%d")),
        ("White", game.seats[0].name),
        ("Black", game.seats[1].name),
        ("Termination", _termination_header(game)),
    )


def _event_header(tournament: PartOf | None) -> str:
    if tournament is None:
        return "GIPF by correspondence"
    if tournament.season is not None:
        return f"{tournament.name}, season {tournament.season}"
    return f"{tournament.name}, round {tournament.round}"


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
    ended = record.result or (say("cancelled") if game.status is Status.CANCELLED else say("not finished"))
    rules = ruleset_text(game.ruleset.name)
    last = f" · {game_length_text(turns)}" if turns else ""
    head = f"**{game_name(game.id)}** · {players_text(game)} · {rules} · {ended}{last}"
    if not turns:
        no_turns = say("No turn has been played yet, so the file has only headers, such as the players' names.")
        return f"{head}\n{no_turns}"
    written = [turn_text(step.before, step.actions, notation) for step in record.turns]
    lines = [f"{at // 2 + 1}. {' '.join(written[at : at + 2])}" for at in range(0, turns, 2)]
    head = join_lines(head, say(HOW_WRITTEN) if game.terms.newcomer and notation is OFFICIAL else "")
    return f"{head}\n{_turns_block(lines, WHOLE_LENGTH - len(head))}"


def _turns_block(lines: list[str], most: int) -> str:
    shown = len(lines)
    while True:
        left = len(lines) - shown
        block = "\n".join(["```", *lines[:shown], "```", *([_left_out_text(left)] if left > 0 else [])])
        if len(block) <= most or not shown:
            return block
        shown -= 1


def _left_out_text(lines: int) -> str:
    return say_number(
        "… and {number} more: the file has all turns.", "… and {number} more: the file has all turns.", lines
    )


class _Players(TypedDict):
    """The names of a game's players, for its sentences."""

    white: str
    black: str


def _players(game: Game) -> _Players:
    return {"white": escape_text(game.seats[0].name), "black": escape_text(game.seats[1].name)}


def players_text(game: Game) -> str:
    """Return the names of a game's players with their colours: `Ann (White) vs Bob (Black)`."""
    return say("{white} (White) vs {black} (Black)", **_players(game))


def past_board_text(game: Game, record: Record, place: int, notation: Notation, *, newest: bool) -> str:
    """Return the text beside the board of a game after the first `place` turns of its record.

    With `newest`, it also says which turn is the newest. A message that stays must not say so: it would soon be false.
    """
    where, removed = say("the start"), ""
    if place:
        step = record.turns[place - 1]
        removed = public_board.row_removed_text(step.before, step.actions)
        where = placed_turn(place, step.actions, game_notation(game, step.before, step.actions, notation))
    if newest:
        where = f"{where} · {_newest_text(len(record.turns), place)}"
    return join_lines(f"**{game_name(game.id)}** · {players_text(game)}", where, removed)


def _newest_text(turns: int, place: int) -> str:
    if not turns:
        return say("no turn has been played yet")
    if turns == place:
        return say("this is the newest turn")
    return say("the newest turn is {turn}", turn=turn_in_words(turns))


def unreadable_record_text(fault: NotationError) -> str:
    """Return the reason why a text cannot be read as a record. The fault is marked if its place is known."""
    at = "" if fault.at is None or "`" in fault.caret else f"\n```\n{fault.caret}\n```"
    return f"{shorten_text(error_text(fault, escape_text), REPORT_LENGTH)}{at}\n{say(NOTHING_IMPORTED)}"


def import_report_text(record: Record) -> str:
    """Return the warnings about an imported record. If the record breaks, also name the last imported turn.

    A record breaks at its first turn that cannot be played; `broken_record_text` says where. Empty if there is nothing
    to report.
    """
    kept = _imported_part_text(record) if record.broken else ""
    return shorten_text(join_lines(kept, warning_lines(record.warnings)), REPORT_LENGTH)


def _imported_part_text(record: Record) -> str:
    if not record.turns:
        return say("Imported up to the start: there the record breaks.")
    last = turn_in_words(record.turns[-1].turn_number)
    return say("Imported up to {turn}: there the record breaks.", turn=last)


def broken_record_text(broken: BrokenRecord) -> str:
    """Return where and why a record breaks, and suggested turns.

    Suggestions are left out if the text gets longer than FAULT_LENGTH. Turns are quoted as code, for copying.
    """
    stops = say(
        "The record stops at {written}, written for **{turn}**.",
        written=_quote_turn(broken.fault.text),
        turn=turn_in_words(broken.turn_number),
    )
    said = f"{stops} {shorten_text(_broken_turn_reason(broken.fault), FAULT_LENGTH // 2)}"
    more = []
    if broken.repair:
        number, text, instead = broken.repair
        sentence = mark("If you replace {written} (**{turn}**) with {instead}, the rest can be read.")
        turns = {"written": _quote_turn(text), "turn": turn_in_words(number), "instead": _quote_turn(instead)}
        more.append(say(sentence, **turns))
    if broken.missing:
        more.append(sentence_text(broken.missing))
    if broken.similar:
        more.append(say("Legal turns like it: {turns}.", turns=", ".join(map(_quote_turn, broken.similar))))
    for sentence in more:
        said = f"{said} {sentence}" if len(said) + len(sentence) < FAULT_LENGTH else said
    return said


def _broken_turn_reason(fault: NotationError) -> str:
    if fault.choices:
        turns = ", ".join(map(_quote_turn, fault.choices))
        order = mark("Write one of: {turns}.") if len(fault.choices) > 1 else mark("Write: {turns}.")
        return f"{sentence_text(fault.sentences[0])} {say(order, turns=turns)}"
    return error_text(fault)


def _quote_turn(text: str) -> str:
    return f"`{excerpt(text.replace('`', ' '))}`"


def bad_range_text(game: int, first: int, last: int, turns: int) -> str:
    """Return the reason why a range of turns cannot be replayed.

    `first` and `last` are turn numbers, and `turns` is the number of turns in the game. All three count the turns of
    both players.
    """
    begin = turn_in_words(first)
    if first > turns:
        return say(
            "The last turn of {game} so far is {newest}, so a replay can't begin with {first}.",
            game=game_name(game),
            newest=turn_in_words(turns),
            first=begin,
        )
    return say("{first} comes after {last}: swap **from** and **to**.", first=begin, last=turn_in_words(last))


def replay_progress_text(game: int, done: int, turns: int) -> str:
    """Return the progress of a replay that is being made. `done` of its `turns` boards are drawn."""
    if not done:
        return say("Making a replay of {game}: looking at the game …", game=game_name(game))
    return say("Making a replay of {game}: board {done} of {turns} …", game=game_name(game), done=done, turns=turns)


def replay_caption(game: Game, first: int, last: int, left_out: int, width: int | None) -> str:
    """Return the text above a replay: the game, its turns, and the changes made to fit Discord's size limit.

    `left_out` is the number of boards left out. `width` is the reduced width in pixels, or None if it was not reduced.
    """
    heading = say(
        "Your replay of **{game}**: {white} (White) vs {black} (Black), {turns}",
        game=game_name(game.id),
        turns=_turn_range(first, last),
        **_players(game),
    )
    return join_lines(f"{heading} · {say('only you see it')}", _fitted_text(left_out, width), say(STUDY_STEPS_IT))


def _fitted_text(left_out: int, width: int | None) -> str:
    """Return the sentences on the changes made to fit Discord's size limit. Empty if there are none."""
    if width is None and not left_out:
        return ""
    if not left_out:
        return say(
            "To fit Discord's size limit: drawn {width} pixels wide. Ask for fewer turns to see more.",
            width=str(width),
        )
    if width is None:
        return say_number(
            "To fit Discord's size limit: {number} board not shown. Ask for fewer turns to see more.",
            "To fit Discord's size limit: {number} boards not shown. Ask for fewer turns to see more.",
            left_out,
        )
    return say_number(
        "To fit Discord's size limit: drawn {width} pixels wide, {number} board not shown. Ask for fewer turns to see "
        "more.",
        "To fit Discord's size limit: drawn {width} pixels wide, {number} boards not shown. Ask for fewer turns to see "
        "more.",
        left_out,
        width=str(width),
    )


def replay_heading(game: Game, first: int, last: int) -> str:
    """Return the game of a replay, and which of its turns are shown."""
    return say(
        "**{game}**: {white} (White) vs {black} (Black), {turns}",
        game=game_name(game.id),
        turns=_turn_range(first, last),
        **_players(game),
    )


def _turn_range(first: int, last: int) -> str:
    one, other = str(pair_number(first)), str(pair_number(last))
    if first == last:
        return turn_in_words(first)
    if one == other:
        return say_name("turn {turn}", turn=one)
    return say_name("turns {first} to {last}", first=one, last=other)


def replay_file_name(game: int) -> str:
    """Return the file name of a game's replay, such as `a7.gif`."""
    return f"{game_name(game).removeprefix('#')}.gif"


def replay_alt_text(game: int, first: int, last: int, board: Picture) -> str:
    """Return the alt text of a replay: its turns, and the board at its end. Cut at Discord's limit."""
    said = say("Replay of {game}, {turns}.", game=game_name(game), turns=_turn_range(first, last))
    return shorten_text(f"{said} {say('At the end:')} {alt_text(board, spoken_words())}", LONGEST_ALT_TEXT)
