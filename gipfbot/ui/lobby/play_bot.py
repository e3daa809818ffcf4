"""**Play the bot**: its levels and engines, the page on which a person chooses one, and how the game begins.

On a server the game is private: nothing of it is posted, and only its player sees it. In direct messages with the bot
its boards are posted there.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from discord.app_commands import Choice

from gipfbot.languages import say
from gipfbot.match import LEVEL_NAMES, House, Refused, Seat, Side, Why, house_name
from gipfbot.match.game import clean_name
from gipfbot.service.house.house_player import LONGEST_SECONDS, HousePlayer
from gipfbot.service.kit.loaded_games import GameUpdate, game_name
from gipfbot.service.settings.servers import POTENTIAL_SETTINGS
from gipfbot.ui.board.public_board import board_url
from gipfbot.ui.kit import Button, Interaction, Reply, handles, show_reply, texts
from gipfbot.ui.kit.components import Select, button_rows
from gipfbot.ui.kit.game_picker import MOST_CHOICES, suggests_in_time
from gipfbot.ui.kit.permissions import venue_of
from gipfbot.ui.kit.spoken import note_person
from gipfbot.values import PRIVATE_VENUE

from . import lobby_texts
from .lobby_texts import level_name
from .open_challenges import seat_of_user
from .other_terms import terms_code

_SIGNS = re.compile(r"[\s·]+")
BEGIN_KIND = "begin_bot_game"
CARRIED = ("rules", *POTENTIAL_SETTINGS, "colour")  # the terms of a challenge that such a game has, too


class ChosenLevel(NamedTuple):
    """A level of the house player, and the engine that plays; if it is empty, the bot itself plays."""

    level: int
    engine: str = ""


EARLIER_NAMES = {5: ("casual",)}  # of a level that was level 2 of five; the other four have kept their names
USUAL_LEVEL = ChosenLevel(2)  # for those who choose none


@suggests_in_time
async def complete_level(interaction: Interaction, current: str) -> list[Choice[str]]:
    """Suggest the levels of the bot, then those of the other engines."""
    typed, house = _words(current), interaction.client.app.house
    offered = _own_levels(house) + _levels_of(house.choosable_engines)
    choices = [Choice(name=label, value=value) for label, value in offered]
    return [choice for choice in choices if _fits(typed, _words(choice.name))][:MOST_CHOICES]


def _own_levels(house: HousePlayer) -> list[tuple[str, str]]:
    """Return the levels of the bot that are offered here, each as a label and as a text for `read_level`."""
    return [
        (f"{level} · {level_name(level)}{lobby_texts.thinks_text(house.thinking_seconds(level))}", f"{level}")
        for level in LEVEL_NAMES
        if is_offered(house, level)
    ]


def _levels_of(engines: Sequence[str]) -> list[tuple[str, str]]:
    """Return the levels of these engines, as `_own_levels` does."""
    return [
        (f"{engine} · {level} · {level_name(level)}", f"{engine} {level}")
        for engine in engines
        for level in LEVEL_NAMES
    ]


def is_offered(house: HousePlayer, level: int) -> bool:
    """Return whether the bot itself is quick enough here to play new games at a level."""
    return house.thinking_seconds(level) <= LONGEST_SECONDS


def _fits(typed: Sequence[str], words: Sequence[str]) -> bool:
    """Return whether each typed word is the beginning of one of `words`."""
    return all(any(word.startswith(begin) for word in words) for begin in typed)


def _words(text: str) -> list[str]:
    return [word for word in _SIGNS.split(text.casefold()) if word]


def read_level(text: str, engines: Sequence[str]) -> ChosenLevel | None:
    """Return the level that a text names: `3`, `Skilled`, `gf1 3`, or `gf1` for its usual level.

    Knows the names that levels had earlier. None if there is no such level, or no engine of this name among `engines`.
    """
    engine, *rest = _words(text) or [""]
    if engine not in engines:
        engine, rest = "", _words(text)
    if engine and not rest:
        return USUAL_LEVEL._replace(engine=engine)
    for level, name in LEVEL_NAMES.items():
        if rest and {*rest} <= {str(level), name.casefold(), *_words(level_name(level)), *EARLIER_NAMES.get(level, ())}:
            return ChosenLevel(level, engine)
    return None


def play_bot_button(style: str = "secondary") -> Button:
    """Return the button that opens the page **Play the bot** in a new private message."""
    return Button(say(lobby_texts.PLAY_BOT_LABEL), "play_bot", style, is_custom_id=True)


@handles("play_bot", "", Reply.APART)
async def press_play_bot(interaction: Interaction) -> None:
    """Let a person choose at which level the bot plays them."""
    await show_play_bot(interaction, {})


async def show_play_bot(interaction: Interaction, chosen: Mapping[str, Any]) -> None:
    """Show the page **Play the bot**. A level begins the game, with the options `chosen` that it can have."""
    carried, house = _carried_code(chosen), interaction.client.app.house
    buttons = [
        Button(label, f"{BEGIN_KIND}:{value}:{carried}", "primary" if value == f"{USUAL_LEVEL.level}" else "secondary")
        for label, value in _own_levels(house)
    ]
    options = tuple(_levels_of(house.choosable_engines)[:MOST_CHOICES])
    other = (Select(say(lobby_texts.OTHER_ENGINE), f"{BEGIN_KIND}::{carried}", options),) if options else ()
    idle = {*chosen} - {*CARRIED}
    text = texts.join_lines(
        lobby_texts.play_bot_text(private=interaction.guild_id is not None),
        say(lobby_texts.PRIVATE_TERMS) if idle else "",
    )
    await show_reply(interaction, text, rows=(*button_rows(buttons), *other))


def _carried_code(chosen: Mapping[str, Any]) -> str:
    return terms_code({name: chosen[name] for name in CARRIED if name in chosen})


async def begin_against_bot(interaction: Interaction, chosen: Mapping[str, Any], level: ChosenLevel) -> GameUpdate:
    """Begin a game of the person who acts against the bot: a private one on a server.

    `chosen` holds what differs from the server's settings, and `colour`. Raises Refused.
    """
    app, user = interaction.client.app, interaction.client.user
    assert user is not None
    colour = chosen.get("colour", Side.LOT)
    if colour not in set(Side):
        raise Refused(Why.NOT_OFFERED, option="colour", value=colour)
    known = await app.servers.settings(interaction.guild_id)
    settings = known.with_changes({name: value for name, value in chosen.items() if name != "colour"})
    venue, terms = venue_of(interaction), replace(settings.terms, thread=False)
    if interaction.guild_id is not None:
        venue, terms = PRIVATE_VENUE, replace(terms, time_control=None)
    else:
        await note_person(interaction)  # its first board is owed at once
    terms = replace(terms, house=House(level.level, user.id, level.engine))
    house = Seat(user.id, house_name(clean_name(level.engine or user.display_name), level.level))
    what = seat_of_user(interaction.user), house, settings.ruleset, Side(colour), venue, terms
    return await app.lobby.challenge_house(*what)


async def show_game_in_direct_messages(interaction: Interaction, begun: GameUpdate, *notes: str) -> None:
    """Post the first board of a game against the bot, and tell its player where it is."""
    await interaction.client.delivery.deliver(begun.owed)
    stored = await interaction.client.app.games.game(begun.game.id)
    assert stored.game.terms.house
    text = lobby_texts.house_begins_text(stored.game.terms.house, game_name(stored.game.id), board_url(stored))
    await show_reply(interaction, texts.join_lines(text, *notes))
