"""`/gipf games`: a person's running games page by page, with their studies and open challenges."""

from collections.abc import Sequence

from discord import app_commands

from gipfbot.service.kit.game_names import game_name
from gipfbot.ui.clock import vacation_texts
from gipfbot.ui.delivery import venues
from gipfbot.ui.kit import texts
from gipfbot.ui.kit.client import Interaction
from gipfbot.ui.kit.interactions import Reply, answers_privately, handles
from gipfbot.ui.kit.listed_game import GAMES_PER_PAGE
from gipfbot.ui.kit.respond import show_reply
from gipfbot.ui.kit.text_parts import join_lines
from gipfbot.ui.kit.widgets import Button, ComponentRow, button_rows
from gipfbot.ui.lobby import lobby_texts, seeks
from gipfbot.ui.records import study_texts
from gipfbot.values import GameBrief

from . import game_list_texts
from .desk_view import show_desk
from .game_list_texts import GamePage
from .private_board import show_private_board


@app_commands.command(
    name="games", description="Your games: what waits for you, most urgent first, and what waits for others"
)
@answers_privately
async def games_command(interaction: Interaction) -> None:
    """Show the first page of the person's games. First note which games have become unreachable."""
    running = await interaction.client.app.games.running_games(interaction.user.id)
    await venues.note_unreachable_games(interaction, sorted(running, key=lambda brief: brief.waiting_since))
    await show_game_list(interaction)


async def show_game_list(interaction: Interaction, number: int = 0) -> None:
    """Show a page of the person's games as they are now. If page `number` does not exist, show the last one."""
    app, user = interaction.client.app, interaction.user.id
    running = await app.games.running_games(user)
    page = game_page(running, user, number)
    vacation = vacation_texts.own_vacation_line(await app.vacations.vacation_status(user))
    unreadable = game_list_texts.unreadable_games_line(await app.games.unreadable_games(user))
    listed = await _game_page_text(interaction, page) if running else texts.NO_RUNNING_GAMES
    text = join_lines(vacation, unreadable, listed)
    if page.page_number == page.last_page:
        text = await _with_studies_and_challenges(interaction, text)
    await show_reply(interaction, text, rows=_game_list_rows(page))


def game_page(running: list[GameBrief], user: int, number: int) -> GamePage:
    """Return a page of a person's running games. Games that wait for them come before the others.

    `running` is sorted, the most urgent game first. `number` counts from 0. If that page does not exist, the last one
    is returned.
    """
    waiting = [brief for brief in running if brief.users[brief.asked] == user]
    others = [brief for brief in running if brief.users[brief.asked] != user]
    last = max(0, (len(running) - 1) // GAMES_PER_PAGE)
    number = min(number, last)
    first, end = number * GAMES_PER_PAGE, (number + 1) * GAMES_PER_PAGE
    rest = others[max(0, first - len(waiting)) : max(0, end - len(waiting))]
    return GamePage(waiting[first:end], rest, (len(waiting), len(others)), number, last)


async def _game_page_text(interaction: Interaction, page: GamePage) -> str:
    app, user, briefs = interaction.client.app, interaction.user.id, (*page.waiting, *page.others)
    away = await app.vacations.opponents_on_vacation(briefs, user)
    notes = await app.notes.notes_on_games([brief.id for brief in briefs], user)
    return game_list_texts.game_list_text(page, user, away, notes)


async def _with_studies_and_challenges(interaction: Interaction, text: str) -> str:
    """Return the text of the list, with the person's studies and open challenges added."""
    app, user = interaction.client.app, interaction.user.id
    challenges = [(stored.challenge, seeks.challenge_url(stored)) for stored in await app.lobby.challenges_of(user)]
    known = study_texts.studies_line(await app.studies.studies(user))
    return lobby_texts.games_and_challenges_text(join_lines(text, known), challenges)


def _game_list_rows(page: GamePage) -> tuple[ComponentRow, ...]:
    mine = _game_buttons(page.waiting, page.page_number, "desk", "primary")
    others = _game_buttons(page.others, page.page_number, "board", "secondary")
    return (*button_rows([*mine, *others]), *_page_buttons(page))


def _game_buttons(briefs: Sequence[GameBrief], page: int, verb: str, style: str) -> list[Button]:
    return [Button(game_name(brief.id), f"listed_game:{brief.id}:{page}:{verb}", style) for brief in briefs]


def _page_buttons(page: GamePage) -> tuple[ComponentRow, ...]:
    if not page.last_page:
        return ()
    here = page.page_number
    back = Button(game_list_texts.PREVIOUS_PAGE_LABEL, f"games:page:{max(0, here - 1)}", disabled=here == 0)
    on = Button(game_list_texts.NEXT_PAGE_LABEL, f"games:page:{here + 1}", disabled=here == page.last_page)
    return ((back, on),)


@handles("games", "page:{page}")
async def press_game_list(interaction: Interaction, page: int) -> None:
    """Show a page of the list of games on the message that was pressed."""
    await show_game_list(interaction, page)


@handles("my_games", "", Reply.APART)
async def press_my_games(interaction: Interaction) -> None:
    """Show the list of games in a new private message. The message that was pressed stays."""
    await show_game_list(interaction)


@handles("listed_game", "{game}:{page:[0-9]+}:{verb:desk|board}")
async def press_listed_game(interaction: Interaction, game: int, page: str, verb: str) -> None:
    """Open a game that was chosen from the list: its desk, or its private board."""
    stored = await interaction.client.app.games.game(game)
    if verb == "desk":
        await show_desk(interaction, stored, page=page)
    else:
        await show_private_board(interaction, stored, page)
