"""The texts of the import form, and the reports on imported records."""

from gipfbot.notation import LARGEST_RECORD, MOST_TURNS, NotationError, OpenTurn, Record
from gipfbot.notation.errors import excerpt
from gipfbot.ui.kit.refusal_texts import error_sentence, warning_lines
from gipfbot.ui.kit.texts import drop_rule_numbers, escape_sentence, escape_text, join_lines, shorten_text, turn_place

IMPORT_TITLE, TRY_AGAIN_LABEL = "Import a record", "Try again"
RECORD_SIZE_LIMIT = f"{LARGEST_RECORD // 1024} KiB"
FILE_FIELD, FILE_HINT = "A file", f"A .gipf file or any text in UTF-8, up to {RECORD_SIZE_LIMIT}"
TEXT_FIELD, TEXT_HINT = "Or the record as text", "Tournament 1. Ge8 Gd8-f7 2. Ge9-e7 …"
REPORT_LENGTH, FAULT_LENGTH = 400, 600

NO_FILE_NOR_TEXT = "Nothing to import. Attach a file or paste a record."
FILE_AND_TEXT_DIFFER = (
    "The file and the text differ, so nothing was imported. Use **/gipf import** again with one of them."
)
PASTED_TEXT_RETURNED = "Your text is in the file below, for another try."
FILE_TOO_BIG = (
    f"That file is larger than {RECORD_SIZE_LIMIT}, so nothing was imported. "
    f"A record of {MOST_TURNS // 2:,} turns is smaller than that."
)
FILE_EMPTY = "That file is empty, so nothing was imported."
NOT_UTF8 = "That file is not text in UTF-8, so nothing was imported. Save it as plain text in UTF-8 and try again."
NOT_FETCHED = "Discord did not hand over your file, so nothing was imported. Try again, or paste the record as text."
NO_TURNS_TO_STUDY = f"No turns were found, so nothing was imported. A record looks like `{TEXT_HINT}`."
NOTHING_IMPORTED = "Nothing was imported."
MAY_BE_CUT = "Your text is as long as the field allows. If it was cut off, import it as a file."


def unreadable_record_text(fault: NotationError) -> str:
    """Return the reason why a text cannot be read as a record. The fault is marked if its place is known."""
    at = "" if fault.at is None or "`" in fault.caret else f"\n```\n{fault.caret}\n```"
    return f"{shorten_text(escape_text(drop_rule_numbers(fault)), REPORT_LENGTH)}{at}\n{NOTHING_IMPORTED}"


def import_report_text(record: Record) -> str:
    """Return the warnings about an imported record. If the record breaks, also say up to which turn it was imported.

    A record breaks at its first turn that cannot be played; `broken_record_text` says where. Empty if there is nothing
    to report.
    """
    kept = f"Imported up to {_last_place(record)}: there the record breaks." if record.broken else ""
    return shorten_text(join_lines(kept, warning_lines(record.warnings)), REPORT_LENGTH)


def _last_place(record: Record) -> str:
    return turn_place(record.turns[-1].turn_number) if record.turns else "the start"


def broken_record_text(record: Record) -> str:
    """Return where and why a record breaks, and suggested turns. Empty if the record does not break.

    Suggestions are left out if the text gets longer than FAULT_LENGTH. Turns are quoted as code, for copying.
    """
    broken = record.broken
    if broken is None:
        return ""
    where = f"{_quote_turn(broken.fault.text)}, in the place of turn **{turn_place(broken.turn_number)}**"
    said = f"The record stops at {where}. {shorten_text(_broken_turn_reason(broken.fault), FAULT_LENGTH // 2)}"
    more = []
    if broken.repair:
        number, text, instead = broken.repair
        what = f"**{turn_place(number)}** {_quote_turn(text)} with {_quote_turn(instead)}"
        more.append(f"If you replace {what}, the rest can be read.")
    if broken.similar:
        more.append(f"Legal turns like it: {', '.join(map(_quote_turn, broken.similar))}.")
    for sentence in more:
        said = f"{said} {sentence}" if len(said) + len(sentence) < FAULT_LENGTH else said
    return said


def _broken_turn_reason(fault: NotationError) -> str:
    if isinstance(fault, OpenTurn):
        write = "Write one of" if len(fault.choices) > 1 else "Write"
        return f"{escape_sentence(fault.why)}. {write}: {', '.join(map(_quote_turn, fault.choices))}."
    return error_sentence(fault)


def _quote_turn(text: str) -> str:
    return f"`{excerpt(text.replace('`', ' '))}`"
