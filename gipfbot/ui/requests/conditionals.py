"""Answers left in advance: `/gipf if`, the form behind **If…**, and what a player sees of them, always privately."""

from collections.abc import Awaitable

import discord
from discord import app_commands

from gipfbot.match import Game, Refused, Why, check_running
from gipfbot.match.conditionals import check_waiting, may_add_conditional
from gipfbot.notation import BrokenRecord
from gipfbot.service.records.studies import StoredStudy
from gipfbot.service.requests.conditionals import PlayerConditionals
from gipfbot.ui.kit import refusal_texts, text_parts, texts
from gipfbot.ui.kit.autocomplete import complete_opponents_turn
from gipfbot.ui.kit.client import Interaction
from gipfbot.ui.kit.components import handles_kind
from gipfbot.ui.kit.forms import build_form, form_answers, text_field
from gipfbot.ui.kit.game_picker import handles_picked_game, pick_game_or_ask
from gipfbot.ui.kit.respond import notation_of, run_guarded, show_reply
from gipfbot.ui.kit.widgets import Button, ComponentRow, button_rows

from . import conditional_texts


@app_commands.command(name="if", description="Leave your answer to a turn that your opponent may play; nobody sees it")
@app_commands.describe(
    game="Which game, such as #a7",
    turns="Their turn, your answer, and so on, such as e2 g3; nothing: what you have left",
)
async def if_command(interaction: Interaction, game: str = "", turns: str = "") -> None:
    """Leave a line, or list what is left."""
    await interaction.response.defer(ephemeral=True)
    await run_guarded(interaction, _leave_or_list_conditionals(interaction, game.strip(), turns.strip()))


if_command.autocomplete("game")(complete_opponents_turn)


async def _leave_or_list_conditionals(interaction: Interaction, named: str, turns: str) -> None:
    user = interaction.user.id
    running = await interaction.client.app.games.running_games(user)
    waiting = [brief for brief in running if brief.users[brief.asked] != user]
    none, ask = conditional_texts.NO_OPPONENT_TO_MOVE, conditional_texts.WHICH_GAME_FOR_CONDITIONAL
    if id := await pick_game_or_ask(interaction, named, waiting, f"if:{turns}", none, ask):
        await _conditionals_in_game(interaction, id, turns)


@handles_picked_game("if")
async def _conditionals_in_game(interaction: Interaction, game_id: int, turns: str) -> None:
    if turns:
        await _leave_conditional(interaction, game_id, turns)
    else:
        await _show_conditionals(
            interaction, await interaction.client.app.conditionals.conditionals_of(game_id, interaction.user.id)
        )


async def _show_conditionals(interaction: Interaction, conditionals: PlayerConditionals, note: str = "") -> None:
    game, user = conditionals.game, interaction.user.id
    check_running(game)
    text = text_parts.join_lines(
        note, conditional_texts.conditionals_text(conditionals, user, await notation_of(interaction))
    )
    await show_reply(interaction, text, rows=_conditional_rows(conditionals, user))


def _conditional_rows(conditionals: PlayerConditionals, user: int) -> tuple[ComponentRow, ...]:
    game = conditionals.game
    prefix = f"w:{game.id}:{game.turn_serial}:"
    withdraw = (
        Button(conditional_texts.withdraw_line_label(at), f"{prefix}{line.id}")
        for at, line in enumerate(conditionals.lines, 1)
    )
    return tuple(button_rows([*withdraw, *if_button(game, user)]))


def if_button(game: Game, user: int, label: str = conditional_texts.IF_LABEL) -> tuple[Button, ...]:
    """Return the button that asks a player for a line; none where he cannot leave any."""
    return (Button(label, f"w:{game.id}:{game.turn_serial}:if"),) if may_add_conditional(game, user) else ()


async def discarded_note(interaction: Interaction, game: Game) -> str:
    """Return what has to be said to a player of answers that have lapsed in a game; empty without any."""
    user = interaction.user.id
    left = await interaction.client.app.conditionals.conditionals_of(game.id, user)
    return conditional_texts.discarded_here_text(left.discarded, game, user)


