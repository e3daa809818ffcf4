"""The desk of a busy player: the list of his games, page by page, and what he notes on each for himself alone."""

import discord
from discord import app_commands

from gipfbot.service.kit.game_names import game_name
from gipfbot.service.play.notes import LONGEST_NOTE
from gipfbot.store import GameBrief
from gipfbot.ui.clock import vacation_texts
from gipfbot.ui.delivery import venue
from gipfbot.ui.kit import text_parts, texts
from gipfbot.ui.kit.autocomplete import complete_running_game
from gipfbot.ui.kit.client import Interaction
from gipfbot.ui.kit.components import handles_kind
from gipfbot.ui.kit.forms import build_form, form_answers, text_field
from gipfbot.ui.kit.game_picker import PICKED_GAME_HANDLERS, handles_picked_game, meant_game, pick_game_or_ask
from gipfbot.ui.kit.respond import run_guarded, show_reply, tell_privately
from gipfbot.ui.kit.widgets import Button, ComponentRow, button_rows
from gipfbot.ui.lobby import lobby_texts, seeks
from gipfbot.ui.records import study_texts

from . import game_list_texts
from .back_to_list import remember_list_page
from .desk import show_desk
from .game_list_texts import GAMES_PER_PAGE, GamePage

# ── /gipf games ──


@app_commands.command(
    name="games", description="Your games: what waits for you, most urgent first, and what waits for others"
)
async def games_command(interaction: Interaction) -> None:
    """List the person's running games."""
    await interaction.response.defer(ephemeral=True)

    async def work() -> None:
        running = await interaction.client.app.games.running_games(interaction.user.id)
        await venue.note_unreachable_games(interaction, sorted(running, key=lambda brief: brief.waiting_since))
        await show_game_list(interaction)

    await run_guarded(interaction, work())


async def show_game_list(interaction: Interaction, number: int = 0) -> None:
    """Show a page of the list as it is now, the last one instead of one that is no more."""
    bot, user = interaction.client, interaction.user.id
    running = await bot.app.games.running_games(user)
    page = game_page(running, user, number)
    away = await bot.app.vacations.opponents_on_vacation([*page.waiting, *page.others], user)
    notes = await bot.app.notes.notes_on_games([brief.id for brief in (*page.waiting, *page.others)], user)
    listed = game_list_texts.game_list_text(page, user, away, notes) if running else texts.NO_RUNNING_GAMES
    text = text_parts.join_lines(
        vacation_texts.own_vacation_line(await bot.app.vacations.vacation_status(user)),
        game_list_texts.unreadable_games_line(await bot.app.games.unreadable_games(user)),
        listed,
    )
    if page.page_number == page.last_page:
        text = await _with_studies_and_challenges(interaction, text)
    await show_reply(interaction, text, rows=_game_list_rows(page))


