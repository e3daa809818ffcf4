"""What is said about records and studies."""

from collections.abc import Sequence
from datetime import UTC, datetime

from gipfbot.match import Game, Status
from gipfbot.notation import Notation, NotationError, Record, numbered, turn_text
from gipfbot.rules import ByColor, Colour, Reason
from gipfbot.service.boards import board_of
from gipfbot.service.ids import game_name, study_name
from gipfbot.service.service import Stored
from gipfbot.service.studies import StoredStudy, StudyBrief

from . import board_texts, texts

FIRST, PREVIOUS, NEXT, LAST = "⏮", "◀", "▶", "⏭"
JUMP, TRY, TYPE, UNDO, LEAVE = "Jump…", "Try a turn from here", "Type a turn…", "Back one turn", "Back to the game"
JUMP_TITLE, TYPE_TITLE, IMPORT_TITLE = "Jump to a turn", "Try a turn", "Import a record"
JUMP_FIELD, JUMP_HINT = "Move number", "12 for White's, 12b for Black's, 0 for the start"
TYPE_FIELD, TYPE_HINT = "The turn, in either notation", "e2 or g1-c3;xc2,d3,e4,f4"
FILE_FIELD, FILE_HINT = "A file", "A .gipf file or any text in UTF-8, up to 64 KiB"
TEXT_FIELD, TEXT_HINT = "Or the record as text", "1. Ge8 Gd8-f7 2. Ge9-e7 …"
COMMENT_LENGTH, REPORT_LENGTH, TRIED_LENGTH = 500, 700, 300

NEITHER = (
    "There was neither a file nor a text, so nothing was imported. Use **/gipf import** again and give one of them."
)
BOTH = "There was a file and a text: I cannot tell which one you mean. Use **/gipf import** again with one of them."
FILE_TOO_BIG = "That file is larger than 64 KiB, so I did not read it. A record of 2,000 turns has room in that."
NOT_UTF8 = "That file is no text in UTF-8, so nothing was imported. Save it as plain text in UTF-8 and try again."
NOT_FETCHED = "Discord did not hand me your file, so nothing was imported. Try again, or paste the record as text."
NO_TURNS = "No turns stand in that, so there is nothing to study. A record looks like `1. Ge8 Gd8-f7 2. Ge9-e7 …`."
MAY_BE_CUT = "Your text is as long as the field allows. If it was cut off, import it as a file."
STALE = "That was drawn before you went on elsewhere; this is how the study stands now."
NO_GAMES = "You have played no games yet. Start one with **/gipf challenge**."
WHICH_RECORD = "Which game's record?"
WHICH_STUDY = "You have no running games, but these studies. Which one?"
OPEN_STUDY = "Open a study"


# ── Records ──


def headers(stored: Stored, server: str | None) -> tuple[tuple[str, str], ...]:
    """Return the headers of a game's record beyond those that follow from its turns."""
    game = stored.game
    return (
        ("Event", "GIPF by correspondence"),
        ("Site", server or "Discord"),
        ("Date", datetime.fromtimestamp(stored.created_at, UTC).strftime("%Y.%m.%d")),
        ("White", game.seats[0].name),
        ("Black", game.seats[1].name),
        ("Termination", _termination(game)),
    )


def _termination(game: Game) -> str:
    if game.status is Status.ABORTED:
        return "called off"
    result = game.position.result
    if result is None:
        return "unfinished"
    return {
        Reason.GIPF: "no GIPF-piece left on the board",
        Reason.RESERVE: "no piece left in reserve",
        Reason.RESIGN: "resigned",
        Reason.REPETITION: "the same position for the third time",
    }.get(result.by, str(result.by))


def file_name(game: int) -> str:
    return f"{game_name(game).removeprefix('#')}.gipf"


def sheet(stored: Stored, record: Record, notation: Notation) -> str:
    """Return the message that comes with a record: its turns, as many as one message holds."""
    game, turns = stored.game, len(record.turns)
    names = " vs ".join(f"{texts.plain(seat.name)} ({colour})" for seat, colour in zip(game.seats, Colour, strict=True))
    ended = record.result or ("called off" if game.status is Status.ABORTED else "not finished")
    head = f"**{game_name(game.id)}** · {names} · {game.ruleset.name.capitalize()} · {counted(turns)}, {ended}"
    if not turns:
        return f"{head}\nNo turn has been played yet; the file says who plays."
    written = [turn_text(step.before, step.actions, notation) for step in record.turns]
    lines = [f"{at // 2 + 1}. {' '.join(written[at : at + 2])}" for at in range(0, turns, 2)]
    return f"{head}\n{_block(lines, turns, texts.WHOLE_LENGTH - len(head))}"


def _block(lines: list[str], turns: int, most: int) -> str:
    shown = len(lines)
    while True:
        left = turns - 2 * shown
        more = f"\n… and {counted(left)} more: the file has them all." if left > 0 else ""
        block = "\n".join(["```", *lines[:shown], f"```{more}"])
        if len(block) <= most or not shown:
            return block
        shown -= 1


