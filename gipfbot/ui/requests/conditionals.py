"""Conditional turns: `/gipf if`, the form behind **Plan ahead…**, and the private list of a player's lines."""

import discord
from discord import app_commands

from gipfbot.match import Game, Refused, Why, check_running
from gipfbot.match.conditionals import may_add_conditional, read_conditional
from gipfbot.notation import BrokenRecord
from gipfbot.service.requests.conditionals import PlayerConditionals
from gipfbot.ui.kit import refusal_texts, texts
from gipfbot.ui.kit.client import Interaction
from gipfbot.ui.kit.components import Button, ComponentRow, build_form, button_rows, form_answers, text_field
from gipfbot.ui.kit.game_picker import complete_opponents_turn, handles_picked_game, pick_game_or_ask
from gipfbot.ui.kit.interactions import Reply, answers_privately, handles, slash_command
from gipfbot.ui.kit.refusal_texts import why_buttons
from gipfbot.ui.kit.request_log import note_refusal
from gipfbot.ui.kit.respond import answer_apart, notation_of, read_aside, show_reply
from gipfbot.values import StoredStudy

from . import conditional_texts


@slash_command("gipf if", 120, "Plan ahead to a turn that your opponent may play; nobody sees it")
@app_commands.describe(
    game="Which game, such as #a7",
    turns="Their turn, your answer, and so on, such as c2 g6 (default: list your lines)",
)
@app_commands.autocomplete(game=complete_opponents_turn)
@answers_privately
async def if_command(interaction: Interaction, game: str = "", turns: str = "") -> None:
    """Add a line of conditional turns. Without `turns`, list the user's lines."""
    user, turns = interaction.user.id, turns.strip()
    running = await interaction.client.app.games.running_games(user)
    waiting = [brief for brief in running if brief.users[brief.asked] != user]
    none = conditional_texts.NO_OPPONENT_TO_MOVE if running else texts.NO_RUNNING_GAMES
    ask = conditional_texts.WHICH_GAME_FOR_CONDITIONAL
    if game_id := await pick_game_or_ask(interaction, game.strip(), waiting, f"if:{turns}", none, ask):
        await _conditionals_in_game(interaction, game_id, turns)


@handles_picked_game("if")
async def _conditionals_in_game(interaction: Interaction, game_id: int, turns: str) -> None:
    if turns:
        await _leave_conditional(interaction, game_id, turns)
    else:
        left = await interaction.client.app.conditionals.conditionals_of(game_id, interaction.user.id)
        await _show_conditionals(interaction, left)


async def _show_conditionals(interaction: Interaction, conditionals: PlayerConditionals, note: str = "") -> None:
    game, user = conditionals.game, interaction.user.id
    check_running(game)
    text = conditional_texts.conditionals_text(conditionals, user, await notation_of(interaction))
    await show_reply(interaction, texts.join_lines(note, text), rows=_conditional_rows(conditionals, user))


def _conditional_rows(conditionals: PlayerConditionals, user: int) -> tuple[ComponentRow, ...]:
    game = conditionals.game
    drawn_for = f"withdraw_conditional:{game.id}:{game.turn_serial}"
    withdraw = (
        Button(conditional_texts.withdraw_line_label(at), f"{drawn_for}:{line.id}")
        for at, line in enumerate(conditionals.lines, 1)
    )
    return tuple(button_rows([*withdraw, *if_button(game, user)]))


def if_button(game: Game, user: int, label: str = conditional_texts.IF_LABEL) -> tuple[Button, ...]:
    """Return a tuple with the button that opens the form for a conditional line.

    The tuple is empty if the user may not add a line now.
    """
    return (Button(label, _form_purpose(game.id, game.turn_serial)),) if may_add_conditional(game, user) else ()


def _form_purpose(game_id: int, turn_serial: int) -> str:
    """Return the `custom_id` of the button that opens the form for a conditional line.

    It is also the key under which a refused text is kept for that form.
    """
    return f"conditional:{game_id}:{turn_serial}"


async def discarded_note(interaction: Interaction, game: Game) -> str:
    """Return the note on the user's conditional lines that were discarded in a game. Empty if none were discarded."""
    user = interaction.user.id
    left = await interaction.client.app.conditionals.conditionals_of(game.id, user)
    return conditional_texts.discarded_here_text(left.discarded, game, user)


