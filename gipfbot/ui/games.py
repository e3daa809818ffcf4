"""The desk of a busy player: the list of his games, page by page, and what he notes on each for himself alone."""

import discord
from discord import app_commands

from gipfbot.service.ids import game_name
from gipfbot.service.notes import LONGEST
from gipfbot.service.service import Brief

from . import games_texts, homes, lobby_texts, offers, study_texts, texts, vacation_texts
from .choices import complete_game
from .desk import show_desk
from .forms import answers, form, text_field
from .games_texts import PAGE, Page
from .items import handles
from .replies import Interaction, guarded, show, tell
from .screens import Button, Row, lines_of
from .ways import from_page
from .which import PICKED, game_or_ask, meant, picked_for

# ── /gipf games ──


@app_commands.command(name="games", description="Your games: what waits for you, most urgent first, and what waits for others")
async def games(interaction: Interaction) -> None:
    """List the person's running games."""
    await interaction.response.defer(ephemeral=True)

    async def work() -> None:
        running = await interaction.client.service.running(interaction.user.id)
        await homes.look_after(interaction, sorted(running, key=lambda brief: brief.waiting_since))
        await show_page(interaction)

    await guarded(interaction, work())


async def show_page(interaction: Interaction, number: int = 0) -> None:
    """Show a page of the list as it is now, the last one instead of one that is no more."""
    bot, user = interaction.client, interaction.user.id
    running = await bot.service.running(user)
    page = page_of(running, user, number)
    away = await bot.vacations.absent([*page.waiting, *page.others], user)
    notes = await bot.notes.among([brief.id for brief in (*page.waiting, *page.others)], user)
    listed = games_texts.games(page, user, away, notes) if running else lobby_texts.NO_GAMES
    text = texts.join(vacation_texts.own(await bot.vacations.leave(user)), listed)
    if page.number == page.last:
        text = await _with_others(interaction, text)
    await show(interaction, text, rows=_rows(page))


def page_of(running: list[Brief], user: int, number: int) -> Page:
    """Return a page of these games, which come most urgent first; those that wait for the person go before others."""
    waiting = [brief for brief in running if brief.users[brief.asked] == user]
    others = [brief for brief in running if brief.users[brief.asked] != user]
    last = max(0, (len(running) - 1) // PAGE)
    number = min(number, last)
    first, end = number * PAGE, (number + 1) * PAGE
    rest = others[max(0, first - len(waiting)) : max(0, end - len(waiting))]
    return Page(waiting[first:end], rest, (len(waiting), len(others)), number, last)


async def _with_others(interaction: Interaction, text: str) -> str:
    """Return the text with what else belongs to the person: his studies and open challenges."""
    bot, user = interaction.client, interaction.user.id
    offered = [(stored.challenge, offers.message_url(stored)) for stored in await bot.service.challenges_of(user)]
    known = study_texts.listed(await bot.studies.studies(user))
    return lobby_texts.games_and_challenges(texts.join(text, known), offered)


def _rows(page: Page) -> tuple[Row, ...]:
    mine = [Button(game_name(brief.id), f"l:play:{brief.id}:{page.number}", "primary") for brief in page.waiting]
    others = [Button(game_name(brief.id), f"l:board:{brief.id}:{page.number}") for brief in page.others]
    return (*lines_of([*mine, *others]), *_turning(page))


def _turning(page: Page) -> tuple[Row, ...]:
    if not page.last:
        return ()
    back = Button(games_texts.BACK, f"l:page:{max(0, page.number - 1)}", off=page.number == 0)
    on = Button(games_texts.ON, f"l:page:{page.number + 1}", off=page.number == page.last)
    return ((back, on),)


@handles("l")
async def press_list(interaction: Interaction, rest: str) -> None:
    """A button of the list, or of a digest: turns the page, or opens a game as it is now."""
    what, number, *page = rest.split(":")

    async def work() -> None:
        if what == "desk":  # the digest stays; the desk is a message of its own
            await interaction.response.defer(ephemeral=True, thinking=True)
            await show_desk(interaction, await interaction.client.service.game(int(number)))
            return
        if what == "note":
            await _open_form(interaction, int(number))
            return
        await interaction.response.defer()
        if what == "page":
            await show_page(interaction, int(number))
            return
        from_page(interaction, int(*page))
        if what == "play":
            await show_desk(interaction, await interaction.client.service.game(int(number)))
        else:
            await PICKED["board"](interaction, int(number), "")

    await guarded(interaction, work())


# ── /gipf note ──


@app_commands.command(name="note", description="Note something on a game for yourself; nobody else sees it")
@app_commands.describe(game="Which game, such as #a7", text="Your note; nothing: a form with the one there is")
@app_commands.autocomplete(game=complete_game)
async def note(
    interaction: Interaction, game: str = "", text: app_commands.Range[str, 1, LONGEST] | None = None
) -> None:
    """Write a note, or ask for one with a form, which only an interaction nobody has answered yet can open."""
    await guarded(interaction, _note(interaction, game.strip(), text))


async def _note(interaction: Interaction, named: str, text: str | None) -> None:
    running = await interaction.client.service.running(interaction.user.id)
    id = meant(interaction, named, running)
    if id and text is None:
        await _open_form(interaction, id)
        return
    await interaction.response.defer(ephemeral=True)
    does = "note" if text is None else f"note:{text}"
    if id := await game_or_ask(interaction, named, running, does, lobby_texts.NO_GAMES, games_texts.WHICH_NOTE):
        await _write(interaction, id, text or "")


@picked_for("note")
async def _note_on(interaction: Interaction, id: int, text: str) -> None:
    if text:
        await _write(interaction, id, text)
        return
    known = await interaction.client.notes.note(id, interaction.user.id)
    row = (Button(games_texts.NOTE_BUTTON, f"l:note:{id}", "primary"),)
    await show(interaction, games_texts.noted(id, known), rows=(row,))


async def _write(interaction: Interaction, id: int, text: str) -> None:
    await interaction.client.notes.write(id, interaction.user.id, text)
    await show(interaction, games_texts.noted(id, text.strip()))


async def _open_form(interaction: Interaction, id: int) -> None:
    known = await interaction.client.notes.note(id, interaction.user.id)
    field = text_field(
        "text",
        games_texts.NOTE_FIELD,
        games_texts.NOTE_HINT,
        style=discord.TextStyle.paragraph,
        max_length=LONGEST,
        default=known,
        required=False,
    )
    await interaction.response.send_modal(form(f"{games_texts.NOTE_TITLE} · {game_name(id)}", f"a:{id}", field))


@handles("a")
async def fill_in(interaction: Interaction, rest: str) -> None:
    """A note that was written in the form."""
    id = int(rest.partition(":")[0])

    async def work() -> None:
        text = answers(interaction)["text"]
        await interaction.client.notes.write(id, interaction.user.id, text)
        await tell(interaction, games_texts.noted(id, text.strip()))

    await guarded(interaction, work())
