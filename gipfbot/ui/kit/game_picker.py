"""Find the game that a command is for: the one named, or the only one possible. Never guesses."""

from collections.abc import Awaitable, Callable, Sequence
from typing import TypeAlias

from gipfbot.service.kit.loaded_games import parse_game_name
from gipfbot.values import ListedGame

from . import text_parts, texts, visibility
from .autocomplete import MOST_CHOICES
from .client import Interaction
from .interactions import chosen_number, handles
from .request_log import note_game
from .respond import show_reply, tell_privately
from .views import LONGEST_CUSTOM_ID
from .widgets import Select

PickedGameHandler: TypeAlias = Callable[[Interaction, int, str], Awaitable[None]]
PICKED_GAME_HANDLERS: dict[str, PickedGameHandler] = {}
PICK_GAME = "pick_game"


def handles_picked_game(verb: str) -> Callable[[PickedGameHandler], PickedGameHandler]:
    """Return a decorator that registers the function for `verb`. It is called when a person has picked a game.

    Its arguments are the interaction, the game's id, and the details that follow the verb.
    """

    def register(go_on: PickedGameHandler) -> PickedGameHandler:
        PICKED_GAME_HANDLERS[verb] = go_on
        return go_on

    return register


async def pick_game_or_ask(
    interaction: Interaction, named: str, briefs: Sequence[ListedGame], action: str, none_text: str, ask_text: str
) -> int | None:
    """Return the game meant: the one `named`, else the only one played in this channel, else the only one at all.

    `briefs` are the games that the command can be for. If it is unclear which game is meant, ask or explain privately,
    and return None. `action` says what to do with a game that is picked later: a verb of `handles_picked_game`, and
    details after a colon. `ask_text` asks which game. `none_text` is the answer if `briefs` is empty. Does not check
    that the game `named` exists.
    """
    if game := _meant_game(interaction, named, briefs):
        note_game(interaction, game)
        return game
    if named:
        await show_reply(interaction, texts.bad_game_name_text(named))
    elif briefs and len(f"{PICK_GAME}:{action}") <= LONGEST_CUSTOM_ID:
        await show_reply(interaction, ask_text, rows=(game_select(briefs, interaction.user.id, action),))
    else:
        await show_reply(interaction, texts.NAME_THE_GAME if briefs else none_text)
    return None


async def pick_seen_game_or_ask(
    interaction: Interaction, named: str, own: Sequence[ListedGame], action: str, none_text: str, ask_text: str
) -> int | None:
    """Return which game to show, as in `pick_game_or_ask`.

    The person's `own` games come first. If they leave it open, the running games that the person sees count, too.
    """
    games = own
    if not named and _meant_game(interaction, "", own) is None:
        games = [*own[: MOST_CHOICES // 2], *await visibility.watchable_games(interaction, MOST_CHOICES)]
    return await pick_game_or_ask(interaction, named, games, action, none_text, ask_text)


async def pick_running_game_or_ask(interaction: Interaction, named: str, action: str) -> int | None:
    """Return which of the user's running games is meant, as in `pick_game_or_ask`."""
    running = await running_unless_named(interaction, named)
    return await pick_game_or_ask(interaction, named, running, action, texts.NO_RUNNING_GAMES, texts.WHICH_GAME)


async def running_unless_named(interaction: Interaction, named: str) -> Sequence[ListedGame]:
    """Return the user's running games. If a game is `named`, return none: a list of hundreds would be read in vain."""
    return [] if named else await interaction.client.app.games.running_games(interaction.user.id)


def _meant_game(interaction: Interaction, named: str, briefs: Sequence[ListedGame]) -> int | None:
    """Return the game meant, as in `pick_game_or_ask`.

    None if `named` is not a game's name. If `named` is empty, None unless exactly one game is possible.
    """
    if named:
        return parse_game_name(named)
    here = [brief.id for brief in briefs if brief.venue.channel == interaction.channel_id]
    if len(here) == 1:
        return here[0]
    return briefs[0].id if len(briefs) == 1 else None


def game_select(briefs: Sequence[ListedGame], user: int, action: str) -> Select:
    """Return a select of games. `action` is as in `pick_game_or_ask`."""
    options = tuple((text_parts.game_label(brief, user), str(brief.id)) for brief in briefs[:MOST_CHOICES])
    return Select(texts.GAME_PLACEHOLDER, f"{PICK_GAME}:{action}", options)


@handles(PICK_GAME, "{action:.+}")
async def choose_game(interaction: Interaction, action: str) -> None:
    """Do what `action` says with the game or study that was picked from a select.

    `action` is as in `pick_game_or_ask`. An unknown verb is answered as an outdated button.
    """
    verb, _, details = action.partition(":")
    if verb in PICKED_GAME_HANDLERS:
        game = chosen_number(interaction)
        note_game(interaction, game)
        await PICKED_GAME_HANDLERS[verb](interaction, game, details)
    else:
        await tell_privately(interaction, texts.UNKNOWN_BUTTON)