async def _leave_conditional(interaction: Interaction, game_id: int, text: str, turn_serial: int | None = None) -> None:
    """Add a typed conditional line. If it is refused, say why, and keep its text for the next form.

    `turn_serial` is that of the pressed button. It is None if no button was pressed.
    """
    app, user = interaction.client.app, interaction.user.id
    if len(text) > conditional_texts.LONGEST_LINE:
        await show_reply(interaction, conditional_texts.LINE_TOO_LONG)
        return
    notation = await notation_of(interaction)
    begun = (await app.games.game(game_id)).game
    await read_aside(interaction, read_conditional, begun, user, text, notation)
    try:
        left = await app.conditionals.add_typed_line(game_id, user, text, notation, turn_serial)
    except (BrokenRecord, Refused) as fault:
        note_refusal(interaction, fault)
        await _give_line_back(interaction, (await app.games.game(game_id)).game, text, fault)
    else:
        interaction.client.kept_texts.forget(user, _form_purpose(game_id, left.game.turn_serial))
        await _show_conditionals(interaction, left, conditional_texts.line_warnings_text(left, text))


async def _give_line_back(interaction: Interaction, game: Game, text: str, fault: BrokenRecord | Refused) -> None:
    """Say why a typed conditional line was refused, and quote it. A button opens the form with its text.

    The button is missing if the user may not add a line now.
    """
    user = interaction.user.id
    again = if_button(game, user, conditional_texts.TRY_AGAIN_LABEL)
    buttons = (*again, *why_buttons(fault))
    if again:
        interaction.client.kept_texts.keep(user, _form_purpose(game.id, game.turn_serial), text)
    said = texts.join_lines(_not_kept_text(fault, game, user), conditional_texts.you_wrote_text(text))
    await show_reply(interaction, said, rows=(buttons,) if buttons else ())


def _not_kept_text(fault: BrokenRecord | Refused, game: Game, user: int) -> str:
    if isinstance(fault, BrokenRecord):
        return conditional_texts.broken_line_text(fault, game, user)
    return texts.join_lines(refusal_texts.refusal_text(fault), conditional_texts.NOTHING_KEPT)


@handles("conditional", "{game}:{turn_serial}", Reply.FORM)
async def press_conditional(interaction: Interaction, game: int, turn_serial: int) -> None:
    """Open the form for a conditional line, filled with the text that was refused last.

    Nothing is checked until the form is sent.
    """
    kept = interaction.client.kept_texts.find(interaction.user.id, _form_purpose(game, turn_serial))
    field = text_field(
        "text",
        conditional_texts.CONDITIONAL_FIELD,
        conditional_texts.CONDITIONAL_HINT,
        style=discord.TextStyle.paragraph,
        max_length=conditional_texts.LONGEST_LINE,
        default=kept,
    )
    form = build_form(conditional_texts.CONDITIONAL_FORM_TITLE, f"conditional_form:{game}:{turn_serial}", field)
    await interaction.response.send_modal(form)


@handles("conditional_form", "{game}:{turn_serial}:{nonce:[0-9a-f]+}", Reply.APART)
async def submit_conditional(interaction: Interaction, game: int, turn_serial: int, nonce: str) -> None:
    """Add the conditional line that was typed into the form."""
    await _leave_conditional(interaction, game, form_answers(interaction)["text"], turn_serial)


@handles("withdraw_conditional", "{game}:{turn_serial}:{line}")
async def press_withdraw_conditional(interaction: Interaction, game: int, turn_serial: int, line: int) -> None:
    """Withdraw a conditional line, and list the user's other lines.

    If the game has moved on, withdraw nothing and list all lines.
    """
    conditionals, user = interaction.client.app.conditionals, interaction.user.id
    try:
        left, note = await conditionals.withdraw_line(game, user, line, turn_serial), conditional_texts.WITHDRAWN
    except Refused as refusal:
        if refusal.why is not Why.STALE:
            raise
        left, note = await conditionals.conditionals_of(game, user), conditional_texts.LINES_MOVED_ON
    await _show_conditionals(interaction, left, note)


async def keep_tried_line(interaction: Interaction, study: StoredStudy) -> None:
    """Add the turns tried in a study as a conditional line. List the user's lines in a new private message."""
    answer_apart(interaction)
    await _show_conditionals(interaction, await interaction.client.app.conditionals.add_line_from_study(study))
