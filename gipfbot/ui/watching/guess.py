"""The button **Guess**: a spectator privately guesses the next turn of a game, until it is played.

They press it on the desk of its player, or type it. What is half made is a hidden study.
"""

from collections.abc import Mapping
from dataclasses import replace

from gipfbot.languages import say
from gipfbot.match import Game, Refused, Why
from gipfbot.match.guess import check_may_guess, pressed_guess, read_guess
from gipfbot.match.study import Study, begins_in, drop_tried, study_game
from gipfbot.notation import Notation, NotationError, bare_dot_pushes
from gipfbot.ui.desk.desk_texts import START_OVER_LABEL, other_reader, press_turn_text
from gipfbot.ui.desk.screens import (
    GONE_ON,
    NO_FOCUS,
    START_OVER_VERB,
    TYPE_IT_LABEL,
    Focus,
    buttons_beside,
    desk_focus,
    desk_screen,
    pressed_step,
)
from gipfbot.ui.kit import (
    Button,
    Interaction,
    Reply,
    escape_text,
    handles,
    join_lines,
    notation_of,
    show_reply,
    visibility,
)
from gipfbot.ui.kit.components import build_form, form_answers, text_field, with_note_above
from gipfbot.ui.kit.moments import last_played_text, moved_on_text
from gipfbot.ui.kit.refusal_texts import refusal_text, turn_error_text
from gipfbot.ui.kit.request_log import note_refusal
from gipfbot.ui.kit.respond import read_aside
from gipfbot.ui.kit.texts import you_wrote_text
from gipfbot.values import Guess, GuessScore, HiddenUse, StoredGame, StoredStudy

from . import watching_texts

LONGEST_GUESS = 200  # characters


async def guesses_shown(interaction: Interaction, game: Game) -> dict[int, Guess]:
    """Return a spectator's guesses of the last and the current turn, by turn serial. Empty for players."""
    user, serial = interaction.user.id, game.turn_serial
    if game.colour_of(user) is not None:
        return {}
    return await interaction.client.app.guesses.guesses_of(user, game.id, serial - 1, serial)


def guess_button(game: Game, known: Mapping[int, Guess]) -> tuple[Button, ...]:
    """Return the button with which a spectator guesses the next turn, on the desk.

    Empty for ended games, and while the bot is to move: it plays within seconds.
    """
    label = say(watching_texts.GUESS_AGAIN_LABEL) if game.turn_serial in known else say(watching_texts.GUESS_LABEL)
    return (
        () if game.asked is None or game.house_decides else (Button(label, f"guess_turn:{game.id}:{game.turn_serial}"),)
    )


def _type_guess_button(game: Game, label: str) -> Button:
    return Button(label, f"guess:{game.id}:{game.turn_serial}", is_custom_id=True)


def guess_note(game: Game, known: Mapping[int, Guess], notation: Notation) -> str:
    """Return the lines on the person's guesses of the last and the current turn. Empty if there are none."""
    last, due = known.get(game.turn_serial - 1), known.get(game.turn_serial)
    return join_lines(
        watching_texts.scored_guess_text(game, last, notation) if last else "",
        watching_texts.open_guess_text(game, due, notation) if due and game.asked is not None else "",
    )


# ── On the desk ──


@handles("guess_turn", "{game}{at:(?::[0-9]+)?}", Reply.APART)
async def press_guess_turn(interaction: Interaction, game: int, at: str) -> None:
    """Open the desk of a guess. If another turn is due by now than that `at` which the button was posted, say so.

    The message that was pressed stays. A button of an older version names no turn: the guess is of the present one.
    """
    stored = await interaction.client.app.games.game(game)
    note = "" if at in ("", f":{stored.game.turn_serial}") else await _next_guess_note(interaction, stored.game)
    await _open_desk(interaction, stored, note)


async def _next_guess_note(interaction: Interaction, game: Game) -> str:
    """Return which turn is due now and what was played, with the person's guesses of these turns."""
    notation, known = await notation_of(interaction), await guesses_shown(interaction, game)
    said = moved_on_text(watching_texts.next_guess_text(game), game, notation)
    return join_lines(said, guess_note(game, known, notation))


async def _open_desk(interaction: Interaction, stored: StoredGame, note: str = "") -> None:
    """Show the desk of a guess, if the person sees the game. Raises Refused if they may not guess."""
    if reason := await visibility.why_game_hidden(interaction, stored):
        await show_reply(interaction, reason)
        return
    user = interaction.user.id
    check_may_guess(stored.game, user)
    await notation_of(interaction)  # read first, because saving ends the snapshot
    half = await interaction.client.app.studies.begin_hidden(stored.game, user, HiddenUse.GUESS)
    await _show_desk(interaction, stored.game, half, note=note)


@handles("guess_desk", "{study}:{version}:{verb:[a-z]+}:{what:.*}")
async def press_guess_desk(interaction: Interaction, study: int, version: int, verb: str, what: str) -> None:
    """Enter the pressed part of a guess, and save it once it is whole. If the turn was played, show the next one."""
    app, user = interaction.client.app, interaction.user.id
    half = await app.studies.hidden_study(study, user, HiddenUse.GUESS)
    if half is None or half.game is None:
        await show_reply(interaction, say(watching_texts.GUESS_GONE))
        return
    stored = await app.games.game(half.game)
    if stored.game.asked is None or not begins_in(half.study, stored.game.position):
        await _show_too_late(interaction, stored)
    elif reason := await visibility.why_game_hidden(interaction, stored):
        await show_reply(interaction, reason)
    elif half.study.version != version:
        await _show_desk(interaction, stored.game, half, note=say(GONE_ON))
    else:
        await _enter_pressed(interaction, stored.game, half, verb, what)


