"""`/gipf-learn tutorial`: four lessons on the desk. The learner plays one turn in each, with buttons.

The `custom_id`s hold the lesson and the unfinished turn, and the game or challenge that the learner came from: a button
leads back to it. A person's settings hold the lesson that they have reached.
"""

from dataclasses import replace

from gipfbot.languages import say
from gipfbot.match import Game
from gipfbot.match.study import Study, perform_in_study, study_game
from gipfbot.notation import action_code, parse_action_code
from gipfbot.service.kit.loaded_games import game_name
from gipfbot.ui.desk.screens import NO_FOCUS, Focus, desk_actions, desk_focus, desk_screen, marked_picture
from gipfbot.ui.kit import Button, Interaction, Reply, answers_privately, handles, join_lines, show_reply, slash_command
from gipfbot.ui.kit.components import parse_sent_number, with_note_above
from gipfbot.ui.kit.respond import tell_privately, user_settings_of
from gipfbot.ui.kit.slash_commands import mention_commands
from gipfbot.ui.kit.texts import RULES_LABEL, UNKNOWN_BUTTON
from gipfbot.ui.lobby.play_bot import play_bot_button

from . import lessons
from .lessons import LESSONS, lesson_study
from .play_on import play_on_lesson, practice_game_button

ORIGIN = "{origin:(?:(?:game|challenge)[0-9]+)?}"  # where the learner came from, such as game7; may be empty
LESSON_SETTING = "lesson"  # the number of the lesson that a person has reached, from 0; how many there are at the end


@slash_command("gipf-learn tutorial", 10, "Learn to play in twelve presses: push, make a row, decide, win")
@answers_privately
async def tutorial_command(interaction: Interaction) -> None:
    """Show the lesson that the person has reached."""
    await _show_lesson_reached(interaction)


@handles("open_tutorial", ORIGIN, Reply.APART)
async def press_open_tutorial(interaction: Interaction, origin: str) -> None:
    """Show the lesson that the person has reached, privately below the message that was pressed."""
    await _show_lesson_reached(interaction, origin)


async def _show_lesson_reached(interaction: Interaction, origin: str = "") -> None:
    reached = (await user_settings_of(interaction)).get(LESSON_SETTING, 0)
    if reached == len(LESSONS):
        await _show_lessons(interaction, origin)
        return
    number = reached if reached in range(len(LESSONS)) else 0
    over = (_start_over_button(origin),) if number else ()
    await _show_lesson(interaction, number, lesson_study(LESSONS[number]), origin, beside=over)


async def _show_lessons(interaction: Interaction, origin: str) -> None:
    """Show the list of lessons to somebody who has finished them."""
    again = tuple(
        Button(lessons.lesson_label(number), _lesson_id(number, origin), is_custom_id=True)
        for number in range(len(LESSONS))
    )
    await show_reply(
        interaction, say(lessons.LESSONS_AGAIN_TEXT), rows=(again, (*_back_buttons(origin), _rules_button()))
    )


def _lesson_id(number: int, origin: str) -> str:
    return f"tutorial:{number}{origin}::show:-"


def _start_over_button(origin: str) -> Button:
    return Button(say(lessons.START_OVER_LABEL), _lesson_id(0, origin), is_custom_id=True)


def _rules_button() -> Button:
    return Button(say(RULES_LABEL), "open_rules", is_custom_id=True)


def _back_buttons(origin: str) -> tuple[Button, ...]:
    """Return the button back to the game or challenge that the learner came from. Raises Malformed for a bad number."""
    number = parse_sent_number(origin.removeprefix("game").removeprefix("challenge")) if origin else 0
    if origin.startswith("game"):
        label = say("Back to {game}", game=game_name(number))
        return (Button(label, f"more:{number}::", is_custom_id=True),)
    challenge = Button(say("Back to the challenge"), f"challenge_card:{number}", is_custom_id=True)
    return (challenge,) if origin else ()


