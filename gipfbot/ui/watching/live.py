"""`/gipf live`: the running games of a server that a person sees, nine a page, with a picture of their boards."""

from collections.abc import Sequence

import discord

from gipfbot.languages import say
from gipfbot.notation import Notation
from gipfbot.ui.board.public_board import game_picture
from gipfbot.ui.kit import (
    Button,
    Interaction,
    PrivateRow,
    answers_privately,
    handles,
    join_lines,
    notation_of,
    show_reply,
    slash_command,
)
from gipfbot.ui.kit.components import ListedText
from gipfbot.ui.kit.permissions import check_bot_is_on
from gipfbot.ui.kit.respond import show_here_buttons
from gipfbot.ui.kit.visibility import can_see_venue, channels_seen
from gipfbot.values import StoredGame
from render import SmallBoards

from . import watching_texts

GAMES_PER_LIVE_PAGE = 9
LAST_LIVE_PAGE = 10_000  # no server has more pages, but a forged button could name any page


@slash_command("gipf live", 160, "The games running on this server, with their boards")
@answers_privately
async def live_command(interaction: Interaction) -> None:
    """Show the first page of the server's running games."""
    await show_live_page(interaction, 0)


@handles("live", "{page}")
async def press_live_page(interaction: Interaction, page: int) -> None:
    """Show a page of the server's running games on the message that was pressed."""
    await show_live_page(interaction, min(page, LAST_LIVE_PAGE))


async def show_live_page(interaction: Interaction, page: int, note: str = "") -> None:
    """Show a page of running games, counted from 0. If there is none, show the first page and say so."""
    if not isinstance(interaction.user, discord.Member):
        await show_reply(interaction, say(watching_texts.NEEDS_SERVER))
        return
    await check_bot_is_on(interaction, interaction.guild_id)
    found = await games_on_page(interaction, interaction.user, page)
    games, more = found[:GAMES_PER_LIVE_PAGE], len(found) > GAMES_PER_LIVE_PAGE
    if games:
        notation = await notation_of(interaction)
        head = join_lines(note, watching_texts.live_heading(page))
        pages = (*_page_buttons(page, more=more), *show_here_buttons(interaction, f"live:{page}"))
        rows = (*_live_rows(games, notation), *((pages,) if pages else ()))
        await show_reply(interaction, head, live_picture(games, notation), rows)
    elif page:
        await show_live_page(interaction, 0, say(watching_texts.PAGE_GONE))
    else:
        await show_reply(interaction, say(watching_texts.NOTHING_RUNS))


async def games_on_page(interaction: Interaction, member: discord.Member, page: int) -> list[StoredGame]:
    """Return the games of a page that the person may see, and one more if there is a next page."""
    seen, skip = channels_seen(member), page * GAMES_PER_LIVE_PAGE
    games = await interaction.client.app.live.page(member.guild.id, seen, GAMES_PER_LIVE_PAGE + 1, skip)
    return [stored for stored in games if await can_see_venue(interaction, stored.venue)]


def live_picture(games: Sequence[StoredGame], notation: Notation) -> SmallBoards:
    """Return the picture of the boards of running games."""
    boards = ((watching_texts.live_label(stored.game), game_picture(stored.game, notation)) for stored in games)
    return SmallBoards(tuple(boards))


def _live_rows(games: Sequence[StoredGame], notation: Notation) -> list[PrivateRow]:
    return [
        ListedText(
            watching_texts.live_line(stored, notation),
            Button(watching_texts.watch_label(stored.game.id), f"game_board:{stored.game.id}"),
        )
        for stored in games
    ]


def _page_buttons(page: int, *, more: bool) -> tuple[Button, ...]:
    if not page and not more:
        return ()
    newer = Button(watching_texts.NEWER_LABEL, f"live:{max(0, page - 1)}", disabled=not page)
    return newer, Button(watching_texts.OLDER_LABEL, f"live:{page + 1}", disabled=not more)