async def _enter_pressed(interaction: Interaction, game: Game, half: StoredStudy, verb: str, what: str) -> None:
    study, user, app = half.study, interaction.user.id, interaction.client.app
    step = drop_tried if verb == START_OVER_VERB else pressed_step(study, verb, what)
    if step is None:
        await _show_desk(interaction, game, half, desk_focus(verb, what))
        return
    await notation_of(interaction)
    score = await app.guesses.score(user)
    whole = replace(half, study=step(study))
    if pressed_guess(whole.study):
        await _show_saved(interaction, *await app.guesses.guess_pressed(whole), score)
    else:
        await _show_desk(interaction, game, await app.studies.change(study.id, user, study.version, step))


async def _show_too_late(interaction: Interaction, stored: StoredGame) -> None:
    """Say that the turn was played before the guess was whole. The desk asks for the next one, if there is one."""
    said = moved_on_text(say(watching_texts.GUESS_NOT_WHOLE), stored.game, await notation_of(interaction))
    if stored.game.asked is None:
        await show_reply(interaction, said)
    else:
        await _open_desk(interaction, stored, said)


async def _show_desk(
    interaction: Interaction, game: Game, half: StoredStudy, focus: Focus = NO_FOCUS, note: str = ""
) -> None:
    """Show the desk of a guess, as the player of the turn would see it."""
    study = half.study
    shown = replace(study_game(study), last=game.last)
    mover, other = (escape_text(game.seats[colour].name) for colour in (shown.decider, shown.decider.other))
    task = watching_texts.guess_task(game.seats[shown.decider].name)
    desk = desk_screen(shown, focus, other_reader(mover, other, task))
    text = join_lines(watching_texts.guess_desk_text(game, press_turn_text(shown.question)), desk.text)
    beside = _buttons_below(game, study)[-buttons_beside(desk.rows, focus) :]
    prefix = f"guess_desk:{study.id}:{study.version}:"
    await show_reply(interaction, text, desk.picture, with_note_above(note, (*desk.rows, beside)), prefix)


def _buttons_below(game: Game, study: Study) -> tuple[Button, ...]:
    if study.draft:
        return (Button(say(START_OVER_LABEL), f"{START_OVER_VERB}:-"),)
    return (_type_guess_button(game, say(TYPE_IT_LABEL)),)


async def _show_saved(interaction: Interaction, stored: StoredGame, guess: Guess, score: GuessScore) -> None:
    """Confirm a guess. `score` is how well the person has guessed so far."""
    notation, again = await notation_of(interaction), guess_button(stored.game, {guess.turn_serial: guess})
    text = watching_texts.guess_saved_text(stored.game, guess, score, notation)
    await show_reply(interaction, text, rows=(again,) if again else ())


# ── Typed ──


@handles("guess", "{game}:{turn_serial}", Reply.FORM)
async def press_guess(interaction: Interaction, game: int, turn_serial: int) -> None:
    """Open the form for a guess, filled with the text that was not saved last."""
    kept = interaction.client.kept_texts.find(interaction.user.id, f"guess:{game}:{turn_serial}")
    hint = say(watching_texts.GUESS_HINT)
    field = text_field("text", say(watching_texts.GUESS_FIELD), hint, max_length=LONGEST_GUESS, default=kept)
    form = build_form(watching_texts.guess_title(game), f"guess_form:{game}:{turn_serial}", field)
    await interaction.response.send_modal(form)


@handles("guess_form", "{game}:{turn_serial}:.*", Reply.APART)
async def submit_guess(interaction: Interaction, game: int, turn_serial: int) -> None:
    """Save a guess from a submitted form, if the person sees the game and the turn has not been played.

    Otherwise hand the text back.
    """
    app, user, text = interaction.client.app, interaction.user.id, form_answers(interaction)["text"].strip()
    seen = await app.games.game(game)
    if reason := await visibility.why_game_hidden(interaction, seen):
        await show_reply(interaction, reason)
        return
    notation, score = await notation_of(interaction), await app.guesses.score(user)
    pushes = bare_dot_pushes(seen.game.position, text, notation) if seen.game.turn_serial == turn_serial else ()
    if len(pushes) > 1:
        await _hand_back(interaction, seen.game, watching_texts.two_pushes_text(seen.game.position, pushes), text)
        return
    await read_aside(interaction, read_guess, seen.game, user, text, notation)
    try:
        stored, guess = await app.guesses.guess(user, game, turn_serial, text, notation)
    except NotationError as fault:
        note_refusal(interaction, fault)
        await _hand_back(interaction, seen.game, turn_error_text(fault, "guessed"), text)
    except Refused as refusal:
        if refusal.why is not Why.GUESS_TOO_LATE:
            raise
        note_refusal(interaction, refusal)
        now = (await app.games.game(game)).game
        played = last_played_text(now, notation)
        said = join_lines(played, refusal_text(refusal), you_wrote_text(text))
        await _hand_back(interaction, now, said, text)
    else:
        await _show_saved(interaction, stored, guess, score)


async def _hand_back(interaction: Interaction, game: Game, why: str, text: str) -> None:
    """Say why a guess was not saved. A button opens the form with its text, for the turn that is due now."""
    interaction.client.kept_texts.keep(interaction.user.id, f"guess:{game.id}:{game.turn_serial}", text)
    again = () if game.asked is None else ((_type_guess_button(game, say(watching_texts.GUESS_AGAIN_LABEL)),),)
    await show_reply(interaction, why, rows=again)