@handles("tutorial", f"{{number}}{ORIGIN}:{{draft:[a-z0-9]*}}:{{verb:[a-z]+}}:{{what:.*}}")
async def press_tutorial(interaction: Interaction, number: int, origin: str, draft: str, verb: str, what: str) -> None:
    """Play the pressed part of a turn, or show what was chosen. A button that fits no lesson is out of date."""
    study = _pressed_study(number, draft)
    asked = study_game(study).question if study else None
    if study is None or asked is None:
        await tell_privately(interaction, say(UNKNOWN_BUTTON))
    elif actions := desk_actions(study_game(study), asked, verb, what):
        await _show_played(interaction, number, perform_in_study(study, actions), origin)
    else:
        await _show_lesson(interaction, number, study, origin, desk_focus(verb, what))


def _pressed_study(number: int, draft: str) -> Study | None:
    """Return the board that a button belongs to. None if its lesson or its unfinished turn does not exist."""
    if number >= len(LESSONS):
        return None
    study = lesson_study(LESSONS[number])
    if not draft:
        return study
    try:
        begun = perform_in_study(study, (parse_action_code(draft),))
    except ValueError:  # the code cannot be read, or its action is not legal
        return None
    return begun if begun.draft else None


async def _show_lesson(
    interaction: Interaction,
    number: int,
    study: Study,
    origin: str,
    focus: Focus = NO_FOCUS,
    *,
    learned: str = "",
    missed: str = "",
    beside: tuple[Button, ...] = (),
) -> None:
    """Show a lesson: the desk, with what it is about and the task below the picture, as a phone shows the end.

    `learned` is the end of the lesson before; `missed` says why the turn before was wrong. Both may be empty. `beside`
    are more buttons, below those of the desk.
    """
    desk = desk_screen(study_game(study), focus)
    draft = "".join(map(action_code, study.draft))
    text = lessons.lesson_text(number, desk.text if draft or focus.dot else "", learned, missed)
    rows = with_note_above(text, (*desk.rows, (*beside, _rules_button(), *_back_buttons(origin))))
    await show_reply(interaction, "", desk.picture, rows, f"tutorial:{number}{origin}:{draft}:")


async def _show_played(interaction: Interaction, number: int, study: Study, origin: str) -> None:
    """Show what follows the learner's actions: the rest of the turn, the next lesson, or the same lesson again."""
    game, lesson = study_game(study), LESSONS[number]
    if study.draft or game.last is None:
        await _show_lesson(interaction, number, study, origin)
    elif learned := lesson.answers.get(game.last.text):
        await _show_learned(interaction, number, game, say(learned), origin)
    else:
        missed = say(lesson.misses.get(game.last.text, lesson.again))
        await _show_lesson(interaction, number, lesson_study(lesson), origin, missed=missed)


async def _show_learned(interaction: Interaction, number: int, game: Game, learned: str, origin: str) -> None:
    """Show what a right turn taught. If the next lesson is played on the same board, go on to it at once."""
    following = number + 1
    await _note_lesson(interaction, following)
    if following == len(LESSONS):
        await _show_end(interaction, game, learned, origin)
    elif LESSONS[following].played:
        await _show_lesson(interaction, following, lesson_study(LESSONS[following]), origin, learned=learned)
    else:
        go_on = Button(say(lessons.NEXT_LESSON_LABEL), _lesson_id(following, origin), "primary")
        on = play_on_lesson(number, game.last.text) if game.last else ()
        rows = with_note_above(learned, ((go_on, *on, _rules_button(), *_back_buttons(origin)),))
        await show_reply(interaction, "", marked_picture(game, ""), rows)


async def _note_lesson(interaction: Interaction, number: int) -> None:
    """Save which lesson a person has reached. Their settings are read first, because saving ends the snapshot."""
    await user_settings_of(interaction)
    await interaction.client.app.users.change(interaction.user.id, {LESSON_SETTING: number})


async def _show_end(interaction: Interaction, game: Game, learned: str, origin: str) -> None:
    """Show the end of the last lesson. It leads back to where the learner came from; else to a first game."""
    played = () if origin else (practice_game_button(), play_bot_button())
    said = join_lines(learned, say(lessons.FINISHED_TEXT), "" if origin else say(lessons.PLAY_NEXT_TEXT))
    text = mention_commands(said, interaction.client.command_ids)
    back = tuple(replace(button, style="primary") for button in _back_buttons(origin))
    rows = with_note_above(text, ((*back, *played, _rules_button(), _start_over_button(origin)),))
    await show_reply(interaction, "", marked_picture(game, ""), rows)
