"""`/move`: play a typed turn. While the person types, legal turns are suggested."""

import re
from collections.abc import Awaitable, Callable, Iterator, Sequence
from operator import itemgetter

from discord import app_commands
from discord.app_commands import Choice

from gipfbot.match import Game
from gipfbot.notation import Notation, completions
from gipfbot.service.kit.loaded_games import game_name, parse_game_name
from gipfbot.ui.kit.client import Interaction
from gipfbot.ui.kit.game_picker import (
    LONGEST_CHOICE,
    MOST_CHOICES,
    complete_running_game,
    handles_picked_game,
    pick_game_or_ask,
    suggests_in_time,
)
from gipfbot.ui.kit.interactions import answers_privately
from gipfbot.ui.kit.respond import notation_of, show_reply
from gipfbot.ui.lobby.help import show_help
from gipfbot.ui.requests.takebacks import take_back_in_game_meant
from gipfbot.values import ListedGame

from . import game_texts
from .desk_view import show_desk
from .game_end import resign_game_meant
from .typed_turn import LONGEST_TYPED_TURN, play_typed_turn

MOST_GAMES_COMPLETED = 3  # games whose turns are suggested if no game is named
_GAME_THEN_TURN = re.compile(r"(#[a-zA-Z][0-9]+)\s*(.*)", re.DOTALL)


@suggests_in_time
async def complete_turn(interaction: Interaction, current: str) -> list[Choice[str]]:
    """Suggest legal turns that match the typed text. Each begins with the name of its game."""
    named, typed = _split_typed(current)
    option = str(interaction.namespace.game or "")
    if named and _name_two_games(named, option):
        return []
    async with interaction.client.app.snapshot():
        notation, briefs = await notation_of(interaction), await _games_to_complete(interaction, named or option)
        stored = [await interaction.client.app.games.game(brief.id) for brief in briefs]
    found = [(brief, each.game) for brief, each in zip(briefs, stored, strict=True)]
    user = interaction.user.id
    return await interaction.client.readings.run(user, _choices_of_games, found, user, typed, notation)


def _choices_of_games(
    found: Sequence[tuple[ListedGame, Game]], user: int, typed: str, notation: Notation
) -> list[Choice[str]]:
    """Return turns of these games that match the typed text, the best match first."""
    offered = list[tuple[tuple[int, int], Choice[str]]]()
    for place, (brief, game) in reversed([*enumerate(found)]):  # the first game comes last and fills the rest
        share = (MOST_CHOICES - len(offered)) // (place + 1)
        choices = _turn_choices(brief, game, user, typed, share, notation)
        offered += [((fit, place), choice) for fit, choice in choices]
    return [choice for _, choice in sorted(offered, key=itemgetter(0))]


def _split_typed(text: str) -> tuple[str, str]:
    """Split a typed text into the game's name at its start, which may be empty, and the turn."""
    named = _GAME_THEN_TURN.fullmatch(text)
    return (named[1], named[2]) if named else ("", text)


def _name_two_games(text: str, option: str) -> bool:
    """Return whether the game's name in the text and the option `game` mean different games.

    False if the option is not a game's name; that fault is reported elsewhere.
    """
    other = parse_game_name(option)
    return other is not None and other != parse_game_name(text)


async def _games_to_complete(interaction: Interaction, named: str) -> Sequence[ListedGame]:
    """Return the games whose turns are suggested, the games of this channel first.

    These are the games in which it is the person's turn. If `named` is not empty, only the game of that name is kept.
    """
    wanted, user = parse_game_name(named), interaction.user.id
    running = await interaction.client.app.games.choosable_games(user)
    waiting = [brief for brief in running if brief.users[brief.asked] == user]
    meant = [brief for brief in waiting if not named or brief.id == wanted]
    return sorted(meant, key=lambda brief: brief.venue.channel != interaction.channel_id)[:MOST_GAMES_COMPLETED]


def _turn_choices(
    brief: ListedGame, game: Game, user: int, typed: str, most: int, notation: Notation
) -> Iterator[tuple[int, Choice[str]]]:
    """Yield at most `most` turns of a game that match the typed text, each with how well it matches."""
    name = game_name(game.id)
    room = LONGEST_CHOICE - len(f"{name} ")
    for found in completions(game.position, game.draft, typed, most, notation, longest=room):
        label = game_texts.turn_choice_label(found, brief, user)[:LONGEST_CHOICE]
        yield found.fit, Choice(name=label, value=f"{name} {found.text}")


@app_commands.command(name="move", description="Play your turn: type it, or type nothing and use buttons")
@app_commands.describe(notation="Your turn, such as e2, or e1-e3 where e2 is occupied", game="Which game, such as #a7")
@app_commands.autocomplete(notation=complete_turn, game=complete_running_game)
@answers_privately
async def move_command(interaction: Interaction, notation: str = "", game: str = "") -> None:
    """Play a typed turn, or open the desk if none is typed."""
    named, text = _split_typed(notation.strip())
    option = game.strip()
    if named and _name_two_games(named, option):
        option_name = game_name(parse_game_name(option) or 0)
        await show_reply(interaction, game_texts.two_games_named_text(named.lower(), option_name))
    elif len(text) > LONGEST_TYPED_TURN:
        await show_reply(interaction, game_texts.TURN_TOO_LONG)
    elif command := TYPED_COMMANDS.get(text.lower().removeprefix("/gipf").strip()):
        await command(interaction, option or named)
    else:
        await _move_in_game_meant(interaction, option or named, text)


async def _show_help(interaction: Interaction, _: str) -> None:
    await show_help(interaction)


# What a person may type where a turn is expected, and the function that they are led to.
TYPED_COMMANDS: dict[str, Callable[[Interaction, str], Awaitable[None]]] = {
    "resign": resign_game_meant,
    "undo": take_back_in_game_meant,
    "help": _show_help,
}


async def _move_in_game_meant(interaction: Interaction, named: str, text: str) -> None:
    """Play a typed turn, or open the desk. If it is not clear in which game, ask."""
    user, games = interaction.user.id, interaction.client.app.games
    waiting = [] if named else await games.waiting_games(user)
    none = "" if named or waiting else game_texts.no_game_to_move_text(await games.running_games(user))
    ask = game_texts.which_game_for_turn_text(text) if text else game_texts.WHICH_GAME_TO_MOVE
    if game := await pick_game_or_ask(interaction, named, waiting, f"move:{text}", none, ask):
        await _move_in_game(interaction, game, text)


@handles_picked_game("move")
async def _move_in_game(interaction: Interaction, game: int, text: str) -> None:
    if text:
        await play_typed_turn(interaction, game, text)
    else:
        await show_desk(interaction, await interaction.client.app.games.game(game))
