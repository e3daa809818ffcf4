"""The button **Practise from here** of the tutorial and the rules: continue from the position shown, against the bot.

It opens a practice in a new private message. The `custom_id`s hold the step of the page, or the lesson and its answer.
"""

from gipfbot.languages import mark, say
from gipfbot.match import Refused
from gipfbot.match.study import Study, begin_practice, study_game
from gipfbot.notation import parse_turn
from gipfbot.rules import BASIC, start
from gipfbot.ui.kit import Button, Interaction, Reply, handles
from gipfbot.ui.kit.respond import tell_privately, user_settings_of
from gipfbot.ui.kit.texts import UNKNOWN_BUTTON
from gipfbot.ui.records.practice import show_practice

from .lessons import LESSONS, lesson_study
from .rule_topics import all_topics
from .topics import TopicStep, topic_steps

PLAY_ON_LABEL, WHOLE_GAME_LABEL = mark("Practise from here"), mark("Play a practice game")
WHOLE_GAME_TITLE = mark("A whole game")
LESSON_LEVEL, PAGE_LEVEL = 1, 2  # levels of the bot


def play_on_step(name: str, number: int, step: TopicStep) -> tuple[Button, ...]:
    """Return the button to play on from a step of a page. Empty if the game is over there."""
    return (Button(say(PLAY_ON_LABEL), f"play_on:{name}:{number}"),) if _practice_of_step(step) else ()


def play_on_lesson(number: int, answer: str) -> tuple[Button, ...]:
    """Return the button to play on after the right turn of a lesson. Empty if that turn ends the game."""
    which = [*LESSONS[number].answers].index(answer)
    button = Button(say(PLAY_ON_LABEL), f"play_on_lesson:{number}:{which}")
    return (button,) if _practice_of_lesson(number, which) else ()


def practice_game_button() -> Button:
    """Return the button that begins a practice of a whole game."""
    return Button(say(WHOLE_GAME_LABEL), "practice_game:", "primary")


def _practice_of_step(step: TopicStep) -> Study | None:
    """Return the practice that starts at a step of a page; None if the game is over there."""
    try:
        return begin_practice(step.before, step.played)
    except Refused:
        return None


def _practice_of_lesson(number: int, answer: int) -> Study | None:
    """Return the practice after a right turn of a lesson; None if the game is over, or if there is no such turn."""
    if number >= len(LESSONS) or answer >= len(LESSONS[number].answers):
        return None
    position = study_game(lesson_study(LESSONS[number])).position
    turn = parse_turn(position, [*LESSONS[number].answers][answer])
    try:
        return begin_practice(position, tuple(turn), own_turn=True)
    except Refused:
        return None


@handles("play_on", "{name:[a-z0-9-]+}:{step}", Reply.APART)
async def press_play_on(interaction: Interaction, name: str, step: int) -> None:
    """Begin a practice at a step of a page."""
    topic = all_topics().get(name)
    steps = topic_steps(topic) if topic else []
    practice = _practice_of_step(steps[step]) if step < len(steps) else None
    await _begin(interaction, topic.title if topic else "", practice, PAGE_LEVEL)


@handles("play_on_lesson", "{number}:{answer}", Reply.APART)
async def press_play_on_lesson(interaction: Interaction, number: int, answer: int) -> None:
    """Begin a practice after a lesson. The bot answers the learner's turn."""
    practice = _practice_of_lesson(number, answer)
    await _begin(interaction, LESSONS[number].title if practice else "", practice, LESSON_LEVEL)


@handles("practice_game", "", Reply.APART)
async def press_practice_game(interaction: Interaction) -> None:
    """Begin a practice of a whole game, for those who have finished the tutorial."""
    await _begin(interaction, WHOLE_GAME_TITLE, begin_practice(start(BASIC)), LESSON_LEVEL)


async def _begin(interaction: Interaction, title: str, practice: Study | None, level: int) -> None:
    """Begin a practice and show it. If `practice` is None, answer that the button is out of date.

    Its title is stored as it is marked, and said whenever it is shown.
    """
    if practice is None:
        await tell_privately(interaction, say(UNKNOWN_BUTTON))
        return
    await user_settings_of(interaction)  # read first, because saving ends the snapshot
    practices = interaction.client.app.practices
    await show_practice(interaction, await practices.begin(interaction.user.id, title, practice, level))
