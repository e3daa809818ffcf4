"""The texts around the lessons of the tutorial."""

from gipfbot.ui.kit.texts import join_lines

from .lessons import LESSONS

NEXT_LESSON_LABEL, START_OVER_LABEL, RULES_LABEL = "Next", "Start over", "The rules"
FINISHED_TEXT = """\
That's all you need to begin. A game also ends when a player has no piece left to push.
Practise against the bot, or find an opponent with **/gipf challenge**."""


def lesson_text(number: int, asked: str, learned: str = "") -> str:
    """Return the text of a lesson.

    `asked` is the desk's question; empty as long as nothing is chosen. `learned` is the end of the lesson before.
    """
    lesson = LESSONS[number]
    title = f"**Tutorial {number + 1} of {len(LESSONS)} · {lesson.title}**"
    return join_lines(learned, title, asked or lesson.text)
