"""The games of a person that have ended, page by page: each leads to its board, with a rematch and the note."""

from gipfbot.languages import mark, say
from gipfbot.service.kit.loaded_games import game_name, parse_game_name
from gipfbot.ui.kit import Button, Interaction, handles, join_lines, show_reply, texts
from gipfbot.ui.kit.components import ListedText
from gipfbot.ui.kit.game_picker import MOST_ENDED_GAMES
from gipfbot.ui.kit.listed_game import GAMES_PER_PAGE
from gipfbot.ui.lobby.rematch import ask_or_accept_rematch

from .desk_view import with_back_button
from .game_list import ENDED_GAMES_LABEL, ended_game_line, turning_buttons

LAST_PAGE = MOST_ENDED_GAMES // GAMES_PER_PAGE - 1
NO_ENDED_GAMES = mark("No game of yours has ended yet. **/gipf games** lists those that run.")
OLDER_GAMES = mark("Older ones: **/gipf board** shows each by its name.")


@handles("ended_games", "{page}")
async def press_ended_games(interaction: Interaction, page: int) -> None:
    """Show a page of the person's ended games, the latest last. After the last page comes none."""
    here = min(page, LAST_PAGE)
    found = await interaction.client.app.studies.ended_games(interaction.user.id, (here + 1) * GAMES_PER_PAGE + 1)
    shown, has_more = found[here * GAMES_PER_PAGE :][:GAMES_PER_PAGE], len(found) > (here + 1) * GAMES_PER_PAGE
    listed = [
        ListedText(
            ended_game_line(game, interaction.user.id),
            Button(f"{say(texts.BOARD_LABEL)} {game_name(game.id)}", f"listed_game:{game.id}:0:board"),
        )
        for game in reversed(shown)
    ]
    older = say(OLDER_GAMES) if has_more and here == LAST_PAGE else ""
    head = f"**{say(ENDED_GAMES_LABEL)}** · {say('the latest last')}"
    text = join_lines(head, older) if shown else say(NO_ENDED_GAMES)
    turning = turning_buttons("ended_games:{}", here, here + (has_more and here < LAST_PAGE))
    await show_reply(interaction, text, rows=with_back_button(listed, "0", *turning))


async def rematch_of_game_meant(interaction: Interaction, named: str) -> None:
    """Ask for a rematch of the game `named`, or accept one. If it is empty, show the games that have ended."""
    if not named:
        await press_ended_games(interaction, 0)
    elif game := parse_game_name(named):
        await ask_or_accept_rematch(interaction, game)
    else:
        await show_reply(interaction, texts.bad_game_name_text(named))
