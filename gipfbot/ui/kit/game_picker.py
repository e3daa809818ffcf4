"""Which game a command means: the one named, else the only one there is; never a guess."""

from collections.abc import Awaitable, Callable, Sequence
from typing import TypeAlias

from gipfbot.service.kit.game_names import parse_game_name
from gipfbot.service.records.studies import ListedGame
from gipfbot.ui.kit.client import Interaction
from gipfbot.ui.kit.widgets import ComponentRow, Select

from . import text_parts, texts
from .autocomplete import MOST_CHOICES
from .components import LONGEST_CUSTOM_ID, chosen_value, handles_kind
from .respond import run_guarded, show_reply

PickedGameHandler: TypeAlias = Callable[[Interaction, int, str], Awaitable[None]]
PICKED_GAME_HANDLERS: dict[str, PickedGameHandler] = {}


def handles_picked_game(verb: str) -> Callable[[PickedGameHandler], PickedGameHandler]:
    """Return a decorator: the function goes on with `verb` in the game chosen, and with what stood behind the verb.

    The interaction is acknowledged by then.
    """

    def register(go_on: PickedGameHandler) -> PickedGameHandler:
        PICKED_GAME_HANDLERS[verb] = go_on
        return go_on

    return register


async def pick_game_or_ask(
    interaction: Interaction, named: str, briefs: Sequence[ListedGame], action: str, none_text: str, ask_text: str
) -> int | None:
    """Return the game meant: the one named, else the only one here, else the only one anywhere.

    Where that is not clear, ask or explain privately and return None: it is never guessed. `does` says what happens
    with the one chosen then: the verb of `handles_picked_game`, and what it is handed behind a colon.
    """
    if id := meant_game(interaction, named, briefs):
        return id
    if named:
        await show_reply(interaction, texts.bad_game_name_text(named))
    elif briefs and len(action) + len("p:") <= LONGEST_CUSTOM_ID:
        await show_reply(interaction, ask_text, rows=game_select_rows(briefs, interaction.user.id, action))
    else:
        await show_reply(interaction, texts.NAME_THE_GAME if briefs else none_text)
    return None


def meant_game(interaction: Interaction, named: str, briefs: Sequence[ListedGame]) -> int | None:
    """Return the game meant as in `pick_game_or_ask`, None where that is not clear."""
    if named:
        return parse_game_name(named)
    here = [brief.id for brief in briefs if brief.venue.channel == interaction.channel_id]
    if len(here) == 1:
        return here[0]
    return briefs[0].id if len(briefs) == 1 else None


def game_select_rows(briefs: Sequence[ListedGame], user: int, action: str) -> tuple[ComponentRow, ...]:
    """Return a select of games; `does` says what happens with the one chosen."""
    options = tuple((text_parts.game_label(brief, user), str(brief.id)) for brief in briefs[:MOST_CHOICES])
    return (Select(texts.GAME_PLACEHOLDER, f"p:{action}", options),)


@handles_kind("p")
async def choose_game(interaction: Interaction, rest: str) -> None:
    """A game was picked in a private select: go on with what was asked for."""
    verb, _, more = rest.partition(":")

    async def work() -> None:
        id = int(chosen_value(interaction))
        if verb not in PICKED_GAME_HANDLERS:
            await interaction.response.send_message(texts.UNKNOWN_BUTTON, ephemeral=True)
            return
        await interaction.response.defer()
        await PICKED_GAME_HANDLERS[verb](interaction, id, more)

    await run_guarded(interaction, work())


async def _in_running_game(interaction: Interaction, named: str, does: str) -> None:
    running = await interaction.client.app.games.running_games(interaction.user.id)
    id = await pick_game_or_ask(interaction, named, running, does, texts.NO_RUNNING_GAMES, texts.WHICH_GAME)
    if id:
        verb, _, more = does.partition(":")
        await PICKED_GAME_HANDLERS[verb](interaction, id, more)
