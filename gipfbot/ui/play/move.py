"""`/move`: playing a turn by typing it, with the turns that fit."""

import re
from operator import itemgetter

from discord import app_commands

from gipfbot.notation import completions
from gipfbot.service.kit.game_names import game_name, parse_game_name
from gipfbot.ui.kit.autocomplete import LONGEST_CHOICE, MOST_CHOICES
from gipfbot.ui.kit.client import Interaction
from gipfbot.ui.kit.game_picker import handles_picked_game, pick_game_or_ask
from gipfbot.ui.kit.respond import notation_of, run_guarded, show_reply
from gipfbot.ui.play import game_texts
from gipfbot.ui.play.desk import play_typed_turn, show_desk

LONGEST_TYPED_TURN = 200  # characters; the longest legal turn has fewer


MOST_GAMES_COMPLETED = 3  # games whose turns are offered when none is named


_GAME_THEN_TURN = re.compile(r"(#[a-zA-Z][0-9]+)\s*(.*)", re.DOTALL)


@app_commands.command(name="move", description="Play your turn: type it, or type nothing and use buttons")
@app_commands.describe(notation="Your turn, such as e2 or g1-c3;xc2,d3,e4,f4", game="Which game, such as #a7")
async def move_command(interaction: Interaction, notation: str = "", game: str = "") -> None:
    """Play a turn, or open the desk."""
    await interaction.response.defer(ephemeral=True)
    await run_guarded(interaction, _play_or_open_desk(interaction, notation.strip(), game.strip()))


async def _play_or_open_desk(interaction: Interaction, notation: str, game: str) -> None:
    if named := _GAME_THEN_TURN.fullmatch(notation):
        if _name_two_games(named[1], game):
            await show_reply(
                interaction, game_texts.two_games_named_text(named[1].lower(), game_name(parse_game_name(game) or 0))
            )
            return
        game, notation = game or named[1], named[2]
    if len(notation) > LONGEST_TYPED_TURN:
        await show_reply(interaction, game_texts.TURN_TOO_LONG)
        return
    waiting = await interaction.client.app.games.waiting_games(interaction.user.id)
    ask = game_texts.which_game_for_turn_text(notation) if notation else game_texts.WHICH_GAME_TO_MOVE
    if id := await pick_game_or_ask(interaction, game, waiting, f"move:{notation}", game_texts.NO_GAME_TO_MOVE, ask):
        await _move_in_game(interaction, id, notation)


def _name_two_games(text: str, option: str) -> bool:
    """Return whether the text and the option name two games; an option that names none is another fault."""
    other = parse_game_name(option)
    return other is not None and other != parse_game_name(text)


@handles_picked_game("move")
async def _move_in_game(interaction: Interaction, game_id: int, notation: str) -> None:
    if notation:
        await play_typed_turn(interaction, game_id, notation)
    else:
        await show_desk(interaction, await interaction.client.app.games.game(game_id))


@move_command.autocomplete("notation")
async def complete_turn(interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
    """Offer legal turns that fit what is typed, each carrying its game."""
    named = _GAME_THEN_TURN.match(current)
    typed = named[2] if named else current
    option = str(interaction.namespace.game or "")
    if named and _name_two_games(named[1], option):
        return []
    game = named[1] if named else option
    user, service = interaction.user.id, interaction.client.app
    wanted = parse_game_name(game)
    waiting = [brief for brief in await service.games.waiting_games(user) if not game or brief.id == wanted]
    waiting.sort(key=lambda brief: brief.venue.channel != interaction.channel_id)
    shown = await notation_of(interaction)
    choices = list[tuple[tuple[int, int], app_commands.Choice[str]]]()
    for place, brief in reversed(
        [*enumerate(waiting[:MOST_GAMES_COMPLETED])]
    ):  # the first game fills up what others leave
        stored, name = (await service.games.game(brief.id)).game, game_name(brief.id)
        share, room = (MOST_CHOICES - len(choices)) // (place + 1), LONGEST_CHOICE - len(f"{name} ")
        for found in completions(stored.position, stored.draft, typed, share, shown, longest=room):
            said = game_texts.turn_choice_label(found, brief, user)[:LONGEST_CHOICE]
            choice = app_commands.Choice(name=said, value=f"{name} {found.text}")
            choices.append(((found.fit, place), choice))
    return [choice for _, choice in sorted(choices, key=itemgetter(0))]