def counted(turns: int) -> str:
    return f"{turns:,} turn" + ("" if turns == 1 else "s")


# ── Studies ──


def brief_name(brief: StudyBrief) -> str:
    """Return a study as a list names it."""
    return " · ".join((study_name(brief.id), *_what(brief.game, brief.names, brief.title)))


def _what(game: int | None, names: ByColor[str], title: str) -> list[str]:
    unnamed = names == (str(Colour.WHITE), str(Colour.BLACK))
    known = game_name(game) if game else title
    return [part for part in (known, "" if unnamed and known else " vs ".join(names)) if part]


def _plain(names: ByColor[str]) -> ByColor[str]:
    return texts.plain(names[0]), texts.plain(names[1])


def head(stored: StoredStudy) -> str:
    """Return the first line of a study."""
    study = stored.study
    what = _what(stored.game, _plain(study.names), texts.plain(stored.title))
    return " · ".join((f"**{study_name(study.id).capitalize()}**", *what, study.ruleset.name.capitalize()))


def last_text(game: Game, notation: Notation) -> str:
    """Return the last turn with its number; empty at the start."""
    last = game.last
    return f"{numbered(last.number)} {turn_text(last.before, last.actions, notation)}" if last else ""


def caption(stored: StoredStudy, game: Game, notation: Notation) -> str:
    name = study_name(stored.study.id).capitalize()
    return f"{name} · {last_text(game, notation) or 'the start'}"


def place(stored: StoredStudy, game: Game, notation: Notation) -> str:
    """Say where in its record a study stands, and what the record says there."""
    study, number = stored.study, game.number
    note, total = stored.note(number), len(study.turns)
    comment = texts.short(texts.plain(" ".join(note.comments)), COMMENT_LENGTH)
    where = f"The start, before {counted(total)}." if total else "No turn has been played yet."
    if game.last:
        turn = f"**{texts.code(last_text(game, notation))}{note.mark}**"
        where = f"Turn {number} of {total}: {turn} ({game.last.colour})"
    return texts.join(where, f"> {comment}" if comment else "", _end(stored, game))


def _end(stored: StoredStudy, game: Game) -> str:
    """Say how it ended, at the end of a record."""
    if game.number < len(stored.study.turns):
        return ""
    if game.position.result:
        return board_texts.outcome(board_of(game))
    if stored.result:
        return f"The record ends here: **{stored.result}**."
    return "This is the newest turn." if stored.game and game.number else ""


def tried(stored: StoredStudy, game: Game, notation: Notation, written: Sequence[str]) -> str:
    """Say which turns of his own somebody has tried, and who is to move; `written` are their texts."""
    study = stored.study
    since = f"after turn {study.place} of {len(study.turns)}" if study.place else "from the start"
    if not written:
        return f"Try a turn {since}: it does not become part of the record. It is {game.position.mover}'s."
    line = " ".join(f"{numbered(number)} {text}" for number, text in enumerate(written, study.place + 1))
    line = line if len(line) <= TRIED_LENGTH else f"…{line[1 - TRIED_LENGTH :]}"
    if game.position.result:
        return texts.join(f"Tried {since}: **{texts.code(line)}**", board_texts.outcome(board_of(game)))
    return f"Tried {since}: **{texts.code(line)}** · now {game.position.mover}"


def bad_place(text: str, total: int) -> str:
    """Say that there is no such turn in a record of so many turns."""
    said = texts.short(text.replace("`", " "), 20)
    last = numbered(total).replace("…", "b").rstrip(".") if total else "0"
    return (
        f"`{said}` is no turn of this record: it goes from `0`, the start, to `{last}`. `12` is White's, `12b` Black's."
    )


def stale_text(text: str) -> str:
    return texts.join(STALE, f"`{texts.short(text.replace('`', ' '))}` was not tried." if text else "")


def made_room(gone: StudyBrief | None, most: int) -> str:
    if gone is None:
        return ""
    name = brief_name(gone._replace(names=_plain(gone.names), title=texts.plain(gone.title)))
    return f"You can have {most} studies: {name}, untouched for longest, made room for this one."


# ── What an import reports ──


def unreadable(fault: NotationError) -> str:
    """Return why a text is no record."""
    at = "" if fault.at is None or "`" in fault.caret else f"\n```\n{fault.caret}\n```"
    return f"{texts.short(texts.plain(str(fault)), REPORT_LENGTH)}{at}\nNothing was imported."


def report(record: Record) -> str:
    """Return what has to be said about a record that was read: at which turn it stopped and why, and the warnings."""
    said = [texts.plain(str(record.broken))] if record.broken else []
    if record.broken and record.turns:
        said.append(f"The {counted(len(record.turns))} before it are kept.")
    warnings = [f"⚠ {texts.plain(warning)}" for warning in record.warnings]
    return texts.short(texts.join(*said, *warnings), REPORT_LENGTH)
