"""The button **Guess**: a spectator privately guesses the next turn of a game, until it is played."""

from collections.abc import Mapping

from gipfbot.match import Game, Refused, Why
from gipfbot.match.guess import read_guess
from gipfbot.notation import Notation, NotationError, bare_dot_pushes
from gipfbot.ui.kit import (
    Button,
    Interaction,
    Reply,
    handles,
    join_lines,
    notation_of,
    show_reply,
    visibility,
)
from gipfbot.ui.kit.components import build_form, form_answers, text_field
from gipfbot.ui.kit.moments import last_played_text
from gipfbot.ui.kit.refusal_texts import refusal_text, turn_error_text
from gipfbot.ui.kit.request_log import note_refusal
from gipfbot.ui.kit.respond import read_aside
from gipfbot.ui.kit.texts import you_wrote_text
from gipfbot.values import Guess

from . import watching_texts

LONGEST_GUESS = 200  # characters


async def guesses_shown(interaction: Interaction, game: Game) -> dict[int, Guess]:
    """Return a spectator's guesses of the last and the current turn, by turn serial. Empty for players."""
    user, serial = interaction.user.id, game.turn_serial
    if game.colour_of(user) is not None:
        return {}
    return await interaction.client.app.guesses.guesses_of(user, game.id, serial - 1, serial)


def guess_button(game: Game, known: Mapping[int, Guess]) -> tuple[Button, ...]:
    """Return the button with which a spectator guesses the next turn. Empty for ended games."""
    label = watching_texts.GUESS_AGAIN_LABEL if game.turn_serial in known else watching_texts.GUESS_LABEL
    return () if game.asked is None else (new_guess_button(game, label),)


def new_guess_button(game: Game, label: str = watching_texts.GUESS_LABEL) -> Button:
    """Return the button that opens the form for a guess of the current turn."""
    return Button(label, f"guess:{game.id}:{game.turn_serial}")


def guess_note(game: Game, known: Mapping[int, Guess], notation: Notation) -> str:
    """Return the lines on the person's guesses of the last and the current turn. Empty if there are none."""
    last, due = known.get(game.turn_serial - 1), known.get(game.turn_serial)
    return join_lines(
        watching_texts.scored_guess_text(game, last, notation) if last else "",
        watching_texts.open_guess_text(game, due, notation) if due and game.asked is not None else "",
    )


@handles("guess", "{game}:{turn_serial}", Reply.FORM)
async def press_guess(interaction: Interaction, game: int, turn_serial: int) -> None:
    """Open the form for a guess, filled with the text that was not saved last."""
    kept = interaction.client.kept_texts.find(interaction.user.id, f"guess:{game}:{turn_serial}")
    hint = watching_texts.GUESS_HINT
    field = text_field("text", watching_texts.GUESS_FIELD, hint, max_length=LONGEST_GUESS, default=kept)
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
        said = join_lines(played and f"{played}.", refusal_text(refusal), you_wrote_text(text))
        await _hand_back(interaction, now, said, text)
    else:
        await show_reply(interaction, watching_texts.guess_saved_text(stored.game, guess, score, notation))


async def _hand_back(interaction: Interaction, game: Game, why: str, text: str) -> None:
    """Say why a guess was not saved. A button opens the form with its text, for the turn that is due now."""
    interaction.client.kept_texts.keep(interaction.user.id, f"guess:{game.id}:{game.turn_serial}", text)
    again = () if game.asked is None else ((new_guess_button(game, watching_texts.GUESS_AGAIN_LABEL),),)
    await show_reply(interaction, why, rows=again)
