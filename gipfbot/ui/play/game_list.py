"""`/gipf games`: a person's running games page by page, with their studies and open challenges."""

from collections.abc import Mapping

from gipfbot.match import RequestKind
from gipfbot.ui.clock import vacation_texts
from gipfbot.ui.delivery import venues
from gipfbot.ui.kit import texts
from gipfbot.ui.kit.client import Interaction
from gipfbot.ui.kit.components import LONGEST_LAYOUT_TEXT, Button, ComponentRow, ListedText, PrivateRow
from gipfbot.ui.kit.interactions import Reply, answers_privately, handles, slash_command
from gipfbot.ui.kit.listed_game import GAMES_PER_PAGE
from gipfbot.ui.kit.respond import notation_of, show_reply
from gipfbot.ui.kit.texts import join_lines
from gipfbot.ui.lobby import lobby_texts, seeks
from gipfbot.ui.records import study_texts
from gipfbot.values import GameBrief

from . import game_list_texts
from .desk_view import show_desk
from .game_list_texts import GameDetails, GamePage
from .private_board import show_private_board

ROOM_BELOW_GAMES = 700  # characters at least: hints and studies always fit


@slash_command("gipf games", 130, "Your games: what waits for you, most urgent first, and what is new in them")
@answers_privately
async def games_command(interaction: Interaction) -> None:
    """Show the first page of the person's games. First note which games have become unreachable."""
    app, user = interaction.client.app, interaction.user.id
    running, unreadable = await app.games.running_and_unreadable_games(user)
    if await venues.note_unreachable_games(interaction, sorted(running, key=lambda brief: brief.waiting_since)):
        running, unreadable = await app.games.running_and_unreadable_games(user)
    await _show_games(interaction, running, unreadable)


async def show_game_list(interaction: Interaction, number: int = 0) -> None:
    """Show a page of the person's games as they are now. If page `number` does not exist, show the last one."""
    games = await interaction.client.app.games.running_and_unreadable_games(interaction.user.id)
    await _show_games(interaction, *games, number)


async def _show_games(
    interaction: Interaction, running: list[GameBrief], unreadable: list[int], number: int = 0
) -> None:
    """Show a page of these games, and note that the person has seen them."""
    app, user = interaction.client.app, interaction.user.id
    page = game_page(running, user, number)
    ended = [] if page.page_number else await app.games.ended_since_listed(user)
    head = join_lines(
        vacation_texts.own_vacation_line(await app.vacations.vacation_status(user)),
        game_list_texts.unreadable_games_line(unreadable),
        game_list_texts.ended_games_text(ended, user),
        game_list_texts.game_list_head(page) if running else texts.NO_RUNNING_GAMES,
    )
    room = LONGEST_LAYOUT_TEXT - len(head) - len(game_list_texts.others_heading(page))
    details = await _details(interaction, page)
    listed = game_list_texts.listed_game_texts(page.briefs, user, details, room - ROOM_BELOW_GAMES)
    below = await _text_below_games(interaction, page, room - sum(map(len, listed.values())))
    await show_reply(interaction, head, rows=game_rows(page, listed, below))
    await app.games.note_listed(user, page.briefs, ended)


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


async def _details(interaction: Interaction, page: GamePage) -> GameDetails:
    app, user = interaction.client.app, interaction.user.id
    asked = await app.requests.open_requests(page.briefs)
    return GameDetails(
        await app.vacations.opponents_on_vacation(page.briefs, user),
        await app.notes.notes_on_games([brief.id for brief in page.briefs], user),
        {request.game: request for request in asked if request.kind is RequestKind.TAKEBACK},
        await app.win_claims.win_claims_to_answer(page.briefs, user),
        await notation_of(interaction),
    )


async def _text_below_games(interaction: Interaction, page: GamePage, most: int) -> str:
    """Return what stands below the games, at most `most` characters: hints, and on the last page what else is open.

    These are the person's studies and open challenges.
    """
    hints = game_list_texts.game_list_hints(page)
    if page.page_number < page.last_page:
        return hints
    app, user = interaction.client.app, interaction.user.id
    challenges = [(stored.challenge, seeks.challenge_url(stored)) for stored in await app.lobby.challenges_of(user)]
    known = join_lines(hints, study_texts.studies_line(await app.studies.studies(user)))
    return join_lines(known, lobby_texts.open_challenges_text(challenges, most - len(known)))


def game_rows(page: GamePage, listed: Mapping[int, str], below: str) -> tuple[PrivateRow, ...]:
    """Return the games of a page, each with its button, the text `below`, and the buttons of the pages."""
    mine = [_game_row(brief, listed, page, "desk") for brief in page.waiting]
    others = [_game_row(brief, listed, page, "board") for brief in page.others]
    heading = (game_list_texts.others_heading(page),) if others else ()
    return (*mine, *heading, *others, *((below,) if below else ()), *_page_buttons(page))


def _game_row(brief: GameBrief, listed: Mapping[int, str], page: GamePage, verb: str) -> ListedText:
    label, style = (texts.MOVE_LABEL, "primary") if verb == "desk" else (texts.BOARD_LABEL, "secondary")
    return ListedText(listed[brief.id], Button(label, f"listed_game:{brief.id}:{page.page_number}:{verb}", style))


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
