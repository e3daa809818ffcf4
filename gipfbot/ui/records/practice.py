"""A practice on the desk: the person plays a turn by buttons, and the bot answers it.

The database stores the turns. The `custom_id`s store what the person has selected, as in a study.
"""

from collections.abc import Callable

from gipfbot.languages import say
from gipfbot.match import Game, Refused, Why
from gipfbot.match.study import (
    Study,
    bot_decides,
    drop_tried,
    practice_colour,
    study_game,
    take_back_own,
)
from gipfbot.ui.desk.screens import (
    BACK_ONE_TURN_LABEL,
    NO_FOCUS,
    Focus,
    Screen,
    buttons_beside,
    desk_focus,
    desk_screen,
    marked_picture,
    pressed_step,
    replay_study_aside,
)
from gipfbot.ui.kit import Button, Interaction, handles, join_lines, refusal_texts, show_reply
from gipfbot.ui.kit.components import with_note_above
from gipfbot.ui.kit.respond import user_settings_of
from gipfbot.ui.kit.slash_commands import mention_commands
from gipfbot.values import StoredStudy

from . import study_texts

# The actions of the other buttons of a practice, by verb.
PRACTICE_STEPS: dict[str, Callable[[Study], Study]] = {"undo": take_back_own, "again": drop_tried}


@handles("practice", "{study}:{version}:{verb:[a-z]+}:{what:.*}")
async def press_practice(interaction: Interaction, study: int, version: int, verb: str, what: str) -> None:
    """Play the pressed part of a turn, or step back. An outdated button only shows the practice as it is."""
    stored = await interaction.client.app.practices.practice(study, interaction.user.id)
    await replay_study_aside(interaction, stored.study)
    if stored.study.version != version:
        await show_practice(interaction, stored, note=say(study_texts.PRACTICE_MOVED_ON))
    elif change := PRACTICE_STEPS.get(verb) or _own_step(stored.study, verb, what):
        await user_settings_of(interaction)  # read first, because saving ends the snapshot
        changed = await interaction.client.app.studies.change(study, interaction.user.id, version, change)
        await show_practice(interaction, changed)
    else:
        await show_practice(interaction, stored, desk_focus(verb, what))


def _own_step(study: Study, verb: str, what: str) -> Callable[[Study], Study] | None:
    """Return a function that plays the pressed part. None if it plays nothing, or if the person is not to decide."""
    return None if bot_decides(study) else pressed_step(study, verb, what)


async def show_practice(interaction: Interaction, stored: StoredStudy, focus: Focus = NO_FOCUS, note: str = "") -> None:
    """Show a practice. If the bot has to decide, show the person's turn first, then let the bot answer.

    If the bot must not answer yet, say so, with a button to ask again.
    """
    await replay_study_aside(interaction, stored.study)
    if bot_decides(stored.study):
        await _show(interaction, stored, focus, note)
        try:
            answer = await interaction.client.app.practices.answer(stored)
        except Refused as refusal:
            if refusal.why is not Why.ANSWERS_OWN_GAME:
                raise
            await _show(interaction, stored, focus, note, refusal_texts.refusal_text(refusal))
            return
        stored, note = answer.stored, say(study_texts.BY_RULES) if answer.by_rules else note
        await replay_study_aside(interaction, stored.study)
    await _show(interaction, stored, focus, note)


async def _show(interaction: Interaction, stored: StoredStudy, focus: Focus, note: str, refusal: str = "") -> None:
    study = stored.study
    screen = _screen(stored, study_game(study), focus, refusal)
    played = study_texts.last_turns_text(stored) or say(study_texts.PRACTICE_BEGINS)
    text = join_lines(study_texts.practice_heading(stored), played, screen.text)
    text = mention_commands(text, interaction.client.command_ids)
    rows = with_note_above(note, screen.rows)
    prefix = f"practice:{study.id}:{study.version}:"
    await show_reply(interaction, text, screen.picture, rows, prefix, colour=practice_colour(study))


def _screen(stored: StoredStudy, game: Game, focus: Focus, refusal: str) -> Screen:
    """Return the desk of the person, or the board while the bot thinks and at the end.

    `refusal` is why the bot does not answer; empty if it does.
    """
    study = stored.study
    back = (Button(say(BACK_ONE_TURN_LABEL), "undo:-"),) if study.trying else ()
    again = (Button(say(study_texts.START_OVER_LABEL), "again:-"),) if study.trying else ()
    if bot_decides(study):
        ask = (Button(say(study_texts.ASK_AGAIN_LABEL), "ask:-", "primary"),) if refusal else ()
        return Screen(refusal or say(study_texts.BOT_THINKS), marked_picture(game, ""), ((*ask, *back),))
    if game.question is None:
        return Screen(study_texts.practice_end_text(stored), marked_picture(game, ""), ((*again, *back),))
    desk = desk_screen(game, focus)
    beside = (*again, *back)[-buttons_beside(desk.rows, focus) :]
    return Screen(desk.text, desk.picture, (*desk.rows, *((beside,) if beside else ())))
