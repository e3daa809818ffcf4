"""Texts about the data that is stored about a person."""

from gipfbot.ui.kit.texts import join_lines

DELETE_LABEL, KEEP_LABEL = "Delete everything", "Keep my data"
NOTHING_STORED = "Nothing is stored about you."
DATA_KEPT = "Nothing was deleted."
DELETION_RUNS = "Your data is already being deleted. Nothing more to do."
DELETION_BEGUN = "Your data is being deleted. You needn't wait."
DELETED = "Done: your data is deleted. If you play again, you begin anew."


def export_text(number: int, files: int) -> str:
    """Return the text beside a file with a person's data, of which there may be several."""
    part = f"Part {number} of {files}." if files > 1 else ""
    return join_lines("All that is stored about you, as JSON. Only you see this.", part)


def confirm_deletion_text(running: int) -> str:
    """Return what deleting a person's data does. `running` is how many games they are playing."""
    games = "your running game" if running == 1 else f"your {running} running games"
    resigned = f"• You resign {games}. Rated ones count."
    return join_lines(
        "**Delete all your data?** This can't be undone.",
        resigned if running else "",
        "• Your open challenges are closed.",
        "• Your settings, reminders, vacations, notes, conditional turns, studies, follows, guesses and blocks go.",
        "• Your finished games stay with your opponents. In them you become “a former player”.",
        "• Your other results stay with that player, so they change nobody's rating.",
        "• Messages that were posted before stay in their channels.",
        "**/gipf-me privacy export** gives you a copy first.",
    )
