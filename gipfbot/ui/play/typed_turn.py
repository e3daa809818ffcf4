"""Play a typed turn. If the text leaves a choice open, play the turn up to that choice."""

from gipfbot.match import Game, Refused, Why
from gipfbot.rules.pending import question
from gipfbot.service.settings.users import notation_in_settings
from gipfbot.ui.desk import desk_texts
from gipfbot.ui.kit.client import Interaction
from gipfbot.ui.kit.respond import notation_of, user_settings_of

from .desk_view import show_after_turn, show_desk, show_turn_to_confirm


async def play_typed_turn(interaction: Interaction, game: int, text: str) -> None:
    """Play a typed turn. The desk asks about choices that the text leaves open.

    The turn is shown for confirmation first if the person has set that, or if the game would be lost on time.
    """
    settings = await user_settings_of(interaction)
    if settings.get("confirm_typed"):
        await _show_typed_turn(interaction, game, text)
        return
    games, notation = interaction.client.app.games, notation_in_settings(settings)
    try:
        done = await games.play_typed(game, interaction.user.id, text, notation)
    except Refused as refusal:
        if refusal.why is not Why.LOSES_ON_TIME:
            raise
        await _show_typed_turn(interaction, game, text)
    else:
        await show_after_turn(interaction, done, _open_question_note(done.game, text))


async def _show_typed_turn(interaction: Interaction, game: int, text: str) -> None:
    """Show the turn that a typed text means, and ask whether to play it.

    If the text leaves the first choice of the turn open, show the desk instead.
    """
    games, notation = interaction.client.app.games, await notation_of(interaction)
    stored, actions, after = await games.preview_typed(game, interaction.user.id, text, notation)
    if actions:
        await show_turn_to_confirm(interaction, stored, actions, after, text)
    else:
        await show_desk(interaction, stored, note=_open_question_note(stored.game, text))


def _open_question_note(game: Game, text: str) -> str:
    asked = question(game.current)
    return desk_texts.open_turn_text(text, asked) if asked else ""