async def _leave_conditional(interaction: Interaction, game_id: int, text: str, turn_serial: int | None = None) -> None:
    """Leave a line that was typed; where that cannot be, say why and give back what was typed."""
    service, user = interaction.client.app.conditionals, interaction.user.id
    if len(text) > conditional_texts.LONGEST_LINE:
        await show_reply(interaction, conditional_texts.LINE_TOO_LONG)
        return
    try:
        left = await service.add_typed_line(game_id, user, text, await notation_of(interaction), turn_serial)
    except (BrokenRecord, Refused) as fault:
        game = (await interaction.client.app.games.game(game_id)).game
        said = text_parts.join_lines(_not_kept_text(fault, game, user), conditional_texts.you_wrote_text(text))
        again = if_button(game, user, conditional_texts.TRY_AGAIN_LABEL)
        await show_reply(interaction, said, rows=(again,) if again else ())
    else:
        await _show_conditionals(interaction, left)


def _not_kept_text(fault: BrokenRecord | Refused, game: Game, user: int) -> str:
    if isinstance(fault, BrokenRecord):
        return conditional_texts.broken_line_text(fault, game, user)
    return text_parts.join_lines(refusal_texts.refusal_text(fault), conditional_texts.NOTHING_KEPT)


@handles_kind("w")
async def press_conditional(interaction: Interaction, rest: str) -> None:
    """A button that asks for a line, or withdraws one."""
    id, serial, what = rest.split(":")

    async def work() -> None:
        now = await interaction.client.app.conditionals.conditionals_of(int(id), interaction.user.id)
        fresh = now.game.turn_serial == int(serial)
        if what != "if":
            await interaction.response.defer()
            await (
                _withdraw_conditional(interaction, now, int(what))
                if fresh
                else _show_conditionals(interaction, now, texts.GAME_MOVED_ON)
            )
        elif fresh:
            check_waiting(now.game, interaction.user.id)
            written = conditional_texts.typed_text_in(interaction.message.content) if interaction.message else ""
            await interaction.response.send_modal(_conditional_form(f"f:{id}:{serial}", written))
        else:
            raise Refused(Why.STALE)

    await run_guarded(interaction, work())


async def _withdraw_conditional(interaction: Interaction, now: PlayerConditionals, line: int) -> None:
    game = now.game
    left = await interaction.client.app.conditionals.withdraw_line(game.id, interaction.user.id, line, game.turn_serial)
    await _show_conditionals(interaction, left, conditional_texts.CONDITIONAL_WITHDRAWN)


def _conditional_form(action: str, written: str) -> discord.ui.Modal:
    field = text_field(
        "text",
        conditional_texts.CONDITIONAL_FIELD,
        conditional_texts.CONDITIONAL_HINT,
        style=discord.TextStyle.paragraph,
        max_length=conditional_texts.LONGEST_LINE,
        default=written or None,
    )
    return build_form(conditional_texts.CONDITIONAL_FORM_TITLE, action, field)


@handles_kind("f")
async def submit_conditional(interaction: Interaction, rest: str) -> None:
    """A line that was typed in the form."""
    id, serial, _ = rest.split(":")
    await _reply_apart(
        interaction, _leave_conditional(interaction, int(id), form_answers(interaction)["text"], int(serial))
    )


async def _reply_apart(interaction: Interaction, work: Awaitable[None]) -> None:
    """Do the work and answer on a message of its own: the one with the button stays."""
    await interaction.response.defer(ephemeral=True, thinking=True)
    await run_guarded(interaction, work)


async def keep_tried_line(interaction: Interaction, study: StoredStudy) -> None:
    """Leave the line that was tried in a study."""

    async def work() -> None:
        await _show_conditionals(interaction, await interaction.client.app.conditionals.add_line_from_study(study))

    await _reply_apart(interaction, work())
