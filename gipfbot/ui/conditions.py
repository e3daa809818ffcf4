"""Answers left in advance: `/gipf if`, the form behind **If…**, and what a player sees of them, always privately."""

from collections.abc import Awaitable

import discord
from discord import app_commands

from gipfbot.match import Game, Refused, Why, check_running
from gipfbot.match.conditions import check_waits, may_leave
from gipfbot.notation import BrokenRecord
from gipfbot.service.conditions import Left
from gipfbot.service.studies import StoredStudy

from . import condition_texts, refusal_texts, texts
from .choices import complete_waiting
from .forms import answers, form, text_field
from .items import handles
from .replies import Interaction, guarded, notation_of, show
from .screens import Button, Row, lines_of
from .which import game_or_ask, picked_for


@app_commands.command(name="if", description="Leave your answer to a turn that your opponent may play; nobody sees it")
@app_commands.describe(
    game="Which game, such as #a7",
    turns="Their turn, your answer, and so on, such as e2 g3; nothing: what you have left",
)
async def if_(interaction: Interaction, game: str = "", turns: str = "") -> None:
    """Leave a line, or list what is left."""
    await interaction.response.defer(ephemeral=True)
    await guarded(interaction, _if(interaction, game.strip(), turns.strip()))


if_.autocomplete("game")(complete_waiting)


async def _if(interaction: Interaction, named: str, turns: str) -> None:
    user = interaction.user.id
    running = await interaction.client.service.running(user)
    waiting = [brief for brief in running if brief.users[brief.asked] != user]
    none, ask = condition_texts.NONE_WAITS, condition_texts.WHICH
    if id := await game_or_ask(interaction, named, waiting, f"if:{turns}", none, ask):
        await _in_game(interaction, id, turns)


@picked_for("if")
async def _in_game(interaction: Interaction, id: int, turns: str) -> None:
    if turns:
        await _leave(interaction, id, turns)
    else:
        await _show(interaction, await interaction.client.conditions.left(id, interaction.user.id))


async def _show(interaction: Interaction, left: Left, note: str = "") -> None:
    game, user = left.game, interaction.user.id
    check_running(game)
    text = texts.join(note, condition_texts.left(left, user, await notation_of(interaction)))
    await show(interaction, text, rows=_rows(left, user))


def _rows(left: Left, user: int) -> tuple[Row, ...]:
    game = left.game
    prefix = f"w:{game.id}:{game.serial}:"
    withdraw = (Button(condition_texts.withdraw(at), f"{prefix}{line.id}") for at, line in enumerate(left.lines, 1))
    return tuple(lines_of([*withdraw, *if_button(game, user)]))


def if_button(game: Game, user: int, label: str = condition_texts.IF) -> tuple[Button, ...]:
    """Return the button that asks a player for a line; none where he cannot leave any."""
    return (Button(label, f"w:{game.id}:{game.serial}:if"),) if may_leave(game, user) else ()


async def lapsed_note(interaction: Interaction, game: Game) -> str:
    """Return what has to be said to a player of answers that have lapsed in a game; empty without any."""
    user = interaction.user.id
    left = await interaction.client.conditions.left(game.id, user)
    return condition_texts.lapsed_here(left.lapsed, game, user)


async def _leave(interaction: Interaction, id: int, text: str, serial: int | None = None) -> None:
    """Leave a line that was typed; where that cannot be, say why and give back what was typed."""
    service, user = interaction.client.conditions, interaction.user.id
    if len(text) > condition_texts.LONGEST:
        await show(interaction, condition_texts.TOO_LONG)
        return
    try:
        left = await service.leave(id, user, text, await notation_of(interaction), serial)
    except (BrokenRecord, Refused) as fault:
        game = (await interaction.client.service.game(id)).game
        said = texts.join(_why(fault, game, user), condition_texts.wrote(text))
        again = if_button(game, user, condition_texts.AGAIN)
        await show(interaction, said, rows=(again,) if again else ())
    else:
        await _show(interaction, left)


def _why(fault: BrokenRecord | Refused, game: Game, user: int) -> str:
    if isinstance(fault, BrokenRecord):
        return condition_texts.broken(fault, game, user)
    return texts.join(refusal_texts.refused(fault), condition_texts.NOT_KEPT)


@handles("w")
async def press(interaction: Interaction, rest: str) -> None:
    """A button that asks for a line, or withdraws one."""
    id, serial, what = rest.split(":")

    async def work() -> None:
        now = await interaction.client.conditions.left(int(id), interaction.user.id)
        fresh = now.game.serial == int(serial)
        if what != "if":
            await interaction.response.defer()
            await (_withdraw(interaction, now, int(what)) if fresh else _show(interaction, now, texts.STALE))
        elif fresh:
            check_waits(now.game, interaction.user.id)
            written = condition_texts.written(interaction.message.content) if interaction.message else ""
            await interaction.response.send_modal(_form(f"f:{id}:{serial}", written))
        else:
            raise Refused(Why.STALE)

    await guarded(interaction, work())


async def _withdraw(interaction: Interaction, now: Left, line: int) -> None:
    game = now.game
    left = await interaction.client.conditions.withdraw(game.id, interaction.user.id, line, game.serial)
    await _show(interaction, left, condition_texts.WITHDRAWN)


def _form(does: str, written: str) -> discord.ui.Modal:
    field = text_field(
        "text",
        condition_texts.FIELD,
        condition_texts.HINT,
        style=discord.TextStyle.paragraph,
        max_length=condition_texts.LONGEST,
        default=written or None,
    )
    return form(condition_texts.FORM_TITLE, does, field)


@handles("f")
async def fill_in(interaction: Interaction, rest: str) -> None:
    """A line that was typed in the form."""
    id, serial, _ = rest.split(":")
    await _aside(interaction, _leave(interaction, int(id), answers(interaction)["text"], int(serial)))


async def _aside(interaction: Interaction, work: Awaitable[None]) -> None:
    """Do the work and answer on a message of its own: the one with the button stays."""
    await interaction.response.defer(ephemeral=True, thinking=True)
    await guarded(interaction, work)


async def keep_tried(interaction: Interaction, study: StoredStudy) -> None:
    """Leave the line that was tried in a study."""

    async def work() -> None:
        await _show(interaction, await interaction.client.conditions.keep(study))

    await _aside(interaction, work())
