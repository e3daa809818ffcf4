"""What an import asks for, and what it reports."""

from gipfbot.notation import LARGEST_RECORD, MOST_TURNS, NotationError, OpenTurn, Record, turn_number_text
from gipfbot.notation.errors import excerpt
from gipfbot.ui.kit import notation_error_texts, text_parts
from gipfbot.ui.records.export_texts import turn_count_text

IMPORT_TITLE = "Import a record"


RECORD_SIZE_LIMIT = f"{LARGEST_RECORD // 1024} KiB"


FILE_FIELD, FILE_HINT = "A file", f"A .gipf file or any text in UTF-8, up to {RECORD_SIZE_LIMIT}"


TEXT_FIELD, TEXT_HINT = "Or the record as text", "Tournament 1. Ge8 Gd8-f7 2. Ge9-e7 …"


REPORT_LENGTH, FAULT_LENGTH = 400, 600


NO_FILE_NOR_TEXT = (
    "There was neither a file nor a text, so nothing was imported. Use **/gipf import** again and give one of them."
)


FILE_AND_TEXT_DIFFER = (
    "There was a file and a text, and they differ: I cannot tell which one you mean. "
    "Use **/gipf import** again with one of them."
)


PASTED_TEXT_RETURNED = "The text that you pasted is in the file below, so that you have it for another try."


FILE_TOO_BIG = f"That file is larger than {RECORD_SIZE_LIMIT}, so I did not read it. A record of {MOST_TURNS:,} turns has room in that."


FILE_EMPTY = "That file is empty, so nothing was imported."


NOT_UTF8 = "That file is no text in UTF-8, so nothing was imported. Save it as plain text in UTF-8 and try again."


NOT_FETCHED = "Discord did not hand me your file, so nothing was imported. Try again, or paste the record as text."


NO_TURNS_TO_STUDY = f"No turns stand in that, so there is nothing to study. A record looks like `{TEXT_HINT}`."


NOTHING_IMPORTED = "Nothing was imported."


MAY_BE_CUT = "Your text is as long as the field allows. If it was cut off, import it as a file."


def unreadable_record_text(fault: NotationError) -> str:
    """Return why a text is no record."""
    at = "" if fault.at is None or "`" in fault.caret else f"\n```\n{fault.caret}\n```"
    return f"{text_parts.shorten_text(text_parts.escape_text(str(fault)), REPORT_LENGTH)}{at}\n{NOTHING_IMPORTED}"


def import_report_text(record: Record) -> str:
    """Return what has to be said about a record of which turns were kept, besides where it breaks."""
    kept = f"Imported: {turn_count_text(len(record.turns))}, up to where the record breaks." if record.broken else ""
    warnings = [f"⚠ {text_parts.escape_text(warning)}" for warning in record.warnings]
    return text_parts.shorten_text(text_parts.join_lines(kept, *warnings), REPORT_LENGTH)


def broken_record_text(record: Record) -> str:
    """Return where a record breaks, why, and what may have been meant, as far as there is room; empty if it does not.

    All turns that it quotes can be copied.
    """
    fault = record.broken
    if fault is None:
        return ""
    said = f"The record stops at **{turn_number_text(fault.turn_number)}** {_quote_turn(fault.fault.text)} ({record.end.mover}): "
    said += text_parts.shorten_text(_broken_turn_reason(fault.fault), FAULT_LENGTH // 2)
    more = []
    if fault.repair:
        number, text, instead = fault.repair
        more.append(
            f"Replacing **{turn_number_text(number)}** {_quote_turn(text)} by {_quote_turn(instead)} makes the rest fit."
        )
    if fault.similar:
        more.append(f"Legal turns like it: {', '.join(map(_quote_turn, fault.similar))}.")
    for sentence in more:
        said = f"{said} {sentence}" if len(said) + len(sentence) < FAULT_LENGTH else said
    return said


def _broken_turn_reason(fault: NotationError) -> str:
    if isinstance(fault, OpenTurn):
        return f"{text_parts.escape_sentence(fault.why)}. Write one of: {', '.join(map(_quote_turn, fault.choices))}."
    return notation_error_texts.error_sentence(fault)


def _quote_turn(text: str) -> str:
    return f"`{excerpt(text.replace('`', ' '))}`"