def game_page(running: list[GameBrief], user: int, number: int) -> GamePage:
    """Return a page of these games, which come most urgent first; those that wait for the person go before others."""
    waiting = [brief for brief in running if brief.users[brief.asked] == user]
    others = [brief for brief in running if brief.users[brief.asked] != user]
    last = max(0, (len(running) - 1) // GAMES_PER_PAGE)
    number = min(number, last)
    first, end = number * GAMES_PER_PAGE, (number + 1) * GAMES_PER_PAGE
    rest = others[max(0, first - len(waiting)) : max(0, end - len(waiting))]
    return GamePage(waiting[first:end], rest, (len(waiting), len(others)), number, last)


async def _with_studies_and_challenges(interaction: Interaction, text: str) -> str:
    """Return the text with what else belongs to the person: his studies and open challenges."""
    bot, user = interaction.client, interaction.user.id
    offered = [(stored.challenge, seeks.challenge_url(stored)) for stored in await bot.app.lobby.challenges_of(user)]
    known = study_texts.studies_line(await bot.app.studies.studies(user))
    return lobby_texts.games_and_challenges_text(text_parts.join_lines(text, known), offered)


def _game_list_rows(page: GamePage) -> tuple[ComponentRow, ...]:
    mine = [Button(game_name(brief.id), f"l:play:{brief.id}:{page.page_number}", "primary") for brief in page.waiting]
    others = [Button(game_name(brief.id), f"l:board:{brief.id}:{page.page_number}") for brief in page.others]
    return (*button_rows([*mine, *others]), *_page_buttons(page))


def _page_buttons(page: GamePage) -> tuple[ComponentRow, ...]:
    if not page.last_page:
        return ()
    back = Button(
        game_list_texts.PREVIOUS_PAGE_LABEL, f"l:page:{max(0, page.page_number - 1)}", disabled=page.page_number == 0
    )
    on = Button(
        game_list_texts.NEXT_PAGE_LABEL, f"l:page:{page.page_number + 1}", disabled=page.page_number == page.last_page
    )
    return ((back, on),)


@handles_kind("l")
async def press_game_list(interaction: Interaction, rest: str) -> None:
    """A button of the list, or of a digest: turns the page, or opens a game as it is now."""
    what, number, *page = rest.split(":")

    async def work() -> None:
        if what == "desk":  # the digest stays; the desk is a message of its own
            await interaction.response.defer(ephemeral=True, thinking=True)
            await show_desk(interaction, await interaction.client.app.games.game(int(number)))
            return
        if what == "note":
            await _open_note_form(interaction, int(number))
            return
        await interaction.response.defer()
        if what == "page":
            await show_game_list(interaction, int(number))
            return
        remember_list_page(interaction, int(*page))
        if what == "play":
            await show_desk(interaction, await interaction.client.app.games.game(int(number)))
        else:
            await PICKED_GAME_HANDLERS["board"](interaction, int(number), "")

    await run_guarded(interaction, work())


# ── /gipf note ──


@app_commands.command(name="note", description="Note something on a game for yourself; nobody else sees it")
@app_commands.describe(game="Which game, such as #a7", text="Your note; nothing: a form with the one there is")
@app_commands.autocomplete(game=complete_running_game)
async def note_command(
    interaction: Interaction, game: str = "", text: app_commands.Range[str, 1, LONGEST_NOTE] | None = None
) -> None:
    """Write a note, or ask for one with a form, which only an interaction nobody has answered yet can open."""
    await run_guarded(interaction, _write_or_ask_note(interaction, game.strip(), text))


async def _write_or_ask_note(interaction: Interaction, named: str, text: str | None) -> None:
    running = await interaction.client.app.games.running_games(interaction.user.id)
    id = meant_game(interaction, named, running)
    if id and text is None:
        await _open_note_form(interaction, id)
        return
    await interaction.response.defer(ephemeral=True)
    does = "note" if text is None else f"note:{text}"
    if id := await pick_game_or_ask(
        interaction, named, running, does, texts.NO_RUNNING_GAMES, game_list_texts.WHICH_GAME_TO_NOTE
    ):
        await _save_note(interaction, id, text or "")


@handles_picked_game("note")
async def _note_in_game(interaction: Interaction, game_id: int, text: str) -> None:
    if text:
        await _save_note(interaction, game_id, text)
        return
    known = await interaction.client.app.notes.note(game_id, interaction.user.id)
    row = (Button(game_list_texts.WRITE_NOTE_LABEL, f"l:note:{game_id}", "primary"),)
    await show_reply(interaction, game_list_texts.note_saved_text(game_id, known), rows=(row,))


async def _save_note(interaction: Interaction, game_id: int, text: str) -> None:
    await interaction.client.app.notes.set_note(game_id, interaction.user.id, text)
    await show_reply(interaction, game_list_texts.note_saved_text(game_id, text.strip()))


async def _open_note_form(interaction: Interaction, game_id: int) -> None:
    known = await interaction.client.app.notes.note(game_id, interaction.user.id)
    field = text_field(
        "text",
        game_list_texts.NOTE_FIELD,
        game_list_texts.NOTE_HINT,
        style=discord.TextStyle.paragraph,
        max_length=LONGEST_NOTE,
        default=known,
        required=False,
    )
    await interaction.response.send_modal(
        build_form(f"{game_list_texts.NOTE_TITLE} · {game_name(game_id)}", f"a:{game_id}", field)
    )


@handles_kind("a")
async def submit_note(interaction: Interaction, rest: str) -> None:
    """A note that was written in the form."""
    id = int(rest.partition(":")[0])

    async def work() -> None:
        text = form_answers(interaction)["text"]
        await interaction.client.app.notes.set_note(id, interaction.user.id, text)
        await tell_privately(interaction, game_list_texts.note_saved_text(id, text.strip()))

    await run_guarded(interaction, work())
