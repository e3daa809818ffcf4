"""Asking for another game with colours swapped."""

from discord import app_commands

from gipfbot.service.kit.game_names import game_name, parse_game_name
from gipfbot.ui.board.game_view import board_url
from gipfbot.ui.kit import texts
from gipfbot.ui.kit.client import Interaction
from gipfbot.ui.kit.components import handles_kind
from gipfbot.ui.kit.groups import gipf_group
from gipfbot.ui.kit.respond import run_guarded, show_reply
from gipfbot.ui.lobby import lobby_texts
from gipfbot.ui.lobby.seeks import challenge_url, closed_challenge_message, seat_of_user


@gipf_group.command(name="rematch", description="Ask for another game after one that is over, colours swapped")
@app_commands.describe(game="Which game, such as #a7")
async def rematch_command(interaction: Interaction, game: str) -> None:
    """Ask for a rematch."""
    await interaction.response.defer(ephemeral=True)
    await run_guarded(interaction, _rematch_named_game(interaction, game.strip()))


async def _rematch_named_game(interaction: Interaction, named: str) -> None:
    id = parse_game_name(named)
    if id is None:
        await show_reply(interaction, texts.bad_game_name_text(named))
    else:
        await ask_or_accept_rematch(interaction, id)


@handles_kind("m")
async def press_rematch(interaction: Interaction, rest: str) -> None:
    """The button of a game's last board that asks for another one with colours swapped."""

    async def work() -> None:
        await interaction.response.defer(ephemeral=True, thinking=True)
        await ask_or_accept_rematch(interaction, int(rest))

    await run_guarded(interaction, work())


async def ask_or_accept_rematch(interaction: Interaction, game_id: int) -> None:
    """Ask the opponent for another game, or accept that he has asked; the acknowledged interaction tells which."""
    bot = interaction.client
    offered, owed = await bot.app.lobby.rematch(game_id, seat_of_user(interaction.user))
    await bot.delivery.deliver(owed)
    if offered.game is None:
        posted = await bot.app.lobby.stored_challenge(offered.challenge.id)
        await show_reply(
            interaction, lobby_texts.challenge_sent_text(posted.challenge, posted.venue.channel, challenge_url(posted))
        )
        return
    if offered.message:
        await bot.delivery.strip_buttons(
            offered.venue.channel, offered.message, await closed_challenge_message(bot, offered)
        )
    link = board_url(await bot.app.games.game(offered.game))
    await show_reply(interaction, lobby_texts.rematch_begins_text(game_name(offered.game), link))
