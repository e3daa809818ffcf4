"""Claim the win of a stalled game that has no time limit."""

from gipfbot.languages import say
from gipfbot.ui.kit import (
    Button,
    Interaction,
    Reply,
    handles,
    handles_picked_game,
    show_reply,
    texts,
)
from gipfbot.ui.kit.game_picker import pick_game_or_ask, picked_game, running_unless_named
from gipfbot.ui.kit.visibility import has_left, name_of_left_server
from gipfbot.values import StoredGame

from . import request_texts


async def claim_win_of_game_meant(interaction: Interaction, named: str) -> None:
    """Ask the user to confirm the claim of the game `named`. If it is empty and several can be claimed, ask which."""
    app, user = interaction.client.app, interaction.user.id
    running = await running_unless_named(interaction, named)
    waiting = [brief for brief in running if brief.users[brief.asked] != user and not brief.timed]
    none = say(request_texts.NOTHING_TO_CLAIM)
    if len(waiting) > 1 and not named:
        among = (brief.stored for brief in waiting if brief.stored)
        ready, first = await app.win_claims.claimable_games(among, user)
        none = request_texts.first_claimable_text(*first) if first else say(request_texts.ALL_CLAIMED)
        waiting = [brief for brief in waiting if brief.id in ready]
    ask = say(request_texts.WHICH_GAME_TO_CLAIM)
    if game_id := await pick_game_or_ask(interaction, named, waiting, "claim_win", none, ask):
        await _confirm_claim(interaction, await picked_game(interaction, game_id, waiting))


@handles_picked_game("claim_win")
async def _confirm_claim_in(interaction: Interaction, game_id: int, _: str) -> None:
    await _confirm_claim(interaction, await interaction.client.app.games.game(game_id))


async def _confirm_claim(interaction: Interaction, stored: StoredGame, version: int | None = None) -> None:
    """Ask the user to confirm the claim of a win. Raises Refused if they may not claim this game now.

    `version` is the game's version on the pressed button. It is None if no button was pressed.
    """
    await interaction.client.app.win_claims.check_claim_win(stored, interaction.user.id, version)
    drawn_for = f"claim_win:{stored.game.id}:{stored.game.version}"
    claim = Button(say(request_texts.CLAIM_WIN_LABEL), f"{drawn_for}:claim", "danger")
    keep = Button(say(request_texts.NOT_NOW_LABEL), f"{drawn_for}:keep")
    await show_reply(interaction, request_texts.confirm_claim_text(stored.game), rows=((claim, keep),))


async def claim_win_button(interaction: Interaction, stored: StoredGame) -> tuple[Button, ...]:
    """Return a tuple with the button that asks the user to confirm a claim.

    The tuple is empty if the user may not claim the win of this game now.
    """
    game = stored.game
    ask = Button(say(request_texts.CLAIM_WIN_LABEL), f"ask_claim_win:{game.id}:{game.version}", "danger")
    return (ask,) if await interaction.client.app.win_claims.may_claim_win(stored, interaction.user.id) else ()


@handles("ask_claim_win", "{game}:{version}", Reply.APART)
async def press_ask_claim_win(interaction: Interaction, game: int, version: int) -> None:
    """Ask the user to confirm a claim, in a new private message. The message with the button stays."""
    await _confirm_claim(interaction, await interaction.client.app.games.game(game), version)


@handles("claim_win", "{game}:{version}:{verb:claim|keep}")
async def press_claim_win(interaction: Interaction, game: int, version: int, verb: str) -> None:
    """Claim the win of a game. If the verb is `keep`, only confirm that nothing was claimed.

    `version` is the game's version on the button. Raises Refused if the game has changed since.
    """
    if verb == "keep":
        await show_reply(interaction, say(request_texts.NOTHING_CLAIMED))
        return
    claimed = await interaction.client.app.win_claims.claim_win(game, interaction.user.id, version)
    posted = await interaction.client.delivery.deliver(claimed.owed)
    server, left = claimed.stored.venue.server, ""
    if await has_left(interaction.client, server, claimed.warned.user):
        left = texts.left_server_text(claimed.warned.name, await name_of_left_server(interaction, server))
    await show_reply(interaction, request_texts.claim_made_text(claimed, posted=bool(posted), left=left))
