"""The button **Why?** on a turn of the bot: facts that explain it, for one person, with the rows marked."""

from dataclasses import replace

from gipfbot.rules.turn_facts import TurnFact
from gipfbot.ui.kit import permissions
from gipfbot.ui.kit.client import Interaction
from gipfbot.ui.kit.interactions import Reply, handles
from gipfbot.ui.kit.respond import notation_of, show_reply
from gipfbot.ui.records.replay import turn_picture
from render import Picture

from . import reasons_texts


@handles("reasons", "{game}:{turn_number}:{code:[0-9a-f]+}", Reply.APART)
async def press_reasons(interaction: Interaction, game: int, turn_number: int, code: str) -> None:
    """Say why the bot has played the turn that the button was drawn for, if the person may see the game."""
    app, user = interaction.client.app, interaction.user.id
    stored = await app.games.game(game)
    if reason := await permissions.why_game_hidden(interaction, stored):
        await show_reply(interaction, reason)
        return
    notation, colour = await notation_of(interaction), stored.game.colour_of(user)
    reasons = await app.reasons.of_turn(game, turn_number, code, user)
    if reasons is None:
        await show_reply(interaction, reasons_texts.NOT_THERE)
        return
    text = reasons_texts.reasons_text(reasons, colour, notation)
    picture = turn_picture(reasons.stored.game, reasons.turn, notation)
    await show_reply(interaction, text, _with_rows(picture, reasons.facts), colour=colour)


def _with_rows(picture: Picture, facts: tuple[TurnFact, ...]) -> Picture:
    """Return a picture that marks the rows of these facts, and no others."""
    letters = reasons_texts.row_letters(facts)
    rows = tuple((letter, fact.row) for fact, letter in zip(facts, letters, strict=True) if letter)
    return replace(picture, marks=replace(picture.marks, rows=rows))
